"""C4.5, word for word: exact comparisons, thresholds that occur, shares, and rules of thumb at
their edges; and its estimator."""
import pickle
from fractions import Fraction
from math import inf, log2, nextafter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from dtree_lit import C45Classifier, load, save, PruningPlayer
from dtree_lit.learners import c45_loop
from dtree_lit.learners.c45 import grow_c45, offer_of_codes, offer_of_list, sign_of_products
from dtree_lit.measures.exact_scores import Logs
from dtree_lit.pruning.error_based import error_based_pruning
from dtree_lit.pruning.subtree_raising import RAISE
from dtree_lit.workshop import jit
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.renting import buy, compiled
from helpers.c45_tables import is_leaf, nested, rows_of, schema_of, some_table
from helpers.pages import on_page

C45 = on_page("465_c45")
c45_shares, c45_spec, named_threshold = C45.c45_shares, C45.c45_spec, C45.named_threshold
error_based_spec = on_page("570_error_based").error_based_spec

NUMBER = None

def value(logs): return sum(float(a) * log2(k) for k, a in logs.items() if a)

sums = st.dictionaries(st.integers(1, 300),
                       st.integers(-40, 40) | st.fractions(-3, 3, max_denominator=9),
                       max_size=4).map(Logs)

@given(sums, sums, sums, sums)
def test_products_are_compared_as_by_rounding_where_rounding_can_tell(a, b, c, d):
    rough = value(a) * value(b) - value(c) * value(d)
    if abs(rough) > 1e-6: assert sign_of_products(a, b, c, d) == (1 if rough > 0 else -1)
    assert (sign_of_products(a, b, c, d) == -sign_of_products(c, d, a, b)
            and sign_of_products(a, b, b, a) == 0)

def test_products_that_are_equal_by_the_rules_of_logarithms():
    two, three = Logs({2: 1}), Logs({3: 1})
    assert sign_of_products(Logs({4: 1}), three, two, Logs({9: 1})) == 0
    assert sign_of_products(Logs({12: 1}), Logs({12: 1}), two + two + three, two + two + three) == 0
    assert sign_of_products(Logs({8: Fraction(1, 3)}), three, two, three) == 0
    assert (sign_of_products(Logs(), two, Logs(), three) == 0
            and sign_of_products(two, two, Logs(), three) == 1)

@given(st.floats(allow_nan=False), st.floats(allow_nan=False),
       st.lists(st.floats(allow_nan=False), max_size=4))
def test_a_named_threshold_parts_its_neighbors_and_names_a_value(a, b, others):
    a, b = sorted((a, b))
    if a == b: return
    values = sorted({a, b, *others})
    t = named_threshold(a, b, values)
    assert a < t <= b and nextafter(t, -inf) in values and a < named_threshold(a, b) <= b

def grow(rows, y, V, K=2, **rules): return c45_spec(rows, y, V, K, **rules)

def test_a_leaf_is_light_or_pure_or_knows_no_question():
    assert grow([(0,), (0,), (1,)], [0, 0, 1], [2]) == [2, 1]                       # less than 2 m
    assert grow([(0,), (0,), (1,), (1,)], [1] * 4, [2]) == [0, 4]
    assert grow([(0,), (0,), (1,), (1,)], [0, 1, 0, 1], [2]) == [2, 2]           # nothing is gained
    assert grow([(0,), (0,), (1,), (1,)], [0, 0, 1, 1], [2]) == ([2, 2], 0, None, [[2, 0], [0, 2]])
    assert is_leaf(grow([(0,), (0,), (0,), (1,)], [0, 0, 0, 1], [2]))     # one value alone weighs m
    assert not is_leaf(grow([(0,), (0,), (0,), (1,)], [0, 0, 0, 1], [2], least=1))

def test_a_number_pays_for_its_name():
    rows, y = [(float(i),) for i in range(8)], [0, 1] * 4
    assert (is_leaf(grow(rows, y, [NUMBER]))
            and not is_leaf(grow(rows, y, [NUMBER], mdl_penalty=False)))

def test_the_least_side_of_a_number():
    "A tenth of a class's average, between m and 25; the bound itself is enough."
    def first_side(n, pure, **rules):
        tree = grow([(float(i),) for i in range(n)], [0] * pure + [1] * (n - pure), [NUMBER],
                    mdl_penalty=False, **rules)
        return sum(counts(tree[3][0]))
    def counts(tree): return tree if is_leaf(tree) else tree[0]
    assert [first_side(140, 7), first_side(140, 6), first_side(10, 2)] == [7, 7, 2]
    assert (first_side(600, 20) == 25 and first_side(600, 28) == 28
            and first_side(90, 3, least=30) == 30)

def test_a_wide_category_is_not_averaged_but_competes():
    "Fifteen values of thirty examples are too many for the average, of sixty they are not."
    y = [i // 2 % 2 for i in range(30)]
    rows = [(i // 2, y[i] ^ (i < 4)) for i in range(30)]           # gains all; right but four times
    assert grow(rows, y, [15, 2])[1] == 1 and grow(rows, y, [15, 2], ratio=False)[1] == 0
    assert grow(rows * 2, y * 2, [15, 2])[1] == 0                 # nothing else reaches the average
    assert grow([row[:1] for row in rows], y, [15])[1] == 0               # all are wide: it counts

@pytest.mark.parametrize("tolerance", ["exact", "weka"])
def test_a_wide_category_is_not_asked_where_nothing_else_could_be(tolerance):
    "No average, no question: so do Weka's J48 and release 8. By the gain alone it is asked."
    rows, y, V = [(i // 2, 7.0) for i in range(10)], [i // 2 % 2 for i in range(10)], [5, NUMBER]
    assert is_leaf(grow(rows, y, V)) and grow(rows, y, V, ratio=False)[1] == 0
    for criterion, asks in ("gain_ratio", False), ("gain", True):
        tree = grow_c45(np.array(rows), np.array(y), schema=schema_of(V, y), criterion=criterion,
                        tolerance=tolerance)
        assert (tree.node_count > 1) == asks

@pytest.mark.parametrize("weights", [None, np.ones(16)], ids=["plain", "weights"])
def test_rows_that_prune_count_for_what_is_wide(weights):
    "Four values are wide among eleven examples, and not among sixteen: so has J48 it with -R."
    X = pd.DataFrame({"word": pd.Categorical(list("abcd") * 4), "one": np.ones(16)})
    y = np.array([0, 1, 0, 1] * 4)
    model = C45Classifier(pruning="reduced_error", random_state=0).fit(X, y, weights)
    assert model.tree_.feature[0] == 0 and (model.predict(X) == y).all()
    rows = np.column_stack([X["word"].cat.codes, X["one"]])[:11].astype(float)
    alone, with_others = (grow_c45(rows, y[:11], schema=model.tree_.schema, of_all=n)
                          for n in (None, 16))
    assert alone.node_count == 1 < with_others.node_count

def test_a_number_whose_charge_is_its_gain_does_not_count_for_the_average():
    "Four cuts cost two bits, and the best of them gains two: rounding leaves open if it counts."
    x = [2.0, 3, 4, 4, 5, 5, 5, 6]
    words, y = [[0, 0, 1, 0, 0, 1, 1, 1], [1, 0, 1, 1, 1, 1, 1, 1],
                [1, 0, 0, 0, 1, 0, 1, 1]], [1, 0, 1, 2, 0, 0, 1, 0]
    V, X = [NUMBER, 2, 2, 2], np.array([x, *words]).T
    tree = grow_c45(X, np.array(y), schema=schema_of(V, y), min_weight=1)
    assert nested(tree) == told(grow(rows_of(X, V), y, V, K=3, least=1), V, 1)

def test_one_value_against_the_rest():
    rows, y = [(v,) for v in (0, 0, 1, 1, 2, 2)], [0, 0, 1, 1, 0, 0]
    assert grow(rows, y, [3], one_value=True) == ([4, 2], 0, 1, [[4, 0], [0, 2]])

@pytest.mark.parametrize("tiny, nodes", [(4e-7, 1), (4e-6, 5)])
def test_what_weighs_a_millionth_is_not_searched_as_in_weka(tiny, nodes):
    "Weights are in units, and Weka's tolerance is not."
    X, y = np.arange(12.0)[:, None], np.arange(12) // 10
    tree = grow_c45(X, y, np.where(y, tiny, 1e-4), schema=schema_of([NUMBER], y), min_weight=1e-8,
                    mdl_penalty=False, tolerance="weka")
    assert tree.node_count == nodes

def test_an_open_question_weighs_a_value_against_all_others():
    "Only the second value is pure; the exact comparison counts each row once."
    terms = SimpleNamespace(groups=False, one_value=True, least=1, unit=1)
    offer = offer_of_codes(np.array([[3, 1], [0, 4], [2, 2]]), 12, terms)
    assert offer.test == 1 and offer.sizes == [4, 8]

def test_shares_go_down_and_come_back():
    one = 3 * 2**20
    rows, y = [(0,), (0,), (1,), (None,)], [0, 0, 1, 1]
    tree = grow(rows, y, [2], one=one, least=1)
    assert (tree[0] == [2 * one, 2 * one]
            and tree[3] == [[2 * one, 2 * one // 3], [0, one + one // 3]])
    assert c45_shares(tree, (0,)) == pytest.approx([3/4, 1/4]) and c45_shares(tree, (1,)) == [0, 1]
    assert c45_shares(tree, (None,)) == pytest.approx([1/2, 1/2])

def test_an_empty_leaf_answers_as_its_parent():
    tree = grow([(0,), (0,), (2,), (2,)], [0, 0, 1, 1], [3])
    assert tree[3][1] == [0, 0] and c45_shares(tree,
                                               (1,)) == [0.5, 0.5] == c45_shares(tree, (None,))

def test_more_is_asked_of_a_ratio_than_to_be_large():
    "Splitting off two of forty has the larger ratio, and less than the average gain."
    honest = [0] * 15 + [1] * 5 + [0] * 5 + [1] * 15
    lucky = [1] * 2 + [0] * 38
    y = [0] * 20 + [1] * 20
    assert grow([*zip(lucky, honest)], y, [2, 2])[1] == 1 and grow([*zip(lucky)], y, [2])[1] == 0

@given(st.integers(0, 2**32 - 1))
def test_weights_repeat_and_order_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 16))
    rows = [(int(rng.integers(3)), float(rng.integers(6)) if rng.random() < 0.8 else None)
            for _ in range(n)]
    y, order = rng.integers(0, 3, n).tolist(), rng.permutation(n)
    tree = grow(rows, y, [3, NUMBER], 3, one=2**30)
    assert tree == grow([rows[i] for i in order], [y[i] for i in order], [3, NUMBER], 3, one=2**30)
    shares = [c45_shares(tree, row) for row in [*rows, (None, None)]]
    assert np.allclose(np.sum(shares, axis=1), 1) and np.min(shares) >= 0

# The definition and what is compiled

def told(tree, V, one):
    "The definition's tree, in the same words."
    if is_leaf(tree): return [u / one for u in tree]
    D, f, test, children = tree
    if V[f] is not None: test = [v if test is None else int(v == test) for v in range(V[f])]
    return [u / one for u in D], f, test, [told(child, V, one) for child in children]

@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.booleans(),
       st.sampled_from([1, 2, 3]))
def test_the_definition_is_what_is_compiled(seed, mdl_penalty, ratio, one_value, least):
    X, y, w, V = some_table(seed)
    one = 2**30 if np.isnan(X).any() else 1
    tree = grow_c45(X, y, w, schema=schema_of(V, y), min_weight=least, mdl_penalty=mdl_penalty,
                    criterion="gain_ratio" if ratio else "gain", binary=one_value and "value")
    weights = None if w is None else [int(v) * one for v in w]
    spec = grow(rows_of(X, V), y.tolist(), V, max(y) + 1, weights=weights, one=one, least=least,
                mdl_penalty=mdl_penalty, ratio=ratio, one_value=one_value)
    assert nested(tree) == told(spec, V, one)
    ways = np.where(np.random.default_rng(seed).random(X.shape) < 0.2, np.nan, X)
    assert np.allclose(tree.predict_proba(ways), [c45_shares(spec, row)
                                                  for row in rows_of(ways, V)])

@pytest.mark.parametrize("columns", [1, 2])
def test_a_gain_that_rounding_does_not_see(columns):
    """One example more in hundreds of millions, of a question that nothing is charged for, alone
    and with a copy."""
    X, y, w = (np.repeat([[0.0], [0], [1], [1]], columns, axis=1), [0, 1, 0, 1],
               np.array([10**8] * 3 + [10**8 + 1]))
    for V in ([None] * columns, [2] * columns):
        tree = grow_c45(X, y, w, schema=schema_of(V, y))
        assert (nested(tree) == told(grow(rows_of(X, V), y, V, weights=w.tolist()), V, 1)
                and tree.node_count == 3)
        assert grow_c45(X, y, np.full(4, 10**8), schema=schema_of(V, y)).node_count == 1

@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([0.1, 0.25, 0.5]))
def test_the_definition_of_pruning_is_what_is_compiled(seed, raising, confidence):
    X, y, w, V = some_table(seed, most=60)
    tree = grow_c45(X, y, w, schema=schema_of(V, y), min_weight=1, mdl_penalty=False)
    (spec, one), (left, other) = (f(tree, X, y, w, confidence=confidence, **{name: raising})
                                  for f, name in ((error_based_spec, "raising"),
                                                  (error_based_pruning, "subtree_raising")))
    assert (nested(left)[1:3] == nested(spec)[1:3] and np.array_equal(left.feature, spec.feature)
            and np.array_equal(left.width, spec.width))
    assert np.allclose(left.counts, spec.counts, atol=1e-6) and np.array_equal(one.done, other.done)
    for name in ("leaf", "subtree", "branch"):
        assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-6)

MAPS = [lambda x: x**3 - 7, np.exp, lambda x: x / 1024 + 1e6, lambda x: np.where(x < 3, x, x * 1e9)]

@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from(MAPS))
def test_an_increasing_map_of_a_number_keeps_the_partition(seed, f):
    "Without raising, which sends rows where they have not grown."
    X, y, w, V = some_table(seed)
    numbers = [j for j, v in enumerate(V) if v is None]
    Z = X.copy()
    Z[:, numbers] = f(X[:, numbers])
    books = [v and [*range(v)] for v in V]
    model = C45Classifier(categories=books, min_weight=1, subtree_raising=False,
                          mdl_penalty=seed % 2 > 0)
    one, other = clone(model).fit(X, y, w), clone(model).fit(Z, y, w)
    assert (np.array_equal(one.tree_.feature, other.tree_.feature)
            and one.tree_.counts.tobytes() == other.tree_.counts.tobytes())
    assert np.array_equal(one.predict_proba(X), other.predict_proba(Z))

@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 1, 3]))
def test_a_constant_column_changes_nothing(seed, width):
    """As a number, or a category of which one value occurs. (Among wide categories only, it
    would change whose gain is averaged.)"""
    X, y, w, V = some_table(seed)
    if None not in V: V[0], X[:, 0] = None, np.nan_to_num(X[:, 0])
    def fitted(X, V):
        return C45Classifier(categories=[v and [*range(v)] for v in V], min_weight=1).fit(X, y, w)
    one, other = fitted(X, V), fitted(np.column_stack([np.zeros(len(y)), X]), [width, *V])
    moved = np.where(one.tree_.width > 0, one.tree_.feature + 1, -2)
    assert np.array_equal(moved, other.tree_.feature)
    assert one.tree_.counts.tobytes() == other.tree_.counts.tobytes()

# The estimator

REDUCED = C45Classifier(pruning="reduced_error", binary="value", tolerance="weka", random_state=0)
LOTS = dict.fromkeys([f"check_sample_weight_equivalence_on_{kind}_data"
                      for kind in ("dense", "sparse")],
                     "of two equal rows one may grow and the other prune; a row of weight two does "
                     "either")

@parametrize_with_checks([C45Classifier(),
                          C45Classifier(criterion="gain", mdl_penalty=False, pruning=None,
                                        collapse=False, thresholds="midpoints", min_weight=0.5,
                                        max_depth=3), REDUCED],
                         expected_failed_checks=lambda model: LOTS
                         if model.pruning == "reduced_error" else {})
def test_scikit_learns_checks(estimator, check): check(estimator)

COLOURS = ["red", "green", "blue", "violet"]

def days(seed=0, n=150, gaps=0.15):
    "A frame with two numbers and a declared category, and labels in words."
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(dict(size=rng.normal(size=n).round(1),
                          colour=pd.Categorical(rng.choice(COLOURS[:3], n), COLOURS),
                          count=rng.integers(0, 9, n).astype(float)))
    y = np.where((X["size"] > 0) & (X["colour"] != "red") ^ (rng.random(n) < 0.15), "yes", "no")
    for name in X: X.loc[rng.random(n) < gaps, name] = np.nan
    return X, y

MODELS = [C45Classifier(), C45Classifier(min_weight=1, mdl_penalty=False, binary="value",
                                         subtree_raising=False),
          C45Classifier(pruning=None, criterion="gain", thresholds="midpoints"), REDUCED]

def same_bytes(a, b):
    return a.schema == b.schema and all(u.tobytes() == v.tobytes() for u, v in zip(a[:-1], b[:-1]))

@pytest.mark.parametrize("model", MODELS, ids=str)
def test_copies_and_files(model, tmp_path):
    X, y = days()
    fitted = clone(model).fit(X, y)
    p = fitted.predict_proba(X)
    assert (fitted.tree_.node_count > 1 and np.allclose(p.sum(axis=1), 1) and (p >= 0).all()
            and fitted.classes_.tolist() == ["no", "yes"])
    # but for ties, which are rounded
    assert (fitted.predict(X) == fitted.classes_[p.argmax(axis=1)]).mean() > 0.97
    again = pickle.loads(pickle.dumps(fitted))
    assert (same_bytes(again.tree_, fitted.tree_) and np.array_equal(again.predict_proba(X), p)
            and again.get_params() == fitted.get_params())
    assert (same_bytes(clone(fitted).fit(X, y).tree_, fitted.tree_)
            and fitted.feature_names_in_.tolist() == ["size", "colour", "count"])
    save(fitted, tmp_path / "tree.json")
    loaded = load(tmp_path / "tree.json").tree_
    assert (same_bytes(loaded, fitted.tree_)
            and [loaded.explain(row) for _, row in X[:9].iterrows()]
            == [fitted.tree_.explain(row) for _, row in X[:9].iterrows()])
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(X[["colour", "size", "count"]])

@pytest.mark.parametrize("model", MODELS[:3], ids=str)
def test_neither_threads_nor_the_order_of_rows_matter(model):
    X, y = days(1)
    fitted, order = clone(model).fit(X, y), np.random.default_rng(0).permutation(len(y))
    for threads in (2, -1):
        assert same_bytes(clone(model).set_params(n_jobs=threads).fit(X, y).tree_, fitted.tree_)
    other = clone(model).fit(X.iloc[order], y[order])
    assert (np.array_equal(fitted.tree_.feature, other.tree_.feature)
            and np.allclose(fitted.tree_.counts, other.tree_.counts, rtol=1e-12, atol=1e-12))
    assert np.array_equal(fitted.tree_.t, other.tree_.t, equal_nan=True)

@pytest.mark.parametrize("gaps", [0, 0.2])
@pytest.mark.parametrize("model", MODELS[:3], ids=str)
def test_weights_are_rows(model, gaps):
    """Where no value is missing to the last bit; a share is rounded once for each row, to 2**-30
    of one or, in long tables, less."""
    for seed in range(8):
        X, y = days(seed, gaps=gaps)
        w = np.random.default_rng(seed).integers(0, 4, len(y))
        i = np.repeat(np.arange(len(y)), w)
        one, other = (clone(model).fit(X, y, sample_weight=w).tree_,
                      clone(model).fit(X.iloc[i], y[i]).tree_)
        assert (np.array_equal(one.feature, other.feature)
                and np.array_equal(one.t, other.t, equal_nan=True) and one.schema == other.schema)
        assert np.allclose(one.counts, other.counts, rtol=0, atol=1e-6 if gaps else 0)

@pytest.mark.parametrize("unit", [3, 0.1, 2.0**-40, 1e9])
def test_other_units(unit):
    """Least weight and weights in grams or in tons. The charge, 25, and the pruning know what
    one is, so they are left out; and which category is too wide for the average of the ratio."""
    X, y = days(2, n=60)
    w = np.random.default_rng(2).integers(0, 4, len(y))
    rules = dict(mdl_penalty=False, pruning=None, collapse=False,
                 criterion="gain_ratio" if unit > 1 else "gain")
    one, other = (C45Classifier(min_weight=2, **rules).fit(X, y, w).tree_,
                  C45Classifier(min_weight=2 * unit, **rules).fit(X, y, w * unit).tree_)
    assert (one.node_count > 5 and np.array_equal(one.feature, other.feature)
            and np.allclose(one.counts * unit, other.counts, rtol=1e-7))

def test_weights_of_classes():
    X, y = days(3)
    one, other = (C45Classifier(class_weight=dict(yes=3, no=1)).fit(X, y),
                  C45Classifier().fit(X, y, np.where(y == "yes", 3, 1)))
    assert same_bytes(one.tree_, other.tree_)

@pytest.mark.parametrize("model", MODELS[:2], ids=str)
def test_rows_without_weight_are_not_there(model):
    "Not even as a name for a threshold."
    X, y = [[0.0], [0], [1], [9], [9], [3]], [0, 0, 0, 1, 1, 1]
    one, other = clone(model).fit(X, y, [1, 1, 1, 1, 1, 0]), clone(model).fit(X[:5], y[:5])
    assert same_bytes(one.tree_, other.tree_) and nextafter(one.tree_.t[0], -inf) == 1

def test_one_table_of_every_library():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    X, y = days(4)
    lists = {name: [None if pd.isna(v) else v for v in X[name]] for name in X}
    codes = pa.array([None if v is None else COLOURS.index(v) for v in lists["colour"]], pa.int8())
    tables = [pl.DataFrame(lists,
                           schema=dict(size=pl.Float64, colour=pl.Enum(COLOURS), count=pl.Float64)),
              pa.table({**lists,
                        "colour": pa.DictionaryArray.from_arrays(codes, COLOURS, ordered=True)}),
              X.astype(dict(size="Float64"))]
    model = C45Classifier().fit(X, y)
    for table in tables:
        other = C45Classifier().fit(table, y)
        assert (same_bytes(other.tree_, model.tree_)
                and np.array_equal(other.predict_proba(table), model.predict_proba(X)))
    objects = C45Classifier(categories=[None, COLOURS, None]).fit(X.to_numpy(), y)
    assert (same_bytes(objects.tree_._replace(schema=model.tree_.schema), model.tree_)
            and objects.tree_.schema.features == ("x0", "x1", "x2"))

def test_a_category_never_seen_goes_in_shares_as_a_missing_value_does():
    X, y = days(5)
    model = C45Classifier(binary="value").fit(X, y)
    unseen, missing = X.assign(colour="pink"), X.assign(colour=None)
    assert 1 in model.tree_.feature and np.array_equal(model.predict_proba(unseen),
                                                       model.predict_proba(missing))
    each = [model.predict_proba(X.assign(colour=c)) for c in COLOURS]
    assert any(not np.allclose(p, model.predict_proba(missing)) for p in each)

@pytest.mark.parametrize("column", [[np.nan] * 4, pd.Categorical([None] * 4, ["u", "v"]),
                                    pd.Categorical([None] * 4, []), [None] * 4, ["u"] * 4,
                                    pd.Categorical(["u"] * 4, ["v", "u"]), [7.0] * 4],
                         ids=["no number", "no word", "no words", "nothing", "one word",
                              "one of two words", "one number"])
def test_columns_that_say_nothing(column):
    alone, y = pd.DataFrame(dict(a=column)), [0, 1, 1, 1]
    leaf = C45Classifier().fit(alone, y)
    assert leaf.tree_.node_count == 1 and leaf.predict_proba(alone).tolist() == [[0.25, 0.75]] * 4
    tree = C45Classifier().fit(alone.assign(b=[0, 0, 1, 1]), [0, 0, 1, 1]).tree_
    assert tree.feature.tolist() == [1, -2, -2] and tree.t[0] == nextafter(0, 1)

def test_few_rows_and_one_class():
    X, y = days()
    assert C45Classifier().fit(X[:1], y[:1]).predict(X).tolist() == [y[0]] * len(X)
    assert C45Classifier().fit(X, ["a"] * len(X)).predict_proba(X).tolist() == [[1.0]] * len(X)
    between = "'prune_fraction' of C45Classifier must be a number between 0 and 1"
    for words, rows, rules in (("n_samples=1 is too few", 1, {}),
                               (between, 9, dict(prune_fraction=1))):
        with pytest.raises(ValueError, match=words):
            C45Classifier(pruning="reduced_error", **rules).fit(X[:rows], y[:rows])

def test_the_declared_order_decides_ties():
    y = ["small", "big"]
    for order in (["small", "big"], ["big", "small"]):
        model = C45Classifier().fit([[0], [0]], pd.Categorical(y, order))
        assert (model.predict([[0]]) == order[:1] and model.classes_.tolist() == ["big", "small"]
                and model.predict_proba([[0]]).tolist() == [[0.5, 0.5]])
    assert C45Classifier().fit([[0], [0]], y).predict([[0]]) == ["big"]
    tree = C45Classifier(min_weight=1).fit(pd.DataFrame(
        dict(a=["u", "u", "v", "v"], b=["p", "p", "q", "q"])), [0, 0, 1, 1]).tree_
    assert tree.feature[0] == 0                                   # and of equal questions the first

@pytest.mark.parametrize("bad", [dict(confidence=0), dict(confidence=0.6), dict(min_weight=0),
                                 dict(min_weight=inf), dict(pruning="x"), dict(binary="subset"),
                                 dict(binary=True), dict(thresholds="x"),
                                 dict(tolerance=0.1), dict(criterion="gini"),
                                 dict(max_depth=0)], ids=str)
def test_refusals(bad):
    (name, _), = bad.items()
    with pytest.raises(ValueError, match=name): C45Classifier(**bad).fit(*days())

def test_a_search_and_a_pipeline():
    X, y = days(6, n=90)
    model = make_pipeline(FunctionTransformer(), C45Classifier(min_weight=1, mdl_penalty=False))
    search = GridSearchCV(model, {"c45classifier__confidence": [0.01, 0.25, 0.5]}, cv=2).fit(X, y)
    assert ((search.cv_results_["mean_test_score"] > 0.5).all()
            and search.predict(X).shape == y.shape)
    sizes = [C45Classifier(min_weight=1, mdl_penalty=False, confidence=c).fit(X, y).tree_.node_count
             for c in (0.01, 0.1, 0.25, 0.5)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]

def test_its_steps():
    raised = 0
    for seed in range(12):
        X, y = days(seed, n=200)
        model = C45Classifier(min_weight=1, mdl_penalty=False, confidence=0.1).fit(X, y)
        trace = model.trace_
        assert [trace.tree, *trace.steps()][-1] == model.tree_
        steps = PruningPlayer(trace.tree, {"by estimates": trace})
        (*_, last), = steps.histories(np.flatnonzero(trace.tree.width))[1].values()
        assert "expected errors" in steps.sentence(last) and "by estimates" in steps._repr_html_()
        raised += (trace.done == RAISE).any()
    assert raised and repr(PruningPlayer(model))

SATURDAYS = """sunny 85 85 no no, sunny 80 90 yes no, overcast 83 86 no yes, rainy 70 96 no yes, rainy 68 80 no yes, rainy 65 70 yes no, overcast 64 65 yes yes,
sunny 72 95 no no, sunny 69 70 no yes, rainy 75 80 no yes, sunny 75 70 yes yes, overcast 72 90 yes yes, overcast 81 75 no yes, rainy 71 91 yes no"""

def test_in_words():
    cells = [day.split() for day in SATURDAYS.split(",")]
    X = pd.DataFrame([day[:4] for day in cells],
                     columns=["outlook", "temperature", "humidity", "windy"]).astype(
        dict(temperature=float, humidity=float))
    model = C45Classifier().fit(X, [day[4] for day in cells])
    assert model.tree_.text().split("\n") == ["outlook = overcast: yes, 4 of 4", "outlook = rainy",
                                              "|  windy = no: yes, 3 of 3",
                                              "|  windy = yes: no, 2 of 2",
                                              "outlook = sunny", "|  humidity <= 75: yes, 2 of 2",
                                              "|  humidity > 75: no, 3 of 3"]
    assert model.tree_.rules()[-1] == "outlook = sunny and humidity > 75: no, 3 of 3"
    day = dict(outlook="rainy", temperature=70, humidity=70, windy="no")
    assert model.tree_.explain(day) == "outlook = rainy and windy = no: yes, 3 of 3"
    assert (model.tree_.explain(day | dict(outlook=None, humidity=80))
            == "outlook is not known and windy = no: yes, 3 of 3, with 0.357143 of the row; with "
               "all of it: yes")

# Rented code

def test_numpy_sorts_as_kernels_do(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 3, (200, 3)) * rng.choice([0.5, -0.0], (200, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    def told(X, gap, threads):
        return [(*map(np.ndarray.tolist, lists), int(many))
                for *lists, many in c45_loop.columns_in_order(X, gap, threads)]
    plain = [told(X, gap, 1) for gap in (0.0, 0.5)]
    monkeypatch.setattr(c45_loop, "SHORT", 0)
    for threads in (1, 2): assert plain == [told(X, gap, threads) for gap in (0.0, 0.5)]
    assert plain[0] != plain[1]

@compiled
def test_rented_trees_are_bought_trees(renting, monkeypatch):
    for seed in range(60):
        X, y, w, V = some_table(seed, most=80)
        model = C45Classifier(categories=[v and [*range(v)] for v in V], min_weight=1 + seed % 2,
                              mdl_penalty=seed % 3 > 0, binary=seed % 5 < 2 and "value",
                              tolerance=["exact", "weka"][seed % 2], subtree_raising=seed % 7 > 0)
        rented = clone(model).fit(X, y, w)
        p = rented.predict_proba(X)
        with monkeypatch.context() as m:
            buy(m)
            bought = clone(model).fit(X, y, w)
            assert (same_bytes(bought.tree_, rented.tree_)
                    and bought.predict_proba(X).tobytes() == p.tobytes()), seed

def few_values():
    "Four cuts, and two rows of a word with both labels."
    numbers = [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 2, 3]
    return ["a"] * 7 + ["b"] * 7 + ["c"] * 2, numbers, [0] * 7 + [1] * 7 + [0, 1]

def many_values():
    "1024 cuts that leave 25 rows on either side, and ten rows of words with both labels."
    y = [0] * 500 + [1] * 573
    words = [*"cdefg", *"a" * 495, *"cdefg", *"b" * 568]
    return words, range(1073), y

@pytest.mark.parametrize("order", [["word", "number"], ["number", "word"]])
@pytest.mark.parametrize("columns", [few_values, many_values])
def test_a_tie_is_a_tie_with_the_penalty_and_none_without(columns, order):
    """Of n rows the number gains the whole entropy less log2(cuts) / n, the word less as many bits:
    as much. Doubles leave that open, and whole numbers decide; they subtract the penalty, too."""
    word, number, y = columns()
    X = pd.DataFrame(dict(word=word, number=np.array(number, float)))[order]
    plain = C45Classifier(criterion="gain", pruning=None, collapse=False, min_weight=1)
    assert plain.fit(X, y).tree_.feature[0] == 0                    # a tie goes to the first
    free = plain.set_params(mdl_penalty=False).fit(X, y)
    assert order[free.tree_.feature[0]] == "number"

def test_the_penalty_of_a_cut_that_only_whole_numbers_find():
    "Labels 0, 1, 0: both cuts gain the same, the first is taken, and one of two was chosen."
    before, ends = np.array([[0, 0], [1, 0], [1, 1], [2, 1]]), np.array([1, 2])
    paid, free = (offer_of_list(before, ends, 3, SimpleNamespace(mdl_penalty=p, unit=1.0, least=1))
                  for p in (True, False))
    assert paid.test == free.test == 1 and free.gain - Logs({2: 1}) == paid.gain

def test_a_gain_below_the_average_by_less_than_rounding_sees():
    "A tests what B tests, and B a little more: A has the larger ratio, and is not compared."
    a, b, y = [0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]
    w = np.array([3 * 10**8, 10**8, 10**8, 3 * 10**8, 10**8 + 1, 3 * 10**8])
    for values, there in ((b, 1), (a, 0)):
        X = np.array([a, values], float).T
        tree = grow_c45(X, y, w, schema=schema_of([2, 3], y))
        assert tree.feature[0] == there
    X = np.array([a, b], float).T
    assert nested(grow_c45(X, y, w, schema=schema_of([2, 3], y))) == told(
        grow(rows_of(X, [2, 3]), y, [2, 3], weights=w.tolist()), [2, 3], 1)
