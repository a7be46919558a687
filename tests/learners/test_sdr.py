"""Regression by SDR: against its definition in whole numbers, against CART's learner, and its
promises about tables."""
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from math import isqrt

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CostComplexityCV, PruningPlayer, SDRTreeRegressor, grow, load,
                       reduced_error_pruning, save)
from dtree_lit.learners.levels import grow_levels
from dtree_lit.learners.sdr import deviations, exact_sums, grow_sdr, powers_of
from dtree_lit.measures.exact_scores import Roots
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.words import edge, lines
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.pages import on_page

SDR = on_page("480_sdr")
roots_of, sdr_spec = SDR.roots_of, SDR.sdr_spec

@parametrize_with_checks([SDRTreeRegressor(), SDRTreeRegressor(min_share=0, max_depth=3)])
def test_scikit_learn(estimator, check): check(estimator)

def schema_of(named, V=9):
    return Schema(tuple(f"a{f}" for f in range(len(named))),
                  tuple(tuple(range(V)) if word else None for word in named), (None,), "sdr")

def as_told(tree, k=0):
    if not tree.width[k]: return float(tree.node_labels[k])
    t = None if np.isnan(tree.t[k]) else float(tree.t[k])
    return (float(tree.node_labels[k]), int(tree.feature[k]), t,
            [as_told(tree, c) for c in range(tree.first[k], tree.first[k] + tree.width[k])])

def in_floats(told):
    if not isinstance(told, tuple): return float(told)
    return float(told[0]), *told[1:3], [*map(in_floats, told[3])]

def same_trees(a, b):
    return all(np.array_equal(u, v, equal_nan=True) for u, v in zip(a[:-1], b[:-1]))

def spec_of(X, y, named, share=0):
    return in_floats(sdr_spec([*map(tuple, X.tolist())], [int(v) for v in y], named,
                              Fraction(share)))

def table(seed, n=None):
    r = np.random.default_rng(seed)
    n, m = n or int(r.choice([2, 5, 12, 25])), int(r.integers(1, 5))
    return (r, r.integers(0, r.integers(2, 9), (n, m)).astype(float),
            tuple((r.random(m) < 0.5).tolist()))

@pytest.mark.parametrize("ten", range(15))
def test_definition(ten):
    for seed in range(10 * ten, 10 * ten + 10):
        r, X, named = table(seed)
        y = r.integers(0, r.integers(2, 40),
                       len(X)) * int(r.choice([1, 10**6])) + int(r.choice([0, 2**40]))
        share = int(r.choice([0, 5, 30, 50]))
        tree = grow_sdr(X, y, schema=schema_of(named), min_share=share / 100)
        assert as_told(tree) == spec_of(X, y, named, Fraction(share, 100)), seed

def test_numbers_that_floating_point_cannot_tell_apart():
    "Far apart, and some of them by a little: the sums of roots differ in the twentieth digit."
    close = 0
    for seed in range(60):
        r, X, named = table(seed, 10)
        y = r.integers(0, 2, 10) * 2**52 + r.integers(0, 2, 10)
        tree = grow_sdr(X, y, schema=schema_of(named), min_share=0)
        assert as_told(tree) == spec_of(X, y, named), seed
        close += tree.width[0] > 0
    assert close > 40

def test_the_learner_of_cart_tells_them_apart_too():
    "Squares fill more than a word, and the twentieth digit decides."
    asked = 0
    for seed in range(150):
        r = np.random.default_rng(seed)
        X, w = r.integers(0, 6, (int(r.integers(4, 14)), 2)).astype(float), r.integers(1, 4, 14)
        y = (r.integers(0, 2, len(X)) * 2.0**int(r.integers(20, 50))
             + r.integers(0, 3, len(X)) * 2.0**int(r.integers(0, 4)))
        weights = w[:len(X)] if seed % 2 else None
        tree = grow_sdr(X, y, weights, min_share=0, max_depth=1)
        if not tree.width[0]: continue
        asked += 1
        for grown in (grow, grow_levels):
            assert same_trees(tree, grown(X, y, weights, criterion="sdr", max_depth=1)), (
                seed, grown)
    assert asked > 100

def test_a_gap_has_a_child_and_a_name():
    "Words that are empty are words; a child for what is missing says so, in lines and in pictures."
    tree = SDRTreeRegressor().fit([[""], ["a"], [None]], [1, 3, 5]).tree_
    assert (tree.text()
            == "x0 = : 1, the mean of 1\nx0 = a: 3, the mean of 1\nx0 is not known: 5, the mean of "
               "1")
    assert [edge(tree, k) for k in (1, 2, 3)] == ["", "a", "not known"]
    tree = SDRTreeRegressor().fit([["a"], [None]], [1, 3]).tree_
    assert (lines(tree, 0)[0] == "x0 is not known?"
            and [edge(tree, k) for k in (1, 2)] == ["no", "yes"])
    tree = SDRTreeRegressor(min_share=0).fit([["a", 0], ["b", 0], ["a", 1], ["c", 1]],
                                             [1, 2, 30, 40]).tree_
    # not *b*: no, for c would be a no, too
    assert lines(tree, 1)[0] == "x0?" and [edge(tree, k) for k in (3, 4)] == ["a", "b"]

def test_equal_sums_of_unlike_roots():
    "√8 + 0 is √2 + √2: the parts differ, what they leave does not, and the first feature is asked."
    assert roots_of([[0, 2, 0, 2]]).keys() != roots_of([[0, 2], [0, 2]]).keys()
    assert (not roots_of([[0, 2, 0, 2]]) < roots_of([[0, 2], [0, 2]])
            and not roots_of([[0, 2], [0, 2]]) < roots_of([[0, 2, 0, 2]]))
    y = np.array([0, 2, 0, 2, 50, 50])
    halves, all_of_them = [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]
    for columns in ((halves, all_of_them), (all_of_them, halves)):
        X = np.array(columns, float).T
        assert grow_sdr(X, y, schema=schema_of((True, True)), min_share=0).feature[0] == 0

@pytest.mark.parametrize("seed", range(60))
def test_without_words_it_is_the_learner_of_cart(seed):
    r = np.random.default_rng(seed)
    n, m = int(r.choice([3, 12, 40, 150])), int(r.integers(1, 4))
    X = r.integers(0, r.integers(2, 40), (n, m)).astype(float)
    X[r.random((n, m)) < r.choice([0, .2])] = np.nan
    y, w = r.integers(-99, 99, n) / 8, [None, r.integers(0, 4, n) + (np.arange(n) == 0)][seed % 2]
    rules = dict(max_depth=[None, 3][seed % 3 == 0], min_samples_leaf=int(r.choice([1, 1, 4])),
                 min_samples_split=int(r.choice([2, 7])))
    assert same_trees(grow_sdr(X, y, w, min_share=0, **rules),
                      grow_levels(X, y, w, criterion="sdr", **rules))

def mixed(seed, n=60):
    "Numbers, words and gaps; and numbers of any size to be learned."
    r = np.random.default_rng(seed)
    X = np.stack([r.normal(size=n).round(1), r.integers(0, 4, n), r.integers(0, 9, n),
                  r.integers(0, 3, n)], axis=1).astype(float)
    X[r.random(X.shape) < r.choice([0, 0.15])] = np.nan
    return (r, X, r.normal(size=n) * 10.0**int(r.integers(-200, 140)) * (1 + (X[:, 1] == 2)),
            schema_of((False, True, True, False)))

@pytest.mark.parametrize("seed", range(25))
def test_neither_order_nor_unit_nor_weight_matters(seed):
    r, X, y, schema = mixed(seed)
    tree, order = grow_sdr(X, y, schema=schema), r.permutation(len(y))
    assert same_trees(tree, grow_sdr(X[order], y[order], schema=schema))
    doubled = grow_sdr(X, 2 * y, schema=schema)
    assert (np.array_equal(doubled.feature, tree.feature)
            and np.array_equal(doubled.node_labels, 2 * tree.node_labels))
    w = r.integers(0, 4, len(y))
    w[0] = 1
    weighed, repeated = (grow_sdr(X, y, w, schema=schema),
                         grow_sdr(X.repeat(w, axis=0), y.repeat(w), schema=schema))
    assert same_trees(weighed._replace(size=repeated.size), repeated)
    thirds = grow_sdr(X, y, w / 3, schema=schema)
    assert (np.array_equal(thirds.feature, weighed.feature)
            and np.array_equal(thirds.t, weighed.t, equal_nan=True))

def test_every_row_is_where_it_was_counted():
    for seed in range(25):
        _, X, y, schema = mixed(seed)
        tree = grow_sdr(X, y, schema=schema, min_share=0)
        ends = tree.apply(X)
        assert (tree.width[ends] == 0).all()
        for k in np.unique(ends):
            assert ((ends == k).sum() == tree.size[k]
                    and np.isclose(y[ends == k].mean(), tree.node_labels[k], rtol=1e-12))

doubles = st.floats(-1e149, 1e149, allow_nan=False)
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(doubles, st.integers(1, 2**40)), min_size=1, max_size=12))
def test_sums_and_band(pairs):
    y, w = np.array([v for v, _ in pairs]), np.array([u for _, u in pairs])
    powers = powers_of(y, w)
    S = powers.table.sum(axis=1)
    W, A, B = exact_sums(powers, S)
    true = [sum(Fraction(v)**k * u for v, u in zip(y.tolist(), w.tolist())) for k in range(3)]
    spread, ours = true[0] * true[2] - true[1]**2, W * B - A * A
    assert W == true[0] and (spread == 0) == (ours == 0)
    if ours:                  # the unit is a rational number, whose square divides one by the other
        ratio = Fraction(spread) / ours
        assert (isqrt(ratio.numerator)**2 == ratio.numerator
                and isqrt(ratio.denominator)**2 == ratio.denominator)
    (root,), (off,) = deviations(powers, S[:, None])
    def exactly(q): return Roots({1: Fraction(q) * 2**powers.high})
    assert exactly(root - off) < Roots({ours: 1}) < exactly(root + off)

def test_the_share_of_the_root_is_exact():
    "A node that deviates by exactly the share is divided; by less, it is not."
    X = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], float).T
    for scale in (1.0, 3e-150, 2.0**300):
        # σ² is 10 in the root, 1 in its children: their share is √0.1
        y = np.array([-4, -2, 2, 4]) * scale
        assert (grow_sdr(X, y, min_share=0.316).node_count == 7
                and grow_sdr(X, y, min_share=0.317).node_count == 3)
        y = np.array([0, 2, 0, 2]) * scale                  # of one child
        assert grow_sdr(X[:, 1:], y, min_share=1).node_count == 3
        y = np.array([-3, 3, -5, 5]) * scale           # σ² of the root 17, of the children 9 and 25
        assert grow_sdr(X, y, min_share=0).feature[0] == 1

def test_words_and_limits():
    words, y = np.array([[0], [0], [0], [1], [1], [1], [2]], float), [1, 1, 1, 5, 5, 5, 9]
    def grown(**rules): return grow_sdr(words, y, schema=schema_of((True,)), **rules)
    assert (grown().width[0] == 3 and grown().missing[0] == -1
            and grown().branch.tolist()[:4] == [0, 1, 2, -1])
    assert (grown(min_samples_leaf=2).node_count == 1 and grown(min_samples_split=8).node_count == 1
            and grown(max_depth=0).node_count == 1)
    for rules, about in ((dict(min_share=-1), "min_share"), (dict(min_share=True), "min_share"),
                         (dict(min_samples_leaf=0), "min_samples_leaf"),
                         (dict(max_depth=-1), "max_depth")):
        with pytest.raises(ValueError, match=about): grown(**rules)
    with pytest.raises(ValueError, match="code 9"): grow_sdr([[9]], [1], schema=schema_of((True,)))
    with pytest.raises(ValueError, match="2 columns"): grow_sdr([[1], [2]], [[1, 2], [3, 4]])

def frames():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    r = np.random.default_rng(1)
    plain = pd.DataFrame({"size": r.normal(size=80).round(1), "kind": r.choice(["a", "b", "c"], 80),
                          "there": r.random(80) < 0.5})
    plain.loc[3, "size"], plain.loc[5, "kind"] = np.nan, None
    return plain, [plain.astype({"kind": "category"}), plain.astype({"kind": "string"}),
                   pl.from_pandas(plain), pa.Table.from_pandas(plain)]

def test_tables_as_they_come():
    plain, others = frames()
    y = np.where(plain["kind"] == "b", 10.0, 0) + plain["size"].fillna(0) * plain["there"]
    model = SDRTreeRegressor().fit(plain, y)
    assert (model.tree_.schema.features == ("size", "kind", "there")
            and model.tree_.schema.categories == (None, ("a", "b", "c"), (False, True)))
    said = model.predict(plain)
    for other in others:
        again = SDRTreeRegressor().fit(other, y)
        assert (same_trees(again.tree_, model.tree_) and np.array_equal(again.predict(other), said)
                and np.array_equal(model.predict(other), said))
    objects = SDRTreeRegressor().fit(plain.to_numpy(object), y)
    assert (same_trees(objects.tree_, model.tree_)
            and objects.tree_.schema.features == ("x0", "x1", "x2"))
    with pytest.raises(ValueError, match="column 'size' holds 'wide'"):
        model.predict(plain.assign(size="wide"))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(plain.rename(columns={"size": "width"}))
    with pytest.raises(ValueError, match="column 'kind' .* declared"):
        SDRTreeRegressor(categories={"kind": ["a", "b"]}).fit(plain, y)
    months = SDRTreeRegressor(categories={0: [1, 2, 12]}).fit([[1], [2], [12], [1]], [1, 5, 1, 1])
    assert months.tree_.width[0] == 3 and months.predict([[12], [7]]).tolist() == [1, 2]

def test_what_an_estimator_owes(tmp_path):
    plain, _ = frames()
    y = np.where(plain["kind"] == "b", 10.0, 0) + plain["size"].fillna(0)
    model = SDRTreeRegressor(min_share=0.01, min_samples_leaf=1/80).fit(plain, y)
    with pytest.raises(NotFittedError): clone(model).predict(plain)
    assert (clone(model).get_params() == model.get_params()
            and pickle.loads(pickle.dumps(model)).tree_ == model.tree_)
    save(model.tree_, tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == model.tree_
    assert (model.score(plain, y) > 0.9 and model.feature_importances_.sum() == pytest.approx(1)
            and model.get_depth() == model.tree_.max_depth)
    assert ("kind = c" in model.tree_.text() and "size < " in model.tree_.text()
            and "kind" in model.tree_.explain(plain.iloc[0])
            and "<img" in model.tree_._repr_html_())
    assert str(PruningPlayer(model.tree_)).count("\n") >= (model.tree_.width > 0).sum() - 1
    left, _ = reduced_error_pruning(model, plain[::2], y[::2])
    assert left.n_leaves <= model.get_n_leaves()
    assert CostComplexityCV(SDRTreeRegressor(min_share=0), cv=3).fit(plain, y).score(plain, y) > 0.8

def test_targets_and_weights():
    X = [["a"], ["b"], ["a"], ["b"]]
    for bad, about in ((["x"] * 4, "is no number"), ([1, np.nan, 2, 3], "NaN"),
                       ([1, np.inf, 2, 3], "infinity"), ([1e200, 0, 0, 0], "1e150"),
                       ([1, 2, 3], "y has 3"), ([[1, 2]] * 4, "2 columns")):
        with pytest.raises(ValueError, match=about): SDRTreeRegressor().fit(X, bad)
    for bad in ([-1, 1, 1, 1], [0, 0, 0, 0]):
        with pytest.raises(ValueError, match="weight"):
            SDRTreeRegressor().fit(X, [1, 2, 3, 4], sample_weight=bad)
    for parameter in (dict(min_share=2), dict(min_share="5 %"), dict(max_depth=0),
                      dict(min_samples_leaf=0), dict(min_samples_split=1), dict(n_jobs=0.5)):
        with pytest.raises(ValueError, match=next(iter(parameter))):
            SDRTreeRegressor(**parameter).fit(X, [1, 2, 3, 4]).predict(X)
    gone = SDRTreeRegressor().fit([*X, ["c"]], [1, 5, 1, 5, 99], sample_weight=[1, 1, 1, 1, 0])
    assert gone.predict([["a"], ["b"], ["c"]]).tolist() == [1, 5, 3]

ASK = """import sys, hashlib, numpy as np
from dtree_lit import SDRTreeRegressor
r = np.random.default_rng(0)
X, y = np.column_stack([r.choice(['u', 'v', 'w'], 90), r.normal(size=90).round(2)]).astype(object), r.normal(size=90)
X[:, 1] = X[:, 1].astype(float)
model = SDRTreeRegressor().fit(X, y, sample_weight=r.random(90))
print('numba' in sys.modules, hashlib.sha256(b''.join(np.asarray(a).tobytes() for a in (*model.tree_[:-1], model.predict(X)))).hexdigest())"""

def test_nobody_waits_for_a_compiler(capsys):
    "In a first hour numpy answers, and says what compiled code says."
    fresh = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True,
                           env=os.environ | {"DTREE_LIT_RENT": "1"}).stdout.split()
    exec(ASK, {})
    assert fresh[0] == "False" and fresh[1] == capsys.readouterr().out.split()[1]
