"Sums that do not depend on order: against fractions, and in everything that a tree says."
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import CRITERIA
from dtree_lit.measures.exact_sums import (add_products, class_weights, means_and_squares, merged,
                                           quotients, reach, sums)
from dtree_lit.pruning.reduced_error import reduced_error_pruning

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

NUMBERS, CLASSES = ("squared_error", "sdr"), ("entropy", "gini", "misclassification")

def sizes(rng, n, low, high):
    "Numbers of all sizes from 2^low to 2^high; zeros and short ones among them."
    v = np.ldexp(rng.choice([rng.random(n), rng.integers(0, 4, n), np.ones(n)]),
                 rng.integers(low, high + 1, n))
    return v * rng.choice([-1, 1], n)

def weights_of_all_sizes(rng, n):
    low, high = np.sort(rng.integers(-1074, 990, 2))
    return np.maximum(np.abs(sizes(rng, n, low, high)), 5e-324)

def as_float(x):
    try: return float(x)
    except OverflowError: return np.inf if x > 0 else -np.inf

def said_by_fractions(rows, outputs, K):
    "Weight and counts of a node, each rounded once; rows of (weight, targets)."
    W = sum(w for w, _ in rows)
    counts = np.zeros((outputs, K or 2))
    for o in range(outputs):
        if K:
            for k in range(K):
                counts[o, k] = as_float(sum((w for w, y in rows if y[o] == k), Fraction(0)))
        else:
            mean = sum(w * y[o] for w, y in rows) / W
            counts[o] = as_float(mean), as_float(sum(w * (y[o] - mean) ** 2 for w, y in rows))
    return as_float(W), counts

def all_nodes(tree, X):
    "For each node which rows come by."
    at, inside = tree.apply(X), np.zeros((tree.node_count, len(X)), bool)
    for i, k in enumerate(at):
        while k >= 0: inside[k, i], k = True, tree.parent[k]
    return inside

def check(tree, X, y, w):
    "Does every node say what fractions say, to the last bit?"
    K, rows = (0 if tree.schema.classes[0] is None else tree.counts.shape[2],
               [(Fraction(u), [Fraction(v) for v in row])
                for u, row in zip(w.tolist(), y.tolist())])
    for k, inside in enumerate(all_nodes(tree, X)):
        weight, counts = said_by_fractions([rows[i] for i in np.flatnonzero(inside & (w > 0))],
                                           y.shape[1], K)
        assert tree.weight[k] == weight and (tree.counts[k] == counts).all()

@pytest.mark.parametrize("criterion", FIVE)
@pytest.mark.parametrize("learn", [grow, grow_levels])
def test_every_node_says_what_fractions_say(criterion, learn):
    rng = np.random.default_rng(FIVE.index(criterion))
    for trial in range(60):
        n, outputs = rng.integers(1, 25), rng.integers(1, 3)
        X = rng.integers(0, 5, (n, 2)).astype(float)
        y = (sizes(rng, (n, outputs), -300, 300) if criterion in NUMBERS
             else rng.integers(0, 3, (n, outputs)))
        if trial % 3 == 0 and criterion in NUMBERS: y = rng.normal(size=(n, outputs))
        w = (rng.random(n), np.ldexp(1.0, rng.integers(-80, 1, n)), weights_of_all_sizes(rng, n),
             rng.integers(0, 4, n) + (np.arange(n) == 0), np.full(n, 0.1))[trial % 5].astype(float)
        _, all_of_them = said_by_fractions([(Fraction(u), [Fraction(v) for v in row])
                                            for u, row in zip(w.tolist(), y.tolist()) if u > 0],
                                           outputs, 0 if criterion in NUMBERS else 3)
        if not np.isfinite(all_of_them).all():               # no double is so large
            with pytest.raises(ValueError, match="finite"):
                learn(X, y, w, criterion=criterion, max_depth=4)
            continue
        check(learn(X, y, w, criterion=criterion, max_depth=4), X, y, w)
        if trial % 5 == 0: check(learn(X, y, criterion=criterion), X, y, np.ones(n))

@pytest.mark.parametrize("light", [1e-14, 1e-20, 1e-300])
@pytest.mark.parametrize("learn", [grow, grow_levels])
def test_light_weights_beside_heavy_ones(light, learn):
    X = np.array([[0], [0], [1], [1]])
    tree = learn(X, [2, 4, 0, 1], [light, light, 1, 1], criterion="squared_error", max_depth=1)
    assert (tree.predict_labels(np.array([[0.0], [1]])).tolist() == [3, 0.5] and tree.weight[1]
            == 2 * light)
    tree = learn(X, [2, 4, 0, 1], [light, 3 * light, 1, 1], criterion="squared_error", max_depth=1)
    assert tree.predict_labels(np.array([[0.0]])) == float(
        (2 * Fraction(light) + 4 * Fraction(3 * light)) / (Fraction(light) + Fraction(3 * light)))
    tree = learn(X, [0, 1, 2, 2], [light, 3 * light, 1, 1], criterion="gini", max_depth=1)
    assert tree.counts[1, 0].tolist() == [light, 3 * light, 0]

@pytest.mark.parametrize("criterion", FIVE)
def test_neither_order_nor_duplication_shows(criterion):
    "Rows in another order; a row twice or of weight two; all rows three times."
    rng = np.random.default_rng(FIVE.index(criterion))
    for trial in range(100):
        n = rng.integers(2, 60)
        X, i, times = (rng.integers(0, 9, (n, 3)).astype(float), rng.permutation(n),
                       rng.integers(1, 4, n))
        y = rng.normal(1, 1, n) if criterion in NUMBERS else rng.integers(0, 3, n)
        w = rng.random(n) * 10.0 ** -rng.integers(0, 9, n)
        def tree(*data, learn=grow, **rules):
            return learn(*data, criterion=criterion, max_depth=3, **rules)
        one = tree(X, y, w)
        assert tree(X[i], y[i], w[i]) == one == tree(X, y, w, threads=2)
        one, twice = tree(X, y, times), tree(np.repeat(X, times, 0), np.repeat(y, times))
        assert (twice.counts == one.counts).all() and (twice.weight == one.weight).all()
        one, thrice = tree(X, y), tree(np.tile(X, (3, 1)), np.tile(y, 3))
        assert ((thrice.t[one.width > 0] == one.t[one.width > 0]).all()
                and (thrice.value == one.value).all())

def test_threads_say_the_same():
    "A table that is large enough to be shared out."
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 9))
    y, w = X[:, 0] + rng.normal(size=len(X)), rng.random(len(X))
    for target, criterion in ((y, "squared_error"), ((y > 0).astype(int), "gini")):
        assert grow(X, target, w, criterion=criterion,
                    max_depth=8) == grow(X, target, w, criterion=criterion, max_depth=8, threads=2)

@pytest.mark.parametrize("criterion", [c for c in FIVE if c != "sdr"])
def test_both_learners_say_the_same(criterion):
    rng = np.random.default_rng(FIVE.index(criterion))
    for _ in range(100):
        n = rng.integers(2, 40)
        X, w = rng.integers(0, 4, (n, 2)).astype(float), rng.random(n)
        y = rng.integers(-9, 9, n) / 8 if criterion in NUMBERS else rng.integers(0, 3, n)
        one, other = grow(X, y, w, criterion=criterion), grow_levels(X, y, w, criterion=criterion)
        if (np.array_equal(one.feature, other.feature)
            and np.array_equal(one.t, other.t, equal_nan=True)):
            assert one == other
        assert grow(X, y, criterion=criterion) == grow_levels(X, y, criterion=criterion)

def test_other_examples_are_counted_as_exactly():
    rng = np.random.default_rng(1)
    for trial in range(60):
        n = rng.integers(2, 30)
        X, numbers = rng.integers(0, 5, (n, 2)).astype(float), trial % 2
        y = rng.normal(size=n) if numbers else rng.integers(0, 2, n)
        tree = grow(X, y, criterion="squared_error" if numbers else "gini")
        w = weights_of_all_sizes(rng, n)
        seen, i = tree.recount(X, y, w), rng.permutation(n)
        assert tree.recount(X[i], y[i], w[i]) == seen
        inside = all_nodes(tree, X).any(axis=1)
        assert inside.all()
        check(seen, X, y[:, None], w)

def test_a_pruned_leaf_answers_with_the_weights_as_given():
    X, y = np.array([[0.0], [0], [1], [1]]), np.array([1.0, 2, 5, 6])
    tree = grow(X, y, criterion="squared_error")
    told = reduced_error_pruning(tree, X[:2], [7, 9.0], [1e-20, 3e-20], labels="pruning").tree
    assert told.node_labels[0] == float((7 * Fraction(1e-20) + 9 * Fraction(3e-20))
                                        / (Fraction(1e-20) + Fraction(3e-20)))

def test_shards_in_any_order():
    rng = np.random.default_rng(2)
    for _ in range(300):
        n, groups = rng.integers(1, 40), 4
        low, high = np.sort(rng.integers(-500, 400, 2))
        y, w, group, shard = (sizes(rng, n, low, high), weights_of_all_sizes(rng, n),
                              rng.integers(0, groups, n), rng.integers(0, 5, n))
        def total(*factors):
            parts = [sums(group[shard == s], groups, *(v[shard == s] for v in factors))
                     for s in rng.permutation(5)]
            return reduce(merged, parts)
        exact = [[sum((Fraction(u) * Fraction(v) ** p for u, v, g in zip(w, y, group) if g == k),
                      Fraction(0)) for k in range(groups)] for p in range(3)]
        W, A, B = total(w), total(w, y), total(w, y, y)
        for s, e in zip((W, A, B), exact): assert quotients(s).tolist() == list(map(as_float, e))
        assert quotients(A, W).tolist() == [as_float(a / u) if u else 0 for u, a in zip(*exact[:2])]

def test_large_sums_and_sums_that_cancel():
    many = 300_000
    ends, parent = np.zeros(many, np.int64), np.array([-1])
    y = np.append(np.tile([1e140, -1e140, 1e-300], many // 3 - 1), [7.0, 0, 0])
    rows, (weight,), ((mean, Q),) = means_and_squares(parent, ends, y, ())
    A, B = (sum(map(Fraction, y.tolist()[-6:])) + (many // 3 - 2) * Fraction(1e-300),
            (many // 3 - 1) * (2 * Fraction(1e140) ** 2 + Fraction(1e-300) ** 2) + 49)
    assert rows[0] == weight == many and mean == float(A / many) and Q == float(B - A**2 / many)
    weight = class_weights(parent, ends, ends, 1, np.full(many, 0.1))[1]
    assert weight[0] == float(many * Fraction(0.1))

def test_chains_and_wide_nodes():
    "Trees whose nodes have one long branch, or many children, and rows that end inside."
    rng = np.random.default_rng(3)
    for parent in (np.append(-1, np.arange(2999) // 2 * 2), np.append(-1, np.zeros(500, int)),
                   np.append(-1, np.arange(2000))):
        ends, y, w = rng.integers(0, len(parent), 300), rng.normal(size=300), rng.random(300)
        _, weight, said = means_and_squares(parent, ends, y, w)
        mean = said[:, 0]
        W, A = [Fraction(0)] * len(parent), [Fraction(0)] * len(parent)
        for k, v, u in zip(ends, y, w): W[k] += Fraction(u); A[k] += Fraction(u) * Fraction(v)
        for k in range(len(parent) - 1, 0, -1): W[parent[k]] += W[k]; A[parent[k]] += A[k]
        assert (weight.tolist() == list(map(float, W))
                and mean.tolist() == [float(a / u) if u else 0 for a, u in zip(A, W)])

def test_weights_that_are_one_but_for_the_last_bit():
    "Units count them once each; what nodes say has the bit."
    for learner in (grow, grow_levels):
        assert learner([[0], [1]], [0, 1], [1.0, 1 + 2**-52],
                       criterion="gini").weight[1:].tolist() == [1.0, 1 + 2**-52]

def test_a_kernel_that_multiplies_runs_in_plain_python():
    factors = np.array([[0.5, -3.0], [-0.25, -1e10], [0.0, 7.0], [2.0**-30, 1 / 3]])
    group, compiled = np.array([0, 1, 0, 1]), sums(np.array([0, 1, 0, 1]), 2, *factors.T)
    digits = np.zeros_like(compiled.digits)
    add_products.plainly(factors, group, sum(reach(v)[0] for v in factors.T), digits)
    assert (digits == compiled.digits).all() and (digits < 0).any()
