# Made with Python 3.11.7, scikit-learn==1.7.2, NumPy 2. Run: python3 scores_reference.py (see README.md).
"""Reference values of probability scores and calibration, from scikit-learn and from the definitions.

It writes scores_reference.json beside itself: a list of cases with `labels`, `truths` (positions), `probabilities`
[windows × labels], and of these log-loss, Brier score (the sum over labels, mean over windows), expected calibration
error (ten bins of the largest probability), each label's area under the ROC curve and average precision, the
temperature with the least log-loss, and each label's isotonic curve, as its heights at `heights_at`. The log-loss is of
32-bit probabilities, as in Gait; scikit-learn clips these at their epsilon, 2^-23. The curve is fitted with two
additional windows: one with the label at the lowest probability, one without at the highest.
"""

import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression

HEIGHTS_AT = [0.0, 0.05, 0.2, 0.5, 0.77, 0.9, 1.0]


def curve(probabilities, right):
    ends = [probabilities.min(), probabilities.max()]
    return IsotonicRegression(out_of_bounds="clip").fit([*probabilities, *ends], [*right, 1, 0])


def case(name, seed, count, labels, sharpness, digits):
    random = np.random.default_rng(seed)
    truths = random.integers(0, labels, count)
    logits = random.normal(size=(count, labels)) + 1.2 * np.eye(labels)[truths]
    powers = np.exp(sharpness * logits)
    # Few digits give ties. The numbers are Floats, as in Gait.
    probabilities = np.round(powers / powers.sum(axis=1, keepdims=True), digits)
    probabilities = np.float32(probabilities / probabilities.sum(axis=1, keepdims=True)).astype(float)
    right = np.eye(labels)[truths]
    largest, predicted = probabilities.max(axis=1), probabilities.argmax(axis=1)
    bins = np.minimum((np.float32(largest) * np.float32(10)).astype(int), 9)
    error = sum(
        (bins == b).mean() * abs((predicted == truths)[bins == b].mean() - largest[bins == b].mean())
        for b in range(10) if (bins == b).any())
    logs = np.log(np.maximum(probabilities, np.finfo(np.float32).eps))

    def loss(log_temperature):
        scaled = logs / np.exp(log_temperature)
        scaled -= scaled.max(axis=1, keepdims=True)
        return -(scaled[np.arange(count), truths] - np.log(np.exp(scaled).sum(axis=1))).mean()

    best = minimize_scalar(loss, bounds=(np.log(0.05), np.log(20)), method="bounded", options={"xatol": 1e-10})
    curves = [curve(probabilities[:, k], right[:, k]) for k in range(labels)]
    return {
        "name": name, "labels": [f"label {k}" for k in range(labels)], "truths": truths.tolist(),
        "probabilities": probabilities.tolist(),
        "logLoss": metrics.log_loss(truths, np.float32(probabilities), labels=range(labels)),
        "impossibleWindows": int((probabilities[np.arange(count), truths] < np.finfo(np.float32).eps).sum()),
        "brier": float(((probabilities - right) ** 2).sum(axis=1).mean()),
        "expectedCalibrationError": float(error),
        "areas": [float(metrics.roc_auc_score(right[:, k], probabilities[:, k])) for k in range(labels)],
        "averagePrecisions": [
            float(metrics.average_precision_score(right[:, k], probabilities[:, k])) for k in range(labels)],
        "temperature": float(np.exp(best.x)),
        "heightsAt": HEIGHTS_AT,
        "curves": [curve.predict(HEIGHTS_AT).tolist() for curve in curves],
    }


cases = [
    case("two labels, too sure", 1, 120, 2, 2.5, 6), case("three labels, unsure", 2, 150, 3, 0.5, 6),
    case("five labels with ties", 3, 140, 5, 1.0, 1), case("three labels, zeros and ones", 4, 100, 3, 20, 8)]
Path(__file__).with_suffix(".json").write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")
