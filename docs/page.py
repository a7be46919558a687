"""One page of the site, as its notebook lies there, with the outputs that it has: nothing is run.

    make page P=entropy"""
import argparse, gc, json
from difflib import get_close_matches
from pathlib import Path

import build, execute, reader
from execute import ROOT

PLACE = ROOT / "docs/_build/page"

def light(path):
    "A notebook of which only the titles and labels are needed."
    nb = json.loads(path.read_text("utf-8"))
    for cell in nb["cells"]: cell["source"] = "".join(cell["source"])
    return nb

def name_of(word, names):
    "The notebook that is meant by entropy, 110_entropy or 110_entropy.ipynb."
    word = Path(word).stem
    found = [name for name in names if word in (name, reader.page(name))]
    if found: return found[0]
    near = get_close_matches(word, map(reader.page, names), 3) or ["entropy"]
    raise SystemExit(f"there is no page {word}; there is P={', P='.join(near)}")

def text_of(name, root=ROOT):
    "The source that Sphinx makes a page of."
    nbs = {path.stem: light(path) for path in execute.notebooks(root)}
    nbs[name] = execute.load(execute.paths(root)[name])
    return json.dumps(reader.read(nbs[name], name, build.bound(root, nbs, {})[0]))

def built(name, place=PLACE):
    "Make one page; return the file to open."
    from sphinx.cmd.build import build_main
    page, source = reader.page(name), place / name / "source"
    build.write(source / f"{page}.ipynb", text_of(name))
    # the other pages are not there, so links to them have no target
    build_main(["-q", "-c", str(Path(__file__).parent), "-d", str(place / name / "doctrees"),
                "-D", f"root_doc={page}", str(source), str(place / name / "site")])
    return place / name / "site" / f"{page}.html"

def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", help="its name, such as entropy")
    gc.set_threshold(200_000)                   # what is made here is kept
    name = name_of(parser.parse_args().page, execute.paths(ROOT))
    print(built(name).as_uri())

if __name__ == "__main__":
    try: main()
    except reader.BuildError as e: raise SystemExit(f"\n{e}")
