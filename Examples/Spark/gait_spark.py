"""Features of recordings in Spark, with the bits of `gait features`.

A data frame has one row for each sample: a column `recording`, `time` in seconds, and the channels with `_` for `.`, since dots
in column names break Spark: `gravity_x`. The result has one row for each window: `recording`, `start` in nanoseconds, and
`features`, an array of float32 in the order of `Features.get_feature_names_out()`.

Two ways, with equal results:

- `grouped`: Spark collects each recording in memory. Simple, for recordings of up to some hours.
- `streaming`: Spark sorts, and the samples pass through a stream in batches. Memory is flat, for recordings of any length.

Both join the rows of a recording wherever they were stored: a file or partition boundary is not a gap, a step of more than four
periods in `time` is one, and no window spans it.
"""
from __future__ import annotations

from typing import Any, Iterator

import gait_motion as gait
import numpy as np
import pyarrow as pa

SCHEMA = "recording string, start long, features array<float>"
COLUMNS = {channel.replace(".", "_"): channel for channel in gait.CHANNELS}


def _channels(names: list[str]) -> dict[str, str]:
    return {column: channel for column, channel in COLUMNS.items() if column in names}


def _result(recording: str, windows: gait.Windows) -> pa.RecordBatch:
    count, width = windows.values.shape
    values = pa.ListArray.from_arrays(
        pa.array(np.arange(0, count * width + 1, width, dtype=np.int32)), pa.array(windows.values.ravel()))
    return pa.RecordBatch.from_arrays(
        [pa.array([recording] * count, pa.string()), pa.array(windows.starts), values], ["recording", "start", "features"])


def _samples(batch: Any, first: int, count: int) -> dict[str, np.ndarray]:
    part = batch.slice(first, count)
    return {channel: part.column(column).to_numpy(zero_copy_only=False)
            for column, channel in _channels(batch.schema.names).items()}


def _times(batch: Any) -> np.ndarray:
    return batch.column("time").to_numpy(zero_copy_only=False)


def grouped(frame: Any, features: gait.Features, sample_rate: float) -> Any:
    """The windows of every recording, each recording whole in the memory of one task."""
    parameters = features.get_params()

    def windows(table: pa.Table) -> pa.Table:
        table = table.sort_by("time").combine_chunks()
        recording = gait.Recording.from_samples(
            _samples(table, 0, table.num_rows), times=_times(table), sample_rate=sample_rate)
        found = gait.Features(**parameters).windows(recording)
        return pa.Table.from_batches([_result(table.column("recording")[0].as_py(), found)])

    return frame.groupBy("recording").applyInArrow(windows, SCHEMA)


def streaming(frame: Any, features: gait.Features, sample_rate: float) -> Any:
    """The windows of every recording, by streams of batches: memory does not grow with the recordings' length."""
    parameters = features.get_params()

    def windows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        plan, name, stream = gait.Features(**parameters), None, None
        for batch in batches:
            if batch.num_rows == 0:
                continue
            names, times = np.asarray(batch.column("recording").to_pylist(), object), _times(batch)
            ends = [0, *(np.flatnonzero(names[1:] != names[:-1]) + 1).tolist(), len(names)]
            for first, end in zip(ends, ends[1:]):
                if names[first] != name:
                    name = names[first]
                    stream = plan.stream(sample_rate, channels=list(_channels(batch.schema.names).values()))
                found = stream.push(_samples(batch, first, end - first), times[first:end])
                if len(found) > 0:
                    yield _result(name, found)

    return frame.repartition("recording").sortWithinPartitions("recording", "time").mapInArrow(windows, SCHEMA)


def model(fitted: Any, mean: np.ndarray, deviation: np.ndarray, features: gait.Features, labels: list[str]) -> gait.Model:
    """A sealed Gait model from a multinomial `LogisticRegressionModel` of MLlib that was fitted to standardised features."""
    import json
    if len(labels) < 3:
        raise gait.GaitError("MLlib's model needs three labels or more here; two have one row of weights in a Gait model")
    head = {
        "window": features.window, "hop": features.hop, "features": list(features.get_feature_names_out()), "labels": labels,
        "scaling": {"mean": mean.astype(np.float32).tolist(), "standardDeviation": deviation.astype(np.float32).tolist()},
        "classifier": {
            "kind": "logistic", "weights": fitted.coefficientMatrix.toArray().astype(np.float32).tolist(),
            "intercepts": fitted.interceptVector.toArray().astype(np.float32).tolist()},
    }
    document = {"format": "gait.activityModel", "version": 2, "sampleRate": features.sample_rate, "heads": [head]}
    return gait.Model.from_json(json.dumps(document), sealed=False)
