/// Little-endian numbers, one after the other.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next bytes; `nil` where there are not as many.
  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Passes over bytes; `false` where there are not as many.
  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  mutating func uint16() -> UInt16? {
    bytes(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  }

  mutating func uint32() -> UInt32? {
    bytes(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }
}
