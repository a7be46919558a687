"""Rule lists: C4.5rules' own results, every subset, by hand, in a file, in sqlite, and what is
refused."""
import json
import pickle
import subprocess
import sys
import sqlite3
from itertools import combinations
from math import inf, nextafter
from zlib import crc32

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (C45Classifier, C45RulesClassifier, CARTClassifier, RuleList, load,
                       load, rule_list, save, to_python, to_sql)
from dtree_lit.learners.c45 import grow_c45
from dtree_lit.models.rule_lists import (Choice, Condition, Rule, Sample, choice_of, condition_of,
                                         descent, description_length, exception_bits, generalized,
                                         meets, meets_all, ordered_rules, rule_bits, rules_of,
                                         shortest, value_bits, without_harmful)
from dtree_lit.pruning.error_based import collapse
from dtree_lit.trees.nodes import Codes, Schema
from dtree_lit.trees.tree import Tree
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.c45_references import charge_of_release_8, rows_of, table
from helpers.places import DATA, ROOT

REFERENCES = json.loads((DATA / "c45_rules.json").read_text())[
    "references"]
def name_of(r): return f"{r['data']}-{r['rows']}"

def sample_of(reference):
    "The training rows, their tree before pruning, and the rows as a sample."
    data, _, _, cells, _ = table(reference["data"])
    fit, _ = rows_of(reference)
    X, y = cells[fit, :-1], cells[fit, -1].astype(int)
    schema = Schema(tuple(data["attributes"]),
                    tuple(words if words is None else tuple(words)
                          for words in data["attributes"].values()),
                    (tuple(data["classes"]),), "entropy")
    tree = collapse(grow_c45(X, y, schema=schema))
    return tree, Sample(X, y, np.ones(len(y)), 1.0, len(data["classes"]))

def as_printed(conditions):
    "Conditions as the program prints them: a threshold is the largest value below it."
    def one(f, test, v):
        return ((f, "=", v[0]) if test == "among"
                else (f, "<>"[test == "least"], float(f"{nextafter(v, -inf):.6g}")))
    return sorted(one(*c) for c in conditions)

def printed(rule): return sorted((f, kind, v) for f, kind, v in rule[0])

# C4.5rules

def test_there_are_so_many():
    assert len(REFERENCES) == 13 and sum(len(r["rules"]) for r in REFERENCES) == 64

@pytest.mark.parametrize("reference", REFERENCES, ids=name_of)
def test_c45rules(reference):
    """All rules with their accuracy, their order, the default class, what is dropped, and all
    errors; no description is longer."""
    tree, sample = sample_of(reference)
    schema, bits, chosen = tree.schema, value_bits(sample, tree.schema), []
    candidates = rules_of(tree, sample)
    for label in range(sample.K):
        mine = [r for r in candidates if r.label == label]
        if not mine: continue
        choice = choice_of(sample, label, [r.conditions for r in mine], bits, schema)
        found, theirs = shortest(choice), [printed(r) for r in reference["rules"] if r[1] == label]
        places = [next(i for i, r in enumerate(mine) if as_printed(r.conditions) == conditions)
                  for conditions in theirs]
        assert (found.proved and found.length <= description_length(choice, places) + 1e-9
                and set(found.rules) == set(places))
        chosen += [mine[i] for i in found.rules]
    ordered, default = ordered_rules(chosen, sample)
    assert ([(as_printed(r.conditions), r.label) for r in ordered]
            == [(printed(r), r[1]) for r in reference["rules"]] and default == reference["default"])
    for ours, theirs in zip(ordered, reference["rules"]):
        n = sum(ours.counts)
        rate = charge_of_release_8(n, n - ours.counts[ours.label], 0.25) / n
        assert 100 * (1 - rate) == pytest.approx(theirs[2], abs=0.051)
    kept = [r for i, r in enumerate(ordered) if i not in reference["dropped"]]
    assert without_harmful(ordered, default, sample) == kept
    data, X, y, _, _ = table(reference["data"])
    fit, test = rows_of(reference)
    model = C45RulesClassifier().fit(X[fit], y[fit])
    assert list(model.rules_.rules) == kept and model.rules_.default == default
    assert (model.predict(X[fit]) != y[fit]).sum() == reference["train"]
    if reference["test"] is not None:
        assert (model.predict(X[test]) != y[test]).sum() == reference["test"]

def test_the_first_of_the_monks():
    """0 of 432, where the pruned tree makes 105 errors; and the sample of the page is the sample
    of the references."""
    _, X, y, cells, test = table("monk1")
    model, tree = (C45RulesClassifier().fit(X[~test], y[~test]),
                   C45Classifier().fit(X[~test], y[~test]))
    assert ((model.predict(X[test]) != y[test]).sum() == 0
            and (tree.predict(X[test]) != y[test]).sum() == 105 and test.sum() == 432)
    page = pd.read_csv(ROOT / "nbs/data/monk1.csv")
    assert page.shape == (124, 7) and np.array_equal(page, cells[~test] + [1, 1, 1, 1, 1, 1, 0])
    robots = cells[test]
    assert (np.array_equal(robots[:, -1], (robots[:, 0] == robots[:, 1]) | (robots[:, 4] == 0))
            and len(np.unique(robots, axis=0)) == 432)

# The shortest subset

def all_lengths(choice):
    m = len(choice.bits)
    return {S: description_length(choice, S) for k in range(m + 1)
            for S in combinations(range(m), k)}

@st.composite
def choices(draw):
    m, kinds = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    numbers = st.lists(st.integers(0, 12), min_size=kinds, max_size=kinds)
    covers = np.array(draw(st.lists(st.lists(st.booleans(), min_size=kinds, max_size=kinds),
                                    min_size=m, max_size=m)))
    right, wrong = np.array(draw(numbers), float), np.array(draw(numbers), float)
    right[0], wrong[-1] = right[0] + 1, wrong[-1] + 1
    bits = draw(st.lists(st.floats(0.5, 20), min_size=m, max_size=m))
    return Choice(covers, right, wrong, draw(st.sampled_from([1.0, 0.5, 3.0])), np.array(bits))

@settings(max_examples=150, deadline=None)
@given(choices())
def test_every_subset(choice):
    lengths = all_lengths(choice)
    found = shortest(choice)
    assert (found.proved and found.length == pytest.approx(min(lengths.values()), abs=1e-8)
            and lengths[found.rules] == pytest.approx(found.length, abs=1e-8))
    for start in ((), range(len(choice.bits))):
        best, taken = descent(choice, start)
        assert lengths[taken] == pytest.approx(best, abs=1e-8)
        beside = [tuple(sorted({*taken} ^ {r})) for r in range(len(choice.bits))]
        assert all(lengths[S] >= best - 1e-8 for S in beside)
    for most in (0, 1, 3):
        some = shortest(choice, most)
        assert (some.nodes <= most and some.length >= found.length - 1e-8
                and lengths[some.rules] == pytest.approx(some.length, abs=1e-8))

def test_exceptions_by_hand():
    "Eight rows, four of the class; three covered, one of them wrong."
    first, second = (-np.log2(1 / 3) - 2 * np.log2(2 / 3),
                     -2 * np.log2(1.5 / 5) - 3 * np.log2(3.5 / 5))
    assert exception_bits(8, 4, 2, 1) == pytest.approx(3 + first + second)
    assert (exception_bits(8, 4, 4, 0) == 3 and exception_bits(8, 4, 0, 0)
            == pytest.approx(3 - 4 * np.log2(1 / 4) - 4 * np.log2(3 / 4)))
    covered = -np.log2(0.5 / 5) - 4 * np.log2(4.5 / 5)          # five covered are more than half
    assert exception_bits(8, 4, 4, 1) == pytest.approx(3 + covered)

def test_bits_of_all_kinds():
    schema = Schema(("a", "b"), (None, tuple("xyzu")), ((0, 1),), "entropy")
    bits = np.array([3.0, 1.0])
    name = -0.75 * np.log2(0.75) - 0.25 * np.log2(0.25)
    asked = {("least", 1.0, 0): 3, ("known", None, 0): 1, ("missing", None, 1): 1,
             ("among", (2,), 1): 1, ("among", (0, 2), 1): 4}
    for (test, v, f), b in asked.items():
        assert rule_bits([Condition(f, test, v)], bits, schema) == pytest.approx(name + b)

# Generalization

def test_by_hand():
    """Twelve rows: a says all, b nothing. A rule about both forgets b, wherever it stands, and
    one about b says nothing."""
    X = np.array([[i >= 6, i % 2] for i in range(12)], float)
    sample = Sample(X, (X[:, 0] == 1).astype(int), np.ones(12), 1.0, 2)
    a, b = Condition(0, "least", 0.5), Condition(1, "least", 0.5)
    assert generalized(sample, [a, b], 1) == ([a], pytest.approx(1 - 0.25 ** (1 / 6)))
    assert generalized(sample, [b, a], 1)[0] == [a] and generalized(sample, [b], 1)[0] == []
    assert generalized(sample, [], 1) == ([], 1.0)
    heavy = sample._replace(w=np.full(12, 3.0), unit=2.0)
    assert generalized(heavy, [a, b], 1) == ([a], pytest.approx(1 - 0.25 ** (1 / 36)))

def test_of_equals_the_last_goes():
    "Two conditions say the same: the one that was asked last is forgotten."
    X = np.array([[i >= 5, i >= 5] for i in range(10)], float)
    sample = Sample(X, (X[:, 0] == 1).astype(int), np.ones(10), 1.0, 2)
    a, b = Condition(0, "least", 0.5), Condition(1, "least", 0.5)
    assert generalized(sample, [a, b], 1)[0] == [a] and generalized(sample, [b, a], 1)[0] == [b]

# Lists

SCHEMA = Schema(("size", "colour", "count"), (None, ("red", "green", "blue"), None),
                (("no", "yes", "maybe"),), "entropy")

def days(seed=0, n=120, gaps=0.15):
    "Numbers and codes with gaps, labels, and a tree."
    lots = np.random.default_rng(seed)
    X = np.stack([lots.normal(size=n).round(1), lots.integers(0, 3, n), lots.integers(0, 5, n)],
                 axis=1).astype(float)
    y = np.where(lots.random(n) < 0.15, lots.integers(0, 3, n), (X[:, 0] > 0) + (X[:, 1] == 2))
    X[lots.random(X.shape) < gaps] = np.nan
    return X, y, grow_c45(X, y, schema=SCHEMA, min_weight=1)

def in_names(X):
    "The same rows as a frame with words."
    words = [None if v != v else SCHEMA.categories[1][int(v)] for v in X[:, 1]]
    return pd.DataFrame({"size": X[:, 0], "colour": words, "count": X[:, 2]})

def labels(y): return np.array(SCHEMA.classes[0])[y.astype(int)]

@pytest.mark.parametrize("seed", range(6))
def test_order_of_rows_and_weights(seed):
    X, y, tree = days(seed)
    lots = np.random.default_rng(seed)
    w, p = lots.integers(1, 5, len(y)), lots.permutation(len(y))
    one = rule_list(tree, X.view(Codes), labels(y), w)
    assert (one == rule_list(tree, X[p].view(Codes), labels(y)[p], w[p])
            and one == rule_list(tree, in_names(X), labels(y), w))
    twice = np.repeat(np.arange(len(y)), w)
    assert one == rule_list(tree, X[twice].view(Codes), labels(y)[twice])
    part = lots.random(len(y)).round(3) + 0.001
    assert rule_list(tree, X.view(Codes), labels(y),
                     part) == rule_list(tree, X[p].view(Codes), labels(y)[p], part[p])
    some = np.where(lots.random(len(y)) < 0.3, 0, w)
    assert (rule_list(tree, X.view(Codes), labels(y), some)
            == rule_list(tree, X[some > 0].view(Codes), labels(y)[some > 0], some[some > 0]))

@pytest.mark.parametrize("seed", range(4))
def test_fired(seed):
    "Row by row the first rule that is met; what is told of it is what is there."
    X, y, tree = days(seed)
    rules = rule_list(tree, X.view(Codes), labels(y))
    fired = rules.fired(X.view(Codes))
    for x, i in zip(X, fired):
        assert i == next((k for k, r in enumerate(rules.rules)
                          if meets_all(x[None], r.conditions)[0]), len(rules.rules))
    names = rules.schema.classes[0]
    assert rules.predict_labels(X.view(Codes)).tolist() == [
        names[(rules.rules[i].label if i < len(rules.rules) else rules.default)] for i in fired]
    for r in rules.rules:
        assert np.array_equal(r.counts,
                              np.bincount(y[meets_all(X, r.conditions)].astype(int), minlength=3))
    assert np.array_equal(rules.uncovered,
                          np.bincount(y[fired == len(rules.rules)].astype(int), minlength=3))
    assert (np.allclose(rules.predict_proba(X.view(Codes)).sum(axis=1), 1)
            and len(rules.text().split("\n")) == len(rules.rules) + 1)
    assert rules.text().split("\n")[fired[0]].endswith(
        rules.explain(in_names(X[:1])).split(": ")[-1])
    # more than a block
    assert (rules.predict_labels(np.tile(X, (300, 1)).view(Codes)).tolist()
            == rules.predict_labels(X.view(Codes)).tolist() * 300)
    assert len(rules.draw().patches) == 2 * len(rules.codes)
    assert rules._repr_html_().count("<tr>") == len(rules.codes) + 1

def test_gaps_meet_nothing():
    rules = rule_list(*(lambda X, y, tree: (tree, X.view(Codes), labels(y)))(*days()))
    assert rules.fired(np.full((1, 3), np.nan).view(Codes))[0] == len(rules.rules)
    assert rules.explain({"size": np.nan, "colour": None, "count": np.nan}).startswith(
        f"none of {len(rules.rules)} rules: ")
    for r in rules.rules: assert not meets_all(np.full((1, 3), np.nan), r.conditions)

def test_rows_of_float32():
    """A threshold is a double, and a row of float32 is compared with that, and not with what is
    left of it in float32."""
    x = np.float32([-0.3374026, 0.1])[:, None]
    t = nextafter(float(x[0, 0]), inf)
    assert (meets(x, Condition(0, "below", t)).tolist() == [True, False]
            and meets(x, Condition(0, "least", t)).tolist() == [False, True])
    X = np.random.default_rng(0).normal(size=(60, 2)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0) + (X[:, 0] > 1)
    one, other = (C45RulesClassifier(min_weight=1).fit(rows, y) for rows in (X, X.astype(float)))
    assert one.rules_ == other.rules_ and (one.fired(X) == one.fired(X.astype(float))).all()

def test_what_is_known_and_what_is_missing():
    "A tree that asks whether there is a value; its rules say it, and in sqlite, too."
    schema = Schema(("a", "b"), (None, ("x", "y")), (("no", "yes"),), "gini")
    tree = Tree.of(schema, [0, 1, -2, -2, -2], [np.nan] * 5, [1, 3, -1, -1, -1],
                   [[9, 9], [9, 1], [0, 8], [9, 0], [0, 1]], start=[-1, 0, -1, -1, -1],
                   branch=[0, 0], missing=[1, 1, -1, -1, -1])
    assert (condition_of(tree, 0, 1) == Condition(0, "known")
            and condition_of(tree, 0, 2) == Condition(0, "missing"))
    assert (condition_of(tree, 1, 3) == Condition(1, "among", (0, 1))
            and condition_of(tree, 1, 4) == Condition(1, "missing"))
    X = pd.DataFrame({"a": [1.0] * 10 + [np.nan] * 8,
                      "b": ["x"] * 5 + ["y"] * 4 + [None] * 2 + ["x"] * 7})
    y = np.array(["no"] * 9 + ["yes"] * 9)
    both = [Rule((Condition(0, "known"), Condition(1, "missing")), 1, (0.0, 1.0), 0.5),
            Rule((Condition(0, "missing"),), 1, (0.0, 8.0), 0.2)]
    rules = RuleList(both, 0, (9.0, 0.0), schema)
    assert ((rules.predict_labels(X) == y).all()
            and (rule_list(tree, X, y).predict_labels(X) == y).all())
    assert ("a is known and b is not known: yes, 1 of 1" in rules.text()
            and "a is missing: yes, 8 of 8" in rules.text())
    assert in_sqlite(rules, X) == y.tolist()

def test_any_tree():
    iris = load_iris(as_frame=True)
    for tree in (Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(
            iris.data, iris.target)), CARTClassifier().fit(iris.data, iris.target)):
        rules = rule_list(tree, iris.data, iris.target)
        assert ((rules.predict_labels(iris.data) == iris.target).mean() > 0.95
                and 2 < len(rules.rules) < 9)
    X, y, _ = days()
    model = CARTClassifier().fit(in_names(X), labels(y))            # sets of categories
    rules = rule_list(model, in_names(X), labels(y))
    assert any(c.test == "among" and len(c.value) == 2 for r in rules.rules for c in r.conditions)
    assert in_sqlite(rules, in_names(X)) == rules.predict_labels(in_names(X)).tolist()

def in_sqlite(rules, X, **options):
    memory = sqlite3.connect(":memory:")
    X.to_sql("days", memory, index=False)
    found = memory.execute(to_sql(rules, "days", **options)).fetchall()
    return found if options else [label for label, in found]

@pytest.mark.parametrize("seed", range(3))
def test_sqlite(seed):
    X, y, tree = days(seed)
    rules, X = (rule_list(tree, X.view(Codes), labels(y)),
                in_names(np.vstack([X, np.full((1, 3), np.nan)])))
    X.loc[5, "colour"] = "never seen"
    assert in_sqlite(rules, X) == rules.predict_labels(X).tolist()
    assert (in_sqlite(rules, X, probabilities=True)
            == [(label, *p) for label, p in zip(rules.predict_labels(X),
                                                rules.predict_proba(X).tolist())])
    for dialect in ("duckdb", "postgres", "mysql", "bigquery", "snowflake", "mssql"):
        assert to_sql(rules, "days", dialect=dialect).count("WHEN") >= len(rules.rules)
    model = C45RulesClassifier().fit(X, [*labels(y), "no"])
    assert (in_sqlite(model, X, probabilities=True)
            == [(label, *p) for label, p in zip(model.predict(X), model.predict_proba(X).tolist())])

def test_files(tmp_path):
    X, y, tree = days()
    path = tmp_path / "rules.json"
    for rules in (rule_list(tree, X.view(Codes), labels(y)),
                  rule_list(tree, X.view(Codes), labels(y), np.full(len(y), 1 / 3)),
                  RuleList([Rule((Condition(0, "least", inf), Condition(1, "missing")), 2,
                                 (0.0, 0.0, 1.5), 0.25)], 0, (0.0, 0.0, 0.0), SCHEMA)):
        save(rules, path)
        assert (load(path) == rules and load(path)._replace(default=1) != rules
                and [p.name for p in tmp_path.iterdir()] == ["rules.json"])
        assert pickle.loads(pickle.dumps(rules)) == rules and hash(rules) == hash(load(path))
    model = C45RulesClassifier().fit(in_names(X), labels(y))
    save(model, path)
    assert load(path).rules_ == model.rules_

def test_files_that_are_none(tmp_path):
    X, y, tree = days()
    path, other = tmp_path / "rules.json", tmp_path / "other.json"
    save(rule_list(tree, X.view(Codes), labels(y)), path)
    data = path.read_bytes()
    def signed(change):
        said = change(json.loads(data))
        body = json.dumps(said)[:-1].rpartition(', "crc32"')[0].encode()
        other.write_bytes(body + b',\n"crc32": %d}\n' % crc32(body))
        return other
    def with_rule(**changes):
        def change(said):
            first = said["rules"][0]
            for i, v in changes.items(): first[int(i[1])] = v
            return said
        return change
    assert load(signed(lambda said: said)) == load(path)
    for change in (with_rule(_0=[]), with_rule(_0=[[9, "least", 1.0]]),
                   with_rule(_0=[[0, "least", None]]), with_rule(_0=[[0, "among", [0]]]),
                   with_rule(_0=[[1, "among", [1, 0]]]),
                   with_rule(_0=[[1, "among", [3]]]), with_rule(_0=[[1, "known", None]]),
                   with_rule(_0=[[0, "__import__", "os"]]), with_rule(_0=7), with_rule(_1=3),
                   with_rule(_1=True),
                   with_rule(_2=[1.0]), with_rule(_2=[-1.0, 0.0, 0.0]), with_rule(_3=1.5),
                   with_rule(_3="nan"), lambda s: s | dict(default=3),
                   lambda s: s | dict(uncovered=[1, 2, 3]),
                   lambda s: s | dict(rules=None),
                   lambda s: {k: v for k, v in s.items() if k != "default"},
                   lambda s: s | dict(classes=[None], criterion="sdr")):
        with pytest.raises(ValueError, match="damaged"): load(signed(change))
    with pytest.raises(ValueError, match="version 3 of the format"):
        load(signed(lambda s: s | dict(version=3)))
    with pytest.raises(ValueError, match="damaged"):
        load(signed(lambda s: s | dict(format="dtree_lit tree")))
    with pytest.raises(ValueError, match="no tree that dtree_lit has saved"):
        load(signed(lambda s: s | dict(format="dtree_lit sonnets")))

def test_a_file_is_read_where_nothing_is_imported_yet(tmp_path):
    "The package finds who reads rules."
    X, y, tree = days()
    save(rule_list(tree, X.view(Codes), labels(y)), tmp_path / "rules.json")
    code = "import dtree_lit; print(type(dtree_lit.load('rules.json')).__name__)"
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True,
                          text=True, check=True)
    assert told.stdout == "RuleList\n"

# What is refused

def test_refused_inputs():
    X, y, tree = days()
    X, names = X.view(Codes), labels(y)
    for options, sentence in ((dict(confidence=0.6), "confidence"),
                              (dict(confidence=0), "confidence"),
                              (dict(most_nodes=-1), "most_nodes"),
                              (dict(most_nodes=1.5), "most_nodes"),
                              (dict(weights=np.zeros(len(y))), "all weights are zero"),
                              (dict(weights=[1]), "1 weights"),
                              (dict(weights=np.full(len(y), -1)), "weight is zero or more")):
        with pytest.raises(ValueError, match=sentence): rule_list(tree, X, names, **options)
    with pytest.raises(ValueError, match="rows and y"): rule_list(tree, X, names[1:])
    with pytest.raises(ValueError, match="is not a class of the tree"):
        rule_list(tree, X, ["never"] * len(y))
    with pytest.raises(ValueError, match="expected a Tree"): rule_list(None, X, names)
    two = CARTClassifier().fit([[0], [1]], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="one output"): rule_list(two, [[0], [1]], [[0, 1], [1, 0]])
    rules = rule_list(tree, X, names)
    with pytest.raises(ValueError, match="3 features"): rules.fired(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="has no tree_"):
        to_python(C45RulesClassifier().fit(in_names(X), names))

# The estimator

@parametrize_with_checks([C45RulesClassifier(),
                          C45RulesClassifier(criterion="gain", mdl_penalty=False,
                                             thresholds="midpoints",
                                             min_weight=0.5, max_depth=3, most_nodes=0)])
def test_scikit_learns_checks(estimator, check): check(estimator)

def test_estimator():
    X, y, _ = days()
    frame, names = in_names(X), labels(y)
    model = C45RulesClassifier(class_weight="balanced", min_weight=1).fit(frame, names)
    assert (model.classes_.tolist() == ["maybe", "no", "yes"]
            and (model.predict(frame) == names).mean() > 0.6)
    assert np.allclose(model.predict_proba(frame).sum(axis=1), 1)
    assert ((model.fired(frame) == model.rules_.fired(frame)).all()
            and model.predict(frame).tolist() == model.rules_.predict_labels(frame).tolist())
    for name in ("apply", "decision_path", "get_depth", "get_n_leaves",
                 "feature_importances_", "tree_"):
        assert not hasattr(model, name)
    assert ("the first that is met" in model._repr_html_()
            and repr(model.rules_).startswith("RuleList of "))
    for wrong in (dict(confidence=1), dict(most_nodes=-1), dict(min_weight="a"),
                  dict(criterion="gini")):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            clone(model).set_params(**wrong).fit(frame, names)
    ordered = pd.Series(pd.Categorical(names, ["yes", "no", "maybe"]))
    other = C45RulesClassifier().fit(frame, ordered)
    assert (other.rules_.schema.classes == (("yes", "no", "maybe"),)
            and other.classes_.tolist() == ["maybe", "no", "yes"])
    assert np.allclose(other.predict_proba(frame)[:, [2, 1, 0]], other.rules_.predict_proba(frame))
