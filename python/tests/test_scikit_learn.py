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
        HistGradientBoostingClassifier(max_iter=20, random_state=1),
        GradientBoostingClassifier(n_estimators=20, random_state=1),
        GradientBoostingClassifier(n_estimators=20, init="zero", random_state=1),
        *([GradientBoostingClassifier(loss="exponential", n_estimators=20, random_state=1)] if labels == 2 else []),
    ):
        for pipeline in (estimator, make_pipeline(StandardScaler(), clone(estimator))):
            pipeline.fit(X, y)
            model = gait.Model.from_sklearn(pipeline, features, feature_names=features.get_feature_names_out())
            model.export(tmp_path / "model.json")
            assert model.labels == sorted(folders)
            difference = np.abs(gait.Model.load(tmp_path / "model.json").predict_proba(X)
                                - pipeline.predict_proba(X)).max()
            scaled_tree = pipeline is not estimator and not isinstance(estimator, LogisticRegression)
            # A scaled feature in Float may lie on the other side of a threshold.
            assert difference <= 1e-6 or scaled_tree and np.mean(
                model.predict(X) == pipeline.predict(X)) > 0.99, f"{pipeline}: {difference}"
    for estimator, sentence in [
        (StandardScaler(), "cannot be imported; use LogisticRegression, .*, or a fitted search"),
        (LogisticRegression(), "not fitted"),
        (GradientBoostingClassifier(init=LogisticRegression()).fit(X, y), "leave out init"),
    ]:
        with pytest.raises(gait.GaitError, match=sentence):
            gait.Model.from_sklearn(estimator, features, feature_names=features.get_feature_names_out())
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
    scores = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), frame, np.arange(windows // 2) % 2,
                             cv=3)
    assert scores.shape == (3,)


def test_recordings_are_the_samples_of_a_tuned_pipeline(tmp_path):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    pipeline = make_pipeline(RecordingFeatures(gait.Features(source_rate=50)), StandardScaler(), LogisticRegression())
    assert cross_val_score(pipeline, PATHS, LABELS, groups=PEOPLE, cv=GroupKFold(4)).shape == (4,)
    search = GridSearchCV(pipeline, {
        "recordingfeatures__features__window": [2.56, 5.12], "logisticregression__C": [0.1, 1]}, cv=GroupKFold(4),
                          n_jobs=2)
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
    for X in ([recording] * 2, [FILES[0]] * 2, np.stack([recording.values] * 2),
              pandas.DataFrame({"path": [str(FILES[0])] * 2}),
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
    check_estimator(gait.Features(), on_skip=None)


def test_an_old_scikit_learn_is_refused_with_a_sentence(monkeypatch):
    import sys
    import sklearn.utils.validation
    # Before 1.6 there is no such function.
    monkeypatch.delattr(sklearn.utils.validation, "validate_data")
    monkeypatch.delitem(sys.modules, "gait_motion.sklearn")
    with pytest.raises(ImportError, match="needs scikit-learn 1.6 or later: pip install"):
        import gait_motion.sklearn


def test_windows_with_groups_give_a_tuned_model_file(tmp_path, windows):
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.model_selection import GridSearchCV, GroupKFold
    assert len(windows.values) == len(
        windows.targets) == len(windows.subjects) == len(windows.recordings) == len(windows)
    assert sorted(set(windows.subjects)) == sorted(set(PEOPLE)) and list(dict.fromkeys(windows.recordings)) == PATHS
    search = GridSearchCV(ExtraTreesClassifier(10, random_state=1), {"max_depth": [4, 8]}, cv=GroupKFold(4))
    search.fit(windows.values, windows.targets, groups=windows.subjects)
    gait.Model.from_sklearn(search, gait.Features(), feature_names=windows.names).export(tmp_path / "model.json")
    model = gait.Model.load(tmp_path / "model.json")
    assert np.abs(model.predict_proba(windows.values) - search.predict_proba(windows.values)).max() <= 1e-6
    assert command("classify", tmp_path / "model.json", FILES[0], "--rate", "50").returncode == 0
    for arguments, sentence in [({"subjects": PEOPLE[1:]}, "23 subjects for 24"),
                                ({"subjects": PEOPLE, "labels": []}, "0 labels")]:
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
                  windows.to_polars().select(backwards),
                  pyarrow.table(dict(windows.table().items())).select(backwards)):
        assert np.array_equal(model.predict_proba(frame), expected), type(frame)
        assert np.array_equal(model.predict(frame), model.predict(windows.values))
    with pytest.raises(gait.GaitError, match=f"lacks the features {backwards[0].split('.')[0]}"):
        model.predict(windows.to_polars().drop(backwards[0]))


def test_integer_classes_stay_integers(tmp_path, windows):
    from sklearn.linear_model import LogisticRegression
    target = (windows.targets == "running").astype(np.int64) * 3 - 1
    estimator = LogisticRegression(max_iter=1000).fit(windows.values, target)
    model = gait.Model.from_sklearn(estimator, gait.Features(), feature_names=windows.names)
    model.export(tmp_path / "model.json")
    for model in (model, pickle.loads(pickle.dumps(model)), gait.Model.load(tmp_path / "model.json")):
        labels = model.predict(windows.values)
        assert labels.dtype == np.int64 and np.array_equal(labels, estimator.predict(windows.values))
        assert model.predict(FILES[0], sample_rate=50).dtype == np.int64 and model.labels == ["-1", "2"]
    texts = gait.Model.from_sklearn(estimator, gait.Features(), ["no", "yes"], feature_names=windows.names)
    assert set(texts.predict(windows.values)) == {"no", "yes"}


def test_columns_are_found_by_their_names(windows):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
    features, frame = gait.Features(), windows.to_pandas()[list(windows.names)]
    for estimator in (LogisticRegression(max_iter=1000), DecisionTreeClassifier(random_state=1),
                      make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
                      make_pipeline(StandardScaler().set_output(transform="pandas"),
                                    LogisticRegression(max_iter=1000))):
        for columns in (sorted(frame), sorted(frame)[::-1], sorted(frame)[1:4]):
            fitted = estimator.fit(frame[columns], windows.targets)
            model = gait.Model.from_sklearn(fitted, features)
            assert model.feature_names == columns
            scaled_tree = isinstance(estimator, DecisionTreeClassifier)
            assert np.abs(model.predict_proba(frame) - fitted.predict_proba(frame[columns])).max() < 1e-5 or scaled_tree
            assert model.score(frame, windows.targets) == pytest.approx(fitted.score(frame[columns], windows.targets),
                                                                        abs=0.002)
            with pytest.raises(gait.GaitError, match="not in the order of feature_names"):
                gait.Model.from_sklearn(fitted, features, feature_names=columns[::-1])
    unnamed = LogisticRegression(max_iter=1000).fit(frame[sorted(frame)].to_numpy(), windows.targets)
    with pytest.raises(gait.GaitError, match="columns without names.*feature_names"):
        gait.Model.from_sklearn(unnamed, features)
    stated = gait.Model.from_sklearn(unnamed, features, feature_names=sorted(frame))
    assert stated.score(frame, windows.targets) == unnamed.score(frame[sorted(frame)].to_numpy(), windows.targets) > 0.9
    named = LogisticRegression(max_iter=1000).fit(frame.assign(start=windows.start), windows.targets)
    with pytest.raises(gait.GaitError, match="the column start, which is not one of the features"):
        gait.Model.from_sklearn(named, features)
    recordings = RecordingFeatures(gait.Features(source_rate=50)).set_output(transform="pandas").fit_transform(PATHS)
    means = LogisticRegression(max_iter=1000).fit(recordings[sorted(recordings)], LABELS)
    assert gait.Model.from_sklearn(means, features).feature_names == sorted(windows.names)


def test_a_model_is_a_fitted_classifier_of_scikit_learn(windows):
    import matplotlib
    matplotlib.use("Agg")
    from sklearn.base import clone, is_classifier
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.frozen import FrozenEstimator
    from sklearn.inspection import permutation_importance
    from sklearn.metrics import ConfusionMatrixDisplay, RocCurveDisplay, accuracy_score
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.utils.validation import check_is_fitted
    X, y = windows.values, windows.targets
    model = gait.Model.from_sklearn(
        DecisionTreeClassifier(max_depth=3, random_state=1).fit(X, y), gait.Features(), feature_names=windows.names)
    check_is_fitted(model)
    assert is_classifier(model) and clone(model) is model and model.fit(X, y) is model
    expected = accuracy_score(y, model.predict(X))
    assert model.score(X, y) == expected > 0.9 and list(model.classes_) == ["running", "still", "walking"]
    assert model.n_features_in_ == 7 and list(model.feature_names_in_) == list(windows.names)
    matrix = ConfusionMatrixDisplay.from_estimator(model, X, y).confusion_matrix
    assert np.trace(matrix) / matrix.sum() == expected
    importance = permutation_importance(model, X, y, n_repeats=2, random_state=1).importances_mean
    assert importance.max() > 0.1
    frozen = FrozenEstimator(model).fit(X, y)
    assert np.array_equal(frozen.predict_proba(X), model.predict_proba(X))
    for estimator in (frozen, model):
        calibrated = CalibratedClassifierCV(estimator, method="sigmoid").fit(X, y)
        assert accuracy_score(y, calibrated.predict(X)) > 0.9
    pipeline = make_pipeline(FunctionTransformer(), model)
    assert np.mean(cross_val_score(pipeline, X, y, cv=4)) == pytest.approx(expected, abs=0.01)
    assert pipeline.fit(X, y).score(X, y) == expected and repr(pipeline) and pipeline._repr_html_()
    two = y == "running"
    binary = gait.Model.from_sklearn(DecisionTreeClassifier(max_depth=2,
                                                            random_state=1).fit(X, np.where(two, "run", "rest")),
                                     gait.Features(), feature_names=windows.names)
    assert RocCurveDisplay.from_estimator(binary, X, np.where(two, "run", "rest"), pos_label="run").roc_auc > 0.9
    with pytest.raises(gait.GaitError, match="knows none of the labels, such as 'Run'"):
        binary.score(X, np.full(len(X), "Run"))
    assert gait.Model.from_sklearn(FrozenEstimator(DecisionTreeClassifier(max_depth=1).fit(X, y)), gait.Features(),
                                   feature_names=windows.names).labels == model.labels


def test_a_model_takes_what_features_take(windows):
    model = gait.Model.load("running")
    files = list(map(str, gait.sample_files()[:3]))
    values = [gait.read_recording(file, sample_rate=50).values for file in files]
    one = [model.predict_proba(file, sample_rate=50) for file in files]
    expected, count = np.concatenate(one), min(map(len, values))
    for data in (files, np.array(files), values):
        assert np.array_equal(model.predict_proba(data, sample_rate=50), expected)
        assert len(model.predict(data, sample_rate=50)) == len(expected)
    assert np.array_equal(model.predict_proba(values[0], sample_rate=50), one[0])
    cases = np.stack([value[:count] for value in values])
    for data in (cases, cases.transpose(0, 2, 1)):
        assert np.array_equal(model.predict_proba(data, sample_rate=50), expected)
        assert len(gait.Features(source_rate=50).transform(data)) == len(expected)
        assert RecordingFeatures(gait.Features(source_rate=50)).fit_transform(data).shape == (3, 7)
    with pytest.raises(gait.GaitError, match="cannot be told apart"):
        model.predict(np.zeros((3, 12, 12)), sample_rate=50)
    with pytest.raises(gait.GaitError, match="no axis has 12 channels"):
        model.predict(np.zeros((3, 500, 5)), sample_rate=50)
    named = gait.Features(source_rate=50, channels=list(gait.CHANNELS[3:6] + gait.CHANNELS[9:]))
    assert np.array_equal(named.transform(cases[:, :, [3, 4, 5, 9, 10, 11]].transpose(0, 2, 1)),
                          gait.Features(source_rate=50).transform(cases))
    total = cases[:, :, 3:6] + cases[:, :, 9:]
    assert len(gait.Features(source_rate=50).transform(total.transpose(0, 2, 1),
                                                       acceleration_unit="g")) == len(expected)
