import Foundation
import Gait

/// The figures of a stored run that a history shows, without its route and its signal.
///
/// A `RunStore` lists summaries without opening the runs, and `RunTotals` sums them. A summary is of the run as it was
/// saved. After a change, save the run again.
///
/// As JSON it is an object with `version` = 1, `id`, `startedAt` (seconds since 1970, UTC), `timeZone` (an identifier
/// such as `Europe/Berlin`), `name`, `notes`, `metadata`, `distance`, `movingSeconds`, `pausedSeconds`,
/// `elapsedSeconds`, `climb`, `pace`, `steps` and `energy`. A figure that is not known is left out.
public struct RunSummary: Hashable, Sendable, Identifiable {
  /// The run's identity.
  public let id: UUID
  /// The date of the start.
  public let startedAt: Date
  /// The time zone of the start; `nil` if the run does not state it or this device does not know it.
  public let timeZone: TimeZone?
  /// A name to show to people.
  public let name: String
  /// Notes of the runner.
  public let notes: String
  /// Entries of the app.
  public let metadata: [String: String]
  /// Metres without paused distance; `nil` if unknown.
  public let distance: Double?
  /// Seconds of movement.
  public let movingSeconds: Double
  /// Seconds in pauses.
  public let pausedSeconds: Double
  /// Seconds from start to end.
  public let elapsedSeconds: Double
  /// Metres climbed while moving; `nil` if unknown.
  public let climb: Double?
  /// Seconds per kilometre: moving time ÷ the distance in moving time; `nil` without such a distance.
  public let pace: Double?
  /// The number of steps in moving time.
  public let steps: Int
  /// Kilocalories, including those that the body needs at rest; `nil` without distance or `StoredRun.bodyMass`.
  public let energy: Double?

  /// The summary of a run.
  ///
  /// - Complexity: O(points of the route + pauses): a few milliseconds for an hour.
  public init(_ run: StoredRun) {
    let timeline = run.timeline
    id = run.id
    startedAt = run.startedAt
    timeZone = run.timeZone
    name = run.name
    notes = run.notes
    metadata = run.metadata
    func finite(_ figure: Double?) -> Double? { figure.flatMap { $0.isFinite ? $0 : nil } }
    distance = finite(timeline.distance)
    movingSeconds = timeline.movingSeconds
    pausedSeconds = timeline.pausedSeconds
    elapsedSeconds = timeline.elapsedSeconds
    climb = finite(timeline.elevation()?.gain)
    pace = finite(timeline.averagePace)
    steps = timeline.steps
    energy = finite(run.bodyMass.flatMap { try? timeline.energy(bodyMass: $0) })
  }

  /// A summary from the figures that totals need.
  package init(
    name: String, startedAt: Date, elapsedSeconds: Double, movingSeconds: Double, pausedSeconds: Double,
    distance: Double?, climb: Double?
  ) {
    (id, self.startedAt, timeZone, self.name, notes, metadata) = (UUID(), startedAt, nil, name, "", [:])
    (self.elapsedSeconds, self.movingSeconds, self.pausedSeconds) = (elapsedSeconds, movingSeconds, pausedSeconds)
    (self.distance, self.climb, pace, steps, energy) = (distance, climb, nil, 0, nil)
  }

  // MARK: Bytes

  /// Appends the summary: the identity, the start, the texts with their lengths, the steps, and the other figures.
  func encode(into bytes: inout [UInt8]) {
    withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    bytes.append(little: startedAt.timeIntervalSince1970.bitPattern)
    let entries = metadata.sorted { $0.key < $1.key }
    bytes.append(count: entries.count)
    for text in [timeZone?.identifier ?? "", name, notes] + entries.flatMap({ [$0.key, $0.value] }) {
      bytes.append(text: text)
    }
    bytes.append(integer: Int64(clamping: steps))
    bytes.append(optionals: [movingSeconds, pausedSeconds, elapsedSeconds, distance, climb, pace, energy])
  }

  /// Reads what `encode(into:)` wrote; `nil` if the bytes are no summary.
  ///
  /// - Parameter zones: the time zones that were made so far, by identifier. Many summaries share one.
  init?(from reader: inout RecordReader, zones: inout [String: TimeZone?]) {
    guard let high = reader.next(UInt64.self), let low = reader.next(UInt64.self), let start = reader.nextDouble(),
      start.magnitude < Date.farthestSeconds, let entryCount = reader.nextCount(), let zone = reader.nextText(),
      let name = reader.nextText(), let notes = reader.nextText()
    else { return nil }
    var metadata: [String: String] = [:]
    for _ in 0..<entryCount {
      guard let key = reader.nextText(), let value = reader.nextText() else { return nil }
      metadata[key] = value
    }
    guard let steps = reader.nextInteger(), let figures = reader.nextOptionals(7), let moving = figures[0],
      let paused = figures[1], let elapsed = figures[2], figures.allSatisfy({ $0?.isFinite ?? true })
    else { return nil }
    let known = zones[zone] ?? (zone.isEmpty ? nil : TimeZone(identifier: zone))
    zones[zone] = .some(known)
    id = UUID(uuid: withUnsafeBytes(of: (high.littleEndian, low.littleEndian)) { $0.load(as: uuid_t.self) })
    (startedAt, timeZone) = (Date(timeIntervalSince1970: start), known)
    (self.name, self.notes, self.metadata, self.steps) = (name, notes, metadata, Int(clamping: steps))
    (movingSeconds, pausedSeconds, elapsedSeconds) = (moving, paused, elapsed)
    (distance, climb, pace, energy) = (figures[3], figures[4], figures[5], figures[6])
  }
}

extension RunSummary: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, id, startedAt, timeZone, name, notes, metadata, distance, movingSeconds, pausedSeconds,
      elapsedSeconds, climb
    case pace, steps, energy
  }

  /// Reads a summary.
  ///
  /// - Throws: `DecodingError` for a version other than 1, and for a start of 10¹¹ seconds or more from 1970.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    func number(_ key: CodingKeys) throws -> Double? { try values.decodeIfPresent(Double.self, forKey: key) }
    id = try values.decode(UUID.self, forKey: .id)
    startedAt = try values.decodeDate(.startedAt)
    timeZone = try values.decodeIfPresent(String.self, forKey: .timeZone).flatMap { TimeZone(identifier: $0) }
    name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
    notes = try values.decodeIfPresent(String.self, forKey: .notes) ?? ""
    metadata = try values.decodeIfPresent([String: String].self, forKey: .metadata) ?? [:]
    distance = try number(.distance)
    movingSeconds = try values.decode(Double.self, forKey: .movingSeconds)
    pausedSeconds = try values.decode(Double.self, forKey: .pausedSeconds)
    elapsedSeconds = try values.decode(Double.self, forKey: .elapsedSeconds)
    climb = try number(.climb)
    pace = try number(.pace)
    steps = try values.decode(Int.self, forKey: .steps)
    energy = try number(.energy)
  }

  /// Writes the summary.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "version": FormVersion.current, "id": id, "startedAt": startedAt.timeIntervalSince1970,
      "timeZone": timeZone?.identifier, "name": name, "notes": notes, "metadata": metadata, "distance": distance,
      "movingSeconds": movingSeconds, "pausedSeconds": pausedSeconds, "elapsedSeconds": elapsedSeconds, "climb": climb,
      "pace": pace, "steps": steps, "energy": energy,
    ]).encode(to: encoder)
  }
}

extension KeyedDecodingContainer {
  /// A date as seconds since 1970, within 3,000 years.
  func decodeDate(_ key: Key) throws -> Date {
    let seconds = try decode(Double.self, forKey: key)
    try check(seconds.magnitude < Date.farthestSeconds, at: key, "is not a date")
    return Date(timeIntervalSince1970: seconds)
  }
}

extension Date {
  /// The largest distance from 1970 of a date that is read, seconds.
  static let farthestSeconds = 1e11
}

/// The totals of the runs of a day, a week, a month or a year.
///
/// As JSON they are an object with `version` = 1, `start` and `end` (seconds since 1970, UTC), `runCount`, `meters`,
/// `movingSeconds` and `climb`.
public struct RunTotals: Hashable, Sendable {
  /// A unit of the calendar.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    /// A day.
    case day
    /// A week, as the calendar begins it.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// From the first moment of the period to the first of the next.
  public let interval: DateInterval
  /// The number of runs.
  public private(set) var runCount = 0
  /// The distance of the runs, metres. A run with unknown distance adds nothing.
  public private(set) var meters = 0.0
  /// Seconds of movement.
  public private(set) var movingSeconds = 0.0
  /// Metres climbed. A run with unknown climb adds nothing.
  public private(set) var climb = 0.0

  /// The totals of each period with a run, in order. A run belongs to the period in which it started.
  ///
  ///     RunTotals.of(store.summaries().summaries, by: .week)
  ///
  /// - Parameters:
  ///   - runs: the summaries of the runs, in any order.
  ///   - period: the length of the periods.
  ///   - calendar: decides by its time zone and its first day of the week.
  /// - Complexity: O(*n* log *n*).
  public static func of(_ runs: [RunSummary], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    var totals: [RunTotals] = []
    for run in runs.sorted(by: { $0.startedAt < $1.startedAt }) {
      if totals.last.map({ run.startedAt >= $0.interval.end }) ?? true {
        guard let interval = calendar.dateInterval(of: period.component, for: run.startedAt) else { continue }
        totals.append(RunTotals(interval: interval))
      }
      totals[totals.count - 1].add(run)
    }
    return totals
  }

  /// The totals of runs that are in memory.
  public static func of(_ runs: [StoredRun], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    of(runs.map(\.summary), by: period, in: calendar)
  }

  private init(interval: DateInterval) { self.interval = interval }

  private mutating func add(_ run: RunSummary) {
    runCount += 1
    meters += run.distance ?? 0
    movingSeconds += run.movingSeconds
    climb += run.climb ?? 0
  }
}

extension RunTotals.Period {
  fileprivate var component: Calendar.Component {
    switch self {
    case .day: .day
    case .week: .weekOfYear
    case .month: .month
    case .year: .year
    }
  }
}

extension RunTotals: Codable {
  private enum CodingKeys: String, CodingKey { case version, start, end, runCount, meters, movingSeconds, climb }

  /// Reads totals.
  ///
  /// - Throws: `DecodingError` for a version other than 1, and for an interval that ends before it starts.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    let (start, end) = (try values.decodeDate(.start), try values.decodeDate(.end))
    try values.check(start <= end, at: .end, "is before the start")
    self.init(interval: DateInterval(start: start, end: end))
    runCount = try values.decode(Int.self, forKey: .runCount)
    meters = try values.decode(Double.self, forKey: .meters)
    movingSeconds = try values.decode(Double.self, forKey: .movingSeconds)
    climb = try values.decode(Double.self, forKey: .climb)
  }

  /// Writes the totals.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "version": FormVersion.current, "start": interval.start.timeIntervalSince1970,
      "end": interval.end.timeIntervalSince1970, "runCount": runCount, "meters": meters,
      "movingSeconds": movingSeconds, "climb": climb,
    ]).encode(to: encoder)
  }
}
