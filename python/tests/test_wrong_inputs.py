"""Wrong inputs at every entry point: each is an error or a warning that names it."""
import re
import warnings

import numpy as np
import pandas
import pytest

import gait_motion as gait
from common import FILES
from gait_motion.sklearn import RecordingFeatures

RATE = 50


def frame(rows=None):
    table = gait.read_recording(FILES[0], sample_rate=RATE).table().to_pandas()
    return table[:rows]


def scaled(prefix, factor):
    data = frame()
    data.loc[:, [name for name in data if name.startswith(prefix)]] *= factor
    return data


def total():
    data = frame()
    for axis in "xyz":
        data[f"userAcceleration.{axis}"] += data.pop(f"gravity.{axis}")
    return data


def with_missing(share):
    data = frame()
    data.loc[np.random.default_rng(1).random(len(data)) < share, [name for name in data if name != "time"]] = np.nan
    return data


def stacked():
    return pandas.concat([frame().assign(subject=subject) for subject in ("anna", "ben")]).drop(columns="time")


# An input, and what the error or warning says.
WRONG = {
    "gravity in m/s2": (lambda: scaled("gravity", 9.80665),
                        "total acceleration has a mean of 9.* g .* convert the numbers"),
    "gravity in mg": (lambda: scaled("gravity", 1000), "total acceleration has a mean of 9\\d\\d"),
    "acceleration in m/s2": (lambda: scaled("userAcceleration", 9.80665),
                             "acceleration without gravity has a mean of .* g, (more than|as gravity)"),
    "gravity in the acceleration": (lambda: total(), "gravity is included|gravity.x"),
    "gravity in the acceleration and apart": (lambda: frame().assign(**{
        f"userAcceleration.{axis}": frame()[f"userAcceleration.{axis}"] + frame()[f"gravity.{axis}"]
        for axis in "xyz"}), "gravity is included"),
    "rotation in degrees": (lambda: scaled("rotationRate", 180 / np.pi),
                            "rotation rate reaches .* convert it from degrees"),
    "a still gyroscope": (lambda: scaled("rotationRate", 0), "rotationRate has the same value throughout"),
    "attitude in degrees": (lambda: scaled("attitude", 180 / np.pi), "attitude reaches"),
    "an empty channel": (lambda: frame().assign(**{"gravity.x": np.nan}),
                         "gravity.x has no value|of the values of gravity.x are missing"),
    "a missing channel": (lambda: frame().drop(columns="gravity.x"), "gravity.x"),
    "30 % missing": (lambda: with_missing(0.3), "lack|of the values of userAcceleration are missing"),
    "nothing but missing values": (lambda: with_missing(1.1), "no value|values of userAcceleration are missing"),
    "several people": (stacked, "several recordings.*recording=\"subject\""),
    "several people in an index": (lambda: stacked().set_index("subject", append=True), "several recordings"),
    "times that begin again": (lambda: pandas.concat([frame(), frame()]), "not after that of the row before"),
    "times out of order": (lambda: frame()[::-1], "not after that of the row before"),
    "repeated times": (lambda: frame().assign(time=lambda data: data["time"].round(1)),
                       "not after that of the row before"),
    "a missing time": (lambda: frame().assign(time=lambda data: data["time"].where(data.index != 5)), "without a time"),
    "milliseconds": (lambda: frame().assign(time=np.arange(len(frame())) * 20), "time_unit="),
    "milliseconds since 1970": (lambda: frame().assign(time=1_700_000_000_000 + np.arange(len(frame())) * 20),
                                "time_unit=\"ms\""),
    "nanoseconds since 1970": (lambda: frame().assign(time=1_700_000_000 * 10 ** 9 + np.arange(len(frame()))
                                                      * 20_000_000), "time_unit=\"ns\""),
    "texts": (lambda: frame().assign(**{"gravity.x": "1"}), "gravity.x does not hold plain numbers"),
    "two columns of a channel": (lambda: frame().assign(gravity_x=0.0), "two columns are gravity.x"),
    "accelerations without a unit": (lambda: pandas.DataFrame(np.zeros((500, 3)), columns=list("xyz")), "have no unit"),
    "other columns": (lambda: frame()[["time"]].assign(heart=70), "named after a channel|not a channel of the data"),
    "too short": (lambda: frame(20), "shorter|no whole window|no second"),
    "no rows": (lambda: np.zeros((0, 12)), "shorter|no whole window|0 sample"),
    "a missing file": (lambda: "missing.csv", "missing.csv|a str is not a recording"),
    "nothing": (lambda: None, "a NoneType is not a recording"),
    "a number": (lambda: 7, "a int is not a recording"),
    "a gap at every row": (lambda: frame().assign(time=lambda data: data["time"] * 100), "time_unit=|sample rate"),
    "one dimension": (lambda: frame()["gravity.x"].to_numpy(), "shape|columns need"),
    "five columns": (lambda: np.zeros((500, 5)), "columns need as many different channels"),
    "a series": (lambda: frame()["gravity.x"], "Series"),
    "complex numbers": (lambda: frame().drop(columns="time").to_numpy().astype(complex), "complex"),
}
FULL, MODEL, POCKET = gait.Features("full"), gait.Model.load("running"), gait.Model.load("running-pocket")


ENTRIES = {
    "Features.transform": lambda data: FULL.transform(data, sample_rate=RATE),
    "Features.transform of a list": lambda data: FULL.transform([data], sample_rate=RATE),
    "Features.windows": lambda data: FULL.windows(data, sample_rate=RATE),
    "Features.grouped": lambda data: FULL.grouped([data], subjects=["anna"], sample_rate=RATE),
    "Features.stream": lambda data: FULL.stream(RATE).push(data),
    "RecordingFeatures": lambda data: RecordingFeatures(gait.Features("full", source_rate=RATE)).transform([data]),
    "Features.fit_transform": lambda data: gait.Features("full", source_rate=RATE).fit_transform(data),
    "Model.windows": lambda data: POCKET.windows(data, sample_rate=RATE),
    "Model.predict": lambda data: POCKET.predict(data, sample_rate=RATE),
    "Model.predict_proba": lambda data: POCKET.predict_proba(data, sample_rate=RATE),
    "Model.classify": lambda data: POCKET.classify(data, sample_rate=RATE),
    "Model.score": lambda data: POCKET.score(data, ["running"], sample_rate=RATE),
    "Model.stream": lambda data: POCKET.stream(RATE).push(data),
    "track": lambda data: gait.track(data, POCKET, sample_rate=RATE),
    "RunStream": lambda data: gait.RunStream(POCKET, RATE).push(data),
    "Recording.from_samples": lambda data: FULL.windows(gait.Recording.from_samples(data, sample_rate=RATE)),
}
# A stream does not know that it ends, so it may wait for more samples.
ACCEPTED = {(wrong, entry) for wrong in ("too short", "no rows")
            for entry in ("Features.stream", "Model.stream", "RunStream")}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("wrong", WRONG)
def test_no_wrong_input_is_silent(wrong, entry):
    make, sentence = WRONG[wrong]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ENTRIES[entry](make())
            said = []
        except gait.GaitError as error:
            said = [str(error)]
    said += [str(warning.message) for warning in caught if issubclass(warning.category, gait.GaitWarning)]
    if (wrong, entry) in ACCEPTED:
        assert not said
    else:
        assert any(re.search(sentence, text) for text in said), said


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_right_input_has_no_warning(entry):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for data in (frame(), frame().drop(columns="time")):
            if entry == "Model.score":
                POCKET.score(data, POCKET.predict(data, sample_rate=RATE), sample_rate=RATE)
            else:
                ENTRIES[entry](data)
