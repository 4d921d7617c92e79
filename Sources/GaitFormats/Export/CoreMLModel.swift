import Gait

/// A head's classifier as a Core ML model: `features`, a multi-array of doubles, to `label` and `probabilities`.
///
/// A logistic regression becomes a neural network of one inner product, with the scaling folded into its weights, and a
/// softmax; trees become a tree ensemble. A temperature is folded into either. Source: Apple's Core ML specification,
/// `Model.proto`, version 1.
struct CoreMLModel {
  /// The file.
  let file: ProtobufMessage

  private static let specificationVersion = 1
  private static let doubleArray = 65600

  init(_ model: ActivityModel, notice: String) throws(ExportError) {
    let head = model.activityHead
    let temperature: Float?
    switch head.calibration {
    case nil: temperature = nil
    case .temperature(let value): temperature = value
    case .isotonic: throw .calibration(.coreml)
    }
    let trees = ExportedTrees(head.classifier)
    if case .logistic(let logistic) = head.classifier {
      let (sums, divisor) = (logistic.unscaled(by: head.scaling), Double(temperature ?? 1))
      guard (sums.weights + sums.intercepts).allSatisfy({ Float($0 / divisor).isFinite }) else {
        throw .tooLarge(.coreml)
      }
    }
    // The temperature is a power of the mean, which a tree ensemble cannot apply after summing the trees'
    // probabilities.
    if let trees, temperature != nil, !trees.areLogits, trees.treeCount > 1 { throw .calibration(.coreml) }
    file = ProtobufMessage { file in
      file.add(1, Self.specificationVersion)
      file.add(2, Self.description(of: head, model: model, notice: notice))
      switch head.classifier {
      case .logistic(let logistic):
        file.add(403, Self.network(logistic, scaling: head.scaling, labels: head.labels, temperature: temperature))
      case .decisionTree, .randomForest, .boostedTrees:
        if let trees { file.add(402, Self.ensemble(trees, labels: head.labels, temperature: temperature)) }
      }
    }
  }

  private static func description(
    of head: ActivityModel.Head, model: ActivityModel, notice: String
  ) -> (inout ProtobufMessage) -> Void {
    { description in
      description.add(1) { input in
        input.add(1, "features")
        input.add(2, head.features.map(\.description).joined(separator: "\n"))
        input.add(3) { type in
          type.add(5) { array in
            array.add(1, packed: [head.features.count])
            array.add(2, doubleArray)
          }
        }
      }
      description.add(10) { output in
        output.add(1, "label")
        output.add(3) { $0.add(3) { _ in } }
      }
      description.add(10) { output in
        output.add(1, "probabilities")
        output.add(3) { type in type.add(6) { $0.add(2) { _ in } } }
      }
      description.add(11, "label")
      description.add(12, "probabilities")
      description.add(100) { metadata in
        metadata.add(1, "Gait: windows of \(plain(head.window.seconds)) s at \(plain(model.sampleRate.hertz)) Hz")
        if !notice.isEmpty { metadata.add(4, notice) }
      }
    }
  }

  private static func network(
    _ logistic: LogisticRegression, scaling: Scaling?, labels: [String], temperature: Float?
  ) -> (inout ProtobufMessage) -> Void {
    let sums = logistic.unscaled(by: scaling)
    let divisor = Double(temperature ?? 1)
    return { network in
      network.add(1) { layer in
        layer.add(1, "sums")
        layer.add(2, "features")
        layer.add(3, "sums")
        layer.add(140) { product in
          product.add(1, logistic.featureCount)
          product.add(2, labels.count)
          product.add(10, 1)
          product.add(20) { $0.add(1, packed: sums.weights.map { Float($0 / divisor) }) }
          product.add(21) { $0.add(1, packed: sums.intercepts.map { Float($0 / divisor) }) }
        }
      }
      network.add(1) { layer in
        layer.add(1, "softmax")
        layer.add(2, "sums")
        layer.add(3, "probabilities")
        layer.add(175) { _ in }
      }
      network.add(100) { $0.add(1, labels) }
      network.add(200, "probabilities")
    }
  }

  /// Logits are divided by the temperature T. A tree's probabilities become ln p ÷ T, whose softmax is p to the power 1
  /// ÷ T, normalised to a sum of 1.
  private static func ensemble(
    _ trees: ExportedTrees, labels: [String], temperature: Float?
  ) -> (inout ProtobufMessage) -> Void {
    let divisor = Double(temperature ?? 1)
    let value = { (output: Float) in
      trees.areLogits || temperature == nil ? Double(output) / divisor : logarithm(max(Double(output), 1e-38)) / divisor
    }
    return { ensemble in
      ensemble.add(1) { parameters in
        for node in trees.nodes { parameters.add(1, row(of: node, value)) }
        parameters.add(2, labels.count)
        for base in trees.base { parameters.add(3, Double(base) / divisor) }
      }
      if trees.areLogits || temperature != nil { ensemble.add(2, 1) }
      ensemble.add(100) { $0.add(1, labels) }
    }
  }

  private static func row(
    of node: ExportedTrees.Node, _ value: @escaping (Float) -> Double
  ) -> (inout ProtobufMessage) -> Void {
    { row in
      row.add(1, node.tree)
      row.add(2, node.node)
      row.add(3, node.split == nil ? 6 : 0)
      if let split = node.split {
        row.add(10, split.feature)
        row.add(11, Double(split.threshold))
        row.add(12, split.whenAtMost)
        row.add(13, split.otherwise)
      }
      for output in node.outputs {
        row.add(20) { evaluation in
          evaluation.add(1, output.label)
          evaluation.add(2, value(output.value))
        }
      }
    }
  }
}
