"Honest leaves: other rows than those that have grown the tree, and nothing else is different."
import pickle

import numpy as np
import pandas as pd
import pytest
from dtree_lit import CARTClassifier, CARTRegressor, CostComplexityCV
from dtree_lit.workshop.claims import interval_of
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

WHY = "rows are drawn by their places, so a row of weight two is not two rows"
PLACES = {f"check_sample_weight_equivalence_on_{kind}_data": WHY for kind in ("dense", "sparse")}

@parametrize_with_checks([CARTClassifier(honest=0.5), CARTRegressor(honest=0.3)],
                         expected_failed_checks=lambda model: PLACES)
def test_scikit_learns_checks(estimator, check): check(estimator)

def a_table(seed=0, n=150):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    number = X[:, 0] + rng.normal(size=n)
    return X, number, np.digitize(number, [-1, 1])

def filled(tree, X, y, w, x, classes=None):
    "What a row gets: mean or shares of the rows at its leaf, or at the nearest node with some."
    way = tree.path(x)
    for node in way[::-1]:
        there = np.array([node in tree.path(row) for row in X]) & (w > 0)
        if there.any(): break
    if classes is None: return np.average(y[there], weights=w[there])
    return [w[there & (y == c)].sum() / w[there].sum() for c in range(classes)]

@pytest.mark.parametrize("limits", [{}, dict(min_samples_leaf=5), dict(max_depth=2),
                                    dict(max_leaf_nodes=6),
                                    dict(missing="surrogates", max_depth=4)])
@pytest.mark.parametrize("weighted", [False, True])
def test_row_by_row(limits, weighted):
    X, number, label = a_table()
    X[::11, 0] = np.nan
    w = np.random.default_rng(1).integers(0, 4, 150) if weighted else np.ones(150)
    given = dict(sample_weight=w) if weighted else {}
    for Estimator, y, classes in ((CARTRegressor, number, None), (CARTClassifier, label, 3)):
        model = Estimator(honest=0.4, random_state=7, **limits).fit(X, y, **given)
        B, A = model.leaf_rows_, ~model.leaf_rows_ & (w > 0)
        assert B.sum() in (int(0.4 * (w > 0).sum()), int(0.4 * (w > 0).sum()) + 1)
        assert not (B & (w == 0)).any()
        own = dict(sample_weight=w[A]) if weighted else {}
        alone = Estimator(**limits).fit(X[A], y[A], **own).tree_
        assert alone == model.grown_tree_
        assert np.array_equal(alone.t, model.tree_.t, equal_nan=True)
        told = model.predict(X) if classes is None else model.predict_proba(X)
        for i in range(0, 150, 7):
            assert np.allclose(told[i], filled(alone, X[B], y[B], w[B], X[i], classes))

def test_most_leaves_of_a_grown_tree_are_empty_and_say_what_is_above():
    X, number, _ = a_table(3, 80)
    tree = CARTRegressor(honest=0.2, random_state=0).fit(X, number).tree_
    empty = tree.leaves[tree.size[tree.leaves] == 0]
    assert len(empty) > 5
    for k in empty:
        node = tree.parent[k]
        while tree.size[node] == 0: node = tree.parent[node]
        assert tree.value[k] == tree.value[node] and tree.impurity[k] == 0
    assert "mean of 0" in tree.text() and np.isfinite(tree.compute_feature_importances()).all()

def test_a_class_that_only_the_leaves_see():
    X, y = np.arange(40.0)[:, None], np.zeros(40, int)
    for seed in range(20):
        y[:] = X[:, 0] > 19
        rows = CARTClassifier(honest=0.5, random_state=seed).fit(X, y).leaf_rows_
        y[np.flatnonzero(rows)[0]] = 2                          # one row, which grows nothing
        model = CARTClassifier(honest=0.5, random_state=seed).fit(X, y)
        assert (model.leaf_rows_ == rows).all() and model.classes_.tolist() == [0, 1, 2]
        assert model.grown_tree_.counts[0, 0, 2] == 0 and model.tree_.counts[0, 0, 2] == 1

def test_seeds_and_what_is_kept():
    X, number, _ = a_table(1)
    one, same = (CARTRegressor(honest=0.5).fit(X, number) for _ in range(2))
    other = CARTRegressor(honest=0.5, random_state=1).fit(X, number)
    assert one.tree_ == same.tree_ and (one.leaf_rows_ == same.leaf_rows_).all()
    assert (one.leaf_rows_ != other.leaf_rows_).any()
    assert CARTRegressor(honest=0.5, n_jobs=2).fit(X, number).tree_ == one.tree_
    again = pickle.loads(pickle.dumps(one))
    assert again.tree_ == one.tree_ and again.grown_tree_ == one.grown_tree_
    assert clone(one).honest == 0.5 and not hasattr(clone(one), "leaf_rows_")
    one.set_params(honest=None).fit(X, number)
    assert not hasattr(one, "grown_tree_") and not hasattr(one, "leaf_rows_")
    assert one.tree_ == CARTRegressor().fit(X, number).tree_

def test_pruned_by_the_rows_that_grow():
    X, _, label = a_table(4)
    whole = CARTClassifier(honest=0.5).fit(X, label)
    path = whole.cost_complexity_pruning_path(X, label)
    assert path.leaves[0] == whole.get_n_leaves() and path.leaves[-1] == 1
    for alpha, leaves in list(zip(path.ccp_alphas, path.leaves))[1::4]:
        pruned = CARTClassifier(honest=0.5, ccp_alpha=alpha).fit(X, label)
        A = ~pruned.leaf_rows_
        assert pruned.get_n_leaves() == leaves
        assert pruned.grown_tree_ == CARTClassifier(ccp_alpha=alpha).fit(X[A], label[A]).tree_
    folds = CostComplexityCV(CARTClassifier(honest=0.5), cv=3, random_state=0).fit(X, label)
    assert folds.tree_.weight[0] == whole.leaf_rows_.sum()

def test_costs_priors_categories_and_losses():
    X, number, label = a_table(5)
    B = CARTClassifier(honest=0.5).fit(X, label).leaf_rows_
    dear = CARTClassifier(honest=0.5, max_depth=2, costs={0: {1: 5, 2: 1}, 1: {0: 1, 2: 1},
                                                          2: {0: 1, 1: 1}}).fit(X, label)
    assert dear.tree_.counts[0, 0].tolist() == np.bincount(label[B]).tolist()
    assert dear.tree_ == dear.grown_tree_.recount(X[B], label[B])
    equal = CARTClassifier(honest=0.5, max_depth=1, priors="equal").fit(X, label)
    w = 1 / np.bincount(label)[label]
    assert np.allclose(equal.tree_.value[0, 0], [w[B & (label == c)].sum() / w[B].sum()
                                                 for c in range(3)])
    frame = pd.DataFrame(dict(word=np.array(list("abc"))[label], x=X[:, 0]))
    assert CARTClassifier(honest=0.5).fit(frame, label).score(frame, label) == 1
    middle = CARTRegressor(honest=0.5, criterion="absolute_error", max_depth=2).fit(X, number)
    ends = middle.apply(X)
    for k in middle.tree_.leaves:
        assert middle.tree_.value[k, 0, 0] == np.median(number[B & (ends == k)])

def test_unbiased():
    "The lowest of four leaves, as the growing rows see it, against the truth."
    points = np.random.default_rng(9).uniform(-1, 1, (8000, 4))
    grown, honest = [], []
    for seed in range(1000):
        rng = np.random.default_rng(10**6 + seed)
        X = rng.uniform(-1, 1, (200, 4))
        y = X[:, 0] + rng.normal(size=200)
        model = CARTRegressor(honest=0.5, max_leaf_nodes=4, min_samples_leaf=8,
                              random_state=seed).fit(X, y)
        leaves = model.tree_.leaves
        k = leaves[model.grown_tree_.value[leaves, 0, 0].argmin()]
        truth = points[model.apply(points) == k, 0].mean()
        grown.append(model.grown_tree_.value[k, 0, 0] - truth)
        honest.append(model.tree_.value[k, 0, 0] - truth)
    assert interval_of(grown)[1] < -0.3
    assert -0.03 < interval_of(honest)[0] < 0 < interval_of(honest)[1] < 0.03

def test_the_draw_does_not_look_at_the_rows():
    "Each row is drawn as often as any other, alone and together with others."
    def rows(seed):
        model = CARTRegressor(honest=0.25, max_depth=1, random_state=seed)
        return model.fit(np.arange(8.0)[:, None], np.arange(8)).leaf_rows_
    drawn = np.array([rows(seed) for seed in range(2000)])
    assert (drawn.sum(axis=1) == 2).all()
    assert abs(drawn.mean(axis=0) - 0.25).max() < 0.04
    pairs = drawn.T.astype(float) @ drawn / 2000
    assert abs(pairs[~np.eye(8, dtype=bool)] - 2 / 56).max() < 0.02

@pytest.mark.parametrize("share", [0, 1, -0.5, True, "half", np.nan])
def test_refusals(share):
    with pytest.raises(ValueError, match="'honest' of CARTRegressor must be a number between 0"):
        CARTRegressor(honest=share).fit([[0], [1], [2]], [0, 1, 2])

def test_more_refusals():
    with pytest.raises(ValueError, match="n_samples=3 is too few to hold out 0.1"):
        for seed in range(20): CARTRegressor(honest=0.1, random_state=seed).fit(
            [[0], [1], [2], [3]], [0, 1, 2, 3], sample_weight=[1, 0, 1, 1])
    with pytest.raises(ValueError, match="honest does not go together with monotonic_cst"):
        CARTClassifier(honest=0.5, monotonic_cst=[1]).fit([[0], [1]], [0, 1])
