/// The JSON is described in *Time, distance and pace*. Version 1 is the only one; entries that older files lack are empty.
extension RunTimeline: Codable {
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
    try values.checkVersion(.version)
    let start = try values.decode(SampleTime.self, forKey: .start)
    let end = try values.decode(SampleTime.self, forKey: .end)
    try values.check(start <= end, at: .end, "the run ends before it starts")
    self.init(start: start, end: end)
    try decodeMotion(from: values)
    try decodePlaces(from: values)
    if let entry = impossibleEntry, let list = CodingKeys(stringValue: entry.list) {
      try Self.check(false, at: [list, Place(entry.index)], in: values, entry.reason)
    }
    func count(_ key: CodingKeys) throws -> Int {
      let count = try values.decodeIfPresent(Int.self, forKey: key) ?? 0
      try values.check(count >= 0, at: key, "a number of inputs cannot be \(count)")
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
    cadencePoints = try values.decodeIfPresent([CadencePoint].self, forKey: .cadencePoints) ?? []
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
    route = try values.decodeIfPresent([LocationSample].self, forKey: .route) ?? []
    strides = try values.decodeIfPresent(StrideModel.self, forKey: .strides)
    path = try values.decodeIfPresent([PathStep].self, forKey: .path)
    wayError = try values.decodeIfPresent(WayError.self, forKey: .wayError)
    try values.check(
      wayError?.isPossible ?? true, at: .wayError, "an error of a way cannot be negative or infinite")
    rejected = try values.decodeIfPresent([String: Int].self, forKey: .rejected)
    for (reason, count) in rejected ?? [:] {
      try Self.check(
        count >= 0, at: [CodingKeys.rejected, Place(reason)], in: values, "a number of points cannot be \(count)")
    }
    barometer = try values.decodeIfPresent([AltitudeSample].self, forKey: .barometer)
  }

  /// The first entry of the long lists that cannot be; `nil` if all can.
  package var impossibleEntry: (list: String, index: Int, reason: String)? {
    let within = start...end
    let rates = 0...Self.largestCadence
    func first<Entry>(
      of list: CodingKeys, _ entries: [Entry]?, _ reason: String, where isPossible: (Entry) -> Bool
    ) -> (list: String, index: Int, reason: String)? {
      entries?.firstIndex { !isPossible($0) }.map { (list.rawValue, $0, reason) }
    }
    var meters = 0.0
    return first(of: .cadencePoints, cadencePoints, "is not a step rate of a person in the run") {
      within ~= $0.time && rates ~= $0.stepsPerMinute && rates ~= $0.gyroscopeCadence ?? 0
    }
      ?? first(of: .route, route, "is not a point on Earth during the run") {
        within ~= $0.time && $0.hasValidCoordinates && ($0.altitude ?? 0).magnitude <= 1e6
          && ($0.speed ?? 0).magnitude <= 1e6
      }
      ?? first(of: .path, path, "is not a part of a way during the run") {
        meters += $0.meters
        return $0.meters >= 0 && meters <= Self.longestWay && $0.start <= $0.end && within ~= $0.start
          && within ~= $0.end
      }
      ?? first(of: .barometer, barometer, "is not an altitude on Earth") { $0.relativeAltitude.magnitude <= 1e6 }
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
    try JSONObject([
      "version": FormVersion.current, "start": start, "end": end, "pauseLog": pauseLog, "lapEnds": lapEnds,
      "activities": activities, "cadencePoints": cadencePoints, "route": route, "gaps": gaps, "holes": holes,
      "unknown": unknown, "cachedLocationCount": cachedLocationCount, "offClockLocationCount": offClockLocationCount,
      "droppedSampleCount": droppedSampleCount, "strides": strides, "path": path, "wayError": wayError,
      "rejected": rejected, "barometer": barometer,
    ]).encode(to: encoder)
  }
}
