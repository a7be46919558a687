from typing import Any

def claims() -> dict[Any, Any]: ...
class Note(str):
    pass

def __getattr__(name: str) -> Any: ...    # what is not public
