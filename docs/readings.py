"""In which order the pages are read: two readings in parts, how long a page takes, what it
stands on, and a map of them all."""
import html, json, re, tomllib
from typing import NamedTuple

import reader
from reader import BuildError

REFERENCE = "Reference"      # pages that derive nothing: they document their modules
CORE = "The core: what the documents derive"        # the map sets its pages off

class Part(NamedTuple):
    "Pages that are read together."
    reading: str      # first, second, or REFERENCE
    title: str
    pages: list       # names of notebooks

class Readings(NamedTuple):
    "What readings.toml says."
    folders: dict     # what each folder has, in a sentence
    parts: list       # in the order of reading
    reference: list   # (title, pages): the order of the reference
    needs: dict       # pages that a page takes for granted
    looked_up: frozenset    # pages in which things are looked up
    points: set       # functions and classes whose cells are never folded

    @property
    def folded(self):
        "The pages whose long code can wait: those of the first reading."
        return {name for part in self.parts if part.reading == self.parts[0].reading
                for name in part.pages}

def apart(name, looked_up):
    "Has a page a place of its own: home, guide, and what things are looked up in?"
    return reader.page(name) in ("index", "guide") or name in looked_up

def readings(root, names):
    "The order of these notebooks; each stands in one part, and what it needs stands before it."
    said = tomllib.loads((root / "docs/readings.toml").read_text("utf-8"))
    parts = [Part(p["reading"], p["title"], p["pages"]) for p in said["part"]]
    order = [name for part in parts for name in part.pages]
    if twice := {name for name in order if order.count(name) > 1}:
        raise BuildError(f"readings.toml: {', '.join(sorted(twice))} is there twice")
    wanted = {name for name in names if not apart(name, said["looked_up"])}
    if missing := sorted(wanted - set(order)):
        raise BuildError(f"{missing[0]} is in no part of docs/readings.toml: where is it read?")
    if gone := [name for name in order if name not in wanted]:
        raise BuildError(f"readings.toml: there is no notebook {gone[0]}")
    place = {name: i for i, name in enumerate(order)}
    for name, needs in said["needs"].items():
        for other in needs:
            if not place.get(other, len(order)) < place.get(name, -1):
                raise BuildError(f"readings.toml: {name} needs {other}, which does not come before "
                                 f"it")
    listed = [(p["title"], p["pages"]) for p in said["reference"]]
    rest = [name for name in order if not any(name in pages for _, pages in listed)]
    return Readings(said["folders"], parts, [*listed, ("What these stand on", rest)], said["needs"],
                    frozenset(said["looked_up"]), set(said["points"]))

def minutes(nb):
    """How long a page takes: what its title says; or two hundred words a minute, forty lines of the
    code that it shows, and three quarters of one for each figure that moves."""
    if "in fifteen minutes" in nb["cells"][0]["source"].partition("\n")[0]: return 15
    words = sum(len(c["source"].split()) for c in nb["cells"] if c["cell_type"] == "markdown")
    def folded(source): return reader.directives(source).get("code-fold") == "true"
    lines = sum(reader.without_directives(c["source"]).count("\n") + 1 for c in nb["cells"]
                if c["cell_type"] == "code" and not reader.unseen(c["source"])
                and not folded(c["source"]))
    moving = sum('<figure class=\\"dtree-' in json.dumps(c.get("outputs")) for c in nb["cells"])
    return max(1, round(words / 200 + lines / 40 + 0.75 * moving))

def link(name, title):
    return f'<a class="reference internal" href="{reader.page(name)}.html">{html.escape(title)}</a>'

def places(order, nbs, titles):
    "By notebook: where a reader is, how long it takes, and what the page stands on."
    found = {}
    for reading in dict.fromkeys(part.reading for part in order.parts):
        pages = [name for part in order.parts if part.reading == reading for name in part.pages]
        if reading == REFERENCE:
            found |= {name: '<a class="reference internal" href="reference/index.html">'
                            f'{REFERENCE}</a>: this page documents its module.' for name in pages}
            continue
        for i, name in enumerate(pages):
            needs = [link(other, titles[other]) for other in order.needs.get(name, ())]
            on = (f' Stands on {", ".join(needs[:-1]) + " and " * (len(needs) > 1) + needs[-1]}.'
                  if needs else "")
            found[name] = (f'<a class="reference internal" '
                           f'href="derivations.html">{html.escape(reading)}</a>, page {i + 1} of '
                           f'{len(pages)}, about {minutes(nbs[name])} minutes.{on}')
    return found

# a box of the map, the gap between two, boxes in a row, and the margin in which wings are joined
WIDE, HIGH, GAP, ACROSS, MARGIN = 142, 30, 12, 6, 44

def joined(nbs, folders):
    """Which folders stand on which by their code, (upper, lower), without those pairs that others
    imply; and without the workshop, on which all stand."""
    stands = {folder: set() for folder in folders.values() if not folder.startswith("9")}
    names = {folder[2:]: folder for folder in stands}
    for name, nb in nbs.items():
        for cell in nb["cells"]:
            kinds = {"export", "exports", "exporti"} & reader.directives(cell["source"]).keys()
            if not kinds or folders[name] not in stands: continue
            words = re.findall(r"from dtree_lit\.(\w+)\.", cell["source"])
            stands[folders[name]] |= {*map(names.get, words)} - {None, folders[name]}
    def below(folder): return stands[folder].union(*map(below, stands[folder]))
    return [(upper, lower) for upper, lowers in stands.items() for lower in sorted(lowers)
            if not any(lower in below(middle) for middle in lowers)]

def way(lower, upper, wide=WIDE, high=HIGH):
    "A line from one box to another, given by their corners."
    (a, b), (c, d) = lower, upper
    a, c = a + wide / 2, c + wide / 2
    # in one row: over the boxes between
    if b == d: return f'<path d="M{a:g} {b}C{a:g} {b - 14} {c:g} {b - 14} {c:g} {b}"/>'
    low, top = (b + high, d) if b < d else (b, d + high)
    bend = 30 if b < d else -30
    return f'<path d="M{a:g} {low}C{a:g} {low + bend} {c:g} {top - bend} {c:g} {top}"/>'

def map_of(order, nbs, titles, folders):
    """The folders, each a row of boxes that lead to its pages, and lines between those that stand
    on each other; what a page stands on shows when it is pointed at."""
    pages = [name for part in order.parts for name in part.pages]
    at, marks, heads, y = {}, [], {}, 0
    for folder in sorted({folders[name] for name in pages}):
        y += 34
        heads[folder] = y - 12
        marks.append(f'<text class="part" x="0" y="{y - 8}">{html.escape(folder[2:])}</text>')
        for i, name in enumerate(sorted(name for name in pages if folders[name] == folder)):
            if i and i % ACROSS == 0: y += HIGH + GAP
            at[name] = (i % ACROSS) * (WIDE + GAP), y
        y += HIGH
    core = {name for part in order.parts if part.title == CORE for name in part.pages}
    for name, (x, top) in at.items():
        number, _, word = name.partition("_")
        title = html.escape(titles[name])
        ways = "".join(way(at[other], at[name]) for other in order.needs.get(name, ()))
        kind = "page core" if name in core else "page"
        marks.append(f'<g class="{kind}"><a href="{reader.page(name)}.html" '
                     f'aria-label="{title}"><title>{title}</title>'
                     f'<rect x="{x}" y="{top}" width="{WIDE}" height="{HIGH}" rx="5"/><text '
                     f'x="{x + 8}" y="{top + 20}"><tspan class="number">{number}</tspan> '
                     f'{word.replace("_", " ")}</text></a>{ways}</g>')
    for upper, lower in joined(nbs, folders):
        if not {upper, lower} <= heads.keys(): continue
        a, b = heads[upper], heads[lower]
        out = MARGIN * min(0.4 + abs(a - b) / y, 1)
        marks.append(f'<path d="M-6 {a}C{-out:.0f} {a} {-out:.0f} {b} -6 {b}"/>')
    wide = ACROSS * (WIDE + GAP) + MARGIN
    return (f'<div class="map"><svg viewBox="{-MARGIN} 0 {wide} {y + 6}" role="group" '
            'aria-label="A map of the pages: each folder a row, each page a box that leads to it">'
            + "".join(marks) + "</svg></div>")

def contents(order, nbs, titles, leads, folders, toctree):
    """The page of all derivations: the map, then reading by reading each page with its minutes
    and its sentence."""
    text = ["# The derivations", "", '<div class="lead">\n\nIn the order in which they are '
                                     'understood, not in that in which they are built. The first '
                                     'reading needs nothing of the second: '
                                     'where a page looks ahead, it says '
                                     'what may be skipped.\n\n</div>', "",
            map_of(order, nbs, titles, folders), ""]
    reading = None
    for part in order.parts:
        if part.reading == REFERENCE: continue
        if part.reading != reading:
            reading = part.reading
            long = sum(minutes(nbs[name]) for p in order.parts if p.reading == reading
                       for name in p.pages)
            text += [f"## {reading}", "",
                     f"{sum(len(p.pages) for p in order.parts if p.reading == reading)} pages, "
                     f"about {round(long / 60)} hours.", ""]
        text += [f"### {part.title}", "", '<div class="rooms">', ""]
        for name in part.pages:
            needs = order.needs.get(name, ())
            on = f', after {", ".join(n.split("_")[0] for n in needs)}' if needs else ""
            text.append(f'- <span class="room">{name.split("_")[0]}</span> '
                        f'**[{titles[name]}]({reader.page(name)}.ipynb)** {leads[name]} <span '
                        f'class="minutes">{minutes(nbs[name])} minutes{on}</span>')
        text += ["", "</div>", "",
                 toctree(map(reader.page, part.pages),
                         ("The machine: " if reading != order.parts[0].reading else "")
                         + part.title)]
    return "\n".join(text)

def documented(order, titles, leads, toctree):
    "The pages that document their modules, for the page of the reference."
    text = ["## Pages that document their modules", "", '<div class="rooms">', ""]
    pages = [name for part in order.parts if part.reading == REFERENCE for name in part.pages]
    for name in pages:
        lead = leads[name].replace('href="', 'href="../')          # seen from the reference
        text.append(f"- **[{titles[name]}](../{reader.page(name)}.ipynb)** {lead}")
    return "\n".join([*text, "", "</div>", "",
                      toctree([f"../{reader.page(name)}" for name in pages])])

def shelf(order, nbs, folders):
    """The README of each folder, by its path below nbs: the pages, what they say, and how long
    they take."""
    made = "Written by `make refresh`, from the pages."
    texts = {}
    for folder, sentence in order.folders.items():
        rows = [f"| [{title}]({name}.ipynb) | {' '.join(lead.split())} | {minutes(nbs[name])} |"
                for name in sorted(nbs) if folders[name] == folder
                for title, lead, _ in [reader.opening(nbs[name])]]
        texts[f"{folder}/README.md"] = "\n".join(
            [f"# {folder[2:].capitalize()}", "", sentence, "", "| page | what it says | minutes |",
             "|---|---|---|", *rows, "", made, ""])
    shelves = [f"| [{folder}]({folder}/README.md) | {sentence} |"
               for folder, sentence in order.folders.items()]
    lines, reading = [], None
    for part in order.parts:
        links = [f"[{reader.opening(nbs[name])[0]}]({folders[name]}/{name}.ipynb)"
                 for name in part.pages]
        if part.reading != reading:
            reading = part.reading
            lines += ["", f"## {reading}", ""]
        lines.append(f"- **{part.title}**: {' · '.join(links)}")
    texts["README.md"] = "\n".join(
        ["# The notebooks", "", "Begin with [the front page](index.ipynb). Folders come in the "
         "order of the subject; two readings lead through them, and the first needs nothing of the "
         "second.", "",
         "| folder | what it has |", "|---|---|", *shelves, *lines, "", made, ""])
    return texts
