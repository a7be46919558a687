"""The learner that grows level by level: against the definition, against scikit-learn, and what
must not matter."""
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import log2, sqrt
from unittest import mock

import numpy as np
import pytest
from dtree_lit.learners import grow_loop
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import all_k_log_k, CRITERIA
from dtree_lit.measures.whole_units import whole_weights
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop import validation
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from helpers.splits import inf, nan, questions_of, read

@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("weighted", [False, True])
def test_what_is_grown_passes_the_checks_of_a_tree(criterion, weighted):
    "Learners leave these checks out; here every array is checked, and must not change."
    numbers = CRITERIA[criterion].numbers
    for seed in range(12):
        r = np.random.default_rng(seed)
        n, book = int(r.integers(1, 60)), ("a", "b", "c", "d")
        X = np.stack([r.normal(size=n), r.integers(0, 4, n), r.integers(0, 3, n)], axis=1)
        X[r.random((n, 3)) < 0.2] = np.nan
        y = r.integers(1, 4, n) / 3 if numbers else r.integers(0, 3, n)
        schema = Schema(("number", "category", "few"), (None, book, None),
                        (None if numbers else (0, 1, 2),), criterion)
        w = r.random(n) + 0.1 if weighted else None
        for learner in (grow, grow_levels):
            if learner is grow_levels and criterion == "absolute_error": continue
            tree = learner(X, y, w, criterion=criterion, schema=schema)
            assert Tree(*tree) == tree
            assert [a.dtype for a in Tree(*tree)[:-1]] == [a.dtype for a in tree[:-1]]
            assert not any(a.flags.writeable for a in tree[:-1])

def test_a_schema_that_does_not_fit_is_refused_before_anything_is_grown():
    bad = Schema(("x", "z"), (None,), ((0, 1),), "gini")
    with pytest.raises(ValueError, match="2 features, and categories for 1"):
        grow([[1, 2], [3, 4]], [0, 1], criterion="gini", schema=bad)

def test_squares_that_have_no_finite_sum_are_refused():
    with pytest.raises(ValueError, match="no finite sum"):
        grow([[1], [2], [3]], [1e149, -1e149, 5e148], [1e299] * 3, criterion="squared_error")

def test_the_room_is_that_of_as_many_leaves_as_there_may_be(monkeypatch):
    monkeypatch.setattr(validation, "ROOM", 8 * 4 * 100)
    X, y = np.arange(100.0)[:, None], np.arange(100)
    for two in (dict(min_samples_leaf=50), dict(max_leaf_nodes=2), dict(max_depth=1)):
        assert grow(X, y, criterion="gini", **two).n_leaves == 2
    with pytest.raises(ValueError, match="the limit is 3200"): grow(X, y, criterion="gini")

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

def disorder(criterion, ys, ws):
    "Weight times impurity, summed over the outputs: exact, but for logarithms and roots."
    W, total = sum(ws), Fraction(0)
    for column in zip(*ys):
        counts = Counter()
        for v, w in zip(column, ws): counts[v] += w
        V = (sum(w * Fraction(v) ** 2 for v, w in counts.items())
             - Fraction(sum(w * v for v, w in counts.items())) ** 2 / W)
        if criterion == "squared_error": total += V
        elif criterion == "sdr": total += Fraction(sqrt(V * W))
        elif criterion == "gini": total += W - sum(Fraction(w * w, W) for w in counts.values())
        elif criterion == "misclassification": total += W - max(counts.values())
        else: total += Fraction(sum(w * log2(W / w) for w in counts.values()))
    return total

def definition(X, y, w, criterion, max_depth=None, min_samples_split=2, min_samples_leaf=1,
               min_weight_leaf=0, min_impurity_decrease=0):
    "The tree, node by node, every cut of every node in the order of preference."
    slack = Fraction(1, 10**9) if criterion in ("entropy", "sdr") else 0
    def node(rows, depth):
        def left(r): return disorder(criterion, [y[i] for i in r], [w[i] for i in r])
        ys, best = [y[i] for i in rows], None
        if len(set(ys)) == 1 or len(rows) < min_samples_split or depth == max_depth:
            return len(rows)
        for f in range(X.shape[1]):
            for missing, t, side in questions_of(X[rows, f]):
                no, yes = ([i for i, s in zip(rows, side) if s == c] for c in (False, True))
                weights = [sum(w[i] for i in r) for r in (no, yes)]
                if min(len(no), len(yes)) < min_samples_leaf or min(weights) < min_weight_leaf:
                    continue
                after = left(no) + left(yes)
                if best is None or after < best[0] - slack:
                    gaps = np.isnan(X[rows, f]).any()
                    best = (after, f, float(t), missing if gaps
                            else int(weights[1] >= weights[0]), no, yes)
        if (best is None or (left(rows) - best[0]) / sum(w) / len(y[0])
            < min_impurity_decrease - Fraction(1, 10**12)):
            return len(rows)
        return (*best[1:4], node(best[4], depth + 1), node(best[5], depth + 1))
    return node([i for i in range(len(X)) if w[i]], 0)

def case(rng, criterion):
    "A small table with ties everywhere, and rules."
    n, m, O = rng.integers(1, 14), rng.integers(1, 4), rng.integers(1, 3)
    X = rng.integers(0, rng.integers(1, 7), (n, m)).astype(float)
    if rng.random() < 0.5: X[rng.random((n, m)) < 0.25] = nan
    y = (rng.integers(-9, 10, (n, O)) if criterion in ("squared_error", "sdr")
         else rng.integers(0, rng.integers(1, 4), (n, O)))
    w = rng.integers(0, 3, n) if rng.random() < 0.5 else np.ones(n, int)
    if not w.any(): w[:] = 1
    rules = dict(max_depth=(None, 1, 2)[rng.integers(3)], min_samples_split=int(rng.integers(2, 5)),
                 min_samples_leaf=int(rng.integers(1, 3)),
                 min_weight_leaf=int(rng.integers(0, 3)),
                 min_impurity_decrease=(0, 0, 0.05)[rng.integers(3)])
    return X, y, w, rules

REMOVED = [                             # two sides, and what the split of them removes by Gini
    ([3, 4, 5], [3, 1, 8], 1 / 32), ([7, 2, 7], [5, 7, 4], 19 / 512),
    ([4, 4, 0], [1, 0, 7], 37 / 128), ([7, 7, 2], [5, 7, 4], 1 / 128),
    ([6, 2, 8], [6, 7, 3], 25 / 512), ([0, 2, 0], [1, 1, 4], 7 / 32),
    ([1, 8, 1], [1, 2, 7], 0.18), ([5, 3, 2], [1, 0, 4], 0.12), ([6, 0, 3], [6, 2, 7], 0.025),
    ([5, 1, 0], [6, 0, 3], 0.04)]

@pytest.mark.parametrize("learner", [grow, grow_levels])
@pytest.mark.parametrize("F, T, removed", REMOVED)
def test_a_decrease_that_is_met_exactly(learner, F, T, removed):
    "The decrease is a number of floating point, or a decimal, which rounding may miss."
    x = np.repeat([0.0, 1.0], [sum(F), sum(T)])[:, None]
    y = np.repeat([0, 1, 2, 0, 1, 2], F + T)
    for weight in (1, 3):
        def leaves(least):
            return learner(x, y, np.full(len(y), weight), criterion="gini",
                           min_impurity_decrease=least).n_leaves
        assert leaves(removed) == 2 and leaves(np.nextafter(removed, 1)) == 1

@pytest.mark.parametrize("criterion", [c for c in FIVE if c != "sdr"])
def test_definition(criterion):
    rng = np.random.default_rng(FIVE.index(criterion))
    for _ in range(250):
        X, y, w, rules = case(rng, criterion)
        expected = definition(X, [tuple(map(int, row)) for row in y], [int(v) for v in w],
                              criterion, **rules)
        assert repr(read(grow_levels(X, y, w, criterion=criterion, **rules))) == repr(expected)

def test_definition_of_standard_deviations():
    "Roots are rounded, so that of equal cuts another may win: each must be as good as the best."
    rng = np.random.default_rng(0)
    for _ in range(150):
        X, y, w, _ = case(rng, "sdr")
        y, w, stump = ([tuple(map(int, row)) for row in y], [int(v) for v in w],
                       grow_levels(X, y, w, criterion="sdr", max_depth=1))
        expected = definition(X, y, w, "sdr", max_depth=1)
        if stump.node_count == 1: assert isinstance(expected, int)
        else:
            def left(parts):
                return sum(disorder("sdr", [y[i] for i in p], [w[i] for i in p]) for p in parts)
            alive = [i for i in range(len(w)) if w[i]]
            at = stump.apply(X)
            x = X[alive, expected[0]]
            side = np.where(np.isnan(x), expected[2] == 1, x >= expected[1])
            ours, best = ([[i for i in alive if at[i] == c] for c in (1, 2)],
                          [[i for i, s in zip(alive, side) if s == c] for c in (False, True)])
            assert abs(left(ours) - left(best)) < 1e-6

def spread(X):
    "X in whole multiples of 2^-12, which scikit-learn can tell apart."
    return np.round(X * 2**12) / 2**12

def canonical(tree):
    "A tree of scikit-learn, breadth first, in our words."
    order = [0]
    for k in order: order += [c for c in (tree.children_left[k], tree.children_right[k]) if c >= 0]
    return (tree.feature[order], tree.threshold[order], tree.n_node_samples[order],
            tree.impurity[order], tree.value[order])

def compare(ours, theirs):
    feature, threshold, size, impurity, value = canonical(theirs)
    assert (ours.feature == feature).all() and (ours.size == size).all()
    inner = feature >= 0
    assert ours.threshold[inner] == pytest.approx(threshold[inner], rel=1e-12)
    assert (ours.impurity == pytest.approx(impurity, rel=1e-7, abs=1e-9)
            and ours.value == pytest.approx(value, rel=1e-9))

@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("rules",
                         [dict(max_depth=3), dict(min_samples_leaf=9),
                          dict(min_impurity_decrease=0.02), dict(min_samples_split=30), dict()])
def test_scikit_learn_agrees_where_it_has_no_ties(criterion, load, rules):
    X, y = load(return_X_y=True)
    X = spread(X)
    rng = np.random.default_rng(0)
    for w in (None, rng.integers(1, 4, len(y)).astype(float)):
        theirs = [DecisionTreeClassifier(criterion=criterion, random_state=s,
                                         **rules).fit(X, y, w).tree_ for s in range(6)]
        if len({tuple(map(tuple, (t.feature, t.threshold))) for t in theirs}) > 1: continue
        compare(grow_levels(X, y, w, criterion=criterion, **rules), theirs[0])

@pytest.mark.parametrize("rules", [dict(max_depth=3), dict(min_samples_leaf=20), dict()])
@pytest.mark.parametrize("several", [False, True])
def test_scikit_learn_agrees_about_numbers(rules, several):
    rng = np.random.default_rng(1)
    X, y = spread(rng.normal(size=(2000, 4))), rng.normal(size=(2000, 2))
    y += X[:, :2]
    if not several: y = y[:, :1]
    theirs = [DecisionTreeRegressor(random_state=s, **rules).fit(X, y).tree_ for s in range(4)]
    same = len({tuple(map(tuple, (t.feature, t.threshold))) for t in theirs}) == 1
    assert same or not rules
    ours = grow_levels(X, y, criterion="squared_error", **rules)
    if same: compare(ours, theirs[0])
    else:
        assert (ours.predict_labels(X).reshape(y.shape) == pytest.approx(y, abs=0)
                and ours.n_leaves == 2000)

@pytest.mark.parametrize("criterion", FIVE)
def test_what_must_not_matter(criterion):
    rng = np.random.default_rng(5)
    for trial in range(60):
        X, y, w, rules = case(rng, criterion)
        w = w * (0.1 + rng.random(len(w))) if trial % 3 == 0 else w
        tree, i = grow_levels(X, y, w, criterion=criterion, **rules), rng.permutation(len(X))
        # any order of rows
        assert grow_levels(X[i], y[i], w[i], criterion=criterion, **rules) == tree
        assert grow_levels(np.asfortranarray(X), y, w, criterion=criterion, **rules) == tree
        assert grow_levels(X.astype(np.float32), y, w, criterion=criterion, **rules) == tree
        alive = w > 0
        if (criterion not in ("squared_error", "sdr")
            and not (y[alive].max(axis=0) == y.max(axis=0)).all()):
            continue
        # weight zero is no row
        assert grow_levels(X[alive], y[alive], w[alive], criterion=criterion, **rules) == tree
        cubed = grow_levels(X**3, y, w, criterion=criterion, **rules)
        # only the order counts
        assert ((cubed.feature == tree.feature).all()
                and (cubed.apply(X[alive]**3) == tree.apply(X[alive])).all())

@pytest.mark.parametrize("criterion", FIVE)
def test_weights_are_repetitions(criterion):
    rng = np.random.default_rng(6)
    for _ in range(60):
        X, y, w, _ = case(rng, criterion)
        one, other = (grow_levels(X, y, w, criterion=criterion),
                      grow_levels(np.repeat(X, w, 0), np.repeat(y, w, 0), criterion=criterion))
        for name in ("feature", "t", "first", "missing", "weight", "counts"):
            assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True), name
        assert np.array_equal(grow_levels(X, y, 0.375 * w, criterion=criterion).t, one.t,
                              equal_nan=True)

def test_names_of_classes_do_not_matter():
    rng = np.random.default_rng(7)
    for _ in range(40):
        X, y = rng.integers(0, 4, (20, 3)).astype(float), rng.integers(0, 3, 20)
        for criterion in ("entropy", "gini", "misclassification"):
            schema = Schema(("a", "b", "c"), (None,) * 3, ((0, 1, 2),), criterion)
            one, other = (grow_levels(X, v, criterion=criterion, schema=schema)
                          for v in (y, np.array([2, 0, 1])[y]))
            assert (np.array_equal(one.t, other.t, equal_nan=True)
                    and (one.counts[:, 0] == other.counts[:, 0][:, [2, 0, 1]]).all())

def test_twins_and_mirrors_tie():
    """Of a feature, its copy and its mirror image the first is asked, with fractional weights
    and numbers too."""
    rng = np.random.default_rng(8)
    for criterion in FIVE:
        for _ in range(25):
            x, n = rng.integers(0, 8, 40).astype(float), rng.integers(2)
            y = (rng.normal(size=40) if criterion in ("squared_error", "sdr")
                 else rng.integers(0, 3, 40))
            w = rng.random(40) if n else None
            assert set(grow_levels(np.stack([x, x, -x], axis=1), y, w,
                                   criterion=criterion).feature) <= {-2, 0}

def test_a_heavy_tail():
    "One number of a trillion hides nothing of the others."
    X = np.arange(6.0)[:, None]
    tree = grow_levels(X, [1.0, 1.0, 2.0, 2.0, 3.0, 1e12], criterion="squared_error")
    assert tree.predict_labels(X).tolist() == [1, 1, 2, 2, 3, 1e12]
    assert grow_levels(X, [1.0, 1.0, 2.0, 2.0, 3.0, 1e12], criterion="squared_error",
                       max_depth=2).t[1] == 1.5
    far = np.stack([[1e140, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1e-140, 2e-140]], axis=1)
    trees = [learner(X, far, criterion="squared_error") for learner in (grow, grow_levels)]
    # in units of the first output the others are equal
    assert trees[0] == trees[1] and trees[0].n_leaves == 2
    assert np.allclose(trees[0].predict_labels(X)[1:, 1], 6e-141, rtol=1e-12, atol=0)

def test_large_and_fractional_weights():
    rng = np.random.default_rng(9)
    X, y = spread(rng.normal(size=(300, 3))), rng.integers(0, 3, 300)
    for w in (rng.integers(1, 10**9, 300).astype(float), rng.random(300) + 0.01,
              rng.random(300) * 1e-200, rng.random(300) * 1e200):
        for criterion in ("entropy", "gini"):
            theirs = DecisionTreeClassifier(criterion=criterion, max_depth=3,
                                            random_state=0).fit(X, y, w / w.mean()).tree_
            compare(grow_levels(X, y, w, criterion=criterion, max_depth=3), theirs)
        ours = grow_levels(X, X[:, 0] + y, w, criterion="squared_error", max_depth=3)
        compare(ours, DecisionTreeRegressor(max_depth=3,
                                            random_state=0).fit(X, X[:, 0] + y, w / w.mean()).tree_)
        assert ours.weight[0] == pytest.approx(w.sum(), rel=1e-12)

def test_logarithms_and_units():
    k = np.random.default_rng(0).integers(1, 2**52, 10**5)
    assert all_k_log_k(k) == pytest.approx(k * np.log2(k), rel=1e-15)
    assert all_k_log_k(2 ** np.arange(52)).tolist() == [j * 2.0**j for j in range(52)]
    whole, unit = whole_weights([1.0, 2.0**-60], 2)
    assert whole[1] == 1 and whole.sum() < 2**52 and whole[0] * unit == 1

@pytest.mark.parametrize("X, y, nodes", [
    ([[1]], [0], 1), ([[1], [2]], [1, 1], 1), ([[2], [2]], [0, 1], 1), ([[nan], [nan]], [0, 1], 1),
    ([[0.0], [-0.0]], [0, 1], 1),
    ([[-inf], [inf]], [0, 1], 3), ([[inf], [inf]], [0, 1], 1),
    ([[1], [np.nextafter(1, 2)]], [0, 1], 3), ([[0], [5e-324]], [0, 1], 3),
    ([[-1.7e308], [1.7e308]], [0, 1], 3), ([[nan], [inf]], [0, 1], 3),
    ([[1, 5], [1, 5], [1, 5]], [0, 1, 0], 1), ([[True], [False]], [0, 1], 3),
])
def test_edges(X, y, nodes):
    for criterion in FIVE:
        tree = grow_levels(X, y, criterion=criterion)
        assert tree.node_count == nodes and tree.size[0] == len(y)
        if nodes == 3: assert tree.predict_labels(np.array(X, float)).tolist() == y

def test_of_the_two_zeros_a_threshold_is_one():
    X, y = np.array([[-inf], [0.0], [-0.0]]), np.array([0, 1, 1])
    for order in permutations(range(3)):
        t = grow(X.take(order, axis=0), y.take(order)).t[0]
        assert t == 0 and not np.signbit(t)

def test_missing_values():
    X = np.array([[1], [2], [3], [nan], [nan]])
    def root(y):
        tree = grow_levels(X, y)
        return float(tree.t[0]), int(tree.missing[0]), tree.max_depth
    assert root([0, 0, 1, 1, 1]) == (2.5, 1, 1) and root([0, 0, 1, 0, 0]) == (2.5, 0, 1)
    assert np.isnan(root([0, 0, 0, 1, 1])[0]) and root([0, 0, 0, 1, 1])[1:] == (1, 1)
    assert root([0, 1, 1, 1, 1]) == (1.5, 1, 1)                          # with yes, before apart
    # the heavier; yes on a tie
    assert (grow_levels(X[:3], [0, 0, 1]).missing[0] == 0
            and grow_levels(X[:2], [0, 1]).missing[0] == 1)

def test_infinite_thresholds_divide():
    X = np.array([[-inf], [-1e308], [1e308], [inf], [nan]])
    y = np.arange(5)
    assert grow_levels(X, y).predict_labels(X).tolist() == [0, 1, 2, 3, 4]

@pytest.mark.parametrize("arguments, sentence", [
    (dict(criterion="gain"), "'gain' is not a criterion; use one of entropy"),
    (dict(X=[1, 2]), r"its shape is \(2,\)"),
    (dict(X=[["a"], ["b"]]), "row 0 of column 0 holds 'a', which is no number"),
    (dict(X=np.zeros((0, 2)), y=[]), "0 rows and 2 columns"),
    (dict(y=[0]), "X has 2 rows and y has 1"), (dict(y=[0, 0.5]), r"y\[1\] is 0.5"),
    (dict(y=[-1, 0]), r"y\[0\] is -1"),
    (dict(y=[0, nan]), r"y\[1\] is nan"),
    (dict(y=[0, inf], criterion="squared_error"), r"y\[1\] is inf"),
    (dict(y=["a", "b"]), "y\\[0\\] is 'a', which is no number: number the classes"),
    (dict(weights=[1, -1]), r"weights\[1\] is -1.0"), (dict(weights=[0, 0]), "no example counts"),
    (dict(weights=[1]), "1 weights for 2 examples"),
    (dict(min_samples_leaf=0), "min_samples_leaf is 0, and must be at least 1"),
    (dict(min_impurity_decrease=nan), "min_impurity_decrease is nan"),
    (dict(schema=Schema(("a", "b"), (None, None), ((0, 1),), "entropy")),
     "the schema names 2 features"),
    (dict(schema=Schema(("a",), (None,), ((0, 1), (0, 1)), "entropy")),
     "the schema has 2 outputs"),
    (dict(schema=Schema(("a",), (None,), ((0,),), "entropy")), r"y\[1\] is 1, .* from 0 to 0"),
])
def test_refusals(arguments, sentence):
    for learn in (grow_levels, grow):
        with pytest.raises(ValueError, match=sentence):
            learn(**dict(X=[[1], [2]], y=[0, 1]) | arguments)

@pytest.mark.parametrize("criterion", [c for c in FIVE if c != "sdr"])
def test_compiled_is_readable(criterion):
    "Two learners, one tree: with ties everywhere, and with weights that are no counts."
    rng = np.random.default_rng(FIVE.index(criterion))
    for trial in range(120):
        X, y, w, rules = case(rng, criterion)
        if trial % 3 == 0: X, w = rng.random(X.shape), rng.random(len(X)) + 0.01
        one, other = (learn(X, y, w, criterion=criterion, **rules) for learn in (grow_levels, grow))
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one[:-2], other[:-2]))
        assert np.allclose(one.counts, other.counts, rtol=1e-9, atol=1e-9)

def test_rules_of_the_compiled_learner():
    X, y = load_iris(return_X_y=True)
    assert grow(X, y, criterion="gini") == grow_levels(X, y, criterion="gini")
    with mock.patch.object(grow_loop, "SHARED", 400):
        assert grow(X, y, criterion="gini") == grow(X, y, criterion="gini", threads=2)
    assert grow(X, y, max_leaf_nodes=3).n_leaves == 3
    assert grow(X, y, max_features=1, seed=1) == grow(X, y, max_features=1, seed=1)
    for rule in ("max_leaf_nodes", "max_features", "threads"):
        with pytest.raises(ValueError, match=f"{rule} is 0, and must be at least"):
            grow(X, y, **{rule: 0})

def test_nothing_is_written_to():
    X, y, w = (np.array(a, float) for a in ([[1], [2], [nan]], [0, 1, 0], [1, 2, 0]))
    for a in (X, y, w): a.flags.writeable = False
    assert grow_levels(X, y, w).node_count == 3

@pytest.mark.parametrize("criterion",
                         ["gini", "entropy", "misclassification", "squared_error", "sdr"])
def test_a_mirrored_feature_ties_whatever_the_weights(criterion):
    numbers, rng = criterion in ("squared_error", "sdr"), np.random.default_rng(0)
    for _ in range(150):
        x, w = rng.normal(size=30), rng.random(30)
        y = rng.normal(size=30) if numbers else rng.integers(0, 3, 30)
        tree = grow(np.stack([x, -x], axis=1), y, w, criterion=criterion, max_depth=1)
        assert tree.feature[0] in (0, -2)

@pytest.mark.parametrize("unit", [0.1, 0.3, 0.7, 1/3, 1e-9, 3.0])
def test_the_unit_of_the_weights_does_not_matter(unit):
    rng = np.random.default_rng(1)
    for _ in range(30):
        # full of ties
        X, w = rng.integers(0, 3, (12, 2)).astype(float), np.append(1, rng.integers(1, 4, 11))
        for y, criterion in ((rng.integers(0, 2, 12), "entropy"), (rng.integers(0, 3, 12), "gini"),
                             (rng.normal(size=12), "squared_error")):
            for grown in (grow, grow_levels):
                one, other = (grown(X, y, weights, criterion=criterion, min_weight_leaf=3 * u)
                              for weights, u in ((w, 1), (w * unit, unit)))
                assert (np.array_equal(one.t, other.t, equal_nan=True)
                        and (one.feature == other.feature).all())
                assert np.allclose(one.weight * unit, other.weight, rtol=1e-12)

def test_numbers_whose_squares_vanish():
    for tiny in (1e-140, 1e-146, 1e-160, 1e-300):
        tree = grow([[0], [1], [2]], [0, tiny, tiny], criterion="squared_error")
        assert tree.predict_labels(np.array([[0.0], [1], [2]])).tolist() == [0, tiny, tiny]

def test_limits_that_never_bind():
    X, y = np.arange(6.0)[:, None], [0, 1, 1, 0, 1, 0]
    whole = grow(X, y)
    assert grow(X, y, max_depth=10**30) == grow(X, y, max_leaf_nodes=2**63) == whole
    for rule in (dict(min_samples_split=2**63), dict(min_samples_leaf=2**62),
                 dict(min_weight_leaf=1e300), dict(min_weight_leaf=inf)):
        for weights in (None, [1, 2, 1, 2, 1, 2]):
            assert grow(X, y, weights, **rule).node_count == 1
    for rule in (dict(max_depth=1.5), dict(seed=-1), dict(threads=0), dict(max_features=0.5)):
        with pytest.raises(ValueError, match=next(iter(rule))): grow(X, y, **rule)
    for learner in (grow, grow_levels):
        with pytest.raises(ValueError, match="must be below 2"): learner(X, y, seed=2**64)

@pytest.mark.parametrize("seed", range(60))
def test_weights_of_classes(seed):
    """One weight for each of two classes, however fractional: ties are ties, sides are heavy
    enough, the missing go to the heavier child."""
    r = np.random.default_rng(seed)
    n, m, u = (int(r.integers(2, 150)), int(r.integers(1, 4)),
               [r.integers(1, 6, 2), r.random(2) + 0.01, 10.0 ** r.uniform(-9, 9, 2)][seed % 3])
    X, y = r.integers(0, r.integers(2, 30), (n, m)).astype(float), r.integers(0, 2, n)
    if seed % 2: X[r.random((n, m)) < 0.2] = np.nan
    y, w = np.where(r.random(n) < 0.5, y, np.nan_to_num(X[:, 0]) > 3).astype(int), None
    w = u[y]
    rules = dict(min_weight_leaf=w.sum() * r.choice([0, 0, 0.1]),
                 min_samples_leaf=int(r.integers(1, 3)))
    assert grow(X, y, w, criterion="gini",
                **rules) == grow_levels(X, y, w, criterion="gini", **rules)
    if seed % 3 == 0:
        assert grow(X, y, w, criterion="entropy",
                    **rules) == grow_levels(X, y, w, criterion="entropy", **rules)
    twice = grow(X, y, 3 * w, criterion="gini",
                 **rules | dict(min_weight_leaf=3 * rules["min_weight_leaf"]))
    assert (twice.feature == grow(X, y, w, criterion="gini", **rules).feature).all() or seed % 3

def test_a_feature_that_is_all_missing_in_a_node_has_no_cut_where_whole_numbers_decide():
    """Few rows and many gaps: ties are looked at cut by cut, and some features of the node hold
    nothing."""
    r, gaps = np.random.default_rng(0), 0
    for _ in range(60):
        X = r.integers(0, 3, (int(r.integers(4, 9)), 3)).astype(float)
        X[r.random(X.shape) < 0.6] = nan
        y, gaps = r.normal(size=len(X)).round(1), gaps + np.isnan(X).all(axis=0).any()
        assert grow(X, y, criterion="sdr") == grow_levels(X, y, criterion="sdr")
    assert gaps > 3
