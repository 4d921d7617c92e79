"""Tests of the installed package. GAIT_COMMAND is the command whose windows must have the same bits."""
import csv
import io
import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import gait_motion as gait

DATA = pathlib.Path(__file__).parent.parent / "simulated"
FILES = [DATA / "running" / "sub_1.csv", DATA / "walking" / "sub_2.csv"]


def command(*arguments):
    return subprocess.run([os.environ["GAIT_COMMAND"], *map(str, arguments)], capture_output=True, text=True)


def table_of(path, *arguments):
    """Starts and features as the command prints them; the shortest decimals read back as the same values."""
    result = command("features", path, "--rate", "50", *arguments)
    assert result.returncode == 0, result.stderr
    rows = list(csv.reader(io.StringIO(result.stdout)))
    return rows[0][4:], np.array([float(row[3]) for row in rows[1:]]), np.array([row[4:] for row in rows[1:]], np.float32)


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
    broken[100] = np.nan
    whole = gait.Features().transform(recording)
    missing = gait.Features().transform(gait.Recording.from_samples(dict(table) | {"gravity.x": broken}, sample_rate=50))
    masked = table.to_polars().with_columns(gait_test_null(100, len(broken)))
    arrow = gait.Features().transform(gait.Recording.from_samples(masked, sample_rate=50))
    assert len(missing) < len(whole) and np.array_equal(arrow, missing)


def gait_test_null(row, count):
    import polars
    return polars.when(polars.arange(0, count) == row).then(None).otherwise(polars.col("gravity.x")).alias("gravity.x")


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
    with pytest.raises(gait.GaitError, match="does not exist"):
        model.export(tmp_path / "missing" / "model.json")


@pytest.mark.parametrize("labels", [2, 3])
def test_scikit_learn_models_give_the_same_probabilities(tmp_path, labels):
    from sklearn.base import clone
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
    features = clone(gait.Features())
    folders = ["still", "walking", "running"][-labels:]
    parts = [(features.transform(gait.read_recording(path, sample_rate=50)), folder)
             for folder in folders for path in sorted((DATA / folder).glob("*.csv"))]
    X, y = np.concatenate([part for part, _ in parts]), np.concatenate([[folder] * len(part) for part, folder in parts])
    for estimator in (
        LogisticRegression(max_iter=1000), DecisionTreeClassifier(max_depth=6, random_state=1),
        RandomForestClassifier(20, random_state=1), HistGradientBoostingClassifier(max_iter=20, random_state=1),
    ):
        for pipeline in (estimator, make_pipeline(StandardScaler(), clone(estimator))):
            pipeline.fit(X, y)
            model = gait.Model.from_sklearn(pipeline, features)
            model.export(tmp_path / "model.json")
            assert model.labels == sorted(folders)
            difference = np.abs(gait.Model.load(tmp_path / "model.json").predict_proba(X) - pipeline.predict_proba(X)).max()
            scaled_tree = pipeline is not estimator and not isinstance(estimator, LogisticRegression)
            # A scaled feature in Float may lie on the other side of a threshold.
            assert difference <= 1e-6 or scaled_tree and np.mean(
                model.predict(X) == pipeline.predict(X)) > 0.99, f"{pipeline}: {difference}"
    with pytest.raises(gait.GaitError, match="cannot be imported"):
        gait.Model.from_sklearn(StandardScaler(), features)


def test_the_transformer_works_in_a_pipeline(recording):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import Pipeline
    features = gait.Features()
    pipeline = Pipeline([("features", features), ("model", LogisticRegression(max_iter=1000))])
    windows = len(features.transform([recording, recording]))
    pipeline.fit([recording, recording], np.arange(windows) % 2)
    assert pipeline.predict(recording).shape == (windows // 2,)
    assert gait.Model.from_sklearn(pipeline, features).labels == ["0", "1"]
    assert np.array_equal(pickle.loads(pickle.dumps(features)).transform(recording), features.transform(recording))


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
    (lambda: gait.Recording.from_samples(np.zeros((5, 12)), sample_rate=50, times=[0, 1, np.nan, 2, 3]), "without a time"),
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
    for call in (gait.Features().transform, gait.Model.load("running").predict, gait.track):
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
