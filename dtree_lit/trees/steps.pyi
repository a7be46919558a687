from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class Step(NamedTuple):
    node: int
    why: str
    asks: bool
    lines: tuple[Any, ...] | None = ...
    heir: int | None = ...
    others: tuple[Any, ...] = ...
class PruningPlayer:
    def __init__(self, tree: Tree | Estimator, prunings: Mapping[Any, Any] | None = ...,
            choices: Mapping[Any, Any] | None = ...) -> None: ...
    def histories(self, nodes: Iterable[Any]) -> tuple[Any, ...]: ...
    def sentence(self, step: Step) -> str: ...
    tree: Any
    traces: Any
    choices: Any

def __getattr__(name: str) -> Any: ...    # what is not public
