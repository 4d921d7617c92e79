import Gait

/// The nodes of one or more trees under construction, each before its children.
struct NodeArrays: Sendable {
  private(set) var features: [Int32] = []
  private(set) var thresholds: [Float] = []
  private(set) var leftChildren: [Int32] = []
  private(set) var rightChildren: [Int32] = []
  private(set) var roots: [Int32] = []

  var count: Int { features.count }

  /// Adds a leaf below `parent`.
  ///
  /// - Parameters:
  ///   - parent: the parent node; `nil` for the root of a tree.
  ///   - isLeft: which child it is.
  /// - Returns: the index of the node.
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

  /// Turns a leaf into a split node; its children are appended later.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    features[node] = Int32(feature)
    thresholds[node] = threshold
  }

  /// Appends the trees of `other`.
  mutating func append(_ other: NodeArrays) {
    let offset = Int32(features.count)
    features += other.features
    thresholds += other.thresholds
    leftChildren += other.leftChildren.map { $0 < 0 ? $0 : $0 + offset }
    rightChildren += other.rightChildren.map { $0 < 0 ? $0 : $0 + offset }
    roots += other.roots.map { $0 + offset }
  }

  /// The leaves, in order.
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
