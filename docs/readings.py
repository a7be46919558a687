"""In which order the pages are read: two readings in parts, how long a page takes, what it
stands on, and a map of them all."""
import html, tomllib
from typing import NamedTuple

import reader
from reader import BuildError

class Part(NamedTuple):
    "Pages that are read together."
    reading: str      # first or second
    title: str
    pages: list       # names of notebooks

class Readings(NamedTuple):
    "What readings.toml says."
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
    return Readings(parts, [*listed, ("What these stand on", rest)], said["needs"],
                    frozenset(said["looked_up"]), set(said["points"]))

def minutes(nb):
    "How long a page takes: two hundred words a minute, and forty lines of the code that it shows."
    words = sum(len(c["source"].split()) for c in nb["cells"] if c["cell_type"] == "markdown")
    lines = sum(reader.without_directives(c["source"]).count("\n") + 1
                for c in nb["cells"] if c["cell_type"] == "code" and not reader.unseen(c["source"]))
    return max(1, round(words / 200 + lines / 40))

def link(name, title):
    return f'<a class="reference internal" href="{reader.page(name)}.html">{html.escape(title)}</a>'

def places(order, nbs, titles):
    "By notebook: where a reader is, how long it takes, and what the page stands on."
    found = {}
    for reading in dict.fromkeys(part.reading for part in order.parts):
        pages = [name for part in order.parts if part.reading == reading for name in part.pages]
        for i, name in enumerate(pages):
            needs = [link(other, titles[other]) for other in order.needs.get(name, ())]
            on = (f' Stands on {", ".join(needs[:-1]) + " and " * (len(needs) > 1) + needs[-1]}.'
                  if needs else "")
            found[name] = (f'<a class="reference internal" '
                           f'href="derivations.html">{html.escape(reading)}</a>, page {i + 1} of '
                           f'{len(pages)}, about {minutes(nbs[name])} minutes.{on}')
    return found

# a box of the map, the gap between two, and boxes in a row
WIDE, HIGH, GAP, ACROSS = 112, 30, 14, 7

def map_of(order, titles):
    """Each page a box that leads to it; a line to what it stands on, which shows when a page is
    pointed at."""
    at, marks, y = {}, [], 0
    for part in order.parts:
        y += 34
        marks.append(f'<text class="part" x="0" y="{y - 8}">{html.escape(part.title)}</text>')
        for i, name in enumerate(part.pages):
            if i and i % ACROSS == 0: y += HIGH + GAP
            at[name] = (i % ACROSS) * (WIDE + GAP), y
        y += HIGH
    def way(name, other):
        (a, b), (c, d) = at[other], at[name]
        a, c = a + WIDE / 2, c + WIDE / 2
        # in one row: over the boxes between
        if b == d: return f'<path d="M{a:g} {b}C{a:g} {b - 14} {c:g} {b - 14} {c:g} {b}"/>'
        return f'<path d="M{a:g} {b + HIGH}C{a:g} {b + HIGH + 30} {c:g} {d - 30} {c:g} {d}"/>'
    ways = {name: "".join(way(name, other) for other in order.needs.get(name, ())) for name in at}
    for name, (x, top) in at.items():
        number, _, word = name.partition("_")
        title = html.escape(titles[name])
        marks.append(f'<g class="page"><a href="{reader.page(name)}.html" '
                     f'aria-label="{title}"><title>{title}</title>'
                     f'<rect x="{x}" y="{top}" width="{WIDE}" height="{HIGH}" rx="5"/><text '
                     f'x="{x + 8}" y="{top + 20}"><tspan class="number">{number}</tspan> '
                     f'{word.replace("_", " ")}</text></a>{ways[name]}</g>')
    wide = ACROSS * (WIDE + GAP)
    return (f'<div class="map"><svg viewBox="-2 0 {wide} {y + 6}" role="group" aria-label="A map '
            f'of the pages: each part a row, each page a box that leads to it">'
            + f'<g>{"".join(ways.values())}</g>' + "".join(marks) + "</svg></div>")

def contents(order, nbs, titles, leads, toctree):
    """The page of all derivations: the map, then reading by reading each page with its minutes
    and its sentence."""
    text = ["# The derivations", "", '<div class="lead">\n\nIn the order in which they are '
                                     'understood, not in that in which they are built. The first '
                                     'reading needs nothing of the second: '
                                     'where a page looks ahead, it says '
                                     'what may be skipped.\n\n</div>', "",
            map_of(order, titles), ""]
    reading = None
    for part in order.parts:
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
