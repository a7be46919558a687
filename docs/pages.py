"""How long each page is, and how much of it is code: cells, words, minutes; and, of the site as it
was built last, its height in screens, the share of code, how many screens down its first figure
begins. `-`: it has none."""
import shutil, sys

import execute, questions, reader, readings
from execute import ROOT, load, notebooks

SCREEN = 900                               # pixels
# what a reader sees of an article: its height, that of its code, and where its first figure is
LOOK = """() => {
    const article = document.querySelector(".bd-article");
    const high = e => e.closest("details:not([open])") ? 0 : e.getBoundingClientRect().height;
    const sum = found => [...found].reduce((total, e) => total + high(e), 0);
    const figure = [...article.querySelectorAll("figure.drawn, [class^=dtree-], .text_html svg")]
        .find(e => high(e) > 40 && !e.closest("mjx-container"));
    return [high(article), sum(article.querySelectorAll(".cell_input")),
            figure ? figure.getBoundingClientRect().top + scrollY : -1];
}"""

def shape(nb):
    """The cells that a page shows, words and minutes. Questions are not counted but for the minutes:
    who needs none reads on, and misses nothing of the derivation."""
    told = [c for c in nb["cells"] if not questions.is_question(c)]
    cells = [c for c in told if c["cell_type"] != "code" or not reader.unseen(c["source"])]
    words = sum(len(c["source"].split()) for c in told if c["cell_type"] == "markdown")
    return len(cells), words, readings.minutes(nb)

def seen(names):
    "Of each page screens, share of code and screen of the first figure, as Chromium shows them."
    from playwright.sync_api import sync_playwright
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                 "google-chrome"))), None)
    if not found: sys.exit("the heights need chromium, chromium-browser or google-chrome")
    looks = {}
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1300, "height": SCREEN})
        for name in names:
            tab.goto((ROOT / f"docs/_site/{reader.page(name)}.html").as_uri())
            tab.wait_for_function("!window.MathJax || MathJax.startup.promise")
            tab.evaluate("window.MathJax && MathJax.startup.promise")
            high, code, figure = tab.evaluate(LOOK)
            looks[name] = high / SCREEN, code / high, figure / SCREEN
        browser.close()
    return looks

def main():
    nbs = {p.stem: load(p) for p in notebooks(ROOT)}
    order = readings.readings(ROOT, nbs)
    looks = seen([name for part in order.parts for name in part.pages])
    for part in order.parts:
        print(f"\n{part.reading}: {part.title}")
        print(f"{'page':26}{'cells':>6}{'words':>7}{'minutes':>8}{'screens':>8}{'code':>6}"
              f"{'figure':>7}")
        for name in part.pages:
            (cells, words, minutes), (high, code, figure) = shape(nbs[name]), looks[name]
            at = f"{figure:.1f}" if figure >= 0 else "-"
            print(f"{name:26}{cells:6}{words:7}{minutes:8}{high:8.1f}{code:6.0%}{at:>7}")
        print(f"{'':26}{'':6}{'':7}{sum(shape(nbs[name])[2] for name in part.pages):8}")

if __name__ == "__main__": main()
