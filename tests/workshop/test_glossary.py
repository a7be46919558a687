"The glossary answers in three languages."
import pytest
from dtree_lit.workshop.glossary import glossary, terms

@pytest.mark.parametrize("words",
                         [("정보 이득", "資訊增益", "information gain", "gain"), ("엔트로피", "熵", "Entropy"),
                          ("가지치기", "pruning"), ("단말 노드", "leaf")])
def test_three_languages(words):
    assert len({glossary(w) for w in words}) == 1

def test_every_name_is_found():
    for t in terms():
        for w in t.words(): assert glossary(w)

def test_unknown():
    with pytest.raises(LookupError, match="no 'entropie'; it has entropy"): glossary("entropie")
    with pytest.raises(LookupError, match="no 'xyzzy'$"): glossary("xyzzy")

OF_THE_FIELD = """split, threshold, leaf, child, impurity, impurity decrease, category, missing value,
surrogate split, subtree raising, fractional rows, pruning, pruning set, validation set, training set,
test set, cross-validation, one-standard-error rule, complexity parameter, ccp_alpha, weakest link,
hyperparameter, overfitting, random forest, bootstrap sample, out-of-bag error,
permutation importance, monotonic constraint"""

@pytest.mark.parametrize("word", OF_THE_FIELD.replace("\n", " ").split(", "))
def test_words_of_the_field_are_found(word):
    assert word in str(glossary(word)) or word == "ccp_alpha"
