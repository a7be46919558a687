"""The loops that grow trees, in numpy and compiled: CART, ID3, C4.5, and regression by standard deviation.

bootstrap : For a forest, the columns are sorted once for all trees, and filtered.
c45 : Quinlan's second learner: gain ratio, a penalty for thresholds, and fractional rows for missing values.
c45_loop : The loop of C4.5: a row with a missing value goes to all children, with a share of its weight.
cart : Classification and regression trees, as two estimators.
    CARTClassifier : A decision tree for classification, by CART; the same data give the same tree.
    CARTRegressor : A decision tree for regression, by CART; the same data give the same tree.
checker : Every split of a tree is compared with every other split of its node, in exact arithmetic.
    check_greedy : Check that each split of a tree is the best one at its node, in exact arithmetic.
grow : `grow`, the compiled learner, and the rule that says when compiling pays off.
    grow : Grow a decision tree: each node gets its best split, until no node has one.
grow_loop : One loop grows all binary trees: take a node, write its children, partition its rows, search for their splits.
id3 : Quinlan's learner for categories: a child for each value, a tie is a tie, and every row has an end.
    ID3Classifier : A decision tree for classification, by ID3: categories only, a child for each.
id3_levels : All attributes of a node are counted in one pass, and ties are decided in whole numbers.
levels : An exact learner that needs no compiler.
optimal : Find the decision tree of depth one to four with the fewest training errors. The search is exact. At a time limit it returns the best tree so far, and a proved lower bound.
    grow_optimal : Find the tree with the fewest errors; of equal ones the first with the fewest leaves.
optimal_checker : Prove that no decision tree of a depth is better than a given one, without the code of the search.
    check_optimal : Prove that no tree of a depth has a lower loss; the certificate only says where to look.
optimal_classifier : The estimator of optimal decision trees, and how far greedy trees are from the best ones.
    OptimalTreeClassifier : A decision tree of small depth with the fewest training errors; the same data, the same tree.
optimal_regressor : Find the regression tree of depth one to four with the least squared error, decided exactly; the estimator, and how far greedy trees are from the best ones.
    grow_optimal_squares : Find the tree of least squared error; of equal ones the first with the fewest leaves.
    OptimalTreeRegressor : A regression tree of small depth with the least squared error; it has no certificate.
sdr : Regression trees by standard deviation reduction, with categories and numbers in one tree.
    SDRTreeRegressor : A decision tree for regression, by standard deviation reduction; a child for each category.
surrogates : Where a value is missing, CART uses the split that agrees most often with the primary one.
task : A table, labels, weights and limits, checked once and written in whole numbers.
"""
