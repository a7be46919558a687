"Small tables for C4.5, and its trees as nested lists."
import numpy as np
from dtree_lit.trees.nodes import Schema

def is_leaf(tree): return isinstance(tree, list)

def some_table(seed, most=40):
    """Numbers and categories, perhaps gaps, perhaps weights: X, y, weights or None, values of
    each column."""
    rng = np.random.default_rng(seed)
    n, m, K = int(rng.integers(14, most)), int(rng.integers(1, 5)), int(rng.integers(2, 4))
    V = [None if rng.random() < 0.5 else int(rng.integers(1, 5)) for _ in range(m)]
    X = np.stack([rng.integers(0, v or rng.integers(2, 9), n) for v in V], axis=1).astype(float)
    if rng.random() < 0.6: X[rng.random(X.shape) < 0.4 * rng.random()] = np.nan
    y = rng.integers(0, K, n)
    y[:K] = range(K)
    return X, y, rng.integers(1, 4, n) if rng.random() < 0.3 else None, V

def schema_of(V, y):
    return Schema(tuple(f"x{f}" for f in range(len(V))), tuple(v and tuple(range(v)) for v in V),
                  (tuple(range(max(y) + 1)),), "entropy")

def rows_of(X, V):
    return [tuple(None if np.isnan(x) else float(x) if v is None else int(x)
                  for x, v in zip(row, V)) for row in X]

def nested(tree, k=0):
    "As the definition has it; a test by words is, for each word, the number of the child."
    D, f, start = tree.counts[k, 0].tolist(), int(tree.feature[k]), tree.start[k]
    if not tree.width[k]: return D
    test = (float(tree.t[k]) if start < 0
            else tree.branch[start:start + len(tree.schema.categories[f])].tolist())
    return D, f, test, [nested(tree, tree.first[k] + c) for c in range(tree.width[k])]
