from typing import Any, NamedTuple
from numpy.typing import NDArray

class PruningPath(NamedTuple):
    ccp_alphas: NDArray[Any]
    leaves: NDArray[Any]
    impurities: NDArray[Any]

def __getattr__(name: str) -> Any: ...    # what is not public
