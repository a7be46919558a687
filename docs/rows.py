"""Write a table that is larger than memory, piece by piece: columns of numbers, and an answer that depends on some of them.

    python docs/rows.py FOLDER                  20 million rows in Parquet, 1.4 GB
    python docs/rows.py FOLDER --rows 67000000  4.3 GB of doubles

A piece is drawn from its own seed, so that any of them can be written again, and the table does not depend on who writes it.
"""
import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

PIECE, GROUP = 2**20, 2**19       # rows of a file, and of a row group: the least that can be read

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

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--columns", type=int, default=8)
    told = parser.parse_args()
    write(told.folder, told.rows, told.columns)
