"""Tables of every library: what is a number, what is a category, in which order, and what is
refused."""
import warnings
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dtree_lit.learners.cart import CARTClassifier
from dtree_lit.learners.id3 import ID3Classifier
from dtree_lit.models.c45_classifier import C45Classifier
from dtree_lit.trees.estimator import TakesCategories
from dtree_lit.trees.estimator_inputs import read_mixed, read_rows
from dtree_lit.trees.files import load, save
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop.tables import (by_type, coded, declared_books, learn_table, Mixed,
                                       NOT_SEEN, read_table, values_of)
from dtree_lit.workshop.validation import columns
from hypothesis import given, strategies as st
from sklearn.base import BaseEstimator

NAN = None          # in the lists below, what is missing

class Takes(TakesCategories, BaseEstimator):
    def __init__(self, categories="auto"): self.categories = categories

def learn(X, categories="auto"): return read_mixed(Takes(categories), X)

def seen(x): return [NAN if v != v else v for v in np.asarray(x, float).tolist()]

def one(column, categories="auto"):
    "What a column becomes, and its book."
    X, (book,) = learn_table([*columns(pd.DataFrame({"c": column}))], categories)
    return seen(X[:, 0]), book

def refused(f, *args, **kwargs):
    with pytest.raises((ValueError, TypeError)) as said: f(*args, **kwargs)
    return str(said.value)

WORDS, SIZES, TRUTH = (["red", None, "blue", "red"], ["small", "medium", "big"],
                       [True, None, False, True])
AS_WORDS, AS_TRUTH = ([1, NAN, 0, 1], ["blue", "red"]), ([1, NAN, 0, 1], [False, True])
NUMBERS = [3, None, -1, 2]
PANDAS = {
    "object": (WORDS, object, AS_WORDS), "string": (WORDS, "string", AS_WORDS),
    "string[python]": (WORDS, "string[python]", AS_WORDS), "str": (WORDS, "str", AS_WORDS),
    "category": (WORDS, "category", AS_WORDS),
    "declared": (WORDS, pd.CategoricalDtype(["red", "green", "blue"]),
                 ([0, NAN, 2, 0], ["red", "green", "blue"])),
    "ordered": (["small", None, "big", "small"], pd.CategoricalDtype(SIZES, ordered=True),
                ([0, NAN, 2, 0], SIZES)),
    "numbers that name": (NUMBERS, "category", ([2, NAN, 0, 1], [-1, 2, 3])),
    "bool": ([True, False], bool, ([1, 0], [False, True])), "boolean": (TRUTH, "boolean", AS_TRUTH),
    "truth in objects": (TRUTH, object, AS_TRUTH),
    "one truth": ([True, True], bool, ([0, 0], [True])),
    "int64": ([3, -1], "int64", ([3, -1], None)), "uint8": ([3, 255], "uint8", ([3, 255], None)),
    "Int64": (NUMBERS, "Int64", (NUMBERS, None)),
    "Float32": ([0.5, None], "Float32", ([0.5, NAN], None)),
    "float32": ([0.5, np.nan, np.inf], "float32", ([0.5, NAN, np.inf], None)),
    "numbers in objects": ([1, None, 0.5, Decimal("0.25"), Fraction(1, 2), pd.NA, np.nan,
                            np.int8(3)], object, ([1, NAN, 0.5, 0.25, 0.5, NAN, NAN, 3], None)),
    "intervals": (pd.interval_range(0, 2), None, ([0, 1], [pd.Interval(0, 1), pd.Interval(1, 2)])),
    "ranges": (pd.cut([1, 5, np.nan], [0, 3, 6]), None,
               ([0, 1, NAN], [pd.Interval(0, 3), pd.Interval(3, 6)])),
    "mixed names": ([("a", 1), "a", True, None], object, ([2, 1, 0, NAN], [True, "a", ("a", 1)])),
}

@pytest.mark.parametrize("name", PANDAS)
def test_pandas(name):
    values, kind, expected = PANDAS[name]
    column = pd.Series(values, dtype=kind)
    assert one(column) == expected
    X, books = learn(pd.DataFrame({"c": column, "beside": "word"}))
    assert (seen(X[:, 0]), books) == (expected[0], [expected[1], ["word"]])

ARROW = {"string[pyarrow]": (WORDS, AS_WORDS), "large_string[pyarrow]": (WORDS, AS_WORDS),
         "bool[pyarrow]": (TRUTH, AS_TRUTH), "int16[pyarrow]": (NUMBERS, (NUMBERS, None)),
         "double[pyarrow]": ([0.5, None], ([0.5, NAN], None))}

@pytest.mark.parametrize("name", ARROW)
def test_pandas_on_arrow(name):
    pa = pytest.importorskip("pyarrow")
    values, expected = ARROW[name]
    kind = pd.ArrowDtype(pa.large_string()) if name.startswith("large") else name
    assert one(pd.Series(values, dtype=kind)) == expected
    dictionary = pd.Series(pd.array(WORDS,
                                    dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))))
    assert (one(dictionary) == AS_WORDS
            and one(pd.Series([Decimal("0.5"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 1))))
            == ([0.5, NAN], None))

def dressed(library):
    "One table in the types of a library, and what it becomes."
    if library == "polars":
        pl = pytest.importorskip("polars")
        return pl.DataFrame({
            "int": pl.Series(NUMBERS, dtype=pl.Int16),
            "float": pl.Series([0.5, None, 1, 2], dtype=pl.Float32),
            "decimal": pl.Series([Decimal("0.5"), None, Decimal(1), Decimal(2)]),
            "string": WORDS, "categorical": pl.Series(WORDS, dtype=pl.Categorical),
            "declared": pl.Series(WORDS, dtype=pl.Enum(["red", "green", "blue"])),
            "truth": TRUTH, "nothing": pl.Series([None] * 4)})
    pa = pytest.importorskip("pyarrow")
    ordered = pa.DictionaryArray.from_arrays(pa.array([0, None, 2, 0]), ["red", "green", "blue"],
                                             ordered=True)
    return pa.table({
        "int": pa.array(NUMBERS, pa.int16()), "float": pa.array([0.5, None, 1, 2], pa.float32()),
        "decimal": pa.array([Decimal("0.5"), None, Decimal(1), Decimal(2)]),
        "string": pa.array(WORDS, pa.large_string()),
        "categorical": pa.array(WORDS).dictionary_encode(), "declared": ordered, "truth": TRUTH,
        "nothing": pa.nulls(4)})

@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_other_frames(library):
    X, reader = dressed(library), Takes()
    doubles, books = read_mixed(reader, X)
    declared, half = ([0, NAN, 2, 0], ["red", "green", "blue"]), ([0.5, NAN, 1, 2], None)
    assert [(seen(x), book) for x, book in zip(doubles.T, books)] == [
        (NUMBERS, None), half, half, AS_WORDS, AS_WORDS, declared, AS_TRUTH, ([NAN] * 4, [])]
    assert reader.feature_names_in_.tolist() == ["int", "float", "decimal", "string", "categorical",
                                                 "declared", "truth", "nothing"]
    assert np.array_equal(read_mixed(reader, X, books).X, doubles, equal_nan=True)
    assert np.array_equal(read_mixed(reader, X[:2], books).X, doubles[:2], equal_nan=True)

def test_pieces_of_arrow():
    "Each chunk may have a dictionary of its own."
    pa = pytest.importorskip("pyarrow")
    parts = [pa.DictionaryArray.from_arrays([0, 1], ["b", "a"], ordered=True),
             pa.DictionaryArray.from_arrays([1, 0], ["b", "c"], ordered=True)]
    X, books = learn(pa.table({"c": pa.chunked_array(parts)}))
    assert books == [["b", "a", "c"]] and seen(X[:, 0]) == [0, 1, 2, 0]
    batch = pa.record_batch({"n": [1, 2], "w": ["b", "a"]})
    assert learn(batch).books == [None, ["a", "b"]]

def test_arrays_and_lists():
    words = [["b", 1.5, True], ["a", None, False], [None, np.nan, None]]
    for X in (words, np.array(words, object), pd.DataFrame(words).to_numpy(object),
              tuple(map(tuple, words))):
        doubles, books = learn(X)
        assert (books == [["a", "b"], None, [False, True]]
                and [seen(x) for x in doubles.T] == [[1, 0, NAN], [1.5, NAN, NAN], [1, 0, NAN]])
    # an array of words has no numbers
    assert learn(np.array([["b", "1.5"], ["a", "2"]])).books == [["a", "b"], ["1.5", "2"]]
    assert learn(np.array([[True], [False]])).books == [[False, True]]
    assert learn(np.array([["b"], ["a"]], np.dtypes.StringDType())).books == [["a", "b"]]
    assert "which is no number" in refused(learn, np.array([[b"b"], [b"a"]]))
    for X in (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], np.uint8),
              memoryview(np.array([[1.0, 2], [3, 4]]))):
        assert learn(X).books == [None, None] and learn(X).X.tolist() == [[1, 2], [3, 4]]

@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_numbers_are_not_copied(kind):
    X, reader = np.arange(12, dtype=kind).reshape(4, 3), Takes()
    X[1, 1] = np.nan
    doubles, books = read_mixed(reader, X)
    assert doubles is X and books == [None] * 3 and reader.n_features_in_ == 3
    assert read_mixed(reader, X, books).X is X
    frame = pd.DataFrame(X)
    assert (np.array_equal(learn(frame).X, read_rows(Takes(), frame), equal_nan=True)
            and learn(frame).X.dtype == kind)

def test_what_is_declared():
    X = pd.DataFrame({"month": [12, 1, None], "size": ["big", "small", "big"], "width": [1, 2, 3]})
    for categories in ({"month": range(1, 13), "size": SIZES}, [range(1, 13), SIZES, None],
                       (np.arange(1, 13), SIZES, None)):
        doubles, books = learn(X, categories)
        assert (books == [[*range(1, 13)], SIZES, None]
                and [seen(x) for x in doubles.T] == [[11, 0, NAN], [2, 0, 2], [1, 2, 3]])
    slip = pd.DataFrame({"c": pd.Series(["low", 7, 7.0, None], dtype=object)})
    assert seen(learn(slip, [["low", 7]]).X[:, 0]) == [0, 1, 1, NAN]
    # missing is a category of its own
    assert seen(learn(slip, [["low", 7, None]]).X[:, 0]) == [0, 1, 1, 2]
    declared = pd.DataFrame({"c": pd.Categorical(["a", "b"], ["b", "a"])})
    assert (learn(declared, [["a", "c", "b"]])[1] == [["a", "c", "b"]]
            and seen(learn(declared, [["a", "c", "b"]]).X[:, 0]) == [0, 2])
    numbers = np.array([[1.0, 5], [2, 6]])
    doubles, books = learn(numbers, {0: [2, 1]})
    assert books == [[2, 1], None] and doubles.tolist() == [[1, 5], [0, 6]]
    assert declared_books([None, ["a"]], ["p", "q"]) == [None, ["a"]]

@pytest.mark.parametrize("categories, words", [
    ({"shape": ["a"]}, "categories has the column 'shape', and X has not"),
    ([["a"]], "the values of each of the 2 columns"), ("all", "must be 'auto'"),
    (7, "must be 'auto'"), (None, "must be 'auto'"),
    ({"size": ["big", "big"]}, "'size' twice"), ({"size": {"big"}}, "must be a list of its values"),
    ({"size": "big"}, "and not 'big'"), ({"size": []}, "at least one"), ({"size": 3}, "and not 3"),
    ({"size": ["small", "medium"]}, "row 0 of column 'size' holds 'big', and declared are 'small', "
                                    "'medium': declare it, too"),
    ({"month": [1, 2]}, "row 0 of column 'month' holds 12, and declared are 1, 2")])
def test_what_cannot_be_declared(categories, words):
    assert words in refused(learn,
                            pd.DataFrame({"month": [12, 1], "size": ["big", "small"]}), categories)

NEVER = {
    "mixed": (["big", None, 7], "row 2 of column 'c' holds the number 7, and row 0 holds 'big', "
                                "which is not"),
    "number first": ([7, "big"], "row 0 of column 'c' holds the number 7, and row 1 holds 'big'"),
    "truth and numbers": ([True, 2],
                          "row 1 of column 'c' holds the number 2, and row 0 holds True"),
    "dates": ([date(2026, 1, 31)], "row 0 of column 'c' holds datetime.date(2026, 1, 31), a date "
                                   "or time"),
    "times": ([None, time(8)], "row 1 of column 'c' holds datetime.time(8, 0), a date or time"),
    "words and dates": (["soon", date(2026, 1, 31)], "row 1 of column 'c' holds the number "
                                                     "datetime.date(2026, 1, 31), and row 0"),
    "stamps": (pd.to_datetime(["2026-01-31", None]), "column 'c' holds dates or times (datetime64"),
    "periods in a list": (pd.Series([None, pd.Period("2026-01")], dtype=object),
                          "row 1 of column 'c' holds Period('2026-01', 'M'), a date or time"),
    "durations": (pd.to_timedelta([1, 2], "h"), "dates or times (timedelta64"),
    "periods": (pd.period_range("2026", periods=2, freq="M"), "dates or times (period"),
    "large": ([2**53 + 1, 1], "row 0 of column 'c' holds 9007199254740993, which as float64 is "
                              "9007199254740992"),
    "large objects": (pd.Series([None, 10**30 + 1], dtype=object),
                      "row 1 of column 'c' holds 1000000000000000000000000000001"),
    "large Int64": (pd.array([1, None, 2**62 + 1], dtype="Int64"),
                    "row 2 of column 'c' holds 4611686018427387905"),
    "complex": ([1j, 2], "Complex data"),
    "lists": ([[1], [2]], "column 'c' holds what is no category: unhashable type: 'list'"),
    "sparse": (pd.arrays.SparseArray([0.0, 1]), "X['c'].sparse.to_dense()"),
    "dicts": ([{}, "a"], "unhashable type: 'dict'"),
}

@pytest.mark.parametrize("name", NEVER)
def test_columns_that_are_refused(name):
    column, words = NEVER[name]
    X = pd.DataFrame({"word": "a", "c": pd.Series(column)})
    assert words in refused(learn, X)
    if name in ("mixed", "dates", "lists", "large objects", "number first", "truth and numbers"):
        assert (words.replace("'c'", "1") in refused(learn, X.to_numpy(object))
                and words.replace("'c'", "1") in refused(learn, X.to_numpy(object).tolist()))

@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_columns_that_are_refused_elsewhere(library):
    module = pytest.importorskip(library)
    frame = module.table if library == "pyarrow" else module.DataFrame
    for column, words in (([[1], [2]], "no number: make numbers or categories of such values"),
                          ([{"a": 1}] * 2, "which is no number"),
                          ([date(2026, 1, 31), None], "column 'c' holds dates or times (date"),
                          ([None, 2**53 + 1], "row 1 of column 'c' holds 9007199254740993"),
                          ([b"a", b"b"], "row 0 of column 'c' holds b'a', which is no number")):
        assert words in refused(learn, frame({"c": column, "word": ["a", "b"]}))

@pytest.mark.parametrize("X, words",
                         [([["a"], ["b", "c"]], "X[1] is a row of 2"),
                          (pd.DataFrame([["a", 1]], columns=["c", "c"]), "'c' twice"),
                          (np.empty((0, 2), object), "0 sample"),
                          (pd.DataFrame({"c": []}), "0 sample"), (["a", "b"], "1D array"),
                          ("ab", "type str")])
def test_forms_that_are_refused(X, words): assert words in refused(learn, X)

TABLE = pd.DataFrame({"width": [1.5, 2.0, None],
                      "size": pd.Series(["big", "small", "big"], dtype=object),
                      "there": [True, False, True], "code": pd.Categorical([404, 200, 404])})

@pytest.fixture
def later():
    "The books of a table, and a reader of later ones."
    reader = Takes()
    _, books = read_mixed(reader, TABLE)
    assert books == [None, ["big", "small"], [False, True], [200, 404]]
    return lambda X: read_mixed(reader, X, books).X

def test_later_tables(later):
    assert (np.array_equal(later(TABLE), learn(TABLE).X, equal_nan=True)
            and np.array_equal(later(TABLE[::-1]), learn(TABLE).X[::-1], equal_nan=True))
    strange = TABLE.assign(size=["huge", None, "small"], code=pd.Categorical([500, 404, None]))
    assert [seen(x) for x in later(strange).T[[1, 3]]] == [[-1, NAN, 1], [-1, 1, NAN]]
    same = TABLE.assign(width=pd.array([1, None, 2**40], dtype="Int64"),
                        size=TABLE["size"].astype("category"), there=TABLE["there"].astype(object),
                        code=[404, 200.0, 7])
    assert [seen(x) for x in later(same).T] == [[1, NAN, 2**40], [0, 1, 0], [1, 0, 1], [1, 0, -1]]
    for kind in (object, "float64"):
        nothing = pd.DataFrame({name: pd.Series([np.nan] * 2, dtype=kind) for name in TABLE})
        assert np.isnan(later(nothing)).all()
    assert np.isnan(later(TABLE.assign(width=pd.Series([None] * 3, dtype="category"),
                                       there=pd.array([None] * 3, dtype="string")))[
        :, [0, 2]]).all()

@pytest.mark.parametrize("change, words", [
    (dict(size=[1, 2, 3]), "row 0 of column 'size' holds 1, where categories were learned"),
    (dict(size=pd.Series([None, "big", 0.5], dtype=object)), "row 2 of column 'size' holds 0.5"),
    (dict(size=pd.to_datetime(["2026-01-31"] * 3)), "row 0 of column 'size' holds Timestamp"),
    (dict(there=[1, 0, 1]), "row 0 of column 'there' holds 1"),
    (dict(there=[np.nan, 1.0, 0]), "row 1 of column 'there' holds 1.0"),
    (dict(width=["wide"] * 3), "row 0 of column 'width' holds 'wide', where numbers were learned"),
    (dict(width=[True] * 3), "row 0 of column 'width' holds True"),
    (dict(width=pd.Series([1, None, "2"], dtype=object)), "row 2 of column 'width' holds '2'"),
    (dict(width=pd.Categorical(["wide"] * 3)), "row 0 of column 'width' holds 'wide'"),
    (dict(width=pd.to_datetime(["2026-01-31"] * 3)), "column 'width' holds dates"),
    (dict(width=[2**53 + 1] * 3), "which as float64")])
def test_columns_that_changed(later, change, words):
    assert words in refused(later, TABLE.assign(**change))

def test_names_are_compared(later):
    assert ("feature names" in refused(later, TABLE[["size", "width", "there", "code"]])
            and "feature names" in refused(later, TABLE.rename(columns={"size": "sizes"})))
    with pytest.warns(UserWarning, match="feature names"):
        assert "3 features" in refused(later, TABLE.to_numpy(object)[:, :3])
    reader = Takes()
    _, books = read_mixed(reader, np.ones((2, 3)))
    for X in (np.ones((2, 2)), np.ones((2, 2), object)):
        assert "2 features" in refused(read_mixed, reader, X, books)
    assert "'a'" in refused(read_mixed, reader, [["a", 1, 2]], books)

def test_nothing_is_there():
    """A type that says numbers makes numbers of it, every other an empty book, by which nothing
    is ever found."""
    assert one(pd.Series([np.nan] * 2)) == ([NAN] * 2,
                                            None) == one(pd.array([None] * 2, dtype="Int64"))
    for kind in (object, "string", "category", "boolean"):
        assert one(pd.Series([None] * 2, dtype=kind)) == ([NAN] * 2, [])
    assert one(pd.Categorical([None] * 2, ["a", "b"])) == ([NAN] * 2, ["a", "b"])
    table = [*columns(pd.DataFrame({"c": ["a", "b"], "d": [1, 2]}))]
    assert (read_table(table, [[], []]) == NOT_SEEN).all()

def test_an_empty_book_in_a_file(tmp_path):
    schema = Schema(("c",), ((),), (("no", "yes"),), "entropy")
    tree = Tree.of(schema, [-2], [np.nan], [-1], [[2, 1]])
    save(tree, tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == tree

values = st.one_of(st.lists(st.sampled_from(["a", "b", "7", None]), min_size=1),
                   st.lists(st.one_of(st.none(), st.integers(-9, 9), st.floats(-2, 2, width=16)),
                            min_size=1),
                   st.lists(st.sampled_from([True, False, None]), min_size=1),
                   st.lists(st.sampled_from([(1, 2), "x", frozenset(), None]), min_size=1))

@given(values)
def test_every_value_can_be_told_again(values):
    X, (book,) = learn_table([*columns(pd.DataFrame({"c": pd.Series(values, dtype=object)}))])
    assert [None if v != v else v if book is None else book[int(v)]
            for v in X[:, 0].tolist()] == values
    assert book is None or len(set(book)) == len(book) and set(book) == set(values) - {None}

@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1),
       st.permutations(["a", "b", "c", "d"]))
def test_an_order_that_is_declared(values, order):
    "By a type or by the reader: the same codes."
    typed, told = one(pd.Categorical(values, order)), one(pd.Series(values, dtype=object), [order])
    assert typed == told == ([NAN if v is None else order.index(v) for v in values], order)
    found, codes, declared = values_of("c", pd.Series(values, dtype=object), np.dtype(object))
    assert (not declared and found == sorted(set(values) - {None})
            and seen(np.where(codes < 0, np.nan, coded(found, codes, order))) == told[0])

def test_types_that_say_it_all():
    "Words that begin alike, and mean another thing."
    for library in ("polars", "pyarrow"):
        try: module = import_module(library)
        except ImportError: continue
        frame = module.table if library == "pyarrow" else module.DataFrame
        assert [by_type(column, kind)
                for _, column, kind in columns(
            frame({"struct": [{"a": 1}], "string": ["a"], "float": [0.5],
                   "date": [date(2026, 1, 31)], "null": [None]}))] == [
            True, False, True, True, None]
    assert Mixed._fields == ("X", "books")

@pytest.mark.parametrize("kind", [lambda X: X, lambda X: X.astype(object), pl.from_pandas,
                                  pa.Table.from_pandas])
def test_text_that_looks_like_numbers_is_named(kind):
    X = pd.DataFrame({"comma": ["1,5", "2,0", None, "?"], "big": ["1.000,5", "7", "-3", "2e5"],
                      "code": ["007", "042", "1", "12"], "word": ["a", "1", "b", "c"],
                      "version": ["1.2.3", "1.2.4", "2.0.1", "2.0.0"]})
    with pytest.warns(UserWarning, match="^columns 'comma', 'big' hold text that looks like numbers"
                                         ", such as '2,0', which is read as categories") as said:
        model = CARTClassifier().fit(kind(X), [0, 1, 0, 1])
    assert len(said) == 1 and said[0].filename == __file__
    said_it = X[["comma", "big"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(kind(X))                          # only who learns is warned
        CARTClassifier().fit(kind(X[["code", "word", "version"]]), [0, 1, 0, 1])
        CARTClassifier().fit(said_it.astype("category"), [0, 1, 0, 1])
        CARTClassifier(categorical_features=[0, 1]).fit(said_it, [0, 1, 0, 1])
        CARTClassifier().fit(said_it.to_numpy(), [0, 1, 0, 1])
    with pytest.warns(UserWarning, match="^column 'big' holds text"):
        C45Classifier(categories={"comma": ["1,5", "2,0", "?"]}).fit(said_it, [0, 1, 0, 1])

@pytest.mark.parametrize("kind", [lambda X: X, pl.from_pandas, lambda X: X.to_numpy()])
def test_dates_as_text_are_named_as_on_the_command_line(kind):
    X = pd.DataFrame({"since": [f"{1 + i % 28:02}.{1 + i // 28:02}.2024" for i in range(70)],
                      "word": ["a", "b"] * 35})
    kept = X.assign(since=[f"2024-05-{1 + i % 9:02}" for i in range(70)])
    for table, days in ((X, 70), (kept, 9)):            # nearly all different, or not
        for model in (CARTClassifier(), C45Classifier(), ID3Classifier()):
            with pytest.warns(UserWarning, match=rf"^column ('since'|0) holds {days} different "
                              "dates, which are read as categories, .*: write the year") as said:
                model.fit(kind(table), [0, 1] * 35)
            assert len(said) == 1
            if type(model) is not ID3Classifier: assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CARTClassifier().fit(kept.astype("category"), [0, 1] * 35)
        CARTClassifier(categorical_features=["since"]).fit(kept, [0, 1] * 35)
        CARTClassifier().fit(kept.assign(since="2024-05-0x"), [0, 1] * 35)
        ID3Classifier().fit(kept.assign(since="4.5"), [0, 1] * 35)      # its numbers are text
