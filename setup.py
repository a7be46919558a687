"Packaging metadata comes from settings.ini, the one place where it is written."
import os
import re
import shutil
from configparser import ConfigParser
from pathlib import Path
from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
ini = ConfigParser(delimiters=["="])
ini.read(here / "settings.ini", encoding="utf-8")
ini = ini["DEFAULT"]

status = {"1": "Planning", "2": "Pre-Alpha", "3": "Alpha", "4": "Beta", "5": "Production/Stable"}[ini["status"]]

def described(text, address, branch):
    """The README for a package index, which has no other file: its links lead to the address of
    the project, and are plain words as long as that has none."""
    def link(picture, words, place):
        if not address.startswith("https://"): return words
        kind = "raw" if picture else "blob"
        whole = f"{address}/{kind}/{branch}/{place}" if place[0] != "#" else f"{address}{place}"
        return f"{picture}[{words}]({whole})"
    return re.sub(r"(!?)\[([^\]]*)\]\((?!https?:)([^)]+)\)", lambda found: link(*found.groups()),
                  text)

class ForOneMachine(Distribution):
    "What holds machine code: the wheel's name says for which Python and which machine."
    def has_ext_modules(self): return True

class WithMachineCode(build_py):
    "The package, and the machine code that `docs/machine_code.py` has made of its kernels."
    def run(self):
        super().run()
        there = Path(self.build_lib, "dtree_lit/machine")
        shutil.rmtree(there, ignore_errors=True)            # that of an earlier build
        shutil.copytree(here / "dtree_lit/machine", there)

# `make wheel` says so; otherwise, and from source, the package is pure Python
machine = (dict(distclass=ForOneMachine, cmdclass=dict(build_py=WithMachineCode))
           if os.environ.get("DTREE_LIT_MACHINE") == "pack" else {})
setup(
    **machine,
    version=ini["version"],
    description=ini["description"],
    long_description=described((here / "README.md").read_text(encoding="utf-8"),
                               ini["git_url"], ini["branch"]),
    project_urls={"Source": ini["git_url"]} if ini["git_url"].startswith("https://") else {},
    long_description_content_type="text/markdown",
    author=ini["author"],
    keywords=ini["keywords"].split(),
    classifiers=[
        f"Development Status :: {ini['status']} - {status}",
        f"Intended Audience :: {ini['audience']}",
        "Intended Audience :: Science/Research",
        f"Natural Language :: {ini['language']}",
        "Programming Language :: Python :: 3 :: Only",
        *(f"Programming Language :: Python :: {version}" for version in ini["pythons"].split()),
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Typing :: Typed",
    ],
    python_requires=">=" + ini["min_python"],
    install_requires=ini["requirements"].split(),
    entry_points=dict(console_scripts=ini["console_scripts"].split()),
    extras_require={"dev": f"{ini['dev_requirements']} {ini['onnx_requirements']} {ini['dask_requirements']} {ini['excel_requirements']}".split(),
                    "onnx": ini["onnx_requirements"].split(), "excel": ini["excel_requirements"].split(), "dask": ini["dask_requirements"].split()},
)
