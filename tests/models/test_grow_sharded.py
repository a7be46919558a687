"""A tree from shards is the tree that grows in memory: for any data, any number of shards and
any order of rows."""
import pickle
from itertools import product

import numpy as np
import pytest
from dtree_lit.learners.grow import grow
from dtree_lit.learners.task import LEAST
from dtree_lit.models.bucket_bounds import node_batch, least_within, left_by_cuts
from dtree_lit.models.bucket_opening import open_within
from dtree_lit.models.buckets import in_codes, task_of
from dtree_lit.models.grow_sharded import grow_sharded
from dtree_lit.models.shards import add, Shards
from dtree_lit.trees.nodes import Schema

def differs(a, b):
    "The first field in which two trees are not the same bytes."
    for name, x, y in zip(a._fields, a, b):
        if name == "schema" and x != y: return name
        if name != "schema" and (x.dtype, x.shape, x.tobytes()) != (y.dtype, y.shape, y.tobytes()):
            return name

def table(lots):
    "Numbers, many of them equal, some missing, in both precisions."
    n, m = int(lots.integers(2, 150)), int(lots.integers(1, 5))
    kind = lots.integers(0, 4)
    X = (lots.normal(size=(n, m)) if kind == 0
         else lots.integers(0, int(lots.integers(2, 12)), (n, m)).astype(float))
    if kind == 2: X[lots.random((n, m)) < 0.2] = np.nan
    return X.astype(np.float32) if kind == 3 else X

def targets(lots, criterion, n):
    if criterion != "squared_error": return lots.integers(0, int(lots.integers(1, 6)), n)
    return (lots.normal(size=n) if lots.random() < 0.5
            else lots.integers(0, 4, n) / lots.integers(1, 4))

def weights(lots, n):
    some = [None, None, lots.integers(0, 4, n).astype(float), lots.random(n), np.full(n, 2.5),
            lots.integers(1, 3, n) * 0.1]
    w = some[lots.integers(0, 6)]
    if w is not None and not w.any(): w[0] = 1
    return w

def with_categories(lots, X, y, criterion):
    "The first column as codes of categories."
    C, m = int(lots.integers(2, 12)), X.shape[1]
    X[:, 0] = np.abs(np.floor(X[:, 0])) % C
    classes = None if criterion == "squared_error" else tuple(range(y.max() + 1))
    return Schema(tuple(f"f{i}" for i in range(m)),
                  (tuple(f"c{i}" for i in range(C)),) + (None,) * (m - 1), (classes,), criterion)

def case(seed):
    lots = np.random.default_rng(seed)
    criterion = ("entropy", "gini", "squared_error")[lots.integers(0, 3)]
    X = table(lots)
    y, w = targets(lots, criterion, len(X)), weights(lots, len(X))
    schema = (with_categories(lots, X, y, criterion)
              if lots.random() < 0.4 and X.shape[1] > 1 else None)
    rules = dict(criterion=criterion, schema=schema, max_depth=[None, 3, 1][lots.integers(0, 3)],
                 min_samples_leaf=int(lots.choice([1, 1, 2, 5])),
                 min_samples_split=int(lots.choice([2, 2, 7])),
                 min_weight_leaf=float(lots.choice([0, 0, 0.5, 3])),
                 min_impurity_decrease=float(lots.choice([0, 0, 0.01])))
    room = dict(buckets=int(lots.choice([2, 4, 16, 8192])),
                gather=int(lots.choice([1, 1, 10, 40, 1000])),
                room=int(lots.choice([1, 5, 40, 10**6])))
    return lots, X, y, w, rules, room

def sharded(lots, X, y, w, parts, **how):
    "The tree from shards of rows in another order."
    order = lots.permutation(len(X))
    return grow_sharded(Shards.of(X[order], y[order], parts,
                                  None if w is None else w[order]), **how)

@pytest.mark.parametrize("seeds", np.array_split(np.arange(60), 6), ids=lambda s: f"{s[0]}-{s[-1]}")
def test_shards_and_memory_grow_the_same_tree(seeds):
    for seed in seeds:
        lots, X, y, w, rules, room = case(seed)
        found = sharded(lots, X, y, w, int(lots.integers(1, 8)), **rules, **room)
        assert differs(grow(X, y, w, **rules), found) is None, seed

def test_cuts_that_nearly_tie_are_decided_exactly():
    "Two columns that cut alike but for one example in a million rows' weight, in either order."
    n = 40
    left = np.arange(n) % 2
    w = np.where(np.arange(n) < n // 2, 10**7, 10**7 + 1).astype(float)
    for a, b in ((0, 1), (1, 0)):
        X = np.stack([np.arange(n), np.arange(n)[::-1]], axis=1)[:, [a, b]].astype(float)
        for criterion in ("entropy", "gini"):
            found = grow_sharded(Shards.of(X, left, 3, w), criterion=criterion, gather=1, buckets=4,
                                 max_depth=2)
            assert differs(grow(X, left, w, criterion=criterion, max_depth=2), found) is None

def test_of_equal_cuts_the_missing_say_yes():
    X, y = np.array([[0], [1], [np.nan], [np.nan]]), np.array([0, 1, 0, 1])
    found = grow_sharded(Shards.of(X, y, 2), criterion="gini", max_depth=1, gather=1)
    assert (differs(grow(X, y, criterion="gini", max_depth=1), found) is None
            and found.missing[0] == 1)

@pytest.mark.parametrize("criterion", ["entropy", "gini", "squared_error"])
def test_bounds_hide_no_cut(criterion):
    "Few buckets, in each of which almost any cut may be the best."
    for seed in range(12):
        lots = np.random.default_rng(seed)
        X = lots.normal(size=(200, 2))
        y = (X[:, 0] > lots.normal()) + lots.integers(0, 2, 200)
        how = dict(criterion=criterion, max_depth=1)
        found = grow_sharded(Shards.of(X, y if criterion != "squared_error" else y / 3, 2),
                             buckets=6, gather=1, **how)
        assert differs(grow(X, y if criterion != "squared_error" else y / 3, **how), found) is None

@pytest.mark.parametrize("criterion, K", [("entropy", 2), ("entropy", 9), ("gini", 3), ("gini", 9),
                                          ("squared_error", 0)])
def test_a_bound_is_below_every_cut_and_is_reached(criterion, K):
    """Within a bucket whose first rows belong to the one side and its last to the other, the best
    cut leaves what the bound says; in any order, none leaves less."""
    lots, n, first, end = np.random.default_rng(3), 40, 12, 30
    for trial in range(20):
        y = (np.arange(n) >= lots.integers(first + 1, end)).astype(int)
        if trial: y[first:end] = lots.permutation(y[first:end])
        classes = tuple(range(K)) if K else None
        schema = Schema(("x",), (None,), (classes,), criterion)
        shards = Shards.of(np.arange(n, dtype=float)[:, None], y if K else y / 3 + 0.1, 1)
        task, _ = task_of(shards, criterion, schema, LEAST)
        rows = in_codes(shards.states[0], [np.zeros(0)], task)
        S = np.cumsum(np.eye(K, dtype=int)[rows.label] if K else rows.amounts, axis=0).T
        whole, D = rows.whole[first:end] if K == 0 else np.zeros(1, int), S[:, -1:]
        L, B = S[:, first - 1:first], S[:, end - 1:end] - S[:, first - 1:first]
        batch, cuts = node_batch(D), S[:, first:end - 1]
        left, off = left_by_cuts(task, batch, np.zeros(cuts.shape[1], int), cuts, D - cuts)
        least = least_within(task, batch, np.zeros(1, int), L, B, whole.min(keepdims=True),
                             whole.max(keepdims=True))
        assert least <= (left + off).min() and (trial or least >= (left - 4 * off).min())

def test_weights_that_have_no_common_unit():
    "Beyond 2^31 units numbers are weighed against the mean weight."
    lots = np.random.default_rng(1)
    X, y, w = lots.normal(size=(60, 2)), lots.normal(size=60), lots.random(60)**9 + 1e-13
    for parts, criterion in product((1, 5), ("squared_error", "entropy")):
        target = y if criterion == "squared_error" else (y > 0) + (y > 1).astype(int)
        found = sharded(lots, X, target, w, parts, criterion=criterion, gather=1, buckets=8)
        assert differs(grow(X, target, w, criterion=criterion), found) is None

def test_the_worst_order_is_cut_again_and_opened_in_parts():
    """Labels that alternate keep every bucket alive; no more rows than there is room for are
    opened at a time."""
    n, opened = 3000, []
    X, y = np.arange(n)[:, None] / 7, np.arange(n) % 2
    class Watched(Shards):
        def map(self, f, *args): return Watched(super().map(f, *args).states)
        def collect(self, f, *args):
            found = super().collect(f, *args)
            if f is open_within: opened.append(sum(len(part[0]) for part in found))
            return found
    how = dict(criterion="gini", max_depth=1)
    tree = grow_sharded(Watched.of(X, y, 4), buckets=32, gather=1, room=500, **how)
    assert differs(grow(X, y, **how), tree) is None
    assert len(opened) > 2 and max(opened) <= 500

def test_infinite_values_and_empty_shards():
    X = np.array([[-np.inf], [1], [np.inf], [np.nan], [1], [2]])
    y = np.array([0, 1, 1, 0, 0, 1])
    assert differs(grow(X, y), grow_sharded(Shards.of(X, y, 9), gather=1)) is None

def test_what_is_handed_to_an_engine_can_be_pickled():
    X, y, w = (np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 3,
               np.linspace(0.1, 1, 50))
    class Sent(Shards):
        def map(self, f, *args):
            return Sent(pickle.loads(pickle.dumps(s))
                        for s in super().map(*self.sent(f, args)).states)
        def fold(self, f, *args): return super().fold(*self.sent(f, args))
        def collect(self, f, *args):
            return pickle.loads(pickle.dumps(super().collect(*self.sent(f, args))))
        def sent(self, f, args): return pickle.loads(pickle.dumps((f, *args)))
        def deal(self, *asked): return super().deal(*pickle.loads(pickle.dumps(asked)))
    tree = grow_sharded(Sent.of(X, y, 3, w), buckets=4, gather=12)
    assert differs(grow(X, y, w), tree) is None

def test_add_does_not_ask_for_the_order():
    some = [dict(a=(np.arange(3), k), b=k) if k % 2 else dict(a=(np.ones(3), 1)) for k in range(4)]
    there, back = (add(add(add(*s[:2]), s[2]), s[3]) for s in (some, some[::-1]))
    assert there["b"] == back["b"] == 4 and there["a"][1] == back["a"][1] == 6
    assert (there["a"][0] == back["a"][0]).all()

@pytest.mark.parametrize("how, words", [
    (dict(y=[0, 1, 2.5, 1]), r"y\[2\] is 2.5"),
    (dict(weight=[1, 1, 1, -1]), r"weights\[3\] is -1.0"),
    (dict(weight=[0, 0, 0, 0]), "all weights are zero"),
    (dict(criterion="poisson"), "'poisson' cannot be used with shards"),
    (dict(min_samples_leaf=0), "min_samples_leaf is 0"),
    (dict(schema=Schema(("a",), (("x",),), ((0, 1),), "gini")),
     "row 1 of a has the code 1, and 1 values"),
])
def test_refusals_name_the_row_among_all(how, words):
    data = dict(y=[0, 1, 1, 0], weight=None)
    y, weight = (how.pop(name, value) for name, value in data.items())
    with pytest.raises(ValueError, match=words):
        grow_sharded(Shards.of(np.arange(4.0)[:, None], np.array(y), 2, weight), **how)
