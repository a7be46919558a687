"""Questions and exercises that a page judges at once: what `_static/questions.js` makes forms of.

In a notebook a question is a quotation that begins with **Question.** Its choices are a list, as in
`- (a) zero`. Its folded answer is a list, too: each choice, or each number that is likely to be
given, with the reason; the right one is bold, as in `- **(b)** because …` or `- **0.81**: …`. An
exercise has its field from `data/exercises.toml` of the library. Without a script the page reads as
it does in JupyterLab."""
import html, re
from typing import NamedTuple

MARK = "**Question.**"
ANSWER = "<details><summary>The answer</summary>"
REASON = re.compile(r"^- (?P<bold>\*\*)?(?P<said>\((?P<letter>\w)\)|(?P<number>-?[\d.]+)"
                    r"(?: ± (?P<off>[\d.]+))?)(?(bold)\*\*):? (?P<why>.+)$", re.M)

class Reason(NamedTuple):
    "One line of a folded answer."
    key: str      # a letter, or a number
    within: float # by how much a number may be off; a wrong one by one in its last place
    right: bool
    shown: str    # as Markdown

def is_question(cell):
    "Is a cell of a notebook a question, and no part of the derivation?"
    return cell["cell_type"] == "markdown" and cell["source"].startswith(f"> {MARK}")

def reasons(text):
    "What the folded answer of a question says, in order."
    from dtree_lit.workshop.exercises import tolerance
    for m in REASON.finditer(text.partition(ANSWER)[2]):
        number, bold = m["number"] or "0", m["bold"] or ""
        decimals = len(number.partition(".")[2])
        off = tolerance(float(number)) if bold else 10.0**-decimals if decimals else 0
        yield Reason(m["letter"] or number, float(m["off"] or off), bool(bold),
                     f'- <span class="key">{bold}{m["said"]}{bold} </span>{m["why"]}')

def form(text, below, **data):
    "What a form is made of: the text with its choices, what is folded below, and what judges it."
    data = "".join(f' data-{name}="{html.escape(str(value))}"' for name, value in data.items())
    return f'<div class="question"{data}>\n\n{text}\n\n{below}\n\n</div>\n\n'

def asked(text):
    "The Markdown of a question, from its quotation."
    from dtree_lit.workshop.exercises import how_exact
    found, text = list(reasons(text)), text.partition(ANSWER)[0].strip()
    choices = re.findall(r"^- \((\w)\) ", text, re.M)
    rights = [reason for reason in found if reason.right]
    if len(rights) != 1 or choices not in ([], [reason.key for reason in found]):
        raise ValueError(f"a question has a folded answer with a reason for each choice, and one "
                         f"of them is bold:\n{text}")
    within = {} if choices else dict(within=" ".join(str(reason.within) for reason in found),
                                     exact=how_exact(float(rights[0].key), rights[0].within))
    listed = "\n".join(reason.shown for reason in found)
    folded = ANSWER.replace("<details>", '<details class="reasons">')
    return form(text, f"{folded}\n\n{listed}\n\n</details>",
                keys=" ".join(reason.key for reason in found), right=rights[0].key, **within)

def field(exercise):
    "The Markdown of an exercise's field."
    from dtree_lit.workshop.exercises import how_exact
    if exercise.stub:
        elsewhere = (f'<p class="elsewhere">In JupyterLab, <code>try_it("{exercise.id}", '
                     f'{exercise.name})</code> judges your function. This page cannot run it.</p>')
        return form(f"{exercise.asks}\n\n```python\n{exercise.stub.strip()}\n```", elsewhere,
                    exercise=exercise.id)
    if not exercise.choices:
        return form(exercise.asks, "", keys=exercise.number, right=exercise.number,
                    within=exercise.within,
                    exact=how_exact(exercise.number, exercise.within))
    letters = "abcdef"[:len(exercise.choices)]
    texts, whys = zip(*exercise.choices)
    listed = "\n".join(f"- ({letter}) {text}" for letter, text in zip(letters, texts))
    hidden = "\n".join(f"- {why}" for why in whys)
    return form(f"{exercise.asks}\n\n{listed}",
                f'<div class="reasons" hidden>\n\n{hidden}\n\n</div>',
                keys=" ".join(letters), right=exercise.right)

def numbered(source):
    "The exercises of a Markdown cell, as (number, Markdown); before them what is no exercise."
    m = re.search(r"^## (?:\w+ )?exercises?$\n", source, re.M | re.I)
    if not m: return [(0, source)]
    first, *others = re.split(r"^(?=\*\*\d+\.\*\*)", source[m.end():], flags=re.M)
    if not others: return [(0, source[:m.end()]), (1, first)]
    return [(0, source[:m.end()] + first)] + [(int(re.match(r"\*\*(\d+)", part)[1]), part)
                                              for part in others]

def with_fields(source, page, exercises):
    "A Markdown cell in which each exercise that is judged has its field, above what is folded."
    parts = []
    for number, part in numbered(source):
        if exercise := exercises.get(f"{page}.{number}"):
            at = part.find("<details")
            part = part[:at] + field(exercise) + part[at:]
        parts.append(part)
    return "".join(parts)
