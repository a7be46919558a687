from collections.abc import Iterable
from typing import Any

class TreeExplorer:
    def __init__(self, X: Iterable[Any], y: Iterable[Any], unseen: Iterable[Any],
            mistakes: Iterable[Any] | None = ..., row: str = ..., rows: str = ...,
            show_rows: bool = ...) -> None: ...
    def states(self) -> list[Any]: ...
    tree: Any
    data: Any

def __getattr__(name: str) -> Any: ...    # what is not public
