"""Types of arrays and options for hints."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

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
TimeUnit = Literal["s", "ms", "us", "ns"]
ModelFormat = Literal["gait", "swift"]
Output = Literal["default", "pandas", "polars"]


class Reading(TypedDict, total=False):
    """What the caller knows of a file; the rate also of an array or a table without times.

    Attributes:
        sample_rate: rows per second; needed if the file has no times and its format has no fixed rate.
        format: the recorder; detected by default.
        acceleration_unit, angle_unit, time_unit: the units, where neither the columns nor the format state them.
        label_column: the column with each row's label.
        columns: the names of the first columns of a file without a usable header.
    """

    sample_rate: float | None
    format: Format | None
    acceleration_unit: AccelerationUnit | None
    angle_unit: AngleUnit | None
    time_unit: TimeUnit | None
    label_column: str | None
    columns: Sequence[str] | None
