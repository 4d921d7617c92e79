"""Recordings: from files, arrays and tables."""
from __future__ import annotations

import ctypes
import os
import pathlib
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence

import numpy as np

from ._columns import CHANNELS, columns_of, factors, names_of, zone_of
from ._library import GaitError, Handle, check, interruptible, lib, options, path_bytes, pointer, warn
from ._samples import (
    Clock, Head, Part, accelerations, check_order, clock_of, in_order, in_units, joined, nanosecond, nanoseconds, parts,
    rate_of,
    whole)
from ._types import AccelerationUnit, AngleUnit, Floats, Format, Int64s, Objects, Reading, TimeUnit
from .table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


_UNNAMED = "recording"
#: A number of rows so large that the call can be interrupted.
_LONG = 1 << 30


class Recording:
    """Samples in memory with their channels, rate and times. Make one with `read_recording`, or from arrays and tables.

        >>> recording = gait.read_recording(gait.sample_files()[0], sample_rate=50)
        >>> len(recording), recording.sample_rate, recording.values.shape, recording.channels[:3]
        (1400, 50.0, (1400, 12), ['attitude.roll', 'attitude.pitch', 'attitude.yaw'])

    Attributes:
        name: the path of the file, or the name that was given.
        sample_rate: the nominal rate, hertz.
        channels: the channels that the source has.
        gravity_is_estimated: whether gravity was estimated from a bare accelerometer.
    """

    def __init__(self, handle: Handle, head: Head | None = None) -> None:
        self._handle = handle
        if head is None:
            facts = self._facts
            head = Head(facts["name"], float(facts["sampleRate"]), in_order(tuple(facts["channels"]))[1],
                        facts["gravityIsEstimated"], facts["rows"])
        #: The facts that a stream of these samples needs.
        self._head = head
        self.name, self.sample_rate, self.gravity_is_estimated = head.name, head.sample_rate, head.gravity_is_estimated
        self.channels = [channel for index, channel in enumerate(CHANNELS) if head.mask >> index & 1]

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self._handle.describe()

    @classmethod
    def from_samples(
        cls, data: Any, *, sample_rate: float | None = None, channels: Sequence[str] | None = None, times: Any = None,
        start: float = 0, name: str = _UNNAMED, gravity_is_estimated: bool = False,
        unit: AccelerationUnit | None = None,
        angle_unit: AngleUnit | None = None, time_unit: TimeUnit | None = None, linear: bool = False,
    ) -> Recording:
        """A recording from an array of shape [rows, channels], or from a table with columns named after channels.

            >>> axes = ["gravity.x", "gravity.y", "gravity.z"]
            >>> gait.Recording.from_samples(np.zeros((100, 3)), sample_rate=50, channels=axes)
            Recording('recording', 100 rows at 50 Hz)
            >>> phone = {"time": np.arange(500) * 20, "x": np.zeros(500), "y": np.zeros(500), "z": np.full(500, 9.81)}
            >>> gait.Recording.from_samples(phone, unit="m/s2", time_unit="ms").channels
            ['gravity.x', 'gravity.y', 'gravity.z', 'userAcceleration.x', 'userAcceleration.y', 'userAcceleration.z']

        Args:
            data: an array; a mapping or a pandas, polars or pyarrow table. A column `time`, or an index of
                timestamps, has the times.
            sample_rate: rows per second; by default from the median step of the times.
            channels: for an array, the names of its columns; by default all twelve. For a table, the columns to use.
            times: the time of each row: seconds, datetime64 or timedelta64. By default evenly spaced.
            start: the time of the first row, seconds; used if there are no times.
            name: the name in errors.
            gravity_is_estimated: whether gravity was estimated from a bare accelerometer.
            unit: the unit of the accelerations: g, mg or m/s2. With it, the columns `x`, `y` and `z`, or an array of
                three columns, are the readings of an accelerometer, from which gravity is estimated, as from files.
            angle_unit: the unit of angles, also in rotation rates.
            time_unit: the unit of times that are numbers.
            linear: whether `x`, `y` and `z` are the acceleration without gravity. Gravity is then missing.

        Raises:
            GaitError: a channel is unknown, the shapes do not match, or times do not increase.
        """
        plain = None if unit is None or channels is not None and tuple(
            channels) != tuple("xyz") else accelerations(data, unit)
        if linear and plain is None:
            raise GaitError("linear describes the columns x, y and z; give their unit: g, mg or m/s2")
        zone = None if isinstance(data, np.ndarray) else zone_of(data)
        found = list(parts(data if plain is None else plain, channels if plain is None else None, times))
        part = found[0] if len(found) == 1 else Part(
            joined([one.values for one in found if not isinstance(one.values, np.ndarray)]), found[0].channels,
            None if found[0].times is None else np.concatenate([np.asarray(one.times) for one in found]))
        part = in_units(part, unit if plain is None else None, angle_unit)
        clock = clock_of(part.times)._replace(zone=zone)
        if part.times is not None and part.count:
            part.times = nanoseconds(part.times, time_unit).view("M8[ns]")
            check_order(part.times)
            part.check_step(sample_rate, clock if time_unit is None else Clock("M"))
        rate = float(sample_rate if sample_rate is not None else rate_of([part]))
        is_total = plain is not None and not linear
        return cls._created(part, rate, start, name, 2 if is_total else int(bool(gravity_is_estimated)), clock)

    @classmethod
    def _created(cls, part: Part, rate: float, start: float, name: str, estimated: int, clock: Clock) -> Recording:
        """A recording of checked samples. `estimated` is gravity_is_estimated of gait_recording_create."""
        arguments = path_bytes(name), rate, nanosecond(start), part.mask
        mask = part.mask | (in_order(CHANNELS[3:6])[1] if estimated == 2 else 0)
        handle = interruptible(lambda: Handle(part.call("gait_recording_create", arguments, [estimated])), part.count)
        return cls(handle, Head(name, rate, mask, estimated > 0, part.count, clock))

    def _push_to(self, stream: int) -> int:
        """Pushes the samples into a stream of the library; returns the number of windows that can be pulled."""
        return interruptible(lambda: check(lib.gait_stream_push_recording(stream, self._handle.value)), self._head.rows)

    def __len__(self) -> int:
        return self._head.rows

    def __repr__(self) -> str:
        return f"Recording({self.name!r}, {len(self)} rows at {self.sample_rate:g} Hz)"

    @property
    def format(self) -> Format | None:
        """The format of the file; None for a recording from memory."""
        return self._facts["format"]  # type: ignore[no-any-return]

    @property
    def repairs(self) -> list[str]:
        """What the reader repaired or found suspect, one sentence each."""
        return list(self._facts["repairs"])

    @property
    def values(self) -> Floats:
        """The samples, float32 of shape [rows, 12], columns in the order of `CHANNELS`; NaN if missing."""
        return self._copy()[0]

    @property
    def times(self) -> Int64s:
        """The times, int64 of shape [rows], nanoseconds."""
        return self._copy()[1]

    @property
    def labels(self) -> Objects | None:
        """The label of each row, None for a row without one. The whole property is None if the file has no labels."""
        return self._texts("labels")

    @property
    def subjects(self) -> Objects | None:
        """The subject of each row; None if the file has none."""
        return self._texts("subjects")

    def table(self) -> Table:
        """The samples as columns: time in seconds, then the source's channels."""
        values, times = self._copy()
        columns = {name: values[:, index] for index, name in enumerate(CHANNELS) if name in self.channels}
        return Table({"time": times / 1e9} | columns)

    def _copy(self) -> tuple[Floats, Int64s]:
        values, times = np.empty((len(self), 12), np.float32), np.empty(len(self), np.int64)
        check(lib.gait_recording_copy(self._handle.value, 0, len(self), pointer(values), values.size, pointer(times),
                                      times.size))
        return values, times

    def __reduce__(self) -> tuple[Any, ...]:
        values, times = self._copy()
        columns = [CHANNELS.index(channel) for channel in self.channels]
        return _restored, (values[:, columns], times, self._facts, self._head.clock)

    def _texts(self, key: str) -> Objects | None:
        if self._facts[key] is None:
            return None
        texts = np.full(len(self), None, object)
        for run in self._facts[key]:
            texts[run["first"]:run["end"]] = run.get("label")
        return texts


def _restored(values: Floats, times: Int64s, facts: dict[str, Any], clock: Clock) -> Recording:
    part = Part(values, facts["channels"], times.view("M8[ns]"))
    recording = Recording._created(part, facts["sampleRate"], 0, facts["name"], int(facts["gravityIsEstimated"]), clock)
    recording._facts = facts
    return recording


_OPTIONS = {"sample_rate": "rate", "format": "format", "acceleration_unit": "accelerationUnit",
            "angle_unit": "angleUnit",
            "time_unit": "timeUnit", "label_column": "labelColumn", "columns": "columns"}


def check_names(reading: Reading) -> None:
    """Checks that a reader's options exist."""
    unknown = [key for key in reading if key not in _OPTIONS and key != "recording"]
    if unknown:
        raise TypeError(f"there is no argument {unknown[0]}; a reader's options are {', '.join(_OPTIONS)}, recording")


def _options(reading: Reading) -> bytes:
    """A reader's options for C."""
    check_names(reading)
    if reading.get("recording") is not None:
        raise GaitError("recording describes a table with several recordings, but the data is a file; leave it out")
    return options({_OPTIONS[key]: value for key, value in reading.items() if key != "recording"})


def read_recording(path: str | os.PathLike[str], **reading: Unpack[Reading]) -> Recording:
    """Reads a recording: every text file, JSON, folder and zip archive that the command `gait` reads.

    The options are those of `Reading`. Each repair is a `GaitWarning`.

        >>> gait.read_recording(gait.sample_files()[0], sample_rate=50).table().to_pandas().shape
        (1400, 13)

    Raises:
        GaitError: with file, line, column and the cure.
    """
    name, described = path_bytes(path), _options(reading)
    recording = Recording(interruptible(lambda: Handle(lib.gait_recording_read(name, described)), _LONG))
    warn(recording.name, recording.repairs)
    return recording


def read_blocks(path: str | os.PathLike[str], **reading: Unpack[Reading]) -> Iterator[Recording]:
    """Reads a recording of any length in blocks of successive samples. They are the samples of `read_recording`.

    A text file is read in blocks, so memory does not grow with its length. An unusual rate is measured first, over all
    of its times. Folders, archives, JSON, and files of less than 65,536 rows are one block. The arguments are those of
    `read_recording`.

        >>> [len(block) for block in gait.read_blocks(gait.sample_files()[0], sample_rate=50)]
        [1400]

    Raises:
        GaitError: with file, line, column and the cure. It is also raised if later rows, such as rows out of order,
            show that the first blocks were read wrongly. Functions that take the path of a file have no such limit:
            they read it again.
    """
    for block in _blocks(path, reading):
        if block is None:
            raise GaitError(
                f"{os.fsdecode(path)}: later rows are out of order, have another rate than the first ones, or lack "
                            "accelerations; use read_recording")
        yield block


def _blocks(path: str | os.PathLike[str], reading: Reading) -> Iterator[Recording | None]:
    """The blocks of a file. None means that all blocks follow once more, and replace the earlier ones."""
    blocks = Handle(lib.gait_blocks_open(path_bytes(path), _options(reading)))
    name = os.fsdecode(path)

    def following() -> tuple[int, Handle | None]:
        # An interrupted call goes on in the background, so each call writes to a handle of its own.
        block = ctypes.c_uint64()
        status = check(lib.gait_blocks_next(blocks.value, ctypes.byref(block)))
        return status, Handle(block.value) if status == 1 else None

    while True:
        status, handle = interruptible(following, _LONG)
        if status == 0:
            break
        recording = None if handle is None else Recording(handle)
        name = name if recording is None else recording.name
        yield recording
    warn(name, blocks.describe()["repairs"])


def _pieces(data: Any, reading: Reading,
            channels: Sequence[str] | None) -> Iterator[tuple[Head, Recording | Part] | None]:
    """The pieces of a recording, an array or a table, or of the file at a path. None means that all follow once
    more."""
    if isinstance(data, (str, os.PathLike)):
        for block in _blocks(data, reading):
            yield None if block is None else (block._head, block)
        return
    check_names(reading)
    units = {key: reading.get(key) for key in ("acceleration_unit", "angle_unit", "time_unit")}
    usual = {"sample_rate", *(units if not isinstance(data, Recording) else ())}
    unused = [key for key, value in reading.items() if key not in usual and value is not None]
    if unused:
        kind = "a table" if unused[
            0] == "recording" else "a file" if unused[0] not in units else "samples that are not a Recording yet"
        raise GaitError(
            f"{unused[0]} describes {kind}, but the data is a {type(data).__name__}; leave it out, or pass a path")
    if isinstance(data, Recording):
        yield data._head, data
    elif any(unit is not None for unit in units.values()):
        recording = as_recording(data, reading, channels)
        yield recording._head, recording
    else:
        yield from whole(data, reading.get("sample_rate"), channels)


def as_recording(data: Any, reading: Reading, channels: Sequence[str] | None = None) -> Recording:
    """The whole recording of a path, an array or a table."""
    if isinstance(data, Recording):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read_recording(data, **reading)
    return Recording.from_samples(
        data, sample_rate=reading.get("sample_rate"), unit=reading.get("acceleration_unit"),
        angle_unit=reading.get("angle_unit"),
        time_unit=reading.get("time_unit"), channels=channels if isinstance(data, np.ndarray) else None)


def separated(data: Any, key: str | Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """The recordings of a table or an array with several, in the order of their first rows: the value of each and its
    rows."""
    if isinstance(data, (str, os.PathLike, Recording)):
        raise GaitError(
            f"recording describes a table with several recordings, but the data is a {type(data).__name__}; leave it "
            "out")
    is_array = isinstance(data, np.ndarray) and data.dtype.names is None
    if is_array or not isinstance(key, str):
        columns: Any = data if is_array else joined(list(columns_of(data, (*CHANNELS, "time", *"xyz"))))
        keys = np.asarray(key, object)
    else:
        if key not in names_of(data):
            raise GaitError(f"there is no column {key}; the columns are {', '.join(names_of(data))}")
        columns = dict(joined(list(columns_of(data, (*CHANNELS, "time", *"xyz", key)))))
        keys = columns.pop(key)
    count = len(data) if is_array else max(map(len, columns.values()), default=0)
    if keys.shape != (count,):
        raise GaitError(
            f"recording has the shape {list(keys.shape)} for {count} rows; name a column, or give one value for each "
            "row")
    values, codes = factors(keys)
    if any(value is None or value != value for value in values):
        raise GaitError("rows have no recording; give each row one, or drop them")
    for code, value in enumerate(values):
        rows = np.flatnonzero(codes == code)
        yield value, data[rows] if is_array else {name: column[rows] for name, column in columns.items()}


@contextmanager
def named(name: str) -> Iterator[None]:
    """Adds the recording's name to errors, as the command does."""
    try:
        yield
    except GaitError as problem:
        if name in ("", _UNNAMED):
            raise
        raise GaitError(f"{name}: {str(problem).removesuffix('.')}.") from None


def pushed(
    data: Any, reading: Reading, create: Callable[[Head], Handle], channels: Sequence[str] | None = None
) -> Iterator[tuple[Head, Handle, int, Recording | Part] | None]:
    """Pushes a whole recording into a new stream. After each piece it yields the piece's head, the stream, the number
    of windows that can be pulled, and the piece. None means that all pieces follow once more, in another stream."""
    stream = None
    for piece in _pieces(data, reading, channels):
        if piece is None:
            stream = None
            yield None
            continue
        head, samples = piece
        with named(head.name):
            stream = create(head) if stream is None else stream
            waiting = samples._push_to(stream.value)
        yield head, stream, waiting, samples


def sample_files() -> list[pathlib.Path]:
    """The simulated recordings that come with the package: `{label}/sub_{subject}.csv`, half a minute each at 50 Hz.

        >>> len(gait.sample_files()), gait.sample_files()[0].name
        (12, 'sub_1.csv')
    """
    return sorted(pathlib.Path(__file__).with_name("samples").glob("*/*.csv"))
