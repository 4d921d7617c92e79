import Gait

/// A run as JSON and as lines.
struct RunSummary: Encodable {
  var elapsed: Double
  var moving: Double
  var paused: Double
  var unknown: Double
  var slices: [Slice]
  var pauses: [Pause]
  var splits: [Split]
  var steps: Int
  var cadence: Double?
  var distance: Distance?
  var averagePace: Double?
  var bestPace: Double?
  var elevation: Elevation?
  var energy: Double?
  var boundingBox: BoundingBox?
  var cachedLocations: Int
  var offClockLocations: Int
  var rejectedLocations: [String: Int]
  var cadencePoints: [Cadence]

  struct Slice: Encodable {
    var start: Double
    var end: Double
    var state: String
  }

  struct Pause: Encodable {
    var onset: Double
    var detected: Double
    var end: Double
    var cause: String
  }

  struct Split: Encodable {
    var number: Int
    var start: Double
    var end: Double
    var meters: Double
    var moving: Double
    var pace: Double
    var isEstimated: Bool
  }

  struct Cadence: Encodable {
    var time: Double
    var stepsPerMinute: Double
    var gyroscopeCadence: Double?
    var confidence: Double
  }

  struct Distance: Encodable {
    var meters: Double
    var isEstimated: Bool
  }

  struct BoundingBox: Encodable {
    var latitudes: ClosedRange<Double>
    var longitudes: ClosedRange<Double>
  }

  struct Elevation: Encodable {
    var gain: Double
    var loss: Double
  }

  /// - Parameter invalidPoints: the number of GPS points that the file's reader skipped.
  init(_ run: RunTimeline, splitMeters: Double, bodyMass: Double?, invalidPoints: Int = 0) {
    func seconds(_ time: SampleTime) -> Double { Double(time.nanoseconds - run.start.nanoseconds) / 1e9 }
    elapsed = run.elapsedSeconds
    moving = run.movingSeconds
    paused = run.pausedSeconds
    unknown = run.unknownSeconds
    slices = run.slices.map { Slice(start: seconds($0.start), end: seconds($0.end), state: $0.state.rawValue) }
    pauses = run.pauses.map {
      Pause(
        onset: seconds($0.onset), detected: seconds($0.decidedAt), end: seconds($0.end ?? run.end),
        cause: $0.cause.rawValue)
    }
    splits = run.splits(everyMeters: splitMeters).map {
      Split(
        number: $0.number, start: seconds($0.start), end: seconds($0.end), meters: $0.meters, moving: $0.movingSeconds,
        pace: $0.pace, isEstimated: $0.isEstimated)
    }
    steps = run.steps
    cadence = run.cadence
    distance = run.distance.map { Distance(meters: $0, isEstimated: run.estimatedDistance > 0) }
    averagePace = run.averagePace
    bestPace = run.bestPace()
    elevation = run.elevation().map { Elevation(gain: $0.gain, loss: $0.loss) }
    energy = bodyMass.flatMap(run.energy)
    boundingBox = run.boundingBox.map { BoundingBox(latitudes: $0.latitudes, longitudes: $0.longitudes) }
    cachedLocations = run.cachedLocationCount
    offClockLocations = run.offClockLocationCount
    rejectedLocations = run.rejectedLocations
    if invalidPoints > 0 { rejectedLocations["invalidCoordinates", default: 0] += invalidPoints }
    cadencePoints = run.cadencePoints.map {
      Cadence(
        time: seconds($0.time), stepsPerMinute: $0.stepsPerMinute, gyroscopeCadence: $0.gyroscopeCadence,
        confidence: $0.confidence)
    }
  }

  enum CodingKeys: CodingKey {
    case elapsed, moving, paused, unknown, slices, pauses, splits, steps, cadence, distance, averagePace, bestPace,
      elevation
    case energy, boundingBox, cachedLocations, offClockLocations, rejectedLocations, cadencePoints
  }

  /// Writes every key; unknown values are `null`.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(elapsed, forKey: .elapsed)
    try container.encode(moving, forKey: .moving)
    try container.encode(paused, forKey: .paused)
    try container.encode(unknown, forKey: .unknown)
    try container.encode(slices, forKey: .slices)
    try container.encode(pauses, forKey: .pauses)
    try container.encode(splits, forKey: .splits)
    try container.encode(steps, forKey: .steps)
    try container.encode(cadence, forKey: .cadence)
    try container.encode(distance, forKey: .distance)
    try container.encode(averagePace, forKey: .averagePace)
    try container.encode(bestPace, forKey: .bestPace)
    try container.encode(elevation, forKey: .elevation)
    try container.encode(energy, forKey: .energy)
    try container.encode(boundingBox, forKey: .boundingBox)
    try container.encode(cachedLocations, forKey: .cachedLocations)
    try container.encode(offClockLocations, forKey: .offClockLocations)
    try container.encode(rejectedLocations, forKey: .rejectedLocations)
    try container.encode(cadencePoints, forKey: .cadencePoints)
  }

  /// The summary as lines of text.
  var lines: [String] {
    let lost = unknown > 0 ? ", unknown \(fixed(unknown, 1)) s (no motion data)" : ""
    var lines = ["elapsed \(fixed(elapsed, 1)) s, moving \(fixed(moving, 1)) s, paused \(fixed(paused, 1)) s\(lost)"]
    let cadence = cadence.map { ", \(fixed($0, 0)) steps/min" } ?? ""
    lines.append("\(steps) steps\(cadence)")
    if let distance {
      let pace = averagePace.map { ", \(Self.pace($0))" } ?? ""
      lines.append("\(fixed(distance.meters, 0)) m\(distance.isEstimated ? " (estimated)" : "")\(pace)")
    }
    if let elevation { lines.append("up \(fixed(elevation.gain, 0)) m, down \(fixed(elevation.loss, 0)) m") }
    if cachedLocations > 0 { lines.append("dropped \(cachedLocations) GPS points from before the run") }
    if offClockLocations > 0 { lines.append("dropped \(offClockLocations) GPS points of another clock") }
    if !rejectedLocations.isEmpty {
      let reasons = rejectedLocations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      let count = rejectedLocations.values.reduce(0, +)
      lines.append("did not use \(count) GPS points: \(reasons.joined(separator: ", "))")
    }
    if let energy { lines.append("\(fixed(energy, 0)) kcal") }
    let rows = slices.map { [$0.state, fixed($0.start, 2), fixed($0.end, 2), fixed($0.end - $0.start, 2)] }
    lines += [""] + table([["slice", "start s", "end s", "seconds"]] + rows)
    guard !splits.isEmpty else { return lines }
    let splitRows = splits.map { ["\($0.number)", fixed($0.end, 1), fixed($0.moving, 1), Self.pace($0.pace)] }
    return lines + [""] + table([["split", "end s", "moving s", "pace"]] + splitRows)
  }

  private static func pace(_ seconds: Double) -> String {
    // A GPS receiver at rest reports a few millimetres in hours.
    guard seconds < 360_000 else { return "over 100 h /km" }
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60) /km"
  }
}
