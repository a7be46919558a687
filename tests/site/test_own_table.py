"A table of the reader's own: how it is read, the tree, what is said of it, and the page itself."
import importlib.util
import shlex
import sys
from base64 import b64encode

import live
import numpy as np
import pandas
import pytest
from dtree_lit import load
from dtree_lit.__main__ import main
from dtree_lit.trees.files import file_of_tree
from helpers.browsing import RUNTIME, opened
from helpers.places import ROOT

DATA = ROOT / "nbs/data"
BOUGHT = {"weight kg": "comma", "price": "comma"}

@pytest.fixture(params=["numpy alone", "pandas"])
def own(request, tmp_path, monkeypatch):
    "The module of the page, in a folder of its own; as in a browser, or where pandas is."
    monkeypatch.chdir(tmp_path)
    if request.param == "numpy alone": monkeypatch.setitem(sys.modules, "pandas", None)
    spec = importlib.util.spec_from_file_location("own_table", live.OURS / "own_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

def given(own, text, kinds=None, name="table.csv", missing=()):
    "What the page gets when this file is dropped."
    data = text if isinstance(text, bytes) else text.encode()
    return own.read(name, b64encode(data).decode(), kinds or {}, [*missing])

def learned(own, text, target=None, dropped=(), skip=False, kinds=None):
    return own.learn(target or given(own, text, kinds)["target"], [*dropped], skip)

# ---- reading

def test_columns_are_typed_and_the_last_is_the_target(own):
    said = given(own, '\ufeff"height";color;"a; b";code\r\n1,5;red;x;007\r\n2;blue;"y; z";7\r\n')
    assert said == dict(rows=2, target="code", columns=[
        dict(name="height", kind="numbers"),
        *(dict(name=name, kind="words") for name in ("color", "a; b", "code"))])
    said = given(own, "n,m,y\n1,-2.5e3,a\n?,NA,b\n")
    assert [c["kind"] for c in said["columns"]] == ["numbers", "numbers", "words"]

def test_what_a_spreadsheet_writes(own):
    said = own.read(str(DATA / "orders.csv"), None, {}, [])
    assert said["target"] == "returned" and said["rows"] == 120
    told = own.learn("returned", [], False)
    assert told["advice"] == {"order": "drop", "date": "drop"}
    assert told["told"]["weight kg"] == "weight kg: numbers with a decimal comma, 2 missing"
    assert "all of them dates" in told["told"]["date"]
    assert any(line.startswith("refund alone removes 100%") for line in told["doubts"])
    assert "order has another value in each row, like an id" in told["doubts"]
    assert "--keep-suspicious" in own.command(0)
    told = own.learn("returned", ["order", "date", "refund"], False)
    assert told["doubts"] == [] and "--keep-suspicious" not in own.command(0)
    # it may be a thousand and more
    told = learned(own, "a;y\n1,234;u\n2,500;v\n")
    assert told["advice"] == {"a": "comma"}
    assert "or choose numbers with a decimal comma" in told["told"]["a"]

CUSTOMERS = "id;income;y\n" + "\n".join(
    f"00{i};{'k.A.' if i % 40 == 0 else f'{i},5'};{'ab'[i > 90]}" for i in range(1, 160)) + "\n"

def test_numbers_but_for_a_word_that_means_missing(own, monkeypatch):
    told = learned(own, CUSTOMERS)
    assert told["missing"] == ["k.A."] and told["advice"] == {}
    assert told["told"]["income"] == (
        "income: categories, 157 different; numbers, except 'k.A.': if this means that a value is "
        "missing, treat it as missing, with the field below")
    with pytest.raises(ValueError, match="'k.A.', which is not a number: correct it, or declare it "
                                         "missing, with the field below$"):
        given(own, CUSTOMERS, {"income": "comma"})
    given(own, CUSTOMERS, missing=["k.A."])
    told = own.learn("y", ["id"], False)
    assert told["told"]["income"] == "income: numbers with a decimal comma, 3 missing"
    assert told["missing"] == []
    shown = own.show(0)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert main([*shlex.split(shown["command"])[1:], "--quiet"]) == 0
    assert file_of_tree(load("model.json")).decode() == shown["model"]

def test_the_page_names_no_option_of_the_command_line(own):
    own.read(str(DATA / "orders.csv"), None, {}, [])
    told = [*own.learn("returned", [], False)["told"].values()]
    told += [*learned(own, CUSTOMERS)["told"].values()]
    with pytest.raises(ValueError) as e: given(own, "größe,y\n1,2\n".encode("latin1"))
    for text in [*told, f"{e.value}"]: assert "--" not in text and "iconv" not in text, text

def test_an_id_is_no_target(own):
    rows = "\n".join(f"{i % 5},{'ab'[i % 2]},{i}" for i in range(30))
    assert given(own, f"x,kind,id\n{rows}\n")["target"] == "kind"

@pytest.mark.parametrize("text,sentence", [
    ("", "table.csv is empty: its first line should name the columns"),
    ("a,b\n", "table.csv has no rows"),
    ("a,b\n1,2\n1,2,3\n", "line 3 has 3 fields, and the first line names 2 columns; a value with "
                          "',' in it wants quotes"),
    ('a,b\n1,2\n"3,4\n', "a quote of the row that begins in line 3 has no end"),
    ("a,b,a\n1,2,3\n", "table.csv has two columns 'a': rename one of them"),
    ("a,,b\n1,2,3\n", "table.csv has no name for column 2 of 3"),
    ("a,b\n1,2\n".encode("utf-16"), "looks like UTF-16: save it as CSV UTF-8"),
    ("größe,y\n1,2\n".encode("latin1"), "is no UTF-8 text: save it as CSV UTF-8"),
    (b"PK\3\4...", " workbook"),
    ("a,b\n1e400,x\n", "row 0 of column 'a' holds 1e400, which is larger than any double")])
def test_a_bad_file_gets_one_sentence(own, text, sentence):
    with pytest.raises(ValueError) as e: given(own, text)
    assert sentence in str(e.value) and "\n" not in str(e.value)

def test_a_value_that_does_not_fit_is_named(own):
    for kind in "numbers", "comma":
        with pytest.raises(ValueError, match="row 1 of column 'a' holds 'x', which is not a num"):
            given(own, "a,y\n1,p\nx,q\n", {"a": kind})

def test_another_separator_than_expected(own):
    assert [c["name"] for c in given(own, "a\tb\n1\t2\n")["columns"]] == ["a", "b"]
    given(own, "a b\n1 2\n3 4\n")                           # one column
    with pytest.raises(ValueError, match="has no column beside 'a b' to learn from"):
        own.learn("a b", [], False)

# ---- learning

def test_rows_without_a_target(own):
    text = "x,y\n1,a\n2,\n3,b\n4,b\n"
    with pytest.raises(ValueError, match="1 of 4 rows have no 'y', the first is row 1"):
        learned(own, text)
    assert own.learn("y", [], True)["rows"] == 3
    assert "--skip-unlabeled" in own.command(0)
    own.kept["tree"] = own.pruned(1)                        # a single leaf: the first row is wrong
    assert "<td>2</td><td>a</td><td>b</td>" in own.show(0)["errors"]

def test_one_class_and_few_numbers_are_said(own):
    given(own, "x,y\n1,a\n2,a\n")
    told = own.learn("y", [], False)
    assert told["leaves"] == [1] and told["doubts"][0].startswith("y has the same value in each")
    given(own, "x,y\n1,0\n2,1\n3,1\n")
    assert "read them as categories" in own.learn("y", [], False)["doubts"][0]

def test_missing_values_and_very_many_categories(own):
    rows = "\n".join(f"v{i},{'' if i % 3 else i},{'ab'[i % 2]}" for i in range(3000))
    told = learned(own, f"many,some,y\n{rows}\n")
    assert told["told"]["many"].endswith("each stands in 1.0 rows on average, too few to learn "
                                         "from, so leave it out")
    assert told["told"]["some"] == "some: numbers, 2000 missing"
    assert [line for line in told["doubts"] if "many" in line] == [
        "many has another value in each row, like an id"]           # and not twice
    assert len(own.show(0)["card"]) < 700_000

def test_the_errors_of_each_pruning(own):
    own.read(str(DATA / "monk1.csv"), None, {"positive": "words"}, [])
    told = own.learn("positive", [], False)
    assert told["leaves"][-1] == 1 and told["trained"][0] == 0
    assert told["trained"][-1] == told["base"] == 0.5
    for i in range(own.FOLDS): judged = own.fold(i)
    for k, wrong in enumerate(told["trained"]):
        tree = own.pruned(k)
        assert tree.n_leaves == told["leaves"][k]
        assert wrong == (tree.predict_labels(own.kept["X"]) != own.kept["answers"]).mean()
    assert judged["errors"][judged["best"]] == min(judged["errors"])
    assert 0 < judged["errors"][0] < 0.5

def test_too_few_rows_of_each_category_are_left_out_by_the_advice(own):
    rows = "\n".join(f"{i % 7},text {i % 130},{'ab'[i % 3 > 0]}" for i in range(300))
    assert learned(own, f"n,remark,y\n{rows}\n")["advice"] == {"remark": "drop"}

def test_where_it_errs(own):
    own.read(str(DATA / "mornings.csv"), None, {}, [])
    own.learn("play", [], False)
    assert own.show(0)["errors"] == ("<p>It is right about each of the rows that have grown it."
                                     "</p>")
    errors = own.show(2)["errors"]
    assert "Leaves, those with the most errors first (1 of 1)" in errors
    assert "Rows that are predicted wrongly (5 of 5)" in errors
    assert "<tr><td>2</td><td>no</td><td>yes</td><td>1</td></tr>" in errors

def test_names_are_no_html(own):
    learned(own, "<u>,y\n" + "".join(f"{i},<b>{'ppqpqqqpq'[i]}\n" for i in range(9)))
    shown = own.show(len(own.kept["alphas"]) // 2)
    assert "&lt;b&gt;q" in shown["errors"] and "&lt;u&gt;" in shown["errors"]
    assert "<b>" not in shown["card"] + shown["errors"] and "<u>" not in shown["errors"]

def test_programs(own):
    own.read(str(DATA / "mornings.csv"), None, {}, [])
    own.learn("play", [], False)
    assert own.program(0, "sql", "duckdb").endswith('FROM "mornings"')
    assert "def predict(row)" in own.program(0, "python", "")
    own.LONGEST = 100
    with pytest.raises(ValueError, match="too long to be shown: prune the tree"):
        own.program(0, "python", "")

# ---- the same tree as the command line

@pytest.mark.parametrize("name,target,kinds,dropped", [
    ("mornings.csv", "play", {}, []),
    ("monk1.csv", "positive", {"positive": "words"}, ["a1"]),
    ("orders.csv", "returned", BOUGHT, ["order", "date", "refund"]),
    ("orders.csv", "price", {}, ["order", "date"]),
    ("adult_age.csv", "positive", {}, [])])
def test_it_is_the_tree_of_the_command_line(own, monkeypatch, name, target, kinds, dropped):
    own.read(name, b64encode((DATA / name).read_bytes()).decode(), kinds, [])
    leaves = own.learn(target, dropped, False)["leaves"]
    for i in range(own.FOLDS): judged = own.fold(i)
    said = {k: own.show(k) for k in {0, 1, judged["best"], len(leaves) // 2, len(leaves) - 1}}
    monkeypatch.setitem(sys.modules, "pandas", pandas)      # it is there again
    for k, shown in said.items():
        assert main([*shlex.split(shown["command"])[1:], "--quiet"]) == 0
        assert file_of_tree(load("model.json")).decode() == shown["model"], shown["command"]
    assert "--prune cost" in said[judged["best"]]["command"] or judged["best"] == 0

def test_notes_are_those_of_the_command_line(own, monkeypatch, capsys):
    told = learned(own, (DATA / "orders.csv").read_bytes())["told"]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    main("fit table.csv --target returned --keep-suspicious -o model.json".split())
    said = capsys.readouterr().err.splitlines()
    assert [own.in_page(line) for line in said[:len(told)]] == [*told.values()]

# ---- in a browser, read from a file, without a network

class Own:
    "The page of one's own table."
    def __init__(self, tab): self.tab = tab
    def at(self, name): return self.tab.locator("#own-table").get_by_role("button", name=name)
    def wait(self): self.tab.wait_for_function(
        "document.getElementById('own-table').ariaBusy === 'false'", timeout=120_000)
    def wrong(self): return self.tab.locator(".own-wrong").inner_text()
    def now(self): return self.tab.locator(".own-now").inner_text()
    def drop(self, name, data):
        "Drop a file on the page."
        self.tab.evaluate("""([name, data]) => {
            const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
            const all = new DataTransfer();
            all.items.add(new File([bytes], name));
            document.querySelector(".own-drop").dispatchEvent(
                new DragEvent("drop", { dataTransfer: all, bubbles: true, cancelable: true }));
        }""", [name, b64encode(data).decode()])
        self.wait()

@pytest.fixture(scope="module")
def page(site, runtime, browser):
    "The page, and what the browser complains of: a request is a complaint."
    with opened(browser, (site / "your_table.html").as_uri(), offline=True) as (tab, said):
        yield Own(tab), said

def test_python_waits_for_a_table(page):
    own, said = page
    assert "Nothing leaves this page" in own.tab.locator("#own-table").inner_text()
    assert not own.tab.locator(RUNTIME).count() and said == []

def test_a_table_of_the_project(page, tmp_path):
    own, said = page
    own.tab.select_option("#own-ours", "../data/mornings.csv")
    own.wait()
    assert own.now().startswith("7 leaves. On the rows that have grown it: 0.0 % wrong. On held-out"
                                " rows: 50.0 % wrong.")
    assert "This tree is worse than none on held-out rows" in own.now()
    assert own.tab.locator(".dtree-card svg").count() and said == []
    own.tab.get_by_text("The command line", exact=True).last.click()
    with own.tab.expect_download() as saved: own.at("Save the tree as a file").click()
    saved.value.save_as(tmp_path / "page.json")
    shell = tmp_path / "shell.json"
    main(["fit", str(DATA / "mornings.csv"), "--target", "play", "-o", str(shell)])
    assert (tmp_path / "page.json").read_bytes() == file_of_tree(load(shell))

def test_a_file_is_dropped_and_its_columns_are_changed(page):
    own, said = page
    own.drop("orders.csv", (DATA / "orders.csv").read_bytes())
    assert own.tab.locator("#own-file").evaluate("f => f.files[0].name") == "orders.csv"
    assert own.tab.get_by_role("heading", name="Columns of orders.csv").count()
    assert "refund alone removes 100%" in own.tab.locator(".own-doubts").inner_text()
    own.at("Follow the advice, and grow again").click()
    own.wait()
    own.tab.get_by_label("How refund is read").select_option("drop")
    own.at("Grow again").last.click()
    own.wait()
    own.at("The least error on held-out rows").click()
    own.tab.locator("#own-table section[aria-busy=false]").wait_for()
    assert "26.7 % wrong, the least of all" in own.now() and said == []
    own.tab.get_by_text("Where it errs", exact=True).click()
    assert "Rows that are predicted wrongly (30 of 30)" in own.tab.locator(
        "#own-table details").filter(has_text="Where it errs").inner_text()

def test_a_word_is_treated_as_missing(page):
    own, said = page
    own.drop("customers.csv", CUSTOMERS.encode())
    own.at("Follow the advice, and grow again").click()
    own.wait()
    assert own.tab.get_by_label("Treat as missing").input_value() == "k.A."
    assert "numbers with a decimal comma, 3 missing" in own.tab.locator("#own-table").inner_text()
    own.tab.get_by_label("Treat as missing").fill("")
    own.tab.get_by_label("How income is read").select_option("comma")
    own.at("Grow again").last.click()
    own.wait()
    assert own.wrong().endswith("declare it missing, with the field below") and said == []

def test_a_bad_file_is_named(page):
    own, said = page
    own.drop("bad.csv", b"a,b\n1,2\n1,2,3\n")
    assert own.wrong() == ("bad.csv cannot be read as a table: line 3 has 3 fields, and the first "
                           "line names 2 columns; a value with ',' in it wants quotes")
    own.drop("empty.csv", b"")
    assert own.wrong().startswith("empty.csv is empty") and said == []

def test_the_keyboard_is_enough(page):
    own, said = page
    own.tab.locator("#own-table summary").first.focus()
    own.tab.keyboard.press("Enter")
    own.tab.keyboard.press("Tab")
    own.tab.keyboard.insert_text("x;y\n" + "".join(f"{i};{'ab'[i > 9]}\n" for i in range(20)))
    own.tab.keyboard.press("Tab")
    own.tab.keyboard.press("Enter")
    own.tab.get_by_text("A tree for y, grown from 20 rows").wait_for(timeout=60_000)
    own.wait()
    own.tab.locator("#own-slider").focus()
    own.tab.keyboard.press("ArrowRight")
    own.tab.locator("#own-table section[aria-busy=false]").wait_for()
    assert own.now().startswith("1 leaf.")
    assert "50.0 % wrong" in own.tab.locator("#own-slider").get_attribute("aria-valuetext")
    assert said == []                                       # no request all the while

def test_without_the_runtime_the_page_shows_the_command():
    import execute
    nb = execute.load(ROOT / "nbs/0_start/015_your_table.ipynb")
    still, = [c["source"] for c in nb["cells"] if 'id="own-table"' in c["source"]]
    assert "dtree-lit fit your.csv --target column --prune cost -o model.json" in still
