import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Samples to lanes and windows, for every hop and memory layout.
@Suite struct FeatureStreamTests {
  /// Each window's start and features; `repairing` bridges holes before, as every source does.
  private static func windows(
    _ features: [Feature], length: Int, hop: Int, of samples: [MotionSample], repairing: Bool = false
  ) throws -> [Int64: [Float]] {
    let shape = WindowShape(seconds: Double(length) / 25, hopSeconds: Double(hop) / 25)
    var stream = try FeatureStream(features: features, shape: shape, sampleRate: .hertz(25))
    var repair = Resampler(from: .hertz(25), to: .hertz(25))
    var windows: [Int64: [Float]] = [:]
    for sample in samples {
      if repairing {
        repair.append(sample) { stream.append($0) { windows[$0.nanoseconds] = Array($1) } }
      } else {
        stream.append(sample) { windows[$0.nanoseconds] = Array($1) }
      }
    }
    return windows
  }

  private static let many = Channel.allCases.map { Feature(.channel($0), .mean) }
  private static let spectral = [Feature(.total, .dominantFrequency), Feature(.jerk, .percentile(50))]

  @Test(.requiresOptimization, arguments: [Feature.orientationFree, many, spectral])
  func `A window's features do not depend on the hop`(features: [Feature]) throws {
    let samples = shakenSamples(count: 1500, rate: 25)
    let every = try Self.windows(features, length: 64, hop: 1, of: samples)
    #expect(every.count == 1500 - 63)
    for hop in [3, 7, 17, 40, 200] {
      let windows = try Self.windows(features, length: 64, hop: hop, of: samples)
      #expect(windows.count == (1500 - 64) / hop + 1)
      let differing = windows.filter { every[$0.key] != $0.value }
      #expect(differing.isEmpty, "hop \(hop)")
    }
  }

  @Test(.requiresOptimization, arguments: [25.0, 30], FeatureSet.allCases)
  func `A recording gives the same features as its samples appended one by one`(rate: Double, set: FeatureSet) throws {
    let (rate, features) = (SampleRate.hertz(rate), set.features)
    var samples = shakenSamples(count: 900, rate: rate.hertz)
    for index in 0..<900 { samples[index][.attitudeYaw] = Angle.wrapped(0.1 * Float(index)) }
    let even = Recording(
      name: "even", sampleRate: rate, channels: Set(Channel.allCases), rows: samples.map(\.row))
    for index in 500..<900 { samples[index].time.nanoseconds += 700_000_000 }
    let broken = Recording(name: "broken", sampleRate: rate, samples: samples)
    for recording in [even, broken] {
      for (length, hop) in [(64, 16), (128, 64), (100, 7)] {
        let shape = WindowShape(seconds: Double(length) / rate.hertz, hopSeconds: Double(hop) / rate.hertz)
        var stream = try FeatureStream(features: features, shape: shape, sampleRate: rate)
        var starts: [SampleTime] = []
        var values = FeatureMatrix(columnCount: features.count)
        for index in 0..<recording.count {
          stream.append(recording[index]) {
            starts.append($0)
            values.append($1)
          }
        }
        let whole = try recording.features(features, shape: shape, sampleRate: rate)
        #expect(whole.starts == starts)
        #expect(starts.count > 10)
        #expect(whole.values.values == values.values, "\(recording.name), \(length) every \(hop)")
      }
    }
  }

  /// Lanes that leave most of a register empty: alone, in pairs, beside means, beside full registers, several
  /// registers.
  private static let sparseLists: [[Feature]] = [
    [
      Feature(.total, .dominantFrequency), Feature(.total, .percentile(30)),
      Feature(.total, .autocorrelationLag(0.2...1.1)),
    ],
    Statistic.catalogue.flatMap { [Feature(.vertical, $0), Feature(.horizontal, $0)] }
      + [Feature(.gravityDirection, .sphericalVariance), Feature(.channel(.attitudeYaw), .mean)],
    Statistic.catalogue.flatMap { statistic in Sensor.userAcceleration.channels.map { Feature(.channel($0), statistic) }
    },
    Feature.full.filter { $0.lane == .channel(.attitudeYaw) },
    Feature.full,
  ]

  @Test(.requiresOptimization, arguments: sparseLists.indices)
  func `Lanes that leave a register empty have the same features in a recording and in a stream`(list: Int) throws {
    let features = Self.sparseLists[list]
    var samples = shakenSamples(count: 700, rate: 25)
    for index in 0..<700 { samples[index][.attitudeYaw] = Angle.wrapped(0.1 * Float(index)) }
    // A missing value, which is bridged, missing values, a gap, and zeros of both signs.
    for index in [60] + Array(150..<160) { samples[index][.gravityY] = .nan }
    for index in 300..<700 { samples[index].time.nanoseconds += 700_000_000 }
    for index in 450..<600 {
      for axis in Sensor.userAcceleration.channels { samples[index][axis] = index % 3 == 0 ? 0 : -0.0 }
    }
    for (length, hop) in [(64, 32), (64, 16), (50, 25), (33, 7)] {
      for count in [length, 437, 568, 700] {
        let recording = Recording(name: "r", sampleRate: .hertz(25), samples: Array(samples[..<count]))
        let shape = WindowShape(seconds: Double(length) / 25, hopSeconds: Double(hop) / 25)
        let alone = try Self.windows(features, length: length, hop: hop, of: Array(samples[..<count]), repairing: true)
        let together = try recording.features(features, shape: shape, sampleRate: .hertz(25))
        #expect(together.starts.map(\.nanoseconds) == alone.keys.sorted())
        for (index, start) in together.starts.enumerated() {
          let bits = together.values[index].map(\.bitPattern)
          #expect(bits == alone[start.nanoseconds]?.map(\.bitPattern), "\(length) every \(hop), \(start)")
        }
      }
    }
  }

  @Test func `A window late in a stream has the same features as alone`() throws {
    let samples = shakenSamples(count: 4000, rate: 25)
    for length in [8, 25, 64, 100, 250] {
      let windows = try Self.windows(Feature.orientationFree, length: length, hop: 16, of: samples)
      for first in stride(from: 0, through: samples.count - length, by: 16 * 37) {
        let alone = try Self.windows(
          Feature.orientationFree, length: length, hop: 1, of: Array(samples[first..<first + length]))
        let start = samples[first].time.nanoseconds
        #expect(alone[start] != nil, "window of \(length) from \(first)")
        #expect(windows[start] == alone[start], "window of \(length) from \(first)")
      }
    }
  }

  @Test func `Lanes agree with their formulas`() throws {
    let samples = shakenSamples(count: 40, rate: 25)
    let lanes: [Lane] = [
      .vertical, .horizontal, .total, .jerk, .userAccelerationMagnitude, .rotationRateMagnitude, .channel(.gravityX),
      .channel(.userAccelerationZ),
    ]
    let windows = try Self.windows(lanes.map { Feature($0, .maximum) }, length: 2, hop: 1, of: samples)
    for index in 1..<samples.count {
      let expected = lanes.map { max(Self.value($0, samples, index - 1), Self.value($0, samples, index)) }
      let found = try #require(windows[samples[index - 1].time.nanoseconds])
      for (lane, (a, b)) in zip(lanes, zip(found, expected)) {
        #expect((Double(a) - b).magnitude < 1e-5 * max(1, b.magnitude), "\(lane) of sample \(index)")
      }
    }
  }

  /// A lane's value, from its formula, in Double.
  private static func value(_ lane: Lane, _ samples: [MotionSample], _ index: Int) -> Double {
    func vector(_ vector: SIMD3<Float>) -> SIMD3<Double> { SIMD3<Double>(vector) }
    func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
    let (g, u) = (vector(samples[index].gravity), vector(samples[index].userAcceleration))
    let along = (u * g).sum() / length(g)
    switch lane {
    case .channel(let channel): return Double(samples[index][channel])
    case .userAccelerationMagnitude: return length(u)
    case .rotationRateMagnitude: return length(vector(samples[index].rotationRate))
    case .vertical: return -along
    case .horizontal: return length(u - along * g / length(g))
    case .total: return length(g + u)
    case .jerk: return length(u - vector(samples[max(0, index - 1)].userAcceleration)) * 25
    case .gravityDirection: return .nan
    }
  }

  @Test(arguments: [1, 5, 7, 8, 15, 16, 30, 63, 64, 100])
  func `A missing value skips the windows that contain it and no others`(missing: Int) throws {
    var samples = shakenSamples(count: 200, rate: 25)
    samples[missing][.userAccelerationY] = .nan
    for hop in [1, 16] {
      let features = [Feature(.vertical, .rms), Feature(.total, .bandRMS(1...3))]
      let windows = try Self.windows(features, length: 20, hop: hop, of: samples)
      let kept = stride(from: 0, through: 180, by: hop).filter { missing < $0 || missing >= $0 + 20 }
      #expect(Set(windows.keys) == Set(kept.map { samples[$0].time.nanoseconds }), "hop \(hop)")
      #expect(windows.values.joined().contains { !$0.isFinite } == false)
    }
  }

  @Test func `The jerk after a missing sample is missing too`() throws {
    var samples = shakenSamples(count: 100, rate: 25)
    samples[40][.userAccelerationX] = .nan
    let windows = try Self.windows([Feature(.jerk, .rms)], length: 20, hop: 1, of: samples)
    #expect(windows[samples[41].time.nanoseconds] == nil)
    #expect(windows[samples[42].time.nanoseconds] != nil)
    #expect(windows.values.joined().contains { !$0.isFinite } == false)
  }

  @Test func `A band and a lag are the same among many lanes as alone`() throws {
    let samples = shakenSamples(count: 600, rate: 25)
    let few = [Feature(.total, .bandRMS(1.2...3.5)), Feature(.vertical, .autocorrelationLag(0.2...1.1))]
    let alone = try Self.windows(few, length: 64, hop: 16, of: samples)
    let among = try Self.windows(Self.many + few, length: 64, hop: 16, of: samples)
    #expect(alone.count == among.count)
    for (start, values) in alone {
      let rest = try #require(among[start]).suffix(2)
      #expect(Array(rest) == values)
    }
  }
}
