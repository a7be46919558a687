from collections.abc import Iterable, Mapping
from typing import Any, Literal
from dtree_lit.trees.estimator import DeclaredClassifier, TakesCategories
from dtree_lit.pruning.traces import Trace

class GrowsC45:
    grown_by: Any
class C45Classifier(GrowsC45, TakesCategories, DeclaredClassifier):
    trace_: Trace
    def __init__(self, *, confidence: float = ..., min_weight: int = ..., pruning: str = ...,
            subtree_raising: bool = ..., collapse: bool = ..., mdl_penalty: bool = ...,
            criterion: Literal["gain_ratio", "gain"] = ..., binary: bool | str = ...,
            groups: bool = ..., thresholds: str = ..., tolerance: str = ...,
            categories: str | Iterable[Any] | Mapping[Any, Any] = ..., max_depth: int | None = ...,
            class_weight: Mapping[Any, Any] | str | None = ..., prune_fraction: float = ...,
            random_state: Any = ..., n_jobs: int | None = ...) -> None: ...
    confidence: float
    min_weight: int
    pruning: str
    subtree_raising: bool
    collapse: bool
    mdl_penalty: bool
    criterion: Literal["gain_ratio", "gain"]
    binary: bool | str
    groups: bool
    thresholds: str
    tolerance: str
    categories: str | Iterable[Any] | Mapping[Any, Any]
    max_depth: int | None
    class_weight: Mapping[Any, Any] | str | None
    prune_fraction: float
    random_state: Any
    n_jobs: int | None
    prunings: Any

def __getattr__(name: str) -> Any: ...    # what is not public
