"Out-of-bag permutation importance: tree by tree and row by row, and what must not change it."
from itertools import product

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, ForestClassifier, ForestRegressor,
                       oob_permutation_importance, self_information)
from dtree_lit.models.forest_importance import rises_by_permuting
from dtree_lit.trees.nodes import walk
from dtree_lit.workshop.claims import interval_of
from scipy.sparse import csr_matrix
from sklearn.inspection import permutation_importance

def a_table(seed=0, n=90):
    "Ties, missing values, and a feature that nothing depends on."
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(1)
    number = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) / 2
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, number, np.digitize(number, [-0.5, 0.5])

def row_by_row(forest, X, y, repeats=1, seed=0):
    "The definition, with the slow walk; y: (row, output) in the codes of the trees, or numbers."
    found = np.full((X.shape[1], len(forest.trees_)), np.nan)
    for (t, tree), f in product(enumerate(forest.trees_), range(X.shape[1])):
        rows, lost = np.flatnonzero(forest.bags_.of(t) == 0), []
        def loss(x, i):
            k = walk(tree, x)
            if tree.schema.classes[0] is None: return ((tree.value[k, :, 0] - y[i])**2).mean()
            return float((tree.value[k].argmax(axis=1) != y[i]).any())
        for r in range(repeats):
            order = np.random.default_rng((seed, t, f, r)).permutation(len(rows))
            for i, other in zip(rows, rows[order]):
                x = X[i].copy()
                x[f] = X[other, f]
                lost.append(loss(x, i) - loss(X[i], i))
        if lost: found[f, t] = np.mean(lost)
    return found

@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("Forest", [ForestClassifier, ForestRegressor])
def test_by_definition(Forest, outputs):
    X, number, label = a_table()
    y = number if Forest is ForestRegressor else label
    y = np.stack([y, y[::-1]], axis=1) if outputs == 2 else y
    forest = Forest(6, max_depth=4, random_state=3).fit(X, y)
    got = oob_permutation_importance(forest, X, y, n_repeats=2, seed=9)
    wanted = row_by_row(forest, X, y.reshape(90, -1), 2, 9)
    assert np.allclose(got.importances, wanted, rtol=1e-12, atol=1e-12) and abs(wanted).max() > 0.05
    assert np.allclose(got.importances_mean, wanted.mean(axis=1), atol=1e-12)
    assert np.allclose(got.importances_se, wanted.std(axis=1, ddof=1) / 6**0.5, atol=1e-12)

def test_the_mean_over_permutations_is_that_over_pairs():
    "Whatever draws them: the value of each row, given to each row, is equally probable."
    X, number, label = a_table(1, 40)
    forest = ForestClassifier(1, random_state=0).fit(X, label)
    tree, out = forest.trees_[0], np.flatnonzero(forest.bags_.of(0) == 0)
    got = oob_permutation_importance(forest, X, label, n_repeats=3000).importances_mean
    for f in range(4):
        moved = np.repeat(X[out], len(out), axis=0)
        moved[:, f] = np.tile(X[out, f], len(out))
        wrong = (tree.predict_labels(moved) != np.repeat(label[out], len(out))).mean()
        assert abs(got[f] - (wrong - (tree.predict_labels(X[out]) != label[out]).mean())) < 0.006

def test_the_same_on_rows_that_no_tree_has_seen():
    "scikit-learn's permutation importance of each tree, on held-out rows, differs by chance only."
    differ, found = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(1500, 3))
        y = (X[:, 0] + X[:, 1] / 2 > 0) ^ (rng.random(1500) < 0.1)
        forest = ForestClassifier(12, random_state=seed, max_depth=5).fit(X[:500], y[:500])
        ours = oob_permutation_importance(forest, X[:500], y[:500]).importances_mean
        theirs = np.mean([permutation_importance(tree, X[500:], y[500:], n_repeats=1,
                                                 random_state=t).importances_mean
                          for t, tree in enumerate(forest.estimators_)], axis=0)
        differ.append(ours - theirs)
        found.append(theirs)
    for low, high in map(interval_of, np.transpose(differ)): assert low < 0 < high < 0.03
    assert np.mean(found, axis=0)[0] > 0.15 and abs(np.mean(found, axis=0)[2]) < 0.01

def test_threads_more_trees_and_kinds_of_tables():
    X, number, label = a_table(2)
    first = ForestClassifier(8, random_state=1).fit(X, label)
    got = oob_permutation_importance(first, X, label)
    for jobs in (2, 3):
        again = ForestClassifier(8, random_state=1, n_jobs=jobs).fit(X, label)
        assert all(np.array_equal(a, b) for a, b in
                   zip(got, oob_permutation_importance(again, X, label)))
    more = oob_permutation_importance(first.set_params(n_estimators=12, warm_start=True)
                                      .fit(X, label), X, label)
    assert more.importances.shape[1] == 12
    assert np.array_equal(more.importances[:, :8], got.importances)
    assert not np.array_equal(oob_permutation_importance(first, X, label, seed=1).importances_mean,
                              more.importances_mean)
    names = np.array(["low", "middle", "top"])[label]
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = ForestClassifier(8, random_state=1).fit(frame, names)
    assert np.array_equal(oob_permutation_importance(named, frame, names).importances,
                          got.importances)
    full = np.nan_to_num(X)
    forest = ForestClassifier(5, random_state=0)
    dense, sparse = (oob_permutation_importance(forest.fit(Z, label), Z, label)
                     for Z in (full, csr_matrix(full)))
    assert np.array_equal(dense.importances, sparse.importances)

def test_categories():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(dict(shape=rng.choice(["disc", "square", "star"], 200),
                              noise=rng.choice(list("abcdefghijkl"), 200)))
    y = frame["shape"] == "star"
    got = oob_permutation_importance(ForestClassifier(15, random_state=0, max_features=None)
                                     .fit(frame, y), frame, y)
    assert got.importances_mean[0] > 0.3 and got.importances_mean[1] == 0

def test_weight_zero_is_no_row():
    X, number, label = a_table(3)
    w = np.random.default_rng(0).integers(0, 3, 90)
    there = w > 0
    forest = ForestClassifier(6, random_state=0).fit(X, label, sample_weight=w)
    alone = ForestClassifier(6, random_state=0).fit(X[there], label[there], sample_weight=w[there])
    a, b = (oob_permutation_importance(f, X[there], label[there]) for f in (forest, alone))
    assert np.array_equal(a.importances, b.importances)
    with pytest.raises(ValueError, match=f"fitted on {there.sum()} rows of weight above zero"):
        oob_permutation_importance(forest, X, label)

def test_trees_that_have_seen_everything():
    "Three rows: some bags have all of them."
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 2.0])
    forest = ForestRegressor(30, random_state=0).fit(X, y)
    whole = [t for t in range(30) if (forest.bags_.of(t) > 0).all()]
    got = oob_permutation_importance(forest, X, y)
    assert 0 < len(whole) < 30 and np.isnan(got.importances[0]).nonzero()[0].tolist() == whole
    known = got.importances[0, [t for t in range(30) if t not in whole]]
    assert np.allclose([got.importances_mean[0], got.importances_se[0]],
                       [known.mean(), known.std(ddof=1) / len(known)**0.5])
    one = next(s for s in range(99) if (Forest := ForestRegressor(1, random_state=s).fit(X, y))
               and (Forest.bags_.of(0) > 0).all())
    with pytest.raises(ValueError, match="every row is in the bag of every tree"):
        oob_permutation_importance(ForestRegressor(1, random_state=one).fit(X, y), X, y)
    single = ForestRegressor(1, random_state=0).fit(*a_table()[:2])
    assert np.isnan(oob_permutation_importance(single, *a_table()[:2]).importances_se).all()

@pytest.mark.parametrize("bad, words", [
    (dict(forest=CARTClassifier().fit([[0], [1]], [0, 1])), "bootstrap=True"),
    (dict(forest=self_information), "bootstrap=True"),
    (dict(n_repeats=0), "n_repeats is 0"), (dict(n_repeats=True), "n_repeats is True"),
    (dict(n_repeats=1.5), "whole number"),
    (dict(X=np.zeros((90, 4))), "X is not the table"),
    (dict(y=np.full(90, 7)), "label 7"), (dict(y=np.zeros(89, int)), "y 89")])
def test_refusals(bad, words):
    X, _, label = a_table()
    forest = ForestClassifier(3, random_state=0).fit(X, label)
    with pytest.raises(ValueError, match=words):
        oob_permutation_importance(**(dict(forest=forest, X=X, y=label) | bad))

def test_every_permutation_is_drawn():
    "Each of the six orders of three rows about equally often, and other columns untouched."
    seen, X = [], np.array([[1.0, 5], [2, 6], [3, 7]])
    def error(Z):
        seen.append(tuple(Z[:, 0]))
        assert Z[:, 1].tolist() == [5, 6, 7]
        return Z[:, 0] @ [1, 10, 100]
    rises = rises_by_permuting(error, X, [0], 600, (4,))
    kinds, times = np.unique(seen[1:], axis=0, return_counts=True)
    assert len(kinds) == 6 and times.min() > 70 and seen[0] == (1, 2, 3)
    assert np.allclose(rises[:, 0], np.array(seen[1:]) @ [1, 10, 100] - 321)
    assert (rises[:, 1] == 0).all() and X[:, 0].tolist() == [1, 2, 3]
