"""Runs the cells of a page in the browser's Python, and says in HTML what they give.

worker.js makes a `Cells` of it. It needs numpy alone, so it runs, and is tested, anywhere."""
import ast, functools, html, importlib, io, json, linecache, re, sys, time, traceback, types

from shown import inline_svg, spoken, verdict_of

LONGEST = 200_000                      # letters that a cell may print
PAUSE = 0.05                           # seconds between two pieces of what is printed

class Printed(io.TextIOBase):
    "What a cell prints, sent to the page piece by piece; else a loop that prints would choke it."
    def __init__(self, post): self.post, self.waiting, self.sent, self.left = post, [], 0, LONGEST
    def writable(self): return True
    def write(self, text):
        if self.left > 0: self.waiting.append(text[:self.left])
        if 0 < self.left <= len(text): self.waiting.append("\n… the rest is not shown\n")
        self.left -= len(text)
        if time.monotonic() - self.sent > PAUSE: self.flush()
        return len(text)
    def flush(self):
        if self.waiting: self.post("text", "".join(self.waiting))
        self.waiting, self.sent = [], time.monotonic()

# ---- Markdown, as far as results use it

CARD = re.compile(r"\*\*[A-Z]\d+\*\* · ")
LETTERS = {"ko": "[가-힣]+(?:[ ,]+[가-힣]+)*", "zh-Hant": "[㐀-鿿]+"}

INLINE = re.compile(r"`(?P<code>[^`]+)`|(?P<math>\$[^$\n]+\$)|\*\*(?P<strong>.+?)\*\*"
                    r"|\*(?P<em>[^*\n]+)\*|\[(?P<text>[^\]]+)\]\((?P<href>[^)\s]+)\)")

def inline(text):
    "A line of Markdown as HTML."
    out, last = [], 0
    for m in INLINE.finditer(text):
        out += [escaped(text[last:m.start()]), element(m)]
        last = m.end()
    return "".join(out) + escaped(text[last:])

def escaped(text):
    "Text as HTML; Korean and Chinese say that they are."
    text = html.escape(text, quote=False)
    for lang, letters in LETTERS.items():
        text = re.sub(letters, lambda m: spoken(lang, m[0]), text)
    return text

def card(text):
    "A statement of the documents and what was found of it, as the page shows it: it unfolds."
    head, _, rest = text.partition("\n")
    return (f'<details class="claim {verdict_of(head)}"><summary>{inline(head.rstrip())}</summary>'
            f"{markdown(rest)}</details>")

def element(m):
    if m["code"]: return f"<code>{html.escape(m['code'])}</code>"
    if m["math"]: return f'<span class="math">\\({html.escape(m["math"][1:-1])}\\)</span>'
    if m["strong"]: return f"<strong>{inline(m['strong'])}</strong>"
    if m["em"]: return f"<em>{inline(m['em'])}</em>"
    # a notebook's page has its name without folder and number
    href = re.sub(r"^(?:[\w.-]*/)*(?:\d+_)?(\w+)\.ipynb", r"\1.html", m["href"])
    return f'<a href="{html.escape(href)}">{inline(m["text"])}</a>'

def table(lines):
    "A table of Markdown."
    rows = [[inline(c.strip()) for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            for line in lines if not re.fullmatch(r"[|:\s-]+", line)]
    row = lambda tag, cells: "<tr>" + "".join(f"<{tag}>{c}</{tag}>" for c in cells) + "</tr>"
    return ('<table class="table">' + row("th", rows[0])
            + "".join(row("td", r) for r in rows[1:]) + "</table>")

def markdown(text):
    "Markdown as HTML: paragraphs, headings, quotations, lists, tables, fences."
    out = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        if block.startswith("```"): out.append(f"<pre>{html.escape(block.strip('`'))}</pre>")
        elif all(line.startswith(">") for line in lines):
            inner = "\n".join(line[1:].removeprefix(" ") for line in lines)
            out.append(card(inner) if CARD.match(inner)
                       else f"<blockquote>{markdown(inner)}</blockquote>")
        elif lines[0].startswith("|"): out.append(table(lines))
        elif all(re.match(r"[-*] ", line) for line in lines):
            items = "".join(f"<li>{inline(line[2:])}</li>" for line in lines)
            out.append(f"<ul>{items}</ul>")
        elif m := re.match(r"#+ (.*)", block): out.append(f"<p><strong>{inline(m[1])}</strong></p>")
        else: out.append("<p>" + "<br>".join(inline(line.rstrip()) for line in lines) + "</p>")
    return "\n".join(out)

def as_html(value):
    "A value as the page shows it: its drawing, its HTML, its Markdown, or its repr."
    for method, of in (("_repr_svg_", str), ("_repr_html_", str), ("_repr_markdown_", markdown)):
        if isinstance(value, type) or not hasattr(value, method): continue
        if shown := getattr(value, method)(): return of(shown)
    return f"<pre>{html.escape(repr(value))}</pre>"

# ---- stand-ins for what is not there

def narrow():
    """On 32 bits numpy refuses indices and counts of 64, which random numbers are; cells that are
    written for 64 bits hand them over."""
    import numpy as np
    def narrowed(f):
        small = lambda v: v.astype(np.intp) if getattr(v, "dtype", None) == np.int64 else v
        @functools.wraps(f)
        def taking(a, *args, **kw): return f(a, *map(small, args), **kw)
        return taking
    count = np.bincount
    np.repeat, np.take = narrowed(np.repeat), narrowed(np.take)
    np.bincount = functools.wraps(count)(lambda x, *args, **kw: count(
        np.asarray(x).astype(np.intp) if np.asarray(x).dtype == np.int64 else x, *args, **kw))

class Absent:
    "What could not be imported: it says so when it is used, and not before."
    def __init__(self, name, error): self.__dict__.update(name=name, error=error)
    def __call__(self, *args, **kw):
        raise ImportError(f"{self.name} is not here: {self.error}")
    def __getattr__(self, name): self()

def display_of(show):
    "The module IPython.display, as far as pages use it."
    module = types.ModuleType("IPython.display")
    def made(name, method):
        def __init__(self, data): self.data = data
        return type(name, (), {"__init__": __init__, method: lambda self: self.data})
    for name in "HTML", "Markdown", "SVG": setattr(
        module, name, made(name, f"_repr_{name.lower()}_"))
    module.display = lambda *values, **how: [show(value) for value in values] and None
    return module

# ---- cells

IMPORTS = ast.Import, ast.ImportFrom
BOTH_SIDES = """assert (__left := 0) == (__right := 0), (
    f"the left side is {__left!r:.200}, and the right side {__right!r:.200}")"""

class Compared(ast.NodeTransformer):
    "Lets an assert without a message say what it compares; each side is computed once."
    def visit_Assert(self, node):
        if node.msg or not isinstance(node.test, ast.Compare) or len(node.test.ops) > 1: return node
        told = ast.parse(BOTH_SIDES).body[0]
        for part in ast.walk(told): ast.copy_location(part, node)
        told.test.left.value, told.test.comparators[0].value = (
            node.test.left, node.test.comparators[0])
        told.test.ops = node.test.ops
        return told

def pieces(source, name):
    "The statements of a cell, compiled one by one; the last expression gives its value."
    tree = Compared().visit(ast.parse(source, name))
    for i, node in enumerate(tree.body):
        value = (i == len(tree.body) - 1 and isinstance(node, ast.Expr)
                 and not source.rstrip().endswith(";"))
        whole = ast.Expression(node.value) if value else ast.Module([node], [])
        yield node, compile(whole, name, "eval" if value else "exec"), value

class Cells:
    """A page's cells, which share their variables in `space`. `post(kind, text)` takes what they
    give: text that is printed, HTML, an error."""
    def __init__(self, post, space):
        self.post, self.space, self.runs, self.how = post, space, 0, {}
        module, whole = display_of(self.show), types.ModuleType("IPython")
        whole.get_ipython = lambda: None
        sys.modules |= {"IPython": whole, "IPython.display": module}
        if sys.maxsize < 2**32: narrow()
        self.space["display"] = module.display

    def draw(self, settings):
        "Let figures be drawn as the kernels of the project draw them, by their settings."
        c = types.SimpleNamespace(InlineBackend=types.SimpleNamespace())
        exec(settings, dict(get_config=lambda: c))
        # imported now, or its notes on fonts would stand below a cell
        from matplotlib import pyplot
        pyplot.rcParams.update(c.InlineBackend.rc)
        self.how = c.InlineBackend.print_figure_kwargs

    def figures(self, alt):
        "What a cell has drawn with matplotlib, as the page shows it."
        if not self.how: return
        from matplotlib import pyplot
        for k in pyplot.get_fignums():
            file = io.StringIO()
            pyplot.figure(k).savefig(file, format="svg", **self.how)
            self.post("html", inline_svg(file.getvalue(), f"live-{self.runs}-{k}", alt))
        pyplot.close("all")

    def show(self, value):
        sys.stdout.flush()
        self.post("html", as_html(value))

    def run(self, source, lenient=False, alt=""):
        """Run a cell. `lenient`: what cannot be imported is an error only where it is used.
        True when nothing went wrong, or what an import says that fails."""
        self.runs += 1
        name = f"<cell {self.runs}>"
        # tracebacks, and kernels, look for the source there
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = Printed(self.post)
        try:
            for node, code, value in pieces(source, name):
                if lenient and isinstance(node, IMPORTS): self.take(node, code)
                else: self.give(eval(code, self.space), value)
            self.figures(alt or "The figure of this cell")
            return True
        except BaseException as e:
            sys.stdout.flush()
            self.post("error", failure(e, name, source))
            return isinstance(e, ImportError) and str(e)
        finally:
            sys.stdout.flush()
            sys.stdout, sys.stderr = before

    def take(self, node, code):
        "Import what there is."
        try: exec(code, self.space)
        except ImportError as e:
            for a in node.names:
                bound = a.asname or a.name.partition(".")[0]
                self.space[bound] = Absent(bound, e)

    def give(self, value, asked):
        if not asked or value is None: return
        self.space["_"] = value
        self.show(value)

def failure(error, name, source):
    "An error as HTML: its last line and where it happened; the traceback is folded."
    lines = traceback.format_exception_only(error)
    places = traceback.extract_tb(error.__traceback__)
    first = next((i for i, p in enumerate(places) if p.filename == name), len(places))
    at = places[first].lineno if first < len(places) else getattr(error, "lineno", None)
    text = source.splitlines()[at - 1].strip() if at and at <= source.count("\n") + 1 else ""
    where = f"<p>line {at}: <code>{html.escape(text)}</code></p>" if text else ""
    whole = "".join(["Traceback (most recent call last):\n",
                     *traceback.format_list(places[first:]), *lines])
    return (f'<p class="live-last">{html.escape(lines[-1].strip())}</p>{where}'
            f"<details><summary>Traceback</summary><pre>{html.escape(whole)}</pre></details>")

def call(module, name, given):
    "Call a function of a module; its arguments and its result are JSON."
    return json.dumps(getattr(importlib.import_module(module), name)(*json.loads(given)))

def memory():
    "How many megabytes Python has taken."
    import pyodide_js
    return len(pyodide_js._module.HEAPU8) / 1e6
