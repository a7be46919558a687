"""Files that are read are not written over, what is no regular file is written to, and a stream
that is closed or full is named in one sentence."""
import io
import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pandas as pd
import pytest
from dtree_lit import CARTClassifier, load, report, save
from dtree_lit.__main__ import main
from dtree_lit.reporting import fit_predict
from dtree_lit.trees import files
from helpers.places import ROOT

TABLE = pd.read_csv(ROOT / "nbs/data/mornings.csv")
TREE = CARTClassifier().fit(TABLE.drop(columns="play"), TABLE.play).tree_
pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and devices are others there")

@pytest.fixture
def here(tmp_path, monkeypatch):
    "A table and a model, and other paths to each of them."
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)
    assert run("fit t.csv --target play -q -o m.json") == 0
    for name in ("t.csv", "m.json"):
        os.symlink(name, f"soft.{name}"), os.link(name, f"hard.{name}")
    return tmp_path

def run(line): return main(line.split())

def contents(folder): return {path.name: path.read_bytes() for path in folder.iterdir()}

def paths(name): return name, f"./{name}", f"{Path.cwd()}/{name}", f"soft.{name}", f"hard.{name}"

# What is read is not written over

READS = [("fit t.csv --target play", "t.csv"), ("predict m.json t.csv", "t.csv m.json"),
         ("export m.json --to c", "m.json"), ("rules m.json", "m.json"),
         ("rules m.json t.csv --json", "t.csv m.json"), ("show m.json", "m.json"),
         ("report m.json t.csv", "t.csv m.json"),
         ("report m.json soft.t.csv --test t.csv", "t.csv"),
         ("prune m.json t.csv --by rep", "t.csv")]

@pytest.mark.parametrize("line, names", READS)
def test_the_same_file_is_refused(here, capsys, monkeypatch, line, names):
    "By whatever path, in one sentence, and before anything is read or learned."
    before = contents(here)
    # whoever read would fail
    monkeypatch.setattr("dtree_lit.workshop.table_files.opened_file", None)
    monkeypatch.setattr("dtree_lit.export.model_files.model_from", None)
    for path in (path for name in names.split() for path in paths(name)):
        assert run(f"{line} -o {path}") == 1
        out, err = capsys.readouterr()
        assert (not out and err.count("\n") == 1 and f" {path} is " in err
                and "would be written over" in err)
    assert contents(here) == before

def test_prune_may_mean_its_model(here):
    for path in paths("m.json")[:4]:
        assert run(f"prune m.json --by cost --set alpha=1 -q -o {path}") == 0
        assert load("m.json").n_leaves == 1 and Path("soft.m.json").is_symlink()
    assert load("hard.m.json") == TREE                  # a name of its own, which kept the old file

def process(line, **streams):
    "A process of its own, with a shell's redirections."
    env = os.environ | {"PYTHONPATH": str(ROOT), "DTREE_LIT_RENT": "1"}
    env.pop("PYTHONUNBUFFERED", None)
    done = subprocess.run(["sh", "-c", f'"$0" -m dtree_lit {line}', sys.executable], env=env,
                          capture_output=True, text=True, **streams)
    return done.returncode, done.stdout, done.stderr

def test_streams_of_a_shell_can_be_the_same_file(here):
    "Standard input and output, too, may be a file."
    before = contents(here)
    for line in ("fit - --target play -q -o t.csv < t.csv", "export m.json --to c >> hard.m.json"):
        code, out, err = process(line)
        assert code == 1 and "would be written over" in err and err.count("\n") == 1, (out, err)
    assert contents(here) == before

# What is no regular file is written to

def read_from(fifo):
    "A thread that reads a pipe to its end, and the list into which it puts that."
    found = []
    thread = Thread(target=lambda: found.append(Path(fifo).read_bytes()))
    thread.start()
    return thread, found

@pytest.mark.parametrize("write", [
    lambda path: save(TREE, path), lambda path: save([TREE, TREE], path),
    lambda path: run(f"fit t.csv --target play -q -o {path}"),
    lambda path: run(f"predict m.json t.csv -q -o {path}"),
    lambda path: run(f"export m.json --to c -o {path}"),
    lambda path: report(TREE, TABLE.drop(columns="play"), TABLE.play, folds=0, bootstraps=0,
                        file=path)],
    ids=["save", "save several", "fit", "predict", "export", "report"])
def test_a_pipe_stays_a_pipe(here, write):
    os.mkfifo("pipe")
    thread, found = read_from("pipe")
    write("pipe")
    write("file")
    thread.join(20)
    assert found == [Path("file").read_bytes()] and stat.S_ISFIFO(os.stat("pipe").st_mode)
    device("null")
    write("null")
    assert stat.S_ISCHR(os.stat("null").st_mode) and not [*here.glob("*.part")]

def device(name):
    """A device of this name in the folder; who is root makes one, because a mistake of ours would
    replace the machine's own."""
    if not os.path.exists(f"/dev/{name}"): pytest.skip("there is no such device here")
    if os.getuid(): return os.symlink(f"/dev/{name}", name)
    try:
        os.mknod(name, stat.S_IFCHR | 0o666, os.stat(f"/dev/{name}").st_rdev)
        open(name, "wb").close()
    except PermissionError: pytest.skip("no devices can be made here")

def test_a_device_that_is_full(here, capsys):
    device("full")
    with pytest.raises(OSError, match="No space left on device: 'full'"): save(TREE, "full")
    assert run("export m.json --to c -o full") == 1
    assert capsys.readouterr().err == "dtree-lit export: full: No space left on device\n"

def test_a_stream_that_is_open_is_written_to(here):
    "Behind /dev/stdout stands a file to which a shell appends: what it holds stays."
    Path("log").write_text("first\n")
    for name in ("/dev/stdout", "/dev/fd/1"):
        assert process(f"show m.json -o {name} >> log")[0] == 0
    assert Path("log").read_text() == "first\n" + 2 * (TREE.text() + "\n")

def test_a_table_from_a_pipe(here):
    os.mkfifo("pipe")
    thread = Thread(target=lambda: Path("pipe").write_bytes(Path("t.csv").read_bytes()))
    thread.start()
    assert run("fit pipe --target play -q -o n.json") == 0 and load("n.json") == TREE
    thread.join(20)

# A regular file

def test_rights_stay(here):
    "The new file may be read by whom the old one could."
    for mode in (0o600, 0o640, 0o666):
        os.chmod("m.json", mode)
        save(TREE, "m.json"), save(TREE, "soft.m.json")
        assert stat.S_IMODE(os.stat("m.json").st_mode) == mode and os.path.islink("soft.m.json")
    if os.getuid() == 0:
        os.chown("m.json", 12345, 12346)
        save(TREE, "m.json")
        assert (os.stat("m.json").st_uid, os.stat("m.json").st_gid) == (12345, 12346)

def test_nobody_reads_what_is_being_written(here, monkeypatch):
    "Neither is the part open to others while it is written."
    modes = []
    monkeypatch.setattr(files.os, "fsync",
                        lambda _: modes.extend(stat.S_IMODE(p.stat().st_mode)
                                               for p in here.glob("*.part")))
    os.chmod("m.json", 0o600)
    save(TREE, "m.json")
    assert modes == [0o600]

def test_what_is_write_protected_is_refused(here, capsys, monkeypatch):
    "Before anything is learned; root is asked like others."
    before = contents(here)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, way: (os.path.basename(path) != "m.json"
                                                         and access(path, way)))
    with pytest.raises(PermissionError, match="write-protected: 'm.json'"): save(TREE, "m.json")
    assert run("fit t.csv --target play -o m.json") == 1
    assert capsys.readouterr().err == ("dtree-lit fit: m.json cannot be written: m.json is "
                                       "write-protected\n")
    assert contents(here) == before

@pytest.mark.parametrize("name, sentence", [
    (".", "is a folder"), ("no/m.json", "there is no folder no"), ("", "-o has no name"),
    ("dangling", "there is no folder")])
def test_no_place(here, capsys, name, sentence):
    os.symlink("nowhere/m.json", "dangling")
    assert main(["fit", "t.csv", "--target", "play", "-o", name]) == 1
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1

def test_all_of_a_model_is_shown(here):
    "Several trees go into one file, one below the other; and --json does without no file."
    save([TREE, TREE], "two.zip")
    assert run("show two.zip -o two.txt") == 0
    assert Path("two.txt").read_text() == "".join(f"tree {i}\n{TREE.text()}\n\n" for i in (1, 2))
    assert run("rules m.json --json -o rules.txt") == 0
    assert Path("rules.txt").read_text() == "\n".join(TREE.rules()) + "\n"

# Streams that are closed or full

@pytest.mark.parametrize("line, code, sentence", [
    ("predict m.json t.csv --json -q > /dev/full", 1, "predict: standard output: No space left"),
    ("--help > /dev/full", 1, "standard output: No space left on device"),
    ("show m.json >&-", 1, "show: standard output: closed"),
    ("fit - --target play -o n.json <&-", 1, "fit: standard input: closed")])
def test_one_sentence(here, line, code, sentence):
    if "/dev/full" in line and not os.path.exists("/dev/full"): pytest.skip("no such device")
    found, out, err = process(line)
    assert (found, out, err.count("\n")) == (code, "", 1) and sentence in err, err

def test_what_needs_no_stream_goes_on_without(here):
    "Messages go nowhere, and never into the results."
    whole = process("predict m.json t.csv -q")[1]
    for other in ("2>&-", "2> /dev/full"):
        assert process(f"predict m.json t.csv {other}")[:2] == (0, whole)
    for other in (">&-", "<&- >&- 2>&-"):
        assert process(f"fit t.csv --target play -o n.json {other}")[:2] == (0, "")
        assert load("n.json") == TREE
        os.unlink("n.json")
    for other in ("2>&-", "2> /dev/full"): assert process(f"fit t.csv {other}") == (2, "", "")

# What a terminal would obey

EVIL = "a\x1b]0;title\x07\x1b[31m\u202e"
SPELLED = r"a\x1b]0;title\x07\x1b[31m\u202e"

def test_escape_sequences_are_spelled(here, capsys):
    "In names of columns, values, names of files, and words that are not understood."
    Path("evil.csv").write_text(f"{EVIL},y\n{EVIL},no\n2,yes\n", "utf-8")
    Path(f"{EVIL}.csv").write_text("a,y\n1,2,3\n")
    for line in (["fit", "evil.csv", "--target", "y", "-o", "n.json"],
                 ["fit", "evil.csv", "--target", "z", "-o", "n.json"],
                 ["fit", "evil.csv", "--target", "y", "-o", "n.json", "--numeric", EVIL],
                 ["fit", f"{EVIL}.csv", "--target", "y", "-o", "n.json"],
                 ["fit", EVIL, "--target", "y", "-o", "n.json"], ["show", "m.json", EVIL]):
        main(line)
        out, err = capsys.readouterr()
        assert SPELLED in err and not out and not {"\x1b", "\x07", "\u202e"} & {*err}, err
    plain = "größe 한국어\t\u200d"
    assert fit_predict.harmless(EVIL) == SPELLED and fit_predict.harmless(plain) == plain

def test_a_terminal_is_shown_what_a_file_holds_raw(here, capsys, monkeypatch):
    Path("evil.csv").write_text(f"a,y\n{EVIL},no\n2,yes\n", "utf-8")
    assert run("fit evil.csv --target y -q -o n.json") == run("show n.json") == 0
    raw = capsys.readouterr().out
    class Terminal(io.StringIO):
        def isatty(self): return True
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert run("show n.json") == 0
    shown = sys.stdout.getvalue()
    assert EVIL in raw and SPELLED in shown and shown.splitlines() == [
        fit_predict.harmless(line) for line in raw.split("\n")[:-1]]
