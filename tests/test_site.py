"The site is whole: as HTML, and in a browser without a network."
import re
import shutil
from contextlib import contextmanager
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup

@pytest.fixture(scope="session")
def pages(site):
    "Every page, parsed, by its path in the site."
    return {p.relative_to(site).as_posix(): BeautifulSoup(p.read_bytes(), "html.parser") for p in sorted(site.rglob("*.html")) if "_static" not in p.parts}

def report(problems): assert not problems, "\n" + "\n".join(problems)

def test_ids_are_unique(pages):
    def twice(page):
        ids = [t["id"] for t in page.find_all(id=True)]
        return sorted({i for i in ids if ids.count(i) > 1})
    report([f"{name}: {i}" for name, page in pages.items() for i in twice(page)])

def test_links_have_targets(site, pages):
    ids = {name: {t["id"] for t in page.find_all(id=True)} for name, page in pages.items()}
    def broken(name, href):
        path, anchor = urldefrag(href)
        target = (site / name).parent / unquote(path) if path else site / name
        if not target.is_file(): return True
        return anchor and target.suffix == ".html" and unquote(anchor) not in ids[target.resolve().relative_to(site.resolve()).as_posix()]
    report([f"{name}: {a['href']}" for name, page in pages.items() for a in page.find_all("a", href=True)
            if not re.match(r"[a-z]+:|#$", a["href"]) and broken(name, a["href"])])

def test_nothing_is_fetched(pages):
    outside = lambda v: v and re.match(r"(https?:)?//", v)
    report([f"{name}: {t.name} {t.get('src') or t.get('href')}" for name, page in pages.items()
            for t in page.find_all(["script", "link", "img", "iframe"]) if outside(t.get("src")) or t.name == "link" and outside(t.get("href"))])

@pytest.fixture(scope="session")
def browser():
    "The system's Chromium, headless."
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install playwright")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found: pytest.skip("the browser test needs chromium, chromium-browser or google-chrome on the PATH")
    with playwright.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()

@contextmanager
def opened(browser, url, **options):
    "A page in a window of its own, its formulas set; and the complaints of the browser."
    said = []
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light", **options)
    tab = context.new_page()
    tab.on("console", lambda m: said.append(f"console: {m.text}") if m.type == "error" else None)
    tab.on("pageerror", lambda e: said.append(f"error: {e}"))
    tab.on("request", lambda r: said.append(f"request: {r.url}") if not r.url.startswith(("file:", "data:", "blob:")) else None)
    tab.goto(url)
    tab.evaluate("window.MathJax ? MathJax.startup.promise : 0")
    yield tab, said
    context.close()

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

WIDE = r"""() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => "wider than the phone: " + e.outerHTML.slice(0, 120)).concat("scrolls sideways")"""

def test_pages_in_a_browser(site, pages, browser):
    problems = []
    for name in pages:
        with opened(browser, (site / name).as_uri()) as (tab, said):
            said += tab.evaluate(LOOK)
            tab.set_viewport_size({"width": 390, "height": 844})
            said += tab.evaluate(WIDE)
            problems += [f"{name}: {what}" for what in said]
    report(problems)

def test_figures_follow_the_dark_switch(site, pages, browser):
    name = next(n for n, page in pages.items() if page.select("figure.drawn svg"))
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
    assert brightness(light[0]) > 600 > brightness(light[1]) and brightness(dark[0]) < 200 < brightness(dark[1]), (light, dark)

def test_the_threshold_moves(site, browser):
    with opened(browser, (site / "candidates.html").as_uri()) as (tab, said):
        state = lambda: tab.inner_text(".dtree-microscope .state")
        slider = tab.locator(".dtree-microscope input[type=range]")
        assert state().startswith("age >= 27.5: T holds 24530") and "gain 0.0737 bit" in state()
        for key, words in {"Home": "age >= 17.5", "End": "age >= 89", "ArrowLeft": "age >= 87.5"}.items():
            slider.press(key)
            assert words in state(), (key, state())
        tab.click(".dtree-microscope button")
        assert state().startswith("age >= 27.5")
    report(said)

@pytest.mark.parametrize("x, sentence", [([1_700_000_000 + i for i in range(6)], "seconds >= 1700000002.5"), (list(range(5000)), "seconds >= 2499.5")])
def test_a_microscope_for_any_column(browser, tmp_path, x, sentence):
    from dtree_lit import Microscope
    page = Microscope(x, [2 * i >= len(x) for i in range(len(x))], feature="seconds")._repr_html_()
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><link rel=icon href=data:,><body>{page}", "utf-8")
    with opened(browser, (tmp_path / "page.html").as_uri()) as (tab, said):
        assert tab.inner_text(".dtree-microscope .state").startswith(sentence)
        ticks = tab.evaluate("[...document.querySelectorAll('.dtree-microscope svg text')].map(t => t.textContent)")
        assert not [t for t in ticks if t == "NaN" or "Infinity" in t]
    report(said)
