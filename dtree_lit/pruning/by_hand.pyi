from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class ByHand(NamedTuple):
    tree: Tree
    done: tuple[Any, ...]
    def seen(self, nodes: Iterable[Any]) -> Any: ...
class Edited(NamedTuple):
    tree: Tree
    trace: ByHand
def collapse_node(tree: Tree | Estimator, node: int) -> Edited: ...
class Alternatives(tuple[Any, ...]):
    pass
def candidate_splits(tree: Tree | Estimator, node: int, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, feature: int | str | None = ..., most: int = ...,
        min_samples_leaf: int = ..., min_weight_leaf: float = ...) -> Alternatives: ...
def replace_split(tree: Tree | Estimator, node: int, feature: int | str,
        test: float | set[Any] | str, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, missing: int | None = ..., below: bool = ...,
        learner: Callable[..., Any] | None = ..., **limits: Any) -> Edited: ...
def simplify(tree: Tree | Estimator, by: str = ...) -> Edited: ...

def __getattr__(name: str) -> Any: ...    # what is not public
