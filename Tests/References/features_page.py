"""Checks the Python expressions of the article The features against the reference, which also holds the Swift code.

    python3 Tests/References/features_page.py

Every lane and statistic of the article's tables is computed by its expression, after the lines of the article, on
windows of noise and of running, and compared with catalogue.py.
"""

import re
import sys
from pathlib import Path

import numpy as np

import catalogue
from features_reference import noise, running, transform_length

ARTICLE = Path(__file__).parents[2] / "Sources/Gait/Gait.docc/TheFeatures.md"
# The article says that these omit the parabola: within a bin.
WITHOUT_PARABOLA = {"dominantFrequency"}


def rows(text):
    """The forms of each row of the tables, and its expression."""
    for line in text.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0].startswith("`"):
            yield re.findall("`([^`]+)`", cells[0]), cells[4].strip("`")


def main():
    text = ARTICLE.read_text(encoding="utf-8")
    preamble = re.search(r"```python\n(.*?)```", text, re.S)[1].splitlines()
    expressions = {form: expression for forms, expression in rows(text) for form in forms}
    statistics = {re.match(r"\w+", form)[0]: (form, expression) for form, expression in expressions.items()
                  if form not in catalogue.LANES + ["gravity"]}
    checked = set()
    for seed, signal in enumerate((noise, running)):
        rate = 25.0
        samples = signal(np.random.default_rng(seed), 128, rate)
        names = {"fs": rate, "g": samples[3:6].T, "w": samples[6:9].T, "u": samples[9:12].T}
        run(preamble[:3], names)
        lanes = catalogue.window_lanes(samples, rate)
        small = catalogue.small_set(samples, rate)

        def value(name, lane, **letters):
            """What the expression of a statistic or a transform gives; 0 without a local maximum, as its row says."""
            scope = {**names, "x": lane, "a": catalogue.LAGS[0], "b": catalogue.LAGS[1], **letters}
            expression = statistics[name][1]
            checked.add(name)
            if np.ndim(lane):
                run(preamble[3:-1], scope)
            if name.startswith("autocorrelation"):
                r, lags = scope["r"], scope["lags"]
                if not any(r[k - 1] < r[k] >= r[k + 1] for k in lags):
                    return 0.0
                run(preamble[-1:], scope)
            return eval(expression, scope)

        for lane in catalogue.LANES:
            raw = samples[catalogue.CHANNELS.index(lane)] if lane in catalogue.CHANNELS else None
            demand(lane, eval(expressions[lane], {**names, "x": raw}), lanes[lane])
            checked.add(lane)
            for name, expected in catalogue.lane_statistics(lanes[lane], rate).items():
                word, numbers = re.match(r"\w+", name)[0], re.findall(r"\d+(?:\.\d+)?", name)
                letters = dict(zip("p" if word == "percentile" else "ab", map(float, numbers)))
                within = rate / transform_length(128) if word in WITHOUT_PARABOLA else 0
                demand(f"{lane}.{name}", value(word, lanes[lane], **letters), expected, within)
        for first, second in catalogue.PAIRS:
            demand(f"{first}.correlation", value("correlation", lanes[first], other=lanes[second]),
                   catalogue.correlation(lanes[first], lanes[second]))
        demand("bandPower", value("bandPower", lanes["total"], a=1.2, b=2.2),
               catalogue.band_power(lanes["total"], rate, (1.2, 2.2)))
        for name, result in [
                ("total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
                 value("bandLogRatio", lanes["total"], a=2.2, b=3.5, c=1.2, d=2.2, e=0.01)),
                ("gravity.sphericalVariance.log[0.01]", value("log", value("sphericalVariance", 0.0), c=0.01)),
                ("vertical.maximum.signedLog[0.05]", value("signedLog", lanes["vertical"].max(), s=0.05))]:
            demand(name, result, small[name])
    missing = set(statistics) - checked
    if missing:
        sys.exit(f"not compared: {', '.join(sorted(missing))}")
    print(f"The Python of {len(checked)} lanes, statistics and transforms in {ARTICLE.name} agrees with the reference.")


def run(lines, scope):
    exec("\n".join(lines), scope)


def demand(name, value, expected, within=0.0):
    if not np.allclose(value, expected, rtol=1e-9, atol=1e-9 + within):
        sys.exit(f"{name}: the article's Python gives {value}, the reference {expected}")


if __name__ == "__main__":
    main()
