"Cells run in the page: what the build takes and writes, how a cell runs, and what a reader sees."
import hashlib
import io
import json
import re
import sys
import zipfile

import execute
import in_browser
import live
import pytest
import readings
from execute import load as load_notebook
from lxml import html
from helpers.browsing import RUNTIME, opened
from helpers.places import ROOT

# ---- the runtime

WHEEL = "tool-1-py3-none-any.whl"

def sha(data): return hashlib.sha256(data).hexdigest()

@pytest.fixture
def files(monkeypatch):
    "A runtime of one file, a lock file, and a package that depends on another; all right."
    packages = dict(tool=dict(file_name=WHEEL, sha256=sha(b"tool"), depends=["part"]),
                    part=dict(file_name="part.zip", sha256=sha(b"part"), depends=[]))
    files = {"a.wasm": b"right", live.LOCK: json.dumps(dict(packages=packages)).encode()}
    monkeypatch.setattr(live, "TABLE", dict(carrier="some==1", folder="assets/", files={
        name: sha(data) for name, data in files.items()}))
    monkeypatch.setattr(live, "IMPORTS", dict(tool="tool"))
    return files | {WHEEL: b"tool", "part.zip": b"part"}

def carrier(path, files):
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items(): wheel.writestr(f"assets/{name}", data)
    return path

def test_a_byte_that_differs_is_refused(files, tmp_path):
    for name in files:
        with pytest.raises(ValueError, match=f"{name} of some==1: another sha256"):
            live.taken(carrier(tmp_path / "wrong.whl", files | {name: b"wrong"}),
                       tmp_path / "kept")
        assert not (tmp_path / "kept").exists()
    assert live.taken(carrier(tmp_path / "right.whl", files), tmp_path / "kept") == files
    assert {p.name: p.read_bytes() for p in (tmp_path / "kept").iterdir()} == files

def test_what_is_kept_and_right_is_not_fetched_again(files, tmp_path, monkeypatch):
    monkeypatch.delenv("LIVE", raising=False)
    fetched = []
    def carried(place):
        fetched.append(place)
        return carrier(tmp_path / "right.whl", files)
    monkeypatch.setattr(live, "carried", carried)
    assert live.runtime(tmp_path) == live.runtime(tmp_path) == files and len(fetched) == 1
    for name in "part.zip", "a.wasm":
        (tmp_path / "docs/_build/live" / name).write_bytes(b"wrong")
        assert live.runtime(tmp_path) == files
    (tmp_path / "docs/_build/live" / WHEEL).unlink()
    assert live.runtime(tmp_path) == files and len(fetched) == 4

def test_without_a_runtime_the_build_says_so_in_one_line(files, tmp_path, monkeypatch, capsys):
    def unreached(place): raise OSError("pip cannot download some==1")
    monkeypatch.setattr(live, "carried", unreached)
    for off, said in [("", "pip cannot download some==1"), ("0", "LIVE=0")]:
        monkeypatch.setenv("LIVE", off)
        assert live.install(tmp_path, tmp_path / "site", {}, None) is False
        assert capsys.readouterr().out == f"  cells do not run in the pages: {said}\n"
    assert not (tmp_path / "site").exists()

def test_the_library_goes_without_machine_code_and_is_always_the_same():
    data = live.zipped(ROOT / "dtree_lit")
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert data == live.zipped(ROOT / "dtree_lit")
    assert {"dtree_lit/measures/entropy.py", "dtree_lit/data/claims.toml"} <= set(names)
    assert not [name for name in names if re.search(r"machine/|\.so$|\.pyc$", name)]

# ---- which cells run

MODULES = live.Library(ROOT / "dtree_lit")

def needed(*sources):
    return [need and sorted(need) for need in live.needs(((s, False) for s in sources), MODULES)]

def test_a_cell_needs_what_it_imports_and_what_it_uses():
    pandas, sklearn = {"pandas"}, {"sklearn"}
    assert [set(n) for n in needed("import numpy as np", "import pandas as pd\nx = 1",
                                   "pd.DataFrame()", "x", "x = np.ones(3)", "x")
            ] == [set(), pandas, pandas, pandas, set(), set()]
    assert [n and set(n) for n in needed("from sklearn.datasets import load_iris",
                                         "iris = load_iris()", "iris.data", "%timeit 1")
            ] == [sklearn, sklearn, sklearn, None]
    assert needed("import pandas as pd\nk = pd", "[k for k in range(3)]") == [["pandas"], set()]
    assert needed("import threading\nthreading.Thread()") == [["threading"]]

def test_what_a_module_of_the_library_imports_counts():
    found = needed("from dtree_lit import grow, CARTClassifier", "grow", "CARTClassifier()",
                   "from dtree_lit.measures.entropy import entropy\nentropy([1, 2])")
    assert not found[1] and "sklearn" in found[2] and not found[3]

def test_cells_as_the_page_takes_them():
    cell = lambda source: dict(cell_type="code", source=source)
    found = list(live.cells(dict(cells=[
        cell("import numpy as np\nfrom sklearn.svm import SVC"), cell("#| export\ndef f(): pass"),
        cell('#| fig-alt: "a line"\nf()'), cell("SVC()"), cell("import onnx"), cell("onnx.x"),
        cell("#| eval: false\nf()"), cell("#| needs: compiled code\ny = f()"), cell("y")]),
        MODULES))
    assert [c["base"] for c in found] == ["imports", "exported", "", "", "imports", *[""] * 4]
    assert [c["packages"] for c in found] == [["sklearn"], [], ["matplotlib"], ["sklearn"], [], [],
                                              [], [], []]
    assert [c["needs"] for c in found] == [*[""] * 5, "onnx", "", *["compiled code"] * 2]
    assert found[2]["alt"] == "a line" and found[6]["source"] == ""

def test_all_cells_of_the_first_reading_run_but_slow_ones():
    pages = execute.paths(ROOT)
    first = readings.readings(ROOT, pages).folded
    away = {(name, i): cell["needs"] for name in sorted(first)
            for i, cell in enumerate(live.cells(load_notebook(pages[name]), MODULES))
            if cell["needs"]}
    assert away == {("630_boosting", 29): "compiled code"}      # committees of C5.0

# ---- how a cell runs

@pytest.fixture
def cells():
    "Cells as the worker makes them, and what they gave."
    from runpy import run_path
    given, stand_ins = [], ("IPython", "IPython.display")
    before = {name: sys.modules[name] for name in stand_ins if name in sys.modules}
    made = run_path(str(live.OURS / "cells.py"))["Cells"](lambda *said: given.append(said), {})
    yield made, given
    for name in stand_ins: del sys.modules[name]
    sys.modules.update(before)

def test_cells_share_variables_and_give_their_last_value(cells):
    made, given = cells
    assert made.run("x = 3\nprint('so', x)\nx + 1") and made.run("x;") and made.run("None")
    assert made.run("y = x * 2\ny")
    assert "".join(said for kind, said in given if kind == "text") == "so 3\n"
    assert [said for kind, said in given if kind == "html"] == ["<pre>4</pre>", "<pre>6</pre>"]

def test_values_show_themselves(cells):
    made, given = cells
    made.run("class A:\n    def _repr_markdown_(self): return '> **L06** · ✓ holds  \\n"
             "> a `<b>`, $p<1$  \\n> [next](../1_measures/120_gain.ipynb#eq-gain)'\nA()")
    assert given == [("html", '<details class="claim holds"><summary><strong>L06</strong> · ✓ '
                              'holds</summary><p>a <code>&lt;b&gt;</code>, '
                              '<span class="math">\\(p&lt;1\\)</span><br>'
                              '<a href="gain.html#eq-gain">next</a></p></details>')]

def test_an_error_shows_its_last_line_first(cells):
    made, given = cells
    assert not made.run("def f(): return 1 / 0\nx = 1\nf()")
    (kind, text), = given
    assert kind == "error" and text.startswith(
        '<p class="live-last">ZeroDivisionError: division by zero</p><p>line 3: <code>f()</code>')
    assert "<details>" in text and "line 1, in f" in text and "cells.py" not in text
    assert not made.run("x = (") and "SyntaxError" in given[-1][1]

def test_a_broken_assert_shows_both_sides(cells):
    made, given = cells
    def last(source):
        made.run(source)
        return html.fromstring(given[-1][1]).text_content()
    assert last("half = 0.5\n\nassert half + 0.3 == 0.7").startswith(
        "AssertionError: the left side is 0.8, and the right side 0.7line 3: assert half + 0.3 ==")
    assert last("calls = []\ndef f(x):\n    assert calls.append(x) is x\nf([1] * 999)").startswith(
        "AssertionError: the left side is None, and the right side [1, 1, ")
    assert len(last("f('x' * 999)").partition("line")[0]) < 300
    assert made.run("assert len(calls) == 2") is True       # each side is computed once
    for source, said in [("assert 1 > 2, 'so'", "so"), ("assert 1 < 3 < 2", ""), ("assert []", "")]:
        assert last(source).startswith(f"AssertionError{': ' * bool(said)}{said}line 1: {source}")
    assert last("import numpy as np\nassert np.ones(2) == np.ones(2)").startswith("ValueError")

def test_what_cannot_be_imported_says_so_where_it_is_used(cells):
    made, given = cells
    assert made.run("from no_such_module import a\nimport math", lenient=True)
    assert made.run("math.floor(1.5)") is True and "no_such_module" in made.run("a(1)")
    assert "ImportError: a is not here: No module named" in given[-1][1]
    assert "no_such_module" in made.run("from no_such_module import a")
    assert made.run("1 / 0") is False

def test_a_flood_of_output_is_cut_off(cells):
    made, given = cells
    made.run("for i in range(100_000): print(i)")
    text = "".join(said for _, said in given)
    assert 200_000 < len(text) < 200_100 and text.endswith("… the rest is not shown\n")

def test_figures_are_drawn_as_by_the_kernels(cells, monkeypatch):
    made, given = cells
    import matplotlib
    from matplotlib.backend_bases import FigureCanvasBase
    # what the settings of the kernels change is put back
    monkeypatch.setattr(FigureCanvasBase, "draw_idle", FigureCanvasBase.draw_idle)
    for name in "MPLBACKEND", "PYTHON_COLORS": monkeypatch.setenv(name, "agg")
    monkeypatch.delitem(sys.modules, "IPython")          # this matplotlib would ask it for more
    source = "from matplotlib import pyplot as plt\nplt.subplots()[1].set_title('a')\nplt.figure();"
    with matplotlib.rc_context({"backend": "agg"}):
        made.draw((ROOT / "docs/jupyter/ipython_kernel_config.py").read_text("utf-8"))
        assert made.run(source, alt="a < b") is True
    assert [kind for kind, _ in given] == ["html"] * 2
    first, second = [html.fromstring(svg) for _, svg in given]
    assert first.get("aria-label") == "a < b" and "currentColor" in given[0][1]
    ids = [{e.get("id") for e in svg.iter() if e.get("id")} for svg in (first, second)]
    assert ids[0] and not ids[0] & ids[1]
    assert made.run("1") and len(given) == 3                  # no figure is shown twice

# ---- in a browser

class Page:
    "A page whose cells are run, by their numbers."
    def __init__(self, tab): self.tab = tab
    def cell(self, n): return self.tab.locator(f"div.cell.tag_cell-{n}")
    def press(self, n, what):
        for fold in self.cell(n).locator("> details:not([open]) > summary").all(): fold.click()
        self.cell(n).get_by_role("button", name=what, exact=True).click()
    def wait(self): self.tab.wait_for_function("!live.running", timeout=120_000)
    def output(self, n): return self.cell(n).locator(".live-output")
    def status(self, n): return self.cell(n).locator(".live-status").inner_text()
    def run(self, n, what="Run"):
        self.press(n, what)
        self.wait()
        return self.output(n).inner_text()
    def write(self, n, source):
        if not self.cell(n).locator("textarea").count(): self.press(n, "Edit")
        self.cell(n).locator("textarea").fill(source)
    def numbered(self, source):
        "The number of the cell with this source."
        return self.tab.evaluate("s => live.cells.findIndex(c => c.source === s)", source)

@pytest.fixture(scope="module")
def entropy(site, runtime, browser):
    "The page of entropy, read from a file, without a network; and what the browser complains of."
    with opened(browser, (site / "entropy.html").as_uri(), offline=True) as (tab, said):
        yield Page(tab), said

def test_the_buttons_are_quiet(site, runtime, browser):
    "None at folded code; else Run alone, until the mouse or the keyboard comes to the cell."
    def strength(button): return float(button.evaluate("b => getComputedStyle(b).opacity"))
    with opened(browser, (site / "first_tree.html").as_uri(), offline=True) as (tab, said):
        cells = tab.locator(".bd-article div.cell:has(.live-bar)")
        folded = cells.filter(has=tab.locator("> details"))
        shown = tab.locator(".live-bar:visible")
        assert shown.count() == cells.count() - folded.count() == 1
        run, edit = (shown.get_by_role("button", name=what, exact=True) for what in ("Run", "Edit"))
        assert (strength(run), strength(edit)) == (1, 0)
        run.focus()
        assert strength(edit) == 1
        run.evaluate("b => b.blur()")
        assert strength(edit) == 0
        edit.hover()
        assert strength(edit) == 1
        folded.first.locator("summary").press("Enter")
        assert shown.count() == 2
    assert said == []

def test_nothing_is_loaded_before_run_is_pressed(entropy):
    page, said = entropy
    assert not page.tab.locator(RUNTIME).count() and said == []

def test_a_reader_runs_and_changes_a_cell(entropy):
    page, said = entropy
    n = page.numbered("entropy([5, 9])")
    assert page.run(n).startswith("0.940285958670631")
    assert page.tab.locator(RUNTIME).count()
    assert re.fullmatch(r"Each page starts its own Python, here in [\d.]+ s; the cell took [\d.]+ "
                        r"m?s · Python .*", page.status(n))
    page.write(n, "print('two')\nentropy([5, 9, 2])")
    assert page.run(n).split() == ["two", "1.3663146570363986"]
    assert re.fullmatch(r"[\d.]+ m?s · Python .*", page.status(n))
    assert page.cell(n).locator("textarea").get_attribute("aria-label")
    page.press(n, "Reset")
    assert page.cell(n).locator("textarea").count() == 0 and page.output(n).is_hidden()
    assert page.run(n).startswith("0.940285958670631")
    assert said == []                                   # no request, no complaint

def test_an_error_shows_and_run_all_above_mends_it(entropy):
    page, said = entropy
    n = page.numbered("GainPlot(F, T)")
    shown = page.run(n)
    assert shown.startswith("NameError: name 'F' is not defined")
    assert page.output(n).locator("details").get_attribute("open") is None
    page.output(n).get_by_role("button", name="Run all above, and this").click()
    page.wait()
    assert page.output(n).locator("svg").count() and said == []

def test_run_all_above_takes_an_old_error_away(entropy):
    page, said = entropy
    n = page.numbered("entropy([5, 9])")
    page.write(n, "never_made")
    assert page.run(n).startswith("NameError")
    page.press(n, "Run all above")
    page.wait()
    assert page.output(n).is_hidden() and "cells above have run" in page.status(n)
    page.press(n, "Reset")
    assert said == []

def test_a_figure_is_drawn(entropy):
    page, said = entropy
    n = page.tab.evaluate("live.cells.findIndex(c => c.alt)")
    page.run(n)
    svg = page.output(n).locator("svg")
    assert svg.count() == 1 and svg.locator("use").count() > 30 and said == []
    assert svg.get_attribute("aria-label") == page.tab.evaluate(f"live.cells[{n}].alt")

def test_a_changed_definition_is_used_below(entropy):
    page, said = entropy
    n = page.numbered("entropy([5, 9])")
    source = page.tab.evaluate(f"live.cells[{n - 1}].source")
    page.write(n - 1, source.replace("return H", "return H + 1"))
    assert page.run(n).startswith("1.940285958670631")
    page.press(n - 1, "Reset")
    assert page.run(n).startswith("0.940285958670631") and said == []

def test_a_loop_can_be_stopped(entropy):
    page, said = entropy
    n = page.numbered("entropy([5, 9])")
    page.write(n, "print('begun')\nwhile True: pass")
    page.press(n, "Run")
    page.output(n).get_by_text("begun").wait_for()
    page.cell(n).get_by_role("button", name="Stop").click()
    page.wait()
    assert "All variables are lost" in page.cell(n).locator(".live-status").inner_text()
    page.press(n, "Reset")
    assert page.run(n).startswith("0.940285958670631") and said == []

def test_what_a_reader_wrote_is_there_when_he_comes_back(site, runtime, browser):
    "In a cell and in an exercise, until it is reset; but none of a cell that is another one since."
    with opened(browser, (site / "entropy.html").as_uri(), offline=True) as (tab, said):
        def come_back():
            tab.reload()
            tab.evaluate("MathJax.startup.promise")
            return page.cell(n).locator("textarea"), exercise.locator("textarea")
        def kept(): return [key for key in tab.evaluate("Object.keys(localStorage)")
                            if key.startswith("draft")]
        def marks(): return tab.locator(".your-draft:visible").count()
        page, exercise = Page(tab), tab.locator(".question[data-exercise='110.4']")
        n = page.numbered("entropy([5, 9])")
        page.write(n, "entropy([7, 7])")
        stub = exercise.locator("textarea").input_value()
        exercise.locator("textarea").fill("def my_entropy(counts): return 1")
        assert marks() == 2
        cell, field = come_back()
        assert cell.input_value() == "entropy([7, 7])" and marks() == 2
        assert field.input_value() == "def my_entropy(counts): return 1"
        assert page.run(n).startswith("1.0")
        page.press(n, "Reset")
        exercise.get_by_role("button", name="Reset").click()
        assert field.input_value() == stub and not marks()
        cell, field = come_back()
        assert not cell.count() and field.input_value() == stub and not marks()
        page.write(n, "entropy([7, 7])")
        page.write(n, "entropy([5, 9])")                # again what the page says
        assert not marks() and not kept()
        page.write(n, "entropy([7, 7])")
        tab.evaluate("for (const key of Object.keys(localStorage))"
                     "localStorage[key] = localStorage[key].replace('[5, 9]', '[5, 8]')")
        cell, field = come_back()
        assert not cell.count() and not marks() and not kept()
    assert said == []

def test_without_a_place_for_drafts_all_is_as_before(site, runtime, browser):
    with opened(browser, (site / "entropy.html").as_uri(), offline=True) as (tab, _):
        # (the theme of the site complains of it, too)
        tab.add_init_script("Object.defineProperty(window, 'localStorage', { get() {"
                            "throw new DOMException('no', 'SecurityError') } })")
        tab.reload()
        page = Page(tab)
        n = page.numbered("entropy([5, 9])")
        page.write(n, "entropy([7, 7])")
        assert page.run(n).startswith("1.0") and not tab.locator(".your-draft:visible").count()
        tab.reload()
        assert not page.cell(n).locator("textarea").count()

def test_the_keyboard_is_enough(entropy):
    page, said = entropy
    n = page.numbered("entropy([5, 9])")
    page.cell(n).get_by_role("button", name="Edit").press("Enter")
    editor = page.cell(n).locator("textarea")
    editor.fill("for k in range(2):")
    editor.press("Enter")
    page.tab.keyboard.type("print(k)")
    assert editor.input_value() == "for k in range(2):\n    print(k)"
    editor.press("Control+Enter")
    page.wait()
    assert page.output(n).inner_text().split() == ["0", "1"]
    editor.press("Escape")
    assert page.tab.evaluate("document.activeElement.textContent") == "Run"
    page.press(n, "Reset")

@pytest.mark.parametrize("name", ["110_entropy", "315_prediction"])
def test_cells_give_in_the_browser_what_they_give_in_jupyterlab(site, runtime, browser, name):
    found = in_browser.run(browser, site, name)
    outputs = execute.read_record(ROOT, name)["outputs"]
    differs = in_browser.differences(name, found, outputs)
    assert not [how for how, why in differs.values() if not why]
    assert sum(s is not None for s in found["spent"]) > 6 and found["memory"] > 20

def test_what_differs_is_told():
    text = dict(name="stdout", output_type="stream", text="gain 0.5")
    shown = dict(output_type="display_data", data={"text/plain": "<b 1.0", "text/html": "1"})
    same = [("text", "gain "), ("text", "0.50000000000001"), ("html", "<i>1.0</i>")]
    assert in_browser.difference(same, [text, shown]) == ""
    assert in_browser.difference([("text", "gain 0.6")], [text]) == "0.6, not 0.5"
    assert in_browser.difference([("text", "loss 0.5")], [text]) == "says 'loss #', not 'gain #'"
    assert in_browser.difference([], [text]) == "says '', not 'gain #'"
    assert in_browser.difference([("html", "<svg/>")], []) == "1 pictures, not 0"
    assert in_browser.difference([("error", "<p>No: 1</p><details>")], []) == "No: #"

def test_each_difference_that_is_known_has_a_cell_and_a_reason():
    pages = {n: load_notebook(p) for n, p in execute.paths(ROOT).items()}
    for name, cells in in_browser.KNOWN.items():
        for number, why in cells.items():
            assert why and int(number) < len(execute.code_cells(pages[name])), (name, number)

def test_a_page_gets_the_tables_that_it_reads():
    cell = 'pd.read_csv(f"../data/adult_{kind}.csv.gz"), open("../data/monk-1.csv")'
    assert live.reads(cell, "data/adult_numbers.csv.gz") and live.reads(cell, "data/monk-1.csv")
    assert not live.reads(cell, "data/adult_age.csv") and not live.reads("adult", "data/adult.csv")
