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
