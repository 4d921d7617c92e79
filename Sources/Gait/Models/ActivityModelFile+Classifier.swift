extension ActivityModelFile.ClassifierEntry {
  init(_ classifier: Classifier) {
    switch classifier {
    case .logistic(let logistic):
      self.init(kind: "logistic")
      weights = Self.rows(of: logistic.weights, columns: logistic.featureCount)
      intercepts = logistic.intercepts
    case .decisionTree(let tree):
      self.init(kind: "decisionTree")
      set(tree.nodes)
      leafProbabilities = Self.rows(of: tree.leafProbabilities, columns: tree.labelCount)
    case .randomForest(let forest):
      self.init(kind: "randomForest")
      set(forest.nodes)
      roots = forest.nodes.roots
      leafProbabilities = Self.rows(of: forest.leafProbabilities, columns: forest.labelCount)
    case .boostedTrees(let trees):
      self.init(kind: "boostedTrees")
      set(trees.nodes)
      roots = trees.nodes.roots
      leafValues = trees.leafValues
      baseScores = trees.baseScores
    }
  }

  private mutating func set(_ nodes: FlatTree) {
    nodeFeatures = nodes.features
    thresholds = nodes.thresholds
    leftChildren = nodes.leftChildren
    rightChildren = nodes.rightChildren
  }

  /// The classifier, with every entry checked.
  ///
  /// - Throws: `ModelError.invalid`.
  func classifier(featureCount: Int, labelCount: Int) throws(ModelError) -> Classifier {
    switch kind {
    case "logistic":
      return .logistic(
        try LogisticRegression(
          weights: flat(entry(weights, "weights"), "weights", columns: featureCount),
          intercepts: entry(intercepts, "intercepts"), featureCount: featureCount, labelCount: labelCount))
    case "decisionTree":
      return .decisionTree(
        try DecisionTree(
          nodeFeatures: entry(nodeFeatures, "nodeFeatures"), thresholds: entry(thresholds, "thresholds"),
          leftChildren: entry(leftChildren, "leftChildren"), rightChildren: entry(rightChildren, "rightChildren"),
          leafProbabilities: leafRows(labelCount), featureCount: featureCount, labelCount: labelCount))
    case "randomForest":
      return .randomForest(
        try RandomForest(
          nodes: nodes(featureCount), leafProbabilities: leafRows(labelCount), labelCount: labelCount))
    case "boostedTrees":
      return .boostedTrees(
        try BoostedTrees(
          nodes: nodes(featureCount), leafValues: entry(leafValues, "leafValues"),
          baseScores: entry(baseScores, "baseScores"), labelCount: labelCount))
    default:
      throw .invalid(
        "classifier.kind",
        "\"\(kind)\" is not one of \"logistic\", \"decisionTree\", \"randomForest\", \"boostedTrees\"")
    }
  }

  private func nodes(_ featureCount: Int) throws(ModelError) -> FlatTree {
    try FlatTree(
      features: entry(nodeFeatures, "nodeFeatures"), thresholds: entry(thresholds, "thresholds"),
      leftChildren: entry(leftChildren, "leftChildren"), rightChildren: entry(rightChildren, "rightChildren"),
      roots: entry(roots, "roots"), featureCount: featureCount)
  }

  private func leafRows(_ labelCount: Int) throws(ModelError) -> [Float] {
    try flat(entry(leafProbabilities, "leafProbabilities"), "leafProbabilities", columns: labelCount)
  }

  private func entry<Value>(_ value: Value?, _ name: String) throws(ModelError) -> Value {
    guard let value else { throw .invalid("classifier", "\(name) is missing") }
    return value
  }

  private func flat(_ rows: [[Float]], _ name: String, columns: Int) throws(ModelError) -> [Float] {
    for (index, row) in rows.enumerated() where row.count != columns {
      throw .invalid("classifier.\(name)[\(index)]", "has \(row.count) numbers; the model's shape needs \(columns)")
    }
    return rows.flatMap { $0 }
  }

  private static func rows(of values: [Float], columns: Int) -> [[Float]] {
    stride(from: 0, to: values.count, by: columns).map { Array(values[$0..<$0 + columns]) }
  }
}
