"""Compile the kernels for all common processors of this kind of machine, and put them into a wheel.

    make wheel                      dist/dtree_lit-…-cp311-cp311-linux_x86_64.whl
    python docs/machine_code.py --code     the machine code alone, into dtree_lit/machine/

What is there already, of the same code and for the same Python and numba, is not made again."""
import argparse, json, os, shutil, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dtree_lit"
MACHINE, KEY = PACKAGE / "machine", "made_of.json"
V3 = "avx avx2 bmi bmi2 f16c fma lzcnt movbe popcnt".split()       # of x86-64-v3

def needed():
    "What the machine code may use of a processor: x86-64-v3, if this machine has it."
    from numba.core.registry import cpu_target
    has = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return V3 if {f"+{name}" for name in V3} <= {*has} else []

def portable():
    "The settings by which numba compiles for other processors than this one."
    return dict(DTREE_LIT_MACHINE="make", NUMBA_CPU_FEATURES="",
                NUMBA_CPU_NAME="x86-64-v3" if needed() else "generic")

def made_of():
    "On what the machine code depends: the code of each module, Python, numba and the processor."
    import numba
    from dtree_lit.workshop.jit import sources_of, stamp
    modules = sources_of(PACKAGE)
    return {"python": sys.implementation.cache_tag, "numba": numba.__version__, "needs": needed(),
            "modules": {name: stamp(f"{PACKAGE.name}.{name}") for name in sorted(modules)}}

def code():
    "Make the machine code, in a copy of the package, and put it into its place in one step."
    want = json.dumps(made_of(), indent=1)
    there = MACHINE / KEY
    if there.exists() and there.read_text("utf-8") == want: return
    print("  compiling all kernels, for all common processors of this kind", flush=True)
    made = ROOT / "docs/_build"                     # on the same disk, and ignored by git
    made.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made) as top:
        copy = Path(top) / PACKAGE.name
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "machine"))
        (copy / "machine").mkdir()
        subprocess.run([sys.executable, "-m", PACKAGE.name, "compile"], cwd=top, check=True,
                       stdout=subprocess.DEVNULL,
                       env=os.environ | portable() | dict(PYTHONPATH=top))
        (copy / "machine" / KEY).write_text(want, "utf-8")
        if MACHINE.exists(): MACHINE.rename(Path(top) / "old")
        (copy / "machine").rename(MACHINE)

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
    parser.add_argument("--code", action="store_true", help="make the machine code, and no wheel")
    if parser.parse_args().code: return code()
    made = wheel()
    print(f"{made.relative_to(ROOT)}  {made.stat().st_size / 1e6:.1f} MB")

if __name__ == "__main__": main()
