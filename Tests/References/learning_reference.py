"""Golden numbers for further learners, from scikit-learn: label weights, trees and random forests.

Made with scikit-learn 1.9.1, NumPy 2.4.6 (Python 3.11); see logistic_reference.py for how to install them. Writes
learning_reference.json beside itself. Labels depend on steps and products, so that trees find structure; all
features are standardised and rounded to 1/32, so that every value has a bin of its own.
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

COLUMNS = 6


def data(seed, labels, rows):
    rng = numpy.random.default_rng(seed)
    x = rng.normal(0, 1, (rows, COLUMNS))
    x[:, 1] += 0.8 * x[:, 0]
    x = (numpy.round((x - x.mean(0)) / x.std(0) * 32) / 32).astype(numpy.float32)
    scores = x @ rng.normal(0, 1, (COLUMNS, labels))
    scores[:, 0] += 2 * (x[:, 2] * x[:, 3] > 0) - 1.5 * (x[:, 4] > 0.3)
    return x, (scores + rng.gumbel(0, 1, scores.shape)).argmax(1)


def logistic(x, y, penalty):
    model = LogisticRegression(C=1 / (len(y) * penalty), class_weight="balanced", solver="lbfgs", tol=1e-12,
                               max_iter=1_000_000).fit(x.astype(float), y)
    intercepts = model.intercept_ - (model.intercept_.mean() if len(model.intercept_) > 1 else 0)
    return {"penalty": penalty, "weights": model.coef_.ravel().tolist(), "intercepts": intercepts.tolist()}


def tree(x, y, least):
    t = DecisionTreeClassifier(min_samples_leaf=least, random_state=1).fit(x, y).tree_
    leaves = t.children_left == -1
    return {"minimumLeafSize": least, "leafCount": int(leaves.sum()),
            "impurity": float((t.impurity * t.n_node_samples)[leaves].sum() / len(y))}


def case(seed, labels, rows=300, held_out=600):
    x, y = data(seed, labels, rows + held_out)
    train, test = slice(0, rows), slice(rows, None)
    scores = [RandomForestClassifier(100, min_samples_leaf=5, max_depth=16, random_state=state)
              .fit(x[train], y[train]).score(x[test], y[test]) for state in range(10)]
    return {
        "labelCount": labels, "featureCount": COLUMNS,
        "values": [float(str(v)) for v in x[train].ravel()], "labels": y[train].tolist(),
        "heldOutValues": [float(str(v)) for v in x[test].ravel()], "heldOutLabels": y[test].tolist(),
        "logistic": [logistic(x[train], y[train], penalty) for penalty in (0.01, 0.03)],
        "trees": [tree(x[train], y[train], least) for least in (5, 20, 40)],
        "forestAccuracy": float(numpy.mean(scores)),
    }


def main():
    reference = {"versions": {"sklearn": sklearn.__version__, "numpy": numpy.__version__},
                 "cases": [case(3, 2), case(4, 3)]}
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(reference, separators=(",", ":")) + "\n")
    print(path, path.stat().st_size, "bytes")
    for c in reference["cases"]:
        print(c["forestAccuracy"], c["trees"])


if __name__ == "__main__":
    main()
