import os
from collections.abc import Callable, Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.trees.tree import Tree

class Report:
    def __init__(self, model: Tree | Estimator, X: Iterable[Any], y: Iterable[Any], *,
            test: Any = ..., folds: int = ..., bootstraps: int = ..., seed: int = ...,
            site: str | None = ..., tell: Callable[..., Any] | None = ...) -> None: ...
    def html(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    learns: Any
    judges: Any
    how: Any
    answers: Any
    base: Any
    scores: Any
    score: Any
    worth: Any
    confusion: Any
    calibration: Any
    verdict: Any
    columns: Any
    balance: Any
    warnings: Any
    shown: Any
    card: Any
    pruning: Any
    decisions: Any
    rules: Any
    importances: Any
    explained: Any
    stability: Any
    origin: Any
    advice: Any
    tell: Any
    model: Any
    X: Any
    y: Any
    seed: Any
    site: Any
    folds: Any
    bootstraps: Any
    trees: Any
    tree: Any
    one: Any
    classes: Any
    numbers: Any
    target: Any
    given: Any
    test: Any
def report(model: Tree | Estimator, X: Iterable[Any], y: Iterable[Any], *,
        test: Iterable[Any] | None = ..., file: str | os.PathLike[str] | None = ...,
        folds: int = ..., bootstraps: int = ..., seed: int = ..., site: str | None = ...,
        tell: Callable[..., Any] | None = ...) -> Report: ...

def __getattr__(name: str) -> Any: ...    # what is not public
