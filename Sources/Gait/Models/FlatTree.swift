/// The nodes of one or several trees, as flat arrays side by side.
///
/// An inner node sends a window to its left child when the node's feature is at most its threshold, else to its right child
/// (so what is not a number goes right). Every child comes after its parent, so every walk ends.
///
/// Source: the layout is that of treelite.
package struct FlatTree: Hashable, Sendable {
  /// The feature that each node looks at, or −1 for a leaf; shape `[nodes]`.
  package let features: [Int32]

  /// The largest value that goes left, in the feature's (scaled) unit; shape `[nodes]`, 0 for a leaf by convention.
  package let thresholds: [Float]

  /// Where a window goes when its feature is at most the threshold, or −1 for a leaf; shape `[nodes]`.
  package let leftChildren: [Int32]

  /// Where a window goes when its feature is above the threshold, or −1 for a leaf; shape `[nodes]`.
  package let rightChildren: [Int32]

  /// The first node of each tree; shape `[trees]`.
  package let roots: [Int32]

  /// The number of features of a window.
  package let featureCount: Int

  /// The number of leaves of all trees.
  package let leafCount: Int

  /// The number of questions on the longest way from a root to a leaf; 0 if every root is a leaf.
  package let depth: Int

  private let walk: FlatTreeTraversal

  /// The number of nodes, leaves included.
  package var count: Int { features.count }

  /// Trees from their arrays, as a model file holds them; shapes and meaning as the properties of the same names.
  ///
  /// - Throws: `ModelError.invalid` if the arrays do not describe trees.
  package init(
    features: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32], roots: [Int32],
    featureCount: Int
  ) throws(ModelError) {
    try ModelFault.check(featureCount: featureCount)
    guard !features.isEmpty, !roots.isEmpty else { throw .fault(.noNodes) }
    guard ModelRanges.nodeCount ~= features.count else { throw .fault(.tooManyNodes(features.count)) }
    self.features = features
    self.thresholds = thresholds
    self.leftChildren = leftChildren
    self.rightChildren = rightChildren
    self.roots = roots
    self.featureCount = featureCount
    leafCount = features.count { $0 == -1 }
    try Self.check(
      features: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
      roots: roots, featureCount: featureCount)
    depth = Self.depth(features, leftChildren, rightChildren)
    walk = FlatTreeTraversal(features, thresholds, leftChildren, rightChildren, roots)
  }

  private static func depth(_ features: [Int32], _ leftChildren: [Int32], _ rightChildren: [Int32]) -> Int {
    var depths = [Int](repeating: 0, count: features.count)
    for node in features.indices where features[node] >= 0 {
      depths[Int(leftChildren[node])] = depths[node] + 1
      depths[Int(rightChildren[node])] = depths[node] + 1
    }
    return depths.max() ?? 0
  }
}

extension FlatTree {
  /// Calls `body` with each tree's number and the leaf where a window ends, counted over all trees in the nodes' order.
  ///
  /// - Complexity: O(*trees* · *depth*); no allocation.
  @inline(__always)
  func forEachLeaf(of features: UnsafePointer<Float>, _ body: (_ tree: Int, _ leaf: Int) -> Void) {
    walk.withNodes { nodes, roots in
      for tree in roots.indices { body(tree, FlatTreeTraversal.leaf(of: features, from: Int(roots[tree]), nodes)) }
    }
  }

  /// Calls `body` with the row, the tree and the leaf of every window of a matrix; the trees of a window come in order.
  ///
  /// A tree is asked about 32 windows at once, which step from node to node together: their features have been brought into
  /// the cache in one go before, and the tree stays there meanwhile.
  @inline(__always)
  func forEachLeaf(of matrix: FeatureMatrix, _ body: (_ row: Int, _ tree: Int, _ leaf: Int) -> Void) {
    let rowsAtOnce = 32
    let columns = matrix.columnCount
    let isTouched = FlatTreeTraversal.isWorthTouching(columns: columns, questions: depth * roots.count)
    matrix.values.withUnsafeBufferPointer { values in
      guard let features = values.baseAddress else { return }
      walk.withNodes { nodes, roots in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowsAtOnce) { places in
          for start in stride(from: 0, to: matrix.rowCount, by: rowsAtOnce) {
            let places = UnsafeMutableBufferPointer(rebasing: places.prefix(matrix.rowCount - start))
            let windows = features + start * columns
            let touched = isTouched ? FlatTreeTraversal.touch(windows, count: places.count * columns) : 0
            for tree in roots.indices {
              places.initialize(repeating: roots[tree])
              FlatTreeTraversal.walk(windows, columns: columns, places, nodes, touched: touched)
              for (offset, place) in places.enumerated() { body(start + offset, tree, nodes[Int(place)].leaf) }
            }
          }
        }
      }
    }
  }
}

// MARK: - Checks

extension FlatTree {
  private static func check(
    features: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32], roots: [Int32],
    featureCount: Int
  ) throws(ModelError) {
    let nodeCount = features.count
    try ModelFault.check(.thresholds, thresholds, columns: nodeCount)
    for (part, children) in [(ModelFault.Part.leftChildren, leftChildren), (.rightChildren, rightChildren)]
    where children.count != nodeCount {
      throw .fault(.wrongCount(part, expected: nodeCount, found: children.count))
    }
    var parents = [Int](repeating: 0, count: nodeCount)
    for node in 0..<nodeCount {
      let feature = Int(features[node])
      for child in [Int(leftChildren[node]), Int(rightChildren[node])] {
        if feature == -1 {
          guard child == -1 else { throw .fault(.leafWithChild(node: node, child: child)) }
        } else {
          guard (0..<featureCount).contains(feature) else {
            throw .fault(.unknownFeature(node: node, feature: feature, featureCount: featureCount))
          }
          guard (0..<nodeCount).contains(child) else {
            throw .fault(.childOutOfRange(node: node, child: child, nodeCount: nodeCount))
          }
          guard child > node else { throw .fault(.childNotAfterParent(node: node, child: child)) }
          parents[child] += 1
        }
      }
    }
    try check(roots: roots, parents: parents)
  }

  /// Every root once and without a parent, every other node with exactly one.
  private static func check(roots: [Int32], parents: [Int]) throws(ModelError) {
    var isRoot = [Bool](repeating: false, count: parents.count)
    for (tree, root) in roots.enumerated() {
      guard parents.indices.contains(Int(root)), !isRoot[Int(root)], parents[Int(root)] == 0 else {
        throw .fault(.notARoot(tree: tree, node: Int(root)))
      }
      isRoot[Int(root)] = true
    }
    if let node = parents.indices.first(where: { !isRoot[$0] && parents[$0] != 1 }) {
      throw .fault(.parentCount(node: node, found: parents[node]))
    }
  }
}
