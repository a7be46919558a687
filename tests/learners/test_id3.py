"ID3 against Weka's, against its definition in exact numbers, and its promises about categories."
import json
import pickle
from fractions import Fraction
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from dtree_lit.learners import id3, id3_levels
from dtree_lit.learners.id3 import ID3Classifier, grow_id3, id3_spec, two_to_the_left
from dtree_lit.learners.id3_levels import (Examples, Tables, choose_exactly, grow_examples,
                                           left_by_rows, left_by_tables, left_exactly,
                                           surely_least)
from dtree_lit.pruning.reduced_error import reduced_error_pruning
from dtree_lit.splitter.fast_split import log_table
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.words import explain
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.places import DATA

WEKA = json.loads((DATA / "weka_id3.json").read_text())
NAMES = [f"{r['data']}-{r['rows']}" for r in WEKA["references"]]

def table(name, rows):
    "The frame, the classes, and the codes, of training rows and of test rows."
    data = WEKA["data"][name]
    codes = np.array([[int(c, 36) for c in row] for row in data["rows"].split()])
    test = np.zeros(len(codes), bool)
    if rows == "split": test[data["test"][0]::data["test"][1]] = True
    columns = {a: pd.Categorical.from_codes(codes[:, f], v)
               for f, (a, v) in enumerate(data["attributes"].items())}
    y = pd.Series(pd.Categorical.from_codes(codes[:, -1], data["classes"]))
    return data, codes, test, pd.DataFrame(columns), y

def nested(tree, k=0, empty=True):
    if tree.width[k] == 0: return int(tree.codes[k, 0]) if tree.weight[k] or not empty else None
    children = [tree.first[k] + tree.branch[tree.start[k] + v] for v in range(tree.width[k])]
    return [int(tree.feature[k]), [nested(tree, c, empty) for c in children]]

@pytest.mark.parametrize("reference", WEKA["references"], ids=NAMES)
def test_weka(reference):
    data, codes, test, _, _ = table(reference["data"], reference["rows"])
    values, classes = map(tuple, data["attributes"].values()), (tuple(data["classes"]),)
    schema = Schema(tuple(data["attributes"]), tuple(values), classes, "entropy")
    tree = grow_id3(codes[~test, :-1], codes[~test, -1], schema=schema)
    assert nested(tree) == reference["tree"] and tree.node_count == reference["nodes"]
    for rows, name in (~test, "train"), (test, "test"):
        if name not in reference: continue
        ends = tree.apply(codes[rows, :-1].astype(float))
        assert "".join(str(tree.codes[k, 0]) if tree.weight[k] else "-"
                       for k in ends) == reference[name]

@pytest.mark.parametrize("reference", WEKA["references"], ids=NAMES)
def test_weka_by_name(reference):
    "The estimator, with words and declared orders, and rows that are left without a label."
    data, codes, test, X, y = table(reference["data"], reference["rows"])
    model = ID3Classifier(empty="unclassified").fit(X[~test], y[~test])
    guess = clone(model).set_params(empty="parent").fit(X[~test], y[~test])
    assert nested(model.tree_) == reference["tree"] and guess.tree_ == model.tree_
    for rows, name in (~test, "train"), (test, "test"):
        if name not in reference: continue
        labels = [None if c == "-" else data["classes"][int(c)] for c in reference[name]]
        none = np.array([label is None for label in labels])
        assert (model.predict(X[rows]).tolist() == labels
                and (model.predict_proba(X[rows]).sum(axis=1) == ~none).all())
        assert model.score(X[rows], y[rows]) == np.mean([a == b for a, b in zip(labels, y[rows])])
        assert ((guess.predict(X[rows])[~none] == np.array(labels)[~none]).all()
                and np.allclose(guess.predict_proba(X[rows]).sum(axis=1), 1))

def test_some_rows_of_weka_are_unclassified():
    assert "-" in "".join(r.get("test", "") for r in WEKA["references"])

def schema_of(V, K):
    return Schema(tuple(f"a{f}" for f in range(len(V))), tuple(tuple(range(v)) for v in V),
                  (tuple(range(K)),), "entropy")

def as_spec(tree, k=0):
    D, first = tree.counts[k, 0].astype(int).tolist(), tree.first[k]
    return D if tree.width[k] == 0 else (D, int(tree.feature[k]),
                                         [as_spec(tree, first + v) for v in range(tree.width[k])])

@st.composite
def cases(draw, most=6):
    V, K = draw(st.lists(st.integers(1, most), min_size=1, max_size=4)), draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*(st.integers(0, v - 1) for v in V), st.integers(0, K - 1)),
                         min_size=1, max_size=40))
    return np.array(rows)[:, :-1], np.array(rows)[:, -1], tuple(V), K

@given(cases())
@settings(max_examples=150)
def test_definition(case):
    X, y, V, K = case
    assert as_spec(grow_id3(X, y, schema=schema_of(V, K))) == id3_spec(X.tolist(), y.tolist(), V, K)

@given(cases(), st.randoms(use_true_random=False), st.integers(1, 3))
@settings(max_examples=80)
def test_order_names_and_repetitions_do_not_matter(case, random, times):
    X, y, V, K = case
    order = list(range(len(y))) * times
    random.shuffle(order)
    tree, other = (grow_id3(*data, schema=schema_of(V, K))
                   for data in [(X, y), (X[order], y[order])])
    assert (np.array_equal(tree.feature, other.feature)
            and np.array_equal(times * tree.counts, other.counts))
    renamed = grow_id3(np.array(V) - 1 - X, K - 1 - y, schema=schema_of(V, K))
    assert (renamed.node_count == tree.node_count and sorted(renamed.feature)
            == sorted(tree.feature) and renamed.feature[0] == tree.feature[0])

def weights_are_counts(case, w):
    X, y, V, K = case
    i, schema = np.repeat(np.arange(len(y)), w), schema_of(V, K)
    tree, repeated = grow_id3(X, y, w, schema=schema), grow_id3(X[i], y[i], schema=schema)
    assert (np.array_equal(tree.counts, repeated.counts)
            and np.array_equal(tree.feature, repeated.feature))
    for unit in (0.1, 1 / 3, 1e-9, 1e9):
        other = grow_id3(X, y, w * unit, schema=schema)
        assert (np.array_equal(tree.feature, other.feature)
                and np.allclose(tree.counts * unit, other.counts, rtol=1e-9))

@given(cases(), st.data())
@settings(max_examples=80)
def test_weights_are_counts(case, data):
    w = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(case[1]),
                                    max_size=len(case[1]))))
    if 1 not in w: w[w.argmax()] = 1                        # the lightest is the unit
    weights_are_counts(case, w)

@given(cases(), st.data())
@settings(max_examples=3)
def test_weights_whose_lightest_is_not_the_unit(case, data):
    "Twos and threes, counted in a fine unit: its table of logarithms is long, so they are few."
    w = np.array(data.draw(st.lists(st.sampled_from([0, 2, 3]), min_size=len(case[1]),
                                    max_size=len(case[1]))))
    w[0], w[-1] = 2, 3
    weights_are_counts(case, w)

def test_weights_without_a_common_unit():
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 4, (500, 4)), rng.integers(0, 2, 500), rng.random(500) + 0.01
    tree = grow_id3(X, y, w)
    assert (np.allclose(tree.counts[0, 0], [w[y == 0].sum(), w[y == 1].sum()], rtol=1e-12)
            and np.isclose(tree.weight[tree.leaves].sum(), w.sum()))
    assert tree.max_depth == 4 and (tree.size >= 0).all() and tree.size[0] == 500

def tables_for(V, K, total):
    place = np.append(0, np.cumsum(np.array(V) * (K + 1))).astype(np.uint64)
    return Tables(K, log_table(total, float(np.log2(K))), place,
                  *(np.zeros(size, np.int64) for size in (place[-1], len(V), total + 1, max(V))))

def test_both_ways_of_counting():
    rng, K = np.random.default_rng(0), 3
    for V in ([1], [2, 7], [300, 2, 5]):
        for w in (np.empty(0, np.int64), rng.integers(1, 9, 60)):
            rows = np.column_stack([rng.integers(0, v, 60) for v in V]
                                   + [rng.integers(0, K, 60)]).astype(np.uint32)
            found = []
            for way in (left_by_tables, left_by_rows, interpreted(left_by_tables),
                        interpreted(left_by_rows)):
                tables = tables_for(V, K, 1000)
                tables.left[:] = 99
                with np.errstate(over="ignore"): way(Examples(rows, w), 7, 55, tables)
                assert not tables.cells.any()
                found.append(tables.left.tolist())
            assert found[0] == found[1] == found[2] == found[3]

def test_compiling_changes_nothing(monkeypatch):
    rng, tasks = np.random.default_rng(1), []
    for _ in range(10):
        X, y, w = rng.integers(0, 4, (30, 3)), rng.integers(0, 2, 30), rng.integers(1, 4, 30)
        for weights in (w[:0], w):
            D = np.bincount(y, weights if len(weights) else None, 2).astype(np.int64)
            tasks.append((np.column_stack([X, y]).astype(np.uint8), weights, D, np.full(3, 4),
                          log_table(200, 1.0)))
    def grown():
        return [grow_examples(Examples(rows.copy(), w.copy()), *rest, 3, 2, Fraction(0))
                for rows, w, *rest in tasks]
    compiled = grown()
    for name in ("add_term", "add_terms", "surely_least", "choose", "write_children", "part_rows",
                 "grow_rows"):
        monkeypatch.setattr(id3_levels, name, interpreted(getattr(id3_levels, name)))
    monkeypatch.setattr(id3_levels, "records", np.recarray)
    with np.errstate(over="ignore"): plain = grown()
    assert all(np.array_equal(a, b) for one, other in zip(compiled, plain)
               for a, b in zip(one, other))

def from_tables(*tables):
    """Codes, classes and weights for two-way tables of the same class counts: independent
    attributes, in whole examples."""
    columns = []
    for table in tables:                  # each column in an order of its own, classes side by side
        v, k = (i.ravel() for i in np.indices(table.shape))
        order = np.argsort(k, kind="stable")
        columns.append(np.repeat(v[order], table.ravel()[order]))
    return np.array(columns).T, np.repeat(np.arange(tables[0].shape[1]), tables[0].sum(axis=0))

@pytest.fixture
def asked(monkeypatch):
    "What Python was asked, and said."
    said = []
    def noted(*node):
        said.append(choose_exactly(*node))
        return said[-1]
    monkeypatch.setattr(id3_levels, "choose_exactly", noted)
    return said

CLOSE = np.array([[631, 702], [711, 791]])              # it gains 1.8e-13 bits an example

def test_a_gain_below_rounding_is_a_gain(asked):
    X, y = from_tables(CLOSE)
    # a gain of units, whatever their sign, is one
    assert grow_id3(X, y).node_count == 3 and not asked
    assert ID3Classifier().fit(X, y).tree_.node_count == 3
    v, k = (i.ravel() for i in np.indices(CLOSE.shape))
    for unit in (1, 3, 0.1):
        assert grow_id3(v[:, None], k, CLOSE.ravel() * unit).node_count == 3
    constant = np.column_stack([np.zeros_like(y), X, np.zeros_like(y)])
    tree = grow_id3(constant, y, schema=schema_of([3, 2, 1], 2))
    assert tree.feature[0] == 1 and tree.node_count == 3 and asked == [1]
    assert (grow_id3(X, y, min_gain=1e-13).node_count == 3
            and grow_id3(X, y, min_gain=1e-12).node_count == 1)

def near_proportional(rng, n):
    "A table whose two parts are in proportion, but for one example."
    a, b = rng.integers(2, n, 2)
    c = rng.integers(2, n)
    return np.array([[a, b], [c, max(1, round(b * c / a)) + rng.integers(-1, 2)]])

def test_nearly_proportional_tables():
    rng, gains = np.random.default_rng(5), 0
    for _ in range(300):
        table = near_proportional(rng, 1000)
        X, y = from_tables(table)
        gained = table[0, 0] * table[1, 1] != table[0, 1] * table[1, 0]
        assert (grow_id3(X, y).node_count > 1) == gained
        gains += gained
    assert 100 < gains < 300

def test_close_tables(asked):
    """Of all tables with these class counts those whose units are too close to tell: the better
    one wins, in either order."""
    found = set()
    for D in ([700, 901], [1342, 1493], [1023, 1499]):
        T, (p, q) = (log_table(sum(D), 1.0),
                     (i.ravel() for i in np.meshgrid(np.arange(D[0]), np.arange(D[1]))))
        units = T[p + q] + T[sum(D) - p - q] - T[p] - T[q] - T[D[0] - p] - T[D[1] - q]
        order = np.argsort(units)
        apart = np.diff(units[order])
        close = np.flatnonzero((apart > 0) & (apart <= 128 * sum(D)))
        for i in close[np.argsort(apart[close])[:80]]:
            tables = [np.array([[p[j], q[j]], [D[0] - p[j], D[1] - q[j]]]) for j in order[i:i + 2]]
            terms = [left_exactly(table) for table in tables]
            if not min(terms) < left_exactly(np.array([D])): continue
            better = (terms[1] - terms[0]).sign()       # 1: the first leaves less
            X, y = from_tables(*tables)
            assert grow_id3(X, y, max_depth=1).feature[0] == (better < 0)
            assert grow_id3(X[:, ::-1], y, max_depth=1).feature[0] == (better > 0)
            found.add(better)
    assert found == {-1, 1} and len(asked) > 100

def test_ties_are_found_without_python(asked):
    "Copies, other names, and tables that are in proportion or merely leave the same."
    rng = np.random.default_rng(7)
    for _ in range(60):
        X, y = rng.integers(0, 3, (60, 3)), rng.integers(0, 2, 60)
        again = np.column_stack([(2 * X + 1) % 3, X])
        grow_id3(again, y)
        whole = np.outer(rng.integers(1, 9, 3), rng.integers(1, 9, 2))
        assert grow_id3(*from_tables(whole)).node_count == 1
    # 15 log 3 - 10 bits, both
    X, y = from_tables(np.array([[1, 0], [10, 5]]), np.array([[4, 3], [7, 2]]))
    assert grow_id3(X, y).feature[0] == 0 == grow_id3(X[:, ::-1], y).feature[0] and not asked

def test_primes_tell_what_is_equal():
    "The tally says the same as sums of logarithms; and is empty afterwards."
    rng, equal, n = np.random.default_rng(8), 0, 18
    for _ in range(600):
        X, y, w = (rng.integers(0, 2, (n, 2)), np.sort(rng.integers(0, 2, n)),
                   rng.integers(1, 3, n) if rng.random() < 0.5 else np.empty(0, np.int64))
        tables = tables_for([2, 2], 2, 2 * n)
        counts = [np.bincount(2 * x + y, w if len(w) else None, 4).astype(int).reshape(2, 2)
                  for x in X.T]
        same = two_to_the_left(counts[0].tolist()) == two_to_the_left(counts[1].tolist())
        assert surely_least(Examples(np.column_stack([X, y]).astype(np.uint8), w), 0, n, 0, 0, 0,
                            tables) == same
        assert not tables.tally.any() and not tables.cells.any()
        equal += same
    assert 10 < equal < 590

def test_a_thousand_small_tables():
    rng = np.random.default_rng(9)
    for i in range(1000):
        n, m, K = rng.integers(1, 50), rng.integers(1, 4), int(rng.integers(1, 4))
        V = tuple(rng.integers(1, 5, m).tolist())
        X, y = np.array([rng.integers(0, v, n) for v in V]).T, rng.integers(0, K, n)
        w = rng.integers(0, 4, n) if i % 2 else np.ones(n, int)
        if not w.any(): continue
        truth = id3_spec(np.repeat(X, w, 0).tolist(), np.repeat(y, w).tolist(), V, K)
        assert as_spec(grow_id3(X, y, w if i % 2 else None, schema=schema_of(V, K))) == truth

@pytest.mark.parametrize("table, bits",
                         [([[8, 0], [0, 8]], 1.0), ([[4, 0, 0], [0, 2, 2]], 1.0),
                          ([[8, 0, 0, 0], [0, 8, 0, 0], [0, 0, 8, 8]], 1.5),
                          ([[2, 2, 0, 0], [0, 0, 2, 2]], 1.0),
                          ([[1, 0], [7, 0], [4, 4]], None),
                          ([[300, 300, 0, 0], [0, 0, 300, 300]], 1.0)])
def test_a_limit_that_is_met_exactly(table, bits, asked):
    "A gain of so many bits is enough, and a limit above it, however little, is too much."
    table = np.array(table)
    X, y = from_tables(table)
    if bits is None:                                    # log₂ 3 is in it: no decimal is equal
        n, D = table.sum(), table.sum(axis=0)
        bits = float((n * np.log2(n) - (D * np.log2(D)).sum()
                      - sum(k * np.log2(k) for k in table.sum(axis=1))
                      + (table[table > 0] * np.log2(table[table > 0])).sum()) / n)
        below, above = bits * (1 - 1e-15), bits * (1 + 1e-15)
    else: below, above = bits, np.nextafter(bits, 9)
    assert (grow_id3(X, y, min_gain=below).max_depth == 1
            and grow_id3(X, y, min_gain=above).node_count == 1 and len(asked) == 2)
    for w in (3.0, 0.1):
        assert (grow_id3(X, y, np.full(len(y), w), min_gain=below).max_depth == 1
                and grow_id3(X, y, np.full(len(y), w), min_gain=above).node_count == 1)

@pytest.mark.parametrize("limit", [0.5, 0.25, 0.125])
def test_a_part_of_a_bit(limit):
    "One bit for some of the examples, and nothing for the others."
    other = round(2 / limit - 2)
    X, y = from_tables(np.array([[4, 0, other, other], [0, 4, other, other]]))
    assert (grow_id3(X, y, min_gain=limit).feature[0] == 0
            and grow_id3(X, y, min_gain=np.nextafter(limit, 1)).node_count == 1)

def test_room_is_made_while_growing():
    "Many values make many nodes: more than there was room for, several times."
    rng = np.random.default_rng(10)
    X, y = rng.integers(0, 40, (600, 3)), rng.integers(0, 5, 600)
    tree = grow_id3(X, y, schema=schema_of([40] * 3, 5))
    assert (tree.node_count > 8 * (64 + 600 // 5)
            and as_spec(tree) == id3_spec(X.tolist(), y.tolist(), (40,) * 3, 5))

def test_zero_gain_is_exactly_zero():
    rng = np.random.default_rng(2)
    for _ in range(200):
        counts = np.outer(rng.integers(1, 40, rng.integers(2, 6)),
                          rng.integers(1, 40, rng.integers(2, 5)))
        v, k = (i.ravel() for i in np.indices(counts.shape))
        assert grow_id3(v[:, None], k, counts.ravel()).node_count == 1
        counts[0, 0] += 1                                # and one example more is seen
        assert grow_id3(v[:, None], k, counts.ravel()).node_count > 1

def test_the_first_of_equals():
    "The same question under another name, before and after the others; and under many names."
    rng, asked = np.random.default_rng(3), 0
    for _ in range(100):
        X, y = rng.integers(0, 3, (20, 3)), rng.integers(0, 2, 20)
        again = np.column_stack([(2 * X + 1) % 3, X, (X + 1) % 3])   # names of values change places
        one, three = (grow_id3(X, y, schema=schema_of([3] * 3, 2)),
                      grow_id3(again, y, schema=schema_of([3] * 9, 2)))
        assert (one.feature[0] == three.feature[0] and sorted(one.feature) == sorted(three.feature)
                and one.n_leaves == three.n_leaves)
        asked += one.node_count > 1
    assert asked > 90

def test_limits():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (200, 6)), rng.integers(0, 3, 200)
    whole = grow_id3(X, y)
    for depth in range(8):
        assert grow_id3(X, y, max_depth=depth).max_depth == min(depth, whole.max_depth)
    assert (grow_id3(X, y, max_depth=10**30) == whole
            and grow_id3(X, y, min_samples_split=10**30).node_count
            == grow_id3(X, y, min_gain=10**400).node_count == 1)
    stopped = grow_id3(X, y, min_samples_split=20)
    assert (stopped.size[stopped.width > 0] >= 20).all() and stopped.node_count < whole.node_count
    for least in (1e-3, 0.1, 0.5):
        tree = grow_id3(X, y, min_gain=least)
        gains = [(tree.impurity[k] - (tree.weight * tree.impurity)[
            tree.first[k]:tree.first[k] + tree.width[k]].sum() / tree.weight[k])
                 for k in np.flatnonzero(tree.width)]
        assert min(gains, default=1) >= least - 1e-9 and tree.node_count <= whole.node_count
    assert grow_id3(X, y, min_gain=2).node_count == 1

@pytest.mark.parametrize("V, K", [(300, 2), (2, 300), (70_000, 70)])
def test_many_values_and_classes(V, K):
    n = max(V, K)
    X, y = np.arange(n)[:, None] % V, np.arange(n) % K
    tree = grow_id3(X, y)
    assert (tree.width[0] == V and (tree.predict_labels(X.astype(float)) == y).mean()
            == min(1, V / K))

def test_edges():
    assert grow_id3([[0]], [0]).node_count == 1 and grow_id3([[0], [1]], [1, 1]).node_count == 1
    # a tie of classes goes to the first
    assert grow_id3([[0], [0]], [0, 1]).predict_labels([[0.0]]) == [0]
    tree = grow_id3([[0], [2]], [0, 1])                                     # value 1 has no example
    assert (tree.node_count == 4 and tree.predict_labels([[1.0]]) == [0]
            and tree.weight[tree.apply([[1.0]])] == 0)
    # nobody's value: the walk ends
    assert tree.apply([[9.0], [np.nan], [0.5]]).tolist() == [0, 0, 0]
    assert pickle.loads(pickle.dumps(tree)) == tree

@pytest.mark.parametrize("change, words", [
    (dict(codes=[[0, 1], [1, -1]]), r"codes\[1, 1\] is -1"),
    (dict(codes=[[0, 1], [1, 0.5]]), r"codes\[1, 1\] is 0.5"),
    (dict(codes=[[0, 1], [1, np.nan]]), "is nan"),
    (dict(codes=[["a", "b"], ["a", "b"]]), "whole numbers"), (dict(codes=[0, 1]), "a row for each"),
    (dict(codes=np.zeros((0, 2)), y=[]), "0 examples"),
    (dict(codes=np.zeros((2, 0))), "0 attributes"), (dict(y=[0]), "2 rows and y has 1"),
    (dict(y=[0, 0.5]), "0.5"),
    (dict(weights=[1]), "1 weights for 2 examples"), (dict(weights=[1, -1]), "zero or more"),
    (dict(weights=[0, 0]), "all weights are zero"), (dict(weights=[1, np.nan]), "nan: a weight is"),
    (dict(weights=[1e308] * 2), "1e.308: a weight is zero or more, and below 1e300"),
    (dict(schema=schema_of([2], 2)), "2 columns"),
    (dict(schema=schema_of([2, 1], 2)), "a1 has the code 1, and 1 values"),
    (dict(schema=schema_of([2, 2], 1)), "code 1, and there are 1 classes"),
    (dict(schema=Schema(("a", "b"), (None, (0, 1)), ((0, 1),), "entropy")), "no values for a"),
    (dict(schema=schema_of([2, 2], 2)._replace(classes=((0, 1),) * 2)), "one output")])
def test_refusals(change, words):
    with pytest.raises(ValueError, match=words):
        grow_id3(**(dict(codes=[[0, 1], [1, 0]], y=[0, 1]) | change))

MEASURES = ("the table of this check is drawn from an interval whatever the tags say, and numbers "
            "that are no codes are refused")
IMPOSSIBLE = {"check_sample_weight_equivalence_on_dense_data": MEASURES,
              "check_classifiers_one_label_sample_weights": MEASURES}

def impossible(model):
    "What cannot be passed in principle."
    shifted = {"check_positive_only_tag_during_fit": "where NaN is welcome, the check shifts the "
                                                     "codes by their mean, so that they are none"}
    return IMPOSSIBLE | (shifted if model.missing == "value" else {})

@parametrize_with_checks([ID3Classifier(),
                          ID3Classifier(max_depth=3, min_samples_split=5, min_gain=0.01),
                          ID3Classifier(missing="value")], expected_failed_checks=impossible)
def test_scikit_learns_checks(estimator, check): check(estimator)

def test_what_those_two_checks_ask_for():
    "The same, with whole numbers."
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 3, (40, 5)), rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    a, b = ID3Classifier().fit(X, y, w), ID3Classifier().fit(np.repeat(X, w, 0), np.repeat(y, w))
    assert np.allclose(a.predict_proba(X), b.predict_proba(X))
    y = np.arange(40) % 2
    assert (ID3Classifier().fit(X, y, y).predict(X) == 1).all()

def test_tags():
    tags, open_ = get_tags(ID3Classifier()), get_tags(ID3Classifier(missing="value"))
    assert (tags.input_tags.categorical and tags.input_tags.string and not tags.input_tags.allow_nan
            and open_.input_tags.allow_nan)
    assert not tags.target_tags.multi_output and not tags.classifier_tags.multi_label

WORDS = dict(colour=["red", "blue", "red", "green"], size=["big", "big", "small", "small"])
LABELS = ["yes", "no", "yes", "no"]

@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    module = import_module(library)
    frame = module.table if library == "pyarrow" else module.DataFrame
    X, other = frame(WORDS), frame(dict(reversed(WORDS.items())))
    model = ID3Classifier().fit(X, LABELS)
    assert (model.categories_ == [["blue", "green", "red"], ["big", "small"]]
            and model.feature_names_in_.tolist() == ["colour", "size"])
    assert model.predict(X).tolist() == LABELS and model.tree_.schema.features == ("colour", "size")
    with pytest.raises(ValueError, match="feature names"): model.predict(other)
    with pytest.raises(ValueError, match="row 0 of column 'size' holds the number 7"):
        ID3Classifier().fit(frame(WORDS | dict(size=[7, 8, 9, 10])), LABELS)
    with pytest.raises(ValueError, match="row 1 of column 'size' is missing"):
        ID3Classifier().fit(frame(WORDS | dict(size=["a", None, "b", None])), LABELS)

def test_frames_of_other_kinds():
    import polars
    kinds = [polars.Categorical, polars.Enum(["red", "blue", "green", "big", "small"])]
    for kind in kinds:
        X, y = (polars.DataFrame(WORDS, schema=dict.fromkeys(WORDS, kind)),
                polars.Series(LABELS, dtype=polars.Categorical))
        assert ID3Classifier().fit(X, y).predict(X).tolist() == LABELS
    # an enum declares its values
    assert ID3Classifier().fit(X, y).categories_ == [["red", "blue", "green", "big", "small"]] * 2

def test_gaps_in_a_dictionary_of_arrow():
    import pyarrow
    X = pyarrow.table({"c": pyarrow.array(["x", None, "x", "a"]).dictionary_encode()})
    with pytest.raises(ValueError, match="row 1 of column 'c' is missing"):
        ID3Classifier().fit(X, LABELS)
    model = ID3Classifier(missing="value").fit(X, LABELS)
    assert model.categories_ == [["a", "x", None]] and model.predict(X).tolist() == LABELS

KINDS = {"object": object, "string": "string", "str": "str", "category": "category"}

@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_columns(kind):
    X = pd.DataFrame(WORDS).astype(KINDS[kind])
    plain = ID3Classifier().fit(np.array(list(WORDS.values())).T, LABELS)
    model = ID3Classifier().fit(X, LABELS)
    assert (model.categories_ == plain.categories_
            and np.array_equal(model.tree_.counts, plain.tree_.counts))
    assert (np.array_equal(model.predict(X), LABELS)
            and np.array_equal(plain.predict(X.to_numpy()), LABELS))
    lists = ID3Classifier().fit(X.to_numpy().tolist(), LABELS)
    assert lists.tree_ == plain.tree_ and lists.tree_.schema.features == ("x0", "x1")

def test_declared_values():
    X, y = pd.DataFrame(WORDS), LABELS
    order = ["red", "green", "blue", "violet"]
    for model in (ID3Classifier(categories={"colour": order}),
                  ID3Classifier(categories=[order, None]),
                  ID3Classifier(categories=(order, ["small", "big"]))):
        model.fit(X, y)
        assert model.categories_[0] == order and model.tree_.width[0] == 4
        # two and two: the first
        assert model.predict(X.assign(colour="violet")).tolist() == ["no"] * 4
    declared = X.assign(colour=pd.Categorical(X["colour"], order, ordered=True))
    assert ID3Classifier().fit(declared, y).categories_[0] == order
    numbers = pd.DataFrame(dict(month=[1, 12, 1, 12], word=["a", "a", "b", "b"]))
    model = ID3Classifier(categories={"month": range(1, 13)}).fit(numbers, [0, 1, 0, 1])
    assert model.predict(numbers).tolist() == [0, 1, 0, 1] and model.tree_.width[0] == 12
    as_categories = ID3Classifier().fit(numbers.astype({"month": "category"}), [0, 1, 0, 1])
    assert (as_categories.predict(numbers.astype({"month": "category"})).tolist()
            == as_categories.predict(numbers).tolist() == [0, 1, 0, 1])
    for bad, words in [({"shape": ["a"]}, "'shape'"), ([order], "each of the 2 columns"),
                       ("all", "must be 'auto'"), (7, "must be 'auto'"),
                       ({"colour": [*order, "red"]}, "'colour' twice"),
                       ({"colour": set(order)}, "must be a list of its values"),
                       ([order, "big"], "'size' must be a list .* and not 'big'"),
                       ({"colour": []}, "at least one"), ([3, None], "and not 3"),
                       ({"colour": ["red", "blue"]}, "row 3 of column 'colour' holds 'green', and "
                                                     "declared are 'red', 'blue'")]:
        with pytest.raises(ValueError, match=words): ID3Classifier(categories=bad).fit(X, y)

def test_declared_classes_decide_ties():
    X, words = [["a"]] * 4, ["yes", "no", "maybe", "yes"]
    y = pd.Series(pd.Categorical(words[:3], ["no", "yes", "maybe", "never"]))
    model = ID3Classifier().fit(X[:3], y)
    assert (model.classes_.tolist() == ["maybe", "no", "yes"]
            and model.tree_.schema.classes == (("no", "yes", "maybe"),))
    assert (model.predict([["a"]]) == ["no"]
            and ID3Classifier().fit(X[:3], words[:3]).predict([["a"]]) == ["maybe"])
    uneven = ID3Classifier().fit(X, pd.Series(pd.Categorical(words, ["no", "yes", "maybe"])))
    assert (uneven.predict_proba([["a"]]).tolist() == [[0.25, 0.25, 0.5]]
            and uneven.predict([["a"]]) == ["yes"])

def test_unknown_values():
    X, y = pd.DataFrame(WORDS), LABELS
    strange = X.assign(colour=["violet", None, "red", "blue"])
    with pytest.raises(ValueError, match="row 1 of column 'colour' is missing"):
        ID3Classifier().fit(X, y).predict(strange)
    known = strange.fillna("pink")
    assert ID3Classifier().fit(X, y).predict(known).tolist() == ["no", "no", "yes", "no"]
    assert (ID3Classifier(empty="unclassified").fit(X, y).predict(known).tolist()
            == [None, None, "yes", "no"])
    assert ID3Classifier(empty="unclassified").fit(X,
                                                   y).score(known,
                                                            ["yes", "yes", "yes", "no"]) == 0.5
    assert (ID3Classifier(missing="value").fit(X, y).predict(strange).tolist()
            == ["no", "no", "yes", "no"])

@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT])
def test_missing_is_a_value(gap):
    X = pd.DataFrame(dict(a=["x", gap, "missing", gap], b=["u", "u", "v", "v"]), dtype=object)
    model = ID3Classifier(missing="value").fit(X, [0, 1, 0, 1])
    assert (model.categories_ == [["missing", "x", None], ["u", "v"]]
            and model.predict(X).tolist() == [0, 1, 0, 1])
    frame = pd.DataFrame(dict(a=pd.Categorical(["x", None, "y", None])))
    model = ID3Classifier(missing="value").fit(frame, [0, 1, 0, 1])
    assert (model.tree_.schema.categories == (("x", "y", "missing"),)
            and model.predict(frame).tolist() == [0, 1, 0, 1])
    with pytest.raises(ValueError, match="is missing"): ID3Classifier().fit(X, [0, 1, 0, 1])

def test_tables_of_codes():
    X, y = np.array([[0, 5], [1, 5], [0, 7], [1, 7]]), [0, 1, 0, 1]
    models = [ID3Classifier().fit(T, y)
              for T in (X, X.astype(float), X.astype(object), X.tolist(), X.astype(np.float32),
                        pd.DataFrame(X).to_numpy(), X.astype(np.uint8))]
    assert all(m.tree_ == models[0].tree_ and m.categories_ == [[0, 1], [5, 7]] for m in models)
    assert ID3Classifier().fit(X > 5, y).categories_ == [[False], [False, True]]
    large = np.array([[10**30], [2**64], [Fraction(4, 2)], [1]], object)
    model = ID3Classifier().fit(large, y)
    assert model.categories_ == [[1, 2, 2**64, 10**30]] and model.predict(large).tolist() == y
    with pytest.raises(ValueError, match="holds the number 1/2"):
        ID3Classifier().fit(np.array([[Fraction(1, 2)], [1]], object), [0, 1])
    words = pd.DataFrame(WORDS)
    model = make_pipeline(OrdinalEncoder(), ID3Classifier()).fit(words, LABELS)
    assert model.predict(words).tolist() == LABELS
    for bad, words in [([[0.5]], "row 0 of column 0 holds the number 0.5"), ([[np.inf]], "inf"),
                       ([[np.nan]], "NaN"), ([["a", 1]], "row 0 of column 1 holds the number 1"),
                       ([[2j]], "the number 2j")]:
        with pytest.raises((ValueError, TypeError), match=words): ID3Classifier().fit(bad * 4, y)
    with pytest.raises(TypeError, match="column 0 holds what is no category"):
        ID3Classifier().fit([[{}]] * 4, y)
    with pytest.raises(ValueError, match="holds the date or time"):
        ID3Classifier().fit(pd.DataFrame(dict(a=["x"] * 4,
                                              when=pd.date_range("2022-03-21", periods=4))), y)

@pytest.mark.parametrize("bad", [dict(missing="drop"), dict(empty="none"), dict(max_depth=0),
                                 dict(min_samples_split=1), dict(min_gain=-1), dict(max_depth=1.5)])
def test_parameters(bad):
    with pytest.raises(ValueError, match=f"the parameter '{next(iter(bad))}' of ID3Classifier"):
        ID3Classifier(**bad).fit(WORDS_ARRAY, LABELS)

WORDS_ARRAY = np.array(list(WORDS.values())).T

def test_targets():
    for y, words in [(None, "requires y"), ([0, 1], "X has 4 rows and y has 2"),
                     (np.zeros((4, 2)), "one output"), ([0.5, 1.5, 1, 2], "continuous")]:
        with pytest.raises(ValueError, match=words): ID3Classifier().fit(WORDS_ARRAY, y)
    for y in ([True, False, True, False], [2, -1, 2, -1], np.array([1, 0, 1, 0], np.int8)):
        predicted = ID3Classifier().fit(WORDS_ARRAY, y).predict(WORDS_ARRAY)
        assert np.array_equal(predicted, y) and predicted.dtype == np.asarray(y).dtype

def test_score():
    model, X, y = (ID3Classifier().fit([["a"], ["b"], ["c"]], [0, 1, 1]), [["a"], ["b"], ["c"]],
                   np.array([0, 1, 0]))
    assert (model.score(X, y) == model.score(X, y[:, None]) == 2 / 3
            and model.score(X, y, [1, 1, 2]) == 0.5)
    for wrong in ([1], [[0, 1]] * 3):
        with pytest.raises(ValueError, match="a label for each row"): model.score(X, wrong)
    with pytest.raises(ValueError, match="sample_weight"): model.score(X, y, [1, 2])

def test_unfitted():
    for ask in ("predict", "predict_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError): getattr(ID3Classifier(), ask)([["a"]])

def test_in_scikit_learn():
    data, codes, _, X, y = table("breast-cancer-complete", "all")
    search = GridSearchCV(ID3Classifier(), dict(max_depth=[1, 2, 5]), cv=3).fit(X, y)
    assert (search.best_params_["max_depth"] < 5 and 0.6
            < cross_val_score(search.best_estimator_, X, y, cv=3, scoring="roc_auc").mean() < 1)
    model = ID3Classifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_ and np.array_equal(again.predict(X), model.predict(X))
    assert (model.decision_path(X).shape == (len(y), model.tree_.node_count)
            and np.isclose(model.feature_importances_.sum(), 1))
    assert model.tree_._repr_html_() in model._repr_html_() and model.get_depth() <= 9

kinds = st.sampled_from([list("abc"), [0, 1, 2], [7, 3, 5], [-1, 2, 10**6], [False, True],
                         ["1", "0"], ["missing", "there"], [pd.Interval(0, 1), pd.Interval(1, 2)]])

@settings(max_examples=60)
@given(st.lists(kinds, min_size=1, max_size=3), st.integers(0, 10**6), st.booleans(),
       st.sampled_from(["frame", "array", "list"]))
def test_the_tree_takes_the_words_of_its_estimator(columns, seed, gaps, dress):
    "Whatever predict takes, the tree, an explanation and a pruner take, and say the same."
    rng, n = np.random.default_rng(seed), 12
    def some(values):
        return pd.Series([None if gaps and rng.random() < 0.2 else v
                          for v in (values[i] for i in rng.integers(0, len(values), n))],
                         dtype=object)
    X = pd.DataFrame({f"c{f}": some(values) for f, values in enumerate(columns)})
    X = X if dress == "frame" else X.to_numpy() if dress == "array" else X.to_numpy().tolist()
    y, train = np.append(["no", "yes"], rng.choice(["no", "yes"], n - 2)), slice(0, 8)
    declared = [values + [None] * gaps for values in columns]
    model = ID3Classifier(missing="value" if gaps else "refuse",
                          categories=declared).fit(X[train], y[train])
    tree, codes = model.tree_, model._read(X, reset=False)
    assert (tree.predict_labels(X).tolist() == model.predict(X).tolist()
            and tree.apply(X).tolist() == model.apply(X).tolist() == tree.apply(codes).tolist())
    rows = [X.iloc[[i]] for i in range(n)] if dress == "frame" else list(X)
    for row, code in zip(rows, codes): assert tree.explain(row) == explain(tree, code)
    if dress == "frame":
        assert [tree.explain(X.iloc[i][::-1])
                for i in range(n)] == [tree.explain(dict(X.iloc[i]))
                                       for i in range(n)] == [tree.explain(row) for row in rows]
    for pruned in (reduced_error_pruning(tree, X, y), reduced_error_pruning(model, X, y)):
        assert pruned.tree == reduced_error_pruning(tree, codes, y).tree
    assert (tree.recount(X, (y == "yes").astype(int))
            == tree.recount(codes, (y == "yes").astype(int)))

def test_words_that_were_never_seen():
    X, y = (pd.DataFrame({"sky": ["sun", "rain", "sun"], "wind": ["weak", "weak", "strong"]}),
            ["yes", "no", "yes"])
    tree = ID3Classifier().fit(X, y).tree_
    assert (tree.explain({"wind": "weak", "sky": "fog"}) == 
            "sky is a category not seen there: yes, 2 of 3"
            and tree.explain(["rain", "none"]) == "sky = rain: no, 1 of 1")
    for bad, sentence in (({"sky": "sun"}, "the row has no 'wind'"),
                          ({"sky": "sun", "winds": 1, "wind": "weak"},
                           "'winds' is not a feature of the tree, which has sky, wind"),
                          (X, "one row, and has 3"), (["sun"], "the tree has 2 features")):
        with pytest.raises(ValueError, match=sentence): tree.explain(bad)
    with pytest.raises(ValueError, match="has the columns sky, wind, in this order"):
        reduced_error_pruning(tree, X[["wind", "sky"]], y)

def test_a_large_table_takes_few_passes():
    "Node by node over all rows would be a hundred times as much."
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (50_000, 8))
    tree = grow_id3(X, (X[:, 0] * X[:, 1] + X[:, 2] + (rng.random(50_000) < 0.1)) % 3)
    assert tree.size[tree.width > 0].sum() <= 8 * 50_000 < tree.n_leaves * 50_000

def test_exported():
    assert {"ID3Classifier", "grow_id3", "id3_spec", "read_categories"} <= set(id3.__all__)

def test_a_gain_that_is_just_enough():
    "One bit is gained, and one bit was asked for."
    X, y = [["a"], ["b"]], ["no", "yes"]
    for least, nodes in ((1.0, 3), (np.nextafter(1.0, 2), 1)):
        assert ID3Classifier(min_gain=least).fit(X, y).tree_.node_count == nodes
