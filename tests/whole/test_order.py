"""No order of the rows shows where weights are fractions: every learner that promises so, on tables
by lot, to the last bit; and weights of very different size."""
import warnings
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (AssistantClassifier, C45Classifier, C45RulesClassifier, C50Classifier,
                       CARTClassifier, CARTRegressor, ForestClassifier, ID3Classifier,
                       REPClassifier, SDRTreeRegressor)
from dtree_lit.learners.c45 import grow_c45
from dtree_lit.models.assistant import grow_assistant
from dtree_lit.models.rule_lists import rule_list
from dtree_lit.pruning.error_based import error_based_pruning
from dtree_lit.pruning.reduced_error import reduced_error_pruning
from dtree_lit.pruning.subtree_raising import RAISE
from dtree_lit.trees.nodes import Codes
from sklearn.base import clone
from helpers.pages import on_page

c45_spec = on_page("465_c45").c45_spec
error_based_spec = on_page("570_error_based").error_based_spec

NAMES, TABLES = np.array(list("cab")), 40      # for each learner

def some_table(rng, kind=None, gaps=None):
    "Numbers of few values, so that many gains are equal; labels, weights, and weights of classes."
    n, K = int(rng.integers(6, 40)), int(rng.integers(2, 4))
    columns = rng.integers(0, 3, n), rng.integers(0, 8, n) / 4, rng.normal(size=n).round(2)
    X = np.stack([columns[f] for f in rng.permutation(3)[:rng.integers(1, 4)]], axis=1) * 1.0
    y = np.where(rng.random(n) < 0.5, rng.integers(0, K, n), X[:, 0] > np.median(X[:, 0]))
    y[:K] = range(K)
    if rng.random() < 0.1: X[:] = 0
    if rng.random() < 0.6 if gaps is None else gaps: X[rng.random(X.shape) < 0.2] = np.nan
    kind = kind or rng.choice(["none", "tenths", "uniform", "balanced", "both", "whole", "wide"])
    w = dict(tenths=rng.integers(1, 9, n) / 10, uniform=rng.random(n),
             both=rng.integers(1, 9, n) / 10, whole=rng.integers(1, 5, n) * 1.0,
             wide=rng.random(n) * 10.0**rng.integers(-8, 8)).get(kind)
    return X, NAMES[y], w, "balanced" if kind in ("balanced", "both") else None

def words(X):
    "The first column as words; where a value is missing, None."
    first = [None if v != v else f"word {v:.0f}" for v in X[:, 0]]
    return pd.DataFrame({"word": first} | {f"x{f}": X[:, f] for f in range(1, X.shape[1])})

def in_bytes(value):
    "All that a fitted thing is made of; equal if and only if every bit is."
    if hasattr(value, "_asdict"): return in_bytes(list(value._asdict().items()))
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, tuple)): return tuple(map(in_bytes, value))
    return repr(value)

KEPT = "tree_", "committee_", "rules_", "trees_", "trace_", "errors_"

def fitted(model, X, y, w, Q):
    "What a model has learned, and what it says of other rows."
    model = clone(model).fit(X, y, sample_weight=w)
    said = [getattr(model, ask)(Q) for ask in ("predict", "predict_proba") if hasattr(model, ask)]
    kept = [vars(model)[name] for name in KEPT if vars(model).get(name) is not None]
    assert kept
    return in_bytes([*kept, *said])

def taken(a, rows):
    "Some rows of a table, of labels, or of weights that there may not be."
    return None if a is None else a.iloc[rows] if isinstance(a, pd.DataFrame) else a[rows]

def shuffled(rng, learn, *rows):
    "Does `learn` say the same of the rows in another order?"
    return learn(*rows) == learn(*(taken(a, order) for order in [rng.permutation(len(rows[1]))]
                                   for a in rows))

CLASSIFIERS = {
    "C4.5": (C45Classifier(), False),
    "C4.5 with words": (C45Classifier(min_weight=1), True),
    "C4.5 in groups": (C45Classifier(groups=True, min_weight=1), True),
    "C4.5 by value": (C45Classifier(binary="value", min_weight=0.5, collapse=False), True),
    "C4.5 as Weka": (C45Classifier(tolerance="weka", min_weight=0.3), True),
    "C4.5 by gain": (C45Classifier(criterion="gain", mdl_penalty=False, min_weight=0.1,
                                   confidence=0.5,
                                   collapse=False, thresholds="midpoints"), True),
    "C4.5, nothing raised": (C45Classifier(subtree_raising=False, min_weight=0.3), True),
    "C4.5, not pruned": (C45Classifier(pruning=None, min_weight=0.3), True),
    "rules": (C45RulesClassifier(min_weight=0.5, mdl_penalty=False), True),
    "C5.0": (C50Classifier(trials=4, min_weight=1), True),
    "C5.0, costs": (C50Classifier(trials=3, costs={"c": {"a": 3}}, min_weight=1), True),
    "AdaBoost": (C50Classifier(trials=4, boosting="adaboost", min_weight=1), True),
    "SAMME": (C50Classifier(trials=4, boosting="samme", min_weight=1), True),
    "ASSISTANT": (AssistantClassifier(), True),
    "ASSISTANT, m": (AssistantClassifier(pruning="m_estimate", min_weight=0.1), True),
    "CART": (CARTClassifier(), False),
    "CART, entropy": (CARTClassifier(criterion="entropy", max_leaf_nodes=5), False),
    "forest without lots of rows": (ForestClassifier(3, bootstrap=False, max_features=1,
                                                     random_state=0), False),
}

@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(name):
    model, with_words = CLASSIFIERS[name]
    rng = np.random.default_rng(0)
    for _ in range(TABLES):
        X, y, w, of_class = some_table(rng)
        X = words(X) if with_words else X
        Q = taken(X, rng.integers(0, len(y), 20))
        model = model.set_params(class_weight=of_class)
        assert shuffled(rng, lambda X, y, w: fitted(model, X, y, w, Q), X, y, w)

def test_trees_of_words():
    rng = np.random.default_rng(1)
    for _ in range(TABLES):
        X, y, w, _ = some_table(rng, gaps=False)
        X = X.round().astype(int).astype(str)
        assert shuffled(rng, lambda X, y, w, Q=X: fitted(ID3Classifier(), X, y, w, Q), X, y, w)

@pytest.mark.parametrize("model", [CARTRegressor(), SDRTreeRegressor()], ids=["CART", "SDR"])
def test_regressors(model):
    rng = np.random.default_rng(2)
    for _ in range(TABLES):
        X, _, w, _ = some_table(rng)
        t = np.nan_to_num(X[:, 0]) / 3 + rng.random(len(X))
        assert shuffled(rng, lambda X, t, w, Q=X: fitted(model, X, t, w, Q), X, t, w)

def test_pruned_by_rows_in_any_order():
    "By reduced error: the rows that grow, and the rows that prune, each in another order."
    rng, (P, q, *_) = np.random.default_rng(3), some_table(np.random.default_rng(9))
    for _ in range(30):
        X, y, w, of_class = some_table(rng)
        def grown(X, y, w):
            some = P[:, :1].repeat(X.shape[1], axis=1)
            model = REPClassifier(C45Classifier(pruning=None, min_weight=0.2))
            model.fit(X, y, sample_weight=w, X_prune=some, y_prune=np.where(q == "b", "a", q))
            return in_bytes([model.tree_, model.trace_])
        assert shuffled(rng, grown, X, y, w)
        tree = C45Classifier(pruning=None, min_weight=0.5).fit(X, y).tree_
        def pruned(X, y, w):
            return in_bytes([reduced_error_pruning(tree, X, y, w, labels=labels, backfit=backfit)
                             for labels in ("training", "both") for backfit in (False, True)])
        assert shuffled(rng, pruned, X, y, w)

def test_trees_of_others():
    "A tree of CART, pruned by estimates, and made into rules."
    rng = np.random.default_rng(4)
    for _ in range(TABLES):
        X, y, w, _ = some_table(rng)
        tree = CARTClassifier().fit(X, y, sample_weight=w).tree_
        def made(X, y, w):
            return in_bytes([error_based_pruning(tree, X, y, w), rule_list(tree, X, y, w)])
        assert shuffled(rng, made, X, y, w)

# What was found

@pytest.mark.parametrize("model", [C45Classifier(), C50Classifier(trials=1)], ids=["C4.5", "C5.0"])
def test_three_tenths_and_six(model):
    "b weighs what a weighs, rounded once, in each of the 24 orders: a tie, which a wins."
    X, y, w = np.zeros((4, 1)), np.array(list("bbba")), np.array([0.1, 0.2, 0.3, 0.6])
    found = [fitted(model, X, y[[*order]], w[[*order]], X[:1]) for order in permutations(range(4))]
    assert len({*found}) == 1 and model.fit(X, y, sample_weight=w).predict(X[:1]) == "a"

@pytest.mark.parametrize("kind, gaps, model", [("uniform", False, C45Classifier()),
                                               ("tenths", False, C45Classifier()),
                                               ("balanced", True, C45Classifier()),
                                               ("none", True, C50Classifier(trials=5))])
def test_one_kind_of_weights(kind, gaps, model):
    rng = np.random.default_rng(5)
    for _ in range(TABLES):
        X, y, w, of_class = some_table(rng, kind, gaps)
        model = model.set_params(class_weight=of_class)
        assert shuffled(rng, lambda X, y, w, Q=X: fitted(model, X, y, w, Q), X, y, w)

# What nodes say

def exactly(w, y, K):
    "The sum of each class, as given, rounded once."
    return [float(sum(map(Fraction, w[y == k].tolist()), Fraction(0))) for k in range(K)]

def test_nodes_say_what_the_weights_add_up_to():
    "As given, rounded once: where no row is divided in every node, else at the root."
    rng, divided = np.random.default_rng(6), 0
    for _ in range(30):
        X, y, w, _ = some_table(rng, rng.choice(["tenths", "uniform", "wide"]))
        y = np.searchsorted(np.unique(y), y)
        K, codes = int(y.max()) + 1, X.view(Codes)
        grown = grow_c45(X, y, w, min_weight=0.2, mdl_penalty=False)
        left = error_based_pruning(grown, codes, y.view(Codes), w).tree
        for tree in (grown, left, grow_assistant(X, y, w, min_weight=0.2)):
            assert tree.counts[0, 0].tolist() == exactly(w, y, K)
            divided += np.isnan(X).any()
            if np.isnan(X).any(): continue
            came = tree.decision_path(X).toarray().astype(bool)
            for k, rows in enumerate(came.T):
                assert tree.counts[k, 0].tolist() == exactly(w[rows], y[rows], K)
    assert divided

def test_plain_and_compiled_pruning_say_the_same():
    "Each comparison is decided alike; without gaps each count is the same to the last bit."
    rng, raised = np.random.default_rng(7), 0
    for _ in range(30):
        X, y, w, _ = some_table(rng)
        y = np.searchsorted(np.unique(y), y)
        tree = grow_c45(X, y, w, min_weight=0.3, mdl_penalty=False)
        spec = error_based_spec(tree, X, y, w)
        fast = error_based_pruning(tree, X.view(Codes), y.view(Codes), w)
        assert spec.trace.done.tolist() == fast.trace.done.tolist()
        for one, other in ((spec.tree, fast.tree), (spec.trace.labelled, fast.trace.labelled)):
            assert np.allclose(one.counts, other.counts, rtol=1e-6)
            assert np.isnan(X).any() or in_bytes(one) == in_bytes(other)
        if fast.trace.done.any(): assert [*fast.trace.steps()][-1] == fast.tree
        raised += (fast.trace.done == RAISE).sum()
    assert raised

# Weights of very different size

def exam(gaps=False):
    rng = np.random.default_rng(0)
    X = np.stack([rng.integers(0, 6, 40), rng.normal(size=40).round(2)], axis=1)
    y = np.where(rng.random(40) < 0.2, rng.integers(0, 2, 40), X[:, 0] > 2)
    return np.where(rng.random(X.shape) < 0.2, np.nan, X) if gaps else X, y

def heavy(weight): return np.where(np.arange(40) == 3, weight, 1.0)

SIZES = {"1e15 among ones": heavy(1e15), "1e299 among ones": heavy(1e299),
         "1e-300 among ones": heavy(1e-300), "all 1e200": np.full(40, 1e200),
         "all 5e-324": np.full(40, 5e-324), "about 1e-310": np.arange(1, 41) * 1e-311}
OF_WEIGHTS = [C45Classifier(), C45Classifier(groups=True), C45Classifier(tolerance="weka"),
              C45Classifier(pruning="reduced_error", random_state=0), C45RulesClassifier(),
              C50Classifier(trials=4), C50Classifier(trials=3, costs={0: {1: 2}}),
              C50Classifier(trials=3, boosting="samme"), AssistantClassifier(),
              AssistantClassifier(pruning="m_estimate"), CARTClassifier(),
              REPClassifier(random_state=0), REPClassifier(C45Classifier(), random_state=0)]

@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", OF_WEIGHTS, ids=str)
def test_weights_of_any_size(model, gaps, size):
    "Learned without a warning, in any order; and the root says what the weights add up to."
    (X, y), w = exam(gaps), SIZES[size]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(model).fit(X, y, sample_weight=w)
        p = model.predict_proba(X)
    assert np.isfinite(p).all() and np.allclose(p.sum(axis=1), 1)
    reduced = isinstance(model, REPClassifier) or getattr(model, "pruning", None) == "reduced_error"
    if reduced: return
    rng = np.random.default_rng(0)
    assert shuffled(rng, lambda X, y, w, Q=X: fitted(model, X, y, w, Q), X, y, w)
    first = model.committee_[0] if hasattr(model, "committee_") else getattr(model, "tree_", None)
    if first is not None and getattr(model, "costs", None) is None:
        assert first.counts[0, 0].tolist() == exactly(w, y, 2)

def of_spec(node, k, tree):
    "Pairs: class weights by the definition, and those of the node of a tree."
    D = node[0] if isinstance(node, tuple) else node
    assert tree.width[k] == (len(node[3]) if isinstance(node, tuple) else 0)
    yield D, tree.counts[k, 0].tolist()
    if isinstance(node, tuple):
        for c, child in enumerate(node[3]): yield from of_spec(child, tree.first[k] + c, tree)

@pytest.mark.parametrize("weight", [10**6, 10**12, 10**15])
def test_a_heavy_row_among_ones_is_the_definition(weight):
    X, y = exam()
    tree = grow_c45(X, y, heavy(weight))
    spec = c45_spec([*map(tuple, X.tolist())], y.tolist(), [None, None], 2,
                    heavy(weight).astype(int).tolist())
    for D, counts in of_spec(spec, 0, tree): assert D == counts
    assert tree.node_count > 1

@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", OF_WEIGHTS[:2] + OF_WEIGHTS[4:5] + OF_WEIGHTS[8:], ids=str)
def test_a_common_factor_of_huge_weights_is_no_matter(model, gaps):
    "A power of two moves no digit; of weights so large, one row or 0.1 errors are nothing."
    X, y = exam(gaps)
    w = np.random.default_rng(1).random(40) * 1e200
    one, other = (clone(model).fit(X, y, sample_weight=v) for v in (w, w * 2.0**100))
    if hasattr(one, "rules_"):
        conditions = [[r.conditions for r in m.rules_.rules] for m in (one, other)]
        assert conditions[0] == conditions[1]
        return
    a, b = one.tree_, other.tree_
    assert np.array_equal(a.feature, b.feature) and np.array_equal(a.t, b.t, equal_nan=True)
    assert np.array_equal(a.counts * 2.0**100, b.counts)
