"""The full set's statistics with tsflex: its FeatureCollection over whole series, every function vectorised.

A vectorised function gets all windows of a series at once, [windows × 128], and is plain NumPy and SciPy, as a user of
tsflex would write it. Functions with shared work return several numbers. Same windows, same 18 lanes, 29 statistics per
lane and 12 correlations. Small differences in definition do not matter here: only time is compared.
"""

import numpy as np
import pandas as pd
from scipy import fft, stats
from tsflex.features import FeatureCollection, FeatureDescriptor, FuncWrapper, MultipleFeatureDescriptors

from catalogue import BANDS, LANES, PAIRS
from features_numpy_plan import FLOAT, HOP, LAGS, N, RATE, stream_lanes

FREQUENCY = np.arange(129) * RATE / 256
HANN = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N) / N)).astype(FLOAT)


def moments(x):
    return x.mean(axis=1), x.std(axis=1), stats.skew(x, axis=1), stats.kurtosis(x, axis=1)


def sizes(x):
    square = np.einsum("wn,wn->w", x, x)
    return np.sqrt(square / N), square


def extremes(x):
    low, high = x.min(axis=1), x.max(axis=1)
    return low, high, high - low


def differences(x):
    y = x - x.mean(axis=1, keepdims=True)
    above = y >= 0
    return (np.abs(y).mean(axis=1), np.abs(np.diff(x, axis=1)).mean(axis=1),
            np.count_nonzero(above[:, 1:] != above[:, :-1], axis=1) * (RATE / N))


def percentiles(x):
    p = np.percentile(x, [10, 25, 50, 75, 90], axis=1)
    return (*p, p[3] - p[1])


def autocorrelation(x):
    y = x - x.mean(axis=1, keepdims=True)
    power = np.abs(fft.rfft(y, 160, axis=1)) ** 2
    r = fft.irfft(power, 160, axis=1)[:, :30] / (N - np.arange(30, dtype=FLOAT))
    heights = r[:, LAGS[1:-1]]
    peaks = (heights > r[:, LAGS[:-2]]) & (heights >= r[:, LAGS[2:]])
    best = np.where(peaks, heights, -np.inf).argmax(axis=1) + LAGS[1]
    rows = np.arange(len(r))
    left, top, right = r[rows, best - 1], r[rows, best], r[rows, best + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        lag = (best + 0.5 * (left - right) / (left - 2 * top + right)) / RATE
        found = peaks.any(axis=1)
        return np.where(found, top / r[:, 0], 0), np.where(found, lag, 0)


def spectrum(x):
    y = (x - x.mean(axis=1, keepdims=True)) * HANN
    power = np.abs(fft.rfft(y, 256, axis=1)) ** 2 / (256 * np.sum(HANN ** 2))
    power[:, 1:-1] *= 2
    bands = [np.sqrt(power[:, (FREQUENCY >= low) & (FREQUENCY < high)].sum(axis=1)) for low, high in BANDS]
    inner = power[:, 1:] + FLOAT(1e-30)
    total = inner.sum(axis=1)
    logs = np.log(inner)
    k = inner.argmax(axis=1).clip(1, 126)
    rows = np.arange(len(k))
    left, top, right = logs[rows, k - 1], logs[rows, k], logs[rows, k + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        peak = (k + 1 + 0.5 * (left - right) / (left - 2 * top + right)) * RATE / 256
    entropy = (np.log(total) - (inner * logs).sum(axis=1) / total) / np.log(128)
    return (*bands, peak, inner @ FREQUENCY[1:].astype(FLOAT) / total, entropy, np.exp(logs.mean(axis=1)) / total * 128)


def correlation(x, y):
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


OUTPUTS = {moments: 4, sizes: 2, extremes: 3, differences: 3, percentiles: 6, autocorrelation: 2, spectrum: 9}


def collection():
    wrapped = lambda function, count: FuncWrapper(
        function, output_names=[f"{function.__name__}{i}" for i in range(count)], vectorized=True)
    of_lanes = MultipleFeatureDescriptors([wrapped(*pair) for pair in OUTPUTS.items()], list(LANES), windows=N,
                                          strides=HOP)
    return FeatureCollection([of_lanes] + [
        FeatureDescriptor(wrapped(correlation, 1), pair, window=N, stride=HOP) for pair in PAIRS])


class Peer:
    def __init__(self):
        self.features = collection()

    def __call__(self, samples):
        """A data frame of 534 columns (all but the seven) for a stream [12 × n]."""
        lanes = np.empty((18, samples.shape[1]), FLOAT)
        stream_lanes(samples, lanes)
        lanes[:3] = np.unwrap(lanes[:3], axis=1)
        frame = pd.DataFrame(dict(zip(LANES, lanes)))
        return self.features.calculate(frame, return_df=True, n_jobs=0, approve_sparsity=True)
