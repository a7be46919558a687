"The site is whole: as HTML, and in a browser without a network."
import re
import tomllib
from base64 import b64decode
from collections import Counter
from urllib.parse import quote, unquote, urldefrag

import pytest
from lxml import html
from helpers.browsing import DAY, load, opened, watched
from helpers.pages import on_page
from helpers.places import ROOT

@pytest.fixture(scope="session")
def pages(site):
    "Every page, parsed, by its path in the site."
    return {p.relative_to(site).as_posix(): html.document_fromstring(p.read_text("utf-8"))
            for p in sorted(site.rglob("*.html")) if "_static" not in p.parts}

def report(problems): assert not problems, "\n" + "\n".join(problems)

def test_ids_are_unique(pages):
    def twice(page):
        return sorted(i for i, often in Counter(page.xpath("//@id")).items() if often > 1)
    report([f"{name}: {i}" for name, page in pages.items() for i in twice(page)])

def test_links_have_targets(site, pages):
    ids = {name: set(page.xpath("//@id")) for name, page in pages.items()}
    def broken(name, href):
        path, anchor = urldefrag(href)
        target = (site / unquote(path[1:]) if path[:1] == "/"
                  else (site / name).parent / unquote(path) if path else site / name)
        if not target.is_file(): return True
        return (anchor and target.suffix == ".html"
                and unquote(anchor) not in ids[
            target.resolve().relative_to(site.resolve()).as_posix()])
    report([f"{name}: {href}" for name, page in pages.items() for href in page.xpath("//a/@href")
            if not re.match(r"[a-z]+:|#$", href) and broken(name, href)])

def test_nothing_is_fetched(pages):
    outside = lambda v: v and re.match(r"(https?:)?//", v)
    report([f"{name}: {t.tag} {t.get('src') or t.get('href')}" for name, page in pages.items()
            for t in page.iter("script", "link", "img", "iframe")
            if outside(t.get("src")) or t.tag == "link" and outside(t.get("href"))])

PHONE = dict(viewport={"width": 390, "height": 844})

# What a reader would notice, asked of the page itself.
LOOK = r"""() => {
    const found = [], text = document.querySelector("main").cloneNode(true);
    text.querySelectorAll("pre, code, script, style, mjx-container").forEach(e => e.remove());
    for (const raw of ["\\(", "\\[", "$$", "\\eqref", "\\tag"]) if (text.textContent.includes(raw)) found.push("raw " + raw);
    const formulas = document.querySelectorAll(".math").length, set = document.querySelectorAll("mjx-container").length;
    if (set < formulas) found.push(`${set} of ${formulas} formulas are set`);
    for (const e of document.querySelectorAll("mjx-merror, [data-mjx-error]")) found.push("formula: " + (e.dataset.mjxError || e.textContent));
    for (const e of document.querySelectorAll("svg[role=img], img"))
        if (!e.closest("mjx-container") && !(e.getAttribute("aria-label") || e.hasAttribute("alt"))) found.push("no name: " + e.outerHTML.slice(0, 120));
    return found }"""

CUT = r"""() => [...document.querySelectorAll(
    "dl.py :is(dt, dd, td), .bd-article :not(pre) > code, .prev-next-title")]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 3).map(e => "cut: " + e.outerHTML.slice(0, 120))"""

WIDE = r"""() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => "wider than the phone: " + e.outerHTML.slice(0, 120)).concat("scrolls sideways")"""

SIDEWAYS = r"""async () => { for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);        // tables become cards
    return [...document.querySelectorAll(".bd-article .pst-scrollable-table-container")].filter(e => e.scrollWidth > e.clientWidth + 1).slice(0, 3).map(e => "a table scrolls sideways: " + e.textContent.trim().slice(0, 120)) }"""

# a text is as large as its largest letters: an index may be smaller
SMALL = r"""() => [...document.querySelectorAll(".bd-article :is(figure, .cell_output) svg text")]
    .filter(t => !t.closest("mjx-container, .dtree-stage") && t.textContent.trim() && t.getClientRects().length)
    .map(t => [t, Math.max(...[t, ...t.querySelectorAll("tspan")].map(e => parseFloat(getComputedStyle(e).fontSize))) * Math.hypot(t.getScreenCTM().a, t.getScreenCTM().b)])
    .filter(([, size]) => size < 10.99).slice(0, 3).map(([t, size]) => `letters of ${size.toFixed(1)} pixels: ${t.closest("figure")?.id} ${t.textContent.trim()}`)"""

SIGNS = r"""() => [...document.querySelectorAll(".bd-article :is(figure.drawn, .frame)")].filter(e => e.scrollWidth > e.clientWidth + 1 && !e.matches(".sideways"))
    .map(e => "broader than the page, and does not say so: " + (e.id || e.closest("figure")?.id))"""

BROAD = r"""() => [...document.querySelectorAll("div.math, div.cell_input pre")].filter(e => e.scrollWidth > e.clientWidth)
    .map(e => `a formula, or code, of ${e.scrollWidth} pixels, and room for ${e.clientWidth}: ${e.textContent.trim().slice(0, 30)}`)"""

def first_reading():
    "The pages of the first reading, and the first page."
    parts = tomllib.loads((ROOT / "docs/readings.toml").read_text("utf-8"))["part"]
    return {"index.html"} | {page.partition("_")[2] + ".html" for part in parts
                             if part["reading"] == "First reading" for page in part["pages"]}

def test_pages_in_a_browser(site, pages, browser):
    problems, context = [], browser.new_context(**DAY | PHONE)     # what fits there fits elsewhere
    tab, said = watched(context)        # one for all pages: another would begin as another process
    first = first_reading()
    assert first <= pages.keys()
    for name, page in pages.items():
        load(tab, (site / name).as_uri())
        looks = LOOK, SIDEWAYS, WIDE, CUT, *(SMALL, SIGNS) * (name in first)
        found = [what for look in looks for what in tab.evaluate(look)]
        if page.xpath("//div[contains(@class, 'math')]"):      # but for these, which are wider
            tab.set_viewport_size(DAY["viewport"])
            found += tab.evaluate(BROAD)
            tab.set_viewport_size(PHONE["viewport"])
        problems += [f"{name}: {what}" for what in said + found]
        said.clear()
    context.close()
    report(problems)

@pytest.mark.parametrize("name, scheme", [("errata", "light"), ("guide", "dark")])
def test_wide_tables_become_cards_on_a_phone(site, browser, name, scheme):
    with opened(browser, (site / f"{name}.html").as_uri()) as (tab, said):
        tab.emulate_media(color_scheme=scheme)
        assert tab.locator("table.cards").count() == 0
        tab.set_viewport_size(PHONE["viewport"])
        tab.wait_for_selector("table.cards")
        table = tab.locator("table.cards").first
        heads = table.locator("thead th").all_text_contents()
        for row in table.locator("tbody tr").all()[:3]:
            names = row.locator("td > .column")
            assert (names.all_text_contents() == heads
                    and [n.is_visible() for n in names.all()][:2] == [False, True])
            name, said_there = (names.nth(1).bounding_box(),
                                row.locator("td").nth(1).locator("> div").bounding_box())
            # side by side
            assert (name["x"] + name["width"] < said_there["x"]
                    and abs(name["y"] - said_there["y"]) < 8)
        tab.set_viewport_size({"width": 1280, "height": 844})
        assert table.locator("thead").is_visible() and not table.locator(".column:visible").count()
    report(said)

ALONE = r"""() => [...document.querySelectorAll(".bd-article span.math")].filter(formula => {
    const after = formula.nextSibling
    if (after?.nodeType !== 3 || !/^[,.;:!?)]/.test(after.data)) return false
    const mark = document.createRange()
    mark.setStart(after, 0)
    mark.setEnd(after, 1)
    return mark.getBoundingClientRect().left < formula.getBoundingClientRect().right - 2
}).map(formula => formula.nextSibling.data.slice(0, 30))"""

def test_an_address_is_where_it_was_when_tables_become_cards(site, browser):
    with opened(browser, "about:blank") as (tab, said):
        tab.set_viewport_size(PHONE["viewport"])
        for term in ("decision-tree", "entropy"):
            load(tab, f"{(site / 'glossary.html').as_uri()}#term-{term}")
            tab.wait_for_selector("table.cards")
            assert 0 < tab.locator(f"#term-{term}").bounding_box()["y"] < 300
    assert not said

@pytest.mark.parametrize("width", [300, 390, 460])
def test_no_line_begins_with_the_comma_behind_a_formula(site, browser, width):
    with opened(browser, (site / "entropy.html").as_uri()) as (tab, said):
        tab.set_viewport_size(dict(width=width, height=844))
        assert tab.locator(".bd-article span.math").count() > 30
        assert tab.evaluate(ALONE) == []
    report(said)

LETTERS = r"""() => [...document.querySelectorAll(".bd-article section > p")]
    .filter(p => p.textContent.length > 250 && !p.querySelector("mjx-container, code"))
    .map(p => p.textContent.length * parseFloat(getComputedStyle(p).lineHeight) / p.clientHeight)"""

@pytest.mark.parametrize("width", [1280, 1600])
def test_the_faces_are_served_and_lines_are_short(site, browser, width):
    "The last line of a paragraph is not full, so the mean is some letters less than a line holds."
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        tab.set_viewport_size({"width": width, "height": 900})
        there = tab.evaluate("""document.fonts.ready.then(
            () => [...document.fonts].filter(f => f.status === "loaded").map(f => f.family))""")
        assert {"dtree Text", "dtree Code"} <= {family.strip('"') for family in there}
        words = tab.locator("figure.drawn svg text").first           # of a figure, too
        assert words.evaluate("e => getComputedStyle(e).fontFamily").startswith('"dtree Text"')
        lines = tab.evaluate(LETTERS)
        assert len(lines) > 5 and 55 < sum(lines) / len(lines) < 75
    report(said)

@pytest.mark.parametrize("name", ["entropy", "gain"])
def test_figures_are_as_wide_as_the_text(site, browser, name):
    with opened(browser, (site / f"{name}.html").as_uri()) as (tab, said):
        text = max(p.bounding_box()["width"] for p in tab.locator("section > p:visible").all())
        wide = [f.bounding_box()["width"] for f in tab.locator("figure.drawn > svg").all()]
    assert len(wide) > 2 and min(wide) >= text - 1
    report(said)

def test_the_headline_of_home_says_what_it_is_about_and_the_figure_is_in_view(site, browser):
    with opened(browser, (site / "index.html").as_uri()) as (tab, said):
        def size(part): return float(tab.locator(part).first.evaluate(
            "e => parseFloat(getComputedStyle(e).fontSize)"))
        assert size(".bd-article .lead p") > 1.5 * size(".bd-article h1")
        bar = tab.locator(".dtree-stage .bar").first.bounding_box()
        assert bar["y"] + bar["height"] < 900                   # the acts, and what is left to ask
        tab.set_viewport_size(dict(width=390, height=844))
        assert size(".bd-article .lead p") > 1.3 * size(".bd-article h1")
        assert tab.evaluate("document.documentElement.scrollWidth") == 390
    report(said)

def test_home_says_first_what_a_tree_is_for(site, browser):
    "A sentence, and a picture that fits on the first screen and keeps its letters on a phone."
    letters = """svg => [...svg.querySelectorAll("text")].map(t => parseFloat(
        getComputedStyle(t).fontSize) * t.getScreenCTM().a)"""
    with opened(browser, (site / "index.html").as_uri()) as (tab, said):
        first, picture = (tab.locator(what).first for what in ("section > p", "#fig-falling svg"))
        assert "decision tree" in first.inner_text() and "dtree_lit" not in first.inner_text()
        box = picture.bounding_box()
        assert box["y"] + box["height"] < 900 and box["width"] > 400
        tab.set_viewport_size(PHONE["viewport"])
        assert min(picture.evaluate(letters)) > 10.9
    report(said)

@pytest.mark.parametrize("name", ["first_tree", "gain"])
def test_contents_mark_the_section_that_is_read(site, browser, name):
    "Downward and upward, and where a figure stays above the text."
    with opened(browser, (site / f"{name}.html").as_uri()) as (tab, said):
        links = tab.locator("#contents a")
        order = [*range(links.count() - 1)]                # the last may end the page
        for i in order + order[::-1]:
            wanted = links.nth(i).inner_text()
            links.nth(i).evaluate("""link => {
                const part = document.getElementById(link.hash.slice(1))
                const cue = part.querySelector(":scope > p > [data-act]")
                scrollBy({ behavior: "instant", top: (cue || part).getBoundingClientRect().top
                    - (cue ? 0.8 : 0.3) * innerHeight }) }""")
            tab.wait_for_timeout(60)
            marked = tab.locator("#contents a.active").all_inner_texts()
            assert marked == tab.locator("#contents [aria-current]").all_inner_texts() == [wanted]
    report(said)

NOTES = """() => {
    const boxes = [...document.querySelectorAll(".claim, .bd-article pre, .bd-sidebar-secondary")]
    const at = boxes.map(box => box.getBoundingClientRect()), touch = (a, b) => a.left < b.right
        && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    return boxes.filter((box, i) => box.matches(".claim") && at.some((b, j) =>
        j !== i && touch(at[i], b))).map(box => box.id)
}"""

@pytest.mark.parametrize("width, beside", [(1500, False), (1504, True), (1920, True)])
def test_statements_stand_beside_the_text_where_there_is_room(site, browser, width, beside):
    "Unfolded, too, none touches another, the code, or the contents of the page."
    with opened(browser, (site / "gain.html").as_uri()) as (tab, said):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.evaluate("document.querySelectorAll('.claim').forEach(card => card.open = true)")
        prose = tab.locator(".bd-article section > p").first.bounding_box()
        cards = [card.bounding_box()["x"] for card in tab.locator(".claim").all()]
        assert len(cards) > 9
        assert all((x > prose["x"] + prose["width"]) == beside for x in cards)
        assert not tab.evaluate(NOTES)
    report(said)

def test_the_head_of_a_page_unfolds_in_other_languages(site, browser):
    with opened(browser, (site / "gain.html").as_uri()) as (tab, said):
        head = tab.locator("details.languages")
        assert (head.locator("summary").inner_text() == "한국어 · 繁體中文"
                and not head.get_by_text("정보 이득").first.is_visible())
        head.locator("summary").press("Enter")
        for lang, title, word in [("ko", "정보 이득", "분할 하나의 값어치는 얼마일까?"),
                                  ("zh-Hant", "資訊增益", "一次分割值多少？")]:
            text = head.locator(f"div[lang={lang}]")
            assert (text.locator("strong").first.inner_text() == title
                    and text.get_by_text(word).first.is_visible())
    report(said)

def test_each_page_says_what_it_is_to_whoever_links_to_it(site, pages):
    for name, page in pages.items():
        if name in ("404.html", "search.html"): continue
        said = {t.get("name") or t.get("property"): t.get("content") for t in page.iter("meta")
                if t.get("name") == "description" or t.get("property")}
        head = page.find(".//h1")
        assert (said["description"] == said["og:description"] and len(said["description"]) > 20
                and "<" not in said["description"]), name
        assert (said["og:title"] == next(head.itertext()).strip()
                or head.text_content().startswith(said["og:title"])), name
        assert (((site / name).parent / said["og:image"]).resolve()
                == (site / "_static/home.png").resolve()), name
    (said,) = pages["gain.html"].xpath("//meta[@name='description']/@content")
    assert said.startswith("What is a split worth?")

def test_a_lost_page_loads_nothing_and_leads_back(pages):
    page = pages["404.html"]
    assert not [*page.iter("script", "img")] and set(page.xpath("//link/@href")) == {"data:,"}
    assert set(page.xpath("//a/@href")) >= {"/index.html", "/derivations.html", "/search.html"}

def test_llms_txt_has_every_page_in_the_order_of_reading(site):
    import execute
    import readings
    text = (site / "llms.txt").read_text("utf-8")
    listed = re.findall(r"^- \[[^\]]+\]\(([\w/]+)\.html\): \S", text, re.M)
    names = {p.stem for p in execute.notebooks(execute.ROOT)}
    order = [name for part in readings.readings(execute.ROOT, names).parts for name in part.pages]
    assert ([page for page in listed if page in {name.partition("_")[2] for name in order}]
            == [name.partition("_")[2] for name in order])
    # with the reference, without the front page
    assert len(listed) == len(set(listed)) == len(names)
    assert all((site / f"{page}.html").is_file() for page in listed)
    examples, readme = (re.findall(r"```python\n(.*?)\n```", text, re.S),
                        (execute.ROOT / "README.md").read_text("utf-8"))
    assert len(examples) == 3 and all(example in readme for example in examples)

@pytest.mark.parametrize("words, page, name",
                         [("정보 이득", "gain", "information gain"),
                          ("資訊增益", "gain", "information gain"),
                          ("정보이득", "gain", "information gain"), ("剪枝", "prune", "pruning")])
def test_the_search_knows_the_words_of_the_documents(site, browser, words, page, name):
    with opened(browser, f"{(site / 'search.html').as_uri()}?q={quote(words)}") as (tab, said):
        there = "#search-results li:has(.context) a[href*='/NAME.html'], "
        there += "#search-results li:has(.context) a[href^='NAME.html']"
        for name_of in (page, "glossary"):                  # they come one after the other
            tab.wait_for_selector(there.replace("NAME", name_of), state="attached")
        found = {li.locator("a").first.get_attribute("href").split("?")[0].split("#")[
            0]: li.inner_text() for li in tab.locator("#search-results li").all()}
    assert {f"{page}.html", "glossary.html"} <= found.keys() and len(found) < 15
    # where it is derived, and what it is called
    assert words in found[f"{page}.html"] and name in found["glossary.html"].lower()
    report(said)

def test_words_of_other_languages_say_so(pages):
    def silent(page):
        for text in filter(re.compile("[가-힣㐀-鿿]").search, page.xpath("//main//text()")):
            inner = text.getparent()
            around = [*inner.iterancestors(), *([] if text.is_tail else [inner])]
            if not any(t.get("lang") in ("ko", "zh-Hant") or t.tag in ("code", "pre", "script")
                       for t in around):
                yield text
    report([f"{name}: {text}" for name, page in pages.items() for text in silent(page)])

def test_figures_follow_the_dark_switch(site, pages, browser):
    name = next(n for n, page in pages.items()
                if page.xpath("//figure[contains(@class, 'drawn')]//svg"))
    ask = """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle([...document.querySelectorAll("figure.drawn svg *")]
                  .find(e => e.getAttribute("style")?.includes("currentColor"))).stroke]"""
    with opened(browser, (site / name).as_uri()) as (tab, said):
        light = tab.evaluate(ask)
        tab.click(".theme-switch-button:visible")
        tab.click(".theme-change-button[data-mode=dark]:visible")
        tab.wait_for_function("document.documentElement.dataset.theme == 'dark'")
        tab.wait_for_timeout(400)                # colours fade
        dark = tab.evaluate(ask)
    brightness = lambda colour: sum(map(int, re.findall(r"\d+", colour)[:3]))
    assert (brightness(light[0]) > 600 > brightness(light[1])
            and brightness(dark[0]) < 200 < brightness(dark[1])), (light, dark)

def test_the_threshold_moves(site, browser):
    with opened(browser, (site / "explorers.html").as_uri()) as (tab, said):
        state = lambda: tab.inner_text(".dtree-microscope .state")
        slider = tab.locator(".dtree-microscope input[type=range]")
        assert state().startswith("age >= 27.5: T holds 24530") and "gain 0.0737 bit" in state()
        for key, words in {"Home": "age >= 17.5", "End": "age >= 89",
                           "ArrowLeft": "age >= 87.5"}.items():
            slider.press(key)
            assert words in state(), (key, state())
        tab.click(".dtree-microscope button")
        assert state().startswith("age >= 27.5")
    report(said)

def test_the_parts_of_a_node_move(site, browser):
    with opened(browser, (site / "entropy.html").as_uri(), has_touch=True) as (tab, said):
        figure = tab.locator(".dtree-chord")
        state, parts = figure.locator(".state").inner_text, figure.get_by_role("slider")
        assert state().endswith("Mean of the parts 0.768, gain 0.224")
        for _ in range(4): parts.nth(1).press("ArrowLeft")
        for _ in range(2): parts.nth(0).press("ArrowRight")
        assert (state().startswith("F: 3 of 8 positive") and "T: 4 of 12" in state()
                and state().endswith("gain 0.001"))
        figure.get_by_role("combobox").select_option("share of errors")
        # other shares, and the errors do not see it
        assert "Mean of the parts 0.350, gain 0.000. Nothing is gained" in state()
        box = figure.locator("svg").bounding_box()
        tab.touchscreen.tap(box["x"] + box["width"] - 1, box["y"] + 100)
        assert state().startswith("F: 8 of 8 positive")         # the nearer of the two comes
    report(said)

def test_labels_are_turned_over(site, browser):
    with opened(browser, (site / "candidates.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-cuts")
        state, mark = figure.locator(".state").inner_text, figure.locator(".row button")
        assert (state()
                == "2 of 10 cuts are boundaries (filled). The best is after 8 labels and leaves "
                   "6.49 bits.")
        mark.nth(9).click()
        mark.nth(4).focus()
        tab.keyboard.press("Enter")
        assert (state().startswith("6 of 10 cuts are boundaries")
                and mark.nth(4).get_attribute("class") == "negative")
    with opened(browser, (site / "fast_split.html").as_uri()) as (tab, more):
        figure = tab.locator(".dtree-cuts")
        state = figure.locator(".state").inner_text
        assert state().endswith("so the block stays closed.")
        figure.get_by_role("slider").nth(1).press("End")
        assert state().endswith("so the block has to be opened.")
    report(said + more)

def test_a_tree_folds_as_a_leaf_costs_more(site, browser):
    with opened(browser, (site / "cost_complexity.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-steps").last
        state = figure.locator(".state").inner_text
        assert "1 leaf, grown 0." in state() and "cross-validated 0." in state()
        figure.get_by_role("slider").press("ArrowLeft")
        assert re.search(r"price 0\.\d+: \d+ leaves", state())
    report(said)

def test_the_best_threshold_is_looked_for_by_hand(site, browser):
    with opened(browser, (site / "first_tree.html").as_uri(), has_touch=True,
                reduced_motion="reduce") as (tab, said):
        figure = tab.locator(".dtree-microscope")
        state, drawn = (figure.locator(".state").inner_text,
                        lambda: figure.locator("path.gain").get_attribute("d").count("L"))
        assert (figure.locator("svg .title").all_text_contents()
                == ["examples", "information gain (bit)"])
        assert state().startswith("age >= 17.5") and drawn() == 1
        for key, words, steps in [("ArrowRight", "age >= 18.5", 2),
                                  ("ArrowRight", "age >= 19.5", 3),
                                  ("ArrowLeft", "age >= 18.5", 3)]:
            figure.get_by_role("slider").press(key)
            assert state().startswith(words) and drawn() == steps, key     # what was drawn stays
        box = figure.locator("svg").bounding_box()
        def at(share): return box["x"] + share * box["width"], box["y"] + box["height"] / 2
        tab.touchscreen.tap(*at(0.3))
        by_finger = drawn()
        tab.mouse.move(*at(0.4))
        tab.mouse.down()
        tab.mouse.move(*at(0.6))
        tab.mouse.up()
        assert 3 < by_finger < drawn() < 72
        figure.get_by_role("button").click()
        # 72 thresholds, and the end
        assert state().startswith("age >= 27.5") and "gain 0.0737 bit" in state() and drawn() == 73
    report(said)

@pytest.mark.parametrize("width", [1280, 390])
def test_the_thumb_of_a_threshold_is_below_its_line(site, browser, width):
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        tab.set_viewport_size(dict(width=width, height=900))
        slider = tab.locator(".dtree-microscope input")
        for key in ("Home", "PageUp", "ArrowRight", "PageUp", "PageUp", "End", "ArrowLeft"):
            slider.press(key)
            line, thumb = slider.evaluate("""s => {
                const box = s.getBoundingClientRect(), share = (s.value - s.min) / (s.max - s.min)
                const line = s.closest("figure").querySelector("svg > g:last-child > path")
                return [line.getBoundingClientRect().x, box.x + 8 + share * (box.width - 16)] }""")
            assert abs(line - thumb) < 1.5, key
    report(said)

def test_answers_are_folded(site, browser):
    with opened(browser, (site / "first_tree.html").as_uri()) as (tab, said):
        answer = tab.get_by_text("less than that of the outlook")
        assert not answer.is_visible()
        tab.get_by_text("The answer", exact=True).first.press("Enter")
        assert answer.is_visible()
    report(said)

@pytest.mark.parametrize("x, sentence",
                         [([1_700_000_000 + i for i in range(6)], "seconds >= 1700000002.5"),
                          (list(range(5000)), "seconds >= 2499.5")])
def test_a_microscope_for_any_column(browser, tmp_path, x, sentence):
    from dtree_lit import ThresholdExplorer
    page = ThresholdExplorer(x, [2 * i >= len(x) for i in range(len(x))],
                             feature="seconds")._repr_html_()
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><link rel=icon "
                                        f"href=data:,><body>{page}", "utf-8")
    with opened(browser, (tmp_path / "page.html").as_uri()) as (tab, said):
        assert tab.inner_text(".dtree-microscope .state").startswith(sentence)
        ticks = tab.evaluate("[...document.querySelectorAll('.dtree-microscope svg text')].map(t "
                             "=> t.textContent)")
        assert not [t for t in ticks if t == "NaN" or "Infinity" in t]
    report(said)

@pytest.fixture(scope="session")
def steps():
    "Steps of a tree with three prunings, and of another tree."
    import numpy as np
    from dtree_lit import PruningPlayer, grow, reduced_error_pruning
    rng = np.random.default_rng(7)
    def noisy(n):
        return ((X := rng.integers(0, 10, (n, 2)).astype(float)),
                ((X[:, 0] >= 5) != (rng.random(n) < 0.3)).astype(int))
    one, two = grow(*noisy(60)), grow(*noisy(30))
    P = noisy(30)
    some = {f"labels: {who}": reduced_error_pruning(one, *P, labels=who)
            for who in ("training", "pruning", "both")}
    some["iteration"] = reduced_error_pruning(one, *P, by="iteration")
    return PruningPlayer(one, some), PruningPlayer(two)

@pytest.fixture
def steps_page(steps, tmp_path):
    "The address of a page with both of them."
    parts = "<hr>".join(s._repr_html_() for s in steps)
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><meta name=viewport "
                                        f"content=width=device-width><link rel=icon "
                                        f"href=data:,><body>{parts}", "utf-8")
    return (tmp_path / "page.html").as_uri()

def moments(steps):
    "For each pruning the classes of the boxes, and what is said, moment by moment."
    import numpy as np
    from dtree_lit.trees.steps import states
    grown, pruned = steps.histories(np.flatnonzero(steps.tree.width))
    for after in list(pruned.values()) or [[]]:
        told = grown + after
        yield [(states(steps.tree, told[:i]), steps.sentence(told[i - 1]) if i else "node 0")
               for i in range(len(told) + 1)]

# at each of some moments: the classes of the boxes and of the texts, what is said, and the answers
AT_MOMENTS = """(figure, moments) => moments.map(i => {
    const slider = figure.querySelector("input"), nodes = [...figure.querySelectorAll("g[data-node]")]
    slider.value = i
    slider.dispatchEvent(new Event("input"))
    const answer = g => (g.querySelector(".turn") ?? g.querySelector("text:last-of-type")).textContent
    return [nodes.map(g => g.getAttribute("class").replace(" here", "")),
            figure.querySelector(".state").innerText,
            Object.fromEntries(nodes.filter(g => g.querySelector("text")).map(g => [g.dataset.node, answer(g)]))] })"""

def says(history, i): return f"{i} of {len(history) - 1} · {history[i][1]}"

def test_steps_show_what_python_says(browser, steps, steps_page):
    with opened(browser, steps_page) as (tab, said):
        figure, other = tab.locator(".dtree-steps").all()
        untouched = other.inner_html()
        for which, history in enumerate(moments(steps[0])):
            figure.locator("select").select_option(index=which)
            order = [*range(len(history)), 0, len(history) - 1]
            for i, (words, state, _) in zip(order, figure.evaluate(AT_MOMENTS, order), strict=True):
                assert words == history[i][0] * 2, (which, i)
                assert state.startswith(says(history, i))
        assert other.inner_html() == untouched
        assert other.locator("select").count() == 0
    report(said)

def test_a_child_that_was_raised_is_seen(browser, tmp_path):
    import numpy as np
    from dtree_lit import PruningPlayer, grow
    from dtree_lit.pruning.subtree_raising import RAISE
    from dtree_lit.trees.words import verdict
    error_based_spec = on_page("570_error_based").error_based_spec
    rng, found = np.random.default_rng(0), []
    while len(found) < 3:
        X, y = rng.integers(0, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
        tree = grow(X, y)
        trace = error_based_spec(tree, X, y).trace
        if (trace.done == RAISE).any(): found.append(PruningPlayer(tree, {"raised": trace}))
    (tmp_path / "page.html").write_text("<!doctype html><meta charset=utf-8><link rel=icon "
                                        "href=data:,><body>" + "<hr>".join(
        s._repr_html_() for s in found), "utf-8")
    with opened(browser, (tmp_path / "page.html").as_uri()) as (tab, said):
        for figure, steps in zip(tab.locator(".dtree-steps").all(), found, strict=True):
            (history,), told = (moments(steps),
                                [s for part in steps.histories(np.flatnonzero(steps.tree.width))
                                 for s in (part if isinstance(part, list) else part["raised"])])
            text = {str(k): verdict(steps.tree, k) for k in range(steps.tree.node_count)}
            seen = figure.evaluate(AT_MOMENTS, list(range(len(history))))
            for i, (words, state, answers) in enumerate(seen):
                if i and told[i - 1].lines: text[str(told[i - 1].node)] = told[i - 1].lines[0]
                if i: text |= {str(k): answer for k, answer in told[i - 1].others}
                assert (words, answers) == (history[i][0] * 2, text), i
                assert state.startswith(says(history, i))
            assert "raised" in words or "cut" in words
        assert any("raised" in words for steps in found for history in moments(steps)
                   for words, _ in history)
    report(said)

def test_steps_answer_to_buttons_keys_and_the_switch(browser, steps, steps_page):
    histories = [*moments(steps[0])]
    last = len(histories[0]) - 1
    with opened(browser, steps_page) as (tab, said):
        figure = tab.locator(".dtree-steps").first
        at = lambda: int(figure.locator(".state").inner_text().split()[0])
        assert at() == last
        for button, where in [("forward", last), ("back", last - 1), ("first", 0), ("back", 0),
                              ("forward", 1), ("last", last)]:
            # also where it is at its end
            figure.get_by_role("button", name=button, exact=True).click(force=True)
            assert at() == where, button
        for control in (figure.get_by_role("slider"), figure.get_by_role("button", name="forward")):
            for key, where in [("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2),
                               ("ArrowLeft", 1), ("End", last)]:
                control.press(key)
                assert at() == where, key
        figure.get_by_role("button", name="first").press("Enter")
        figure.get_by_role("button", name="forward").press("Space")
        assert at() == 1
        pressed = {name: figure.get_by_role("button", name=name).get_attribute("aria-disabled")
                   for name in ("back", "forward")}
        assert pressed == {"back": "false", "forward": "false"}
        # the end of one pruning becomes a moment of the other
        for which, history in enumerate(histories):
            figure.locator("select").select_option(index=which)
            assert (at() == 1 and figure.get_by_role("slider").get_attribute("max")
                    == str(len(history) - 1))
        text = figure.locator(".state")
        assert (text.get_attribute("aria-live") == "polite"
                and figure.get_by_role("slider").get_attribute("aria-valuetext")
                == f"1 of {len(histories[-1]) - 1}")
    report(said)

def test_steps_show_where_the_focus_is_and_keep_the_picture_still(browser, steps, steps_page):
    with opened(browser, steps_page, reduced_motion="reduce") as (tab, said):
        figure = tab.locator(".dtree-steps").first
        places = """figure => [...figure.querySelectorAll("rect")].map(r => {
            const b = r.getBoundingClientRect();
            return [b.x, b.y, b.width].map(Math.round).join(); })"""
        before, rings = figure.evaluate(places), []
        for _ in range(6):                                    # the select, four buttons, the slider
            tab.keyboard.press("Tab")
            rings.append(tab.evaluate("""() => {
                const at = document.activeElement, style = getComputedStyle(at);
                return [at.tagName, style.outlineStyle, parseFloat(style.outlineWidth)]; }"""))
        assert ([tag for tag, *_ in rings] == ["SELECT", *["BUTTON"] * 4, "INPUT"]
                and all(style == "solid" and width >= 2 for _, style, width in rings))
        for _ in range(8): figure.get_by_role("button", name="back").click()
        assert figure.evaluate(places) == before
        assert set(figure.locator("g[data-node]").evaluate_all(
            "gs => gs.map(g => getComputedStyle(g).transitionDuration)")) == {"0s"}
    report(said)

def test_steps_without_a_script_are_a_picture(browser, steps, steps_page):
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(steps_page)
        figure = tab.locator(".dtree-steps").first
        assert tab.locator("button, input, select").count() == 0
        image = figure.locator("img")
        assert (image.is_visible() and image.bounding_box()["height"] > 200
                and "43 nodes" in image.get_attribute("alt"))
        svg = html.document_fromstring(b64decode(image.get_attribute("src").split(",")[1]))
        words, _ = next(moments(steps[0]))[-1]
        assert svg.xpath("//g[@data-node]/@class") == words * 2
        assert sum(t.text_content().endswith((": prune", ": keep"))
                   for t in svg.find_class("turn")) == (steps[0].tree.width > 0).sum()

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_steps_on_a_phone(browser, steps_page, scheme):
    with opened(browser, steps_page) as (tab, said):
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size(PHONE["viewport"])
        tab.reload()
        figure = tab.locator(".dtree-steps").first
        seen = """figure => { const box = figure.querySelector(".here rect").getBoundingClientRect(), frame = figure.querySelector(".frame").getBoundingClientRect();
                  return box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom; }"""
        for _ in range(12):
            figure.get_by_role("button", name="back").click()
            assert figure.evaluate(seen)
        assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert all(b.bounding_box()["x"] + b.bounding_box()["width"] <= 390
                   for b in figure.locator("button, input, select").all())
    report(said)

def test_figure_5_is_walked_through_on_the_site(site, browser):
    with opened(browser, (site / "rep_essay.html").as_uri()) as (tab, said):
        figure = tab.locator(".dtree-steps")
        state = lambda: figure.locator(".state").inner_text()
        assert state().endswith("errors as leaf 2 <= errors as subtree 3: prune")
        assert (figure.locator("g.gone rect").count() == 6
                and figure.locator("g.cut rect").count() == 1)
        figure.locator("select").select_option(label="labels: pruning")
        assert state().endswith(": keep") and figure.locator("g.gone rect").count() == 4
        figure.get_by_role("button", name="first").click()
        # a step, and not the next page
        figure.get_by_role("button", name="first").press("ArrowRight")
        assert (state().startswith("1 of 6 · node 0, a >= 0.5? 17 examples, entropy")
                and figure.locator("g.ahead rect").count() == 4)
        assert tab.url.endswith("rep_essay.html")
    report(said)

def test_steps_follow_the_dark_switch(site, browser):
    ask = """() => [".leaf rect", ".leaf text"].map((which, i) => getComputedStyle(
        document.querySelector(".dtree-steps " + which))[i ? "fill" : "stroke"])"""
    with opened(browser, (site / "whose_labels.html").as_uri()) as (tab, said):
        light = tab.evaluate(ask)
        tab.evaluate("document.documentElement.dataset.theme = "
                     "document.documentElement.dataset.mode = 'dark'")
        tab.wait_for_timeout(400)
        dark = tab.evaluate(ask)
    brightness = lambda colour: sum(map(int, re.findall(r"\d+", colour)[:3]))
    assert (all(brightness(colour) < 300 for colour in light)
            and all(brightness(colour) > 500 for colour in dark)), (light, dark)
    report(said)
