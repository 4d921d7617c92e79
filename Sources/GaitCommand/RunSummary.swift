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

  init(_ run: RunTimeline, splitMeters: Double, bodyMass: Double?) {
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
    cadencePoints = run.cadencePoints.map {
      Cadence(
        time: seconds($0.time), stepsPerMinute: $0.stepsPerMinute, gyroscopeCadence: $0.gyroscopeCadence,
        confidence: $0.confidence)
    }
  }

  enum CodingKeys: CodingKey {
    case elapsed, moving, paused, unknown, slices, pauses, splits, steps, cadence, distance, averagePace, bestPace,
      elevation
    case energy, boundingBox, cachedLocations, offClockLocations, cadencePoints
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

/// An event as one line of text or JSON.
struct EventLine: Encodable {
  var event: String
  var detected: Double
  var onset: Double
  var detail: String
  var confidence: Float?

  init(_ event: RunEvent) {
    switch event {
    case .paused(let pause): self.init("paused", pause.decidedAt, pause.onset, pause.cause.rawValue, pause.confidence)
    case .resumed(let resume):
      self.init("resumed", resume.decidedAt, resume.onset, resume.cause.rawValue, resume.confidence)
    case .activity(let change): self.init("activity", change.decidedAt, change.onset, change.activity.rawValue)
    case .gap(let gap):
      self.init("gap", gap.upperBound, gap.lowerBound, fixed(gap.upperBound.seconds(since: gap.lowerBound), 2) + " s")
    case .split(let split):
      self.init("split", split.end, split.start, "\(split.number): \(fixed(split.movingSeconds, 1)) s")
    case .goal(let goal, let time): self.init("goal", time, time, Self.text(of: goal))
    case .snapshot(let snapshot):
      self.init("snapshot", snapshot.time, snapshot.time, "moving \(fixed(snapshot.movingSeconds, 1)) s")
    }
  }

  private init(
    _ event: String, _ detected: SampleTime, _ onset: SampleTime, _ detail: String, _ confidence: Float? = nil
  ) {
    self.event = event
    self.detected = detected.seconds
    self.onset = onset.seconds
    self.detail = detail
    self.confidence = confidence
  }

  private static func text(of goal: RunGoal) -> String {
    switch goal {
    case .distance(let meters): "\(fixed(meters, 0)) m"
    case .movingTime(let seconds): "\(fixed(seconds, 0)) s moving"
    }
  }

  /// Detection time, event, onset and cause.
  var text: String {
    let sure = confidence.map { ", confidence \(fixed(Double($0), 3))" } ?? ""
    return "\(fixed(detected, 2)) s  \(event) since \(fixed(onset, 2)) s (\(detail)\(sure))"
  }
}
