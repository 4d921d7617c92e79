import Foundation

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
