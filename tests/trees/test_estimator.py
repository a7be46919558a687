"The face of a tree: what goes in, what comes out, and what is refused."
import pickle
import subprocess
import sys
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from dtree_lit import (C45Classifier, CARTClassifier, CARTRegressor, CostComplexityCV,
                       ID3Classifier, REPClassifier, REPRegressor)
from dtree_lit.trees.estimator import TreeClassifier, TreeRegressor
from dtree_lit.trees.estimator_inputs import count_of, limit, one_of, read_rows, features_of
from dtree_lit.trees.tree import Tree
from dtree_lit.trees.words import number
from dtree_lit.workshop.tables import encode
from hypothesis import given, strategies as st
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.tree import export_graphviz, export_text, plot_tree
from helpers.places import ROOT

class Leaf(TreeClassifier):
    "A tree that asks nothing."
    _criteria = dict(gini="gini")
    def __init__(self, criterion="gini", class_weight=None):
        self.criterion, self.class_weight = criterion, class_weight

    def _learn(self, X, y, weights, schema):
        self.seen = X, y, weights
        y = y if y.ndim == 2 else y[:, None]
        K = max(map(len, schema.classes))
        counts = [np.bincount(column, weights, minlength=K) for column in y.T]
        return Tree.of(schema, [-2], [np.nan], [-1], [counts], size=[len(X)],
                       weight=[len(X) if weights is None else sum(weights)])

class Mean(TreeRegressor):
    "The mean of everything."
    _criteria = dict(squared_error="squared_error")
    def __init__(self, criterion="squared_error"): self.criterion = criterion

    def _learn(self, X, y, weights, schema):
        y = y if y.ndim == 2 else y[:, None]
        mean = np.average(y, axis=0, weights=weights)
        return Tree.of(schema, [-2], [np.nan], [-1],
                       [np.stack([mean, ((y - mean)**2).sum(axis=0)], axis=1)], size=[len(X)],
                       weight=[len(X)])

labels = st.one_of(st.lists(st.integers(-5, 5)), st.lists(st.integers(-2**63, 2**63 - 1)),
                   st.lists(st.booleans()), st.lists(st.text(max_size=2)),
                   st.lists(st.floats(allow_nan=False, width=32))).map(np.array).filter(
    lambda y: len(y) and y.dtype.kind != "O")

@given(labels)
def test_codes(y):
    classes, codes = encode(y)
    assert (np.array_equal(classes[codes], y) and np.array_equal(classes, np.unique(y))
            and classes.dtype == y.dtype)

@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int32", "uint64", "bool"])
def test_codes_of_narrow_integers(kind):
    ends = np.array([np.iinfo(kind).min, np.iinfo(kind).max, 0, 1] * 99 if kind != "bool"
                    else [True, False], kind)
    for y in (ends, ends[::-1], ends[:1]):
        classes, codes = encode(y)
        assert np.array_equal(classes[codes], y) and np.array_equal(classes, np.unique(y))

@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray,
                                    lambda X: np.repeat(X, 2, axis=0)[::2]])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_nothing_is_copied(layout, kind):
    X = layout(np.random.default_rng(0).normal(size=(50, 4)).astype(kind))
    X.flags.writeable = False
    model = Leaf().fit(X, np.arange(50) % 2)
    assert np.shares_memory(model.seen[0], X) and model.seen[0].dtype == kind
    model.predict(X)

def test_memory():
    n = 100_000
    X, y = np.zeros((n, 3)), np.arange(n) % 5
    Leaf().fit(X, y)                        # what a first fit imports is no memory of the fit
    for labels, most in [(y, 1), (y.astype(np.int8), 26), (y - 2, 26), (y.astype("U2"), 100),
                         (y.astype(float), 60)]:
        model = Leaf()
        tracemalloc.start()
        model.fit(X, labels)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # the learner above counts with weights: 8 bytes a row and more
        assert peak < (most + 8 * 5 / 2) * n, labels.dtype

def test_other_numbers_become_double():
    for X in ([[1, 2], [3, 4]], np.ones((2, 2), int), np.ones((2, 2), np.float16),
              np.ones((2, 2), ">f8"), np.array([[True], [False]]),
              np.array([[1, 2.5]], object),
              pd.DataFrame({"a": [True, False], "b": pd.array([1, None], dtype="Int64")})):
        read = read_rows(Leaf(), X)
        assert (read.dtype == np.float64 and read.dtype.isnative
                and np.array_equal(np.isnan(read), pd.isna(np.asarray(X, object))))

@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_by_name(library):
    module = import_module(library)
    frame = module.table if library == "pyarrow" else module.DataFrame
    a, b, words = [1.5, 2.5, np.nan], [1, 2, 3], ["red", "blue", "red"]
    model = Leaf().fit(frame({"a": a, "b": b}), words)
    assert model.feature_names_in_.tolist() == ["a", "b"] == list(model.tree_.schema.features)
    assert np.array_equal(model.seen[0], np.transpose([a, b]), equal_nan=True)
    assert model.predict(frame({"a": a, "b": b})).tolist() == ["red"] * 3
    with pytest.raises(ValueError, match="feature names"): model.predict(frame({"b": b, "a": a}))
    with pytest.raises(ValueError, match="row 0 of column 'c' holds 'red'"):
        model.fit(frame({"a": a, "c": words}), words)

@pytest.mark.parametrize("X, error, words", [
    ([["1", "two"]], ValueError, "row 0 of column 1 holds 'two'"),
    ([[1, {}]], TypeError, "row 0 of column 1 holds {}"),
    ([[1.0], [2j]], TypeError, "row 1 of column 0 holds 2j"),
    (np.array([[2j]]), ValueError, "Complex data not supported"),
    ([1, 2], ValueError, "2D array"),
    ([[1, 2], [3]], ValueError, "ragged"),
    (np.ones((0, 3)), ValueError, "0 sample"),
    (np.ones((3, 0)), ValueError, "0 feature"),
])
def test_tables_that_are_none(X, error, words):
    with pytest.raises(error, match=words): Leaf().fit(X, [0] * len(X))

def test_sparse_tables():
    from scipy import sparse
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        model = CARTClassifier().fit(kind(np.eye(3)), [0, 1, 0])
        assert (model.predict(kind(np.eye(3))).tolist() == [0, 1, 0]
                and model.tree_ == CARTClassifier().fit(np.eye(3), [0, 1, 0]).tree_)
    with pytest.raises(ValueError, match="sparse.* bytes"):
        Leaf().fit(sparse.csr_array((2**20, 2**20)), np.zeros(2**20))
    with pytest.raises(TypeError): Leaf().fit(np.eye(2), sparse.csr_array(np.eye(2)))
    with pytest.raises(ValueError, match="2D array"):
        Leaf().fit(sparse.coo_array(np.ones(2)), np.zeros(2))

def test_sparse_tables_are_walked_in_parts(monkeypatch):
    "Whoever walks rows says the same of a sparse matrix, part by part, and of the array."
    from dtree_lit import (C45Classifier, CARTRegressor, error_based_pruning, ForestClassifier,
                           ForestRegressor, grow, REPClassifier, reduced_error_pruning)
    from dtree_lit.trees import tree as trees
    from dtree_lit.workshop import validation
    from scipy import sparse
    # 64 rows at a time
    for room in (validation, trees): monkeypatch.setattr(room, "IN_PART", 8 * 12 * 64)
    r = np.random.default_rng(0)
    X = np.where(r.random((500, 12)) < 0.8, 0, r.integers(1, 5, (500, 12))) * 1.0
    y = (X[:, 0] + X[:, 1] > X[:, 2] + 1).astype(int)
    holes = np.where(r.random(X.shape) < 0.1, np.nan, X)
    kinds = (sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.lil_matrix,
             sparse.dok_array)
    for model, rows in [(CARTClassifier(), X), (CARTRegressor(), X),
                        (ForestClassifier(5, random_state=0), X),
                        (ForestRegressor(5, random_state=0), X),
                        (REPClassifier(random_state=0), X), (C45Classifier(), holes),
                        (CARTClassifier(categorical_features=[0]), X.astype(int))]:
        model.fit(rows, y)
        for kind in kinds:
            for name in {"predict", "predict_proba", "apply"} & set(dir(model)):
                assert np.array_equal(getattr(model, name)(kind(rows)),
                                      getattr(model, name)(rows)), (model, kind, name)
    tree, thin = CARTClassifier().fit(X, y).tree_, sparse.coo_array(X)
    for name in ("apply", "predict_labels", "predict_proba", "predict"):
        assert np.array_equal(getattr(tree, name)(thin), getattr(tree, name)(X))
    assert ((tree.decision_path(thin) != tree.decision_path(X)).nnz == 0
            and len(tree.apply(thin.tocsr()[:0])) == 0)
    assert (tree.recount(thin, y) == tree.recount(X, y)
            and reduced_error_pruning(tree, thin, y).tree == reduced_error_pruning(tree, X, y).tree)
    assert (tree.explain(thin.tocsr()[[3]]) == tree.explain(X[3])
            and grow(thin, y, criterion="gini") == tree)
    c45 = C45Classifier().fit(holes, y).tree_
    assert (error_based_pruning(c45, sparse.csr_array(holes), y).tree
            == error_based_pruning(c45, holes, y).tree)
    for bad, words in ((thin.tocsr()[:, :5], "5"), (sparse.coo_array(np.ones(12)), "12|1D|2D"),
                       (thin * 1j, "Complex")):
        for call in (CARTClassifier().fit(X, y).predict, tree.apply):
            with pytest.raises(ValueError, match=words): call(bad)
    assert ForestClassifier(2).fit(np.eye(4),
                                   [0, 1, 0, 1]).predict(sparse.csr_array((3, 4))).shape == (3,)
    with pytest.raises(ValueError, match="0 sample"):
        CARTClassifier().fit(X, y).predict(thin.tocsr()[:0])

def test_infinity_is_a_number():
    model = Leaf().fit([[np.inf], [-np.inf]], [0, 1])
    assert model.predict([[np.inf]]) == [0]

@pytest.mark.parametrize("y, words",
                         [([0, 1, 1], "X has 2 rows and y has 3"),
                          (None, "requires y to be passed"), ([0.5, 1.25], "continuous"),
                          ([0, np.nan], "NaN"), ([[0], [1, 2]], "ragged")])
def test_targets_that_are_none(y, words):
    with pytest.raises(ValueError, match=words): Leaf().fit([[1], [2]], y)

def test_targets_of_a_regressor():
    assert Mean().fit([[1], [2]], [1, 4]).predict([[7]]) == [2.5]
    assert Mean().fit([[1], [2]], [[1, 0], [4, 2]]).predict([[7]]).tolist() == [[2.5, 1]]
    for y in ([1, np.inf], [1, np.nan], ["a", "b"]):
        with pytest.raises(ValueError): Mean().fit([[1], [2]], y)

def test_a_column_of_targets():
    for model in (Leaf(), Mean()):
        with pytest.warns(DataConversionWarning):
            assert model.fit([[1], [2]], [[1], [1]]).predict([[1]]).shape == (1,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Leaf().fit([[1], [2]], [[1, 2], [1, 2]])

def test_labels_of_any_kind():
    X = np.zeros((3, 1))
    for y in (["b", "a", "b"], [True, False, True], [2, 1, 2], [2.0, 1.0, 2.0],
              pd.Series(pd.Categorical(["b", "a", "b"])), np.array(["b", "a", "b"], object)):
        model = Leaf().fit(X, y)
        kind = np.asarray(y).dtype
        assert (np.array_equal(model.predict(X), np.asarray(y)[[0, 0, 0]])
                and model.predict(X).dtype == model.classes_.dtype == kind)
        assert model.n_classes_ == 2 and np.allclose(model.predict_proba(X), [1/3, 2/3])

def test_several_outputs():
    y = np.array([["a", "x"], ["b", "y"], ["b", "z"]])
    model = Leaf().fit(np.zeros((3, 1)), y)
    assert ([c.tolist() for c in model.classes_] == [["a", "b"], ["x", "y", "z"]]
            and model.n_classes_.tolist() == [2, 3] and model.n_outputs_ == 2)
    assert model.predict([[0]]).tolist() == [["b", "x"]]
    assert [p.tolist() for p in model.predict_proba([[0]])] == [[[1/3, 2/3]], [[1/3, 1/3, 1/3]]]
    assert [p.shape for p in model.predict_log_proba([[0], [0]])] == [(2, 2), (2, 3)]

def test_weights():
    X, y = np.zeros((4, 1)), np.array([0, 1, 1, 1])
    assert Leaf().fit(X, y).tree_.counts[0, 0].tolist() == [1, 3]
    assert Leaf().fit(X, y, [4, 0, 1, 0.5]).tree_.counts[0, 0].tolist() == [4, 1.5]
    assert Leaf(class_weight="balanced").fit(X,
                                             y).tree_.counts[0, 0].tolist() == pytest.approx([2, 2])
    assert Leaf(class_weight={0: 5}).fit(X, y, [1, 2, 1, 1]).tree_.counts[0, 0].tolist() == [5, 4]
    assert (Leaf(class_weight=[{0: 2, 1: 1}, {0: 1, 1: 3}]).fit(X, np.c_[y, y]).seen[2].tolist()
            == [2, 3, 3, 3])
    for bad, words in [([1, -1, 1, 1], r"sample_weight\[1\] is -1.0"), ([0] * 4, "zero"),
                       ([1, 1], "shape"), ([1, 1, 1, np.nan], "NaN")]:
        with pytest.raises(ValueError, match=words): Leaf().fit(X, y, bad)

class Holder:
    "Somebody with one parameter."
    def __init__(self, p): self.p = p

@pytest.mark.parametrize("bad", [0, -1, 1.5, 0.0, "2", None, True, np.nan])
def test_counts_out_of_range(bad):
    with pytest.raises(ValueError, match=r"'p' of Holder must be an int in the range \[1, inf\) or "
                                         r"a float in the range \(0.0, 1.0\], and not"):
        count_of(Holder(bad), "p", 10)

def test_limits():
    assert (limit(Holder(None), "p", none=True) is None
            and limit(Holder(np.int64(3)), "p", least=1) == 3)
    for bad in (None, 0, 2.0, "a", False):
        with pytest.raises(ValueError, match="'p' of Holder must be an int in the range"):
            limit(Holder(bad), "p", least=1)
    with pytest.raises(ValueError, match="one of 'a', 'b', and not 'c'"):
        one_of(Holder("c"), "p", ["a", "b"])
    def drawn(k, m):
        holder = Holder(None)
        holder.max_features = k
        return features_of(holder, m)
    assert [drawn(k, 2) for k in (None, 5, 0.01, 1.0, "sqrt", "log2")] == [2, 2, 1, 2, 1, 1]
    for bad in (0, 1.5, 0.0, "auto", True, [1]):
        with pytest.raises(ValueError, match="'max_features' of Holder must be"): drawn(bad, 4)

def test_unfitted():
    for ask in ("predict", "predict_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError): getattr(Leaf(), ask)([[1]])
    for ask in ("get_depth", "get_n_leaves"):
        with pytest.raises(NotFittedError): getattr(Leaf(), ask)()
    with pytest.raises(NotFittedError): Leaf().feature_importances_

def test_in_other_processes_and_threads():
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 3
    model = Leaf().fit(X, y)
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_
    with ThreadPoolExecutor(4) as pool:
        assert all(t == model.tree_ for t in pool.map(lambda _: Leaf().fit(X, y).tree_, range(8)))

def test_the_picture_shows_the_tree():
    unfitted, model = Leaf()._repr_html_(), Leaf().fit([[1], [2]], [0, 1])
    picture = model.tree_._repr_html_()
    assert "Leaf" in unfitted and "Leaf" in model._repr_html_() and picture not in unfitted
    for html in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert html.endswith(picture)
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_() and not hasattr(model, "_repr_html_")

def test_what_an_import_costs():
    "Nothing that scikit-learn's trees do not need, beyond this library and the compiler."
    code = ("import sys, sklearn.tree; had = set(sys.modules); import dtree_lit.trees.estimator; "
            "print(*{m.partition('.')[0] for m in set(sys.modules) - had})")
    new = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                             check=True).stdout.split())
    assert not new & {"pandas", "matplotlib", "IPython", "scipy", "polars", "pyarrow"}, new

@pytest.mark.parametrize("X, words", [
    (pd.DataFrame({"d": pd.to_datetime(["2020-01-01", None])}), "dates"),
    (np.array([["2020-01-01"], ["2021-01-01"]], "datetime64[s]"), "dates"),
    (np.array([[1], [2]], "timedelta64[h]"), "dates"),
    (np.ma.masked_greater([[1.0], [2.0]], 1.5), "masked"),
    (pd.DataFrame([[1, "a"], [2, "b"]], columns=["a", "a"]), "unique"),
])
def test_tables_whose_numbers_are_none(X, words):
    with pytest.raises((TypeError, ValueError), match=words): Leaf().fit(X, [0, 1])

def test_labels_that_cannot_be_compared():
    for y in (pd.DataFrame({"a": [0, 1], "b": ["p", "q"]}),
              np.array(["2020", "2021"], "datetime64[ns]")):
        with pytest.raises(ValueError, match="make text"): Leaf().fit([[1], [2]], y)

X3, y3 = load_iris(return_X_y=True, as_frame=True)

@pytest.mark.parametrize("model", [CARTClassifier(max_depth=3), CARTRegressor(max_depth=3),
                                   REPClassifier(random_state=0), REPRegressor(random_state=0),
                                   CostComplexityCV(cv=3), CostComplexityCV(CARTRegressor(), cv=3)],
                         ids=repr)
def test_functions_that_export_trees(model):
    """What reads arrays reads ours; what asks for a type refuses them, and the guide names what
    serves instead."""
    tree = model.fit(X3, y3).tree_
    written = export_graphviz(model, out_file=None, feature_names=X3.columns, precision=6)
    inner = tree.width > 0
    assert written.count("->") == tree.node_count - 1 and model.criterion == tree.schema.criterion
    for name, threshold in zip(X3.columns[tree.feature[inner]], tree.threshold[inner]):
        assert f"{name} <= {round(threshold, 6)}" in written
    for theirs in (export_text, plot_tree):
        with pytest.raises((ValueError, TypeError), match="must be an instance of"): theirs(model)
    said = tree.text()
    for name, t in zip(X3.columns[tree.feature[inner]], tree.t[inner].tolist()):
        assert (f"{name} >= {number(t)}" in said
                or f"{name} > {number(np.nextafter(t, -np.inf))}" in said)
    assert len(tree.rules()) == tree.n_leaves and tree.dot().count("->") == tree.node_count - 1
    assert any(name in text.get_text() for name in X3.columns[tree.feature[:1]]
               for text in tree.draw().texts)
    plt.close("all")

def test_what_scikit_learn_cannot_say():
    model = ID3Classifier().fit([["a"], ["b"], ["c"]], [0, 1, 0])
    with pytest.raises(AttributeError, match="this tree splits by categories, for which "
                                             "scikit-learn has no threshold"):
        export_graphviz(model)
    with pytest.raises(NotFittedError): export_graphviz(CostComplexityCV())
    assert (not hasattr(CostComplexityCV(), "criterion")
            and "criterion" not in CostComplexityCV().get_params())

@pytest.mark.parametrize("guide", ["README.md", "nbs/3_trees/390_estimator.ipynb"])
def test_the_guide_names_what_replaces_them(guide):
    text = (ROOT / guide).read_text("utf-8")
    for name in ("export_text", "plot_tree", "export_graphviz", "tree_.text()", "tree_.draw()",
                 "tree_.explain", "Tree.from_sklearn"):
        assert name in text

@pytest.mark.parametrize("kind", ["object", "str", "category"])
@pytest.mark.parametrize("learner", [CARTClassifier, C45Classifier])
def test_one_warning_about_columns_like_an_id(kind, learner):
    names = pd.Series([f"person {i}" for i in range(40)]).astype(kind)
    X, y = pd.DataFrame({"name": names, "size": range(40), "id": names}), np.arange(40) // 20
    with pytest.warns(UserWarning, match="columns 'name', 'id' have another category") as said:
        model = learner().fit(X, y)
    assert len(said) == 1 and said[0].filename == __file__
    few = X.assign(name=names[:30].reindex(range(40)), id=names.iloc[np.arange(40) // 2].values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)                                # only who learns is warned
        learner().fit(few, y), learner().fit(X[:19], y[:19])

def test_id3_warns_of_an_id_unless_it_is_declared():
    names, y = np.array([[f"person {i}"] for i in range(40)]), np.arange(40) // 20
    with pytest.warns(UserWarning, match="column 0 has another category"):
        ID3Classifier().fit(names, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ID3Classifier(categories={0: names.ravel().tolist()}).fit(names, y)
