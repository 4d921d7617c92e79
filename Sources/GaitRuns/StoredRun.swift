import Foundation
import Gait

/// A run to keep: its timeline and the date of its start. The times of the timeline are those of the sensors.
///
/// `data()` is its compact form, for a file or an app's database; a `RunStore` writes it.
///
/// As JSON it is an object with `format` = `gait.run`, `version` = 1, `id`, `startedAt` (seconds since 1970, UTC),
/// `timeZone` (an identifier), `name`, `notes`, `metadata`, `bodyMass`, `timeline` and `evidence`. Other formats, other
/// versions and impossible timelines are refused. Entries that older files lack are empty.
public struct StoredRun: Hashable, Sendable, Identifiable {
  /// The run's identity, also in the file's name.
  public var id: UUID
  /// The date of `timeline.start`.
  public var startedAt: Date
  /// The time zone of the start, so that a history shows the time of the place; `nil` if unknown.
  public var timeZone: TimeZone?
  /// A name to show to people, such as "Morning run".
  public var name: String
  /// Notes of the runner.
  public var notes: String
  /// Entries of the app, such as `["shoes": "blue"]`. They are in the summary, so keep them short.
  public var metadata: [String: String]
  /// The wearer's mass at the time of the run, in kilograms, for the energy in the summary; `nil` if unknown.
  public var bodyMass: Double?
  /// The run.
  public var timeline: RunTimeline
  /// The samples and inputs of the run (`RunTracker.evidence`), from which a later model or another policy can decide
  /// it again; `nil` if they are not kept. They take 4.8 MB an hour at 25 Hz; the run without them takes some tens of
  /// kilobytes.
  public var evidence: RunEvidence?

  /// A run to keep.
  ///
  /// - Parameters:
  ///   - timeline: the run.
  ///   - startedAt: the date of `timeline.start`; an app takes it from the clock when the run begins.
  ///   - timeZone: the time zone of the start; pass `.current` when the run begins.
  ///   - name: a name to show to people.
  ///   - notes: notes of the runner.
  ///   - metadata: entries of the app.
  ///   - bodyMass: the wearer's mass, kilograms.
  ///   - evidence: the samples and inputs of the run, to keep them. If the tracker kept none
  ///     (`RunOptions.keepsEvidence`), they are left out.
  ///   - id: the identity; by default a new one.
  public init(
    _ timeline: RunTimeline, startedAt: Date, timeZone: TimeZone? = nil, name: String = "", notes: String = "",
    metadata: [String: String] = [:], bodyMass: Double? = nil, evidence: RunEvidence? = nil, id: UUID = UUID()
  ) {
    self.id = id
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.name = name
    self.notes = notes
    self.metadata = metadata
    self.bodyMass = bodyMass
    self.timeline = timeline
    self.evidence = evidence.flatMap { $0.isKept ? $0 : nil }
  }

  /// The date of a time of the run.
  public func date(at time: SampleTime) -> Date {
    startedAt.addingTimeInterval(time.seconds(since: timeline.start))
  }

  /// The run in a compact form, about a sixth of its JSON and without loss, for a file or for an app's database.
  ///
  /// The form has a version and checksums: a later Gait reads it, and damage is an error.
  ///
  /// - Throws: `RunStoreError.cannotWrite` for a run that could not be read again, because a time is outside of it or a
  ///   value is not finite.
  public func data() throws(RunStoreError) -> Data {
    if let fault = timeline.fault {
      throw .cannotWrite(file: "run \(id)", reason: "timeline.\(fault.text); correct it")
    }
    do { return Data(try RunFile.bytes(of: self)) } catch {
      throw error as? RunStoreError
        ?? .cannotWrite(file: "run \(id)", reason: "a value of it is not finite; correct it")
    }
  }

  /// Reads a run from the bytes of `data()`, or from JSON.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - name: the name of their source in errors.
  /// - Throws: `RunStoreError.unreadable` for damaged bytes and for a newer version.
  public init(data: Data, name: String = "data") throws(RunStoreError) {
    let file = RunFile(name: name)
    let result = data.withUnsafeBytes { bytes -> Result<StoredRun, RunStoreError>? in
      guard RunFile.isBinary(bytes) else { return nil }
      return Result { () throws(RunStoreError) in try file.run(in: bytes) }
    }
    if let result {
      self = try result.get()
    } else {
      do { self = try JSONFault.decode(StoredRun.self, from: data) } catch { throw file.damaged(error.description) }
    }
  }

  /// The figures for a history.
  public var summary: RunSummary { RunSummary(self) }
}

extension StoredRun: Codable {
  private static let format = "gait.run"

  private enum CodingKeys: String, CodingKey {
    case format, version, id, startedAt, timeZone, name, notes, metadata, bodyMass, timeline, evidence
  }

  /// Reads a run.
  ///
  /// - Throws: `DecodingError` for another format, a version other than 1, and an impossible timeline.
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
      evidence: try values.decodeIfPresent(RunEvidence.self, forKey: .evidence),
      id: try values.decode(UUID.self, forKey: .id))
  }

  /// Writes the run.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "format": Self.format, "version": FormVersion.current, "id": id, "startedAt": startedAt.timeIntervalSince1970,
      "timeZone": timeZone?.identifier, "name": name, "notes": notes, "metadata": metadata, "bodyMass": bodyMass,
      "timeline": timeline, "evidence": evidence,
    ]).encode(to: encoder)
  }
}

/// The compact form of a stored run: a summary that can be read alone, and the run.
///
/// - A line: `gait.run 2`.
/// - The lengths of the summary and of the run, `UInt32`, little-endian.
/// - The summary, and FNV-1a of 64 bits over all before.
/// - The run: the length of its JSON; the JSON without the long lists; these lists as columns; the evidence, if it is
///   kept; and FNV-1a of 64 bits over the run.
struct RunFile {
  /// The beginning of a file of any version.
  private static let prefix = Array("gait.run ".utf8)
  private static let line = prefix + Array("2\n".utf8)
  /// The number of bytes of a file that are read first, for its summary.
  static let usualHead = 2048
  private static let checksumSize = MemoryLayout<UInt64>.size
  /// The most bytes of a summary or of a run that are read. With it, their sum is an `Int` on a watch too.
  static let largestPart: UInt32 = 1 << 29

  /// The name of the file in errors.
  let name: String

  static func bytes(of run: StoredRun) throws -> [UInt8] {
    guard run.startedAt.timeIntervalSince1970.magnitude < Date.farthestSeconds else {
      throw RunStoreError.cannotWrite(file: "run \(run.id)", reason: "its start is not a date; set startedAt")
    }
    var rest = run
    rest.timeline = run.timeline.withoutColumns
    rest.evidence = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(rest)
    var (summary, body): ([UInt8], [UInt8]) = ([], [])
    RunSummary(run).encode(into: &summary)
    body.append(count: json.count)
    body.append(contentsOf: json)
    body.append(contentsOf: run.timeline.columns)
    body.append(contentsOf: run.evidence?.bytes ?? [])
    var bytes = line
    bytes.reserveCapacity(line.count + summary.count + body.count + 32)
    bytes.append(little: UInt32(clamping: summary.count))
    bytes.append(little: UInt32(clamping: body.count))
    bytes.append(contentsOf: summary)
    bytes.append(little: bytes.withUnsafeBytes { Checksum.number($0) })
    bytes.append(contentsOf: body)
    bytes.append(little: body.withUnsafeBytes { Checksum.number($0) })
    return bytes
  }

  /// The summary in `head`, the first bytes of a file of `size` bytes; `nil` if more bytes are needed, or if the run is
  /// in JSON.
  func summary(in head: Data, size: Int64, zones: inout [String: TimeZone?]) throws(RunStoreError) -> RunSummary? {
    let result = head.withUnsafeBytes { bytes in
      Result { () throws(RunStoreError) in
        Self.isBinary(bytes) ? try summary(in: bytes, size: Int(clamping: size), zones: &zones) : nil
      }
    }
    return try result.get()
  }

  private func summary(
    in head: UnsafeRawBufferPointer, size: Int, zones: inout [String: TimeZone?]
  ) throws(RunStoreError) -> RunSummary? {
    let (summaryLength, bodyLength) = try lengths(in: head)
    let end = Self.line.count + 8 + summaryLength
    guard size == end + bodyLength + 2 * Self.checksumSize else { throw damaged("its end is missing, or not its own") }
    guard head.count >= end + Self.checksumSize else { return nil }
    var reader = RecordReader(bytes: head, place: end)
    guard reader.next(UInt64.self) == Checksum.number(UnsafeRawBufferPointer(rebasing: head[..<end])) else {
      throw damaged("its summary is damaged")
    }
    reader = RecordReader(bytes: UnsafeRawBufferPointer(rebasing: head[..<end]), place: Self.line.count + 8)
    guard let summary = RunSummary(from: &reader, zones: &zones), reader.place == end else {
      throw damaged("its summary is damaged")
    }
    return summary
  }

  /// The run in the bytes of a whole file.
  func run(in bytes: UnsafeRawBufferPointer) throws(RunStoreError) -> StoredRun {
    var zones: [String: TimeZone?] = [:]
    guard try summary(in: bytes, size: bytes.count, zones: &zones) != nil else { throw damaged("its end is missing") }
    let (summaryLength, bodyLength) = try lengths(in: bytes)
    let start = Self.line.count + 8 + summaryLength + Self.checksumSize
    let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + bodyLength])
    var checksum = RecordReader(bytes: bytes, place: start + bodyLength)
    guard checksum.next(UInt64.self) == Checksum.number(body) else { throw damaged("a byte of it has changed") }
    var reader = RecordReader(bytes: body, place: 0)
    guard let json = reader.nextCount().flatMap({ reader.nextBytes($0) }) else { throw damaged("its text is missing") }
    var run: StoredRun
    do { run = try JSONFault.decode(StoredRun.self, from: Data(json)) } catch { throw impossible(error.description) }
    guard let timeline = run.timeline.with(columnsFrom: &reader)?.corrected else {
      throw damaged("its columns are damaged")
    }
    if reader.place < body.count {
      run.evidence = RunEvidence(bytes: UnsafeRawBufferPointer(rebasing: body[reader.place...]))
      guard run.evidence != nil else { throw damaged("its evidence is damaged, or of a newer version") }
    }
    if let fault = timeline.fault { throw impossible("timeline.\(fault.text)") }
    run.timeline = timeline
    return run
  }

  /// Whether a file begins like one of this form, of any version. Other files are JSON.
  static func isBinary(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: prefix) }

  private func lengths(in bytes: UnsafeRawBufferPointer) throws(RunStoreError) -> (summary: Int, body: Int) {
    var reader = RecordReader(bytes: bytes, place: Self.line.count)
    guard bytes.starts(with: Self.line) else {
      let version = bytes.dropFirst(Self.prefix.count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.prefix(9)
      guard bytes.starts(with: Self.prefix), !version.isEmpty else { throw damaged("its first line is damaged") }
      throw .unreadable(
        file: name,
        reason:
          "it is of version \(String(decoding: version, as: UTF8.self)), but this Gait reads 1 and 2; update the app")
    }
    guard let summary = reader.next(UInt32.self), let body = reader.next(UInt32.self),
      max(summary, body) <= Self.largestPart
    else { throw damaged("its first bytes are missing or damaged") }
    return (Int(clamping: summary), Int(clamping: body))
  }

  func unreadable(_ error: any Error) -> RunStoreError {
    .unreadable(file: name, reason: "\(error.localizedDescription); check permissions")
  }

  func damaged(_ reason: String) -> RunStoreError {
    let isNewer = reason.hasSuffix("update the app")
    return .unreadable(file: name, reason: reason + (isNewer ? "" : "; restore it from a backup"))
  }

  /// The error of a file with right checksums but impossible contents. Its bytes are those that were written, so it is
  /// not damaged.
  func impossible(_ reason: String) -> RunStoreError {
    let isNewer = reason.hasSuffix("update the app")
    let cure = "; the file is not damaged: keep it, and report this sentence to the makers of the app"
    return .unreadable(file: name, reason: reason + (isNewer ? "" : cure))
  }
}
