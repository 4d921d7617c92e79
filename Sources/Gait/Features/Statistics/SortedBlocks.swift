/// A cache of sorted rows for overlapping windows: each row is sorted once, not once for every window that contains it.
///
/// The hop must be a power of two from 8 on, and the window a larger power of two. Each block, the rows of one hop, is
/// sorted once. Sorted blocks are merged in pairs to longer sorted runs, up to half a window. The runs that later
/// windows need are kept.
struct SortedBlocks: Sendable {
  private let layout: Layout
  /// A ring of sorted runs for each level of each part.
  private var runs: [Lanes]
  private var blockCount = 0

  /// The layout of a part's sorted runs: level 0 has blocks, each higher level has runs of twice the length.
  private struct Layout: Sendable {
    let hop: Int
    let levels: Int
    let count: Int

    init(length: Int, hop: Int) {
      var (size, levels) = (hop, 0)
      while size < length { (size, levels) = (2 * size, levels + 1) }
      self.hop = hop
      self.levels = levels
      count = Self.offset(levels, hop: hop)
    }

    /// The offset of the runs of `level`. A level l has 2ˡ + 1 runs: the newest one, and the earlier ones that the next
    /// level merges.
    private static func offset(_ level: Int, hop: Int) -> Int {
      // Σ (2ˡ + 1) · 2ˡ · hop
      let size = 1 << level
      return (((size * size - 1) / 3) + size - 1) * hop
    }

    /// The offset of the run of `level` that ends with `block`.
    func run(_ block: Int, level: Int) -> Int {
      Self.offset(level, hop: hop) + block % ((1 << level) + 1) * (hop << level)
    }
  }

  /// Whether windows of `length` every `hop` rows can share sorted blocks.
  static func supports(length: Int, hop: Int) -> Bool {
    func isPowerOfTwo(_ value: Int) -> Bool { value & (value - 1) == 0 }
    return hop >= 8 && length > hop && isPowerOfTwo(hop) && isPowerOfTwo(length)
  }

  /// An empty cache for windows of `length` every `hop` rows, in `parts` parts.
  init(length: Int, hop: Int, parts: Int) {
    layout = Layout(length: length, hop: hop)
    runs = Array(repeating: .zero, count: parts * layout.count)
  }

  /// Forgets all blocks. Call it if the next window does not follow the previous one.
  mutating func restart() { blockCount = 0 }

  /// Sorts the blocks that a window adds, in each of `parts` that needs sorted rows. A window adds one block; after
  /// `restart` all of its blocks are new.
  ///
  /// - Parameter rows: the window, shape `[length × parts.count]`.
  mutating func append(_ rows: UnsafePointer<Lanes>, _ parts: [FeaturePlan.Part]) {
    let count = 1 << layout.levels
    for index in (blockCount == 0 ? 0 : count - 1)..<count {
      appendBlock(rows + index * layout.hop * parts.count, parts)
    }
  }

  /// Sorts the next block, and merges the runs that it completes.
  private mutating func appendBlock(_ rows: UnsafePointer<Lanes>, _ parts: [FeaturePlan.Part]) {
    blockCount += 1
    let (layout, block) = (layout, blockCount - 1)
    runs.withUnsafeMutableBufferPointer { runs in
      for part in parts where part.needs.contains(.order) {
        let base = runs.baseAddress! + part.register * layout.count
        let newest = base + layout.run(block, level: 0)
        LaneSort.sort(LaneRows(first: rows + part.register, stride: parts.count), count: layout.hop, into: newest)
        Self.merge(block, layout, base)
      }
    }
  }

  /// For each length of run up to half a window, merges the two shorter runs whose second one ends with the newest
  /// block. It stops when there are too few blocks.
  private static func merge(_ block: Int, _ layout: Layout, _ base: UnsafeMutablePointer<Lanes>) {
    for level in 1..<max(1, layout.levels) {
      let (size, back) = (layout.hop << (level - 1), 1 << (level - 1))
      guard block >= back else { return }
      LaneSort.merge(
        base + layout.run(block - back, level: level - 1), base + layout.run(block, level: level - 1), count: size,
        into: base + layout.run(block, level: level))
    }
  }

  /// Calls `body` with the sorted rows of the window that ends with the newest block, for the lanes of one register.
  @inline(__always)
  func withWindow(register: Int, _ body: (SortedRows) -> Void) {
    let (top, newest) = (layout.levels - 1, blockCount - 1)
    runs.withUnsafeBufferPointer { runs in
      let base = runs.baseAddress! + register * layout.count
      body(
        SortedRows(
          first: base + layout.run(newest - (1 << top), level: top), second: base + layout.run(newest, level: top),
          length: layout.hop << top))
    }
  }
}

/// The sorted rows of a window: one sorted run, or two from which ranks are selected without merging.
struct SortedRows {
  let first: UnsafePointer<Lanes>
  let second: UnsafePointer<Lanes>?
  /// The number of rows in a run.
  let length: Int

  var least: Lanes { second.map { first[0].lesser($0[0]) } ?? first[0] }
  var greatest: Lanes { second.map { first[length - 1].greater($0[length - 1]) } ?? first[length - 1] }

  /// The value at a rank, interpolated between two rows.
  func value(at rank: FeaturePlan.Rank) -> Lanes {
    let (lower, upper) = values(atRank: rank.below)
    return lower + (upper - lower) * rank.fraction
  }

  /// The values of ranks `rank` and `rank` + 1 (from 0). For the last rank it is the same value twice.
  func values(atRank rank: Int) -> (Lanes, Lanes) {
    guard let second else { return (first[rank], first[min(rank + 1, length - 1)]) }
    return Self.select(rank, first, second, length: length)
  }

  /// Selects a rank of the runs a and b without merging them. Let i of the smallest rank + 1 values come from a. The
  /// greatest of these values is max(a[i−1], b[rank−i]), and the right i makes it smallest.
  private static func select(
    _ rank: Int, _ first: UnsafePointer<Lanes>, _ second: UnsafePointer<Lanes>, length: Int
  ) -> (Lanes, Lanes) {
    let infinity = Lanes(repeating: .infinity)
    // First take all values from one run, if it has at least rank + 1 values. Then take some from each run.
    var lower = rank < length ? first[rank].lesser(second[rank]) : infinity
    var upper = rank + 1 < length ? first[rank + 1].lesser(second[rank + 1]) : infinity
    var taken = max(1, rank + 1 - length)
    let most = min(rank, length)
    var above = rank + 1 - taken < length ? second[rank + 1 - taken] : infinity
    while taken < most {
      let (mine, other) = (first + taken, second + (rank &- taken))
      lower = lower.lesser(mine[-1].greater(other[0])).lesser(mine[0].greater(other[-1]))
      upper = upper.lesser(mine[-1].greater(above)).lesser(mine[0].greater(other[0]))
      above = other[-1]
      taken &+= 2
    }
    if taken == most {
      let (mine, other) = (first[taken - 1], second[rank - taken])
      lower = lower.lesser(mine.greater(other))
      upper = upper.lesser(mine.greater(above))
      above = other
    }
    if rank < length { upper = upper.lesser(first[rank].greater(above)) }
    return (lower, rank + 1 < 2 * length ? upper : lower)
  }
}
