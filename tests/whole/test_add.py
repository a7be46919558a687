"What CONTRIBUTING says that it takes to add something is enough, word for word."
import ctypes
import re
import shutil
import sqlite3
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dtree_lit import cost_complexity, grow, to_c, to_sql
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import CRITERIA
from dtree_lit.splitter.objectives import SEARCHES
from dtree_lit.trees.link_prices import pruning_path
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.steps import growth

ROOT = Path(__file__).parents[2]

def example(heading):
    "The lines of Python below a heading."
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.search(rf"^### {heading}\n.*?^```python\n(.*?)^```$", text, re.M | re.S)[1]

@pytest.fixture
def cubes(tmp_path, monkeypatch):
    "The module of the example; afterwards everything is as it was."
    for table in (CRITERIA, SEARCHES): monkeypatch.setitem(table, "cubes", None)
    (tmp_path / "cubes.py").write_text(example("A criterion"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import cubes
    yield cubes
    del sys.modules["cubes"]

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

def small_tree():
    "A pruned tree by cubes, and its rows."
    lots = np.random.default_rng(1)
    X = lots.integers(0, 9, (300, 4)).astype(float)
    y = lots.integers(0, 3, 300) + (X[:, 0] > 4)
    schema = Schema(("a", "b", "c", "d"), (None,) * 4, (("no", "maybe", "yes", "sure"),), "cubes")
    tree = grow(X, y, criterion="cubes", schema=schema)
    return tree, cost_complexity(tree, 0.02).tree, X

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
    assert said == small.answer(X).tolist()

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
    assert np.array(small.schema.classes[0])[codes].tolist() == small.answer(X).tolist()
