/// The nodes of trees, laid out for walking: siblings lie side by side, so a step is an addition and no guess.
struct TreeWalk: Hashable, Sendable {
  /// A node in 12 bytes.
  struct Node: Hashable, Sendable {
    /// The feature it looks at, or −1 for a leaf.
    var feature: Int32
    /// The largest value that goes left.
    var threshold: Float
    /// The left child, the right one being next to it; for a leaf its number among the leaves.
    var target: Int32
  }

  private let nodes: [Node]
  private let roots: [Int32]

  /// From arrays that describe trees, as `TreeNodes` has checked.
  init(
    _ features: [Int32], _ thresholds: [Float], _ leftChildren: [Int32], _ rightChildren: [Int32], _ roots: [Int32]
  ) {
    var leaves: Int32 = 0
    let leafNumbers = features.map { feature in
      leaves += feature < 0 ? 1 : 0
      return leaves - 1
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
          nodes.append(Node(feature: -1, threshold: 0, target: leafNumbers[node]))
          continue
        }
        nodes.append(Node(feature: features[node], threshold: thresholds[node], target: Int32(base + queue.count)))
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

  /// The number of the leaf where a window ends.
  @inline(__always)
  static func leaf(of features: UnsafePointer<Float>, from root: Int, _ nodes: UnsafePointer<Node>) -> Int {
    var node = nodes[root]
    while node.feature >= 0 {
      let isRight = features[Int(node.feature)] <= node.threshold ? 0 : 1
      node = nodes[Int(node.target) &+ isRight]
    }
    return Int(node.target)
  }
}
