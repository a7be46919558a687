"""The head of a page in the languages of the documents: title, sentence and claim, from
languages.toml."""
import hashlib, re, tomllib

import reader
from shown import spoken

# what HTML calls a language, and what it calls itself
NAMES = dict(ko=("ko", "한국어"), zh=("zh-Hant", "繁體中文"))
TEXTS = "title", "lead", "claim"

def languages(root):
    "What languages.toml says, by notebook."
    return tomllib.loads((root / "docs/languages.toml").read_text("utf-8"))

def english(nb):
    "Title, sentence and claim of a notebook."
    title, lead, rest = reader.opening(nb)
    claim = re.search(r"^\*\*Claim\.\*\*\s*(.+)$", rest, re.M)
    return title, lead, claim[1] if claim else ""

def stamp(nb):
    "A few letters that change when the English text does."
    return hashlib.sha256("\n".join(english(nb)).encode()).hexdigest()[:8]

def folded(said):
    "The two languages of a page as Markdown, folded under their names."
    names = " · ".join(spoken(*name) for name in NAMES.values())
    def told(key, lang):
        parts = f'**{said[key]["title"]}**', said[key]["lead"], said[key]["claim"]
        return "\n\n".join([f'<div lang="{lang}">', *parts, "</div>"])
    texts = [told(key, lang) for key, (lang, _) in NAMES.items()]
    return (f'\n\n<details class="languages"><summary>{names}</summary>\n\n' + "\n\n".join(texts)
            + "\n\n</details>\n\n")
