"Categories in CART: which division is best, by definition; every kind of table; rpart."
import gzip
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dtree_lit import (C45Classifier, CARTClassifier, CARTRegressor, CostComplexityCV,
                       ForestClassifier, ForestRegressor, REPClassifier, grow, load, save)
from dtree_lit.learners import bootstrap, grow as growth, levels
from dtree_lit.learners.bootstrap import seed_of_features, seeds_of_tree
from dtree_lit.learners.levels import grow_levels
from dtree_lit.measures.category_orders import ALL_WAYS, by_ratio, orders_of_all
from dtree_lit.measures.exact_scores import Side, first_of_best
from dtree_lit.trees.nodes import Schema
from sklearn.base import clone
from helpers.places import DATA
from helpers.renting import rent

CLASSES = ["entropy", "gini", "misclassification"]

def task(seed):
    "A small table, some of whose columns are categories; what is to be learned; limits."
    lots = np.random.default_rng(seed)
    n, m = int(lots.integers(2, 60)), int(lots.integers(1, 5))
    known = [int(lots.integers(1, 13)) if lots.random() < 0.6 else 0 for _ in range(m)]
    X = np.stack([lots.integers(0, k or 6, n) for k in known], axis=1).astype(float)
    if lots.random() < 0.4: X[lots.random((n, m)) < 0.2] = np.nan
    criterion, outputs = (str(lots.choice([*CLASSES, "squared_error", "sdr"])),
                          int(lots.choice([1, 1, 1, 2])))
    K = int(lots.integers(2, 5)) if criterion in CLASSES else 0
    y = lots.integers(0, K, (n, outputs)) if K else lots.integers(-5, 6, (n, outputs)).astype(float)
    weights = None                # what was drawn and what weighs is compiled apart: for Gini alone
    if criterion == "gini":
        weights = [None, None, lots.integers(0, 4, n) + (np.arange(n) == 0.0),
                   lots.random(n) + 0.1][lots.integers(4)]
    rules = dict(min_samples_leaf=int(lots.integers(1, 6)), max_depth=int(lots.integers(1, 4)),
                 max_leaf_nodes=int(lots.integers(2, 8)),
                 max_features=int(lots.integers(1, m + 1)), min_impurity_decrease=0.01,
                 min_weight_leaf=1.5)
    rules = {name: value for name, value in rules.items() if lots.random() < 0.2}
    if criterion != "gini" or weights is not None: rules.pop("max_features", None)
    schema = Schema(tuple(f"x{f}" for f in range(m)),
                    tuple(tuple(f"c{i}" for i in range(k)) or None for k in known),
                    (tuple(range(K)) or None,) * outputs, criterion)
    return (X, y.squeeze(axis=1) if outputs == 1 else y, weights,
            dict(rules, criterion=criterion, schema=schema))

def differences(a, b):
    "The fields in which two trees differ."
    return [name for name in a._fields if name != "schema"
            and not np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)]

def test_both_learners_grow_the_same():
    asked = 0
    for seed in range(200):
        X, y, w, rules = task(seed)
        one, other = grow_levels(X, y, w, **rules), grow(X, y, w, **rules)
        assert differences(one, other) == [], seed
        asked += (one.start >= 0).sum()
    assert asked > 700

def test_rows_have_no_order_and_weights_repeat():
    for seed in range(200, 260):
        X, y, w, rules = task(seed)
        lots = np.random.default_rng(seed).permutation(len(X))
        tree = grow(X, y, w, **rules)
        assert differences(tree,
                           grow(X[lots], y[lots], None if w is None else w[lots], **rules)) == []
        if w is not None or {"min_samples_leaf", "min_weight_leaf"} & rules.keys(): continue
        doubled = grow(X, y, np.full(len(X), 2), **rules)
        assert (np.array_equal(tree.branch, doubled.branch)
                and np.array_equal(tree.first, doubled.first))

def side(y, w, criterion, K):
    "What some rows add up to."
    if K: return Side(int(w.sum()), [[int(w[y == k].sum()) for k in range(K)]])
    return Side(int(w.sum()), [[int((w * y).sum())]], [int((w * y * y).sum())])

def every_way(x, known):
    "Who says yes, by every question about a column."
    gap, values = np.isnan(x), np.unique(x[~np.isnan(x)])
    if known:
        sets = ([v for i, v in enumerate(values[1:]) if pick >> i & 1]
                for pick in range(1, 2 ** max(len(values) - 1, 0)))
    else: sets = (values[i:] for i in range(1, len(values)))
    for yes in (np.isin(x, some) for some in sets):
        yield yes
        yield yes | gap
    if 0 < gap.sum() < len(x): yield gap

@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error", "sdr"])
def test_every_division_is_the_best_of_all(criterion):
    "Exactly, at every node, of all sets of up to eight categories; with least sizes, too."
    seen = 0
    for seed in range(40):
        lots = np.random.default_rng([seed, len(criterion)])
        n, K, least = (24, int(lots.integers(2, 4)) if criterion in CLASSES else 0,
                       int(lots.choice([1, 1, 3])))
        known = (int(lots.integers(2, 9 if criterion == "gini" else 7)), 0,
                 int(lots.integers(2, 6)))
        X = np.stack([lots.integers(0, k or 5, n) for k in known], axis=1).astype(float)
        X[lots.random(X.shape) < 0.1] = np.nan
        y, w = lots.integers(0, K or 7, n), lots.integers(1, 3, n)
        schema = Schema(("a", "b", "c"), tuple(tuple(map(str, range(k))) or None for k in known),
                        (tuple(range(K)) or None,), criterion)
        tree = grow(X, y if K else y.astype(float), w, criterion=criterion, schema=schema,
                    min_samples_leaf=least, max_depth=3)
        here = np.asarray(tree.decision_path(X).todense(), bool)
        for k in np.flatnonzero(tree.width):
            rows = np.flatnonzero(here[:, k])
            def cut(yes):
                return tuple(side(y[rows[some]], w[rows[some]], criterion, K)
                             for some in (~yes, yes))
            ways = [yes for f in range(3) for yes in every_way(X[rows, f], known[f])
                    if min(yes.sum(), (~yes).sum()) >= least]
            taken = cut(here[rows, tree.first[k] + 1])
            best = [cut(yes) for yes in ways]
            assert (first_of_best(criterion, [taken, best[first_of_best(criterion, best)]])
                    == 0), (seed, k)
            seen += tree.start[k] >= 0
    assert seen > 40

def test_one_order_is_not_enough_for_leaves_of_three():
    "Of the second class, of all: 0 of 1, 1 of 5, 1 of 4, 2 of 2."
    x = np.repeat([0, 1, 2, 3], [1, 5, 4, 2]).astype(float)[:, None]
    y = np.array([0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1])
    schema = Schema(("x",), (tuple("abcd"),), ((0, 1),), "gini")
    for learner in (grow, grow_levels):
        tree = learner(x, y, criterion="gini", schema=schema, min_samples_leaf=3, max_depth=1)
        left = sum(Fraction(int(c.sum()) ** 2 - int((c * c).sum()), int(c.sum()))
                   for c in tree.counts[1:3, 0])
        assert Fraction(12**2 - 8**2 - 4**2, 12) - left == Fraction(8, 9)

def test_orders_hold_every_division():
    for k in range(2, ALL_WAYS + 1):
        orders = orders_of_all(k).tolist()
        sets = {frozenset(order[:i]) for order in orders for i in range(1, k)}
        assert len(sets | {frozenset(range(k)) - part for part in sets}) == 2**k - 2

def test_threads_and_large_nodes():
    lots = np.random.default_rng(0)
    X = np.stack([lots.integers(0, 300, 60_000), lots.integers(0, 7, 60_000),
                  lots.random(60_000)] * 3, axis=1).astype(float)
    y = ((X[:, 0] * 7 % 10 < 4) ^ (X[:, 1] % 3 == 0) ^ (lots.random(60_000) < 0.1)).astype(int)
    books = (tuple(map(str, range(300))), tuple("abcdefg"), None) * 3
    rules = dict(criterion="gini", max_depth=8,
                 schema=Schema(tuple(map(str, range(9))), books, ((0, 1),), "gini"))
    one, two = (grow(X, y, threads=threads, **rules) for threads in (1, 2))
    assert differences(one, two) == [] and differences(one, grow_levels(X, y, **rules)) == []

# --- tables as they come

WORDS = pd.DataFrame({
    "sky": ["rain", "sun", "sun", "cloud", "rain", None, "cloud", "sun", "rain", "cloud"] * 3,
    "wind": [1.5, 2.0, np.nan, 0.5, 4.0, 1.0, 3.5, 2.5, 0.0, 1.0] * 3,
    "warm": [True, False, True, True, False, False, True, False, True, True] * 3})
LABELS = np.array(["no", "yes", "yes", "no", "no", "yes", "no", "yes", "no", "yes"] * 3)

def frames():
    "The same table, in every kind that people have."
    ordered = pd.CategoricalDtype(["cloud", "rain", "sun"])
    yield "object", WORDS.astype({"sky": object})
    yield "category", WORDS.astype({"sky": ordered, "warm": "boolean"})
    yield "nullable", WORDS.convert_dtypes()
    yield "polars", pl.from_pandas(WORDS)
    yield "arrow", pa.Table.from_pandas(WORDS, preserve_index=False)
    yield "arrow in pandas", WORDS.convert_dtypes(dtype_backend="pyarrow")

@pytest.mark.parametrize("name, frame", list(frames()), ids=[name for name, _ in frames()])
def test_tables_as_they_come(name, frame):
    model, plain = CARTClassifier().fit(frame, LABELS), CARTClassifier().fit(WORDS, LABELS)
    assert differences(model.tree_, plain.tree_) == [] and model.tree_.schema == plain.tree_.schema
    assert model.tree_.schema.categories == (("cloud", "rain", "sun"), None, (False, True)) or name
    assert (model.predict(frame) == plain.predict(WORDS)).all()
    assert "sky = " in model.tree_.text()

def test_arrays_of_objects_and_lists():
    rows = WORDS.astype(object).where(WORDS.notna(), None).to_numpy()
    tree = CARTClassifier().fit(WORDS, LABELS).tree_
    for table in (rows, rows.tolist()):
        assert differences(CARTClassifier().fit(table, LABELS).tree_, tree) == []

def test_values_of_numpy_among_objects(tmp_path):
    "Files hold what is Python's own, and so do books."
    for a, b in ((np.str_("a"), np.str_("b")), (np.True_, np.False_), (np.int64(1), np.int64(2)),
                 (np.float32(0.5), np.float32(1))):
        model = CARTClassifier(categorical_features=[0]).fit(
            pd.DataFrame({"x": pd.Series([a, b] * 3, dtype=object)}), [0, 1] * 3)
        save(model.tree_, tmp_path / "tree.json")
        assert (load(tmp_path / "tree.json") == model.tree_
                and model.predict([[a], [b]]).tolist() == [0, 1])

def test_a_declared_order_is_kept():
    sky = pd.Categorical(WORDS["sky"], ["sun", "rain", "cloud", "snow"])
    tree = CARTClassifier().fit(WORDS.assign(sky=sky), LABELS).tree_
    assert tree.schema.categories[0] == ("sun", "rain", "cloud", "snow")

def test_numbers_that_name():
    X = pd.DataFrame({"shop": [3, 7, 9, 12] * 6, "size": np.arange(24.0)})
    y = np.isin(X["shop"], [3, 9])
    for chosen in (["shop"], [0], [-2], [True, False], np.array([True, False]), np.array(["shop"])):
        model = CARTClassifier(categorical_features=chosen).fit(X, y)
        assert model.tree_.n_leaves == 2 and model.categories_ == [[3, 7, 9, 12], None]
        assert (model.predict(X) == y).all()
    assert CARTClassifier().fit(X, y).tree_.n_leaves > 2
    assert CARTClassifier(categorical_features=[0]).fit(X.to_numpy(), y).tree_.n_leaves == 2

def test_large_numbers_that_name_with_gaps():
    """numpy reads whole numbers of Arrow and of polars as doubles where one is missing; here
    they would become one."""
    shops, y = [2**60, 2**60 + 1, None, 2**60 + 2] * 3, np.array([0, 1, 0, 1] * 3)
    numbers = pa.array(shops)
    for X in (pl.DataFrame({"shop": shops}), pa.table({"shop": numbers}),
              pa.table({"shop": numbers.dictionary_encode()})):
        model = CARTClassifier(categorical_features=["shop"]).fit(X, y)
        assert (model.categories_ == [[2**60, 2**60 + 1, 2**60 + 2]]
                and (model.predict(X) == y).all())

@pytest.mark.parametrize("chosen", ["shop", 0, ["shops"], [5], [0.5], [True], {"shop": 1}, "auto",
                                    [["shop"]], np.array([[True, False]])])
def test_what_is_no_choice_of_columns(chosen):
    with pytest.raises(ValueError, match="categorical_features must be"):
        CARTClassifier(categorical_features=chosen).fit(
            pd.DataFrame({"shop": [1, 2, 3], "size": [1.0, 2, 3]}), [0, 1, 0])

def test_no_categories():
    with pytest.raises(ValueError, match="'sky'.*'rain'"):
        CARTClassifier(categorical_features=None).fit(WORDS, LABELS)
    numbers = WORDS[["wind"]]
    tree = CARTClassifier(categorical_features=None).fit(numbers, LABELS).tree_
    assert differences(tree, CARTClassifier().fit(numbers, LABELS).tree_) == []

def test_not_seen():
    "A row ends at the node that has not seen its category; a missing value goes on as before."
    X = pd.DataFrame({"c": pd.Categorical(["a"] * 5 + ["b"] * 3 + [None] * 2, ["a", "b", "z"])})
    y = [0] * 5 + [1] * 5
    model = CARTClassifier().fit(X, y)
    assert model.tree_.missing[0] == 1                   # with b, and what is missing
    new = pd.DataFrame({"c": ["a", "b", "z", "q", None]})
    assert model.apply(new).tolist() == [1, 2, 0, 0, 2]
    assert model.predict_proba(new)[:, 1].tolist() == [0, 1, 0.5, 0.5, 1]
    model = CARTClassifier().fit(X[:8], y[:8])           # nothing is missing: a is heavier
    assert model.apply(new).tolist() == [1, 2, 0, 0, 1]
    assert model.tree_.explain({"c": "q"}) == "c is a category not seen there: 0, 5 of 8"

def test_gaps_of_one_class_say_nothing_of_new_categories():
    "If all rows with a missing value are of class 1, a new category is no sign of class 1."
    lots = np.random.default_rng(7)
    c, y = lots.choice(list("abcd"), 400).astype(object), lots.integers(0, 2, 400)
    c[y == 1] = np.where(lots.random((y == 1).sum()) < 0.3, None, c[y == 1])
    X, new = pd.DataFrame({"c": c}), pd.DataFrame({"c": ["never seen", None]})
    share = y.mean()
    for model in (CARTClassifier(), CARTClassifier(criterion="entropy", max_depth=2),
                  CARTClassifier(missing="surrogates"), CostComplexityCV()):
        said = model.fit(X, y).predict_proba(new)[:, 1]
        assert said[0] == share or model.tree_.node_count == 1
    assert CARTClassifier().fit(X, y).predict_proba(new)[:, 1].tolist() == [share, 1]
    forest = ForestClassifier(60, random_state=0).fit(X, y)
    assert abs(forest.predict_proba(new)[0, 1] - share) < 0.05 < forest.predict_proba(new)[1, 1]
    model = C45Classifier(pruning=None).fit(X, y)                       # down all branches
    assert abs(model.predict_proba(new)[0, 1] - model.predict_proba(new)[1, 1]) < 1e-12

def test_many_categories():
    lots = np.random.default_rng(1)
    code = lots.permutation(np.arange(2**17) % 2**16)
    X = pd.DataFrame({"id": pd.Categorical.from_codes(code, [f"k{i}" for i in range(2**16)]),
                      "x": lots.random(len(code))})
    y = (code % 3 == 0).astype(int)
    model = CARTClassifier().fit(X, y)
    assert model.tree_.n_leaves == 2 and (model.predict(X) == y).all()
    assert (CARTRegressor(max_depth=3).fit(X, y + 0.0).predict(X) == y).all()

def test_tables_that_would_fill_the_memory(monkeypatch):
    monkeypatch.setattr(levels, "ROOM", 32 * 16)
    for learner in (grow, grow_levels):
        with pytest.raises(ValueError, match="tables of categories would take .* bytes"):
            learner(np.arange(9.0)[:, None], np.arange(9) % 2, criterion="gini",
                    schema=Schema(("x",), (tuple(map(str, range(9))),), ((0, 1),), "gini"))

def test_all_tables_together_have_room(monkeypatch):
    "Not only those of one level: both learners take the same trees, and refuse the same."
    lots = np.random.default_rng(0)
    X, y = lots.integers(0, 40, 400).astype(float)[:, None], lots.integers(0, 2, 400)
    X = np.hstack([X, lots.random((400, 1))])
    schema = Schema(("x", "z"), (tuple(map(str, range(40))), None), ((0, 1),), "gini")
    tree = grow(X, y, criterion="gini", schema=schema)
    assert len(tree.branch) > 40 * 8
    for room, fits in ((len(tree.branch), True), (len(tree.branch) - 1, False)):
        monkeypatch.setattr(levels, "ROOM", 32 * 4 * room)
        for learner in (grow, grow_levels):
            if fits: assert learner(X, y, criterion="gini", schema=schema) == tree
            else:
                with pytest.raises(ValueError, match="limit max_depth"):
                    learner(X, y, criterion="gini", schema=schema)

def test_codes_that_are_none():
    with pytest.raises(ValueError, match="code 3"):
        grow(np.array([[0.0], [3]]), [0, 1], criterion="gini",
             schema=Schema(("x",), (("a", "b"),), ((0, 1),), "gini"))

def test_a_first_fit_compiles_nothing(monkeypatch):
    compiled = CARTClassifier().fit(WORDS, LABELS).tree_
    rent(monkeypatch)
    monkeypatch.setattr(growth, "grow_by_nodes", lambda *_: pytest.fail("compiled"))
    assert differences(CARTClassifier().fit(WORDS, LABELS).tree_, compiled) == []

@pytest.mark.parametrize("model", [REPClassifier(CARTClassifier(), random_state=0),
                                   CostComplexityCV(CARTClassifier(), random_state=0),
                                   CARTClassifier(ccp_alpha=0.02)],
                         ids=lambda model: type(model).__name__)
def test_what_stands_around(model, tmp_path):
    model.fit(WORDS, LABELS)
    said = model.predict(WORDS)
    assert (said == LABELS).mean() >= 0.5
    save(model.tree_, tmp_path / "tree.json")
    assert differences(load(tmp_path / "tree.json"), model.tree_) == []
    path = CARTClassifier().cost_complexity_pruning_path(WORDS, LABELS)
    assert path.ccp_alphas[0] == 0

# --- rpart

FOLDER = DATA
RPART = json.loads((FOLDER / "rpart_sets.json").read_text())["trees"]
TABLES = json.loads(gzip.decompress((FOLDER / "weka_j48.json.gz").read_bytes()))["data"]

@pytest.mark.parametrize("reference", RPART,
                         ids=lambda r: f"{r['data']}-{r['nodes']}-{r['options'].split()[2]}")
def test_rpart(reference):
    "Node by node: the same division, or one that improves as much, behind which trees may differ."
    data = TABLES[reference["data"]]
    cells = np.array([[float(v) for v in row.split(",")] for row in data["rows"]])
    test = np.zeros(len(cells), bool)
    test[data["test"][0]::data["test"][1]] = True
    X, y = cells[~test, :-1], cells[~test, -1].astype(int)
    options = dict(part.split("=") for part in reference["options"].split())
    schema = Schema(tuple(data["attributes"]), tuple(map(tuple, data["attributes"].values())),
                    (tuple(data["classes"]),), "gini")
    tree = grow(X, y, criterion="gini", schema=schema, min_samples_split=int(options["minsplit"]),
                min_samples_leaf=int(options["minbucket"]))
    def impure(k): return float(tree.weight[k] * tree.impurity[k])
    same, near = 0, 0
    todo = [(reference["tree"], 0, np.arange(len(X)))]
    while todo:
        theirs, k, rows = todo.pop()
        if len(theirs) == 2: continue                # rpart also stops where nothing improves by cp
        f, first, improved = theirs[:3]
        assert tree.width[k]
        ours = impure(k) - impure(tree.first[k]) - impure(tree.first[k] + 1)
        assert ours == pytest.approx(improved, abs=1e-6)
        left, yes = np.isin(X[rows, f], first), tree.apply(X[rows]) >= 0
        yes = np.asarray(tree.decision_path(X[rows]).todense(), bool)[:, tree.first[k] + 1]
        if (yes == left).all() or (yes != left).all():
            same += 1
            for child, goes in ((3, left), (4, ~left)):
                todo.append((theirs[child], int(tree.first[k]) + int(yes[goes][0]), rows[goes]))
        else: near += 1
    assert same >= 3 and near <= same

# --- forests

def test_forests(tmp_path):
    "Every tree is the tree of its bag; any threads; out-of-bag; numpy first, and the same."
    for model, y in ((ForestClassifier(n_estimators=4, oob_score=True, random_state=0), LABELS),
                     # by all features: drawn ones of numbers would be two more searches to compile
                     (ForestRegressor(n_estimators=4, random_state=0),
                      WORDS["warm"] * 2.0 + WORDS["wind"].fillna(0))):
        forest, threaded = (clone(model).fit(WORDS, y),
                            clone(model).set_params(n_jobs=2).fit(WORDS, y))
        assert all(differences(one, other) == []
                   for one, other in zip(forest.trees_, threaded.trees_, strict=True))
        assert any((tree.start >= 0).any() for tree in forest.trees_)
        codes, n = forest._read(WORDS, reset=False).view(np.ndarray), len(WORDS)
        books = forest.trees_[0].schema
        target = (np.searchsorted(forest.classes_, y) if hasattr(forest, "classes_")
                  else np.asarray(y))
        for t, tree in enumerate(forest.trees_):
            counts = np.bincount(forest.estimators_samples_[t], minlength=n)
            alone = grow(codes, target, counts, criterion=books.criterion, schema=books,
                         seed=seed_of_features(seeds_of_tree(forest.bags_.seed, t)[1]),
                         max_features=forest.max_features_ if forest.max_features_ < 3 else None)
            assert (np.array_equal(tree.branch, alone.branch)
                    and np.array_equal(tree.first, alone.first))
        assert (forest.predict(WORDS) == forest.predict(WORDS.convert_dtypes())).all()
        assert (forest[0].predict(WORDS.to_numpy(object))
                == forest[0].predict(WORDS.to_numpy(object))).all()
        save(forest.trees_, tmp_path / "trees.json")
        assert all(differences(one, other) == []
                   for one, other in zip(forest.trees_, load(tmp_path / "trees.json"), strict=True))

def test_a_first_forest_compiles_nothing(monkeypatch):
    compiled = ForestClassifier(n_estimators=3, random_state=1).fit(WORDS, LABELS)
    rent(monkeypatch)
    monkeypatch.setattr(bootstrap, "_announce", lambda goal: pytest.fail("compiled"))
    rented = ForestClassifier(n_estimators=3, random_state=1).fit(WORDS, LABELS)
    assert all(differences(one, other) == []
               for one, other in zip(compiled.trees_, rented.trees_, strict=True))

def test_ratios_that_are_one_double_are_put_in_order():
    w = np.array([2**31, 2**31 - 1])
    assert (w[0] - 1) / w[0] == (w[1] - 1) / w[1]
    assert by_ratio(np.zeros(2, int), w - 1, w, np.array([0.0, 1.0])).tolist() == [1, 0]
