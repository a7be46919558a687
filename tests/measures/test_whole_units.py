"Numbers become whole numbers that are as fine as their sums allow."
import numpy as np
import pytest
from dtree_lit.measures.whole_units import told_exactly, whole_numbers


@pytest.mark.parametrize("rows, outputs", [(3, 1), (100, 64), (5, 1000), (40_000, 2)])
def test_the_sum_over_all_rows_and_outputs_has_room(rows, outputs):
    lots = np.random.default_rng(rows)
    y = lots.choice([-1, 1], (rows, outputs)) * lots.uniform(0.9, 1, (rows, outputs))
    y[:2] = [[-1], [1]]                                 # the middle is 0
    for w in np.ones(rows, np.int64), lots.integers(1, 9, rows):
        _, times, unit, unit_of_times = whole_numbers(y, w)
        assert 2**53 < np.abs(times).sum() <= 2**56
        assert np.abs(times * unit_of_times - y * w[:, None]).max() <= unit / 2 * w.max()

def test_sums_longer_than_a_double_are_not_told_exactly():
    "The next larger sum has 54 binary digits."
    for unit in (1.0, 3.0, 3602879701896397.0):
        most = int(2**53 // unit)
        for many, told in ((most - 1, True), (most, False)):
            assert told_exactly(np.array([many, 1]), unit, [many * unit, unit]) == told
