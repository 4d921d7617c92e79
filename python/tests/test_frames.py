"""Tests of tables as data scientists have them: names, units, several recordings, kinds of times; and of results."""
import pathlib
import subprocess
import sys

import numpy as np
import pandas
import pytest

import gait_motion as gait
from common import FILES, command
from gait_motion.sklearn import RecordingFeatures

FEATURES = gait.Features(source_rate=50)


@pytest.fixture(scope="module")
def frame():
    return gait.read_recording(FILES[0], sample_rate=50).table().to_pandas()


@pytest.fixture(scope="module")
def expected(frame):
    return FEATURES.transform(frame)


def test_channels_have_several_spellings(frame, expected):
    snake = {"rotationRate": "rotation_rate", "userAcceleration": "user_acceleration"}
    levels = pandas.MultiIndex.from_tuples(
        [("time", "") if name == "time" else tuple(name.split(".")) for name in frame])
    for names in ([name.replace(".", "_") for name in frame], levels,
                  [snake.get(name.split(".")[0], name.split(".")[0]) + "_" + name.split(".")[-1] if "." in name
                   else name
                   for name in frame]):
        renamed = frame.set_axis(names, axis=1)
        assert np.array_equal(FEATURES.transform(renamed), expected)
        assert np.array_equal(gait.Recording.from_samples(renamed).values[:, 3:],
                              gait.Recording.from_samples(frame).values[:, 3:])


def test_units_of_tables_are_stated(frame, expected):
    other = frame.copy()
    for name in frame:
        if name.startswith(("gravity", "userAcceleration")):
            other[name] *= 9.80665
        elif name != "time":
            other[name] *= 180 / np.pi
    other["time"] = np.rint(frame["time"] * 1000).astype(np.int64)
    units = gait.Reading(acceleration_unit="m/s2", angle_unit="deg", time_unit="ms")
    assert np.allclose(gait.Features("full").transform(other, **units), gait.Features("full").transform(frame),
                       rtol=0.01, atol=0.01)
    assert np.array_equal(gait.Model.load("running").predict(other, **units), gait.Model.load("running").predict(frame))
    assert gait.track(other, **units).steps == gait.track(frame).steps
    total = pandas.DataFrame({axis: frame[f"gravity.{axis}"] + frame[f"userAcceleration.{axis}"] for axis in "xyz"})
    made = gait.Recording.from_samples(total, sample_rate=50, unit="g")
    assert np.array_equal(FEATURES.transform(total, acceleration_unit="g"), FEATURES.transform(made))
    assert gait.track(total, sample_rate=50, acceleration_unit="g").steps == gait.track(made).steps > 0
    for unit, sentence in [({"time_unit": "min"}, "time_unit=min"), ({"angle_unit": "turn"}, "angle_unit=turn"),
                           ({"acceleration_unit": "ft"}, "unit=ft")]:
        with pytest.raises(gait.GaitError, match=sentence):
            FEATURES.transform(frame, **unit)
    integers = 1_700_000_000_000 + np.arange(len(frame)) * 20
    recording = gait.Recording.from_samples(frame.assign(time=integers), time_unit="ms")
    assert recording.sample_rate == 50 and np.array_equal(recording.times, integers * 1_000_000)


def test_a_table_with_several_recordings_is_separated(frame, expected):
    second = gait.read_recording(FILES[1], sample_rate=50).table().to_pandas()
    both = pandas.concat([frame.assign(subject="b"), second.assign(subject="a")])
    mixed = pandas.concat([frame.assign(subject="b")[:500], second.assign(subject="a"),
                           frame.assign(subject="b")[500:]])
    other = FEATURES.transform(second)
    import polars
    import pyarrow
    for data in (both, mixed, both.set_index("subject", append=True), both.set_index("subject"),
                 polars.from_pandas(both),
                 pyarrow.Table.from_pandas(both), {name: both[name].to_numpy() for name in both}):
        windows = FEATURES.windows(data, recording="subject")
        assert np.array_equal(windows.values, np.concatenate([expected, other])), type(data)
        assert windows.recordings.tolist() == ["b"] * len(expected) + ["a"] * len(other)
    labels = gait.Model.load("running").predict(both, recording="subject")
    assert set(labels[:len(expected)]) == {"running"} and "walking" in labels[len(expected):]
    values = both[list(gait.CHANNELS)].to_numpy()
    assert np.array_equal(FEATURES.transform(values, recording=both["subject"].to_numpy()), windows.values)
    assert gait.track(both[both["subject"] == "b"], recording="subject").steps > 0
    for call, sentence in [
        (lambda: gait.track(both, recording="subject"), "2 recordings"),
        (lambda: FEATURES.transform(both, recording="who"), "no column who"),
        (lambda: FEATURES.transform(FILES[0], recording="subject"), "describes a table"),
        (lambda: FEATURES.transform(both.assign(subject=None), recording="subject"), "no recording"),
        (lambda: FEATURES.transform(values, recording=["a", "b"]), "one value for each row"),
    ]:
        with pytest.raises(gait.GaitError, match=sentence):
            call()
    # A number of the row is no recording.
    assert np.array_equal(FEATURES.transform(frame.assign(id=np.arange(len(frame)))), expected)


def test_windows_have_the_share_of_samples_that_the_recording_has(frame, tmp_path):
    random = np.random.default_rng(2)
    broken, present = frame.copy(), random.random(len(frame)) > 0.3
    present[:400] = True
    broken.loc[~present, list(gait.CHANNELS)] = np.nan
    path = tmp_path / "broken.csv"
    broken.to_csv(path, index=False)
    for data in (broken, broken[present], gait.Recording.from_samples(broken), path):
        with pytest.warns(gait.GaitWarning, match="lack more than a tenth"):
            windows = FEATURES.windows(data)
        times = frame["time"].to_numpy()[present] * 1e9
        counts = [((times >= start - 1) & (times < start + windows.length - 1)).sum() for start in windows.starts]
        assert np.allclose(windows.coverage, np.minimum(1, np.array(counts) / 128), atol=0.01), type(data)
        assert (windows.coverage[:6] == 1).all() and windows.coverage[-10:].mean() < 0.8
    assert (FEATURES.windows(frame).coverage == 1).all()


def test_windows_have_times_of_the_inputs_kind(frame):
    import polars
    seconds = FEATURES.windows(frame)
    assert seconds.start.dtype == np.float64 and np.allclose(seconds.end - seconds.start, 2.56)
    dates = pandas.to_datetime(frame["time"] + 1_700_000_000, unit="s").dt.round("ms")
    for data in (frame.assign(time=dates), frame.drop(columns="time").set_index(dates),
                 gait.Recording.from_samples(frame.assign(time=dates))):
        windows = FEATURES.windows(data)
        assert windows.start.dtype == "M8[ns]" and (windows.to_pandas()["end"] > dates.iloc[0]).all()
        assert abs(windows.start[0] - dates.iloc[0].to_numpy()) < np.timedelta64(1, "s")
    zoned = frame.assign(time=dates.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"))
    found = FEATURES.windows(zoned).to_pandas()
    assert str(found["start"].dtype) == "datetime64[ns, Europe/Berlin]" and (
        found["start"] >= zoned["time"].iloc[0]).all()
    assert FEATURES.windows(
        polars.from_pandas(zoned)).to_polars()["start"].dtype == polars.Datetime("ns", "Europe/Berlin")
    assert str(FEATURES.windows(zoned).to_arrow().schema.field("start").type) == "timestamp[ns, tz=Europe/Berlin]"
    assert str(gait.Model.load("running").classify(zoned).to_pandas()["end"].dtype) == "datetime64[ns, Europe/Berlin]"
    steps = FEATURES.windows(frame.assign(time=pandas.to_timedelta(frame["time"], unit="s")))
    assert steps.start.dtype == "m8[ns]"
    stream = FEATURES.stream(50)
    assert stream.push(frame.assign(time=dates)).start.dtype == "M8[ns]"
    mixed = FEATURES.grouped([frame, frame.assign(time=dates)], subjects=[1, 2])
    assert mixed.start.dtype == np.float64


def test_results_are_short_and_shown_as_tables(frame):
    model, windows, run = gait.Model.load("running"), FEATURES.windows(frame), gait.track(frame, step_length=1.1)
    for result, texts in [(windows, ["coverage", "Windows("]), (run, ["distance", "pace"]),
                          (model, ["running", "window"]),
                          (run.slices, ["state", "running"])]:
        assert len(repr(result)) < 120 and "\n" not in repr(result)
        assert all(text in result._repr_html_() for text in texts) and result._repr_html_().count("<tr>") < 15
    assert run.distance == run.summary["distance"]["meters"] and run.pace == run.summary["averagePace"]
    assert run.distance_interval[0] < run.distance < run.distance_interval[1]
    assert np.isnan(gait.track(frame).distance) and np.isnan(gait.track(frame).energy)
    assert list(run.cadence) == ["time", "steps_per_minute", "gyroscope_cadence", "confidence"]
    splits, slices = gait.track(frame, step_length=1.1, split_meters=20).splits, run.slices
    assert len(splits) > 2 and len(run.splits) == len(run.pauses) == 0 and list(splits["number"][:2]) == [1, 2]
    for table in (splits, run.splits):
        assert [table[name].dtype.kind for name in ("number", "start", "pace", "is_estimated")] == ["i", "f", "f", "b"]
    assert [slices["start"].dtype.kind, slices["state"].dtype.kind, run.pauses["cause"].dtype.kind] == ["f", "U", "U"]
    names = [*run.splits, *run.pauses, *run.cadence, *run.slices]
    assert all(name == name.lower() for name in names) and "grade_adjusted_pace" in names


def test_a_folder_has_its_gps_points(frame, tmp_path):
    import json
    folder = tmp_path / "run"
    folder.mkdir()
    frame.to_csv(folder / "motion.csv", index=False)
    rows = [f"{second},52.5,{13.4 + second * 4e-5}" for second in range(int(len(frame) / 50))]
    (folder / "Location.csv").write_text("\n".join(["time,latitude,longitude"] + rows) + "\n")
    with pytest.warns(gait.GaitWarning, match="used the GPS points in its Location.csv"):
        run = gait.track(folder)
    printed = command("track", "running", folder, "--json")
    assert run.summary == json.loads(printed.stdout) and run.distance > 20
    (folder / "Location.csv").write_text("time,latitude,longitude\n")
    with pytest.warns(gait.GaitWarning, match="GPS points inside were not used"):
        assert np.isnan(gait.track(folder).distance)


def test_the_command_writes_what_the_package_cannot(frame, tmp_path, monkeypatch):
    import json
    route = tmp_path / "route.csv"
    rows = [f"{second},52.5,{13.4 + second * 4e-5}" for second in range(int(len(frame) / 50))]
    route.write_text("\n".join(["time,latitude,longitude"] + rows) + "\n")
    recording = gait.read_recording(FILES[0], sample_rate=50)
    for run in (gait.track(FILES[0], sample_rate=50, location=route), gait.track(recording, location=route)):
        for name in ("run.gpx", "run.tcx", "run.json"):
            run.export(tmp_path / name)
        run.report(tmp_path / "run.html")
        assert "<trkpt" in (tmp_path / "run.gpx").read_text() and "<Trackpoint>" in (tmp_path / "run.tcx").read_text()
        assert json.loads((tmp_path / "run.json").read_text()) == run.summary
        assert (tmp_path / "run.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(gait.GaitError, match="GPX requires"):
        gait.track(recording).export(tmp_path / "none.gpx")
    with pytest.raises(gait.GaitError, match="does not end in .gpx"):
        run.export(tmp_path / "run.fit")
    stream = gait.RunStream(gait.Model.load("running"), 50)
    stream.push(recording.values)
    with pytest.raises(gait.GaitError, match="a run from a stream does not have"):
        stream.run.report(tmp_path / "none.html")
    monkeypatch.delenv("GAIT_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(gait.GaitError, match="needs the command gait, which is not installed"):
        run.report(tmp_path / "none.html")


def test_every_public_name_has_an_example_that_works():
    import doctest
    import importlib
    import warnings
    examples = {}
    for name in ("_library", "_types", "features", "model", "recording", "run", "table", "windows", "sklearn",
                 "export"):
        module = importlib.import_module(f"gait_motion.{name}")
        for test in doctest.DocTestFinder().find(module, extraglobs={"gait": gait, "np": np}):
            examples[test.name] = len(test.examples)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", gait.GaitWarning)
                results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
            assert results.failed == 0, test.name
    kinds = [getattr(gait, name) for name in gait.__all__ if callable(getattr(gait, name))] + [
        RecordingFeatures, gait.export.to_onnx, gait.export.to_coreml]
    assert [kind.__name__ for kind in kinds if not examples.get(f"{kind.__module__}.{kind.__name__}")] == []


def test_the_package_passes_the_type_checkers():
    folder = str(pathlib.Path(gait.__file__).parent)
    for checker in (["mypy", "--strict", "--ignore-missing-imports", "-p", "gait_motion"],
                    ["pyright", "--pythonpath", sys.executable, folder]):
        result = subprocess.run([sys.executable, "-m", *checker], capture_output=True, text=True)
        assert result.returncode == 0, result.stdout
