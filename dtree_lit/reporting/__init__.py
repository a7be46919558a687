"""What a model is worth: scores, explanations, a report; and the command line.

advice : What a model can be trusted with, what not, and what to do next: sentences that are made from measured values only.
compile_all : `compile_all` compiles everything that the estimators need, on all processors, before it is used.
    compile_all : Compile the kernels of all estimators, and keep them on disk.
counterfactuals : The smallest change of a row that changes its prediction, computed exactly for a tree.
    counterfactual : Find the nearest row with another prediction: fewest changes, then least distance.
explanations : Rules, feature importances of two kinds, three predictions with counterfactuals, and stability.
fit_predict : From a table in a file to a model, and from a model to predictions.
honest_scores : How good a model is on rows that it has not seen, with intervals that hold for few rows, beside a baseline without a tree.
model_commands : Pruning, rules, exports, pictures, proofs and reports.
report : `report`: what a tree is worth, in one file with scores, pruning, rules and counterfactuals.
    report : Report on a model in one page: what it has learned, how well, and how stable it is.
report_pages : Tables, two pictures and a few sentences, in one self-contained file.
"""
