"The splitter against its specification, exact fractions, and another program."
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from dtree_lit.splitter import best_split, best_split_spec, bits_left, integer_log, less
from dtree_lit.jit import interpreted
from hypothesis import given, strategies as st
from sklearn.tree import DecisionTreeClassifier

criteria = st.sampled_from(["entropy", "gini", "misclassification"])
rows = st.lists(st.tuples(st.integers(0, 8).map(float), st.integers(0, 3)), max_size=40)
doubles = st.lists(st.tuples(st.floats(allow_nan=False), st.integers(0, 1)), max_size=20)
whole = st.integers(0, 2**60)

def columns(rows): return np.array([r[0] for r in rows], float), np.array([r[1] for r in rows], int)

@given(rows, criteria, st.integers(1, 4))
def test_spec(rows, criterion, min_leaf):
    x, y = columns(rows)
    assert best_split(x, y, criterion, min_leaf) == best_split_spec(x, y, criterion, min_leaf)

@given(rows, st.sampled_from(["entropy", "gini", "misclassification", "variance"]), st.data())
def test_weights_are_repetitions(rows, criterion, data):
    x, y = columns(rows)
    w = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x))), int)
    assert best_split(x, y, criterion, weights=w) == best_split(np.repeat(x, w), np.repeat(y, w), criterion)

@given(rows)
def test_gini_in_exact_fractions(rows):
    x, y = columns(rows)
    def left(c): return len(c) - sum(Fraction(int(k) ** 2, len(c)) for k in np.bincount(y[c])) if len(c) else Fraction(0)
    everywhere = [(left(np.flatnonzero(x >= t)) + left(np.flatnonzero(x < t)), t) for t in np.unique(x)[1:]]
    split, least = best_split(x, y, "gini"), min((l for l, _ in everywhere), default=Fraction(0))
    if split is None: assert not everywhere or least == left(np.arange(len(x)))
    else:
        lowest = min(t for l, t in everywhere if l == least)
        assert ((x >= split.t) == (x >= lowest)).all()

@given(doubles, criteria, st.randoms(use_true_random=False))
def test_any_order_of_rows(rows, criterion, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert best_split(*columns(rows), criterion) == best_split(*columns(shuffled), criterion)

@given(rows, st.sampled_from(["entropy", "gini"]))
def test_gain_is_scikit_learns(rows, criterion):
    x, y = columns(rows)
    split = best_split(x, y, criterion)
    if split is None: return
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(x[:, None], y).tree_
    n = tree.weighted_n_node_samples
    assert split.gain == pytest.approx(tree.impurity[0] - (n[1] * tree.impurity[1] + n[2] * tree.impurity[2]) / n[0], abs=1e-12)

numbers = st.lists(st.tuples(st.integers(0, 6).map(float), st.integers(-50, 50)), max_size=30)

@given(numbers, st.integers(1, 3))
def test_numbers_in_exact_fractions(rows, min_leaf):
    x, y = columns(rows)
    def loss(c): return sum(Fraction(int(v)) ** 2 for v in y[c]) - Fraction(int(y[c].sum())) ** 2 / int(c.sum())
    cuts = [(loss(x >= t) + loss(x < t), t) for t in np.unique(x)[1:] if min((x >= t).sum(), (x < t).sum()) >= min_leaf]
    split = best_split(x, y, "variance", min_leaf)
    least = min((l for l, _ in cuts), default=None)
    if split is None: assert least is None or least == loss(x == x)
    else:
        lowest = min(t for l, t in cuts if l == least)
        assert ((x >= split.t) == (x >= lowest)).all() and split.gain == pytest.approx(float((loss(x == x) - least) / len(x)), rel=1e-12)

@given(st.lists(st.tuples(st.integers(0, 6), st.floats(-1e300, 1e300)), max_size=30), st.randoms(use_true_random=False))
def test_numbers_in_any_order(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = (best_split([r[0] for r in rs], [r[1] for r in rs], "variance") for rs in (rows, shuffled))
    assert one == other

@pytest.mark.parametrize("y", [[0.0, 5e-324], [-1.7e308, 1.7e308], [1e9, 1e9 + 1e-6], [2.0**53, 2.0**53 + 2]])
def test_numbers_far_and_near(y):
    assert best_split([1, 2], y, "variance")[::2] == (1.5, 1)

@given(whole, st.integers(1, 2**60), whole, st.integers(1, 2**60))
def test_fractions(a, b, c, d):
    assert less(a, b, c, d) == interpreted(less)(a, b, c, d) == (Fraction(a, b) < Fraction(c, d))

@cache
def table(n): return integer_log(n, 40)

@given(st.integers(1, 2000), st.integers(1, 2000))
def test_logarithms_add(a, b):
    ell = table(2000**2)
    assert ell[a * b] == ell[a] + ell[b]

@given(st.lists(st.integers(0, 30), min_size=2, max_size=4), st.integers(1, 9), st.integers(1, 9))
def test_zero_gain_is_zero(shares, a, b):
    ell, D = integer_log(3000, 44), np.array(shares)
    if not D.sum(): return
    assert bits_left(a * D, b * D, ell) == bits_left((a + b) * D, 0 * D, ell)

@pytest.mark.parametrize("call, sentence", [
    (lambda: best_split([1, 2], [0, 1], "entropie"), "'entropie' is no criterion"), (lambda: best_split([1, np.nan], [0, 1]), "nan"),
    (lambda: best_split([1, 2], [0.5, np.nan], "variance"), r"y\[1\] is nan"), (lambda: best_split([1], [0.5, 1], "variance"), "1 values and y has 2 numbers"),
    (lambda: best_split([1, 2], [0, 1], weights=[10**9, 1]), "entropy is exact up to 67108863"),
    (lambda: best_split([1, 2], [0, 1], weights=[1, 0.5]), r"weights\[1\] is 0.5"), (lambda: best_split([1, 2], [0, 1], weights=[1]), "1 weights for 2 examples"),
    (lambda: best_split(np.arange(2**20), np.zeros(2**20, int), "gini"), "gini is exact up to 1048575 examples, and here are 1048576"), (lambda: best_split([1], [0, 1]), "1 values and y has 2 labels"),
])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence): call()

def test_a_million_examples():
    x = np.random.default_rng(0).integers(0, 50, 10**6)
    split = best_split(x, x >= 17)
    assert split.t == 16.5 and split.n_T + split.n_F == 10**6 and split.gain == pytest.approx(0.9248, abs=1e-3)
