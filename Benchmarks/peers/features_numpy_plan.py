"""The plan of the NumPy peers: constants, lanes of a stream, and the matrices of their transforms."""

import numpy as np

N, HOP, RATE = 128, 64, 25.0
LANES = 18
BANDS = [(0.3, 1.2), (1.2, 2.2), (2.2, 3.5), (3.5, 5.0), (5.0, 10.0)]
PERCENTILES = np.array([10, 25, 50, 75, 90])
LAGS = np.arange(4, 29)  # 5 … 27 samples are 0.2 … 1.1 s, plus a neighbour on either side
STATISTICS = 29
TURN = np.float32(2 * np.pi)
FLOAT = np.float32
FIRST = np.array([0, 0, 1, 3, 3, 4, 6, 6, 7, 9, 9, 10])  # the correlations' lanes
SECOND = np.array([1, 2, 2, 4, 5, 5, 7, 8, 8, 10, 11, 11])


def stream_lanes(samples, out, before=None):
    """The 18 lanes of [12 × n] into `out`, attitude as recorded, and ĝ."""
    out[:12] = samples
    gravity, rotation, acceleration = samples[3:6], samples[6:9], samples[9:12]
    down = gravity / np.sqrt(np.einsum("cn,cn->n", gravity, gravity))
    along = np.einsum("cn,cn->n", acceleration, down)
    out[12] = np.einsum("cn,cn->n", acceleration, acceleration)
    out[13] = np.einsum("cn,cn->n", rotation, rotation)
    out[14] = -along
    across = acceleration - along * down
    out[15] = np.einsum("cn,cn->n", across, across)
    whole = gravity + acceleration
    out[16] = np.einsum("cn,cn->n", whole, whole)
    change = np.diff(acceleration, axis=1)
    out[17, 1:] = np.einsum("cn,cn->n", change, change)
    out[17, 0] = 0 if before is None else np.sum((acceleration[:, 0] - before[9:12]) ** 2)
    for lanes in (out[12:14], out[15:18]):
        np.sqrt(lanes, out=lanes)
    out[17] *= FLOAT(RATE)
    return down


def transform_matrices():
    """Cosines and sines about the window's middle: scaled, Hann-weighted bins of 256, then plain bins of 156."""
    m = np.arange(65)[:, None]  # x[64 + m] ± x[64 - m]; m = 64 is x[0] alone, which the Hann takes to 0
    hann = 0.5 + 0.5 * np.cos(2 * np.pi * m / N)
    scale = np.sqrt(np.where(np.arange(129) % 128 == 0, 1, 2) / (256 * np.sum((0.5 - 0.5 * np.cos(
        2 * np.pi * np.arange(N) / N)) ** 2)))
    angle = 2 * np.pi * m * np.arange(129) / 256
    cosines, sines = hann * np.cos(angle) * scale, hann * np.sin(angle) * scale
    angle = 2 * np.pi * m * np.arange(79) / 156  # 128 + 28: no lag wraps around
    cosines, sines = np.hstack([cosines, np.cos(angle)]), np.hstack([sines, np.sin(angle)])
    return cosines.astype(FLOAT), sines[1:].astype(FLOAT)


def lag_matrix():
    """From squared bins of 156 to unbiased r[0], r[4] … r[28]."""
    lags = np.concatenate([[0], LAGS])
    weight = np.where(np.arange(79) % 78 == 0, 1, 2)[:, None] / 156
    return (weight * np.cos(2 * np.pi * np.arange(79)[:, None] * lags / 156) / (N - lags)).astype(FLOAT)


def bin_sums():
    """From P[0 … 128]: the five bands, the sum without bin 0, the sum of frequency · P."""
    frequency = np.arange(129) * RATE / 256
    columns = [(frequency >= low) & (frequency < high) for low, high in BANDS] + [frequency > 0, frequency]
    return np.array(columns, FLOAT).T.copy()
