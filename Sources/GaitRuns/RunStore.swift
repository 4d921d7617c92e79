import Foundation
import Gait

/// A folder of runs, a JSON file for each.
public struct RunStore: Sendable {
  /// The folder.
  public let directory: URL

  /// A store in a folder, which is created with the first run.
  public init(directory: URL) {
    self.directory = directory
  }

  /// Writes a run; one with the same `id` is replaced. The file is complete or absent, never a part.
  public func save(_ run: StoredRun) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(run).write(to: url(of: run.id), options: .atomic)
  }

  /// Deletes a run.
  public func remove(_ id: UUID) throws { try FileManager.default.removeItem(at: url(of: id)) }

  /// All runs by date, oldest first, and the files that cannot be read with the reason.
  public func contents() -> (runs: [StoredRun], unreadable: [URL: String]) {
    var runs: [StoredRun] = []
    var unreadable: [URL: String] = [:]
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    for file in files where file.pathExtension == "json" {
      do { runs.append(try JSONFault.decode(StoredRun.self, from: Data(contentsOf: file))) } catch {
        unreadable[file] = (error as? JSONFault)?.description ?? error.localizedDescription
      }
    }
    runs.sort { ($0.startedAt, $0.id.uuidString) < ($1.startedAt, $1.id.uuidString) }
    return (runs, unreadable)
  }

  private func url(of id: UUID) -> URL { directory.appending(path: "\(id.uuidString).json") }
}
