"""Run All and Save in this project's JupyterLab writes what is committed, byte for byte: its
settings of the kernel and of what is saved, in a kernel that is not forked."""
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from pathlib import Path

import build
import execute
import pytest
from helpers.pages import executed
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config.loader import PyFileConfigLoader

ROOT = execute.ROOT
NOTEBOOKS = execute.notebooks(ROOT)
SETTINGS = ROOT / "docs/jupyter"
# figures that would come out otherwise if they were drawn twice; figures in few colors; a table of
# pandas that is wider than a terminal; a page that is also a program
RUN = "010_first_tree", "110_entropy", "720_python", "890_command"

@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    "What reads and writes for JupyterLab, in a copy of the notebooks."
    folder = tmp_path_factory.mktemp("lab") / "nbs"
    shutil.copytree(ROOT / "nbs", folder, ignore=shutil.ignore_patterns(".*"))
    settings = PyFileConfigLoader(str(SETTINGS / "jupyter_server_config.py"))
    return LargeFileManager(root_dir=str(folder), config=settings.load_config())

def in_lab(path):
    "What JupyterLab calls a notebook: its folder, if it is in one, and its name."
    return path.relative_to(ROOT / "nbs").as_posix()

def save(lab, model):
    "Save a notebook, where `make lab` starts the server. Its bytes."
    with chdir(ROOT): lab.save(model, model["path"])
    return (Path(lab.root_dir) / model["path"]).read_bytes()

def run_all(nb, folder):
    "Run every cell, also those that `make` keeps still."
    tests = "DTREE_LIT_RENT", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"      # see conftest.py
    env = {name: value for name, value in os.environ.items() if name not in tests}
    for cell in execute.code_cells(nb): cell["outputs"] = []
    client = NotebookClient(nb, timeout=600, kernel_name="python3", coalesce_streams=True,
                            record_timing=True, extra_arguments=["--log-level=ERROR"],
                            resources={"metadata": {"path": folder}})
    with ThreadPoolExecutor(1) as thread:
        thread.submit(client.execute, env=env | {"PYTHONPATH": str(ROOT)}).result()

def test_the_settings_are_in_place():
    for name, place in (("jupyter_server_config.py", "jupyter"),
                        ("ipython_kernel_config.py", "ipython")):
        there = Path(sys.prefix) / "etc" / place / name
        assert there.read_bytes() == (SETTINGS / name).read_bytes(), "run make"

@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_saving_changes_nothing(path, lab):
    assert save(lab, lab.get(in_lab(path))) == path.read_bytes()

@pytest.mark.parametrize("name", RUN)
def test_run_all_and_save_changes_nothing(name, lab):
    path = execute.paths(ROOT)[name]
    model = lab.get(in_lab(path))
    run_all(model["content"], str(Path(lab.root_dir, in_lab(path)).parent))
    saved = save(lab, model)
    if saved == path.read_bytes(): return
    # another processor may draw the last bit of a picture otherwise; then `make refresh` does, too
    record = executed(names=[name], png=True)[name]
    with chdir(ROOT): renewed = build.refreshed(execute.load(path), record)
    assert saved.decode() == renewed

def test_a_page_shows_what_is_compiled_and_no_colors(lab):
    cells = ("from dtree_lit.workshop.jit import Rent\nRent.allowed",
             "import sys\n!{sys.executable} -c 1/0")
    nb = new_notebook(cells=[*map(new_code_cell, cells)])
    run_all(nb, lab.root_dir)
    (allowed,), (failed,) = (cell.outputs for cell in nb.cells)
    assert allowed["data"]["text/plain"] == "False"
    # Python's own words have colors since 3.13
    assert "ZeroDivisionError" in failed["text"] and "\x1b" not in failed["text"]
