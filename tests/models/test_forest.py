"A forest: each tree is the tree of its bag, whatever grows it; and what trees say together."
import pickle
import tracemalloc
import warnings
from importlib import import_module

import numpy as np
import pytest
from dtree_lit import CARTClassifier, ForestClassifier, ForestRegressor, grow, load, save
from dtree_lit.learners import bootstrap
from dtree_lit.learners.bootstrap import Bags, balance, grow_forest, seed_of_features, seeds_of_tree
from dtree_lit.models.forest import mean_shares, out_of_bag
from sklearn import datasets
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from helpers.renting import rent

WHY = ("rows are drawn by their places, so weights are repeated rows only where these stand side "
       "by side")
SHUFFLED = dict.fromkeys([f"check_sample_weight_equivalence_on_{kind}_data"
                          for kind in ("dense", "sparse")], WHY)

@parametrize_with_checks([ForestClassifier(5), ForestRegressor(5),
                          ForestClassifier(3, bootstrap=False, max_features=None)],
                         expected_failed_checks=lambda model: SHUFFLED if model.bootstrap else {})
def test_scikit_learns_checks(estimator, check): check(estimator)

def tables():
    "Ties, holes and noise; class codes of two and of four classes, and numbers of few digits."
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)).round(1)
    two = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int) ^ (rng.random(300) < 0.1)
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    return dict(two=(X, two), four=(X, two + 2 * (X[:, 3] > 1)),
                numbers=(X, (X[:, 0] + rng.normal(size=300)).round(2)),
                holes=(holes, two), few=(np.sign(X), two),
                codes=(X.astype(np.float32), two + 2 * (X[:, 3] > 0.5)))

TABLES = tables()
CASES = [(name, criterion) for name in TABLES
         for criterion in (["squared_error"] if name == "numbers" else ["gini", "entropy"])]
LIMITS = [dict(), dict(max_depth=3), dict(min_samples_leaf=4, min_samples_split=20),
          dict(max_leaf_nodes=9), dict(min_impurity_decrease=0.01)]

@pytest.mark.parametrize("name, criterion", CASES)
def test_each_tree_is_the_tree_of_its_bag(name, criterion):
    "Grown alone, from rows that weigh what they count."
    X, y = TABLES[name]
    for limits in LIMITS:
        forest = grow_forest(X, y, criterion=criterion, trees=2, max_features=2, seed=3, **limits)
        for t, tree in enumerate(forest):
            counts, features = Bags(3, 300, 300).of(t), seed_of_features(seeds_of_tree(3, t)[1])
            assert counts.sum() == 300 and (counts == 0).any()
            assert tree == grow(X, y, counts, criterion=criterion, max_features=2, seed=features,
                                **limits), limits

def test_each_tree_is_the_tree_of_repeated_rows():
    "But for how many rows there are."
    X, y = TABLES["two"]
    for t, tree in enumerate(grow_forest(X, y, trees=5, seed=1)):
        rows = np.repeat(np.arange(300), Bags(1, 300, 300).of(t))
        again = grow(X[rows], y[rows], criterion="gini")
        assert (np.array_equal(again.t, tree.t, equal_nan=True)
                and np.array_equal(again.counts, tree.counts))

@pytest.mark.parametrize("criterion, more",
                         [("misclassification", {}), ("sdr", {}), ("gini", dict(balanced=True)),
                          ("gini", dict(min_weight_share=0.05)),
                          ("gini", dict(draws=5000)), ("entropy", dict(draws=5000)),
                          ("squared_error", dict(draws=5000)),
                          ("gini", dict(bootstrap=False))])
def test_what_has_no_scan_of_its_own(criterion, more):
    "Weights, many counts, many outputs: the searches of a single tree."
    classes = criterion not in ("sdr", "squared_error")
    for name in ("two", "four", "holes") if classes else ("numbers",):
        X, y = TABLES[name]
        draws, share = more.get("draws", 300), more.get("min_weight_share", 0)
        for targets in (y, np.stack([y, y[::-1]], axis=1)):
            for t, tree in enumerate(grow_forest(X, targets, criterion=criterion, trees=2,
                                                 seed=5, **more)):
                w = Bags(5, 300, draws).of(t) if more.get("bootstrap", True) else np.ones(300, int)
                if more.get("balanced"):
                    w = balance(targets.reshape(300, -1), w, [y.max() + 1] * targets.ndim)
                assert draws < 5000 or w.max() > bootstrap.FULL
                assert tree == grow(X, targets, w, criterion=criterion, min_weight_leaf=share * 300)

@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", ["two", "four", "holes"])
def test_classes_that_weigh_more_than_a_word_can_count(name, criterion):
    "A count is in no word then: what reads a label there would read, and write, beside its table."
    X, y = TABLES[name]
    w = np.where(y == 0, 16, 50)
    for t, tree in enumerate(grow_forest(X, y, w, criterion=criterion, trees=3, bootstrap=False,
                                         max_features=2)):
        features = seed_of_features(seeds_of_tree(0, t)[1])
        assert tree == grow(X, y, w, criterion=criterion, max_features=2, seed=features)
    forest = ForestClassifier(1, criterion=criterion, bootstrap=False, max_features=None,
                              class_weight="balanced")
    tree = CARTClassifier(criterion=criterion, class_weight="balanced").fit(X, y).tree_
    assert forest.fit(X, y).trees_[0] == tree

@pytest.mark.parametrize("name, criterion", CASES)
def test_rented_trees_are_bought_trees(name, criterion, monkeypatch):
    X, y = TABLES[name]
    def forest(): return list(grow_forest(X, y, criterion=criterion, trees=4, max_features=2))
    bought, left = forest(), [0]
    def pays(rent, cost, purse=None):
        left[0] -= 1
        return left[0] >= 0
    rent(monkeypatch, pays)
    for levels in (0, 1, 7, 20, 1000):                 # after so many levels, the learner is bought
        left[0] = levels
        assert forest() == bought

def test_threads_do_not_show():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40_000, 4)), rng.integers(0, 2, 40_000)
    one, two, three = (ForestClassifier(4, max_depth=6, n_jobs=jobs, oob_score=True,
                                        random_state=0).fit(X, y) for jobs in (1, 2, 3))
    assert one.trees_ == two.trees_ == three.trees_ and one.oob_score_ == two.oob_score_
    assert np.array_equal(one.oob_decision_function_, three.oob_decision_function_, equal_nan=True)
    assert (one.predict_proba(X).tobytes() == two.predict_proba(X).tobytes()
            == three.predict_proba(X).tobytes())

def test_bags_have_nothing_in_common():
    "Neighbors, of trees and of forests: as many rows in both bags as by chance, at every shift."
    n, bags = 20_000, [Bags(seed, 20_000, 20_000).of(t) for seed in (0, 1, 2**31)
                       for t in (0, 1, 2)]
    for i, one in enumerate(bags):
        assert abs((one > 0).mean() - (1 - np.exp(-1))) < 0.01 and abs(one.var() - 1) < 0.05
        for other in bags[:i]:
            shifts = np.fft.irfft(np.fft.rfft(one - 1) * np.conj(np.fft.rfft(other - 1)), n)
            assert abs(shifts).max() < 6 * n**0.5

def test_lots_by_weight():
    weights = np.array([0.0, 1, 2, 5, 0, 8]) * 0.3
    share = sum(Bags(t, 4, 2000, np.array([1, 2, 5, 8])).of(0) for t in range(20)) / 40_000
    assert abs(share - [1 / 16, 2 / 16, 5 / 16, 8 / 16]).max() < 0.01
    model = ForestClassifier(3, random_state=0).fit(np.arange(6)[:, None], list("abcabc"),
                                                    sample_weight=weights)
    assert (not np.isin(model.estimators_samples_, [4]).any()
            and len(model.estimators_samples_[0]) == 4)

def test_weights_are_rows_side_by_side():
    "With max_samples=1.0, which draws as many rows as weigh; and weight zero is no row."
    X, y = TABLES["two"]
    w = np.random.default_rng(0).integers(0, 4, 300)
    weighted = ForestClassifier(4, max_samples=1.0, random_state=0).fit(X, y, sample_weight=w)
    repeated = ForestClassifier(4, max_samples=1.0,
                                random_state=0).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    without = ForestClassifier(4, max_samples=1.0,
                               random_state=0).fit(X[w > 0], y[w > 0], sample_weight=w[w > 0])
    assert (weighted.predict_proba(X).tobytes() == repeated.predict_proba(X).tobytes()
            == without.predict_proba(X).tobytes())

@pytest.mark.parametrize("Forest, name", [(ForestClassifier, "four"), (ForestRegressor, "numbers")])
def test_more_trees(Forest, name):
    X, y = TABLES[name]
    whole = Forest(9, oob_score=True, random_state=0).fit(X, y)
    grown = Forest(4, oob_score=True, random_state=0, warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                 # few trees: some rows lack a vote
        grown.fit(X, y)
    first = grown.trees_[0]
    grown.set_params(n_estimators=9).fit(X, y)
    assert (grown.trees_ == whole.trees_ and grown.trees_[0] is first
            and grown.oob_score_ == whole.oob_score_)
    with pytest.warns(UserWarning, match="without increasing"): grown.fit(X, y)
    with pytest.raises(ValueError, match="only adds to the 9 trees"):
        grown.set_params(n_estimators=3).fit(X, y)
    grown.set_params(n_estimators=12)
    with pytest.raises(ValueError, match="rows of the first fit"): grown.fit(X[1:], y[1:])
    with pytest.raises(ValueError, match="columns, classes"): grown.fit(X[:, 1:], y)
    assert len(grown) == 9 and grown.oob_score_ == whole.oob_score_

@pytest.mark.parametrize("jobs", [1, 2])
def test_whoever_is_interrupted_keeps_the_trees(jobs, monkeypatch):
    X, y = TABLES["two"]
    whole = ForestClassifier(12, random_state=0).fit(X, y)
    model, of_tree = (ForestClassifier(12, random_state=0, n_jobs=jobs, warm_start=True),
                      bootstrap.tree_from_lists)
    def until_five(bed, t, *rest):
        if t == 5: raise KeyboardInterrupt
        return of_tree(bed, t, *rest)
    with monkeypatch.context() as m:
        m.setattr(bootstrap, "tree_from_lists", until_five)
        with pytest.raises(KeyboardInterrupt): model.fit(X, y)
    assert model.trees_ == whole.trees_[:5] and model.predict(X).shape == (300,)
    assert model.fit(X, y).trees_ == whole.trees_
    with monkeypatch.context() as m:
        m.setattr(bootstrap, "bag_of_tree", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError): clone(model).fit(X, y)
        lost = clone(model)
        with pytest.raises(ZeroDivisionError): lost.fit(X, y)
    with pytest.raises(NotFittedError): lost.predict(X)

@pytest.mark.parametrize("Forest, name",
                         [(ForestClassifier, "two"), (ForestClassifier, "four"),
                          (ForestRegressor, "numbers")])
def test_out_of_bag_by_definition(Forest, name):
    X, y = TABLES[name]
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores: [0-9]+ of 300 rows"):
        model = Forest(4, oob_score=True, random_state=0).fit(X, y)
    said, votes = [[] for _ in y], np.zeros(300, int)
    for tree, rows in zip(model.trees_, model.estimators_samples_):
        for i in set(range(300)) - set(rows.tolist()):
            said[i].append(tree.predict_proba(X[i:i + 1])[0])
    votes = np.array([len(v) for v in said])
    mean = np.array([np.mean(v, axis=0) if v else np.full(tree.value.shape[2], np.nan)
                     for v in said])
    kept = (model.oob_decision_function_ if Forest is ForestClassifier
            else model.oob_prediction_[:, None])
    assert (np.array_equal(model.oob_votes_, votes) and np.allclose(kept, mean, equal_nan=True)
            and 0 < (votes == 0).sum() < 60)
    asked = votes > 0
    if Forest is ForestClassifier:
        assert model.oob_score_ == pytest.approx(
            (mean[asked].argmax(axis=1) == y[asked]).mean(), abs=0.03)
    else:
        assert model.oob_score_ == pytest.approx(
            1 - ((mean[asked, 0] - y[asked])**2).sum() / ((y[asked] - y[asked].mean())**2).sum())

def test_out_of_bag_with_weights_and_outputs():
    X, y = TABLES["four"]
    names = np.array(["a", "b", "c", "d"])[y]
    w = np.arange(300) % 3 > 0
    model = ForestClassifier(30, oob_score=True, random_state=0).fit(X, names, sample_weight=w)
    assert (np.isnan(model.oob_decision_function_[~w]).all() and not model.oob_votes_[~w].any()
            and model.oob_votes_[w].all())
    several = ForestClassifier(30, oob_score=True,
                               random_state=0).fit(X, np.stack([names, y % 2 > 0], axis=1))
    assert (several.oob_decision_function_.shape == (300, 4, 2)
            and 0.5 < several.oob_score_ < model.oob_score_)
    asked = []
    own = ForestClassifier(30, oob_score=lambda *two: asked.append(two) or 0.5,
                           random_state=0).fit(X, names)
    assert own.oob_score_ == 0.5 and set(asked[0][0]) == set(asked[0][1]) == set("abcd")
    number = ForestRegressor(30, oob_score=lambda y, told: abs(y - told).max(), random_state=0)
    number.fit(X, X[:, 0] + y)
    assert number.oob_score_ == abs(X[:, 0] + y - number.oob_prediction_).max()

def test_what_the_trees_say_together():
    X, y = TABLES["four"]
    model = ForestClassifier(7, random_state=0).fit(X, np.array(["a", "b", "c", "d"])[y])
    mean = sum(tree.predict_proba(X) for tree in model.trees_) / 7
    assert (np.allclose(model.predict_proba(X), mean, atol=1e-11)
            and set(model.predict(X)) == {"a", "b", "c", "d"})
    assert np.array_equal(model.apply(X),
                          np.stack([tree.apply(X) for tree in model.trees_], axis=1))
    path, begin = model.decision_path(X[:9])
    assert (path.shape == (9, begin[-1])
            and np.array_equal(np.diff(begin), [tree.node_count for tree in model.trees_]))
    each = [tree.compute_feature_importances() for tree in model.trees_]
    assert (np.allclose(model.feature_importances_, np.mean(each, axis=0))
            and len(model) == len(model.estimators_) == 7)
    alone = model.estimators_[3]
    assert (isinstance(alone, CARTClassifier)
            and np.array_equal(alone.predict_proba(X), model.trees_[3].predict_proba(X)))
    for estimator, rows, tree in zip(model, model.estimators_samples_, model.trees_):
        # whoever wants can grow it alone
        again = clone(estimator).fit(X[rows], model.classes_[y][rows]).tree_
        assert (np.array_equal(again.t, tree.t, equal_nan=True)
                and np.array_equal(again.value, tree.value))
    assert (model.get_depth() == max(map(CARTClassifier.get_depth, model))
            and model.get_n_leaves() == sum(tree.n_leaves for tree in model.trees_))
    leaves = ForestClassifier(2).fit(X, ["a"] * 300)
    assert not leaves.feature_importances_.any() and leaves.predict_proba(X[:1]) == 1

def test_blocks_do_not_show(monkeypatch):
    X, y = TABLES["numbers"]
    forest = import_module("dtree_lit.models.forest")
    model = ForestRegressor(5, random_state=0).fit(X, y)
    whole = mean_shares(model.trees_, X)
    monkeypatch.setattr(forest, "AT_ONCE", 64)
    for threads in (1, 2): assert mean_shares(model.trees_, X, threads).tobytes() == whole.tobytes()

def test_equal_votes_are_a_tie():
    "Sums of thirds are rounded; the first class wins all the same."
    X, y = np.zeros((6, 1)), [0, 0, 1, 1, 2, 2]
    trees = [t._replace(counts=np.roll(t.counts, k, axis=2))
             for t in [grow(X, [0, 0, 0, 1, 1, 2], criterion="gini")] for k in range(3)]
    model = ForestClassifier(3).fit(X, y)
    model.trees_ = trees
    assert model.predict(X[:1]) == 0 and np.allclose(model.predict_proba(X[:1]), 1 / 3)

@pytest.mark.parametrize("Forest", [ForestClassifier, ForestRegressor])
def test_files_pickles_copies(Forest, tmp_path):
    X, y = TABLES["four"]
    model = Forest(5, random_state=0, n_jobs=2).fit(X, y)
    save(model, tmp_path / "forest")
    assert load(tmp_path / "forest").trees_ == model.trees_
    again = pickle.loads(pickle.dumps(model))
    assert again.trees_ == model.trees_ and np.array_equal(again.predict(X), model.predict(X))
    assert clone(model).fit(X, y).trees_ == model.trees_ and "trees_" not in vars(clone(model))
    assert (tmp_path / "forest").stat().st_size < len(pickle.dumps(model)) / 3

@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    module, (X, y) = import_module(library), TABLES["holes"]
    frame = module.table if library == "pyarrow" else module.DataFrame
    table = frame({name: column for name, column in zip("abcde", X.T)})
    model = ForestClassifier(3, random_state=0).fit(table, y)
    assert (model.feature_names_in_.tolist() == list("abcde")
            == list(model.trees_[0].schema.features))
    assert model.trees_[0].rules() and np.array_equal(model.predict(table),
                                                      ForestClassifier(3, random_state=0).fit(
        X, y).predict(X))

@pytest.mark.parametrize("more, words", [
    (dict(n_estimators=0), "'n_estimators' of ForestClassifier must be an int in the range \\[1, "
                           "inf\\)"),
    (dict(max_samples=0), "'max_samples'"), (dict(max_samples=0.0), "'max_samples'"),
    (dict(max_samples=True), "'max_samples'"),
    (dict(bootstrap=False, oob_score=True), "only available if bootstrap=True"),
    (dict(bootstrap=False, max_samples=3), "leave it None"),
    (dict(max_features=0), "'max_features'"), (dict(criterion="squared_error"), "'criterion'"),
    (dict(class_weight="heavy"), "class_weight"),
    (dict(ccp_alpha=-1), "'ccp_alpha'")])
def test_refusals(more, words):
    with pytest.raises(ValueError, match=words):
        ForestClassifier(**dict(n_estimators=2) | more).fit(*TABLES["two"])
    with pytest.raises(ValueError, match="column 1 holds 'x'"):
        ForestClassifier(2, categorical_features=None).fit([[1, "x"]], [0])

def test_other_parameters(capsys):
    X, y = TABLES["four"]
    def forest(**more): return ForestClassifier(3, random_state=0, **more).fit(X, y)
    assert forest(max_depth=2).get_depth() == 2 and forest(max_leaf_nodes=5).get_n_leaves() == 15
    assert forest(ccp_alpha=0.02).get_n_leaves() < forest().get_n_leaves()
    assert (all(tree.weight[0] == 30 for tree in forest(max_samples=0.1).trees_)
            and forest(max_samples=7).trees_[0].weight[0] == 7)
    assert all(np.allclose(np.diff(tree.counts[0, 0]), 0)
               for tree in forest(class_weight="balanced_subsample").trees_)
    shares = np.mean([tree.counts[0, 0]
                      for tree in ForestClassifier(40, random_state=0, class_weight="balanced",
                                                   max_depth=1).fit(X, y).trees_], axis=0)
    assert abs(shares / 75 - 1).max() < 0.1
    assert (forest(bootstrap=False, class_weight="balanced_subsample", max_features=None).trees_[0]
            == CARTClassifier(class_weight="balanced").fit(X, y).tree_)
    ForestClassifier(20, verbose=1).fit(X, y)
    assert capsys.readouterr().err.splitlines() == [f"{k} of 20 trees" for k in range(2, 21, 2)]
    lots = np.random.RandomState(0)
    a, b = (ForestClassifier(2, random_state=lots).fit(X, y) for _ in range(2))
    assert (a.trees_ != b.trees_ and ForestClassifier(2).fit(X, y).trees_
            == ForestClassifier(2).fit(X, y).trees_)

@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("learned, shared, least", [("classes", 0, 40), ("numbers", 16, 42)])
def test_memory(learned, shared, least, threads):
    """The sorted lists, numbers twice, and for each thread a tree and so many bytes for each row
    to grow it."""
    n, m = 60_000, 10
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, m)).astype(np.float32)
    y = X[:, 0] + X[:, 1] * X[:, 2]
    y, criterion = ((y > 0).astype(int), "gini") if learned == "classes" else (y, "squared_error")
    def grown(trees):
        return [*grow_forest(X, y, trees=trees, max_features=3, criterion=criterion,
                             threads=threads)]
    grown(threads)                                      # what is translated now is not counted
    def traced():
        tracemalloc.start()
        trees = grown(threads)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak, trees
    peak, trees = min((traced() for _ in range(3)), key=lambda told: told[0])   # others add theirs
    of_trees = sum(a.nbytes for tree in trees for a in tree[:-1])
    assert peak < of_trees + n * (4 * m + shared + threads * least), (peak - of_trees) / n - 4 * m

def test_one_tree_is_as_good_as_a_forest_of_it():
    X, y = datasets.load_iris(return_X_y=True)
    forest = ForestClassifier(3, bootstrap=False, max_features=None).fit(X, y)
    assert all(tree == CARTClassifier().fit(X, y).tree_ for tree in forest.trees_)
    assert all(rows.tolist() == list(range(150)) for rows in forest.estimators_samples_)

def test_nobody_was_left_out():
    "A bag that holds every row: no tree can be asked."
    X, y = np.arange(2.0)[:, None], [0, 1]
    with pytest.warns(UserWarning, match="2 of 2 rows"):
        model = ForestClassifier(1, oob_score=True, max_samples=100).fit(X, y)
    assert np.isnan(model.oob_score_) and model.oob_votes_.tolist() == [0, 0]
    said, votes = out_of_bag(model.trees_, X, model.bags_)
    assert np.isnan(said).all()
