/// The nodes of one or more trees as parallel flat arrays.
///
/// A window goes to a node's left child if the node's feature is at most its threshold, and to the right child if it is
/// greater or NaN. Every child has a higher index than its parent, so every traversal ends.
///
/// Source: the layout is that of treelite.
public struct FlatTree: Hashable, Sendable {
  /// The feature that each node tests, or −1 for a leaf; shape `[nodes]`.
  public let features: [Int32]

  /// The largest value that goes left, in the feature's (scaled) unit; shape `[nodes]`, 0 for a leaf by convention.
  public let thresholds: [Float]

  /// The next node if the feature is at most the threshold, or −1 for a leaf; shape `[nodes]`.
  public let leftChildren: [Int32]

  /// The next node if the feature is above the threshold, or −1 for a leaf; shape `[nodes]`.
  public let rightChildren: [Int32]

  /// The first node of each tree; shape `[trees]`.
  public let roots: [Int32]

  /// The number of features of a window.
  public let featureCount: Int

  /// The total number of leaves.
  public let leafCount: Int

  /// The number of tests on the longest path from a root to a leaf; 0 if every root is a leaf.
  public let depth: Int

  private let traversal: FlatTreeTraversal
  private let masks: TreeMasks

  /// The number of nodes, leaves included.
  public var count: Int { features.count }

  /// Trees from their arrays, as in a model file; the parameters have the shapes of the properties of the same names.
  /// The root of a single tree is node 0.
  ///
  /// - Throws: `ModelError.invalid` if the arrays differ in length, if a feature or child is not a valid index, or if a
  ///   node other than a root does not have exactly one parent.
  public init(
    features: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32],
    roots: [Int32] = [0], featureCount: Int
  ) throws(ModelError) {
    try ModelError.check(featureCount: featureCount)
    guard !features.isEmpty, !roots.isEmpty else { throw .invalid("a tree needs at least one node") }
    let most = ModelRanges.nodeCount.upperBound
    guard features.count <= most else {
      throw .invalid("trees of \(features.count) nodes are too large; they may have at most \(most)")
    }
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
    masks = TreeMasks(traversal, featureCount: featureCount)
  }

  private static func depth(_ features: [Int32], _ leftChildren: [Int32], _ rightChildren: [Int32]) -> Int {
    var depths = [Int](repeating: 0, count: features.count)
    for node in features.indices where features[node] >= 0 {
      depths[Int(leftChildren[node])] = depths[node] + 1
      depths[Int(rightChildren[node])] = depths[node] + 1
    }
    return depths.max() ?? 0
  }

  /// Calls `body` with each tree and the leaf that a window reaches; leaves are numbered over all trees in node order.
  ///
  /// - Complexity: O(*trees* · *depth*); no allocation.
  @inline(__always)
  func forEachLeaf(of features: UnsafePointer<Float>, _ body: (_ tree: Int, _ leaf: Int) -> Void) {
    traversal.forEachLeaf(of: features, body)
  }

  /// Scores the windows of a matrix in blocks of sixteen, or one by one if they are few.
  ///
  /// - Parameters:
  ///   - size: the number of `sums`, which the three calls for a block share.
  ///   - begin: called before a block.
  ///   - leaf: called with the number of a window in its block, a tree and the leaf. The trees of a window are in
  ///     order.
  ///   - end: called with the first window of a block.
  ///   - single: scores one window.
  @inline(__always)
  func forEachBlock(
    of matrix: FeatureMatrix, size: Int, begin: (_ sums: UnsafeMutablePointer<WindowBlock.Values>) -> Void,
    leaf: (_ sums: UnsafeMutablePointer<WindowBlock.Values>, _ row: Int, _ tree: Int, _ leaf: Int) -> Void,
    end: (_ sums: UnsafeMutablePointer<WindowBlock.Values>, _ row: Int) -> Void,
    single: (_ row: Int, _ features: UnsafePointer<Float>) -> Void
  ) {
    let sums = UnsafeMutablePointer<WindowBlock.Values>.allocate(capacity: size + masks.blockSize)
    defer { sums.deallocate() }
    traversal.nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { return }
      matrix.forEachBlock(
        { row, features in
          begin(sums)
          masks.forEachLeaf(of: features, columns: matrix.columnCount, sums + size, nodes) { leaf(sums, $0, $1, $2) }
          end(sums, row)
        }, single: single)
    }
  }

  // MARK: - Checks

  private static func check(
    features: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32], roots: [Int32],
    featureCount: Int
  ) throws(ModelError) {
    let nodeCount = features.count
    try ModelError.check("thresholds", thresholds, columns: nodeCount)
    try ModelError.check("leftChildren", count: leftChildren.count, nodeCount)
    try ModelError.check("rightChildren", count: rightChildren.count, nodeCount)
    var parents = [Int](repeating: 0, count: nodeCount)
    for node in 0..<nodeCount {
      let feature = Int(features[node])
      for child in [Int(leftChildren[node]), Int(rightChildren[node])] {
        if feature == -1 {
          guard child == -1 else {
            throw .invalid("node \(node) is a leaf but has the child \(child) where a leaf has -1")
          }
        } else {
          guard (0..<featureCount).contains(feature) else {
            throw .invalid(
              "node \(node) compares feature \(feature), but the features are 0 to \(featureCount - 1) (a leaf has -1)")
          }
          guard (0..<nodeCount).contains(child) else {
            throw .invalid("node \(node) has the child \(child), but the nodes are 0 to \(nodeCount - 1)")
          }
          guard child > node else {
            throw .invalid("node \(node) has the child \(child), which does not come after it")
          }
          parents[child] += 1
        }
      }
    }
    try check(roots: roots, parents: parents)
  }

  /// Throws an error unless every root is distinct and has no parent, and every other node has exactly one parent.
  private static func check(roots: [Int32], parents: [Int]) throws(ModelError) {
    var isRoot = [Bool](repeating: false, count: parents.count)
    for (tree, root) in roots.enumerated() {
      guard parents.indices.contains(Int(root)), !isRoot[Int(root)], parents[Int(root)] == 0 else {
        throw .invalid(
          "tree \(tree) begins with node \(root), which is missing, the child of a node, or the root of another tree")
      }
      isRoot[Int(root)] = true
    }
    if let node = parents.indices.first(where: { !isRoot[$0] && parents[$0] != 1 }) {
      throw .invalid(
        "node \(node) is the child of \(parents[node]) nodes where a tree has exactly one parent")
    }
  }
}
