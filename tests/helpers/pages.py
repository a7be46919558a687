"One run of the notebooks; and what stands in them."
import ast
import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from types import SimpleNamespace

from helpers.places import ROOT

DEFINES = ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef

@cache
def on_page(name):
    "What a page has, also what it does not export: names that it imports and defines."
    page, = (ROOT / "nbs").rglob(f"{name}.ipynb")
    cells = json.loads(page.read_text("utf-8"))["cells"]
    sources = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    homes = re.findall(r"^#\| default_exp (\S+)", "\n".join(sources), re.M)
    found = dict(vars(import_module(f"dtree_lit.{homes[0]}"))) if homes else {}
    for source in sources:
        if re.match(r"#\| (default_exp|export)", source): continue
        if all(isinstance(n, DEFINES) for n in ast.parse(source).body): exec(source, found)
    return SimpleNamespace(**found | dict(__name__=f"page_{name}"))

def executed(**how):
    "The records of notebooks; by a thread, since a test of the browser keeps a loop in this one."
    import execute
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(execute.execute, ROOT, **how).result()
