#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a text is not the JSON that a type needs. Entries are named by their path, such as `heads[0].labels`; the path
/// of the whole text is empty.
package enum JSONFault: Error, Hashable, CustomStringConvertible {
  /// The text is empty or white space.
  case empty
  /// The text ends before its last bracket or quotation mark is closed.
  case cutShort
  /// A byte that is not allowed at its position. Lines and columns are counted from 1; columns are bytes.
  case unexpected(line: Int, column: Int)
  /// An entry is missing.
  case missing(String)
  /// An entry does not have the type, such as `String`.
  case wrongType(String, needed: String)
  /// The decoder or the type itself refuses an entry.
  case refused(String, reason: String)

  /// The greatest number of open brackets. Foundation's decoder refuses more than 512, but traps if the text ends while
  /// they are open.
  private static let greatestDepth = 500

  /// The `format` at the top level of a text, such as `gait.model`, by which Gait's files state what they are; `nil` if
  /// there is none or the text is not valid.
  package static func statedFormat(in json: Data) -> String? {
    struct Preamble: Decodable { let format: String }
    return (try? decode(Preamble.self, from: json))?.format
  }

  /// Decodes a value from the bytes of a text.
  package static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws(JSONFault) -> Value {
    guard JSONSyntax.depth(of: json) <= greatestDepth else {
      throw .refused("", reason: "it is nested too deep, or not UTF-8")
    }
    do { return try JSONDecoder().decode(type, from: json) } catch DecodingError.keyNotFound(let key, let context) {
      throw .missing(path(context.codingPath + [key]))
    } catch DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context) {
      throw .wrongType(path(context.codingPath), needed: "\(type)")
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw .refused(path(context.codingPath), reason: context.debugDescription)
    } catch {
      // The decoder rejected the whole text without a reason or a place, so find the first syntax error.
      throw JSONSyntax.fault(in: json)
        ?? .refused(
          "",
          reason: "a number is too large, or not a whole number where one is needed; or the text is not UTF-8, or has "
            + "an unpaired surrogate")
    }
  }

  /// What is wrong and where, as a phrase.
  package var description: String {
    switch self {
    case .empty: "it is empty"
    case .cutShort: "it ends before its last bracket or quotation mark is closed"
    case .unexpected(let line, let column): "it is not valid JSON at line \(line), column \(column)"
    case .missing(let entry): "\(entry) is missing"
    case .wrongType(let entry, let type): "\(entry.isEmpty ? "it" : entry) is not of type \(type)"
    case .refused(let entry, let reason): entry.isEmpty ? reason : "\(entry): \(reason)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
    }
  }
}

/// A JSON validator (RFC 8259) that finds the position of the first syntax error, which Foundation's decoder does not.
struct JSONSyntax {
  private let bytes: [UInt8]
  private var place = 0
  /// The open brackets, outermost first.
  private var open: [UInt8] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first fault, or `nil` if the bytes are JSON.
  ///
  /// - Complexity: O(bytes); no recursion, so nesting is not limited.
  static func fault(in bytes: some Sequence<UInt8>) -> JSONFault? {
    var syntax = JSONSyntax(Array(bytes))
    do { try syntax.read() } catch { return error }
    return nil
  }

  /// The greatest number of brackets that are open at once, outside of strings. The bytes need not be JSON.
  ///
  /// Foundation's decoder also reads UTF-16 and UTF-32. Their brackets and quotation marks contain zero bytes, and
  /// other characters may contain the bytes of brackets. If there are zero bytes, all opening brackets are counted,
  /// which is never less than the true depth.
  static func depth(of json: Data) -> Int {
    json.withUnsafeBytes { bytes in
      let hasZeros = bytes.contains(0)
      var (depth, greatest, isString, isEscaped) = (0, 0, false, false)
      for byte in bytes {
        if isString {
          isString = isEscaped || byte != UInt8(ascii: "\"")
          isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isString = !hasZeros
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          greatest = max(greatest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= hasZeros ? 0 : 1
        default: break
        }
      }
      return greatest
    }
  }

  private mutating func read() throws(JSONFault) {
    skipSpaces()
    guard place < bytes.count else { throw .empty }
    try readValue()
    while let bracket = open.last {
      let byte = try next()
      switch (byte, bracket) {
      case (UInt8(ascii: ","), UInt8(ascii: "{")):
        try readKey()
        try readValue()
      case (UInt8(ascii: ","), _): try readValue()
      case (UInt8(ascii: "}"), UInt8(ascii: "{")), (UInt8(ascii: "]"), UInt8(ascii: "[")): open.removeLast()
      default: throw unexpected(at: place - 1)
      }
    }
    skipSpaces()
    if place < bytes.count { throw unexpected(at: place) }
  }

  /// Reads a value without brackets, or opening brackets up to the first value in them.
  private mutating func readValue() throws(JSONFault) {
    while true {
      let byte = try next()
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        skipSpaces()
        if place < bytes.count, bytes[place] == byte + 2 {
          place += 1
          return
        }
        open.append(byte)
        if byte == UInt8(ascii: "{") { try readKey() }
      case UInt8(ascii: "\""): return try readString()
      case UInt8(ascii: "t"): return try readWord("rue")
      case UInt8(ascii: "f"): return try readWord("alse")
      case UInt8(ascii: "n"): return try readWord("ull")
      default:
        place -= 1
        return try readNumber()
      }
    }
  }

  private mutating func readKey() throws(JSONFault) {
    guard try next() == UInt8(ascii: "\"") else { throw unexpected(at: place - 1) }
    try readString()
    guard try next() == UInt8(ascii: ":") else { throw unexpected(at: place - 1) }
  }

  /// Reads the rest of a string after its opening quotation mark.
  private mutating func readString() throws(JSONFault) {
    while true {
      let byte = try take()
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"):
        let escape = try take()
        if escape == UInt8(ascii: "u") {
          for _ in 0..<4 where !Self.isHexadecimal(try take()) { throw unexpected(at: place - 1) }
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          throw unexpected(at: place - 1)
        }
      case 0..<0x20: throw unexpected(at: place - 1)
      default: break
      }
    }
  }

  private mutating func readWord(_ rest: StaticString) throws(JSONFault) {
    for offset in 0..<rest.utf8CodeUnitCount where try take() != rest.utf8Start[offset] {
      throw unexpected(at: place - 1)
    }
  }

  private mutating func readNumber() throws(JSONFault) {
    if peek == UInt8(ascii: "-") { place += 1 }
    if peek == UInt8(ascii: "0") { place += 1 } else { try readDigits() }
    if peek == UInt8(ascii: ".") {
      place += 1
      try readDigits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      place += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { place += 1 }
      try readDigits()
    }
  }

  /// Reads one digit or more.
  private mutating func readDigits() throws(JSONFault) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(try take()) else { throw unexpected(at: place - 1) }
    while let byte = peek, digits.contains(byte) { place += 1 }
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take() throws(JSONFault) -> UInt8 {
    guard place < bytes.count else { throw .cutShort }
    place += 1
    return bytes[place - 1]
  }

  /// Takes the next byte that is not white space.
  private mutating func next() throws(JSONFault) -> UInt8 {
    skipSpaces()
    return try take()
  }

  private mutating func skipSpaces() {
    while let byte = peek, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { place += 1 }
  }

  private func unexpected(at place: Int) -> JSONFault {
    let before = bytes[..<place]
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return .unexpected(line: line + 1, column: place - start + 1)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

/// A JSON object with the keys and values of a list.
package struct JSONObject: Encodable {
  private let values: KeyValuePairs<String, (any Encodable)?>
  private let others: [any Encodable]
  private let hasNulls: Bool

  /// An object from its keys and values.
  ///
  /// - Parameters:
  ///   - values: the keys with their values.
  ///   - others: objects whose keys are added.
  ///   - hasNulls: whether the key of a `nil` value is written with `null`; otherwise the key is omitted.
  package init(
    _ values: KeyValuePairs<String, (any Encodable)?>, and others: [any Encodable] = [], hasNulls: Bool = false
  ) {
    self.values = values
    self.others = others
    self.hasNulls = hasNulls
  }

  package func encode(to encoder: any Encoder) throws {
    for other in others { try other.encode(to: encoder) }
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values {
      if let value, !((value as? any Unknowable)?.isUnknown ?? false) {
        try container.encode(value, forKey: Key(stringValue: name))
      } else if hasNulls {
        try container.encodeNil(forKey: Key(stringValue: name))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// An optional value of any type, which is unknown if it is `nil`.
private protocol Unknowable {
  var isUnknown: Bool { get }
}

extension Optional: Unknowable {
  fileprivate var isUnknown: Bool { self == nil }
}

/// The version that a JSON form states, so that a later Gait can change the form and an earlier one refuses it.
package enum FormVersion {
  /// The version that this Gait writes, and the only one that it reads.
  package static let current = 1
}

extension KeyedDecodingContainer {
  /// Checks the version of a JSON form. A form without the entry has version 1.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the place of the entry for a version other than
  ///   `FormVersion.current`.
  package func checkVersion(_ key: Key) throws {
    let version = try decodeIfPresent(Int.self, forKey: key) ?? FormVersion.current
    try check(
      version == FormVersion.current, at: key,
      "is \(version), but this Gait reads \(FormVersion.current); update the app")
  }

  /// Refuses an entry unless `isPossible`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the place of the entry and the reason.
  package func check(_ isPossible: Bool, at key: Key, _ reason: @autoclosure () -> String) throws {
    guard !isPossible else { return }
    throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason())
  }
}
