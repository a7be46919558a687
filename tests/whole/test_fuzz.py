"""Cases by lot, against answers in rational numbers: a few at each run, the same ones;
with --fuzz=N, N times as many, and others each time."""
import os
from fractions import Fraction

import numpy as np
import pytest
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.measures.candidates import midpoint

@pytest.fixture
def lots(request):
    "How many times as many cases, and the lots; the seed is shown when a test fails."
    times = request.config.getoption("--fuzz")
    seed = 0 if times == 1 else int.from_bytes(os.urandom(4))
    print(f"the seed is {seed}")
    return times, np.random.default_rng(seed)

def left_of_classes(y, w):
    "Gini's disorder, weight times impurity, as a fraction."
    W = sum(w)
    return W - sum(sum(v for v, label in zip(w, y) if label == k)**2 for k in set(y)) / W

def left_of_numbers(y, w):
    "The squared loss."
    return sum(v * x * x for v, x in zip(w, y)) - sum(v * x for v, x in zip(w, y))**2 / sum(w)

def exact_tree(X, y, w, left, rows):
    """(feature, t, no, yes), or the rows of a leaf: the best cut in fractions, of equals the
    first feature and the lowest threshold."""
    if len({y[i] for i in rows}) == 1: return sorted(rows)
    best = None
    for f in range(X.shape[1]):
        values = sorted({X[i, f] for i in rows})
        for a, b in zip(values, values[1:]):
            sides = [[i for i in rows if (X[i, f] >= b) == side] for side in (False, True)]
            score = sum(left([y[i] for i in side], [w[i] for i in side]) for side in sides)
            if best is None or score < best[0]: best = score, f, midpoint(a, b), *sides
    if best is None: return sorted(rows)
    _, f, t, no, yes = best
    return f, t, exact_tree(X, y, w, left, no), exact_tree(X, y, w, left, yes)

def read(tree, X, k=0, rows=None):
    "A grown tree in the same form."
    rows = list(range(len(X))) if rows is None else rows
    if not tree.width[k]: return sorted(rows)
    f, t, first = int(tree.feature[k]), float(tree.t[k]), int(tree.first[k])
    sides = [[i for i in rows if (X[i, f] >= t) == side] for side in (False, True)]
    return f, t, read(tree, X, first, sides[0]), read(tree, X, first + 1, sides[1])

def some_table(lots):
    """A few rows of small whole numbers, in float32, float64 or as integers, with weights that
    are whole, halves or missing."""
    n, m = int(lots.integers(2, 13)), int(lots.integers(1, 4))
    X = lots.integers(0, lots.integers(2, 7),
                      (n, m)).astype(lots.choice([np.float32, np.float64, np.int64, np.uint8]))
    kind = lots.integers(3)
    w = None if kind == 0 else lots.integers(1, 6, n) * (0.5 if kind == 2 else 1.0)
    return X, lots.integers(0, lots.integers(2, 5), n), w

@pytest.mark.parametrize("model, left",
                         [(CARTClassifier(), left_of_classes), (CARTRegressor(), left_of_numbers)])
def test_trees_are_exact(model, left, lots):
    times, lots = lots
    for _ in range(250 * times):
        X, y, w = some_table(lots)
        given = [Fraction(1)] * len(y) if w is None else [Fraction(float(v)) for v in w]
        assert read(model.fit(X, y, w).tree_,
                    X) == exact_tree(X, y.tolist(), given, left, list(range(len(y)))), (X, y, w)
