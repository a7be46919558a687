"""Run the cells of pages in Chromium, from a file and without a network, and compare what they
give with what they gave in JupyterLab.

    make live-test ARGS="entropy gain"

Texts must be the same, and numbers equal up to their last digits. What cannot be the same stands in
in_browser.toml, with its reason."""
import argparse, html, re, sys, time, tomllib
from math import isclose
from pathlib import Path
from shutil import which

import execute, readings, reader
from execute import ROOT

sys.path.insert(0, str(Path(__file__).with_name("_live")))
import cells

KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
# A page's cells, one after the other, as Run all above would run them.
RUN = """async () => {
    const given = live.cells.map(() => []), spent = [];
    python.listeners.give = (number, kind, text) => given[number].push([kind, text]);
    for (const c of live.cells) {
        if (!c.source || c.needs) continue;
        const begun = performance.now();
        await live.prepare(c.packages);
        const failed = await live.step(c), all = given[c.number];
        // an error is past when the package that it lacked has come
        if (!failed) all.splice(0, all.findLastIndex(([kind]) => kind === "error") + 1);
        spent[c.number] = (performance.now() - begun) / 1000;
    }
    return { given, spent, memory: await python.call("cells", "memory") };
}"""

def words(text):
    "What is read of HTML: numbers as numbers, all else as it stands."
    text = html.unescape(re.sub(r"<(svg|style|script).*?</\1>|<[^>]*>", " ", text, flags=re.S))
    text, numbers = NUMBER.sub("#", text), [float(n) for n in NUMBER.findall(text)]
    return text.split(), numbers

def escaped(text): return html.escape(text, quote=False)

def expected(outputs):
    "What a cell prints, and then what else it gives, as HTML: Jupyter gathers what is printed."
    found = [escaped(output["text"]) for output in outputs if "text" in output]
    for output in outputs:
        data = output.get("data", {})
        kind = next((k for k in ("text/html", "text/markdown", "text/plain") if k in data), None)
        if "image/svg+xml" in data or "image/png" in data: found.append("<svg></svg>")
        elif kind == "text/plain": found.append(escaped(data[kind]))
        elif kind: found.append(cells.markdown(data[kind]) if "mark" in kind else data[kind])
    return found

def difference(given, outputs):
    "How what a cell gives differs from its outputs, in a few words; or an empty string."
    if wrong := [text for kind, text in given if kind == "error"]:
        return " ".join(words(wrong[0].partition("<details>")[0])[0])
    printed = "".join(text for kind, text in given if kind == "text")
    said = [escaped(printed), *(text for kind, text in given if kind != "text")]
    asked = expected(outputs)
    pictures = [sum(text.count("<svg") for text in texts) for texts in (said, asked)]
    (ours, mine), (theirs, its) = words(" ".join(said)), words(" ".join(asked))
    if ours != theirs:
        at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b),
                  min(len(ours), len(theirs)))
        return f"says {' '.join(ours[at:at + 8])!r}, not {' '.join(theirs[at:at + 8])!r}"
    if far := [f"{a:g}, not {b:g}" for a, b in zip(mine, its) if not isclose(a, b, rel_tol=1e-9)]:
        return far[0]
    if pictures[0] != pictures[1]: return f"{pictures[0]} pictures, not {pictures[1]}"
    return ""

def run(browser, site, name):
    "Run a page; what its cells gave, how long they took, and the megabytes of Python's memory."
    context = browser.new_context(offline=True)
    context.set_default_timeout(0)
    tab = context.new_page()
    tab.goto((site / f"{reader.page(name)}.html").as_uri())
    try: return tab.evaluate(f"({RUN})()")
    finally: context.close()

def differences(name, found, outputs):
    "Of each cell of a page that gives another thing: how it differs, and why that is known."
    known = KNOWN.get(name, {})
    ran = {i for i, seconds in enumerate(found["spent"]) if seconds is not None}
    differs = {i: difference(found["given"][i], outputs[i]) for i in ran}
    return {i: (how, known.get(str(i), "")) for i, how in differs.items() if how}

def main():
    from playwright.sync_api import sync_playwright
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", help="pages; else all of the first reading")
    args = parser.parse_args()
    first = readings.readings(ROOT, execute.paths(ROOT)).folded
    names = [n for n in execute.paths(ROOT)
             if (reader.page(n) in args.page if args.page else n in first)]
    wrong = 0
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for name in names:
            begun, outputs = time.time(), execute.read_record(ROOT, name)["outputs"]
            found = run(browser, ROOT / "docs/_site", name)
            differs = differences(name, found, outputs)
            for i, (how, why) in differs.items():
                wrong += not why
                print(f"    {name} [{i}] {how[:200]}" + f" ({why})" * bool(why), flush=True)
            many = sum(s is not None for s in found["spent"])
            print(f"{name:28}{many:4} cells{time.time() - begun:7.1f} s"
                  f"{found['memory']:6.0f} MB, {len(differs)} differ", flush=True)
    sys.exit(wrong > 0)

if __name__ == "__main__": main()
