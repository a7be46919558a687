"What is rented says the same as what is bought: every byte, at every moment of the switch."
import os
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets
from dtree_lit import (C45Classifier, CARTClassifier, CARTRegressor, CostComplexityCV, grow,
                       ID3Classifier, REPClassifier, REPRegressor)
from dtree_lit.learners import c45_loop, grow as growth, levels
from dtree_lit.learners.c45_loop import grow_parts
from dtree_lit.measures.exact_scores import CRITERIA
from dtree_lit.pruning import error_based
from dtree_lit.pruning.subtree_raising import prune_places
from dtree_lit.workshop import jit
from helpers.renting import buy, compiled, rent

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

def random_task(seed):
    "A table full of ties, with whatever a learner can be asked for."
    r = np.random.default_rng(seed)
    n, m, criterion = int(r.choice([3, 12, 40, 150])), int(r.integers(1, 5)), FIVE[seed % 5]
    X = r.integers(0, r.integers(2, 40), (n, m)) * float(r.choice([1, 0.1, -0.0]))
    if seed % 3 == 0: X = r.normal(size=(n, m))
    X[r.random((n, m)) < r.choice([0, 0, 0.2])] = np.nan
    shape = (n, 2) if seed % 7 == 0 else n
    y = (r.normal(size=shape).round(r.integers(0, 9)) if CRITERIA[criterion].numbers
         else r.integers(0, r.integers(1, 6), shape))
    w = [None, r.integers(0, 4, n) + (np.arange(n) == 0), r.random(n) + 0.01][seed % 4 % 3]
    rules = dict(max_leaf_nodes=int(r.integers(2, 9)) if r.random() < 0.3 else None,
                 min_samples_leaf=int(r.choice([1, 1, 3])),
                 max_depth=r.choice([None, 2]),
                 min_impurity_decrease=float(r.choice([0, 0, 0.05, 0.25])),
                 min_weight_leaf=float(r.choice([0, 0, 1.5])))
    # each kind of search would be compiled for drawn features
    if criterion in ("gini", "squared_error") and seed % 7:
        w, rules = None, dict(rules, max_features=int(r.integers(1, m + 1)), seed=seed)
    return X, y, w, dict(rules, criterion=criterion)

def test_no_part_of_a_record_has_a_name_that_records_have():
    "Compiled it would be the part, and in plain Python `size` or `item` of every record."
    modules = [name for name in jit.sources_of(files("dtree_lit"))
               if not name.rpartition(".")[2].startswith("_")]
    kinds = {name: kind for module in modules
             for name, kind in vars(import_module(f"dtree_lit.{module}")).items()
             if isinstance(kind, np.dtype) and kind.names}
    assert ({"NODE", "PART", "FOUND"} <= {*kinds}
            and not [(name, part) for name, kind in kinds.items()
                     for part in kind.names if hasattr(np.record, part)])

def same_bytes(a, b):
    return (all(np.asarray(u).tobytes() == np.asarray(v).tobytes() for u, v in zip(a[:-1], b[:-1]))
            and len(a.feature) == len(b.feature))

@compiled
@pytest.mark.parametrize("hundred", range(6))
def test_rented_trees_are_bought_trees(hundred, renting, monkeypatch):
    for seed in range(100 * hundred, 100 * hundred + 100):
        X, y, w, rules = random_task(seed)
        rented = grow(X, y, w, **rules)
        with monkeypatch.context() as m:
            buy(m)
            assert same_bytes(grow(X, y, w, **rules), rented), seed

@compiled
@pytest.mark.parametrize("criterion", FIVE)
def test_a_switch_inside_a_fit_changes_nothing(criterion, monkeypatch):
    r = np.random.default_rng(0)
    X = r.normal(size=(400, 3))
    y = X[:, 0] + r.normal(size=400)
    y = y if CRITERIA[criterion].numbers else (y > 0) + (y > 1).astype(int)
    expected, used = grow(X, y, criterion=criterion), set()
    by_nodes = growth.grow_by_nodes
    for levels in (0, 1, 2, 3, 5, 8, 200):
        left = [levels]
        def pays(rent, cost, purse=None):
            if rent.f.__name__ != "search": return False
            left[0] -= 1
            return left[0] >= 0
        def counted(*args):
            used.add(levels)
            return by_nodes(*args)
        with monkeypatch.context() as m:
            m.setattr(jit.Rent, "pays", pays)
            m.setattr(growth, "grow_by_nodes", counted)
            assert same_bytes(grow(X, y, criterion=criterion), expected)
    assert used == {0, 1, 2, 3, 5, 8}

def answers(X, y, words, w):
    "What estimators say, as bytes."
    models = [CARTClassifier(criterion="entropy", ccp_alpha=0.005),
              CARTClassifier(max_leaf_nodes=7), REPClassifier(random_state=0),
              CostComplexityCV(random_state=0)]
    for model in models:
        yield from model.fit(X, y).tree_[:-1] + (model.predict_proba(X), model.feature_importances_)
    yield from CARTClassifier().fit(X, y, sample_weight=w).tree_[:-1]
    for model in (CARTRegressor(), CARTRegressor(criterion="sdr", max_features=2, random_state=3),
                  REPRegressor(random_state=0)):
        yield from model.fit(X, X[:, 0] * y, sample_weight=w).tree_[:-1] + (model.predict(X),)
    yield from ID3Classifier().fit(words, y).tree_[:-1]
    for rows in (X, words): yield from C45Classifier().fit(rows, y, sample_weight=w).tree_[:-1]
    yield from ID3Classifier(min_gain=0.01).fit(words, y, sample_weight=w).tree_[:-1]
    yield ID3Classifier().fit(words, y).predict(words)

@compiled
def test_estimators_say_the_same(renting, monkeypatch):
    X, y = datasets.load_wine(return_X_y=True)
    words, w = (X[:, :4] // X[:, :4].std(axis=0)).astype(int).astype(str), X[:, 3]
    rented = list(answers(X, y, words, w))
    buy(monkeypatch)
    assert ([np.asarray(a).tobytes() for a in answers(X, y, words, w)]
            == [np.asarray(a).tobytes() for a in rented])

def test_the_same_program_does_the_same_twice():
    "Counted, and no clock: the same accounts after the same fits."
    code = """
import numpy as np
from dtree_lit import CARTClassifier
from dtree_lit.learners import grow as growth
from dtree_lit.splitter.objectives import search_two_pairs
from dtree_lit.workshop import jit
X = np.random.default_rng(0).normal(size=(3000, 4))
for i in range(3): CARTClassifier().fit(X, X[:, 0] + X[:, 1] > i).predict(X)
print(search_two_pairs.rent.paid, growth.drive.rent.paid, search_two_pairs.rent.bought)
"""
    env = os.environ | {"DTREE_LIT_RENT": "1", "DTREE_LIT_MACHINE": "0"}
    said = {subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True,
                           check=True).stdout for _ in range(2)}
    assert len(said) == 1 and int(said.pop().split()[0]) > 10_000

FIT = """
from sklearn.datasets import load_iris
from dtree_lit import CARTClassifier
X, y = load_iris(return_X_y=True)
print(CARTClassifier().fit(X, y).predict(X).sum())
"""

@pytest.mark.parametrize("env", [dict(HOME="/nowhere", NUMBA_CACHE_DIR="/nowhere/at/all"),
                                 dict(NUMBA_DISABLE_JIT="1")], ids=["no folder", "no compiler"])
def test_wherever_it_stands(env, tmp_path):
    done = subprocess.run([sys.executable, "-c", FIT],
                          env=os.environ | {"DTREE_LIT_RENT": "1"} | env, cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("150\n", "")

@compiled
def test_two_processes_that_begin_at_once(tmp_path):
    "Both buy: each compiles what it needs, neither waits for the other, and both say the same."
    small = FIT.replace("print(", "from dtree_lit.trees.tree import walk_rows\n"
                                  "walk_rows.rent.new = 1\nprint(")
    env = os.environ | {"DTREE_LIT_RENT": "1", "NUMBA_CACHE_DIR": str(tmp_path),
                        "DTREE_LIT_MACHINE": "0"}
    both = [subprocess.Popen([sys.executable, "-c", small], env=env, stdout=subprocess.PIPE,
                             text=True) for _ in range(2)]
    assert ([p.communicate()[0] for p in both] == ["150\n"] * 2
            and any(Path(tmp_path).rglob("*walk_rows*.nbi")))

@compiled
def test_what_would_fill_the_memory_is_not_rented(renting, monkeypatch):
    "Neither a large table, nor many classes: their counts stand beside each row."
    used, by_nodes = [], growth.grow_by_nodes
    monkeypatch.setattr(growth, "grow_by_nodes", lambda *task: used.append(1) or by_nodes(*task))
    monkeypatch.setattr(levels, "MOST", 1000)
    X = np.arange(60.0)[:, None]
    for X, y, bought in ((X, X[:, 0] % 2, 0), (np.tile(X, 20), X[:, 0] % 2, 1),
                         (X, X[:, 0] % 30, 1)):
        grow(X, y.astype(int), criterion="gini")
        assert len(used) == bought
        used.clear()

@compiled
def test_a_chain_of_words_is_charged_for_its_length(monkeypatch):
    "One word against the rest: a node for each, and each may be raised. In plain Python minutes."
    charged = {}
    def charge(kernel):
        def call(*args):
            charged[kernel.__name__] = charged.get(kernel.__name__, 0) + kernel.costs(*args)
            return kernel(*args)
        return call
    monkeypatch.setattr(c45_loop, "grow_parts", charge(grow_parts))
    monkeypatch.setattr(error_based, "prune_places", charge(prune_places))
    r = np.random.default_rng(0)
    for words, dear in ((5, False), (300, True)):
        charged.clear()
        X, y = r.integers(0, words, (3000, 1)).astype(str), r.integers(0, 5, 3000)
        C45Classifier(binary="value").fit(X, y)
        assert (charged["prune_places"] > prune_places.rent.new) == dear
        assert (charged["grow_parts"] > grow_parts.rent.new / 10) == dear
    for words, dear in ((5, False), (180, True)):           # in groups it is the pairs that count
        charged.clear()
        X, y = r.integers(0, words, (1000, 1)).astype(str), r.integers(0, 2, 1000)
        C45Classifier(groups=True, pruning=None).fit(X, y)
        assert (charged["grow_parts"] > grow_parts.rent.new) == dear

def test_what_is_bought_is_announced(capsys, monkeypatch):
    rent(monkeypatch, lambda rent, cost, purse=None: rent.f.__name__ != "search")
    monkeypatch.delenv("DTREE_LIT_RENT")
    monkeypatch.setattr(growth, "on_disk", lambda f: False)
    monkeypatch.setattr(jit.Typed, "ready", property(lambda self: False))
    monkeypatch.setattr(growth, "_announced", set())
    for said in (1, 0):                                     # once
        grow([[1.0], [2.0]], [0, 1], criterion="gini")
        assert capsys.readouterr().err.count("compiles its learner for gini") == said

def test_what_is_on_disk_costs_little_and_less_once_numba_is_loaded(monkeypatch):
    for loaded, price in ((True, 3), (False, 20)):
        if loaded: monkeypatch.setitem(sys.modules, "numba", jit)
        else: monkeypatch.delitem(sys.modules, "numba")
        for kept in (True, False):
            monkeypatch.setattr(jit, "on_disk", lambda f: kept)
            assert jit.Rent(600, abs).price == (price if kept else 600)
