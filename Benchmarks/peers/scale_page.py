"""A self-contained page of curves: no scripts, light and dark, in phone and desktop size.

Its colours, dashes and markers are those of `gait`'s own pages (`PageStyle`). Both axes are logarithmic: cost in
proportion to size is a straight line at 45°, and constant cost is horizontal.
"""

from html import escape
from math import ceil, floor, log10

WIDTH, LEFT, RIGHT, TOP, HEIGHT, LINE = 360, 44, 12, 8, 200, 16
DASHES = ("", "7 3", "2 3", "10 3 2 3")
STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d8dee4;--card:#f6f8fa;
--s0:#0072b2;--s1:#c04a00;--s2:#00795a;--s3:#a8487f}
@media (prefers-color-scheme:dark){:root{--paper:#0f1419;--ink:#e6e9ed;--soft:#a3adb8;--rule:#343c46;--card:#171d24;
--s0:#56b4e9;--s1:#f0883e;--s2:#2fc79a;--s3:#e39bc8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--paper);color:var(--ink);
font:1rem/1.45 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:.4rem 0}
h2{font-size:.95rem;margin:0 0 .4rem}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(21rem,100%),1fr));align-items:start}
figure{margin:0;padding:.75rem;background:var(--card);border:1px solid var(--rule);border-radius:.5rem;min-width:0}
figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
svg{display:block;width:100%;max-width:34rem;height:auto;margin:0 auto;
font:11px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
text{fill:var(--ink)}.soft{fill:var(--soft)}.rule{stroke:var(--rule)}.axis{stroke:var(--soft);fill:none}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
""" + "".join(f".f{n}{{fill:var(--s{n})}}.l{n}{{stroke:var(--s{n})}}\n" for n in range(4))


class Axis:
    """A logarithmic axis between round numbers."""

    def __init__(self, values):
        low, high = min(values), max(values)
        self.values = sorted(set(values))
        steps = sorted(m * 10.0 ** e for e in range(floor(log10(low)) - 1, ceil(log10(high)) + 1) for m in (1, 2, 5))
        self.low = max(step for step in steps if step <= low)
        self.high = next(step for step in steps + [steps[-1] * 2] if step >= high and step > self.low)
        ticks = [step for step in steps if self.low <= step <= self.high]
        self.ticks = ticks if len(ticks) <= 7 else [step for step in ticks if f"{step:e}".startswith("1.")]

    def place(self, value):
        return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))


def short(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def chart(content):
    curves = content["curves"]
    points = [point for curve in curves.values() for point in curve]
    across, up = Axis([x for x, _ in points]), Axis([y for _, y in points])
    if len(across.values) <= 7:
        across.ticks, across.low, across.high = across.values, across.values[0], across.values[-1]
    x = lambda value: LEFT + across.place(value) * (WIDTH - LEFT - RIGHT - 8)
    y = lambda value: TOP + (1 - up.place(value)) * HEIGHT
    parts = []
    for tick in up.ticks:
        parts.append(f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
                     f'<text class="soft" text-anchor="end" x="{LEFT - 5}" y="{y(tick) + 4:.1f}">{short(tick)}</text>')
    for tick in across.ticks:
        parts.append(
            f'<text class="soft" text-anchor="middle" x="{x(tick):.1f}" y="{TOP + HEIGHT + 15}">{short(tick)}</text>')
    parts.append(f'<polyline class="axis" points="{LEFT},{TOP} {LEFT},{TOP + HEIGHT} {WIDTH - RIGHT},{TOP + HEIGHT}"/>'
                 f'<text class="soft" text-anchor="middle" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{TOP + HEIGHT + 31}">'
                 f'{escape(content["across"])}</text>'
                 f'<text class="soft" text-anchor="middle" transform="translate(10 {TOP + HEIGHT / 2}) rotate(-90)">'
                 f'{escape(content["up"])}</text>')
    for index, curve in enumerate(curves.values()):
        line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve)
        parts.append(f'<polyline class="line l{index}" stroke-dasharray="{DASHES[index]}" points="{line}"/>'
                     + "".join(marker(index, x(a), y(b)) for a, b in curve))
    legend = TOP + HEIGHT + 40
    if len(curves) > 1:
        for index, name in enumerate(curves):
            middle = legend + LINE * (index + 0.5)
            parts.append(f'<line class="line l{index}" stroke-dasharray="{DASHES[index]}" x1="{LEFT}" x2="{LEFT + 34}" '
                         f'y1="{middle}" y2="{middle}"/>{marker(index, LEFT + 17, middle)}'
                         f'<text x="{LEFT + 42}" y="{middle + 4}">{escape(name)}</text>')
    height = legend + (LINE * len(curves) if len(curves) > 1 else 0)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{escape(content["title"])}">{"".join(parts)}</svg>')


def marker(index, x, y):
    """A disc, a square, a triangle, or a hollow disc."""
    if index == 1:
        return f'<rect class="f1" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>'
    if index == 2:
        return f'<path class="f2" d="M{x:.1f} {y - 4.5:.1f}l4.5 8h-9z"/>'
    return f'<circle class="{"f0" if index == 0 else "line l3"}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'


def page(title, subtitle, charts):
    figures = "\n".join(f'<figure><h2>{escape(content["title"])}</h2>{chart(content)}'
                        f'<figcaption>{escape(content["note"])}</figcaption></figure>' for content in charts)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light '
            f'dark"><title>{escape(title)}</title><style>{STYLE}</style></head>'
            f'<body><h1>{escape(title)}</h1><p>{escape(subtitle)}</p><p>Both axes are logarithmic.</p>'
            f'<div class="grid">\n{figures}\n</div></body></html>\n')
