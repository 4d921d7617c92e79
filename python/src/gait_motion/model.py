"""Models: labels and probabilities of windows."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, Sequence, cast

import numpy as np

from . import _sklearn
from ._columns import CHANNELS, names_of
from ._library import (
    GaitError, Handle, check, floats, interruptible, lib, options, path_bytes, pointer, write_file, written)
from ._types import Floats, ModelFormat, Reading
from .features import Features
from .table import Table, listing
from .windows import Source, WindowStream, Windows, flags, windows_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


_BUILT_IN = ("running", "running-linear", "running-pocket", "running-wrist")


class Model:
    """A trained classifier with its features, windows and sample rate. Make one with `load` or `from_sklearn`.

    For scikit-learn it is a fitted classifier; `fit` and `clone` leave it as it is. X are features of windows, or
    recordings.

        >>> model = gait.Model.load("running")
        >>> model
        Model(18 features, labels other, running, still, walking)
        >>> model.predict(gait.sample_files()[0], sample_rate=50)[:2]
        array(['running', 'running'], dtype=object)

    Attributes:
        labels: the labels as texts, in the order of the probabilities.
        feature_names: the features, in the order of the classifier's columns.
        channels: the channels that recordings need.
        built_in: the name of a model that comes with Gait, or None. For a recording without gravity, `running-linear`
            is used in place of `running`.
        classes_: the labels as `predict` returns them, in the order of the probabilities: integers if all of them are.
        feature_names_in_, n_features_in_: the features for scikit-learn, and their number.
    """

    #: For scikit-learn before 1.6.
    _estimator_type = "classifier"

    def __init__(self, handle: Handle, classes: np.ndarray[Any, Any] | None = None) -> None:
        self._handle = handle
        self._facts, self._source = handle.describe(), Source.of(handle)
        self.classes_ = _classes(self._facts["labels"]) if classes is None else classes
        self.labels: list[str] = self._facts["labels"]
        self.feature_names: list[str] = self._facts["features"]
        self.channels: list[str] = self._facts["channels"]
        self.feature_names_in_ = np.array(self.feature_names, dtype=object)
        self.n_features_in_ = len(self.feature_names)
        self.built_in: str | None = None

    @classmethod
    def load(
        cls, path: Literal["running", "running-linear", "running-pocket", "running-wrist"] | str | os.PathLike[str]
    ) -> Model:
        """Reads a model file, or one of the models that come with Gait: `running`, `running-linear`, `running-pocket`,
        `running-wrist`.

            >>> gait.Model.load("running-linear").channels
            ['userAcceleration.x', 'userAcceleration.y', 'userAcceleration.z']

        Raises:
            GaitError: the file cannot be read, or is not a model.
        """
        model = cls(Handle(lib.gait_model_load(path_bytes(path))))
        model.built_in = str(path) if path in _BUILT_IN else None
        return model

    @classmethod
    def from_json(cls, text: str | bytes, *, name: str = "model", sealed: bool = True) -> Model:
        """A model from the contents of a model file.

            >>> gait.Model.from_json(gait.Model.load("running").json).labels
            ['other', 'running', 'still', 'walking']

        Args:
            sealed: whether the checksum must match. Pass False for the file of another program, which need not have
                one; the library computes it.
        """
        data = text.encode() if isinstance(text, str) else bytes(text)
        parse = lib.gait_model_parse if sealed else lib.gait_model_seal
        return cls(Handle(parse(data, len(data), path_bytes(name))))

    @classmethod
    def from_sklearn(
        cls, estimator: Any, features: Features | None = None, labels: Sequence[str] | None = None, *,
        feature_names: Sequence[str] | None = None,
    ) -> Model:
        """A model from a fitted scikit-learn classifier of windows. Its columns are found by their names.

            >>> from sklearn.linear_model import LogisticRegression
            >>> features, files = gait.Features(), gait.sample_files()
            >>> labels = [file.parent.name for file in files]
            >>> windows = features.grouped(files, subjects=files, labels=labels, sample_rate=50)
            >>> table = windows.to_pandas()[list(windows.names)]
            >>> fitted = LogisticRegression(max_iter=1000).fit(table, windows.targets)
            >>> gait.Model.from_sklearn(fitted, features)
            Model(7 features, labels running, still, walking)

        Args:
            estimator: `LogisticRegression`, `DecisionTreeClassifier`, `RandomForestClassifier`, `ExtraTreesClassifier`,
                `GradientBoostingClassifier` or `HistGradientBoostingClassifier`. It may follow a `StandardScaler` in a
                pipeline, which may begin with `Features` or with `RecordingFeatures` of means. Of a search over these,
                the best estimator is taken.
            features: the windows and features that it was fitted to; not needed if they are a step of the pipeline.
            labels: the names of the classes; by default `estimator.classes_`. Integers stay integers.
            feature_names: the features in the order of the columns that it was fitted to, such as `windows.names`;
                needed if the columns had no names, as an array's.

        Raises:
            GaitError: the estimator is of another kind, its columns are not features, or their order is not known.
        """
        document, classes = _sklearn.document(estimator, features, labels, feature_names)
        return cls(cls.from_json(json.dumps(document), sealed=False)._handle, classes)

    @property
    def json(self) -> str:
        """The contents of the model file."""
        return self._handle.json()

    def features(self, source_rate: float | None = None) -> Features:
        """The features, windows and rate of the model.

            >>> gait.Model.load("running").features().transform(gait.sample_files()[0], sample_rate=50).shape
            (40, 18)
        """
        return Features(self.feature_names, window=self._facts["window"], hop=self._facts["hop"],
                        sample_rate=self._facts["sampleRate"], source_rate=source_rate)

    def export(
        self, path: str | os.PathLike[str], format: ModelFormat = "gait", *, name: str = "activity",
        notice: str | None = None
    ) -> None:
        """Writes the model, whole or not at all.

            >>> import tempfile, pathlib
            >>> path = pathlib.Path(tempfile.mkdtemp()) / "Model.swift"
            >>> gait.Model.load("running").export(path, "swift", name="running")
            >>> "ActivityModel" in path.read_text()
            True

        Args:
            format: `gait`, the model file, which the command, apps and `load` read; or `swift`, source with the whole
                model. Both have the bytes that `gait export` writes. `gait_motion.export` has ONNX and Core ML.
            name: the name of the constant in Swift source.
            notice: a notice to include in the source, such as the licence of the training data.

        Raises:
            GaitError: the name is not valid, or the file cannot be written.
        """
        write_file(path, written(lambda buffer, size: lib.gait_model_export(
            self._handle.value, format.encode(), options({"name": name, "notice": notice}), buffer, size)))

    def predict_proba(self, X: Any, **reading: Unpack[Reading]) -> Floats:
        """The label probabilities, float32 of shape [windows, labels].

            >>> gait.Model.load("running").predict_proba(gait.sample_files(), sample_rate=50).shape
            (480, 4)

        Args:
            X: features or recordings. Features are an array of shape [windows, features], or a data frame with columns
                of their names, in any order. Recordings are those that `Features.transform` takes; their windows are
                computed. An array with two dimensions counts as samples only if their sample rate is given.
            reading: facts about the data, such as its sample rate and units; see `Reading`.

        Raises:
            GaitError: a feature is missing or not finite.
        """
        matrix = self._matrix(X, reading)
        if matrix is None:
            return self.windows(X, **reading).values
        if matrix.ndim != 2 or matrix.shape[1] != len(self.feature_names):
            raise GaitError(
                f"the model has {len(self.feature_names)} features, but the array has the shape {list(matrix.shape)}; "
                "pass [windows, features], or samples with their sample_rate")
        output = np.empty((len(matrix), len(self.labels)), np.float32)
        interruptible(lambda: check(lib.gait_model_probabilities(
            self._handle.value, pointer(matrix), matrix.size, len(matrix), pointer(output), output.size)), len(matrix))
        return output

    def _matrix(self, X: Any, reading: Reading) -> Floats | None:
        """An array, a list of rows or a data frame of features as an array; None for samples."""
        if isinstance(X, (list, tuple)) and X and np.ndim(
                X[0]) == 1 and not isinstance(X[0], str) and np.isscalar(X[0][0]):
            X = np.asarray(X)
        if isinstance(X, np.ndarray) and X.dtype.names is None:
            is_samples = X.ndim == 3 or X.dtype.kind in "OUT" and X.ndim == 1 or any(
                value is not None for value in reading.values())
            return None if is_samples else np.ascontiguousarray(floats(X))
        table, names = cast(Any, X), names_of(X)
        missing = [name for name in self.feature_names if name not in names]
        if len(missing) == len(self.feature_names) or any(name in CHANNELS for name in names):
            return None
        if missing:
            raise GaitError(f"the table lacks the features {', '.join(missing)}, which the model needs")
        return np.stack([floats(np.asarray(table[name])) for name in self.feature_names], axis=1)

    def predict(self, X: Any, **reading: Unpack[Reading]) -> np.ndarray[Any, Any]:
        """The label of each window, shape [windows]: the most probable one of `classes_`, `other` for a window of a
        recording that is unlike all training data, or `unknown` for one of which less than 0.6 was measured. The
        arguments are those of `predict_proba`.

            >>> gait.Model.load("running").predict(gait.sample_files()[-1], sample_rate=50)[-1]
            'walking'
        """
        matrix = self._matrix(X, reading)
        indices = self.windows(X, **reading).labels if matrix is None else self.predict_proba(matrix).argmax(axis=1)
        is_rejected = bool((indices < 0).any())
        classes = np.array(self.classes_.tolist() + ["unknown", "other"],
                           dtype=object) if is_rejected else self.classes_
        names: np.ndarray[Any, Any] = classes[indices]
        return names

    def score(self, X: Any, y: Any, sample_weight: Any = None, **reading: Unpack[Reading]) -> float:
        """The share of windows that have the labels `y`. The other arguments are those of `predict_proba`.

            >>> windows = gait.Model.load("running").features().grouped(
            ...     gait.sample_files()[:1], subjects=["1"], labels=["running"], sample_rate=50)
            >>> gait.Model.load("running").score(windows.values, windows.targets)
            1.0
        """
        labels, found = np.asarray(y), self.predict(X, **reading)
        if labels.shape != found.shape:
            raise GaitError(
                f"there are labels of the shape {list(labels.shape)} for {len(found)} windows; give one for each")
        known = {*self.classes_.tolist(), "other"}
        if len(labels) and not known & {*labels.tolist()}:
            raise GaitError(
                f"the model knows none of the labels, such as {labels.tolist()[0]!r}; its own are "
                f"{self.classes_.tolist()}")
        return float(np.average(found == labels, weights=sample_weight))

    def fit(self, X: Any = None, y: Any = None) -> Model:
        """Returns itself, as a `FrozenEstimator` does: the model is trained already. `from_sklearn` makes one from an
        estimator."""
        return self

    def windows(self, data: Any, *, allow_slow_source: bool = False, **reading: Unpack[Reading]) -> Windows:
        """The windows of recordings with their probabilities, times and labels. The arguments are those of
        `predict_proba`.

            >>> gait.Model.load("running").windows(gait.sample_files()[0], sample_rate=50).targets[0]
            'running'
        """
        windows = windows_of(self._source, data, reading, allow_slow_source)
        windows.targets = np.array(self.labels + ["unknown", "other"], dtype=object)[windows.labels]
        return windows

    def classify(self, data: Any, **reading: Unpack[Reading]) -> Table:
        """The windows as a table: label, recording, start and end, and each label's probability.

            >>> table = gait.Model.load("running").classify(gait.sample_files()[0], sample_rate=50)
            >>> list(table)
            ['label', 'recording', 'start', 'end', 'coverage', 'other', 'running', 'still', 'walking']
        """
        return self.windows(data, **reading).table()

    def stream(
        self, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        gravity_is_estimated: bool = False, allow_slow_source: bool = False,
    ) -> WindowStream:
        """A stream of samples at `sample_rate` hertz; see `Features.stream`.

            >>> gait.Model.load("running").stream(50)
            WindowStream(4 values of a window, 50 Hz)
        """
        return WindowStream(self._source, sample_rate, channels, start, flags(allow_slow_source, gravity_is_estimated))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """There are no parameters."""
        return {}

    def __sklearn_clone__(self) -> Model:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags
        return Tags(estimator_type="classifier", target_tags=TargetTags(required=False), transformer_tags=None,
                    classifier_tags=ClassifierTags(), regressor_tags=None,
                    input_tags=InputTags(three_d_array=True, string=True),
                    requires_fit=False)

    def __getstate__(self) -> dict[str, Any]:
        return {"json": self.json, "classes": self.classes_}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(Model.from_json(state["json"])._handle, state["classes"])  # type: ignore[misc]

    def _repr_html_(self) -> str:
        facts = {"labels": ", ".join(self.labels), "features": ", ".join(self.feature_names),
                 "channels": ", ".join(self.channels),
                 "window": f"{self._facts['window']:g} s, hop {self._facts['hop']:g} s",
                 "rate": f"{self._facts['sampleRate']:g} Hz"}
        return listing("Model", facts)

    def __repr__(self) -> str:
        return f"Model({len(self.feature_names)} features, labels {', '.join(self.labels)})"


def _classes(labels: Sequence[str]) -> np.ndarray[Any, Any]:
    """Labels as integers if all of them are, as those of a model from scikit-learn may be."""
    is_integer = all(label.removeprefix("-").isdecimal() and str(int(label)) == label for label in labels)
    return np.array([int(label) for label in labels]) if is_integer else np.array(labels, dtype=object)
