"Files of trees: back to the last bit, whole or not at all, and no lie believed."
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
import pytest
import dtree_lit
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, ForestClassifier,
                       REPClassifier, PruningPlayer, cost_complexity_pruning,
                       cheapest_pruning, reduced_error_pruning)
from dtree_lit.trees import files
from dtree_lit.trees.files import KEPT, body, load, save
from dtree_lit.trees.link_prices import cut_back, pruning_path
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree, sound
from hypothesis import given, strategies as st
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from helpers.random_trees import BASES, is_safe, rows, STRANGE, trees, walks
from helpers.places import DATA

@pytest.fixture(scope="module")
def path(tmp_path_factory): return tmp_path_factory.mktemp("files") / "tree.json"

def written(content):
    "A file with the right checksum, whatever it says."
    said = "{" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in content.items())
    return f'{said},\n"crc32": {crc32(said.encode())}}}\n'

def small(classes=("a", "b"), **fields):
    schema = Schema(("x", "colour"), (None, ("red", "green")), (classes,), "gini")
    return Tree.of(schema, feature=[0, 1, -2, -2, -2], t=[0.1, 0, 0, 0, 0],
                   first=[1, 3, -1, -1, -1], counts=np.ones((5, 2)) / 3, start=[-1, 0, -1, -1, -1],
                   branch=[0, -1])

@given(made=trees())
def test_there_and_back(path, made):
    tree, _ = made
    save(tree, path)
    again = load(path)
    assert (again == tree and again.schema == tree.schema
            and [p.name for p in path.parent.iterdir()] == [path.name])
    for a, b in zip(again[:-1], tree[:-1]):
        assert a.dtype == b.dtype and a.tobytes() == b.tobytes() and not a.flags.writeable

@given(values=st.lists(st.floats(), min_size=3, max_size=3),
       mean=st.floats(allow_nan=False, allow_infinity=False))
def test_every_bit(path, values, mean):
    schema = Schema(("größe ☃ \" \\",), (None,), (None,), "squared_error")
    tree = Tree.of(schema, [0, -2, -2], [values[0], 0, 0], [1, -1, -1], [[mean, 0.0]] * 3,
                   weight=np.abs(np.nan_to_num(values, posinf=1)) / 2, size=[1, 1, 0])
    save(tree, path)
    again = load(path)
    assert (again == tree and repr(again.t.tolist()) == repr(tree.t.tolist())
            and again.counts.tobytes() == tree.counts.tobytes())

@pytest.mark.parametrize("classes",
                         [("no", "yes"), (0, 1), (0.5, -0.0), (False, True), ("", "\u2028\n"),
                          (10**40, -1)])
def test_names(path, classes):
    save(small(classes), path)
    back = load(path).schema.classes[0]
    assert repr(back) == repr(classes)

@pytest.mark.parametrize("classes",
                         [(np.int64(0), 1), (float("nan"), 1.0), (None, "a"), (float("inf"), 0.0),
                          (b"a", b"b")])
def test_names_that_do_not_come_back(path, classes):
    with pytest.raises(ValueError, match="a file holds names that are"): save(small(classes), path)

@given(data=st.data())
def test_lies(path, data):
    """A field that says something else, under a right checksum: a sentence, or a tree that can
    be walked."""
    content = json.loads(body(small()) + "}")
    field = data.draw(st.sampled_from([*content]))
    wild = st.one_of(st.none(), st.booleans(), st.integers(-2**70, 2**70), st.integers(-3, 6),
                     st.floats(), st.text(max_size=3), st.lists(st.integers(-3, 6), max_size=7))
    whole = data.draw(wild)
    if isinstance(content[field], list) and data.draw(st.integers(0, 3)):
        whole = content[field].copy()
        if whole: whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(wild)
        if data.draw(st.booleans()):
            whole = data.draw(st.permutations(whole))[:data.draw(st.integers(0, len(whole)))]
    path.write_text(written(content | {field: whole}), "utf-8")
    try: tree = load(path)
    except ValueError as e: assert str(path) in str(e)
    else:
        assert sound(tree) is tree
        X = rows(data.draw, tree, 5)
        assert tree.apply(X).max(initial=0) < tree.node_count

@pytest.mark.parametrize("name", BASES)
def test_every_kind_of_tree(path, name):
    tree = BASES[name]
    save(tree, path)
    words = any(names is not None for names in tree.schema.categories)
    version = json.loads(path.read_text("utf-8"))["version"]
    assert load(path) == tree and version == (4 if words else 2)

def test_many_lies(path, cases=700):
    "The same for trees of every kind, with numbers that do harm: what is not refused walks."
    seed = int(np.random.default_rng().integers(2**32))
    rng, made = np.random.default_rng(seed), 0
    bodies = [json.loads(body(tree) + "}") for tree in BASES.values()]
    for _ in range(cases):
        content = dict(bodies[rng.integers(len(bodies))])
        for field in rng.choice([*content][2:], size=rng.choice([1, 1, 2]), replace=False):
            row, kind = content[field], rng.integers(5)
            wild = [*STRANGE, None, True, "inf", "-inf", "nan", [], {},
                    10**400][rng.integers(len(STRANGE) + 8)]
            if kind == 0 or not isinstance(row, list):
                content[field] = [wild, [wild], bodies[rng.integers(len(bodies))].get(field)][
                    rng.integers(3)]
            elif kind == 1: content[field] = row[:rng.integers(len(row) + 1)]
            elif kind == 2: content[field] = row + row[:1] + [wild]
            elif kind == 3: content[field] = [row[i] for i in rng.permutation(len(row))]
            else:
                content[field] = [wild if i == rng.integers(len(row)) else v
                                  for i, v in enumerate(row)]
        path.write_text(written(content), "utf-8")
        try: tree = load(path)
        except ValueError as e:
            assert str(path) in str(e) and "\n" not in str(e), (seed, e)
            continue
        is_safe(tree)
        walks(tree, rng.choice([*STRANGE, 0.1, 0.8, 1.75, 4.95], (5, tree.n_features)))
        made += 1
    assert cases / 30 < made < cases / 2, (seed, made)

OLD = DATA / "version_1"
SAID = json.loads((OLD / "said.json").read_text("utf-8"))

@pytest.mark.parametrize("name", SAID)
def test_files_of_the_first_version(path, name):
    """They were written by the code of that version; and this is what the trees said, in words
    of today."""
    said, old = SAID[name], OLD / f"{name}.json"
    assert json.loads(old.read_text("utf-8"))["version"] == 1
    tree, X = load(old), np.array(said["rows"], float)   # None is NaN, and the infinities are words
    assert (tree.text() == said["text"] and tree.apply(X).tolist() == said["ends"]
            and tree.predict_labels(X).tolist() == said["answers"])
    assert (tree.predict(X).tolist() == said["shares"] and not tree.values.size
            and not tree.surrogates.size)
    np.testing.assert_allclose(tree.impurity, said["impurity"], rtol=1e-12, atol=1e-15)
    save(tree, path)
    assert load(path) == tree and json.loads(path.read_text("utf-8"))["version"] == 2

def test_nothing_new_in_an_old_file(path):
    "What the first version did not know has no meaning there."
    content = json.loads((OLD / "classes.json").read_text("utf-8"))
    path.write_text(written({k: v for k, v in content.items() if k != "crc32"}
                            | dict(values=[7], surrogates=[[1]])), "utf-8")
    assert load(path) == load(OLD / "classes.json")

@pytest.mark.parametrize("change, sentence", [
    (dict(weight=[1.7e308] * 5), "damaged: the weights of the leaves add up to infinity"),
    (dict(surrogates=[0.0, 1.0]), "cannot reshape"),
    (dict(values=[0.5] * 9), "cannot reshape|shape"),
    (dict(values=[0.5, 0.7] * 5), "their sum is 1"),
    (dict(missing=[-3, 0, -1, -1, -1]), "a child that does not exist"),
    (dict(t=[0.1, None, None, None, 0.5]), "a node that does not test x >= t has a threshold"),
    (dict(branch=[0, 2]), "a child that does not exist"),
    (dict(counts=[9.0] * 10), "counts for more than its node weighs")])
def test_refused(path, change, sentence):
    path.write_text(written(json.loads(body(small()) + "}") | change), "utf-8")
    with pytest.raises(ValueError, match=sentence): load(path)

def test_damage(path):
    save(small(), path)
    data = path.read_bytes()
    for i in range(len(data)):
        for changed in (data[:i], data[:i] + bytes([data[i] ^ 1]) + data[i + 1:]):
            path.write_bytes(changed)
            try: assert load(path) == small()
            except ValueError as e: assert str(path) in str(e)

@pytest.mark.parametrize("text, sentence", [
    ("", "is damaged, or no tree"), ("[1, 2]", "is damaged, or no tree"),
    ("{}", "is damaged, or no tree"), ('{"format": "dtree_lit tree"}', "is damaged, or no tree"),
    ("[" * 100_000, "is damaged, or no tree"),
    (written({"format": "another"}), "is damaged, or no tree"),
    (written({"format": "dtree_lit tree", "version": 5}), "has version 5"),
    (written({"format": "dtree_lit tree", "version": 1}), "it has no 'categories'"),
    (written({"format": "dtree_lit tree", "version": True}), "has version True"),
])
def test_other_files(path, text, sentence):
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=sentence): load(path)

def test_a_folder_and_nothing(path):
    with pytest.raises(FileNotFoundError): load(path.parent / "none.json")
    with pytest.raises(FileNotFoundError, match="no folder/tree.json'$"):
        save(small(), path.parent / "no folder" / "tree.json")
    save(small(), path)
    with pytest.raises(OSError, match="tree.json/below'$"): save(small(), path / "below")

DOORS = [lambda tree: save(tree, "never.json"), PruningPlayer,
         lambda tree: cheapest_pruning(tree, [0]),
         lambda tree: reduced_error_pruning(tree, [[0]], [0]),
         lambda tree: cost_complexity_pruning(tree, 1), pruning_path,
         lambda tree: cut_back(tree, 1)]
grown, theirs = (CARTClassifier().fit([[0], [1]], [0, 1]),
                 DecisionTreeClassifier().fit([[0], [1]], [0, 1]))

@pytest.mark.parametrize("other, words", [
    (CARTClassifier(),
     "CARTClassifier, which has no tree_: an estimator has one when it is fitted"),
     (DecisionTreeClassifier(), "DecisionTreeClassifier, which has no tree_"),
     (make_pipeline(CARTClassifier()), r"Pipeline: take its last step, \[-1\], and keep"),
     (GridSearchCV(CARTClassifier(), {}, cv=2).fit([[0], [1]] * 4, [0, 1] * 4),
      "GridSearchCV: take its best_estimator_"),
     (CARTClassifier, "the class CARTClassifier$"),
    (theirs, "DecisionTreeClassifier: Tree.from_sklearn makes a Tree of it"),
    (theirs.tree_, "Tree: Tree.from_sklearn takes its estimator"),
    (reduced_error_pruning(grown, [[0]], [0]), "Pruned: its tree is one"), (np.ones(3), "ndarray$"),
    (None, "NoneType$")], ids=lambda part: str(part).split(" at 0x")[0])
@pytest.mark.parametrize("wants", DOORS)
def test_no_tree(wants, other, words):
    with pytest.raises(ValueError,
                       match="expected a Tree or a fitted estimator, got " + words):
        wants(other)

@pytest.mark.parametrize("model", [CARTClassifier(), REPClassifier(random_state=0),
                                   CostComplexityCV(cv=2, random_state=0)], ids=repr)
def test_an_estimator_stands_for_its_tree(path, model):
    X, y = np.arange(40.0)[:, None], np.arange(40) // 10 % 2
    model, tree = model.fit(X, y), model.tree_
    save(model.tree_, path)
    assert load(path) == tree
    trace = getattr(model, "trace_", None)
    played = PruningPlayer(tree) if trace is None else PruningPlayer(trace.tree, {"pruned": trace})
    assert str(PruningPlayer(model)) == str(played)
    for f in (lambda t: cheapest_pruning(t, np.arange(tree.node_count)),
              lambda t: reduced_error_pruning(t, X, 1 - y),
              lambda t: cost_complexity_pruning(t, 0.01)):
        assert f(model).tree == f(tree).tree and f(model).trace.tree == tree
    assert (cut_back(model, 0.01) == cut_back(tree, 0.01)
            and str(pruning_path(model)) == str(pruning_path(tree)))
    with pytest.raises(ValueError, match="its tree_ is a Tree already"): Tree.from_sklearn(model)

def test_not_at_all(path, monkeypatch):
    "A disk that is full leaves the old file, and nothing beside it."
    save(small(), path)
    def full(*_): raise OSError("no space left")
    for call in ("fsync", "replace"):
        with monkeypatch.context() as m:
            m.setattr(files.os, call, full)
            with pytest.raises(OSError, match="no space"): save(small(("c", "d")), path)
        assert load(path) == small() and [p.name for p in path.parent.iterdir()] == [path.name]

WRITER = """
import os, sys, time
from dtree_lit.trees.files import load, save
def wait(_):
    print("writing", flush=True)
    sys.stdin.readline()
os.fsync = wait
save(load(sys.argv[1]), sys.argv[2])
"""

def writer(source, target):
    "A process that is in the middle of a save."
    process = subprocess.Popen([sys.executable, "-c", WRITER, source, target],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               cwd=Path(files.__file__).parent.parent)
    assert process.stdout.readline() == "writing\n"
    return process

@pytest.mark.skipif(os.name == "nt",
                    reason="whether a process lives cannot be asked there without harm")
def test_a_save_that_is_killed(tmp_path):
    """Its part goes with the next save of the same file; those of the living, of other files and
    of other machines stay."""
    old, target, other = (tmp_path / name for name in ("old.json", "tree.json", "tree.json.2.json"))
    save(small(("c", "d")), old)
    save(small(), target), save(small(), other)
    killed, elsewhere, alive = writer(old, target), writer(old, other), writer(old, target)
    foreign = [tmp_path / name for name in ("tree.json.1-00000000.0a1b2c3d.part", "tree.json.part",
                                            f"tree.json.{2**70}-{files._here()}.0a1b2c3d.part")]
    for part in foreign: part.write_text("of another")
    for process in (killed, elsewhere): process.kill(), process.wait()
    def parts(): return {p.name for p in tmp_path.glob("*.part")}
    def of(process): return {name for name in parts() if f".{process.pid}-" in name}
    assert len(of(killed)) == len(of(elsewhere)) == len(of(alive)) == 1 and load(target) == small()
    save(small(("e", "f")), target)
    assert (not of(killed) and len(of(elsewhere)) == len(of(alive)) == 1
            and load(target) == small(("e", "f")) and {p.name for p in foreign} <= parts())
    alive.communicate("go on\n")
    assert alive.returncode == 0 and load(target) == load(old) and not of(alive)
    save(small(), other)
    assert parts() == {p.name for p in foreign} and load(other) == small()

def test_many_save_at_once(tmp_path):
    "Threads and processes, to one file: whichever comes last is whole, and no part stays."
    target, trees = tmp_path / "tree.json", [small((f"a{i}", "b")) for i in range(40)]
    for i, tree in enumerate(trees[:8]): save(tree, tmp_path / f"{i}.json")
    program = ("import sys; from dtree_lit.trees.files import load, save; t = load(sys.argv[1]); "
               "[save(t, sys.argv[2]) for _ in range(30)]")
    running = [subprocess.Popen([sys.executable, "-c", program, tmp_path / f"{i}.json", target],
                                cwd=Path(files.__file__).parent.parent) for i in range(2)]
    with ThreadPoolExecutor(4) as pool: list(pool.map(lambda tree: save(tree, target), trees))
    assert ([process.wait() for process in running] == [0, 0] and load(target) in trees
            and not list(tmp_path.glob("*.part")))

def test_what_cannot_be_cleared_stops_no_save(path, monkeypatch):
    def denied(*_): raise PermissionError("not yours")
    monkeypatch.setattr(files.os, "listdir", denied)
    save(small(("g", "h")), path)
    assert load(path) == small(("g", "h"))

def test_a_link_stays_a_link(path):
    link = path.with_name("link.json")
    link.symlink_to(path)
    save(small(("c", "d")), link)
    assert link.is_symlink() and load(path) == small(("c", "d"))
    link.unlink()

def test_a_large_tree(path):
    n = 30_000
    width = np.append(np.full(n, 2), np.zeros(n + 1, int))
    rng = np.random.default_rng(0)
    tree = Tree.of(Schema(("x",), (None,), ((0, 1),), "gini"), 0 * width,
                   rng.normal(size=2 * n + 1), np.where(width > 0, 1 + np.cumsum(width) - width,
                                                        -1), rng.random((2 * n + 1, 2)))
    save(tree, path)
    assert load(path) == tree and set(KEPT) < set(json.loads(path.read_text("utf-8")))

N = 60
PEOPLE = pd.DataFrame({"age": np.arange(N) * 7 % 31 / 10, "height": np.arange(N) * 11 % 23,
                       "work": pd.Categorical(["no", "some", "much"] * (N // 3), ordered=True,
                                              categories=["no", "some", "much"]),
                       "town": [None if i % 7 == 0 else "ab"[i % 5 % 2] for i in range(N)]})
BUYS = np.where((PEOPLE.age > 1) ^ (PEOPLE.town == "a"), "yes", "no")
RANKED = pd.Series(pd.Categorical(BUYS, categories=["yes", "no"], ordered=True))
TARGETS = dict(text=BUYS, ranks=RANKED, bytes=(BUYS == "yes").astype(np.int8), truth=BUYS == "yes",
               numbers=PEOPLE.age.to_numpy() * 2, two=np.stack([BUYS, BUYS[::-1]], axis=1))
KEPT_MODELS = [
    ("CARTClassifier", {}, "text"), ("CARTClassifier", dict(max_depth=2), "two"),
    ("CARTClassifier", dict(class_weight={0: 2.0, 1: np.float64(1)}, max_depth=np.int64(4),
                            monotonic_cst=None, ccp_alpha=np.float32(0.25)), "bytes"),
    ("CARTClassifier", dict(costs={"yes": {"no": 3}}, priors={"yes": 0.5, "no": 0.5}), "text"),
    ("CARTClassifier", dict(missing="surrogates", categorical_features=["work", "town"]), "ranks"),
    ("CARTRegressor", dict(min_samples_leaf=np.array(3)[()]), "numbers"),
    ("CARTClassifier", dict(honest=0.5), "text"),
    ("ID3Classifier", dict(missing="value"), "truth"), ("C45Classifier", {}, "ranks"),
    ("C45RulesClassifier", {}, "text"), ("C50Classifier", {}, "text"),
    ("AssistantClassifier", {}, "text"), ("SDRTreeRegressor", {}, "numbers"),
    ("REPClassifier", dict(random_state=1), "text"),
    ("REPClassifier", dict(estimator=dtree_lit.C45Classifier(), random_state=1), "ranks"),
    ("REPRegressor", dict(random_state=1), "numbers"),
    ("CostComplexityCV", dict(cv=3), "text"),
    ("CostComplexityCV", dict(estimator=CARTRegressor(), cv=3, rule="one_se"), "numbers"),
    ("ForestClassifier", dict(n_estimators=30, oob_score=True), "text"),
    ("ForestRegressor", dict(n_estimators=30, oob_score=True), "numbers")]

def same_parameters(a, b):
    "Have two estimators equal parameters, also those inside?"
    ours, theirs = a.get_params(), b.get_params()
    return ours.keys() == theirs.keys() and all(
        type(v) is type(theirs[k]) if hasattr(v, "get_params") else v == theirs[k]
        for k, v in ours.items())

def same_parts(a, b):
    "Is what two estimators hold the same, in every type and bit?"
    if hasattr(a, "get_params"): a, b = vars(a), vars(b)
    if isinstance(a, Tree | tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_parts, a, b))
    if isinstance(a, dict): return [*a] == [*b] and all(same_parts(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    return repr(a) == repr(b) if isinstance(a, np.ndarray | float) else a == b

@pytest.mark.parametrize("name, given, target", KEPT_MODELS)
def test_an_estimator_comes_back(path, name, given, target):
    columns = ["work", "town"] if name == "ID3Classifier" else [*PEOPLE]
    X, y = PEOPLE[columns], TARGETS[target]
    model = getattr(dtree_lit, name)(**given).fit(X, y)
    save(model, path)
    again = load(path)
    assert type(again) is type(model) and same_parameters(again, model)
    fitted = vars(model).keys() - model.get_params()
    assert same_parts({k: vars(model)[k] for k in sorted(fitted)},
                      {k: vars(again)[k] for k in sorted(vars(again).keys() - again.get_params())})
    said, told = model.predict(X), again.predict(X)
    assert said.dtype == told.dtype and (said == told).all()
    if target != "two": assert again.score(X, y) == model.score(X, y)
    if hasattr(model, "predict_proba"):
        assert repr(again.predict_proba(X)) == repr(model.predict_proba(X))
    if hasattr(model, "trace_"): assert str(again.trace_) == str(model.trace_)
    save(again, path)
    assert same_parts(load(path), again)

def test_what_a_file_of_an_estimator_cannot_hold(path):
    X, y = PEOPLE[["age"]], BUYS
    class Mine(CARTClassifier): pass
    def half(weights): return (weights.sum(axis=1) - weights.max(axis=1)) / 2
    for model, words in [
            (CARTClassifier(criterion=half),
             "the parameter 'criterion' of CARTClassifier, of the type function: save"),
            (CostComplexityCV(cv=KFold(3)),
             "the parameter 'cv' of CostComplexityCV, of the type KFold: save"),
            (CostComplexityCV(CARTClassifier(random_state=np.random.RandomState(0)), cv=3),
             "'random_state' of CARTClassifier, of the type RandomState: save"),
            (Mine(), "dtree_lit has no estimator Mine, so no file can hold one: save")]:
        with pytest.raises(ValueError, match=words): save(model.fit(X, y), path)
        save(model.tree_, path)                         # what the sentence advises
        assert load(path) == model.tree_
    with pytest.raises(ValueError, match="half a character"):
        save(CARTClassifier(class_weight={"\ud800": 1.0, "no": 1.0, "yes": 1.0}).fit(X, y), path)

@pytest.mark.parametrize("change", [
    lambda e: e.update(estimator="Popen"), lambda e: e.update(estimator="Tree"),
    lambda e: e.update(estimator="__builtins__"),
    lambda e: e.update(estimator="LogisticClassifier"), lambda e: e.update(estimator=["x"]),
    lambda e: e["parameters"].update(depth=3), lambda e: e["parameters"].update(self=1),
    lambda e: e["parameters"].update(max_depth={"code": "1"}),
    lambda e: e["fitted"].update(predict=5), lambda e: e["fitted"].update(__class__="x"),
    lambda e: e["fitted"].update(_rows=5), lambda e: e["fitted"].update(feature_importances_=[]),
    lambda e: e["fitted"].update(tree_={"tree": 7}), lambda e: e["fitted"].update(tree_=None),
    lambda e: e["fitted"].update(tree_={"tree": -1}),
    lambda e: e["fitted"].update(n_features_in_=3), lambda e: e["fitted"].update(n_outputs_=2),
    lambda e: e["fitted"].update(categories_=[None, ["a", "b", "c"]]),
    lambda e: e["fitted"].update(classes_={"array": ["no"], "type": "U", "shape": [1]}),
    lambda e: e["fitted"].update(classes_={"array": ["no", "yes"], "type": "U", "shape": [3]}),
    lambda e: e["fitted"].update(classes_={"array": [1.5, 2], "type": "<i8", "shape": [2]}),
    lambda e: e["fitted"].update(classes_={"array": ["no"] * 2, "type": "U999999999",
                                           "shape": [2]}),
    lambda e: e["fitted"].update(trace_={"record": "Trace", "values": [1, 2, 3, 4, 5, 6, "x"]}),
    lambda e: e["fitted"].update(trace_={"record": "system", "values": []}),
    lambda e: e["fitted"].update(trace_={"dict": [[[1], 2]]}), lambda e: e.pop("trees"),
    lambda e: e["trees"].append(7), lambda e: e.pop("fitted"), lambda e: e.clear()])
def test_lies_about_an_estimator(path, change):
    model = CARTClassifier(max_depth=2).fit(PEOPLE[["age", "town"]], BUYS)
    save(model, path)
    content = json.loads(path.read_text("utf-8"))
    path.write_text(written({k: v for k, v in content.items() if k != "crc32"}), "utf-8")
    assert same_parts(load(path), model)                # else the rest would test nothing
    change(content["estimator"])
    path.write_text(written({k: v for k, v in content.items() if k != "crc32"}), "utf-8")
    with pytest.raises(ValueError, match="damaged: .") as e: load(path)
    assert str(e.value).startswith(str(path))

def test_a_file_of_an_estimator_is_read_by_those_that_know_only_trees(path):
    "They ignore what they do not know; and what is lost is not believed."
    model = ForestClassifier(3, random_state=0).fit(PEOPLE, BUYS)
    save(model, path)
    assert dtree_lit.trees.files.unpacked(path, path.read_bytes()) == tuple(model.trees_)
    model = REPClassifier(random_state=1).fit(PEOPLE, BUYS)
    save(model, path)
    data = path.read_bytes()
    assert dtree_lit.trees.files.tree_in_file(path, data) == model.tree_
    for i in range(0, len(data), 7):
        path.write_bytes(data[:i] + data[i + 1:])
        with pytest.raises(ValueError, match="damaged|has version"): load(path)
