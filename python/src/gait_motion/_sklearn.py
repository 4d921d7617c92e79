"""Model files from fitted scikit-learn estimators."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._library import GaitError
from .features import Features

Document = dict[str, Any]


def document(
    estimator: Any, features: Features | None, labels: Sequence[str] | None, feature_names: Sequence[str] | None
) -> tuple[Document, np.ndarray[Any, Any] | None]:
    """The entries of a model file without its checksum, and the classes: the estimator's integers, or texts."""
    while type(estimator).__name__ == "FrozenEstimator" or hasattr(estimator, "best_estimator_"):
        estimator = getattr(estimator, "best_estimator_", getattr(estimator, "estimator", None))
    steps = [step for _, step in getattr(estimator, "steps", [(None, estimator)])]
    has_features = False
    if steps and (isinstance(steps[0], Features) or hasattr(steps[0], "window_features")):
        # The second is a RecordingFeatures, whose module needs scikit-learn.
        first, *steps = steps
        has_features = True
        features = features or (first if isinstance(first, Features) else first.window_features())
    names = [type(step).__name__ for step in steps]
    if not 1 <= len(steps) <= 2 or names[:-1] not in ([], ["StandardScaler"]) or names[-1] not in _CLASSIFIERS:
        raise GaitError(
            f"{' and '.join(names)} cannot be imported; use {', '.join(_CLASSIFIERS)}, alone or after a "
            "StandardScaler, or a fitted search over them")
    scaler, classifier = steps[0] if len(steps) == 2 else None, steps[-1]
    if not hasattr(classifier, "classes_"):
        raise GaitError(f"the {names[-1]} is not fitted; call fit first")
    if features is None:
        raise GaitError(f"the windows of the {names[-1]} are not known; pass the Features that it was fitted to")
    texts = list(features.get_feature_names_out())
    if not has_features:
        texts = _fitted_names(steps[0], texts, feature_names)
    if classifier.n_features_in_ != len(texts):
        raise GaitError(f"the {names[-1]} was fitted to {classifier.n_features_in_} features, not to {len(texts)}")
    head: Document = {"window": features.window, "hop": features.hop, "features": texts,
        "labels": [str(label) for label in (classifier.classes_ if labels is None else labels)],
        "classifier": _CLASSIFIERS[names[-1]](classifier),}
    if scaler is not None:
        count = len(texts)
        mean = scaler.mean_ if scaler.with_mean else np.zeros(count)
        deviation = scaler.scale_ if scaler.with_std else np.ones(count)
        head["scaling"] = {"mean": _floats(mean), "standardDeviation": _floats(deviation)}
    document = {"format": "gait.activityModel", "version": 2, "sampleRate": features.sample_rate, "heads": [head]}
    is_text = labels is not None or classifier.classes_.dtype.kind not in "iu"
    return document, np.array(head["labels"], dtype=object) if is_text else classifier.classes_


def _fitted_names(step: Any, texts: list[str], stated: Sequence[str] | None) -> list[str]:
    """The columns that a step was fitted to, in their order: the step's own names, or the stated ones."""
    kind = type(step).__name__
    found = getattr(step, "feature_names_in_", None)
    if found is None and stated is None:
        raise GaitError(
            f"the {kind} was fitted to columns without names, so their order is not known; fit it to a data frame, or "
            "state "
                        "the order by feature_names, such as windows.names")
    # RecordingFeatures names its columns mean(…).
    columns: Any = stated if found is None else found
    names = [name[5:-1] if name.startswith("mean(") else name for name in map(str, columns)]
    if found is not None and stated is not None and list(stated) != names:
        raise GaitError(
            f"the {kind} was fitted to the columns {', '.join(names[:4])}, …, not in the order of feature_names; leave "
            "it out")
    unknown = [name for name in names if name not in texts]
    if unknown:
        raise GaitError(
            f"the {kind} was fitted to the column {unknown[0]}, which is not one of the features; fit it to these "
            "only, or "
                        "pass the Features that have it")
    return names


def _floats(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, np.float32).ravel()]


def _at_most(thresholds: Any) -> list[float]:
    """The largest float32 not above each threshold. A float32 feature then takes the same branch as with the
    threshold."""
    exact = np.asarray(thresholds, np.float64)
    near = exact.astype(np.float32)
    return _floats(np.where(near > exact, np.nextafter(near, np.float32(-np.inf)), near))


def _logistic(model: Any) -> Document:
    weights, intercepts = np.asarray(model.coef_, np.float32), model.intercept_
    if len(model.classes_) > 2 and len(weights) != len(model.classes_):
        raise GaitError("the LogisticRegression does not have one row of coefficients for each class")
    return {"kind": "logistic", "weights": [_floats(row) for row in weights], "intercepts": _floats(intercepts)}


def _nodes(trees: list[tuple[Any, Any, Any, Any]]) -> Document:
    """Flat nodes from (features, thresholds, left, right) of each tree; leaves have the feature -1."""
    sizes = [len(tree[0]) for tree in trees]
    roots = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int)
    columns: list[list[Any]] = [[], [], [], []]
    for root, (features, thresholds, left, right) in zip(roots, trees):
        leaf = np.asarray(features) < 0
        columns[0] += np.where(leaf, -1, features).astype(int).tolist()
        columns[1] += _at_most(np.where(leaf, 0, thresholds))
        columns[2] += np.where(leaf, -1, np.asarray(left, int) + root).tolist()
        columns[3] += np.where(leaf, -1, np.asarray(right, int) + root).tolist()
    keys = ("nodeFeatures", "thresholds", "leftChildren", "rightChildren")
    return dict(zip(keys, columns)) | {"roots": roots.tolist()}


def _forest(models: list[Any], kind: str) -> Document:
    trees = [model.tree_ for model in models]
    probabilities: list[list[float]] = []
    for tree in trees:
        values = tree.value[tree.children_left < 0, 0, :]
        probabilities += [_floats(row) for row in values / values.sum(axis=1, keepdims=True)]
    nodes = _nodes([(tree.feature, tree.threshold, tree.children_left, tree.children_right) for tree in trees])
    if kind == "decisionTree":
        del nodes["roots"]
    return {"kind": kind, "leafProbabilities": probabilities} | nodes


def _boosted(model: Any) -> Document:
    trees, values = [], []
    for predictors in model._predictors:
        for predictor in predictors:
            nodes = predictor.nodes
            if "is_categorical" in nodes.dtype.names and nodes["is_categorical"].any():
                raise GaitError("the HistGradientBoostingClassifier has categorical features; Gait's are numbers")
            leaf = nodes["is_leaf"].astype(bool)
            trees.append((np.where(leaf, -1, nodes["feature_idx"].astype(int)), nodes["num_threshold"], nodes["left"],
                          nodes["right"]))
            values += _floats(nodes["value"][leaf])
    return {"kind": "boostedTrees", "leafValues": values,
            "baseScores": _floats(model._baseline_prediction)} | _nodes(trees)


def _gradient_boosted(model: Any) -> Document:
    start = model.init_
    if start == "zero":
        base = np.zeros(model.estimators_.shape[1])
    elif type(start).__name__ == "DummyClassifier":
        # Its scores are the same for all windows.
        base = model._raw_predict_init(np.zeros((1, model.n_features_in_), np.float32))[0]
    else:
        raise GaitError(f"the GradientBoostingClassifier begins with a {type(start).__name__}; leave out init")
    # The exponential loss has half the log-odds.
    scale = 2.0 if model.loss == "exponential" else 1.0
    trees = [tree.tree_ for trees in model.estimators_ for tree in trees]
    values = [value for tree in trees
              for value in _floats(scale * model.learning_rate * tree.value[tree.children_left < 0, 0, 0])]
    nodes = _nodes([(tree.feature, tree.threshold, tree.children_left, tree.children_right) for tree in trees])
    return {"kind": "boostedTrees", "leafValues": values, "baseScores": _floats(scale * np.asarray(base))} | nodes


_CLASSIFIERS: dict[str, Any] = {"LogisticRegression": _logistic,
    "DecisionTreeClassifier": lambda model: _forest([model], "decisionTree"),
    "RandomForestClassifier": lambda model: _forest(model.estimators_, "randomForest"),
    "ExtraTreesClassifier": lambda model: _forest(model.estimators_, "randomForest"),
    "GradientBoostingClassifier": _gradient_boosted, "HistGradientBoostingClassifier": _boosted,}
