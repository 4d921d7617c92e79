# Made with Python 3.11.7, scikit-learn==1.7.2. Run: python3 report_reference.py (see README.md).
"""Reference values of ClassificationReport, from scikit-learn.

It writes report_reference.json beside itself: a list of cases. `windows` holds [truth, predicted, count]; the scores
are scikit-learn's over the labels that occur in truth, with zero_division=0. `versusRestMacroF1` is the macro-F1 of the
two classes "label" and "not label" over those of the two that occur in truth.
"""

import json
from pathlib import Path

from sklearn import metrics

CASES = {
    "three labels": [
        ("running", "running", 812), ("running", "walking", 7), ("walking", "running", 11),
        ("walking", "walking", 1490),
        ("walking", "still", 23), ("still", "walking", 2), ("still", "still", 960)],
    "a label that is never predicted": [
        ("a", "a", 5), ("a", "b", 3), ("b", "b", 8), ("b", "a", 1), ("c", "a", 2), ("c", "b", 4)],
    "a predicted label that never occurs": [("a", "a", 50), ("a", "c", 4), ("b", "b", 7), ("b", "c", 3)],
    "everything wrong": [("a", "b", 3), ("b", "a", 4)],
    "one label, all right": [("a", "a", 9)],
    "one label, some wrong": [("a", "a", 9), ("a", "b", 3)],
}


def scores(cells):
    truth = [t for t, _, n in cells for _ in range(n)]
    predicted = [p for _, p, n in cells for _ in range(n)]
    occurring, every = sorted(set(truth)), sorted({*truth, *predicted})
    average = dict(labels=occurring, average="macro", zero_division=0)
    predicted_labels = sorted(set(predicted))

    def versus_rest(label):
        sides = [t == label for t in truth]
        return metrics.f1_score(
            sides, [p == label for p in predicted], labels=sorted(set(sides)), average="macro", zero_division=0)

    def by_label(score, labels):
        values = score(truth, predicted, labels=labels, average=None, zero_division=0)
        return dict(zip(labels, map(float, values)))

    return {
        "labels": every,
        "accuracy": float(metrics.accuracy_score(truth, predicted)),
        "balancedAccuracy": float(metrics.recall_score(truth, predicted, **average)),
        "macroF1": float(metrics.f1_score(truth, predicted, **average)),
        "recall": by_label(metrics.recall_score, occurring),
        "precision": by_label(metrics.precision_score, predicted_labels),
        "versusRestMacroF1": {label: float(versus_rest(label)) for label in occurring},
        "confusion": metrics.confusion_matrix(truth, predicted, labels=every).tolist(),
    }


cases = [{"name": name, "windows": cells, **scores(cells)} for name, cells in CASES.items()]
Path(__file__).with_suffix(".json").write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")
