"""Is what would be published what its users need? Build it, install it where nothing else is, try
it as they do, and remove it again.

    make release-check                          on every Python of settings.ini that is here
    make release-check ARGS=/path/to/python3.14    and on this one"""
import argparse, os, re, shutil, subprocess, sys, tarfile, tempfile, time
from configparser import ConfigParser
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
AT_MOST = 0.1                                  # seconds that `import dtree_lit` may take

def settings():
    ini = ConfigParser(delimiters=["="])
    ini.read(ROOT / "settings.ini", encoding="utf-8")
    return ini["DEFAULT"]

def run(*command, **options):
    "What a command prints; where it fails, the check ends with that."
    done = subprocess.run([*map(str, command)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode: sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout

def version_of(python):
    "The version of a Python, such as 3.12; empty: it does not run."
    asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try: return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError): return ""

def at_hand(versions, others=()):
    "By version the Pythons that run here: this one, those on the path, and others."
    found = [sys.executable, *(f"python{version}" for version in versions), *others]
    known = {version_of(python): python for python in reversed(found)}
    return {version: known[version] for version in versions if version in known}

def environment(folder, python=sys.executable):
    "The Python of a new environment."
    run(python, "-m", "venv", folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

def pip(python, *what, **options):
    return run(python, "-m", "pip", "--disable-pip-version-check", *what, **options)

def built(folder):
    """The source distribution, and the wheel that is built from it alone. What git ignores is left
    out: lists of an earlier build would bring back what has left the project."""
    known = "ls-files", "--cached", "--others", "--exclude-standard"
    for name in run("git", "-C", ROOT, *known).splitlines():
        if not (ROOT / name).exists(): continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    run(sys.executable, "-m", "build", "--no-isolation", folder)
    (source,), (wheel,) = folder.glob("dist/*.tar.gz"), folder.glob("dist/*.whl")
    return source, wheel

def metadata_of(wheel):
    with ZipFile(wheel) as z:
        return z.read(next(n for n in z.namelist() if n.endswith("/METADATA"))).decode()

def relative_links(text):
    "The links of a text that lead nowhere on a package index."
    return re.findall(r"\]\((?!https?:)([^)]*)\)", text)

def foreign(source):
    "The files of a source distribution that are neither the package nor what builds it."
    with tarfile.open(source) as t: names = {n.partition("/")[2] for n in t.getnames()}
    ours = ("dtree_lit", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "MANIFEST.in",
            "PKG-INFO", "pyproject.toml", "settings.ini", "setup.cfg", "setup.py")
    return sorted(name for name in names
                  if name and name.partition("/")[0].removesuffix(".egg-info") not in ours)

def rendered(files, folder):
    "Check that the description shows, with twine, in an environment of its own."
    twine = environment(folder)
    pip(twine, "install", "-q", "twine")
    run(twine, "-m", "twine", "check", "--strict", *files)

def tried(python, package, folder):
    """Install a package, do what the README says, and remove the package; return the seconds of
    the import. What this process is told about Python and the library, it is not told."""
    own, away = environment(folder / "env", python), folder / "elsewhere"
    away.mkdir()
    here = dict(cwd=away, env={name: value for name, value in os.environ.items() if not
                               name.startswith(("PYTHON", "DTREE_LIT", "NUMBA"))}
                | {"XDG_CACHE_HOME": str(folder / "cache")})
    pip(own, "install", "-q", package, **here)
    pip(own, "check", **here)
    ask = "import time; a = time.perf_counter(); import dtree_lit; print(time.perf_counter() - a)"
    seconds = sorted(float(run(own, "-c", ask, **here)) for _ in range(5))[2]
    run(own, "-X", "utf8", "-m", "doctest", "-o", "ELLIPSIS", ROOT / "README.md", **here)
    run(own, "-c", "from dtree_lit import gini; [gini([1] * 50_000) for _ in range(9)]", **here)
    if not any((folder / "cache").rglob("*.nbc")): sys.exit("nothing was compiled and kept")
    run(own, "-m", "dtree_lit", "--help", **here)
    pip(own, "install", "-q", "--dry-run", "dtree_lit[dask,excel,onnx]", **here)
    pip(own, "uninstall", "-q", "-y", "dtree_lit", **here)
    left = [path for path in (folder / "env").rglob("dtree[_-]lit*")]
    if left: sys.exit(f"after pip uninstall there is still {left[0]}")
    return seconds

def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs="*", help="commands of further Pythons")
    parser.add_argument("--alone", action="store_true", help="only on the Python that runs this")
    args, versions = parser.parse_args(), settings()["pythons"].split()
    if args.alone: versions = [version_of(sys.executable)]
    pythons = at_hand(versions, args.pythons)
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        source, wheel = built(top / "project")
        about = metadata_of(wheel)
        if links := relative_links(about): sys.exit(f"the description has relative links: {links}")
        if files := foreign(source): sys.exit(f"the source distribution has other files: {files}")
        sizes = (f"{file.name}  {file.stat().st_size / 1e6:.1f} MB" for file in (source, wheel))
        print(*sizes, message_from_string(about)["License-Expression"], sep=", ")
        rendered((source, wheel), top / "twine")
        print("twine check --strict passes", flush=True)
        packages = [(version, python, wheel) for version, python in pythons.items()]
        packages.append((next(iter(pythons)), next(iter(pythons.values())), source))
        for i, (version, python, package) in enumerate(packages):
            started, folder = time.perf_counter(), top / str(i)
            folder.mkdir()
            seconds = tried(python, package, folder)
            if seconds > AT_MOST: sys.exit(f"import dtree_lit took {seconds:.3f} s on {version}")
            print(f"Python {version}, {package.name}: installed, README runs, removed without a "
                  f"trace, import {seconds * 1000:.0f} ms "
                  f"({time.perf_counter() - started:.0f} s)", flush=True)
    if missing := [version for version in versions if version not in pythons]:
        print(f"not tried, because it is not here: Python {', '.join(missing)}")

if __name__ == "__main__": main()
