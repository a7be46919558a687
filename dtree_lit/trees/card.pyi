from collections.abc import Iterable, Mapping
from typing import Any
from matplotlib.axes import Axes
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class Card:
    def __init__(self, model: Tree | Estimator, X: Iterable[Any] | None = ...,
            y: Iterable[Any] | None = ..., row: Iterable[Any] | Mapping[Any, Any] | None = ...,
            limit: int = ...) -> None: ...
    def picture(self) -> str: ...
    model: Any
    shown: Any
    tree: Any
    X: Any
    y: Any
    limit: Any
    lit: Any
    came: Any
def view_tree(model: Tree | Estimator, X: Iterable[Any] | None = ..., y: Iterable[Any] | None = ...,
        *, row: Iterable[Any] | Mapping[Any, Any] | None = ...) -> Card: ...
class Comparison:
    def __init__(self, a: Tree | Estimator, b: Tree | Estimator,
            names: Iterable[Any] = ...) -> None: ...
    def mark(self, k: int) -> str: ...
    def lines(self, k: int) -> list[Any]: ...
    def edge(self, k: int) -> str: ...
    def draw(self, ax: Axes | None = ..., max_nodes: int = ...) -> Axes: ...
    one: Any
    other: Any
    names: Any
    pairs: Any
    same: Any
    first: Any
    width: Any
def compare_trees(a: Tree | Estimator, b: Tree | Estimator,
        names: Iterable[Any] = ...) -> Comparison: ...

def __getattr__(name: str) -> Any: ...    # what is not public
