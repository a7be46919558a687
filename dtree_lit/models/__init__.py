"""Estimators beyond single trees: C4.5, rule lists, forests, boosting, nearest neighbors, logistic regression; and exact trees from data in shards.

assistant : Two groups of categories, missing values by class, pruning by the m-estimate, and naive Bayes for empty leaves.
    AssistantClassifier : A classification tree by ASSISTANT: binary splits, missing values as fractional rows.
boosting : C5.0 and AdaBoost: each tree is grown for the rows that those before it got wrong.
    C50Classifier : Boosted decision trees for classification, as in C5.0.
bucket_bounds : Which few buckets may contain the best split, and which cannot.
bucket_opening : The values of the few buckets that may contain the best split are sent, and integers decide.
buckets : The counts of a level, from values coded by bucket.
c45_classifier : `C45Classifier`: growing, collapsing and pruning as one estimator, for numbers, categories and missing values.
    C45Classifier : A decision tree for classification, by C4.5: numbers, categories and missing values.
forest : Trees of bootstrap samples and random features, which predict together.
    ForestClassifier : A random forest for classification; the same data and seed give the same forest.
    ForestRegressor : A random forest for regression; the same data and seed give the same forest.
forest_importance : How much a forest owes to each feature, measured on the rows that each of its trees has not seen.
    oob_permutation_importance : Return by how much the error of the trees rises on out-of-bag rows, feature by feature.
grow_sharded : `grow_sharded`: one exact tree from rows that are never in one place.
    grow_sharded : Grow the tree that `grow` grows from all rows together, from the parts of a table.
knn : The nearest examples decide, in classification and in regression.
    KNNClassifier : K-nearest-neighbors classifier, by majority; a tie goes to the lowest class.
    KNNRegressor : K-nearest-neighbors regressor: the mean of the k nearest neighbors.
leaf_quantiles : Which values a number takes, and how often, by the training rows of a leaf; and intervals whose coverage is proved.
    predict_quantiles : Return quantiles of the training numbers in the leaf of each row, or in those of a forest.
    predict_intervals : Return intervals that cover a new value of each leaf with a probability that is proved.
logistic : The maximum of the likelihood, with a proof, or a proof that no maximum exists.
    SeparationWarning : The classes are linearly separable, so the likelihood has no maximum; see `separation`.
    LogisticClassifier : Logistic regression by maximum likelihood, with standard errors and a proof of the maximum.
nearest_points : Near, in what sense? Distances, an order without ties, and trees that find the same points.
    KDTree : A k-d tree, which finds the nearest points by boxes.
    BallTree : A ball tree, which finds the nearest points by a ball around the points of each node.
rule_lists : Rules from trees, as C4.5rules makes them: redundant conditions are dropped, and the shortest set of rules is kept.
    RuleList : An ordered list of rules: the first whose conditions hold predicts.
    rule_list : Make an ordered list of rules from a tree, as C4.5rules does.
    C45RulesClassifier : A list of rules for classification, made from a tree as C4.5rules does.
shards : Why counts add up, so that many machines and one process count the same.
    Shards : The parts of a table in one process: the simplest engine for `grow_sharded`.
"""
