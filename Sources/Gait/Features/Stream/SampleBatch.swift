/// Up to sixteen successive samples of a stream, which its users take several at a time: packing eight samples costs
/// little more than packing one.
///
/// A sample's lanes depend only on that sample and the previous one, so results do not depend on where batches end. The
/// samples are stored inline, because an array would check its uniqueness for each of them.
struct SampleBatch: Sendable {
  /// The most samples in a batch.
  static let size = 16

  typealias Row = SIMD16<Float>
  private typealias Rows = (Row, Row, Row, Row, Row, Row, Row, Row)

  /// The number of samples in the batch.
  private(set) var count = 0
  /// The number of samples until some of the batch are to be taken.
  private(set) var remaining = 0
  /// The latest time of a next sample that continues the stream, nanoseconds.
  private var latestNext = Int64.min
  private let longestStep: Int64

  /// The previous sample, then the batch, and room for reads of eight rows at a time.
  private var rows: (before: Row, Rows, Rows, room: Rows)
  /// The times, and room for reads of sixteen at a time.
  private var times = (SIMD16<Int64>.zero, room: SIMD16<Int64>.zero)

  /// An empty batch of a stream at `sampleRate`.
  init(sampleRate: SampleRate) {
    longestStep = Resampler.longestOutputStep(at: sampleRate)
    let zero = Row.zero
    let zeros = (zero, zero, zero, zero, zero, zero, zero, zero)
    rows = (zero, zeros, zeros, zeros)
  }

  /// The time of the latest sample; `nil` before the first.
  var latestTime: SampleTime? {
    latestNext == .min ? nil : SampleTime(nanoseconds: latestNext - longestStep)
  }

  /// Whether a sample at `time` continues the stream; `false` after a gap and for the first sample.
  @inline(__always)
  func continues(to time: SampleTime) -> Bool { time.nanoseconds <= latestNext }

  /// Whether samples are missing in a step from sample to sample, in nanoseconds.
  func isGap(_ step: Int64) -> Bool { step > longestStep }

  /// Empties the batch, and sets `row` as the sample before its first one.
  mutating func restart(before row: SIMD16<Float>) {
    count = 0
    rows.before = row
  }

  /// Sets that samples are to be taken when the batch is full, or after `added` further samples.
  mutating func expect(_ added: Int) { remaining = min(Self.size - count, added) }

  /// Whether there is no room for another sample.
  var isFull: Bool { count == Self.size }

  /// Appends a sample; returns whether samples are to be taken. `expect` must follow then.
  @inline(__always)
  mutating func append(_ sample: MotionSample) -> Bool {
    let index = count
    count = index &+ 1
    latestNext = sample.time.nanoseconds &+ longestStep
    withUnsafeMutableBytes(of: &times) {
      $0.baseAddress!.storeBytes(of: sample.time.nanoseconds, toByteOffset: index &* 8, as: Int64.self)
    }
    withUnsafeMutableBytes(of: &rows) {
      $0.baseAddress!.storeBytes(of: sample.row, toByteOffset: (index &+ 1) &* 64, as: Row.self)
    }
    remaining &-= 1
    return remaining == 0
  }

  /// Appends rows from index `first` on, spaced by `period` nanoseconds after the latest sample, until samples
  /// are to be taken; returns their number.
  mutating func append(contentsOf source: [SIMD16<Float>], from first: Int, period: Int64) -> Int {
    let (index, added) = (count, min(remaining, source.count - first))
    var time = latestNext - longestStep
    withUnsafeMutableBytes(of: &times) { times in
      for place in index..<index + added {
        time &+= period
        times.storeBytes(of: time, toByteOffset: place &* 8, as: Int64.self)
      }
    }
    withUnsafeMutableBytes(of: &rows) { rows in
      source.withUnsafeBytes { source in
        (rows.baseAddress! + (index + 1) * 64).copyMemory(from: source.baseAddress! + first * 64, byteCount: added * 64)
      }
    }
    (count, remaining, latestNext) = (index + added, remaining - added, time + longestStep)
    return added
  }

  /// Calls `body` with the samples from index `first` on: their rows, preceded in memory by the previous sample, and
  /// their times. Eight rows and sixteen times may be read from any of them on.
  ///
  /// It is mutating because reading the rows in place copies nothing.
  @inline(__always)
  mutating func withSamples<Result>(
    from first: Int = 0, _ body: (UnsafePointer<Row>, UnsafePointer<Int64>) -> Result
  ) -> Result {
    withUnsafeMutableBytes(of: &rows) { rows in
      withUnsafeMutableBytes(of: &times) { times in
        body(
          UnsafePointer(rows.baseAddress!.assumingMemoryBound(to: Row.self) + (first + 1)),
          UnsafePointer(times.baseAddress!.assumingMemoryBound(to: Int64.self) + first))
      }
    }
  }

  /// Empties the batch after its samples were taken. The last one is kept as the sample before the next batch.
  mutating func empty() {
    let last = count
    count = 0
    withUnsafeMutableBytes(of: &rows) { rows in
      let rows = rows.baseAddress!.assumingMemoryBound(to: Row.self)
      rows[0] = rows[last]
    }
  }

  /// The number of samples since an angle last crossed ±π, that sample included; `nil` if none did from index `first`
  /// on.
  mutating func samplesSinceJump(from first: Int = 0) -> Int? {
    let count = count - first
    return withSamples(from: first) { rows, _ in
      @inline(__always)
      func squaredTurn(_ index: Int) -> SIMD4<Float> {
        let turn = rows[index].lowHalf.lowHalf - rows[index &- 1].lowHalf.lowHalf
        return turn * turn
      }
      let limit = SIMD4<Float>(repeating: .pi * .pi)
      // The largest step of any angle, which shows that no angle jumps, as is usual.
      var most = SIMD4<Float>.zero
      for index in 0..<count { most = most.greater(squaredTurn(index)) }
      guard any(most .> limit) else { return nil }
      return (0..<count).last { any(squaredTurn($0) .> limit) }.map { count - $0 }
    }
  }
}
