from collections.abc import Iterable
from typing import Any

class GainPlot:
    def __init__(self, F: Iterable[Any], T: Iterable[Any]) -> None: ...
    data: Any
class GainExplorer:
    def __init__(self, parts: Iterable[Any] = ...) -> None: ...
    data: Any
class SplitExplorer:
    def __init__(self, labels: Iterable[Any], block: Iterable[Any] | None = ...) -> None: ...
    data: Any
class ThresholdExplorer:
    def __init__(self, x: Iterable[Any], y: Iterable[Any], feature: str = ...,
            positive: str | int | None = ..., by_hand: bool = ...) -> None: ...
    data: Any
    still: Any

def __getattr__(name: str) -> Any: ...    # what is not public
