"""The full set of features in optimised NumPy on one core, in Float32: the main peer of `gait`.

Exactly the 539 features of Tests/References/catalogue.py, for one window length (128 samples, hop 64, 25 Hz), over a
stream stored channel by channel, the best layout for NumPy. Design choices and their measurements (shared machine,
about 3 GHz):

- Blocks of a few windows stay in the second-level cache; every array is allocated once and written with `out=`.
- np.sort of 128 Floats (AVX-512 inside NumPy) takes 0.2 µs, np.partition at ten places 3.8 µs.
- Sums are matrix products with ones (13 ns a row; x.sum takes 49) and np.vecdot.
- The spectrum and the autocorrelation come from one matrix product over the window folded about its middle (a
  shift does not change the power spectrum): 0.55 µs a row for both, where SciPy's Float32 rfft takes 0.5 µs for the
  first alone, prepared and padded, and direct lags 1.3 µs for the second. The periodic Hann is part of the matrix. The
  autocorrelation is a second, small product with the squared bins of a transform just long enough for its lags.
- Half-windows share everything that does not depend on the window: lanes, unwrapping, differences, means, directions.
- Crossings are counted in bits: sign, packbits, shift, exclusive or, bitwise_count.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from features_numpy_plan import (FIRST, FLOAT, HOP, LANES, N, PERCENTILES, RATE, SECOND, STATISTICS, TURN, bin_sums,
                                 lag_matrix, stream_lanes, transform_matrices)


class FullSet:
    """Called with a stream [12 × n]: `table` [29 × windows × 18], `correlations` [windows × 12], `small` [windows × 7].

    A chunk of windows shares lanes and final formulas, where the overhead of a NumPy call exceeds its arithmetic; a
    block of windows, a part of a chunk, has the arrays of N samples and stays in cache.
    """

    lanes, bins_wanted, pairs = LANES, 208, 12

    def __init__(self, chunk=512, block=32):
        lanes = self.lanes
        self.chunk, self.block = chunk, block
        self.cosines, self.sines = (np.ascontiguousarray(m[:, :self.bins_wanted]) for m in transform_matrices())
        self.to_lags, self.to_sums = lag_matrix(), bin_sums()
        position = PERCENTILES / 100 * (N - 1)
        below = position.astype(int)
        self.part = (position % 1).astype(FLOAT)
        self.columns = np.concatenate([[0, N - 1], below, below + 1])
        self.ones = np.ones(N, FLOAT)
        empty = lambda *shape: np.empty(shape, FLOAT)
        length, rows = (chunk + 1) * HOP, block * lanes
        self.stream, self.steps = empty(18, length), np.zeros((lanes, length), FLOAT)
        self.centred, self.work = empty(block, lanes, N), empty(block, lanes, N)
        self.even, self.odd, self.logs = empty(rows, 65), empty(rows, 64), empty(rows, N)
        self.real, self.imaginary = empty(rows, self.bins_wanted), empty(rows, self.bins_wanted)
        self.signs = np.empty((block, lanes, N), bool)
        self.around = np.arange(rows)[:, None] * self.bins_wanted + np.arange(3)
        # results of a block for the chunk's formulas
        self.sums, self.marks = empty(5, chunk, lanes), empty(chunk, lanes, 12)
        self.words, self.products = np.empty((chunk, lanes, 16), np.uint8), empty(3, chunk, 4)
        self.top, self.bins = np.empty((chunk, lanes), np.intp), empty(chunk, lanes, 7)
        self.log_sums, self.peaks = empty(2, chunk, lanes), empty(chunk, lanes, 3)
        self.lagged = empty(chunk, lanes, 26)

    def __call__(self, samples):
        windows = (samples.shape[1] - N) // HOP + 1
        table, correlations, small = (np.empty(shape, FLOAT) for shape in (
            (STATISTICS, windows, self.lanes), (windows, self.pairs), (windows, 7)))
        for first in range(0, windows, self.chunk):
            start = min(first, windows - self.chunk)  # the last chunk repeats windows of the one before
            rows = slice(start, start + self.chunk)
            before = samples[:, start * HOP - 1] if start else None
            self.chunk_of(samples[:, start * HOP:(start + self.chunk + 1) * HOP], before,
                          table[:, rows], correlations[rows], small[rows])
        return table, correlations, small

    def chunk_of(self, samples, before, table, correlations, small):
        stream = self.stream
        down = stream_lanes(samples, stream, before)
        stream = stream[:self.lanes]
        origin = stream[:, 0].copy()
        stream -= origin[:, None]  # a large mean costs no digits
        mean = self.of_halves(stream).T * FLOAT(1 / N)
        turned = self.unwrap(samples[:3], stream, mean)
        views = sliding_window_view(stream, N, axis=1)[:, ::HOP].transpose(1, 0, 2)
        for start in range(0, self.chunk, self.block):
            rows = slice(start, start + self.block)
            np.subtract(views[rows], mean[rows, :, None], out=self.centred)
            for lane, windows, x in turned:
                here = (windows >= start) & (windows < start + self.block)
                self.centred[windows[here] - start, lane] = x[here]
            self.moments(rows)
            self.order(rows)
            self.spectra(rows)
        mean += origin
        constant = self.finish_moments(mean, table, correlations)
        self.finish_order(mean, constant, table)
        self.finish_spectra(constant, table)
        self.finish_lags(constant, table)
        self.finish_small(table, down, small)

    def unwrap(self, attitude, stream, mean):
        """The differences from sample to sample; and (lane, windows, [windows × N] centred) where an angle jumps."""
        steps, turned = self.steps, []
        np.subtract(stream[:, 1:], stream[:, :-1], out=steps[:, 1:])
        for lane in range(3):
            step = steps[lane, 1:]
            jumps = np.flatnonzero(np.abs(step) > np.pi) + 1
            if len(jumps):
                turns = np.zeros(len(attitude[lane]), FLOAT)
                turns[jumps] = -np.sign(step[jumps - 1])
                step += TURN * turns[1:]
                starts = HOP * np.arange(self.chunk)
                windows = np.flatnonzero(np.searchsorted(jumps, starts + N) > np.searchsorted(jumps, starts + 1))
                index = starts[windows, None] + np.arange(N)
                turns = np.cumsum(turns)[index]
                x = stream[lane][index] + TURN * (turns - turns[:, :1])
                mean[windows, lane] = x.mean(axis=1)
                turned.append((lane, windows, x - mean[windows, lane, None]))
        np.abs(steps, out=steps)
        return turned

    def of_halves(self, lanes):
        """Sums over every window, each half summed once."""
        halves = (lanes.reshape(-1, HOP) @ self.ones[:HOP]).reshape(len(lanes), -1)
        return halves[:, :-1] + halves[:, 1:]

    def moments(self, rows):
        centred, work = self.centred, self.work
        np.multiply(centred, centred, out=work)
        np.matmul(work, self.ones, out=self.sums[0, rows])
        np.vecdot(work, centred, out=self.sums[1, rows])
        np.vecdot(work, work, out=self.sums[2, rows])
        np.abs(centred, out=work)
        np.matmul(work, self.ones, out=self.sums[3, rows])
        np.matmul(centred, self.ones, out=self.sums[4, rows])
        self.correlate(rows)

    def correlate(self, rows):
        sensors = self.centred[:, :12].reshape(-1, 4, 3, N)
        for pair, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
            np.vecdot(sensors[:, :, a], sensors[:, :, b], out=self.products[pair, rows])

    def order(self, rows):
        np.signbit(self.centred, out=self.signs)
        self.words[rows] = np.packbits(self.signs, axis=2, bitorder="little")
        np.copyto(self.work, self.centred)
        self.work.sort(axis=2)
        np.take(self.work, self.columns, axis=2, out=self.marks[rows], mode="clip")

    def spectra(self, rows):
        """Every sum over both transforms' squared bins."""
        x = self.centred.reshape(-1, N)
        real = self.folded_power(x)
        flat = lambda array: array[rows].reshape(len(x), -1)
        np.matmul(real[:, 129:], self.to_lags, out=flat(self.lagged))
        sums = np.matmul(real[:, :129], self.to_sums, out=flat(self.bins))
        inner = real[:, 1:129]
        inner.argmax(axis=1, out=self.top[rows].reshape(-1))
        np.take(real, self.around + flat(self.top), out=flat(self.peaks), mode="clip")
        np.maximum(inner, sums[:, 5:6] * FLOAT(1e-12 / 128) + FLOAT(1e-38), out=self.logs)
        np.log(self.logs, out=self.logs)
        np.matmul(self.logs, self.ones, out=self.log_sums[0, rows].reshape(-1))
        np.vecdot(inner, self.logs, out=self.log_sums[1, rows].reshape(-1))

    def folded_power(self, x):
        real, imaginary = self.real, self.imaginary
        right, left = x[:, 65:], x[:, 63:0:-1]
        np.add(right, left, out=self.even[:, 1:64])
        np.subtract(right, left, out=self.odd[:, :63])
        self.even[:, 0] = x[:, 64]
        self.even[:, 64] = x[:, 0]
        np.negative(x[:, 0], out=self.odd[:, 63])
        np.matmul(self.even, self.cosines, out=real)
        np.matmul(self.odd, self.sines, out=imaginary)
        np.multiply(real, real, out=real)
        np.multiply(imaginary, imaginary, out=imaginary)
        np.add(real, imaginary, out=real)
        return real

    def finish_moments(self, mean, table, correlations):
        still = self.marks[..., 0] == self.marks[..., 1]  # only rounding of the mean remains
        self.sums[:, still], self.bins[still] = 0, 0
        second, third, fourth, absolute, left = self.sums * FLOAT(1 / N)
        third -= 3 * left * second  # for a still phone with yaw near π, rounding of the mean would appear as skewness
        constant = second <= FLOAT(1e-14) * mean * mean
        safe = np.where(constant, FLOAT(1), second)
        table[0] = mean
        deviation = np.sqrt(second, out=table[1])
        square = second + mean * mean
        np.sqrt(square, out=table[5])
        np.multiply(square, FLOAT(N), out=table[17])
        table[6] = absolute
        table[9] = np.where(constant, 0, third / (safe * np.sqrt(safe)))
        table[10] = np.where(constant, 0, fourth / (safe * safe) - 3)
        deviation = np.where(constant, FLOAT(np.inf), deviation)
        self.finish_correlations(deviation, correlations)
        return constant

    def finish_correlations(self, deviation, correlations):
        size = deviation[:, FIRST] * deviation[:, SECOND]
        np.divide(self.products.transpose(1, 2, 0).reshape(-1, 12) * FLOAT(1 / N), size, out=correlations)

    def finish_order(self, mean, constant, table):
        marks = np.moveaxis(self.marks, 2, 0).copy()
        np.add(marks[:2], mean, out=table[2:4])
        np.subtract(marks[1], marks[0], out=table[4])
        between = marks[2:7] + self.part[:, None, None] * (marks[7:] - marks[2:7])
        np.add(between, mean, out=table[11:16])
        np.subtract(between[3], between[1], out=table[16])
        steps = self.steps
        total = self.of_halves(steps) - steps[:, :-HOP:HOP]  # the step into a window is not in it
        np.multiply(total.T, FLOAT(1 / (N - 1)), out=table[7])
        words = self.words.view("<u8")
        low, high = words[..., 0], words[..., 1]
        count = np.bitwise_count(low ^ (low >> 1 | high << 63)) + np.bitwise_count((high ^ high >> 1) & (2 ** 63 - 1))
        np.multiply(np.where(constant, 0, count), FLOAT(RATE / N), out=table[8])

    def finish_spectra(self, constant, table):
        sums = np.moveaxis(self.bins, 2, 0).copy()
        np.sqrt(sums[:5], out=table[20:25])
        total = self.finish_peak(constant, sums, table)
        table[27] = (np.log(total) - self.log_sums[1] / total) * FLOAT(1 / np.log(128))
        table[28] = np.exp(self.log_sums[0] * FLOAT(1 / 128)) / total * FLOAT(128)
        table[27:29, constant] = 0

    def finish_peak(self, constant, sums, table):
        total = np.where(constant, FLOAT(1), sums[5])
        left, peak, right = np.log(np.moveaxis(self.peaks, 2, 0) + FLOAT(1e-38))
        bend = left - 2 * peak + right
        inside = (self.top > 0) & (self.top < 127) & (bend < 0)
        offset = np.divide(FLOAT(0.5) * (left - right), bend, out=np.zeros_like(bend), where=inside)
        table[25] = (self.top + 1 + offset) * FLOAT(RATE / 256)
        table[26] = sums[6] / total
        table[25:27, constant] = 0
        return total

    def finish_lags(self, constant, table):
        r = self.lagged.reshape(-1, 26)
        heights = r[:, 2:-1]
        peaks = (heights > r[:, 1:-2]) & (heights >= r[:, 3:])
        best = np.where(peaks, heights, FLOAT(-np.inf)).argmax(axis=1)
        found = np.take_along_axis(peaks, best[:, None], 1)[:, 0] & ~constant.ravel()
        left, top, right = np.take_along_axis(r, best[:, None] + np.arange(1, 4), 1).T
        offset = np.divide(FLOAT(0.5) * (left - right), left - 2 * top + right, out=np.zeros_like(top), where=found)
        height = np.divide(top, r[:, 0], out=np.zeros_like(top), where=found)
        table[18] = height.reshape(constant.shape)
        table[19] = np.where(found, (best + 5 + offset) * FLOAT(1 / RATE), 0).reshape(constant.shape)

    def finish_small(self, table, down, small):
        """The seven features, from results in the table."""
        floor, down = FLOAT(0.01), self.of_halves(down)
        small[:, 0] = np.log(floor + table[5, :, 14])
        small[:, 1] = np.log(floor + table[22, :, 16]) - np.log(floor + table[21, :, 16])
        small[:, 2] = np.log(floor + table[11, :, 12])
        top = table[3, :, 14]
        small[:, 3] = np.copysign(np.log1p(np.abs(top) * FLOAT(20)), top)
        small[:, 4], small[:, 5] = table[19, :, 16], table[8, :, 14]
        small[:, 6] = np.log(floor + 1 - np.sqrt(np.einsum("cn,cn->n", down, down)) * FLOAT(1 / N))


def columns(results):
    """[windows × 541] in the order of the catalogue, in which two of the 539 features occur twice."""
    table, correlations, small = results
    return np.hstack([small, table.transpose(1, 2, 0).reshape(len(small), -1), correlations])
