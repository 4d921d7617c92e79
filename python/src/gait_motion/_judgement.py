"""What is suspect in samples from memory. The reader of files judges theirs, with the same limits and sentences."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._library import GaitError

#: The rows that are judged, from the first on, and the fewest of a sensor.
ROWS, FEWEST = 128, 25
#: The limits of GaitFormats/Timeline/GravityCheck.swift: g, g, rad/s, and g of the mean over a second; and rad.
_ACCELERATIONS, _MOST_LINEAR, _FASTEST, _STEADY, _ANGLE = (0.5, 8.0), 4.0, 40.0, (0.4, 0.7), 7.0
#: The share of missing rows that is told.
_MISSING = 0.1


def judged_rows(hertz: float) -> slice:
    """The rows that are judged: at most 25 of a second, as the first ones are not in the processor's cache."""
    step = max(1, int(-(-hertz // 25)))
    return slice(0, ROWS * step, step)


def suspect(channels: Sequence[str], rows: Any, hertz: float, *, is_total: bool = False, needed: Sequence[str] = ()) -> list[str]:
    """The sentences about the first rows of a recording, an array of shape [rows, channels] at `hertz`.

    Args:
        is_total: whether userAcceleration is the total acceleration, of a plain accelerometer.
        needed: channels that must have values.
    """
    if not is_total and _is_usual(channels, rows):
        return []
    sentences = missing(channels, rows, needed)
    squares = rows * rows
    linear, gravity, rotation = (
        _vectors(channels, rows, squares, sensor) for sensor in ("userAcceleration", "gravity", "rotationRate"))
    included = linear if is_total else gravity
    if included is not None and not _ACCELERATIONS[0] <= (mean := float(np.sqrt(included[1]).mean())) <= _ACCELERATIONS[1]:
        sentences.append(f"the mean acceleration is {mean:.3g} g, where gravity alone is 1 g; check the units, and that gravity is "
                         "included; acceleration_unit states another unit")
    elif linear is not None and is_total and (steady := _steady_length(linear[0], hertz)) < _STEADY[0]:
        sentences.append(f"the mean acceleration over a second is {steady:.2g} g, so gravity is not included; linear=True says so")
    if linear is not None and not is_total and (mean := float(np.sqrt(linear[1]).mean())) > _STEADY[1]:
        if (steady := _steady_length(linear[0], hertz)) > _STEADY[1]:
            sentences.append(f"the mean userAcceleration over a second is {steady:.3g} g, so gravity is included, or the unit is not g; "
                             "name the columns of a plain accelerometer x, y and z, and state their unit by acceleration_unit")
        elif mean > _MOST_LINEAR:
            sentences.append(f"the mean userAcceleration is {mean:.3g} g; check its unit; acceleration_unit states another one")
    if rotation is not None and (fastest := float(rotation[1].max()) ** 0.5) > _FASTEST:
        sentences.append(f"the rotation rate reaches {fastest:.0f} rad/s, more than sensors measure; check its unit, and see angle_unit")
    angles = [index for index, name in enumerate(channels) if name in ("attitude.roll", "attitude.pitch")]
    if angles and len(rows) and (largest := float(np.fmax.reduce(squares[:, angles], axis=None)) ** 0.5) > _ANGLE:
        sentences.append(f"the attitude reaches {largest:.0f} rad, more than a turn; check its unit, and see angle_unit")
    return sentences


def _is_usual(channels: Sequence[str], rows: Any) -> bool:
    """Whether rows with gravity surely have nothing suspect: four operations instead of forty."""
    if len(rows) == 0 or "gravity.x" not in channels:
        return False
    columns = np.einsum("ij,ij->j", rows, rows), np.add.reduce(rows), np.maximum.reduce(rows), np.minimum.reduce(rows)
    gravity = linear = offset = 0.0
    for channel, square, total, high, low in zip(channels, *(column.tolist() for column in columns)):
        if channel.startswith("gravity"):
            gravity += square
        elif channel.startswith("userAcceleration"):
            linear, offset = linear + square, offset + total * total
        elif channel.startswith("rotationRate") and not max(high, -low) < _FASTEST / 2:
            return False
        elif channel.startswith("attitude") and not max(high, -low) < _ANGLE:
            return False
    # A missing value makes every comparison false.
    count = len(rows)
    return 0.7 * count < gravity < 1.4 * count and linear < 6 * count and offset < (_STEADY[0] * count) ** 2


def missing(channels: Sequence[str], rows: Any, needed: Sequence[str] = ()) -> list[str]:
    """The sentences about missing values in the first rows."""
    has_value = np.isfinite(rows)
    if has_value.all():
        return []
    counts = dict(zip(channels, has_value.sum(axis=0).tolist()))
    sentences = [f"{name} has no value in the first {len(rows)} rows" for name, count in counts.items() if count == 0 and name in needed]
    present = [index for index, name in enumerate(channels) if name.startswith("userAcceleration") and counts[name]]
    share = 1 - float(has_value[:, present].all(axis=1).mean())
    if share > _MISSING:
        sentences.append(f"{100 * share:.0f} % of the first {len(rows)} rows lack accelerations, which are interpolated where at most "
                         "0.3 s are missing")
    return sentences


def _vectors(channels: Sequence[str], rows: Any, squares: Any, sensor: str) -> tuple[Any, Any] | None:
    """The vectors of a sensor, shape [rows, 3], and their squares, without missing ones and zeros; None for too few."""
    first = f"{sensor}.x"
    index = list(channels).index(first) if first in channels else len(channels)
    if list(channels[index + 1:index + 3]) != [f"{sensor}.y", f"{sensor}.z"]:
        return None
    vectors, squares = rows[:, index:index + 3], squares[:, index] + squares[:, index + 1] + squares[:, index + 2]
    valid = squares > 0
    if not valid.all():
        vectors, squares = vectors[valid], squares[valid]
    return (vectors, squares) if len(vectors) >= FEWEST else None


def _steady_length(vectors: Any, hertz: float) -> float:
    """The median length of the mean over a second; 0.5, which says nothing, of less than five seconds."""
    rows = max(1, round(hertz))
    seconds = len(vectors) // rows
    if seconds < 5:
        return 0.5
    means = np.full(rows, 1 / rows, np.float32) @ vectors[:seconds * rows].reshape(seconds, rows, 3)
    length: float = np.sort((means * means).sum(axis=1))[seconds // 2].item() ** 0.5
    return length


def check_step(step: float, hertz: float | None, is_number: bool) -> None:
    """Checks that times as they are read fit the stated rate; `step` is their median step in seconds."""
    # Those that do not increase have their own error.
    if step <= 0:
        return
    cure = "state the unit of the times with time_unit=\"ms\", \"us\", \"ns\" or \"s\", or pass datetime64"
    if hertz is not None and not 0.25 <= step * hertz <= 4:
        raise GaitError(f"the times step by {step:g} s, but the sample rate is {hertz:g} Hz; {cure}" + (
            ", or leave out sample_rate" if is_number else "; or leave out sample_rate"))
    if hertz is None and is_number and step >= 1:
        raise GaitError(f"the times step by {step:g} s, which is at most one sample a second; {cure}")


def check_values(channels: Sequence[str], empty: Sequence[str]) -> None:
    """Raises for needed channels that have no value in any row."""
    missing = [channel for channel in channels if channel in empty]
    if missing:
        raise GaitError(f"{', '.join(missing)} {'has' if len(missing) == 1 else 'have'} no value in any row; fill the column, or use a "
                        "model or features that do not need it")


def no_windows(seconds: float, window: float) -> str:
    """The sentence for a recording without windows."""
    if seconds < window:
        return f"there are no windows, as {seconds:.3g} s of samples are shorter than one of {window:g} s"
    return "there are no windows, as no stretch of samples without gaps or missing values is as long as one"


def low_coverage(count: int, windows: int) -> str:
    """The sentence for windows of which many samples were interpolated."""
    return (f"{count} of {windows} windows lack more than a tenth of their samples, which were interpolated; Windows.coverage has the "
            "share of each")
