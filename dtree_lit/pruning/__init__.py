"""Pruning: the cheapest subtree, reduced-error, cost-complexity and error-based pruning; and editing by hand.

by_hand : Collapse a node, replace a split, remove redundant ones; and see what that costs.
    collapse_node : Turn a node of a tree into a leaf.
    candidate_splits : The possible splits of a node, and how much impurity each removes.
    replace_split : Replace the split of a node, and grow the tree below it anew.
    simplify : Remove each split that changes no prediction.
choices : For each node of a tree the splits that the learner compared, so that a reader can choose first.
    split_choices : Return the splits that a learner compared at each node, for `PruningPlayer`.
cost_complexity : The price of a leaf, `ccp_alpha`: the best tree for every alpha at once, and cross-validation that chooses one.
    cost_complexity_pruning : Cost-complexity pruning: the subtree of least cost plus alpha for each leaf.
cost_complexity_cv : CostComplexityCV: grow a tree on all rows, choose its `ccp_alpha` by cross-validation, and prune it.
    CostComplexityCV : A decision tree with cost-complexity pruning; cross-validation chooses alpha.
error_based : Pruning as in C4.5, without a pruning set: by an upper bound of each leaf's errors, with subtree raising.
    error_based_pruning : Error-based pruning, as in C4.5: by a pessimistic estimate of the errors of each leaf.
orders : Quinlan's sentence as a program: one subtree after the other becomes a leaf, and with his clause the order does not matter.
prune : The cheapest pruning of a tree, by one loop from the leaves to the root.
    cheapest_pruning : Prune a tree to its cheapest subtree; of equally cheap ones to the smallest.
pruning_errors : What each node costs as a leaf, exactly: errors of labels, squared distances, costs of mistakes; with whole, fractional and repeated rows.
reduced_error : A pruning set decides which subtrees stay.
    reduced_error_pruning : Reduced-error pruning: make leaves where that adds no errors on a pruning set.
rep_estimators : REPClassifier and REPRegressor: grow a tree with some of the rows, and prune it with the others.
    REPClassifier : A decision tree for classification, with reduced-error pruning.
    REPRegressor : A decision tree for regression, with reduced-error pruning by squared errors.
subtree_raising : Only the few rows that move are sent down again.
traces : What a pruner returns: a tree without the pruned subtrees, and a record of every comparison.
tree_explorer : A widget in six acts: rows fall from question to question, the tree is tested, a mistake changes it, and it is pruned.
    TreeExplorer : A widget in six acts: grow a tree question by question, test it, spoil it, prune it.
"""
