"Trees on Dask: the same as in memory, from every kind of table, and also where workers die."
import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module

import dask.array as da
import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import pytest
from dask import annotate, config, delayed
from distributed import Client, LocalCluster
from distributed.utils import get_mp_context
from dtree_lit import CARTClassifier, CARTRegressor, CostComplexityCV, REPClassifier
from dtree_lit.dask import (DaskCARTClassifier, DaskCARTRegressor, DaskCostComplexityCV,
                            DaskREPClassifier, DaskShards)
from sklearn.base import clone

SMALL = dict(gather=150)                # so that the upper nodes are divided where their rows lie

@pytest.fixture(scope="module")
def client():
    "Two workers, forked from a process that has imported what each of them would."
    with config.set({"distributed.deploy.lost-worker-timeout": "1h",
                     "distributed.worker.multiprocessing-method": "forkserver"}):
        get_mp_context().set_forkserver_preload(["distributed", "dtree_lit.dask"])
        with (LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
              Client(cluster) as client):
            yield client

def people(n=500, seed=0):
    "A table of numbers with ties and gaps, and of words."
    lots = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": lots.integers(18, 90, n).astype(float),
                          "pay": lots.standard_normal(n).round(1),
                          "town": np.array(["Ulm", "Bonn", "Jena", "Kiel"])[
        lots.integers(0, 4, n)]})
    frame["buys"] = np.where(frame.age + 20 * frame.pay + 30 * (frame.town == "Ulm")
                             + 20 * lots.standard_normal(n) > 60, "yes", "no")
    frame.loc[lots.random(n) < 0.1, "pay"] = np.nan
    frame.loc[lots.random(n) < 0.1, "town"] = None
    return frame

def alike(tree, other):
    "Are all arrays the same, byte for byte?"
    return (tree.schema == other.schema
            and all(a.tobytes() == b.tobytes() for a, b in zip(tree[:-1], other[:-1])))

def test_a_tree_is_the_same_from_every_kind_of_table(client, tmp_path):
    frame = people(300)
    X, y = frame.drop(columns="buys"), frame.buys
    tree = CARTClassifier(max_depth=2).fit(X, y).tree_
    lazy = dd.from_pandas(frame, npartitions=3)
    lazy.to_parquet(tmp_path)
    model = DaskCARTClassifier(max_depth=2, **SMALL)
    for given in ((lazy, "buys"), (lazy.drop(columns="buys"), lazy.buys), (X, y.tolist()),
                  (tmp_path, "buys"), (f"{tmp_path}/part.*.parquet", "buys")):
        assert alike(model.fit(*given).tree_, tree)

def test_a_column_of_few_bytes_stays_beside_its_rows(client, tmp_path):
    "Dask reads columns that are small against their file several partitions at a time."
    frame = people(400).assign(w=np.arange(400) % 5 * 0.5)
    dd.from_pandas(frame, npartitions=8).to_parquet(tmp_path)
    d, left = dd.read_parquet(tmp_path), frame.age > 30
    assert d.w.npartitions == 8 > len(d.w.to_delayed())
    for lazy, memory in ((d, frame), (d[d.age > 30], frame[left])):
        X, y, w = lazy.drop(columns=["buys", "w"]), lazy.buys, lazy.w
        tree = CARTClassifier(max_depth=3).fit(memory.drop(columns=["buys", "w"]), memory.buys,
                                               memory.w).tree_
        assert alike(DaskCARTClassifier(max_depth=3, **SMALL).fit(X, y, w).tree_, tree)
        some = DaskCARTClassifier(max_depth=3, keep=False, **SMALL).fit(lazy[["age"]], y)
        assert alike(some.tree_, CARTClassifier(max_depth=3).fit(memory[["age"]],
                                                                 memory.buys).tree_)

@pytest.mark.parametrize("seed", range(3))
def test_partitions_and_the_order_of_rows_do_not_matter(client, seed):
    lots = np.random.default_rng(seed)
    frame = people(300, seed)
    w = [None, lots.integers(0, 4, 300).astype(float), lots.random(300)][seed]
    tree = CARTClassifier(criterion="entropy",
                          min_samples_leaf=3).fit(frame.drop(columns="buys"), frame.buys, w).tree_
    shuffled = frame.assign(w=1.0 if w is None
                            else w).iloc[lots.permutation(300)].reset_index(drop=True)
    lazy = dd.from_pandas(shuffled, npartitions=int(lots.integers(1, 6)))
    if w is None: lazy = lazy.drop(columns="w")
    model = DaskCARTClassifier(criterion="entropy", min_samples_leaf=3,
                               keep=bool(seed % 2), **SMALL)
    assert alike(model.fit(lazy, "buys", None if w is None else "w").tree_, tree)

def test_numbers_and_arrays(client):
    lots = np.random.default_rng(5)
    X, w = lots.standard_normal((400, 3)), lots.random(400)
    X[::9, 1] = np.nan
    y = X[:, 0] + lots.standard_normal(400)
    memory = CARTRegressor(min_samples_leaf=0.01, ccp_alpha=0.01).fit(X, y, w)
    lazy = da.from_array(X, chunks=(130, 2))
    model = DaskCARTRegressor(min_samples_leaf=0.01, ccp_alpha=0.01, **SMALL)
    model.fit(lazy, da.from_array(y, chunks=200), da.from_array(w, chunks=400))
    assert alike(model.tree_, memory.tree_)
    assert np.array_equal(model.predict(lazy).compute(), memory.predict(X))

@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_who_asks_for_a_forest_is_told_what_to_do(kind):
    with pytest.raises(ImportError, match=f"^DaskForest{kind} is gone: .* by dtree_lit.Forest{kind}"
                                          f", or one tree on Dask, by DaskCART{kind}$"):
        exec(f"from dtree_lit.dask import DaskForest{kind}")
    assert not hasattr(import_module("dtree_lit.dask"), "forests")

@pytest.mark.parametrize("weights", [None, "w"])
def test_classes_have_weights(client, weights):
    frame = people(300)
    given = frame.assign(w=np.arange(300) % 4 * 0.1) if weights else frame
    X, y, w = frame.drop(columns="buys"), frame.buys, given.w if weights else None
    lazy = dd.from_pandas(given, npartitions=3)
    for of_class in ("balanced", {"no": 0.3, "yes": 2}):
        how = dict(class_weight=of_class, min_weight_fraction_leaf=0.1)
        model = DaskCARTClassifier(**how, **SMALL).fit(lazy, "buys", weights)
        assert alike(model.tree_, CARTClassifier(**how).fit(X, y, w).tree_)

def test_a_share_of_all_weight_is_a_share_of_the_exact_sum(client):
    "A thousand weights of 0.1 make a hundred, and a leaf may have to have a tenth of that."
    X, y, w = np.arange(1000.0)[:, None], np.arange(1000) >= 900, np.full(1000, 0.1)
    assert w.sum() != 100
    how = dict(max_depth=1, min_weight_fraction_leaf=0.1)
    tree = CARTClassifier(**how).fit(X, y, w).tree_
    assert tree.t[0] == 899.5
    assert alike(DaskCARTClassifier(**how, gather=10).fit(X, y, w).tree_, tree)

def test_what_is_not_there_is_said_before_anything_is_read(client, tmp_path):
    for kind, name in ((DaskCARTClassifier, "misclassification"),
                       (DaskCARTRegressor, "absolute_error")):
        with pytest.raises(ValueError, match=f"'criterion' of {kind.__name__} must be one of .* "
                                             f"and not '{name}'"):
            kind(criterion=name).fit(tmp_path / "nowhere", "y")

def test_answers_are_lazy(client, tmp_path):
    frame = people(300)
    X = frame.drop(columns="buys")
    lazy = dd.from_pandas(frame, npartitions=3)
    model, memory = (DaskCARTClassifier(max_depth=3).fit(lazy, "buys"),
                     CARTClassifier(max_depth=3).fit(X, frame.buys))
    answers = model.predict(lazy[list(X)])
    assert isinstance(answers, dd.Series) and answers.npartitions == 3
    assert answers.compute().tolist() == memory.predict(X).tolist() == model.predict(X).tolist()
    shares = model.predict_proba(lazy[list(X)]).compute()
    assert (list(shares) == ["no", "yes"] and np.array_equal(shares, memory.predict_proba(X))
            and shares.index.equals(X.index))
    lazy.to_parquet(tmp_path)
    assert model.predict(tmp_path).compute().tolist() == memory.predict(X).tolist()
    few = lazy[lazy.age > 87][list(X)]                        # of which most partitions have no row
    assert model.predict(few).compute().tolist() == memory.predict(few.compute()).tolist()

def test_categories_are_united(client):
    frame = people(300)[["town", "buys"]]
    parts = [delayed(frame[a:a + 100].astype({"town": "category"})) for a in (0, 100, 200)]
    # its own categories alone
    parts[1] = delayed(frame[100:200].assign(town="Rom").astype({"town": "category"}))
    meta = frame[:0].assign(town=pd.Categorical([], categories=["__UNKNOWN_CATEGORIES__"]))
    lazy = dd.from_delayed(parts, meta=meta)
    assert not lazy.town.cat.known
    whole = lazy.compute()
    model = DaskCARTClassifier(**SMALL).fit(lazy, "buys")
    assert alike(model.tree_, CARTClassifier().fit(whole[["town"]], whole.buys).tree_)

def changed(frame, **values):
    "Two parts, of which the second has other values from row 50 on."
    second = frame[100:].reset_index(drop=True)
    for name, value in values.items():
        second[name] = second[name].astype(object).where(
            second.index < (50 if value is None else 0), value).infer_objects()
    return [frame[:100], second]

@pytest.mark.parametrize("values, sentence", [
    (dict(age="old"), "b.parquet: column 'age' is of the type str, and in a.parquet of the type "
                      "float64"),
    (dict(town=3),
     "b.parquet: column 'town' is of the type int64, and in a.parquet of the type str"),
    (dict(buys=None), "b.parquet: row 50 of column 'buys' is missing"),
    (dict(buys=1), "b.parquet: y is of the type int64, and in a.parquet of the type object")])
def test_what_does_not_fit_is_named_by_file_and_column(client, tmp_path, values, sentence):
    for name, part in zip("ab", changed(people(200), **values)):
        part.to_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises((TypeError, ValueError), match=f"^{sentence}"):
        DaskCARTClassifier().fit(tmp_path, "buys")

def test_other_columns_and_extra_categories(client, tmp_path):
    frame = people(200)
    frame[:100].to_parquet(tmp_path / "a.parquet")
    frame[100:].drop(columns="pay").to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="^b.parquet has no column 'pay', and a.parquet has one$"):
        DaskCARTClassifier().fit(tmp_path, "buys")
    with pytest.raises(ValueError, match="there is no column 'bought'; there are age"):
        DaskCARTClassifier().fit(tmp_path, "bought")
    with pytest.raises(ValueError, match="there is no Parquet file in"):
        DaskCARTClassifier().fit(tmp_path / "nowhere", "buys")
    towns = pd.CategoricalDtype(["Ulm", "Bonn", "Jena", "Kiel"])
    parts = [delayed(frame[:100].astype({"town": towns})),
             delayed(frame[100:].assign(town="Rom").astype({"town": "category"}))]
    lazy = dd.from_delayed(parts, meta=frame[:0].astype({"town": towns}), verify_meta=False)
    with pytest.raises(ValueError, match="^partition 1: column 'town' declares the category 'Rom', "
                                         "and known are"):
        DaskCARTClassifier().fit(lazy, "buys")

def test_what_is_given_beside_the_table(client):
    frame = people(100)
    lazy = dd.from_pandas(frame, npartitions=2)
    with pytest.raises(TypeError, match="^y is of the type Series, and X is not in memory"):
        DaskCARTClassifier().fit(lazy, frame.buys)
    with pytest.raises(ValueError, match="^X has 2 partitions, and y has 4"):
        DaskCARTClassifier().fit(lazy, lazy.buys.repartition(npartitions=4))
    with pytest.raises(TypeError, match="^X is of the type dict: "):
        DaskCARTClassifier().fit({}, "buys")
    with pytest.raises(ValueError, match="^partition 0: sample_weight of row 1 is -1.0"):
        DaskCARTClassifier().fit(frame.assign(w=np.where(frame.index == 1, -1., 1.)), "buys", "w")

@pytest.mark.parametrize("kind, numbers, change, sentence", [
    (DaskCARTRegressor, True, dict(y=1e200), "b.parquet: row 3 of column 'y' is 1e[+]200, and "),
    (DaskCARTRegressor, True, dict(y=np.inf), "b.parquet: row 3 of column 'y' is inf, and what "),
    (DaskCARTRegressor, True, dict(y=np.nan), "b.parquet: row 3 of column 'y' is missing"),
    (DaskCARTClassifier, False, dict(a=["c"] * 4, as_type=dict(a="category")),
     "b.parquet: column 'a' is of the type category of str, and in a.parquet of the type float64"),
    (DaskCARTClassifier, False, dict(order=["b", "a", "y"]),
     "b.parquet has its columns in another order than a.parquet")])
def test_more_that_does_not_fit(client, tmp_path, kind, numbers, change, sentence):
    frame = pd.DataFrame(dict(a=np.arange(8.0), b=1, y=np.arange(8) * (1.0 if numbers else 1)))
    first, second = frame[:4], frame[4:].reset_index(drop=True)
    if "y" in change: second.loc[3, "y"] = change["y"]
    if "a" in change: second = second.assign(a=change["a"]).astype(change["as_type"])
    first.to_parquet(tmp_path / "a.parquet")
    second[change.get("order", list(second))].to_parquet(tmp_path / "b.parquet")
    with pytest.raises((TypeError, ValueError), match=f"^{sentence}"):
        kind().fit(tmp_path, "y")

def test_what_pandas_would_put_together_is_put_together(client):
    "Infinities, gaps, small whole numbers and truth values, words of two types, empty partitions."
    frame = people(60).rename(columns={"town": "of"})
    frame["few"], frame["old"] = (frame.age % 7).astype(np.int8), frame.age > 50
    frame.loc[[3, 33], "pay"] = np.inf, -np.inf
    parts = [frame[:0], frame[:1], frame[1:30].astype({"of": object, "few": np.int64}),
             frame[30:].astype({"of": "string", "pay": np.float32, "old": "boolean"}), frame[:0]]
    whole = pd.concat([part.astype({"of": object, "old": bool, "pay": float}) for part in parts])
    lazy = dd.from_delayed([delayed(part) for part in parts], meta=frame[:0], verify_meta=False)
    tree = CARTClassifier().fit(whole.drop(columns="buys"), whole.buys).tree_
    assert alike(DaskCARTClassifier(gather=5).fit(lazy, "buys").tree_, tree)

def test_a_client_is_not_copied(client):
    pruned = clone(DaskCostComplexityCV(DaskCARTClassifier(client=client)))
    assert pruned.estimator.client is client and clone(DaskCARTRegressor(gather=3)).gather == 3

def test_a_table_and_its_answers_are_as_long(client):
    with pytest.raises(ValueError, match="^X has 9 rows, and y has 5$"):
        DaskCARTClassifier().fit(np.ones((9, 2)), np.ones(5))

def test_without_a_client_a_sentence_says_so(monkeypatch):
    import dtree_lit.dask
    def none(): raise ValueError("no clients")
    monkeypatch.setattr(dtree_lit.dask, "default_client", none)
    with pytest.raises(ValueError, match="^there is no Dask client: open one"):
        DaskCARTClassifier().fit(people(10), "buys")

class Killer(threading.Thread):
    "Kills workers, and not their nannies, at random moments: also some that are just starting."
    def __init__(self, cluster, kills, pause):
        super().__init__(daemon=True)
        self.cluster, self.kills, self.pause, self.dead = cluster, kills, pause, 0
        self.start()

    def run(self):
        lots = random.Random(0)
        while self.dead < self.kills:
            time.sleep(lots.uniform(0, 2 * self.pause))
            up = [pid for nanny in [*self.cluster.workers.values()] if (pid := nanny.pid)]
            if not up: continue
            with contextlib.suppress(ProcessLookupError):       # it has just gone by itself
                os.kill(lots.choice(up), signal.SIGKILL)
                self.dead += 1

KILLS = int(os.environ.get("DTREE_LIT_KILLS", 2))       # by hand twenty

def test_workers_may_die(client):
    client.wait_for_workers(2, timeout=60)
    frame = people()
    tree = CARTClassifier(max_depth=3).fit(frame.drop(columns="buys"), frame.buys).tree_
    lazy, keep = dd.from_pandas(frame, npartitions=4), True
    killer = Killer(client.cluster, KILLS, 1)
    while killer.is_alive():
        model = DaskCARTClassifier(max_depth=3, keep=keep, **SMALL).fit(lazy, "buys")
        assert alike(model.tree_, tree)
        keep = not keep
    assert killer.dead == KILLS

def test_without_workers_a_sentence_ends_the_fit(monkeypatch):
    monkeypatch.setattr("dtree_lit.dask.WAIT_FOR_WORKERS", 1)
    with (LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
          Client(cluster, set_as_default=False) as nobody):
        with pytest.raises(RuntimeError, match="^no worker of the cluster .* for 1 s: start "):
            DaskCARTClassifier(client=nobody).fit(people(10), "buys")

def test_nobody_waits_for_what_no_worker_may_do(client, monkeypatch):
    monkeypatch.setattr("dtree_lit.dask.WAIT_FOR_WORKERS", 1)
    client.wait_for_workers(1, timeout=60)
    with annotate(resources={"gold": 1}), pytest.raises(RuntimeError, match="anything to do"):
        DaskShards(client, [delayed(1)]).fold(abs)

def test_who_takes_workers_down_is_named(client):
    client.wait_for_workers(2, timeout=60)
    def allow(failures, dask_scheduler=None): dask_scheduler.allowed_failures = failures
    client.run_on_scheduler(allow, 0)
    def dies(state): os._exit(1)
    with pytest.raises(RuntimeError, match="^2 workers died while they did 'dies', the last one at "
                                           "tcp://.*memory_limit"):
        DaskShards(client, [delayed(1)]).fold(dies)
    client.run_on_scheduler(allow, 3)

def test_what_took_too_many_workers_down_is_begun_anew(client, tmp_path):
    "Also where the task is one on which another waits, and a shard that is kept."
    client.wait_for_workers(2, timeout=60)
    def allow(failures, dask_scheduler=None): dask_scheduler.allowed_failures = failures
    def dies_once(state, name):
        if state == 2 and not (tmp_path / name).exists():
            (tmp_path / name).touch()
            os._exit(1)
        return state
    client.run_on_scheduler(allow, 0)
    shards = DaskShards(client, [delayed(k) for k in range(1, 6)])
    assert shards.fold(dies_once, "asked") == shards.map(dies_once, "kept").fold(abs) == 15
    client.run_on_scheduler(allow, 3)

INTERRUPTED = """
import signal, threading, time
import dask.dataframe as dd, pandas as pd
from distributed import Client, LocalCluster
from dtree_lit.dask import DaskCARTClassifier, DaskShards

def tasks_of(client): return client.run_on_scheduler(lambda dask_scheduler: {*dask_scheduler.tasks})
def slow(state): return time.sleep(1) or 0
fold, main = DaskShards.fold, threading.main_thread().ident
def interrupted(self, *asked):
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    return fold(self, slow)

signal.signal(signal.SIGINT, signal.default_int_handler)    # behind & shells ignore Ctrl-C
table = dd.from_pandas(pd.DataFrame({"x": range(100), "y": [0, 1] * 50}), npartitions=8)
with (LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
      as cluster, Client(cluster) as client):
    before, DaskShards.fold = tasks_of(client), interrupted
    try: DaskCARTClassifier().fit(table, "y")
    except KeyboardInterrupt: print("interrupted")
    end = time.monotonic() + 20
    while (left := tasks_of(client) - before) and time.monotonic() < end: time.sleep(0.1)
    print(left, client.submit(int, 3).result(timeout=20))   # the cluster still listens
"""

def test_an_interrupt_leaves_nothing_running():
    "In a process of its own, where an interrupt can hit nothing else."
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True,
                          timeout=120)
    assert done.stdout == "interrupted\nset() 3\n", done.stderr

LEVEL = """
    WITH long AS (UNPIVOT (SELECT * EXCLUDE y, y FROM rows) ON COLUMNS(* EXCLUDE y) INTO NAME f VALUE x),
    counts AS (SELECT f, x, count(*)::DOUBLE n, sum(y)::DOUBLE s FROM long GROUP BY f, x),
    cuts AS (SELECT f, x, sum(n) OVER w n_T, sum(s) OVER w s_T, sum(n) OVER all_ n, sum(s) OVER all_ s FROM counts
             WINDOW w AS (PARTITION BY f ORDER BY x DESC), all_ AS (PARTITION BY f))
    SELECT f, x, (s_T * s_T / n_T + (s - s_T) * (s - s_T) / (n - n_T)) AS kept FROM cuts WHERE n_T < n ORDER BY kept DESC LIMIT 2"""

def test_a_query_finds_the_same_level(client):
    lots = np.random.default_rng(8)
    rows = pd.DataFrame(lots.standard_normal((3000, 4)), columns=list("abcd"))
    rows["y"] = (rows.a - rows.c + lots.standard_normal(3000) > 0).astype(int)
    (f, x, kept), (_, _, second) = duckdb.sql(LEVEL).fetchall()
    tree = DaskCARTClassifier(max_depth=1,
                              **SMALL).fit(dd.from_pandas(rows, npartitions=3), "y").tree_
    assert kept > second + 1e-6                           # no tie, of which the query knows nothing
    below = rows[f][rows[f] < x].max()
    assert tree.schema.features[tree.feature[0]] == f and below < tree.t[0] <= x

def test_who_does_not_ask_for_dask_does_not_load_it():
    code = ("import sys, dtree_lit; [getattr(dtree_lit, name) for name in dtree_lit.__all__]; "
            "print({'dask', 'distributed'} & {*sys.modules})")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True).stdout == "set()\n"

def test_pruning_is_the_same(client):
    frame = people(300)
    X, y = frame.drop(columns="buys"), frame.buys
    lazy, words = (dd.from_pandas(frame, npartitions=3),
                   dict(labels="both", ties="keep", empty="training", random_state=4))
    ours = DaskREPClassifier(DaskCARTClassifier(min_samples_leaf=2, **SMALL),
                             **words).fit(lazy, "buys")
    theirs = REPClassifier(CARTClassifier(min_samples_leaf=2), **words).fit(X, y)
    assert (alike(ours.tree_, theirs.tree_)
            and all(np.array_equal(a, b) for a, b in zip(ours.trace_[2:], theirs.trace_[2:])))
    assert ours.predict(lazy[list(X)]).compute().tolist() == theirs.predict(X).tolist()

WEIGHTS = [("balanced", "both"), ({"no": 0.3, "yes": 2}, "pruning"), ({"no": 1, "yes": 0}, "both")]

@pytest.mark.parametrize("weights, labels", WEIGHTS, ids=["balanced", "named", "one of nothing"])
def test_classes_that_weigh_are_pruned_the_same(client, weights, labels):
    frame = people(300)
    X, y, lazy = frame.drop(columns="buys"), frame.buys, dd.from_pandas(frame, npartitions=3)
    of_class, words = dict(class_weight=weights), dict(labels=labels, random_state=4)
    ours = DaskREPClassifier(DaskCARTClassifier(**of_class, **SMALL), **words).fit(lazy, "buys")
    theirs = REPClassifier(CARTClassifier(**of_class), **words).fit(X, y)
    assert alike(ours.tree_, theirs.tree_)
    assert all(np.array_equal(a, b) for a, b in zip(ours.trace_[2:], theirs.trace_[2:]))
    ours = DaskCostComplexityCV(DaskCARTClassifier(**of_class, **SMALL), cv=2).fit(lazy, "buys")
    theirs = CostComplexityCV(CARTClassifier(**of_class), cv=2).fit(X, y)
    assert alike(ours.tree_, theirs.tree_) and all(map(np.array_equal, ours.table_, theirs.table_))

def test_the_chosen_price_is_the_same(client):
    frame = people(300)
    X, y = frame.drop(columns="buys"), frame.buys
    words = dict(cv=2, rule="one_se", cost="misclassification", random_state=1)
    ours = DaskCostComplexityCV(DaskCARTClassifier(**SMALL),
                                **words).fit(dd.from_pandas(frame, npartitions=3), "buys")
    theirs = CostComplexityCV(CARTClassifier(), **words).fit(X, y)
    assert (ours.alpha_ == theirs.alpha_ and alike(ours.tree_, theirs.tree_)
            and all(map(np.array_equal, ours.table_, theirs.table_)))
    with pytest.raises(ValueError, match="^DaskCARTRegressor cannot learn classes from shards: "):
        DaskREPClassifier(DaskCARTRegressor()).fit(frame, "buys")
    with pytest.raises(ValueError, match="^n_samples=3 is too few for 10 folds$"):
        DaskCostComplexityCV().fit(frame[:3], "buys")
