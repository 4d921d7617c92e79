"""Features, activity classification and run tracking of motion recordings; README.md has the first steps.

Units are Core Motion's: radians, radians per second, and g (9.80665 m/s²). A missing value is NaN. Channels are named
`attitude.roll`, `attitude.pitch`, `attitude.yaw`, and `gravity`, `rotationRate` and `userAcceleration` with `.x`, `.y`,
`.z`.
"""
from . import export
from ._columns import CHANNELS
from ._library import GaitError, GaitWarning
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
    "WindowStream", "Windows", "export", "read_blocks", "read_recording", "sample_files", "track", "__version__",
]
