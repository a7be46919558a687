"Reduced error pruning against all prunings, against the pseudocode, and on trees of every kind."
from fractions import Fraction
import numpy as np
import pandas as pd
import polars as pl
import pytest
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.learners.grow import grow
from dtree_lit.learners.id3 import ID3Classifier
from dtree_lit.learners.sdr import SDRTreeRegressor
from dtree_lit.models.assistant import AssistantClassifier
from dtree_lit.models.c45_classifier import C45Classifier
from dtree_lit.pruning.orders import TRAVERSALS
from dtree_lit.pruning.prune import prunings
from dtree_lit.pruning.traces import cut_at
from dtree_lit.pruning.pruning_errors import (by_training, counted, distances, summed_upward,
                                              added_up, labelled_by)
from dtree_lit.pruning.reduced_error import OPTIONS, reduced_error_pruning
from dtree_lit.pruning.rep_estimators import REPClassifier, REPRegressor
from dtree_lit.trees.estimator import set_aside
from dtree_lit.trees.nodes import Schema, tally
from dtree_lit.trees.tree import Tree
from dtree_lit.workshop.jit import interpreted
from hypothesis import HealthCheck, given, settings, strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_linnerud, load_wine
from sklearn import config_context
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.random_trees import rows, trees
from helpers.pages import on_page

rep_spec = on_page("520_reduced_error").rep_spec

slow = settings(deadline=None, max_examples=100,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                                       HealthCheck.filter_too_much])

def few_prunings(tree):
    "How many there are, or None if that is too many."
    n = np.ones(tree.node_count)
    for k in range(tree.node_count - 1, -1, -1):
        if tree.width[k]: n[k] = 1 + np.prod(n[tree.first[k]:tree.first[k] + tree.width[k]])
    return n[0] <= 300

def inner_ends(tree, ends): return [k for k in ends if tree.width[k]]
def all_cut(tree, labelled):
    return [cut_at(tree, inner_ends(tree, ends), labelled) for ends in prunings(tree)]

@slow
@given(st.data())
def test_fewest_errors_of_all_prunings(data):
    "Whole walks through whole trees: nothing of the loop is used to count."
    tree, _ = data.draw(trees().filter(lambda pair: few_prunings(pair[0])))
    n = data.draw(st.integers(1, 12))
    X = rows(data.draw, tree, n)
    y = np.array(data.draw(st.lists(st.integers(0, len(tree.schema.classes[0]) - 1), min_size=n,
                                    max_size=n)))
    labels = data.draw(st.sampled_from(OPTIONS["labels"]))
    size, weight, counts = tally(tree, tree.apply(X), y)
    seen = tree._replace(size=size, weight=weight, counts=counts)
    every = all_cut(tree, labelled_by(labels, tree, seen))
    wrong = np.array([(t.predict_labels(X) != y).sum() for t in every])
    pruned, trace = reduced_error_pruning(tree, X, y, labels=labels)
    assert (pruned.predict_labels(X) != y).sum() == wrong.min()
    best = [t.node_count for t, e in zip(every, wrong) if e == wrong.min()]
    assert pruned.node_count == min(best)
    assert reduced_error_pruning(tree, X, y, labels=labels, by="iteration").tree == pruned
    large = reduced_error_pruning(tree, X, y, labels=labels, ties="keep", empty="keep").tree
    assert (large.predict_labels(X) != y).sum() == wrong.min() and large.node_count == max(best)
    if trace.node.size:
        assert trace.subtree[-1] >= wrong.min() and [tree, *trace.steps()][-1] == pruned

@slow
@given(st.data())
def test_least_squares_of_all_prunings(data):
    seed, labels = data.draw(st.integers(0, 10**6)), data.draw(st.sampled_from(OPTIONS["labels"]))
    rng = np.random.default_rng(seed)
    X, P = rng.integers(0, 5, (9, 2)).astype(float), rng.integers(0, 5, (6, 2)).astype(float)
    y, q, w = rng.normal(size=(9, 2)), rng.normal(size=(6, 2)), rng.random(6) + 0.1
    tree = Tree.from_sklearn(DecisionTreeRegressor(random_state=0).fit(X, y))
    if not few_prunings(tree): return
    every = all_cut(tree, labelled_by(labels, tree, tree.recount(P, q, w)))
    left = np.array([(w @ (t.predict_labels(P) - q)**2).sum() for t in every])
    pruned = reduced_error_pruning(tree, P, q, w, labels=labels).tree
    assert np.isclose((w @ (pruned.predict_labels(P) - q)**2).sum(), left.min(), rtol=1e-9)
    assert pruned.node_count == min(t.node_count for t, v in zip(every, left)
                                    if np.isclose(v, left.min(), rtol=1e-12))

def shape(T):
    "The pseudocode's tree: for each node label and counts if it is a leaf."
    return [None, *shape(T.left), *shape(T.right)] if T.left else [(T.label, T.pos, T.total)]

def shape_of(tree, seen, k=0):
    "Ours, read in the same order."
    if not tree.width[k]:
        return [(int(tree.codes[k, 0]), int(seen.counts[k, 0, 1]), int(seen.weight[k]))]
    return [None] + [v for c in range(2) for v in shape_of(tree, seen, tree.first[k] + c)]

@pytest.mark.parametrize("seed", range(20))
def test_pseudocode(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (150, 3)).astype(float)
    y = (X[:, 0] > 4) ^ (rng.random(150) < 0.3)
    tree = grow(X[:100], y[:100].astype(int),
                schema=Schema(tuple("abc"), (None,) * 3, ((0, 1),), "gini"))
    P = X[100:], y[100:].astype(int)
    ours = reduced_error_pruning(tree, *P, labels="pruning").tree
    for mine, theirs in zip(shape_of(ours, ours.recount(*P)), shape(rep_spec(tree, *P)),
                            strict=True):
        if mine is None or theirs is None: assert mine is theirs; continue
        assert mine[1:] == theirs[1:] and (mine[0] == theirs[0] or mine[2] == 2 * mine[1])

problems = {"breast cancer": (load_breast_cancer, DecisionTreeClassifier),
            "iris": (load_iris, ExtraTreeClassifier), "wine": (load_wine, DecisionTreeClassifier),
            "diabetes": (load_diabetes, DecisionTreeRegressor),
            "linnerud": (load_linnerud, DecisionTreeRegressor)}
def halves(name):
    load, E = problems[name]
    X, y = load(return_X_y=True)
    i = np.random.default_rng(0).permutation(len(X))
    a, b = i[:len(i) // 2], i[len(i) // 2:]
    return Tree.from_sklearn(E(random_state=0).fit(X[a], y[a])), X[b], y[b]

@pytest.mark.parametrize("labels", OPTIONS["labels"])
@pytest.mark.parametrize("name", problems)
def test_nothing_depends_on_the_order_of_rows_or_how_weights_are_written(name, labels):
    tree, X, y = halves(name)
    pruned = reduced_error_pruning(tree, X, y, labels=labels).tree
    assert 1 <= pruned.node_count < tree.node_count
    rng = np.random.default_rng(1)
    i, w = rng.permutation(len(X)), rng.integers(0, 3, len(X))
    def same(a, b):
        return (np.array_equal(a.first, b.first) and np.array_equal(a.feature, b.feature)
                and np.allclose(a.counts, b.counts, rtol=1e-9))
    assert same(reduced_error_pruning(tree, X[i], y[i], labels=labels).tree, pruned)
    assert same(reduced_error_pruning(tree, X, y, w, labels=labels).tree,
                reduced_error_pruning(tree, np.repeat(X, w, axis=0), np.repeat(y, w, axis=0),
                                      labels=labels).tree)
    odd = rng.random(len(X))
    if labels != "both":
        assert same(reduced_error_pruning(tree, X, y, odd, labels=labels).tree,
                    reduced_error_pruning(tree, X[i], y[i], odd[i], labels=labels).tree)
    if labels == "training":
        assert same(reduced_error_pruning(tree, X, y, odd).tree,
                    reduced_error_pruning(tree, X, y, odd * 1024).tree)

@pytest.mark.parametrize("name", problems)
def test_settings(name):
    tree, X, y = halves(name)
    number, few = tree.schema.classes[0] is None, (X[:4], y[:4])
    def wrong(t, X, y):
        said = t.predict_labels(X)
        return ((said - y)**2).sum() if number else (said != y).sum()
    least = reduced_error_pruning(tree, X, y).tree
    for by in TRAVERSALS:
        other = reduced_error_pruning(tree, X, y, by=by).tree
        assert wrong(other, X, y) >= wrong(least, X, y) - 1e-9
    assert np.isclose(wrong(reduced_error_pruning(tree, X, y, labels="pruning").tree, X, y),
                      min(wrong(reduced_error_pruning(tree, X, y, labels=who).tree, X, y)
                          for who in OPTIONS["labels"]))
    def nobody(t):
        return ((t.recount(*few).weight == 0) & (t.width > 0)).sum() if not number else None
    cut, keep, helped = (reduced_error_pruning(tree, *few, empty=word).tree
                         for word in OPTIONS["empty"])
    assert cut.node_count <= helped.node_count <= keep.node_count
    if not number: assert nobody(cut) == 0
    assert (np.isclose(wrong(cut, *few), wrong(keep, *few))
            and np.isclose(wrong(cut, *few), wrong(helped, *few)))

def test_who_helps_where_nobody_came():
    "A node that helps the training examples, below one that does not, and a useless one."
    schema = Schema(("x",), (None,), (("n", "p"),), "entropy")
    tree = Tree.of(schema, [0, 0, 0, -2, -2, -2, -2], [4.0, 2, 6, 0, 0, 0, 0],
                   [1, 3, 5, -1, -1, -1, -1],
                   np.array([[6, 4], [3, 2], [3, 2], [3, 0], [0, 2], [2, 1], [1, 1]]))
    assert by_training(tree).tolist() == [False, False, True, False, False, False, False]
    # the root is reached, and needs no subtree
    assert (reduced_error_pruning(tree, [[5.0], [7.0]], ["n", "n"], empty="keep").tree.node_count
            == 1)
    nobody_left = [[5.0], [7.0], [5.0]], ["n", "n", "p"]
    for word in OPTIONS["empty"]:
        trace = reduced_error_pruning(tree, *nobody_left, empty=word).trace
        decided = dict(zip(trace.node.tolist(), trace.cut.tolist()))
        assert decided[1] == (word == "prune") and decided[2]

def test_labels_of_ties():
    schema = Schema(("x",), (None,), (("a", "b", "c"),), "gini")
    tree = Tree.of(schema, [0, -2, -2], [0.5, 0, 0], [1, -1, -1],
                   np.array([[1, 3, 2], [1, 1, 1], [0, 2, 1]]))
    for y, label in (("ac", "c"), ("ab", "b"), ("bc", "b"), ("aab", "a"), ("ca", "c")):
        X = [[0.0]] * len(y)
        seen = tree.recount(X, ["abc".index(v) for v in y])
        assert labelled_by("pruning", tree, seen).node_labels[0] == label, y

def test_a_single_training_row_breaks_a_tie():
    "Or a part of one: any weight above zero decides, and none leaves the first label."
    for weight, label in ((1, "b"), (0.25, "b"), (0, "a")):
        counts = np.array([[0, weight, 9], [0, weight, 0], [0, 0, 9]], float)
        tree = Tree.of(Schema(("x",), (None,), (("a", "b", "c"),), "gini"),
                       [0, -2, -2], [0.5, 0, 0], [1, -1, -1], counts)
        seen = tree.recount([[0.0], [0.0]], [0, 1])
        assert labelled_by("pruning", tree, seen).node_labels[0] == label, weight

@pytest.mark.parametrize("name", problems)
def test_backfit_counts_everybody(name):
    load, E = problems[name]
    X, y = load(return_X_y=True)
    y = y if E is DecisionTreeRegressor else np.array([f"class {v}" for v in y])
    half = len(X) // 2
    i = np.random.default_rng(0).permutation(len(X))
    a, b = i[:half], i[half:]
    tree = Tree.from_sklearn(E(random_state=0).fit(X[a], y[a]))
    pruned = reduced_error_pruning(tree, X[b], y[b], backfit=True).tree
    codes = y if tree.schema.classes[0] is None else np.searchsorted(tree.schema.classes[0], y)
    size, weight, counts = tally(pruned, pruned.apply(X), codes)
    assert np.array_equal(pruned.size, size) and np.allclose(pruned.weight, weight)
    assert np.allclose(pruned.counts[:, :, 0], counts[:, :, 0], rtol=1e-9)
    def squares(counts):
        "Of a tree of scikit-learn only their sum over the outputs is known."
        return counts[:, :, 1].sum(axis=1)
    if tree.schema.classes[0] is None:
        assert np.allclose(squares(pruned.counts), squares(counts), rtol=1e-6,
                           atol=1e-6 * counts[:, :, 1].max())
    else: assert np.allclose(pruned.counts, counts)

def test_joining_numbers():
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 2)), rng.normal(size=60) * 1e3 + 1e6
    tree = grow(X[:30], y[:30], criterion="squared_error", max_depth=3)
    all_of_them, two = (tree.recount(X, y),
                        added_up(tree.recount(X[:30], y[:30]), tree.recount(X[30:], y[30:])))
    assert (np.allclose(all_of_them.counts[:, :, 0], two.counts[:, :, 0], rtol=1e-12)
            and np.allclose(all_of_them.counts[:, :, 1], two.counts[:, :, 1], rtol=1e-6, atol=1e-3))

@slow
@given(st.data())
def test_counts_are_those_of_the_tree(data):
    tree, _ = data.draw(trees())
    n = data.draw(st.integers(1, 20))
    X, w = (rows(data.draw, tree, n),
            np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), float))
    y = np.array(data.draw(st.lists(st.integers(0, len(tree.schema.classes[0]) - 1), min_size=n,
                                    max_size=n)))
    assert Tree(*counted(tree, tree.apply(X), y[:, None], w)) == tree.recount(X, y, w)
    at = np.random.default_rng(0).integers(0, 9, (tree.node_count, 2)).astype(float)
    assert np.array_equal(summed_upward(tree.parent, at),
                          interpreted(summed_upward)(tree.parent, at))
    args = tree.parent, tree.apply(X), y.astype(float), w, at[:, 0].copy(), 0.25
    assert np.array_equal(distances(*args), interpreted(distances)(*args))

def test_several_outputs_and_missing_values():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.stack([np.where(X[:, 0] > 0, "yes", "no"),
                  np.where(X[:, 1] + rng.normal(size=300) > 0, "up", "down")], axis=1)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = DecisionTreeClassifier(random_state=0).fit(X[:200], y[:200])
    tree = Tree.from_sklearn(model)
    assert (tree.predict_labels(X) == model.predict(X)).all()
    for who in OPTIONS["labels"]:
        pruned = reduced_error_pruning(tree, X[200:], y[200:], labels=who).tree
        assert (pruned.n_leaves < tree.n_leaves and (pruned.predict_labels(X[200:])
                                                     != y[200:]).sum()
                < (tree.predict_labels(X[200:]) != y[200:]).sum())

@pytest.mark.parametrize("y, error, words",
                         [(["red"] * 3, {}, "'red', which is not a class of the tree"),
                          (np.array([None, 1, 1], object), {},
                           "None, which is not a class of the tree"), ([0, 1], {}, "rows"),
                          ([[0, 1]] * 3, {}, r"shape \(3, 2\)"),
                          ([0, 1, 2], dict(labels="most"), "labels must be one of"),
                          ([0, 1, 2], dict(ties="no"), "ties must be one of"),
                          ([0, 1, 2], dict(empty=""), "empty must be one of"),
                          ([0, 1, 2], dict(by="chance"), "is not an order"),
                          ([0, 1, 2], dict(weights=[1, -1, 1]), "zero or more"),
                          ([0, 1, 2], dict(weights=[0, 0, 0]), "all weights are zero"),
                          ([0, 1, 2], dict(weights=[1, np.nan, 1]), "zero or more")])
def test_refusals(y, error, words):
    X, target = load_iris(return_X_y=True)
    tree = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, target))
    with pytest.raises(ValueError, match=words): reduced_error_pruning(tree, X[:3], y, **error)

def test_refused_numbers():
    X, y = load_diabetes(return_X_y=True)
    tree = Tree.from_sklearn(DecisionTreeRegressor(max_depth=3).fit(X, y))
    for rows, numbers in ((X[:2], [1, np.nan]), (X, y * 1e200)):
        with pytest.raises(ValueError, match="below 1e150"):
            reduced_error_pruning(tree, rows, numbers)
    with pytest.raises(ValueError, match="features"): reduced_error_pruning(tree, X[:2, :3], [1, 2])
    assert reduced_error_pruning(tree, X[:1], [0.0]).tree.node_count <= tree.node_count
    constant = Tree.from_sklearn(DecisionTreeRegressor().fit(X, 0 * y))
    assert reduced_error_pruning(constant, X, 0 * y).tree == constant

# The estimators

LOTS = dict.fromkeys([f"check_sample_weight_equivalence_on_{kind}_data"
                      for kind in ("dense", "sparse")],
                     "of two equal rows one may grow and the other prune; a row of weight two does "
                     "either")

@parametrize_with_checks([REPClassifier(), REPRegressor(),
                          REPClassifier(DecisionTreeClassifier(random_state=0), labels="pruning"),
                          REPRegressor(DecisionTreeRegressor(random_state=0), backfit=True),
                          REPClassifier(labels="both", empty="training", ties="keep")],
                         expected_failed_checks=lambda estimator: LOTS)
def test_scikit_learn(estimator, check): check(estimator)

def test_set_aside():
    rng = np.random.default_rng(0)
    for _ in range(100):
        groups, f, seed = (rng.integers(0, 4, rng.integers(1, 80)), rng.uniform(0.05, 0.95),
                           int(rng.integers(99)))
        taken = set_aside(groups, f, seed)
        assert (np.array_equal(taken, set_aside(groups, f, seed))
                and abs(taken.sum() - f * len(groups)) < 1)
        assert all(abs(taken[groups == k].sum() - f * (groups == k).sum()) <= 1 for k in range(4))
    assert len({tuple(set_aside(np.zeros(30), 1/3, seed)) for seed in range(50)}) == 50

def test_a_given_pruning_set_and_a_grown_tree():
    X, y = load_breast_cancer(return_X_y=True)
    y = np.array(["benign", "malign"])[y]
    grow_, prune_ = (X[:300], y[:300]), (X[300:450], y[300:450])
    for E in (DecisionTreeClassifier(random_state=0), CARTClassifier()):
        expected = (E.fit(*grow_).tree_ if isinstance(E, CARTClassifier)
                    else Tree.from_sklearn(E.fit(*grow_)))
        expected = reduced_error_pruning(expected, *prune_).tree
        models = [REPClassifier(clone(E)).fit(*grow_, X_prune=prune_[0], y_prune=prune_[1]),
                  REPClassifier(E).fit(*prune_),
                  clone(REPClassifier(FrozenEstimator(E))).fit(*prune_)]
        for m in models:
            assert (m.tree_ == expected and (m.predict(X) == expected.predict_labels(X)).all()
                    and m.classes_.tolist() == ["benign", "malign"])
            assert (m.trace_.tree.node_count > m.tree_.node_count
                    and m.predict_proba(X).shape == (len(X), 2))
    R = DecisionTreeRegressor(random_state=0)
    X, y = load_diabetes(return_X_y=True)
    assert (REPRegressor(R.fit(X[:300], y[:300])).fit(X[300:], y[300:]).tree_
            == reduced_error_pruning(Tree.from_sklearn(R), X[300:], y[300:]).tree)

def test_a_grown_tree_knows_its_columns():
    X, y = load_iris(return_X_y=True, as_frame=True)
    for E in (DecisionTreeClassifier().fit(X, y), CARTClassifier().fit(X, y)):
        for model in (REPClassifier(E), REPClassifier(FrozenEstimator(E))):
            assert model.fit(X, y).score(X, y) == 1
            with pytest.raises(ValueError, match="feature names should match"):
                model.fit(X[X.columns[::-1]], y)
            with pytest.raises(ValueError, match="feature names should match"):
                model.fit(X[X.columns[:3]], y)
        with pytest.warns(UserWarning, match="feature names"), pytest.raises(
                ValueError, match="X has 3 features"):
            REPClassifier(E).fit(X.to_numpy()[:, :3], y)

def some_words(n=120, gaps=False):
    "A table of words, labels and numbers that depend on them."
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"sky": rng.choice(["sun", "rain", "cloud"], n),
                      "wind": rng.choice(["weak", "strong"], n),
                      "mood": rng.choice(["a", "b", "c", "d"], n)})
    y = np.where((X.sky == "sun") & (X.wind == "weak") | (rng.random(n) < 0.2), "play", "stay")
    if gaps: X = X.mask(rng.random(X.shape) < 0.1)
    return X, y, (X.sky == "sun") * 2.0 + rng.normal(size=n)

@pytest.mark.parametrize("inside", [
    ID3Classifier(), ID3Classifier(missing="value"), C45Classifier(), AssistantClassifier(),
    CARTClassifier(categorical_features="from_dtype"), SDRTreeRegressor(),
    CARTRegressor(categorical_features="from_dtype")], ids=lambda E: str(E)[:20])
def test_trees_of_words(inside):
    labels = not hasattr(inside, "predict_proba")
    around = REPRegressor if labels else REPClassifier
    X, y, numbers = some_words(gaps=getattr(inside, "missing", "") == "value")
    target = numbers if labels else y
    kinds = [X, pl.from_pandas(X), pl.from_pandas(X).to_arrow()]
    if not X.isna().any(axis=None): kinds += [X.to_numpy(object), X.values.tolist()]
    for T in kinds:
        grown = clone(inside).fit(T, target)
        models = [around(clone(inside)).fit(T, target, X_prune=T, y_prune=target),
                  around(grown).fit(T, target), around(FrozenEstimator(grown)).fit(T, target)]
        expected = reduced_error_pruning(grown, T, target).tree
        for model in models:
            said = model.predict(T)
            assert model.tree_ == expected and (said == expected.predict_labels(T)).all()
            assert model.categories_ == grown.categories_
        aside = around(clone(inside), random_state=1).fit(T, target)
        assert aside.get_n_leaves() <= aside.estimator_.tree_.n_leaves and len(aside.predict(T))
    named = around(clone(inside)).fit(X, target)
    assert named.feature_names_in_.tolist() == ["sky", "wind", "mood"]
    assert named.tree_.schema.features == ("sky", "wind", "mood")
    with pytest.raises(ValueError, match="feature names"): named.predict(X[X.columns[::-1]])

def test_id3_inside_sees_and_refuses_what_it_does_alone():
    X, y, _ = some_words()
    model = REPClassifier(ID3Classifier()).fit(X, y)
    assert (model.predict(X.assign(mood="unheard of"))[:3] == model.predict(X)[:3]).all()
    with pytest.raises(ValueError, match="column 'sky' is missing"):
        REPClassifier(ID3Classifier()).fit(some_words(gaps=True)[0], y)
    with pytest.raises(ValueError, match="ID3 splits categories only"):
        REPClassifier(ID3Classifier()).fit(X.assign(mood=0.5), y)
    again = GridSearchCV(REPClassifier(ID3Classifier()), dict(estimator__max_depth=[1, 2]), cv=3)
    assert again.fit(X, y).best_score_ > 0.6

def test_a_pipeline_is_no_tree():
    X, y, _ = some_words()
    with pytest.raises(ValueError, match="put REPClassifier at its end"):
        REPClassifier(make_pipeline(OrdinalEncoder(), CARTClassifier())).fit(X, y)
    assert make_pipeline(OrdinalEncoder(), REPClassifier()).fit(X, y).score(X, y) > 0.6

def test_pruning_rows_and_labels_belong_together():
    X, y = load_iris(return_X_y=True)
    for half in (dict(X_prune=X), dict(y_prune=y)):
        with pytest.raises(ValueError, match="belong together"): REPClassifier().fit(X, y, **half)

def test_what_an_error_costs():
    "Weights of classes prune as those of the rows would."
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(2, 400, 3))
    y, z = (V[:, 0] + rng.normal(size=400) > 1 for V in (X, Z))
    for E in (CARTClassifier(), DecisionTreeClassifier(random_state=0)):
        heavy = clone(E).set_params(class_weight={True: 8})
        for grown in (E, heavy): grown.fit(X, y)
        w, even = np.where(z, 8.0, 1.0), np.where(z, len(z) / z.sum() / 2, len(z) / (~z).sum() / 2)
        for labels in OPTIONS["labels"]:
            a, b = (REPClassifier(heavy, labels=labels).fit(Z, z),
                    REPClassifier(clone(heavy), labels=labels).fit(X, y, X_prune=Z, y_prune=z))
            c = reduced_error_pruning(a.trace_.tree, Z, z, w, labels=labels)
            assert (a.tree_ == b.tree_ == c.tree and str(a.trace_) == str(b.trace_) == str(c.trace)
                    and a.tree_ != reduced_error_pruning(a.trace_.tree, Z, z, labels=labels).tree)
        heavy.set_params(class_weight="balanced").fit(X, y)
        assert (REPClassifier(heavy).fit(Z, z).tree_
                == reduced_error_pruning(Tree.from_sklearn(heavy)
                                         if E.__class__ is DecisionTreeClassifier
                                         else heavy.tree_, Z, z, even).tree)
    model = REPClassifier(CARTClassifier(class_weight={True: 8}))
    aside = model._aside(y)
    assert (str(model.fit(X, y).trace_)
            == str(model.fit(X[~aside], y[~aside], X_prune=X[aside], y_prune=y[aside]).trace_))

def test_a_class_that_growing_never_saw():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.array(["a", "b"] * 20, object)
    y[7] = "rare"
    seen = set()
    for seed in range(12):
        m = REPClassifier(random_state=seed, labels="pruning").fit(X, y)
        assert (m.classes_.tolist() == ["a", "b", "rare"] and m.predict_proba(X).shape == (40, 3)
                and np.allclose(m.predict_proba(X).sum(axis=1), 1))
        seen.add("rare" in m.estimator_.classes_)
    assert seen == {True, False}

def test_rows_of_weight_zero_are_not_there():
    X, y = load_wine(return_X_y=True)
    w = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    for m in (REPClassifier(random_state=1),
              REPClassifier(DecisionTreeClassifier(random_state=0), random_state=1)):
        a, b = clone(m).fit(X, y, w), clone(m).fit(X[w > 0], y[w > 0], w[w > 0])
        assert a.tree_ == b.tree_ and str(a.trace_) == str(b.trace_)

def test_in_company():
    X, y = load_breast_cancer(return_X_y=True)
    with config_context(enable_metadata_routing=True):
        model = make_pipeline(StandardScaler(),
                              REPClassifier().set_fit_request(sample_weight=True, X_prune=True,
                                                              y_prune=True))
        scaled = StandardScaler().fit(X[:300]).transform(X[300:400])
        model.fit(X[:300], y[:300], X_prune=scaled, y_prune=y[300:400])
        assert model[-1].estimator_.tree_.size[0] == 300 and model.score(X[400:], y[400:]) > 0.85
    search = GridSearchCV(REPClassifier(CARTClassifier()),
                          dict(estimator__criterion=["gini", "entropy"],
                               labels=["training", "both"]), cv=2).fit(X, y)
    assert (search.best_score_ > 0.85 and REPClassifier().fit(X, y).tree_
            == REPClassifier().fit(X, y).tree_)
    X, y = load_diabetes(return_X_y=True)
    assert cross_val_score(REPRegressor(), X,
                           y).mean() > cross_val_score(CARTRegressor(), X, y).mean() + 0.2

def test_several_outputs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    Y = np.stack([X[:, 0] > 0, X[:, 1] + rng.normal(size=200) > 0], axis=1).astype(int)
    m = REPClassifier().fit(X, Y)
    assert m.predict(X).shape == Y.shape and len(m.predict_proba(X)) == 2 and m.score(X, Y) > 0.4
    assert REPRegressor().fit(X, X[:, :2]).predict(X).shape == (200, 2)
    words = np.array(["no", "yes"], object)[Y]
    assert np.array_equal(REPClassifier().fit(X, words).predict(X),
                          np.array(["no", "yes"], object)[m.predict(X)])

@pytest.mark.parametrize("model, words",
                         [(REPClassifier(prune_fraction=1), "prune_fraction"),
                          (REPClassifier(prune_fraction=True), "prune_fraction"),
                          (REPClassifier(labels="x"), "'labels' of REPClassifier"),
                          (REPClassifier(prune_fraction=1e-9), "too few"),
                          (REPClassifier(LogisticRegression(max_iter=9999)), "no tree to prune"),
                          (REPRegressor(DecisionTreeClassifier()), "a tree that predicts numbers"),
                          (REPClassifier("x"), "'x' is not an estimator"),
                          (REPClassifier(CARTClassifier), "CARTClassifier'> is not an estimator")])
def test_estimators_refuse(model, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words): model.fit(X, y)

@pytest.mark.parametrize("model, y", [(REPClassifier, [0, 1] * 45),
                                      (REPRegressor, np.arange(90.0))])
def test_a_third_of_the_rows_prunes(model, y):
    X = np.arange(90.0)[:, None]
    assert model().fit(X, y).trace_.tree.size[0] == 60

def test_errors_of_a_trace_are_in_the_weights_that_were_given():
    stump = grow([[0], [1], [1]], [0, 1, 1])
    _, trace = reduced_error_pruning(stump, [[0]] * 3, [0, 0, 1], [0.25, 0.25, 1.5])
    assert (trace.leaf.tolist(), trace.subtree.tolist()) == ([0.5], [1.5])

@pytest.mark.parametrize("scale", [1e-4, 1, 1e4])
def test_squared_distances_keep_their_digits_in_any_unit(scale):
    rng = np.random.default_rng(5)
    X, y = rng.random((60, 1)), scale * rng.random(60)
    tree = grow(X[:40], y[:40], criterion="squared_error", max_leaf_nodes=5)
    trace = reduced_error_pruning(tree, X[40:], y[40:]).trace
    for k, leaf in zip(trace.node, trace.leaf):
        here = [i for i in range(40, 60) if k in tree.path(X[i])]
        exact = sum((Fraction(y[i]) - Fraction(float(tree.value[k, 0, 0])))**2 for i in here)
        assert abs(Fraction(leaf) - exact) < exact / 2**38
