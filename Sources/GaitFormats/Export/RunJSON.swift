import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A run as the JSON that `gait track --json` prints and the C interface returns.
package struct RunJSON {
  private let run: RunTimeline
  private let started: Date?
  private let points: [CadencePoint]
  private let splitMeters: Double
  private let bodyMass: Double?
  private let invalidPoints: Int
  private let findings: [SignalFinding]

  /// - Parameters:
  ///   - run: the run.
  ///   - started: the date at which the run began; `nil` if unknown.
  ///   - splitMeters: the length of splits, metres.
  ///   - bodyMass: the wearer's mass in kilograms, for the energy; `nil` if unknown.
  ///   - invalidPoints: the number of GPS points that the file's reader skipped.
  ///   - findings: the problems of the motion samples.
  package init(
    run: RunTimeline, started: Date? = nil, splitMeters: Double, bodyMass: Double? = nil, invalidPoints: Int = 0,
    findings: [SignalFinding] = []
  ) {
    self.run = run
    self.started = started
    points = run.shownCadence
    self.splitMeters = splitMeters
    self.bodyMass = bodyMass
    self.invalidPoints = invalidPoints
    self.findings = findings
  }

  /// The number of GPS points that were not used, for each reason.
  package var rejectedLocations: [String: Int] {
    var counts = run.rejectedLocations
    if invalidPoints > 0 { counts["invalidCoordinates", default: 0] += invalidPoints }
    return counts
  }

  /// The energy in kilocalories; `nil` if the body mass is unknown or invalid, or the run has no distance.
  package var energy: Double? { bodyMass.flatMap { try? run.energy(bodyMass: $0) } }

  /// The run as a JSON object with every key; unknown values are `null`. Times are in seconds from the run's start.
  package var object: JSONObject { object(with: cadencePoints(points.indices)) }

  /// The number of points of the cadence over time. A long run has many, so they can be written in portions.
  package var pointCount: Int { points.count }

  /// The cadence points in `range`.
  package func cadencePoints(_ range: Range<Int>) -> [JSONObject] { points[range].map(json(of:)) }

  /// The object with these cadence points instead of all.
  package func object(with cadencePoints: [JSONObject]) -> JSONObject {
    JSONObject(
      [
        "startedAt": started?.timeIntervalSince1970, "elapsed": run.elapsedSeconds, "moving": run.movingSeconds,
        "paused": run.pausedSeconds, "riding": run.ridingSeconds, "unknown": run.unknownSeconds,
        "movingWithoutSteps": run.steplessMovingSeconds, "slices": run.slices.map(json(of:)),
        "pauses": run.pauses.map(json(of:)),
        "splits": json(of: run.splits(everyMeters: splitMeters)), "laps": json(of: run.laps),
        "activityLaps": json(of: run.activityLaps), "steps": run.steps,
        "cadence": run.cadence,
        "distance": run.distanceEstimate.map(json(of:)),
        "averagePace": run.averagePace, "bestPace": run.bestPace(), "gradeAdjustedPace": run.gradeAdjustedPace,
        "elevation": run.elevation().map { JSONObject(["gain": $0.gain, "loss": $0.loss]) }, "energy": energy,
        "energyIsEstimated": energy == nil ? nil : run.distanceEstimate?.isEstimated,
        "activeEnergy": bodyMass.flatMap { try? run.activeEnergy(bodyMass: $0) },
        "altitudeRange": run.altitudeRange.map { [$0.lowerBound, $0.upperBound] },
        "boundingBox": run.boundingBox.map { JSONObject(["latitudes": $0.latitudes, "longitudes": $0.longitudes]) },
        "cachedLocations": run.cachedLocationCount, "offClockLocations": run.offClockLocationCount,
        "rejectedLocations": rejectedLocations, "findings": findings.isEmpty ? nil : findings.map(\.description),
        "cadencePoints": cadencePoints,
      ], hasNulls: true)
  }

  private func json(of distance: DistanceEstimate) -> JSONObject {
    JSONObject([
      "meters": distance.meters, "isEstimated": run.estimatedDistance > 0, "standardError": distance.standardError,
      "interval95": [distance.interval.lowerBound, distance.interval.upperBound], "measured": distance.measured,
      "bridged": distance.bridged, "bySteps": distance.bySteps, "speedShare": distance.speedShare,
    ])
  }

  private func json(of slice: RunTimeline.Slice) -> JSONObject {
    JSONObject([
      "start": run.seconds(to: slice.start), "end": run.seconds(to: slice.end), "state": slice.state.rawValue,
    ])
  }

  private func json(of pause: Pause) -> JSONObject {
    JSONObject([
      "onset": run.seconds(to: pause.onset), "detected": run.seconds(to: pause.decidedAt),
      "end": run.seconds(to: pause.end ?? run.end), "cause": pause.cause.rawValue,
    ])
  }

  private func json(of splits: [Split]) -> [JSONObject] {
    zip(splits, run.gradeAdjustedPaces(of: splits)).map(json(of:gradeAdjustedPace:))
  }

  private func json(of split: Split, gradeAdjustedPace: Double?) -> JSONObject {
    JSONObject([
      "number": split.number, "start": run.seconds(to: split.start), "end": run.seconds(to: split.end),
      "meters": split.meters, "moving": split.movingSeconds,
      "pace": split.pace, "gradeAdjustedPace": gradeAdjustedPace, "isEstimated": split.isEstimated,
      "untimedMeters": split.untimedMeters,
    ])
  }

  private func json(of point: CadencePoint) -> JSONObject {
    JSONObject([
      "time": run.seconds(to: point.time), "stepsPerMinute": point.stepsPerMinute,
      "gyroscopeCadence": point.gyroscopeCadence, "confidence": point.confidence,
    ])
  }
}

extension RunTimeline {
  /// Seconds from the run's start.
  package func seconds(to time: SampleTime) -> Double {
    time.seconds(since: start)
  }
}
