"The one loop against all prunings, and every order of Quinlan's iteration against the loop."
import time

import numpy as np
import pytest
from dtree_lit.pruning.orders import TRAVERSALS, standing
from dtree_lit.pruning.prune import cheapest_pruning, prunings, sweep
from dtree_lit.pruning.pruning_errors import charged
from dtree_lit.pruning.traces import Pruned, Trace, cut_at
from dtree_lit.trees.nodes import Schema, first_children, way_to
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_diabetes, load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SCHEMA = Schema(("x",), (("a", "b", "c", "d"),), (("no", "yes"),), "entropy")

def tree_of(width):
    "A tree of this shape that asks for categories; every node has other counts."
    width = np.array(width)
    inner = width > 0
    start, tables = (np.where(inner, 4 * (np.cumsum(inner) - 1), -1),
                     [min(c, w - 1) for w in width if w for c in range(4)])
    counts = np.stack([np.arange(len(width)), np.ones(len(width))], axis=1)
    return Tree.of(SCHEMA, np.where(inner, 0, -2), np.full(len(width), np.nan),
                   first_children(width), counts, width=width, start=start, branch=tables)

@st.composite
def trees(draw, inner=6):
    "A tree in which nodes have one to four children."
    width, nodes = [], 1
    while len(width) < nodes:
        w = draw(st.integers(0, 4)) if inner else 0
        width.append(w)
        nodes, inner = nodes + w, inner - (w > 0)
    return tree_of(width)

def numbers(draw, n, low=0, high=6):
    return np.array(draw(st.lists(st.integers(low, high), min_size=n, max_size=n)), float)
def above(tree, ends): return frozenset(k for end in ends for k in way_to(tree, end)[:-1])
def ends_of(trace):
    made = set(trace.node[trace.cut].tolist())
    return sorted(k for k in made | set(trace.tree.leaves.tolist())
                  if not made & set(way_to(trace.tree, k)[:-1]))

@settings(deadline=None, max_examples=200)
@given(st.data())
def test_optimum_by_exhaustion(data):
    tree = data.draw(trees())
    cost, own = numbers(data.draw, tree.node_count, -3), numbers(data.draw, tree.node_count, -1, 1)
    every = [(sorted(ends), above(tree, ends)) for ends in prunings(tree)]
    assert len({tuple(ends) for ends, _ in every}) == len(every)
    price = np.array([cost[ends].sum() + own[list(up)].sum() for ends, up in every])
    best = [up for (_, up), p in zip(every, price) if p == price.min()]
    for ties, extreme in ((True, frozenset.intersection(*best)), (False, frozenset.union(*best))):
        assert above(tree, ends_of(cheapest_pruning(tree, cost, own, ties=ties).trace)) == extreme
    mixed = np.array(data.draw(st.lists(st.booleans(), min_size=tree.node_count,
                                        max_size=tree.node_count)))
    # ties decided node by node: still optimal
    assert above(tree, ends_of(cheapest_pruning(tree, cost, own, ties=mixed).trace)) in best

@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_order(data):
    tree = data.draw(trees())
    cost, own = numbers(data.draw, tree.node_count), numbers(data.draw, tree.node_count, 0, 1)
    swept = cheapest_pruning(tree, cost, own)
    def drawn(saved): return data.draw(st.integers(0, len(saved) - 1))
    assert cheapest_pruning(tree, cost, own, by="iteration", order=drawn).tree == swept.tree
    for by in TRAVERSALS:
        left = cheapest_pruning(tree, cost, own, by=by)
        total = standing(tree, cost, own, tree.width > 0)[0]
        # none does harm
        assert (cost[ends_of(left.trace)].sum()
                + own[list(above(tree, ends_of(left.trace)))].sum() <= total)

@settings(deadline=None, max_examples=100)
@given(st.data())
def test_the_trace_replays(data):
    tree = data.draw(trees())
    cost = numbers(data.draw, tree.node_count)
    labelled = tree._replace(counts=tree.counts[:, :, ::-1] + 1, size=tree.size + 1,
                             weight=tree.weight + 1)
    for by in ("sweep", *TRAVERSALS):
        pruned, trace = cheapest_pruning(tree, cost, by=by, labelled=labelled)
        steps = [tree, *trace.steps()]
        assert (steps[-1] == pruned and len(steps) == 1 + trace.cut.sum()
                and str(trace).count(": prune") == trace.cut.sum())
        assert all(a.node_count > b.node_count for a, b in zip(steps, steps[1:]))
        kept = np.isin(np.arange(tree.node_count),
                       ends_of(trace)) & np.isin(np.arange(tree.node_count), trace.node[trace.cut])
        told = sorted(map(tuple, pruned.counts[pruned.leaves, 0].tolist()))
        expected = np.where(kept[:, None], labelled.counts[:, 0], tree.counts[:, 0])[ends_of(trace)]
        assert told == sorted(map(tuple, expected.tolist()))

def test_a_step_says_which_of_two_costs_is_larger():
    tree = tree_of([2, 0, 0])
    for leaf, subtree, cut, sign in [(3, 2, False, ">"), (2, 2, False, "="), (1, 2, False, "<"),
                                     (1, 2, True, "<="), (2, 2, True, "<=")]:
        trace = Trace(tree, tree, *map(np.array, ([0], [leaf], [subtree], [cut])))
        step, = trace.seen([0])
        assert f"as leaf {leaf} {sign} cost as subtree {subtree}: " in step[1]
        assert f"{leaf} {'<' if leaf < subtree else sign[-1]} {subtree}: " in trace.sentence(0)

def test_compiled_is_interpreted():
    rng = np.random.default_rng(0)
    tree = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(
        *load_digits(return_X_y=True)))
    for _ in range(20):
        args = (tree.first, tree.width, rng.random(tree.node_count),
                rng.random(tree.node_count) / 9, rng.random(tree.node_count) < 0.5)
        assert all(np.array_equal(a, b) for a, b in zip(sweep(*args), interpreted(sweep)(*args)))

@pytest.mark.parametrize("data, E",
                         [(load_iris, DecisionTreeClassifier),
                          (load_digits, DecisionTreeClassifier),
                          (load_diabetes, DecisionTreeRegressor)])
def test_what_is_left_is_a_tree_that_answers(data, E):
    X, y = data(return_X_y=True)
    tree = Tree.from_sklearn(E(random_state=0).fit(X, y))
    rng = np.random.default_rng(1)
    cost = rng.random(tree.node_count)
    cost = np.where(tree.width, rng.uniform(0.5, 1.7, tree.node_count)
                    * standing(tree, cost, 0 * cost, tree.width > 0), cost)
    cost[0] = np.inf
    pruned, trace = cheapest_pruning(tree, cost)
    up, made = tree.apply(X), set(trace.node[trace.cut].tolist())
    for i, k in enumerate(up):
        end = next((v for v in way_to(tree, k) if v in made), k)      # the first that became a leaf
        assert pruned.node_labels[pruned.apply(X[i:i + 1])[0]] == tree.node_labels[end]
    assert (pruned.schema == tree.schema and pruned.size[0] == tree.size[0]
            and 1 < pruned.node_count < tree.node_count)

def test_a_long_chain_and_its_cost():
    n = 200_001
    first, width = np.full(n, -1), np.zeros(n, int)
    inner = np.append(0, np.arange(2, n - 1, 2))         # a leaf and an inner node, again and again
    width[inner] = 2
    first = first_children(width)
    tree = Tree.of(Schema(("x",), (None,), (("a", "b"),), "gini"), np.where(width > 0, 0, -2),
                   np.where(width > 0, 0.5, np.nan), first, np.ones((n, 2)))
    cheapest_pruning(tree, np.ones(n))
    begin = time.perf_counter()
    pruned, trace = cheapest_pruning(tree, np.ones(n))
    assert time.perf_counter() - begin < 2                   # milliseconds; a square would be hours
    assert pruned.node_count == 1 and len(trace.node) == n // 2
    assert cheapest_pruning(tree, np.where(width > 0, np.inf, 0)).tree == tree

def test_cutting_the_root_and_nothing():
    tree = tree_of([2, 0, 3, 0, 0, 0])
    assert (cut_at(tree, [0]).node_count == 1 and cut_at(tree, []) == tree
            and cut_at(tree, [2, 0]).node_count == 1)
    pruned = cheapest_pruning(tree, np.zeros(6))
    assert pruned.text() == pruned.tree.text()
    assert (isinstance(pruned, Pruned)
            and isinstance(cheapest_pruning(tree, np.zeros(6)).trace, Trace))

def test_pictures_of_decisions():
    tree = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(
        *load_iris(return_X_y=True)))
    trace = cheapest_pruning(tree, tree.weight - tree.counts.max(axis=(1, 2))).trace
    html = trace._repr_html_()
    assert ("dtree-steps" in html and "cost as leaf" in html and "keep" in html
            and "Trace of" in repr(trace) and len(str(trace).splitlines())
            == (tree.width > 0).sum())
    trace.draw()

@pytest.mark.parametrize("cost, own, words",
                         [([1, 2], 0, "3 nodes"), ([1, 2, 3], [0, 0], "3 nodes"),
                          ([1, 2, np.nan], 0, "cost must hold numbers"),
                          ([1, 2, 3], np.inf, "own finite numbers")])
def test_refusals(cost, own, words):
    with pytest.raises(ValueError, match=words): cheapest_pruning(tree_of([2, 0, 0]), cost, own)

@pytest.mark.parametrize("price", [3, 2**12 + 1, 2**13 + 1, 2**45 + 1])
def test_what_mistakes_cost_is_added_up_beyond_64_binary_digits(price):
    there = 2**50 + 1
    found = charged(np.array([[[there, 3.0]]]), np.array([[1]]), (((0, price), (1, 0)),))
    most = (there + 3) * price
    assert abs(int(found[0]) - there * price) <= most >> 52
