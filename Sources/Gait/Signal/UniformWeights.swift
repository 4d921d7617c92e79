/// The resampling filter's weights for evenly spaced samples, kept for the phases that come again.
///
/// A phase is how far the newest sample lies behind the output, in nanoseconds. Rates in a simple ratio have few phases
/// (50 Hz to 25 Hz: one, 30 Hz to 25 Hz: five, each perhaps a nanosecond apart from rounding), so most weights are computed
/// once. What is kept changes no result: weights depend on the phase alone.
struct UniformWeights: Sendable {
  /// The number of samples that one output is made from.
  let tapCount: Int

  private let period: Double
  private var phases: [Int64]
  private var table: [Float]
  private static let slotCount = 61

  init(kernel: ResamplingKernel, period: Double) {
    self.period = period
    self.tapCount = Int((2 * kernel.halfLength / period).rounded(.up)) + 2
    self.phases = Array(repeating: .min, count: Self.slotCount)
    self.table = Array(repeating: 0, count: Self.slotCount * tapCount)
  }

  /// The weighted mean of the `tapCount` samples before `end`, by the kernel that the weights were made for.
  ///
  /// - Parameter pair: the sensors whose lanes are wanted, where not all are; the others come out as missing.
  @inline(__always)
  mutating func apply(
    at phase: Int64, toSamplesBefore end: UnsafePointer<MotionSample>, of pair: SensorPair?,
    _ kernel: inout ResamplingKernel
  ) -> SIMD16<Float> {
    let slot = Int(phase.magnitude % UInt64(Self.slotCount))
    if phases[slot] != phase { fill(slot, phase: phase, &kernel) }
    let (tapCount, first) = (tapCount, end - tapCount)
    return table.withUnsafeMutableBufferPointer { table in
      let weights = UnsafePointer(table.baseAddress! + slot * tapCount)
      guard let pair else { return Self.mean(of: first, weights, tapCount) }
      return pair.row(Self.mean(of: pair, in: first, weights, tapCount))
    }
  }

  @inline(__always)
  private static func mean(
    of samples: UnsafePointer<MotionSample>, _ weights: UnsafePointer<Float>, _ tapCount: Int
  ) -> SIMD16<Float> {
    // Two sums, so that no addition waits for the one before.
    var (even, odd) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    // A missing value outside the filter must not reach the output: NaN times 0 would.
    for tap in stride(from: 0, to: tapCount &- 1, by: 2) {
      if weights[tap] != 0 { even += weights[tap] * samples[tap].row }
      if weights[tap &+ 1] != 0 { odd += weights[tap &+ 1] * samples[tap &+ 1].row }
    }
    if !tapCount.isMultiple(of: 2), weights[tapCount &- 1] != 0 {
      even += weights[tapCount &- 1] * samples[tapCount &- 1].row
    }
    return even + odd
  }

  /// The same of two sensors, operation for operation.
  @inline(__always)
  private static func mean(
    of pair: SensorPair, in samples: UnsafePointer<MotionSample>, _ weights: UnsafePointer<Float>, _ tapCount: Int
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    var (even, odd) = ((SIMD4<Float>.zero, SIMD4<Float>.zero), (SIMD4<Float>.zero, SIMD4<Float>.zero))
    var row = UnsafeRawPointer(samples) + rowOffset
    for tap in stride(from: 0, to: tapCount &- 1, by: 2) {
      add(pair.lanes(of: row), times: weights[tap], to: &even)
      add(pair.lanes(of: row + MemoryLayout<MotionSample>.stride), times: weights[tap &+ 1], to: &odd)
      row += 2 &* MemoryLayout<MotionSample>.stride
    }
    if !tapCount.isMultiple(of: 2) { add(pair.lanes(of: row), times: weights[tapCount &- 1], to: &even) }
    return (even.0 + odd.0, even.1 + odd.1)
  }

  @inline(__always)
  private static func add(
    _ lanes: (SIMD4<Float>, SIMD4<Float>), times weight: Float, to sum: inout (SIMD4<Float>, SIMD4<Float>)
  ) {
    guard weight != 0 else { return }
    sum.0 += weight * lanes.0
    sum.1 += weight * lanes.1
  }

  /// Where a sample's row lies in it, bytes.
  @inline(__always)
  private static var rowOffset: Int { MemoryLayout<MotionSample>.offset(of: \.row)! }

  private mutating func fill(_ slot: Int, phase: Int64, _ kernel: inout ResamplingKernel) {
    phases[slot] = phase
    var total: Float = 0
    for tap in 0..<tapCount {
      let weight = kernel.weight(at: Double(phase) - Double(tapCount - 1 - tap) * period)
      table[slot * tapCount + tap] = weight
      total += weight
    }
    for tap in 0..<tapCount { table[slot * tapCount + tap] /= total }
  }
}
