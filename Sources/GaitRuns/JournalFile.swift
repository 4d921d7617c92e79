import Foundation
import Gait

/// What a run in a journal depends on besides its inputs: the first line of the file.
struct JournalSettings: Codable, Hashable {
  /// Seconds since 1970, UTC.
  var startedAt: Double
  /// Hertz.
  var sampleRate: Double
  /// The checksum of the model.
  var model: String
  /// The text of the options.
  var options: String
  /// FNV-1a of the line without this entry; `nil` in files that version 0.1.0 of the library wrote.
  var checksum: UInt32?

  static let prefix = Array("gait.journal ".utf8)

  init(_ tracker: RunTracker, startedAt: Date) {
    self.startedAt = startedAt.timeIntervalSince1970
    sampleRate = tracker.sampleRate.hertz
    model = tracker.model.checksum
    options = tracker.options.text
  }

  /// The settings of a line of version 2 without its end; `nil` if it is damaged.
  init?(line: Data) {
    let json = line.dropFirst(Self.prefix.count + 2)
    guard let settings = try? JSONFault.decode(JournalSettings.self, from: json),
      settings.checksum == nil || settings.line.dropLast().elementsEqual(line)
    else { return nil }
    self = settings
  }

  /// The first line of a file of version 2.
  var line: [UInt8] {
    var settings = self
    settings.checksum = nil
    settings.checksum = settings.text.withUnsafeBytes(RunInput.hash)
    return settings.text
  }

  private var text: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and texts alone can always be encoded.
    let json = (try? encoder.encode(self)) ?? Data()
    return Self.prefix + Array("2 ".utf8) + json + [UInt8(ascii: "\n")]
  }

  /// What differs, in words.
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

/// An existing journal, read without a change.
struct JournalFile {
  /// What the first line states.
  let header: Header
  private let bytes: Data
  private let start: Int
  private let modified: Date?
  /// How far into a file with a damaged first line a record must begin.
  private static let longestHeader = 1 << 16

  enum Header: Hashable {
    /// The file has no complete first line, and no run.
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

  /// Reads the settings of a file that was last changed at `modified`.
  init(_ bytes: Data, name: String, modified: Date?) throws(RunJournalError) {
    (self.bytes, self.modified) = (bytes, modified)
    let line = bytes.prefix(Self.longestHeader).firstIndex(of: UInt8(ascii: "\n")).map { bytes[..<$0] }
    let version = line.flatMap { Self.version(of: $0) }
    switch (version, line) {
    case (1, let line?) where line.count == JournalSettings.prefix.count + 1:
      (header, start) = (.unstated, line.count + 1)
    case (2, let line?):
      // The end of a damaged line may be damaged, too: records are then looked for from the file's beginning.
      let settings = JournalSettings(line: line)
      (header, start) = settings.map { (.stated($0), line.count + 1) } ?? (.damaged, 0)
    // The digit of the version may be the damaged one: the rest of the line is then that of version 2.
    case (.some, let line?) where Self.isVersion2(line): (header, start) = (.damaged, 0)
    case (.some, _): throw .notAJournal(file: name)
    case (nil, _):
      let isUnfinished = line == nil && Self.isUnfinished(bytes)
      let hasRecord = bytes.withUnsafeBytes { bytes in
        (0..<min(bytes.count, Self.longestHeader)).contains { RunInput.decoded(from: bytes, at: $0) != nil }
      }
      guard isUnfinished || hasRecord else { throw .notAJournal(file: name) }
      (header, start) = (hasRecord ? .damaged : .unfinished, 0)
    }
  }

  /// The date at which a run of `length` seconds began; `nil` for a file without a run. If it is not stated, the file
  /// was last changed with the run's last input.
  func startedAt(length: Double) -> Date? {
    switch header {
    case .unfinished: nil
    case .stated(let settings): Date(timeIntervalSince1970: settings.startedAt)
    case .unstated, .damaged: (modified ?? Date(timeIntervalSince1970: 0)).addingTimeInterval(-length)
    }
  }

  /// Reads the valid records; returns their number, and the bytes that belong to none.
  func read(_ body: (RunInput) -> Void) -> (count: Int, dropped: Int) {
    guard header != .unfinished else { return (0, 0) }
    return bytes.withUnsafeBytes { bytes in
      var (count, dropped, place) = (0, 0, start)
      while place < bytes.count {
        if let (input, length) = RunInput.decoded(from: bytes, at: place) {
          body(input)
          count += 1
          place += length
        } else {
          dropped += 1
          place += 1
        }
      }
      return (count, dropped)
    }
  }

  /// The version that a first line states, 0 for an unknown one; `nil` if it is not that of a journal.
  private static func version(of line: Data) -> Int? {
    guard line.starts(with: JournalSettings.prefix) else { return nil }
    let rest = line.dropFirst(JournalSettings.prefix.count).prefix { $0 != UInt8(ascii: " ") }
    switch String(decoding: rest, as: UTF8.self) {
    case "1": return 1
    case "2": return 2
    case let text: return !text.isEmpty && text.allSatisfy(\.isNumber) ? 0 : nil
    }
  }

  /// Whether a line that states another version is one of version 2, by its checksum.
  private static func isVersion2(_ line: Data) -> Bool {
    let digit = JournalSettings.prefix.count
    var bytes = Array(line)
    guard bytes.count > digit else { return false }
    bytes[digit] = UInt8(ascii: "2")
    return JournalSettings(line: Data(bytes))?.checksum != nil
  }

  /// Whether the file is empty, or a first line that was not written completely.
  private static func isUnfinished(_ bytes: Data) -> Bool {
    JournalSettings.prefix.starts(with: bytes)
      || bytes.starts(with: JournalSettings.prefix + Array("2".utf8)) && bytes.count < longestHeader
      || bytes.elementsEqual(Array("gait.journal 1".utf8))
  }
}

extension RunInput {
  private enum Kind: UInt8 { case motion = 1, location, altitude, pause, resume, lap, policy }

  /// Appends the record of the input.
  func encode(into bytes: inout [UInt8]) {
    let start = bytes.count
    switch self {
    case .motion(let sample):
      let sensors = [sample.attitude, sample.gravity, sample.rotationRate, sample.userAcceleration]
      let isPresent = sensors.map { sensor in
        (0..<3).contains { sensor[$0].bitPattern != Float.nan.bitPattern }
      }
      bytes.begin(Kind.motion.rawValue, isPresent, sample.time)
      for (sensor, isPresent) in zip(sensors, isPresent) where isPresent {
        for axis in 0..<3 { bytes.append(little: sensor[axis].bitPattern) }
      }
    case .location(let sample):
      let values = [
        sample.altitude, sample.speed, sample.horizontalAccuracy, sample.verticalAccuracy, sample.speedAccuracy,
      ]
      bytes.begin(Kind.location.rawValue, values.map { $0 != nil }, sample.time)
      for value in [sample.latitude, sample.longitude] + values.compactMap(\.self) {
        bytes.append(little: value.bitPattern)
      }
    case .altitude(let sample):
      bytes.begin(Kind.altitude.rawValue, [], sample.time)
      bytes.append(little: sample.relativeAltitude.bitPattern)
    case .pause(let autoResume, let time): bytes.begin(Kind.pause.rawValue, [autoResume], time)
    case .resume(let time): bytes.begin(Kind.resume.rawValue, [], time)
    case .lap(let time): bytes.begin(Kind.lap.rawValue, [], time)
    case .policy(let policy, let time):
      bytes.begin(Kind.policy.rawValue, Activity.allCases.map(policy.activities.contains), time)
    }
    bytes.append(little: bytes[start...].withUnsafeBytes(Self.hash))
  }

  /// The input of the record at `start` and the record's length; `nil` if no whole, undamaged record is there.
  static func decoded(from bytes: UnsafeRawBufferPointer, at start: Int) -> (RunInput, length: Int)? {
    var reader = RecordReader(bytes: bytes, place: start)
    guard let first = reader.next(UInt8.self), let kind = Kind(rawValue: first), let bits = reader.next(UInt8.self),
      let nanoseconds = reader.next(Int64.self)
    else { return nil }
    let time = SampleTime(nanoseconds: nanoseconds)
    let input: RunInput
    switch kind {
    case .motion:
      var row = MotionSample.emptyRow
      for sensor in 0..<4 where bits >> sensor & 1 == 1 {
        for axis in 0..<3 {
          guard let pattern = reader.next(UInt32.self) else { return nil }
          row[4 * sensor + axis] = Float(bitPattern: pattern)
        }
      }
      input = .motion(MotionSample(time: time, row: row))
    case .location:
      guard let latitude = reader.nextDouble(), let longitude = reader.nextDouble() else { return nil }
      var values = [Double?](repeating: nil, count: 5)
      for index in values.indices where bits >> index & 1 == 1 {
        guard let value = reader.nextDouble() else { return nil }
        values[index] = value
      }
      input = .location(
        LocationSample(
          time: time, latitude: latitude, longitude: longitude, altitude: values[0], speed: values[1],
          horizontalAccuracy: values[2], verticalAccuracy: values[3], speedAccuracy: values[4]))
    case .altitude:
      guard let altitude = reader.nextDouble() else { return nil }
      input = .altitude(AltitudeSample(time: time, relativeAltitude: altitude))
    case .pause: input = .pause(autoResume: bits & 1 == 1, at: time)
    case .resume: input = .resume(at: time)
    case .lap: input = .lap(at: time)
    case .policy:
      let activities = Activity.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      input = .policy(PausePolicy(pausingDuring: Set(activities)), at: time)
    }
    let hash = hash(UnsafeRawBufferPointer(rebasing: bytes[start..<reader.place]))
    guard let stated = reader.next(UInt32.self), stated == hash else { return nil }
    return (input, reader.place - start)
  }

  /// FNV-1a of 32 bits.
  fileprivate static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// Reads little-endian numbers one after the other.
struct RecordReader {
  let bytes: UnsafeRawBufferPointer
  var place: Int

  mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - place >= size else { return nil }
    defer { place += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  mutating func nextDouble() -> Double? { next(UInt64.self).map(Double.init(bitPattern:)) }
}

extension [UInt8] {

  /// Begins a record: kind, bits, time.
  fileprivate mutating func begin(_ kind: UInt8, _ bits: [Bool], _ time: SampleTime) {
    append(kind)
    append(bits.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    append(little: time.nanoseconds)
  }
}
