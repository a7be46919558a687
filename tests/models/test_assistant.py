"""ASSISTANT: every question against all others, every share by hand, its prunings, and the
leaves where nobody was."""
import sqlite3
from contextlib import closing
from fractions import Fraction
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from dtree_lit import (AssistantClassifier, C45Classifier, ID3Classifier, load, save, to_frame,
                       to_json, from_json, to_python, to_sql)
from dtree_lit.learners.c45 import bits_lost
from dtree_lit.measures.exact_scores import Logs
from dtree_lit.models.assistant import (SHARE_BITS, grow_assistant, laplace_errors, laplace_share,
                                        m_errors, naive_shares, seen_below, with_null_leaves,
                                        words_without_rows)
from dtree_lit.pruning.prune import cheapest_pruning, prunings
from dtree_lit.trees.batch_walk import ENDS, IN_SHARES
from dtree_lit.trees.nodes import box_of, Schema, walk, way_to
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

# A leaf may weigh next to nothing, so where nothing limits leaves, class weights turn few answers.
LIGHT_LEAVES = {"check_class_weight_classifiers": "the least weight is that of a node that asks, "
                                                  "and not of a leaf"}

@parametrize_with_checks([AssistantClassifier(),
                          AssistantClassifier(pruning="m_estimate", m=5, min_gain=0.01,
                                              max_majority=0.9, null_leaves=False)],
                         expected_failed_checks=lambda estimator:
                             LIGHT_LEAVES if estimator.pruning != "m_estimate" else {})
def test_contract(estimator, check): check(estimator)

def schema_of(V, K):
    words = tuple(None if v < 0 else tuple("abcdefghijklmnop"[:v]) for v in V)
    return Schema(tuple(f"x{f}" for f in range(len(V))), words, (tuple(range(K)),), "entropy")

def random_table(seed, n=24, K=2, V=(4, -1, 5), gaps=0.15):
    lots = np.random.default_rng(seed)
    X = np.stack([lots.integers(0, v if v > 0 else 7, n) for v in V], axis=1).astype(float)
    y = np.where(lots.random(n) < 0.3, lots.integers(0, K, n), X.sum(axis=1).astype(int) % K)
    X[lots.random(X.shape) < gaps] = np.nan
    return X, y, schema_of(V, K)

def by_class(examples, f, yes, K):
    "The weights of no and of yes, of those who know."
    sides = [[0] * K, [0] * K]
    for row, k, w in examples:
        if not np.isnan(row[f]): sides[yes(row[f])][k] += w
    return sides

def all_questions(examples, V, K):
    "Each threshold and each two groups of what occurs: the feature and its gain."
    for f, v in enumerate(V):
        seen = sorted({row[f] for row, *_ in examples if not np.isnan(row[f])})
        if v < 0: tests = [lambda x, t=t: int(x >= t) for t in seen[1:]]
        else:
            tests = [lambda x, some=some: int(x in some) for r in range(1, len(seen))
                     for some in combinations(seen, r)]
        for yes in tests:
            no, up = by_class(examples, f, yes, K)
            yield f, bits_lost([a + b for a, b in zip(no, up)]) - bits_lost(no) - bits_lost(up)

def judge(tree, X, y, V, K, w, least_weight=2, least_gain=0, most=1):
    """Walk down with all shares, in whole units, and see that each node asks what it should, and
    only if it should."""
    unit = 2**SHARE_BITS if np.isnan(X).any() else 1
    weigh = 1 / unit
    def down(k, examples):
        D = [sum(u for _, c, u in examples if c == j) for j in range(K)]
        assert (np.allclose(tree.counts[k, 0], np.array(D) * weigh, rtol=0, atol=1e-9)
                and tree.size[k] == len(examples))
        stop = sum(D) * weigh < least_weight or max(D) == sum(D) or max(D) >= most * sum(D)
        questions = [] if stop else [(f, g) for f, g in all_questions(examples, V, K)
                                     if g.sign() > 0
                                     and (g - Logs({2: Fraction(least_gain) * sum(D)})).sign() >= 0]
        if not tree.width[k]:
            assert not questions
            return 1
        f, start, t = int(tree.feature[k]), int(tree.start[k]), tree.t[k]
        yes = (lambda x: int(x >= t)) if start < 0 else (lambda x: int(tree.branch[start + int(x)]))
        no, up = by_class(examples, f, yes, K)
        own = bits_lost([a + b for a, b in zip(no, up)]) - bits_lost(no) - bits_lost(up)
        best = max((g for _, g in questions), key=lambda g: g)
        assert ((own - best).sign() == 0 and f
                == next(f for f, g in questions if (g - best).sign() == 0))
        assert tree.missing[k] == IN_SHARES
        if start >= 0:
            seen = {int(row[f]) for row, *_ in examples if not np.isnan(row[f])}
            assert all((tree.branch[start + c] >= 0) == (c in seen) for c in range(V[f]))
        children = [[], []]
        for row, c, u in examples:
            if np.isnan(row[f]): share = round(u * ((up[c] + unit) / (no[c] + up[c] + 2 * unit)))
            else: share = u * yes(row[f])
            if u > share: children[0].append((row, c, u - share))
            if share: children[1].append((row, c, share))
        return sum(down(int(tree.first[k]) + i, children[i]) for i in (0, 1))
    return down(0, [(row, int(c), int(u) * unit) for row, c, u in zip(X, y, w)])

@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("seed", range(2))
def test_every_question_is_the_best_of_all(K, seed):
    for gaps in (0, 0.2):
        X, y, schema = random_table(seed, K=K, gaps=gaps)
        tree = grow_assistant(X, y, schema=schema)
        assert judge(tree, X, y, (4, -1, 5), K, np.ones(len(y))) == tree.n_leaves > 3

@pytest.mark.parametrize("limits", [dict(min_weight=6), dict(min_gain=0.05),
                                    dict(max_majority=0.75),
                                    dict(min_weight=4.5, min_gain=0.05, max_majority=0.8)])
def test_limits(limits):
    X, y, schema = random_table(9, n=30)
    tree = grow_assistant(X, y, schema=schema, **limits)
    assert 1 < judge(tree, X, y, (4, -1, 5), 2, np.ones(30), limits.get("min_weight", 2),
                     limits.get("min_gain", 0), limits.get("max_majority", 1)) \
        == tree.n_leaves < grow_assistant(X, y, schema=schema).n_leaves

def test_weights_are_rows():
    X, y, schema = random_table(3, n=24)
    w = np.random.default_rng(3).integers(0, 4, 24)
    one, other = (grow_assistant(X, y, w, schema=schema),
                  grow_assistant(X.repeat(w, axis=0), y.repeat(w), schema=schema))
    assert judge(one, X[w > 0], y[w > 0], (4, -1, 5), 2, w[w > 0]) == one.n_leaves
    assert np.array_equal(one.feature, other.feature)           # shares are rounded row by row
    assert np.allclose(one.counts, other.counts, atol=0.05)

def test_the_order_of_rows_is_nothing():
    X, y, schema = random_table(5, n=60, gaps=0.3)
    order = np.random.default_rng(0).permutation(60)
    assert grow_assistant(X, y, schema=schema) == grow_assistant(X[order], y[order], schema=schema)

def test_only_some_nodes_of_a_level_are_divided():
    """A node that finds nothing stands before one that does: places of rows are still those of
    the search."""
    X = np.array([[0, 5], [0, 5], [0, 5], [0, 5], [1, 0], [1, 1], [1, 2], [1, 3]], float)
    y = np.array([0, 1, 0, 1, 1, 1, 1, 0])
    tree = grow_assistant(X, y, schema=schema_of((2, -1), 2))
    assert judge(tree, X, y, (2, -1), 2, np.ones(8)) == tree.n_leaves

def test_many_words_and_three_classes():
    "Beyond eight words there is an order for each class; with two classes one order is enough."
    lots = np.random.default_rng(1)
    for K in (2, 3):
        X, y = lots.integers(0, 11, (80, 1)).astype(float), lots.integers(0, K, 80)
        tree = grow_assistant(X, y, schema=schema_of((11,), K), max_depth=1)
        examples = [(row, int(c), 1) for row, c in zip(X, y)]
        no, up = by_class(examples, 0, lambda v: int(tree.branch[int(v)]), K)
        own = bits_lost([a + b for a, b in zip(no, up)]) - bits_lost(no) - bits_lost(up)
        most = max((g for _, g in all_questions(examples, (11,), K)), key=float_of)
        assert (own - most).sign() == 0 if K == 2 else float_of(own) > 0.9 * float_of(most)

def float_of(logs): return sum(float(a) * np.log2(k) for k, a in logs.items() if k)

def test_errors_in_fractions():
    lots = np.random.default_rng(2)
    for K in (2, 3, 5):
        counts = lots.integers(0, 9, (30, K)); counts[0] += 1
        for m in (1, 2, 7):
            prior = [Fraction(int(c), int(counts[0].sum())) for c in counts[0]]
            for c, laplace, by_m in zip(counts.tolist(), laplace_errors(counts),
                                        m_errors(counts, m)):
                n, said = sum(c), c.index(max(c))
                assert np.isclose(laplace, float(Fraction(n * (n - max(c) + K - 1), n + K)))
                assert np.isclose(by_m, float(n * (1 - (max(c) + prior[said] * m) / (n + m))))
    assert laplace_share(Fraction(3), 4) == Fraction(2, 3)
    assert (m_errors(np.array([[1, 1], [0, 0]]), 0).tolist() == [1, 0]
            and laplace_errors(np.array([[0, 0]])) == 0)

@pytest.mark.parametrize("pruning", ["laplace", "m_estimate"])
def test_the_pruning_is_the_best_of_all(pruning):
    X, y, schema = random_table(11, n=30)
    tree = grow_assistant(X, y, schema=schema, max_depth=4)
    cost = (laplace_errors(tree.counts[:, 0]) if pruning == "laplace"
            else m_errors(tree.counts[:, 0], 3))
    least = min(sum(cost[k] for k in leaves) for leaves in prunings(tree))
    left = cheapest_pruning(tree, cost).tree
    mine = (laplace_errors(left.counts[:, 0]) if pruning == "laplace"
            else m_errors(left.counts[:, 0], 3))
    assert np.isclose(mine[left.leaves].sum(), least)
    words = pd.DataFrame({f"x{f}": pd.Categorical.from_codes(
        np.nan_to_num(X[:, f], nan=-1).astype(int), w) if w else X[:, f]
                          for f, w in enumerate(schema.categories)})
    model = AssistantClassifier(pruning=pruning, m=3, max_depth=4, null_leaves=False).fit(words, y)
    assert np.array_equal(model.tree_.counts, left.counts) and model.trace_.what == "errors"

def test_gaps_are_answered_by_all_children():
    X, y, schema = random_table(4, n=30)
    tree = grow_assistant(X, y, schema=schema)
    f, root = int(tree.feature[0]), tree.weight[0]
    row = np.array([0.0, 3.0, 2.0]); row[f] = np.nan
    told = [tree.value[end, 0] * share for end, share in ends_by_hand(tree, row, 0, 1.0)]
    who, k = tree.prediction_table(row[None])
    assert np.allclose(sum(told), who.value[k][0, 0])
    for k in np.flatnonzero(tree.width):
        assert np.isclose(tree.weight[tree.first[k]:tree.first[k] + 2].sum(), tree.weight[k])

def ends_by_hand(tree, row, k, share):
    if not tree.width[k]: return [(k, share)]
    f, start = int(tree.feature[k]), int(tree.start[k])
    c = (-1 if np.isnan(row[f]) else int(row[f] >= tree.t[k]) if start < 0
         else int(tree.branch[start + int(row[f])]))
    ways = [(int(tree.first[k]) + i, tree.weight[tree.first[k] + i] / tree.weight[k])
            for i in (0, 1)]
    if c >= 0: ways = [(ways[c][0], 1.0)]
    return [end for to, part in ways for end in ends_by_hand(tree, row, to, share * part)]

@pytest.mark.parametrize("seed", range(4))
def test_null_leaves_by_hand(seed):
    X, y, schema = random_table(seed, n=25, K=3)
    tree = grow_assistant(X, y, schema=schema)
    wider, empty = with_null_leaves(tree, X, y), words_without_rows(tree)
    null = np.flatnonzero(wider.weight == 0)
    assert len(null) == len(empty) > 0 and wider.node_count == tree.node_count + len(null)
    for k in null:
        p = np.bincount(y, minlength=3) / len(y)
        for f, side in box_of(wider, way_to(wider, k)).items():
            x = X[:, f]
            within = (np.isin(x, list(side)) if isinstance(side, set)
                      else (x >= side[0]) & (x < side[1]))
            for c in range(3):
                known = ~np.isnan(x) & (y == c)
                p[c] *= ((within & known).sum() + 1) / (known.sum() + 2)
        assert np.allclose(wider.value[k, 0], p / p.sum())
    ends, before = wider.apply(X), tree.apply(X)                # who grew the tree ends as before
    known = ~np.isnan(X).any(axis=1)
    assert np.allclose(wider.value[ends[known], 0], tree.value[before[known], 0])
    rows = np.stack(np.meshgrid(np.arange(4), np.arange(7), np.arange(5)),
                    axis=-1).reshape(-1, 3).astype(float)
    ends = wider.apply(rows)
    assert np.isin(null, ends).all() and not wider.width[ends].any()   # each word has its place now
    assert with_null_leaves(wider, X, y) == wider

def test_nothing_to_add():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    tree = grow_assistant(X, y)
    assert with_null_leaves(tree, X, y) is tree
    column = seen_below(np.array([np.nan, 2, 1.0]), np.array([0, 1, 0]), np.ones(3), 2)
    assert np.allclose(naive_shares(np.array([1, 1]), [column], {0: (-np.inf, 1.5)}), [2/3, 1/3])

@pytest.fixture(scope="module")
def census():
    numbers, words = (pd.read_csv(f"nbs/data/adult_{name}.csv.gz", nrows=1500)
                      for name in ("numbers", "categories"))
    income = numbers.pop("positive").map({0: "at most 50K", 1: "more"})
    return numbers.join(words.replace("?", None).astype("category")), income

@pytest.fixture(scope="module")
def model(census): return AssistantClassifier(pruning="m_estimate", m=10).fit(*census)

def test_its_tree_is_a_tree_of_the_house(model, census, tmp_path):
    tree, (X, _) = model.tree_, census
    assert (tree.missing[tree.width > 0] == IN_SHARES).all() and (tree.width == 3).any()
    save(model, tmp_path / "assistant.npz")
    kept = load(tmp_path / "assistant.npz")
    assert getattr(kept, "tree_", kept) == tree
    assert from_json(to_json(tree)) == tree
    assert len(to_frame(tree)) == tree.node_count
    assert len(tree.rules()) == tree.n_leaves and tree.dot().startswith("digraph")
    small = AssistantClassifier(max_depth=3, pruning=None).fit(*census)
    small.tree_.draw(); plt.close("all")
    assert "explain" in dir(tree) and isinstance(tree.explain(X.iloc[0]), str)

def test_its_exports_answer_as_it_does(model, census):
    "Where a row goes several ways, no single node answers: exports say nothing there, as for C4.5."
    space, X = {}, census[0][:300]
    exec(to_python(model), space)
    several = np.array([model.tree_.missing[walk(model.tree_, x)] == IN_SHARES
                        for x in np.asarray(model._read(X, reset=False))])
    rows = X.astype(object).where(X.notna(), None)
    assert 0 < several.sum() <= X.isna().any(axis=1).sum()
    for row, p, away in zip(rows.to_dict("records"), model.predict_proba(X), several):
        said = space["predict_proba"](row)
        assert said is None if away else np.array_equal(said, p)
    with closing(sqlite3.connect(":memory:")) as db:
        rows.assign(place=range(len(rows))).to_sql("people", db, index=False)
        said = db.execute(to_sql(model, "people", keep=["place"]) + " ORDER BY place").fetchall()
    want = np.where(several, None, model.predict(X)).tolist()
    assert [next((v for v in row if not isinstance(v, int)), None) for row in said] == want

def test_threads_and_copies(census):
    X, y = census
    one = AssistantClassifier().fit(X, y)
    assert clone(one).fit(X, y).tree_ == one.tree_
    assert AssistantClassifier(n_jobs=2).fit(X, y).tree_ == one.tree_
    assert np.allclose(one.predict_proba(X).sum(axis=1), 1)

def test_three_learners_one_tree():
    lots = np.random.default_rng(7)
    bits = pd.DataFrame(lots.integers(0, 2, (50, 5)),
                        columns=list("abcde")).replace({0: "no", 1: "yes"})
    y = lots.integers(0, 2, 50)
    family = (ID3Classifier(), AssistantClassifier(pruning=None, min_weight=1),
              C45Classifier(pruning=None, collapse=False, min_weight=1, criterion="gain"))
    assert len({tuple(sorted(m.fit(bits, y).tree_.rules())) for m in family}) == 1

@pytest.mark.parametrize("parameters, words", [
    (dict(pruning="some"), "pruning"), (dict(m=-1), "'m'"), (dict(min_gain=-0.1), "min_gain"),
    (dict(max_majority=2), "max_majority"),
    (dict(min_weight="two"), "min_weight"), (dict(max_depth=0), "max_depth")])
def test_refusals(parameters, words):
    with pytest.raises(ValueError, match=words):
        AssistantClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])

def test_edges():
    assert grow_assistant([[np.nan], [np.nan]], [0, 1]).missing.tolist() == [ENDS]
    assert grow_assistant([[0], [1]], [0, 0]).node_count == 1
    assert (grow_assistant([[0], [1]], [0, 1], min_gain=1).node_count == 3
            and grow_assistant([[0], [1]], [0, 1], min_gain=1.01).node_count == 1)
    heavy = grow_assistant([[0], [1], [np.nan]], [0, 1, 1], [1e-3, 1e-3, 2.0], min_weight=0)
    assert np.isclose(heavy.weight[0], 2.002)
    with pytest.raises(ValueError, match="one output"): grow_assistant([[0], [1]], [[0, 1], [1, 0]])
