"Settings of this project's own JupyterLab; `make` copies them into .venv, so nothing in your home changes."
from nbdev.clean import _nbdev_clean

def clean(model, **_):
    "What is saved is what is committed: no counts, no metadata of a session, and figures as PNG, which GitHub and strangers can see."
    if model["type"] != "notebook": return
    for cell in model["content"]["cells"]:
        for out in cell.get("outputs", []):
            if "image/png" in out.get("data", {}): out["data"].pop("image/svg+xml", None)
    _nbdev_clean(model["content"])

c = get_config()  # noqa: F821  (Jupyter puts it there)
c.FileContentsManager.pre_save_hook = clean
