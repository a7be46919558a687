"""Exact comparisons against fractions, the scans against their definitions, and compiled code
against its source."""
from fractions import Fraction
from math import isqrt, log2

import numpy as np
import pytest
from dtree_lit.measures.exact_scores import all_k_log_k, CRITERIA, k_log_k
from dtree_lit.measures.exact_sums import U
from dtree_lit.splitter import scans
from dtree_lit.splitter.fast_split import ZERO, bits_of, layout_of, log_table, presort
from dtree_lit.splitter.scans import (WHOLE, larger_quotients, larger_square, larger_squares,
                                      larger_sums_of_squares)
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, settings, strategies as st

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

size = st.integers(2, 2**31 - 1) | st.integers(2, 40) | st.integers(2**31 - 50, 2**31 - 1)
seeds = st.integers(0, 2**32)

def quotients(A, a, Z, b): return Fraction(A, a) + Fraction(Z, b)

@given(size, size, size, size, st.integers(0, 2**62 - 1), st.integers(0, 2**62 - 1),
       st.integers(-1, 1))
def test_quotients_that_are_close(a, b, c, d, A, Z, off):
    a, b, c, d = a - 1, b - 1, c - 1, d - 1
    one = quotients(A, a, Z, b)
    P = min(int(one * c // 2), 2**62 - 1)
    Q = int((one - Fraction(P, c)) * d) + off
    if not 0 <= Q < 2**63: return
    assert larger_quotients(*map(U, (A, a, Z, b, P, c, Q, d))) == (one > quotients(P, c, Q, d))
    assert not larger_quotients(*map(U, (A, a, Z, b, Z, b, A, a)))

def cuts_that_are_close(n, top, r):
    "Sums l, m of n_l, n_m examples out of n with the sum c, whose scores are as close as can be."
    n_l, n_m = (int(v) for v in r.integers(1, n, 2))
    c, l = (int(v) for v in r.integers(-top, top, 2))
    over = (Fraction(l * n - n_l * c)**2 / (n * n_l * (n - n_l))) * n_m * (n - n_m) / n
    side = 1 if r.integers(2) else -1
    m = round(Fraction(n_m * c, n) + side * Fraction(isqrt(int(over * 2**40)), 2**20))
    return n_l, n_m, c, l, m

def score(l, n_l, c, n): return quotients(l * l, n_l, (c - l)**2, n - n_l)

@given(size, st.sampled_from([8, 2**20, 2**31, 2**45, 2**57]), st.integers(-2, 2), seeds)
def test_squares_that_are_close(n, top, off, seed):
    n_l, n_m, c, l, m = cuts_that_are_close(n, top, np.random.default_rng(seed))
    m += off
    one, other = score(l, n_l, c, n), score(m, n_m, c, n)
    if abs(one - other) >= 2**63 - 2 or max(abs(m), abs(c - m)) >= 2**62: return
    sizes = U(n_l), U(n_m), U(n)
    assert larger_squares(l, sizes[0], m, sizes[1], c, sizes[2]) == (one > other)
    assert not larger_squares(l, sizes[0], l, sizes[0], c, sizes[2])
    assert not larger_squares(l, sizes[0], c - l, sizes[2] - sizes[0], c, sizes[2])
    several = [np.array(v, np.int64) for v in ([l, m, l], [m, l, m], [c, c, c])]
    if n_l == n_m:
        assert not larger_sums_of_squares(several[0], sizes[0], several[1], sizes[0], several[2],
                                          sizes[2], 0, 2)
    assert larger_sums_of_squares(several[0], sizes[0], several[1], sizes[1], several[2], sizes[2],
                                  2, 3) == (one > other)

@given(st.integers(3, 2**31 - 1), st.integers(1, 6), seeds)
def test_several_squares(n, parts, seed):
    r = np.random.default_rng(seed)
    n_l, n_m = (int(v) for v in r.integers(1, n, 2))
    l, m, c = r.integers(-2**28, 2**28, (3, parts))
    if r.integers(2): c[:], m, n_m = c[0], r.permutation(l), n_l     # a tie
    def total(l, n_l): return sum(score(int(l[k]), n_l, int(c[k]), n) for k in range(parts))
    expected = total(l, n_l) > total(m, n_m)
    assert larger_sums_of_squares(l, U(n_l), m, U(n_m), c, U(n), 0, parts) == expected

@pytest.mark.parametrize("i", range(26, 53))
def test_k_log_k(i):
    k = np.random.default_rng(i).integers(2**(i - 1), 2**i, 200)
    ours = [k_log_k(int(v)) for v in k]
    assert ours == pytest.approx([v * log2(v) for v in k.tolist()], rel=1e-15)
    assert ours == [interpreted(k_log_k)(int(v)) for v in k] == all_k_log_k(k).tolist()

@pytest.mark.parametrize("K", range(2, 21))
def test_counts_side_by_side(K):
    """Stretches of any length, also around that at which a field is full; and all labels alike
    fill one field."""
    r, layout, full = np.random.default_rng(K), layout_of(2**22, K), 2**min(64 // K, 21) - 1
    for n in (0, 1, 2 * K - 1, 2 * K, 2 * K + 1, full - 1, full, full + 1, 3000):
        for y in (r.integers(0, K, n + 8), np.zeros(n + 8, np.int64), np.full(n + 8, K - 1)):
            words, start = ((np.arange(n + 8) << int(layout[0]) | y).astype(np.uint32),
                            r.integers(0, 2**40, K))
            l = start.copy()
            scans.add_labels(words, U(3), U(3 + n), layout, None, None, None, l)
            assert (l - start == np.bincount(y[3:3 + n], minlength=K)).all()

NONE = np.empty((0, 0), np.int64)
KINDS = {"two pairs": (scans.scan_two_pairs, scans.add_label),
         "pairs by class": (scans.scan_pairs_by_class, scans.add_label),
         "logs by class": (scans.scan_logs_by_class, scans.add_label),
         "many by class": (scans.scan_by_class, scans.add_label),
         "weighted pairs": (scans.scan_weighted_pairs, scans.add_weight),
         "weighted bits": (scans.scan_weighted_bits, scans.add_weight),
         "weighted logs": (scans.scan_weighted_logs, scans.add_weight),
         "many pairs": (scans.scan_many_pairs, scans.add_label),
         "many bits": (scans.scan_many_bits, scans.add_label),
         "bits of classes": (scans.scan_bits_of_classes, scans.add_classes),
         "classes": (scans.scan_classes, scans.add_classes),
         "sums": (scans.scan_sums, scans.add_number),
         "weighted sums": (scans.scan_weighted_sums, scans.add_weighted_number),
         "numbers": (scans.scan_numbers, scans.add_numbers)}

def run(kind, x, parts, K=1, labels=None, values=NONE, weights=NONE[:0].ravel(),
        groups=NONE.ravel(), T=np.zeros(3),
        least=0, lo=1, counted=None, plain=False):
    "Where a scan cuts a feature, and what stands left of it; plain: without the compiler."
    scan, add = KINDS[kind]
    X, n, layout = np.asarray(x, float)[:, None], len(x), layout_of(len(x), K)
    words, distinct, missing = np.empty((1, n), np.uint32), np.empty(1, np.int64), np.empty(1, bool)
    presort(bits_of(X), np.zeros(n, np.uint32) if labels is None else labels.astype(np.uint32),
            layout, words, distinct, missing, 0, 1)
    words, c, room = words[0], np.zeros(parts, np.int64), n // 32 + 2
    for word in words: add(word, layout, values, weights, groups, c)
    base, l, r, best_l = (np.zeros(parts + extra, np.int64) for extra in (0, 0, 0, 3))
    start = np.int64(2**62) if T.dtype == np.int64 else np.inf
    weight = U(n if counted is None else c[counted].sum())
    with np.errstate(over="ignore"):
        found = (interpreted(scan) if plain else scan)(
            words, ZERO, bits_of(X), U(0), distinct[0], layout, values, weights, groups, U(least),
            U(lo), U(n - lo), ZERO, base,
            weight, c, start, ZERO, best_l, T, np.empty(room * (parts + 2), np.int64),
            np.empty(room, T.dtype), l, r)
    return int(found[2]), best_l[:parts].tolist() if found[2] else None, float(found[0])

def first_of_least(x, left, admissible=lambda rows: True, lo=1):
    order = np.argsort(x, kind="stable")
    places = [i for i in range(lo, len(x) - lo + 1) if x[order[i - 1]] < x[order[i]]]
    places = [i for i in places if admissible(order[:i]) and admissible(order[i:])]
    scores = [left(order[:i]) + left(order[i:]) for i in places]
    return places[scores.index(min(scores))] if scores else 0

def feature(r, n):
    return [r.integers(0, 5, n), r.integers(0, max(n // 3, 2), n), r.permutation(n)][r.integers(3)]

def gini_left(y, w):
    "Gini of some rows, over all outputs, in fractions."
    def left(rows):
        W = int(w[rows].sum())
        return sum(W - Fraction(sum(int(v)**2 for v in np.bincount(c[rows], w[rows])), W)
                   for c in y.T)
    return left
def errors_left(y, w):
    return lambda rows: sum(int(w[rows].sum()) - int(np.bincount(c[rows], w[rows]).max())
                            for c in y.T)
def units_left(y, w, T):
    return lambda rows: sum(int(T[w[rows].sum()]
                                - T[np.bincount(c[rows], w[rows]).astype(int)].sum()) for c in y.T)
def loss_left(y, w):
    def left(rows):
        pairs = [[(int(v), int(k)) for v, k in zip(c[rows], w[rows])] for c in y.T]
        return sum(sum(v * v * k for v, k in p)
                   - Fraction(sum(v * k for v, k in p)**2, sum(k for _, k in p)) for p in pairs)
    return left

sizes = st.integers(2, 40) | st.integers(257, 500)

@settings(max_examples=25)
@given(sizes, st.integers(2, 6), st.integers(1, 3), seeds)
def test_classes(n, K, lo, seed):
    r = np.random.default_rng(seed)
    if n < 2 * lo: return
    x, w = feature(r, n), np.ones(n, np.int64)
    y = np.where(r.random(n) < 0.4, r.integers(0, K, n), x * K // (x.max() + 1))
    T = log_table(n, log2(K))
    expected = first_of_least(x, gini_left(y[:, None], w), lo=lo)
    assert run("many pairs", x, K, K, y, lo=lo)[0] == expected
    if K == 2: assert run("two pairs", x, K, K, y, lo=lo)[0] == expected
    assert run("many bits", x, K, K, y, T=T,
               lo=lo)[0] == first_of_least(x, units_left(y[:, None], w, T), lo=lo)

@settings(max_examples=25)
@given(sizes, st.integers(2, 4), st.integers(1, 3), seeds)
def test_weights_and_outputs(n, K, outputs, seed):
    r = np.random.default_rng(seed)
    x, w, y = feature(r, n), r.integers(1, 6, n), r.integers(0, K, (n, outputs))
    y[:, 0] = np.where(r.random(n) < 0.4, y[:, 0], x * K // (x.max() + 1))
    T, least = log_table(int(w.sum()), outputs * log2(K)), int(r.integers(0, 5))
    def heavy(rows): return w[rows].sum() >= least
    def found(kind, criterion, T):
        groups = np.append(FIVE.index(criterion), 1 + K * np.arange(outputs + 1))
        return run(kind, x, 1 + K * outputs, values=y, weights=w, groups=groups, T=T, least=least,
                   counted=0)[0]
    assert found("classes", "gini", np.zeros(3)) == first_of_least(x, gini_left(y, w), heavy)
    assert found("classes", "misclassification",
                 np.zeros(3)) == first_of_least(x, errors_left(y, w), heavy)
    assert found("bits of classes", "entropy", T) == first_of_least(x, units_left(y, w, T), heavy)

@settings(max_examples=25)
@given(sizes, st.integers(2, 6), st.integers(1, 3), seeds)
def test_weights_of_classes(n, K, lo, seed):
    "Counts that are weighed are what weights of rows are; and no side is too light."
    r = np.random.default_rng(seed)
    if n < 2 * lo: return
    x, u = feature(r, n), r.integers(2**30, 2**34, K)
    y = np.where(r.random(n) < 0.4, r.integers(0, K, n), x * K // (x.max() + 1))
    w, least = u[y], int(r.integers(0, 2**35))
    def heavy(rows): return w[rows].sum() >= least
    def found(criterion, kind="many by class"):
        groups = u if kind == "logs by class" else np.append(u, FIVE.index(criterion))
        return run(kind, x, K, K, y, groups=groups, least=least, lo=lo)[0]
    assert found("gini") == first_of_least(x, gini_left(y[:, None], w), heavy, lo)
    rows = dict(values=y[:, None], weights=w, counted=0, least=least, lo=lo)
    groups = np.array([FIVE.index("entropy"), 1, 1 + K])
    assert found("entropy") == run("classes", x, 1 + K, groups=groups, **rows)[0]
    if K == 2: assert found("entropy", "logs by class") == found("entropy")

@settings(max_examples=25)
@given(sizes, st.sampled_from([3, 1000, 2**40]), st.integers(0, 2**40), seeds)
def test_numbers(n, top, middle, seed):
    r = np.random.default_rng(seed)
    x, w, ones = feature(r, n), r.integers(1, 6, n), np.ones(n, np.int64)
    y = (r.integers(-top, top, n) + x * top // n + middle)[:, None]
    assert run("sums", x, 2, values=y)[0] == first_of_least(x, loss_left(y, ones))
    least = int(r.integers(0, 5))
    found = run("weighted sums", x, 2, values=y * w[:, None], weights=w, least=least, counted=1)
    assert found[0] == first_of_least(x, loss_left(y, w), lambda rows: w[rows].sum() >= least)
    if found[1]:
        assert (found[1]
                == [int((y[:, 0] * w)[(rows := np.argsort(x, kind="stable")[:found[0]])].sum()),
                    int(w[rows].sum())])

@settings(max_examples=25)
@given(sizes, st.integers(1, 3), seeds)
def test_several_numbers(n, outputs, seed):
    r = np.random.default_rng(seed)
    x, w, y = feature(r, n), r.integers(1, 6, n), r.integers(-50, 51, (n, outputs))
    y[:, 0] += x
    squares, T = y * y * w[:, None], np.array([4.0, 0, 0])
    values = np.hstack([y * w[:, None], squares // 4, squares % 4])
    def found(criterion):
        groups = np.array([FIVE.index(criterion), 3 * outputs])
        return run("numbers", x, 1 + 3 * outputs, values=values, weights=w, groups=groups,
                   T=T, counted=0)
    assert found("squared_error")[0] == first_of_least(x, loss_left(y, w))
    at, _, e = found("sdr")
    def left(rows):
        return sum(np.sqrt(w[rows].sum() * float(loss_left(y[:, [k]], w)(rows)))
                   for k in range(outputs))
    best, order = first_of_least(x, left), np.argsort(x, kind="stable")
    assert (at == 0) == (best == 0)
    if best: assert e == pytest.approx(left(order[:best]) + left(order[best:]), rel=1e-12, abs=1e-9)

def test_four_numbers_that_fill_the_word():
    """The largest sums that a learner makes: every cut close to another, and the first of equals
    wins."""
    r, close = np.random.default_rng(0), 0
    for _ in range(300):
        n_l, n_m, c, l, m = cuts_that_are_close(4, 2**54, r)
        if n_l == n_m or max(abs(v) for v in (l, m, c - l, c - m, m - l)) >= 2**54: continue
        ends = sorted([(0, 0), (n_l, l), (n_m, m), (4, c)])
        y = []                                              # numbers with these sums
        for (i, S), (j, R) in zip(ends, ends[1:]):
            y += [(R - S) // (j - i)] * (j - i - 1) + [R - S - (R - S) // (j - i) * (j - i - 1)]
        y = np.array(y)[:, None]
        one, other = score(l, n_l, c, 4), score(m, n_m, c, 4)
        close += abs(one - other) < abs(one) / 2**48
        assert run("sums", np.arange(4), 2,
                   values=y)[0] == first_of_least(np.arange(4), loss_left(y, np.ones(4, np.int64)))
    assert close > 20

@pytest.mark.parametrize("seed", range(3))
def test_interpreted(seed):
    r = np.random.default_rng(seed)
    n, K = (12, 300)[seed == 0], 3
    x, w, y = feature(r, n), r.integers(1, 4, n), r.integers(0, K, (n, 2))
    values, groups = (np.hstack([y * w[:, None], y * y * w[:, None]]),
                      np.array([1, 1, 1 + K, 1 + 2 * K]))
    cases = [("two pairs", dict(parts=2, K=2, labels=y[:, 0] % 2)),
             ("many pairs", dict(parts=K, K=K, labels=y[:, 0])),
             ("many bits", dict(parts=K, K=K, labels=y[:, 0], T=log_table(n, 2.0))),
             ("classes", dict(parts=1 + 2 * K, values=y, weights=w, groups=groups, counted=0)),
             ("sums", dict(parts=2, values=y)),
             ("weighted sums", dict(parts=2, values=values, weights=w, counted=1)),
             ("numbers", dict(parts=5, values=values, weights=w, groups=np.array([4, 4]),
                              T=np.array([1.0, 0, 0]), counted=0))]
    for kind, case in cases: assert run(kind, x, **case) == run(kind, x, plain=True, **case)

def test_too_heavy_for_fractions():
    "From 2³¹ on nothing is compared exactly, and the first of equal scores still wins."
    w = np.full(6, int(WHOLE))
    y = np.array([0, 1, 0, 1, 0, 1])[:, None]
    assert run("weighted sums", np.arange(6), 2, values=y * w[:, None], weights=w,
               counted=1)[0] == 1
    assert run("classes", np.arange(6), 3, values=y, weights=w, groups=np.array([1, 1, 3]),
               counted=0)[0] == 1

words = st.integers(1, 2**64 - 1) | st.integers(2**63 - 9, 2**63 + 9) | st.integers(1, 9)

@given(words, words, words, words, words, st.integers(-1, 1))
def test_long_products(d, v, w, x, y, off):
    e = min(max(isqrt(d * d * x * y // (v * w)) + off, 0), 2**64 - 1)      # as close as can be
    assert larger_square(*map(U, (d, v, w, e, x, y))) == (d * d * x * y > e * e * v * w)
    assert not larger_square(*map(U, (d, v, w, d, w, v)))

@settings(max_examples=50)
@given(sizes, st.sampled_from([3, 40, 2**40]), seeds)
def test_weights_of_classes(n, top, seed):
    r = np.random.default_rng(seed)
    x, u = feature(r, n), r.integers(1, top, 2)
    y = np.where(r.random(n) < 0.4, r.integers(0, 2, n), x * 2 // (x.max() + 1))
    w, least = u[y], int(r.integers(0, 3) * u.sum())
    def heavy(rows): return w[rows].sum() >= least
    case = dict(K=2, labels=y, groups=u, least=least)
    expected = first_of_least(x, gini_left(y[:, None], w), heavy)
    assert run("pairs by class", x, 2, **case)[0] == expected
    if n < 50: assert run("pairs by class", x, 2, plain=True, **case)[0] == expected

@settings(max_examples=50)
@given(sizes, st.sampled_from([3, 40, 2**40]), st.integers(1, 3), seeds)
def test_two_classes_with_weights(n, top, lo, seed):
    """Against the definition; and, where logarithms are computed, against the scan for several
    outputs."""
    r = np.random.default_rng(seed)
    if n < 2 * lo: return
    x, w = feature(r, n), r.integers(1, top, n)
    y = np.where(r.random(n) < 0.4, r.integers(0, 2, n), x * 2 // (x.max() + 1))
    least = int(r.integers(0, 3) * top)
    def heavy(rows): return w[rows].sum() >= least
    case = dict(K=2, labels=y, weights=w, least=least, lo=lo, counted=[0, 1])
    expected = first_of_least(x, gini_left(y[:, None], w), heavy, lo)
    found = run("weighted pairs", x, 2, **case)
    assert found[0] == expected
    if found[1]:
        assert found[1] == np.bincount(y[rows := np.argsort(x, kind="stable")[:expected]],
                                       w[rows], 2).tolist()
    if n < 50: assert run("weighted pairs", x, 2, plain=True, **case) == found
    groups, all_parts = np.array([0, 1, 3]), case | dict(K=1, labels=None, counted=0)
    at, _, e = run("weighted logs", x, 2, **case)
    expected, _, left = run("classes", x, 3, values=y[:, None], groups=groups, **all_parts)
    assert at == expected and (at == 0 or e == pytest.approx(left, abs=int(w.sum()) * 2.0**-42))
    if top > 40: return
    T = log_table(int(w.sum()), 1.0)
    assert run("weighted bits", x, 2, T=T,
               **case)[0] == first_of_least(x, units_left(y[:, None], w, T), heavy, lo)

def test_a_look_does_not_decide_between_other_tables_of_equal_sizes():
    "Two sides of ten of twenty, of which neither is the other: their logarithms cannot tell."
    look = interpreted(scans.fewer_bits_of_many)
    c, l, other = np.array([20, 10, 6, 4]), np.array([10, 5, 3, 2]), np.array([10, 6, 2, 2])
    def answer(a, b): return look(5, 0, 0, a, U(10), 5, b, U(10), c, U(20), None, None)
    assert answer(l, other) == scans.UNSURE
    assert answer(l, l) == answer(other, c - other) == scans.NOT_LESS

def test_a_look_at_counts_compares_weights_and_sums():
    "Sides of equal weight whose sums differ, of Poisson: their logarithms cannot tell."
    look, groups = interpreted(scans.fewer_of_numbers), np.array([scans.POISSON, 3])
    c, l, other = np.array([8, 20, 9, 0]), np.array([3, 4, 2, 0]), np.array([3, 9, 2, 0])
    def answer(a, b): return look(5.0, 0, 0, a, U(3), 5.0, b, U(3), c, U(8), np.ones(3), groups)
    assert answer(l, other) == scans.UNSURE
    assert answer(l, l) == answer(other, c - other) == scans.NOT_LESS
