import Foundation

/// A folder of a test's own, removed with everything in it when the last reference goes.
public final class TemporaryDirectory: Sendable {
  /// Where the folder is.
  public let url: URL

  /// A new, empty folder with a name that no other has.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "gait-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Where the file `name` is, or would be; `name` may hold folders.
  public func file(_ name: String) -> URL {
    url.appending(path: name)
  }

  /// Writes `text` to the file `name`, with the folders it needs.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> URL {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `bytes` to the file `name`, with the folders it needs.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> URL {
    let url = file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    try Self.keep(bytes, named: url.lastPathComponent)
    return url
  }

  /// Keeps a copy of what a test writes in the folder `GAIT_CORPUS`, where that is set: the fuzzer starts from such inputs.
  private static func keep(_ bytes: [UInt8], named name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["GAIT_CORPUS"], bytes.count <= 16_384 else { return }
    try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(UUID().uuidString)-\(name)"))
  }

  /// The names of everything in the folder, at any depth, sorted.
  public var contents: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted() }
  }
}
