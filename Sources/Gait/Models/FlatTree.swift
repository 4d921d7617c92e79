/// The nodes of one or more trees as parallel flat arrays.
///
/// A window goes to a node's left child if the node's feature is at most its threshold, else to the right child (so NaN
/// goes right). Every child has a higher index than its parent, so every traversal ends.
///
/// Source: the layout is that of treelite.
package struct FlatTree: Hashable, Sendable {
  /// The feature that each node tests, or −1 for a leaf; shape `[nodes]`.
  package let features: [Int32]

  /// The largest value that goes left, in the feature's (scaled) unit; shape `[nodes]`, 0 for a leaf by convention.
  package let thresholds: [Float]

  /// The next node if the feature is at most the threshold, or −1 for a leaf; shape `[nodes]`.
  package let leftChildren: [Int32]

  /// The next node if the feature is above the threshold, or −1 for a leaf; shape `[nodes]`.
  package let rightChildren: [Int32]

  /// The first node of each tree; shape `[trees]`.
  package let roots: [Int32]

  /// The number of features of a window.
  package let featureCount: Int

  /// The total number of leaves.
  package let leafCount: Int

  /// The number of tests on the longest path from a root to a leaf; 0 if every root is a leaf.
  package let depth: Int

  private let traversal: FlatTreeTraversal

  /// The number of nodes, leaves included.
  package var count: Int { features.count }

  /// Trees from their arrays, as in a model file; the parameters have the shapes of the properties of the same names.
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
    traversal = FlatTreeTraversal(features, thresholds, leftChildren, rightChildren, roots)
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
  /// Calls `body` with each tree and the leaf that a window reaches; leaves are numbered over all trees in node order.
  ///
  /// - Complexity: O(*trees* · *depth*); no allocation.
  @inline(__always)
  func forEachLeaf(of features: UnsafePointer<Float>, _ body: (_ tree: Int, _ leaf: Int) -> Void) {
    traversal.withNodes { nodes, roots in
      for tree in roots.indices { body(tree, FlatTreeTraversal.leaf(of: features, from: Int(roots[tree]), nodes)) }
    }
  }

  /// Calls `body` with the row, the tree and the leaf of every window of a matrix; the trees of a window are in order.
  ///
  /// Each tree is traversed for 32 windows in lockstep. Their features are prefetched into the cache, and the tree
  /// stays there.
  @inline(__always)
  func forEachLeaf(of matrix: FeatureMatrix, _ body: (_ row: Int, _ tree: Int, _ leaf: Int) -> Void) {
    let rowsAtOnce = 32
    let columns = matrix.columnCount
    let prefetches = FlatTreeTraversal.shouldPrefetch(columns: columns, tests: depth * roots.count)
    matrix.values.withUnsafeBufferPointer { values in
      guard let features = values.baseAddress else { return }
      traversal.withNodes { nodes, roots in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowsAtOnce) { places in
          for start in stride(from: 0, to: matrix.rowCount, by: rowsAtOnce) {
            let places = UnsafeMutableBufferPointer(rebasing: places.prefix(matrix.rowCount - start))
            let windows = features + start * columns
            let prefetched = prefetches ? FlatTreeTraversal.prefetch(windows, count: places.count * columns) : 0
            for tree in roots.indices {
              places.initialize(repeating: roots[tree])
              FlatTreeTraversal.traverse(windows, columns: columns, places, nodes, prefetched: prefetched)
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

  /// Throws unless every root is distinct and has no parent, and every other node has exactly one parent.
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
