"docs/record.py runs a page up to the last cell that is kept still, which writes its record."
import json
import os
import subprocess
import sys
from helpers.places import ROOT

DOCS = ROOT / "docs"
CELLS = ["n = 6", "#| eval: false\nfrom pathlib import Path\nPath('data.txt').write_text(str(7 * "
                  "n))", "raise ValueError('this one shows the record')"]

def test_a_page_writes_its_record(tmp_path):
    cells = [dict(cell_type="code", id=f"c{k}", metadata={}, source=s, execution_count=None,
                  outputs=[]) for k, s in enumerate(CELLS)]
    (tmp_path / "nbs").mkdir()
    (tmp_path / "nbs/99_page.ipynb").write_text(
        json.dumps(dict(cells=cells, metadata={}, nbformat=4, nbformat_minor=5)))
    code = (f"import record; from pathlib import Path; record.ROOT = Path({str(tmp_path)!r}); "
            f"record.record('99_page')")
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(DOCS)},
                   check=True, cwd=tmp_path)
    assert (tmp_path / "nbs/data.txt").read_text() == "42"
