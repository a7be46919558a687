"""Labels keep their values and their type; labels that are missing, and tables that hold no rows
yet, are refused in one sentence by every estimator."""
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import dtree_lit
from dtree_lit import (C45Classifier, C45RulesClassifier, CARTClassifier, CostComplexityCV,
                       ID3Classifier, KNNClassifier, LogisticClassifier, reduced_error_pruning)
from dtree_lit.models.nearest_points import BallTree, KDTree
from dtree_lit.workshop.validation import own_values

pytestmark = [pytest.mark.filterwarnings("ignore::dtree_lit.models.logistic.SeparationWarning"),
              pytest.mark.filterwarnings("ignore:pkg_resources")]
LEARNERS = [getattr(dtree_lit, name) for name in dtree_lit.__all__
            if name.endswith(("Classifier", "Regressor", "CV"))]
CLASSIFIERS = [E for E in LEARNERS if not E.__name__.endswith("Regressor")]
X = np.arange(12)[:, None] % 3
SOME = ["a", "b"] * 5 + ["a"]
GAPS = {
    "string": pd.Series([*SOME, pd.NA], dtype="string"), "list of NA": [*SOME, pd.NA],
    "objects": np.array([*SOME, pd.NA], object), "list of None": [*SOME, None],
    "list of nan": [*SOME, float("nan")], "objects of nan": np.array([*SOME, np.nan], object),
    "NaT": pd.Series([*SOME, pd.NaT]), "categories": pd.Series([*SOME, None], dtype="category"),
    "Int64": pd.Series([0, 1] * 5 + [0, pd.NA], dtype="Int64"),
    "boolean": pd.Series([True, False] * 5 + [True, pd.NA], dtype="boolean"),
    "doubles": np.array([0, 1] * 5 + [0, np.nan]), "polars": pl.Series([*SOME, None]),
    "polars, whole": pl.Series([0, 1] * 5 + [0, None]), "Arrow": pa.array([*SOME, None]),
    "Arrow, whole": pa.array([0, 1] * 5 + [0, None]),
    "Arrow in pandas": pd.Series([*SOME, None], dtype="string[pyarrow]"),
    "Arrow in pandas, whole": pd.Series([0, 1] * 5 + [0, None], dtype="int64[pyarrow]"),
    "frame": pd.DataFrame({"y": [*SOME, None]})}

@pytest.mark.parametrize("name", GAPS)
def test_missing_labels_are_refused_in_fit_and_score(name):
    y, where = GAPS[name], "y.11.* is missing"
    whole = any(word in name for word in ("whole", "Int64", "doubles"))
    known = [0, 1] * 6 if whole else [True, False] * 6 if name == "boolean" else ["a", "b"] * 6
    for E in CLASSIFIERS:
        with pytest.raises(ValueError, match=where): E().fit(X, y)
    for model in (CARTClassifier(), ID3Classifier(), KNNClassifier(), LogisticClassifier(),
                  CostComplexityCV(cv=2)):
        with pytest.raises(ValueError, match=where): model.fit(X, known).score(X, y)

NEAR = [2**53, 2**53 + 1]
TYPES = {
    "int64[pyarrow]": (pd.Series(NEAR * 6, dtype="int64[pyarrow]"), NEAR, np.int64),
    "bool[pyarrow]": (pd.Series([False, True] * 6, dtype="bool[pyarrow]"), [False, True], bool),
    "Int64": (pd.Series(NEAR * 6, dtype="Int64"), NEAR, np.int64),
    "UInt8": (pd.Series([0, 200] * 6, dtype="UInt8"), [0, 200], np.uint8),
    "boolean": (pd.Series([False, True] * 6, dtype="boolean"), [False, True], bool),
    "frame": (pd.DataFrame({"y": pd.Series(NEAR * 6, dtype="int64[pyarrow]")}), NEAR, np.int64),
    "list": ([1, 2**63] * 6, [1, 2**63], np.uint64),
    "objects": (np.array(NEAR * 6, object), NEAR, np.int64),
    "polars": (pl.Series(NEAR * 6), NEAR, np.int64), "Arrow": (pa.array(NEAR * 6), NEAR, np.int64)}

@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("name", TYPES)
def test_labels_keep_their_values_and_their_type(name):
    y, classes, kind = TYPES[name]
    rows = np.arange(12)[:, None] % 2
    for E in CLASSIFIERS:
        model = E(cv=2) if E is CostComplexityCV else E()
        model.fit(rows, y)
        assert model.classes_.tolist() == classes and model.classes_.dtype == kind
        assert model.predict(rows).dtype == kind
    model = CARTClassifier().fit(rows, y)
    assert model.predict(rows[:2]).tolist() == classes and model.score(rows, y) == 1
    assert model.tree_.schema.classes == (tuple(classes),)

WORDS = ["a", "a\0"]

@pytest.mark.parametrize("y", [WORDS * 20, tuple(WORDS * 20), pl.Series(WORDS * 20)],
                         ids=["list", "tuple", "polars"])
def test_nuls_at_the_end_of_labels(y):
    rows = np.arange(40)[:, None] % 2
    for E in CLASSIFIERS:
        model = (E(cv=2) if E is CostComplexityCV else E()).fit(rows, y)
        assert model.classes_.tolist() == WORDS
        assert model.predict(rows[:2]).tolist() == WORDS and model.score(rows, y) == 1
    tree = CARTClassifier().fit(rows, y).tree_
    assert tree.predict_labels(rows[:2]).tolist() == WORDS
    assert reduced_error_pruning(tree, rows, y).tree == tree
    rules = C45RulesClassifier().fit(rows, y).rules_
    assert rules.predict_labels(rows[:2]).tolist() == WORDS

def test_nuls_at_the_end_of_categories_names_and_keys():
    y, rows = WORDS * 6, [[word] for word in WORDS * 6]
    for T in (rows, pl.DataFrame({"q": WORDS * 6}), pd.DataFrame({"q": WORDS * 6})):
        for model in (ID3Classifier(), C45Classifier(),
                      CARTClassifier(categorical_features=[0])):
            assert model.fit(T, y).predict(T[:2]).tolist() == WORDS
            assert [*model.categories_[0]] == WORDS
    frame = pd.DataFrame({"a": [0, 1] * 6, "a\0": [0, 1] * 6})
    assert CARTClassifier().fit(frame, y).tree_.schema.features == ("a", "a\0")
    heavy = CARTClassifier(class_weight={"a": 1, "a\0": 5}).fit(frame, y)
    assert heavy.tree_.counts[0].tolist() == [[6, 30]]
    assert CARTClassifier(costs={"a": {"a\0": 3.0}}).fit(frame, y).tree_.schema.costs is not None

def test_labels_of_several_kinds():
    for y in (["a", 1] * 6, np.array(["a", 1] * 6, object)):
        with pytest.raises(ValueError, match="labels of several kinds"):
            CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="y.0. is b'a', which is bytes"):
        CARTClassifier().fit(X, [b"a", b"b"] * 6)
    assert own_values(["a", 1]).tolist() == ["a", 1]

def test_what_holds_no_rows_yet():
    dask, frame = pytest.importorskip("dask.dataframe"), pd.DataFrame({"x": X[:, 0]})
    lazy = dask.from_pandas(frame, npartitions=2)
    for E in LEARNERS:
        with pytest.raises(TypeError, match=r"X is a Dask DataFrame.*X\.compute\(\).*DaskCART"):
            E().fit(lazy, [0, 1] * 6)
    model = CARTClassifier().fit(frame, [0, 1] * 6)
    with pytest.raises(TypeError, match=r"X\.compute\(\)"): model.predict(lazy)
    with pytest.raises(TypeError, match=r"y is a Dask Series"): model.fit(frame, lazy["x"])

def test_queries_of_duckdb():
    "Every learner takes one as X: its rows are fetched. As y it is refused."
    duckdb, frame = pytest.importorskip("duckdb"), pd.DataFrame({"x": X[:, 0]})
    query, y = duckdb.from_df(frame), [0, 1] * 6
    for E in LEARNERS:
        model = (E(cv=2) if E is CostComplexityCV else E()).fit(query, y)
        assert model.feature_names_in_.tolist() == ["x"]
        assert model.predict(query).tolist() == model.predict(frame).tolist()
        with pytest.raises(TypeError, match="y is a query"): E().fit(frame, query)
    for fetched in (query.df(), query.pl(), query.to_arrow_table()):
        assert CARTClassifier().fit(fetched, [0, 1] * 6).n_features_in_ == 1

@pytest.mark.parametrize("empty", [pd.DataFrame(index=range(12)), pl.DataFrame(), pa.table({})],
                         ids=["pandas", "polars", "Arrow"])
def test_frames_without_columns(empty):
    for E in LEARNERS:
        with pytest.raises(ValueError, match="X is a (DataFrame|Table) without columns"):
            E().fit(empty, [0, 1] * 6)
    with pytest.raises(ValueError, match="without columns"):
        CARTClassifier().fit(X, [0, 1] * 6).predict(empty)

@pytest.mark.parametrize("empty", [pd.DataFrame({"x": []}), pl.DataFrame({"x": []}),
                                   pa.table({"x": pa.array([], "int64")}), np.zeros((0, 1))],
                         ids=["pandas", "polars", "Arrow", "numpy"])
def test_tables_without_rows(empty):
    for E in LEARNERS:
        with pytest.raises(ValueError, match="0 sample"): E().fit(empty, [])
        model = (E(cv=2) if E is CostComplexityCV else E()).fit(X, [0, 1] * 6)
        with pytest.raises(ValueError, match="0 sample"): model.predict(empty)

@pytest.mark.skipif(np.longdouble is np.float64 or np.finfo(np.longdouble).nmant == 52,
                    reason="long doubles are doubles here")
def test_long_doubles_beside_a_double():
    beside = np.array([[1], [1 + np.finfo(np.longdouble).eps], [2]])
    rows = np.array([[1.0], [2.0], [3.0]])
    for ask in (KDTree, BallTree, KDTree(rows).query, BallTree(rows).query,
                lambda X: KNNClassifier(n_neighbors=1).fit(X, [0, 1, 0]),
                KNNClassifier(n_neighbors=1).fit(rows, [0, 1, 0]).predict):
        with pytest.raises(ValueError, match=r"row 1 of column 0 holds 1\.0000000000000000001"):
            ask(beside)
    assert len(KDTree(rows.astype(np.longdouble)).query(rows, 1)[0]) == 3

@pytest.mark.parametrize("values, words", [
    ([1j, 2j], "holds the number 1j, and ID3 splits categories only"),
    ([Fraction(1, 2), Fraction(1, 3)], "holds the number 1/2, and ID3 splits categories only"),
    ([pd.Timestamp("2020-01-01")] * 2, "holds the date or time 2020-01-01"),
    ([[1], [2]], "holds what is no category"), ([{1: 2}, {2: 3}], "holds what is no category")])
def test_odd_values_and_id3(values, words):
    column = pd.DataFrame({"q": pd.Series(values * 6, dtype=object)})
    with pytest.raises((TypeError, ValueError), match=words):
        ID3Classifier().fit(column, [0, 1] * 6)

@pytest.mark.parametrize("column", [
    pl.Series([[1], [2]] * 6), pl.Series([{"a": 1}, {"a": 2}] * 6),
    pl.Series([[1, 2], [2, 3]] * 6, dtype=pl.Array(pl.Int64, 2))], ids=["list", "struct", "array"])
def test_columns_of_several_values(column):
    table = pl.DataFrame({"q": column})
    for T in (table, table.to_arrow(), table.to_pandas(use_pyarrow_extension_array=True)):
        with pytest.raises(TypeError, match="column 'q' holds several values in each row"):
            ID3Classifier().fit(T, [0, 1] * 6)
