"Questions and exercises: how they are written, and what a reader of the site sees."
import re
from math import exp, log

import execute
import live
import pytest
import questions
import reader
import readings
from dtree_lit.measures.entropy import entropy, gini
from dtree_lit.measures.gain import gain, gain_ratio, gini_gain
from dtree_lit.workshop.exercises import exercises
from helpers.browsing import DAY, load, opened, watched
from helpers.places import ROOT

SOURCES = {name: execute.load(path) for name, path in execute.paths(ROOT).items()}
(CORE,) = [part.pages for part in readings.readings(ROOT, SOURCES).parts
           if part.title == readings.CORE]
# they derive nothing
WITHOUT = {"What next", "Exercises", "Edge cases"}

def asked(name):
    "The questions of a page, without the marks of a quotation, by their sections."
    found, section = {}, ""
    for cell in SOURCES[name]["cells"]:
        if cell["cell_type"] != "markdown": continue
        if questions.is_question(cell):
            found.setdefault(section, []).append(re.sub(r"(?m)^> ?", "", cell["source"]))
        for title in re.findall(r"(?m)^## (.*)$", cell["source"]):
            section = title
            found.setdefault(section, [])
    return found

ASKED = {name: asked(name) for name in CORE}

@pytest.mark.parametrize("name", CORE)
def test_each_section_of_the_core_ends_with_a_question(name):
    assert {s: len(q) for s, q in ASKED[name].items()} == {
        s: int(s not in WITHOUT) for s in ASKED[name]}

@pytest.mark.parametrize("name", CORE)
def test_a_question_has_three_choices_or_a_number_and_reasons(name):
    for text in sum(ASKED[name].values(), []):
        found = list(questions.reasons(text))
        choices = re.findall(r"(?m)^- \((\w)\) ", text.partition(questions.ANSWER)[0])
        (right,) = [reason for reason in found if reason.right]
        assert len(found) >= 3 and choices in ([], ["a", "b", "c"]), text
        if choices: continue
        for other in found:                                 # wrong numbers are not accepted
            far = abs(float(other.key) - float(right.key))
            assert other is right or far > right.within + other.within, text

# numbers that are right, computed: by the page and the section
NUMBERS = {
    "110": {"How surprising is one label?": 2 + 3,
            "The average surprise: entropy": entropy([2, 6]),
            "From zero to log K": entropy([7] * 4), "Two simpler measures": gini([1, 3])},
    "120": {"From the picture to the formula": gain([[2, 2], [4, 0]]), "Never negative": 1,
            "The flattery of many values": 10 / (200 * log(2)),
            "Gain ratio": gain_ratio([[1, 0], [0, 1]] * 32),
            "Gini gain": gini_gain([[2, 2], [4, 0]])},
    "130": {"From infinitely many to finitely many": len({3, 5, 8, 9}) - 1},
    "210": {"The lesson's algorithm": 999 * 1000, "The splitter": 2},
    "230": {"One node": 1000 * 10, "Halving, level by level": 8 * 3 + 2 * 4 * 2 + 4 * 2 * 1,
            "The exact cost of a tree": 10 / 0.5, "The worst tree": (1 + 2 + 3 + 4 + 4) / 5},
    "315": {"A plane, split into boxes": 4 - 1, "The prediction function as a sum": 1},
    "510": {"The number of prunings": 1 + 1 * (1 + 1 * 1), "The loop": min(6, min(2, 1 + 2) + 3),
            "Complexity": 4095 - 1},
    "520": {"Empty subtrees": 100 * exp(-2)}}

@pytest.mark.parametrize("name", CORE)
def test_numbers_are_right(name):
    found = {section: right for section, texts in ASKED[name].items() for text in texts
             for right in questions.reasons(text) if right.right and right.within is not None
             and re.fullmatch(r"-?[\d.]+", right.key)}
    assert found.keys() == NUMBERS[name[:3]].keys()
    for section, right in found.items():
        assert abs(float(right.key) - NUMBERS[name[:3]][section]) <= right.within, section

# ---- what the reader of notebooks makes of them

def written(source, name="110_entropy", **others):
    nb = dict(cells=[dict(cell_type="markdown", metadata={}, source="# Title\n\n> One sentence."),
                     dict(cell_type="markdown", metadata={}, source=source)])
    return reader.read(nb, name, reader.bind({name: nb})._replace(**others))["cells"][1]["source"]

def quoted(text): return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))

NUMBER = ("**Question.** How many?\n\n<details><summary>The answer</summary>\n\n"
          "- **0.25 ± 0.1**: So it is.\n- 3: Too many.\n\n</details>")

def test_a_question_says_what_judges_it():
    said = written(quoted(NUMBER))
    assert ('<div class="question" data-keys="0.25 3" data-right="0.25" data-within="0.1 0.0" '
            'data-exact="It may be off by 0.1.">' in said
            and '- <span class="key">3 </span>Too many.' in said)

def test_a_question_without_a_right_answer_stops_the_build():
    with pytest.raises(reader.BuildError, match="110_entropy: a question has a folded answer"):
        written(quoted(NUMBER.replace("**0.25 ± 0.1**", "0.25")))

def test_an_exercise_has_its_field_above_its_hint():
    said = written("## Exercises\n\n**1.** How many?\n\n<details><summary>A hint</summary>\n\nx\n\n"
                   "</details>\n\n**2.** Show it.", name="120_gain", exercises=exercises())
    assert said.index("How many?") < said.index('data-keys="7"') < said.index("A hint")
    assert 'data-right="c"' in said[said.index("**2.**"):]

# ---- in a browser

def question(tab, words): return tab.locator(".question", has_text=words)

def verdict(box): return " ".join(box.locator(".verdict").inner_text().split())

def check(box):
    box.get_by_role("button", name="Check").click()
    return verdict(box)

def test_choices_and_numbers_are_judged_at_once(site, browser):
    with opened(browser, (site / "entropy.html").as_uri(), offline=True) as (tab, said):
        box = question(tab, "another 100 blue and 900 orange")
        assert check(box) == "Choose one first."
        box.get_by_label("In the large one").check()
        assert check(box).startswith("Not this one. It has a hundred examples")
        box.get_by_label("In the small one").press("Space")
        box.get_by_label("In the small one").press("Enter")
        assert verdict(box).startswith("Right. Half of its examples")
        box = question(tab, "the Gini impurity of a node with one example")
        for answer, judged in {"3/8": "Right.", ".37": "Right.", "0.25": "Not this one. This is",
                               "0.39": "Nearly. Give it to two digits, or more.",
                               "0.9": "Too large.", "1e-3": "Too small.",
                               "0,38": "Right.", "0,375,": "Write a number"}.items():
            box.get_by_role("textbox").fill(answer)
            assert verdict(box) == ""
            assert check(box).startswith(judged), answer
        assert box.locator(".verdict").get_attribute("role") == "status"
        assert tab.evaluate("!window.python || !live.version")      # Python was not needed
        assert said == []

def test_without_the_runtime_a_function_is_for_jupyterlab(site, browser, tmp_path):
    page = (site / "entropy.html").read_text("utf-8")
    alone = re.sub(r'<script[^>]*src="_static/live/[^>]*></script>', "", page)
    (site / "entropy_alone.html").write_text(alone, "utf-8")
    try:
        with opened(browser, (site / "entropy_alone.html").as_uri()) as (tab, said):
            box = tab.locator(".question[data-exercise='110.4']")
            assert 'try_it("110.4", my_entropy)' in box.locator(".elsewhere").inner_text()
            assert box.locator("textarea").count() == 0 and said == []
    finally: (site / "entropy_alone.html").unlink()

def test_a_function_is_judged_in_the_page(site, browser):
    if isinstance(why := live.runtime(ROOT), str): pytest.skip(f"cells do not run here: {why}")
    context = browser.new_context(**DAY, offline=True)
    tab, said = watched(context)
    load(tab, (site / "entropy.html").as_uri())
    box = tab.locator(".question[data-exercise='110.4']")
    editor = box.locator("textarea")
    def judged(source):
        editor.fill(source)
        editor.press("Control+Enter")
        box.get_by_role("button", name="Check").wait_for(timeout=120_000)
        return verdict(box)
    assert judged("def my_entropy(counts): return 1.0") == (
        "my_entropy([0, 3]): you say 1.0, it is 0.0.")
    assert judged("from math import log2\ndef my_entropy(counts):\n    n = sum(counts)\n"
                  "    return sum(c / n * log2(n / c) for c in counts if c)").startswith("Right")
    assert judged("def my_entropy(counts) return 1").startswith("SyntaxError")
    editor.fill("def my_entropy(counts):\n    while True: pass")
    editor.press("Control+Enter")
    box.get_by_role("button", name="Stop").click()
    box.get_by_role("button", name="Check").wait_for()
    assert verdict(box) == "Stopped." and said == []
    context.close()
