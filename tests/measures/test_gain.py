"Gains and candidates under inputs that nobody chose by hand, and against another program."
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from dtree_lit.measures.candidates import candidates, counts_by_value, midpoint, parts_at_cuts
from dtree_lit.measures.entropy import entropy
from dtree_lit.measures.explorers import ThresholdExplorer
from dtree_lit.measures.gain import gain, gain_ratio, gini_gain, split_information
from dtree_lit.measures.spread import moments, sdr
from dtree_lit.workshop.jit import interpreted
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import mutual_info_score

shapes = st.tuples(st.integers(1, 6), st.integers(1, 5))
tables = shapes.flatmap(lambda shape: arrays(float, shape,
                                             elements=st.integers(0, 10**6).map(float)))
doubles = st.floats(allow_nan=False)
columns = st.lists(st.tuples(doubles, st.integers(0, 2)), max_size=40)

@given(tables)
def test_bounds(parts):
    IG = gain(parts)
    assert -1e-12 <= IG <= min(entropy(parts.sum(axis=0)), split_information(parts)) + 1e-9
    assert -1e-12 <= gini_gain(parts) <= 1 and -1e-12 <= gain_ratio(parts) <= 1 + 1e-9

@given(tables)
def test_gain_is_mutual_information(parts):
    other = mutual_info_score(None, None, contingency=parts) / np.log(2) if parts.sum() else 0.0
    assert gain(parts) == pytest.approx(other, abs=1e-9)

@given(tables, st.randoms(use_true_random=False))
def test_order_of_parts_does_not_matter(parts, random):
    rows = list(parts)
    random.shuffle(rows)
    for f in (gain, gain_ratio, gini_gain): assert f(rows) == pytest.approx(f(parts), abs=1e-12)

@given(st.lists(st.lists(st.floats(-1e3, 1e3), max_size=9), min_size=1, max_size=4))
def test_sdr_is_never_negative(parts):
    about = np.mean(sum(parts, [])) if any(parts) else 0.0
    assert sdr([moments(p, about) for p in parts]) >= -1e-6

def test_forms_of_a_table():
    parts = [[2, 3], [4, 0], [3, 2]]
    frame = pd.DataFrame(parts, index=["horizontal", "diagonal", "vertical"],
                         columns=["square", "triangle"])
    assert (gain(parts) == gain(np.array(parts)) == gain(frame)
            == gain(dict(zip(frame.index, parts))))

@given(doubles, doubles)
def test_midpoint_divides(a, b):
    a, b = sorted((a, b))
    if a == b: return
    t = midpoint(a, b)
    assert a < t <= b and np.float64(interpreted(midpoint)(np.float64(a), np.float64(b))) == t

@given(st.floats(2.0**1023, np.finfo(float).max), st.floats(2.0**1023, np.finfo(float).max),
       st.sampled_from([-1.0, 1.0]))
def test_a_midpoint_whose_sum_overflows(a, b, sign):
    "The middle, rounded once; or the upper value, where it rounds to the lower one."
    a, b = sorted((sign * a, sign * b))
    if a == b: return
    middle = float((Fraction(a) + Fraction(b)) / 2)
    assert midpoint(a, b) == (middle if middle > a else b)

@given(columns)
def test_candidates_divide_as_every_threshold_does(rows):
    x, y = (np.array([r[i] for r in rows], t) for i, t in ((0, float), (1, int)))
    values, counts = counts_by_value(x, y, 3)
    t = candidates(x)
    assert len(t) == max(len(values) - 1, 0) and np.all(values[:-1] < t) and np.all(t <= values[1:])
    for s, (T, F) in zip(t, parts_at_cuts(counts)):
        assert ((np.bincount(y[x >= s], minlength=3) == T).all()
                and (np.bincount(y[x < s], minlength=3) == F).all())

@given(columns, st.randoms(use_true_random=False))
def test_rows_in_any_order(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    tables = [counts_by_value(np.array([r[0] for r in rs]), np.array([r[1] for r in rs], int), 3)
              for rs in (rows, shuffled)]
    assert all((a == b).all() for a, b in zip(*tables))

def test_forms_of_a_column():
    x, y = [1.5, 2, 2], [0, 1, 1]
    tables = [counts_by_value(*(f(v) for v in (x, y))) for f in (list, tuple, np.array, pd.Series)]
    assert counts_by_value(x, np.zeros(len(x), int))[1].shape[1] == 1
    assert all(t[0].tolist() == [1.5, 2] and t[1].tolist() == [[1, 0], [0, 2]] for t in tables)

@pytest.mark.parametrize("call, sentence", [
    (lambda: gain([[1, 2], [3]]), r"these have \[2, 1\] counts"),
    (lambda: gain([[1, -2]]), r"counts\[1\] is -2"), (lambda: sdr([[1, 2]]), r"shape \(1, 2\)"),
    (lambda: candidates([1, np.nan]), r"x\[1\] is nan"),
    (lambda: midpoint(2, 1), "the smaller first"),
    (lambda: midpoint(np.nan, 1), "the smaller first"),
    (lambda: ThresholdExplorer([1, np.inf], [0, 1], feature="height"),
     "height holds infinite values"),
    (lambda: ThresholdExplorer([1, 1], [0, 1]), "x has 1 distinct values"),
    (lambda: gain([]), "a row of counts for each part"),
    (lambda: gain([9, 5]), "a row of counts for each part"),
    (lambda: gain(5), "a row of counts for each part"),
    (lambda: counts_by_value([1.0], [1e10]), "y holds 10000000000"),
    (lambda: ThresholdExplorer(range(6000), [0, 1] * 3000), "6000 distinct values"),
    (lambda: sdr([[-3, 1, 2]]), "n is -3"), (lambda: sdr([[3, np.nan, 2]]), "the sum nan"),
    (lambda: counts_by_value([1, 2, 3], [0, 1, -1]), "y holds -1"),
    (lambda: counts_by_value([1, 2], [0, 1.7]), "y holds 1.7"),
    (lambda: counts_by_value([1, 2], [0, 2], 2), "y holds 2,"),
    (lambda: counts_by_value([1], [0, 1]), "1 values and y has 2 labels"),
    (lambda: counts_by_value([1, np.nan], [0, 1]), r"x\[1\] is nan"),
    (lambda: candidates([[1, 2], [3, 4]]), r"shape \(2, 2\)"),
    (lambda: candidates(["sun", "rain"]), r"x\[0\] is 'sun', which is no number"),
    (lambda: candidates(3), "of the type int"),
    (lambda: counts_by_value([2**53, 2**53 + 1], [0, 1]), "as float64"),
    (lambda: midpoint(2**53, 2**53 + 1), "the smaller first"),
])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence): call()

def test_no_examples_no_gain():
    assert (gain([[0, 0], [0, 0]]) == gain_ratio([[0, 0]]) == gini_gain([[0, 0]]) == 0
            and sdr([[0, 0, 0]]) == 0 and len(candidates([])) == 0)

def test_no_name_can_end_the_script():
    page = ThresholdExplorer([1, 2], [0, 1], feature="</script><!--{{data}}")._repr_html_()
    assert page.count("</script>") == 1 and "<!--{{" not in page
