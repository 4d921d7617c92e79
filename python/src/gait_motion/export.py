"""Exports a model's classifier to other runtimes: ONNX by the package `onnx`, Core ML by `coremltools`, of the extra
`export`.

The input is the features of windows, in the order of `Model.feature_names`. The output is the probabilities of
`Model.predict_proba`. Gait must compute the features. A rejection of unknown movements is not exported.
"""
from __future__ import annotations

import importlib
import json
import os
from typing import Any

import numpy as np

from ._library import GaitError, write_file
from .model import Model

Path = str | os.PathLike[str]


def to_onnx(model: Model, path: Path | None = None, *, name: str = "activity", notice: str = "") -> Any:
    """The classifier as an `onnx.ModelProto`. The input is `features`, float32 [windows, features]; the output is
    `probabilities`, float32 [windows, labels].

        >>> model = gait.export.to_onnx(gait.Model.load("running"))
        >>> [edge.name for edge in [*model.graph.input, *model.graph.output]]
        ['features', 'probabilities']

    Source: onnx.ai, operator set 13, and set 1 of `ai.onnx.ml` for trees.

    Args:
        path: the file to write.
        name: the name of the graph.
        notice: a notice for the metadata, such as the licence of the training data.

    Raises:
        GaitError: the package is not installed, the calibration is isotonic, or the file cannot be written.
    """
    helper, arrays = _package("onnx.helper"), _package("onnx.numpy_helper")
    head, document = _head(model)
    nodes: list[Any] = []
    constants: list[Any] = []

    def apply(kind: str, values: dict[str, Any] | None = None, **attributes: Any) -> None:
        """Adds an operator on the output of the previous one and on constants."""
        for key, value in (values or {}).items():
            constants.append(arrays.from_array(np.asarray(value, np.float32), key))
        before = nodes[-1].output[0] if nodes else "features"
        nodes.append(helper.make_node(kind, [before, *(values or {})], [f"value{len(nodes)}"], **attributes))

    if "scaling" in head:
        apply("Sub", {"mean": head["scaling"]["mean"]})
        apply("Div", {"deviation": head["scaling"]["standardDeviation"]})
    if head["classifier"]["kind"] == "logistic":
        weights, intercepts = _sums(head)
        apply("Gemm", {"weights": weights, "intercepts": intercepts}, transB=1)
        apply("Softmax", axis=-1)
    else:
        trees = _Trees(head)
        apply("TreeEnsembleRegressor", domain="ai.onnx.ml", **trees.onnx())
        if trees.are_logits:
            apply("Softmax", axis=-1)
    if "calibration" in head:
        # A temperature T raises the probabilities to the power 1 ÷ T: the softmax of their logarithms ÷ T.
        apply("Clip", {"smallest": np.finfo(np.float32).tiny})
        apply("Log")
        apply("Div", {"temperature": _temperature(head, "ONNX")})
        apply("Softmax", axis=-1)
    apply("Identity")
    nodes[-1].output[0] = "probabilities"
    edges = [helper.make_tensor_value_info(title, 1, ["windows", len(head[key])])
             for title, key in (("features", "features"), ("probabilities", "labels"))]
    graph = helper.make_graph(nodes, name, edges[:1], edges[1:], constants)
    sets = [helper.make_opsetid("", 13), helper.make_opsetid("ai.onnx.ml", 1)]
    result = helper.make_model(graph, producer_name="gait", opset_imports=sets, ir_version=8)
    metadata = {"labels": json.dumps(head["labels"], ensure_ascii=False), "features": "\n".join(head["features"]),
                "notice": notice,
                "sampleRate": str(document["sampleRate"]), "window": str(head["window"]), "hop": str(head["hop"])}
    helper.set_model_props(result, {key: value for key, value in metadata.items() if value})
    return _written(result, path)


def to_coreml(model: Model, path: Path | None = None, *, notice: str = "") -> Any:
    """The classifier as Core ML's specification, a protobuf message. The input is `features`, an array of doubles; the
    outputs are `label` and `probabilities`.

    A logistic regression is a neural network of one inner product with the scaling folded into its weights; trees are a
    tree ensemble. Core ML predicts on Apple's systems only: `coremltools.models.MLModel(to_coreml(model))`.

        >>> specification = gait.export.to_coreml(gait.Model.load("running"))
        >>> [output.name for output in specification.description.output]
        ['label', 'probabilities']

    Source: Apple's Core ML specification, version 1.

    Args:
        path: the .mlmodel file to write.
        notice: a licence for the metadata.

    Raises:
        GaitError: the package is not installed, the specification cannot hold the model, or the file cannot be written.
    """
    spec = _package("coremltools.proto.Model_pb2").Model(specificationVersion=1)
    head, document = _head(model)
    features = spec.description.input.add(name="features", shortDescription="\n".join(head["features"]))
    features.type.multiArrayType.shape.append(len(head["features"]))
    features.type.multiArrayType.dataType = 65600  # doubles
    spec.description.output.add(name="label").type.stringType.SetInParent()
    spec.description.output.add(name="probabilities").type.dictionaryType.stringKeyType.SetInParent()
    spec.description.predictedFeatureName, spec.description.predictedProbabilitiesName = "label", "probabilities"
    metadata = spec.description.metadata
    metadata.shortDescription = f"Gait: windows of {head['window']:g} s at {document['sampleRate']:g} Hz"
    metadata.license = notice
    temperature = _temperature(head, "Core ML")
    if head["classifier"]["kind"] == "logistic":
        _add_network(spec.neuralNetworkClassifier, head, temperature)
        kind = spec.neuralNetworkClassifier
    else:
        _Trees(head).add(spec.treeEnsembleClassifier, head, temperature)
        kind = spec.treeEnsembleClassifier
    kind.stringClassLabels.vector.extend(head["labels"])
    return _written(spec, path)


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        package = name.partition(".")[0]
        raise GaitError(
            f"the export needs {package}; install gait-motion with its extra export, or pip install "
            f"{package}") from problem


def _head(model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    document = json.loads(model.json)
    return document["heads"][0], document


def _written(message: Any, path: Path | None) -> Any:
    if path is not None:
        write_file(path, message.SerializeToString(deterministic=True))
    return message


def _temperature(head: dict[str, Any], form: str) -> float:
    calibration = head.get("calibration", {"temperature": 1.0})
    if "temperature" not in calibration:
        raise GaitError(
            f"{form} cannot hold an isotonic calibration; export the model as Swift source, or train it without "
            "calibration")
    return float(calibration["temperature"])


def _sums(head: dict[str, Any]) -> tuple[Any, Any]:
    """Weights [labels, features] and intercepts; the softmax of the sums is the probabilities. With two labels, the
    weights and the intercept of the first are 0."""
    weights, intercepts = np.array(head["classifier"]["weights"]), np.array(head["classifier"]["intercepts"])
    if len(head["labels"]) == 2:
        weights, intercepts = np.vstack([0 * weights, weights]), np.append(0 * intercepts, intercepts)
    return weights, intercepts


def _add_network(network: Any, head: dict[str, Any], temperature: float) -> None:
    weights, intercepts = _sums(head)
    with np.errstate(over="ignore", invalid="ignore"):
        if "scaling" in head:
            weights = weights / np.array(head["scaling"]["standardDeviation"])
            intercepts = intercepts - weights @ np.array(head["scaling"]["mean"])
        weights, intercepts = (weights / temperature).astype(np.float32), (intercepts / temperature).astype(np.float32)
    if not (np.isfinite(weights).all() and np.isfinite(intercepts).all()):
        raise GaitError(
            "Core ML cannot hold the model, because numbers overflow when the scaling is folded into its weights; "
            "export "
                        "it as Swift source")
    product = network.layers.add(name="sums", input=["features"], output=["sums"]).innerProduct
    product.outputChannels, product.inputChannels = weights.shape
    product.hasBias = True
    product.weights.floatValue.extend(weights.ravel().tolist())
    product.bias.floatValue.extend(intercepts.tolist())
    network.layers.add(name="softmax", input=["sums"], output=["probabilities"]).softmax.SetInParent()
    network.labelProbabilityLayerName = "probabilities"


class _Trees:
    """The nodes of trees, tree after tree; the outputs of their leaves are summed for each label."""

    def __init__(self, head: dict[str, Any]) -> None:
        classifier, labels = head["classifier"], len(head["labels"])
        feature, left, right = (np.array(classifier[name])
                                for name in ("nodeFeatures", "leftChildren", "rightChildren"))
        roots = np.array(classifier.get("roots", [0]))
        tree = np.zeros(len(feature), int)
        tree[roots] = np.arange(len(roots))
        # Children follow their parents.
        for node in np.flatnonzero(feature >= 0):
            tree[[left[node], right[node]]] = tree[node]
        # The number of each node in its tree; 0 is the root.
        order = np.argsort(tree, kind="stable")
        number = np.empty_like(tree)
        number[order] = np.arange(len(tree)) - np.searchsorted(tree[order], tree[order])
        self.tree, self.number, self.feature = tree[order], number[order], feature[order]
        self.threshold = np.array(classifier["thresholds"], np.float32)[order]
        self.left, self.right = number[left[order]], number[right[order]]
        self.is_leaf = self.feature < 0
        #: Whether the sums are logits. If not, they are probabilities.
        self.are_logits = classifier["kind"] == "boostedTrees"
        #: The label and value of each output, shape [leaves, outputs].
        leaf = np.cumsum(feature < 0)[order][self.is_leaf] - 1
        if self.are_logits:
            # With two labels, the first has a logit of 0.
            scores = classifier["baseScores"]
            self.base = [0.0] * (labels - len(scores)) + [float(score) for score in scores]
            self.label = (self.tree[self.is_leaf] % len(scores) + labels - len(scores))[:, None]
            self.value = np.array(classifier["leafValues"], np.float32)[leaf, None]
        else:
            self.base = [0.0] * labels
            self.value = np.array(classifier["leafProbabilities"], np.float32)[leaf] * np.float32(1 / len(roots))
            self.label = np.broadcast_to(np.arange(labels), self.value.shape)

    def onnx(self) -> dict[str, Any]:
        """The attributes of a TreeEnsembleRegressor."""
        leaf, count = self.is_leaf, self.label.shape[1]
        integers = {"nodes_treeids": self.tree, "nodes_nodeids": self.number,
                    "nodes_featureids": np.where(leaf, 0, self.feature),
            "nodes_truenodeids": np.where(leaf, 0, self.left), "nodes_falsenodeids": np.where(leaf, 0, self.right),
            "target_treeids": np.repeat(self.tree[leaf], count), "target_nodeids": np.repeat(self.number[leaf], count),
            "target_ids": self.label.ravel()}
        return {name: values.tolist() for name, values in integers.items()} | {
            "n_targets": len(self.base), "base_values": self.base, "nodes_values": self.threshold.tolist(),
            "nodes_modes": np.where(leaf, "LEAF", "BRANCH_LEQ").tolist(), "target_weights": self.value.ravel().tolist()}

    def add(self, classifier: Any, head: dict[str, Any], temperature: float) -> None:
        """Adds the nodes to a tree ensemble of Core ML, with the scaling in the thresholds and the temperature in the
        values."""
        threshold, value = self.threshold.astype(float), self.value.astype(float)
        if "scaling" in head:
            column = np.maximum(self.feature, 0)
            threshold = threshold * np.array(
                head["scaling"]["standardDeviation"])[column] + np.array(head["scaling"]["mean"])[column]
        if "calibration" in head and not self.are_logits:
            # The softmax of ln p ÷ T is a power of one tree's probabilities, but not of the mean of several.
            if self.tree[-1] > 0:
                raise GaitError(
                    "Core ML cannot hold the temperature of a forest; export the model as Swift source, or train it "
                                "without calibration")
            value = np.log(np.maximum(value, 1e-38))
        value = value / temperature
        if self.are_logits or "calibration" in head:
            classifier.postEvaluationTransform = 1  # softmax
        ensemble = classifier.treeEnsemble
        ensemble.numPredictionDimensions = len(self.base)
        ensemble.basePredictionValue.extend([base / temperature for base in self.base])
        leaf = -1
        for index, is_leaf in enumerate(self.is_leaf.tolist()):
            node = ensemble.nodes.add(treeId=self.tree[index], nodeId=self.number[index])
            if is_leaf:
                leaf += 1
                node.nodeBehavior = 6
                for label, output in zip(self.label[leaf].tolist(), value[leaf].tolist()):
                    node.evaluationInfo.add(evaluationIndex=label, evaluationValue=output)
            else:
                node.branchFeatureIndex, node.branchFeatureValue = self.feature[index], threshold[index]
                node.trueChildNodeId, node.falseChildNodeId = self.left[index], self.right[index]
