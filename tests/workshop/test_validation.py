"""What comes in: nothing is taken for another number, and every refusal is a sentence of this
library."""
import datetime as dt
import sys
import traceback
import warnings
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.learners.grow import grow
from dtree_lit.learners.id3 import grow_id3, ID3Classifier
from dtree_lit.learners.levels import grow_levels
from dtree_lit.models.c45_classifier import C45Classifier
from dtree_lit.models.forest import ForestClassifier
from dtree_lit.pruning.cost_complexity_cv import CostComplexityCV
from dtree_lit.pruning.reduced_error import reduced_error_pruning
from dtree_lit.pruning.rep_estimators import REPClassifier, REPRegressor
from dtree_lit.splitter.exact_split import best_split
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop.validation import as_doubles, insist_on_room
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn.base import clone

B, y4, x4 = 2**53, [0, 1, 0, 1], [1.0, 2, 3, 4]
X4 = [[v] for v in x4]
TREE, MEANS = grow(X4, y4), grow(X4, x4, criterion="squared_error")

def frame(values): return pd.DataFrame({"c": values})

def refused(f, *args, **kwargs):
    """The sentence, which must be this library's own, or one of scikit-learn about the form of a
    table."""
    with pytest.raises((ValueError, TypeError)) as e: f(*args, **kwargs)
    where = traceback.extract_tb(e.value.__traceback__)[-1].filename
    assert "dtree_lit" in where or "sklearn" in where and "validation" in where, (f"{where}: "
                                                                                  f"{e.value}")
    return str(e.value)

NUMBERS = dict(categorical_features=None)              # of these no column names, whatever it holds

def doors_of_tables(X):
    "Everything that reads a table of numbers, and what it says."
    trees = CARTClassifier(**NUMBERS), CARTRegressor(**NUMBERS)
    learners = *trees, REPClassifier(trees[0]), CostComplexityCV(trees[0], cv=2)
    fitted = CARTClassifier(**NUMBERS).fit(frame(x4) if hasattr(X, "columns") else X4, y4)
    calls = [lambda model=model: model.fit(X, y4) for model in learners]
    calls += [lambda: fitted.predict(X), lambda: grow(X, y4), lambda: grow_levels(X, y4),
              lambda: TREE.apply(X)]
    return [refused(call) for call in calls]

def doors_of_columns(values):
    "Everything that reads numbers beside a table."
    calls = [lambda: CARTRegressor().fit(X4, values), lambda: REPRegressor().fit(X4, values),
             lambda: grow(X4, values, criterion="squared_error"),
             lambda: CARTClassifier().fit(X4, y4, values), lambda: grow(X4, y4, values),
             lambda: best_split(values, y4),
             lambda: best_split(x4, values, "variance"),
             lambda: reduced_error_pruning(MEANS, X4, values)]
    return [refused(call) for call in calls]

stamps = pd.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-04"])
day, hour = dt.date(2020, 1, 1), dt.timedelta(hours=1)
arrow = {"ts": pa.timestamp("us"), "date": pa.date32(), "time": pa.time32("s"),
         "span": pa.duration("us")}
TIMES = [stamps, stamps.tz_localize("UTC"), stamps - stamps[0], stamps.to_period("D"),
         pd.Categorical(stamps),
         *(pd.Series(v, dtype=object)
           for v in ([day] * 4, [None, hour, hour, hour], [dt.time(1)] * 4, [1.0, 2, pd.NaT, 4],
                     list(stamps.tz_localize("UTC")),
                     [np.timedelta64(1, "s")] * 4, [1.0, 2, 3, np.datetime64("NaT")])),
         *(pd.Series(v, dtype=pd.ArrowDtype(t))
           for v, t in (([day] * 4, pa.date32()), ([hour] * 4, pa.duration("ns")),
                        ([dt.time(1)] * 4, pa.time64("ns"))))]

@pytest.mark.parametrize("values", TIMES, ids=range(len(TIMES)))
def test_times_of_pandas(values):
    said = doors_of_tables(frame(values))
    assert all(("'c'" in s or "column 0" in s or "X[" in s) and "date" in s for s in said), said
    assert all("date" in s for s in doors_of_columns(pd.Series(values)))

@pytest.mark.parametrize("X",
                         [*(pl.DataFrame({"c": v})
                            for v in ([day, None] * 2, [dt.datetime(2020, 1, 1)] * 4,
                                      [hour, None] * 2, [dt.time(1)] * 4)),
                          *(pa.table({"c": pa.array([1, 2, None, 4], t)}) for t in arrow.values())])
def test_times_of_polars_and_arrow(X):
    assert all("'c'" in s and "date" in s for s in doors_of_tables(X))
    assert all("date" in s for s in doors_of_columns(X["c"]))

@pytest.mark.parametrize("X", [np.array(X4, int).astype("datetime64[ns]"),
                               np.array(X4, int).astype("timedelta64[h]"), [[t] for t in stamps],
                               [[day]] * 4, [[1.0], [pd.NaT], [2.0], [3.0]],
                               [[np.timedelta64(1, "s")]] * 4,
                               [np.array([1], "datetime64[ns]")] * 4])
def test_times_in_arrays_and_lists(X):
    assert all("date" in s for s in doors_of_tables(X))

@pytest.mark.parametrize("column", [stamps, stamps.to_period("D"), [day] * 4, [dt.time(1)] * 4,
                                    [hour] * 4], ids=range(5))
def test_times_name_nothing(column):
    "Where words are welcome, too."
    for table in (frame(column), [[v] for v in column] if isinstance(column, list)
                  else frame(column)):
        assert "date" in refused(CARTClassifier().fit, table, y4)

def test_id3_takes_times_for_numbers():
    for column in ([dt.time(v) for v in range(4)],
                   [np.datetime64(v, "D") for v in range(4)], [day] * 4):
        assert "ranges" in refused(ID3Classifier().fit, [[v] for v in column], y4)

eps = np.finfo(np.longdouble).eps
digits = [Decimal("0.1"), Decimal("0.10000000000000000001"), Decimal(1), Decimal(2)]
MERGED = [np.array([B, B + 1, 1, 2]), np.array([2**64 - 1, 1, 2, 3], np.uint64),
          np.array([2**63 - 1, 1, 2, 3]), np.array([B + 1, 1, 2, 3], ">i8"), [B + 1, 0.5, 1, 2],
          [10**30 + 1, 1, 2, 3], [10**400, 1, 2, 3], [10**5000, 1, 2, 3],
          [np.int64(B + 1), 0.5, 1, 2], digits, [Decimal(B + 1), 1, 2, 3],
          [Decimal("1e400"), 1, 2, 3],
          [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 1, 2],
          ["9007199254740993", "1", "2", "3"], ["1e9999999999999999999", "1", "2", "3"]]
if np.finfo(np.longdouble).nmant > 52:
    MERGED += [np.array([1 + eps, 1, 2, 3], np.longdouble),
               np.array(["1e400", 1, 2, 3], np.longdouble), [np.longdouble(1) + eps, 1, 2, 3]]

@pytest.mark.parametrize("values", MERGED, ids=range(len(MERGED)))
def test_numbers_that_a_double_changes(values):
    X = values[:, None] if isinstance(values, np.ndarray) else [[v] for v in values]
    for s in (*doors_of_tables(X), *doors_of_columns(values)):
        assert "float64" in s and "subtract the first value" in s, s

@pytest.mark.parametrize("column", [pd.array([B + 1, None, 1, 2], dtype="Int64"),
                                    pd.array([2**64 - 1, None, 1, 2], dtype="UInt64"),
                                    pd.array([B + 1, None, 1, 2], dtype="int64[pyarrow]"),
                                    pd.array(digits, dtype=pd.ArrowDtype(pa.decimal128(30, 20))),
                                    pd.Categorical([B, B + 1, 1, 2]),
                                    pl.Series([B + 1, None, 1, 2]),
                                    pl.Series([2**64 - 1, None, 1, 2], dtype=pl.UInt64),
                                    pl.Series(digits), pa.array([B + 1, None, 1, 2]),
                                    pa.array(digits)])
def test_frames_that_a_double_changes(column):
    X = (pl.DataFrame({"c": column}) if isinstance(column, pl.Series) else pa.table({"c": column})
         if isinstance(column, pa.Array) else frame(column))
    assert all("column 'c' holds" in s and "float64" in s for s in doors_of_tables(X))

def test_place_of_a_changed_number():
    X = np.array([[1, 2], [3, B + 1]])
    for table in (X, np.asfortranarray(X), X.tolist()):
        assert refused(as_doubles, table, "X").startswith(f"row 1 of column 1 holds {B + 1}, which "
                                                          f"as float64 is {B}")
    assert refused(as_doubles, X[1], "y").startswith(f"y[1] is {B + 1}")
    mixed = pd.DataFrame({"a": [0.5, 1e300], "c": [1, B + 1]})   # numpy alone makes doubles of both
    assert "row 1 of column 'c'" in refused(CARTClassifier().fit, mixed, [0, 1])

@given(st.lists(st.one_of(st.integers(-2**70, 2**70),
                          st.integers(48, 63).flatmap(lambda e: st.integers(2**e - 3, 2**e + 3))),
                min_size=1))
def test_whole_numbers_are_taken_or_refused(values):
    exact = [int(float(v)) == v for v in values]
    forms = [values, np.array(values, object), pd.Series(values, dtype=object)]
    if max(map(abs, values)) < 2**63:
        forms += [np.array(values, np.int64), pl.Series(values, dtype=pl.Int64), pa.array(values),
                  pd.array([*values, None], dtype="Int64")]
    for form in forms:
        if all(exact): assert as_doubles(form, "x")[:len(values)].tolist() == values
        else:
            assert refused(as_doubles, form, "x").startswith(f"x[{exact.index(False)}] is "
                                                             f"{values[exact.index(False)]}")

@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=-3,
                            max_value=3), min_size=1, max_size=8))
def test_decimals_stay_apart(values):
    if len(set(values)) == len(set(map(float, values))):
        assert as_doubles(values, "x").tolist() == list(map(float, values))
    else: refused(as_doubles, values, "x")

FINE = [np.array([B, 2**60, -2**63, 1]), np.array([2**63, 2**64 - 2048, 1, 2], np.uint64),
        [2**60, 10**22, 1, 2], np.array([True, False] * 2), np.array(x4, np.float16),
        np.array(x4, np.longdouble), [Decimal("0.1"), Decimal("0.10"), Decimal(1), Decimal("NaN")],
        [Fraction(1, 3), Fraction(1, 3), 1, 2], [None, 1, True, np.inf], ["1", "2", "3", "4.5"]]

@pytest.mark.parametrize("values", FINE, ids=range(len(FINE)))
def test_numbers_that_stay(values):
    X = values[:, None] if isinstance(values, np.ndarray) else [[v] for v in values]
    tree, expected = (CARTClassifier(criterion="entropy", **NUMBERS).fit(X, y4).tree_,
                      [[np.nan if v is None else float(v)] for v in values])
    assert (np.array_equal(as_doubles(X, "X"), expected, equal_nan=True)
            and tree == grow(X, y4) == grow_levels(X, y4) == grow(expected, y4))
    assert tree.apply(X).tolist() == tree.apply(expected).tolist()

def test_missing_values_of_every_library():
    for X in (frame(pd.array([1, None, 3, 4], dtype="Int64")),
              frame(pd.array([1, None, 3, 4], dtype="int64[pyarrow]")),
              pl.DataFrame({"c": [1, None, 3, 4]}), pa.table({"c": [1, None, 3, 4]})):
        assert (grow(X, y4) == grow([[1], [np.nan], [3], [4]], y4)
                and CARTClassifier(criterion="entropy").fit(X, y4).tree_.t.size > 1)

LEARNERS = (CARTClassifier(), CARTRegressor(), REPClassifier(random_state=0),
            REPRegressor(random_state=0), CostComplexityCV(cv=2, random_state=0),
            CostComplexityCV(CARTRegressor(), cv=2, random_state=0))

@pytest.mark.parametrize("model", LEARNERS, ids=repr)
def test_views_of_memory(model):
    "X, y and weights, of every estimator: as the array that lies there."
    X, y, w = np.arange(24.0).reshape(12, 2) % 7, np.arange(12) % 2, np.arange(12.0) % 3
    tree, ends = (clone(model).fit(X, y, sample_weight=w).tree_,
                  clone(model).fit(X, y, sample_weight=w).apply(X))
    again = clone(model).fit(memoryview(X), memoryview(y), sample_weight=memoryview(w))
    assert (again.tree_ == tree and again.apply(memoryview(X)).tolist() == ends.tolist()
            == tree.apply(memoryview(X)).tolist())
    words = ID3Classifier().fit(memoryview(X.astype(int)), memoryview(y))
    assert (words.predict(memoryview(X.astype(int))).tolist()
            == ID3Classifier().fit(X.astype(int), y).predict(X.astype(int)).tolist())

@pytest.mark.parametrize("model", [*LEARNERS, ID3Classifier()], ids=repr)
def test_record_batches_keep_their_names(model):
    a, b, y = np.arange(12) % 5, np.arange(12) % 3, np.arange(12) % 2
    batch, table = pa.record_batch({"a": a, "b": b}), pa.table({"a": a, "b": b})
    fitted, expected = clone(model).fit(batch, y), clone(model).fit(table, y)
    assert (fitted.feature_names_in_.tolist() == ["a", "b"] == list(fitted.tree_.schema.features)
            and fitted.tree_ == expected.tree_)
    assert fitted.predict(batch).tolist() == expected.predict(table).tolist()
    for swapped in (pa.record_batch({"b": b, "a": a}), pa.table({"b": b, "a": a})):
        with pytest.raises(ValueError, match="feature names"): fitted.predict(swapped)
        with pytest.raises(ValueError, match="the columns a, b, in this order, and X has b, a"):
            fitted.tree_.apply(swapped)
    with pytest.raises(ValueError, match="'a' twice"):
        clone(model).fit(pa.RecordBatch.from_arrays([pa.array(a)] * 2, names=["a", "a"]), y)
    with pytest.raises((TypeError, ValueError), match="column 'b'"):
        CARTClassifier(**NUMBERS).fit(pa.record_batch({"a": a, "b": ["red"] * 12}), y)

@pytest.mark.parametrize("model", [*LEARNERS, ID3Classifier(), ForestClassifier(3),
                                   C45Classifier()], ids=repr)
def test_queries_of_duckdb_are_run_once(model):
    con = duckdb.connect()
    con.sql("CREATE TABLE t AS SELECT range % 5 AS a, (range % 3)::INT AS b, "
            "CASE WHEN range % 4 > 0 THEN 'red' WHEN range % 8 > 0 THEN 'blue' END AS c, "
            "range % 2 AS y FROM range(40)")
    columns = "a, b" if type(model) is ID3Classifier else "a, b, c"
    def rows(): return con.sql(f"SELECT {columns} FROM t")
    if type(model) is ID3Classifier: model = clone(model).set_params(missing="value")
    y, table = con.sql("SELECT y FROM t").fetchnumpy()["y"], rows().to_arrow_table()
    fitted, expected = clone(model).fit(rows(), y), clone(model).fit(table, y)
    assert fitted.feature_names_in_.tolist() == columns.split(", ")
    trees = [getattr(m, "trees_", None) or m.tree_ for m in (fitted, expected)]
    assert trees[0] == trees[1]
    assert fitted.predict(rows()).tolist() == expected.predict(table).tolist()
    assert fitted.score(rows(), y) == expected.score(table, y)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(con.sql("SELECT b, a FROM t"))
    con.sql("CREATE SEQUENCE runs")
    counted = con.sql(f"SELECT {columns}, nextval('runs')::DOUBLE AS d FROM t")
    if type(model) is not ID3Classifier:
        clone(model).fit(counted, y)
        assert con.sql("SELECT nextval('runs')").fetchall() == [(41,)]

@pytest.mark.parametrize("y", ["range % 2", "range * 1.5", "'word'"])
def test_a_query_is_no_y_and_no_weight(y):
    X, query = np.arange(6.0)[:, None], duckdb.sql(f"SELECT {y} AS y FROM range(6)")
    for call in (lambda: CARTClassifier().fit(X, query), lambda: CARTRegressor().fit(X, query),
                 lambda: CARTClassifier().fit(X, X[:, 0] > 2, sample_weight=query),
                 lambda: CARTClassifier().fit(X, X[:, 0] > 2).score(X, query),
                 lambda: grow(X, query), lambda: reduced_error_pruning(TREE, X, query)):
        with pytest.raises(TypeError, match="is a query .DuckDBPyRelation., which may return its "
                                            "rows in another order than that of X: fetch both"):
            call()

def test_a_query_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="X is a DuckDBPyRelation, which pyarrow reads"):
        CARTClassifier().fit(duckdb.sql("SELECT 1 AS a"), [1])

@pytest.mark.parametrize("kind", [lambda X: X, pl.from_pandas, pa.Table.from_pandas])
def test_infinity_in_a_frame_is_named(kind):
    X, y = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [0.5, np.nan, -np.inf, np.inf]}), [0, 1, 0, 1]
    for model in (CARTClassifier(), C45Classifier(), ForestClassifier(2)):
        with pytest.warns(UserWarning, match="row 2 of column 'b' holds infinity") as said:
            fitted = model.fit(kind(X), y)
        assert len(said) == 1 and said[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fitted.predict(kind(X)), clone(model).fit(X.to_numpy(), y), clone(model).fit(
                kind(X[["a"]]), y)

records = np.array([(1, 2.0)] * 4, [("a", int), ("b", float)])
lazy = pl.LazyFrame({"c": [1, 2, 3, 4]})
thin = pd.arrays.SparseArray([0.0, 1, 0, 1])

@pytest.mark.parametrize("X, words", [
    ([[1, 2], [3], [4, 5], [6, 7]], r"X[1] is a row of 1"), ([[1], [2], 3, [4]], "X[2] is a value"),
    (records, "pandas.DataFrame(X)"), (frame(thin), "X['c'].sparse.to_dense()"),
    (sparse.coo_array(np.ones((4, 1)) * 1j), "Complex"), (lazy, "X.collect()"),
    (pd.DataFrame([[1, 2]] * 4, columns=["a", "a"]), "'a' twice"),
    (pd.DataFrame([[1, "x"]] * 4, columns=["a", "a"]), "'a' twice"),
    (pa.table([pa.array([1, 2])] * 2, names=["a", "a"]), "'a' twice"),
    (np.ma.masked_greater(np.array(X4), 2), "filled"),
    ((row for row in X4), "type generator"), ({1, 2}, "type set"), ("abcd", "type str"),
    (None, "type NoneType"), (np.array(5), "type ndarray"), (5, "type int"), (len, "type builtin"),
    (np.ones((4, 1), complex), "Complex"), ([[1j], [2], [3], [4]], "1j"),
    (np.array([[np.complex64(1)]] * 4, object), "no number"), ([[b"1"]] * 4, "b'1'"),
    (np.array([["a"]] * 4), "'a', which is no number"),
    ([[{}]] * 4, "{}"), (frame([[1]] * 4), "[1]"), (pl.DataFrame({"c": [{"a": 1}] * 4}), "'c'"),
    (pl.DataFrame({"c": [[1]] * 4}), "'c'"), (pa.table({"c": [[1]] * 4}), "'c'"),
    (frame(pd.interval_range(0, 4)), "Interval"),
    (pl.DataFrame({"c": pl.Series([1, 2, 3, 4], dtype=pl.Int128)}), "128 bits"),
    (np.zeros((4, 1), "V4"), "no number"), ([[...]] * 4, "Ellipsis"),
    ([[Decimal("sNaN")], [1], [2], [3]], "sNaN"),
], ids=lambda part: str(part).split(" at 0x")[0])
def test_tables_that_are_none(X, words):
    models = [] if sparse.issparse(X) else [CARTClassifier(**NUMBERS), CARTRegressor(**NUMBERS)]
    for model, y in zip(models, (y4, x4)): assert words in refused(model.fit, X, y)
    for call in (lambda: grow(X, y4), lambda: grow_levels(X, y4), lambda: TREE.apply(X)):
        assert words in refused(call)

@pytest.mark.parametrize("y, words",
                         [(["a", "b", "c", "d"], "y[0] is 'a'"), ([1, 2, "b", 4], "y[2] is 'b'"),
                          ([[1, "a"]] * 4, "row 0 of column 1 of y holds 'a'"),
                          (frame(["a"] * 4), "row 0 of column 'c' of y holds 'a'"),
                          ([[0], [1, 2], [0], [1]], "y[1] is a row of 2"), (lazy, "y.collect()"),
                          (records, "structured"), (pd.Series(thin), "sparse"),
                          ({"y": x4}, "type dict"), ([1j, 2, 3, 4], "1j")])
def test_numbers_that_are_none(y, words):
    said = [refused(model.fit, X4, y)
            for model in (CARTRegressor(), REPRegressor(), CostComplexityCV(CARTRegressor(), cv=2))]
    assert all(words in s for s in (*said, refused(grow, X4, y, criterion="squared_error"),
                                    refused(reduced_error_pruning, MEANS, X4, y)))
    if "is '" in words: assert all("CARTClassifier" in s for s in said)

@pytest.mark.parametrize("w", [["a"] * 4, [1, None, 2, 3], [[0], [1, 2], [0], [1]], records,
                               sparse.csr_matrix(np.ones((4, 1))), lazy, {1, 2, 3, 4}, "abcd",
                               [1j] * 4, np.array(1.0), [1, 2], stamps])
def test_weights_that_are_none(w):
    for call in (lambda: CARTClassifier().fit(X4, y4, w), lambda: CARTRegressor().fit(X4, x4, w),
                 lambda: ID3Classifier().fit([["a"]] * 4, y4, w), lambda: grow(X4, y4, w),
                 lambda: best_split(x4, y4, weights=w),
                 lambda: reduced_error_pruning(TREE, X4, y4, w),
                 lambda: grow_id3([[0], [1]] * 2, y4, w)):
        refused(call)

def test_numbers_of_threads_and_lots():
    for bad in ("a", 1.5, [1], 0, np.nan, "2"):
        assert "n_jobs" in refused(CARTClassifier(n_jobs=bad).fit, X4, y4)
        assert ("threads is" in refused(grow, X4, y4, threads=bad)
                and "threads is" in refused(TREE.apply, X4, bad))
    for bad in (2**64, -1, "a", 1.5, None): assert "seed is" in refused(grow, X4, y4, seed=bad)
    for bad in (2**64, 2**32, -1, "a", [1], np.random.default_rng(0)):
        for model in (CARTClassifier(), REPClassifier(), CostComplexityCV(cv=2)):
            assert "random_state" in refused(model.set_params(random_state=bad).fit, X4, y4)
    for rule in ("max_depth", "min_samples_split", "min_samples_leaf", "min_weight_leaf",
                 "max_leaf_nodes", "max_features", "min_impurity_decrease"):
        for bad in ("a", [1], np.nan, 1j):
            assert f"{rule} is" in refused(grow, X4, y4, **{rule: bad})
    assert grow(X4, y4, seed=2**64 - 1) == grow(X4, y4, threads=np.int64(2), max_depth=None)

def test_names_that_no_file_can_hold():
    half, numbers = "\ud800", frame(x4).set_axis(pd.Index(["\ud800"], dtype=object), axis=1)
    plain = dict(feature=[-2], t=[np.nan], first=[-1], counts=[[[1.0, 1]]])
    calls = [lambda: CARTClassifier().fit(numbers, y4),
             lambda: CARTClassifier().fit(X4, [half, "a"] * 2),
             lambda: REPClassifier().fit(numbers, y4),
             lambda: ID3Classifier().fit([[half], ["a"]] * 2, y4),
             lambda: ID3Classifier().fit([["b"], ["a"]] * 2, [half, "c"] * 2),
             lambda: grow(X4, y4, schema=Schema((half,), (None,), ((0, 1),), "gini")),
             lambda: Tree.of(Schema((half,), (None,), ((0, 1),), "gini"), **plain),
             lambda: Tree.of(Schema(("a",), (None,), ((half, "b"),), "gini"), **plain)]
    for call in calls: assert r"'\ud800' cannot be written" in refused(call)

def test_room_for_classes():
    "As many classes as rows: the counts would not fit, and nothing is allocated to find that out."
    n = np.arange(100_000)
    for call in (lambda: CARTClassifier().fit(n[:, None], n),
                 lambda: CARTClassifier(criterion="entropy").fit(n[:, None], n, n + 1.0),
                 lambda: grow(n[:, None], np.c_[n, n]), lambda: grow_levels(n[:, None], n),
                 lambda: ID3Classifier().fit(n[:, None].astype(str), n), lambda: best_split(n, n)):
        assert " bytes, and the limit is" in refused(call)
    insist_on_room(2**20, 2**10, "nodes")
    # more classes than a whole tree could count
    assert grow(n[:30_000, None], n[:30_000], criterion="gini", max_depth=1).n_leaves == 2
