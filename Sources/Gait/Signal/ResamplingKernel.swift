/// The low-pass filter between two sample rates: a sinc under a Kaiser window, as a function of time.
///
/// Let *r* be the lower of the two rates. The filter passes 0…`passband` and stops frequencies from *r* − `passband`
/// on, which would alias or image into the pass band. The pass band is a fifth of the model's rate: 5 Hz for 25 Hz,
/// which covers running. It is at most 0.35 *r*, to keep the filter short. The filter's half-length is the delay: 0.13
/// s from 50 Hz and more to 25 Hz, and 0.63 s from 10 Hz.
///
/// Design: Kaiser's formulas (Oppenheim & Schafer, *Discrete-Time Signal Processing*, §7.5.3) for 67 dB. The documented
/// attenuation is 60 dB; the rest is for several images that add up. The transition extends slightly into the pass
/// band. That costs 0.8 % of amplitude at its edge and gains 4 dB elsewhere.
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
  /// The filter at `steps + 1` distances from its middle to its end. A value is NaN until its first use.
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
    // The weight is NaN if one of the two values has not been computed.
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
/// The phase is the time from the output to the newest sample, in nanoseconds. Rates in a simple ratio have few phases:
/// 50 Hz to 25 Hz has one; 30 Hz to 25 Hz has five, apart from rounding by a nanosecond. Most weights are therefore
/// computed once. Weights depend on the phase alone, so the cache does not affect results.
struct PolyphaseTable: Sendable {
  /// The number of samples that one output can use.
  let tapCount: Int

  private let period: Double
  private var phases: [CachedPhase]
  private var table: [Float]
  private static let phaseCount = 61

  /// The taps with a weight other than 0: the distance of the first one from the end, its offset in the table, and
  /// their number.
  ///
  /// Other taps are skipped, because a missing value times 0 is NaN.
  private typealias Taps = (first: Int, offset: Int, count: Int)
  /// The latest phase, which is checked first: many pairs of rates have only one.
  private var latestPhase = Int64.min
  private var latestTaps = Taps(0, 0, 0)

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

  /// The weighted mean of some sensors in the `tapCount` rows before `end`, which are `stride` bytes apart. `kernel`
  /// must be the one given to `init`. The mean of a sensor does not depend on the other sensors.
  @inline(__always)
  mutating func mean<Sensors: WeightedSensors>(
    of sensors: Sensors, at phase: Int64, inRowsBefore end: UnsafeRawPointer, stride: Int,
    _ kernel: inout ResamplingKernel
  ) -> Sensors.Lanes {
    if phase != latestPhase { (latestPhase, latestTaps) = (phase, taps(at: phase, &kernel)) }
    let (first, offset, count) = latestTaps
    return table.withUnsafeBufferPointer {
      Self.mean(of: sensors, in: end - first &* stride, stride, $0.baseAddress! + offset, count)
    }
  }

  @inline(never)
  private mutating func taps(at phase: Int64, _ kernel: inout ResamplingKernel) -> Taps {
    let index = Int(UInt64(bitPattern: phase) % UInt64(Self.phaseCount))
    if phases[index].phase != phase { fill(index, phase: phase, &kernel) }
    let slot = phases[index]
    return (tapCount &- slot.firstTap, index &* tapCount &+ slot.firstTap, slot.tapCount)
  }

  @inline(__always)
  private static func mean<Sensors: WeightedSensors>(
    of sensors: Sensors, in rows: UnsafeRawPointer, _ stride: Int, _ weights: UnsafePointer<Float>, _ count: Int
  ) -> Sensors.Lanes {
    // Use two accumulators, so that no sum waits for the one before.
    var (even, odd) = (sensors.zero, sensors.zero)
    var (row, tap) = (rows, 0)
    while tap < count &- 1 {
      sensors.add(row, times: weights[tap], to: &even)
      sensors.add(row + stride, times: weights[tap &+ 1], to: &odd)
      row += 2 &* stride
      tap &+= 2
    }
    if tap < count { sensors.add(row, times: weights[tap], to: &even) }
    return sensors.sum(even, odd)
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

/// Sensors whose weighted means are computed.
protocol WeightedSensors {
  /// The values of the sensors.
  associatedtype Lanes
  var zero: Lanes { get }
  /// Adds the lanes of the row at `row` times `weight`.
  func add(_ row: UnsafeRawPointer, times weight: Float, to sum: inout Lanes)
  func sum(_ one: Lanes, _ other: Lanes) -> Lanes
  /// A row with these lanes and NaN in all others.
  func row(_ lanes: Lanes) -> SIMD16<Float>
}

/// All four sensors.
struct AllSensors: WeightedSensors {
  @inline(__always)
  var zero: SIMD16<Float> { .zero }

  @inline(__always)
  func add(_ row: UnsafeRawPointer, times weight: Float, to sum: inout SIMD16<Float>) {
    sum += weight * row.load(as: SIMD16<Float>.self)
  }

  @inline(__always)
  func sum(_ one: SIMD16<Float>, _ other: SIMD16<Float>) -> SIMD16<Float> { one + other }

  @inline(__always)
  func row(_ lanes: SIMD16<Float>) -> SIMD16<Float> { lanes }
}

/// Gravity, rotation rate and user acceleration.
struct AllButAttitude: WeightedSensors {
  typealias Lanes = (gravity: SIMD4<Float>, others: SIMD8<Float>)

  @inline(__always)
  var zero: Lanes { (.zero, .zero) }

  @inline(__always)
  func add(_ row: UnsafeRawPointer, times weight: Float, to sum: inout Lanes) {
    sum.gravity += weight * row.load(fromByteOffset: 16, as: SIMD4<Float>.self)
    sum.others += weight * row.load(fromByteOffset: 32, as: SIMD8<Float>.self)
  }

  @inline(__always)
  func sum(_ one: Lanes, _ other: Lanes) -> Lanes { (one.gravity + other.gravity, one.others + other.others) }

  @inline(__always)
  func row(_ lanes: Lanes) -> SIMD16<Float> {
    SIMD16(lowHalf: SIMD8(lowHalf: SIMD4(repeating: .nan), highHalf: lanes.gravity), highHalf: lanes.others)
  }
}

/// One or two sensors. A single one takes both places of `Lanes`.
struct ActiveSensors: WeightedSensors, Sendable {
  typealias Lanes = (SIMD4<Float>, SIMD4<Float>)

  /// The indices of the sensors' quarters of a row.
  private let quarters: (Int, Int)

  /// `nil` if `sensors` is empty or has more than two.
  init?(_ sensors: Set<Sensor>) {
    let quarters = Sensor.allCases.indices.filter { sensors.contains(Sensor.allCases[$0]) }
    guard 1...2 ~= quarters.count else { return nil }
    self.quarters = (quarters[0], quarters[quarters.count - 1])
  }

  @inline(__always)
  var zero: Lanes { (.zero, .zero) }

  @inline(__always)
  func add(_ row: UnsafeRawPointer, times weight: Float, to sum: inout Lanes) {
    sum.0 += weight * row.load(fromByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self)
    sum.1 += weight * row.load(fromByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
  }

  @inline(__always)
  func sum(_ one: Lanes, _ other: Lanes) -> Lanes { (one.0 + other.0, one.1 + other.1) }

  @inline(__always)
  func row(_ lanes: Lanes) -> SIMD16<Float> {
    var row = SIMD16<Float>.zero
    withUnsafeMutableBytes(of: &row) { write(lanes, to: $0.baseAddress!) }
    return row
  }

  /// Writes a row with these lanes and NaN in all others.
  @inline(__always)
  func write(_ lanes: Lanes, to row: UnsafeMutableRawPointer) {
    for quarter in 0..<4 {
      row.storeBytes(of: SIMD4(repeating: .nan), toByteOffset: 16 &* quarter, as: SIMD4<Float>.self)
    }
    row.storeBytes(of: lanes.0, toByteOffset: 16 &* quarters.0, as: SIMD4<Float>.self)
    row.storeBytes(of: lanes.1, toByteOffset: 16 &* quarters.1, as: SIMD4<Float>.self)
  }
}
