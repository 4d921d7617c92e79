import Foundation

/// A Butterworth low-pass filter that runs over a signal forwards and backwards, so that nothing is delayed.
///
/// It shares no code with Gait's filters, so that they are judged independently of their own code.
///
/// Source: the design by the bilinear transform with frequencies warped before it, and Gustafsson's start in the steady
/// state after an odd extension, as in SciPy's `butter` and `sosfiltfilt`.
struct ZeroPhaseFilter {
  /// Second-order sections, in the order in which a signal passes them.
  private let sections: [Section]

  /// - Parameters:
  ///   - cutoff: the frequency at which one pass halves the power, hertz.
  ///   - order: an even number.
  init(lowPass cutoff: Double, order: Int, sampleRate: Double) {
    let warped = tan(.pi * cutoff / sampleRate)
    // The poles of the analogue filter, without their conjugates.
    sections = (0..<order / 2).map { index in
      let angle = Double.pi * Double(2 * index + order + 1) / Double(2 * order)
      return Section(pole: Complex(warped * cos(angle), warped * sin(angle)))
    }
  }

  /// The filtered signal, of the same length. A signal that is too short for the filter's start is returned unchanged.
  func filtered(_ signal: [Double]) -> [Double] {
    let extra = 3 * (2 * sections.count + 1)
    guard signal.count > extra, let first = signal.first, let last = signal.last else { return signal }
    var values = (1...extra).reversed().map { 2 * first - signal[$0] } + signal
    values += (1...extra).map { 2 * last - signal[signal.count - 1 - $0] }
    for _ in 0..<2 {
      pass(&values)
      values.reverse()
    }
    return Array(values[extra..<values.count - extra])
  }

  private func pass(_ values: inout [Double]) {
    var level = values[0]
    for section in sections {
      var state = section.steadyState(of: level)
      level *= section.gainAtRest
      for index in values.indices { values[index] = state.next(values[index], section) }
    }
  }
}

// MARK: Sections

/// A second-order section: a pair of conjugate poles and two zeros.
private struct Section {
  let numerator: (Double, Double, Double)
  /// The coefficients after the leading 1.
  let denominator: (Double, Double)

  /// The section of an analogue pole and its conjugate, of gain 1 at rest.
  init(pole: Complex) {
    let digital = (Complex(1, 0) + pole) / (Complex(1, 0) - pole)
    denominator = (-2 * digital.real, digital.squaredSize)
    let gain = (1 + denominator.0 + denominator.1) / 4
    numerator = (gain, 2 * gain, gain)
  }

  /// The gain for a constant signal.
  var gainAtRest: Double {
    (numerator.0 + numerator.1 + numerator.2) / (1 + denominator.0 + denominator.1)
  }

  /// The state after a constant for all time.
  func steadyState(of level: Double) -> SectionState {
    let output = gainAtRest * level
    let second = numerator.2 * level - denominator.1 * output
    return SectionState(first: numerator.1 * level - denominator.0 * output + second, second: second)
  }
}

private struct SectionState {
  var first: Double
  var second: Double

  mutating func next(_ input: Double, _ section: Section) -> Double {
    let output = section.numerator.0 * input + first
    first = section.numerator.1 * input - section.denominator.0 * output + second
    second = section.numerator.2 * input - section.denominator.1 * output
    return output
  }
}

/// A complex number.
private struct Complex {
  let real: Double
  let imaginary: Double

  init(_ real: Double, _ imaginary: Double) { (self.real, self.imaginary) = (real, imaginary) }

  var squaredSize: Double { real * real + imaginary * imaginary }

  static func + (one: Complex, other: Complex) -> Complex {
    Complex(one.real + other.real, one.imaginary + other.imaginary)
  }
  static func - (one: Complex, other: Complex) -> Complex {
    Complex(one.real - other.real, one.imaginary - other.imaginary)
  }
  static func * (one: Complex, other: Complex) -> Complex {
    Complex(
      one.real * other.real - one.imaginary * other.imaginary, one.real * other.imaginary + one.imaginary * other.real)
  }
  static func / (one: Complex, other: Complex) -> Complex {
    let product = one * Complex(other.real, -other.imaginary)
    return Complex(product.real / other.squaredSize, product.imaginary / other.squaredSize)
  }
}

/// A signal that is linear between its values, and constant before the first and after the last.
struct Interpolation {
  /// The times of the values, ascending, seconds.
  let times: [Double]
  let values: [Double]

  /// The values at ascending moments.
  func values(at moments: [Double]) -> [Double] {
    var index = 0
    return moments.map { moment in
      while index + 1 < times.count, times[index + 1] <= moment { index += 1 }
      guard index + 1 < times.count, moment > times[index] else { return values[index] }
      let share = (moment - times[index]) / (times[index + 1] - times[index])
      return values[index] + share * (values[index + 1] - values[index])
    }
  }
}
