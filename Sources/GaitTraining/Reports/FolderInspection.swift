import Foundation
import Gait
import GaitFormats

/// What there is to say of a folder of recordings: which forms and rates it holds, what was done to the recordings, and
/// which files could not be read.
///
/// Everything that is named like a recording is read, at any depth (`RecordingNames`).
public struct FolderInspection: Encodable, Sendable {
  /// Recordings of one form and one rate.
  public struct Kind: Hashable, Encodable, Sendable {
    /// Which recorder's form they have.
    public var format: String
    /// Samples in a second; absent where neither the files nor anybody says so.
    public var sampleRate: Double?
    /// How many there are.
    public var recordings: Int
    /// Their samples.
    public var rows: Int
    /// Their length, seconds; absent where the rate is.
    public var seconds: Double?
  }

  /// Something that was done to some of the recordings.
  public struct Finding: Hashable, Encodable, Sendable {
    /// What was done, or what there is.
    public var what: String
    /// To which files.
    public var files: [String]
  }

  /// A file that is no recording, or a spoilt one.
  public struct Unreadable: Hashable, Encodable, Sendable {
    /// Its path.
    public var file: String
    /// Why, as one sentence.
    public var reason: String
  }

  /// The path as it was given.
  public let folder: String
  /// The recordings by form and rate.
  public let kinds: [Kind]
  /// What was done to them.
  public let findings: [Finding]
  /// The files that are no recordings, or spoilt.
  public let unreadable: [Unreadable]
  /// How many files are not named like recordings.
  public let ignoredFiles: Int
  /// What was left out of the folder, a sentence each.
  public let warnings: [String]
  /// Every recording, in natural order of the paths.
  public let recordings: [RecordingInspection]

  /// Looks at everything in a folder, on all cores.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - options: what is known about every recording.
  ///   - fileDone: called after each file, from any thread.
  /// - Throws: `DatasetError` where the folder cannot be listed.
  public init(
    directory: URL, _ options: ReadingOptions = ReadingOptions(), fileDone: @Sendable () -> Void = {}
  ) throws(DatasetError) {
    let walk = try FolderWalk(root: directory)
    let paths = walk.candidates
    let results = paths.mappedConcurrently { path -> Result<RecordingInspection, RecordingError> in
      defer { fileDone() }
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
    unreadable = zip(paths, results).compactMap { path, result in
      guard case .failure(let error) = result else { return nil }
      return Unreadable(file: path, reason: error.description)
    }
    kinds = Self.kinds(of: recordings)
    findings = Self.findings(in: recordings)
  }

  private static func kinds(of recordings: [RecordingInspection]) -> [Kind] {
    struct Key: Hashable { var format: String, rate: Double? }
    return Dictionary(grouping: recordings) { Key(format: $0.format, rate: $0.sampleRate) }
      .sorted { ($0.key.format, $0.key.rate ?? 0) < ($1.key.format, $1.key.rate ?? 0) }
      .map { key, members in
        Kind(
          format: key.format, sampleRate: key.rate, recordings: members.count, rows: members.reduce(0) { $0 + $1.rows },
          seconds: key.rate == nil ? nil : members.reduce(0) { $0 + ($1.duration ?? 0) })
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
