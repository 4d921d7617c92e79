import Foundation
import Gait
import GaitFormats

/// Writes the recordings of a folder in Gait's own form into another, each under its own name.
public struct FolderConversion: Sendable {
  private let directory: URL
  private let options: ReadingOptions
  private let intervals: String?

  /// A conversion of everything in a folder that is named like a recording, at any depth.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - options: what is known about every recording.
  ///   - intervals: the ending of the files with label intervals (`LabelIntervals`), if there are such.
  public init(directory: URL, options: ReadingOptions = ReadingOptions(), intervals: String? = nil) {
    self.directory = directory
    self.options = options
    self.intervals = intervals
  }

  /// What a conversion wrote.
  public struct Summary: Hashable, Sendable {
    /// Recordings written.
    public var recordings = 0
    /// Their samples.
    public var rows = 0
    /// The files that are no recordings, or spoilt, and were left out.
    public var unreadable: [FolderInspection.Unreadable] = []
  }

  /// The files to convert, relative to the folder, in natural order.
  ///
  /// - Throws: `DatasetError` where the folder cannot be listed, or holds nothing to convert.
  public func paths() throws(DatasetError) -> [String] { try files().paths }

  /// The files to convert, and what was left out of the folder, a sentence each.
  ///
  /// - Throws: as `paths()`.
  public func files() throws(DatasetError) -> (paths: [String], warnings: [String]) {
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
  ///   - target: the folder to write to; folders within it are made.
  ///   - fileDone: called after each file, from any thread.
  /// - Throws: `FileWriteError` where something cannot be written, and `DatasetError.recording` where no file is a
  ///   recording, with the first file's fault.
  public func write(
    _ paths: [String], to target: URL, fileDone: @Sendable () -> Void = {}
  ) throws -> Summary {
    let names = Self.names(of: paths)
    let jobs = zip(paths, names).map { (path: $0, name: $1) }
    let results = try jobs.mappedConcurrently { job throws(FileWriteError) -> Result<Int, RecordingError> in
      defer { fileDone() }
      let annotated: AnnotatedRecording
      do throws(RecordingError) { annotated = try read(job.path) } catch { return .failure(error) }
      let file = target.appending(path: job.name)
      try Self.makeFolder(file.deletingLastPathComponent())
      try annotated.write(to: file)
      return .success(annotated.recording.count)
    }
    return try Self.summary(paths, results)
  }

  /// Makes the folder for a file that is about to be written, so that none stays empty where a recording cannot be read.
  private static func makeFolder(_ folder: URL) throws(FileWriteError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      throw .cannotWrite(file: folder.relativePath, reason: cause.localizedDescription)
    }
  }

  private func read(_ path: String) throws(RecordingError) -> AnnotatedRecording {
    let url = directory.appending(path: path)
    var annotated = try AnnotatedRecording(contentsOf: url, options)
    if let intervals {
      try annotated.label(by: LabelIntervals(named: intervals, of: url))
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
        // Without a rate nothing can be read: that is not the file's fault.
        if case .timing(.noSampleRate, _) = error { throw DatasetError.recording(error) }
        summary.unreadable.append(FolderInspection.Unreadable(file: path, reason: error.description))
      }
    }
    if summary.recordings == 0, let first { throw DatasetError.recording(first) }
    return summary
  }

  /// The names of the files that are written for recordings at `paths`: the paths with `.csv` for their extension; where
  /// two would be one, both keep theirs before it.
  public static func names(of paths: [String]) -> [String] {
    let names = paths.map { path in
      let isPacked = path.lowercased().hasSuffix(".gz")
      return ((isPacked ? String(path.dropLast(3)) : path) as NSString).deletingPathExtension + ".csv"
    }
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(paths, names).map { path, name in counts[name.lowercased()] == 1 ? name : path + ".csv" }
  }
}
