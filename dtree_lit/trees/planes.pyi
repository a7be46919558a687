from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class PlaneExplorer:
    def __init__(self, model: Tree | Estimator, X: Iterable[Any], y: Iterable[Any],
            X_held: Iterable[Any], y_held: Iterable[Any]) -> None: ...
    tree: Any
    rows: Any
    losses: Any
    best: Any

def __getattr__(name: str) -> Any: ...    # what is not public
