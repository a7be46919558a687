from typing import Any, Literal
from dtree_lit.trees.nodes import Schema
from dtree_lit.models.shards import Shards
from dtree_lit.trees.tree import Tree

def grow_sharded(shards: Shards, *, criterion: Literal["entropy", "gini", "squared_error"] = ...,
        max_depth: int | None = ..., min_samples_split: int = ..., min_samples_leaf: int = ...,
        min_weight_leaf: float = ..., min_impurity_decrease: float = ...,
        schema: Schema | None = ..., buckets: int = ..., gather: int = ...,
        room: int = ...) -> Tree: ...

def __getattr__(name: str) -> Any: ...    # what is not public
