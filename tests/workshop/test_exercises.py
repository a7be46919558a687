"Answers to exercises: right ones are accepted, however they are written; others are refused."
import re
import sys
from fractions import Fraction
from itertools import combinations, product
from math import comb, log2

import execute
import numpy as np
import pytest
import questions
import readings
from dtree_lit.workshop.exercises import (exercises, function_at, how_exact, tolerance, try_it,
                                          try_source)
from helpers.places import ROOT
from mutants import edits

SOURCES = {name: execute.load(path) for name, path in execute.paths(ROOT).items()}
ORDER = readings.readings(ROOT, SOURCES)

def told(name):
    "The Markdown of a page's exercises, by their ids."
    return {f"{name[:3]}.{n}": part for cell in SOURCES[name]["cells"]
            if cell["cell_type"] == "markdown"
            for n, part in questions.numbered(cell["source"]) if n}

TOLD = {id: part for name in ORDER.folded for id, part in told(name).items()}

def test_each_exercise_is_judged_or_named_as_one_that_is_not():
    assert sorted(TOLD) == sorted([*exercises(), *unjudged()]) and len(TOLD) > 90

def unjudged():
    import tomllib
    text = (ROOT / "dtree_lit/data/exercises.toml").read_text("utf-8")
    return tomllib.loads(text)["unjudged"]

def test_pages_judge_what_they_ask():
    "In JupyterLab, in a cell that the site does not show."
    for name in ORDER.folded:
        cells = "\n".join(c["source"] for c in execute.code_cells(SOURCES[name]))
        assert re.findall(r'try_it\("([\d.]+)"', cells) == [
            id for id in told(name) if id in exercises()], name

def test_an_exercise_is_whole():
    for e in exercises().values():
        assert [e.number is not None, bool(e.choices), bool(e.stub)].count(True) == 1, e.id
        if e.choices: assert e.right in "abcdef"[:len(e.choices)] and len(e.choices) >= 3, e.id
        if e.stub: assert re.search(r"\bdef \w+\(", e.stub) and e.name, e.id

# ---- right answers, as a reader may write them

PLAIN = {
    "110.1": "def largest_gini(K): return 1 - sum((1 / K)**2 for k in range(K))",
    "130.1": "def three_parts(d): return (d - 1) * (d - 2) // 2",
    "405.1": "def best_constant(y): return min(y) + (max(y) - min(y)) / 2",
    "470.3": "def groupings(n):\n"
             "    row = [1]\n"
             "    for _ in range(n):\n"
             "        below = [row[-1]]\n"
             "        for v in row: below.append(below[-1] + v)\n"
             "        row = below\n"
             "    return row[0]",
    "620.1": "def lowest_correlation(B): return 1 / (1 - B)",
    "230.1": "def leading_factor(alpha):\n"
             "    beta = 1 - alpha\n"
             "    return -1 / (2 * (alpha * np.log2(alpha) + beta * np.log2(beta)))",
    "315.3": "def my_walk(feature, t, first, row):\n"             # every slip of it ends
             "    k = 0\n"
             "    for _ in first:\n"
             "        if first[k] >= 0: k = first[k] + (row[feature[k]] >= t[k])\n"
             "    return k",
    "510.1": "def chain_prunings(d): return 1 if d == 0 else 1 + chain_prunings(d - 1)",
    "510.2": "def least_largest(first, width, cost):\n"
             "    def least(k):\n"
             "        below = [least(first[k] + j) for j in range(width[k])]\n"
             "        return min(cost[k], max(below)) if below else cost[k]\n"
             "    return least(0)"}

def of_pages():
    "The functions in folded answers."
    return {id: m[1] for id, part in TOLD.items()
            if id in exercises() and (m := re.search(r"```python\n(.*?)```", part, re.S))}

@pytest.mark.parametrize("id", sorted(of_pages()))
def test_the_answer_of_the_page_is_right(id):
    assert try_source(id, "import numpy as np\n" + of_pages()[id])

# ---- other cases than those of the library, and a judge of its own

def shapes():
    "First children and widths of all trees with up to three inner nodes of two or three children."
    def grown(width, todo, inner):
        if not todo: yield width; return
        for w in (0, 2, 3) if inner else (0,): yield from grown([*width, w], todo + w - 1,
                                                                 inner - (w > 0))
    for width in grown([], 1, 3):
        ends = np.cumsum(width) + 1
        yield np.where(width, ends - width, -1), np.array(width)

rng = np.random.default_rng(11)
SHAPES = list(shapes())

def priced():
    for first, width in SHAPES:
        for _ in range(8): yield first, width, rng.integers(0, 5, len(width))
    for first, width in SHAPES: yield first, width, width + rng.integers(0, 3, len(width))

def walks():
    for first, width in SHAPES:
        if 3 in width: continue
        for _ in range(25):
            n = len(first)
            yield rng.integers(0, 3, n), rng.integers(0, 3, n) * 1.0, first, rng.integers(0, 3, 3)

def labeled():
    "Columns with labels whose best split does not hang on rounding."
    for n in range(6):
        for x, y in product(product(range(1, 4), repeat=n), product((0, 1), repeat=n)):
            if rng.random() < 0.05 or n < 3: yield np.array(x), np.array(y)

def columns():
    yield from ([a, np.nextafter(a, b)] for a in (1.0, 3.0, -1.0, -2.5, 1e-300) for b in (9, -9))
    for n in range(5): yield from product((-2, 0, 1, 4), repeat=n)

def nodes(): return [c for n in (1, 2, 3) for c in product(range(5), repeat=n)]
def splits(): return [np.reshape(p, (k, -1)) for k in (1, 2, 3) for p in
                      rng.integers(0, 4, (150, 6)) if p.sum()]
def one_by_one(values): return [(v,) for v in values]

OTHERS = {"few": one_by_one(range(1, 60)), "values": one_by_one(range(1, 60)),
          "depths": one_by_one(range(40)), "shares": one_by_one(np.arange(1, 100) / 200),
          "pairs": one_by_one(range(2, 60)),
          "numbers": one_by_one(rng.integers(-9, 9, (200, 3)) / 4),
          "nodes": one_by_one(map(np.array, nodes())), "splits": one_by_one(splits()),
          "columns": one_by_one(np.array(c, float) for c in columns()),
          "labeled": list(labeled()), "walks": list(walks()), "priced": list(priced())}

def function(source, name):
    space = {"np": np, "log2": log2, "comb": comb, "Fraction": Fraction}
    exec(source, space)
    return space[name]

def agree(a, b):
    "Are two values the same number, or list of numbers?"
    if a is None or b is None: return a is b
    try: a, b = np.asarray(a, float), np.asarray(b, float)
    except (TypeError, ValueError): return False
    return a.shape == b.shape and bool((abs(a - b) <= 1e-9 * np.maximum(1, abs(b))).all())

def same_values(one, other, exact, cases):
    "Do two functions agree in all cases?"
    for case in cases:
        try: got = one(*case)
        except Exception: return False
        expected = other(*case)
        if not agree(got, expected) or exact and list(got) != list(expected): return False
    return True

ANSWERS = of_pages() | PLAIN

@pytest.mark.parametrize("id", sorted(e.id for e in exercises().values() if e.stub))
def test_a_right_answer_is_right_in_other_cases_too(id):
    e = exercises()[id]
    assert same_values(function(ANSWERS[id], e.name), function_at(e.reference), e.within == 0,
                       OTHERS[e.cases]) and try_source(id, "import numpy as np\n" + ANSWERS[id])

def changed(source, slips):
    "A program with some of its edits."
    lines = source.split("\n")
    for row, at, old, new in sorted(slips, reverse=True):
        assert lines[row][at:at + len(old)] == old
        lines[row] = lines[row][:at] + new + lines[row][at + len(old):]
    return "\n".join(lines)

def test_three_hundred_changed_functions_are_judged_rightly():
    "One slip each, and two of each where the functions are short."
    judged, equal, wrongly = 0, 0, []
    recursion, _ = sys.getrecursionlimit(), sys.setrecursionlimit(400)
    try:
        for id, source in sorted(ANSWERS.items()):
            e, ones = exercises()[id], list(edits(source))
            twos = [pair for pair in combinations(ones, 2) if pair[0][:2] != pair[1][:2]]
            some = [twos[i] for i in rng.permutation(len(twos))[:40]]
            right = function(source, e.name)
            for slips in [*((slip,) for slip in ones), *some]:
                mutant = changed(source, slips)
                try: answer = function(mutant, e.name)
                except SyntaxError: continue
                with np.errstate(all="ignore"):
                    same = same_values(answer, right, e.within == 0, OTHERS[e.cases])
                    accepted = bool(try_it(id, answer))
                judged, equal = judged + 1, equal + same
                if same != accepted: wrongly.append((id, same, mutant))
    finally: sys.setrecursionlimit(recursion)
    assert not wrongly, "\n".join(f"{id}, the same: {same}\n{m}" for id, same, m in wrongly)
    print(f"{judged} changed functions, {equal} of them right")
    assert judged >= 300 and equal >= 10

# ---- numbers and choices

# what a number is made of
MADE = {"010.1": "0.940286 - 7/14 * (4/7 * log2(7/4) + 3/7 * log2(7/3))"
                 " - 7/14 * (1/7 * log2(7) + 6/7 * log2(7/6))",
        "120.1": "3 + 4", "210.2": "(2**63 * 27 / 4)**(1/3)", "230.2": "1 / 0.1", "315.1": "4 + 1",
        "520.2": "1000 * np.log(10)"}

def test_numbers_are_judged_within_their_tolerance():
    judged = 0
    for id, made in MADE.items():
        e = exercises()[id]
        right = eval(made)
        assert try_it(id, right) and try_it(id, np.float64(right)) and try_it(id, Fraction(right))
        assert not try_it(id, -right) and not try_it(id, float("nan")) and not try_it(id, True)
        for slip in edits(made):
            try: value = eval(changed(made, [slip]))
            except (ZeroDivisionError, TypeError): continue
            judged += 1
            if not isinstance(value, complex):
                assert bool(try_it(id, value)) == (abs(value - e.number) <= e.within), (id, slip)
    assert judged > 50

WORDS = dict(four=4, five=5, fifth=5, seven=7, nine=9, ten=10)

def test_numbers_have_the_digits_that_their_pages_print():
    "Each judged number is in its folded answer."
    for e in exercises().values():
        if e.number is None: continue
        said = TOLD[e.id].partition("The answer</summary>")[2]
        said = re.sub(r"[,$]", "", said)
        said = re.sub(r"\b(four|five|fifth|seven|nine|ten)", lambda m: str(WORDS[m[0]]), said)
        found = re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)( %| million)?", said)
        numbers = [float(n) * {"": 1, " %": 0.01, " million": 1e6}[unit] for n, unit in found]
        assert any(try_it(e.id, n) for n in numbers), e.id

@pytest.mark.parametrize("number, within, said", [
    (0.1518, 0.005, "two digits"), (0.072, 0.0005, "two digits"), (13.5, 0.5, "two digits"),
    (0.9, 0.005, "two digits"), (7, 0, "exactly"), (1024.0, 0, "exactly"), (0, 0, "exactly")])
def test_two_digits_are_enough_and_a_whole_number_has_to_be_exact(number, within, said):
    assert tolerance(number) == pytest.approx(within, abs=1e-15)
    assert said in how_exact(number, tolerance(number))
    assert how_exact(number, 3) == "It may be off by 3."

def test_choices_are_judged_by_their_letters():
    for e in exercises().values():
        if not e.choices: continue
        for letter in "abcdef"[:len(e.choices)]:
            assert bool(try_it(e.id, f"({letter.upper()})")) == (letter == e.right)
        assert "use one of a, b, c" in str(try_it(e.id, "z"))

# ---- what it says

def test_the_first_case_that_fails_is_shown():
    assert str(try_it("110.4", lambda counts: 1.0)) == "my_entropy([0, 3]): you say 1.0, it is 0.0."
    assert str(try_it("110.4", lambda counts: 1 // 0)) == (
        "my_entropy([0, 3]) raises ZeroDivisionError: integer division or modulo by zero; "
        "it is 0.0.")
    assert str(try_it("110.4", 3)) == "3 is not a function."
    assert str(try_it("120.1", 8)) == "8 is too large." and str(try_it("120.1", 7)) == "Right."
    for answer, said in {0.15: "Right.", 0.14: "Nearly. Give it to two digits, or more.",
                         0.12: "0.12 is too small."}.items():
        assert str(try_it("010.1", answer)) == said
    assert str(try_it("120.1", "7")) == "'7' is not a number."
    with pytest.raises(ValueError, match="'110.9' is not .* use one of 110.1, 110.2, 110.4"):
        try_it("110.9", 1)

def test_a_bare_assert_says_where_it_is():
    given = "def my_entropy(counts): return 1\n\nassert my_entropy([0, 3]) == 0\n"
    assert str(try_source("110.4", given)) == (
        "AssertionError in line 3: assert my_entropy([0, 3]) == 0.")
    given = "def my_entropy(counts):\n    assert sum(counts) > 3\n    return 0"
    assert str(try_source("110.4", given)) == (
        "my_entropy([0, 3]) raises AssertionError; it is 0.0.")

def test_an_answer_may_change_what_it_gets():
    "A judge that compares with what was handed out would not notice."
    def spoils(first, width, cost):
        expected = function_at("workshop.exercises.least_sum")(first, width, cost.copy())
        cost[:] = 0
        return expected
    assert try_it("510.3", spoils)

def test_a_text_is_judged_as_a_function():
    assert try_source("510.1", "def chain_prunings(d): return d + 1")
    assert str(try_source("510.1", "def chain(d): return d + 1")) == (
        "There is no function chain_prunings in it.")
    assert str(try_source("510.1", "def chain_prunings(d) return")).startswith("SyntaxError")
    assert try_source("510.1", "1 / 0").says == "ZeroDivisionError: division by zero."
