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
/// A run's file is its compact form, `ID.run`, or the JSON of earlier versions, `ID.json`, which are read still. Saving is atomic:
/// whenever the app is killed, a run is whole or absent, and so is each earlier version of it. The file `summaries.index` makes lists
/// fast. It may be deleted; the next list writes it again.
public struct RunStore: Sendable {
  /// The folder.
  public let directory: URL

  /// A store in a folder, which is created with the first run.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a run; one with the same `id` is replaced. The file is complete or absent, never a part.
  ///
  /// - Throws: `RunStoreError.cannotWrite`, for example on a full disk; the folder then has the earlier version of the run, if any.
  public func save(_ run: StoredRun) throws(RunStoreError) {
    let (data, url) = (try run.data(), url(of: run.id, .compact))
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw .cannotWrite(
        file: url.relativePath, reason: "\(error.localizedDescription); free space, or check permissions")
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
}

/// An error of a store of runs. Its description is a sentence with the file and the cure.
public enum RunStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no run of this identity.
  case noRun(id: UUID, folder: String)
  /// The file is damaged, or of a newer version.
  case unreadable(file: String, reason: String)
  /// The run cannot be written.
  case cannotWrite(file: String, reason: String)

  /// What is wrong, where, and the cure, in one sentence.
  public var description: String {
    switch self {
    case .noRun(let id, let folder): "there is no run \(id) in \(folder); list the folder's summaries."
    case .unreadable(let file, let reason): "cannot read the run \(file): \(reason)."
    case .cannotWrite(let file, let reason): "cannot write \(file): \(reason)."
    }
  }
}
