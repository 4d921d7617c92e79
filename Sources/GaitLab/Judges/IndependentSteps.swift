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
    let index = Int(place)
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
    return peaks(of: filtered, apart: Int(sampleRate / Self.fastest)).count { index in
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
