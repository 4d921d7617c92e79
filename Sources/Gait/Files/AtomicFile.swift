#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a file or a folder whole or not at all.
///
/// The bytes go to a draft beside the file, `.gait-NAME.part`. The finished draft replaces the old file in one step. A
/// reader sees the old file or the new one. A failure leaves the old file and removes the draft. A process that is
/// killed leaves its draft; the next process that writes the file reuses it. Writers of the same file wait for each
/// other.
///
/// A symbolic link is followed. A device, a pipe or an open stream, such as `/dev/stdout`, is written to directly. A
/// named pipe that no process reads for 2 s is an error. Missing folders are not created. A replaced file keeps its
/// permissions; a new file gets the usual ones.
package enum AtomicFile {
  /// Writes `bytes` to the file at `url`.
  ///
  /// - Throws: `FileWriteError`; then the folder is unchanged.
  package static func write(_ bytes: [UInt8], to url: URL) throws(FileWriteError) {
    try write(pieces: [bytes], to: url)
  }

  /// Writes `text` as UTF-8 to the file at `url`.
  ///
  /// - Throws: `FileWriteError`; then the folder is unchanged.
  package static func write(_ text: String, to url: URL) throws(FileWriteError) {
    try write(Array(text.utf8), to: url)
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
  /// - Throws: `FileWriteError`, also of `pieces`; then the folder is unchanged.
  package static func write(
    to url: URL, next pieces: () throws(FileWriteError) -> [UInt8]?
  ) throws(FileWriteError) {
    let name = url.relativePath
    guard url.isFileURL else { throw .cannotWrite(file: name, reason: "it is not a file of this machine") }
    // Write to the stream's descriptor. If its file were opened again by the path, what the stream has written would be
    // lost.
    if let stream = stream(at: url.path) { return try fill(dup(stream), with: pieces, name: name) }
    var status = stat()
    let exists = stat(url.path, &status) == 0
    switch exists ? status.st_mode & S_IFMT : S_IFREG {
    case S_IFDIR: throw .isFolder(file: name)
    case S_IFREG: try replace(exists ? url.resolvingSymlinksInPath() : url, with: pieces, name: name)
    default: try fill(openPipe(url.path), with: pieces, name: name)
    }
  }

  /// Lets `body` write files into a draft folder, then moves them to the folder `target`.
  ///
  /// A new folder is renamed as a whole. An existing folder may be the working folder or a mount point, so its files
  /// are moved one by one.
  ///
  /// - Throws: the errors of `body`; `FileWriteError`, also if another process fills the folder. A new folder does not
  ///   exist then.
  package static func fill<Result>(folder target: URL, _ body: (URL) throws -> Result) throws -> Result {
    let manager = FileManager.default
    let exists = manager.fileExists(atPath: target.path)
    let place = exists ? target : target.deletingLastPathComponent()
    let draft = place.appending(path: draftName(of: target.lastPathComponent), directoryHint: .isDirectory)
    let descriptor = try lock(draft.path, isFolder: true, name: target.relativePath)
    defer { close(descriptor) }
    do {
      for name in try manager.contentsOfDirectory(atPath: draft.path) {
        try manager.removeItem(at: draft.appending(path: name))
      }
      let result = try body(draft)
      if exists {
        try moveFiles(of: draft, to: target)
        try manager.removeItem(at: draft)
      } else {
        try move(draft.path, to: target.path, name: target.relativePath)
      }
      return result
    } catch {
      try? manager.removeItem(at: draft)
      throw error
    }
  }

  private static func moveFiles(of draft: URL, to target: URL) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: draft.path).sorted() {
      let (source, destination) = (draft.appending(path: path), target.appending(path: path))
      var status = stat()
      if stat(source.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
      } else {
        try move(source.path, to: destination.path, name: destination.relativePath)
      }
    }
  }

  /// The stream's file descriptor, if the path is an open stream such as `/dev/stdout`.
  package static func stream(at path: String) -> CInt? {
    switch path {
    case "/dev/stdin": STDIN_FILENO
    case "/dev/stdout": STDOUT_FILENO
    case "/dev/stderr": STDERR_FILENO
    default:
      ["/dev/fd/", "/proc/self/fd/"].lazy.filter(path.hasPrefix).compactMap { CInt(path.dropFirst($0.count)) }.first
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

  private static func replace(
    _ url: URL, with pieces: () throws(FileWriteError) -> [UInt8]?, name: String
  ) throws(FileWriteError) {
    let draft = url.deletingLastPathComponent().appending(path: draftName(of: url.lastPathComponent)).path
    let descriptor = try lock(draft, isFolder: false, name: name)
    defer { close(descriptor) }
    do throws(FileWriteError) {
      guard ftruncate(descriptor, 0) == 0 else { throw .cannotWrite(file: name, reason: SystemReason.text(errno)) }
      try fill(dup(descriptor), with: pieces, name: name)
      var status = stat()
      if stat(url.path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
      try move(draft, to: url.path, name: name)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// The name of the draft of a file or folder, which is hidden. A long name is cut, as names have at most 255 bytes.
  private static func draftName(of name: String) -> String {
    ".gait-\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).part"
  }

  private static func move(_ draft: String, to path: String, name: String) throws(FileWriteError) {
    guard rename(draft, path) == 0 else { throw .cannotWrite(file: name, reason: SystemReason.text(errno)) }
  }

  /// Creates and locks a draft, or reuses the draft of a killed process. The system releases the lock when the process
  /// ends, even if it is killed.
  ///
  /// - Returns: the descriptor, which must be closed.
  private static func lock(_ draft: String, isFolder: Bool, name: String) throws(FileWriteError) -> CInt {
    while true {
      if isFolder, mkdir(draft, 0o777) != 0, errno != EEXIST { throw openError(errno, name: name) }
      let descriptor = open(
        draft, (isFolder ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT) | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard descriptor >= 0 else { throw openError(errno, name: name) }
      // On a file system without locks the draft stays unlocked.
      while flock(descriptor, isFolder ? LOCK_EX | LOCK_NB : LOCK_EX) != 0, errno == EINTR || errno == EWOULDBLOCK {
        guard errno == EINTR else {
          close(descriptor)
          throw .cannotWrite(file: name, reason: "another process writes there")
        }
      }
      // Another writer may have moved or removed the draft before the lock was taken.
      var (opened, named) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, lstat(draft, &named) == 0, opened.st_ino == named.st_ino,
        opened.st_dev == named.st_dev
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Opens a device or pipe. Opening a named pipe without a reader would block for ever, so we try for 2 s: its reader
  /// may be starting.
  private static func openPipe(_ path: String) -> CInt {
    var (descriptor, attempts) = (CInt(-1), 0)
    repeat {
      if attempts > 0 { usleep(10_000) }
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      attempts += 1
    } while descriptor < 0 && errno == ENXIO && attempts < 200
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    return descriptor
  }

  /// Writes the pieces to an open file and closes it.
  private static func fill(
    _ descriptor: CInt, with pieces: () throws(FileWriteError) -> [UInt8]?, name: String
  ) throws(FileWriteError) {
    guard descriptor >= 0 else { throw openError(errno, name: name) }
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

  private static func openError(_ code: CInt, name: String) -> FileWriteError {
    guard code == ENOENT || code == ENOTDIR else { return .cannotWrite(file: name, reason: SystemReason.text(code)) }
    return .noFolder(file: name, folder: URL(filePath: name).deletingLastPathComponent().relativePath)
  }
}

/// Why a file was not written. A description has one sentence.
public enum FileWriteError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The folder that should hold the file does not exist, or is a file.
  case noFolder(file: String, folder: String)
  /// The path is a folder.
  case isFolder(file: String)
  /// The system reported an error, such as no permission or no space.
  case cannotWrite(file: String, reason: String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// The reason, for the middle of a sentence.
  package var reason: String {
    switch self {
    case .noFolder(_, let folder): "folder \(folder) does not exist"
    case .isFolder: "it is a folder"
    case .cannotWrite(_, let reason): reason
    }
  }

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

/// Texts for the system's error numbers.
package enum SystemReason {
  /// The text of `code`, a value of `errno`, for the middle of a sentence.
  package static func text(_ code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EISDIR: "it is a folder"
    case EACCES, EPERM: "permission was denied"
    case ENOSPC: "the disk is full"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}
