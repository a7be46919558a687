"""The best split of a node: word for word from the document, with its cost counted, and fast.

additive_logs : A table of whole logarithms with log ab = log a + log b, so that equal gains are equal numbers.
complexity : What it costs, counted: when the master theorem applies, when it does not, and what takes its place.
exact_split : The best threshold of a feature, in one pass over its values, with ties that are ties.
    best_split : Find the best threshold of a feature, exactly; of equally good ones the lowest.
fast_split : From the exact splitter to a fast one in five steps: sort once, pack, add up whole numbers, look only where a better split can be, partition in place.
few_values : A column of few values is counted, not sorted: a table says how many rows of each class have each value.
node_search : The search over all features of a node, with any of the scans.
objectives : How classes, weights and numbers are counted in integers, and what a node predicts.
scans : Gini, many classes, weights, several outputs and numbers: one skeleton for all scans of a feature.
"""
