"""Golden numbers for further learners, from scikit-learn: L1 penalties, label weights, entropy, pruning,
random forests.

Made with scikit-learn 1.9.1, NumPy 2.4.6 (Python 3.11); see logistic_reference.py for how to install them. Writes
learning_reference.json beside itself. Labels depend on steps and products, so that trees find structure; all
features are standardised and rounded to Float32.
"""

import json
import pathlib
import warnings

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
    x = ((x - x.mean(0)) / x.std(0)).astype(numpy.float32)
    scores = x @ rng.normal(0, 1, (COLUMNS, labels))
    scores[:, 0] += 2 * (x[:, 2] * x[:, 3] > 0) - 1.5 * (x[:, 4] > 0.3)
    return x, (scores + rng.gumbel(0, 1, scores.shape)).argmax(1)


def logistic(x, y, penalty, share, weights):
    """Unique for two or three labels. For four, the Σ |w| penalty determines each feature's zero only to an interval."""
    warnings.simplefilter("ignore")
    n = len(y)
    solver = "lbfgs" if share == 0 else "saga"
    model = LogisticRegression(C=1 / (n * penalty), l1_ratio=share, class_weight=weights, solver=solver, tol=1e-12,
                               max_iter=1_000_000, random_state=1).fit(x.astype(float), y)
    intercepts = model.intercept_ - (model.intercept_.mean() if len(model.intercept_) > 1 else 0)
    return {"penalty": penalty, "share": share, "isBalanced": weights == "balanced",
            "weights": model.coef_.ravel().tolist(), "intercepts": intercepts.tolist()}


def tree(x, y, criterion, complexity_cost):
    model = DecisionTreeClassifier(criterion=criterion, ccp_alpha=complexity_cost, min_samples_leaf=5, random_state=1).fit(x, y)
    t = model.tree_
    leaves = t.children_left == -1
    return {"criterion": criterion, "complexityCost": complexity_cost, "leafCount": int(leaves.sum()),
            "impurity": float((t.impurity * t.n_node_samples)[leaves].sum() / len(y))}


def complexity_costs(x, y, criterion):
    """Midpoints between the complexity costs at which the tree changes, so that rounding has no effect."""
    model = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=5, random_state=1)
    path = sorted(set(model.cost_complexity_pruning_path(x, y).ccp_alphas))
    middles = [(a + b) / 2 for a, b in zip(path, path[1:]) if b - a > 1e-9]
    return [0.0] + middles[:: max(1, len(middles) // 4)]


def case(seed, labels, rows=300, held_out=600):
    x, y = data(seed, labels, rows + held_out)
    train, test = slice(0, rows), slice(rows, None)
    scores = [RandomForestClassifier(100, min_samples_leaf=5, max_depth=16, random_state=state)
              .fit(x[train], y[train]).score(x[test], y[test]) for state in range(10)]
    return {
        "labelCount": labels, "featureCount": COLUMNS,
        "values": [float(str(v)) for v in x[train].ravel()], "labels": y[train].tolist(),
        "heldOutValues": [float(str(v)) for v in x[test].ravel()], "heldOutLabels": y[test].tolist(),
        "logistic": [logistic(x[train], y[train], penalty, share, weights) for penalty, share, weights in (
            (0.02, 1.0, None), (0.05, 1.0, None), (0.05, 0.5, None), (0.01, 0.0, "balanced"), (0.03, 0.7, "balanced"))],
        "trees": [tree(x[train], y[train], criterion, complexity_cost)
                  for criterion in ("gini", "entropy") for complexity_cost in complexity_costs(x[train], y[train], criterion)],
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
        for fit in c["logistic"]:
            print(fit["penalty"], fit["share"], fit["isBalanced"], sum(w == 0 for w in fit["weights"]))


if __name__ == "__main__":
    main()
