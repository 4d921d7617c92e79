import Foundation
import Gait
import GaitLab
import GaitTraining
import Testing

@Suite struct RunComposerTests {
  private static let dataset: LabeledDataset = {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    return LabeledDataset(
      [1, 2].flatMap { subject in
        [SimulatedActivity.running, .still].map { activity in
          LabeledRecording(
            recording: simulator.recording(of: subject, activity: activity, seconds: 60),
            label: activity == .running ? "running" : "still", group: "\(subject)", path: "\(activity) \(subject)")
        }
      })
  }()

  private static var composer: RunComposer {
    var composer = RunComposer()
    composer.hours = 0.05
    composer.stopsPerRun = 3
    composer.runningSeconds = 10...20
    composer.stopSeconds = 6...12
    return composer
  }

  @Test func `The same seed gives the same runs, another seed others`() throws {
    let runs = try Self.composer.runs(from: Self.dataset, seed: 1)
    let again = try Self.composer.runs(from: Self.dataset, seed: 1)
    let others = try Self.composer.runs(from: Self.dataset, seed: 2)
    #expect(runs.map(\.truth) == again.map(\.truth))
    #expect(runs.map { $0.recording[.userAccelerationZ] } == again.map { $0.recording[.userAccelerationZ] })
    #expect(runs.map(\.truth) != others.map(\.truth))
  }

  @Test(arguments: [0.0, 1])
  func `A run alternates between running and stops without gaps, and belongs to one person`(fade: Double) throws {
    var composer = Self.composer
    composer.fadeSeconds = fade
    let runs = try composer.runs(from: Self.dataset, seed: 3)
    #expect(Set(runs.map(\.group)) == ["1", "2"])
    #expect(runs.reduce(0) { $0 + $1.recording.duration } >= 180)
    for run in runs {
      #expect(run.truth.map(\.isStopped) == [false, true, false, true, false, true, false])
      #expect(run.truth[0].start == run.recording.start)
      #expect(abs(run.truth[6].end.seconds - run.recording.duration) < 1e-6)
      for (stretch, next) in zip(run.truth, run.truth.dropFirst()) { #expect(stretch.end == next.start) }
    }
  }

  @Test func `Runs of every minute use every row`() throws {
    var composer = Self.composer
    (composer.usesEveryMinute, composer.runningSeconds) = (true, 5...7)
    let runs = try composer.runs(from: Self.dataset, seed: 1)
    #expect(runs.map(\.group) == ["1", "2"])
    for run in runs {
      let used = Set(run.recording.rows)
      for labeled in Self.dataset.recordings where labeled.group == run.group {
        let rows = RunningPool.stretches(of: labeled.recording).flatMap { labeled.recording.rows[$0] }
        let missing = (labeled.label == "running" ? rows : Array(labeled.recording.rows)).count { !used.contains($0) }
        #expect(missing == 0, "\(labeled.path): \(missing) rows are unused")
      }
      #expect(run.truth.allSatisfy { $0.seconds >= 5 && $0.seconds <= 24 })
      #expect(run.truth.last?.isStopped == false)
    }
    #expect(try composer.runs(from: Self.dataset, seed: 2)[0].truth != runs[0].truth)
    let material = composer.material(of: Self.dataset)
    #expect(material.groups == 2)
    #expect(abs(material.runningSeconds - 120) < 5)
    #expect(abs(material.stoppedSeconds - 120) < 5)
  }

  @Test func `The running pool drops slow stretches and keeps running`() throws {
    let running = Self.dataset.recordings.first { $0.label == "running" }!.recording
    #expect(RunningPool.stretches(of: running).reduce(0) { $0 + $1.count } == running.count)
    var samples = (0..<running.count).map { running[$0] }
    for index in 1000..<1500 {
      for channel in Sensor.userAcceleration.channels { samples[index][channel] *= 0.2 }
    }
    let slowed = Recording(name: "slowed", sampleRate: .hertz(50), samples: samples)
    let stretches = RunningPool.stretches(of: slowed)
    #expect(stretches.count == 2)
    #expect(stretches.allSatisfy { $0.upperBound <= 1064 || $0.lowerBound >= 1436 })
  }

  @Test func `Walking that moves like running is no stop, unless recordings stay as labelled`() throws {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(50))
    let running = simulator.recording(of: 1, activity: .running, seconds: 60)
    let dataset = LabeledDataset(
      ["running", "walking"].map { LabeledRecording(recording: running, label: $0, group: "1", path: $0) })
    var composer = Self.composer
    composer.stops = [.walking]
    #expect(throws: ComposingError.noGroupRunsAndStops(stops: ["walking"])) {
      try composer.runs(from: dataset, seed: 1)
    }
    composer.cleansRunning = false
    #expect(try composer.runs(from: dataset, seed: 1)[0].truth.contains { $0.isStopped })
  }

  @Test func `Row labels become stretches of ground truth`() {
    let recording = Recording(
      name: "x", sampleRate: .hertz(10), columns: [.gravityX: [Float](repeating: 0, count: 100)])
    let labels: [(label: String?, rows: Range<Int>)] = [
      ("jog", 0..<40), (nil, 40..<50), ("sit", 50..<80), ("wlk", 80..<100),
    ]
    let still = ComposedRun(recording: recording, group: "1", labels: labels, policy: .whenStill)
    #expect(still.truth.map(\.isStopped) == [false, true, false])
    #expect(still.truth.map(\.seconds) == [5, 3, 2])
    let running = ComposedRun(recording: recording, group: "1", labels: labels, policy: .whenNotRunning)
    #expect(running.truth.map(\.seconds) == [5, 5])
  }

  @Test func `Data without a group that has running and stops throws`() throws {
    let runners = Self.dataset.keeping(labels: ["running"])
    #expect(throws: ComposingError.noGroupRunsAndStops(stops: ["still"])) {
      try Self.composer.runs(from: runners, seed: 1)
    }
  }
}
