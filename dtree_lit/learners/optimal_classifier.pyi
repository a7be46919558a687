from collections.abc import Iterable, Mapping
from typing import Any
from numpy.typing import NDArray
from dtree_lit.trees.estimator import DeclaredAnswers, TreeEstimator, WhichAreCategories

class OptimalTree(WhichAreCategories):
    status_: str
    loss_: float
    lower_bound_: float
    n_best_: int | None
class OptimalTreeClassifier(OptimalTree, DeclaredAnswers, TreeEstimator):
    loss_: float
    certificate_: NDArray[Any] | None
    def __init__(self, *, max_depth: int = ..., leaf_cost: float = ...,
            time_limit: float | None = ..., class_weight: Mapping[Any, Any] | str | None = ...,
            certify: bool = ..., count: bool = ..., verbose: int = ...,
            categorical_features: str | Iterable[Any] = ...) -> None: ...
    max_depth: int
    leaf_cost: float
    time_limit: float | None
    class_weight: Mapping[Any, Any] | str | None
    certify: bool
    count: bool
    verbose: int
    categorical_features: str | Iterable[Any]
    criterion: Any
    prunings: Any

def __getattr__(name: str) -> Any: ...    # what is not public
