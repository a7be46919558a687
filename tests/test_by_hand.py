"What a person changes, against searches by brute force and against every row that could come."
import numpy as np
import pandas as pd
import pytest
from dtree_lit.by_hand import alternatives, Alternative, EACH_ONE, graft, simplify, snip
from dtree_lit.c45 import grow_c45
from dtree_lit.cart import CARTClassifier, CARTRegressor
from dtree_lit.categories import ALL_WAYS
from dtree_lit.error_based import C45Classifier
from dtree_lit.growth import grow
from dtree_lit.id3 import grow_id3, ID3Classifier
from dtree_lit.sdr_tree import SDRTreeRegressor
from dtree_lit.steps import removed, states, Steps
from dtree_lit.tree import Codes, ENDS, IN_SHARES, MIXED, Schema, Tree
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SKY, WIND = ("sunny", "overcast", "rain"), ("weak", "strong")
BOOKS = (None, SKY, None, WIND)
CLASSES = (("a", "b", "c"),)

def rows_of(rng, n, gaps=0.0):
    "Two numbers and two categories; some missing."
    X = np.stack([rng.integers(0, 6, n), rng.integers(0, 3, n), rng.integers(0, 4, n) / 2, rng.integers(0, 2, n)], axis=1).astype(float)
    X[rng.random(X.shape) < gaps] = np.nan
    return X

def schema_of(criterion, outputs=1):
    classes = (None,) * outputs if criterion in ("squared_error", "sdr") else CLASSES * outputs
    return Schema(("t", "sky", "u", "wind"), BOOKS, classes, criterion)

def grown(kind, rng, n=60, gaps=0.0, **limits):
    "A tree of each learner, and what it has grown from."
    X, y = rows_of(rng, n, gaps), rng.integers(0, 3, n)
    if kind == "id3":
        X[:, [0, 2]] = np.nan_to_num(np.floor(X[:, [0, 2]]))
        X = np.nan_to_num(X)
        schema = schema_of("entropy")._replace(categories=(tuple(range(6)), SKY, tuple(range(2)), WIND))
        return grow_id3(X.astype(int), y, schema=schema, **limits), X.view(Codes), y
    if kind == "c45": return grow_c45(X, y, schema=schema_of("entropy"), **limits), X.view(Codes), y
    if kind == "sklearn":
        X = np.nan_to_num(X)
        return Tree.from_sklearn(DecisionTreeClassifier(random_state=0, **limits).fit(X, y)), X, y
    y = rng.normal(size=n).round(1) if kind in ("squared_error", "sdr") else y
    if kind == "two": y = np.stack([y, rng.integers(0, 3, n)], axis=1)
    criterion = "gini" if kind == "two" else kind
    return grow(X, y, criterion=criterion, schema=schema_of(criterion, y.size // n), **limits), X.view(Codes), y

KINDS = "gini", "entropy", "misclassification", "squared_error", "sdr", "two", "id3", "c45", "sklearn"
def codes(y): return y if y.dtype.kind == "f" else np.asarray(y).reshape(len(y), -1).view(Codes)
def inner(tree): return np.flatnonzero(tree.width).tolist()

def probes(tree, rng, n=400):
    "Rows from everywhere: at thresholds and beside them, missing, unseen."
    columns = []
    for f, book in enumerate(tree.schema.categories):
        t = np.unique(tree.t[(tree.feature == f) & ~np.isnan(tree.t)])
        pool = [-np.inf, np.inf, 0.0, np.nan, *t, *np.nextafter(t, -np.inf), *np.nextafter(t, np.inf)]
        if book is not None: pool = [*range(len(book)), np.nan, len(book), 0.5, -1.0] + pool * bool(len(t))
        columns.append(rng.choice(pool, n))
    return np.stack(columns, axis=1).view(Codes)

@pytest.mark.parametrize("kind", KINDS)
def test_the_best_alternative_is_what_the_tree_asks(kind):
    rng = np.random.default_rng(1)
    for gaps in (0.0, 0.1):
        tree, X, y = grown(kind, rng, gaps=gaps, **dict(criterion="gain", charge=False, min_weight=1) if kind == "c45" else {})
        for k in inner(tree)[:6]:
            found = alternatives(tree, k, X, codes(y))
            before, after = removed(tree, k)
            asked = [a for a in found if a.asked]
            assert found[0].best and all(a.gain >= b.gain - 1e-12 for a, b in zip(found, found[1:])), found
            if gaps == 0:
                assert len(asked) == 1 and np.isclose(asked[0].gain, before - after, atol=1e-12), (kind, k, found)
                assert kind == "sklearn" or kind == "c45" or asked[0].best
            assert all(np.isclose(sum(a.parts), 1) for a in found)

@pytest.mark.parametrize("kind", KINDS)
def test_grafting_what_was_asked_changes_nothing(kind):
    rng = np.random.default_rng(2)
    tree, X, y = grown(kind, rng, max_depth=4)
    for k in inner(tree)[:6]:
        f, coded = int(tree.feature[k]), tree.start[k] >= 0
        test = float(tree.t[k])
        if coded:
            table = tree.branch[tree.start[k]:][:len(tree.schema.categories[f])]
            if (table < 0).any(): continue
            test = EACH_ONE if tree.width[k] > 2 or kind in ("id3", "c45") else {tree.schema.categories[f][c] for c in np.flatnonzero(table)}
        new, trace = graft(tree, k, f, test, X, codes(y), max_depth=4)
        if kind == "sklearn": assert (new.answer(X) == tree.answer(X)).mean() > 0.95
        else: assert new == tree, (kind, k, tree.text(), new.text())
        leaf = graft(tree, k, f, test, X, codes(y), below=False).tree
        assert (leaf.width[leaf.first[k]:leaf.first[k] + leaf.width[k]] == 0).all()

@pytest.mark.parametrize("kind", KINDS)
def test_simplified_trees_answer_the_same(kind):
    rng = np.random.default_rng(3)
    for seed in range(6):
        tree, X, y = grown(kind, rng, gaps=0.1 * (seed % 2) * (kind != "id3"), **dict(min_weight=1) if kind == "c45" else {})
        for _ in range(3):                                      # questions of chance, some of them idle
            k = int(rng.choice(inner(tree)))
            for a in alternatives(tree, k, X, codes(y))[-2:]:
                tree = graft(tree, k, a.feature, a.test, X, codes(y), missing=a.missing, below=bool(seed % 2)).tree
                break
        P = probes(tree, rng)
        for by in ("labels", "shares"):
            if kind == "c45" and by == "labels": continue
            left, trace = simplify(tree, by)
            if by == "labels" and tree.schema.classes[0]: assert (left.answer(P) == tree.answer(P)).all()
            else: assert np.allclose(left.shares(P), tree.shares(P), rtol=1e-15, atol=1e-15)
            assert simplify(left, by).tree == left and not simplify(left, by).trace.done
            assert len(trace.done) > 0 or left == tree
            assert len(inner(tree)) - len(inner(left)) >= len(trace.done)
