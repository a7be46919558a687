from collections.abc import Iterable
from typing import Any, Self
from dtree_lit.pruning.cost_complexity import CostTable
from dtree_lit.pruning.traces import Trace
from dtree_lit.trees.estimator import TreeThrough

class CostComplexityCV(TreeThrough):
    alpha_: float
    table_: CostTable
    trace_: Trace
    def __init__(self, estimator: Any = ..., *, cv: int | Iterable[Any] = ..., rule: str = ...,
            cost: str | None = ..., random_state: Any = ...) -> None: ...
    estimator: Any
    cv: int | Iterable[Any]
    rule: str
    cost: str | None
    random_state: Any
    def fit(self, X: Iterable[Any], y: Iterable[Any],
            sample_weight: Iterable[Any] | None = ...) -> Self: ...

def __getattr__(name: str) -> Any: ...    # what is not public
