import Foundation
import GaitFormats

/// A file that a command writes.
///
/// One rule holds for every output of every command: it is never an input, never another output, and takes the place of
/// an existing file only where that is of the kind that is written. `check` applies the rule before the long work.
struct OutputFile {
  /// The path as it was given.
  let path: String
  /// What is written.
  let kind: OutputKind

  init(_ path: String, _ kind: OutputKind) {
    self.path = path
    self.kind = kind
  }

  private var url: URL { URL(filePath: path) }

  /// Finds out whether all of a command's outputs can be written, so that neither work nor a file is lost.
  ///
  /// - Parameters:
  ///   - outputs: the outputs; those that are not asked for are `nil`.
  ///   - inputs: the paths of the files and folders that the command reads.
  /// - Throws: `OutputError` for the first that cannot be written.
  static func check(_ outputs: [OutputFile?], inputs: [String]) throws {
    let outputs = outputs.compactMap { $0 }
    // Of the other kinds a file in a folder of recordings is never an input: its content tells.
    let inputs = InputFiles(inputs, searchesFolders: outputs.contains { $0.kind.isRecording })
    var paths: [FileIdentity: String] = [:]
    for output in outputs {
      try output.checkPlace()
      guard let identity = FileIdentity(output.path), !output.isDevice else { continue }
      if let other = paths.updateValue(output.path, forKey: identity) {
        throw OutputError(
          path: output.path,
          reason: "it is the same file as the output \(other); give each output a path of its own")
      }
      if let input = inputs.path(of: identity) {
        throw OutputError(path: output.path, reason: "it is the input \(input); choose another path")
      }
      try output.checkExistingFile()
    }
  }

  /// Writes the file, whole or not at all.
  ///
  /// - Throws: `OutputError` where the file cannot be written; then an old one is as it was.
  func write(_ bytes: some Sequence<UInt8>) throws {
    try write { try AtomicFile.write(Array(bytes), to: $0) }
  }

  /// Lets `body` write the file elsewhere and moves it to its place when it is whole; a signal leaves nothing behind.
  ///
  /// - Throws: what `body` throws, and `OutputError` where the file cannot be written; then an old one is as it was.
  func write(_ body: (URL) throws -> Void) throws {
    guard !isDevice else { return try body(url) }
    let target = FileManager.default.fileExists(atPath: url.path) ? url.resolvingSymlinksInPath() : url
    do {
      let draft = try Drafts.make(in: target.deletingLastPathComponent())
      let file = draft.appending(path: target.lastPathComponent)
      do {
        try body(file)
      } catch {
        Drafts.close(draft)
        throw error
      }
      try Drafts.close(draft) {
        guard rename(file.path, target.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      }
    } catch {
      throw OutputError(writing: path, error) ?? error
    }
  }

  /// Whether bytes are written to something that is no file, such as a pipe or a terminal.
  private var isDevice: Bool {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private func checkPlace() throws {
    guard !kind.isModel || path != ModelArgument.builtIn else {
      throw OutputError(
        path: path,
        reason: "\(path) is the name of the model that comes with Gait, so that gait could not read the file; "
          + "choose another name, or write ./\(path)")
    }
    guard !isFolder(url.path) else { throw OutputError(path: path, reason: "it is a folder; name a file") }
    try OutputError.check(folderOf: url, path: path)
  }

  private func checkExistingFile() throws {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return }
    if case .recording(replaces: false) = kind {
      throw OutputError(path: path, reason: "the file exists; choose another path, or replace it with --force")
    }
    guard status.st_size == 0 || kind.isOfKind(url) else {
      throw OutputError(path: path, reason: "the file exists and is no \(kind.name); choose another path, or remove it")
    }
  }
}
