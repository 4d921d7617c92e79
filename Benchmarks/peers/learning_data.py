"""The data of the training benchmarks: the same rows for every learner, generated from a seed.

A file contains four little-endian UInt32 (training rows, held-out rows, columns, labels), then the values as Float32,
row after row, then a label for each row as UInt8. `RunWorkload --learning` reads it.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

SETS = ("easy", "correlated")


@dataclass
class LearningData:
    training: np.ndarray  # Float32 [rows × columns], standardised
    training_labels: np.ndarray  # int32 [rows]
    held_out: np.ndarray
    held_out_labels: np.ndarray

    def write(self, path):
        header = np.array([len(self.training), len(self.held_out), self.training.shape[1], 2], dtype="<u4")
        labels = np.concatenate([self.training_labels, self.held_out_labels]).astype(np.uint8)
        with Path(path).open("wb") as file:
            for part in (header, self.training, self.held_out, labels):
                part.tofile(file)


def features(kind, rng, rows, columns):
    """`easy`: independent columns. `correlated`: mixtures of 12 factors, each column with 1 % independent noise
    (condition 1e5)."""
    if kind == "easy":
        return rng.standard_normal((rows, columns))
    mixing = rng.standard_normal((12, columns))
    return rng.standard_normal((rows, 12)) @ mixing / 12**0.5 + 0.1 * rng.standard_normal((rows, columns))


def learning_data(kind, rows=100_000, held_out=20_000, columns=200, seed=5):
    """Two labels, from weights on all columns, two steps and an interaction, so that linear models and trees both find
    structure."""
    rng = np.random.default_rng([seed, SETS.index(kind)])
    x = features(kind, rng, rows + held_out, columns)
    x = ((x - x[:rows].mean(0)) / x[:rows].std(0)).astype(np.float32)
    logits = x @ rng.normal(0, 1.5 / columns**0.5, columns)
    a, b, c, d = (x[:, column % columns] for column in (3, 50, 7, 90))
    logits += 1.5 * (a > 0.5) - 1.2 * (b > -0.3) + np.where(c * d > 0, 1.0, -1.0)
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-logits))).astype(np.int32)
    return LearningData(x[:rows], y[:rows], x[rows:], y[rows:])
