import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Runs whose parts begin and end at whole seconds, so that many touch, are equal, or last exactly as long as a limit.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct TimelineAnswersTests {
  @Test func `Runs of whole seconds have the figures that were recorded`() throws {
    let cases = try (0..<72).map { seed in
      var figures = RecordedAnswers.Figures()
      var random = SplitMix64(seed: UInt64(seed))
      try Self.add(Self.run(seed, &random), &random, to: &figures)
      return (name: "\(seed)", figures: figures)
    }
    try RecordedAnswers("timeline_answers.tsv").expect(cases)
  }

  /// Stretches of whole seconds, in order; some touch.
  private static func stretches(
    _ random: inout SplitMix64, within range: ClosedRange<Int>, lengths: [Int]
  ) -> [Range<SampleTime>] {
    var (cursor, stretches) = (range.lowerBound, [Range<SampleTime>]())
    while true {
      let start = cursor + random.pick([0, 5, 10, 30, 60])
      let end = start + random.pick(lengths)
      guard end <= range.upperBound else { return stretches }
      stretches.append(.seconds(Double(start)) ..< .seconds(Double(end)))
      cursor = end
    }
  }

  private static func run(_ seed: Int, _ random: inout SplitMix64) -> RunTimeline {
    let end = random.pick([100, 200, 300])
    let within = 0...end
    let pauses = stretches(&random, within: within, lengths: [1, 2, 3, 10, 20]).enumerated().map { index, stretch in
      let isOpen = index == 2 && seed % 5 == 1
      return Pause(
        onset: stretch.lowerBound, decidedAt: stretch.lowerBound.advanced(bySeconds: 1),
        end: isOpen ? nil : stretch.upperBound,
        cause: random.pick([.still, .still, .notRunning, .location, .manual, .edited]))
    }
    var run = RunTimeline(
      start: .seconds(0), end: .seconds(Double(end)), pauses: seed % 4 == 0 ? [] : pauses,
      strides: seed % 6 == 0 ? StrideModel(running: 1, walking: 0.75) : nil)
    var onset = -5
    while onset < end, seed % 9 != 8 {
      run.activities.append(
        ActivityChange(
          decidedAt: .seconds(Double(onset + 2)), onset: .seconds(Double(onset)),
          activity: random.pick([.running, .walking, .still, .other])))
      onset += random.pick([0, 1, 5, 9, 10, 10, 11, 20, 40])
    }
    if seed % 3 == 1 { run.holes = stretches(&random, within: within, lengths: [6, 10, 20]) }
    if seed % 3 != 0 { run.unknown = stretches(&random, within: within, lengths: [2, 3, 4, 12]) }
    if seed % 4 == 2 { run.rides = stretches(&random, within: within, lengths: [10, 20]) }
    run.gaps = stretches(&random, within: within, lengths: [1, 2])
    if seed % 7 != 6 {
      var (time, rate) = (2.0, 160.0)
      while time < Double(end) {
        if random.isOnce(in: 6) { rate = random.pick([0, 0, 160, 162, 165, 110, 120]) }
        run.cadencePoints.append(CadencePoint(time: .seconds(time), stepsPerMinute: rate))
        time += random.isOnce(in: 15) ? 10 : 2
      }
    }
    addPath(seed, until: end, &random, to: &run)
    for time in [10, 10, 50, end, end + 1, 0, 30] { run.markLap(at: .seconds(Double(time))) }
    if seed % 5 == 0 { run.lapEnds = [] }
    return run
  }

  /// Path steps of whole metres, a route with altitudes, and a barometer.
  private static func addPath(_ seed: Int, until end: Int, _ random: inout SplitMix64, to run: inout RunTimeline) {
    var (north, up, route, path) = (0.0, 100.0, [LocationSample](), [PathStep]())
    var pace = 3.0
    for second in stride(from: 0.0, through: Double(end), by: seed % 8 == 7 ? 5 : 1) {
      if random.isOnce(in: 12) { pace = random.pick([3, 2, 0, 5, 14, 1, 7]) }
      let step = seed % 8 == 7 ? 5 * pace : pace
      north += step
      up += random.pick(seed % 2 == 0 ? [0, 0.5, 1, -1, 2] : [0, 3, -3, 1])
      if second > 0 {
        path.append(
          PathStep(
            start: .seconds(second - (seed % 8 == 7 ? 5 : 1)), end: .seconds(second), meters: step,
            kind: random.pick(seed % 4 == 3 ? [.measured, .measured, .steps, .bridged] : [.measured])))
      }
      if !random.isOnce(in: 20) {
        var point = LocationSample.at(
          second, north: north, altitude: seed % 6 == 5 ? nil : up, speed: seed % 3 == 2 ? nil : pace)
        if seed % 4 == 1 { point.verticalAccuracy = random.pick([2, 3, 15, 16]) }
        route.append(point)
      }
    }
    if seed % 10 != 9 { run.route = route }
    if seed % 5 != 4 { run.path = path }
    if seed % 5 == 3 {
      run.distanceError = DistanceError.none.stated
      run.distanceError?.stepShare = 0.2
    }
    if seed % 4 == 2 || seed % 8 == 0 {
      run.barometer = route.prefix(seed % 16 == 8 ? 9 : 1000).map {
        AltitudeSample(time: $0.time, relativeAltitude: ($0.altitude ?? 100) - 100 + ($0.time.seconds / 9).rounded())
      }
    }
  }

  private static func add(_ run: RunTimeline, _ random: inout SplitMix64, to figures: inout RecordedAnswers.Figures)
    throws
  {
    let end = run.end.seconds
    let times = [0, 10, 20, 21, 50, 60, 99, 100, 150, end].map { SampleTime.seconds($0) }
    figures.add("slices", AnswerText.text(run.slices))
    figures.add("pauses", AnswerText.text(run.pauses))
    figures.add("seconds", "\(run.movingSeconds) \(run.pausedSeconds) \(run.ridingSeconds) \(run.unknownSeconds)")
    figures.add("steps", "\(run.steps) \(run.cadence ?? -1) \(run.latestCadence ?? -1) \(run.steplessMovingSeconds)")
    figures.add("shown", AnswerText.text(run.shownCadence.map(\.time.seconds)))
    figures.add("states", times.map { "\(run.state(at: $0))" }.joined(separator: " "))
    figures.add("distances", AnswerText.text(run.distances(at: times + [.seconds(end + 5)])))
    figures.add("times", AnswerText.text(run.distanceTimes.map(\.seconds)))
    figures.add("estimate", run.distanceEstimate.map { AnswerText.state(of: $0) })
    figures.add("estimated", "\(run.estimatedDistance) " + AnswerText.text(run.estimatedStretches))
    for length in [1, 20, 100, 250.0] {
      figures.add("splits \(length)", AnswerText.text(run.splits(everyMeters: length)))
      figures.add(
        "rest \(length)", AnswerText.text(run.splits(everyMeters: length, includingRest: true).suffix(1) + []))
    }
    figures.add("laps", AnswerText.text(run.laps))
    figures.add("activityLaps", AnswerText.text(run.activityLaps))
    figures.add(
      "pace",
      AnswerText.text(
        [0, 20, 60, 100, 150, 400].map { run.bestPace(over: $0) } + [run.averagePace]
          + [4, 5, 20, 60].flatMap {
            [run.pace(overLast: $0, at: run.end), run.pace(overLast: $0, at: run.end.advanced(bySeconds: 5))]
          }))
    figures.add(
      "untimed",
      AnswerText.text(
        zip(times, times.dropFirst()).flatMap { from, to in
          [
            run.untimedMeters(from: from, to: to), run.unknownSeconds(from: from, to: to),
            run.movingSeconds(from: from, to: to), run.pauseLog.movingSeconds(from: from, to: to),
          ]
        }))
    figures.add("resting", AnswerText.text(run.restingStretches))
    try addHeights(of: run, to: &figures)
    if let strides = StrideModel(calibratedOn: run) { figures.add("strides", AnswerText.state(of: strides)) }
    if let calibrated = try? run.calibrated(toMeters: 500) {
      figures.add(
        "calibrated",
        "\(calibrated.distance ?? -1) \(calibrated.strides?.running ?? -1) "
          + "\(calibrated.strides?.cadenceSlope ?? -1) \(calibrated.distanceEstimate?.standardError ?? -1)")
    }
    addEdits(of: run, times, to: &figures)
  }

  private static func addHeights(of run: RunTimeline, to figures: inout RecordedAnswers.Figures) throws {
    figures.add(
      "elevation",
      AnswerText.text(
        [nil, 0, 1, 2, 3, 5].flatMap { band in
          [run.elevation(deadBand: band)?.gain, run.elevation(deadBand: band)?.loss]
        }))
    figures.add("range", AnswerText.text([run.altitudeRange?.lowerBound, run.altitudeRange?.upperBound]))
    figures.add("barometric", AnswerText.text(run.barometricAltitudes.map(\.relativeAltitude)))
    figures.add(
      "profile", AnswerText.text(run.altitudeProfile.points.map(\.relativeAltitude) + [run.altitudeProfile.noise]))
    figures.add(
      "adjusted", AnswerText.text(run.gradeAdjustedPaces(of: run.splits(everyMeters: 50)) + [run.gradeAdjustedPace]))
    if let grades = GradeProfile(run) {
      figures.add(
        "grades",
        AnswerText.text(
          [(0, 50), (25, 75), (50, 50), (100, 400), (0, 10_000)].flatMap { from, to in
            let sum = grades.sum(from: from, to: to) { $0 }
            return [sum.meters, sum.cost, grades.costRatio(from: from, to: to)]
          }))
    }
    figures.add("energy", "\(try run.energy(bodyMass: 70) ?? -1) \(try run.activeEnergy(bodyMass: 70) ?? -1)")
  }

  private static func addEdits(of run: RunTimeline, _ times: [SampleTime], to figures: inout RecordedAnswers.Figures) {
    func add(_ name: String, _ run: RunTimeline) {
      figures.add(
        name,
        "\(run.start.seconds) \(run.end.seconds) \(run.movingSeconds) \(run.unknownSeconds) \(run.distance ?? -1) "
          + "\(run.steps) \(run.activities.count) \(run.route.count) \(run.cadencePoints.count) \(run.lapEnds.count) "
          + "\(run.gaps.count) \(run.holes.count) \(run.rides.count) \(run.barometer?.count ?? -1) "
          + "\(run.path?.count ?? -1) "
          + AnswerText.text(run.pauses))
      figures.add("error \(name)", AnswerText.text(run.pathAndError.error))
    }
    var hindsight = run
    hindsight.applyHindsight()
    add("hindsight", hindsight)
    add("inner", run.part(from: times[1], to: times[5]))
    add("outer", run.part(from: .seconds(-10), to: .seconds(1000)))
    add("empty", run.part(from: times[4], to: times[4]))
    add("after", run.part(from: .seconds(1000), to: .seconds(2000)))
    let (before, after) = run.divided(at: times[4])
    add("joined", before.joined(with: after))
    add("apart", before.joined(with: run.part(from: times[5], to: run.end)))
    var edited = run
    edited.mergePauses(closerThanSeconds: 5)
    add("merged", edited)
    edited.addPause(from: .seconds(-5), to: times[2])
    edited.addPause(from: times[3], to: times[5])
    add("added", edited)
    edited.movePause(at: 0, from: times[1], to: times[4])
    add("moved", edited)
    var laps: [Double] = [3, 10, 50, 500].map { edited.markLap(at: .seconds($0)).map { Double($0) } ?? -1 }
    if edited.lapEnds.count > 1 {
      laps += [edited.moveLap(at: 0, to: edited.lapEnds[1]), edited.moveLap(at: 0, to: .seconds(4))].map { $0 ? 1 : 0 }
      edited.removeLap(at: 1)
    }
    figures.add("lap ends", AnswerText.text(laps + edited.lapEnds.map(\.seconds)))
    var held = run
    held.addHole(.seconds(20) ..< .seconds(45))
    held.addHole(.seconds(60) ..< .seconds(62))
    figures.add("unknown", AnswerText.text(held.unknown))
    for time in [19, 20, 30, 45, 61, 62.0] { held.reviewHole(at: .seconds(time)) }
    figures.add("reviewed", AnswerText.text(held.unknown + held.unknownStretches))
    let dropped = DroppedInputs(cachedLocations: 1, offClockLocations: 2, samples: 3, lateLocations: 4)
    let counted = run.counting(dropped + dropped)
    figures.add(
      "dropped",
      "\(counted.cachedLocationCount) \(counted.offClockLocationCount) \(counted.droppedSampleCount) \(counted.rejectedLocations)"
    )
    var recorded = run
    for (seconds, meters) in [(-1, 5), (0, 6), (0.98, 7), (0.99, 8), (2, 9), (1001, 1), (2000, 2)] as [(Double, Double)]
    {
      recorded.record(
        AltitudeSample(
          time: .seconds(seconds + (seconds > 1000 ? run.end.seconds - 1000 : 0)), relativeAltitude: meters))
    }
    figures.add(
      "readings", AnswerText.text(recorded.altitudes.suffix(6).flatMap { [$0.time.seconds, $0.relativeAltitude] }))
    recorded.record([
      PathStep(start: .seconds(5), end: .seconds(6), meters: 1, kind: .steps),
      PathStep(start: .seconds(4), end: .seconds(7), meters: 2, kind: .bridged),
      PathStep(start: .seconds(5), end: .seconds(9), meters: 3, kind: .steps),
    ])
    figures.add("recorded", AnswerText.text(recorded.path ?? []))
  }
}
