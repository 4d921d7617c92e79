import Foundation
import Gait
import GaitTestSupport
import Testing

@Suite struct WindowClassifierTests {
  private static let rates: [Double] = [100, 62.5, 50, 30, 25, 10]

  private static func windows(_ samples: [MotionSample], _ model: ActivityModel, rate: Double) throws
    -> [ClassifiedWindow]
  {
    var classifier = try WindowClassifier(model: model, sampleRate: .hertz(rate))
    return samples.flatMap { classifier.append($0) }
  }

  private static func bits(_ windows: [ClassifiedWindow]) -> [[UInt32]] {
    windows.map { window in window.probabilities.labels.indices.map { window.probabilities[$0].bitPattern } }
  }

  @Test(arguments: rates)
  func `A stream gives the windows of the recording to the last bit`(rate: Double) throws {
    let samples = shakenSamples(count: Int(40 * rate), rate: rate)
    let recording = Recording(name: "shaken", sampleRate: .hertz(rate), samples: samples)
    let streamed = try Self.windows(samples, TestModels.threeLabels, rate: rate)
    let whole = try TestModels.threeLabels.classify(recording)
    #expect(whole.count > 50)
    #expect(whole.map(\.start) == streamed.map(\.start))
    #expect(Self.bits(whole) == Self.bits(streamed))
  }

  @Test(arguments: rates)
  func `A stream gives every feature of the recording to the last bit`(rate: Double) throws {
    let samples = shakenSamples(count: Int(30 * rate), rate: rate)
    let whole = try recordingFeatures(Recording(name: "shaken", sampleRate: .hertz(rate), samples: samples))
    var resampler = Resampler(from: .hertz(rate), to: .hertz(25))
    var stream = try FeatureStream(features: Feature.full, shape: WindowShape(), sampleRate: .hertz(25))
    var streamed: [[UInt32]] = []
    // Using a copy must not affect the original.
    var copies: [(Resampler, FeatureStream)] = []
    for (index, sample) in samples.enumerated() {
      if index % 97 == 0 { copies.append((resampler, stream)) }
      if index % 101 == 0, var copy = copies.last {
        copy.0.append(samples[0]) { _ in }
        copy.1.append(samples[0]) { _, _ in }
      }
      resampler.append(sample) { stream.append($0) { streamed.append($1.map(\.bitPattern)) } }
    }
    #expect(whole.count > 30)
    #expect(whole == streamed)
  }

  private func recordingFeatures(_ recording: Recording) throws -> [[UInt32]] {
    var rows: [[UInt32]] = []
    try recording.forEachWindow(features: Feature.full, shape: WindowShape(), sampleRate: .hertz(25)) {
      rows.append($1.map(\.bitPattern))
    }
    return rows
  }

  @Test func `Windows have the model's length and hop`() throws {
    let windows = try Self.windows(shakenSamples(count: 2000), TestModels.threeLabels, rate: 50)
    for (window, next) in zip(windows, windows.dropFirst()) {
      #expect(window.end.nanoseconds - window.start.nanoseconds == 2_560_000_000)
      #expect(next.start.nanoseconds - window.start.nanoseconds == 640_000_000)
    }
  }

  @Test func `Shifting all times by whole nanoseconds shifts the windows exactly`() throws {
    let shift: Int64 = 1_732_000_000_987_654_321
    let original = try Self.windows(shakenSamples(count: 1500), TestModels.threeLabels, rate: 50)
    let shifted = try Self.windows(shakenSamples(count: 1500, start: shift), TestModels.threeLabels, rate: 50)
    #expect(shifted.map { $0.start.nanoseconds - shift } == original.map(\.start.nanoseconds))
    #expect(Self.bits(shifted) == Self.bits(original))
  }

  @Test func `Rotating the device changes no probability by more than 1e-4`() throws {
    let samples = shakenSamples(count: 3000)
    let original = try Self.windows(samples, TestModels.threeLabels, rate: 50)
    for seed in 1...20 {
      let rotation = Rotation(seed: UInt64(seed))
      let turned = try Self.windows(samples.map(rotation.apply(to:)), TestModels.threeLabels, rate: 50)
      for (one, other) in zip(original, turned) {
        for label in one.probabilities.labels {
          let change = (one.probabilities[label] - other.probabilities[label]).magnitude
          #expect(change <= 1e-4, "\(label) at \(one.start.seconds) s changes by \(change)")
        }
      }
    }
  }

  @Test func `Rotating a device with constant values changes no probability by more than 1e-4`() throws {
    let samples = (0..<1000).map { index in
      MotionSample(
        time: .seconds(Double(index) / 50), gravity: SIMD3(0.6, 0, -0.8), rotationRate: SIMD3(0.1, 0.2, 0.3),
        userAcceleration: SIMD3(0.12, -0.34, 0.05))
    }
    let original = try Self.windows(samples, TestModels.threeLabels, rate: 50)
    #expect(!original.isEmpty)
    for seed in 1...50 {
      let rotation = Rotation(seed: UInt64(seed))
      let turned = try Self.windows(samples.map(rotation.apply(to:)), TestModels.threeLabels, rate: 50)
      for (one, other) in zip(original, turned) {
        for label in one.probabilities.labels {
          #expect((one.probabilities[label] - other.probabilities[label]).magnitude <= 1e-4)
        }
      }
    }
  }

  @Test func `No window spans a gap or contains a missing value`() throws {
    var samples = shakenSamples(count: 2000)
    samples.removeSubrange(700..<800)  // 14 s … 16 s
    for index in 1392..<1410 { samples[index][.gravityX] = .nan }  // 30 s
    let windows = try Self.windows(samples, TestModels.threeLabels, rate: 50)
    #expect(!windows.contains { $0.start < .seconds(16) && $0.end > .seconds(14) })
    #expect(!windows.contains { $0.start < .seconds(30) && $0.end > .seconds(30) })
    #expect(windows.contains { $0.start > .seconds(16) && $0.end < .seconds(30) })
    #expect(windows.contains { $0.start > .seconds(30) })
  }

  @Test func `A gap of 253 years is handled like any other gap`() throws {
    let before = personSamples(stretch("R", 10), start: SampleTime.range.lowerBound.nanoseconds)
    let after = personSamples(stretch("R", 10), start: SampleTime.range.upperBound.nanoseconds - 10_000_000_000)
    func windows(_ samples: [MotionSample]) throws -> [ClassifiedWindow] {
      try TestModels.runner.classify(Recording(name: "gap", sampleRate: .hertz(50), samples: samples))
    }
    let apart = try windows(before) + windows(after)
    #expect(try windows(before + after) == apart)
    #expect(!apart.isEmpty)
  }

  @Test func `A sensor that the model does not use may be missing`() throws {
    let samples = shakenSamples(count: 1000).map {
      MotionSample(time: $0.time, gravity: $0.gravity, userAcceleration: $0.userAcceleration)
    }
    let recording = Recording(name: "no gyroscope", sampleRate: .hertz(50), samples: samples)
    #expect(try !TestModels.threeLabels.classify(recording).isEmpty)
    let rotating = TestModels.model(labels: ["a", "b"], features: [Feature(.channel(.rotationRateX), .rms)])
    #expect(throws: ModelError.missingChannels(Array(Sensor.rotationRate.channels.prefix(1)))) {
      try rotating.classify(recording)
    }
  }

  @Test func `A source that is too slow for the model is rejected`() throws {
    #expect(throws: ModelError.sourceTooSlow(source: .hertz(5), slowest: .hertz(7))) {
      try WindowClassifier(model: TestModels.threeLabels, sampleRate: .hertz(5))
    }
    #expect(try WindowClassifier(model: TestModels.tree, sampleRate: .hertz(5)).delay > 0)
    let recording = Recording(name: "slow", sampleRate: .hertz(5), samples: shakenSamples(count: 100))
    #expect(throws: ModelError.sourceTooSlow(source: .hertz(5), slowest: .hertz(7))) {
      try TestModels.threeLabels.classifier(of: recording)
    }
    #expect(throws: Never.self) { try TestModels.threeLabels.classifier(of: recording, allowsSlowSource: true) }
  }

  @Test func `Late samples are dropped and counted`() throws {
    var classifier = try WindowClassifier(model: TestModels.tree, sampleRate: .hertz(50))
    let samples = shakenSamples(count: 100)
    for sample in samples { _ = classifier.append(sample) }
    _ = classifier.append(samples[50])
    #expect(classifier.droppedSampleCount == 1)
  }

  @Test func `Scoring a matrix through BLAS agrees with the pipeline within 1e-6`() throws {
    let recording = Recording(name: "shaken", sampleRate: .hertz(50), samples: shakenSamples(count: 3000))
    for model in [TestModels.threeLabels, TestModels.tree] {
      let head = model.activityHead
      var matrix = FeatureMatrix(columnCount: head.features.count)
      try recording.forEachWindow(features: head.features, shape: head.window, sampleRate: model.sampleRate) {
        matrix.append($1)
      }
      let batch = head.probabilities(of: matrix)
      for (row, window) in try model.classify(recording).enumerated() {
        for (label, probability) in batch[row].enumerated() {
          #expect((probability - window.probabilities[label]).magnitude <= 1e-6)
        }
      }
    }
  }
}
