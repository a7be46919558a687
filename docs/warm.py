"""What the process has imported from which kernels are forked (execute.py): what most pages import, and nothing of the library,
so that a page meets the library as fresh as ever."""
import IPython.core.completer, ipykernel.ipkernel, ipykernel.kernelapp
import matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, matplotlib.figure      # pyplot looks around, when it is imported, whether it is in a kernel
import pandas, scipy.sparse, sklearn.tree
from numba.core.registry import cpu_target

for context in (cpu_target.typing_context, cpu_target.target_context): context.refresh()      # what numba knows of types, and of compiling them
