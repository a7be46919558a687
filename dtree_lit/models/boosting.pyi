from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from numpy.typing import NDArray
from dtree_lit.trees.files import Committee
from dtree_lit.trees.estimator import DeclaredClassifier, TakesCategories
from dtree_lit.models.forest import _Many

class C50Classifier(_Many, TakesCategories, DeclaredClassifier):
    committee_: Committee
    errors_: NDArray[Any]
    def __init__(self, trials: int = ..., *, boosting: str = ..., confidence: float = ...,
            min_weight: int = ..., global_pruning: bool = ..., costs: Mapping[Any,
            Any] | Iterable[Any] | None = ..., binary: bool | str = ..., groups: bool = ...,
            categories: str | Iterable[Any] | Mapping[Any, Any] = ..., max_depth: int | None = ...,
            class_weight: Mapping[Any, Any] | str | None = ..., verbose: int = ...,
            n_jobs: int | None = ...) -> None: ...
    trials: int
    boosting: str
    confidence: float
    min_weight: int
    global_pruning: bool
    costs: Mapping[Any, Any] | Iterable[Any] | None
    binary: bool | str
    groups: bool
    categories: str | Iterable[Any] | Mapping[Any, Any]
    max_depth: int | None
    class_weight: Mapping[Any, Any] | str | None
    verbose: int
    n_jobs: int | None
    @property
    def trees_(self) -> list[Any]: ...
    def staged_predict(self, X: Iterable[Any]) -> Iterator[Any]: ...
    criterion: Any

def __getattr__(name: str) -> Any: ...    # what is not public
