import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The periodogram and the autocorrelation against naive implementations in Double.
@Suite struct KernelTests {
  static let lengths = 2...300

  static func window(_ length: Int, seed: UInt64, offset: Double = 0, lanes: Int = 8) -> [[Double]] {
    var random = SplitMix64(seed: seed &+ UInt64(length))
    return (0..<lanes).map { _ in
      (0..<length).map { _ in Double(Float(offset + Double.random(in: -2...2, using: &random))) }
    }
  }

  @Test func `The periodogram agrees with the definition`() {
    for length in [2, 3, 7, 8, 15, 16, 17, 25, 31, 32, 33, 64, 100, 128, 200, 300] {
      let lane = Self.window(length, seed: 5)[0]
      let mean = lane.reduce(0, +) / Double(length)
      let plan = Periodogram(length: length, sampleRate: .hertz(25), bands: [0...12.5])
      let transformLength = Periodogram.transformLength(for: length)
      #expect(plan.bins == 0..<transformLength / 2)
      let expected = plan.bins.map { bin in
        Self.power(lane.map { $0 - mean }, bin: bin, transformLength: transformLength)
      }
      let series = Self.padded(lane.map { Float($0 - mean) })
      func check(_ name: String, scratchCount: Int, _ body: (inout [Float], inout [Lanes]) -> Void) {
        var powers = [Float](repeating: 0, count: plan.powerCount)
        var scratch = [Lanes](repeating: .zero, count: scratchCount)
        body(&powers, &scratch)
        let total = expected.reduce(0, +)
        for bin in plan.bins {
          #expect(
            (Double(powers[bin]) - expected[bin]).magnitude <= 1e-5 * total, "\(name), bin \(bin) of length \(length)")
        }
      }
      check("plan", scratchCount: plan.scratchCount) { plan.powers(of: series, into: &$0, scratch: &$1) }
      let fourier = PhaseFFT(length: length, bins: plan.bins)
      check("FFT", scratchCount: fourier.scratchCount) { fourier.powers(of: series, into: &$0, scratch: &$1) }
      let matrix = SpectrumMatrix(length: length, bins: plan.bins)
      check("matrix", scratchCount: 0) { powers, _ in
        var scratch = [Float](repeating: 0, count: matrix.scratchCount)
        matrix.powers(of: series, into: &powers, scratch: &scratch)
      }
    }
  }

  /// The mean square in one bin of the one-sided Hann periodogram, by the definition.
  static func power(_ series: [Double], bin: Int, transformLength: Int) -> Double {
    let count = Double(series.count)
    let hann = series.indices.map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / count) }
    var (real, imaginary) = (0.0, 0.0)
    for (index, value) in series.enumerated() {
      let angle = -2 * .pi * Double(bin) * Double(index) / Double(transformLength)
      real += hann[index] * value * cos(angle)
      imaginary += hann[index] * value * sin(angle)
    }
    let sides = bin == 0 || bin * 2 == transformLength ? 1.0 : 2.0
    return sides * (real * real + imaginary * imaginary)
      / (Double(transformLength) * hann.map { $0 * $0 }.reduce(0, +))
  }

  private static func padded(_ series: [Float]) -> [Float] {
    series + Array(repeating: 0, count: SeriesKernels.padding)
  }

  static func peak(_ series: [Double], _ plan: Autocorrelation) -> (lag: Float, height: Float) {
    var scratch = [Float](repeating: 0, count: plan.seriesScratchCount)
    let variance = series.reduce(0) { $0 + $1 * $1 } / Double(series.count)
    return plan.peak(
      of: padded(series.map { Float($0) }), variance: Float(variance),
      unbiased: Autocorrelation.unbiased(length: series.count), scratch: &scratch)
  }

  @Test func `The autocorrelation lag agrees with a plain search`() {
    for length in Self.lengths {
      let lane = Self.window(length, seed: 6)[0]
      let mean = lane.reduce(0, +) / Double(length)
      let series = lane.map { Double(Float($0 - mean)) }
      let plan = Autocorrelation(length: length, sampleRate: .hertz(25), range: 0.2...1.1)
      let lag = Self.peak(series, plan).lag
      #expect((Double(lag) - Self.lag(series)).magnitude < 1e-3, "length \(length)")
    }
  }

  private static func lag(_ series: [Double]) -> Double {
    let count = series.count
    let autocorrelation = (0..<count).map { lag in
      zip(series, series.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(count - lag)
    }
    var best = (value: -Double.infinity, lag: 0.0)
    for lag in 5...27 where Double(lag) <= 0.6 * Double(count) && lag + 1 < count {
      let (before, here, after) = (autocorrelation[lag - 1], autocorrelation[lag], autocorrelation[lag + 1])
      guard here > before, here >= after, here > best.value else { continue }
      best = (here, Double(lag) + 0.5 * (before - after) / (before - 2 * here + after))
    }
    return best.lag / 25
  }

  @Test func `A sine inside the band has bandRMS of amplitude ÷ √2`() throws {
    let columns: [Channel: [Float]] = [
      .userAccelerationX: (0..<128).map { Float(3 * sin(2 * .pi * 2.7 * Double($0) / 25)) }
    ]
    let recording = Recording(name: "sine", sampleRate: .hertz(25), columns: columns)
    let feature = Feature(.channel(.userAccelerationX), .bandRMS(2...3.5))
    let value = try #require(computed([feature], of: recording).first?.first)
    #expect((value - 3 / Float(2).squareRoot()).magnitude < 0.02)
  }

  @Test(arguments: [1, 9])
  func `Rounding errors of a constant channel are no movement, beside other channels or alone`(count: Int) throws {
    let statistics: [Statistic] = [
      .standardDeviation, .meanAbsoluteDeviation, .meanCrossingRate, .skewness, .kurtosis,
      .autocorrelationLag(0.2...1.1), .autocorrelationPeak(0.2...1.1), .bandPower(1...5), .bandRMS(1...5),
      .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness,
    ]
    let channels = Array(Channel.allCases.suffix(count))
    let features = channels.flatMap { channel in statistics.map { Feature(.channel(channel), $0) } }
    // Two units in the last place of 1 are rounding errors, and twenty are not.
    for (units, isConstant) in [(Float(2), true), (20, false)] {
      var random = SplitMix64(seed: 12)
      let columns = channels.map { channel in
        let values = (0..<64).map { _ in 1 + units * Float(Int.random(in: -1...1, using: &random)) * Float.ulpOfOne }
        return (channel, values)
      }
      let recording = Recording(
        name: "constant", sampleRate: .hertz(25), columns: Dictionary(uniqueKeysWithValues: columns))
      let values = try #require(computed(features, of: recording).first)
      for (feature, value) in zip(features, values) {
        guard isConstant || feature.statistic == .standardDeviation else { continue }
        #expect((value == 0) == isConstant, "\(feature): \(value)")
      }
    }
  }

  @Test func `An angle that crosses π is unwrapped`() throws {
    let yaw = (0..<64).map { Float(remainder(3 + 0.01 * Double($0), 2 * .pi)) }
    let recording = Recording(name: "turn", sampleRate: .hertz(25), columns: [.attitudeYaw: yaw])
    let features = [Statistic.maximum, .minimum, .standardDeviation].map { Feature(.channel(.attitudeYaw), $0) }
    let values = try #require(computed(features, of: recording).first)
    #expect((values[0] - 3.63).magnitude < 1e-5)
    #expect((values[1] - 3).magnitude < 1e-5)
    #expect((values[2] - 0.1847).magnitude < 1e-3)
  }
}
