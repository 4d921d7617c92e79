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

/// The bytes of a file or pipe, or of a range of a file, not decompressed.
package final class FileBytes: ByteSource {
  /// The size that the file system states; 0 if it states none, as for a pipe. Less for a sparse file, by its blocks on
  /// disk.
  package let expectedByteCount: Int

  private let file: OpenFile
  /// The bytes of the range that were not read yet; `nil` to read to the end of the file.
  private var rest: Range<Int>?

  /// Whether the file can be read again.
  var isRegularFile: Bool { file.status.st_mode & S_IFMT == S_IFREG }

  /// Opens the file at `url`; errors name it `file`.
  package init(contentsOf url: URL, file: String) throws(RecordingError) {
    guard url.isFileURL else { throw .cannotRead(file: file, reason: "it is not a local file") }
    let path = url.path
    guard !Self.isNamedPipe(path) else {
      throw .cannotRead(file: file, reason: "it is a named pipe, not a file")
    }
    self.file = try OpenFile(path: path, name: file)
    guard self.file.status.st_mode & S_IFMT != S_IFDIR else {
      throw .cannotRead(file: file, reason: SystemReason.text(EISDIR))
    }
    expectedByteCount = self.file.status.expectedByteCount
  }

  /// Reads from an open file, pipe or terminal, and closes it on deinitialisation. Errors name it `file`.
  package init(descriptor: CInt, file: String) {
    self.file = OpenFile(descriptor: descriptor, name: file)
    expectedByteCount = 0
  }

  fileprivate init(_ range: Range<Int>, of file: OpenFile) {
    self.file = file
    rest = range
    expectedByteCount = min(range.count, file.status.expectedByteCount)
  }

  /// Whether a named pipe exists at `path`, outside `/dev` and `/proc`. Opening a named pipe blocks until a program
  /// writes to it. Paths such as `/dev/stdin` may be pipes that a program writes to.
  private static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO && !path.hasPrefix("/dev/")
      && !path.hasPrefix("/proc/")
  }

  package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    guard let rest else { return try file.fill(buffer, from: nil) }
    guard !rest.isEmpty else { return 0 }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest.count))
    let count = try file.fill(wanted, from: rest.lowerBound)
    self.rest = rest.lowerBound + count..<rest.upperBound
    return count
  }
}

/// A file with random access.
struct FileRegion {
  /// The file's size in bytes.
  let count: Int
  private let file: OpenFile

  /// Opens the file at `url`; errors name it `file`.
  init(contentsOf url: URL, file: String) throws(RecordingError) {
    self.file = try OpenFile(path: url.path, name: file)
    guard self.file.status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadableArchive(file: file, reason: "an archive must be a file, not a pipe")
    }
    count = Int(self.file.status.st_size)
  }

  /// Reads all bytes in `range`. Throws if the file is shorter.
  func read(_ range: Range<Int>) throws(RecordingError) -> [UInt8] {
    let bytes = try source(range).next(range.count)
    guard bytes.count == range.count else { throw .unreadableArchive(file: file.name, reason: "it is truncated") }
    return bytes
  }

  /// A source of the bytes in `range`, which reads them on demand. Throws if the file is shorter.
  func source(_ range: Range<Int>) throws(RecordingError) -> any ByteSource {
    guard range.upperBound <= count else { throw .unreadableArchive(file: file.name, reason: "it is truncated") }
    return FileBytes(range, of: file)
  }
}

/// An open file, closed on deinitialisation.
private final class OpenFile {
  /// The file's name in errors.
  let name: String
  private(set) var status = stat()
  private let descriptor: CInt

  init(path: String, name: String) throws(RecordingError) {
    self.name = name
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw .cannotRead(file: name, reason: SystemReason.text(errno))
    }
  }

  init(descriptor: CInt, name: String) {
    self.name = name
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes bytes from `offset` on to `buffer`, or the next bytes if `offset` is `nil`. Returns their number, which is
  /// 0 at the end.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int?) throws(RecordingError) -> Int {
    while true {
      let count =
        offset.map { pread(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
        ?? read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .cannotRead(file: name, reason: SystemReason.text(errno)) }
    }
  }
}

extension stat {
  /// The expected number of bytes in a file. It is limited by the blocks on disk, because a sparse file can state any
  /// size.
  fileprivate var expectedByteCount: Int {
    // Some file systems store small files inline, without blocks.
    let stored = max(Int(st_blocks) * 512, 1 << 16)
    return ByteCount.expected(stated: Int(st_size), stored: stored)
  }
}
