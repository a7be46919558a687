"Boosting: weights in fractions, the theorem, the errors of C5.0, and what a committee answers."
import json
import pickle
from fractions import Fraction
from math import inf, prod

import numpy as np
import pytest
from dtree_lit import C45Classifier, C50Classifier, load, save, to_python
from dtree_lit.models.boosting import (boosted, BOOSTING, c50_weights, cheapest, committee_of,
                                       cost_weights, global_pruned, least_that_asks, outvoted,
                                       voiced_by, samme_weights, stages, told_together)
from dtree_lit.pruning.error_based import errors_of_nodes
from dtree_lit.trees.files import Committee
from sklearn import datasets
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.c45_references import table
from helpers.places import DATA

@parametrize_with_checks([C50Classifier(4), C50Classifier(3, boosting="adaboost"),
                          C50Classifier(3, boosting="samme", global_pruning=False)])
def test_scikit_learns_checks(estimator, check): check(estimator)

# Weights

def some_weights(seed, n=9):
    """Whole weights, of now and of the beginning, and rows that are wrong: not all, not none,
    and lighter than the others."""
    lots = np.random.default_rng(seed)
    while True:
        b, w, wrong = lots.integers(1, 4, n), lots.integers(1, 30, n), lots.random(n) < 0.4
        if wrong.any() and 2 * w[wrong].sum() < w.sum(): return b, w, wrong

@pytest.mark.parametrize("seed", range(20))
def test_weights_in_fractions(seed):
    "Each rule, counted in fractions and in doubles, and written once more, row by row."
    b, w, wrong = some_weights(seed)
    whole = [Fraction(int(v)) for v in w]
    right, e = (sum(v for v, f in zip(whole, wrong) if not f),
                sum(v for v, f in zip(whole, wrong) if f))
    extra, heads = (right - e) / 4, int(b[wrong].sum())
    said = [v + extra * int(k) / heads if f else v * (right - extra) / right
            for v, k, f in zip(whole, b, wrong)]
    assert (sum(said) == right + e and sum(v for v, f in zip(said, wrong) if f)
            == (e + (right + e) / 2) / 2)
    exact = c50_weights(np.array(whole), wrong, np.array([Fraction(int(k)) for k in b]))
    assert exact.tolist() == said and np.allclose(
        c50_weights(w.astype(float), wrong, b.astype(float)), np.array(said, float), rtol=1e-14)
    for K in (2, 3, 7):
        beta = e / (right * (K - 1))
        parts = [v if f else v * beta for v, f in zip(whole, wrong)]
        said = [v * (right + e) / sum(parts) for v in parts]
        # no better than a guess
        assert sum(v for v, f in zip(said, wrong) if f) / (right + e) == Fraction(K - 1, K)
        assert samme_weights(np.array(whole), wrong, K).tolist() == said
        assert np.allclose(samme_weights(w.astype(float), wrong, K),
                           np.array(said, float), rtol=1e-14)

def by_table(answers, sure=None):
    "A learner that has its answers ready, one after the other; its trees are their numbers."
    class Ready:
        def __init__(self, t): self.t, self.node_count = t, 3
    come = []
    def grow(w, first):
        come.append(w)
        return Ready(len(come) - 1)
    def says(tree):
        return answers[tree.t], np.ones(len(answers[0])) if sure is None else sure[tree.t]
    return grow, says, come

def test_each_trial_is_the_formula():
    "The weights by which trees are asked for, against fractions."
    y, answers = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]), np.zeros((4, 10), int)
    for t, rows in enumerate([(0, 5), (1, 5, 6), (2, 7), (0, 8)]):
        answers[t] = np.where(np.isin(np.arange(10), rows), 1 - y, y)
    for boosting, rule in (("c50",
                            lambda w, wrong: c50_weights(w, wrong, np.array([Fraction(1)] * 10))),
                           ("adaboost", samme_weights)):
        grow, says, come = by_table(answers, np.full((4, 10), 0.9))
        trials, w = ([*boosted(grow, says, y, np.ones(10), 2, 4, boosting)],
                     np.array([Fraction(1)] * 10))
        for t, (trial, asked) in enumerate(zip(trials, come)):
            wrong = answers[t] != y
            assert (np.allclose(asked, w.astype(float), rtol=1e-11)
                    and (trial.weights == asked).all())
            e = w[wrong].sum() / 10
            assert trial.error == pytest.approx(float(e))
            if boosting == "adaboost":
                assert trial.vote == pytest.approx(float(np.log(float((1 - e) / e))))
            w = rule(w, wrong)
        assert len(trials) == 4

def test_when_it_stops():
    y = np.repeat([0, 1], 5)
    def run(wrong, boosting, trials=6, sure=1.0):
        answers = [np.where(np.isin(np.arange(10), rows), 1 - y, y) for rows in wrong]
        return [*boosted(*by_table(answers, np.full((len(wrong), 10), sure))[:2], y, np.ones(10), 2,
                         trials, boosting)]
    assert len(run([(0,), (1,), ()], "c50")) == 3               # nothing is wrong: the last is kept
    assert (len(run([(0,), (1,), ()], "adaboost")) == 3
            and run([(0,), (1,), ()], "adaboost")[-1].vote == pytest.approx(np.log(21)))
    assert len(run([(0, 1), range(8), ()], "c50")) == 1             # worse than 0.49: dropped
    assert len(run([(0, 1), range(8), ()], "samme")) == 1
    assert len(run([range(5)], "c50")) == len(run([range(5)], "adaboost")) == 1    # the first stays
    assert len(run([(0,), range(8)], "c50", 2)) == 2                # nobody judges the last
    assert not run([(0,)] * 6, "c50", 6)[3].weights[1:].min() <= 0
    lost = run([(0,), (0, 1), (0, 2), (0, 3), (0, 4), ()], "c50", 6)
    # after the fourth, four votes against two
    assert [int((t.weights == 0).sum()) for t in lost] == [0, 0, 0, 0, 1, 1]

def test_committees():
    trees = [C45Classifier().fit([[0], [1], [2], [3]], [0, 0, 1, 1]).tree_] * 3
    from dtree_lit.models.boosting import BoostTrial
    come = [BoostTrial(tree, vote, 0.1, None) for tree, vote in zip(trees, (1.0, 2.0, 3.0))]
    assert (len(committee_of(come[:2])) == 1 and len(committee_of(come)) == 3
            and committee_of(come).votes is None)
    assert committee_of(come, "adaboost").votes == (1, 2, 3)

def test_lost_rows():
    votes = np.array([[3.0, 1.0], [3.0, 1.1]])
    assert (outvoted(votes, np.array([1, 1]), 2).tolist() == [False, False]
            and outvoted(votes, np.array([1, 1]), 1).tolist() == [True, True])
    assert outvoted(votes, np.array([0, 0]), 0).tolist() == [False, False]

@pytest.mark.parametrize("boosting", ["adaboost", "samme"])
def test_training_error(boosting):
    "The theorem, for two classes and for three by M1, on random tables."
    for seed in range(12):
        lots = np.random.default_rng(seed)
        X, y = lots.normal(size=(60, 3)), lots.integers(0, 2 if boosting == "samme" else 3, 60)
        model = C50Classifier(8, boosting=boosting, max_depth=3, global_pruning=False,
                              confidence=0.5, min_weight=1).fit(X, y)
        if model.errors_[0] >= 0.5: continue
        for t, said in enumerate(model.staged_predict(X), 1):
            assert (said != y).mean() <= prod(2 * np.sqrt(e * (1 - e))
                                              for e in np.maximum(model.errors_[:t],
                                                                  0.5 / 61)) + 1e-9

# C5.0

REFERENCES = json.loads((DATA / "c50.json").read_text("utf-8"))["references"]
# with a child for each word it makes 96 errors and more
IN_GROUPS = {("monk1", ""), ("monk1", "trials"), ("monk1", "noGlobalPruning"),
             ("monk1", "minCases CF")}
FAR = {("breast-cancer", "minCases CF"): "the second question groups three degrees of malignity in "
                                         "two"}

def parameters(options):
    found = dict(trials=options.get("trials", 1), global_pruning="noGlobalPruning" not in options)
    if "minCases" in options:
        found |= dict(min_weight=options["minCases"], confidence=options["CF"])
    if "costs" in options: found["costs"] = {"tested_positive": {"tested_negative": 5}}
    return found

def errors(name, **parameters):
    _, X, y, _, test = table(name)
    model = C50Classifier(**parameters).fit(X[~test], y[~test])
    wrong = np.asarray(model.predict(X) != y.to_numpy())
    return (int(wrong[~test].sum()), int(wrong[test].sum()), int(test.sum()),
            [t.n_leaves for t in model.trees_])

@pytest.mark.parametrize("r", REFERENCES, ids=lambda r: f"{r['data']} {' '.join(r['options'])}")
def test_errors_of_c50(r):
    "Within two points on the rows that judge; where C5.0 groups the words of MONK's, in groups."
    at = r["data"], " ".join(r["options"])
    _, wrong, judged, leaves = errors(r["data"], groups=at in IN_GROUPS, **parameters(r["options"]))
    assert (abs(wrong - r["test"]) <= 0.02 * judged) == (at not in FAR)
    # every tree, in size
    if r["data"] in ("iris", "vote"): assert leaves == r["leaves"] and wrong == r["test"]

def test_it_helps_where_c50_says_so():
    assert errors("diabetes")[1] < errors("diabetes", trials=1)[1]
    X, y = datasets.load_digits(return_X_y=True)
    one, ten = (C50Classifier(t).fit(X[::2], y[::2]).score(X[1::2], y[1::2]) for t in (1, 10))
    assert ten > one + 0.05

# The estimator

def mixed(seed=0, n=150):
    lots = np.random.default_rng(seed)
    X = lots.normal(size=(n, 4)).round(1)
    X[lots.random(X.shape) < 0.1] = np.nan
    y = np.array(["no", "perhaps", "yes"])[(np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) > 0).astype(
        int) + (np.nan_to_num(X[:, 3]) > 1)]
    return X, np.where(lots.random(n) < 0.1, "no", y)

def test_one_trial_is_c45():
    for name in ("iris", "vote", "breast-cancer"):
        _, X, y, _, _ = table(name)
        one, c45 = C50Classifier(1, global_pruning=False).fit(X, y), C45Classifier().fit(X, y)
        assert (one.trees_ == [c45.tree_] and (one.predict(X) == c45.predict(X)).all()
                and (one.predict_proba(X) == c45.predict_proba(X)).all())

@pytest.mark.parametrize("boosting", BOOSTING)
def test_order_of_rows(boosting):
    X, y = mixed()
    order = np.random.default_rng(1).permutation(len(y))
    one, other = (C50Classifier(boosting=boosting).fit(X, y),
                  C50Classifier(boosting=boosting).fit(X[order], y[order]))
    assert ((one.predict(X) == other.predict(X)).all()
            and np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-12))
    full = np.nan_to_num(X)
    assert (C50Classifier(boosting=boosting).fit(full, y).committee_
            == C50Classifier(boosting=boosting).fit(full[order], y[order]).committee_)

@pytest.mark.parametrize("boosting", BOOSTING)
def test_a_row_that_counts_twice_is_two_rows(boosting):
    X, y = mixed(2)
    X, times = np.nan_to_num(X), np.random.default_rng(3).integers(1, 4, len(y))
    one = C50Classifier(boosting=boosting).fit(X, y, sample_weight=times)
    other = C50Classifier(boosting=boosting).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert (len(one.trees_) == len(other.trees_)
            and np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-9))

@pytest.mark.parametrize("boosting", BOOSTING)
def test_what_a_committee_says(boosting):
    "Shares of the votes, counted anew; the last stage is the answer."
    X, y = mixed(4)
    model = C50Classifier(boosting=boosting).fit(X, y)
    assert len(model.trees_) > 2
    votes = np.zeros((len(y), 3))
    for t, tree in enumerate(model.trees_):
        p = tree.predict_proba(X)
        votes[np.arange(len(y)), p.argmax(axis=1)] += (p.max(axis=1) if boosting == "c50"
                                                       else model.committee_.votes[t])
    assert np.allclose(model.predict_proba(X), votes / votes.sum(axis=1, keepdims=True))
    assert (model.predict(X) == model.classes_[votes.argmax(axis=1)]).all()
    *_, last = model.staged_predict(X)
    assert (last == model.predict(X)).all() and model.apply(X).shape == (len(y), len(model.trees_))
    assert (len(model.errors_) == len(model.trees_)
            and model.feature_importances_.sum() == pytest.approx(1))

@pytest.mark.parametrize("more", [dict(), dict(boosting="samme"), dict(trials=1),
                                  dict(costs={"no": {"yes": 4}})])
def test_files(more, tmp_path):
    X, y = mixed(5)
    model = C50Classifier(**more).fit(X, y)
    save(model, tmp_path / "committee")
    back = load(tmp_path / "committee").committee_
    assert isinstance(back, Committee) and back == model.committee_
    assert (told_together(back, X).value[:, 0] == model.predict_proba(X)).all()
    for again in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, y)):
        assert again.committee_ == model.committee_ and (again.predict(X) == model.predict(X)).all()
    save(model.trees_, tmp_path / "trees")                          # without votes: as of a forest
    assert load(tmp_path / "trees") == tuple(model.trees_)
    with pytest.raises(ValueError, match="committee"): to_python(model)

def test_declared_classes():
    "The order that y declares decides ties, and `classes_` is sorted as ever."
    _, X, y, _, test = table("diabetes")
    model = C50Classifier().fit(X, y.cat.reorder_categories(y.cat.categories[::-1]))
    p = model.predict_proba(X)
    assert (model.classes_.tolist() == sorted(y.cat.categories)
            and (model.classes_[p.argmax(axis=1)] == model.predict(X)).mean() > 0.99)

# Costs

def test_least_expected_cost():
    "Against every answer, in fractions."
    lots = np.random.default_rng(0)
    for _ in range(50):
        K = int(lots.integers(2, 5))
        counts, costs = (lots.integers(0, 9, (6, K)) + np.eye(6, K, dtype=int),
                         lots.integers(0, 6, (K, K)) * (1 - np.eye(K, dtype=int)))
        codes, sure = cheapest(counts / counts.sum(axis=1, keepdims=True), costs)
        for row, k, s in zip(counts.tolist(), codes, sure):
            expected = [Fraction(sum(c * int(costs[r, j]) for r, c in enumerate(row)), sum(row))
                        for j in range(K)]
            assert k == expected.index(min(expected))
            assert s == pytest.approx(float(1 - min(expected) / sum(expected))
                                      if sum(expected) else 1)

def test_costs_of_rows():
    costs = np.array([[0, 1], [5, 0.0]])
    y, b = np.array([0, 0, 0, 1]), np.array([1.0, 2, 1, 1])
    factor = cost_weights(costs, y, b)
    assert factor[1] / factor[0] == pytest.approx(5) and (factor[y] * b).sum() == pytest.approx(5)
    assert (cost_weights(np.ones((3, 3)), y, b) == 1).all()

def test_costs_are_minded():
    "Dear errors are rarer, and all together cost less; equal costs are none."
    _, X, y, _, test = table("diabetes")
    fit, judge, right = ~test, test, y.to_numpy()[test]
    def cost(said):
        return (5 * ((said != right) & (right == "tested_positive")).sum()
                + ((said != right) & (right == "tested_negative")).sum())
    for trials, share in ((1, 0.7), (10, 1)):
        plain, dear = (C50Classifier(trials, costs=c).fit(X[fit], y[fit])
                       for c in (None, {"tested_positive": {"tested_negative": 5}}))
        assert cost(dear.predict(X[judge])) < share * cost(plain.predict(X[judge]))
    as_table = C50Classifier(1, costs=[[0, 1], [5, 0]]).fit(X[fit], y[fit])
    assert as_table.committee_ == C50Classifier(1,
                                                costs={
        "tested_positive": {"tested_negative": 5}}).fit(X[fit], y[fit]).committee_
    # weights of rows again
    assert (as_table.trees_[0].counts.sum() > 0
            and as_table.trees_[0].weight[0] == pytest.approx(fit.sum()))
    same = C50Classifier(5, costs=[[0, 1], [1, 0]], boosting="adaboost").fit(X, y)
    assert (same.predict(X) == C50Classifier(5, boosting="adaboost",
                                             global_pruning=False).fit(X, y).predict(X)).all()

# Global pruning

def all_prunings(tree, k=0):
    "Every set of nodes that a pruning could cut, by leaves and errors."
    errors = errors_of_nodes(tree)
    if not tree.width[k]: return [(1, errors[k])]
    found = [(0, 0.0)]
    for c in range(tree.first[k], tree.first[k] + tree.width[k]):
        found = [(n + m, e + f) for n, e in found for m, f in all_prunings(tree, c)]
    return [(1, errors[k]), *found]

def test_global_pruning():
    """Within one standard error, and no pruning of as few leaves errs less, in most cases: it is
    greedy."""
    best = 0
    for seed in range(30):
        lots = np.random.default_rng(seed)
        X = lots.normal(size=(80, 3))
        y = (X[:, 0] + X[:, 1] > 0) ^ (lots.random(80) < 0.15)
        tree = C45Classifier(pruning=None, max_depth=4).fit(X, y).tree_
        left = global_pruned(tree)
        E, after = (errors_of_nodes(t)[t.leaves].sum() for t in (tree, left))
        assert after <= E + np.sqrt(E * (1 - E / 80)) + 1e-9
        least = min(e for n, e in all_prunings(tree) if n <= left.n_leaves)
        assert least <= after
        best += after == least
        assert global_pruned(tree, 0.0) is tree                     # no errors, no allowance
    assert best >= 20

def test_size_of_later_trees():
    tree = C45Classifier().fit(*datasets.load_iris(return_X_y=True)).tree_
    assert 1.1 * tree.n_leaves * least_that_asks(tree) / 150 == pytest.approx(1.5)

# What is refused, and what is interrupted

@pytest.mark.parametrize("more, words", [
    (dict(trials=0), "trials"), (dict(trials=2.5), "trials"), (dict(boosting="c5"), "boosting"),
    (dict(confidence=0.7), "confidence"),
    (dict(min_weight=0), "min_weight"), (dict(costs=[[0, 1]]), "costs"),
    (dict(costs=[[0, 1, 1], [1, 0, -1], [1, 1, 0]]), "costs"),
    (dict(costs=[[1, 1, 1]] * 3), "costs"), (dict(costs=np.zeros((3, 3))), "costs"),
    (dict(costs={"no": {"never": 1}}), "costs"),
    (dict(costs={"no": {"yes": "much"}}), "costs"), (dict(costs={"no": {"yes": inf}}), "costs"),
    (dict(binary="both"), "binary"), (dict(max_depth=0), "max_depth")])
def test_refused(more, words):
    X, y = mixed()
    with pytest.raises(ValueError, match=words): C50Classifier(**more).fit(X, y)

def test_not_fitted(tmp_path):
    with pytest.raises(NotFittedError): C50Classifier().predict([[0]])
    with pytest.raises(NotFittedError): C50Classifier().trees_
    with pytest.raises(ValueError): save(C50Classifier(), tmp_path / "none")

@pytest.mark.parametrize("boosting", BOOSTING)
def test_interrupted(boosting, monkeypatch):
    "Who interrupts has the trees that are there; before the first there is nothing."
    from dtree_lit.models import boosting as boost
    X, y = mixed()
    whole, grow = C50Classifier(boosting=boosting).fit(X, y), boost.grow_c45
    for at in (0, 3):
        left = [at]
        def interrupted(*args, **more):
            if not left[0]: raise KeyboardInterrupt
            left[0] -= 1
            return grow(*args, **more)
        model = clone(whole).fit(X, y)
        monkeypatch.setattr(boost, "grow_c45", interrupted)
        with pytest.raises(KeyboardInterrupt): model.fit(X, y)
        monkeypatch.setattr(boost, "grow_c45", grow)
        if at: assert model.trees_ == whole.trees_[:3] and len(model.predict(X)) == len(y)
        else:
            with pytest.raises(NotFittedError): model.predict(X)

def test_it_is_told(capsys):
    C50Classifier(3, boosting="samme", verbose=1).fit(*mixed())
    assert capsys.readouterr().err.splitlines() == ["1 of 3 trees", "2 of 3 trees", "3 of 3 trees"]

def test_stages():
    X, y = mixed(6)
    model = C50Classifier(5).fit(X, y)
    counted = [*stages(model.committee_, X)]
    codes, sure = voiced_by(model.trees_[0], X)
    assert (counted[0].max(axis=1) == sure).all() and (counted[0].argmax(axis=1) == codes).all()
    assert all((after >= before).all() for before, after in zip(counted, counted[1:]))
