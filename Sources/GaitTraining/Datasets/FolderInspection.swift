import Foundation
import Gait
import GaitFormats

/// An inspection of a folder of recordings: formats, sample rates, repairs, and files that cannot be read.
///
/// Reads every file, at any depth, that is named like a recording (`RecordingNames`).
package struct FolderInspection: Encodable, Sendable {
  /// The recordings with one format and one sample rate.
  package struct Kind: Hashable, Encodable, Sendable {
    /// The recorder's format.
    package var format: String
    /// The sample rate in hertz; absent if unknown.
    package var sampleRate: Double?
    /// The number of recordings.
    package var recordings: Int
    /// The number of their samples.
    package var rows: Int
    /// The total duration of the recordings, seconds; absent if the sample rate is unknown.
    package var seconds: Double?
  }

  /// A repair or a problem found in some of the recordings.
  package struct Finding: Hashable, Encodable, Sendable {
    /// The repair or the problem.
    package var what: String
    /// The files concerned.
    package var files: [String]
  }

  /// A file that cannot be read as a recording.
  package struct Unreadable: Hashable, Encodable, Sendable {
    /// Its path.
    package var file: String
    /// The error.
    package var reason: String
  }

  /// A file that is no recording, but that another option reads.
  package struct Usable: Hashable, Encodable, Sendable {
    /// Its path.
    package var file: String
    /// The content of the file: GPS points or labelled intervals.
    package var holds: Content

    package enum Content: String, Encodable, Sendable {
      case locations, intervals
    }
  }

  /// The path as given.
  package let folder: String
  /// The recordings by format and sample rate.
  package let kinds: [Kind]
  /// The repairs and problems.
  package let findings: [Finding]
  /// The files of GPS points and of labelled intervals.
  package let usable: [Usable]
  /// The other files that cannot be read as recordings.
  package let unreadable: [Unreadable]
  /// The number of files that are not named like recordings.
  package let ignoredFiles: Int
  /// Warnings about skipped files.
  package let warnings: [String]
  /// Every recording, in natural order of the paths.
  package let recordings: [RecordingInspection]

  /// Inspects a folder, on all cores.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - options: how to read the recordings.
  /// - Throws: `DatasetError` if the folder cannot be listed.
  package init(directory: URL, _ options: ReadingOptions = ReadingOptions()) throws(DatasetError) {
    let walk = try FolderWalk(root: directory)
    let paths = walk.candidates
    let results = paths.mappedConcurrently(showing: "recording") {
      path -> Result<RecordingInspection, RecordingError> in

      do throws(RecordingError) {
        return .success(try RecordingInspection(contentsOf: directory.appending(path: path), options))
      } catch {
        return .failure(error)
      }
    }
    folder = directory.relativePath
    warnings = walk.warnings
    ignoredFiles = walk.paths.count - paths.count
    recordings = results.compactMap { try? $0.get() }
    let failures = zip(paths, results).compactMap { path, result -> Unreadable? in
      guard case .failure(let error) = result else { return nil }
      return Unreadable(file: path, reason: error.description)
    }
    let contents = failures.map { Self.content(of: directory.appending(path: $0.file)) }
    usable = zip(failures, contents).compactMap { failure, content in
      content.map { Usable(file: failure.file, holds: $0) }
    }
    unreadable = zip(failures, contents).compactMap { $1 == nil ? $0 : nil }
    kinds = Self.kinds(of: recordings)
    findings = Self.findings(in: recordings)
  }

  /// The content of a file that is no recording; `nil` if no option reads it.
  private static func content(of file: URL) -> Usable.Content? {
    if (try? LocationFile(contentsOf: file)) != nil { return .locations }
    if (try? LabelIntervals(contentsOf: file))?.isEmpty == false { return .intervals }
    return nil
  }

  private static func kinds(of recordings: [RecordingInspection]) -> [Kind] {
    struct Key: Hashable { var format: String, rate: Double? }
    return Dictionary(grouping: recordings) { Key(format: $0.format, rate: $0.sampleRate) }
      .sorted { ($0.key.format, $0.key.rate ?? 0) < ($1.key.format, $1.key.rate ?? 0) }
      .map { key, members in
        Kind(
          format: key.format, sampleRate: key.rate, recordings: members.count, rows: members.reduce(0) { $0 + $1.rows },
          seconds: key.rate == nil ? nil : members.reduce(0) { $0 + ($1.coveredDuration ?? 0) })
      }
  }

  private static func findings(in recordings: [RecordingInspection]) -> [Finding] {
    let all = recordings.flatMap { recording in
      (recording.repairs + (recording.missing.isEmpty ? [] : ["values are missing"])).map { ($0, recording.file) }
    }
    return Dictionary(grouping: all, by: \.0).sorted { $0.key < $1.key }
      .map { Finding(what: $0.key, files: $0.value.map(\.1)) }
  }
}
