/// The low-pass filter between two sample rates: a sinc under a Kaiser window, as a function of time.
///
/// With *r* the lower of the two rates, the filter passes 0…`passband` and stops frequencies from *r* − `passband` on,
/// which would alias or image into the pass band. The pass band is a fifth of the model's rate (5 Hz for 25 Hz, which
/// covers running), but at most 0.35 *r*, to keep the filter short. Its half-length, which is the delay, is 0.13 s from
/// 50 Hz and more to 25 Hz, and 0.63 s from 10 Hz.
///
/// Design: Kaiser's formulas (Oppenheim & Schafer, *Discrete-Time Signal Processing*, §7.5.3) for 67 dB. That is more
/// than the documented 60 dB, as several images add up. The transition extends slightly into the pass band, which costs
/// 0.8 % of amplitude at its edge and gains 4 dB elsewhere.
struct ResamplingKernel: Sendable {
  private static let attenuation = 67.0
  private static let transitionReach = 1.08
  private static let steps = 4096

  /// The upper edge of the pass band, hertz.
  let passband: Double
  /// Half the filter's length, nanoseconds.
  let halfLength: Double
  /// The argument of the sinc at the filter's end, radians.
  private let halfAngle: Double
  /// The shape parameter of the Kaiser window.
  private let beta: Double
  /// The Kaiser window's maximum before normalisation, I₀(β).
  private let height: Double
  /// The filter at `steps + 1` distances from its middle to its end, computed on first use; NaN until then.
  private var table: [Float]
  private let stepsPerNanosecond: Double

  init(from source: SampleRate, to target: SampleRate) {
    let lower = min(source, target).hertz
    let passband = min(0.2 * target.hertz, 0.35 * lower)
    let transition = Self.transitionReach * (lower - 2 * passband)
    let cutoff = lower - passband - transition / 2
    let halfSeconds = (Self.attenuation - 7.95) / (14.36 * transition) / 2
    self.passband = passband
    halfLength = halfSeconds * 1e9
    stepsPerNanosecond = Double(Self.steps) / halfLength
    halfAngle = 2 * Double.pi * cutoff * halfSeconds
    beta = 0.1102 * (Self.attenuation - 8.7)
    height = besselI0(beta)
    table = Array(repeating: .nan, count: Self.steps + 1)
    table[Self.steps] = 0
  }

  /// The weight of a sample `nanoseconds` before or after the output.
  @inline(__always)
  mutating func weight(at nanoseconds: Double) -> Float {
    let place = nanoseconds.magnitude * stepsPerNanosecond
    guard place < Double(Self.steps) else { return 0 }
    let step = Int(saturating: place)
    let fraction = Float(place - Double(step))
    let (near, next) = table.withUnsafeBufferPointer { ($0[step], $0[step + 1]) }
    // NaN if either value has not been computed.
    let weight = near + fraction * (next - near)
    return weight == weight ? weight : computedWeight(step, fraction)
  }

  /// Computes the missing table values and the weight.
  @inline(never)
  private mutating func computedWeight(_ step: Int, _ fraction: Float) -> Float {
    for index in step...step + 1 where table[index].isNaN { table[index] = value(index) }
    return table[step] + fraction * (table[step + 1] - table[step])
  }

  /// The filter's value at a step of the table.
  private func value(_ step: Int) -> Float {
    let place = Double(step) / Double(Self.steps)
    let x = halfAngle * place
    let kaiser = besselI0(beta * (1 - place * place).squareRoot()) / height
    return Float(kaiser * (x == 0 ? 1 : sine(x) / x))
  }
}

/// The modified Bessel function of the first kind and order 0, by its power series: Σ (x²/4)ᵏ ÷ (k!)².
private func besselI0(_ x: Double) -> Double {
  let square = x * x / 4
  var (term, sum) = (1.0, 1.0)
  for inverse in inverseSquares {
    term *= square * inverse
    sum += term
    if term <= sum * 1e-17 { break }
  }
  return sum
}

/// 1 ÷ k² for k from 1 on, more terms than a Kaiser window of 100 dB needs.
private let inverseSquares: [Double] = (1...60).map { 1 / Double($0 * $0) }

/// A cache of the resampling filter's weights for evenly spaced samples, by phase.
///
/// The phase is the time from the output to the newest sample, in nanoseconds. Rates in a simple ratio have few phases
/// (50 Hz to 25 Hz: one, 30 Hz to 25 Hz: five, apart from rounding by a nanosecond), so most weights are computed once.
/// Weights depend on the phase alone, so the cache does not affect results. Live classification (the workload
/// `classifyLive/50Hz`) is 1.3 times as fast with it.
struct PolyphaseTable: Sendable {
  /// The number of samples that one output can use.
  let tapCount: Int

  private let period: Double
  private var phases: [CachedPhase]
  private var table: [Float]
  private static let phaseCount = 61

  /// The cached weights of one phase.
  private struct CachedPhase {
    var phase: Int64
    /// The range of samples with a weight other than 0.
    var firstTap = 0
    var tapCount = 0
  }

  init(kernel: ResamplingKernel, period: Double) {
    self.period = period
    self.tapCount = Int(saturating: (2 * kernel.halfLength / period).rounded(.up)) + 2
    self.phases = Array(repeating: CachedPhase(phase: .min), count: Self.phaseCount)
    self.table = Array(repeating: 0, count: Self.phaseCount * tapCount)
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
    let index = Int(UInt64(bitPattern: phase) % UInt64(Self.phaseCount))
    if phases[index].phase != phase { fill(index, phase: phase, &kernel) }
    let slot = phases[index]
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
    phases[index] = CachedPhase(phase: phase, firstTap: within.lowerBound, tapCount: within.count)
  }
}

/// The one or two sensors whose lanes are used; a single sensor is stored twice.
struct ActiveSensors: Sendable {
  /// The indices of the sensors' quarters of a row.
  private let quarters: (Int, Int)

  /// `nil` if `sensors` is empty or has more than two.
  init?(_ sensors: Set<Sensor>) {
    let quarters = Sensor.allCases.indices.filter { sensors.contains(Sensor.allCases[$0]) }
    guard 1...2 ~= quarters.count else { return nil }
    self.quarters = (quarters[0], quarters[quarters.count - 1])
  }

  /// The lanes of both sensors in a row.
  @inline(__always)
  func lanes(of row: UnsafeRawPointer) -> (SIMD4<Float>, SIMD4<Float>) {
    (
      row.load(fromByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self),
      row.load(fromByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
    )
  }

  /// Writes a row with these lanes and NaN in all others.
  @inline(__always)
  func write(_ lanes: (SIMD4<Float>, SIMD4<Float>), to row: UnsafeMutableRawPointer) {
    for quarter in 0..<4 {
      row.storeBytes(of: SIMD4(repeating: .nan), toByteOffset: 16 &* quarter, as: SIMD4<Float>.self)
    }
    row.storeBytes(of: lanes.0, toByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self)
    row.storeBytes(of: lanes.1, toByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
  }
}
