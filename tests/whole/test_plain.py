"""The pages of the kernels hold in plain Python as well (NUMBA_DISABLE_JIT=1), as readers step
through kernels and as browsers run them. About a minute, more than other files: nothing is
compiled, and each page does all of its work but for the cells below."""
from concurrent.futures import ThreadPoolExecutor

import execute
import pytest
from nbclient import NotebookClient

ROOT = execute.ROOT
PAGES = ("910_jit", "140_exact_sums", "210_exact_split", "220_fast_split", "250_node_search",
         "260_objectives", "425_grow")
# Cells that take too long in plain Python, and on which no other cell rests.
LONG = {"9e5d3be6": "every cut of 100,000 rows and six features is scored"}

@pytest.mark.parametrize("name", PAGES)
def test_page_in_plain_python(name):
    path = execute.paths(ROOT)[name]
    nb = execute.load(path)
    for cell in execute.code_cells(nb):
        cell["outputs"] = []
        if cell["id"] in LONG: cell["metadata"]["tags"] = ["skip-execution"]
    client = NotebookClient(nb, timeout=600, kernel_name="python3", allow_errors=True,
                            extra_arguments=["--log-level=ERROR"],
                            resources={"metadata": {"path": str(path.parent)}})
    env = execute.environment(ROOT) | {"NUMBA_DISABLE_JIT": "1"}
    with ThreadPoolExecutor(1) as thread: thread.submit(client.execute, env=env).result()
    failed = [f"{cell['id']}: {out['ename']}: {out['evalue']}" for cell in execute.code_cells(nb)
              for out in cell["outputs"] if out["output_type"] == "error"]
    assert not failed
