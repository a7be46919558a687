"`make page`: one page, as its notebook lies there."
import json

import execute
import page
import pytest

NAMES = execute.paths(execute.ROOT)

@pytest.mark.parametrize("word", ["entropy", "110_entropy", "nbs/1_measures/110_entropy.ipynb"])
def test_a_page_is_named_as_one_likes(word): assert page.name_of(word, NAMES) == "110_entropy"

def test_a_misspelt_page_is_named():
    with pytest.raises(SystemExit, match="there is no page entropi; there is P=entropy"):
        page.name_of("entropi", NAMES)

def test_what_is_built_is_what_lies_there():
    "The outputs of the notebook, and links to the other pages as on the site."
    def printed(cells):
        return [o["text"] for c in cells for o in c.get("outputs", ()) if "text" in o]
    text = page.text_of("122_worth")
    kept = printed(execute.load(NAMES["122_worth"])["cells"])
    assert kept and printed(json.loads(text)["cells"]) == kept
    assert "gain.html" in text and "120_gain.ipynb" not in text
