"Export the library, execute the notebooks, build the site.  --refresh: write the outputs back into nbs/ instead."
import argparse, json, re, runpy, shutil, sys, tempfile
from contextlib import chdir
from pathlib import Path

import execute, reader, reference
from execute import ROOT, load, notebooks, settings

def write(path, data):
    "Write a file only when it would change, so that what depends on it rests. True when it did."
    data = data.encode() if isinstance(data, str) else data
    if path.exists() and path.read_bytes() == data: return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return True

def exported(root, folder):
    "What the notebooks export, made in an empty folder: bytes by path."
    from nbdev.config import get_config
    from nbdev.doclinks import nbdev_export
    shutil.copy2(root / "settings.ini", folder)
    shutil.copytree(root / "nbs", Path(folder) / "nbs", ignore=shutil.ignore_patterns(".*"))
    lib = Path(folder) / settings(root)["lib_path"]
    lib.mkdir()
    with chdir(folder):
        get_config.cache_clear()         # nbdev remembers the first project it sees
        nbdev_export.__wrapped__()
    get_config.cache_clear()
    return {str(p.relative_to(folder)): p.read_bytes() for p in lib.rglob("*.py")}

def export(root):
    "Export the notebooks; touch only the modules that differ."
    with tempfile.TemporaryDirectory() as folder: modules = exported(root, folder)
    changed = [path for path, data in modules.items() if write(root / path, data)]
    if changed: print("  exported", *changed)

# The floors of the house by the first digit of a notebook's number.
FLOORS = {"0": "The ground", "1": "How mixed, what worth, where", "2": "The splitter", "3": "Trees", "4": "Pruning",
          "5": "Neighbours", "[678]": "The package", "9": "Looking things up"}

def toctree(entries, caption=""):
    "A table of contents that only the sidebars show."
    return "\n".join(["", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), "", *entries, "```", ""])

def contents(title, lead, book, leads, floors, listed=True):
    "A page of rooms, floor by floor, each with its sentence."
    text = [f"# {title}", "", f'<div class="lead">\n\n{lead}\n\n</div>', ""]
    for floor, caption in floors.items():
        rooms = [name for name in book.titles if re.match(floor, name)]
        if not rooms: continue
        if len(floors) > 1: text += [f"## {caption}", ""]
        text += ['<div class="rooms">', ""]
        text += [f'- <span class="room">{name.split("_")[0]}</span> **[{book.titles[name]}]({reader.page(name)}.ipynb)** {leads[name]}' for name in rooms]
        text += ["", "</div>", ""]
        if listed and floor != "9": text.append(toctree(map(reader.page, rooms), caption))
    return "\n".join(text)

def sources(root, records):
    "The sources of the site, by path."
    nbs = {p.stem: execute.combine(load(p), records[p.stem]) for p in notebooks(root)}
    library = settings(root)["lib_path"]
    syms = runpy.run_path(str(root / library / "_modidx.py"))["d"]["syms"]
    book = reader.bind(nbs, reader.public(syms), records, library)
    pages = {name: reader.read(nb, name, book) for name, nb in nbs.items()}
    reader.verify(pages)
    leads = {name: reader.lead(nb, name, book) for name, nb in nbs.items()}
    look = [name for name in nbs if name[0] == "9"]
    texts = {"derivations.md": contents("The derivations", "Read them in order, or open the one you need: each page runs on its own.", book, leads, FLOORS)}
    if look: texts["lookup.md"] = contents("Looking things up", "What the documents say, which of it is true, and in which words.", book, leads, {"9": FLOORS["9"]}) + toctree(map(reader.page, look))
    texts |= reference.reference(root, book, nbs, pages, FLOORS)
    tops = ["Home <self>", "Read <derivations>", "Use <reference/index>"] + ["Look up <lookup>"] * bool(look)
    if "index" in pages: pages["index"]["cells"].append(reader.markdown_cell(toctree(tops)))
    else: texts["index.md"] = f"# {library}\n" + toctree(tops)
    return texts | {f"{reader.page(name)}.ipynb": json.dumps(nb, ensure_ascii=False, indent=1) for name, nb in pages.items()}

def site(root, records):
    "Write the sources and let Sphinx make the site of them. True when it is whole."
    from sphinx.cmd.build import build_main
    source, out = root / "docs/_build/source", root / "docs/_site"
    texts = sources(root, records)
    for path, text in texts.items(): write(source / path, text)
    for old in [p for p in source.rglob("*.*") if str(p.relative_to(source)) not in texts]:
        old.unlink()
        (out / old.relative_to(source)).with_suffix(".html").unlink(missing_ok=True)
    docs = str(Path(__file__).parent)
    return build_main(["-q", "-W", "--keep-going", "-c", docs, "-d", str(root / "docs/_build/doctrees"), str(source), str(out)]) == 0

def refreshed(nb, record):
    "The text of a notebook with the outputs of its last run, clean, and with PNG figures, which JupyterLab and GitHub show to everyone."
    import nbformat
    from nbdev.clean import _nbdev_clean
    nb = execute.combine(nb, record)
    for cell in execute.code_cells(nb):
        for out in cell["outputs"]:
            if "image/png" in out.get("data", {}): out["data"].pop("image/svg+xml", None)
    _nbdev_clean(nb)
    return nbformat.writes(nbformat.from_dict(nb)).rstrip("\n") + "\n"

def refresh(root, records):
    "Write the outputs back into the notebooks that differ."
    with chdir(root): changed = [p.name for p in notebooks(root) if write(p, refreshed(load(p), records[p.stem]))]
    print("  renewed", *changed) if changed else print("  every output is as it was")

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refresh", action="store_true", help="write the outputs back into nbs/ instead of building the site")
    parser.add_argument("--root", type=Path, default=ROOT, help="another project of the same shape")
    args = parser.parse_args()
    root = args.root.resolve()
    print("library"); export(root)
    print("notebooks"); records = execute.execute(root)
    if failed := execute.failures(records): sys.exit("\n\n".join(["", *failed]))
    if args.refresh: return refresh(root, records)
    print("site")
    try: done = site(root, records)
    except reader.BuildError as e: sys.exit(f"\n{e}")
    if not done: sys.exit("\nThe site is not whole: see above.")
    print(f"\nThe site is {(root / 'docs/_site/index.html').as_uri()}\n`make serve` puts it on localhost, `make lab` opens the notebooks.")

if __name__ == "__main__": main()
