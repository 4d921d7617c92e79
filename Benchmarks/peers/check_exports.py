"""Compares models as ONNX in onnxruntime, and Core ML's specification evaluated with NumPy, with Gait's
`predict_proba`.

    python check_exports.py MODEL... RECORDING...

MODEL is a model file, or `running`; RECORDING is a CSV at 50 Hz. Core ML predicts only on Apple's systems; elsewhere
coremltools reads and checks the specification. A window in which a feature meets a tree's threshold to the last digits,
and which another runtime scales with other rounding, is a tie: it may go the other way, and is counted.
"""

import json
import logging
import sys
import tempfile
from pathlib import Path

import gait_motion as gait
import numpy as np
import onnx
import onnxruntime

logging.disable(logging.WARNING)
import coremltools  # noqa: E402  (it warns about every missing optional package)

TOLERANCE = 1e-5
TIE = 1e-6


def splits(model):
    """The columns and thresholds of a model's trees, and the mean and deviation of each feature."""
    head = json.loads(model.json)["heads"][0]
    classifier, scaling = head["classifier"], head.get("scaling")
    nodes = zip(classifier.get("nodeFeatures", []), classifier.get("thresholds", []))
    numbers = [np.array(scaling[key]) for key in ("mean", "standardDeviation")] if scaling else None
    return [(column, value) for column, value in nodes if column >= 0], numbers


def windows(model, recordings):
    """Windows of recordings, half of them shaken; in each of the first ones, a feature is at a threshold."""
    files = [gait.read_recording(path, sample_rate=50) for path in recordings]
    real = np.concatenate([model.features(source_rate=50).transform(file) for file in files])
    shaken = real + np.random.default_rng(1).normal(size=real.shape) * real.std(axis=0)
    rows = np.concatenate([real, shaken]).astype(np.float32)
    nodes, numbers = splits(model)
    for row, (column, value) in enumerate(nodes[:len(real)]):
        rows[row, column] = value if numbers is None else value * numbers[1][column] + numbers[0][column]
    return rows


def ties(model, rows):
    """Whether each window meets a threshold to the last digits; features that are not scaled are compared exactly."""
    nodes, numbers = splits(model)
    found = np.zeros(len(rows), bool)
    if numbers is not None:
        scaled = (rows - numbers[0]) / numbers[1]
        for column, value in nodes:
            found |= np.abs(scaled[:, column] - value) <= TIE * (abs(value)
                                                                 + abs(numbers[0][column] / numbers[1][column]))
    return found


def onnx_probabilities(model, rows, folder):
    path = folder / "model.onnx"
    onnx.checker.check_model(gait.export.to_onnx(model, path, notice="A notice."), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(["probabilities"], {"features": rows})[0]


def core_ml_probabilities(model, rows, folder):
    path = folder / "model.mlmodel"
    gait.export.to_coreml(model, path, notice="A notice.")
    spec = coremltools.utils.load_spec(str(path))
    description = spec.description
    assert description.predictedFeatureName == "label" and description.predictedProbabilitiesName == "probabilities"
    assert list(description.input[0].type.multiArrayType.shape) == [rows.shape[1]]
    kind = spec.WhichOneof("Type")
    assert list(getattr(spec, kind).stringClassLabels.vector) == model.labels
    if kind == "neuralNetworkClassifier":
        return softmax_of_sums(spec.neuralNetworkClassifier, rows)
    return sum_of_trees(spec.treeEnsembleClassifier, rows)


def softmax(values):
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def softmax_of_sums(network, rows):
    sums, last = network.layers
    assert last.WhichOneof("layer") == "softmax" and last.output[0] == network.labelProbabilityLayerName
    product = sums.innerProduct
    weights = np.array(product.weights.floatValue).reshape(product.outputChannels, product.inputChannels)
    return softmax(rows.astype(np.float64) @ weights.T + np.array(product.bias.floatValue))


def sum_of_trees(classifier, rows):
    nodes = {(node.treeId, node.nodeId): node for node in classifier.treeEnsemble.nodes}
    trees = sorted({tree for tree, _ in nodes})
    scores = np.tile(np.array(classifier.treeEnsemble.basePredictionValue), (len(rows), 1))
    for row, features in enumerate(rows):
        for tree in trees:
            node = nodes[tree, 0]
            while not node.evaluationInfo:
                assert node.nodeBehavior == 0, "every question is 'at most'"
                at_most = features[node.branchFeatureIndex] <= node.branchFeatureValue
                node = nodes[tree, node.trueChildNodeId if at_most else node.falseChildNodeId]
            for evaluation in node.evaluationInfo:
                scores[row, evaluation.evaluationIndex] += evaluation.evaluationValue
    return softmax(scores) if classifier.postEvaluationTransform == 1 else scores


def changed(model, **entries):
    """The model with other entries of its head."""
    document = json.loads(model.json)
    document["heads"][0] |= entries
    del document["checksum"]
    return gait.Model.from_json(json.dumps(document), sealed=False)


def refusals(model):
    """What a form cannot hold is an error, with the cure."""
    curved = changed(model, calibration={"curves": [{"inputs": [0, 1], "outputs": [0, 1]}] * len(model.labels)})
    for export in (gait.export.to_onnx, gait.export.to_coreml):
        try:
            export(curved)
        except gait.GaitError as error:
            assert "isotonic" in str(error) and "Swift source" in str(error)
        else:
            raise SystemExit("an isotonic calibration was exported")


def main(paths):
    recordings, files = [path for path in paths
                         if path.endswith(".csv")], [path for path in paths if not path.endswith(".csv")]
    models = [(Path(path).stem, gait.Model.load(path)) for path in files]
    for name, model in models.copy():
        if "thresholds" in json.loads(model.json)["heads"][0]["classifier"]:
            count = len(model.feature_names)
            models.append((f"{name}, scaled",
                           changed(model, scaling={"mean": [0.1] * count, "standardDeviation": [0.7] * count})))
    largest, failed = 0.0, 0
    for name, model in models:
        rows = windows(model, recordings)
        expected, tied = model.predict_proba(rows), ties(model, rows)
        cells = []
        with tempfile.TemporaryDirectory() as folder:
            for title, export in (("onnxruntime", onnx_probabilities),
                                  ("Core ML specification", core_ml_probabilities)):
                try:
                    found = export(model, rows, Path(folder))
                except gait.GaitError as error:
                    assert "temperature of a forest" in str(error) and "Core ML" in title, error
                    cells.append(f"{title} refused")
                    continue
                difference = np.abs(found - expected).max(axis=1)
                far = difference > TOLERANCE
                failed += int((far & ~tied).sum())
                largest = max(largest, float(difference[~far].max()))
                cells.append(f"{title} {difference[~far].max():.1e}, {(far & tied).sum()} ties")
        refusals(model)
        print(f"{name:28} {len(rows)} windows   " + "   ".join(cells))
    print(f"onnxruntime {onnxruntime.__version__}, coremltools {coremltools.__version__}: largest difference "
          f"{largest:.1e}, allowed {TOLERANCE:.0e}; {failed} windows differ by more without a tie")
    return 0 if models and recordings and 0 < largest and failed == 0 else 1


sys.exit(main(sys.argv[1:]))
