"""Samples in the caller's memory: arrays and tables, as C takes them."""
from __future__ import annotations

from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Container, Iterator, Mapping, NamedTuple, Sequence

import numpy as np

from ._columns import Column, columns_of, names_of
from ._library import GaitError, check, floats, lib, pointer
from ._types import Int64s

#: The channels in their order: radians, g, radians per second, g.
CHANNELS = ("attitude.roll", "attitude.pitch", "attitude.yaw") + tuple(
    f"{sensor}.{axis}" for sensor in ("gravity", "rotationRate", "userAcceleration") for axis in "xyz")


@lru_cache
def in_order(channels: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Channels in the order of `CHANNELS`, and their mask."""
    order = tuple(channel for channel in CHANNELS if channel in channels)
    return order, sum(1 << CHANNELS.index(channel) for channel in order)


#: The rows that are converted and pushed at a time.
ROWS = 1 << 14
_FLOAT = np.dtype(np.float32)


class Head(NamedTuple):
    """What a stream of samples needs to know. The name is that of the file, or empty."""

    name: str
    sample_rate: float
    mask: int
    gravity_is_estimated: bool
    rows: int


class Part:
    """Samples that are not converted yet: an array of shape [rows, channels], or columns by name."""

    __slots__ = ("values", "channels", "times", "count", "mask")

    def __init__(self, values: Column | Mapping[str, Column], channels: Sequence[str], times: Any) -> None:
        self.values, self.channels, self.mask = values, channels, in_order(tuple(channels))[1]
        self.times = times if times is None or isinstance(times, np.ma.MaskedArray) else np.asarray(times)
        if isinstance(values, np.ndarray):
            self.count = len(values)
        else:
            self.count = np.size(values[channels[0]])
            for channel in channels:
                if np.shape(values[channel]) != (self.count,):
                    raise GaitError(
                        f"{channel} has the shape {list(np.shape(values[channel]))}, and {channels[0]} has "
                        f"{list(np.shape(values[channels[0]]))}; each channel is one column with a value for each row")
        if self.times is not None and len(self.times) != self.count:
            raise GaitError(f"there are {len(self.times)} times for {self.count} rows; give one for each row")

    def blocks(self) -> Iterator[Part]:
        """The rows in blocks; one without rows if there are none."""
        for first in range(0, max(1, self.count), ROWS):
            rows = slice(first, first + ROWS)
            values = self.values[rows] if isinstance(self.values, np.ndarray) else {
                channel: self.values[channel][rows] for channel in self.channels}
            yield Part(values, self.channels, None if self.times is None else nanoseconds(self.times[rows]).view("M8[ns]"))

    def call(self, function: str, before: Sequence[Any], after: Sequence[Any] = ()) -> int:
        """Calls a function of the library, or its form for columns, with the samples between other arguments."""
        order, _ = in_order(tuple(self.channels))
        times = None if self.times is None else nanoseconds(self.times)
        if isinstance(self.values, np.ndarray):
            array = self.values if self.values.dtype is _FLOAT and type(self.values) is np.ndarray else floats(self.values)
            if self.channels is not CHANNELS and tuple(self.channels) != order:
                array = array[:, [list(self.channels).index(channel) for channel in order]]
            array = np.require(array, requirements=["C", "A"])
            shape = array.size, self.count, array.shape[1], 1
            return int(getattr(lib, function)(*before, pointer(times), pointer(array), *shape, *after))
        columns = [np.ascontiguousarray(floats(self.values[channel], channel)) for channel in order]
        pointers = np.array([column.ctypes.data for column in columns], np.uintp)
        return int(getattr(lib, f"{function}_columns")(*before, pointer(times), pointers.ctypes.data, self.count, *after))

    def _push_to(self, stream: int) -> int:
        """Pushes the samples into a stream of their channels; the number of windows that wait."""
        return check(self.call("gait_stream_push", [stream]))


def parts(data: Any, channels: Sequence[str] | None = None, times: Any = None) -> Iterator[Part]:
    """The parts of an array or a table: one of an array or a data frame, one for each batch of Arrow data."""
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        yield _array_part(data, channels, times)
        return
    first = 0
    for columns in columns_of(data, {*(CHANNELS if channels is None else channels), "time"}):
        names = list(channels) if channels is not None else [name for name in CHANNELS if name in columns]
        _check_names(names, columns, names_of(data))
        count = np.size(columns[names[0]])
        yield Part(columns, names, columns.get("time") if times is None else times[first:first + count])
        first += count
    if times is not None and len(times) != first:
        raise GaitError(f"there are {len(times)} times for {first} rows; give one for each row")


def _array_part(data: Column, channels: Sequence[str] | None, times: Any) -> Part:
    if data.ndim != 2:
        raise GaitError(f"samples have the shape [rows, channels], not {list(data.shape)}")
    names = channels if channels is not None else CHANNELS if data.shape[1] == 12 else ()
    if names is not CHANNELS or data.shape[1] != 12:
        if len(names) != data.shape[1] or len(set(names)) != len(names):
            raise GaitError(f"{data.shape[1]} columns need as many different channels; name them with channels=[…]")
        _check_names(names)
    return Part(data, names, times)


def joined(tables: Sequence[Mapping[str, Column]]) -> Mapping[str, Column]:
    """Tables one after another."""
    return tables[0] if len(tables) == 1 else {
        name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def whole(data: Any, sample_rate: float | None) -> Iterator[tuple[Head, Part]]:
    """The blocks of an array or a table that is one recording, with its rate."""
    found = parts(data)
    if sample_rate is None:
        found = iter(kept := list(found))
        sample_rate = rate_of(kept)
    last, row = None, 0
    for part in found:
        for block in part.blocks():
            if block.times is not None and block.count:
                check_order(block.times, last, row)
                last = block.times[-1]
            row += block.count
            yield Head("", float(sample_rate), block.mask, False, block.count), block


def check_order(times: Any, last: Any = None, first: int = 0) -> None:
    """Checks that times increase strictly, also from those before."""
    late = times[1:] <= times[:-1]
    row = 0 if last is not None and times[0] <= last else 1 + int(late.argmax()) if late.any() else None
    if row is not None:
        raise GaitError(f"the time of row {first + row}, {nanoseconds(times[row:row + 1])[0]} ns, is not after that of the row "
                        "before; sort the rows by time and drop repeated ones")


def rate_of(parts: Sequence[Part]) -> float:
    """The rate by the median step of the times."""
    if any(part.times is None for part in parts) or sum(part.count for part in parts) < 2:
        raise GaitError("the sample rate is unknown; give sample_rate, or a time for each row")
    # Most recordings have many equal steps, of which the median is one: it is found without an array of all steps.
    step = float(np.median(next(_steps(parts))))
    counts = np.array([((steps < step).sum(), (steps <= step).sum(), len(steps)) for steps in _steps(parts)]).sum(axis=0)
    if not 2 * counts[0] < counts[2] < 2 * counts[1]:
        step = float(np.median(np.concatenate(list(_steps(parts))), overwrite_input=True))
    if step <= 0:
        raise GaitError("times do not increase; sort the rows by time and drop repeated ones")
    return 1e9 / step


def _steps(parts: Sequence[Part]) -> Iterator[Int64s]:
    """The steps of the times, in blocks."""
    last = np.empty(0, np.int64)
    for part in parts:
        assert part.times is not None
        for first in range(0, part.count, ROWS):
            times = np.concatenate([last, nanoseconds(part.times[first:first + ROWS])])
            last = times[-1:]
            if len(times) > 1:
                yield np.diff(times)


def nanoseconds(times: Any) -> Int64s:
    """Times as whole nanoseconds: seconds as numbers, datetime64 or timedelta64 as they are."""
    array = times.filled(np.nan) if isinstance(times, np.ma.MaskedArray) else np.asarray(times)
    if array.dtype.kind == "O" and array.ndim == 1 and all(isinstance(time, datetime) for time in array):
        array = np.array([_datetime64(time) for time in array], "M8[ns]")
    try:
        seconds = array.astype(f"{array.dtype.kind}8[s]").astype(np.int64) if array.dtype.kind in "mM" else \
            array.astype(np.float64)
    except (TypeError, ValueError):
        seconds = np.array([np.nan])
    # The time that is none is far beyond the range.
    if seconds.ndim != 1 or not np.all((seconds >= -4e9) & (seconds <= 4e9)):
        raise GaitError("times are not a list of seconds within ±4e9 or of dates; drop rows without a time")
    if array.dtype.kind in "mM":
        return array.astype(f"{array.dtype.kind}8[ns]").astype(np.int64)
    return np.rint(seconds * 1e9).astype(np.int64)


def _datetime64(time: Any) -> np.datetime64:
    """A date with or without a time zone, as UTC; pandas' have nanoseconds."""
    if hasattr(time, "asm8"):
        return np.datetime64(time.value, "ns")
    return np.datetime64(time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time, "ns")


def nanosecond(seconds: float) -> int:
    """A time as whole nanoseconds."""
    if not abs(seconds) <= 4e9:
        raise GaitError(f"the start, {seconds} s, is not within ±4e9 s; choose a nearer one")
    return round(seconds * 1e9)


#: The size of a unit, g.
_UNITS = {"g": 1.0, "mg": 0.001, "m/s2": 1 / 9.80665}


def accelerations(data: Any, unit: str) -> Mapping[str, Column]:
    """The columns `x`, `y` and `z` as user acceleration in g."""
    if unit not in _UNITS:
        raise GaitError(f"{unit} is not a unit of acceleration; use one of {', '.join(_UNITS)}")
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        if data.ndim != 2 or data.shape[1] != 3:
            raise GaitError(f"accelerations have the shape [rows, 3], not {list(data.shape)}")
        columns: dict[str, Any] = dict(zip("xyz", data.T))
    else:
        columns = dict(joined(list(columns_of(data, ("x", "y", "z", "time")))))
        missing = [name for name in "xyz" if name not in columns]
        if missing:
            raise GaitError(f"there is no column {missing[0]}; the columns are {', '.join(names_of(data))}")
    scaled = {f"userAcceleration.{name}": floats(columns[name]) * np.float32(_UNITS[unit]) for name in "xyz"}
    return scaled | {name: column for name, column in columns.items() if name == "time"}


def _check_names(names: Sequence[str], columns: Container[str] = CHANNELS, found: Sequence[str] = ()) -> None:
    unknown = [name for name in names if name not in CHANNELS or name not in columns]
    if unknown or not names:
        problem = f"{unknown[0]} is not a channel of the data" if unknown else "no column is named after a channel"
        if all(axis in found for axis in "xyz"):
            problem = "x, y and z have no unit; make a recording with from_samples(…, unit=\"m/s2\")"
        columns_are = f"; the columns are {', '.join(found)}" if found else ""
        raise GaitError(f"{problem}; channels are {', '.join(CHANNELS)}{columns_are}")
