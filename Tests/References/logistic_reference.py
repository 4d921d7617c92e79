"""Golden numbers for logistic regression and decision trees, from scikit-learn.

Made with scikit-learn 1.9.1, NumPy 2.4.6, SciPy 1.17.1 (Python 3.11). To regenerate:

    python3 -m venv /tmp/references && /tmp/references/bin/pip install scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
    /tmp/references/bin/python Tests/References/logistic_reference.py

Writes logistic_reference.json beside itself. Features are rounded to Float32, standardised by StandardScaler in Double
and rounded to Float32 again: the input of LogisticTrainer. The objective is mean log-loss + penalty / 2 * |w|^2,
which is scikit-learn's objective with C = 1 / (n * penalty).
"""

import json
import pathlib

import numpy
import scipy
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

PENALTIES = [1.0, 1e-1, 1e-2, 1e-3, 1e-4]
TREES = [  # depth, minimum leaf size, minimum split size
    (1, 1, 2),
    (3, 5, 10),
    (5, 10, 30),
    (8, 20, 40),
    (4, 4, 8),
]


def gaussian_labels(seed, labels, rows=200, columns=5):
    """Overlapping classes, two correlated features, one feature of another scale, one offset."""
    rng = numpy.random.default_rng(seed)
    y = rng.integers(0, labels, rows)
    centres = rng.normal(0, 0.6, (labels, columns))
    x = centres[y] + rng.normal(0, 1, (rows, columns))
    x[:, 1] += 0.9 * x[:, 0]
    x[:, 2] *= 40
    x[:, 3] = 9.81 + 0.05 * x[:, 3]
    return x.astype(numpy.float32), y


def softmax_gradient(x, y, labels, weights, intercepts, penalty):
    """The largest derivative of the objective at scikit-learn's solution, which shows how far it converged."""
    logits = x @ weights.T + intercepts
    if labels == 2:
        residual = (1 / (1 + numpy.exp(-logits)) - y[:, None])
    else:
        p = numpy.exp(logits - logits.max(1, keepdims=True))
        residual = p / p.sum(1, keepdims=True) - numpy.eye(labels)[y]
    return float(max(abs(residual.T @ x / len(y) + penalty * weights).max(), abs(residual.mean(0)).max()))


def logistic(x, y, labels, penalty, solver):
    n = len(y)
    model = LogisticRegression(C=1 / (n * penalty), solver=solver, tol=1e-10, max_iter=10000).fit(x, y)
    intercepts = model.intercept_ - (model.intercept_.mean() if labels > 2 else 0)
    logits = x @ model.coef_.T + intercepts
    return {
        "solver": solver,
        "penalty": penalty,
        "weights": model.coef_.ravel().tolist(),
        "intercepts": intercepts.tolist(),
        "gradientNorm": softmax_gradient(x, y, labels, model.coef_, intercepts, penalty),
        "firstLogits": logits[0].tolist(),
        "firstProbabilities": model.predict_proba(x[:1])[0].tolist(),
    }


def tree(x, y, depth, leaf, split):
    results = []
    for state in range(20):  # ties are broken at random and must not change the impurity
        model = DecisionTreeClassifier(
            max_depth=depth, min_samples_leaf=leaf, min_samples_split=split, random_state=state
        ).fit(x, y)
        t = model.tree_
        leaves = t.children_left == -1
        impurity = float((t.impurity * t.n_node_samples)[leaves].sum() / len(y))
        results.append((impurity, model.get_depth(), int(model.get_n_leaves()), model.predict_proba(x)))
    assert all(abs(r[0] - results[0][0]) < 1e-12 and r[2] == results[0][2] for r in results), (depth, leaf, split)
    certain = numpy.all([abs(r[3] - results[0][3]).max(1) < 1e-12 for r in results], axis=0)
    return {
        "maximumDepth": depth,
        "minimumLeafSize": leaf,
        "minimumSplitSize": split,
        "impurity": results[0][0],
        "depth": int(results[0][1]),
        "leafCount": results[0][2],
        # P(label 0) of each training window, or -1 if it depends on a tie.
        "probabilitiesOfLabel0": [
            round(float(p), 9) if ok else -1 for p, ok in zip(results[0][3][:, 0], certain)
        ],
    }


def case(seed, labels):
    raw, y = gaussian_labels(seed, labels)
    scaler = StandardScaler().fit(raw.astype(numpy.float64))
    standardised = scaler.transform(raw.astype(numpy.float64)).astype(numpy.float32)
    x = standardised.astype(numpy.float64)
    return {
        "labelCount": labels,
        "featureCount": raw.shape[1],
        "labels": y.tolist(),
        "raw": [float(str(v)) for v in raw.ravel()],
        "mean": scaler.mean_.tolist(),
        "standardDeviation": scaler.scale_.tolist(),
        "standardised": [float(str(v)) for v in standardised.ravel()],
        "logistic": [
            logistic(x, y, labels, penalty, solver)
            for penalty in PENALTIES
            for solver in ("lbfgs", "newton-cholesky")
        ],
        "trees": [tree(standardised, y, *limits) for limits in TREES],
    }


def main():
    reference = {
        "versions": {"sklearn": sklearn.__version__, "numpy": numpy.__version__, "scipy": scipy.__version__},
        "cases": [case(seed=23, labels=2), case(seed=31, labels=3)],
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(reference, separators=(",", ":")) + "\n")
    print(path, path.stat().st_size, "bytes")
    for c in reference["cases"]:
        for fit in c["logistic"]:
            print(c["labelCount"], fit["solver"], fit["penalty"], "gradient", fit["gradientNorm"])
        for t in c["trees"]:
            print({k: v for k, v in t.items() if k != "probabilitiesOfLabel0"}, t["probabilitiesOfLabel0"].count(-1))


if __name__ == "__main__":
    main()
