"""Draw one tree with three other tools, for the page that compares pictures of a tree.

    python docs/viewers.py          writes nbs/data/viewers/*.png

This needs what the project does not: dtreeviz with Graphviz's `dot`, supertree, R with rpart and
rpart.plot, and Chromium with playwright, which photographs what the first two write."""
import io, shutil, subprocess, tempfile
from pathlib import Path

import dtreeviz
import pandas as pd
from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.tree import DecisionTreeClassifier
from supertree import SuperTree

DATA = Path(__file__).resolve().parent.parent / "nbs/data"
RPART = """library(rpart); library(rpart.plot); d <- read.csv("{table}")
t <- rpart(cultivar ~ ., d, method = "class", minsplit = 2, minbucket = 1, cp = 0, maxdepth = 2)
png("{out}", 1040, 620, res = 140); rpart.plot(t); dev.off()"""

def photographed(path, out, width, height, box):
    "What Chromium shows of a file, within the border of one element."
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport=dict(width=width, height=height), device_scale_factor=2)
        page.goto(path.as_uri())
        page.wait_for_timeout(2000)                     # supertree moves its nodes to their places
        page.locator(box).first.screenshot(path=out)
        browser.close()

def small(path):
    "The same picture with 64 colors."
    data = io.BytesIO()
    Image.open(path).convert("RGB").quantize(64).save(data, "png", optimize=True)
    path.write_bytes(data.getvalue())

def main():
    "The tree of depth two for the wines, as each tool draws it unless told otherwise."
    table, out = DATA / "wine.csv", DATA / "viewers"
    X = pd.read_csv(table)
    y, names = X.pop("cultivar").factorize()
    y, names = pd.Series(y), names.tolist()
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        dtreeviz.model(tree, X, y, feature_names=X.columns.tolist(), target_name="cultivar",
                       class_names=names).view(scale=1.5).save(str(folder / "tree.svg"))
        photographed(folder / "tree.svg", out / "dtreeviz.png", 700, 600, "svg")
        SuperTree(tree, X, y, X.columns.tolist(), names).save_html(str(folder / "tree.html"))
        photographed(folder / "tree.html", out / "supertree.png", 700, 560, "svg.st-svg > g")
    subprocess.run(["Rscript", "-e", RPART.format(table=table, out=out / "rpart.png")], check=True)
    for path in out.glob("*.png"): small(path)

if __name__ == "__main__": main()
