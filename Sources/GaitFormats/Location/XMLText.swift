#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Foundation
#endif

/// A streaming reader of XML text, one buffer at a time: tags and the text between them.
///
/// Comments and processing instructions are skipped, CDATA sections count as text. Entities are not replaced. A
/// document that declares entities is rejected, because they can expand to any size. Matching of tags is not checked.
///
/// Memory: one buffer, or the longest tag if that is longer.
///
/// Source: W3C, Extensible Markup Language (XML) 1.0, fifth edition, sections 2.4 to 2.8 and 3.1.
struct XMLText: ~Copyable {
  /// A piece of the text. Its bytes are valid until the next call of `next()`.
  enum Piece {
    /// Text between tags, or a part of it.
    case text(UnsafeBufferPointer<UInt8>)
    /// The content of a tag between its angle brackets, including the slash of `</name>` and `<name/>`.
    case tag(UnsafeBufferPointer<UInt8>)
  }

  /// The longest allowed tag, comment or declaration, in MiB.
  static let longestTagMebibytes = 1

  private let source: any ByteSource
  private let file: String
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes in the buffer. Those before `start` were returned.
  private var filled = 0
  private var start = 0
  private var isAtEnd = false
  /// The line of `start`, and the line of the last returned piece; both count from 1.
  private var nextLine = 1
  private(set) var line = 1

  static let defaultBufferBytes = 1 << 18

  /// Reads the text in `source`; errors name it `file`.
  init(_ source: any ByteSource, file: String, bufferBytes: Int = defaultBufferBytes) {
    precondition(bufferBytes >= 16, "the buffer is shorter than a tag")
    self.source = source
    self.file = file
    capacity = bufferBytes
    buffer = .allocate(capacity: capacity)
  }

  deinit { buffer.deallocate() }

  /// The next piece; `nil` at the end. A truncated tag at the end is dropped.
  mutating func next() throws(LocationFileError) -> Piece? {
    while true {
      if start == filled, try !refill() { return nil }
      guard buffer[start] == UInt8(ascii: "<") else {
        let end = index(of: UInt8(ascii: "<"), from: start) ?? filled
        return .text(take(to: end, next: end))
      }
      guard let (kind, end) = try markup() else { return nil }
      let content = take(to: end - kind.closing.utf8CodeUnitCount, from: kind.opening.utf8CodeUnitCount, next: end)
      switch kind {
      case .tag: return .tag(content)
      case .characters where !content.isEmpty: return .text(content)
      case .declaration where content.contains(UInt8(ascii: "[")): throw .declaresEntities(file: file, line: line)
      case .characters, .comment, .instruction, .declaration: continue
      }
    }
  }

  /// The kinds of markup that begin with `<`.
  private enum Markup: CaseIterable {
    case comment, characters, declaration, instruction, tag

    var opening: StaticString {
      switch self {
      case .comment: "<!--"
      case .characters: "<![CDATA["
      case .declaration: "<!"
      case .instruction: "<?"
      case .tag: "<"
      }
    }

    var closing: StaticString {
      switch self {
      case .comment: "-->"
      case .characters: "]]>"
      case .instruction: "?>"
      case .declaration, .tag: ">"
      }
    }
  }

  /// The kind of the markup at `start` and its end; `nil` if the text ends first.
  private mutating func markup() throws(LocationFileError) -> (Markup, end: Int)? {
    while filled - start < 9, try refill() {}
    let kind = kindAtStart
    // Bytes that were searched are not searched again after a refill.
    var searched = kind.opening.utf8CodeUnitCount
    var quote: UInt8 = 0
    while true {
      if let end = end(of: kind, searched: &searched, quote: &quote) { return (kind, end) }
      guard try refill() else { return nil }
    }
  }

  private var kindAtStart: Markup {
    if filled - start > 1, buffer[start + 1] != UInt8(ascii: "!"), buffer[start + 1] != UInt8(ascii: "?") {
      return .tag
    }
    return Markup.allCases.first { kind in
      let count = kind.opening.utf8CodeUnitCount
      return filled - start >= count && memcmp(buffer + start, kind.opening.utf8Start, count) == 0
    } ?? .tag
  }

  /// The end of the markup at `start`, if it is in the buffer.
  private func end(of kind: Markup, searched: inout Int, quote: inout UInt8) -> Int? {
    if kind == .tag { return endOfTag(searched: &searched, quote: &quote) }
    let (closing, count) = (kind.closing.utf8Start, kind.closing.utf8CodeUnitCount)
    var from = start + searched
    while let bracket = index(of: UInt8(ascii: ">"), from: from) {
      let end = bracket + 1
      if end - start >= kind.opening.utf8CodeUnitCount + count, memcmp(buffer + end - count, closing, count) == 0 {
        return end
      }
      from = end
    }
    searched = filled - start
    return nil
  }

  /// The end of the tag at `start`, if it is in the buffer. A bracket within quotes does not end a tag.
  private func endOfTag(searched: inout Int, quote: inout UInt8) -> Int? {
    var place = start + searched
    while place < filled {
      let byte = buffer[place]
      place += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return place
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    searched = place - start
    return nil
  }

  private func index(of byte: UInt8, from place: Int) -> Int? {
    memchr(buffer + place, Int32(byte), filled - place).map { $0 - UnsafeMutableRawPointer(buffer) }
  }

  /// Returns the bytes from `start + count` to `end`, and moves `start` to `next`.
  private mutating func take(to end: Int, from count: Int = 0, next: Int) -> UnsafeBufferPointer<UInt8> {
    line = nextLine
    for place in start..<next where buffer[place] == UInt8(ascii: "\n") { nextLine += 1 }
    defer { start = next }
    return UnsafeBufferPointer(start: buffer + start + count, count: end - start - count)
  }

  /// Moves the unread bytes to the buffer's start and reads more; returns `false` if the source has no more.
  private mutating func refill() throws(LocationFileError) -> Bool {
    guard !isAtEnd else { return false }
    filled -= start
    buffer.update(from: buffer + start, count: filled)
    start = 0
    if filled == capacity { try grow() }
    do {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - filled))
      filled += count
      isAtEnd = count == 0
    } catch {
      throw .table(error)
    }
    return !isAtEnd
  }

  private mutating func grow() throws(LocationFileError) {
    guard capacity < Self.longestTagMebibytes << 20 else {
      throw .table(.longLine(file: file, line: nextLine, longestMebibytes: Self.longestTagMebibytes))
    }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: buffer, count: filled)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}

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
    let wanted = UnsafeBufferPointer(start: attribute.utf8Start, count: attribute.utf8CodeUnitCount)
    var rest = bytes[name.endIndex...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      guard let open = rest[(equals + 1)...].firstIndex(where: { $0 > UInt8(ascii: " ") }),
        [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[open]),
        let close = rest[(open + 1)...].firstIndex(of: bytes[open])
      else { return nil }
      if rest[..<equals].trimmed.elementsEqual(wanted) {
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
