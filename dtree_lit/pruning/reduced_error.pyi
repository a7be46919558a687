from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.pruning.traces import Pruned
from dtree_lit.trees.tree import Tree

def reduced_error_pruning(tree: Tree | Estimator, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, labels: str = ..., ties: str = ...,
        empty: str = ..., by: str = ..., backfit: bool = ...) -> Pruned: ...

def __getattr__(name: str) -> Any: ...    # what is not public
