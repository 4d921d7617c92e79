"""Tests of the installed package. GAIT_COMMAND is the command whose windows must have the same bits."""
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import gait_motion as gait
from common import DATA, FILES, command, long_file, table_of


@pytest.fixture(params=FILES, ids=lambda path: path.parent.name)
def recording(request):
    return gait.read_recording(request.param, sample_rate=50)


@pytest.mark.parametrize("name,count", [("orientationFree", 7), ("full", 539)])
def test_every_input_has_the_bits_of_the_command(recording, name, count):
    import pandas
    import polars
    import pyarrow
    features = gait.Features(name, source_rate=50)
    names, starts, expected = table_of(recording.name, *(["--set", "full"] if count == 539 else []))
    assert list(features.get_feature_names_out()) == names and expected.shape[1] == count and len(expected) > 10
    windows = features.windows(recording)
    assert np.array_equal(windows.values, expected)
    assert np.array_equal(windows.starts, np.rint(starts * 1e9))
    values, table = recording.values, recording.table()
    wide = np.zeros((len(values), 20), np.float32)
    wide[:, 4:16] = values
    sources = {
        "NumPy": values, "Fortran order": np.asfortranarray(values), "strided view": wide[:, 4:16],
        "reversed view": values[::-1].copy()[::-1], "float64": values.astype(np.float64), "mapping": dict(table),
        "pandas": table.to_pandas(), "polars": table.to_polars(), "pyarrow": table.to_arrow(),
        "chunked pyarrow": pyarrow.concat_tables([table.to_arrow()[:777], table.to_arrow()[777:]]),
        "record batch": table.to_arrow().combine_chunks().to_batches()[0],
        "sliced": pyarrow.concat_tables([table.to_arrow()[:5], table.to_arrow()]).combine_chunks()[5:],
        "timestamps": table.to_pandas().assign(time=lambda frame: pandas.to_datetime(frame["time"], unit="s")),
        "nullable": polars.DataFrame({"extra": [None] * len(values)} | dict(table)),
    }
    for source, data in sources.items():
        part = gait.Recording.from_samples(data, sample_rate=50, channels=recording.channels if isinstance(
            data, np.ndarray) and len(recording.channels) < 12 else None)
        assert np.array_equal(features.transform(part), expected), source


@pytest.mark.parametrize("name", ["orientationFree", "full"])
def test_random_cuts_do_not_change_a_bit(recording, name):
    features = gait.Features(name)
    expected = features.windows(recording)
    random = np.random.default_rng(3)
    values, times = recording.values, recording.times / 1e9
    for is_timed in (True, False):
        cuts = np.sort(random.integers(0, len(values), 12)).tolist() + [len(values)]
        stream, first, parts = features.stream(50, start=times[0]), 0, []
        for cut in cuts:
            parts.append(stream.push(values[first:cut], times[first:cut] if is_timed else None))
            first = cut
        assert np.array_equal(np.concatenate([part.values for part in parts]), expected.values)
        assert np.array_equal(np.concatenate([part.starts for part in parts]), expected.starts)
        assert stream.dropped == 0


def test_nulls_are_missing_values(recording):
    table = recording.table()
    broken = table["gravity.x"].copy()
    broken[100:120] = np.nan
    whole = gait.Features().transform(recording)
    missing = gait.Features().transform(gait.Recording.from_samples(dict(table) | {"gravity.x": broken},
                                                                    sample_rate=50))
    masked = table.to_polars().with_columns(gait_test_null(100, 120, len(broken)))
    arrow = gait.Features().transform(gait.Recording.from_samples(masked, sample_rate=50))
    assert len(missing) < len(whole) and np.array_equal(arrow, missing)


def gait_test_null(first, end, count):
    import polars
    rows = polars.arange(0, count)
    null = polars.when((rows >= first) & (rows < end)).then(None)
    return null.otherwise(polars.col("gravity.x")).alias("gravity.x")


@pytest.mark.parametrize("share", [0.01, 0.02, 0.05])
def test_missing_rows_are_bridged(recording, share):
    values, random = recording.values.copy(), np.random.default_rng(33)
    whole = gait.Features().transform(recording)
    values[random.random(len(values)) < share] = np.nan
    missing = gait.Features().transform(gait.Recording.from_samples(values, sample_rate=50))
    assert len(missing) >= 0.97 * len(whole)
    stream = gait.Features().stream(50)
    assert np.array_equal(stream.push(values).values, missing) and stream.bridged > 0


def test_accelerations_with_a_unit(recording, tmp_path):
    table = recording.table()
    total = {axis: (table[f"gravity.{axis}"] + table[f"userAcceleration.{axis}"]) * np.float32(9.80665)
             for axis in "xyz"}
    made = gait.Recording.from_samples(total, sample_rate=50, unit="m/s2")
    assert made.gravity_is_estimated and np.isfinite(made.values[:, 3:6]).all()
    array = gait.Recording.from_samples(np.stack(list(total.values()), axis=1), sample_rate=50, unit="m/s2")
    assert np.array_equal(array.values, made.values, equal_nan=True)
    assert len(gait.Features().transform(made)) > 0
    path = tmp_path / "accelerometer.csv"
    lines = ["time (s),x (m/s2),y (m/s2),z (m/s2)"]
    lines += [f"{row / 50},{total['x'][row]},{total['y'][row]},{total['z'][row]}" for row in range(len(total["x"]))]
    path.write_text("\n".join(lines) + "\n")
    file = gait.read_recording(path, sample_rate=50)
    assert np.allclose(made.values[:, 3:6], file.values[:, 3:6], atol=1e-5)
    linear = gait.Recording.from_samples(total, sample_rate=50, unit="m/s2", linear=True)
    assert linear.channels == [f"userAcceleration.{axis}" for axis in "xyz"]
    for arguments, sentence in [({}, "unit"), ({"unit": "ft"}, "unit"), ({"linear": True}, "unit")]:
        with pytest.raises(gait.GaitError, match=sentence):
            gait.Recording.from_samples(total, sample_rate=50, **arguments)


def test_classification_has_the_bits_of_the_model(recording):
    model = gait.Model.load("running")
    matrix = model.features().transform(recording)
    assert np.array_equal(model.predict_proba(matrix), model.predict_proba(recording))
    table = model.classify(recording)
    import json
    printed = json.loads(command("classify", "running", recording.name, "--rate", "50", "--json").stdout)["windows"]
    assert [window["label"] for window in printed] == table["label"].tolist() == model.predict(recording).tolist()
    assert np.array_equal([window["start"] for window in printed], table["start"])
    assert np.array_equal([window["end"] for window in printed], table["end"])
    for label in model.labels:
        probabilities = np.array([window["probabilities"][label] for window in printed], np.float32)
        assert np.array_equal(probabilities, table[label])
    stream = model.stream(50)
    parts = [stream.push(recording.values[first:first + 997]) for first in range(0, len(recording), 997)]
    assert np.array_equal(np.concatenate([part.values for part in parts]), model.predict_proba(recording))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(matrix), model.predict_proba(matrix))


def test_a_stream_shared_by_threads_returns_every_window_once(recording):
    import threading
    features = gait.Features(allow_slow_source=True)
    stream, parts = features.stream(50), []

    def push():
        for _ in range(50):
            parts.append(stream.push(recording.values[:997]))

    threads = [threading.Thread(target=push) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one = features.stream(50)
    expected = np.concatenate([one.push(recording.values[:997]).starts for _ in range(200)])
    assert sorted(np.concatenate([part.starts for part in parts])) == sorted(expected)
    assert len({len(part.values) - len(part.starts) for part in parts}) == 1


def test_features_that_are_not_finite_are_an_error(recording):
    model = gait.Model.load("running")
    matrix = model.features().transform(recording).copy()
    matrix[1, 0] = np.nan
    with pytest.raises(gait.GaitError, match="row 1 is not a finite number"):
        model.predict(matrix)


def test_track_is_what_the_command_prints(recording):
    import json
    printed = json.loads(command("track", "running", recording.name, "--rate", "50", "--json").stdout)
    run = gait.track(recording)
    assert run.summary == printed and len(run.slices) == len(printed["slices"]) and run.slices.to_pandas() is not None
    stream = gait.RunStream(gait.Model.load("running"), 50)
    for first in range(0, len(recording), 1001):
        stream.push(recording.values[first:first + 1001])
    assert stream.run.summary == printed


def test_track_takes_gps_points(tmp_path, recording):
    import json
    route = tmp_path / "route.csv"
    rows = [f"{second},52.5,{13.4 + second * 4e-5}" for second in range(0, int(len(recording) / 50))]
    route.write_text("\n".join(["time,latitude,longitude"] + rows) + "\n")
    printed = command("track", "running", recording.name, "--rate", "50", "--location", route, "--json")
    run = gait.track(recording, location=route)
    assert run.summary == json.loads(printed.stdout) and run.summary["distance"]["meters"] > 0
    with pytest.raises(gait.GaitError, match="no such file"):
        gait.track(recording, location=tmp_path / "missing.gpx")


def test_a_model_is_exported_and_sealed(tmp_path, recording):
    model = gait.Model.load("running")
    model.export(tmp_path / "model.json")
    assert gait.Model.load(tmp_path / "model.json").json == model.json
    assert command("classify", tmp_path / "model.json", recording.name, "--rate", "50").returncode == 0
    text = model.json.replace('"version"', '"versio"')
    with pytest.raises(gait.GaitError, match="version"):
        gait.Model.from_json(text)
    for path, sentence in (tmp_path / "missing" / "model.json", "does not exist"), (tmp_path, "cannot write"):
        with pytest.raises(gait.GaitError, match=sentence):
            model.export(path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


@pytest.mark.parametrize("form", ["swift", "gait"])
def test_exports_have_the_bytes_of_the_command(tmp_path, form):
    model = gait.Model.load("running-pocket")
    model.export(tmp_path / "python", form, name="pocket", notice="A notice.")
    result = command("export", "running-pocket", "--format", form, "--output", tmp_path / "command", "--name", "pocket",
                     "--notice", "A notice.")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()
    for arguments, sentence in ((["pdf"], "use one of swift, gait"), (["swift"], "not a valid name")):
        with pytest.raises(gait.GaitError, match=sentence):
            model.export(tmp_path / "wrong", *arguments, name="1 x")
    assert not (tmp_path / "wrong").exists()


@pytest.mark.parametrize("export,package", [(gait.export.to_onnx, "onnx"), (gait.export.to_coreml, "coremltools")])
def test_a_missing_package_is_named_with_the_extra(monkeypatch, export, package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(gait.GaitError, match=f"extra export, or pip install {package}$"):
        export(gait.Model.load("running"))


@pytest.mark.parametrize("is_timed", [True, False])
def test_a_file_in_blocks_has_the_bits_of_the_whole(tmp_path, is_timed):
    path, rate = tmp_path / "long.csv", None if is_timed else 50
    long_file(path, 150_000, is_timed)
    whole = gait.read_recording(path, sample_rate=rate)
    blocks = list(gait.read_blocks(path, sample_rate=rate))
    assert len(blocks) > 1 and {block.sample_rate for block in blocks} == {whole.sample_rate}
    assert np.array_equal(np.concatenate([block.values for block in blocks]), whole.values)
    assert np.array_equal(np.concatenate([block.times for block in blocks]), whole.times)
    features, model, random = gait.Features(source_rate=rate), gait.Model.load("running"), np.random.default_rng(5)
    expected, of_file = features.windows(whole), features.windows(path)
    stream, parts = features.stream(whole.sample_rate, start=whole.times[0] / 1e9), []
    for block in blocks:
        cuts = [0, *np.sort(random.integers(0, len(block), 5)).tolist(), len(block)]
        parts += [stream.push(block.values[first:end], block.times[first:end].astype("datetime64[ns]"))
                  for first, end in zip(cuts, cuts[1:])]
    for name in ("values", "starts"):
        assert np.array_equal(getattr(of_file, name), getattr(expected, name))
        assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(expected, name))
    assert np.array_equal(model.predict(path, sample_rate=rate), model.predict(whole))
    assert gait.track(path, sample_rate=rate).summary == gait.track(whole).summary
    path.write_text(path.read_text()[:-200_000] + "\nnonsense\n")
    with pytest.raises(gait.GaitError, match="long.csv"):
        for _ in gait.read_blocks(path, sample_rate=rate):
            pass


def test_memory_does_not_grow_with_a_file_in_blocks(tmp_path):
    program = ("import resource, sys, gait_motion as gait; gait.Features(source_rate=50).transform(sys.argv[1]); "
               "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
    sizes = []
    for rows in (200_000, 1_000_000):
        long_file(tmp_path / "long.csv", rows, is_timed=False)
        sizes.append(int(subprocess.run(
            [sys.executable, "-c", program, tmp_path / "long.csv"], capture_output=True, check=True, text=True).stdout))
    # The samples of 800,000 rows take 51 MB; 25,000 windows take 1 MB.
    assert sizes[1] - sizes[0] < 15_000, f"{sizes} kB"


def test_every_kind_of_array_has_the_same_bits_or_an_error(recording):
    import pandas
    import polars
    import pyarrow
    features, values, table = gait.Features(source_rate=50), recording.values, recording.table()
    expected, frame = features.transform(recording), table.to_pandas()
    unaligned = np.zeros(values.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(values.shape)
    unaligned[:] = values
    fixed = values.copy()
    fixed.flags.writeable = False
    for data in (values.astype(">f4"), values.astype(">f8"), values.astype(object), unaligned, fixed,
                 np.asfortranarray(values),
                 frame.astype(object), frame.assign(time=pandas.to_datetime(frame["time"], unit="s", utc=True)),
                 frame.drop(columns="time").set_index(pandas.to_datetime(frame["time"], unit="s")),
                 frame.drop(columns="time").set_index(pandas.to_timedelta(frame["time"], unit="s")),
                 frame.convert_dtypes(), table.to_arrow().to_reader(max_chunksize=333),
                 pyarrow.table({**table, "gravity.x": pyarrow.array(table["gravity.x"]).dictionary_encode()})):
        assert np.array_equal(features.transform(data), expected), type(data)
        if isinstance(data, np.ndarray):
            assert np.array_equal(features.stream(50).push(data).values, expected)
    masked, missing = np.ma.masked_array(values.copy()), values.copy()
    masked[100:120, 3], missing[100:120, 3] = np.ma.masked, np.nan
    assert np.array_equal(features.transform(masked), features.transform(missing)) and len(expected) > len(
        features.transform(masked))
    timeless = table.to_arrow().drop_columns(["time"])
    for none in (np.zeros((0, 12)), np.zeros((1, 12)), frame[:0], polars.DataFrame(dict(table))[:0], timeless[:0],
                 timeless.schema.empty_table(), table.to_arrow().schema.empty_table()):
        assert features.transform(none).shape == (0, 7), none
    column, text = table["gravity.x"], polars.DataFrame(dict(table))
    for data, sentence in [
        ({name: column[:5 + len(name)] for name in gait.CHANNELS}, "shape"),
        ({name: values for name in gait.CHANNELS}, "shape"),
        (pandas.concat([frame, frame[["gravity.x"]]], axis=1), "two columns are gravity.x"),
        (frame["gravity.x"], "Series"),
        (np.full((50, 12), "a", object), "plain numbers"), (values.astype(complex), "complex"), (values[0], "shape"),
        (text.with_columns(polars.col("gravity.x").cast(polars.String)), "gravity.x does not hold plain numbers"),
        (frame.assign(time=pandas.to_datetime(frame["time"], unit="s").where(frame.index != 5)), "without a time"),
    ]:
        with pytest.raises(gait.GaitError, match=sentence):
            features.transform(data)
    for times in (np.datetime64("2600-01-01", "us") + recording.times.astype("m8[ns]").astype("m8[us]"),
                  ["x"] * len(values)):
        with pytest.raises(gait.GaitError, match="±4e9"):
            gait.Recording.from_samples(values, times=times, sample_rate=50)
    with pytest.raises(gait.GaitError, match="UTF-8"):
        gait.read_recording(b"\xff.csv")


def transformed(arguments):
    features, model, data = arguments
    return features.transform(data).tobytes() + model.predict_proba(data).tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_objects_go_to_other_processes_and_threads(recording, method):
    import multiprocessing
    from concurrent.futures import ThreadPoolExecutor
    work = [(gait.Features(), gait.Model.load("running"), recording)] * 4
    expected = transformed(work[0])
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert set(pool.map(transformed, work)) == {expected}
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(transformed, work * 4)) == {expected}
    copied = pickle.loads(pickle.dumps(recording))
    assert copied.channels == recording.channels and np.array_equal(copied.times, recording.times) and repr(
        copied) == repr(recording)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(gait.Features().stream(50))




@pytest.mark.parametrize("call,sentence", [
    (lambda: gait.Features(window=-1), "window"),
    (lambda: gait.Features(window=float("nan")), "window"),
    (lambda: gait.Features(sample_rate=1e9), "Hz"),
    (lambda: gait.Features("vertical.nonsense"), "not a feature"),
    (lambda: gait.Features(["vertical.rms", "vertical.rms"]), "twice"),
    (lambda: gait.Features([]), "empty"),
    (lambda: gait.read_recording("missing.csv"), "there is no such file"),
    (lambda: gait.read_recording(FILES[0]), "rate"),
    (lambda: gait.read_recording(FILES[0], format="nonsense"), "one of"),
    (lambda: gait.Model.load("missing.json"), "does not exist"),
    (lambda: gait.Recording.from_samples(np.zeros((5, 3)), sample_rate=50), "columns"),
    (lambda: gait.Recording.from_samples(np.zeros((5, 12))), "sample rate is unknown"),
    (lambda: gait.Recording.from_samples(np.zeros((5, 12)), sample_rate=50, times=[0, 1, 1, 2, 3]), "row 2"),
    (lambda: gait.Recording.from_samples(np.zeros((5, 12)), sample_rate=50, times=[0, 1, np.nan, 2, 3]),
     "without a time"),
    (lambda: gait.Recording.from_samples({"x": np.zeros(5)}, sample_rate=50), "named after a channel"),
    (lambda: gait.Recording.from_samples("run.csv"), "not a recording"),
    (lambda: gait.Model.load("running").predict(np.zeros((2, 3))), "features"),
    (lambda: gait.track(np.zeros((500, 12)), sample_rate=50, policy="nonsense"), "policy"),
])
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(gait.GaitError, match=sentence):
        call()


def test_a_missing_channel_is_an_error_and_never_no_windows(recording):
    columns = {name: values for name, values in recording.table().items() if name != "gravity.x"}
    part = gait.Recording.from_samples(columns, sample_rate=50)
    pocket = gait.Model.load("running-pocket")
    for call in (gait.Features().transform, pocket.predict, lambda data: gait.track(data, pocket)):
        with pytest.raises(gait.GaitError, match="gravity.x"):
            call(part)
    with pytest.raises(gait.GaitError, match="gravity.x"):
        gait.Features().stream(50, channels=part.channels)


def test_the_errors_of_files_are_those_of_the_command(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text(FILES[0].read_text().replace("\n", "\nnonsense,", 3))
    with pytest.raises(gait.GaitError) as error:
        gait.read_recording(path, sample_rate=50)
    assert str(error.value) in command("features", path, "--rate", "50").stderr


@pytest.mark.parametrize("count", [2, 3, 16_385, 40_000])
def test_the_rate_is_the_median_step_of_the_times(count):
    random, values = np.random.default_rng(8), np.zeros((count, 12))
    for steps in (np.full(count, 20_000_000), random.integers(1, 9, count) * 10_000_000,
                  np.repeat([10_000_000, 20_000_000], [(count + 1) // 2, count // 2])):
        times = np.cumsum(steps)
        recording = gait.Recording.from_samples(values, times=times.view("M8[ns]"))
        assert recording.sample_rate == 1e9 / np.median(np.diff(times))
