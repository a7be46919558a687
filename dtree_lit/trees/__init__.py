"""The tree as a value: arrays, words, pictures and files; and the base of all estimators.

batch_walk : Prediction for many rows at once, also for rows that go to several children or use surrogate splits.
card : A picture at once, and where scripts run, nodes that open, close and explain themselves.
    view_tree : Show a tree whose nodes open and close, and explain themselves.
    compare_trees : Show what two trees have in common, and where they differ.
estimator : What all estimators share: validate, encode, call one pure function, decode.
estimator_inputs : Tables, labels, weights and parameters are read, checked and encoded.
files : Files are written whole or not at all, checked when read, and exact to the last bit.
    save : Save an estimator, a tree, several trees or a list of rules, written whole or not at all.
    load : Load what `save` has written; every part is checked, and no code is run.
link_prices : For which `ccp_alpha` each split of a tree is pruned, computed exactly.
nodes : A tree as a few arrays: walking, counting and predicting.
    Schema : The names behind the numbers of a tree: features, categories, classes, and the criterion.
plain_values : A fitted estimator is written as names, numbers and lists, and made again from them; no code is run.
planes : An interactive view of a tree and of the regions that it makes, at each depth.
    PlaneExplorer : A widget: the regions of a tree beside the tree, at each depth, with both errors.
steps : One picture of a tree, and a step for each decision.
    PruningPlayer : A player that shows step by step how a tree was grown and pruned.
tree : Checked, frozen arrays with methods that predict, explain, draw and convert from scikit-learn.
    Tree : A decision tree as arrays: `predict` returns probabilities, `predict_labels` labels.
words : A tree as rules, explanations, text and pictures.
"""
