from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.pruning.traces import Pruned
from dtree_lit.trees.tree import Tree

def error_based_pruning(tree: Tree | Estimator, X: Iterable[Any] | None = ...,
        y: Iterable[Any] | None = ..., weights: Iterable[Any] | None = ..., *,
        confidence: float = ..., subtree_raising: bool = ..., slack: float = ...) -> Pruned: ...

def __getattr__(name: str) -> Any: ...    # what is not public
