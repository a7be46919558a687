from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

def check_greedy(tree: Tree | Estimator, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, max_depth: int | None = ...,
        min_samples_split: int | None = ..., min_samples_leaf: int | None = ...,
        leaves: bool = ...) -> list[Any]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
