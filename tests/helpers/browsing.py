"A browser, and a page opened in it."
import shutil
from contextlib import contextmanager

import pytest
from helpers.places import ROOT

@pytest.fixture(scope="session")
def browser():
    "The system's Chromium, headless."
    playwright = pytest.importorskip("playwright.sync_api",
                                     reason="the browser test needs playwright: pip install "
                                            "playwright")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
                 None)
    if not found:
        pytest.skip("no chromium, chromium-browser or google-chrome on the PATH")
    with playwright.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()

@pytest.fixture(scope="session")
def runtime():
    "The files of the pages' Python; a test of them is skipped where they cannot be had."
    import live
    if isinstance(files := live.runtime(ROOT), str): pytest.skip(f"cells do not run here: {files}")
    return files

# scripts of the pages' Python, which stand in a page once it has loaded them
RUNTIME = "script[src*=pyodide], script[src*=numpy]"
# how large each text of a figure is, as it is rendered, in pixels
LETTERS = """figure => [...figure.querySelectorAll("*")].filter(e => e.getClientRects().length
    && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).map(e => {
    const longest = box => Math.max(box.width, box.height), at = longest(e.getBoundingClientRect())
    return [parseFloat(getComputedStyle(e).fontSize) * (e.getBBox ? at / longest(e.getBBox()) : 1),
            e.textContent] })"""
DAY = dict(viewport={"width": 1280, "height": 900}, color_scheme="light")

def watched(context):
    "A tab, and the complaints of the browser."
    tab, said = context.new_page(), []
    tab.on("console", lambda m: said.append(f"console: {m.text}") if m.type == "error" else None)
    tab.on("pageerror", lambda e: said.append(f"error: {e}"))
    tab.on("request", lambda r: said.append(f"request: {r.url}")
           if not r.url.startswith(("file:", "data:", "blob:")) else None)
    return tab, said

def load(tab, url):
    "The page is there, and its formulas are set."
    tab.goto(url)
    tab.evaluate("window.MathJax ? MathJax.startup.promise : 0")

@contextmanager
def opened(browser, url, **options):
    "A page in a window of its own, and the complaints of the browser."
    context = browser.new_context(**DAY, **options)
    tab, said = watched(context)
    load(tab, url)
    yield tab, said
    context.close()
