"What CONTRIBUTING says that it takes to add something is enough, word for word."
import ctypes
import re
import shutil
import sqlite3
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import dtree_lit
from dtree_lit import (CARTClassifier, cost_complexity_pruning, error_based_pruning, grow, load,
                       save, to_c,
                       to_sql)
from dtree_lit.__main__ import main
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import CRITERIA
from dtree_lit.reporting.fit_predict import LEARNERS, short_name
from dtree_lit.splitter.objectives import SEARCHES
from dtree_lit.trees.link_prices import pruning_path
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.steps import growth
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

ROOT = Path(__file__).parents[2]

def example(heading):
    "The lines of Python below a heading."
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.search(rf"^### {heading}\n.*?^```python\n(.*?)^```$", text, re.M | re.S)[1]

@pytest.fixture
def module_of(tmp_path, monkeypatch):
    "The lines below a heading as a module, until the test ends."
    monkeypatch.syspath_prepend(tmp_path)
    def made(heading):
        name = heading.lower().replace(" ", "_")
        (tmp_path / f"{name}.py").write_text(example(heading), "utf-8")
        names.append(name)
        return import_module(name)
    names = []
    yield made
    for name in names: sys.modules.pop(name, None)      # its lines may have failed

@pytest.fixture
def cubes(module_of, monkeypatch):
    "The criterion of the example; afterwards everything is as it was."
    for table in (CRITERIA, SEARCHES): monkeypatch.setitem(table, "cubes", None)
    return module_of("A criterion")

def best_cut(X, y):
    "By the definition, in fractions: the first feature and threshold of a cut that leaves least."
    def left(y): return len(y) - sum(Fraction(int(c)**3, len(y)**2) for c in np.bincount(y))
    cuts = [(left(y[x < t]) + left(y[x >= t]), f, (low + t) / 2) for f, x in enumerate(X.T)
            for low, t in zip(np.unique(x), np.unique(x)[1:])]
    return min(cuts)[1:]

def test_a_criterion(cubes):
    "It grows the same trees by numpy and compiled, and no trees of Gini."
    lots, differs = np.random.default_rng(0), 0
    for weighed, outputs in product((False, True), (1, 2)):
        X, y = lots.integers(0, 9, (300, 4)).astype(float), lots.integers(0, 3, (300, outputs))
        y[X[:, 0] > 4] += 1
        w, asked = lots.integers(1, 4, 300) if weighed else None, dict(min_impurity_decrease=0.001)
        tree = grow(X, y, w, criterion="cubes", **asked)
        assert tree == grow_levels(X, y, w, criterion="cubes", **asked) and tree.node_count > 50
        differs += not np.array_equal(tree.t, grow(X, y, w, criterion="gini", **asked).t, True)
        if outputs == 1 and not weighed: assert (tree.feature[0], tree.t[0]) == best_cut(X, y[:, 0])
    assert differs == 4
    assert CARTClassifier(criterion="cubes", max_depth=1).fit(X, y).tree_.node_count == 3

def test_a_function_as_criterion(module_of):
    "It gets class weights, as CONTRIBUTING says: sums of the weights of the rows, and no shares."
    made, asked = module_of("A criterion for one table"), []
    def spied(weights):
        asked.append(weights.copy())
        return made.root_of_gini(weights)
    X, y = load_iris(return_X_y=True)
    plain = made.model.fit(X, y).tree_
    spying = CARTClassifier(criterion=spied, max_depth=2).fit(X, y, np.full(150, 0.5)).tree_
    assert np.array_equal(plain.t, spying.t, equal_nan=True) and plain.node_count == 5
    assert [25, 25, 25] in np.concatenate([a for a in asked if len(a)]).tolist()

def small_tree():
    "A pruned tree by cubes, and its rows."
    lots = np.random.default_rng(1)
    X = lots.integers(0, 9, (300, 4)).astype(float)
    y = lots.integers(0, 3, 300) + (X[:, 0] > 4)
    schema = Schema(("a", "b", "c", "d"), (None,) * 4, (("no", "maybe", "yes", "sure"),), "cubes")
    tree = grow_levels(X, y, criterion="cubes", schema=schema)     # nothing is compiled
    return tree, cost_complexity_pruning(tree, 0.008).tree, X

def test_its_tree_is_printed_and_pruned(cubes):
    tree, small, X = small_tree()
    p = small.counts[:, 0] / small.weight[:, None]
    assert np.allclose(small.impurity, 1 - (p**3).sum(axis=1))
    assert 3 < small.node_count < tree.node_count and small.text().startswith("a < 4.5")
    alone = Fraction(int(tree.weight[0])) - sum(Fraction(int(c)**3, int(tree.weight[0])**2)
                                                for c in tree.counts[0, 0])
    at_most = pruning_path(tree).impurities[-1]         # the root as a leaf, in fractions
    assert at_most == float(alone / int(tree.weight[0]))
    assert "cubes 0." in next(growth(tree, [0])).why

def test_its_tree_in_sql(cubes):
    _, small, X = small_tree()
    con = sqlite3.connect(":memory:")
    pd.DataFrame(X, columns=small.schema.features).to_sql("t", con, index=False)
    said = [row[0] for row in con.execute(to_sql(small, "t"))]
    assert said == small.predict_labels(X).tolist()

def address(a): return a.ctypes.data_as(ctypes.c_void_p)

def test_its_tree_in_c(cubes, tmp_path):
    if not (cc := shutil.which("cc")):
        pytest.skip("there is no C compiler (cc): what is exported to C was not run")
    _, small, X = small_tree()
    (tmp_path / "tree.c").write_text(to_c(small))
    subprocess.run([cc, "-shared", "-fPIC", "tree.c", "-o", "tree.so", "-lm"], cwd=tmp_path,
                   check=True)
    lib, codes = ctypes.CDLL(str(tmp_path / "tree.so")), np.zeros(len(X), np.int32)
    for x, code in zip(X, codes.reshape(-1, 1)): lib.predict(*map(address, (x, code)))
    assert np.array(small.schema.classes[0])[codes].tolist() == small.predict_labels(X).tolist()

@pytest.fixture
def Stump(module_of): return module_of("An estimator").StumpClassifier

def test_an_estimator(Stump, tmp_path, renting, monkeypatch):
    "It learns, answers, is copied, searched over, kept in a file and pruned."
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = Stump(criterion="entropy").fit(X, y)
    assert model.get_n_leaves() == 2 and clone(model).criterion == "entropy"
    assert model.tree_ == CARTClassifier(criterion="entropy", max_depth=1).fit(X, y).tree_
    assert GridSearchCV(Stump(), dict(criterion=["gini", "entropy"])).fit(X, y).best_score_ > 0.6
    with pytest.raises(ValueError, match="dtree_lit has no estimator StumpClassifier"):
        save(model, tmp_path / "stump.json")
    monkeypatch.setattr(dtree_lit, "StumpClassifier", Stump, raising=False)
    save(model, tmp_path / "stump.json")
    again = load(tmp_path / "stump.json")
    assert type(again) is Stump and again.get_params() == model.get_params()
    assert again.tree_ == model.tree_
    assert error_based_pruning(model, X, y).tree.node_count == 3
    with pytest.raises(ValueError, match="'criterion' of StumpClassifier must be one of 'gini'"):
        Stump(criterion="luck").fit(X, y)

def test_the_command_line_finds_it(Stump, renting, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(dtree_lit, "StumpClassifier", Stump, raising=False)
    monkeypatch.setitem(LEARNERS, short_name("StumpClassifier"), ["StumpClassifier", None])
    monkeypatch.chdir(tmp_path)
    load_iris(as_frame=True).frame.to_csv("iris.csv", index=False)
    fit = "fit iris.csv --target target --categorical target --learner stump -o m.json"
    assert main(f"{fit} --prune error_based".split()) == 0
    assert "stump learned 'target' from 150 rows" in capsys.readouterr().err
    assert main(f"{fit} --prune rep".split()) == 1
    assert "--prune rep is not for stump, but for cart" in capsys.readouterr().err

R = """predict_row <- function(x) {
    if (x[["sky"]] %in% c("sun", NA)) {
        if (isTRUE(x[["windy"]] < 0.5)) return("yes")
        return("no")
    }
    if (x[["sky"]] %in% c("rain")) return("yes")
    return("yes")
}
"""

def test_a_language(module_of, renting):
    to_r = module_of("A language").to_r
    X = pd.DataFrame(dict(sky=["sun", "rain", "sun", "rain", "sun"], windy=[0, 0, 1, 1, 1]))
    model = CARTClassifier().fit(X, ["yes", "yes", "no", "yes", "no"])
    assert to_r(model) == R
