import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Properties of features that the references in NumPy leave out, as they depend on rounding or on single values.
@Suite struct KernelTests {
  @Test func `Percentiles are those of sorted samples, repeats included, beside other channels or alone`() throws {
    let ranks = stride(from: 0.0, through: 100, by: 12.5).map { $0 }
    for length in stride(from: 8, through: 300, by: 7) {
      var random = SplitMix64(seed: UInt64(length))
      var lane = (0..<length).map { _ in Float.random(in: -2...2, using: &random) }
      if length.isMultiple(of: 3) { lane = lane.map { $0.rounded() } }
      let sorted = lane.sorted()
      let expected = ranks.map { rank in
        let place = rank / 100 * Double(length - 1)
        let (below, above) = (sorted[Int(place)], sorted[min(Int(place) + 1, length - 1)])
        return below + (above - below) * Float(place - place.rounded(.down))
      }
      for channels in [[Channel.rotationRateX], Array(Channel.allCases.reversed())] {
        let recording = Recording(
          name: "lane", sampleRate: .hertz(25), columns: Dictionary(uniqueKeysWithValues: channels.map { ($0, lane) }))
        let features = channels.flatMap { channel in ranks.map { Feature(.channel(channel), .percentile($0)) } }
        let values = try #require(computed(features, of: recording).first)
        let place = try #require(channels.firstIndex(of: .rotationRateX)) * ranks.count
        for (value, expected) in zip(values[place...], expected) {
          #expect((value - expected).magnitude <= 1e-6, "length \(length), \(channels.count) channels")
        }
      }
    }
  }

  @Test func `A sample at the mean counts as above it`() throws {
    let lane: [Float] = [0, 1, 0, -1, 0, 0, 0, -1, 1, 0]
    let recording = Recording(name: "zeros", sampleRate: .hertz(10), columns: [.rotationRateX: lane])
    let values = try #require(computed([Feature(.channel(.rotationRateX), .meanCrossingRate)], of: recording).first)
    #expect(values == [4])
  }

  @Test func `The first of equal peaks is chosen, and without a peak lag and height are 0`() throws {
    let features = [Statistic.autocorrelationLag(0.2...3), .autocorrelationPeak(0.2...3)].map {
      Feature(.channel(.rotationRateX), $0)
    }
    for (lane, lag) in [((0..<60).map { Float($0 % 4 < 2 ? 1 : -1) }, Float(0.4)), (Array(repeating: 0, count: 60), 0)]
    {
      let recording = Recording(name: "square", sampleRate: .hertz(10), columns: [.rotationRateX: lane])
      let values = try #require(computed(features, of: recording).first)
      #expect((values[0] - lag).magnitude < 1e-3)
      #expect(values[1] > 0.9 || lag == 0 && values[1] == 0)
    }
  }

  @Test func `Logarithms and exponentials agree with the C library's`() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<20_000 {
      let values = Lanes(
        (0..<Lanes.scalarCount).map { _ in Float(pow(10, Double.random(in: -37...38, using: &random))) })
      let powers = Lanes((0..<Lanes.scalarCount).map { _ in Float.random(in: -87...88, using: &random) })
      let (logarithms, exponentials) = (values.logarithms, powers.exponentials)
      for lane in 0..<Lanes.scalarCount {
        let expected = log(Double(values[lane]))
        // The polynomial's own error, and a Float's rounding of the result.
        #expect((Double(logarithms[lane]) - expected).magnitude <= 2.2e-6 + 1.2e-7 * expected.magnitude)
        #expect((Double(exponentials[lane]) / exp(Double(powers[lane])) - 1).magnitude <= 3e-7)
      }
    }
    #expect(Lanes.zero.exponentials == Lanes(repeating: 1))
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
