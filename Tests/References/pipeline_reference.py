# Made with Python 3.11.7, numpy==2.4.6, scipy==1.17.1. Run: python3 pipeline_reference.py (see README.md).
"""An independent float64 implementation of Gait's pipeline: resampling, windows, and all 539 features.

Written from the articles *The pipeline* (ThePipeline.md) and *The features* (TheFeatures.md) alone. If this script
would need the Swift source, the articles are incomplete: complete them first.

It writes pipeline_reference.json beside itself: for each of nine source rates the windows' starts and the seven default
features of every window, and the full set of some windows. The input is not in the file. `stream` generates it, and
`PipelineReferenceTests.swift` generates the same; the sums in the file check that both agree.

The statistics are checked against catalogue.py, which was written independently of this script, on every window in the
file.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy import signal, special, stats

import catalogue
from catalogue_tolerances import fragile_features

RATES = [10, 12.5, 20, 25, 31.25, 50, 64, 100, 200]
MODEL_RATE = 25
WINDOW, HOP = 2.56, 0.64
NANOSECONDS = 10**9

# MARK: Input. PipelineInput in the Swift test has the same steps.

ORIGIN = 1_000_000_007
SECONDS = 20
UNEVEN, GAP = (6, 9), (10, 10.75)  # seconds
YAW_MISSING, ACCELERATION_MISSING = 12.5, 14
REPEATED, LATE = 3, 15


class SplitMix64:
    """Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / 2**53


def values(t, noise):
    """The twelve channels at `t` seconds: steps at 2.74 Hz with harmonics, at three intensities, and a changing
    heading."""
    phase = 2 * math.pi * 1.37 * t
    strength = 1.1 if t < 4 else 0.3 if t < 13 else 0.02
    roll, pitch = 0.3 + 0.2 * math.sin(phase), -0.9 + 0.1 * math.cos(phase)
    yaw = 3 + 0.25 * t + 0.15 * math.sin(phase + 1)
    gravity = [math.cos(pitch) * math.sin(roll), -math.sin(pitch), -math.cos(pitch) * math.cos(roll)]
    up = strength * (math.sin(2 * phase) + 0.4 * math.sin(4 * phase + 0.7) + 0.15 * math.sin(6 * phase))
    side = [0.3 * math.sin(phase), 0.25 * math.cos(2 * phase), 0.1 * math.sin(phase + 2)]
    plain = [roll, pitch, yaw - 2 * math.pi * math.floor((yaw + math.pi) / (2 * math.pi))] + gravity
    plain += [1.2 * math.sin(phase + 0.3), 0.8 * math.sin(2 * phase), 0.5 * math.cos(phase)]
    plain += [strength * s - up * g for s, g in zip(side, gravity)]
    levels = [0.01] * 3 + [0.002] * 3 + [0.1] * 3 + [0.05] * 3
    return [value + level * n for value, level, n in zip(plain, levels, noise)]


def stream(rate, seed):
    """The source's samples: (nanoseconds, [12] rounded to Float), with repeats, late samples, a gap and missing
    values."""
    random, period = SplitMix64(seed), NANOSECONDS / rate
    index_of = lambda seconds: math.floor(seconds * rate + 0.5)
    samples = []
    for index in range(math.floor(SECONDS * rate)):
        even = math.floor(index * period + 0.5)
        draws = [2 * random.unit() - 1 for _ in range(13)]
        moved = math.floor(0.2 * period * draws[0] + 0.5)
        time = even + (moved if UNEVEN[0] * NANOSECONDS <= even < UNEVEN[1] * NANOSECONDS else 0)
        if GAP[0] * NANOSECONDS <= even < GAP[1] * NANOSECONDS:
            continue
        row = values(time / NANOSECONDS, draws[1:])
        if index == index_of(YAW_MISSING):
            row[2] = math.nan
        if index == index_of(ACCELERATION_MISSING):
            row[9] = math.nan
        samples.append((ORIGIN + time, np.float32(row)))
        if index == index_of(REPEATED):
            samples.append((ORIGIN + time, np.float32(row) + np.float32(1)))
        if index == index_of(LATE):
            samples.append((ORIGIN + time - math.floor(3 * period), np.float32(row) + np.float32(1)))
    return samples


# MARK: The pipeline, from ThePipeline.md


def nearest(x):
    """Rounds halves away from zero."""
    return math.floor(x + 0.5) if x >= 0 else math.ceil(x - 0.5)


def repaired(samples):
    """Drops samples that are not later than the one before; returns the rest and the number dropped."""
    kept = []
    for time, row in samples:
        if not kept or time > kept[-1][0]:
            kept.append((time, row.astype(float)))
    return kept, len(samples) - len(kept)


def streams(samples, longest_step):
    """The samples, cut where a step is longer than that."""
    parts = [[samples[0]]]
    for before, sample in zip(samples, samples[1:]):
        if sample[0] - before[0] > longest_step:
            parts.append([])
        parts[-1].append(sample)
    return parts


def bridged(samples, source):
    """The samples with holes filled: broken ones left out, and linear interpolation in steps of up to 0.3 s or 4
    periods."""
    longest, period = math.ceil(max(0.3 * NANOSECONDS, 4 * NANOSECONDS / source)), NANOSECONDS / source
    acceleration = [3, 4, 5, 9, 10, 11]
    whole = [index for index, (_, row) in enumerate(samples) if not np.isnan(row[acceleration]).any()]
    dropped = set()
    for before, after in zip(whole, whole[1:]):
        if samples[after][0] - samples[before][0] <= longest:
            dropped.update(range(before + 1, after))
    parts = streams([sample for index, sample in enumerate(samples) if index not in dropped], longest)
    filled = []
    for part in parts:
        filled.append(part[:1])
        for (start, first), (end, last) in zip(part, part[1:]):
            if end - start > 1.5 * period:
                count = nearest((end - start) / period)
                last = last.copy()
                last[:3] -= 2 * np.pi * np.round((last[:3] - first[:3]) / (2 * np.pi))
                for index in range(1, count):
                    row = first + index / count * (last - first)
                    row[:3] -= 2 * np.pi * np.round(row[:3] / (2 * np.pi))
                    filled[-1].append((start + (end - start) * index // count, row))
            filled[-1].append((end, last))
    return filled


class Filter:
    def __init__(self, source, model):
        attenuation, lower = 67, min(source, model)
        passband = min(0.2 * model, 0.35 * lower)
        transition = 1.08 * (lower - 2 * passband)
        self.cutoff = lower - passband - transition / 2
        self.delay = (attenuation - 7.95) / (14.36 * transition) / 2
        beta = 0.1102 * (attenuation - 8.7)
        place = np.arange(4097) / 4096
        kaiser = special.i0(beta * np.sqrt(1 - place**2)) / special.i0(beta)
        self.table = kaiser * np.sinc(2 * self.cutoff * self.delay * place)
        self.table[-1] = 0

    def weights(self, seconds):
        return np.interp(np.abs(seconds) / self.delay, np.arange(4097) / 4096, self.table, right=0)


def passed(times, rows, model, kernel):
    """The outputs of one stream that has the model's rate: samples near the next output's time, else filtered."""
    outputs, due, period = [], times[0], NANOSECONDS / model
    for last, time in enumerate(times):
        while time - due >= -0.05 * period:
            near = [i for i in range(last + 1) if abs(times[i] - due) <= 0.05 * period]
            if near:
                due, row = times[near[-1]], rows[near[-1]].copy()
            elif (due - times[0]) / NANOSECONDS <= (time - times[0]) / NANOSECONDS - kernel.delay + 1 / model:
                weights = kernel.weights((times[:last + 1] - due) / NANOSECONDS)
                used = weights != 0
                row = weights[used] @ rows[:last + 1][used] / weights[used].sum()
            else:
                break
            row[:3] -= 2 * np.pi * np.round(row[:3] / (2 * np.pi))
            outputs.append((int(due), row))
            due += nearest(period)
    return outputs


def resampled(samples, source, model):
    outputs, kernel, is_equal = [], Filter(source, model), abs(source / model - 1) < 1e-9
    for part in bridged(samples, source):
        times, rows = np.array([t for t, _ in part]), np.array([row for _, row in part])
        for angle in range(3):
            known = ~np.isnan(rows[:, angle])
            rows[known, angle] = np.unwrap(rows[known, angle])
        if is_equal:
            outputs += passed(times, rows, model, kernel)
            continue
        point = 0
        for last, time in enumerate(times):
            while True:
                offset = nearest(point * NANOSECONDS / model)
                if offset / NANOSECONDS > (time - times[0]) / NANOSECONDS - kernel.delay + 1 / source:
                    break
                point += 1
                if offset / NANOSECONDS < kernel.delay:
                    continue
                weights = kernel.weights((times[:last + 1] - times[0] - offset) / NANOSECONDS)
                used = weights != 0
                row = weights[used] @ rows[:last + 1][used] / weights[used].sum()
                row[:3] -= 2 * np.pi * np.round(row[:3] / (2 * np.pi))
                outputs.append((int(times[0]) + offset, row))
    return outputs


def windows(outputs, model):
    """(start, [12 × N], the sample before the window in its stream or None) of every window."""
    length, hop = max(1, nearest(WINDOW * model)), max(1, nearest(HOP * model))
    for part in streams(outputs, 1.5 * NANOSECONDS / model):
        for first in range(0, len(part) - length + 1, hop):
            rows = np.array([row for _, row in part[first:first + length]]).T
            yield part[first][0], rows, part[first - 1][1] if first else None


# MARK: The features, from TheFeatures.md


def lanes_of(rows, before, rate):
    u, g, w = rows[9:12].T, rows[3:6].T, rows[6:9].T
    d = g / np.linalg.norm(g, axis=1, keepdims=True)
    lanes = dict(zip(catalogue.CHANNELS, rows))
    for name in catalogue.CHANNELS[:3]:
        lanes[name] = np.unwrap(lanes[name])
    lanes["userAcceleration.magnitude"] = np.linalg.norm(u, axis=1)
    lanes["rotationRate.magnitude"] = np.linalg.norm(w, axis=1)
    lanes["vertical"] = -(u * d).sum(axis=1)
    lanes["horizontal"] = np.linalg.norm(u - (u * d).sum(axis=1, keepdims=True) * d, axis=1)
    lanes["total"] = np.linalg.norm(g + u, axis=1)
    first = u[:1] if before is None else before[None, 9:12]
    lanes["jerk"] = np.linalg.norm(np.diff(u, axis=0, prepend=first), axis=1) * rate
    return lanes, d


def statistics_of(x, fs):
    """Every statistic of the catalogue by its text, of one lane."""
    n, y = len(x), x - x.mean()
    constant = y.var() <= 1.6e-13 * (1 + x.mean() ** 2)
    if constant:
        y = np.zeros(n)
    size = max(64, 1 << (2 * n - 1).bit_length())
    f, power = signal.periodogram(y, fs, "hann", size, detrend=False)
    power = power * fs / size
    values = {
        "mean": x.mean(), "standardDeviation": y.std(), "minimum": x.min(), "maximum": x.max(), "range": np.ptp(x),
        "rms": np.sqrt(np.mean(x**2)), "meanAbsoluteDeviation": np.abs(y).mean(),
        "meanAbsoluteDifference": np.abs(np.diff(x)).mean(),
        "meanCrossingRate": np.count_nonzero(np.diff(y >= 0)) * fs / n,
        "skewness": 0 if constant else stats.skew(x), "kurtosis": 0 if constant else stats.kurtosis(x)}
    values |= {f"percentile[{p}]": np.percentile(x, p) for p in (10, 25, 50, 75, 90)}
    values["interquartileRange"] = values["percentile[75]"] - values["percentile[25]"]
    values["energy"] = np.sum(x**2)
    values["autocorrelationPeak[0.2...1.1]"], values["autocorrelationLag[0.2...1.1]"] = peak_of(y, fs, 0.2, 1.1,
                                                                                                constant)
    edges = ["0.3", "1.2", "2.2", "3.5", "5", "10"]
    for a, b in zip(edges, edges[1:]):
        values[f"bandRMS[{a}...{b}]"] = np.sqrt(power[(f >= float(a)) & (f < float(b))].sum())
    return values | shape_of(f, power, size, constant)


def peak_of(y, fs, a, b, constant):
    n = len(y)
    if constant:
        return 0, 0
    r = np.correlate(y, y, "full")[n - 1:] / np.arange(n, 0, -1)
    last = min(math.floor(b * fs), math.floor(0.6 * n), n - 2)
    tops = [k for k in range(max(1, math.ceil(a * fs)), last + 1) if r[k - 1] < r[k] >= r[k + 1]]
    if not tops:
        return 0, 0
    k = max(tops, key=lambda lag: r[lag])
    return r[k] / r[0], (k + 0.5 * (r[k - 1] - r[k + 1]) / (r[k - 1] - 2 * r[k] + r[k + 1])) / fs


def shape_of(f, power, size, constant):
    names = ("dominantFrequency", "spectralCentroid", "spectralEntropy", "spectralFlatness")
    if constant:
        return dict.fromkeys(names, 0)
    p = power[1:]
    k = 1 + int(np.argmax(p))
    frequency = f[k]
    if 2 <= k < len(power) - 1 and power[k - 1] > 0 and power[k + 1] > 0:
        left, top, right = np.log(power[k - 1:k + 2])
        frequency += 0.5 * (left - right) / (left - 2 * top + right) * f[1]
    return dict(zip(names, (
        frequency, np.average(f[1:], weights=p), stats.entropy(p) / np.log(size / 2),
        stats.gmean(np.maximum(p, 1e-12 * p.mean())) / p.mean())))


def features_of(rows, before, fs):
    """All 539 features of a window by their text."""
    lanes, d = lanes_of(rows, before, fs)
    table = {f"{lane}.{name}": value for lane, x in lanes.items() for name, value in statistics_of(x, fs).items()}
    logarithm = lambda name: np.log(0.01 + table[name])
    top = table["vertical.maximum"]
    seven = dict(zip(catalogue.ORIENTATION_FREE, (
        logarithm("vertical.rms"), logarithm("total.bandRMS[2.2...3.5]") - logarithm("total.bandRMS[1.2...2.2]"),
        logarithm("userAcceleration.magnitude.percentile[10]"), np.sign(top) * np.log1p(abs(top) / 0.05),
        table["total.autocorrelationLag[0.2...1.1]"], table["vertical.meanCrossingRate"],
        np.log(0.01 + 1 - np.linalg.norm(d.mean(axis=0))))))
    table |= {f"{a}.correlation[{b}]": np.corrcoef(lanes[a], lanes[b])[0, 1] for a, b in catalogue.PAIRS}
    return seven | table


# MARK: The file


def check(values, rows, before, rate):
    """The same features by catalogue.py's formulas."""
    other = dict(zip(catalogue.FULL, catalogue.full_set(rows, rate, before)))
    for name, value in values.items():
        assert abs(value - other[name]) <= 1e-9 * max(1, abs(value)), (name, value, other[name])
    assert set(values) == set(other)


def settled(values, rows, rate):
    """The values; None if one depends on Float rounding: a sample on the mean, two equal peaks."""
    lanes = catalogue.window_lanes(rows, rate)
    fragile = fragile_features(list(values), rows, rate, lanes)
    return [None if name in fragile else float(f"{value:.8g}") for name, value in values.items()]


def case(rate, seed):
    samples = stream(rate, seed)
    kept, dropped = repaired(samples)
    found = {"default": [], "full": []}
    for start, rows, before in windows(resampled(kept, rate, MODEL_RATE), MODEL_RATE):
        if np.isnan(rows[3:6]).any() or np.isnan(rows[9:12]).any():
            continue
        known = np.where(np.isnan(rows), 0, rows)  # the default features use neither attitude nor rotation
        features = features_of(known, before, MODEL_RATE)
        default = {name: features[name] for name in catalogue.ORIENTATION_FREE}
        found["default"].append((start, settled(default, known, MODEL_RATE)))
        if np.isnan(rows).any() or (before is not None and np.isnan(before[9:12]).any()):
            continue
        check(features, rows, before, MODEL_RATE)
        found["full"].append((start, settled(features, rows, MODEL_RATE)))
    names = list(features)
    full = found["full"]
    # The first window, the uneven ones, the last before the gap, the first after it and after a missing value, the
    # last.
    behind = next(i for i, (start, _) in enumerate(full) if start > ORIGIN + GAP[1] * NANOSECONDS)
    chosen = sorted({0, behind // 2, behind - 1, behind, len(full) - 1})
    return names, {
        "rate": rate, "seed": seed, "dropped": dropped, "count": len(kept), "timeSum": sum(t - ORIGIN for t, _ in kept),
        "valueSums": [round(float(np.nansum(column)), 6) for column in np.array([row for _, row in kept]).T],
        "starts": [start - ORIGIN for start, _ in found["default"]], "default": [v for _, v in found["default"]],
        "fullStarts": [start - ORIGIN for start, _ in full],
        "full": {str(full[i][0] - ORIGIN): full[i][1] for i in chosen}}


def main():
    cases = []
    for seed, rate in enumerate(RATES, 1):
        names, found = case(rate, seed)
        cases.append(found)
        nulls = sum(v.count(None) for v in found["full"].values())
        print(rate, "Hz:", len(found["starts"]), "windows,", len(found["fullStarts"]), "of the full set,", nulls,
              "rounding-dependent")
    assert len(names) == 539
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps({"names": names, "cases": cases},
                               separators=(",", ":")).replace('},{"rate"', '},\n{"rate"') + "\n")
    print(path.name, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
