"Settings of this project's own JupyterLab; `make` copies them into .venv, so nothing in your home changes."
from nbdev.clean import clean_jupyter

c = get_config()  # noqa: F821  (Jupyter puts it there)
c.FileContentsManager.pre_save_hook = clean_jupyter
