"Trees to be drawn, and what is in a drawing."
import numpy as np
from hypothesis import strategies as st

def tree(choices):
    """first and width of a tree: each choice says which leaf gets children, and how many. Not
    numbered by levels."""
    first, width, leaves = [-1], [0], [0]
    for which, ways in choices:
        k = leaves.pop(which % len(leaves))
        first[k], width[k] = len(first), ways
        leaves += range(len(first), len(first) + ways)
        first += [-1] * ways
        width += [0] * ways
    return np.array(first), np.array(width)

def grown(leaves, seed=0):
    "A binary tree with so many leaves."
    rng = np.random.default_rng(seed)
    return tree([(int(rng.integers(10**6)), 2) for _ in range(leaves - 1)])

def dressed(first, width, classes=2, seed=0):
    "Words, labels and class weights."
    rng, n = np.random.default_rng(seed), len(first)
    mix = rng.integers(0, 50, (n, classes)) + rng.random((n, classes))
    words = [[f"petal length ≥ {9 * rng.random():.2f}" if w else f"class {m.argmax()}",
              f"n = {m.sum():.0f}", "WMW 100 %"] for w, m in zip(width, mix)]
    return words, ["", *rng.choice(["no", "yes", "WWW"], n - 1)], mix

trees = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 5)), max_size=25).map(tree)

def inside(p, q, by=1e-6):
    return p[0] > q[0] - by and p[1] > q[1] - by and p[2] < q[2] + by and p[3] < q[3] + by
