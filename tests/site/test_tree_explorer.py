"The figure in which a reader grows a tree: its numbers are the library's, and it answers to hands."
import re
from importlib.resources import files
from itertools import product

import numpy as np
import pandas as pd
import pytest
from helpers.browsing import LETTERS, opened
from helpers.places import ROOT
from dtree_lit import (CARTClassifier, ID3Classifier, TreeExplorer, collapse_node,
                       cost_complexity_pruning, gain, grow, reduced_error_pruning)
from dtree_lit.trees.steps import removed

# What the script makes of a table; all trees level by level, as the library numbers their nodes.
MADE = """({ rows, unseen, words, price }) => {
    const numbered = list => list.map(([x, y], id) => ({ id, x, y }))
    const told = tree => {
        const nodes = [tree]
        for (const node of nodes) nodes.push(...node.children)
        return { feature: nodes.map(n => n.ask ? n.ask.f : -1), size: nodes.map(n => n.rows.length),
                 says: nodes.map(n => n.says), threshold: nodes.map(n => n.ask?.t ?? null) }
    }
    const seen = numbered(rows), news = numbered(unseen), tree = grown(leaf(seen), words)
    return { grown: told(tree), priced: told(priced(tree, price)),
             reduced: told(reduced(tree, news, words)), wrong: errors(tree, news), left: left(tree),
             again: told(refilled(tree, news, words)),
             gains: questions(seen, words).map(ask => gained(seen, ask, words)) }
}"""

def a_table(seed):
    "Rows of words, or of numbers, and others that are unseen; codes, and what the codes mean."
    rng = np.random.default_rng(seed)
    n, m = int(rng.choice([8, 16, 32])), int(rng.integers(1, 4))
    many = rng.integers(2, 4, m) if seed % 2 else np.full(m, 12)
    codes = rng.integers(0, many, (n + 10, m))
    y = (codes.sum(axis=1) + (rng.random(n + 10) < 0.3)) % 2
    y[:2] = 0, 1
    words = ["abcd"[:k] for k in many] if seed % 2 else [None] * m
    named = [codes[:, f] if book is None else [book[c] for c in codes[:, f]]
             for f, book in enumerate(words)]
    X = pd.DataFrame(dict(zip("pqr", named)))
    return X, codes, y, n, [book and [*book] for book in words], int(rng.integers(0, 12)) / 4

def told(tree, numbers):
    "A tree of the library, as the script tells its own."
    t = [t if f >= 0 else None for t, f in zip(tree.threshold, tree.feature)] if numbers else None
    return dict(feature=np.maximum(tree.feature, -1).tolist(), size=tree.size.tolist(),
                says=[int(k) for k in tree.node_labels], threshold=t)

def same(ours, theirs):
    for what in ("feature", "size", "says"): assert ours[what] == theirs[what], what
    if theirs["threshold"]: assert ours["threshold"] == pytest.approx(theirs["threshold"])

def test_its_numbers_are_those_of_the_library(browser):
    "200 tables: trees, gains, errors and both prunings."
    data = files("dtree_lit") / "data"
    script = "".join((data / name).read_text("utf-8") for name in ("hands.js", "stage.js"))
    with opened(browser, "about:blank") as (tab, said):
        tab.evaluate(f"() => {{ {script}; window.made = {MADE} }}")
        for seed in range(200):
            X, codes, y, n, words, price = a_table(seed)
            numbers = words[0] is None
            tree = (grow(X[:n], y[:n]) if numbers else
                    ID3Classifier(categories=words).fit(X[:n], y[:n]).tree_)
            rows = [[x, int(k)] for x, k in zip(codes.tolist(), y)]
            found = tab.evaluate("table => made(table)", dict(rows=rows[:n], unseen=rows[n:],
                                                              words=words, price=price))
            same(found["grown"], told(tree, numbers))
            same(found["priced"],
                 told(cost_complexity_pruning(tree, price / n, "misclassification").tree, numbers))
            same(found["reduced"], told(reduced_error_pruning(tree, X[n:], y[n:]).tree, numbers))
            assert found["wrong"] == (tree.predict_labels(X[n:]) != y[n:]).sum()
            ends = tree.width == 0
            assert found["left"] == pytest.approx(tree.size[ends] @ tree.impurity[ends] / n)
            if tree.node_count > 1 and not numbers:
                best = max(found["gains"])
                assert best == pytest.approx(np.subtract(*removed(tree, 0)))
                assert found["gains"] == pytest.approx([gain(pd.crosstab(X[c][:n], y[:n]))
                                                        for c in X])
    assert not said

@pytest.fixture(scope="module")
def tables(): return [pd.read_csv(ROOT / "nbs/data" / f"{name}.csv")
                      for name in ("mornings", "more_mornings", "iris")]

@pytest.fixture(scope="module")
def figures(tables, tmp_path_factory):
    "A page with fourteen mornings, and one with flowers in a plane."
    mornings, more, iris = tables
    def parts(table): return table.drop(columns="play"), table["play"]
    two = iris.query("species != 'setosa'")
    petals, species = two[["petal_length", "petal_width"]], two["species"]
    place = tmp_path_factory.mktemp("stage")
    for name, explorer in dict(
            mornings=TreeExplorer(*parts(mornings), parts(more[1:]), parts(more[:1]), "morning",
                                  "mornings"),
            flowers=TreeExplorer(petals[::2], species[::2], (petals[1::2], species[1::2]),
                                 row="flower", rows="flowers")).items():
        (place / f"{name}.html").write_text(
            "<!doctype html><meta charset=utf-8><meta name=viewport content=width=device-width>"
            f"<link rel=icon href=data:,><body>{explorer._repr_html_()}", "utf-8")
    return place

def test_six_acts(browser, figures):
    "Choose, compare, grow, test, make a mistake, prune: with the mouse."
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        def press(name): figure.get_by_role("button", name=name, exact=True).click()
        def bars(): return figure.locator(".bars").inner_text()
        def state(): return figure.locator(".state").inner_text()
        assert "Left to ask: 0.940 bits" in bars() and figure.locator(".dot").count() == 14
        press("wind")
        assert state() == ("wind? This gains 0.048 bits. Where as many say yes as no, "
                           "the answer is no.")
        figure.get_by_role("button", name="no 3 of 6, a tie").wait_for()
        press("Start again")
        press("2 Compare")
        assert "★ 0.247" in figure.locator(".asks").inner_text()
        press("The algorithm's choice")
        assert state() == "outlook? This gains 0.247 bits. No question gains more."
        assert "0.694 bits, 0.247 less" in bars()
        press("3 Grow")
        press("Grow to the end")
        assert state() == "Grown to the end: 5 leaves, and 0 of 14 mornings wrong."
        press("4 Test")
        assert "Not seen: 0 of 7 wrong" in bars() and figure.locator(".dot").count() == 21
        press("5 Mistake")
        press("Add a wrong morning")
        assert state().endswith("The first question is still outlook; 5 leaves before this change, "
                                "8 now.")
        assert "Seen: 0 of 15 wrong" in bars() and "Not seen: 1 of 7 wrong" in bars()
        before = figure.locator("svg.before :is(circle, rect)")     # a mark for each leaf
        assert bars().endswith("Before any change: outlook first, 5 leaves; not seen: 0 of 7 "
                               "wrong")
        assert before.count() == 5
        press("6 Prune")
        press("Prune with the unseen mornings")
        assert state() == ("5 of 8 leaves are left. Wrong now: 1 of 15 mornings, and 0 of 7 that "
                           "the tree has not seen.")
        assert bars().endswith("Before pruning: outlook first, 8 leaves; not seen: 1 of 7 "
                               "wrong")
        assert before.count() == 8
        slider = figure.get_by_role("slider")
        stops = []
        for _ in range(2):
            slider.press("ArrowRight")
            stops.append((slider.get_attribute("aria-valuetext").strip(), state()[:10]))
        assert stops == [("A leaf costs 0.33 errors", "5 of 8 lea"),
                         ("A leaf costs 1.25 errors", "1 of 8 lea")]
        press("5 Mistake")
        press("Take the wrong morning away")
        figure.locator("td").get_by_role("button", name="morning 3 says yes: turn it over").click()
        assert "The first question was outlook, and is humidity" in state()
    assert not said

def test_an_act_begins_with_what_belongs_to_it(browser, figures):
    "Whatever was done before: a pile for the first act, a mistake for the last."
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        def press(name): figure.get_by_role("button", name=name, exact=True).click()
        def there(name): return figure.get_by_role("button", name=name, exact=True).count()
        def nodes(): return figure.locator(".node").count()
        def state(): return figure.locator(".state").inner_text()
        press("6 Prune")
        assert state() == "With the wrong morning the tree has 8 leaves. What of it pays?"
        assert figure.get_by_role("slider").get_attribute("max") == "2"
        press("Prune with the unseen mornings")
        press("Start again")
        assert nodes() == 13 and state() == "Nothing is pruned any more."
        press("1 Choose")
        assert nodes() == 1 and figure.locator(".dot").count() == 14
        press("wind")
        press("3 Grow")                                         # the reader's question stays
        press("Grow to the end")
        assert figure.locator(".node .first").first.text_content() == "wind?"
        assert not there("Grow to the end") and not there("The algorithm's choice")
        press("4 Test")
        assert figure.locator(".node .first").first.text_content() == "wind?"
        press("5 Mistake")                                      # the algorithm's tree
        assert figure.locator(".node .first").first.text_content() == "outlook?"
        press("Add a wrong morning")
        press("4 Test")                                         # where the reader's tree waits
        assert state() == "Here is your own tree again." and figure.locator(".dot").count() > 14
        assert figure.locator(".node .first").first.text_content() == "wind?"
        press("Start again")
        assert nodes() == 8 and "Seen: 0 of 14 wrong" in figure.locator(".bars").inner_text()
    assert not said

DRAWN = """figure => JSON.stringify([
    [...figure.querySelectorAll(".node")].map(e => e.ariaLabel),
    [...figure.querySelectorAll(".dot.seen")].map(e => e.textContent + e.matches(".yes"))])"""

@pytest.mark.parametrize("name, seed", 
                         [*product(("mornings", "flowers"), range(2))])
def test_the_tree_of_the_story_is_what_it_says(browser, figures, name, seed):
    "On random ways through the acts: it is the story's, not the reader's, and his comes back."
    rng, waited = np.random.default_rng(seed), 0
    with opened(browser, (figures / f"{name}.html").as_uri()) as (tab, said):
        figure, state = tab.locator(".dtree-stage"), tab.locator(".dtree-stage .state")
        acts = figure.locator(".acts button")
        def drawn(): return figure.evaluate(DRAWN)
        def press(buttons): buttons.nth(rng.integers(buttons.count())).dispatch_event("click")
        story, asks = [], figure.locator(".asks button:enabled")
        for i in range(6):
            acts.nth(i).click()
            story.append(drawn())
        tab.reload()
        for _ in range(25):
            act = int(acts.and_(figure.locator("[aria-current]")).inner_text()[0])
            turns, tools = figure.locator(".dot[role]"), figure.locator(".tools button")
            branches = figure.locator(".node[aria-expanded]")
            own = tools.filter(has_not_text=re.compile("why|Back|Start|table"))
            for some in (asks, turns, own, branches):
                if some.count() and rng.random() < 0.6: press(some)
            before, to = drawn(), rng.integers(6)
            acts.nth(to).click()
            found = re.search(r"This is the tree of the story; yours waits in act (\d)",
                              state.inner_text())
            if found:
                waited += 1
                assert drawn() == story[to] != before and int(found[1]) == act
                figure.get_by_role("button", name="Back to my tree").click()
                assert drawn() == before and state.inner_text() == "Here is your own tree again."
        assert waited > 2
    assert not said

@pytest.mark.parametrize("name", ["mornings", "flowers"])
def test_a_branch_is_folded_by_hand(browser, figures, tables, name):
    "Each of them costs what the library says; pressed again, it is back."
    mornings, more, iris = tables
    if name == "mornings":
        seen, new = pd.concat([mornings, more[:1]]), more[1:]
        (X, y), (U, u) = ((table.drop(columns="play"), table["play"]) for table in (seen, new))
        tree = ID3Classifier().fit(X, y).tree_
    else:
        two = iris.query("species != 'setosa'")
        X, y = two[["petal_length", "petal_width"]], two["species"]
        (X, U), (y, u) = (X[::2], X[1::2]), (y[::2], y[1::2])
        tree = CARTClassifier(criterion="entropy").fit(X, y).tree_
    rows = f"{len(y)} {name}"
    def counts(tree): return (tree.n_leaves, (tree.predict_labels(X) != y).sum(),
                              (tree.predict_labels(U) != u).sum())
    whole, machine = counts(tree), counts(reduced_error_pruning(tree, U, u).tree)
    def below(k): return [k, *(j for c in range(tree.width[k]) for j in below(tree.first[k] + c))]
    order, same = below(0), []                                    # as they are drawn
    with opened(browser, (figures / f"{name}.html").as_uri()) as (tab, said):
        figure, state = tab.locator(".dtree-stage"), tab.locator(".dtree-stage .state")
        figure.get_by_role("button", name="6 Prune").click()
        before, nodes = figure.evaluate(DRAWN), figure.locator(".node")
        assert nodes.count() == len(order)
        for i, k in enumerate(order):
            if not tree.width[k]:
                assert nodes.nth(i).get_attribute("aria-expanded") is None
                continue
            now = counts(collapse_node(tree, k).tree)
            nodes.nth(i).press("Enter")
            assert nodes.nth(i).get_attribute("aria-expanded") == "false"
            assert tab.evaluate("document.activeElement.ariaExpanded") == "false"
            told = state.inner_text().partition("? is folded. ")[2]
            assert told.startswith("Leaves: {} instead of {}. Wrong: {} instead of {} of "
                                   .format(now[0], whole[0], now[1], whole[1])
                                   + f"{rows}, and {now[2]} instead of {whole[2]} of {len(u)} ")
            bars = figure.locator(".bars").inner_text()
            assert f"Seen: {now[1]} of" in bars and f"Not seen: {now[2]} of" in bars
            same.append(told.endswith(f"unseen. The unseen {name} choose the same."))
            assert same[-1] or told.endswith(
                " choose otherwise: leaves {}, wrong {} and {}.".format(*machine))
            nodes.nth(i).click()
            assert "? is back. " in state.inner_text() and figure.evaluate(DRAWN) == before
        assert sum(same) == 1
        nodes.first.click()                                       # the machine takes over
        assert nodes.count() == 1
        figure.get_by_role("button", name=f"Prune with the unseen {name}").click()
        assert state.inner_text().startswith(f"{machine[0]} of {whole[0]} leaves")
    assert not said

def test_labels_that_are_turned_stay_turned_when_the_tree_is_pruned(browser, figures):
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        figure.get_by_role("button", name="5 Mistake").click()
        for i in (3, 6): figure.locator("td button").nth(i - 1).dispatch_event("click")
        state = figure.locator(".state").inner_text()
        assert re.search(r"; \d+ leaves before this change, \d+ now\.$", state)
        assert "Before any change: outlook first, 5 leaves" in figure.locator(".bars").inner_text()
        before = figure.evaluate(DRAWN)
        figure.get_by_role("button", name="6 Prune").click()
        assert figure.evaluate(DRAWN) == before and not figure.locator(".state").inner_text()
        assert not figure.get_by_role("button", name="Back to my tree").count()
        figure.get_by_role("button", name="Prune with the unseen mornings").click()
        assert "Before pruning: " in figure.locator(".bars").inner_text()
    assert not said

def test_each_price_is_one_at_which_a_branch_falls(browser, figures, tables):
    "The same as those of the library; from one to the next the tree becomes smaller."
    flowers = tables[2].query("species != 'setosa'")
    X, y = flowers[["petal_length", "petal_width"]][::2], flowers["species"][::2]
    tree = TreeExplorer(X, y, (X, y)).tree
    with opened(browser, (figures / "flowers.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        figure.get_by_role("button", name="6 Prune").click()
        slider, found = figure.get_by_role("slider"), []
        for _ in range(int(slider.get_attribute("max"))):
            slider.press("ArrowRight")
            price = float(re.search(r"[\d.]+", slider.get_attribute("aria-valuetext"))[0])
            here = int(figure.locator(".state").inner_text().split()[0])
            for less, leaves in ((1e-6, here), (-1e-6, (found or [(0, tree.n_leaves)])[-1][1])):
                if price + less > 0.01: assert leaves == cost_complexity_pruning(
                    tree, (price + less) / len(y), "misclassification").tree.n_leaves
            found.append((price, here))
        assert found == [(0.01, 3), (1, 2), (23, 1)]
    assert not said

def test_each_flower_has_a_name_and_each_error_a_cross(browser, figures):
    "In the tree and in the plane; what a region says stands where the fewest flowers are."
    with opened(browser, (figures / "flowers.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        for act in ("4 Test", "6 Prune"):
            figure.get_by_role("button", name=act).click()
            names = figure.locator(".dot text").all_text_contents()
            assert len({*names}) == 100 and min(map(len, names)) > 0
            bars = figure.locator(".bars").inner_text()
            wrong = sum(map(int, re.findall(r"^(?:Seen|Not seen): (\d+)", bars, re.M)))
            assert figure.locator(".dot path").count() == wrong > 0
            assert figure.locator(".plane .cross").count() == wrong
        words = figure.locator(".plane .said")
        assert words.count() > 1
        assert words.first.evaluate("e => getComputedStyle(e).paintOrder").startswith("stroke")
        covered = words.evaluate_all("""all => all.map(word => {
            const box = word.getBoundingClientRect()
            return [...word.closest("svg").querySelectorAll("circle, .mark")].filter(mark => {
                const { left, right, top, bottom } = mark.getBoundingClientRect()
                return left < box.right && right > box.left && top < box.bottom
                    && bottom > box.top }).length })""")
        assert not any(covered)
    assert not said

def test_what_is_explained_is_closed_again(browser, figures):
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        figure.get_by_role("button", name="Why? What is left to ask").press("Enter")
        assert figure.locator("aside").is_visible()
        tab.keyboard.press("Escape")
        assert figure.locator("aside").is_hidden()
    assert not said

def test_by_keyboard(browser, figures):
    "What is pressed keeps the focus, or hands it on; a proof opens and closes."
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        for _ in range(7): tab.keyboard.press("Tab")              # behind the six acts
        assert tab.evaluate("document.activeElement.ariaLabel") == "Why? What is left to ask"
        tab.keyboard.press("Enter")
        assert "entropy" in figure.locator("aside").inner_text()
        tab.keyboard.press("Enter")
        assert figure.locator("aside").is_hidden()
        figure.get_by_role("button", name="outlook", exact=True).focus()
        tab.keyboard.press("Enter")
        # outlook is used up in the next box, and the next question has the focus
        assert tab.evaluate("document.activeElement.textContent") == "temperature"
        figure.get_by_role("button", name="no 3 of 5").focus()
        tab.keyboard.press("Space")
        assert tab.evaluate("document.activeElement.ariaLabel") == "no 3 of 5"
        assert figure.locator("tr.away").count() == 9              # all but the five sunny ones
    assert not said

def test_what_is_used_up_cannot_be_asked(browser, figures):
    "A question on which all rows of a node agree is disabled; where answers agree, none is left."
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        def offers(): return figure.locator(".asks button").all()
        assert all(offer.is_enabled() for offer in offers())
        figure.get_by_role("button", name="outlook", exact=True).click()
        assert [offer.is_enabled() for offer in offers()] == [False, True, True, True]
        assert offers()[0].inner_text().split() == ["outlook", "all", "rain"]
        figure.get_by_role("button", name="yes 4 of 4").click()
        assert not offers()
        assert figure.locator(".asks").inner_text() == (
            "All are alike here: nothing is left to ask.")
        figure.get_by_role("button", name="2 Compare").click()
        assert not figure.get_by_role("button", name="The algorithm's choice").count()
    with opened(browser, (figures / "flowers.html").as_uri()) as (tab, more):
        figure = tab.locator(".dtree-stage")
        figure.get_by_role("button", name="3 Grow").click()
        figure.get_by_role("button", name="Grow to the end").click()
        figure.get_by_role("button", name="versicolor 24 of 24").click()
        box = figure.locator(".plane").bounding_box()
        x, y = box["x"] + box["width"] / 4, box["y"] + 0.7 * box["height"]
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 60, y, steps=4)
        tab.mouse.up()
        assert figure.locator(".node").count() == 9
    assert not said + more

def test_a_gain_is_told_here_and_of_the_whole_bar(browser, figures, tables):
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        figure.get_by_role("button", name="2 Compare").click()
        assert not figure.locator(".heads").count()               # all rows: one number
        figure.get_by_role("button", name="outlook").click()
        heads = figure.locator(".heads span").all_inner_texts()
        assert heads == ["bits gained:", "by these 5", "off the bar"]
        rain = tables[0].query("outlook == 'rain'")
        here = gain(pd.crosstab(rain["wind"], rain["play"]))
        wind = figure.locator(".asks button").last
        assert wind.locator(".number").all_inner_texts() == [f"★ {here:.3f}",
                                                             f"{5 / 14 * here:.3f}"]
        assert f"width: {500 / 14 * here:.2f}%" in wind.locator(".gain").get_attribute("style")
        assert f"here, {5 / 14 * here:.3f} of the whole bar" in wind.get_attribute("aria-label")
    assert not said

def test_a_row_and_its_mark_light_up_together(browser, figures):
    with opened(browser, (figures / "mornings.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage")
        figure.locator(".dot").nth(4).hover()
        assert figure.locator("tr.lit th").all_inner_texts() == ["5"]
        figure.locator("tr").nth(9).hover()
        assert figure.locator(".dot.lit text").all_text_contents() == ["9"]
    assert not said

def test_a_threshold_is_dragged_across_the_plane(browser, figures):
    with opened(browser, (figures / "flowers.html").as_uri()) as (tab, said):
        figure, state = tab.locator(".dtree-stage"), tab.locator(".dtree-stage .state")
        box = figure.locator(".plane").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        tab.mouse.move(x, y - 60)
        tab.mouse.down()
        tab.mouse.move(x + 6, y + 20, steps=4)
        assert state.inner_text().startswith("petal_width ≥ 1.")
        assert "would gain" in state.inner_text()
        tab.mouse.up()
        assert "This gains" in state.inner_text() and figure.locator(".node").count() == 3
        assert figure.locator(".plane rect:not(.mark)").count() == 2
        figure.get_by_role("button", name="2 Compare").click()
        figure.get_by_role("button", name="Start again").click()
        slider = figure.get_by_role("slider", name="threshold on petal_length")
        slider.press("Home")
        assert state.inner_text().startswith("petal_length ≥ 3.")
        figure.get_by_role("button", name="The algorithm's choice").click()
        assert state.inner_text() == ("petal_width ≥ 1.65? This gains 0.758 bits. "
                                      "No question gains more.")
    assert not said

APART = """figure => {
    const boxes = [...figure.querySelectorAll(".node > rect")].map(e => e.getBoundingClientRect())
    const place = e => new DOMMatrix(e.style.transform), svg = figure.querySelector(".frame svg")
    const { left, top, width } = svg.getBoundingClientRect()
    const scale = width / svg.viewBox.baseVal.width
    return [...figure.querySelectorAll(".dot")].every(e => {
        const x = left + scale * place(e).e, y = top + scale * place(e).f, r = scale * 15
        return !boxes.some(b => x + r > b.left && x - r < b.right && y + r > b.top
                                && y - r < b.bottom) }) }"""

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser, figures, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme=scheme,
                                  has_touch=True)
    for name in ("mornings", "flowers"):
        tab = context.new_page()
        tab.goto((figures / f"{name}.html").as_uri())
        for act in tab.locator(".dtree-stage .acts button").all():
            act.tap()
            assert tab.evaluate("document.documentElement.scrollWidth") <= 390, act.inner_text()
            if (end := tab.get_by_role("button", name="Grow to the end")).count(): end.tap()
            # a broad tree is turned, and none is cut
            assert tab.locator(".frame").evaluate("f => f.scrollWidth <= f.clientWidth")
            marks = tab.locator(".dot").evaluate_all("all => all.map(e => e.style.transform)")
            assert len({*marks}) == len(marks) > 13               # each in a place of its own
            small = tab.locator(".dtree-stage :is(button, .dot[role])").evaluate_all(
                """all => all.filter(e => e.getClientRects().length).filter(e => {
                    const { width, height } = e.getBoundingClientRect()
                    return Math.min(width, height) < 24 }).map(e => e.textContent)""")
            assert not small
            # no mark touches the box of its leaf, or another one's
            assert tab.locator(".dtree-stage").evaluate(APART)
    context.close()

def test_without_a_script_it_is_a_picture(browser, figures):
    page = (figures / "mornings.html").as_uri()
    with opened(browser, page, java_script_enabled=False) as (tab, _):
        name = tab.locator(".dtree-stage img").get_attribute("alt")
    assert name.startswith("Choose: 14 mornings, 0.940 bits; Compare: outlook? gains 0.247 bits;")
    assert name.endswith("Prune: 5 leaves, 0 of 7 unseen mornings wrong")

def test_paragraphs_call_the_acts(site, browser):
    "On the page of the first tree the figure stays, and the act is that of the paragraph in view."
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        def act(): return tab.locator(".dtree-stage [aria-current]").first.inner_text()
        # who has played on reads on with what the paragraphs tell
        tab.locator(".dtree-stage").first.get_by_role("button", name="wind", exact=True).click()
        for i, nodes in {3: 8, 1: 1, 6: 8, 5: 13}.items():
            tab.evaluate("""i => { const cue = document.querySelector(`[data-act="${i}"]`)
                window.scrollBy(0, cue.getBoundingClientRect().top - 0.75 * innerHeight) }""", i)
            tab.wait_for_function("i => +document.querySelector('.dtree-stage [aria-current]')"
                                  ".innerText[0] === i", arg=i)
            box = tab.locator(".dtree-stage").first.bounding_box()
            assert 0 <= box["y"] and box["y"] + box["height"] < 900, (act(), box)
            assert tab.locator(".dtree-stage").first.locator(".node").count() == nodes
    assert not said

def in_act(tab, act):
    "Read on to the paragraph of an act."
    tab.locator(f'[data-act="{act}"]').evaluate("""cue => scrollBy({ behavior: "instant",
        top: cue.getBoundingClientRect().top - 0.75 * innerHeight })""")
    tab.wait_for_function("i => document.querySelector('.dtree-stage [aria-current]')"
                          ".innerText.startsWith(i)", arg=str(act))

@pytest.mark.parametrize("size", [(1280, 720), (1366, 657), (1920, 1000)])
def test_the_figure_stays_below_the_bar_and_leaves_lines_of_text(site, browser, size):
    "On laptops, too; there the bar is lower."
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        tab.set_viewport_size(dict(width=size[0], height=size[1]))
        figure, bar = tab.locator(".dtree-stage").first, tab.locator(".bd-header")
        for act in (5, 6, 3, 2):
            in_act(tab, act)
            box = figure.bounding_box()
            top, end = bar.bounding_box()["height"], box["y"] + box["height"]
            assert top - 5 <= box["y"] and end + 100 < size[1], (act, box)
        if size[0] == 1920:                    # the whole tree stands beside the table
            in_act(tab, 1)
            for name in ("temperature", "outlook"):
                figure.get_by_role("button", name=name, exact=True).click()
            high = figure.locator(".node").evaluate_all(
                "all => [...new Set(all.map(e => Math.round(e.getBoundingClientRect().y)))]")
            assert figure.locator("table").is_visible() and len(high) == 3
            assert figure.bounding_box()["width"] > 1000
    assert not said

def test_the_table_stands_beside_the_tree(site, browser):
    "As long as the tree leaves room; then a button shows it."
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage").first
        table, frame = figure.locator("table"), figure.locator(".frame")
        def beside():
            rows, tree = table.bounding_box(), frame.bounding_box()
            return (rows["x"] >= tree["x"] + tree["width"] and rows["y"] > 0
                    and rows["y"] + rows["height"] < 900
                    and frame.evaluate("f => f.scrollWidth <= f.clientWidth")
                    and figure.evaluate("f => f.scrollWidth <= f.clientWidth"))
        tab.locator('[data-act="3"]').evaluate("""cue => scrollBy({ behavior: "instant",
            top: cue.getBoundingClientRect().top - 0.75 * innerHeight })""")
        tab.wait_for_function("document.querySelector('.dtree-stage [aria-current]')"
                              ".innerText.startsWith('3')")
        assert beside() and figure.locator("tr").count() == 15
        figure.get_by_role("button", name="Hide the table").press("Enter")
        assert not table.is_visible()
        assert tab.evaluate("document.activeElement.textContent") == "Show the table"
        tab.keyboard.press("Enter")
        assert beside()
        tab.set_viewport_size(dict(width=390, height=844))
        assert table.is_visible() and not figure.locator(".beside").is_visible()
    assert not said

@pytest.mark.parametrize("name", ["index", "first_tree"])
def test_a_bit_is_explained_where_it_first_occurs(site, browser, name):
    with opened(browser, (site / f"{name}.html").as_uri()) as (tab, said):
        text = tab.locator(".bd-article").inner_text()
        first = re.search(r"\bbits?\b", text).start()
        assert 0 < text.index("One bit is the most that an answer of yes or no can") - first < 80
    assert not said

def test_the_plane_is_large(site, browser):
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        plane = tab.locator(".dtree-stage .plane")
        for width, least in ((1280, 440), (390, 330)):
            tab.set_viewport_size(dict(width=width, height=900))
            assert plane.bounding_box()["width"] > least
    assert not said

def test_on_a_narrow_page_the_figure_comes_to_the_paragraph(site, browser):
    "It cannot stay in view there: a button of the paragraph brings it, in the right act."
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        tab.set_viewport_size(dict(width=390, height=844))
        bring = tab.locator(".bring")
        assert bring.count() == 6
        for act, nodes in ((5, 13), (2, 1)):
            bring.nth(act - 1).click()
            stage = tab.locator(".dtree-stage").first
            assert stage.locator("[aria-current]").first.inner_text().startswith(str(act))
            assert stage.locator(".node").count() == nodes
            above = bring.nth(act - 1).bounding_box()
            assert 0 < stage.bounding_box()["y"] - above["y"] < 100
            tree, bars = (stage.locator(part).bounding_box()["y"] for part in (".frame", ".bars"))
            assert tree < bars
    assert not said

@pytest.mark.parametrize("name, width", [("first_tree", 1280), ("first_tree", 390),
                                         ("index", 1280), ("index", 390)])
def test_its_letters_are_never_small(site, browser, name, width):
    "In each act, as they are rendered: of the tree, its rows, the plane and what stands beside."
    with opened(browser, (site / f"{name}.html").as_uri()) as (tab, said):
        tab.set_viewport_size(dict(width=width, height=900))
        for figure in tab.locator(".dtree-stage").all():
            for act in figure.locator(".acts button").all():
                act.click()
                if (end := figure.get_by_role("button", name="Grow to the end")).count():
                    end.click()
                letters = figure.evaluate(LETTERS)
                assert len(letters) > 20
                assert not [text for size, text in letters if size < 10.99], act.inner_text()
    assert not said

def test_what_a_reader_tried_is_kept(site, browser):
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-stage").first
        def button(name): return figure.get_by_role("button", name=name, exact=True)
        def read(act):
            tab.locator(f'[data-act="{act}"]').evaluate("""cue => scrollBy({ behavior: "instant",
                top: cue.getBoundingClientRect().top - 0.75 * innerHeight })""")
            tab.wait_for_function("i => document.querySelector('.dtree-stage [aria-current]')"
                                  ".innerText.startsWith(i)", arg=str(act))
        read(1)
        assert not button("Back to my tree").count()
        button("wind").click()
        for act, nodes in ((2, 1), (3, 8)):                  # the story goes on
            read(act)
            assert figure.locator(".node").count() == nodes
            assert button("Back to my tree").count() == 1
        button("Back to my tree").press("Enter")
        assert figure.locator(".node .first").first.text_content() == "wind?"
        assert figure.locator("[aria-current]").first.inner_text() == "1 Choose"
        assert not button("Back to my tree").count()
        read(2)
        assert figure.locator(".state").inner_text() == (
            "This is the tree of the story; yours waits in act 1.")
        button("1 Choose").click()
        assert figure.locator(".node .first").first.text_content() == "wind?"
        assert not button("Back to my tree").count()
        read(3)
        button("Start again").click()
        assert not button("Back to my tree").count()
        button("1 Choose").click()
        button("wind").click()
        for act in ("2 Compare", "3 Grow", "1 Choose"):         # a morning keeps its number
            button(act).click()
            marks = figure.locator(".dot text").all_text_contents()
            assert sorted(map(int, marks)) == [*range(1, 15)]
    assert not said

def test_where_nothing_is_gained_the_picture_says_so():
    "Two columns that say nothing alone, and two equal rows with different answers."
    rows, answers = [*product(("yes", "no"), repeat=2)], ["no", "yes", "yes", "no"]
    for explorer in (TreeExplorer(rows, answers, (rows, answers)),
                     TreeExplorer([[1, 2], [1, 2]], [0, 1], ([[1, 2]], [0]))):
        titles = [title for title, _ in explorer.states()]
        assert titles[1:3] == ["Compare: no question gains anything", "Grow: 1 leaf"]

PLANE = [[1.0, 2.0], [2.0, 3.0], [4.0, 5.0]], [0, 1, 0]

@pytest.mark.parametrize("X, y, unseen, sentence", [
    (np.arange(6).reshape(2, 3), [0, 1], None, "X has 3 columns of numbers, and a plane has two"),
    ([["a"]] * 3, [0, 1, 2], None, "y must hold answers of two kinds"),
    ([["a"]] * 65, [0, 1] * 32 + [0], None, "X has 65 rows, and a picture has room for 64"),
    (*PLANE, (np.ones((65, 2)), [0] * 65), "unseen has 65 rows"),
    (*PLANE, (np.ones((0, 2)), []), "unseen has no rows"),
    (*PLANE, ([[np.nan, 1]], [0]), "unseen has values that are missing or infinite"),
    ([[1, 2], [np.inf, 3]], [0, 1], None, "X has values that are missing or infinite"),
    ([["a"], ["b"]], [0, 1], ([["c"]], [0]), "unseen has words or answers that X and y do not"),
    ([["a"], ["b"]], [0, 1], ([["a"]], [2]), "unseen has words or answers that X and y do not")])
def test_what_it_cannot_show_is_refused(X, y, unseen, sentence):
    with pytest.raises(ValueError, match=sentence): TreeExplorer(X, y, unseen or (X, y))
