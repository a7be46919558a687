from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

class Split(NamedTuple):
    t: float
    gain: float
    n_T: float
    n_F: float
def best_split(x: Iterable[Any], y: Iterable[Any], criterion: Literal["entropy", "gini",
        "misclassification", "variance"] = ..., min_leaf: float = ...,
        weights: Iterable[Any] | None = ...) -> Split | None: ...

def __getattr__(name: str) -> Any: ...    # what is not public
