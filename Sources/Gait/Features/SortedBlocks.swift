/// The sorted halves of overlapping windows, so that each row is sorted once and not once a window.
///
/// Where the hop is a power of two and the window twice, four times … the hop, every block of a hop's rows is sorted when
/// it is complete, blocks are merged in pairs up to half a window, and what a later window needs again is kept.
struct SortedBlocks: Sendable {
  private let places: Places
  /// For each part of the lanes, and in it for each level, a ring of sorted runs.
  private var runs: [Lanes]
  private var blockCount = 0

  /// Where a part's sorted runs stand: level 0 holds blocks, each level above it runs twice as long.
  private struct Places: Sendable {
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

    /// Where `level` begins: the newest run, and as many before it as the next level reaches back, on each level below.
    private static func offset(_ level: Int, hop: Int) -> Int {
      // Σ (2ˡ + 1) · 2ˡ · hop
      let size = 1 << level
      return (((size * size - 1) / 3) + size - 1) * hop
    }

    /// Where the run of `level` that ends with `block` stands.
    func run(_ block: Int, level: Int) -> Int {
      Self.offset(level, hop: hop) + block % ((1 << level) + 1) * (hop << level)
    }
  }

  /// Whether windows of `length` every `hop` rows can share sorted blocks.
  static func serves(length: Int, hop: Int) -> Bool {
    func isPowerOfTwo(_ value: Int) -> Bool { value & (value - 1) == 0 }
    return hop >= 8 && length > hop && isPowerOfTwo(hop) && isPowerOfTwo(length)
  }

  /// The blocks of windows of `length` every `hop` rows, in `parts` parts.
  init(length: Int, hop: Int, parts: Int) {
    places = Places(length: length, hop: hop)
    runs = Array(repeating: .zero, count: parts * places.count)
  }

  /// Takes the rows of the next block, as `PartRows` serves them, and sorts what they complete, in those of `parts` that
  /// need their order.
  mutating func append(_ rows: PartRows, _ parts: [FeaturePlan.Part]) {
    blockCount += 1
    let (places, block) = (places, blockCount - 1)
    runs.withUnsafeMutableBufferPointer { runs in
      for part in parts where part.needs.contains(.order) {
        let base = runs.baseAddress! + part.register * places.count
        let newest = base + places.run(block, level: 0)
        var (next, stride) = rows.rows(of: part)
        for row in 0..<places.hop {
          newest[row] = next.pointee
          next += stride
        }
        LaneSort.sort(newest, count: places.hop)
        Self.merge(block, places, base)
      }
    }
  }

  /// Merges the newest block with those before it, as far as there are any.
  private static func merge(_ block: Int, _ places: Places, _ base: UnsafeMutablePointer<Lanes>) {
    for level in 1..<max(1, places.levels) {
      let (size, back) = (places.hop << (level - 1), 1 << (level - 1))
      guard block >= back else { return }
      let merged = base + places.run(block, level: level)
      merged.update(from: base + places.run(block - back, level: level - 1), count: size)
      (merged + size).update(from: base + places.run(block, level: level - 1), count: size)
      LaneSort.merge(merged, count: 2 * size)
    }
  }

  /// Calls `body` with the sorted rows of the window that the newest block closes, in one part.
  @inline(__always)
  func withWindow(register: Int, _ body: (SortedRows) -> Void) {
    let (top, newest) = (places.levels - 1, blockCount - 1)
    runs.withUnsafeBufferPointer { runs in
      let base = runs.baseAddress! + register * places.count
      body(
        SortedRows(
          first: base + places.run(newest - (1 << top), level: top), second: base + places.run(newest, level: top),
          length: places.hop << top))
    }
  }
}
