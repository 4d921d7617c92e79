import Foundation
import Gait
import GaitFormats

/// Processes many recordings, each by itself, on all cores, with outputs in a folder. An interrupted run can be
/// continued.
///
/// The folder has the outputs, named by the recordings' paths, and a manifest with one line of JSON for each recording.
/// A recording is skipped if its manifest line, input and outputs are unchanged since a run finished it. If a recording
/// fails, its error is in the manifest and the others go on. The outputs do not depend on interruptions.
package struct RecordingBatch: Sendable {
  /// A recording, and the beginning of its outputs' paths in the folder.
  package struct Item: Sendable {
    package let path: String
    package let output: String
  }

  /// The outputs of one recording: an ending for each, such as `.features.csv`, and its contents.
  package struct Result {
    package var files: [(ending: String, parts: [SpooledBytes])]
    package var windows: Int?
    package var warnings: [String]

    package init(files: [(ending: String, parts: [SpooledBytes])], windows: Int? = nil, warnings: [String] = []) {
      self.files = files
      self.windows = windows
      self.warnings = warnings
    }
  }

  /// A line of the manifest.
  package struct Entry: Codable, Sendable {
    package enum Status: String, Codable, Sendable {
      case done, failed
      /// The outputs are being written. If the run is killed, the line keeps this status.
      case started
    }

    package var recording: String
    package var status: Status
    package var message: String?
    package var warnings: [String]?
    package var windows: Int?
    /// The outputs in the folder, and a checksum of their contents.
    package var outputs: [String] = []
    /// Other outputs in the folder, which earlier runs with other settings wrote; `nil` if there are none.
    package var earlier: [String]?
    package var checksum: String?
    /// The size and date of the recording's file; `nil` if the system does not give them.
    fileprivate var input: Input?
    /// The size and date of the file of GPS points; `nil` without one.
    fileprivate var location: Input?
    /// A checksum of the settings.
    fileprivate var settings: String
  }

  fileprivate struct Input: Codable, Equatable, Sendable {
    var bytes: Int
    var modified: Double

    /// The size and date of a file; `nil` if the system does not give them. For a folder, the size is the sum over its
    /// files, and the date is the latest one.
    init?(_ url: URL) {
      let manager = FileManager.default
      guard let attributes = try? manager.attributesOfItem(atPath: url.resolvingSymlinksInPath().path) else {
        return nil
      }
      bytes = attributes[.size] as? Int ?? 0
      modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      guard attributes[.type] as? FileAttributeType == .typeDirectory else { return }
      bytes = 0
      for name in (try? manager.contentsOfDirectory(atPath: url.path)) ?? [] {
        guard let file = try? manager.attributesOfItem(atPath: url.appending(path: name).path) else { continue }
        bytes += file[.size] as? Int ?? 0
        modified = max(modified, (file[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)
      }
    }
  }

  /// The recordings, in order.
  package let items: [Item]
  /// The warnings of listing the folders.
  package let warnings: [String]
  package var manifest: URL { folder.appending(path: "manifest.jsonl") }
  package let folder: URL
  private let settings: String
  private let locationEnding: String?
  private let endings: [String]
  /// The files that the run reads.
  private let inputs: Set<FileNumber>

  /// The recordings at some paths.
  ///
  /// - Parameters:
  ///   - paths: recordings and folders of recordings.
  ///   - folder: the folder of the outputs, which is made if it does not exist.
  ///   - settings: everything that the outputs depend on besides the recording.
  ///   - endings: the endings of the outputs of each recording.
  ///   - inputs: other files that the run reads, such as the model.
  ///   - locationEnding: the ending of the recordings' files of GPS points; `nil` for none.
  /// - Throws: `BatchError`, and `DatasetError` if a folder cannot be listed.
  package init(
    paths: [String], folder: URL, settings: [String], endings: [String], inputs others: [String] = [],
    locationEnding: String? = nil
  ) throws {
    var (items, warnings): ([Item], [String]) = ([], [])
    let place = folder.standardizedFileURL.resolvingSymlinksInPath().path + "/"
    for path in paths {
      let url = URL(filePath: path)
      let prefix = paths.count == 1 ? "" : url.lastPathComponent + "/"
      guard case .folder? = PathKind(at: url.path), !RecordingNames.isRecordingFolder(url) else {
        items.append(Item(path: path, output: url.lastPathComponent))
        continue
      }
      guard !place.hasPrefix(url.standardizedFileURL.resolvingSymlinksInPath().path + "/") else {
        throw BatchError.outputInside(folder: folder.relativePath, input: path)
      }
      let walk = try FolderWalk(root: url)
      warnings += walk.warnings
      items += walk.recordings.map {
        Item(path: path.hasSuffix("/") ? path + $0 : "\(path)/\($0)", output: prefix + $0)
      }
    }
    guard !items.isEmpty else { throw BatchError.noRecordings(paths: paths) }
    var inputs: [String: String] = [:]
    for item in items {
      if let other = inputs.updateValue(item.path, forKey: item.output) {
        throw BatchError.sameOutput(other, item.path)
      }
    }
    self.items = items
    self.warnings = warnings
    self.folder = folder
    self.locationEnding = locationEnding
    self.endings = endings
    let locations = items.compactMap { Self.location(of: $0.path, ending: locationEnding)?.path }
    self.inputs = Set((items.map(\.path) + locations + others).compactMap(FileNumber.init))
    self.settings = Checksum.text(Array(settings.joined(separator: "\n").utf8))
  }

  /// The file of GPS points of a recording: its path with another ending. For a recording that is a folder or an
  /// archive, it is the recording itself, which may contain the points. `nil` if no such file exists.
  package static func location(of recording: String, ending: String?) -> URL? {
    guard let ending else { return nil }
    let url = URL(filePath: recording)
    var path = url.deletingPathExtension().path + ending
    if case .folder? = PathKind(at: url.path) { path = url.path }
    if url.pathExtension.lowercased() == "zip" { path = url.path }
    return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
  }

  private func locationInput(_ recording: String) -> Input? {
    Self.location(of: recording, ending: locationEnding).flatMap { Input($0) }
  }

  /// Processes the recordings that are not finished, on all cores.
  ///
  /// - Parameters:
  ///   - describe: the text of an error.
  ///   - body: computes the outputs of a recording; called from any thread.
  /// - Returns: the manifest's lines in order of the recordings, and the number of recordings that earlier runs
  ///   finished.
  /// - Throws: `FileWriteError` if the folder or the manifest cannot be written.
  package func run(
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" },
    _ body: @Sendable (Item) throws -> Result
  ) throws -> (entries: [Entry], skipped: Int) {
    let paths = Set(items.map(\.path))
    let previous = Self.entries(of: manifest)
    let earlier = Dictionary(previous.map { ($0.recording, $0.allOutputs) }) { $0.union($1) }
    let others = previous.filter { !paths.contains($0.recording) }
    let finished = finishedEntries(previous.filter { paths.contains($0.recording) })
    // The manifest is written before the outputs. If the run is killed while it writes them, the next run knows from
    // the manifest that the outputs may be replaced.
    try write(
      others
        + previous.filter { paths.contains($0.recording) && finished[$0.recording] == nil }
        .map(\.started) + items.compactMap { finished[$0.path] })
    let log = try FileHandle(forWritingTo: manifest)
    defer { try? log.close() }
    try log.seekToEnd()
    let lock = NSLock()
    let append: @Sendable (Entry) throws -> Void = { entry in
      try lock.withLock { try log.write(contentsOf: Data(Self.line(entry))) }
    }
    let entries = try items.mappedConcurrently(showing: "recording") { item in
      if let entry = finished[item.path] { return entry }
      let entry = try entry(of: item, earlier[item.path] ?? [], describe, append, body)
      try append(entry)
      return entry
    }
    // In order, so that an interrupted run leaves the same manifest as an uninterrupted one.
    try write(others + entries)
    return (entries, finished.count)
  }

  private func entry(
    of item: Item, _ earlier: Set<String>, _ describe: (any Error) -> String,
    _ append: (Entry) throws -> Void, _ body: (Item) throws -> Result
  ) throws -> Entry {
    var entry = Entry(
      recording: item.path, status: .started, input: Input(URL(filePath: item.path)),
      location: locationInput(item.path), settings: settings)
    let result: Result
    do { result = try body(item) } catch {
      (entry.status, entry.message) = (.failed, describe(error))
      entry.earlier = earlier.isEmpty ? nil : earlier.sorted()
      return entry
    }
    entry.outputs = result.files.map { item.output + $0.ending }
    let others = earlier.subtracting(entry.outputs)
    entry.earlier = others.isEmpty ? nil : others.sorted()
    try append(entry)
    for (output, file) in zip(entry.outputs, result.files) {
      let url = folder.appending(path: output)
      try makeFolder(url.deletingLastPathComponent())
      try SpooledBytes.write(file.parts, to: url)
    }
    entry.windows = result.windows
    entry.warnings = result.warnings.isEmpty ? nil : result.warnings
    entry.checksum = checksum(of: entry.outputs)
    entry.status = .done
    return entry
  }

  /// Makes and locks the folder, and checks each file of the run before the work. A file must be no link and no input.
  /// If it exists and is not empty, an earlier run must have written it.
  ///
  /// - Returns: the lock, which must last until the run has ended.
  /// - Throws: `BatchError.isLocked` if another process writes there; `BatchError.cannotReplace` for the first file
  ///   that may not be written; `FileWriteError` if the folder cannot be made.
  package func prepare() throws -> FolderLock {
    try makeFolder(folder)
    let lock = try FolderLock(folder)
    let manager = FileManager.default
    let names = ((try? manager.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
      $0.hasPrefix("manifest") && $0.hasSuffix(".jsonl")
    }
    let written = Set(names.flatMap { Self.entries(of: folder.appending(path: $0)).flatMap(\.allOutputs) })
    let isManifest = { (path: String) in
      !Self.entries(of: URL(filePath: path)).isEmpty
    }
    try check(manifest.lastPathComponent, isOwn: isManifest)
    var folders: Set<String> = []
    for item in items {
      for ending in endings { try check(item.output + ending) { _ in written.contains(item.output + ending) } }
      let names = item.output.split(separator: "/").dropLast()
      for count in 0..<names.count {
        let place = names.prefix(count + 1).joined(separator: "/")
        guard folders.insert(place).inserted, PathKind.isLink(folder.appending(path: place).path) else { continue }
        throw BatchError.cannotReplace(file: path(of: place), reason: "it is a symbolic link")
      }
    }
    return lock
  }

  private func path(of name: String) -> String { folder.appending(path: name).relativePath }

  /// Checks one file of the folder.
  private func check(_ name: String, isOwn: (String) -> Bool) throws(BatchError) {
    let file = folder.appending(path: name).path
    var status = stat()
    guard lstat(file, &status) == 0 else { return }
    let reason: String? =
      switch status.st_mode & S_IFMT {
      case S_IFLNK: "it is a symbolic link"
      case S_IFREG where FileNumber(file).map(inputs.contains) ?? false: "it is an input"
      case S_IFREG where status.st_size == 0 || isOwn(file): nil
      case S_IFREG: "the file exists, and no manifest of this folder names it"
      default: "it is not a file"
      }
    guard let reason else { return }
    throw .cannotReplace(file: path(of: name), reason: reason)
  }

  /// The lines of a manifest. If the process ended while it wrote a line, that line is no JSON and is skipped.
  private static func entries(of manifest: URL) -> [Entry] {
    guard let text = try? Data(contentsOf: manifest) else { return [] }
    let entries = text.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONFault.decode(Entry.self, from: $0) }
    // A recording may have several lines. The last one counts; the outputs of all its lines are kept.
    var (result, places): ([Entry], [String: Int]) = ([], [:])
    for var entry in entries {
      guard let place = places[entry.recording] else {
        places[entry.recording] = result.count
        result.append(entry)
        continue
      }
      let others = result[place].allOutputs.subtracting(entry.outputs).union(entry.earlier ?? [])
      entry.earlier = others.isEmpty ? nil : others.sorted()
      result[place] = entry
    }
    return result
  }

  /// The entries whose recording, settings and outputs have not changed.
  private func finishedEntries(_ entries: [Entry]) -> [String: Entry] {
    let finished = entries.filter { entry in
      entry.status == .done && entry.settings == settings && entry.input == Input(URL(filePath: entry.recording))
        && entry.location == locationInput(entry.recording) && entry.checksum == checksum(of: entry.outputs)
    }
    return Dictionary(finished.map { ($0.recording, $0) }) { $1 }
  }

  /// A checksum of the contents of outputs; `nil` if one cannot be read.
  private func checksum(of outputs: [String]) -> String? {
    var checksum = Checksum()
    for output in outputs {
      guard let file = try? FileHandle(forReadingFrom: folder.appending(path: output)) else { return nil }
      defer { try? file.close() }
      while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty { checksum.append([UInt8](bytes)) }
    }
    return checksum.text
  }

  private func makeFolder(_ url: URL) throws(FileWriteError) {
    do { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) } catch {
      throw .cannotWrite(file: url.relativePath, reason: "the folder cannot be made")
    }
  }

  private func write(_ entries: [Entry]) throws {
    try AtomicFile.write(pieces: entries.map(Self.line), to: manifest)
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and finite numbers can always be encoded.
    return Array((try? encoder.encode(entry)) ?? Data()) + [UInt8(ascii: "\n")]
  }
}

extension RecordingBatch.Entry {
  /// The outputs of this run and of earlier runs.
  fileprivate var allOutputs: Set<String> { Set(outputs).union(earlier ?? []) }

  /// The entry of a recording whose outputs will be written again.
  fileprivate var started: Self {
    var entry = self
    (entry.status, entry.message, entry.checksum) = (.started, nil, nil)
    return entry
  }
}

/// Why a batch cannot start.
package enum BatchError: Error, Equatable, CustomStringConvertible {
  /// The output folder is inside a folder of recordings, where its files would be recordings of the next run.
  case outputInside(folder: String, input: String)
  /// The paths have no recording.
  case noRecordings(paths: [String])
  /// Two recordings would have one output.
  case sameOutput(String, String)
  /// A file of the output folder may not be replaced.
  case cannotReplace(file: String, reason: String)
  /// Another process writes to the output folder.
  case isLocked(folder: String)

  /// One sentence with the problem and the cure.
  package var description: String {
    switch self {
    case .outputInside(let folder, let input):
      "the output folder \(folder) is inside \(input); choose a folder elsewhere."
    case .noRecordings(let paths):
      "\(paths.joined(separator: ", ")): no recordings; name files, or folders with CSV, TXT, TSV, JSON or zip files."
    case .sameOutput(let first, let second):
      "\(first) and \(second) would have the same output; process them with different output folders."
    case .cannotReplace(let file, let reason):
      "cannot write \(file): \(reason); choose another output folder, or remove the file."
    case .isLocked(let folder):
      "cannot write \(folder): another process writes there; wait until it ends, or choose another output folder."
    }
  }
}

/// The lock of an output folder: only one process at a time writes there. The system releases it when the process ends,
/// even if the process is killed.
package struct FolderLock: ~Copyable {
  private let descriptor: CInt

  /// Locks a folder that exists.
  ///
  /// A file system without locks leaves the folder unlocked.
  ///
  /// - Throws: `BatchError.isLocked` if another lock of the folder is open.
  package init(_ folder: URL) throws(BatchError) {
    let opened = open(folder.path, O_RDONLY | O_CLOEXEC)
    if opened >= 0, flock(opened, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(opened)
      throw .isLocked(folder: folder.relativePath)
    }
    descriptor = opened
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
