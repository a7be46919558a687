"The repository is in order: library, notebooks and folders."
import ast
import json
import os
import re
import shutil
import tokenize
from contextlib import chdir
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path

import build
import execute
import pages
import pytest
import reader
import readings
import reference
from dtree_lit.workshop.claims import claims
from dtree_lit.workshop.jit import reached, sources_of
from execute import library

ROOT = execute.ROOT
LIB = execute.settings(ROOT)["lib_path"]
NOTEBOOKS = execute.notebooks(ROOT)
SOURCES = {p.stem: execute.load(p) for p in NOTEBOOKS}

def below(folder, ending):
    "All files of a kind below a folder, found in another way than by the lists of this project."
    return {Path(place, name).relative_to(ROOT).as_posix() for place, dirs, names in
            os.walk(ROOT / folder) for name in names if name.endswith(ending)
            and not any(part[0] in "._" for part in Path(place).relative_to(ROOT).parts)}

def test_no_list_has_lost_a_file():
    "What a test or a script goes through is found by a pattern, and an empty list passes any test."
    notebooks, sources = below("nbs", ".ipynb"), below(LIB, ".py")
    assert {p.relative_to(ROOT).as_posix() for p in NOTEBOOKS} == notebooks and len(notebooks) > 80
    assert len(SOURCES) == len(NOTEBOOKS), "two notebooks have one name"
    assert {f"{LIB}/{name.replace('.', '/')}.py" for name in sources_of(ROOT / LIB)} == sources
    assert whole_library().modules.keys() == sources_of(ROOT / LIB).keys() and len(PUBLIC) > 70
    code = below("tests", ".py") | {p for p in below("docs", ".py") if p.count("/") == 1}
    assert {p.relative_to(ROOT).as_posix() for p in PYTHON} == code and len(code) > 70

@cache
def whole_library(): return library(ROOT)

@pytest.mark.parametrize("name", SOURCES)
def test_a_page_stands_on_what_it_imports(name):
    "Else it would not be run again where that changes."
    modules, cells = whole_library().modules, execute.code_cells(SOURCES[name])
    found = {module.removeprefix(f"{LIB}.") for cell in cells
             for module, _ in imports(re.sub(r"(?m)^[%!].*", "pass", cell["source"]))
             if module.startswith(LIB + ".")}
    stands = execute.stands_on([cell["source"] for cell in cells], modules)
    assert {*reached(sorted(found), modules)} <= {*stands}

def test_library_is_what_the_notebooks_export(tmp_path):
    fresh = build.exported(ROOT, tmp_path)
    kept = {str(p.relative_to(ROOT)): p.read_bytes() for p in (ROOT / LIB).rglob("*.py*")
            if p.suffix in (".py", ".pyi") and p.name != "_modidx.py"}
    differ = sorted(p for p in fresh.keys() | kept.keys() if fresh.get(p) != kept.get(p))
    assert not differ, f"run make: {differ}"

def test_notebooks_are_clean(tmp_path):
    from nbdev.clean import nbdev_clean
    from nbdev.config import get_config
    shutil.copy2(ROOT / "settings.ini", tmp_path)
    shutil.copytree(ROOT / "nbs", tmp_path / "nbs", ignore=shutil.ignore_patterns(".*"))
    with chdir(tmp_path):
        get_config.cache_clear()
        nbdev_clean.__wrapped__()
    get_config.cache_clear()
    differ = [p.name for p in NOTEBOOKS
              if p.read_bytes() != (tmp_path / p.relative_to(ROOT)).read_bytes()]
    assert not differ, "run make refresh"

@pytest.mark.parametrize("name", SOURCES)
def test_outputs_are_small(name):
    sizes = [len(json.dumps(out)) for c in execute.code_cells(SOURCES[name])
             for out in c["outputs"]]
    assert max(sizes, default=0) <= 200_000

def texts(cell):
    "What a cell shows in words; the repr of a figure counts as a picture."
    shown = [{k: v for k, v in out.get("data", {}).items() if k.startswith("text/")}
             | {k: out[k] for k in ("text", "ename") if k in out} for out in cell["outputs"]]
    return [{k: rounded(v) for k, v in s.items() if not str(v).startswith("<Figure")}
            for s in shown]

def rounded(text):
    "A text whose long decimals are cut to what every processor agrees on."
    return (re.sub(r"\d+\.\d{10,}", lambda m: f"{float(m[0]):.9g}", text)
            if isinstance(text, str) else text)

@pytest.mark.parametrize("name", SOURCES)
def test_committed_outputs_are_fresh(name, records):
    renewed = json.loads(json.dumps(SOURCES[name]))
    with chdir(ROOT): renewed = execute.load_text(build.refreshed(renewed, records[name]))
    for kept, new in zip(execute.code_cells(SOURCES[name]), execute.code_cells(renewed),
                         strict=True):
        assert texts(kept) == texts(new), f"run make refresh: {kept['source']}"

def exported(nb):
    "The exported code cells."
    return [c["source"] for c in execute.code_cells(nb)
            if {"export", "exports", "exporti"} & reader.directives(c["source"]).keys()]

def imports(source):
    "(module or name in one, at the top of the cell?) of each import."
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Import(): found = [a.name for a in node.names]
            case ast.ImportFrom():
                found = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
            case ast.Call(func=ast.Name("import_module"), args=[ast.Constant(str(path)), *_]):
                found = [path]
            case _: continue
        yield from ((name, node in tree.body) for name in found)

FOLDERS = execute.folders(ROOT)
HOMES = {module: n for n, nb in SOURCES.items() if (module := reader.module_of(nb, LIB))}
TYPED = "030_package", "890_command", "690_dask"    # dtree_lit, python -m dtree_lit, dtree_lit.dask

def test_a_number_says_the_folder():
    "Numbers are unique; a module has the name of its page and the folder of its page."
    numbered = [name for name in SOURCES if name != "index"]
    assert all(re.fullmatch(r"\d{3}_[a-z0-9_]+", name) for name in numbered)
    assert len({name[:3] for name in numbered}) == len(numbered)
    assert all(re.fullmatch(rf"{name[0]}_[a-z]+", FOLDERS[name]) for name in numbered)
    assert FOLDERS["index"] == "."
    for module, name in HOMES.items():
        if name not in TYPED: assert module == f"{LIB}.{FOLDERS[name][2:]}.{name[4:]}"
    assert [HOMES[LIB], HOMES[f"{LIB}.__main__"], HOMES[f"{LIB}.dask"]] == [*TYPED]

KNOW_SCIKIT_LEARN = {"380_estimator_inputs", "390_estimator", "645_knn", "650_logistic",
                     "820_honest_scores"}
HEAVY = {"joblib", "pandas", "scipy", "sklearn"}
HOLD_ESTIMATORS = {"390_estimator", "610_rule_lists", "645_knn", "650_logistic", "690_dask"}

@pytest.mark.parametrize("name", [n for n in SOURCES if n != "030_package"])
def test_exported_code_looks_down(name):
    "To lower folders and to the workshop, and within a folder to lower numbers."
    for source in exported(SOURCES[name]):
        for module, top in imports(source):
            if module in HOMES and module != LIB:
                assert reader.height(HOMES[module]) < reader.height(name), f"{name}: {module}"
            if module.split(".")[0] == "matplotlib":
                assert name == "920_figures" or not top, f"{name} imports matplotlib for everyone"
            if module.split(".")[0] == "sklearn":
                assert name in KNOW_SCIKIT_LEARN, f"{name} imports scikit-learn"
            if module.split(".")[0] in HEAVY:
                assert name in HOLD_ESTIMATORS or not top, f"{name} imports {module} for everyone"

@pytest.mark.parametrize("name", SOURCES)
def test_imports_have_cells_of_their_own(name):
    "nbdev runs the cells that import, and no others, to show what it exports."
    for cell in execute.code_cells(SOURCES[name]):
        if {"export", "exports", "exporti"} & reader.directives(cell["source"]).keys(): continue
        nodes = ast.parse(cell["source"].replace("\n%", "\n#")).body
        kinds = {any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in ast.walk(node))
                 for node in nodes}
        assert len(kinds) < 2, cell["source"]

@pytest.mark.parametrize("name", SOURCES)
def test_a_kernel_without_a_front_is_a_helper(name):
    for cell in execute.code_cells(SOURCES[name]):
        if not {"export", "exports"} & reader.directives(cell["source"]).keys(): continue
        made = [(n.name, ast.unparse(d)) for n in ast.parse(cell["source"]).body
                if isinstance(n, ast.FunctionDef) for d in n.decorator_list]
        bare = [name for name, by in made if re.match(r"(kernel|piece)\b", by)
                and "front=" not in by]
        assert not bare, f"#| exporti keeps it out of the reference: {bare}"

def inside_texts(source):
    "The lines of texts that go over several lines: data, programs, and what a docstring shows."
    code = re.sub(r"(?m)^[%!]", "#", source)
    tokens = tokenize.generate_tokens(StringIO(code + "\n").readline)
    texts = [t for t in tokens if t.type == tokenize.STRING and t.start[0] < t.end[0]]
    return {row for t in texts for row in range(t.start[0], t.end[0] + 1)}

def long_lines(source):
    "Lines of code that go beyond column 100; a directive, an address and a text cannot be broken."
    free = inside_texts(source)
    return [line for row, line in enumerate(source.splitlines(), 1)
            if len(line) > 100 and row not in free
            and not line.startswith("#|") and "://" not in line]

PYTHON = sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").glob("*.py")])
CODE = ({path.stem: [path.read_text("utf-8")] for path in PYTHON}
        | {name: [c["source"] for c in execute.code_cells(nb)] for name, nb in SOURCES.items()})

@pytest.mark.parametrize("name", sorted(CODE))
def test_lines_end_at_column_100(name):
    assert not [line for source in CODE[name] for line in long_lines(source)]

def test_a_long_line_is_found_and_a_long_text_is_not():
    long = "x" * 101
    assert long_lines(f"y = 1\n{long}") == [long]
    assert not long_lines(f'y = """\n{long}\n"""\n#| fig-cap: {long}\n%timeit y')

MODULES = {name: source.decode() for name, source in sorted(sources_of(ROOT / LIB).items())
           if name.rpartition(".")[2] != "__init__"}
PUBLIC = {name: ast.parse(source) for name, source in MODULES.items()}

def handed_on(tree):
    "The names that a module has only because it imports them from another of the package."
    found = {a.asname or a.name for node in ast.walk(tree)
             if isinstance(node, ast.ImportFrom) and node.level for a in node.names}
    made = {n.name if hasattr(n, "name") else n.id for top in tree.body
            if isinstance(top, (ast.FunctionDef, ast.ClassDef, ast.Assign))
            for n in ([top] if hasattr(top, "name") else
                      [n for t in top.targets for n in ast.walk(t) if isinstance(n, ast.Name)])}
    return found - made

HANDED_ON = {f"{LIB}.{module}": handed_on(tree) for module, tree in PUBLIC.items()}

@pytest.mark.parametrize("name", sorted(CODE))
def test_names_come_from_where_they_are_made(name):
    "In the library, on pages, and in tests."
    for source in CODE[name]:
        for node in ast.walk(ast.parse(re.sub(r"(?m)^[%!].*", "pass", source))):
            if not isinstance(node, ast.ImportFrom): continue
            names = {a.name for a in node.names}
            assert not names & HANDED_ON.get(node.module, set()), ast.unparse(node)

@pytest.mark.parametrize("name", SOURCES)
def test_no_private_name_crosses_a_folder(name):
    for source in exported(SOURCES[name]):
        for module, _ in imports(source):
            path, _, thing = module.rpartition(".")
            home = HOMES.get(path)
            if home and thing.startswith("_"): assert FOLDERS[home] == FOLDERS[name], module

@pytest.mark.parametrize("module", PUBLIC)
def test_the_reference_says_what_everything_is(module):
    """Each public name has its sentence; each parameter a comment, or a type that the reference
    explains."""
    source, tree = MODULES[module], PUBLIC[module]
    notes, offered = reference.comments(source), reference.offered(source)
    classes = {n.name for t in PUBLIC.values() for n in t.body if isinstance(n, ast.ClassDef)}
    said, blank = reference.lent(tree, notes), []
    for top in tree.body:
        if getattr(top, "name", "_") not in offered: continue
        members = [n for n in getattr(top, "body", ()) if isinstance(top, ast.ClassDef)
                   and isinstance(n, ast.FunctionDef) and n.name[0] != "_"]
        for node in (top, *members):
            if not re.fullmatch(r"[^\n]+[.?]", reference.sentence(node)):
                blank.append(f"{top.name}: {node.name} has no sentence")
            usual = ({"X", "y", "x", "sample_weight"} if node is not top else said
                     if isinstance(top, ast.ClassDef) else ())
            blank += [f"{top.name}: {name} of {node.name}"
                      for name, kind, _, comment in reference.parameters(node, notes)
                      if not comment and name.lstrip("*") not in usual
                      and kind.removesuffix(" | None") not in classes]
    assert not blank

ORDER = readings.readings(ROOT, SOURCES)

def test_the_map_joins_folders_that_stand_on_each_other():
    "Each pair looks down, none is implied by others, and who stands on nothing is alone."
    pairs = readings.joined(SOURCES, FOLDERS)
    assert ("2_splitter", "1_measures") in pairs and ("8_reporting", "1_measures") not in pairs
    assert all(upper > lower for upper, lower in pairs)
    assert {folder for pair in pairs for folder in pair} == {*FOLDERS.values()} - {
        ".", "0_start", "9_workshop"}

def test_readmes_list_all_pages():
    "One for each folder, and one for all in the order of reading."
    fresh = build.shelf(ROOT)
    kept = {p.relative_to(ROOT / "nbs").as_posix(): p.read_text("utf-8")
            for p in (ROOT / "nbs").rglob("README.md") if p.parent.name != "data"}
    assert kept == fresh, "run make refresh"
    for name, folder in FOLDERS.items():
        if name != "index": assert f"({name}.ipynb)" in fresh[f"{folder}/README.md"]
    listed = re.findall(r"\(\w+/(\w+)\.ipynb\)", fresh["README.md"])
    assert listed == [name for part in ORDER.parts for name in part.pages]
    readme = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"\(nbs/(\w+)/README.md\)", readme))
    assert named == {*FOLDERS.values(), "data"} - {"."}

def test_what_a_page_needs_is_read_before_it():
    "So the first reading needs nothing of the second."
    order = [name for part in ORDER.parts for name in part.pages]
    assert all(order.index(other) < order.index(name) for name, needs in ORDER.needs.items()
               for other in needs)
    first = ORDER.folded
    assert all(set(ORDER.needs.get(name, ())) <= first for name in first)

def test_the_pages_of_the_core_are_short():
    (core,) = [part.pages for part in ORDER.parts if part.title == readings.CORE]
    assert len(core) == 8
    for name in core:
        cells, words, _ = pages.shape(SOURCES[name])
        assert cells <= 35 and words <= 2200, (name, cells, words)
    assert sum(readings.minutes(SOURCES[name]) for name in core) <= 180

def test_cells_that_draw_do_nothing_else():
    "In the first reading; what captions say is checked in the cell behind, which is hidden."
    for name in ORDER.folded:
        for cell in execute.code_cells(SOURCES[name]):
            d = reader.directives(cell["source"])
            if d.get("code-fold") == "true" and "label" in d:
                assert not any(isinstance(node, ast.Assert)
                               for node in ast.walk(ast.parse(cell["source"]))), cell["source"]

def test_the_readme_is_short_and_its_picture_is_fresh():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 160
    assert (ROOT / "docs/_static/tree.svg").read_text("utf-8") == build.front_tree()
    assert "docs/_static/tree.svg" in readme
    decided = sum(claim.decided for claim in claims().values())
    assert f"All {len(claims())} statements" in readme and f"{decided} of them" in readme

def test_pages_of_the_second_reading_say_why_they_are_there():
    "In three sentences, before what they claim: the problem, what it costs, what is gained."
    for part in ORDER.parts:
        if not part.reading.startswith("Second"): continue
        for name in part.pages:
            text = SOURCES[name]["cells"][0]["source"]
            assert 0 < text.find("**Why.**") < text.find("**Claim.**"), name

def test_the_points_of_pages_are_there():
    assert ORDER.points <= {n.name for name in ORDER.folded for source in exported(SOURCES[name])
                            for n in ast.parse(source).body if hasattr(n, "name")}

def test_tests_lie_where_what_they_test_lies():
    "pytest tests/pruning tests one folder; what several test files need is a helper."
    folders = {path.name for path in (ROOT / LIB).iterdir() if (path / "__init__.py").exists()}
    tests = [path for path in PYTHON if path.name.startswith("test_")]
    assert {path.parent.name for path in tests} == folders | {"whole", "site"}
    assert len({path.name for path in tests}) == len(tests)
    assert not [path.name for path in PYTHON
                if re.search(r"(?m)^\s*(from|import) (test_|conftest)", path.read_text("utf-8"))]

TWICE = set()       # names that are still to be told apart

def test_a_name_is_one_thing():
    "Whoever finds a name in two rooms has found the same thing twice."
    places = {}
    for module, tree in PUBLIC.items():
        for node in tree.body:
            targets = ([node] if hasattr(node, "name")
                       else [n for t in getattr(node, "targets", ()) for n in ast.walk(t)])
            for name in {getattr(n, "name", None) or getattr(n, "id", None)
                         for n in targets} - {None, "__all__"}:
                places.setdefault(name, []).append(module)
    def value(name, module):
        found = getattr(import_module(f"{LIB}.{module}"), name)
        return type(found), found                                   # 2 is not 2.0
    twice = {name: rooms for name, rooms in places.items() if len(rooms) > 1}
    assert "IN_ORDER" in twice
    assert TWICE == {name for name, rooms in twice.items()
                     if any(value(name, room) != value(name, rooms[0]) for room in rooms)}

@pytest.mark.parametrize("name, data",
                         [("210_exact_split", "adult_age.csv"),
                          ("090_benchmarks", "benchmarks.json"),
                          ("970_claims", "claims.toml")])
def test_a_page_is_run_again_when_its_data_change(name, data):
    lib = library(ROOT)
    other = lib._replace(data=lib.data | {data: b"another"})
    assert data in lib.data and execute.stamp(SOURCES[name],
                                              lib) != execute.stamp(SOURCES[name], other)

def test_no_page_is_warned():
    "A warning would name a place on this machine, or a font that it lacks."
    assert not [name for name, nb in SOURCES.items() for cell in nb["cells"]
                for out in cell.get("outputs", ()) if out.get("name") == "stderr"]

def test_no_file_names_a_machine():
    place = re.compile(rb"(?<![\w.:/-])/(?:home|Users|root|tmp|work|var|mnt)/\w|[A-Z]:\\\\?Users")
    hidden = {".git", ".venv", "_build", "_site", "_proc", "__pycache__", ".ipynb_checkpoints",
              ".pytest_cache", ".hypothesis", "build", "dist", "machine"}
    files = [p for p in ROOT.rglob("*") if p.is_file()
             and not hidden & set(p.relative_to(ROOT).parts) and ".egg-info" not in str(p)]
    assert not [f"{p.relative_to(ROOT)}: {m[0]}" for p in files
                if (m := place.search(re.sub(rb'"image/png": "[^"]*"', b"", p.read_bytes())))]
