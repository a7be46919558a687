"What a person changes, against searches by brute force and against every row that could come."
import numpy as np
import pandas as pd
import pytest
from dtree_lit.learners.c45 import grow_c45
from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
from dtree_lit.learners.grow import grow     # which need not be compiled
from dtree_lit.learners.id3 import grow_id3
from dtree_lit.learners.levels import grow_levels
from dtree_lit.learners.sdr import SDRTreeRegressor
from dtree_lit.measures.entropy import entropy, gini, misclassification
from dtree_lit.models.c45_classifier import C45Classifier
from dtree_lit.pruning.by_hand import (EACH_ONE, candidate_splits, collapse_node, replace_split,
                                       simplify)
from dtree_lit.pruning.cost_complexity_cv import CostComplexityCV
from dtree_lit.trees.nodes import Codes, Schema
from dtree_lit.trees.steps import removed, states, PruningPlayer
from dtree_lit.trees.tree import Tree
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SKY, WIND = ("sunny", "overcast", "rain"), ("weak", "strong")
BOOKS = (None, SKY, None, WIND)
CLASSES = (("a", "b", "c"),)

def rows_of(rng, n, gaps=0.0):
    "Two numbers and two categories; some missing."
    X = np.stack([rng.integers(0, 6, n), rng.integers(0, 3, n), rng.integers(0, 4, n) / 2,
                  rng.integers(0, 2, n)], axis=1).astype(float)
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
        schema = schema_of("entropy")._replace(
            categories=(tuple(range(6)), SKY, tuple(range(2)), WIND))
        return grow_id3(X.astype(int), y, schema=schema, **limits), X.view(Codes), y
    if kind == "c45": return grow_c45(X, y, schema=schema_of("entropy"), **limits), X.view(Codes), y
    if kind == "sklearn":
        X = np.nan_to_num(X)
        return Tree.from_sklearn(DecisionTreeClassifier(random_state=0, **limits).fit(X, y)), X, y
    y = rng.normal(size=n).round(1) if kind in ("squared_error", "sdr") else y
    if kind == "two": y = np.stack([y, rng.integers(0, 3, n)], axis=1)
    criterion = "gini" if kind == "two" else kind
    schema = schema_of(criterion, y.size // n)
    return grow_levels(X, y, criterion=criterion, schema=schema, **limits), X.view(Codes), y

KINDS = ("gini", "entropy", "misclassification", "squared_error", "sdr", "two", "id3",
         "c45", "sklearn")
def codes(y): return y if y.dtype.kind == "f" else np.asarray(y).reshape(len(y), -1).view(Codes)
def inner(tree): return np.flatnonzero(tree.width).tolist()

def probes(tree, rng, n=400):
    "Rows from everywhere: at thresholds and beside them, missing, unseen."
    columns = []
    for f, book in enumerate(tree.schema.categories):
        t = np.unique(tree.t[(tree.feature == f) & ~np.isnan(tree.t)])
        pool = [-np.inf, np.inf, 0.0, np.nan, *t, *np.nextafter(t, -np.inf),
                *np.nextafter(t, np.inf)]
        if book is not None:
            pool = [*range(len(book)), np.nan, len(book), 0.5, -1.0] + pool * bool(len(t))
        columns.append(rng.choice(pool, n))
    return np.stack(columns, axis=1).view(Codes)

@pytest.mark.parametrize("kind", KINDS)
def test_the_best_alternative_is_what_the_tree_asks(kind):
    rng = np.random.default_rng(1)
    for gaps in (0.0, 0.1):
        tree, X, y = grown(kind, rng, gaps=gaps,
                           **dict(criterion="gain", mdl_penalty=False, min_weight=1)
                           if kind == "c45" else {})
        for k in inner(tree)[:6]:
            found = candidate_splits(tree, k, X, codes(y))
            before, after = removed(tree, k)
            asked = [a for a in found if a.asked]
            assert found[0].best and all(a.gain >= b.gain - 1e-12
                                         for a, b in zip(found, found[1:])), found
            if gaps == 0:
                assert len(asked) == 1 and np.isclose(asked[0].gain, before - after,
                                                      atol=1e-12), (kind, k, found)
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
            test = (EACH_ONE if tree.width[k] > 2 or kind in ("id3", "c45")
                    else {tree.schema.categories[f][c] for c in np.flatnonzero(table)})
        new, trace = replace_split(tree, k, f, test, X, codes(y), max_depth=4)
        if kind == "sklearn": assert (new.predict_labels(X) == tree.predict_labels(X)).mean() > 0.95
        else: assert new == tree, (kind, k, tree.text(), new.text())
        leaf = replace_split(tree, k, f, test, X, codes(y), below=False).tree
        assert (leaf.width[leaf.first[k]:leaf.first[k] + leaf.width[k]] == 0).all()

@pytest.mark.parametrize("kind", ["gini", "entropy", "squared_error", "two"])
def test_what_is_listed_can_be_grafted_also_with_gaps(kind):
    rng = np.random.default_rng(10)
    tree, X, y = grown(kind, rng, n=80, gaps=0.3)
    for k in inner(tree)[:12]:
        asked, = (a for a in candidate_splits(tree, k, X, codes(y)) if a.asked)
        new = replace_split(tree, k, asked.feature, asked.test, X, codes(y),
                            missing=asked.missing).tree
        f = int(tree.feature[k])
        if asked.best and (tree.start[k] < 0
                           or (tree.branch[tree.start[k]:][:len(BOOKS[f])] >= 0).all()):
            assert (np.array_equal(new.predict_labels(X), tree.predict_labels(X))
                    and new.node_count == tree.node_count)

@pytest.mark.parametrize("kind", KINDS)
def test_simplified_trees_answer_the_same(kind):
    rng = np.random.default_rng(3)
    for seed in range(6):
        tree, X, y = grown(kind, rng, gaps=0.1 * (seed % 2) * (kind != "id3"),
                           **dict(min_weight=1) if kind == "c45" else {})
        for _ in range(3):                                  # questions of chance, some of them idle
            k = int(rng.choice(inner(tree)))
            for a in candidate_splits(tree, k, X, codes(y))[-2:]:
                tree = replace_split(tree, k, a.feature, a.test, X, codes(y), missing=a.missing,
                                     below=bool(seed % 2)).tree
                break
        P = probes(tree, rng)
        for by in ("labels", "shares"):
            if kind == "c45" and by == "labels": continue
            left, trace = simplify(tree, by)
            if by == "labels" and tree.schema.classes[0]:
                assert (left.predict_labels(P) == tree.predict_labels(P)).all()
            else: assert np.allclose(left.predict_proba(P), tree.predict_proba(P), rtol=1e-15,
                                     atol=1e-15)
            assert simplify(left, by).tree == left and not simplify(left, by).trace.done
            assert len(trace.done) > 0 or left == tree
            assert len(inner(tree)) - len(inner(left)) >= len(trace.done)

def brute(tree, k, X, y, w):
    """The best decrease by each number, cut by cut, and of each category, set by set; nothing is
    missing."""
    mixed = dict(entropy=entropy, gini=gini,
                 misclassification=misclassification).get(tree.schema.criterion)
    def impure(rows):
        if not mixed:
            return np.average((y[rows] - np.average(y[rows], weights=w[rows]))**2, weights=w[rows])
        return mixed(np.bincount(y[rows], w[rows], 3))
    here = np.flatnonzero([k in tree.path(x) for x in X])
    found = {}
    for f, book in enumerate(tree.schema.categories):
        x, best = X[here, f], 0.0
        sides = [x >= t for t in np.unique(x)[1:]] if book is None else \
                [np.isin(x, [c for c in range(len(book)) if pick >> c & 1])
                 for pick in range(2**len(book))]
        for yes in sides:
            if yes.all() or not yes.any(): continue
            left = sum(w[here][s].sum() * impure(here[s]) for s in (yes, ~yes)) / w[here].sum()
            best = max(best, impure(here) - left)
        if any(0 < s.sum() < len(s) for s in sides): found[tree.schema.features[f]] = best
    return found

@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "squared_error"])
def test_gains_are_those_of_a_search_by_hand(criterion):
    rng = np.random.default_rng(4)
    X, y, w = rows_of(rng, 40), rng.integers(0, 3, 40), rng.integers(1, 4, 40) / 2
    if criterion == "squared_error": y = y.astype(float)
    tree = grow_levels(X, y, w, criterion=criterion, schema=schema_of(criterion), max_depth=2)
    for k in range(tree.node_count):
        found = candidate_splits(tree, k, X.view(Codes), codes(y), w)
        right = brute(tree, k, X, y, w)
        assert {a.feature for a in found} == set(right)
        for a in found: assert np.isclose(a.gain, right[a.feature], atol=1e-12), (k, a, right)
        most = max(right.values())
        assert [a.best for a in found] == [right[a.feature] > most - 1e-12 for a in found]

def test_all_cuts_of_one_feature():
    rng = np.random.default_rng(5)
    X, y = rows_of(rng, 60), rng.integers(0, 3, 60)
    tree = grow(X, y, criterion="gini", schema=schema_of("gini"), max_depth=2)
    every = candidate_splits(tree, 0, X.view(Codes), codes(y), feature="t", most=100)
    assert [a.test for a in sorted(every, key=lambda a: a.test)] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert every[:2] == candidate_splits(tree, 0, X.view(Codes), codes(y), feature=0, most=2)
    sets = candidate_splits(tree, 0, X.view(Codes), codes(y), feature="sky", most=100)
    assert ({min(a.test, frozenset(SKY) - a.test, key=sorted) for a in sets}
            == {frozenset(s) for s in (["overcast"], ["overcast", "rain"], ["overcast", "sunny"])})
    fewer = candidate_splits(tree, 0, X.view(Codes), codes(y), feature="t", most=100,
                             min_samples_leaf=15)
    assert (fewer and all(15 <= np.sum(X[:, 0] >= a.test) <= 45 for a in fewer)
            and len(fewer) < len(every))
    assert str(every).count("\n") == 4 and "best" in str(every[0])

def frame(rng, n=80):
    X = rows_of(rng, n)
    return pd.DataFrame(dict(t=X[:, 0], sky=np.array(SKY)[X[:, 1].astype(int)], u=X[:, 2],
                             wind=np.array(WIND)[X[:, 3].astype(int)]))

@pytest.mark.parametrize("model",
                         [CARTClassifier(max_depth=3, min_samples_leaf=4, class_weight="balanced"),
                          CARTRegressor(max_depth=3, min_samples_leaf=4,
                                        min_impurity_decrease=0.01),
                          C45Classifier(pruning=None, collapse=False, min_weight=4,
                                        mdl_penalty=False),
                          SDRTreeRegressor(min_samples_leaf=3, max_depth=3, min_share=0.3)],
                         ids=lambda m: type(m).__name__)
def test_estimators_lend_their_limits(model):
    rng = np.random.default_rng(6)
    X = frame(rng)
    y = (X.t.to_numpy() + rng.normal(size=80).round(1) if hasattr(model, "score") and model._numbers
         else np.array(["no", "yes"])[((X.t > 2) ^ (rng.random(80) < 0.2)).astype(int)])
    tree = model.fit(X, y).tree_
    for k in inner(tree):
        f = int(tree.feature[k])
        if tree.start[k] >= 0:
            table = tree.branch[tree.start[k]:][:len(tree.schema.categories[f])]
            if tree.width[k] != len(table) or sorted(table) != [*range(len(table))]: continue
            test = (EACH_ONE if not isinstance(model, (CARTClassifier, CARTRegressor))
                    else {tree.schema.categories[f][c] for c in np.flatnonzero(table)})
        else: test = float(tree.t[k])
        new = replace_split(model, k, f, test, X, y).tree
        assert ((new.predict_labels(X) == tree.predict_labels(X)).all() and new.node_count
                == tree.node_count)
    other = replace_split(model, 0, "u", 0.75, X, y).tree
    assert other.max_depth <= 3 or isinstance(model, C45Classifier)
    other = replace_split(model, 0, "u", 0.75, X, y, below=False).tree
    before, model.tree_ = model.predict(X), other
    assert (other.node_count == 3 and (model.predict(X) == other.predict_labels(X)).all()
            and not (model.predict(X) == before).all())
    assert (model.fit(X, y).predict(X) == before).all()

@pytest.mark.parametrize("kind", ["gini", "squared_error", "id3", "c45", "two"])
def test_what_is_not_below_stays_to_the_last_byte(kind):
    rng = np.random.default_rng(7)
    tree, X, y = grown(kind, rng, n=120, gaps=0.1, max_depth=4)
    k = int(tree.first[0])
    at = next(c for c in inner(tree) if c > 0)
    new = replace_split(tree, at, "wind" if tree.feature[at] != 3 else "sky", EACH_ONE, X,
                        codes(y)).tree
    def outside(t):
        below = {at}
        for c in range(at + 1, t.node_count): below |= {c} if t.parent[c] in below else set()
        rest = [c for c in range(t.node_count) if c not in below]
        return [a[rest].tobytes()
                for a in (t.t, t.width, t.missing, t.size, t.weight, t.counts, t.feature)]
    assert outside(tree)[3:6] == outside(new)[3:6] and outside(tree) == outside(new)
    assert ([a[at].tobytes() for a in (tree.size, tree.weight, tree.counts)]
            == [a[at].tobytes() for a in (new.size, new.weight, new.counts)])
    counted = tree.recount(X, codes(y).reshape(len(X), -1) if kind == "two" else np.asarray(y))
    if (counted.counts == tree.counts).all():
        again = new.recount(X, np.asarray(y))
        assert (again.counts == new.counts).all() and (again.size == new.size).all()

def test_snip_and_the_steps():
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    tree = model.tree_
    for k in inner(tree):
        new, trace = collapse_node(model, k)
        growing, after = PruningPlayer(tree, {"by hand": trace}).histories(inner(tree))
        words = states(tree, [*growing, *after["by hand"]])
        assert words[k] == "cut" and new.node_count == tree.node_count - words.count("gone")
        assert (not new.width[k] and new.node_labels[k] == tree.node_labels[k]
                and (new.counts[k] == tree.counts[k]).all())
    idle = simplify(model).trace
    assert (PruningPlayer(tree, {"idle": idle})._repr_html_() and str(idle) == ""
            and "0 changes" in repr(idle))

def test_an_estimator_around_another_answers_through_it():
    X, y = load_iris(return_X_y=True)
    model = CostComplexityCV(CARTClassifier(max_depth=3, min_samples_leaf=20)).fit(X, y)
    new = replace_split(model, 0, 0, 5.5, X, y).tree
    assert new.max_depth <= 3 and new.size[new.leaves].min() >= 20
    model.tree_ = model.estimator_.tree_ = new
    assert ((model.predict(X) == new.predict_labels(X)).all() and model.get_n_leaves()
            == new.n_leaves)

def test_a_tree_of_scikit_learn_with_bounded_values():
    X, y = load_diabetes(return_X_y=True)
    theirs = DecisionTreeRegressor(max_depth=4, monotonic_cst=[0, 0, 1] + [0] * 7,
                                   random_state=0).fit(X, y)
    tree = Tree.from_sklearn(theirs)
    new = replace_split(tree, 1, 0, 0.0, X, y, max_depth=4).tree
    assert (len(new.values) and new.max_depth <= 4 and (new.value[0] == tree.value[0]).all()
            and (new.value[2] == tree.value[2]).all())
    assert np.allclose(simplify(tree).tree.predict_labels(X), theirs.predict(X))

def stump(f, t, low, high, **more):
    "One question about numbers, and two leaves or trees."
    return dict(f=f, t=t, sides=(low, high), **more)

def built(root, features=2):
    "A tree from nested questions; a leaf is a pair of counts."
    nodes, rows = [root], []
    for node in nodes:
        if isinstance(node, dict):
            rows.append((node["f"], node["t"], len(nodes), (1, 1), node.get("missing", 0)))
            nodes += node["sides"]
        else: rows.append((-2, np.nan, -1, node, -1))
    f, t, first, counts, missing = zip(*rows)
    schema = Schema(tuple(f"x{i}" for i in range(features)), (None,) * features,
                    (("-", "+"),), "gini")
    return Tree.of(schema, f, t, first, np.array(counts, float), missing=missing)

MINUS, PLUS, SURE = (2, 1), (1, 2), (3, 0)

@pytest.mark.parametrize("root, labels, shares", [
    (stump(0, 3, MINUS, SURE), 1, 3),                                 # the same label, other shares
    (stump(0, 3, MINUS, (4, 2)), 1, 1),                                            # the same shares
    (stump(0, 3, MINUS, stump(0, 5, MINUS, PLUS)), 3, 3),                  # the child says it alone
    (stump(0, 3, stump(0, 3, MINUS, PLUS), PLUS), 3, 3),                            # decided above
    # decided, but not for what is missing
    (stump(0, 3, stump(0, 4, MINUS, SURE, missing=1), PLUS), 3, 5),
    (stump(0, 3, stump(0, 4, MINUS, PLUS, missing=1), PLUS), 5, 5),
    # nothing missing comes
    (stump(0, 3, stump(0, 4, MINUS, PLUS, missing=1), PLUS, missing=1), 3, 3),
    # all that is known is at least -inf
    (stump(0, np.nan, stump(0, -np.inf, SURE, MINUS), PLUS, missing=1), 3, 3),
    (stump(0, 0.0, stump(1, 1, MINUS, PLUS), stump(1, 1, MINUS, PLUS)), 3, 3),  # two equal subtrees
    (stump(0, 3, stump(1, 1, MINUS, PLUS), stump(1, 2, MINUS, PLUS)), 7, 7)])
def test_what_is_idle(root, labels, shares):
    tree = built(root)
    P = probes(tree, np.random.default_rng(8))
    for by, nodes in dict(labels=labels, shares=shares).items():
        left = simplify(tree, by).tree
        assert left.node_count == nodes, (by, left.text())
        assert (left.predict_labels(P) == tree.predict_labels(P)).all()
        if by == "shares": assert (left.predict_proba(P) == tree.predict_proba(P)).all()

def test_who_stays_answers_as_before_even_where_its_counts_say_otherwise():
    tree = built(stump(0, 3, stump(0, 3, PLUS, MINUS), MINUS))
    assert tree.node_labels[1] == "-"                                   # a tie: the first
    left = simplify(tree).tree
    assert left.node_labels[left.leaves].tolist() == ["+", "-"] and len(left.values)

X, Y = load_iris(return_X_y=True)
IRIS = CARTClassifier(max_depth=3).fit(X, Y)
WORDY = frame(np.random.default_rng(9))
SAYS = np.where(WORDY.t > 2, "a", "b")
WORDS = CARTClassifier(max_depth=2).fit(WORDY, SAYS)

@pytest.mark.parametrize("call, words", [
    (lambda: collapse_node(IRIS, 99), "the tree has the nodes 0 to .*, and no node 99"),
    (lambda: collapse_node(IRIS, -1), "no node -1"),
    (lambda: collapse_node(IRIS, 1), "node 1 is a leaf already"),
    (lambda: candidate_splits(IRIS, 1.5, X, Y), "no node 1.5"),
    (lambda: candidate_splits(IRIS, 0, X, Y, feature="size"),
     "'size' is not a feature of the tree, which has x0, x1"),
    (lambda: candidate_splits(IRIS, 0, X, Y, most=0), "most is 0"),
    (lambda: candidate_splits(IRIS, 0, X, Y[:9]), "150 rows, and y 9"),
    (lambda: candidate_splits(IRIS, 1, X[60:], Y[60:]), "no row of X reaches node 1"),
    (lambda: replace_split(IRIS, 0, 4, 1.0, X, Y), "4 is not a feature"),
    (lambda: replace_split(IRIS, 0, 0, 99.0, X, Y),
     "x0 >= 99\\? sends all 150 rows of node 0 to no"),
    (lambda: replace_split(IRIS, 0, 0, -99, X, Y), "to yes"),
    (lambda: replace_split(IRIS, 0, 0, np.nan, X, Y),
     "x0 is missing\\? sends all 150 rows of node 0 to no"),
    (lambda: replace_split(IRIS, 0, 0, {"a"}, X, Y), "x0 holds numbers"),
    (lambda: replace_split(IRIS, 0, 0, 5.0, X, Y, missing=2), "a child that does not exist"),
    (lambda: replace_split(IRIS, 0, 0, 5.0, X, Y, max_leaf_nodes=4), "max_leaf_nodes counts"),
    (lambda: replace_split(WORDS, 0, "sky", {"fog"}, WORDY, SAYS), "'fog' is no category of sky"),
    (lambda: replace_split(WORDS, 0, "sky", 1.0, WORDY, SAYS), "sky holds categories"),
    (lambda: replace_split(WORDS, 0, "sky", set(SKY), WORDY, SAYS), "sends all 80 rows"),
    (lambda: replace_split(WORDS, 0, "sky", set(), WORDY, SAYS),
     "sends all 80 rows of node 0 to no"),
    (lambda: simplify(IRIS, "looks"), "by must be 'labels' or 'shares'"),
    (lambda: simplify(grown("c45", np.random.default_rng(0))[0]), "use simplify\\(by='shares'\\)"),
    (lambda: simplify(3), "expected a Tree")])
def test_one_sentence(call, words):
    with pytest.raises(ValueError, match=words): call()

@pytest.mark.parametrize("numbers", [False, True])
def test_an_order_is_kept(numbers):
    """What is asked at a node is the best that is offered; what the order forbids is not, and a
    tree alone knows of no order."""
    forbidden = 0
    for seed in range(12):
        r = np.random.default_rng(seed)
        X = r.integers(0, 12, (150, 3)).astype(float)
        y = np.rint(X[:, 0] - X[:, 1] + 6 * r.normal(size=150)) * 0.37
        if not numbers: y = (y > 0).astype(int)
        signs = [1, -1, 1]
        model = (CARTRegressor if numbers else CARTClassifier)(monotonic_cst=signs,
                                                               max_depth=4).fit(X, y)
        tree = model.tree_
        for k in np.flatnonzero(tree.width):
            offers, free = (candidate_splits(of, int(k), X, y) for of in (model, tree))
            assert any(a.asked and a.best for a in offers)
            assert free[0].gain >= offers[0].gain - 1e-12
            forbidden += free[0].gain > offers[0].gain + 1e-12
            rows = tree.decision_path(X)[:, [int(k)]].toarray()[:, 0] > 0
            for a in offers:
                x, sign = X[rows, int(a.feature[1:])], signs[int(a.feature[1:])]
                assert sign * (y[rows][x >= a.test].mean() - y[rows][x < a.test].mean()) >= -1e-9
    assert forbidden > 3
