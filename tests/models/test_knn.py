"""The nearest: all structures find what the definition says, and k-NN answers what a program of
its own answered."""
import gzip
import json
import os
import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from dtree_lit import BallTree, KDTree, KNNClassifier, KNNRegressor
from dtree_lit.models.knn import Brute, Either
from dtree_lit.models.nearest_points import (nearest_by_definition, of_length_one, Points, raised,
                                             rooted, sums_of_powers)
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.places import DATA
from helpers.renting import buy, rent

HERE = DATA
POWERS = 1, 2, np.inf, 3, 1.5, 0.5, 2.7

def read(name): return json.loads(gzip.open(HERE / name).read())

def test_the_references():
    known, tables = read("knn.json.gz"), read("weka_j48.json.gz")["data"]
    rows = {name: np.array([row.split(",") for row in tables[name]["rows"]], float)
            for name in ("iris", "diabetes")}
    rows["cpu"] = np.array([row.split(",") for row in known["cpu"]], float)
    for one in known["references"]:
        table = rows[one["data"]]
        asked = np.arange(len(table)) % 3 == 2
        of = dict(p=3) if one["metric"] == "minkowski3" else dict(metric=one["metric"])
        model = (KNNRegressor if one["data"] == "cpu"
                 else KNNClassifier)(one["k"], weights=one["weights"], **of)
        said = model.fit(table[~asked, :-1], table[~asked, -1]).predict(table[asked, :-1])
        if one["data"] == "cpu": assert np.allclose(said, one["predictions"], rtol=1e-12), one
        else: assert "".join(str(int(v)) for v in said) == one["predictions"], one

def some_points(seed):
    """Points and questions of many kinds: by lot, on grids, all alike, and of sizes at which
    sums are zero or infinite."""
    r = np.random.default_rng(seed)
    n, d = int(r.choice([1, 5, 16, 17, 33, 100, 300])), int(r.integers(1, 7))
    kinds = (lambda: r.normal(size=(n, d)), lambda: r.integers(0, 4, (n, d)) * 0.1,
             lambda: np.ones((n, d)), lambda: r.normal(size=(n, d)) * 10.0 ** r.integers(-200, 200),
             lambda: r.integers(-3, 3, (n, d)) * 10.0 ** r.integers(-170, 160),
             lambda: r.normal(size=(n, d)) + 1e8)
    X = kinds[seed % 6]()
    near = X[r.integers(0, n, 9)]
    return (X, np.vstack([near, near * (1 + 1e-15), r.normal(size=(5, d)) * abs(X).max()]),
            POWERS[seed % 7], int(r.integers(1, min(n, 9) + 1)), int(r.choice([1, 16, 40])))

def test_all_structures_find_what_the_definition_says():
    for seed in range(300):
        X, Q, p, k, leaf_size = some_points(seed)
        S = sums_of_powers(Q, X, p)
        J = np.argsort(S, axis=1, kind="stable")[:, :k]
        S = np.take_along_axis(S, J, 1)
        trees = [Points(X, p=p), Brute(X, p=p),
                 KDTree(X, leaf_size, p=p)] + ([BallTree(X, leaf_size, p=p)] if p >= 1 else [])
        for tree in trees:
            s, j = tree._nearest(Q, k, None)
            assert s.tobytes() == S.tobytes() and j.tobytes() == J.tobytes(), (seed, tree)
        r = rooted(S[:, -1], p)
        expected = trees[0].query_radius(Q, r, True, sort_results=seed % 2 == 0)
        for tree in trees[2:]:
            found = tree.query_radius(Q, r, True, sort_results=seed % 2 == 0)
            assert all(np.array_equal(a, b) for one, two in zip(found, expected)
                       for a, b in zip(one, two)), (seed, tree)
            assert (tree.query_radius(Q, r, count_only=True).tolist()
                    == [len(a) for a in expected[0]])

def test_many_equal_points():
    r = np.random.default_rng(0)
    X, Q = r.integers(0, 3, (5000, 3)).astype(float), r.integers(0, 3, (700, 3)).astype(float)
    expected = nearest_by_definition(Q, X, 7)
    for tree in (KDTree(X), BallTree(X), Brute(X), Either(X)):
        for threads in (1, 2):
            assert ([a.tobytes() for a in tree._nearest(Q, 7, threads)]
                    == [a.tobytes() for a in expected])
    assert KDTree(X).share_seen(Q, 7) < 0.05               # and few of the equal ones are looked at

def test_long_lists():
    "Where neighbors are kept in a heap they are the same."
    r = np.random.default_rng(0)
    X = np.vstack([r.integers(0, 5, (900, 3)), r.normal(size=(900, 3))])
    for k in (256, 257, 1000, 1800):
        expected = [a.tobytes() for a in nearest_by_definition(X[::60], X, k)]
        for tree in (KDTree(X), BallTree(X), Brute(X)):
            assert [a.tobytes() for a in tree._nearest(X[::60], k, 2)] == expected

@given(st.floats(0, 1e200), st.floats(0, 1e200), st.floats(0.01, 40))
def test_powers_keep_the_order(a, b, p):
    a, b = sorted((a, b))
    with np.errstate(over="ignore"):
        assert interpreted(raised)(a, p) <= interpreted(raised)(b, p)
        x, y = interpreted(raised)(a, p), np.float64(a) ** p
    assert np.isclose(x, y, rtol=1e-12) or max(x, y) < 1e-300 or min(x, y) > 1e300

def test_a_trial_changes_nothing():
    r = np.random.default_rng(0)
    X, Q = r.normal(size=(3000, 30)), r.normal(size=(400, 30))
    tree = Either(X)
    assert np.array_equal(tree.query(Q, 5)[1], KDTree(X).query(Q, 5)[1]) and "_brute" in vars(tree)
    few = Either(X[:, :2])
    few.query(Q[:, :2], 5)
    assert "_brute" not in vars(few)

def test_directions():
    r = np.random.default_rng(0)
    X, Q = r.normal(size=(200, 4)), r.normal(size=(50, 4))
    D, J = KDTree(X, metric="cosine").query(Q, 5)
    cosine = 1 - (Q @ X.T) / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(X, axis=1)
    assert (np.allclose(D, np.sort(cosine, axis=1)[:, :5])
            and np.array_equal(J, np.argsort(cosine, axis=1)[:, :5]))
    assert np.array_equal(of_length_one(X * 2.0**900), of_length_one(X * 2.0**-900))
    within, far = (KDTree(X, metric="cosine").query_radius(Q, 0.1),
                   Points(X, metric="cosine").query_radius(Q, 0.1))
    assert (all(map(np.array_equal, within, far))
            and all(np.array_equal(J, np.flatnonzero(row <= 0.1))
                    for J, row in zip(within, cosine)))

@parametrize_with_checks([KNNClassifier(), KNNRegressor(weights="distance", algorithm="kd_tree"),
                          KNNClassifier(metric="manhattan", algorithm="ball_tree", leaf_size=40)])
def test_the_manners_of_scikit_learn(estimator, check): check(estimator)

@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: 1 / (1 + d)])
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
def test_as_scikit_learn_says(weights, algorithm):
    r = np.random.default_rng(0)
    X, Q, y = r.normal(size=(300, 3)), r.normal(size=(90, 3)), r.integers(0, 3, (300, 2))
    for labels in (y, y[:, 0]):
        ours, theirs = (kind(7, weights=weights, algorithm=algorithm).fit(X, labels)
                        for kind in (KNNClassifier, KNeighborsClassifier))
        assert (np.array_equal(ours.predict(Q), theirs.predict(Q))
                and np.allclose(ours.predict_proba(Q), theirs.predict_proba(Q)))
        ours, theirs = (kind(7, weights=weights, algorithm=algorithm).fit(X, labels)
                        for kind in (KNNRegressor, KNeighborsRegressor))
        assert np.allclose(ours.predict(Q), theirs.predict(Q))
    for mode in ("connectivity", "distance"):
        for Z in (None, Q):
            assert np.allclose(ours.kneighbors_graph(Z, mode=mode).toarray(),
                               theirs.kneighbors_graph(Z, mode=mode).toarray())
    assert np.array_equal(ours.kneighbors(None, 4)[1], theirs.kneighbors(None, 4)[1])
    inside = ours.radius_neighbors(None, 0.7)[1]
    assert (all(i not in found for i, found in enumerate(inside)) and sum(map(len, inside))
            == sum(map(len, ours.radius_neighbors(X, 0.7, False))) - len(X))

def test_none_is_its_own_neighbor():
    X = np.zeros((40, 1))
    D, J = KNNRegressor(3).fit(X, X[:, 0]).kneighbors()
    assert (not D.any() and J[0].tolist() == [1, 2, 3] and J[1].tolist() == [0, 2, 3]
            and J[39].tolist() == [0, 1, 2])

def test_at_distance_zero_nobody_else_counts():
    X, y = [[0.0], [0.0], [1e-100], [1.0]], [1.0, 2.0, 30.0, 40.0]
    assert KNNRegressor(4, weights="distance").fit(X, y).predict([[0.0]]) == [1.5]
    assert (KNNClassifier(4, weights="distance").fit(X, y).predict_proba([[0.0]]).tolist()
            == [[0.5, 0.5, 0, 0]])
    assert KNNClassifier(4).fit(X, y).predict([[0.0]]) == [1.0]    # one vote each: the lowest class

def test_sums_and_weights_of_any_size():
    r = np.random.default_rng(0)
    X, y = r.normal(size=(60, 2)), r.normal(size=(60, 2))
    for weights in ("uniform", "distance", lambda d: 1 / (1 + d)):
        said = KNNRegressor(5, weights=weights).fit(X, y).predict(X)
        for size in (2.0**1000, 2.0**-900):                        # a power of two: the same digits
            assert (KNNRegressor(5, weights=weights).fit(X, y * size).predict(X)
                    == said * size).all()
    both = KNNRegressor(1).fit([[0.0], [1.0]], [1.7e308, 1e-300]).predict([[0.0], [1.0]])
    assert both.tolist() == [1.7e308, 1e-300]                    # the unit is that of each question
    assert (KNNRegressor(3).fit(X, np.full(60, 1.5 * 2.0**1023)).predict(X).tolist()
            == [1.5 * 2.0**1023] * 60)
    some, many, few = (KNNClassifier(5, weights=lambda d, u=u: u / (1 + d)).fit(
        X, y[:, 0] > 0).predict_proba(X) for u in (1, 2.0**1023, 2.0**-1000))
    assert (some == many).all() and (some == few).all()

@pytest.mark.filterwarnings("error")
def test_far_away_and_tiny_powers_without_a_warning():
    r = np.random.default_rng(0)
    X, Q = r.normal(size=(500, 4)), r.normal(size=(400, 4)) * 1e60
    expected = nearest_by_definition(Q, X, 3)
    assert [a.tobytes() for a in Brute(X)._nearest(Q, 3, None)] == [a.tobytes() for a in expected]
    assert KDTree(X, p=1e-3).query(X[:5])[1].ravel().tolist() == [0, 1, 2, 3, 4]

def test_pickles_copies_and_locked_arrays():
    X, y = load_iris(return_X_y=True)
    for model in (KNNClassifier(), KNNClassifier(algorithm="brute", weights="distance"),
                  KNNClassifier(algorithm="ball_tree")):
        said = model.fit(X, y).predict_proba(X)
        again = pickle.loads(pickle.dumps(model))
        for part in vars(again.points_).values():
            # as joblib hands them over
            if isinstance(part, np.ndarray): part.flags.writeable = False
        assert (again.predict_proba(X).tobytes() == said.tobytes()
                == clone(model).fit(X, y).predict_proba(X).tobytes())
    tree = KDTree(X)
    tree.index
    assert all(map(np.array_equal, pickle.loads(pickle.dumps(tree)).query(X, 3), tree.query(X, 3)))
    mine = X.copy()
    tree = KDTree(mine)
    mine[:] = 0
    # the tree has points of its own
    assert np.array_equal(tree.query(X, 3)[1], KDTree(X).query(X, 3)[1])

@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    module = import_module(library)
    frame = module.table if library == "pyarrow" else module.DataFrame
    X = frame({"a": [0.0, 1.0, 5.0], "b": [1.0, 2.0, 3.0]})
    model = KNNClassifier(1).fit(X, ["near", "near", "far"])
    assert (model.predict(X).tolist() == ["near", "near", "far"]
            and model.feature_names_in_.tolist() == ["a", "b"])
    with pytest.raises(ValueError, match="row 1 of column 'b' holds NaN"):
        model.predict(frame({"a": [1.0, 2.0], "b": [1.0, np.nan]}))
    assert KDTree(X).query(X)[1].ravel().tolist() == [0, 1, 2]

@pytest.mark.parametrize("f, words", [
    (lambda X: KDTree(X).query(X, 7), "whole number from 1 to 6"),
    (lambda X: KDTree(X).query(X[:, :1]), "1 columns, and the points that are searched have 2"),
    (lambda X: KDTree(X, metric="haversine"), "metric is 'haversine', and must be one of"),
    (lambda X: KDTree(X, p=0), "above zero"),
    (lambda X: BallTree(X, p=0.5), "triangle"),
    (lambda X: KDTree(X, 0), "leaf_size is 0"),
    (lambda X: KDTree([[1, np.inf]]), "row 0 of column 1 holds inf, which"),
    (lambda X: KDTree([[0, 0], [1, 1]], metric="cosine"), "row 0 of X holds only zeros"),
    (lambda X: KDTree(X).query_radius(X, [1, 2]), "one for each of 6"),
    (lambda X: KDTree(X).query_radius(X, np.nan), "NaN"),
    (lambda X: KDTree(X).query_radius(X, 1, sort_results=True), "return_distance"),
    (lambda X: KNNClassifier(7).fit(X, X[:, 0]).predict(X), "from 1 to 6"),
    (lambda X: KNNClassifier(6).fit(X, X[:, 0]).kneighbors(), "no row is its own"),
    (lambda X: KNNClassifier(2.5).fit(X, X[:, 0]), "'n_neighbors' of KNNClassifier"),
    (lambda X: KNNClassifier(weights="near").fit(X, X[:, 0]), "'weights' of KNNClassifier"),
    (lambda X: KNNClassifier(algorithm="faiss").fit(X, X[:, 0]), "'algorithm' of KNNClassifier"),
    (lambda X: KNNRegressor(2, weights=lambda d: d * 0).fit(X, X[:, 0]).predict(X),
     "at least one must count"),
    (lambda X: KNNClassifier(2, weights=lambda d: 1 - d).fit(X, X[:, 0]).predict(X),
     r"weights makes -\S+ of the distance \S+, and a weight"),
    (lambda X: KNNClassifier(2, weights=lambda d: np.where(d == 0, np.inf, 1)).fit(
    X, X[:, 0]).predict(X), "weights makes inf of the distance 0.0, .* 'distance'"),
    (lambda X: KNNClassifier(2, weights=lambda d: d.astype(str)).fit(X, X[:, 0]).predict(X),
     "must return numbers in the shape"),
    (lambda X: KNNClassifier(2).fit(X, X[:, 0]).set_params(weights="near").predict(X),
     "'weights' of KNNClassifier"),
    (lambda X: KNNClassifier(2).fit(X, X[:, 0]).kneighbors(X, "2"), "n_neighbors is '2'"),
    (lambda X: KNNClassifier(2).fit(X, X[:, 0]).kneighbors(X, np.float32(2)), "n_neighbors is"),
    (lambda X: KNNClassifier(2).fit(X, X[:, 0]).kneighbors(X, np.True_), "n_neighbors is"),
    (lambda X: KNNClassifier(1).fit(X[:1], X[:1, 0]).predict(None), "alone has no neighbors"),
    (lambda X: KNNRegressor(2, weights=lambda d: d[:, 0]).fit(X, X[:, 0]).predict(X),
     "must return numbers in the shape"),
    (lambda X: KNNRegressor(2).fit(X, X[:, 0]).kneighbors_graph(mode="near"), "mode is 'near'"),
])
def test_refusals(f, words):
    with pytest.raises(ValueError, match=words): f(np.arange(12.0).reshape(6, 2) % 5)

def test_nobody_waits_for_a_compiler():
    code = """
import sys
from sklearn.datasets import load_iris
from dtree_lit import KNNClassifier, KDTree
X, y = load_iris(return_X_y=True)
print((KNNClassifier(1).fit(X, y).predict(X) == y).all(), KDTree(X).query_radius(X, 0, count_only=True).sum(), "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"DTREE_LIT_RENT": "1"},
                          capture_output=True, text=True, check=True)
    assert done.stdout == "True 152 False\n"

def test_what_is_rented_is_the_same(monkeypatch):
    r = np.random.default_rng(0)
    X, Q, said = np.round(r.normal(size=(400, 3)), 1), np.round(r.normal(size=(350, 3)), 1), []
    for allowed in (True, False):
        (rent if allowed else buy)(monkeypatch)
        said.append([a.tobytes() for kind in (KDTree, Brute, Either, BallTree)
                     for a in kind(X).query(Q, 4)])
    assert said[0] == said[1]
