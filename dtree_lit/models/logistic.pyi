from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self
from numpy.typing import NDArray
from pandas import DataFrame
from dtree_lit.trees.estimator import ScoredByLabels

class Separation(NamedTuple):
    direction: NDArray[Any]
    intercept: NDArray[Any]
    columns: NDArray[Any]
    complete: bool
class SeparationWarning(UserWarning):
    def __init__(self, message: str, separation: Separation | None = ...) -> None: ...
    separation: Any
class Maximum(NamedTuple):
    coef: NDArray[Any]
    intercept: NDArray[Any]
    covariance: NDArray[Any] | None
    loss: float
    null_loss: float
    steps: int
    end: str
    left_out: NDArray[Any]
    proved: bool
    separation: Separation | None
class LogisticRows:
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def get_metadata_routing(self) -> Any: ...
    def set_fit_request(self, **asked: bool | str | None) -> Self: ...
    def set_score_request(self, **asked: bool | str | None) -> Self: ...
    n_features_in_: int
class LinearAnswers(ScoredByLabels, LogisticRows):
    classes_: NDArray[Any]
    coef_: NDArray[Any]
    intercept_: NDArray[Any]
    def decision_function(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict_log_proba(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict_proba(self, X: Iterable[Any]) -> NDArray[Any]: ...
class Summary(NamedTuple):
    table: Any
    deviance: float
    null_deviance: float
    weight: float
    parameters: int
    steps: int
    classes: str
    @property
    def aic(self) -> float: ...
class WithErrors(LinearAnswers):
    def summary(self, level: float = ...) -> Summary: ...
    def intervals(self, X: Iterable[Any], y: Iterable[Any],
            sample_weight: Iterable[Any] | None = ..., level: float = ...) -> DataFrame: ...
class LogisticClassifier(WithErrors):
    maximum_: Maximum
    separation_: Separation | None
    n_iter_: NDArray[Any]
    weight_: float
    def __init__(self, *, C: float | None = ..., fit_intercept: bool = ...,
            class_weight: Mapping[Any, Any] | str | None = ..., tol: float = ...,
            max_iter: int = ...) -> None: ...
    C: float | None
    fit_intercept: bool
    class_weight: Mapping[Any, Any] | str | None
    tol: float
    max_iter: int
    def fit(self, X: Iterable[Any], y: Iterable[Any],
            sample_weight: Iterable[Any] | None = ...) -> Self: ...

def __getattr__(name: str) -> Any: ...    # what is not public
