"""How plainly the pages speak: words that the field has other words for, and the length of
sentences.

    make words                   by page: how often split, cut, who and other such words occur in
                                 prose; what has become less is written to words.json, and may not
                                 become more

Titles, leads, headings, captions, alt texts, docstrings of what is public, messages, the help of the
command line, README and CHANGELOG use none of the words in PLAIN, which CONTRIBUTING.md lists with
others that only a reader can judge. Prose may still; there they only get fewer. Code, formulas,
quotes, proofs, questions, exercises, *Road not taken* and "A tree in fifteen minutes" are not counted."""
import ast, json, re
from pathlib import Path

import execute, questions, reader
from execute import ROOT, load

RECORD = ROOT / "docs/words.json"
BRITISH = (r"colour(?:s|ed)?|neighbours?|neighbouring|grey|labell\w+|programmes?|licence|learnt"
           r"|behaviours?|centres?|modell\w+|fulfils?|favour\w*|tumours?|judgements?|cancelled")
PLAIN = {                                          # a word, and what the field says
    r"(?<!\.)(?-i:[Cc]uts?)(?! points?)|cutting": "split, or prune; a cut point is a position",
    r"by lot|lots": "random, at random",
    r"who(?:m|ever)?|nobody|somebody|everybody|anybody": "name the thing, or say: the user",
    r"(?:is|are) (?-i:none)": "is no …; None is a value of Python",
    r"disorder": "impurity",
    r"of the house|in this house": "of this library",
    BRITISH: "the American spelling"}
COUNTED = {                                        # in prose
    "split": r"splits?|splitting", "cut": r"cuts?(?! points?)|cutting",
    "who": r"who|whom|whoever|nobody|somebody|everybody|anybody",
    "ask": r"asks?|asked|asking|questions?", "lots": r"by lot|lots", "gap": r"gaps?",
    "disorder": r"disorder", "British": BRITISH}
SPOKEN = "010_first_tree"                          # a story, in which a tree may ask

def plain(text):
    "Prose without code, formulas, links and quotes."
    for what in (r"```.*?```", r"\$\$.*?\$\$", r"`[^`\n]*`", r"\$[^$\n]*\$", r"<[^>]+>",
                 r"(?<=\])\([^)]*\)", r"[“\"][^”\"\n]*[”\"]"):
        text = re.sub(what, " ", text, flags=re.S)
    return text

def found(word, text): return re.findall(rf"\b(?:{word})\b", plain(text), re.I)

def prose(nb):
    "What a page says, without proofs, questions, exercises, roads not taken and tables."
    text = "\n\n".join(c["source"] for c in nb["cells"]
                       if c["cell_type"] == "markdown" and not questions.is_question(c))
    text = text.partition("## Exercises")[0]
    told = [part for part in text.split("\n\n")
            if not re.match(r"\s*(>? ?\*(Proof|Road not taken)|\||<details|</details)", part)]
    return "\n\n".join(told)

def sentences(text):
    "The sentences of some prose."
    told = [part for part in plain(text).split("\n\n") if not part.lstrip().startswith(("#", "|"))]
    return [s for part in told for s in re.split(r"(?<=[.!?:])\s+", part) if len(s.split()) > 2]

def counts(nb):
    "How often the counted words occur on a page."
    text = prose(nb)
    return {name: len(found(word, text)) for name, word in COUNTED.items()}

def parts(path):
    "Docstrings of what is public in a module, and texts that an error or a warning shows."
    tree = ast.parse(path.read_text("utf-8"))
    told = {"": ast.get_docstring(tree)}
    for node in ast.walk(tree):
        name = getattr(node, "name", "")
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not name.startswith("_"):
            told[name] = ast.get_docstring(node)
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call)
                                           and ast.unparse(node.func) == "warnings.warn"):
            texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)
                     and isinstance(n.value, str)]
            told[f"line {node.lineno}"] = " ".join(texts)
    return {f"{path.stem}, {where}": re.sub(r"^\w+ : .*$", "", text, flags=re.M)    # parameters
            for where, text in told.items() if text}

def helps():
    "What the command line says of itself, by command."
    from dtree_lit.__main__ import grammar
    parser = grammar()
    yield "", parser.format_help()
    for action in parser._actions:
        for word, command in (action.choices or {}).items(): yield word, command.format_help()

def scopes(root=ROOT):
    "Texts that have to be plain, by scope and place."
    told = {scope: {} for scope in ("title", "lead", "heading", "caption", "alt text")}
    for name, path in execute.paths(root).items():
        nb = load(path)
        told["title"][name], told["lead"][name], _ = reader.opening(nb)
        if name != SPOKEN:
            told["heading"][name] = "\n".join(re.findall(r"^##+ .*", prose(nb), re.M))
        for i, cell in enumerate(execute.code_cells(nb)):
            d = reader.directives(cell["source"])
            told["caption"][f"{name}, {i}"] = d.get("fig-cap", "")
            told["alt text"][f"{name}, {i}"] = d.get("fig-alt", "")
    told["library"] = {where: text for path in sorted((root / "dtree_lit").rglob("*.py"))
                       for where, text in parts(path).items()}
    told["command line"] = dict(helps())
    told["front"] = {name: (root / name).read_text("utf-8")
                     for name in ("README.md", "CHANGELOG.md")}
    return told

def main():
    known = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    print(f"{'page':26}{'words a sentence':>18}", *(f"{name:>9}" for name in COUNTED))
    now, total = {}, dict.fromkeys(COUNTED, 0)
    for name, path in execute.paths(ROOT).items():
        nb = load(path)
        told = sentences(prose(nb))
        now[name] = counts(nb)
        length = sum(len(s.split()) for s in told) / max(len(told), 1)
        print(f"{name:26}{length:18.1f}", *(f"{n:9}" for n in now[name].values()))
        for word, n in now[name].items(): total[word] += n
    print(f"{'':44}", *(f"{n:9}" for n in total.values()))
    least = {name: {word: min(n, known.get(name, {}).get(word, n)) for word, n in of.items()
                    if word != "split"} for name, of in now.items() if name != SPOKEN}
    lines = ",\n".join(f' "{name}": {json.dumps(of)}' for name, of in least.items())
    RECORD.write_text("{\n" + lines + "\n}\n", "utf-8")

if __name__ == "__main__": main()
