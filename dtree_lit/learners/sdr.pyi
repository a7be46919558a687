from collections.abc import Iterable, Mapping
from typing import Any
from dtree_lit.trees.estimator import TakesCategories, TreeRegressor

class OneNumber(TreeRegressor):
    pass
class SDRTreeRegressor(TakesCategories, OneNumber):
    def __init__(self, *, min_share: float = ..., max_depth: int | None = ...,
            min_samples_split: int | float = ..., min_samples_leaf: int | float = ...,
            categories: str | Iterable[Any] | Mapping[Any, Any] = ...,
            n_jobs: int | None = ...) -> None: ...
    min_share: float
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    categories: str | Iterable[Any] | Mapping[Any, Any]
    n_jobs: int | None
    criterion: Any
    prunings: Any
    grown_by: Any

def __getattr__(name: str) -> Any: ...    # what is not public
