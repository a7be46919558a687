"What `?` shows of a public name: its parameters, what comes back, examples that run."
import ast
import doctest
import inspect
import re
from pathlib import Path

import docstrings
import dtree_lit
import pytest
import reference
from dtree_lit import REPClassifier, pruning
from numpydoc.validate import validate

# numpydoc's marks: there is none, or its sections are out of order; the summary; a parameter
# without type or meaning; what comes back
WRONG = {"GL01", "GL06", "GL07", "GL08", "SS01", "SS02", "SS03", "SS04", "PR01", "PR02", "PR03",
         "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10", "RT01", "RT02", "RT03", "RT04",
         "RT05", "YD01"}

def public_names():
    "Public functions and classes, and methods that the library defines for them, each once."
    found = {}
    for name in dtree_lit.__all__:
        one = getattr(dtree_lit, name)
        found[f"{one.__module__}.{name}"] = one
        for base in inspect.getmro(one) if inspect.isclass(one) else ():
            if not base.__module__.startswith("dtree_lit"): continue
            for method, value in vars(base).items():
                value = getattr(value, "__func__", value)
                own = inspect.isfunction(value) and value.__qualname__.startswith(base.__qualname__)
                if own and not method.startswith("_"):
                    found[f"{base.__module__}.{value.__qualname__}"] = value
    return found

NAMES = public_names()

def test_what_is_public():
    assert len(NAMES) > 140
    assert {"dtree_lit.learners.cart.CARTClassifier", "dtree_lit.measures.entropy.entropy",
            "dtree_lit.trees.estimator.Estimator.fit"} <= set(NAMES)

@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_is_whole(name):
    assert not [error for error in validate(name)["errors"] if error[0] in WRONG]

def test_each_public_name_has_an_example():
    without = {name for name in dtree_lit.__all__ if ">>>" not in getattr(dtree_lit, name).__doc__}
    assert without == {"compile_all"}                       # which takes minutes

def test_each_parameter_has_a_type():
    "But for what a function returns that a caller has handed over."
    vague = {name for name, one in NAMES.items() if re.search(r"\bobject\b", one.__doc__ or "")}
    assert vague == {"dtree_lit.models.shards.Shards.fold"}

@pytest.mark.parametrize("name", NAMES)
def test_each_parameter_of_the_signature_is_named(name):
    one, said = NAMES[name], inspect.getdoc(NAMES[name])
    params = [p for p in inspect.signature(one).parameters if p not in ("self", "cls")]
    assert not [p for p in params if not re.search(rf"^\*{{0,2}}{p}\b", said, re.M)]

def test_attributes_are_those_of_the_class():
    "A forest has no `tree_`; without the parameter `honest` there are no leaves of other rows."
    def told(name):
        return set(re.findall(r"^    (\w+_) : ", getattr(dtree_lit, name).__doc__, re.M))
    assert "tree_" in told("CARTClassifier") and "grown_tree_" in told("CARTClassifier")
    assert "trees_" in told("ForestClassifier") and "tree_" not in told("ForestClassifier")
    assert "tree_" not in told("C50Classifier") | told("C45RulesClassifier")
    on_dask = (Path(dtree_lit.__file__).parent / "dask.py").read_text("utf-8")
    assert "    tree_ : Tree" in on_dask and "grown_tree_ : Tree" not in on_dask

def test_what_a_package_holds():
    assert "cheapest_pruning : Prune a tree to" in pruning.__doc__
    listed = re.findall(r"^    (\w+) : \S", dtree_lit.__doc__, re.M)
    assert sorted(listed) == sorted(dtree_lit.__all__)

def test_the_reference_shows_the_same():
    "Of a class whose parameters are those of its base, too."
    source = Path(inspect.getsourcefile(REPClassifier)).read_text("utf-8")
    node = reference.find(ast.parse(source), "REPClassifier")
    shown = reference.entry("REPClassifier", node, reference.comments(source), {}, "")
    assert "REPClassifier(estimator=None, prune_fraction=1 / 3" in shown
    assert "| `ties` | `str` = `'prune'` | Where a leaf makes as many errors" in shown
    assert "| `tree_` | `Tree` | The tree, which draws" in shown

@pytest.mark.parametrize("name", [n for n, one in NAMES.items() if ">>>" in (one.__doc__ or "")])
def test_an_example_runs(name):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    [test] = doctest.DocTestFinder(recurse=False).find(NAMES[name], name, globs={})
    failed, tried = runner.run(test)
    assert tried and not failed

def test_types_in_words():
    kind = docstrings.kind
    assert kind("int|str|None") == "int, str or None"
    assert kind("", "0.5") == "float" and kind("", "'best'", "array-like") == "str"
    assert kind("", "None", "int") == "int or None" and kind("", "") == "object"

def test_a_type_is_guessed_only_where_a_comment_says_what_it_is():
    assert docstrings.parameter("f", "", "", "a function") == ["f : function", "    A function."]
    assert docstrings.parameter("f", "", "", "") == ["f : object"]
    assert docstrings.parameter("rows", "", "2", "a float: fraction")[0] == (
        "rows : int or float, default=2")

def test_a_docstring_from_comments():
    source = ('__all__ = ["area"]\n'
              'def area(\n    side:float, # how long a side is\n    sides:int=4, # of how many\n'
              ')->float: # square metres\n    "The area of a polygon."\n')
    example = docstrings.session("print(1)\nx = (2,\n     3)", [{"text": "1\n"}], ["import math"])
    made = docstrings.documented(source, docstrings.Classes({"a.py": source}), "Derived here.",
                                 {"area": example}, {"area"})
    module = {}
    exec(made, module)
    assert inspect.getdoc(module["area"]) == """The area of a polygon.

Parameters
----------
side : float
    How long a side is.
sides : int, default=4
    Of how many.

Returns
-------
float
    Square metres.

Notes
-----
Derived here.

Examples
--------
>>> import math
>>> print(1)
>>> x = (2,
...      3)
1"""
