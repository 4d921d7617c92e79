/// The JSON is described in *Time, distance and pace*. Version 1 is the only one; entries that older files lack are empty.
extension RunTimeline: Codable {
  private static let version = 1

  private enum CodingKeys: String, CodingKey {
    case version, start, end, pauseLog, lapEnds, activities, cadencePoints, route, gaps, holes, unknown,
      cachedLocationCount
    case offClockLocationCount, droppedSampleCount, strides, path, wayError, rejected, barometer
  }

  /// Reads a run.
  ///
  /// - Throws: `DecodingError` with the place of the entry for a newer version, and for a run that cannot be: times outside of
  ///   the run or out of order, pauses that overlap or end before they begin, counts or lengths below 0, step rates beyond
  ///   `largestCadence`, coordinates that are not on Earth.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decodeIfPresent(Int.self, forKey: .version) ?? Self.version
    try Self.check(
      version == Self.version, at: [CodingKeys.version], in: values,
      "is \(version), but this Gait reads \(Self.version); update it")
    let start = try values.decode(SampleTime.self, forKey: .start)
    let end = try values.decode(SampleTime.self, forKey: .end)
    try Self.check(start <= end, at: [CodingKeys.end], in: values, "the run ends before it starts")
    self.init(start: start, end: end)
    try decodeMotion(from: values)
    try decodePlaces(from: values)
    func count(_ key: CodingKeys) throws -> Int {
      let count = try values.decodeIfPresent(Int.self, forKey: key) ?? 0
      try Self.check(count >= 0, at: [key], in: values, "a number of inputs cannot be \(count)")
      return count
    }
    cachedLocationCount = try count(.cachedLocationCount)
    offClockLocationCount = try count(.offClockLocationCount)
    droppedSampleCount = try count(.droppedSampleCount)
  }

  /// The fastest step rate of a run that is read, steps per minute: no person or animal steps faster.
  private static let largestCadence = 1000.0
  /// The longest way of a run that is read, metres: 400 times around the Earth.
  private static let longestWay = 1.6e10

  /// Reads pauses, laps, activities, step rates and the stretches without motion.
  private mutating func decodeMotion(from values: Values) throws {
    let within = start...end
    pauseLog = try values.decode(PauseLog.self, forKey: .pauseLog)
    let pauses = pauseLog.pauses
    for (index, pause) in pauses.enumerated() {
      let place: [any CodingKey] = [CodingKeys.pauseLog, Place("pauses"), Place(index)]
      let previous = index == 0 ? start : pauses[index - 1].end
      try Self.check(
        pause.onset <= pause.end ?? pause.onset && previous.map { $0 <= pause.onset } ?? false, at: place, in: values,
        "a pause ends before it begins, or begins before the start or the end of the one before it")
      try Self.check(
        pause.onset <= end && pause.end ?? end <= end, at: place, in: values, "a pause is not within the run")
    }
    var lapEnd = start
    lapEnds = try Self.list(.lapEnds, values, "out of order, or outside of the run") { (time: SampleTime) in
      defer { lapEnd = time }
      return time >= lapEnd && time <= within.upperBound
    }
    var onset: SampleTime?
    activities = try Self.list(.activities, values, "out of order, or after the run") { (change: ActivityChange) in
      defer { onset = change.onset }
      return change.onset >= onset ?? change.onset && change.onset <= within.upperBound
    }
    let rates = 0...Self.largestCadence
    cadencePoints = try Self.list(.cadencePoints, values, "is not a step rate of a person in the run") {
      within ~= $0.time && rates ~= $0.stepsPerMinute && rates ~= $0.gyroscopeCadence ?? 0
    }
    func stretches(_ key: CodingKeys) throws -> [Range<SampleTime>] {
      var last = start
      return try Self.list(key, values, "out of order, or outside of the run") { (stretch: Range<SampleTime>) in
        defer { last = stretch.upperBound }
        return stretch.lowerBound >= last && stretch.upperBound <= within.upperBound
      }
    }
    gaps = try stretches(.gaps)
    holes = try stretches(.holes)
    unknown = try stretches(.unknown)
  }

  /// Reads the route, the way and the altitudes.
  private mutating func decodePlaces(from values: Values) throws {
    let within = start...end
    route = try Self.list(.route, values, "is not a point on Earth during the run") { (sample: LocationSample) in
      within ~= sample.time && sample.hasValidCoordinates && (sample.altitude ?? 0).magnitude <= 1e6
        && (sample.speed ?? 0).magnitude <= 1e6
    }
    strides = try values.decodeIfPresent(StrideModel.self, forKey: .strides)
    if values.contains(.path), try !values.decodeNil(forKey: .path) {
      var meters = 0.0
      path = try Self.list(.path, values, "is not a part of a way during the run") { (step: PathStep) in
        meters += step.meters
        return step.meters >= 0 && meters <= Self.longestWay && step.start <= step.end && within ~= step.start
          && within ~= step.end
      }
    }
    wayError = try values.decodeIfPresent(WayError.self, forKey: .wayError)
    try Self.check(
      wayError?.isPossible ?? true, at: [CodingKeys.wayError], in: values,
      "an error of a way cannot be negative or infinite")
    rejected = try values.decodeIfPresent([String: Int].self, forKey: .rejected)
    for (reason, count) in rejected ?? [:] {
      try Self.check(
        count >= 0, at: [CodingKeys.rejected, Place(reason)], in: values, "a number of points cannot be \(count)")
    }
    if values.contains(.barometer), try !values.decodeNil(forKey: .barometer) {
      barometer = try Self.list(.barometer, values, "is not an altitude on Earth") { (sample: AltitudeSample) in
        sample.relativeAltitude.magnitude <= 1e6
      }
    }
  }

  private typealias Values = KeyedDecodingContainer<CodingKeys>

  /// A place in the JSON: an entry, or an index of a list.
  private struct Place: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
  }

  private static func check(
    _ isPossible: Bool, at place: [any CodingKey], in values: Values, _ reason: String
  ) throws {
    guard !isPossible else { return }
    throw DecodingError.dataCorrupted(.init(codingPath: values.codingPath + place, debugDescription: reason))
  }

  /// Reads a list, each entry of which is checked; one that is missing is empty.
  private static func list<Element: Decodable>(
    _ key: CodingKeys, _ values: Values, _ reason: String, _ isPossible: (Element) -> Bool
  ) throws -> [Element] {
    let list = try values.decodeIfPresent([Element].self, forKey: key) ?? []
    for (index, element) in list.enumerated() {
      try check(isPossible(element), at: [key, Place(index)], in: values, reason)
    }
    return list
  }

  /// Writes the run.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(start, forKey: .start)
    try values.encode(end, forKey: .end)
    try values.encode(pauseLog, forKey: .pauseLog)
    try values.encode(lapEnds, forKey: .lapEnds)
    try values.encode(activities, forKey: .activities)
    try values.encode(cadencePoints, forKey: .cadencePoints)
    try values.encode(route, forKey: .route)
    try values.encode(gaps, forKey: .gaps)
    try values.encode(holes, forKey: .holes)
    try values.encode(unknown, forKey: .unknown)
    try values.encode(cachedLocationCount, forKey: .cachedLocationCount)
    try values.encode(offClockLocationCount, forKey: .offClockLocationCount)
    try values.encode(droppedSampleCount, forKey: .droppedSampleCount)
    try values.encodeIfPresent(strides, forKey: .strides)
    try values.encodeIfPresent(path, forKey: .path)
    try values.encodeIfPresent(wayError, forKey: .wayError)
    try values.encodeIfPresent(rejected, forKey: .rejected)
    try values.encodeIfPresent(barometer, forKey: .barometer)
  }
}
