#!/usr/bin/env python3
"""Compares the default model's recipe with its rivals by place: run or not, balanced, people held out and sets left
out.

  Benchmarks/peers/rivals.py GAIT GAIT_LAB DATA

GAIT and GAIT_LAB are the commands, DATA is the folder with the public data sets (datasets/README.md). Installs aeon and
scikit-learn into a virtual environment under .build. The rivals are MiniRocket (2,000 kernels) with a ridge classifier,
and scikit-learn's logistic regression and boosted trees on plain features: every statistic of `Statistic.catalogue` of
total, user acceleration, jerk, vertical and horizontal. All weigh the labels alike. Gait's figures are those of
`gait-lab judge places`, whose folds, sets left out and windows the rivals have too. They train on every fourth window,
so that none overlap, MiniRocket on at most 10,000 of a fold, drawn by chance, for its memory and time. It sees the
total acceleration: three axes and the magnitude, 64 samples.
"""
import csv
import functools
import json
import os
import pathlib
import subprocess
import sys
import time

ENVIRONMENT = pathlib.Path(".build/rivals")
PLACES = {"motionsense": ["pocket"], "wisdm-phone": ["pocket"], "wisdm-watch": ["wrist"],
          "dsads": ["torso", "right arm", "left arm", "right leg", "left leg"], "boostrunclub": [None],
          "umafall-pocket": ["pocket"], "umafall-waist": ["waist"], "umafall-wrist": ["wrist"]}
LANES = ("total.", "userAcceleration.magnitude.", "jerk.", "vertical.", "horizontal.")
ACTIVITIES = {"running": "B", "walking": "AC", "still": "DE"}  # of WISDM
MOST, KERNELS, APART = 10_000, 2_000, 4


@functools.cache
def acceleration(file, place, label):
    """The times, s, and the total acceleration, g, of a recording."""
    import numpy as np

    if place in PLACES["dsads"]:
        segments = [np.loadtxt(part, delimiter=",") for part in sorted(pathlib.Path(file).parent.glob("s*.txt"))]
        column = 9 * PLACES["dsads"].index(place)
        rows = np.vstack(segments)[:, column : column + 3] / 9.80665
        return np.arange(len(rows)) / 25, rows
    if file.endswith(".txt"):
        lines = (line.rstrip(";\n ").split(",") for line in open(file))
        rows = sorted(
            {tuple(map(float, line[2:6])) for line in lines if len(line) >= 6 and line[1] in ACTIVITIES[label]})
        return np.array(rows)[:, 0] / 1e9, np.array(rows)[:, 1:] / 9.80665
    rows = np.genfromtxt(file, delimiter=",", skip_header=1)
    if "umafall" in file:
        return rows[:, 0], rows[:, 1:4]
    return np.arange(len(rows)) / (10 if "boostrunclub" in file else 50), rows[:, 4:7] + rows[:, 10:13]


def windows(gait, data, names):
    """Of every window of every place: features, signals, and set, place, person and label; and whether rivals train on
    it."""
    import numpy as np

    features, signals, facts, trained = [], [], [], []
    for name, places in PLACES.items():
        for place in places:
            table = ENVIRONMENT / "windows.csv"
            only = ["--only", f"set={name}"] + (["--only", f"place={place}"] if place else [])
            subprocess.run([gait, "features", "datasets/places.json", "--data", data, *only, "--allow-slow-source",
                            *(word for name in names for word in ("--feature", name)), "--output", table],
                           capture_output=True, check=True)
            with open(table) as lines:
                for index, (label, person, file, start, *values) in enumerate(list(csv.reader(lines))[1:]):
                    times, rows = acceleration(file, place, label)
                    grid = float(start) + np.arange(64) / 25
                    signal = np.stack([np.interp(grid, times, axis) for axis in rows.T])
                    signals.append(np.vstack([signal, np.linalg.norm(signal, axis=0)]))
                    features.append(values)
                    facts.append((name.split("-")[0], f"{name}, {place}" if place else name,
                                  person or str(pathlib.Path(file).relative_to(data)), label))
                    trained.append(index % APART == 0)
    return np.array(features, np.float32), np.array(signals, np.float32), np.array(facts), np.array(trained)


def judge(gait, lab, data):
    import numpy as np
    from aeon.classification.convolution_based import MiniRocketClassifier
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    matrix = json.loads(subprocess.check_output([lab, "judge", "places", data, "--json"]))
    own = [{row["name"]: row.get("runOrNot") for row in matrix[part]} for part in ("peopleHeldOut", "setsLeftOut")]
    catalogue = json.loads(subprocess.check_output([gait, "features", "--list", "--json"]))["sets"]["full"]
    names = [name for name in catalogue if name.startswith(LANES)]
    features, signals, facts, trained = windows(gait, data, names)
    sets, places, people, truth = facts.T
    random = np.random.default_rng(1)
    rivals = {
        "logistic": (features, lambda count: make_pipeline(
            StandardScaler(), LogisticRegression(C=1 / (0.005 * count), class_weight="balanced", max_iter=500)), None),
        "boosted": (features, lambda count: HistGradientBoostingClassifier(class_weight="balanced", random_state=1),
                    None),
        "MiniRocket": (signals, lambda count: MiniRocketClassifier(n_kernels=KERNELS, random_state=1, n_jobs=1), MOST),
    }

    def predictions(folds):
        said = {name: np.empty(len(truth), truth.dtype) for name in rivals}
        for fold in np.unique(folds):
            train, test = np.flatnonzero((folds != fold) & trained), np.flatnonzero(folds == fold)
            for name, (values, rival, most) in rivals.items():
                chosen = random.permutation(train)[:most]
                said[name][test] = rival(len(chosen)).fit(values[chosen], truth[chosen]).predict(values[test])
        return said

    fold = {person: index for index, group in enumerate(matrix["folds"]) for person in group}
    parts = [("people held out", own[0], predictions(np.array([fold[person] for person in people]))),
             ("sets left out", own[1], predictions(np.unique(sets, return_inverse=True)[1]))]
    for title, gaits, said in parts:
        print(f"\n{title + ', running or not':32}{'Gait':>12}" + "".join(f"{name:>12}" for name in rivals))
        rows = []
        for place in dict.fromkeys(places):
            here = places == place
            run = truth[here] == "running"
            if run.any():
                found = [said[name][here] == "running" for name in rivals]
                rows.append([gaits[place]] + [(each[run].mean() + 1 - each[~run].mean()) / 2 for each in found])
                print(f"{place:32}" + "".join(f"{100 * value:10.1f} %" for value in rows[-1]))
        for name, summary in (("mean", np.mean), ("worst", np.min)):
            print(f"{name:32}" + "".join(f"{100 * summary(column):10.1f} %" for column in zip(*rows)))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    paths = [os.path.abspath(path) for path in sys.argv[1:]]
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    if not (ENVIRONMENT / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", "aeon"], check=True)
    if pathlib.Path(sys.prefix).name != ENVIRONMENT.name:
        python = ENVIRONMENT / "bin/python"
        os.execv(python, [python, "Benchmarks/peers/rivals.py", *paths])
    judge(*paths)


main()
