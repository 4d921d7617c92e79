import Gait
import GaitTraining

/// The errors of one simulated person's outdoor runs.
struct OutdoorRunTrial {
  private let model: ActivityModel
  private let base: OutdoorRunSimulator
  private let motions: OutdoorMotion?
  private(set) var errors: [OutdoorRunReport.Figure: [Double]] = [:]

  /// Tracks the runs of the person of `seed`.
  init(_ model: ActivityModel, seed: UInt64, kinds: [OutdoorRunEvaluation.Kind]) throws(ModelError) {
    self.model = model
    base = OutdoorRunSimulator(seed: seed)
    motions = kinds.allSatisfy { $0 == .locationAlone } ? nil : base.motions
    for kind in kinds { try add(kind) }
  }

  private mutating func add(_ kind: OutdoorRunEvaluation.Kind) throws(ModelError) {
    switch kind {
    case .usual: try addUsual()
    case .withoutDoppler: try addWithoutDoppler()
    case .withoutTunnels: try addWithoutTunnels()
    case .understatedSpeed: try addUnderstatedSpeed()
    case .locationAlone: try addLocationAlone()
    case .lostLocation: try addLostLocation()
    case .flat: try addFlat()
    case .hills: try addHills()
    case .standing: try addStanding()
    }
  }

  private func run(_ change: (inout OutdoorRunSimulator) -> Void) -> OutdoorRun {
    var simulator = base
    change(&simulator)
    return simulator.run(motions: motions)
  }

  private mutating func addUsual() throws(ModelError) {
    let run = run { _ in }
    let (timeline, live) = try tracked(run)
    let truth = run.truth
    addShare(.distance, timeline.distance, truth.distance)
    addShare(.liveDistance, live, truth.distance)
    addShare(.movingTime, timeline.movingSeconds, truth.movingSeconds)
    addKilometers(.kilometerPace, timeline, truth)
    add(.averagePace, (timeline.averagePace ?? .infinity) - truth.movingSeconds / truth.distance * 1000)
    let duration = run.motion.map { $0.duration - 1 / $0.sampleRate.hertz } ?? truth.seconds
    add(.elapsedTime, timeline.elapsedSeconds - duration)
    add(.rollingClimb, (climb(of: timeline) ?? .infinity) - truth.climb)
  }

  /// A run after its end, and the distance of its last snapshot.
  private mutating func tracked(_ run: OutdoorRun) throws(ModelError) -> (timeline: RunTimeline, live: Double?) {
    let options = RunOptions(snapshotSeconds: 1)
    var live: Double?
    let timeline = try run.tracked(by: model, options: options) {
      if case .snapshot(let snapshot) = $0 { live = snapshot.distance ?? live }
    }
    addStandardErrors(timeline, run.truth)
    if let distance = timeline.distance { addShare(.liveAgainstFinalDistance, live, distance) }
    return (timeline, live)
  }

  /// Adds the error of a distance over its standard error.
  private mutating func addStandardErrors(_ timeline: RunTimeline, _ truth: OutdoorRun.Truth) {
    guard let distance = timeline.distanceEstimate else { return add(.distanceInStandardErrors, .infinity) }
    add(.distanceInStandardErrors, (distance.meters - truth.distance) / distance.standardError)
  }

  private mutating func addKilometers(
    _ figure: OutdoorRunReport.Figure, _ timeline: RunTimeline, _ truth: OutdoorRun.Truth
  ) {
    let splits = timeline.splits(everyMeters: Split.kilometer)
    for (split, seconds) in zip(splits, truth.kilometers) { add(figure, (split.pace ?? .infinity) - seconds) }
  }

  private mutating func addWithoutTunnels() throws(ModelError) {
    let run = run { $0.reception = .withoutTunnels }
    addKilometers(.kilometerPaceWithoutTunnels, try run.tracked(by: model), run.truth)
  }

  private mutating func addUnderstatedSpeed() throws(ModelError) {
    let run = run { $0.reception = .understatedSpeed }
    let (timeline, live) = try tracked(run)
    addShare(.distanceOfUnderstatedSpeed, timeline.distance, run.truth.distance)
    addShare(.liveDistanceOfUnderstatedSpeed, live, run.truth.distance)
  }

  private mutating func addWithoutDoppler() throws(ModelError) {
    let run = run { $0.reception = .withoutDoppler }
    let timeline = try run.tracked(by: model)
    addStandardErrors(timeline, run.truth)
    addShare(.distanceWithoutDoppler, timeline.distance, run.truth.distance)
  }

  private mutating func addLocationAlone() throws(ModelError) {
    let run = run { ($0.hasMotion, $0.hasBarometer) = (false, false) }
    let timeline = try run.tracked(by: model)
    addShare(.distanceByLocationAlone, timeline.distance, run.truth.distance)
    addShare(.movingTimeByLocationAlone, timeline.movingSeconds, run.truth.movingSeconds)
  }

  /// Location is lost after ten reports. The stride model comes from another run of the person.
  private mutating func addLostLocation() throws(ModelError) {
    let earlier = run { ($0.reception, $0.number, $0.programme) = (.withoutTunnels, 1, .varied(minutes: 20...30)) }
    let options = RunOptions(strides: StrideModel(calibratedOn: try earlier.tracked(by: model)))
    let run = run { $0.reception = .lostAfterTenFixes }
    addShare(.distanceOfLostLocation, try run.tracked(by: model, options: options).distance, run.truth.distance)
  }

  private mutating func addFlat() throws(ModelError) {
    let run = run { ($0.climb, $0.number) = (0, 2) }
    let hours = run.truth.seconds / 3600
    let byLocation = climb(of: try run.tracked(by: model, usesBarometer: false))
    // On flat ground, an unknown climb counts as 0, which is correct.
    add(.flatClimbByLocation, (byLocation ?? 0) / hours)
    add(.flatClimbByBarometer, (climb(of: try run.tracked(by: model)) ?? 0) / hours)
  }

  private mutating func addHills() throws(ModelError) {
    let run = run { ($0.climb, $0.number, $0.programme) = (200, 3, .varied(minutes: 40...60)) }
    addShare(.hillsByBarometer, climb(of: try run.tracked(by: model)), run.truth.climb)
    addShare(.hillsByLocation, climb(of: try run.tracked(by: model, usesBarometer: false)), run.truth.climb)
  }

  private mutating func addStanding() throws(ModelError) {
    let run = run { ($0.programme, $0.number) = (.standing(minutes: 20), 4) }
    for (figure, policy) in [
      (OutdoorRunReport.Figure.standingWhenStill, PausePolicy.whenStill), (.standingWhenNotRunning, .whenNotRunning),
      (.standingNever, .never),
    ] {
      add(figure, metersStanding(try run.tracked(by: model, options: RunOptions(policy: policy)), run.truth))
    }
    for (figure, reception) in [
      (OutdoorRunReport.Figure.standingByLocationAlone, OutdoorRunSimulator.Reception.usual),
      (.standingByPlacesAlone, .withoutDoppler),
    ] {
      let alone = self.run { simulator in
        (simulator.programme, simulator.number) = (.standing(minutes: 20), 4)
        (simulator.hasMotion, simulator.hasBarometer, simulator.reception) = (false, false, reception)
      }
      add(figure, metersStanding(try alone.tracked(by: model), alone.truth))
    }
  }

  /// Seconds after the beginning and before the end of a stop that do not count: a filter may lag.
  private static let margin = 5.0
  /// The resolution of distance along a run, metres.
  private static let resolution = 0.5

  /// The metres that a timeline has from 5 s into the stop to 5 s before its end.
  private func metersStanding(_ timeline: RunTimeline, _ truth: OutdoorRun.Truth) -> Double {
    guard let stop = truth.stops.first else { return 0 }
    let splits = timeline.splits(everyMeters: Self.resolution)
    let (start, end) = (
      stop.lowerBound.advanced(bySeconds: Self.margin), stop.upperBound.advanced(bySeconds: -Self.margin)
    )
    let before = splits.last { $0.end <= start }?.number ?? 0
    let after = splits.last { $0.end <= end }?.number ?? 0
    return Double(after - before) * Self.resolution
  }

  private func climb(of timeline: RunTimeline) -> Double? { timeline.elevation()?.gain }

  /// Adds an error as a percentage of the truth; for an unknown value the error is infinite.
  private mutating func addShare(_ figure: OutdoorRunReport.Figure, _ value: Double?, _ truth: Double) {
    add(figure, value.map { ($0 - truth) / truth * 100 } ?? .infinity)
  }

  private mutating func add(_ figure: OutdoorRunReport.Figure, _ error: Double) {
    errors[figure, default: []].append(error.isNaN ? .infinity : error)
  }
}
