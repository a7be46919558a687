from collections.abc import Iterable, Mapping
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

def check_optimal(tree: Tree | Estimator, certificate: Iterable[float] | Mapping[Any, float] | None,
        X: Iterable[Any], y: Iterable[Any], weights: Iterable[Any] | None = ..., *,
        max_depth: int = ..., leaf_cost: float = ...) -> list[Any]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
