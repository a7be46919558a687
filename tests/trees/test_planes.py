"""The plane beside the tree: each point is drawn in the leaf where the library sends it, and what
is said is what the library says."""
import re
from importlib.resources import files

import numpy as np
import pytest
from dtree_lit import CARTClassifier, CARTRegressor, PlaneExplorer
from dtree_lit.trees.planes import MOST_LEAVES, MOST_ROWS, to_depth
from dtree_lit.trees.words import in_words, verdict
from dtree_lit.trees.nodes import region
from sklearn.datasets import load_iris
from helpers.browsing import opened
from helpers.pages_in_html import NAMES, Elements

def halves(X, y):
    odd = np.arange(len(y)) % 2 == 1
    return X[~odd], y[~odd], X[odd], y[odd]

def explored(X, y):
    "The explorer of the whole tree of every other row."
    rows = halves(X, y)
    Estimator = CARTRegressor if y.dtype.kind == "f" else CARTClassifier
    return PlaneExplorer(Estimator().fit(*rows[:2]), *rows)

def irises():
    iris = load_iris()
    return iris.data[:, [0, 3]], iris.target_names[iris.target]

def wave(n=80):
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, n))
    return x[:, None], np.sin(x) + rng.normal(0, 0.2, n)

def page_of(folder, *explorers):
    page = folder / "page.html"
    page.write_text("<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-"
                    "width'><link rel=icon href=data:,><body>"
                    + "".join(e._repr_html_() for e in explorers), "utf-8")
    return page.as_uri()

# ---- the boxes are those of the library

def random_case(seed):
    "A tree, and points on its thresholds, beside them and elsewhere."
    rng = np.random.default_rng(seed)
    m = 1 + seed % 2
    X = (rng.integers(0, 9, (40, m)).astype(float) if seed % 3 else
         rng.normal(size=(40, m)) * 10.0**rng.integers(-8, 9))
    y = rng.integers(0, 3, 40).astype(float) if m == 1 else rng.integers(0, 3, 40)
    Estimator, sides = (CARTRegressor if m == 1 else CARTClassifier), []
    tree = Estimator().fit(X, y).tree_
    for f in range(m):
        t = tree.t[tree.feature == f]
        sides.append(np.concatenate([t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf),
                                     X[:, f], [X.min() - 1, X.max() + 1]]))
    points = np.stack([rng.choice(side, 80) for side in sides], axis=1)
    small = [Estimator(max_depth=d).fit(X, y).tree_ for d in range(1, tree.max_depth + 1)]
    return tree, small, points

def test_a_point_is_in_the_box_of_its_leaf(browser, tmp_path):
    "At each depth, in the walk of the script and in its boxes, on thresholds and beside them."
    cases, expected = [], []
    for seed in range(12):
        tree, models, points = random_case(seed)
        ends = [np.zeros(len(points), int), *(small.apply(points) for small in models)]
        told = dict(first=tree.first.tolist(), feature=tree.feature.tolist(),
                    t=[None if np.isnan(t) else t for t in tree.t], depth=tree.depth.tolist())
        cases.append(dict(tree=told, points=points.tolist(), deepest=len(models)))
        expected.append([end.tolist() for end in ends])
        assert all(to_depth(tree, d) == small for d, small in enumerate(models, 1))
    script = "".join((files("dtree_lit") / "data" / f"{name}.js").read_text("utf-8")
                     for name in ("hands", "plane"))
    ask = f"""cases => {{ {script}
      const walks = [], found = [];
      for (const {{ tree, points, deepest }} of cases) {{
        const depths = Array.from({{ length: deepest + 1 }}, (_, d) => d);
        walks.push(depths.map(d => points.map(x => endOf(x, tree, d))));
        found.push(depths.map(d => {{
          const boxes = [...boxesOf(tree, d)].filter(([k]) => tree.first[k] < 0 || tree.depth[k] === d);
          const holds = (x, box) => x.every((v, f) => box[f][0] <= v && v < box[f][1]);
          return points.map(x => boxes.filter(([, box]) => holds(x, box)).map(([k]) => k));
        }}));
      }}
      return [walks, found]; }}"""
    with opened(browser, page_of(tmp_path)) as (tab, said): walks, found = tab.evaluate(ask, cases)
    assert not said and walks == expected
    assert found == [[[[k] for k in end] for end in ends] for ends in expected]
    assert max(len(ends) for ends in expected) > 6

# ---- what is shown, by mouse, by keys and by touch

def test_each_region_with_room_has_its_number_over_the_marks(browser, tmp_path):
    explorer = explored(*irises())
    with opened(browser, page_of(tmp_path, explorer)) as (tab, said):
        figure = tab.locator(".dtree-plane")
        figure.get_by_role("slider").press("End")
        numbers, room = figure.locator(".plane .number"), figure.locator(".region").evaluate_all(
            """all => all.filter(r => r.width.baseVal.value > 9 * r.dataset.node.length
                && r.height.baseVal.value > 12).map(r => r.dataset.node)""")
        assert len(room) > 4 and {*room} <= {*numbers.all_text_contents()}
        for number in numbers.all():
            look = number.evaluate("""e => [getComputedStyle(e).paintOrder.split(" ")[0],
                e.compareDocumentPosition(document.querySelector(".plane .ring")) & 2]""")
            assert look == ["stroke", 2]                          # the ring comes before it
    assert not said

def test_depth_by_depth_what_is_said_is_what_the_library_says(browser, tmp_path):
    plane, line = explored(*irises()), explored(*wave())
    with opened(browser, page_of(tmp_path, plane, line)) as (tab, said):
        for figure, explorer in zip(tab.locator(".dtree-plane").all(), (plane, line)):
            tree, (few, held) = explorer.tree, explorer.rows
            state, slider = figure.locator(".state").inner_text, figure.get_by_role("slider")
            assert f"Depth {explorer.best}," in state() and state().endswith("the lowest.")
            slider.press("Home")
            for depth in range(tree.max_depth + 1):
                model = to_depth(tree, depth)
                if explorer is plane:
                    wrong = [int((model.codes[model.apply(X), 0] != y).sum())
                             for X, y in (few, held)]
                    errors = "Errors: {} of 75 on training rows, {} of 75 on held-out rows".format(
                        *wrong)
                    assert figure.locator(".plane .ring").get_attribute("d").count("M") == wrong[0]
                else:
                    errors = "error: {:.4g} on training rows, {:.4g} on held-out rows".format(
                        *explorer.losses[:, depth])
                assert state().startswith(f"Depth {depth}, {model.n_leaves} lea")
                assert errors in state() or explorer.losses[0, depth] < 1e-4
                shown = figure.locator(".region").evaluate_all(
                    "all => all.map(r => +r.dataset.node)")
                assert sorted(shown) == model.leaves.tolist()
                assert figure.get_by_role("treeitem").count() == model.node_count
                slider.press("ArrowRight")
        figure = tab.locator(".dtree-plane").first
        figure.get_by_role("combobox").select_option("held-out rows")
        assert figure.locator(".plane .ring").get_attribute("d").count("M") == 9
    assert not said

def lit(figure):
    "The node that is lit in the tree, and the box that is lit in the plane."
    node = figure.locator("[aria-selected=true]").get_attribute("data-node")
    return int(node), figure.locator(".glow").evaluate(BOX)

BOX = "e => ['x', 'y', 'width', 'height'].map(a => e.getAttribute(a))"
def box_of_region(figure, k):
    return figure.locator(f".region[data-node='{k}']").evaluate(BOX)

def test_leaf_and_region_light_up_together(browser, tmp_path):
    explorer = explored(*irises())
    tree = to_depth(explorer.tree, 2)
    with opened(browser, page_of(tmp_path, explorer), reduced_motion="reduce") as (tab, said):
        figure = tab.locator(".dtree-plane")
        about = figure.locator(".about").inner_text
        for k in tree.leaves.tolist():
            for side in (f".region[data-node='{k}']", f"g[data-node='{k}']"):
                tab.mouse.move(1, 1)
                figure.locator(side).hover(position=dict(x=8, y=6))
                assert lit(figure) == (k, box_of_region(figure, k)), side
                where = in_words(tree.schema, region(tree, k))
                assert about() == f"leaf {k}: {where}: {verdict(tree, k)}"
        crown, ground = figure.get_by_role("tree"), figure.get_by_role("group")
        for keys, k in [("Home", 1), ("ArrowRight", 3), ("ArrowRight", 4), ("ArrowRight", 4),
                        ("ArrowUp", 2), ("ArrowUp", 0), ("ArrowDown", 1), ("End", 4),
                        ("ArrowLeft", 3), ("ArrowDown", 3)]:
            crown.press(keys)
            assert lit(figure)[0] == k and f" {k}: " in about(), keys
            assert crown.get_attribute("aria-activedescendant").endswith(f"-node-{k}")
        for keys, k in [("ArrowUp", 4), ("ArrowUp", 4), ("ArrowDown", 3), ("ArrowDown", 1),
                        ("ArrowLeft", 1)]:
            ground.press(keys)
            assert lit(figure) == (k, box_of_region(figure, k)), keys
        crown.press("ArrowUp")                     # the root: its box is the whole plane
        assert lit(figure)[1][2:] == ["310", "300"]
        crown.press("End")
        for depth, k in ((1, 2), (0, 0)):          # what is no longer there gives its place away
            figure.get_by_role("slider").press("ArrowLeft")
            assert lit(figure)[0] == k
        board = figure.locator(".board").bounding_box()
        tab.mouse.move(board["x"] + 0.3 * board["width"], board["y"] + 30)
        tab.mouse.down()
        tab.mouse.move(board["x"] + board["width"] - 3, board["y"] + 30)
        tab.mouse.up()
        assert figure.locator(".state").inner_text().startswith("Depth 4,")
        reached = figure.locator("[tabindex], input, select").evaluate_all(
            "all => all.map(e => e.dataset.lmSuppressShortcuts)")
        assert reached == ["true"] * 4             # else JupyterLab takes the keys
    assert not said

def test_on_a_phone_the_plane_stands_above_the_tree(browser, tmp_path):
    with opened(browser, page_of(tmp_path, explored(*irises()), explored(*wave())),
                has_touch=True) as (tab, said):
        tab.set_viewport_size(dict(width=390, height=844))
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        for figure in tab.locator(".dtree-plane").all():
            ground, crown, board = (figure.locator(f".{name}").bounding_box()
                                    for name in ("plane", "tree", "board"))
            assert ground["y"] + ground["height"] <= crown["y"] < board["y"]
            assert ground["width"] > 340
            for item in (figure.get_by_role("treeitem").last, figure.locator(".region").first):
                item.tap()
                k = int(item.get_attribute("data-node"))
                assert lit(figure) == (k, box_of_region(figure, k))
            letters = figure.locator("text").evaluate_all(
                """all => all.map(t => t.getBoundingClientRect())
                             .map(b => Math.max(b.width, b.height))""")
            assert min(letters) > 8
    assert not said

def test_nothing_in_the_tree_overlaps(browser, tmp_path):
    "Boxes of nodes, at each depth, and their texts inside them."
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 2)).round(2)
    y = np.where((X.sum(axis=1) > 0) ^ (rng.random(300) < 0.2), "up", "down")
    with opened(browser, page_of(tmp_path, explored(X, y), explored(*wave()))) as (tab, said):
        for figure in tab.locator(".dtree-plane").all():
            for _ in range(8):
                bad = figure.get_by_role("tree").evaluate("""tree => {
                  const boxes = [...tree.querySelectorAll("g")].map(g => [g.querySelector("rect").getBoundingClientRect(), [...g.querySelectorAll("text")].map(t => t.getBoundingClientRect())]);
                  const meet = (a, b) => a.left < b.right - 0.1 && b.left < a.right - 0.1 && a.top < b.bottom - 0.1 && b.top < a.bottom - 0.1;
                  const out = boxes.flatMap(([box, texts]) => texts.filter(t => t.left < box.left - 1 || t.right > box.right + 1));
                  return out.length + boxes.filter(([a], i) => boxes.some(([b], j) => i < j && meet(a, b))).length; }""")
                assert bad == 0
                figure.get_by_role("slider").press("ArrowRight")
    assert not said

# ---- the page

def test_without_a_script_there_is_a_picture(browser, tmp_path):
    explorer = explored(*irises())
    page = page_of(tmp_path, explorer)
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(page)
        alt = tab.locator(".dtree-plane img").evaluate_all("all => all.map(i => [i.alt, i.width])")
    assert [name.split(",")[0] for name, _ in alt] == [
        "x0 and x1", "Tree of depth 2 with 5 nodes"] and min(wide for _, wide in alt) > 100
    assert explorer.best == 2 and repr(explorer).endswith("on held-out rows at depth 2")

@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_a_name(name):
    X, y = irises()
    rows = halves(X, np.char.add(name, y))
    tree = CARTClassifier(max_depth=2).fit(*rows[:2]).tree_
    tree = tree._replace(schema=tree.schema._replace(features=(name, "x")))
    page = PlaneExplorer(tree, *rows)._repr_html_()
    elements = Elements(page)
    assert [tag for tag, _ in elements.found] == ["style", "figure", "div", "div", "img", "div",
                                                  "img", "p", "script"]
    assert page.count("<script") == page.count("</script>") == 1

def test_the_largest_is_small_and_what_is_larger_is_refused():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2 * MOST_ROWS, 2)), rng.integers(0, 3, 2 * MOST_ROWS).astype(str)
    rows = halves(X, y)
    model = CARTClassifier(max_leaf_nodes=MOST_LEAVES).fit(*rows[:2])
    assert model.tree_.n_leaves == MOST_LEAVES
    assert len(PlaneExplorer(model, *rows)._repr_html_().encode()) < 200_000
    many = rng.integers(0, 10, MOST_ROWS).astype(str)
    gaps = rows[0].copy()
    gaps[0] = np.nan
    for others, says in [
            ((CARTClassifier().fit(X[:, :1], y), X[:1], y[:1]), "predicts classes from 1 features"),
            ((CARTRegressor().fit(X, X[:, 0]), X, X[:, 0]), "predicts numbers from 2 features"),
            ((CARTClassifier().fit(*rows[:2]), *rows[:2]), "more than 128: set max_depth"),
            ((CARTClassifier(max_depth=2).fit(rows[0], many), *rows[:2]), "10 classes, more"),
            ((CARTClassifier(max_depth=1).fit([[np.nan, 0], [1, 0]], [0, 1]), *rows[:2]),
             "does not test x >= t"),
            ((model, X, y), "X has 800 rows"), ((model.tree_, X[:0], y[:0]), "X has 0 rows"),
            ((model, gaps, rows[1]), "missing or infinite"),
            ((model, *rows[:1], many), "y has '[3-9]', and the classes are 0, 1, 2"),
            (("tree", *rows[:2]), "expected a Tree")]:
        with pytest.raises(ValueError, match=says): PlaneExplorer(*others, *rows[2:])

def test_the_losses_are_those_of_smaller_trees():
    for X, y in (irises(), wave()):
        rows = halves(X, y)
        Estimator = CARTRegressor if y.dtype.kind == "f" else CARTClassifier
        explorer = PlaneExplorer(Estimator().fit(*rows[:2]), *rows)
        for depth in range(1, explorer.tree.max_depth + 1):
            model = Estimator(max_depth=depth).fit(*rows[:2])
            for losses, X_, y_ in zip(explorer.losses, rows[::2], rows[1::2]):
                said = model.predict(X_)
                assert losses[depth] == pytest.approx(
                    ((said - y_)**2).mean() if Estimator is CARTRegressor else (said != y_).mean())
