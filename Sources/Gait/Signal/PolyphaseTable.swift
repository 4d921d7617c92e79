/// The resampling filter's weights for evenly spaced samples, kept for the phases that come again.
///
/// A phase is how far the newest sample lies behind the output, in nanoseconds. Rates in a simple ratio have few phases
/// (50 Hz to 25 Hz: one, 30 Hz to 25 Hz: five, each perhaps a nanosecond apart from rounding), so most weights are computed
/// once. What is kept changes no result: weights depend on the phase alone.
struct PolyphaseTable: Sendable {
  /// The number of samples that one output is made from.
  let tapCount: Int

  private let period: Double
  private var slots: [Slot]
  private var table: [Float]
  private static let slotCount = 61

  /// What is known of one phase.
  private struct Slot {
    var phase: Int64
    /// The samples within the filter.
    var firstTap = 0
    var tapCount = 0
  }

  init(kernel: ResamplingKernel, period: Double) {
    self.period = period
    self.tapCount = Int((2 * kernel.halfLength / period).rounded(.up)) + 2
    self.slots = Array(repeating: Slot(phase: .min), count: Self.slotCount)
    self.table = Array(repeating: 0, count: Self.slotCount * tapCount)
  }

  /// The weighted mean of the `tapCount` rows before `end`, one every `stride` bytes, by the kernel that the weights were
  /// made for.
  @inline(__always)
  mutating func mean(
    at phase: Int64, ofRowsBefore end: UnsafeRawPointer, stride: Int, _ kernel: inout ResamplingKernel
  ) -> SIMD16<Float> {
    let (first, offset, count) = taps(at: phase, &kernel)
    return table.withUnsafeBufferPointer {
      Self.mean(of: end - first &* stride, stride, $0.baseAddress! + offset, count)
    }
  }

  /// The same of two sensors, operation for operation.
  @inline(__always)
  mutating func mean(
    of pair: ActiveSensors, at phase: Int64, inRowsBefore end: UnsafeRawPointer, stride: Int,
    _ kernel: inout ResamplingKernel
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    let (first, offset, count) = taps(at: phase, &kernel)
    return table.withUnsafeBufferPointer {
      Self.mean(of: pair, in: end - first &* stride, stride, $0.baseAddress! + offset, count)
    }
  }

  /// The samples within the filter: how many before the end the first stands, where its weight is in the table, and how
  /// many they are. A missing value outside the filter must not reach the output, as NaN times 0 would.
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
    // Two sums, so that no addition waits for the one before.
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
    of pair: ActiveSensors, in rows: UnsafeRawPointer, _ stride: Int, _ weights: UnsafePointer<Float>, _ count: Int
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    var (even, odd) = ((SIMD4<Float>.zero, SIMD4<Float>.zero), (SIMD4<Float>.zero, SIMD4<Float>.zero))
    var (row, tap) = (rows, 0)
    while tap < count &- 1 {
      add(pair.lanes(of: row), times: weights[tap], to: &even)
      add(pair.lanes(of: row + stride), times: weights[tap &+ 1], to: &odd)
      row += 2 &* stride
      tap &+= 2
    }
    if tap < count { add(pair.lanes(of: row), times: weights[tap], to: &even) }
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
