"""The command line: what it promises at each end; tables of every form; models that read the
next table alike. And releases: old files are read, a killed save leaves the old file."""
import gzip
import io
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import dtree_lit
import numpy as np
import pandas as pd
import pytest
from dtree_lit import load
from dtree_lit.__main__ import main
from dtree_lit.export import model_files
from dtree_lit.workshop import table_files
from dtree_lit.export.model_files import model_from
from dtree_lit.reporting import fit_predict
from dtree_lit.reporting.fit_predict import bar, LEARNERS, Waiting
from dtree_lit.reporting.model_commands import LANGUAGES
from dtree_lit.workshop.table_files import column_notes, table_from
from helpers.places import ROOT

MORNINGS = pd.read_csv(ROOT / "nbs/data/mornings.csv")
LOTS = np.random.default_rng(5)
NUMBERS = pd.DataFrame({"a": LOTS.normal(size=60), "b": LOTS.integers(0, 9, 60)})
NUMBERS["y"] = np.where(NUMBERS.a + NUMBERS.b / 5 > 0.8, "yes", "no")
NUMBERS["z"] = NUMBERS.a * 2 + NUMBERS.b

@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    MORNINGS.to_csv("mornings.csv", index=False)
    NUMBERS.to_csv("numbers.csv", index=False)
    return tmp_path

def run(line): return main(line.split() if isinstance(line, str) else line)

def parts(folder): return [*Path(folder).glob("*.part")]

LEARNED = {"cart": "y", "id3": "play", "optimal": "y", "c45": "y", "c50": "y", "rules": "y",
           "assistant": "y", "forest": "y", "knn": "y", "logistic": "y", "sdr": "z"}

def test_where_nothing_is_compiled_compile_says_so(capsys, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert run("compile") == 1
    assert capsys.readouterr().err == ("dtree-lit compile: NUMBA_DISABLE_JIT is set, so nothing "
                                       "can be compiled: unset it first\n")

@pytest.mark.parametrize("learner, target",
                         [*LEARNED.items(), ("cart", "z"), ("forest", "z"), ("knn", "z"),
                          ("optimal", "z")])
def test_each_learner_answers_as_in_python(here, capsys, learner, target):
    "fit, then predict: the estimator's own answers, from a file that holds what it has learned."
    data, frame = ("mornings.csv", MORNINGS) if target == "play" else ("numbers.csv", NUMBERS)
    drop = [] if target == "play" else ["z" if target == "y" else "y"]
    more = (["--set", "C=1"] if learner == "logistic" else ["--set", "n_estimators=5"]
            if learner == "forest" else [])
    assert run(["fit", data, "--target", target, "--learner", learner, "--seed", "3", "-q", "-o",
                "m.json", *more, *(["--drop", *drop] if drop else [])]) == 0
    assert run(f"predict m.json {data} -q" + ("" if target == "z" else " --proba")) == 0
    said = pd.read_csv(io.StringIO(capsys.readouterr().out))
    model = getattr(dtree_lit, LEARNERS[learner][target == "z"])()
    settings = dict(random_state=3, C=1, n_estimators=5)
    model.set_params(**{k: v for k, v in settings.items() if k in model.get_params()})
    X = frame.drop(columns=[target, *drop])
    model.fit(X, frame[target])
    assert said[target].tolist() == model.predict(X).tolist()
    if target != "z":
        assert (np.array_equal(said.drop(columns=target).to_numpy(), model.predict_proba(X))
                and [*said][1:] == [f"P({c})" for c in model.classes_])
    again = pickle.loads(pickle.dumps(model))              # a pickle does as much, within a version
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert run("show m.json") == 0 and capsys.readouterr().out and not parts(here)

@pytest.mark.parametrize("prune, settings",
                         [("rep", dict()), ("cost", dict(rule="one_se")), ("error_based", dict()),
                          ("none", dict(max_depth=2))])
def test_prune_while_fitting(here, prune, settings):
    line = ["fit", "numbers.csv", "--target", "y", "--drop", "z", "--prune", prune, "--seed", "1",
            "-q", "-o", "m.json"]
    assert run(line + [part for k, v in settings.items() for part in ("--set", f"{k}={v}")]) == 0
    X, y, cart = NUMBERS[["a", "b"]], NUMBERS.y, dtree_lit.CARTClassifier(random_state=1)
    if prune == "rep": tree = dtree_lit.REPClassifier(cart, random_state=1).fit(X, y).tree_
    elif prune == "cost":
        tree = dtree_lit.CostComplexityCV(cart, random_state=1, **settings).fit(X, y).tree_
    else: tree = cart.set_params(**settings).fit(X, y).tree_
    assert load("m.json") == (dtree_lit.error_based_pruning(tree, X, y).tree
                              if prune == "error_based" else tree)

@pytest.mark.parametrize("model", [
    dtree_lit.CARTClassifier(max_depth=2), dtree_lit.REPClassifier(random_state=0),
    dtree_lit.ForestClassifier(3, random_state=0), dtree_lit.C50Classifier(),
    dtree_lit.C45RulesClassifier()], ids=lambda model: type(model).__name__)
def test_estimators_saved_in_python(here, capsys, model):
    X = NUMBERS[["a", "b"]]
    dtree_lit.save(model.fit(X, NUMBERS.y), "m.json")
    assert run("predict m.json numbers.csv -q") == 0
    told = pd.read_csv(io.StringIO(capsys.readouterr().out)).iloc[:, 0]
    assert told.tolist() == model.predict(X).tolist()
    assert run("show m.json") == 0 and "a" in capsys.readouterr().out

def test_prune_and_rules(here, capsys):
    assert run("fit numbers.csv --target y --drop z -q -o m.json") == 0
    tree, X = load("m.json"), NUMBERS[["a", "b"]]
    for by, line, left in (
            ("rep", "numbers.csv", dtree_lit.reduced_error_pruning(tree, X, NUMBERS.y)),
            ("cost", "--set alpha=0.05", dtree_lit.cost_complexity_pruning(tree, 0.05)),
            ("error_based", "numbers.csv", dtree_lit.error_based_pruning(tree, X, NUMBERS.y)),
            ("error_based", "", dtree_lit.error_based_pruning(tree, subtree_raising=False))):
        assert run(f"prune m.json --by {by} {line} -o p.json --json") == 0
        assert (load("p.json") == left.tree and json.loads(capsys.readouterr().out)["leaves"]
                == left.tree.n_leaves and model_from("p.json").note["pruned_by"] == by)
    assert run("rules m.json numbers.csv -o r.json") == run("rules m.json --json") == 0
    assert json.loads(capsys.readouterr().out) == tree.rules()
    listed = dtree_lit.rule_list(tree, X, NUMBERS.y)
    assert load("r.json") == listed and run("predict r.json numbers.csv --explain -q") == 0
    assert (pd.read_csv(io.StringIO(capsys.readouterr().out)).y.tolist()
            == listed.predict_labels(X).tolist())
    assert run("rules r.json") == 0 and capsys.readouterr().out == listed.text() + "\n"
    for line in ("prune r.json --by cost --set alpha=1 -o p.json",
                 "prune m.json --by rep -o p.json", "prune m.json --by cost -o p.json",
                 "rules m.json -o r.json"):
        assert run(line) == 1

@pytest.mark.parametrize("fit, proof", [
    ("", "max_depth None, min_samples_split 2, min_samples_leaf 1, each split is the first of the"),
    ("--set max_depth=2 --set criterion=entropy --weights b", "max_depth 2, min_samples_split 2"),
    ("--prune cost", "each split is the first of the best at its node"),
    ("--learner optimal --set max_depth=3 --set certify=true",
     "max_depth 3, leaf_cost 0.0, no tree has a lower loss on the 60 rows of numbers.csv"),
    ("--learner optimal --set certify=yes --set leaf_cost=0.05 --weights b", "leaf_cost 0.05")])
def test_verify_proves_a_tree_and_no_other(here, capsys, fit, proof):
    assert run(f"fit numbers.csv --target y --drop z {fit} -q -o m.json") == 0
    assert run("verify m.json numbers.csv") == 0
    said = capsys.readouterr().out
    assert said.startswith("proved: with ") and proof in said and "rests on numpy" in said
    NUMBERS.assign(y=["yes", *NUMBERS.y[1:]] if NUMBERS.y[0] == "no" else ["no", *NUMBERS.y[1:]],
                   b=NUMBERS.b.clip(1)).to_csv("other.csv", index=False)
    assert run("verify m.json other.csv -o said.txt") == 1
    assert "the tree is not proved; findings: " in capsys.readouterr().err
    assert "expected" in (here / "said.txt").read_text()

@pytest.mark.parametrize("more, whole", [("", True), ("--set max_depth=2", True),
                                         ("--set ccp_alpha=0.01", False), ("--prune cost", False)])
def test_verify_states_what_it_has_not_checked(here, capsys, more, whole):
    assert run(f"fit numbers.csv --target y --drop z {more} -q -o m.json") == 0
    capsys.readouterr()
    assert run("verify m.json numbers.csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("proved: ") and "rests on numpy" in lines[-1]
    assert [line.startswith("not checked: that the tree ends where it should, because")
            for line in lines[1:-1]] == [True] * (not whole)

def test_verify_takes_estimators_saved_in_python(here, capsys):
    X, y = NUMBERS[["a", "b"]], NUMBERS.y
    for model in (dtree_lit.CARTClassifier(max_depth=2),
                  dtree_lit.OptimalTreeClassifier(max_depth=2, certify=True)):
        dtree_lit.save(model.fit(X, y), "m.json")
        assert run("verify m.json numbers.csv --target y") == 0
        assert capsys.readouterr().out.startswith("proved: ")

def test_verify_at_a_time_limit_tells_what_is_proved(here, capsys):
    assert run("fit numbers.csv --target y --drop z --learner optimal --set max_depth=3 --set "
               "time_limit=0 --set certify=true -q -o m.json") == 0
    assert run("verify m.json numbers.csv") == 1
    assert "it is only proved that no tree of depth 3 has a loss below" in capsys.readouterr().out

@pytest.mark.parametrize("fit, sentence", [
    ("--learner optimal", "the model has no certificate: learn it with --set certify=true"),
    ("--learner c45", "OptimalTreeClassifier, and this model is of C45Classifier"),
    ("--learner forest --set n_estimators=2", "verify is for one tree, and this model is several"),
    ("--prune rep", "pruned by rows of its own table"),
    ("--set class_weight=balanced", "cannot check a tree with class_weight='balanced'"),
    ("--set max_features=1", "cannot check a tree with max_features=1")])
def test_verify_refuses_what_it_cannot_check(here, capsys, fit, sentence):
    assert run(f"fit numbers.csv --target y --drop z {fit} -q -o m.json") == 0
    assert run("verify m.json numbers.csv") == 1
    assert sentence in capsys.readouterr().err
    assert run("verify m.json") == 1
    assert "verify needs the table that the model was learned from" in capsys.readouterr().err

def test_verify_needs_to_know_how_a_tree_was_grown(here, capsys):
    dtree_lit.save(dtree_lit.CARTClassifier().fit(NUMBERS[["a"]], NUMBERS.y).tree_, "m.json")
    assert run("verify m.json numbers.csv --target y") == 1
    assert "does not record how its tree was grown" in capsys.readouterr().err

@pytest.mark.parametrize("to", LANGUAGES)
def test_export(here, capfdbinary, to):
    if to == "onnx": pytest.importorskip("onnx")
    assert (run("fit mornings.csv --target play -q -o m.json")
            == run(f"export m.json --to {to}") == 0)
    out = capfdbinary.readouterr().out
    assert (run(f"export m.json --to {to} -o file") == 0 and Path("file").read_bytes() == out
            and len(out) > 100)
    if to == "python":
        exec(out, own := {})
        assert ([own["predict"](row) for row in MORNINGS.drop(columns="play").to_dict("records")]
                == MORNINGS.play.tolist())
    if to == "sql":
        import sqlite3
        MORNINGS.to_sql("data", base := sqlite3.connect(":memory:"), index=False)
        assert run("export m.json --to sql --table data -o q.sql") == 0
        assert [v for v, in base.execute(Path("q.sql").read_text())] == MORNINGS.play.tolist()
    assert (run("fit mornings.csv --target play --learner forest --set n_estimators=3 -q -o f.json")
            == 0)
    # 1: they are of one tree
    assert run(f"export f.json --to {to} --table data -o file") == (to in ("dot", "json", "csv"))

def test_pictures(here):
    assert (run("fit mornings.csv --target play -q -o m.json") == run("show m.json --svg -o t.svg")
            == run("show m.json --html -o t.html") == 0)
    import xml.etree.ElementTree as xml
    assert xml.parse("t.svg").getroot().tag.endswith("svg")
    page = Path("t.html").read_text()
    assert ("A tree for play" in page and "outlook" in page
            and not any(f"{tag}=\"http" in page for tag in ("src", "href")))

def test_a_picture_is_what_its_name_says(here, capsys):
    assert run("fit mornings.csv --target play -q -o m.json") == 0
    begins = dict(svg=b"<svg", html=b"<!doctype", png=b"\x89PNG", pdf=b"%PDF", txt=b"outlook")
    for form, head in begins.items():
        assert run(f"show m.json -o tree.{form}") == 0
        assert Path(f"tree.{form}").read_bytes().startswith(head)
    assert run("show m.json --svg -o other.png") == 1 and not Path("other.png").exists()
    assert "other.png is to hold SVG" in capsys.readouterr().err
    assert run("fit mornings.csv --target play -q -o nowhere/m.json") == 1
    assert "there is no folder nowhere" in capsys.readouterr().err

def test_rows_without_an_answer_are_left_out_by_whoever_says_so(here, capsys):
    table = pd.DataFrame(dict(a=[*range(20)] * 2, y=["u", "v", None, "u"] * 10))
    table.to_csv("t.csv", index=False)
    assert run("fit t.csv --target y -q -o m.json") == 1
    assert "10 of 40 rows have no 'y', the first is row 2" in capsys.readouterr().err
    assert run("fit t.csv --target y --skip-unlabeled -q -o m.json") == 0
    known = table.dropna()
    assert load("m.json") == dtree_lit.CARTClassifier().fit(known[["a"]].astype(float),
                                                            known.y).tree_
    assert run("report m.json t.csv -o r.html") == 0            # the model remembers it
    assert "held out by cross-validation" in capsys.readouterr().err
    page = Path("r.html").read_text()
    assert "<title>Report: y</title>" in page and "<p>30 rows, 1 columns" in page

def test_what_looks_like_a_mishap_is_told():
    rows = range(60)
    frame = pd.DataFrame({
        "id": [1000.0 + i for i in rows], "half": [i / 2 for i in rows],
        "y": [3.0 * i for i in rows],
        "when": pd.Categorical([f"2026-11-{1 + i % 28:02} 10:00" for i in rows]),
        "day": pd.Categorical([f"{1 + i % 28}.11.2026" for i in rows]),
        "comma": pd.Categorical([f"{i % 9},5" for i in rows]),
        "two": pd.Categorical([f"1.{i % 9}.3" for i in rows]),
        "b c": pd.Categorical([f"n{i}" for i in rows]),
        "twice": pd.Categorical(["twice", *map(str, rows[1:])])})
    told = dict(line.split(": ", 1) for line in column_notes(frame, {}, "y"))
    assert "if they are ids, leave it out, with --drop id" in told["id"]
    assert told["half"] == told["y"] == "numbers" and told["two"] == "categories, 9 different"
    assert "all of them dates" in told["when"] and "all of them dates" in told["day"]
    assert "a decimal comma" in told["comma"] and "--drop 'b c'" in told["b c"]
    assert "its own name" in told["twice"]
    said = dict.fromkeys(frame.columns, "words") | dict.fromkeys(["id", "half", "y"], "numbers")
    plain = dict(line.split(": ", 1) for line in column_notes(frame, said))
    assert plain["id"] == "numbers"
    assert plain["day"].startswith("categories, 28 different: each stands in 2.1 rows")

# Tables

def text(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name

@pytest.mark.parametrize("form", ["parquet", "feather", "csv.gz", "csv.xz", "tsv", "arff"])
def test_the_next_table_may_have_another_form(here, capsys, form):
    "What a column is, the model says; in every form of a file the same answers."
    numbers = NUMBERS.assign(word=np.where(NUMBERS.a > 0, "007", "7"))
    numbers.to_csv("n.csv", index=False)
    assert (run("fit n.csv --target y --categorical word --drop z -q -o m.json")
            == run("predict m.json n.csv -q") == 0)
    wanted = capsys.readouterr().out
    path = f"new.{form}"
    if form in ("parquet", "feather"): getattr(numbers[["word", "y", "b", "a"]], f"to_{form}")(path)
    elif form == "arff":
        lines = ["@relation n", "@attribute a numeric", "@attribute word string",
                 "@attribute b real", "@data"]
        text(path,
             "\n".join(lines + [f"{a!r},{w},{b}"
                                for a, w, b in zip(numbers.a, numbers.word, numbers.b)]))
    else: numbers.to_csv(path, index=False, sep="\t" if form == "tsv" else ",")
    assert run(f"predict m.json {path} -q") == 0 and capsys.readouterr().out == wanted

def test_standard_input(here, capsys, monkeypatch):
    class Piped: buffer = io.BytesIO(Path("mornings.csv").read_bytes())
    monkeypatch.setattr(sys, "stdin", Piped)
    assert (run("fit - --target play -q -o m.json") == 0 and load("m.json")
            == dtree_lit.CARTClassifier().fit(MORNINGS.drop(columns="play"), MORNINGS.play).tree_)

def test_every_bit():
    rng = random.Random(1)
    values = [rng.uniform(-1, 1) * 10.0 ** rng.randint(-307, 307)
              for _ in range(5000)] + [5e-324, 0.1, 1e308, -0.0]
    made = io.BytesIO("\n".join(["x", *map(repr, values)]).encode())
    frames = table_files.csv_parts(made, "x.csv", (None, ()), {}, table_files.UNKNOWN)
    assert [v.hex() for f in frames for v in f.x] == [v.hex() for v in values]

@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_parts_make_no_difference(here, monkeypatch, rows):
    """Words, numbers and gaps are the same however many rows are read at a time, also where a
    word comes last."""
    text("t.csv", "n,w,late,gone\n" + "".join(f"{i / 7},{'cab'[i % 3]},{i:03}{'x' * (i == 29)},\n"
                                              for i in range(30)))
    whole = table_from("t.csv")
    monkeypatch.setattr(table_files, "ROWS_AT_ONCE", rows)
    assert (table_from("t.csv").equals(whole) and whole.late[0] == "000" and whole.gone.isna().all()
            and whole.w.cat.categories.tolist() == ["a", "b", "c"])

@pytest.mark.parametrize("content, options, sentence", [
    ("a,y\n1,no\n2,\n", "", "first is row 1 (counted from 0)"),
    ("a,a\n1,2\n", "", "has two columns 'a'"),
    ("", "", "is empty"), ("a,y\n", "", "has no rows"),
    ("a,y,\n1,2,\n", "", "no name for column 3 of 3"), (",y\n0,1\n", "", "column 1 of 2"),
    ("a,y\r1,no\r", "", "end with a line feed"),
    ("@relation r\n@attribute y numeric\n@attribute y numeric\n@data\n1,2\n", "", "columns 'y'"),
    ("@relation r\n@attribute y {p,q\n@data\np\n", "", "declares 'y' as {p,q"),
    (b"PAR1", "", "t.csv is no whole parquet"),
    (b"a,y\n\xff,1\n", "", "no UTF-8 text"), ("a,y\n1,u\n".encode("utf-16"), "", "no UTF-8"),
    ("a,y\n1,u\n".encode("utf-16le"), "", "looks like UTF-16: save it as CSV UTF-8, or convert it, "
                                          "with iconv -f utf-16le"),
    ("a,y\n1,u\n\n2,v\n3,w,\n", "", "line 5 has 3 fields, and the first line names 2 columns"),
    ('a;y\n1;u\n"2;3";v\n2;3;v\n', "", "line 4 has 3 fields, and the first line names 2 columns"),
    ("a,y\n1,u\n1e400,v\n", "", "row 1 of column 'a' holds 1e400, which is larger than any double"),
    ("a,y\ninf,u\n-1e309,v\n", "--numeric a", "row 1 of column 'a' holds -1e309, which is larger"),
    ("a,y\nx,u\n-1e309,v\n", "--numeric a --missing x", "holds -1e309, which is larger"),
    ("@relation r\n@attribute a real\n@attribute y {u}\n@data\n1e400,u\n", "",
     "line 5 of t.csv in column 'a' holds 1e400"),
    (b"PK\3\4..", "", "t.csv is no whole workbook: "),
    ("a,y\n1,u\n2,\n", "", "1 of 2 rows have no 'y'"),
    ("a,y\n1,\n", "--categorical y --skip-unlabeled", "1 of 1 rows have no 'y'"),
    ("@relation r\n@attribute d date\n@attribute y {u}\n@data\n2020,u\n", "", "its year"),
    ("@relation r\n@attribute a numeric\n@attribute y {u}\n@data\n{1 u}\n", "",
     "SparseToNonSparse"),
    ("a,y\nk,1\n", "--learner knn", "leave out what does, with --drop a"),
    ("a,y\n1,2,3\n", "", "cannot be read as a table"),
    ("y\n1\n", "", "has no column beside 'y'"),
    ("a,y\nx,1\n", "--numeric a", "row 0 of column 'a' holds 'x', which is not a number"),
    ("a,y\nx,1\n", "--ordinal a=S<M", "its order is S < M"),
    ("a,y\n1,1\n", "--categorical b", "no column 'b', which --categorical, --numeric, --comma or "
                                      "--ordinal names"),
    ("a,y\n1,1\n", "--drop b", "which --drop names"),
    ("a,y\n1,1\n", "--drop y", "--drop leaves out 'y'"),
    ("a,w,y\n1,1,1\n", "--weights w --drop w", "--drop leaves out 'w'"),
    ("a,y\n1,1\n", "--weights w", "which --weights names"),
    ("a,y\n1,1\n", "--learner sdr --prune error_based",
     "is not for sdr, but for cart, id3, optimal, c45"),
    ("a,y\n9007199254740993,1\n", "", "as float64 is 9007199254740992"),
    ("a,y\n1,1\n", "--set depth=2", "no setting 'depth'; it has"),
    ("a,w,y\n1,2,1\n", "--learner knn --weights w", "knn takes no weights")])
def test_refused(here, capsys, content, options, sentence):
    "One line, no traceback, no file."
    text("t.csv", content)
    assert run(f"fit t.csv --target y {options} -q -o m.json") == 1
    out, err = capsys.readouterr()
    assert (sentence in err and err.startswith("dtree-lit fit: ") and err.count("\n") == 1
            and not out and not Path("m.json").exists())

def test_a_name_has_a_line_of_its_own(here):
    text("t.csv", '\n"a\nb",y\n1,no\n2,yes\n')
    assert table_from("t.csv").columns.tolist() == ["a\nb", "y"]

def test_half_a_file_is_refused(here):
    with gzip.open("t.csv.gz", "wb") as file: file.write(b"a,y\n1,no\n2,yes\n" * 99)
    whole = Path("t.csv.gz").read_bytes()
    for data in (whole[:-9], b"a,y\n1,no\n", whole[:30] + b"!" * 9 + whole[39:]):
        text("t.csv.gz", data)
        with pytest.raises(ValueError, match="t.csv.gz cannot be unpacked"): table_from("t.csv.gz")

@pytest.mark.parametrize("ending", table_files.UNPACK)
def test_what_is_packed_says_so_itself(here, capsys, monkeypatch, ending):
    "Also without its ending, and on standard input; and what is called so and is not, is refused."
    with table_files.UNPACK[ending](f"t{ending}", "wb") as file:
        file.write(Path("mornings.csv").read_bytes())
    Path(f"t{ending}").rename("plain.csv")
    whole = table_from("mornings.csv")
    assert table_from("plain.csv").equals(whole)
    class Piped: buffer = io.BytesIO(Path("plain.csv").read_bytes())
    monkeypatch.setattr(sys, "stdin", Piped)
    assert table_from("-").equals(whole)

def test_codes_are_no_numbers(here, capsys, monkeypatch):
    """What is written with zeros in front stays as it is written, and is told; who says that it is
    a number is believed, and the model reads the next table alike."""
    monkeypatch.setattr(table_files, "ROWS_AT_ONCE", 2)
    text("t.csv", 'zip,hs,n,z,when,y\n1234,101.21,0,0.5,01:30,u\n"1234", 0101.21,10,-0,02:30,v\n'
                  "01234,?,100,00,02:30,u\n?,1,-7,0,02:30,v\n")
    frame = table_from("t.csv")
    assert frame.zip.tolist()[:3] == ["1234", "1234", "01234"] and frame.zip.isna()[3]
    assert frame.hs.tolist()[:2] == ["101.21", "0101.21"] and frame.n.tolist() == [0, 10, 100, -7]
    assert frame.z.tolist() == ["0.5", "-0", "00", "0"] and hasattr(frame.when, "cat")
    told = dict(line.split(": ", 1) for line in column_notes(frame, {}))
    assert told["zip"] == ("categories, 2 different, 1 missing; some begin with zeros, as '01234', "
                           "so they are taken for codes: if they are numbers, say --numeric zip")
    assert told["n"] == "numbers" and told["when"] == "categories, 2 different"
    assert table_from("t.csv", kinds=dict(zip="numbers")).zip.tolist()[:3] == [1234] * 3
    text("t.csv", "zip,y\n" + "01234,u\n1234,v\n" * 5)
    assert run("fit t.csv --target y -q -o m.json") == 0
    assert load("m.json").schema.categories == (("01234", "1234"),)
    assert run("fit t.csv --target y --numeric zip -q -o n.json") == 0
    assert load("n.json").schema.categories == (None,)
    capsys.readouterr()
    for model, right in (("m", 10), ("n", 5)):
        assert run(f"predict {model}.json t.csv") == 0
        assert f"right about {right} of 10" in capsys.readouterr().err

def test_infinite_numbers_that_say_so_are_read(here):
    text("t.csv", "a,b\ninf,1e308\n-Infinity,2\n,3\n")
    assert table_from("t.csv").a.tolist()[:2] == [np.inf, -np.inf]
    for value, name in ((Decimal("1e400"), "1E\\+400"), (10**400, "1000"), ("1e400", "1e400")):
        with pytest.raises(ValueError, match=f"row 1 of column 'a' holds {name}"):
            table_files.Numbers("a").take(pd.Series([1, value], dtype=object))

def test_what_a_parquet_can_hold(here):
    "The column that pandas keeps as an index, and decimals; lists are neither words nor numbers."
    frame = pd.DataFrame(dict(i=[2, 1], price=[Decimal("1.5"), None])).set_index("i")
    frame.to_parquet("t.parquet")
    assert np.array_equal(table_from("t.parquet"), [[2, 1.5], [1, np.nan]], equal_nan=True)
    pd.DataFrame(dict(a=[[1], [2]])).to_parquet("t.parquet")
    with pytest.raises(ValueError, match="column 'a' holds .* neither a number nor a category"):
        table_from("t.parquet")

@pytest.mark.parametrize("line", ["compute", "fit", "fit t.csv --target y",
                                  "fit t.csv --target y -o m --learner x",
                                  "fit t.csv --target y -o m --set depth",
                                  "fit t.csv --target y -o - --json",
                                  "fit t.csv --target y -o m --ordinal a",
                                  "show m.json --svg --html"])
def test_not_understood(here, capsys, line):
    assert run(line) == 2 and "usage: dtree-lit" in capsys.readouterr().err

def test_alone_it_lists_its_commands(capsys):
    assert run("") == 0
    assert "learn a model from a table" in capsys.readouterr().out
    assert run("--version") == 0
    assert capsys.readouterr().out == f"dtree-lit {dtree_lit.__version__}\n"

def test_a_shell_completes_commands(tmp_path):
    "As argcomplete's hook asks: the words that could come next stand in a file."
    said = tmp_path / "said"
    env = os.environ | dict(_ARGCOMPLETE="1", _ARGCOMPLETE_SHELL="bash", COMP_LINE="dtree-lit pr",
                            COMP_POINT="12", _ARGCOMPLETE_STDOUT_FILENAME=str(said))
    subprocess.run([sys.executable, "-c", "from dtree_lit.__main__ import main; main()"], env=env)
    assert {*re.split("[^a-z]+", said.read_text("utf-8"))} >= {"predict", "prune"}

def test_columns_that_give_the_target_away_are_refused(here, capsys):
    table = NUMBERS.assign(order=range(60), refund=np.where(NUMBERS.y == "yes", 9.5, 0))
    table.to_csv("t.csv", index=False)
    for more, name in (("", "order"), ("--drop order", "refund")):
        assert run(f"fit t.csv --target y {more} -q -o m.json") == 1
        err = capsys.readouterr().err
        assert err.startswith(f"dtree-lit fit: {name} ") and f"--drop {name}" in err
    assert not Path("m.json").exists()
    assert run("fit t.csv --target y --keep-suspicious -q -o m.json") == 0
    assert run("fit t.csv --target y --drop order,refund -q -o m.json") == 0
    table[:19].to_csv("t.csv", index=False)                     # too few to say
    assert run("fit t.csv --target y -q -o m.json") == 0

def test_a_column_of_dates_can_be_dropped(here, capsys):
    NUMBERS.assign(since=pd.Timestamp("2026-01-31")).to_parquet("t.parquet")
    assert run("fit t.parquet --target y -q -o m.json") == 1
    assert "'since' holds dates" in capsys.readouterr().err
    assert run("fit t.parquet --target y --drop since -q -o m.json") == 0

def test_predictions_are_no_workbook(here, capsys):
    assert run("fit numbers.csv --target y -q -o m.json") == 0
    assert run("predict m.json numbers.csv -q -o p.xlsx") == 1
    assert "name it .csv, .parquet or .feather" in capsys.readouterr().err
    assert not Path("p.xlsx").exists()
    assert run("predict m.json numbers.csv -q -o P.CSV") == 0

def test_kept_columns_stand_before_the_predictions(here, capsys):
    table = NUMBERS.assign(code=[f"{i:03}" for i in range(60)])
    table.to_csv("t.csv", index=False)
    assert run("fit numbers.csv --target y -q -o m.json") == 0
    assert run("predict m.json t.csv --keep code,b --inputs -q -o p.csv") == 0
    told = pd.read_csv("p.csv", dtype=str)
    assert [*told] == ["code", "b", "a", "z", "y"]
    assert told[["code", "b"]].equals(pd.read_csv("t.csv", dtype=str)[["code", "b"]])
    capsys.readouterr()
    assert run("predict m.json t.csv --keep code,b --json -q") == 0
    rows = json.loads(capsys.readouterr().out)["answers"]
    assert rows["code"][7] == "007" and rows["b"] == NUMBERS.b.tolist()
    for keep, sentence in (("y", "the predictions are the column 'y'"), ("x", "no column 'x'")):
        assert run(f"predict m.json t.csv --keep {keep} -q") == 1
        assert sentence in capsys.readouterr().err

def test_decimal_commas_are_read_alike_later(here, capsys):
    "The model knows of them: also where the next table has none that leaves no doubt."
    table = NUMBERS.assign(a=[f"{v:.2f}".replace(".", ",") for v in NUMBERS.a])
    table.to_csv("t.csv", index=False, sep=";")
    assert run("fit t.csv --target y -o m.json") == 0
    assert "a: numbers with a decimal comma" in capsys.readouterr().err
    rows = [(b, z) for b, z in zip(NUMBERS.b, NUMBERS.z)][:2]
    text("new.csv", "a;b;z\n" + "".join(f"{a};{b};{z}\n" for a, (b, z) in zip(("-9,000", "9,000"),
                                                                           rows)))
    assert run("predict m.json new.csv -q") == 0
    assert capsys.readouterr().out == "y\nno\nyes\n"

def test_predictions_are_written_as_the_table_was(here, capsys):
    "A program that reads one reads the other."
    table = NUMBERS.assign(w=NUMBERS.b + 0.25, code="K7")
    def kept(file, more=""):
        assert run(f"predict m.json {file} --keep code,b,w -q {more} -o p.csv") == 0
        return Path("p.csv").read_text().split("\n")[:2]
    for sep, decimal in (";", ","), (";", "."), (",", "."), ("\t", ","):
        table.to_csv("t.csv", index=False, sep=sep, decimal=decimal)
        assert run("fit t.csv --target z -q --keep-suspicious -o m.json") == 0
        b, w, z = (f"{v}".replace(".", decimal) for v in (
            table.b[0], table.w[0], load("m.json").predict_labels(table.assign(y="no")[
                [*load("m.json").schema.features]])[0]))
        told = [sep.join(["code", "b", "w", "z"]), sep.join(["K7", b, w, z])]
        assert kept("t.csv") == told
        table.to_csv("t.csv.gz", index=False, sep=sep, decimal=decimal)
        table.to_parquet("t.parquet")
        assert kept("t.csv.gz") == told
        assert kept("t.parquet")[0] == "code,b,w,z"
    table.to_csv("t.csv", index=False, sep=";", decimal=",")
    assert run("fit t.csv --target z -q --keep-suspicious -o m.json") == 0
    with open("t.csv") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", stream)              # a pipe: its decimal commas tell
        assert kept("-")[0] == "code;b;w;z"

def test_a_large_tree_says_that_it_is_not_pruned(here, capsys):
    noise = NUMBERS.assign(y=LOTS.choice(["u", "v"], 60))
    noise.to_csv("t.csv", index=False)
    for more, told in (("", True), ("--prune cost", False), ("--learner c45", False)):
        assert run(f"fit t.csv --target y {more} -o m.json") == 0
        assert ("--prune cost chooses" in capsys.readouterr().err) == told

def test_show_to_a_depth(here, capsys):
    "As if it had been grown to this depth; the last line says how large it is."
    for table, target in (("numbers", "z"), ("mornings", "play")):
        assert run(f"fit {table}.csv --target {target} -q -o m.json") == 0
        assert run(f"fit {table}.csv --target {target} --set max_depth=2 -q -o two.json") == 0
        whole, two = load("m.json"), load("two.json")
        capsys.readouterr()
        assert run("show m.json --max-depth 2") == 0
        assert whole.text(max_depth=2) == two.text() != whole.text()
        assert whole.text(max_depth=whole.max_depth) == whole.text()
        assert capsys.readouterr().out == (
            f"{two.text()}\n(to depth 2; the whole tree has {whole.n_leaves} leaves and depth "
            f"{whole.max_depth})\n")
        for form in "svg", "html":
            assert run(f"show m.json --max-depth 2 -o t.{form}") == 0
            assert run(f"show two.json -o s.{form}") == 0
        assert Path("t.svg").read_bytes() == Path("s.svg").read_bytes()
    assert run("show m.json --max-depth 0") == 1
    assert "--max-depth is at least 1" in capsys.readouterr().err
    assert run("fit mornings.csv --target play --learner forest -q -o f.json") == 0
    assert run("show f.json --max-depth 2") == 1
    assert "--max-depth is for one tree, and this model is several" in capsys.readouterr().err

def test_weights_orders_and_missing_marks(here, capsys):
    text("t.csv", "size,w,y\nS,1,no\nM,2,no\nL,1,yes\n-,1,yes\n")
    assert run("fit t.csv --target y --weights w --ordinal size=S<M<L --missing - -o m.json") == 0
    assert "size: in the order S < M < L, 1 missing" in capsys.readouterr().err
    X = pd.DataFrame({"size": [0, 1, 2, np.nan]})
    assert load("m.json") == dtree_lit.CARTClassifier().fit(X, ["no", "no", "yes", "yes"],
                                                            [1, 2, 1, 1]).tree_
    assert run("predict m.json t.csv") == 0 and "right about 4 of 4" in capsys.readouterr().err
    assert (run(["predict", "m.json", text("u.csv", "size\nXL\n")]) == 1
            and "put it there" in capsys.readouterr().err)
    assert run("show m.json") == 0 and "size: S is 0, M is 1, L is 2" in capsys.readouterr().out

def test_numbers_that_are_classes(here, capsys):
    text("t.csv", "a,y\n" + "1,0\n2,1\n" * 9)
    assert (run("fit t.csv --target y -q -o m.json") == 0
            and load("m.json").schema.classes == (None,))
    assert (run("fit t.csv --target y --categorical y -q -o m.json") == 0
            and load("m.json").schema.classes == (("0", "1"),))
    capsys.readouterr()
    assert (run("predict m.json t.csv --json") == 0
            and json.loads(capsys.readouterr().out)["right"] == 18)

def test_a_long_wait_is_told(monkeypatch):
    "On a terminal, after the patience is over; and the line goes away."
    class Terminal(io.StringIO):
        def isatty(self): return True
    for quiet, screen in ((False, Terminal()), (True, Terminal()), (False, io.StringIO())):
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(fit_predict, "PATIENCE", 0.02)
        monkeypatch.setattr(fit_predict, "EVERY", 0.02)
        with Waiting(quiet) as waiting:
            waiting.now(bar("forest", type("Model", (), {"trees_": [0] * 5})(), 10))
            time.sleep(0.15)
        time.sleep(0.1)
        told = screen.getvalue()
        assert (bool(told) == (not quiet and screen.isatty())
                and ("[##########..........] 5 of 10 trees" in told and told.endswith("\r\033[K")
                     or not told))

def test_a_report_tells_its_steps(here, capsys, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self): return True
    assert run("fit numbers.csv --target y --drop z -q -o m.json") == 0
    monkeypatch.setattr(fit_predict, "PATIENCE", 0)
    monkeypatch.setattr(fit_predict, "EVERY", 0.001)
    for quiet in ("", " -q"):
        monkeypatch.setattr(sys, "stderr", Terminal())
        assert run(f"report m.json numbers.csv -o r.html{quiet}") == 0
        steps = re.findall(r"learning (?:without fold|from sample) \d+ of \d+, \d+ s",
                           sys.stderr.getvalue())
        assert bool(steps) != bool(quiet)

# Processes

ENV = os.environ | {"PYTHONPATH": str(ROOT), "DTREE_LIT_RENT": "1"}
def process(*words, **kwargs):
    return subprocess.Popen([sys.executable, "-m", "dtree_lit", *words], env=ENV,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)

def test_help_comes_at_once():
    "Beyond a bare interpreter it loads few modules, and none of those that take long."
    def loaded(*words):
        told = subprocess.run([sys.executable, "-X", "importtime", *words], env=ENV, text=True,
                              capture_output=True, check=True).stderr
        return {line.split("|")[-1].strip() for line in told.splitlines()}
    more = loaded("-m", "dtree_lit", "--help") - loaded("-c", "pass")
    assert "argparse" in more and len(more) < 40
    assert not more & {"numpy", "pandas", "sklearn", "numba"}

@pytest.mark.skipif(os.name == "nt", reason="signals and pipes are others there")
def test_a_pipe_that_is_closed_and_an_interrupt(here):
    "Nobody reads on: quiet, 141. Ctrl-C while a table comes: 130, no file, no part."
    import fcntl
    import termios
    # more than a pipe holds
    long = text("long.csv", "a,y\n" + f"1,{'no' * 1000}\n2,{'yes' * 700}\n" * 200)
    assert run(["fit", long, "--target", "y", "--keep-suspicious", "-q", "-o", "m.json"]) == 0
    reads = process("predict", "m.json", long, "--quiet")
    assert reads.stdout.readline() == b"y\n"
    reads.stdout.close()
    assert reads.wait(60) == 141 and reads.stderr.read() == b""
    # behind & shells ignore it
    waits = process("fit", "-", "--target", "play", "-o", "n.json", stdin=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    # more than a pipe holds: it is being read
    waits.stdin.write(b"outlook,play\n" + b"sunny,no\n" * 50_000), waits.stdin.flush()
    # a signal between two reads is not seen before the second ends: let it wait for more
    while any(fcntl.ioctl(waits.stdin, termios.FIONREAD, bytes(4))): time.sleep(0.05)
    time.sleep(0.3)
    waits.send_signal(signal.SIGINT)
    assert (waits.wait(60) == 130 and b"interrupted" in waits.stderr.read()
            and not Path("n.json").exists() and not parts(here))

# Releases

OLD = ROOT / "tests/data/old_files"
SAID = json.loads((OLD / "said.json").read_text("utf-8"))

@pytest.mark.parametrize("name", SAID)
def test_old_files(name, capsys, tmp_path):
    """Written by the code of their day, they say today what they said then; also to the command,
    and when they are saved again."""
    said, path = SAID[name], OLD / name
    X = pd.DataFrame(said["rows"], columns=said["columns"])
    model = model_from(path)
    answers = model_files.answers_by(model.said, X)
    assert answers.labels.tolist() == said["answers"] and model.note == {}
    if said["shares"]: np.testing.assert_array_equal(answers.shares, said["shares"])
    if "text" in said: assert model.said.text() == said["text"]
    (tmp_path / "again").write_bytes(model_files.model_file(model.said, dict(target="y")))
    again = model_from(tmp_path / "again")
    assert again.said == model.said and again.note == dict(target="y")
    X.to_csv(tmp_path / "rows.csv", index=False)
    assert main(["predict", str(path), str(tmp_path / "rows.csv"), "-q"]) == 0
    assert pd.read_csv(io.StringIO(capsys.readouterr().out)).answer.tolist() == said["answers"]

def test_every_version_has_an_old_file():
    from dtree_lit.trees import files
    from zipfile import ZipFile
    first = ROOT / "tests/data/version_1/classes.json"
    def version(path):
        return json.loads(ZipFile(path).read("trees.json") if path.suffix == ".zip"
                          else path.read_text("utf-8"))["version"]
    there = {(path.suffix, path.name[:5], version(path))
             for path in [first, *OLD.iterdir()] if path.name != "said.json"}
    trees, several = ({v for suffix, begin, v in there if suffix == end and begin != "rules"}
                      for end in (".json", ".zip"))
    assert (trees == set(range(1, files.VERSION + 1))
            and several == {files.PLAIN_VERSION, files.TABLES_VERSION, files.VOTES_VERSION,
                            files.UNSEEN_VERSION}
            and {(".json", "rules", 1), (".json", "rules", 2)} <= there)

def test_a_category_never_seen_in_old_files_and_new():
    "The same tables, learned before the rule and after it: old files keep their meaning."
    pairs = [("tree_2_unseen.json", "tree_4.json"), ("trees_2_unseen.zip", "trees_4.zip"),
             ("tree_3_unseen.json", "tree_4_costs.json")]
    for before, after in pairs:
        new, old = (np.array(SAID[name]["shares"]) for name in (after, before))
        violet = np.array([row[1] == "violet" for row in SAID[after]["rows"]])
        assert (new[~violet] == old[~violet]).all() and (new[violet] != old[violet]).any()
        assert model_from(OLD / after).said != model_from(OLD / before).said

@pytest.mark.parametrize("change", [dict(kinds=7), dict(kinds={"a": "letters"}),
                                    dict(kinds={"a": [1]}), dict(missing="?"), dict(target=3)])
def test_a_note_that_is_none(here, capsys, change):
    Path("m.json").write_bytes(model_files.model_file(
        dtree_lit.CARTClassifier().fit(NUMBERS[["a"]], NUMBERS.y), change))
    assert run("show m.json") == 1 and "its note is malformed" in capsys.readouterr().err

KILLED = """
import os, random, signal, sys, time
from dtree_lit.trees.files import load, save
first, second, target, times, seconds = *sys.argv[1:4], int(sys.argv[4]), float(sys.argv[5])
a, b = load(first), load(second)
save(a, target)
begin, kills, found = time.time(), 0, [0, 0]
while kills < times and time.time() - begin < seconds:
    child = os.fork()
    while not child: save(a, target), save(b, target)
    time.sleep(random.uniform(0, 0.05))
    os.kill(child, signal.SIGKILL), os.waitpid(child, 0)
    found[[a, b].index(load(target))] += 1
    kills += 1
left = sum(name.endswith(".part") for name in os.listdir())
save(a, target)
assert not [name for name in os.listdir() if name.endswith(".part")]     # the next save clears what the killed have left
print(kills, *found, left)
"""

def killed(folder, times, seconds):
    """Kill -9 while a file is saved, at moments drawn by lot: how often; how often it was then
    the first and the second tree, whole; parts that were left."""
    for name, depth in (("a", 4), ("b", None)):
        tree = dtree_lit.CARTClassifier(max_depth=depth).fit(LOTS.normal(size=(400, 3)),
                                                             LOTS.integers(0, 2, 400)).tree_
        dtree_lit.save(tree, folder / f"{name}.json")
    done = subprocess.run([sys.executable, "-c", KILLED, "a.json", "b.json", "tree.json",
                           str(times), str(seconds)], env=ENV, cwd=folder,
                          capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return [*map(int, done.stdout.split())]

@pytest.mark.skipif(os.name == "nt", reason="a killed save cannot be told from a living one there")
def test_killed_while_saving(tmp_path):
    kills, first, second, _ = killed(tmp_path, 10_000, 3)
    assert kills == first + second and kills > 5

if __name__ == "__main__":                              # python tests/reporting/test_command.py 200
    import tempfile
    with tempfile.TemporaryDirectory() as name:
        print(*killed(Path(name), int(sys.argv[1]), 1e9),
              "kills; the first tree, the second tree; parts left")

def test_report(here, capsys):
    "Who has learned from these rows learns again; other rows are only judged."
    assert run("fit numbers.csv --target y --drop z --seed 1 -q -o m.json") == 0
    assert run("report m.json numbers.csv -o r.html") == 0
    assert "held out by cross-validation in 5" in capsys.readouterr().err
    page = Path("r.html").read_text()
    assert page.startswith("<!doctype html>") and "CARTClassifier" in page
    NUMBERS[:30].to_csv("some.csv", index=False)
    assert run("report m.json some.csv -o s.html") == 0
    assert "On 30 rows that were given" in capsys.readouterr().err
    noise = NUMBERS.assign(y=LOTS.permutation(NUMBERS.y))
    noise.to_csv("noise.csv", index=False)
    noise[:50].to_csv("part.csv", index=False)
    assert run("fit noise.csv --target y -q -o by_heart.json") == 0
    assert run("report by_heart.json part.csv -o s.html") == 0
    assert "On 50 rows that may have grown it" in capsys.readouterr().err
    assert "Not tested on new rows." in Path("s.html").read_text()
    assert run("report by_heart.json numbers.csv -o s.html") == 0       # with other labels
    assert "On 60 rows that were given" in capsys.readouterr().err
    assert run("report m.json numbers.csv --test some.csv -o t.html") == 0
    assert "On 30 learned rows of the test" in capsys.readouterr().err
    NUMBERS[:30].assign(a=NUMBERS.a[:30] + 0.001).to_csv("fresh.csv", index=False)
    assert run("report m.json numbers.csv --test fresh.csv -o t.html") == 0
    assert "On 30 rows of the test" in capsys.readouterr().err
    assert run("fit mornings.csv --target play -q -o w.json") == 0
    assert run("report w.json mornings.csv -q") == 0
    assert "CARTClassifier" in capsys.readouterr().out
    assert run("fit numbers.csv --target y --drop z --learner knn -q -o k.json") == 0
    assert run("report k.json numbers.csv") == 1
    assert "a report is of a Tree" in capsys.readouterr().err

def test_the_error_of_numbers_is_that_of_known_targets(here, capsys):
    assert run("fit numbers.csv --target z --drop y -q -o m.json") == 0
    NUMBERS.assign(z=NUMBERS.z.where(NUMBERS.b > 2)).to_csv("some.csv", index=False)
    NUMBERS.assign(z=np.nan).to_csv("none.csv", index=False)
    assert run("predict m.json some.csv -o p.csv") == run("predict m.json none.csv -o p.csv") == 0
    some, none = (line for line in capsys.readouterr().err.splitlines() if "predicted" in line)
    assert "off by" in some and "nan" not in some and "off by" not in none

def test_a_new_category_is_named_with_what_the_model_does(here, capsys):
    "CART stops at the node; a learner for which it is missing says so."
    new = MORNINGS[:3].assign(outlook=["foggy", "rain", "foggy"])
    new.to_csv("new.csv", index=False)
    assert run("fit mornings.csv --target play -q -o m.json") == 0
    assert run("predict m.json new.csv -o p.csv") == 0
    assert "in 2 of 3 rows a category that the model has not seen, and at which it stops" in (
        capsys.readouterr().err)

@pytest.mark.parametrize("command, told", [
    ("show m.json -o tree.docx", "to hold text: name it .txt or .svg or .html or .png or .pdf"),
    ("report m.json numbers.csv -o rep.pdf", "to hold a page: name it .html or .htm")])
def test_a_file_is_not_named_as_what_it_is_not(here, capsys, command, told):
    assert run("fit numbers.csv --target y --drop z -q -o m.json") == 0
    assert run(command) == 1 and told in capsys.readouterr().err
    assert not Path(command.split()[-1]).exists()
