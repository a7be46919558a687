"""What needs numpy alone: measures, growing, predicting, pruning, printing, files and exports.

Run as a program it prints what it computes, which is the same wherever it runs: with numba and
scikit-learn or without them, on 64 bits and on 32."""
import hashlib
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from dtree_lit import (KDTree, GainExplorer, GainPlot, SplitExplorer, Schema, ThresholdExplorer,
                       best_split, candidates, check_greedy, check_optimal, cheapest_pruning,
                       collapse_node, compare_trees, cost_complexity_pruning, counterfactual,
                       entropy, from_json, gain, gain_ratio, gini, grow, grow_optimal, load,
                       reduced_error_pruning, save, sdr, simplify, to_c, to_javascript, to_json,
                       to_python, to_sql, view_tree)
from dtree_lit.learners.c45 import grow_c45
from dtree_lit.pruning.cost_complexity import dealt, folding, held_out, middles
from dtree_lit.trees.link_prices import cut_back, pruning_path, weakest_links
from dtree_lit.trees.nodes import importances
from dtree_lit.trees.steps import PruningPlayer

MIXED = Schema(("a", "b", "kind"), (None, None, ("red", "green", "blue")), ((0, 1, 2),),
               "gini")
NUMBERS = MIXED._replace(classes=(None,), criterion="squared_error")


def table(seed, n=70, missing=False):
    "A column of whole numbers, one of decimals, one of categories; noisy classes; weights."
    lots = np.random.default_rng(seed)
    X = np.column_stack([lots.integers(0, 9, n), lots.random(n).round(2), lots.integers(0, 3, n)])
    y = ((X[:, 0] > 4) + 2 * (X[:, 2] == 1) + (lots.random(n) < 0.2)).astype(int) % 3
    if missing: X[lots.random(X.shape) < 0.15] = np.nan
    return X, y, lots.integers(1, 5, n) / 4


def grown():
    "Pairs: what is grown, and a function that grows it and returns tree, rows and targets."
    def by(learner, X, y, *more, **how):
        return lambda: (learner(X, y, *more, **how), X, y)
    for missing in False, True:
        X, y, w = table(int(missing), missing=missing)
        said = ", missing values" * missing
        for criterion, weights in product(("entropy", "gini", "misclassification"), (None, w)):
            also = said + ", weights" * (weights is not None)
            yield criterion + also, by(grow, X, y, weights, criterion=criterion)
            yield f"{criterion}, categories{also}", by(grow, X, y, weights, criterion=criterion,
                                                       schema=MIXED)
        for criterion in "squared_error", "poisson", "absolute_error":
            z = y + X[:, 1] if not missing else y * 0.75
            yield criterion + said, by(grow, X, z, w, criterion=criterion, max_depth=5)
            yield f"{criterion}, categories{said}", by(
                grow, X, z, criterion=criterion, schema=NUMBERS._replace(criterion=criterion),
                max_depth=4)
        yield "limits" + said, by(grow, X, y, criterion="gini", min_samples_leaf=3, seed=3,
                                  max_leaf_nodes=7, max_features=2)
        yield "two outputs" + said, by(grow, X, np.column_stack([y, y > 0]), criterion="gini")
        yield "an order" + said, by(grow, X, y > 0, criterion="gini", monotonic_cst=[1, 0, 0])
        yield "C4.5" + said, by(grow_c45, X, y, w, schema=MIXED)
        yield "C4.5, groups" + said, by(grow_c45, X, y, schema=MIXED, groups=True)


def short(text):
    "A text, or of a long one its length and a hash."
    return text if len(text) < 400 else f"{len(text)} characters, {hash_of(text)}"


def hash_of(text): return hashlib.sha256(text.encode()).hexdigest()[:16]


def numbers(a): return short(str(np.asarray(a).round(9).tolist()))


def told(tree, X):
    "What a tree is, predicts and prints."
    yield tree.text()
    yield short(str(tree.predict_labels(X).tolist()))
    for a in tree.apply(X), tree.predict(X), tree.impurity, importances(tree): yield numbers(a)
    yield short("\n".join(map(str, tree.rules())))
    yield tree.explain(X[0])
    yield short(tree._repr_html_())
    yield short(tree.dot())


def pruned(tree, X, y):
    "What pruning makes of it."
    P, q, w = table(9, missing=bool(np.isnan(X).any()))
    q = q * 0.75 if tree.schema.classes[0] is None else q % (int(y.max()) + 1)
    if tree.n_outputs > 1: q = np.column_stack([q, q > 0])
    if tree.schema.criterion not in ("poisson", "absolute_error"):
        for weights, by in product((None, w), ("sweep", "best_first")):
            yield str(reduced_error_pruning(tree, P, q, weights, by=by).trace)
        yield str(reduced_error_pruning(tree, P, q, labels="both", backfit=True).tree)
    path = pruning_path(tree)
    yield str(path)
    for alpha in path.ccp_alphas[:3]:
        yield str(cost_complexity_pruning(tree, alpha).trace)
        yield cut_back(tree, alpha).text()
    yield numbers(held_out(tree, weakest_links(tree), middles(path.ccp_alphas), tree.apply(P), q,
                           w))
    yield short(str(folding(tree, others=(P, q))))
    yield short(PruningPlayer(tree, {"pruned": folding(tree)})._repr_html_())
    yield collapse_node(tree, np.flatnonzero(tree.width)[-1]).tree.text()
    yield str(simplify(tree).tree)
    yield str(cheapest_pruning(tree, tree.impurity * tree.weight + 0.5).tree)


def kept(tree, X, y):
    "Files, exports, views."
    with TemporaryDirectory() as folder:
        save(tree, Path(folder) / "tree.json")
        assert load(Path(folder) / "tree.json") == tree
        if not len(tree.values):
            save((tree, tree), Path(folder) / "trees.zip")
            assert load(Path(folder) / "trees.zip")[1] == tree
    assert from_json(to_json(tree)) == tree
    for to in to_json, to_python, to_c, to_javascript: yield short(to(tree))
    yield short(to_sql(tree, "rows"))
    yield short(view_tree(tree, X, y if tree.n_outputs == 1 else None)._repr_html_())
    yield short(compare_trees(tree, cut_back(tree, 0.01))._repr_html_())
    if tree.n_outputs == 1 and tree.schema.classes[0] is not None:
        yield str(counterfactual(tree, X[0], X=X))


def measures():
    "Measures, candidates, and the search at one node."
    X, y, w = table(3)
    rows = np.bincount(y)
    parts = [np.bincount(y[side], minlength=3) for side in (X[:, 0] < 5, X[:, 0] >= 5)]
    for measure in entropy, gini: yield str(measure(rows))
    for measure in gain, gain_ratio: yield str(measure(parts))
    yield str(sdr([[3, 7, 21], [2, 17, 145]]))
    yield numbers(candidates(X[:, 1]))
    yield str(check_greedy(grow(X, y, criterion="gini"), X, y))
    best = grow_optimal(X[:30], y[:30], schema=MIXED, certify=True)
    yield from (best.tree.text(), str(best.loss), short(str(best.certificate.tolist())))
    yield str(check_optimal(best.tree, best.certificate, X[:30], y[:30]))
    for weights in None, w: yield str(best_split(X[:, 1], y, weights=weights))
    yield numbers(dealt(y, 4, seed=0))
    yield numbers(KDTree(X[:, :2]).query(X[:5, :2] + 0.01, 3)[0])
    for widget in (ThresholdExplorer(X[:, 1], y == 1), SplitExplorer(y[:40] == 1),
                   GainPlot([5, 2], [1, 4]), GainExplorer()):
        yield short(widget._repr_html_())


def all_of_it():
    "Pairs: a title, and a function that returns lines."
    yield "measures", measures
    for title, make in grown():
        def lines(make=make):
            tree, X, y = make()
            yield from told(tree, X)
            yield from kept(tree, X, y)
            if tree._in_shares: return
            yield from pruned(tree, X, y)
        yield title, lines


if __name__ == "__main__":
    for title, lines in all_of_it(): print(f"== {title}", *lines(), sep="\n")
