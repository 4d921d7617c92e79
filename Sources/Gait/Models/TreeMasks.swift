/// The tests of trees as bit masks, for sixteen windows at a time.
///
/// A tree's leaves are numbered from left to right. A test does not choose a child. It keeps the bits of those leaves
/// that a window can still reach: all of them if the window goes left, and otherwise all but the leaves of the left
/// subtree. The lowest bit that all tests keep is the leaf. The tests can therefore be made in any order, without a
/// branch and without a load that depends on the test before.
///
/// A tree of more than 31 tests is traversed from the nodes below its first 31 tests, breadth first. These nodes then
/// take the place of the leaves.
///
/// Source: Lucchese and others, QuickScorer: A Fast Algorithm to Rank Documents with Additive Ensembles of Regression
/// Trees, SIGIR 2015.
struct TreeMasks: Hashable, Sendable {
  private typealias Masks = SIMD16<UInt32>

  /// The maximum number of tests of a tree; each exit has a bit.
  private static let testLimit = 31
  private static let exitLimit = testLimit + 1

  private struct Test: Hashable, Sendable {
    /// The feature's place in a transposed block.
    var place: Int32
    /// The largest value that goes left.
    var threshold: Float
    /// A bit for each exit, zero for those of the left subtree.
    var right: UInt32 = 0
  }

  private struct Tree: Hashable, Sendable {
    /// The end of the tree's tests.
    var end: Int32
    /// Whether the tree has no other tests.
    var isWhole: Bool
  }

  private var tests: [Test] = []
  private var trees: [Tree] = []

  /// `exitLimit` for each tree: the leaves in a whole tree, and otherwise nodes.
  private var exits: [Int32] = []

  /// The first features of the groups of four features that a block contains.
  private let groups: [Int32]

  /// The tests of trees over windows of `featureCount` features.
  init(_ traversal: FlatTreeTraversal, featureCount: Int) {
    let nodes = traversal.nodes
    var (groups, places) = ([Int32](), [Int32?](repeating: nil, count: featureCount))
    for feature in Set(nodes.lazy.filter { $0.step != 0 }.map { Int($0.feature) }).sorted() {
      guard places[feature] == nil else { continue }
      let first = max(0, min(feature, featureCount - WindowBlock.groupSize))
      for offset in 0..<min(WindowBlock.groupSize, featureCount) where places[first + offset] == nil {
        places[first + offset] = Int32(WindowBlock.groupSize * groups.count + offset)
      }
      groups.append(Int32(first))
    }
    self.groups = groups
    let ends = traversal.roots.dropFirst() + [Int32(nodes.count)]
    for (root, end) in zip(traversal.roots, ends) {
      let internalNodes = (Int(root)..<Int(end)).filter { nodes[$0].step != 0 }
      let isWhole = internalNodes.count <= Self.testLimit
      let first = exits.count
      add(Int(root), until: internalNodes.prefix(Self.testLimit).last ?? -1, isWhole, nodes, places, first)
      exits += [Int32](repeating: 0, count: first + Self.exitLimit - exits.count)
      trees.append(Tree(end: Int32(tests.count), isWhole: isWhole))
    }
  }

  /// Adds the tests of a node and of the nodes below it, as far as they are not after `last`, and the exits.
  private mutating func add(
    _ index: Int, until last: Int, _ isWhole: Bool, _ nodes: [FlatTreeTraversal.Node], _ places: [Int32?],
    _ firstExit: Int
  ) {
    let node = nodes[index]
    guard node.step != 0, index <= last else {
      exits.append(isWhole ? Int32(node.leaf) : Int32(index))
      return
    }
    let (test, before) = (tests.count, exits.count - firstExit)
    tests.append(Test(place: places[Int(node.feature)] ?? 0, threshold: node.threshold))
    add(Int(node.target), until: last, isWhole, nodes, places, firstExit)
    let left = before..<exits.count - firstExit
    tests[test].right = left.reduce(UInt32.max) { $0 & ~(1 << UInt32($1)) }
    add(Int(node.target + node.step), until: last, isWhole, nodes, places, firstExit)
  }

  /// The number of features of a transposed block, each of sixteen values.
  var blockSize: Int { WindowBlock.groupSize * groups.count }

  /// Calls `body` with the number of each window, of each tree, and of the leaf that the window reaches. The trees of a
  /// window are in order.
  ///
  /// - Parameters:
  ///   - features: sixteen windows, shape `[16 × columns]`.
  ///   - block: memory for `blockSize` transposed features.
  @inline(__always)
  func forEachLeaf(
    of features: UnsafePointer<Float>, columns: Int, _ block: UnsafeMutablePointer<WindowBlock.Values>,
    _ nodes: UnsafePointer<FlatTreeTraversal.Node>, _ body: (_ row: Int, _ tree: Int, _ leaf: Int) -> Void
  ) {
    for (index, group) in groups.enumerated() {
      WindowBlock.transpose(
        features + Int(group), columns: columns, into: block + WindowBlock.groupSize &* index)
    }
    withUnsafeTemporaryAllocation(of: Masks.self, capacity: 1) { masks in
      guard let masks = masks.baseAddress else { return }
      masks.withMemoryRebound(to: UInt32.self, capacity: Masks.scalarCount) { bits in
        tests.withUnsafeBufferPointer { tests in
          exits.withUnsafeBufferPointer { exits in
            var first = 0
            for (tree, top) in trees.enumerated() {
              masks.pointee = Self.masks(tests[first..<Int(top.end)], block)
              first = Int(top.end)
              /// The exit of a window. The last exit is never cleared; the highest bit tells the compiler so.
              func exit(_ row: Int) -> Int32 {
                exits[Self.exitLimit &* tree &+ (bits[row] | 1 << 31).trailingZeroBitCount]
              }
              if top.isWhole {
                for row in 0..<Masks.scalarCount { body(row, tree, Int(exit(row))) }
              } else {
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: Masks.scalarCount) { places in
                  for row in 0..<Masks.scalarCount { places.initializeElement(at: row, to: exit(row)) }
                  FlatTreeTraversal.traverse(features, columns: columns, places, nodes)
                  for row in 0..<Masks.scalarCount { body(row, tree, nodes[Int(places[row])].leaf) }
                }
              }
            }
          }
        }
      }
    }
  }

  /// The bits of the exits that all `tests` keep, for each window. NaN goes right.
  @inline(__always)
  private static func masks(
    _ tests: Slice<UnsafeBufferPointer<Test>>, _ block: UnsafePointer<WindowBlock.Values>
  ) -> Masks {
    var masks = Masks(repeating: .max)
    for test in tests {
      let isLeft = block[Int(test.place)] .<= WindowBlock.Values(repeating: test.threshold)
      masks &= unsafeBitCast(isLeft, to: Masks.self) | Masks(repeating: test.right)
    }
    return masks
  }
}
