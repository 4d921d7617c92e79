#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Foundation
#endif

/// The content of an XML tag between its angle brackets.
struct XMLTag {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The name without the namespace prefix.
  private let name: Slice<UnsafeBufferPointer<UInt8>>
  /// Whether it is `</name>`.
  let isEnd: Bool

  /// Parses `bytes`, which must stay valid during the tag's use.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    isEnd = bytes.first == UInt8(ascii: "/")
    let start = isEnd ? 1 : 0
    let end = bytes[start...].firstIndex { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "/") } ?? bytes.endIndex
    let prefix = bytes[start..<end].lastIndex(of: UInt8(ascii: ":"))
    name = bytes[(prefix.map { $0 + 1 } ?? start)..<end]
  }

  /// Whether the tag is self-closing: `<name/>`.
  var isEmpty: Bool { bytes.last == UInt8(ascii: "/") }

  /// Whether the tag has this name, ignoring the namespace prefix.
  func isNamed(_ text: StaticString) -> Bool {
    guard name.count == text.utf8CodeUnitCount, let start = bytes.baseAddress else { return false }
    return memcmp(start + name.startIndex, text.utf8Start, name.count) == 0
  }

  /// The value of an attribute as a number; `nil` if absent or not a number.
  func number(_ attribute: StaticString) -> Double? {
    var rest = bytes[name.endIndex...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      guard let open = rest[(equals + 1)...].firstIndex(where: { $0 > UInt8(ascii: " ") }),
        [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[open]),
        let close = rest[(open + 1)...].firstIndex(of: bytes[open])
      else { return nil }
      if rest[..<equals].trimmed.elementsEqual(UnsafeBufferPointer(attribute)) {
        return DecimalNumber.parse(UnsafeBufferPointer(rebasing: rest[(open + 1)..<close].trimmed))
      }
      rest = rest[(close + 1)...]
    }
    return nil
  }

  /// The first 60 bytes, for errors.
  var shown: String { String(decoding: bytes.prefix(60), as: UTF8.self) }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// The bytes without leading and trailing blanks.
  var trimmed: SubSequence {
    let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate init(_ text: StaticString) {
    self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
