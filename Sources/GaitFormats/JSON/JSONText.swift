/// A streaming reader of JSON text (RFC 8259), one buffer at a time.
///
/// Accepts the same text as Foundation: the strict grammar (UTF-8, no control characters, no lone surrogates), and a
/// trailing comma in a list. Brackets nest at most `deepest` deep, so that no file exhausts the stack.
///
/// Zeros follow the text in the buffer. They are invalid in JSON, so every read stops at the end of the text.
///
/// Memory: one buffer, or the longest number if that is longer.
struct JSONText: ~Copyable {
  /// The maximum nesting depth of brackets.
  static let deepest = 512
  static let defaultBufferBytes = 1 << 18

  private let source: any ByteSource
  private let file: String
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The end of the bytes in the buffer.
  private var end: UnsafePointer<UInt8>
  /// The current byte. `peek()` refills the buffer if the cursor is at `end`.
  var cursor: UnsafePointer<UInt8>
  private var isAtEnd = false
  /// The number of bytes before those now in the buffer.
  private var bytesBefore = 0
  private var line = 1
  /// The start of the line, in bytes from the start of the text.
  private var lineStart = 0
  private var depth = 0

  private static let paddingByteCount = 64
  private static let longestNumber = 16 << 20

  /// Opens the text in `source`; errors name it `file`. A byte-order mark is skipped.
  ///
  /// - Throws: `RecordingError.emptyFile` if the source is empty.
  init(
    _ source: any ByteSource, file: String, bufferBytes: Int = defaultBufferBytes
  ) throws(RecordingError) {
    precondition(bufferBytes >= 64, "the buffer is shorter than a number")
    self.source = source
    self.file = file
    capacity = bufferBytes
    buffer = .allocate(capacity: capacity + Self.paddingByteCount)
    cursor = UnsafePointer(buffer)
    end = cursor
    try refill(keepingFrom: cursor)
    if cursor == end { throw .emptyFile(file: file) }
    if cursor[0] == 0xEF, cursor[1] == 0xBB, cursor[2] == 0xBF { cursor += 3 }
  }

  deinit { buffer.deallocate() }

  /// Moves the bytes from `start` on to the buffer's start, and fills the rest of the buffer.
  @inline(never)
  private mutating func refill(keepingFrom start: UnsafePointer<UInt8>) throws(RecordingError) {
    let (kept, ahead) = (end - start, cursor - start)
    bytesBefore += start - UnsafePointer(buffer)
    buffer.update(from: start, count: kept)
    if kept == capacity { try grow() }
    var filled = kept
    while !isAtEnd, filled < capacity {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - filled))
      filled += count
      isAtEnd = count == 0
    }
    (buffer + filled).initialize(repeating: 0, count: Self.paddingByteCount)
    cursor = UnsafePointer(buffer + ahead)
    end = UnsafePointer(buffer + filled)
  }

  private mutating func grow() throws(RecordingError) {
    guard capacity < Self.longestNumber else { throw fault() }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + Self.paddingByteCount)
    larger.update(from: buffer, count: capacity)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }

  /// The byte at the cursor; 0 at the end.
  @inline(__always)
  mutating func peek() throws(RecordingError) -> UInt8 {
    if cursor == end, !isAtEnd { try refill(keepingFrom: cursor) }
    return cursor.pointee
  }

  /// Skips blanks and returns the byte after them.
  @inline(__always)
  mutating func peekAfterBlanks() throws(RecordingError) -> UInt8 {
    while true {
      let byte = try peek()
      if byte > UInt8(ascii: " ") { return byte }
      guard try skipBlank(byte) else { return byte }
    }
  }

  private mutating func skipBlank(_ byte: UInt8) throws(RecordingError) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): cursor += 1
    case UInt8(ascii: "\n"):
      cursor += 1
      line += 1
      lineStart = offset
    default: return false
    }
    return true
  }

  /// Skips `byte`, which must be at the cursor.
  @inline(__always)
  mutating func take(_ byte: UInt8) throws(RecordingError) {
    guard try peek() == byte else { throw fault() }
    cursor += 1
  }

  /// The number of bytes from the start of the text to the cursor.
  var offset: Int { bytesBefore + (cursor - UnsafePointer(buffer)) }

  /// Whether the cursor is at the end of the text.
  var hasEnded: Bool { isAtEnd && cursor == end }

  /// A position in the text. Line and column count from 1, columns in bytes.
  struct Place: CustomStringConvertible {
    let line: Int
    let column: Int
    var description: String { "line \(line), column \(column)" }
  }

  /// The cursor's position.
  var place: Place { Place(line: line, column: offset - lineStart + 1) }

  /// The error of invalid JSON at the cursor.
  func fault() -> RecordingError { .notGyroData(file: file, reason: "it is not valid JSON (\(place))") }
}

// MARK: Objects and arrays

extension JSONText {
  /// Reads the object at the cursor. Calls `body` with the name of each member; `body` must read the value.
  @inline(__always)
  mutating func readObject(
    _ body: (inout JSONText, JSONName) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    try readList(to: UInt8(ascii: "}")) { text throws(RecordingError) in
      let name = try text.readName()
      guard try text.peekAfterBlanks() == UInt8(ascii: ":") else { throw text.fault() }
      text.cursor += 1
      _ = try text.peekAfterBlanks()
      try body(&text, name)
    }
  }

  /// Reads the array at the cursor. Calls `body` with the index of each element; `body` must read the element.
  @inline(__always)
  mutating func readArray(
    _ body: (inout JSONText, Int) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    var count = 0
    try readList(to: UInt8(ascii: "]")) { text throws(RecordingError) in
      try body(&text, count)
      count += 1
    }
  }

  /// Reads a comma-separated list from the opening bracket at the cursor to the closing `bracket`.
  @inline(__always)
  private mutating func readList(
    to bracket: UInt8, _ body: (inout JSONText) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    guard depth < Self.deepest else { throw fault() }
    depth += 1
    cursor += 1
    if try peekAfterBlanks() != bracket {
      while true {
        try body(&self)
        let next = try peekAfterBlanks()
        if next == bracket { break }
        guard next == UInt8(ascii: ",") else { throw fault() }
        cursor += 1
        if try peekAfterBlanks() == bracket { break }
      }
    }
    cursor += 1
    depth -= 1
  }
}

// MARK: Values

extension JSONText {
  /// Skips the value at the cursor, of any type.
  mutating func skipValue() throws(RecordingError) {
    switch try peek() {
    case UInt8(ascii: "{"): try readObject { text, _ throws(RecordingError) in try text.skipValue() }
    case UInt8(ascii: "["): try readArray { text, _ throws(RecordingError) in try text.skipValue() }
    case UInt8(ascii: "\""): _ = try readName()
    case UInt8(ascii: "t"): try skip("true")
    case UInt8(ascii: "f"): try skip("false")
    case UInt8(ascii: "n"): try skip("null")
    default: _ = try readNumber()
    }
  }

  /// Skips `word`, which must be at the cursor.
  mutating func skip(_ word: StaticString) throws(RecordingError) {
    for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
  }

  /// Whether a value that begins with `byte` is a number.
  static func beginsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || isDigit(byte)
  }

  /// Reads the number at the cursor, correctly rounded; infinite if it is too large.
  @inline(__always)
  mutating func readNumber() throws(RecordingError) -> Double {
    // The longest usual text of a `Double`, and the byte that ends it.
    if end - cursor < 40, !isAtEnd { try refill(keepingFrom: cursor) }
    while true {
      var p = cursor
      let number = Self.isNumber(at: p) ? DecimalNumber.scan(&p) : nil
      // The scan ignores an exponent that the buffer's end splits, so refill and scan again.
      guard isAtEnd || end - p > 3 else {
        try refill(keepingFrom: cursor)
        continue
      }
      guard let number else { throw fault() }
      cursor = p
      return number
    }
  }

  /// Whether the whole part and point of a number at `start` follow JSON's grammar: no plus sign, no leading zero, and
  /// digits on both sides of the point.
  @inline(__always)
  private static func isNumber(at start: UnsafePointer<UInt8>) -> Bool {
    var p = start
    if p.pointee == UInt8(ascii: "-") { p += 1 }
    guard isDigit(p.pointee), p.pointee != UInt8(ascii: "0") || !isDigit(p[1]) else { return false }
    repeat { p += 1 } while isDigit(p.pointee)
    return p.pointee != UInt8(ascii: ".") || isDigit(p[1])
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Reads the name at the cursor.
  @inline(__always)
  mutating func readName() throws(RecordingError) -> JSONName {
    // Most names have one letter. Padding zeros stop this at the buffer's end.
    let letter = cursor[1]
    if cursor[0] == UInt8(ascii: "\""), cursor[2] == UInt8(ascii: "\""), UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
    {
      cursor += 3
      return JSONName(letter)
    }
    return try readString()
  }
}
