/// The JSON is described in *Time, distance and pace*. Version 1 is the only one; entries that older files lack are
/// empty.
extension RunTimeline: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, start, end, pauseLog, lapEnds, activities, cadencePoints, route, gaps, holes, unknown, rides,
      cachedLocationCount
    case offClockLocationCount, droppedSampleCount, strides, path, rejected, barometer, corrections
    case distanceError = "wayError"
  }

  /// Reads a run.
  ///
  /// - Throws: `DecodingError` with the place of the entry for a version other than 1, and for an impossible run: times
  ///   outside of the run or out of order, pauses that overlap or end before they begin, counts or lengths below 0,
  ///   step rates beyond `largestCadence`, coordinates that are not on Earth.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    let start = try values.decode(SampleTime.self, forKey: .start)
    let end = try values.decode(SampleTime.self, forKey: .end)
    try values.check(start <= end, at: .end, "the run ends before it starts")
    self.init(start: start, end: end)
    try decodeMotion(from: values)
    try decodePlaces(from: values)
    self = corrected
    if let fault {
      let place = fault.list.split(separator: ".").map { Place(String($0)) } + (fault.index.map { [Place($0)] } ?? [])
      throw DecodingError.dataCorrupted(.init(codingPath: values.codingPath + place, debugDescription: fault.reason))
    }
  }

  /// Reads pauses, laps, activities, step rates, gaps, holes, unknown time, rides and corrections.
  private mutating func decodeMotion(from values: Values) throws {
    func list<Element: Decodable>(_ key: CodingKeys) throws -> [Element] {
      try values.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    pauseLog = try values.decode(PauseLog.self, forKey: .pauseLog)
    lapEnds = try list(.lapEnds)
    activities = try list(.activities)
    cadencePoints = try list(.cadencePoints)
    gaps = try list(.gaps)
    holes = try list(.holes)
    unknown = try list(.unknown)
    rides = try list(.rides)
    corrections = try list(.corrections)
    droppedSampleCount = try values.decodeIfPresent(Int.self, forKey: .droppedSampleCount) ?? 0
  }

  /// Reads the route, the path steps and the altitudes.
  private mutating func decodePlaces(from values: Values) throws {
    route = try values.decodeIfPresent([LocationSample].self, forKey: .route) ?? []
    strides = try values.decodeIfPresent(StrideModel.self, forKey: .strides)
    path = try values.decodeIfPresent([PathStep].self, forKey: .path)
    distanceError = try values.decodeIfPresent(DistanceError.self, forKey: .distanceError)
    rejected = try values.decodeIfPresent([String: Int].self, forKey: .rejected)
    barometer = try values.decodeIfPresent([AltitudeSample].self, forKey: .barometer)
    cachedLocationCount = try values.decodeIfPresent(Int.self, forKey: .cachedLocationCount) ?? 0
    offClockLocationCount = try values.decodeIfPresent(Int.self, forKey: .offClockLocationCount) ?? 0
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

  /// Writes the run.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "version": FormVersion.current, "start": start, "end": end, "pauseLog": pauseLog, "lapEnds": lapEnds,
      "activities": activities, "cadencePoints": cadencePoints, "route": route, "gaps": gaps, "holes": holes,
      "unknown": unknown, "rides": rides.isEmpty ? nil : rides, "cachedLocationCount": cachedLocationCount,
      "offClockLocationCount": offClockLocationCount,
      "droppedSampleCount": droppedSampleCount, "strides": strides, "path": path, "wayError": distanceError,
      "rejected": rejected, "barometer": barometer,
      "corrections": corrections.isEmpty ? nil : corrections,
    ]).encode(to: encoder)
  }
}
