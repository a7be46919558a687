"Slips that are put into the library: each changes one line, and leaves it a program."
import ast

import mutants

def test_what_a_slip_changes():
    source = "def f(a, b):\n    assert a\n    return min(a, b) + 1 if a < b else not True"
    lines = source.split("\n")
    found = {(row, old, new) for row, _, old, new in mutants.edits(source)}
    assert found == {(2, "min", "max"), (2, "+", "-"), (2, "1", "2"), (2, "<", "<="),
                     (2, "True", "False")}
    for row, at, old, new in mutants.edits(source):
        assert lines[row][at:at + len(old)] == old

def test_a_slip_is_a_line_of_the_page_and_of_the_module():
    for slip in mutants.slips("measures", "110_entropy"):
        assert slip.old != slip.new and slip.module == "dtree_lit.measures.entropy"
        assert slip.old in (mutants.ROOT / "dtree_lit/measures/entropy.py").read_text("utf-8")

def test_modules_are_programs_after_every_slip():
    text = (mutants.ROOT / "dtree_lit/pruning/prune.py").read_text("utf-8")
    slips = [*mutants.slips("pruning", "510_prune")]
    assert len(slips) > 20
    for slip in slips: ast.parse(text.replace(slip.old + "\n", slip.new + "\n", 1))
