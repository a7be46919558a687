"The benchmarks measure what they say, and what is recorded is whole."
import json
import re
from pathlib import Path

import bench
import bench_data
import bench_peers
import numpy as np
import pytest

QUICK = list(bench.plan("quick"))
TINY = [row._replace(n=min(row.n, 300))
        for row in QUICK if row.group not in ("memory", "start", "cold")]

def well_formed(row):
    "Is this what a row of a record looks like?"
    assert {"group", "what", "data", "n", "m", "classes", "criterion", "depth", "option", "dtype",
            "learners"} <= row.keys()
    entries = list(row["learners"].values())
    assert entries and row["what"]
    if row["group"] == "memory": return [e["bytes"] for e in entries]
    for e in entries:
        for key in ("wall", "cpu", "wall_ratio", "cpu_ratio"):
            low, middle, high = e[key]
            assert 0 <= low <= middle <= high < np.inf
        assert e["wall"][0] > 0
    assert entries[0]["wall_ratio"] == [1, 1, 1] and row["rounds"] > 0
    for name in ("ours", "sklearn"):
        if row["group"] in ("fit", "options") and name in row["learners"]:
            e = row["learners"][name]
            assert e["nodes"] % 2 == 1 and 0 <= e["fits"] <= 1
    if row["group"] == "neighbors":
        assert all(0 <= e["differ"] <= 1 for e in entries) and entries[0]["differ"] == 0
    if row["group"] == "logistic":
        assert all(0 <= e["slope"] for e in entries) and entries[0]["slope"] < 1e-9
    if row["group"] == "forest":
        assert (all(0.5 < e["fits"] <= 1 for e in entries)
                and entries[0]["file"] > entries[0]["nodes"])

def identity(row):
    "A row without its results."
    return tuple(tuple(row[k]) if k == "learners" else row[k] for k in bench.Row._fields)

# What is measured

def test_a_race_goes_in_turns():
    order = []
    spent, results = bench.race({name: lambda name=name: order.append(name) or name.upper()
                                 for name in "abc"}, least=3, budget=0)
    assert "".join(order) == "abcabcabc" and results == dict(a="A", b="B", c="C")
    assert all(s.shape == (3, 2) and (s >= 0).all() for s in spent.values())

def test_every_group_can_be_asked_for():
    assert {row.group for row in QUICK} == set(bench.GROUPS)

def test_a_race_ends():
    spent, _ = bench.race(dict(a=lambda: None), least=1, budget=1e9, most=5)
    assert len(spent["a"]) == 5

def test_who_took_the_time_itself_is_believed():
    spent, _ = bench.race(dict(a=lambda: bench_peers.Elsewhere(2.0, 1.0, 7)), least=2, budget=0)
    assert spent["a"].tolist() == [[2, 1], [2, 1]]

def test_ratios_are_taken_round_by_round():
    a, b = np.array([[1., 1.], [2., 1.], [4., 1.]]), np.array([[3., 2.], [6., 2.], [12., 2.]])
    found = bench.compare(dict(a=a, b=b))
    assert found["b"]["wall_ratio"] == [3, 3, 3] and found["b"]["cpu_ratio"] == [2, 2, 2]
    assert found["b"]["wall"] == [4.5, 6, 9] and found["a"]["wall_ratio"] == [1, 1, 1]

@pytest.mark.parametrize("n, m, classes", [(1000, 10, 2), (1000, 4, 20), (1000, 5, 0)])
def test_gaussian_data(n, m, classes):
    X, y = bench_data.gaussian(n, m, classes)
    assert X.shape == (n, m) and X.dtype == np.float32 and len(y) == n
    again = bench_data.gaussian(n, m, classes)
    assert (X == again[0]).all() and (y == again[1]).all()
    if classes: assert set(y) == set(range(classes)) and np.bincount(y).min() > n / classes / 3

def test_noise_is_a_share_of_the_labels():
    clean, tenth, pure = (bench_data.gaussian(20_000, 5, noise=noise)[1] for noise in (0, 0.1, 1.0))
    assert abs((clean != tenth).mean() - 0.05) < 0.01 and abs((clean != pure).mean() - 0.5) < 0.02

def test_adult_is_whole():
    X, y = bench_data.adult(10**9, 14)
    assert X.shape == (32561, 14) and y.sum() == 7841
    assert [len(np.unique(c)) for c in X.T[6:]] == [9, 16, 7, 15, 6, 5, 2, 42]

def test_options_are_what_they_say():
    X, y = bench_data.gaussian(2000, 4)
    assert bench_data.with_option("min_samples_leaf=5", X, y)[2] == dict(min_samples_leaf=5)
    assert bench_data.with_option("max_features=sqrt", X, y)[2] == dict(max_features="sqrt")
    assert 0.08 < np.isnan(bench_data.with_option("missing values", X, y)[0]).mean() < 0.12
    assert set(bench_data.with_option("whole weights", X, y)[1]) == {1, 2, 3}

def test_points_come_with_questions():
    for make in (bench_data.points, bench_data.grid):
        X, Q = make(2000, 3)
        assert X.shape == (2000, 3) and Q.shape == (200, 3) and (make(2000, 3)[0] == X).all()
    assert len(np.unique(X, axis=0)) <= 8**3

def test_uneven_chances_are_the_same_in_other_units():
    X, y = bench_data.chances(2000, 5)
    uneven, again = bench_data.chances(2000, 5, spread=3)
    assert ((y == again).all() and np.allclose(uneven / X, (uneven / X)[0])
            and np.ptp(np.log10(X.std(axis=0))) < 1 < np.ptp(np.log10(uneven.std(axis=0))))

def test_a_slope_is_relative_and_has_no_unit():
    X, y = bench_data.chances(2000, 5)
    b = bench_peers.our_logistic(bench.Row("logistic", ())).fit(X, y)
    unit = np.array([1e-3, 1, 10, 1e3, 1, 1])
    assert bench_peers.slope(X, y, 0 * b) == 1 and bench_peers.slope(X, y, b) < 1e-12
    assert np.isclose(bench_peers.slope(X * unit[:5], y, 0.9 * b / unit),
                      bench_peers.slope(X, y, 0.9 * b))

def test_fresh_rows_are_like_the_others():
    row = bench.Row("forest", (), 2000)
    (X, y), (A, b) = bench_data.data_of(row), bench_data.fresh(row)
    assert (A.shape == X.shape and A.dtype == X.dtype and not (A == X).all(axis=1).any()
            and set(b) == set(y))

def test_close_values_are_counted():
    X = np.array([[0.0], [5e-8], [1.0], [1.0], [2.0]])
    assert bench_data.close(X) == 1 / 3

@pytest.mark.parametrize("row", TINY, ids=lambda row: f"{row.group} {row}")
def test_every_row_can_be_measured(row):
    measured = bench.measure(row, least=1, budget=0)
    well_formed(measured)
    assert json.loads(json.dumps(measured))["what"] == str(row) and bench.told(measured)

def test_a_fresh_process_starts():
    row, = (row for row in QUICK if row.group == "start")
    well_formed(bench.measure(row._replace(learners=("ours",)), least=1, budget=0))

def test_a_new_installation_answers():
    row = next(row for row in QUICK if row.group == "cold")
    well_formed(bench.measure(row._replace(learners=("ours", "sklearn")), least=1, budget=0))

@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(),
                    reason="Linux alone tells how much memory a process had")
def test_memory_is_seen():
    row = bench.Row("memory", ("sklearn",), 20_000, 50, depth=1, dtype="float64")
    found = well_formed(bench.measure(row))
    assert found[0] >= 4 * row.n * row.m / 2                # scikit-learn makes a float32 copy

def test_rpart_is_told_what_to_do(monkeypatch):
    "The program that is handed to R, where there is no R."
    said = []
    def run(command, **kwargs):
        said.append(command)
        return type("Done", (), dict(stdout="0.5 0.25 7"))
    monkeypatch.setattr(bench_peers.subprocess, "run", run)
    X, y = bench_data.gaussian(20, 4)
    learner = bench_peers.rpart(bench.Row("fit", ("rpart",), 20, 4, depth=6))
    assert (learner.fit(X, y) == (0.5, 0.25, 7)
            and learner.nodes(bench_peers.Elsewhere(0.5, 0.25, 7)) == 7)
    assert ('split = "information"' in said[0][2] and "maxdepth = 6" in said[0][2]
            and "{" not in said[0][2])

# What is recorded

def test_a_record_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "record.json"
    bench.write_whole(path, "old")
    with pytest.raises(TypeError): bench.write_whole(path, None)
    assert [p.name for p in tmp_path.iterdir()] == ["record.json"] and path.read_text() == "old"
    bench.write_whole(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["record.json"] and path.read_text() == "new"

@pytest.mark.parametrize("args, said",
                         [(["--record", "--quick"], "a record holds whole rows"),
                          (["--record", "fits"], "there are the groups fit small options")])
def test_what_cannot_be_recorded(args, said, capsys):
    with pytest.raises(SystemExit): bench.main(args)
    assert said in capsys.readouterr().err

@pytest.fixture(scope="module")
def record(): return json.loads(bench.RECORD.read_text("utf-8"))

def test_some_groups_are_measured_anew(record, monkeypatch):
    "They take their places among the others, which stay as they are."
    written = {}
    monkeypatch.setattr(bench, "write_whole", lambda path, text: written.update({path: text}))
    monkeypatch.setattr(bench, "measure",
                        lambda row, **how: row._asdict() | dict(what=str(row),
                                                                learners=dict(ours=dict(bytes=7))))
    monkeypatch.setattr(bench, "machine", lambda: record["machine"])
    monkeypatch.setattr(bench, "versions",
                        lambda: dict(numpy=record["versions"]["numpy"], faiss="1"))
    monkeypatch.setattr(bench, "installed", lambda name: True)
    bench.main(["growth", "neighbors", "--record"])
    new = json.loads(written[bench.RECORD])
    assert [row["group"] for row in new["rows"]] == [row.group
                                                     for row in bench.plan(record["form"])]
    assert ([row for row in new["rows"] if row["group"] not in ("growth", "neighbors")]
            == [row for row in record["rows"] if row["group"] not in ("growth", "neighbors")])
    assert all(row["learners"] == dict(ours=dict(bytes=7))
               for row in new["rows"] if row["group"] in ("growth", "neighbors"))
    assert new["versions"] == record["versions"] | dict(faiss="1") and new["date"] == record["date"]
    assert ({"growth", "neighbors"} <= new["renewed"].keys()
            and bench.quote(record) in written[bench.README])

def test_a_group_of_another_machine_says_so(record):
    "Until it is measured where the others are."
    there, here = dict(processor="X", cores=99, system="Y"), record["machine"]
    some = [row for row in record["rows"] if row["group"] == "growth"]
    def new(machine): return dict(machine=machine, versions={}, date="2030-01-01", rows=some)
    away = bench.joined(record, new(there))
    assert away["elsewhere"] == record["elsewhere"] | dict(growth=there)
    assert away["renewed"]["growth"] == "2030-01-01" and away["rows"] == record["rows"]
    assert "growth" not in bench.joined(away, new(here))["elsewhere"]

def test_other_versions_and_what_is_quoted_from_another_machine_are_not_joined(
        record, monkeypatch, capsys):
    monkeypatch.setattr(bench, "versions", lambda: dict(numpy="1.0"))
    monkeypatch.setattr(bench, "machine", lambda: record["machine"] | dict(cores=99))
    with pytest.raises(SystemExit): bench.main(["fit", "--record"])
    error = capsys.readouterr().err
    assert (f"numpy {record['versions']['numpy']}" in error
            and f"cores {record['machine']['cores']}" in error and "measure all of them" in error)

def test_no_times_of_a_peer_are_lost(record, monkeypatch, capsys):
    monkeypatch.setattr(bench, "versions", lambda: {})
    monkeypatch.setattr(bench, "machine", lambda: record["machine"])
    monkeypatch.setattr(bench, "installed", lambda name: name != "pykdtree")
    assert bench.not_here(record, ["logistic"]) == []
    for groups in (["logistic", "neighbors"], []):      # no group: all of them
        with pytest.raises(SystemExit): bench.main([*groups, "--record"])
        assert "the record has times of pykdtree in these groups" in capsys.readouterr().err

def test_the_record_is_well_formed(record):
    assert {"processor", "cores", "system"} == record["machine"].keys()
    assert {"Python", "numpy", "numba", "scikit-learn"} <= record["versions"].keys()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record["date"]) and record["form"] in ("full", "large")
    assert set(record["elsewhere"]) <= set(record["renewed"]) <= set(bench.GROUPS)
    assert not set(record["elsewhere"]) & bench.QUOTED
    for row in record["rows"]: well_formed(row)

def test_the_record_is_complete(record):
    "It has the rows of the plan, in their order; peers and memory where they could be had."
    required = {"ours", "sklearn", "levels", "plain", "a tenth", "bare", "compiled", "scipy",
                "newton-cholesky", "lbfgs", "sdr", "ours, sdr",
                "sklearn, squared_error"} | {f"{who}, {by}" for who in ("ours", "sklearn")
                                             for by in ("gini", "entropy")}
    def outline(row):
        return (*identity(row)[:1], tuple(name for name in identity(row)[1] if name in required),
                *identity(row)[2:])
    planned = [outline(row._asdict()) for row in bench.plan(record["form"])]
    found = [outline(row) for row in record["rows"]]
    if not any(row["group"] == "memory" for row in record["rows"]):
        planned = [row for row in planned if row[0] != "memory"]
    assert found == planned

def test_the_readme_quotes_the_record(record):
    readme = bench.README.read_text("utf-8")
    assert f"## Speed\n\n{bench.quote(record)}\n\n## " in readme, "bench.quoted writes it"
    assert ", slower |" in bench.quote(record)

def test_a_new_record_is_quoted():
    def row(group, sklearn, what=None, **of):
        return dict(group=group, what=what or str(bench.Row(group, (), **of)),
                    learners=dict(sklearn=dict(wall_ratio=[1, sklearn, 200], wall=[4, 5, 6]),
                                  source=dict(wall=[40, 50, 60]),
                                  compiled=dict(cpu=[9, 11.6, 13])))
    rows = [row("fit", 24.6, n=100_000, criterion="gini", dtype="float64"),
            row("fit", 5.4, n=1000, criterion="gini"),
            row("fit", 41.2, n=32_561, m=14, data="adult"),
            row("fit", 6.61, n=100_000, classes=0, criterion="squared_error"),
            row("options", 1.54, n=100_000, option="weights"),
            row("cold", 0.5, "iris, gini"), row("first", 2.13, "wine"),
            row("first", 0.98, "diabetes")]
    record = dict(machine=dict(processor="X"), versions={"scikit-learn": "1.9"}, date="2025-12-31",
                  renewed=dict(fit="2026-01-01"), elsewhere=dict(first=dict(processor="Y")),
                  rows=rows)
    text = bench.quoted("before\n\n## Speed\n\nVery.\n\n## After\n", record)
    assert (text.startswith("before\n\n## Speed\n\nThe time of scikit-learn 1.9 over ours")
            and text.endswith("measures again.\n\n## After\n"))
    for part in ("(X, 2026-01-01)", "by default | 25 |", "1,000 × 10 | 5.4 |", "14 | 41 |",
                 "regression tree of 100,000 × 10 | 6.6 |", "wine | 2.1 |",
                 "diabetes | 0.98, slower |", "numpy grows the first trees | 0.1, slower |",
                 "On 5 tables", "between 1.5 and 41.", "for 12 seconds", "measured on Y."):
        assert part in text
