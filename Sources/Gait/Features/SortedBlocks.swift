/// The sorted halves of overlapping windows, so that each row is sorted once and not once a window.
///
/// Where the hop is a power of two and the window twice, four times … the hop, every block of a hop's rows is sorted when
/// it is complete, blocks are merged in pairs up to half a window, and what a later window needs again is kept.
struct SortedBlocks: Sendable {
  /// Rows in a block.
  var hop: Int { places.hop }

  private let places: Places
  private let sort: LaneSort
  /// For each level above the first, the merge that makes its runs.
  private let merges: [LaneSort]
  /// For each level, a ring of sorted runs, one level after another.
  private var runs: [LaneGroup]
  private var blockCount = 0

  /// Where the sorted runs stand: level 0 holds blocks, each level above it runs twice as long.
  private struct Places: Sendable {
    let hop: Int
    let offsets: [Int]
    let count: Int

    init(length: Int, hop: Int) {
      var (size, count) = (hop, 0)
      var offsets: [Int] = []
      while size < length {
        offsets.append(count)
        // The newest run, and as many before it as the next level reaches back.
        count += (size / hop + 1) * size
        size *= 2
      }
      self.hop = hop
      self.offsets = offsets
      self.count = count
    }

    /// Where the run of `level` that ends with `block` stands.
    func run(_ block: Int, level: Int) -> Int {
      offsets[level] + block % ((1 << level) + 1) * (hop << level)
    }
  }

  /// Whether windows of `length` every `hop` rows can share sorted blocks.
  static func serves(length: Int, hop: Int) -> Bool {
    func isPowerOfTwo(_ value: Int) -> Bool { value & (value - 1) == 0 }
    return hop >= 8 && length > hop && isPowerOfTwo(hop) && isPowerOfTwo(length)
  }

  init(length: Int, hop: Int) {
    places = Places(length: length, hop: hop)
    sort = LaneSort(sorting: hop)
    merges = places.offsets.indices.map { LaneSort(merging: max(2, hop << $0)) }
    runs = Array(repeating: .zero, count: places.count)
  }

  /// Takes the rows of the next block, `stride` groups apart, and sorts what they complete.
  mutating func append(_ rows: UnsafePointer<LaneGroup>, stride: Int) {
    let (places, block, sort, merges) = (places, blockCount, sort, merges)
    blockCount += 1
    runs.withUnsafeMutableBufferPointer { runs in
      let base = runs.baseAddress!
      let newest = base + places.run(block, level: 0)
      for row in 0..<places.hop { newest[row] = rows[row * stride] }
      sort(newest)
      for level in places.offsets.indices.dropFirst() {
        let (size, back) = (places.hop << (level - 1), 1 << (level - 1))
        guard block >= back else { return }
        let merged = base + places.run(block, level: level)
        merged.update(from: base + places.run(block - back, level: level - 1), count: size)
        (merged + size).update(from: base + places.run(block, level: level - 1), count: size)
        merges[level](merged)
      }
    }
  }

  /// The value of rank `rank` (from 0) in the window that the newest block closes.
  func value(atRank rank: Int) -> LaneGroup {
    let top = places.offsets.count - 1
    let newest = blockCount - 1
    return runs.withUnsafeBufferPointer { runs in
      let base = runs.baseAddress!
      return LaneSort.select(
        rank, base + places.run(newest - (1 << top), level: top), base + places.run(newest, level: top),
        length: places.hop << top)
    }
  }
}
