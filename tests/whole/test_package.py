"The README's code runs, and a wheel made from the project works where nothing else of it is."
import doctest
import email
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from configparser import ConfigParser
from pathlib import Path

import dtree_lit
import machine_code
import numpy as np
import pytest
import release
from helpers.places import ROOT


def test_readme():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert tried and not failed

CALLS = {"self_information": [0.25], "entropy": [[9, 5]], "gini": [[9, 5]],
         "misclassification": [[9, 5]], "gain": [[[6, 2], [3, 3]]], "gini_gain": [[[6, 2], [3, 3]]],
         "gain_ratio": [[[6, 2], [3, 3]]], "split_information": [[[6, 2], [3, 3]]],
         "moments": [[1, 2, 6]], "variance": [3, 9, 41], "std": [3, 9, 41], "midpoint": [1, 2],
         "sdr": [[(2, 55, 1525), (2, 91, 4141)]], "candidates": [[3, 1, 2]],
         "counts_by_value": [[3, 1, 2], [0, 1, 1]]}
SAYS = ("import dtree_lit\n"
        f"for name, args in {CALLS}.items(): print(name, repr(getattr(dtree_lit, name)(*args)))")

def test_functions_return_the_same_compiled_or_not():
    "The same types, too: a number of numpy prints another way."
    measures = {name for name, module in dtree_lit.MODULE_OF.items()
                if module.startswith("measures.") and name[0].islower()}
    assert CALLS.keys() == measures
    ways = [{"DTREE_LIT_RENT": "1", "DTREE_LIT_MACHINE": "0"}, {"DTREE_LIT_RENT": "0"},
            {"NUMBA_DISABLE_JIT": "1"}]
    said = {subprocess.run([sys.executable, "-c", SAYS], env=os.environ | env, check=True,
                           capture_output=True, text=True).stdout for env in ways}
    assert len(said) == 1 and "np.float64" not in min(said)

def test_import_costs_nothing():
    code = ("import sys; before = set(sys.modules); import dtree_lit; "
            "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         check=True).stdout.split()
    assert "dtree_lit" in out and not {"numpy", "numba", "pandas", "matplotlib",
                                       "sklearn"} & set(out)

def as_it_was(model):
    "What pickle would have written when all modules lay side by side."
    data = pickle.dumps(model, 0)
    for old, new in dtree_lit.MOVED.items():
        data = data.replace(f"c{new}\n".encode(), f"cdtree_lit.{old}\n".encode())
    return data

@pytest.mark.parametrize("name", [name for name in dtree_lit.__all__
                                  if name.endswith(("Classifier", "Regressor"))])
def test_a_pickle_finds_what_has_moved(name):
    X, y = np.arange(24.0).reshape(12, 2) % 5, np.arange(12) % 2
    if name == "ID3Classifier": X = X.astype(str)
    model = getattr(dtree_lit, name)().fit(X, y)
    with pytest.warns(FutureWarning, match="is now dtree_lit"):
        for old in dtree_lit.MOVED: sys.modules.pop(f"dtree_lit.{old}", None)
        back = pickle.loads(as_it_was(model))
    assert type(back) is type(model) and (back.predict(X) == model.predict(X)).all()

def test_the_oldest_versions_are_the_lower_bounds():
    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    least = dict(requirement.split(">=") for requirement in ini["DEFAULT"]["requirements"].split())
    tried = dict(re.findall(r"^([\w-]+)==(.+)$", (ROOT / "oldest.txt").read_text(), re.M))
    assert least.keys() == tried.keys() and not [name for name, version in tried.items()
                                                 if re.sub(r"(\.0)+$", "", version) != least[name]]

def test_wheel(tmp_path):
    "Only the library and its data are in it, and they work from another folder."
    source, wheel = release.built(tmp_path / "project")
    assert not release.foreign(source), "it may be under another license"
    with zipfile.ZipFile(wheel) as z:
        names = [n for n in z.namelist() if ".dist-info/" not in n]
        z.extractall(tmp_path / "site")
    there = {str(p.relative_to(ROOT)) for p in (ROOT / "dtree_lit").rglob("*")
             if p.is_file() and not {"__pycache__", "machine"} & {*p.parts}}
    assert set(names) == there
    modules = "".join(p.read_text("utf-8") for p in (ROOT / "dtree_lit").rglob("*.py"))
    assert not [n for n in names if n.startswith("dtree_lit/data/")
                and Path(n).stem not in (modules
                                         + "README")], "no module reads it: it belongs to nbs/data"
    metadata = email.message_from_string(release.metadata_of(wheel))
    assert (metadata["License-Expression"] == "Apache-2.0"
            and "CC BY" not in (tmp_path / "site/dtree_lit/data/README.md").read_text("utf-8"))
    assert ("Development Status :: 3 - Alpha" in metadata.get_all("Classifier")
            and "c4.5" not in metadata["Keywords"])
    code = ("import dtree_lit; print(dtree_lit.__file__, round(dtree_lit.entropy([9, 5]), 3), "
            "len(dtree_lit.claims()) > 0)")
    out = subprocess.run([sys.executable, "-c", code], cwd=tmp_path,
                         env=os.environ | {"PYTHONPATH": str(tmp_path / "site"),
                                           "XDG_CACHE_HOME": str(tmp_path / "cache")},
                         capture_output=True, text=True, check=True).stdout
    assert out.startswith(str(tmp_path)) and out.endswith("0.94 True\n")

@pytest.mark.parametrize("address", [".", "https://example.org/trees"])
def test_the_description_has_no_dead_links(address, tmp_path):
    "They lead to the project's address, which one setting says, or are plain words."
    for name in ("setup.py", "pyproject.toml", "settings.ini", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, tmp_path)
    settings = re.sub("(?m)^git_url = .*", f"git_url = {address}",
                      (tmp_path / "settings.ini").read_text("utf-8"))
    (tmp_path / "settings.ini").write_text(settings, "utf-8")
    subprocess.run([sys.executable, "setup.py", "-q", "egg_info"], cwd=tmp_path, check=True,
                   capture_output=True)
    about = (tmp_path / "dtree_lit.egg-info/PKG-INFO").read_text("utf-8")
    assert not release.relative_links(about) and "CONTRIBUTING" in about
    links = [f"Project-URL: Source, {address}", f"({address}/raw/main/docs/_static/tree.svg)",
             f"({address}/blob/main/nbs/1_measures/110_entropy.ipynb)", f"({address}#speed)"]
    assert [link in about for link in links] == [address != "."] * 4
    assert release.relative_links((ROOT / "README.md").read_text("utf-8"))[0].startswith("nbs/")

def test_the_pythons_at_hand(tmp_path):
    "This one, and no command that is missing or fails."
    here = release.version_of(sys.executable)
    no_python = tmp_path / "python"
    no_python.write_text("#!/bin/sh\nexit 1\n")
    no_python.chmod(0o755)
    assert release.at_hand([here], [no_python]) == {here: sys.executable}
    assert release.version_of(no_python) == "" and release.version_of(tmp_path / "none") == ""

def test_one_sentence_where_a_command_fails():
    with pytest.raises(SystemExit, match="no such module"):
        release.run(sys.executable, "-c", "raise SystemExit('no such module')")

FITS = """
import os, sys
import numpy as np
import pandas as pd
import dtree_lit
from sklearn.datasets import load_diabetes, load_digits
from dtree_lit import (CARTClassifier, CARTRegressor, C45Classifier, ForestClassifier,
                       ForestRegressor, KNNClassifier)
print(os.path.dirname(dtree_lit.__file__))
X = np.arange(200.0).reshape(50, 4) % 7
for model, y in ((CARTClassifier(), X[:, 0] > 3), (CARTRegressor(), X[:, 0]),
                 (C45Classifier(), X[:, 1] > 2), (ForestClassifier(3), X[:, 1] > 2),
                 (KNNClassifier(), X[:, 1] > 2)):
    print(model.fit(X, y).predict(X).tolist())
colors = np.array(["red", "green", "blue"])[X[:, 2].astype(int) % 3]
table = pd.DataFrame(dict(size=X[:, 0], color=colors))
lots, drawn = dict(n_estimators=3, random_state=0), dict(max_features=1, random_state=0)
for y in (X[:, 1] > 2, X[:, 1] % 3):
    for model in (CARTClassifier(criterion="entropy"), CARTClassifier(**drawn),
                  ForestClassifier(**lots)):
        print(model.fit(table, y).predict(table).tolist())
print(ForestRegressor(**lots).fit(table, X[:, 1]).predict(table).tolist())
print(CARTClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, X[:, 1] > 2).predict(X).tolist())
X, y = load_digits(return_X_y=True)         # has columns of few values, which are counted
for stored in (X, X.astype("f4"), np.asfortranarray(X)):
    for labels in (y, y > 4): print(CARTClassifier().fit(stored, labels).predict(X).tolist())
X, y = load_diabetes(return_X_y=True)
print(CARTRegressor().fit(X, y).predict(X).tolist())
print("numba" in sys.modules)
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1" or machine_code.lacking() != "",
                    reason="nothing is compiled, or nothing can be linked")
def test_wheel_with_machine_code(tmp_path):
    "Installed in an environment of its own it predicts the same, without numba."
    made = machine_code.wheel(tmp_path)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}-" in made.name
    venv.create(tmp_path / "venv", with_pip=True)
    own = tmp_path / "venv/bin/python"
    subprocess.run([own, "-m", "pip", "install", "-q", "--no-deps", "--no-index", made], check=True)
    site, = (tmp_path / "venv").glob("lib/*/site-packages")
    (site / "others.pth").write_text(f"{Path(np.__file__).parents[1]}\n")
    kept = tmp_path / "kept"
    def fits(python, **env):
        done = subprocess.run([python, "-c", FITS], capture_output=True, text=True, check=True,
                              cwd=tmp_path, env=os.environ | {"DTREE_LIT_RENT": "0"} | env)
        assert not done.stderr
        return done.stdout.splitlines()
    where, *predicted, with_numba = fits(own)
    assert where.startswith(str(tmp_path)) and with_numba == "False"
    assert predicted == fits(sys.executable, DTREE_LIT_MACHINE="0")[1:-1]
    # where it is damaged, or a line of the code is another, the kernel is compiled
    library, = (Path(where) / "machine").glob("kernels*")
    module, whole = Path(where) / "measures/entropy.py", library.read_bytes()
    source = module.read_text("utf-8")
    for i, (code, lines) in enumerate(((b"", source), (b"no library", source),
                                       (whole, source + "another_line = 1\n"))):
        library.write_bytes(code)
        module.write_text(lines, "utf-8")
        kept = tmp_path / f"kept{i}"
        done = subprocess.run([own, "-c", "from dtree_lit import gini; print(gini([1, 1]))"],
                              cwd=tmp_path, env=os.environ | {"NUMBA_CACHE_DIR": str(kept),
                                                              "DTREE_LIT_RENT": "0"},
                              capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("0.5\n", "") and [*kept.rglob("*gini.door*.nbc")]
    # what it keeps by itself does not lie where pip would leave it
    away = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    subprocess.run([own, "-c", "from dtree_lit import gini; gini([1, 1])"], check=True,
                   cwd=tmp_path, env=away | {"XDG_CACHE_HOME": str(tmp_path),
                                             "DTREE_LIT_RENT": "0"})
    assert [*(tmp_path / "dtree_lit").rglob("*gini.door*.nbc")]
    module.write_text(source, "utf-8")
    subprocess.run([own, "-m", "pip", "uninstall", "-q", "-y", "dtree_lit"], check=True)
    assert not [*(tmp_path / "venv").rglob("dtree_lit*")]

@pytest.mark.skipif(platform.machine() != "x86_64" or machine_code.lacking() != "",
                    reason="nothing can be linked, or other processors have other features")
@pytest.mark.parametrize("feature, said", [("fma4", "lacks a feature"), ("sse2", "table")])
def test_a_library_for_another_processor_is_not_loaded(feature, said, tmp_path):
    machine_code.link(tmp_path, [feature], tmp_path)
    done = subprocess.run([sys.executable, "-c", "import kernels; print(dir(kernels))"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert said in done.stdout + done.stderr

def test_without_a_compiler_make_goes_on(monkeypatch, tmp_path, capsys):
    "A wheel is refused."
    monkeypatch.setattr(machine_code, "MACHINE", tmp_path)
    monkeypatch.setenv("CC", "no-such-compiler")
    machine_code.code_where_possible()
    assert "no-such-compiler, which is not here: numba will compile" in capsys.readouterr().out
    with pytest.raises(machine_code.Unlinked, match="needs no-such-compiler"): machine_code.wheel()
    monkeypatch.setenv("CC", "false")
    with pytest.raises(machine_code.Unlinked, match="because false failed"):
        machine_code.link(tmp_path, [], tmp_path)
