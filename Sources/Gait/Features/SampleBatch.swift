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

  private let writer: LaneWriter
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

  /// Takes the next samples from a recording.
  ///
  /// - Precondition: they do not overfill the batch.
  @inline(__always)
  mutating func append(_ recording: Recording, _ samples: Range<Int>) {
    let index = count
    count = index &+ samples.count
    precondition(count <= Self.size, "a batch takes no more than \(Self.size) samples")
    withUnsafeMutableBytes(of: &times) {
      recording.copyTimes(of: samples, to: $0.baseAddress! + index &* 8)
    }
    withUnsafeMutableBytes(of: &rows) { rows in
      recording.rows.withUnsafeBytes {
        (rows.baseAddress! + (index &+ 1) &* 64)
          .copyMemory(from: $0.baseAddress! + samples.lowerBound &* 64, byteCount: samples.count &* 64)
      }
    }
  }

  /// How many samples there are from the last one on at which an angle has passed ±π; `nil` where none has.
  var samplesSinceJump: Int? {
    withUnsafeBytes(of: rows) { rows in
      @inline(__always)
      func squaredTurn(_ index: Int) -> SIMD4<Float> {
        let turn =
          rows.load(fromByteOffset: index &* 64, as: SIMD4<Float>.self)
          - rows.load(fromByteOffset: (index &- 1) &* 64, as: SIMD4<Float>.self)
        return turn * turn
      }
      let limit = SIMD4<Float>(repeating: .pi * .pi)
      // Mostly there is none, which one look at all of them says.
      var most = SIMD4<Float>.zero
      for index in 0..<count { most = most.greater(squaredTurn(index &+ 1)) }
      guard any(most .> limit) else { return nil }
      return (1...count).last { any(squaredTurn($0) .> limit) }.map { count - $0 + 1 }
    }
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
      var (complete, first) = (0, 0)
      while first < count {
        let packed = min(8, count &- first)
        let whole = writer.pack(rows + first + 1, count: packed, into: place.advanced(by: first))
        complete = whole == packed ? complete &+ packed : whole
        first &+= 8
      }
      rows[0] = rows[count]
      return complete
    }
  }
}
