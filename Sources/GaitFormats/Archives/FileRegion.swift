import Foundation

/// A file whose bytes are read from anywhere.
final class FileRegion {
  /// How many bytes the file has.
  let count: Int
  /// How many bytes to expect of the whole: fewer where most of it is a hole.
  fileprivate let expectedByteCount: Int
  private let descriptor: CInt
  private let file: String

  /// Opens the file at `url`, which errors call `file`.
  init(contentsOf url: URL, file: String) throws(RecordingError) {
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadableArchive(file: file, reason: "an archive can only be read from a file, not from a pipe")
    }
    count = Int(status.st_size)
    expectedByteCount = status.expectedByteCount
    self.file = file
  }

  deinit { close(descriptor) }

  /// The bytes in `range`, all of them.
  func read(_ range: Range<Int>) throws(RecordingError) -> [UInt8] {
    let bytes = try source(range).next(range.count)
    guard bytes.count == range.count else { throw .unreadableArchive(file: file, reason: "it is cut off") }
    return bytes
  }

  /// The bytes in `range`, as they are asked for.
  func source(_ range: Range<Int>) throws(RecordingError) -> any ByteSource {
    guard range.upperBound <= count else { throw .unreadableArchive(file: file, reason: "it is cut off") }
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

/// A part of a file.
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
