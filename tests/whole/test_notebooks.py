"Every notebook runs, in a kernel of its own."
import re

import execute
import pytest

@pytest.mark.parametrize("name", [p.stem for p in execute.notebooks(execute.ROOT)])
def test_notebook(name, results):
    if isinstance(results[name], str):
        pytest.fail(re.sub(r"\x1b\[[0-9;]*m", "", results[name]), pytrace=False)
