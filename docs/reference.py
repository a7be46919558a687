"The reference: a page for each module, read from the source, so that no module has to be imported."
import ast, html, io, re, tokenize
from functools import cache

import reader

parse = cache(ast.parse)                # to be read, and not changed

@cache
def comments(source):
    "The comments of a source, by line."
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}

def offered(source):
    "The names in the `__all__` of a source."
    found = [n.value for n in parse(source).body
             if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__"]
    return set(ast.literal_eval(found[0])) if found else set()

def defined(texts):
    "The qualified names of functions, classes and methods, by module."
    found = {}
    for module, text in texts.items():
        tops = [n for n in parse(text).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
        found[module] = [f"{module}.{top.name}" for top in tops] + [
            f"{module}.{top.name}.{n.name}" for top in tops for n in getattr(top, "body", ())
            if isinstance(top, ast.ClassDef) and isinstance(n, ast.FunctionDef)]
    return found

def find(tree, path):
    "The definition of a name such as entropy or Tree.walk."
    for part in path.split("."):
        tree = next((n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))
                     and n.name == part), None)
        if tree is None: return None
    return tree

def named(node, notes):
    "What the comment behind a def in one line says of its parameters: `# X: rows; y: labels`."
    last = max((p.lineno for p in ast.walk(node.args) if isinstance(p, ast.arg)),
               default=node.lineno)
    comment = notes.get(node.lineno, "")
    said = [part.split(": ", 1) for part in comment.split("; ")]
    known = {p.arg for p in ast.walk(node.args) if isinstance(p, ast.arg)}
    return (dict(said) if last == node.lineno
            and all(len(s) == 2 and s[0] in known for s in said) else {})

def parameters(node, notes):
    """(name, type, default, comment) of each parameter of a function, or of each field or
    __init__ parameter of a class."""
    show = lambda n: ast.unparse(n) if n else ""
    shown_type = lambda n: show(n).strip("'")           # a word in quotes is a type, too
    if isinstance(node, ast.ClassDef):
        if init := find(node, "__init__"): return parameters(init, notes)
        return [(n.target.id, shown_type(n.annotation), show(n.value), notes.get(n.lineno, ""))
                for n in node.body
                if isinstance(n, ast.AnnAssign) and not n.target.id.endswith("_")]
    a, found, said = node.args, [], named(node, notes)
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    for prefix, args, values in (("", positional, defaults),
                                 ("*", [a.vararg] if a.vararg else [], [None]),
                                 ("", a.kwonlyargs, a.kw_defaults),
                                 ("**", [a.kwarg] if a.kwarg else [], [None])):
        found += [(prefix + p.arg, shown_type(p.annotation), show(v),
                   notes.get(p.lineno, "") if p.lineno > node.lineno else said.get(p.arg, ""))
                  for p, v in zip(args, values)]
    return [p for p in found if p[0] not in ("self", "cls")]

def returned(node, notes):
    "(type, comment) of what a function returns."
    if isinstance(node, ast.ClassDef): return "", ""
    after = max([node.lineno] + [p.lineno + 1 for p in ast.walk(node.args)
                                 if isinstance(p, ast.arg) and p.lineno > node.lineno])
    comment = ("" if named(node, notes)
               else next((notes[i] for i in range(after, node.body[0].lineno) if i in notes), ""))
    return ast.unparse(node.returns) if node.returns else "", comment

def signature(name, node, params):
    "A call as one would write it, without the types, which the table has."
    names = [n + (f"={default}" if default else "") for n, _, default, _ in params]
    if not isinstance(node, ast.ClassDef) and node.args.kwonlyargs and not node.args.vararg:
        names.insert(len(names) - len(node.args.kwonlyargs) - bool(node.args.kwarg), "*")
    return f"{name}({', '.join(names)})"

def prose(text):
    "A docstring or comment as Markdown: plain text, except for `code` and $formulas$."
    pieces = re.split(r"(`[^`]*`|\$[^$]+\$)", text)
    return "".join(p if i % 2 else re.sub(r"([\\*_|\[\]~])", r"\\\1", html.escape(p, quote=False))
                   for i, p in enumerate(pieces))

def cell(text): return text.replace("|", r"\|")

def lent(tree, notes):
    "The first comment on each parameter of a module's classes: a sibling need not say it again."
    said = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for name, _, _, comment in parameters(node, notes):
                if comment: said.setdefault(name, comment)
    return said

def entry(path, node, notes, said, derived):
    "One symbol: signature, sentence, parameters, what comes back, and where it is derived."
    marks = {getattr(d, "id", "") for d in node.decorator_list}
    kind = ("class" if isinstance(node, ast.ClassDef) else "property"
            if marks & {"property", "cached_property"} else "method" if "." in path else "function")
    params, (type, comment) = parameters(node, notes), returned(node, notes)
    if kind == "class": params = [(n, t, v, c or said.get(n, "")) for n, t, v, c in params]
    whole = sections(node)                      # as `?` shows it, where a docstring is whole
    if "Parameters" in whole: params = [as_parameter(*e) for e in whole["Parameters"]]
    if "Returns" in whole: [(type, comment)] = whole["Returns"]
    lines = [f"{'`' * 4}{{py:{kind}}} "
             + (path if kind == "property" else signature(path, node, params)), "",
             told(node)]
    params = [*params, *(as_parameter(*e) for e in whole.get("Attributes", []))]
    rows = ([(f"`{n}`", t, v, c) for n, t, v, c in params]
            if any(p[1] or p[3] for p in params) else [])
    if type not in ("", "None") or comment: rows.append(("*returns*", type, "", comment))
    if rows: lines += ["", "| | | |", "|---|---|---|"]
    lines += [f"| {n} | " + (f"`{cell(t)}`" if t else "") + (f" = `{cell(v)}`" if v else "")
              + f" | {cell(prose(c))} |" for n, t, v, c in rows]
    return "\n".join(lines + ["", derived, "````", ""])

def sentence(node): return (ast.get_docstring(node) or "").strip().split("\n")[0]

def sections(node):
    "By title the entries of the sections of a docstring: what stands at the margin, and below it."
    pieces = re.split(r"^(\w+)\n-+\n", ast.get_docstring(node) or "", flags=re.M)
    return {title: [(head, " ".join(below.split()))
                    for head, below in re.findall(r"^(\S.*)\n((?: +.*\n?)*)", text + "\n", re.M)]
            for title, text in zip(pieces[1::2], pieces[2::2])}

def as_parameter(head, comment):
    "(name, type, default, comment) of an entry."
    name, _, rest = head.partition(" : ")
    of, _, default = rest.partition(", default=")
    return name, of, default, comment

SECTION = r"\n*^(?:Parameters|Attributes|Returns|Notes|Examples)\n-+$"

def told(node):
    "What a docstring says before its sections, and its examples, as Markdown."
    text = ast.get_docstring(node) or ""
    shown = text.split("\nExamples\n--------\n")
    lines = [prose(re.split(SECTION, text, maxsplit=1, flags=re.M)[0])]
    if len(shown) == 2: lines += ["", "```pycon", shown[1].strip(), "```"]
    return "\n".join(lines)

def reference(root, book, notebooks, pages, parts, documented=""):
    """The texts of the reference pages, by path: one for each module, and the index, which ends
    with what documents modules beside it."""
    texts, listing = {}, {}
    for name, nb in notebooks.items():
        module = reader.module_of(nb, book.package)
        short = module.removeprefix(book.package + ".")
        path = root / book.package / (short.replace(".", "/") + ".py")
        names = [q for q, (m, full) in book.symbols.items() if m == module and q == full]
        if not names or not path.exists(): continue
        source = path.read_text("utf-8")
        tree, notes = ast.parse(source), comments(source)
        here, title = reader.page(name), book.titles[name]
        known, said = set(reader.anchors(pages[name])), lent(tree, notes)
        found = [(q.removeprefix(module + "."), node)
                 for q in names if (node := find(tree, q.removeprefix(module + ".")))]
        found.sort(key=lambda f: f[1].lineno)
        def derived(path):
            anchor = f"def-{path.split('.')[0]}"
            place = "#" + anchor if anchor in known else ""
            return (f'<span class="derived">Derived in <a class="reference internal" '
                    f'href="../{here}.html{place}">{title}</a></span>')
        body = "\n".join(entry(path, node, notes, said, derived(path) if "." not in path else "")
                         for path, node in found)
        about = prose(ast.get_docstring(tree) or "")
        head = f"# `{module}`\n\n{about}\n\n```{{py:module}} {module}\n```"
        texts[f"reference/{short}.md"] = f"{head}\n\n{body}"
        listing[name] = short, [(path, sentence(node)) for path, node in found if "." not in path]
    index = ["# Reference", "", '<div class="lead">', "", "What each module offers. Every entry "
                                                          "leads to the page that derives it.", "",
             "</div>", ""]
    for title, names in parts:
        found = [listing[name] for name in names if name in listing]
        if found: index += ["", f"## {title}", ""]
        for short, entries in found:
            index += [f"### [`{book.package}.{short}`]({short}.md)", "", "| | |", "|---|---|"]
            index += [f'| <a class="reference internal" '
                      f'href="{short}.html#{book.package}.{short}.{path}">`{path}`</a> | '
                      f'{cell(prose(text))} |' for path, text in entries] + [""]
    texts["reference/index.md"] = "\n".join(index + ["```{toctree}", ":hidden:", "",
                                                     *(f"{short} <{short}>"
                                                       for short, _ in listing.values()), "```",
                                                     "", documented])
    return texts
