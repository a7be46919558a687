"""The best split of a node: word for word from the document, with its cost counted, and fast.

additive_logs : A table of whole logarithms with log ab = log a + log b, so that equal gains are equal numbers.
complexity : What it costs to grow a tree, counted: when the master theorem applies, when it does not, and what takes its place.
exact_split : The exact splitter: the best threshold of a feature, in one pass over its values, with ties that are ties.
    best_split : The best threshold of a feature, found exactly; of equally good ones the lowest.
fast_split : A ladder from the exact splitter to a fast one: sort once, pack, add up whole numbers, look only where something can be found, divide in place.
node_search : The search for the best split of a node, with any of the scans.
objectives : Objectives: how classes, weights and numbers are counted in integers, and what a node predicts.
scans : Scans of the thresholds of a feature, for Gini, many classes, weights, outputs and numbers: one skeleton.
"""
