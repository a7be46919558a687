"""The card of a tree: what it is told is what the tree says, the code it writes answers alike,
and rows laid over it are all counted."""
import json
import re
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from dtree_lit import (C45Classifier, CARTClassifier, CARTRegressor, CostComplexityCV,
                       ID3Classifier, C50Classifier, view_tree, compare_trees, ForestClassifier,
                       grow,
                       reduced_error_pruning)
from dtree_lit.trees.card import BINS, binned, matched, overlay, told_nodes
from dtree_lit.trees.nodes import region
from dtree_lit.trees.words import in_words, number, picture, question, tidied, verdict
from dtree_lit.workshop.drawing import BROAD, KEYS, BOXES, THIN, arrange, drawn, icicle, svg, top
from dtree_lit.workshop.figures import BLUE, COLOURS
from hypothesis import given, settings, strategies as st
from helpers.drawn_trees import dressed, grown, inside, trees
from helpers.pages_in_html import NAMES, Elements, drawing
from helpers.browsing import LETTERS, opened

# ---- the still picture

@given(trees, st.integers(2, 14))
@settings(max_examples=40)
def test_fills_edges_and_key(shape, K):
    first, width = shape
    n, rng = len(first), np.random.default_rng(len(first))
    mix = rng.integers(0, 9, (n, K))
    rows = np.ones(n)
    for k in range(n - 1, -1, -1):
        if width[k]: rows[k] = rows[first[k]:first[k] + width[k]].sum()
    words, labels, names = [["x"]] * n, [""] * n, [f"class {c}" for c in range(K)]
    for lying in (False, True):
        p = arrange(first, width, words, labels, mix, lying, rows / rows[0], names)
        for (k, strength), counts in zip(p.fills, mix):
            assert counts[k] == counts.max() and 0 <= strength <= 1
            assert strength == pytest.approx((counts.max() - counts.sum() / K)
                                             / (counts.sum() * (1 - 1 / K)) if counts.any() else 0)
        assert np.allclose(p.thick, THIN + (BROAD - THIN) * rows[p.edge_of] / rows[0])
        assert [s for _, _, s in p.key] == names and min(y for _, y, _ in p.key) > 0
        assert max(y for _, y, _ in p.key) < min(y for _, y, _, _ in p.boxes), "a key on the tree"
        assert (max(x + w for x, _, w, _ in p.boxes) < p.width + 1e-9
                and max(y + h for _, y, _, h in p.boxes) < p.height + 1e-9)
    text = svg(first, width, words.__getitem__, mix, labels.__getitem__, rows, names)
    said = [t.text for t in ElementTree.fromstring(text).iter() if t.tag.endswith("}text")]
    assert [s for s in said if s.startswith("class")] == (
        names if K <= KEYS else [*names[:KEYS - 1], f"class {KEYS - 1} and {K - KEYS} more"])
    assert set(re.findall(r'fill="(#\w+)"', text)) <= set(COLOURS)

@pytest.mark.parametrize("rows", [[1, 2], [1, -1, 1], [1, np.nan, 1], [np.inf, 1, 1]])
def test_rows_are_checked(rows):
    with pytest.raises(ValueError, match="rows must give for each of 3 nodes"):
        svg(*grown(2), lambda k: ["x"], rows=rows)

def test_the_shade_of_a_mean():
    X = np.arange(40.0)[:, None]
    tree = CARTRegressor(max_leaf_nodes=4).fit(X, X[:, 0] ** 2).tree_
    text = svg(*picture(tree))
    shades = np.array([float(v)
                       for v in re.findall(rf'<rect [^>]*fill="{BLUE}" fill-opacity="([\d.]+)"',
                                           text)])
    assert (len(shades) == tree.node_count
            and np.array_equal(np.argsort(shades, kind="stable"),
                               np.argsort(tree.value[:, 0, 0], kind="stable")))
    low, high = tree.value.min(), tree.value.max()
    assert picture(tree)[6] == (f"{low:.4g}", f"{(low + high) / 2:.4g}", f"{high:.4g}")
    assert picture(grow(np.zeros((3, 1)), [2.0, 2.0, 2.0], criterion="squared_error"))[6] == ("2",)

@given(trees, st.integers(0, 10**6))
@settings(max_examples=30)
def test_an_icicle_divides_its_width(shape, seed):
    first, width = shape
    n, rng = len(first), np.random.default_rng(seed)
    rows = rng.integers(0, 4, n).astype(float)
    for k in range(n - 1, -1, -1):
        if width[k]: rows[k] = rows[first[k]:first[k] + width[k]].sum()
    p, kept = icicle(first, width, lambda k: [f"node {k}"], None, None, rows, None, 50)
    box = dict(zip(kept, p.boxes))
    assert kept[0] == 0 and box[0][0] == 0 and box[0][2] == 50
    for k in kept:
        if rows.any(): assert box[k][2] == pytest.approx(50 * rows[k] / rows[0])
        for c in range(first[k], first[k] + width[k]):
            if c in box:
                assert inside((box[c][0], 0, box[c][0] + box[c][2], 0),
                              (box[k][0], 0, box[k][0] + box[k][2], 0)) and box[c][
                    1] == pytest.approx(box[k][1] + box[k][3])
    assert (set(np.flatnonzero(50 * rows > 0.1001 * max(rows[0], 1)))
            <= set(kept) | (set() if rows.any() else {0}))

def test_above_two_hundred_nodes_an_icicle_stands_for_the_tree():
    shape = grown(BOXES)
    words, labels, mix = dressed(*shape)
    rows = np.ones(len(shape[0]))
    for k in range(len(rows) - 1, -1, -1):
        if shape[1][k]: rows[k] = rows[shape[0][k]:shape[0][k] + shape[1][k]].sum()
    given = *shape, words.__getitem__, mix, labels.__getitem__, rows, ("no", "yes")
    text = svg(*given)
    assert (f"{2 * BOXES - 1:,} nodes" in text and "<path d=" not in text
            and len(text.encode()) < 148_000)
    assert svg(*given, max_nodes=127).count("<rect") == 127 and "more" in svg(*given, max_nodes=127)
    small = svg(*grown(BOXES // 2), words.__getitem__, mix[:BOXES - 1], labels.__getitem__,
                rows[:BOXES - 1])
    assert small.count("<rect") == BOXES - 1 and "<path d=" in small
    ax = drawn(None, *given)
    assert (len(ax.patches)
            == len(icicle(*given, (14 * 72 - 4.5) / 9 - 0.5, (20 * 72 - 4.5) / 9 - 0.5)[1]))
    plt.close("all")

def test_a_way_is_lit():
    X = np.random.default_rng(0).random((90, 2))
    tree = CARTClassifier(max_leaf_nodes=6).fit(X, X.sum(axis=1) > 1).tree_
    way = tree.path(X[3])
    root = ElementTree.fromstring(svg(*picture(tree), lit=way))
    heavy = [g.get("data-node") for g in root.find("{*}g").findall("{*}g")
             if g.find("{*}rect").get("stroke") == "currentColor"]
    assert heavy == [str(k) for k in way]

# ---- what the script is told

def noisy(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    return X, np.where(X[:, 0] * X[:, 1] + rng.normal(size=n) > 0, "up", "down")

def gappy(seed=0):
    X, y = noisy(seed=seed)
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < 0.2] = np.nan
    return X, y

def told(page): return json.loads(re.search(r"card\(root, (\{.*\})\);", page)[1])

def test_rules_have_the_digits_of_the_box():
    tree = CARTClassifier().fit([[7.1], [7.3]], ["a", "b"]).tree_
    assert number(tree.t[0]) == "7.199999999999999" and question(tree, 0).endswith(" >= 7.2?")
    assert [when.partition(" ")[2] for when in told_nodes(tree._shown(), 9)[1]["when"][1:]] == [
        "< 7.2", ">= 7.2"]

@settings(max_examples=500)
@given(st.integers(-10**15, 10**15), st.integers(-10**15, 10**15), st.integers(-20, 5))
def test_a_tidied_threshold_sends_numbers_of_15_digits_to_the_same_side(a, b, power):
    a, b = float(f"{a}e{power}"), float(f"{b}e{power}")
    t = a / 2 + b / 2
    shown = float(tidied(t))
    assert shown >= t
    for v in a, b, float(f"{t:.15g}"), float(f"{t:.14g}"): assert (v < t) == (v < shown)

@pytest.mark.parametrize("most", [1, 6, 1000])
def test_what_is_told_is_what_the_tree_says(most):
    tree = CARTClassifier().fit(*noisy()).tree_
    kept, said = told_nodes(tree._shown(), most)
    assert kept == top(tree.first, tree.width, most)[0]
    assert len(kept) + sum(said["hidden"]) == tree.node_count
    for i, k in enumerate(kept):
        asks = said["test"][i]
        assert (said["says"][i] == verdict(tree, k)
                and said["when"][i] == in_words(tree.schema, region(tree, k), tidied)[:199]
                + "…" * (len(in_words(tree.schema, region(tree, k), tidied)) > 200)
                or len(said["when"][i]) == 200)
        assert said["answer"][i] == tree.node_labels[k] and said["size"][i] == tree.size[k]
        assert (asks is None) == (not tree.width[k] or said["hidden"][i] > 0)
        if asks:
            assert (asks == [tree.feature[k], tree.t[k], None, tree.missing[k], tree.unseen[k]]
                    and said["asks"][i] == question(tree, k, 80))

@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=30),
       st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 3))
def test_no_bin_is_divided(x, t, K):
    x = np.array(x, float)
    codes = np.arange(len(x)) % K
    counts, below, low, high = binned(x, t, codes, K)
    known = np.isfinite(x)
    assert counts.sum() == known.sum() and 1 <= below < len(counts) <= BINS + 2
    assert np.array_equal(counts[:below].sum(axis=0),
                          np.bincount(codes[known & (x < t)], minlength=K))
    assert low <= t <= high

def frames():
    rng = np.random.default_rng(1)
    colour, size = rng.choice(["red", "green", "blue"], 200), rng.normal(size=200).round(2)
    frame = pd.DataFrame(dict(colour=colour, size=size, spare=rng.integers(0, 3, 200)))
    return frame, np.where((colour == "red") | (size > 0.5), "a", "b")

def words():
    frame, y = frames()
    return frame[["colour", "spare"]].astype(str), y

@pytest.mark.parametrize("model, X, y", [
    (CARTClassifier(), *gappy()), (CARTRegressor(max_depth=4), gappy()[0], np.arange(120.0)),
    (ID3Classifier(), *words()), (C45Classifier(), *frames()),
    (CostComplexityCV(CARTClassifier(categorical_features=["colour"]), cv=3), *frames()),
    (CARTClassifier(max_depth=3), noisy()[0], np.stack([noisy()[1], noisy(seed=1)[1]], axis=1))],
                         ids=["gaps", "numbers", "words", "c45", "through", "outputs"])
def test_rows_laid_over_are_all_counted(model, X, y):
    model = model.fit(X, y)
    tree = model.tree_
    said = overlay(model, X, None if np.ndim(y) == 2 else y)
    path = np.asarray(model.decision_path(X).sum(axis=0)).ravel()
    assert said["rows"] == path.tolist() and said["leaf"] == tree.apply(model._rows(X)).tolist()
    if said["right"]: assert said["right"][0] == (model.predict(X) == y).sum()
    for k, drawn in enumerate(said["pictures"]):
        assert (drawn is None) == (not tree.width[k]) or np.isnan(tree.t[k])
        if drawn and "bins" in drawn: assert sum(map(sum, drawn["bins"])) <= said["rows"][k]
        if drawn and "dots" in drawn:
            assert np.array(drawn["dots"]).min() >= 0 and np.array(drawn["dots"]).max() <= 1
    page = view_tree(model, X, None if np.ndim(y) == 2 else y)._repr_html_()
    assert told(page)["laid"]["rows"] == said["rows"]

def test_what_is_wrong_is_refused_at_once():
    X, y = noisy()
    model = CARTClassifier().fit(X, y)
    for wrong, says in (((X, y[:5]), "y has the shape"), ((X, ["left"] * 120), "'left'"),
                        ((None, y), "y requires X"), ((X[:, :2],), "features")):
        with pytest.raises(ValueError, match=says): view_tree(model, *wrong)
    for what in (CARTClassifier(), 3, CARTClassifier):
        with pytest.raises(ValueError,
                           match="expected a Tree or a fitted estimator"): view_tree(what)
    with pytest.raises(ValueError, match="different features"):
        compare_trees(model, CARTClassifier().fit(X[:, :2], y))

@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_a_name_in_a_card(name):
    X, y = noisy(60)
    tree = CARTClassifier().fit(X, y).tree_
    tree = tree._replace(schema=tree.schema._replace(features=(name,) * 3,
                                                     classes=((name + "0", name + "1"),)))
    for page in (tree._repr_html_(), view_tree(tree, X,
                                               [tree.schema.classes[0][v == "up"] for v in y],
                                               row=X[0])._repr_html_()):
        elements = Elements(page)
        assert ([tag for tag, _ in elements.found] == ["style", "figure", "div", "img", "script"]
                and elements.deep == 1)
        assert (page.count("<script") == page.count("</script>") == 1
                and told(page)["features"] == [name] * 3)
        script = re.sub(r'"http://www\.w3\.org/(2000/svg|1999/xhtml)"', "a name",
                        page[page.index("<script>"):])
        risky = (r"innerHTML|outerHTML|insertAdjacent|eval\(|Function\(|fetch|import\(|"
                 r"setTimeout|https?:")
        assert not re.search(risky, script.replace(json.dumps(told(page)), ""))

@pytest.mark.parametrize("many", [ForestClassifier(3, random_state=0), C50Classifier(trials=3)])
def test_of_many_trees_the_first_is_shown(many):
    X, y = noisy()
    assert "dtree-card" not in many._repr_html_inner()
    many.fit(X, y)
    pages = many._repr_html_inner(), many._repr_mimebundle_()["text/html"]
    for page in pages:
        assert page.count('<figure class="dtree-card') == 1 and f"{len(many.trees_)} in all" in page
        assert many.trees_[0]._repr_html_() in page

def test_a_card_is_small_and_its_picture_whole():
    rng = np.random.default_rng(0)
    X, y = rng.random((6000, 3)), rng.integers(0, 2, 6000)
    model = CARTClassifier().fit(X, y)
    alone, laid = model.tree_._repr_html_(), view_tree(model, X, y)._repr_html_()
    assert (model.tree_.node_count > 2000 and len(alone.encode()) <= 200_000
            and len(laid.encode()) <= 600_000)
    assert (len(told(alone)["parent"]) >= 200
            and f"{model.tree_.node_count:,} nodes" in drawing(alone))
    assert model.tree_._repr_html_() == alone
    leaf = grow(np.zeros((3, 1)), [0, 0, 1])
    assert told(leaf._repr_html_())["parent"] == [-1] and told(leaf._repr_html_())["worth"] == []

# ---- two trees

def test_trees_compared():
    X, y = noisy(300)
    def grown_on(X, y, **settings): return CARTClassifier(**settings).fit(X, y).tree_
    full = grown_on(X, y)
    pruned = reduced_error_pruning(full, *noisy(100, 1)).tree
    for a, b in ((full, pruned), (pruned, full), (full, grown_on(X, y, criterion="entropy")),
                 (full, grown_on(X[::2], y[::2]))):
        pairs, same, first, width = matched(a, b)
        assert (sorted(i for i, _ in pairs if i >= 0) == [*range(a.node_count)]
                and sorted(j for _, j in pairs if j >= 0) == [*range(b.node_count)])
        for k, (i, j) in enumerate(pairs):
            family = pairs[first[k]:first[k] + width[k]] if width[k] else []
            assert [c for c, _ in family if c >= 0] == (
                [*range(a.first[i], a.first[i] + a.width[i])] if i >= 0 and a.width[i] else [])
            assert [c for _, c in family if c >= 0] == (
                [*range(b.first[j], b.first[j] + b.width[j])] if j >= 0 and b.width[j] else [])
            if same[k] and width[k]: assert (a.feature[i], a.t[i]) == (b.feature[j], b.t[j])
    both = compare_trees(full, pruned, ("grown", "pruned"))
    assert (both.draw() is not None
            and f"{full.node_count - pruned.node_count} only grown, 0 only pruned" in repr(both))
    plt.close("all")
    page = drawing(compare_trees(full, pruned)._repr_html_())
    kept = top(both.first, both.width, 127)[0]
    for mark in ("alone", "shared", "parted"):
        assert page.count(f'class="{mark}"') == 2 * sum(both.mark(k) == mark for k in kept)

# ---- in a browser

@pytest.fixture(scope="module")
def cards():
    X, y = gappy()
    frame, labels = words()
    numbers = np.arange(120.0)
    small, means, names = (CARTClassifier(max_leaf_nodes=6).fit(X, y),
                           CARTRegressor(max_depth=3).fit(X, numbers),
                           ID3Classifier().fit(frame, labels))
    asks = CARTClassifier(missing="surrogates", max_depth=4).fit(X, y)
    assert asks.tree_.surrogates.size
    mixed = frame.assign(x=np.arange(len(frame)) % 7)
    mixed = mixed.mask(np.random.default_rng(0).random(mixed.shape) < 0.2)
    told = [CARTClassifier(missing=missing, max_depth=4).fit(mixed, labels).tree_
            for missing in ("learn", "surrogates")]
    assert all((tree.start >= 0).any() and (tree.missing[tree.start >= 0] >= 0).all()
               for tree in told)
    strange = [mixed.assign(**{name: word}) for name in frame for word in ("never seen", None)]
    new = pd.concat([mixed, *strange])
    shown = small.tree_, means.tree_, names.tree_, asks.tree_, *told
    pages = [tree._repr_html_() for tree in shown]
    pages[1] = view_tree(means, X, numbers, row=X[0])._repr_html_()
    return list(zip(shown, (X, X, frame, X, new, new), pages))

@pytest.fixture(scope="module")
def cards_page(cards, tmp_path_factory):
    path = tmp_path_factory.mktemp("cards") / "page.html"
    path.write_text("<!doctype html><meta charset=utf-8><title>cards</title>"
                    + "<hr>".join(page for *_, page in cards), encoding="utf-8")
    return path.as_uri()

def test_the_code_of_a_card_answers_like_the_tree(browser, cards, cards_page):
    with opened(browser, cards_page) as (tab, said):
        for figure, (tree, X, _) in zip(tab.locator(".dtree-card").all(), cards, strict=True):
            figure.get_by_role("tab", name="Code").click()
            room = {}
            exec(figure.locator("pre:visible").inner_text(), room)
            rows = (X.to_dict("records") if hasattr(X, "columns")
                    else [dict(zip(tree.schema.features, row.tolist())) for row in X])
            assert [room["answer"](row) for row in rows] == tree.predict_labels(X).tolist()
            figure.get_by_role("tab", name="Rules").click()
            shown = figure.locator("pre:visible").inner_text().splitlines()
            exact = re.compile(r"-?\d+\.\d{14,}")           # the card has the digits of its boxes
            assert shown == [exact.sub(lambda m: tidied(float(m[0])), rule)
                             for rule in tree.rules()]
            figure.get_by_role("tab", name="Table").click()
            assert figure.locator("tbody tr:visible").count() == tree.node_count
        assert not said

def test_a_card_is_walked_by_keys_and_closed_by_a_press(browser, cards, cards_page):
    tree = cards[0][0]
    with opened(browser, cards_page) as (tab, said):
        figure = tab.locator(".dtree-card").first
        board, boxes = figure.get_by_role("tree"), figure.locator("[role=treeitem]")
        assert figure.locator("img").count() == 0 and boxes.count() == tree.node_count
        board.focus()
        def at(): return int(board.get_attribute("aria-activedescendant").rpartition("-")[2])
        first = int(tree.width[1] > 0)                                # whether node 1 can be closed
        for keys, node, many in [(["End"], None, tree.node_count), (["Home"], 0, tree.node_count),
                                 (["ArrowRight"], 1, tree.node_count),
                                 (["ArrowLeft"] * (1 + first), 0, None),
                                 (["Enter"], 0, 1), (["ArrowDown"], 0, 1),
                                 (["ArrowRight"], 0, None), (["ArrowRight"], 1, None),
                                 (["Enter"], 1, tree.node_count),
                                 (["ArrowUp"], 0, tree.node_count)]:
            for key in keys: tab.keyboard.press(key)
            assert node is None or at() == node, keys
            assert many is None or boxes.count() == many, keys
        figure.locator("[data-node='0']").click()               # who is looked at already is closed
        assert boxes.count() == 1 and boxes.first.get_attribute("aria-expanded") == "false"
        assert figure.locator(".about").inner_text().startswith("node 0: always")
        figure.get_by_role("button", name="open a level").click()
        figure.get_by_role("tab", name="Tree").focus()
        tab.keyboard.press("ArrowRight")
        assert figure.get_by_role("tab", name="Rules").get_attribute("aria-selected") == "true"
        lit = tab.locator(".dtree-card").nth(1).locator("[role=treeitem].lit")
        assert [int(box.get_attribute("data-node"))
                for box in lit.all()] == sorted(cards[1][0].path(cards[1][1][0]).tolist(), key=int)
        assert not said

ROOT_IN_VIEW = """() => {
    const frame = document.querySelector(".dtree-card .frame"), view = frame.getBoundingClientRect();
    const box = frame.querySelector("[data-node='0']").getBoundingClientRect();
    return [box.top >= view.top - 2 && box.bottom <= view.bottom + 2 && box.left >= view.left - 2,
            frame.scrollWidth <= frame.clientWidth + 1] }"""

@pytest.mark.parametrize("width, depth, fits", [(390, 6, False), (740, 3, True), (740, 6, True),
                                                (1280, 6, True)])
def test_the_root_is_in_view_and_as_many_columns_as_fit(browser, tmp_path, width, depth, fits):
    "Their letters are never small, nor those of a picture of rows; what does not fit is closed."
    steps = np.arange(2.0**depth)
    tree = CARTRegressor().fit(steps[:, None], steps).tree_
    assert tree.max_depth == depth and tree.n_leaves == 2**depth       # its root is in the middle
    page = tmp_path / "card.html"
    page.touch()
    with opened(browser, page.as_uri()) as (tab, said):
        tab.set_viewport_size({"width": width, "height": 700})
        for shown in (tree._repr_html_(), view_tree(tree, X=steps[:, None], y=steps)._repr_html_()):
            page.write_text(f"<!doctype html><meta charset=utf-8><title>card</title>{shown}",
                            encoding="utf-8")
            tab.reload()
            seen, whole = tab.evaluate(ROOT_IN_VIEW)
            letters = tab.locator(".dtree-card").evaluate(LETTERS)
            assert seen and whole == fits and not said
            assert len(letters) > 5 and not [text for size, text in letters if size < 10.99]
