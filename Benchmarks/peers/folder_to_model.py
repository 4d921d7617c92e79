"""From a folder of labelled recordings to a trained and evaluated model, as a user of scikit-learn writes it.

    python folder_to_model.py FOLDER PATTERN MAP LIBRARY

The pattern is a regular expression with the groups `label` and `subject`, for paths in the folder; the map renames
labels (JSON). The libraries are those of `LIBRARIES`. Every second row of 50 Hz, windows of 64 samples without overlap;
three folds of people, then a fit to all. Prints as JSON, for each classifier: the seconds from the first file to the
last fit, the accuracy on held-out people, and the numbers of windows and people. The features of tsfel are computed
once, and count for each classifier.
"""

import json
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

RATE, LENGTH, FOLDS = 25, 64, 3


def recordings(folder, pattern, names):
    """The label, person and rows [n × 12] of each recording; a copy of another file is left out."""
    seen = set()
    for path in sorted(Path(folder).rglob("*.csv")):
        found = re.fullmatch(pattern, str(path.relative_to(folder)))
        if found is None or (content := path.read_bytes()) in seen:
            continue
        seen.add(content)
        label = found["label"]
        yield names.get(label, label), found["subject"], pandas.read_csv(path, index_col=0).to_numpy()[::2]


def tsfel_features(recordings):
    import tsfel

    settings = tsfel.get_features_by_domain()
    for rows in recordings:
        table = tsfel.time_series_features_extractor(
            settings, pandas.DataFrame(rows), fs=RATE, window_size=LENGTH, overlap=0, n_jobs=None, verbose=0)
        yield np.nan_to_num(table.to_numpy(np.float64))


def cut(recordings):
    """Windows, shape [12 × 64]."""
    for rows in recordings:
        count = len(rows) // LENGTH
        yield rows[:count * LENGTH].reshape(count, LENGTH, rows.shape[1]).transpose(0, 2, 1)


def mini_rocket(classifier):
    from aeon.transformations.collection.convolution_based import MiniRocket

    return make_pipeline(MiniRocket(random_state=1), StandardScaler(), classifier)


# Library → the input of its classifiers for each recording, and the classifiers.
LIBRARIES = {
    "tsfel": (tsfel_features, {
        "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "random forest": lambda: RandomForestClassifier(100, random_state=1)}),
    "MiniRocket": (cut, {
        "ridge": lambda: mini_rocket(RidgeClassifierCV(alphas=np.logspace(-3, 3, 10))),
        "logistic regression": lambda: mini_rocket(LogisticRegression(max_iter=1000))}),
}


def main(folder, pattern, names, library):
    prepare, classifiers = LIBRARIES[library]
    if library == "MiniRocket":
        mini_rocket(StandardScaler()).fit_transform(np.random.default_rng(1).random((4, 12, LENGTH)))  # compiles
    start = time.perf_counter()
    labels, people, rows = zip(*recordings(folder, pattern, json.loads(names)))
    tables = list(prepare(rows))
    counts = [len(table) for table in tables]
    x, y, groups = np.concatenate(tables), np.repeat(labels, counts), np.repeat(people, counts)
    prepared, found = time.perf_counter() - start, {}
    for title, classifier in classifiers.items():
        start = time.perf_counter()
        predicted = cross_val_predict(classifier(), x, y, groups=groups, cv=GroupKFold(FOLDS))
        classifier().fit(x, y)
        found[f"{library} + {title}"] = {
            "seconds": prepared + time.perf_counter() - start, "accuracy": float((predicted == y).mean()),
            "windows": len(y),
            "people": len(set(people))}
    print(json.dumps(found))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
