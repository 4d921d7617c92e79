"""Features of windows."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, Iterable, Sequence

import numpy as np

from ._library import GaitError, Handle, check, lib, memory, options
from .recording import CHANNELS, Recording, Samples, blocks, blocks_of, in_order, nanosecond
from .table import Table

# Looked up once, as a call for a minute of samples takes 0.2 ms.
_push, _pull = lib.gait_stream_push, lib.gait_stream_pull
_FLOAT, _INT64, _INT32 = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int32)


@dataclass(eq=False)
class Windows:
    """Windows with their values.

    Attributes:
        values: float32, shape [windows, features]; of a model, the probabilities, shape [windows, labels].
        starts: int64, shape [windows]: the time of each window's first sample, nanoseconds.
        labels: int32, shape [windows]: of a model, the index of the label, -1 if the window is unlike all training data.
    """

    values: np.ndarray
    starts: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)


@lru_cache
def flags(allow_slow_source: bool, gravity_is_estimated: bool) -> bytes:
    return options({"allowSlowSource": allow_slow_source, "gravityIsEstimated": gravity_is_estimated})


def _pulled(stream: Handle, columns: int, waiting: int) -> Windows:
    """The windows that wait in a stream."""
    values, starts, labels = np.empty((waiting, columns), _FLOAT), np.empty(waiting, _INT64), np.empty(waiting, _INT32)
    if waiting == 0:
        return Windows(values, starts, labels)
    count = check(_pull(stream.value, waiting, memory(values), values.size, memory(starts), memory(labels)))
    return Windows(values[:count], starts[:count], labels[:count])


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
            return check(lib.gait_stream_push_recording(self._handle.value, data._handle.value))
        waiting = 0
        for block in blocks(data, self._channels, times):
            waiting = self._push_block(block)
        return waiting

    def _push_block(self, block: Samples) -> int:
        if block.mask != self._mask:
            raise GaitError(f"the block does not have the channels of the stream: {', '.join(self._channels)}")
        if block.rows_of is not None:
            return check(lib.gait_stream_push(self._handle.value, *block.strided()))
        times, columns, count = block.column_pointers()
        return check(lib.gait_stream_push_columns(self._handle.value, times, columns.ctypes.data, count))


class WindowStream(SampleSink):
    """A stream that computes windows from blocks of samples, cut anywhere, in flat memory.

    Windows have the same bits as those of the whole recording. Every block has times, or none has.
    """

    def __init__(self, source: Handle, columns: int, sample_rate: float, channels: Sequence[str] | None, start: float,
                 flags: bytes) -> None:
        self._columns = columns
        self._lock = Lock()
        super().__init__(lib.gait_stream_create, source, sample_rate, channels, start, flags)

    def push(self, data: Any, times: Any = None) -> Windows:
        """Takes the next samples, an array of shape [rows, channels] or a table; returns the windows that they close.

        Calls from several threads follow each other: every window is returned once, by the call whose samples close it.
        """
        with self._lock:
            return _pulled(self._handle, self._columns, self._push(data, times))

    @property
    def dropped(self) -> int:
        """The number of samples that were dropped because they came after a later one."""
        return int(self._handle.describe()["dropped"])


def windows_of(
    source: Handle, columns: int, data: Any, sample_rate: float | None, allow_slow_source: bool
) -> Windows:
    """The windows of a whole recording."""
    parts: list[Windows] = []
    stream = None
    for block in blocks_of(data, sample_rate):
        if block is None:
            parts, stream = [], None
            continue
        if stream is None:
            rate, mask, estimated = block._head
            stream = Handle(lib.gait_stream_create(source.value, rate, 0, mask, flags(allow_slow_source, estimated)))
        parts.append(_pulled(
            stream, columns, check(lib.gait_stream_push_recording(stream.value, block._handle.value))))
    return parts[0] if len(parts) == 1 else Windows(*(
        np.concatenate([getattr(part, name) for part in parts]) for name in ("values", "starts", "labels")))


class Features:
    """Computes the features of windows; a transformer with scikit-learn's interface, which need not be installed.

    Args:
        features: names such as `vertical.rms`, or one of the sets `orientationFree` (7) and `full` (539).
        window: the length of a window, seconds.
        hop: the time from the start of one window to the next, seconds.
        sample_rate: the rate to which recordings are resampled, hertz; 25 is that of the command and of models.
        source_rate: the rate of arrays, tables and files without times, hertz.
        allow_slow_source: whether to accept recordings that are too slow for the features.

    Raises:
        GaitError: a feature or number is invalid.
    """

    def __init__(
        self, features: str | Sequence[str] = "orientationFree", *, window: float = 2.56, hop: float = 0.64,
        sample_rate: float = 25.0, source_rate: float | None = None, allow_slow_source: bool = False,
    ) -> None:
        self.features = features
        self.window = window
        self.hop = hop
        self.sample_rate = sample_rate
        self.source_rate = source_rate
        self.allow_slow_source = allow_slow_source
        # The name that scikit-learn's clone copies.
        self._sklearn_output_config: dict[str, str] = {}
        self._planned: tuple[Any, Handle, list[str]] | None = None
        self._plan()

    def _plan(self) -> tuple[Handle, list[str]]:
        key = (self.features, self.window, self.hop, self.sample_rate)
        if self._planned is None or self._planned[0] != key:
            names = [self.features] if isinstance(self.features, str) else list(self.features)
            if any("\0" in name for name in names):
                raise GaitError("the name of a feature contains a zero byte")
            handle = Handle(lib.gait_plan_create(
                "\n".join(names).encode(), float(self.window), float(self.hop), float(self.sample_rate)))
            self._planned = (key, handle, handle.describe()["features"])
        return self._planned[1], self._planned[2]

    def fit(self, X: Any = None, y: Any = None) -> Features:
        """Returns itself; there is nothing to fit."""
        return self

    def transform(self, X: Any) -> Any:
        """The features of every window, float32 of shape [windows, features].

        Args:
            X: a recording, an array, a table, or the path of a file of any length, which is read in blocks; or a list of
                these, whose windows follow each other.

        Raises:
            GaitError: a channel that the features need is missing, or the rate is too low.
        """
        parts = [self.windows(data).values for data in X] if isinstance(X, (list, tuple)) else [self.windows(X).values]
        values = np.concatenate(parts) if parts else np.empty((0, len(self._plan()[1])), np.float32)
        output = self._sklearn_output_config.get("transform")
        if output in (None, "default"):
            return values
        frame: Any = Table({name: values[:, index] for index, name in enumerate(self._plan()[1])})
        return frame.to_pandas() if output == "pandas" else frame.to_polars()

    def set_output(self, *, transform: str | None = None) -> Features:
        """Chooses what `transform` returns.

        Args:
            transform: `default`, an array; `pandas` or `polars`, a data frame with the features' names.
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise GaitError(f"{transform} is not an output; use default, pandas or polars")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The same as `transform`."""
        return self.transform(X)

    def windows(self, data: Any) -> Windows:
        """The features of every window of one recording, with the windows' times."""
        handle, names = self._plan()
        return windows_of(handle, len(names), data, self.source_rate, self.allow_slow_source)

    def stream(
        self, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        gravity_is_estimated: bool = False,
    ) -> WindowStream:
        """A stream of samples at `sample_rate` hertz.

        Args:
            channels: the channels of the blocks, in the order of `CHANNELS`; by default all twelve.
            start: the time of the first row, seconds, if blocks have no times.
        """
        handle, names = self._plan()
        return WindowStream(handle, len(names), sample_rate, channels, start,
                            flags(self.allow_slow_source, gravity_is_estimated))

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> np.ndarray:
        """The names of the features, shape [features]."""
        return np.array(self._plan()[1], dtype=object)

    @property
    def units(self) -> list[str]:
        """The unit of each feature; 1 for none."""
        return list(self._plan()[0].describe()["units"])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the initialiser."""
        return {key: getattr(self, key) for key in
                ("features", "window", "hop", "sample_rate", "source_rate", "allow_slow_source")}

    def set_params(self, **parameters: Any) -> Features:
        """Changes arguments of the initialiser."""
        for key, value in parameters.items():
            if key not in self.get_params():
                raise GaitError(f"Features has no parameter {key}; it has {', '.join(self.get_params())}")
            setattr(self, key, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), transformer_tags=TransformerTags(),
                    classifier_tags=None, regressor_tags=None, input_tags=InputTags(two_d_array=False))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_planned": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._plan()

    def __repr__(self) -> str:
        return f"Features({self.features!r}, window={self.window}, hop={self.hop}, sample_rate={self.sample_rate})"
