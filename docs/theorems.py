"""The page of all theorems, generated from the notebooks: what each states, what uses it, how many
checks attack it, and a graph of those that stand on each other."""
import html, re
from typing import NamedTuple

import execute, reader, readings

KINDS = "Definition|Theorem|Lemma|Proposition|Corollary"
HEAD = re.compile(rf"\*\*(?P<kind>{KINDS}) (?P<number>\d[\d.]*\d)\.?\*\*\s*"
                  r"(?:\((?P<title>(?:[^()]|\([^()]*\))*)\))?[.:]?\s*")

class Theorem(NamedTuple):
    "A theorem, lemma, proposition or corollary of a notebook."
    kind: str
    number: str
    title: str
    text: str     # what it states, as Markdown of its notebook
    page: str     # the notebook
    checks: int   # how many checks stand between it and the next theorem, or heading
    names: set    # numbers of the theorems that its statement or its proof names

    @property
    def anchor(self): return reader.slug(f"{self.kind} {self.number}")

def quotes(source):
    "The block quotes of a Markdown cell, and the text between them: (is it a quote?, text)."
    for quoted, lines in _runs(source.split("\n"), lambda line: line.startswith(">")):
        text = "\n".join(line.removeprefix(">").removeprefix(" ") if quoted else line
                         for line in lines)
        yield quoted, text

def _runs(lines, kind):
    "Lines that are of one kind, one after the other."
    runs = []
    for line in lines:
        if runs and runs[-1][0] == kind(line): runs[-1][1].append(line)
        else: runs.append((kind(line), [line]))
    return runs

def named(text):
    "The numbers of the theorems that a text names, or links to."
    by_anchor = re.findall(rf"#(?:{KINDS.lower()})-(\d+)-(\d+)", text)
    return ({*re.findall(rf"(?:{KINDS}) (\d+\.\d+)", text)}
            | {f"{page}.{i}" for page, i in by_anchor})

def theorems(nbs):
    "All of them, in the order of the notebooks; and by number the pages whose text names them."
    found, used = [], {}
    for name, nb in nbs.items():
        tried = False             # has a cell been run since the last theorem?
        group = []                # theorems that wait for their checks
        for cell in nb["cells"]:
            if cell["cell_type"] == "code":
                checks, tried = execute.count_checks(cell["source"]), True
                for i in group: found[i] = found[i]._replace(checks=found[i].checks + checks)
                continue
            if tried and re.search(r"(?m)^## ", cell["source"]): group = []
            for quoted, text in quotes(cell["source"]):
                head = HEAD.match(text) if quoted else None
                if head:
                    group, tried = [*(group if not tried else []), len(found)], False
                    found.append(Theorem(head["kind"], head["number"], head["title"] or "",
                                         text[head.end():].strip(), name, 0, named(text)))
                elif quoted and text.startswith("**Proof") and found:
                    found[-1] = found[-1]._replace(names=found[-1].names | named(text))
                else:
                    for number in named(text): used.setdefault(number, set()).add(name)
    return [t._replace(names=t.names - {t.number}) for t in found], used

def statement(theorem, book):
    "What a theorem states, as Markdown of the site: no formula has its number here."
    page = reader._Page(theorem.page, book)
    text = re.sub(r"\\eqref\{([^}]*)\}",
                  lambda m: f"[({book.equations[m[1]][0]})](#{reader.slug(m[1])})", theorem.text)
    text = page.markdown(re.sub(r"\\tag\{[^}]*\}|\\label\{[^}]*\}", "", text))
    return re.sub(r'href="#', f'href="{reader.page(theorem.page)}.html#', text)

def link(theorem):
    "Its number, as a link to where it is proved."
    return (f'<a class="reference internal" href="{reader.page(theorem.page)}.html'
            f'#{theorem.anchor}">{theorem.kind} {theorem.number}</a>')

ACROSS, WIDE, HIGH, GAP = 8, 96, 30, 14

def graph(found, folders):
    "Those that stand on another, or on which another stands: a row for each folder of pages."
    known = {t.number: t for t in found}
    pairs = [(t.number, other) for t in found for other in t.names if other in known]
    joined = {number for pair in pairs for number in pair}
    at, marks, y = {}, [], 0
    for folder in sorted({folders[t.page] for t in found if t.number in joined}):
        row = [t for t in found if t.number in joined and folders[t.page] == folder]
        marks.append(f'<text class="part" x="0" y="{y + 16}">{html.escape(folder[2:])}</text>')
        y += 26
        for i, t in enumerate(row):
            if i and i % ACROSS == 0: y += HIGH + GAP
            x, top = at[t.number] = (i % ACROSS) * (WIDE + GAP), y
            name = html.escape(f"{t.kind} {t.number} ({t.title})")
            marks.append(f'<g class="page"><a href="{reader.page(t.page)}.html#{t.anchor}" '
                         f'aria-label="{name}"><title>{name}</title><rect x="{x}" y="{top}" '
                         f'width="{WIDE}" height="{HIGH}" rx="5"/><text x="{x + 8}" '
                         f'y="{top + 20}">{t.kind[:1]}. {t.number}</text></a></g>')
        y += HIGH + 12
    ways = [readings.way(at[other], at[number], WIDE, HIGH) for number, other in pairs]
    return (f'<div class="map all"><svg viewBox="-4 0 {ACROSS * (WIDE + GAP)} {y}" role="group" '
            'aria-label="A graph of the theorems that stand on each other: each a box that leads '
            f'to it, each line from one to another that its proof uses">{"".join(ways + marks)}'
            '</svg></div>')

def page_of(nbs, book, folders):
    "The page."
    found, used = theorems(nbs)
    users = {t.number: [u for u in found if t.number in u.names] for t in found}
    text = ["# All theorems", "", '<div class="lead">\n\nWhat is proved on these pages, what uses '
            "it, and how many checks attack it.\n\n</div>", "",
            f"{len(found)} statements on {len({t.page for t in found})} pages. A statement "
            "unfolds; its number leads to the proof. *Attacked* counts the checks in the cells "
            "that follow it, each of which could fail.", "", "## Which stand on each other", "",
            "A line leads from a statement to those whose proofs use it. Those without a line "
            "stand alone.", "", graph(found, folders), ""]
    for folder in sorted({folders[t.page] for t in found}):
        text += [f"## {folder[2:].capitalize()}", ""]
        for t in found:
            if folders[t.page] != folder: continue
            title = f" ({reader.INLINE.sub(reader._Page(t.page, book).inline, t.title)})" * bool(
                t.title)
            by = [link(u) for u in users[t.number]] + [
                f'<a class="reference internal" href="{reader.page(p)}.html">'
                f'{html.escape(book.titles[p])}</a>' for p in sorted(used.get(t.number, ()))
                if p != t.page]
            text += [f'<details class="statement"><summary>{link(t)}{title}</summary>', "",
                     statement(t, book), "", "</details>", "",
                     f'<p class="uses">{html.escape(book.titles[t.page])} · '
                     + (f'used by {", ".join(by)} · ' if by else "")
                     + f"attacked by {t.checks} check{'s' * (t.checks != 1)}</p>", ""]
    return "\n".join(text)
