"""Runs exported models in other runtimes and compares with Gait: ONNX in onnxruntime, Core ML by its specification.

    python check_exports.py FOLDER

FOLDER holds, for every model NAME, NAME.onnx, NAME.mlmodel and NAME.golden.json, as `Scripts/check-programs exports` writes them.
Core ML predicts only on Apple's systems. Elsewhere coremltools reads and checks the specification, and this script evaluates
it with NumPy.
"""

import json
import logging
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

logging.disable(logging.WARNING)
import coremltools  # noqa: E402  (it warns about every missing optional package)

TOLERANCE = 1e-5


def onnx_probabilities(path, inputs):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(["probabilities"], {"features": inputs})[0]


def core_ml_probabilities(path, inputs):
    spec = coremltools.utils.load_spec(str(path))
    description = spec.description
    assert description.predictedFeatureName == "label" and description.predictedProbabilitiesName == "probabilities"
    assert list(description.input[0].type.multiArrayType.shape) == [inputs.shape[1]]
    kind = spec.WhichOneof("Type")
    if kind == "neuralNetworkClassifier":
        network = spec.neuralNetworkClassifier
        return list(network.stringClassLabels.vector), softmax_of_sums(network, inputs)
    if kind == "treeEnsembleClassifier":
        ensemble = spec.treeEnsembleClassifier
        return list(ensemble.stringClassLabels.vector), sum_of_trees(ensemble, inputs)
    raise SystemExit(f"{path} contains a {kind}, which this script does not support")


def softmax(values):
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def softmax_of_sums(network, inputs):
    sums, last = network.layers
    assert last.WhichOneof("layer") == "softmax" and last.output[0] == network.labelProbabilityLayerName
    product = sums.innerProduct
    weights = np.array(product.weights.floatValue).reshape(product.outputChannels, product.inputChannels)
    return softmax(inputs.astype(np.float64) @ weights.T + np.array(product.bias.floatValue))


def sum_of_trees(ensemble, inputs):
    nodes = {(node.treeId, node.nodeId): node for node in ensemble.treeEnsemble.nodes}
    trees = sorted({tree for tree, _ in nodes})
    scores = np.tile(np.array(ensemble.treeEnsemble.basePredictionValue), (len(inputs), 1))
    for row, features in enumerate(inputs):
        for tree in trees:
            node = nodes[tree, 0]
            while not node.evaluationInfo:
                assert node.nodeBehavior == 0, "every question is 'at most'"
                at_most = features[node.branchFeatureIndex] <= node.branchFeatureValue
                node = nodes[tree, node.trueChildNodeId if at_most else node.falseChildNodeId]
            for evaluation in node.evaluationInfo:
                scores[row, evaluation.evaluationIndex] += evaluation.evaluationValue
    return softmax(scores) if ensemble.postEvaluationTransform == 1 else scores


def main(folder):
    worst = 0.0
    for golden_path in sorted(Path(folder).glob("*.golden.json")):
        name = golden_path.name.removesuffix(".golden.json")
        golden = json.loads(golden_path.read_text())
        inputs = np.array(golden["inputs"], dtype=np.float32)
        expected = np.array(golden["probabilities"])
        found = onnx_probabilities(golden_path.with_name(f"{name}.onnx"), inputs)
        labels, core_ml = core_ml_probabilities(golden_path.with_name(f"{name}.mlmodel"), inputs)
        assert labels == golden["labels"], f"{name}: labels {labels}"
        differences = [float(np.abs(values - expected).max()) for values in (found, core_ml)]
        worst = max(worst, *differences)
        print(f"{name:24} {len(inputs)} windows   onnxruntime {differences[0]:.1e}   Core ML specification {differences[1]:.1e}")
    print(f"onnxruntime {onnxruntime.__version__}, coremltools {coremltools.__version__}: "
          f"largest difference {worst:.1e}, allowed {TOLERANCE:.0e}")
    return 0 if 0 < worst <= TOLERANCE else 1


sys.exit(main(sys.argv[1]))
