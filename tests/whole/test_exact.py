"Decisions that rounding leaves open: every learner decides as exact arithmetic does."
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from unittest import mock

import numpy as np
import pytest
from dtree_lit import CARTClassifier
from dtree_lit.learners.grow import grow
from dtree_lit.learners.grow_loop import decide_open
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import (CRITERIA, Logs, Roots, Side, coprime_base, exactly,
                                             proportional, removes, rough)
from dtree_lit.splitter.exact_split import best_split
from hypothesis import given, strategies as st
from helpers.pages import on_page

best_split_spec = on_page("210_exact_split").best_split_spec

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

LEARNERS = grow, grow_levels

def left_over(criterion, y, w):
    """What some rows leave, from the definitions: comparable, and without any rounding; of
    several outputs, of all together."""
    W = sum(w)
    counts = [[sum(v for v, label in zip(w, column) if label == k) for k in set(column)]
              for column in zip(*y)]
    if criterion == "entropy":
        # 2 to the power of it
        return prod(Fraction(W**W, prod(c**c for c in output)) for output in counts)
    if criterion == "gini":
        return sum(W - Fraction(sum(c * c for c in output), W) for output in counts)
    if criterion == "misclassification": return Fraction(sum(W - max(output) for output in counts))
    squares = [W * sum(v * k * k for v, k in zip(w, column))
               - sum(v * k for v, k in zip(w, column))**2 for column in zip(*y)]
    if criterion == "squared_error": return Fraction(sum(squares), W)
    with localcontext(prec=80): return sum(Decimal(s).sqrt() for s in squares)

def both(criterion, *parts): return prod(parts) if criterion == "entropy" else sum(parts)

def rows(X, y, w):
    "Columns of whole numbers as lists."
    return (X, [tuple(int(v) for v in row) for row in np.asarray(y).reshape(len(X), -1)],
            [int(v) for v in (np.ones(len(X)) if w is None else w)])

def stump(X, y, w, criterion):
    "The feature and the threshold of the first of the best cuts; they leave what they leave."
    X, y, w = rows(X, y, w)
    best = None
    for f in range(X.shape[1]):
        values = np.unique(X[:, f])
        for a, b in zip(values, values[1:]):
            sides = ([i for i in range(len(X)) if (X[i, f] >= b) == s] for s in (False, True))
            left = both(criterion,
                        *(left_over(criterion, [y[i] for i in side], [w[i] for i in side])
                          for side in sides))
            if (best is None
                or left < best[0] * (1 - (Decimal(10)**-60 if criterion == "sdr" else 0))):
                best = left, f, (a + b) / 2
    return best and best[1:]

def column(F, D):
    "A feature that sends F[k] of the D[k] rows of class k to no."
    return np.concatenate([np.repeat([0.0, 1.0], [f, d - f]) for f, d in zip(F, D)])

def close_pair(rng, criterion, D):
    "Two cuts of a node with the class weights D that leave nearly, but not quite, the same."
    many = int(D.max()) < 1000 and len(D) == 2                                  # then all of them
    F = (np.indices(D + 1).reshape(2, -1) if many
         else np.array([rng.integers(0, d + 1, 100_000) for d in D]))
    # not the same table with its sides exchanged
    F = F[:, (F.sum(axis=0) > 0) & (2 * F.sum(axis=0) < D.sum())]
    left, _ = rough(criterion, Side(F.sum(axis=0), [F]),
                    Side((D[:, None] - F).sum(axis=0), [D[:, None] - F]))
    order = np.argsort(left)
    gaps = np.diff(left[order])
    i = rng.choice(np.argsort(gaps)[:3])
    return [F[:, order[i]], F[:, order[i + 1]]][::rng.choice([1, -1])]

def test_the_smallest_gain():
    "The shares of the two sides differ in the fourth digit only."
    n = [631, 702, 711, 791]
    x, y = np.repeat([0, 0, 1, 1], n), np.repeat([0, 1, 0, 1], n)
    assert best_split(x, y) == best_split_spec(x, y) and best_split(x, y).t == 0.5
    assert best_split([1, 1, 2, 2], [0, 1, 0, 1], weights=[3699, 4162, 1478, 1663]).t == 1.5
    for learner in LEARNERS: assert learner(x[:, None], y).node_count == 3
    assert best_split([1, 1, 2, 2], [0, 1, 0, 1], weights=[600, 900, 400, 600]) is None

@pytest.mark.parametrize("criterion, K", [*product(("entropy", "gini"), (2, 3))])
def test_the_better_of_two_columns(criterion, K):
    "Cuts that differ far below the rounding of a table of logarithms."
    rng = np.random.default_rng(K)
    for _ in range(20):
        D = rng.integers(100, 700, K)
        pair = close_pair(rng, criterion, D)
        X, y = np.stack([column(F, D) for F in pair], axis=1), np.repeat(np.arange(K), D)
        def left(F):
            return both(criterion,
                        *(left_over(criterion, [(k,) for k in range(K) if S[k]],
                                    [int(c) for c in S if c]) for S in (F, D - F)))
        want = int(left(pair[1]) < left(pair[0]))
        for learner in LEARNERS:
            assert learner(X, y, criterion=criterion, max_depth=1).feature[0] == want
        i = rng.permutation(len(y))
        assert grow(X[i], y[i], criterion=criterion, max_depth=1, threads=2).feature[0] == want

@pytest.mark.parametrize("criterion", ("entropy", "gini"))
def test_weights_that_are_close(criterion):
    "Four rows for each column, whose weights make the table; whole weights up to 2^40."
    rng, open_questions = np.random.default_rng(0), 0
    for trial in range(30):
        D = rng.integers(1000, (5000, 2**22, 2**40)[trial % 3], 2)
        if trial % 2: D[1] = D[0]
        F, G = close_pair(rng, criterion, D)
        X, y, w = [], [], []
        for k in (0, 1):
            low, high = min(F[k], G[k]), max(F[k], G[k])
            for x, v in (((0.0, 0.0), low), ((float(G[k] > F[k]), float(F[k] > G[k])), high - low),
                         ((1.0, 1.0), D[k] - high)):
                if v: X.append(x), y.append(k), w.append(int(v))
        X, y, w = np.array(X), np.array(y), np.array(w)
        want = stump_of_tables(criterion, D, [F, G])
        with mock.patch("dtree_lit.learners.grow_loop.decide_open", wraps=decide_open) as asked:
            for learner in LEARNERS:
                assert learner(X, y, w * 1.0, criterion=criterion, max_depth=1).feature[0] == want
            open_questions += asked.call_count
    assert criterion == "gini" or open_questions > 8                  # Gini is compared in the scan

def stump_of_tables(criterion, D, tables):
    left = [sum((exactly(criterion, Side(int(S.sum()), [S.tolist()])) for S in (D - F,)),
                exactly(criterion, Side(int(F.sum()), [F.tolist()]))) for F in tables]
    return int(left[1] < left[0])

@pytest.mark.parametrize("criterion", FIVE)
def test_small_tables(criterion):
    "Both learners and the definition, on tables full of ties: several outputs, weights."
    rng = np.random.default_rng(FIVE.index(criterion))
    for trial in range(150):
        n, O = int(rng.integers(2, 14)), int(rng.integers(1, 4))
        X, w = (rng.integers(0, 4, (n, 2)).astype(float),
                rng.integers(1, 4, n) if trial % 2 else None)
        y = rng.integers(0, 3, (n, O)) if criterion in FIVE[:3] else rng.integers(-4, 5, (n, O))
        want = stump(X, y, w, criterion) if (y != y[0]).any() else None
        for learner in LEARNERS:
            tree = learner(X, y, w, criterion=criterion, max_depth=1)
            assert (tree.node_count == 1) == (want is None)
            if want: assert (tree.feature[0], tree.t[0]) == want

@pytest.mark.parametrize("criterion", FIVE)
def test_fractional_weights_and_long_numbers(criterion):
    """Copies of a feature, mirrored or not, tie exactly, though no float says so; both learners
    agree on everything."""
    rng = np.random.default_rng(FIVE.index(criterion))
    for trial in range(40):
        n, O = int(rng.integers(5, 60)), 1 + trial % 3
        X = rng.integers(0, 9, (n, 2)).astype(float)
        X = np.column_stack([X[:, 0], -X[:, 0], X[:, 1], -X[:, 1]])
        y = rng.integers(0, 3, (n, O)) if criterion in FIVE[:3] else rng.normal(1e6, 1, (n, O))
        w = rng.random(n) + 0.01
        one, other = (learner(X, y, w, criterion=criterion) for learner in LEARNERS)
        assert one == other and not (one.feature % 2 == 1).any()

def best_first(X, y, w, criterion, leaves):
    """Questions in the order in which they are asked: rows and feature; the largest gain first,
    of equals the oldest node."""
    X, y, w = rows(X, y, w)
    def left(rows): return left_over(criterion, [y[i] for i in rows], [w[i] for i in rows])
    def opened(number, rows):
        "The node with its best cut, or nothing."
        if len({y[i] for i in rows}) < 2: return None
        cuts = [(f, v) for f in range(X.shape[1]) for v in np.unique(X[rows, f])[1:]]
        if not cuts: return None
        def sides(cut):
            return [[i for i in rows if (X[i, cut[0]] >= cut[1]) == s] for s in (False, True)]
        after = [both(criterion, *map(left, sides(cut))) for cut in cuts]
        best = min(range(len(cuts)), key=after.__getitem__)
        gain = left(rows) / after[best] if criterion == "entropy" else left(rows) - after[best]
        return gain, number, sides(cuts[best]), cuts[best][0]
    waiting, asked, count = [opened(0, list(range(len(X))))], [], 1
    while waiting := [node for node in waiting if node]:
        if count // 2 + 1 == leaves: break
        node = reduce(lambda a, b: b if (b[0], -b[1]) > (a[0], -a[1]) else a, waiting)
        waiting.remove(node)
        asked.append((sorted(node[2][0] + node[2][1]), node[3]))
        waiting += [opened(count, node[2][0]), opened(count + 1, node[2][1])]
        count += 2
    return asked

@pytest.mark.parametrize("criterion", [c for c in FIVE if c != "sdr"])
def test_best_first(criterion):
    """Gains that are equal in different nodes: the oldest is divided first, whatever floating
    point says of thirds and sixths."""
    rng = np.random.default_rng(FIVE.index(criterion))
    for _ in range(120):
        n = int(rng.integers(5, 13))
        X, y = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, 3, (n, 3))
        leaves = int(rng.integers(2, 6))
        tree = grow(X, y, criterion=criterion, max_leaf_nodes=leaves)
        inner = np.flatnonzero(tree.width)
        path = tree.decision_path(X).toarray().astype(bool)
        found = sorted((np.flatnonzero(path[:, k]).tolist(), int(tree.feature[k])) for k in inner)
        assert found == sorted(best_first(X, y, None, criterion, leaves))

@pytest.mark.parametrize("seed, n",
                         [(302, 8), (736, 6), (958, 8), (1014, 8), (1196, 6), (2072, 6),
                          (3476, 6), (6012, 6)])
def test_equal_gains_of_three_outputs(seed, n):
    """Two waiting cuts remove equally much, one of them perhaps as 1/2 + 1/3 and the other as
    5/6: found among 60,000 random tables."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, 3, (n, 3))
    for leaves in range(2, 6):
        tree = grow(X, y, criterion="gini", max_leaf_nodes=leaves)
        path = tree.decision_path(X).toarray().astype(bool)
        inner = sorted(np.flatnonzero(path[:, k]).tolist() for k in np.flatnonzero(tree.width))
        assert inner == sorted(rows for rows, _ in best_first(X, y, None, "gini", leaves))

@pytest.mark.parametrize("learner", LEARNERS)
def test_a_gain_of_just_enough(learner):
    """A cut that removes exactly what is asked for is made; a little more is refused. A decimal
    counts as it is written."""
    X, y = np.repeat([0.0, 1, 2, 3], 5)[:, None], np.array([0] * 9 + [1] + [0] * 5 + [1] * 5)
    for criterion in FIVE[:3]:
        tree = learner(X, y, criterion=criterion)
        def left(rows): return left_over(criterion, [(int(v),) for v in y[rows]], [1] * len(rows))
        if criterion == "entropy": continue
        no, yes = (np.flatnonzero(s) for s in (X[:, 0] < tree.t[0], X[:, 0] >= tree.t[0]))
        gain = (left(np.arange(20)) - left(no) - left(yes)) / 20
        assert learner(X, y, criterion=criterion, min_impurity_decrease=float(gain),
                       max_depth=1).node_count == (3 if Fraction(repr(float(gain))) <= gain else 1)
        assert learner(X, y, criterion=criterion, min_impurity_decrease=float(gain) * (1 + 1e-15),
                       max_depth=1).node_count == 1
    quarters = np.array([0, 0, 1, 1])
    for criterion, whole in (("entropy", 1.0), ("gini", 0.5), ("misclassification", 0.5)):
        assert learner(quarters[:, None], quarters, criterion=criterion,
                       min_impurity_decrease=whole).node_count == 3
        assert learner(quarters[:, None], quarters, criterion=criterion,
                       min_impurity_decrease=np.nextafter(whole, 2)).node_count == 1
    # misclassification falls from 1/20 to 0
    tenth = np.array([1] + [0] * 19), np.array([1] + [0] * 19)
    assert learner(tenth[0][:, None], tenth[1], criterion="misclassification",
                   min_impurity_decrease=0.05).node_count == 3

def test_python_is_asked_only_in_doubt():
    "On tables without close calls nobody is asked; on two columns that nearly tie somebody is."
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5000, 5)), rng.integers(0, 3, 5000)
    with mock.patch("dtree_lit.learners.grow_loop.decide_open", wraps=decide_open) as asked:
        for criterion in FIVE[:3]: grow(X, y, criterion=criterion)
        grow(X, X[:, 0] + y, criterion="squared_error")
        few = asked.call_count
        columns = [column(F, (11, 5)) for F in ((1, 0), (4, 3))]     # both leave 15 log 3 - 10 bits
        grow(np.stack(columns, axis=1), np.repeat([0, 1], (11, 5)), criterion="entropy",
             max_depth=1)
        assert asked.call_count == few + 1
    assert few < 10

@given(st.lists(st.integers(1, 10**12), max_size=8))
def test_coprime_base(numbers):
    base = coprime_base(numbers)
    assert all(b > 1 for b in base)
    assert all(np.gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for k in numbers:
        for b in base:
            while k % b == 0: k //= b
        assert k == 1

@given(st.dictionaries(st.integers(1, 50), st.integers(-20, 20), max_size=6))
def test_signs_of_logarithms(terms):
    product_ = prod((Fraction(k)**a for k, a in terms.items()), start=Fraction(1))
    assert Logs(terms).sign() == (product_ > 1) - (product_ < 1)

@given(st.dictionaries(st.integers(0, 60), st.integers(-9, 9), max_size=5))
def test_signs_of_roots(terms):
    with localcontext(prec=60):
        total = sum((a * Decimal(k).sqrt() for k, a in terms.items()), Decimal(0))
    assert Roots(terms).sign() == (0 if abs(total) < Decimal(10)**-40 else 1 if total > 0 else -1)

@given(st.lists(st.tuples(st.integers(0, 2**52), st.integers(0, 2**52)), min_size=1, max_size=4),
       st.integers(1, 1000))
def test_proportional(cells, factor):
    F, T = zip(*cells)
    def side(c): return Side(sum(c), [list(c)])
    expected = sum(F) == 0 or sum(T) == 0 or all(f * sum(T) == t * sum(F) for f, t in cells)
    assert proportional(side(F), side(T)) == expected == (not removes("gini", side(F), side(T)))
    assert proportional(side(F), side([factor * f for f in F]))

def test_estimators_decide_as_learners_do():
    n = [631, 702, 711, 791]
    x, y = np.repeat([0, 0, 1, 1], n), np.repeat([0, 1, 0, 1], n)
    assert CARTClassifier(criterion="entropy", max_depth=1).fit(x[:, None], y).tree_.node_count == 3

def test_a_column_that_is_missing_beside_a_rival():
    X = np.array([[0, 1, np.nan], [1, 2, np.nan], [1, 0, np.nan], [0, 2, np.nan]])
    y = np.array([2.0, 1, 1, 0])
    assert grow(X, y, criterion="sdr") == grow_levels(X, y, criterion="sdr")

@pytest.mark.parametrize("criterion", ["squared_error", "sdr"])
def test_numbers_that_are_equal_in_units(criterion):
    "Beside 2^58 zero and one are the same: no learner divides them."
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 2.0**58, 2.0**58])
    for numbers in (y, np.stack([y, y], axis=1)):
        for w in (None, np.array([1, 2, 1, 3])):
            assert (grow(X, numbers, w, criterion=criterion)
                    == grow_levels(X, numbers, w, criterion=criterion))
    assert grow_levels(X, y, criterion=criterion).n_leaves == 2

@pytest.mark.parametrize("seed", [48, 120, 148, 159, 430])
def test_heavy_weights_of_two_outputs(seed):
    "Weights are rounded, so that a loss may fall below zero: it counts all the same."
    rng = np.random.default_rng([9, seed])
    n = int(rng.integers(40, 300))
    X, y = rng.integers(0, 300, (n, 2)).astype(float), 2.0**50 + rng.integers(-5, 6, (n, 2))
    w = 2.0**int(rng.choice([38, 40])) + rng.integers(0, 4, n)
    assert (grow(X, y, w, criterion="squared_error")
            == grow_levels(X, y, w, criterion="squared_error"))
