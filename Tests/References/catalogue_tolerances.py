"""The tolerance of a Float extractor against the float64 reference for each statistic, and the values without one.

A tolerance is a number times a scale:

- `level`   max(|b|, the lane's RMS in the window): the package's general rule.
- `spread`  max(|b|, the lane's standard deviation): statistics of the lane without its mean. A lane at 1e6 ± 1 has
            a tolerance relative to 1, not to 1e6.
- `power`   max(|b|, the lane's variance).
- `own`     |b|.
- `unit`    max(|b|, 1): statistics without a unit (moments, correlation, entropy, flatness, peak height).
- `rate`    the sample rate: frequencies.
- `lag`     one sample's duration.

`spread`, `power`, `unit`, `rate` and `lag` are multiplied by max(1, 1e-3 · level / standard deviation) on derived
lanes, because their samples are rounded to Float before any statistic. `level` is the magnitude that determines the
rounding: |userAcceleration| for vertical and horizontal, the lane itself for the others, nothing for raw ones.
(The total of a phone at rest is 1 g ± 1e-4: a rounding of 6e-8 is 6e-4 of its deviation and cannot be recovered.)

If a statistic is discontinuous (a count, a lag, the highest bin), a sample on the edge may fall on either side.
`fragile` detects that from margins in the reference.
"""

import numpy as np

from catalogue import (DERIVED, LAGS, LANES, ORIENTATION_FREE, autocorrelation, centred, is_constant, lags_within,
                       spectrum)

# Statistic: (tolerance, scale). `catalogue_reference.py --rounding` prints the tolerance that the same formulas need in
# Float32.
TOLERANCES = {
    "mean": (1e-4, "level"), "minimum": (1e-4, "level"), "maximum": (1e-4, "level"), "range": (1e-4, "level"),
    "rms": (1e-4, "level"), "percentile": (1e-4, "level"), "interquartileRange": (1e-4, "level"),
    "standardDeviation": (1e-4, "spread"), "meanAbsoluteDeviation": (1e-4, "spread"),
    "meanAbsoluteDifference": (1e-4, "spread"), "bandRMS": (1e-4, "spread"), "bandPower": (1e-4, "power"),
    "energy": (1e-4, "own"), "meanCrossingRate": (1e-4, "own"), "skewness": (1e-3, "unit"), "kurtosis": (1e-3, "unit"),
    "autocorrelationPeak": (1e-4, "unit"), "autocorrelationLag": (2e-3, "lag"), "correlation": (1e-4, "unit"),
    "dominantFrequency": (1e-4, "rate"), "spectralCentroid": (1e-4, "rate"), "spectralEntropy": (1e-4, "unit"),
    "spectralFlatness": (1e-3, "unit"),
}
SCALE_FREE = {"meanCrossingRate", "skewness", "kurtosis", "autocorrelationPeak", "autocorrelationLag",
              "correlation", "dominantFrequency", "spectralCentroid", "spectralEntropy", "spectralFlatness"}
LOGARITHMS = dict(zip(ORIENTATION_FREE[:4] + ORIENTATION_FREE[6:],
                      ["vertical", "total", "userAcceleration.magnitude", "vertical", "gravity.z"]))


def parts(feature):
    """("gravity.x", "correlation", "gravity.y") of `gravity.x.correlation[gravity.y]`."""
    head, _, argument = feature.partition("[")
    lane, _, statistic = head.rpartition(".")
    return lane, statistic, argument.rstrip("]")


def levels(lanes):
    """The magnitude that determines the rounding of a derived lane; 0 for a raw lane."""
    rms = {name: np.sqrt(np.mean(lane * lane)) for name, lane in lanes.items()}
    own = {name: rms[name] if name in DERIVED else 0.0 for name in LANES}
    own["vertical"] = own["horizontal"] = rms["userAcceleration.magnitude"]
    for name in ("attitude.roll", "attitude.pitch", "attitude.yaw"):  # full turns are added in Float
        own[name] = rms[name] if np.ptp(lanes[name]) > np.pi else 0.0
    return own


def scales_of(lanes, rate):
    """The scales of each lane's tolerances, except for the value itself."""
    scales = {}
    for name, level in levels(lanes).items():
        x = lanes[name]
        deviation, size = np.std(centred(x)), np.sqrt(np.mean(x * x))
        blur = max(1, 1e-3 * level / deviation) if deviation > 0 else 1
        scales[name] = {"level": max(size, level), "spread": deviation * blur, "power": (deviation * blur) ** 2,
                        "own": 0,
                        "unit": blur, "rate": rate * blur, "lag": blur / rate, "rounding": level}
    return scales


def allowance(feature, value, scales):
    """The tolerance of a Float result for the reference `value`; `scales` are `scales_of` its window."""
    if feature in LOGARITHMS:  # of 0.01 (0.05) or more, which magnifies rounding of the lane up to a hundred times
        return 1e-4 * max(abs(value), 1) + 2e-5 * max(scales[LOGARITHMS[feature]]["rounding"], 0)
    lane, statistic, other = parts(feature)
    tolerance, kind = TOLERANCES[statistic]
    worst = 0.0
    for name in [lane] + ([other] if statistic == "correlation" else []):
        scale = scales[name][kind]
        if kind == "unit":
            scale *= max(abs(value), 1)
        elif kind not in ("rate", "lag"):
            scale = max(abs(value), scale)
        worst = max(worst, tolerance * scale + 1e-12 * scales[name]["rounding"])
    return worst


def barely_moves(x, level):
    """Whether a lane is nearly constant, so that its shape is only rounding."""
    variance, square = np.mean(centred(x) ** 2), np.mean(x) ** 2
    return 1e-16 * square < variance < 1e-13 * square or 0 < variance < 1e-13 * level ** 2


def fragile_lane(x, rate, level):
    """This lane's statistics that rounding could change by more than their tolerance."""
    if is_constant(x) and not barely_moves(x, level):
        return set()
    if barely_moves(x, level):
        return set(SCALE_FREE)
    y, found = centred(x), set()
    deviation = np.std(y)
    margin = 1e-6 * deviation + 2e-7 * max(level, np.sqrt(np.mean(x * x)))
    if np.abs(y).min() <= margin:
        found.add("meanCrossingRate")
    blur = 1e-5 + 2e-6 * level / deviation
    power = spectrum(x, rate)[1][1:]
    if np.count_nonzero(power >= (1 - blur) * power.max()) > 1:
        found.add("dominantFrequency")
    if fragile_peak(x, rate, LAGS, 3e-6 + 1e-6 * level / deviation):
        found |= {"autocorrelationPeak", "autocorrelationLag"}
    return found


def fragile_peak(x, rate, seconds, blur):
    """Whether a change of r by `blur` of r[0] could change the lag, remove it, or change its parabola."""
    r, lags = autocorrelation(x), lags_within(len(x), rate, seconds)
    r = r / r[0]
    sure = [k for k in lags if min(r[k] - r[k - 1], r[k] - r[k + 1]) > blur]
    possible = [k for k in lags if min(r[k] - r[k - 1], r[k] - r[k + 1]) > -blur]
    if not possible:
        return False
    best = max(possible, key=lambda k: r[k])
    rivals = [k for k in possible if r[k] >= r[best] - 2 * blur]
    curvature = abs(r[best - 1] - 2 * r[best] + r[best + 1])
    return best not in sure or len(rivals) > 1 or blur / curvature > 1e-3


def fragile_features(names, samples, rate, lanes):
    """The subset of `names` that depend on Float rounding in this window."""
    steps = np.abs(np.abs(np.diff(samples[:3], axis=1)) - np.pi).min(axis=1)
    scale = levels(lanes)
    unsettled = {lane: fragile_lane(lanes[lane], rate, scale[lane]) for lane in LANES}
    for lane, step in zip(LANES[:3], steps):
        if step < 1e-5:  # the direction of unwrapping is ambiguous
            unsettled[lane] = None
    found = set()
    for name in names:
        lane, statistic, other = parts(name)
        for key in [lane] + ([other] if statistic == "correlation" else []):
            if key in unsettled and (unsettled[key] is None or statistic in unsettled[key]):
                found.add(name)
    return found
