"Compiled code is made once: counted, because seconds differ from machine to machine."
import os
import subprocess
import sys

import pytest

FIRST = """
from sklearn.datasets import load_iris
from dtree_lit import CARTClassifier
from numba.core import event
X, y = load_iris(return_X_y=True)
with event.install_recorder("numba:compile") as compiled: CARTClassifier().fit(X, y).predict(X)
print(len(compiled.buffer) // 2)
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_first_fit_compiles_and_a_second_process_does_not(tmp_path):
    def compilations():
        done = subprocess.run([sys.executable, "-c", FIRST], env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}, capture_output=True, text=True, check=True)
        return int(done.stdout)
    first = compilations()
    assert 0 < first <= 93, "a first fit compiles more than it did: is that needed? Then say so here"      # many of them a line or two
    assert compilations() == 0

AFTERWARDS = """
from dtree_lit.compiling import compile_kernel, split_once, try_out, typed_kernels, TRIALS
from numba.core import event
with event.install_recorder("numba:compile") as compiled:
    for where in typed_kernels(): compile_kernel(*where)
    for trial in TRIALS: try_out(trial)
    split_once()
print(len(compiled.buffer) // 2)
"""

@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_what_is_compiled_beforehand_is_found():
    "By the command and its processes; in whatever cache this house uses."
    done = subprocess.run([sys.executable, "-m", "dtree_lit", "compile"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1].split()[0] == lines[-1].split()[2] == str(len(lines))
    assert subprocess.run([sys.executable, "-c", AFTERWARDS], capture_output=True, text=True, check=True).stdout == "0\n"
