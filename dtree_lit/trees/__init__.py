"""The tree as a value: arrays, words, pictures and files; and the base of all estimators.

batch_walk : Prediction for many rows at once, also for rows that go to several children or use surrogate splits.
card : The interactive view of a tree: a picture at once, and where scripts run, nodes that open, close and explain themselves.
    view_tree : Show a tree whose nodes open and close, and explain themselves.
    compare_trees : Show what two trees have in common, and where they differ.
estimator : Base classes of all estimators: validate, encode, call one pure function, decode.
estimator_inputs : Inputs of estimators: tables, labels, weights and parameters are read, checked and encoded.
files : Saving and loading trees: files are written whole or not at all, checked when read, and exact to the last bit.
    save : Save a tree, several trees or a list of rules in a file, written whole or not at all.
    load : Load what `save` has written; every part is checked, and no code is run.
link_prices : Exact cost-complexity alphas: at which price of a leaf each split of a tree is given up.
nodes : A tree as a few arrays: walking, counting and predicting.
    Schema : The names behind the numbers of a tree: features, categories, classes, and the criterion.
steps : A player for growing and pruning: one picture of a tree, and a step for each decision.
    PruningPlayer : A player that shows step by step how a tree was grown and pruned.
tree : The class `Tree`: checked, frozen arrays with methods that predict, explain, draw and convert from scikit-learn.
    Tree : A decision tree: arrays with an entry for each node, and methods that read them.
words : A tree in words: rules, explanations, text and pictures.
"""
