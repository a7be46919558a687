"The reader of notebooks, piece by piece."
import ast
from base64 import b64encode

import pytest
import reader
import reference
from reader import Book, BuildError, bind, read, verify
from shown import INKS

def md(source): return dict(cell_type="markdown", metadata={}, source=source)
def code(source, *outputs):
    return dict(cell_type="code", metadata={}, source=source, outputs=list(outputs))
def data(**mimes):
    return dict(output_type="display_data", metadata={},
                data={k.replace("_", "/"): v for k, v in mimes.items()})
def book(*cells): return dict(cells=[md("# Title\n\n> One sentence.\n\nText."), *cells])

SVG = ('<?xml version="1.0"?>\n<svg width="72pt" height="36pt" viewBox="0 0 72 '
       '36"><defs><style>*{x:y}</style></defs>\n\n<path id="a" style="fill: #ffffff; stroke: '
       '#767676"/><use href="#a" clip-path="url(#a)"/></svg>')
PICTURE = {"output_type": "display_data", "metadata": {},
           "data": {"image/svg+xml": SVG, "image/png": "iVBO", "text/plain": "<Figure>"}}
SYMBOLS = reader.public({"dtree_lit.entropy": dict.fromkeys(
    ["dtree_lit.entropy.entropy", "dtree_lit.entropy.Tree.walk", "dtree_lit.entropy.Tree._no",
     "dtree_lit.entropy.inner"], ())}, {"dtree_lit.entropy": {"entropy", "Tree"}})

def page(*cells, name="10_entropy", **others):
    "The Markdown of a page, and its cells."
    nbs = {name: book(*cells)} | {n: book(*c) for n, c in others.items()}
    pages = {n: read(nb, n, bind(nbs, SYMBOLS)) for n, nb in nbs.items()}
    verify(pages)
    return "\n".join(c["source"] for c in pages[name]["cells"])

def fails(match, *cells, **kw):
    with pytest.raises(BuildError, match=match): page(*cells, **kw)

EQ = md(r"$$H = 1. \tag{10.1}\label{eq:entropy}$$")

def test_opening_and_what_was_run():
    b = bind({"10_entropy": book()},
             records={"10_entropy": dict(date="2026-11-20", seconds=3.21, cells=24, checks=31,
                                         versions={"Python": "3.11.2", "numpy": "2.4.6"})})
    text = read(book(), "10_entropy", b)["cells"][0]["source"]
    assert text.startswith('# Title\n\n<div class="lead">\n\nOne sentence.\n\n</div>')
    assert "<summary>Executed on 2026-11-20: 24 cells, 31 checks</summary>" in text
    assert ("In 3.2 s, with Python 3.11.2, numpy 2.4.6. "
            "{download}`Download the notebook <../../../nbs/10_entropy.ipynb>`" in text)
    with pytest.raises(BuildError, match="10_x: a notebook begins"):
        bind({"10_x": dict(cells=[md("No title")])})

def test_equations():
    text = page(EQ, md(r"By \eqref{eq:entropy}, and $a \overset{\eqref{eq:entropy}}{=} b$."))
    assert ('<div class="equation" id="eq-entropy">' in text
            and "```{math}\n:no-wrap:\n\n\\[\nH = 1. \\tag{10.1}\n\\]\n```" in text)
    assert ('<a class="reference internal eqref" href="#eq-entropy">(10.1)</a>, and' in text
            and r"\overset{\text{(10.1)}}{=}" in text)

def test_equations_keep_their_place_in_a_list_and_in_an_environment():
    text = page(md("1. one\n   $$x \\tag{10.1}\\label{eq:x}$$\n2. two\n\n\\begin{align}\na &= b "
                   "\\tag{10.2}\\label{eq:a} \\\\\nc &= d \\tag{10.3}\\label{eq:c}\n\\end{align}"))
    assert '\n   <div class="equation" id="eq-x">' in text and "\n   x \\tag{10.1}" in text
    assert ('id="eq-a"' in text and '<span id="eq-c"></span>' in text
            and "\\[" not in text.split("eq-a")[1])

def test_equation_numbers_are_checked():
    fails(r"\\tag\{10.2\} should be \\tag\{10.1\}", md(r"$$x \tag{10.2}$$"))
    fails(r"\\tag\{11.1\} should be", md(r"$$x \tag{11.1}$$"))
    fails("used twice", EQ, md(r"$$x \tag{10.2}\label{eq:entropy}$$"))
    fails("used twice", EQ, **{"11_gain": [md(r"$$x \tag{11.1}\label{eq:entropy}$$")]})
    fails("eq:nothing", md(r"\eqref{eq:nothing}"))
    fails("right behind its", md(r"$$x \label{eq:x}\tag{10.1}$$"))
    fails("no equation of this notebook", EQ, **{"11_gain": [md(r"\eqref{eq:entropy}")]})

def test_equations_of_other_pages():
    def gain(link): return {"11_gain": [md(link)]}
    assert '<a class="reference internal" href="entropy.html#eq-entropy">(10.1)</a>' in page(
        md("[(10.1)](10_entropy.ipynb#eq-entropy)"), name="11_gain", **{"10_entropy": [EQ]})
    fails(r"should say \(10.1\)", EQ, **gain("[(10.2)](10_entropy.ipynb#eq-entropy)"))
    fails("no equation 10_entropy.ipynb#eq-enthalpy", EQ,
          **gain("[(10.1)](10_entropy.ipynb#eq-enthalpy)"))

LEMMA = md("> **Lemma 10.1** (for $F(c)$). It is\n>\n> $$x \\ge y. "
           "\\tag{10.1}\\label{eq:x}$$\n>\n> true.\n\n> **Proof.** Clear.\n\n> A quotation, "
           "`entropy`.")

def test_theorems():
    text = page(LEMMA)
    assert ('<div class="theorem lemma" id="lemma-10-1">\n\n<span class="theorem-head">Lemma 10.1 '
            '(for $F(c)$).</span> It is' in text)
    assert '<div class="theorem proof">\n\n<span class="theorem-head">Proof.</span> Clear.' in text
    assert 'id="eq-x"' in text and "\n> A quotation, <a" in text
    assert 'href="#lemma-10-1"' in page(LEMMA, md("[above](#lemma-10-1)"))
    assert 'href="entropy.html#lemma-10-1"' in page(md("[Lemma 10.1](10_entropy.ipynb#lemma-10-1)"),
                                                    name="11_gain", **{"10_entropy": [LEMMA]})
    fails("another number", LEMMA, md("[Lemma 10.2](#lemma-10-1)"))
    fails("there is no #lemma-10-2", LEMMA, md("[Lemma 10.2](#lemma-10-2)"))
    fails("Lemma 9.1 should be Lemma 10.1", md("> **Lemma 9.1.** No."))
    fails("Theorem 10.1 should be Theorem 10.2", LEMMA, md("> **Theorem 10.1.** Again."))
    fails("11_gain has the number of 11_gini", name="11_gini", **{"11_gain": []})

def test_links_to_rooms():
    text = page(md("[gain](11_gain.ipynb) and [elsewhere](https://example.org), [the "
                   "list](reference/index.html)"), **{"11_gain": []})
    assert '<a class="reference internal" href="gain.html">gain</a>' in text
    fails("there is no notebook 11_gian", md("[gain](11_gian.ipynb)"))
    assert "[elsewhere](https://example.org)" in text and 'href="reference/index.html"' in text

def test_names_lead_to_the_reference():
    link = ('<a class="reference internal doclink" '
            'href="reference/entropy.html#dtree_lit.entropy.entropy">')
    text = page(md("`entropy`, `entropy()`, `Tree.walk`, `_no`, ``entropy``, $`entropy`$, "
                   "`x`\n\n## `entropy`"))
    assert (text.count(link) == 2 and "#dtree_lit.entropy.Tree.walk" in text
            and "`_no`, ``entropy``, $`entropy`$, `x`" in text and "## `entropy`" in text)

def test_a_helper_leads_to_its_cell():
    cell = code("#| exporti\ndef inner(x): return x\n\ndef _no(): pass"), md("`inner()`, `_no`")
    text = page(*cell, name="11_gain", **{"10_entropy": [md("`inner`")]})
    assert '<a class="reference internal doclink" href="#def-inner">`inner()`</a>, `_no`' in text
    def told(name, *homes):
        return page(md("`inner`"), name=name, **{home: [cell[0]] for home in homes})
    assert 'href="gain.html#def-inner">`inner`</a>' in told("13_x", "11_gain")
    assert "<a" not in told("10_entropy", "11_gain").split("Text.")[1]          # on a higher floor
    assert "<a" not in told("13_x", "11_gain", "12_x").split("Text.")[1]        # whose?

def test_words_of_other_languages_say_so():
    words = "Gain (정보 이득; 資訊增益), `정보`, $\\text{정보}$; 上限為 35% 的閾值."
    text = page(md(f"# 정보\n\n{words}\n\n| 엔트로피 |\n|---|"),
                code("x", data(text_markdown="**熵** 엔트로피")))
    assert ('Gain (<span lang="ko">정보 이득</span>; <span lang="zh-Hant">資訊增益</span>), `정보`, '
            '$\\text{정보}$; <span lang="zh-Hant">上限為</span> 35% <span lang="zh-Hant">的閾值</span>.'
            in text)
    assert ('| <span lang="ko">엔트로피</span> |' in text
            and '**<span lang="zh-Hant">熵</span>** <span lang="ko">엔트로피</span>' in text
            and "# 정보" in text)

def test_a_phrase_is_one_piece_of_its_language():
    text = page(md("“예시의 라벨이 (파란색 50%, $D$) `entropy` 가” · “H(X) 的熵” · “Leaf Labeling”, 정보"))
    assert ('<span class="phrase">“<span lang="ko">예시의 라벨이 (파란색 50%, $D$) <a ' in text
            and '</a> 가</span>”</span> · ' in text)
    assert ('<span class="phrase">“<span lang="zh-Hant">H(X) 的熵</span>”</span> · <span '
            'class="phrase">“Leaf Labeling”</span>, <span lang="ko">정보</span>' in text)

def test_a_page_ends_with_the_words_of_the_documents():
    row = dict(term="information gain; gain", ko="정보 이득; 정보이득", zh="資訊增益", definition="Less of it.",
               room="11_gain")
    nbs = {"10_entropy": book(), "11_gain": book()}
    pages = {name: read(nb, name, bind(nbs, words=reader.words([row])))["cells"][-1]["source"]
             for name, nb in nbs.items()}
    assert ('>information gain</a> <span lang="ko">정보 이득, 정보이득</span> · <span '
            'lang="zh-Hant">資訊增益</span>.</p>' in pages["11_gain"]
            and "정보" not in pages["10_entropy"])

def test_the_reference_reads_comments():
    source = ("class A:\n    def __init__(self,\n        X, # rows\n        y=1,\n    ): pass\n    "
              "def f(self, X, k:int=3): # X: rows; k: how many\n        'Do.'\n    def g(self, "
              "X)->int: # a: number\n        'Do.'\nclass B:\n    X: int\n    y: int # labels\n")
    tree, notes = ast.parse(source), reference.comments(source)
    at = lambda path: reference.find(tree, path)
    assert reference.parameters(at("A"), notes) == [("X", "", "", "rows"), ("y", "", "1", "")]
    assert reference.parameters(at("A.f"), notes) == [("X", "", "", "rows"),
                                                      ("k", "int", "3",
                                                       "how many")] and reference.returned(
        at("A.f"), notes) == ("", "")
    assert (reference.parameters(at("A.g"), notes) == [("X", "", "", "")]
            and reference.returned(at("A.g"), notes) == ("int", "a: number"))
    text = reference.entry("A", at("A"), notes, reference.lent(tree, notes), "")
    assert "| `y` |  = `1` | labels |" in text and "| `X` |  | rows |" in text
    assert (reference.offered("import x\n__all__ = ['A', 'b']\n") == {"A", "b"}
            and reference.offered("x = 1") == set())

def test_verbatim_is_left_alone():
    fence = "```python\n> `entropy` $x$ \\eqref{eq:x}\n$$\n[a](#lemma-1-1)\n```"
    assert (fence in page(md(fence)) and fence.replace("```", "~~~")
            in page(md(fence.replace("```", "~~~"))))
    assert "\n> y" in page(md("$$\nx\n> y\n$$"))            # no quotation: it stands in a formula

def test_hidden_cells_and_directives():
    hidden = [code(s) for s in ("#| hide\nsecret", "#| default_exp entropy",
                                "#| include: false\nsecret", "import nbdev; nbdev.nbdev_export()")]
    cells = read(book(*hidden, code("#| echo: false\nsecret",
                                    dict(output_type="stream", name="stdout", text="shown")),
                      code("#| code-fold: true\n#| output: false\nx",
                           dict(output_type="stream", name="stdout", text="secret"))), "10_x",
                 Book())["cells"][1:]
    tags = [c["metadata"].get("tags") for c in cells]
    assert (tags == [["remove-input"], ["hide-input", "cell-5"]]
            and cells[0]["outputs"] and cells[1]["source"] == "x" and "secret" not in str(cells))

def test_exported_cells_are_marked():
    cells = read(book(code("#| default_exp entropy"),
                      code("#| exports\ndef f(): pass\n\nclass C: pass")), "10_x", Book())["cells"]
    assert (cells[1]["source"]
            == '<div class="exported" data-module="dtree_lit.entropy"><span '
               'id="def-f"></span><span id="def-C"></span>')
    assert cells[2]["source"].startswith("def f()") and cells[3]["source"] == "</div>"
    assert read(book(code("#| default_exp entropy"),
                     code("#| exporti\ndef f(): pass\n\nclass C: pass")), "10_x",
                Book())["cells"] == cells

def test_long_imports_are_folded_on_every_page():
    "They are not read; a long function of the second reading is."
    imports = "\n".join(f"import m{i}" for i in range(reader.LONG + 1))
    f = "def f():\n" + "\n".join(f"    x = {i}" for i in range(reader.LONG + 1))
    cells = [code("#| default_exp entropy"), *(code(f"#| exports\n{s}") for s in (imports, f))]
    shown = [c["metadata"] for c in read(book(*cells), "20_x", Book())["cells"]
             if c["cell_type"] == "code"]
    assert ["hide-input" in m.get("tags", ()) for m in shown] == [True, False]
    assert shown[0]["mystnb"]["code_prompt_show"].startswith("what the page imports: ")

def test_figures():
    figure = ('#| label: fig-gain\n#| fig-cap: "Where $x$ is, see [above](#fig-gain)."\n#| '
              'fig-alt: "A "curve"."\nplot()')
    text = page(code(figure, PICTURE))
    assert ('<figure class="drawn" id="fig-gain">\n<svg' in text
            and 'role="img" aria-label="A &quot;curve&quot;."' in text
            and "width:clamp(96px,34rem,144px)" in text)
    assert ('id="fig-gain-0-a"' in text and 'href="#fig-gain-0-a"' in text
            and "url(#fig-gain-0-a)" in text)
    assert ("fill: var(--pst-color-background); stroke: currentColor" in text
            and "<style" not in text and "\n\n<path" not in text)
    assert ('<figcaption>\n\nWhere $x$ is, see <a class="reference internal" '
            'href="#fig-gain">above</a>.' in text)
    fails("no #| fig-alt", code("plot()", PICTURE))
    fails("there twice", code(figure, PICTURE), code(figure, PICTURE))
    png = dict(PICTURE, data={"image/png": "iVBO\n"})
    assert ('<img src="data:image/png;base64,iVBO" alt="A &quot;curve&quot;.">'
            in page(code(figure, png)))

def test_the_palette_follows_the_page():
    from dtree_lit.workshop.figures import COLOURS, INK
    assert {c.lower() for c in (*COLOURS, INK)} <= INKS.keys()

def test_claims():
    card = data(text_markdown="> **L09** · document 003 · ≈ holds with a correction  \n> It says "
                              "$x$.  \n> *printed:* 1", text_plain="…")
    text = page(code("check()", card), code("check()", card), md("[L09](#claim-l09)"))
    assert text.count('<details class="claim corrected"') == 2 and text.count('id="claim-l09"') == 1
    assert ('<summary><strong>L09</strong> · document 003 · <span class="verdict">≈ holds with a '
            'correction</span></summary>' in text)
    graded = page(code("check()",
                       data(text_markdown="> **G22** · document 000 · ✗ refuted · reconstructed  "
                                          "\n> It says 8.", text_plain="…")))
    assert ('<span class="verdict">✗ refuted</span> · <span class="evidence">reconstructed</span>'
            in graded and 'class="claim refuted"' in graded)
    reading = page(code("check()",
                        data(text_markdown="> **G01** · document 000 · ¶ definition or reading · "
                                           "definition  \n> It says.", text_plain="…")))
    assert ('class="claim reading"' in reading
            and '<span class="evidence">definition</span>' in reading)
    assert 'href="entropy.html#claim-l09"' in page(md("[L09](10_entropy.ipynb#claim-L09)"),
                                                   name="91_errata",
                                                   **{"10_entropy": [code("check()", card)]})
    fails("there is no #claim-l10", code("check()", card), md("[L10](#claim-l10)"))
    assert 'href="errata.html#claim-l09"' in page(md("[L09](91_errata.ipynb#claim-l09)"),
                                                  **{
        "91_errata": [code("x",
                           data(text_markdown='| <span id="claim-l09"></span>**L09** | x |'))]})

def test_outputs_stay_in_order():
    out = [dict(output_type="stream", name="stdout", text="a"), data(text_markdown="**b**"),
           dict(output_type="stream", name="stdout", text="c")]
    kinds = [c["cell_type"] for c in read(book(code("x", *out)), "10_x", Book())["cells"]]
    assert kinds == ["markdown", "code", "markdown", "code"]

def test_drawings_leave_their_images():
    drawing = "<svg>gr\u00fcn</svg>"
    img = f'<img alt="a" src="data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}">'
    alive, photo = f'<div class="frame">\n{img}\n</div>', '<img src="data:image/png;base64,iVBO">'
    out = dict(output_type="display_data",
               data={"text/html": img + alive + photo, "text/plain": "a tree"}, metadata={})
    shown = read(book(code("tree", out)), "10_x", Book())["cells"][-1]["outputs"][0]["data"]
    assert shown == {"text/html": drawing + alive + photo, "text/plain": "a tree"}

def test_the_doors_of_the_front_page():
    table = md("| | |\n|---|---|\n| **[Read](10_entropy.ipynb)** | **[Use](10_entropy.ipynb)** "
               "|\n| In order. | At once. |")
    text = page(table, name="index", **{"10_entropy": []})
    assert (":::{grid-item-card} Read\n:link: entropy.html\n:link-type: url\n:link-alt: Read\n\nIn "
            "order.\n:::" in text and "|" not in text)

def test_terms_explain_themselves_once():
    terms = reader.hints([dict(term="entropy", ko="엔트로피", zh="熵", definition="Disorder."),
                          dict(term="information gain; gain", ko="정보 이득", zh="資訊增益",
                               definition="Less of it.")])
    cells = (md("# Entropy\n\n> One sentence."),
             md("Entropy, `entropy`, $entropy$ and entropy.\n\n| entropy |\n|---|\n\nTwo "
                "information gains, [a gain](10_entropy.ipynb)."))
    nb = dict(cells=list(cells))
    text = read(nb, "10_entropy", bind({"10_entropy": nb}, terms=terms))["cells"][1]["source"]
    assert (text.count('class="term"') == 2
            and 'data-tip="Disorder. (엔트로피 · 熵)">Entropy</a>, `entropy`' in text)
    assert ('href="glossary.html#term-information-gain"' in text
            and ">information gains</a>, " in text and "| entropy |" in text)
    book = bind({"92_glossary": nb, "10_entropy": nb}, terms=terms)
    book = book._replace(looked_up={"92_glossary"})
    assert 'class="term"' not in read(nb, "92_glossary", book)["cells"][1]["source"]

def test_directives_stand_at_the_head():
    cell = code("#| echo: true\n# a comment\n\nx = 1\n#| a | b |\nprint(x)")
    assert reader.directives(cell["source"]) == {"echo": "true"}
    assert reader.without_directives(cell["source"]) == "# a comment\n\nx = 1\n#| a | b |\nprint(x)"

def test_no_room_takes_the_page_of_the_search():
    assert reader.page("24_searching") == "searching"
    with pytest.raises(ValueError, match="24_search would be the page search.html"):
        reader.page("24_search")
