"""Compile the kernels for all common processors of this kind of machine, and link them.

    make wheel                      dist/dtree_lit-…-cp311-cp311-linux_x86_64.whl
    python docs/machine_code.py --code     the library of kernels alone, in dtree_lit/machine/

Linking needs a C compiler and Python's headers. What is there already, of the same code and for
the same Python and numba, is not made again."""
import argparse, json, os, pickle, shlex, shutil, subprocess, sys, sysconfig, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dtree_lit"
MACHINE, KEY = PACKAGE / "machine", "made_of.json"
V3 = "avx2 bmi2 f16c fma lzcnt movbe popcnt".split()       # of x86-64-v3

def needed():
    "What the machine code may use of a processor: x86-64-v3, if this machine has it."
    from numba.core.registry import cpu_target
    has = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return V3 if {f"+{name}" for name in V3} <= {*has} else []

def made_of():
    "On what the machine code depends: the code of each module, Python, numba and the processor."
    import numba
    from dtree_lit.workshop.jit import sources_of, stamp
    modules = sources_of(PACKAGE)
    return {"python": sys.implementation.cache_tag, "numba": numba.__version__,
            "needs": needed(),
            "modules": {name: stamp(f"{PACKAGE.name}.{name}") for name in sorted(modules)}}

# A module for Python, of the kernels and of numba's runtime for arrays, which numba has in C.
MODULE = """
#define PYCC_MODULE_NAME kernels
#define PYCC_USE_NRT 1
#include "pycc/modulemixin.c"
%(declared)s
static PyMethodDef entries[] = {%(entries)s {NULL}};
static env_def_t constants[] = {%(constants)s {NULL}};
static env_gv_t places[] = {%(places)s NULL};
static struct PyModuleDef about = {PyModuleDef_HEAD_INIT, "kernels", NULL, -1, entries};

PyMODINIT_FUNC PyInit_kernels(void)
{
    if (!(%(fits)s)) {
        PyErr_SetString(PyExc_ImportError, "this processor lacks a feature that the kernels use");
        return NULL;
    }
    PyObject *made = PyModule_Create(&about);
    if (!made || pycc_init_kernels(made, entries, constants, places)) return NULL;
%(addresses)s
    PyModule_AddObject(made, "table", PyBytes_FromStringAndSize(%(table)s));
    return made;
}

void count_arrays(void) { NRT_MemSys_enable_stats(); }                   /* for a test */
size_t arrays_made(void) { return NRT_MemSys_get_stats_alloc(); }
size_t arrays_freed(void) { return NRT_MemSys_get_stats_free(); }
"""

def in_c(data):
    "Bytes as two arguments in C: a pointer, and how many."
    text = "".join(rf"\x{byte:02x}" for byte in data)
    return f'"{text}", {len(data)}'

def module_of(kernels, needs):
    "The source of the module that holds these kernels, for a processor with these features."
    parts = dict.fromkeys(("declared", "entries", "constants", "places", "addresses"), "")
    for i, (_, args, symbol, env, consts) in enumerate(kernels):
        if args is None:
            parts["declared"] += f"void {symbol}(void);\n"
            parts["addresses"] += (f'    PyModule_AddObject(made, "kernel{i}", '
                                   f"PyLong_FromVoidPtr({symbol}));\n")
            continue
        parts["declared"] += (f"PyObject *{symbol}(PyObject *, PyObject *, PyObject *);\n"
                              f"extern void *{env};\n")
        parts["entries"] += f'{{"kernel{i}", (PyCFunction) {symbol}, METH_VARARGS, NULL}},\n'
        parts["constants"] += f"{{{in_c(pickle.dumps(consts))}}},\n"
        parts["places"] += f"&{env},\n"
    fits = " && ".join(f'__builtin_cpu_supports("{name}")' for name in needs) or "1"
    table = in_c(pickle.dumps([(name, args) for name, args, *_ in kernels]))
    return MODULE % (parts | dict(fits=fits, table=table))

class Unlinked(Exception):
    "Why there is no library of kernels."

def compilers():
    "The commands that compile C and C++."
    return {name: shlex.split(os.environ.get(name) or sysconfig.get_config_var(name))
            for name in ("CC", "CXX")}

def lacking():
    "What linking needs and is not here; empty: nothing is lacking."
    needed = {command[0]: shutil.which(command[0]) for command in compilers().values()}
    needed["Python.h"] = (Path(sysconfig.get_paths()["include"]) / "Python.h").exists()
    return " and ".join(name for name, there in needed.items() if not there)

def link(folder, needs, out):
    "Link the object files of a folder into a module for Python."
    import numba, numpy as np
    found = [pickle.loads(path.read_bytes()) for path in sorted(folder.iterdir())]
    for i, (_, code) in enumerate(found): (folder / f"{i}.o").write_bytes(code)
    runtime = Path(numba.__file__).parent
    (folder / "kernels.c").write_text(module_of([entry for entry, _ in found], needs), "utf-8")
    setting = compilers()
    flags = ["-O2", "-fPIC", "-w", f"-I{runtime}", f"-I{np.get_include()}",
             f"-I{sysconfig.get_paths()['include']}"]
    def run(*command):
        if subprocess.run([*map(str, command)], cwd=folder).returncode:
            raise Unlinked(f"the kernels could not be linked, because {command[0]} failed")
    run(*setting["CC"], *flags, "-c", "kernels.c", "-o", "kernels.o")
    run(*setting["CXX"], *flags, "-c", runtime / "core/runtime/nrt.cpp", "-o", "runtime.o")
    module = f"kernels{sysconfig.get_config_var('EXT_SUFFIX')}"
    run(*setting["CXX"], "-shared", "-s", "-o", out / module, "kernels.o", "runtime.o",
        *(f"{i}.o" for i in range(len(found))), "-lm")

def code():
    "Make the library of kernels, in a copy of the package, and put it into its place in one step."
    about = made_of()
    want, there = json.dumps(about, indent=1), MACHINE / KEY
    if there.exists() and there.read_text("utf-8") == want: return
    if lacking(): raise Unlinked(f"the library of kernels needs {lacking()}, which is not here")
    print("  compiling all kernels, for all common processors of this kind", flush=True)
    processor = "x86-64-v3" if about["needs"] else "generic"
    made = ROOT / "docs/_build"                     # on the same disk, and ignored by git
    made.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made) as top:
        copy, out = Path(top) / PACKAGE.name, Path(top) / "machine"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "machine"))
        for folder in (copy / "machine", out): folder.mkdir()
        subprocess.run([sys.executable, "-m", PACKAGE.name, "compile"], cwd=top, check=True,
                       stdout=subprocess.DEVNULL,
                       env=os.environ | dict(PYTHONPATH=top, DTREE_LIT_MACHINE="make",
                                             NUMBA_CACHE_DIR=str(Path(top) / "kept"),
                                             NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES=""))
        link(copy / "machine", about["needs"], out)
        (out / KEY).write_text(want, "utf-8")
        if MACHINE.exists(): MACHINE.rename(Path(top) / "old")
        out.rename(MACHINE)

def code_where_possible():
    "Make the library of kernels; say so where it cannot be linked."
    try: code()
    except Unlinked as e: print(f"  {e}: numba will compile what is needed", flush=True)

def wheel(out=ROOT / "dist"):
    "A wheel with machine code, whose name says for which Python and which machine it is."
    code()
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", out, ROOT]
    subprocess.run(build, cwd=ROOT, env=os.environ | dict(DTREE_LIT_MACHINE="pack"), check=True,
                   stdout=subprocess.DEVNULL)
    made = [path for path in Path(out).glob("*.whl") if not path.stem.endswith("none-any")]
    return max(made, key=lambda path: path.stat().st_mtime)

def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--code", action="store_true", help="make the library, and no wheel")
    if parser.parse_args().code: return code_where_possible()
    try: made = wheel()
    except Unlinked as e: sys.exit(str(e))
    print(f"{made.relative_to(ROOT)}  {made.stat().st_size / 1e6:.1f} MB")

if __name__ == "__main__": main()
