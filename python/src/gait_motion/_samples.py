"""Samples in the caller's memory, arrays and tables, converted for C."""
from __future__ import annotations

from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Container, Iterator, Mapping, NamedTuple, Sequence

import numpy as np

from ._columns import CHANNELS, Column, OneRecording, columns_of, names_of, zone_of
from ._library import GaitError, check, floats, lib, pointer
from ._types import Floats, Int64s


@lru_cache
def in_order(channels: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Channels in the order of `CHANNELS`, and their mask."""
    order = tuple(channel for channel in CHANNELS if channel in channels)
    return order, sum(1 << CHANNELS.index(channel) for channel in order)


#: The rows that are converted and pushed at a time.
ROWS = 1 << 14
_FLOAT = np.dtype(np.float32)


class Clock(NamedTuple):
    """The kind of the caller's times: s for seconds as numbers, M for datetime64, m for timedelta64. Dates may have a
    zone."""

    kind: str = "s"
    zone: Any = None

    def times(self, nanoseconds: Int64s) -> np.ndarray[Any, Any]:
        """Times of the caller's kind."""
        return nanoseconds / 1e9 if self.kind == "s" else nanoseconds.view(f"{self.kind}8[ns]")


def clock_of(times: Any, data: Any = None) -> Clock:
    """The kind of the times. Times of a table may have a zone."""
    if times is None:
        return Clock()
    kind: str = np.asarray(times[:1]).dtype.kind
    if kind == "O":
        kind = "M" if len(times) and isinstance(times[0], datetime) else "s"
    return Clock(kind, None if data is None or kind != "M" else zone_of(data)) if kind in "mM" else Clock()


class Head(NamedTuple):
    """The facts of samples that a stream needs. The name is that of the file, or empty."""

    name: str
    sample_rate: float
    mask: int
    gravity_is_estimated: bool
    rows: int
    clock: Clock = Clock()


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
                    raise GaitError(f"{channel} has the shape {list(np.shape(values[channel]))}, and {channels[0]} has "
                                    f"{list(np.shape(values[channels[0]]))}; each channel is one column with a value "
                                    "for each row")
        if self.times is not None and len(self.times) != self.count:
            raise GaitError(f"there are {len(self.times)} times for {self.count} rows; give one for each row")

    def blocks(self) -> Iterator[Part]:
        """The rows in blocks. If there are no rows, one block without rows."""
        for first in range(0, max(1, self.count), ROWS):
            rows = slice(first, first + ROWS)
            values = self.values[rows] if isinstance(self.values, np.ndarray) else {
                channel: self.values[channel][rows] for channel in self.channels}
            yield Part(values, self.channels,
                       None if self.times is None else nanoseconds(self.times[rows]).view("M8[ns]"))

    def call(self, function: str, before: Sequence[Any], after: Sequence[Any] = ()) -> int:
        """Calls a function of the library, or its form for columns, with the samples between other arguments."""
        order, _ = in_order(tuple(self.channels))
        times = None if self.times is None else nanoseconds(self.times)
        if isinstance(self.values, np.ndarray):
            array = self.values if self.values.dtype is _FLOAT and type(
                self.values) is np.ndarray else floats(self.values)
            if self.channels is not CHANNELS and tuple(self.channels) != order:
                array = array[:, [list(self.channels).index(channel) for channel in order]]
            array = np.require(array, requirements=["C", "A"])
            shape = array.size, self.count, array.shape[1], 1
            return int(getattr(lib, function)(*before, pointer(times), pointer(array), *shape, *after))
        columns = [np.ascontiguousarray(floats(self.values[channel], channel)) for channel in order]
        pointers = np.array([column.ctypes.data for column in columns], np.uintp)
        return int(getattr(lib, f"{function}_columns")(*before, pointer(times), pointers.ctypes.data, self.count,
                                                       *after))

    def _push_to(self, stream: int) -> int:
        """Pushes the samples into a stream of their channels; returns the number of windows that can be pulled."""
        return check(self.call("gait_stream_push", [stream]))

    def column(self, channel: str) -> Floats:
        """The values of a channel."""
        values = self.values
        return floats(values[:, list(self.channels).index(channel)] if isinstance(values, np.ndarray)
                      else values[channel], channel)

    def check_step(self, hertz: float | None, clock: Clock) -> None:
        """Checks that the first times fit the stated rate, to find times in another unit."""
        if self.times is None or self.count < 2:
            return
        times, is_number = nanoseconds(self.times[:128]), clock.kind == "s"
        step = _median(times[1:] - times[:-1]) / 1e9
        # Times that do not increase have their own error.
        if step <= 0 or (0.25 <= step * hertz <= 4 if hertz is not None else not is_number or step < 1):
            return
        rate = "at most one sample a second" if hertz is None else f"but the sample rate is {hertz:g} Hz"
        raise GaitError(
            f"the times step by {step:g} s, {rate}; state the unit of the times with time_unit=\"ms\", \"us\", \"ns\" "
            "or "
                        "\"s\", pass datetime64, or leave out sample_rate")


def parts(
    data: Any, channels: Sequence[str] | None = None, times: Any = None, recording: OneRecording | None = None
) -> Iterator[Part]:
    """The parts of an array or a table. Arrow data has a part for each batch, an array or a data frame one part."""
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        yield _array_part(data, channels, times)
        return
    first, recording = 0, recording or OneRecording(data)
    for columns in columns_of(data, {*(CHANNELS if channels is None else channels), "time", *recording.names}):
        recording.check(columns)
        names = list(channels) if channels is not None else [name for name in CHANNELS if name in columns]
        _check_names(names, columns, data)
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
    return tables[0] if len(tables) == 1 else {name: np.concatenate([table[name] for table in tables])
                                               for name in tables[0]}


def whole(data: Any, sample_rate: float | None, channels: Sequence[str] | None) -> Iterator[tuple[Head, Part]]:
    """The blocks of an array or a table that is one recording, with its rate."""
    found = parts(data, channels if isinstance(data, np.ndarray) and data.dtype.names is None else None)
    is_stated = sample_rate is not None
    if sample_rate is None:
        found = iter(kept := list(found))
        sample_rate = rate_of(kept)
    last, row, clock = None, 0, None
    for part in found:
        clock = clock or clock_of(part.times, data)
        for block in part.blocks():
            if block.times is not None and block.count:
                check_order(block.times, last, row)
                last = block.times[-1]
            if row == 0:
                block.check_step(sample_rate if is_stated else None, clock)
            row += block.count
            yield Head("", float(sample_rate), block.mask, False, block.count, clock), block


def check_order(times: Any, last: Any = None, first: int = 0) -> None:
    """Checks that times increase strictly, and that the first one is after `last`."""
    late = times[1:] <= times[:-1]
    row = 0 if last is not None and times[0] <= last else 1 + int(late.argmax()) if late.any() else None
    if row is not None:
        raise GaitError(
            f"the time of row {first + row}, {nanoseconds(times[row:row + 1])[0]} ns, is not after that of the row "
                        "before; sort the rows by time and drop repeated ones; of a table with several recordings, "
                        "name the column that tells them apart by recording=")


def rate_of(parts: Sequence[Part]) -> float:
    """The rate by the median step of the times."""
    if any(part.times is None for part in parts) or sum(part.count for part in parts) < 2:
        raise GaitError("the sample rate is unknown; give sample_rate, or a time for each row")
    # In most recordings the median is one of many equal steps. It is then found without an array of all steps.
    step, count = _median(first := next(_steps(parts))), sum(part.count for part in parts)
    if len(first) < count - 1:
        counts = np.array(
            [((steps < step).sum(), (steps <= step).sum(), len(steps)) for steps in _steps(parts)]).sum(axis=0)
        if not 2 * counts[0] < counts[2] < 2 * counts[1]:
            step = _median(np.concatenate(list(_steps(parts))))
    if step <= 0:
        raise GaitError("times do not increase; sort the rows by time and drop repeated ones")
    return 1e9 / step


def _median(values: Int64s) -> float:
    """The median. It is quicker than NumPy's."""
    middle = (len(values) - 1) // 2, len(values) // 2
    return float(np.partition(values, middle)[list(middle)].sum()) / 2


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


#: Nanoseconds of a unit.
_TIMES = {"s": 10 ** 9, "ms": 10 ** 6, "us": 10 ** 3, "ns": 1, "0.01s": 10 ** 7, "0.1ms": 10 ** 5}


def nanoseconds(times: Any, unit: str | None = None) -> Int64s:
    """Times as whole nanoseconds. Numbers without a unit are seconds; datetime64 and timedelta64 have their own
    unit."""
    array = times.filled(np.nan) if isinstance(times, np.ma.MaskedArray) else np.asarray(times)
    if array.dtype.kind == "O" and array.ndim == 1 and all(isinstance(time, datetime) for time in array):
        array = np.array([_datetime64(time) for time in array], "M8[ns]")
    size: int = _size("time_unit", unit or "s", _TIMES)
    if array.ndim == 1 and array.dtype.str in ("<M8[ns]", "<m8[ns]"):
        exact: Int64s = np.ascontiguousarray(array).view(np.int64)
        if not len(exact) or -4e18 <= exact.min() and exact.max() <= 4e18:
            return exact
    try:
        seconds = array.astype(f"{array.dtype.kind}8[s]").astype(np.int64) if array.dtype.kind in "mM" else \
            array.astype(np.float64) * (size / 1e9)
    except (TypeError, ValueError):
        seconds = np.array([np.nan])
    # NumPy's missing time (NaT) is far beyond the range too.
    if seconds.ndim != 1 or not np.all((seconds >= -4e9) & (seconds <= 4e9)):
        largest = np.abs(seconds[np.isfinite(seconds)]).max(initial=0)
        guess = "ms" if largest < 4e12 else "us" if largest < 4e15 else "ns"
        is_number = largest > 1e10 and array.dtype.kind in "iuf"
        cure = f"state the unit of the times, such as time_unit=\"{guess}\"" if is_number else "drop rows without a time"
        raise GaitError(f"times are not a list of seconds within ±4e9 or of dates; {cure}")
    exact = array.astype(f"{array.dtype.kind}8[ns]").astype(np.int64) if array.dtype.kind in "mM" else \
        array.astype(
            np.int64) * size if array.dtype.kind in "iu" else np.rint(array.astype(np.float64) * size).astype(np.int64)
    return exact


def _size(option: str, unit: str, sizes: Mapping[str, Any]) -> Any:
    if unit not in sizes:
        raise GaitError(f"{option}={unit} is not valid; use one of {', '.join(sizes)}")
    return sizes[unit]


def _datetime64(time: Any) -> np.datetime64:
    """A date in UTC. It may have a time zone; a date of pandas keeps its nanoseconds."""
    if hasattr(time, "asm8"):
        return np.datetime64(time.value, "ns")
    return np.datetime64(time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time, "ns")


def nanosecond(seconds: float) -> int:
    """A time as whole nanoseconds."""
    if not abs(seconds) <= 4e9:
        raise GaitError(f"the start, {seconds} s, is not within ±4e9 s; choose a nearer one")
    return round(seconds * 1e9)


#: The size of a unit in g, and in radians.
_UNITS = {"g": 1.0, "mg": 0.001, "m/s2": 1 / 9.80665}
_ANGLES = {"rad": 1.0, "deg": np.pi / 180}


def accelerations(data: Any, unit: str) -> Mapping[str, Column] | None:
    """The columns `x`, `y` and `z`, or an array of three, as user acceleration in g; None for other samples."""
    size = np.float32(_size("unit", unit, _UNITS))
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        if data.ndim != 2 or data.shape[1] != 3:
            return None
        columns: dict[str, Any] = dict(zip("xyz", data.T))
    else:
        names = names_of(data)
        if not {*names} & {*"xyz"}:
            return None
        recording = OneRecording(data)
        columns = dict(joined(list(columns_of(data, ("x", "y", "z", "time", *recording.names)))))
        recording.check(columns)
        missing = [name for name in "xyz" if name not in columns]
        if missing:
            raise GaitError(f"there is no column {missing[0]}; the columns are {', '.join(names)}")
    scaled = {f"userAcceleration.{name}": floats(columns[name]) * size for name in "xyz"}
    return scaled | {name: column for name, column in columns.items() if name == "time"}


def in_units(part: Part, acceleration: str | None, angle: str | None) -> Part:
    """The samples in g and radians."""
    if acceleration is None and angle is None:
        return part
    sizes = {"g": _size("unit", acceleration or "g", _UNITS), "rad": _size("angle_unit", angle or "rad", _ANGLES)}
    scaled = {channel: part.column(channel) * np.float32(
        sizes["g" if channel.startswith(("gravity", "userAcceleration")) else "rad"]) for channel in part.channels}
    return Part(scaled, part.channels, part.times)


def _check_names(names: Sequence[str], columns: Container[str] = CHANNELS, data: Any = None) -> None:
    unknown = [name for name in names if name not in CHANNELS or name not in columns]
    if unknown or not names:
        found = names_of(data)
        problem = f"{unknown[0]} is not a channel of the data" if unknown else "no column is named after a channel"
        if all(axis in found for axis in "xyz"):
            problem = ("x, y and z have no unit; state it by acceleration_unit, or make a recording with "
                       "from_samples(…, unit=\"m/s2\")")
        columns_are = f"; the columns are {', '.join(found)}" if found else ""
        raise GaitError(f"{problem}; channels are {', '.join(CHANNELS)}{columns_are}")
