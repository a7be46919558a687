"C4.5, word for word: exact comparisons, thresholds that occur, shares, and rules of thumb at their edges."
from fractions import Fraction
from math import inf, log2, nextafter

import numpy as np
import pytest
from dtree_lit.c45 import c45_shares, c45_spec, named_threshold, sign_of_products
from dtree_lit.scores import Logs
from hypothesis import given
from hypothesis import strategies as st

NUMBER = None

def value(logs): return sum(float(a) * log2(k) for k, a in logs.items() if a)

sums = st.dictionaries(st.integers(1, 300), st.integers(-40, 40) | st.fractions(-3, 3, max_denominator=9), max_size=4).map(Logs)

@given(sums, sums, sums, sums)
def test_products_are_compared_as_by_rounding_where_rounding_can_tell(a, b, c, d):
    rough = value(a) * value(b) - value(c) * value(d)
    if abs(rough) > 1e-6: assert sign_of_products(a, b, c, d) == (1 if rough > 0 else -1)
    assert sign_of_products(a, b, c, d) == -sign_of_products(c, d, a, b) and sign_of_products(a, b, b, a) == 0

def test_products_that_are_equal_by_the_rules_of_logarithms():
    two, three = Logs({2: 1}), Logs({3: 1})
    assert sign_of_products(Logs({4: 1}), three, two, Logs({9: 1})) == 0
    assert sign_of_products(Logs({12: 1}), Logs({12: 1}), two + two + three, two + two + three) == 0
    assert sign_of_products(Logs({8: Fraction(1, 3)}), three, two, three) == 0
    assert sign_of_products(Logs(), two, Logs(), three) == 0 and sign_of_products(two, two, Logs(), three) == 1

@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.lists(st.floats(allow_nan=False), max_size=4))
def test_a_named_threshold_parts_its_neighbors_and_names_a_value(a, b, others):
    a, b = sorted((a, b))
    if a == b: return
    values = sorted({a, b, *others})
    t = named_threshold(a, b, values)
    assert a < t <= b and nextafter(t, -inf) in values and a < named_threshold(a, b) <= b

def grow(rows, y, V, K=2, **rules): return c45_spec(rows, y, V, K, **rules)
def is_leaf(tree): return isinstance(tree, list)

def test_a_leaf_is_light_or_pure_or_knows_no_question():
    assert grow([(0,), (0,), (1,)], [0, 0, 1], [2]) == [2, 1]                       # less than 2 m
    assert grow([(0,), (0,), (1,), (1,)], [1] * 4, [2]) == [0, 4]
    assert grow([(0,), (0,), (1,), (1,)], [0, 1, 0, 1], [2]) == [2, 2]              # nothing is gained
    assert grow([(0,), (0,), (1,), (1,)], [0, 0, 1, 1], [2]) == ([2, 2], 0, None, [[2, 0], [0, 2]])
    assert is_leaf(grow([(0,), (0,), (0,), (1,)], [0, 0, 0, 1], [2]))                # one value alone weighs m
    assert not is_leaf(grow([(0,), (0,), (0,), (1,)], [0, 0, 0, 1], [2], least=1))

def test_a_number_pays_for_its_name():
    rows, y = [(float(i),) for i in range(8)], [0, 1] * 4
    assert is_leaf(grow(rows, y, [NUMBER])) and not is_leaf(grow(rows, y, [NUMBER], charge=False))

def test_the_least_side_of_a_number():
    "A tenth of a class's average, between m and 25; the bound itself is enough."
    def first_side(n, pure, **rules):
        tree = grow([(float(i),) for i in range(n)], [0] * pure + [1] * (n - pure), [NUMBER], charge=False, **rules)
        return sum(counts(tree[3][0]))
    def counts(tree): return tree if is_leaf(tree) else tree[0]
    assert [first_side(140, 7), first_side(140, 6), first_side(10, 2)] == [7, 7, 2]
    assert first_side(600, 20) == 25 and first_side(600, 28) == 28 and first_side(90, 3, least=30) == 30

def test_a_wide_category_is_not_averaged_but_competes():
    "Fifteen values of thirty examples are too many for the average, of sixty they are not."
    y = [i // 2 % 2 for i in range(30)]
    rows = [(i // 2, y[i] ^ (i < 4)) for i in range(30)]                            # gains all; right but four times
    assert grow(rows, y, [15, 2])[1] == 1 and grow(rows, y, [15, 2], ratio=False)[1] == 0
    assert grow(rows * 2, y * 2, [15, 2])[1] == 0                                   # nothing else reaches the average
    assert grow([row[:1] for row in rows], y, [15])[1] == 0                         # alone it competes

def test_one_value_against_the_rest():
    rows, y = [(v,) for v in (0, 0, 1, 1, 2, 2)], [0, 0, 1, 1, 0, 0]
    assert grow(rows, y, [3], one_value=True) == ([4, 2], 0, 1, [[4, 0], [0, 2]])

def test_shares_go_down_and_come_back():
    one = 3 * 2**20
    rows, y = [(0,), (0,), (1,), (None,)], [0, 0, 1, 1]
    tree = grow(rows, y, [2], one=one, least=1)
    assert tree[0] == [2 * one, 2 * one] and tree[3] == [[2 * one, 2 * one // 3], [0, one + one // 3]]
    assert c45_shares(tree, (0,)) == pytest.approx([3/4, 1/4]) and c45_shares(tree, (1,)) == [0, 1]
    assert c45_shares(tree, (None,)) == pytest.approx([1/2, 1/2])

def test_an_empty_leaf_answers_as_its_parent():
    tree = grow([(0,), (0,), (2,), (2,)], [0, 0, 1, 1], [3])
    assert tree[3][1] == [0, 0] and c45_shares(tree, (1,)) == [0.5, 0.5] == c45_shares(tree, (None,))

def test_more_is_asked_of_a_ratio_than_to_be_large():
    "Splitting off two of forty has the larger ratio, and less than the average gain."
    honest = [0] * 15 + [1] * 5 + [0] * 5 + [1] * 15
    lucky = [1] * 2 + [0] * 38
    y = [0] * 20 + [1] * 20
    assert grow([*zip(lucky, honest)], y, [2, 2])[1] == 1 and grow([*zip(lucky)], y, [2])[1] == 0

@given(st.integers(0, 2**32 - 1))
def test_weights_repeat_and_order_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 16))
    rows = [(int(rng.integers(3)), float(rng.integers(6)) if rng.random() < 0.8 else None) for _ in range(n)]
    y, order = rng.integers(0, 3, n).tolist(), rng.permutation(n)
    tree = grow(rows, y, [3, NUMBER], 3, one=2**30)
    assert tree == grow([rows[i] for i in order], [y[i] for i in order], [3, NUMBER], 3, one=2**30)
    shares = [c45_shares(tree, row) for row in [*rows, (None, None)]]
    assert np.allclose(np.sum(shares, axis=1), 1) and np.min(shares) >= 0
