"""Values in groups: the definition, release 8's trees, and that such a tree is a tree like every
other."""
import json

import numpy as np
import pandas as pd
import pytest
from dtree_lit import C45Classifier, C50Classifier, load, save
from dtree_lit.learners.c45 import grow_c45
from dtree_lit.models.c45_classifier import without_excluded
from dtree_lit.pruning.error_based import collapse, error_based_pruning
from dtree_lit.trees.nodes import box_of, Codes
from dtree_lit.trees.words import ways
from sklearn.base import clone
from helpers.c45_tables import is_leaf, nested, rows_of as rows_to_define, schema_of, some_table
from helpers.c45_references import rows_of, table
from helpers.renting import buy, compiled
from helpers.places import DATA
from helpers.pages import on_page

c45_spec = on_page("465_c45").c45_spec
groups_offered = on_page("470_c45_groups").groups_offered
error_based_spec = on_page("570_error_based").error_based_spec

def more_words(seed):
    "A table of test_c45, and two columns of three to eight values, one of which may not be there."
    X, y, w, V = some_table(seed, most=30)
    rng = np.random.default_rng(seed)
    words = [int(v) for v in rng.integers(3, 9, 2)]
    more = np.stack([rng.integers(0, v, len(y)) for v in words], axis=1).astype(float)
    if np.isnan(X).any(): more[rng.random(more.shape) < 0.15] = np.nan
    return np.hstack([X, more]), y, w, [*V, *(v + int(rng.integers(0, 2)) for v in words)]

def told(tree, V, one):
    "The definition's tree, in the words of `nested`."
    if is_leaf(tree): return [u / one for u in tree]
    D, f, test, children = tree
    return ([u / one for u in D], f, test if V[f] is None else list(test),
            [told(child, V, one) for child in children])

@pytest.mark.parametrize("seed", range(10))
def test_the_definition_is_what_is_compiled(seed):
    "With gaps and weights, by ratio and by gain; also in another order of the rows."
    X, y, w, V = more_words(seed)
    one, schema = 2**30 if np.isnan(X).any() else 1, schema_of(V, y)
    least, mdl_penalty, ratio = 1 + seed % 3, seed % 2 > 0, seed % 5 > 0
    how = dict(schema=schema, min_weight=least, mdl_penalty=mdl_penalty,
               criterion="gain_ratio" if ratio else "gain", groups=True)
    tree = grow_c45(X, y, w, **how)
    weights = None if w is None else [int(v) * one for v in w]
    spec = c45_spec(rows_to_define(X, V), y.tolist(), V, max(y) + 1, weights=weights, one=one,
                    least=least, mdl_penalty=mdl_penalty, ratio=ratio, in_groups=groups_offered)
    assert nested(tree) == told(spec, V, one)
    order = np.random.default_rng(seed).permutation(len(y))
    assert (nested(grow_c45(X[order], y[order], None if w is None else w[order], **how))
            == nested(tree))

def test_equal_ratios_of_mergers_are_seen_to_be_equal():
    "Of few rows and no weights, where many mergers have the same ratio; rounding parts them."
    for seed in range(40):
        rng = np.random.default_rng(seed)
        V = [int(v) for v in rng.integers(3, 8, 2)]
        X = rng.integers(0, V, (int(rng.integers(6, 24)), 2)).astype(float)
        y = np.unique(rng.integers(0, 3, len(X)), return_inverse=True)[1]
        tree = grow_c45(X, y, schema=schema_of(V, y), groups=True, min_weight=1,
                        mdl_penalty=False)
        spec = c45_spec(rows_to_define(X, V), y.tolist(), V, max(y) + 1, one=1, least=1,
                        mdl_penalty=False, in_groups=groups_offered)
        assert nested(tree) == told(spec, V, 1)

# Release 8

REFERENCES = json.loads((DATA / "c45_groups.json").read_text("utf-8"))[
    "references"]

def differences(printed, tree, k=0):
    "Nodes where the program has another question, other groups, or another leaf."
    if (len(printed) == 2) != (tree.width[k] == 0): return [k]
    if len(printed) == 2:
        (n, e), D = printed[0], tree.counts[k, 0]
        return [] if abs(D.sum() - n) < 0.051 and abs(D.sum() - D.max() - e) < 0.051 else [k]
    f, asked, children = printed
    if f != tree.feature[k]: return [k]
    if tree.start[k] < 0: ways = {op: child for (op, _), child in zip(asked, children)}
    else: ways = {tuple(values): child for values, child in zip(asked, children)}
    def name(c):
        if tree.start[k] < 0: return "<=", ">"[:c]
        return tuple(np.flatnonzero(tree.branch[tree.start[k]:][:len(tree.schema.categories[f])]
                                    == c).tolist())
    names = [("<=", ">")[c] if tree.start[k] < 0 else name(c) for c in range(tree.width[k])]
    if {*names} != {*ways}: return [k]
    return [d for c, at in enumerate(names) for d in differences(ways[at], tree, tree.first[k] + c)]

@pytest.mark.parametrize("r", REFERENCES, ids=lambda r: f"{r['data']}-{r['rows']}")
def test_release_8(r):
    "Questions, groups, weights and errors of all nodes."
    _, X, y, _, _ = table(r["data"])
    fit, test = rows_of(r)
    model = C45Classifier(groups=True, pruning=None).fit(X[fit], y[fit])
    assert differences(r["unpruned"], model.tree_) == []
    assert model.tree_.node_count == r["train"]["size_before"]
    for rows, name in (fit, "train"), (test, "test"):
        if r[name]: assert (model.predict(X[rows]) != y[rows]).sum() == r[name]["errors_before"]

@pytest.mark.parametrize("r", REFERENCES, ids=lambda r: f"{r['data']}-{r['rows']}")
def test_release_8_pruned(r):
    "Sizes and errors: words that cannot come are gone."
    _, X, y, _, _ = table(r["data"])
    fit, test = rows_of(r)
    model = C45Classifier(groups=True).fit(X[fit], y[fit])
    assert model.tree_.node_count == r["train"]["size_after"]
    for rows, name in (fit, "train"), (test, "test"):
        if r[name]: assert (model.predict(X[rows]) != y[rows]).sum() == r[name]["errors_after"]

def test_what_is_excluded_answers_nobody():
    "With gaps, weights and words that nobody knows: the same shares; and what was left is stable."
    gone = 0
    for seed in range(12):
        X, y, w, V = more_words(seed)
        tree = grow_c45(X, y, w, schema=schema_of(V, y), min_weight=1, mdl_penalty=False,
                        groups=True)
        left = without_excluded(tree)
        some = np.random.default_rng(seed).permuted(X, axis=0)          # rows that never were
        for rows in X, some, np.where(np.isnan(some), 99.0, some):
            rows = rows.view(Codes)
            assert np.allclose(left.predict_proba(rows), tree.predict_proba(rows), rtol=0,
                               atol=1e-12)
        assert without_excluded(left) == left and (left.width != 1).all()
        assert all(box for way in ways(left) for box in box_of(left, way).values())
        gone += tree.node_count - left.node_count
    assert gone > 5

# A tree like every other

def test_it_is_raised_and_pruned_as_defined():
    raised = 0
    for seed in range(6):
        X, y, w, V = more_words(seed)
        tree = grow_c45(X, y, w, schema=schema_of(V, y), min_weight=1, mdl_penalty=False,
                        groups=True)
        for raising in (True, False):
            spec, _ = error_based_spec(tree, X, y, w, raising=raising)
            left, _ = error_based_pruning(tree, X.view(Codes), y.view(Codes), w,
                                          subtree_raising=raising)
            assert (np.array_equal(left.feature, spec.feature)
                    and np.allclose(left.counts, spec.counts, atol=1e-6))
        raised += left.node_count < collapse(tree).node_count
    assert raised

def test_it_is_saved_explained_and_asked(tmp_path):
    _, X, y, _, test = table("monk1")
    model = C45Classifier(groups=True).fit(X[~test], y[~test])
    save(model.tree_, tmp_path / "tree.json")
    back = load(tmp_path / "tree.json")
    assert back.text() == model.tree_.text() and (model.predict(X[test]) == y[test]).all()
    assert np.array_equal(back.predict_labels(X[test]), model.predict(X[test]))
    assert ("attribute#5" in model.tree_.explain(X.iloc[0])
            and clone(model).get_params()["groups"] is True)
    many = C50Classifier(groups=True, trials=3).fit(X[~test], y[~test])
    assert (many.predict(X[test]) == y[test]).all()

@pytest.mark.parametrize("how", [{}, dict(global_pruning=False), dict(costs={0: {1: 3}})], ids=str)
def test_nothing_excluded_is_left_in_a_committee(how):
    asked = 0
    for seed in range(6):
        X, y, w, V = more_words(seed)
        table = pd.DataFrame(X, columns=[f"x{f}" for f in range(len(V))])
        for f, v in enumerate(V):
            if v is not None: table[f"x{f}"] = table[f"x{f}"].astype(pd.CategoricalDtype(range(v)))
        model = C50Classifier(groups=True, trials=4, min_weight=1, confidence=0.5, **how)
        for tree in model.fit(table, y, w).trees_:
            assert without_excluded(tree) == tree
            asked += tree.node_count > 1
    assert asked

def test_numbers_are_not_touched():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] > 0
    assert C45Classifier(groups=True).fit(X,
                                          y).tree_.text() == C45Classifier().fit(X, y).tree_.text()

def test_refusals():
    words = pd.DataFrame({"word": pd.Categorical([f"w{i}" for i in range(2001)])})
    with pytest.raises(ValueError, match="'word' has 2001: at most 2000"):
        C45Classifier(groups=True).fit(words, np.arange(2001) % 2)
    with pytest.raises(ValueError, match="take one of the two"):
        C45Classifier(groups=True, binary="value").fit(words[:9], np.arange(9) % 2)
    with pytest.raises(ValueError, match="has no groups: take one of the two"):
        C45Classifier(groups=True, tolerance="weka").fit(words[:9], np.arange(9) % 2)

@compiled
def test_rented_trees_are_bought_trees(renting, monkeypatch):                   # noqa: F811
    from dtree_lit.workshop import jit
    for seed in range(8):
        X, y, w, V = more_words(seed)
        how = dict(schema=schema_of(V, y), groups=True)
        rented = grow_c45(X, y, w, **how)
        with monkeypatch.context() as m:
            buy(m)
            assert nested(grow_c45(X, y, w, **how)) == nested(rented)
