import Foundation

/// The bytes of a file or pipe, not decompressed.
package final class FileBytes: ByteSource {
  /// The size from the file system, or 0 if it has none. Less for a sparse file.
  package let expectedByteCount: Int

  private let file: String
  private let descriptor: CInt

  /// Opens the file at `url`; errors name it `file`.
  package init(contentsOf url: URL, file: String) throws(RecordingError) {
    guard url.isFileURL else { throw .cannotRead(file: file, reason: "it is not a local file") }
    guard !Self.isNamedPipe(url.path) else {
      throw .cannotRead(file: file, reason: "it is a named pipe, not a file")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw .cannotRead(file: file, reason: SystemReason.text(EISDIR))
    }
    self.file = file
    self.descriptor = descriptor
    self.expectedByteCount = status.expectedByteCount
  }

  /// Takes ownership of an open file, pipe or terminal and closes it on deinitialisation. Errors name it `file`.
  package init(descriptor: CInt, file: String) {
    self.file = file
    self.descriptor = descriptor
    self.expectedByteCount = 0
  }

  deinit { close(descriptor) }

  /// Whether there is a named pipe at `path`. Opening it would block until it has a writer. System paths such as
  /// `/dev/stdin` have one.
  private static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO && !path.hasPrefix("/dev/")
      && !path.hasPrefix("/proc/")
  }

  package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    }
  }
}

extension stat {
  /// The expected number of bytes in a file. Limited by the blocks on disk, as a sparse file can state any size.
  var expectedByteCount: Int {
    // Some file systems store small files inline, without blocks.
    let stored = max(Int(st_blocks) * 512, 1 << 16)
    return ByteCount.expected(stated: Int(st_size), stored: stored)
  }
}

/// A file with random access.
final class FileRegion {
  /// The file's size in bytes.
  let count: Int
  /// The expected number of bytes, fewer than `count` for a sparse file.
  fileprivate let expectedByteCount: Int
  private let descriptor: CInt
  private let file: String

  /// Opens the file at `url`; errors name it `file`.
  init(contentsOf url: URL, file: String) throws(RecordingError) {
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadableArchive(file: file, reason: "an archive must be a file, not a pipe")
    }
    count = Int(status.st_size)
    expectedByteCount = status.expectedByteCount
    self.file = file
  }

  deinit { close(descriptor) }

  /// Reads all bytes in `range`.
  func read(_ range: Range<Int>) throws(RecordingError) -> [UInt8] {
    let bytes = try source(range).next(range.count)
    guard bytes.count == range.count else { throw .unreadableArchive(file: file, reason: "it is truncated") }
    return bytes
  }

  /// A source of the bytes in `range`, read on demand.
  func source(_ range: Range<Int>) throws(RecordingError) -> any ByteSource {
    guard range.upperBound <= count else { throw .unreadableArchive(file: file, reason: "it is truncated") }
    return FileRegionBytes(self, range: range)
  }

  fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(RecordingError) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    }
  }
}

/// The bytes of one range of a file.
private final class FileRegionBytes: ByteSource {
  private let file: FileRegion
  private var rest: Range<Int>
  let expectedByteCount: Int

  init(_ file: FileRegion, range: Range<Int>) {
    self.file = file
    rest = range
    expectedByteCount = min(range.count, file.expectedByteCount)
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    guard !rest.isEmpty else { return 0 }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest.count))
    let count = try file.fill(wanted, from: rest.lowerBound)
    rest = rest.lowerBound + count..<rest.upperBound
    return count
  }
}

/// Texts for the system's error numbers.
enum SystemReason {
  /// The text of `code`, a value of `errno`, for the middle of a sentence.
  static func text(_ code: CInt) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EISDIR: "it is a folder"
    case EACCES, EPERM: "permission was denied"
    case ENOSPC: "the disk is full"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}
