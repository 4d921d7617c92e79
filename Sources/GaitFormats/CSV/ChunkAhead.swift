/// A chunk of a file that is parsed on another thread before its rows are used.
///
/// Only one thread uses it at a time: the worker until it ends, then the caller, who waits for it.
final class ChunkAhead: @unchecked Sendable {
  /// The number of lines that the reader had read when the chunk was.
  let line: Int
  private let bytes: UnsafeBufferPointer<UInt8>
  private let memory: LineChunks.Memory
  private let mayBeTruncated: Bool
  private var reader: RowReader
  private var isParsed = false
  private var wait: (() -> Void)?

  /// - Parameters:
  ///   - bytes: whole lines.
  ///   - memory: what `bytes` are part of.
  ///   - mayBeTruncated: whether the last line has no line feed in the file.
  ///   - reader: a reader of later rows without rows.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ memory: LineChunks.Memory, mayBeTruncated: Bool,
    _ reader: consuming RowReader
  ) {
    (self.bytes, self.memory, self.mayBeTruncated) = (bytes, memory, mayBeTruncated)
    self.reader = reader
    line = self.reader.line
  }

  /// Starts parsing the chunk.
  func start(_ workers: Workers) {
    wait = workers.start(false) { self.isParsed = (try? self.append(to: &self.reader)) != nil }
  }

  /// Waits for the rows and returns their reader; `nil` if a line is not a row. Then the caller parses the chunk again,
  /// as only that reader knows the line's number for the error.
  func takeRows() -> RowReader? {
    wait?()
    wait = nil
    return isParsed ? reader : nil
  }

  /// Parses the chunk.
  func append(to reader: inout RowReader) throws(RecordingError) {
    guard let start = bytes.baseAddress else { return }
    try reader.append(from: start, to: start + bytes.count, mayBeTruncated: mayBeTruncated)
  }
}
