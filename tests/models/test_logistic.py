"""Logistic regression: R's numbers, every verdict with a proof of its own, units, edges, and
scikit-learn's checks."""
import gzip
import json
import pickle
import warnings
from decimal import Decimal, getcontext
from fractions import Fraction
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from dtree_lit.models.logistic import (beginning, comparisons, design, independent,
                                       LogisticClassifier, maximum_likelihood, newton, model_of,
                                       SeparationWarning, sigmoid, surely_exists)
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.places import DATA

R = json.loads((DATA / "r_glm.json").read_text())["references"]
WEKA = json.loads(gzip.decompress((DATA / "weka_j48.json.gz").read_bytes()))["data"]
pytestmark = pytest.mark.filterwarnings("ignore::dtree_lit.models.logistic.SeparationWarning")

def rows_of(r):
    "The rows that R was given, and the labels as words."
    name, words = WEKA[r["id"].split()[0]], WEKA[r["id"].split()[0]]["classes"]
    rows = np.array([list(map(float, row.split(",")))
                     for i, row in enumerate(name["rows"]) if i % 3 != 2])
    X, y = (pd.DataFrame(rows[:, :-1], columns=list(name["attributes"])),
            np.array(words)[rows[:, -1].astype(int)])
    if "iris" in r["id"]: X, y = X[y != words[0]][["petallength", "petalwidth"]], y[y != words[0]]
    elif "all" not in r["id"]: X = X[["plas"]]
    return (X - X.mean(), y) if "noint" in r["id"] else (X, y)

@pytest.mark.parametrize("r", R, ids=lambda r: r["id"])
def test_like_r(r):
    X, y = rows_of(r)
    model = LogisticClassifier(fit_intercept="noint" not in r["id"]).fit(X, y)
    told = model.summary()
    assert (told.table.index.str.strip("()").str.lower().tolist()[-1] in r["names"][-1].lower()
            or "noint" in r["id"])
    # R stops when the deviance does, there one step earlier
    off = 1e-9 if "noint" not in r["id"] else 2e-8
    assert np.allclose(told.table["estimate"], r["coefficients"], rtol=off, atol=0)
    # R takes the weights of the step before
    assert np.allclose(told.table["std_error"], r["std_error"], rtol=1e-6, atol=0)
    assert np.allclose([told.deviance, told.null_deviance], [r["deviance"], r["null_deviance"]],
                       rtol=1e-12, atol=0)
    assert np.allclose(model.predict_proba(X)[:, 1], r["fitted"],
                       atol=1e-9 if off == 1e-9 else 1e-8)
    if "noint" in r["id"]:                              # from where R stopped, one step of Newton's
        Z = np.where(y == model.classes_[1], 1, -1)[:, None] * X.to_numpy()
        p = sigmoid(Z @ r["coefficients"])
        d = np.linalg.solve((Z.T * (p * (1 - p))) @ Z, (1 - p) @ Z)
        assert np.allclose(model.coef_[0], r["coefficients"] + d, rtol=1e-13)

@parametrize_with_checks([LogisticClassifier(), LogisticClassifier(C=0.1, class_weight="balanced")])
def test_conventions(estimator, check): check(estimator)

def some_table(lots):
    """Rows and classes, often separated; now and then with a column that repeats others, far
    away or in odd units."""
    n, m, K = int(lots.integers(4, 40)), int(lots.integers(1, 5)), int(lots.choice([2, 2, 3, 4]))
    X = lots.integers(-2, 3, (n, m)) * lots.choice([1, 1, 0.1, 1e6]) + lots.choice([0, 0, 100])
    pull = (X[:, :1] - X[:, 0].mean()) / max(np.ptp(X), 1e-9) * np.linspace(-4, 4, K)
    y = (pull + lots.gumbel(size=(n, K)) * lots.choice([0.1, 0.5, 2])).argmax(axis=1)
    if lots.random() < 0.1: X = np.column_stack([X, X.sum(axis=1)])
    return X, np.unique(y, return_inverse=True)[1]

def positive_weights(A, b):
    """Fractions above zero with which the rows of A sum to zero: Stiemke's proof that no
    direction separates; b is where the slope is almost zero."""
    rows = [[Fraction(v) for v in row] for row in A.tolist()]
    weights = [Fraction(v) for v in sigmoid(-A @ b).tolist()]
    left = [sum(w * row[j] for w, row in zip(weights, rows)) for j in range(A.shape[1])]
    # a · e for an e that is near to what solves A'diag(weights)A e = left…
    Q = (A.T * np.array([float(w) for w in weights])) @ A
    exact = [[sum(w * row[i] * row[j] for w, row in zip(weights, rows)) for j in range(A.shape[1])]
             for i in range(A.shape[1])]
    e = solved(exact, left)                                             # …exactly
    return None if e is None else [w * (1 - sum(u * v for u, v in zip(row, e)))
                                   for w, row in zip(weights, rows)]

def solved(M, b):
    "M x = b in fractions; None where M is singular."
    M = [row + [v] for row, v in zip(M, b)]
    for i in range(len(M)):
        at = next((k for k in range(i, len(M)) if M[k][i]), None)
        if at is None: return None
        M[i], M[at] = M[at], M[i]
        M[i] = [v / M[i][i] for v in M[i]]
        for k in range(len(M)):
            if k != i and M[k][i]: M[k] = [u - M[k][i] * v for u, v in zip(M[k], M[i])]
    return [row[-1] for row in M]

def test_every_verdict_is_proved_in_fractions():
    lots, tally = np.random.default_rng(1), dict(maximum=0, complete=0, partial=0)
    for _ in range(200):
        X, y = some_table(lots)
        K = int(y.max()) + 1
        if K < 2: continue
        found = maximum_likelihood(X, y, K)
        assert found.proved
        if found.separation is not None:
            B = np.column_stack([found.separation.direction, found.separation.intercept])
            tally["complete" if found.separation.complete else "partial"] += 1
            continue         # was looked at in whole numbers; the direction that is told is rounded
        kept = np.append(~found.left_out, True)
        ones = np.column_stack([X, np.ones(len(X))])[:, kept]
        scale = 2.0 ** np.round(np.log2(abs(ones).max(axis=0)))
        A = comparisons(ones / scale, y, K)
        if A.size > 300: continue                           # fractions take their time
        b = (np.column_stack([found.coef, found.intercept])[:, kept] * scale).ravel()
        weights = positive_weights(A, b)
        assert weights is not None and min(weights) > 0
        sums = [sum(w * Fraction(v) for w, v in zip(weights, column)) for column in A.T.tolist()]
        assert not any(sums)
        tally["maximum"] += 1
    assert min(tally.values()) > 15, tally

def test_a_programme_agrees():
    lots, tally = np.random.default_rng(2), {}
    for _ in range(200):
        X, y = some_table(lots)
        K = int(y.max()) + 1
        if K < 2: continue
        found = maximum_likelihood(X, y, K)
        A = comparisons(np.column_stack([(X - X.mean(axis=0)) / max(np.ptp(X), 1e-9),
                                         np.ones(len(X))]), y, K)
        separated = -linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)),
                             bounds=(-1, 1)).fun > 1e-7
        assert found.proved and (found.separation is not None) == separated
        tally[separated] = tally.get(separated, 0) + 1
    assert min(tally.values()) > 50, tally

@pytest.mark.parametrize("K", [2, 3])
def test_against_scikit_learn(K):
    X, y = make_blobs(300, centers=K, cluster_std=6, random_state=1)
    w = np.random.default_rng(0).random(300) + 0.5
    for C in (None, 0.01, 1.0, 1e6):
        for intercept in (True, False):
            ours = LogisticClassifier(C=C, fit_intercept=intercept).fit(X, y, w)
            theirs = LogisticRegression(C=np.inf if C is None else C, fit_intercept=intercept,
                                        solver="newton-cholesky", tol=1e-12).fit(X, y, w)
            assert (np.allclose(ours.coef_, theirs.coef_, rtol=1e-5, atol=1e-7)
                    and np.allclose(ours.intercept_, theirs.intercept_, rtol=1e-5, atol=1e-6))
            assert (np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
                    and (ours.predict(X) == theirs.predict(X)).all())
            assert (np.allclose(ours.predict_log_proba(X), np.log(ours.predict_proba(X)))
                    and ours.decision_function(X).shape == theirs.decision_function(X).shape)
            assert ours.n_iter_.shape == (1,) and (intercept or not ours.intercept_.any())
    assert np.array_equal(LogisticClassifier(C=np.inf).fit(X, y).coef_,
                          LogisticClassifier().fit(X, y).coef_)

def test_units_do_not_matter():
    lots = np.random.default_rng(0)
    X = lots.normal(size=(500, 4)) + [0, 50, 0, 1]
    y = (X[:, 0] - X[:, 3] + lots.logistic(size=500) > 0).astype(int) + (X[:, 1] > 51)
    for labels in (y > 0, y):
        model = LogisticClassifier().fit(X, labels)
        for units in ([1e-3, 1e3, 1e-3, 1e3], [1e-200, 1, 1e200, 1e-9]):
            other = LogisticClassifier().fit(X * units, labels)
            assert (np.allclose(other.coef_ * units, model.coef_, rtol=1e-9, atol=0)
                    and np.allclose(other.intercept_, model.intercept_, rtol=1e-9))
        moved = LogisticClassifier().fit(X - 7, labels)
        assert np.allclose(moved.coef_, model.coef_, rtol=1e-9)

def test_weights():
    X, y = make_blobs(60, centers=2, cluster_std=5, random_state=0)
    w = np.random.default_rng(0).integers(0, 4, 60)
    weighted, repeated = (LogisticClassifier().fit(X, y, w),
                          LogisticClassifier().fit(np.repeat(X, w, axis=0), np.repeat(y, w)))
    assert (np.allclose(weighted.coef_, repeated.coef_, rtol=1e-10)
            and np.allclose(weighted.summary().table, repeated.summary().table, rtol=1e-8))
    balanced = LogisticClassifier(class_weight="balanced").fit(X, y, w)
    by_hand = np.bincount(y, w).sum() / 2 / np.bincount(y, w)
    assert np.allclose(balanced.coef_,
                       LogisticClassifier(class_weight=dict(enumerate(by_hand))).fit(X, y, w).coef_,
                       rtol=1e-10)
    with pytest.raises(ValueError, match="non-zero|is zero"): LogisticClassifier().fit(X, y, w * 0)
    with pytest.raises(ValueError, match="one class only, 0, among the rows that count"):
        LogisticClassifier().fit(X, y, (y == 0).astype(float))

def slope_in_decimals(X, y, K, w, found):
    "The slope at what was found, each entry against the sizes of the terms that it adds up."
    getcontext().prec = 60
    B = np.column_stack([found.coef, found.intercept]).tolist()
    B = [[Decimal(v) for v in row] for row in [[0] * len(B[0]), *B]]
    slope, size = np.full((2, K, len(B[0])), Decimal(0))
    for x, own, weight in zip(X.tolist(), y, w.tolist()):
        x = np.array([*map(Decimal, x), Decimal(1)])
        E = [(x @ row).exp() for row in B]
        for k in range(K):
            odds = E[k] if k != own else -sum(e for l, e in enumerate(E) if l != own)
            slope[k] += Decimal(weight) * odds / sum(E) * x
            size[k] += abs(Decimal(weight) * odds / sum(E) * x)
    return float((abs(slope) / size).max())

def test_weights_of_very_different_size():
    lots, tally = np.random.default_rng(1), dict(found=0, apart=0, lost=0)
    for _ in range(60):
        n, m, K = int(lots.integers(8, 30)), int(lots.integers(1, 4)), int(lots.choice([2, 2, 3]))
        X, far = lots.normal(size=(n, m)), int(lots.choice([6, 20, 60, 150, 290]))
        y = (X[:, :1] * np.linspace(-1, 1, K) + lots.gumbel(size=(n, K))).argmax(axis=1)
        y = np.unique(y, return_inverse=True)[1]
        if y.max() + 1 < K: continue
        w = 10.0 ** (far * lots.choice([lots.random(n), lots.random(n) < 0.1,
                                        -1 * (lots.random(n) < 0.2)]))
        found, even = maximum_likelihood(X, y, K, w), maximum_likelihood(X, y, K)
        assert found.proved and (found.separation is None) == (even.separation is None)
        tally["apart" if found.separation is not None else found.end] += 1
        if found.separation is not None:                # the proof is the same
            assert np.array_equal(found.separation.direction, even.separation.direction)
        elif found.end == "found": assert slope_in_decimals(X, y, K, w, found) < 1e-9
    assert tally["found"] > 30 and tally["apart"] > 3, tally

def test_heavy_rows_that_contradict_each_other():
    X, y = np.array([[0.0], [1.0], [2.0], [0.5], [1.5]]), [0, 1, 0, 1, 0]
    X = np.column_stack([X, [0, 0, 0, 1, -1.0], [0, 0, 0, 1, 0.5]])
    w = np.array([1e20, 1e20, 1e20, 1, 1])
    X, y, w = np.vstack([X, X + 0.25]), np.array([*y, 1, 1, 0, 0, 1]), np.append(w, np.ones(5))
    with pytest.warns(ConvergenceWarning, match="rows of large weight contradict each other"):
        model = LogisticClassifier().fit(X, y, w)
    with pytest.raises(ValueError, match="rounding of very different weights has hidden it"):
        model.summary()

@pytest.mark.parametrize("unit", [1e299, 1e308, 1e-150, 1e-308])
def test_the_unit_of_weights_does_not_matter(unit):
    X, y = make_blobs(60, centers=3, cluster_std=6, random_state=0)
    for labels in (y, y > 0):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            once, often = (LogisticClassifier().fit(X, labels, w)
                           for w in (None, np.full(60, unit)))
            again = LogisticClassifier(class_weight="balanced").fit(X, labels, np.full(60, unit))
        assert np.allclose(often.coef_, once.coef_, rtol=1e-12)
        balanced = LogisticClassifier(class_weight="balanced").fit(X, labels)
        assert np.allclose(again.coef_, balanced.coef_, rtol=1e-9)
        assert often.maximum_.loss == pytest.approx(once.maximum_.loss * unit)
    tiny = LogisticClassifier().fit([[0.0], [1], [2], [3]], [0, 0, 1, 1], np.full(4, unit))
    assert tiny.separation_.complete and np.isfinite(tiny.coef_).all()

def test_weights_beyond_all_bounds():
    X, y = make_blobs(60, centers=2, cluster_std=6, random_state=0)
    w = np.ones(60)
    w[:2] = 1e-308, 1e308
    with pytest.raises(ValueError, match="reach from 1e-308 to 1e\\+308, and may differ"):
        LogisticClassifier().fit(X, y, w)

def test_a_ridge_that_leaves_nothing():
    X, y = make_blobs(60, centers=2, cluster_std=6, random_state=0)
    for C, unit in ((5e-324, 1), (1.0, 1e-200)):
        with pytest.raises(ValueError, match="so strong leaves column 0 no coefficient"):
            LogisticClassifier(C=C).fit(X * unit, y)
    assert abs(LogisticClassifier(C=1e-300).fit(X, y).coef_).max() < 1e-297

@pytest.mark.parametrize("n", [9, 9000])
def test_no_column_and_no_constant(n):
    y = np.arange(n) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticClassifier(fit_intercept=False).fit(np.zeros((n, 2)), y)
    assert not model.coef_.any() and model.maximum_.left_out.all()
    assert np.allclose(model.predict_proba(np.ones((2, 2))), 1 / 3)
    assert model.summary().deviance == pytest.approx(2 * n * np.log(3))

def test_columns_that_say_nothing_new():
    X, y = make_blobs(80, centers=2, cluster_std=6, random_state=0)
    plain = LogisticClassifier().fit(X, y)
    more = np.column_stack([np.full(80, 0.1), X[:, 0], 3 * X[:, 0] - 1, X[:, 1], X.sum(axis=1)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticClassifier().fit(more, y)
    assert (np.allclose(model.coef_[0, [1, 3]], plain.coef_[0], rtol=1e-9)
            and not model.coef_[0, [0, 2, 4]].any())
    assert (model.maximum_.left_out.tolist() == [True, False, True, False, True]
            and model.summary().parameters == 3)
    assert np.isnan(model.intervals(more, y).loc["x2"]).all()
    nothing = LogisticClassifier().fit(np.ones((10, 2)), [0] * 3 + [1] * 7)
    assert np.isclose(nothing.intercept_[0], np.log(7 / 3)) and not nothing.coef_.any()
    constant = LogisticClassifier(fit_intercept=False).fit(np.full((10, 1), 2.0), [0] * 3 + [1] * 7)
    assert np.isclose(constant.coef_[0, 0] * 2, np.log(7 / 3))

def separated_tables():
    lots, iris = np.random.default_rng(3), load_iris()
    A, category = lots.normal(size=(400, 3)), lots.integers(0, 4, 400)
    noisy = np.where(category == 2, 1, A[:, 0] + lots.logistic(size=400) > 0).astype(int)
    yield "complete", A, (A[:, 0] + 0.3 * A[:, 1] > 0.1).astype(int), {"x0", "x1"}, True
    yield "category", np.column_stack([A, np.eye(4)[category][:, 1:]]), noisy, {"x4"}, False
    yield ("two on the plane", np.array([[-1.0], [0], [0], [1]]), np.array([0, 0, 1, 1]),
           {"x0"}, False)
    yield "tilted", *tilted(lots), {"x0", "x1"}, False
    yield "iris", iris.data, iris.target, {"x2"}, False
    yield "more columns than rows", lots.normal(size=(20, 30)), lots.integers(0, 2, 20), None, True
    yield "in steps", np.arange(12.0)[:, None], np.repeat([0, 1, 2], 4), {"x0"}, None

def tilted(lots):
    "Rows on the line x0 = x1 overlap, the others are separated by it."
    X = lots.integers(-3, 4, (60, 2)) / 10
    return X, np.where(X[:, 0] == X[:, 1], lots.integers(0, 2, 60), X[:, 0] > X[:, 1]).astype(int)

@pytest.mark.parametrize("name, X, y, columns, complete", [*separated_tables()],
                         ids=lambda v: v if isinstance(v, str) else "")
def test_separation(name, X, y, columns, complete):
    model = LogisticClassifier()
    with pytest.warns(SeparationWarning) as told: model.fit(X, y)
    (told,), apart = told, model.separation_
    assert (told.message.separation is apart and isinstance(told.message, ConvergenceWarning)
            and told.filename == __file__)
    assert columns is None or {f"x{j}" for j in apart.columns} <= columns
    for j in apart.columns[:5]: assert f"'x{j}'" in str(told.message)
    assert complete is None or apart.complete == complete
    B, c = apart.direction, apart.intercept
    if len(B) == 1: B, c = np.vstack([0 * B, B]), np.append(0, c)
    S = X @ B.T + c
    margins = S[np.arange(len(y)), y][:, None] - S
    assert margins.min() >= -1e-12 * abs(S).max() and margins.max() > 0
    spread = np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    ridge = LogisticRegression(C=1.0, tol=1e-12,
                               solver="newton-cholesky").fit((X - X.mean(axis=0)) / spread, y)
    if name != "more columns than rows":                    # where some are left out
        assert np.allclose(model.predict_proba(X),
                           ridge.predict_proba((X - X.mean(axis=0)) / spread), atol=1e-6)
    for ask in (model.summary, lambda: model.intervals(X, y)):
        with pytest.raises(ValueError, match="a direction separates"): ask()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert LogisticClassifier(C=1.0).fit(X, y).separation_ is None

def test_almost_separated_is_not():
    X = np.append(np.linspace(-2, 2, 40), [0.01, -0.01])[:, None]
    y = np.append(np.linspace(-2, 2, 40) > 0, [False, True])
    model = LogisticClassifier().fit(X, y)
    assert model.separation_ is None and model.maximum_.proved and model.coef_[0, 0] > 30
    D = load_breast_cancer()
    assert LogisticClassifier().fit(D.data, D.target).separation_.complete

def test_a_proof_is_not_made_by_rounding():
    "Tables separated by hairs, where the slope is next to nothing."
    for gap in (1e-3, 1e-8, 1e-15):
        X = np.append(np.linspace(-1, 0, 30), np.linspace(gap, 1, 30))[:, None]
        best = maximum_likelihood(X, np.repeat([0, 1], 30), 2)
        assert best.separation.complete
    Z, y = np.column_stack([X, np.ones(60)]), np.repeat([0, 1], 30)
    model = model_of(Z.copy(), y, np.ones(60), 2)
    for b in ([1e3, 0], [1e6, 0], [1e17, 0]):
        g, H, wrong = model.slopes(model.at(np.array(b))[1])
        assert not surely_exists(g, H, wrong, model.reach, 60)

def test_intervals():
    X, y = make_blobs(120, centers=3, cluster_std=6, random_state=1)
    model = LogisticClassifier().fit(X, y)
    found = model.intervals(X, y)
    assert found.shape == (6, 2) and found.index[0] == (1, "(intercept)")
    wald = model.summary().table
    assert (found.low < wald.estimate).all() and (wald.estimate < found.high).all()
    # with so many rows they are near
    assert np.allclose(found, wald[["low", "high"]], rtol=0.3, atol=0.1)
    narrow = model.intervals(X, y, level=0.5)
    assert (narrow.low > found.low).all() and (narrow.high < found.high).all()
    with pytest.raises(ValueError, match="not the rows"): model.intervals(X[:90], y[:90])
    with pytest.raises(ValueError, match="not the rows"): model.intervals(X, y % 2)

@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_names(library):
    module = import_module(library)
    X, y = make_blobs(50, centers=2, cluster_std=6, random_state=0)
    frame = (module.table if library == "pyarrow"
             else module.DataFrame)({"long": X[:, 0], "wide": X[:, 1]})
    model = LogisticClassifier().fit(frame, np.array(["no", "yes"])[y])
    assert (model.feature_names_in_.tolist() == ["long", "wide"]
            and set(model.predict(frame)) <= {"no", "yes"})
    assert (model.summary().table.index.tolist() == ["(intercept)", "long", "wide"]
            and "'yes' against 'no'" in str(model.summary()))
    again = pickle.loads(pickle.dumps(model))
    assert (np.array_equal(again.predict_proba(frame), model.predict_proba(frame))
            and str(again.summary()) == str(model.summary()))
    assert (clone(LogisticClassifier(C=2)).get_params()
            == dict(C=2, fit_intercept=True, class_weight=None, tol=1e-10, max_iter=100))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.select(["wide", "long"]) if library != "pandas"
                      else frame[["wide", "long"]])

@pytest.mark.parametrize("X, y, words", [
    ([[1.0], [np.nan]], [0, 1], "row 1 of column 0 holds NaN: fill it in"),
    (pd.DataFrame({"age": [1.0, np.inf]}), [0, 1], "row 1 of column 'age' holds infinity"),
    ([["a"], ["b"]], [0, 1], "row 0 of column 0 holds 'a', which is no number"),
    ([[1.0], [2.0]], [1, 1], "y has one class only, 1"),
    ([[1.0], [2.0]], [[0, 1], [1, 0]], "learns one output"),
    ([[1.0], [2.0]], [0, 1, 1], "X has 2 rows and y has 3"),
    ([[1.0], [2.0]], [0.5, 0.7], "continuous"),
])
def test_refusals(X, y, words):
    with pytest.raises(ValueError, match=words): LogisticClassifier().fit(X, y)

@pytest.mark.parametrize("parameters, words",
                         [(dict(C=-1), "'C'"), (dict(C=0), "C is 0"), (dict(C="big"), "'C'"),
                          (dict(tol=-1), "'tol'"), (dict(max_iter=1.5), "'max_iter'"),
                          (dict(class_weight={0: -1}), "class_weight"), (dict(C=np.nan), "'C'")])
def test_parameters_out_of_range(parameters, words):
    with pytest.raises(ValueError, match=words):
        LogisticClassifier(**parameters).fit([[0], [1], [2], [3]], [0, 1, 0, 1])

def test_too_few_steps():
    X, y = make_blobs(50, centers=2, cluster_std=6, random_state=0)
    with pytest.warns(ConvergenceWarning, match="after 1 steps the maximum was not reached"):
        LogisticClassifier(max_iter=1).fit(X, y)
    with pytest.raises(NotFittedError): LogisticClassifier().predict(X)

def test_many_rows_begin_where_few_end():
    lots = np.random.default_rng(0)
    X = lots.normal(size=(9000, 3))
    y = (X @ [1, -1, 0.5] + lots.logistic(size=9000) > 0).astype(int)
    w = np.ones(9000)
    assert beginning(design(X, w, True).Z, y, w, 2).any()
    order = lots.permutation(9000)
    assert np.allclose(LogisticClassifier().fit(X, y).coef_,
                       LogisticClassifier().fit(X[order], y[order]).coef_, rtol=1e-11)
    assert (not beginning(design(X, w, True).Z, np.sort(y), w, 2)[3:].any()
            or LogisticClassifier().fit(X, np.sort(y)).maximum_.proved)

def test_large_separated_tables_end_early():
    """A level with one class only, a difference of two flags, and a plane among many columns:
    few steps, and few columns are named."""
    lots = np.random.default_rng(0)
    n = 20_000
    A, level = lots.normal(size=(n, 20)), lots.integers(0, 30, n)
    noise = (A[:, 0] + lots.logistic(size=n) > 0).astype(int)
    one, other = lots.random((2, n)) < 0.05
    flags = np.where(one & ~other, 1, np.where(other & ~one, 0, noise))
    plane = (A[:, [3, 7, 11]].sum(axis=1) > 0).astype(int)
    for X, y, columns in ((np.eye(30)[level], np.where(level == 7, 1, noise), [7]),
                          (np.eye(30)[level][:, 1:], np.where(level == 7, 2, noise), [6]),
                          (np.column_stack([A, one, other]), flags, [20, 21]),
                          (A, plane, [3, 7, 11])):
        Z, w, K = design(X, np.ones(n), True).Z, np.ones(n), int(y.max()) + 1
        kept = independent(Z, w, True)
        ended = newton(model_of(Z[:, kept], y, w, K), np.zeros(kept.sum() * (K - 1)), patience=3)
        assert y is plane or ended.steps < 12 and ended.end == "straight"
        apart = LogisticClassifier().fit(X, y).separation_
        assert apart.columns.tolist() == columns and apart.complete == (y is plane)

def test_no_column_too_many():
    """Without any of the columns that are named, nothing separates; of a complete separation,
    nothing does so completely."""
    lots, tally = np.random.default_rng(4), {}
    def separated(A, completely):
        if completely:
            return linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(A)),
                           bounds=(None, None)).status == 0
        return -linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)), bounds=(-1, 1)).fun > 1e-7
    for _ in range(150):
        n, m, K = int(lots.integers(8, 50)), int(lots.integers(2, 7)), int(lots.choice([2, 2, 3]))
        X = lots.integers(-2, 3, (n, m)).astype(float)
        s = X @ (lots.normal(size=m) * (lots.random(m) < 0.6))
        y = np.where(abs(s) > lots.choice([0, 0.5]), s > 0,
                     lots.integers(0, 2, n)) + (K - 2) * lots.integers(0, 2, n) * (X[:, 0] > 0)
        y = np.unique(y.astype(int), return_inverse=True)[1]
        if y.max() < 1: continue
        apart = maximum_likelihood(X, y, int(y.max()) + 1).separation
        if apart is None: continue
        for j in apart.columns:
            rest = np.column_stack([X[:, [i for i in apart.columns if i != j]], np.ones(n)])
            assert not separated(comparisons(rest, y, int(y.max()) + 1), apart.complete)
        word = len(apart.columns) > 1, apart.complete
        tally[word] = tally.get(word, 0) + 1
    assert len(tally) == 4 and min(tally.values()) > 3, tally

def test_what_users_bring():
    """Other types of the same table say the same; offsets and scales at the ends of doubles
    change nothing else."""
    lots = np.random.default_rng(0)
    X = lots.normal(size=(80, 3)).round(2)
    y = (X[:, 0] + lots.logistic(size=80) > 0).astype(int)
    base, words = LogisticClassifier().fit(X, y), np.array(["no", "yes"])[y]
    for labels in (words, words.tolist(), y > 0, y + 1.0, pd.Series(y).astype("Int64"),
                   pd.Series(words).astype("category"), pd.Series(words, dtype="string")):
        assert np.array_equal(LogisticClassifier().fit(X, labels).coef_, base.coef_)
    hundreds = (X * 100).round()
    for table in (hundreds.astype(np.int16), hundreds.astype(np.float32),
                  pd.DataFrame(hundreds.astype(int)).rename(columns=str).astype("Int64"),
                  hundreds.astype(object), hundreds.tolist()):
        assert np.allclose(LogisticClassifier().fit(table, y).coef_ * 100, base.coef_, rtol=1e-12)
    assert np.array_equal(LogisticClassifier().fit(X > 0, y).coef_,
                          LogisticClassifier().fit((X > 0) * 1.0, y).coef_)
    assert np.allclose(LogisticClassifier().fit(hundreds + 1e9, y).coef_ * 100,
                       base.coef_, rtol=1e-9)
    for unit in (1e-12, 1e-300, 1e300):
        assert np.allclose(LogisticClassifier().fit(X * unit, y).coef_ * unit,
                           base.coef_, rtol=1e-12)
    for weight in (1e-300, 1e-12, 1e12, 2):
        assert np.allclose(LogisticClassifier().fit(X, y, np.full(80, weight)).coef_,
                           base.coef_, rtol=1e-12)
    with pytest.raises(ValueError, match="column 0 varies by less than"):
        LogisticClassifier().fit(X * 1e-310, y)
    three = y + (X[:, 1] > 0.5)
    assert LogisticClassifier().fit(X, three, three < 2).classes_.tolist() == [0, 1]
    for ask in (base.summary, lambda level: base.intervals(X, y, level=level)):
        for level in (95, 0, 1, np.nan):
            with pytest.raises(ValueError, match="of 95 percent it is 0.95"): ask(level=level)

def test_a_refit_forgets_names():
    X, y = make_blobs(50, centers=2, cluster_std=6, random_state=0)
    model = LogisticClassifier().fit(pd.DataFrame(X, columns=["long", "wide"]), y).fit(X, y)
    assert not hasattr(model, "feature_names_in_") and model.summary().table.index[1] == "x0"

def test_even_odds_go_to_the_first_class():
    "A row on the line itself: a tie."
    model = LogisticClassifier().fit([[-2], [-1], [1], [2]], ["no", "yes", "no", "yes"])
    model.coef_, model.intercept_ = np.array([[1.0]]), np.array([0.0])
    assert model.predict_proba([[0]]).tolist() == [[0.5, 0.5]]
    assert model.predict([[0], [1e-300], [-1e-300]]).tolist() == ["no", "yes", "no"]
