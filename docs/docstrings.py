"""Docstrings as `?`, help() and editors show them, in the form of numpydoc: made at export from the
sentence of a definition, the comments on its parameters, and the cells that show it at work
(`#| example: name`)."""
import ast, re, textwrap

import reader
from reference import comments, lent, offered, parameters, returned

WIDTH = 96
WORDS = {"np.ndarray": "numpy.ndarray", "ArrayLike": "array-like",
         "da.Array": "dask.array.Array", "dd.": "dask.dataframe."}
USUAL = {       # what a parameter of this name is, wherever its signature does not say it
    "a": "Tree|Estimator", "args": "tuple", "ax": "matplotlib.axes.Axes", "b": "Tree|Estimator",
    "binary": "bool|str", "block": "tuple", "bootstraps": "int", "C": "float",
    "categorical_features": "str|list", "categories": "str|list|dict",
    "class_weight": "dict|str", "cost": "str", "costs": "dict|array-like",
    "counts": "array-like", "cv": "int|list", "estimator": "Estimator", "F": "array-like",
    "f": "function", "feature": "int|str", "file": "str|os.PathLike", "first": "array-like",
    "folds": "int", "forest": "ForestClassifier|ForestRegressor", "g": "function",
    "honest": "float", "labels": "array-like", "learner": "function", "max_depth": "int",
    "max_features": "int|float|str", "max_leaf_nodes": "int", "max_samples": "int|float",
    "model": "Tree|Estimator", "monotonic_cst": "dict|array-like", "n_jobs": "int",
    "nodes": "array-like", "oob_score": "bool|function", "order": "function",
    "path": "str|os.PathLike", "positive": "str|int", "priors": "dict|str",
    "prune_fraction": "float", "random_state": "int|RandomState", "row": "array-like|dict",
    "sample_weight": "array-like", "shards": "Shards", "site": "str", "states": "list",
    "T": "array-like", "t": "array-like", "tell": "function", "time_limit": "float",
    "tree": "Tree",
    "wanted": "str|float|tuple", "weights": "array-like", "X": "array-like",
    "x": "array-like|dict", "X_prune": "array-like", "y": "array-like", "y_prune": "array-like"}
GIVEN = {       # what a comment on what comes back begins with, and its type
    "the estimator itself": "self", "the axes": "matplotlib.axes.Axes", "a Tree": "Tree",
    "a frame": "pandas.DataFrame", "a DataFrame": "pandas.DataFrame", "Trees": "iterator of Tree",
    "a sparse matrix": "scipy.sparse.csr_matrix", "an iterator": "iterator",
    "a ModelProto": "onnx.ModelProto", "distances, and": "tuple or numpy.ndarray",
    "as many shards": "Shards", "for each query point": "tuple or numpy.ndarray",
    "what was saved": "Tree, tuple, Committee or RuleList"}

def sentence(text):
    "A comment as a sentence."
    text = text.strip()
    if re.match(r"[a-z]+\b(?![_(=])", text): text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else text + "."

def in_words(annotation):
    "An annotation such as int | str | None: int, str or None."
    for word, other in WORDS.items(): annotation = annotation.replace(word, other)
    *others, last = (part.strip().strip("\"'") for part in annotation.split("|"))
    return f"{', '.join(others)} or {last}" if others else last

def kind(annotation, default="None", usual="object"):
    "The type of a parameter in words: as annotated, that of its default, or the usual one."
    if annotation: return in_words(annotation)
    try: value = ast.literal_eval(default)
    except (ValueError, SyntaxError): return in_words(usual)            # such as a constant's name
    if value is None: return usual if usual == "object" else in_words(f"{usual}|None")
    of = type(value).__name__
    return in_words(usual) if of in usual.split("|") else of

def kind_returned(annotation, comment):
    "The type of what comes back."
    usual = (of for start, of in GIVEN.items() if comment.startswith(start))
    return kind(annotation) if annotation else next(usual, "object")

def section(title, entries):
    "A section of numpydoc: its title underlined, then its lines."
    return [title, "-" * len(title), *entries, ""] if entries else []

def entry(head, comment):
    "A parameter, an attribute or what comes back, and below it what it is."
    if not comment: return [head]
    lines = textwrap.wrap(sentence(comment), WIDTH - 8, break_long_words=False)
    return [head, *(f"    {line}" for line in lines)]

def parameter(name, annotation, default, comment):
    "One parameter, with its type and what it is by default."
    if stated := re.match(r"((?:int|float)\d\d(?: \(.*?\))?)[:;] (.*)", comment):
        annotation, comment = f"{annotation} of {stated[1]}", stated[2]
    if name.startswith("*"): return entry(name, comment)
    given = f", default={default}" if default else ""
    usual = USUAL.get(name, "object") if comment else "object"      # an inner f may be anything
    of = kind(annotation, default, usual)
    if of == "int" and "a float:" in comment: of = "int or float"
    if of == "str" and re.search(r"\bor (a function|f\()", comment): of = "str or function"
    return entry(f"{name} : {of}{given}", comment)

def is_property(node):
    "Whether a definition is asked without a call."
    by = {getattr(d, "id", "") for d in node.decorator_list}
    return bool(by & {"property", "cached_property"})

# --- what a class has from its bases

class Classes:
    """The classes of all modules, by name, with the comments of their module and its path, and
    those that an `__all__` names, with their bases; texts: the modules, by path."""
    def __init__(self, texts):
        self.found, self.home, self.modules = {}, {}, {}
        for path, source in texts.items():
            tree, notes = ast.parse(source), comments(source)
            self.modules[path], said = (tree, notes), lent(tree, notes)
            found = [n for n in tree.body if isinstance(n, ast.ClassDef)]
            self.found |= {n.name: (n, notes, said) for n in found}
            self.home |= {n.name: path for n in found}
        named = {name for source in texts.values() for name in offered(source)}
        self.offered = {one for name in named for one in self.lineage(name)}

    def same_method(self, owner, name):
        "The method of this name of a class and of its bases, the nearest first, with comments."
        for one in self.lineage(owner):
            node, notes, _ = self.found[one]
            yield from ((n, notes) for n in node.body
                        if isinstance(n, ast.FunctionDef) and n.name == name)

    def of_method(self, owner, name):
        "Parameters of a method; what it does not say of one, the method of a base says."
        own, *others = (parameters(*one) for one in self.same_method(owner, name))
        for param, of, default, comment in own:
            told = [p for params in others for p in params if p[0] == param and p[3]]
            _, base_of, _, base_comment = told[0] if told else ("", "", "", "")
            yield param, of or base_of, default, comment or base_comment

    def returned(self, owner, name):
        "Type and comment of what a method returns; what it does not say, that of a base says."
        back, *others = (returned(*one) for one in self.same_method(owner, name))
        if back[1]: return back
        other = next((found for found in others if any(found)), ("", ""))
        return back[0] or other[0], other[1]

    def lineage(self, name):
        "A class and its bases, the nearest first."
        if name not in self.found: return []
        node = self.found[name][0]
        bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
        return [name, *(one for base in bases for one in self.lineage(base))]

    def parameters(self, name):
        "What a class is made of: the parameters of the nearest __init__, or its fields."
        for one in self.lineage(name):
            node, notes, said = self.found[one]
            if found := parameters(node, notes):
                return [(n, t, v, c or said.get(n, "")) for n, t, v, c in found]
        return []

    def attributes(self, name):
        "What an estimator knows after `fit`: annotations and properties whose names end with _."
        found, kept = {}, "tree_"
        for one in reversed(self.lineage(name)):
            node, notes, _ = self.found[one]
            kept = constants(node).get("_kept", kept)
            found |= {n.target.id: (ast.unparse(n.annotation), notes.get(n.lineno, ""))
                      for n in node.body if isinstance(n, ast.AnnAssign)}
            found |= {n.name: (returned(n, notes)[0], (ast.get_docstring(n) or "").split("\n")[0])
                      for n in node.body if isinstance(n, ast.FunctionDef) and is_property(n)}
        if kept != "tree_": found.pop("tree_", None)            # it has another kind of model
        params = {param for param, *_ in self.parameters(name)}
        def is_made(comment):
            option = re.match(r"[Ww]ith `(\w+)`:", comment)
            return option is None or option[1] in params
        return {attribute: (of, comment) for attribute, (of, comment) in found.items()
                if attribute.endswith("_") and is_made(comment)}

def constants(node):
    "What a class sets to a text, by name."
    found = {}
    for n in node.body:
        if not isinstance(n, ast.Assign): continue
        names, value = getattr(n.targets[0], "elts", n.targets), getattr(n.value, "elts", [n.value])
        found |= {name.id: v.value for name, v in zip(names, value)
                  if isinstance(name, ast.Name) and isinstance(v, ast.Constant)}
    return found

# --- examples

def imports_for(source, cells, public):
    "The imports that a cell needs: of public names, and as its page imports others."
    tree = ast.parse(source)
    named = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    used = {n.id for n in named} - {n.id for n in named if isinstance(n.ctx, ast.Store)}
    ours, lines = sorted(used & public), []
    if ours: lines.append(f"from dtree_lit import {', '.join(ours)}")
    for cell in cells:
        for n in ast.walk(ast.parse(reader.without_directives(cell))) if "import" in cell else ():
            if not isinstance(n, ast.Import | ast.ImportFrom): continue
            names = [a for a in n.names if (a.asname or a.name) in used - public]
            if not names: continue
            used -= {a.asname or a.name for a in names}
            lines.append(ast.unparse(ast.ImportFrom(n.module, names, n.level)
                                     if isinstance(n, ast.ImportFrom) else ast.Import(names)))
    return sorted(lines, key=lambda line: "dtree_lit" in line)

def session(source, outputs, imports):
    "A cell as a session: its lines behind prompts, and what it printed or gave."
    starts = {n.lineno for n in ast.parse(source).body}
    shown = [f">>> {line}" for line in imports]
    shown += [f"{'>>>' if i in starts else '...'} {line}".rstrip()
              for i, line in enumerate(source.split("\n"), 1) if line.strip()]
    for o in outputs:
        text = o.get("text") or o.get("data", {}).get("text/plain", "")
        shown += [line or "<BLANKLINE>" for line in "".join(text).rstrip("\n").split("\n")]
    return shown

def examples_of(nb, public):
    "By name the sessions of a page."
    cells, found = [c["source"] for c in nb["cells"] if c["cell_type"] == "code"], {}
    for cell in nb["cells"]:
        if cell["cell_type"] != "code": continue
        names = reader.directives(cell["source"]).get("example", "")
        source = reader.without_directives(cell["source"])
        for name in filter(None, re.split(r",\s*", names)):
            lines = session(source, cell["outputs"], imports_for(source, cells, public))
            found[name] = found.get(name, []) + lines
    return found

# --- one docstring

def yields(node):
    "Does a function yield, itself and not by one inside it?"
    inner = (n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.FunctionDef))
    return isinstance(node, ast.Yield) or any(map(yields, inner))

def gives(node):
    "Does a function give anything back?"
    return any(isinstance(n, ast.Return | ast.Yield) and n.value for n in ast.walk(node))

def docstring(path, node, notes, classes, derived, examples):
    "All that is to be said of one definition, in lines."
    text, more = (ast.get_docstring(node) or "").strip(), []
    is_class, owner = isinstance(node, ast.ClassDef), path.rpartition(".")[0]
    if is_class: params = classes.parameters(node.name)
    elif owner: params = classes.of_method(owner, node.name)
    else: params = parameters(node, notes)
    if not is_property(node):
        told = [line for p in params for line in parameter(*p)]
        more += section("Parameters", told)
    if is_class:
        told = [line for name, (of, comment) in classes.attributes(node.name).items()
                for line in entry(f"{name} : {kind(of)}", comment)]
        more += section("Attributes", told)
    if is_class: back = ("", "")
    else: back = classes.returned(owner, node.name) if owner else returned(node, notes)
    if any(back) and back[0] != "None" and (back[1] or not is_property(node)):
        head = "Yields" if yields(node) else "Returns"
        more += section(head, entry(kind_returned(*back), back[1]))
    if not owner: more += section("Notes", [derived])
    more += section("Examples", examples.get(path, []))
    return "\n".join([sentence(text.split("\n")[0]), *text.split("\n")[1:], "", *more]).rstrip()

def written(text, indent):
    "A docstring as it stands in a source."
    if "\n" not in text and '"' not in text and "\\" not in text: return f'{indent}"{text}"'
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = text.split("\n")
    body = "\n".join([lines[0], *(f"{indent}{line}" if line else "" for line in lines[1:])])
    return f'{indent}"""{body}\n{indent}"""'

def as_words(source):
    "Signatures in which ArrayLike stays a word, which Python would spell out in ten lines."
    lines = source.split("\n")
    args = [n.annotation for n in ast.walk(ast.parse(source)) if isinstance(n, ast.arg)]
    found = [a for a in args if a and not isinstance(a, ast.Constant)
             and "ArrayLike" in ast.unparse(a)]
    for a in sorted(found, key=lambda a: -a.col_offset):        # from the right, so places hold
        line = lines[a.lineno - 1]
        said = line[a.col_offset:a.end_col_offset]
        lines[a.lineno - 1] = f'{line[:a.col_offset]}"{said}"{line[a.end_col_offset:]}'
    return "\n".join(lines)

def targets(tree, source, public, classes):
    "The definitions that get one: public functions, and what a class that is offered has."
    names = offered(source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names & public: yield node.name, node
        if not isinstance(node, ast.ClassDef) or node.name not in classes.offered: continue
        if node.name in names: yield node.name, node
        for n in node.body:
            if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"):
                yield f"{node.name}.{n.name}", n

def documented(source, classes, derived, examples, public):
    "A module whose public names say all that there is to know."
    source = as_words(source)
    tree, notes, lines = ast.parse(source), comments(source), source.split("\n")
    found = [(path, node) for path, node in targets(tree, source, public, classes)
             if ast.get_docstring(node) and node.body[0].lineno > node.lineno]
    for path, node in sorted(found, key=lambda pair: -pair[1].lineno):
        said = node.body[0]
        text = docstring(path, node, notes, classes, derived, examples)
        at = lines[said.lineno - 1]
        indent = at[:len(at) - len(at.lstrip())]
        lines[said.lineno - 1:said.end_lineno] = written(text, indent).split("\n")
    return "\n".join(lines)

# --- what a module holds

def first_line(node):
    "The first line of a docstring."
    return (ast.get_docstring(node) or "").split("\n")[0]

def offers(text, public):
    "The public names of a module, each with its first line."
    found = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return [f"    {n.name} : {first_line(n)}" for n in found if n.name in public]

def package_docstring(about, texts, modules, public):
    "What a package is about, its modules, and what they offer."
    lines = [about, ""]
    for path in modules:
        name = path.rpartition("/")[2].removesuffix(".py")
        lines += [f"{name} : {first_line(ast.parse(texts[path]))}", *offers(texts[path], public)]
    return written("\n".join(lines), "") + "\n"

def root_docstring(text, about, texts, public):
    "The package itself, whose docstring lists all that is public."
    lines = [first_line(ast.parse(text)), ""]
    for package, said in about.items():
        inside = sorted(path for path in texts if path.split("/")[1] == package)
        names = [line for path in inside for line in offers(texts[path], public)]
        if names: lines += [f"{package} : {said}", *names]
    body = text.split("\n")
    return "\n".join([written("\n".join(lines), ""), *body[ast.parse(text).body[0].end_lineno:]])

def with_contents(texts, about, public):
    "All modules, and in the docstrings of packages what they hold."
    root = next(iter(texts)).split("/")[0]
    for package, said in about.items():
        inside = [path for path in texts if path.startswith(f"{root}/{package}/")]
        modules = [path for path in inside if not path.endswith("__init__.py")]
        if modules: texts[f"{root}/{package}/__init__.py"] = package_docstring(
            said, texts, sorted(modules), public)
    start = f"{root}/__init__.py"
    texts[start] = root_docstring(texts[start], about, texts, public)

def with_docstrings(texts, classes, pages, public, about):
    """All modules, by path: those that a page exports are documented; pages: name, module,
    notebook; about: what each package is for."""
    texts = dict(texts)
    for name, module, nb in pages:
        path = f"{module.replace('.', '/')}.py"
        if path not in texts: continue
        derived = f"Derived in {name}.ipynb, which is {reader.page(name)}.html on the site."
        texts[path] = documented(texts[path], classes, derived, examples_of(nb, public), public)
    with_contents(texts, about, public)
    return texts
