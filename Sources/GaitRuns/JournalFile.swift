import Foundation
import Gait

/// An existing journal. Reading it changes nothing.
struct JournalFile {
  /// What the first line states about the run.
  let header: Header
  private let bytes: Data
  private let start: Int
  private let modified: Date?
  /// The versions whose first line states settings. Batches came with version 3.
  static let versions = 2...3
  /// The farthest place, in bytes, at which the first record is looked for if the first line is damaged.
  private static let longestHeader = 1 << 16

  enum Header: Hashable {
    /// The file has no complete first line, so it contains no run.
    case unfinished
    /// The file is of version 1, which states no settings.
    case unstated
    case damaged
    case stated(JournalSettings)
  }

  init(at url: URL) throws(RunJournalError) {
    let bytes: Data
    do { bytes = try Data(contentsOf: url, options: .mappedIfSafe) } catch {
      throw .cannotOpen(file: url.relativePath, reason: error.localizedDescription)
    }
    let modified = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.modificationDate] as? Date
    try self.init(bytes, name: url.relativePath, modified: modified)
  }

  /// Reads the settings of a file.
  ///
  /// - Parameter modified: the date of the file's last change; `nil` if unknown.
  /// - Throws: `RunJournalError.notAJournal` if the file is not a journal, or has an unknown version.
  init(_ bytes: Data, name: String, modified: Date?) throws(RunJournalError) {
    (self.bytes, self.modified) = (bytes, modified)
    let line = bytes.prefix(Self.longestHeader).firstIndex(of: UInt8(ascii: "\n")).map { bytes[..<$0] }
    let version = line.flatMap { Self.version(of: $0) }
    switch (version, line) {
    case (1, let line?) where line.count == JournalSettings.prefix.count + 1:
      (header, start) = (.unstated, line.count + 1)
    case (let version?, let line?) where Self.versions.contains(version):
      // The end of the damaged line may be damaged too, so records are searched for from the beginning of the file.
      let settings = JournalSettings(line: line, version: version)
      (header, start) = settings.map { (.stated($0), line.count + 1) } ?? (.damaged, 0)
    // The digit of the version may be the damaged part. The rest of the line is then valid for another version.
    case (.some, let line?) where Self.isOfOtherVersion(line): (header, start) = (.damaged, 0)
    case (.some, _): throw .notAJournal(file: name)
    case (nil, _):
      let isUnfinished = line == nil && Self.isUnfinished(bytes)
      let hasRecord = bytes.withUnsafeBytes { bytes in
        var entries = JournalEntries(bytes)
        return (0..<min(bytes.count, Self.longestHeader)).contains { entries.entry(at: $0) != nil }
      }
      guard isUnfinished || hasRecord else { throw .notAJournal(file: name) }
      (header, start) = (hasRecord ? .damaged : .unfinished, 0)
    }
  }

  /// The date at which a run of `length` seconds began; `nil` for a file without a run. If the first line does not
  /// state it, the run is assumed to have ended at the file's last change.
  func startedAt(length: Double) -> Date? {
    switch header {
    case .unfinished: nil
    case .stated(let settings): Date(timeIntervalSince1970: settings.startedAt)
    case .unstated, .damaged: (modified ?? Date(timeIntervalSince1970: 0)).addingTimeInterval(-length)
    }
  }

  /// Numbers about a file that was read.
  struct Summary {
    /// The number of inputs in the valid records and batches.
    var count = 0
    /// The number of bytes that belong to no valid record or batch.
    var dropped = 0
    /// One more than the number of the last numbered batch.
    var nextBatchNumber = 0
  }

  /// Calls `body` with the input of each valid record, and each input of the valid batches, in the file's order.
  func read(_ body: (RunInput) -> Void) -> Summary {
    var summary = Summary()
    guard header != .unfinished else { return summary }
    bytes.withUnsafeBytes { bytes in
      var (place, entries) = (start, JournalEntries(bytes))
      while place < bytes.count {
        switch entries.entry(at: place) {
        case .record(let input, let length):
          body(input)
          summary.count += 1
          place += length
        case .batch(let batch):
          batch.inputs.forEach(body)
          summary.count += batch.inputs.count
          summary.nextBatchNumber = batch.number.map { $0 + 1 } ?? summary.nextBatchNumber
          place = batch.end
        case nil:
          summary.dropped += 1
          place += 1
        }
      }
    }
    return summary
  }

  /// The version that a first line states: 0 for an unknown version, `nil` if the line does not begin a journal.
  private static func version(of line: Data) -> Int? {
    guard line.starts(with: JournalSettings.prefix) else { return nil }
    let rest = line.dropFirst(JournalSettings.prefix.count).prefix { $0 != UInt8(ascii: " ") }
    switch String(decoding: rest, as: UTF8.self) {
    case "1": return 1
    case "2": return 2
    case "3": return 3
    case let text: return !text.isEmpty && text.allSatisfy(\.isNumber) ? 0 : nil
    }
  }

  /// Whether the line's checksum is valid for another version than the one that the line states.
  private static func isOfOtherVersion(_ line: Data) -> Bool {
    let digit = JournalSettings.prefix.count
    var bytes = Array(line)
    guard bytes.count > digit else { return false }
    return versions.contains { version in
      bytes[digit] = UInt8(ascii: "0") + UInt8(version)
      return JournalSettings(line: Data(bytes), version: version)?.checksum != nil
    }
  }

  /// Whether the file is empty, or has only a part of a first line.
  private static func isUnfinished(_ bytes: Data) -> Bool {
    JournalSettings.prefix.starts(with: bytes)
      || versions.contains { bytes.starts(with: JournalSettings.prefix + Array("\($0)".utf8)) }
        && bytes.count < longestHeader
      || bytes.elementsEqual(Array("gait.journal 1".utf8))
  }
}

/// The settings of a run, which are the first line of its journal. Only with the same settings do the inputs in the
/// journal give the same run again.
struct JournalSettings: Codable, Hashable {
  /// The date of the run's start, seconds since 1970, UTC.
  var startedAt: Double
  /// Hertz.
  var sampleRate: Double
  /// The checksum of the model.
  var model: String
  var options: String
  /// FNV-1a of the line without this entry; `nil` in files of version 2, from Gait 0.1.0.
  var checksum: UInt32?

  static let prefix = Array("gait.journal ".utf8)

  init(_ tracker: RunTracker, startedAt: Date) {
    self.startedAt = startedAt.timeIntervalSince1970
    sampleRate = tracker.sampleRate.hertz
    model = tracker.model.checksum
    options = tracker.options.text
  }

  /// Reads the settings in the first line of a file, whose `version` is one of `JournalFile.versions`; `nil` if the
  /// line is damaged. `line` is without its line feed.
  init?(line: Data, version: Int) {
    let json = line.dropFirst(Self.prefix.count + 2)
    guard let settings = try? JSONFault.decode(JournalSettings.self, from: json),
      settings.checksum == nil || settings.line(version: version).dropLast().elementsEqual(line)
    else { return nil }
    self = settings
  }

  /// The first line of a file with its checksum and line feed.
  func line(version: Int = JournalFile.versions.upperBound) -> [UInt8] {
    var settings = self
    settings.checksum = nil
    settings.checksum = settings.text(version).withUnsafeBytes(RunInput.hash)
    return settings.text(version)
  }

  private func text(_ version: Int) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and texts can always be encoded.
    let json = (try? encoder.encode(self)) ?? Data()
    return Self.prefix + Array("\(version) ".utf8) + json + [UInt8(ascii: "\n")]
  }

  /// The differences from other settings, in words.
  func differences(from others: JournalSettings) -> [String] {
    var differences: [String] = []
    if sampleRate != others.sampleRate {
      differences.append("a rate of \(sampleRate) Hz instead of \(others.sampleRate) Hz")
    }
    if model != others.model { differences.append("another model") }
    if options != others.options { differences.append("the options \(options) instead of \(others.options)") }
    return differences
  }
}

/// The valid records and batches in the bytes of a journal.
private struct JournalEntries {
  enum Entry {
    case record(RunInput, length: Int)
    case batch(RunInputBatch.Content)
  }

  private let bytes: UnsafeRawBufferPointer
  /// The number of bytes of damaged batches that may still be compared with their checksums. A file that was damaged by
  /// accident needs about its own length. A file made of many beginnings of batches would need much more time than
  /// that; when the number is used up, no more batches of it are read.
  private var reserve: Int

  init(_ bytes: UnsafeRawBufferPointer) { (self.bytes, reserve) = (bytes, 4 * bytes.count) }

  /// The record or batch that begins at `place`; `nil` if no valid one begins there.
  mutating func entry(at place: Int) -> Entry? {
    if let (input, length) = RunInput.decoded(from: bytes, at: place) { return .record(input, length: length) }
    guard let end = try? RunInputBatch.Header(in: bytes, at: place).end, reserve > 0 else { return nil }
    if let batch = try? RunInputBatch.Content(in: bytes, at: place) { return .batch(batch) }
    reserve -= end - place
    return nil
  }
}
