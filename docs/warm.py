"""What the process has imported from which kernels are forked (execute.py): what most pages import, and nothing of the library,
so that a page meets the library as fresh as ever."""
import gc

import IPython.core.completer, IPython.extensions.storemagic
import ipykernel.debugger, ipykernel.ipkernel, ipykernel.kernelapp
# pyplot looks around, when it is imported, whether it is in a kernel
import matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, matplotlib.figure
import narwhals.stable.v2, pandas, scipy.sparse, sklearn.datasets, sklearn.tree
from numba.core.registry import cpu_target

# pandas looks around as well, and shows fewer columns where there is no kernel
pandas.set_option("display.max_columns", 20)

# what numba knows of types, and of compiling them
for context in (cpu_target.typing_context, cpu_target.target_context): context.refresh()

gc.freeze()                # nothing of this is ever garbage,
gc.set_threshold(200_000)  # and what a page leaves behind is looked through less often
