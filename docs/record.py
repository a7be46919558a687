"""Make the record that a page shows: run the page with the cells that are kept still.  python
docs/record.py 655_side_by_side"""
import os, sys
os.environ["DTREE_LIT_RENT"] = "0"                 # what is timed is what is compiled
os.environ.setdefault("MPLBACKEND", "agg")
from execute import ROOT, code_cells, load, paths

def record(name, until="eval: false"):
    "Run the code cells up to the last one that is kept still, which writes."
    path = paths(ROOT)[name]
    cells = [c["source"] for c in code_cells(load(path))]
    last = max(i for i, source in enumerate(cells) if source.startswith(f"#| {until}"))
    sys.path.insert(0, str(ROOT))
    os.chdir(path.parent)
    page = dict(__name__="__main__")
    for source in cells[:last + 1]: exec(source, page)

if __name__ == "__main__": record(*sys.argv[1:2])
