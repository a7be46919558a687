from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from numpy.typing import NDArray
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree

class Optimum(NamedTuple):
    tree: Tree
    loss: float
    lower_bound: float
    proved: bool
    certificate: NDArray[Any] | None
    n_best: int | None
def grow_optimal(X: Iterable[Any], y: Iterable[Any], weights: Iterable[Any] | None = ..., *,
        max_depth: int = ..., leaf_cost: float = ..., time_limit: float | None = ...,
        certify: bool = ..., count: bool = ..., tell: Callable[..., Any] | None = ...,
        schema: Schema | None = ...) -> Optimum: ...

def __getattr__(name: str) -> Any: ...    # what is not public
