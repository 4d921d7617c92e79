/// The sorted halves of overlapping windows, so that each row is sorted once instead of once for every window.
///
/// The hop must be a power of two, and the window a larger power of two. Every block of a hop's rows is sorted when it
/// is complete. Blocks are merged in pairs up to half a window, and runs that later windows need are kept.
struct SortedBlocks: Sendable {
  private let layout: Layout
  /// For each part, and in it for each level, a ring of sorted runs.
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

    /// The offset of `level`. Each level l below it has 2ˡ + 1 runs: the newest one and as many as the next level
    /// reaches back.
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

  /// Sorts the next block in those of `parts` that need sorted rows, and merges the runs that it completes.
  mutating func append(_ rows: PartRows, _ parts: [FeaturePlan.Part]) {
    blockCount += 1
    let (layout, block) = (layout, blockCount - 1)
    runs.withUnsafeMutableBufferPointer { runs in
      for part in parts where part.needs.contains(.order) {
        let base = runs.baseAddress! + part.register * layout.count
        let newest = base + layout.run(block, level: 0)
        var (next, stride) = rows.rows(of: part)
        for row in 0..<layout.hop {
          newest[row] = next.pointee
          next += stride
        }
        LaneSort.sort(newest, count: layout.hop)
        Self.merge(block, layout, base)
      }
    }
  }

  /// Merges the newest block with the previous ones, as far as they exist.
  private static func merge(_ block: Int, _ layout: Layout, _ base: UnsafeMutablePointer<Lanes>) {
    for level in 1..<max(1, layout.levels) {
      let (size, back) = (layout.hop << (level - 1), 1 << (level - 1))
      guard block >= back else { return }
      let merged = base + layout.run(block, level: level)
      merged.update(from: base + layout.run(block - back, level: level - 1), count: size)
      (merged + size).update(from: base + layout.run(block, level: level - 1), count: size)
      LaneSort.merge(merged, count: 2 * size)
    }
  }

  /// Calls `body` with one part's sorted rows of the window that ends with the newest block.
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
