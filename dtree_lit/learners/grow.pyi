from collections.abc import Callable, Iterable
from typing import Any, Literal
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree

def grow(X: Iterable[Any], y: Iterable[Any], weights: Iterable[Any] | None = ..., *,
        criterion: Literal["entropy", "gini", "misclassification", "squared_error", "sdr",
        "poisson", "absolute_error"] | Callable[..., Any] = ..., max_depth: int | None = ...,
        min_samples_split: int = ..., min_samples_leaf: int = ..., min_weight_leaf: float = ...,
        max_leaf_nodes: int | None = ..., max_features: int | None = ...,
        min_impurity_decrease: float = ..., seed: int = ..., threads: int = ...,
        monotonic_cst: Iterable[Any] | None = ..., schema: Schema | None = ...) -> Tree: ...

def __getattr__(name: str) -> Any: ...    # what is not public
