import Foundation
import Gait
import GaitFormats

/// Converts the recordings of a folder to Gait's own format. The files in the target folder have the same names.
package struct FolderConversion: Sendable {
  private let directory: URL
  private let options: ReadingOptions
  private let intervals: String?

  /// A conversion of every file in a folder, at any depth, that is named like a recording.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - options: how to read the recordings.
  ///   - intervals: the suffix of the files with label intervals (`LabelIntervals`), if any.
  package init(directory: URL, options: ReadingOptions = ReadingOptions(), intervals: String? = nil) {
    self.directory = directory
    self.options = options
    self.intervals = intervals
  }

  /// The result of a conversion.
  package struct Summary: Hashable, Sendable {
    /// The number of recordings written.
    package var recordings = 0
    /// The number of their samples.
    package var rows = 0
    /// The files that could not be read and were skipped.
    package var unreadable: [FolderInspection.Unreadable] = []

    package init(recordings: Int = 0, rows: Int = 0) {
      self.recordings = recordings
      self.rows = rows
    }
  }

  /// The files to convert, relative to the folder, in natural order, and a warning for each kind of file that is
  /// skipped.
  ///
  /// - Throws: `DatasetError` if the folder cannot be listed or has nothing to convert.
  package func files() throws(DatasetError) -> (paths: [String], warnings: [String]) {
    let walk = try FolderWalk(root: directory)
    let paths = walk.candidates.filter { path in !(intervals.map { path.hasSuffix("." + $0) } ?? false) }
    guard !paths.isEmpty else {
      throw .noMatchingRecording(folder: directory.relativePath, layout: "*.csv", example: walk.paths.first)
    }
    return (paths, walk.warnings)
  }

  /// Writes the recordings at `paths` into `target`, on all cores.
  ///
  /// - Parameters:
  ///   - paths: the recordings, relative to the folder.
  ///   - target: the existing folder to write to; subfolders are created.
  /// - Throws: `FileWriteError` if a file cannot be written, and `DatasetError.recording` with the first file's error
  ///   if no file is a recording.
  package func write(_ paths: [String], to target: URL) throws -> Summary {
    let jobs = zip(paths, Self.names(of: paths)).map { (path: $0, name: $1) }
    let results = try jobs.mappedConcurrently(showing: "recording") {
      job throws(FileWriteError) -> Result<Int, RecordingError> in
      let annotated: AnnotatedRecording
      do throws(RecordingError) { annotated = try read(job.path) } catch { return .failure(error) }
      let file = target.appending(path: job.name)
      try Self.makeFolders(of: job.name, in: target)
      try annotated.write(to: file)
      return .success(annotated.recording.count)
    }
    return try Self.summary(paths, results)
  }

  /// Creates the folders of a file in `target` just before the file is written. If a recording cannot be read, no empty
  /// folder is left.
  private static func makeFolders(of name: String, in target: URL) throws(FileWriteError) {
    var folder = target
    for part in name.split(separator: "/").dropLast() {
      folder.append(path: String(part))
      guard mkdir(folder.path, 0o777) == 0 || errno == EEXIST else {
        throw .cannotWrite(file: folder.relativePath, reason: SystemReason.text(errno))
      }
    }
  }

  private func read(_ path: String) throws(RecordingError) -> AnnotatedRecording {
    let url = directory.appending(path: path)
    var annotated = try AnnotatedRecording(contentsOf: url, options)
    if let intervals = try intervals.flatMap({ (name) throws(RecordingError) in
      try LabelIntervals.existing(name, of: url)
    }) {
      try annotated.label(by: intervals)
    }
    return annotated
  }

  private static func summary(_ paths: [String], _ results: [Result<Int, RecordingError>]) throws -> Summary {
    var summary = Summary()
    var first: RecordingError?
    for (path, result) in zip(paths, results) {
      switch result {
      case .success(let rows):
        summary.recordings += 1
        summary.rows += rows
      case .failure(let error):
        first = first ?? error
        // A missing sample rate affects every file, so it is an error of the whole call.
        switch error {
        case .timing(.noSampleRate, _), .timing(.unreadTimes, _): throw DatasetError.recording(error)
        default: break
        }
        summary.unreadable.append(FolderInspection.Unreadable(file: path, reason: error.description))
      }
    }
    if summary.recordings == 0, let first { throw DatasetError.recording(first) }
    return summary
  }

  /// The names of the written files: `paths` with the extension `.csv`. If two names collide, both keep their own
  /// extension before `.csv`.
  package static func names(of paths: [String]) -> [String] {
    let names = paths.map { path in
      let isPacked = path.lowercased().hasSuffix(".gz")
      return ((isPacked ? String(path.dropLast(3)) : path) as NSString).deletingPathExtension + ".csv"
    }
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(paths, names).map { path, name in counts[name.lowercased()] == 1 ? name : path + ".csv" }
  }
}
