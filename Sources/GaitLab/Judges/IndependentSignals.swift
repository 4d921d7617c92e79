import Foundation
import Gait

/// Two counts of the steps in a linear acceleration that share no code with the step meter: the peak of the spectrum of
/// windows of 10.24 s times their length, and the number of peaks of the filtered magnitude.
///
/// Windows that move by less than 0.05 g have no steps. Both counts take any movement for steps.
struct IndependentSteps {
  /// Hertz.
  static let sampleRate = 50.0
  /// Samples of a window.
  private static let length = 512
  /// Steps per second.
  private static let (slowest, fastest) = (1.2, 3.5)
  /// The standard deviation of a window with steps, g.
  private static let quietest = 0.05

  let bySpectrum: Double
  let byPeaks: Int

  /// - Parameter axes: the acceleration at `sampleRate`, g.
  init(of axes: [SIMD3<Double>]) {
    let found = Self.frequencies(of: axes).sorted()
    let windows = axes.count / Self.length * Self.length
    bySpectrum =
      found.reduce(0, +) * Double(Self.length) / Self.sampleRate * Double(axes.count) / Double(max(1, windows))
    byPeaks = found.isEmpty ? 0 : Self.peaks(of: axes, fastest: 1.3 * Self.quantile(0.95, of: found))
  }

  /// The mean of both counts, and whether they agree within a share of it.
  var mean: Double { (bySpectrum + Double(byPeaks)) / 2 }
  func agree(within share: Double) -> Bool { (bySpectrum - Double(byPeaks)).magnitude <= share * mean }

  /// A quantile, interpolated between the values around it.
  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    let place = share * Double(values.count - 1)
    let index = Int(saturating: place)
    let next = values[min(index + 1, values.count - 1)]
    return values[index] + (place - Double(index)) * (next - values[index])
  }

  // MARK: Spectrum

  /// The step frequency of every window that moves, hertz: the highest peak of the product of two spectra, that of the
  /// axes, which has the stride and its multiples, and that of the magnitude, which has the step and its multiples.
  private static func frequencies(of axes: [SIMD3<Double>]) -> [Double] {
    let hann = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length - 1)) }
    // The bins of a transform of four times the length.
    let bins = (0...2 * length).filter { slowest < frequency(of: $0) && frequency(of: $0) < fastest }
    return stride(from: 0, through: axes.count - length, by: length).compactMap { start in
      let window = axes[start..<start + length]
      var lanes = window.map { SIMD4($0, ($0 * $0).sum().squareRoot()) }
      let mean = lanes.reduce(.zero, +) / Double(length)
      var square = SIMD4<Double>.zero
      for index in lanes.indices {
        lanes[index] -= mean
        square += lanes[index] * lanes[index]
        lanes[index] *= hann[index]
      }
      guard ((square.x + square.y + square.z) / Double(length)).squareRoot() >= quietest else { return nil }
      let products = bins.map { product(of: lanes, at: $0) }
      return products.indices.max { products[$0] < products[$1] }.map { frequency(of: bins[$0]) }
    }
  }

  private static func frequency(of bin: Int) -> Double { Double(bin) * sampleRate / Double(4 * length) }

  /// The power of the axes times that of the magnitude at a bin.
  private static func product(of lanes: [SIMD4<Double>], at bin: Int) -> Double {
    var (real, imaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for index in lanes.indices {
      let angle = -2 * .pi * Double(bin * index % (4 * length)) / Double(4 * length)
      real += lanes[index] * cos(angle)
      imaginary += lanes[index] * sin(angle)
    }
    let power = real * real + imaginary * imaginary
    return (power.x + power.y + power.z) * power.w
  }

  // MARK: Peaks

  /// The peaks of the magnitude, filtered so that steps pass and their double rate does not, where the window moves.
  private static func peaks(of axes: [SIMD3<Double>], fastest: Double) -> Int {
    let band = ZeroPhaseFilter(band: slowest...fastest, order: 4, sampleRate: sampleRate)
    let filtered = band.filtered(axes.map { ($0 * $0).sum().squareRoot() })
    var sums = [0.0]
    for value in filtered { sums.append(sums[sums.count - 1] + value * value) }
    return peaks(of: filtered, apart: Int(saturating: sampleRate / Self.fastest)).count { index in
      let (first, last) = (max(0, index - length / 2), min(filtered.count, index + length / 2))
      return filtered[index] > 0.3 * ((sums[last] - sums[first]) / Double(length)).squareRoot()
    }
  }

  /// The local maxima; of several closer than `apart`, the highest.
  private static func peaks(of values: [Double], apart: Int) -> [Int] {
    let all = values.indices.dropFirst().dropLast().filter {
      values[$0] > values[$0 - 1] && values[$0] > values[$0 + 1]
    }
    var isKept = [Bool](repeating: true, count: all.count)
    for place in all.indices.sorted(by: { values[all[$0]] > values[all[$1]] }) where isKept[place] {
      var (before, after) = (place - 1, place + 1)
      while before >= 0, all[place] - all[before] < apart {
        isKept[before] = false
        before -= 1
      }
      while after < all.count, all[after] - all[place] < apart {
        isKept[after] = false
        after += 1
      }
    }
    return all.indices.filter { isKept[$0] }.map { all[$0] }
  }
}

/// A Butterworth filter that runs over a signal forwards and backwards, so that nothing is delayed.
///
/// It shares no code with Gait's filters, so that what it judges is judged independently.
///
/// Source: the design by the bilinear transform with frequencies warped before it, and Gustafsson's start in the steady
/// state after an odd extension, as in SciPy's `butter` and `sosfiltfilt`.
struct ZeroPhaseFilter {
  /// Second-order sections, in order.
  private let sections: [Section]

  /// A low-pass filter.
  ///
  /// - Parameters:
  ///   - cutoff: the frequency at which one pass halves the power, hertz.
  ///   - order: an even number.
  init(lowPass cutoff: Double, order: Int, sampleRate: Double) {
    let warped = tan(.pi * cutoff / sampleRate)
    sections = Self.prototype(order).map {
      Section(pole: Complex(warped * $0.real, warped * $0.imaginary), numerator: (1, 2, 1), gainAt: 0)
    }
  }

  /// A band-pass filter of twice the order.
  ///
  /// - Parameters:
  ///   - band: the frequencies at which one pass halves the power, hertz.
  ///   - order: an even number.
  init(band: ClosedRange<Double>, order: Int, sampleRate: Double) {
    let (low, high) = (tan(.pi * band.lowerBound / sampleRate), tan(.pi * band.upperBound / sampleRate))
    let centre = 2 * atan((low * high).squareRoot())
    sections = Self.prototype(order).flatMap { pole -> [Section] in
      let half = Complex(pole.real * (high - low) / 2, pole.imaginary * (high - low) / 2)
      let root = (half * half - Complex(low * high, 0)).squareRoot
      return [half + root, half - root].map { Section(pole: $0, numerator: (1, 0, -1), gainAt: centre) }
    }
  }

  /// The poles of the analogue low-pass filter of 1 rad/s, without their conjugates.
  private static func prototype(_ order: Int) -> [Complex] {
    (0..<order / 2).map { index in
      let angle = Double.pi * Double(2 * index + order + 1) / Double(2 * order)
      return Complex(cos(angle), sin(angle))
    }
  }

  /// The filtered signal, of the same length. A signal of no more values than the filter's start needs is returned as it is.
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

  /// The section of an analogue pole and its conjugate.
  ///
  /// - Parameter gainAt: the angular frequency per sample at which the section's gain is 1.
  init(pole: Complex, numerator: (Double, Double, Double), gainAt frequency: Double) {
    let digital = (Complex(1, 0) + pole) / (Complex(1, 0) - pole)
    denominator = (-2 * digital.real, digital.squaredSize)
    func size(_ first: Double, _ second: Double, _ third: Double) -> Double {
      let value = Complex(
        first + second * cos(frequency) + third * cos(2 * frequency),
        second * sin(frequency) + third * sin(2 * frequency))
      return value.squaredSize.squareRoot()
    }
    let gain = size(1, denominator.0, denominator.1) / size(numerator.0, numerator.1, numerator.2)
    self.numerator = (gain * numerator.0, gain * numerator.1, gain * numerator.2)
  }

  /// The gain of a constant.
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

  /// The root with a positive real part.
  var squareRoot: Complex {
    let size = squaredSize.squareRoot()
    let root = ((size + real) / 2).squareRoot()
    let other = ((size - real) / 2).squareRoot()
    return Complex(root, imaginary < 0 ? -other : other)
  }

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
  /// Ascending, seconds.
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
