from collections.abc import Iterable
from typing import Any
from numpy.typing import NDArray
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

def predict_quantiles(model: Tree | Estimator, X: Iterable[Any], quantiles: Iterable[Any],
        X_train: Iterable[Any], y_train: Iterable[Any],
        sample_weight: Iterable[Any] | None = ...) -> NDArray[Any]: ...
def predict_intervals(model: Tree | Estimator, X: Iterable[Any], coverage: float,
        X_held: Iterable[Any], y_held: Iterable[Any]) -> NDArray[Any]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
