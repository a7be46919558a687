"""Slips put into the library on purpose, one at a time: does a page, or a test, notice?

    make mutants ARGS="--number 240 --wing pruning"

Each slip changes one operator, number or word of an exported cell, in the page and in the module.
Then the page is run, the tests that are named like the module, those of its folder, and those of
all that measures, grows and prunes, until something fails. Tests that compare the export with the
notebooks are no judges. What nothing notices is listed; `mutants.toml` beside this file says which
of them change nothing, and why: these are not tried again."""
import argparse, ast, json, os, random, shutil, subprocess, sys, tempfile, tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

import execute, reader
from execute import ROOT, load

WINGS = {
    "measures": "110 120 125 130 140 145 150 160 170 180",
    "splitter": "210 215 220 240 250 260",
    "growing": "410 415 420 425",
    "pruning": "505 507 510 515 520 530",
    "C4.5": "450 465 560 570"}
LAST = "measures splitter learners pruning whole/test_exact.py whole/test_order.py".split()
OTHER = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
         ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*",
         ast.And: "or", ast.Or: "and", ast.LShift: ">>", ast.RShift: "<<", ast.BitAnd: "|",
         ast.BitOr: "&"}
SIGN = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
        ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
        ast.And: "and", ast.Or: "or", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
        ast.BitOr: "|"}
WORDS = {"min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "any": "all",
         "all": "any", "True": "False", "False": "True", "left": "right"}

class Slip(NamedTuple):
    "One change of one line."
    wing: str
    page: str     # the notebook
    module: str
    old: str      # the line
    new: str

def edits(source):
    "What can be changed in a piece of code: (row, column, old, new)."
    tree, lines = ast.parse(source), source.split("\n")
    silent = {id(n) for node in ast.walk(tree)
              for part in ([node] if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr)
                           else getattr(node, "decorator_list", []))
              for n in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) in silent: continue
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]): pairs = [(left, op, right)]
            case ast.BinOp(left=left, op=op, right=right): pairs = [(left, op, right)]
            case ast.BoolOp(op=op, values=[left, right, *_]): pairs = [(left, op, right)]
            case ast.Constant(value=bool(v)):
                yield node.lineno - 1, node.col_offset, str(v), str(not v); continue
            case ast.Constant(value=int(v)) if abs(v) < 100:
                yield node.lineno - 1, node.col_offset, str(v), str(v + 1); continue
            case ast.Name(id=word) | ast.Attribute(attr=word) if word in WORDS:
                at = (node.col_offset if isinstance(node, ast.Name)
                      else node.end_col_offset - len(word))
                yield node.end_lineno - 1, at, word, WORDS[word]; continue
            case _: continue
        for left, op, right in pairs:
            if type(op) not in SIGN or left.end_lineno != right.lineno: continue
            between = lines[left.end_lineno - 1][left.end_col_offset:right.col_offset]
            if between.count(SIGN[type(op)]) == 1:
                at = left.end_col_offset + between.index(SIGN[type(op)])
                yield left.end_lineno - 1, at, SIGN[type(op)], OTHER[type(op)]

def slips(wing, name):
    "All slips of a page whose line is there once, in the page and in the module."
    nb = load(execute.paths(ROOT)[name])
    module = reader.module_of(nb, "dtree_lit")
    if not module: return
    text = (ROOT / (module.replace(".", "/") + ".py")).read_text("utf-8").split("\n")
    everything = "\n".join(c["source"] for c in execute.code_cells(nb)).split("\n")
    for cell in execute.code_cells(nb):
        if not {"export", "exports", "exporti"} & reader.directives(cell["source"]).keys(): continue
        lines = cell["source"].split("\n")
        for row, at, old, new in edits(cell["source"]):
            line = lines[row]
            if not line.isascii() or line[at:at + len(old)] != old: continue
            if text.count(line) == 1 == everything.count(line):
                yield Slip(wing, name, module, line, line[:at] + new + line[at + len(old):])

RUN = """
import json, os, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for source in json.load(open(sys.argv[1])):
    if not shell.run_cell(source, silent=True).success: sys.exit(1)
"""

def judges(slip, place):
    "Commands one of which should fail: the page, its tests, those of its folder, all others."
    folder, short = slip.module.split(".")[1:]
    cells = place / "cells.json"
    yield [sys.executable, "-c", RUN, str(cells)], place / "nbs" / f"{slip.page[0]}_{folder}"
    own = [p for p in sorted((place / "tests").rglob("test_*.py"))
           if short.split("_")[0] in p.stem and p.parent.name not in ("site", "whole")]
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header"]
    if own: yield [*pytest, *map(str, own)], place
    yield [*pytest, str(place / "tests" / folder)], place
    yield [*pytest, *(str(place / "tests" / name) for name in LAST if name != folder)], place

ENOUGH = 180, 300, 600, 900         # seconds, of each judge

def noticed(slip, place, most=4):
    "Which of the first judges notices the slip, by its number; None if none does."
    module, page = place / (slip.module.replace(".", "/") + ".py"), execute.paths(place)[slip.page]
    kept = module.read_text("utf-8")
    module.write_text("\n".join(slip.new if line == slip.old else line
                                for line in kept.split("\n")), "utf-8")
    cells = ["\n".join(slip.new if line == slip.old else line for line in c["source"].split("\n"))
             for c in execute.code_cells(load(page)) if execute.is_run(c["source"])]
    (place / "cells.json").write_text(json.dumps(cells), "utf-8")
    env = execute.environment(ROOT) | dict(PYTHONPATH=str(place), MPLBACKEND="agg")
    try:
        for i, (command, where) in zip(range(most), judges(slip, place)):
            try:
                done = subprocess.run(command, cwd=where, env=env, capture_output=True,
                                      timeout=ENOUGH[i])
            except subprocess.TimeoutExpired: return i                # it never ends: that shows
            if done.returncode: return i
        return None
    finally: module.write_text(kept, "utf-8")

def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=200, help="how many slips")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("--wing", choices=[*WINGS], help="of one wing only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    args = parser.parse_args()
    names = [name for name in execute.paths(ROOT)]
    draw, chosen = random.Random(args.seed), []
    wings = [args.wing] if args.wing else [*WINGS]
    for i, wing in enumerate(wings):
        pages = [n for n in names if n[:3] in WINGS[wing].split()]
        found = [slip for page in pages for slip in slips(wing, page)]
        many = args.number // len(wings) + (i < args.number % len(wings))
        chosen += draw.sample(found, min(many, len(found)))
    known = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
    def reason(slip):
        old, new, reasons = slip.old.strip(), slip.new.strip(), known.get(slip.page, {})
        return reasons.get(f"{old} -> {new}") or reasons.get(old)
    places, survivors, killed = Queue(), [], [0] * 4
    with tempfile.TemporaryDirectory() as top:
        for k in range(args.jobs):
            place = Path(top) / str(k)
            shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(
                ".git", ".venv", "_site", "_build", ".hypothesis"))
            places.put(place)
        for page, module in {(slip.page, slip.module) for slip in chosen}:      # without a slip
            if noticed(Slip("", page, module, "", ""), Path(top) / "0", 1) is not None:
                sys.exit(f"{page} fails as it is")
        def judge(slip):
            if reason(slip): return None
            place = places.get()
            try: return noticed(slip, place)
            finally: places.put(place)
        with ThreadPoolExecutor(args.jobs) as pool:
            for i, (slip, by) in enumerate(zip(chosen, pool.map(judge, chosen)), 1):
                print(f"{i} of {len(chosen)}", file=sys.stderr, flush=True)
                if by is not None: killed[by] += 1; continue
                why = reason(slip)
                survivors.append(why)
                print(f"{slip.page}\n    {slip.old.strip()}\n    {slip.new.strip()}\n    "
                      f"{why or 'not noticed, and not explained'}", flush=True)
    print(f"{len(chosen)} slips: {killed[0]} noticed by their page, {sum(killed[1:])} by tests, "
          f"{len(survivors) - survivors.count(None)} change nothing, and {survivors.count(None)} "
          f"are noticed by nothing ({survivors.count(None) / len(chosen):.1%})")

if __name__ == "__main__": main()
