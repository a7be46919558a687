"Sphinx: how the pages look. What they say was made by build.py."
import html, importlib.metadata, json, re
from pathlib import Path

from execute import ROOT, settings
from sphinx.search.en import SearchEnglish

ini = settings(ROOT)
project, author, release, copyright = ini["title"], ini["author"], ini["version"], ini["copyright"]
html_title = project
language = "en"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design", "sphinx.ext.mathjax"]

nb_execution_mode = "off"                # the outputs are there already
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "Show the code", "Hide the code"
myst_enable_extensions = ["amsmath", "dollarmath", "colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]

# MathJax in one file, out of a wheel: no page asks the network for anything.
mathjax = next(f for f in importlib.metadata.files("sphinx-mathjax-offline")
               if f.name == "tex-svg-full.js")
mathjax_path = mathjax.name
# An unknown macro is an error, not a word in red.
mathjax3_config = {"tex": {"packages": {"[-]": ["noundefined"]}}, "svg": {"fontCache": "global"},
                   "options": {"enableMenu": False}}

html_theme = "pydata_sphinx_theme"
html_static_path = ["_static", str(mathjax.locate())]
html_css_files = ["style.css"]
html_js_files = ["cards.js", ("contents.js", dict(defer="defer")), "elements.js", "questions.js"]
html_favicon = "_static/logo.svg"
# what it shows is no page, which one read from a file may not fetch: see excerpts.js
html_show_search_summary = True
html_show_sourcelink = html_copy_source = html_use_index = False
html_domain_indices = False
html_context = {"default_mode": "auto"}
add_module_names = False
python_display_short_literal_types = True
toc_object_entries_show_parents = "hide"
html_sidebars = {"index": [], "guide": [], "first_tree": [], "**": ["sidebar-nav-bs"]}
html_theme_options = dict(
    logo=dict(text=project, image_light="_static/logo.svg", image_dark="_static/logo.svg",
              alt_text=""),
    navbar_align="left", navbar_end=["theme-switcher"], navbar_persistent=["search-button"],
    article_header_start=["breadcrumbs"], secondary_sidebar_items=["page-toc"], show_nav_level=2,
    show_toc_level=2,
    footer_start=["copyright"], footer_end=[], navigation_with_keys=True, back_to_top_button=False,
    pygments_light_style="github-light-colorblind", pygments_dark_style="github-dark-colorblind")

def move(app):
    "myst-nb keeps copies of the notebooks beside the site; they belong with what is built."
    app.env.mystnb_config = app.env.mystnb_config.copy(
        output_folder=str(Path(app.doctreedir).parent / "jupyter_execute"))

def excerpt(app, page, template, context, doctree):
    """The words of each page, as a script from which the search takes its excerpts; a file may
    load scripts, and nothing else."""
    if page == "search": app.add_js_file("excerpts.js")
    if doctree is None: return
    text = re.sub(r'<(svg|script|style)\b.*?</\1>|<a class="headerlink".*?</a>|<details '
                  r'class="executed">.*?</details>', " ", context["body"], flags=re.S)
    # sections keep their names: a title that is found shows its own
    text = re.sub(r"\s+", " ", re.sub(r"<(?!/?section\b)[^>]*>", "", text))
    path = Path(app.outdir, "_static/words", page + ".js")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"tell({json.dumps(page)}, {json.dumps(text, ensure_ascii=False)})", "utf-8")

def running(app, page, template, context, doctree):
    "A page whose cells can be run has their script; what runs them is loaded by it, on demand."
    if app.config.live != "1" or not Path(app.outdir, f"_static/live/pages/{page}.js").exists():
        return
    app.add_css_file("live/live.css")
    for script in f"pages/{page}", "python", "live":
        app.add_js_file(f"live/{script}.js", defer="defer")
    if page == "your_table":
        app.add_css_file("live/table.css")
        app.add_js_file("live/table.js", defer="defer")

def preview(app, page, template, context, doctree):
    """What a search engine, and whoever shares a page, shows of it: title, sentence, picture.
    Addresses are relative, for there is no host."""
    if doctree is None: return
    first = re.search(r'<div class="lead.*?</div>|</h1>\s*<p>.*?</p>', context["body"], re.S)
    plain = lambda text: " ".join(html.unescape(
        re.sub(r"<h1>.*?</h1>|</h1>|<[^>]+>|\\\\[()]", "", text)).split())
    title, sentence, picture = (plain(context["title"]), plain(first[0]) if first
                                else ini["description"], context["pathto"]("_static/home.png", 1))
    said = {"name": {"description": sentence},
            "property": {"og:type": "article", "og:site_name": project, "og:title": title,
                         "og:description": sentence, "og:image": picture}}
    context["metatags"] += "".join(f'\n<meta {kind}="{key}" content="{html.escape(value)}">'
                                   for kind, tags in said.items() for key, value in tags.items())

class Words(SearchEnglish):
    """English, and Korean and Chinese, whose words stand close together: any two letters of a
    row are found, as any three are."""
    def split(self, text):
        words = super().split(text)
        return words + [row[i:i + 2] for word in words
                        for row in re.findall("[가-힣]{3,}|[㐀-鿿]{3,}", word)
                        for i in range(len(row) - 1)]

def setup(app):
    app.add_search_language(Words)
    app.connect("builder-inited", move, priority=900)
    # a page is written anew when its cells no longer run, or now do
    app.add_config_value("live", "0", "html")
    app.connect("html-page-context", excerpt)
    app.connect("html-page-context", running)
    app.connect("html-page-context", preview)
