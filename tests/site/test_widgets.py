"Figures in which a reader chooses and drags: by mouse, finger and keys; the numbers are Python's."
import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, GainExplorer, GainPlot, PruningPlayer, SplitExplorer,
                       entropy, gain, gain_ratio, gini_gain, reduced_error_pruning, split_choices)
from dtree_lit.trees.steps import states
from helpers.browsing import opened
from helpers.pages_in_html import drawing
from helpers.places import ROOT

PHONE = dict(width=390, height=844)

def written(path, figure):
    "The address of a page with this figure."
    path.write_text("<!doctype html><meta charset=utf-8><meta name=viewport content=width=device-"
                    f"width><link rel=icon href=data:,><body>{figure._repr_html_()}", "utf-8")
    return path.as_uri()

@pytest.fixture(scope="session")
def chosen_from():
    "A pruned tree whose splits can be chosen, of the mornings; and its choices."
    days = pd.read_csv(ROOT / "nbs/data/mornings.csv")
    X, y = days.drop(columns="play"), days["play"]
    model = CARTClassifier().fit(X, y)
    choices = split_choices(model, X, y)
    pruned = reduced_error_pruning(model, X[:6], y[:6])
    return [PruningPlayer(model, {"pruned": pruned}, some) for some in (None, choices)]

@pytest.fixture
def choosing_page(chosen_from, tmp_path):
    "The address of a page where splits are chosen."
    return written(tmp_path / "choosing.html", chosen_from[1])

def test_a_reader_chooses_before_the_step_is_seen(browser, chosen_from, choosing_page):
    player = chosen_from[1]
    grown, pruned = player.histories(np.flatnonzero(player.tree.width))
    steps = grown + pruned["pruned"]
    def classes(i): return states(player.tree, steps[:i]) * 2     # of edges, and of boxes
    with opened(browser, choosing_page, has_touch=True, reduced_motion="reduce") as (tab, said):
        figure = tab.locator(".dtree-steps")
        state, slider = figure.locator(".state").inner_text, figure.get_by_role("slider")
        offers = figure.locator(".choices button:not(.answer):visible")
        words = lambda: [name.split()[0] for name in figure.locator("g[data-node]").evaluate_all(
            "gs => gs.map(g => g.getAttribute('class'))")]
        shown = lambda: figure.locator("svg text").evaluate_all(
            "ts => ts.filter(t => t.textContent && getComputedStyle(t).visibility === 'visible')"
            ".map(t => t.textContent)")
        ways = [lambda j: offers.nth(j).click(), lambda j: offers.nth(j).tap(),
                lambda j: offers.nth(j).press("Enter"), lambda j: offers.nth(j).press("Space")]
        for i, step in enumerate(grown):
            if step.node not in player.choices: continue    # one split only is possible
            (asked, some, _), k = player.choices[step.node], step.node
            slider.evaluate(f"s => {{ s.value = {i + 1}; s.dispatchEvent(new Event('input')) }}")
            # the split is not seen before it is chosen, nor what comes later
            assert state() == f"{i + 1} of {len(steps)} · {asked}"
            assert words() == classes(i)
            assert offers.all_text_contents() == [c.split for c in some]
            assert i or shown() == ["yes, 9 of 14"]
            j = i % len(some)
            ways[i % 4](j)
            assert state() == f"{i + 1} of {len(steps)} · {player.choices[k].sentence(some[j])}"
            assert words() == classes(i + 1)
            bars = [b.bounding_box()["width"] for b in offers.locator("i").all()]
            most = max(c.worth for c in some)
            for c, b, text in zip(some, bars, offers.all_text_contents()):
                assert abs(b / max(bars) - c.worth / most) < 0.02
                marks = " ◆ algorithm" * c.taken + " ● you" * (c is some[j])
                assert text == c.split + c.said + marks
        assert any("That is a tie" in player.choices[k].sentence(c)
                   for k in player.choices for c in player.choices[k].offers)
        # what was chosen stays, whatever is pressed
        told = state()
        offers.nth(0).click(force=True)
        assert state() == told
        slider.press("Home")
        assert state().startswith("0 of") and offers.count() == 0
        slider.press("ArrowRight")
        assert state().startswith("1 of") and offers.nth(0).get_attribute("aria-disabled") == "true"
        slider.press("End")
        assert words() == classes(len(steps)) and offers.count() == 0
    assert not said

def test_the_answer_can_be_seen_without_choosing(browser, chosen_from, choosing_page):
    player = chosen_from[1]
    with opened(browser, choosing_page) as (tab, said):
        figure = tab.locator(".dtree-steps")
        state = figure.locator(".state")
        answer = figure.get_by_role("button", name="show the answer")
        assert state.inner_text().startswith("1 of")
        assert state.get_attribute("aria-live") == "polite"
        place = figure.locator("svg").bounding_box()["y"]
        answer.press("Enter")
        assert state.inner_text().endswith(player.choices[0].sentence())
        assert answer.count() == 0 and "● you" not in figure.inner_text()
        # nothing moves, and a step that was passed over is still to be chosen
        assert figure.locator("svg").bounding_box()["y"] == place
        for _ in range(2): figure.get_by_role("button", name="forward").click()
        assert figure.locator("svg").bounding_box()["y"] == place
        figure.get_by_role("button", name="back").click()
        assert answer.count() == 1
        assert figure.locator("[data-lm-suppress-shortcuts]").count() == figure.locator(
            "button, input").count()                    # JupyterLab leaves the keys to them
    assert not said

def test_choices_without_a_script_and_on_a_phone(browser, chosen_from, choosing_page):
    assert len({drawing(player._repr_html_()) for player in chosen_from}) == 1
    with opened(browser, choosing_page) as (tab, said):
        tab.set_viewport_size(PHONE)
        for button in tab.locator(".choices button:visible").all():
            box = button.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] >= 24
        tab.locator(".choices button:visible").nth(1).click()
        assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not said

def told_gain(parts):
    "What is said below the two boxes, by the library."
    node, left = np.sum(parts, axis=0), [sum(part) * entropy(part) for part in parts]
    return (f"Entropy {entropy(node):.3f} before, {sum(left) / node.sum():.3f} on average after: "
            f"gain {gain(parts):.3f} bit. Gini gain {gini_gain(parts):.3f}; "
            f"gain ratio {gain_ratio(parts):.3f}.")

@pytest.fixture
def boxes(browser, tmp_path):
    "Two boxes of marks, the page, and how many marks of each kind are in each box."
    address = written(tmp_path / "boxes.html", GainExplorer([[11, 9], [9, 11]]))
    with opened(browser, address, has_touch=True, reduced_motion="reduce") as (tab, said):
        figure = tab.locator(".dtree-boxes")
        def counts(): return [[box.locator(f".{kind}").count() for kind in ("negative", "positive")]
                              for box in figure.locator(".box").all()]
        yield figure, tab, counts
    assert not said

def test_a_bad_split_becomes_a_good_one_mark_by_mark(boxes):
    figure, tab, counts = boxes
    state, parts = figure.locator(".state").inner_text, [[11, 9], [9, 11]]
    left, right = figure.locator(".box").all()
    assert "gain 0.007 bit" in state() and state() == told_gain(parts)
    for turn in range(8):
        for box, j, kind, k in ((left, 0, "positive", 1), (right, 1, "negative", 0)):
            mark = box.locator(f".{kind}").first
            mark.press("Enter") if turn % 2 else mark.click()
            parts[j][k], parts[1 - j][k] = parts[j][k] - 1, parts[1 - j][k] + 1
            assert state() == told_gain(parts)
    assert counts() == parts and figure.locator(".boxes p").all_text_contents() == [
        f"{a} negative, {b} positive: entropy {entropy([a, b]):.3f}" for a, b in parts]
    assert parts == [[19, 1], [1, 19]] and "gain 0.714 bit" in state()
    bar = [part.bounding_box()["width"] for part in figure.locator(".bar > *").all()]
    assert abs(bar[1] / sum(bar) - gain(parts)) < 0.01
    figure.get_by_role("button", name="start again").press("Space")
    assert counts() == [[11, 9], [9, 11]]

def test_marks_go_wherever_they_are_moved(boxes):
    figure, tab, counts = boxes
    rng, parts = np.random.default_rng(0), np.array([[11, 9], [9, 11]])
    moves, right = [], []
    for _ in range(60):                                 # one move after the other
        j, k = np.argwhere(parts > 0)[rng.integers((parts > 0).sum())].tolist()
        parts[j, k], parts[1 - j, k] = parts[j, k] - 1, parts[1 - j, k] + 1
        moves.append([j, ("negative", "positive")[k]]), right.append(told_gain(parts.tolist()))
    assert figure.evaluate("""(f, moves) => moves.map(([j, kind]) => {
        f.querySelectorAll(".box")[j].querySelector("." + kind).click();
        return f.querySelector(".state").textContent; })""", moves) == right
    for box in (0, 1):                                  # until one of them is empty
        figure.evaluate("(f, j) => { for (let b; b = f.querySelectorAll('.box')[j].firstChild;)"
                        " b.click() }", box)
        assert "empty" in figure.inner_text() and "gain 0.000 bit" in figure.inner_text()
        assert "gain ratio 0.000" in figure.inner_text()

def test_marks_are_dragged_by_mouse_and_finger(boxes):
    figure, tab, counts = boxes
    left, right = figure.locator(".box").all()
    def drag(mark, to, steps=4):
        box, aim = mark.bounding_box(), to.bounding_box()
        tab.mouse.move(box["x"] + 14, box["y"] + 14)
        tab.mouse.down()
        tab.mouse.move(aim["x"] + aim["width"] / 2, aim["y"] + aim["height"] - 10, steps=steps)
        tab.mouse.up()
    drag(left.locator(".positive").first, right)
    assert counts() == [[11, 8], [9, 12]]
    drag(right.locator(".negative").first, right)       # back where it was
    drag(right.locator(".negative").first, figure.locator(".state"))
    assert counts() == [[11, 8], [9, 12]] and not figure.locator("[style*=translate]").count()
    right.locator(".negative").first.tap()
    assert counts() == [[12, 8], [8, 12]]
    finger = tab.context.new_cdp_session(tab)
    box, aim = left.locator(".negative").first.bounding_box(), right.bounding_box()
    for kind, x, y in (("touchStart", box["x"] + 14, box["y"] + 14),
                       ("touchMove", box["x"] + 60, box["y"] + 15),
                       ("touchMove", aim["x"] + 50, aim["y"] + 20), ("touchEnd", 0, 0)):
        finger.send("Input.dispatchTouchEvent", dict(type=kind, touchPoints=[
            dict(x=x, y=y)] * (kind != "touchEnd")))
    assert counts() == [[11, 8], [9, 12]]

def test_boxes_by_keys_and_on_a_phone(boxes):
    figure, tab, counts = boxes
    def here(): return tab.evaluate("document.activeElement.getAttribute('aria-label')")
    tab.keyboard.press("Tab")
    assert here() == "negative, move it to the right box"
    for _ in range(11): tab.keyboard.press("ArrowRight")
    assert here() == "positive, move it to the right box"
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")                         # the focus stays in the box
    assert counts() == [[10, 9], [10, 11]] and here().endswith("to the right box")
    tab.keyboard.press("Tab")                           # a box is one stop
    assert here() == "negative, move it to the left box"
    assert figure.locator(".state").get_attribute("aria-live") == "polite"
    tab.set_viewport_size(PHONE)
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    sizes = [mark.bounding_box() for mark in figure.locator(".box button").all()[:3]]
    assert all(min(size["width"], size["height"]) >= 24 for size in sizes)

def test_the_chord_says_when_nothing_is_gained_and_shows_sizes(browser, tmp_path):
    with opened(browser, written(tmp_path / "chord.html", GainPlot([7, 1], [4, 8]))) as (tab, said):
        figure = tab.locator(".dtree-chord")
        state, (F, T) = figure.locator(".state").inner_text, figure.get_by_role("slider").all()
        areas = [float(c.get_attribute("r"))**2 for c in figure.locator("circle.size").all()]
        assert np.allclose(np.divide(areas, areas[-1]), [8/20, 12/20, 1])
        put = """(figure, [f, t, measure]) => {
            const which = figure.querySelector("select");
            const sliders = figure.querySelectorAll("input");
            which.value = measure;
            [f, t].forEach((k, i) => {
                sliders[i].value = k; sliders[i].dispatchEvent(new Event("input")); });
            return figure.querySelector(".state").textContent; }"""
        for f, t in ((1, 8), (2, 3), (4, 6), (3, 4), (0, 6), (5, 12), (4, 12), (0, 0), (8, 12)):
            parts, same = [[8 - f, f], [12 - t, t]], f * 12 == t * 8
            straight = (2 * f - 8) * (2 * t - 12) >= 0
            for measure, right in (("entropy", gain(parts)), ("Gini", gini_gain(parts)),
                                   ("share of errors", None)):
                text = figure.evaluate(put, [f, t, measure])
                assert text.endswith("F and T have the same share of positives.") == same
                assert text.endswith("the measure is straight between them.") == (
                    right is None and straight and not same)
                if right is not None: assert f"gain {max(right, 0):.3f}" in text
        # on a phone no two words of the picture lie on each other
        tab.set_viewport_size(PHONE)
        for f, t in ((1, 8), (0, 12), (8, 0), (3, 6)):
            figure.evaluate(put, [f, t, "entropy"])
            frame, *words = figure.evaluate("""f => [...f.querySelectorAll("svg, svg text")].map(
                e => { const { x, y, width, height } = e.getBoundingClientRect();
                return { x, y, width, height } })""")
            assert all(frame["y"] <= w["y"] and w["y"] + w["height"] <= frame["y"] + frame["height"]
                       for w in words)
            for i, a in enumerate(words):
                for b in words[:i]:
                    assert (a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
                            or a["y"] + a["height"] <= b["y"] + 4
                            or b["y"] + b["height"] <= a["y"] + 4)
    assert not said

def test_labels_that_can_be_clicked_look_so(browser, tmp_path):
    address = written(tmp_path / "cuts.html", SplitExplorer([0, 0, 1, 1, 0]))
    with opened(browser, address) as (tab, said):
        label = tab.locator(".row button").nth(1)
        look = "b => [getComputedStyle(b).cursor, getComputedStyle(b).outlineStyle]"
        assert "Click a label" in tab.inner_text("figure")
        assert label.evaluate(look) == ["pointer", "none"]
        label.hover()
        assert label.evaluate(look) == ["pointer", "solid"]
    assert not said

def test_by_night_all_marks_take_the_lighter_blue(browser, tmp_path):
    style = (ROOT / "docs/_static/style.css").as_uri()         # with its fonts beside it
    figures = "".join(f._repr_html_() for f in (GainExplorer(), SplitExplorer([0, 1])))
    (tmp_path / "night.html").write_text(
        "<!doctype html><html data-theme=dark><meta charset=utf-8><link rel=icon href=data:,>"
        f"<link rel=stylesheet href='{style}'><body><div class=bd-article>{figures}</div>", "utf-8")
    with opened(browser, (tmp_path / "night.html").as_uri()) as (tab, said):
        boxes, cuts = tab.evaluate("""() => [["boxes", "::before"], ["cuts", null]].map(
            ([name, part]) => getComputedStyle(
                document.querySelector(`.dtree-${name} .positive`), part).backgroundColor)""")
        blue = tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--blue')")
    assert boxes == cuts == f"rgb({', '.join(str(int(blue[i:i + 2], 16)) for i in (1, 3, 5))})"
    assert blue != "#0072B2" and not said
