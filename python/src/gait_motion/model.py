"""Models: labels and probabilities of windows."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, Sequence

import numpy as np

from . import _sklearn
from ._columns import names_of
from ._library import GaitError, Handle, check, floats, interruptible, lib, options, path_bytes, pointer, write_file, written
from ._samples import CHANNELS
from ._types import Floats, ModelFormat, Reading
from .features import Features
from .table import Table
from .windows import Source, WindowStream, Windows, flags, windows_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Model:
    """A trained classifier with its features, windows and sample rate. Make one with `load` or `from_sklearn`."""

    def __init__(self, handle: Handle, classes: np.ndarray[Any, Any] | None = None) -> None:
        self._handle = handle
        self._facts = handle.describe()
        #: The labels as `predict` returns them, in the order of the probabilities: integers if all of them are.
        self.classes = _classes(self._facts["labels"]) if classes is None else classes

    @property
    def _source(self) -> Source:
        return Source(self._handle, tuple(self._facts["labels"]))

    @classmethod
    def load(
        cls, path: Literal["running", "running-linear", "running-pocket", "running-wrist"] | str | os.PathLike[str]
    ) -> Model:
        """Reads a model file, or one of the models that come with Gait: `running`, `running-linear`, `running-pocket`, `running-wrist`.

        Raises:
            GaitError: the file cannot be read, or is not a model.
        """
        return cls(Handle(lib.gait_model_load(path_bytes(path))))

    @classmethod
    def from_json(cls, text: str | bytes, *, name: str = "model", sealed: bool = True) -> Model:
        """A model from the contents of a model file.

        Args:
            sealed: whether the checksum must match. Another program leaves it out, as the library computes it.
        """
        data = text.encode() if isinstance(text, str) else bytes(text)
        parse = lib.gait_model_parse if sealed else lib.gait_model_seal
        return cls(Handle(parse(data, len(data), path_bytes(name))))

    @classmethod
    def from_sklearn(cls, estimator: Any, features: Features | None = None, labels: Sequence[str] | None = None) -> Model:
        """A model from a fitted scikit-learn classifier of windows.

        Args:
            estimator: `LogisticRegression`, `DecisionTreeClassifier`, `RandomForestClassifier`, `ExtraTreesClassifier`,
                `GradientBoostingClassifier` or `HistGradientBoostingClassifier`; alone or in a pipeline after a
                `StandardScaler`, and after `Features` or `RecordingFeatures` of means; or a search over these, whose best
                estimator is taken.
            features: the windows and features that it was fitted to; not needed if they are a step of the pipeline.
            labels: the names of the classes; by default `estimator.classes_`, of which integers stay integers.

        Raises:
            GaitError: the estimator is of another kind, or does not fit the features.
        """
        document, classes = _sklearn.document(estimator, features, labels)
        return cls(cls.from_json(json.dumps(document), sealed=False)._handle, classes)

    @property
    def labels(self) -> list[str]:
        """The labels, in the order of the probabilities."""
        return list(self._facts["labels"])

    @property
    def feature_names(self) -> list[str]:
        """The features, in the order of the classifier's columns."""
        return list(self._facts["features"])

    @property
    def channels(self) -> list[str]:
        """The channels that recordings need."""
        return list(self._facts["channels"])

    @property
    def json(self) -> str:
        """The contents of the model file."""
        return self._handle.json()

    def features(self, source_rate: float | None = None) -> Features:
        """The features, windows and rate of the model."""
        return Features(self.feature_names, window=self._facts["window"], hop=self._facts["hop"],
                        sample_rate=self._facts["sampleRate"], source_rate=source_rate)

    def export(
        self, path: str | os.PathLike[str], format: ModelFormat = "gait", *, name: str = "activity", notice: str | None = None
    ) -> None:
        """Writes the model, whole or not at all.

        Args:
            format: `gait`, the model file, which the command, apps and `load` read; or `swift`, source with the whole
                model. Both have the bytes that `gait export` writes. `gait_motion.export` has ONNX and Core ML.
            name: the name of the constant in Swift source.
            notice: a notice to include there, such as the licence of the training data.

        Raises:
            GaitError: the name is not valid, or the file cannot be written.
        """
        write_file(path, written(lambda buffer, size: lib.gait_model_export(
            self._handle.value, format.encode(), options({"name": name, "notice": notice}), buffer, size)))

    def predict_proba(self, X: Any, **reading: Unpack[Reading]) -> Floats:
        """The label probabilities, float32 of shape [windows, labels].

        Args:
            X: an array of features, shape [windows, features], or a data frame with columns of their names, in any order; or
                a recording, table or path, whose windows are computed.
            reading: a reader's options for files, and the sample rate of data without times; see `Reading`.

        Raises:
            GaitError: a feature is missing or not finite.
        """
        matrix = self._matrix(X)
        if matrix is None:
            return self.windows(X, **reading).values
        if matrix.ndim != 2 or matrix.shape[1] != len(self.feature_names):
            raise GaitError(
                f"the model has {len(self.feature_names)} features, but the array has the shape {list(matrix.shape)}; pass "
                "[windows, features], or samples as a Recording")
        output = np.empty((len(matrix), len(self.labels)), np.float32)
        interruptible(lambda: check(lib.gait_model_probabilities(
            self._handle.value, pointer(matrix), matrix.size, len(matrix), pointer(output), output.size)), len(matrix))
        return output

    def _matrix(self, X: Any) -> Floats | None:
        """An array or a data frame of features as an array; None for samples."""
        if isinstance(X, np.ndarray) and X.dtype.names is None:
            return np.ascontiguousarray(floats(X))
        names = names_of(X)
        missing = [name for name in self.feature_names if name not in names]
        if len(missing) == len(self.feature_names) or any(name in CHANNELS for name in names):
            return None
        if missing:
            raise GaitError(f"the table lacks the features {', '.join(missing)}, which the model needs")
        return np.stack([floats(np.asarray(X[name])) for name in self.feature_names], axis=1)

    def predict(self, X: Any, **reading: Unpack[Reading]) -> np.ndarray[Any, Any]:
        """The label of each window, shape [windows]: the most probable one of `classes`, or `other` for a window of a
        recording that is unlike all training data. Arguments as of `predict_proba`."""
        matrix = self._matrix(X)
        indices = self.windows(X, **reading).labels if matrix is None else self.predict_proba(matrix).argmax(axis=1)
        is_rejected = bool((indices < 0).any())
        classes = np.array(self.classes.tolist() + ["other"], dtype=object) if is_rejected else self.classes
        names: np.ndarray[Any, Any] = classes[indices]
        return names

    def windows(self, data: Any, *, allow_slow_source: bool = False, **reading: Unpack[Reading]) -> Windows:
        """The windows of a recording with their probabilities, times and labels. Arguments as of `predict_proba`."""
        windows = windows_of(self._source, data, reading, allow_slow_source)
        windows.targets = np.array(self.labels + ["other"], dtype=object)[windows.labels]
        return windows

    def classify(self, data: Any, **reading: Unpack[Reading]) -> Table:
        """The windows of a recording as a table: start and end in seconds, label, and each label's probability."""
        windows = self.windows(data, **reading)
        length = round(self._facts["window"] * self._facts["sampleRate"]) / self._facts["sampleRate"]
        columns = {label: windows.values[:, index] for index, label in enumerate(self.labels)}
        ends = windows.starts + round(length * 1e9)
        return Table({"start": windows.starts / 1e9, "end": ends / 1e9, "label": windows.targets} | columns)

    def stream(
        self, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        gravity_is_estimated: bool = False, allow_slow_source: bool = False,
    ) -> WindowStream:
        """A stream of samples at `sample_rate` hertz; see `Features.stream`."""
        return WindowStream(self._source, sample_rate, channels, start, flags(allow_slow_source, gravity_is_estimated))

    def __getstate__(self) -> dict[str, Any]:
        return {"json": self.json, "classes": self.classes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(Model.from_json(state["json"])._handle, state["classes"])  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"Model({len(self.feature_names)} features, labels {', '.join(self.labels)})"


def _classes(labels: Sequence[str]) -> np.ndarray[Any, Any]:
    """Labels as integers if all of them are, as those of a model from scikit-learn may be."""
    is_integer = all(label.removeprefix("-").isdecimal() and str(int(label)) == label for label in labels)
    return np.array([int(label) for label in labels]) if is_integer else np.array(labels, dtype=object)
