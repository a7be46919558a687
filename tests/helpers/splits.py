"The questions of a tree, and the cuts of a node, by plain code."
import numpy as np
from dtree_lit.measures.candidates import candidates

nan, inf = np.nan, np.inf

def questions_of(x):
    "Of a column, in the order of preference: the side of its gaps, the threshold, who says yes."
    lost = np.isnan(x)
    ways = [(1, t, (x >= t) | lost) for t in candidates(x[~lost])]
    if not lost.any(): return ways
    return (ways + [(0, t, x >= t) for t in candidates(x[~lost])]
            + [(1, nan, lost)] * (not lost.all()))

def read(tree, k=0):
    if tree.width[k] == 0: return int(tree.size[k])
    return (int(tree.feature[k]), float(tree.t[k]), int(tree.missing[k]), read(tree, tree.first[k]),
            read(tree, tree.first[k] + 1))
