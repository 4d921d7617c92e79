import Gait

/// The nodes of one or more trees under construction. Each node is stored before its children. A leaf has −1 as its
/// feature and as both children.
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
  ///   - isLeft: whether the node is the left child of `parent`.
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

  /// The nodes in the form that models use.
  func nodes(featureCount: Int) -> FlatTree {
    return Result {
      try FlatTree(
        features: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        roots: roots, featureCount: featureCount)
    }.get(orTrap: "grown trees must be well formed")
  }
}

/// The windows of every node of a growing tree; a node's windows are contiguous.
struct NodeRows: Sendable {
  private(set) var rows: [Int32]
  private var scratch: [Int32]

  /// Starts with all windows in the root's range; a window may occur several times.
  init(_ rows: [Int32]) {
    self.rows = rows
    scratch = [Int32](repeating: 0, count: rows.count)
  }

  /// Moves the windows of `range` for which `goesLeft` returns 1 to the front of `range`; both parts keep their order.
  ///
  /// - Returns: the first position of the right side.
  @inline(__always)
  private mutating func partition(_ range: Range<Int>, _ goesLeft: (Int) -> Int) -> Int {
    rows.withUnsafeMutableBufferPointer { rows in
      scratch.withUnsafeMutableBufferPointer { scratch in
        let (node, aside) = (rows.baseAddress! + range.lowerBound, scratch.baseAddress! + range.lowerBound)
        var (left, right) = (0, 0)
        for index in 0..<range.count {
          let row = node[index]
          let isLeft = goesLeft(Int(row))
          node[left] = row
          aside[right] = row
          left &+= isLeft
          right &+= 1 &- isLeft
        }
        (node + left).update(from: aside, count: right)
        return range.lowerBound + left
      }
    }
  }

  /// Moves the windows on the left side of `split` to the front of `range`.
  ///
  /// - Returns: the first position of the right side.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedColumns, at split: BinSplit) -> Int {
    matrix.withColumn(split.column) { bins in partition(range) { Int(bins[$0]) <= split.bin ? 1 : 0 } }
  }

  /// Calls `body` with the windows of `range`.
  func withRows<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}
