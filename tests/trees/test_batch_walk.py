"""Rows that a tree sends to all children, in shares: against the plain code, against fractions,
and against counting by hand."""
from fractions import Fraction

import numpy as np
import pytest
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.learners.grow import grow
from dtree_lit.pruning.traces import cut_at
from dtree_lit.pruning.reduced_error import reduced_error_pruning
from dtree_lit.pruning.rep_estimators import REPClassifier
from dtree_lit.trees.batch_walk import ENDS, IN_SHARES, divided, largest, parts_by_weight
from dtree_lit.trees.files import load, save
from dtree_lit.trees.nodes import Schema, ends_of, first_children, walk
from dtree_lit.trees.tree import Tree
from dtree_lit.trees.words import in_words, number, question
from hypothesis import given, strategies as st
from sklearn.datasets import load_diabetes, load_iris

SEEDS = range(60)

def some_tree(rng, inner=12, K=3, outputs=1, numbers=False):
    "Thresholds and tables in any order, most nodes in shares, and nodes that weigh nothing."
    width = rng.choice([2, 3, 4], inner)
    width = np.append(width, np.zeros(1 + width.sum() - inner, int))
    n, coded = len(width), width > 2
    schema = Schema(("x", "colour", "z"), (None, tuple("abcde"), None),
                    ((None,) if numbers else (tuple(range(K)),)) * outputs,
                    "squared_error" if numbers else "gini")
    feature = np.where(coded, 1, rng.choice([0, 2], n))
    start = np.where(coded, 5 * np.cumsum(coded) - 5, -1)
    branch = np.concatenate([rng.integers(-1, w, 5) for w in width[coded]] or [np.zeros(0)])
    counts = (np.abs(rng.normal(size=(n, outputs, 2))) if numbers
              else rng.integers(0, 5, (n, outputs, K)) * rng.integers(0, 2, (n, 1, 1)))
    # whoever counts nothing answers as its parent
    if not numbers: counts[:, :], counts[0] = counts[:, :1], 1
    missing = rng.choice([IN_SHARES, IN_SHARES, IN_SHARES, ENDS, 0], n)
    weight = dict(weight=rng.integers(0, 4, n), size=np.ones(n)) if numbers else {}
    return Tree.of(schema, feature, rng.choice([-1.0, 0, 1, np.nan], n, p=[0.3, 0.3, 0.3, 0.1]),
                   first_children(width), counts,
                   width=width, start=start, branch=branch, missing=missing, **weight)

def some_rows(rng, n=20):
    return rng.choice([-2.0, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 9, np.nan, np.nan, np.nan], (n, 3))

def exactly(tree, x, k=0, share=Fraction(1)):
    "Node and share of each end, in fractions."
    k = walk(tree, x, k)
    if tree.missing[k] != IN_SHARES: return {k: share}
    children = [int(c) for c in range(tree.first[k], tree.first[k] + tree.width[k])]
    w = [Fraction(float(tree.weight[c])) for c in children]
    if not sum(w): w = [Fraction(1)] * len(w)
    return {end: s for c, v in zip(children, w) if v
            for end, s in exactly(tree, x, c, share * v / sum(w)).items()}

def of_rows(tree, X):
    "The ends of each row, by `places`: a dict for each."
    places = tree.apply_fractional(X)
    found = [{} for _ in X]
    for i, k, s in zip(range(len(X)) if places.row is None else places.row, places.node,
                       np.ones(len(X)) if places.share is None else places.share):
        found[i][int(k)] = float(s)
    return found

@pytest.mark.parametrize("seed", SEEDS)
def test_all_rows_at_once_end_as_each_alone(seed):
    rng = np.random.default_rng(seed)
    tree, X = some_tree(rng), some_rows(rng)
    for x, found in zip(X, of_rows(tree, X), strict=True):
        spec, exact = dict(ends_of(tree, x)), exactly(tree, x)
        assert found.keys() == spec.keys() == exact.keys() and sum(found.values()) == 1
        for k in found: assert abs(found[k] - exact[k]) < 1e-14 and abs(spec[k] - exact[k]) < 1e-14

@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("outputs, numbers", [(1, False), (2, False), (1, True), (2, True)])
def test_answers_are_averages(seed, outputs, numbers):
    rng = np.random.default_rng(seed)
    tree, X = some_tree(rng, outputs=outputs, numbers=numbers), some_rows(rng)
    expected = np.array([sum(float(s) * tree.value[k] for k, s in exactly(tree, x).items())
                         for x in X])
    p = tree.predict_proba(X)
    assert (np.allclose(p, expected[:, 0] if outputs == 1 else expected, atol=1e-11)
            and np.array_equal(p, tree.predict(X)))
    mass = p.reshape(len(X), outputs, -1).sum(axis=2)
    if not numbers: assert np.isclose(mass, 1).all()
    said = tree.predict_labels(X).reshape(len(X), outputs)
    if numbers: assert (said == p.reshape(len(X), outputs)).all()
    else:
        assert (said == np.argmax(expected > expected.max(axis=2, keepdims=True) - 1e-11,
                                  axis=2)).all()
    for x, end in zip(X, tree.apply(X)):
        shares = exactly(tree, x)
        assert end == min(k for k, s in shares.items() if s == max(shares.values()))
        assert tree.path(x)[-1] == end
        words = tree.explain(x)
        assert ("of the row; with all of it: " in words) == (len(shares) > 1) and "\n" not in words
        told = "is missing", "is not known", "is a category not seen there"
        if len(shares) > 1: assert any(why in words for why in told)

@pytest.mark.parametrize("seed", SEEDS)
def test_counts_are_counts_of_shares(seed):
    "In every node by its share there; and neither order nor repetition shows in a bit."
    rng = np.random.default_rng(seed)
    tree, X, y, w = (some_tree(rng), some_rows(rng), rng.integers(0, 3, 20),
                     rng.integers(0, 4, 20) / 10)
    for weights in (None, w):
        weigh = [Fraction(1)] * 20 if weights is None else [Fraction(float(v)) for v in w]
        size, counts = np.zeros(tree.node_count, int), [[Fraction(0)] * 3 for _ in tree.width]
        for x, c, v in zip(X, y, weigh):
            came = {}
            for k, s in exactly(tree, x).items():
                while k >= 0: came[k], k = came.get(k, 0) + s, int(tree.parent[k])
            for k, s in came.items():
                size[k] += v > 0
                counts[k][c] += v * s
        seen = tree.recount(X, y, weights)
        assert (seen.size == size).all() and np.allclose(seen.counts[:, 0], np.array(counts, float),
                                                         rtol=1e-13, atol=1e-14)
        i = rng.permutation(20)
        assert tree.recount(X[i], y[i], None if weights is None else w[i]) == seen
        assert weights is not None or seen.weight[0] == 20                  # to the last bit
        reached = tree.decision_path(X).toarray()
        assert (set(np.unique(reached)) <= {0, 1}
                and (weights is not None or (reached.sum(axis=0) == size).all()))
    assert (tree.recount(np.repeat(X, 2, axis=0), np.repeat(y, 2))
            == tree.recount(X, y, np.full(20, 2.0))._replace(size=2 * tree.recount(X, y).size))

def test_the_order_of_rows_and_their_company_do_not_matter():
    rng = np.random.default_rng(0)
    tree, X = some_tree(rng), some_rows(rng, 400)
    i = rng.permutation(400)
    assert ((tree.predict_proba(X)[i] == tree.predict_proba(X[i])).all()
            and (tree.apply(X)[i] == tree.apply(X[i])).all())
    assert (np.concatenate([tree.predict_proba(x[None]) for x in X]) == tree.predict_proba(X)).all()
    assert (tree.predict_proba(X.astype(np.float32)) == tree.predict_proba(X)).all()
    assert (tree.predict_proba(X[:0]).shape == (0, 3) and tree.apply(X[:0]).shape == (0,)
            and tree.apply_fractional(X[:0]).rows == 0)

def test_rows_may_come_some_at_a_time():
    "As many rows are parted at once as there is room for their answers."
    rng = np.random.default_rng(1)
    tree, X = some_tree(rng), some_rows(rng, 50)
    whole = tree.predict_proba(X), tree.apply(X), tree.apply_fractional(X)
    class Large(Tree):
        @property
        def value(self):
            class Big(np.ndarray): size = 2**22
            return Tree.value.func(self).view(Big)
    one = Large(*tree)
    assert len(list(one._parting(*one._walked(X, 1)))) > 20
    assert (one.predict_proba(X) == whole[0]).all() and (one.apply(X) == whole[1]).all()
    assert all(np.array_equal(a, b) for a, b in zip(one.apply_fractional(X), whole[2]))

def two(weights, missing=IN_SHARES, counts=([1, 1], [3, 0], [0, 1])):
    schema = Schema(("x",), (None,), (("a", "b"),), "gini")
    return Tree.of(schema, [0, -2, -2], [0.0] * 3, [1, -1, -1], counts, missing=[missing, -1, -1],
                   size=[1, 1, 1], weight=weights)

def test_children_that_weigh_nothing():
    gap = [[np.nan]]
    tree = two([3, 3, 0], counts=[[1, 1], [3, 0], [0, 0]])
    assert (of_rows(tree, gap) == [{1: 1.0}] and tree.path([np.nan]).tolist() == [0, 1]
            and tree.explain([np.nan]) == "x is missing: a, 3 of 3")
    assert tree.recount(gap, [0]).size.tolist() == [1, 1, 0]
    nobody = two([4, 0, 0], counts=[[1, 3], [0, 0], [0, 0]])
    assert (of_rows(nobody, gap) == [{1: 0.5, 2: 0.5}] and nobody.apply(gap).tolist() == [1]
            and nobody.predict_labels(gap).tolist() == ["b"])
    tie = two([4, 2, 2], counts=[[2, 2], [0, 2], [2, 0]])
    # of equals the lowest
    assert tie.predict_labels(gap).tolist() == ["a"] and tie.apply(gap).tolist() == [1]
    assert (tie.explain([np.nan])
            == "x is missing: b, 2 of 2, with 0.5 of the row; with all of it: a")

def test_weights_of_any_size():
    for a, b in ((5e-324, 5e-324), (8e307, 8e307), (1e-300, 3e-300), (1, 1e308)):
        tree = two([max(a, b), a, b], counts=np.zeros((3, 2)))
        assert np.isclose(parts_by_weight(tree)[1:],
                          [a / 2 / (a / 2 + b / 2) if a > 1e-320 else 0.5,
                           b / 2 / (a / 2 + b / 2) if a > 1e-320 else 0.5]).all()

def test_equals_are_equal_whatever_is_rounded():
    row, share = np.array([0, 0, 0, 1, 1, 2]), np.array([0.2, 0.6, 0.6 / 3, 0.3, 0.1 * 3, 1])
    assert largest(row, share).tolist() == [1, 3, 5]
    assert divided(row, share, np.array([7, 2**53, 0.0])).tolist()[-1] == 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        row = np.sort(np.append(np.arange(9), rng.integers(0, 9, 40)))
        share = rng.random(49)
        share /= np.bincount(row, share)[row]
        whole = np.rint(2.0**rng.integers(0, 54, 9) * rng.random(9))
        parts = divided(row, share, whole)
        assert ((np.bincount(row, parts) == whole).all() and (parts >= 0).all()
                and (abs(parts - share * whole[row]) <= np.bincount(row)[row]).all())

# Words

@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300),
       st.booleans())
def test_words_say_what_the_test_asks(t, of_a_value):
    """Also of the doubles beside a threshold, and whether it was made from a value or lies
    between two."""
    if of_a_value: t = float(np.nextafter(float(f"{t:.6g}"), np.inf))
    schema = Schema(("x",), (None,), (("a", "b"),), "gini")
    (_, yes, v), (_, no, u) = (in_words(schema, {0: side}).split()
                               for side in ((t, np.inf), (-np.inf, t)))
    ask = {">=": np.greater_equal, ">": np.greater, "<": np.less, "<=": np.less_equal}
    for x in (np.nextafter(t, -np.inf), t, np.nextafter(t, np.inf)):
        assert ask[yes](x, float(v)) == (x >= t) != ask[no](x, float(u))
    assert len(v) <= len(number(t)) and (not of_a_value or not 1e-300 < abs(t) < 1e15 or yes == ">")

@given(st.integers(1, 10**10), st.integers(1, 10**6), st.integers(-3, 12))
def test_a_threshold_in_a_picture_sends_each_value_to_its_side(low, gap, digits):
    "Values of up to eleven digits: prices with cents, seconds since 1970."
    a, b = low / 10.0**digits, (low + gap) / 10.0**digits
    schema = Schema(("x",), (None,), (("no", "yes"),), "gini")
    tree = grow([[a], [b]], [0, 1], schema=schema)
    _, relation, t = question(tree, 0).removesuffix("?").split()
    ask = {">=": np.greater_equal, ">": np.greater}[relation]
    assert not ask(a, float(t)) and ask(b, float(t))

# Estimators, pruning, files

def in_shares(model):
    model.tree_ = model.tree_._replace(missing=np.where(model.tree_.width > 0, IN_SHARES, ENDS))
    return model

def test_estimators_answer_with_averages():
    X, y = load_iris(return_X_y=True)
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = in_shares(CARTClassifier().fit(X, names))
    p = np.array([sum(float(s) * model.tree_.value[k, 0]
                      for k, s in exactly(model.tree_, x).items()) for x in gaps])
    assert (np.allclose(model.predict_proba(gaps), p)
            and (model.predict(gaps)
                 == model.classes_[model.predict_proba(gaps).argmax(axis=1)]).all())
    assert ((model.apply(gaps) == model.tree_.apply(gaps)).all()
            and model.decision_path(gaps).shape == (150, model.tree_.node_count))
    assert ((model.predict(X) == CARTClassifier().fit(X, names).predict(X)).all()
            and len(np.unique(model.predict_proba(gaps), axis=0)) > model.get_n_leaves())
    both = in_shares(CARTClassifier(max_depth=3).fit(X, np.stack([y, y % 2], axis=1)))
    assert ([q.shape for q in both.predict_proba(gaps)] == [(150, 3), (150, 2)]
            and all(np.allclose(q.sum(axis=1), 1) for q in both.predict_proba(gaps))
            and both.predict(gaps).shape == (150, 2))
    numbers = in_shares(CARTRegressor(max_depth=4).fit(X, X[:, 3]))
    assert (np.array_equal(numbers.predict(gaps), numbers.tree_.predict_proba(gaps)[:, 0])
            and len(np.unique(numbers.predict(gaps))) > numbers.get_n_leaves())

def errors_by_hand(tree, X, y, w):
    "For each node the weight of those with another label, by their shares."
    wrong = [Fraction(0)] * tree.node_count
    for x, c, v in zip(X, y, w):
        for k, s in exactly(tree, x).items():
            while k >= 0:
                if tree.codes[k, 0] != c: wrong[k] += s * Fraction(float(v))
                k = int(tree.parent[k])
    return wrong

def pruned_by_hand(tree, wrong):
    "Children first: which nodes become leaves."
    best, cut = list(wrong), []
    for k in range(tree.node_count - 1, -1, -1):
        if not tree.width[k]: continue
        below = sum(best[c] for c in range(tree.first[k], tree.first[k] + tree.width[k]))
        if wrong[k] <= below: cut.append(k)
        best[k] = min(wrong[k], below)
    return cut

@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_counts_by_shares(seed):
    "Fractions decide as the units do, ties too; every example counts once."
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (80, 3)).astype(float), rng.integers(0, 2, 80)
    tree = in_shares(CARTClassifier().fit(X, y)).tree_
    P, q = (np.where(rng.random((60, 3)) < 0.3, np.nan, rng.integers(0, 6, (60, 3))),
            rng.integers(0, 2, 60))
    for w in (None, rng.integers(0, 3, 60)):
        wrong = errors_by_hand(tree, P, q, np.ones(60) if w is None else w)
        left, trace = reduced_error_pruning(tree, P, q, w)
        assert (np.allclose(trace.leaf, [float(wrong[k]) for k in trace.node], atol=1e-9)
                and left == cut_at(tree, pruned_by_hand(tree, wrong)))
    i = rng.permutation(60)
    for labels in ("training", "pruning", "both"):
        assert (reduced_error_pruning(tree, P, q, labels=labels).tree
                == reduced_error_pruning(tree, P[i], q[i], labels=labels).tree)
    back = reduced_error_pruning(tree, P, q, backfit=True).tree
    assert back.weight[0] == tree.weight[0] + 60 and back.size[0] == tree.size[0] + 60

def test_pruning_of_numbers_and_estimators():
    rng = np.random.default_rng(0)
    X, y = load_diabetes(return_X_y=True)
    P = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    tree = in_shares(CARTRegressor(max_depth=5).fit(X[:200], y[:200])).tree_
    left, trace = reduced_error_pruning(tree, P[200:], y[200:])
    cost = np.zeros(tree.node_count)
    for x, v in zip(P[200:], y[200:]):
        for k, s in exactly(tree, x).items():
            while k >= 0:
                cost[k] += float(s) * (v - tree.node_labels[k])**2
                k = int(tree.parent[k])
    assert np.allclose(trace.leaf, cost[trace.node]) and left.node_count < tree.node_count
    label = (y > 140).astype(int)
    model = in_shares(CARTClassifier(max_depth=6).fit(X[:200], label[:200]))
    pruned = REPClassifier(model).fit(P[200:], label[200:])
    assert (pruned.tree_ == reduced_error_pruning(model.tree_, P[200:], label[200:]).tree
            and np.allclose(pruned.predict_proba(P).sum(axis=1), 1))

def test_files_keep_shares(tmp_path):
    rng = np.random.default_rng(3)
    tree, X = some_tree(rng), some_rows(rng)
    save(tree, tmp_path / "tree.json")
    again = load(tmp_path / "tree.json")
    assert again == tree and (again.predict_proba(X) == tree.predict_proba(X)).all()
    assert (cut_at(tree, [1]).predict_proba(X).sum(axis=1) > 0).all()
