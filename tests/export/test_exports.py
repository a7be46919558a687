"""What is exported is run, and says the same as the tree: the same labels, and shares and means in every bit.

It takes some twenty seconds, for it compiles, and starts, what it compares.
"""
import ctypes
import json
import shutil
import sqlite3
import subprocess
import sys
from functools import cache
from itertools import count

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from dtree_lit import (C45Classifier, CARTClassifier, CARTRegressor, CostComplexityCV,
                       ForestClassifier, ForestRegressor, ID3Classifier,
                       REPClassifier, REPRegressor, Schema, SDRTreeRegressor, Tree)
from dtree_lit.export.language import saying_of
from dtree_lit.export.programs import to_c, to_javascript, to_onnx
from dtree_lit.export.python import from_json, to_frame, to_json, to_python
from dtree_lit.export.sql import _sql_number, as_quotient, DIALECTS, ends_in_order, to_sql
from dtree_lit.trees.batch_walk import ENDS, IN_SHARES
from dtree_lit.trees.nodes import walk
from dtree_lit.workshop.tables import NOT_SEEN

EDGES = [np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, -5e-324, 1e308, -1e308, 1e-310]
EVIL = ['"; DROP TABLE people; --', "'); DROP TABLE people; --", "über größe", "select", "a b",
        "ab`c]d[e", "*/ int x; /*", "x" * 200, "\\", "</script>",
        "{}", "%s", "line\nbreak", "$a", "${b}", "'''", '"""', "??/", "\u2028", "日本", "__proto__",
        "\\'", "constructor"]

# The rows that are asked, and what is expected

def rows_for(model, X, seed=0, most=400):
    """Rows of dicts: some of the data, and of each threshold its neighbors, of each number the
    edges of doubles, of each word gaps and strangers."""
    saying, rng = saying_of(model), np.random.default_rng(seed)
    names, features = list(saying.features), list(range(len(saying.features)))
    table = [dict(zip(names, row))
             for row in (X.itertuples(index=False, name=None) if hasattr(X, "columns")
                         else np.asarray(X).tolist())]
    def plain(f, v): return None if saying.words[f] is not None and v != v else v
    table = [{name: plain(f, row[name]) for f, name in enumerate(names)}
             for row in (table[i] for i in rng.permutation(len(table))[:most // 2])]
    others = []
    for tree in saying.trees[:3]:
        for k in np.flatnonzero(tree.width):
            if np.isfinite(t := tree.t[k]):
                others += [(int(tree.feature[k]), v)
                           for v in (t, np.nextafter(t, -np.inf), np.nextafter(t, np.inf))]
    for f in features:
        if saying.words[f] is None: others += [(f, v) for v in EDGES]
        else:
            others += [(f, v) for v in [None, *saying.words[f],
                                        *(["never seen", "Sunny ", ""]
                                          if all(isinstance(v, str) for v in saying.words[f])
                                          else [])]]
    some = [others[i] for i in rng.permutation(len(others))[:most]]
    return table + [table[rng.integers(len(table))]
                    | {names[f]: float(v) if saying.words[f] is None else v} for f, v in some]

def codes_of(saying, rows):
    "The rows in doubles and codes, as walk takes them."
    def code(f, v):
        if saying.words[f] is None: return np.nan if v is None else v
        if v is None: return np.nan if saying.gaps[f] is None else saying.gaps[f]
        return saying.words[f].get(v, NOT_SEEN)
    return np.array([[code(f, row[name]) for f, name in enumerate(saying.features)]
                     for row in rows], float)

def expected(model, rows):
    "Labels and shares, or means; None where a tree sends a row down all branches."
    saying = saying_of(model)
    X = codes_of(saying, rows)
    stuck = [any(tree.missing[walk(tree, x)] == IN_SHARES for tree in saying.trees) for x in X]
    if isinstance(model, Tree):
        from dtree_lit.trees.nodes import Codes
        labels, shares = model.predict_labels(X.view(Codes)), model.predict_proba(X.view(Codes))
        if model.n_outputs > 1 and model.schema.classes[0]:
            shares = [shares[:, o, :len(c)] for o, c in enumerate(model.schema.classes)]
    else:
        frame = (pd.DataFrame({name: [row[name] for row in rows] for name in saying.features})
                 if any(w is not None for w in saying.words) else X)
        # ID3 refuses gaps, what is exported takes them as new words
        if getattr(model, "missing", "") == "refuse": frame = frame.fillna("never seen")
        if frame is X and hasattr(model, "feature_names_in_"):
            frame = pd.DataFrame(X, columns=model.feature_names_in_)
        labels, shares = (model.predict(frame),
                          model.predict_proba(frame) if saying.classes[0] else None)
    labels = [[None] * len(saying.classes) if gone and saying.labels
              else list(np.atleast_1d(np.asarray(v, object))) for v, gone in zip(labels, stuck)]
    if not saying.classes[0]:
        return None, np.where(np.array(stuck)[:, None], np.nan, np.array(labels, float))
    shares = np.concatenate(shares if isinstance(shares, list) else [shares], axis=1).astype(float)
    return ([[v.item() if hasattr(v, "item") else v for v in row] for row in labels],
            np.where(np.array(stuck)[:, None], np.nan, shares))

def flat(v):
    "Shares or means in one row; NaN where there are none."
    if v is None: return [np.nan]
    return [x for part in v for x in flat(part)] if isinstance(v, (list, tuple)) else [v]

# Running what comes out

def by_python(model, rows):
    code, saying, room = to_python(model), saying_of(model), {}
    exec(code, room)
    if not saying.classes[0]: return None, [flat(room["predict"](row)) for row in rows]
    labels = [room["predict"](row) for row in rows]
    return ([[v] if len(saying.classes) == 1 else list(v) for v in labels],
            [flat(room["predict_proba"](row)) for row in rows])

SQL = {"sqlite": ("REAL", "TEXT", "INTEGER", "INTEGER"),
       "duckdb": ("DOUBLE", "VARCHAR", "BOOLEAN", "BIGINT")}

def filled(dialect, saying, rows):
    "A connection to a table that holds the rows."
    import duckdb
    con = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect()
    def name(v): return '"' + v.replace('"', '""') + '"'
    number, text, truth, whole = SQL[dialect]
    kinds = [number if w is None else text if any(isinstance(v, str) for v in w) else truth
             if any(isinstance(v, bool) for v in w) else whole for w in saying.words]
    con.execute(f"CREATE TABLE people (id INTEGER, "
                f"{', '.join(f'{name(v)} {kind}' for v, kind in zip(saying.features, kinds))})")
    if dialect == "duckdb":                             # by Arrow, which keeps NaN and NULL apart
        import pyarrow as pa
        types = {number: pa.float64(), text: pa.string(), truth: pa.bool_(), whole: pa.int64()}
        columns = [pa.array([row[v] for row in rows], types[kind])
                   for v, kind in zip(saying.features, kinds)]
        con.register("given", pa.table([pa.array(range(len(rows)), pa.int32()), *columns],
                                       [f"c{i}" for i in range(len(kinds) + 1)]))
        con.execute("INSERT INTO people SELECT * FROM given")
        return con
    values = [(i, *(row[v] for v in saying.features)) for i, row in enumerate(rows)]
    con.executemany(f"INSERT INTO people VALUES ({', '.join('?' * (len(kinds) + 1))})", values)
    return con

def by_sql(dialect):
    def run(model, rows):
        saying = saying_of(model)
        con = filled(dialect, saying, rows)
        said = con.execute(to_sql(model, "people", dialect=dialect, probabilities=True, keep=["id"])
                           + " ORDER BY 1").fetchall()
        assert ([row[0] for row in said] == list(range(len(rows)))
                and con.execute("SELECT count(*) FROM people").fetchone() == (len(rows),))
        con.close()
        n = len(saying.classes) if saying.classes[0] else 0
        labels = [list(row[1:n + 1]) for row in said]
        return labels if n else None, [[np.nan if v is None else v for v in row[n + 1:]]
                                       for row in said]
    return run

def by_c(tmp_path):
    numbers = count()
    def run(model, rows):
        if not (cc := shutil.which("cc")):
            pytest.skip("there is no C compiler (cc): what is exported to C was not run")
        saying, stem = saying_of(model), tmp_path / f"tree{next(numbers)}"
        stem.with_suffix(".c").write_text(to_c(model))
        subprocess.run([cc, "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic",
                        "-Wno-overlength-strings", "-shared", "-fPIC",
                        str(stem.with_suffix(".c")), "-o", str(stem.with_suffix(".so")),
                        "-lm"], check=True)
        lib, X = ctypes.CDLL(str(stem.with_suffix(".so"))), codes_of(saying, rows)
        width, n = saying.shares[0].shape[1], len(saying.classes)
        def call(name, kind, size):
            out = np.zeros((len(X), size), kind)
            for x, row in zip(X, out):
                getattr(lib, name)(x.ctypes.data_as(ctypes.c_void_p),
                                   row.ctypes.data_as(ctypes.c_void_p))
            return out
        if not saying.classes[0]: return None, call("predict", float, width)
        labels = [[None if c < 0 else saying.classes[o][c] for o, c in enumerate(row)]
                  for row in call("predict", np.int32, n).tolist()]
        return labels, call("predict_proba", float, width)
    return run

def by_javascript(model, rows):
    if not (node := shutil.which("node")):
        pytest.skip("there is no node: what is exported to JavaScript was not run")
    saying = saying_of(model)
    pairs = "[" + ", ".join("[" + ", ".join(f"[{json.dumps(k)}, {json.dumps(v)}]"
                                            for k, v in row.items()) + "]" for row in rows) + "]"
    proba = "predict_proba(row)" if saying.classes[0] else "null"
    end = (f"\nconst said = {pairs}.map(Object.fromEntries).map(row => [predict(row), "
           f"{proba}]);\nprocess.stdout.write(JSON.stringify(said));\n")
    done = subprocess.run([node, "-"], input=to_javascript(model) + end,
                          capture_output=True, text=True)
    assert not done.returncode, done.stderr[-2000:]
    said = json.loads(done.stdout)
    if not saying.classes[0]: return None, [flat(v) for v, _ in said]
    return [[v] if len(saying.classes) == 1 else v or [None] * len(saying.classes)
            for v, _ in said], [flat(p) for _, p in said]

def by_onnx(model, rows):
    import onnxruntime
    saying = saying_of(model)
    session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    X = codes_of(saying, rows)
    said = dict(zip([out.name for out in session.get_outputs()], session.run(None, {"X": X})))
    if not saying.classes[0]: return None, said["variable"]
    n = len(saying.classes)
    labels, shares = ([said[name if n == 1 else f"{name}_{o}"] for o in range(n)]
                      for name in ("label", "probabilities"))
    return [list(row) for row in zip(*(v.tolist() for v in labels))], np.concatenate(shares, axis=1)

@pytest.fixture
def runs(tmp_path):
    "The languages, each with a function that runs what is exported."
    return dict(python=by_python, sqlite=by_sql("sqlite"), duckdb=by_sql("duckdb"),
                c=by_c(tmp_path), javascript=by_javascript, onnx=by_onnx)

def asked(model, rows):
    "A model, rows, and what it says of them: worked out once, whoever says it then."
    return model, rows, expected(model, rows)

def agree(model, rows, wanted, run):
    labels, shares = run(model, rows)
    want_labels, want = wanted
    width = want.shape[1]
    shares = np.array([(row * width)[:width] if len(row) == 1 and np.isnan(row[0]) else row
                       for row in map(list, shares)], float)
    assert shares.shape == want.shape
    differ = ~((shares == want) | np.isnan(shares) & np.isnan(want)).all(axis=1)
    assert not differ.any(), (rows[np.argmax(differ)], shares[np.argmax(differ)],
                              want[np.argmax(differ)])
    if want_labels is None: return
    wrong = [(row, a, b) for row, a, b in zip(rows, labels, want_labels) if a != b]
    assert not wrong, wrong[0]

# Models

SATURDAYS = pd.DataFrame([row.split() for row in """sunny hot high weak no,sunny hot high strong no,overcast hot high weak yes,rain mild high weak yes,
rain cool normal weak yes,rain cool normal strong no,overcast cool normal strong yes,sunny mild high weak no,sunny cool normal weak yes,rain mild normal weak yes,
sunny mild normal strong yes,overcast mild high strong yes,overcast hot normal weak yes,rain mild high strong no""".replace("\n", "").split(",")],
                         columns=["outlook", "temperature", "humidity", "wind", "tennis"])
WORDS, PLAY = SATURDAYS.drop(columns="tennis"), SATURDAYS["tennis"]

def days(gaps, seed=0):
    "Numbers beside words, and gaps."
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"outlook": rng.choice(["sunny", "rain", "overcast"], 200),
                          "humidity": rng.integers(50, 100, 200).astype(float),
                          "wind": rng.normal(size=200),
                          "kind": rng.choice(["a", "b", "c", "d", "e"], 200)})
    y = np.where((frame.humidity > 75) ^ (frame.outlook == "rain") ^ (frame.kind > "c"),
                 "yes", "no")
    if gaps:
        frame.loc[rng.permutation(200)[:30], "humidity"] = np.nan
        frame.loc[rng.permutation(200)[:30], "outlook"] = None
    return frame, y

def sets_of_categories(names=("size", "color"), words=("red", "green", "blue", "gray"),
                       missing=(1, 0, ENDS, 0)):
    """Questions about sets of categories, beside thresholds; some gray things are not known to a
    node."""
    schema = Schema(names, (None, words), (("no", "yes", "maybe"),), "gini")

    counts = np.array([[10, 9, 8], [6, 4, 3], [4, 5, 5], [3, 0, 1], [3, 4, 2], [2, 2, 1], [2, 3, 4],
                       [1, 3, 2], [2, 1, 0]], float)
    return Tree.of(schema, [1, 0, 1, -2, 1, -2, -2, -2, -2],
                   [np.nan, 0.1 + 0.2, np.nan, *[np.nan] * 6],
                   [1, 3, 5, -1, 7, -1, -1, -1, -1], counts,
                   start=[0, -1, 4, -1, 8, -1, -1, -1, -1],
                   branch=[0, 1, 1, 0, 1, 0, 0, -1, 0, 1, -1, 1],
                   missing=[*missing[:3], -1, missing[3], -1, -1, -1, -1])

def chain(depth, side, missing, numbers=False):
    "One question after the other, down one side, over two features."
    n = 2 * depth + 1
    first = np.full(n, -1); first[0] = 1
    inner = np.r_[0, 1 + 2 * np.arange(depth - 1) + side] if depth > 1 else np.zeros(1, int)
    first[inner] = 1 + 2 * np.arange(depth)
    t, feature = np.full(n, np.nan), np.full(n, -2)
    t[inner], feature[inner] = (np.linspace(-3, 3, depth)[::-1 if side == 0 else 1] / 3,
                                np.arange(depth) % 2)
    rng = np.random.default_rng(depth)
    counts = rng.integers(1, 9, (n, 2)).astype(float)
    where = np.full(n, -1); where[inner] = missing
    schema = Schema(("a", "b"), (None, None), ((None,) if numbers else (("no", "yes"),)),
                    "squared_error" if numbers else "gini")
    return Tree.of(schema, feature, t, first, counts, missing=where, weight=counts.sum(axis=1)
                   if not numbers else np.full(n, 3.0), size=np.full(n, 3))

def models():
    "The learners of the house, on numbers, words, sets of words and gaps."
    iris, wine, cancer, diabetes = (load(as_frame=True)
                                    for load in (load_iris, load_wine, load_breast_cancer,
                                                 load_diabetes))
    frame, y = days(False)
    gaps, y_gaps = days(True)
    both = np.stack([iris.target_names[iris.target],
                     np.where(iris.data.iloc[:, 1] > 3, "wide", "narrow")], axis=1)
    X = iris.data.to_numpy()
    yield "iris", CARTClassifier().fit(iris.data, iris.target_names[iris.target]), iris.data
    yield "wine by truth", CARTClassifier(max_depth=4).fit(wine.data, wine.target == 1), wine.data
    yield ("cancer by numbers",
           CARTClassifier(max_depth=5).fit(cancer.data, cancer.target * 2.0 - 1), cancer.data)
    yield "diabetes", CARTRegressor(max_depth=6).fit(diabetes.data, diabetes.target), diabetes.data
    yield "deep diabetes", CARTRegressor().fit(diabetes.data, diabetes.target), diabetes.data
    yield "two labels", CARTClassifier().fit(X, both), X
    yield "two numbers", CARTRegressor(max_depth=5).fit(X[:, :2], X[:, 2:]), X[:, :2]
    yield ("gaps",
           CARTClassifier().fit(np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X),
                                iris.target), X)
    yield "tennis", ID3Classifier().fit(WORDS, PLAY), WORDS
    yield "unclassified", ID3Classifier(empty="unclassified").fit(WORDS[3:], PLAY[3:]), WORDS
    with_gaps = WORDS.copy(); with_gaps.loc[[0, 5, 9], "outlook"] = None
    yield "missing is a value", ID3Classifier(missing="value").fit(with_gaps, PLAY), with_gaps
    order = pd.Series(pd.Categorical(PLAY, ["yes", "no"]))
    yield "declared order", ID3Classifier().fit(WORDS.iloc[::2], order.iloc[::2]), WORDS
    yield "C4.5", C45Classifier().fit(gaps, y_gaps), gaps
    yield "C4.5 without pruning", C45Classifier(pruning=None, min_weight=1).fit(frame, y), frame
    yield "C4.5 on numbers", C45Classifier().fit(iris.data, iris.target), iris.data
    yield "SDR", SDRTreeRegressor(min_share=0.02).fit(frame, frame.wind * 7 + (y == "yes")), frame
    yield "REP", REPClassifier(random_state=0).fit(X, iris.target), X
    yield ("REP of numbers", REPRegressor(random_state=0).fit(diabetes.data, diabetes.target),
           diabetes.data)
    yield "cost-complexity", CostComplexityCV(CARTClassifier(),
                                              cv=3).fit(cancer.data, cancer.target), cancer.data
    yield ("cost-complexity of numbers",
           CostComplexityCV(CARTRegressor(), cv=3).fit(diabetes.data, diabetes.target),
           diabetes.data)
    yield "of scikit-learn", Tree.from_sklearn(
        DecisionTreeClassifier(random_state=0).fit(cancer.data, cancer.target)), cancer.data
    yield "forest", ForestClassifier(12, random_state=0).fit(iris.data,
                                                             iris.target_names[
        iris.target]), iris.data
    yield "forest of two labels", ForestClassifier(5, max_depth=4, random_state=0).fit(X, both), X
    yield "forest of numbers", ForestRegressor(7, max_depth=8,
                                               random_state=0).fit(diabetes.data,
                                                                   diabetes.target), diabetes.data
    yield ("deep forest", ForestRegressor(3, random_state=0).fit(diabetes.data, diabetes.target),
           diabetes.data)
    yield "forest of one tree", ForestClassifier(1,
                                                 random_state=0).fit(
        iris.data, iris.target_names[iris.target]), iris.data
    yield ("forest of one tree and two labels",
           ForestClassifier(1, max_depth=4, random_state=0).fit(X, both), X)
    yield ("forest of one tree of numbers",
           ForestRegressor(1, max_depth=4, random_state=0).fit(diabetes.data, diabetes.target),
           diabetes.data)
    yield "one leaf", CARTClassifier(max_depth=1).fit(X[:50], iris.target[:50]), X
    yield "one leaf of numbers", CARTRegressor().fit(X, np.full(len(X), 0.1)), X
    kinds = pd.DataFrame({"windy": np.arange(60) % 3 == 0,
                          "month": pd.Categorical(np.arange(60) % 4 + 3),
                          "x": np.sin(np.arange(60))})
    yield "truth and whole numbers", C45Classifier(pruning=None,
                                                   min_weight=1).fit(
        kinds, np.arange(60) % 3 + (np.arange(60) % 4 > 1) * 10), kinds
    things = pd.DataFrame({"size": np.linspace(-1, 1, 40),
                           "color": ["red", "green", "blue", "gray"] * 10})
    yield "sets", sets_of_categories(), things
    yield "words in CART", CARTClassifier().fit(gaps, y_gaps), gaps
    yield "surrogates", CARTClassifier(missing="surrogates", max_depth=6).fit(gaps, y_gaps), gaps
    some = np.where(np.random.default_rng(1).random(diabetes.data.shape) < 0.2, np.nan,
                    diabetes.data)
    yield "surrogates of numbers", CARTRegressor(missing="surrogates",
                                                 max_depth=5).fit(some, diabetes.target), some
    yield "forest of words", ForestClassifier(5, random_state=0).fit(gaps, y_gaps), gaps
    yield "sets, other ways", sets_of_categories(missing=(ENDS, 1, 1, ENDS)), things
    yield "in shares", sets_of_categories(missing=(IN_SHARES, 1, IN_SHARES, IN_SHARES)), things

@pytest.fixture(scope="module")
def MODELS(): return {name: (model, X) for name, model, X in models()}

@pytest.fixture(scope="module")
def ASKED(MODELS):
    return {name: asked(model, rows_for(model, X, most=200)) for name, (model, X) in MODELS.items()}

NO_ONNX = ("unclassified", "C4.5", "C4.5 without pruning", "C4.5 on numbers", "in shares",
           "truth and whole numbers", "surrogates", "surrogates of numbers")

@pytest.mark.parametrize("language", ["python", "sqlite", "duckdb", "c", "javascript", "onnx"])
def test_what_is_exported_says_the_same(language, runs, ASKED):
    for name, case in ASKED.items():
        if language == "onnx" and name in NO_ONNX: continue
        try: agree(*case, runs[language])
        except Exception as e: raise AssertionError(name) from e

@cache
def asked_chain(side, missing):
    tree = chain(500, side, missing, numbers=missing == 1)
    X = np.random.default_rng([side, abs(missing)]).normal(size=(200, 2))
    return asked(tree, rows_for(tree, X, most=300))

@pytest.mark.parametrize("language", ["python", "sqlite", "duckdb", "c", "javascript", "onnx"])
@pytest.mark.parametrize("side", [0, 1])
def test_five_hundred_questions_in_a_row(language, side, runs):
    # DuckDB takes its time to plan
    for missing in (0, ENDS) if language == "duckdb" else (0, 1, ENDS, IN_SHARES):
        if language == "onnx" and missing == IN_SHARES: continue
        agree(*asked_chain(side, missing), runs[language])

THRESHOLDS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308,
              1.7976931348623157e308, -1.7976931348623157e308, 0.1 + 0.2, 1 / 3,
              2.0**53, 1e23, -2.5)

@cache
def asked_at_the_edges():
    """Several trees would be several compilations, so one tree asks all of them, each about a
    feature of its own."""
    n, cases = len(THRESHOLDS), []
    names = tuple(f"x{i}" for i in range(n))
    schema = Schema(names, (None,) * n, ((None,) * 1), "squared_error")
    for missing in (0, 1, ENDS):
        first = [1 + 2 * i if i < n else -1 for i in range(2 * n + 1)]
        where = [missing if i < n else -1 for i in range(2 * n + 1)]
        counts = np.stack([np.arange(2 * n + 1) / 7, np.zeros(2 * n + 1)], axis=1)
        tree = Tree.of(schema, [*range(n), *[-2] * (n + 1)], [*THRESHOLDS, *[np.nan] * (n + 1)],
                       first, counts, missing=where,
                       weight=np.full(2 * n + 1, 1.0), size=np.full(2 * n + 1, 1))
        def beside(t):
            return t, *((-np.inf, np.inf) if np.isinf(t) or abs(t) > 1e308
                        else np.nextafter(t, [-np.inf, np.inf]).tolist())
        near = [v for t in THRESHOLDS for v in beside(t)] + EDGES
        rng = np.random.default_rng(0)
        rows = [{name: float(rng.choice(near)) if rng.random() < 0.3
                 else float(rng.choice(beside(t)))
                 for name, t in zip(names, THRESHOLDS)} for _ in range(1000)]
        cases.append(asked(tree, rows))
    return cases

@pytest.mark.parametrize("language", ["python", "sqlite", "duckdb", "c", "javascript", "onnx"])
def test_a_threshold_at_every_edge_of_doubles(language, runs):
    for case in asked_at_the_edges(): agree(*case, runs[language])

@pytest.mark.parametrize("dialect", ["mysql", "mssql"])
def test_where_no_column_holds_infinity_it_is_not_written(dialect):
    schema = Schema(("x",), (None,), (("no", "yes"),), "gini")
    for t in (np.inf, -np.inf):
        for missing in (0, 1, ENDS):
            said = to_sql(Tree.of(schema, [0, -2, -2], [t] * 3, [1, -1, -1],
                                  [[1, 2], [1, 0], [0, 2]], missing=[missing, -1, -1]),
                          dialect=dialect)
            assert ("inf" not in said and "9e999" not in said
                    and ("1 = 0" in said or "IS NOT NULL" in said))

# Names and words that could do harm

def evil():
    "Every name, category and label is one that could end the text in which it stands."
    m = len(EVIL)
    schema = Schema((*EVIL, "word"), (*(None,) * m, tuple(EVIL)), (tuple(EVIL),), "gini")
    rng, n = np.random.default_rng(1), 2 * m + 1
    feature = np.r_[np.arange(m), np.full(n - m, -2)]
    first = np.r_[1 + 2 * np.arange(m), np.full(n - m, -1)]
    counts = rng.integers(1, 50, (n, m)).astype(float)
    start, branch, missing = np.full(n, -1), [], rng.integers(0, 2, n)
    for k in (3, 7, 11, 13):
        feature[k], start[k] = m, len(branch)
        branch += rng.integers(0, 2, m).tolist()
    missing[first < 0] = -1
    return Tree.of(schema, feature, np.where(start < 0, 0.5, np.nan), first, counts, start=start,
                   branch=branch, missing=missing)

@cache
def asked_evil():
    rng = np.random.default_rng(2)
    rows = [{name: float(rng.random()) for name in EVIL}
            | {"word": EVIL[rng.integers(len(EVIL))] if rng.random() < 0.9 else None}
            for _ in range(300)]
    return asked(evil(), rows)

@pytest.mark.parametrize("language", ["python", "sqlite", "duckdb", "c", "javascript", "onnx"])
@pytest.mark.parametrize("nested", [10, 0])
def test_no_name_can_do_harm(language, nested, runs, monkeypatch):
    if language == "duckdb" and not nested:
        pytest.skip("DuckDB takes its time to plan, and sqlite has tried it")
    # as ifs, and as tables
    for room in ("language", "sql"):
        monkeypatch.setattr(f"dtree_lit.export.{room}.NESTED", nested)
    agree(*asked_evil(), runs[language])

@pytest.mark.parametrize("language", ["python", "sqlite", "duckdb", "c", "javascript", "onnx"])
def test_small_trees_by_tables_say_the_same(language, runs, monkeypatch, ASKED):
    for room in ("language", "sql"): monkeypatch.setattr(f"dtree_lit.export.{room}.NESTED", 0)
    for name in ("iris", "gaps", "tennis", "missing is a value", "declared order",
                 "C4.5 without pruning", "SDR", "forest", "sets", "sets, other ways", "in shares"):
        if language == "onnx" and name in NO_ONNX: continue
        try: agree(*ASKED[name], runs[language])
        except Exception as e: raise AssertionError(name) from e

QUOTED = {'postgres': ['"a""b"', "E'it''s \\\\ \"'"], 'mysql': ['`a"b`', "'it''s \\\\ \"'"],
          'bigquery': ['`a"b`', "'it\\'s \\\\ \"'"],
          'snowflake': ['"a""b"', "'it''s \\\\ \"'"], 'mssql': ['[a"b]', "N'it''s \\ \".'"],
          'sqlite': ['`a"b`', "'it''s \\ \"'"], 'duckdb': ['"a""b"', "'it''s \\ \"'"]}

@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_quotes_in_its_way(dialect):
    tree = sets_of_categories(('x', 'a"b'), ("it's \\ \"", "green", "blue", "gray"))
    said = to_sql(tree, ("my", "people"), dialect=dialect, probabilities=True)
    assert all(piece in said for piece in QUOTED[dialect]), said
    begin, end = DIALECTS[dialect].quotes
    assert (f"FROM {begin}my{end}.{begin}people{end}" in said
            and said.count("CASE") == said.count("END") and "; " not in said)
    for evil in EVIL:
        try:
            said = to_sql(sets_of_categories((evil, "b" + evil), tuple(evil + c for c in "wxyz")),
                          evil, dialect=dialect)
        except ValueError as e:
            assert "has no column" in str(e) and (len(evil) > 60 or dialect == "bigquery")
            continue
        assert "DROP" not in without_quoted(said, dialect), said

def without_quoted(said, dialect):
    "SQL without its names and texts, read letter by letter as its database would."
    begin, end = DIALECTS[dialect].quotes
    # of E'' in Postgres, and nothing else is written
    slashes = dialect in ("postgres", "mysql", "bigquery", "snowflake")
    doubles, out, i = dialect != "bigquery", "", 0
    while i < len(said):
        closing = {"'": "'", begin: end}.get(said[i])
        if closing is None: out, i = out + said[i], i + 1; continue
        i += 1
        while True:
            if closing == "'" and slashes and said[i] == "\\": i += 2
            elif (said[i] == closing and (doubles or closing != "'")
                  and said[i + 1:i + 2] == closing):
                i += 2
            elif said[i] == closing: i += 1; break
            else: i += 1
    return out

def test_sqlite_reads_back_every_number():
    "Also those that it reads wrongly in decimals."
    con, rng = sqlite3.connect(":memory:"), np.random.default_rng(0)
    some = rng.integers(0, 2**64, 20_000, dtype=np.uint64).view(float)
    some = [*some[np.isfinite(some)].tolist(), *rng.normal(size=2000).round(12).tolist(),
            *(rng.integers(0, 10**6, 2000) / 1000).tolist(),
            0.0, -0.0, 5e-324, -5e-324, 2.0**53, 2.0**53 - 1, 2.0**63, 1e22, 1e23,
            1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1 / 3, np.inf, -np.inf]
    for i in range(0, len(some), 50):
        said = con.execute("SELECT " + ", ".join(_sql_number("sqlite", v)
                                                 for v in some[i:i + 50])).fetchone()
        assert all(type(a) is float and np.float64(a).tobytes() == np.float64(b).tobytes()
                   or a == b == 0 for a, b in zip(said, some[i:i + 50]))
    assert all(con.execute(f"SELECT {as_quotient(v)}").fetchone() == (v,)
               for v in (0.1, 5e-324, 1e300, -3.0, 2.0**60, 12345.0))

def test_duckdb_has_nan_beside_null():
    import duckdb
    tree = chain(3, 1, 0)
    con = duckdb.connect()
    con.execute("CREATE TABLE people (a DOUBLE, b DOUBLE); INSERT INTO people VALUES ('nan', 1), "
                "(NULL, 1)")
    assert con.execute("SELECT count(*) FROM people WHERE isnan(a)").fetchone() == (1,)
    said = con.execute(to_sql(tree, "people", dialect="duckdb")).fetchall()
    assert said[0] == said[1] == (str(tree.predict_labels([[np.nan, 1.0]])[0]),)

def test_a_column_that_is_not_there_is_an_error_and_no_text():
    "In double quotes, sqlite would take its name for a text, which is larger than any number."
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE people (age REAL)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        con.execute(to_sql(chain(2, 1, 0), "people"))

def test_json_comes_back_and_forests_do_not(MODELS):
    for name, (model, _) in MODELS.items():
        if "forest" in name: continue
        tree = model if isinstance(model, Tree) else model.tree_
        assert from_json(to_json(model)) == tree
    with pytest.raises(ValueError, match="save"): to_json(MODELS["forest"][0])
    with pytest.raises(ValueError, match="damaged"): from_json("{}")

def test_a_frame_has_a_row_for_each_node(MODELS):
    for name, (model, _) in MODELS.items():
        if "forest" in name: continue
        tree, frame = model if isinstance(model, Tree) else model.tree_, to_frame(model)
        assert ((frame.node == np.arange(tree.node_count)).all()
                and (frame["size"] == tree.size).all()
                and (frame.question[tree.leaves] == "").all())
        said = saying_of(model).shares[0]
        assert np.array_equal(frame.iloc[:, -said.shape[1]:].to_numpy(float), said, equal_nan=True)

def test_what_cannot_be_said_is_refused(MODELS):
    def tree_with(features=("a", "b"), categories=(None, None), classes=("no", "yes")):
        return chain(2, 1, 0)._replace(schema=Schema(features, categories, (classes,), "gini"))
    for to in (to_python, to_javascript, to_sql):
        with pytest.raises(ValueError, match="two features have the name 'a'"):
            to(tree_with(("a", "a")))
    to_c(tree_with(("a", "a"))), to_python(tree_with(("a", "A")))
    with pytest.raises(ValueError, match="two features"): to_sql(tree_with(("a", "A")))
    assert '"A"' in to_sql(tree_with(("a", "A")), dialect="postgres")
    with pytest.raises(ValueError, match="2\\*\\*53"):
        to_javascript(tree_with(classes=(1, 2**53 + 2)))
    with pytest.raises(ValueError, match="names are text"):
        to_python(tree_with(classes=(b"a", b"b")))
    with pytest.raises(ValueError, match="is not a dialect"): to_sql(tree_with(), dialect="oracle")
    with pytest.raises(ValueError, match="no column"): to_sql(tree_with(("a\0", "b")))
    with pytest.raises(ValueError, match="letter 0"): to_sql(tree_with(classes=("a\0b", "c\0d")))
    with pytest.raises(ValueError, match="no column"):
        to_sql(tree_with(("a", "x" * 64)), dialect="postgres")
    with pytest.raises(ValueError, match="give table="): to_sql(MODELS["forest"][0])
    with pytest.raises(ValueError, match="from_sklearn"):
        to_python(DecisionTreeClassifier().fit([[0], [1]], [0, 1]))
    with pytest.raises(ValueError, match="no fractional rows"): to_onnx(MODELS["C4.5"][0])
    tree = MODELS["C4.5"][0].tree_
    ends = tree._replace(missing=np.full(tree.node_count, -1))          # as the sentence says
    agree(*asked(ends, rows_for(ends, MODELS["C4.5"][1])), by_onnx)
    with pytest.raises(ValueError, match="unclassified"): to_onnx(MODELS["unclassified"][0])
    with pytest.raises(ValueError, match="one kind"): to_onnx(tree_with(classes=(1, 2.5)))
    sets = sets_of_categories(words=("red", 2, "blue", "gray"))
    with pytest.raises(ValueError, match="both"): to_sql(sets)

def test_without_the_package_onnx_one_sentence(monkeypatch, MODELS):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"^to_onnx needs the package onnx: pip install "
                                          r'"dtree_lit\[onnx\]"$'):
        to_onnx(MODELS["iris"][0])

def test_exported_python_reads_a_row_as_the_tree_does(MODELS):
    room = {}
    exec(to_python(MODELS["iris"][0]), room)
    rows = [dict(row) for _, row in MODELS["iris"][1].iterrows()]
    # compared with a Python float, numpy would round the threshold
    float32 = {name: np.float32(v) for name, v in rows[70].items()}
    assert room["predict"](float32) == MODELS["iris"][0].predict(
        pd.DataFrame([{k: float(v) for k, v in float32.items()}]))[0]
    with pytest.raises(KeyError): room["predict"]({})
    with pytest.raises(ValueError):
        room["predict"](rows[0] | {"petal length (cm)": "long", "petal width (cm)": "wide"})

def test_the_order_of_the_ends_is_that_of_the_lines(MODELS):
    "As many lines as ways end, and each node that answers a row is among them."
    for name, (model, X) in MODELS.items():
        for tree in saying_of(model).trees if "surrogates" not in name else ():
            assert {k for _, k in ends_in_order(tree)} >= set(tree.leaves.tolist())

def test_a_tree_of_categories_inside_of_who_reads_numbers():
    "REP reads the numbers of ID3's categories as numbers; its programs know them by the tree."
    X, y = np.random.default_rng(0).integers(3, 7, (60, 2)).astype(float), np.arange(60) % 2
    y[X[:, 0] > 4] = 1
    model = REPClassifier(ID3Classifier()).fit(X, y)
    scope = {}
    exec(to_python(model), scope)
    assert model.tree_.node_count > 1 and model.tree_.schema.categories[0]
    assert [scope["predict"](dict(zip(("x0", "x1"), row)))
            for row in X.tolist()] == model.predict(X).tolist()
