"""Features, activity classification and run tracking of motion recordings.

The computations are those of the Swift package Gait, in a shared library: windows have the same bits as those of the
command `gait` and of an app on the same machine.

    import gait_motion as gait

    recording = gait.read_recording("run.csv")
    matrix = gait.Features().transform(recording)      # float32, shape [windows, 7]
    model = gait.Model.load("running")
    labels = model.predict(recording)                  # shape [windows]
    run = gait.track(recording, model)

Units are Core Motion's: radians, radians per second, and g (9.80665 m/s²). A missing value is NaN. Channels are named
`attitude.roll`, `attitude.pitch`, `attitude.yaw`, and `gravity`, `rotationRate` and `userAcceleration` with `.x`, `.y`, `.z`.
"""
from ._library import GaitError, GaitWarning
from ._samples import CHANNELS
from ._types import Reading
from ._version import version as __version__
from .features import Features
from .model import Model
from .recording import Recording, read_blocks, read_recording, sample_files
from .run import Run, RunStream, track
from .table import Table
from .windows import WindowStream, Windows

__all__ = [
    "CHANNELS", "Features", "GaitError", "GaitWarning", "Model", "Reading", "Recording", "Run", "RunStream", "Table",
    "WindowStream", "Windows", "read_blocks", "read_recording", "sample_files", "track", "__version__",
]
