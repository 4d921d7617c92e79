import Foundation
import Gait

/// A folder of runs, a file for each.
///
///     let store = RunStore(directory: folder)
///     try store.save(StoredRun(run, startedAt: start, timeZone: .current))
///     let (summaries, unreadable) = store.summaries()             // of years, without opening the runs
///     let months = RunTotals.of(summaries, by: .month)
///     let run = try store.run(summaries[0].id)
///
/// A run's file is its compact form, `ID.run`, or the JSON of earlier versions, `ID.json`, which are read still. Saving
/// is atomic: whenever the app is killed, a run is whole or absent, and so is each earlier version of it. The file
/// `summaries.index` makes lists fast. It may be deleted; the next list writes it again.
public struct RunStore: Sendable {
  /// The folder.
  public let directory: URL

  /// A store in a folder, which is created with the first run.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a run; one with the same `id` is replaced. The file is complete or absent, never a part. What is written is
  /// read from its bytes first: a run that could not be opened is an error here.
  ///
  /// - Throws: `RunStoreError.cannotWrite` for a run that could not be read again, and for example on a full disk; the
  ///   folder then has the earlier version of the run, if any.
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
    // The compact file counts where both are there, as after a kill at this place.
    try? FileManager.default.removeItem(at: self.url(of: run.id, .json))
  }

  /// Deletes a run.
  ///
  /// - Throws: `RunStoreError.noRun` if there is none of this identity, `.cannotWrite` if the folder cannot be changed.
  public func remove(_ id: UUID) throws(RunStoreError) {
    let url = try file(of: id)
    do {
      // An earlier version must not come back if the app is killed in between.
      let json = self.url(of: id, .json)
      if url != json, FileManager.default.fileExists(atPath: json.path) { try FileManager.default.removeItem(at: json) }
      try FileManager.default.removeItem(at: url)
    } catch {
      throw .cannotWrite(file: url.relativePath, reason: "\(error.localizedDescription); check permissions")
    }
  }

  /// The run of this identity.
  ///
  /// - Throws: `RunStoreError.noRun` if there is none, `.unreadable` if its file is damaged or of a newer version.
  public func run(_ id: UUID) throws(RunStoreError) -> StoredRun { try Self.run(at: file(of: id)) }

  /// Whether the store has saved a run, by the name of its file: neither the file nor the folder is read.
  public func contains(_ id: UUID) -> Bool {
    [Form.compact, .json].contains { FileManager.default.fileExists(atPath: url(of: id, $0).path) }
  }

  /// All runs by date, oldest first, and the files that cannot be read with the reason.
  ///
  /// This opens every run: for a history, use `summaries(in:)`.
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

  /// The names of the files of runs, in order; those of the JSON form of a name before the compact one.
  var fileNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { $0.hasSuffix(".run") || $0.hasSuffix(".json") }.sorted()
  }

  /// The file of a run. One that was not named by this store is found by its summary.
  private func file(of id: UUID) throws(RunStoreError) -> URL {
    for form in [Form.compact, .json] where FileManager.default.fileExists(atPath: url(of: id, form).path) {
      return url(of: id, form)
    }
    guard let name = listed().files[id] else { throw .noRun(id: id, folder: directory.relativePath) }
    return directory.appending(path: name)
  }

  /// The summaries by date, oldest first, and the files that cannot be read with a sentence about each. Runs are not
  /// opened.
  ///
  /// A damaged file is named here if its length or its summary is wrong, and otherwise when the run is loaded.
  ///
  /// - Parameter interval: the runs that started in it, its end excluded, so that months in a row have each run once;
  ///   `nil` for all.
  /// - Complexity: O(runs), with one small file to open; after a change, also each changed run's first 2 kB.
  public func summaries(
    in interval: DateInterval? = nil
  ) -> (summaries: [RunSummary], unreadable: [URL: String]) {
    let list = listed()
    guard let interval else { return (list.summaries, list.unreadable) }
    return (list.summaries.filter { interval.start <= $0.startedAt && $0.startedAt < interval.end }, list.unreadable)
  }

  /// What is in the folder.
  struct List {
    var summaries: [RunSummary] = []
    /// The name of each run's file.
    var files: [UUID: String] = [:]
    var unreadable: [URL: String] = [:]
    /// The number of runs whose file was opened.
    var openedCount = 0
  }

  /// Lists the folder, by its index where that is up to date.
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
          // A run that was deleted in between is not damaged.
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

  /// The summary at the beginning of a file, or of a run in JSON.
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
  /// There is no run of this identity.
  case noRun(id: UUID, folder: String)
  /// The file is damaged, or of a newer version.
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
/// An entry holds only while its file has the stamp with which it was read; the others are read again. So the index is
/// never out of date, whatever was written or killed since, and a damaged or missing index costs time only.
///
/// The file is a line, `gait.index 1`, the number of entries, each entry, and FNV-1a of 64 bits over all before.
struct SummaryIndex {
  /// The name of the file in the folder.
  static let name = "summaries.index"
  private static let line = Array("gait.index 1\n".utf8)

  /// What changes when a file is written: every atomic write makes a new file.
  struct Stamp: Hashable {
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var number: UInt64

    /// The stamp of a file; `nil` if there is none.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// The stamp of an open file, which stays that of what is read if another file takes its name.
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

  /// The entries of the index of a folder that can be relied on; none if it is missing or damaged.
  ///
  /// A file that was written as late as the index may have changed after it was read without another stamp, if the
  /// clock of the files stood still in between: its entry is left out.
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

  /// Writes the index whole or not at all. In a folder that cannot be written, every list reads the files.
  func write(in folder: URL) { try? AtomicFile.write(bytes, to: folder.appending(path: Self.name)) }
}
