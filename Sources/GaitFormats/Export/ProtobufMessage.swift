/// A Protocol Buffers message, encoded field by field: the subset that ONNX and Core ML files need.
///
/// Source: developers.google.com/protocol-buffers, "Encoding". Fields are written in the order in which they are added,
/// so equal messages have equal bytes.
struct ProtobufMessage {
  /// The encoded message.
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
  }

  /// A message of the fields that `fill` adds.
  init(_ fill: (inout ProtobufMessage) -> Void = { _ in }) {
    fill(&self)
  }

  /// An int32, int64, uint64, bool or enumeration.
  mutating func add(_ field: Int, _ value: Int) {
    addKey(field, .varint)
    Self.addVarint(UInt64(bitPattern: Int64(value)), to: &bytes)
  }

  /// A double.
  mutating func add(_ field: Int, _ value: Double) {
    addKey(field, .fixed64)
    Self.addLittleEndian(value.bitPattern, to: &bytes)
  }

  /// A float.
  mutating func add(_ field: Int, _ value: Float) {
    addKey(field, .fixed32)
    Self.addLittleEndian(value.bitPattern, to: &bytes)
  }

  /// A string.
  mutating func add(_ field: Int, _ text: String) {
    add(field, bytes: Array(text.utf8))
  }

  /// Strings, one entry each.
  mutating func add(_ field: Int, _ texts: [String]) {
    for text in texts { add(field, text) }
  }

  /// A message.
  mutating func add(_ field: Int, _ fill: (inout ProtobufMessage) -> Void) {
    add(field, bytes: ProtobufMessage(fill).bytes)
  }

  /// Numbers in one packed entry.
  mutating func add(_ field: Int, packed values: [Int]) {
    var packed: [UInt8] = []
    for value in values { Self.addVarint(UInt64(bitPattern: Int64(value)), to: &packed) }
    add(field, bytes: packed)
  }

  /// Floats in one packed entry.
  mutating func add(_ field: Int, packed values: [Float]) {
    var packed: [UInt8] = []
    for value in values { Self.addLittleEndian(value.bitPattern, to: &packed) }
    add(field, bytes: packed)
  }

  private mutating func add(_ field: Int, bytes content: [UInt8]) {
    addKey(field, .lengthDelimited)
    Self.addVarint(UInt64(content.count), to: &bytes)
    bytes += content
  }

  private mutating func addKey(_ field: Int, _ type: WireType) {
    Self.addVarint(UInt64(field) << 3 | type.rawValue, to: &bytes)
  }

  /// Seven bits per byte, lowest first; the eighth bit is set if more bytes follow.
  private static func addVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func addLittleEndian(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
