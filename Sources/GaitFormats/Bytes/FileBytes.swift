import Foundation

/// The bytes of a file, or of a pipe, as they are.
package final class FileBytes: ByteSource {
  /// The size that the file system tells, or 0 where it tells none.
  package let expectedByteCount: Int

  private let file: String
  private let descriptor: CInt

  /// Opens the file at `url`, which errors call `file`.
  package init(contentsOf url: URL, file: String) throws(RecordingError) {
    guard url.isFileURL else { throw .cannotRead(file: file, reason: "it is not a file of this machine") }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw .cannotRead(file: file, reason: SystemReason.text(EISDIR))
    }
    self.file = file
    self.descriptor = descriptor
    self.expectedByteCount = Int(status.st_size)
  }

  deinit { close(descriptor) }

  package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .cannotRead(file: file, reason: SystemReason.text(errno)) }
    }
  }
}
