"""The checker of greedy trees: CART's trees pass, every damaged tree is found, and nothing of the
library helps it."""
import ast
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dtree_lit import CARTClassifier, CARTRegressor, grow, ID3Classifier, collapse_node
from dtree_lit.learners import checker
from dtree_lit.learners.checker import check_greedy
from dtree_lit.learners.levels import grow_levels

SOURCE = Path(checker.__file__).read_text("utf-8")

def test_it_imports_numpy_and_fractions_alone_and_is_short():
    names = {name for node in ast.walk(ast.parse(SOURCE))
             for name in ([a.name for a in node.names] if isinstance(node, ast.Import)
                          else [node.module] if isinstance(node, ast.ImportFrom) else [])}
    assert names == {"fractions", "numpy"}
    assert "__import__" not in SOURCE and "import_module" not in SOURCE
    told = {line for node in ast.walk(ast.parse(SOURCE))
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
            for line in range(node.body[0].lineno + 1, node.body[0].end_lineno + 1)}
    code = [line for i, line in enumerate(SOURCE.splitlines(), 1)
            if i not in told and line.strip() and line.strip()[0] != "#"]
    assert len(code) <= 150

# --- trees of CART pass

def column(rng, n):
    "Few numbers, many numbers, float32, or categories; some with missing values."
    kind = rng.integers(4)
    if kind == 0: x = rng.integers(0, rng.integers(1, 8), n).astype(float)
    elif kind == 1: x = rng.normal(size=n)
    elif kind == 2: x = (rng.integers(0, 4, n) / 3).astype(np.float32)
    else: x = np.array(list("abcdefgh"), object)[rng.integers(0, rng.integers(1, 9), n)]
    x = pd.Series(x)
    return x.mask(rng.random(n) < 0.5 * rng.random()) if rng.random() < 0.4 else x

def table(rng):
    "A frame, targets, weights, a criterion and limits."
    n, criterion = int(rng.integers(2, 40)), rng.choice(["gini", "entropy", "squared_error"])
    X = pd.DataFrame({f"x{f}": column(rng, n) for f in range(rng.integers(1, 5))})
    if rng.random() < 0.2: X["twin"] = X["x0"]
    y = (rng.integers(-9, 9, n) / 4 if criterion == "squared_error"
         else rng.integers(0, rng.integers(2, 5), n))
    if rng.random() < 0.2:                                  # rows that are there several times
        some = rng.integers(0, n // 2 + 1, n)
        X, y = X.iloc[some].reset_index(drop=True), y[some]
    w = rng.integers(0, 4, n) if rng.random() < 0.5 else None
    if w is not None and not w.any(): w = None
    limits = dict(max_depth=[None, None, 1, 3][rng.integers(4)],
                  min_samples_leaf=int(rng.choice([1, 1, 1, 2, 4])),
                  min_samples_split=int(rng.choice([2, 2, 5])))
    return X, y, w, str(criterion), limits

def cart(criterion, limits):
    Estimator = CARTRegressor if criterion == "squared_error" else CARTClassifier
    return Estimator(criterion=criterion, **limits)

@cache
def grown(seed):
    "A tree, with all that it was grown from."
    X, y, w, criterion, limits = table(np.random.default_rng(seed))
    return cart(criterion, limits).fit(X, y, w).tree_, X, y, w, limits

SEEDS = range(240)

def test_trees_of_cart_pass():
    splits = 0
    for seed in SEEDS:
        tree, X, y, w, limits = grown(seed)
        assert check_greedy(tree, X, y, w, **limits) == [], seed
        splits += (tree.width > 0).sum()
    assert splits > 500

def test_extreme_numbers_pass():
    "Neighbors without a number in between, sums that overflow, infinities, the least numbers."
    rng, huge = np.random.default_rng(1), 1.7e308
    pools = ([-np.inf, -huge, -1.0, -0.0, 5e-324, 1e-323, 1.0, huge, np.inf, np.nan],
             1 + np.arange(6) * 2.0**-52, huge - np.arange(4) * 2.0**970)
    for pool in pools:
        for criterion in checker.CHECKED:
            X, y = rng.choice(pool, (30, 2)), rng.integers(0, 3, 30)
            for learner in (grow, grow_levels):
                assert check_greedy(learner(X, y, criterion=criterion), X, y) == []

def test_missing_values_and_names_of_every_kind_are_read():
    X = pd.DataFrame(dict(a=pd.array([1, None, 3, 4, 5, None], "Int64"),
                          b=pd.Series([True, False, None, True, False, True], dtype="boolean"),
                          c=pd.Categorical([10, 20, None, 30, 10, 20], [30, 20, 10]),
                          d=["x", "None", None, "y", "nan", "x"]))
    y = ["no", "yes", "yes", "no", "no", "yes"]
    assert check_greedy(CARTClassifier().fit(X, y), X, y) == []

# --- a damaged tree does not

def changed(array, k, value):
    other = array.copy()
    other[k] = value
    return other

def inner(tree, numeric):
    "Nodes with thresholds, or with sets of categories."
    return np.flatnonzero((tree.width > 0) & ((tree.start < 0) == numeric) &
                          (~np.isnan(tree.t) if numeric else True))

def at_node(tree, X, w, k):
    "Which rows come by a node."
    rows, nodes = tree.decision_path(X).nonzero()
    return [i for i in rows[nodes == k] if w is None or w[i]]

def recounted(tree, X, y, w):
    "The tree with the counts that fit its splits; and missing values to the heavier, as ever."
    codes = y if tree.schema.classes[0] is None else np.searchsorted(tree.schema.classes[0], y)
    return tree.recount(X, codes, w)

def nudged(tree, X, y, w, rng):
    "A threshold is moved by one bit, up or down; mostly over no row."
    for k in inner(tree, True):
        t = np.nextafter(tree.t[k], rng.choice([-np.inf, np.inf]))
        yield tree._replace(t=changed(tree.t, k, t))

def moved(tree, X, y, w, rng):
    "A threshold is that of another split of the feature; the counts fit."
    for k in inner(tree, True):
        values = np.unique(X.iloc[:, tree.feature[k]].dropna().astype(float))
        others = {*((values[1:] + values[:-1]) / 2)} - {tree.t[k]}
        for t in sorted(others)[:2]:
            yield recounted(tree._replace(t=changed(tree.t, k, t)), X, y, w)

def elsewhere(tree, X, y, w, rng):
    "A node tests another feature, at a middle of its values; the counts fit."
    numeric = [f for f, names in enumerate(tree.schema.categories) if names is None]
    for k in inner(tree, True):
        for f in numeric:
            x = X.iloc[at_node(tree, X, w, k), f].dropna().astype(float)
            values = np.unique(x)
            if f == tree.feature[k] or len(values) < 2: continue
            i = rng.integers(1, len(values))
            other = tree._replace(feature=changed(tree.feature, k, f),
                                  t=changed(tree.t, k, (values[i - 1] + values[i]) / 2))
            yield recounted(other, X, y, w)

def misled(tree, X, y, w, rng):
    "Missing values go to the other child."
    for k in np.flatnonzero(tree.width):
        yield tree._replace(missing=changed(tree.missing, k, 1 - tree.missing[k]))

def exchanged(tree, X, y, w, rng):
    "A category that the node has goes to the other child; or it is said not to be there."
    for k in inner(tree, False):
        names = tree.schema.categories[tree.feature[k]]
        there = set(X.iloc[at_node(tree, X, w, k), tree.feature[k]].dropna())
        for c in (c for c, name in enumerate(names) if name in there):
            at = tree.start[k] + c
            yield tree._replace(branch=changed(tree.branch, at, 1 - tree.branch[at]))
            yield tree._replace(branch=changed(tree.branch, at, -1))

def miscounted(tree, X, y, w, rng):
    "A node has one row more, another weight, or states something else."
    for k in range(tree.node_count):
        yield tree._replace(size=changed(tree.size, k, tree.size[k] + 1))
        yield tree._replace(weight=changed(tree.weight, k, np.nextafter(tree.weight[k], 1e9)))
        yield tree._replace(counts=changed(tree.counts, (k, 0, 0),
                                           np.nextafter(tree.counts[k, 0, 0], 1e9)))

def stopped(tree, X, y, w, rng):
    "A node becomes a leaf."
    for k in np.flatnonzero(tree.width): yield collapse_node(tree, int(k)).tree

DAMAGES = nudged, moved, elsewhere, misled, exchanged, miscounted, stopped

@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_is_found(damage):
    tried, rng = 0, np.random.default_rng(2)
    for seed in SEEDS:
        tree, X, y, w, limits = grown(seed)
        for other in damage(tree, X, y, w, rng):
            assert check_greedy(other, X, y, w, **limits), (seed, tree, other)
            tried += 1
        if tried >= 100: break
    assert tried >= 100

def test_another_tie_rule_is_found():
    "A learner that takes the last of equal features; trees that are the same anyway still pass."
    others, rng = 0, np.random.default_rng(3)
    for _ in range(60):
        X, y = rng.integers(0, 3, (12, 3)).astype(float), rng.integers(0, 2, 12)
        right, back = grow(X, y), grow(X[:, ::-1], y)
        last = back._replace(feature=np.where(back.width > 0, 2 - back.feature, -2))
        same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(right[:-1], last[:-1]))
        assert check_greedy(right, X, y) == [] and same == (check_greedy(last, X, y) == [])
        others += not same
    assert 20 < others < 60

def test_the_second_best_split_is_found():
    "Of a root with its own counts, whichever of its splits it has: none but the first best passes."
    rng = np.random.default_rng(4)
    for criterion in checker.CHECKED:
        X, y = rng.integers(0, 6, (25, 3)).astype(float), rng.integers(0, 3, 25)
        stump = grow(X, y, criterion=criterion, max_depth=1)
        right = stump.feature[0], stump.t[0]
        for f, t in [(f, v + 0.5) for f in range(3) for v in range(5)]:
            other = stump._replace(feature=[f, -2, -2], t=[t, np.nan, np.nan]).recount(X, y)
            other = other._replace(missing=[int(other.weight[2] >= other.weight[1]), -1, -1])
            assert len(check_greedy(other, X, y, max_depth=1)) == ((f, t) != right)

def test_limits_are_kept():
    X, y = np.arange(8.0)[:, None], [0, 1, 1, 0, 1, 0, 0, 1]
    tree = grow(X, y)
    assert check_greedy(tree, X, y) == []
    assert check_greedy(tree, X, y, max_depth=1)[0].endswith("expected a leaf")
    for limit in (dict(max_depth=2), dict(min_samples_split=4), dict(min_samples_leaf=2)):
        limited = grow(X, y, **limit)
        assert check_greedy(limited, X, y, **limit) == [] != check_greedy(tree, X, y, **limit)
        assert any("is a leaf" in finding for finding in check_greedy(limited, X, y))
    early = grow(X, y, max_leaf_nodes=3)
    assert check_greedy(early, X, y, leaves=False) == [] != check_greedy(early, X, y)

# --- what it cannot check it refuses

X3, Y3 = np.arange(6.0).reshape(3, 2), [0, 1, 0]
SKIES = pd.DataFrame(dict(sky=["sun", "rain", "fog"]))
MANY = pd.DataFrame(dict(letter=list("abcdefghi")))

def with_shares(tree): return tree._replace(values=tree.value)

REFUSED = [
    (lambda: (grow(X3, Y3, criterion="misclassification"), X3, Y3), "'misclassification'"),
    (lambda: (grow(X3, np.stack([Y3, Y3], axis=1)), X3, Y3), "several outputs"),
    (lambda: (CARTClassifier(costs={0: {1: 2}, 1: {0: 1}}).fit(X3, Y3), X3, Y3), "costs"),
    (lambda: (with_shares(grow(X3, Y3)), X3, Y3), "given values"),
    (lambda: (ID3Classifier().fit(SKIES, Y3), SKIES, Y3), "more than two"),
    (lambda: (grow(X3, Y3), X3, Y3, [1, 0.5, 1]), "no whole number"),
    (lambda: (CARTClassifier().fit(MANY, range(9)), MANY, range(9)), "at most 8 categories")]

@pytest.mark.parametrize("case, why", REFUSED)
def test_what_it_cannot_check_is_refused(case, why):
    with pytest.raises(ValueError, match=why): check_greedy(*case())

@pytest.mark.parametrize("limits", [dict(max_depth=1), dict(min_samples_leaf=20),
                                    dict(min_samples_leaf=0.2, min_samples_split=0.7)])
def test_an_estimator_says_its_limits(limits):
    X = np.random.default_rng(0).integers(0, 9, (60, 2)).astype(float)
    model = CARTClassifier(**limits).fit(X, X[:, 0] * X[:, 1] % 3 > 0)
    y = model.classes_.searchsorted(X[:, 0] * X[:, 1] % 3 > 0)
    assert check_greedy(model, X, y) == [] != check_greedy(model.tree_, X, y)

def test_surrogate_splits_are_refused():
    X, y = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [np.nan, 1]]), [0, 0, 1, 1, 1]
    tree = CARTClassifier(missing="surrogates").fit(X, y).tree_
    assert len(tree.surrogates)
    with pytest.raises(ValueError, match="surrogate splits"): check_greedy(tree, X, y)

def test_what_is_no_tree_is_refused():
    with pytest.raises(ValueError, match="expected a Tree or a fitted estimator, got int"):
        check_greedy(3, [[1]], [0])
