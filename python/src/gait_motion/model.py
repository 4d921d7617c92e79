"""Models: labels and probabilities of windows."""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Sequence

import numpy as np

from . import _sklearn
from ._library import GaitError, Handle, check, floats, lib, options, path_bytes, pointer, written
from .features import Features, WindowStream, Windows, flags, windows_of
from .table import Table


class Model:
    """A trained classifier with its features, windows and sample rate. Make one with `load` or `from_sklearn`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._facts = handle.describe()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
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
    def from_sklearn(cls, estimator: Any, features: Features, labels: Sequence[str] | None = None) -> Model:
        """A model from a fitted scikit-learn classifier of windows of `features`.

        Args:
            estimator: `LogisticRegression`, `DecisionTreeClassifier`, `RandomForestClassifier` or
                `HistGradientBoostingClassifier`, alone or after a `StandardScaler` in a pipeline. A first step `Features`
                is left out.
            features: the windows and features that it was fitted to.
            labels: the names of the classes; by default `estimator.classes_`.

        Raises:
            GaitError: the estimator is of another kind, or does not fit the features.
        """
        return cls.from_json(json.dumps(_sklearn.document(estimator, features, labels)), sealed=False)

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
        self, path: str | os.PathLike[str], format: str = "gait", *, name: str = "activity", notice: str | None = None
    ) -> None:
        """Writes the model, whole or not at all.

        Args:
            format: `gait`, the model file, which the command, apps and `load` read; or what `gait export` writes, with the
                same bytes: `swift`, source with the whole model; `onnx` or `coreml`, the classifier of a window's features
                without the rejection of unknown movements.
            name: the name of the model there, such as that of the constant in Swift source.
            notice: a notice to include there, such as the licence of the training data.

        Raises:
            GaitError: the format cannot represent the model, or the file cannot be written.
        """
        data = self.json.encode() if format == "gait" else written(lambda buffer, size: lib.gait_model_export(
            self._handle.value, format.encode(), options({"name": name, "notice": notice}), buffer, size))
        file = os.fspath(path)
        folder = os.path.dirname(file) or "."
        if not os.path.isdir(folder):
            raise GaitError(f"cannot write {file}: the folder {folder} does not exist; create it first.")
        try:
            descriptor, draft = tempfile.mkstemp(dir=folder, prefix=".gait-")
            try:
                with os.fdopen(descriptor, "wb") as written_file:
                    written_file.write(data)
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(draft, 0o666 & ~mask)
                os.replace(draft, file)
            except BaseException:
                os.unlink(draft)
                raise
        except OSError as problem:
            raise GaitError(f"cannot write {file}: {problem.strerror}; choose another file.") from None

    def predict_proba(self, X: Any, *, sample_rate: float | None = None) -> np.ndarray:
        """The label probabilities, float32 of shape [windows, labels].

        Args:
            X: an array of features, shape [windows, features], or a data frame with their names; or a recording, table or
                path, whose windows are computed.
            sample_rate: the rate of a table or file without times, hertz.

        Raises:
            GaitError: a feature is not finite.
        """
        if not self._are_features(X):
            return self.windows(X, sample_rate=sample_rate).values
        matrix = np.ascontiguousarray(floats(X))
        if matrix.ndim != 2 or matrix.shape[1] != len(self.feature_names):
            raise GaitError(
                f"the model has {len(self.feature_names)} features, but the array has the shape {list(matrix.shape)}; pass "
                "[windows, features], or samples as a Recording")
        output = np.empty((len(matrix), len(self.labels)), np.float32)
        check(lib.gait_model_probabilities(
            self._handle.value, pointer(matrix), matrix.size, len(matrix), pointer(output), output.size))
        return output

    def _are_features(self, X: Any) -> bool:
        if hasattr(X, "iloc") and hasattr(X, "columns"):
            return list(X.columns) == self.feature_names
        return isinstance(X, np.ndarray) and X.dtype.names is None

    def predict(self, X: Any, *, sample_rate: float | None = None) -> np.ndarray:
        """The label of each window, shape [windows]: the most probable one, or `other` for a window of a recording that
        is unlike all training data. Arguments as of `predict_proba`."""
        if self._are_features(X):
            indices = self.predict_proba(X).argmax(axis=1)
        else:
            indices = self.windows(X, sample_rate=sample_rate).labels
        names: np.ndarray = np.array(self.labels + ["other"], dtype=object)[indices]
        return names

    def windows(self, data: Any, *, sample_rate: float | None = None, allow_slow_source: bool = False) -> Windows:
        """The windows of a recording with their probabilities, times and labels."""
        return windows_of(self._handle, len(self.labels), data, sample_rate, allow_slow_source)

    def classify(self, data: Any, *, sample_rate: float | None = None) -> Table:
        """The windows of a recording as a table: start and end in seconds, label, and each label's probability."""
        windows = self.windows(data, sample_rate=sample_rate)
        length = round(self._facts["window"] * self._facts["sampleRate"]) / self._facts["sampleRate"]
        names = np.array(self.labels + ["other"], dtype=object)
        columns = {label: windows.values[:, index] for index, label in enumerate(self.labels)}
        ends = windows.starts + round(length * 1e9)
        return Table({"start": windows.starts / 1e9, "end": ends / 1e9, "label": names[windows.labels]} | columns)

    def stream(
        self, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        gravity_is_estimated: bool = False, allow_slow_source: bool = False,
    ) -> WindowStream:
        """A stream of samples at `sample_rate` hertz; see `Features.stream`."""
        return WindowStream(self._handle, len(self.labels), sample_rate, channels, start,
                            flags(allow_slow_source, gravity_is_estimated))

    def __getstate__(self) -> dict[str, Any]:
        return {"json": self.json}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(Model.from_json(state["json"])._handle)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"Model({len(self.feature_names)} features, labels {', '.join(self.labels)})"
