import Foundation
import Gait

/// A folder of runs, with a file for each run.
///
///     let store = RunStore(directory: folder)
///     try store.save(StoredRun(run, startedAt: start, timeZone: .current))
///     let (summaries, unreadable) = store.summaries()             // of years, without opening the runs
///     let months = RunTotals.of(summaries, by: .month)
///     let run = try store.run(summaries[0].id)
///
/// The file of a run is its compact form, `ID.run`. The JSON of earlier versions, `ID.json`, can still be read. Saving
/// is atomic: if the app is killed, a run is in the folder whole or not at all, and an earlier version of it stays
/// whole. The file `summaries.index` makes lists fast. It may be deleted; the next list writes it again.
public struct RunStore: Sendable {
  /// The folder.
  public let directory: URL

  /// A store in a folder, which is created with the first run.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a run. A run with the same `id` is replaced. The file is complete or absent, never a part. The bytes are
  /// read before they are written, so a run that could not be opened later is an error here.
  ///
  /// - Throws: `RunStoreError.cannotWrite` for a run that could not be read again, and if the system cannot write, for
  ///   example on a full disk. If the folder has an earlier version of the run, it stays.
  public func save(_ run: StoredRun) throws(RunStoreError) {
    let (data, url) = (try run.data(), url(of: run.id, .compact))
    do { _ = try StoredRun(data: data, name: url.relativePath) } catch {
      throw .cannotWrite(file: url.relativePath, reason: "it could not be read again: \(error.description)")
    }
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try AtomicFile.write(Array(data), to: url)
    } catch {
      let reason = (error as? FileWriteError)?.reason ?? error.localizedDescription
      throw .cannotWrite(file: url.relativePath, reason: "\(reason); free space, or check permissions")
    }
    // If the app is killed before this line, both files exist. The compact one is then used.
    try? FileManager.default.removeItem(at: self.url(of: run.id, .json))
  }

  /// Deletes a run.
  ///
  /// - Throws: `RunStoreError.noRun` if no run has this identity, `.cannotWrite` if the folder cannot be changed.
  public func remove(_ id: UUID) throws(RunStoreError) {
    let url = try file(of: id)
    do {
      // The JSON is removed first. If the app were killed between the two, an earlier version of the run would come
      // back otherwise.
      let json = self.url(of: id, .json)
      if url != json, FileManager.default.fileExists(atPath: json.path) { try FileManager.default.removeItem(at: json) }
      try FileManager.default.removeItem(at: url)
    } catch {
      throw .cannotWrite(file: url.relativePath, reason: "\(error.localizedDescription); check permissions")
    }
  }

  /// The run with this identity.
  ///
  /// - Throws: `RunStoreError.noRun` if there is none, `.unreadable` if its file is damaged or has a newer version.
  public func run(_ id: UUID) throws(RunStoreError) -> StoredRun { try Self.run(at: file(of: id)) }

  /// Whether the store has saved a run, by the name of its file. Neither the file nor the folder is read.
  public func contains(_ id: UUID) -> Bool {
    [Form.compact, .json].contains { FileManager.default.fileExists(atPath: url(of: id, $0).path) }
  }

  /// All runs by date, oldest first; and the files that cannot be read, each with the reason.
  ///
  /// It opens every run. For a history, use `summaries(in:)`.
  public func contents() -> (runs: [StoredRun], unreadable: [URL: String]) {
    var runs: [UUID: StoredRun] = [:]
    var unreadable: [URL: String] = [:]
    for name in fileNames {
      let url = directory.appending(path: name)
      do throws(RunStoreError) {
        let run = try Self.run(at: url)
        if name == fileName(of: run.id, .compact) || runs[run.id] == nil { runs[run.id] = run }
      } catch { unreadable[url] = error.description }
    }
    return (
      runs.values.sorted { Self.isBefore(($0.startedAt, $0.id), ($1.startedAt, $1.id)) }, unreadable
    )
  }

  static func isBefore(_ left: (Date, UUID), _ right: (Date, UUID)) -> Bool {
    left.0 == right.0 ? left.1.uuidString < right.1.uuidString : left.0 < right.0
  }

  static func run(at url: URL) throws(RunStoreError) -> StoredRun {
    let data: Data
    do { data = try Data(contentsOf: url) } catch {
      throw RunFile(name: url.relativePath).unreadable(error)
    }
    return try StoredRun(data: data, name: url.relativePath)
  }

  // MARK: Files

  enum Form: String {
    case compact = "run"
    case json
  }

  func fileName(of id: UUID, _ form: Form) -> String { "\(id.uuidString).\(form.rawValue)" }

  private func url(of id: UUID, _ form: Form) -> URL { directory.appending(path: fileName(of: id, form)) }

  /// The names of the files of runs, in order. If a run has both forms, the JSON comes before the compact form.
  var fileNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { $0.hasSuffix(".run") || $0.hasSuffix(".json") }.sorted()
  }

  /// The file of a run. If the file was not named by this store, it is found by its summary.
  private func file(of id: UUID) throws(RunStoreError) -> URL {
    for form in [Form.compact, .json] where FileManager.default.fileExists(atPath: url(of: id, form).path) {
      return url(of: id, form)
    }
    guard let name = listed().files[id] else { throw .noRun(id: id, folder: directory.relativePath) }
    return directory.appending(path: name)
  }

  /// The summaries by date, oldest first; and the files that cannot be read, each with a sentence about the reason.
  /// Runs are not opened.
  ///
  /// A damaged file is named here if its length or its summary is wrong. Other damage is found when the run is loaded.
  ///
  /// - Parameter interval: the summaries are those of runs that started in it; `nil` for all. The end is excluded, so
  ///   that consecutive months have each run once.
  /// - Complexity: O(runs), with one small file to open. After a change, the first 2 kB of each changed run are read
  ///   too.
  public func summaries(
    in interval: DateInterval? = nil
  ) -> (summaries: [RunSummary], unreadable: [URL: String]) {
    let list = listed()
    guard let interval else { return (list.summaries, list.unreadable) }
    return (list.summaries.filter { interval.start <= $0.startedAt && $0.startedAt < interval.end }, list.unreadable)
  }

  /// The contents of the folder.
  struct List {
    var summaries: [RunSummary] = []
    /// The name of each run's file.
    var files: [UUID: String] = [:]
    var unreadable: [URL: String] = [:]
    /// The number of runs whose file was opened.
    var openedCount = 0
  }

  /// Lists the folder. The summary of a file that did not change comes from the index; the other files are read.
  func listed() -> List {
    let known = SummaryIndex(in: directory)
    var index = SummaryIndex()
    var list = List()
    var zones: [String: TimeZone?] = [:]
    var (places, path) = ([UUID: Int](), directory.path + "/")
    if path.hasSuffix("//") { path.removeLast() }
    for name in fileNames {
      guard let stamp = SummaryIndex.Stamp(of: path + name) else { continue }
      let entry: SummaryIndex.Entry
      if let same = known.entries[name], same.stamp == stamp {
        entry = same
      } else {
        list.openedCount += 1
        let url = directory.appending(path: name)
        do throws(RunStoreError) { entry = try Self.entry(of: url, &zones) } catch {
          // If the file is gone, another process deleted the run. It is not damaged.
          if SummaryIndex.Stamp(of: url.path) != nil { list.unreadable[url] = error.description }
          continue
        }
      }
      index.entries[name] = entry
      let summary = entry.summary
      if let place = places[summary.id] {
        guard name == fileName(of: summary.id, .compact) else { continue }
        list.summaries[place] = summary
      } else {
        places[summary.id] = list.summaries.count
        list.summaries.append(summary)
      }
      list.files[summary.id] = name
    }
    if list.openedCount > list.unreadable.count || index.entries.count != known.entries.count {
      index.write(in: directory)
    }
    list.summaries.sort { Self.isBefore(($0.startedAt, $0.id), ($1.startedAt, $1.id)) }
    return list
  }

  /// The summary at the beginning of a file, and the file's stamp. A run in JSON is read as a whole.
  private static func entry(
    of url: URL, _ zones: inout [String: TimeZone?]
  ) throws(RunStoreError) -> SummaryIndex.Entry {
    let file = RunFile(name: url.relativePath)
    var (head, rest, stamp) = (Data(), Data(), SummaryIndex.Stamp?.none)
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      stamp = SummaryIndex.Stamp(of: handle)
      head = try handle.read(upToCount: RunFile.usualHead) ?? Data()
      if let stamp, let summary = try file.summary(in: head, size: stamp.size, zones: &zones) {
        return SummaryIndex.Entry(stamp: stamp, summary: summary)
      }
      rest = try handle.readToEnd() ?? Data()
    } catch {
      throw error as? RunStoreError ?? file.unreadable(error)
    }
    guard let stamp else { throw file.damaged("it is not a file") }
    return SummaryIndex.Entry(stamp: stamp, summary: try StoredRun(data: head + rest, name: file.name).summary)
  }
}

/// An error of a store of runs. Its description is a sentence with the file and the cure.
public enum RunStoreError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// There is no run with this identity.
  case noRun(id: UUID, folder: String)
  /// The file is damaged or has a newer version.
  case unreadable(file: String, reason: String)
  /// The run cannot be written.
  case cannotWrite(file: String, reason: String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .noRun(let id, let folder): "there is no run \(id) in \(folder); list the folder's summaries."
    case .unreadable(let file, let reason): "cannot read the run \(file): \(reason)."
    case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)."
    }
  }
}

/// The summaries of a folder's files in one file, so that a list opens one file instead of thousands.
///
/// An entry is used only if its file still has the stamp with which it was read. Other files are read again. The index
/// is therefore never out of date, whatever was written or killed since. If it is damaged or missing, a list only takes
/// longer.
///
/// The file is a line, `gait.index 1`; the number of entries; each entry; and FNV-1a of 64 bits over all before.
struct SummaryIndex {
  /// The name of the file in the folder.
  static let name = "summaries.index"
  private static let line = Array("gait.index 1\n".utf8)

  /// Values of which at least one changes when a file is written. Every atomic write makes a new file, with another
  /// number.
  struct Stamp: Hashable {
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var number: UInt64

    /// The stamp of the file at `path`; `nil` if no regular file exists there.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// The stamp of an open file; `nil` if it is not a regular file. It is the stamp of the file that is read, even if
    /// another file has taken its name.
    init?(of handle: FileHandle) {
      var status = stat()
      guard fstat(handle.fileDescriptor, &status) == 0 else { return nil }
      self.init(status)
    }

    private init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      size = Int64(clamping: status.st_size)
      modified = Int64(clamping: time.tv_sec) &* 1_000_000_000 &+ Int64(clamping: time.tv_nsec)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    init(size: Int64, modified: Int64, number: UInt64) {
      (self.size, self.modified, self.number) = (size, modified, number)
    }
  }

  struct Entry {
    var stamp: Stamp
    var summary: RunSummary
  }

  /// The entries by the name of the file.
  var entries: [String: Entry] = [:]

  init() {}

  /// The usable entries of a folder's index. It has none if the index is missing or damaged.
  ///
  /// File times are coarse. A file as new as the index may have changed since without a new time, so its entry is left
  /// out and the file is read again.
  init(in folder: URL) {
    let url = folder.appending(path: Self.name)
    guard let stamp = Stamp(of: url.path), let data = try? Data(contentsOf: url) else { return }
    entries = data.withUnsafeBytes { Self.entries(in: $0) ?? [:] }.filter { $0.value.stamp.modified < stamp.modified }
  }

  static func entries(in bytes: UnsafeRawBufferPointer) -> [String: Entry]? {
    let end = bytes.count - MemoryLayout<UInt64>.size
    guard end > line.count, bytes.starts(with: line) else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    var checksum = RecordReader(bytes: bytes, place: end)
    guard checksum.next(UInt64.self) == Checksum.number(content) else { return nil }
    var reader = RecordReader(bytes: content, place: line.count)
    guard let count = reader.nextCount() else { return nil }
    var zones: [String: TimeZone?] = [:]
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(count)
    for _ in 0..<count {
      guard let name = reader.nextText(), let size = reader.next(Int64.self), let modified = reader.next(Int64.self),
        let number = reader.next(UInt64.self), let summary = RunSummary(from: &reader, zones: &zones)
      else { return nil }
      entries[name] = Entry(stamp: Stamp(size: size, modified: modified, number: number), summary: summary)
    }
    return entries
  }

  var bytes: [UInt8] {
    var bytes = Self.line
    bytes.append(count: entries.count)
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      bytes.append(text: name)
      bytes.append(little: entry.stamp.size)
      bytes.append(little: entry.stamp.modified)
      bytes.append(little: entry.stamp.number)
      entry.summary.encode(into: &bytes)
    }
    bytes.append(little: bytes.withUnsafeBytes { Checksum.number($0) })
    return bytes
  }

  /// Writes the index whole or not at all. If the folder cannot be written, there is no index, and every list reads the
  /// files.
  func write(in folder: URL) { try? AtomicFile.write(bytes, to: folder.appending(path: Self.name)) }
}
