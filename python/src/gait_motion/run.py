"""Tracking of runs: running, walking, pauses, splits, steps and distance."""
from __future__ import annotations

import os
import zipfile
from typing import TYPE_CHECKING, Any, Sequence

from ._columns import CHANNELS
from ._command import Origin, tracked
from ._library import GaitError, Handle, check, gate, interruptible, lib, options, path_bytes, warn, write_file
from ._samples import Head
from ._types import Reading
from .model import Model
from .recording import Recording, as_recording, named, pushed, separated
from .table import Table, listing
from .windows import SampleSink, no_windows

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SPLIT = {"number": "number", "start": "start", "end": "end", "meters": "meters", "moving": "moving", "pace": "pace",
          "grade_adjusted_pace": "gradeAdjustedPace", "is_estimated": "isEstimated", "untimed_meters": "untimedMeters"}


class Run:
    """A run as the command `gait track --json` describes it. Times are in seconds from its start. Unknown numbers are
    NaN.

        >>> run = gait.track(gait.sample_files()[0], sample_rate=50, step_length=1.1)
        >>> run
        Run(28.0 s, 28.0 s moving, 0 pauses, 71 steps, 79 m)
        >>> round(run.pace)
        356
        >>> run.slices.to_pandas()
           start    end    state
        0    0.0  27.98  running

    Attributes:
        summary: everything, as a dictionary with the names of the command's JSON; unknown values are None.
        slices: start, end and state (running, walking, moving, standing, riding, paused, unknown).
        pauses: onset, detected, end and cause.
        splits, laps, activity_laps: number, start, end, meters, moving, pace and grade_adjusted_pace (s/km),
            is_estimated and untimed_meters.
        cadence: time, steps_per_minute, gyroscope_cadence and confidence.
        elapsed: seconds from the start to the end.
        moving, paused, unknown: seconds of movement, of pauses, and without a decision.
        riding: seconds of rides: movement without steps that is somewhere faster than a person runs.
        steps, steps_per_minute: the number of steps, and their mean rate.
        distance, distance_interval: metres by GPS points or by steps of `step_length`, and the interval that contains
            them with a probability of 95 %.
        pace, grade_adjusted_pace: seconds of movement for each kilometre, and for as much energy on flat ground.
        energy: kilocalories, with `body_mass`.
    """

    def __init__(self, summary: dict[str, Any], origin: Origin | None = None) -> None:
        self.summary = summary
        self._origin = origin
        self.slices = Table.of(summary["slices"], {name: name for name in ("start", "end", "state")}, state=str)
        self.pauses = Table.of(summary["pauses"], {name: name for name in ("onset", "detected", "end", "cause")},
                               cause=str)
        self.splits, self.laps, self.activity_laps = (
            Table.of(summary[key], _SPLIT, number=int, is_estimated=bool) for key in ("splits", "laps", "activityLaps"))
        self.cadence = Table.of(summary["cadencePoints"], {
            "time": "time", "steps_per_minute": "stepsPerMinute", "gyroscope_cadence": "gyroscopeCadence",
            "confidence": "confidence"})
        self.elapsed, self.moving = _number(summary["elapsed"]), _number(summary["moving"])
        self.paused, self.riding, self.unknown = (_number(summary[key]) for key in ("paused", "riding", "unknown"))
        self.steps, self.steps_per_minute = int(summary["steps"]), _number(summary["cadence"])
        distance = summary["distance"] or {"meters": None, "interval95": (None, None)}
        self.distance = _number(distance["meters"])
        self.distance_interval = _number(distance["interval95"][0]), _number(distance["interval95"][1])
        self.pace, self.grade_adjusted_pace = _number(summary["averagePace"]), _number(summary["gradeAdjustedPace"])
        self.energy = _number(summary["energy"])

    def export(self, path: str | os.PathLike[str]) -> None:
        """Writes the run as GPX, TCX, CSV or JSON, by the ending of the path. It needs the installed command `gait`.

        Raises:
            GaitError: the command is not installed, the ending is another, or the format cannot hold the run.
        """
        form = os.path.splitext(os.fspath(path))[1].removeprefix(".").lower()
        if form not in ("gpx", "tcx", "csv", "json"):
            raise GaitError(f"{os.fspath(path)} does not end in .gpx, .tcx, .csv or .json; choose one of these formats")
        write_file(path, tracked(self._origin, "the export of a run", "--output-format", form))

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the run's HTML page: totals, pace, cadence, decisions, a map, splits and pauses. It needs the
        installed command `gait`.

        Raises:
            GaitError: the command is not installed, or the file cannot be written.
        """
        tracked(self._origin, "the page of a run", "--report", os.path.abspath(path))

    def __repr__(self) -> str:
        meters = "" if self.summary["distance"] is None else f", {self.distance:.0f} m"
        return (f"Run({self.elapsed:.1f} s, {self.moving:.1f} s moving, {len(self.pauses)} pauses, "
                f"{self.steps} steps{meters})")

    def _repr_html_(self) -> str:
        numbers = {"elapsed, s": self.elapsed, "moving, s": self.moving, "steps": self.steps,
                   "distance, m": self.distance,
                   "pace, s/km": self.pace, "steps/min": self.steps_per_minute}
        facts = {name: "unknown" if number != number else f"{number:.6g}" for name, number in numbers.items()}
        tables = "".join(table._repr_html_() for table in (self.splits, self.pauses) if len(table))
        return listing("Run", facts) + tables


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


class RunStream(SampleSink):
    """Tracks a run from blocks of samples, which may begin and end anywhere. Memory grows only with the run's events.

        >>> stream = gait.RunStream(gait.Model.load("running"), 50)
        >>> stream.push(gait.read_recording(gait.sample_files()[0], sample_rate=50).values)
        >>> stream.run
        Run(28.0 s, 28.0 s moving, 0 pauses, 71 steps)
    """

    def __init__(
        self, model: Model, sample_rate: float, *, channels: Sequence[str] | None = None, start: float = 0,
        policy: str = "still", split_meters: float = 1000, step_length: float | None = None,
        body_mass: float | None = None, gravity_is_estimated: bool = False, allow_slow_source: bool = False,
    ) -> None:
        super().__init__(lib.gait_track_create, model._source, sample_rate, channels, start, options({
            "policy": policy, "splitMeters": split_meters, "stepLength": step_length, "bodyMass": body_mass,
            "gravityIsEstimated": gravity_is_estimated, "allowSlowSource": allow_slow_source}))

    def push(self, data: Any, times: Any = None) -> None:
        """Takes the next samples: an array of shape [rows, channels], or a table."""
        with gate:
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

        >>> run = gait.track(gait.sample_files()[0], sample_rate=50)
        >>> run.steps, run.pauses
        (71, Table(0 rows: onset, detected, end, cause))

    Args:
        data: a recording, an array, a table, or the path of a file of any length, which is read in blocks.
        model: a model, or the name or path of one. For a recording without gravity, `running-linear` is used in place
            of `running`.
        policy: the activities that pause the run: still, notRunning, never, or a list such as still+walking.
        split_meters: the length of a split, metres.
        step_length: the length of a running step, metres. Without it and without GPS, the distance is unknown.
        body_mass: the body mass, kilograms, for the energy.
        location: a file with GPS points of the run, in a format that `gait track --location` reads. By default, the
            points in the `Location.csv` of a folder or archive are used.
        location_offset: the seconds to add to the times of the GPS points; by default found from both files.
        reading: facts about the data, such as its sample rate and units; see `Reading`.

    Raises:
        GaitError: with file, line, column and the cure.
    """
    used = model if isinstance(model, Model) else Model.load(model)
    if reading.get("recording") is not None:
        key = reading.pop("recording")
        several = list(separated(data, key))  # type: ignore[arg-type]
        if len(several) != 1:
            raise GaitError(f"the table has {len(several)} recordings, and a run is one; choose the rows of one")
        data = several[0][1]

    def create(head: Head) -> Handle:
        channels = [channel for index, channel in enumerate(CHANNELS) if head.mask >> index & 1]
        return RunStream(
            used, head.sample_rate, channels=channels, policy=policy, split_meters=split_meters,
            step_length=step_length,
            body_mass=body_mass, gravity_is_estimated=head.gravity_is_estimated)._handle

    is_path, name = isinstance(data, (str, os.PathLike)), ""
    inside = data if location is None and is_path and _has_location(data) else None
    stream: Handle | None = None
    points = location if inside is None else inside
    if points is None:
        for piece in pushed(data, reading, create):
            if piece is not None:
                name, stream = piece[0].name, piece[1]
    else:
        # The points are aligned to the whole recording.
        recording = as_recording(data, reading)
        name = recording.name
        with named(name):
            stream = create(recording._head)
        arguments = stream.value, recording._handle.value, path_bytes(
            points), options({"locationOffset": location_offset})
        try:
            interruptible(lambda: check(lib.gait_track_push_recording(*arguments)), len(recording))
            warn(name, [] if inside is None else ["used the GPS points in its Location.csv"])
        except GaitError as problem:
            if inside is None:
                raise
            warn(name, [f"the GPS points inside were not used: {problem}"])
            recording._push_to(stream.value)
    assert stream is not None
    run = Run(stream.describe(), Origin(data if is_path or isinstance(data, Recording) else None, used, reading, {
        "--policy": policy, "--split": split_meters, "--step-length": step_length, "--body-mass": body_mass,
        "--location": None if location is None else os.fspath(location), "--location-offset": location_offset}))
    if {*run.slices["state"]} <= {"unknown"}:
        with named(name):
            check(lib.gait_stream_check(stream.value))
    window = used._source.length / 1e9
    warn(name or "recording", stream.findings() + ([no_windows(run.elapsed, window)] if run.elapsed < window else []))
    return run


def _has_location(path: str | os.PathLike[str]) -> bool:
    """Whether a folder or an archive has a file of GPS points."""
    try:
        if os.path.isdir(path):
            names = os.listdir(path)
        else:
            with open(path, "rb") as file:
                names = zipfile.ZipFile(file).namelist() if file.read(2) == b"PK" else []
    except (OSError, zipfile.BadZipFile):
        return False
    return any(os.path.splitext(os.path.basename(name))[0].casefold() == "location" for name in names)
