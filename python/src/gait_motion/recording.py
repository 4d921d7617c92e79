"""Recordings: from files, arrays and tables."""
from __future__ import annotations

import ctypes
import os
from datetime import datetime, timezone
from functools import cached_property, lru_cache
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from . import _arrow
from ._library import GaitError, Handle, check, floats, lib, memory, options, path_bytes, pointer
from .table import Table

#: The channels in their order: radians, g, radians per second, g.
CHANNELS = ("attitude.roll", "attitude.pitch", "attitude.yaw") + tuple(
    f"{sensor}.{axis}" for sensor in ("gravity", "rotationRate", "userAcceleration") for axis in "xyz")


@lru_cache
def in_order(channels: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Channels in the order of `CHANNELS`, and their mask."""
    order = tuple(channel for channel in CHANNELS if channel in channels)
    return order, sum(1 << CHANNELS.index(channel) for channel in order)


_FLOAT = np.dtype(np.float32)


class Samples:
    """A block of samples as C takes it: one array for each channel, or rows of one array."""

    __slots__ = ("mask", "times", "rows_of", "columns", "count")

    def __init__(
        self, values: np.ndarray | Mapping[str, np.ndarray], channels: Sequence[str], times: np.ndarray | None
    ) -> None:
        order, self.mask = in_order(tuple(channels))
        self.times = times
        self.rows_of: np.ndarray | None = None
        self.columns: list[np.ndarray] = []
        if isinstance(values, np.ndarray):
            array = values if values.dtype is _FLOAT and type(values) is np.ndarray else floats(values)
            if channels is not CHANNELS and tuple(channels) != order:
                array = array[:, [list(channels).index(channel) for channel in order]]
            if not array.flags.carray and (
                    any(stride <= 0 or stride % 4 for stride in array.strides) or not array.flags.aligned):
                array = array.copy()
            self.rows_of = array
            self.count = len(array)
        else:
            self.columns = [np.ascontiguousarray(floats(values[channel])) for channel in order]
            shapes = {channel: column.shape for channel, column in zip(order, self.columns)}
            self.count = self.columns[0].size
            for channel, shape in shapes.items():
                if shape != (self.count,):
                    raise GaitError(
                        f"{channel} has the shape {list(shape)}, and {order[0]} has {list(shapes[order[0]])}; each channel is one "
                        "column with a value for each row")
        if times is not None and len(times) != self.count:
            raise GaitError(f"there are {len(times)} times for {self.count} rows; give one for each row")

    def strided(self) -> tuple[int | None, Any, int, int, int, int]:
        """The arguments times, values, length, rows, row stride and channel stride."""
        array = self.rows_of
        assert array is not None
        if array.flags.carray:
            return pointer(self.times), memory(array), array.size, self.count, array.shape[1], 1
        row, channel = (stride // 4 for stride in array.strides)
        length = (self.count - 1) * row + (array.shape[1] - 1) * channel + 1 if self.count else 0
        return pointer(self.times), pointer(array), length, self.count, row, channel

    def column_pointers(self) -> tuple[int | None, Any, int]:
        """The arguments times, columns and rows."""
        pointers = np.array([array.ctypes.data for array in self.columns], np.uintp)
        return pointer(self.times), pointers, self.count


def nanoseconds(times: Any) -> np.ndarray:
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


def array_block(data: np.ndarray, channels: Sequence[str] | None, times: Any) -> Samples:
    """The block of an array of shape [rows, channels]."""
    if data.ndim != 2:
        raise GaitError(f"samples have the shape [rows, channels], not {list(data.shape)}")
    names = channels if channels is not None else CHANNELS if data.shape[1] == 12 else ()
    if names is not CHANNELS or data.shape[1] != 12:
        if len(names) != data.shape[1] or len(set(names)) != len(names):
            raise GaitError(f"{data.shape[1]} columns need as many different channels; name them with channels=[…]")
        _check_names(names)
    return Samples(data, names, None if times is None else nanoseconds(times))


def blocks(data: Any, channels: Sequence[str] | None = None, times: Any = None) -> Iterator[Samples]:
    """Blocks of samples: one of an array or a data frame, one for each batch of Arrow data."""
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        yield array_block(data, channels, times)
        return
    is_arrow = hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
    first, given = 0, None if times is None else nanoseconds(times)
    wanted = CHANNELS + ("time",) if channels is None else (*channels, "time")
    for columns in _arrow.batches(data, wanted) if is_arrow and not hasattr(data, "iloc") else [_columns(data)]:
        names = list(channels) if channels is not None else [name for name in CHANNELS if name in columns]
        _check_names(names, columns)
        count = np.size(columns[names[0]])
        block = given[first:first + count] if given is not None else \
            nanoseconds(columns["time"]) if "time" in columns else None
        first += count
        yield Samples(columns, names, block)


def _columns(data: Any) -> Mapping[str, np.ndarray]:
    if isinstance(data, Mapping):
        return {str(name): np.asarray(column) for name, column in data.items()}
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        wanted = [name for name in data.columns if name in CHANNELS or name in ("time", "x", "y", "z")]
        index = {"time": data.index} if getattr(data.index, "inferred_type", "") in ("datetime64", "timedelta64") else {}
        return index | {name: data[name].to_numpy() for name in wanted}
    if isinstance(data, np.ndarray) and data.dtype.names is not None:
        return {name: data[name] for name in data.dtype.names}
    raise GaitError(
        f"a {type(data).__name__} is not a recording; pass a Recording, an array, a mapping or data frame of channels, or "
        "Arrow data")


#: The size of a unit, g.
_UNITS = {"g": 1.0, "mg": 0.001, "m/s2": 1 / 9.80665}


def _accelerations(data: Any, unit: str) -> Mapping[str, np.ndarray]:
    """The columns `x`, `y` and `z` as user acceleration in g."""
    if unit not in _UNITS:
        raise GaitError(f"{unit} is not a unit of acceleration; use one of {', '.join(_UNITS)}")
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        if data.ndim != 2 or data.shape[1] != 3:
            raise GaitError(f"accelerations have the shape [rows, 3], not {list(data.shape)}")
        columns: dict[str, Any] = dict(zip("xyz", data.T))
    else:
        names = data.dtype.names if isinstance(data, np.ndarray) else data.keys() if isinstance(data, Mapping) else \
            getattr(data, "column_names", getattr(data, "columns", ()))
        missing = [name for name in "xyz" if name not in names]
        if missing:
            raise GaitError(f"there is no column {missing[0]}; the columns are {', '.join(map(str, names))}")
        columns = {name: data[name] for name in ("x", "y", "z", "time") if name in names}
        index = getattr(data, "index", None)
        if getattr(index, "inferred_type", "") in ("datetime64", "timedelta64"):
            columns["time"] = index
    scaled = {f"userAcceleration.{name}": floats(np.asarray(columns[name])) * np.float32(_UNITS[unit]) for name in "xyz"}
    return scaled | ({"time": np.asarray(columns["time"])} if "time" in columns else {})


def _check_names(names: Sequence[str], columns: Mapping[str, Any] | None = None) -> None:
    unknown = [name for name in names if name not in CHANNELS or (columns is not None and name not in columns)]
    if unknown or not names:
        found = f"; the columns are {', '.join(columns)}" if columns is not None else ""
        problem = f"{unknown[0]} is not a channel of the data" if unknown else "no column is named after a channel"
        if columns is not None and all(axis in columns for axis in "xyz"):
            problem = "x, y and z have no unit; make a recording with from_samples(…, unit=\"m/s2\")"
        raise GaitError(f"{problem}; channels are {', '.join(CHANNELS)}{found}")


class Recording:
    """Samples in memory with their channels, rate and times. Make one with `read_recording`, or from arrays and tables."""

    def __init__(self, handle: Handle, head: tuple[float, int, bool] | None = None) -> None:
        self._handle = handle
        if head is None:
            head = self.sample_rate, in_order(tuple(self.channels))[1], self.gravity_is_estimated
        #: What a stream of these samples needs to know.
        self._head = head

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self._handle.describe()

    @classmethod
    def from_samples(
        cls, data: Any, *, sample_rate: float | None = None, channels: Sequence[str] | None = None, times: Any = None,
        start: float = 0, name: str = "recording", gravity_is_estimated: bool = False, unit: str | None = None,
        linear: bool = False,
    ) -> Recording:
        """A recording from an array of shape [rows, channels], or from a table with columns named after channels.

        Args:
            data: an array; a mapping or a pandas, polars or pyarrow table. A column `time`, or an index of
                timestamps, has the times.
            sample_rate: rows per second; by default from the median step of the times.
            channels: the names of an array's columns; by default all twelve. Of a table, the columns to use.
            times: the time of each row: seconds, datetime64 or timedelta64. By default evenly spaced.
            start: the time of the first row without times, seconds.
            name: the name in errors.
            gravity_is_estimated: whether gravity was estimated from a bare accelerometer.
            unit: the unit of the columns `x`, `y` and `z` of an accelerometer, or of an array of these three: g, mg or m/s2.
                Gravity is estimated from them as from those of files.
            linear: whether `x`, `y` and `z` are the acceleration without gravity, which then is missing.

        Raises:
            GaitError: a channel is unknown, the shapes do not match, or times do not increase.
        """
        if unit is not None:
            data, channels = _accelerations(data, unit), None
        elif linear:
            raise GaitError("linear describes the columns x, y and z; give their unit: g, mg or m/s2")
        if isinstance(data, np.ndarray) and data.dtype.names is None:
            block = array_block(data, channels, times)
        else:
            parts = list(_owned(blocks(data, channels, times)))
            block = parts[0] if len(parts) == 1 else _joined(parts)
        rate = float(sample_rate if sample_rate is not None else _rate(block.times))
        estimated = 2 if unit is not None and not linear else int(bool(gravity_is_estimated))
        arguments = path_bytes(name), rate, nanosecond(start), block.mask
        head = None if estimated == 2 else (rate, block.mask, bool(estimated))
        if block.rows_of is not None:
            return cls(Handle(lib.gait_recording_create(*arguments, *block.strided(), estimated)), head)
        times_pointer, columns, count = block.column_pointers()
        return cls(Handle(lib.gait_recording_create_columns(
            *arguments, times_pointer, columns.ctypes.data, count, estimated)), head)

    def __len__(self) -> int:
        return int(self._facts["rows"])

    def __repr__(self) -> str:
        return f"Recording({self.name!r}, {len(self)} rows at {self.sample_rate:g} Hz)"

    @property
    def name(self) -> str:
        """The path of the file, or the name that was given."""
        return str(self._facts["name"])

    @property
    def sample_rate(self) -> float:
        """The nominal rate, hertz."""
        return float(self._facts["sampleRate"])

    @property
    def channels(self) -> list[str]:
        """The channels that the source has."""
        return list(self._facts["channels"])

    @property
    def format(self) -> str | None:
        """The format of the file; None for a recording from memory."""
        format: str | None = self._facts["format"]
        return format

    @property
    def repairs(self) -> list[str]:
        """What the reader repaired or found suspect, one sentence each."""
        return list(self._facts["repairs"])

    @property
    def gravity_is_estimated(self) -> bool:
        """Whether gravity was estimated from a bare accelerometer."""
        return bool(self._facts["gravityIsEstimated"])

    @property
    def values(self) -> np.ndarray:
        """The samples, float32 of shape [rows, 12], columns in the order of `CHANNELS`; NaN if missing."""
        return self._copy()[0]

    @property
    def times(self) -> np.ndarray:
        """The times, int64 of shape [rows], nanoseconds."""
        return self._copy()[1]

    @property
    def labels(self) -> np.ndarray | None:
        """The label of each row, None where it has none; None if the file has no labels."""
        return self._texts("labels")

    @property
    def subjects(self) -> np.ndarray | None:
        """The subject of each row; None if the file has none."""
        return self._texts("subjects")

    def table(self) -> Table:
        """The samples as columns: time in seconds, then the source's channels."""
        values, times = self._copy()
        columns = {name: values[:, index] for index, name in enumerate(CHANNELS) if name in self.channels}
        return Table({"time": times / 1e9} | columns)

    def _copy(self) -> tuple[np.ndarray, np.ndarray]:
        values, times = np.empty((len(self), 12), np.float32), np.empty(len(self), np.int64)
        check(lib.gait_recording_copy(
            self._handle.value, 0, len(self), pointer(values), values.size, pointer(times), times.size))
        return values, times

    def __reduce__(self) -> tuple[Any, ...]:
        values, times = self._copy()
        columns = [index for index, channel in enumerate(CHANNELS) if channel in self.channels]
        return _restored, (values[:, columns], times, self._facts)

    def _texts(self, key: str) -> np.ndarray | None:
        if self._facts[key] is None:
            return None
        texts = np.full(len(self), None, object)
        for run in self._facts[key]:
            texts[run["first"]:run["end"]] = run.get("label")
        return texts


def _restored(values: np.ndarray, times: np.ndarray, facts: dict[str, Any]) -> Recording:
    recording = Recording.from_samples(
        values, times=times.view("M8[ns]"), sample_rate=facts["sampleRate"], channels=facts["channels"], name=facts["name"],
        gravity_is_estimated=facts["gravityIsEstimated"])
    recording._facts = facts
    return recording


def _owned(parts: Iterator[Samples]) -> Iterator[Samples]:
    """The blocks with copies of columns that belong to an Arrow stream."""
    for part in parts:
        part.columns = [column.copy() if column.base is not None else column for column in part.columns]
        yield part


def _joined(parts: list[Samples]) -> Samples:
    first = parts[0]
    first.columns = [np.concatenate([part.columns[index] for part in parts]) for index in range(len(first.columns))]
    first.times = None if first.times is None else np.concatenate([part.times for part in parts])
    first.count = sum(part.count for part in parts)
    return first


def _rate(times: np.ndarray | None) -> float:
    if times is None or len(times) < 2:
        raise GaitError("the sample rate is unknown; give sample_rate, or a time for each row")
    step = float(np.median(np.diff(times)))
    if step <= 0:
        raise GaitError("times do not increase; sort the rows by time and drop repeated ones")
    return 1e9 / step


def read_recording(
    path: str | os.PathLike[str], *, sample_rate: float | None = None, format: str | None = None,
    acceleration_unit: str | None = None, angle_unit: str | None = None, time_unit: str | None = None,
    label_column: str | None = None, columns: Sequence[str] | None = None,
) -> Recording:
    """Reads a recording: every text file, JSON, folder and zip archive that the command `gait` reads.

    Args:
        path: the file, folder or archive.
        sample_rate: rows per second; needed if the file has no times and its format has no fixed rate.
        format: the recorder; detected by default.
        acceleration_unit, angle_unit, time_unit: the units, where neither the columns nor the format state them.
        label_column: the column with each row's label.
        columns: the names of the first columns of a file without a usable header.

    Raises:
        GaitError: with file, line, column and the cure.
    """
    return Recording(Handle(lib.gait_recording_read(path_bytes(path), options({
        "rate": sample_rate, "format": format, "accelerationUnit": acceleration_unit, "angleUnit": angle_unit,
        "timeUnit": time_unit, "labelColumn": label_column, "columns": columns}))))


def read_blocks(
    path: str | os.PathLike[str], *, sample_rate: float | None = None, format: str | None = None,
    acceleration_unit: str | None = None, angle_unit: str | None = None, time_unit: str | None = None,
    label_column: str | None = None, columns: Sequence[str] | None = None,
) -> Iterator[Recording]:
    """Reads a recording of any length in blocks: recordings of successive samples, the same as of `read_recording`.

    A text file is read in blocks, in flat memory; an unusual rate is measured first, over all of its times. Folders, archives,
    JSON, and files of less than 65,536 rows are one block. The arguments are those of `read_recording`.

        stream = features.stream(100)
        for block in read_blocks("week.csv", sample_rate=100):
            windows = stream.push(block)

    Raises:
        GaitError: with file, line, column and the cure; also if later rows show that the first blocks were read wrongly, as
            they are out of order. A path in place of a recording has no such limit: the work begins again.
    """
    for block in _blocks(path, {
            "rate": sample_rate, "format": format, "accelerationUnit": acceleration_unit, "angleUnit": angle_unit,
            "timeUnit": time_unit, "labelColumn": label_column, "columns": columns}):
        if block is None:
            raise GaitError(
                f"{os.fsdecode(path)}: later rows are out of order, have another rate than the first ones, or lack "
                "accelerations; use read_recording")
        yield block


def _blocks(path: str | os.PathLike[str], reading: dict[str, Any]) -> Iterator[Recording | None]:
    """The blocks of a file; None if all follow again."""
    blocks, block = Handle(lib.gait_blocks_open(path_bytes(path), options(reading))), ctypes.c_uint64()
    while status := check(lib.gait_blocks_next(blocks.value, ctypes.byref(block))):
        yield Recording(Handle(block.value)) if status == 1 else None


def blocks_of(data: Any, sample_rate: float | None) -> Iterator[Recording | None]:
    """A recording, array or table as one block, or the blocks of the file at a path; None if all follow again."""
    if isinstance(data, (str, os.PathLike)):
        return _blocks(data, {"rate": sample_rate})
    return iter([as_recording(data, sample_rate)])


def as_recording(data: Any, sample_rate: float | None = None) -> Recording:
    """The recording itself, or one from arrays and tables."""
    return data if isinstance(data, Recording) else Recording.from_samples(data, sample_rate=sample_rate)
