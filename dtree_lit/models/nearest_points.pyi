from collections.abc import Iterable
from typing import Any

class Points:
    def __init__(self, X: Iterable[Any], metric: str = ..., p: float = ...) -> None: ...
    def query(self, X: Iterable[Any], k: int = ..., return_distance: bool = ...,
            n_jobs: int | None = ...) -> Any: ...
    def query_radius(self, X: Iterable[Any], r: float, return_distance: bool = ...,
            count_only: bool = ..., sort_results: bool = ..., n_jobs: int | None = ...) -> Any: ...
    metric: Any
    p: Any
    data: Any
class KDTree(Points):
    def __init__(self, X: Iterable[Any], leaf_size: int = ..., metric: str = ...,
            p: float = ...) -> None: ...
    @property
    def index(self) -> Any: ...
    def share_seen(self, X: Iterable[Any], k: int = ...) -> float: ...
    leaf_size: Any
class BallTree(KDTree):
    pass

def __getattr__(name: str) -> Any: ...    # what is not public
