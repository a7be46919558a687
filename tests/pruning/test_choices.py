"What a reader chooses from: the numbers of the library, and the learner's split is the best."
import re

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (AssistantClassifier, C45Classifier, CARTClassifier, CARTRegressor,
                       CostComplexityCV, ForestClassifier, ID3Classifier, PruningPlayer,
                       SDRTreeRegressor, gain, gain_ratio, gini_gain, grow, split_choices)
from dtree_lit.pruning.choices import PASSED_OVER
from dtree_lit.trees.steps import SplitChoice, SplitChoices

SKY, WIND = np.array(["sunny", "overcast", "rain"]), np.array(["weak", "strong"])
TIME = ["early", "noon", "late", "night"]

def fitted(model, rng, gaps=0.0, n=30):
    "The model, its tree before pruning, and a random table of numbers and categories."
    X = pd.DataFrame(dict(t=rng.integers(0, 6, n).astype(float), sky=SKY[rng.integers(0, 3, n)],
                          u=rng.integers(0, 4, n) / 2, wind=WIND[rng.integers(0, 2, n)]))
    y = np.where(rng.random(n) < 0.5, X.sky == "rain", rng.random(n) < 0.5)
    y = X.t + rng.integers(0, 5, n) if isinstance(model, NUMBERS) else np.where(y, "yes", "no")
    if isinstance(model, ID3Classifier):
        X = X.assign(t=np.array(TIME)[rng.integers(0, 4, n)]).drop(columns="u")
    X = X.mask(rng.random(X.shape) < gaps)
    trace = getattr(model.fit(X, y), "trace_", None)
    return (model.tree_ if trace is None else trace.tree), X, y

NUMBERS = CARTRegressor | SDRTreeRegressor
C45 = dict(pruning=None, collapse=False, min_weight=1)
LEARNERS = [CARTClassifier(), CARTClassifier(criterion="entropy", min_samples_leaf=4),
            CARTClassifier(criterion="misclassification", min_weight_fraction_leaf=0.1),
            CARTClassifier(class_weight="balanced", min_samples_leaf=0.1),
            CARTClassifier(costs=[[0, 3], [1, 0]]), CARTRegressor(max_depth=4),
            ID3Classifier(), C45Classifier(**C45), C45Classifier(criterion="gain", **C45),
            C45Classifier(binary="value", mdl_penalty=False, thresholds="midpoints", **C45),
            C45Classifier(groups=True, **C45), C45Classifier(), AssistantClassifier(),
            SDRTreeRegressor(min_samples_leaf=2),
            CostComplexityCV(CARTClassifier(), random_state=0)]

@pytest.mark.parametrize("model", LEARNERS, ids=lambda m: re.sub(r"\W+", " ", repr(m)))
def test_the_split_of_the_tree_is_the_first_of_the_best(model):
    rng, out, many = np.random.default_rng(0), 0, 0
    missing = isinstance(model, CARTClassifier | CARTRegressor | C45Classifier)
    ratio = isinstance(model, C45Classifier) and model.criterion == "gain_ratio"
    for gaps in (0.0, 0.15 * missing):
        tree, X, y = fitted(model, rng, gaps)
        choices = split_choices(model, X, y)
        assert [*choices] == np.flatnonzero(tree.width).tolist()
        for k, (asked, offers, rule) in choices.items():
            taken, = (c for c in offers if c.taken)
            compared = [c for c in offers if not c.out]
            *where, rows, _ = asked.split(": ")
            assert len(where) == (k > 0) and rows.startswith(f"{tree.size[k]} rows, ")
            assert taken.worth == max(c.worth for c in compared)
            equal = [c for c in compared
                     if np.isclose(c.worth, taken.worth, rtol=1e-12, atol=1e-14)]
            assert equal[0] is taken and all(c.tie for c in equal[1:])
            assert sum(c.tie for c in offers) == len(equal) - 1
            # C4.5 compares only what gains at least the average; no other learner leaves one out
            assert all(ratio and "the average is" in c.out for c in offers if c.out)
            assert bool(rule) == ratio
            many, out = many + 1, out + len(offers) - len(compared)
    assert many > 3 and (out > 0) == ratio

def parts_of(split, X, y):
    "The class counts of the children, by the text of a split."
    name, _, names = split.partition(" = ")
    if names: return pd.crosstab(X[name].isin(names.split(" or ")), y).to_numpy()
    return pd.crosstab(X[name] if name in X else X.eval(name), y).to_numpy()

@pytest.mark.parametrize("model, measure", [
    (CARTClassifier(), gini_gain), (CARTClassifier(criterion="entropy"), gain),
    (ID3Classifier(), gain), (C45Classifier(mdl_penalty=False, criterion="gain", **C45), gain),
    (C45Classifier(mdl_penalty=False, **C45), gain_ratio), (AssistantClassifier(), gain)],
    ids=lambda v: getattr(v, "__name__", None))
def test_the_numbers_are_those_of_the_measures(model, measure):
    rng = np.random.default_rng(1)
    for _ in range(2):
        _, X, y = fitted(model, rng)
        offers = split_choices(model, X, y)[0].offers
        assert len(offers) > 2
        worths = [measure(parts_of(c.split, X, y)) for c in offers]
        assert np.allclose([c.worth for c in offers], worths, rtol=1e-12, atol=1e-12)
        unit = dict(gini_gain="Gini gain {}", gain="{} bits", gain_ratio="gain ratio {}")
        for c, worth in zip(offers, worths):
            shown = float(re.search(r"\d[\de.-]*", c.said)[0])
            assert np.isclose(shown, worth, rtol=5e-3, atol=1e-13)
            assert c.said.rstrip("s") == unit[measure.__name__].format(f"{shown:g}").rstrip("s")

def choice(split, worth, taken=False, tie=False, out=""):
    return SplitChoice(split, worth, f"{worth:g} bits", taken, tie, out)

def test_sentences():
    wind, sky = choice("wind", 0.2), choice("sky", 0.5, taken=True)
    sun = choice("sun", 0.5, tie=True)
    plain, tied = SplitChoices("?", (wind, sky)), SplitChoices("?", (wind, sky, sun))
    assert plain.sentence(wind) == "You chose wind: 0.2 bits. The algorithm takes sky: 0.5 bits."
    assert plain.sentence(sky) == "You and the algorithm take sky: 0.5 bits."
    assert plain.sentence() == "The algorithm takes sky: 0.5 bits."
    assert tied.sentence(sun) == (
        "You chose sun: 0.5 bits. That is a tie: the algorithm takes sky, the first of equal ones.")
    assert tied.sentence(sky).endswith("It ties with sun, and is taken as the first of equal ones.")
    # an order that is not the learner's gives no reason
    assert SplitChoices("?", (sun, sky)).sentence(sun).endswith("the algorithm takes sky.")
    out = choice("date", 0.9, out="does not compete: it gains 0.1 bits, and the average is 0.2")
    ruled = SplitChoices("?", (out, sky, wind), "Only good ones are compared.")
    assert ruled.sentence(out).endswith("takes sky: 0.5 bits. date does not compete: it gains 0.1 "
                                        "bits, and the average is 0.2.")
    assert ruled.sentence(wind).endswith("Only good ones are compared.")
    assert tied.told()[2][0][2:4] == [0.4, False] and tied.told()[2][1][2:4] == [1, True]

def test_a_learner_that_draws_features_has_a_reason():
    rng = np.random.default_rng(2)
    model = CARTClassifier(max_features=1, random_state=0)
    _, X, y = fitted(model, rng)
    found = [c for choices in split_choices(model, X, y).values() for c in choices.offers]
    assert {c.out for c in found} == {"", PASSED_OVER}

def test_other_rows_and_other_trees_are_refused():
    rng = np.random.default_rng(3)
    model = CARTClassifier(max_depth=2)
    tree, X, y = fitted(model, rng)
    choices = split_choices(model, X, y)
    for rows, labels in ((X[1:], y[1:]), (X, y[::-1]), (X[::-1], y)):
        with pytest.raises(ValueError, match="must be the rows from which the tree has grown"):
            split_choices(model, rows, labels)
    for wrong, words in ((True, "split_choices\\(model, X, y\\) returns, got bool"),
                         ({0: 3}, "got dict"), ({k: choices[0] for k in (0, 99)}, "another tree")):
        with pytest.raises(ValueError, match=words): PruningPlayer(model, choices=wrong)
    with pytest.raises(ValueError, match="expected a Tree"):
        split_choices(ForestClassifier(n_estimators=2).fit(X, y), X, y)
    with pytest.raises(ValueError, match="tolerance='exact'"):
        weka = C45Classifier(tolerance="weka", **C45)
        split_choices(weka.fit(X, y), X, y)

def test_many_features_and_one():
    rng = np.random.default_rng(4)
    X, y = rng.random((20, 30)), rng.integers(0, 2, 20)
    tree = grow(X, y, max_depth=2)
    choices = split_choices(tree, X, y)
    assert {len(c.offers) for c in choices.values()} == {8}
    assert all(any(c.taken for c in some.offers) for some in choices.values())
    assert {len(c.offers) for c in split_choices(tree, X, y, most=3).values()} == {3}
    alone = grow(X[:, :1], y, max_depth=1)                          # nothing is to choose
    page = PruningPlayer(alone, choices=split_choices(alone, X[:, :1], y))._repr_html_()
    assert '"choices": [null]' in page
