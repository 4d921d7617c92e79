import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// Recordings without gravity, from memory and live.
@Suite struct LinearAccelerationTests {
  private static func recordings(_ activity: SimulatedActivity) -> (whole: Recording, linear: Recording) {
    let whole = MovingRecordings.labeled(activity, subject: 1, seconds: 60).recording
    return (whole, MovingRecordings.keeping([.userAcceleration], of: whole))
  }

  @Test func `The built-in model that fits is the first whose channels a recording has`() {
    let all = Set(Channel.allCases)
    #expect(ActivityModel.fitting(all).name == "running")
    let (name, model) = ActivityModel.fitting(Set(Sensor.userAcceleration.channels))
    #expect(name == "running-linear")
    #expect(model.neededChannels == Set(Sensor.userAcceleration.channels))
    #expect(model.neededChannels.isSubset(of: ActivityModel.running.neededChannels))
    #expect(ActivityModel.fitting([]).name == "running")
  }

  @Test(arguments: [SimulatedActivity.running, .walking])
  func `Steps are counted without gravity`(activity: SimulatedActivity) throws {
    let (whole, linear) = Self.recordings(activity)
    let expected = try #require(MovingRecordings.simulator.subject(1).stepFrequency(activity)) * whole.duration
    let found = try ActivityModel.runningLinear.track(linear).steps
    #expect(abs(Double(found) / expected - 1) < 0.06, "\(found) for \(expected)")
  }

  @Test func `A live stream without gravity gives the run of the recording`() throws {
    let linear = Self.recordings(.running).linear
    var tracker = try RunTracker(model: .runningLinear, sampleRate: linear.sampleRate)
    for index in 0..<linear.count { _ = tracker.append(linear[index]) }
    let run = tracker.finish()
    #expect(run == (try ActivityModel.runningLinear.track(linear)))
    #expect(run.cadencePoints.contains { $0.stepsPerMinute > 0 })
    #expect(run.pauses.isEmpty)
  }

  @Test func `A tracker without a model uses the one that fits the stream`() throws {
    let (whole, linear) = Self.recordings(.running)
    for (recording, model) in [(whole, ActivityModel.running), (linear, .runningLinear)] {
      var tracker = try RunTracker(sampleRate: recording.sampleRate)
      // A press and a sample without an acceleration come before the choice.
      let nothing = SIMD3<Float>(repeating: .nan)
      let empty = MotionSample(
        time: recording.start.advanced(bySeconds: -0.02), gravity: nothing, userAcceleration: nothing)
      var stated = try RunTracker(model: model, sampleRate: recording.sampleRate)
      for index in -1..<recording.count {
        let sample = index < 0 ? empty : recording[index]
        if index == 200 { #expect(tracker.pause(at: sample.time) == stated.pause(at: sample.time)) }
        if index == 700 { #expect(tracker.resume(at: sample.time) == stated.resume(at: sample.time)) }
        #expect(tracker.append(sample) == stated.append(sample))
      }
      #expect(tracker.model == model)
      #expect(tracker.finish() == stated.finish())
      #expect(tracker.finish().cadencePoints.contains { $0.stepsPerMinute > 0 })
    }
  }

  @Test func `A stop without gravity pauses the run and dates it`() throws {
    let (run, stop) = (Self.recordings(.running).linear, Self.recordings(.still).linear)
    var tracker = try RunTracker(model: .runningLinear, sampleRate: run.sampleRate)
    for (part, recording) in [run, stop, run].enumerated() {
      for index in 0..<recording.count {
        var sample = recording[index]
        sample.time = sample.time.advanced(bySeconds: 60 * Double(part))
        _ = tracker.append(sample)
      }
    }
    let pauses = tracker.finish().pauses
    #expect(pauses.count == 1)
    #expect(abs((pauses.first?.onset.seconds ?? 0) - 60) < 1)
    #expect(abs((pauses.first?.end?.seconds ?? 0) - 120) < 1.5)
  }
}

/// Declared sample rates that the labels contradict.
@Suite struct RateCheckTests {
  /// Recordings of four people at `actual` hertz that are declared to have `declared`.
  private static func warnings(
    actual: Double, declared: Double, sensors: [Sensor] = [.gravity, .userAcceleration]
  ) -> [String] {
    let simulator = Simulator(seed: 5, sampleRate: .hertz(actual))
    let recordings = (1...4).flatMap { subject in
      [SimulatedActivity.running, .walking].map { activity in
        let recording = simulator.recording(of: subject, activity: activity, seconds: 26)
        let columns = sensors.flatMap(\.channels).map { ($0, recording[$0]) }
        return LabeledRecording(
          recording: Recording(
            name: "\(subject)", sampleRate: .hertz(declared), columns: Dictionary(uniqueKeysWithValues: columns)),
          label: activity.label, fields: ["subject": "\(subject)"])
      }
    }
    return ActivityTrainer().warnings(of: LabeledDataset(recordings), windows: [:]).filter { $0.contains("rate") }
  }

  @Test(arguments: [
    (10.0, 100.0, "10 times too high"), (50, 25, "2 times too low"), (25, 50, "2 times too high"),
  ])
  func `A wrong rate is named with its factor`(actual: Double, declared: Double, factor: String) {
    for sensors in [[Sensor.gravity, .userAcceleration], [.userAcceleration]] {
      let found = Self.warnings(actual: actual, declared: declared, sensors: sensors)
      #expect(found.count == 1, "\(found)")
      #expect(found.first?.hasPrefix("check the rate: at the declared") ?? false)
      #expect(found.first?.hasSuffix(factor) ?? false, "\(found)")
    }
  }

  @Test(arguments: [10.0, 25, 50])
  func `The right rate has no warning`(hertz: Double) {
    #expect(Self.warnings(actual: hertz, declared: hertz) == [])
  }
}
