/// The nodes of trees in traversal order: siblings are adjacent, so a step is an addition without a branch.
struct FlatTreeTraversal: Hashable, Sendable {
  /// A node in 16 bytes. A leaf is its own child, so windows can step in lockstep until the last one reaches a leaf.
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
  ///   - prefetched: the result of `prefetch`. Unless it is 0 there are at least two steps. An extra step changes
  ///     nothing, but the compiler cannot remove the prefetch.
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
  /// A traversal reads a window's features in random order and stalls at each test. Reading them in memory order lets
  /// the hardware prefetcher load them first.
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

  /// Whether to prefetch windows of `columns` features. A traversal reads one cache line for each test, several at a
  /// time, so prefetching many more lines than tests is slower.
  static func shouldPrefetch(columns: Int, tests: Int) -> Bool { columns <= 4 * valuesPerLine * tests }
}
