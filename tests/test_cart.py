"CART against scikit-learn, brute force, and its own promises."
import pickle
from itertools import product

import numpy as np
import pytest
from dtree_lit.cart import CARTClassifier, CARTRegressor, cut_back, pruning_path, weakest_links
from dtree_lit.tree import Tree
from hypothesis import given, settings, strategies as st
from sklearn import datasets
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

@parametrize_with_checks([CARTClassifier(), CARTRegressor(), CARTClassifier(criterion="entropy", max_leaf_nodes=7),
                          CARTClassifier(criterion="misclassification", max_depth=4), CARTRegressor(criterion="sdr", ccp_alpha=0.01),
                          CARTRegressor(max_features=0.5)])
def test_scikit_learns_checks(estimator, check): check(estimator)

LIMITS = [{}, dict(max_depth=3), dict(min_samples_split=0.2), dict(min_samples_leaf=9), dict(min_samples_leaf=0.06), dict(min_weight_fraction_leaf=0.1),
          dict(max_leaf_nodes=9), dict(min_impurity_decrease=0.01), dict(ccp_alpha=0.01), dict(max_depth=5, max_leaf_nodes=6, min_samples_leaf=4)]

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
    return len(a.feature) == len(b.feature) and np.array_equal(a.feature, b.feature) and np.array_equal(a.first, b.first)

@pytest.mark.parametrize("name, criterion", list(product(TABLES, ["gini", "entropy", "squared_error"])))
def test_where_scikit_learn_has_no_choice(name, criterion):
    "If five seeds give one tree there, it is ours."
    X, labels, numbers, w = TABLES[name]
    ours, theirs, y = (CARTRegressor, DecisionTreeRegressor, numbers) if criterion == "squared_error" else (CARTClassifier, DecisionTreeClassifier, labels)
    compared = 0
    for limits in LIMITS:
        models = [theirs(random_state=i, criterion=criterion, **limits).fit(X, y, sample_weight=w) for i in range(5)]
        model = ours(criterion=criterion, **limits).fit(X, y, sample_weight=w)
        tree, other, *seeds = model.tree_, *map(Tree.from_sklearn, models)
        if not all(same_questions(other, seed) for seed in seeds): continue      # ties: lots were drawn
        compared += 1
        assert same_questions(tree, other), limits
        assert np.array_equal(tree.size, other.size) and np.allclose(tree.weight, other.weight) and np.allclose(tree.value, other.value)
        assert np.allclose(tree.impurity, other.impurity, atol=1e-9) and np.array_equal(tree.apply(X), other.apply(X))
        assert np.allclose(model.feature_importances_, models[0].feature_importances_)
        if ours is CARTClassifier: assert all(np.allclose(p, q) for p, q in zip(model.predict_proba(X), models[0].predict_proba(X)))
    assert compared >= 3

small = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=30)

def split(rows):
    a = np.array(rows, float)
    return a[:, :2], a[:, 2].astype(int), a[:, 3].astype(int)

@given(small, st.sampled_from(["gini", "entropy", "misclassification"]), st.sampled_from([{}, dict(max_depth=2), dict(min_impurity_decrease=0.02), dict(max_leaf_nodes=4)]))
@settings(max_examples=60)
def test_weights_are_repetitions(rows, criterion, limits):
    X, y, w = split(rows)
    if not w.any(): w[0] = 1
    i = np.repeat(np.arange(len(w)), w)
    a, b = CARTClassifier(criterion=criterion, **limits).fit(X, y, w).tree_, CARTClassifier(criterion=criterion, **limits).fit(X[i], y[i]).tree_
    assert np.array_equal(a.feature, b.feature) and np.array_equal(a.t, b.t, equal_nan=True) and np.allclose(a.weight, b.weight)

@given(small, st.randoms(use_true_random=False), st.sampled_from([CARTClassifier(), CARTClassifier(criterion="entropy"), CARTRegressor(), CARTClassifier(max_leaf_nodes=5)]))
@settings(max_examples=60)
def test_order_precision_and_threads_do_not_matter(rows, random, model):
    X, y, _ = split(rows)
    order = list(range(len(y)))
    random.shuffle(order)
    tree = clone(model).fit(X, y).tree_
    assert clone(model).fit(X[order], y[order]).tree_ == tree
    assert clone(model).fit(X.astype(np.float32), y).tree_ == tree
    assert clone(model).set_params(n_jobs=2).fit(X, y).tree_ == tree
    assert clone(model).set_params(random_state=5).fit(X, y).tree_ == tree

def test_threads():
    X, y, _, _ = TABLES["holes"]
    assert CARTClassifier(n_jobs=-1).fit(X, y).tree_ == CARTClassifier(n_jobs=1).fit(X, y).tree_

@given(small)
@settings(max_examples=60)
def test_limits(rows):
    X, y, w = split(rows)
    n = len(y)
    tree = CARTClassifier(max_depth=2, min_samples_split=5, min_samples_leaf=2, max_leaf_nodes=3).fit(X, y).tree_
    assert tree.max_depth <= 2 and tree.n_leaves <= 3 and (tree.size[tree.width > 0] >= 5).all() and (n < 5 or tree.size.min() >= 2)
    if not w.any(): w[0] = 1
    tree = CARTClassifier(min_weight_fraction_leaf=0.3).fit(X, y, w).tree_
    assert tree.node_count == 1 or tree.weight.min() >= 0.3 * w.sum()

def test_a_lot_drawn_twice():
    X, y, _, _ = TABLES["plain"]
    def tree(seed): return CARTClassifier(max_features=1, random_state=seed).fit(X, y).tree_
    assert tree(3) == tree(3) and tree(None) == tree(None) and len({tuple(tree(i).feature) for i in range(6)}) > 1
    assert CARTClassifier(max_features=1, random_state=np.random.RandomState(7)).fit(X, y).tree_ == CARTClassifier(max_features=1, random_state=np.random.RandomState(7)).fit(X, y).tree_

@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, np.nan]), st.integers(0, 2)), min_size=2, max_size=14))
@settings(max_examples=80)
def test_both_sides_are_tried(rows):
    x, y = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows])
    def gini(c): return 1 - ((np.bincount(y[c]) / c.sum())**2).sum() if c.any() else 0
    def left(c): return (c.sum() * gini(c) + (~c).sum() * gini(~c)) / len(y)
    known = np.unique(x[~np.isnan(x)])
    ways = [left(c) for t in known[1:] for c in (x >= t, (x >= t) | np.isnan(x))] + [left(np.isnan(x))] * int(np.isnan(x).any() and len(known) > 0)
    model = CARTClassifier(max_depth=1).fit(x[:, None], y)
    tree = model.tree_
    if tree.node_count == 1: assert not ways or len(set(y)) == 1
    else:
        assert (tree.weight * tree.impurity)[1:].sum() / len(y) == pytest.approx(min(ways), abs=1e-12)
        ends = model.apply(x[:, None])
        assert np.array_equal(np.bincount(ends, minlength=3)[1:], tree.size[1:])

@pytest.mark.parametrize("load, Estimator, Theirs", [("wine", CARTClassifier, DecisionTreeClassifier), ("breast_cancer", CARTClassifier, DecisionTreeClassifier),
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
        assert np.isclose(R[tree.leaves].sum(), path.impurities[np.searchsorted(path.ccp_alphas, alpha)])
    assert cut_back(whole, path.ccp_alphas[-1]).node_count == 1

def test_all_the_digits():
    for a, b in [(1.0, np.nextafter(1, 2)), (2.0**24, 2.0**24 + 1), (1.7e9, 1.7e9 + 1), (0.0, 5e-324), (-3e38, 3e38), (-np.inf, np.inf)]:
        X = np.array([[a], [b]] * 4)
        assert CARTClassifier().fit(X, [0, 1] * 4).score(X, [0, 1] * 4) == 1

def test_an_exclusive_or_is_learnt():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert CARTClassifier().fit(X, [0, 1, 1, 0]).get_n_leaves() == 4 and CARTClassifier(min_impurity_decrease=1e-9).fit(X, [0, 1, 1, 0]).get_n_leaves() == 1

@pytest.mark.parametrize("bad, words", [
    (dict(criterion="twoing"), "'criterion' of CARTClassifier must be one of 'gini'"), (dict(splitter="random"), "'splitter'"),
    (dict(max_depth=0), "'max_depth'"), (dict(max_depth=2.5), "'max_depth'"), (dict(min_samples_split=1), r"int in the range \[2, inf\)"),
    (dict(min_samples_leaf=0), "'min_samples_leaf'"), (dict(min_weight_fraction_leaf=0.6), "'min_weight_fraction_leaf'"), (dict(max_leaf_nodes=1), "'max_leaf_nodes'"),
    (dict(max_features=0), "max_features"), (dict(min_impurity_decrease=-1), "'min_impurity_decrease'"), (dict(ccp_alpha=-0.1), "'ccp_alpha'"),
    (dict(min_impurity_decrease=None), "'min_impurity_decrease'")])
def test_parameters_out_of_range(bad, words):
    with pytest.raises(ValueError, match=words): CARTClassifier(**bad).fit([[0], [1]], [0, 1])

def test_pickles_hold_nothing_compiled():
    model = CARTClassifier().fit(*datasets.load_iris(return_X_y=True))
    model.predict([[1, 2, 3, 4]])
    assert b"numba" not in pickle.dumps(model) and pickle.loads(pickle.dumps(model)).tree_ == model.tree_
