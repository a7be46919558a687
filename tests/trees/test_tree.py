"The tree against its walk, against scikit-learn, and against files that lie."
import copyreg
import pickle
import subprocess
import sys
import warnings
from copy import copy, deepcopy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dtree_lit.pruning.traces import cut_at
from dtree_lit.trees.batch_walk import ENDS, IN_SHARES, plain_nodes, table_nodes, walk_rows
from dtree_lit.trees.nodes import (Codes, Schema, breadth_first, child, first_children, is_tree,
                                   region, walk)
from dtree_lit.trees.tree import Tree, from_sklearn, sound, unrounded
from dtree_lit.trees.words import ways
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier,
                          export_text)
from helpers.random_trees import BASES, is_safe, rows, STRANGE, trees, walks

# Trees of every kind, in any order

def walk_raw(raw, categories, x):
    "The walk, once more and by hand, through arrays in any order."
    k = 0
    while raw["first"][k] >= 0:
        f, v, c = raw["feature"][k], x[raw["feature"][k]], -1
        if raw["start"][k] < 0: c = -1 if v != v else 1 if v >= raw["t"][k] else 0
        elif v in range(len(categories[f])): c = raw["branch"][raw["start"][k] + int(v)]
        if c < 0 and (v != v or raw["as_missing"]): c = raw["missing"][k]
        if c < 0: break
        k = raw["first"][k] + c
    return k

@given(trees(), st.data())
def test_renumbering_keeps_every_walk(made, data):
    tree, raw = made
    order = breadth_first(np.array(raw["first"], np.int64), np.array(raw["width"], np.int64))
    for x in rows(data.draw, tree, 5):
        assert order[walk(tree, x)] == walk_raw(raw, tree.schema.categories, x)
    assert is_tree(tree.width) and sound(tree) is tree
    again = Tree.of(**tree._asdict())
    assert again == tree                                    # the canonical form is its own

@given(trees(), st.data(), st.sampled_from([np.float32, np.float64]), st.sampled_from("CF"))
def test_packed_walks(made, data, dtype, order):
    tree, _ = made
    X = np.asarray(rows(data.draw, tree, data.draw(st.sampled_from([0, 1, 7, 16, 17, 40]))), dtype,
                   order=order)
    expected = [walk(tree, x) for x in X]
    assert tree.apply(X).tolist() == expected
    for rounds in ((0, True), (tree.max_depth, False), (1, True)):
        out = np.zeros(len(X), np.int64)
        done = walk_rows(*table_nodes(tree), X, rounds, True, out)
        assert out.tolist() == expected and done == len(X)
        other = np.zeros(len(X), np.int64)
        assert (interpreted(walk_rows)(*table_nodes(tree), X, rounds, True, other) == done
                and (other == out).all())

def test_a_walk_that_ends_where_nothing_is_known():
    tree = Tree.of(Schema(("x",), (None,), (("a", "b"),), "gini"), [0, 0, 0], [0.5, 0, 0],
                   [1, -1, -1], [[2, 1], [2, 0], [0, 1]], missing=[-1, -1, -1])
    assert tree.apply([[np.nan], [0], [1]] * 9).tolist() == [0, 1, 2] * 9

@given(trees(thresholds_only=True), st.data())
def test_plain_step(made, data):
    tree, _ = made
    X = rows(data.draw, tree, 20)
    out, known = np.zeros(20, np.int64), ~np.isnan(X).any(axis=1)
    walk_rows(plain_nodes(tree), None, X, (2, True), True, out)
    assert out[known].tolist() == [walk(tree, x) for x in X[known]]
    assert tree.apply(X).tolist() == [walk(tree, x) for x in X]
    # up to the first gap that matters
    done = walk_rows(plain_nodes(tree), None, X, (2, True), False, out)
    assert (done in (0, 20, *range(16, 20))
            and out[:done].tolist() == [walk(tree, x) for x in X[:done]])
    assert done == 20 or done == 0 and np.isnan(X[:16]).any() or np.isnan(X[done]).any()

@given(trees(), st.data())
def test_boxes_are_the_walk(made, data):
    tree, _ = made
    boxes = [region(tree, k) for k in range(tree.node_count)]
    def inside(box, x):
        return all(s is not None and (x[f] in s if isinstance(s, set)
                                      else not x[f] < s[0]
                                      and (x[f] < s[1] or x[f] == s[1] == np.inf))
                   for f, s in box.items())
    for x in rows(data.draw, tree, 5):
        way = tree.path(x).tolist()
        if any(np.isnan(x)) or any(tree.width[k] and tree.start[k] >= 0
                                   and child(tree, k, x)
                                   != int(tree.branch[tree.start[k] + int(x[tree.feature[k]])]
                                          if x[tree.feature[k]]
                                          in range(len(tree.schema.categories[tree.feature[k]]))
                                          else -2) for k in way):
            continue
        assert all(inside(boxes[k], x) for k in way), (boxes, x)
        assert (sum(inside(boxes[k], x) for k in tree.leaves) <= 1
                or any(s and not isinstance(s, set) and s[1] == np.inf for b in boxes
                       for s in b.values()))

@given(trees())
def test_shape(made):
    tree, _ = made
    n = tree.node_count
    for k in range(n):
        for c in range(tree.first[k], tree.first[k] + tree.width[k]):
            assert tree.parent[c] == k and tree.depth[c] == tree.depth[k] + 1 and c > k
    assert (np.diff(tree.depth) >= 0).all() and tree.max_depth == tree.depth.max()
    assert sorted(way[-1] for way in ways(tree)) == list(range(n))
    assert tree.n_leaves == sum(tree.width == 0)

@given(st.lists(st.integers(-1, 4), max_size=9))
def test_widths(width):
    "By growing: pop a node, push its children."
    width, waiting = np.array(width, int), 1
    for k, w in enumerate(width):
        if waiting == 0 or w < 0: waiting = -1; break
        waiting += w - 1
    assert is_tree(width) == (waiting == 0)

@pytest.mark.parametrize("first, width",
                         [([0], [2]), ([1, 0, -1], [2, 2, 0]), ([1, -1, -1], [3, 0, 0]),
                          ([1, 3, 3, -1, -1], [2, 2, 2, 0, 0]), ([5, -1], [2, 0])])
def test_no_tree(first, width):
    for f in (breadth_first, interpreted(breadth_first)):
        with pytest.raises(ValueError, match="no tree"): f(np.array(first), np.array(width))

def test_three_hundred_thousand_nodes():
    n = 150_000
    width = np.append(np.full(n, 2), np.zeros(n + 1, int))
    rng = np.random.default_rng(0)
    tree = Tree.of(Schema(("x", "y"), (None, None), ((0, 1),), "gini"),
                   rng.integers(0, 2, 2 * n + 1), rng.normal(size=2 * n + 1), first_children(width),
                   np.ones((2 * n + 1, 2)))
    X = rng.normal(size=(1000, 2))
    assert tree.apply(X).tolist() == [walk(tree, x) for x in X] and tree.max_depth == 18
    assert tree.apply(np.tile(X, (300, 1)), threads=2).tolist() == tree.apply(X).tolist() * 300

def test_a_chain_of_fifty_thousand():
    n = 50_000
    width = np.array([2] + [2, 0] * (n - 2) + [0, 0])
    tree = Tree.of(Schema(("x",), (None,), ((0, 1),), "gini"), 0 * width, 0.0 * width,
                   first_children(width), np.ones((len(width), 2)))
    assert tree.max_depth == n - 1 and tree.apply([[-1.0]] * 20).tolist() == [len(width) - 2] * 20

# A value

def test_value():
    tree, _ = hand()
    assert (all(not a.flags.writeable for a in tree[:-1])
            and all(not a.flags.writeable for a in tree._replace(schema=tree.schema)[:-1]))
    assert pickle.loads(pickle.dumps(tree)) == deepcopy(tree) == tree != tree._replace(t=tree.t + 1)
    assert not pickle.loads(pickle.dumps(tree)).t.flags.writeable
    with pytest.raises(ValueError): tree.counts[0] = 0
    with pytest.raises(TypeError): hash(tree)

def hand():
    X, y = load_iris(return_X_y=True)
    schema = Schema(("length", "width"), (None, None),
                    (("setosa", "versicolor", "virginica"),), "gini")
    tree = Tree.of(schema, [1, 0, 1, 0, 0], [0.8, 0, 1.75, 0, 0], [1, -1, 3, -1, -1],
                   np.zeros((5, 3)))
    return tree.recount(X[:, 2:], y), X[:, 2:]

def test_one_leaf_and_no_feature():
    tree = Tree.of(Schema((), (), (("a", "b"),), "gini"), [-2], [np.nan], [-1], [[1, 3]])
    assert (tree.predict_labels(np.zeros((3, 0))).tolist() == ["b"] * 3 and tree.text()
            == "b, 3 of 4"
            and tree.rules() == ["always: b, 3 of 4"])
    assert (tree.compute_feature_importances().tolist() == []
            and tree.explain([]) == "always: b, 3 of 4")

def test_weights_are_repetitions():
    tree, X = hand()
    rng = np.random.default_rng(0)
    y, w = rng.integers(0, 3, len(X)), rng.integers(0, 4, len(X))
    one, other = tree.recount(X, y, w), tree.recount(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert ((one.counts == other.counts).all() and (one.weight == other.weight).all()
            and one.size[0] == (w > 0).sum())
    numbers = tree._replace(schema=tree.schema._replace(classes=(None,), criterion="squared_error"),
                            counts=np.zeros((tree.node_count, 1, 2)))
    y = rng.normal(size=len(X)) + 1e6
    one, other = numbers.recount(X, y, w), numbers.recount(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-12)
    ends = tree.apply(X)
    for k in tree.leaves:
        np.testing.assert_allclose(one.counts[k, 0],
                                   [np.average(y[ends == k], weights=w[ends == k]),
                                    w[ends == k] @ (
            y[ends == k] - np.average(y[ends == k], weights=w[ends == k]))**2], rtol=1e-9)

def test_empty_nodes_answer_as_their_parents():
    schema = Schema(("colour",), (("red", "green", "blue"),), (("a", "b"),), "entropy")
    tree = Tree.of(schema, [0, -2, -2, -2], [np.nan] * 4, [1, -1, -1, -1],
                   [[1, 4], [1, 0], [0, 4], [0, 0]], width=[3, 0, 0, 0], start=[0, -1, -1, -1],
                   branch=[0, 1, 2])
    assert (tree.predict_labels([[0], [1], [2], [7], [np.nan], [0.5]]).tolist()
            == ["a", "b", "b", "b", "b", "b"])
    assert tree.explain([7]) == "colour is a category not seen there: b, 4 of 5"
    assert tree.explain([np.nan]) == "colour is not known: b, 4 of 4"
    assert tree.rules()[2] == "colour = blue: b, 0 of 0" and tree.missing[0] == 1
    assert not hasattr(tree, "children_left") and not hasattr(tree, "threshold")
    assert np.isfinite(tree.compute_feature_importances()).all()

# Nothing becomes a tree that is none

def changed(rng, a):
    "An array with something done to it."
    a, n = np.array(a), len(a)
    kind = rng.integers(12)
    if kind < 4 and a.size:
        a = a.astype(rng.choice([float, object]))
        a.flat[rng.integers(a.size, size=rng.choice([1, 1, 2, a.size]))] = STRANGE[
            rng.integers(len(STRANGE))]
        return a.astype(float) if rng.random() < 0.8 else a
    if kind == 4: return a[:rng.integers(n + 1)]
    if kind == 5: return np.concatenate([a, a])[:n + rng.integers(1, 5)]
    if kind == 6: return a[rng.permutation(n)]
    if kind == 7: return np.repeat(a, 2, axis=0)[::2]
    if kind == 8: return (a + rng.integers(-2, 3, a.shape) * (rng.random(a.shape) < 0.3))
    if kind == 9:
        with np.errstate(all="ignore"):
            return a.astype(rng.choice(["f4", "i8", "u1", "?", "O", "U9", "c16", ">f8", ">i4"]))
    if kind == 10:
        return [None, 3, [], [[1], [2, 3]], "words", a[None], a[:, None], np.zeros((0, 2)),
                np.full(n, STRANGE[rng.integers(len(STRANGE))])][rng.integers(9)]
    return rng.choice(STRANGE, a.shape)

def other_schema(rng, schema):
    "A schema with something done to it."
    name = rng.choice(schema._fields)
    new = [None, "x", (), [], (None,), (None, None), 7, (("a", "b"),), (("a",), None), (range(99),),
           (("a", "b", "c"),) * 2, "sdr", "gini", ["x"] * 4][rng.integers(14)]
    return [schema._replace(**{name: new}), tuple(schema), None][rng.choice(3, p=[0.9, 0.05, 0.05])]

class Pickled:
    "What a pickle may say, whoever wrote it."
    def __init__(self, reduced): self.reduced = reduced
    def __reduce__(self): return self.reduced

def remade(rng, tree, fields):
    "By any of the ways that lead to a tree."
    whole = {**tree._asdict(), **fields}
    way = rng.integers(5)
    if way == 0: return tree._replace(**fields)
    if way == 1: return Tree(**whole)
    if way == 2: return Tree._make(whole.values())
    if way == 3: return pickle.loads(pickle.dumps(Pickled((Tree, tuple(whole.values())))))
    return pickle.loads(pickle.dumps(Pickled((copyreg.__newobj__, (Tree, *whole.values()))), 1))

def test_nothing_becomes_a_tree_that_is_none(cases=1200):
    rng = np.random.default_rng()
    seed = int(rng.integers(2**32))
    rng, made = np.random.default_rng(seed), 0
    for _ in range(cases):
        tree = BASES[rng.choice([*BASES])]
        names = rng.choice(tree._fields, size=rng.choice([1, 1, 2]), replace=False)
        fields = {name: other_schema(rng, tree.schema) if name == "schema"
                  else changed(rng, getattr(tree, name)) for name in names}
        try:
            with warnings.catch_warnings(action="error"): new = remade(rng, tree, fields)
        except ValueError as e:
            assert "\n" not in str(e) and str(e).count(". ") == 0, (seed, e)
            continue
        is_safe(new)
        walks(new, rng.choice([*STRANGE, 0.1, 0.8, 1.75, 4.95], (5, new.n_features)))
        made += 1
    assert cases / 20 < made < cases / 2, (seed, made)

@pytest.mark.parametrize("name", BASES)
def test_what_is_handed_in_is_copied(name):
    tree = BASES[name]
    mine = {field: np.array(a) for field, a in zip(tree._fields, tree[:-1])}
    names = {k: v if v is None or isinstance(v, str)
             else [g if g is None or isinstance(g, str) else list(g) for g in v]
             for k, v in tree.schema._asdict().items()}
    new = Tree(**mine, schema=Schema(**names))
    for a in mine.values(): a[...] = 7
    for group in names.values():
        if isinstance(group, list): group.append("more")
    assert (new == tree and new.schema == tree.schema
            and not any(a.flags.writeable for a in new[:-1]))
    is_safe(new)
    assert (copy(new) == deepcopy(new) == pickle.loads(pickle.dumps(new))
            == Tree.of(**new._asdict()) == new)

def test_rows_that_lie_about_their_number():
    class Rows:
        def __len__(self): return 0
        def __array__(self, *_, **__): return np.zeros((40, 4))
    assert len(BASES["classes"].apply(Rows())) == 40

def test_weights_as_large_as_they_can_be():
    "Their sum over the nodes would be too large, that over the leaves is not."
    tree = BASES["classes"]
    scale = 1.7e308 / tree.weight[0]
    heavy, X = (tree._replace(weight=tree.weight * scale, counts=tree.counts * scale),
                load_iris().data)
    assert heavy._rounds == tree._rounds and (heavy.apply(X) == tree.apply(X)).all()
    mean = np.mean([len(tree.path(x)) - 1 for x in X])                  # they have grown it
    assert tree._rounds in ((int(np.ceil(mean)), True), (tree.max_depth, False))
    with pytest.raises(ValueError, match="add up to infinity"):
        tree._replace(weight=np.full(tree.node_count, 1.7e308))

# What the second version of the fields can say

@given(st.data())
def test_sets_of_categories(data):
    "Is it in this set? And with more children, in which of these sets?"
    K, w = data.draw(st.integers(1, 70)), data.draw(st.integers(2, 4))
    table = data.draw(st.lists(st.integers(0, w - 1), min_size=K, max_size=K))
    tree = Tree.of(Schema(("colour",), (tuple(range(K)),), ((0, 1),), "gini"), [0] + [-2] * w,
                   [np.nan] * (w + 1), [1] + [-1] * w, np.ones((w + 1, 2)), width=[w] + [0] * w,
                   start=[0] + [-1] * w, branch=table)
    assert (tree.apply(np.arange(K)[:, None]) - 1).tolist() == table
    for c in range(w):
        through = {code for code in range(K) if table[code] == c}
        assert region(tree, c + 1) == {0: None if not through and tree.missing[0] == c else through}
    if w == 2 and K > 2 and 1 in table:
        assert tree.explain([table.index(1)]).startswith(
            "colour = " + " or ".join(str(code) for code in range(K) if table[code]) + ":")

def test_no_row_has_to_part():
    "Rows without a gap end where they end in a tree that does not part them."
    tree = BASES["classes"]
    parting = tree._replace(missing=np.where(tree.width > 0, IN_SHARES, ENDS))
    X = load_iris().data
    assert ((parting.apply(X) == tree.apply(X)).all()
            and (parting.predict(X) == tree.predict(X)).all())
    assert parting.apply_fractional(X).row is None and parting.prediction_table(X)[0] is parting
    with pytest.raises(ValueError, match="sent to a child that does not exist"):
        BASES["shares"]._replace(missing=np.full(8, IN_SHARES))

def test_given_values():
    X, y = load_iris(return_X_y=True)
    tree, given = BASES["classes"], BASES["given"]
    assert ((given.predict(X) == given.values[tree.apply(X), 0]).all()
            and (given.impurity == tree.impurity).all())
    turned = tree._replace(values=tree.value[:, :, ::-1])
    assert (turned.node_labels == np.array([2, 1, 0])[
        tree.value[:, 0, ::-1].argmax(axis=1) * -1 + 2]).all() and "a share of" in turned.text()
    assert turned.recount(X, y) == tree
    assert (cut_at(turned, [0]).values.tolist() == [turned.values[0].tolist()]
            and cut_at(turned, [0], tree).node_labels == tree.node_labels[0])
    assert cut_at(tree, [2], turned).value.tolist()[:3] == [*tree.value.tolist()[:2],
                                                            turned.value.tolist()[2]]

@pytest.mark.parametrize("name, values, sentence", [
    ("classes", np.zeros((3, 1, 3)), r"values should have the shape"),
    ("leaf", [[[0.5, 0.6]]], "their sum is 1"), ("leaf", [[[1.5, -0.5]]], "none is less than 0"),
    ("leaf", [[[np.nan, 1]]], "finite"),
    ("numbers", np.full(BASES["numbers"].counts[:, :, :1].shape, np.inf), "finite"),
    ("numbers", BASES["numbers"].counts, "should have the shape"),
    ("leaf", np.zeros((1, 0)), "should have the shape")])
def test_values_that_are_none(name, values, sentence):
    with pytest.raises(ValueError, match=sentence): BASES[name]._replace(values=values)

def test_surrogates_of_a_leaf_are_none():
    with pytest.raises(ValueError, match="rows of six numbers"):
        BASES["leaf"]._replace(surrogates=[1])
    with pytest.raises(ValueError, match="two children"):
        BASES["leaf"]._replace(surrogates=[[0, 0, 1.5, 1, -1, 0.5]])

# scikit-learn

@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_bounded_answers(criterion, weighted):
    """Trees that must not fall or rise: they answer as they do there, and labels are counted as
    they were."""
    rng, moved, wrong = np.random.default_rng(0), 0, 0
    for _ in range(12):
        X, noise = rng.normal(size=(rng.integers(20, 300), 3)).astype(np.float32), rng.normal
        y = X[:, 0] + X[:, 1]**2 + noise(size=len(X))
        w = rng.random(len(X)) if weighted else np.ones(len(X))
        make = DecisionTreeRegressor if criterion == "squared_error" else DecisionTreeClassifier
        if criterion != "squared_error": y = np.where(y > np.median(y), "high", "low")
        theirs = make(criterion=criterion, monotonic_cst=rng.permutation([1, -1, 0]), max_depth=6,
                      random_state=0).fit(X, y, w)
        tree = Tree.from_sklearn(theirs)
        counted = tree.recount(X, y if criterion == "squared_error"
                               else (y == "low").astype(int), w)
        assert (np.array_equal(tree.predict(X), theirs.tree_.predict(X))
                and np.array_equal(tree.predict_labels(X), theirs.predict(X)))
        np.testing.assert_allclose(tree.impurity,
                                   theirs.tree_.impurity[by_hand(theirs.tree_)], atol=1e-9)
        moved += (~np.isclose(tree.value, counted.value)).any(axis=(1, 2)).sum()
        wrong += (~np.isclose(tree.counts, counted.counts, rtol=1e-6, atol=1e-6)).any(
            axis=(1, 2)).sum()
    assert moved > 40 and (wrong < moved / 2 if criterion == "squared_error" else wrong == 0)

def fits():
    rng = np.random.default_rng(0)
    iris, cancer, wine, digits, diabetes = (load(return_X_y=True)
                                            for load in (load_iris, load_breast_cancer, load_wine,
                                                         load_digits, load_diabetes))
    gaps = np.where(rng.random(cancer[0].shape) < 0.1, np.nan, cancer[0])
    yield "iris", DecisionTreeClassifier(random_state=0), *iris
    yield "cancer entropy", DecisionTreeClassifier(criterion="entropy", random_state=0), *cancer
    yield "wine weighted", DecisionTreeClassifier(class_weight="balanced", criterion="log_loss",
                                                  random_state=0), *wine
    yield "digits", DecisionTreeClassifier(max_leaf_nodes=60, random_state=0), *digits
    yield "gaps", DecisionTreeClassifier(random_state=0), gaps, cancer[1]
    yield ("gaps only", DecisionTreeClassifier(random_state=0),
           np.where(rng.random((300, 3)) < 0.5, np.nan, 1.0), rng.integers(0, 2, 300))
    yield ("two outputs", DecisionTreeClassifier(random_state=0), digits[0],
           np.stack([digits[1], digits[1] % 3], axis=1))
    yield "extra", ExtraTreeClassifier(random_state=0), *wine
    yield ("random, several outputs", DecisionTreeClassifier(splitter="random", random_state=0),
           iris[0], np.stack([iris[1], iris[1] % 2], axis=1))
    yield ("words", DecisionTreeClassifier(max_depth=3, random_state=0), iris[0],
           np.array(["a", "b", "c"])[iris[1]])
    yield "numbers", DecisionTreeRegressor(random_state=0), *diabetes
    yield ("two numbers", DecisionTreeRegressor(max_depth=6, random_state=0), diabetes[0],
           np.stack([diabetes[1], -diabetes[1]**2], axis=1))
    yield ("gaps in numbers", DecisionTreeRegressor(max_depth=6, random_state=0),
           np.where(rng.random(diabetes[0].shape) < 0.2, np.nan, diabetes[0]), diabetes[1])

def by_hand(theirs):
    "scikit-learn's arrays in the order of the queue: old ids by new."
    order, k = [0], 0
    while k < len(order):
        if theirs.children_left[order[k]] >= 0:
            order += [theirs.children_left[order[k]], theirs.children_right[order[k]]]
        k += 1
    return np.array(order)

FITS = {name: (estimator, X, y) for name, estimator, X, y in fits()}

@pytest.mark.parametrize("name", FITS)
def test_scikit_learn(name):
    estimator, X, y = FITS[name]
    estimator.fit(X, y)
    theirs, tree = estimator.tree_, Tree.from_sklearn(estimator)
    order = by_hand(theirs)
    new = np.append(np.argsort(order), -1)                     # our id of theirs; -1 stays -1
    inner = tree.width > 0
    for field in ("feature", "n_node_samples", "weighted_n_node_samples", "value", "impurity",
                  "n_classes", "missing_go_to_left", "children_left", "children_right",
                  "threshold"):
        a, b = getattr(theirs, field), getattr(tree, field)
        if field != "n_classes": a = a[order]
        if field.startswith("children"): a = new[a]
        assert a.shape == b.shape and (a.dtype == b.dtype or field == "feature"), field
        if field == "missing_go_to_left": a, b = a[inner], b[inner]
        if field == "threshold":
            assert ((last_float32(a[inner]) == last_float32(b[inner])).all()
                    and (b[~inner] == -2).all())
        elif field in ("value", "impurity"):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14, err_msg=field)
        else: assert np.array_equal(a, b), field
    for field in ("node_count", "max_depth", "n_leaves", "n_features", "n_outputs",
                  "max_n_classes"):
        assert getattr(theirs, field) == getattr(tree, field), field
    for normalize in (True, False):
        np.testing.assert_allclose(theirs.compute_feature_importances(normalize),
                                   tree.compute_feature_importances(normalize),
                                   rtol=1e-9, atol=1e-12)
    rng = np.random.default_rng(1)
    probes = np.concatenate([X, X + rng.normal(size=X.shape) * np.nanstd(X, axis=0),
                             edge_rows(tree, X, rng)])
    for P in (probes, probes.astype(np.float32), np.asfortranarray(probes)):
        P32 = P.astype(np.float32)
        assert np.array_equal(order[tree.apply(P)], theirs.apply(P32))
        np.testing.assert_allclose(tree.predict(P), theirs.predict(P32), rtol=1e-12)
        np.testing.assert_array_equal(tree.predict_labels(P), estimator.predict(P))
    ours, other = tree.decision_path(X), theirs.decision_path(X.astype(np.float32))
    assert ours.shape == other.shape and ours.format == other.format and ours.dtype == other.dtype
    assert np.array_equal(ours.toarray()[:, new[:-1]], other.toarray())

def last_float32(threshold):
    """The largest float32 that is not above: it says all that a threshold says to numbers that
    are float32."""
    a = np.float32(threshold)
    return np.where(a > threshold, np.nextafter(a, np.float32(-np.inf)), a)

def edge_rows(tree, X, rng):
    "Rows whose values lie on a threshold, or are the double before or after it."
    P = X[rng.integers(len(X), size=3000)].copy()
    for x in P:
        k = 0
        while tree.width[k]:
            f, t = tree.feature[k], tree.t[k]
            if t == t and rng.random() < 0.7:
                x[f] = np.nextafter(t, rng.choice([-np.inf, t, np.inf]))
            k = tree.first[k] + max(child(tree, k, x), 0)
    return P

@given(st.floats(width=64, allow_nan=False, min_value=-3.4e38, max_value=3.4e38))
def test_unrounded(threshold):
    t = unrounded(np.array([threshold]))[0]
    with np.errstate(over="ignore"):
        assert float(np.float32(t)) > threshold >= float(np.float32(np.nextafter(t, -np.inf)))

def test_trees_of_a_forest():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    for one in forest.estimators_: assert (Tree.from_sklearn(one).predict_labels(X)
                                           == one.predict(X)).all()

def test_names_of_columns():
    import pandas as pd
    X, y = load_iris(return_X_y=True, as_frame=True)
    tree = from_sklearn(DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y))
    assert tree.schema.features == tuple(X.columns) and tree.schema.classes == ((0, 1, 2),)
    assert (isinstance(X, pd.DataFrame)
            and (tree.predict_labels(X) == tree.predict_labels(X.to_numpy())).all())

@pytest.mark.parametrize("call, sentence", [
    (lambda: from_sklearn(DecisionTreeClassifier()), "expected a fitted tree"),
    (lambda: from_sklearn(3), "and got int"),
    (lambda: from_sklearn(DecisionTreeRegressor().fit([[0], [1]],
                                                      [0, 1]).set_params(criterion="another")),
     "another is not a criterion"),
    (lambda: from_sklearn(DecisionTreeRegressor(criterion="poisson",
                                                monotonic_cst=[1]).fit([[0], [1]], [1, 2])),
     "stores only bounded predictions"),
    (lambda: from_sklearn(DecisionTreeRegressor(criterion="absolute_error",
                                                monotonic_cst=[1]).fit([[0], [1]], [1, 2])),
     "stores only bounded predictions"),
    (lambda: hand()[0].apply([1, 2]), r"the tree has 2 features, and X has the shape \(2,\)"),
    (lambda: hand()[0].apply([[1, 2, 3]]), "the tree has 2 features"),
    (lambda: hand()[0].recount([[1, 2]], [3]), "not one of the 3 classes"),
    (lambda: hand()[0].apply([["a", 1]]),
     "holds 'a', which is no number: the tree compares numbers here"),
    (lambda: Tree.of(Schema(("x",), (None,), (("a",),), "entropie"), [-2], [np.nan], [-1], [[1]]),
     "'entropie' is not a criterion"),
    (lambda: Tree.of(Schema(("x",), (None,), (("a",),), "gini"), [3, 0, 0], [0] * 3, [1, -1, -1],
                     [[1]] * 3), "feature of a node is not one of the 1"),
    (lambda: Tree.of(Schema(("x",), (None,), (("a",),), "gini"), [0, 0, 0], [0] * 3, [1, -1, -1],
                     [[1]] * 3, missing=[2, 0, 0]), "a child that does not exist"),
    (lambda: Tree.of(Schema(("x",), (None,), (("a", "b"),), "gini"), [-2], [np.nan], [-1], [[1]]),
     r"counts should have the shape \(1, 1, 2\)"),
    (lambda: Tree.of(Schema(("x",), (None,), (("a",), None), "gini"), [-2], [np.nan], [-1], [[1]]),
     "all numbers, or all classes"),
])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence): call()

# Reading

def test_rules_are_the_tree():
    "Rules are read back as Python and answer what the tree answers."
    X, y = load_wine(return_X_y=True)
    tree = from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    answers = []
    for x in X.astype(np.float32).astype(float):
        names = {f"x{f}": v for f, v in enumerate(x)}
        true = [rule.split(": ")[1].split(",")[0]
                for rule in tree.rules() if eval(rule.split(": ")[0], names)]
        assert len(true) == 1
        answers.append(int(true[0]))
        condition, _, said = tree.explain(x).partition(": ")
        assert eval(condition, names) and said.startswith(true[0] + ",")
    assert answers == tree.predict_labels(X).tolist()

def test_text_has_the_shape_of_scikit_learns():
    X, y = load_iris(return_X_y=True)
    estimator = DecisionTreeClassifier(random_state=0).fit(X, y)
    theirs = export_text(estimator, decimals=6).splitlines()
    assert (sum(": " in line for line in from_sklearn(estimator).text().splitlines())
            == sum("class:" in line for line in theirs))

@given(trees())
def test_everything_can_be_read(made):
    tree, _ = made
    assert len(tree.rules()) == tree.n_leaves and all(": " in rule for rule in tree.rules())
    assert (tree.dot().count("->") == tree.node_count - 1
            and len(tree.text().splitlines()) >= tree.node_count - 1)
    assert tree.explain(np.full(tree.n_features, np.nan)).count(":") == 1

def test_dot_quotes():
    schema = Schema(('a "b" \\ c',), (None,), (("x\ny", "z"),), "gini")
    tree = Tree.of(schema, [0, 0, 0], [0.5, 0, 0], [1, -1, -1], [[2, 1], [2, 0], [0, 1]])
    assert r'0 [label="a \"b\" \\ c >= 0.5?\nx\ny, 2 of 3"]' in tree.dot()

# Without a compiler, and twice

PROGRAM = """
import numpy as np
from dtree_lit.trees.nodes import Schema, walk
from dtree_lit.trees.tree import Tree
tree = Tree.of(Schema(("x", "y"), (None, ("a", "b")), ((0, 1),), "entropy"), [0, 1, -2, -2, -2], [0.5, 0, 0, 0, 0], [1, 3, -1, -1, -1],
               [[3, 3], [1, 3], [2, 0], [1, 0], [0, 3]], width=[2, 2, 0, 0, 0], start=[-1, 0, -1, -1, -1], branch=[1, 0])
X = np.array([[0, 0], [0, 1], [1, 0], [np.nan, 5], [0, np.nan]] * 7, float)
assert tree.apply(X).tolist() == [walk(tree, x) for x in X] == [4, 3, 2, 1, 4] * 7
print(tree.impurity.tolist(), tree.compute_feature_importances().tolist())
"""

def test_without_compilation():
    import os
    def run(**env):
        return subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | env,
                              capture_output=True, text=True, check=True).stdout
    assert run(NUMBA_DISABLE_JIT="1") == run()

def test_one_row_in_any_dress():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    tree = Tree.from_sklearn(DecisionTreeClassifier().fit(X, X.a > X.b))
    for row in (X.iloc[3], X.iloc[3].tolist(), X.to_numpy()[3:4], tuple(X.to_numpy()[3])):
        assert (tree.path(row).tolist() == tree.path(X.to_numpy()[3]).tolist()
                and tree.explain(row) == tree.explain(X.to_numpy()[3]))
    with pytest.raises(ValueError, match="the tree has 2 features"): tree.explain([1])
    with pytest.raises(ValueError, match="x.0. is 'rain', which is no number: the tree compares "
                                         "numbers here"):
        tree.path(["rain", "weak"])
    row, swapped = X.iloc[3], X[["b", "a"]]
    named = [dict(row), {"b": row.b, "a": row.a}, row[["b", "a"]], swapped.iloc[[3]],
             swapped.iloc[3:4].reset_index(), pl.from_pandas(swapped)[3],
             pa.Table.from_pandas(swapped)[3:4], pa.RecordBatch.from_pandas(swapped)[3:4],
             pd.Series(dict(row), dtype=object)]
    named[4] = named[4].drop(columns="index")
    for given in named:
        assert (tree.path(given).tolist() == tree.path(X.to_numpy()[3]).tolist()
                and tree.explain(given) == tree.explain(X.to_numpy()[3]))
    for plain in (pd.Series([row.a, row.b]), pd.DataFrame([[row.a, row.b]]),
                  pa.array([row.a, row.b]), pl.Series([row.a, row.b]), memoryview(row.to_numpy())):
        assert tree.explain(plain) == tree.explain(X.to_numpy()[3])
    for bad, sentence in (({"a": 1}, "the row has no 'b': where a value is missing, write NaN"),
                          ({"a": 1, "b": 2, "c": 3}, "'c' is not a feature of the tree, which has "
                                                     "a, b"),
                          (swapped.iloc[:2], "x must be one row, and has 2"),
                          (swapped.iloc[:0], "one row, and has 0"),
                          ({"a": 1, "b": "red"}, "'b'.0. is 'red', which is no number"),
                          ({"a": 1, "b": [2, 3]}, "'b' is .2, 3., and should be one value"),
                          ({}, "no 'a'"), ({0: 1, 1: 2}, "0 is not a feature"),
                          (X.assign(c=1).iloc[3], "'c' is not a feature")):
        with pytest.raises(ValueError, match=sentence): tree.explain(bad)
    assert tree.explain({"a": np.nan, "b": 1}) == tree.explain([np.nan, 1])

def test_names_of_categories():
    "By their names, whatever they are; numbers are names where names are numbers."
    def tree(names):
        return Tree.of(Schema(("c", "x"), (names, None), (("no", "yes"),), "gini"),
                       [0, 1, -2, -2, -2], [np.nan, 0.5, 0, 0, 0], [1, 3, -1, -1, -1],
                       [[3, 3], [2, 1], [1, 2], [2, 0], [0, 1]],
                                    start=[0, -1, -1, -1, -1], branch=[0, 1, 1],
                       missing=[-1, 0, -1, -1, -1])
    words, numbers, gaps = (tree(("red", "green", "blue")), tree((5, 0, 2)),
                            tree(("red", "green", "missing")))
    ends, X = [3, 4, 2, 2, 0], [["red", 0], ["red", 1], ["green", 0], ["blue", 1], ["pink", 1]]
    for table in (X, np.array(X, object), pd.DataFrame(X, columns=["c", "x"]),
                  pl.DataFrame(X, schema=["c", "x"], orient="row"),
                  pa.table({"c": [r[0] for r in X], "x": [r[1] for r in X]}),
                  pd.DataFrame(X, columns=["c", "x"]).astype({"c": "category"}), np.array(X)):
        assert words.apply(table).tolist() == ends
    assert (words.apply([[0, 0], ["red", 1], [1, 0]]).tolist() == [3, 4, 2]
            and words.apply(np.array([[0, 0], [2, 1]])).tolist() == [3, 2])
    assert (numbers.apply([[5, 0], [5, 1], [0, 0], [2, 1], [1, 1]]).tolist() == ends
            == numbers.apply(np.array([[5, 0], [5, 1], [0, 0], [2, 1], [1, 1]],
                                      np.float32)).tolist())
    assert (numbers.apply(np.array([[0, 0], [1, 1.0]]).view(Codes)).tolist() == [3, 2]
            and numbers.explain([5, 1]) == "c = 5 and x >= 0.5: yes, 1 of 1")
    assert (words.apply([[None, 0], [np.nan, 0], [pd.NA, 0], [pd.NaT, 0]]).tolist() == [0] * 4
            and gaps.apply([[None, 0], [np.nan, 0], [pd.NA, 0], ["missing", 1]]).tolist()
            == [2] * 4)
    assert (words.explain({"x": 0, "c": "green"}) == "c = green or blue: yes, 2 of 3"
            and words.explain(["pink", 0]) == "c is a category not seen there: no, 3 of 6"
            and words.explain([None, 0]) == "c is not known: no, 3 of 6")
    assert words.path(np.array(["red", "1"])).tolist() == [0, 1, 4]
    for bad, sentence in ((["red", "tall"], "'x'.0. is 'tall', which is no number"),
                          (["red"], r"the tree has 2 features, and X has the shape \(1, 1\)"),
                          ([["red", 1]] * 2, r"shape \(1, 4\)")):
        with pytest.raises(ValueError, match=sentence): words.explain(bad)
    with pytest.raises(ValueError, match=r"shape \(2,\)"): words.apply(["red", 1])
    with pytest.raises(TypeError, match="column 'c' holds what is no category: unhashable"):
        words.apply([[{}, 1]])

def test_columns_in_another_order_are_refused():
    import pandas as pd
    import pyarrow
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    tree = Tree.from_sklearn(DecisionTreeClassifier().fit(X, X.a > X.b))
    assert ((tree.apply(X) == tree.apply(X.to_numpy())).all()
            and (tree.apply(pyarrow.table({n: X[n] for n in X})) == tree.apply(X)).all())
    for frame in (X[["b", "a"]], pyarrow.table({"b": X.b, "a": X.a})):
        with pytest.raises(ValueError,
                           match="has the columns a, b, in this order, and X has b, a"):
            tree.apply(frame)

def test_infinity_is_known():
    from dtree_lit.learners.grow import grow
    assert ("x0 < inf" in grow([[1], [np.inf]], [0, 1]).text()
            and "known" not in grow([[1], [np.inf]], [0, 1]).text())
    assert "x0 is known" in grow([[1], [np.inf], [np.nan]], [0, 0, 1]).text()

def test_a_criterion_fits_what_is_learnt():
    leaf = np.array([-2]), np.array([np.nan]), np.array([-1])
    for criterion, classes in (("gini", None), ("squared_error", ("a", "b"))):
        with pytest.raises(ValueError, match=f"{criterion} is no criterion for"):
            Tree.of(Schema(("x",), (None,), (classes,), criterion), *leaf, np.ones((1, 1, 2)))

@pytest.mark.parametrize("part, values", [
    ("feature", (0, [0], "abc", None, [[0, -2, -2]], ["a", "b", "c"], [0.5, -2, -2],
                 [2**40, -2, -2], [5, -2, -2])),
    ("t", (1.0, [1.0], [1.0] * 5, "abc", ["a"] * 3, [1j] * 3)),
    ("first", (1, [1], [1.5, -1, -1], [np.nan] * 3, "abc", [5, -1, -1], [0, -1, -1],
               [2**40, -1, -1])),
    ("width", (2, [2, 0], [-1, 0, 0], [2, -1, 0], [100, 0, 0], [1.5, 0, 0], "abc")),
    ("counts", (1.0, [1.0], [[1.0, 1]], [[[1.0]]], "abc", [[1], [1, 2], [3]], np.ones((3, 1, 2, 1)),
                [[["a", "b"]]] * 3)), ("start", (0, [0], [0, -1, -1], [5, -1, -1])),
    ("missing", (0, [0], [5, -1, -1], [0.5, -1, -1])),
    ("size", (1, [1], [-1, 1, 1], [np.nan] * 3, ["a"] * 3)),
    ("weight", (1.0, [1.0], [-1, 1, 1], [np.inf] * 3)),
])
def test_parts_that_make_no_tree(part, values):
    """Scalars, and arrays that are too short, too long, of another shape or of no numbers: a
    sentence of this library, and no error of another one."""
    import traceback
    schema = Schema(("a",), (None,), ((0, 1),), "entropy")
    good = dict(feature=[0, -2, -2], t=[1.0, np.nan, np.nan], first=[1, -1, -1],
                counts=[[[1.0, 1]], [[1.0, 0]], [[0.0, 1]]])
    assert Tree.of(schema, **good).n_leaves == 2
    for value in values:
        with pytest.raises((ValueError, TypeError)) as e: Tree.of(schema, **good | {part: value})
        assert "dtree_lit" in traceback.extract_tb(e.value.__traceback__)[-1].filename, e.value
