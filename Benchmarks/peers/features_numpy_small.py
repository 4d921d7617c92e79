"""Smaller peers in NumPy: 16 statistics as a sanity check, the seven orientation-free features, and the default model's
15."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from features_numpy import FullSet
from features_numpy_plan import FLOAT, LAGS, N, RATE

SIXTEEN = ["mean", "standardDeviation", "minimum", "maximum", "range", "rms", "meanAbsoluteDeviation",
           "meanAbsoluteDifference", "meanCrossingRate", "skewness", "kurtosis", "percentile[50]", "interquartileRange",
           "energy", "percentile[25]", "percentile[75]"]
PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 12, 14]  # of those in FullSet's table


class Sixteen(FullSet):
    """16 statistics of 12 channels and two magnitudes, and all 66 correlations of the channels.

    They are those of the time domain, `SIXTEEN`; `spectral = True` adds dominant frequency and centroid.

    A sanity check: an earlier measurement of such a set gave 48,000 to 54,000 windows/s on a 3.6 GHz core. If this
    class reaches that, FullSet, which has the same building blocks, is a fair peer."""

    lanes, bins_wanted, pairs, spectral = 14, 129, 66, False

    def chunk_of(self, samples, before, table, correlations, small):
        self.upper = np.triu_indices(12, 1)
        self.matrices = np.empty((self.chunk, 12, 12), FLOAT)
        super().chunk_of(samples, before, table, correlations, small)

    def correlate(self, rows):
        channels = self.centred[:, :12]
        np.matmul(channels, channels.transpose(0, 2, 1), out=self.matrices[rows])

    def finish_correlations(self, deviation, correlations):
        first, second = self.upper
        size = deviation[:, first] * deviation[:, second] * FLOAT(N)
        np.divide(self.matrices[:, first, second], size, out=correlations)

    def spectra(self, rows):
        if not self.spectral:
            return
        x = self.centred.reshape(-1, N)
        real = self.folded_power(x)
        np.matmul(real, self.to_sums, out=self.bins[rows].reshape(len(x), -1))
        real[:, 1:].argmax(axis=1, out=self.top[rows].reshape(-1))
        np.take(real, self.around + self.top[rows].reshape(-1, 1), out=self.peaks[rows].reshape(-1, 3), mode="clip")

    def finish_spectra(self, constant, table):
        if self.spectral:
            self.finish_peak(constant, np.moveaxis(self.bins, 2, 0), table)

    def finish_lags(self, constant, table):
        pass

    def finish_small(self, table, down, small):
        pass


class OrientationFree:
    """The seven features [windows × 7] over 64-sample windows, hop 16, 25 Hz; computes only what they need."""

    count, hop, columns, lag_column = 64, 16, 7, 4

    def __init__(self, chunk=1024):
        self.chunk, n = chunk, self.count
        time = np.arange(n)
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * time / n)
        low, high = ([k for k in range(65) if a <= k * RATE / 128 < b] for a, b in ((1.2, 2.2), (2.2, 3.5)))
        angle = 2 * np.pi * np.outer(time, low + high) / 128
        waves = hann[:, None] * np.hstack([np.cos(angle), np.sin(angle)]) * np.sqrt(2 / (128 * np.sum(hann ** 2)))
        angle = 2 * np.pi * np.outer(time, np.arange(47)) / 92  # 64 + 28: no lag wraps around
        self.waves = np.hstack([waves, np.cos(angle), np.sin(angle)]).astype(FLOAT)
        self.split, self.bins = len(low), len(low) + len(high)
        weight = np.where(np.arange(47) % 46 == 0, 1, 2)[:, None] / 92
        self.to_lags = (weight * np.cos(2 * np.pi * np.outer(np.arange(47), LAGS) / 92) / (n - LAGS)).astype(FLOAT)
        self.length = (chunk - 1) * self.hop + n
        self.ones = np.ones(n, FLOAT)

    def __call__(self, samples):
        windows = (samples.shape[1] - self.count) // self.hop + 1
        out = np.empty((windows, self.columns), FLOAT)
        for first in range(0, windows, self.chunk):
            start = min(first, windows - self.chunk)
            piece = samples[:, start * self.hop:start * self.hop + self.length]
            before = samples[9:12, start * self.hop - 1] if start else piece[9:12, 0]
            self.chunk_of(piece[3:6], piece[9:12], before, out[start:start + self.chunk])
        return out

    def sums(self, lanes):
        """Over every window, each hop's worth of samples summed once."""
        parts = (lanes.reshape(-1, self.hop) @ self.ones[:self.hop]).reshape(lanes.shape[:-1] + (-1,))
        return parts[..., :-3] + parts[..., 1:-2] + parts[..., 2:-1] + parts[..., 3:]

    def chunk_of(self, gravity, acceleration, before, out):
        """From gravity and user acceleration, [3 × (windows − 1) · hop + 64] each, and the user acceleration before
        them, to [windows × columns]."""
        down = gravity / np.sqrt(np.einsum("cn,cn->n", gravity, gravity))
        vertical = -np.einsum("cn,cn->n", acceleration, down)
        size = np.sqrt(np.einsum("cn,cn->n", acceleration, acceleration))
        whole = gravity + acceleration
        total = np.sqrt(np.einsum("cn,cn->n", whole, whole))
        windows = lambda lane: sliding_window_view(lane, self.count)[::self.hop]
        floor, n = FLOAT(0.01), FLOAT(1 / self.count)
        out[:, 0] = np.log(floor + np.sqrt(self.sums(vertical * vertical) * n))
        total -= total[0]
        centred = windows(total) - (self.sums(total) * n)[:, None]
        self.of_total(centred, out)
        ordered = np.sort(windows(size), axis=1)
        out[:, 2] = np.log(floor + ordered[:, 6] + FLOAT(0.3) * (ordered[:, 7] - ordered[:, 6]))  # 0.1 · 63 = 6.3
        parts = vertical.reshape(-1, self.hop).max(axis=1)
        pairs = np.maximum(parts[:-1], parts[1:])
        top = np.maximum(pairs[:-2], pairs[2:])
        out[:, 3] = np.copysign(np.log1p(np.abs(top) * FLOAT(20)), top)
        x = windows(vertical)
        mean = (self.sums(vertical) * n)[:, None]
        out[:, 5] = self.crossings(vertical, x, mean)
        length = self.sums(down)
        out[:, 6] = np.log(floor + 1 - np.sqrt(np.einsum("cn,cn->n", length, length)) * n)

    def crossings(self, lane, windows, mean):
        """Mean crossings per second."""
        words = np.packbits(windows < mean, axis=1, bitorder="little").view("<u8")[:, 0]
        changes = np.bitwise_count((words ^ words >> 1) & np.uint64(2 ** 63 - 1))
        return np.where(ordered_constant(lane, windows), 0, changes * FLOAT(RATE / self.count))

    def of_total(self, centred, out):
        waves = centred @ self.waves
        np.multiply(waves, waves, out=waves)
        bands = waves[:, :self.bins] + waves[:, self.bins:2 * self.bins]
        low, high = bands[:, :self.split].sum(axis=1), bands[:, self.split:].sum(axis=1)
        floor = FLOAT(0.01)
        out[:, 1] = np.log((floor + np.sqrt(high)) / (floor + np.sqrt(low)))
        self.first_peak(waves[:, 2 * self.bins:], out)

    def first_peak(self, waves, out):
        """The lag of the highest peak of the autocorrelation."""
        r = (waves[:, :47] + waves[:, 47:]) @ self.to_lags
        heights = r[:, 1:-1]
        peaks = (heights > r[:, :-2]) & (heights >= r[:, 2:])
        best = np.where(peaks, heights, FLOAT(-np.inf)).argmax(axis=1)
        rows = np.arange(len(r))
        left, top, right = r[rows, best], r[rows, best + 1], r[rows, best + 2]
        found = peaks[rows, best]
        offset = np.divide(FLOAT(0.5) * (left - right), left - 2 * top + right, out=np.zeros_like(top), where=found)
        out[:, self.lag_column] = np.where(found, (best + 5 + offset) * FLOAT(1 / RATE), 0)


class OfDefaultModel(OrientationFree):
    """The 18 features of the model `running`, in its order."""

    columns, lag_column = 18, 3

    def __init__(self, chunk=1024):
        super().__init__(chunk)
        n, size = self.count, 96  # 64 + 32: no lag up to 31 wraps around
        time, bins = np.arange(n), np.arange(1, 65)
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * time / n)
        scale = hann[:, None] * np.sqrt(np.where(bins == 64, 1, 2) / (128 * np.sum(hann ** 2)))
        bands = (3.3, 4.5), (2.3, 3.3), (1.5, 2.2), (2.6, 3.3)
        used = [k for k in bins if 1.5 <= k * RATE / 128 < 4.5]
        angle, plain = 2 * np.pi * np.outer(
            time, used) / 128, 2 * np.pi * np.outer(time, np.arange(size // 2 + 1)) / size
        # Every bin, for flatness and entropy: from cosines to bin 64, from sines to bin 63.
        every = 2 * np.pi * np.outer(time, bins) / 128
        self.whole = np.hstack([np.cos(every) * scale, (np.sin(every) * scale)[:, :63]]).astype(FLOAT)
        self.half_bands = [slice(*(int(np.ceil(edge * 128 / RATE)) - 1 for edge in band))
                           for band in ((1.2, 2.2), (2.2, 3.5))]
        scale = scale[:, np.array(used) - 1]
        self.wanted, self.used = len(used), np.array(used) - 1
        self.spectrum = np.hstack([np.cos(angle) * scale, np.sin(angle) * scale]).astype(FLOAT)
        self.rotations = np.hstack([np.cos(plain), np.sin(plain)]).astype(FLOAT)
        self.both = np.hstack([self.spectrum, self.rotations])
        self.bands = np.array([[a <= k * RATE / 128 < b for a, b in bands] for k in used]).astype(FLOAT)
        self.lags_of = {}
        for name, lags in (("vertical", np.append(0, np.arange(4, 32))), ("jerk", np.append(0, np.arange(7, 13)))):
            weight = np.where(np.arange(49) % 48 == 0, 1, 2)[:, None] / size
            self.lags_of[name] = (weight * np.cos(2 * np.pi * np.outer(np.arange(49), lags) / size)
                                  / (n - lags)).astype(FLOAT)

    def chunk_of(self, gravity, acceleration, before, out, starts=()):
        """As that of seven features; there is no step to the samples `starts`, with which files begin."""
        vertical = -np.einsum("cn,cn->n", acceleration, gravity / np.sqrt(np.einsum("cn,cn->n", gravity, gravity)))
        size = np.sqrt(np.einsum("cn,cn->n", acceleration, acceleration))
        whole = gravity + acceleration
        total = np.sqrt(np.einsum("cn,cn->n", whole, whole))
        steps = np.diff(acceleration, axis=1, prepend=before[:, None])
        steps[:, starts] = 0
        jerk = np.sqrt(np.einsum("cn,cn->n", steps, steps)) * FLOAT(RATE)
        windows = lambda lane: sliding_window_view(lane, self.count)[::self.hop]
        centred = lambda lane: windows(lane) - (self.sums(lane) * n)[:, None]
        floor, n = FLOAT(0.01), FLOAT(1 / self.count)
        out[:, 0] = np.log(floor + np.sqrt(self.sums(vertical * vertical) * n))
        out[:, 11] = np.log(floor + np.sqrt(self.sums(total * total) * n))
        self.of_total(centred(total - total[0]), out)
        ordered = np.partition(windows(size), (6, 7), axis=1)
        out[:, 2] = np.log(floor + ordered[:, 6] + FLOAT(0.3) * (ordered[:, 7] - ordered[:, 6]))  # 0.1 · 63 = 6.3
        x = windows(vertical)
        out[:, 4] = self.crossings(vertical, x, (self.sums(vertical) * n)[:, None])
        waves = np.square(centred(vertical) @ self.both)
        band = self.band(waves)
        out[:, 5], out[:, 6], out[:, 13] = band[:, 0] - band[:, 1], band[:, 1] - band[:, 2], band[:, 3]
        out[:, 7], out[:, 8], out[:, 14] = self.peaks(
            waves[:, 2 * self.wanted:], "vertical", slice(10, 16), slice(16, 26), slice(0, 23))
        ordered = np.partition(x, (15, 16, 47, 48), axis=1)
        upper = ordered[:, 47] + FLOAT(0.25) * (ordered[:, 48] - ordered[:, 47])  # 0.75 · 63 = 47.25
        lower = ordered[:, 15] + FLOAT(0.75) * (ordered[:, 16] - ordered[:, 15])  # 0.25 · 63 = 15.75
        out[:, 9] = np.log(floor + (upper - lower))
        out[:, 10], = self.peaks(np.square(centred(jerk) @ self.rotations), "jerk", slice(0, 4))
        lane = centred(size)
        power = self.power(lane)
        band = np.log(FLOAT(0.01) + np.sqrt(power[:, self.used] @ self.bands))
        out[:, 12] = band[:, 0] - band[:, 1]
        share = power / np.maximum(power.sum(axis=1), FLOAT(1e-37))[:, None]
        out[:, 16] = -np.einsum("wk,wk->w", share, np.log(np.maximum(share, FLOAT(1e-37)))) / FLOAT(np.log(64))
        out[:, 17] = self.crossings(size, windows(size), (self.sums(size) * n)[:, None])

    def of_total(self, centred, out):
        power = self.power(centred)
        low, high = (np.sqrt(power[:, band].sum(axis=1)) for band in self.half_bands)
        out[:, 1] = np.log((FLOAT(0.01) + high) / (FLOAT(0.01) + low))
        mean = power.mean(axis=1)
        logs = np.log(np.maximum(power, np.maximum(FLOAT(1e-12) * mean, FLOAT(1e-37))[:, None]))
        out[:, 15] = np.where(mean > 0, np.exp(logs.mean(axis=1)) / np.maximum(mean, FLOAT(1e-37)), 0)
        self.first_peak(np.square(centred @ self.waves[:, 2 * self.bins:]), out)

    def power(self, centred):
        """The power of the bins 1 to 64."""
        waves = np.square(centred @ self.whole)
        power = waves[:, :64]
        power[:, :63] += waves[:, 64:]
        return power

    def band(self, waves):
        """The logarithms of the bands."""
        power = waves[:, :self.wanted] + waves[:, self.wanted:2 * self.wanted]
        return np.log(FLOAT(0.01) + np.sqrt(power @ self.bands))

    def peaks(self, waves, lane, *ranges):
        """The highest peak of the autocorrelation in each range of lags."""
        r = (waves[:, :49] + waves[:, 49:]) @ self.lags_of[lane]
        heights = r[:, 2:-1]
        peaks = np.where((heights > r[:, 1:-2]) & (heights >= r[:, 3:]), heights, FLOAT(-np.inf))
        for lags in ranges:
            top = peaks[:, lags].max(axis=1)
            yield np.divide(top, r[:, 0], out=np.zeros_like(top), where=np.isfinite(top) & (r[:, 0] > 0))


def ordered_constant(lane, windows):
    """Which windows are constant; skipped if the stream has no constant stretch."""
    if (np.diff(lane[::16]) != 0).all():
        return np.zeros(len(windows), bool)
    return windows.max(axis=1) == windows.min(axis=1)
