from collections.abc import Iterable
from typing import Any, NamedTuple
from dtree_lit.trees.estimator import DeclaredAnswers, TreeEstimator, WhichAreCategories
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree

class Optimum(NamedTuple):
    tree: Tree
    loss: float
    lower_bound: float
    proved: bool
def grow_optimal(X: Iterable[Any], y: Iterable[Any], weights: Iterable[Any] | None = ..., *,
        max_depth: int = ..., leaf_cost: float = ..., time_limit: float | None = ...,
        schema: Schema | None = ...) -> Optimum: ...
class OptimalTreeClassifier(WhichAreCategories, DeclaredAnswers, TreeEstimator):
    status_: str
    loss_: float
    lower_bound_: float
    def __init__(self, *, max_depth: int = ..., leaf_cost: float = ...,
            time_limit: float | None = ...,
            categorical_features: str | Iterable[Any] = ...) -> None: ...
    max_depth: int
    leaf_cost: float
    time_limit: float | None
    categorical_features: str | Iterable[Any]
    criterion: Any
    prunings: Any

def __getattr__(name: str) -> Any: ...    # what is not public
