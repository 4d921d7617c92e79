import Foundation
import Gait
import GaitTestSupport
import Testing

@Suite struct RunTrackerTests {
  private static let runStopRun = stretch("R", 30) + stretch(".", 20) + stretch("R", 30)

  private static func tracker(_ options: RunOptions = RunOptions(), rate: Double = 50) throws -> RunTracker {
    try RunTracker(model: TestModels.runner, sampleRate: .hertz(rate), options: options)
  }

  private static func track(
    _ samples: [MotionSample], _ options: RunOptions = RunOptions(), rate: Double = 50
  ) throws -> (run: RunTimeline, events: [RunEvent]) {
    var tracker = try tracker(options, rate: rate)
    let events = samples.flatMap { tracker.append($0) }
    return (tracker.finish(), events)
  }

  private static func checkTotals(_ run: RunTimeline, _ place: SourceLocation = #_sourceLocation) {
    #expect(
      (run.movingSeconds + run.pausedSeconds + run.unknownSeconds - run.elapsedSeconds).magnitude < 1e-9,
      sourceLocation: place)
    #expect(run.slices.first?.start == run.start, sourceLocation: place)
    #expect(run.slices.last?.end == run.end, sourceLocation: place)
    for (slice, next) in zip(run.slices, run.slices.dropFirst()) {
      #expect(slice.end == next.start, sourceLocation: place)
    }
  }

  @Test(arguments: [100.0, 50, 25])
  func `A stop pauses the run from its onset`(rate: Double) throws {
    let (run, events) = try Self.track(personSamples(Self.runStopRun, rate: rate), rate: rate)
    let pause = try #require(run.pauses.first)
    #expect(run.pauses.count == 1)
    #expect(abs(pause.onset.seconds - 30) < 0.2)
    #expect(abs(pause.end!.seconds - 50) < 0.2)
    #expect(pause.decidedAt.seconds > 30)
    #expect(pause.decidedAt.seconds < 32.3)
    #expect(abs(run.movingSeconds - 60) < 0.4)
    #expect(events.filter { if case .resumed = $0 { true } else { false } }.count == 1)
    Self.checkTotals(run)
  }

  @Test func `Walking pauses the run only under whenNotRunning`() throws {
    let samples = personSamples(stretch("R", 30) + stretch("w", 30) + stretch("R", 30))
    #expect(try Self.track(samples).run.slices.map(\.state) == [.running, .walking, .running])
    let whenNotRunning = RunOptions(policy: .whenNotRunning)
    #expect(try Self.track(samples, whenNotRunning).run.slices.map(\.state) == [.running, .paused, .running])
    let never = RunOptions(policy: .never)
    let run = try Self.track(personSamples(Self.runStopRun), never).run
    #expect(run.slices.map(\.state) == [.running, .standing, .running])
    #expect(run.pauses.isEmpty)
  }

  @Test(arguments: [1.3, 1.8, 2.2])
  func `A walker who holds the phone steadily is not paused`(frequency: Double) throws {
    let samples = (0..<3000).map { index in
      let time = Double(index) / 50
      return MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1),
        userAcceleration: SIMD3(0, 0, Float(0.12 * sin(2 * .pi * frequency * time))))
    }
    let run = try Self.track(samples).run
    #expect(run.pauses.isEmpty, "paused a walk of \(frequency) steps/s: \(run.pauses)")
    #expect(abs(Double(run.steps) - 60 * frequency) < 0.05 * 60 * frequency, "\(run.steps) steps")
  }

  @Test func `A phone shaken by a standing person does not resume the run`() throws {
    let run = try Self.track(personSamples(stretch("R", 20) + stretch(".", 10) + stretch("s", 20))).run
    #expect(run.pauses.map(\.end) == [nil])
  }

  @Test func `A gap, missing values and a clock set back do not pause the run`() throws {
    let whole = personSamples(stretch("R", 60))
    let withGap = Array(whole[..<1000] + whole[1500...])
    var (run, events) = try Self.track(withGap)
    #expect(run.pauses.isEmpty)
    #expect(run.gaps.count == 1)
    #expect(events.contains { if case .gap = $0 { true } else { false } })
    Self.checkTotals(run)

    var burst = whole
    for index in stride(from: 300, to: 2700, by: 400) {
      for missing in index..<index + 150 { burst[missing][.userAccelerationX] = .nan }
    }
    (run, _) = try Self.track(burst)
    #expect(run.pauses.isEmpty)
    Self.checkTotals(run)

    var jumped = whole
    for index in 1500..<jumped.count { jumped[index].time.nanoseconds -= 2_000_000_000 }
    var tracker = try Self.tracker()
    for sample in jumped { _ = tracker.append(sample) }
    #expect(tracker.finish().pauses.isEmpty)
    #expect(tracker.droppedSampleCount == 100)
    Self.checkTotals(tracker.finish())
  }

  @Test func `A gap during a stop does not resume the run`() throws {
    let whole = personSamples(stretch("R", 20) + stretch(".", 30) + stretch("R", 20))
    let run = try Self.track(Array(whole[..<1200] + whole[1700...])).run
    #expect(run.pauses.count == 1)
    #expect(abs(run.pausedSeconds - 30) < 0.5)
  }

  @Test func `Losing GPS does not pause a runner`() throws {
    var tracker = try Self.tracker()
    for (index, sample) in personSamples(stretch("R", 120)).enumerated() {
      let second = index / 50
      if index % 50 == 0, !(30..<90 ~= second) {
        let north = 48 + Double(second) * 3 / 111_195
        _ = tracker.append(
          LocationSample(time: sample.time, latitude: north, longitude: 11, speed: 3, horizontalAccuracy: 5))
      }
      _ = tracker.append(sample)
    }
    let run = tracker.finish()
    #expect(run.pauses.isEmpty)
    #expect(abs(run.distance! - 357) < 5)
    #expect(abs(run.estimatedDistance - 183) < 5)
    #expect(run.estimatedStretches == [.seconds(29)..<SampleTime.seconds(90)])
    Self.checkTotals(run)
  }

  @Test func `A stream, a recording and a replay give the same run to the last bit`() throws {
    let samples = personSamples(Self.runStopRun + stretch("w", 20))
    let (live, _) = try Self.track(samples)
    let recording = Recording(name: "person", sampleRate: .hertz(50), samples: samples)
    #expect(try TestModels.runner.track(recording) == live)
    var tracker = try Self.tracker()
    for burst in stride(from: 0, to: samples.count, by: 500) {
      for sample in samples[burst..<min(burst + 500, samples.count)] { _ = tracker.append(sample) }
      let copy = tracker
      tracker = copy
    }
    #expect(tracker.finish() == live)
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == live)
  }

  @Test func `A run can be replayed with another policy`() throws {
    let samples = personSamples(stretch("R", 30) + stretch("w", 30) + stretch("R", 30))
    var tracker = try Self.tracker()
    for sample in samples { _ = tracker.append(sample) }
    let options = RunOptions(policy: .whenNotRunning)
    #expect(try tracker.evidence.replayed(by: TestModels.runner, options: options) == Self.track(samples, options).run)
    let other = TestModels.model(labels: ["running", "still"], features: [Feature(.channel(.attitudeRoll), .rms)])
    let attitude = "the model needs the attitude, which evidence does not keep; track the recording again"
    #expect(throws: ModelError.invalid(attitude)) { try tracker.evidence.replayed(by: other) }
  }

  @Test func `A run without evidence is the same but cannot be replayed`() throws {
    let samples = personSamples(Self.runStopRun)
    let options = RunOptions(keepsEvidence: false)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
    for sample in samples { _ = tracker.append(sample) }
    #expect(try tracker.finish() == Self.track(samples, options).run)
    #expect(tracker.finish().pauses == (try Self.track(samples).run.pauses))
    #expect(tracker.evidence.count == 0)
    let unkept = "the evidence of this run was not kept; set RunOptions.keepsEvidence"
    #expect(throws: ModelError.invalid(unkept)) { try tracker.evidence.replayed(by: TestModels.runner) }
  }

  @Test func `Shifting all times by whole nanoseconds shifts the run exactly`() throws {
    let shift: Int64 = 1_732_000_000_987_654_321
    let run = try Self.track(personSamples(Self.runStopRun)).run
    let shifted = try Self.track(personSamples(Self.runStopRun, start: shift)).run
    #expect(shifted.slices.map { $0.start.nanoseconds - shift } == run.slices.map(\.start.nanoseconds))
    #expect(
      shifted.pauses.map { $0.decidedAt.nanoseconds - shift } == run.pauses.map(\.decidedAt.nanoseconds))
    #expect(shifted.cadencePoints.map(\.stepsPerMinute) == run.cadencePoints.map(\.stepsPerMinute))
    #expect(shifted.movingSeconds == run.movingSeconds)
    #expect(shifted.pausedSeconds == run.pausedSeconds)
  }

  @Test func `Manual decisions override automatic ones`() throws {
    var tracker = try Self.tracker()
    var events: [RunEvent] = []
    for (index, sample) in personSamples(stretch("R", 60)).enumerated() {
      if index == 1000 { events += tracker.pause(at: sample.time) }
      if index == 2000 { events += tracker.resume(at: sample.time) }
      events += tracker.append(sample)
    }
    let run = tracker.finish()
    #expect(run.pauses.map(\.onset) == [.seconds(20)])
    #expect(run.pauses.map(\.end) == [.seconds(40)])
    #expect(run.pauses.map(\.cause) == [.manual])
    #expect(run.pausedSeconds == 20)
    Self.checkTotals(run)
  }

  @Test func `Snapshots are on their grid, and goals and splits are reported once`() throws {
    let options = RunOptions(
      splitMeters: 50, goals: [.movingTime(seconds: 40), .distance(meters: 100)],
      strides: StrideModel(running: 1, walking: 0.7), snapshotSeconds: 5)
    let (run, events) = try Self.track(personSamples(Self.runStopRun, rate: 62.5), options, rate: 62.5)
    let snapshots = events.compactMap { if case .snapshot(let snapshot) = $0 { snapshot } else { nil } }
    let seconds = (1...15).map { 5 * $0 }
    #expect(snapshots.map(\.time) == seconds.map { SampleTime.seconds(Double($0)) })
    #expect(snapshots.map(\.isPaused) == seconds.map { (35...50).contains($0) })
    #expect(events.filter { if case .goal = $0 { true } else { false } }.count == 2)
    #expect(
      events.contains { if case .split(let split) = $0 { split.number == 2 && split.isEstimated } else { false } })
    #expect(run.splits(everyMeters: 50).count >= 2)
    #expect(run.estimatedDistance > 0)
    #expect(abs(run.distance! - 60 * 2.7) < 20)
  }

  @Test func `A source that is too slow for the model is rejected`() throws {
    #expect(throws: ModelError.sourceTooSlow(source: .hertz(5), slowest: .hertz(7))) {
      try RunTracker(model: TestModels.threeLabels, sampleRate: .hertz(5))
    }
  }

  @Test func `A run without samples has no duration`() throws {
    let run = try Self.tracker().finish()
    #expect(run.elapsedSeconds == 0)
    #expect(run.slices.isEmpty)
    #expect(run.cadence == nil)
    #expect(run.distance == nil)
  }

  @Test(arguments: [true, false])
  func `A phone that is shaken as gently as a quiet walk moves it keeps no run from being paused`(isShaken: Bool) throws
  {
    // A hand turns the phone the same way at every beat, and legs one way and the other.
    let turns = isShaken ? 2.2 : 1.1
    let samples = (0..<1500).map { index in
      let time = Double(index) / 50
      return MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(Float(sin(2 * .pi * turns * time)), 0, 0),
        userAcceleration: SIMD3(0, 0, Float(0.08 * sin(2 * .pi * 2.2 * time))))
    }
    var (tracker, pausedCount) = (try Self.tracker(), 0)
    for sample in samples {
      tracker.append(sample)
      if tracker.isPaused { pausedCount += 1 }
    }
    #expect(isShaken ? pausedCount > 1200 : pausedCount == 0, "\(pausedCount) of \(samples.count)")
  }

  @Test func `A pause before the first acceleration lasts when that chooses the model`() throws {
    let samples = personSamples(stretch("R", 20))
    let missing = SIMD3<Float>(repeating: .nan)
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for sample in samples[..<50] {
      tracker.append(
        MotionSample(
          time: sample.time, gravity: missing, rotationRate: sample.rotationRate, userAcceleration: missing))
    }
    tracker.pause(at: .seconds(1))
    for sample in samples[50...] {
      tracker.append(MotionSample(time: sample.time, gravity: missing, userAcceleration: sample.userAcceleration))
    }
    #expect(tracker.model.checksum == ActivityModel.runningLinear.checksum)
    #expect(tracker.isPaused)
    let pauses = tracker.finish().pauses
    #expect(pauses.map(\.onset) == [.seconds(1)])
    #expect(pauses.map(\.end) == [nil])
  }

  @Test func `No onset is after its decision, even of a button that was pressed before the latest pause`() throws {
    var tracker = try Self.tracker()
    for sample in personSamples(stretch("R", 30) + stretch(".", 10)) { tracker.append(sample) }
    #expect(tracker.isPaused)
    let events = tracker.resume(at: .seconds(25))
    guard case .resumed(let resume) = try #require(events.first) else {
      Issue.record("\(events)")
      return
    }
    #expect(resume.decidedAt == .seconds(25))
    #expect(resume.onset == .seconds(25))
  }

  @Test func `A change of activity is dated to the middle of the window that shows it`() throws {
    var tracker = try Self.tracker()
    var classifier = try WindowClassifier(model: TestModels.runner, sampleRate: .hertz(50))
    var (latest, count) = (ClassifiedWindow?.none, 0)
    for sample in personSamples(stretch("R", 20) + stretch(".", 20)) {
      for window in classifier.append(sample) { latest = window }
      for event in tracker.append(sample) {
        guard case .activity(let change) = event else { continue }
        count += 1
        let window = try #require(latest)
        let half = window.end.seconds(since: window.start) / 2
        #expect(half > 1, "\(change)")
        #expect(abs(change.onset.seconds(since: window.start) - half) < 1e-8, "\(change)")
        #expect(change.decidedAt == sample.time)
      }
    }
    #expect(count >= 2)
  }
}
