"""Do two checkouts grow the same trees? Grows random tables with every learner in this checkout and in another
commit, and compares what came out byte for byte.

    python docs/same.py main                 2,000 tables; ends with 1 if anything differs
    python docs/same.py main --tables 100    fewer
    python docs/same.py main --seed 17       one table
"""
import argparse
import inspect
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import warnings
from collections import Counter
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
TABLES, SHOWN = 2000, 10

# --- tables

class Random(NamedTuple):
    "A table by lot."
    X: pd.DataFrame     # numbers and categories, some missing
    y: np.ndarray       # classes, or numbers
    w: np.ndarray|None  # weights
    new: pd.DataFrame   # rows to predict, also with categories that were not there

NUMBERS, CATEGORIES = range(5), range(5, 8)
LARGE = 9000        # rows of the last two tables of each fifty, whose columns are counted

def is_large(seed): return seed % 50 >= 48

def column(rng, n, kinds, gaps):
    "Few whole numbers, many numbers, float32, neighbors, all sizes, truth values or categories."
    kind = rng.choice(kinds)
    if kind == 0: x = rng.integers(0, rng.integers(1, 8), n)
    elif kind == 1: x = rng.normal(size=n)
    elif kind == 2: x = (rng.integers(0, 9, n) / 3).astype(np.float32)
    elif kind == 3: x = 1 + rng.integers(0, 6, n) * 2.0**-52
    elif kind == 4: x = rng.lognormal(0, 200, n) * rng.choice([-1, 1], n)
    elif kind == 5: return pd.Series(rng.random(n) < rng.random())
    else: x = np.array(list("abcdefghijkl"), object)[rng.integers(0, rng.integers(1, 13), n)]
    x = pd.Series(x) if kind < 7 else pd.Series(x).astype("category")
    return x.mask(rng.random(n) < 0.4 * rng.random()) if rng.random() < gaps else x

def random_table(seed):
    "The table of a seed: of classes where it is even."
    rng = np.random.default_rng(seed)
    n, more = LARGE if is_large(seed) else int(rng.integers(4, 60)), 12
    kinds = [[*NUMBERS], [*CATEGORIES], [*NUMBERS, *CATEGORIES], [*NUMBERS, *CATEGORIES]]
    how = kinds[rng.integers(4)], 0.4 * rng.integers(2)
    many = rng.integers(6, 9) if is_large(seed) else rng.integers(1, 6)
    X = pd.DataFrame({f"x{f}": column(rng, n + more, *how) for f in range(many)})
    if seed % 2: y = [rng.integers(0, 9, n), rng.integers(0, 99, n) / 10,
                      rng.normal(size=n)][rng.integers(3)].astype(float)
    else: y = np.array(["no", "yes", "perhaps", "never"])[rng.integers(0, rng.integers(2, 5), n)]
    w = [None, None, rng.integers(0, 4, n), rng.random(n)][rng.integers(4)]
    new = X[n:].reset_index(drop=True)
    for name in new:
        if new[name].dtype == object: new.loc[rng.integers(more), name] = "never seen"
    return Random(X[:n], y, w, new)

# --- learners

class Learner(NamedTuple):
    "What is called, and with what; a value that is a learner is made, too."
    name: str
    values: dict = {}
    module: str = ""    # of a function; an estimator is a public name

ON_LARGE = {"CARTClassifier", "CARTRegressor", "ForestClassifier", "ForestRegressor", "grow_levels",
            "CostComplexityCV", "REPClassifier", "REPRegressor"}        # that count, or must agree

# modules of which a commit may have the older name
OLDER = {"learners.levels": "growth", "models.grow_sharded": "scale", "models.shards": "counting"}

def module_of(name):
    "A module of the checkout that is imported, by its name of today or by the older one."
    try: return import_module(f"dtree_lit.{name}")
    except ModuleNotFoundError: return import_module(f"dtree_lit.{OLDER.get(name, name)}")

def limits(rng):
    "Limits of CART by lot; mostly one or two of them."
    drawn = dict(max_depth=int(rng.integers(1, 5)), min_samples_leaf=int(rng.integers(1, 6)),
                 min_samples_split=int(rng.integers(2, 9)), min_impurity_decrease=0.02,
                 max_leaf_nodes=int(rng.integers(2, 9)))
    return {name: value for name, value in drawn.items() if rng.random() < 0.2}

def learners_of(seed):
    "Every learner that the table of a seed is for; of a large one, those that count its columns."
    return (one for one in every_learner(seed) if not is_large(seed) or one.name in ON_LARGE)

def every_learner(seed):
    "Every learner for classes, or for numbers, with limits of its own."
    rng = np.random.default_rng([seed, 1])
    one, two = limits(rng), limits(rng)
    lots = dict(random_state=seed)
    forest, few = dict(n_estimators=3, **lots), dict(cv=2, **lots)
    if seed % 2:
        yield Learner("CARTRegressor", one)
        yield Learner("CARTRegressor", dict(criterion=str(rng.choice(["sdr", "poisson",
                                                                      "absolute_error"]))))
        yield Learner("CARTRegressor", dict(missing="surrogates", max_depth=3))
        yield Learner("SDRTreeRegressor")
        yield Learner("OptimalTreeRegressor", dict(leaf_cost=0.01))
        yield Learner("REPRegressor", lots)
        yield Learner("CostComplexityCV", dict(estimator=Learner("CARTRegressor", two), **few))
        yield Learner("ForestRegressor", forest)
        yield Learner("KNNRegressor")
        function = dict(criterion="squared_error")
    else:
        yield Learner("CARTClassifier", one)
        yield Learner("CARTClassifier", two | dict(criterion="entropy"))
        yield Learner("CARTClassifier", dict(criterion="misclassification"))
        yield Learner("CARTClassifier", dict(max_features=1, class_weight="balanced", **lots))
        yield Learner("CARTClassifier", dict(missing="surrogates", max_depth=3))
        yield Learner("OptimalTreeClassifier", dict(leaf_cost=0.01))
        yield Learner("ID3Classifier", dict(missing="value") if rng.random() < 0.8 else {})
        yield Learner("C45Classifier")
        yield Learner("C45Classifier", dict(pruning=None, thresholds="midpoints",
                                            binary=[False, "value"][rng.integers(2)]))
        yield Learner("C45RulesClassifier")
        yield Learner("AssistantClassifier")
        yield Learner("C50Classifier", dict(trials=3))
        yield Learner("REPClassifier", lots)
        yield Learner("CostComplexityCV", few)
        yield Learner("ForestClassifier", forest)
        yield Learner("KNNClassifier")
        yield Learner("LogisticClassifier", dict(C=1.0))
        function = dict(criterion=str(rng.choice(["gini", "entropy"])))
    yield Learner("grow_levels", function, "learners.levels")
    yield Learner("grow_sharded", function, "models.grow_sharded")

def title(learner):
    "A learner as one would write it down."
    values = (f"{name}={title(v) if isinstance(v, Learner) else repr(v)}"
              for name, v in learner.values.items())
    return f"{learner.name}({', '.join(values)})"

class Absent(Exception): "This checkout lacks a learner, or one of its parameters."

def made(learner):
    "The estimator, or the function."
    try:
        home = module_of(learner.module) if learner.module else import_module("dtree_lit")
        thing = getattr(home, learner.name)
    except (AttributeError, ImportError): raise Absent(learner.name) from None
    known = inspect.signature(thing).parameters
    for name in learner.values:
        if name not in known: raise Absent(f"{name} of {learner.name}")
    if learner.module: return thing
    return thing(**{name: made(v) if isinstance(v, Learner) else v
                    for name, v in learner.values.items()})

# --- what comes out

def mark(value):
    "A few letters that differ where values do: arrays by type, shape and bytes."
    if isinstance(value, np.ndarray) and value.dtype != object:
        value = np.ascontiguousarray(value)
        data = f"{value.dtype.str} {value.shape} ".encode() + value.tobytes()
    else: data = repr(value.tolist() if isinstance(value, np.ndarray) else value).encode()
    return blake2b(data, digest_size=6).hexdigest()

def marks_of_tree(tree, name):
    "All arrays of a tree, and its schema part by part."
    parts = {field: getattr(tree, field) for field in tree._fields if field != "schema"}
    parts |= {f"schema.{field}": value for field, value in tree.schema._asdict().items()}
    return {f"{name}.{field}": mark(value) for field, value in parts.items()}

def grown_by_function(function, learner, table):
    "The tree that a function grows from the columns of numbers."
    numbers = table.X.select_dtypes("number")
    if not numbers.shape[1]: return {}
    X, y = numbers.to_numpy(float), table.y
    if y.dtype.kind == "U": y = np.unique(y, return_inverse=True)[1]
    if learner.name == "grow_sharded":
        shards = module_of("models.shards").Shards.of(X, y, 2, table.w)
        return marks_of_tree(function(shards, **learner.values), "tree")
    return marks_of_tree(function(X, y, table.w, **learner.values), "tree")

def grown_by_estimator(model, table):
    "Trees, rules and predictions of a fitted estimator."
    takes_weights = "sample_weight" in inspect.signature(model.fit).parameters
    model.fit(table.X, table.y, *([table.w] if takes_weights else []))
    fields = {}
    if hasattr(model, "tree_"): fields |= marks_of_tree(model.tree_, "tree")
    if hasattr(model, "trees_"): fields["trees"] = mark(len(model.trees_))
    for i, tree in enumerate(getattr(model, "trees_", ())):
        fields |= marks_of_tree(tree, f"trees[{i}]")
    if hasattr(model, "rules_"): fields["rules"] = mark(str(model.rules_))
    for ask in ("predict", "predict_proba"):
        if not hasattr(model, ask): continue
        fields[ask] = told_or_refused(lambda: getattr(model, ask)(table.new))
    return fields

def told_or_refused(answer):
    "The mark of an answer; or the type of error, since a message may be put in other words."
    try: return mark(answer())
    except Exception as error: return f"refused: {type(error).__name__}"

def grown(learner, table):
    "Marks by field."
    thing = made(learner)
    try:
        if learner.module: return grown_by_function(thing, learner, table)
        return grown_by_estimator(thing, table)
    except Exception as error: return {"fit": f"refused: {type(error).__name__}"}

def dump(seeds, path, root):
    "What this Python's dtree_lit grows: a line for each table and learner."
    import dtree_lit
    at = Path(dtree_lit.__file__).resolve().parent.parent
    if at != Path(root).resolve(): sys.exit(f"dtree_lit is imported from {at}, and not from {root}")
    with open(path, "w") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            table = random_table(seed)
            for learner in learners_of(seed):
                line = dict(seed=seed, learner=title(learner))
                try: line["fields"] = grown(learner, table)
                except Absent as lack: line["absent"] = str(lack)
                print(json.dumps(line), file=file)

# --- the comparison

class Comparison(NamedTuple):
    "Two dumps beside one another."
    same: int           # fits without a difference
    refused: int        # of these, how many both checkouts refused
    differ: list        # (seed, learner, the fields that differ)
    absent: Counter     # (which side, what it lacks): fits that were not compared
    alone: Counter      # (which side, field): fields that the other side does not have

def compared(ours, theirs):
    "Compare two dumps, lists of lines; by the fields that both have."
    found = Comparison(0, 0, [], Counter(), Counter())
    same = refused = 0
    for a, b in zip(ours, theirs, strict=True):
        sides = ("here", a), ("there", b)
        lacks = [(side, line["absent"]) for side, line in sides if "absent" in line]
        found.absent.update(lacks)
        if lacks: continue
        a, b = a["fields"], b["fields"]
        if ("fit" in a) == ("fit" in b):
            for side, only in (("here", a.keys() - b.keys()), ("there", b.keys() - a.keys())):
                found.alone.update((side, field) for field in only)
            fields = [field for field in a if field in b and a[field] != b[field]]
        else: fields = ["fit"]                              # one refuses what the other has learned
        if fields: found.differ.append((sides[0][1]["seed"], sides[0][1]["learner"], fields))
        else: same, refused = same + 1, refused + ("fit" in a)
    return found._replace(same=same, refused=refused)

def told(found, base, tables):
    "The comparison in words."
    fits = found.same + len(found.differ)
    yield (f"{found.same} of {fits} fits of {tables} tables are the same here and in {base}; of "
           f"these, {found.refused} were refused by both")
    where = dict(here="this checkout", there=base)
    for (side, what), times in sorted(found.absent.items()):
        yield f"not compared: {where[side]} does not have {what} ({times} fits)"
    for (side, field), times in sorted(found.alone.items()):
        yield f"not compared: only {where[side]} has the field {field} ({times} fits)"
    by_learner = Counter(learner.partition("(")[0] for _, learner, _ in found.differ)
    for name, times in by_learner.most_common(): yield f"{times} fits of {name} differ"
    for seed, learner, fields in found.differ[:SHOWN]:
        table = random_table(seed)
        yield (f"seed {seed}, {learner}, a table of {len(table.X)} rows "
               f"({', '.join(map(str, table.X.dtypes))}"
               f"{', weights' if table.w is not None else ''}): {', '.join(fields)}")

# --- two checkouts

def checked_out(base, folder):
    "The library of a commit, in a folder; and the kernels of this checkout that it has as well."
    archive = subprocess.run(["git", "archive", base, "dtree_lit"], cwd=ROOT, capture_output=True)
    if archive.returncode: sys.exit(f"BASE is {base!r}: {archive.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    for path in (ROOT / "dtree_lit").rglob("*.nb[ci]"):
        kept = folder / path.relative_to(ROOT)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, kept)
    return folder                                           # a kernel has its module's stamp

def dumping(root, seeds, path):
    "A process of its own that grows all trees by the library in a folder."
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    env = os.environ | threads | dict(PYTHONPATH=str(root), DTREE_LIT_RENT="0")
    seeds = [str(seeds.start), str(seeds.stop)]
    return subprocess.Popen([sys.executable, __file__, "--dump", path, str(root), *seeds], env=env,
                            cwd=path.parent)

def lines(path):
    with open(path) as file: return [json.loads(line) for line in file]

def main(base, seeds):
    "Grow here and there, side by side; True if nothing differs."
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        there = checked_out(base, folder / "base")
        paths = folder / "here", folder / "there"
        both = [dumping(root, seeds, path) for root, path in zip((ROOT, there), paths)]
        failed = [process.wait() for process in both]
        if any(failed): sys.exit("trees could not be grown: see above")
        found = compared(*map(lines, paths))
    print(*told(found, base, len(seeds)), sep="\n")
    return not found.differ

if __name__ == "__main__":
    if sys.argv[1:2] == ["--dump"]:
        path, root, start, stop = sys.argv[2:]
        dump(range(int(start), int(stop)), path, root)
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("base", help="a commit, a branch or a tag")
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables")
    parser.add_argument("--seed", type=int, help="the table of this seed alone")
    args = parser.parse_args()
    some = range(args.tables) if args.seed is None else range(args.seed, args.seed + 1)
    sys.exit(0 if main(args.base, some) else 1)
