"""Features of windows."""
from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy as np

from ._library import GaitError, Handle, lib
from ._types import Objects, Output, Reading
from .table import Table
from .windows import Source, WindowStream, Windows, constant, flags, joined, windows_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


@lru_cache
def _plan(names: str, window: float, hop: float, sample_rate: float) -> Source:
    if "\0" in names:
        raise GaitError("the name of a feature contains a zero byte")
    handle = Handle(lib.gait_plan_create(names.encode(), window, hop, sample_rate))
    return Source.of(handle)


class Features:
    """Computes the features of windows; a transformer with scikit-learn's interface, which need not be installed.

        >>> features = gait.Features("orientationFree", window=2.56)
        >>> features.transform(gait.sample_files()[0], sample_rate=50).shape
        (40, 7)

    Args:
        features: names such as `vertical.rms`, or one of the sets `orientationFree` (7), `running`, `linear` and `full`
            (539).
        window: the length of a window, seconds.
        hop: the time from the start of one window to the next, seconds.
        sample_rate: the rate to which recordings are resampled, hertz; 25 is that of the command and of models.
        source_rate: the rate of arrays, tables and files without times, hertz.
        allow_slow_source: whether to accept recordings that are too slow for the features.
        channels: the channels of arrays; by default all twelve.

    Raises:
        GaitError: a feature or number is invalid.
    """

    def __init__(
        self, features: str | Sequence[str] = "orientationFree", *, window: float = 2.56, hop: float = 0.64,
        sample_rate: float = 25.0, source_rate: float | None = None, allow_slow_source: bool = False,
        channels: Sequence[str] | None = None,
    ) -> None:
        self.features = features
        self.window = window
        self.hop = hop
        self.sample_rate = sample_rate
        self.source_rate = source_rate
        self.allow_slow_source = allow_slow_source
        self.channels = channels
        # scikit-learn's clone copies the attribute of this name.
        self._sklearn_output_config: dict[str, str] = {}
        self._plan()

    def _plan(self) -> Source:
        names = self.features if isinstance(self.features, str) else "\n".join(self.features)
        return _plan(names, float(self.window), float(self.hop), float(self.sample_rate))

    def fit(self, X: Any = None, y: Any = None) -> Features:
        """Returns itself; there is nothing to fit."""
        return self

    def transform(self, X: Any, **reading: Unpack[Reading]) -> Any:
        """The features of every window, float32 of shape [windows, features].

        Args:
            X: one recording, or several whose windows follow each other. One is a `Recording`, an array of shape [rows,
                channels], a table, or the path of a file of any length, which is read in blocks. Several are a list of
                these, or an array of shape [cases, rows, channels] or [cases, channels, rows].
            reading: facts about the data, such as its sample rate and units; see `Reading`.

        Raises:
            GaitError: a channel that the features need is missing, or the rate is too low.
        """
        windows = self.windows(X, **reading)
        output = self._sklearn_output_config.get("transform")
        if output is None and "sklearn" in sys.modules:
            output = sys.modules["sklearn"].get_config()["transform_output"]
        if output in (None, "default"):
            return windows.values
        frame = Table({name: windows.values[:, index] for index, name in enumerate(windows.names)})
        return frame.to_pandas() if output == "pandas" else frame.to_polars()

    def set_output(self, *, transform: Output | None = None) -> Features:
        """Chooses what `transform` returns.

        Args:
            transform: `default` for an array; `pandas` or `polars` for a data frame with the features' names. Without a
                choice, scikit-learn's global setting is used.

            >>> features = gait.Features().set_output(transform="pandas")
            >>> features.transform(gait.sample_files()[0], sample_rate=50).shape
            (40, 7)
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise GaitError(f"{transform} is not an output; use default, pandas or polars")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Calls `transform`."""
        return self.transform(X)

    def windows(self, data: Any, **reading: Unpack[Reading]) -> Windows:
        """The features of every window, with the windows' times and recordings. The arguments are those of `transform`.

            >>> gait.Features().windows(gait.sample_files()[:2], sample_rate=50)
            Windows(80 windows of 7 values)
        """
        reading.setdefault("sample_rate", self.source_rate)
        return windows_of(self._plan(), data, reading, self.allow_slow_source, self.channels)

    def grouped(
        self, recordings: Sequence[Any], *, subjects: Sequence[Any], labels: Sequence[Any] | None = None,
        **reading: Unpack[Reading],
    ) -> Windows:
        """The windows of many recordings, with the person and the label of each window, for a cross-validation.

            >>> files = gait.sample_files()
            >>> windows = gait.Features().grouped(
            ...     files, subjects=[file.stem for file in files], labels=[file.parent.name for file in files],
            ...     sample_rate=50)
            >>> len(windows), sorted(set(windows.targets)), len(set(windows.subjects))
            (480, ['running', 'still', 'walking'], 4)

        Args:
            recordings: recordings, arrays, tables or paths.
            subjects: the person of each recording, so that a cross-validation can hold out whole people.
            labels: the label of each recording.
            reading: see `transform`.
        """
        for name, values in ("subjects", subjects), ("labels", labels):
            if values is not None and len(values) != len(recordings):
                raise GaitError(f"there are {len(values)} {name} for {len(recordings)} recordings; give one for each")
        parts = []
        for index, data in enumerate(recordings):
            part = self.windows(data, **reading)
            if isinstance(data, np.ndarray):
                part.recordings = constant(str(index), len(part))
            part.subjects = constant(subjects[index], len(part))
            part.targets = None if labels is None else constant(labels[index], len(part))
            parts.append(part)
        if not parts:
            raise GaitError("there are no recordings; give at least one")
        return joined(parts)

    def stream(
        self, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        gravity_is_estimated: bool = False,
    ) -> WindowStream:
        """A stream of samples at `sample_rate` hertz.

            >>> recording = gait.read_recording(gait.sample_files()[0], sample_rate=50)
            >>> stream = gait.Features().stream(50)
            >>> sum(len(stream.push(recording.values[first:first + 100])) for first in range(0, len(recording), 100))
            40

        Args:
            channels: the channels of the blocks, in the order of `CHANNELS`; by default all twelve.
            start: the time of the first row, seconds; used if blocks have no times.
        """
        return WindowStream(self._plan(), sample_rate, channels, start,
                            flags(self.allow_slow_source, gravity_is_estimated))

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> Objects:
        """The names of the features, shape [features].

            >>> gait.Features(["vertical.rms", "gravity.x.mean"]).get_feature_names_out().tolist()
            ['vertical.rms', 'gravity.x.mean']
        """
        return np.array(self._plan().names, dtype=object)

    @property
    def units(self) -> list[str]:
        """The unit of each feature; 1 for none."""
        return list(self._plan().handle.describe()["units"])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the initialiser."""
        return {key: getattr(self, key) for key in
                ("features", "window", "hop", "sample_rate", "source_rate", "allow_slow_source", "channels")}

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

    def __repr__(self) -> str:
        return f"Features({self.features!r}, window={self.window}, hop={self.hop}, sample_rate={self.sample_rate})"
