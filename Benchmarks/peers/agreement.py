"""Checks before timing that `gait features`, the NumPy peer and the float64 reference agree."""

import tempfile
from pathlib import Path

import numpy as np

import catalogue
import catalogue_tolerances as tolerances
import gait_command
from features_numpy import FullSet, columns
from features_numpy_small import OrientationFree

RATE = gait_command.RATE


class Worst:
    """The largest deviation of each statistic as a fraction of its tolerance, and the number of fragile values."""

    def __init__(self, title):
        self.title, self.worst, self.fragile, self.compared = title, {}, 0, 0

    def add(self, name, where, a, b, allowed):
        part = abs(a - b) / allowed if allowed > 0 else float(a != b)
        key = name if name in catalogue.ORIENTATION_FREE else tolerances.parts(name)[1]
        self.compared += 1
        if not part <= self.worst.get(key, (-1.0,))[0]:  # NaN counts as the worst
            self.worst[key] = (part if part == part else np.inf, name, where, a, b)

    def report(self, write_line):
        write_line(f"\n{self.title}: {self.compared} values compared, {self.fragile} skipped as rounding-dependent\n")
        write_line("| statistic | largest deviation ÷ tolerance | where | value | reference |\n|---|---|---|---|---|")
        for key, (part, name, where, a, b) in sorted(self.worst.items()):
            mark = " **above tolerance**" if part > 1 else ""
            write_line(f"| {key} | {part:.3f}{mark} | {name}, window {where} | {a:.7g} | {b:.7g} |")
        return all(part <= 1 for part, *_ in self.worst.values())


def compare(samples, windows, feature_set, others, write_line):
    """Whether each of `others` (title → [windows × features]) agrees with the reference in the chosen windows."""
    shape = gait_command.SETS[feature_set]
    names = catalogue.FULL if feature_set == "full" else catalogue.ORIENTATION_FREE
    tables = {title: Worst(title) for title in others}
    for window in windows:
        start = window * shape["hop"]
        x = samples[:, start:start + shape["window"]].astype(float)
        before = samples[:, start - 1].astype(float) if start else None
        lanes = catalogue.window_lanes(x, RATE, before)
        scales = tolerances.scales_of(lanes, RATE)
        fragile = tolerances.fragile_features(names, x, RATE, lanes)
        reference = catalogue.full_set(x, RATE, before) if feature_set == "full" else list(
            catalogue.small_set(x, RATE).values())
        allowed = [tolerances.allowance(name, b, scales) for name, b in zip(names, reference)]
        for title, values in others.items():
            tables[title].fragile += len(fragile)
            for name, a, b, limit in zip(names, values[window], reference, allowed):
                if name not in fragile:
                    tables[title].add(name, window, float(a), float(b), limit)
    return all([table.report(write_line) for table in tables.values()])


def numpy_values(samples, feature_set, count):
    """The NumPy peers' values, with a chunk no larger than the number of windows."""
    if feature_set == "full":
        size = min(count, 16)
        return columns(FullSet(chunk=size, block=size)(samples))
    return OrientationFree(chunk=min(count, 64))(samples)


def demand_agreement(executables, samples, count, write_line):
    """Compares `count` windows of each set. `executables`: title → path."""
    rng, agreed = np.random.default_rng(3), True
    for feature_set, shape in gait_command.SETS.items():
        piece = samples[:, :(count - 1) * shape["hop"] + shape["window"]]
        others = {f"NumPy, {feature_set}": numpy_values(piece, feature_set, count)}
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "recording.csv"
            gait_command.write_recording(recording, piece)
            for title, path in executables.items():
                starts, names, values = gait_command.features(path, recording, feature_set,
                                                              Path(folder) / "features.csv")
                expected = catalogue.FULL if feature_set == "full" else catalogue.ORIENTATION_FREE
                if set(names) != set(expected):
                    odd = sorted(set(names) ^ set(expected))
                    raise SystemExit(f"{title}: {len(names)} columns; present on one side only: {odd[:3]}")
                values = values[:, [names.index(name) for name in expected]]  # two names occur twice in the reference
                if len(values) != count or np.abs(starts - np.arange(count) * shape["hop"] / RATE).max() > 1e-6:
                    raise SystemExit(
                        f"{title}: {len(values)} windows starting at {starts[:3]} s, not {count} starting at 0")
                others[f"{title}, {feature_set}"] = values
        agreed &= compare(piece, rng.permutation(count), feature_set, others, write_line)
    if not agreed:
        raise SystemExit("The results differ by more than rounding; timing is skipped.")
