"""Windows, and the streams that compute them."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, Sequence

import numpy as np

from ._library import GaitError, Handle, check, gate, lib, memory, options
from ._samples import CHANNELS, Head, in_order, nanosecond, parts
from ._types import Floats, Int32s, Int64s, Objects, Reading
from .recording import Recording, pushed
from .table import Frames, Table

# Looked up once, as a call for a minute of samples takes 0.2 ms.
_push, _pull = lib.gait_stream_push, lib.gait_stream_pull
_FLOAT, _INT64, _INT32 = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int32)


@dataclass(eq=False)
class Windows(Frames):
    """Windows with their values.

    Attributes:
        values: float32, shape [windows, features]; of a model, the probabilities, shape [windows, labels].
        starts: int64, shape [windows]: the time of each window's first sample, nanoseconds.
        labels: int32, shape [windows]: of a model, the index of the label, -1 if the window is unlike all training data.
        names: the features, or the labels of a model.
        recordings: the recording of each window; None for the windows of a stream.
        subjects: the person of each window, None if unknown: the groups of a cross-validation.
        targets: the label of each window that was given, or that the model predicts.
    """

    values: Floats
    starts: Int64s
    labels: Int32s
    names: Sequence[str] = ()
    recordings: Objects | None = None
    subjects: Objects | None = None
    targets: Objects | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def table(self) -> Table:
        """The columns label, subject and recording, as far as they are known, start in seconds, and the values by name."""
        known = {"label": self.targets, "subject": self.subjects, "recording": self.recordings}
        columns = {name: column for name, column in known.items() if column is not None}
        values = {name: self.values[:, index] for index, name in enumerate(self.names)}
        return Table(columns | {"start": self.starts / 1e9} | values)


def joined(parts: Sequence[Windows]) -> Windows:
    """The windows of several parts, which follow each other."""
    if len(parts) == 1:
        return parts[0]

    def column(name: str) -> Any:
        columns = [getattr(part, name) for part in parts]
        return None if any(values is None for values in columns) else np.concatenate(columns)
    return Windows(column("values"), column("starts"), column("labels"), parts[0].names, column("recordings"),
                   column("subjects"), column("targets"))


def constant(value: Any, count: int) -> Objects:
    """A column with the same value in each row."""
    column = np.empty(count, object)
    column[:] = [value] * count
    return column


@dataclass(frozen=True)
class Source:
    """A plan or a model of the library, with the names of a window's values."""

    handle: Handle
    names: tuple[str, ...]


@lru_cache
def flags(allow_slow_source: bool, gravity_is_estimated: bool) -> bytes:
    return options({"allowSlowSource": allow_slow_source, "gravityIsEstimated": gravity_is_estimated})


def _pulled(stream: Handle, source: Source, waiting: int) -> Windows:
    """The windows that wait in a stream."""
    values = np.empty((waiting, len(source.names)), _FLOAT)
    starts, labels = np.empty(waiting, _INT64), np.empty(waiting, _INT32)
    if waiting == 0:
        return Windows(values, starts, labels, source.names)
    count = check(_pull(stream.value, waiting, memory(values), values.size, memory(starts), memory(labels)))
    return Windows(values[:count], starts[:count], labels[:count], source.names)


class SampleSink:
    """A stream of the library that takes blocks of samples."""

    def __init__(self, create: Any, source: Handle, sample_rate: float, channels: Sequence[str] | None, start: float,
                 flags: bytes) -> None:
        self._channels, self._mask = in_order(CHANNELS if channels is None else tuple(channels))
        if channels is not None and len(self._channels) != len(channels):
            raise GaitError(f"channels are different ones of {', '.join(CHANNELS)}")
        self._handle = Handle(create(source.value, float(sample_rate), nanosecond(start), self._mask, flags))

    def _push(self, data: Any, times: Any = None) -> int:
        if times is None and type(data) is np.ndarray and data.dtype is _FLOAT and data.ndim == 2 and data.flags.carray:
            # As below, without a list of blocks: a block of a minute takes 0.2 ms.
            rows, columns = data.shape
            if columns == len(self._channels):
                return check(_push(self._handle.value, None, memory(data), data.size, rows, columns, 1))
        if isinstance(data, Recording):
            return data._push_to(self._handle.value)
        waiting = 0
        for part in parts(data, self._channels, times):
            for block in part.blocks():
                waiting = block._push_to(self._handle.value)
        return waiting


class WindowStream(SampleSink):
    """A stream that computes windows from blocks of samples, cut anywhere, in flat memory.

    Windows have the same bits as those of the whole recording. Every block has times, or none has.
    """

    def __init__(self, source: Source, sample_rate: float, channels: Sequence[str] | None, start: float, flags: bytes) -> None:
        self._source = source
        self._lock = Lock()
        super().__init__(lib.gait_stream_create, source.handle, sample_rate, channels, start, flags)

    def push(self, data: Any, times: Any = None) -> Windows:
        """Takes the next samples, an array of shape [rows, channels] or a table; returns the windows that they close.

        Calls from several threads follow each other: every window is returned once, by the call whose samples close it.
        """
        # A fork waits for the lock too.
        with gate, self._lock:
            return _pulled(self._handle, self._source, self._push(data, times))

    @property
    def dropped(self) -> int:
        """The number of samples that were dropped because they came after a later one."""
        return int(self._handle.describe()["dropped"])

    @property
    def bridged(self) -> int:
        """The number of samples interpolated where some were missing for at most 0.3 s."""
        return int(self._handle.describe()["bridged"])


def windows_of(source: Source, data: Any, reading: Reading, allow_slow_source: bool) -> Windows:
    """The windows of a whole recording, with its name."""
    def create(head: Head) -> Handle:
        options = flags(allow_slow_source, head.gravity_is_estimated)
        return Handle(lib.gait_stream_create(source.handle.value, head.sample_rate, 0, head.mask, options))

    parts: list[Windows] = []
    name = None
    for piece in pushed(data, reading, create):
        if piece is None:
            parts = []
        else:
            head, stream, waiting = piece
            name = head.name or None
            parts.append(_pulled(stream, source, waiting))
    windows = joined(parts)
    windows.recordings = constant(name, len(windows))
    return windows
