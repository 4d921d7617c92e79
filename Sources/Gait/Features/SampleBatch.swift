/// Up to sixteen samples on their way into the window, packed together: eight cost little more than one.
///
/// Every lane of a sample depends on that sample and the one before alone, so results do not depend on how a stream falls
/// into batches. The samples are kept in the value itself, so taking one costs no look at who else holds an array.
struct SampleBatch: Sendable {
  /// The most samples in a batch.
  static let size = 16

  private typealias Row = SIMD16<Float>
  private typealias Rows = (Row, Row, Row, Row, Row, Row, Row, Row)

  /// The number of samples in the batch.
  private(set) var count = 0

  let writer: LaneWriter
  /// The sample before the batch, then the batch.
  private var rows: (before: Row, Rows, Rows)
  private var times = SIMD16<Int64>.zero

  init(packing: LanePacking, sampleRate: SampleRate) {
    writer = LaneWriter(packing: packing, sampleRate: sampleRate)
    let zero = Row.zero
    let zeros = (zero, zero, zero, zero, zero, zero, zero, zero)
    rows = (zero, zeros, zeros)
  }

  /// Drops what is in the batch and begins a stream whose first sample will be `row`.
  mutating func restart(before row: SIMD16<Float>) {
    count = 0
    rows.before = row
  }

  /// Takes the next sample.
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

  /// How many samples there are from the last one on at which an angle has passed ±π; `nil` where none has.
  var samplesSinceJump: Int? {
    withUnsafeBytes(of: rows) {
      Self.samplesSinceJump($0.baseAddress!.assumingMemoryBound(to: Row.self) + 1, count: count)
    }
  }

  /// The same of `count` samples of a recording from `first` on, which is not its first.
  static func samplesSinceJump(in recording: Recording, from first: Int, count: Int) -> Int? {
    recording.rows.withUnsafeBufferPointer { samplesSinceJump($0.baseAddress! + first, count: count) }
  }

  /// - Parameter rows: the samples; the one before them stands in front of them.
  private static func samplesSinceJump(_ rows: UnsafePointer<Row>, count: Int) -> Int? {
    @inline(__always)
    func squaredTurn(_ index: Int) -> SIMD4<Float> {
      let place = UnsafeRawPointer(rows + index)
      let turn = place.load(as: SIMD4<Float>.self) - (place - 64).load(as: SIMD4<Float>.self)
      return turn * turn
    }
    let limit = SIMD4<Float>(repeating: .pi * .pi)
    // Mostly there is none, which one look at all of them says.
    var most = SIMD4<Float>.zero
    for index in 0..<count { most = most.greater(squaredTurn(index)) }
    guard any(most .> limit) else { return nil }
    return (0..<count).last { any(squaredTurn($0) .> limit) }.map { count - $0 }
  }

  /// Packs the samples and empties the batch.
  ///
  /// - Parameter place: where their times and lanes go; room for a whole batch.
  /// - Returns: how many samples at the end of the batch are complete; see `LaneWriter`.
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
