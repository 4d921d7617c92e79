/// Little-endian numbers of a source, one after the other.
///
/// Memory: one piece of the source, or what is asked for at once if that is more.
struct ByteReader {
  private let source: any ByteSource
  private var rest: ArraySlice<UInt8> = []
  private static let pieceBytes = 1 << 16

  init(_ source: any ByteSource) { self.source = source }

  init(_ bytes: [UInt8]) { self.init(MemoryBytes(bytes[...])) }

  /// The next bytes; `nil` where there are not as many.
  mutating func bytes(_ count: Int) throws(RecordingError) -> ArraySlice<UInt8>? {
    if rest.count < count {
      rest = try (Array(rest) + source.next(max(count, min(Self.pieceBytes, source.expectedByteCount))))[...]
    }
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Passes over bytes; `false` where there are not as many.
  mutating func skip(_ count: Int) throws(RecordingError) -> Bool { try bytes(count) != nil }

  mutating func uint16() throws(RecordingError) -> UInt16? {
    try bytes(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  }

  mutating func uint32() throws(RecordingError) -> UInt32? {
    try bytes(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }
}
