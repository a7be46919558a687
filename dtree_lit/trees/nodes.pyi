from typing import Any, NamedTuple
from numpy.typing import NDArray

class Schema(NamedTuple):
    features: tuple[Any, ...]
    categories: tuple[Any, ...]
    classes: tuple[Any, ...]
    criterion: str
    costs: tuple[Any, ...] | None = ...
    unseen: str = ...
class Fields(NamedTuple):
    feature: NDArray[Any]
    t: NDArray[Any]
    first: NDArray[Any]
    width: NDArray[Any]
    start: NDArray[Any]
    branch: NDArray[Any]
    missing: NDArray[Any]
    surrogates: NDArray[Any]
    size: NDArray[Any]
    weight: NDArray[Any]
    values: NDArray[Any]
    counts: NDArray[Any]
    schema: Schema

def __getattr__(name: str) -> Any: ...    # what is not public
