"""Settings of this project's own JupyterLab; `make` copies them into .venv, so nothing in your home changes.

`make refresh` writes notebooks by the same function, so that running a page and saving it changes nothing."""
import base64
from io import BytesIO
from nbdev.clean import _nbdev_clean

def in_few_colors(png, large=60_000):
    "A large picture in at most 256 colors: a drawing looks the same and takes a quarter. Done once, it stays as it is."
    from PIL import Image
    if len(png) <= large: return png
    kept = BytesIO()
    with Image.open(BytesIO(base64.b64decode(png))) as drawn:
        if drawn.mode == "P": return png
        drawn.quantize(256).save(kept, "PNG", optimize=True, dpi=drawn.info.get("dpi"))
    return base64.b64encode(kept.getvalue()).decode()

def clean(model, **_):
    "What is saved is what is committed: no counts, no metadata of a session, and figures as PNG, which GitHub and strangers can see."
    if model["type"] != "notebook": return
    for cell in model["content"]["cells"]:
        for out in cell.get("outputs", []):
            data = out.get("data", {})
            if "image/png" not in data: continue
            data.pop("image/svg+xml", None)
            data["image/png"] = in_few_colors(data["image/png"])
    _nbdev_clean(model["content"])

c = get_config()  # noqa: F821  (Jupyter puts it there)
c.FileContentsManager.pre_save_hook = clean
