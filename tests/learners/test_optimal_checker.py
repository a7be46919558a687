"""The checker of optimal trees: the best trees pass, and nothing else does, whatever a certificate
says; and nothing of the library helps it."""
import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dtree_lit import CARTClassifier, check_optimal, grow, grow_optimal, OptimalTreeClassifier
from dtree_lit.learners import optimal_checker
from helpers.small_tables import as_frame, best_tree, mixed, price_of, small_table

SOURCE = Path(optimal_checker.__file__).read_text("utf-8")

def test_it_imports_numpy_and_fractions_alone_and_is_short():
    names = {name for node in ast.walk(ast.parse(SOURCE))
             for name in ([a.name for a in node.names] if isinstance(node, ast.Import)
                          else [node.module] if isinstance(node, ast.ImportFrom) else [])}
    assert names == {"fractions", "numpy"}
    assert "__import__" not in SOURCE and "import_module" not in SOURCE
    prose = {line for node in ast.walk(ast.parse(SOURCE))
             if isinstance(node, (ast.FunctionDef, ast.Module)) and ast.get_docstring(node)
             for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)}
    code = [line for i, line in enumerate(SOURCE.splitlines(), 1)
            if i not in prose and line.strip() and line.strip()[0] != "#"]
    assert len(code) <= 150

# --- the best trees pass

@cache
def grown(seed):
    "A fitted estimator with a certificate, and what `check_optimal` takes beside it."
    columns, y, w, leaf_cost = small_table(seed)
    depth = 1 + seed % 3
    X, weights = as_frame(columns), None if (w == 1).all() else w
    model = OptimalTreeClassifier(max_depth=depth, leaf_cost=leaf_cost, certify=True)
    model.fit(X, y, weights)
    return model.tree_, model.certificate_, (X, y, weights), dict(max_depth=depth,
                                                                  leaf_cost=leaf_cost)

SEEDS = range(300)

def test_optimal_trees_pass():
    splits = 0
    for seed in SEEDS:
        tree, certificate, data, how = grown(seed)
        assert check_optimal(tree, certificate, *data, **how) == [], seed
        splits += (tree.width > 0).sum()
    assert splits > 300

@pytest.mark.parametrize("seed", range(4))
def test_larger_tables_pass(seed):
    X, y, w = mixed(seed, 80, 0)
    for depth in (1, 2, 3):
        how = dict(max_depth=depth, leaf_cost=0.01)
        model = OptimalTreeClassifier(**how, certify=True).fit(X, y, w)
        assert check_optimal(model, model.certificate_, X, y, w, **how) == []
        if depth > 1: assert check_optimal(model, None, X, y, w, **how)

def test_depth_four_passes():
    X, y, _ = mixed(0, 40, 0)
    X = X[["a", "b"]]
    model = OptimalTreeClassifier(max_depth=4, certify=True).fit(X, y)
    assert check_optimal(model, model.certificate_, X, y, max_depth=4) == []

def test_numbers_and_codes_pass():
    "As `grow_optimal` reads them; extreme numbers, equal columns, columns without a test."
    lots = np.random.default_rng(0)
    pool = [-np.inf, -1.7e308, -0.0, 5e-324, 1.0, np.nextafter(1, 2), 1.7e308, np.inf, np.nan]
    for _ in range(20):
        X, y = lots.choice(pool, (20, 3)), lots.integers(0, 3, 20)
        X[:, 2] = X[:, 0]
        found = grow_optimal(X, y, certify=True)
        assert check_optimal(found.tree, found.certificate, X, y) == []
    leaf = grow_optimal([[1.0], [1.0]], [0, 1], certify=True)
    assert check_optimal(leaf.tree, leaf.certificate, [[1.0], [1.0]], [0, 1]) == []

def test_at_a_time_limit_the_lower_bound_is_proved(monkeypatch):
    X, y, _ = mixed(1, 80, 0)
    X = X[["a", "b"]].fillna(0).to_numpy()
    bounds = []
    for seconds in (0, 3, 10, 30, 100):
        ticks = iter(range(10**9))                      # the clock moves by one at each look
        monkeypatch.setattr("dtree_lit.learners.optimal.monotonic", lambda: next(ticks))
        found = grow_optimal(X, y, max_depth=3, time_limit=seconds, certify=True)
        assert not found.proved
        said, = check_optimal(found.tree, found.certificate, X, y, max_depth=3)
        loss, depth, bound = re.fullmatch(r"the loss is (\S+), and it is only proved that no tree "
                                          r"of depth (\d) has a loss below (\S+)", said).groups()
        assert float(loss) == found.loss and depth == "3" and float(bound) >= found.lower_bound
        bounds.append(float(bound))
    assert bounds[-1] > bounds[0] and max(bounds) <= grow_optimal(X, y, max_depth=3).loss

# --- and nothing else does

def changed(array, k, value):
    other = array.copy()
    other[k] = value
    return other

def lies(tree, X, y, w, lots):
    "The tree with something else in it."
    k = lots.integers(tree.node_count)
    leaf, inner = tree.width[k] == 0, np.flatnonzero(tree.width)
    yield tree._replace(size=changed(tree.size, k, tree.size[k] + 1))
    yield tree._replace(weight=changed(tree.weight, k, np.nextafter(tree.weight[k], 1e9)))
    if leaf and tree.counts.shape[2] > 1:               # it predicts another class
        yield tree._replace(counts=changed(tree.counts, (k, 0), tree.counts[k, 0, ::-1]))
    if not len(inner): return
    k = int(lots.choice(inner))
    f = (tree.feature[k] + 1) % len(tree.schema.features)
    codes = y if tree.schema.classes[0] is None else np.searchsorted(tree.schema.classes[0], y)
    others = [tree._replace(missing=changed(tree.missing, k, 1 - tree.missing[k]))]
    if tree.start[k] < 0:
        others += [tree._replace(t=changed(tree.t, k, t)) for t in
                   (np.nextafter(tree.t[k], 9), tree.t[k] + 1, tree.t[k] - 1, np.nan)]
        if tree.schema.categories[f] is None:
            others.append(tree._replace(feature=changed(tree.feature, k, f)))
    else:
        at = tree.start[k] + lots.integers(len(tree.schema.categories[tree.feature[k]]))
        others += [tree._replace(branch=changed(tree.branch, at, v)) for v in (-1, 0, 1)]
    for other in others:
        yield other
        try: yield other.recount(X, codes, w)           # what it states is true
        except ValueError: pass                         # a node has no rows

def same(a, b): return all(np.array_equal(v, u, equal_nan=v.dtype.kind == "f")
                           for v, u in zip(a[:-1], b[:-1]))

def wrong_certificates(certificate, lots):
    "Certificates with other numbers, fewer or more of them, or in another order."
    yield None
    n = len(certificate)
    if not n: return
    i = lots.integers(n)
    for value in (0, 1, -certificate[i], certificate[i] + 1, 10**9, -10**9):
        yield changed(certificate, i, value)
    yield certificate[:i]
    yield np.delete(certificate, i)
    yield np.insert(certificate, i, lots.integers(-3, 9))
    yield lots.permutation(certificate)
    yield certificate[::-1]
    yield lots.integers(-9, 9, n)

def test_no_other_tree_passes():
    "By whatever certificate: a tree that passes is the one that the search has found."
    lots, tried, passed = np.random.default_rng(1), 0, 0
    for seed in SEEDS:
        tree, certificate, (X, y, w), how = grown(seed)
        for other in lies(tree, X, y, w, lots):
            for proof in (certificate, *[*wrong_certificates(certificate, lots)][:3]):
                if not check_optimal(other, proof, X, y, w, **how):
                    assert same(other, tree), (seed, tree, other)
                    passed += 1
            tried += 1
        if tried > 1000: break
    assert tried > 1000 > passed

def test_no_certificate_proves_more_than_there_is():
    "A greedy tree passes by a certificate, right or wrong, only if it is a best one."
    lots, tried, best, weak = np.random.default_rng(2), 0, 0, 0
    for seed in SEEDS:
        tree, certificate, (X, y, w), how = grown(seed)
        columns, _, weights, _ = small_table(seed)
        depth, price = how["max_depth"], price_of(how["leaf_cost"], weights)
        loss, leaves, _ = best_tree(columns, y.tolist(), weights.tolist(), depth, price)
        codes = np.searchsorted(tree.schema.classes[0], y)
        greedy = grow(pd.DataFrame({name: X[name].cat.codes.where(X[name].notna(), np.nan)
                                    if X[name].dtype == "category" else X[name] for name in X}
                                   ).to_numpy(float), codes, w, criterion="misclassification",
                      schema=tree.schema, max_depth=depth)
        cost = weights[greedy.predict_labels(X) != y].sum() + price * greedy.n_leaves
        for proof in wrong_certificates(certificate, lots):
            said = check_optimal(greedy, proof, X, y, w, **how)
            tried += 1
            if not said:
                assert (cost, greedy.n_leaves) == (loss, leaves), seed
                best += 1
            below = [float(line.rpartition(" ")[2]) for line in said if "only proved" in line]
            assert all(bound <= float(loss / int(weights.sum())) + 1e-12 for bound in below), seed
            weak += bool(below)
            assert (not check_optimal(tree, proof, X, y, w, **how)
                    or check_optimal(tree, certificate, X, y, w, **how) == [])
        if tried > 1000: break
    assert tried > 1000 and best > 10 and weak > 100

def test_another_of_the_best_trees_is_found():
    "By the last of two equal columns, with the same rows in the leaves."
    lots = np.random.default_rng(3)
    for _ in range(20):
        X, y = lots.integers(0, 4, (12, 1)).astype(float), lots.integers(0, 2, 12)
        X = np.hstack([X, X])
        found = grow_optimal(X, y, certify=True)
        last = found.tree._replace(feature=np.where(found.tree.width > 0, 1, -2))
        assert check_optimal(found.tree, found.certificate, X, y) == []
        said = check_optimal(last, found.certificate, X, y)
        assert len(said) == (found.tree.width > 0).sum()
        assert all("a test of x0 comes before its own, and may be as good" in line for line in said)

def test_a_tree_that_is_too_deep_or_was_grown_with_another_price():
    X, y = np.arange(8.0)[:, None], [0, 1, 1, 0, 1, 0, 0, 1]
    found = grow_optimal(X, y, max_depth=3, certify=True)
    assert check_optimal(found.tree, found.certificate, X, y, max_depth=3) == []
    assert "the tree has depth 3, above 2" in check_optimal(found.tree, found.certificate, X, y)
    said = check_optimal(found.tree, found.certificate, X, y, max_depth=3, leaf_cost=0.2)
    assert len(said) == 1 and "only proved" in said[0]
    stump = grow_optimal(X, y, max_depth=1, certify=True)
    assert check_optimal(stump.tree, stump.certificate, X, y, max_depth=3)

# --- what it cannot check it refuses

X3, Y3 = np.arange(6.0).reshape(3, 2), [0, 1, 0]
BEST = grow_optimal(X3, Y3, certify=True)

@pytest.mark.parametrize("case, how, why", [
    ((grow(X3, Y3), None, X3, Y3), {}, "of another kind"),
    ((grow(X3, np.stack([Y3, Y3], axis=1), criterion="misclassification"), None, X3, Y3), {},
     "of another kind"),
    ((CARTClassifier().fit(X3, Y3), None, X3, Y3), {}, "of another kind"),
    ((BEST.tree, BEST.certificate, X3, Y3, [1, 0.5, 1]), {}, "whole numbers"),
    ((BEST.tree, BEST.certificate, X3, Y3, [1, -1, 1]), {}, "whole numbers"),
    ((BEST.tree, BEST.certificate, X3, Y3), dict(leaf_cost=1 / 3), "few digits"),
    ((BEST.tree, BEST.certificate, X3, Y3), dict(leaf_cost=-0.1), "from 0 to 1"),
    ((BEST.tree, BEST.certificate, X3, Y3), dict(leaf_cost=1.5), "from 0 to 1"),
    ((3, None, X3, Y3), {}, "expected a Tree or a fitted estimator, got int")])
def test_what_it_cannot_check_is_refused(case, how, why):
    with pytest.raises(ValueError, match=why): check_optimal(*case, **how)
