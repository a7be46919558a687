"""The rungs of the ladder against other programs' sorts, exact definitions, and themselves
uncompiled."""
import numpy as np
import pytest
from dtree_lit.measures.exact_sums import U
from dtree_lit.splitter import fast_split
from dtree_lit.splitter.additive_logs import integer_log
from dtree_lit.splitter.fast_split import (ZERO, apart, bits_of, key, layout_of, log_table, mark,
                                           missing_at_end, next_value, ones, partition_by_no,
                                           partition_by_yes, presort, radix_sort, rotate, row_of,
                                           same_code, scan_two_bits)
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, strategies as st

ODD = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.2e-308, 1e-40, -1e-40, 1.7e308, -1.7e308, np.inf,
       -np.inf, np.nan,
       float(np.nextafter(1, 2)), 2.0**24, 2.0**24 + 1]
EMPTY = np.empty(0, np.int64)

def lists(X, y=None, K=1, sort=presort):
    n, m = X.shape
    words, distinct, missing = np.empty((m, n), np.uint32), np.empty(m, np.int64), np.empty(m, bool)
    labels = np.zeros(n, np.uint32) if y is None else y.astype(np.uint32)     # as learners do
    sort(bits_of(X), labels, layout_of(n, K), words, distinct, missing, 0, m)
    return words, distinct, missing

def check_lists(X, y, K):
    "Rows as a stable sort gives them, codes as ranks where they fit, labels as given."
    layout = layout_of(len(X), K)
    for f, (w, d, some) in enumerate(zip(*lists(X, y, K))):
        x = X[:, f] + X.dtype.type(0)
        values, codes = np.unique(x, return_inverse=True)
        rows = row_of(w, layout)
        assert rows.tolist() == np.argsort(x, kind="stable").tolist()
        assert (w & ((1 << int(layout[0])) - 1) == y[rows]).all() and some == np.isnan(x).any()
        room, codes = 2**(32 - int(layout[2])), codes[rows]
        fits = len(values) <= room
        if not fits:                                    # leading bits of the first equal's place
            codes = np.searchsorted(codes, codes)
            codes = codes >> max((len(X) - 1).bit_length() - room.bit_length() + 1, 0)
        assert d == fits * len(values) and (w >> layout[2] == codes).all()

@given(st.lists(st.sampled_from(ODD) | st.floats(), min_size=1, max_size=40),
       st.sampled_from([np.float32, np.float64]),
       st.integers(1, 5))
def test_presort_of_odd_numbers(x, dtype, K):
    with np.errstate(over="ignore", invalid="ignore"): X = np.array(x).astype(dtype)[:, None]
    check_lists(X, np.arange(len(x)) % K, K)

@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 2999, 3001, 40_000])
def test_presort_of_any_layout(dtype, n):
    rng = np.random.default_rng(n)
    whole = np.uint32 if dtype == np.float32 else np.uint64
    base = np.empty((2 * n, 6), dtype)
    base[:, 0], base[:, 1] = rng.normal(size=2 * n), rng.integers(-3, 4, 2 * n)
    # any bits, NaN of all sorts
    base[:, 2] = rng.integers(0, np.iinfo(whole).max, 2 * n, dtype=whole).view(dtype)
    base[:, 3], base[:, 4] = rng.choice([-1, np.nan], 2 * n), np.nan
    base[:, 5] = rng.integers(0, 9, 2 * n)
    y = rng.integers(0, 3, n)
    for X in (base[:n], np.asfortranarray(base[:n]), base[::2], base[n:, ::-1], base[::-2, 1:4]):
        before = X.copy()
        with np.errstate(invalid="ignore"): check_lists(X, y, 3)
        assert X.tobytes() == before.tobytes()

@pytest.mark.parametrize("dtype", [np.float32, np.float64])
# counted, too many codes for a word, too many to count
@pytest.mark.parametrize("values", [2, 300, 2**14, 2**16, 2**17])
def test_columns_of_few_values(dtype, values):
    n, rng = 100_000, np.random.default_rng(values)
    X = np.stack([rng.integers(-values // 2, values, n), rng.integers(0, values, n) / 4,
                  rng.integers(0, 2, n) * values,
                  # in one power of two: few bits differ
                  rng.integers(values, 2 * values, n)], axis=1)
    check_lists(X.astype(dtype), rng.integers(0, 10, n), 10)

@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 3), min_size=1, max_size=60),
       st.sampled_from([8, 11, 16]))
def test_radix_sort_is_stable(upper, digit):
    lower = np.arange(len(upper), dtype=np.uint64)[::-1]    # not ascending: order is kept, not made
    a = np.array(upper, np.uint64) << U(32) | lower
    expected = a[np.argsort(upper, kind="stable")]
    assert (radix_sort(a.copy(), np.empty_like(a), digit)[0] == expected).all()

@given(st.sampled_from([np.float32, np.float64]), st.floats(width=32), st.floats(width=32))
def test_keys_compare_as_numbers_do(dtype, a, b):
    X = np.array([[a], [b]], dtype)
    p, q = key(bits_of(X), 0, 0), key(bits_of(X), 1, 0)
    if np.isnan(a) or np.isnan(b): assert max(p, q) == 2**64 - 1
    else: assert (p < q, p == q) == (a < b, a == b)

def scan(x, y, lo=1, hi=None, on_left=(0, 0), best=None, earlier=None):
    """The scan of a feature without missing values; examples `on_left` belong to the node too.
    (score, words, ones)"""
    layout, (words, distinct, _) = layout_of(len(x), 2), lists(x[:, None], y, 2)
    base, s = np.array(on_left), len(x)
    c = base + np.bincount(y, minlength=2)
    n, T = U(c.sum()), log_table(int(c.sum()), 1)
    best = T[n] - T[c[0]] - T[c[1]] if best is None else best
    left, parts = np.zeros(4, np.int64), s // 32 + 2
    found, found_n, at = scan_two_bits(
        words[0], ZERO, bits_of(x[:, None]), 0, distinct[0], layout, EMPTY.reshape(0, 0),
        EMPTY, EMPTY, 0,
        U(lo), U(s - 1 if hi is None else hi), U(base.sum()), base, n, c, best, ZERO, left, T,
        np.empty(2 * parts, np.int64), np.empty(parts, np.int64), EMPTY, EMPTY)
    if at > 0: assert left[:2].sum() == found_n == at + base.sum()
    return int(found), int(at), left[:2].tolist()

def by_definition(x, y, lo=1, hi=None, on_left=(0, 0), best=None):
    "All cuts, scored with whole numbers of any length; the first of the best."
    order, s = np.argsort(x, kind="stable"), len(x)
    v, labels, hi = x[order], y[order], s - 1 if hi is None else hi
    n = s + sum(on_left)
    ell = integer_log(max(n, 2), min(44, 61 - int(np.ceil(np.log2(max(n, 2)))))).tolist()
    def phi(c): return sum(c) * ell[sum(c)] - sum(k * ell[k] for k in c)
    D = [on_left[k] + int((y == k).sum()) for k in (0, 1)]
    best, at, left = phi(D) if best is None else best, 0, [0, 0]
    l = list(on_left)
    for i in range(min(hi, s - 1)):
        l[labels[i]] += 1
        e = phi(l) + phi([D[0] - l[0], D[1] - l[1]])
        if i + 1 >= lo and v[i] != v[i + 1] and e < best: best, at, left = e, i + 1, list(l)
    return best, at, left

def random_feature(rng, n):
    kind = rng.integers(4)
    if kind == 0: x = rng.normal(size=n)                                # no ties
    elif kind == 1: x = rng.integers(0, max(n // 5, 2), n) * 1.0        # ties, yet many values
    elif kind == 2: x = rng.integers(0, rng.integers(1, 9), n) * 1.0    # few values
    else: x = np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n))    # one long run
    p = rng.choice([0.02, 0.5, 0.9])
    y = (rng.random(n) < p).astype(np.int64)
    if rng.random() < 0.6:
        y = np.where(rng.random(n) < 0.8, x > np.quantile(x, rng.random()), y).astype(np.int64)
    return x, y

@pytest.mark.parametrize("seed", range(120))
def test_scan_finds_the_first_of_the_best(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60) if seed % 2 else rng.integers(130, 2500))
    x, y = random_feature(rng, n)
    lo = int(rng.integers(1, n // 3 + 2)) if rng.random() < 0.5 else 1
    case = dict(lo=lo, hi=max(n - lo, lo) if lo < n else n - 1)
    if case["lo"] > case["hi"]: case = {}
    if rng.random() < 0.5: case["on_left"] = tuple(int(v) for v in rng.integers(0, 30, 2))
    expected = by_definition(x, y, **case)
    assert scan(x, y, **case) == expected
    if expected[1]:                                  # an earlier feature, as good or a little worse
        assert scan(x, y, best=expected[0], **case)[1] == 0
        assert scan(x, y, best=expected[0] + 128 * len(x) * 2, **case) == expected

def test_a_promise_does_not_take_the_tie():
    """The same labels mirrored: two cuts leave equally much, one of them at the end of a block.
    The first wins."""
    for n in (256, 512, 2048):
        for at in (32, 33, 37, 64, 100):
            y = np.zeros(n, np.int64)
            y[:at] = y[n - at:] = 1
            assert scan(np.arange(n) * 1.0, y)[1] == at == by_definition(np.arange(n) * 1.0, y)[1]

@given(st.lists(st.integers(0, 3), min_size=1, max_size=50), st.data())
def test_next_value_and_ones(codes, data):
    words = np.sort(np.array(codes)).astype(np.uint32)
    hi = data.draw(st.integers(1, len(words)))
    i = data.draw(st.integers(0, hi - 1))
    assert next_value(words, ZERO, U(i), U(hi),
                      ZERO) == i + np.searchsorted(words[i:hi], words[i], "right")
    assert ones(words, U(i), U(hi), layout_of(64),
                np.zeros(0, np.int64)) == ((words[i:hi] & 1).sum(), hi - i)

@pytest.mark.parametrize("seed", range(40))
def test_partition_is_stable_and_stays_in_its_stretch(seed):
    rng = np.random.default_rng(seed)
    n, layout = int(rng.integers(2, 400)), layout_of(400, 2)
    words = (rng.permutation(n).astype(np.uint32) << np.uint32(1)
             | rng.integers(0, 2, n).astype(np.uint32))
    o, e = sorted(rng.choice(n + 1, 2, replace=False).tolist())
    yes = rng.random(400) < rng.random()
    side = np.packbits(np.pad(yes, (0, 16)), bitorder="little").view(np.uint32).copy()
    before, part = words.copy(), words[o:e].copy()
    T = yes[part >> 1]
    partition_by_yes(words, U(o), U(e - o), np.empty(e - o, np.uint32), side, layout)
    assert words[o:e].tolist() == part[~T].tolist() + part[T].tolist()
    assert (words[:o] == before[:o]).all() and (words[e:] == before[e:]).all()
    words[o:e] = part
    partition_by_no(words, U(o), U(e - o), np.empty(e - o, np.uint32), side, layout)
    assert words[o:e].tolist() == part[T].tolist() + part[~T].tolist()

def test_marks_come_and_go():
    rng = np.random.default_rng(1)
    layout, words = layout_of(200, 1), rng.permutation(200).astype(np.uint32)
    side = np.zeros(7, np.uint32)
    mark(words, U(60), U(100), side, layout)
    bits = np.unpackbits(side.view(np.uint8), bitorder="little")[:200].astype(bool)
    assert np.flatnonzero(bits).tolist() == sorted(words[60:100].tolist())
    mark(words, U(60), U(100), side, layout)
    assert not side.any()

def test_the_last_go_first():
    for at in range(6):
        for end in range(at, 7):
            words = np.arange(10, dtype=np.uint32)
            rotate(words, U(2), U(at), U(end), U(7), np.empty(7, np.uint32))
            assert words.tolist() == [0, 1, *range(2, 2 + at), *range(2 + end, 9),
                                      *range(2 + at, 2 + end), 9]

def test_ends_of_a_stretch():
    x = np.array([2, np.nan, 1, 1, np.nan, np.inf])[:, None]
    (words, distinct, _), layout = lists(x), layout_of(6)
    assert missing_at_end(words[0], ZERO, U(6), bits_of(x), 0, layout) == 2
    assert missing_at_end(words[0], ZERO, U(4), bits_of(x), 0, layout) == 0
    assert missing_at_end(words[0], U(4), U(2), bits_of(x), 0, layout) == 2
    assert same_code(words[0], ZERO, U(2), distinct[0], layout)
    assert not same_code(words[0], ZERO, U(3), distinct[0], layout)
    assert same_code(words[0], U(4), U(2), distinct[0], layout)         # missing is a value, too
    assert (not apart(words[0], U(4), bits_of(x), 0, True, layout)
            and apart(words[0], U(3), bits_of(x), 0, False, layout))

def test_layout_refuses_what_does_not_fit():
    assert int(layout_of(2**32, 1)[2]) == int(layout_of(2**31, 2)[2]) == 32
    for n, K in ((2**32 + 1, 1), (2**31 + 1, 2), (2**30 + 1, 3)):
        with pytest.raises(ValueError, match="do not fit in words of 32 bits"): layout_of(n, K)

def test_table_is_exact_modulo_64_bits():
    for n in (1, 2, 100_000):
        T, ell = log_table(n, 1), integer_log(max(n, 2),
                                              min(44, 61 - int(np.ceil(np.log2(max(n, 2))))))
        assert all(int(t) % 2**64 == k * int(e) % 2**64
                   for k, (t, e) in enumerate(zip(T[-500:], ell[-500:]), len(T) - min(len(T), 500)))

@pytest.fixture
def uncompiled(monkeypatch):
    "All kernels of the module as plain Python."
    for name in fast_split.__dict__.copy():
        f = getattr(fast_split, name)
        if hasattr(f, "compiled"): monkeypatch.setattr(fast_split, name, interpreted(f))
    with np.errstate(over="ignore"): yield fast_split

def test_interpreted(uncompiled):
    rng = np.random.default_rng(3)
    for dtype in (np.float32, np.float64):
        X = np.stack([rng.normal(size=30), rng.choice(ODD[:4] + [np.nan], 30),
                      rng.integers(-5, 5, 30)], axis=1).astype(dtype)
        y = rng.integers(0, 2, 30)
        for ours, plain in zip(lists(X, y, 2), lists(X, y, 2, uncompiled.presort)):
            assert (ours == plain).all()
        side, room = np.array([0b1011001110001111], np.uint32), np.empty(30, np.uint32)
        (compiled, _, _), (words, _, _) = lists(X, y, 2), lists(X, y, 2)
        partition_by_no(compiled[0], U(3), U(20), room, side, layout_of(30, 2))
        uncompiled.partition_by_no(words[0], U(3), U(20), room, side, layout_of(30, 2))
        assert (compiled == words).all()

def test_interpreted_scan(monkeypatch):
    "The body of the scan, with compiled parts."
    compiled = [(x, y, scan(x, y))
                for x, y in (random_feature(np.random.default_rng(s), 300) for s in range(12))]
    monkeypatch.setitem(scan.__globals__, "scan_two_bits", interpreted(scan_two_bits))
    with np.errstate(over="ignore"):
        for x, y, expected in compiled: assert scan(x, y) == expected

def test_grey_levels_in_doubles_are_counted_where_their_table_is_no_longer_than_the_column():
    rng, layout = np.random.default_rng(0), layout_of(2**18, 2)
    for n, expected in ((2**18 - 1, 0), (2**18, 256)):
        x, words = rng.integers(0, 256, (n, 1)).astype(float), np.empty((1, n), np.uint32)
        fast_split.fetch_keys(bits_of(x), words, np.zeros(1, np.uint64), 0, 1)
        assert fast_split.count_column(words[0], np.zeros(n, np.uint8), layout,
                                    np.empty(n, np.uint32)) == expected
        if expected: assert (row_of(words[0], layout) == np.argsort(x[:, 0], kind="stable")).all()

@pytest.mark.parametrize("n", [2, 3, 40, 2999, 6000])
@pytest.mark.parametrize("shared", [0.0, 0.02, 0.4, 0.6, 1.0])
def test_doubles_that_agree_in_their_upper_halves(n, shared):
    """None, a few, less or more than half of them, or all; among them both zeros, what is
    smaller than normal, and what is missing."""
    r = np.random.default_rng(n)
    own = (np.arange(n, dtype=np.uint64) * U(0x1000) + U(0x3ff00000)) << U(32)
    alike = r.choice([U(0x3ff00000), U(0xbff00000), ZERO, U(1 << 31)], n) << U(32)
    bits = np.where(r.random(n) < shared,
                    alike | r.integers(0, 2**r.integers(1, 33), n, dtype=np.uint64), own)
    x = r.permutation(bits).view(np.float64)
    odd = np.array([0.0, -0.0, 5e-324, -5e-324, np.nan, np.inf, -np.inf])
    for column in (x, np.where(r.random(n) < 0.1, r.choice(odd, n), x)):
        check_lists(column[:, None], r.integers(0, 2, n), 2)

@pytest.mark.parametrize("n", [1, 2, 500, 5000])
def test_equal_doubles_stay_in_the_order_of_their_rows(n):
    "Prices agree in both halves; some of the others in the upper one alone."
    r = np.random.default_rng(n)
    prices = r.integers(0, 50, n) / 10
    near = np.where(r.random(n) < 0.1, np.nextafter(prices, 9), prices)
    check_lists(np.stack([prices, near], axis=1), r.integers(0, 2, n), 2)
