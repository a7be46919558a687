"The splitter against its specification, exact fractions, and another program."
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.splitter.additive_logs import bits_left, integer_log
from dtree_lit.splitter.exact_split import best_split
from dtree_lit.splitter.scans import less
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, strategies as st
from sklearn.tree import DecisionTreeClassifier
from helpers.pages import on_page

best_split_spec = on_page("210_exact_split").best_split_spec

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
    assert (best_split(x, y, criterion, weights=w)
            == best_split(np.repeat(x, w), np.repeat(y, w), criterion))

NAMES = {"entropy": "entropy", "gini": "gini", "misclassification": "misclassification",
         "variance": "squared_error"}

def compare_with_root(x, y, w, criterion, learner, least=0):
    "The split is the question at the root of a tree, which is asked also where nothing is gained."
    split = best_split(x, y, criterion, least, w)
    if not np.any(w): return split is None
    root = learner(np.c_[x], y, w, criterion=NAMES[criterion], max_depth=1, min_weight_leaf=least)
    weight, mixed = root.weight, root.weight * root.impurity
    if split is None:
        # less than units see
        assert (root.node_count == 1 or mixed[1:].sum()
                == pytest.approx(mixed[0], rel=1e-9, abs=1e-10 * weight[0]))
    else:
        assert root.t[0] == split.t and weight[1:].tolist() == [split.n_F, split.n_T]
        # below, doubles are few
        assert split.gain * weight[0] == pytest.approx(mixed[0] - mixed[1:].sum(), rel=1e-6,
                                                       abs=1e-9 * mixed[0] + 1e-10 * weight[
            0] + 1e-322)
    return split is not None

fractions = st.one_of(st.sampled_from([0, 0.1, 0.5, 1 / 3, 1.5, 1, 1 + 2**-52, 3, 1e-30, 2**31,
                                       2.0**40]), st.floats(0, 1e290))

@given(rows, st.sampled_from(list(NAMES)), st.data())
def test_any_weights(rows, criterion, data):
    x, y = columns(rows)
    w = np.array(data.draw(st.lists(fractions, min_size=len(x), max_size=len(x))), float)
    compare_with_root(x, y, w, criterion, grow_levels)

@pytest.mark.parametrize("criterion", NAMES)
def test_the_root_of_the_compiled_learner(criterion):
    rng, found = np.random.default_rng(4), 0
    for trial in range(300):
        n, values = rng.integers(2, 60), rng.integers(2, 40)
        x, y, kind = (rng.integers(0, values, n) / 8,
                      rng.integers(0, rng.integers(1, 5), n), trial % 6)
        w = [rng.random(n), rng.integers(0, 4, n) / 4, rng.choice([0.1, 0.2, 0.7], n),
             rng.lognormal(0, 9, n),
             rng.integers(1, 2**40, n), rng.random(n) * 1e-300][kind]
        found += compare_with_root(x, y, w, criterion, grow, rng.choice([0, 0.2]) * w.sum())
    assert found > 150

@pytest.mark.parametrize("criterion", ["entropy", "gini", "variance"])
def test_long_sums_as_short_ones(criterion):
    """Weights that no word holds any more decide as the small numbers do to which they are
    proportional."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        n = rng.integers(2, 30)
        x, y, w, huge = (rng.integers(0, 9, n), rng.integers(0, 3, n),
                         rng.integers(1, 4, n), 2**31 - 1)
        i = np.repeat(np.arange(n), 2)
        short, long = (best_split(x, y, criterion, weights=w),
                       best_split(x[i], y[i], criterion,
                                  weights=np.c_[w * huge - 1, np.ones(n)].ravel()))
        assert (short is None) == (long is None)
        if short and criterion != "entropy": assert short.t == long.t
        if short: assert short.gain == pytest.approx(long.gain, rel=1e-9)

@given(rows)
def test_gini_in_exact_fractions(rows):
    x, y = columns(rows)
    def left(c):
        return (len(c) - sum(Fraction(int(k) ** 2, len(c)) for k in np.bincount(y[c])) if len(c)
                else Fraction(0))
    everywhere = [(left(np.flatnonzero(x >= t)) + left(np.flatnonzero(x < t)), t)
                  for t in np.unique(x)[1:]]
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
    assert split.gain == pytest.approx(tree.impurity[0]
                                       - (n[1] * tree.impurity[1] + n[2] * tree.impurity[2])
                                       / n[0], abs=1e-12)

numbers = st.lists(st.tuples(st.integers(0, 6).map(float), st.integers(-50, 50)), max_size=30)

@given(numbers, st.integers(1, 3))
def test_numbers_in_exact_fractions(rows, min_leaf):
    x, y = columns(rows)
    def loss(c):
        return (sum(Fraction(int(v)) ** 2 for v in y[c])
                - Fraction(int(y[c].sum())) ** 2 / int(c.sum()))
    cuts = [(loss(x >= t) + loss(x < t), t)
            for t in np.unique(x)[1:] if min((x >= t).sum(), (x < t).sum()) >= min_leaf]
    split = best_split(x, y, "variance", min_leaf)
    least = min((l for l, _ in cuts), default=None)
    if split is None: assert least is None or least == loss(x == x)
    else:
        lowest = min(t for l, t in cuts if l == least)
        assert (((x >= split.t) == (x >= lowest)).all()
                and split.gain == pytest.approx(float((loss(x == x) - least) / len(x)), rel=1e-12))

@given(st.lists(st.tuples(st.integers(0, 6), st.floats(-1e300, 1e300)), max_size=30),
       st.randoms(use_true_random=False))
def test_numbers_in_any_order(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = (best_split([r[0] for r in rs], [r[1] for r in rs], "variance")
                  for rs in (rows, shuffled))
    assert one == other

@pytest.mark.parametrize("y", [[0.0, 5e-324], [-1.7e308, 1.7e308], [1e9, 1e9 + 1e-6],
                               [2.0**53, 2.0**53 + 2]])
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
    (lambda: best_split([1, 2], [0, 1], "entropie"), "'entropie' is not a criterion"),
    (lambda: best_split([1, np.nan], [0, 1]), "nan"),
    (lambda: best_split([1, 2], [0.5, np.nan], "variance"), r"y\[1\] is nan"),
    (lambda: best_split([1], [0.5, 1], "variance"), "1 values and y has 2 numbers"),
    (lambda: best_split([1, 2], [0, 1], weights=[1, -0.5]), r"weights\[1\] is -0.5: a weight is "
                                                            r"zero or more"),
                                                            (
    lambda: best_split([1, 2], [0, 1], weights=[np.nan, 1]), r"weights\[0\] is nan"),
    (lambda: best_split([1, 2], [0, 1], weights=[1, 1e300]), r"weights\[1\] is 1e\+300: .* below "
                                                             r"1e300"),
                                                             (
    lambda: best_split([1, 2], [0, 1], weights=[1]), "1 weights for 2 examples"),
    (lambda: best_split([1], [0, 1]), "1 values and y has 2 labels"),
])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence): call()

def test_a_million_examples():
    x = np.random.default_rng(0).integers(0, 50, 10**6)
    split = best_split(x, x >= 17)
    assert (split.t == 16.5 and split.n_T + split.n_F == 10**6
            and split.gain == pytest.approx(0.9248, abs=1e-3))
