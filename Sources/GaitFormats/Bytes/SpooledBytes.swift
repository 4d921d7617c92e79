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

/// Buffers bytes until it is certain that they are to be written: in memory or, if there are many, in a temporary file
/// without a name. The file disappears at the end of the process.
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
