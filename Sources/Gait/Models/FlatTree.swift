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
    traversal.withNodes { nodes, roots in
      for tree in roots.indices { body(tree, FlatTreeTraversal.leaf(of: features, from: Int(roots[tree]), nodes)) }
    }
  }

  /// Calls `body` with the row, the tree and the leaf of every window of a matrix. The trees of a window are in order.
  ///
  /// Each tree is traversed for 32 windows in lockstep, which is quicker than one window at a time: the windows'
  /// features are prefetched into the cache, and the tree stays in the cache.
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

/// The nodes of trees in traversal order. Siblings are adjacent, so the step to a child is an addition without a
/// branch.
struct FlatTreeTraversal: Hashable, Sendable {
  /// A node in 16 bytes. A leaf is its own child, so windows can step in lockstep until the last of them reaches a
  /// leaf.
  struct Node: Hashable, Sendable {
    /// The feature that the node tests; 0 for a leaf.
    var feature: Int32
    /// The largest value that goes left; for a leaf the bits of the leaf's index.
    var threshold: Float
    /// The left child; for a leaf the node itself.
    var target: Int32
    /// The offset from the left child to the right one: 1, or 0 for a leaf.
    var step: Int32

    /// A leaf's index among the leaves.
    @inline(__always) var leaf: Int { Int(threshold.bitPattern) }

    /// The next node for a window, without a branch. NaN goes right.
    @inline(__always)
    func next(_ features: UnsafePointer<Float>) -> Int32 {
      let isRight: Int32 = features[Int(feature)] <= threshold ? 0 : 1
      return target &+ (isRight & step)
    }
  }

  private let nodes: [Node]
  private let roots: [Int32]

  /// A layout of trees that `FlatTree` has validated.
  init(
    _ features: [Int32], _ thresholds: [Float], _ leftChildren: [Int32], _ rightChildren: [Int32], _ roots: [Int32]
  ) {
    var leaves: UInt32 = 0
    let leafNumbers = features.map { feature in
      leaves += feature < 0 ? 1 : 0
      return leaves &- 1
    }
    var nodes: [Node] = []
    var newRoots: [Int32] = []
    for root in roots {
      newRoots.append(Int32(nodes.count))
      var queue = [Int(root)]
      let base = nodes.count
      var next = 0
      while next < queue.count {
        let node = queue[next]
        next += 1
        guard features[node] >= 0 else {
          let number = Float(bitPattern: leafNumbers[node])
          nodes.append(Node(feature: 0, threshold: number, target: Int32(nodes.count), step: 0))
          continue
        }
        nodes.append(
          Node(feature: features[node], threshold: thresholds[node], target: Int32(base + queue.count), step: 1))
        queue += [Int(leftChildren[node]), Int(rightChildren[node])]
      }
    }
    self.nodes = nodes
    self.roots = newRoots
  }

  @inline(__always)
  func withNodes(_ body: (UnsafePointer<Node>, UnsafeBufferPointer<Int32>) -> Void) {
    nodes.withUnsafeBufferPointer { nodes in
      roots.withUnsafeBufferPointer { roots in
        if let nodes = nodes.baseAddress { body(nodes, roots) }
      }
    }
  }

  /// The index of the leaf that a window reaches.
  @inline(__always)
  static func leaf(of features: UnsafePointer<Float>, from root: Int, _ nodes: UnsafePointer<Node>) -> Int {
    var node = nodes[root]
    while node.step != 0 { node = nodes[Int(node.next(features))] }
    return node.leaf
  }

  /// Replaces `places`, the root for every window, with the leaves that the windows reach.
  ///
  /// The windows step in lockstep, so that their memory accesses overlap.
  ///
  /// - Parameters:
  ///   - features: shape `[windows × columns]`, row-major.
  ///   - columns: the number of features of a window.
  ///   - places: shape `[windows]`.
  ///   - prefetched: the result of `prefetch`, or 0. If it is not 0, at least two steps are made, so that the compiler
  ///     does not remove the prefetch. The leaves do not depend on it, because a step from a leaf changes nothing.
  @inline(__always)
  static func traverse(
    _ features: UnsafePointer<Float>, columns: Int, _ places: UnsafeMutableBufferPointer<Int32>,
    _ nodes: UnsafePointer<Node>, prefetched: Int32
  ) {
    var (isUnfinished, prefetched): (Int32, Int32) = (1, prefetched)
    while isUnfinished != 0 {
      (isUnfinished, prefetched) = (prefetched, 0)
      var window = features
      for index in places.indices {
        let node = nodes[Int(places[index])]
        isUnfinished |= node.step
        places[index] = node.next(window)
        window += columns
      }
    }
  }

  /// Reads one value of every 64 bytes, so that all of them are in a cache afterwards.
  ///
  /// A traversal reads a window's features in random order and stalls at each test. If they are read in memory order
  /// before, the hardware prefetcher loads them.
  ///
  /// - Returns: the combined bits of the values, which have no meaning.
  @inline(__always)
  static func prefetch(_ features: UnsafePointer<Float>, count: Int) -> Int32 {
    var bits: UInt32 = 0
    for index in stride(from: 0, to: count, by: valuesPerLine) { bits |= features[index].bitPattern }
    return Int32(bitPattern: bits)
  }

  /// The number of values in the smallest cache line of current processors.
  private static let valuesPerLine = 16

  /// Whether to prefetch windows of `columns` features: unless a window has more than four cache lines for each of the
  /// `tests`. A traversal reads one cache line for each test, and prefetching many more lines is slower.
  static func shouldPrefetch(columns: Int, tests: Int) -> Bool { columns <= 4 * valuesPerLine * tests }
}
