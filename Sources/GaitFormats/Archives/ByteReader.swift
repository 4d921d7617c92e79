/// Reads little-endian numbers from a source.
///
/// Memory: 64 KiB, or the largest single request if that is more.
struct ByteReader {
  private let source: any ByteSource
  private var rest: ArraySlice<UInt8> = []
  private static let pieceBytes = 1 << 16

  init(_ source: any ByteSource) { self.source = source }

  init(_ bytes: [UInt8]) { self.init(MemoryBytes(bytes[...])) }

  /// Reads the next `count` bytes; `nil` if there are fewer.
  mutating func bytes(_ count: Int) throws(RecordingError) -> ArraySlice<UInt8>? {
    if rest.count < count {
      rest = try (Array(rest) + source.next(max(count, min(Self.pieceBytes, source.expectedByteCount))))[...]
    }
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Skips `count` bytes; `false` if there are fewer.
  mutating func skip(_ count: Int) throws(RecordingError) -> Bool { try bytes(count) != nil }

  mutating func uint16() throws(RecordingError) -> UInt16? {
    try bytes(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  }

  mutating func uint32() throws(RecordingError) -> UInt32? {
    try bytes(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }
}
