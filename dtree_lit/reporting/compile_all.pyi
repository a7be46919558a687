from collections.abc import Callable
from typing import Any

def compile_all(processes: int | None = ..., tell: Callable[..., Any] | None = ...) -> int: ...

def __getattr__(name: str) -> Any: ...    # what is not public
