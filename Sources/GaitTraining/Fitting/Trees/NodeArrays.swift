import Gait

/// The nodes of one or several trees in the making, each before its children.
struct NodeArrays: Sendable {
  private(set) var features: [Int32] = []
  private(set) var thresholds: [Float] = []
  private(set) var leftChildren: [Int32] = []
  private(set) var rightChildren: [Int32] = []
  private(set) var roots: [Int32] = []

  var count: Int { features.count }

  /// Adds a leaf, and hangs it where it belongs.
  ///
  /// - Parameters:
  ///   - parent: the node that it is a child of; `nil` for the root of a tree.
  ///   - isLeft: which child it is.
  /// - Returns: the number of the node.
  mutating func append(childOf parent: Int?, isLeft: Bool) -> Int {
    let node = features.count
    features.append(-1)
    thresholds.append(0)
    leftChildren.append(-1)
    rightChildren.append(-1)
    if let parent {
      if isLeft { leftChildren[parent] = Int32(node) } else { rightChildren[parent] = Int32(node) }
    } else {
      roots.append(Int32(node))
    }
    return node
  }

  /// Makes a leaf ask a question; its children are appended after it.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    features[node] = Int32(feature)
    thresholds[node] = threshold
  }

  /// Adds the trees of `other` behind these.
  mutating func append(_ other: NodeArrays) {
    let offset = Int32(features.count)
    features += other.features
    thresholds += other.thresholds
    leftChildren += other.leftChildren.map { $0 < 0 ? $0 : $0 + offset }
    rightChildren += other.rightChildren.map { $0 < 0 ? $0 : $0 + offset }
    roots += other.roots.map { $0 + offset }
  }

  /// The nodes that ask no question, in order.
  var leaves: [Int] { features.indices.filter { features[$0] < 0 } }

  /// The finished nodes.
  func nodes(featureCount: Int) -> FlatTree {
    do {
      return try FlatTree(
        features: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        roots: roots, featureCount: featureCount)
    } catch {
      preconditionFailure("grown trees must be well formed: \(error)")
    }
  }
}
