from collections.abc import Iterable, Mapping
from typing import Any
from dtree_lit.trees.estimator import DeclaredClassifier

class ID3Classifier(DeclaredClassifier):
    categories_: list[Any]
    def __init__(self, *, categories: str | Iterable[Any] | Mapping[Any, Any] = ...,
            missing: str = ..., empty: str = ..., max_depth: int | None = ...,
            min_samples_split: int = ..., min_gain: float = ...) -> None: ...
    categories: str | Iterable[Any] | Mapping[Any, Any]
    missing: str
    empty: str
    max_depth: int | None
    min_samples_split: int
    min_gain: float
    def score(self, X: Iterable[Any], y: Iterable[Any],
            sample_weight: Iterable[Any] | None = ...) -> float: ...
    criterion: Any
    prunings: Any
    grown_by: Any

def __getattr__(name: str) -> Any: ...    # what is not public
