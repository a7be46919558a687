"""How figures and verdicts look in HTML. The build reads this, and so does the Python in the
browser, which shows what cells give as the page does."""
import html, math, re

# what a card says of a statement, and its class on the page; the first that occurs
VERDICTS = {"holds with a correction": "corrected", "definition or reading": "reading",
            "not decidable": "undecidable", "refuted": "refuted", "not yet derived": "open",
            "holds": "holds"}

# Figures are drawn in the colours of day; style.css says what these are by night.
INKS = {"#767676": "currentColor", "#000000": "currentColor",
        "#ffffff": "var(--pst-color-background)",
        "#0072b2": "var(--blue)", "#df7a00": "var(--orange)", "#009e73": "var(--green)"}

def verdict_of(line):
    "The class of a card, by its first line."
    return next((kind for words, kind in VERDICTS.items() if words in line), "open")

def spoken(lang, text):
    """Words in another language, which a screen reader pronounces, and for which a browser picks
    letters, by its name."""
    return f'<span lang="{lang}">{text}</span>'

def inline_svg(svg, prefix, alt):
    "An SVG with ids of its own, a name, and ink and letters that follow the page's."
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "",
                 svg[svg.index("<svg"):], flags=re.S)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"font-family: 'DejaVu Sans'[^;\"]*(; )?", "", svg)
    svg = re.sub("|".join(INKS), lambda m: INKS[m[0].lower()], svg, flags=re.I)
    head, rest = svg.split(">", 1)
    size = re.search(r'\bwidth="([\d.]+)pt"', head)
    style = "fill:currentColor;stroke-linejoin:round;max-width:100%;height:auto"
    if size:
        # as wide as the text, where that makes the letters no giants; smaller are hard to read
        points = float(size[1])
        style += (f";width:clamp({points * 4 / 3:.0f}px,34rem,{points * 2:.0f}px)"
                  f";min-width:{points * 0.93:.0f}px")
        # on a phone, where style.css asks for it, so wide that no letters are below eleven pixels
        sizes = [float(size) for size in re.findall(r"<text[^>]*font(?:-size)?: ([\d.]+)px", svg)]
        if sizes: style += f";--read:{math.ceil(points * 11.05 / min(sizes))}px"
    head = re.sub(r'\s(?:width|height)="[\d.]+pt"', "", head)
    svg = f'{head} role="img" aria-label="{html.escape(alt)}" style="{style}">{rest}'
    return re.sub(r"\n\s*", "\n", svg).strip()      # an empty line would end the HTML
