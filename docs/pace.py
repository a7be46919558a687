"""Measure what 685_cost_of_shards computes with: how fast one thread codes, counts, bounds and grows, and how fast two
local workers of Dask tell one another something. Writes nbs/data/pace.json.

    python docs/pace.py
"""
import json
import time
from datetime import date
from pathlib import Path

import numpy as np
from bench import machine
from distributed import Client, LocalCluster, wait

from dtree_lit.learners.task import LEAST
from dtree_lit.models.bucket_bounds import cuts_at_edges, buckets_within, node_batch
from dtree_lit.models.bucket_opening import root_of, seen_of_feature
from dtree_lit.models.buckets import count, edges_of, in_codes, task_of
from dtree_lit.models.grow_sharded import finish, Job
from dtree_lit.models.shards import Shards

PATH = Path(__file__).resolve().parent.parent / "nbs/data/pace.json"
ROWS, COLUMNS, NODES, BYTES = 1_000_000, 8, 8, 2**27

def least(clock, f, times=5):
    "The shortest time that f takes, once it is compiled."
    f()
    spent = []
    for _ in range(times):
        before = clock()
        f()
        spent.append(clock() - before)
    return min(spent)

def of_a_thread():
    "Values, cells and rows a second, by the clock of the processor."
    lots = np.random.default_rng(0)
    X = lots.standard_normal((ROWS, COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + lots.standard_normal(ROWS) > 0).astype(int)
    shards = Shards.of(X, y, 1)
    task, facts = task_of(shards, "gini", None, LEAST | dict(max_depth=None))
    edges = edges_of(shards, task, facts, 8192)
    state = in_codes(shards.states[0], edges, task)
    some = state._replace(node=lots.integers(0, NODES, ROWS).astype(np.int32))
    root = root_of(Shards([state]), task, edges, ROWS)
    table, cells = root.table, root.cells
    batch = node_batch(cells[0, :table.start[1]].sum(axis=0)[:, None])
    def bound():
        most = np.full(1, np.inf)
        for f in range(COLUMNS): cuts_at_edges(task, batch, most, cells, table, f, edges)
        for f in range(COLUMNS):
            seen = seen_of_feature(root, edges, table, f)
            buckets_within(task, batch, most, cells, table, f, *seen)
    place = np.zeros(ROWS, np.int16)
    job = Job.of(state, np.arange(ROWS), place)
    def clock_of(f, times=5): return least(time.thread_time, f, times)
    return dict(
        code=X.size / clock_of(lambda: in_codes(shards.states[0], edges, task)),
        read=X.size / clock_of(lambda: count(some, np.arange(NODES), NODES, table, 2)),
        bound=table.start[-1] / clock_of(bound),
        grow=ROWS / clock_of(lambda: finish(job, task), 1))

def of_two_workers():
    "Seconds for a message, and bytes a second, by the clock on the wall."
    with (LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
          Client(cluster) as client):
        one, other = client.nthreads()
        message = least(time.perf_counter, lambda: client.submit(int, 3, pure=False).result(), 50)
        def move():
            there = client.submit(np.ones, BYTES // 8, workers=one, pure=False)
            wait(there)
            before = time.perf_counter()
            client.submit(len, there, workers=other, pure=False).result()
            return time.perf_counter() - before
        move()
        return dict(message=message, send=BYTES / min(move() for _ in range(5)))

if __name__ == "__main__":
    pace = {name: float(f"{v:.2g}") for name, v in (of_a_thread() | of_two_workers()).items()}
    told = dict(date=date.today().isoformat(), machine=machine(), pace=pace)
    PATH.write_text(json.dumps(told, indent=1) + "\n")
    print(json.dumps(told))
