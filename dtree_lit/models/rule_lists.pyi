from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple
from matplotlib.axes import Axes
from numpy.typing import NDArray
from dtree_lit.trees.estimator import DeclaredAnswers, Estimator, TakesCategories
from dtree_lit.models.c45_classifier import GrowsC45
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree

class ListFields(NamedTuple):
    rules: tuple[Any, ...]
    default: int
    uncovered: tuple[Any, ...]
    schema: Schema
class RuleList(ListFields):
    @property
    def codes(self) -> NDArray[Any]: ...
    @property
    def value(self) -> NDArray[Any]: ...
    def fired(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict_labels(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict_proba(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def said(self) -> list[Any]: ...
    def text(self) -> str: ...
    def explain(self, x: Iterable[Any] | Mapping[Any, Any]) -> str: ...
    def draw(self, ax: Axes | None = ...) -> Axes: ...
    def file_content(self) -> bytes: ...
def rule_list(tree: Tree | Estimator, X: Iterable[Any], y: Iterable[Any],
        weights: Iterable[Any] | None = ..., *, confidence: float = ...,
        most_nodes: int = ...) -> RuleList: ...
class C45RulesClassifier(GrowsC45, TakesCategories, DeclaredAnswers, Estimator):
    rules_: RuleList
    def __init__(self, *, confidence: float = ..., most_nodes: int = ..., min_weight: int = ...,
            mdl_penalty: bool = ..., criterion: Literal["gain_ratio", "gain"] = ...,
            binary: bool | str = ..., groups: bool = ..., thresholds: str = ...,
            tolerance: str = ..., categories: str | Iterable[Any] | Mapping[Any, Any] = ...,
            max_depth: int | None = ..., class_weight: Mapping[Any, Any] | str | None = ...,
            n_jobs: int | None = ...) -> None: ...
    confidence: float
    most_nodes: int
    min_weight: int
    mdl_penalty: bool
    criterion: Literal["gain_ratio", "gain"]
    binary: bool | str
    groups: bool
    thresholds: str
    tolerance: str
    categories: str | Iterable[Any] | Mapping[Any, Any]
    max_depth: int | None
    class_weight: Mapping[Any, Any] | str | None
    n_jobs: int | None
    def fired(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict(self, X: Iterable[Any]) -> NDArray[Any]: ...
    def predict_proba(self, X: Iterable[Any]) -> NDArray[Any]: ...

def __getattr__(name: str) -> Any: ...    # what is not public
