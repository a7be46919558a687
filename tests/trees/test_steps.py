"Steps of any tree: the page is whole, small and harmless, and says what happened."
import json
import operator
import re

import numpy as np
import pytest
from dtree_lit import (CARTClassifier, ID3Classifier, REPClassifier, REPRegressor, PruningPlayer,
                       Tree,
                       grow, cheapest_pruning, reduced_error_pruning)
from dtree_lit.pruning.orders import TRAVERSALS
from dtree_lit.pruning.traces import cut_at
from dtree_lit.pruning.reduced_error import OPTIONS
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.steps import Step, removed, states
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier
from helpers.pages_in_html import drawing, Elements, NAMES

def noisy(n, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 10, (n, 3)).astype(float)
    return X, ((X[:, 0] >= 5) != (rng.random(n) < noise)).astype(int)

def data_of(page):
    "What the script is given."
    return json.loads(re.search(r"steps\(root, (\{.*\})\);", page)[1])

def all_steps(steps):
    "Growing, and each pruning after it."
    grown, pruned = steps.histories(np.flatnonzero(steps.tree.width))
    return [grown + after for after in pruned.values()] or [grown]

@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_a_name(name):
    X, y = noisy(60)
    tree = grow(X, y)
    tree = tree._replace(schema=tree.schema._replace(features=(name,) * 3,
                                                     classes=((name + "0", name + "1"),)))
    P, q = noisy(30, 1)
    pruned = reduced_error_pruning(tree, P, [tree.schema.classes[0][k] for k in q])
    page = PruningPlayer(tree, {name: pruned})._repr_html_()
    elements, inside = Elements(page), Elements(drawing(page))
    assert [tag for tag, _ in elements.found] == ["style", "figure", "div", "img", "script"]
    assert {tag for tag, _ in inside.found} <= {"svg", "title", "desc", "style", "g", "path",
                                                "rect", "text"}
    # an img has no end
    assert (elements.deep == 1 and inside.deep == 0
            and page.count("<script") == page.count("</script>") == 1)
    assert not [key for _, attributes in elements.found[:3] + inside.found
                for key in attributes if key.startswith("on") or key in ("href", "src")]
    assert set(elements.found[3][1]) == {"alt", "width", "style", "src"}
    data = data_of(page)
    assert any(" ".join(name.split())[:20] in sentence for _, sentence, *_ in data["grown"])

def test_no_request_and_no_way_for_words_to_become_code():
    page = PruningPlayer(*[grow(*noisy(60))])._repr_html_()
    # formats have such names
    page = re.sub(r'"http://www\.w3\.org/(2000/svg|1999/xhtml)"', "a name", page)
    script = page[page.index("<script>"):]
    unsafe = r"innerHTML|outerHTML|insertAdjacent|eval|Function\(|fetch|import|setTimeout|https?:"
    assert not re.search(unsafe, script)
    assert not re.search("https?:", page)
    # the name of a format
    assert re.findall(r"https?://[^\"]*", drawing(page)) == ["http://www.w3.org/2000/svg"]

def test_a_single_leaf():
    leaf = grow(np.zeros((3, 1)), [0, 0, 1])
    pruned = reduced_error_pruning(leaf, np.zeros((2, 1)), [0, 1])
    for shown in (PruningPlayer(leaf), PruningPlayer(leaf, {"p": pruned}), pruned):
        data = data_of(shown._repr_html_())
        assert (data["parent"] == [-1] and data["grown"] == []
                and [steps for _, steps in data["prunings"]] == [[]])
        assert data["begin"] == "node 0, 3 examples: 0, 2 of 3"
    assert str(PruningPlayer(leaf)) == ""

def test_many_ways():
    X = [["a", "x"], ["b", "x"], ["c", "x"], ["c", "y"], ["a", "y"], ["b", "y"]] * 3
    y = [0, 1, 1, 0, 0, 1] * 3
    model = ID3Classifier().fit(X, y)
    codes = np.array([[names.index(v) for v, names in zip(row, model.tree_.schema.categories)]
                      for row in X])
    assert model.tree_.width[0] == 3
    pruned = reduced_error_pruning(model.tree_, codes, y)
    page = pruned._repr_html_()
    assert (drawing(page).count("<rect") == model.tree_.node_count
            and data_of(page)["parent"].count(0) == 3)
    assert ("x0?" in str(PruningPlayer(model.tree_, {"p": pruned}))
            and "= a" not in data_of(page)["grown"][0][1])

@pytest.mark.parametrize("leaves", [64, 65, 300])
def test_many_leaves(leaves):
    tree = grow(*noisy(5 * leaves, noise=0.5), max_leaf_nodes=leaves)
    assert tree.n_leaves == leaves
    steps = PruningPlayer(tree,
                          {who: reduced_error_pruning(tree, *noisy(leaves, 1, 0.5), labels=who)
                           for who in OPTIONS["labels"]})
    page = steps._repr_html_()
    data, boxes = data_of(page), drawing(page).count("<rect")
    assert (len(page.encode()) <= 200_000
            and boxes == len(data["parent"]) == min(tree.node_count, 127))
    asking = set(data["parent"]) - {-1}
    assert asking == {int(k) for k in data["lines"]} == {box for box, *_ in data["grown"]}
    # the sweep asks each of them
    for _, told in data["prunings"]: assert {box for box, *_ in told} == asking
    assert ("nodes are shown" in data["begin"]) == (leaves > 64)

def test_it_stays_small_whatever_is_written():
    X, y = noisy(3000, noise=0.5)
    tree = grow(X, y)
    tree = tree._replace(schema=tree.schema._replace(features=("&<\U0001f333" * 99,) * 3,
                                                     classes=(("&" * 99, "<" * 99),)))
    some = {f"{i}" * 99: cheapest_pruning(tree, tree.impurity) for i in range(40)}
    page = PruningPlayer(tree, some)._repr_html_()
    assert len(page.encode()) <= 200_000 and drawing(page).count("<rect") > 1

def test_weights_count():
    X, y = noisy(60)
    tree, (P, q) = grow(X, y), noisy(40, 1)
    w = np.random.default_rng(2).integers(0, 4, 40) / 2
    heavy = reduced_error_pruning(tree, P, q, w)
    for step, leaf in zip(heavy.trace.seen(heavy.trace.node), heavy.trace.leaf):
        assert f"errors as leaf {leaf:g} " in step.why
    times = (2 * w).astype(int)
    repeated = reduced_error_pruning(tree, np.repeat(P, times, axis=0), np.repeat(q, times),
                                     np.full(times.sum(), 0.5))
    assert (all_steps(PruningPlayer(tree, {"p": heavy}))
            == all_steps(PruningPlayer(tree, {"p": repeated})))
    pale = tree._replace(weight=0 * tree.weight, counts=0 * tree.counts)            # nobody came by
    assert removed(pale, 0) == (0, 0) and "gain 0" in str(PruningPlayer(pale))

def test_numbers():
    X, y = load_diabetes(return_X_y=True)
    for criterion, measure in (("squared_error", "variance"), ("sdr", "standard deviation")):
        tree = grow(X[:200], y[:200], criterion=criterion, max_depth=3)
        pruned = reduced_error_pruning(tree, X[200:], y[200:])
        text = str(PruningPlayer(tree, {"pruned": pruned}))
        assert (f" examples, {measure} " in text and "squared distances as leaf" in text
                and "errors" not in text)
        before, after = removed(tree, 0)
        assert before == tree.impurity[0] and before > after > 0
    model = REPRegressor(random_state=0).fit(X, y)
    assert model.trace_._repr_html_() in model._repr_html_()

def test_nothing_is_cut():
    tree = grow(*noisy(40))
    kept = cheapest_pruning(tree, np.where(tree.width > 0, np.inf, 0))
    (steps,) = all_steps(PruningPlayer(tree, {"kept": kept}))
    assert states(tree, steps) == ["asks" if w else "leaf" for w in tree.width]
    assert all("cost as leaf inf > cost as subtree 0: keep" == s.why
               for s in kept.trace.seen(kept.trace.node))
    assert "gone" not in re.findall(r'data-node="\d+" class="(\w+)"', drawing(kept._repr_html_()))

def test_signs_are_true():
    tree = grow(*noisy(80))
    for settings in ([dict(by=by) for by in ("sweep", *TRAVERSALS)]
                     + [dict(ties="keep", empty="keep")]):
        trace = reduced_error_pruning(tree, *noisy(40, 1), **settings).trace
        for step, cut in zip(trace.seen(trace.node), trace.cut, strict=True):
            left, sign, right, what = re.fullmatch(r"errors as leaf (\S+) (<=|<|=|>) errors as "
                                                   r"subtree (\S+): (prune|keep)",
                                                   step.why).groups()
            true = {"<=": operator.le, "<": operator.lt, "=": operator.eq, ">": operator.gt}[sign]
            assert true(float(left), float(right)) and (what == "prune") == cut == (not step.asks)

SCHEMA = Schema(("a", "b", "c"), (None,) * 3, ((0, 1),), "entropy")
trees = st.builds(lambda n, seed, noise: grow(*noisy(n, seed, noise), schema=SCHEMA),
                  st.integers(1, 80), st.integers(0, 99), st.sampled_from([0.0, 0.2, 0.5]))

@settings(max_examples=40)
@given(trees, st.integers(0, 99), st.sampled_from(OPTIONS["labels"]),
       st.sampled_from(["sweep", *TRAVERSALS]))
def test_the_last_moment_is_the_pruned_tree(tree, seed, labels, by):
    pruned, trace = reduced_error_pruning(tree, *noisy(25, seed), labels=labels, by=by)
    (steps,) = all_steps(PruningPlayer(tree, {"p": trace}))
    words = states(tree, steps)
    assert cut_at(tree, [k for k, word in enumerate(words) if word == "cut"],
                  trace.labelled) == pruned
    assert sum(word in ("asks", "leaf", "cut") for word in words) == pruned.node_count
    page = drawing(trace._repr_html_())
    shown = dict(re.findall(r'data-node="(\d+)" class="(\w+)"', page))
    assert [shown[str(k)] for k in range(tree.node_count)] == words      # also where no script runs
    answers = {k: lines[0] for k, lines in ((s.node, s.lines) for s in steps if s.lines)}
    for k, word in enumerate(words):
        if word == "cut":
            words_before = r'(?:<text(?! class="turn").*?</text>)?'
            cut = rf'<g data-node="{k}" class="cut">{words_before}<text class="turn".*?</text>'
            assert answers[k] in re.search(cut, page)[0]

@settings(max_examples=40)
@given(trees, st.lists(st.tuples(st.integers(0, 10**6), st.booleans()), max_size=12))
def test_what_is_there_is_a_tree(tree, some):
    inner = np.flatnonzero(tree.width)
    steps = [Step(int(inner[i % len(inner)]), "", asks) for i, asks in some] if len(inner) else []
    words = states(tree, steps)
    there = {k for k, word in enumerate(words) if word in ("asks", "leaf", "cut")}
    assert 0 in there
    for k in range(1, tree.node_count): assert (k in there) == (words[tree.parent[k]] == "asks")
    assert all(tree.width[k] for k, word in enumerate(words) if word in ("asks", "cut"))

def test_growing_is_in_the_order_of_the_learner():
    X, y = noisy(200, noise=0.4)
    tree = grow(X, y)
    (steps,) = all_steps(PruningPlayer(tree))
    for depth in range(tree.max_depth + 1):
        young = grow(X, y, max_depth=depth)
        words = states(tree, [s for s in steps if tree.depth[s.node] < depth])
        assert words == ["asks" if w else "leaf"
                         for w in young.width] + ["ahead"] * (tree.node_count - young.node_count)

def test_any_tree_and_any_estimator():
    X, y = load_iris(return_X_y=True)
    theirs = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    assert "gini 0.667 becomes 0.333, gain 0.333" in str(PruningPlayer(theirs))
    pruned = reduced_error_pruning(theirs, X, y)
    assert (PruningPlayer(theirs, {"p": pruned})._repr_html_()
            == PruningPlayer(theirs, {"p": pruned.trace})._repr_html_())
    assert (pruned._repr_html_() == pruned.trace._repr_html_()
            and "errors as leaf" in pruned._repr_html_())
    model = REPClassifier(random_state=0).fit(X, y)
    assert (model.trace_._repr_html_() in model._repr_html_()
            and "dtree-steps" not in CARTClassifier().fit(X, y)._repr_html_())
    with pytest.raises(ValueError, match="'p' is one of another tree"):
        PruningPlayer(model.tree_, {"p": pruned})
    assert (repr(PruningPlayer(theirs, {1: pruned})).endswith("; 1")
            and "grown" in str(PruningPlayer(theirs, {1: pruned})))
    for none, words in [([pruned], "must be a dict \\{name: pruning\\}, got list"),
                        (pruned, "got Pruned"), ({"p": 3}, "'p' names no pruning, but 3")]:
        with pytest.raises(ValueError, match=words): PruningPlayer(theirs, none)
    two = grow(X[:, :2], np.column_stack([y, y == 1]), schema=None)                    # two outputs
    assert "; " in data_of(PruningPlayer(two)._repr_html_())["begin"]
