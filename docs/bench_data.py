"""What the learners of the benchmarks learn from: made from seeds, or read from the package."""
import csv, gzip, json
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "nbs/data"

def gaussian(n, m, classes=2, noise=0.1, seed=0):
    "Normal features; a score of four of them, cut into classes; some labels are drawn anew."
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, m), np.float32)
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) / 2
    if not classes: return X, score + 0.3 * rng.standard_normal(n)
    cuts = [0.0] if classes == 2 else np.quantile(score, np.arange(1, classes) / classes)
    y, drawn = np.digitize(score, cuts), rng.random(n) < noise
    return X, np.where(drawn, rng.integers(0, classes, n), y)

def table_of(name):
    "A file of the package: its columns, by name."
    with gzip.open(FOLDER / name, "rt", encoding="utf-8", newline="") as f:
        head, *rows = csv.reader(f)
    return dict(zip(head, np.array(rows).T))

def adult(n, m):
    "Fourteen columns about 32561 persons; categories as codes, in the order of the alphabet."
    numbers, names = table_of("adult_numbers.csv.gz"), table_of("adult_categories.csv.gz")
    y = numbers.pop("positive").astype(np.int64)
    codes = [np.unique(column, return_inverse=True)[1] for column in names.values()]
    return np.stack([*(column.astype(float) for column in numbers.values()), *codes],
                    1)[:n, :m], y[:n]

def persons(n, m):
    "The same persons in a frame: categories as such, in which some are missing."
    import pandas as pd
    numbers, names = table_of("adult_numbers.csv.gz"), table_of("adult_categories.csv.gz")
    y = numbers.pop("positive").astype(np.int64)
    columns = {name: column.astype(float) for name, column in numbers.items()}
    columns |= {name: pd.Categorical(np.where(column == "", None, column))
                for name, column in names.items()}
    return pd.DataFrame(columns)[:n], y[:n]

def words(n, m):
    "The same persons as pandas reads them from a file: categories as text."
    X, y = persons(n, m)
    return X.apply(lambda column: column.astype("str") if hasattr(column, "cat") else column), y

def digits(n, m):
    "Written digits, each fifty times, with one label in ten drawn anew."
    from sklearn.datasets import load_digits
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    X, y = np.repeat(X, 50, axis=0), np.repeat(y, 50)
    y, order = (np.where(rng.random(len(y)) < 0.1, rng.integers(0, 10, len(y)), y),
                rng.permutation(len(y)))
    return X[order[:n], :m], y[order[:n]]

SMALL = {"iris": (150, 4, 3), "wine": (178, 13, 3), "breast cancer": (569, 30, 2),
         "digits once": (1797, 64, 10), "diabetes": (442, 10, 0)}   # rows, columns, classes

def small(name, n, m):
    "A small table of scikit-learn."
    from sklearn import datasets
    load = "load_" + name.removesuffix(" once").replace(" ", "_")
    X, y = getattr(datasets, load)(return_X_y=True)
    return X[:n, :m], y[:n]

def points(n, m, seed=0):
    "Normal points, and a tenth as many questions."
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, m)), rng.standard_normal((n // 10, m))

def grid(n, m, seed=0):
    "The same on a grid, eight places wide: most places are taken several times."
    rng = np.random.default_rng(seed)
    return rng.integers(0, 8, (n, m)).astype(float), rng.integers(0, 8, (n // 10, m)).astype(float)

def chances(n, m, spread=0, seed=0):
    """Normal features, the columns in units that differ by powers of ten; labels with the
    chances of a logistic model."""
    rng = np.random.default_rng(seed)
    X, b = rng.standard_normal((n, m)), 2 * rng.standard_normal(m) / np.sqrt(m)
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ b - 0.5))).astype(np.int64)
    return X * 10.0 ** rng.uniform(-spread, spread, m), y

@lru_cache(2)
def load(data, n, m, classes, dtype):
    "Features and targets of a row."
    if data in ("persons", "words"): return dict(persons=persons, words=words)[data](n, m)
    make = {"gaussian": gaussian, "noise": partial(gaussian, noise=1.0), "adult": adult,
            "digits": digits, "points": points, "grid": grid,
            "chances": chances, "uneven chances": partial(chances, spread=3),
            **{name: partial(small, name) for name in SMALL}}[data]
    X, y = make(n, m, classes) if data in ("gaussian", "noise") else make(n, m)
    return np.ascontiguousarray(X, dtype), y

def data_of(row): return load(row.data, row.n, row.m, row.classes, row.dtype)

def fresh(row):
    "Examples that nobody has learned from, made like those of a row."
    X, y = gaussian(row.n, row.m, row.classes, seed=1)
    return X.astype(row.dtype), y

def close(X):
    """The share of neighboring values that differ by less than 1e-7, which scikit-learn takes
    for one."""
    gaps = np.diff(np.sort(X, axis=0), axis=0)
    return float((gaps[gaps > 0] <= 1e-7).mean())

def with_option(option, X, y):
    "What an option asks for: features, weights, parameters."
    rng = np.random.default_rng(1)
    if option == "weights": return X, rng.uniform(0.5, 1.5, len(X)), {}
    if option == "whole weights": return X, rng.integers(1, 4, len(X)), {}
    if option == "missing values":
        return np.where(rng.random(X.shape) < 0.1, np.float32(np.nan), X), None, {}
    name, given, value = option.partition("=")
    try: value = json.loads(value)
    except ValueError: pass                                 # a word
    return X, None, {name: value} if given else {}
