"""Write a table that is larger than memory, piece by piece: columns of numbers, and an answer that depends on some of them. And grow trees from it within a limit.

    python docs/rows.py FOLDER                  20 million rows in Parquet, 1.4 GB
    python docs/rows.py FOLDER --rows 67000000  4.3 GB of doubles
    python docs/rows.py FOLDER --fit pruned     grow and prune by cross-validation, two workers and all within 2 GiB
    python docs/rows.py FOLDER --fit levels     two levels, on one worker of 1 GiB, and what a pass takes
    python docs/rows.py FOLDER --fit pruned --compare   and once more in memory: is the tree the same?

A piece is drawn from its own seed, so that any of them can be written again, and the table does not depend on who writes it.
"""
import argparse
import resource
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

PIECE, GROUP = 2**20, 2**19       # rows of a file, and of a row group: the least that can be read
LIMIT = dict(levels="1GiB", pruned="900MiB")    # of a worker

def piece(i, n, columns):
    "The rows of piece i."
    lots = np.random.default_rng([20, i])
    X = lots.standard_normal((columns, n))
    score = X[0] + X[1] * (X[2] > 0) + np.sin(3 * X[3]) + lots.standard_normal(n)
    return pa.table({f"x{j}": x for j, x in enumerate(X)} | {"y": (score > 0).astype(np.int8)})

def write(folder, rows, columns):
    "A file for each piece."
    folder.mkdir(parents=True, exist_ok=True)
    for i, first in enumerate(range(0, rows, PIECE)):
        table = piece(i, min(PIECE, rows - first), columns)
        parquet.write_table(table, folder / f"part.{i:05d}.parquet", compression=None,
                            use_dictionary=["y"], row_group_size=GROUP)

def used():
    "Seconds of the processor, and MiB at the peak, of this process."
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

def measured(what, client, f):
    "Call f, and say what it took; peaks are those since the process began."
    before, start = {**client.run(used), "client": used()}, time.perf_counter()
    result, wall = f(), time.perf_counter() - start
    after = {**client.run(used), "client": used()}
    told = (f"{name} {cpu - before.get(name, (0,))[0]:.1f} s and {peak} MiB"
            for name, (cpu, peak) in after.items())
    print(f"{what}: {wall:.1f} s; processors and peaks:", "; ".join(told), flush=True)
    return result

def models(how):
    "The learner on Dask, the same in memory, and on how many workers."
    from dtree_lit import CARTClassifier, CostComplexityCV
    from dtree_lit.dask import DaskCARTClassifier, DaskCostComplexityCV
    lean = dict(gather=500_000, keep=False)
    if how == "levels":
        grown = dict(criterion="entropy", max_depth=2)
        return DaskCARTClassifier(**grown, **lean), CARTClassifier(**grown), 1
    return (DaskCostComplexityCV(DaskCARTClassifier(max_depth=8, **lean), cv=3),
            CostComplexityCV(CARTClassifier(max_depth=8), cv=3), 2)

def fit(folder, how):
    "Grow within the limit of each worker."
    from distributed import Client, LocalCluster
    model, _, workers = models(how)
    with (LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=LIMIT[how],
                       dashboard_address=":0") as cluster, Client(cluster) as client):
        if how == "levels": measured("a pass", client, lambda: model.shards_of(folder, "y"))
        measured(how, client, lambda: model.fit(folder, "y"))
    return model

def same(folder, how, model):
    "Is the tree that of a fit in memory, byte for byte?"
    rows = parquet.read_table(folder)
    X = np.column_stack([rows[name] for name in rows.column_names[:-1]])
    tree = models(how)[1].fit(X, rows["y"].to_numpy()).tree_
    arrays = zip(tree[:-1], model.tree_[:-1])
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in arrays)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--fit", choices=("levels", "pruned"))
    parser.add_argument("--compare", action="store_true", help="with a fit in memory")
    told = parser.parse_args()
    if told.fit:
        model = fit(told.folder, told.fit)
        print(model.get_n_leaves(), "leaves")
        if told.compare: print("as in memory:", same(told.folder, told.fit, model))
    else: write(told.folder, told.rows, told.columns)
