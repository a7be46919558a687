"""Reports: counterfactuals against a grid of all thresholds, numbers against a recount, one file
that is the same twice. About eight seconds, most of them trees that are learned again."""
import re
from html.parser import HTMLParser

import execute
import numpy as np
import pandas as pd
import pytest
from dtree_lit import (AssistantClassifier, C45Classifier, C45RulesClassifier, C50Classifier,
                       CARTClassifier, CARTRegressor, CostComplexityCV, counterfactual,
                       ForestClassifier, ForestRegressor, ID3Classifier, KNNClassifier,
                       REPClassifier, report, SDRTreeRegressor)
from dtree_lit.reporting.advice import few_digits_between, NO_TRUST
from dtree_lit.reporting.counterfactuals import nearest_other, spreads
from dtree_lit.reporting.honest_scores import (calibrated, known_rows, mean_within, rate_within,
                                               removed_alone, warnings_about)
from dtree_lit.reporting.report_pages import HEADS, in_brief, LOOK, SECTIONS
from dtree_lit.trees.card import walkable_rows
from dtree_lit.trees.nodes import Codes
from hypothesis import example, given, settings, strategies as st
from helpers.browsing import DAY
from helpers.pages import on_page

nearest_by_grid = on_page("810_counterfactuals").nearest_by_grid

PAGES = {path.stem for path in execute.notebooks(execute.ROOT)}
LOTS = np.random.default_rng(3)
X = pd.DataFrame({"a": LOTS.normal(size=120), "b": LOTS.integers(0, 5, 120).astype(float),
                  "word": LOTS.choice(list("uvw"), 120)})
Y = np.where((X.a + X.b / 4 + LOTS.normal(size=120) / 3 > 0.5) | (X.word == "u"), "yes", "no")
Z = X.a.to_numpy() * 3 + X.b.to_numpy()
NUMBERS = X[["a", "b"]]

# ---- counterfactuals

def random_tree(seed, missing="learn"):
    lots = np.random.default_rng(seed)
    table = pd.DataFrame({"a": lots.integers(0, 6, 30).astype(float), "b": lots.normal(size=30),
                          "word": lots.choice(list("uvw"), 30)})
    table.loc[lots.random(30) < 0.2, "a"] = np.nan
    labels = lots.integers(0, 3, 30)
    return CARTClassifier(max_leaf_nodes=6, missing=missing).fit(table, labels), table

@given(st.integers(0, 10_000))
@example(156)                                   # a is known, and below a threshold
@example(1047)                                  # a is asked only whether it is known
@settings(max_examples=15)
def test_nearest_of_all(seed):
    model, table = random_tree(seed)
    M = walkable_rows(model, model.tree_, table)
    spread, middle = spreads(model.tree_, M)
    for x in M[:3]:
        for wanted in (None, 1):
            if wanted not in (None, *model.classes_): continue
            found = nearest_other(model.tree_, x, wanted, spread, middle)
            least = nearest_by_grid(model.tree_, x, wanted, spread)
            assert (found is None) == (least is None)
            if found is None: continue
            assert (len(found.changes), found.distance) == (least[0], pytest.approx(least[1]))
            assert model.tree_.predict_labels(found.row[None].view(Codes))[0] == found.answer
            assert np.sum((found.row != x) & ~(np.isnan(found.row) & np.isnan(x))) == least[0]

@pytest.mark.parametrize("model", [C45Classifier(), ID3Classifier(),
                                   CARTClassifier(missing="surrogates", max_depth=4)])
def test_what_is_found_is_answered_so(model):
    "Where gaps divide a row or others are asked in its place, the gap is filled."
    table = X.assign(a=np.where(LOTS.random(120) < 0.2, np.nan, X.a), b=X.b)
    if isinstance(model, ID3Classifier): table = X[["b", "word"]].astype(str)
    tree = model.fit(table, Y).tree_
    M, found = walkable_rows(model, tree, table), 0
    for x in M[:30]:
        near = nearest_other(tree, x)
        if near is None: continue
        found += 1
        assert tree.predict_labels(near.row[None].view(Codes))[0] == near.answer
        assert near.answer != tree.predict_labels(x[None].view(Codes))[0] and near.changes
    assert found

def test_fixed_wanted_and_words():
    model = CARTClassifier(max_depth=3).fit(X, Y)
    row = X.iloc[0]
    near = counterfactual(model, row, X=X)
    assert near.answer != model.predict(X[:1])[0] and str(near).startswith(f"{near.answer}, if ")
    same = counterfactual(model, row, model.predict(X[:1])[0])
    assert not same.changes and same.distance == 0 and str(same).endswith("as it is")
    for names in (["a"], ["a", "b"], list(X)):
        held = counterfactual(model, row, X=X, fixed=names)
        assert held is None or not {*names} & {*held.changes}
    assert counterfactual(model, row, fixed=[*X]) is None
    changed = row.to_dict() | {k: v for k, (_, v) in near.changes.items()}
    assert model.tree_.predict_labels(pd.DataFrame([changed]))[0] == near.answer
    with pytest.raises(ValueError, match="fixed names 'c', and the features are a, b, word"):
        counterfactual(model, row, fixed=["c"])
    with pytest.raises(ValueError, match="the classes are no, yes"):
        counterfactual(model, row, "so")

def test_numbers_want_an_interval():
    model = CARTRegressor(max_leaf_nodes=6).fit(NUMBERS, Z)
    near = counterfactual(model, NUMBERS.iloc[0], (Z.mean(), np.inf), X=NUMBERS)
    assert near.answer >= Z.mean()
    assert counterfactual(model, NUMBERS.iloc[0], (1e9, 2e9)) is None
    with pytest.raises(ValueError, match="give the wanted range"):
        counterfactual(model, NUMBERS.iloc[0])

def test_the_threshold_itself_and_the_double_below():
    tree = CARTClassifier().fit([[0.0], [1.0]], ["low", "high"]).tree_
    assert counterfactual(tree, [0.0]).row[0] == 0.5
    assert counterfactual(tree, [1.0]).row[0] == np.nextafter(0.5, 0)
    assert counterfactual(tree, [np.inf]).distance == np.inf

# ---- numbers

def test_intervals():
    for wrong, n in ((0, 1), (2, 9), (9, 9)):
        low, high = rate_within(wrong, n)
        assert 0 <= low <= wrong / n <= high <= 1
    assert rate_within(0, 0) == (0, 1) and mean_within(np.ones(1)) == (-np.inf, np.inf)
    of_r = 0.0025286, 0.4450161                                     # binom.test(1, 10)
    assert rate_within(1, 10) == pytest.approx(of_r, abs=1e-6)

def test_equal_words_stay_together():
    said = np.repeat([0.5, 0.6, 0.9], [50, 1, 49])
    bins = calibrated(said, np.ones(100), True)
    assert sum(b.rows for b in bins) == 100 and len(bins) <= 3 and bins[0].said == 0.5

def test_leaks():
    M = np.column_stack([np.arange(40.0), np.zeros(40), np.repeat([0.0, 1.0], 20),
                         LOTS.normal(size=40)])
    y = np.repeat([0, 1], 20)[LOTS.permutation(40)]
    M[:, 2] = y
    tree = CARTClassifier().fit(M, y).tree_
    said = warnings_about(tree, M, y, np.vstack([M[:3], M[:1] + 0.5]))
    assert [line.split()[0] for line in said] == ["x0", "x1", "x2", "3"]
    assert removed_alone(np.arange(40.0), True, y, False) == 0      # rare categories prove nothing
    assert known_rows(np.array([[np.nan, -0.0]]), np.array([[np.nan, 0.0], [1.0, 0.0]])) == 1

MODELS = [(CARTClassifier(max_depth=3), X, Y), (C45Classifier(), X, Y),
          (C45Classifier(pruning="reduced_error", random_state=0), X, Y),
          (ID3Classifier(empty="unclassified"), X[["b", "word"]].astype(str), Y),
          (C50Classifier(trials=2), X, Y), (ForestClassifier(3, random_state=0), X, Y),
          (ForestRegressor(3, random_state=0), NUMBERS, Z), (AssistantClassifier(), NUMBERS, Y),
          (SDRTreeRegressor(min_samples_leaf=9), NUMBERS, Z), (CostComplexityCV(cv=2), X, Y),
          (REPClassifier(random_state=0), X, Y), (CARTRegressor(max_depth=2), NUMBERS, Z),
          (CARTRegressor(criterion="poisson", max_depth=2), NUMBERS, abs(Z)),
          (CARTClassifier(), X, ["one"] * 120), (CARTClassifier(), X[:2], ["r", "s"])]

@pytest.mark.filterwarnings("error::RuntimeWarning")       # no mark is drawn at infinity
@pytest.mark.parametrize("model, X, y", MODELS, ids=lambda v: type(v).__name__)
def test_every_learner(model, X, y):
    half = np.arange(len(X)) % 2 == 0
    y = np.asarray(y)
    learn = half if len(np.unique(y[half])) == len(np.unique(y)) else half | True
    model.fit(X[learn], y[learn])
    told = report(model, X[learn], y[learn], test=(X[half], y[half]), bootstraps=2)
    score = told.scores["rows of the test"]
    if told.numbers:
        off = model.predict(X[half]) - y[half]
        assert score.error == pytest.approx(np.sqrt((off**2).mean()))
    else:
        wrong = int((model.predict(X[half]) != y[half]).sum())
        assert score.error == pytest.approx(wrong / half.sum())
        assert told.confusion.sum() == half.sum()
        assert told.confusion.sum() - np.trace(told.confusion) == wrong
    assert score.low <= score.error <= score.high or not np.isfinite(score.high)
    if told.rules: assert sum(rule.held for rule in told.rules) == half.sum()
    assert told.stability.samples == (2 if told.one else len(told.trees))
    page = told.html()
    again = report(model, X[learn], y[learn], test=(X[half], y[half]), bootstraps=2).html()
    assert len(page) < 600_000 and page == again

def test_pruning_rows_are_known_or_not_said():
    model = REPClassifier(random_state=0).fit(NUMBERS, Y)
    assert [*report(model, NUMBERS, Y, folds=0).scores] == ["training", "pruning"]
    drawn = REPClassifier(random_state=np.random.RandomState(0)).fit(NUMBERS, Y)
    assert [*report(drawn, NUMBERS, Y, folds=0).scores] == ["training"]

def test_cross_validation_is_a_recount():
    model = CARTClassifier(max_depth=3).fit(X, Y)
    told = report(model, X, Y, bootstraps=0)
    assert len(told.judges) == 5 and told.how.endswith("in 5") and told.stability is None
    assert sum(len(j.y) for j in told.judges) == 120
    for judge in told.judges:
        assert (judge.model.predict(judge.X) == np.array(told.classes)[judge.said]).all()
    assert told.pruning.leaves[0] == told.tree.n_leaves

class Page(HTMLParser):
    "What a page asks for, and its pictures without a text."
    def __init__(self): super().__init__(); self.asked, self.mute = [], 0
    def handle_starttag(self, tag, attrs):
        at = dict(attrs)
        self.asked += [v for k, v in at.items() if k in ("src", "href") and v[:5] != "data:"]
        self.mute += tag == "img" and not at.get("alt")

def test_the_file(tmp_path):
    names = X.set_axis(["<script>alert(1)", "b&b", "\"word'"], axis=1)
    model = CARTClassifier(max_depth=3).fit(names, Y)
    told = report(model, names, Y, bootstraps=2, file=tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page()
    page.feed(text)
    assert not page.asked and not page.mute and "<script>alert" not in text and text == told.html()
    assert "@import" not in text and "url(" not in text
    heads = re.findall("<h2>(.*?)</h2>", text)
    assert heads[0].endswith("rules that cover most rows") and heads[1:4] == [*HEADS]
    folded = re.findall("<details><summary><h2>(.*?)</h2></summary>", text)
    assert heads[4:] == folded == [*SECTIONS]
    screen = text[text.index('<div class="first">'):text.index("<details>")]
    assert "<script" not in screen and '<img alt="The tree' in screen and "b&amp;b" in screen
    inside = re.sub(r"(</?h)(\d)", lambda found: found[1] + str(int(found[2]) - 1),
                    told._repr_html_().removeprefix(LOOK))        # a page has a heading above it
    assert inside in text and "<h2" not in told._repr_html_()
    assert "Report: On 120 rows" in repr(told)
    linked = report(model, names, Y, bootstraps=0, folds=0, site="https://trees.example/").html()
    assert 'href="https://trees.example/cost_complexity.html"' in linked
    asked = {f"{name.partition('_')[2]}.html" for _, name, _ in SECTIONS.values()}
    assert set(re.findall(r'href="https://trees.example/([^"]*)"', linked)) >= asked
    assert all(name in PAGES for _, name, _ in SECTIONS.values())

def test_one_screen_says_what_was_measured():
    "The sentences, from counts that are made here."
    lots = np.random.default_rng(8)
    a = lots.random(600)
    frame = pd.DataFrame({"a": a, "copy": lots.random(600), "never": 0.0})
    y = np.where(lots.random(600) < 0.2, lots.random(600) < 0.5, a > 0.7)
    names = np.where(y, "sick", "well")
    model = CARTClassifier().fit(frame[:300], names[:300])
    test = frame[300:], names[300:]
    told = report(model, frame[:300], names[:300], test=test, bootstraps=20)
    said = model.predict(test[0])
    right = said == names[300:]
    assert told.worth.better and told.score.error == 1 - right.mean()
    baseline = (names[300:] == "well").mean()
    assert f"The difference is {100 * (right.mean() - baseline):+.1f} percentage" in told.verdict[1]
    missed = {v: f"{((said == v) < (names[300:] == v)).sum()} of {(names[300:] == v).sum()} rows "
                 f"of class {v}" for v in ("sick", "well")}
    assert told.verdict[2] == f"It misses {missed['sick']} and {missed['well']}."
    trust, doubt, steps = told.advice
    assert trust[0].endswith(f"expect {right.mean():.1%} of predictions to be right.")
    claim = model.predict_proba(test[0]).max(axis=1).mean()
    assert claim == 1
    assert any(f"they claim 100.0%, and {right.mean():.1%} of 300" in v for v in doubt)
    assert "there 100.0% are right" in doubt[0] and "none of 20 trees" in doubt[-2]
    as_sick = right[said == "sick"]
    assert any(f"Predictions of sick: {as_sick.mean():.1%} of {len(as_sick)} are right" in v
               for v in doubt)
    assert any("20 of 20 trees" in v and v.endswith("first on a.") for v in trust)
    alpha = float(re.search("ccp_alpha=(.*?):", steps[0])[1])
    left = CARTClassifier(ccp_alpha=alpha).fit(frame[:300], names[:300])
    wrong = (left.predict(test[0]) != names[300:]).mean()
    assert f": {left.get_n_leaves()} leaves do as well as its {model.get_n_leaves()}," in steps[0]
    assert f"then {wrong:.1%} instead of {1 - right.mean():.1%}" in steps[0]
    assert steps[-1].endswith("the 1 of 3 columns that it never tests: never.")
    pruned = report(left, frame[:300], names[:300], test=test, bootstraps=0).advice
    assert not any("Prune it" in v for v in pruned.steps)
    assert not any("claim" in v for v in pruned.doubt) and any("claim" in v for v in pruned.trust)
    page = told.html()
    for line in (*trust, *doubt, *steps): assert f"<li>{line}" in page
    assert "agree; the smaller this share, the fainter its color.</figcaption>" in page
    assert all(f": row {one.row + 1}</h3>" in page for one in told.explained)

def test_what_luck_can_explain_is_not_praised():
    lots = np.random.default_rng(0)
    X, y = lots.random((90, 2)), lots.choice(["a", "b"], 90)
    told = report(CARTClassifier(max_depth=2).fit(X, y), X, y, bootstraps=0)
    assert not told.worth.better and told.advice.trust == [NO_TRUST]
    assert "Not shown to be better than guessing." in told.html()
    assert told.advice.doubt[0].startswith("Any prediction: it is not shown to be better than")
    alone = report(CARTClassifier().fit(X, y).tree_, X, y)          # judged by its own rows
    assert alone.advice.trust[:1] != [] and "and is too good" in "".join(alone.advice.doubt)
    assert not any("expect" in v for v in alone.advice.trust)
    rare = np.where(np.arange(90) < 4, "rare", y)
    steps = report(CARTClassifier(max_depth=2).fit(X, rare), X, rare, bootstraps=0).advice.steps
    assert "Collect more rows of class rare: there are only 4." in steps
    leak = pd.DataFrame({"id": np.arange(90), "x": lots.random(90), "y": y == "b"})
    told = report(CARTClassifier(max_depth=2).fit(leak, y), leak, y, bootstraps=0)
    assert "y alone removes 100% of the baseline's error" in "".join(told.advice.doubt)
    assert told.advice.steps[0].startswith("Explain what is suspicious (2, under Data).")
    high = report(CARTRegressor(max_depth=2).fit(NUMBERS, Z), NUMBERS, Z, bootstraps=0)
    mean = np.mean([*high.answers[1]])
    assert any(f"the mean prediction is {mean:.4g}" in v for v in high.advice.trust)
    errors = (high.answers[1] - high.answers[0])**2
    less = errors.mean() / high.score.baseline**2 - 1
    assert f"differs by {less:+.1%} (" in high.verdict[1]

@given(st.floats(1e-9, 1e9), st.floats(1e-9, 1))
def test_few_digits_stay_between(low, more):
    high = low * (1 + more)
    if not low < high: return
    v = few_digits_between(low, low + (high - low) / 2, high)
    assert low <= v < high and few_digits_between(low, np.inf, np.inf) >= low

def test_rules_in_brief():
    model = CARTClassifier(max_depth=1).fit(X, Y)
    schema = model.tree_.schema._replace(categories=[None, None, tuple("uvwxyz")])
    assert in_brief(schema, {2: {0, 1, 2}}) == "word = u or v or w"
    assert in_brief(schema, {2: {0, 1, 4, 5}}) == "word = u or v or 2 others"
    assert in_brief(schema, {0: (0.123456789, np.inf)}) == "a >= 0.123456789"
    assert in_brief(schema, {}) == "always"

def test_progress_is_told_where_it_is_asked_for(capsys):
    model, lines = CARTClassifier(max_depth=2).fit(NUMBERS, Y), []
    page = report(model, NUMBERS, Y, bootstraps=2, folds=2, tell=lines.append).html()
    assert lines[:2] == ["learning without fold 1 of 2", "learning without fold 2 of 2"]
    assert "learning from sample 2 of 2" in lines and len(lines) == len({*lines}) == 8
    assert page == report(model, NUMBERS, Y, bootstraps=2, folds=2).html()
    assert capsys.readouterr() == ("", "")

@pytest.mark.parametrize("wide", [1280, 390])
def test_the_first_screen_is_one_screen_and_sections_unfold_by_a_key(browser, tmp_path, wide):
    noisy = np.where(LOTS.random(120) < 0.3, "no", Y)
    model = CARTClassifier().fit(X, noisy)
    report(model, X, noisy, bootstraps=5, file=tmp_path / "report.html")
    with browser.new_context(**DAY | dict(viewport=dict(width=wide, height=900)),
                             java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((tmp_path / "report.html").as_uri())
        box = page.locator(".first").bounding_box()
        if wide == 1280: assert box["y"] + box["height"] < 900
        assert box["x"] >= 0 and box["x"] + box["width"] <= wide
        summary = page.locator("summary").first
        table = page.locator("details table").first
        assert not table.is_visible()
        summary.focus()
        page.keyboard.press("Enter")
        assert table.is_visible()
        page.keyboard.press("Enter")
        page.emulate_media(media="print")
        open_on_paper = [one.is_visible() for one in page.locator("details > section").all()]
        assert open_on_paper == [True] * len(SECTIONS)

def test_it_is_named_by_what_is_asked_and_shows_numbers_as_people_write_them():
    y = pd.Series(1e5 + 1e4 * Z, name="price <won>")
    told = report(CARTRegressor(max_depth=2).fit(NUMBERS, y), NUMBERS, y, bootstraps=0)
    page = told.html()
    assert "<title>Report: price &lt;won&gt;</title>" in page and "price <won>" not in page
    card = page.index('<figure class="dtree-card')
    seen = page[:card] + page[page.index("</figure>", card):]
    shown = re.sub(r"<script>.*?</script>|<style>.*?</style>|base64,[^\"]*", "", seen, flags=re.S)
    assert not re.search(r"\de[+-]\d\d", shown) and re.search(r"\d\d,\d\d\d\b", shown)
    assert "held out</th>" not in page and "not known" not in page

def test_samples_have_no_twins():
    "A learner that cross-validates would find them among its judges, and prune too little."
    lots = np.random.default_rng(3)
    X = lots.normal(size=(150, 3))
    y = (X[:, 0] > 0) ^ (lots.random(150) < 0.3)
    model = CostComplexityCV(cv=5, random_state=0).fit(X, y)
    told = report(model, X, y, bootstraps=7, folds=0)
    whole = CARTClassifier().fit(X, y).get_n_leaves()
    assert model.get_n_leaves() < 6 < whole / 5 and told.stability.leaves[1] < 6

@pytest.mark.parametrize("model", [KNNClassifier(), C45RulesClassifier(), CARTClassifier])
def test_refused(model):
    fitted = model if isinstance(model, type) else model.fit(NUMBERS, Y)
    with pytest.raises(ValueError, match="a report is of a Tree, of several, or of a fitted"):
        report(fitted, NUMBERS, Y)

def test_bad_rows_are_refused():
    model = CARTClassifier(max_depth=2).fit(NUMBERS, Y)
    with pytest.raises(ValueError, match="y has 'so', and the classes are no, yes"):
        report(model, NUMBERS, ["so"] * 120)
    with pytest.raises(ValueError, match="y has the shape"): report(model, NUMBERS, Y[:5])
    for gap in (None, np.nan, pd.NA):
        y = np.array(Y, object)
        y[7] = gap
        with pytest.raises(ValueError, match=r"y\[7\] is missing: .* \(1 of 120\)"):
            report(model, NUMBERS, y)
        with pytest.raises(ValueError, match=r"y\[7\] is missing"):
            report(model, NUMBERS, Y, test=(NUMBERS, y))
    with pytest.raises(ValueError, match="test must be a pair"):
        report(model, NUMBERS, Y, test=NUMBERS)
    with pytest.raises(ValueError, match="counterfactual needs a single tree"):
        counterfactual(ForestClassifier(2, random_state=0).fit(NUMBERS, Y), NUMBERS.iloc[0])
    two = CARTClassifier().fit(NUMBERS, np.stack([Y, Y], axis=1))
    with pytest.raises(ValueError, match="one output, and this one has 2"):
        report(two, NUMBERS, Y)
