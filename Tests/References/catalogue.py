"""Gait's whole catalogue of features, one window at a time, as plain formulas.

Written from the definitions alone, independently of the Swift code. Every function keeps the precision of its input:
float64 samples give the reference, and Float32 samples the same formulas in single precision, which shows how much of a
difference is rounding. Lanes and the seven orientation-free features come from features_reference.py.

`catalogue_reference.py` writes the committed numbers; `Benchmarks/peers` checks its peers and `gait features` with it.
"""

import numpy as np
from scipy import stats

from features_reference import (CHANNELS, features_of as small_set_of, lanes_of,
                                local_maxima, norm, transform_length)

ORIENTATION_FREE = [
    "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
    "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
    "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]"]
DERIVED = ["userAcceleration.magnitude", "rotationRate.magnitude", "vertical", "horizontal", "total", "jerk"]
LANES = CHANNELS + DERIVED
BANDS = [(0.3, 1.2), (1.2, 2.2), (2.2, 3.5), (3.5, 5), (5, 10)]
PERCENTILES = [10, 25, 50, 75, 90]
LAGS = (0.2, 1.1)
PAIRS = [(CHANNELS[3 * sensor + a], CHANNELS[3 * sensor + b]) for sensor in range(4) for a,
         b in ((0, 1), (0, 2), (1, 2))]


def text(number_range):
    return "...".join(f"{value:g}" for value in number_range)


STATISTICS = (
    ["mean", "standardDeviation", "minimum", "maximum", "range", "rms", "meanAbsoluteDeviation",
     "meanAbsoluteDifference", "meanCrossingRate", "skewness", "kurtosis"]
    + [f"percentile[{p}]" for p in PERCENTILES]
    + ["interquartileRange", "energy", f"autocorrelationPeak[{text(LAGS)}]", f"autocorrelationLag[{text(LAGS)}]"]
    + [f"bandRMS[{text(band)}]" for band in BANDS]
    + ["dominantFrequency", "spectralCentroid", "spectralEntropy", "spectralFlatness"])

CORRELATIONS = [f"{first}.correlation[{second}]" for first, second in PAIRS]
FULL = ORIENTATION_FREE + [f"{lane}.{name}" for lane in LANES for name in STATISTICS] + CORRELATIONS


# MARK: One lane


def centred(x):
    """x minus its mean, computed from the distance to the first value, so that a large mean loses no digits."""
    shifted = x - x[0]
    return shifted - shifted.mean()


def is_constant(x):
    return bool(np.mean(centred(x) ** 2) <= 1e-14 * np.mean(x) ** 2)


def spectrum(x, rate):
    """Frequencies and P[k]·Δf for k = 0 … T/2: periodic Hann, zero-padded, one-sided, in squared units of the lane."""
    count, length = len(x), transform_length(len(x))
    hann = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(count) / count)).astype(x.dtype)
    # numpy.fft keeps single precision since NumPy 2.0
    power = np.abs(np.fft.rfft(centred(x) * hann, length)) ** 2 / (length * np.sum(hann * hann))
    power[1:-1] *= 2  # only 0 and the highest frequency have no negative counterpart
    return np.arange(length // 2 + 1) * float(rate) / length, power


def band_power(x, rate, band):
    frequency, power = spectrum(x, rate)
    return power[(frequency >= band[0]) & (frequency < band[1])].sum()


def spectral_shape(x, rate):
    names = ("dominantFrequency", "spectralCentroid", "spectralEntropy", "spectralFlatness")
    if is_constant(x):
        return dict.fromkeys(names, 0.0)
    frequency, power = spectrum(x, rate)
    step, last, p = frequency[1], len(power) - 1, power[1:]
    k = 1 + int(np.argmax(p))
    position = float(k)
    if 1 < k < last and power[k - 1] > 0 and power[k + 1] > 0:
        left, top, right = np.log(power[k - 1:k + 2])
        position += 0.5 * (left - right) / (left - 2 * top + right)
    share = p / p.sum()
    present = share[share > 0]
    level = p.mean()
    values = (position * step, (frequency[1:].astype(x.dtype) * p).sum() / p.sum(),
              -(present * np.log(present)).sum() / np.log(last),
              np.exp(np.log(np.maximum(p, 1e-12 * level)).mean()) / level)
    return dict(zip(names, values))


def autocorrelation(x):
    """Unbiased: lag k divided by its N − k products."""
    y = centred(x)
    return np.correlate(y, y, "full")[len(x) - 1:] / np.arange(len(x), 0, -1).astype(x.dtype)


def lags_within(count, rate, seconds):
    """Whole lags in a range of seconds and within 0.6 of the window (as candidate_lags of features_reference.py, which
    has one range)."""
    first = int(np.ceil(seconds[0] * rate - 1e-9))
    return range(first, int(np.floor(min(seconds[1] * rate, 0.6 * count) + 1e-9)) + 1)


def autocorrelation_peak(x, rate, seconds):
    """Height and lag, in seconds; the height is that of the whole lag, not of the parabola."""
    if is_constant(x):
        return 0.0, 0.0
    r = autocorrelation(x)
    peaks = local_maxima(r, lags_within(len(x), rate, seconds))
    if not peaks:
        return 0.0, 0.0
    k = max(peaks, key=lambda lag: r[lag])
    left, top, right = r[k - 1:k + 2]
    return top / r[0], (k + 0.5 * (left - right) / (left - 2 * top + right)) / rate


def crossing_rate(x, rate):
    if is_constant(x):
        return 0.0
    above = centred(x) >= 0
    return np.count_nonzero(above[1:] != above[:-1]) * rate / len(x)


def correlation(x, y):
    if is_constant(x) or is_constant(y):
        return 0.0
    x, y = centred(x), centred(y)
    return (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())


def lane_statistics(x, rate):
    y, constant = centred(x), is_constant(x)
    percentiles = np.percentile(x, PERCENTILES)
    height, lag = autocorrelation_peak(x, rate, LAGS)
    power = [np.sqrt(band_power(x, rate, band)) for band in BANDS]
    values = [
        x[0] + (x - x[0]).mean(), np.sqrt((y * y).mean()), x.min(), x.max(), x.max() - x.min(), np.sqrt((x * x).mean()),
        np.abs(y).mean(), np.abs(np.diff(x)).mean(), crossing_rate(x, rate),
        # SciPy subtracts the mean again, which is harmless: the mean of y is 0 to the last digit
        0.0 if constant else stats.skew(y), 0.0 if constant else stats.kurtosis(y),
        *percentiles, percentiles[3] - percentiles[1], (x * x).sum(), height, lag, *power,
        *spectral_shape(x, rate).values()]
    return dict(zip(STATISTICS, map(float, values), strict=True))


# MARK: One window


def window_lanes(samples, rate, before=None):
    """The 18 lanes of [12 × N]; `before` is the sample before the window, which the first jerk needs."""
    if samples.dtype == np.float64:
        lanes = lanes_of(samples, rate)
    else:
        lanes = {name: lane.astype(samples.dtype) for name, lane in single_lanes(samples, rate).items()}
    if before is not None:
        lanes["jerk"] = lanes["jerk"].copy()
        lanes["jerk"][0] = norm((samples[9:12, 0] - before[9:12])[None])[0] * rate
    return lanes


def single_lanes(samples, rate):
    """The lanes with each operation rounded to Float, as in a Float extractor."""
    lanes = lanes_of(samples, rate)  # NumPy keeps Float32 in all steps except unwrapping
    for name, angle in zip(CHANNELS[:3], samples):
        step = np.diff(angle)
        turns = np.cumsum(np.where(step > np.pi, -1, np.where(step < -np.pi, 1, 0)))
        lanes[name] = angle + np.float32(2 * np.pi) * np.concatenate([[0], turns]).astype(np.float32)
    return lanes


def small_set(samples, rate):
    every = small_set_of(samples, rate)
    return {name: every[name] for name in ORIENTATION_FREE}


def full_set(samples, rate, before=None):
    """All 541 values of one window, in the order of FULL. `vertical.meanCrossingRate` and the lag of total occur
    twice."""
    lanes = window_lanes(samples, rate, before)
    values = list(small_set(samples, rate).values())
    for lane in LANES:
        values += lane_statistics(lanes[lane], rate).values()
    return np.array(values + [float(correlation(lanes[a], lanes[b])) for a, b in PAIRS])
