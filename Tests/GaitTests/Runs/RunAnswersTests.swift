import Foundation
import Gait
import GaitTestSupport
import Testing

/// The figures of runs made up of everything that a tracker meets, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct RunAnswersTests {
  @Test
  func `Runs of every kind have the figures that were recorded`() throws {
    let cases = try (1...16).map { seed in (name: "run \(seed)", figures: try figures(of: MixedRun(seed: UInt64(seed))))
    }
    try RecordedAnswers("run_answers.tsv").expect(cases)
  }

  private func figures(of run: MixedRun) throws -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    var tracker = try RunTracker(sampleRate: run.rate, options: run.options)
    var events: [RunEvent] = []
    for input in run.inputs { events += tracker.append(input) }
    try figures.add("events", json: events)
    let timeline = tracker.finish()
    try add(timeline, to: &figures)
    if run.options.keepsEvidence {
      let again = try tracker.evidence.replayed(by: .running, options: RunOptions(policy: .whenNotRunning))
      try figures.add("replayed", json: again, wholly: true)
    }
    return figures
  }

  /// A timeline, what is calculated from it, and what edits make of it.
  private func add(_ run: RunTimeline, to figures: inout RecordedAnswers.Figures) throws {
    try figures.add("timeline", json: run)
    let decoded = try JSONDecoder().decode(RunTimeline.self, from: JSONEncoder().encode(run))
    #expect(decoded == run, "a run of \(run.elapsedSeconds) s is not the same after its JSON")
    figures.add("seconds", "\(run.elapsedSeconds) \(run.movingSeconds) \(run.ridingSeconds) \(run.unknownSeconds)")
    figures.add("steps", "\(run.steps) \(run.steplessMovingSeconds) \(run.cadence ?? 0)")
    figures.add(
      "distance", run.distanceEstimate.map { "\($0.meters) \($0.interval.lowerBound) \($0.interval.upperBound)" })
    figures.add("estimated", "\(run.estimatedDistance) \(run.estimatedStretches.count)")
    figures.add("paces", "\(run.averagePace ?? 0) \(run.bestPace(over: 200) ?? 0) \(run.gradeAdjustedPace ?? 0)")
    figures.add("elevation", run.elevation().map { "\($0.gain) \($0.loss)" })
    figures.add("energy", "\(try run.energy(bodyMass: 60) ?? 0) \(try run.activeEnergy(bodyMass: 60) ?? 0)")
    figures.add(
      "rejected",
      run.rejectedLocations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " "))
    try figures.add("laps", json: run.laps)
    try figures.add("activityLaps", json: run.activityLaps)
    try figures.add("slices", json: run.slices)
    try figures.add("shownCadence", json: run.shownCadence)
    try figures.add("splits", json: run.splits(everyMeters: 300, includingRest: true))
    try figures.add("gradeAdjusted", json: run.gradeAdjustedPaces(of: run.splits(everyMeters: 300)))
    let third = run.start.advanced(bySeconds: run.elapsedSeconds / 3)
    let half = run.start.advanced(bySeconds: run.elapsedSeconds / 2)
    try figures.add("part", json: run.part(from: third, to: half), wholly: true)
    let (before, after) = run.divided(at: half)
    try figures.add("joined", json: before.joined(with: after), wholly: true)
    var edited = run
    edited.addPause(from: third, to: half)
    edited.mergePauses(closerThanSeconds: 10)
    edited.markLap(at: half.advanced(bySeconds: 20))
    if edited.pauses.count > 1 { edited.removePause(at: 0) }
    try figures.add("edited", json: edited, wholly: true)
    figures.add("edited distance", edited.distance)
    if run.distance ?? 0 > 100 {
      try figures.add("calibrated", json: run.calibrated(toMeters: 1000), wholly: true)
    }
    if let strides = StrideModel(calibratedOn: run) { try figures.add("strides", json: strides) }
  }
}
