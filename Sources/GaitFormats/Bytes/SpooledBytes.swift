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

/// Holds bytes that are written to a file only when all of them are known. From 8 MiB on they are in a temporary file
/// without a name, which disappears with the object or the process.
package final class SpooledBytes {
  /// The number of bytes.
  package private(set) var count = 0
  private var pending: [UInt8] = []
  private var descriptor: CInt = -1
  private var stored = 0
  private let folder: String

  /// The number of bytes from which they move from memory to the temporary file.
  private static let capacity = 8 << 20

  /// Creates an empty buffer, whose temporary file will be in `folder`.
  package init(in folder: URL = FileManager.default.temporaryDirectory) { self.folder = folder.path }

  /// Creates a buffer with these bytes.
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
      let path = "\(folder)/.gait-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
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

  /// Calls `body` with all bytes, in order, one piece after the other.
  package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    var position = 0
    while let piece = try piece(at: &position) { try body(piece) }
  }

  /// Writes the bytes of all `parts`, in order, to the file at `url`, as `AtomicFile.write` does.
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

  /// The next bytes from `position` on; `nil` at the end. Moves `position` past them.
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
