"Cells run in the page: what the build takes and writes, how a cell runs, and what a reader sees."
import hashlib
import io
import json
import re
import zipfile

import live
import numpy as np
import pytest
from lxml import html
from helpers.browsing import DAY, load, watched
from helpers.places import ROOT

# ---- the runtime

@pytest.fixture
def table(monkeypatch):
    "A table of one file."
    files = {"a.wasm": hashlib.sha256(b"right").hexdigest()}
    monkeypatch.setattr(live, "TABLE", dict(carrier="some==1", folder="assets/", files=files))

def carrier(path, data):
    with zipfile.ZipFile(path, "w") as wheel: wheel.writestr("assets/a.wasm", data)
    return path

def test_a_byte_that_differs_is_refused(table, tmp_path):
    with pytest.raises(ValueError, match="a.wasm of some==1: another sha256"):
        live.taken(carrier(tmp_path / "wrong.whl", b"wrong"), tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    live.taken(carrier(tmp_path / "right.whl", b"right"), tmp_path / "kept")
    assert live.kept(tmp_path / "kept") == {"a.wasm": b"right"}
    (tmp_path / "kept/a.wasm").write_bytes(b"wrong")
    assert live.kept(tmp_path / "kept") == {}

def test_without_a_runtime_the_build_says_so_in_one_line(table, tmp_path, monkeypatch, capsys):
    def unreached(place): raise OSError("pip cannot download some==1")
    monkeypatch.setattr(live, "carried", unreached)
    for off, said in [("", "pip cannot download some==1"), ("0", "LIVE=0")]:
        monkeypatch.setenv("LIVE", off)
        assert live.install(tmp_path, tmp_path / "site", {}, None) is False
        assert capsys.readouterr().out == f"  cells do not run in the pages: {said}\n"
    assert not (tmp_path / "site").exists()

def test_the_table_is_the_lock_file_of_pyodide(runtime):
    wheel, = [name for name in runtime if name.endswith(".whl")]
    numpy = json.loads(runtime["pyodide-lock.json"])["packages"]["numpy"]
    assert (numpy["file_name"], numpy["sha256"]) == (wheel, live.TABLE["files"][wheel])

def test_the_library_goes_without_machine_code_and_is_always_the_same():
    data = live.library(ROOT / "dtree_lit")
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert data == live.library(ROOT / "dtree_lit")
    assert {"dtree_lit/measures/entropy.py", "dtree_lit/data/claims.toml"} <= set(names)
    assert not [name for name in names if re.search(r"machine/|\.so$|\.pyc$", name)]

# ---- which cells run

def needed(*sources): return list(live.needs(sources, live.Library(ROOT / "dtree_lit")))

def test_a_cell_needs_what_it_imports_and_what_it_uses():
    assert needed("import numpy as np", "import pandas as pd\nx = 1", "pd.DataFrame()", "x",
                  "x = np.ones(3)", "x") == ["", "pandas", "pandas", "pandas", "", ""]
    assert needed("from sklearn.datasets import load_iris", "iris = load_iris()", "iris.data",
                  "%timeit 1") == ["", "sklearn", "sklearn", "IPython"]
    assert needed("import threading\nthreading.Thread()") == ["threading"]

def test_what_a_module_of_the_library_imports_counts():
    assert needed("from dtree_lit import grow, CARTClassifier", "grow", "CARTClassifier()",
                  "from dtree_lit.measures.entropy import entropy\nentropy([1, 2])"
                  ) == ["", "", "sklearn", ""]

# ---- how a cell runs

@pytest.fixture
def cells():
    "Cells as the worker makes them, and what they gave."
    from runpy import run_path
    given = []
    made = run_path(str(live.OURS / "cells.py"))["Cells"](lambda *said: given.append(said), {})
    return made, given

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

def test_what_cannot_be_imported_says_so_where_it_is_used(cells):
    made, given = cells
    assert made.run("from no_such_module import a\nimport math", lenient=True)
    assert made.run("math.floor(1.5)") and not made.run("a(1)")
    assert "ImportError: a is not here: No module named" in given[-1][1]
    assert not made.run("from no_such_module import a")

def test_a_flood_of_output_is_cut_off(cells):
    made, given = cells
    made.run("for i in range(100_000): print(i)")
    text = "".join(said for _, said in given)
    assert 200_000 < len(text) < 200_100 and text.endswith("… the rest is not shown\n")

def test_figures_are_drawn_without_matplotlib():
    from runpy import run_path
    figures = run_path(str(live.OURS / "plots.py"))["Figures"]()
    _, (left, right) = figures.subplots(1, 2)
    left.set(xlabel="$x$", xlim=(0, 4), ylim=(0, 2), title="A < B")
    left.plot([0, 2, 4], [0, 1, 2], "o--", color="#0072B2", label="a line")
    left.annotate("gain", (2, 1), (7, -2), textcoords="offset points")
    left.no_such_method(3)
    left.plot([0, 1, np.nan, 2, 3], [1, 1, np.nan, 1, 1], ls=(0, [2, 1]))
    right.loglog([1, 10, 100], [1, 100, 10_000])
    right.invert_yaxis(), right.axhline(10), right.barh([1], [5]), right.step([1, 2], [3, 4])
    (svg,), none = figures.drawn(), figures.drawn()
    drawn = html.fromstring(svg)
    said = [t.text for t in drawn.iter("text")]
    assert none == [] and {"x", "A < B", "gain", "0", "4", "100"} <= set(said)
    assert len(list(drawn.iter("circle"))) == 3 and 'fill="var(--blue)"' in svg
    assert any(p.get("d").count("M") == 2 and p.get("stroke-dasharray") == "3.0 1.5"
               for p in drawn.iter("path"))                  # a line with a gap
    assert "nan" not in svg and "inf" not in svg

# ---- in a browser

class Page:
    "A page whose cells are run, by their numbers."
    def __init__(self, tab): self.tab = tab
    def cell(self, n): return self.tab.locator(f"div.cell.tag_cell-{n}")
    def press(self, n, what): self.cell(n).get_by_role("button", name=what, exact=True).click()
    def wait(self): self.tab.wait_for_function("!live.running", timeout=120_000)
    def output(self, n): return self.cell(n).locator(".live-output")
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
    context = browser.new_context(**DAY, offline=True)
    tab, said = watched(context)
    asked = []
    tab.on("request", lambda r: asked.append(r.url))
    load(tab, (site / "entropy.html").as_uri())
    yield Page(tab), said, asked
    context.close()

def test_nothing_is_loaded_before_run_is_pressed(entropy):
    page, said, asked = entropy
    assert not [url for url in asked if "pyodide" in url or "numpy" in url] and not said

def test_a_reader_runs_and_changes_a_cell(entropy):
    page, said, asked = entropy
    n = page.numbered("entropy([5, 9])")
    assert page.run(n).startswith("0.940285958670631")
    page.write(n, "print('two')\nentropy([5, 9, 2])")
    assert page.run(n).split() == ["two", "1.3663146570363986"]
    assert page.cell(n).locator("textarea").get_attribute("aria-label")
    page.press(n, "Reset")
    assert page.cell(n).locator("textarea").count() == 0 and page.output(n).is_hidden()
    assert page.run(n).startswith("0.940285958670631")
    assert said == []                                   # no request, no complaint

def test_an_error_shows_and_run_all_above_mends_it(entropy):
    page, said, asked = entropy
    n = page.numbered("GainPlot(F, T)")
    shown = page.run(n)
    assert shown.startswith("NameError: name 'F' is not defined")
    assert page.output(n).locator("details").get_attribute("open") is None
    page.output(n).get_by_role("button", name="Run all above, and this").click()
    page.wait()
    assert page.output(n).locator("svg").count() and said == []

def test_a_figure_is_drawn(entropy):
    page, said, asked = entropy
    n = page.tab.evaluate("live.cells.findIndex(c => c.draws)")
    page.run(n)
    assert page.output(n).locator("svg circle").count() == 38 and said == []

def test_a_changed_definition_is_used_below(entropy):
    page, said, asked = entropy
    n = page.numbered("entropy([5, 9])")
    source = page.tab.evaluate(f"live.cells[{n - 1}].source")
    page.write(n - 1, source.replace("return H", "return H + 1"))
    assert page.run(n).startswith("1.940285958670631")
    page.press(n - 1, "Reset")
    assert page.run(n).startswith("0.940285958670631") and said == []

def test_a_loop_can_be_stopped(entropy):
    page, said, asked = entropy
    n = page.numbered("entropy([5, 9])")
    page.write(n, "print('begun')\nwhile True: pass")
    page.press(n, "Run")
    page.output(n).get_by_text("begun").wait_for()
    page.cell(n).get_by_role("button", name="Stop").click()
    page.wait()
    assert "All variables are lost" in page.cell(n).locator(".live-status").inner_text()
    page.press(n, "Reset")
    assert page.run(n).startswith("0.940285958670631") and said == []

def test_the_keyboard_is_enough(entropy):
    page, said, asked = entropy
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
