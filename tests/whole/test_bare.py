"""With numpy alone, measures, growing, predicting, pruning, printing, files and exports work,
and give what they give here."""
import os
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest
from dtree_lit.workshop.jit import sources_of
from helpers.places import ROOT
from helpers.with_numpy_alone import all_of_it

# They hold estimators, or use them.
NEED_MORE = {f"learners.{name}" for name in ("cart", "id3", "optimal_classifier",
                                              "optimal_regressor", "sdr")} | {
    f"models.{name}" for name in ("assistant", "boosting", "c45_classifier", "forest", "knn",
                                  "logistic", "rule_lists")} | {
    "pruning.cost_complexity_cv", "pruning.rep_estimators", "pruning.tree_explorer",
    "trees.estimator",
    "export.model_files", "reporting.explanations", "reporting.report", "dask"}

@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    "A function that runs Python where there is numpy and nothing else; it returns the output."
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder / "venv", symlinks=True)
    (folder / "packages").mkdir()
    for place in Path(np.__file__).parent, Path(np.__file__).parents[1] / "numpy.libs":
        if place.exists(): (folder / "packages" / place.name).symlink_to(place)
    env = {name: value for name, value in os.environ.items() if name != "DTREE_LIT_RENT"}
    env |= dict(PYTHONPATH=os.pathsep.join([str(ROOT), str(folder / "packages")]))
    def run(*command):
        done = subprocess.run([folder / "venv/bin/python", *command], env=env, cwd=folder,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run

def test_there_is_numpy_and_nothing_else(bare):
    heavy = "joblib", "numba", "pandas", "scipy", "sklearn", "matplotlib"
    code = ("import numpy; from importlib.util import find_spec\n"
            f"for name in {heavy}:\n"
            "    print(find_spec(name) or '', end='')")
    assert bare("-c", code) == ""

def test_only_estimators_need_more(bare):
    names = sorted(name for name in sources_of(ROOT / "dtree_lit")
                   if name.rpartition(".")[2] not in ("__init__", "__main__"))
    code = ("from importlib import import_module\n"
            f"for name in {names}:\n"
            "    try: import_module(f'dtree_lit.{name}')\n"
            "    except ModuleNotFoundError: print(name)")
    assert {*bare("-c", code).split()} == NEED_MORE

def test_everything_is_as_it_is_here(bare):
    there = bare(ROOT / "tests/helpers/with_numpy_alone.py").split("\n== ")
    for said, (title, lines) in zip(there, all_of_it(), strict=True):
        assert said.removeprefix("== ").rstrip("\n") == "\n".join([title, *lines()]).rstrip("\n")
