"Type checkers understand what people type, and report what is misspelt or passed wrongly."
import ast
import doctest
import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import dtree_lit
import numpy as np
import pytest
from helpers.places import ROOT

USES = ROOT / "tests/helpers/uses.py"
STUBS = sorted((ROOT / "dtree_lit").rglob("*.pyi"))
MYPY = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
        "--ignore-missing-imports", "--cache-dir", ROOT / "docs/_build/types"]

def examples():
    "Those of the README and of all docstrings, each as a function."
    said = [(ROOT / "README.md").read_text("utf-8")]
    for path in (ROOT / "dtree_lit").rglob("*.py"):
        said += [ast.get_docstring(n) or "" for n in ast.walk(ast.parse(path.read_text("utf-8")))
                 if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    shown = (doctest.DocTestParser().get_examples(text) for text in said)
    bodies = ["".join(one.source for one in some) for some in shown if some]
    assert len(bodies) > 70
    lines = [f"def example_{i}() -> None:\n{indent(body, '    ')}"
             for i, body in enumerate(bodies)]
    return '# mypy: disable-error-code="union-attr"\n' + "\n".join(lines)  # of what may be None

@pytest.fixture(scope="module")
def mypy_reports(tmp_path_factory):
    "File, line and text of each error."
    shown = tmp_path_factory.mktemp("types") / "examples.py"
    shown.write_text(examples(), "utf-8")
    said = subprocess.run([*MYPY, USES, shown, *STUBS], cwd=ROOT, capture_output=True, text=True)
    assert not said.stderr
    return {(Path(file).name, int(line)): error for file, line, error in
            re.findall(r"^(.+?):(\d+): error: (.+)$", said.stdout, re.M)}

@pytest.fixture
def pyright_reports():
    "The same, by the other checker; what it knows of other libraries, it guesses from their code."
    command = shutil.which("basedpyright") or shutil.which("pyright")
    if not command: pytest.skip("pyright is not installed: mypy alone was asked")
    said = subprocess.run([command, "--outputjson", "--level", "error", USES, *STUBS], cwd=ROOT,
                          capture_output=True, text=True).stdout
    return {(Path(one["file"]).name, one["range"]["start"]["line"] + 1): one["message"]
            for one in json.loads(said)["generalDiagnostics"]}

@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_what_is_wrong_is_reported_and_nothing_else(checker, request):
    "In typical uses, in examples, and in the stubs themselves."
    found = request.getfixturevalue(f"{checker}_reports")
    lines = USES.read_text("utf-8").split("\n")
    wrong = {(USES.name, i) for i, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(wrong) > 20 and found.keys() == wrong, {
        place: found.get(place, "is not reported") for place in found.keys() ^ wrong}

NODES = {n.name: n for path in STUBS for n in ast.parse(path.read_text("utf-8")).body
         if isinstance(n, ast.ClassDef)}

def in_stub(name):
    "The names that a class has by its stub."
    if name not in NODES: return set()
    own = {getattr(n, "name", "") or n.target.id for n in NODES[name].body
           if not isinstance(n, ast.Pass)}
    return own.union(*(in_stub(base.id) for base in NODES[name].bases
                       if isinstance(base, ast.Name)))

CLASSES = [name for name in dtree_lit.__all__ if inspect.isclass(getattr(dtree_lit, name))]

@pytest.mark.parametrize("name", CLASSES)
def test_a_stub_lacks_nothing_that_a_class_has(name):
    "Else a checker would report what is right; an estimator is fitted, and has more."
    kind = getattr(dtree_lit, name)
    has = {*dir(kind)} - {*dir(tuple), *dir(Warning)}
    if hasattr(kind, "fit"):
        X = np.arange(24.0).reshape(12, 2) % 5
        has |= vars(kind().fit(X.astype(str) if name == "ID3Classifier" else X,
                               np.arange(12) % 2)).keys()
    assert {one for one in has if one[0] != "_"} <= in_stub(name)

@pytest.mark.parametrize("name", [n for n in CLASSES if "Literal" in ast.unparse(NODES[n])])
def test_a_stub_lists_the_criteria_that_a_class_takes(name):
    "The stub has them from a comment, the class from a table."
    listed = {n.value for field in NODES[name].body
              if isinstance(field, ast.AnnAssign) and field.target.id == "criterion"
              for n in ast.walk(field.annotation)
              if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    assert listed == {*getattr(dtree_lit, name)()._criteria}
