"""LightGBM's trees as a model file of Gait: the same tests, leaves and sums, in Float32.

A threshold is rounded down to Float32, so that a Float32 feature goes the same way as in LightGBM, which tests `≤` in
double precision. Boosted models have one sum for two labels; a random forest of LightGBM (the mean of its leaves, which
are shares of the second label) becomes one with a probability of each label in each leaf.
"""

import json

import numpy as np

RATE, WINDOW, HOP = 25, 5.12, 2.56  # of a model file; scoring rows uses none of them


def model_file(booster, trees, feature_names, is_forest):
    """The text of the model file of the first `trees` trees."""
    nodes = {"nodeFeatures": [], "thresholds": [], "leftChildren": [], "rightChildren": [], "roots": []}
    leaves = []
    for tree in booster.dump_model(num_iteration=trees)["tree_info"]:
        nodes["roots"].append(len(nodes["nodeFeatures"]))
        add(tree["tree_structure"], nodes, leaves)
    classifier = {"kind": "randomForest" if is_forest else "boostedTrees", **nodes}
    if is_forest:
        second = np.clip(np.array(leaves), 0, 1)
        classifier["leafProbabilities"] = np.stack([1 - second, second], axis=1).astype(np.float32)
    else:
        classifier |= {"leafValues": np.array(leaves, np.float32), "baseScores": np.zeros(1, np.float32)}
    head = {"classifier": classifier, "features": list(feature_names), "hop": HOP, "labels": ["0", "1"],
            "window": WINDOW}
    entries = {"format": "gait.activityModel", "heads": [head], "sampleRate": RATE, "version": 2}
    return canonical(entries | {"checksum": checksum(canonical(entries))})


def add(node, nodes, leaves):
    """Appends a node and the nodes below it, parents first; returns its index."""
    place = len(nodes["nodeFeatures"])
    is_leaf = "split_feature" not in node
    if not is_leaf and (node["decision_type"] != "<=" or node["missing_type"] != "None"):
        raise SystemExit(
            f"a test of LightGBM is not a threshold of a number: {node['decision_type']}, {node['missing_type']}")
    nodes["nodeFeatures"].append(-1 if is_leaf else node["split_feature"])
    nodes["thresholds"].append(np.float32(0) if is_leaf else rounded_down(node["threshold"]))
    nodes["leftChildren"].append(-1)
    nodes["rightChildren"].append(-1)
    if is_leaf:
        leaves.append(node["leaf_value"])
    else:
        nodes["leftChildren"][place] = add(node["left_child"], nodes, leaves)
        nodes["rightChildren"][place] = add(node["right_child"], nodes, leaves)
    return place


def rounded_down(value):
    nearest = np.float32(value)
    return nearest if float(nearest) <= value else np.nextafter(nearest, np.float32(-np.inf))


def canonical(value):
    """Compact JSON with sorted keys; a Float32 is the shortest decimal that reads back the same."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (list, np.ndarray)):
        return "[" + ",".join(map(canonical, value)) + "]"
    return str(value).removesuffix(".0") if isinstance(value, np.float32) else json.dumps(value)


def checksum(text):
    """64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"fnv1a64:{value:016x}"
