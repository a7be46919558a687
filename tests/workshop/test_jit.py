"Compiled code is made once: counted, because seconds differ from machine to machine."
import json
import os
import shutil
import subprocess
import sys
import tempfile
from threading import Thread
from typing import NamedTuple

import machine_code
import numpy as np
import pytest
from dtree_lit.measures import exact_sums
from dtree_lit.workshop import jit
from dtree_lit.workshop.jit import kernel, plain_python, record
from helpers.places import ROOT

FIRST = """
import gc
gc.set_threshold(1_000_000)           # else a seventh of the time
from sklearn.datasets import load_iris
from dtree_lit import CARTClassifier
from numba.core import event
X, y = load_iris(return_X_y=True)
with event.install_recorder("numba:compile") as compiled: CARTClassifier().fit(X, y).predict(X)
print(len(compiled.buffer) // 2)
"""
FIRST_HOUR = """
import sys
from sklearn import datasets, tree
from dtree_lit import *
X, y = datasets.load_iris(return_X_y=True)
model = CARTClassifier().fit(X, y)
model.predict_proba(X), model.feature_importances_, model.tree_.text(), model.tree_._repr_html_(), model.tree_.explain(X[0])
CARTClassifier(criterion="entropy", max_leaf_nodes=5, ccp_alpha=0.01).fit(X, y, sample_weight=X[:, 0]).predict(X)
CARTRegressor().fit(X, X[:, :2]).predict(X), CARTRegressor(criterion="sdr").fit(X, X[:, 0], sample_weight=X[:, 1]).predict(X)
REPClassifier().fit(X, y).predict(X), CostComplexityCV().fit(X, y).predict(X), ID3Classifier().fit(X.astype(int), y).predict(X.astype(int))
C45Classifier().fit(X, y).predict(X), C45Classifier(pruning="reduced_error").fit(X.astype(str), y).predict(X.astype(str))
ForestClassifier(20, oob_score=True).fit(X, y).predict(X), ForestRegressor(10).fit(X, y).predict(X)
gain([[2, 3], [4, 0], [3, 2]]), best_split(X[:, 2], y), entropy([9, 5]), ThresholdExplorer(X[:, 2], y)
save(model, sys.argv[1]), load(sys.argv[1]).predict(X)
print("numba" in sys.modules)
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_first_fit_compiles_and_a_second_process_does_not(tmp_path):
    def compilations():
        done = subprocess.run([sys.executable, "-c", FIRST],
                              env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path),
                                                "DTREE_LIT_MACHINE": "0"},
                              capture_output=True, text=True, check=True)
        return int(done.stdout)
    first = compilations()
    # many of them a line or two; five number and count columns of few values, eight look there for
    # categories and for missing values
    assert (0 < first
            <= 106), "a first fit compiles more than it did: is that needed? Then say so here"
    assert compilations() == 0

def test_in_its_first_hour_nothing_is_compiled(tmp_path):
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "DTREE_LIT_RENT": "1",
                        "DTREE_LIT_MACHINE": "0"}
    done = subprocess.run([sys.executable, "-c", FIRST_HOUR, str(tmp_path / "model.json")], env=env,
                          capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")

AFTERWARDS = """
from dtree_lit.reporting.compile_all import (compile_kernel, look_around, split_once, try_out,
                                             typed_kernels, TRIALS)
from numba.core import event
with event.install_recorder("numba:compile") as compiled:
    for where in typed_kernels(): compile_kernel(*where)
    for trial in TRIALS: try_out(trial)
    split_once()
    look_around()
print(len(compiled.buffer) // 2)
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_what_is_compiled_beforehand_is_found():
    "In the library of kernels, or by the command; a later process compiles nothing."
    done = subprocess.run([sys.executable, "-m", "dtree_lit", "compile"], capture_output=True,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1].split()[0] == lines[-1].split()[2] == str(len(lines))
    with tempfile.TemporaryDirectory() as nothing:
        env = {} if machine_code.lacking() else {"NUMBA_CACHE_DIR": nothing}
        assert subprocess.run([sys.executable, "-c", AFTERWARDS], capture_output=True, text=True,
                              check=True, env=os.environ | env).stdout == "0\n"

ALIVE = """
import ctypes, gc
from dtree_lit.machine import kernels
from dtree_lit.reporting.compile_all import TRIALS, try_out
runtime = ctypes.CDLL(kernels.__file__)
def alive(trial):
    try_out(trial)
    gc.collect()
    return runtime.arrays_made() - runtime.arrays_freed()
for trial in TRIALS: try_out(trial)
runtime.count_arrays()
for trial in TRIALS: assert alive(trial) == alive(trial) == alive(trial), trial
assert runtime.arrays_made() > 1000
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1" or machine_code.lacking() != "",
                    reason="there is no library of kernels")
def test_no_array_is_lost():
    "Kernels that count no references leave no array behind, and free none too early."
    machine_code.code()
    subprocess.run([sys.executable, "-c", ALIVE], check=True)

BY_ADDRESS = """
import ctypes, math, warnings
from dtree_lit.workshop.jit import kernel
warnings.simplefilter("ignore")        # numba says that it cannot keep them
cosine = ctypes.CDLL(None).cos
cosine.restype, cosine.argtypes = ctypes.c_double, [ctypes.c_double]
def of_the_package(f):
    f.__module__ = "dtree_lit.measures.exact_sums"    # so that it is kept, if it can be
    return kernel(f)
@of_the_package
def part(x): return cosine(x)
@of_the_package
def other(x):
    print("so be it")
    return 2 * x
@of_the_package
def whole(x): return part(x) + other(x)
assert whole(1.0) == math.cos(1) + 2
print([sum(f.compiled.stats.cache_hits.values()) for f in (part, other)])
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_part_that_prints_is_kept_and_one_with_an_address_is_not(tmp_path):
    script = tmp_path / "by_address.py"
    script.write_text(BY_ADDRESS)
    def told():
        return subprocess.run([sys.executable, script], capture_output=True, text=True, check=True,
                              env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}).stdout
    assert told() == "so be it\n[0, 0]\n" and told() == "so be it\n[0, 1]\n"

TWO_KERNELS = """
import sys
from dtree_lit.workshop.jit import kernel, on_disk
def of_the_package(f):
    f.__module__ = "dtree_lit.measures.exact_sums"
    return kernel(f)
@of_the_package
def double(x): return 2 * x
@of_the_package
def triple(x): return 3 * x
print(double(2.0), triple(2.0), *(sum(f.door.stats.cache_hits.values()) for f in (double, triple)),
      on_disk(double.body))
"""

def small_files_only(most):
    "To be called in a new process, which can then write no file beyond so many bytes."
    def limit():
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return limit

def two_kernels(folder):
    "The script, in a folder of the name for which `on_disk` looks."
    script = folder / "dtree_lit/two.py"
    script.parent.mkdir()
    script.write_text(TWO_KERNELS)
    return script

needs_limits = pytest.mark.skipif(os.name == "nt" or os.environ.get("NUMBA_DISABLE_JIT") == "1",
                                  reason="there are no such limits, or nothing is compiled")

@needs_limits
@pytest.mark.parametrize("most", [0, 1200], ids=["nothing", "the index alone"])
def test_a_full_folder_ends_no_fit(tmp_path, most):
    "Two processes at once: both compile, say so once, keep nothing, and leave nothing half done."
    script, kept = two_kernels(tmp_path), tmp_path / "kept"
    both = [subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, preexec_fn=small_files_only(most),
                             env=os.environ | {"NUMBA_CACHE_DIR": str(kept)}) for _ in range(2)]
    for process in both:
        out, err = process.communicate()
        assert (out, process.returncode) == ("4.0 6.0 0 0 False\n", 0), err
        assert (err.count(jit.UNKEPT) == 1 and f"in {kept}" in err and "File too large" in err
                and "NUMBA_CACHE_DIR" in err)
    assert {path.suffix for path in kept.rglob("*.*")} <= ({".nbi"} if most else set())

@needs_limits
def test_a_full_folder_ends_compile(tmp_path):
    "For to keep the code is all that is wanted there."
    few = ("from dtree_lit.reporting import compile_all as c\n"
           "c.TRIALS, c.typed_kernels = [c.Trial('KNNRegressor')], lambda: []\n"
           "if __name__ == '__main__':\n    from dtree_lit.__main__ import main\n"
           "    raise SystemExit(main(['compile']))")
    script = tmp_path / "few.py"
    script.write_text(few)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True,
                          preexec_fn=small_files_only(1200),
                          env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path),
                                            "DTREE_LIT_MACHINE": "0"})
    assert done.returncode == 1 and done.stderr.startswith(f"dtree-lit compile: {jit.UNKEPT} in ")
    assert done.stderr.count("\n") == 1, done.stderr

@needs_limits
def test_a_damaged_file_is_compiled_again(tmp_path):
    "An index or code that a power cut has emptied, or that is a folder and cannot be read."
    script, kept = two_kernels(tmp_path), tmp_path / "kept"
    def told():
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True,
                              env=os.environ | {"NUMBA_CACHE_DIR": str(kept)})
        return done.stdout, done.stderr
    assert told() == ("4.0 6.0 0 0 True\n", "")
    for ending in ("nbi", "nbc"):
        path, = kept.rglob(f"*double*.{ending}")
        path.write_bytes(b"")
        assert told() == ("4.0 6.0 0 1 True\n", "")
    assert told() == ("4.0 6.0 1 1 True\n", "")
    path.unlink(), path.mkdir()
    out, err = told()
    assert out == "4.0 6.0 0 1 True\n" and err.count(jit.UNKEPT) == 1

def test_what_is_known_of_the_modules_leaves_no_part(monkeypatch):
    def full(*_): raise OSError("no space left")
    monkeypatch.setattr(jit.json, "loads", lambda _: {})
    monkeypatch.setattr(jit.Path, "replace", full)
    folder, read = jit.Path(jit.__file__).parent / "__pycache__", jit._modules.__wrapped__()
    assert read == jit._modules() and not [*folder.glob(f"*.{os.getpid()}")]

def test_a_page_says_a_record_again():
    def told(cls, fields=None, doc=None):
        again = NamedTuple(cls.__name__, fields or [*cls.__annotations__.items()])
        again.__doc__, again.__module__, again.__qualname__ = (doc or cls.__doc__, "__main__",
                                                               cls.__qualname__)
        again.__annotations__ = dict(fields or cls.__annotations__)
        return record(again)
    assert told(exact_sums.Sums) is exact_sums.Sums
    other = told(exact_sums.Sums, fields=[("one", int)])
    assert other is not exact_sums.Sums and record(other) is other
    assert told(exact_sums.Sums, doc="The same, in other words.") is exact_sums.Sums

def test_plain_python_compiles_nothing():
    @kernel
    def twice(x): return x + x
    told = []
    def call(): told.append(type(twice(np.float64(2))))
    plain_python()
    try:
        assert type(twice(np.float64(2))) is np.float64          # as Python adds them
        other = Thread(target=call)
        other.start(), other.join()                              # this thread alone
    finally: plain_python(False)
    assert told == [float] == [type(twice(np.float64(2)))]

LOADED = """
import json, os, sys
from importlib import import_module
import numpy, pandas, scipy.special, sklearn.tree        # once, before all forks
for name in sys.argv[1:]:
    if os.fork(): os.wait()
    else:
        import_module(f"dtree_lit.{name}")
        print(json.dumps([name, [m[10:] for m in sys.modules if m.startswith("dtree_lit.")]]))
        sys.stdout.flush()
        os._exit(0)
"""

def test_what_a_module_loads_is_what_its_stamp_reads():
    "Every module in a process of its own: whatever is there afterwards is among those reached."
    names = [name for name in jit.sources_of(jit.files("dtree_lit"))
             if name.rpartition(".")[2] not in ("__init__", "__main__")]
    done = subprocess.run([sys.executable, "-c", LOADED, *names], capture_output=True, text=True,
                          check=True)
    loaded = dict(map(json.loads, done.stdout.splitlines()))
    assert loaded.keys() == {*names} and len(names) > 70
    assert not {name: missed for name, there in loaded.items()
                if (missed := {*there} & {*names} - {*jit.reached([name])})}
    assert sum(map(len, loaded.values())) > 10 * len(names)

def test_modules_in_folders_are_told_apart(tmp_path, monkeypatch):
    "Two of one name in two folders have two stamps, and each changes with what it imports."
    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    for path, text in {"one/sum.py": "from ..two.sum import half", "two/sum.py": "half = 0.5",
                       "two/data/notes.txt": "", "__pycache__/old.py": "", "jit.py": "",
                       "far/off/sum.py": "from ... import far\nfrom ...one import sum"}.items():
        write(path, text)
    monkeypatch.setattr(jit, "files", lambda _: tmp_path)
    monkeypatch.setattr(jit, "kept_in", lambda: tmp_path / "__pycache__")
    def stamps():
        with monkeypatch.context() as m:
            m.setattr(jit, "_modules", jit._modules.__wrapped__)
            return [jit.stamp.__wrapped__(f"dtree_lit.{name}")
                    for name in ("one.sum", "two.sum", "far.off.sum")]
    assert {*jit.sources_of(tmp_path)} == {"one.sum", "two.sum", "far.off.sum", "jit"}
    before = stamps()
    write("two/sum.py", "half = 1 / 2")
    assert len({*before}) == 3 and not {*before} & {*stamps()}
    write("one/sum.py", "from ..two import sum\n2 * sum.half")
    changed = stamps()
    write("two/sum.py", "half = 0.5")
    assert [new != old for new, old in zip(stamps(), changed)] == [True] * 3

def test_what_pip_has_installed_keeps_nothing_beside_it(tmp_path, monkeypatch):
    "But where the user's cache cannot be written."
    site, cache = tmp_path / "site/dtree_lit", tmp_path / "cache"
    monkeypatch.setattr(jit, "files", lambda _: site)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    site.mkdir(parents=True)
    assert jit.kept_in.__wrapped__() == site / "__pycache__" and not cache.exists()
    (site.parent / "dtree_lit-0.1.0.dist-info").mkdir()
    own = jit.kept_in.__wrapped__()
    assert own.is_dir() and own.parent == cache / "dtree_lit"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    assert jit.kept_in.__wrapped__() == site / "__pycache__"

LOOP = """
import os, sys
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell
cell = InteractiveShell.instance().run_cell
folder = Path("dtree_lit")
(folder / "low.py").write_text("UNIT = 1\\nfrom dtree_lit.workshop.jit import kernel\\n"
                               "@kernel\\ndef f(x): return x + UNIT\\n")
(folder / "high.py").write_text("from dtree_lit.workshop.jit import kernel\\nfrom .low import f\\n"
                                "@kernel\\ndef twice(x): return 2 * f(x)\\n")
cell("%load_ext autoreload\\n%autoreload 2")
cell("from dtree_lit import entropy\\nfrom dtree_lit.low import f\\nfrom dtree_lit.high import twice")
def said(): cell("print(round(entropy([9, 5]), 4), f(1), twice(1))")
def edited(name, old, new):
    path = folder / name
    text, time = path.read_text(), path.stat().st_mtime
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, (time + 2, time + 2))
said()
edited("measures/entropy.py", "if p > 0: H -= p", "if p > 0: H -= 2 * p")
edited("low.py", "UNIT = 1", "UNIT = 10")
said()
edited("low.py", "x + UNIT", "x - UNIT")
said()
"""

def test_a_notebook_calls_what_was_exported_meanwhile(tmp_path):
    "By %autoreload 2; also compiled callers do, and nothing of it is kept for other processes."
    shutil.copytree(ROOT / "dtree_lit", tmp_path / "dtree_lit",
                    ignore=shutil.ignore_patterns("__pycache__"))
    def run(code):
        env = dict(PYTHONPATH=str(tmp_path), DTREE_LIT_RENT="0", IPYTHONDIR=str(tmp_path),
                   NUMBA_CACHE_DIR=str(tmp_path / "kept"))
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=os.environ | env,
                              capture_output=True, text=True, check=True)
    done = run(LOOP)
    assert done.stdout.split("\n")[-4:-1] == ["0.9403 2 4", "1.8806 11 22", "1.8806 -9 -18"]
    assert "Error" not in done.stdout + done.stderr
    again = run("from dtree_lit import entropy\nfrom dtree_lit.high import twice\n"
                "print(round(entropy([9, 5]), 4), twice(1))")
    assert again.stdout == "1.8806 -18\n"
