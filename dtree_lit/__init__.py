"""Decision trees that you can read, use and check: every public name, each loaded when it is first used.

measures : Impurity, information gain and candidate thresholds; and how splits are compared exactly.
    midpoint : The threshold between a and b: (a + b)/2, or b where no double lies in between.
    candidates : The candidate thresholds X of a feature: one between each two neighboring values.
    counts_by_value : Count the examples of each class at each distinct value of a feature.
    self_information : The information of an event of probability p: I = log₂ 1/p, in bits.
    entropy : The entropy of class counts: H = Σ p log₂ 1/p, in bits.
    gini : The Gini impurity G = Σ p (1 - p): how often two labels drawn with replacement differ.
    misclassification : The misclassification rate M = 1 - max p: how often the commonest label is wrong.
    GainPlot : A widget: drag the two parts of a split along the curve of a measure, and watch the gain.
    GainExplorer : A widget: move marks between the two parts of a split, and watch the gain.
    SplitExplorer : A widget for labels in the order of a feature: turn one over, and see what each split leaves.
    ThresholdExplorer : A widget for one feature: move the threshold, and see the split and its gain.
    gain : The information gain of a split: IG = H(D) - Σ |Dⱼ|/|D| H(Dⱼ), in bits.
    split_information : The split information I(A) = Σ w log₂ 1/w, where w are the shares of the parts.
    gain_ratio : The gain ratio of a split: its information gain divided by its split information.
    gini_gain : The Gini gain of a split: G(D) - Σ |Dⱼ|/|D| G(Dⱼ).
    moments : Return (n, S, Q): how many numbers there are, their sum, and their sum of squares.
    variance : The variance V = Q/n - (S/n)² of numbers with the moments n, S and Q.
    std : The standard deviation √V of numbers with the moments n, S and Q.
    sdr : The standard deviation reduction of a split: √V(D) - Σ |Dⱼ|/|D| √V(Dⱼ).
splitter : The best split of a node: word for word from the document, with its cost counted, and fast.
    best_split : Find the best threshold of a feature, exactly; of equally good ones the lowest.
trees : The tree as a value: arrays, words, pictures and files; and the base of all estimators.
    view_tree : Show a tree whose nodes open and close, and explain themselves.
    compare_trees : Show what two trees have in common, and where they differ.
    save : Save an estimator, a tree, several trees or a list of rules, written whole or not at all.
    load : Load what `save` has written; every part is checked, and no code is run.
    Schema : The names behind the numbers of a tree: features, categories, classes, and the criterion.
    PlaneExplorer : A widget: the regions of a tree beside the tree, at each depth, with both errors.
    PruningPlayer : A player that shows step by step how a tree was grown and pruned.
    Tree : A decision tree as arrays: `predict` returns probabilities, `predict_labels` labels.
learners : The loops that grow trees, in numpy and compiled: CART, ID3, C4.5, and regression by standard deviation.
    CARTClassifier : A decision tree for classification, by CART; the same data give the same tree.
    CARTRegressor : A decision tree for regression, by CART; the same data give the same tree.
    check_greedy : Check that each split of a tree is the best one at its node, in exact arithmetic.
    grow : Grow a decision tree: each node gets its best split, until no node has one.
    ID3Classifier : A decision tree for classification, by ID3: categories only, a child for each.
    grow_optimal : Find the tree with the fewest errors; of equal ones the first with the fewest leaves.
    check_optimal : Prove that no tree of a depth has a lower loss; the certificate only says where to look.
    OptimalTreeClassifier : A decision tree of small depth with the fewest training errors; the same data, the same tree.
    grow_optimal_squares : Find the tree of least squared error; of equal ones the first with the fewest leaves.
    OptimalTreeRegressor : A regression tree of small depth with the least squared error; it has no certificate.
    SDRTreeRegressor : A decision tree for regression, by standard deviation reduction; a child for each category.
pruning : Pruning: the cheapest subtree, reduced-error, cost-complexity and error-based pruning; and editing by hand.
    collapse_node : Turn a node of a tree into a leaf.
    candidate_splits : The possible splits of a node, and how much impurity each removes.
    replace_split : Replace the split of a node, and grow the tree below it anew.
    simplify : Remove each split that changes no prediction.
    split_choices : Return the splits that a learner compared at each node, for `PruningPlayer`.
    cost_complexity_pruning : Cost-complexity pruning: the subtree of least cost plus alpha for each leaf.
    CostComplexityCV : A decision tree with cost-complexity pruning; cross-validation chooses alpha.
    error_based_pruning : Error-based pruning, as in C4.5: by a pessimistic estimate of the errors of each leaf.
    cheapest_pruning : Prune a tree to its cheapest subtree; of equally cheap ones to the smallest.
    reduced_error_pruning : Reduced-error pruning: make leaves where that adds no errors on a pruning set.
    REPClassifier : A decision tree for classification, with reduced-error pruning.
    REPRegressor : A decision tree for regression, with reduced-error pruning by squared errors.
    TreeExplorer : A widget in six acts: grow a tree question by question, test it, spoil it, prune it.
models : Estimators beyond single trees: C4.5, rule lists, forests, boosting, nearest neighbors, logistic regression; and exact trees from data in shards.
    AssistantClassifier : A classification tree by ASSISTANT: binary splits, missing values as fractional rows.
    C50Classifier : Boosted decision trees for classification, as in C5.0.
    C45Classifier : A decision tree for classification, by C4.5: numbers, categories and missing values.
    ForestClassifier : A random forest for classification; the same data and seed give the same forest.
    ForestRegressor : A random forest for regression; the same data and seed give the same forest.
    oob_permutation_importance : Return by how much the error of the trees rises on out-of-bag rows, feature by feature.
    grow_sharded : Grow the tree that `grow` grows from all rows together, from the parts of a table.
    KNNClassifier : K-nearest-neighbors classifier, by majority; a tie goes to the lowest class.
    KNNRegressor : K-nearest-neighbors regressor: the mean of the k nearest neighbors.
    predict_quantiles : Return quantiles of the training numbers in the leaf of each row, or in those of a forest.
    predict_intervals : Return intervals that cover a new value of each leaf with a probability that is proved.
    SeparationWarning : The classes are linearly separable, so the likelihood has no maximum; see `separation`.
    LogisticClassifier : Logistic regression by maximum likelihood, with standard errors and a proof of the maximum.
    KDTree : A k-d tree, which finds the nearest points by boxes.
    BallTree : A ball tree, which finds the nearest points by a ball around the points of each node.
    RuleList : An ordered list of rules: the first whose conditions hold predicts.
    rule_list : Make an ordered list of rules from a tree, as C4.5rules does.
    C45RulesClassifier : A list of rules for classification, made from a tree as C4.5rules does.
    Shards : The parts of a table in one process: the simplest engine for `grow_sharded`.
export : Exporters: Python, JSON, SQL, C, JavaScript and ONNX; and models in files.
    to_javascript : Export a tree or a forest to JavaScript: `predict(row)`, `predict_proba(row)`.
    to_c : Export a tree or a forest to C: `predict` and, for classes, `predict_proba`.
    to_onnx : Export a tree or a forest to ONNX: label and probabilities, or a number.
    to_python : Export a tree or a forest to Python: `predict(row)`, `predict_proba(row)` of a dict.
    to_json : Export a tree to JSON, exact to the last bit.
    from_json : Rebuild a tree from `to_json`; raise ValueError if the text is invalid.
    to_frame : Return a DataFrame of pandas with a row for each node.
    to_sql : Export a tree, a forest or a list of rules to an SQL query; `NULL` is missing.
reporting : What a model is worth: scores, explanations, a report; and the command line.
    compile_all : Compile the kernels of all estimators, and keep them on disk.
    counterfactual : Find the nearest row with another prediction: fewest changes, then least distance.
    report : Report on a model in one page: what it has learned, how well, and how stable it is.
workshop : What everything may import: compiler, figures, drawing, validation, tables, the ledger of statements, the glossary.
    claims : Return all statements of the five documents, in their order, each with its verdict.
    glossary : Look up a term in English, Korean or Chinese.
"""

# AUTOGENERATED! DO NOT EDIT! File to edit: ../nbs/0_start/030_package.ipynb.

# %% auto #0
__all__ = ['MODULE_OF', 'RENAMED']

# %% ../nbs/0_start/030_package.ipynb #a38c0935
import sys, warnings
from importlib import import_module
from importlib.util import spec_from_loader

MODULE_OF = {name: module for module, names in {
    "measures.entropy": "self_information entropy gini misclassification",
    "measures.gain": "gain gain_ratio split_information gini_gain",
    "measures.spread": "moments variance std sdr",
    "measures.candidates": "candidates midpoint counts_by_value",
    "measures.explorers": "GainExplorer GainPlot SplitExplorer ThresholdExplorer",
    "splitter.exact_split": "best_split",
    "trees.nodes": "Schema",
    "trees.card": "view_tree compare_trees",
    "trees.tree": "Tree",
    "trees.files": "save load",
    "trees.steps": "PruningPlayer",
    "trees.planes": "PlaneExplorer",
    "learners.grow": "grow",
    "learners.checker": "check_greedy",
    "learners.cart": "CARTClassifier CARTRegressor",
    "learners.id3": "ID3Classifier",
    "learners.sdr": "SDRTreeRegressor",
    "learners.optimal": "grow_optimal",
    "learners.optimal_checker": "check_optimal",
    "learners.optimal_classifier": "OptimalTreeClassifier",
    "learners.optimal_regressor": "grow_optimal_squares OptimalTreeRegressor",
    "pruning.prune": "cheapest_pruning",
    "pruning.reduced_error": "reduced_error_pruning",
    "pruning.tree_explorer": "TreeExplorer",
    "pruning.rep_estimators": "REPClassifier REPRegressor",
    "pruning.cost_complexity": "cost_complexity_pruning",
    "pruning.cost_complexity_cv": "CostComplexityCV",
    "pruning.error_based": "error_based_pruning",
    "pruning.by_hand": "collapse_node candidate_splits replace_split simplify",
    "pruning.choices": "split_choices",
    "models.c45_classifier": "C45Classifier",
    "models.rule_lists": "rule_list RuleList C45RulesClassifier",
    "models.assistant": "AssistantClassifier",
    "models.forest": "ForestClassifier ForestRegressor",
    "models.forest_importance": "oob_permutation_importance",
    "models.leaf_quantiles": "predict_quantiles predict_intervals",
    "models.boosting": "C50Classifier",
    "models.nearest_points": "KDTree BallTree",
    "models.knn": "KNNClassifier KNNRegressor",
    "models.logistic": "LogisticClassifier SeparationWarning",
    "models.shards": "Shards",
    "models.grow_sharded": "grow_sharded",
    "export.python": "to_python to_json from_json to_frame",
    "export.sql": "to_sql",
    "export.programs": "to_c to_javascript to_onnx",
    "reporting.counterfactuals": "counterfactual",
    "reporting.report": "report",
    "reporting.compile_all": "compile_all",
    "workshop.claims": "claims",
    "workshop.glossary": "glossary",
}.items() for name in names.split()}
__all__ = [*MODULE_OF]

# %% ../nbs/0_start/030_package.ipynb #013a96fa
RENAMED = {
    "information": "self_information", "Chord": "GainPlot", "Microscope": "ThresholdExplorer",
    "EveryCut": "SplitExplorer", "Steps": "PruningPlayer", "card": "view_tree",
    "rep": "reduced_error_pruning", "cost_complexity": "cost_complexity_pruning",
    "error_based": "error_based_pruning", "prune": "cheapest_pruning",
    "alternatives": "candidate_splits", "graft": "replace_split", "snip": "collapse_node",
    "save_rules": "save", "load_rules": "load"}

def __getattr__(name):
    "Load the module of a public name when the name is first used."
    if name == "__version__": return import_module("importlib.metadata").version("dtree_lit")
    if name in RENAMED:
        warnings.warn(f"dtree_lit.{name} is now {RENAMED[name]}; the old name goes with the next "
                      "version", FutureWarning, stacklevel=2)
        return getattr(sys.modules[__name__], RENAMED[name])
    if name not in MODULE_OF:
        near = import_module("difflib").get_close_matches(name, MODULE_OF, 1)
        hint = f"did you mean {near[0]}?" if near else "dir(dtree_lit) lists what it has"
        raise AttributeError(f"dtree_lit has no {name!r}: {hint}")
    value = globals()[name] = getattr(import_module(f"dtree_lit.{MODULE_OF[name]}"), name)
    return value

def __dir__():
    "List the names that completion offers after `dtree_lit.`"
    return [*MODULE_OF, "__version__"]

# %% ../nbs/0_start/030_package.ipynb #edf8cd29
MOVED = {word.partition(":")[0]: f"dtree_lit.{folder}.{word.rpartition(':')[2]}"
         for folder, words in {
    "measures": "sums:exact_sums units:whole_units scores:exact_scores "
        "categories:category_orders monotone mistakes:costs criteria:other_losses",
    "splitter": "kernels:fast_split scans searching:node_search goals:objectives",
    "trees": "walking:batch_walk nodes tree files steps links:link_prices estimator",
    "learners": "drive:grow_loop growth:grow checker bootstrap surrogates cart "
        "parting:c45_loop id3_levels id3 c45 sdr_tree:sdr",
    "pruning": "reduced_error cost:cost_complexity raising:subtree_raising by_hand",
    "models": "error_based:c45_classifier rule_lists assistant forest boost:boosting "
        "points:nearest_points knn logistic grid:buckets counting:shards hiding:bucket_bounds "
        "opening:bucket_opening scale:grow_sharded",
    "export": "exports:python sql programs sources:model_files",
    "reporting": "counterfactuals judging:honest_scores reasons:explanations "
        "writing:report_pages compiling:compile_all acts:fit_predict "
        "afterwards:model_commands",
    "workshop": "jit figures drawing intake:validation tables",
}.items() for word in words.split()}

class OldNames:
    "Find a module by its old name, from before the modules had folders."
    def find_spec(self, name, path=None, target=None):
        package, _, module = name.partition(".")
        if package == "dtree_lit" and module in MOVED: return spec_from_loader(name, self)
    def create_module(self, spec): pass                           # an empty one
    def exec_module(self, module):
        now = MOVED[module.__name__.partition(".")[2]]
        warnings.warn(f"{module.__name__} is now {now}; the old name goes with the next version",
                      FutureWarning, stacklevel=2)
        home = import_module(now)               # or the package, if the module was split
        module.__getattr__ = lambda name: getattr(home if hasattr(home, name)
                                                  else sys.modules["dtree_lit"], name)

if __name__ == "dtree_lit": sys.meta_path.append(OldNames())      # a notebook is no package
