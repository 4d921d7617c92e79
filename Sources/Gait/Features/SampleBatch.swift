/// Up to sixteen samples that are packed into the window together, as eight cost little more than one.
///
/// A sample's lanes depend only on that sample and the previous one, so results do not depend on the batch boundaries.
/// The samples are stored inline, which avoids an array's uniqueness check.
struct SampleBatch: Sendable {
  /// The most samples in a batch.
  static let size = 16

  private typealias Row = SIMD16<Float>
  private typealias Rows = (Row, Row, Row, Row, Row, Row, Row, Row)

  /// The number of samples in the batch.
  private(set) var count = 0

  let writer: LaneWriter
  /// The previous sample, then the batch.
  private var rows: (before: Row, Rows, Rows)
  private var times = SIMD16<Int64>.zero

  init(packing: LanePacking, sampleRate: SampleRate) {
    writer = LaneWriter(packing: packing, sampleRate: sampleRate)
    let zero = Row.zero
    let zeros = (zero, zero, zero, zero, zero, zero, zero, zero)
    rows = (zero, zeros, zeros)
  }

  /// Empties the batch and sets `row` as the sample before its first one.
  mutating func restart(before row: SIMD16<Float>) {
    count = 0
    rows.before = row
  }

  /// Appends a sample.
  ///
  /// - Precondition: the batch is not full.
  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    let index = count
    count = index &+ 1
    withUnsafeMutableBytes(of: &times) {
      $0.baseAddress!.storeBytes(of: sample.time.nanoseconds, toByteOffset: index &* 8, as: Int64.self)
    }
    withUnsafeMutableBytes(of: &rows) {
      $0.baseAddress!.storeBytes(of: sample.row, toByteOffset: (index &+ 1) &* 64, as: Row.self)
    }
  }

  /// The number of samples since an angle last crossed ±π, that sample included; `nil` if none did.
  var samplesSinceJump: Int? {
    withUnsafeBytes(of: rows) {
      Self.samplesSinceJump($0.baseAddress!.assumingMemoryBound(to: Row.self) + 1, count: count)
    }
  }

  /// The same for `count` samples of a recording from `first` on, which must be 1 at least.
  static func samplesSinceJump(in recording: Recording, from first: Int, count: Int) -> Int? {
    recording.rows.withUnsafeBufferPointer { samplesSinceJump($0.baseAddress! + first, count: count) }
  }

  /// - Parameter rows: the samples, preceded in memory by the previous sample.
  private static func samplesSinceJump(_ rows: UnsafePointer<Row>, count: Int) -> Int? {
    @inline(__always)
    func squaredTurn(_ index: Int) -> SIMD4<Float> {
      let place = UnsafeRawPointer(rows + index)
      let turn = place.load(as: SIMD4<Float>.self) - (place - 64).load(as: SIMD4<Float>.self)
      return turn * turn
    }
    let limit = SIMD4<Float>(repeating: .pi * .pi)
    // Usually no angle jumps; the largest of all steps shows that.
    var most = SIMD4<Float>.zero
    for index in 0..<count { most = most.greater(squaredTurn(index)) }
    guard any(most .> limit) else { return nil }
    return (0..<count).last { any(squaredTurn($0) .> limit) }.map { count - $0 }
  }

  /// Packs the samples and empties the batch.
  ///
  /// - Parameter place: the destination of times and lanes; room for a whole batch.
  /// - Returns: the number of complete samples at the end of the batch; see `LaneWriter`.
  mutating func pack(into place: MutableLaneWindow) -> Int {
    let (count, writer) = (count, writer)
    self.count = 0
    UnsafeMutableRawPointer(place.times).storeBytes(of: times, as: SIMD16<Int64>.self)
    return withUnsafeMutableBytes(of: &rows) { rows in
      let rows = rows.baseAddress!.assumingMemoryBound(to: Row.self)
      let complete = writer.pack(rows + 1, upTo: count, into: place)
      rows[0] = rows[count]
      return complete
    }
  }
}
