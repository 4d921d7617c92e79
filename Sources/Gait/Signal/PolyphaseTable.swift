/// A cache of the resampling filter's weights for evenly spaced samples, by phase.
///
/// The phase is the time from the output to the newest sample, in nanoseconds. Rates in a simple ratio have few phases
/// (50 Hz to 25 Hz: one, 30 Hz to 25 Hz: five, apart from rounding by a nanosecond), so most weights are computed once.
/// Weights depend on the phase alone, so the cache does not affect results.
struct PolyphaseTable: Sendable {
  /// The number of samples that one output can use.
  let tapCount: Int

  private let period: Double
  private var slots: [Slot]
  private var table: [Float]
  private static let slotCount = 61

  /// The cached weights of one phase.
  private struct Slot {
    var phase: Int64
    /// The range of samples with a weight other than 0.
    var firstTap = 0
    var tapCount = 0
  }

  init(kernel: ResamplingKernel, period: Double) {
    self.period = period
    self.tapCount = Int((2 * kernel.halfLength / period).rounded(.up)) + 2
    self.slots = Array(repeating: Slot(phase: .min), count: Self.slotCount)
    self.table = Array(repeating: 0, count: Self.slotCount * tapCount)
  }

  /// The weighted mean of the `tapCount` rows before `end`, which are `stride` bytes apart. `kernel` must be that of
  /// `init`.
  @inline(__always)
  mutating func mean(
    at phase: Int64, ofRowsBefore end: UnsafeRawPointer, stride: Int, _ kernel: inout ResamplingKernel
  ) -> SIMD16<Float> {
    let (first, offset, count) = taps(at: phase, &kernel)
    return table.withUnsafeBufferPointer {
      Self.mean(of: end - first &* stride, stride, $0.baseAddress! + offset, count)
    }
  }

  /// The same for one or two sensors, with the same operations in the same order.
  @inline(__always)
  mutating func mean(
    of sensors: ActiveSensors, at phase: Int64, inRowsBefore end: UnsafeRawPointer, stride: Int,
    _ kernel: inout ResamplingKernel
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    let (first, offset, count) = taps(at: phase, &kernel)
    return table.withUnsafeBufferPointer {
      Self.mean(of: sensors, in: end - first &* stride, stride, $0.baseAddress! + offset, count)
    }
  }

  /// The taps with a weight other than 0: the first one's distance from the end, its offset in the table, and their
  /// number.
  ///
  /// Other taps are skipped, as a missing value times 0 is NaN.
  @inline(__always)
  private mutating func taps(
    at phase: Int64, _ kernel: inout ResamplingKernel
  ) -> (first: Int, offset: Int, count: Int) {
    let index = Int(UInt64(bitPattern: phase) % UInt64(Self.slotCount))
    if slots[index].phase != phase { fill(index, phase: phase, &kernel) }
    let slot = slots[index]
    return (tapCount &- slot.firstTap, index &* tapCount &+ slot.firstTap, slot.tapCount)
  }

  @inline(__always)
  private static func mean(
    of rows: UnsafeRawPointer, _ stride: Int, _ weights: UnsafePointer<Float>, _ count: Int
  ) -> SIMD16<Float> {
    // Two accumulators shorten the dependency chain.
    var (even, odd) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    var (row, tap) = (rows, 0)
    while tap < count &- 1 {
      even += weights[tap] * row.load(as: SIMD16<Float>.self)
      odd += weights[tap &+ 1] * (row + stride).load(as: SIMD16<Float>.self)
      row += 2 &* stride
      tap &+= 2
    }
    if tap < count { even += weights[tap] * row.load(as: SIMD16<Float>.self) }
    return even + odd
  }

  @inline(__always)
  private static func mean(
    of sensors: ActiveSensors, in rows: UnsafeRawPointer, _ stride: Int, _ weights: UnsafePointer<Float>, _ count: Int
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    var (even, odd) = ((SIMD4<Float>.zero, SIMD4<Float>.zero), (SIMD4<Float>.zero, SIMD4<Float>.zero))
    var (row, tap) = (rows, 0)
    while tap < count &- 1 {
      add(sensors.lanes(of: row), times: weights[tap], to: &even)
      add(sensors.lanes(of: row + stride), times: weights[tap &+ 1], to: &odd)
      row += 2 &* stride
      tap &+= 2
    }
    if tap < count { add(sensors.lanes(of: row), times: weights[tap], to: &even) }
    return (even.0 + odd.0, even.1 + odd.1)
  }

  @inline(__always)
  private static func add(
    _ lanes: (SIMD4<Float>, SIMD4<Float>), times weight: Float, to sum: inout (SIMD4<Float>, SIMD4<Float>)
  ) {
    sum.0 += weight * lanes.0
    sum.1 += weight * lanes.1
  }

  private mutating func fill(_ index: Int, phase: Int64, _ kernel: inout ResamplingKernel) {
    let start = index * tapCount
    var total: Float = 0
    var within = tapCount..<tapCount
    for tap in 0..<tapCount {
      let weight = kernel.weight(at: Double(phase) - Double(tapCount - 1 - tap) * period)
      table[start + tap] = weight
      total += weight
      if weight != 0 { within = min(within.lowerBound, tap)..<tap + 1 }
    }
    for tap in within { table[start + tap] /= total }
    slots[index] = Slot(phase: phase, firstTap: within.lowerBound, tapCount: within.count)
  }
}
