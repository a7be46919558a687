"""What a file takes in memory when it is read: a small multiple of what it announces, whatever it
says; and no file that was saved is refused for its size."""
import json
import tracemalloc
import zlib
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
import pandas as pd
import pytest
from dtree_lit import CARTClassifier, ForestClassifier, KNNClassifier, LogisticClassifier, rule_list
from dtree_lit.export import model_files
from dtree_lit.trees import files
from dtree_lit.trees.files import Committee, packed, unpacked
from dtree_lit.trees.nodes import Schema
from dtree_lit.trees.tree import Tree

LOTS = np.random.default_rng(3)
PLAIN = Schema(("size", "weight"), (None, None), (("yes", "no"),), "gini")
LEAF = Tree.of(PLAIN, [-2], [0], [-1], [[2, 1]])
STUMP = Tree.of(PLAIN, [0, -2, -2], [0.3, 0, 0], [1, -1, -1], [[2, 1], [1, 1], [1, 0]])
MEGABYTE = 2**20

def peak_of(f, *args):
    "What a call returns, or the ValueError that it raises; and how many bytes it took meanwhile."
    tracemalloc.start()
    try:
        try: found = f(*args)
        except ValueError as e: found = e
        return found, tracemalloc.get_traced_memory()[1]
    finally: tracemalloc.stop()

def parts_in(data):
    "The parts of a ZIP by their names."
    with ZipFile(BytesIO(data)) as parts:
        return {name: parts.read(name) for name in parts.namelist()}

def zipped(parts, way=ZIP_DEFLATED):
    "A ZIP of these parts."
    file = BytesIO()
    with ZipFile(file, "w", way) as made:
        for name, content in parts.items(): made.writestr(ZipInfo(name), content, way)
    return file.getvalue()

def says(data, **change):
    "A file of several trees whose text says something else."
    parts = parts_in(data)
    said = json.dumps(json.loads(parts["trees.json"]) | change)
    return zipped(parts | {"trees.json": said})

SEVERAL = packed([STUMP] * 3)
ZEROS = bytes(200 * MEGABYTE)
BOMBS = {
    "a part with more than was announced": zipped(parts_in(SEVERAL) | {"width": ZEROS}),
    "counts with more than was announced": zipped(parts_in(SEVERAL) | {"counts": ZEROS}),
    "a table that was not announced": zipped(
        parts_in(packed(Committee([STUMP]))) | {"branch": ZEROS}),
    "text without an end": zipped(parts_in(SEVERAL) | {"trees.json": b" " * len(ZEROS) + b"{}"}),
    "nodes that are announced": zipped(
        parts_in(says(SEVERAL, nodes=[len(ZEROS)], tables=[0])) | {"width": ZEROS}),
    "trees that are announced": says(SEVERAL, nodes=[1] * 300_000, tables=[0] * 300_000),
    "a sum that overflows": says(SEVERAL, nodes=[2**62] * 4 + [9], tables=[0] * 5),
    "many classes": says(SEVERAL, nodes=[999] * 900, tables=[0] * 900,
                         classes=[list(range(900))] * 900),
    "a dictionary that is announced": zipped(parts_in(SEVERAL), ZIP_LZMA),
    "another way to pack": zipped(parts_in(SEVERAL), ZIP_BZIP2)}

@pytest.mark.parametrize("name", BOMBS)
def test_what_unpacks_to_more_than_it_announces(name):
    "Each has less than a megabyte; read without a look they take up to gigabytes."
    data = BOMBS[name]
    assert len(data) < MEGABYTE
    found, took = peak_of(unpacked, "a file", data)
    assert isinstance(found, ValueError) and str(found).startswith("a file is damaged"), found
    assert took < 48 * MEGABYTE, (took, found)

def test_a_header_that_lies(tmp_path):
    "The directory of the ZIP announces what is right, and the part holds more."
    bomb, good = BOMBS["a part with more than was announced"], parts_in(SEVERAL)["width"]
    sizes = len(ZEROS).to_bytes(4, "little"), len(good).to_bytes(4, "little")
    crcs = zlib.crc32(ZEROS).to_bytes(4, "little"), zlib.crc32(good).to_bytes(4, "little")
    lie = bomb.replace(sizes[0], sizes[1])
    for data in (lie, lie.replace(crcs[0], crcs[1])):
        assert len(data) == len(bomb) and data != bomb
        found, took = peak_of(unpacked, "a file", data)
        assert isinstance(found, ValueError) and took < 16 * MEGABYTE, (found, took)

def test_a_note_is_read_as_carefully(tmp_path):
    path = tmp_path / "m.zip"
    for note in (ZEROS, b"[" * 100_000, b"7", b"\xff"):
        path.write_bytes(zipped(parts_in(SEVERAL) | {"note.json": note}))
        found, took = peak_of(model_files.model_from, path)
        assert "its note is malformed" in str(found) and took < 16 * MEGABYTE

def test_whatever_is_saved_is_read(tmp_path, monkeypatch):
    """Thousands of trees that are all alike are packed so closely that nobody would believe it:
    they are not packed. And names that are long, or many."""
    monkeypatch.setattr(files, "ROOM_FOR_TREES", 2**19)
    for trees in ([LEAF] * 700, [STUMP] * 700):
        data = packed(trees)
        found, took = peak_of(unpacked, "a file", data)
        assert len(found) == len(trees) and found[-1] == trees[-1], found
        assert {part.compress_type for part in ZipFile(BytesIO(data)).infolist()} == {ZIP_STORED}
    names = tuple(f"{'a' * 2000}{i}" for i in range(1000))
    schema = Schema(names, (None,) * 1000, (("yes", "no"),), "gini")
    wide = Tree.of(schema, [-2], [0], [-1], [[2, 1]])
    note = dict(target="y", kinds=dict.fromkeys(names, "numbers"))
    (tmp_path / "m.zip").write_bytes(model_files.model_file((wide, wide), note))
    assert model_files.model_from(tmp_path / "m.zip") == ((wide, wide), note)

def test_what_is_taken_is_about_what_is_announced():
    "The bytes that files count for a tree and a node are those that they take."
    X = LOTS.normal(size=(400, 4))
    forest = ForestClassifier(20, random_state=0).fit(X, X[:, 0] * X[:, 1] > 0).trees_
    unpacked("a file", packed([LEAF]))      # the first time Python also loads what reads files
    for trees in ([LEAF] * 300, [STUMP] * 300, forest):
        nodes, each = sum(tree.node_count for tree in trees), trees[0].counts[0].size
        told = len(trees) * files.OF_A_TREE + nodes * (files.OF_A_NODE + 8 * each)
        # the least of twenty: threads that other tests have left behind may take some, too
        file = packed(trees)
        took = min(peak_of(unpacked, "a file", file)[1] for _ in range(20))
        assert told / 2 < took < told * 2

# Fuzz

def originals(folder):
    "Files of every kind."
    X, y = LOTS.normal(size=(30, 3)), LOTS.integers(0, 3, 30)
    words = (np.char.add("w", LOTS.integers(0, 5, (30, 2)).astype(str))).astype(object)
    tree, by_words = CARTClassifier().fit(X, y).tree_, CARTClassifier().fit(words, y).tree_
    forest = tuple(ForestClassifier(3, random_state=0).fit(X, y).trees_)
    note = dict(target="y", kinds={"x0": "numbers"}, missing=["?"])
    models = [tree, by_words, forest, (by_words, by_words), Committee(forest, [1.0] * 3),
              rule_list(tree, X, y), (STUMP,) * 20,
              *(kind().fit(pd.DataFrame(X, columns=["a", "b", "c"]), y % 2)
                for kind in (KNNClassifier, LogisticClassifier))]
    return [model_files.model_file(model, note) for model in models]

def mutated(data, rng):
    "A file with some bytes changed, a piece lost, doubled or moved, or numbers made large."
    data, kind = bytearray(data), rng.integers(5)
    a, b = sorted(int(v) for v in rng.integers(0, len(data), 2))
    if kind == 0:
        for i in rng.integers(0, len(data), rng.integers(1, 9)): data[i] = rng.integers(256)
    elif kind == 1: del data[a:b]
    elif kind == 2: data[a:a] = data[a:b] * int(rng.integers(1, 40))
    elif kind == 3: data[a:a + 4] = b"\xff\xff\xff\x7f"
    else:
        digits = [i for i, c in enumerate(data) if 48 <= c < 58]
        for i in rng.choice(digits, min(len(digits), 3)):
            data[i:i + 1] = b"9" * int(rng.integers(1, 12))
    return bytes(data)

def retold(data, rng):
    "The same below the checksums: the text or a part says something else, and the sums are right."
    if data[:2] != b"PK":
        said = mutated(data.rpartition(b',\n"crc32": ')[0], rng)
        return said + b',\n"crc32": %d}\n' % zlib.crc32(said)
    parts = parts_in(data)
    name = [*parts][rng.integers(len(parts))]
    large = rng.integers(40) == 0
    return zipped(parts | {name: bytes(int(rng.integers(30)) * MEGABYTE) if large
                           else mutated(parts[name] or b"0", rng)})

def test_two_thousand_files(tmp_path):
    "Damaged and retold, within 64 MiB: a model, or a sentence."
    seed = int(np.random.default_rng().integers(2**32))
    rng, path, made = np.random.default_rng(seed), tmp_path / "m", 0
    whole = originals(tmp_path)
    for i in range(2000):
        data = (mutated if i % 3 == 0 else retold)(whole[rng.integers(len(whole))], rng)
        path.write_bytes(data)
        found, took = peak_of(model_files.model_from, path)
        assert took < 64 * MEGABYTE, (seed, i, len(data), took, found)
        if isinstance(found, ValueError): assert str(path) in str(found), (seed, i, found)
        else: made += 1
    assert 20 < made < 1900, (seed, made)
