"Renting instead of compiling, and how often something was compiled."
import os

import pytest
from dtree_lit.workshop import jit

compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1",
                              reason="nothing is compiled")

def rent(monkeypatch, pays=lambda rent, cost, purse=None: True):
    "Everything may be rented, as where the package brings no machine code along."
    for kernel in jit._KERNELS.values(): monkeypatch.setitem(vars(kernel), "shipped", {})
    monkeypatch.setattr(jit.Rent, "allowed", True)
    monkeypatch.setattr(jit.Rent, "pays", pays)

def buy(monkeypatch):
    "Nothing is rented any more."
    for kernel in jit._KERNELS.values(): monkeypatch.delitem(vars(kernel), "shipped", raising=False)
    monkeypatch.setattr(jit.Rent, "allowed", False)
    monkeypatch.setattr(jit.Rent, "pays", lambda rent, cost, purse=None: False)

@pytest.fixture
def renting(monkeypatch): rent(monkeypatch)
