"""Libraries that compute features of windows, on the same windows: 64 samples at 25 Hz, hop 16, of the twelve channels.

    python window_libraries.py

reads titles of `LIBRARIES` from standard input, one a line, and prints the processor time and the numbers of windows
and features of a call as JSON, after an untimed call that compiles or loads what the library needs. `bench_jobs.py`
runs it in the environment of jobs_requirements.txt; `python_costs.py` imports it.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas

ROOT = Path(__file__).resolve().parents[2]
RATE, LENGTH, HOP = 25, 64, 16


def sample():
    """Simulated people at 25 Hz, shape [rows × 12], one after the other, and the names of the channels."""
    tables = [pandas.read_csv(path, index_col=0) for path in sorted((ROOT / "datasets/simulated").glob("*/*.csv"))]
    return np.concatenate([table.to_numpy()[::2] for table in tables]), list(tables[0].columns)


SAMPLE, CHANNELS = sample()


def rows(windows):
    """Rows that have this many windows, shape [rows × 12]."""
    return np.resize(SAMPLE, (LENGTH + (windows - 1) * HOP, len(CHANNELS)))


def cut(windows):
    """Windows, shape [windows × 12 × 64]."""
    return np.lib.stride_tricks.sliding_window_view(rows(windows), LENGTH, axis=0)[::HOP].astype(np.float64)


def frame(windows):
    return pandas.DataFrame(rows(windows), columns=CHANNELS)


def by_tsflex(data):
    from scipy import stats
    from tsflex.features import FeatureCollection, MultipleFeatureDescriptors

    functions = [np.mean, np.std, np.min, np.max, np.median, np.ptp, stats.skew, stats.kurtosis, stats.iqr,
                 stats.median_abs_deviation]
    collection = FeatureCollection(MultipleFeatureDescriptors(functions, CHANNELS, LENGTH, HOP))
    return collection.calculate(data, return_df=True, n_jobs=0, include_final_window=True)


def by_tsfel(data):
    import tsfel

    return tsfel.time_series_features_extractor(
        tsfel.get_features_by_domain(), data, fs=RATE, window_size=LENGTH, overlap=1 - HOP / LENGTH, n_jobs=None,
        verbose=0)


def by_pycatch22(windows):
    import pycatch22

    return np.array(
        [[pycatch22.catch22_all(channel.tolist())["values"] for channel in window] for window in windows]).reshape(
        len(windows), -1)


def by_aeon(windows):
    from aeon.transformations.collection.feature_based import Catch22

    return Catch22(replace_nans=True).fit_transform(windows)


def by_mini_rocket(windows):
    from aeon.transformations.collection.convolution_based import MiniRocket

    return MiniRocket(random_state=1).fit_transform(windows)


# Title → windows of a call, how its input is prepared, and the call, which returns [windows × features].
LIBRARIES = {
    "tsflex, ten functions of NumPy and SciPy": (200, frame, by_tsflex),
    "aeon, `MiniRocket`": (2000, cut, by_mini_rocket),
    "aeon, `Catch22`": (500, cut, by_aeon),
    "pycatch22, `catch22_all`": (500, cut, by_pycatch22),
    "tsfel, default configuration": (40, frame, by_tsfel),
}


def measured(work, windows, data):
    """Processor seconds of a call of `work`, and its number of features; stops if it has not one row for each
    window."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        count, features = work(data).shape
        seconds = time.process_time() - start
    if count != windows:
        raise SystemExit(f"{count} windows instead of {windows}")
    return seconds, features


def main():
    inputs = {}
    for line in sys.stdin:
        windows, prepare, work = LIBRARIES[title := line.strip()]
        if title not in inputs:
            inputs[title] = prepare(windows)
            measured(work, windows, inputs[title])
        seconds, features = measured(work, windows, inputs[title])
        print(json.dumps({"seconds": seconds, "windows": windows, "features": features}), flush=True)


if __name__ == "__main__":
    main()
