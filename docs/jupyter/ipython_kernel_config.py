"""Settings of the kernels of this project's own JupyterLab, and of those that `make` starts; `make` copies them into .venv.

A notebook does not know on which ground it will be seen: figures have none, and an ink that can be read by day and by night."""
import os
# What pages show is what is compiled, and sums of one thread.
for name, value in dict(DTREE_LIT_RENT="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1").items(): os.environ.setdefault(name, value)
# Kernels ask all programs for colors. Since Python 3.14 argparse would give them, and a page would say something else than before.
os.environ["PYTHON_COLORS"] = "0"
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")      # as in any kernel, but before this is imported:
from matplotlib.backend_bases import FigureCanvasBase

# A figure is drawn when it is shown. pyplot would draw it once more before, for nobody; and drawn twice, its layout can differ.
FigureCanvasBase.draw_idle = lambda canvas: None

INK = "#767676"
c = get_config()  # noqa: F821  (IPython puts it there)
c.InlineBackend.figure_formats = {"retina", "svg"}      # PNG to be committed; make asks for SVG alone, which the website shows
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "facecolor": "none"}
c.InlineBackend.rc = {"axes.facecolor": "none", "legend.facecolor": "none"} | dict.fromkeys(
    ["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], INK)
