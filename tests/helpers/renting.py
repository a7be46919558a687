"Renting instead of compiling, and how often something was compiled."
import os

import pytest
from dtree_lit.workshop import jit

compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1",
                              reason="nothing is compiled")

@pytest.fixture
def renting(monkeypatch):
    "Everything may be rented, and nothing was."
    monkeypatch.setattr(jit.Rent, "allowed", True)
    monkeypatch.setattr(jit.Rent, "pays", lambda rent, cost, purse=None: jit.Rent.allowed)
