"Trees of counted columns: to the last byte those of sorted lists."
import numpy as np
import pandas as pd
import pytest
from dtree_lit.learners.cart import CARTClassifier
from dtree_lit.learners import grow_loop
from dtree_lit.learners.grow_loop import BEST, DEPTH, LEVEL, grow_lists, rows_at_leaves
from dtree_lit.splitter import few_values, node_search, objectives
from dtree_lit.splitter.node_search import Limits, sorted_lists
from dtree_lit.splitter.objectives import classes_goal, decide

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
        for criterion in ("gini", "entropy"):           # of three classes and more if they are long
            long, K = 10**8 + y % (3 + seed % 5), 3 + seed % 5
            assert agree(X, y % K, K, criterion, order=DEPTH, threads=1, weights=long) > 0
        assert agree(X, y % 2, 2, "entropy", order=DEPTH, threads=1, weights=10**8 * by_class) > 0
        one_by_one = np.random.default_rng(seed).integers(1, 4, len(y))
        assert agree(X, y % 2, 2, "gini", order=DEPTH, threads=1, weights=one_by_one) == 0

def test_weights_of_classes_are_weights_of_rows(monkeypatch):
    "The same trees when each row carries its weight, with words, gaps and a least weight, too."
    for seed in range(24):
        X, y, K = table(seed, n=300)
        X = pd.DataFrame(X)
        if seed % 3 == 0: X[1] = pd.Categorical(X[1])
        options = dict(class_weight="balanced", criterion=("gini", "entropy")[seed % 2],
                       min_weight_fraction_leaf=[0.0, 0.02][seed % 4 == 1],
                       max_leaf_nodes=[None, 9][seed % 5 == 2])
        made = [CARTClassifier(**options).fit(X, y).tree_]
        with monkeypatch.context() as patched:
            patched.setattr(objectives, "weight_of_classes", lambda y, K, weights: None)
            made.append(CARTClassifier(**options).fit(X, y).tree_)
        for name in ("feature", "t", "missing", "branch", "counts", "weight"):
            np.testing.assert_array_equal(*(getattr(tree, name) for tree in made))

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

def people(seed, n=1000):
    "Columns of categories and of numbers of few values, in some of which some are missing."
    r = np.random.default_rng(seed)
    K, score, columns = int(r.choice([2, 2, 3, 5])), r.standard_normal(n), {}
    for j in range(int(r.integers(4, 8))):
        many = int(r.integers(2, [9, 31][j % 2]))
        codes = (many * r.beta(0.5, [0.5, 2][j % 2], n)).astype(int)
        score += r.standard_normal(many + 1)[codes]
        names = codes + 0.0
        if r.random() < 0.7: names = np.array([f"kind {c:02d}" for c in codes], object)
        if r.random() < 0.5: names[r.random(n) < 0.05] = None if names.dtype == object else np.nan
        columns[f"x{j}"] = names
    return pd.DataFrame(columns), np.digitize(score, np.quantile(score, np.arange(1, K) / K))

OPTIONS = (dict(), dict(criterion="entropy"), dict(max_depth=3), dict(min_samples_leaf=7),
           dict(max_leaf_nodes=20), dict(class_weight="balanced"),
           dict(min_impurity_decrease=0.003))

def test_categories_and_missing_values(monkeypatch):
    "Through the estimator, counted and with lists, for one order of categories and for several."
    counted, numbered = [], node_search.numbered_columns
    def watched(X, K, share):
        few = numbered(X, K, share)
        counted.append(((few.column >= 0).sum(), (few.seen < 0).sum()))
        return few
    monkeypatch.setattr(node_search, "numbered_columns", watched)
    for seed in range(42):
        X, y = people(seed)
        made = []
        for least in (0, 10**9):
            monkeypatch.setattr(few_values, "LEAST_COUNTED", least)
            made.append(CARTClassifier(**OPTIONS[seed % len(OPTIONS)]).fit(X, y).tree_)
        for a, b in zip(*made):
            if isinstance(a, np.ndarray): np.testing.assert_array_equal(a, b)
    columns, missing = np.array(counted[::2]).T
    assert min(columns) >= 4 and missing.max() >= 3 and not np.any(counted[1::2])

def test_what_is_decided_in_whole_numbers_is_what_the_search_finds():
    "The numbers that go to yes, of categories and of numbers, wherever missing values go."
    found, n = set(), 1000
    for seed in range(60):
        r = np.random.default_rng(seed)
        categories = np.where(np.arange(5) < 1 + seed % 4, r.integers(3, 9), 0)
        X = r.integers(0, np.where(categories > 0, categories, 6), (n, 5)) + 0.0
        y = (X[:, seed % 5] % 3 + r.integers(0, 2, n) + seed % 2).astype(int) % (2 + seed % 2)
        X[r.random((n, 5)) < 0.2 * (r.random(5) < 0.7)] = np.nan
        goal = classes_goal(y[:, None], (2 + seed % 2,), None, "entropy")
        goal = goal._replace(search=node_search.sets_by(goal.search))
        lists = sorted_lists(X, goal.labels, goal.K, 1, categories, count=True)
        node, left = np.zeros(1, node_search.OPEN)[0], np.zeros(goal.K + 3, np.int64)
        node["b"], limits = n, Limits(max_depth=1)
        decide(lists, goal, limits, node, goal.stats, left)
        column = lists.few.column[node["feature"]]
        place = lists.few.numbers[:, column].astype(int) - lists.few.begin[column]
        to_yes = int(node["lower"]) + (int(node["upper"]) << 64)
        grown = grow_lists(lists, goal, limits)
        assert grown.nodes["feature"][0] == node["feature"]
        ends = rows_at_leaves(lists, grown.nodes)
        assert [to_yes >> int(v) & 1 for v in place] == (ends == 2).tolist()
        found.add((categories[node["feature"]] > 0, int(node["yes"]), node["end"] < n))
    assert len(found) == 6                              # without missing values, with yes, with no

def test_a_split_into_missing_and_others():
    "They alone go to yes; a column in which all are missing has no split."
    n = 400
    X = np.zeros((n, 4))
    X[:, 0], X[::2, 1], X[:, 2] = np.nan, np.nan, np.arange(n) % 5
    tree = CARTClassifier().fit(X, np.isnan(X[:, 1])).tree_
    assert tree.node_count == 3 and tree.feature[0] == 1 and np.isnan(tree.t[0])
    assert tree.codes[:, 0].tolist()[1:] == [0, 1]
