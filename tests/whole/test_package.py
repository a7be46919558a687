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
from helpers.places import ROOT


def test_readme():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert tried and not failed

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
    project = shutil.copytree(ROOT, tmp_path / "project",
                              ignore=shutil.ignore_patterns(".*", "docs", "nbs", "build",
                                                            "*.egg-info", "__pycache__"))
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir",
                    tmp_path, project], check=True, capture_output=True)
    wheel, = tmp_path.glob("*.whl")
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
    metadata = email.message_from_string(next(
        (tmp_path / "site").glob("*.dist-info/METADATA")).read_text("utf-8"))
    assert (metadata["License-Expression"] == "Apache-2.0"
            and "CC BY" not in (tmp_path / "site/dtree_lit/data/README.md").read_text("utf-8"))
    assert ("Development Status :: 3 - Alpha" in metadata.get_all("Classifier")
            and "c4.5" not in metadata["Keywords"])
    code = ("import dtree_lit; print(dtree_lit.__file__, round(dtree_lit.entropy([9, 5]), 3), "
            "len(dtree_lit.claims()) > 0)")
    out = subprocess.run([sys.executable, "-c", code], cwd=tmp_path,
                         env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
                         capture_output=True, text=True, check=True).stdout
    assert out.startswith(str(tmp_path)) and out.endswith("0.94 True\n")

FITS = """
import os, sys
import numpy as np
import dtree_lit
from dtree_lit import CARTClassifier, CARTRegressor, C45Classifier, ForestClassifier, KNNClassifier
print(os.path.dirname(dtree_lit.__file__))
X = np.arange(200.0).reshape(50, 4) % 7
for model, y in ((CARTClassifier(), X[:, 0] > 3), (CARTRegressor(), X[:, 0]),
                 (C45Classifier(), X[:, 1] > 2), (ForestClassifier(3), X[:, 1] > 2),
                 (KNNClassifier(), X[:, 1] > 2)):
    print(model.fit(X, y).predict(X).tolist())
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
