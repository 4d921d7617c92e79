#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ActivityModel {
  /// The `format` entry of a model file.
  public static let formatName = ModelError.modelFormat
  /// The newest version of the model file that this Gait reads.
  public static let formatVersion = 3

  /// The version of this model's file: 3 with rejection, which older readers do not know, else 2.
  package var fileVersion: Int { heads.contains { $0.rejection != nil } ? 3 : 2 }

  /// Reads a model file.
  ///
  /// - Throws: `ModelError` if the file cannot be read, is truncated, edited or invalid, or has a newer version.
  public init(contentsOf url: URL) throws(ModelError) {
    let data: Data
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
    guard ModelRanges.fileSize ~= size else {
      throw .cannotRead(
        file: url.relativePath, reason: "\(size) bytes; a model has at most \(ModelRanges.fileSize.upperBound)")
    }
    do { data = try Data(contentsOf: url) } catch {
      throw .cannotRead(file: url.relativePath, reason: Self.reason(error, for: url))
    }
    try self.init(json: data, name: url.relativePath)
  }

  /// Reads a model from the contents of a model file.
  ///
  /// - Parameters:
  ///   - json: the file's contents.
  ///   - name: the name of the file in errors.
  /// - Throws: `ModelError`, as `init(contentsOf:)`, except `cannotRead`.
  public init(json: Data, name: String) throws(ModelError) {
    let preamble: ActivityModelFile.Preamble = try Self.decode(json, name: name)
    guard preamble.format == Self.formatName else { throw .notAModel(file: name) }
    guard let version = preamble.version else {
      throw .invalid(file: name, path: "version", reason: "the entry is missing")
    }
    guard version <= Self.formatVersion else {
      throw .newerVersion(file: name, found: version, supported: Self.formatVersion)
    }
    guard version >= 1 else { throw .invalid(file: name, path: "version", reason: "\(version) is not a version") }
    let file: ActivityModelFile = try Self.decode(json, name: name)
    do throws(ModelError) { self = try file.model() } catch { throw error.inFile(name) }
    let computed = file.computedChecksum()
    guard let stated = file.checksum else {
      throw .invalid(file: name, path: "checksum", reason: "the entry is missing")
    }
    guard stated == computed else { throw .edited(file: name, stated: SafeText.short(stated)) }
  }

  /// A model from Swift source that `gait export --format swift` wrote, such as `ActivityModel.running`.
  ///
  /// - Precondition: the text is the unchanged contents of a model file. Text in a program does not change after
  ///   compilation, so an error is a programming error: it traps.
  public init(embedded json: String) {
    do { try self.init(json: Data(json.utf8), name: "embedded model") } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The contents of the model file: JSON with sorted keys. The same model gives the same bytes.
  public func json() -> Data {
    var file = ActivityModelFile(self)
    file.checksum = file.computedChecksum()
    var json = file.encoded([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    json.append(UInt8(ascii: "\n"))
    return json
  }

  /// Writes the model file atomically, replacing an existing one.
  ///
  /// - Throws: `ModelError.cannotWrite`.
  public func write(to url: URL) throws(ModelError) {
    do { try json().write(to: url, options: .atomic) } catch {
      throw .cannotWrite(file: url.relativePath, reason: Self.reason(error, for: url.deletingLastPathComponent()))
    }
  }

  private static func decode<Value: Decodable>(_ json: Data, name: String) throws(ModelError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch let error as DecodingError {
      throw Self.fileError(error, json: json, name: name)
    } catch {
      throw .notJSON(file: name, reason: "\(error)")
    }
  }

  private static func fileError(_ error: DecodingError, json: Data, name: String) -> ModelError {
    func path(_ context: DecodingError.Context) -> String {
      SafeText.short(
        context.codingPath.reduce(into: "") { path, key in
          path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : ".\(key.stringValue)")
        })
    }
    switch error {
    case .keyNotFound(let key, let context):
      return .invalid(file: name, path: path(context), reason: "the entry \"\(key.stringValue)\" is missing")
    case .typeMismatch(_, let context) where context.codingPath.isEmpty:
      return .notAModel(file: name)
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return .invalid(file: name, path: path(context), reason: "the entry is not of type \(type)")
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      let reason = "the number is too large, or not a whole number where one is needed"
      return .invalid(file: name, path: path(context), reason: reason)
    case .dataCorrupted: return syntaxError(in: json, name: name)
    @unknown default: return syntaxError(in: json, name: name)
    }
  }

  /// The error of a file that the decoder rejects as a whole.
  private static func syntaxError(in json: Data, name: String) -> ModelError {
    switch JSONSyntax.fault(in: json) {
    case .empty: return .notJSON(file: name, reason: "the file is empty")
    case .cutShort: return .truncated(file: name)
    case .unexpected(1, 1): return .notJSON(file: name, reason: "the first character is not {")
    case .unexpected(let line, let column):
      return .notJSON(file: name, reason: "syntax error at line \(line), column \(column)")
    case nil:
      // The decoder does not report which of these it is, nor where.
      let reason =
        "a number is too large, or not a whole number where one is needed; or the text is not UTF-8, is nested too "
        + "deep, or has an unpaired surrogate"
      return .invalid(file: name, path: "", reason: reason)
    }
  }

  private static func reason(_ error: any Error, for url: URL) -> String {
    let code = (error as? CocoaError)?.code
    switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "it does not exist"
    case .fileReadNoPermission, .fileWriteNoPermission:
      // Foundation reports a pipe or device as a missing permission.
      let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
      return type == nil || type == .typeRegular ? "permission denied" : "it is not a regular file"
    case .fileWriteOutOfSpace: return "the disk is full"
    default:
      var isDirectory = false
      let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      return exists ? (isDirectory ? "it is a folder" : "\(error)") : "it does not exist"
    }
  }
}

extension ActivityModelFile {
  /// The checksum of all entries except itself: 64-bit FNV-1a of the compact JSON with sorted keys.
  ///
  /// It detects accidental changes and hand edits. It does not protect against an attacker.
  func computedChecksum() -> String {
    var copy = self
    copy.checksum = nil
    let digest = copy.encoded([.sortedKeys, .withoutEscapingSlashes]).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let hexadecimal = String(digest, radix: 16)
    return "fnv1a64:" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }

  fileprivate func encoded(_ formatting: JSONEncoder.OutputFormatting) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do { return try encoder.encode(self) } catch {
      preconditionFailure("every number of a model is finite, so JSON can represent it: \(error)")
    }
  }
}

/// A JSON validator (RFC 8259) that finds the position of the first syntax error.
///
/// A decoder also rejects some valid JSON, such as deep nesting, and does not report which of the two it was.
struct JSONSyntax {
  /// A syntax error.
  enum Fault: Error, Hashable {
    /// The text is empty or white space.
    case empty
    /// The text ends before its last bracket or quotation mark is closed.
    case cutShort
    /// A byte that is not allowed at its position. Lines and columns are counted from 1; columns are bytes.
    case unexpected(line: Int, column: Int)
  }

  private let bytes: [UInt8]
  private var place = 0
  /// The open brackets, outermost first.
  private var open: [UInt8] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first fault, or `nil` if the bytes are JSON.
  ///
  /// - Complexity: O(bytes); no recursion, so nesting is not limited.
  static func fault(in bytes: some Sequence<UInt8>) -> Fault? {
    var syntax = JSONSyntax(Array(bytes))
    do { try syntax.read() } catch { return error }
    return nil
  }

  private mutating func read() throws(Fault) {
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
  private mutating func readValue() throws(Fault) {
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

  private mutating func readKey() throws(Fault) {
    guard try next() == UInt8(ascii: "\"") else { throw unexpected(at: place - 1) }
    try readString()
    guard try next() == UInt8(ascii: ":") else { throw unexpected(at: place - 1) }
  }

  /// Reads the rest of a string after its opening quotation mark.
  private mutating func readString() throws(Fault) {
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

  private mutating func readWord(_ rest: StaticString) throws(Fault) {
    for offset in 0..<rest.utf8CodeUnitCount where try take() != rest.utf8Start[offset] {
      throw unexpected(at: place - 1)
    }
  }

  private mutating func readNumber() throws(Fault) {
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
  private mutating func readDigits() throws(Fault) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(try take()) else { throw unexpected(at: place - 1) }
    while let byte = peek, digits.contains(byte) { place += 1 }
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take() throws(Fault) -> UInt8 {
    guard place < bytes.count else { throw .cutShort }
    place += 1
    return bytes[place - 1]
  }

  /// Takes the next byte that is not white space.
  private mutating func next() throws(Fault) -> UInt8 {
    skipSpaces()
    return try take()
  }

  private mutating func skipSpaces() {
    while let byte = peek, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { place += 1 }
  }

  private func unexpected(at place: Int) -> Fault {
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
