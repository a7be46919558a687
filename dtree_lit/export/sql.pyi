from collections.abc import Iterable
from typing import Any, Literal
from dtree_lit.trees.estimator import Estimator
from dtree_lit.models.rule_lists import RuleList
from dtree_lit.trees.tree import Tree

def to_sql(model: Tree | Estimator | RuleList, table: str | Iterable[Any] | None = ..., *,
        dialect: Literal["sqlite", "duckdb", "postgres", "mysql", "bigquery", "snowflake",
        "mssql"] = ..., probabilities: bool = ..., keep: Iterable[Any] = ...) -> str: ...

def __getattr__(name: str) -> Any: ...    # what is not public
