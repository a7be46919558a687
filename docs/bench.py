"""Measure the library beside its peers: the same data, one process, one thread, turn by turn.

    make bench                          every row, a quarter of an hour
    make bench ARGS=--quick             small data, a look at whether all is well
    make bench ARGS=--large             and a million rows, ten on Dask, where peers take minutes
    make bench ARGS="fit threads"       these groups alone
    make bench ARGS=--record            write nbs/data/benchmarks.json, which the pages show and the README quotes
    make bench ARGS="forest --record"   renew these groups of it, with the same versions

A ratio is the time of a learner over the time of the first one in its row: above 1, the first is faster.
YDF, XGBoost, LightGBM, scikit-learn-intelex, pykdtree, faiss, statsmodels, rpart (by Rscript) and Weka (its jar at $WEKA,
by javac) take part where they are installed.
"""
import os
if __name__ == "__main__":                   # before numpy is loaded
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                     "MKL_NUM_THREADS"), "1"))
os.environ["DTREE_LIT_RENT"] = "0"           # what is timed is compiled, but for cold starts
import argparse, json, platform, re, subprocess, sys, tempfile, time
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench_data import close, data_of, fresh, SMALL, with_option
from bench_peers import Elsewhere, FOREST, installed, learner_of, ON_DASK, ours, slope

ROOT = Path(__file__).resolve().parent.parent
RECORD, README = ROOT / "nbs/data/benchmarks.json", ROOT / "README.md"

GROUPS = ("fit small options threads levels predict criteria c45 growth words forest numbers "
          "neighbors logistic memory dask start cold first".split())

class Row(NamedTuple):
    "One thing to measure."
    group: str                  # one of GROUPS
    learners: tuple             # the first is the unit of the ratios
    n: int = 0
    m: int = 10
    data: str = "gaussian"
    classes: int = 2            # 0: numbers
    criterion: str = "entropy"  # "": no tree is grown
    depth: int|None = None      # how many questions in a row; None: until nothing is left to divide
    option: str = ""            # what is not plain: a parameter and its value, or a learner's word
    dtype: str = "float32"

    def __str__(self):
        if self.group in ("cold", "first"): return self.data
        size = f"{self.n:,} × {self.m}" if self.n else "150 × 4"
        kind = {0: "", 2: ""}.get(self.classes, f"{self.classes} classes")
        depth = ("" if not self.criterion else "full" if self.depth is None
                 else f"depth {self.depth}")
        dtype = "" if self.dtype == "float32" else self.dtype
        return ", ".join(filter(None, (f"{self.data} {size}", kind, self.criterion, depth,
                                       self.option, dtype)))

    def answers(self):
        "Is the model there, and are its answers alone timed?"
        return self.group == "predict" or "answers" in self.option

# The race

def clock():
    "Seconds on the wall, and of the processor for this process and its children."
    return np.array([time.perf_counter(), time.process_time() + sum(os.times()[2:4])])

def race(calls, least, budget, most=51):
    """Call each in turn, and again until the budget is spent: (round, wall and cpu) of each, and
    what came out last."""
    spent, results, start = {name: [] for name in calls}, {}, time.perf_counter()
    def rounds(): return min(map(len, spent.values()))
    while rounds() < least or rounds() < most and time.perf_counter() - start < budget:
        for name, call in calls.items():
            results.pop(name, None)                     # taking the old one apart is not timed
            before = clock()
            results[name] = call()
            taken = clock() - before
            spent[name].append(results[name][:2] if isinstance(results[name], Elsewhere) else taken)
    return {name: np.array(s, float) for name, s in spent.items()}, results

def quartiles(values):
    "Lower quartile, median and upper quartile, in four digits."
    return [float(f"{v:.4g}") for v in np.quantile(values, (0.25, 0.5, 0.75))]

def compare(spent):
    "Seconds of each learner, and its ratios to the first, round by round."
    first = next(iter(spent.values()))
    def entry(s):
        ratio = s / np.maximum(first, 1e-9)
        return dict(wall=quartiles(s[:, 0]), cpu=quartiles(s[:, 1]),
                    wall_ratio=quartiles(ratio[:, 0]), cpu_ratio=quartiles(ratio[:, 1]))
    return {name: entry(s) for name, s in spent.items()}

STARTS = dict(ours="from dtree_lit.learners.cart import CARTClassifier as C; C().fit(X, y)",
              sklearn="from sklearn.tree import DecisionTreeClassifier as C; C().fit(X, y)",
              bare="import sklearn.tree")

HERE = dict(os.environ)                         # as we found it: Dask changes what malloc does

def elsewhere(code, **env):
    """Run it in a fresh process, from a new installation from source: nothing was compiled yet, and
    is not before that pays."""
    with tempfile.TemporaryDirectory() as empty:
        env = HERE | dict(NUMBA_CACHE_DIR=empty, DTREE_LIT_RENT="1", DTREE_LIT_MACHINE="0") | env
        return subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=env,
                              capture_output=True, text=True).stdout

def start(name):
    "A fresh process: import, and fit iris."
    iris = Path(find_spec("sklearn").origin).parent / "datasets/data/iris.csv"
    read = (f"import numpy as np; *X, y = np.loadtxt({str(iris)!r}, delimiter=',', skiprows=1).T; "
            f"X = np.array(X).T; ")
    elsewhere(read + STARTS[name])

MADE = ("r = np.random.default_rng(0); X = r.standard_normal((100_000, 10)); y = (X[:, 0] + "
        "r.standard_normal(100_000) > 0).astype(int)")
COLD = {                                     # the data, and the model
    "iris, gini": ("X, y = load_iris(return_X_y=True)", "CARTClassifier()"),
    "digits, entropy": ("X, y = load_digits(return_X_y=True)",
                        "CARTClassifier(criterion='entropy')"),
    "diabetes, numbers": ("X, y = load_diabetes(return_X_y=True)", "CARTRegressor()"),
    "breast cancer, reduced error pruning": ("X, y = load_breast_cancer(return_X_y=True)",
                                             "REPClassifier()"),
    "breast cancer, cost-complexity by cross-validation": (
    "X, y = load_breast_cancer(return_X_y=True)", "CostComplexityCV(CARTClassifier(), cv=10)"),
    "100,000 × 10, gini": (MADE, "CARTClassifier()")}

FITS = 20                                    # of a first hour
FIRST = {data: (f"X, y = load_{data.replace(' ', '_')}(return_X_y=True)", "CARTClassifier()")
         for data in ("iris", "wine", "breast cancer", "digits")} | {
    "diabetes": ("X, y = load_diabetes(return_X_y=True)", "CARTRegressor()"),
    "100,000 × 10": (MADE, "CARTClassifier()")}

def timed(name, read, model, line, **env):
    "What a line takes in a new process, which has imported everything and made a model before."
    if name == "sklearn": model = model.replace("CART", "DecisionTree")
    code = (f"import time; import numpy as np; from sklearn.datasets import *; from sklearn.tree "
            f"import *; from dtree_lit import *; {read}; {model}\n"
            f"wall, cpu = time.perf_counter(), time.process_time()\n"
            f"{line.format(model=model, fits=FITS)}\n"
            "print(time.perf_counter() - wall, time.process_time() - cpu)")
    return Elsewhere(*map(float, elsewhere(code, **env).split()), 0)

def first_fits(name, data):
    "The first fits of a new process, one after another, in seconds beyond the imports."
    env = dict(DTREE_LIT_MACHINE="") if name == "ours" else {}          # with the wheel's code
    return timed(name, *FIRST[data], "for _ in range({fits}): {model}.fit(X, y)", **env)

def cold(name, data):
    "The first fit and the first prediction of a new installation, in seconds beyond the imports."
    env = dict(DTREE_LIT_RENT="0") if name == "compiled" else {}
    return timed(name, *COLD[data], "{model}.fit(X, y).predict(X)", **env)

def turns(row):
    "What is called for each learner, and the learner."
    if row.group == "start": return {name: (partial(start, name), None) for name in row.learners}
    if row.group == "cold":
        return {name: (partial(cold, name, row.data), None) for name in row.learners}
    if row.group == "first":
        return {name: (partial(first_fits, name, row.data), None) for name in row.learners}
    X, y = data_of(row)
    varied, w, params = with_option(row.option, X, y)
    def turn(name):
        if row.group == "dask" and name != "ours": return ON_DASK[name](row, X, y)
        if name == "plain": return partial(ours(row).fit, X, y), ours(row)
        if name == "a tenth":
            return partial(ours(row).fit, X[:len(X) // 10], y[:len(X) // 10]), ours(row)
        learner = learner_of(name, row, **params)
        if not row.answers(): return partial(learner.fit, varied, y, w), learner
        model, questions = learner.fit(X, y), y if row.group == "neighbors" else X
        return (lambda: (model, learner.predict(model, questions))), learner
    return {name: turn(name) for name in row.learners}

def quality(row, learner, result, first):
    """How many nodes a tree has, and how well it fits: accuracy, or the share of the variance
    that is explained. Or what else counts."""
    X, y = data_of(row)
    if row.group == "logistic": return dict(slope=float(f"{slope(X, y, result):.2g}"))
    if row.group == "neighbors":
        same = (np.sort(result[1]) == np.sort(first[1])).all(axis=1)
        return dict(differ=float(f"{1 - same.mean():.4g}"))
    model = result[0] if row.answers() else result
    if row.group == "forest":                          # about other rows: it knows its own by heart
        X, y = fresh(row)
        found = dict(nodes=learner.nodes(model),
                     fits=float(f"{np.mean(learner.predict(model, X) == y):.6g}"))
        return found | (dict(file=learner.file(model)) if learner.file else {})
    predicted = result[1] if row.answers() else learner.predict and learner.predict(result, X)
    found = dict(nodes=learner.nodes(model))
    if predicted is None: return found
    fits = np.mean(predicted == y) if row.classes else 1 - np.var(y - predicted) / np.var(y)
    return found | dict(fits=float(f"{fits:.6g}"))

# Memory

def status(field):
    "A line of what Linux says about this process, in bytes."
    return next(int(line.split()[1]) * 1024
                for line in open("/proc/self/status") if line.startswith(field))

def peak(name, row):
    "What a fit adds to the memory of this process at most: run where nothing large has happened."
    learner, small = learner_of(name, row), row._replace(n=3000)
    learner.fit(*data_of(small))
    X, y = data_of(row)
    Path("/proc/self/clear_refs").write_text("5")          # the highest mark is where we are
    before = status("VmRSS")
    learner.fit(X, y)
    return status("VmHWM") - before

def peak_elsewhere(name, row):
    "The same, in a fresh process."
    out = subprocess.run([sys.executable, __file__, "--peak", name, json.dumps(row)],
                         capture_output=True, text=True, check=True)
    return dict(bytes=int(out.stdout))

# All of it

def plan(form):
    "The rows of a quick, full or large run."
    both, three = ("ours", "sklearn"), ("ours", "sklearn", "ydf")
    quick, depths = form == "quick", (None, 6)
    sizes, n = dict(quick=([1000, 3000], 3000), full=([1000, 10_000, 100_000], 100_000),
                    large=([1000, 10_000, 100_000, 1_000_000], 100_000))[form]
    for size in sizes:
        for m in (10, 50)[:1 if quick or size > n else 2]:
            for depth in depths:
                others = ("xgboost",) * (depth is not None) + ("lightgbm", "rpart")
                yield Row("fit", three + others * (m == 10 and 1000 < size <= n), size, m,
                          depth=depth)
                yield Row("fit", both, size, m, criterion="gini", depth=depth)
    for depth in depths:
        yield Row("fit", three, n, classes=20, depth=depth)
        yield Row("fit", three, n, classes=0, criterion="squared_error", depth=depth)
        yield Row("fit", three, min(n, 32_561), 14, "adult", depth=depth)
        yield Row("fit", three, n if quick else 89_850, 64, "digits", classes=10, depth=depth)
        yield Row("fit", three, n, data="noise", depth=depth)
        yield Row("predict", three, n, depth=depth)
        yield Row("levels", ("levels", "sklearn", "ours"), n, depth=depth)
        yield Row("threads", ("ours", "plain"), n if quick else 1_000_000, depth=depth,
                  option="n_jobs=2")
    for name, (size, m, classes) in SMALL.items():
        yield Row("small", both, size, m, name, classes, "gini" if classes else "squared_error",
                  dtype="float64")
    yield Row("threads", ("ours", "plain"), n if quick else 200_000, 50, option="n_jobs=2")
    for option in ("weights", "whole weights", "class_weight=balanced", "missing values",
                   "min_samples_leaf=5", "min_impurity_decrease=1e-5",
                   "max_leaf_nodes=1000", "max_features=sqrt"):
        yield Row("options", ("ours", "plain", "sklearn"), n, option=option)
    yield Row("options", ("ours", "plain", "sklearn"), n if quick else 89_850, 64, "digits",
              classes=10, option="class_weight=balanced")
    for criterion in ("gini", "entropy"):
        yield Row("fit", both, n, criterion=criterion, dtype="float64")
    for name in ("ours", "sklearn"):
        for depth in depths:
            yield Row("criteria", (f"{name}, gini", f"{name}, entropy"), n,
                      criterion="gini or entropy", depth=depth)
    for option in ("", "pruning=null"):
        yield Row("c45", ("c45", "j48"), min(n, 32_561), 14, "persons", criterion="gain ratio",
                  option=option)
    yield Row("growth", ("a tenth", "ours"), n if quick else 1_000_000)
    for depth in depths:
        yield Row("words", ("ours", "one-hot", "ordinal"), min(n, 32_561), 14, "words",
                  criterion="gini", depth=depth)
    some = min(n, 10_000)
    for option in (FOREST, f"{FOREST}, answers"):
        exact = ("intelex, exact",) if option == FOREST else ()
        yield Row("forest", (*three, "lightgbm", "intelex", *exact), n, criterion="gini",
                  option=option)
    for depth in depths:
        yield Row("numbers", ("sdr", "ours, sdr", "sklearn, squared_error"), n, classes=0,
                  criterion="sdr", depth=depth)
    for data, m in (("points", 3), ("points", 8), ("grid", 3)):
        for option in ("", "answers"):
            yield Row("neighbors", (*both, "scipy", "pykdtree"), n, m, data, criterion="",
                      option=option, dtype="float64")
    for m in (16, 64):
        yield Row("neighbors", (*both, "faiss"), n, m, "points", criterion="", option="brute",
                  dtype="float64")
    for data, size, m in (("chances", some, 10), ("chances", n, 20), ("uneven chances", some, 10)):
        yield Row("logistic", ("ours", "newton-cholesky", "lbfgs", "statsmodels"), size, m, data,
                  criterion="", dtype="float64")
    yield Row("memory", both, n, criterion="gini", option=FOREST)
    for depth in (3, None):
        for dtype in ("float32", "float64"):
            yield Row("memory", both, *((1_000_000, 10) if form == "large" else (n, 50)),
                      depth=depth, dtype=dtype)
    rows = 100_000 if quick else 10_000_000 if form == "large" else 2_000_000
    for depth in (1,) if quick else (1, 8):             # each starts what workers need
        yield Row("dask", ("ours", *ON_DASK), rows, 8, depth=depth, criterion="gini")
    yield Row("start", ("ours", "sklearn", "bare"), 0, 4, "iris")
    for data, (_, model) in COLD.items():
        compiled = ("compiled",) if data == "iris, gini" else ()
        yield Row("cold", ("ours", *compiled,
                           *(("sklearn",) if model.startswith("CART") else ())), data=data)
    for data in ("iris",) if quick else FIRST:
        yield Row("first", ("ours", "source", "sklearn"), data=data)

def measure(row, least=3, budget=5.0):
    "One row: what it is, and an entry for each learner that is here."
    row = row._replace(learners=tuple(filter(installed, row.learners)))
    about = row._asdict() | dict(what=str(row))
    if row.group == "memory":
        return about | dict(learners={name: peak_elsewhere(name, row) for name in row.learners})
    if row.group not in ("cold", "first"):
        for call, _ in turns(row._replace(n=min(row.n, 3000))).values(): call()  # compile, load
    prepared = turns(row)
    spent, results = race({name: call for name, (call, _) in prepared.items()}, least, budget)
    found = compare(spent)
    if row.group == "criteria":    # a statement of the documents rests on these: each round is kept
        for name, s in spent.items():
            found[name]["each"] = [float(f"{r:.4g}") for r in (s / spent[row.learners[0]])[:, 1]]
    for name, (_, learner) in prepared.items():
        if learner:
            found[name] |= quality(row._replace(n=row.n // 10) if name == "a tenth" else row,
                                   learner, results[name],
                                                results[row.learners[0]])
    shares = dict(close=float(f"{close(data_of(row)[0]):.3g}")) if row.group == "fit" else {}
    return about | shares | dict(rounds=len(next(iter(spent.values()))), learners=found)

def told(row):
    "A row as a line for a terminal."
    def entry(name, e):
        if "bytes" in e: return f"{name} {e['bytes'] / 2**20:.1f} MiB"
        low, ratio, high = e["wall_ratio"]
        times = (f"×{ratio:.3g} ({low:.3g} to {high:.3g}, cpu {e['cpu_ratio'][1]:.3g})"
                 if name != next(iter(row["learners"])) else "")
        return " ".join(filter(None, (name, f"{e['wall'][1] * 1e3:.4g} ms", times,
                                      f"{e['nodes']} nodes" if e.get("nodes") else "")))
    return f"{row['group']:8} {row['what']}: " + "; ".join(entry(*item)
                                                           for item in row["learners"].items())

QUOTED = {"fit", "options", "cold"}            # by the README

def machine():
    "Where this was measured."
    cpuinfo = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines()
             if line.startswith("model name")] if cpuinfo.exists() else []
    return dict(processor=names[0] if names else platform.processor() or platform.machine(),
                cores=os.cpu_count(), system=f"{platform.system()} {platform.release()}")

def versions():
    "Of Python and whatever took part."
    found = {"Python": platform.python_version()}
    for name in ("dtree_lit", "numpy", "numba", "scikit-learn", "ydf", "xgboost", "lightgbm",
                 "scipy", "pykdtree", "faiss-cpu", "statsmodels",
                 "scikit-learn-intelex", "dask"):
        try: found[name] = version(name)
        except PackageNotFoundError: pass
    ask = ["Rscript", "-e", "cat(as.character(packageVersion('rpart')))"]
    if installed("rpart"):
        found["rpart"] = subprocess.run(ask, capture_output=True, text=True).stdout
    return found

def write_whole(path, text):
    "Write a file, or leave it as it was."
    part = path.with_suffix(".part")
    try:
        part.write_text(text, "utf-8")
        part.replace(path)
    finally: part.unlink(missing_ok=True)

def made(rows, form):
    "A record of all rows."
    return dict(machine=machine(), versions=versions(), date=time.strftime("%Y-%m-%d"), renewed={},
                elsewhere={}, form=form, rows=rows)

def joined(old, new):
    "A record of which some groups were measured anew, in the order of the plan."
    groups = dict.fromkeys(row["group"] for row in new["rows"])
    rows = {group: iter([row for row in (new if group in groups else old)["rows"]
                         if row["group"] == group]) for group in GROUPS}
    planned = [next(rows[row.group], None) for row in plan(old["form"])]
    elsewhere = {group: where for group, where in old["elsewhere"].items() if group not in groups}
    if new["machine"] != old["machine"]: elsewhere |= dict.fromkeys(groups, new["machine"])
    return old | dict(versions=old["versions"] | new["versions"], elsewhere=elsewhere,
                      renewed=old["renewed"] | dict.fromkeys(groups, new["date"]),
                      rows=[row for row in planned if row])

def elsewhere_measured(old, groups):
    "What in a record is not what is here: versions, and the machine of what the README quotes."
    here, there = versions(), old["versions"]
    if QUOTED & set(groups): here, there = here | machine(), there | old["machine"]
    return [f"{name} {there[name]}" for name in here.keys() & there if here[name] != there[name]]

def not_here(old, groups):
    "Who took part in these groups of a record, and is not installed: its times would be lost."
    return sorted({name for row in old["rows"] if row["group"] in groups
                   for name in row["learners"] if not installed(name)})

def as_text(record):
    "A line for each row, so that two records can be compared."
    head = {key: value for key, value in record.items() if key != "rows"}
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in record["rows"])
    return (json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "rows": [\n'
            + lines + "\n]}\n")

def quote(record):
    "What the README says about speed: seven rows, losses too, and the range of all."
    rows, version = record["rows"], record["versions"]
    def shown(x): return f"{float(f'{x:.2g}'):g}"
    def ratio(row): return row["learners"]["sklearn"]["wall_ratio"][1]
    def found(group, n, **of):
        what = str(Row(group, (), n, **of))
        return next(r for r in rows if (r["group"], r["what"]) == (group, what))
    def first(what): return next(r for r in rows if (r["group"], r["what"]) == ("first", what))
    def from_source(row):
        return row["learners"]["sklearn"]["wall"][1] / row["learners"]["source"]["wall"][1]
    said = {
        "a tree of 100,000 × 10 numbers, by default": found(
            "fit", 100_000, criterion="gini", dtype="float64"),
        "a tree of 1,000 × 10": found("fit", 1000, criterion="gini"),
        "a tree of a census, 32,561 × 14": found("fit", 32_561, m=14, data="adult"),
        "a regression tree of 100,000 × 10": found(
            "fit", 100_000, classes=0, criterion="squared_error"),
        "the first twenty fits of a new process, from a wheel: wine": first("wine"),
        "the same for diabetes": first("diabetes")}
    beside = [ratio(row) for row in rows if row["group"] in ("fit", "options")]
    ratios = {what: ratio(row) for what, row in said.items()}
    source = "the same from source, where numpy grows the first trees"
    ratios[source] = from_source(first("diabetes"))
    lines = [f"| {what} | {shown(r)}{', slower' if r < 1 else ''} |" for what, r in ratios.items()]
    elsewhere = record["elsewhere"].get("first")
    where = f" First fits were measured on {elsewhere['processor']}." if elsewhere else ""
    compiled = next(row for row in rows if row["group"] == "cold")["learners"]["compiled"]["cpu"][1]
    return "\n".join([
        f"The time of scikit-learn {version['scikit-learn']} over ours: medians, on one thread "
        f"({record['machine']['processor']}, {record['renewed'].get('fit', record['date'])}).",
        "", "| what is fitted | times as fast |", "|---|---|", *lines, "",
        f"On {len(beside)} tables with different options the ratio lies between "
        f"{shown(min(beside))} and {shown(max(beside))}. A wheel built by `make wheel` compiles "
        "only for rare combinations of options, such as weights and entropy with categories, a few "
        f"seconds each. From source, numba compiles once, for {shown(compiled)} seconds, "
        f"[when that pays off](nbs/4_learners/425_grow.ipynb).{where} The "
        "[benchmarks](nbs/0_start/090_benchmarks.ipynb) show every row, with all in which others "
        "are faster, and `make bench` measures again."])

def quoted(readme, record):
    "The README with this section renewed."
    return re.sub(r"(?<=^## Speed\n\n).*?(?=\n\n## )", lambda m: quote(record), readme,
                  flags=re.M | re.S)

def main(args=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", help=f"measure these alone: {' '.join(GROUPS)}")
    parser.add_argument("--quick", action="store_true", help="small data")
    parser.add_argument("--large", action="store_true", help="a million rows, too")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.relative_to(ROOT)}, "
                                                              f"and what the README quotes from it")
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    a = parser.parse_args(args)
    if a.peak: return print(peak(a.peak[0], Row(*json.loads(a.peak[1]))))
    if set(a.groups) - {*GROUPS}: parser.error(f"there are the groups {' '.join(GROUPS)}")
    if a.record and a.quick: parser.error("a record holds whole rows: leave out --quick")
    there = json.loads(RECORD.read_text("utf-8")) if a.record else None
    old = there if a.groups else None
    if old and (other := elsewhere_measured(old, a.groups)):
        parser.error(f"the record is of {', '.join(other)}: leave out the groups, and measure all "
                     f"of them")
    if there and (lost := not_here(there, a.groups or GROUPS)):
        parser.error(f"the record has times of {', '.join(lost)} in these groups: install what is "
                     f"missing, or measure the other groups alone")
    form = old["form"] if old else "quick" if a.quick else "large" if a.large else "full"
    rows = []
    for row in plan(form):
        if a.groups and row.group not in a.groups: continue
        # Linux alone tells
        if row.group == "memory" and not Path("/proc/self/clear_refs").exists(): continue
        slow = row.n > 200_000 and "sklearn" in row.learners
        least = 1 if a.quick or slow else 7 if row.group == "criteria" else 3
        rows.append(measure(row, least=least, budget=0.1 if a.quick else 5.0))
        print(told(rows[-1]), flush=True)
    if not a.record: return
    record = made(rows, form)
    if old: record = joined(old, record)
    write_whole(RECORD, as_text(record))
    write_whole(README, quoted(README.read_text("utf-8"), record))

if __name__ == "__main__": main()
