import Foundation
import Gait
import GaitFormats

/// An output file of a command.
///
/// It is not an input and not another output. An existing model or recording that is not empty is replaced only on
/// request, any other file without asking. `check` applies the rule before the long work.
struct OutputFile {
  /// The path as given.
  let path: String
  /// The content of the file.
  let kind: OutputKind

  init(_ path: String, _ kind: OutputKind) {
    self.path = path
    self.kind = kind
  }

  private var url: URL { URL(filePath: path) }

  /// Checks that all of a command's outputs can be written, so that neither work nor files are lost.
  ///
  /// - Parameters:
  ///   - outputs: the outputs; `nil` for those not requested.
  ///   - inputs: the paths of the files and folders that the command reads.
  /// - Throws: `OutputError` for the first that cannot be written.
  static func check(_ outputs: [OutputFile?], inputs: [String]) throws {
    let outputs = outputs.compactMap { $0 }
    guard !outputs.isEmpty else { return }
    var (inputPaths, paths): ([FileIdentity: String], [FileIdentity: String]) = ([:], [:])
    for input in inputs { FileIdentity.add(input, to: &inputPaths) }
    for output in outputs {
      try output.checkPlace()
      guard let identity = FileIdentity(output.path), !output.isDevice else { continue }
      if let other = paths.updateValue(output.path, forKey: identity) {
        throw OutputError(
          path: output.path,
          reason: "it is the same file as the output \(other); give each output its own path")
      }
      if let input = inputPaths[identity] {
        throw OutputError(path: output.path, reason: "it is the input \(input); choose another path")
      }
      try output.checkExistingFile()
    }
  }

  /// Writes the file atomically, or to the stream, pipe or device at its path.
  ///
  /// - Throws: `FileWriteError`; an existing file is then unchanged.
  func write(_ bytes: some Sequence<UInt8>) throws { try AtomicFile.write(Array(bytes), to: url) }

  /// Lets `body` write the file as `AtomicFile` does.
  func write(_ body: (URL) throws -> Void) throws { try body(url) }

  private var stream: CInt? { AtomicFile.stream(at: path) }

  private static func accepts(output descriptor: CInt) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Whether the path is a pipe, a terminal or another device.
  private var isDevice: Bool {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private func checkPlace() throws {
    if case .model = kind, ActivityModel.builtInNames.contains(path) {
      throw OutputError(
        path: path,
        reason: "\(path) is the name of a built-in model; choose another name, or write ./\(path)")
    }
    guard !url.path.isFolder else { throw OutputError(path: path, reason: "it is a folder; name a file") }
    // Only root may write to the folder of devices, and a stream's file may belong to another user.
    guard isDevice || stream != nil else { return try OutputError.check(folderOf: url, path: path) }
    let isWritable = stream.map(Self.accepts(output:)) ?? (access(url.path, W_OK) == 0)
    guard isWritable else {
      throw OutputError(path: path, reason: "it is not writable; choose another")
    }
  }

  private func checkExistingFile() throws {
    var status = stat()
    // The shell has opened a stream's file, and nothing in it is replaced.
    guard stream == nil, stat(url.path, &status) == 0, status.st_size > 0 else { return }
    switch kind {
    case .recording(replaces: false):
      throw OutputError(path: path, reason: "the file exists; choose another path or replace it with --force")
    case .model(replaces: false):
      throw OutputError(path: path, reason: "the model exists; replace it with --force, or name another with --output")
    default: break
    }
  }
}

/// The content of an output file.
enum OutputKind {
  /// A model; an existing one is replaced only on request.
  case model(replaces: Bool)
  /// A recording in Gait's own format; an existing one is replaced only on request.
  case recording(replaces: Bool)
  /// A page, a chart, a table or another file that a command can write again.
  case document
}

/// The identity of a file: equal for all paths and links to it.
enum FileIdentity: Hashable {
  /// An existing file.
  case file(FileNumber)
  /// A file that does not exist yet, by its folder and name.
  case name(String, folder: FileNumber)

  /// The file at a path; `nil` if its folder does not exist.
  init?(_ path: String) {
    if let file = FileNumber(path) {
      self = .file(file)
      return
    }
    let url = URL(filePath: path)
    guard let folder = FileNumber(url.deletingLastPathComponent().path) else { return nil }
    #if canImport(Darwin)
      // Most volumes on Apple's systems ignore case.
      let name = url.lastPathComponent.lowercased()
    #else
      let name = url.lastPathComponent
    #endif
    self = .name(name, folder: folder)
  }

  /// Adds a file or folder to those that a command reads, with the path that names it. If the folder of `path` does not
  /// exist, nothing is added.
  ///
  /// Of a folder, adds the recordings at any depth, except hidden ones; a folder with several links is searched once.
  static func add(_ path: String, to paths: inout [FileIdentity: String]) {
    guard let identity = FileIdentity(path), paths[identity] == nil else { return }
    paths[identity] = path
    guard path.isFolder else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] where !name.hasPrefix(".")
    {
      let path = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      if path.isFolder || RecordingNames.isRecording(file: name) { add(path, to: &paths) }
    }
  }
}

/// An output that cannot be written.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "cannot write \(path.isEmpty ? "\"\"" : path): \(reason)." }

  /// Checks that files can be created in the folder of `url`.
  static func check(folderOf url: URL, path: String) throws {
    let folder = url.deletingLastPathComponent()
    guard folder.path.isFolder else {
      throw OutputError(path: path, reason: "the folder \(folder.relativePath) does not exist; create it first")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw OutputError(
        path: path, reason: "the folder \(folder.relativePath) is not writable; choose another")
    }
  }
}
