"""What is suspect in samples from memory. The reader of files judges theirs, with the same limits and sentences."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from ._library import GaitError

#: The rows that are judged, from the first on, and the fewest of a sensor.
ROWS, FEWEST = 4096, 25
#: The limits of GaitFormats/Timeline/GravityCheck.swift: g, g, rad/s, and g of the mean over a second.
_ACCELERATIONS, _MOST_LINEAR, _FASTEST, _STEADY = (0.5, 8.0), 4.0, 40.0, (0.4, 0.7)
#: The share of missing rows that is told.
_MISSING = 0.1
Columns = Mapping[str, "np.ndarray[Any, Any]"]


def suspect(columns: Columns, hertz: float, *, is_total: bool = False, needed: Sequence[str] = ()) -> list[str]:
    """The sentences about the first rows of a recording.

    Args:
        columns: channels.
        is_total: whether userAcceleration is the total acceleration, of a plain accelerometer.
        needed: channels that must have values.
    """
    sentences = missing(columns, needed)
    linear, gravity = _vectors(columns, "userAcceleration"), _vectors(columns, "gravity")
    included = linear if is_total else gravity
    if included is not None and not _ACCELERATIONS[0] <= (mean := _mean_length(included)) <= _ACCELERATIONS[1]:
        sentences.append(f"the mean acceleration is {mean:.3g} g, where gravity alone is 1 g; check the units, and that gravity is "
                         "included; acceleration_unit states another unit")
    elif is_total and linear is not None and (steady := _steady_length(linear, hertz)) < _STEADY[0]:
        sentences.append(f"the mean acceleration over a second is {steady:.2g} g, so gravity is not included; linear=True says so")
    if not is_total and linear is not None:
        if (steady := _steady_length(linear, hertz)) > _STEADY[1]:
            sentences.append(f"the mean userAcceleration over a second is {steady:.3g} g, so gravity is included, or the unit is not g; "
                             "name the columns of a plain accelerometer x, y and z, and state their unit by acceleration_unit")
        elif (mean := _mean_length(linear)) > _MOST_LINEAR:
            sentences.append(f"the mean userAcceleration is {mean:.3g} g; check its unit; acceleration_unit states another one")
    rotation = _vectors(columns, "rotationRate")
    if rotation is not None and (fastest := float(np.sqrt((rotation ** 2).sum(axis=1).max()))) > _FASTEST:
        sentences.append(f"the rotation rate reaches {fastest:.0f} rad/s, more than sensors measure; check its unit; angle_unit states "
                         "another one")
    angles = [np.abs(columns[name]) for name in ("attitude.roll", "attitude.pitch") if name in columns]
    if angles and (largest := max((float(angle[np.isfinite(angle)].max(initial=0)) for angle in angles))) > 7:
        sentences.append(f"the attitude reaches {largest:.0f} rad, more than a turn; check its unit; angle_unit states another one")
    return sentences


def missing(columns: Columns, needed: Sequence[str] = ()) -> list[str]:
    """The sentences about missing values in the first rows."""
    has_value = {name: np.isfinite(column) for name, column in columns.items()}
    sentences = [f"{name} has no value in the first {len(column)} rows" for name, column in has_value.items()
                 if name in needed and len(column) and not column.any()]
    accelerations = [column for name, column in has_value.items() if name.startswith("userAcceleration") and column.any()]
    share = 1 - float(np.all(accelerations, axis=0).mean()) if accelerations else 0.0
    if share > _MISSING:
        sentences.append(f"{100 * share:.0f} % of the first {len(accelerations[0])} rows lack accelerations, which are interpolated where "
                         "at most 0.3 s are missing")
    return sentences


def _vectors(columns: Columns, sensor: str) -> Any:
    """The vectors of a sensor, shape [rows, 3], without missing ones and zeros; None for too few."""
    axes = [columns[f"{sensor}.{axis}"] for axis in "xyz" if f"{sensor}.{axis}" in columns]
    if len(axes) < 3:
        return None
    vectors = np.stack(axes, axis=1).astype(np.float64)
    vectors = vectors[np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)]
    return vectors if len(vectors) >= FEWEST else None


def _mean_length(vectors: Any) -> float:
    return float(np.sqrt((vectors ** 2).sum(axis=1)).mean())


def _steady_length(vectors: Any, hertz: float) -> float:
    """The median length of the mean over a second; 0.5, which says nothing, of less than five seconds."""
    rows = max(1, round(hertz))
    seconds = len(vectors) // rows
    if seconds < 5:
        return 0.5
    means = vectors[:seconds * rows].reshape(seconds, rows, 3).mean(axis=1)
    return float(np.median(np.sqrt((means ** 2).sum(axis=1))))


def check_step(step: float, hertz: float | None, is_number: bool) -> None:
    """Checks that times as they are read fit the stated rate; `step` is their median step in seconds."""
    # Those that do not increase have their own error.
    if step <= 0:
        return
    cure = "state the unit of the times with time_unit=\"ms\", \"us\", \"ns\" or \"s\", or pass datetime64"
    if hertz is not None and not 0.25 <= step * hertz <= 4:
        raise GaitError(f"the times step by {step:g} s, but the sample rate is {hertz:g} Hz; {cure}" + (
            ", or leave out sample_rate" if is_number else "; or leave out sample_rate"))
    if hertz is None and is_number and step > 1:
        raise GaitError(f"the times step by {step:g} s, which is less than one sample a second; {cure}")


def check_values(channels: Sequence[str], empty: Sequence[str], is_whole: bool) -> None:
    """Raises for needed channels that have no value in any row."""
    missing = [channel for channel in channels if channel in empty]
    if missing and is_whole:
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
