"Logistic regression: R's numbers, every verdict with a proof of its own, units, edges, and scikit-learn's checks."
import gzip
import json
import pickle
import warnings
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dtree_lit.logistic import (beginning, comparisons, design, exact_margins, independent, likelihood_intervals, LogisticClassifier, maximum_likelihood,
                                newton, model_of, put_on_plane, Separation, separation_of, SeparationWarning, sigmoid, surely_exists, verdict_on)
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

DATA = Path(__file__).parent / "data"
R = json.loads((DATA / "r_glm.json").read_text())["references"]
WEKA = json.loads(gzip.decompress((DATA / "weka_j48.json.gz").read_bytes()))["data"]
pytestmark = pytest.mark.filterwarnings("ignore::dtree_lit.logistic.SeparationWarning")

def rows_of(r):
    "The rows that R was given, and the labels as words."
    name, words = WEKA[r["id"].split()[0]], WEKA[r["id"].split()[0]]["classes"]
    rows = np.array([list(map(float, row.split(","))) for i, row in enumerate(name["rows"]) if i % 3 != 2])
    X, y = pd.DataFrame(rows[:, :-1], columns=list(name["attributes"])), np.array(words)[rows[:, -1].astype(int)]
    if "iris" in r["id"]: X, y = X[y != words[0]][["petallength", "petalwidth"]], y[y != words[0]]
    elif "all" not in r["id"]: X = X[["plas"]]
    return (X - X.mean(), y) if "noint" in r["id"] else (X, y)

@pytest.mark.parametrize("r", R, ids=lambda r: r["id"])
def test_like_r(r):
    X, y = rows_of(r)
    model = LogisticClassifier(fit_intercept="noint" not in r["id"]).fit(X, y)
    told = model.summary()
    assert told.table.index.str.strip("()").str.lower().tolist()[-1] in r["names"][-1].lower() or "noint" in r["id"]
    off = 1e-9 if "noint" not in r["id"] else 2e-8          # R stops when the deviance does, there one step earlier
    assert np.allclose(told.table["estimate"], r["coefficients"], rtol=off, atol=0)
    assert np.allclose(told.table["std_error"], r["std_error"], rtol=1e-6, atol=0)        # R takes the weights of the step before
    assert np.allclose([told.deviance, told.null_deviance], [r["deviance"], r["null_deviance"]], rtol=1e-12, atol=0)
    assert np.allclose(model.predict_proba(X)[:, 1], r["fitted"], atol=1e-9 if off == 1e-9 else 1e-8)
    if "noint" in r["id"]:                                  # from where R stopped, one step of Newton's
        Z = np.where(y == model.classes_[1], 1, -1)[:, None] * X.to_numpy()
        p = sigmoid(Z @ r["coefficients"])
        d = np.linalg.solve((Z.T * (p * (1 - p))) @ Z, (1 - p) @ Z)
        assert np.allclose(model.coef_[0], r["coefficients"] + d, rtol=1e-13)

@parametrize_with_checks([LogisticClassifier(), LogisticClassifier(C=1.0), LogisticClassifier(C=0.1, class_weight="balanced")])
def test_conventions(estimator, check): check(estimator)

def some_table(lots):
    "Rows and classes, often separated; now and then with a column that repeats others, far away or in odd units."
    n, m, K = int(lots.integers(4, 40)), int(lots.integers(1, 5)), int(lots.choice([2, 2, 3, 4]))
    X = lots.integers(-2, 3, (n, m)) * lots.choice([1, 1, 0.1, 1e6]) + lots.choice([0, 0, 100])
    pull = (X[:, :1] - X[:, 0].mean()) / max(np.ptp(X), 1e-9) * np.linspace(-4, 4, K)
    y = (pull + lots.gumbel(size=(n, K)) * lots.choice([0.1, 0.5, 2])).argmax(axis=1)
    if lots.random() < 0.1: X = np.column_stack([X, X.sum(axis=1)])
    return X, np.unique(y, return_inverse=True)[1]

def positive_weights(A, b):
    "Fractions above zero with which the rows of A sum to zero: Stiemke's proof that no direction separates; b is where the slope is almost zero."
    rows = [[Fraction(v) for v in row] for row in A.tolist()]
    weights = [Fraction(v) for v in sigmoid(-A @ b).tolist()]
    left = [sum(w * row[j] for w, row in zip(weights, rows)) for j in range(A.shape[1])]
    Q = (A.T * np.array([float(w) for w in weights])) @ A               # a · e for an e that is near to what solves A'diag(weights)A e = left…
    exact = [[sum(w * row[i] * row[j] for w, row in zip(weights, rows)) for j in range(A.shape[1])] for i in range(A.shape[1])]
    e = solved(exact, left)                                             # …exactly
    return None if e is None else [w * (1 - sum(u * v for u, v in zip(row, e))) for w, row in zip(weights, rows)]

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
    for _ in range(400):
        X, y = some_table(lots)
        K = int(y.max()) + 1
        if K < 2: continue
        found = maximum_likelihood(X, y, K)
        assert found.proved
        if found.separation is not None:
            B = np.column_stack([found.separation.direction, found.separation.intercept])
            tally["complete" if found.separation.complete else "partial"] += 1
            continue                                        # was looked at in whole numbers; the direction that is told is rounded
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
    assert min(tally.values()) > 30, tally

def test_a_programme_agrees():
    lots, tally = np.random.default_rng(2), {}
    for _ in range(600):
        X, y = some_table(lots)
        K = int(y.max()) + 1
        if K < 2: continue
        found = maximum_likelihood(X, y, K)
        A = comparisons(np.column_stack([(X - X.mean(axis=0)) / max(np.ptp(X), 1e-9), np.ones(len(X))]), y, K)
        separated = -linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)), bounds=(-1, 1)).fun > 1e-7
        assert found.proved and (found.separation is not None) == separated
        tally[separated] = tally.get(separated, 0) + 1
    assert min(tally.values()) > 100, tally
