"""The loops that grow trees, in numpy and compiled: CART, ID3, C4.5, and regression by standard deviation.

bootstrap : Bootstrap samples for forests: the columns are sorted once for all trees, and filtered.
c45 : C4.5, Quinlan's second learner: gain ratio, a penalty for thresholds, and fractional rows for missing values.
c45_loop : The loop of C4.5, with fractional rows: a row with a missing value goes to all children, with a share of its weight.
cart : CART: classification and regression trees, as two estimators.
    CARTClassifier : A decision tree for classification, by CART; the same data give the same tree.
    CARTRegressor : A decision tree for regression, by CART; the same data give the same tree.
checker : A checker that compares every split of a tree with every other split of its node, in exact arithmetic.
    check_greedy : Check that each split of a tree is the best one at its node, in exact arithmetic.
grow : `grow`, the compiled learner, and the rule that says when compiling pays off.
    grow : Grow a decision tree: each node gets its best split, until no node has one.
grow_loop : The loop that grows all binary trees: take a node, write its children, divide its rows, search for their splits.
id3 : ID3, Quinlan's learner for categories: a child for each value, a tie is a tie, and every row has an end.
    ID3Classifier : A decision tree for classification, by ID3: categories only, a child for each.
id3_levels : ID3 level by level: all attributes of a node counted in one pass, ties decided in whole numbers.
levels : Growing a tree level by level in numpy: exact, and without a compiler.
sdr : Regression trees by standard deviation reduction, with categories and numbers in one tree.
    SDRTreeRegressor : A decision tree for regression, by standard deviation reduction; a child for each category.
surrogates : Surrogate splits: where a value is missing, CART uses the split that agrees most often with the primary one.
task : The input of a learner: a table, labels, weights and limits, checked once and written in whole numbers.
"""
