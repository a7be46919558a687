"""What people type, for the type checkers: `assert_type` says what they understand, and a line
that ends with `# wrong` is one that they report. Only test_types.py reads it; nothing runs it."""
from typing import Any, assert_type
from collections import Counter

import dtree_lit
import numpy as np
from dtree_lit import (best_split, BallTree, C45RulesClassifier, CARTClassifier, CARTRegressor,
                       candidates, CostComplexityCV, entropy, ForestClassifier, gain, grow,
                       ID3Classifier, KNNClassifier, load, midpoint, moments,
                       oob_permutation_importance, predict_intervals, predict_quantiles,
                       reduced_error_pruning, REPClassifier, RuleList, save, std, to_sql, Tree)
from dtree_lit.trees.estimator import Estimator
from numpy.typing import NDArray

X, y = [["sunny", 85.0], ["rain", None], ["sunny", 70.0]], ["no", "yes", "yes"]
table = np.arange(12.0).reshape(6, 2)

# what is understood
assert_type(entropy([9, 5]), float)
assert_type(entropy(np.array([9, 5])), float)
assert_type(entropy(Counter(y)), float)
assert_type(gain([[6, 2], [3, 3]]), float)
assert_type(std(*moments([1, 2, 6])), float)
assert_type(candidates(table[:, 0]), NDArray[Any])
cart = CARTClassifier(max_depth=2, categorical_features=[0], class_weight={"no": 2}).fit(X, y)
assert_type(cart, CARTClassifier)
assert_type(cart.tree_, Tree)
assert_type(cart.max_depth, int | None)
assert_type(cart.predict(X), NDArray[Any])
assert_type(cart.score(X, y), float)
assert_type(cart.set_params(max_depth=None).fit(X, y).get_n_leaves(), int)
assert_type(cart.tree_.text(), str)
assert_type(cart.tree_.node_count, int)
assert_type(cart.tree_.explain({"outlook": "rain"}), str)
assert_type(cart.tree_._replace(t=cart.tree_.t), Tree)
assert_type(CARTRegressor(criterion=lambda values, shares: 0.0).fit(table, table[:, 0]).score(
    table, table[:, 0]), float)
pruned = CostComplexityCV(CARTClassifier(), cv=10, rule="one_se", random_state=0).fit(X, y)
assert_type(pruned.tree_, Tree)
assert_type(pruned.alpha_, float)
assert_type(cart.set_params(honest=0.5).fit(X, y).grown_tree_, Tree)
assert_type(cart.leaf_rows_, NDArray[Any])
assert_type(oob_permutation_importance(ForestClassifier(3).fit(table, y * 2), table,
                                       y * 2).importances_mean, NDArray[Any])
grower = CARTRegressor(honest=0.5).fit(table, table[:, 0])
assert_type(predict_quantiles(grower, table, [0.1, 0.9], table, table[:, 0]), NDArray[Any])
assert_type(predict_intervals(grower, table, 0.9, table, table[:, 0]), NDArray[Any])
assert_type(pruned.estimator_, Estimator)
assert_type(pruned.predict_proba(X), NDArray[Any])
assert_type(pruned.classes_, NDArray[Any])
assert_type(reduced_error_pruning(cart, X, y).tree.max_depth, int)
assert_type(REPClassifier(prune_fraction=0.25).fit(X, y, X_prune=X, y_prune=y).tree_, Tree)
assert_type(C45RulesClassifier().fit(X, y).rules_, RuleList)
assert_type(ForestClassifier(10, oob_score=True).fit(table, y * 2).get_depth(), int)
assert_type(to_sql(cart, "mornings"), str)
assert_type(to_sql(C45RulesClassifier().fit(X, y).rules_), str)
assert_type(grow(table, [0, 1] * 3, criterion="gini", max_depth=3), Tree)
distances, places = BallTree(table).query(table, k=2)
save(pruned, "pruned.json")
save([cart.tree_, pruned.tree_], "both.json")
load("pruned.json").predict(X)
if split := best_split([1, 2, 3], [0, 1, 1]): assert_type(split.t, float)

# what is reported
entropy(9)  # wrong
entropy("no")  # wrong
entropy([9, 5], [1])  # wrong
gain()  # wrong
midpoint(1)  # wrong
cart.predct(X)  # wrong
cart.fit(X)  # wrong
cart.fit(X, y, weights=[1, 2, 1])  # wrong
cart.tree_.txt()  # wrong
cart.tree_.explain()  # wrong
cart.tree_.node_count + "nodes"  # wrong
cart.tree  # wrong
CARTClassifier(max_dept=2)  # wrong
CARTClassifier(max_depth="two")  # wrong
CARTClassifier(criterion="ginny")  # wrong
ForestClassifier(criterion="poisson")  # wrong
grow(table, [0, 1] * 3, criterion="ginny")  # wrong
CARTClassifier(2)  # wrong
pruned.table  # wrong
to_sql("mornings")  # wrong
to_sql(cart, dialect="orcl")  # wrong
best_split([1, 2, 3], [0, 1, 1]).t  # wrong
reduced_error_pruning(cart, X)  # wrong
KNNClassifier().fit(table, y).tree_  # wrong
ID3Classifier.fitted  # wrong
dtree_lit.ID3Clasifier()  # wrong
