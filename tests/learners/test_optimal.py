"Optimal trees against brute force over all trees, and their own promises."
import pickle

import numpy as np
import pandas as pd
import pytest
from dtree_lit.learners import optimal
from dtree_lit.learners.cart import CARTClassifier
from dtree_lit.learners.optimal import grow_optimal
from dtree_lit.learners.optimal_classifier import OptimalTreeClassifier
from helpers.small_tables import as_frame, best_tree, mixed, price_of, regions, small_table
from sklearn.utils.estimator_checks import parametrize_with_checks

# A light class gets leaves of its own where they cost nothing, and the check wants none.
LIGHT = {"check_class_weight_classifiers": "a leaf of few light rows makes no error"}

@parametrize_with_checks([OptimalTreeClassifier(),
                          OptimalTreeClassifier(max_depth=3, leaf_cost=0.01, time_limit=0.1)],
                         expected_failed_checks=lambda model: {} if model.leaf_cost else LIGHT)
def test_scikit_learns_checks(estimator, check): check(estimator)

# --- brute force

def equals_brute_force(seed):
    columns, y, w, leaf_cost = small_table(seed)
    X, total = as_frame(columns), int(w.sum())
    price = price_of(leaf_cost, w)
    for depth in (1, 2, 3):
        loss, leaves, tree = best_tree(columns, y.tolist(), w.tolist(), depth, price)
        model = OptimalTreeClassifier(max_depth=depth, leaf_cost=leaf_cost)
        weights = None if (w == 1).all() else w
        model.fit(X, y, weights)
        wrong = int(w[model.predict(X) != y].sum())
        ends = model.apply(X)
        assert wrong + price * model.get_n_leaves() == loss, (seed, depth)
        assert model.get_n_leaves() == leaves and model.tree_.max_depth <= depth, (seed, depth)
        assert np.isclose(model.loss_, float(loss / total), rtol=1e-15)
        assert model.status_ == "optimal" and model.lower_bound_ == model.loss_
        assert {frozenset(np.flatnonzero(ends == k).tolist()) for k in set(ends)} == regions(tree)

@pytest.mark.parametrize("part", range(3))
def test_equal_to_brute_force(part):
    for seed in range(100 * part, 100 * part + 100): equals_brute_force(seed)

@pytest.mark.parametrize("seed", range(5))
def test_rows_in_any_order_and_weights_as_repeated_rows(seed):
    X, y, w = mixed(seed, 60, 1)
    some = np.random.default_rng(seed).permutation(len(y))
    again = np.repeat(np.arange(len(y)), w)
    for depth in (1, 2, 3):
        def fitted(rows, weights=None):
            model = OptimalTreeClassifier(max_depth=depth, leaf_cost=0.01)
            return model.fit(X.iloc[rows], y[rows], weights).tree_
        tree = fitted(some, w[some])
        assert fitted(np.arange(len(y)), w) == tree
        repeated = fitted(again)
        assert repeated._replace(size=tree.size) == tree
        assert fitted(some, w[some] * 0.1)._replace(weight=tree.weight, counts=tree.counts) == tree

def test_class_weights_are_weights():
    X, y, w = mixed(1, 60, 1)
    of_class = {0: 3, 1: 1, 2: 2}
    both = OptimalTreeClassifier(class_weight=of_class, leaf_cost=0.01).fit(X, y, w)
    product = w * np.array([of_class[k] for k in y])
    assert both.tree_ == OptimalTreeClassifier(leaf_cost=0.01).fit(X, y, product).tree_
    balanced = OptimalTreeClassifier(class_weight="balanced").fit(X, y).tree_
    assert np.allclose(balanced.counts[0, 0], len(y) / 3)

def test_after_the_time_limit_few_passes_are_made(monkeypatch):
    "Also in the searches of depth two below the root, unless the table is small."
    X, y = chessboard(5000, 8)
    for depth, most in ((2, 1), (3, 4)):
        for looks in (2, 5, 20):
            clock, passes = iter(range(10**9)), []
            monkeypatch.setattr(optimal, "monotonic", lambda: next(clock))
            def counted(*args, kernel=optimal.best_of_sides): passes.append(0), kernel(*args)
            with monkeypatch.context() as patch:
                patch.setattr(optimal, "best_of_sides", counted)
                assert not grow_optimal(X, y, max_depth=depth, time_limit=looks).proved
            assert len(passes) <= looks + most + 1, (depth, looks)

def test_no_tree_of_cart_is_better():
    for seed in range(5):
        X, y, _ = mixed(seed, 60, 1)
        X = X[["a", "b", "few"]]
        for depth in (1, 2, 3):
            best = OptimalTreeClassifier(max_depth=depth).fit(X, y)
            greedy = (CARTClassifier(max_depth=depth).fit(X, y).predict(X) != y).mean()
            assert best.loss_ == (best.predict(X) != y).mean() <= greedy

def chessboard(n=400, m=4):
    "Labels that no single split separates, with noise."
    lots = np.random.default_rng(0)
    X = lots.normal(size=(n, m))
    return X, (X[:, :3] > 0).sum(axis=1) % 2 ^ (lots.random(n) < 0.1)

def test_a_time_limit_keeps_the_best_tree_so_far():
    X, y = chessboard()
    model = OptimalTreeClassifier(max_depth=3, time_limit=0).fit(X, y)
    assert model.status_ == "time limit" and model.lower_bound_ < model.loss_
    assert model.loss_ == (model.predict(X) != y).mean()
    greedy = (CARTClassifier(max_depth=3).fit(X, y).predict(X) != y).mean()
    assert model.loss_ <= greedy
    whole = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert whole.status_ == "optimal" and whole.loss_ >= model.lower_bound_

def test_the_clock_ends_a_search_at_any_time(monkeypatch):
    "A clock that moves by one at each look: bounds rise, losses fall, and the last is the proof."
    X, y = chessboard(60, 3)
    found = []
    for seconds in (0, 3, 10, 30, 100, 10**9):
        ticks = iter(range(10**9))
        monkeypatch.setattr(optimal, "monotonic", lambda: next(ticks))
        found.append(grow_optimal(X, y, max_depth=3, time_limit=seconds))
    losses, bounds = [f.loss for f in found], [f.lower_bound for f in found]
    assert found[-1].proved and bounds[-1] == losses[-1] and not found[0].proved
    assert losses == sorted(losses, reverse=True)
    assert all(bound <= losses[-1] for bound in bounds)

def test_depth_four_and_the_price_of_leaves():
    X, y = chessboard(80, 3)
    deep = [OptimalTreeClassifier(max_depth=d, leaf_cost=0.02).fit(X, y) for d in (1, 2, 3, 4)]
    losses = [model.loss_ for model in deep]
    assert losses == sorted(losses, reverse=True) and losses[2] < losses[1]
    assert all(model.status_ == "optimal" for model in deep)
    assert OptimalTreeClassifier(max_depth=3, leaf_cost=1.0).fit(X, y).get_n_leaves() == 1
    third = [0.5 / 3] * 3                               # weights with no common decimal
    model = OptimalTreeClassifier(max_depth=1, leaf_cost=0.1).fit([[1], [2], [3]], [0, 1, 1], third)
    assert model.loss_ == pytest.approx(0.2) and model.lower_bound_ == model.loss_

def test_it_is_a_tree_like_any_other():
    X, y, w = mixed(0, 60, 1)
    model = OptimalTreeClassifier(max_depth=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all() and again.tree_ == model.tree_
    assert model.tree_.recount(X, y) == model.tree_
    assert model.fit(X, y, w).tree_.weight[0] == w.sum()
    missing = pd.DataFrame({"x": [None, None, 1.0, 2]})
    alone = OptimalTreeClassifier(max_depth=1).fit(missing, [1, 1, 0, 0])
    assert alone.predict(missing).tolist() == [1, 1, 0, 0] and "missing" in alone.tree_.text()

@pytest.mark.parametrize("parameters, said", [
    (dict(max_depth=5), r"'max_depth' of OptimalTreeClassifier must be an int in the range .1, 4]"),
    (dict(leaf_cost=-0.1), "'leaf_cost'"), (dict(time_limit=-1), "'time_limit'")])
def test_parameters_are_checked(parameters, said):
    with pytest.raises(ValueError, match=said):
        OptimalTreeClassifier(**parameters).fit([[0], [1]], [0, 1])

def test_the_function_checks_them_too():
    with pytest.raises(ValueError, match="max_depth is 0, and must be a whole number from 1 to 4"):
        grow_optimal([[0], [1]], [0, 1], max_depth=0)
    with pytest.raises(ValueError, match="y has 2 columns, and must have one"):
        grow_optimal([[0], [1]], [[0, 1], [1, 0]])

def test_tests_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(optimal, "ROOM", 1000)
    with pytest.raises(ValueError, match="do not fit into 1000 bytes: leave out columns"):
        OptimalTreeClassifier().fit(np.arange(60.0).reshape(30, 2)**2 % 7, np.arange(30) % 2)
