import Foundation
import Gait

/// A run that is kept: its timeline, whose times are those of the sensors, with the date of its start.
///
/// `data()` is its compact form, for a file or an app's database; a `RunStore` writes it.
///
/// As JSON it is an object with `format` = `gait.run`, `version` = 1, `id`, `startedAt` (seconds since 1970, UTC), `timeZone` (an
/// identifier), `name`, `notes`, `metadata`, `bodyMass` and `timeline`. Other formats and newer versions are refused, as are
/// timelines that cannot be; entries that older files lack are empty.
public struct StoredRun: Hashable, Sendable, Identifiable {
  /// The run's identity, also in the file's name.
  public var id: UUID
  /// The date of `timeline.start`.
  public var startedAt: Date
  /// The time zone of the start, so that a history shows the time of the place; `nil` if unknown.
  public var timeZone: TimeZone?
  /// A name for people, such as "Morning run".
  public var name: String
  /// Notes of the runner.
  public var notes: String
  /// Entries of the app, such as `["shoes": "blue"]`. They are in the summary, so keep them short.
  public var metadata: [String: String]
  /// The wearer's mass at the time, kilograms, for the energy in the summary; `nil` if unknown.
  public var bodyMass: Double?
  /// The run.
  public var timeline: RunTimeline

  /// A run to keep.
  ///
  /// - Parameters:
  ///   - timeline: the run.
  ///   - startedAt: the date of `timeline.start`; an app takes it from the clock when the run begins.
  ///   - timeZone: the time zone of the start; pass `.current` when the run begins.
  ///   - name: a name for people.
  ///   - notes: notes of the runner.
  ///   - metadata: entries of the app.
  ///   - bodyMass: the wearer's mass, kilograms.
  ///   - id: the identity; by default a new one.
  public init(
    _ timeline: RunTimeline, startedAt: Date, timeZone: TimeZone? = nil, name: String = "", notes: String = "",
    metadata: [String: String] = [:], bodyMass: Double? = nil, id: UUID = UUID()
  ) {
    self.id = id
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.name = name
    self.notes = notes
    self.metadata = metadata
    self.bodyMass = bodyMass
    self.timeline = timeline
  }

  /// The date of a time of the run.
  public func date(at time: SampleTime) -> Date {
    startedAt.addingTimeInterval(time.seconds(since: timeline.start))
  }
}

extension StoredRun: Codable {
  private static let format = "gait.run"

  private enum CodingKeys: String, CodingKey {
    case format, version, id, startedAt, timeZone, name, notes, metadata, bodyMass, timeline
  }

  /// Reads a run of this version.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let format = try values.decode(String.self, forKey: .format)
    try values.check(format == Self.format, at: .format, "is not \(Self.format)")
    try values.checkVersion(.version)
    self.init(
      try values.decode(RunTimeline.self, forKey: .timeline), startedAt: try values.decodeDate(.startedAt),
      timeZone: try values.decodeIfPresent(String.self, forKey: .timeZone).flatMap { TimeZone(identifier: $0) },
      name: try values.decode(String.self, forKey: .name),
      notes: try values.decodeIfPresent(String.self, forKey: .notes) ?? "",
      metadata: try values.decodeIfPresent([String: String].self, forKey: .metadata) ?? [:],
      bodyMass: try values.decodeIfPresent(Double.self, forKey: .bodyMass),
      id: try values.decode(UUID.self, forKey: .id))
  }

  /// Writes the run.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(FormVersion.current, forKey: .version)
    try values.encode(id, forKey: .id)
    try values.encode(startedAt.timeIntervalSince1970, forKey: .startedAt)
    try values.encodeIfPresent(timeZone?.identifier, forKey: .timeZone)
    try values.encode(name, forKey: .name)
    try values.encode(notes, forKey: .notes)
    try values.encode(metadata, forKey: .metadata)
    try values.encodeIfPresent(bodyMass, forKey: .bodyMass)
    try values.encode(timeline, forKey: .timeline)
  }
}
