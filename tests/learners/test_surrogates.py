"Surrogates: rpart, brute force, and what must not matter."
import gzip
import json

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, Schema, candidate_splits,
                       cost_complexity_pruning, error_based_pruning, replace_split, load,
                       reduced_error_pruning,
                       save, simplify, to_javascript, to_onnx, to_python, to_sql)
from dtree_lit.learners.levels import grow_levels
from dtree_lit.learners.surrogates import grow_surrogates
from dtree_lit.pruning.traces import cut_at
from dtree_lit.trees.nodes import ask, stand_in, surrogates_of, walk
from dtree_lit.trees.tree import Tree
from helpers.places import DATA

SETS = json.loads(gzip.decompress((DATA
                                   / "rpart_surrogates.json.gz").read_bytes()))["sets"]

def schema_of(categories, criterion, K=2):
    names = tuple(f"x{f}" for f in range(len(categories)))
    classes = None if criterion in ("squared_error", "sdr") else tuple(range(K))
    return Schema(names, tuple(tuple(range(k)) if k else None for k in categories),
                  (classes,), criterion)

def task(seed, n=150, gaps=0.2, criterion=None):
    "Numbers and categories that say much the same, with gaps; and what is to be learned."
    rng = np.random.default_rng(seed)
    criterion = criterion or ["gini", "entropy", "misclassification", "squared_error",
                              "sdr"][seed % 5]
    z = rng.normal(size=(n, 2))
    X = np.column_stack([z[:, 0], z[:, 0] + rng.normal(size=n) / 2, z[:, 1].round(),
                         -z[:, 1] + rng.normal(size=n) / 2,
                         np.digitize(z[:, 0] + rng.normal(size=n) / 2, [-1, 0, 1]),
                         rng.integers(0, 3, n)])
    s = z[:, 0] + z[:, 1] + rng.normal(size=n) / 2
    X[rng.random(X.shape) < gaps] = np.nan
    schema = schema_of((0, 0, 0, 0, 4, 3), criterion, 3)
    return X, np.digitize(s, [-1, 1]) if schema.classes[0] else s.round(2), schema

def grown(seed, **rules):
    X, y, schema = task(seed)
    return grow_surrogates(X, y, criterion=schema.criterion, schema=schema, **rules), X, y

@pytest.mark.parametrize("c", SETS, ids=lambda c: f"{c['kind']} {c['seed']}")
def test_rpart(c):
    """The same questions, the same surrogates with the same agreement and threshold, and every
    row at the same node."""
    X, new = (np.array(c[name], float) for name in ("X", "new"))
    criterion = ("squared_error" if "anova" in c["kind"] else "entropy"
                 if "information" in c["kind"] else "gini")
    tree = grow_surrogates(X, np.array(c["y"]), c["weights"], criterion=criterion, max_depth=3,
                           min_samples_split=10, min_samples_leaf=4,
                           schema=schema_of(c["categories"], criterion, 1 + int(max(c["y"]))))
    s, theirs, number = (surrogates_of(tree),
                         {n: (size, asked) for n, size, asked in c["nodes"]}, {0: 1})
    def to_first(question, start, t, above=1): # which child do they call the first, by our numbers?
        f, ncat, _, at = question
        if abs(ncat) < 2:
            assert at == pytest.approx(t, abs=1e-9)
            return 1 - above if ncat == -1 else above
        table = tree.branch[start:start + ncat]
        at = at[:ncat]
        code = at.index(1)
        assert [{1: table[code], 3: 1 - table[code], 2: -1}[v] for v in at] == table.tolist()
        return table[code]
    for k in range(tree.node_count):
        size, asked = theirs[number[k]]
        assert size == tree.size[k] and bool(asked) == bool(tree.width[k])
        if not asked: continue
        primary, *others = asked
        assert primary[0] == tree.feature[k]
        no = to_first(primary, tree.start[k], tree.t[k])             # our child that is their first
        for c_ours in (0, 1): number[int(tree.first[k]) + c_ours] = 2 * number[k] + (c_ours != no)
        mine = np.flatnonzero(s.node == k)
        assert ([q[0] for q in others] == s.feature[mine].tolist()
                and np.allclose([q[2] for q in others], s.agrees[mine]))
        for q, i in zip(others, mine): assert to_first(q, s.start[i], s.t[i], s.above[i]) == no
    assert [number[k] for k in tree.apply(X).tolist()] == c["where"]
    p, nobody = tree.predict_proba(new).reshape(len(new), -1), np.zeros(len(new), bool)
    for i, x in enumerate(new):
        nobody[i] = any(tree.width[k] and ask(tree, k, x) < 0 and stand_in(tree, k, x)[1] < 0
                        for k in tree.path(x))
    same = np.isclose(np.reshape(c["said"], p.shape), p).all(axis=1)
    # who is known by nobody goes by what children weigh in the end, in rpart's prediction
    assert same[~nobody].all() and (~nobody).sum() > 10

def brute(X, rows, side, schema, asked, heavier, w):
    "The surrogates of a node, word for word: (feature, right)."
    found = []
    N, Y = (sum(w[i] for i in rows if side[i] == c) for c in (0, 1))
    for f in range(X.shape[1]):
        known = [i for i in rows if side[i] >= 0 and not np.isnan(X[i, f])]
        best = 0
        if f != asked and schema.categories[f] is None:
            values = sorted({X[i, f] for i in rows if not np.isnan(X[i, f])})
            for a, b in zip(values, values[1:]):
                below = [i for i in known if X[i, f] <= a]
                if len(below) < 2 or len(known) - len(below) < 2: continue
                same = sum(w[i] for i in known if (X[i, f] <= a) == (side[i] == 0))
                best = max(best, same, sum(w[i] for i in known) - same)
        elif f != asked:
            sent = {}
            for code in {X[i, f] for i in known}:
                no, yes = (sum(w[i] for i in known if X[i, f] == code and side[i] == c)
                           for c in (0, 1))
                sent[code] = heavier if no == yes else int(yes > no)
            rows_yes = sum(sent[X[i, f]] for i in known)
            if rows_yes >= 2 and len(known) - rows_yes >= 2:
                best = sum(w[i] for i in known if sent[X[i, f]] == side[i])
        if best > max(N, Y): found.append((-best, f))
    return [(f, -right / (N + Y)) for right, f in sorted(found)][:5]

@pytest.mark.parametrize("seed", range(12))
def test_brute_force(seed):
    X, y, schema = task(seed, 80, 0.3)
    w = np.random.default_rng(seed).integers(1, 4, len(y)) if seed % 2 else np.ones(len(y), int)
    tree = grow_surrogates(X, y, w, criterion=schema.criterion, schema=schema, min_samples_leaf=2)
    s, come = surrogates_of(tree), [[] for _ in range(tree.node_count)]
    for i, x in enumerate(X):
        for k in tree.path(x): come[k].append(i)
    for k in np.flatnonzero(tree.width):
        side = {i: ask(tree, k, X[i]) for i in come[k]}
        N, Y = (sum(w[i] for i in come[k] if side[i] == c) for c in (0, 1))
        assert tree.missing[k] == (Y >= N)
        mine = [(int(s.feature[i]), s.agrees[i]) for i in np.flatnonzero(s.node == k)]
        want = brute(X, come[k], side, schema, tree.feature[k], tree.missing[k], w)
        assert ([f for f, _ in mine] == [f for f, _ in want]
                and np.allclose([a for _, a in mine], [a for _, a in want]))
        said = [(stand_in(tree, k, X[i])[0], side[i]) for i in come[k] if side[i] >= 0]
        assert not mine or sum(a == b for a, b in said) >= 2

@pytest.mark.parametrize("criterion",
                         ["entropy", "gini", "squared_error", "sdr", "misclassification"])
def test_without_gaps_it_is_the_same_tree(criterion):
    for seed in range(4):
        X, y, schema = task(seed, 60, 0, criterion)
        tree = grow_surrogates(X, y, criterion=criterion, schema=schema)
        assert tree._replace(surrogates=np.zeros(0),
                             branch=tree.branch[
            :len(grow_levels(X, y, criterion=criterion, schema=schema).branch)]) \
            == grow_levels(X, y, criterion=criterion, schema=schema)

def halves(w, s, q): return np.maximum(q / w - (s / w)**2, 0) / 2

@pytest.mark.parametrize("criterion", ["poisson", halves])
def test_without_gaps_by_what_is_no_measure_of_sums_alone(criterion):
    "Poisson's sides have no mean of zero, and of what a function takes for equal the first is cut."
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 6, (30, 3)).astype(float), rng.poisson(0.6, 30).astype(float)
        y[0] = 1
        tree = grow_surrogates(X, y, criterion=criterion, max_surrogates=0)
        assert tree == grow_levels(X, y, criterion=criterion)
        assert criterion != "poisson" or (tree.value > 0).all()

def test_medians_are_refused():
    X, y = np.arange(8.0)[:, None], np.arange(8.0)
    with pytest.raises(ValueError, match="absolute_error .* take missing='learn'"):
        CARTRegressor(criterion="absolute_error", missing="surrogates").fit(X, y)

def test_the_best_cut_of_rows_that_have_the_value():
    "A feature with few values must remove more from them to be asked."
    X = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [np.nan, 1], [np.nan, 1], [1, 1], [1, 1]], float)
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    # 6 rows, all of them right
    assert grow_surrogates(X, y, criterion="gini", max_depth=1).feature[0] == 0
    X[[2, 3, 6], 0] = np.nan
    # 3 rows all right, against 8 with one wrong
    assert grow_surrogates(X, y, criterion="gini", max_depth=1).feature[0] == 1

@pytest.mark.parametrize("seed", range(10))
def test_what_must_not_matter(seed):
    "The order of rows; and whether an example stands there twice or weighs two."
    tree, X, y = grown(seed, min_samples_leaf=3)
    schema = tree.schema
    assert (tree.apply(X) == [walk(tree, x) for x in X]).all()
    assert tree.recount(X, y).text() == tree.text()
    order = np.random.default_rng(seed).permutation(len(y))
    assert grow_surrogates(X[order], y[order], criterion=schema.criterion, schema=schema,
                           min_samples_leaf=3) == tree
    twos = grow_surrogates(X, y, np.full(len(y), 2.0), criterion=schema.criterion, schema=schema,
                           min_samples_leaf=3)
    assert (np.array_equal(twos.surrogates, tree.surrogates, equal_nan=True)
            and np.array_equal(twos.t, tree.t, equal_nan=True)
            and (twos.weight == 2 * tree.weight).all())
    whole = np.random.default_rng(seed).integers(1, 4, len(y))
    # so that no value stands alone: two rows are two rows
    X, y, whole = X.repeat(2, axis=0), y.repeat(2), whole.repeat(2)
    few = dict(criterion=schema.criterion, schema=schema, min_weight_leaf=20)
    a, b = (grow_surrogates(X, y, whole, **few),
            grow_surrogates(X.repeat(whole, axis=0), y.repeat(whole), **few))
    assert ((a.surrogates == b.surrogates)[:, [0, 1, 3, 4, 5]].all()
            and (a.feature == b.feature).all() and (a.missing == b.missing).all())

@pytest.mark.parametrize("seed", range(10))
def test_files_and_pruning(seed, tmp_path):
    tree, X, y = grown(seed)
    assert len(tree.surrogates)
    save(tree, tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == tree and Tree(*tree) == tree
    with pytest.raises(ValueError, match="each in its own file"):
        save([tree, tree], tmp_path / "trees")
    assert Tree.of(**tree._asdict()) == tree
    for k in np.flatnonzero(tree.width)[::3]:
        cut = cut_at(tree, [k])
        ends, below = tree.apply(X), np.zeros(tree.node_count, bool)
        for j in range(k, tree.node_count): below[j] = j == k or below[tree.parent[j]] and j > k
        same = ~below[ends]
        assert (np.array_equal(cut.predict_proba(X)[same], tree.predict_proba(X)[same])
                and np.array_equal(cut.predict_proba(X)[~same], tree.value[[k] * (~same).sum(), 0]))
    for pruned in (cost_complexity_pruning(tree, 0.02 * tree.impurity[0]).tree,
                   reduced_error_pruning(tree, X[::2], y[::2]).tree):
        assert (pruned.apply(X) == [walk(pruned, x) for x in X]).all()
    assert cut_at(tree, [0]).surrogates.shape == (0,)

@pytest.mark.parametrize("change, sentence", [
    (lambda a: a[:, :5], "rows of six numbers"),
    (lambda a: a[::-1], "order of their nodes|agree most come first"),
    (lambda a: np.where(np.arange(6) == 0, 0.5, a), "whole numbers"),
    (lambda a: np.where(np.arange(6) == 1, 99, a), "another feature"),
    (lambda a: np.where(np.arange(6) == 3, 2, a), "child 0 or 1"),
    (lambda a: np.where(np.arange(6) == 5, 1.5, a), "share of the rows"),
    (lambda a: np.where(np.arange(6) == 0, 10**6, a), "order of their nodes"),
    (lambda a: np.where(np.arange(6) == 4, 0, a), "has a table|a feature that has none"),
    (lambda a: np.repeat(a, 2, axis=0), "another feature|tables")])
def test_no_surrogates(change, sentence):
    tree, _, _ = grown(1)
    with pytest.raises(ValueError, match=sentence):
        tree._replace(surrogates=change(tree.surrogates))

def frame(seed, n=200):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    table = pd.DataFrame({"dose": z, "weight": z * 10 + rng.normal(size=n) * 3,
                          "site": pd.Categorical(np.where(z + rng.normal(size=n) > 0,
                                                          "left", "right"))})
    y = np.where(z + rng.normal(size=n) / 3 > 0, "ill", "well")
    return table.mask(rng.random(table.shape) < 0.2), y

def test_estimators():
    table, y = frame(0)
    model = CARTClassifier(missing="surrogates", max_depth=4).fit(table, y)
    assert len(model.tree_.surrogates) and model.score(table, y) > 0.85
    words = model.tree_.text()
    assert ("where dose is missing" in words and "agrees on 0." in words
            and len(model.tree_.rules()) > model.get_n_leaves())
    row = dict(dose=None, weight=12.0, site=None)
    assert ("in its place" in model.tree_.explain(row)
            and "dose is missing" in model.tree_.explain(row))
    model.tree_.dot(), model.tree_._repr_html_(), model._repr_html_()
    whole = CARTClassifier(missing="surrogates").fit(table, y)
    pruned = CARTClassifier(missing="surrogates", ccp_alpha=0.01).fit(table, y)
    assert pruned.tree_ == cost_complexity_pruning(whole, 0.01).tree
    assert len(CostComplexityCV(CARTClassifier(missing="surrogates"),
                                cv=3).fit(table, y).tree_.surrogates)
    numbers = CARTRegressor(missing="surrogates", max_depth=3).fit(table, (y == "ill") * 1.0)
    assert len(numbers.tree_.surrogates) and numbers.score(table, (y == "ill") * 1.0) > 0.3
    assert np.isclose(model.feature_importances_.sum(), 1)
    balanced = CARTClassifier(missing="surrogates", class_weight="balanced",
                              max_depth=2).fit(table, y, np.linspace(0.5, 2, len(y)))
    assert balanced.tree_.weight[0] == pytest.approx(np.linspace(0.5, 2, len(y)).sum(), rel=0.1)

@pytest.mark.parametrize("name, value",
                         [("max_leaf_nodes", 4), ("max_features", 1), ("monotonic_cst", [1, 0])])
def test_what_does_not_go_together(name, value):
    with pytest.raises(ValueError, match=f"does not go together with {name}"):
        CARTClassifier(missing="surrogates", **{name: value}).fit([[0, 1], [1, 0]], [0, 1])

def test_refusals(monkeypatch):
    table, y = frame(0)
    model = CARTClassifier(missing="surrogates").fit(table, y)
    for f in (lambda: candidate_splits(model, 0, table, y),
              lambda: replace_split(model, 0, "dose", 0.0, table, y), lambda: simplify(model),
              lambda: to_onnx(model), lambda: error_based_pruning(model)):
        with pytest.raises(ValueError, match="cannot use surrogate splits"): f()
    with pytest.raises(ValueError, match="missing must be|one of"):
        CARTClassifier(missing="shares").fit(table, y)
    with pytest.raises(ValueError, match="max_surrogates"):
        grow_surrogates([[0], [1]], [0, 1], max_surrogates=-1)
    (monkeypatch.setattr("dtree_lit.export.language.DEEPEST", 2),
     monkeypatch.setattr("dtree_lit.export.sql.NESTED", 2))
    for to in (to_python, to_javascript, to_sql):
        with pytest.raises(ValueError, match="at most"): to(model)

def test_the_edges():
    nothing = grow_surrogates(np.full((5, 2), np.nan), [0, 1, 0, 1, 1])
    assert nothing.node_count == 1
    column = np.array([[0.0], [1], [np.nan], [np.nan]])
    alone = grow_surrogates(column, [0, 1, 1, 1])
    # of equals yes, and nothing asks what is missing
    assert alone.t[0] == 0.5 and not len(alone.surrogates) and alone.missing[0] == 1
    assert alone.size.tolist() == [4, 1, 3]
    X = np.column_stack([np.arange(8.0), np.arange(8.0)])
    tree = grow_surrogates(X, [0, 0, 0, 0, 1, 1, 1, 1])
    assert (tree.surrogates.tolist() == [[0, 1, 3.5, 1, -1, 1.0]]
            and tree.predict([[np.nan, 7]])[0, 1] == 1)
    assert (grow_surrogates(X * [1, -1], [0, 0, 0, 0, 1, 1, 1, 1]).surrogates.tolist()
            == [[0, 1, -3.5, 0, -1, 1.0]])
    assert not len(grow_surrogates(X, [0, 0, 0, 0, 1, 1, 1, 1], max_surrogates=0).surrogates)
    assert not len(grow_surrogates(X, [0] * 7 + [1]).surrogates)         # one row on a side is luck
    unseen = schema_of((3, 0), "gini")
    tree = grow_surrogates(np.column_stack([[0, 0, 0, 1, 1, 1], np.arange(6.0)]),
                           [0, 0, 0, 1, 1, 1], criterion="gini", schema=unseen)
    # a stranger is a gap, too
    assert (tree.predict([[2, 0]])[0].tolist() == [1, 0]
            and tree.predict([[2, 5]])[0].tolist() == [0, 1])
