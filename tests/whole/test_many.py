"""Many classes, many categories, many ties: what is counted grows with the table, and no faster."""
import tracemalloc
from unittest import mock

import numpy as np
import pytest
from dtree_lit.learners import c45
from dtree_lit.learners.c45_loop import Conditions
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.learners.task import _as_goal
from dtree_lit.measures import exact_scores
from dtree_lit.measures.exact_scores import first_of_best
from dtree_lit.models import rule_lists
from dtree_lit.models.assistant import (best_groupings, bits_gained, Members, KnownRows,
                                        turns_to_try, words_of)
from dtree_lit.models.rule_lists import Condition, generalized, laplace_error, meets_all, Sample
from dtree_lit.pruning.error_based import upper_errors
from dtree_lit.reporting import counterfactuals
from dtree_lit.reporting.counterfactuals import _way_changes
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.words import ways

def calls_of_exactly(f):
    "How often a side is computed in whole numbers."
    with mock.patch.object(exact_scores, "exactly", wraps=exact_scores.exactly) as exactly: f()
    return exactly.call_count

def tied_table(n=300, words=60, K=3):
    "Words that say nothing, and mostly one class."
    lots = np.random.default_rng(5)
    X, y = lots.integers(0, words, (n, 2)).astype(float), lots.integers(0, K, n)
    names = tuple(f"w{v}" for v in range(words))
    schema = Schema(("a", "b"), (names, names), (tuple(range(K)),), "gini")
    return X, np.where(lots.random(n) < 0.8, 0, y), schema

def test_whole_scores_need_no_second_look():
    X, y, schema = tied_table()
    def grown(): grow_levels(X, y, criterion="misclassification", schema=schema)
    assert calls_of_exactly(grown) == 0

@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_equal_pairs_of_sides_are_decided_once(criterion):
    lots = np.random.default_rng(7)
    y = np.repeat([0, 1, 2], 20)[:, None]
    goal = _as_goal(y, None, (3,), criterion, 0)
    D = np.array([20, 20, 20])[:, None]
    F = lots.integers(0, 3, (3, 500))                   # of 27 sides, most are there many times
    kinds = {str(sorted([sorted(f), sorted(t)])) for f, t in zip(F.T.tolist(), (D - F).T.tolist())}
    assert len(goal.first_of_each(F, D - F)) == len(kinds)
    assert calls_of_exactly(lambda: goal.best_of(F, D - F)) <= 4 * len(kinds)
    slow = first_of_best(criterion, [(goal.side(f), goal.side(D[:, 0] - f)) for f in F.T])
    assert goal.best_of(F, D - F) == slow

def test_assistant_keeps_no_table_of_rows_by_classes():
    n, K, lots = 2000, 400, np.random.default_rng(3)
    X, y = lots.normal(size=(n, 2)), np.arange(n) % K
    members = Members(np.arange(n), np.zeros(n, np.int64), np.ones(n, np.int64))
    tracemalloc.start()
    best_groupings(X, members, y, K, np.zeros(2, bool))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * K * 8

@pytest.mark.parametrize("words", [5, 30])
def test_assistant_tries_no_order_of_a_class_that_is_not_there(words):
    many = KnownRows(np.repeat(np.arange(float(words)), 2), np.zeros(2 * words, np.int64),
                     np.tile([2, 7], words), np.ones(2 * words, np.int64))
    node, turn = turns_to_try(words_of(many, 1), many, 300)
    assert len(turn) == (6 if words == 5 else 3) and not node.any()

@pytest.mark.parametrize("K", [2, 3, 12])
def test_assistant_finds_the_best_of_its_orders(K):
    "Each order of a class is cut everywhere, and no cut gains more than what is found."
    lots = np.random.default_rng(K)
    for _ in range(20):
        n = 60
        X, y = lots.integers(0, 12, (n, 1)).astype(float), lots.integers(0, K, n)
        w = lots.integers(1, 4, n)
        members = Members(np.arange(n), np.zeros(n, np.int64), w)
        g, sides = best_groupings(X, members, y, K, np.array([True]))
        cells = np.zeros((12, K), np.int64)
        np.add.at(cells, (X[:, 0].astype(int), y), w)
        cells = cells[cells.any(axis=1)]
        most = None
        for k in range(K):
            order = sorted(range(len(cells)), key=lambda v: (cells[v, k] / cells[v].sum(), v))
            for at in range(1, len(order)):
                no, yes = cells[order[:at]].sum(axis=0), cells[order[at:]].sum(axis=0)
                cut = exact_scores.exact_gain("entropy", exact_scores.Side(no.sum(), [no]),
                                        exact_scores.Side(yes.sum(), [yes]))
                if most is None or most < cut: most = cut
        assert (bits_gained(sides, 0) - most).sign() == 0

def all_at_once(sample, conditions, label, confidence=0.25):
    "As the page says it: every charge anew, for each condition that is left."
    kept, without = list(conditions), laplace_error(sample, label)
    def charged(some):
        met = meets_all(sample.X, some) if some else np.ones(len(sample.y), bool)
        N, e = sample.w[met].sum(), sample.w[met & (sample.y != label)].sum()
        if not N: return without
        n = np.array([N * sample.unit])
        return float((upper_errors(n, np.array([e * sample.unit]), confidence) / n)[0])
    while kept:
        now, fewer = charged(kept), [charged(kept[:i] + kept[i + 1:]) for i in range(len(kept))]
        drop = len(kept) - 1 - int(np.argmin(fewer[::-1]))
        if fewer[drop] > now: return kept, now
        del kept[drop]
    return kept, 1.0

@pytest.mark.parametrize("seed", range(30))
def test_conditions_that_wait_change_no_rule(seed):
    lots = np.random.default_rng(seed)
    n, L = int(lots.integers(5, 40)), int(lots.integers(1, 25))
    X, y = lots.integers(0, 12, (n, 2)).astype(float), lots.integers(0, 2, n)
    sample = Sample(X, y, lots.integers(1, 4, n).astype(float), 0.5, 2)
    thresholds = lots.permutation(24)[:L]
    conditions = [Condition(int(t) % 2, ("least", "below")[int(lots.random() < 0.3)], t // 2 + 0.5)
                  for t in thresholds]
    for label in (0, 1):
        assert generalized(sample, conditions, label) == all_at_once(sample, conditions, label)

def test_charges_of_a_long_rule_are_looked_up_once():
    "What is asked of the formula are pairs of weights that it was not asked before."
    L = 120
    X, y = np.arange(L + 1.0)[:, None], np.arange(L + 1) % 2
    sample = Sample(X, y, np.ones(L + 1), 1.0, 2)
    conditions = [Condition(0, "least", float(t)) for t in range(1, L)]
    conditions.append(Condition(0, "below", float(L)))
    with mock.patch.object(rule_lists, "upper_errors", wraps=upper_errors) as charged:
        generalized(sample, conditions, 1)
    seen = [pair for call in charged.call_args_list for pair in zip(*call.args[:2])]
    assert len(seen) == len(set(seen)) <= 4 * L

def test_sums_of_logarithms_are_added_up_in_one_place():
    "A side of many classes is no chain of copies."
    with mock.patch.object(exact_scores.Terms, "_with", autospec=True,
                           side_effect=exact_scores.Terms._with) as copies:
        exact_scores.exactly("entropy", exact_scores.Side(500, [[1] * 500]))
    assert copies.call_count <= 2

def test_equal_values_are_offered_once():
    cells = np.tile([[3, 1], [1, 3]], (200, 1))
    terms = Conditions(2.0, 1.0, 1.0, 0.0, 0.0, True, True, True, 2**31 - 1)
    with mock.patch.object(c45, "offer_by", wraps=c45.offer_by) as offered:
        best = c45.offer_of_codes(cells, int(cells.sum()), terms)
    assert offered.call_count == 2 and best.test == 0

def test_the_nearest_other_answer_looks_at_few_leaves():
    "Ways that already change more than the best one found are not followed."
    lots = np.random.default_rng(2)
    X, y = lots.normal(size=(1500, 3)), lots.integers(0, 2, 1500)
    tree, x = grow(X, y), X[7]
    every = [_way_changes(tree, set(), way, x, np.zeros(3), ()) for way in ways(tree)
             if not tree.width[way[-1]] and tree.node_labels[way[-1]]
             != tree.predict_labels(x[None])[0]]
    least = min((len(c), sum(abs(v - x[f]) for f, v in sorted(c.items()))) for c in every if c)
    with mock.patch.object(counterfactuals, "_way_changes", wraps=_way_changes) as looked_at:
        found = counterfactuals.nearest_other(tree, x)
    assert (len(found.changes), found.distance) == least
    assert looked_at.call_count < len(every) / 5
