from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from numpy.typing import NDArray
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class Counterfactual(NamedTuple):
    changes: dict[Any, Any]
    distance: float
    answer: Any
    node: int
    row: NDArray[Any]
    words: str
def counterfactual(tree: Tree | Estimator, row: Iterable[Any] | Mapping[Any, Any],
        wanted: str | float | Iterable[Any] | None = ..., *, X: Iterable[Any] | None = ...,
        fixed: Iterable[Any] = ...) -> Counterfactual | None: ...

def __getattr__(name: str) -> Any: ...    # what is not public
