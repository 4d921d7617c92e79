"""A motion CSV of any size in MotionDataCollector's format: simulated people at 50 Hz, generated from a seed."""

import numpy as np

from catalogue import CHANNELS
from features_reference import running, still, walking

RATE = 50
UNIQUE_ROWS = 200_000  # about 50 MB and 67 minutes; then the motion repeats with increasing row numbers


def realistic_stream(rows, rate=25, seed=20):
    """Minutes of running, walking and standing, with varying orientations of the phone: float64 [12 × rows]."""
    rng, pieces, length = np.random.default_rng(seed), [], 0
    while length < rows:
        count, kind = int(rng.integers(20, 120) * rate), rng.random()
        worn = {"tilt": (rng.uniform(-3, 3), rng.uniform(-1.4, 1.4)), "heading": rng.uniform(-3, 3),
                "turn": rng.normal(0, 0.2)}
        if kind < 0.15:
            pieces.append(still(rng, count, rate, 0.01))
        elif kind < 0.5:
            pieces.append(walking(rng, count, rate, **worn))
        else:
            pieces.append(running(rng, count, rate, **worn))
        length += count
    return np.concatenate(pieces, axis=1)[:, :rows]


def write(path, size, samples=None):
    """About `size` bytes: a row's index, then twelve doubles, each the shortest decimal that reads back the same."""
    if samples is None:
        samples = realistic_stream(min(UNIQUE_ROWS, size // 200), RATE)
    cells = ["," + ",".join(map(repr, row)) + "\n" for row in samples.T.tolist()]
    row, written = 0, 0
    with open(path, "w", encoding="ascii") as file:
        written += file.write("," + ",".join(CHANNELS) + "\n")
        while written < size:
            text = "".join([f"{row + index}{line}" for index, line in enumerate(cells[:(size - written) // 200 + 1])])
            written += file.write(text)
            row += len(cells)
