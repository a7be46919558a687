"Settings of this project's own JupyterLab; `make` copies them into .venv, so nothing in your home changes."
from nbdev.clean import _nbdev_clean

def clean(model, **_):
    "What is saved is clean: no counts, no metadata of a session."
    if model["type"] == "notebook": _nbdev_clean(model["content"])

c = get_config()  # noqa: F821  (Jupyter puts it there)
c.FileContentsManager.pre_save_hook = clean
