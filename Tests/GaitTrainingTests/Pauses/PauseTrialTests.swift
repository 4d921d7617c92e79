import Foundation
import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// What is tuned and evaluated is what a `RunTracker` runs.
@Suite struct PauseTrialTests {
  /// The decisions and pauses of a tracker.
  private static func log(_ model: ActivityModel, _ run: ComposedRun, _ policy: PausePolicy) throws -> PauseLog {
    var tracker = try RunTracker(
      model: model, sampleRate: run.recording.sampleRate, options: RunOptions(policy: policy))
    tracker.append(contentsOf: run.recording)
    return try #require(tracker.timeline).pauseLog
  }

  @Test(arguments: [PausePolicy.whenStill, .whenNotRunning])
  func `The pauses of composed runs are those of a tracker, bit for bit`(policy: PausePolicy) throws {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    let dataset = LabeledDataset(
      [1, 2].flatMap { subject in
        [SimulatedActivity.running, .still, .walking].map { activity in
          LabeledRecording(
            recording: simulator.recording(of: subject, activity: activity, seconds: 40), label: "\(activity)",
            group: "\(subject)", path: "\(activity) \(subject)")
        }
      })
    var composer = RunComposer()
    (composer.hours, composer.stopsPerRun, composer.fadeSeconds) = (0.03, 3, 0.5)
    composer.stops = policy.activities.intersection([.still, .walking])
    let runs = try composer.runs(from: dataset, seed: 3)
    let logs = try PauseTrial(.running, on: runs, policy: policy).logs()
    for (run, log) in zip(runs, logs) {
      let expected = try Self.log(.running, run, policy)
      #expect(log == expected, "\(run.recording.name)")
      #expect(log.decisions.count > 2, "\(run.recording.name)")
    }
  }

  /// Runs for 20 s, stands for 12 s and runs for 30 s at 2.6 steps a second, with a phone on the trunk that every step
  /// turns the same way, as shaking does.
  private static var trunk: ComposedRun {
    var random = SplitMix64(seed: 2)
    let rows = (0..<62 * 50).map { index in
      let time = Double(index) / 50
      let moves: Float = 20..<32 ~= time ? 0 : 1
      let rest = SIMD3<Float>.random(in: -0.004...0.004, using: &random)
      let bounce = moves * Float(sin(2 * .pi * 2.6 * time) + 0.25 * sin(4 * .pi * 2.6 * time + 1))
      let turn = moves * Float(sin(2 * .pi * 2.6 * time + 0.7))
      return MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: turn * SIMD3(0.8, 0.6, 0) + rest,
        userAcceleration: SIMD3(0, 0, bounce) + rest
      ).row
    }
    let recording = Recording(
      name: "trunk", sampleRate: .hertz(50), channels: Set(Channel.allCases).subtracting(Sensor.attitude.channels),
      rows: rows)
    let ends: [SampleTime] = [.seconds(0), .seconds(20), .seconds(32), .seconds(62)]
    return ComposedRun(
      recording: recording, group: "1",
      truth: (0..<3).map { ComposedRun.Stretch(start: ends[$0], end: ends[$0 + 1], isStopped: $0 == 1) })
  }

  @Test func `A pause that the activity ends is no missed resume, at any threshold`() throws {
    let trial = try PauseTrial(.running, on: [Self.trunk], policy: .whenStill)
    #expect(try trial.logs() == [Self.log(.running, Self.trunk, .whenStill)])
    #expect(trial.report().missedResumes == 0)
    #expect(trial.report().missedPauses == 0)
    for (threshold, report) in trial.tradeOff(at: [0.9, 0.97, 0.99]) {
      #expect(report.missedResumes == 0, "above \(threshold)")
    }
  }
}
