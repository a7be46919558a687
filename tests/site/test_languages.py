"""The head of each page of the first reading in Korean and Chinese: whole, and of the English
that stands beside it."""
import re

import execute
import languages
import pytest
import readings
from dtree_lit.workshop.claims import documents
from dtree_lit.workshop.glossary import terms

SOURCES = {p.stem: execute.load(p) for p in execute.notebooks(execute.ROOT)}
ORDER = readings.readings(execute.ROOT, SOURCES)
SAID = languages.languages(execute.ROOT)
FIRST = [name for part in ORDER.parts for name in part.pages if name in ORDER.folded]
OF_DOCUMENTS = [document.page for document in documents().values()]

# Letters that only the mainland writes so, in words that this book needs.
SIMPLIFIED = set("个与为义习书从们优传伪体决减则别动单历变叶听图块头实审对导尽层归当录态总换损择断无时显术机权条来构标"
                 "树样检欧没测点独现码确离种级线细结给绝统续维组经罗节营补规观计训记设证评词试该说误读调质错键长门问间"
                 "队阶随隐难项须预领题额类风验")

def test_each_page_of_the_first_reading_has_its_head():
    read = {*FIRST, *OF_DOCUMENTS}
    assert not [name for name in read if name not in SAID], ("docs/languages.toml has no Korean "
                                                              "and Chinese for these")
    assert not [name for name in SAID if name not in read], ("docs/languages.toml: these are no "
                                                              "pages of the first reading")

@pytest.mark.parametrize("name", SAID)
def test_a_head_has_six_texts(name):
    said = SAID[name]
    assert said.keys() == {"of", *languages.NAMES}
    for key in languages.NAMES:
        assert tuple(said[key]) == languages.TEXTS
        assert len({text for text in said[key].values() if text.strip() == text != ""}) == 3

@pytest.mark.parametrize("name", SAID)
def test_a_head_is_in_its_language(name):
    for text in SAID[name]["ko"].values():
        assert re.search("[가-힣]", text) and not re.search("[㐀-鿿]", text), text
    for text in SAID[name]["zh"].values():
        assert re.search("[㐀-鿿]", text) and not re.search("[가-힣]", text), text
    assert not SIMPLIFIED & set("".join(SAID[name]["zh"].values()))

@pytest.mark.parametrize("name", SAID)
def test_a_head_has_the_formulas_and_names_of_the_english(name):
    "Formulas as they are; the numbers of the documents; the names of people and of algorithms."
    formulas = lambda text: sorted(re.findall(r"\$[^$]+\$", text))
    names = lambda text: set(re.findall(r"Quinlan|ID3|C4\.5|CART|(?<!\d)00\d(?!\d)", text))
    for text, english in zip(languages.TEXTS, languages.english(SOURCES[name])):
        assert english, f"{name} has no {text}"
        for key in languages.NAMES:
            assert formulas(SAID[name][key][text]) == formulas(english)
            if text != "title": assert names(SAID[name][key][text]) == names(english)

@pytest.mark.parametrize("key", languages.NAMES)
def test_the_first_word_of_a_term_is_the_one_that_the_heads_use(key):
    said, others = "".join(" ".join(head[key].values()) for head in SAID.values()), []
    for term in terms():
        words = getattr(term, key).split("; ")
        if term.term == "label; class": continue              # two things, and a word for each
        longest_first = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        used = re.findall(longest_first, said)
        if used and used.count(words[0]) < max(map(used.count, words)): others.append(words)
    assert not others

@pytest.mark.parametrize("name", SAID)
def test_the_english_is_the_one_that_was_translated(name):
    now = languages.stamp(SOURCES[name])
    assert (SAID[name]["of"]
            == now), (f"title, sentence or claim of {name} has changed: look at its Korean and "
                      f"Chinese in docs/languages.toml, and write of = {now!r} there")

def test_a_change_of_the_english_is_seen():
    nb = SOURCES["110_entropy"]
    first = nb["cells"][0]
    for text in languages.english(nb):
        other = dict(nb, cells=[dict(first, source=first["source"].replace(text, text + "?", 1)),
                                *nb["cells"][1:]])
        assert languages.stamp(other) != languages.stamp(nb)
    other = dict(nb, cells=[dict(first, source=first["source"] + "\nMore."), *nb["cells"][1:]])
    assert languages.stamp(other) == languages.stamp(nb)

@pytest.mark.parametrize("name, ko, zh",
                         [("110_entropy", "엔트로피", "熵"), ("120_gain", "정보 이득", "資訊增益"),
                          ("130_candidates", "임곗값", "閾值"), ("315_prediction", "결정 트리", "決策樹"),
                          ("510_prune", "가지치기", "剪枝"),
                          ("520_reduced_error", "오류 감소 가지치기", "錯誤率降低剪枝"),
                          ("650_logistic", "로지스틱 회귀", "邏輯斯迴歸")])
def test_heads_say_the_words_of_the_glossary(name, ko, zh):
    words = {word for t in terms() for word in t.words()}
    assert {ko, zh} <= words
    assert ko in "".join(SAID[name]["ko"].values()) and zh in "".join(SAID[name]["zh"].values())
