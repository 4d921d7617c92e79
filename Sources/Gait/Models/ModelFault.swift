/// What is wrong with the numbers of a classifier, a scaling or a calibration.
///
/// Every initialiser checks its numbers, as a model file may have been edited. It throws `ModelError.fault`. Indices
/// count from zero.
package enum ModelFault: Hashable, Sendable, CustomStringConvertible {
  /// A list of numbers in a model, named as in the model file.
  package enum Part: String, Hashable, Sendable {
    /// The features' means.
    case mean
    /// The features' standard deviations.
    case standardDeviation
    /// A logistic regression's weights.
    case weights
    /// A logistic regression's intercepts.
    case intercepts
    /// The feature that each node of a tree compares.
    case nodeFeatures
    /// The threshold of each node of a tree.
    case thresholds
    /// The left child of each node of a tree.
    case leftChildren
    /// The right child of each node of a tree.
    case rightChildren
    /// The label probabilities of each leaf of a tree.
    case leafProbabilities
    /// The inputs of a calibration curve's points.
    case inputs
    /// The outputs of a calibration curve's points.
    case outputs
    /// The value that each leaf of boosted trees adds to a logit.
    case leafValues
    /// The logits of boosted trees before the first tree.
    case baseScores
    /// The means of a rejection.
    case means
    /// The largest distance of a single window in a rejection.
    case distanceLimit
    /// The largest averaged distance of a window that is not rejected.
    case largestDistance
    /// The least averaged probability of a window that is not rejected.
    case leastConfidence
    /// The share of rejected windows that is usual.
    case usualShare
  }

  /// A classifier of fewer than two labels.
  case tooFewLabels(Int)
  /// A model without features.
  case noFeatures
  /// More features than `ModelRanges.featureCount`.
  case tooManyFeatures(Int)
  /// Trees of more nodes than `ModelRanges.nodeCount`.
  case tooManyNodes(Int)
  /// A tree without a node.
  case noNodes
  /// A shape whose size overflows.
  case tooLarge(Part)
  /// A list whose length does not match the model's shape.
  case wrongCount(Part, expected: Int, found: Int)
  /// An infinite value or one that is not a number.
  case notFinite(Part, index: Int)
  /// A number outside its range; see `ModelRanges`.
  case outOfRange(Part, index: Int, value: Float, range: ClosedRange<Float>)
  /// A number of a curve that is outside `0...1`, or falls below the one before it.
  case notRising(Part, index: Int)
  /// A temperature outside `ModelRanges.temperature`.
  case temperatureOutOfRange(Float)
  /// A node that compares a feature that the model does not have.
  case unknownFeature(node: Int, feature: Int, featureCount: Int)
  /// A node whose child is not among the nodes.
  case childOutOfRange(node: Int, child: Int, nodeCount: Int)
  /// A node whose child does not come after it, so that a traversal might not end.
  case childNotAfterParent(node: Int, child: Int)
  /// A node that is the child of no node, or of several; every node but the first has exactly one parent.
  case parentCount(node: Int, found: Int)
  /// A tree whose root is missing, has a parent, or is the root of another tree.
  case notARoot(tree: Int, node: Int)
  /// Boosted trees whose number is not a multiple of the outputs.
  case treesNotMultipleOfOutputs(trees: Int, outputs: Int)
  /// A leaf with a child.
  case leafWithChild(node: Int, child: Int)
  /// A probability outside `0...1`.
  case probabilityOutOfRange(leaf: Int, label: Int, value: Float)
  /// A leaf whose probabilities do not sum to 1 within 1e-4.
  case probabilitiesDoNotSumToOne(leaf: Int, sum: Float)

  /// Throws unless a model may have so many features.
  static func check(featureCount: Int) throws(ModelError) {
    guard featureCount > 0 else { throw .fault(.noFeatures) }
    guard ModelRanges.featureCount ~= featureCount else { throw .fault(.tooManyFeatures(featureCount)) }
  }

  /// Throws unless `values` are `rows` × `columns` finite numbers within `range`.
  static func check(
    _ part: Part, _ values: [Float], rows: Int = 1, columns: Int, within range: ClosedRange<Float>? = nil
  ) throws(ModelError) {
    let (expected, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard !overflow else { throw .fault(.tooLarge(part)) }
    guard values.count == expected else { throw .fault(.wrongCount(part, expected: expected, found: values.count)) }
    if let index = values.firstIndex(where: { !$0.isFinite }) { throw .fault(.notFinite(part, index: index)) }
    guard let range, let index = values.firstIndex(where: { !range.contains($0) }) else { return }
    throw .fault(.outOfRange(part, index: index, value: values[index], range: range))
  }

  /// What is wrong, in a phrase.
  package var description: String {
    switch self {
    case .tooFewLabels(let count):
      "a classifier needs at least two labels, not \(count)"
    case .noFeatures:
      "a model needs at least one feature"
    case .tooManyFeatures(let count):
      "a model of \(count) features is too large; it may have at most \(ModelRanges.featureCount.upperBound)"
    case .noNodes:
      "a tree needs at least one node"
    case .tooManyNodes(let count):
      "trees of \(count) nodes are too large; they may have at most \(ModelRanges.nodeCount.upperBound)"
    case .tooLarge(let part):
      "\(part.rawValue) is too large for memory"
    case .wrongCount(let part, let expected, let found):
      "\(part.rawValue) has \(found) numbers; the model's shape needs \(expected)"
    case .notFinite(let part, let index):
      "\(part.rawValue)[\(index)] is not a finite number"
    case .outOfRange(let part, let index, let value, let range):
      "\(part.rawValue)[\(index)] is \(value), which is not within \(range.lowerBound) to \(range.upperBound)"
    case .notRising(let part, let index):
      "\(part.rawValue)[\(index)] is outside 0 to 1 or falls below the number before it"
    case .temperatureOutOfRange(let value):
      "the temperature is \(value), which is not within \(ModelRanges.temperature.lowerBound) to "
        + "\(ModelRanges.temperature.upperBound)"
    case .unknownFeature(let node, let feature, let featureCount):
      "node \(node) compares feature \(feature), but the features are 0 to \(featureCount - 1) (a leaf has -1)"
    case .childOutOfRange(let node, let child, let nodeCount):
      "node \(node) has the child \(child), but the nodes are 0 to \(nodeCount - 1)"
    case .childNotAfterParent(let node, let child):
      "node \(node) has the child \(child), which does not come after it"
    case .parentCount(let node, let found):
      "node \(node) is the child of \(found) nodes where a tree has exactly one parent"
    case .notARoot(let tree, let node):
      "tree \(tree) begins with node \(node), which is missing, the child of a node, or the root of another tree"
    case .treesNotMultipleOfOutputs(let trees, let outputs):
      "\(trees) boosted trees are not a multiple of the \(outputs) outputs"
    case .leafWithChild(let node, let child):
      "node \(node) is a leaf but has the child \(child) where a leaf has -1"
    case .probabilityOutOfRange(let leaf, let label, let value):
      "leaf \(leaf) gives label \(label) the probability \(value), which is not within 0 to 1"
    case .probabilitiesDoNotSumToOne(let leaf, let sum):
      "the probabilities of leaf \(leaf) sum to \(sum) instead of 1"
    }
  }
}

extension ModelError {
  /// The numbers of a classifier, scaling or calibration are wrong.
  package static func fault(_ fault: ModelFault) -> ModelError {
    .invalid(file: nil, path: "", reason: fault.description)
  }
}
