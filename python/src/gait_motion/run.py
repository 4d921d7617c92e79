"""Tracking of runs: running, walking, pauses, splits, steps and distance."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence

from ._library import Handle, check, interruptible, lib, options, path_bytes
from ._samples import CHANNELS, Head
from ._types import Reading
from .model import Model
from .recording import Recording, named, pushed, read_recording
from .table import Table
from .windows import SampleSink

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SPLIT = ["number", "start", "end", "meters", "moving", "pace", "isEstimated", "untimedMeters"]


class Run:
    """A run as the command `gait track --json` describes it; times in seconds from its start.

    Attributes:
        summary: everything, as a dictionary; unknown values are None.
        slices: start, end and state (running, walking, moving, standing, riding, paused, unknown).
        pauses: onset, detected, end and cause.
        splits, laps, activity_laps: number, start, end, meters, moving, pace (s/km), isEstimated and
            untimedMeters.
        cadence: time, stepsPerMinute, gyroscopeCadence and confidence.
    """

    def __init__(self, summary: dict[str, Any]) -> None:
        self.summary = summary
        self.slices = Table.of(summary["slices"], ["start", "end", "state"])
        self.pauses = Table.of(summary["pauses"], ["onset", "detected", "end", "cause"])
        self.splits = Table.of(summary["splits"], _SPLIT)
        self.laps = Table.of(summary["laps"], _SPLIT)
        self.activity_laps = Table.of(summary["activityLaps"], _SPLIT)
        self.cadence = Table.of(
            summary["cadencePoints"], ["time", "stepsPerMinute", "gyroscopeCadence", "confidence"])

    @property
    def elapsed(self) -> float:
        """Seconds from the start to the end."""
        return float(self.summary["elapsed"])

    @property
    def moving(self) -> float:
        """Seconds of movement: without pauses, rides and unknown time."""
        return float(self.summary["moving"])

    @property
    def riding(self) -> float:
        """Seconds of rides: without steps, and somewhere faster than a person runs."""
        return float(self.summary["riding"])

    @property
    def steps(self) -> int:
        """The number of steps."""
        return int(self.summary["steps"])

    def __repr__(self) -> str:
        return f"Run({self.elapsed:.1f} s, {self.moving:.1f} s moving, {len(self.pauses)} pauses, {self.steps} steps)"


class RunStream(SampleSink):
    """Tracks a run from blocks of samples, cut anywhere. Memory grows only with the run's events."""

    def __init__(
        self, model: Model, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        policy: str = "still", split_meters: float = 1000, step_length: float | None = None,
        body_mass: float | None = None, gravity_is_estimated: bool = False, allow_slow_source: bool = False,
    ) -> None:
        super().__init__(lib.gait_track_create, model._handle, sample_rate, channels, start, options({
            "policy": policy, "splitMeters": split_meters, "stepLength": step_length, "bodyMass": body_mass,
            "gravityIsEstimated": gravity_is_estimated, "allowSlowSource": allow_slow_source}))

    def push(self, data: Any, times: Any = None) -> None:
        """Takes the next samples: an array of shape [rows, channels], or a table."""
        self._push(data, times)

    @property
    def run(self) -> Run:
        """The run so far, as if it ended now."""
        return Run(self._handle.describe())


def track(
    data: Any, model: Model | str = "running", *, policy: str = "still", split_meters: float = 1000,
    step_length: float | None = None, body_mass: float | None = None, location: str | os.PathLike[str] | None = None,
    location_offset: float | None = None, **reading: Unpack[Reading],
) -> Run:
    """Tracks the run in a recording.

    Args:
        data: a recording, an array, a table, or the path of a file of any length, which is read in blocks.
        model: a model, or the name or path of one. Without gravity, `running` is `running-linear`.
        policy: the activities that pause the run: still, notRunning, never, or a list such as still+walking.
        split_meters: the length of a split, metres.
        step_length: the length of a running step, metres, for the distance, which is unknown without it.
        body_mass: the body mass, kilograms, for the energy.
        location: a file with GPS points of the run, in every format that `gait track --location` reads.
        location_offset: the seconds to add to the times of the GPS points; by default found from both files.
        reading: a reader's options for files, and the sample rate of data without times; see `Reading`.

    Raises:
        GaitError: with file, line, column and the cure.
    """
    used = model if isinstance(model, Model) else Model.load(model)

    def create(head: Head) -> Handle:
        channels = [channel for index, channel in enumerate(CHANNELS) if head.mask >> index & 1]
        return RunStream(
            used, head.sample_rate, channels=channels, policy=policy, split_meters=split_meters, step_length=step_length,
            body_mass=body_mass, gravity_is_estimated=head.gravity_is_estimated)._handle

    if location is None:
        for piece in pushed(data, reading, create):
            stream = piece and piece[1]
    else:
        # The points are aligned to the whole recording.
        recording = data if isinstance(data, Recording) else read_recording(data, **reading) if isinstance(
            data, (str, os.PathLike)) else Recording.from_samples(data, sample_rate=reading.get("sample_rate"))
        with named(recording.name):
            stream = create(recording._head)
        arguments = stream.value, recording._handle.value, path_bytes(location), options({"locationOffset": location_offset})
        interruptible(lambda: check(lib.gait_track_push_recording(*arguments)), len(recording))
    assert stream is not None
    return Run(stream.describe())
