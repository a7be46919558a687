from collections.abc import Iterable
from typing import Any, NamedTuple
from numpy.typing import NDArray
from dtree_lit.models.forest import ForestClassifier, ForestRegressor

class OobImportance(NamedTuple):
    importances_mean: NDArray[Any]
    importances_se: NDArray[Any]
    importances: NDArray[Any]
def oob_permutation_importance(forest: ForestClassifier | ForestRegressor, X: Iterable[Any],
        y: Iterable[Any], *, n_repeats: int = ..., seed: int = ...) -> OobImportance: ...

def __getattr__(name: str) -> Any: ...    # what is not public
