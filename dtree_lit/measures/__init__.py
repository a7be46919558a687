"""Impurity, information gain and candidate thresholds; and how splits are compared exactly.

candidates : Where can a threshold be? There are infinitely many thresholds, and finitely many partitions: the candidate set X, in the reals and in floating point.
    midpoint : The threshold between a and b: (a + b)/2, or b where no double lies in between.
    candidates : The candidate thresholds X of a feature: one between each two neighboring values.
    counts_by_value : Count the examples of each class at each distinct value of a feature.
category_orders : Which categories go together? Orders of categories in which the best binary split is a threshold, so that categories are split like numbers.
costs : What a mistake costs: which prediction is cheapest, and which weights make a learner take costs into account.
entropy : How mixed is a node? Entropy, Gini and three more measures, and the one lemma that follows from their common shape.
    self_information : The information of an event of probability p: I = log₂ 1/p, in bits.
    entropy : The entropy of class counts: H = Σ p log₂ 1/p, in bits.
    gini : The Gini impurity G = Σ p (1 - p): how often two labels drawn with replacement differ.
    misclassification : The misclassification rate M = 1 - max p: how often the commonest label is wrong.
exact_scores : Which of two splits leaves less impurity? Scores with a proved bound on their error; where bounds overlap, integer arithmetic decides.
exact_sums : Sums that do not depend on the order of the terms: exact, and rounded once.
explorers : Four interactive pictures of a split: two parts on a curve, marks in two boxes, labels in a row, a threshold on a feature.
    GainPlot : A widget: drag the two parts of a split along the curve of a measure, and watch the gain.
    GainExplorer : A widget: move marks between the two parts of a split, and watch the gain.
    SplitExplorer : A widget for labels in the order of a feature: turn one over, and see what each split leaves.
    ThresholdExplorer : A widget for one feature: move the threshold, and see the split and its gain.
gain : What is a split worth? The impurity that it removes: information gain, its relatives, and where they disagree.
    gain : The information gain of a split: IG = H(D) - Σ |Dⱼ|/|D| H(Dⱼ), in bits.
    split_information : The split information I(A) = Σ w log₂ 1/w, where w are the shares of the parts.
    gain_ratio : The gain ratio of a split: its information gain divided by its split information.
    gini_gain : The Gini gain of a split: G(D) - Σ |Dⱼ|/|D| G(Dⱼ).
inputs : Checks of counts, moments, values and weights: each returns clean numbers, or raises one sentence.
monotone : Which splits a tree with monotonic constraints may make, and between which bounds its nodes may predict.
other_losses : Criteria for regression beside squared error: Poisson deviance for counts, absolute error for medians, and your own.
spread : Impurity for numbers instead of labels, from three sums, and the standard deviation reduction of a split.
    moments : Return (n, S, Q): how many numbers there are, their sum, and their sum of squares.
    variance : The variance V = Q/n - (S/n)² of numbers with the moments n, S and Q.
    std : The standard deviation √V of numbers with the moments n, S and Q.
    sdr : The standard deviation reduction of a split: √V(D) - Σ |Dⱼ|/|D| √V(Dⱼ).
whole_units : Weights and numbers as whole multiples of a unit: the only rounding of the library, with a theorem.
"""
