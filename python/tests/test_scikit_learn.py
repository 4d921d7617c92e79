"""Tests with scikit-learn: models, pipelines, searches, data frames."""
import pickle

import numpy as np
import pytest

import gait_motion as gait
from common import DATA, FILES, command
from gait_motion.sklearn import RecordingFeatures

PATHS = sorted(map(str, DATA.glob("*/*.csv")))
LABELS = [path.split("/")[-2] for path in PATHS]
PEOPLE = [path.split("/")[-1] for path in PATHS]


@pytest.fixture
def recording():
    return gait.read_recording(FILES[0], sample_rate=50)


@pytest.fixture(scope="module")
def windows():
    return gait.Features().grouped(PATHS, subjects=PEOPLE, labels=LABELS, sample_rate=50)


@pytest.mark.parametrize("labels", [2, 3])
def test_scikit_learn_models_give_the_same_probabilities(tmp_path, labels):
    from sklearn.base import clone
    from sklearn.ensemble import (
        ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier)
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
        RandomForestClassifier(20, random_state=1), ExtraTreesClassifier(20, random_state=1),
        HistGradientBoostingClassifier(max_iter=20, random_state=1), GradientBoostingClassifier(n_estimators=20, random_state=1),
        GradientBoostingClassifier(n_estimators=20, init="zero", random_state=1),
        *([GradientBoostingClassifier(loss="exponential", n_estimators=20, random_state=1)] if labels == 2 else []),
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
    for estimator, sentence in [
        (StandardScaler(), "cannot be imported; use LogisticRegression, .*, or a fitted search"),
        (LogisticRegression(), "not fitted"), (GradientBoostingClassifier(init=LogisticRegression()).fit(X, y), "leave out init"),
    ]:
        with pytest.raises(gait.GaitError, match=sentence):
            gait.Model.from_sklearn(estimator, features)
    with pytest.raises(gait.GaitError, match="pass the Features"):
        gait.Model.from_sklearn(LogisticRegression(max_iter=1000).fit(X, y))


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
    import copy
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    assert np.array_equal(copy.deepcopy(features).transform(recording), features.transform(recording))
    frame = clone(make_pipeline(gait.Features()).set_output(transform="pandas")).fit_transform(recording)
    assert list(frame.columns) == list(features.get_feature_names_out())
    model = gait.Model.load("running")
    named = model.features().set_output(transform="pandas").transform(recording)
    assert np.array_equal(model.predict_proba(named), model.predict_proba(recording))
    scores = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), frame, np.arange(windows // 2) % 2, cv=3)
    assert scores.shape == (3,)


def test_recordings_are_the_samples_of_a_tuned_pipeline(tmp_path):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    pipeline = make_pipeline(RecordingFeatures(gait.Features(source_rate=50)), StandardScaler(), LogisticRegression())
    assert cross_val_score(pipeline, PATHS, LABELS, groups=PEOPLE, cv=GroupKFold(4)).shape == (4,)
    search = GridSearchCV(pipeline, {
        "recordingfeatures__features__window": [2.56, 5.12], "logisticregression__C": [0.1, 1]}, cv=GroupKFold(4), n_jobs=2)
    search.fit(PATHS, LABELS, groups=PEOPLE)
    assert search.best_score_ > 0.9 and len(search.predict(PATHS[:3])) == 3
    model = gait.Model.from_sklearn(search)
    model.export(tmp_path / "model.json")
    labels = gait.Model.load(tmp_path / "model.json").predict(FILES[0], sample_rate=50)
    assert (labels == "running").mean() > 0.9
    several = RecordingFeatures(gait.Features(source_rate=50), aggregate=["mean", "std"])
    matrix = several.fit_transform(PATHS)
    assert matrix.shape == (24, 14) and len(several.get_feature_names_out()) == 14
    expected = gait.Features(source_rate=50).transform(PATHS[3])
    assert np.allclose(matrix[3], np.concatenate([expected.mean(axis=0), expected.std(axis=0)]), atol=1e-6)
    fitted = make_pipeline(several, LogisticRegression(max_iter=1000)).fit(PATHS, LABELS)
    with pytest.raises(gait.GaitError, match="only a model of means"):
        gait.Model.from_sklearn(fitted)


def test_recordings_of_every_kind_are_the_same_samples(recording, tmp_path):
    import pandas
    features = RecordingFeatures(gait.Features(source_rate=50))
    expected = features.fit_transform([str(FILES[0])] * 2)
    for X in ([recording] * 2, [FILES[0]] * 2, np.stack([recording.values] * 2), pandas.DataFrame({"path": [str(FILES[0])] * 2}),
              np.array([str(FILES[0])] * 2), [recording.table().to_pandas()] * 2):
        assert np.array_equal(features.fit_transform(X), expected), type(X)
    with pytest.raises(gait.GaitError, match="recording 1: there is no whole window"):
        features.transform([recording.values, recording.values[:20]])
    with pytest.raises(gait.GaitError, match="missing.csv"):
        features.transform([str(FILES[0]), "missing.csv"])
    with pytest.raises(gait.GaitError, match="aggregate"):
        RecordingFeatures(aggregate="mode").fit([recording])


def test_the_transformer_passes_the_checks_of_scikit_learn():
    from sklearn.utils.estimator_checks import check_estimator
    lane = "userAcceleration.x"
    features = gait.Features([f"{lane}.mean", f"{lane}.standardDeviation"], source_rate=25, window=0.08, hop=0.04)
    check_estimator(RecordingFeatures(features, channels=[lane]), on_skip=None)


def test_windows_with_groups_give_a_tuned_model_file(tmp_path, windows):
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.model_selection import GridSearchCV, GroupKFold
    assert len(windows.values) == len(windows.targets) == len(windows.subjects) == len(windows.recordings) == len(windows)
    assert sorted(set(windows.subjects)) == sorted(set(PEOPLE)) and list(dict.fromkeys(windows.recordings)) == PATHS
    search = GridSearchCV(ExtraTreesClassifier(10, random_state=1), {"max_depth": [4, 8]}, cv=GroupKFold(4))
    search.fit(windows.values, windows.targets, groups=windows.subjects)
    gait.Model.from_sklearn(search, gait.Features()).export(tmp_path / "model.json")
    model = gait.Model.load(tmp_path / "model.json")
    assert np.abs(model.predict_proba(windows.values) - search.predict_proba(windows.values)).max() <= 1e-6
    assert command("classify", tmp_path / "model.json", FILES[0], "--rate", "50").returncode == 0
    for arguments, sentence in [({"subjects": PEOPLE[1:]}, "23 subjects for 24"), ({"subjects": PEOPLE, "labels": []}, "0 labels")]:
        with pytest.raises(gait.GaitError, match=sentence):
            gait.Features().grouped(PATHS, **arguments)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_frames_by_the_global_setting(recording, output):
    import sklearn
    module = pytest.importorskip(output)
    for transformer in (gait.Features(), RecordingFeatures(gait.Features(source_rate=50))):
        names, data = list(transformer.get_feature_names_out()), [recording] * 2
        with sklearn.config_context(transform_output=output):
            frame = transformer.fit_transform(data)
            assert isinstance(frame, module.DataFrame) and list(frame.columns) == names
        assert isinstance(transformer.fit_transform(data), np.ndarray)
        frame = transformer.set_output(transform=output).fit_transform(data)
        assert isinstance(frame, module.DataFrame) and list(frame.columns) == names


def test_features_are_found_by_name(recording):
    import pyarrow
    model = gait.Model.load("running")
    expected = model.predict_proba(recording)
    windows = model.features().windows(recording)
    backwards = model.feature_names[::-1]
    for frame in (windows.to_pandas(), windows.to_polars(), windows.to_arrow(), windows.to_pandas()[backwards],
                  windows.to_polars().select(backwards), pyarrow.table(dict(windows.table().items())).select(backwards)):
        assert np.array_equal(model.predict_proba(frame), expected), type(frame)
        assert np.array_equal(model.predict(frame), model.predict(windows.values))
    with pytest.raises(gait.GaitError, match=f"lacks the features {backwards[0].split('.')[0]}"):
        model.predict(windows.to_polars().drop(backwards[0]))


def test_integer_classes_stay_integers(tmp_path, windows):
    from sklearn.linear_model import LogisticRegression
    target = (windows.targets == "running").astype(np.int64) * 3 - 1
    estimator = LogisticRegression(max_iter=1000).fit(windows.values, target)
    model = gait.Model.from_sklearn(estimator, gait.Features())
    model.export(tmp_path / "model.json")
    for model in (model, pickle.loads(pickle.dumps(model)), gait.Model.load(tmp_path / "model.json")):
        labels = model.predict(windows.values)
        assert labels.dtype == np.int64 and np.array_equal(labels, estimator.predict(windows.values))
        assert model.predict(FILES[0], sample_rate=50).dtype == np.int64 and model.labels == ["-1", "2"]
    texts = gait.Model.from_sklearn(estimator, gait.Features(), labels=["no", "yes"])
    assert set(texts.predict(windows.values)) == {"no", "yes"}
