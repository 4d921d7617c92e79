import Foundation
import Gait

/// The inputs of a run in a file, by which the run survives the end of its app.
///
///     var tracker = try RunTracker(sampleRate: .hertz(50), options: options)
///     var journal = try RunJournal(at: url) { tracker.append($0) }      // a run that was cut off goes on
///     for await input in inputs {
///       try journal.append(input)
///       for event in tracker.append(input) { show(event) }
///     }
///     try journal.remove()                                               // after the run was stored
///
/// An input is in the file when `append` returns, so it survives a crash or a kill of the app; a loss of power may take the
/// last seconds. The same inputs in a tracker with the same model and options give the same run, to the last bit.
///
/// The file begins with `gait.journal 1` and a line feed. A record is its kind and its presence bits, a byte each; the time
/// in nanoseconds as `Int64`; the values; and four bytes of FNV-1a over all of these. Numbers are little-endian: `Float` for
/// motion, 12 bytes a sensor, else `Double`. Motion of a phone takes 50 bytes, so an hour at 50 Hz takes 9 MB.
public struct RunJournal: ~Copyable, Sendable {
  /// The file.
  public let url: URL
  /// The number of inputs in the file.
  public private(set) var count: Int
  /// The bytes at the end of an existing file that were no whole record, and were cut off. More than `largestRecord` mean that
  /// the file was damaged, not only cut.
  public let droppedByteCount: Int

  /// The most bytes of a record.
  public static let largestRecord = 2 + 8 + 8 * 8 + 4

  static let header = Array("gait.journal 1\n".utf8)
  private let descriptor: CInt
  private var buffer: [UInt8] = []

  /// Opens a journal, or creates it.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - restore: called with every input that the file has, in the order in which they were appended.
  /// - Throws: `RunJournalError` if the file cannot be opened or read, or is not a journal; it is then unchanged.
  public init(at url: URL, restoring restore: (RunInput) -> Void) throws(RunJournalError) {
    let file = try Self.opened(url, restore)
    self.url = url
    (descriptor, count, droppedByteCount) = (file.descriptor, file.count, file.dropped)
  }

  private static func opened(
    _ url: URL, _ restore: (RunInput) -> Void
  ) throws(RunJournalError) -> (descriptor: CInt, count: Int, dropped: Int) {
    let name = url.relativePath
    let old: Data
    do {
      old =
        FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url, options: .mappedIfSafe) : Data()
    } catch {
      throw .cannotOpen(file: name, reason: error.localizedDescription)
    }
    // A kill while the file was created leaves a part of the header.
    guard old.starts(with: header) || header.starts(with: old) else { throw .notAJournal(file: name) }
    let (count, end) = old.withUnsafeBytes { bytes in
      var (count, end) = (0, min(old.count, header.count))
      while let (input, length) = RunInput.decoded(from: bytes, at: end) {
        restore(input)
        count += 1
        end += length
      }
      return (count, end)
    }
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotOpen(file: name, reason: String(cString: strerror(errno))) }
    do throws(RunJournalError) {
      guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, off_t(end), SEEK_SET) >= 0 else {
        throw .cannotWrite(file: name, reason: String(cString: strerror(errno)))
      }
      if end < header.count { try write(Array(header[end...]), to: descriptor, name) }
    } catch {
      close(descriptor)
      throw error
    }
    return (descriptor, count, old.count - end)
  }

  deinit { close(descriptor) }

  /// Writes an input at the end of the file.
  ///
  /// - Throws: `RunJournalError.cannotWrite`, for example on a full disk. The file then ends with the previous input.
  public mutating func append(_ input: RunInput) throws(RunJournalError) {
    buffer.removeAll(keepingCapacity: true)
    input.encode(into: &buffer)
    try Self.write(buffer, to: descriptor, url.relativePath)
    count += 1
  }

  /// Deletes the file, after the run was stored. Inputs that are appended later are lost.
  public func remove() throws { try FileManager.default.removeItem(at: url) }

  /// Writes all of the bytes, or cuts what was written.
  private static func write(_ bytes: [UInt8], to descriptor: CInt, _ name: String) throws(RunJournalError) {
    let start = lseek(descriptor, 0, SEEK_CUR)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written) }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        let reason = String(cString: strerror(errno))
        _ = ftruncate(descriptor, start)
        _ = lseek(descriptor, start, SEEK_SET)
        throw .cannotWrite(file: name, reason: reason)
      }
    }
  }
}

/// An error of a run's journal.
public enum RunJournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case cannotOpen(file: String, reason: String)
  /// The file is not a journal, or has a newer version.
  case notAJournal(file: String)
  /// The file cannot be written.
  case cannotWrite(file: String, reason: String)

  /// What is wrong, where, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .cannotOpen(let file, let reason):
      "cannot open the journal \(file): \(reason); check the path and permissions."
    case .notAJournal(let file): "\(file) is not a run's journal of version 1; choose another path."
    case .cannotWrite(let file, let reason): "cannot write the journal \(file): \(reason); free space."
    }
  }
}

// MARK: Records

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
      var row = SIMD16<Float>(repeating: .nan)
      for sensor in 0..<4 {
        row[4 * sensor + 3] = 0
        for axis in 0..<3 where bits >> sensor & 1 == 1 {
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
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// Reads little-endian numbers one after the other.
private struct RecordReader {
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
  fileprivate mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Begins a record: kind, bits, time.
  fileprivate mutating func begin(_ kind: UInt8, _ bits: [Bool], _ time: SampleTime) {
    append(kind)
    append(bits.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    append(little: time.nanoseconds)
  }
}
