import Foundation
import Gait

/// The inputs of a run in a file. With it, the run survives the end of its app.
///
///     var tracker = try RunTracker(sampleRate: .hertz(50), options: options)
///     var journal = try RunJournal(at: url, for: tracker) { tracker.append($0) }   // goes on with a cut run
///     for await input in inputs {
///       try journal.append(input)
///       for event in tracker.append(input) { show(event) }
///     }
///     try journal.remove()                                                        // after the run was stored
///
/// An input is in the file when `append` returns, so it survives a crash or a kill of the app. A loss of power may lose
/// the last seconds. The same inputs in a tracker with the same model and options give the same run, to the last bit.
/// Opening a file removes nothing from it. If a part is damaged, reading goes on at the next valid record.
///
/// A journal has one owner. It cannot be copied, because two copies would write to one file. The file is closed and
/// unlocked when the owner ends. Keep the journal in an actor, a class, or a structure that is `~Copyable` itself. A
/// function that takes it says `inout`, `borrowing` or `consuming`. The article *Storing runs* has an example, and says
/// where the file must be on a locked or suspended device.
///
/// The file begins with a line: `gait.journal 3`, a space, and the run's settings as JSON, with their FNV-1a. A record
/// is its kind and its presence bits, a byte each; the time in nanoseconds as `Int64`; the values; and four bytes of
/// FNV-1a over all of these. Numbers are little-endian: `Float` for motion, 12 bytes a sensor, and `Double` for the
/// rest. A sample of a phone's motion takes 50 bytes, so an hour at 50 Hz takes 9 MB. A ``RunInputBatch`` is in the
/// file as it was sent. Files of versions 1 and 2 are read too. If a batch is appended to such a file, it keeps its
/// first line; an earlier Gait skips the batch.
public struct RunJournal: ~Copyable, Sendable {
  /// The file.
  public let url: URL
  /// The date at which the run began, as the file states it.
  public let startedAt: Date
  /// The number of inputs in the file.
  public private(set) var count: Int
  /// The number that the next batch must have. It is 0 for a file without numbered batches.
  public private(set) var nextBatchNumber: Int
  /// The bytes of an existing file that belong to no valid record or batch. Up to `largestRecord`, or up to the length
  /// of a batch, they are the input that was being written when the app ended. If there are more, the file is damaged,
  /// and about one record of motion is lost for every 50 bytes.
  public let droppedByteCount: Int

  /// The most bytes of a record.
  public static let largestRecord = RunInput.largestCheckedRecord

  /// The earliest time of motion in the file; the earliest time of any input if there is no motion, and `nil` if there
  /// are no inputs. Motion is preferred because a GPS point may be from before the run.
  private let start: SampleTime?
  private let descriptor: CInt
  private var buffer: [UInt8] = []

  /// Opens a journal, or creates it.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - tracker: the tracker of the run. A new file states its rate, model and options.
  ///   - startedAt: the date at which a new run begins. An existing file keeps its own.
  ///   - allowsOtherSettings: whether a run goes on if its rate, model or other options differ from the file's. The
  ///     restored run is then not the same. If it is `false`, other settings are an error: pass `true` to go on, or
  ///     choose another path to start again.
  ///   - allowsDamagedFirstLine: whether a run goes on if the file's first line is damaged. Its settings are then
  ///     unknown, and its start is taken from the date of the file. The records have checksums of their own. If it is
  ///     `false`, a damaged first line is an error.
  ///   - restore: called with every valid input of the file, in the order in which they were appended.
  /// - Throws: `RunJournalError` if the file cannot be opened or read, is not a journal, is written by another journal,
  ///   or has other settings. The file is then unchanged.
  public init(
    at url: URL, for tracker: RunTracker, startedAt: Date = Date(), allowsOtherSettings: Bool = false,
    allowsDamagedFirstLine: Bool = false, restoring restore: (RunInput) -> Void
  ) throws(RunJournalError) {
    let settings = JournalSettings(tracker, startedAt: startedAt)
    let file = try Self.opened(url, settings, allowsOtherSettings, allowsDamagedFirstLine)
    self.url = url
    descriptor = file.descriptor
    var times: ClosedRange<SampleTime>?
    var motion: SampleTime?
    let summary = file.contents.read { input in
      if case .motion(let sample) = input { motion = min(motion ?? sample.time, sample.time) }
      times = min(times?.lowerBound ?? input.time, input.time)...max(times?.upperBound ?? input.time, input.time)
      restore(input)
    }
    (count, nextBatchNumber, droppedByteCount) = (summary.count, summary.nextBatchNumber, summary.dropped)
    start = motion ?? times?.lowerBound
    let length = times.map { $0.upperBound.seconds(since: $0.lowerBound) } ?? 0
    self.startedAt = file.contents.startedAt(length: length) ?? Date(timeIntervalSince1970: settings.startedAt)
  }

  /// Opens a file, locks it, reads its first line and goes to its end. A new file gets its first line.
  private static func opened(
    _ url: URL, _ settings: JournalSettings, _ allowsOtherSettings: Bool, _ allowsDamagedFirstLine: Bool
  ) throws(RunJournalError) -> (descriptor: CInt, contents: JournalFile) {
    let name = url.relativePath
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotOpen(file: name, reason: String(cString: strerror(errno))) }
    do throws(RunJournalError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(file: name) }
      let contents = try JournalFile(at: url)
      switch contents.header {
      case .damaged where !allowsDamagedFirstLine: throw .damagedFirstLine(file: name)
      case .unstated where !allowsOtherSettings: throw .otherSettings(file: name, ["the file does not state them"])
      case .stated(let stated) where !allowsOtherSettings && stated != settings:
        let differences = stated.differences(from: settings)
        guard differences.isEmpty else { throw .otherSettings(file: name, differences) }
      default: break
      }
      // A file with an unfinished first line contains no run, so it is emptied.
      let isReady = contents.header != .unfinished || ftruncate(descriptor, 0) == 0
      guard isReady, lseek(descriptor, 0, SEEK_END) >= 0 else {
        throw .cannotWrite(file: name, reason: String(cString: strerror(errno)))
      }
      if contents.header == .unfinished, let error = settings.line().withUnsafeBytes({ write($0, to: descriptor, url) })
      {
        throw error
      }
      return (descriptor, contents)
    } catch {
      unlockAndClose(descriptor)
      throw error
    }
  }

  /// The seconds to add to the time of every input. The clock of the sensors starts again when the device restarts, and
  /// stands still while the device sleeps. The result is 0 if neither happened since the run began. A boot date that is
  /// up to 10 s later or any time earlier than at the start of the run is ignored. The article *Clocks* has an example.
  ///
  /// - Parameter bootDate: the present date minus the present time of the sensors' clock. A restart and sleep both
  ///   change it.
  public func clockOffset(bootDate: Date) -> Double {
    guard let start else { return 0 }
    let offset = bootDate.timeIntervalSince(startedAt) + start.seconds
    return offset > Self.largestCorrection ? offset : 0
  }

  /// The largest change of the boot date that is ignored, seconds. A change of this size may be a correction of the
  /// system's date, or a late reading of `startedAt`. If a phone sleeps for less than this between two starts of an
  /// app, the times of later inputs are wrong by at most this.
  private static let largestCorrection = 10.0

  deinit { Self.unlockAndClose(descriptor) }

  private static func unlockAndClose(_ descriptor: CInt) {
    // A child process that has not begun its program yet has the file open too, and would keep it locked.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes an input at the end of the file.
  ///
  /// - Throws: `RunJournalError.cannotWrite`, for example on a full disk. The file then ends with the previous input.
  public mutating func append(_ input: RunInput) throws(RunJournalError) {
    try write(CollectionOfOne(input))
  }

  /// Writes several inputs at the end of the file, all at once. A watch delivers a second of motion together.
  ///
  /// - Throws: `RunJournalError.cannotWrite`, for example on a full disk. The file then has none of these inputs.
  public mutating func append(contentsOf inputs: some Collection<RunInput>) throws(RunJournalError) {
    try write(Array(inputs))
  }

  private mutating func write(_ inputs: some Collection<RunInput>) throws(RunJournalError) {
    let room = inputs.count * RunInput.largestCheckedRecord
    if buffer.count < room { buffer = [UInt8](repeating: 0, count: room) }
    let (descriptor, url) = (descriptor, url)
    let error: RunJournalError? = buffer.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var writer = RecordWriter(at: start)
      for input in inputs { input.encodeChecked(into: &writer) }
      return Self.write(UnsafeRawBufferPointer(rebasing: buffer[..<(writer.end - start)]), to: descriptor, url)
    }
    if let error { throw error }
    count += inputs.count
  }

  /// Writes a batch of another device at the end of the file, as it was sent. If the app is killed, either the whole
  /// batch is in the file or nothing of it is read. A sender can therefore repeat a batch until it is acknowledged.
  ///
  /// - Returns: `true` if the batch was written: its number is `nextBatchNumber`, or it has no number. `false` if the
  ///   file has the batch already, or if earlier batches are missing; tell the sender `nextBatchNumber`.
  /// - Throws: `RunJournalError.cannotWrite`, for example on a full disk. The file then has none of these inputs.
  public mutating func append(_ batch: RunInputBatch) throws(RunJournalError) -> Bool {
    guard batch.number ?? nextBatchNumber == nextBatchNumber else { return false }
    if let error = batch.bytes.withUnsafeBytes({ Self.write($0, to: descriptor, url) }) { throw error }
    count += batch.inputs.count
    if batch.number != nil { nextBatchNumber += 1 }
    return true
  }

  /// Deletes the file, after the run was stored. Inputs that are appended later are lost.
  public func remove() throws { try FileManager.default.removeItem(at: url) }

  /// Writes all bytes; returns `nil`. If that fails, removes the part that was written and returns the error.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, _ url: URL) -> RunJournalError? {
    let start = lseek(descriptor, 0, SEEK_CUR)
    let code = AtomicFile.writeAll(bytes, to: descriptor)
    guard code != 0 else { return nil }
    _ = ftruncate(descriptor, start)
    _ = lseek(descriptor, start, SEEK_SET)
    return .cannotWrite(file: url.relativePath, reason: String(cString: strerror(code)))
  }
}

/// An error of a run's journal.
public enum RunJournalError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file cannot be opened or read.
  case cannotOpen(file: String, reason: String)
  /// The file is not a journal, or has a newer version.
  case notAJournal(file: String)
  /// The file cannot be written.
  case cannotWrite(file: String, reason: String)
  /// Another journal writes the file, in this app or in another process.
  case inUse(file: String)
  /// The first line of the file is damaged, so the settings of its run are unknown.
  case damagedFirstLine(file: String)
  /// The file is of a run with another rate, model or other options, or does not state them. The texts are the
  /// differences.
  case otherSettings(file: String, [String])

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .cannotOpen(let file, let reason):
      "cannot open the journal \(file): \(reason); check the path and permissions."
    case .notAJournal(let file): "\(file) is not a run's journal of version 1 to 3; choose another path."
    case .cannotWrite(let file, let reason): "cannot write the journal \(file): \(reason); free space."
    case .inUse(let file): "the journal \(file) is in use; close it first, or choose another path."
    case .damagedFirstLine(let file):
      "the first line of the journal \(file) is damaged, so the settings of its run are unknown; "
        + "its other records can be read: allow a damaged first line to go on."
    case .otherSettings(let file, let differences):
      "the journal \(file) is of a run with other settings (\(differences.joined(separator: "; "))); "
        + "allow other settings to go on, or choose another path to start again."
    }
  }
}
