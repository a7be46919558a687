"The measures of 110_entropy under inputs that nobody chose by hand."
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from dtree_lit.measures.entropy import entropy, gini, misclassification, self_information
from dtree_lit.measures.spread import moments, std, variance
from dtree_lit.workshop.jit import interpreted
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

LABELS, NUMBERS = (entropy, gini, misclassification), (variance, std)
count = st.one_of(st.integers(0, 10**12).map(float), st.floats(0, 1e100))
tables = st.integers(1, 8).flatmap(lambda K: arrays(float, (2, K), elements=count))
rows = st.lists(st.floats(-1e6, 1e6), max_size=30)

@given(tables)
def test_superadditive(ab):
    a, b = ab
    for phi in LABELS:
        F = [c.sum() * phi(c) for c in (a + b, a, b)]
        assert F[0] >= F[1] + F[2] - 1e-12 * (a + b).sum()
        assert 0 <= phi(a) <= np.log2(len(a)) + 1e-12

@given(rows, rows)
@example([0.0, 6.2748451889514055e-158], [6.2748451889514055e-158] * 2)     # squares lose digits
def test_superadditive_numbers(a, b):
    about = np.mean(a + b) if a + b else 0.0
    ma, mb = (np.array(moments(y, about)) for y in (a, b))
    for phi in NUMBERS:
        F = [m[0] * phi(*m) for m in (ma + mb, ma, mb)]
        # squares of 1e6: a millionth is rounding
        assert F[0] >= F[1] + F[2] - 1e-6 * (1 + abs(F[0]))

@given(tables)
def test_interpreted_is_compiled(ab):
    "Up to the last digits: numpy's own sum adds in another order."
    for phi in LABELS: assert phi(ab[0]) == pytest.approx(interpreted(phi)(ab[0]), abs=1e-12)

@given(rows)
def test_interpreted_moments(y):
    assert moments(y) == pytest.approx(interpreted(moments)(np.array(y, float)), rel=1e-14)

@given(tables, st.randoms(use_true_random=False))
def test_names_of_classes_do_not_matter(ab, random):
    shuffled = list(ab[0])
    random.shuffle(shuffled)
    for phi in LABELS: assert phi(shuffled) == pytest.approx(phi(ab[0]), rel=1e-12, abs=1e-12)

@pytest.mark.parametrize("counts", [[9, 5], (9, 5), np.array([9, 5]), np.array([9, 5], np.uint8),
                                    pd.Series([9, 5]), {"yes": 9, "no": 5}.values(),
                                    {"yes": 9, "no": 5}, Counter("y" * 9 + "n" * 5),
                                    pd.Series(["y"] * 9 + ["n"] * 5).value_counts()])
def test_counts_in_any_form(counts):
    assert round(entropy(counts), 3) == 0.940

@pytest.mark.parametrize("measure", LABELS)
def test_no_examples(measure):
    assert measure([]) == measure([0, 0]) == 0

@pytest.mark.parametrize("args, sentence", [
    ((entropy, [9, -5]), r"counts\[1\] is -5.0"), ((gini, [1, np.nan]), r"counts\[1\] is nan"),
    ((misclassification, [np.inf]), r"counts\[0\] is inf"),
    ((entropy, [[1, 2], [3, 4]]), r"shape \(2, 2\)"),
    ((self_information, 1.5), "1.5 is not a probability"),
    ((self_information, np.nan), "nan is not a probability"),
    ((entropy, 5), "of the type int"), ((entropy, "95"), "of the type str"),
    ((entropy, [1e308, 1e308]), "too large to be added"),
    ((entropy, pd.DataFrame([[9, 5]])), r"shape \(1, 2\)"), ((variance, 1, 5, 1), "no 1 numbers"),
    ((variance, 3, np.nan, 2), "no 3 numbers"), ((std, 1, 1, np.inf), "no 1 numbers"),
    ((moments, [1, np.nan]), r"y\[1\] is nan"), ((moments, [[1.0]]), r"shape \(1, 1\)"),
    ((variance, -1, 0, 0), "n is -1"),
])
def test_refusals(args, sentence):
    with pytest.raises(ValueError, match=sentence): args[0](*args[1:])

def test_subnormal_and_huge_weights():
    tiny, huge = 5e-324, 1e308
    assert (entropy([tiny, tiny]) == 1 and entropy([tiny, 1]) == pytest.approx(0, abs=1e-300)
            and entropy([huge / 4] * 4) == pytest.approx(2))

def test_variance_never_negative():
    assert variance(*moments([0.1] * 3)) >= 0 and std(*moments([1e9 + 0.1] * 7)) >= 0

def test_kernels_are_pickled_by_name():
    assert (pickle.loads(pickle.dumps(entropy)) is entropy
            and repr(entropy).startswith("entropy(counts"))
