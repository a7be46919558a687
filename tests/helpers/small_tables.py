"Small random tables, and the best tree of each by trying all trees."
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, product

import numpy as np
import pandas as pd

def rows_of_yes(values):
    "For each test of a feature in order: the rows that it is true for. None: missing."
    lost = frozenset(i for i, v in enumerate(values) if v is None)
    known = sorted({v for v in values if v is not None}, key=str if "a" in values else None)
    if any(isinstance(v, str) for v in known):
        if len(known) > 6: sets = [{v} for v in known]
        else:                                                   # none of them has the first
            some = known[1:]
            sets = [{v for i, v in enumerate(some) if pick >> i & 1}
                    for pick in range(1, 2**len(some))]
    else: sets = [{v for v in known if v >= t} for t in known[1:]]
    yes = [frozenset(i for i, v in enumerate(values) if v in chosen) for chosen in sets]
    return [*(rows | lost for rows in yes), *(yes if lost else []), *([lost] if lost else [])]

def leaf_loss(rows, y, w, price):
    "The weight that is not of the heaviest class, and the price of the leaf."
    sums = Counter()
    for i in rows: sums[y[i]] += w[i]
    return sums.total() - max(sums.values()) + price

def squared_loss(rows, y, w, price):
    "The squared error, exactly, and the price of the leaf; y: fractions."
    total = sum(w[i] for i in rows)
    mean = sum(w[i] * y[i] for i in rows) / total
    return sum(w[i] * (y[i] - mean)**2 for i in rows) + price

def best_tree(columns, y, w, depth, price, loss=leaf_loss):
    "(Loss, leaves) of the best tree, and its sides by the tie rule, by trying all of them."
    tests = list(chain.from_iterable(map(rows_of_yes, columns)))
    @cache
    def best(rows, depth):
        found = loss(rows, y, w, price), 1, rows
        for yes in tests if depth else ():
            yes = rows & yes
            if not yes or yes == rows: continue
            no, yes = best(rows - yes, depth - 1), best(yes, depth - 1)
            told = no[0] + yes[0], no[1] + yes[1]
            if told < found[:2]: found = *told, (no[2], yes[2])
        return found
    return best(frozenset(range(len(y))), depth)

def numbers_of_trees(columns, y, w, depth, price, loss=leaf_loss):
    "How many trees there are of each loss and number of leaves; a test is a feature and its sides."
    tests = [(f, yes) for f, values in enumerate(columns) for yes in rows_of_yes(values)]
    @cache
    def numbers(rows, depth):
        found = Counter({(loss(rows, y, w, price), 1): 1})
        sides = {(f, frozenset((rows & yes, rows - yes))) for f, yes in tests if depth}
        for no, yes in (pair for _, pair in sides if frozenset() not in pair):
            for (a, j), (b, k) in product(numbers(no, depth - 1).items(),
                                          numbers(yes, depth - 1).items()):
                found[a[0] + b[0], a[1] + b[1]] += j * k
        return found
    return numbers(frozenset(range(len(y))), depth)

def regions(tree):
    "The rows of the leaves, whatever side is called yes."
    return {tree} if isinstance(tree, frozenset) else regions(tree[0]) | regions(tree[1])

def small_table(seed):
    "Up to 8 rows and 3 features: numbers, categories, missing values; labels, weights, prices."
    lots = np.random.default_rng(seed)
    n, m = lots.integers(2, 9), lots.integers(1, 4)
    columns = []
    for _ in range(m):
        column = lots.integers(0, lots.integers(2, 9), n).astype(object)
        if lots.random() < 0.4: column = np.array([*"abcdefgh"], object)[column.astype(int)]
        if lots.random() < 0.4: column[lots.random(n) < 0.3] = None
        if any(v is not None for v in column): columns.append(column.tolist())
    y = lots.integers(0, lots.integers(2, 4), n)
    w = lots.integers(1, 4, n) if lots.random() < 0.5 else np.ones(n, int)
    return columns or [list(range(n))], y, w, lots.choice([0.0, 0.0, 0.05, 0.125, 0.3])

def as_frame(columns):
    "Text becomes categories, in the order of the letters."
    def series(c):
        if any(isinstance(v, str) for v in c): return pd.Series(pd.Categorical(c))
        return pd.Series(c, dtype=float)
    return pd.DataFrame({f"x{f}": series(c) for f, c in enumerate(columns)})

def price_of(leaf_cost, weights):
    "The price of a leaf, in units of the weights."
    return Fraction(repr(float(leaf_cost))) * int(weights.sum())

def mixed(seed, n, least):
    """A table of numbers with missing values and categories, more than six in one column; labels,
    and whole weights from the least on."""
    lots = np.random.default_rng(seed)
    X = pd.DataFrame({"a": lots.normal(size=n).round(1), "b": lots.integers(0, 5, n) * 1.0,
                      "few": pd.Categorical(lots.choice([*"uvw"], n)),
                      "many": pd.Categorical(lots.choice([*"abcdefgh"], n))})
    for name in X: X.loc[lots.random(n) < 0.1, name] = None
    y = (X["a"].fillna(0) > 0).astype(int) + (X["many"] == "c") + (lots.random(n) < 0.2)
    return X, y.to_numpy(), lots.integers(least, 4, n)
