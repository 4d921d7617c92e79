"""tsfel with its default configuration: all its features over the same windows of the 12 channels.

`n_jobs=None` runs without processes; a number starts a pool at every call."""

import warnings

import pandas as pd
import tsfel

from catalogue import CHANNELS
from features_numpy_plan import HOP, N, RATE


class Peer:
    def __init__(self):
        self.configuration = tsfel.get_features_by_domain()

    def __call__(self, samples):
        frame = pd.DataFrame(samples.T.astype(float), columns=CHANNELS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tsfel.time_series_features_extractor(
                self.configuration, frame, fs=RATE, window_size=N, overlap=1 - HOP / N, n_jobs=None, verbose=0)
