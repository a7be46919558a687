"How many trees are as good as the best one: the count against all trees, and its own promises."
import numpy as np
import pytest
from dtree_lit import grow_optimal, OptimalTreeClassifier
from dtree_lit.learners import optimal
from helpers.small_tables import as_frame, mixed, numbers_of_trees, price_of, small_table

def counted(X, y, weights=None, **how):
    return OptimalTreeClassifier(count=True, **how).fit(X, y, weights).n_best_

@pytest.mark.parametrize("part", range(3))
def test_equal_to_the_count_of_all_trees(part):
    several = 0
    for seed in range(100 * part, 100 * part + 100):
        columns, y, w, leaf_cost = small_table(seed)
        for depth in (1, 2, 3):
            numbers = numbers_of_trees(columns, y.tolist(), w.tolist(), depth,
                                       price_of(leaf_cost, w))
            found = counted(as_frame(columns), y, w, max_depth=depth, leaf_cost=leaf_cost)
            assert found == numbers[min(numbers)], (seed, depth)
            several += found > 1
    assert several > 60

@pytest.mark.parametrize("seed", range(5))
def test_rows_and_columns_in_any_order_and_weights_as_repeated_rows(seed):
    X, y, w = mixed(seed, 40, 1)
    lots = np.random.default_rng(seed)
    some, again = lots.permutation(len(y)), np.repeat(np.arange(len(y)), w)
    for depth in (1, 2):
        how = dict(max_depth=depth, leaf_cost=0.01)
        number = counted(X, y, w, **how)
        assert number == counted(X.iloc[some, lots.permutation(4)], y[some], w[some] * 0.1, **how)
        assert number == counted(X.iloc[again], y[again], **how)

def test_equal_columns_are_two_features():
    "A column that is there twice gives two tests for one: each split doubles the number of trees."
    for seed in range(30):
        columns, y, w, leaf_cost = small_table(seed)
        X, how = as_frame(columns), dict(max_depth=1 + seed % 3, leaf_cost=leaf_cost)
        once = OptimalTreeClassifier(count=True, **how).fit(X, y, w)
        splits = once.get_n_leaves() - 1
        assert counted(as_frame([*columns, *columns]), y, w, **how) == once.n_best_ * 2**splits
    assert grow_optimal([[0, 5, 0], [1, 6, 0]], [0, 1], count=True).n_best == 2

def test_large_numbers_are_exact():
    "Parity of four columns takes all of them on each path, in any order; 25 copies of each."
    board = np.array([[i >> b & 1 for b in range(4)] for i in range(16)], float)
    odd = board.sum(axis=1).astype(int) % 2
    assert counted(board, odd, max_depth=4) == 4 * 3**2 * 2**4
    assert counted(np.repeat(board, 25, axis=1), odd, max_depth=4) == 576 * 25**15 > 2**64

def test_tables_without_a_choice():
    for X, y in (([[1.0]], [0]), ([[1.0], [2.0]], [1, 1]), ([[np.nan], [np.nan]], [0, 1])):
        assert grow_optimal(X, y, count=True).n_best == 1
    assert grow_optimal([[1.0], [2.0]], [0, 1]).n_best is None
    assert grow_optimal([[1.0], [2.0]], [0, 1], leaf_cost=0.5, count=True).n_best == 1

def test_with_a_certificate():
    X, y, w = mixed(3, 40, 1)
    one, both = (OptimalTreeClassifier(certify=True, count=c).fit(X, y, w) for c in (False, True))
    assert np.array_equal(one.certificate_, both.certificate_) and one.n_best_ is None
    assert both.n_best_ == counted(X, y, w)

def test_the_clock_ends_the_count(monkeypatch):
    "A clock that moves by one at each look: the number is right, or not there; few looks follow."
    lots = np.random.default_rng(0)
    X, y = lots.integers(0, 9, (40, 3)), lots.integers(0, 2, 40)
    kinds = [("time limit", None), ("optimal", None), ("optimal", counted(X, y, max_depth=3))]
    found = []
    for seconds in (0, *2**np.arange(12)):
        clock = iter(range(10**9))
        monkeypatch.setattr(optimal, "monotonic", lambda: next(clock))
        model = OptimalTreeClassifier(max_depth=3, time_limit=int(seconds), count=True).fit(X, y)
        found.append(kinds.index((model.status_, model.n_best_)))
        assert found[-1] == 2 or next(clock) <= seconds + 3
    assert found == sorted(found) and {*found} == {0, 1, 2}

def test_a_count_can_be_interrupted(monkeypatch):
    def interrupted(*_): raise KeyboardInterrupt
    monkeypatch.setattr(optimal, "first_tests", interrupted)
    with pytest.raises(KeyboardInterrupt): counted([[0], [1]], [0, 1])

def test_a_notebook_says_what_is_proved():
    xor, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    def told(X=xor, y=y, **how): return OptimalTreeClassifier(**how).fit(X, y)._repr_html_()
    assert "<p>No tree of depth 2 has a smaller loss than this one, 0.</p>" in told()
    assert "It is one of 2 that are as good." in told(count=True)
    assert "No other tree is as good." in told([[0], [1], [1], [0]], count=True)
    X, y, _ = mixed(0, 60, 1)
    assert "no tree of depth 3 has less than" in told(X, y, max_depth=3, time_limit=0)
    assert "<p>" not in OptimalTreeClassifier()._repr_html_()
