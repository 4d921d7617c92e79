import Foundation
import Gait
import GaitTestSupport
import Testing

/// The results of `Tests/References/pipeline_reference.py` for the same input in float64. The script was written from
/// the articles *The pipeline* and *The features* alone.
private struct PipelineReference: Decodable {
  var names: [String]
  var cases: [Case]

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var rate: Double
    var seed: UInt64
    var dropped: Int
    var count: Int
    var timeSum: Int64
    var valueSums: [Double]
    /// Window starts in nanoseconds after the input's origin, and the default features; `nil` if the result depends on
    /// Float rounding.
    var starts: [Int64]
    var `default`: [[Double?]]
    /// The starts of windows with the full set, and the features of some of these windows by start.
    var fullStarts: [Int64]
    var full: [String: [Double?]]

    var testDescription: String { "\(rate) Hz" }
  }

  static let shared: PipelineReference = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../References/pipeline_reference.json").standardizedFileURL
    guard let data = try? Data(contentsOf: url),
      let reference = try? JSONDecoder().decode(PipelineReference.self, from: data)
    else { preconditionFailure("cannot read \(url.path)") }
    return reference
  }()
}

@Suite struct PipelineReferenceTests {
  /// Relative to the larger of the value and its scale (`LaneScales`). Most features deviate by less than 1e-6, from
  /// Float rounding of samples, weights and sums. Kurtosis, flatness and band ratios of weak signals deviate most, by
  /// 3e-6, as powers and logarithms amplify the rounding of small values.
  private static let tolerance = 1e-5

  @Test(arguments: PipelineReference.shared.cases)
  fileprivate func `The script and the test generate the same input`(reference: PipelineReference.Case) {
    let input = PipelineInput.stream(at: reference.rate, seed: reference.seed)
    var kept: [MotionSample] = []
    for sample in input where kept.last.map({ $0.time < sample.time }) ?? true { kept.append(sample) }
    #expect(kept.count == reference.count)
    #expect(kept.reduce(0) { $0 + $1.time.nanoseconds - PipelineInput.origin } == reference.timeSum)
    for (channel, sum) in zip(Channel.allCases, reference.valueSums) {
      let values = kept.map { Double($0[channel]) }.filter { !$0.isNaN }
      #expect((values.reduce(0, +) - sum).magnitude < 1e-4, "\(channel)")
    }
  }

  @Test(arguments: PipelineReference.shared.cases)
  fileprivate func `The default features agree with the articles, window for window`(
    reference: PipelineReference.Case
  ) throws {
    let found = try PipelineInput.windows(of: Feature.orientationFree, reference.rate, reference.seed)
    #expect(found.dropped == reference.dropped)
    try #require(found.starts == reference.starts)
    for (window, expected) in zip(found.values, reference.default) {
      for ((value, expected), feature) in zip(zip(window, expected), Feature.orientationFree) {
        guard let expected else { continue }
        #expect(
          (Double(value) - expected).magnitude <= Self.tolerance * max(1, expected.magnitude),
          "\(feature) is \(value), not \(expected)")
      }
    }
  }

  @Test(arguments: PipelineReference.shared.cases)
  fileprivate func `All features of the full set agree with the articles`(reference: PipelineReference.Case) throws {
    let names = PipelineReference.shared.names
    #expect(Set(Feature.full.map(\.description)) == Set(names))
    let features = try names.map { try Feature($0) }
    let found = try PipelineInput.windows(of: features, reference.rate, reference.seed)
    try #require(found.starts == reference.fullStarts)
    var compared = 0
    for (start, window) in zip(found.starts, found.values) {
      guard let expected = reference.full["\(start)"] else { continue }
      let scales = LaneScales(names: names, values: expected)
      for ((value, expected), feature) in zip(zip(window, expected), features) {
        guard let expected else { continue }
        compared += 1
        let scale = max(expected.magnitude, scales.scale(of: feature))
        #expect(
          (Double(value) - expected).magnitude <= Self.tolerance * scale,
          "\(feature) is \(value), not \(expected); relative error \((Double(value) - expected) / scale)")
      }
    }
    #expect(compared > 5 * 500)
  }
}

/// The scale of each feature's tolerance, from the RMS of its lane in the reference.
private struct LaneScales {
  private var rms: [String: Double] = [:]

  init(names: [String], values: [Double?]) {
    for (name, value) in zip(names, values) where name.hasSuffix(".rms") { rms[String(name.dropLast(4))] = value }
  }

  func scale(of feature: Feature) -> Double {
    let level = rms[feature.lane.description] ?? 1
    guard feature.transform == .identity else { return 1 }
    switch feature.statistic {
    case .skewness, .kurtosis, .autocorrelationPeak, .autocorrelationLag, .correlation, .spectralEntropy,
      .spectralFlatness, .meanCrossingRate, .sphericalVariance, .bandLogRatio, .dominantFrequency, .spectralCentroid:
      return 1
    case .energy, .bandPower: return level * level
    default: return level
    }
  }
}

/// The input of `pipeline_reference.py`: uneven spacing, a gap, missing values, a repeated and a late sample.
private enum PipelineInput {
  static let origin: Int64 = 1_000_000_007
  private static let second: Int64 = 1_000_000_000

  /// The windows of the stream and their `features`, from samples appended one by one.
  static func windows(
    of features: [Feature], _ rate: Double, _ seed: UInt64
  ) throws -> (starts: [Int64], values: [[Float]], dropped: Int) {
    var resampler = Resampler(from: .hertz(rate), to: .canonical)
    var stream = try FeatureStream(features: features, shape: WindowShape(), sampleRate: .canonical)
    var (starts, values): ([Int64], [[Float]]) = ([], [])
    for sample in Self.stream(at: rate, seed: seed) {
      resampler.append(sample) { sample in
        stream.append(sample) { start, features in
          starts.append(start.nanoseconds - origin)
          values.append(Array(features))
        }
      }
    }
    return (starts, values, resampler.droppedCount)
  }

  static func stream(at rate: Double, seed: UInt64) -> [MotionSample] {
    var random = SplitMix64(seed: seed)
    let period = 1e9 / rate
    var samples: [MotionSample] = []
    for index in 0..<Int(20 * rate) {
      let even = Int64((Double(index) * period + 0.5).rounded(.down))
      let draws = (0..<13).map { _ in 2 * (Double(random.next() >> 11) / 0x1p53) - 1 }
      let moved = Int64((0.2 * period * draws[0] + 0.5).rounded(.down))
      let time = 6 * second..<9 * second ~= even ? even + moved : even
      if 10 * second..<10_750_000_000 ~= even { continue }
      var row = values(at: Double(time) / 1e9, noise: Array(draws[1...]))
      if index == Self.index(12.5, rate) { row[2] = .nan }
      if index == Self.index(14, rate) { row[9] = .nan }
      samples.append(sample(time, row))
      if index == Self.index(3, rate) { samples.append(sample(time, row.map { $0 + 1 })) }
      if index == Self.index(15, rate) {
        samples.append(sample(time - Int64((3 * period).rounded(.down)), row.map { $0 + 1 }))
      }
    }
    return samples
  }

  private static func index(_ seconds: Double, _ rate: Double) -> Int { Int((seconds * rate + 0.5).rounded(.down)) }

  private static func sample(_ time: Int64, _ row: [Float]) -> MotionSample {
    MotionSample(
      time: SampleTime(nanoseconds: origin + time), attitude: SIMD3(row[0], row[1], row[2]),
      gravity: SIMD3(row[3], row[4], row[5]), rotationRate: SIMD3(row[6], row[7], row[8]),
      userAcceleration: SIMD3(row[9], row[10], row[11]))
  }

  private static func values(at t: Double, noise: [Double]) -> [Float] {
    let phase = 2 * Double.pi * 1.37 * t
    let strength = t < 4 ? 1.1 : t < 13 ? 0.3 : 0.02
    let (roll, pitch) = (0.3 + 0.2 * sin(phase), -0.9 + 0.1 * cos(phase))
    let yaw = 3 + 0.25 * t + 0.15 * sin(phase + 1)
    let gravity = [cos(pitch) * sin(roll), -sin(pitch), -cos(pitch) * cos(roll)]
    let up = strength * (sin(2 * phase) + 0.4 * sin(4 * phase + 0.7) + 0.15 * sin(6 * phase))
    let side = [0.3 * sin(phase), 0.25 * cos(2 * phase), 0.1 * sin(phase + 2)]
    let wrapped = yaw - 2 * Double.pi * ((yaw + Double.pi) / (2 * Double.pi)).rounded(.down)
    let rotation = [1.2 * sin(phase + 0.3), 0.8 * sin(2 * phase), 0.5 * cos(phase)]
    let plain =
      [roll, pitch, wrapped] + gravity + rotation + zip(side, gravity).map { strength * $0 - up * $1 }
    let levels = [0.01, 0.002, 0.1, 0.05].flatMap { [$0, $0, $0] }
    return plain.indices.map { Float(plain[$0] + levels[$0] * noise[$0]) }
  }
}
