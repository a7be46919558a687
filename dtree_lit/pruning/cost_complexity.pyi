from typing import Any, NamedTuple
from matplotlib.axes import Axes
from numpy.typing import NDArray
from dtree_lit.trees.estimator import Estimator
from dtree_lit.pruning.traces import Pruned
from dtree_lit.trees.tree import Tree

def cost_complexity_pruning(tree: Tree | Estimator, alpha: float,
        cost: str | None = ...) -> Pruned: ...
class CostTable(NamedTuple):
    alpha: NDArray[Any]
    leaves: NDArray[Any]
    cost: NDArray[Any]
    error: NDArray[Any]
    se: NDArray[Any]
    def best(self, rule: str = ...) -> int: ...
    def to_frame(self) -> Any: ...
    def draw(self, ax: Axes | None = ...) -> Axes: ...

def __getattr__(name: str) -> Any: ...    # what is not public
