import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// One run at 100 Hz and the same at lower rates: an app that was trained at one rate and served at another never
/// paused.
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

  private static func linear(_ recording: Recording) -> Recording {
    MovingRecordings.keeping([.userAcceleration], of: recording)
  }

  @Test(arguments: rates, [true, false])
  func `A run has the same labels, pauses and steps at every rate, from a file and live`(
    rate: Double, hasGravity: Bool
  ) throws {
    let model: ActivityModel = hasGravity ? .running : .runningLinear
    let (original, recording) =
      hasGravity ? (Self.run, Self.run(at: rate)) : (Self.linear(Self.run), Self.linear(Self.run(at: rate)))
    let expected = try model.track(original)
    let folder = try TemporaryDirectory()
    try recording.write(to: folder.file("run.csv"))
    let file = try Recording(contentsOf: folder.file("run.csv"))
    var tracker = try RunTracker(model: model, sampleRate: .hertz(rate))
    for index in 0..<recording.count { tracker.append(recording[index]) }
    let share = try Self.agreement(model.classify(file), model.classify(original))
    // The features without gravity are of the strength of the movement, a part of which 10 Hz does not hold.
    #expect(share >= (hasGravity || rate > 10 ? 0.9 : 0.8), "\(share) of the labels")
    #expect(!expected.pauses.isEmpty)
    #expect(expected.steps > 100)
    for run in [try model.track(file), tracker.finish()] {
      #expect(run.pauses.count == expected.pauses.count)
      for (pause, other) in zip(run.pauses, expected.pauses) {
        #expect(abs(pause.onset.seconds(since: other.onset)) <= 0.6)
      }
      #expect(abs(Double(run.steps - expected.steps)) <= 0.06 * Double(expected.steps), "\(run.steps) steps")
    }
  }

  @Test(arguments: [100.0, 25, 10])
  func `A model without gravity trained at one rate is right at the others`(trained: Double) throws {
    let model = try Self.model(trainedAt: trained)
    let expected = try model.classify(Self.run)
    // 10 Hz holds no harmonics of the steps, which are a part of the magnitude.
    for rate in Self.rates where rate > 10 || trained == 10 {
      let share = try Self.agreement(model.classify(Self.linear(Self.run(at: rate))), expected)
      #expect(share >= 0.9, "\(share) at \(rate) Hz")
    }
    let running = expected.filter { $0.label == "running" }.map(\.start.seconds)
    #expect(running.filter { $0 > 24 && $0 < 47 }.count <= 3)
    #expect(running.count > 40)
  }
}
