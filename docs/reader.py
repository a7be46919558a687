"""From an executed nbdev notebook to a page: one pure function, `read`.

Notebooks are written so that JupyterLab and GitHub show them well. What those cannot do, numbered equations that can be linked to, boxes around
theorems, figures that follow dark mode, names that lead to the reference, is put in here, as MyST Markdown with a little HTML.
"""
import ast, html, re
from base64 import b64decode
from itertools import count
from posixpath import normpath
from typing import NamedTuple

import questions
from shown import inline_svg, spoken, verdict_of

class BuildError(Exception):
    "Something in a notebook that the author has to mend."

class Book(NamedTuple):
    "What a page has to know of the others."
    titles: dict = {}         # title by notebook name
    equations: dict = {}      # (tag, notebook name) by label
    symbols: dict = {}        # (module, qualified name) by the name that prose uses
    helpers: dict = {}        # notebooks by the name of a function that the reference does not show
    records: dict = {}        # record of the last run by notebook name
    terms: dict = {}       # (anchor, what hovering shows) by term of the glossary, in small letters
    words: dict = {}          # by notebook, as HTML: what the documents call that which it derives
    package: str = "dtree_lit"
    places: dict = {}         # where a reader is, as HTML by notebook name
    folded: set = set()       # notebooks in which a long cell that is exported is folded
    points: set = set()       # unless it defines one of these
    folders: dict = {}        # in which a notebook lies, by its name
    looked_up: frozenset = frozenset()   # notebooks in which things are looked up
    exercises: dict = {}      # those that are judged, by their ids
    heads: dict = {}   # what stands below the lead in other languages, as Markdown by notebook name

NUMBERED = re.compile(r"\\tag\{([^}]*)\}\s*\\label\{([^}]*)\}")
KINDS = "Definition|Theorem|Lemma|Proposition|Corollary|Proof|Remark|Example|Exercise"
THEOREM = re.compile(rf"\*\*({KINDS})(?:\s+(\d[\d.]*\d|\d))?\.?\*\*\s*"
                     r"(?:\(((?:[^()]|\([^()]*\))*)\))?[.:]?\s*")
CLAIM = re.compile(r"\*\*([A-Z]\d+)\*\* ·")
ANCHOR = re.compile(rf"(eq|fig|def|claim|{KINDS.lower()})-")

# What Markdown must be left alone in, and what is looked for in the rest: the leftmost match wins.
INLINE = re.compile(r"""
      (?P<fence>   ^[ ]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?^[ ]*(?P=mark)`*[ ]*$ )
    | (?P<heading> ^\#{1,6}[ ][^\n]*$ )
    | (?P<display> [ \t]*\$\$(?P<body>.+?)\$\$[ \t]* )
    | (?P<env>     ^[ \t]*\\begin\{(?P<kind>align|gather|equation|multline)(?P<star>\*?)\}.+?\\end\{(?P=kind)(?P=star)\}[ \t]*$ )
    | (?P<verbatim>(?P<ticks>`{2,})(?!`).+?(?<!`)(?P=ticks)(?!`) | <!--.*?--> )
    | (?P<code>    `(?P<name>[^`\n]+)` )
    | (?P<math>    (?<!\\)\$(?P<tex>[^$]+?)(?<!\\)\$ )
    | (?P<link>    (?<!!)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\) )
    | (?P<eqref>   \\eqref\{(?P<label>[^}]*)\} )
    | (?P<phrase>  “(?P<said>[^”\n]*)” )
    | (?P<ko>      [가-힣]+(?:[ ]+[가-힣]+)* )
    | (?P<zh>      [㐀-鿿]+ )
    """, re.X | re.S | re.M)

TAKEN = "search", "genindex"

def page(name):
    "The page of a notebook: its name without the number."
    page = re.sub(r"^\d+_", "", name)
    if page in TAKEN:
        raise ValueError(f"{name} would be the page {page}.html, which Sphinx makes itself: give "
                         f"it another name")
    return page

def height(name):
    "Where a notebook stands: what folder 9 has is below all others."
    return not name.startswith("9"), name

def slug(text):
    "An anchor: eq:entropy is eq-entropy, Lemma 10.1 is lemma-10-1."
    return re.sub(r"[^\w]+|_", "-", text).strip("-").lower()

def head(source):
    "How many lines of a cell are its head, where directives stand: comments and empty lines."
    return next((i for i, line in enumerate(source.split("\n"))
                 if line.strip() and not line.lstrip().startswith("#")), source.count("\n") + 1)

def directives(source):
    "A cell's directives, #| word arguments or #| key: value, as a dict."
    lines = re.findall(r"^\s*#\s*\|\s*([\w-]+):?[ \t]*(.*?)\s*$",
                       "\n".join(source.split("\n")[:head(source)]), re.M)
    return {key: value[1:-1] if value[:1] == value[-1:] == '"' and len(value) > 1 else value
            for key, value in lines}

def without_directives(source):
    "The code of a cell."
    lines, n = source.split("\n"), head(source)
    return "\n".join([line for line in lines[:n] if not re.match(r"\s*#\s*\|", line)]
                     + lines[n:]).strip("\n")

def unseen(source):
    "Is a cell no part of the page?"
    d = directives(source)
    return (bool({"hide", "default_exp"} & d.keys()) or d.get("include") == "false"
            or "nbdev_export(" in source)

def opening(nb):
    "Title, sentence and rest of the first cell."
    first = next((c["source"] for c in nb["cells"][:1] if c["cell_type"] == "markdown"), "")
    m = re.match(r"# (?P<title>[^\n]+)\n*(?P<lead>(?:>[^\n]*\n?)*)(?P<rest>.*)", first, re.S)
    if not m:
        raise BuildError("a notebook begins with a Markdown cell: # Title, and below it > one "
                         "sentence")
    return m["title"].strip(), re.sub(r"^> ?", "", m["lead"], flags=re.M).strip(), m["rest"]

def module_of(nb, library):
    "The module that a notebook exports, or an empty string."
    names = (directives(c["source"]).get("default_exp")
             for c in nb["cells"] if c["cell_type"] == "code")
    return next((f"{library}.{n}".removesuffix(".__init__") for n in names if n), "")

def bind(notebooks, symbols={}, records={}, package="dtree_lit", terms={}, words={}, folders={}):
    "The Book of notebooks by name."
    titles, equations, inner, numbers = {}, {}, {}, {}
    for name, nb in notebooks.items():
        number = name.partition("_")[0]
        if number in numbers and number.isdigit():
            raise BuildError(f"{name} has the number of {numbers[number]}")
        numbers[number] = name
        try: titles[name] = opening(nb)[0]
        except BuildError as e: raise BuildError(f"{name}: {e}") from None
        for helper in helpers(nb): inner.setdefault(helper, []).append(name)
        for cell in nb["cells"]:
            for tag, label in (NUMBERED.findall(cell["source"])
                               if cell["cell_type"] == "markdown" else ()):
                if label in equations:
                    raise BuildError(f"{name}: the equation label {label} is used twice, first in "
                                     f"{equations[label][1]}")
                equations[label] = tag, name
    return Book(titles, equations, symbols, inner, records, terms, words, package, folders=folders)

# Terms that are words of every day as well: too often they mean just that.
EVERYDAY = {"bit", "class", "condition", "depth", "distance", "example", "feature", "attribute",
            "information", "label", "loss", "margin", "region", "sample"}

def hints(rows):
    "From the rows of the glossary: the anchor of a term, and what hovering over it shows."
    words = [(row["term"].split("; "), f"{row['definition']} ({row['ko']} · {row['zh']})")
             for row in rows]
    return {name.lower(): (slug("term " + names[0]), tip) for names, tip in words
            for name in names if name not in EVERYDAY}

def language(text):
    "Korean or Chinese, if a text has such letters."
    return "ko" if re.search("[가-힣]", text) else "zh-Hant" if re.search("[㐀-鿿]", text) else ""

def words(rows):
    """From the rows of the glossary: what the documents call that which a notebook derives, so
    that it is found by either word."""
    found = {}
    for row in rows:
        name = row["term"].split("; ")[0]
        others = " · ".join(spoken(lang, row[column].replace("; ", ", "))
                            for column, lang in (("ko", "ko"), ("zh", "zh-Hant")))
        term = f"glossary.html#{slug('term ' + name)}"
        link = f'<a class="reference internal" href="{term}">{html.escape(name)}</a>'
        found.setdefault(row["room"], []).append(f"{link} {others}")
    return {room: f'<p class="words">Derived here, in the words of the documents: '
                  f'{"; ".join(terms)}.</p>' for room, terms in found.items()}

def public(syms, offered):
    """From the definitions and the `__all__` of each module, what the reference shows: (module,
    qualified name) by short and by qualified name."""
    found = {}
    for module, names in syms.items():
        for q in names:
            first, *rest = q.removeprefix(module + ".").split(".")
            if first in offered[module] and not any(part.startswith("_")
                                                    for part in (first, *rest)):
                found[q] = found.setdefault(".".join([first, *rest]), (module, q))
    return found

def helpers(nb):
    "What a notebook gives to the others, and the reference does not show."
    cells = [c["source"] for c in nb["cells"] if c["cell_type"] == "code"]
    sources = [without_directives(s) for s in cells if "exporti" in directives(s) and not unseen(s)]
    return {n.name for s in sources for n in ast.parse(s).body
            if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name[0] != "_"}

def image(data, prefix, alt):
    """An output's image as HTML: the SVG, or the raster image where there is none or where it is
    lighter by far."""
    svg = data.get("image/svg+xml", "")
    for kind in ("image/png", "image/jpeg"):
        if kind in data and (not svg or len(svg) > 500_000):
            return (f'<img src="data:{kind};base64,{re.sub(chr(10), "", data[kind])}" '
                    f'alt="{html.escape(alt)}">')
    return inline_svg(svg, prefix, alt)

def box(classes, body, anchor=None, **attributes):
    "Markdown inside an HTML element."
    extra = "".join(f' {k}="{html.escape(v)}"'
                    for k, v in {"id": anchor, **attributes}.items() if v)
    return f'\n\n<div class="{classes}"{extra}>\n\n{body.strip()}\n\n</div>\n\n'

LONG = 15        # lines of an exported cell that a page of the first reading shows

def only_imports(source):
    "Does a cell import, and nothing else? Then it is not read on any page."
    return all(isinstance(node, ast.Import | ast.ImportFrom | ast.Try)
               for node in ast.parse(source).body)

class _Page:
    "What is known while one page is read, from top to bottom."
    def __init__(self, name, book):
        self.name, self.book, self.anchors, self.met = name, book, set(), set()
        self.tags, self.theorems = 0, 0
        words = ("|".join(re.escape(t) for t in sorted(book.terms, key=len, reverse=True))
                 if self.number() and name not in book.looked_up else "")
        self.prose = re.compile(INLINE.pattern + rf"| (?P<term>\b(?P<word>{words})s?\b)",
                                re.X | re.S | re.M | re.I) if words else INLINE

    def error(self, message): raise BuildError(f"{self.name}: {message}")

    def anchor(self, name):
        "A new anchor of the page."
        if name in self.anchors: self.error(f"{name} is there twice")
        self.anchors.add(name)
        return name

    # ---- Markdown

    def markdown(self, text):
        "Notebook Markdown as site Markdown."
        out, quote, rest, opaque = [], [], [], None
        def flush():
            if quote: out.append(self.quote("\n".join(quote)))
            if rest: out.append(self.prose.sub(self.inline, "\n".join(rest)))
            quote.clear(), rest.clear()
        for line in text.split("\n"):
            if opaque is None and line.startswith(">"):
                if rest: flush()
                quote.append(line[1:].removeprefix(" "))
                continue
            if quote: flush()
            rest.append(line)
            # a line that begins with > is no quotation inside a fence or a displayed formula
            if opaque:
                opaque = None if (line.strip().startswith(opaque) if opaque != "$$"
                                  else line.count("$$") % 2) else opaque
            elif m := re.match(r"\s*(`{3,}|~{3,})", line): opaque = m[1]
            elif line.count("$$") % 2: opaque = "$$"
        flush()
        return "\n".join(out)

    def quote(self, text):
        "A block quote: theorems, a claim, or a quotation."
        if m := CLAIM.match(text): return self.claim(m[1], text)
        if text.startswith(questions.MARK): return self.question(text)
        parts = re.split(rf"\n\s*\n(?=\*\*(?:{KINDS})\b)", text)
        if not THEOREM.match(parts[0]):
            return "\n".join("> " + line for line in self.markdown(text).split("\n"))
        return "".join(map(self.theorem, parts))

    def question(self, text):
        "A question with an answer, of which a script makes a form."
        try: return self.markdown(questions.asked(text))
        except ValueError as e: self.error(str(e))

    def theorem(self, text):
        "A lemma, its proof, and the like."
        kind, number, title = (m := THEOREM.match(text)).groups()
        if number: self.theorems += 1
        if number and number != (due := f"{self.number()}.{self.theorems}"):
            self.error(f"{kind} {number} should be {kind} {due}")
        head = (f'<span class="theorem-head">{kind}{" " + number if number else ""}'
                + (f" ({INLINE.sub(self.inline, title)})" if title else "") + ".</span> ")
        return box(f"theorem {kind.lower()}", head + self.markdown(text[m.end():]),
                   self.anchor(slug(f"{kind} {number}")) if number else None)

    def claim(self, id, text):
        """A statement of the documents: a line that bears the sign of its verdict, and unfolds;
        and, where it comes first, an anchor."""
        first = text.split("\n")[0]
        verdict = verdict_of(first)
        anchor = f"claim-{id.lower()}"
        new = anchor not in self.anchors
        if new: self.anchor(anchor)
        head, _, body = text.partition("\n")
        id, document, word, *evidence = INLINE.sub(self.inline, head).rstrip().split(" · ")
        grade = "".join(f' · <span class="evidence">{kind}</span>' for kind in evidence)
        summary = (f'<strong>{id.strip("*")}</strong> · {document} · '
                   f'<span class="verdict">{word}</span>{grade}')
        place = f' id="{anchor}"' * new
        return (f'\n\n<details class="claim {verdict}"{place}><summary>{summary}</summary>'
                f'\n\n{INLINE.sub(self.inline, body).strip()}\n\n</details>\n\n')

    def inline(self, m):
        "One match of INLINE, translated."
        match next(g for g in ("fence", "heading", "display", "env", "verbatim", "code", "math",
                               "link", "eqref", "phrase", "ko", "zh", "term") if m[g] is not None):
            case "display": return self.display(m[0], "\\[\n" + m["body"].strip() + "\n\\]")
            case "env": return self.display(m[0], m[0].strip())
            case "code": return self.symbol(m["name"], m[0])
            case "math": return "$" + self.plain_refs(m["tex"]) + "$"
            case "link": return self.link(m["text"], m["target"], m[0])
            case "eqref": return self.eqref(m["label"])
            case "phrase": return self.phrase(m["said"])
            case "ko": return spoken("ko", m[0])
            case "zh": return spoken("zh-Hant", m[0])
            case "term": return self.term(m)
            case _: return m[0]

    def symbol(self, name, source):
        """A public name in back-ticks leads to the reference, a helper's to the cell that makes it,
        on this page or a lower one; on a higher one it is another thing that bears the name."""
        name = name.removesuffix("()")
        homes = [home for home in self.book.helpers.get(name, [])
                 if height(home) <= height(self.name)]
        if name not in self.book.symbols:
            home = self.name if self.name in homes else homes[0] if len(homes) == 1 else None
            if not home: return source
            target = page(home) + ".html" if home != self.name else ""
            return f'<a class="reference internal doclink" href="{target}#def-{name}">{source}</a>'
        module, qualified = self.book.symbols[name]
        return (f'<a class="reference internal doclink" '
                f'href="reference/{module.removeprefix(self.book.package + ".")}.html'
                f'#{qualified}">{source}</a>')

    def term(self, m):
        "A term of the glossary, where the page first uses it: hovering shows what it means."
        anchor, tip = self.book.terms[m["word"].lower()]
        in_table = m.string.startswith("|", m.string.rfind("\n", 0, m.start()) + 1)
        if anchor in self.met or in_table: return m[0]
        self.met.add(anchor)
        return (f'<a class="term" href="glossary.html#{anchor}" '
                f'data-tip="{html.escape(tip)}">{m[0]}</a>')

    def foreign(self, text):
        "A text whose language is said around it."
        return INLINE.sub(lambda m: m[0] if m["ko"] or m["zh"] else self.inline(m), text)

    def phrase(self, said):
        "The words of a document between “ and ”: one piece of their language, formulas included."
        inner = self.foreign(said)
        lang = language(said)
        return f'<span class="phrase">“{spoken(lang, inner) if lang else inner}”</span>'

    def link(self, text, target, source):
        "A link to a notebook, or to an anchor of this page."
        inner = re.sub(r"`[^`]*`|\\eqref\{[^}]*\}",
                       lambda m: m[0] if m[0][0] == "`" else f"({self.tag(m[0][7:-1])})", text)
        m = re.fullmatch(r"(?:((?:[\w.-]+/)*)([\w-]+)\.ipynb)?(?:#([\w:.-]+))?", target)
        if re.fullmatch(r"[\w/-]+\.html(#.*)?", target):
            return f'<a class="reference internal" href="{target}">{inner}</a>'
        if not m or not m[0] or (not m[2] and not ANCHOR.match(m[3])): return source
        name, anchor = (m[2] or self.name, m[3]
                        and (m[3].lower() if m[3].startswith("claim-") else m[3]))
        if name not in self.book.titles: self.error(f"{source}: there is no notebook {name}")
        if m[2] and normpath(f"{self.folder(self.name)}/{m[1]}") != self.folder(name):
            self.error(f"{source}: {name} is in the folder {self.folder(name)}")
        said = re.search(r"\d+\.\d+", text)
        tags = {slug(label): tag for label, (tag, home) in self.book.equations.items()
                if home == name}
        if anchor and anchor.startswith("eq-"):
            if anchor not in tags: self.error(f"there is no equation {target}")
            if said and said[0] != tags[anchor]: self.error(f"{source} should say ({tags[anchor]})")
        elif (anchor and said and re.search(r"-\d+-\d+$", anchor)
              and not anchor.endswith("-" + slug(said[0]))):
            self.error(f"{source} names another number than its target")
        target = (page(name) + ".html" if m[2] else "") + (f"#{anchor}" if anchor else "")
        return f'<a class="reference internal" href="{target}">{inner}</a>'

    def folder(self, name):
        "Where a notebook lies."
        return self.book.folders.get(name, ".")

    # ---- equations

    def number(self):
        "The number with which tags of this notebook begin."
        return str(int(m[0])) if (m := re.match(r"\d+", self.name)) else ""

    def tag(self, label):
        "The number of an equation of this page."
        tag, home = self.book.equations.get(label, (None, None))
        if home != self.name:
            self.error(f"\\eqref{{{label}}}: no equation of this notebook has this label")
        return tag

    def eqref(self, label):
        return f'<a class="reference internal eqref" href="#{slug(label)}">({self.tag(label)})</a>'

    def plain_refs(self, tex):
        "Inside a formula, a reference is its number."
        return re.sub(r"\\eqref\{([^}]*)\}", lambda m: rf"\text{{({self.tag(m[1])})}}", tex)

    def display(self, source, tex):
        "A displayed formula, with its number and an anchor."
        for tag in re.findall(r"\\tag\{([^}]*)\}", tex):
            self.tags += 1
            if tag != f"{self.number()}.{self.tags}":
                due = f"{self.number()}.{self.tags}"
                self.error(f"equation \\tag{{{tag}}} should be \\tag{{{due}}}")
        labels = NUMBERED.findall(tex)
        if len(labels) != len(re.findall(r"\\label\{", tex)):
            self.error(f"a \\label stands right behind its \\tag: {source.strip()}")
        tex = self.plain_refs(re.sub(r"\s*\\label\{[^}]*\}", "", tex))
        tex = re.sub(r"\n\s*\n", "\n", tex)
        fence = f"```{{math}}\n:no-wrap:\n\n{tex}\n```"
        if labels:
            first, *more = [self.anchor(slug(label)) for _, label in labels]
            fence = box("equation", "".join(f'<span id="{a}"></span>' for a in more) + "\n\n"
                        + fence, first).strip()
        indent = re.match(r"[ \t]*", source)[0]         # of a list item that it belongs to
        return "\n\n" + "\n".join(indent + line if line else ""
                                  for line in fence.split("\n")) + "\n\n" + indent

    # ---- cells

    def cells(self, nb):
        "The cells of the page."
        cells, number = nb["cells"], count()
        self.module = module_of(nb, self.book.package)
        yield markdown_cell(self.opening(nb))
        for cell in cells[1:]:
            if cell["cell_type"] == "markdown":
                text = self.markdown(questions.with_fields(cell["source"], self.name[:3],
                                                           self.book.exercises))
                yield markdown_cell(doors(text) if self.name == "index" else text)
            elif cell["cell_type"] == "code": yield from self.code(cell, next(number))
        if self.name in self.book.words: yield markdown_cell(self.book.words[self.name])

    def opening(self, nb):
        "Title, lead, and the line that says when the page was last shown to be true."
        title, lead, rest = opening(nb)
        record, run = self.book.records.get(self.name), ""
        if record and self.name != "index":
            checks = (f", {record['checks']} check{'s' * (record['checks'] != 1)}"
                      if record["checks"] else "")
            place = normpath(f"../../../nbs/{self.folder(self.name)}/{self.name}.ipynb")
            versions = ", ".join(f"{k} {v}" for k, v in record["versions"].items())
            run = ('\n\n<details class="executed"><summary>Executed on '
                   f"{record['date']}: {record['cells']} cells{checks}</summary>\n\n"
                   f"In {record['seconds']:.1f} s, with {versions}. "
                   f"{{download}}`Download the notebook <{place}>`\n\n</details>\n\n")
        where = box("where", self.book.places[self.name]) if self.name in self.book.places else ""
        rest = self.markdown(rest)
        wide = "lead wide" if self.name in self.book.looked_up else "lead"
        lead = box(wide, INLINE.sub(self.inline, lead)) if lead else ""
        return (f"# {title}" + where + lead + self.foreign(self.book.heads.get(self.name, ""))
                + run + rest)

    def code(self, cell, number=0):
        """A code cell: its source and its outputs, in order. By its number the script that runs
        cells finds it on the page."""
        d, source = directives(cell["source"]), without_directives(cell["source"])
        if unseen(cell["source"]): return
        outputs = [] if d.get("output") == "false" else cell.get("outputs", [])
        shown = d.get("echo") != "false"
        exports = next((k for k in ("export", "exports", "exporti") if k in d), None)
        if exports:
            module = f"{self.book.package}.{d[exports]}" if d[exports] else self.module
            names = [n.name for n in ast.parse(source).body
                     if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name != "_"]
            yield markdown_cell(f'<div class="exported" data-module="{module}">'
                                + "".join(f'<span id="{self.anchor("def-" + n)}"></span>'
                                          for n in names))
        long = exports and (only_imports(source)
                            or source.count("\n") >= LONG and self.name in self.book.folded
                            and not self.book.points.intersection(names))
        fold = d.get("code-fold", "true" if long else "false") == "true"
        now = code_cell(source, ["hide-input"] * fold + [f"cell-{number}"]) if shown else None
        if now and exports and fold:
            what = "what the page imports" if only_imports(source) else "constants"
            now["metadata"]["mystnb"] = dict(
                code_prompt_show=f"{', '.join(names) or what}: {source.count(chr(10)) + 1} lines")
        images = [o["data"] for o in outputs if is_image(o)]
        for out in outputs:
            data = out.get("data", {})
            # all images of a cell are one figure
            if is_image(out): block = self.figure(d, images, source) if data is images[0] else ""
            elif "text/markdown" in data and "text/html" not in data:
                block = box("shown", self.markdown(data["text/markdown"]))
            else:
                # a cell without a source would be left out
                now = now or code_cell("# not shown", ["remove-input"])
                now["outputs"].append(unpacked(out))
                continue
            if now: yield now
            if block: yield markdown_cell(block)
            now = None
        if now: yield now
        if exports: yield markdown_cell("</div>")

    def figure(self, d, images, source):
        "A figure with caption and name."
        if not d.get("fig-alt"):
            self.error(f"this figure has no #| fig-alt: \"…\", so nobody can hear it:\n{source}")
        label = d.get("label") or "fig-" + slug(d["fig-alt"])[:40]
        pictures = "\n".join(image(data, f"{label}-{i}",
                                   d["fig-alt"] + f" ({i + 1} of {len(images)})"
                                   * (len(images) > 1)) for i, data in enumerate(images))
        caption = (f"<figcaption>\n\n{INLINE.sub(self.inline, d['fig-cap'])}\n\n</figcaption>\n"
                   if d.get("fig-cap") else "")
        return f'<figure class="drawn" id="{self.anchor(label)}">\n{pictures}\n{caption}</figure>'

# A script that brings a drawing to life finds it inside the image itself.
DRAWING = re.compile(r'(?<!<div class="frame">\n)<img '
                     r'[^>]*src="data:image/svg\+xml;base64,([^"]+)">')

def unpacked(output):
    """An output whose drawings are no longer inside images, so that they follow the page by day
    and by night."""
    data = output.get("data", {})
    if "text/html" not in data: return output
    return (output
            | dict(data=data | {"text/html": DRAWING.sub(lambda m: b64decode(m[1]).decode(),
                                                         data["text/html"])}))

def is_image(output):
    "Does an output show a picture?"
    return any(k.startswith("image/") for k in output.get("data", {}))

def markdown_cell(source):
    "A Markdown cell."
    return dict(cell_type="markdown", metadata={}, source=source)

def code_cell(source, tags):
    "A code cell, its outputs to come."
    return dict(cell_type="code", execution_count=None, metadata=dict(tags=tags) if tags else {},
                outputs=[], source=source)

def doors(text):
    "On the landing page, a table of bold links above their sentences becomes a row of cards."
    def cards(m):
        links = re.findall(r'href="([^"]+)">(.+?)</a>', m["links"])
        sentences = [s.strip() for s in m["sentences"].strip("| \n").split("|")]
        items = [f":::{{grid-item-card}} {title}\n:link: {href}\n:link-type: url\n:link-alt: "
                 f"{title}\n\n{sentence}\n:::"
                 for (href, title), sentence in zip(links, sentences, strict=True)]
        return (":::::{grid} 1 1 3 3\n:gutter: 3\n:class-container: doors\n\n" + "\n".join(items)
                + "\n:::::")
    return re.sub(r"^\|[ |]*\n\|[-:| ]*\n(?P<links>(?:\| *\*\*<a [^|]+?</a>\*\* "
                  r"*)+\|)\n(?P<sentences>\|.*)$", cards, text, count=1, flags=re.M)

def read(nb, name, book):
    "An executed nbdev notebook, its sources single strings, as a MyST notebook."
    cells = list(_Page(name, book).cells(nb))
    kernel = dict(display_name="python3", language="python", name="python3")
    return dict(cells=cells,
                metadata=dict(kernelspec=kernel,
                              language_info=dict(name="python", pygments_lexer="ipython3")),
                nbformat=4, nbformat_minor=4)

def lead(nb, name, book):
    "The sentence below a notebook's title, for the pages that list others."
    return INLINE.sub(_Page(name, book).inline, opening(nb)[1])

def anchors(nb):
    "The anchors of a page that was read, in order."
    return [a for c in nb["cells"] if c["cell_type"] == "markdown"
            for a in re.findall(r'<[^<>]*?\bid="([^"]+)"', c["source"])]

def sections(nb):
    "The addresses that Sphinx gives to the sections of a page."
    from docutils.nodes import make_id
    return {make_id(title) for c in nb["cells"] if c["cell_type"] == "markdown"
            for title in re.findall(r"^##+ (.+)$", c["source"], re.M)}

def verify(pages):
    "Every link between the pages (by notebook name) has its target, and no anchor is there twice."
    known = {page(name): anchors(nb) for name, nb in pages.items()}
    parts = {page(name): sections(nb) for name, nb in pages.items()}
    for name, nb in pages.items():
        own = known[page(name)]
        if twice := {a for a in own if own.count(a) > 1}:
            raise BuildError(f"{name}: {', '.join(sorted(twice))} is there twice")
        for cell in nb["cells"]:
            for home, anchor in re.findall(r'<a [^>]*href="(?:([\w-]+)\.html)?#([^"]+)"',
                                           cell["source"]):
                there = home or page(name)
                if anchor not in known.get(there, ()) and anchor not in parts.get(there, ()):
                    raise BuildError(f"{name}: there is no {'#' + anchor} "
                                     f"{'on ' + home if home else 'here'}")
