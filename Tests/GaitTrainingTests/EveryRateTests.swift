import Foundation
import GaitFormats
import GaitTestSupport
import Testing

@testable import Gait
@testable import GaitTraining

/// One run at 100 Hz and the same at lower rates: an app that was trained at one rate and served at another never paused.
@Suite struct EveryRateTests {
  private static let rates = [100.0, 50, 25, 10]
  private static let run = Simulator(seed: 5, sampleRate: .hertz(100)).recording(
    SimulatedRun(
      subject: 1,
      stretches: [
        .init(.running, seconds: 25), .init(.still, seconds: 12), .init(.walking, seconds: 12),
        .init(.running, seconds: 15),
      ]))

  private static func run(at rate: Double) -> Recording {
    rate == 100 ? run : run.resampled(to: .hertz(rate))
  }

  /// A model that needs no gravity, trained on recordings of `rate`.
  private static func model(trainedAt rate: Double) throws -> ActivityModel {
    let simulator = Simulator(seed: 9, sampleRate: .hertz(rate))
    let activities: [(SimulatedActivity, String)] = [(.running, "running"), (.walking, "walking"), (.still, "still")]
    let recordings = (1...3).flatMap { subject in
      activities.map { activity, label in
        LabeledRecording(
          recording: simulator.recording(of: subject, activity: activity, seconds: 12), label: label,
          path: "\(label)_\(subject).csv", fields: ["subject": "\(subject)"])
      }
    }
    var trainer = ActivityTrainer()
    trainer.features = [
      Feature(.userAccelerationMagnitude, .rms, .log(offset: 0.01)),
      Feature(.userAccelerationMagnitude, .standardDeviation, .log(offset: 0.01)),
    ]
    return try trainer.fit(LabeledDataset(recordings))
  }

  /// The share of windows whose label is that of the window of `expected` nearest in time.
  private static func agreement(_ windows: [ClassifiedWindow], _ expected: [ClassifiedWindow]) -> Double {
    let same = windows.filter { window in
      expected.min { abs($0.start.seconds(since: window.start)) < abs($1.start.seconds(since: window.start)) }?.label
        == window.label
    }
    return Double(same.count) / Double(windows.count)
  }

  @Test(arguments: rates)
  func `A run has the same labels, pauses and steps at every rate, from a file and live`(rate: Double) throws {
    let model = ActivityModel.running
    let (recording, original) = (Self.run(at: rate), try model.track(Self.run))
    let folder = try TemporaryDirectory()
    try recording.write(to: folder.file("run.csv"))
    let file = try Recording(contentsOf: folder.file("run.csv"))
    var tracker = try RunTracker(model: model, sampleRate: .hertz(rate))
    for index in 0..<recording.count { tracker.append(recording[index]) }
    #expect(try Self.agreement(model.classify(file), model.classify(Self.run)) >= 0.9)
    #expect(!original.pauses.isEmpty && original.steps > 100)
    for run in [try model.track(file), tracker.finish()] {
      #expect(run.pauses.count == original.pauses.count)
      for (pause, expected) in zip(run.pauses, original.pauses) {
        #expect(abs(pause.onset.seconds(since: expected.onset)) <= 0.6)
      }
      #expect(abs(Double(run.steps - original.steps)) <= 0.06 * Double(original.steps))
    }
  }

  @Test(arguments: [100.0, 25, 10])
  func `A model without gravity trained at one rate is right at the others`(trained: Double) throws {
    let model = try Self.model(trainedAt: trained)
    let expected = try model.classify(Self.run)
    // 10 Hz holds no harmonics of the steps, which are a part of the magnitude.
    for rate in Self.rates where rate > 10 || trained == 10 {
      let recording = Self.run(at: rate)
      let columns = Sensor.userAcceleration.channels.map { ($0, recording[$0]) }
      let linear = Recording(
        name: "linear", sampleRate: .hertz(rate), start: recording.start,
        columns: Dictionary(uniqueKeysWithValues: columns))
      let share = try Self.agreement(model.classify(linear), expected)
      #expect(share >= 0.9, "\(share) at \(rate) Hz")
    }
    let running = expected.filter { $0.label == "running" }.map(\.start.seconds)
    #expect(running.filter { $0 > 24 && $0 < 47 }.count <= 3 && running.count > 40)
  }
}
