"The comparison of two checkouts finds whatever differs, and says what was not compared."
import json
from collections import Counter

import dtree_lit
import numpy as np
import pytest
import same
from dtree_lit import CARTClassifier, Schema
from dtree_lit.splitter.few_values import LEAST_COUNTED

@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    "What this checkout grows from two tables: of classes, and of numbers."
    path = tmp_path_factory.mktemp("same") / "dump"
    same.dump(range(2), path, same.ROOT)
    return same.lines(path)

def test_a_dump_is_the_same_again(dump, tmp_path):
    same.dump(range(2), tmp_path / "again", same.ROOT)
    found = same.compared(dump, same.lines(tmp_path / "again"))
    assert found.same == len(dump) and not (found.differ or found.absent or found.alone)
    assert found.refused < found.same / 2

def test_every_learner_takes_part(dump):
    names = {line["learner"].partition("(")[0] for line in dump}
    learners = {name for name in dtree_lit.__all__ if name.endswith(("Classifier", "Regressor"))}
    assert learners | {"CostComplexityCV", "grow_levels", "grow_sharded"} == names
    assert not [line for line in dump if "absent" in line]

def test_a_table_of_each_kind_is_large_enough_to_be_counted():
    for seed, learner in ((48, "CARTClassifier"), (49, "CARTRegressor")):
        table = same.random_table(seed)
        assert table.X.size >= LEAST_COUNTED
        assert [one.name for one in same.learners_of(seed)][0] == learner
    assert not [seed for seed in range(48) if same.is_large(seed)]

def test_trees_rules_and_predictions_are_compared(dump):
    fields = {line["learner"].partition("(")[0]: line["fields"] for line in dump}
    tree = CARTClassifier().fit([[0], [1]], [0, 1]).tree_
    expected = {f"tree.{name}" for name in tree._fields if name != "schema"}
    expected |= {f"tree.schema.{name}" for name in Schema._fields}
    assert fields["CARTClassifier"].keys() == expected | {"predict", "predict_proba"}
    assert {"trees", "trees[2].t", "predict"} <= fields["ForestClassifier"].keys()
    assert "rules" in fields["C45RulesClassifier"]

def test_a_changed_byte_is_found(dump):
    for i, line in enumerate(dump):
        for field in line["fields"]:
            other = json.loads(json.dumps(dump))
            other[i]["fields"][field] = "another"
            found = same.compared(dump, other)
            assert found.differ == [(line["seed"], line["learner"], [field])]
            assert found.same == len(dump) - 1
            break                                           # a field of each line

def test_a_mark_is_that_of_the_bytes():
    a = np.array([1.0, np.nan])
    assert same.mark(a) == same.mark(a.copy())
    others = [a.astype(np.float32), a[:, None], np.nextafter(a, 2), -a, np.array([1.0, 2.0]),
              ("x", 1), ("x", 1.0), "x", None]
    assert len({same.mark(value) for value in (a, *others)}) == 1 + len(others)

def line(fields=None, **rest): return dict(seed=0, learner="A()", fields=fields or {}, **rest)

def test_what_one_side_lacks_is_said():
    lacking = dict(seed=0, learner="A()", absent="costs of A")
    found = same.compared([line(dict(t="1")), line(dict(t="1", old="2"))],
                          [lacking, line(dict(t="1", new="3"))])
    assert found.same == 1 and found.differ == []
    assert found.absent == Counter({("there", "costs of A"): 1})
    assert found.alone == Counter({("here", "old"): 1, ("there", "new"): 1})
    text = "\n".join(same.told(found, "main", 1))
    for words in ("main does not have costs of A", "only this checkout has the field old",
                  "only main has the field new"):
        assert words in text

def test_a_refusal_is_compared_with_a_tree():
    refused = line(dict(fit="refused: ValueError"))
    assert same.compared([refused], [line(dict(t="1"))]).differ == [(0, "A()", ["fit"])]
    both = same.compared([refused], [refused])
    assert (both.same, both.refused) == (1, 1)

def test_a_missing_learner_or_parameter_is_absent():
    for learner in (same.Learner("NoSuchClassifier"), same.Learner("grow", {}, "no_such_module"),
                    same.Learner("CARTClassifier", dict(no_such=1)),
                    same.Learner("CostComplexityCV",
                                 dict(estimator=same.Learner("CARTClassifier", dict(no_such=1))))):
        with pytest.raises(same.Absent): same.made(learner)

def test_the_first_that_differ_are_shown():
    differ = [(seed, "CARTClassifier()", ["tree.t", "predict"]) for seed in range(30)]
    told = list(same.told(same.Comparison(5, 0, differ, Counter(), Counter()), "main", 35))
    assert told[0].startswith("5 of 35 fits") and told[1] == "30 fits of CARTClassifier differ"
    assert len(told) == 2 + same.SHOWN and "seed 0" in told[2] and "tree.t, predict" in told[2]

def test_the_library_is_that_of_the_checkout(tmp_path):
    with pytest.raises(SystemExit, match="is imported from"):
        same.dump(range(1), tmp_path / "dump", tmp_path)
