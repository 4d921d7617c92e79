import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// What decides which inputs are of a run, and what counts pauses, goals, splits and snapshots, on times that are often
/// exactly at a limit.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct RunGateAnswersTests {
  @Test func `Gates, pauses, goals and whole trackers have the figures that were recorded`() throws {
    let parts: [(String, () throws -> RecordedAnswers.Figures)] = [
      ("gate", Self.gates), ("log", Self.logs), ("progress", Self.progresses), ("snapshots", Self.snapshots),
      ("tracker", Self.trackers), ("lead", Self.leads), ("evidence", Self.evidence),
    ]
    try RecordedAnswers("run_gate_answers.tsv").expect(parts.map { (name: $0.0, figures: try $0.1()) })
  }

  private static func gates() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<48 {
      var random = SplitMix64(seed: UInt64(seed))
      var options = RunOptions()
      options.locationDelaySeconds = random.pick([300, 20, 0])
      options.sampleDelaySeconds = seed % 4 == 0 ? 0.2 : 0
      var gate = RunGate(options)
      var (seconds, point, letters, reached) = (100.0, 100.0, "", [Double]())
      for index in 0..<120 {
        let isMotion = seed % 3 == 0 ? index > 8 && index % 2 == 0 : seed % 3 == 1 ? index > 30 && index % 3 > 0 : false
        if isMotion {
          let step: Double = random.pick([1, 1, 1, 1, 60, 60.000000001, 61, 100, -1, 0, 0.5])
          let time = SampleTime.seconds(
            step > 60 || step < 0
              ? seconds + step
              : {
                seconds += step; return seconds
              }())
          let sample = MotionSample(time: time, row: SIMD16(repeating: 0))
          if gate.isNext(time) {
            letters += "n"
            gate.advance(to: time)
          } else {
            switch gate.role(of: sample) {
            case .first:
              letters += "f"
              gate.begin(at: time)
            case .taken:
              letters += "t"
              gate.advance(to: time)
            case .held: letters += "h"
            case .confirmed(let samples):
              letters += "c\(samples.count)"
              if let start = gate.start, samples[0].time < start { gate.begin(at: samples[0].time) }
              gate.advance(to: samples[samples.count - 1].time)
              seconds = samples[samples.count - 1].time.seconds
            }
          }
          if random.isOnce(in: 4), step > 60 {
            // Two more samples of the same clock.
            for more in [1.0, 2] {
              let later = MotionSample(time: time.advanced(bySeconds: more), row: SIMD16(repeating: 0))
              if case .confirmed(let samples) = gate.role(of: later) {
                letters += "C"
                if let start = gate.start, samples[0].time < start { gate.begin(at: samples[0].time) }
                gate.advance(to: later.time)
                seconds = later.time.seconds
              }
            }
          }
          if gate.hasWaiting { reached += gate.takeReached().map(\.time.seconds) + [-1] }
        } else {
          point += random.pick([1, 1, 1, 0, 2, 3600, 3601, -1])
          if gate.hasMotion {
            point = seconds + random.pick([0, 1, 1.000000001, 2, 10, 11, 11.5, -20, -20.5, -300, -301, -0.5, 60])
          }
          let accuracy: Double? = random.pick([5, 5, 5, nil, 30, 31, 60, 61, -1])
          var sample = LocationSample.at(point, north: 0, accuracy: accuracy)
          if random.isOnce(in: 20) { sample.latitude = 91 }
          if random.isOnce(in: 30) { sample.time = SampleTime(nanoseconds: .max) }
          switch gate.append(sample) {
          case .held: letters += "H"
          case .taken: letters += "T"
          case .completesStart:
            letters += "S"
            if seed % 6 < 4 { letters += "\(gate.beginWithoutMotion().count)" }
          }
        }
        if random.isOnce(in: 20), !gate.hasMotion { gate.hold(.lap(at: .seconds(point))) }
        if random.isOnce(in: 25) { reached += gate.release(until: .seconds(point)).map(\.time.seconds) + [-2] }
        if index % 10 == 0 {
          let offsets = [-301, -300, -20, 0, 10, 10.5]
          letters += offsets.map { gate.isOnClock(.seconds(seconds + $0)) ? "1" : "0" }.joined()
        }
      }
      figures.add("roles \(seed)", letters)
      figures.add("reached \(seed)", AnswerText.text(reached))
      let start = gate.startWithoutMotion?.seconds ?? -1
      gate.dropHeld()
      figures.add(
        "counts \(seed)",
        "\(gate.cachedCount) \(gate.offClockCount) \(gate.lateCount) \(gate.droppedCount) \(gate.presses.count) "
          + "\(gate.points.count) \(start) \(gate.isWithoutMotion)")
    }
    // More useless points than are kept.
    var gate = RunGate(RunOptions())
    for second in 0..<130 { _ = gate.append(.at(Double(second), north: 0, accuracy: 90)) }
    figures.add("useless", gate.points.count)
    return figures
  }

  private static func logs() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      var (log, seconds) = (PauseLog(mergeGapSeconds: random.pick([0, 3, 5])), 0)
      for _ in 0..<16 {
        seconds += random.pick([0, 1, 2, 3, 5, 10])
        let event = PauseEvent(
          isPause: random.isOnce(in: 2), decidedAt: .seconds(Double(seconds + 1)), onset: .seconds(Double(seconds)),
          cause: random.pick([.still, .still, .notRunning, .manual, .location]), confidence: 1)
        log.record(event, within: seed % 3 == 0 ? .seconds(5)...SampleTime.seconds(Double(max(5, seconds))) : nil)
      }
      figures.add("recorded \(seed)", AnswerText.text(log.pauses))
      figures.add("stretches \(seed)", AnswerText.text(log.stretches(from: .seconds(3), to: .seconds(20))))
      figures.add("part \(seed)", AnswerText.text(log.part(from: .seconds(5), to: .seconds(20)).pauses))
      figures.add("decisions \(seed)", log.part(from: .seconds(5), to: .seconds(20)).decisions.count)
      let cuts = [(3, 5), (5, 8), (10, 11), (20, 40)].map { SampleTime.seconds($0.0)..<SampleTime.seconds($0.1) }
      var cut = log
      cut.cut(cuts) { $0.cause != .manual }
      figures.add("cut \(seed)", AnswerText.text(cut.pauses))
      var merged = log
      merged.merge(closerThanSeconds: 2)
      figures.add("merged \(seed)", AnswerText.text(merged.pauses))
      merged.update { pause, before in
        guard pause.onset.seconds != 10 else { return nil }
        var pause = pause
        pause.onset = max(pause.onset.advanced(bySeconds: -2), before ?? .seconds(0))
        return pause
      }
      figures.add("updated \(seed)", AnswerText.text(merged.pauses))
      log.add(from: .seconds(4), to: .seconds(4))
      log.add(from: .seconds(8), to: .seconds(9))
      log.move(at: 0, from: .seconds(6), to: .seconds(8))
      let later = PauseLog(pauses: [
        Pause(onset: .seconds(90), decidedAt: .seconds(90), end: .seconds(92), cause: .still),
        Pause(onset: .seconds(92), decidedAt: .seconds(93), end: nil, cause: .still),
        Pause(onset: .seconds(95), decidedAt: .seconds(95), end: .seconds(96), cause: .still),
      ])
      figures.add(
        "joined \(seed)", AnswerText.text(log.joined(with: later, pausedFrom: .seconds(80), to: .seconds(90)).pauses))
      figures.add(
        "touching \(seed)", AnswerText.text(log.joined(with: later, pausedFrom: .seconds(80), to: .seconds(80)).pauses))
      figures.add(
        "moving \(seed)",
        "\(log.movingSeconds(from: .seconds(0), to: .seconds(70))) \(log.movingSeconds(from: .seconds(9), to: .seconds(3)))"
      )
    }
    return figures
  }

  private static func progresses() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<24 {
      var random = SplitMix64(seed: UInt64(seed))
      var options = RunOptions(splitMeters: [100, nil, 10, 1][seed % 4])
      options.intervalSeconds = [[10], [10, 5], [], [1, 2, 3]][seed / 4 % 4]
      options.goals = [
        .distance(meters: 60), .movingTime(seconds: 30), .distance(meters: 60), .movingTime(seconds: 31),
      ]
      let run = RunTimeline(
        start: .seconds(0), end: .seconds(1000),
        pauses: [Pause(onset: .seconds(10), decidedAt: .seconds(11), end: .seconds(20), cause: .still)])
      var (progress, seconds, log) = (RunProgress(options), 0.0, "")
      for _ in 0..<40 {
        let step: Double = random.pick([1, 5, 0, 3, 10])
        let meters: Double = random.pick([0, 10, 20, 5, random.isOnce(in: 8) ? 2000 : 10])
        let part = PathStep(
          start: .seconds(max(0, seconds - random.pick([0, 0, 4]))), end: .seconds(seconds + step), meters: meters,
          kind: random.pick([.measured, .measured, .steps, .bridged]))
        seconds += step
        for event in progress.add([part], isMoving: !random.isOnce(in: 5), timeline: run) {
          switch event {
          case .split(let split):
            log +=
              " s \(split.number) \(split.start.seconds) \(split.end.seconds) \(split.isEstimated) \(split.movingSeconds)"
          case .goal(let goal, let time): log += " g \(goal) \(time.seconds)"
          default: log += " ?"
          }
        }
        for event in progress.reached(moving: seconds, at: .seconds(seconds)) { log += " r \(event)" }
        if progress.endsInterval(moving: seconds) { log += " i \(seconds)" }
        log += progress.awaitsMovingTime ? " w" : " -"
      }
      figures.add("events \(seed)", log)
      figures.add("distance \(seed)", progress.distance)
    }
    return figures
  }

  private static func snapshots() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for (index, interval) in [0.001, 1, 7.5, 1e9].enumerated() {
      guard var meter = SnapshotMeter(RunOptions(snapshotSeconds: interval, bodyMass: 60)) else { continue }
      figures.add("none \(index)", meter.latest(until: .seconds(5))?.seconds)
      meter.begin(at: .seconds(5))
      let times: [Double?] = [5, 5.9999, 6, 6, 7, 12.5, 12.5001, 40, 41, 1e9 + 5].map {
        meter.latest(until: .seconds($0))?.seconds
      }
      figures.add("times \(index)", AnswerText.text(times))
    }
    for seed in 0..<12 {
      var random = SplitMix64(seed: UInt64(seed))
      let options = RunOptions(
        snapshotSeconds: 1, bodyMass: seed % 3 == 0 ? nil : 60, paceSeconds: [5, 20, 4][seed % 3])
      guard var meter = SnapshotMeter(options) else { continue }
      var run = RunTimeline(
        start: .seconds(0), end: .seconds(0),
        activities: [
          ActivityChange(decidedAt: .seconds(0), onset: .seconds(0), activity: seed % 2 == 0 ? .running : .walking)
        ])
      var (values, meters) = ([Double?](), 0.0)
      for second in stride(from: 0.0, to: 60, by: 1) {
        run.end = .seconds(second)
        let step = PathStep(
          start: .seconds(max(0, second - 1)), end: .seconds(second), meters: random.pick([3, 2, 0]),
          kind: random.pick([.measured, .measured, .steps, .bridged]))
        if seed % 5 != 4, Int(second) % 3 != 1 {
          run.record(
            .at(
              second, north: -3 * second * Double(seed % 2), east: second,
              altitude: 100 + second.truncatingRemainder(dividingBy: 20)))
          run.record([step])
          meter.add([step], of: run)
          meters += step.meters
        }
        run.record(AltitudeSample(time: .seconds(second), relativeAltitude: 10 * (second / 10).rounded()))
        if seed % 4 == 1, Int(second) % 20 == 10 { run.addHole(.seconds(second - 8) ..< .seconds(second)) }
        let hole: SampleTime? = seed % 4 == 2 && second > 30 && second < 45 ? .seconds(30) : nil
        let isPaused = 20...25 ~= second
        let snapshot = meter.snapshot(
          of: run, at: .seconds(second), moving: random.pick([second, second - 2]), isPaused: isPaused,
          distance: seed % 5 == 4 ? nil : meters, error: DistanceError.none.stated, hole: hole)
        values += [
          snapshot.elapsedSeconds, snapshot.movingSeconds, snapshot.distanceError, snapshot.untimedDistance,
          snapshot.estimatedDistance, snapshot.currentPace, snapshot.activeEnergy, snapshot.energy, snapshot.climb,
          snapshot.altitudeRange?.upperBound, snapshot.latitudes?.lowerBound, snapshot.longitudes?.upperBound,
          snapshot.averagePace,
        ]
      }
      for part in 0..<13 {
        figures.add(
          "figures \(seed) \(part)", AnswerText.text(stride(from: part, to: values.count, by: 13).map { values[$0] }))
      }
    }
    return figures
  }

  /// A tracker that takes GPS points, buttons and motion at whole seconds, with holes of exactly 5 s and 10 s.
  private static func trackers() throws -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<10 {
      var random = SplitMix64(seed: UInt64(seed))
      var options = RunOptions(
        policy: [.whenStill, .whenNotRunning, .never][seed % 3], splitMeters: 100, goals: [.movingTime(seconds: 30)],
        intervalSeconds: seed % 2 == 0 ? [20, 10] : [])
      options.snapshotSeconds = seed % 3 == 0 ? 5 : nil
      var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(25), options: options)
      var log = ""
      func note(_ events: [RunEvent]) {
        for event in events {
          switch event {
          case .paused(let decision), .resumed(let decision):
            log +=
              " \(decision.isPause ? "p" : "r") \(decision.onset.seconds) \(decision.decidedAt.seconds) \(decision.cause)"
          case .activity(let change): log += " a \(change.activity) \(change.onset.seconds)"
          case .gap(let gap): log += " gap \(gap.lowerBound.seconds) \(gap.upperBound.seconds)"
          case .split(let split): log += " s \(split.number) \(split.end.seconds)"
          case .lap(let number, let time): log += " l \(number) \(time.seconds)"
          case .goal(_, let time): log += " g \(time.seconds)"
          case .dropped(let count, let time): log += " d \(count) \(time.seconds)"
          case .undecided(let stretch):
            log += " u \(stretch.since.seconds) \(stretch.at.seconds) \(stretch.reason) \(stretch.missingChannels)"
          case .snapshot(let snapshot):
            log += " n \(snapshot.time.seconds) \(snapshot.movingSeconds) \(snapshot.distance ?? -1)"
          case .finished: break
          }
        }
      }
      let drawing =
        stretch("R", 25) + stretch(".", 12) + stretch("w", 15) + stretch("R", 20) + stretch("s", 10) + stretch("R", 15)
      let holes: [ClosedRange<Double>] = [[30...35, 60...70], [26...31.04, 50...80], [20...40], []][seed % 4]
      for (index, sample) in personSamples(drawing, rate: 25).enumerated() {
        let seconds = sample.time.seconds
        var sample = sample
        if seed == 4, 40...60 ~= seconds { sample = sample.with(userAcceleration: SIMD3(.nan, 0, 0)) }
        if seed == 5, 40...60 ~= seconds { sample = sample.with(gravity: .zero) }
        if seed == 6, 40...60 ~= seconds { sample = sample.with(rotationRate: SIMD3(repeating: .nan)) }
        if index % 25 == 10, seed % 5 != 3 {
          note(tracker.append(.at(seconds, north: 3 * seconds, speed: seed % 2 == 0 ? 3 : nil)))
          note(tracker.append(AltitudeSample(time: .seconds(seconds), relativeAltitude: seconds)))
        }
        if random.isOnce(in: 300) {
          note(
            tracker.append(
              random.pick([
                .pause(autoResume: true, at: .seconds(seconds)), .pause(autoResume: false, at: .seconds(seconds - 3)),
                .resume(at: .seconds(seconds + 1)), .lap(at: .seconds(seconds)), .lap(at: .seconds(seconds + 2)),
                .policy(.never, at: .seconds(seconds)), .policy(.whenStill, at: .seconds(seconds)),
              ])))
        }
        guard !holes.contains(where: { $0.contains(seconds) && seconds != $0.lowerBound && seconds != $0.upperBound })
        else { continue }
        if random.isOnce(in: 200) { sample.time = sample.time.advanced(bySeconds: random.pick([-1, 100, -100])) }
        note(tracker.append(sample))
      }
      figures.add("events \(seed)", log.isEmpty ? "-" : log)
      let run = tracker.finish()
      figures.add(
        "run \(seed)",
        "\(run.movingSeconds) \(run.unknownSeconds) \(run.distance ?? -1) \(run.steps) \(tracker.droppedSampleCount)")
      figures.add("slices \(seed)", AnswerText.text(run.slices))
      figures.add("holes \(seed)", AnswerText.text(run.holes + run.gaps + run.unknown))
    }
    return figures
  }

  /// GPS points before the motion begin the run if they are an unbroken series.
  private static func leads() throws -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for count in [7, 8, 9, 59, 60, 61, 70] {
      for (step, last) in [(1, 1), (3, 3), (3.001, 1), (1, 3), (1, 3.001), (0.5, 0)] as [(Double, Double)] {
        let points = (0..<count).map {
          LocationSample.at(200 - last - step * Double(count - 1 - $0), north: 3, speed: 3)
        }
        for before in [[], [LocationSample.at(20, north: 3)]] {
          var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(25))
          tracker.begin(withLeadOf: before + points + [.at(201, north: 0)], to: .seconds(200))
          figures.add("\(count) \(step) \(last) \(before.count)", tracker.timeline?.start.seconds)
        }
      }
    }
    return figures
  }

  private static func evidence() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for isKept in [true, false] {
      var evidence = RunEvidence(sampleRate: .hertz(25), isKept: isKept)
      evidence.span = .seconds(0)...SampleTime.seconds(400)
      for index in 0..<9000 {
        let time = SampleTime.seconds(Double(index) / 25)
        if index % 1000 == 500 || index == 4096 || index == 8192 { evidence.append(.lap(at: time), arrival: time) }
        if index == 100 { evidence.append(.policy(.never, at: time), arrival: time) }
        let row = SIMD16<Float>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + Float(index)
        evidence.append(.motion(MotionSample(time: time, row: row)), arrival: time.advanced(bySeconds: 0.04))
      }
      evidence.append(.lap(at: .seconds(380)), arrival: .seconds(380))
      let parts = [
        evidence, evidence.part(from: .seconds(20), to: .seconds(60)),
        evidence.part(from: .seconds(380), to: .seconds(380)),
        evidence.part(from: .seconds(400.1), to: .seconds(500)),
        evidence.part(from: .seconds(0), to: .seconds(50)).joined(
          with: evidence.part(from: .seconds(60), to: .seconds(90))),
        evidence.part(from: .seconds(400.1), to: .seconds(500)).joined(
          with: evidence.part(from: .seconds(60), to: .seconds(90))),
      ]
      for (index, part) in parts.enumerated() {
        var values: [Double] = []
        part.forEach { input, arrival in
          values += [input.time.seconds, arrival.seconds]
          if case .motion(let sample) = input {
            values += (0..<3).map {
              Double(sample.userAcceleration[$0] + sample.gravity[$0] - 2 * sample.rotationRate[$0])
            }
          }
        }
        figures.add(
          "part \(isKept) \(index)",
          "\(part.count) \(part.span?.lowerBound.seconds ?? -1) \(part.span?.upperBound.seconds ?? -1) "
            + AnswerText.text(values))
      }
    }
    return figures
  }
}
