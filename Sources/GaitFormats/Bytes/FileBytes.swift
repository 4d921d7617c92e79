import Foundation

/// The bytes of a file, or of a pipe, as they are.
package final class FileBytes: ByteSource {
  /// The size that the file system tells, or 0 where it tells none; less where most of it is a hole.
  package let expectedByteCount: Int

  private let file: String
  private let descriptor: CInt

  /// Opens the file at `url`, which errors call `file`.
  package init(contentsOf url: URL, file: String) throws(RecordingError) {
    guard url.isFileURL else { throw .cannotRead(file: file, reason: "it is not a file of this machine") }
    guard !Self.isNamedPipe(url.path) else {
      throw .cannotRead(file: file, reason: "it is a named pipe, which may never end; name a file")
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

  /// The bytes of a file, pipe or terminal that is open already, which errors call `file`; closed with the value.
  package init(descriptor: CInt, file: String) {
    self.file = file
    self.descriptor = descriptor
    self.expectedByteCount = 0
  }

  deinit { close(descriptor) }

  /// Whether there is a pipe in a folder at `path`. Opening it would wait for a writer; those that the system names, such as
  /// `/dev/stdin`, have one.
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
  /// How many bytes to expect in a file, by those that lie on disk: a sparse file states any size.
  var expectedByteCount: Int {
    // Some systems keep a small file's bytes beside its name, in no block.
    let stored = max(Int(st_blocks) * 512, 1 << 16)
    return ByteCount.expected(stated: Int(st_size), stored: stored)
  }
}
