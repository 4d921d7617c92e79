"""Windows of recordings in Spark, with the bits of `gait features` and `gait classify`.

Two recipes with the same result:

- `by_path`: a data frame with a row for each file, which a task reads in blocks. Nothing is sorted or sent.
- `by_frame`: a data frame with a row for each sample. Spark sorts, and the samples pass through a stream in batches, so that memory
  is flat for recordings of any length and for one that is much longer than the others.

Both take `Features` or a `Model`, whose labels they give. A recording that fails has a row with its error and does not stop the
job. `save` writes the result as Parquet, partitioned by person, and separates windows and errors.
"""
from __future__ import annotations

import json
import warnings
from typing import Any, Callable, Iterator

import gait_motion as gait
import numpy as np
import pyarrow as pa
import pyarrow.compute as compute
from pyspark.sql import DataFrame
from pyspark.sql.functions import broadcast, col, lit

#: The channels with `_` for `.`, since dots in column names break Spark.
COLUMNS = {channel.replace(".", "_"): channel for channel in gait.CHANNELS}
Source = gait.Features | gait.Model
#: The windows of a batch of results.
WINDOWS = 10_000


def by_path(paths: DataFrame, source: Source, **reading: Any) -> DataFrame:
    """The windows of files: `recording` is the path, as every worker sees it, `subject` the person, if there is such a column.

    The result has a row for each window: `recording`, `subject`, `start` in nanoseconds, `values`, an array of the features or of
    the label probabilities, and `label`, of a model; or a row with the `error` of the recording. Options as of `gait_motion.Reading`.
    """
    frame, schema = _prepared(paths, ["recording"])

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for index, path in enumerate(batch["recording"].to_pylist()):
                key = batch.slice(index, 1)
                if path is None:
                    yield _failed(key, "the path is null; give each recording one")
                    continue
                yield from _attempted(key, source, lambda: source.windows(path, **reading))

    return frame.mapInArrow(rows, schema)


def by_frame(frame: DataFrame, source: Source, sample_rate: float) -> DataFrame:
    """The windows of samples: `recording`, a number or text, `subject`, if there is such a column, `time` in seconds or as
    timestamps, and channels with `_` for `.`, such as `gravity_x`. The result is that of `by_path`.

    The rows of a recording may be stored anywhere: a file or partition boundary is not a gap, a step of more than four periods in
    `time` is one, and no window spans it. Windows before the time of an error are in the result; `save` leaves them out.
    """
    if frame.isStreaming:
        raise gait.GaitError("the data frame is a stream, whose rows cannot be sorted; read the table with spark.read")
    channels = [column for column in COLUMNS if column in frame.columns]
    selected, schema = _prepared(frame, ["recording", "time", *channels])
    names = [COLUMNS[column] for column in channels]

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # The first recording has another key than this.
        current: Any = object()
        stream: Any = None
        for batch in batches:
            runs, first = compute.run_end_encode(batch["recording"]), 0
            for end, recording in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
                part = batch.slice(first, end - first)
                first = end
                if recording is None:
                    if current is not None:
                        yield _failed(part, "rows have no recording; give each row one")
                    current = stream = None
                    continue
                if recording != current:
                    current, stream = recording, None
                    try:
                        stream = source.stream(sample_rate, channels=names)
                    except gait.GaitError as error:
                        yield _failed(part, str(error))
                if stream is None:
                    continue
                columns = {name: _numbers(part[column]) for column, name in zip(channels, names)}
                try:
                    windows = stream.push(columns, _numbers(part["time"]))
                    if stream.dropped:
                        raise gait.GaitError("two rows have the same time; drop repeated ones")
                except gait.GaitError as error:
                    stream = None
                    yield _failed(part, str(error))
                else:
                    yield from _results(part, source, windows)

    return selected.repartition("recording").sortWithinPartitions("recording", "time").mapInArrow(rows, schema)


def save(result: DataFrame, folder: str) -> tuple[DataFrame, DataFrame]:
    """Writes a result as Parquet: `failed=false/subject=…` has the windows, `failed=true/subject=…` the errors.

    Returns the windows, without those of recordings that failed, and the errors: `recording`, `subject` and `error`.
    """
    (result.withColumn("failed", col("error").isNotNull())
     .write.mode("overwrite").partitionBy("failed", "subject").parquet(folder))
    stored = result.sparkSession.read.schema(result.schema.add("failed", "boolean")).parquet(folder)
    errors = stored.where("failed").select("recording", "subject", "error")
    windows = stored.where("not failed").drop("failed", "error")
    return windows.join(broadcast(errors.select("recording")), "recording", "left_anti"), errors


def _prepared(frame: DataFrame, columns: list[str]) -> tuple[DataFrame, str]:
    """The needed columns, and the schema of the result."""
    if "subject" not in frame.columns:
        frame = frame.withColumn("subject", lit(None).cast("string"))
    kind = {name: frame.schema[name].dataType.simpleString() for name in ("recording", "subject")}
    schema = (f"recording {kind['recording']}, subject {kind['subject']}, start long, label string, values array<float>, "
              "error string")
    return frame.select("subject", *columns), schema


def _numbers(column: Any) -> np.ndarray:
    return column.to_numpy(zero_copy_only=False)


def _attempted(key: pa.RecordBatch, source: Source, compute: Callable[[], gait.Windows]) -> Iterator[pa.RecordBatch]:
    """The windows of a recording, or its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gait.GaitWarning)
            windows = compute()
    except gait.GaitError as error:
        yield _failed(key, str(error))
    else:
        yield from _results(key, source, windows)


def _results(key: pa.RecordBatch, source: Source, windows: gait.Windows) -> Iterator[pa.RecordBatch]:
    """Windows as batches of results; the key's first row has the recording and the person."""
    for first in range(0, len(windows), WINDOWS):
        values = windows.values[first:first + WINDOWS]
        count, width = values.shape
        labels = [None] * count
        if isinstance(source, gait.Model):
            labels = [(source.labels + ["other"])[index] for index in windows.labels[first:first + WINDOWS]]
        offsets = pa.array(np.arange(0, count * width + 1, width, dtype=np.int32))
        yield _batch(key, count, pa.array(windows.starts[first:first + WINDOWS]), pa.array(labels, pa.string()),
                     pa.ListArray.from_arrays(offsets, pa.array(values.ravel())), pa.nulls(count, pa.string()))


def _failed(key: pa.RecordBatch, error: str) -> pa.RecordBatch:
    """The row of a recording that failed."""
    return _batch(key, 1, pa.nulls(1, pa.int64()), pa.nulls(1, pa.string()), pa.nulls(1, pa.list_(pa.float32())),
                  pa.array([error]))


def _batch(key: pa.RecordBatch, count: int, *columns: pa.Array) -> pa.RecordBatch:
    repeated = [key[name].take(pa.array(np.zeros(count, np.int64))) for name in ("recording", "subject")]
    return pa.RecordBatch.from_arrays(
        [*repeated, *columns], ["recording", "subject", "start", "label", "values", "error"])


def model(fitted: Any, mean: np.ndarray, deviation: np.ndarray, features: gait.Features, labels: list[str]) -> gait.Model:
    """A sealed Gait model from a multinomial `LogisticRegressionModel` of MLlib that was fitted to standardised features."""
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
