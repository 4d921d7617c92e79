import Foundation
import Gait
import GaitFormats

/// Recordings that are processed each for itself, with outputs in a folder: in parts, on all cores, and resumable.
///
/// The folder has the outputs, by the recordings' paths, and a manifest with one line of JSON for each recording. A
/// recording whose manifest line, input and outputs are as a finished run left them is skipped. A recording that fails has
/// its error in the manifest and does not stop the others. The outputs do not depend on interruptions, nor on the parts.
package struct RecordingBatch: Sendable {
  /// A recording, and the beginning of its outputs' paths in the folder.
  package struct Item: Sendable {
    package let path: String
    package let output: String
  }

  /// The outputs of one recording: their endings, such as `.features.csv`, with their contents.
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
    package enum Status: String, Codable, Sendable { case done, failed }

    package var recording: String
    package var status: Status
    package var message: String?
    package var warnings: [String]?
    package var windows: Int?
    /// The outputs in the folder, and a checksum of their contents.
    package var outputs: [String] = []
    package var checksum: String?
    /// The size and date of the input, and a checksum of the settings.
    fileprivate var input: Input?
    /// The same of the file of GPS points.
    fileprivate var location: Input?
    fileprivate var settings: String
  }

  fileprivate struct Input: Codable, Equatable, Sendable {
    var bytes: Int
    var modified: Double

    /// The state of a file; of a folder, that of its files together.
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

  /// The recordings of this part, in order.
  package let items: [Item]
  /// The warnings of listing the folders.
  package let warnings: [String]
  /// The path of the manifest.
  package var manifest: URL {
    folder.appending(path: part.count == 1 ? "manifest.jsonl" : "manifest-\(part.name).jsonl")
  }
  private let folder: URL
  private let part: BatchPart
  private let settings: String
  private let locationEnding: String?

  /// The recordings of some paths.
  ///
  /// - Parameters:
  ///   - paths: recordings and folders of recordings.
  ///   - folder: the folder of the outputs, which is made if it does not exist.
  ///   - part: the part of the recordings to process.
  ///   - settings: what the outputs depend on besides the recording.
  ///   - locationEnding: the ending of the recordings' files of GPS points; `nil` for none.
  /// - Throws: `BatchError`, and `DatasetError` if a folder cannot be listed.
  package init(
    paths: [String], folder: URL, part: BatchPart, settings: [String], locationEnding: String? = nil
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
      items += walk.candidates.map {
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
    self.items = items.enumerated().filter { $0.offset % part.count == part.index }.map(\.element)
    self.warnings = warnings
    self.folder = folder
    self.part = part
    self.locationEnding = locationEnding
    self.settings = Checksum.text(Array(settings.joined(separator: "\n").utf8))
  }

  /// The file of GPS points of a recording: its path with another ending, or the recording itself if it is a folder or
  /// archive; `nil` if there is none.
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
  ///   - done: called after each recording, from any thread.
  ///   - body: computes the outputs of a recording; called from any thread.
  /// - Returns: the manifest's lines in order of the recordings, and the number of those that were finished before.
  /// - Throws: `FileWriteError` if the folder or the manifest cannot be written.
  package func run(
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" }, done: @escaping @Sendable () -> Void = {},
    _ body: @Sendable (Item) throws -> Result
  ) throws -> (entries: [Entry], skipped: Int) {
    try makeFolder(folder)
    let finished = finishedEntries()
    try write(items.compactMap { finished[$0.path] })
    let log = try FileHandle(forWritingTo: manifest)
    defer { try? log.close() }
    try log.seekToEnd()
    let lock = NSLock()
    let entries = try items.mappedConcurrently { item in
      defer { done() }
      if let entry = finished[item.path] { return entry }
      let entry = entry(of: item, describe, body)
      try lock.withLock { try log.write(contentsOf: Data(Self.line(entry))) }
      return entry
    }
    // In order, so that an interrupted run leaves the same manifest as an uninterrupted one.
    try write(entries)
    return (entries, finished.count)
  }

  private func entry(
    of item: Item, _ describe: (any Error) -> String, _ body: (Item) throws -> Result
  ) -> Entry {
    var entry = Entry(
      recording: item.path, status: .done, input: Input(URL(filePath: item.path)),
      location: locationInput(item.path), settings: settings)
    do {
      let result = try body(item)
      for file in result.files {
        let url = folder.appending(path: item.output + file.ending)
        try makeFolder(url.deletingLastPathComponent())
        try SpooledBytes.write(file.parts, to: url, hasOneWriter: true)
        entry.outputs.append(item.output + file.ending)
      }
      entry.windows = result.windows
      entry.warnings = result.warnings.isEmpty ? nil : result.warnings
      entry.checksum = checksum(of: entry.outputs)
    } catch {
      (entry.status, entry.message) = (.failed, describe(error))
    }
    return entry
  }

  /// The lines of the manifest whose recording, settings and outputs have not changed.
  private func finishedEntries() -> [String: Entry] {
    guard let text = try? Data(contentsOf: manifest) else { return [:] }
    // A line that was cut off by the end of the process is not JSON.
    let lines = text.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONDecoder().decode(Entry.self, from: $0) }
    let entries = Dictionary(lines.map { ($0.recording, $0) }) { $1 }
    return entries.filter { path, entry in
      entry.status == .done && entry.settings == settings && entry.input == Input(URL(filePath: path))
        && entry.location == locationInput(path)
        && entry.checksum == checksum(of: entry.outputs)
    }.filter { entry in items.contains { $0.path == entry.key } }
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

  private func write(_ entries: [Entry]) throws(FileWriteError) {
    try AtomicFile.write(pieces: entries.map(Self.line), to: manifest, hasOneWriter: true)
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and finite numbers can always be encoded.
    return Array((try? encoder.encode(entry)) ?? Data()) + [UInt8(ascii: "\n")]
  }
}

/// One of several equal parts of a batch: recordings are dealt out in turn.
package struct BatchPart: Sendable {
  /// From 0, below `count`.
  package let index: Int
  package let count: Int

  /// The only part.
  package static let whole = BatchPart(index: 0, count: 1)

  fileprivate var name: String { "\(index + 1)-of-\(count)" }

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// A part from its text, such as `3/20`; `nil` unless it is K/N with 1 ≤ K ≤ N ≤ 1,000,000.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], 1...1_000_000 ~= count,
      1...count ~= number
    else { return nil }
    self.init(index: number - 1, count: count)
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

  /// One sentence with the problem and the cure.
  package var description: String {
    switch self {
    case .outputInside(let folder, let input):
      "the output folder \(folder) is inside \(input); choose a folder elsewhere."
    case .noRecordings(let paths):
      "\(paths.joined(separator: ", ")): no recordings; name files, or folders with CSV, TXT, TSV, JSON or zip files."
    case .sameOutput(let first, let second):
      "\(first) and \(second) would have the same output; process them with different output folders."
    }
  }
}
