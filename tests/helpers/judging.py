"What a tree of costs would answer, by plain code."
from fractions import Fraction

import numpy as np
from dtree_lit.trees.link_prices import cut_back, pruning_path, weakest_links

def by_definition(tree, R):
    """Prices as fractions, and the inner nodes that are left from there on: cut the weakest
    links together, compute everything anew."""
    first, width, open_ = (tree.first.tolist(), tree.width.tolist(),
                           set(np.flatnonzero(tree.width).tolist()))
    steps, alpha = [], Fraction(0)
    def below(k):
        if k not in open_: return R[k], 1
        parts = [below(c) for c in range(first[k], first[k] + width[k])]
        cost, leaves = sum(p[0] for p in parts), sum(p[1] for p in parts)
        worth[k] = (R[k] - cost) / (leaves - 1)
        return cost, leaves
    while True:
        worth = {}
        below(0)
        least = min(worth.values(), default=None)
        if least is None or least > alpha:
            steps.append((alpha / Fraction(float(tree.weight[0])), set(worth)))
            if least is None: return steps
            alpha = least
        # a leaf may cost less than what is below it: one price at a time
        open_ = {k for k in worth if worth[k] > least}

def judged(tree, cost, R):
    """The path, and the cuts at each price, just below and just above it, are those of the
    definition."""
    # prices that are one as doubles are one
    steps, path = ({float(alpha): inner for alpha, inner in by_definition(tree, R)},
                   pruning_path(tree, cost))
    alphas, steps = [*steps], [*steps.values()]
    assert path.ccp_alphas.tolist() == alphas
    assert path.leaves.tolist() == [1 + int((tree.width[list(inner)] - 1).sum()) for inner in steps]
    price = weakest_links(tree, cost)
    def left(alpha): return set(np.flatnonzero((tree.width > 0) & (price > alpha)).tolist())
    for alpha in alphas:
        for at in {np.nextafter(alpha, 0), alpha, np.nextafter(alpha, np.inf)}:
            assert left(at) == steps[np.searchsorted(alphas, at, "right") - 1]
    assert (cut_back(tree, alphas[-1] / 3, cost).n_leaves
            == path.leaves[np.searchsorted(alphas, alphas[-1] / 3, "right") - 1])
