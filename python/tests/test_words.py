"""Tests of types, errors, warnings and interrupts: what the caller reads."""
import os
import subprocess
import sys
import textwrap
import typing

import numpy as np
import pytest

import gait_motion as gait
from common import DATA, FILES, command
from gait_motion import _types

USER = """
    from pathlib import Path
    from typing import assert_type

    import gait_motion as gait
    import numpy as np
    from gait_motion.sklearn import RecordingFeatures
    from numpy.typing import NDArray

    recording = gait.read_recording(Path("run.csv"), sample_rate=50, acceleration_unit="m/s2")
    assert_type(recording.values, NDArray[np.float32])
    assert_type(recording.times, NDArray[np.int64])
    features = gait.Features("orientationFree", window=2.56)
    windows = features.windows("run.csv", format="phyphox")
    assert_type(windows.values, NDArray[np.float32])
    assert_type(windows.starts, NDArray[np.int64])
    model = gait.Model.load("running")
    assert_type(model.predict_proba(recording), NDArray[np.float32])
    assert_type(RecordingFeatures(aggregate="mean").transform([recording]), NDArray[np.float32])
    model.export("Model.swift", "swift")
    run = gait.track("run.csv", model, sample_rate=50, angle_unit="deg")
    assert_type(run.steps, int)
    for block in gait.read_blocks("run.csv", columns=["time", "x", "y", "z"]):
        assert_type(features.stream(50).push(block).labels, NDArray[np.int32])
"""


def mypy(folder, text):
    path = folder / "user.py"
    path.write_text(textwrap.dedent(text))
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder / "cache", path],
        capture_output=True, text=True)


def test_a_users_program_has_types(tmp_path):
    result = mypy(tmp_path, USER)
    assert result.returncode == 0, result.stdout
    result = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, tmp_path / "user.py"], capture_output=True,
        text=True)
    assert result.returncode == 0, result.stdout
    for wrong in ('features.windows("run.csv", format="fitbit")', 'model.export("a", "pdf")',
                  'features.set_output(transform="arrow")',
                  'gait.read_recording("run.csv", acceleration_unit="ft")', 'gait.read_recording("run.csv", rate=50)',
                  'RecordingFeatures(aggregate="mode")'):
        result = mypy(tmp_path, USER + f"    {wrong}\n")
        assert result.returncode == 1 and result.stdout.count("error:") == 1, f"{wrong}: {result.stdout}"


@pytest.mark.parametrize("option", ["format", "acceleration_unit", "angle_unit", "time_unit"])
def test_the_literals_are_those_of_the_library(option):
    kind = {"format": "Format"}.get(option, option.title().replace("_", ""))
    with pytest.raises(gait.GaitError) as error:
        gait.read_recording(FILES[0], **{option: "nonsense"})
    assert str(error.value).endswith("one of " + ", ".join(typing.get_args(getattr(_types, kind))))


def test_an_unknown_model_names_the_built_in_ones():
    with pytest.raises(gait.GaitError, match="runing: .*running, running-linear, running-pocket, running-wrist"):
        gait.Model.load("runing")


def test_errors_are_the_commands_with_the_file(tmp_path):
    header, *rows = FILES[0].read_text().splitlines()
    bad = {name: tmp_path / f"{name}.csv" for name in ("noGravity", "broken", "empty", "text")}
    cells = [line.split(",") for line in [header, *rows]]
    bad["noGravity"].write_text("\n".join(",".join(line[:4] + line[7:]) for line in cells))
    bad["broken"].write_text(FILES[0].read_text().replace("\n", "\nnonsense,", 3))
    bad["empty"].write_text("")
    bad["text"].write_text("This is not a table.\n")
    pocket = gait.Model.load("running-pocket")
    calls = {
        ("features",): lambda path, rate: gait.Features().transform(path, sample_rate=rate),
        ("classify", "running-pocket"): lambda path, rate: pocket.predict(path, sample_rate=rate),
        ("track", "running-pocket"): lambda path, rate: gait.track(path, pocket, sample_rate=rate)}
    # A folder with recordings has another sentence in the command, which names its option for all of them.
    folder = tmp_path / "folder"
    folder.mkdir()
    cases = [(path, 50) for path in [*bad.values(), tmp_path / "missing.csv", folder]] + [(FILES[0], 3)]
    for (name, *model), call in calls.items():
        for path, rate in cases:
            if path == folder and name == "features":
                continue
            result = command(name, *model, path, "--rate", rate)
            with pytest.raises(gait.GaitError) as error:
                call(path, rate)
            printed = result.stderr.splitlines()
            assert result.returncode != 0 and path.name in str(error.value)
            assert any(str(error.value).rstrip(".") in line
                       for line in printed), f"{name}: {error.value}\n{result.stderr}"


def test_repairs_are_warnings_with_the_commands_sentences(tmp_path):
    path = tmp_path / "walk.csv"
    path.write_text("time (s),x (m/s2),y (m/s2),z (m/s2)\n" + "".join(
        f"{row / 50},{np.sin(row / 8):.3f},1,9.7\n" for row in range(600)))
    printed = [line.removeprefix("warning: ") for line in command("features", path).stderr.splitlines()
               if line.startswith("warning: ")]
    assert printed
    for call in (lambda: gait.read_recording(path), lambda: gait.Features().transform(path),
                 lambda: gait.Model.load("running").predict(path), lambda: gait.track(path),
                 lambda: list(gait.read_blocks(path))):
        with pytest.warns(gait.GaitWarning) as warnings:
            call()
        assert [str(warning.message) for warning in warnings] == printed
        assert {warning.filename for warning in warnings} == {__file__}


def test_paths_take_the_options_of_the_reader(tmp_path):
    path = tmp_path / "walk.csv"
    path.write_text("".join(f"{np.sin(row / 8):.3f},1,9.7\n" for row in range(600)))
    reading = gait.Reading(
        sample_rate=50, acceleration_unit="m/s2", columns=["accelerometer.x", "accelerometer.y", "accelerometer.z"])
    with pytest.warns(gait.GaitWarning):
        recording = gait.read_recording(path, **reading)
        model = gait.Model.load("running")
        for call in (gait.Features().transform, model.predict_proba, model.predict, lambda data,
                     **options: model.windows(
                data, **options).values, lambda data, **options: gait.track(data, **options).summary):
            assert np.array_equal(call(path, **reading), call(recording)), call
        from gait_motion.sklearn import RecordingFeatures
        assert RecordingFeatures(reading=reading).fit_transform([path]).shape == (1, 7)
    with pytest.raises(gait.GaitError, match="columns describes a file"):
        gait.Features().transform(recording.values, **reading)
    with pytest.raises(TypeError, match="no argument rate"):
        gait.read_recording(path, rate=50)


def test_windows_as_data_frames_have_recording_and_person():
    files = sorted(DATA.glob("*/*.csv"))[:3]
    windows = gait.Features().grouped(files, subjects=[1, 2, None], sample_rate=50)
    frames = windows.to_pandas(), windows.to_polars(), windows.to_arrow().to_pandas()
    for frame in (frames[0], frames[2]):
        assert list(frame.columns) == ["subject", "recording", "start", "end", "coverage", *windows.names]
        assert sorted(set(frame["recording"])) == list(map(str, files))
    assert frames[1].columns == list(frames[0].columns) and len(frames[1]) == len(windows)
    labels = gait.Model.load("running").windows(files[0], sample_rate=50).to_pandas()
    assert list(labels.columns)[:3] == ["label", "recording",
                                        "start"] and set(labels["label"]) <= {"running", "walking", "still"}


def test_an_accelerometer_frame_of_a_research_file():
    # What actipy's read_device returns for CWA and GT3X files: an index of times, x, y and z in g, and other sensors.
    import pandas
    source = gait.read_recording(FILES[0], sample_rate=50)
    total = source.values[:, 3:6] + source.values[:, 9:12]
    index = pandas.date_range("2024-03-01 10:00", periods=len(total), freq="20ms", name="time")
    frame = pandas.DataFrame(total, columns=list("xyz"), index=index).assign(temperature=21.5, light=3.0)
    # Time without wear is missing.
    frame.iloc[700:900, :3] = np.nan
    recording = gait.Recording.from_samples(frame, unit="g", name="participant 7")
    assert recording.sample_rate == 50 and recording.times[0] == index[0].value
    windows = gait.Features().windows(recording)
    # The windows that overlap 4 s without wear are missing.
    whole = gait.Features().windows(
        gait.Recording.from_samples(frame.assign(x=total[:, 0], y=total[:, 1], z=total[:, 2]), unit="g"))
    assert len(whole) - 11 <= len(windows) < len(whole) and set(windows.recordings) == {"participant 7"}
    assert len(gait.Model.load("running").predict(recording)) == len(windows)


@pytest.fixture(scope="module")
def long_path(tmp_path_factory):
    header, *rows = FILES[0].read_text().splitlines()
    path = tmp_path_factory.mktemp("long") / "long.csv"
    with path.open("w") as file:
        file.write(header + "\n")
        for _ in range(2000):
            file.write("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("call", [
    "gait.read_recording(path, sample_rate=50)", "gait.Features('full').transform(path, sample_rate=50)",
    "gait.Features('full').transform(values, sample_rate=100)", "gait.Features('full').transform(recording)",
    "gait.track(path, sample_rate=50)", "gait.Model.load('running').predict_proba(matrix)",
])
def test_an_interrupt_ends_a_long_call_within_half_a_second(long_path, call):
    program = f"""
        import signal, sys, time
        import gait_motion as gait, numpy as np
        path = sys.argv[1]
        values = np.resize(gait.read_recording({str(FILES[0])!r}, sample_rate=50).values, (3_000_000, 12))
        recording = gait.Recording.from_samples(values, sample_rate=100)
        matrix = np.random.default_rng(1).random((10_000_000, 18), np.float32)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            {call}
        except KeyboardInterrupt:
            print(time.monotonic() - start - 0.1)
    """
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), long_path], capture_output=True, text=True,
        timeout=120)
    assert result.stdout, f"{call} was not interrupted: {result.stderr}"
    assert float(result.stdout) < 0.5


def test_the_package_is_imported_in_a_tenth_of_a_second():
    program = ("import time, numpy; start = time.process_time(); import gait_motion; print(time.process_time() - "
               "start); "
               "import sys; print([name for name in ('sklearn', 'pandas', 'polars', 'pyarrow') if name in "
               "sys.modules])")
    seconds = []
    for _ in range(5):
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        first, modules = result.stdout.splitlines()
        seconds.append(float(first))
        assert modules == "[]"
    assert min(seconds) <= 0.1, seconds


def test_a_package_without_its_library_says_what_to_do(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", "import gait_motion"], capture_output=True, text=True,
        env={**os.environ, "GAIT_LIBRARY": str(tmp_path / "libgait.so")})
    assert "there is no" in result.stderr and "make wheel" in result.stderr


def test_whole_arrays_and_frames_cost_what_blocks_cost():
    import cost
    result = subprocess.run([sys.executable, cost.__file__, "4000000"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
