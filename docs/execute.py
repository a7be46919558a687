"""Run the notebooks as JupyterLab would, and keep what came out: one small record each, in
docs/_build/executed/."""
import ast, asyncio, hashlib, json, multiprocessing.forkserver, os, re, sys, time
from configparser import ConfigParser
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import machine_code
from reader import directives

ROOT = Path(__file__).resolve().parent.parent
MATPLOTLIBRC, KERNEL = (Path(__file__).with_name("matplotlibrc"),
                        Path(__file__).parent / "jupyter/ipython_kernel_config.py")
HOW = MATPLOTLIBRC, KERNEL
# Pages that compute for more than eight seconds, and why; they begin first, or the last of them
# would keep one processor busy at the end.
LONG = {"530_cost_complexity": "five ways to stop on six tables, eight times each",
        "495_optimal_classifier": "five learners on ten tables, ten times each",
        "497_optimal_regressor": "three learners on ten tables, ten times each",
        "230_complexity": "every cut of thousands of nodes is counted in numpy"}
# the kernel of this very Python, whatever else a home has installed
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
# jsonschema, which nbformat imports, would compile a grammar of addresses for seconds
sys.modules.setdefault("rfc3987_syntax", None)
PACKAGES = "numpy", "numba", "matplotlib", "scikit-learn", "pandas"

def settings(root):
    "What settings.ini says."
    ini = ConfigParser(delimiters=["="])
    ini.read(root / "settings.ini", encoding="utf-8")
    return ini["DEFAULT"]

def notebooks(root):
    "The paths of all notebooks, whatever folder they are in, by their numbers."
    top = root / "nbs"
    found = [p for p in top.rglob("*.ipynb")
             if not any(part[0] in "._" for part in p.relative_to(top).parts)]
    return sorted(found, key=lambda p: p.stem)

def paths(root):
    "The path of each notebook, by its name."
    return {p.stem: p for p in notebooks(root)}

def folders(root):
    "The folder below nbs in which each notebook lies, by its name."
    return {name: p.parent.relative_to(root / "nbs").as_posix() for name, p in paths(root).items()}

def load(path):
    "A notebook, as a dict whose sources and texts are single strings."
    import nbformat
    try: return nbformat.read(path, as_version=4)
    except Exception as e: sys.exit(f"{path.name} is no notebook that can be read: {e}")

def load_text(text):
    "The same, from a text."
    import nbformat
    return nbformat.reads(text, as_version=4)

def code_cells(nb):
    "The code cells, in order."
    return [c for c in nb["cells"] if c["cell_type"] == "code"]

def is_run(source):
    "Is this cell run, or does a directive (or its calling nbdev_export) keep it still?"
    return directives(source).get("eval") != "false" and "nbdev_export(" not in source

def count_checks(source):
    """How many asserts and calls of check or same a cell has; a definition that is shown is no
    check."""
    from IPython.core.inputtransformer2 import TransformerManager
    from dtree_lit.workshop.claims import claims
    def could_fail(call):
        shown = [claims()[a.value] for a in call.args[:1]
                 if isinstance(a, ast.Constant) and a.value in claims()]
        return all(c.decided and c.evidence != "definition" for c in shown)
    def checks(node):
        if isinstance(node, ast.Assert): return True
        if not isinstance(node, ast.Call): return False
        name = getattr(node.func, "id", "")
        return name == "same" or name == "check" and could_fail(node)
    return sum(map(checks, ast.walk(ast.parse(TransformerManager().transform_cell(source)))))

def versions():
    "What the results may depend on, besides our own sources."
    return {"Python": "%d.%d.%d" % sys.version_info[:3]} | {p: version(p) for p in PACKAGES}

class Library(NamedTuple):
    "What notebooks stand on."
    modules: dict     # name -> what read_code says of it: its code, and what it imports
    texts: dict       # name -> its source
    data: dict        # file name -> its bytes: what the library reads, and what only pages read
    settings: bytes   # how notebooks are run

def library(root):
    "The library as it lies there."
    from dtree_lit.workshop.jit import read_code, sources_of
    folder = root / settings(root)["lib_path"]
    texts = sources_of(folder)
    data = {p.name: p.read_bytes() for place in (folder, root / "nbs")
            for p in sorted((place / "data").iterdir()) if p.is_file()}
    return Library({name: read_code(text, name) for name, text in texts.items()}, texts, data,
                   b"".join(p.read_bytes() for p in HOW))

def stands_on(cells, modules):
    "The modules on which the code of cells stands: those that it names, and what they import."
    from dtree_lit.workshop.jit import reached
    from dtree_lit.workshop.machine_code import PACKAGE
    code = "\n".join(cells)
    # any of its names may be meant
    if re.search(rf"(from|import) {PACKAGE}\b(?!\.)", code): return sorted(modules)
    named = [path + "." for path in re.findall(rf"{PACKAGE}\.([\w.]+)", code)]
    # a module, something in it, or the folder in which it is
    return reached([name for name in modules
                    if any(path.startswith(name + ".") or name.startswith(path)
                           for path in named)], modules)

def stamp(nb, lib):
    """A hash of all that a notebook's outputs depend on: its code, the code and the data on
    which it stands, versions."""
    cells = [c["source"] for c in code_cells(nb)]
    modules = stands_on(cells, lib.modules)
    words = "\n".join(cells + [lib.texts[name].decode() for name in modules])
    data = {name: hashlib.sha256(there).hexdigest()
            for name, there in lib.data.items() if name.split(".")[0] in words}
    parts = (cells, versions(), [(name, lib.modules[name].code) for name in modules], data,
             lib.settings.hex())
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

def record_path(root, name):
    "Where the record of a notebook lies."
    return root / "docs/_build/executed" / f"{name}.json"

def read_record(root, name):
    "The record of a notebook's last run, or an empty one."
    path = record_path(root, name)
    return json.loads(path.read_text("utf-8")) if path.exists() else {}

def combine(nb, record):
    "The notebook with the outputs of a run; a cell that was not run keeps what it has."
    nb = deepcopy(nb)
    for cell, outputs in zip(code_cells(nb), record["outputs"], strict=True):
        if outputs is not None: cell["outputs"] = deepcopy(outputs)
    return nb

def failure(name, nb, error):
    "What went wrong, in which cell."
    for number, cell in enumerate(nb["cells"], 1):
        for out in cell.get("outputs", []):
            if out["output_type"] == "error":
                where = f"{name}, cell {number} of {len(nb['cells'])}:"
                return "\n".join([where, "",
                                  *("    " + line for line in cell["source"].splitlines()), "",
                                  *out["traceback"]])
    return f"{name}: {type(error).__name__}: {error}"

def environment(root):
    "What a page's process finds around it, so that its results depend on nothing else."
    ipython = root / "docs/_build/ipython"          # a reader's own start-up files change no result
    (ipython / "profile_default").mkdir(parents=True, exist_ok=True)
    return os.environ | dict(
        PYTHONPATH=os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")])),
        PYTHONHASHSEED="0", SOURCE_DATE_EPOCH="0", DTREE_LIT_RENT="0",
        # several threads add in another order, and pages run side by side
        OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
        PYDEVD_DISABLE_FILE_VALIDATION="1",     # or the debugger, which each kernel has, warns
        MATPLOTLIBRC=str(MATPLOTLIBRC), IPYTHONDIR=str(ipython))

def warm_up(env):
    """Begin the process that imports once what most pages import, and from which their kernels
    are forked."""
    before = dict(os.environ)
    os.environ.update(env, MPLBACKEND="module://matplotlib_inline.backend_inline",
                      PYTHONPATH=os.pathsep.join([env["PYTHONPATH"], str(Path(__file__).parent)]))
    multiprocessing.set_forkserver_preload(["warm"])
    multiprocessing.forkserver.ensure_running()
    os.environ.clear()
    os.environ.update(before)

def forked(command, folder, env):
    "What a forked process does: it is a kernel, as if it had been started by this command."
    from ipykernel.kernelapp import IPKernelApp
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.path[:] = [place for place in sys.path if place != str(Path(__file__).parent)]
    # it ends when that process does
    IPKernelApp.launch_instance(argv=command[command.index("-f"):], parent_handle=os.getppid())

def manager():
    "Whose kernels are forked. That is safe on Linux; elsewhere each starts by itself."
    from jupyter_client import AsyncKernelManager
    from jupyter_client.provisioning import LocalProvisioner
    if sys.platform != "linux": return AsyncKernelManager

    class Process:
        "A process of multiprocessing, spoken to as if subprocess had made it."
        stdin = stdout = stderr = None
        def __init__(self, process): self.process, self.pid = process, process.pid
        def poll(self): return self.process.exitcode
        def wait(self): return self.process.join() or self.process.exitcode
        def send_signal(self, signal): os.kill(self.pid, signal)

    class Forking(LocalProvisioner):
        async def launch_kernel(self, cmd, **kw):
            process = multiprocessing.get_context("forkserver").Process(
                target=forked, args=(cmd, kw["cwd"], kw["env"]))
            process.start()
            self.process, self.pid, self.cwd = Process(process), process.pid, kw["cwd"]
            return self.connection_info

    class Manager(AsyncKernelManager):
        async def _async_pre_start_kernel(self, **kw):
            self.provisioner = Forking(kernel_spec=self.kernel_spec, parent=self)
            return await super()._async_pre_start_kernel(**kw)
        pre_start_kernel = _async_pre_start_kernel

    return Manager

async def run(path, nb, env, png):
    "Run one notebook in a kernel of its own; a record, or the text of the failure."
    import nbformat
    from nbclient import NotebookClient
    skipped = [not is_run(c["source"]) for c in code_cells(nb)]
    nb = deepcopy(nb)
    for cell, skip in zip(code_cells(nb), skipped):
        cell["outputs"] = []
        if skip: cell["metadata"]["tags"] = ["skip-execution"]
    client = NotebookClient(
        nb, timeout=600, kernel_name="python3", coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
        kernel_manager_class=manager(),
        extra_arguments=["--log-level=ERROR"]
        + ["--InlineBackend.figure_formats=svg"] * (not png))       # all that the site shows
    start = time.time()
    try: await client.async_execute(env=env)
    except Exception as error: return failure(path.stem, nb, error)
    sources = [c["source"] for c, skip in zip(code_cells(nb), skipped) if not skip]
    return dict(
        date=time.strftime("%Y-%m-%d"), seconds=round(time.time() - start, 1), versions=versions(),
        png=png, cells=len(sources), checks=sum(map(count_checks, sources)),
        outputs=[None if skip
                 else json.loads(nbformat.v4.writes_json(nbformat.v4.new_notebook(cells=[c]),
                                                         split_lines=False))["cells"][0]["outputs"]
                 for c, skip in zip(code_cells(nb), skipped)])

async def run_all(root, nbs, stamps, png):
    "Run notebooks side by side: one more than there are processors, since each waits now and then."
    turn, results, env = asyncio.Semaphore(1 + (os.cpu_count() or 1)), {}, environment(root)
    where = paths(root)
    if nbs and sys.platform == "linux": warm_up(env)
    async def one(name, nb):
        async with turn: result = await run(where[name], nb, env, png)
        if isinstance(result, dict):
            result["stamp"] = stamps[name]
            kept = record_path(root, name)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(result), "utf-8")
            print(f"  {name:<16} {result['seconds']:6.1f} s", flush=True)
        else: print(f"  {name:<16} failed", flush=True)
        results[name] = result
    await asyncio.gather(*(one(name, nbs[name])
                           for name in sorted(nbs, key=lambda name: name not in LONG)))
    return results

def execute(root=ROOT, names=None, force=False, png=False):
    """Run the notebooks (all, or those named) whose record is out of date; with figures as PNG,
    too, which take as long again. A dict: record by name, or the text of a failure."""
    root = Path(root)
    lib = library(root)
    nbs = {p.stem: load(p) for p in notebooks(root) if names is None or p.stem in names}
    stamps = {name: stamp(nb, lib) for name, nb in nbs.items()}
    records = {name: read_record(root, name) for name in nbs}
    fresh = {name for name, r in records.items()
             if r.get("stamp") == stamps[name] and (r.get("png") or not png) and not force}
    if fresh:
        print(f"  unchanged: {' '.join(sorted(fresh))}" if len(fresh) < 4
              else f"  unchanged: {len(fresh)} notebooks", flush=True)
    stale = {name: nb for name, nb in nbs.items() if name not in fresh}
    # once and by all processors, before pages run side by side and each would do it
    if len(stale) > 1 and root == ROOT: machine_code.code_where_possible()
    return records | asyncio.run(run_all(root, stale, stamps, png))

def failures(results):
    "The texts of what failed, coloured only where a terminal shows it."
    texts = [r for r in results.values() if isinstance(r, str)]
    return texts if sys.stdout.isatty() else [re.sub(r"\x1b\[[0-9;]*m", "", t) for t in texts]

if __name__ == "__main__":
    failed = failures(execute(names=[Path(a).stem for a in sys.argv[1:]] or None))
    print(*failed, sep="\n\n")
    sys.exit(bool(failed))
