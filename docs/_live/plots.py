"""Figures in the browser's Python, where matplotlib is not: the part of its Axes that the pages
use most, as SVG. What it does not know it takes and does not draw."""
import html, re
from math import ceil, floor, isfinite, log10

import numpy as np

WIDE, TALL = 96, 96                    # pixels of an inch
LEFT, RIGHT, ABOVE, BELOW = 54, 14, 12, 44
INK = "#767676"
NAMED = dict(k="currentColor", black="currentColor", w="var(--pst-color-background)",
             C0="#0072B2", C1="#DF7A00", C2="#009E73", r="#B3261E", b="#0072B2", g="#009E73")
DASHES = {"--": "5 3", ":": "1.5 3", "-.": "6 3 1.5 3", "dashed": "5 3", "dotted": "1.5 3"}
# colors of the figures follow the page by night
NIGHT = {"#0072b2": "var(--blue)", "#df7a00": "var(--orange)", "#009e73": "var(--green)"}

class Nothing:
    "Takes every call and gives itself: what is not drawn."
    def __call__(self, *args, **kw): return self
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return self
    def __getitem__(self, key): return self
    def __setitem__(self, key, value): pass
    def __iter__(self): return iter((self,))

def color_of(c):
    "A color as CSS."
    if isinstance(c, (float, int)) or str(c).replace(".", "", 1).isdigit():
        return f"rgb({', '.join([str(round(255 * float(c)))] * 3)})"
    if isinstance(c, tuple): return f"rgb({', '.join(str(round(255 * v)) for v in c[:3])})"
    return NIGHT.get(str(c).lower(), NAMED.get(c, str(c)))

def parsed(fmt):
    "Color, marker and line style of a format such as 'o--'."
    style = next((s for s in ("--", "-.", ":", "-") if s in fmt), "")
    rest = fmt.replace(style, "", 1) if style else fmt
    marker = next((m for m in rest if m in "o.sv^<>xX+*dDp|"), "")
    hue = m[0] if (m := re.search(r"C\d|[rgbkw]", rest)) else None
    return hue, marker, style if style or marker else "-"

def words(text):
    "A label: TeX between dollars as plain letters."
    text = re.sub(r"\\(?:mathrm|text)\{([^}]*)\}|\\([A-Za-z]+) ?",
                  lambda m: m[1] or SIGNS.get(m[2], ""), str(text))
    return html.escape(re.sub(r"\$([^$]*)\$", lambda m: re.sub(r"[{}_^]", "", m[1]), text))

SIGNS = dict(log="log", cdot="·", le="≤", ge="≥", alpha="α", Phi="Φ", varphi="φ", Delta="Δ")

def numbers(values):
    "Numbers, whatever they come in."
    return np.atleast_1d(np.asarray(values, float)).ravel()

def nice(low, high, log=False, many=5):
    "Round values between two bounds, where an axis has its ticks."
    if log:
        first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
        return [10.0**k for k in range(first, last + 1, max(1, (last - first) // many))]
    step = 10.0**floor(log10((high - low) / many))
    step *= next(k for k in (1, 2, 2.5, 5, 10) if (high - low) / (k * step) <= many + 1)
    return [round(k * step, 12) for k in range(ceil(low / step - 1e-9),
                                               floor(high / step + 1e-9) + 1)]

def span(values, log):
    "The least and the largest value, with some air around them."
    values = np.concatenate([numbers(v) for v in values] or [[0.0, 1.0]])
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    low, high = (values.min(), values.max()) if len(values) else (0.1, 1.0)
    if log: return low / 1.2, high * 1.2
    air = 0.05 * (high - low) or 0.5
    return low - air, high + air

class Axis:
    "One direction of Axes: its limits, ticks and label."
    def __init__(self): self.limits, self.ticks, self.names, self.label = None, None, None, ""
    log = inverted = False
    def bounds(self, values):
        given = self.limits or (None, None)
        found = span(values, self.log)
        low, high = (f if g is None else float(g) for f, g in zip(found, given))
        return (high, low) if self.inverted and low < high else (low, high)
    def marks(self, low, high):
        low, high = sorted((low, high))
        at = nice(low, high, self.log) if self.ticks is None else list(self.ticks)
        said = self.names if self.names is not None else [f"{t:g}" for t in at]
        return [(t, s) for t, s in zip(at, said) if low - 1e-9 <= t <= high + 1e-9]

class Spines:
    "The lines around Axes: all are there, or none."
    def __init__(self): self.seen = True
    def __getitem__(self, which): return self if which == slice(None) else Nothing()
    def set_visible(self, seen): self.seen = seen

class Figure:
    "What Axes know of their figure."
    dpi = WIDE
    def __init__(self): self.canvas = self.figure = self
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return Nothing()

class Axes:
    "Axes that remember what is drawn in them, and write it as SVG."
    def __init__(self, figure, width, height):
        self.figure, self.size = figure, np.array([width, height])
        self.x, self.y, self.items, self.title, self.frame = Axis(), Axis(), [], "", True
        self.xs, self.ys, self.key, self.spines = [], [], None, Spines()
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return Nothing()

    # ---- settings
    def set(self, **how):
        for name, value in how.items(): getattr(self, f"set_{name}")(value)
    def set_xlabel(self, s, **how): self.x.label = s
    def set_ylabel(self, s, **how): self.y.label = s
    def set_title(self, s, **how): self.title = s
    def set_xlim(self, low=None, high=None):
        self.x.limits = tuple(low) if np.ndim(low) else (low, high)
    def set_ylim(self, low=None, high=None):
        self.y.limits = tuple(low) if np.ndim(low) else (low, high)
    def set_xticks(self, at, labels=None, **how): self.x.ticks, self.x.names = at, labels
    def set_yticks(self, at, labels=None, **how): self.y.ticks, self.y.names = at, labels
    def set_xticklabels(self, names, **how): self.x.names = names
    def set_yticklabels(self, names, **how): self.y.names = names
    def set_xscale(self, kind, **how): self.x.log = kind == "log"
    def set_yscale(self, kind, **how): self.y.log = kind == "log"
    def get_window_extent(self): return self     # whose size is asked for
    def get_xlim(self): return self.x.bounds(self.xs)
    def get_ylim(self): return self.y.bounds(self.ys)
    def invert_yaxis(self): self.y.inverted = True
    def set_axis_off(self): self.frame = False
    def axis(self, what=None): self.frame = self.frame and what != "off"
    def legend(self, *args, **how): self.key = True
    def see(self, x, y): self.xs.append(x), self.ys.append(y)

    # ---- marks
    def line(self, x, y, hue=None, style="-", marker="", how={}, seen=True):
        look = dict(how)
        hue = color_of(look.get("color", look.get("c")) or hue or INK)
        style = look.get("ls", look.get("linestyle", style))
        wide = look.get("lw", look.get("linewidth", 1.5))
        marker = look.get("marker", marker)
        x, y = np.broadcast_arrays(numbers(x), numbers(y))
        if seen: self.see(x, y)
        if style and style != "none":
            self.items.append(("path", x, y, dict(hue=hue, wide=wide, style=style,
                                                  alpha=look.get("alpha") or 1)))
        if marker:
            size = look.get("ms", look.get("markersize", 6))
            self.dots(x, y, size, hue, marker, look)
        if label := look.get("label"): self.items.append(("key", label, hue, style, marker))
        return Nothing()

    def dots(self, x, y, size, hue, marker, how):
        hues = hue if isinstance(hue, list) else [hue] * len(x)
        if how.get("mfc", how.get("markerfacecolor")) in ("none", "None", "w"): marker = "o."
        self.items.append(("dots", x, y, dict(size=size, hue=hues, marker=marker,
                                              alpha=how.get("alpha", 1))))

    def plot(self, *args, **how):
        lines, args = [], list(args)
        while args:
            x = args.pop(0)
            y = args.pop(0) if args and not isinstance(args[0], str) else None
            if y is None: x, y = np.arange(len(numbers(x))), x
            fmt = args.pop(0) if args and isinstance(args[0], str) else "-"
            hue, marker, style = parsed(fmt)
            y = np.asarray(y, float)
            for column in (y.T if y.ndim == 2 else [y]):
                lines.append(self.line(x, column, hue, style, marker, how))
        return lines
    def loglog(self, *args, **how):
        self.x.log = self.y.log = True
        return self.plot(*args, **how)
    def semilogx(self, *args, **how):
        self.x.log = True
        return self.plot(*args, **how)
    def semilogy(self, *args, **how):
        self.y.log = True
        return self.plot(*args, **how)
    def step(self, x, y, *args, where="pre", **how):
        x, y = numbers(x), numbers(y)
        if where == "mid":
            edges = np.concatenate([x[:1], (x[1:] + x[:-1]) / 2, x[-1:]])
            return self.plot(np.repeat(edges, 2)[1:-1], np.repeat(y, 2), *args, **how)
        if where == "post":
            return self.plot(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], *args, **how)
        return self.plot(np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:], *args, **how)
    def scatter(self, x, y, s=36, c=None, color=None, marker="o", **how):
        x, y = np.broadcast_arrays(numbers(x), numbers(y))
        self.see(x, y)
        hue = color if color is not None else c if c is not None else INK
        hue = [color_of(h) for h in hue] if not isinstance(hue, (str, tuple)) else color_of(hue)
        self.dots(x, y, float(np.mean(s))**0.5, hue, marker or "o", how)
        if label := how.get("label"):
            self.items.append(("key", label, hue if isinstance(hue, str) else hue[0], "", marker))
        return Nothing()
    def errorbar(self, x, y, yerr=None, xerr=None, fmt="-", **how):
        x, y = numbers(x), numbers(y)
        plain = {k: v for k, v in how.items() if k != "label"} | dict(ls="-")
        if yerr is not None:
            low, high = np.broadcast_to(np.asarray(yerr, float), (2, len(y)))
            for a, b, l, h in zip(x, y, low, high): self.line([a, a], [b - l, b + h], how=plain)
        if xerr is not None:
            low, high = np.broadcast_to(np.asarray(xerr, float), (2, len(x)))
            for a, b, l, h in zip(x, y, low, high): self.line([a - l, a + h], [b, b], how=plain)
        return self.plot(x, y, fmt or "-", **how)
    def axvline(self, x=0, *args, **how): return self.vlines(x, None, None, **how)
    def axhline(self, y=0, *args, **how): return self.hlines(y, None, None, **how)
    def vlines(self, x, low, high, *args, **how):
        for a in numbers(x): self.rule(a, low, high, "x", how)
        return Nothing()
    def hlines(self, y, low, high, *args, **how):
        for a in numbers(y): self.rule(a, low, high, "y", how)
        return Nothing()
    def rule(self, at, low, high, of, how):
        (self.xs if of == "x" else self.ys).append(at)
        hue = color_of(how.get("color", how.get("colors", INK)))
        style = how.get("ls", how.get("linestyle", how.get("linestyles", "-")))
        self.items.append(("rule", of, at, (low, high), dict(
            hue=hue, wide=how.get("lw", 1.2), style=style, alpha=how.get("alpha", 1))))
    def bar(self, x, height, width=0.8, bottom=0, **how):
        x, h, b = np.broadcast_arrays(numbers(x), numbers(height), numbers(bottom))
        return self.boxes(x - width / 2, b, np.full(len(x), width), h, how)
    def barh(self, y, width, height=0.8, left=0, **how):
        y, w, l = np.broadcast_arrays(numbers(y), numbers(width), numbers(left))
        return self.boxes(l, y - height / 2, w, np.full(len(y), height), how)
    def boxes(self, x, y, w, h, how):
        self.see([*x, *(x + w)], [*y, *(y + h)])
        edge = how.get("edgecolor", how.get("ec"))
        fill = "none" if how.get("fill") is False else color_of(how.get("color", INK))
        self.items.append(("boxes", (x, y, w, h), fill, color_of(edge) if edge else "none",
                           how.get("alpha", 1)))
        return Nothing()
    def fill_between(self, x, y1, y2=0, **how):
        x, y1, y2 = np.broadcast_arrays(numbers(x), numbers(y1), numbers(y2))
        return self.fill([*x, *x[::-1]], [*y1, *y2[::-1]], **how)
    def fill(self, x, y, **how):
        self.see(x, y)
        hue = color_of(how.get("color", how.get("fc", INK)))
        self.items.append(("area", numbers(x), numbers(y), hue, how.get("alpha") or 1))
        return Nothing()
    def text(self, x, y, s, **how):
        if how.get("transform") is None: self.items.append(("text", x, y, (0, 0), s, how))
        return Nothing()
    def annotate(self, s, xy, xytext=None, xycoords=None, textcoords=None, **how):
        moved = xytext if xytext is not None and "offset" in str(textcoords) else (0, 0)
        at = xy if moved != (0, 0) or xytext is None else xytext
        self.items.append(("text", *at, moved, s, how))
        return Nothing()

    # ---- as SVG
    def svg(self, left, top, width, height):
        "Write what was drawn into a rectangle."
        bare = not self.frame
        x0, x1 = left + LEFT * self.frame, left + width - RIGHT * self.frame
        y0 = top + height - BELOW * self.frame
        y1 = top + ABOVE * self.frame + 18 * bool(self.title)
        (a, b), (c, d) = self.get_xlim(), self.get_ylim()
        def placed(low, high, first, last, log):
            f = (lambda v: np.log10(np.maximum(v, 1e-300))) if log else (lambda v: v)
            low, high = f(low), f(high)
            return lambda v: first + (f(np.asarray(v, float)) - low) / (high - low) * (last - first)
        X, Y = placed(a, b, x0, x1, self.x.log), placed(c, d, y0, y1, self.y.log)
        out = [f'<svg x="{x0}" y="{y1}" width="{x1 - x0}" height="{y0 - y1}" '
               f'viewBox="{x0} {y1} {x1 - x0} {y0 - y1}" overflow="visible">']
        for item in self.items: out += self.drawn(item, X, Y, (x0, x1, y0, y1))
        out.append("</svg>")
        if self.title: out.append(label((x0 + x1) / 2, y1 - 6, self.title, "middle"))
        if not bare: out += self.framed(X, Y, (a, b), (c, d), (x0, x1, y0, y1))
        if self.key: out += self.legends(x1, y1)
        return "\n".join(out)

    def framed(self, X, Y, across, up, box):
        x0, x1, y0, y1 = box
        out = [f'<path d="M{x0},{y1}V{y0}H{x1}" fill="none" stroke="{INK}"/>'] * self.spines.seen
        for t, s in self.x.marks(*across):
            out += [f'<path d="M{X(t):.1f},{y0}v4" stroke="{INK}"/>',
                    label(X(t), y0 + 16, s, "middle")]
        for t, s in self.y.marks(*up):
            out += [f'<path d="M{x0},{Y(t):.1f}h-4" stroke="{INK}"/>',
                    label(x0 - 7, Y(t) + 4, s, "end")]
        if self.x.label: out.append(label((x0 + x1) / 2, y0 + 34, self.x.label, "middle"))
        if self.y.label:
            out.append(f'<g transform="translate({x0 - 40},{(y0 + y1) / 2:.0f}) rotate(-90)">'
                       + label(0, 0, self.y.label, "middle") + "</g>")
        return out

    def legends(self, x1, y1):
        out, keys = [], [i for i in self.items if i[0] == "key"]
        for n, (_, said, hue, style, marker) in enumerate(keys):
            y = y1 + 10 + 16 * n
            out.append(label(x1 - 30, y + 4, said, "end"))
            if style: out.append(stroke(f"M{x1 - 24},{y}h22", dict(hue=hue, wide=1.5, style=style)))
            if marker: out.append(dot(x1 - 13, y, 6, hue, marker))
        return out

    def drawn(self, item, X, Y, box):
        x0, x1, y0, y1 = box
        match item:
            case "path", x, y, look:
                pen, path = "M", []
                for u, v in zip(X(x), Y(y)):
                    seen = isfinite(u) and isfinite(v)       # where not, the line has a gap
                    if seen: path.append(f"{pen}{u:.1f},{v:.1f}")
                    pen = "L" if seen else "M"
                if path: yield stroke("".join(path), look)
            case "dots", x, y, look:
                for u, v, hue in zip(X(x), Y(y), look["hue"]):
                    yield dot(u, v, look["size"], hue, look["marker"], look["alpha"])
            case "rule", of, at, (low, high), look:
                at = X(at) if of == "x" else Y(at)
                ends = (y0, y1) if of == "x" else (x0, x1)
                if low is not None: ends = (Y if of == "x" else X)([low, high])
                yield stroke(f"M{at:.1f},{ends[0]:.1f}V{ends[1]:.1f}" if of == "x" else
                             f"M{ends[0]:.1f},{at:.1f}H{ends[1]:.1f}", look)
            case "boxes", (x, y, w, h), fill, edge, alpha:
                for u, v, s, t in zip(X(x), Y(y), X(x + w), Y(y + h)):
                    yield (f'<rect x="{min(u, s):.1f}" y="{min(v, t):.1f}" '
                           f'width="{abs(s - u):.1f}" height="{abs(t - v):.1f}" '
                           f'fill="{fill}" stroke="{edge}" opacity="{alpha}"/>')
            case "area", x, y, hue, alpha:
                points = " ".join(f"{u:.1f},{v:.1f}" for u, v in zip(X(x), Y(y)))
                yield f'<polygon points="{points}" fill="{hue}" opacity="{alpha}"/>'
            case "text", x, y, (dx, dy), said, how:
                anchor = dict(center="middle", right="end").get(how.get("ha"), "start")
                up = dict(center=4, top=11).get(how.get("va"), 0)
                yield label(X(x) + 1.33 * dx, Y(y) - 1.33 * dy + up, said, anchor,
                            color_of(how.get("color", "k")), how.get("size", how.get("fontsize")))

def label(x, y, text, anchor="start", hue="currentColor", points=None):
    lines = words(text).split("\n")
    size = f' font-size="{1.33 * points:.1f}"' if isinstance(points, (int, float)) else ""
    look = f'text-anchor="{anchor}" fill="{hue}"{size}'
    return "".join(f'<text x="{x:.1f}" y="{y + 14 * i:.1f}" {look}>{line}</text>'
                   for i, line in enumerate(lines))

def stroke(path, look):
    style = look["style"]
    # a name, or matplotlib's (offset, (on, off, …))
    dash = (DASHES.get(style, "") if isinstance(style, str)
            else " ".join(f"{v * look['wide']:.1f}" for v in style[1] or ()))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<path d="{path}" fill="none" stroke="{look["hue"]}" stroke-width="{look["wide"]}" '
            f'opacity="{look.get("alpha", 1)}"{dashes}/>')

def dot(x, y, size, hue, marker, alpha=1):
    "A mark `size` points wide."
    r = size * 0.667
    look = f'fill="{hue}" opacity="{alpha}"'
    if marker == "s": return (f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" '
                              f'height="{2 * r:.1f}" {look}/>')
    corners = {"^": "0,-1 1,.9 -1,.9", "v": "0,1 1,-.9 -1,-.9", "D": "0,-1.3 1.3,0 0,1.3 -1.3,0"}
    if marker in corners: return (f'<polygon points="{corners[marker]}" {look} '
                                  f'transform="translate({x:.1f},{y:.1f}) scale({r:.1f})"/>')
    d = 2 * r
    lines = {"+": f"M{x - r:.1f},{y:.1f}h{d:.1f}M{x:.1f},{y - r:.1f}v{d:.1f}",
             "|": f"M{x:.1f},{y - r:.1f}v{d:.1f}"}
    lines["x"] = lines["X"] = (f"M{x - r:.1f},{y - r:.1f}l{d:.1f},{d:.1f}"
                               f"m0,{-d:.1f}l{-d:.1f},{d:.1f}")
    if marker in lines: return stroke(lines[marker], dict(hue=hue, wide=1.5, style="-"))
    if marker == "o.": look = f'fill="var(--pst-color-background)" stroke="{hue}"'
    if marker == ".": r /= 2
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {look}/>'

class Figures:
    "matplotlib.pyplot, as far as pages use it; `drawn` gives what was made since the last call."
    def __init__(self): self.made = []
    def subplots(self, rows=1, columns=1, *, figsize=(6, 2.4), squeeze=True, sharex=False,
                 sharey=False, **how):
        grid, figure = np.empty((rows, columns), object), Figure()
        for at in np.ndindex(grid.shape):
            grid[at] = Axes(figure, figsize[0] * WIDE / columns, figsize[1] * TALL / rows)
        if sharex:
            for ax in grid.flat: ax.x, ax.xs = grid.flat[0].x, grid.flat[0].xs
        if sharey:
            for ax in grid.flat: ax.y, ax.ys = grid.flat[0].y, grid.flat[0].ys
        self.made.append((grid, figsize))
        return figure, grid if not squeeze else grid[0, 0] if grid.size == 1 else grid.squeeze()
    def drawn(self):
        made, self.made = self.made, []
        return [picture(grid, *size) for grid, size in made]

def picture(grid, wide, tall):
    "The Axes of a figure as one SVG."
    W, H, (rows, columns) = wide * WIDE, tall * TALL, grid.shape
    inner = "".join(grid[i, j].svg(j * W / columns, i * H / rows, W / columns, H / rows)
                    for i in range(rows) for j in range(columns))
    # smaller letters are hard to read: on a phone it scrolls
    size = f"width:{W:.0f}px;max-width:100%;min-width:{0.7 * W:.0f}px;height:auto"
    return (f'<svg viewBox="0 0 {W:.0f} {H:.0f}" role="img" aria-label="The figure of this cell" '
            f'style="{size}" font-size="12.5" fill="currentColor">{inner}</svg>')
