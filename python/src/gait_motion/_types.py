"""Types of arrays and options for hints."""
from __future__ import annotations

from typing import Any, Literal, Sequence, TypedDict

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Objects = NDArray[np.object_]

Format = Literal[
    "motionDataCollector", "sensingKit", "sensorLog", "sensorLogger", "phyphox", "gyroData", "gait", "accelerometer"]
AccelerationUnit = Literal["g", "mg", "m/s2"]
AngleUnit = Literal["rad", "deg"]
TimeUnit = Literal["s", "ms", "us", "ns", "0.01s", "0.1ms"]
ModelFormat = Literal["gait", "swift"]
Output = Literal["default", "pandas", "polars"]


class Reading(TypedDict, total=False):
    """Facts about a file, an array or a table that the caller supplies.

        >>> reading = gait.Reading(sample_rate=50, acceleration_unit="m/s2")
        >>> gait.Features().transform(np.full((500, 3), 5.66), **reading).shape
        (12, 7)

    Attributes:
        sample_rate: rows per second; needed if the data has no times and its format has no fixed rate.
        acceleration_unit, angle_unit, time_unit: the units. For a file they are needed if its columns, its format and its
            first rows do not show them. For an array or a table they are needed if they are not g, radians and seconds. With
            acceleration_unit, the columns x, y and z of a table, or an array of three columns, are the readings of a
            plain accelerometer.
        recording: for a table with several recordings, the column that distinguishes them, or a value for each row.
        format: for a file, the recorder; detected by default.
        label_column: for a file, the column with each row's label.
        columns: for a file, the names of the first columns if it has no usable header.
    """

    sample_rate: float | None
    format: Format | None
    acceleration_unit: AccelerationUnit | None
    angle_unit: AngleUnit | None
    time_unit: TimeUnit | None
    label_column: str | None
    columns: Sequence[str] | None
    recording: str | Sequence[Any] | None
