import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

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
    let searchesFolders = outputs.contains { $0.kind.isRecording }
    var (inputPaths, paths): ([FileIdentity: String], [FileIdentity: String]) = ([:], [:])
    for input in inputs { FileIdentity.add(input, to: &inputPaths, searchesFolders: searchesFolders) }
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

/// The content of an output file.
enum OutputKind {
  /// A model; an existing one is replaced only on request.
  case model(replaces: Bool)
  /// An HTML report.
  case page
  /// A chart of a run as SVG.
  case chart
  /// A proposal of new labels for recordings.
  case proposal
  /// A table of features.
  case table
  /// A model as Swift source.
  case source
  /// A recording in Gait's own format; an existing one is replaced only on request.
  case recording(replaces: Bool)

  /// The name in error messages, with its article.
  var name: String {
    switch self {
    case .model: "a Gait model"
    case .page: "a Gait report"
    case .chart: "a Gait chart"
    case .proposal: "a relabelling proposal"
    case .table: "a table of features"
    case .source: "a Gait export as swift"
    case .recording: "a recording in Gait's own format"
    }
  }

  var isModel: Bool { if case .model = self { true } else { false } }

  var isRecording: Bool { if case .recording = self { true } else { false } }

  /// Whether Gait wrote the file as this kind, by its content.
  func isOfKind(_ url: URL) -> Bool {
    if isModel { return Self.isModel(url) }
    guard let bytes = Self.beginning(of: url) else { return false }
    return beginnings.allSatisfy { beginning in
      beginning.isAtStart ? bytes.starts(with: beginning.bytes) : bytes.range(of: Data(beginning.bytes)) != nil
    }
  }

  /// Byte sequences at the start of such a file, or near it.
  private var beginnings: [(bytes: [UInt8], isAtStart: Bool)] {
    switch self {
    case .model: []
    case .page: [(Array("<!DOCTYPE html>".utf8), true), (Array(TrainingReport.pageMark.utf8), false)]
    case .chart: [(Array("<svg".utf8), true), (Array(TrackedRecording.chartMark.utf8), false)]
    case .proposal: [(Array((LabelReview.proposalColumns.joined(separator: ",") + "\n").utf8), true)]
    case .table: [(Array((FeatureTable.leadingColumns.joined(separator: ",") + ",").utf8), true)]
    case .source: [(Array(SwiftSource.firstLine.utf8), true)]
    case .recording: [(Array(AnnotatedRecording.firstLine.utf8), true)]
    }
  }

  /// The first bytes of a file, enough for long lists of feature names; `nil` if it cannot be read.
  private static func beginning(of url: URL) -> Data? {
    // Opening a pipe would wait for a writer.
    guard case .file? = PathKind(at: url.path) else { return nil }
    return try? FileHandle(forReadingFrom: url).read(upToCount: 1 << 18)
  }

  /// Whether a file is JSON with the format name of a Gait model, of any version.
  private static func isModel(_ url: URL) -> Bool {
    struct Preamble: Decodable { var format: String }
    guard beginsLikeModel(url), let json = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return (try? JSONFault.decode(Preamble.self, from: json))?.format == ActivityModel.formatName
  }

  /// Whether the file begins with a brace, as a model does and a table does not.
  static func beginsLikeModel(_ url: URL) -> Bool {
    guard case .file? = PathKind(at: url.path) else { return false }
    let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
    return beginning?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }
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

  /// Adds a file or folder to those that a command reads, with the path that names it; it may not exist.
  ///
  /// - Parameter searchesFolders: whether to add the files in a folder at any depth, except hidden ones; a folder with several
  ///   links is searched once.
  static func add(_ path: String, to paths: inout [FileIdentity: String], searchesFolders: Bool) {
    guard let identity = FileIdentity(path), paths[identity] == nil else { return }
    paths[identity] = path
    guard searchesFolders, path.isFolder else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] where !name.hasPrefix(".")
    {
      add(path.hasSuffix("/") ? path + name : "\(path)/\(name)", to: &paths, searchesFolders: true)
    }
  }
}

/// An output that cannot be written.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "cannot write \(path.isEmpty ? "\"\"" : path): \(reason)." }

}

extension OutputError {
  /// The error of writing a draft, as an error of the output itself; `nil` for errors unrelated to writing.
  init?(writing path: String, _ error: any Error) {
    switch error {
    case let error as POSIXError: self.init(path: path, reason: String(cString: strerror(error.code.rawValue)))
    case FileWriteError.cannotWrite(_, let reason):
      self.init(path: path, reason: "\(reason); free space, check the permissions or choose another path")
    case is FileWriteError: self.init(path: path, reason: "its folder was removed; create it again")
    case _ where Terminal.exitCode(for: error) == nil:
      let error = error as NSError
      let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      let isOfSystem = cause.domain == NSPOSIXErrorDomain
      self.init(
        path: path, reason: isOfSystem ? String(cString: strerror(CInt(cause.code))) : cause.localizedDescription)
    default: return nil
    }
  }

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
