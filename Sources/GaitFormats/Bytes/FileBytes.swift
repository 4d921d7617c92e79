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
