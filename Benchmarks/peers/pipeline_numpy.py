"""From motion CSV to the probabilities of every window, with polars or pyarrow, NumPy and onnxruntime.

Reads only the six columns that the model needs, as Float32. Resamples blocks of samples by one matrix product with
Gait's filter (`ResamplingKernel`), then computes the 18 features (`features_numpy_small.py`) and classifies all windows
at once. Files are joined in memory first, or processed one by one.

Gait detects and drops stale first rows; this peer is given the files that have one.
"""

import io
from pathlib import Path

import numpy as np
import onnxruntime
import polars
import pyarrow
import pyarrow.csv

from features_numpy_small import OfDefaultModel

COLUMNS = [f"{sensor}.{axis}" for sensor in ("gravity", "userAcceleration") for axis in "xyz"]
FLOAT, RATE = np.float32, 25
WINDOW, HOP, CHUNK = 64, 16, 1020  # windows; a multiple of both rates' blocks


def read_polars(source):
    table = polars.read_csv(source, columns=COLUMNS, schema_overrides=dict.fromkeys(COLUMNS, polars.Float32))
    return [table[name].to_numpy() for name in COLUMNS]


def read_pyarrow(source):
    table = pyarrow.csv.read_csv(
        source if isinstance(source, Path) else io.BytesIO(source),
        read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=4 << 20),
        convert_options=pyarrow.csv.ConvertOptions(
            include_columns=COLUMNS, column_types=dict.fromkeys(COLUMNS, pyarrow.float32())))
    return [table[name].to_numpy() for name in COLUMNS]


READERS = {"polars": read_polars, "pyarrow": read_pyarrow}


class Resampling:
    """Blocks of `size` samples to blocks of `outputs` by matrices: the samples of the block, and the first of the
    next."""

    def __init__(self, rate):
        lower, self.rate = min(rate, RATE), rate
        passband = min(0.2 * RATE, 0.35 * lower)
        transition = 1.08 * (lower - 2 * passband)
        cutoff = lower - passband - transition / 2
        self.half = (67 - 7.95) / (14.36 * transition) / 2
        beta = 0.1102 * (67 - 8.7)
        self.size = {50: 64, 10: 32}[rate]
        self.outputs = self.size * RATE // rate
        self.first = int(np.ceil(self.half * RATE))  # the first grid point with samples on both sides
        time = (self.first + np.arange(self.outputs)) / RATE
        count = int(np.floor((time[-1] + self.half) * rate)) + 1
        distance = np.arange(count)[:, None] / rate - time
        place = np.clip(np.abs(distance) / self.half, 0, 1)
        weights = np.i0(beta * np.sqrt(1 - place * place)) / np.i0(beta) * np.sinc(2 * cutoff * distance) * (place < 1)
        weights = (weights / weights.sum(axis=0)).astype(FLOAT)
        self.own, self.next = weights[:self.size].copy(), weights[self.size:].copy()

    def count(self, rows):
        """The number of outputs of this many evenly spaced samples."""
        return max(0, int(np.floor(((rows - 1) / self.rate - self.half + 1 / self.rate) * RATE + 1e-9)) - self.first
                   + 1)

    def __call__(self, blocks):
        """[6 × blocks + 1 × size] to [6 × blocks · outputs]."""
        values = blocks[:, :-1] @ self.own
        values += blocks[:, 1:, :len(self.next)] @ self.next
        return values.reshape(len(blocks), -1)


class Scoring:
    """The exported model in onnxruntime, or its weights in NumPy."""

    def __init__(self, onnx, uses_numpy):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
        self.weights = self.folded() if uses_numpy else None

    def folded(self):
        """[features + 1 × labels], weights and intercepts: the model is linear, so that many windows determine it."""
        count = OfDefaultModel.columns
        features = np.vstack([np.zeros(count), np.eye(count)]).astype(FLOAT)
        logits = np.log(self.session.run(["probabilities"], {"features": features * FLOAT(0.1)})[0].astype(float))
        logits -= logits[:, :1]
        return np.vstack([(logits[1:] - logits[0]) * 10, logits[0]]).astype(FLOAT)

    def __call__(self, features):
        if self.weights is None:
            return self.session.run(["probabilities"], {"features": features})[0]
        logits = features @ self.weights[:-1] + self.weights[-1]
        logits -= logits.max(axis=1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=1, keepdims=True)
        return logits


class RunPipeline:
    """Files to probabilities [windows × labels], by one of `READERS`."""

    def __init__(self, reader, rate, scoring):
        self.read = READERS[reader]
        self.resampling, self.scoring, self.features = Resampling(rate), scoring, OfDefaultModel(CHUNK)

    def of_file(self, path, stale=0):
        columns = self.read(path)
        rows = len(columns[0]) - stale
        windows = self.windows(rows)
        return self.scoring(self.table([column[stale:] for column in columns], windows))

    def of_files(self, paths, stale):
        return np.concatenate([self.of_file(path, first) for path, first in zip(paths, stale)])

    def of_joined(self, paths, stale):
        """Reads all files as one; each file starts at a block boundary, and windows that span two files are dropped."""
        texts = [Path(path).read_bytes() for path in paths]
        header = texts[0][:texts[0].index(b"\n") + 1]
        texts = [text[text.index(b"\n") + 1:] + (b"" if text.endswith(b"\n") else b"\n") for text in texts]
        columns = self.read(b"".join([header, *texts]))
        counts = np.array([text.count(b"\n") for text in texts])
        size = self.resampling.size
        places = np.concatenate([[0], np.cumsum(-(-(counts - stale) // size) * size + size)])
        sources = np.concatenate([[0], np.cumsum(counts)])
        laid = np.ones((6, places[-1]), FLOAT)
        for source, end, place in zip(sources + np.append(stale, 0), sources[1:], places):
            for row, column in zip(laid, columns):
                row[place:place + end - source] = column[source:end]
        windows = [self.windows(rows) for rows in counts - stale]
        firsts = places[:-1] // size * self.resampling.outputs // HOP
        table = self.table(laid, int(firsts[-1]) + windows[-1], firsts)
        return self.scoring(table[np.concatenate([first + np.arange(count) for first, count in zip(firsts, windows)])])

    def windows(self, rows):
        return max(0, (self.resampling.count(rows) - WINDOW) // HOP + 1)

    def table(self, columns, windows, starts=np.zeros(0, int)):
        """The features [windows × columns] of evenly spaced samples; `starts` are the windows with which a file
        begins."""
        out = np.empty((windows, OfDefaultModel.columns), FLOAT)
        size, outputs = self.resampling.size, self.resampling.outputs
        for first in range(0, windows, CHUNK):
            count = min(CHUNK, windows - first)
            length = (count - 1) * HOP + WINDOW
            start, blocks = first * HOP // outputs * size, -(-length // outputs)
            samples = np.ones((6, (blocks + 1) * size), FLOAT)
            for row, column in zip(samples, columns):
                piece = column[start:start + samples.shape[1]]
                row[:len(piece)] = piece
            values = self.resampling(samples.reshape(6, blocks + 1, size))[:, :length]
            before = values[3:, 0] if first == 0 else before
            begun = (starts[(starts >= first) & (starts < first + count)] - first) * HOP
            self.features.chunk_of(values[:3], values[3:], before, out[first:first + count], begun)
            before = values[3:, count * HOP - 1]
        return out
