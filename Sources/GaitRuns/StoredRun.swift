import Foundation
import Gait

/// A run that is kept: its timeline, whose times are those of the sensors, with the date of its start.
///
/// As JSON it is an object with `format` = `gait.run`, `version` = 1, `id`, `startedAt` (seconds since 1970, UTC), `name` and
/// `timeline`. Other formats and newer versions are refused, as are timelines that cannot be.
public struct StoredRun: Hashable, Sendable, Identifiable {
  /// The run's identity, also in the file's name.
  public var id: UUID
  /// The date of `timeline.start`.
  public var startedAt: Date
  /// A name for people, such as "Morning run".
  public var name: String
  /// The run.
  public var timeline: RunTimeline

  /// A run to keep.
  ///
  /// - Parameters:
  ///   - timeline: the run.
  ///   - startedAt: the date of `timeline.start`; an app takes it from the clock when the run begins.
  ///   - name: a name for people.
  ///   - id: the identity; by default a new one.
  public init(_ timeline: RunTimeline, startedAt: Date, name: String = "", id: UUID = UUID()) {
    self.id = id
    self.startedAt = startedAt
    self.name = name
    self.timeline = timeline
  }

  /// The date of a time of the run.
  public func date(at time: SampleTime) -> Date {
    startedAt.addingTimeInterval(time.seconds(since: timeline.start))
  }
}

extension StoredRun: Codable {
  private static let format = "gait.run"
  private static let version = 1

  private enum CodingKeys: String, CodingKey { case format, version, id, startedAt, name, timeline }

  /// Reads a run of this version.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard try values.decode(String.self, forKey: .format) == Self.format else {
      throw DecodingError.dataCorruptedError(forKey: .format, in: values, debugDescription: "is not \(Self.format)")
    }
    let version = try values.decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "is \(version), but this Gait reads \(Self.version); update the app")
    }
    let seconds = try values.decode(Double.self, forKey: .startedAt)
    guard seconds.magnitude < 1e11 else {
      throw DecodingError.dataCorruptedError(forKey: .startedAt, in: values, debugDescription: "is not a date")
    }
    self.init(
      try values.decode(RunTimeline.self, forKey: .timeline), startedAt: Date(timeIntervalSince1970: seconds),
      name: try values.decode(String.self, forKey: .name), id: try values.decode(UUID.self, forKey: .id))
  }

  /// Writes the run.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(Self.version, forKey: .version)
    try values.encode(id, forKey: .id)
    try values.encode(startedAt.timeIntervalSince1970, forKey: .startedAt)
    try values.encode(name, forKey: .name)
    try values.encode(timeline, forKey: .timeline)
  }
}

/// A folder of runs, a JSON file for each.
public struct RunStore: Sendable {
  /// The folder.
  public let directory: URL

  /// A store in a folder, which is created with the first run.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a run; one with the same `id` is replaced. The file is complete or absent, never a part.
  public func save(_ run: StoredRun) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(run).write(to: url(of: run.id), options: .atomic)
  }

  /// Deletes a run.
  public func remove(_ id: UUID) throws { try FileManager.default.removeItem(at: url(of: id)) }

  /// All runs by date, oldest first, and the files that cannot be read with the reason.
  public func contents() -> (runs: [StoredRun], unreadable: [URL: String]) {
    var runs: [StoredRun] = []
    var unreadable: [URL: String] = [:]
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    for file in files where file.pathExtension == "json" {
      do { runs.append(try JSONFault.decode(StoredRun.self, from: Data(contentsOf: file))) } catch {
        unreadable[file] = (error as? JSONFault)?.description ?? error.localizedDescription
      }
    }
    runs.sort { ($0.startedAt, $0.id.uuidString) < ($1.startedAt, $1.id.uuidString) }
    return (runs, unreadable)
  }

  private func url(of id: UUID) -> URL { directory.appending(path: "\(id.uuidString).json") }
}

/// The totals of the runs of a week, a month or a year.
public struct RunTotals: Hashable, Sendable {
  /// A length of time of the calendar.
  public enum Period: String, Hashable, Sendable, CaseIterable {
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
  /// The distance of the runs, metres; those of unknown distance add nothing.
  public private(set) var meters = 0.0
  /// Seconds of movement.
  public private(set) var movingSeconds = 0.0
  /// Metres climbed, of the runs in which it is known.
  public private(set) var climb = 0.0

  /// The totals of each period with a run, in order. A run belongs to the period in which it started.
  ///
  /// - Parameters:
  ///   - runs: the runs, in any order.
  ///   - period: the length of the periods.
  ///   - calendar: decides by its time zone and its first day of the week.
  public static func of(_ runs: [StoredRun], by period: Period, in calendar: Calendar = .current) -> [RunTotals] {
    let component: Calendar.Component =
      switch period {
      case .week: .weekOfYear
      case .month: .month
      case .year: .year
      }
    var totals: [DateInterval: RunTotals] = [:]
    for run in runs {
      guard let interval = calendar.dateInterval(of: component, for: run.startedAt) else { continue }
      totals[interval, default: RunTotals(interval: interval)].add(run.timeline)
    }
    return totals.values.sorted { $0.interval < $1.interval }
  }

  private init(interval: DateInterval) {
    self.interval = interval
  }

  private mutating func add(_ run: RunTimeline) {
    runCount += 1
    meters += run.distance ?? 0
    movingSeconds += run.movingSeconds
    climb += run.elevation()?.gain ?? 0
  }
}
