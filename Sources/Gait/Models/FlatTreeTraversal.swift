/// The nodes of trees, laid out for walking: siblings lie side by side, so a step is an addition and no guess.
struct FlatTreeTraversal: Hashable, Sendable {
  /// A node in 16 bytes. A leaf leads to itself, so that windows may walk on side by side until the last has arrived.
  struct Node: Hashable, Sendable {
    /// The feature it looks at; 0 for a leaf.
    var feature: Int32
    /// The largest value that goes left; for a leaf the bits of its number among the leaves.
    var threshold: Float
    /// The left child; for a leaf itself.
    var target: Int32
    /// From the left child to the right one: 1, or 0 for a leaf.
    var step: Int32

    /// A leaf's number among the leaves.
    @inline(__always) var leaf: Int { Int(threshold.bitPattern) }

    /// The next node for a window, without a branch to be guessed. What is not a number goes right.
    @inline(__always)
    func next(_ features: UnsafePointer<Float>) -> Int32 {
      let isRight: Int32 = features[Int(feature)] <= threshold ? 0 : 1
      return target &+ (isRight & step)
    }
  }

  private let nodes: [Node]
  private let roots: [Int32]

  /// From arrays that describe trees, as `FlatTree` has checked.
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

  /// The number of the leaf where a window ends.
  @inline(__always)
  static func leaf(of features: UnsafePointer<Float>, from root: Int, _ nodes: UnsafePointer<Node>) -> Int {
    var node = nodes[root]
    while node.step != 0 { node = nodes[Int(node.next(features))] }
    return node.leaf
  }

  /// Replaces `places`, the root for every window, by the nodes where the windows end.
  ///
  /// The windows take each step together, so that what one waits for is no hindrance to the others.
  ///
  /// - Parameters:
  ///   - features: shape `[windows × columns]`, row-major.
  ///   - columns: the number of features of a window.
  ///   - places: shape `[windows]`.
  ///   - touched: what `touch` returned. Unless it is 0 there are at least two steps, and a step too many changes nothing:
  ///     so the compiler cannot leave the reading out.
  @inline(__always)
  static func walk(
    _ features: UnsafePointer<Float>, columns: Int, _ places: UnsafeMutableBufferPointer<Int32>,
    _ nodes: UnsafePointer<Node>, touched: Int32
  ) {
    var (isUnderWay, touched): (Int32, Int32) = (1, touched)
    while isUnderWay != 0 {
      (isUnderWay, touched) = (touched, 0)
      var window = features
      for index in places.indices {
        let node = nodes[Int(places[index])]
        isUnderWay |= node.step
        places[index] = node.next(window)
        window += columns
      }
    }
  }

  /// Reads one value of every 64 bytes, so that all of them are in a cache afterwards.
  ///
  /// A walk jumps about in a window, and waits for the memory at each question; read in the order that it lies in, the
  /// memory comes before it is asked for.
  ///
  /// - Returns: the bits of the values, which mean nothing.
  @inline(__always)
  static func touch(_ features: UnsafePointer<Float>, count: Int) -> Int32 {
    var bits: UInt32 = 0
    for index in stride(from: 0, to: count, by: valuesPerLine) { bits |= features[index].bitPattern }
    return Int32(bitPattern: bits)
  }

  /// The values that a cache line holds at least, on the processors that there are.
  private static let valuesPerLine = 16

  /// Whether windows of so many features are worth touching: a walk looks at a line for each question, and can wait for
  /// several at a time, so far more lines than questions are not.
  static func isWorthTouching(columns: Int, questions: Int) -> Bool { columns <= 4 * valuesPerLine * questions }
}
