"""Drawings of trees that nobody chose by hand: nothing overlaps, nothing is lost, and nothing in
a label can break the page."""
import re
import sys
from base64 import b64decode
from fractions import Fraction
from itertools import combinations
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from dtree_lit import CARTClassifier, PruningPlayer, Schema, Tree, cost_complexity_pruning, grow
from dtree_lit.trees.card import overlay
from dtree_lit.trees.nodes import Codes
from dtree_lit.trees.words import lines, short
from dtree_lit.workshop.drawing import (LONGEST, PALE, SHEET, WIDTH, arrange, category_rows, draw,
                                        drawn, image, layout, one_line, svg, text_width, top)
from dtree_lit.workshop.figures import COLOURS, INK, axes
from hypothesis import given, settings, strategies as st
from matplotlib.colors import to_rgb
from helpers.drawn_trees import dressed, grown, inside, tree, trees

sizes = st.sampled_from([0.0, 0.01, 1.0, 3.7, 40.0])

def parents(first, width):
    parent = np.full(len(first), -1)
    for k, (f, w) in enumerate(zip(first, width)): parent[f:f + w] = k
    return parent

def meet(p, q, by=1e-6):
    "Have two rectangles (left, top, right, bottom) more in common than a border?"
    return p[0] < q[2] - by and q[0] < p[2] - by and p[1] < q[3] - by and q[1] < p[3] - by

@given(trees, st.data())
def test_layout(shape, data):
    first, width = shape
    n, leaf = len(first), width == 0
    breadth, length = (np.array(data.draw(st.lists(sizes, min_size=n, max_size=n)))
                       for _ in range(2))
    x, y = layout(first, width, breadth, length)
    boxes = [(u - b / 2, v, u + b / 2, v + max(h, 0.001))
             for u, v, b, h in zip(x, y, breadth, length)]
    for i, j in combinations(range(n), 2):
        if i not in ancestors(j, first, width):
            assert abs(x[i] - x[j]) >= (breadth[i] + breadth[j]) / 2 - 1e-6
    assert min(b[0] for b in boxes) > -1e-6 and len(set(y[leaf])) == 1
    for k in np.flatnonzero(width):
        family = range(first[k], first[k] + width[k])
        assert x[k] == pytest.approx((x[family[0]] + x[family[-1]]) / 2, abs=1e-6)
        assert np.all(np.diff(x[family]) > -1e-9)
        for c in family:
            assert y[c] == y[k] + length[k] if width[c] else y[c] >= y[k] + length[k] - 1e-9

def ancestors(k, first, width):
    parent = parents(first, width)
    while k > 0:
        k = parent[k]
        yield k

def test_single_node_and_deep_chains_without_recursion():
    assert layout([-1], [0], 3.0) == (1.5, 0)
    deep = tree([(-1, 2)] * 200)
    limit = sys.getrecursionlimit()
    frames, frame = 0, sys._getframe()
    while frame: frames, frame = frames + 1, frame.f_back
    sys.setrecursionlimit(frames + 60)
    try: x, y = layout(*deep)
    finally: sys.setrecursionlimit(limit)
    assert y.max() == 200 and len(np.unique(x[deep[1] == 0])) == 201
    text = svg(*deep, lambda k: [f"node {k}"], max_nodes=1000)
    assert text.count("<rect") == 401

@pytest.mark.parametrize("first, width, says", [
    ([1, -1, -1], [2, 0], "shapes"), ([], [], "shapes"), ([[1]], [[0]], "shapes"),
    ([0, -1], [1, 0], "larger numbers"),
    ([1, -1, 1], [2, 0, 1], "larger numbers"), ([1, -1, -1], [1, 0, 0], "no tree"),
    ([1, 2, -1], [2, 1, 0], "no tree"),
    ([2, -1, -1], [1, 0, 0], "no tree"), ([1, -1], [2, 0], "no tree"),
    ([1, -1], [-1, 0], "no tree")])
def test_what_is_no_tree(first, width, says):
    for f in (layout, lambda *a: top(*a, 9), lambda *a: svg(*a, lambda k: ["x"])):
        with pytest.raises(ValueError, match=says): f(first, width)

@given(trees, st.integers(0, 60))
def test_top(shape, most):
    first, width = shape
    kept, few_first, few_width, hidden = top(first, width, most)
    parent, few_parent = parents(first, width), parents(few_first, few_width)
    assert len(kept) <= max(1, most) and len(set(kept)) == len(kept) == len(few_first)
    assert len(kept) + sum(hidden) == len(first)
    for i in range(1, len(kept)): assert kept[few_parent[i]] == parent[kept[i]]
    for k, w in zip(kept, few_width): assert w in (0, width[k])
    if most >= len(first):
        assert (kept[0] == 0 and np.array_equal(np.sort(width[kept]), np.sort(width))
                and not any(hidden))

words_of_any_kind = st.lists(st.text(max_size=20).map(lambda s: " ".join(s.split())),
                             max_size=4) | st.just(["x"])

@settings(max_examples=60)
@given(trees, st.booleans(), st.booleans(), st.data())
def test_nothing_overlaps_in_a_picture(shape, lying, bars, data):
    first, width = shape
    n, parent = len(first), parents(*shape)
    words = [data.draw(words_of_any_kind) for _ in range(n)]
    labels = ["", *(data.draw(st.sampled_from(["", "no", "yes", "a longer value"]))
                    for _ in range(n - 1))]
    p = arrange(first, width, words, labels, np.ones((n, 3)) if bars else None, lying)
    boxes = [(x, y, x + w, y + h) for x, y, w, h in p.boxes]
    assert not any(meet(a, b, by=-0.3) for a, b in combinations(boxes, 2))
    assert all(inside(b, (0, 0, p.width, p.height)) for b in boxes)
    texts = [((x, y - 0.5, x + text_width(s), y + 0.5) if lying
              else (x - text_width(s) / 2, y - 0.5, x + text_width(s) / 2, y + 0.5))
             for x, y, s in p.texts]
    for t in texts: assert any(inside(t, b) for b in boxes) or not any(meet(t, b) for b in boxes)
    assert not any(meet(s, t) for s, t in combinations(texts, 2))
    pieces = [(min(a[0], b[0]) - 1e-3, min(a[1], b[1]) - 1e-3, max(a[0], b[0]) + 1e-3,
               max(a[1], b[1]) + 1e-3)
              for line in p.edges for a, b in zip(line, line[1:])]
    assert not any(meet(e, b, by=2e-3) for e in pieces for b in boxes)
    assert not any(meet(e, t, by=2e-3) for e in pieces for t in texts)
    children = [c for k in range(n) for c in range(first[k], first[k] + width[k])]
    family = [parent[c] for c, lines in zip(np.repeat(children, 2).astype(int), p.edges)
              for _ in lines[1:]]
    assert len(family) == len(pieces)
    assert not any(meet(d, e, by=2e-3)
                   for (d, i), (e, j) in combinations(zip(pieces, family), 2) if i != j)

def test_long_labels_find_room():
    first, width = tree([(0, 5)])
    for lying in (False, True):
        p = arrange(first, width, [["x"]] * 6, ["", *["a label that is longer"] * 5], None, lying)
        places = sorted((y, x) if lying else (x, y) for x, y, s in p.texts if s != "x")
        assert (np.diff(places, axis=0)[:, 0].min()
                > (1 if lying else text_width("a label that is longer")))

def test_bars_show_the_mix():
    first, width = tree([(0, 2), (0, 3)])
    mix = np.arange(len(first) * 4, dtype=float).reshape(-1, 4)
    for lying in (False, True):
        p = arrange(first, width, [["word"]] * len(first), [""] * len(first), mix, lying)
        for k, (x, y, w, h) in enumerate(p.boxes):
            mine = [b for b in p.bars if x < b[1] < x + w and y < b[2] < y + h]
            lengths = np.array([sum(b[3] for b in mine if b[0] == j) for j in range(4)])
            assert np.allclose(lengths / lengths.sum(), mix[k] / mix[k].sum(), atol=0.006)
            assert ([b[0] for b in mine] == sorted(b[0] for b in mine)
                    and max(b[1] + b[3] for b in mine) < x + w)
    shares = np.linspace(0, 1, len(first))[:, None]
    p = arrange(first, width, [["word"]] * len(first), [""] * len(first), shares)
    assert ([round(b[3], 6) for b in p.bars]
            == [round(s * (w - 0.7), 6) for (_, _, w, _), s in zip(p.boxes, shares[:, 0]) if s])

@settings(max_examples=60)
@given(trees, st.text(), st.text(), st.text())
def test_svg_survives_any_text(shape, word, label, title):
    text = svg(*shape, lambda k: [word, "a & b", word], edges=lambda k: label, title=title)
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("}svg") and root.get("role") == "img" and root.get("aria-label")
    tags = {e.tag.split("}")[1] for e in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "path", "rect", "text"}
    assert (len(root.findall(".//{*}rect")) == len(shape[0])
            and not re.search(r"href|url\(|@import|\bon\w+=",
                              re.sub(r">[^<]*<|aria-label=\"[^\"]*\"", "", text)))
    assert sum("a & b" in (e.text or "") for e in root.findall(".//{*}text")) == len(shape[0])
    _, _, W, H = map(float, root.get("viewBox").split())
    for r in root.findall(".//{*}rect"):
        x, y, w, h = (float(r.get(key)) for key in ("x", "y", "width", "height"))
        assert -1 <= x and x + w <= W - 4 and -1 <= y and y + h <= H - 4

def test_an_image_holds_the_drawing_and_its_name():
    drawing = svg(*grown(9), lambda k: ["a & b"], title='"<x>"')
    img = ElementTree.fromstring(image(drawing).replace(">", "/>").replace("//>", "/>"))
    root = ElementTree.fromstring(drawing)
    assert b64decode(img.get("src").removeprefix("data:image/svg+xml;base64,")).decode() == drawing
    assert (img.tag == "img" and img.get("alt") == root.get("aria-label")
            and img.get("style") == root.get("style"))
    assert float(img.get("width")) == float(root.get("viewBox").split()[2])
    assert drawing.count("background:#fff") == drawing.count("background:#111") == 1

def test_svg_is_deterministic_small_and_shows_the_top():
    first, width = grown(3000)
    words, labels, mix = dressed(first, width, classes=40)
    asked = []
    def lines(k): asked.append(k); return words[k]
    text = svg(first, width, lines, mix, labels.__getitem__)
    assert text == svg(first, width, words.__getitem__, mix, labels.__getitem__)
    assert text.count("<rect") == 127 == len(set(asked)) and len(text.encode()) < 200_000
    hidden = [int(n.replace(",", "")) for n in re.findall(r"… ([\d,]+) more", text)]
    assert (sum(hidden) + 127 == len(first)
            and "5,999 nodes, 3,000 of them leaves, 127 nodes drawn" in text)
    first, width = grown(500)
    huge = svg(first, width, lambda k: ["\U0001f333&" * 50] * 50, np.ones((len(first), 5000)),
               lambda k: "&" * 99, max_nodes=10_000)
    assert len(image(huge)) <= 200_000 and "<rect" in huge
    assert "5,000 more" in svg(*tree([(0, 5000)]), lambda k: ["many"])

def test_colour_is_never_alone():
    first, width = tree([(0, 2)])
    text = svg(first, width, lambda k: ["x"], np.ones((3, 9)))
    styles = re.findall(r'<path stroke="(#\w+)" stroke-width="6" stroke-dasharray="([^"]*)"', text)
    assert len(styles) == len(set(styles)) == 9
    two = re.findall(r'<path stroke="(#\w+)" stroke-width="6" stroke-dasharray="([^"]*)"',
                     svg(first, width, lambda k: ["x"], np.ones((3, 2))))
    assert [c for c, _ in two] == list(COLOURS[:2]) and two[0][1] != "none" == two[1][1]

def test_mix_is_checked():
    first, width = tree([(0, 2)])
    for mix in (np.ones(3), np.ones((2, 2)), np.ones((3, 0)), [[1, -1]] * 3, [[np.nan, 1]] * 3,
                [[np.inf, 1]] * 3, [[1.5]] * 3):
        with pytest.raises(ValueError, match="mix"): svg(first, width, lambda k: ["x"], mix)
    # a node that nobody reaches has no bar
    assert svg(first, width, lambda k: [], np.zeros((3, 2))).count("<rect") == 3

@pytest.mark.parametrize("leaves, height, width",
                         [(1, 2, 6), (2, 2.4, 6), (8, 3.6, 6), (20, 6, 6), (60, 10, 10),
                          (60, 3.6, 6)])
@pytest.mark.parametrize("classes", [1, 2, 5])
def test_draw_overlaps_nothing(leaves, height, width, classes):
    shape = grown(leaves, seed=leaves)
    words, labels, mix = dressed(*shape, classes)
    if classes == 1: mix = mix / mix.max()
    ax = axes(height=height, width=width)
    try:
        draw(ax, *shape, words.__getitem__, mix, labels.__getitem__)
        ax.figure.set_dpi(200)
        ax.figure.canvas.draw()
        renderer = ax.figure.canvas.get_renderer()
        page = ax.figure.bbox.extents
        texts = [t.get_tightbbox(renderer).extents for t in ax.texts]
        outlines = max(ax.lines, key=lambda line: np.isnan(line.get_xydata()[:, 0]).sum()
                       if len(line.get_xydata()) == 6 * len(shape[0]) else -1)
        corners = ax.transData.transform(outlines.get_xydata()).reshape(len(shape[0]), 6, 2)[:, :5]
        boxes = [(*c.min(axis=0), *c.max(axis=0)) for c in corners]
        assert all(inside(b, page, by=1) for b in boxes)
        assert not any(meet(s, t, by=0.1) for s, t in combinations(texts, 2))
        assert not any(meet(a, b, by=0.1) for a, b in combinations(boxes, 2))
        for t in texts:
            assert (any(inside(t, b, by=0.5) for b in boxes)
                    or not any(meet(t, b, by=0.5) for b in boxes))
        firsts = {word for lines in words for word in lines[0].split()}
        kept = {word for t in ax.texts for word in t.get_text().split()}
        assert firsts <= kept, "questions and classes are kept to the last"
        size = {t.get_size() for t in ax.texts}
        assert (len(size) == 1 and max(size) <= 10
                and min(size) >= (1 if (leaves, height) == (60, 3.6) else 4.5))
    finally: plt.close(ax.figure)

def test_draw_keeps_dollars_and_fits_subfigures():
    figure = plt.figure(figsize=(8, 3), layout="constrained")
    try:
        one, two = figure.subfigures(1, 2)
        for part in (one, two):
            draw(part.subplots(), *tree([(0, 2)]), lambda k: ["$x_1$ & <y>"], edges=lambda k: "no")
        assert all(not t.get_parse_math() for part in (one, two) for t in part.axes[0].texts)
        figure.canvas.draw()
    finally: plt.close(figure)

def chain(leaves):
    "As deep as it has leaves."
    width = np.array([2] + [2, 0] * (leaves - 2) + [0, 0])
    return np.where(width > 0, 1 + np.cumsum(width) - width, -1), width

@pytest.mark.parametrize("shape", [grown(2), grown(5, 1), grown(12, 2), grown(40, 3), chain(6),
                                   chain(25), chain(60), tree([(0, 12)])],
                         ids=["stump", "five", "dozen", "forty", "chain6", "chain25",
                              "chain60", "wide"])
@pytest.mark.parametrize("classes", [1, 3])
def test_a_figure_of_its_own_is_filled(shape, classes):
    "By the boxes, from edge to edge, and as large as the tree; no larger than a sheet."
    words, labels, mix = dressed(*shape, classes)
    ax = drawn(None, *shape, words.__getitem__, mix / mix.max() if classes == 1 else mix,
               labels.__getitem__)
    try:
        size, points = (ax.figure.get_size_inches(),
                        np.concatenate([line.get_xydata() for line in ax.lines]))
        inches = ax.transData.transform(points) / ax.figure.dpi
        low, high = np.nanmin(inches, axis=0), np.nanmax(inches, axis=0)
        assert (low >= 0).all() and (high <= size).all() and (size <= SHEET).all(), (
            low, high, size)
        assert (size - (high - low) < 0.4).all(), (size, high - low)            # the margins
        letters = {t.get_size() for t in ax.texts}
        assert (len(letters) == 1 and (min(letters) > 8 or (size > 0.9 * np.array(SHEET)).any())
                and max(letters) <= 9)
    finally: plt.close(ax.figure)

def test_trees_and_traces_fill_their_figures():
    X = np.random.default_rng(0).random((300, 3))
    model = CARTClassifier(max_leaf_nodes=20).fit(X, X[:, 0] > X[:, 1])
    own = [shown.draw()
           for shown in (model.tree_, CARTClassifier(max_depth=1).fit(X, X[:, 0] > 0.5).tree_,
                         cost_complexity_pruning(model, 0.01).trace)]
    sizes = [ax.figure.get_size_inches() for ax in own]
    assert ((sizes[0] > 2 * sizes[1]).all() and (sizes[2] > sizes[1]).all()
            and len({t.get_text() for t in model.tree_.draw(max_nodes=3).texts})
            < len(own[0].texts))
    ax = axes(height=1)
    assert model.tree_.draw(ax) is ax
    plt.close("all")

names = st.text(min_size=1, max_size=80).filter(str.strip)

@given(names, st.floats(allow_nan=False) | st.sampled_from([-1.23456e-100, 1e300, 123456.7]),
       st.integers(2, 4))
def test_a_question_keeps_its_test(name, t, ways):
    "However long the name is, the threshold is read; and every name keeps its beginning."
    schema = Schema((name, name), (None, ("a",) * ways), (("no", "yes"),), "gini")
    one = Tree.of(schema, [0, -2, -2], [t, 0, 0], [1, -1, -1], np.ones((3, 2)))
    which = Tree.of(schema, [1] + [-2] * ways, [np.nan] * (1 + ways), [1] + [-1] * ways,
                    np.ones((1 + ways, 2)), width=[ways] + [0] * ways, start=[0] + [-1] * ways,
                    branch=range(ways))
    said = one_line(lines(one, 0)[0])
    if t > -np.inf:                                             # and -0.0 is told as 0
        assert (said.endswith((f">= {short(t + 0.0)}?", f"> {short(np.nextafter(t, -np.inf))}?"))
                and len(said) <= LONGEST)
    for words in (lines(one, 0)[0], lines(which, 0)[0]):
        assert words.startswith(name[:7]) and ("…" in words[7:] or name in words)
    assert (name in lines(one, 0, np.inf)[0] and lines(which, 0, np.inf)
            == [f"{name}?" if ways != 2 else lines(which, 0, np.inf)[0], lines(which, 0)[1]])
    if set(name) <= set("abc xyz"): assert name in one.dot()

def test_a_long_name_in_every_picture():
    "On the page, on axes, in the steps and in a trace."
    name = "the number of years of education that the eldest person in the household has completed"
    tree = Tree.of(Schema((name,), (None,), (("no", "yes"),), "gini"), [0, 0, -2, -2, -2],
                   [-1.23457e-05, 12.5, 0, 0, 0], [1, 3, -1, -1, -1],
                   np.ones((5, 2)) * [[4], [3], [1], [2], [1]])
    drawings = [tree._repr_html_(), PruningPlayer(tree)._repr_html_(),
                cost_complexity_pruning(tree, 0).trace._repr_html_()]
    for page in drawings:
        said = b64decode(re.search("base64,([^\"]*)", page)[1]).decode()
        assert "… &gt;= -1.23457e-05?" in said and "… &gt;= 12.5?" in said
    assert [sum(v in t.get_text() for v in ("-1.23457e-05?", "12.5?") for t in x.draw().texts)
            for x in (tree, cost_complexity_pruning(tree, 0).trace)] == [2, 2]
    assert (name in tree.dot() and name in tree.text()
            and "-1.23457e-05?" in str(PruningPlayer(tree)))
    plt.close("all")

def brightness(colour):
    "How much light comes from a colour, as WCAG counts it."
    v = np.array(colour)
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055)**2.4) @ [0.2126, 0.7152, 0.0722]

@pytest.mark.parametrize("ground, least", [("#ffffff", 3.4), ("#0d1117", 2.9)])
def test_the_ink_of_day_and_night_is_read_on_a_fill(ground, least):
    ink, ground = np.array(to_rgb(INK)), np.array(to_rgb(ground))
    for colour in COLOURS:
        fill = PALE * np.array(to_rgb(colour)) + (1 - PALE) * ground
        dark, light = sorted((brightness(ink), brightness(fill)))
        assert (light + 0.05) / (dark + 0.05) > least, colour

def test_a_text_is_as_wide_in_every_python():
    "Built-in sums of floats are not: they make up for rounding since 3.12."
    for n in range(1, 60):
        for text in ("0" * n, "il" * n, "A tree of 7 nodes, "[:n] * 3):
            assert text_width(text) == float(sum(Fraction(WIDTH[c]) for c in text))

def mixed_rows(n=1500):
    "A table of numbers and of categories, with many of one, as a tree takes it."
    rng = np.random.default_rng(0)
    kinds = tuple(f"kind {c}" for c in range(20))
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 20, n), rng.integers(0, 9, n)])
    y = ((X[:, 0] > 0) ^ (X[:, 1] % 3 > 0) ^ (rng.random(n) < 0.3)).astype(int)
    schema = Schema(("size", "sort", "age"), (None, kinds, None), (("no", "yes"),), "gini")
    return X, y, schema

def drawn_parts(ax):
    "The boxes, the texts and the histograms of a picture, in pixels."
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    texts = [t.get_tightbbox(renderer).extents for t in ax.texts]
    frames = [ax.transData.transform(line.get_xydata()) for line in ax.lines]
    closed = [corners[i:i + 5] for corners in frames for i in range(0, len(corners), 6)
              if len(corners) % 6 == 0 and np.allclose(corners[i], corners[i + 4])]
    return [(*c.min(axis=0), *c.max(axis=0)) for c in closed], texts

@pytest.mark.parametrize("leaves", [7, 31, 127])
@pytest.mark.parametrize("size", [None, (6, 4)])
def test_a_tree_with_rows_can_be_read_or_is_an_icicle(leaves, size):
    X, y, schema = mixed_rows()
    tree = grow(X, y, criterion="gini", max_leaf_nodes=leaves, schema=schema)
    assert tree.n_leaves == leaves
    ax = tree.draw(None if size is None else axes(size[1], size[0]), X=X.view(Codes),
                   y=[("no", "yes")[k] for k in y])
    try:
        boxes, texts = drawn_parts(ax)
        hanging = not any(t.get_text() == "yes" for t in ax.texts[:-2])
        assert min(t.get_size() for t in ax.texts) >= 5 and (leaves > 7 or not hanging)
        assert not any(meet(a, b, by=0.1) for a, b in combinations(boxes, 2))
        assert not any(meet(a, b, by=0.1) for a, b in combinations(texts, 2))
        if not hanging: assert len(boxes) == tree.node_count
    finally: plt.close(ax.figure)

def test_histograms_show_each_row_on_its_side():
    X, y, schema = mixed_rows()
    tree = grow(X, y, criterion="gini", max_depth=3, schema=schema)
    labels = np.array(["no", "yes"])[y]
    charts = overlay(tree, X.view(Codes), labels)["pictures"]
    kinds = set()
    for k in np.flatnonzero(tree.width).tolist():
        chart, seen = charts[k], set()
        kinds.add("labels" in chart)
        if "labels" in chart:
            rows = category_rows(chart)
            assert np.array_equal(sum(counts for _, counts, _ in rows), tree.counts[k, 0])
            assert len(rows) <= 6 and ("more" in rows[-1][0]) == (rows[-1][2] is None)
            for name, counts, way in rows:
                if way is None: continue
                code = schema.categories[1].index(name)
                assert way == tree.branch[tree.start[k] + code]
                seen.add(way)
            assert seen == {0, 1} or len(rows) == 6
        else:
            below = round(chart["cut"] * len(chart["bins"]))
            assert np.array_equal(np.sum(chart["bins"][:below], axis=0),
                                  tree.counts[tree.first[k], 0])
    assert kinds == {True, False}
    ax = tree.draw(X=X.view(Codes), y=labels, max_depth=1)
    said = [t.get_text() for t in ax.texts]
    assert sum("more" in s for s in said) >= 2 and len(drawn_parts(ax)[0]) == 3
    assert len(tree.draw(max_depth=1).lines) < len(ax.lines)     # the root has a histogram
    with pytest.raises(ValueError, match="y requires X"): tree.draw(y=labels)
    with pytest.raises(TypeError, match="not 'x.svg': to save a picture, write draw.*savefig"):
        tree.draw("x.svg")
    plt.close("all")

def test_a_regression_shows_dots():
    x = np.random.default_rng(0).random((90, 1))
    tree = grow(x, x[:, 0]**2, criterion="squared_error", max_depth=1)
    ax, plain = tree.draw(X=x, y=x[:, 0]**2), tree.draw(X=x)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert len(dots) == 60 and not [line for line in plain.lines if line.get_marker() == "o"]
    plt.close("all")
