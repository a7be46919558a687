"""What editors and type checkers know of the library: a stub beside each module that has a public
name, or a class that one of these gives back. It is made at export, of the types that docstrings
show in words."""
import ast, builtins, json, re, textwrap

import docstrings
import reference

IMPORTED = {"collections.abc": ("Callable", "Iterable", "Iterator", "Mapping"),
            "typing": ("Any", "Literal", "NamedTuple", "Self"), "matplotlib.axes": ("Axes",),
            "numpy.typing": ("NDArray",), "pandas": ("DataFrame",)}
WORDS = {of: of for of in ("bool", "int", "float", "str", "bytes", "None")} | {  # what comes back
    "numpy.ndarray": "NDArray[Any]", "list": "list[Any]", "dict": "dict[Any, Any]",
    "set": "set[Any]", "tuple": "tuple[Any, ...]", "iterator": "Iterator[Any]",
    "function": "Callable[..., Any]", "os.PathLike": "os.PathLike[str]",
    "pandas.DataFrame": "DataFrame", "matplotlib.axes.Axes": "Axes", "self": "Self"}
TAKEN = WORDS | {                                                                # what is passed
    "array-like": "Iterable[Any]", "list": "Iterable[Any]", "tuple": "Iterable[Any]",
    "dict": "Mapping[Any, Any]", "Tree": "Tree | Estimator",
    "numpy.ndarray": "Iterable[float] | Mapping[Any, float]"}
SPECIAL = {"__len__": "int", "__iter__": "Iterator[Any]", "__getitem__": "Any", "__call__": "Any",
           "__getattr__": "Any"}
# scikit-learn says no types, and a base without types has every attribute: so its own stand here
LENT = {"BaseEstimator": ["def get_params(self, deep: bool = ...) -> dict[str, Any]: ...",
                          "def set_params(self, **params: Any) -> Self: ...",
                          "def get_metadata_routing(self) -> Any: ...",
                          "def set_fit_request(self, **asked: bool | str | None) -> Self: ...",
                          "def set_score_request(self, **asked: bool | str | None) -> Self: ..."],
        "RegressorMixin": ["def score(self, X: Iterable[Any], y: Iterable[Any], "
                           "sample_weight: Iterable[Any] | None = ...) -> float: ..."]}
BASES = {"ConvergenceWarning": "UserWarning"}
CLOSED = "criterion", "dialect"     # their values are listed, or are the keys of a table

def wrapped(line):
    "A definition in lines of at most 100 letters, broken behind commas."
    start = len(line) - len(line.lstrip())
    whole = re.sub(r"(?<!,) (?=\S)", "\0", line[start:])
    lines = textwrap.wrap(whole, 100, initial_indent=" " * start, break_on_hyphens=False,
                          subsequent_indent=" " * (start + 8), break_long_words=False)
    return [line.replace("\0", " ") for line in lines]

def dotted(path):
    "The name of the module at a path."
    return path.removesuffix(".py").replace("/", ".")

def is_method(node): return isinstance(node, ast.FunctionDef)

class Stubs:
    "The stubs of a library, one of which may need another."
    def __init__(self, classes):
        self.classes, self.home, self.needed = classes, classes.home, {}

    def need(self, name, path):
        "Take a definition into the stub of its module."
        if name in self.needed.setdefault(path, {}): return
        self.needed[path][name] = ()
        node = reference.find(self.classes.modules[path][0], name)
        self.needed[path][name] = [*self.definition(node, path)]

    def type(self, words, known=WORDS):
        "A type in words, such as int or None, as Python says it."
        kinds = {}
        for word in re.split(r", | or ", re.sub(r" of .*", "", words)):
            of = known.get(word) or (word if word in self.home else "Any")
            kinds |= dict.fromkeys(of.split(" | "))
        for of in kinds.keys() & self.home.keys(): self.need(of, self.home[of])
        return "Any" if "Any" in kinds else " | ".join(kinds)

    def values(self, default, comment):
        "The values that a comment lists in quotes, or those of the table that it names."
        listed = re.findall('"([^"]+)"', comment)
        if table := re.search(r"key of ([A-Z]+)", comment):
            listed = [one.arg for tree, _ in self.classes.modules.values() for n in tree.body
                      if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == table[1]
                      for one in n.value.keywords]
        return [*dict.fromkeys([ast.literal_eval(default), *listed])] if listed else []

    def parameters(self, node, found):
        "The parameters of a call; found: as `reference.parameters` returns them."
        by_name, shown = {arg.arg for arg in node.args.kwonlyargs}, []
        for name, of, default, comment in found:
            if name in by_name and not node.args.vararg and "*" not in shown: shown.append("*")
            head = docstrings.parameter(name, of, default, comment)[0]
            words = head.partition(" : ")[2].partition(", default")[0]
            of = "Any" if name == "estimator" else self.type(words, TAKEN)   # also one around ours
            if name in CLOSED and default and (known := self.values(default, comment)):
                of = of.replace("str", f"Literal[{', '.join(map(json.dumps, known))}]")
            shown.append(f"{name}: {of}" + " = ..." * bool(default))
        return shown

    def function(self, node, path, owner=""):
        "A function, or a method of a class."
        notes = self.classes.modules[path][1]
        marks = {ast.unparse(mark) for mark in node.decorator_list}
        if owner:
            found = self.classes.of_method(owner, node.name)
            back = self.classes.returned(owner, node.name)
        else: found, back = reference.parameters(node, notes), reference.returned(node, notes)
        shown = self.parameters(node, found)
        if owner and "staticmethod" not in marks:
            shown.insert(0, "cls" if "classmethod" in marks else "self")
        gives = self.type(docstrings.kind_returned(*back))
        if len({*gives.split(" | ")} - {"None"}) > 1: gives = "Any"     # the caller knows which
        gives = SPECIAL.get(node.name, gives if docstrings.gives(node) else "None")
        if gives == "Any" and "classmethod" in marks: gives = "Self"
        if docstrings.is_property(node): marks = {"property"}
        for mark in marks & {"property", "classmethod", "staticmethod"}: yield f"@{mark}"
        yield f"def {node.name}({', '.join(shown)}) -> {gives}: ..."

    def assigned(self, node):
        "What a class assigns to names, and its methods to attributes: each name with the value."
        for n in ast.walk(node):
            for target in n.targets if isinstance(n, ast.Assign) else ():
                for one in getattr(target, "elts", [target]):
                    if isinstance(one, ast.Name) and n in node.body: yield one.id, n.value
                    if ast.unparse(one).startswith("self.") and isinstance(one, ast.Attribute):
                        yield one.attr, None

    def shared(self, name, path):
        "A method that several classes of a module have, for one that is made by `map`."
        return next((n, path, of) for of, (node, *_) in self.classes.found.items()
                    if self.home[of] == path
                    for n in node.body if is_method(n) and n.name == name)

    def members(self, node, path):
        "Name and lines of each member of a class."
        outside = {ast.unparse(base) for of in self.classes.lineage(node.name)
                   for base in self.classes.found[of][0].bases}
        for n in node.body:
            if isinstance(n, ast.AnnAssign):
                of = self.type(docstrings.in_words(ast.unparse(n.annotation)))
                yield n.target.id, [f"{n.target.id}: {of}" + " = ..." * bool(n.value)]
            if not is_method(n): continue
            if n.name == "__init__":
                shown = self.parameters(n, self.classes.parameters(node.name))
                yield n.name, [f"def __init__({', '.join(['self', *shown])}) -> None: ..."]
                kept = [one.removesuffix(" = ...") for one in shown if one != "*"]
                if "BaseEstimator" in outside:                  # keeps each parameter by its name
                    yield from ((one.partition(":")[0], [one]) for one in kept)
            elif n.name[0] != "_" or n.name in SPECIAL:
                yield n.name, self.function(n, path, node.name)
        known = self.classes.attributes(node.name)
        for name, value in self.assigned(node):
            if name in known: continue
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "map":
                yield name, self.function(*self.shared(name, path))
            else: yield name, [f"{name}: Any"]

    def definition(self, node, path):
        "The lines of a function or a class."
        if is_method(node): return self.function(node, path)
        named = [BASES.get(base, base) for base in map(ast.unparse, node.bases)]
        known = [base for base in named
                 if base in self.home or base == "NamedTuple" or hasattr(builtins, base)]
        known = ["tuple[Any, ...]" if base == "tuple" else base for base in known]
        for base in known:
            if base in self.home: self.need(base, self.home[base])
        lines = {base: LENT[base] for base in named if base in LENT}
        for name, told in self.members(node, path):
            if name[0] != "_" or name == "__init__" or name in SPECIAL:
                lines.setdefault(name, [*told])
        body = [f"    {line}" for told in lines.values() for line in told] or ["    pass"]
        return [f"class {node.name}" + f"({', '.join(known)})" * bool(known) + ":", *body]

    def text(self, path):
        "The stub of a module."
        names, used = self.needed[path], {of: [*words] for of, words in IMPORTED.items()}
        order = (getattr(node, "name", "") for node in self.classes.modules[path][0].body)
        lines = [part for name in order for line in names.get(name, ()) for part in wrapped(line)]
        lines += ["", "def __getattr__(name: str) -> Any: ...    # what is not public", ""]
        said = {*re.findall(r"\w+", "\n".join(lines))}
        for word in sorted(said & self.home.keys()):
            if self.home[word] != path: used.setdefault(dotted(self.home[word]), []).append(word)
        imports = ["import os"] * ("os" in said)
        for other, words in used.items():
            if here := [word for word in words if word in said]:
                imports.append(f"from {other} import {', '.join(here)}")
        return "\n".join([*imports, "", *lines])

def stubs(classes, root, public):
    "The stubs of a library, by path; public: by name the module of all that is public."
    found = Stubs(classes)
    for name, module in public.items(): found.need(name, f"{root}/{module.replace('.', '/')}.py")
    lines = [f"from {root}.{of} import {name} as {name}\n" for name, of in public.items()]
    return {f"{path}i": found.text(path) for path in found.needed} | {
        f"{root}/__init__.pyi": '"The public names."\n\n' + "".join(lines) + "\n__version__: str\n"}
