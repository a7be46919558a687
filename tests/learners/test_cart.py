"CART against scikit-learn, brute force, and its own promises."
import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from unittest import mock

import numpy as np
import pytest
from dtree_lit.learners import grow_loop
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.trees.link_prices import cut_back, pruning_path, weakest_links
from dtree_lit.trees.tree import Tree
from hypothesis import given, settings, strategies as st
from sklearn import datasets
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.estimator_checks import parametrize_with_checks

@parametrize_with_checks([CARTClassifier(), CARTRegressor(),
                          CARTClassifier(criterion="entropy", max_leaf_nodes=7),
                          CARTClassifier(criterion="misclassification", max_depth=4),
                          CARTRegressor(criterion="sdr", ccp_alpha=0.01),
                          CARTRegressor(max_features=0.5)])
def test_scikit_learns_checks(estimator, check): check(estimator)

LIMITS = [{}, dict(max_depth=3), dict(min_samples_split=0.2), dict(min_samples_leaf=9),
          dict(min_samples_leaf=0.06), dict(min_weight_fraction_leaf=0.1),
          dict(max_leaf_nodes=9), dict(min_impurity_decrease=0.01), dict(ccp_alpha=0.01),
          dict(max_depth=5, max_leaf_nodes=6, min_samples_leaf=4)]

def tables():
    "Numbers that scikit-learn's 32 bits can hold, and no two rows alike."
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 5)).astype(np.float32).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=240) > 0) + 2 * (X[:, 3] > 1)
    holes = np.where(rng.random(X.shape) < 0.15, np.nan, X)
    u = np.sin(2 * X[:, 0]) + X[:, 1] + rng.normal(size=240)
    w = rng.integers(0, 4, 240)
    return dict(plain=(X, y, u, None), weights=(X, y, u, w), holes=(holes, y, u, None),
                several=(X, np.c_[y, X[:, 4] > 0], np.c_[u, X[:, 4]**2], None))

TABLES = tables()

def same_questions(a, b):
    return (len(a.feature) == len(b.feature) and np.array_equal(a.feature, b.feature)
            and np.array_equal(a.first, b.first))

@pytest.mark.parametrize("name, criterion",
                         list(product(TABLES, ["gini", "entropy", "squared_error"])))
def test_where_scikit_learn_has_no_choice(name, criterion):
    "If five seeds give one tree there, it is ours."
    X, labels, numbers, w = TABLES[name]
    ours, theirs, y = ((CARTRegressor, DecisionTreeRegressor, numbers) if criterion
                       == "squared_error" else (CARTClassifier, DecisionTreeClassifier, labels))
    compared = 0
    for limits in LIMITS:
        models = [theirs(random_state=i, criterion=criterion, **limits).fit(X, y, sample_weight=w)
                  for i in range(5)]
        model = ours(criterion=criterion, **limits).fit(X, y, sample_weight=w)
        tree, other, *seeds = model.tree_, *map(Tree.from_sklearn, models)
        if not all(same_questions(other, seed) for seed in seeds): continue  # ties: lots were drawn
        compared += 1
        assert same_questions(tree, other), limits
        assert (np.array_equal(tree.size, other.size) and np.allclose(tree.weight, other.weight)
                and np.allclose(tree.value, other.value))
        assert (np.allclose(tree.impurity, other.impurity, atol=1e-9)
                and np.array_equal(tree.apply(X), other.apply(X)))
        assert np.allclose(model.feature_importances_, models[0].feature_importances_)
        if ours is CARTClassifier:
            assert all(np.allclose(p, q)
                       for p, q in zip(model.predict_proba(X), models[0].predict_proba(X)))
    assert compared >= 3

# Where scikit-learn's tree is another, there is a reason of three. They are proved in fractions.

def exact_score(sides, y, w, criterion):
    "Of a cut; equal scores remove equally much. w and y are what the floats are, to the last bit."
    w, y = [Fraction(v) for v in w.tolist()], y.tolist()
    if criterion == "squared_error":
        return sum(sum(w[i] * Fraction(y[i]) for i in side)**2 / sum(w[i] for i in side)
                   for side in sides)
    tables = [[sum(w[i] for i in side if y[i] == k) for k in set(y)] for side in sides]
    if criterion == "gini": return sum(sum(c * c for c in T) / sum(T) for T in tables)
    # entropy: no fraction, so only equal tables tie
    if any(Fraction(c).denominator > 1 for T in tables for c in T): return sorted(tables)
    # 2 to minus the bits left
    return Fraction(prod(int(c)**int(c) for T in tables for c in T),
                    prod(int(sum(T))**int(sum(T)) for T in tables))

def why_different(ours, theirs, X, y, w, criterion):
    """From the root down, in parallel: nodes that ask the same, theirs by ours; and why the
    first that do not differ."""
    todo, same, reasons = [(0, 0, np.flatnonzero(w > 0))], {}, []
    while todo:
        k, j, rows = todo.pop()
        if ours.width[k] == theirs.width[j] == 0: continue
        if ours.width[k] == 0:
            reasons.append("they divide a pure node" if len(set(y[rows])) == 1 else "no reason")
        elif theirs.width[j] == 0: reasons.append("no reason")
        else:
            (f, t), (g, u) = ((int(tree.feature[i]), float(tree.t[i]))
                              for tree, i in ((ours, k), (theirs, j)))
            yes, others = X[rows, f] >= t, X[rows, g] >= u
            if f == g and (yes == others).all():
                same[k] = j
                todo += [(ours.first[k] + c, theirs.first[j] + c, rows[yes == c]) for c in (0, 1)]
            else:
                one, other = (exact_score((rows[~side], rows[side]), y, w, criterion)
                              for side in (yes, others))
                reasons.append("a tie, ours is first" if one == other and (f, t) < (g, u)
                               else "no reason")
    return same, reasons

def why_elsewhere(ours, theirs, same, x):
    "Where both trees ask the same and a row still goes two ways, it lies on the threshold."
    k = j = 0
    while k in same:
        v, j = x[ours.feature[k]], same[k]
        yes, other = v >= ours.t[k], v >= theirs.t[j]
        if yes != other: return "on the threshold" if v == ours.t[k] else "no reason"
        k, j = ours.first[k] + yes, theirs.first[j] + other
    return "no other way, or by another question"

def for_both():
    """Name, X, y, weights. Numbers and their weights are eighths: where a learner has to round them to its
    units, two cuts may differ by less than it sees, and no reason can be proved."""
    for name in ("iris", "wine", "breast_cancer", "diabetes"):
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        yield name, X, y, None
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, m = rng.integers(30, 250), rng.integers(1, 6)
        X, numbers = rng.normal(size=(n, m)), seed % 4 > 1
        if seed % 2: X = X.round(rng.integers(1, 3))
        y = np.digitize(X[:, 0] + X[:, -1]**2 + rng.normal(0, 0.5, n),
                        [0.5, 1.5][:rng.integers(1, 3)])
        if numbers: y = np.rint(8 * (X[:, 0] * X[:, -1] + rng.normal(0, 0.3, n))) / 8
        w = [None, rng.integers(1, 9, n) / 8 if numbers else rng.random(n) + 0.1,
             rng.integers(0, 4, n).astype(float)][seed % 3]
        yield f"random {seed}", X, y, w

def test_why_scikit_learns_trees_differ():
    found = Counter()
    for name, X, y, w in for_both():
        X, fit = X.astype(np.float32).astype(float), np.random.default_rng(1).random(len(X)) < 0.75
        numbers = y.dtype.kind == "f" or name == "diabetes"
        pair = ((CARTRegressor, DecisionTreeRegressor) if numbers
                else (CARTClassifier, DecisionTreeClassifier))
        weights = None if w is None else w[fit]
        tasks = [("squared_error", {})] if numbers else [("gini", {}), ("entropy", {})]
        if w is None and not numbers: tasks.append(("gini", dict(class_weight="balanced")))
        for criterion, more in tasks:
            exact = np.ones(fit.sum()) if w is None else weights
            if more: exact = compute_sample_weight("balanced", y[fit])
            for limits in ({}, dict(max_depth=3), dict(min_samples_leaf=5),
                           dict(min_samples_split=0.1)):
                ours, theirs = (E(criterion=criterion, random_state=0, **limits,
                                  **more).fit(X[fit], y[fit], weights) for E in pair)
                ours, theirs = ours.tree_, Tree.from_sklearn(theirs)
                same, reasons = why_different(ours, theirs, X[fit], y[fit], exact, criterion)
                found.update(reasons)
                ways = [why_elsewhere(ours, theirs, same, x) for x in X]
                found.update(ways)
                assert "no reason" not in reasons + ways, (name, criterion, limits, more)
                assert (reasons or "on the threshold" in ways
                        or np.allclose(ours.value[ours.apply(X)], theirs.value[theirs.apply(X)]))
    assert min(found[reason] for reason in ("a tie, ours is first", "on the threshold",
                                            "they divide a pure node")) > 0, found

@pytest.mark.parametrize("load", ["iris", "wine", "breast_cancer"])
def test_a_wrong_threshold_has_no_reason(load):
    X, y = getattr(datasets, f"load_{load}")(return_X_y=True)
    X = X.astype(np.float32).astype(float)
    ours, theirs = (CARTClassifier().fit(X, y).tree_,
                    Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y)))
    def why(tree): return why_different(tree, theirs, X, y, np.ones(len(y)), "gini")[1]
    assert "no reason" not in why(ours)
    for nth in (1, -1):
        t = ours.t.copy()
        t[0] = np.unique(X[:, ours.feature[0]])[nth]
        assert "no reason" in why(ours._replace(t=t))

small = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2),
                           st.integers(0, 3)), min_size=1, max_size=30)

def split(rows):
    a = np.array(rows, float)
    return a[:, :2], a[:, 2].astype(int), a[:, 3].astype(int)

@given(small, st.sampled_from(["gini", "entropy", "misclassification"]),
       st.sampled_from([{}, dict(max_depth=2), dict(min_impurity_decrease=0.02),
                        dict(max_leaf_nodes=4)]))
@settings(max_examples=60)
def test_weights_are_repetitions(rows, criterion, limits):
    X, y, w = split(rows)
    if not w.any(): w[0] = 1
    i = np.repeat(np.arange(len(w)), w)
    a, b = (CARTClassifier(criterion=criterion, **limits).fit(X, y, w).tree_,
            CARTClassifier(criterion=criterion, **limits).fit(X[i], y[i]).tree_)
    assert (np.array_equal(a.feature, b.feature) and np.array_equal(a.t, b.t, equal_nan=True)
            and np.allclose(a.weight, b.weight))

@given(small, st.randoms(use_true_random=False),
       st.sampled_from([CARTClassifier(), CARTClassifier(criterion="entropy"), CARTRegressor(),
                        CARTClassifier(max_leaf_nodes=5)]))
@settings(max_examples=60)
def test_order_and_precision_do_not_matter(rows, random, model):
    X, y, _ = split(rows)
    order = list(range(len(y)))
    random.shuffle(order)
    tree = clone(model).fit(X, y).tree_
    assert clone(model).fit(X[order], y[order]).tree_ == tree
    assert clone(model).fit(X.astype(np.float32), y).tree_ == tree
    assert clone(model).set_params(random_state=5).fit(X, y).tree_ == tree

@pytest.mark.parametrize("name", ["plain", "holes"])
def test_threads(name):
    "On small tables, too, where one thread would do the work of all: so the limit is taken away."
    X, y, _, _ = TABLES[name]
    for model in (CARTClassifier(), CARTClassifier(criterion="entropy", max_features=2,
                                                   random_state=0), CARTRegressor()):
        with mock.patch.object(grow_loop, "SHARED",
                               400), mock.patch.object(grow_loop, "grow_shared",
                                                       wraps=grow_loop.grow_shared) as shared:
            assert clone(model).set_params(n_jobs=2).fit(X, y).tree_ == model.fit(X, y).tree_
        assert shared.call_count == 1

@given(small)
@settings(max_examples=60)
def test_limits(rows):
    X, y, w = split(rows)
    n = len(y)
    tree = CARTClassifier(max_depth=2, min_samples_split=5, min_samples_leaf=2,
                          max_leaf_nodes=3).fit(X, y).tree_
    assert (tree.max_depth <= 2 and tree.n_leaves <= 3 and (tree.size[tree.width > 0] >= 5).all()
            and (n < 5 or tree.size.min() >= 2))
    if not w.any(): w[0] = 1
    tree = CARTClassifier(min_weight_fraction_leaf=0.3).fit(X, y, w).tree_
    assert tree.node_count == 1 or tree.weight.min() >= 0.3 * w.sum()

def test_no_leaf_of_medians_is_too_light():
    "A first row that is far away, and weighs too little for a leaf of its own."
    X, y, w = [[0], [1], [2], [3]], [100.0, 0, 1, 2], [1, 3, 3, 3]
    model = CARTRegressor(criterion="absolute_error", min_weight_fraction_leaf=0.25)
    tree = model.fit(X, y, w).tree_
    assert tree.t[:2].tolist() == [2.5, 1.5] and tree.weight.tolist() == [10, 7, 3, 4, 3]

def test_a_lot_drawn_twice():
    X, y, _, _ = TABLES["plain"]
    def tree(seed): return CARTClassifier(max_features=1, random_state=seed).fit(X, y).tree_
    assert (tree(3) == tree(3) and tree(None) == tree(None)
            and len({tuple(tree(i).feature) for i in range(6)}) > 1)
    assert (CARTClassifier(max_features=1, random_state=np.random.RandomState(7)).fit(X, y).tree_
            == CARTClassifier(max_features=1, random_state=np.random.RandomState(7)).fit(
        X, y).tree_)

@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, np.nan]), st.integers(0, 2)), min_size=2,
                max_size=14))
@settings(max_examples=80)
def test_both_sides_are_tried(rows):
    x, y = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows])
    def gini(c): return 1 - ((np.bincount(y[c]) / c.sum())**2).sum() if c.any() else 0
    def left(c): return (c.sum() * gini(c) + (~c).sum() * gini(~c)) / len(y)
    known = np.unique(x[~np.isnan(x)])
    ways = ([left(c) for t in known[1:] for c in (x >= t, (x >= t) | np.isnan(x))]
            + [left(np.isnan(x))] * int(np.isnan(x).any() and len(known) > 0))
    model = CARTClassifier(max_depth=1).fit(x[:, None], y)
    tree = model.tree_
    if tree.node_count == 1: assert not ways or len(set(y)) == 1
    else:
        assert ((tree.weight * tree.impurity)[1:].sum() / len(y)
                == pytest.approx(min(ways), abs=1e-12))
        ends = model.apply(x[:, None])
        assert np.array_equal(np.bincount(ends, minlength=3)[1:], tree.size[1:])

@pytest.mark.parametrize("load, Estimator, Theirs",
                         [("wine", CARTClassifier, DecisionTreeClassifier),
                          ("breast_cancer", CARTClassifier, DecisionTreeClassifier),
                          ("diabetes", CARTRegressor, DecisionTreeRegressor)])
def test_pruning(load, Estimator, Theirs):
    X, y = getattr(datasets, f"load_{load}")(return_X_y=True)
    whole = Estimator().fit(X, y).tree_
    price, path = weakest_links(whole), pruning_path(whole)
    assert (price[1:] <= price[whole.parent[1:]]).all() and (price[whole.width > 0] >= 0).all()
    assert (np.diff(path.ccp_alphas) > 0).all() and (np.diff(path.impurities) >= -1e-15).all()
    for alpha in path.ccp_alphas[::max(len(path.ccp_alphas) // 7, 1)]:
        tree = Estimator(ccp_alpha=alpha).fit(X, y).tree_
        assert tree == cut_back(whole, alpha) or alpha == 0
        R = tree.weight * tree.impurity / tree.weight[0]
        assert np.isclose(R[tree.leaves].sum(),
                          path.impurities[np.searchsorted(path.ccp_alphas, alpha)])
    assert cut_back(whole, path.ccp_alphas[-1]).node_count == 1

def test_all_the_digits():
    for a, b in [(1.0, np.nextafter(1, 2)), (2.0**24, 2.0**24 + 1), (1.7e9, 1.7e9 + 1),
                 (0.0, 5e-324), (-3e38, 3e38), (-np.inf, np.inf)]:
        X = np.array([[a], [b]] * 4)
        assert CARTClassifier().fit(X, [0, 1] * 4).score(X, [0, 1] * 4) == 1

def test_an_exclusive_or_is_learnt():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert (CARTClassifier().fit(X, [0, 1, 1, 0]).get_n_leaves() == 4
            and CARTClassifier(min_impurity_decrease=1e-9).fit(X, [0, 1, 1, 0]).get_n_leaves() == 1)

@pytest.mark.parametrize("bad, words", [
    (dict(criterion="twoing"), "'criterion' of CARTClassifier must be one of 'gini'"),
    (dict(splitter="random"), "'splitter'"),
    (dict(max_depth=0), "'max_depth'"), (dict(max_depth=2.5), "'max_depth'"),
    (dict(min_samples_split=1), r"int in the range \[2, inf\)"),
    (dict(min_samples_leaf=0), "'min_samples_leaf'"),
    (dict(min_weight_fraction_leaf=0.6), "'min_weight_fraction_leaf'"),
    (dict(max_leaf_nodes=1), "'max_leaf_nodes'"),
    (dict(max_features=0), "max_features"),
    (dict(min_impurity_decrease=-1), "'min_impurity_decrease'"),
    (dict(ccp_alpha=-0.1), "'ccp_alpha'"),
    (dict(min_impurity_decrease=None), "'min_impurity_decrease'")])
def test_parameters_out_of_range(bad, words):
    with pytest.raises(ValueError, match=words): CARTClassifier(**bad).fit([[0], [1]], [0, 1])

def test_pickles_hold_nothing_compiled():
    model = CARTClassifier().fit(*datasets.load_iris(return_X_y=True))
    model.predict([[1, 2, 3, 4]])
    assert (b"numba" not in pickle.dumps(model)
            and pickle.loads(pickle.dumps(model)).tree_ == model.tree_)

@pytest.mark.parametrize("weight", [np.nan, np.inf, -1])
def test_class_weights_that_are_none(weight):
    with pytest.raises(ValueError, match="class_weight is .* for the class 0"):
        CARTClassifier(class_weight={0: weight, 1: 1}).fit([[1], [2]], [0, 1])

def test_a_share_of_the_weight_is_a_share_in_any_unit():
    rng = np.random.default_rng(0)
    for n, share, w in product((2, 4, 7, 12), (0.1, 0.25, 0.3, 0.5), (0.1, 0.3, 0.7, 1/3)):
        X, y = rng.normal(size=(n, 2)), rng.integers(0, 2, n)
        model = CARTClassifier(min_weight_fraction_leaf=share)
        assert (clone(model).fit(X, y, np.full(n, w)).get_n_leaves()
                == model.fit(X, y).get_n_leaves())
