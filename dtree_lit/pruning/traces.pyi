from collections.abc import Iterable
from typing import Any, NamedTuple
from matplotlib.axes import Axes
from numpy.typing import NDArray
from dtree_lit.trees.tree import Tree

class Trace(NamedTuple):
    tree: Tree
    labelled: Tree
    node: NDArray[Any]
    leaf: NDArray[Any]
    subtree: NDArray[Any]
    cut: NDArray[Any]
    what: str = ...
    def sentence(self, i: int) -> str: ...
    def steps(self) -> Any: ...
    def seen(self, nodes: Iterable[Any]) -> Any: ...
    def picture(self) -> tuple[Any, ...]: ...
    def draw(self, ax: Axes | None = ..., max_nodes: int | None = ...) -> Axes: ...
class Pruned(NamedTuple):
    tree: Tree
    trace: Trace
    def text(self) -> str: ...

def __getattr__(name: str) -> Any: ...    # what is not public
