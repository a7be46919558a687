"""Trees that keep an order: against the definition, against scikit-learn, along every feature,
and two learners that agree."""
from fractions import Fraction
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, ForestClassifier,
                       ForestRegressor, replace_split, load, REPClassifier, REPRegressor, save)
from dtree_lit.learners import grow_loop
from dtree_lit.learners.bootstrap import Bags, grow_forest, seed_of_features, seeds_of_tree
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.learners.task import _as_goal
from dtree_lit.measures.exact_scores import CRITERIA, first_of_best
from dtree_lit.measures.monotone import bounds_of
from dtree_lit.measures.whole_units import whole_numbers
from dtree_lit.splitter.objectives import medians_by, medians_goal, search_medians, twin
from dtree_lit.trees.nodes import shares
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from helpers.splits import questions_of

FIVE = tuple(CRITERIA)[:5]              # by sums of classes, or of numbers and their squares

nan, inf = np.nan, np.inf
# Each criterion with weights and without has a compiled search of its own, which takes some seconds
# when it is made: by entropy, the dearest, without weights alone.
KINDS = [(criterion, weights) for criterion in FIVE for weights in (None, "whole", "long")
         if criterion != "entropy" or weights is None]

def random_task(seed, criterion, weights, n=None, holes=True):
    "A small table full of ties; weights; and which features have an order."
    r = np.random.default_rng(seed)
    n, m = n or int(r.choice([3, 8, 20])), int(r.integers(1, 4))
    X = r.integers(0, r.integers(2, 9), (n, m)).astype(float)
    if holes and seed % 3 == 0: X[r.random((n, m)) < 0.2] = nan
    y = (np.nan_to_num(X[:, 0]) + r.integers(0, 6, n) - 3 > 0).astype(int)
    if criterion in FIVE[3:]: y = np.nan_to_num(X[:, 0]) + r.integers(0, 9, n)
    w = {None: None, "whole": r.integers(1, 4, n), "long": r.random(n) + 0.01}[weights]
    # by class
    if seed % 4 == 1 and w is not None and len(set(y)) == 2: w = np.where(y == y.max(), 3, 1)
    return X, y, w, r.choice([-1, 1, 1, 0], m)

def whole(X, y, w, criterion):
    "The goal that both learners read."
    wide = y.reshape(-1, 1)
    units = None if w is None or (np.asarray(w) == 1).all() else np.asarray(w, np.int64)
    K = () if criterion in FIVE[3:] else (int(y.max()) + 1,)
    return _as_goal(wide.astype(float) if not K else wide, units, K or (0,), criterion, 0)

def definition(X, y, goal, signs):
    "Node by node, every cut of every node in the order of preference, in whole numbers."
    parts = goal.adds(np.arange(len(y)))
    def node(rows, low, high):
        D, cuts = parts[:, rows].sum(axis=1), []
        for f in range(X.shape[1]) if len(set(y[rows])) > 1 else ():
            for _, _, yes in questions_of(X[rows, f]):
                F = parts[:, rows[~yes]].sum(axis=1)
                no_says, yes_says = (float(s.parts[0][-1]) / float(s.weight)
                                     for s in (goal.side(F), goal.side(D - F)))
                if signs[f]:
                    small, large = (no_says, yes_says)[::signs[f]]
                    if not low <= small <= large <= high: continue
                cuts.append((f, rows[~yes], rows[yes], no_says, yes_says,
                             (goal.side(F), goal.side(D - F))))
        if not cuts: return float(min(max(goal.answer(D), low), high))
        best = first_of_best(goal.criterion, [cut[-1] for cut in cuts])
        f, no, yes, no_says, yes_says, _ = cuts[best]
        middle = no_says / 2 + yes_says / 2
        below = {0: (low, high, low, high), 1: (low, middle, middle, high),
                 -1: (middle, high, low, middle)}[signs[f]]
        return f, len(no), node(no, *below[:2]), node(yes, *below[2:])
    return node(np.arange(len(y)), -inf, inf)

def read(tree, answers, k=0):
    if tree.width[k] == 0: return float(answers[k])
    c = tree.first[k]
    return (int(tree.feature[k]), int(tree.size[c]), read(tree, answers, c),
            read(tree, answers, c + 1))

def flat(node):
    return [*node[:2], *flat(node[2]), *flat(node[3])] if isinstance(node, tuple) else [node]

@pytest.mark.parametrize("criterion, weights", [kind for kind in KINDS if kind[1] != "long"])
def test_both_learners_are_the_definition(criterion, weights):
    clips = 0
    for seed in range(40):
        X, y, w, signs = random_task(seed, criterion, weights)
        if len(set(y)) == 1: continue
        rules = dict(criterion=criterion, monotonic_cst=signs)
        tree, goal = grow_levels(X, y, w, **rules), whole(X, y, w, criterion)
        answers = shares(tree)[:, 0, -1]
        if criterion in FIVE[3:]:
            _, _, unit, _ = whole_numbers(y.reshape(-1, 1).astype(float), np.ones(len(y), np.int64)
                                          if w is None else np.asarray(w, np.int64))
            answers = (answers - (y.min() / 2 + y.max() / 2)) / unit
        assert flat(read(tree, answers)) == pytest.approx(flat(definition(X, y, goal, signs)),
                                                          rel=1e-9, abs=1e-9), seed
        clips += len(tree.values) > 0
        assert grow(X, y, w, **rules) == tree
    assert clips > 0

@pytest.mark.parametrize("criterion, weights", KINDS)
def test_two_learners_agree(criterion, weights):
    for seed in range(30):
        X, y, w, signs = random_task(seed, criterion, weights, n=[400, 60, 900][seed % 3]
                                     if weights != "long" else 40, holes=seed % 2)
        # many values: blocks are skipped
        if seed % 5 == 0: X = X + np.random.default_rng(seed).random(X.shape)
        rules = dict(criterion=criterion, monotonic_cst=signs,
                     max_leaf_nodes=[None, None, 7][seed % 3], min_samples_leaf=1 + seed % 3,
                     min_impurity_decrease=[0, 0.01][seed % 2])
        assert grow(X, y, w, **rules) == grow_levels(X, y, w, **rules), seed

@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_features_that_are_drawn(criterion):
    for seed in range(20):
        X, y, _, signs = random_task(seed, criterion, None, n=50)
        rules = dict(criterion=criterion, monotonic_cst=signs, max_features=1, seed=seed)
        assert grow(X, y, **rules) == grow_levels(X, y, **rules), seed

@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_threads_share_bounds(criterion):
    X, y, _, _ = random_task(1, criterion, None, n=3000)
    X = np.random.default_rng(0).random((3000, 3))
    y = (X[:, 0] - X[:, 1] + np.random.default_rng(1).random(3000) > 0.5).astype(int)
    rules = dict(criterion=criterion, monotonic_cst=[1, -1, 0])
    one = grow(X, y, **rules)
    with mock.patch.object(grow_loop, "SHARED", 400): assert grow(X, y, **rules, threads=2) == one
    assert len(one.values) and one == grow_levels(X, y, **rules)

def test_the_first_of_equals_that_keeps_the_order():
    "Both cuts leave 15 log 3 - 10 bits, which logarithms cannot tell: it is decided exactly."
    y = np.array([0] * 4 + [1] * 3 + [0] * 7 + [1] * 2)
    X = np.array([[0] * 7 + [1] * 9, [0] + [1] * 15]).T
    for signs, feature in ([-1, 1], 0), ([0, 0], 0), ([1, 1], 1), ([-1, -1], 0):
        settings = dict(criterion="entropy", max_depth=1, monotonic_cst=signs)
        tree = grow(X, y, **settings)
        assert tree.feature[0] == feature and tree == grow_levels(X, y, **settings)

def steps(answer, X, f, sign, r):
    "What larger values of a feature add to the answers, in the order that was asked for."
    more = X.copy()
    more[:, f] += r.exponential(2, len(X))
    return (answer(more) - answer(X)) * sign

@pytest.mark.parametrize("weights", [None, "whole", "long"])
def test_no_step_goes_the_wrong_way(weights):
    for seed in range(40):
        r, numbers = np.random.default_rng(seed), seed % 2
        X, y, w, signs = random_task(seed, "squared_error" if numbers else "gini", weights, n=60)
        y = y + (r.random(60) * 1e3 if numbers else 0)
        if len(set(y)) == 1: continue
        probes = X[r.integers(60, size=300)] + r.normal(size=(300, X.shape[1]))
        kinds = ((CARTRegressor, REPRegressor) if numbers
                 else (CARTClassifier, REPClassifier, CostComplexityCV))
        grown = kinds[0](monotonic_cst=signs)
        models = [grown, kinds[1](grown, random_state=0),
                  *(kind(grown, cv=3, random_state=0) for kind in kinds[2:])]
        for model in models[:3 if seed % 8 == 0 else 2]:
            model.fit(X, y, w)
            answer = model.predict if numbers else lambda rows: model.predict_proba(rows)[:, 1]
            for f in np.flatnonzero(signs):
                assert (steps(answer, probes, f, signs[f], r) >= 0).all(), seed
            if not numbers:
                assert (set(model.predict(probes)) <= {0, 1}
                        and np.allclose(model.predict_proba(probes).sum(axis=1), 1))

def test_bounds_hold_at_every_node():
    for seed in range(20):
        X, y, w, signs = random_task(seed, "squared_error", "long", n=60)
        tree = grow(X, y, w, criterion="squared_error", monotonic_cst=signs)
        sign = np.where(tree.first >= 0, signs[np.maximum(tree.feature, 0)], 0)
        answers = shares(tree)[:, 0, 0]
        low, high = bounds_of(tree.first, sign, answers)
        assert (low <= answers).all() and (answers <= high).all()

@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_grows_the_same(seed):
    r = np.random.default_rng(seed)
    X = r.random((200, 3)).astype(np.float32).astype(float)
    y, w, signs = X[:, 0] - X[:, 1] + r.random(200), r.random(200), [1, -1, 0]
    limits = dict(max_leaf_nodes=[None, 20][seed % 2], min_samples_leaf=5 + seed,
                  monotonic_cst=signs)
    for given in (None, w):
        ours, theirs = (E(**limits).fit(X, y, given)
                        for E in (CARTRegressor, DecisionTreeRegressor))
        assert (np.allclose(ours.predict(X), theirs.predict(X), rtol=1e-12)
                and ours.get_n_leaves() == theirs.get_n_leaves())
    c = np.where(y > np.median(y), "yes", "no")         # counts have ties, weights have none
    ours, theirs = (E(**limits).fit(X, c, w) for E in (CARTClassifier, DecisionTreeClassifier))
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)

def test_what_is_cut_back_and_kept_on_file(tmp_path):
    r = np.random.default_rng(0)
    X = r.random((300, 2))
    y = (X[:, 0] + r.normal(0, 0.5, 300) > 0.5).astype(int)
    whole = CARTClassifier(monotonic_cst=[1, 0]).fit(X, y)
    pruned = CARTClassifier(monotonic_cst=[1, 0], ccp_alpha=0.004).fit(X, y)
    assert 1 < pruned.get_n_leaves() < whole.get_n_leaves() and len(whole.tree_.values)
    for model in (whole, pruned):
        assert (steps(lambda rows: model.predict_proba(rows)[:, 1], X, 0, 1, r) >= 0).all()
    save(whole, tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == whole.tree_

def test_names_zeros_and_nothing():
    import pandas as pd
    r = np.random.default_rng(0)
    X = pd.DataFrame(r.random((100, 2)), columns=["size", "age"])
    y = X["size"] - X["age"] + r.random(100)
    by_name, by_place = (CARTRegressor(monotonic_cst=cst).fit(X, y).tree_
                         for cst in ({"age": -1}, [0, -1]))
    assert by_name == by_place
    free = [CARTRegressor(monotonic_cst=cst).fit(X, y).tree_ for cst in (None, [0, 0], {})]
    assert free[0] == free[1] == free[2] != by_name

def test_what_has_no_order_is_refused():
    X, y = np.arange(6.0).reshape(-1, 2), np.array([0, 1, 0])
    for cst, Y, said in [([1], y, "has shape 1 but the input data X has 2"),
                         ([2, 0], y, "array-like of -1, 0 or 1"),
                         ([1, 0.5], y, "0.5"), ([1, 0], [0, 1, 2], "multiclass"),
                         ([1, 0], np.stack([y, y], axis=1), "multiple outputs"),
                         ({"x0": 1, "size": 1}, y, "'size'"), ("up", y, "shape")]:
        with pytest.raises(ValueError, match=said): CARTClassifier(monotonic_cst=cst).fit(X, Y)
    words = np.array([["a", 1], ["b", 2], ["a", 3]], object)
    with pytest.raises(ValueError, match="x0 holds categories"):
        CARTClassifier(monotonic_cst=[1, 0]).fit(words, y)
    model = CARTClassifier(monotonic_cst=[0, 1]).fit(words, y)
    assert model.predict_proba([["a", 9]])[0, 1] >= model.predict_proba([["a", 0]])[0, 1]

def test_categories_beside_an_order():
    for seed in range(20):
        r = np.random.default_rng(seed)
        X = np.empty((40, 2), object)
        X[:, 0], X[:, 1] = [str(v) for v in r.integers(0, 5, 40)], r.integers(0, 9, 40)
        y = r.integers(0, 2, 40)
        model = CARTClassifier(monotonic_cst=[0, 1]).fit(X, y)
        probes = X[r.integers(40, size=100)].copy()
        more = probes.copy()
        more[:, 1] += 3
        assert (model.predict_proba(more)[:, 1] >= model.predict_proba(probes)[:, 1]).all()


def test_an_order_by_name_inside_and_by_hand():
    """A name is known inside a face that prunes; what is grafted could not keep the order, and
    is refused."""
    lots = np.random.default_rng(0)
    X = pd.DataFrame({"a": lots.integers(0, 20, 300) * 1.0, "b": lots.normal(size=300),
                      "c": lots.choice(list("uvw"), 300)})
    y = (X["a"] + 3 * lots.normal(size=300) > 10).astype(int)
    for table in (X, X[["a", "b"]]):
        named = REPClassifier(CARTClassifier(monotonic_cst={"a": 1}), random_state=0).fit(table, y)
        numbered = REPClassifier(CARTClassifier(monotonic_cst=[1, 0, 0][:table.shape[1]]),
                                 random_state=0).fit(table, y)
        assert named.tree_ == numbered.tree_
        said = [named.predict_proba(table.assign(a=a))[:, 1] for a in np.arange(-1, 22, 0.5)]
        assert (np.diff(said, axis=0) >= 0).all()
    model = CARTClassifier(monotonic_cst={"a": 1}).fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst binds"):
        replace_split(model, 0, "b", 0.0, X, y)
    assert replace_split(model.tree_, 0, "b", 0.0, model._read(X, reset=False), y).tree.t[0] == 0

@pytest.mark.parametrize("criterion", ["gini", "misclassification", "squared_error", "sdr"])
def test_each_tree_of_a_forest_is_the_tree_of_its_bag(criterion):
    "Also where bags are balanced, where none are drawn, and on two threads."
    names = {*FIVE[:3]}
    for seed in range(12):
        X, y, _, signs = random_task(seed, criterion, None, n=200)
        balanced = criterion in names and seed % 6 == 5
        more = [{}, dict(max_features=1), dict(max_leaf_nodes=7), dict(min_samples_leaf=4),
                dict(bootstrap=False), {}][seed % 6]
        rules = dict(criterion=criterion, monotonic_cst=signs, trees=3, seed=seed)
        trees = list(grow_forest(X, y, balanced=balanced, **rules, **more))
        if seed < 6:
            assert (trees
                    == list(grow_forest(X, y, balanced=balanced, threads=2, **rules, **more))), seed
        for t, tree in enumerate([] if balanced else trees):
            counts = Bags(seed, 200, 200).of(t) if more.pop("bootstrap", True) else None
            features = seed_of_features(seeds_of_tree(seed, t)[1])
            assert tree == grow(X, y, counts, criterion=criterion, monotonic_cst=signs,
                                seed=features, **more), (seed, t)
            if counts is None: break

def test_forests_keep_the_order():
    r = np.random.default_rng(0)
    X = pd.DataFrame({"up": r.random(300), "down": r.random(300),
                      "word": r.choice(list("abc"), 300)})
    y = X["up"] - X["down"] + r.normal(0, 0.5, 300)
    order = {"up": 1, "down": -1}
    for numbers, kind in enumerate((ForestClassifier, ForestRegressor)):
        model = kind(8, monotonic_cst=order, random_state=0).fit(X, y if numbers else y > 0)
        answer = model.predict if numbers else lambda rows: model.predict_proba(rows)[:, 1]
        for name, sign in order.items():
            more = X.assign(**{name: X[name] + r.exponential(0.3, 300)})
            assert (sign * (answer(more) - answer(X)) >= -1e-12).all()
        assert model.trees_ == kind(8, monotonic_cst=[1, -1, 0], random_state=0,
                                    n_jobs=2).fit(X, y if numbers else y > 0).trees_
        assert model.estimators_[0].get_params()["monotonic_cst"] == order
        with pytest.raises(ValueError, match="word holds categories"):
            kind(2, monotonic_cst=[0, 0, 1]).fit(X, y if numbers else y > 0)
    with pytest.raises(ValueError, match="multiclass"):
        ForestClassifier(2, monotonic_cst=[1, 0, 0]).fit(X, r.integers(0, 3, 300))

# Medians: decided in whole numbers, by a search of its own

MEDIANS = "absolute_error"

def median(y, w):
    "Exactly; where half of the weight lies below a gap, its middle."
    order, half = np.argsort(y, kind="stable"), Fraction(int(w.sum()), 2)
    sums = np.cumsum(w[order])
    low, high = (y[order[np.searchsorted(sums, v, side)]]
                 for v, side in ((np.ceil(half), "left"), (np.floor(half), "right")))
    return Fraction(float(low)) / 2 + Fraction(float(high)) / 2

def best_by_medians(X, y, w, signs, min_leaf=1):
    "Node by node, every cut of every node in the order of preference, in fractions."
    def loss(rows):
        return sum((int(w[i]) * abs(Fraction(float(y[i])) - median(y[rows], w[rows]))
                    for i in rows), Fraction(0))
    def node(rows, low, high):
        best = None
        for f in range(X.shape[1]) if len(set(y[rows])) > 1 else ():
            for _, _, yes in questions_of(X[rows, f]):
                if min(yes.sum(), (~yes).sum()) < min_leaf: continue
                said = [median(y[rows[side]], w[rows[side]]) for side in (~yes, yes)]
                small, large = said[::signs[f] or 1]
                if signs[f] and not low <= small <= large <= high: continue
                left = loss(rows[~yes]) + loss(rows[yes])
                if best is None or left < best[0]:
                    best = left, f, rows[~yes], rows[yes], sum(said) / 2
        if best is None: return float(min(max(median(y[rows], w[rows]), low), high))
        _, f, no, yes, middle = best
        below = {0: (low, high, low, high), 1: (low, middle, middle, high),
                 -1: (middle, high, low, middle)}[signs[f]]
        return f, len(no), node(no, *below[:2]), node(yes, *below[2:])
    return node(np.arange(len(y)), -inf, inf)

def median_task(seed, **more):
    X, y, w, signs = random_task(seed, "squared_error", [None, "whole"][seed % 2], **more)
    return X, np.random.default_rng(seed).permutation(y) if seed % 5 == 0 else y, w, signs

def test_medians_are_the_definition():
    clips = differs = 0
    for seed in range(120):
        X, y, w, signs = median_task(seed)
        rules = dict(criterion=MEDIANS, min_samples_leaf=1 + seed % 2)
        tree = grow(X, y, w, monotonic_cst=signs, **rules)
        expected = best_by_medians(X, y, np.ones(len(y), int) if w is None else w, signs,
                                   1 + seed % 2)
        assert flat(read(tree, shares(tree)[:, 0, 0])) == flat(expected), seed
        clips, differs = clips + (len(tree.values) > 0), differs + (tree != grow(X, y, w, **rules))
    assert clips > 5 and differs > 40

def test_medians_take_no_step_the_wrong_way():
    for seed in range(40):
        r = np.random.default_rng(seed)
        X, y, w, signs = random_task(seed, "squared_error", [None, "whole", "long"][seed % 3], n=80)
        y = y + r.integers(0, 2, 80) * r.exponential(1e3, 80)
        more = [{}, dict(max_leaf_nodes=9), dict(ccp_alpha=0.5), dict(max_features=1)][seed % 4]
        grown = CARTRegressor(criterion=MEDIANS, monotonic_cst=signs, random_state=0, **more)
        probes = X[r.integers(80, size=300)] + r.normal(size=(300, X.shape[1]))
        grown.fit(X, y, w)
        for f in np.flatnonzero(signs):
            assert (steps(grown.predict, probes, f, signs[f], r) >= 0).all(), seed

def test_medians_of_rows_in_any_order_with_repeats_and_threads():
    for seed in range(12):
        X, y, _, signs = median_task(seed, n=300)
        r = np.random.default_rng(seed)
        w = r.integers(1, 4, 300)
        rules = dict(criterion=MEDIANS, monotonic_cst=signs)
        tree, turn = grow(X, y, w, **rules), r.permutation(300)
        again = grow(X[turn], y[turn], w[turn], **rules)
        assert again == tree, seed
        repeated = grow(np.repeat(X, w, axis=0), np.repeat(y, w), **rules)
        assert repeated._replace(size=tree.size) == tree, seed
        with mock.patch.object(grow_loop, "SHARED", 100):
            assert grow(X, y, w, **rules, threads=2) == tree, seed

def test_half_a_unit_decides():
    "Two medians that differ by a half and are one double: they may fall, or they may not."
    B, x = 2.0**53 - 8, np.array([0, 0, 1, 1, 2.0])[:, None]
    assert B + 0.5 == B
    for falls, y in ((True, [B, B + 1, B, B, -B - 1]), (False, [B, B, B, B + 1, -B - 1])):
        y = np.array(y)
        assert float(medians_goal(y[:, None], None).unit) <= 1
        tree = grow(x, y, criterion=MEDIANS, monotonic_cst=[-1])
        assert tree.t[0] == 1.5 and (tree.first[tree.first[0]] > 0) == falls
        assert (read(tree, shares(tree)[:, 0, 0])[:2]
                == best_by_medians(x, y, np.ones(5, int), [-1])[:2])
        assert tree.n_leaves == 1 + len(flat(best_by_medians(x, y, np.ones(5, int), [-1]))) // 3

@pytest.mark.parametrize("seed", range(8))
def test_scikit_learn_keeps_the_same_order_of_medians(seed):
    "Weights without ties, so that no two cuts leave the same."
    r = np.random.default_rng(seed)
    X = r.random((150, 3)).astype(np.float32).astype(float)
    y, w = X[:, 0] - X[:, 1] + r.random(150), r.random(150)
    limits = dict(criterion=MEDIANS, max_leaf_nodes=[None, 12][seed % 2], min_samples_leaf=3 + seed,
                  monotonic_cst=[1, -1, 0])
    ours, theirs = (E(**limits).fit(X, y, w) for E in (CARTRegressor, DecisionTreeRegressor))
    assert (np.allclose(ours.predict(X), theirs.predict(X), rtol=1e-12)
            and ours.get_n_leaves() == theirs.get_n_leaves())

def test_medians_with_categories_and_what_is_refused():
    r = np.random.default_rng(0)
    X = pd.DataFrame({"up": r.random(200), "word": r.choice(list("abcd"), 200)})
    y = X["up"] + X["word"].map(dict(a=0, b=0.5, c=0.2, d=1)) + r.normal(0, 0.3, 200)
    model = CARTRegressor(criterion=MEDIANS, monotonic_cst={"up": 1}).fit(X, y)
    assert (np.diff([model.predict(X.assign(up=up)) for up in np.linspace(0, 1, 40)],
                    axis=0) >= 0).all()
    assert twin(search_medians) is medians_by(True) is not search_medians
    with pytest.raises(ValueError, match="multiple outputs"): model.fit(X, np.stack([y, y], axis=1))
    with pytest.raises(ValueError, match="word holds categories"):
        CARTRegressor(criterion=MEDIANS, monotonic_cst=[0, 1]).fit(X, y)
    with pytest.raises(ValueError, match="grow_levels cannot use absolute_error"):
        grow_levels(X[["up"]], y, criterion=MEDIANS, monotonic_cst=[1])
    free = [CARTRegressor(criterion=MEDIANS, monotonic_cst=cst).fit(X, y).tree_
            for cst in (None, [0, 0])]
    assert free[0] == free[1]
