"What the tests share: the scripts of docs/, and one run of the notebooks."
import ast
import gc
import os
import sys
import warnings

# before numpy is loaded: tests run side by side, and threads that wait for others burn time
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
# what is tested is what is compiled; tests/workshop/test_rent.py asks for the stand-ins
os.environ.setdefault("DTREE_LIT_RENT", "0")

import pytest
from helpers.browsing import browser, runtime                 # noqa: F401
from helpers.pages import executed
from helpers.places import ROOT
from helpers.renting import renting                          # noqa: F401
from hypothesis import settings

# The first call of a kernel compiles it; and a run that decides about a change tries the same cases
# each time.
settings.register_profile("compiling", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("compiling")
sys.path[:0] = [str(ROOT / "docs"), str(ROOT)]

def parsing_again(parse):
    """Python may fail to parse because another thread, or a collection of garbage, has parsed
    meanwhile (https://github.com/python/cpython/issues/106905). pytest parses what failed, and
    falls itself."""
    def parse_again(*args, **kwargs):
        for _ in range(9):
            try: return parse(*args, **kwargs)
            except SystemError as error: failed = error
        raise failed
    return parse_again

ast.parse = parsing_again(ast.parse)

def pytest_addoption(parser):
    parser.addoption("--fuzz", type=int, default=1,
                     help="so many times the cases of tests/whole/test_fuzz.py, and others at each "
                          "run")
    parser.addoption("--fresh", action="store_true", help="run every notebook again, also where "
                                                          "nothing has changed since its last run")

# they share one run of the pages and one site
LOOK_AT_PAGES = ("test_notebooks.py", "test_repo.py", "test_site.py", "test_live.py",
                 "test_own_table.py", "test_questions.py")

def _file(nodeid): return nodeid.partition("::")[0].rpartition("/")[2]

def pytest_collection_modifyitems(items):
    "Who looks at the pages begins, for that takes longest."
    items.sort(key=lambda item: _file(item.nodeid) not in LOOK_AT_PAGES)

def pytest_collection_finish(session):
    """What has been imported and collected stays; and parsing the site makes millions of things,
    which are no garbage either."""
    gc.freeze()
    gc.set_threshold(200_000)

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    "Of two processes each takes whole files, and one takes all that look at the pages."
    from xdist.scheduler.loadscope import LoadScopeScheduling
    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = _file(nodeid)
            return "pages" if file in LOOK_AT_PAGES else file
    return ByFile(config, log)

FELL = []

def pytest_internalerror(excrepr): FELL.append(str(excrepr))

def pytest_unconfigure():
    "Why pytest itself fell is said last, below what workers print as they end."
    for error in FELL: print(error[-2000:])

def pytest_terminal_summary(terminalreporter):
    import execute
    seconds = {p.stem: execute.read_record(ROOT, p.stem).get("seconds", 0)
               for p in execute.notebooks(ROOT)}
    slowest = sorted(seconds, key=seconds.get, reverse=True)[:5]
    terminalreporter.section("slowest 5 notebooks, when they last ran")
    for name in slowest: terminalreporter.write_line(f"{seconds[name]:.1f}s {name}")

@pytest.fixture(scope="session")
def results(request):
    """The selected notebooks, run side by side unless their records still hold: record by name,
    or the text of a failure."""
    chosen = {i.callspec.params["name"]
              for i in request.session.items if i.originalname == "test_notebook"}
    return executed(names=chosen, force=request.config.getoption("--fresh"))

@pytest.fixture(scope="session")
def records(request):
    """A record of every notebook: of this session's run where there is one, else of an earlier
    one that is still good."""
    import execute
    if any(i.originalname == "test_notebook" for i in request.session.items):
        request.getfixturevalue("results")
    found = executed()
    if failed := execute.failures(found): pytest.fail("notebooks fail: " + failed[0].split("\n")[0])
    return found

@pytest.fixture(scope="session")
def site(records):
    "The folder of the site, made from the records."
    import build
    with warnings.catch_warnings():
        # of one part of Sphinx to another
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        assert build.site(ROOT, records), "Sphinx warns: see above"
    return ROOT / "docs/_site"
