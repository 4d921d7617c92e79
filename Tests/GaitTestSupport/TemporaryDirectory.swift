import Foundation

/// A temporary folder for a test, removed with its contents when the last reference is released; one that a static
/// property keeps, when the process ends.
public final class TemporaryDirectory: Sendable {
  /// The folder's URL.
  public let url: URL

  /// The folder of this process's temporary folders.
  private static let all: URL = {
    atexit { try? FileManager.default.removeItem(at: TemporaryDirectory.root) }
    return root
  }()

  private static let root = FileManager.default.temporaryDirectory
    .appending(path: "gait-tests-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)

  /// A new, empty folder with a unique name.
  public init() throws {
    url = Self.all.appending(path: "gait-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The URL of the file `name`, which need not exist; `name` may include folders.
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
    try Self.copyToCorpus(bytes, named: url.lastPathComponent)
    return url
  }

  /// Copies a test's file to the folder `GAIT_CORPUS`, if that is set, as input for the fuzzer.
  private static func copyToCorpus(_ bytes: [UInt8], named name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["GAIT_CORPUS"], bytes.count <= 16_384 else { return }
    try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(UUID().uuidString)-\(name)"))
  }

  /// The relative paths of the folder's contents at any depth, sorted.
  public var contents: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted() }
  }
}
