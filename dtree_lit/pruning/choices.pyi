from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

def split_choices(tree: Tree | Estimator, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, most: int = ..., **limits: Any) -> dict[Any,
        Any]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
