from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal
from numpy.typing import NDArray
from dtree_lit.trees.link_prices import PruningPath
from dtree_lit.trees.tree import Tree
from dtree_lit.trees.estimator import TreeClassifier, TreeRegressor, WhichAreCategories

class _CART(WhichAreCategories):
    max_features_: int
    grown_tree_: Tree
    leaf_rows_: NDArray[Any]
    def cost_complexity_pruning_path(self, X: Iterable[Any], y: Iterable[Any],
            sample_weight: Iterable[Any] | None = ...) -> PruningPath: ...
    prunings: Any
class CARTClassifier(_CART, TreeClassifier):
    def __init__(self, *, criterion: Literal["gini", "entropy", "log_loss",
            "misclassification"] | Callable[..., Any] = ..., splitter: str = ...,
            max_depth: int | None = ..., min_samples_split: int | float = ...,
            min_samples_leaf: int | float = ..., min_weight_fraction_leaf: float = ...,
            max_features: int | float | str | None = ..., random_state: Any = ...,
            max_leaf_nodes: int | None = ..., min_impurity_decrease: float = ...,
            class_weight: Mapping[Any, Any] | str | None = ..., priors: Mapping[Any,
            Any] | str | None = ..., costs: Mapping[Any, Any] | Iterable[Any] | None = ...,
            ccp_alpha: float = ..., categorical_features: str | Iterable[Any] = ...,
            monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None = ..., missing: str = ...,
            honest: float | None = ..., n_jobs: int | None = ...) -> None: ...
    criterion: Literal["gini", "entropy", "log_loss", "misclassification"] | Callable[..., Any]
    splitter: str
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str | None
    random_state: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    class_weight: Mapping[Any, Any] | str | None
    priors: Mapping[Any, Any] | str | None
    costs: Mapping[Any, Any] | Iterable[Any] | None
    ccp_alpha: float
    categorical_features: str | Iterable[Any]
    monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None
    missing: str
    honest: float | None
    n_jobs: int | None
class CARTRegressor(_CART, TreeRegressor):
    def __init__(self, *, criterion: Literal["squared_error", "sdr", "poisson",
            "absolute_error"] | Callable[..., Any] = ..., splitter: str = ...,
            max_depth: int | None = ..., min_samples_split: int | float = ...,
            min_samples_leaf: int | float = ..., min_weight_fraction_leaf: float = ...,
            max_features: int | float | str | None = ..., random_state: Any = ...,
            max_leaf_nodes: int | None = ..., min_impurity_decrease: float = ...,
            ccp_alpha: float = ..., categorical_features: str | Iterable[Any] = ...,
            monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None = ..., missing: str = ...,
            honest: float | None = ..., n_jobs: int | None = ...) -> None: ...
    criterion: Literal["squared_error", "sdr", "poisson", "absolute_error"] | Callable[..., Any]
    splitter: str
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str | None
    random_state: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    ccp_alpha: float
    categorical_features: str | Iterable[Any]
    monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None
    missing: str
    honest: float | None
    n_jobs: int | None

def __getattr__(name: str) -> Any: ...    # what is not public
