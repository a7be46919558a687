from collections.abc import Callable, Iterable, Mapping
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.pruning.traces import Pruned
from dtree_lit.trees.tree import Tree

def cheapest_pruning(tree: Tree | Estimator, cost: Iterable[float] | Mapping[Any, float],
        own: Iterable[float] | Mapping[Any, float] | float = ..., *,
        ties: Iterable[float] | Mapping[Any, float] | bool = ...,
        labelled: Tree | Estimator | None = ..., by: str = ..., order: Callable[..., Any] = ...,
        what: str = ...) -> Pruned: ...

def __getattr__(name: str) -> Any: ...    # what is not public
