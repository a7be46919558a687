import os
from collections.abc import Iterable
from typing import Any
from dtree_lit.trees.estimator import Estimator
from dtree_lit.models.rule_lists import RuleList
from dtree_lit.trees.tree import Tree

def save(model: Estimator | Tree | RuleList | Iterable[Any],
        path: str | os.PathLike[str]) -> None: ...
def load(path: str | os.PathLike[str]) -> Any: ...
class Committee(tuple[Any, ...]):
    votes: Any
    costs: Any

def __getattr__(name: str) -> Any: ...    # what is not public
