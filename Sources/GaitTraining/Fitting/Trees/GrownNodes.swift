import Gait

/// A classification tree under construction: its nodes, and the number of windows of each label in each node.
struct GrownNodes: Sendable {
  private(set) var arrays = NodeArrays()

  /// Shape `[nodes × labels]`, inner nodes included.
  private(set) var counts: [Int] = []

  let labelCount: Int

  init(labelCount: Int) {
    self.labelCount = labelCount
  }

  /// Adds a leaf with its label counts below `parent`, and returns its index.
  mutating func append(_ counts: [Int], childOf parent: Int?, isLeft: Bool) -> Int {
    self.counts += counts
    return arrays.append(childOf: parent, isLeft: isLeft)
  }

  /// Turns a leaf into a split node; its children are appended later.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    arrays.split(node, feature: feature, threshold: threshold)
  }

  /// A split of a node: the windows before `middle` go left.
  typealias Split = (feature: Int, threshold: Float, middle: Int)

  /// Grows a tree in preorder.
  ///
  /// - Parameter visit: the label counts of the windows at some positions of a node, and its split, which partitions
  ///   them; `nil` for a leaf.
  static func grown(
    rowCount: Int, labelCount: Int, _ visit: (Range<Int>, _ depth: Int) -> (counts: [Int], split: Split?)
  ) -> GrownNodes {
    var nodes = GrownNodes(labelCount: labelCount)
    var pending: [(range: Range<Int>, depth: Int, parent: Int?, isLeft: Bool)] = [(0..<rowCount, 0, nil, false)]
    while let (range, depth, parent, isLeft) = pending.popLast() {
      let (counts, split) = visit(range, depth)
      let node = nodes.append(counts, childOf: parent, isLeft: isLeft)
      guard let split else { continue }
      nodes.split(node, feature: split.feature, threshold: split.threshold)
      pending.append((split.middle..<range.upperBound, depth + 1, node, false))
      pending.append((range.lowerBound..<split.middle, depth + 1, node, true))
    }
    return nodes
  }

  /// The number of windows of each label in a node.
  func counts(of node: Int) -> ArraySlice<Int> { counts[node * labelCount..<(node + 1) * labelCount] }

  /// The label probabilities of all leaves, shape `[leaves × labels]`: (countₖ + s) ÷ (count + s · labels).
  func leafProbabilities(smoothing: Double) -> [Float] {
    arrays.leaves.flatMap { node in
      let total = Double(counts(of: node).reduce(0, +)) + smoothing * Double(labelCount)
      return counts(of: node).map { Float((Double($0) + smoothing) / total) }
    }
  }

  /// The finished tree.
  func tree(featureCount: Int, smoothing: Double) -> DecisionTree {
    return Result {
      try DecisionTree(
        nodeFeatures: arrays.features, thresholds: arrays.thresholds, leftChildren: arrays.leftChildren,
        rightChildren: arrays.rightChildren, leafProbabilities: leafProbabilities(smoothing: smoothing),
        featureCount: featureCount, labelCount: labelCount)
    }.get(orTrap: "a grown tree must be well formed")
  }
}

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

  /// Moves the windows of `range` for which `goesLeft` returns 1 to its front; both parts keep their order.
  ///
  /// - Returns: the first position of the right side.
  @inline(__always)
  mutating func partition(_ range: Range<Int>, _ goesLeft: (Int) -> Int) -> Int {
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
  mutating func partition(_ range: Range<Int>, of matrix: BinnedMatrix, at split: BinSplit) -> Int {
    let (block, shift) = matrix.place(of: split.column)
    let words = matrix.block(block)
    return partition(range) { Int(words[$0 &* BinnedMatrix.lineWidth] &>> shift & 255) <= split.bin ? 1 : 0 }
  }

  /// The same for bins in columns.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedColumns, at split: BinSplit) -> Int {
    matrix.withColumn(split.column) { bins in partition(range) { Int(bins[$0]) <= split.bin ? 1 : 0 } }
  }

  /// The number of the windows of `range` with each label.
  func labelCounts(_ range: Range<Int>, _ labels: [UInt8], labelCount: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    withRows(range) { for row in $0 { counts[Int(labels[Int(row)])] += 1 } }
    return counts
  }

  /// Calls `body` with the windows of `range`.
  func withRows<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}
