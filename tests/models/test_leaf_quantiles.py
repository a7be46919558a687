"Quantiles by their definition, in exact shares; and intervals that hold by counting ranks."
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, ForestRegressor, load,
                       predict_intervals, predict_quantiles, save)
from dtree_lit.workshop.claims import interval_of

def a_table(seed=0, n=120):
    "Ties in X and in y, and missing values."
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    y = (X[:, 0] + rng.normal(size=n)).round(1)
    return np.where(rng.random(X.shape) < 0.05, np.nan, X), y

def by_definition(trees, x, q, X, y, w):
    "The smallest number with at least the share q up to it; shares are exact."
    share = [Fraction(0)] * len(y)
    for tree in trees:
        passed = [{*tree.path(row).tolist()} for row in X]
        for node in tree.path(x)[::-1]:
            there = [i for i in range(len(y)) if node in passed[i] and w[i]]
            if there: break
        whole = sum(int(w[i]) for i in there) * len(trees)
        for i in there: share[i] += Fraction(int(w[i]), whole)
    return min(v for v, own in zip(y, share) if own
               and sum(s for s, u in zip(share, y) if u <= v) >= q)

CHANCES = [Fraction(k, 20) for k in (0, 1, 2, 5, 7, 10, 15, 19, 20)]
MODELS = [CARTRegressor(), CARTRegressor(min_samples_leaf=7), CARTRegressor(honest=0.5),
          CARTRegressor(missing="surrogates", max_depth=3),
          ForestRegressor(4, random_state=0),
          ForestRegressor(5, min_samples_leaf=9, random_state=1)]

@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_by_definition(model, weighted):
    X, y = a_table()
    model.fit(X, y)
    trees = getattr(model, "trees_", None) or [model.tree_]
    some = X[:, 1] < 0.3                                # so that some leaves are empty
    w = np.random.default_rng(2).integers(0, 4, 120)[some] if weighted else np.ones(some.sum())
    got = predict_quantiles(model, X[::9], [float(q) for q in CHANCES], X[some], y[some],
                            sample_weight=w if weighted else None)
    assert got.shape == (14, len(CHANCES))
    for x, row in zip(X[::9], got):
        assert row.tolist() == [by_definition(trees, x, q, X[some], y[some], w) for q in CHANCES]

def test_one_leaf_is_numpys_inverse():
    rng = np.random.default_rng(1)
    leaf = CARTRegressor(max_depth=1).fit(np.zeros((9, 1)), rng.normal(size=9))
    for n in (1, 2, 7, 100):
        y, q = rng.normal(size=n), rng.random(50)
        got = predict_quantiles(leaf, [[0]], q, np.zeros((n, 1)), y)
        assert np.array_equal(got[0], np.quantile(y, q, method="inverted_cdf"))
    for n in range(1, 200):                             # a decimal is meant, not the double near it
        q = np.arange(1, n + 1) / n
        got = predict_quantiles(leaf, [[0]], q, np.zeros((n, 1)), np.arange(n))
        assert got[0].tolist() == list(range(n))

def test_the_order_of_rows_and_what_holds_the_tree(tmp_path):
    X, y = a_table(3)
    order = np.random.default_rng(0).permutation(120)
    forest = ForestRegressor(5, random_state=0).fit(X, y)
    tree = CARTRegressor(max_depth=4).fit(X, y)
    save(tree, tmp_path / "tree.json")
    q = [0.1, 0.5, 0.9]
    for model in (forest, tree):
        got = predict_quantiles(model, X, q, X, y)
        assert np.array_equal(got, predict_quantiles(model, X, q, X[order], y[order]))
        assert np.array_equal(got, predict_quantiles(pickle.loads(pickle.dumps(model)), X, q, X, y))
        assert (np.diff(got, axis=1) >= 0).all()
    for same in (tree.tree_, load(tmp_path / "tree.json")):
        assert np.array_equal(got, predict_quantiles(same, X, q, X, y))
        assert np.array_equal(predict_intervals(tree, X, 0.8, X, y),
                              predict_intervals(same, X, 0.8, X, y))
    assert predict_quantiles(tree, X, 0.5, X, y).shape == (120, 1)
    assert predict_quantiles(tree.tree_, X[:0], q, X, y).shape == (0, 3)
    assert predict_quantiles(tree, X, [], X, y).shape == (120, 0)

def test_frames_and_wrappers():
    X, y = a_table(4)
    frame = pd.DataFrame(X, columns=list("abc")).assign(word=np.where(y > 0, "up", "down"))
    model = CostComplexityCV(CARTRegressor(min_samples_leaf=5), cv=3, random_state=0).fit(frame, y)
    got = predict_quantiles(model, frame, [0.5], frame, y)
    ends = model.apply(frame)
    for k in np.unique(ends):
        assert (got[ends == k] == np.quantile(y[ends == k], 0.5, method="inverted_cdf")).all()
    assert np.isfinite(predict_intervals(model, frame, 0.5, frame, y)).any()

def test_intervals_by_counting():
    "r rows are left out on either side, the most for which 2r/(m+1) is no more than is allowed."
    leaf = CARTRegressor(max_depth=1).fit([[0], [0]], [0, 1])
    for m, coverage in product(range(60), (0.5, 0.6, 0.8, 0.9, 0.95)):
        y = np.random.default_rng(m).normal(size=m).round(1)
        low, high = predict_intervals(leaf.tree_, [[0]], coverage, np.zeros((m, 1)), y)[0]
        r = max(r for r in range(m + 1) if Fraction(2 * r, m + 1) <= 1 - Fraction(str(coverage)))
        wanted = (sorted(y)[r - 1], sorted(y)[m - r]) if r else (-np.inf, np.inf)
        assert (low, high) == wanted and low <= high

def test_coverage_is_exact_over_all_orders():
    "Of 20 numbers each is the new one: it lies within as often as proved; equal ones more often."
    leaf = CARTRegressor(max_depth=1).fit([[0], [0]], [0, 1])
    for numbers, equal in ((np.arange(20.0), False), (np.arange(20) // 3, True)):
        inside = []
        for i in range(20):
            rest = np.delete(numbers, i)
            low, high = predict_intervals(leaf, [[0]], 0.9, np.zeros((19, 1)), rest)[0]
            inside.append(low <= numbers[i] <= high)
        assert np.mean(inside) == 0.9 if not equal else np.mean(inside) > 0.9

def test_measured_coverage_of_honest_leaves_and_of_others():
    share, grown, predicted = [], [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.uniform(size=(900, 3))
        y = X[:, 0] + rng.standard_exponential(900) * (0.1 + X[:, 1])
        fit, new = slice(0, 400), slice(400, 900)
        model = CARTRegressor(honest=0.5, min_samples_leaf=15, random_state=seed)
        model.fit(X[fit], y[fit])
        B = model.leaf_rows_
        def within(limits): return (limits[:, 0] <= y[new]) & (y[new] <= limits[:, 1])
        share.append(within(predict_intervals(model, X[new], 0.8, X[fit][B], y[fit][B])).mean())
        grown.append(within(predict_intervals(model, X[new], 0.8, X[fit][~B], y[fit][~B])).mean())
        m = model.tree_.size[model.apply(X[new])]
        predicted.append((1 - 2 * ((m + 1) // 10) / (m + 1)).mean())
    low, high = interval_of(np.subtract(share, predicted))
    assert low < 0 < high < 0.02 and interval_of(share)[0] > 0.8
    assert interval_of(np.subtract(grown, share))[1] < -0.02

LABELS = CARTClassifier().fit([[0], [1]], [0, 1])
TWO = CARTRegressor().fit([[0], [1]], [[0, 1], [1, 0]])
ONE = CARTRegressor().fit([[0], [1]], [0, 1])
MANY = ForestRegressor(2, random_state=0).fit([[0], [1]], [0, 1])

@pytest.mark.parametrize("model, q, X, y, words", [
    (LABELS, [0.5], [[0]], [0], "this model predicts labels"),
    (TWO, [0.5], [[0]], [[0, 1]], "several numbers"),
    (CARTRegressor(), [0.5], [[0]], [0], "no tree_"),
    (ONE, [1.1], [[0]], [0], "probabilities from 0 to 1"),
    (ONE, [np.nan], [[0]], [0], "from 0 to 1"),
    (ONE, [[0.5]], [[0]], [0], "from 0 to 1"), (ONE, [0.5], [[0]], [0, 1], "1 rows and y_train 2"),
    (ONE.tree_, [0.5], np.zeros((0, 1)), [], "at least one row"),
    (ONE, [0.5], [[0]], [np.nan], "y holds"),
    (ONE, [0.5], [[0, 1]], [0], "features")])
def test_refusals(model, q, X, y, words):
    with pytest.raises(ValueError, match=words): predict_quantiles(model, [[0]], q, X, y)

@pytest.mark.parametrize("model, coverage, y, words", [
    (LABELS, 0.9, [0], "predicts labels"), (MANY, 0.9, [0], "2 trees: predict_quantiles"),
    (ONE, 0, [0], "coverage is 0,"), (ONE, 1.0, [0], "coverage is 1.0"),
    (ONE, True, [0], "is True"),
    (ONE, 90, [0], "coverage is 90"), (ONE, 0.9, [0, 1], "1 rows and y_held 2")])
def test_intervals_are_refused(model, coverage, y, words):
    with pytest.raises(ValueError, match=words): predict_intervals(model, [[0]], coverage, [[0]], y)

def test_all_weights_zero():
    with pytest.raises(ValueError, match="weight"):
        predict_quantiles(ONE, [[0]], [0.5], [[0], [1]], [0, 1], sample_weight=[0, 0])
