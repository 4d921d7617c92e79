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
    let step = Int(place)
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
