"The list of all theorems: none is missing, and what names them is found."
import re

import execute
import theorems

NBS = {p.stem: execute.load(p) for p in execute.notebooks(execute.ROOT)}

def test_none_is_missing():
    found, _ = theorems.theorems(NBS)
    heads = [number for nb in NBS.values() for c in nb["cells"] if c["cell_type"] == "markdown"
             for number in re.findall(rf"(?m)^> \*\*(?:{theorems.KINDS}) (\d+\.\d+)", c["source"])]
    assert [t.number for t in found] == heads and len({*heads}) == len(heads) > 80
    assert all(t.text and t.page in NBS for t in found)

def test_who_uses_a_theorem():
    found, used = theorems.theorems(NBS)
    by_number = {t.number: t for t in found}
    assert "110.1" in by_number["120.1"].names and "120_gain" in used["110.1"]
    assert all(t.number not in t.names for t in found)
    assert {n for t in found for n in t.names} <= by_number.keys()

def page(*cells):
    return {"110_x": {"cells": [dict(cell_type="code" if c.startswith("assert") else "markdown",
                                     source=c) for c in cells]}}

def test_checks_belong_to_the_theorems_before_them():
    two = "> **Lemma 110.1** (A). One.\n\n> **Lemma 110.2** (B). Two, by Lemma 110.1."
    found, used = theorems.theorems(page(two, "assert 1\nassert 2", "## Else", "assert 3"))
    assert [(t.number, t.title, t.text, t.checks) for t in found] == [
        ("110.1", "A", "One.", 2), ("110.2", "B", "Two, by Lemma 110.1.", 2)]
    assert found[1].names == {"110.1"} and not used
