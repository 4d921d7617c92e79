/// The nodes of trees in traversal order: tree by tree, breadth first. Siblings are adjacent, so the step to a child is
/// an addition without a branch.
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

  let nodes: [Node]

  /// The root of each tree.
  let roots: [Int32]

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

  /// Calls `body` with each tree and the leaf that a window reaches.
  @inline(__always)
  func forEachLeaf(of features: UnsafePointer<Float>, _ body: (_ tree: Int, _ leaf: Int) -> Void) {
    nodes.withUnsafeBufferPointer { nodes in
      roots.withUnsafeBufferPointer { roots in
        for tree in roots.indices {
          var node = nodes[Int(roots[tree])]
          while node.step != 0 { node = nodes[Int(node.next(features))] }
          body(tree, node.leaf)
        }
      }
    }
  }

  /// Replaces `places`, a node for every window, with the leaves that the windows reach from there.
  ///
  /// The windows step in lockstep, so that their memory accesses overlap.
  ///
  /// - Parameters:
  ///   - features: shape `[windows × columns]`, row-major.
  ///   - columns: the number of features of a window.
  ///   - places: shape `[windows]`.
  @inline(__always)
  static func traverse(
    _ features: UnsafePointer<Float>, columns: Int, _ places: UnsafeMutableBufferPointer<Int32>,
    _ nodes: UnsafePointer<Node>
  ) {
    var isUnfinished: Int32 = 1
    while isUnfinished != 0 {
      isUnfinished = 0
      var window = features
      for index in places.indices {
        let node = nodes[Int(places[index])]
        isUnfinished |= node.step
        places[index] = node.next(window)
        window += columns
      }
    }
  }
}
