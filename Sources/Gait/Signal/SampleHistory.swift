/// The latest samples of a stream, as many as outputs still need.
struct SampleHistory: Sendable {
  /// The samples, the oldest first, with continuous angles.
  private(set) var samples: [MotionSample] = []
  /// Whether attitude angles are computed.
  private let hasAngles: Bool
  /// The number of samples at which old ones are removed.
  private var limit = 0
  /// How long before the latest sample one is still needed, nanoseconds.
  private var span: Int64 = 0
  /// The latest known angles.
  private var angles = SIMD4<Float>.zero

  /// `limit` in filter lengths.
  private static let limitFactor = 4

  init(hasAngles: Bool) {
    self.hasAngles = hasAngles
  }

  /// Sets how many samples are needed: those of a filter of `tapCount` weights, and of `span` nanoseconds.
  mutating func resize(tapCount: Int, span: Double) {
    limit = Self.limitFactor * tapCount
    self.span = Int64(saturating: span)
    samples.reserveCapacity(limit + 1)
  }

  /// Removes all samples before the first one of a new stream.
  mutating func begin(at row: SIMD16<Float>) {
    removeAll()
    angles = row.lowHalf.lowHalf
    for lane in 0..<3 where angles[lane].isNaN { angles[lane] = 0 }
  }

  mutating func removeAll() { samples.removeAll(keepingCapacity: true) }

  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    if samples.count >= limit { trim(before: sample.time.nanoseconds) }
    if hasAngles { continueAngles(into: sample.row) }
    samples.append(sample)
  }

  /// Removes samples that no output needs, once there are several filter lengths of them.
  @inline(never)
  private mutating func trim(before time: Int64) {
    let oldest = time - span
    let kept = samples.firstIndex { $0.time.nanoseconds >= oldest } ?? samples.count
    samples.removeSubrange(0..<kept)
  }

  /// Calls `body` with the samples.
  ///
  /// The buffer is mutable, as a uniqueness check costs less than retaining the array for the call.
  @inline(__always)
  mutating func withBuffer<Result>(_ body: (UnsafeMutableBufferPointer<MotionSample>) -> Result) -> Result {
    samples.withUnsafeMutableBufferPointer { body($0) }
  }

  // MARK: - Angles

  /// Moves the angles of the samples by the whole turns that bring each within π of its next one. Those of the latest sample stay
  /// as they are, so they do not depend on how many samples there are.
  @inline(__always)
  private mutating func continueAngles(into row: SIMD16<Float>) {
    let next = row.lowHalf.lowHalf
    if Angle.isBeyondHalfTurn(next - angles) { turn(towards: next) }
    keepAngles(of: row)
  }

  /// Keeps the angles of a row that is not appended; a missing angle does not replace the last known one.
  @inline(__always)
  mutating func keepAngles(of row: SIMD16<Float>) {
    let next = row.lowHalf.lowHalf
    angles.replace(with: next, where: next .== next)
  }

  @inline(never)
  private mutating func turn(towards next: SIMD4<Float>) {
    for lane in 0..<3 {
      let turns = Angle.turn * ((next[lane] - angles[lane]) / Angle.turn).rounded()
      guard turns.isFinite, turns != 0 else { continue }
      for index in samples.indices { samples[index].row[lane] += turns }
    }
  }
}
