"The words of the field: where they are demanded, and where other words may only become fewer."
import json

import execute
import pytest
import words

SCOPES = words.scopes()

@pytest.mark.parametrize("scope", SCOPES)
def test_plain_words(scope):
    assert SCOPES[scope]
    private = [f"{where}: {found[0]!r}; {instead}" for where, text in SCOPES[scope].items()
               for word, instead in words.PLAIN.items() if (found := words.found(word, text))]
    assert not private

def test_private_words_are_found():
    for text in ("A cut of a node.", "Cuts", "drawn by lot", "whoever asks", "it is none",
                 "the disorder", "a rule of the house", "colour"):
        assert any(words.found(word, text) for word in words.PLAIN), text
    for text in ("a cut point", "`cut`", "it is None", "pandas.cut", "KEEP, CUT", "$cut$"):
        assert not any(words.found(word, text) for word in words.PLAIN), text

@pytest.mark.parametrize("name", [name for name in execute.paths(execute.ROOT)
                                  if name != words.SPOKEN])
def test_prose_becomes_plainer(name):
    "What is written there was counted by `make words`, which writes smaller numbers alone."
    now = words.counts(execute.load(execute.paths(execute.ROOT)[name]))
    known = json.loads(words.RECORD.read_text("utf-8"))[name]
    assert {word for word, n in known.items() if now[word] > n} == set()
