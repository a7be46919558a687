"""Any table in, the tree out: from a file through pandas to a pruned tree, and to SQL that
agrees on every row; nothing is encoded by hand."""
import sqlite3

import numpy as np
import pandas as pd
import pytest
from dtree_lit import (CARTClassifier, CARTRegressor, CostComplexityCV, REPClassifier,
                       REPRegressor, to_sql)
from sklearn.base import is_regressor
from helpers.places import ROOT

DATA = ROOT / "nbs/data"

def holed(r, column, share):
    "A column some of whose values are missing."
    return pd.Series(column).astype(object).where(r.random(len(column)) >= share)

def titanic(path):
    "Words, numbers, gaps: who was aboard, and whether they lived."
    r, n = np.random.default_rng(0), 900
    kind, woman, age = (r.choice(["first", "second", "third"], n, p=[0.25, 0.2, 0.55]),
                        r.random(n) < 0.35, r.gamma(6, 5, n).round(1))
    fare = (np.where(kind == "first", 60, 14) * r.lognormal(0, 0.5, n)).round(2)
    lived = r.random(n) < np.where(woman, 0.9, 0.2) - 0.3 * (kind == "third") + 0.3 * (age < 12)
    pd.DataFrame(dict(kind=kind, sex=np.where(woman, "female", "male"),
                      age=holed(r, age, 0.2), fare=fare,
                      port=holed(r, r.choice(["S", "C", "Q"], n), 0.05),
                      lived=np.where(lived, "yes", "no"))).to_csv(path, index=False)

def california(path):
    "Numbers only: blocks of houses, and their price."
    r, n = np.random.default_rng(1), 1500
    X = pd.DataFrame(r.normal(size=(n, 2)).round(4), columns=["north", "east"])
    X["income"], X["rooms"], X["people"] = (r.gamma(4, 1, n).round(4), r.lognormal(1.6, 0.3, n),
                                            r.integers(3, 9000, n))
    X["age"] = holed(r, r.integers(1, 53, n), 0.1)
    X["price"] = (0.5 * X["income"] + (X["east"] < 0) * np.exp(-X["north"]**2)
                  + r.normal(0, 0.3, n)).round(3)
    X.to_csv(path, index=False)

def wide(path):
    "Sixty columns: numbers, words, truth, whole numbers with gaps."
    r, n, X = np.random.default_rng(2), 800, {}
    for i in range(15):
        X[f"size {i}"] = r.normal(size=n)
        X[f"word {i}"] = holed(r, r.choice(["red", "green", "blue", "it's \"odd\"", "ünïcode"], n),
                               0.1 * (i % 2))
        X[f"true {i}"] = holed(r, r.random(n) < 0.4, 0.1) if i % 3 == 0 else r.random(n) < 0.4
        X[f"count {i}"] = holed(r, r.integers(0, 9, n), 0.1 * (i % 2))
    X = pd.DataFrame(X)
    score = (X["size 0"] + (X["word 1"] == "red") * 2 + X["true 0"].eq(True)
             + X["count 1"].fillna(0).astype(float) / 4)
    X.assign(answer=np.where(score > score.median(), "high", "low")).to_csv(path, index=False)

def half(X, target, r):
    "Rows that learn; and others, with words that nobody has seen and gaps where there were none."
    order = r.permutation(len(X))
    known, new = (X.iloc[order[::2]].reset_index(drop=True),
                  X.iloc[order[1::2]].drop(columns=target).reset_index(drop=True))
    for name in new.columns:
        if (pd.api.types.is_string_dtype(new[name])
            or new[name].dtype == object and isinstance(new[name].dropna().iloc[0], str)):
            new.loc[r.random(len(new)) < 0.05, name] = "never seen"
        # NaN, or NA, by its type
        if new[name].dtype.kind != "b": new.loc[r.random(len(new)) < 0.05, name] = None
    return known.drop(columns=target), known[target], new

def by_sqlite(query, new):
    con = sqlite3.connect(":memory:")
    new.to_sql("people", con, index_label="id")
    return con.execute(query).fetchall()

def by_duckdb(query, new):
    duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    con = duckdb.connect()
    con.register("given",
                 pa.Table.from_pandas(new.rename_axis("id").reset_index(), preserve_index=False))
    con.execute("CREATE TABLE people AS SELECT * FROM given")
    return con.execute(query).fetchall()

CASES = dict(
    adult=(None, "income", CostComplexityCV(cv=3, random_state=0), {}),
    titanic=(titanic, "lived", REPClassifier(random_state=0), {}),
    california=(california, "price",
                CostComplexityCV(CARTRegressor(min_samples_leaf=5), cv=3, random_state=0), {}),
    wide=(wide, "answer", REPClassifier(random_state=0), dict(dtype_backend="numpy_nullable")),
    numbers_from_words=(titanic, "fare", REPRegressor(random_state=0), {}))

@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dialect, run", [("sqlite", by_sqlite), ("duckdb", by_duckdb)])
def test_from_a_file_to_sql(name, dialect, run, tmp_path):
    write, target, model, options = CASES[name]
    path = DATA / "adult_sample.csv.gz"
    if write: write(path := tmp_path / "table.csv")
    X, y, new = half(pd.read_csv(path, **options), target, np.random.default_rng(3))
    model.fit(X, y)
    whole = (CARTRegressor if is_regressor(model) else CARTClassifier)().fit(X, y)
    assert 1 < model.tree_.n_leaves < whole.tree_.n_leaves and new.isna().any().sum() > 2
    told = dict(run(to_sql(model, "people", dialect=dialect, keep=["id"]), new))
    assert ([told[i] for i in range(len(new))] == model.predict(new).tolist()
            and len(told) == len(new))
