"Names that have changed work for one version more, and each use tells the new one."
from pathlib import Path

import dtree_lit
import numpy as np
import pytest
from dtree_lit import (C45Classifier, C45RulesClassifier, CARTClassifier, REPClassifier, Tree,
                       grow, reduced_error_pruning)
from dtree_lit.__main__ import main

X, Y = np.arange(8.0)[:, None], [0, 0, 1, 0, 1, 1, 0, 1]
TREE = grow(X, Y)

@pytest.mark.parametrize("old", dtree_lit.RENAMED)
def test_a_public_name(old):
    new = dtree_lit.RENAMED[old]
    with pytest.warns(FutureWarning, match=f"^dtree_lit.{old} is now {new};"):
        assert getattr(dtree_lit, old) is getattr(dtree_lit, new)
    assert old not in dtree_lit.__all__ and new in dtree_lit.__all__

@pytest.mark.parametrize("old, new, args", [
    ("answer", "predict_labels", [X]), ("shares", "predict_proba", [X]),
    ("counted", "recount", [X, Y]), ("places", "apply_fractional", [X]),
    ("told", "prediction_table", [X]), ("answers", "node_labels", None)])
def test_an_attribute_of_a_tree(old, new, args):
    with pytest.warns(FutureWarning, match=f"^Tree.{old} is now {new};"): was = getattr(TREE, old)
    now = getattr(TREE, new)
    if args is not None: was, now = was(*args), now(*args)
    if isinstance(now, Tree): assert was == now
    elif old == "told": assert (was[1] == now[1]).all()
    else: assert all(np.array_equal(a, b) for a, b in zip(was, now, strict=True))

def test_rules_answer_by_the_old_name():
    rules = C45RulesClassifier().fit(X, Y).rules_
    with pytest.warns(FutureWarning, match="^RuleList.answer is now predict_labels;"):
        assert (rules.answer(X) == rules.predict_labels(X)).all()

def test_what_never_was_is_not_found():
    with pytest.raises(AttributeError, match="'Tree' object has no attribute 'answr'"): TREE.answr
    with pytest.raises(AttributeError, match="dtree_lit has no 'reps'"): dtree_lit.reps

@pytest.mark.parametrize("estimator", [C45Classifier, C45RulesClassifier])
def test_a_parameter(estimator):
    with pytest.warns(FutureWarning, match="^charge is now mdl_penalty;"):
        model = estimator(charge=False)
    assert model.mdl_penalty is False and "charge" not in model.get_params()
    with pytest.raises(TypeError, match="^charge is now mdl_penalty: give only this"):
        estimator(charge=False, mdl_penalty=False)

def test_options():
    with pytest.warns(FutureWarning, match="^missing='learned' is now 'learn';"):
        assert CARTClassifier(missing="learned").fit(X, Y).tree_ == CARTClassifier().fit(X, Y).tree_
    for name in ("ties", "empty"):
        with pytest.warns(FutureWarning, match=f"^{name}='cut' is now 'prune';"):
            pruned = reduced_error_pruning(TREE, X[::2], Y[::2], **{name: "cut"})
        assert pruned.tree == reduced_error_pruning(TREE, X[::2], Y[::2]).tree
        with pytest.warns(FutureWarning, match=f"^{name}='cut' is now 'prune';"):
            REPClassifier(**{name: "cut"}).fit(X, Y)

def test_a_switch_of_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,y\n1,no\n2,\n3,yes\n")
    fit = "fit t.csv --target y -q -o m.json"
    assert main(fit.split()) == 1 and "with --skip-unlabeled" in capsys.readouterr().err
    assert main([*fit.split(), "--answered"]) == 0
    assert capsys.readouterr().err.startswith("note: --answered is now --skip-unlabeled;")
    old = Path("m.json").read_bytes()
    assert main([*fit.split(), "--skip-unlabeled"]) == 0 and Path("m.json").read_bytes() == old
