"A CSV is read alike with pandas and without it, as in a browser."
import random
import sys
from zipfile import ZipFile

import pandas
import pytest
from dtree_lit.workshop.table_files import column_notes, columns_in_file, odd_words, table_from

VALUES = ["1", "2", "-3", "4.5", "1e5", "", "NA", "?", "nan", "inf", "-inf", "Infinity", "1e400",
          "007", "0", "00", "yes", "no", "True", "False", "1_000", "12 ", " 7", "x ", "3,5",
          "1.234,5", "2020-01-02", '"a;b"', '"a""b"', '"two\nlines"', "+5", ".5", "5.",
          "9007199254740993", "é", "null", "0x10", "1e", "-", "'", "\u00a05", "1 2", '" 8"']
HUGE = ["99999999999999999999", "-9223372036854775809", "18446744073709551615"]

def table(lots):
    "The bytes of a random table, which may be malformed, and what is said of its columns."
    many, n = lots.randint(1, 4), lots.choice([0, 1, 2, 3, 5, 30])
    pools = [lots.sample(VALUES, lots.randint(1, 3)) for _ in range(many)]
    if lots.random() < 0.1: pools[0] = HUGE[:2]             # of decimals beside them, see below
    sep = lots.choice(";;,\t|")
    lines = [sep.join(map(lots.choice, pools)) for _ in range(n)]
    spot = lots.randrange(n) if n else 0
    if n and lots.random() < 0.1: lines[spot] += lots.choice([sep, sep + "1", sep * 2, " "])
    if n and lots.random() < 0.1: lines[spot] = pools[0][0]
    if lots.random() < 0.1: lines.insert(spot, lots.choice(["", "  "]))
    if lots.random() < 0.05: lines.append(f'"open{sep}1')
    end = lots.choice(["\n", "\r\n"])
    text = end.join([sep.join(f"c{i}" for i in range(many)), *lines]) + lots.choice(["", end])
    kinds = {f"c{lots.randrange(many)}": lots.choice(["numbers", "words", "comma"])}
    how = dict(kinds=kinds) if lots.random() < 0.3 else {}
    if lots.random() < 0.1: how["missing"] = ["", "-3"]
    return text.encode(lots.choice(["utf-8", "utf-8-sig"])), how

def read(path, how):
    "Values, categories and notes of each column; or the sentence of the error."
    try: columns = {name: c.column() for name, c in columns_in_file(path, **how).items()}
    # pandas has made truth values of True and False
    except ValueError as e: return str(e).replace("'True'", "True").replace("'False'", "False")
    notes = column_notes(columns, how.get("kinds", {}))
    return [(c.values.dtype, c.values.tobytes(), c.words) for c in columns.values()], notes

@pytest.mark.parametrize("seed", range(8))
def test_with_pandas_and_without(tmp_path, monkeypatch, seed):
    lots, path = random.Random(seed), tmp_path / "t.csv"
    for _ in range(150):
        data, how = table(lots)
        path.write_bytes(data)
        monkeypatch.setitem(sys.modules, "pandas", pandas)
        there = read(path, how)
        monkeypatch.setitem(sys.modules, "pandas", None)
        assert read(path, how) == there, (data, how)

def test_whole_numbers_beyond_64_bits_are_names(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("id\n99999999999999999999\n1\n")
    for module in pandas, None:
        monkeypatch.setitem(sys.modules, "pandas", module)
        assert columns_in_file(path)["id"].column().words == ["1", "99999999999999999999"]

def workbook(path, **sheets):
    "The least that a workbook can be: of each sheet its rows."
    def cell(v):
        if v is None: return "<c/>"
        if isinstance(v, str): return f'<c t="inlineStr"><is><t>{v}</t></is></c>'
        return f"<c><v>{v}</v></c>"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/package/2006/relationships"
    def related(kind, targets):
        return f'<Relationships xmlns="{links}">' + "".join(
            f'<Relationship Id="r{i}" Type="{office}/{kind}" Target="{target}"/>'
            for i, target in enumerate(targets)) + "</Relationships>"
    listed = "".join(f'<sheet name="{name}" sheetId="{i + 1}" r:id="r{i}"/>'
                     for i, name in enumerate(sheets))
    with ZipFile(path, "w") as z:
        z.writestr("_rels/.rels", related("officeDocument", ["xl/workbook.xml"]))
        z.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                                      f"{listed}</sheets></workbook>")
        z.writestr("xl/_rels/workbook.xml.rels", related(
            "worksheet", [f"worksheets/sheet{i}.xml" for i in range(len(sheets))]))
        for i, rows in enumerate(sheets.values()):
            z.writestr(f"xl/worksheets/sheet{i}.xml", f'<worksheet xmlns="{main}"><sheetData>'
                       + "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
                       + "</sheetData></worksheet>")
    return path

def test_workbooks(tmp_path, monkeypatch):
    "The same as a CSV of the sheet; of several none is guessed, and empty ones do not count."
    rows = [["code", "wind", "price"], ["007", "weak", 9.5], ["11", "?", None], ["7", "NA", 12]]
    path = workbook(tmp_path / "t.xlsx", Sheet1=rows, Empty=[])
    as_text = tmp_path / "t.csv"
    as_text.write_text("\n".join(",".join("" if v is None else str(v) for v in row)
                                 for row in rows), "utf-8")
    assert table_from(path).equals(table_from(as_text))
    with pytest.raises(ValueError, match="has the sheets A, B: save one of them as a file of its"):
        table_from(workbook(path, A=rows, B=rows))
    for head, sentence in ((["a", "a", "b"], "has two columns 'a': rename one of them"),
                           (["a", None, "b"], "has no name for column 2 of 3: give it one in the")):
        with pytest.raises(ValueError, match=sentence):
            table_from(workbook(path, A=[head, *rows[1:]]))
    assert [*table_from(workbook(path, A=[["y", 2024], ["a", 1]]))] == ["y", "2024"]
    with pytest.raises(ValueError, match="is empty"): table_from(workbook(path, A=[]))
    path.write_bytes(b"PK\3\4 and something else")
    with pytest.raises(ValueError, match="t.xlsx is no whole workbook: "): table_from(path)
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(ValueError, match="takes python-calamine: pip install python-calamine, or"):
        table_from(path)

def test_numbers_with_a_decimal_comma(tmp_path):
    "They are recognized where one leaves no doubt; 1,234 may be a thousand and more."
    path = tmp_path / "t.csv"
    path.write_text("a;b;c;d\n1,5;-1.234,50;1,234;1,5\n2;?;5;x\n;12.000;;7\n")
    read = table_from(path)
    assert read.a.tolist()[:2] == [1.5, 2] and read.b.tolist()[::2] == [-1234.5, 12000]
    assert read[["a", "b"]].isna().sum().tolist() == [1, 1]
    assert read.c.cat.categories.tolist() == ["1,234", "5"] and len(read.d.cat.categories) == 3
    assert column_notes(read, {})[2] == (
        "c: categories, 2 different, 1 missing; they look like numbers with a decimal comma: "
        "write a point, or say --comma c")
    assert table_from(path, kinds=dict(c="comma")).c.tolist()[:2] == [1.234, 5]
    assert table_from(path, kinds=dict(a="words")).a.cat.categories.tolist() == ["1,5", "2"]
    path.write_text("a;b\n1,5;1\nx;1\n")
    with pytest.raises(ValueError, match="row 1 of column 'a' holds 'x', which is not a number"):
        table_from(path, kinds=dict(a="comma"))

def test_points_beside_decimal_commas_are_noted(tmp_path):
    "1.234 is read as 1.234, and may be a thousand and more."
    path = tmp_path / "t.csv"
    path.write_text("a;b c;c;d;e\n1,5;1.234;0.1234;7;1234.5\n2,5;23.500;0.5;8;2\n")
    said = dict(a="comma")
    told = dict(zip("abcde", column_notes(table_from(path), said)))
    assert told["b"] == ("b c: numbers with a decimal point, and other columns have a decimal "
                         "comma: if 1.234 means 1234, say --comma 'b c'; if not, say "
                         "--numeric 'b c'")
    assert [told[k] for k in "cde"] == ["c: numbers", "d: numbers", "e: numbers"]
    assert table_from(path, kinds={"b c": "comma"})["b c"].tolist() == [1234, 23500]
    assert column_notes(table_from(path), said | {"b c": "numbers"})[1] == "b c: numbers"
    assert column_notes(table_from(path), {})[1] == "b c: numbers"    # no comma is known
    path.write_text("a;b\n1,5;u\n0.081;v\n")
    assert [*table_from(path).a] == ["1,5", "0.081"]             # and never 81
    assert table_from(path, kinds=dict(a="comma")).a.tolist() == [1.5, 0.081]

def test_categories_with_few_rows_are_noted(tmp_path):
    "Two or three rows of each are too few to learn from, wherever the values are missing."
    path, rows = tmp_path / "t.csv", range(600)
    path.write_text("remark,town,few\n" + "\n".join(
        f"{f'text {i % 245}' if i % 11 else ''},t{i % 150},f{i % 20}" for i in rows))
    read = table_from(path)
    remark, town, few = column_notes(read, {})
    assert remark == ("remark: categories, 245 different, 55 missing: each stands in 2.2 rows on "
                      "average, too few to learn from, so leave it out, with --drop remark")
    assert town == "town: categories, 150 different" and few == "few: categories, 20 different"
    assert column_notes(read, {}, "remark")[0] == "remark: categories, 245 different, 55 missing"

@pytest.mark.parametrize("numbers,odd", [
    ("{}", "k.A."), ("{},5", "k.A."), ("1.{:03}", "unknown"), ("{}", "4O")])
def test_a_word_among_numbers_is_noted(tmp_path, numbers, odd):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a;b", *(f"{numbers.format(i)};1" for i in range(99)), f"{odd};1"]))
    assert column_notes(table_from(path), {})[0] == (
        f"a: categories, 100 different; numbers, except '{odd}': if this means that a value is "
        f"missing, say --missing={odd}")
    assert table_from(path, missing=["", odd]).a.isna().sum() == 1

def test_what_is_no_column_of_numbers_is_not_noted_as_one():
    many = [*map(str, range(90))]
    assert odd_words([*many, "x", "y", "z"]) == ["x", "y", "z"]
    assert odd_words([*many, "x", "y", "z", "u"]) == []
    assert odd_words(["2", "3", "4", "5more"]) == []                # doors of a car
    assert odd_words([*(f"0{v}" for v in many), "k.A."]) == []      # codes

def test_what_takes_pandas_says_so(tmp_path, monkeypatch):
    path = tmp_path / "t.arff"
    path.write_text("@relation t\n@attribute a numeric\n@data\n1\n")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ValueError, match="the form arff, takes pandas, which is not here: save it"):
        columns_in_file(path)
