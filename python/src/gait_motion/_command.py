"""Pages and files of a run, which the installed command `gait` writes. They need libraries that are not in this
package."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from ._columns import CHANNELS
from ._library import GaitError
from ._types import Reading
from .model import Model
from .recording import Recording

_READING = {"sample_rate": "--rate", "format": "--format", "acceleration_unit": "--acceleration-unit",
            "angle_unit": "--angle-unit",
            "time_unit": "--time-unit", "columns": "--columns"}


@dataclass(frozen=True)
class Origin:
    """How a run was tracked: from which samples or file, with which model, and the options of the command."""

    data: Any
    model: Model
    reading: Reading
    options: Mapping[str, Any]


def tracked(origin: Origin | None, purpose: str, *arguments: str) -> bytes:
    """What `gait track` prints for the same run."""
    if origin is None:
        raise GaitError(
            f"{purpose} needs the recording, which a run from a stream does not have; use gait_motion.track")
    program = os.environ.get("GAIT_COMMAND") or shutil.which("gait")
    if program is None:
        raise GaitError(
            f"{purpose} needs the command gait, which is not installed; run `make install` in Gait's repository, or "
            "set "
                        "GAIT_COMMAND to its path")
    with tempfile.TemporaryDirectory() as folder:
        model, reading = os.path.join(folder, "model.json"), origin.reading
        if origin.model.built_in is not None:
            model = origin.model.built_in
        else:
            origin.model.export(model)
        path = os.fspath(origin.data) if isinstance(origin.data, (str, os.PathLike)) else _written(origin.data, folder)
        if path.startswith(folder):
            reading = {}
        stated: dict[str, Any] = {_READING[key]: value for key, value in reading.items() if key in _READING}
        options = [text for key, value in {**stated, **origin.options}.items() if value is not None
                   for text in (f"{key}={','.join(value) if isinstance(value, (list, tuple)) else value}",)]
        result = subprocess.run([program, "track", model, path, "--quiet", *options, *arguments], capture_output=True)
    if result.returncode != 0:
        raise GaitError(result.stderr.decode(errors="replace").strip().removeprefix("Error: ") or f"{program} failed")
    return result.stdout


def _written(data: Recording, folder: str) -> str:
    """Writes the samples of a recording to a file; returns its path. Nine digits give every float32 exactly."""
    if data.gravity_is_estimated:
        raise GaitError(
            "the gravity of the recording is estimated, which a file of its samples cannot say; track the path of its "
            "file")
    values, times = data._copy()
    columns = [index for index, channel in enumerate(CHANNELS) if channel in data.channels]
    path = os.path.join(folder, f"{os.path.splitext(os.path.basename(data.name))[0] or 'recording'}.csv")
    with open(path, "w") as file:
        file.write(",".join(["time (s)", *(CHANNELS[index] for index in columns)]) + "\n")
        for time, row in zip(times.tolist(), values[:, columns].tolist()):
            seconds = f"{'-' if time < 0 else ''}{abs(time) // 10 ** 9}.{abs(time) % 10 ** 9:09d}"
            file.write(",".join([seconds, *("" if np.isnan(value) else f"{value:.9g}" for value in row)]) + "\n")
    return path
