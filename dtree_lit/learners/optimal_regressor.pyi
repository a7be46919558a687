from collections.abc import Callable, Iterable
from typing import Any
from dtree_lit.learners.sdr import OneNumber
from dtree_lit.learners.optimal_classifier import OptimalTree
from dtree_lit.learners.optimal import Optimum
from dtree_lit.trees.nodes import Schema

def grow_optimal_squares(X: Iterable[Any], y: Iterable[Any], weights: Iterable[Any] | None = ..., *,
        max_depth: int = ..., leaf_cost: float = ..., time_limit: float | None = ...,
        tell: Callable[..., Any] | None = ..., schema: Schema | None = ...) -> Optimum: ...
class OptimalTreeRegressor(OptimalTree, OneNumber):
    loss_: float
    def __init__(self, *, max_depth: int = ..., leaf_cost: float = ...,
            time_limit: float | None = ..., verbose: int = ...,
            categorical_features: str | Iterable[Any] = ...) -> None: ...
    max_depth: int
    leaf_cost: float
    time_limit: float | None
    verbose: int
    categorical_features: str | Iterable[Any]
    criterion: Any
    prunings: Any

def __getattr__(name: str) -> Any: ...    # what is not public
