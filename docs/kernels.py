"Compile what the pages share, once and on all processors, before the pages run side by side and each would do it."
import os, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

# The learners that pages fit, the longest to compile first: (estimator, parameters, classes or outputs, weights?).
LEARNERS = [
    ("CARTRegressor", dict(criterion="sdr"), 2, False),
    ("CARTClassifier", dict(criterion="gini"), 2, True),
    ("CARTClassifier", dict(criterion="entropy"), 2, True),
    ("CARTClassifier", dict(criterion="gini"), 3, False),
    ("CARTClassifier", dict(criterion="entropy"), 3, False),
    ("CARTRegressor", dict(criterion="squared_error"), 1, True),
    ("CARTRegressor", dict(criterion="squared_error"), 1, False),
    ("CARTClassifier", dict(criterion="entropy"), 2, False),
    ("CARTClassifier", dict(criterion="gini"), 2, False),
    ("ID3Classifier", {}, 3, False),
    ("REPClassifier", dict(random_state=0), 2, False),
    ("CostComplexityCV", dict(random_state=0), 2, False)]

def compile_learner(name, parameters, K, weighted):
    "Fit and predict on a few rows: the code that this needs is kept on disk."
    import numpy as np
    import dtree_lit
    lots = np.random.default_rng(0)
    X, w = lots.integers(0, 9, (90, 3)).astype(float), lots.integers(1, 4, 90) if weighted else None
    if "Regressor" in name: y = lots.normal(size=(90, K)).squeeze()
    else: y = (X[:, 0] + lots.integers(0, 2, 90)).astype(int) % K
    model = getattr(dtree_lit, name)(**parameters)
    if "ID3" in name: X = X.astype(int).astype(str)
    model.fit(X, y, **({} if w is None else dict(sample_weight=w))).predict(X)

def main():
    "All of them; what lies on disk already is only read."
    print("  compiling what the pages share", flush=True)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(compile_learner, *zip(*LEARNERS)))

if __name__ == "__main__": main()
