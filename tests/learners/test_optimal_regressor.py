"Optimal regression trees against brute force in fractions, and their own promises."
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from dtree_lit import CARTRegressor, check_optimal, load, OptimalTreeClassifier, save
from dtree_lit.learners import optimal
from dtree_lit.learners.optimal_regressor import (exact_cost, grow_optimal_squares,
                                                  OptimalTreeRegressor, SquaredSearch)
from helpers.small_tables import (as_frame, best_tree, mixed, numbers_of_trees, price_of, regions,
                                  small_table, squared_loss)
from sklearn.utils.estimator_checks import parametrize_with_checks

@parametrize_with_checks([OptimalTreeRegressor(),
                          OptimalTreeRegressor(leaf_cost=0.01, time_limit=60)])
def test_scikit_learns_checks(estimator, check): check(estimator)

# --- brute force

def numbers(seed, n):
    "Targets with equal ones among them, of any size, far from zero, or one of them far away."
    lots = np.random.default_rng([seed, 1])
    y = lots.integers(-4, 5, n) / lots.choice([1, 2, 8, 10])
    kind = lots.integers(0, 8)
    if kind == 0: return y + 1e9
    if kind == 1: return np.round(y) * 2 + 1e16
    if kind == 2: return y * 1e-300
    if kind == 3: return y * 1e140
    if kind == 4: return y + (np.arange(n) == n // 2) * 1e12
    return y

def equals_brute_force(seed):
    columns, _, w, leaf_cost = small_table(seed)
    X, total, y = as_frame(columns), int(w.sum()), numbers(seed, len(w))
    exact = [*map(Fraction, y.tolist())]
    for depth in (1, 2, 3):
        of_all = columns, exact, w.tolist(), depth, price_of(leaf_cost, w), squared_loss
        loss, leaves, tree = best_tree(*of_all)
        model = OptimalTreeRegressor(max_depth=depth, leaf_cost=leaf_cost)
        model.fit(X, y, None if (w == 1).all() else w)
        ends = model.apply(X)
        assert {frozenset(np.flatnonzero(ends == k).tolist()) for k in set(ends)} == regions(tree)
        assert model.get_n_leaves() == leaves and model.tree_.max_depth <= depth, (seed, depth)
        assert model.loss_ == float(loss / total) and model.lower_bound_ == model.loss_
        assert model.status_ == "optimal"
        if seed % 3 == 0:
            counts = numbers_of_trees(*of_all)
            assert model.n_best_ == counts[min(counts)], (seed, depth)

@pytest.mark.parametrize("part", range(3))
def test_equal_to_brute_force(part):
    for seed in range(70 * part, 70 * part + 70): equals_brute_force(seed)

def test_a_difference_that_floating_point_does_not_see():
    "The losses of two first tests differ by less than a unit of costs; equal ones are two trees."
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
    def fitted(d): return OptimalTreeRegressor(max_depth=1).fit(X, [0, 1 + d, 1, 2])
    tiny = 2.0**-52
    for d, feature, number in ((tiny, 1, 1), (0, 0, 2), (-tiny, 0, 1)):
        model = fitted(d)
        assert (model.tree_.feature[0], model.n_best_) == (feature, number), d
    assert fitted(tiny).loss_ == fitted(-tiny).loss_

# --- the proof of the slack

def test_costs_are_off_by_no_more_than_is_proved():
    "Of random trees, with weights, prices and targets of all kinds."
    used = []
    for seed in range(150):
        lots = np.random.default_rng(seed)
        n = int(lots.choice([2, 5, 60, 700]))
        y = lots.normal(size=n) * np.exp(lots.integers(0, 9) * lots.normal(size=n))
        y += 100 * (seed % 2)
        w = lots.integers(1, 2**int(lots.integers(1, 42)), n)
        rank = lots.integers(0, 9, (3, n)).astype(np.int32)
        units = np.array([int(v * 2**60) for v in y], object)
        share = Fraction(int(lots.integers(0, 9)) * int(w.sum()) << 110)
        search = SquaredSearch(rank, units, w, share)
        def drawn(rows, depth):
            f, v = int(lots.integers(0, 3)), int(lots.integers(1, 9))
            yes = rank[f, rows] >= v
            if depth == 0 or yes.all() or not yes.any(): return search.leaf(rows).cost, ()
            (a, no), (b, yes) = drawn(rows[~yes], depth - 1), drawn(rows[yes], depth - 1)
            return a + b, (f, v, no, yes)
        cost, tree = drawn(np.arange(n), 4)
        if search.price == search.most: continue        # it is dearer than any tree
        off = float(cost - exact_cost(search, tree, np.arange(n)) / search.worth)
        free = 5 + (n * int(w.sum()))**0.5 / 2**10
        assert -n - 32 - free < off < free and n + 32 + 9 * free < search.slack, seed
        used.append(off / search.slack)
    assert len(used) > 100 and min(used) < -0.3

def test_no_sum_leaves_a_word():
    "The bounds of positions add up what each row may add: at most 2 to the 62."
    for n in (2, 1000, 100_000):
        y = np.array([0] * (n - 1) + [10**30], object)
        w = np.full(n, 2**51 // n)
        search = SquaredSearch(np.arange(n, dtype=np.int32)[None], y, w, Fraction(0))
        added = search.most_added(search.order)
        assert 0 < int(added.astype(object).sum()) <= 2**62
        assert int(abs(search.sums.astype(object)).sum(axis=1).max()) <= 2**62

# --- promises

@pytest.mark.parametrize("seed", range(3))
def test_rows_in_any_order_and_weights_as_repeated_rows(seed):
    X, _, w = mixed(seed, 30, 1)
    lots = np.random.default_rng(seed)
    y = lots.normal(size=30).round(1)
    some, again = lots.permutation(30), np.repeat(np.arange(30), w)
    for depth in (1, 2, 3):
        def fitted(rows, weights=None):
            model = OptimalTreeRegressor(max_depth=depth, leaf_cost=0.01)
            return model.fit(X.iloc[rows], y[rows], weights)
        one = fitted(np.arange(30), w)
        for other in (fitted(some, w[some]), fitted(again), fitted(some, w[some] * 0.1)):
            assert (other.loss_, other.n_best_) == (one.loss_, one.n_best_)
            assert np.array_equal(other.tree_.feature, one.tree_.feature)
            assert np.array_equal(other.tree_.t, one.tree_.t, equal_nan=True)
        assert fitted(some, w[some]).tree_ == one.tree_

def test_rows_of_weight_zero_are_absent():
    X, y, w = [[0.0], [1], [2], [3]], [1, 2, 5, 900], [1, 1, 1, 0]
    model = OptimalTreeRegressor(max_depth=1).fit(X, y, w)
    assert model.tree_ == OptimalTreeRegressor(max_depth=1).fit(X[:3], y[:3]).tree_

def test_no_tree_of_cart_is_better():
    for seed in range(5):
        X, _, _ = mixed(seed, 60, 1)
        y = np.random.default_rng(seed).normal(size=60)
        for depth in (1, 2, 3):
            best = OptimalTreeRegressor(max_depth=depth).fit(X[["a", "b"]], y)
            greedy = CARTRegressor(max_depth=depth).fit(X[["a", "b"]], y).predict(X[["a", "b"]])
            off = ((best.predict(X[["a", "b"]]) - y)**2).mean()
            assert best.loss_ == pytest.approx(off, rel=1e-14)
            assert best.loss_ <= ((greedy - y)**2).mean() * (1 + 1e-14)

@pytest.mark.parametrize("depth", (1, 2, 3, 4))
def test_without_errors_it_is_a_matter_of_labels(depth):
    "Trees without any error are counted as those of classes are, and found as soon."
    lots = np.random.default_rng(depth)
    X = lots.integers(0, 5, (300, 4)).astype(float)
    y = ((X[:, 0] > 1) * 3.5 + (X[:, 1] > 2))[:, None].sum(axis=1)
    labels = np.unique(y, return_inverse=True)[1]
    number = OptimalTreeRegressor(max_depth=depth).fit(X, y)
    word = OptimalTreeClassifier(max_depth=depth, count=True).fit(X, labels)
    assert (number.loss_ == 0) == (depth > 1) and number.status_ == "optimal"
    if depth > 1:
        assert number.n_best_ == word.n_best_ and number.get_n_leaves() == 4
        assert np.array_equal(number.tree_.feature, word.tree_.feature)

def test_tables_without_a_choice():
    for X, y in (([[1.0]], [3.5]), ([[1.0], [2.0]], [7, 7]), ([[np.nan], [np.nan]], [0, 1]),
                 ([[5.0], [5.0]], [1, 2])):
        for depth in (1, 3):
            found = grow_optimal_squares(X, y, max_depth=depth)
            assert found.tree.n_leaves == 1 and found.proved and found.n_best == 1
            assert found.loss == np.var(y)
    assert grow_optimal_squares([[1.0], [2.0]], [0, 2], leaf_cost=1.0).tree.n_leaves == 1
    assert grow_optimal_squares([[1.0], [2.0]], [0, 2], leaf_cost=0.9).tree.n_leaves == 2
    assert grow_optimal_squares([[1.0], [2.0]], [0, 2], leaf_cost=1e300).loss == 1e300

def waves(n=80):
    lots = np.random.default_rng(0)
    X = lots.normal(size=(n, 4))
    return X, X[:, :3].prod(axis=1) + lots.normal(size=n)

def test_a_time_limit_keeps_the_best_tree_so_far():
    X, y = waves()
    model = OptimalTreeRegressor(max_depth=3, time_limit=0).fit(X, y)
    assert model.status_ == "time limit" and 0 <= model.lower_bound_ < model.loss_
    assert model.n_best_ is None and "no tree of depth 3 has less than" in model._repr_html_()
    assert model.loss_ == pytest.approx(((model.predict(X) - y)**2).mean(), rel=1e-14)
    greedy = CARTRegressor(max_depth=3).fit(X, y).predict(X)
    assert model.loss_ <= ((greedy - y)**2).mean() * (1 + 1e-14)
    best = OptimalTreeRegressor(max_depth=3).fit(X, y)
    assert model.lower_bound_ <= best.loss_ < model.loss_

def test_the_clock_ends_a_search_at_any_time(monkeypatch):
    "A clock that moves by one at each look: every bound is true, losses fall, the last is proved."
    X, y = waves(40)
    found = []
    for seconds in (0, 3, 10, 30, 100, 200, 300, 400, 10**9):
        ticks = iter(range(10**9))
        monkeypatch.setattr(optimal, "monotonic", lambda: next(ticks))
        found.append(grow_optimal_squares(X, y, max_depth=3, time_limit=seconds))
        if not found[-1].proved: assert next(ticks) <= seconds + 12
    losses, bounds = [f.loss for f in found], [f.lower_bound for f in found]
    assert found[-1].proved and bounds[-1] == losses[-1] and not found[0].proved
    assert losses == sorted(losses, reverse=True) and bounds == sorted(bounds)
    assert max(bounds) <= losses[-1]

def test_time_can_end_between_the_search_and_the_decision(monkeypatch):
    "Then the tree is there, and the bound is below its loss by no more than the slack."
    X, y = waves(60)
    best = grow_optimal_squares(X, y, max_depth=2)
    def no_time(*_): raise TimeoutError
    monkeypatch.setattr("dtree_lit.learners.optimal_regressor.first_tests", no_time)
    late = grow_optimal_squares(X, y, max_depth=2)
    assert not late.proved and late.tree == best.tree and late.loss == best.loss
    assert best.loss * (1 - 1e-9) < late.lower_bound < best.loss

def test_it_can_be_interrupted(monkeypatch):
    def interrupted(*_): raise KeyboardInterrupt
    monkeypatch.setattr(optimal, "open_positions", interrupted)
    with pytest.raises(KeyboardInterrupt): OptimalTreeRegressor().fit(*waves(40))

def test_it_is_a_tree_like_any_other(tmp_path):
    X, _, w = mixed(0, 60, 1)
    y = np.random.default_rng(0).normal(size=60)
    model = OptimalTreeRegressor(max_depth=3).fit(X, y, w)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all() and again.tree_ == model.tree_
    save(model, tmp_path / "m.json")
    kept = load(tmp_path / "m.json")
    assert (kept.predict(X) == model.predict(X)).all()
    assert model.tree_.recount(X, y, w) == model.tree_
    assert "the mean of" in model.tree_.text()
    missing = pd.DataFrame({"x": [None, None, 1.0, 2]})
    alone = OptimalTreeRegressor(max_depth=1).fit(missing, [1, 1, 0, 0])
    assert alone.predict(missing).tolist() == [1, 1, 0, 0] and "missing" in alone.tree_.text()

@pytest.mark.parametrize("parameters, said", [
    (dict(max_depth=5), "'max_depth' of OptimalTreeRegressor must be an int in the range .1, 4]"),
    (dict(leaf_cost=-0.1), "'leaf_cost'"), (dict(time_limit=-1), "'time_limit'"),
    (dict(leaf_cost=np.inf), "leaf_cost is inf, and must be a number from 0 to 1e300")])
def test_parameters_are_checked(parameters, said):
    with pytest.raises(ValueError, match=said):
        OptimalTreeRegressor(**parameters).fit([[0], [1]], [0, 1])

@pytest.mark.parametrize("y, how, said", [
    ([0, 1], dict(max_depth=0), "max_depth is 0, and must be a whole number from 1 to 4"),
    ([0, 1], dict(leaf_cost=-1), "leaf_cost is -1, and must be a number from 0 to 1e300"),
    ([[0, 1], [1, 0]], {}, "y has 2 columns, and must have one"),
    ([0, 1e300], {}, r"y\[1\] is 1e\+300, and must be a number below 1e150"),
    ([0, 1], dict(weights=[1, -1]), r"weights\[1\] is -1.0"),
    ([0, 1], dict(weights=[0, 0]), "all weights are zero")])
def test_the_function_checks_what_it_gets(y, how, said):
    with pytest.raises(ValueError, match=said): grow_optimal_squares([[0], [1]], y, **how)

def test_the_checker_of_classes_refuses_it():
    model = OptimalTreeRegressor().fit([[0], [1]], [0.5, 1])
    with pytest.raises(ValueError, match="checks trees of OptimalTreeClassifier and grow_optimal"):
        check_optimal(model, [], [[0], [1]], [0.5, 1])
    with pytest.raises(TypeError, match="certify"): OptimalTreeRegressor(certify=True)

@pytest.mark.parametrize("Model", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_progress(Model, monkeypatch, capsys):
    "By a clock that goes on by a second at each look: the loss falls, and the bound rises to it."
    seconds = iter(range(10**6))
    monkeypatch.setattr(optimal, "monotonic", lambda: next(seconds))
    r = np.random.default_rng(0)
    X, y = r.normal(size=(60, 4)), r.integers(0, 3, 60)
    model = Model(max_depth=3, verbose=1, leaf_cost=0.01).fit(X, y)
    told = [line.split() for line in capsys.readouterr().err.splitlines()]
    losses, bounds = ([float(words[i].strip(",")) for words in told] for i in (1, -1))
    assert 2 < len(told) < 20 and losses == sorted(losses, reverse=True)
    assert bounds == sorted(bounds) and bounds[-1] <= model.loss_ * (1 + 1e-5)
    assert model.loss_ <= losses[-1] * (1 + 1e-5)
    assert Model(max_depth=3).fit(X, y) and not capsys.readouterr().err
