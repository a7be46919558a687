from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal
from numpy.typing import NDArray
from dtree_lit.trees.estimator import TreeClassifier, TreeRegressor, WhichAreCategories

class _Many:
    def apply(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def decision_path(self, X: Iterable[Any]) -> tuple[Any, ...]: ...
    def get_depth(self) -> int: ...
    def get_n_leaves(self) -> int: ...
    @property
    def feature_importances_(self) -> NDArray[Any]: ...
class _Answers(_Many):
    @property
    def estimator(self) -> Any: ...
    @property
    def estimators_(self) -> list[Any]: ...
    @property
    def estimators_samples_(self) -> list[Any]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
class _Forest(WhichAreCategories, _Answers):
    trees_: list[Any]
    max_features_: int
    bags_: Any
    oob_votes_: Any
    oob_score_: Any
class ForestClassifier(_Forest, TreeClassifier):
    def __init__(self, n_estimators: int = ..., *, criterion: Literal["gini", "entropy", "log_loss",
            "misclassification"] = ..., max_depth: int | None = ...,
            min_samples_split: int | float = ..., min_samples_leaf: int | float = ...,
            min_weight_fraction_leaf: float = ..., max_features: int | float | str = ...,
            max_leaf_nodes: int | None = ..., min_impurity_decrease: float = ...,
            bootstrap: bool = ..., oob_score: bool | Callable[..., Any] = ...,
            n_jobs: int | None = ..., random_state: Any = ..., verbose: int = ...,
            warm_start: bool = ..., class_weight: Mapping[Any, Any] | str | None = ...,
            ccp_alpha: float = ..., max_samples: int | float | None = ...,
            categorical_features: str | Iterable[Any] = ..., monotonic_cst: Mapping[Any,
            Any] | Iterable[Any] | None = ...) -> None: ...
    n_estimators: int
    criterion: Literal["gini", "entropy", "log_loss", "misclassification"]
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    bootstrap: bool
    oob_score: bool | Callable[..., Any]
    n_jobs: int | None
    random_state: Any
    verbose: int
    warm_start: bool
    class_weight: Mapping[Any, Any] | str | None
    ccp_alpha: float
    max_samples: int | float | None
    categorical_features: str | Iterable[Any]
    monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None
    oob_decision_function_: Any
class ForestRegressor(_Forest, TreeRegressor):
    def __init__(self, n_estimators: int = ..., *, criterion: Literal["squared_error", "sdr",
            "poisson"] = ..., max_depth: int | None = ..., min_samples_split: int | float = ...,
            min_samples_leaf: int | float = ..., min_weight_fraction_leaf: float = ...,
            max_features: int | float | str = ..., max_leaf_nodes: int | None = ...,
            min_impurity_decrease: float = ..., bootstrap: bool = ...,
            oob_score: bool | Callable[..., Any] = ..., n_jobs: int | None = ...,
            random_state: Any = ..., verbose: int = ..., warm_start: bool = ...,
            ccp_alpha: float = ..., max_samples: int | float | None = ...,
            categorical_features: str | Iterable[Any] = ..., monotonic_cst: Mapping[Any,
            Any] | Iterable[Any] | None = ...) -> None: ...
    n_estimators: int
    criterion: Literal["squared_error", "sdr", "poisson"]
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    bootstrap: bool
    oob_score: bool | Callable[..., Any]
    n_jobs: int | None
    random_state: Any
    verbose: int
    warm_start: bool
    ccp_alpha: float
    max_samples: int | float | None
    categorical_features: str | Iterable[Any]
    monotonic_cst: Mapping[Any, Any] | Iterable[Any] | None
    oob_prediction_: Any

def __getattr__(name: str) -> Any: ...    # what is not public
