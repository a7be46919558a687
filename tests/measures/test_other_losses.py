"""Deviance, medians and a function of one's own: against the definition, against scikit-learn,
and what must not matter."""
import pickle
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, ForestRegressor,
                       REPClassifier, PruningPlayer, candidate_splits, cost_complexity_pruning,
                       from_json,
                       replace_split, load, reduced_error_pruning,
                       save, simplify, collapse_node, to_frame, to_json)
from dtree_lit.learners.grow import grow
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.exact_scores import Nats, Side, exact_gain, exactly, rough
from dtree_lit.measures.other_losses import counterexample, lost_by_those_who_stay
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import from_sklearn
from sklearn.base import clone
from sklearn.tree import DecisionTreeRegressor
from helpers.splits import questions_of, read

nan = np.nan
POISSON, MEDIANS = "poisson", "absolute_error"

def loss_of(criterion, y, w):
    "Of one output, in sixty digits or exactly."
    if criterion == MEDIANS:
        return min((sum(u * abs(v - a) for v, u in zip(y, w)) for a in y), default=0)
    with localcontext(prec=60):
        W, S = sum(w), sum(u * v for v, u in zip(y, w))
        if not S: return Decimal(0)
        return sum((u * v * (Decimal(v) * W / S).ln() for v, u in zip(y, w) if v), Decimal(0))

def left_of(criterion, y, w, rows):
    "Of all outputs."
    return sum(loss_of(criterion, [y[i][o] for i in rows], [w[i] for i in rows])
               for o in range(len(y[0])))

def definition(X, y, w, criterion, max_depth=None, min_samples_split=2, min_samples_leaf=1,
               min_weight_leaf=0, min_impurity_decrease=0):
    "Node by node, every cut in the order of preference."
    slack = Decimal(10)**-40 if criterion == POISSON else 0
    def node(rows, depth):
        best = None
        if len({y[i] for i in rows}) == 1 or len(rows) < min_samples_split or depth == max_depth:
            return len(rows)
        for f in range(X.shape[1]):
            for missing, t, side in questions_of(X[rows, f]):
                no, yes = ([i for i, s in zip(rows, side) if s == c] for c in (False, True))
                weights = [sum(w[i] for i in r) for r in (no, yes)]
                if min(len(no), len(yes)) < min_samples_leaf or min(weights) < min_weight_leaf:
                    continue
                if criterion == POISSON and any(sum(y[i][o] for i in r) == 0 for r in (no, yes)
                                                for o in range(len(y[0]))):
                    continue
                after = left_of(criterion, y, w, no) + left_of(criterion, y, w, yes)
                if best is None or after < best[0] - slack:
                    gaps = np.isnan(X[rows, f]).any()
                    best = (after, f, float(t), missing if gaps
                            else int(weights[1] >= weights[0]), no, yes)
        if best is None: return len(rows)
        removed = Fraction(left_of(criterion, y, w, rows) - best[0])
        if removed < Fraction(str(min_impurity_decrease)) * sum(w) * len(y[0]): return len(rows)
        return (*best[1:4], node(best[4], depth + 1), node(best[5], depth + 1))
    return node([i for i in range(len(X)) if w[i]], 0)

def case(rng, criterion):
    "A small table with ties everywhere, and rules."
    n, m, outputs = rng.integers(1, 14), rng.integers(1, 4), rng.integers(1, 3)
    X = rng.integers(0, rng.integers(1, 7), (n, m)).astype(float)
    if rng.random() < 0.5: X[rng.random((n, m)) < 0.25] = nan
    y = rng.integers(0 if criterion == POISSON else -5, rng.choice([2, 9]), (n, outputs))
    w = rng.integers(0, 4, n) if rng.random() < 0.5 else np.ones(n, int)
    w[0] = max(w[0], 1)
    if criterion == POISSON: y[0] += 1
    rules = dict(max_depth=(None, 1, 2)[rng.integers(3)], min_samples_split=int(rng.integers(2, 5)),
                 min_samples_leaf=int(rng.integers(1, 3)),
                 min_weight_leaf=int(rng.integers(0, 3)),
                 min_impurity_decrease=(0, 0, 0.05, 0.25)[rng.integers(4)])
    return X, y, w, rules

def learners(criterion): return (grow, grow_levels) if criterion == POISSON else (grow,)

@pytest.mark.parametrize("criterion", [POISSON, MEDIANS])
def test_definition(criterion):
    rng = np.random.default_rng(0)
    for seed in range(120):
        X, y, w, rules = case(rng, criterion)
        expected = str(definition(X, [tuple(map(int, row)) for row in y], [int(v) for v in w],
                                  criterion, **rules))
        for learner in learners(criterion):
            tree = learner(X, y, w, criterion=criterion, **rules)
            assert str(read(tree)) == expected, (seed, learner)

@pytest.mark.parametrize("criterion", [POISSON, MEDIANS])
def test_what_nodes_say(criterion):
    rng = np.random.default_rng(1)
    for _ in range(40):
        X, y, w, _ = case(rng, criterion)
        tree, there = grow(X, y, w, criterion=criterion), w > 0
        for k in range(tree.node_count):
            rows = np.flatnonzero(tree.decision_path(X[there]).toarray()[:, k])
            some, weights = y[there][rows], w[there][rows]
            assert tree.size[k] == len(rows) and tree.weight[k] == weights.sum()
            for o in range(y.shape[1]):
                column = some[:, o].tolist()
                assert abs(tree.counts[k, o, 1] - float(
                    loss_of(criterion, column, weights.tolist()))) < 1e-9
                long = np.sort(np.repeat(column, weights))
                assert abs(tree.counts[k, o, 0] - (np.median(long) if criterion == MEDIANS
                                                   else long.mean())) < 1e-12
            assert (tree.impurity[k] * tree.weight[k] * y.shape[1]
                    == pytest.approx(tree.counts[k, :, 1].sum()))

def tied(ours, theirs, X, y, w, criterion):
    "Is the first question that differs one of two that leave the same?"
    k = next((k for k in range(ours.node_count)
              if k == theirs.node_count or ours.feature[k] != theirs.feature[k] or
              ours.feature[k] >= 0 and (X[:, ours.feature[k]] >= ours.t[k]).tolist()
              != (X[:, ours.feature[k]] >= theirs.t[k]).tolist()), None)
    if k is None: return False
    rows, w, y = (np.flatnonzero(ours.decision_path(X).toarray()[:, k]),
                  np.ones(len(X), int) if w is None else w, y.reshape(len(X), -1))
    def left(f, t):
        yes = X[rows, f] >= t
        return left_of(criterion, [list(map(Fraction, v)) for v in y], w.tolist(),
                       rows[yes]) + left_of(
criterion, [list(map(Fraction, v)) for v in y], w.tolist(), rows[~yes])
    assert (criterion == MEDIANS
            and abs(left(ours.feature[k], ours.t[k]) - left(theirs.feature[k], theirs.t[k])) < 1e-9)
    return True

@pytest.mark.parametrize("criterion", [POISSON, MEDIANS])
def test_scikit_learn(criterion):
    "Where numbers have many digits and nodes many rows, no ties decide."
    rng, alike = np.random.default_rng(2), 0
    for seed in range(12):
        n, outputs = int(rng.integers(100, 400)), int(rng.integers(1, 3))
        X = rng.normal(size=(n, 3)).astype(np.float32)
        y = np.exp(X[:, :outputs] + rng.normal(size=(n, outputs))).squeeze()
        w = rng.integers(1, 4, n) if seed % 2 else None
        rules = dict(max_depth=4, min_samples_leaf=9, random_state=0)
        if seed % 3 == 0: rules["max_leaf_nodes"] = 7
        theirs = DecisionTreeRegressor(criterion=criterion, **rules).fit(X, y, sample_weight=w)
        ours = CARTRegressor(criterion=criterion, **rules).fit(X, y, sample_weight=w)
        same = from_sklearn(theirs)
        assert ours.tree_.n_leaves == theirs.get_n_leaves()
        if tied(ours.tree_, same, X, y, w, criterion): continue
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-12)
        np.testing.assert_allclose(np.sort(ours.tree_.impurity), np.sort(same.impurity),
                                   rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_,
                                   rtol=1e-6, atol=1e-12)
        one, other = (ours.cost_complexity_pruning_path(X, y, w),
                      theirs.cost_complexity_pruning_path(X, y, w))
        if "max_leaf_nodes" not in rules:
            np.testing.assert_allclose(one.ccp_alphas, other.ccp_alphas, rtol=1e-6, atol=1e-9)
            np.testing.assert_allclose(one.impurities, other.impurities, rtol=1e-9)
        alpha = float(one.ccp_alphas[len(one.ccp_alphas) // 2]) * (1 + 1e-9)
        pruned = clone(ours).set_params(ccp_alpha=alpha).fit(X, y, sample_weight=w)
        assert pruned.tree_.n_leaves == clone(theirs).set_params(ccp_alpha=alpha).fit(
            X, y, sample_weight=w).get_n_leaves()
        assert pruned.tree_ == cost_complexity_pruning(ours, alpha).tree
        alike += 1
    assert alike >= (12 if criterion == POISSON else 6)

@pytest.mark.parametrize("criterion", [POISSON, MEDIANS])
def test_what_must_not_matter(criterion):
    rng = np.random.default_rng(3)
    for seed in range(30):
        n = int(rng.integers(5, 120))
        X, y, w = (rng.integers(0, 6, (n, 3)).astype(float),
                   rng.poisson(2, (n, 1 + seed % 2)).astype(float), rng.integers(1, 4, n))
        X[rng.random(X.shape) < 0.1] = nan
        y[0] = 1
        i, rules = rng.permutation(n), dict(criterion=criterion, max_features=(None, 2)[seed % 2],
                                            seed=seed, max_leaf_nodes=(None, 6)[seed % 3 == 0])
        tree = grow(X, y, w, **rules)
        assert tree == grow(X[i], y[i], w[i], **rules) == grow(X, y, w, threads=2, **rules)
        repeated = grow(np.repeat(X, w, 0), np.repeat(y, w, 0), **rules)
        assert (len(repeated.t) == len(tree.t) and (repeated.apply(X) == tree.apply(X)).all()
                and (repeated.counts[:, :, 0] == tree.counts[:, :, 0]).all())
        assert (tree.apply(X) == grow(X, 8 * y, w * 0.375, **rules).apply(X)).all()    # other units
        lots = rng.random(n)                                            # weights that are no counts
        if criterion == POISSON:
            assert (grow(X, y, lots, **rules) == grow_levels(X, y, lots, **rules)
                    == grow(X[i], y[i], lots[i], **rules))
        else: assert grow(X, y, lots, **rules) == grow(X[i], y[i], lots[i], **rules)

def test_levels_and_lists():
    "Both learners, with everything a table may hold."
    rng = np.random.default_rng(4)
    for seed in range(120):
        n, m, outputs = int(rng.integers(2, 300)), int(rng.integers(1, 4)), int(rng.integers(1, 3))
        X = rng.integers(0, rng.choice([3, 40, 1000]), (n, m)).astype(float)
        if seed % 3: X[rng.random((n, m)) < 0.1] = nan
        y = (rng.poisson(rng.choice([0.1, 2, 300]), (n, outputs)) if seed % 2
             else rng.exponential(size=(n, outputs)) * (rng.random((n, outputs)) < 0.8))
        y[0] += 1
        w = (None, rng.integers(0, 5, n), rng.random(n))[seed % 3]
        if w is not None: w[0] = 1
        rules = dict(max_leaf_nodes=(None, 5)[seed % 4 == 0],
                     min_samples_leaf=int(rng.integers(1, 4)),
                     min_impurity_decrease=(0, 0.01)[seed % 5 == 0],
                     min_weight_leaf=(0, 2)[seed % 7 == 0])
        if seed % 6 == 1: rules |= dict(max_features=1, seed=seed)
        assert grow(X, y, w, criterion=POISSON,
                    **rules) == grow_levels(X, y, w, criterion=POISSON, **rules), seed

def test_bounds_of_scores():
    "Rough scores lie within their bounds, and equal sides are equal."
    rng = np.random.default_rng(5)
    for _ in range(300):
        top = 2**int(rng.integers(3, 50))
        W, S = rng.integers(1, 2**int(rng.integers(3, 40)), 2), rng.integers(0, top, 2)
        F, T = (Side(np.array([W[i]]), [np.array([[S[i]]])]) for i in (0, 1))
        left, off = rough(POISSON, F, T)
        terms = exactly(POISSON, F.at(0)) + exactly(POISSON, T.at(0))
        with localcontext(prec=50):
            true = sum((Decimal(a.numerator if isinstance(a, Fraction) else a) * Decimal(k).ln()
                        for k, a in terms.items() if k and a), Decimal(0))
        assert abs(Decimal(float(left[0])) - true) <= Decimal(float(off[0]))
        assert exact_gain(POISSON, F.at(0), Side(2 * int(W[0]), [[2 * int(S[0])]])).sign() == 0
    assert (Nats({0: 1, 2: -1}).sign() == 1 and Nats({0: 2, 7: -1}).sign() == 1
            and Nats({0: 2, 8: -1}).sign() == -1)

def test_chain():
    rng = np.random.default_rng(6)
    for _ in range(300):
        s, most = int(rng.integers(1, 40)), int(rng.choice([2, 9, 10**6]))
        y, w = rng.integers(-most, most, s), rng.integers(1, rng.choice([2, 4, 1000]), s)
        order, place = np.argsort(y, kind="stable"), np.empty(s, np.int64)
        place[order] = np.arange(s)
        out, chain = np.zeros(s + 1, np.int64), np.empty((2, s), np.int64)
        for backward in (True, False):
            lost_by_those_who_stay(place, s, backward, y[order], w[order], *chain, out)
        y, w = y.tolist(), w.tolist()
        assert out.tolist() == [loss_of(MEDIANS, y[:k], w[:k]) + loss_of(MEDIANS, y[k:], w[k:])
                                for k in range(s + 1)]

def test_categories():
    "Up to eight of them every division is tried, whatever a mean of zero forbids."
    rng = np.random.default_rng(7)
    for seed in range(60):
        criterion, n, K = ((POISSON, MEDIANS)[seed % 2], int(rng.integers(6, 40)),
                           int(rng.integers(2, 6)))
        code = np.append(np.arange(K), rng.integers(0, K, n - K))
        y = rng.poisson(np.exp(rng.normal(size=K) - 1)[code]).astype(int)
        y[0] = 3
        schema = Schema(("c",), (tuple("abcdefgh"[:K]),), (None,), criterion)
        for learner in learners(criterion):
            tree = learner(code[:, None].astype(float), y, criterion=criterion, schema=schema,
                           max_depth=1)
            best = None
            for some in range(1, 2**(K - 1)):
                no = [i for i in range(n) if some >> code[i] & 1]
                yes = [i for i in range(n) if not some >> code[i] & 1]
                if criterion == POISSON and min(y[no].sum(), y[yes].sum()) == 0: continue
                left = sum(loss_of(criterion, y[r].tolist(), [1] * len(r)) for r in (no, yes))
                best = left if best is None else min(best, left)
            if best is None or len(set(y.tolist())) == 1: assert tree.n_leaves == 1
            else:
                assert (float(tree.weight[1:] @ tree.impurity[1:])
                        == pytest.approx(float(best), abs=1e-9))

def test_refused():
    X, y = np.arange(6.0)[:, None], np.array([1.0, 2, 0, 4, 3, 9])
    with pytest.raises(ValueError, match="Some value"):
        CARTRegressor(criterion=POISSON).fit(X, y - 1)
    for nothing in (0 * y, np.stack([y, 0 * y], axis=1)):                   # of one output, too
        with pytest.raises(ValueError, match="Sum of y is not positive"):
            CARTRegressor(criterion=POISSON).fit(X, nothing)
    with pytest.raises(ValueError, match="grow_levels cannot use absolute_error"):
        grow_levels(X, y, criterion=MEDIANS)
    with pytest.raises(ValueError, match="criterion"): ForestRegressor(criterion=MEDIANS).fit(X, y)
    for criterion in (POISSON, MEDIANS):
        model = CARTRegressor(criterion=criterion).fit(X, y)
        with pytest.raises(ValueError, match="is not a cost of this tree"):
            cost_complexity_pruning(model, 0.1, cost="squared_error")
        with pytest.raises(ValueError,
                           match="squared distances"): reduced_error_pruning(model.tree_, X, y)
    with pytest.raises(ValueError, match="can be computed only while a tree grows"):
        candidate_splits(model, 0, X, y)
    with pytest.raises(ValueError, match="not negative"):
        CARTRegressor(criterion=POISSON).fit(X, y).tree_.recount(X, y - 5)

def test_monotone_counts():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 2)).astype(np.float32)
    y = rng.poisson(np.exp(X[:, 0])).astype(float)
    model = CARTRegressor(criterion=POISSON, monotonic_cst=[1, 0], max_depth=5).fit(X, y)
    more = X + np.array([0.5, 0], np.float32)
    assert (model.predict(more) >= model.predict(X)).all()
    theirs = DecisionTreeRegressor(criterion=POISSON, monotonic_cst=[1, 0], max_depth=2,
                                   random_state=0).fit(X, y)
    np.testing.assert_allclose(clone(model).set_params(max_depth=2).fit(X, y).predict(X),
                               theirs.predict(X))

def test_forest_of_counts():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(200, 3))
    y = rng.poisson(np.exp(X[:, 0])).astype(float)
    forest = ForestRegressor(n_estimators=8, criterion=POISSON, random_state=0,
                             max_features=2).fit(X, y)
    assert (forest.predict(X) > 0).all() and forest.score(X, y) > 0.5
    assert (forest.predict(X) == clone(forest).set_params(n_jobs=2).fit(X, y).predict(X)).all()

@pytest.mark.parametrize("criterion", [POISSON, MEDIANS])
def test_the_rest_of_the_house(criterion, tmp_path):
    "Files, texts, cross-validation, tables with words."
    rng = np.random.default_rng(10)
    X = pd.DataFrame(dict(a=rng.normal(size=150), word=rng.choice(list("uvwxyz"), 150)))
    y = rng.poisson(np.exp(X.a + X.word.isin(["u", "x"]))).astype(float)
    model = CARTRegressor(criterion=criterion,
                          max_depth=4).fit(X.assign(word=X.word.astype("category")), y)
    tree = model.tree_
    save(tree, tmp_path / "tree.npz")
    assert (load(tmp_path / "tree.npz") == tree == from_json(to_json(tree))
            == pickle.loads(pickle.dumps(model)).tree_)
    assert tree.recount(model._read(X.assign(word=X.word.astype("category")),
                                    reset=False), y) == tree
    chosen = CostComplexityCV(CARTRegressor(criterion=criterion), cv=3,
                              random_state=0).fit(X[["a"]], y)
    assert chosen.tree_.n_leaves >= 1 and np.isfinite(chosen.table_.error).all()
    assert repr(tree) and collapse_node(tree, 0).tree.n_leaves == 1

# of one's own
def root_gini(weights):
    p = weights / weights.sum(axis=1, keepdims=True)
    return np.sqrt(np.maximum((p * (1 - p)).sum(axis=1), 0))

def own_gini(weights):
    p = weights / weights.sum(axis=1, keepdims=True)
    return (p * (1 - p)).sum(axis=1)

def own_variance(weight, total, squares): return squares / weight - (total / weight)**2

def convex(weights): return own_gini(weights)**3

def test_own_measures_are_the_measures():
    "A measure of the house, brought along, grows the same trees where no ties decide."
    rng = np.random.default_rng(11)
    for seed in range(15):
        X = rng.normal(size=(150, 3))
        X[rng.random(X.shape) < 0.05] = nan
        labels, numbers, w = (rng.integers(0, 3, 150),
                              X[:, :1].copy() + rng.normal(size=(150, 1 + seed % 2)),
                              (None, rng.integers(1, 3, 150), rng.random(150))[seed % 3])
        numbers = np.nan_to_num(numbers).squeeze()
        rules = dict(max_depth=3, min_samples_leaf=8, max_leaf_nodes=(None, 5)[seed % 2])
        for model, own, house, y in ((CARTClassifier, own_gini, "gini", labels),
                                     (CARTRegressor, own_variance, "squared_error", numbers)):
            one, other = (model(criterion=c, **rules).fit(X, y, sample_weight=w)
                          for c in (own, house))
            assert ((one.tree_.t.tolist(), one.tree_.counts.tolist())
                    == (other.tree_.t.tolist(), other.tree_.counts.tolist())
                    or str(one.tree_.t) == str(other.tree_.t))
            np.testing.assert_allclose(one.feature_importances_, other.feature_importances_,
                                       rtol=1e-6, atol=1e-9)
            assert (one.predict(X) == other.predict(X)).all()

def test_own():
    rng = np.random.default_rng(12)
    X = rng.integers(0, 5, (80, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] > 4).astype(int)
    model = CARTClassifier(criterion=root_gini).fit(X, y)
    assert model.tree_.schema.criterion == "root_gini()" and model.score(X, y) == 1
    i = rng.permutation(80)
    assert (clone(model).fit(X[i], y[i]).tree_ == model.tree_
            == pickle.loads(pickle.dumps(model)).tree_)
    assert from_json(to_json(model.tree_)) == model.tree_
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert cost_complexity_pruning(model, 1.0, cost="gini").tree.n_leaves == 1
    assert CARTClassifier(criterion=root_gini,
                          min_impurity_decrease=0.9).fit(X, y).tree_.n_leaves == 1
    for call in (lambda: model.tree_.impurity, lambda: cost_complexity_pruning(model, 0.1),
                 lambda: CARTClassifier(criterion=root_gini, ccp_alpha=0.1).fit(X, y)):
        with pytest.raises(ValueError, match="root_gini"): call()
    with pytest.raises(ValueError, match="needs a name"):
        CARTClassifier(criterion=lambda weights: 0 * weights[:, 0]).fit(X, y)
    def flat(weights): return weights
    with pytest.raises(ValueError, match="what it returned has the shape"):
        CARTClassifier(criterion=flat).fit(X, y)
    def empty(weights): return np.log(0 * weights[:, 0])
    with pytest.raises(ValueError, match="returned"), np.errstate(divide="ignore"):
        CARTClassifier(criterion=empty).fit(X, y)

def test_not_concave():
    X, y = np.arange(12.0)[:, None], np.tile([0, 1], 6)
    with pytest.warns(UserWarning, match="convex.. is not concave"):
        tree = CARTClassifier(criterion=convex).fit(X, y).tree_
    a, b, gain = counterexample(convex, 2)
    whole = np.array([a, b, np.add(a, b)])
    held = whole.sum(axis=1) * convex(whole)
    assert gain == held[2] - held[0] - held[1] < 0
    held = tree.counts[:, 0].sum(axis=1) * convex(tree.counts[:, 0])
    for k in np.flatnonzero(tree.width):
        assert held[k] - held[tree.first[k]] - held[tree.first[k] + 1] >= -1e-9
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CARTClassifier(criterion=root_gini).fit(X, y)

def test_what_a_tree_shows_that_knows_only_a_name():
    """Steps, a frame and changes by hand do without the impurity; what needs it is refused in
    one sentence."""
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3
    def own(c): return 1 - ((c / c.sum(axis=1, keepdims=True))**2).sum(axis=1)
    model = CARTClassifier(criterion=own, max_depth=3).fit(X, y)
    other = CARTClassifier(max_depth=3).fit(X, y)
    assert model.tree_._replace(schema=other.tree_.schema) == other.tree_
    assert ("60 examples, split by own()" in str(PruningPlayer(model))
            and PruningPlayer(model)._repr_html_())
    frame, known = to_frame(model), to_frame(other)
    assert frame.equals(known.drop(columns="impurity"))
    cut = collapse_node(model, 0)
    assert (cut.tree.node_count == 1 and "instead of" in str(cut.trace) and cut._repr_html_()
            and simplify(model)._repr_html_())
    assert REPClassifier(CARTClassifier(criterion=own)).fit(X, y)._repr_html_inner()
    for change in (lambda: candidate_splits(model, 0, X, y),
                   lambda: replace_split(model, 0, "x0", 0.0, X, y),
                   lambda: replace_split(model, 0, "x0", 0.0, X, y, below=False)):
        with pytest.raises(ValueError, match=r"the gains of splits by own\(\) can be computed only "
                                             r"while a tree grows"):
            change()

def test_a_median_is_called_so():
    "A leaf that answers with a median does not say that it is a mean."
    X, y = np.arange(9.0)[:, None], np.array([0, 0, 0, 9, 9, 9, 1, 2, 6.0])
    model = CARTRegressor(criterion="absolute_error", max_leaf_nodes=3).fit(X, y)
    assert ("2, the median of 3" in model.tree_.text()
            and "mean" not in model.tree_.text() + model.tree_.dot() + model.tree_.explain([8.0]))
    assert "the mean of" in CARTRegressor(criterion="poisson").fit(X, y).tree_.text()
