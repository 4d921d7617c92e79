# Made with Python 3.11.7, numpy==2.4.6, scipy==1.17.1. Run: python3 catalogue_reference.py (see README.md).
"""Reference values of the whole catalogue, with tolerances for single precision.

Writes catalogue_reference.json: `names` (the full set in order, then a few features outside it) and cases of
{name, sampleRate, samples, values, allowed}: values in the order of names, null if it depends on Float rounding
(`fragile`), and the tolerance of a Float result for each value (catalogue_tolerances.py). A case is a separate stream
of exactly one window. `--rounding` writes nothing; it prints the largest deviation of the same formulas in Float32 as a
fraction of the tolerance, over all cases and 100 further random windows.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy import signal, stats

import catalogue
import catalogue_tolerances as tolerances
from catalogue import FULL, text
from features_reference import (autocorrelation_lag, band_rms, constant, demand_close, gravity_of, impulse,
                                mean_crossing_rate, noise, offset, require, running, single, still, tumbling, walking)

LENGTHS = [8, 16, 25, 33, 64, 100, 128, 250, 512]
EXTRA_BANDS = [("vertical", (0.5, 8)), ("total", (1.2, 2.2)), ("rotationRate.z", (0, 100))]
EXTRA_LAGS = ("vertical", (0.25, 0.6))
EXTRA = ([f"{lane}.bandPower[{text(band)}]" for lane, band in EXTRA_BANDS]
         + [f"{EXTRA_LAGS[0]}.{name}[{text(EXTRA_LAGS[1])}]" for name in ("autocorrelationPeak", "autocorrelationLag")])
NAMES = FULL + EXTRA


# MARK: Signals beyond those of features_reference.py, [12 × N] each


def million(rng, count, rate):
    """Every sensor at 1e6 with a signal of size 1, with no sample near its mean."""
    samples = rng.uniform(0.5, 2, (12, count)) * rng.choice([-1, 1], (12, count))
    samples[:3] = noise(rng, count, rate)[:3]
    samples[6:9] += 1e6
    samples[9:11] -= 1e6
    return samples


def lone_sample(rng, count, rate):
    """Zero except for one sample of every channel other than gravity, each at a different position."""
    samples = constant(rng, count, rate, (0, 0, 0))
    for channel in (0, 1, 2, 6, 7, 8, 9, 10, 11):
        samples[channel, (5 * channel + count // 2) % count] = (-1) ** channel * (0.5 + 0.25 * channel)
    return samples


def alternating(rng, count, rate):
    """The highest frequency and half of it: the last bin has no negative counterpart and no right neighbour."""
    samples = noise(rng, count, rate, 0.05)
    samples[6] += 3.0 * (-1.0) ** np.arange(count)
    samples[7] += 2.0 * np.sin(np.pi / 2 * np.arange(count) + 0.4)
    samples[8] += 0.02 * np.arange(count)  # a drift: the first bin is the highest
    return samples


CASES = (
    [(f"noise, {n} samples", 25, n, 100 + n, noise, {}) for n in LENGTHS]
    + [(f"running, {n} samples", 25, n, 1000 + n, running, {"heading": 2.9, "turn": 0.5}) for n in LENGTHS[:8]]
    + [(f"lone sample, {n} samples", 25, n, 0, lone_sample, {}) for n in (8, 25, 64, 128, 250)]
    + [(f"a million, {n} samples", 25, n, 2000 + n, million, {}) for n in (8, 33, 64, 128)]
    + [("constant, 8 samples", 25, 8, 0, constant, {"acceleration": (0, 0, 0)}),
       ("constant, tilted", 25, 33, 0, constant, {
           "acceleration": (0.3, -0.2, 0.1), "gravity": gravity_of(0.4, -0.7), "rotation": (0.1, 0.7, -1.3),
           "attitude": (0.4, -0.7, 3.1)}),
       ("constant, a million", 25, 16, 0, constant, {"acceleration": (1e6, 0, 0), "rotation": (1e6, -1e6, 1)}),
       ("constant, 128 samples", 25, 128, 0, constant, {"acceleration": (0, 0.1, 0)}),
       ("pushed once", 25, 64, 0, impulse, {"at": 32, "height": 2.5}),
       ("walking, 50 Hz", 50, 256, 7, walking, {}),
       ("running, 100 Hz", 100, 250, 8, running, {}),
       ("noise, 10 Hz", 10, 33, 9, noise, {}),  # the band from 5 to 10 contains only the last bin
       ("noise, bins on edges", 32, 25, 10, noise, {}),  # bins half a hertz apart: 3.5, 5 and 10 are bins
       ("still, 128 samples", 25, 128, 11, still, {}),
       ("alternating", 25, 64, 12, alternating, {}),
       ("alternating, odd", 25, 33, 13, alternating, {}),
       ("large offset", 25, 100, 14, offset, {"acceleration": (40, 30, 20), "rotation": (200, -300, 100)}),
       ("tumbling", 25, 128, 15, tumbling, {}),
       ("spinning", 25, 128, 16, running, {"heading": -3.0, "turn": -6.0, "tilt": (3.1, 0.2)})])


def samples_of(case):
    _, rate, count, seed, make, options = case
    return make(np.random.default_rng(seed), count, rate, **options).astype(np.float32) + np.float32(0)


def values_of(samples, rate):
    lanes = catalogue.window_lanes(samples, rate)
    extra = [catalogue.band_power(lanes[lane], rate, band) for lane, band in EXTRA_BANDS]
    extra += catalogue.autocorrelation_peak(lanes[EXTRA_LAGS[0]], rate, EXTRA_LAGS[1])
    return np.concatenate([catalogue.full_set(samples, rate), np.array(extra, float)])


# MARK: Checks


def demand_other_ways(name, samples, rate, values):
    """The same numbers by library calls, loops, and the functions of features_reference.py."""
    lanes, of = catalogue.window_lanes(samples, rate), dict(zip(NAMES, values))
    for lane, x in lanes.items():
        if catalogue.is_constant(x):
            flat = [of[f"{lane}.{key}"] for key in catalogue.STATISTICS
                    if key.partition("[")[0] in tolerances.SCALE_FREE]
            require(not any(flat), name, lane, "is constant, but has a shape")
            continue
        if tolerances.barely_moves(x, tolerances.levels(lanes)[lane]):
            continue
        close = lambda key, value, within=1e-7: demand_close(of[f"{lane}.{key}"], value, f"{name}: {lane}.{key}",
                                                             within)
        for band in catalogue.BANDS:
            close(f"bandRMS[{text(band)}]", band_rms(x, rate, band))
        close("autocorrelationLag[0.2...1.1]", autocorrelation_lag(x, rate), 1e-4)
        close("meanCrossingRate", mean_crossing_rate(x, rate))
        y = x - x.mean()
        close("skewness", (y ** 3).mean() / y.std() ** 3, 1e-6)
        close("kurtosis", (y ** 4).mean() / y.var() ** 2 - 3, 1e-6)
        close("interquartileRange", stats.iqr(x))
        length = catalogue.transform_length(len(x))
        power = signal.periodogram(y, rate, "hann", length, detrend=False)[1][1:]
        close("spectralEntropy", stats.entropy(power) / math.log(length // 2), 1e-6)
        close("spectralCentroid", np.average(np.arange(1, len(power) + 1), weights=power) * rate / length, 1e-6)
        floor = np.maximum(power, 1e-12 * power.mean())
        close("spectralFlatness", stats.gmean(floor) / power.mean(), 1e-5)
    for a, b in catalogue.PAIRS:
        if not catalogue.is_constant(lanes[a]) and not catalogue.is_constant(lanes[b]):
            demand_close(of[f"{a}.correlation[{b}]"], np.corrcoef(lanes[a], lanes[b])[0, 1], f"{name}: {a} {b}", 1e-6)


def demand_known_answers():
    """Tones with known answers."""
    time = np.arange(128) / 25
    for hertz in (1.3, 2.7, 4.44, 9.1):
        shape = catalogue.spectral_shape(3 + 0.8 * np.sin(2 * np.pi * hertz * time + 0.3), 25)
        require(abs(shape["dominantFrequency"] - hertz) < 0.01, "dominant frequency of a tone", hertz, shape)
        require(abs(shape["spectralCentroid"] - hertz) < 0.05, "centroid of a tone", hertz, shape)
        require(shape["spectralFlatness"] < 1e-3 and shape["spectralEntropy"] < 0.35, "shape of a tone", shape)
    height, lag = catalogue.autocorrelation_peak(np.sin(2 * np.pi * 2.5 * time), 25, (0.2, 0.5))
    require(abs(height - 1) < 0.05 and abs(lag - 0.4) < 0.005, "autocorrelation of a tone", height, lag)
    require(len(NAMES) == 546 and len(FULL) == 541 and len(set(FULL)) == 539, "the full set", len(FULL))


# MARK: Rounding


def deviations(samples, rate, names=NAMES, result=None, reference=None):
    """(name, deviation ÷ tolerance) of a Float result, by default of the same formulas in Float32."""
    exact = samples.astype(float)
    lanes = catalogue.window_lanes(exact, rate)
    reference = values_of(exact, rate) if reference is None else reference
    result = values_of(samples, rate) if result is None else result
    fragile = tolerances.fragile_features(names, exact, rate, lanes)
    scales = tolerances.scales_of(lanes, rate)
    for name, a, b in zip(names, result, reference):
        if name not in fragile:
            allowed = tolerances.allowance(name, b, scales)
            yield name, abs(a - b) / allowed if allowed > 0 else (0.0 if a == b else math.inf)


def print_rounding(windows=100):
    rng, worst = np.random.default_rng(5), {}
    makers = [(noise, {}), (running, {}), (walking, {"turn": 1.0, "heading": 3.0}), (still, {}), (tumbling, {})]
    drawn = [(f"random {i}", 25, 128, int(rng.integers(1 << 30)), *makers[i % len(makers)]) for i in range(windows)]
    for case in CASES + drawn:
        for name, part in deviations(samples_of(case), case[1]):
            key = tolerances.parts(name)[1] if name not in FULL[:7] else name
            if part > worst.get(key, (-1,))[0]:
                worst[key] = (part, name, case[0])
    for key, (part, name, case) in sorted(worst.items()):
        number, scale = tolerances.TOLERANCES.get(key, (1e-4, "unit"))
        print(f"| `{key}` | {number:g} · {scale} | {part * number:.1e} | {name}: {case} |")


# MARK: Writing


def encoded(case):
    name, rate, *_ = case
    rounded = samples_of(case)
    samples = rounded.astype(float)
    values = values_of(samples, rate)
    require(np.isfinite(values).all(), name, "is not finite")
    demand_other_ways(name, samples, rate, values)
    lanes = catalogue.window_lanes(samples, rate)
    fragile, scales = tolerances.fragile_features(NAMES, samples, rate, lanes), tolerances.scales_of(lanes, rate)
    columns = ",\n".join("[" + ",".join(map(single, column)) + "]" for column in samples)
    numbers = ",".join("null" if key in fragile else f"{value:.9g}" for key, value in zip(NAMES, values))
    allowed = ",".join(f"{tolerances.allowance(key, value, scales):.1e}" for key, value in zip(NAMES, values))
    return (f'{{"name":{json.dumps(name)},"sampleRate":{rate},\n"samples":[{columns}],\n"values":[{numbers}],\n'
            f'"allowed":[{allowed}]}}'), len(fragile)


def main():
    demand_known_answers()
    if "--rounding" in sys.argv:
        return print_rounding()
    cases = [encoded(case) for case in CASES]
    print("rounding-dependent values:", {case[0]: count for case, (_, count) in zip(CASES, cases) if count})
    document = f'{{"names":{json.dumps(NAMES)},\n"cases":[\n' + ",\n".join(part for part, _ in cases) + "\n]}\n"
    json.loads(document)
    require(len(document) < 1_000_000, "the file grew past 1 MB:", len(document))
    Path(__file__).with_suffix(".json").write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main()
