# make          set up, execute every derivation, build the site, say where it is  (make LIVE=0: its cells do not run)
# make test     everything that can fail; pages whose results still hold are not run again (make test ARGS=--fresh: they are)
# make lab      the notebooks in JupyterLab          make serve    the site on http://localhost:8000
# make refresh  renew the outputs that nbs/ commits   make export   the library alone, from the notebooks
# make clean    forget what was built
# make page P=entropy   one page of the site, as its notebook lies there, in seconds
# make release-check  build what would be published, install it on each Python here, try it, remove it
#                     (make release-check ARGS=/path/to/python3.14: on that one, too)
# make bare     does everything but the estimators work with numpy alone?
# make bench    the library beside its peers, timed  (make bench ARGS=--help)
# make pages    of each page: cells, words, minutes, share of code, where its first figure is
# make words    of each page: how often split, cut and other words occur, and how long sentences are
# make live-test  do the cells give in a browser what they give in JupyterLab?  (make live-test ARGS="entropy gain": of these pages)
# make wheel    the library with its machine code, to install where this Python and this kind of processor are
# make mutants  slips put into the library on purpose: does a page or a test notice?  (make mutants ARGS=--help)
# make same BASE=<commit>  do 2,000 random tables grow the same trees here and there, with every learner?
PYTHON ?= python3
BIN    := .venv/bin
READY  := .venv/.ready
PIP    := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt
UNREACHED := "pip could not install the requirements: is the network, or your package index, within reach?"
# Whatever says so outside: what is imported is kept translated, or every process would translate it again.
unexport PYTHONDONTWRITEBYTECODE
export LIVE

.PHONY: all test bare lab serve refresh export page release-check bench pages words live-test wheel mutants same clean tools kernels
all: $(READY)
	@$(BIN)/python docs/build.py

test: $(READY)
	@$(BIN)/python -m pytest -n 2 --max-worker-restart=0 --no-loadscope-reorder $(ARGS)

bare: $(READY)
	@$(BIN)/python -m pytest -q tests/whole/test_bare.py

lab: $(READY)
	@$(BIN)/jupyter lab --notebook-dir=nbs --LabApp.default_url=/lab/tree/index.ipynb

serve: all
	@echo "http://localhost:8000  (Ctrl-C ends it)"; $(BIN)/python -m http.server -d docs/_site -b localhost 8000

export: $(READY)
	@$(BIN)/python docs/build.py --export

refresh: $(READY)
	@$(BIN)/python docs/build.py --refresh

page: $(READY)
	@[ "$(P)" ] || { echo "Which page is to be built? Say make page P=entropy, or another name."; exit 1; }
	@$(BIN)/python docs/page.py $(P)

release-check: $(READY)
	@$(BIN)/python docs/release.py $(ARGS)

bench: $(READY)
	@$(BIN)/python docs/bench.py $(ARGS)

pages: all
	@$(BIN)/python docs/pages.py

words: $(READY)
	@$(BIN)/python docs/words.py

live-test: all
	@$(BIN)/python docs/in_browser.py $(ARGS)

wheel: $(READY)
	@$(BIN)/python docs/machine_code.py

mutants: $(READY)
	@$(BIN)/python docs/mutants.py $(ARGS)

same: $(READY)
	@[ "$(BASE)" ] || { echo "Which commit is to be compared with? Say make same BASE=main, or another commit."; exit 1; }
	@$(BIN)/python docs/same.py $(BASE) $(ARGS)

clean:
	rm -rf docs/_build docs/_site .pytest_cache .hypothesis build dist

# Whatever is missing is said in one sentence; an environment of another Python is made anew. While pip fetches
# what only the site and the tests need, the compiler is at work already.
$(READY): settings.ini constraints.txt setup.py pyproject.toml $(wildcard docs/jupyter/*)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "dtree_lit needs Python 3.11 or newer, and $(PYTHON) is %d.%d: say make PYTHON=python3.12, or whichever you have." % sys.version_info[:2])'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python has no venv module: install it (on Debian and Ubuntu: apt install python3-venv) and run make again."; exit 1; }
	@echo "setting up .venv (a minute or two, once)"
	@[ "$$($(BIN)/python -V 2>&1)" = "$$($(PYTHON) -V)" ] || $(PYTHON) -m venv --clear .venv
	@$(PIP) -e . || { echo $(UNREACHED); exit 1; }
	@$(MAKE) --no-print-directory -j2 tools kernels
	@mkdir -p .venv/etc/jupyter .venv/etc/ipython .venv/share/jupyter/lab/settings
	@cp docs/jupyter/jupyter_server_config.py .venv/etc/jupyter/
	@cp docs/jupyter/ipython_kernel_config.py .venv/etc/ipython/
	@cp docs/jupyter/overrides.json .venv/share/jupyter/lab/settings/
	@cp docs/jupyter/quarto docs/jupyter/nbdev_export docs/jupyter/nbdev_prepare .venv/bin/
	@touch $@

tools:
	@$(PIP) -e '.[dev]' || { echo $(UNREACHED); exit 1; }

kernels:
	@$(BIN)/python docs/machine_code.py --code
