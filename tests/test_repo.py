"The repository is in order: library, notebooks and floors."
import ast
import json
import re
import shutil
from contextlib import chdir

import build
import execute
import pytest
import reader

ROOT = execute.ROOT
LIB = execute.settings(ROOT)["lib_path"]
NOTEBOOKS = execute.notebooks(ROOT)
SOURCES = {p.stem: execute.load(p) for p in NOTEBOOKS}

def test_library_is_what_the_notebooks_export(tmp_path):
    fresh = build.exported(ROOT, tmp_path)
    kept = {str(p.relative_to(ROOT)): p.read_bytes() for p in (ROOT / LIB).rglob("*.py")}
    differ = sorted(p for p in fresh.keys() | kept.keys() if fresh.get(p) != kept.get(p))
    assert not differ, f"run make: {differ}"

def test_notebooks_are_clean(tmp_path):
    from nbdev.clean import nbdev_clean
    from nbdev.config import get_config
    shutil.copy2(ROOT / "settings.ini", tmp_path)
    shutil.copytree(ROOT / "nbs", tmp_path / "nbs", ignore=shutil.ignore_patterns(".*"))
    with chdir(tmp_path):
        get_config.cache_clear()
        nbdev_clean.__wrapped__()
    get_config.cache_clear()
    assert not [p.name for p in NOTEBOOKS if p.read_bytes() != (tmp_path / "nbs" / p.name).read_bytes()], "run make refresh"

@pytest.mark.parametrize("name", SOURCES)
def test_outputs_are_small(name):
    sizes = [len(json.dumps(out)) for c in execute.code_cells(SOURCES[name]) for out in c["outputs"]]
    assert max(sizes, default=0) <= 200_000

def texts(cell):
    "What a cell shows in words; the repr of a figure counts as a picture."
    shown = [{k: v for k, v in out.get("data", {}).items() if k.startswith("text/")} | {k: out[k] for k in ("text", "ename") if k in out} for out in cell["outputs"]]
    return [{k: rounded(v) for k, v in s.items() if not str(v).startswith("<Figure")} for s in shown]

def rounded(text):
    "A text whose long decimals are cut to what every processor agrees on."
    return re.sub(r"\d+\.\d{10,}", lambda m: f"{float(m[0]):.9g}", text) if isinstance(text, str) else text

@pytest.mark.parametrize("name", SOURCES)
def test_committed_outputs_are_fresh(name, records):
    renewed = json.loads(json.dumps(SOURCES[name]))
    with chdir(ROOT): renewed = execute.load_text(build.refreshed(renewed, records[name]))
    for kept, new in zip(execute.code_cells(SOURCES[name]), execute.code_cells(renewed), strict=True):
        assert texts(kept) == texts(new), f"run make refresh: {kept['source']}"

def exported(nb):
    "The exported code cells."
    return [c["source"] for c in execute.code_cells(nb) if {"export", "exports", "exporti"} & reader.directives(c["source"]).keys()]

def imports(source):
    "(module, at the top of the cell?) of each import."
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import): yield from ((a.name, node in tree.body) for a in node.names)
        if isinstance(node, ast.ImportFrom): yield from ((node.module if node.module != LIB else f"{LIB}.{a.name}", node in tree.body) for a in node.names)

@pytest.mark.parametrize("name", [n for n in SOURCES if n != "60_package"])
def test_exported_code_looks_down(name):
    rooms = {module: n for n, nb in SOURCES.items() if (module := reader.module_of(nb, LIB))}
    for source in exported(SOURCES[name]):
        for module, top in imports(source):
            if module.startswith(LIB + "."): assert rooms[".".join(module.split(".")[:2])] < name, f"{name} looks up at {module}"
            if module.split(".")[0] == "matplotlib": assert name == "02_figures" or not top, f"{name} imports matplotlib for everyone"
            if module.split(".")[0] == "sklearn": assert name == "32_estimator", f"{name} imports scikit-learn"

def test_no_file_names_a_machine():
    place = re.compile(rb"(?<![\w.:/-])/(?:home|Users|root|tmp|work|var|mnt)/\w|[A-Z]:\\\\?Users")
    hidden = {".git", ".venv", "_build", "_site", "__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".hypothesis", "build", "dist"}
    files = [p for p in ROOT.rglob("*") if p.is_file() and not hidden & set(p.relative_to(ROOT).parts) and ".egg-info" not in str(p)]
    assert not [f"{p.relative_to(ROOT)}: {m[0]}" for p in files if (m := place.search(re.sub(rb'"image/png": "[^"]*"', b"", p.read_bytes())))]
