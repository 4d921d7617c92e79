"""A scikit-learn transformer whose samples are whole recordings. It needs scikit-learn; the rest of the package does
not."""
from __future__ import annotations

from typing import Any, Iterable, Literal, Sequence

import numpy as np

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import validate_data
except ImportError as problem:
    raise ImportError(
        "gait_motion.sklearn needs scikit-learn 1.6 or later: pip install 'scikit-learn>=1.6'. Features and Model "
                      "do not need it.") from problem

from ._library import GaitError
from ._types import Floats, Objects, Reading
from .features import Features
from .recording import Recording
from .windows import listed

Aggregate = Literal["mean", "std", "min", "median", "max"]
_AGGREGATES: dict[str, Any] = {"mean": np.mean, "std": np.std, "min": np.min, "median": np.median, "max": np.max}


class RecordingFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Makes one row for each recording: its windows' features, aggregated. Splits, groups and scores are then of
    recordings.

        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import GridSearchCV, GroupKFold
        >>> from sklearn.pipeline import make_pipeline
        >>> from sklearn.preprocessing import StandardScaler
        >>> from gait_motion.sklearn import RecordingFeatures
        >>> paths = gait.sample_files()
        >>> pipeline = make_pipeline(RecordingFeatures(gait.Features(source_rate=50)), StandardScaler(),
        ...                          LogisticRegression())
        >>> search = GridSearchCV(pipeline, {"recordingfeatures__features__window": [2.56, 5.12]}, cv=GroupKFold(4))
        >>> search = search.fit(paths, [path.parent.name for path in paths], groups=[path.stem for path in paths])
        >>> bool(search.best_score_ > 0.9)
        True

    X is one of these:
    - a list of recordings: paths, `Recording`s, tables, or arrays of shape [rows, channels];
    - a data frame with one column of paths;
    - an array of shape [recordings, rows, channels] or [recordings, channels, rows];
    - an array of shape [recordings, rows] of one channel without missing values.

    A recording without a whole window would have no row, so it is an error with the recording's name.

    Args:
        features: the windows and their features; by default `Features()`.
        aggregate: one or several aggregates of each feature over the recording's windows: mean, std (standard
            deviation), min, median, max. The columns are `mean(vertical.rms)` and so on: all features of the first
            aggregate, then the next.
        channels: the channels of arrays; by default all twelve.
        reading: facts about the recordings, such as their units; see `Reading`.
    """

    def __init__(
        self, features: Features | None = None, *, aggregate: Aggregate | Sequence[Aggregate] = "mean",
        channels: Sequence[str] | None = None, reading: Reading | None = None,
    ) -> None:
        self.features = features
        self.aggregate = aggregate
        self.channels = channels
        self.reading = reading

    def _plan(self) -> Features:
        plan = self.features or Features()
        return plan if self.channels is None else Features(**{**plan.get_params(), "channels": self.channels})

    def _aggregates(self) -> list[str]:
        names: list[str] = [self.aggregate] if isinstance(self.aggregate, str) else list(self.aggregate)
        unknown = [name for name in names if name not in _AGGREGATES]
        if unknown or not names or len(set(names)) < len(names):
            raise GaitError(
                f"aggregate={self.aggregate!r} is not possible; use different ones of {', '.join(_AGGREGATES)}")
        return names

    def window_features(self) -> Features:
        """The features of windows, for a model that was fitted to the means of recordings and labels windows."""
        if self._aggregates() != ["mean"]:
            raise GaitError(
                "only a model of means can label windows; use aggregate=\"mean\", or fit windows of Features.grouped")
        return self._plan()

    def fit(self, X: Any, y: Any = None) -> RecordingFeatures:
        """Checks the arguments and the form of X. Nothing is learned from the recordings."""
        self._plan()
        self._aggregates()
        self._recordings(X, is_fitting=True)
        return self

    def transform(self, X: Any) -> Floats:
        """The aggregated features, float32 of shape [recordings, aggregates × features].

        Raises:
            GaitError: a recording cannot be read, lacks a channel, or has no whole window.
        """
        plan, aggregates = self._plan(), self._aggregates()
        rows = []
        for index, data in enumerate(self._recordings(X)):
            name = data if isinstance(data, str) else getattr(data, "name", None) or f"recording {index}"
            if isinstance(data, np.ndarray) and data.ndim == 1:
                data = data.reshape(-1, 1)
            values = plan.windows(data, **(self.reading or {} if not isinstance(data, Recording) else {})).values
            if len(values) == 0:
                raise GaitError(
                    f"{name}: there is no whole window of {plan.window:g} s without missing values; leave it out, or "
                                "use a shorter window.")
            rows.append(np.concatenate([_AGGREGATES[name](values, axis=0) for name in aggregates]))
        width = len(plan.get_feature_names_out()) * len(aggregates)
        return np.array(rows, np.float32).reshape(len(rows), width)

    def _recordings(self, X: Any, is_fitting: bool = False) -> Any:
        """The recordings one by one; an array of numbers is checked as scikit-learn does."""
        if isinstance(X, (list, tuple)) and X and np.ndim(X[0]) == 1 and isinstance(X[0], (list, tuple)):
            X = np.array(X)
        several = listed(X, self._plan().channels, (self.reading or {}).get("acceleration_unit") is not None)
        if several is not None:
            return several
        samples: Any = X
        return validate_data(self, samples, reset=is_fitting, dtype="numeric")

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> Objects:
        """The names of the columns, shape [aggregates × features]."""
        names = self._plan().get_feature_names_out()
        return np.array([f"{aggregate}({name})" for aggregate in self._aggregates() for name in names], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        tags.requires_fit = False
        return tags
