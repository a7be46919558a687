from collections.abc import Iterable
from typing import Any, Self
from dtree_lit.trees.estimator import TakesCategories, TreeAround, TreeClassifier, TreeRegressor
from dtree_lit.pruning.traces import Trace

class _AnyTree(TakesCategories, TreeAround):
    def __init__(self, estimator: Any = ..., *, prune_fraction: float = ..., labels: str = ...,
            ties: str = ..., empty: str = ..., backfit: bool = ...,
            random_state: Any = ...) -> None: ...
    estimator: Any
    prune_fraction: float
    labels: str
    ties: str
    empty: str
    backfit: bool
    random_state: Any
class _REP(_AnyTree):
    trace_: Trace
    def fit(self, X: Iterable[Any], y: Iterable[Any], sample_weight: Iterable[Any] | None = ...,
            X_prune: Iterable[Any] | None = ..., y_prune: Iterable[Any] | None = ...) -> Self: ...
class REPClassifier(_REP, TreeClassifier):
    pass
class REPRegressor(_REP, TreeRegressor):
    pass

def __getattr__(name: str) -> Any: ...    # what is not public
