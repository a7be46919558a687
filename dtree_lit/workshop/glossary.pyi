from typing import Any
from dtree_lit.workshop.claims import Note

def glossary(word: str) -> Note: ...

def __getattr__(name: str) -> Any: ...    # what is not public
