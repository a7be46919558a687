"Trees of counted columns: to the last byte those of sorted lists."
import numpy as np
import pytest
from dtree_lit.learners.cart import CARTClassifier
from dtree_lit.learners import grow_loop
from dtree_lit.learners.grow_loop import BEST, DEPTH, LEVEL, grow_lists, rows_at_leaves
from dtree_lit.splitter import few_values, node_search
from dtree_lit.splitter.node_search import Limits, sorted_lists
from dtree_lit.splitter.objectives import classes_goal

@pytest.fixture(autouse=True)
def tables_of_any_size(monkeypatch): monkeypatch.setattr(few_values, "LEAST_COUNTED", 0)

def table(seed, n=1000):
    "Columns of few values, of two zeros, of infinities, of any numbers, some with missing ones."
    r = np.random.default_rng(seed)
    m, K = int(r.integers(3, 9)), int(r.choice([2, 3, 10]))
    kinds = (lambda: r.integers(0, r.integers(2, 25), n) / 8, lambda: r.standard_normal(n),
             lambda: r.choice([-0.0, 0.0, 3.0], n), lambda: r.choice([-np.inf, np.inf, 1e308], n),
             lambda: np.where(r.random(n) < 0.1, np.nan, r.integers(0, 5, n)),
             lambda: r.integers(0, 3, n) + 0.0)
    X = np.stack([kinds[k]() for k in [0, 5, 0, 5, *r.integers(0, len(kinds), m)]], axis=1)
    y = (2 * X[:, 0] + 2 * X[:, 1] + r.integers(0, 3, n)).astype(int) % K
    return X.astype(np.float32 if seed % 2 and np.isfinite(X).all() else float), y, K

def grown(X, y, K, criterion, count, order, threads, **limits):
    "The nodes with their thresholds, the sums, and the leaf of each row."
    weights = limits.pop("weights", None)
    goal = classes_goal(y[:, None], (K,), weights, criterion)
    lists = sorted_lists(X, goal.labels, goal.K, threads, count=count and goal.counts_rows)
    nodes, stats = grow_lists(lists, goal, Limits(**limits), order, 0, threads)
    ends, k = rows_at_leaves(lists, nodes), np.flatnonzero(nodes["first"] >= 0)
    f = nodes["feature"][k]
    sides = X[nodes["lower"][k], f], np.where(nodes["upper"][k] < 0, 0, X[nodes["upper"][k], f])
    return lists, (nodes[["feature", "first", "missing", "rows"]], *sides, stats, ends)

def agree(*case, **options):
    (counted, one), (_, other) = (grown(*case, count, **options) for count in (True, False))
    for a, b in zip(one, other): np.testing.assert_array_equal(a, b)
    return int((counted.distinct < 0).sum())

@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_random_tables(criterion):
    counted = [agree(*table(seed), criterion, order=(DEPTH, BEST, LEVEL)[seed % 3], threads=1,
                     min_leaf=1 + seed % 4, max_depth=[40, 3][seed % 5 == 0],
                     max_leaves=[0, 40][seed % 3 == 1]) for seed in range(40)]
    assert min(counted) >= 4 and max(counted) >= 8

def test_weights_of_classes_are_counted_and_others_are_not():
    for seed in range(12):
        X, y, _ = table(seed)
        by_class = np.where(y % 2, 3, 1)
        assert agree(X, y % 2, 2, "gini", order=DEPTH, threads=1, weights=by_class) > 0
        one_by_one = np.random.default_rng(seed).integers(1, 4, len(y))
        assert agree(X, y % 2, 2, "gini", order=DEPTH, threads=1, weights=one_by_one) == 0

def test_threads_share_large_tables(monkeypatch):
    for module in (grow_loop, node_search): monkeypatch.setattr(module, "SHARED", 10_000)
    X, y, K = table(4, n=4000)
    assert agree(X, y, K, "gini", order=DEPTH, threads=2) > 2

def test_three_columns_and_small_tables_keep_lists(monkeypatch):
    r = np.random.default_rng(0)
    X, y = r.integers(0, 4, (1200, 4)) + 0.0, r.integers(0, 2, 1200)
    for least, columns, counted in ((4800, 4, 4), (4800, 3, 0), (4801, 4, 0)):
        monkeypatch.setattr(few_values, "LEAST_COUNTED", least)
        assert agree(X[:, :columns], y, 2, "gini", order=DEPTH, threads=1) == counted

def test_chains_take_tables_of_other_depths(monkeypatch):
    "Deeper than there are places for tables: each place has many owners."
    n = 1600
    x = np.arange(n) // 40 + 0.0                        # 40 values, labels that alternate
    X, y = np.stack([x, -x, x, -x], axis=1), (np.arange(n) // 40 % 2)
    for tables in (6, 66):
        monkeypatch.setattr(node_search, "tables_kept",
                            lambda few, rows, K: (tables, int(few.begin[-1]) * K))
        assert agree(X, y, 2, "gini", order=DEPTH, threads=1) == 4

def test_monotone_constraints_and_costs(monkeypatch):
    "Through the estimator, counted and with lists."
    r = np.random.default_rng(1)
    X = r.integers(0, 6, (1000, 4)) + 0.0
    y = (X[:, 0] - X[:, 1] + r.integers(-2, 3, 1000) > 0).astype(int)
    for options in (dict(monotonic_cst=[1, -1, 0, 0]), dict(costs=[[0, 1], [4, 0]]),
                    dict(class_weight="balanced"), dict(min_impurity_decrease=0.002)):
        made = []
        for least in (0, 10**9):
            monkeypatch.setattr(few_values, "LEAST_COUNTED", least)
            made.append(CARTClassifier(**options).fit(X, y).tree_)
        for a, b in zip(*made):
            if isinstance(a, np.ndarray): np.testing.assert_array_equal(a, b)
