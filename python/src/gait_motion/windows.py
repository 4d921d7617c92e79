"""Windows, and the streams that compute them."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, Sequence

import numpy as np

from ._columns import CHANNELS, OneRecording, zone_of
from ._library import GaitError, Handle, check, gate, lib, memory, options, warn
from ._samples import Clock, Head, Part, clock_of, in_order, nanosecond, nanoseconds, parts
from ._types import Floats, Int32s, Int64s, Objects, Reading
from .recording import Recording, named, pushed, separated
from .table import Frames, Table

# Looked up once and called in the gate, because a call for a minute of samples is quick.
_push, _pull = lib.ungated["gait_stream_push"], lib.ungated["gait_stream_pull"]
_FLOAT, _INT64, _INT32 = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int32)


@dataclass(eq=False, repr=False)
class Windows(Frames):
    """Windows with their values.

        >>> windows = gait.Features().windows(gait.sample_files()[0], sample_rate=50)
        >>> windows
        Windows(40 windows of 7 values)
        >>> windows.to_pandas()[["start", "end", "coverage"]].head(2)
           start   end  coverage
        0   0.16  2.72       1.0
        1   0.80  3.36       1.0

    Attributes:
        values: float32, shape [windows, features]; for a model, the probabilities, shape [windows, labels].
        starts: int64, shape [windows]: the time of each window's first sample, nanoseconds.
        labels: int32, shape [windows]: for a model, the index of the label; -1 if the window is unlike all training
            data, -2 if less than 0.6 of it was measured.
        names: the features, or the labels of a model.
        recordings: the recording of each window; None for the windows of a stream.
        subjects: the person of each window, for the groups of a cross-validation; None if unknown.
        targets: the label of each window that was given, or that the model predicts.
        coverage: float32, shape [windows]: the share of each window's samples that the recording has. The others were
            missing for at most 0.3 s and were interpolated. None for the windows of a stream; `WindowStream.bridged` is
            their number.
        length: the length of a window, nanoseconds.
        clock: the kind of the caller's times; `start` and `end` are of that kind.
    """

    values: Floats
    starts: Int64s
    labels: Int32s
    names: Sequence[str] = ()
    recordings: Objects | None = None
    subjects: Objects | None = None
    targets: Objects | None = None
    coverage: Floats | None = None
    length: int = 0
    clock: Clock = Clock()

    def __len__(self) -> int:
        return len(self.starts)

    def __repr__(self) -> str:
        return f"Windows({len(self)} windows of {self.values.shape[1]} values)"

    @property
    def start(self) -> np.ndarray[Any, Any]:
        """The time of each window's first sample, in the kind of the caller's times: seconds, datetime64 or
        timedelta64."""
        return self.clock.times(self.starts)

    @property
    def end(self) -> np.ndarray[Any, Any]:
        """The time of each window's end."""
        return self.clock.times(self.starts + self.length)

    def table(self) -> Table:
        """The columns label, subject and recording (if they are known), start, end, coverage, and the values by
        name."""
        known = {"label": self.targets, "subject": self.subjects, "recording": self.recordings, "start": self.start,
                 "end": self.end,
                 "coverage": self.coverage}
        columns = {name: column for name, column in known.items() if column is not None}
        values = {name: self.values[:, index] for index, name in enumerate(self.names)}
        table = Table(columns | values)
        table.zone = self.clock.zone
        return table


def joined(parts: Sequence[Windows]) -> Windows:
    """The windows of several parts, which follow each other."""
    if len(parts) == 1:
        return parts[0]

    def column(name: str) -> Any:
        columns = [getattr(part, name) for part in parts]
        return None if any(values is None for values in columns) else np.concatenate(columns)
    clocks = {part.clock for part in parts}
    return Windows(column("values"), column("starts"), column("labels"), parts[0].names, column("recordings"),
                   column("subjects"),
        column("targets"), column("coverage"), parts[0].length, clocks.pop() if len(clocks) == 1 else Clock())


def constant(value: Any, count: int) -> Objects:
    """A column with the same value in each row."""
    column = np.empty(count, object)
    column.fill(value)
    return column


@dataclass(frozen=True)
class Source:
    """A plan or a model of the library, with the names of a window's values, the needed channels, and a window's
    nanoseconds."""

    handle: Handle
    names: tuple[str, ...]
    channels: tuple[str, ...]
    length: int

    @classmethod
    def of(cls, handle: Handle) -> Source:
        facts = handle.describe()
        seconds = round(facts["window"] * facts["sampleRate"]) / facts["sampleRate"]
        return cls(handle, tuple(facts["labels" if facts["kind"] == "model" else "features"]), tuple(facts["channels"]),
                   round(seconds * 1e9))


@lru_cache
def flags(allow_slow_source: bool, gravity_is_estimated: bool) -> bytes:
    return options({"allowSlowSource": allow_slow_source, "gravityIsEstimated": gravity_is_estimated})


def _pulled(stream: Handle, source: Source, waiting: int) -> Windows:
    """The windows of a stream that were not pulled yet."""
    values = np.empty((waiting, len(source.names)), _FLOAT)
    starts, labels = np.empty(waiting, _INT64), np.empty(waiting, _INT32)
    if waiting == 0:
        return Windows(values, starts, labels, source.names, length=source.length)
    count = _pull(stream.value, waiting, memory(values), values.size, memory(starts), memory(labels))
    if count < waiting:
        check(count)
    return Windows(values[:count], starts[:count], labels[:count], source.names, length=source.length)


class SampleSink:
    """A stream of the library that takes blocks of samples."""

    def __init__(self, create: Any, source: Source, sample_rate: float, channels: Sequence[str] | None, start: float,
                 flags: bytes) -> None:
        self._channels, self._mask = in_order(CHANNELS if channels is None else tuple(channels))
        if channels is not None and len(self._channels) != len(channels):
            raise GaitError(f"channels are different ones of {', '.join(CHANNELS)}")
        self._sample_rate, self._clock = float(sample_rate), Clock()
        self._recording: OneRecording | None = None
        #: The number of rows until they are judged.
        self._unjudged = max(10 * self._sample_rate, 200)
        self._handle = Handle(create(source.handle.value, self._sample_rate, nanosecond(start), self._mask, flags))

    def _push(self, data: Any, times: Any = None) -> int:
        if times is None and type(data) is np.ndarray and data.dtype is _FLOAT and data.ndim == 2 and data.flags.carray:
            # The same as below, but without a list of blocks, which would slow down small arrays.
            rows, columns = data.shape
            if columns == len(self._channels) and self._unjudged <= 0:
                waiting = _push(self._handle.value, None, memory(data), data.size, rows, columns, 1)
                return waiting if waiting >= 0 else check(waiting)
        if isinstance(data, Recording):
            waiting = data._push_to(self._handle.value)
            self._judge(len(data))
            return waiting
        waiting = 0
        if self._recording is None and not isinstance(data, np.ndarray):
            self._recording = OneRecording(data)
        for part in parts(data, self._channels, times, self._recording):
            if self._unjudged > 0 and part.count:
                self._clock = clock_of(part.times, None if isinstance(data, np.ndarray) else data)
                part.check_step(self._sample_rate, self._clock)
            for block in part.blocks():
                waiting = block._push_to(self._handle.value)
            self._judge(part.count)
        return waiting

    def _judge(self, rows: int) -> None:
        """Warns of what is wrong with the samples, when there are enough rows to judge."""
        if self._unjudged > 0:
            self._unjudged -= rows
            warn("stream", [] if self._unjudged > 0 else self._handle.findings())


class WindowStream(SampleSink):
    """A stream that computes windows from blocks of samples. Blocks may begin and end anywhere, and memory does not
    grow.

    Windows have the same bits as those of the whole recording. Either every block has times, or none has.

        >>> stream = gait.Features().stream(50)
        >>> stream
        WindowStream(7 values of a window, 50 Hz)
        >>> stream.push(gait.read_recording(gait.sample_files()[0], sample_rate=50).values[:500])
        Windows(12 windows of 7 values)
        >>> stream.dropped, stream.bridged
        (0, 0)
    """

    def __init__(self, source: Source, sample_rate: float, channels: Sequence[str] | None, start: float,
                 flags: bytes) -> None:
        self._source = source
        self._lock = Lock()
        super().__init__(lib.gait_stream_create, source, sample_rate, channels, start, flags)

    def push(self, data: Any, times: Any = None) -> Windows:
        """Takes the next samples, an array of shape [rows, channels] or a table; returns the windows that they
        complete.

        Calls from several threads run one after another. Every window is returned once, by the call whose samples
        complete it.
        """
        # A fork waits for the lock too.
        with gate, self._lock:
            windows = _pulled(self._handle, self._source, self._push(data, times))
            windows.clock = self._clock
            return windows

    def __repr__(self) -> str:
        return f"WindowStream({len(self._source.names)} values of a window, {self._sample_rate:g} Hz)"

    @property
    def dropped(self) -> int:
        """The number of samples that were dropped because they came after a later one."""
        return int(self._handle.describe()["dropped"])

    @property
    def bridged(self) -> int:
        """The number of samples that were interpolated because some were missing for at most 0.3 s."""
        return check(lib.gait_stream_bridged(self._handle.value))


_TEXTS = ("object", "str", "string")
#: The number of rows of an array or a table after which the coverage is computed.
_ROWS = 1 << 17


class _Coverage:
    """Computes the share of each window's samples that a recording has. It keeps the pieces that open windows
    overlap."""

    def __init__(self, length: int) -> None:
        self._length = length
        #: The pieces with their heads and first rows. Those from `_pending` on, and the windows, have no coverage yet.
        self._pieces: list[tuple[Recording | Part, Head, int]] = []
        self._windows: list[Windows] = []
        self._pending = self._rows = self._bridged = 0
        self._has_holes = False
        #: Whether a sample was interpolated.
        self.is_partial = False

    def add(self, head: Head, samples: Recording | Part, windows: Windows) -> bool:
        """Adds a piece and the windows that it completed; returns whether to call `finish`."""
        self._pieces.append((samples, head, self._rows))
        self._windows.append(windows)
        self._rows += head.rows
        return isinstance(samples, Recording) or self._rows - self._pieces[self._pending][2] > _ROWS

    def finish(self, stream: Handle) -> None:
        """Sets the coverage of the windows so far. If no sample was interpolated, there is nothing to set."""
        bridged, head = check(lib.gait_stream_bridged(stream.value)), self._pieces[-1][1]
        if self._has_holes or bridged > self._bridged:
            self.is_partial = True
            times = np.concatenate([_present(*piece) for piece in self._pieces])
            for windows in self._windows:
                counts = np.searchsorted(times, windows.starts + self._length) - np.searchsorted(times, windows.starts)
                windows.coverage = np.minimum(1, counts / (self._length * head.sample_rate / 1e9)).astype(_FLOAT)
        # Windows that are still open begin within the last two lengths.
        while len(self._pieces) > 1 and (self._rows - self._pieces[1][2]) * 1e9 > 2 * self._length * head.sample_rate:
            self._pieces.pop(0)
        self._has_holes, self._bridged = bridged > self._bridged, bridged
        self._windows, self._pending = [], len(self._pieces)


def _present(samples: Recording | Part, head: Head, first: int) -> Int64s:
    """The times of the rows that have all user accelerations. If the recording has none of these channels, all of its
    channels."""
    if isinstance(samples, Recording):
        values, times = samples._copy()
        columns = {channel: values[:, index] for index, channel in enumerate(CHANNELS) if head.mask >> index & 1}
    else:
        times = nanoseconds(samples.times) if samples.times is not None else np.rint(
            (first + np.arange(samples.count)) / head.sample_rate * 1e9).astype(np.int64)
        columns = {channel: samples.column(channel) for channel in samples.channels}
    names = [name for name in columns if name.startswith("userAcceleration")] or list(columns)
    return times[np.isfinite([columns[name] for name in names]).all(axis=0)]


def listed(X: Any, channels: Sequence[str] | None, has_unit: bool) -> Sequence[Any] | None:
    """The recordings of an X with several; None for one recording. X is a list, an array or a frame with one column of
    paths or recordings, or an array of shape [cases, rows, channels] or [cases, channels, rows]."""
    if hasattr(X, "iloc") and len(X.columns if X.ndim > 1
                                  else [0]) == 1 and str((X.iloc[:, 0] if X.ndim > 1 else X).dtype) in _TEXTS:
        X = X.to_numpy()
    if isinstance(X, np.ndarray) and X.dtype.kind in "OUT" and X.size == len(X) and X.dtype.names is None:
        return list(X.ravel())
    if isinstance(X, (list, tuple)) or not isinstance(X, np.ndarray) or X.ndim != 3:
        return X if isinstance(X, (list, tuple)) else None
    count = len(channels) if channels is not None else 3 if has_unit and 3 in X.shape[1:] else len(CHANNELS)
    if X.shape[1] == X.shape[2] or count not in X.shape[1:]:
        problem = "so rows and channels cannot be told apart" if count in X.shape[
            1:] else f"of which no axis has {count} channels"
        raise GaitError(
            f"the array has the shape {list(X.shape)}, {problem}; pass a list of arrays of shape [rows, channels], and "
            "name "
                        "other channels by channels=[…]")
    return list(X if X.shape[2] == count else X.transpose(0, 2, 1))


def windows_of(
    source: Source, data: Any, reading: Reading, allow_slow_source: bool, channels: Sequence[str] | None = None
) -> Windows:
    """The windows of a recording, or of several: a list, a 3-D array or a table. The windows of several follow each
    other."""
    several = listed(data, channels, reading.get("acceleration_unit") is not None)
    key = reading.get("recording")
    if several is not None or key is not None:
        recordings = enumerate(several) if several is not None else separated(data, key)  # type: ignore[arg-type]
        reading = reading if several is not None else {**reading, "recording": None}
        clock = None if several is not None or isinstance(data, np.ndarray) else zone_of(data)
        each = []
        for name, one in recordings:
            part = windows_of(source, one, reading, allow_slow_source, channels)
            if several is None or isinstance(one, np.ndarray):
                part.recordings = constant(name if several is None else str(name), len(part))
            if clock is not None and part.clock.kind == "M":
                part.clock = part.clock._replace(zone=clock)
            each.append(part)
        return joined(each) if each else Windows(
            np.empty((0, len(source.names)), _FLOAT), np.empty(0, _INT64), np.empty(0, _INT32), source.names)

    def create(head: Head) -> Handle:
        options = flags(allow_slow_source, head.gravity_is_estimated)
        return Handle(lib.gait_stream_create(source.handle.value, head.sample_rate, 0, head.mask, options))

    parts: list[Windows] = []
    coverage, rows, head, stream, is_pending = _Coverage(source.length), 0, None, None, False
    for piece in pushed(data, reading, create, channels):
        if piece is None:
            parts, rows, coverage = [], 0, _Coverage(source.length)
            continue
        head, stream, waiting, samples = piece
        rows += head.rows
        with gate:
            parts.append(_pulled(stream, source, waiting))
        if is_pending := not coverage.add(head, samples, parts[-1]):
            continue
        coverage.finish(stream)
    assert head is not None and stream is not None
    with gate:
        if is_pending:
            coverage.finish(stream)
        findings = stream.findings()
    for part in parts:
        if part.coverage is None:
            part.coverage = np.empty(len(part), _FLOAT)
            part.coverage.fill(1)
    windows = joined(parts)
    few = np.count_nonzero(windows.coverage < 0.9) if coverage.is_partial and windows.coverage is not None else 0
    name = head.name or "recording"
    if len(windows) == 0:
        with named(head.name):
            check(lib.gait_stream_check(stream.value))
        warn(name, [no_windows(rows / head.sample_rate, source.length / 1e9)])
    windows.recordings, windows.clock = constant(head.name or None, len(windows)), head.clock
    warn(name, findings + ([
        f"{few} of {len(windows)} windows lack more than a tenth of their samples, which were interpolated; "
        "Windows.coverage has the share of each"] if few else []))
    return windows


def no_windows(seconds: float, window: float) -> str:
    """The sentence for a recording without windows."""
    if seconds < window:
        return f"there are no windows, as {seconds:.3g} s of samples are shorter than one of {window:g} s"
    return "there are no windows, as no stretch of samples without gaps or missing values is as long as one"
