"""Run All and Save in this project's JupyterLab writes what is committed, byte for byte: its
settings of the kernel and of what is saved, in a kernel that is not forked."""
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import execute
import pytest
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from traitlets.config.loader import PyFileConfigLoader

ROOT = execute.ROOT
NOTEBOOKS = execute.notebooks(ROOT)
# figures whose layout would change if they were drawn twice; figures in few colors; a page that is
# a program as well
RUN = "05_first_tree", "10_entropy", "68_command"

@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    "What reads and writes for JupyterLab, in a copy of the notebooks."
    folder = tmp_path_factory.mktemp("lab") / "nbs"
    shutil.copytree(ROOT / "nbs", folder, ignore=shutil.ignore_patterns(".*"))
    settings = PyFileConfigLoader(str(ROOT / "docs/jupyter/jupyter_server_config.py"))
    return LargeFileManager(root_dir=str(folder), config=settings.load_config())

def save(lab, model):
    "Save a notebook where `make lab` is started. Its bytes."
    here = os.getcwd()
    os.chdir(ROOT)                                     # nbdev looks for settings.ini
    try: lab.save(model, model["path"])
    finally: os.chdir(here)
    return open(os.path.join(lab.root_dir, model["path"]), "rb").read()

def run_all(nb, folder):
    "Run every cell, also those that `make` keeps still."
    from nbclient import NotebookClient
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
        copy = os.path.join(sys.prefix, "etc", place, name)
        assert open(copy).read() == (ROOT / "docs/jupyter" / name).read_text(), "run make"

@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_saving_changes_nothing(path, lab):
    assert save(lab, lab.get(path.name)) == path.read_bytes()

@pytest.mark.parametrize("name", RUN)
def test_run_all_and_save_changes_nothing(name, lab):
    model = lab.get(f"{name}.ipynb")
    run_all(model["content"], lab.root_dir)
    assert save(lab, model) == (ROOT / "nbs" / model["path"]).read_bytes()

@pytest.mark.skipif(sys.version_info < (3, 13), reason="no program of Python's own has colors")
def test_what_programs_print_has_no_colors(lab):
    from nbformat.v4 import new_code_cell, new_notebook
    source = "import subprocess, sys\n!{sys.executable} -c 1/0"
    nb = new_notebook(cells=[new_code_cell(source)])
    run_all(nb, lab.root_dir)
    (out,) = nb.cells[0].outputs
    assert "ZeroDivisionError" in out["text"] and "\x1b" not in out["text"]
