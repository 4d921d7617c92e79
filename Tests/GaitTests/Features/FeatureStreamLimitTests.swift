import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The limits of features, windows and streams: exactly at each, just below and just above.
@Suite struct FeatureStreamLimitTests {
  private static func error(_ features: [Feature], length: Int, rate: Double = 25) -> String? {
    do throws(ModelError) {
      _ = try FeatureExtractor(features: features, length: length, hop: 1, sampleRate: .hertz(rate))
      return nil
    } catch { return error.description }
  }

  @Test func `Windows have 2 to 4096 samples, and lists 1 to 4096 features`() {
    let mean = Feature(.total, .mean)
    #expect(Self.error([mean], length: 2) == nil)
    #expect(Self.error([mean], length: 4096) == nil)
    #expect(
      Self.error([mean], length: 1) == "A window of 1 samples is too short for features; it needs at least 2.")
    #expect(
      Self.error([mean], length: 4097)
        == "A window of 4097 samples is too long for features; shorten it or lower the sample rate: at most 4096 "
        + "samples are allowed.")
    #expect(Self.error(Array(repeating: mean, count: 4096), length: 8) == nil)
    #expect(
      Self.error(Array(repeating: mean, count: 4097), length: 8) == "The list has 4097 features; name at most 4096.")
    #expect(Self.error([], length: 8) == "The list of features is empty; name at least one feature.")
    #expect(Self.error([Feature(.total, .bandRMS(1...12.5))], length: 8) == nil)
    let sentence =
      "total.bandPower[1...12.6] uses frequencies above 12.5 Hz, half the model's sample rate of 25 Hz; narrow the "
      + "band or raise the model's sample rate."
    #expect(Self.error([mean, Feature(.total, .bandPower(1...12.6))], length: 8) == sentence)
    #expect(Self.error([Feature(.total, .bandLogRatio(5...13, 1...2, offset: 1))], length: 8) != nil)
    #expect(throws: ModelError.noFeatures) {
      try Recording(name: "r", sampleRate: .hertz(25), samples: shakenSamples(count: 4, rate: 25)).features([])
    }
  }

  @Test func `A window has its seconds at the rate in whole samples, rounded, from one to 1e15`() {
    func count(_ seconds: Double, _ rate: Double) -> Int {
      let shape = WindowShape(seconds: seconds, hopSeconds: 2 * seconds)
      let hop = WindowShape(seconds: 2 * seconds, hopSeconds: seconds)
      #expect(hop.hopCount(at: .hertz(rate)) == shape.sampleCount(at: .hertz(rate)))
      return shape.sampleCount(at: .hertz(rate))
    }
    #expect(count(2.56, 25) == 64)
    #expect(count(0.06, 25) == 2)
    #expect(count(0.0999, 25) == 2)
    #expect(count(0.1, 25) == 3)
    #expect(count(0.001, 25) == 1)
    #expect(count(0.06, 10) == 1)
    #expect(count(1e300, 25) == 1_000_000_000_000_000)
    let shape = WindowShape()
    #expect(shape.seconds == 2.56)
    #expect(shape.hopSeconds == 0.64)
    #expect(ModelRanges.contains(WindowShape(seconds: 600, hopSeconds: 600)))
    #expect(ModelRanges.contains(WindowShape(seconds: 0.01, hopSeconds: 0.001)))
    for (seconds, hop) in [(600.1, 1), (1, 600.1), (0.009, 1), (1, 0.0009)] {
      #expect(!ModelRanges.contains(WindowShape(seconds: seconds, hopSeconds: hop)))
    }
    #expect(
      ModelRanges.windowReason == "the window must be within 0.01 to 600 s and the hop within 0.001 to 600 s")
  }

  // MARK: - Streams

  private static func windows(
    _ features: [Feature], length: Int, hop: Int, of samples: [MotionSample]
  ) throws -> [Int64: [Float]] {
    let shape = WindowShape(seconds: Double(length) / 25, hopSeconds: Double(hop) / 25)
    var stream = try FeatureStream(features: features, shape: shape, sampleRate: .hertz(25))
    var windows: [Int64: [Float]] = [:]
    for sample in samples { stream.append(sample) { windows[$0.nanoseconds] = Array($1) } }
    return windows
  }

  private static let lists: [[Feature]] = [
    Feature.orientationFree, Channel.allCases.map { Feature(.channel($0), .mean) },
    [
      Feature(.total, .dominantFrequency), Feature(.jerk, .percentile(50)),
      Feature(.channel(.attitudeYaw), .standardDeviation),
    ],
  ]

  @Test(arguments: lists.indices)
  func `Windows of every hop begin a hop apart, and have the features of the hop 1`(list: Int) throws {
    var samples = shakenSamples(count: 150, rate: 25)
    for index in samples.indices { samples[index][.attitudeYaw] = Angle.wrapped(0.4 * Float(index)) }
    for (length, hops) in [(16, [1, 8, 3, 15, 16, 17, 40]), (33, [1, 16, 33, 7])] {
      let every = try Self.windows(Self.lists[list], length: length, hop: 1, of: samples)
      for hop in hops {
        let windows = try Self.windows(Self.lists[list], length: length, hop: hop, of: samples)
        let starts = stride(from: 0, through: samples.count - length, by: hop).map { samples[$0].time.nanoseconds }
        #expect(windows.keys.sorted() == starts)
        #expect(windows.allSatisfy { every[$0.key] == $0.value }, "\(length) every \(hop)")
      }
    }
  }

  @Test(arguments: lists.indices)
  func `A recording has the windows of its samples, across holes, gaps and the end of a buffer`(list: Int) throws {
    var samples = shakenSamples(count: 420, rate: 25)
    for index in samples.indices { samples[index][.attitudeYaw] = Angle.wrapped(0.4 * Float(index)) }
    let even = samples
    for index in 203..<420 { samples[index].time.nanoseconds += 700_000_000 }
    for (samples, name) in [(even, "even"), (samples, "broken")] {
      for count in [17, 18, 33, 202, 420] {
        let recording = Recording(name: name, sampleRate: .hertz(25), samples: Array(samples[..<count]))
        for (length, hop) in [(16, 8), (17, 5)] {
          let shape = WindowShape(seconds: Double(length) / 25, hopSeconds: Double(hop) / 25)
          var values: [[Float]] = []
          var starts: [SampleTime] = []
          var stream = try FeatureStream(features: Self.lists[list], shape: shape, sampleRate: .hertz(25))
          for index in 0..<recording.count {
            stream.append(recording[index]) {
              starts.append($0)
              values.append(Array($1))
            }
          }
          let whole = try recording.features(Self.lists[list], shape: shape, sampleRate: .hertz(25))
          #expect(whole.starts == starts)
          #expect(starts.count >= 1)
          #expect(whole.values.map { Array($0) } == values, "\(name), \(count) samples, \(length) every \(hop)")
        }
      }
    }
  }

  @Test func `A sample after the longest step restarts the stream, and one at it does not`() throws {
    let longest = Resampler.longestOutputStep(at: .hertz(25))
    for (step, isContinued) in [(longest, true), (longest + 1, false), (longest - 1, true)] {
      var samples = shakenSamples(count: 40, rate: 25)
      let late = samples[19].time.nanoseconds + step - samples[20].time.nanoseconds
      for index in 20..<40 { samples[index].time.nanoseconds += late }
      let windows = try Self.windows([Feature(.jerk, .maximum)], length: 8, hop: 1, of: samples)
      #expect(windows.count == (isContinued ? 33 : 26), "a step of \(step)")
      // The jerk of the first sample after a gap is 0, and so it is not that of the step.
      if !isContinued {
        let first = try #require(windows[samples[20].time.nanoseconds])
        let alone = try Self.windows([Feature(.jerk, .maximum)], length: 8, hop: 1, of: Array(samples[20...]))
        #expect(first == alone[samples[20].time.nanoseconds])
      }
    }
  }

  @Test func `A feature of 1e30 is usable, a larger one is not`() throws {
    #expect(ModelRanges.feature == -1e30...1e30)
    for (value, isUsable) in [(Float(1e30), true), (Float(1e30).nextUp, false), (-1e30, true), (-2e30, false)] {
      var samples = shakenSamples(count: 4, rate: 25)
      samples[2][.rotationRateX] = value
      let feature = Feature(.channel(.rotationRateX), value > 0 ? .maximum : .minimum)
      let windows = try Self.windows([feature], length: 4, hop: 1, of: samples)
      #expect(windows.values.first == (isUsable ? [value] : nil), "\(value)")
    }
  }

  @Test(arguments: 0..<20)
  func `An angle that jumps anywhere is unwrapped in the windows that contain the jump`(place: Int) throws {
    var samples = shakenSamples(count: 20, rate: 25)
    for index in samples.indices {
      samples[index][.attitudeYaw] = (index < place ? 2.9 : -2.9) + 0.01 * Float(index)
      samples[index][.attitudeRoll] = 0
    }
    let features = [Statistic.minimum, .maximum, .mean].map { Feature(.channel(.attitudeYaw), $0) }
    // Alone along time, and side by side.
    for others in [[], [Feature(.total, .spectralEntropy), Feature(.channel(.attitudeYaw), .dominantFrequency)]] {
      let windows = try Self.windows(features + others, length: 5, hop: 1, of: samples)
      for first in 0...15 {
        let found = try #require(windows[samples[first].time.nanoseconds])
        var angles = (first..<first + 5).map { ($0 < place ? 2.9 : -2.9) + 0.01 * Double($0) }
        for index in 1..<5 where angles[index] - angles[index - 1] < -1 {
          for later in index..<5 { angles[later] += 2 * .pi }
        }
        let expected = [angles.min()!, angles.max()!, angles.reduce(0, +) / 5]
        for (value, expected) in zip(found, expected) { #expect((Double(value) - expected).magnitude < 1e-5) }
      }
    }
  }

  @Test func `A batch knows when an angle last jumped by more than half a turn`() {
    for (jumps, count, since) in [
      ([], 16, nil), ([0], 16, 16), ([15], 16, 1), ([3, 7], 12, 5), ([11], 12, 1), ([12], 12, nil), ([], 0, nil),
    ] as [([Int], Int, Int?)] {
      var batch = SampleBatch(sampleRate: .hertz(25))
      let before = MotionSample(
        time: .seconds(0), attitude: .zero, gravity: SIMD3(0, 0, -1), userAcceleration: .zero)
      batch.restart(before: before.row)
      batch.expect(16)
      var angle: Float = 0
      for index in 0..<count {
        if jumps.contains(index) { angle = angle > 0 ? -0.5 : 3.2 }
        _ = batch.append(
          MotionSample(
            time: .seconds(Double(index)), attitude: SIMD3(0, 0, angle), gravity: SIMD3(0, 0, -1),
            userAcceleration: .zero))
      }
      #expect(batch.count == count, "\(jumps)")
      let found = batch.samplesSinceJump()
      #expect(found == since, "\(jumps)")
    }
    // A step of exactly π is no jump.
    var batch = SampleBatch(sampleRate: .hertz(25))
    batch.expect(16)
    for (index, angle) in ([0, .pi, 0, -.pi] as [Float]).enumerated() {
      _ = batch.append(
        MotionSample(
          time: .seconds(Double(index)), attitude: SIMD3(0, 0, angle), gravity: SIMD3(0, 0, -1), userAcceleration: .zero
        ))
    }
    let found = batch.samplesSinceJump()
    #expect(found == nil)
    #expect(SampleBatch.size == 16)
  }

  // MARK: - Matrices

  @Test func `Rows of a matrix are chosen, changed and appended`() {
    var matrix = FeatureMatrix(columnCount: 3, values: [1, 2, 3, 4, 5, 6])
    matrix.append([7, 8, 9])
    #expect(matrix.rowCount == 3)
    #expect(matrix.count == 3)
    #expect(matrix.startIndex == 0)
    #expect(matrix.endIndex == 3)
    #expect(Array(matrix[1]) == [4, 5, 6])
    #expect(matrix.map { $0.first } == [1, 4, 7])
    #expect(matrix.rows(at: [2, 0, 2]).values == [7, 8, 9, 1, 2, 3, 7, 8, 9])
    #expect(matrix.rows(at: []).rowCount == 0)
    let changed = matrix.changingRows { row in for index in row.indices { row[index] += Float(10 * (index + 1)) } }
    #expect(changed.values == [11, 22, 33, 14, 25, 36, 17, 28, 39])
    #expect(matrix.values[0] == 1)
    let scores = matrix.scored(featureCount: 3, labelCount: 2) { output in
      for index in 0..<6 { output[index] = Float(index) }
    }
    #expect(scores.columnCount == 2)
    #expect(scores.values == [0, 1, 2, 3, 4, 5])
    let none = FeatureMatrix(columnCount: 3).scored(featureCount: 3, labelCount: 2) { _ in Issue.record("no rows") }
    #expect(none.rowCount == 0)
    #expect(none.columnCount == 2)
  }
}
