import Foundation
import Gait
import GaitFormats

/// An output file of a command.
///
/// Every output of every command follows one rule: it is not an input, not another output, and replaces an existing
/// file only if that file is of the same kind. `check` applies the rule before the long work.
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
    // Only recordings are inputs inside a folder; `checkExistingFile` protects them from outputs of other kinds.
    let inputs = InputFiles(inputs, searchesFolders: outputs.contains { $0.kind.isRecording })
    var paths: [FileIdentity: String] = [:]
    for output in outputs {
      try output.checkPlace()
      guard let identity = FileIdentity(output.path), !output.isDevice else { continue }
      if let other = paths.updateValue(output.path, forKey: identity) {
        throw OutputError(
          path: output.path,
          reason: "it is the same file as the output \(other); give each output its own path")
      }
      if let input = inputs.path(of: identity) {
        throw OutputError(path: output.path, reason: "it is the input \(input); choose another path")
      }
      try output.checkExistingFile()
    }
  }

  /// Writes the file atomically, or at the end of the stream if the path is that of an open one.
  ///
  /// - Throws: `OutputError` if the file cannot be written; an existing file is then unchanged.
  func write(_ bytes: some Sequence<UInt8>) throws {
    try write { try AtomicFile.write(Array(bytes), to: $0) }
  }

  /// Lets `body` write a draft and moves the finished file to its place; a signal leaves nothing behind.
  ///
  /// - Throws: errors of `body`, and `OutputError` if the file cannot be written. An existing file is then unchanged.
  func write(_ body: (URL) throws -> Void) throws {
    guard !isDevice else { return try body(url) }
    if let stream { return try append(to: stream, body) }
    let target = FileManager.default.fileExists(atPath: url.path) ? url.resolvingSymlinksInPath() : url
    let name = target.lastPathComponent
    try TemporaryFolders.fill(in: target.deletingLastPathComponent(), for: path) { draft in
      try body(draft.appending(path: name))
    } move: { draft in
      let code = AtomicFile.move(draft.appending(path: name).path, to: target.path)
      guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }
  }

  /// Lets `body` write a draft, and copies it to a stream. Opened by its path, a file would lose what the stream has written.
  private func append(to stream: Int32, _ body: (URL) throws -> Void) throws {
    try TemporaryFolders.fill(in: FileManager.default.temporaryDirectory, for: path) { draft in
      try body(draft.appending(path: "output"))
    } move: { draft in
      let source = try FileHandle(forReadingFrom: draft.appending(path: "output"))
      let target = FileHandle(fileDescriptor: stream, closeOnDealloc: false)
      while let bytes = try source.read(upToCount: 1 << 20), !bytes.isEmpty { try target.write(contentsOf: bytes) }
    }
  }

  /// The stream's file descriptor if the path is that of an open one, such as `/dev/stdout`.
  private var stream: Int32? {
    switch path {
    case "/dev/stdin": STDIN_FILENO
    case "/dev/stdout": STDOUT_FILENO
    case "/dev/stderr": STDERR_FILENO
    default:
      ["/dev/fd/", "/proc/self/fd/"].lazy.filter(path.hasPrefix).compactMap { Int32(path.dropFirst($0.count)) }.first
    }
  }

  private static func accepts(output descriptor: Int32) -> Bool {
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
    guard !kind.isModel || !ActivityModel.builtInNames.contains(path) else {
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
    guard stream == nil, stat(url.path, &status) == 0 else { return }
    if case .recording(replaces: false) = kind {
      throw OutputError(path: path, reason: "the file exists; choose another path or replace it with --force")
    }
    guard status.st_size == 0 || kind.isOfKind(url) else {
      throw OutputError(
        path: path,
        reason: "the file exists and is not \(kind.name); choose another path or remove the file")
    }
    if case .model(replaces: false) = kind, status.st_size > 0 {
      throw OutputError(path: path, reason: "the model exists; replace it with --force, or name another with --output")
    }
  }
}
