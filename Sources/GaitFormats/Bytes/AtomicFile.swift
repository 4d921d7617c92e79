import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a file whole or not at all.
///
/// The bytes go to a temporary file in the same folder, which then replaces the old file in one step. A reader sees the
/// old file or the new one, and a failure leaves the old one and nothing else. A symbolic link is followed. A device or
/// pipe, such as `/dev/stdout`, is written to directly; a named pipe that no process reads for 2 s is an error. Missing
/// folders are not created. Permissions are those of the replaced file, or of a new one.
package enum AtomicFile {
  /// Writes `bytes` to the file at `url`.
  ///
  /// - Throws: `FileWriteError`; then the folder is unchanged.
  package static func write(_ bytes: [UInt8], to url: URL) throws(FileWriteError) {
    try write(pieces: [bytes], to: url)
  }

  /// Writes `pieces`, one after another, to the file at `url`: a large file need not be in memory at once.
  ///
  /// - Throws: `FileWriteError`; then the folder is unchanged.
  package static func write(pieces: some Sequence<[UInt8]>, to url: URL) throws(FileWriteError) {
    var pieces = pieces.makeIterator()
    try write(to: url) { () throws(FileWriteError) in pieces.next() }
  }

  /// Writes the pieces that `next` returns, until it returns `nil`, to the file at `url`.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - pieces: the next piece; `nil` at the end.
  /// - Throws: `FileWriteError`, also of `pieces`; then the folder is unchanged.
  package static func write(
    to url: URL, next pieces: () throws(FileWriteError) -> [UInt8]?
  ) throws(FileWriteError) {
    let name = url.relativePath
    guard url.isFileURL else { throw .cannotWrite(file: name, reason: "it is not a file of this machine") }
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      return try replace(url.path, with: pieces, name: name)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .isFolder(file: name)
    case S_IFREG: try replace(url.resolvingSymlinksInPath().path, with: pieces, name: name)
    default: try fill(url.path, O_WRONLY, with: pieces, name: name)
    }
  }

  /// Writes `text` as UTF-8 to the file at `url`.
  ///
  /// - Throws: `FileWriteError`; then the folder is unchanged.
  package static func write(_ text: String, to url: URL) throws(FileWriteError) {
    try write(Array(text.utf8), to: url)
  }

  private static func replace(
    _ path: String, with pieces: () throws(FileWriteError) -> [UInt8]?, name: String
  ) throws(FileWriteError) {
    let temporary = temporaryPath(beside: path)
    do throws(FileWriteError) {
      try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, with: pieces, name: name)
      let code = move(temporary, to: path)
      guard code == 0 else { throw .cannotWrite(file: name, reason: SystemReason.text(code)) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Moves a finished file to its place; a replaced file's permissions stay.
  ///
  /// - Returns: 0, or the system's error number.
  package static func move(_ draft: String, to path: String) -> CInt {
    var status = stat()
    if stat(path, &status) == 0 { _ = chmod(draft, status.st_mode & 0o777) }
    return rename(draft, path) == 0 ? 0 : errno
  }

  /// A name in the folder of `path`: an unused one.
  static func temporaryPath(beside path: String) -> String {
    let folder = path.deletingLastPathComponent
    let suffix = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    return (folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/") + ".gait-\(suffix).tmp"
  }

  private static func fill(
    _ path: String, _ flags: CInt, with pieces: () throws(FileWriteError) -> [UInt8]?, name: String
  ) throws(FileWriteError) {
    // A named pipe without a reader would block for ever; one whose reader starts at the same time is waited for.
    var (descriptor, attempts) = (CInt(-1), 0)
    repeat {
      if attempts > 0 { usleep(10_000) }
      descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
      attempts += 1
    } while descriptor < 0 && errno == ENXIO && attempts < 200
    guard descriptor >= 0 else { throw openError(errno, path: path, name: name) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    var failure: CInt = 0
    do throws(FileWriteError) {
      while failure == 0, let piece = try pieces() {
        failure = piece.withUnsafeBytes { writeAll($0, to: descriptor) }
      }
    } catch {
      close(descriptor)
      throw error
    }
    // Some file systems report a full disk only on closing.
    let closing = close(descriptor) == 0 ? 0 : errno
    guard failure == 0, closing == 0 else {
      throw .cannotWrite(file: name, reason: SystemReason.text(failure == 0 ? closing : failure))
    }
  }

  /// Writes bytes to an open file.
  ///
  /// - Returns: 0, or the system's error number.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
    var written = 0
    while written < bytes.count {
      let count = systemWrite(descriptor, bytes.baseAddress! + written, bytes.count - written)
      if count > 0 {
        written += count
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  private static func openError(_ code: CInt, path: String, name: String) -> FileWriteError {
    guard code == ENOENT || code == ENOTDIR else { return .cannotWrite(file: name, reason: SystemReason.text(code)) }
    let folder = name.deletingLastPathComponent
    return .noFolder(file: name, folder: folder.isEmpty ? "." : folder)
  }
}

/// Why a file was not written. A description has one sentence.
public enum FileWriteError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The folder that should hold the file does not exist, or is a file.
  case noFolder(file: String, folder: String)
  /// The path is that of a folder.
  case isFolder(file: String)
  /// The system reported an error, such as no permission or no space.
  case cannotWrite(file: String, reason: String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// The error as one sentence with file and cure.
  public var description: String {
    switch self {
    case .noFolder(let file, let folder):
      "cannot write \(file): folder \(folder) does not exist; create it, or choose another path."
    case .isFolder(let file):
      "cannot write \(file): it is a folder; give the path of a file."
    case .cannotWrite(let file, let reason):
      "cannot write \(file): \(reason); make room or get permission, or choose another path."
    }
  }
}

/// The system's `write`, which the members of that name hide.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Bytes that are written before it is certain that all of them will be: in memory, and if they are many, in a temporary
/// file without a name, which ends with the process.
package final class SpooledBytes {
  /// The number of bytes.
  package private(set) var count = 0
  private var pending: [UInt8] = []
  private var descriptor: CInt = -1
  private var stored = 0
  private let folder: String

  /// The bytes that stay in memory.
  private static let capacity = 8 << 20

  /// No bytes; many of them will be in a file in `folder`.
  package init(in folder: URL = FileManager.default.temporaryDirectory) { self.folder = folder.path }

  /// The bytes of a text.
  package convenience init(_ bytes: [UInt8]) {
    self.init()
    (pending, count) = (bytes, bytes.count)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends the bytes that `body` appends to an array.
  ///
  /// - Throws: `FileWriteError` if the temporary file cannot be written.
  package func append(_ body: (inout [UInt8]) -> Void) throws(FileWriteError) {
    let before = pending.count
    body(&pending)
    count += pending.count - before
    guard pending.count >= Self.capacity else { return }
    if descriptor < 0 {
      let path = AtomicFile.temporaryPath(beside: folder + "/spool")
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw failure(errno) }
      unlink(path)
    }
    let code = pending.withUnsafeBytes { AtomicFile.writeAll($0, to: descriptor) }
    guard code == 0 else { throw failure(code) }
    stored += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Removes all bytes.
  package func removeAll() {
    pending.removeAll(keepingCapacity: true)
    if descriptor >= 0 { close(descriptor) }
    (count, stored, descriptor) = (0, 0, -1)
  }

  /// Calls `body` with the bytes, in pieces.
  package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    var position = 0
    while let piece = try piece(at: &position) { try body(piece) }
  }

  /// Writes the bytes of several, one after the other, to the file at `url`, as `AtomicFile.write` does.
  package static func write(
    _ parts: [SpooledBytes], to url: URL
  ) throws(FileWriteError) {
    var (part, position) = (0, 0)
    try AtomicFile.write(to: url) { () throws(FileWriteError) in
      while part < parts.count {
        if let piece = try parts[part].piece(at: &position) { return piece }
        (part, position) = (part + 1, 0)
      }
      return nil
    }
  }

  /// The next bytes from `position` on, which advances past them; `nil` at the end.
  private func piece(at position: inout Int) throws(FileWriteError) -> [UInt8]? {
    guard position < count else { return nil }
    guard position < stored else {
      position = count
      return pending
    }
    var code: CInt = 0
    let wanted = min(1 << 20, stored - position)
    let piece = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, read in
      let result = pread(descriptor, bytes.baseAddress, wanted, off_t(position))
      code = result > 0 ? 0 : errno
      read = max(0, result)
    }
    guard !piece.isEmpty else { throw failure(code) }
    position += piece.count
    return piece
  }

  private func failure(_ code: CInt) -> FileWriteError {
    .cannotWrite(file: "a temporary file in \(folder)", reason: SystemReason.text(code))
  }
}
