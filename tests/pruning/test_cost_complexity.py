"""Cost-complexity pruning against all prunings, against scikit-learn and rpart, and the price
that cross-validation chooses."""
import json
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.learners.grow import grow
from dtree_lit.learners.id3 import ID3Classifier
from dtree_lit.measures.whole_units import in_units
from dtree_lit.pruning.cost_complexity import (CostTable, RULES, cost_complexity_pruning,
                                               dealt, folding, held_out, losses, middles)
from dtree_lit.pruning.cost_complexity_cv import CostComplexityCV
from dtree_lit.pruning.prune import cheapest_pruning
from dtree_lit.pruning.traces import cut_at
from dtree_lit.pruning.rep_estimators import REPClassifier
from dtree_lit.trees.link_prices import (cut_back, link_prices, node_costs, pruning_path,
                                         weakest_links)
from dtree_lit.trees.nodes import Schema, first_children, parents, passages
from dtree_lit.trees.steps import PruningPlayer
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, settings, strategies as st
from sklearn import config_context, datasets
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.judging import judged
from helpers.places import DATA

@parametrize_with_checks([CostComplexityCV(cv=3),
                          CostComplexityCV(CARTRegressor(), cv=3, rule="one_se"),
                          CostComplexityCV(CARTClassifier(criterion="entropy", min_samples_leaf=2),
                                           cv=2, cost="misclassification")])
def test_scikit_learns_checks(estimator, check): check(estimator)

@st.composite
def shapes(draw, inner=6):
    "Widths of a tree, breadth first."
    width, nodes = [], 1
    while len(width) < nodes:
        w = draw(st.sampled_from([0, 2, 2, 3])) if inner else 0
        width.append(w)
        nodes, inner = nodes + w, inner - (w > 0)
    return np.array(width)

def one_by_one(first, width, R):
    "The price of each node by the definition: cut the weakest, compute everything anew."
    price, cut = [0.0] * len(R), [w == 0 for w in width]
    def below(k):
        if cut[k]: return R[k], 1
        parts = [below(c) for c in range(first[k], first[k] + width[k])]
        return sum(p[0] for p in parts), sum(p[1] for p in parts)
    def g(k):
        cost, leaves = below(k)
        return (R[k] - cost) / max(leaves - 1, 1)
    def end(k, alpha):
        if width[k]: price[k] = min(price[k], alpha) if cut[k] else alpha
        cut[k] = True
        for c in range(first[k], first[k] + width[k]): end(c, alpha)
    while not all(cut):
        k = min((k for k in range(len(R)) if not cut[k]), key=g)
        end(k, g(k))
    return price

@settings(deadline=None, max_examples=300)
@given(shapes(), st.data())
def test_weakest_links_by_definition(width, data):
    R = data.draw(st.lists(st.integers(-5, 9), min_size=len(width), max_size=len(width)))
    first, parent, costs = first_children(width), parents(width), np.array(R, float)
    worth, got = link_prices(first, width, parent, costs)
    assert got.tolist() == [max(float(p), 0)
                            for p in one_by_one(first, width, [Fraction(v) for v in R])]
    assert np.array_equal((worth, got), interpreted(link_prices)(first, width, parent, costs))
    inner = np.flatnonzero((width > 0) & (parent >= 0))
    assert (got[inner] <= got[parent[inner]]).all()

def grown(seed, K=3, n=80, **limits):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, 3)).astype(float)
    y = (X[:, 0] // 3).astype(int) % K
    return CARTClassifier(**limits).fit(X,
                                        np.where(rng.random(n) < 0.3,
                                                 rng.integers(0, K, n), y)).tree_

@pytest.mark.parametrize("cost", [None, "misclassification", "entropy", "gini"])
@pytest.mark.parametrize("seed", range(8))
def test_the_loop_says_the_same(seed, cost):
    tree = grown(seed)
    path, R = pruning_path(tree, cost), node_costs(tree, cost) / tree.weight[0]
    a = path.ccp_alphas
    for k, alpha in enumerate([*(a[:-1] + a[1:]) / 2, a[-1] + 1]):
        small = cheapest_pruning(tree, R + alpha).tree
        assert (small == cost_complexity_pruning(tree, alpha, cost).tree
                == cut_back(tree, alpha, cost))
        assert (small.n_leaves == path.leaves[k]
                and node_costs(small, cost)[small.leaves].sum() / tree.weight[0]
                == pytest.approx(path.impurities[k], abs=1e-12))
    assert (np.diff(a) > 0).all() and (np.diff(path.leaves) < 0).all() and path.leaves[-1] == 1
    trees = [cost_complexity_pruning(tree, alpha, cost) for alpha in a]
    assert all([*p.trace.steps(), p.tree][-1] == p.tree for p in trees)

def test_errors_are_compared_exactly():
    "Two links of the same worth by errors fall together, whatever the numbers are."
    for seed in range(20):
        tree = grown(seed, n=97)                                      # 1/97 is no binary fraction
        errors = node_costs(tree, "misclassification")
        assert np.array_equal(errors, tree.weight - tree.counts[:, 0].max(axis=1))
        want = one_by_one(tree.first, tree.width, [Fraction(v) for v in errors])
        assert weakest_links(tree, "misclassification").tolist() == [float(w / 97) for w in want]

def gini_fraction(c): return sum(c) - sum(v * v for v in c) / sum(c) if sum(c) else Fraction(0)
def errors_fraction(c): return sum(c) - max(c)

def in_fractions(tree, measure):
    "N R(v) of each node, from its counts."
    rows = [[measure([Fraction(v) for v in row]) for row in node] for node in tree.counts.tolist()]
    return [sum(row) / tree.n_outputs for row in rows]

def grown_small(rng):
    "A tree of a small table: weights of many kinds, one to three outputs."
    n, outputs = rng.integers(2, 40), rng.choice([1, 1, 2, 3])
    X, Y = (rng.integers(0, rng.integers(2, 9), (n, rng.integers(1, 4))),
            rng.integers(0, rng.integers(2, 5), (n, outputs)))
    w = [None, rng.integers(1, 5, n), rng.integers(1, 9, n) / 4, rng.random(n) + 0.01,
         10.0**rng.integers(-8, 3, n)][rng.integers(5)]
    return CARTClassifier(min_samples_leaf=int(rng.integers(1, 4))).fit(
        X, Y if outputs > 1 else Y[:, 0], w).tree_

def made(rng):
    "A tree that no table has grown: a leaf may cost less than what is below it, and units differ."
    width, nodes, inner = [], 1, rng.integers(1, 14)
    while len(width) < nodes:
        width.append(int(rng.integers(2, 4)) if inner and (not width or rng.random() < 0.7) else 0)
        nodes, inner = nodes + width[-1], inner - (width[-1] > 0)
    width = np.array(width)
    first, outputs, K = first_children(width), rng.choice([1, 1, 2]), rng.integers(2, 4)
    counts = rng.integers(0, rng.choice([2, 3, 5, 9]), (len(width), outputs, K)).astype(float)
    for k in np.flatnonzero(width)[::-1] if rng.random() < 0.6 else ():
        counts[k] = counts[first[k]:first[k] + width[k]].sum(axis=0)
    counts[0, :, 0] += 1
    # every output weighs the same
    if outputs > 1: counts[:, 1] = rng.permuted(counts[:, 0], axis=1)
    each = rng.integers(-60, 60, len(width))[:, None, None]
    counts = [counts, counts * rng.random(), counts * 2.0**rng.integers(-600, 600),
              counts * 2.0**each, counts + (each > 30) * 2.0**-40][rng.integers(5)]
    asks = np.where(width == 3, 1, 0)
    start = np.where(width == 3, 3 * np.cumsum(width == 3) - 3, -1)
    schema = Schema(("a", "b"), (None, (0, 1, 2)), (tuple(range(K)),) * outputs, "gini")
    return Tree.of(schema, asks, np.where(width == 2, 0.5, np.nan), first, counts, width=width,
                   start=start, branch=np.tile([0, 1, 2], (width == 3).sum()),
                   size=np.ones(len(width)))

@pytest.mark.parametrize("tree_of", [grown_small, made])
def test_prices_are_fractions(tree_of):
    rng = np.random.default_rng(0)
    for _ in range(120):
        tree = tree_of(rng)
        judged(tree, "gini", in_fractions(tree, gini_fraction))
        judged(tree, "misclassification", in_fractions(tree, errors_fraction))

def test_two_paths_that_were_rounded():
    path = CARTClassifier().cost_complexity_pruning_path([[1], [3], [0], [2]], [0, 0, 1, 1])
    assert path.ccp_alphas.tolist() == [0, 1 / 6] and path.leaves.tolist() == [4, 1]
    x, y = [0, 4, 2, 3, 0, 4, 2, 5, 3, 1, 1, 5], [0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1]
    leaves = [CARTClassifier(ccp_alpha=alpha).fit(np.array(x)[:, None], y).get_n_leaves()
              for alpha in (np.nextafter(0.125, 0), 0.125)]
    assert leaves[1] == 1 < leaves[0]

def squares_in_fractions(tree, X, Y, w):
    "N R(v) of a tree of numbers, from the data."
    row, node = passages(tree.parent, tree.apply(X))
    R = []
    for k in range(tree.node_count):
        here = row[node == k]
        weights = [Fraction(v) for v in w[here].tolist()]
        sums = [[sum(a * Fraction(b)**power for a, b in zip(weights, y)) for power in range(3)]
                for y in Y[here].T.tolist()]
        R.append(sum(squares - s * s / n for n, s, squares in sums) / Y.shape[1])
    return R

def test_prices_of_whole_numbers_are_fractions_too():
    rng = np.random.default_rng(1)
    for _ in range(60):
        n, outputs = rng.integers(2, 40), rng.choice([1, 1, 2])
        X, Y = (rng.integers(0, rng.integers(2, 9), (n, 2)).astype(float),
                rng.integers(0, 9, (n, outputs)) + rng.choice([0.0, 1000.0]))
        w = [np.ones(n), rng.integers(1, 5, n) * 1.0, rng.integers(1, 9, n) / 4][rng.integers(3)]
        tree = CARTRegressor(min_samples_leaf=int(rng.integers(1, 4))).fit(
            X, Y if outputs > 1 else Y[:, 0], w).tree_
        judged(tree, None, squares_in_fractions(tree, X, Y, w))

def test_what_cannot_be_told_apart_is_one():
    """Tenths are no binary fractions, and thirds of weights are rounded: the prices are those of
    whole numbers nevertheless, as many and to within their bars."""
    rng, merged = np.random.default_rng(2), 0
    for i in range(60):
        n = int(rng.integers(4, 40))
        X, y = rng.integers(0, 6, (n, 2)), rng.integers(0, 6, n)
        whole, tenths = CARTRegressor().fit(X, y).tree_, CARTRegressor().fit(X, y / 10).tree_
        # the quantiser may choose another of two equal cuts
        if not np.array_equal(whole.t, tenths.t, equal_nan=True): continue
        a, b = pruning_path(whole), pruning_path(tenths)
        assert (a.leaves.tolist() == b.leaves.tolist()
                and np.allclose(a.ccp_alphas, 100 * b.ccp_alphas, rtol=1e-9, atol=1e-12))
        sd, entropy = (pruning_path(whole, "sdr"),
                       CARTClassifier(criterion="entropy").fit(X, y).tree_)
        assert sd.leaves.tolist() == pruning_path(tenths, "sdr").leaves.tolist()
        thirds = CARTClassifier(criterion="entropy").fit(X, y, np.full(n, 1 / 3)).tree_
        if np.array_equal(entropy.t, thirds.t, equal_nan=True):
            assert pruning_path(entropy).leaves.tolist() == pruning_path(thirds).leaves.tolist()
        merged += len(np.unique(weakest_links(tenths)[tenths.width > 0])) < (tenths.width > 0).sum()
    assert merged > 10

@settings(deadline=None, max_examples=100)
@given(shapes(), st.data())
def test_how_far_a_price_moves(width, data):
    "Theorem 530.5: costs that are off by one move no price by more than three."
    def draw(values):
        return np.array(data.draw(st.lists(values, min_size=len(width), max_size=len(width))),
                        float)
    first, parent, R = first_children(width), parents(width), 1024 * draw(st.integers(-5, 9))
    moved = (np.array(link_prices(first, width, parent, R + draw(st.sampled_from([-1, 0, 1]))))
             - link_prices(first, width, parent, R))
    assert abs(moved).max() <= 3

def test_a_large_tree_of_equal_prices():
    "Every leaf has the same counts, so every link is worth nothing, or as much as every other."
    n = 2 * 4000 - 1
    width = np.where(np.arange(n) < 3999, 2, 0)
    first, counts = first_children(width), np.zeros((n, 2))
    for leaf in [1.0, 2.0], [1 / 3, 0.1]:
        counts[width == 0] = leaf
        for k in np.flatnonzero(width)[::-1]: counts[k] = counts[first[k]] + counts[first[k] + 1]
        tree = Tree.of(Schema(("x",), (None,), ((0, 1),), "gini"), np.zeros(n), np.full(n, 0.5),
                       first, counts, size=np.ones(n))
        if leaf[0] == 1:
            assert (pruning_path(tree).ccp_alphas.tolist() == [0]
                    and pruning_path(tree).leaves.tolist() == [1])
        else:
            assert pruning_path(tree).ccp_alphas[-1] < 1e-15    # sums of a third are not quite sums

def test_units():
    for v in ([0.0, 0.0], [3.0, 0.0, 12.0], [0.1, 5e-324, 1e300], [2.0**900, 2.0**901], [0.75]):
        whole, place = in_units(np.array(v))
        assert [Fraction(int(k)) * Fraction(2)**place for k in whole] == [Fraction(x) for x in v]
        assert not any(v) or any(int(k) % 2 for k in whole)

def test_middles_lie_between():
    a = np.array([0, 0.1, np.nextafter(0.1, 1), 1 / 150, 4 / 150, 2.0**-1000,
                  3 * 2.0**-1000, 1e300])
    a.sort()
    between = middles(a)
    assert (between[:-1] >= a[:-1]).all() and (between[:-1] < a[1:]).all() and between[-1] == np.inf
    assert (middles(np.array([0, 1 / 150, 4 / 150]))[1] >= 2 / 150
            and middles(np.array([0, 1e-300, 4e-300]))[1] == pytest.approx(2e-300))
    for price in 0.1, 7.0:                              # none lies between neighbors
        neighbors = np.array([price, np.nextafter(price, 9)])
        assert middles(neighbors)[0] == price

RPART = json.loads((DATA / "rpart_cp.json").read_text())
@pytest.mark.parametrize("name", RPART["trees"])
def test_rpart(name):
    "The tables of rpart, from its own trees."
    case = RPART["trees"][name]
    n, width = np.array(case["n"]), np.array(case["width"])
    # its R, whatever it is: squares around a mean
    first, squares = first_children(width), np.array(case["dev"], float)
    schema = Schema(("x",), (None,), (None,), "squared_error")
    tree = Tree.of(schema, np.zeros(len(n)), np.zeros(len(n)), first,
                   np.stack([0 * squares, squares], axis=1)[:, None], size=n, weight=n)
    alphas, leaves, left = pruning_path(tree)
    assert len(alphas) == len(case["cp"])
    # the last is the limit that was set
    assert np.allclose(alphas[:0:-1] / left[-1], case["cp"][:-1])
    assert ((leaves[::-1] - 1).tolist() == case["nsplit"]
            and np.allclose(left[::-1] / left[-1], case["rel_error"]))

@pytest.mark.parametrize("inside, load",
                         [(CARTClassifier(min_samples_leaf=2), "iris"),
                          (CARTRegressor(min_samples_leaf=9), "diabetes")])
def test_held_out_is_what_cutting_gives(inside, load):
    X, y = getattr(datasets, f"load_{load}")(return_X_y=True)
    rng = np.random.default_rng(0)
    i = rng.permutation(len(y))
    tree = clone(inside).fit(X[i[::2]], y[i[::2]]).tree_
    Z, z, w = X[i[1::2]], y[i[1::2]], rng.integers(0, 3, len(i[1::2])).astype(float)
    price = weakest_links(tree)
    alphas = middles(np.unique(price))
    total = held_out(tree, price, alphas, tree.apply(Z), z, w)
    for k, alpha in enumerate(alphas):
        cut = cut_back(tree, alpha)
        loss = losses(cut, cut.apply(Z), z)
        assert np.allclose(total[:, k], [w @ loss, w @ loss**2])
    j = rng.permutation(len(z))
    assert np.array_equal(total, held_out(tree, price, alphas, tree.apply(Z[j]), z[j], w[j]))

def test_labels_of_any_kind():
    X, y = datasets.load_iris(return_X_y=True)
    plain = CostComplexityCV(random_state=3).fit(X, y)
    for names in (np.array(["a", "b", "c"]), np.array(["a", "b", "c"], object)):
        named = CostComplexityCV(random_state=3).fit(pd.DataFrame(X, columns=list("pqrs")),
                                                     pd.Series(names[y]))
        assert (named.table_.error.tolist() == plain.table_.error.tolist()
                and named.predict(pd.DataFrame(X, columns=list("pqrs")))[0]
                == names[plain.predict(X)[0]])
        assert (named.feature_names_in_.tolist() == list("pqrs")
                and list(named.classes_) == ["a", "b", "c"])
    assert (is_classifier(plain) and not is_regressor(plain)
            and is_regressor(CostComplexityCV(CARTRegressor())))
    assert (plain.predict_proba(X).shape == (150, 3)
            and not hasattr(CostComplexityCV(CARTRegressor()), "predict_proba"))
    assert (plain.apply(X).max() < plain.tree_.node_count
            and plain.decision_path(X).shape == (150, plain.tree_.node_count))
    assert (plain.score(X, y) == (plain.predict(X) == y).mean()
            and plain.trace_._repr_html_() in plain._repr_html_())

def test_several_outputs():
    X, Y = datasets.load_linnerud(return_X_y=True)
    model = CostComplexityCV(CARTRegressor(), cv=4).fit(X, Y)
    assert model.predict(X).shape == Y.shape and np.isfinite(model.table_.error).all()
    two = np.stack([X[:, 0] > 5, X[:, 1] > 100], axis=1).astype(int)
    assert CostComplexityCV(cv=2).fit(X, two).predict(X).shape == two.shape

def test_categories():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.choice(["p", "q", "r"], 120), "b": rng.choice(["u", "v"], 120)})
    y = np.where(rng.random(120) < 0.2, "no", np.where(X.a == "p", "yes", "no"))
    model = CostComplexityCV(ID3Classifier()).fit(X, y)
    assert model.tree_.width.max() == 3 and model.score(X, y) >= 0.8 and model.get_n_leaves() == 3

def test_missing_values_and_weights():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    w = np.random.default_rng(1).random(len(y))
    model = CostComplexityCV().fit(X, y, w)
    scaled = CostComplexityCV().fit(X, y, w * 1024)
    assert (model.score(X, y) > 0.9 and model.tree_.node_count == scaled.tree_.node_count
            and np.allclose(model.table_.error, scaled.table_.error))
    heavy = CostComplexityCV(CARTClassifier(class_weight={0: 10, 1: 1})).fit(X, y)
    # a root that says 0 errs on the light class
    assert heavy.table_.error[-1] < 0.2 < CostComplexityCV().fit(X, y).table_.error[-1]

@pytest.mark.filterwarnings("error")
def test_neither_large_nor_small_numbers_matter():
    X, z = datasets.load_linnerud(return_X_y=True)
    model = CostComplexityCV(CARTRegressor(), cv=4, rule="one_se")
    plain = model.fit(X, z[:, 0]).table_
    assert (plain.se > 0).all()
    for power in (-330, -2, 330, 480):
        scaled = model.fit(X, z[:, 0] * 2.0**power).table_
        assert (np.array_equal(scaled.error, plain.error * 4.0**power)
                and np.array_equal(scaled.se, plain.se * 4.0**power)
                and scaled.best("one_se") == plain.best("one_se"))
    for power in (-900, 990):
        weighted = model.fit(X, z[:, 0], np.full(len(z), 2.0**power)).table_
        assert np.array_equal(weighted.error, plain.error) and np.array_equal(weighted.se, plain.se)

def test_folds():
    X, y = datasets.load_iris(return_X_y=True)
    splits = list(KFold(5, shuffle=True, random_state=0).split(X))
    a, b = (CostComplexityCV(cv=splits).fit(X, y),
            CostComplexityCV(cv=KFold(5, shuffle=True, random_state=0)).fit(X, y))
    assert a.table_.error.tolist() == b.table_.error.tolist()
    fold = dealt(y[:113], 10, 0)
    assert (np.ptp(np.bincount(fold)) <= 1
            and all(np.ptp(np.bincount(fold[y[:113] == k], minlength=10)) <= 1 for k in range(3)))
    assert (CostComplexityCV(random_state=5).fit(X, y).table_.error.tolist()
            == CostComplexityCV(random_state=5).fit(X, y).table_.error.tolist())

def test_as_an_estimator_among_others():
    X, y = datasets.load_wine(return_X_y=True)
    search = GridSearchCV(CostComplexityCV(CARTClassifier(), cv=3),
                          {"rule": ["min", "one_se"], "estimator__criterion": ["gini", "entropy"]},
                          cv=3)
    assert search.fit(X, y).best_score_ > 0.7
    assert (cross_val_score(CostComplexityCV(CARTRegressor(), cv=3), X, X[:, 0] + y,
                            cv=KFold(3, shuffle=True, random_state=0)) > 0).all()
    with config_context(enable_metadata_routing=True):
        inner = CostComplexityCV(cv=3).set_fit_request(sample_weight=True).set_score_request(
            sample_weight=True)
        assert GridSearchCV(inner, {"rule": ["min"]},
                            cv=3).fit(X, y, sample_weight=np.ones(len(y))).best_score_ > 0.7

def test_a_table_becomes_a_frame():
    X = np.arange(40.0)[:, None]
    table = CostComplexityCV(cv=5).fit(X, X[:, 0] // 10 % 2).table_
    frame = table.to_frame()
    assert [*frame] == [*table._fields] and len(frame) == len(table.alpha) > 1
    assert all(frame[name].to_numpy().tobytes() == v.tobytes()
               for name, v in table._asdict().items())
    assert repr(table).split()[:6] == [*table._fields, "chosen"]            # with numpy alone
    assert table._repr_html_().count("<tr>") == len(frame) + 1

def test_ties_go_to_the_smaller_tree():
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] >= 20).astype(int)
    table = CostComplexityCV(cv=5).fit(X, y).table_
    assert table.leaves.tolist() == [2, 1] and table.best() == 0
    alone = CostComplexityCV(cv=5).fit(np.ones((40, 1)), y)
    assert alone.table_.leaves.tolist() == [1] and alone.alpha_ == 0 and alone.tree_.node_count == 1

def tables(n, scale=1.0, seed=0):
    "A table of n trees."
    rng = np.random.default_rng(seed)
    alpha, leaves = (np.append(0, np.sort(rng.random(n - 1))) * scale,
                     np.sort(rng.permutation(10 * n)[:n])[::-1] + 1)
    return CostTable(alpha, leaves, np.sort(rng.random(n)) * scale, rng.random(n) * scale,
                     rng.random(n) * scale / 9)

@pytest.mark.parametrize("scale", [0, 1e-9, 0.37, 1, 4321.5, 1e12])
@pytest.mark.parametrize("n", [1, 2, 39, 42, 43, 300])
def test_the_table_reads_as_one(n, scale):
    """Columns are flush, no digit is made up, the chosen trees are marked, and a long table has
    gaps and not its middle."""
    table = tables(n, scale, seed=n)
    said, page = str(table), ElementTree.fromstring(table._repr_html_())
    head, *rows = [line.split(maxsplit=5) for line in said.splitlines()]
    assert (repr(table) == said and head == ["alpha", "leaves", "cost", "error", "se", "chosen"]
            and len(rows) <= 45 and (n > 42 or len(rows) == n))
    ends = [{m.end() for m in re.finditer(r"\S+", line)} for line in said.splitlines()]
    assert (all(set(list(sorted(e))[:5]) == set(sorted(ends[0])[:5]) for e in ends)
            and max(map(len, said.splitlines())) < 110)
    shown = [row for row in rows if row[0] != "…"]
    places = [table.leaves.tolist().index(int(row[1])) for row in shown]
    assert places == sorted(places) and {0, n - 1, table.best(),
                                         table.best("one_se")} <= set(places)
    for row, i in zip(shown, places):
        for word, v in zip(row[:5], [float(column[i]) for column in table]):
            assert abs(float(word) - v) <= 5.001e-5 * scale + 1e-17 or word == str(int(v))
        assert ((row[5] if len(row) > 5 else "")
                == ", ".join(rule for rule in ("min", "one_se") if table.best(rule) == i))
    assert said.count("…") == 6 * (np.diff(places) > 1).sum()
    told = [[cell.text or "" for cell in row] for row in page.iter("tr")]
    assert ([[v for v in row if v] for row in told[1:]]
            == [line.split(maxsplit=5) for line in said.splitlines()[1:]] and told[0] == head)

def test_the_table_of_a_model():
    table = CostComplexityCV(random_state=0).fit(
        *datasets.load_breast_cancer(return_X_y=True)).table_
    assert (len(str(table).splitlines()) == 1 + len(table.alpha) and "  min" in str(table)
            and "one_se" in str(table))
    assert table.best() == table._replace(alpha=table.alpha * 2).best() and len(table) == 5

@pytest.mark.parametrize("model, words", [
    (CostComplexityCV(DecisionTreeClassifier()),
     "DecisionTreeClassifier is no estimator of this library"),
    (CostComplexityCV(rule="best"), "'rule' of CostComplexityCV must be one of 'min', 'one_se'"),
    (CostComplexityCV(cv=1), "'cv' of CostComplexityCV must be an int"),
    (CostComplexityCV(cv=1000), "n_samples=150 is too few for 1000 folds"),
    (CostComplexityCV(cost="twoing"), "'twoing' is not a cost of this tree"),
    (CostComplexityCV(CostComplexityCV()), "grows its own tree"),
    (CostComplexityCV(REPClassifier()), "REPClassifier is no estimator of this library that grows"),
    (CostComplexityCV(cv=iter([])), "holds out no row"),
    (CostComplexityCV(cv=[([0, 1], [1000])]), "of 150 rows: index 1000"),
    (CostComplexityCV(cv=[([0, 1], [0.5])]), "cv does not give pairs")])
def test_refusals(model, words):
    with pytest.raises(ValueError, match=words): model.fit(*datasets.load_iris(return_X_y=True))
    with pytest.raises(NotFittedError): model.predict(np.ones((1, 4)))
    for alpha in (-1, np.inf, float("nan")):
        with pytest.raises(ValueError, match="zero or more"):
            cost_complexity_pruning(grown(0), alpha)
    with pytest.raises(ValueError, match="'1se' is not a rule"):
        CostComplexityCV().fit(*datasets.load_iris(return_X_y=True)).table_.best("1se")
    chain = Tree.of(Schema(("x",), (("a", "b"),), ((0, 1),), "gini"), [0, -2], [np.nan] * 2,
                    [1, -1], np.array([[3, 2], [3, 2]]), width=[1, 0], start=[0, -1], branch=[0, 0])
    with pytest.raises(ValueError, match="one child"): weakest_links(chain)

def test_rows_of_weight_zero_are_not_there():
    X, y = datasets.load_iris(return_X_y=True)
    w = np.random.default_rng(0).integers(0, 3, 150).astype(float)
    a, b = CostComplexityCV().fit(X, y, w), CostComplexityCV().fit(X[w > 0], y[w > 0], w[w > 0])
    assert (a.tree_ == b.tree_ and a.table_.error.tolist() == b.table_.error.tolist()
            and a.table_.se.tolist() == b.table_.se.tolist())

def test_a_second_fit_forgets_the_first():
    X, y = datasets.load_iris(return_X_y=True)
    model = CostComplexityCV().fit(pd.DataFrame(X, columns=list("pqrs")), y).fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model.set_params(estimator=CARTRegressor()).fit(X, y), "classes_")

def test_an_order_of_classes_that_was_declared():
    X = pd.DataFrame({"a": ["p", "q"] * 20})
    y = pd.Series(pd.Categorical(["no", "no", "yes", "yes"] * 10, categories=["yes", "no"]))
    model = CostComplexityCV(ID3Classifier(), cv=2).fit(X, y)
    assert model.predict(X).tolist() == ["yes"] * 40 and model.table_.error[-1] == 0.5

def test_folding_wants_an_answer_for_each_row():
    X, y = np.arange(20.0)[:, None], np.arange(20) // 3 % 2
    with pytest.raises(ValueError, match="held has 5 rows, and y has 4"):
        folding(CARTClassifier().fit(X, y), held=(X[:5], y[:4]))

@pytest.mark.parametrize("rule", RULES)
def test_the_trace_ends_with_the_tree_that_won(rule):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    model = CostComplexityCV(cv=3, rule=rule, random_state=0).fit(X, y)
    whole, trace = CARTClassifier().fit(X, y).tree_, model.trace_
    assert trace.tree == whole and cut_at(whole, trace.node) == model.tree_
    for i, price in enumerate(trace.price):
        left = cut_back(whole, price).n_leaves
        error, = model.table_.error[model.table_.leaves == left]
        assert (f": {left} lea" in trace.sentence(i)
                and f"cross-validated {error:.3g} ±" in trace.sentence(i))
    told = [line for line in str(PruningPlayer(model)).splitlines() if line.startswith("pruned: ")]
    assert PruningPlayer(model).tree == whole and len(told) == len(trace.node)
    assert all(line.endswith(trace.sentence(i)) for i, line in enumerate(told))
    assert str(PruningPlayer(model.tree_)).count("grown: ") == (model.tree_.width > 0).sum()

def test_the_path_is_that_of_the_whole_tree():
    "Whatever price the estimator has."
    X, y = datasets.load_iris(return_X_y=True)
    for model in (CARTClassifier, CARTRegressor):
        whole, priced = (model(ccp_alpha=a).cost_complexity_pruning_path(X, y) for a in (0.0, 0.05))
        assert all(np.array_equal(a, b) for a, b in zip(whole, priced)) and len(whole[0]) > 4

def test_one_standard_error_of_the_smallest_of_the_best():
    "Two trees err least: the margin is that of the smaller one."
    error, se = np.array([0.1, 0.1, 0.2]), np.array([0.2, 0.05, 0.2])
    table = CostTable(np.arange(3.0), np.array([3, 2, 1]), np.zeros(3), error, se)
    assert table.best("min") == 1 and table.best("one_se") == 1
    assert table._replace(se=np.array([0.05, 0.2, 0.2])).best("one_se") == 2

@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.05])
def test_the_trace_compares_what_a_leaf_and_a_subtree_cost(alpha):
    "R + alpha for a leaf; for a subtree that is kept, this of each leaf that is left below it."
    X, y = datasets.load_breast_cancer(return_X_y=True)
    tree = CARTClassifier(min_samples_leaf=5).fit(X, y).tree_
    trace = cost_complexity_pruning(tree, alpha=alpha).trace
    whole = node_costs(tree, None) / len(y) + alpha
    assert np.allclose(trace.leaf, whole[trace.node]) and len(trace.node) > 3
    cut = set(trace.node[trace.cut].tolist())
    def left(k):
        if tree.width[k] == 0 or k in cut: return whole[k]
        return sum(map(left, range(tree.first[k], tree.first[k] + tree.width[k])))
    kept = trace.node[~trace.cut]
    assert np.allclose(trace.subtree[~trace.cut], [left(k) for k in kept])

@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_told_of_what_lies_below_a_leaf(seed):
    "At a price at which a node becomes a leaf exactly, its children are compared no more."
    rng = np.random.default_rng(seed)
    tree = grow(rng.integers(0, 9, (80, 3)).astype(float), rng.integers(0, 2, 80))
    price = weakest_links(tree, "misclassification")
    inner = np.flatnonzero(tree.width)
    for alpha in {float(price[k]) for k in tree.parent[inner[1:]] if price[k] > 0}:
        trace = cost_complexity_pruning(tree, alpha, "misclassification").trace
        assert not np.isin(tree.parent[trace.node], trace.node[trace.cut]).any()
