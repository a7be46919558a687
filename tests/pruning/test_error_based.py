"""C4.5's error-based pruning: the charge against its definition, the rule against the loop, the
trace against the tree."""
import json
import re
from math import comb

import numpy as np
import pytest
from dtree_lit import CARTClassifier, PruningPlayer, Tree, grow, cheapest_pruning
from dtree_lit.pruning.error_based import (collapse, error_based_pruning, errors_of_nodes,
                                           exact_upper_errors, expected_errors, upper_errors)
from dtree_lit.pruning.traces import cut_at
from dtree_lit.pruning.subtree_raising import CUT, KEEP, RAISE
from dtree_lit.trees.batch_walk import IN_SHARES
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.steps import Step, states, told_apart
from dtree_lit.trees.words import verdict
from hypothesis import given, settings, strategies as st
from scipy.stats import norm
from helpers.pages import on_page

error_based_spec = on_page("570_error_based").error_based_spec

def some_rows(seed, n=40, K=2, gaps=0.0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 3)).astype(float)
    y = np.where(rng.random(n) < 0.3, rng.integers(0, K, n),
                 (X[:, 0] + X[:, 1]).astype(int) // 3 % K)
    return np.where(rng.random(X.shape) < gaps, np.nan, X), y

def grown(seed, **settings):
    "A tree, and the rows that have grown it; where values are missing it knows shares."
    X, y = some_rows(seed, **settings)
    tree = grow(np.nan_to_num(X), y,
                schema=Schema(("a", "b", "c"), (None,) * 3,
                              (tuple(range(settings.get("K", 2))),), "entropy"))
    return tree._replace(missing=np.where(tree.width > 0, IN_SHARES, -1)), X, y

def by_hand(N, e, gamma):
    "The charge, case by case, for one node."
    if N == 0: return 0.0
    if e < 1:
        none = N * (1 - gamma ** (1 / N))
        return none + e * (max(by_hand(N, 1.0, gamma), 1.0) - none)
    if e + 0.5 >= N: return N
    z = norm.ppf(1 - gamma)
    f = (e + 0.5) / N
    return N * (f + z * z / (2 * N) + z * np.sqrt(f / N - f * f / N + z * z / (4 * N * N))) / (
        1 + z * z / N)

@given(st.floats(0, 300), st.floats(0, 1), st.sampled_from([0.5, 0.25, 0.1, 0.01]))
def test_the_charge(N, share, gamma):
    for e in {N * share, float(int(N * share)), 0.0, N}:
        charge = float(upper_errors(N, e, gamma))
        assert (charge == pytest.approx(by_hand(N, e, gamma), rel=1e-9, abs=1e-9)
                and e - 1e-9 <= charge <= max(N, e) + 1e-9 or N < 1)

def test_the_exact_charge():
    for N in range(1, 15):
        for e in range(N):
            p = float(exact_upper_errors(N, e, 0.25)) / N
            assert sum(comb(N, i) * p**i * (1 - p)**(N - i)
                       for i in range(e + 1)) == pytest.approx(0.25)
    assert exact_upper_errors([3, 0], [3, 0]).tolist() == [3, 0]

@pytest.mark.parametrize("N, e, gamma, words",
                         [(6, 7, 0.25, "from 0 to the weight"),
                          (6, -1, 0.25, "from 0 to the weight"),
                          (np.nan, 0, 0.25, "from 0 to the weight"),
                          (6, 0, 0, "above 0 and at most 0.5"),
                          (6, 0, 0.75, "above 0 and at most 0.5")])
def test_refusals(N, e, gamma, words):
    for charge in (upper_errors, exact_upper_errors):
        with pytest.raises(ValueError, match=words): charge(N, e, gamma)

@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([0.25, 0.1, 0.5]))
def test_without_raising_it_is_the_loop(seed, K, gamma):
    tree, X, y = grown(seed, K=K)
    plain = error_based_spec(tree, X, y, confidence=gamma, slack=0, raising=False)
    assert (plain.tree == cheapest_pruning(tree, expected_errors(tree, gamma)).tree
            and not (plain.trace.done == RAISE).any())
    assert plain.trace.tree is tree and len(str(plain.trace).splitlines()) == (tree.width > 0).sum()

@pytest.mark.parametrize("seed", range(5))
def test_a_branch_that_costs_the_same_is_raised(seed):
    "All rows go to one side of the root, so that asking there changes nothing."
    tree, X, y = grown(seed)
    yes = X[:, tree.feature[0]] >= tree.t[0]
    for rows in (yes, ~yes):
        for prune in (error_based_pruning, error_based_spec):
            counted = tree.recount(X[rows], y[rows])
            trace = prune(counted, X[rows], y[rows], slack=0).trace
            i, = np.flatnonzero(trace.node == 0)
            assert trace.branch[i] == trace.subtree[i]
            assert trace.done[i] == (CUT if trace.leaf[i] <= trace.subtree[i] else RAISE)

@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 3), st.sampled_from([0.0, 0.2]))
def test_the_trace_and_the_picture_replay(seed, K, gaps):
    tree, X, y = grown(seed, K=K, gaps=gaps)
    pruned, trace = error_based_spec(tree, X, y)
    trees, inner = [tree, *trace.steps()], np.flatnonzero(tree.width)
    assert trees[-1] == pruned and all(a.node_count > b.node_count
                                       for a, b in zip(trees, trees[1:]))
    assert gaps or pruned == pruned.recount(X, y)
    assert np.isclose(pruned.weight[pruned.leaves].sum(), len(y), atol=1e-2)
    shown = [*PruningPlayer(tree).histories(inner)[0], *trace.seen(inner)]
    for i in range(len(trace.node) + 1):
        words = states(tree, shown[:len(inner) + i])
        assert sum(word in ("asks", "leaf", "cut") for word in words) == trace.after(i).node_count
        # it is asked while it is there
        if i < len(trace.node): assert words[trace.node[i]] == "asks"
    answers = {k: lines[0] for s in shown
               for k, lines in [(s.node, s.lines), *((k, [a]) for k, a in s.others)] if lines}
    ends = [k for k, word in enumerate(words) if word in ("leaf", "cut")]
    if not gaps:
        assert sorted(answers.get(k, verdict(tree, k))
                      for k in ends) == sorted(verdict(pruned, k) for k in pruned.leaves)

def test_costs_are_told_in_four_digits_where_these_tell_them_apart():
    tree, X, y = grown(3)
    _, trace = error_based_pruning(tree, X, y)
    steps = [*trace.seen(np.flatnonzero(tree.width))]
    for i, step in enumerate(steps):
        leaf, subtree, branch = told_apart((trace.leaf[i], trace.subtree[i], trace.branch[i]), 4)
        assert f"as leaf {leaf}, as subtree {subtree}" in step.why
        assert trace.sentence(i).startswith(f"{leaf} / {subtree}")
    assert len(steps) > 3

def test_the_costs_are_those_of_the_trees():
    "What the trace says of a comparison, computed anew from whole trees."
    raised = 0
    for seed in range(40):
        tree, X, y = grown(seed)
        trace = error_based_spec(tree, X, y).trace
        def total(some):
            some = some.recount(X, y)
            return expected_errors(some)[some.leaves].sum()
        for i in np.flatnonzero(trace.done == RAISE):
            before, after = total(trace.after(i)), total(trace.after(i + 1))
            assert (before - after == pytest.approx(trace.subtree[i] - trace.branch[i], abs=1e-9)
                    and after <= before + 0.1 + 1e-6)
            raised += 1
        for i in np.flatnonzero(trace.done == CUT):
            assert (total(trace.after(i)) - total(trace.after(i + 1))
                    == pytest.approx(trace.subtree[i] - trace.leaf[i], abs=1e-9))
    assert raised > 5

def chosen(children):
    "A root with two children that ask the same; which is tried?"
    schema = Schema(("a", "b"), (None, None), ((0, 1),), "gini")
    tree = Tree.of(schema, [0, 1, 1, -2, -2, -2, -2], [0.5, 0.5, 0.5, *[np.nan] * 4],
                   [1, 3, 5, -1, -1, -1, -1], np.zeros((7, 2)))
    X = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], children, axis=0).astype(float)
    y = X[:, 1].astype(int)
    trace = error_based_spec(tree.recount(X, y), X, y).trace
    return trace.heir[trace.done == RAISE].tolist()

def test_the_last_of_the_heaviest_is_raised():
    assert (chosen([3, 3, 3, 3]) == [2] and chosen([4, 3, 3, 3]) == [1]
            and chosen([3, 3, 3, 4]) == [2])

def test_a_missing_value_goes_all_ways_in_shares():
    schema = Schema(("a",), (None,), ((0, 1),), "gini")
    tree = Tree.of(schema, [0, -2, -2], [0.5, np.nan, np.nan], [1, -1, -1], np.zeros((3, 2)),
                   missing=[IN_SHARES, -1, -1])
    X, y = np.array([[0.0]] * 6 + [[1.0]] * 2 + [[np.nan]] * 4), np.array([0] * 6 + [1] * 6)
    kept, trace = error_based_spec(tree, X, y)
    assert kept.counts[:, 0].tolist() == [[6, 6], [6, 3], [0, 3]] and trace.done.tolist() == [KEEP]
    assert trace.subtree[0] == pytest.approx(float(upper_errors(9, 3) + upper_errors(3, 0)))
    # no way is known: equal shares
    nobody, _ = error_based_spec(tree, np.full((4, 1), np.nan), np.array([0, 1, 1, 1]))
    assert nobody.node_count == 1

def test_where_no_row_has_the_value_all_children_get_the_same():
    for seed in range(20):
        tree, X, y = grown(seed)
        X[:, seed % 3] = np.nan
        spec, fast = error_based_spec(tree, X, y), error_based_pruning(tree, X, y)
        assert np.array_equal(spec.tree.feature, fast.tree.feature)
        assert np.allclose(spec.tree.counts, fast.tree.counts, atol=1e-6)
        for numbers in ("subtree", "branch"):
            assert np.allclose(*(getattr(r.trace, numbers) for r in (spec, fast)), atol=1e-6)

def test_weights_are_rows():
    for seed in range(10):
        tree, X, y = grown(seed)
        w = np.random.default_rng(seed).integers(0, 4, len(y))
        one, other = (error_based_spec(tree, X, y, w),
                      error_based_spec(tree, np.repeat(X, w, axis=0), np.repeat(y, w)))
        assert one.tree._replace(size=one.tree.weight) == other.tree
        assert str(one.trace) == str(other.trace)

def test_collapse():
    X, y = some_rows(1, n=400, K=3)
    tree = CARTClassifier().fit(X, y).tree_
    few = collapse(tree)
    assert (few.node_count < tree.node_count and collapse(few) == few
            and collapse(CARTClassifier().fit(X, y)) == few)
    assert errors_of_nodes(few)[few.leaves].sum() == errors_of_nodes(tree)[tree.leaves].sum()
    for k in np.flatnonzero(few.width):
        worse = cut_at(few, [k])                         # what is left saves something
        assert errors_of_nodes(worse)[worse.leaves].sum() > errors_of_nodes(few)[few.leaves].sum()

def test_what_cannot_be_pruned_so():
    X, y = some_rows(0)
    for tree in (grow(X, y.astype(float), criterion="squared_error"),
                 grow(X, np.column_stack([y, y]))):
        with pytest.raises(ValueError, match="a classification tree with one output"):
            error_based_spec(tree, X, y)

def test_an_heir_on_a_page_of_which_a_part_is_drawn():
    for seed in range(200):
        X, y = some_rows(seed, n=120)
        tree = grow(X, y)
        trace = error_based_spec(tree, X, y).trace
        if not (trace.done == RAISE).any(): continue
        for most in (3, 9, 127):
            page = PruningPlayer(tree, {"raised": trace})._repr_html_(most)
            data = json.loads(re.search(r"steps\(root, (\{.*\})\);", page)[1])
            for box, _, _, texts, *more in data["prunings"][0][1]:
                if not more: continue
                heir, others = more
                assert (data["parent"][heir] == box
                        and all(str(k) in data["lines"] for k, _ in others))
        break
    else: pytest.fail("nothing was raised")

def test_a_step_may_be_taken_back():
    tree, *_ = grown(3)
    first = int(tree.first[0])
    raised = [Step(0, "", True), Step(0, "", True, heir=first)]
    assert (states(tree, raised)[:3] == ["raised", "leaf", "gone"]
            and states(tree, [*raised, Step(0, "", True)])[:3] == ["asks", "leaf", "leaf"])
