"Tables and rows of the other programs' answers about C4.5."
import gzip
import json
from functools import cache

import numpy as np
import pandas as pd
from helpers.places import DATA

def read(name):
    return json.loads(gzip.decompress((DATA / name).read_bytes()))

WEKA, RELEASE_8 = read("weka_j48.json.gz"), read("c45_release8.json.gz")["references"]

@cache
def table(name):
    """A frame of words and numbers in their declared order, the classes, the same in codes, and
    which rows are test rows."""
    data = WEKA["data"][name]
    cells = np.array([[float(v or "nan") for v in row.split(",")] for row in data["rows"]])
    test = np.zeros(len(cells), bool)
    test[data["test"][0]::data["test"][1]] = True
    columns = {a: x if words is None
               else pd.Categorical.from_codes(np.nan_to_num(x, nan=-1).astype(int), words)
               for (a, words), x in zip(data["attributes"].items(), cells.T)}
    y = pd.Series(pd.Categorical.from_codes(cells[:, -1].astype(int), data["classes"]))
    return data, pd.DataFrame(columns), y, cells, test

def rows_of(r):
    "Of a reference: training rows and test rows, of which there may be none."
    test = table(r["data"])[-1]
    return ((~test, test) if r["rows"] == "split"
            else (np.ones(len(test), bool), np.zeros(len(test), bool)))

POINTS = ([0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1],
          [4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0])

def charge_of_release_8(N, e, gamma):
    "Expected errors, with a quantile from a short table; 0.6925 for a quarter, where it is 0.6745."
    z = np.interp(gamma, *POINTS)
    def none(N): return N * (1 - gamma ** (1 / N))
    if N == 0: return 0.0
    if e < 1e-6: return none(N)
    if e < 0.9999: return none(N) + e * (charge_of_release_8(N, 1, gamma) - none(N))
    if e + 0.5 >= N: return e + 0.67 * (N - e)
    c = z * z
    return N * (e + 0.5 + c / 2 + z * np.sqrt((e + 0.5) * (1 - (e + 0.5) / N) + c / 4)) / (N + c)
