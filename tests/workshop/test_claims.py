"""The ledger is well formed, each verdict is reached by a cell of the room that it names, and
bears its kind of evidence."""
import ast
import re
from collections import Counter

import execute
import pytest
import reader
from dtree_lit.workshop.claims import (EVIDENCE, VERDICTS, cards, check, claims, identifications,
                                       interval_of)
from nbformat import read

NOT_YET_DERIVED = 0      # may only fall: lower it with each statement that a cell decides
# the phrase is the formula
IN_A_FORMULA = set("Z02 Z05 Z06 Z07 Z08 Z11 Z12 Z13 L08 L09 L13 L14 L15 L16 L17 L18 L22 L23 L24 "
                   "L28 L29 L41".split())
IN_ENGLISH = {"R16", "R34", "R35"}                # the document quotes Quinlan
NOT_MET_YET = set()                        # their rooms are to come; may only shrink

def calls(path):
    "The calls of check and of cards in a notebook: (name, ids, keywords)."
    for c in read(path, 4).cells:
        if c.cell_type != "code" or not re.search(r"\b(check|cards)\(\"", c.source): continue
        for node in ast.walk(ast.parse(c.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("check", "cards"):
                ids = [a.value for a in node.args if isinstance(a, ast.Constant)
                       and re.fullmatch(r"[A-Z]\d\d", str(a.value))]
                yield node.func.id, ids, {k.arg for k in node.keywords}

CALLS = {p.stem: [*calls(p)] for p in execute.notebooks(execute.ROOT)}

def checked():
    "Which ids each notebook checks, or shows."
    return {room: {id for _, ids, _ in found for id in ids} for room, found in CALLS.items()}

def test_entries():
    for id, c in claims().items():
        assert re.fullmatch(r"[GZCLR]\d\d", id) and c.document == f"00{'GZCLR'.index(id[0])}"
        assert c.says.endswith(".") and c.verdict in VERDICTS, id
        assert all(isinstance(v, str) and float(v) >= 0 for v in c.printed), id
        assert bool(c.why) or c.verdict in ("", "holds"), f"{id}: why {c.verdict}?"
        assert not (c.why and c.verdict == ""), f"{id} gives a reason for no verdict"

def words(text):
    "How many words a text has, two Chinese characters being one."
    return len(re.sub("[㐀-鿿]+", " ", text).split()) + len(re.findall("[㐀-鿿]", text)) / 2

def test_every_statement_has_its_place():
    for id, c in claims().items():
        assert (c.section and words(c.section) <= 15 and c.phrase
                and words(c.phrase) <= 15), f"{id}: a phrase, and no paragraph"
        for text in (c.section, c.phrase):
            assert text == " ".join(text.split()) and not set(text) & set(
                "“”`<'\""), f"{id}: on the page {text} would not be what it is"
            assert text.count("$") % 2 == 0, f"{id}: half a formula"
    assert words("資訊增益 IG") == 3 and words("정보 이득은 항상") == 3

def test_a_phrase_is_in_the_language_of_its_document():
    own = {id for id, c in claims().items()
           if reader.language(c.phrase) == ("zh-Hant" if c.document == "001" else "ko")}
    assert claims().keys() - own == IN_A_FORMULA | IN_ENGLISH
    assert not any(reader.language(claims()[id].phrase) for id in IN_A_FORMULA | IN_ENGLISH)

def test_a_card_says_where():
    card = check("G26", True).split("\n")
    assert card[2] == "> *in the document:* “정보 이득은 항상 양수 또는 null입니다” · *section:* “그림 11”  "
    shared = {text for text, n in Counter(c.phrase for c in claims().values()).items() if n > 1}
    assert shared == {claims()["L27"].phrase}, "two statements, one place: do they differ?"

def test_every_verdict_has_its_cell():
    rooms = checked()
    for id, c in claims().items():
        assert not c.decided or c.room, f"{id}: a verdict names the room that reaches it"
        assert not c.room or id in rooms[c.room], f"{c.room} should show {id}, and does not"
    for room, ids in rooms.items():
        if room == "970_claims": ids = ids - {"X01"}
        assert all(id in claims() and claims()[id].verdict
                   for id in ids), f"{room} shows statements without a verdict"

def test_what_is_read_is_met_where_it_is_about():
    shown = set().union(*checked().values())
    unmet = {id for id, c in claims().items()
             if c.verdict in ("reading", "undecidable") and id[0] != "Z" and id not in shown}
    assert (unmet
            == NOT_MET_YET), f"only in the ledger, or met by now: {unmet ^ NOT_MET_YET}"

def test_every_verdict_has_its_kind_of_evidence():
    kinds = set(EVIDENCE) - {""}
    for id, c in claims().items():
        if c.decided:
            assert c.evidence in kinds - {"reading"}, f"{id} is decided, and on what evidence?"
        elif c.verdict == "reading":
            assert c.evidence in ("definition", "reading", "reconstructed"), id
        else: assert c.evidence == "", f"{id} claims evidence for what is not decided"

def test_what_is_measured_asserts_an_interval():
    with_interval = {id for found in CALLS.values()
                     for name, ids, words in found if "interval" in words for id in ids}
    measured = {id for id, c in claims().items() if c.evidence == "measured"}
    assert measured <= with_interval, f"these assert no interval: {measured - with_interval}"

def test_what_is_reconstructed_names_its_identification():
    for id, c in claims().items():
        assert (c.evidence == "reconstructed") == (c.rests_on in identifications()), id
    assert {c.rests_on for c in claims().values()} - {""} == set(
        identifications()), "an identification on which nothing rests"
    for name, i in identifications().items():
        assert all(i) and i.room in CALLS, name
    card = check("G22", 10.59)
    assert (identifications()["figure_11"].speaks_against in card
            and "reconstructed" in card.split("\n")[0])

def test_definitions_are_no_checks():
    definition, theorem = (next(id for id, c in claims().items() if c.decided
                                and c.evidence == kind) for kind in ("definition", "theorem"))
    assert (execute.count_checks(f'check("{definition}", True)')
            == execute.count_checks('cards("G01")') == 0)
    assert execute.count_checks(f'check("{theorem}", True); same(f, g, cases); assert x') == 3

def test_an_interval_lies_on_the_side_of_its_verdict():
    held, refuted = (next(id for id, c in claims().items() if c.evidence == "measured"
                          and c.verdict == v) for v in ("holds", "refuted"))
    assert ("0.1 to 0.2" in check(held, True, interval=(0.1, 0.2))
            and "-0.2 to -0.1" in check(refuted, False, interval=(-0.2, -0.1)))
    for id, truth, wrong in ((held, True, (-0.1, 0.2)), (held, True, (-0.2, -0.1)),
                             (refuted, False, (-0.2, 0.1)), (held, True, (float("nan"),) * 2)):
        with pytest.raises(AssertionError, match="side of zero"): check(id, truth, interval=wrong)
    with pytest.raises(AssertionError, match="not as measured"):
        check("L06", 0.9403, interval=(1, 2))
    low, high = interval_of([1, 2, 3])            # by hand: 2 ± 4.303 / √3
    assert abs(low + 0.4841) < 1e-3 and abs(high - 4.4841) < 1e-3
    assert interval_of([1, 2, 3], shared=0.5)[0] < low
    with pytest.raises(ValueError, match="two effects"): interval_of([1])

def test_cards():
    assert cards("G02", "R05").count("**G02**") == 1 and cards("R05") == check("R05")
    with pytest.raises(TypeError): cards("L06")            # what is decided needs its number

def test_what_is_not_yet_derived():
    waiting = [id for id, c in claims().items() if not c.verdict]
    assert (len(waiting)
            <= NOT_YET_DERIVED), f"more statements wait for a cell than before: {' '.join(waiting)}"
    assert (len(waiting)
            == NOT_YET_DERIVED), f"only {len(waiting)} wait for a cell: lower the number above"
