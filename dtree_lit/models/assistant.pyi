from collections.abc import Iterable, Mapping
from typing import Any
from dtree_lit.trees.estimator import DeclaredClassifier, TakesCategories
from dtree_lit.pruning.traces import Trace

class AssistantClassifier(TakesCategories, DeclaredClassifier):
    trace_: Trace
    def __init__(self, *, min_weight: int = ..., min_gain: float = ..., max_majority: float = ...,
            pruning: str = ..., m: float = ..., null_leaves: bool = ...,
            categories: str | Iterable[Any] | Mapping[Any, Any] = ..., max_depth: int | None = ...,
            class_weight: Mapping[Any, Any] | str | None = ...,
            n_jobs: int | None = ...) -> None: ...
    min_weight: int
    min_gain: float
    max_majority: float
    pruning: str
    m: float
    null_leaves: bool
    categories: str | Iterable[Any] | Mapping[Any, Any]
    max_depth: int | None
    class_weight: Mapping[Any, Any] | str | None
    n_jobs: int | None

def __getattr__(name: str) -> Any: ...    # what is not public
