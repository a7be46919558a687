from collections.abc import Iterable
from typing import Any
from numpy.typing import NDArray

def midpoint(a: float, b: float) -> float: ...
def candidates(x: Iterable[Any]) -> NDArray[Any]: ...
def counts_by_value(x: Iterable[Any], y: Iterable[Any], K: int | None = ...,
        weights: Iterable[Any] | None = ...) -> tuple[Any, ...]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
