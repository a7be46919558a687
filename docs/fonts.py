"""Make docs/_static/fonts of two packages of pip: the letters that the pages use, regular to bold.
pip install fontpkg-source-sans-3==3.52 fontpkg-source-code-pro==1.26 brotli"""
from importlib.resources import files
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FOLDER = Path(__file__).parent / "_static/fonts"
SANS, CODE = "fontpkg_source_sans_3", "fontpkg_source_code_pro"
# our name of each: its package, its file there, and its name inside, for the license keeps
# the word Source to Adobe's own, whole files
FACES = {"text": (SANS, "SourceSans3[wght].ttf", "dtree Text"),
         "text-italic": (SANS, "SourceSans3-Italic[wght].ttf", "dtree Text"),
         "code": (CODE, "SourceCodePro[wght].ttf", "dtree Code")}
# Latin, Greek, punctuation, letters and digits above and below, arrows, mathematics, lines of
# boxes, marks; Korean and Chinese have the faces of the system
LETTERS = [(0x20, 0x7E), (0xA0, 0xFF), (0x2B0, 0x2E4), (0x370, 0x3FF), (0x1D2C, 0x1D6A),
           (0x2010, 0x203A), (0x2070, 0x209C), (0x2100, 0x214F), (0x2190, 0x21FF),
           (0x2200, 0x22FF), (0x2500, 0x25FF), (0x2713, 0x2717)]

def subset(package, file, name):
    "The font with these letters and weights, under our name."
    font = TTFont(files(package) / "files" / file, recalcTimestamp=False)
    keep = Options(layout_features=["ccmp", "kern", "liga", "locl", "mark"], hinting=False)
    subsetter = Subsetter(keep)
    subsetter.populate(unicodes=[u for first, last in LETTERS for u in range(first, last + 1)])
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": (400, 400, 700)})
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16, 25):
            record.string = name.replace(" ", "") if record.nameID in (6, 25) else name
    font.flavor = "woff2"
    return font

def main():
    FOLDER.mkdir(exist_ok=True)
    for ours, face in FACES.items():
        subset(*face).save(FOLDER / f"{ours}.woff2")
        print(f"{ours}.woff2", (FOLDER / f"{ours}.woff2").stat().st_size)
    owners = [(files(package) / "LICENSE").read_text("utf-8") for package in (CODE, SANS)]
    first = owners[0].partition("\n")[0]              # the two differ in the years
    (FOLDER / "OFL.txt").write_text(f"{first}\n{owners[1]}", "utf-8")

if __name__ == "__main__": main()
