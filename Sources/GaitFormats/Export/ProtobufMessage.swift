import Gait

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
    bytes.append(variable: UInt64(bitPattern: Int64(value)))
  }

  /// A double.
  mutating func add(_ field: Int, _ value: Double) {
    addKey(field, .fixed64)
    bytes.append(little: value.bitPattern)
  }

  /// A float.
  mutating func add(_ field: Int, _ value: Float) {
    addKey(field, .fixed32)
    bytes.append(little: value.bitPattern)
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
    for value in values { packed.append(variable: UInt64(bitPattern: Int64(value))) }
    add(field, bytes: packed)
  }

  /// Floats in one packed entry.
  mutating func add(_ field: Int, packed values: [Float]) {
    var packed: [UInt8] = []
    for value in values { packed.append(little: value.bitPattern) }
    add(field, bytes: packed)
  }

  private mutating func add(_ field: Int, bytes content: [UInt8]) {
    addKey(field, .lengthDelimited)
    bytes.append(variable: UInt64(content.count))
    bytes += content
  }

  private mutating func addKey(_ field: Int, _ type: WireType) {
    bytes.append(variable: UInt64(field) << 3 | type.rawValue)
  }
}
