import Foundation

/// A file's bytes in chunks of whole lines, each line ended by a line feed.
///
/// A line that a chunk cuts is carried over to the next; a last line without its line feed gets one. Memory: one chunk,
/// or the longest line if that is longer.
///
/// Source of the chunk's default: reading 1 MiB at a time beat both mapping and reading the whole file.
final class LineChunks {
  static let defaultChunkBytes = 1 << 20

  private let file: String
  private let descriptor: CInt
  private let longestLine: Int
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The bytes in the buffer, of which the first `served` were handed out.
  private var filled = 0
  private var served = 0
  private var atEnd = false

  /// The lines in the chunks before the next; who counts them tells, so that errors can.
  var linesBefore = 0

  /// The size that the file system tells, or 0 where it tells none (a pipe).
  let byteCount: Int

  /// Opens the file at `url`, which errors call `file`.
  init(contentsOf url: URL, file: String, chunkBytes: Int = defaultChunkBytes) throws(RecordingError) {
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
    self.byteCount = Int(status.st_size)
    self.capacity = max(chunkBytes, 2)
    self.longestLine = max(16 << 20, chunkBytes)
    self.buffer = .allocate(capacity: capacity)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The next chunk, valid until the next call, or `nil` at the end of the file. It is never empty and ends with a line
  /// feed.
  func next() throws(RecordingError) -> UnsafeBufferPointer<UInt8>? {
    filled -= served
    buffer.update(from: buffer + served, count: filled)
    served = 0
    while true {
      let searched = filled
      try fill()
      if atEnd, filled > 0, buffer[filled - 1] != UInt8(ascii: "\n") {
        buffer[filled] = UInt8(ascii: "\n")
        filled += 1
      }
      guard filled > 0 else { return nil }
      if let end = endOfLastLine(from: searched) {
        served = end
        return try text(UnsafeBufferPointer(start: buffer, count: end))
      }
      try grow()
    }
  }

  /// Fills the buffer up to one spare byte, which a missing last line feed may need.
  private func fill() throws(RecordingError) {
    while !atEnd, filled < capacity - 1 {
      let count = read(descriptor, buffer + filled, capacity - 1 - filled)
      if count > 0 {
        filled += count
      } else if count == 0 {
        atEnd = true
      } else if errno != EINTR {
        throw .cannotRead(file: file, reason: SystemReason.text(errno))
      }
    }
  }

  private func endOfLastLine(from searched: Int) -> Int? {
    var end = filled
    while end > searched {
      if buffer[end - 1] == UInt8(ascii: "\n") { return end }
      end -= 1
    }
    return nil
  }

  private func grow() throws(RecordingError) {
    guard memchr(buffer, 0, filled) == nil else { throw .notText(file: file, line: linesBefore + 1) }
    guard capacity < longestLine else {
      throw .cannotRead(file: file, reason: "line \(linesBefore + 1) is longer than \(longestLine >> 20) MiB")
    }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: buffer, count: filled)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }

  /// `chunk`, unless it holds a zero byte, which no text does.
  private func text(_ chunk: UnsafeBufferPointer<UInt8>) throws(RecordingError) -> UnsafeBufferPointer<UInt8> {
    if let zero = memchr(chunk.baseAddress!, 0, chunk.count) {
      let before = chunk.baseAddress!.distance(to: zero.assumingMemoryBound(to: UInt8.self))
      throw .notText(file: file, line: linesBefore + chunk[..<before].count { $0 == UInt8(ascii: "\n") } + 1)
    }
    return chunk
  }
}
