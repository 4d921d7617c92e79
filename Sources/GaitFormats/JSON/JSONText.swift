/// JSON text (RFC 8259) that is read from its start to its end, a buffer of it at a time.
///
/// What is taken for JSON is what Foundation takes for it: as strictly as the grammar says (UTF-8, no control characters, no
/// half surrogate pairs), but for a comma behind the last of a list, and brackets nested at most `deepest` deep, so
/// that no file exhausts the stack.
///
/// Whatever reads stops by itself where the text ends: zeros stand behind it, which JSON has nowhere.
///
/// Memory: one buffer, or the longest number if that is longer.
struct JSONText: ~Copyable {
  /// How deep brackets may be nested.
  static let deepest = 512
  static let defaultBufferBytes = 1 << 18

  private let source: any ByteSource
  private let file: String
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Behind the last byte in the buffer.
  private var end: UnsafePointer<UInt8>
  /// The byte that is looked at; read no further than `end` by looking at single bytes with `peek()`.
  var cursor: UnsafePointer<UInt8>
  private var isAtEnd = false
  /// The bytes that were in the buffer before those that are there now.
  private var bytesBefore = 0
  private var line = 1
  /// Where the line starts, in bytes from the start of the text.
  private var lineStart = 0
  private var depth = 0

  private static let readableBytesBehind = 64
  private static let longestNumber = 16 << 20

  /// The text in `source`, which errors call `file`; a byte-order mark is passed over.
  ///
  /// - Throws: `RecordingError.emptyFile` where there is none.
  init(
    _ source: any ByteSource, file: String, bufferBytes: Int = defaultBufferBytes
  ) throws(RecordingError) {
    precondition(bufferBytes >= 64, "a buffer that holds no usual number")
    self.source = source
    self.file = file
    capacity = bufferBytes
    buffer = .allocate(capacity: capacity + Self.readableBytesBehind)
    cursor = UnsafePointer(buffer)
    end = cursor
    try refill(keepingFrom: cursor)
    if cursor == end { throw .emptyFile(file: file) }
    if cursor[0] == 0xEF, cursor[1] == 0xBB, cursor[2] == 0xBF { cursor += 3 }
  }

  deinit { buffer.deallocate() }

  /// Puts the bytes from `start` on to the buffer's start, and as many behind them as there is room for.
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
    (buffer + filled).initialize(repeating: 0, count: Self.readableBytesBehind)
    cursor = UnsafePointer(buffer + ahead)
    end = UnsafePointer(buffer + filled)
  }

  private mutating func grow() throws(RecordingError) {
    guard capacity < Self.longestNumber else { throw fault() }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + Self.readableBytesBehind)
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

  /// Passes over blanks and says what follows them.
  @inline(__always)
  mutating func peekBehindBlanks() throws(RecordingError) -> UInt8 {
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

  /// Passes over `byte`, which must follow.
  @inline(__always)
  mutating func take(_ byte: UInt8) throws(RecordingError) {
    guard try peek() == byte else { throw fault() }
    cursor += 1
  }

  /// Bytes from the start of the text to the cursor.
  var offset: Int { bytesBefore + (cursor - UnsafePointer(buffer)) }

  /// Whether the cursor is behind the last byte.
  var hasEnded: Bool { isAtEnd && cursor == end }

  /// A place in the text; both count from 1, columns in bytes.
  struct Place: CustomStringConvertible {
    let line: Int
    let column: Int
    var description: String { "line \(line), column \(column)" }
  }

  /// Where the cursor is.
  var place: Place { Place(line: line, column: offset - lineStart + 1) }

  /// The error of text that is no JSON from the cursor on.
  func fault() -> RecordingError { .notGyroData(file: file, reason: "it is no JSON (\(place))") }
}

// MARK: Objects and arrays

extension JSONText {
  /// Reads the object at the cursor and hands the name of each member to `body`, which must read its value.
  @inline(__always)
  mutating func readObject(
    _ body: (inout JSONText, JSONName) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    try readList(to: UInt8(ascii: "}")) { text throws(RecordingError) in
      let name = try text.readName()
      guard try text.peekBehindBlanks() == UInt8(ascii: ":") else { throw text.fault() }
      text.cursor += 1
      _ = try text.peekBehindBlanks()
      try body(&text, name)
    }
  }

  /// Reads the array at the cursor and hands the index of each element to `body`, which must read it.
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

  /// Reads what stands between an opening bracket, at the cursor, and `bracket`, with commas between.
  @inline(__always)
  private mutating func readList(
    to bracket: UInt8, _ body: (inout JSONText) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    guard depth < Self.deepest else { throw fault() }
    depth += 1
    cursor += 1
    if try peekBehindBlanks() != bracket {
      while true {
        try body(&self)
        let next = try peekBehindBlanks()
        if next == bracket { break }
        guard next == UInt8(ascii: ",") else { throw fault() }
        cursor += 1
        if try peekBehindBlanks() == bracket { break }
      }
    }
    cursor += 1
    depth -= 1
  }
}

// MARK: Values

extension JSONText {
  /// Passes over the value at the cursor, whatever it is.
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

  /// Passes over `word`, which must follow.
  mutating func skip(_ word: StaticString) throws(RecordingError) {
    for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
  }

  /// Whether a number, and nothing else, may begin with `byte`.
  static func beginsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || isDigit(byte)
  }

  /// The number at the cursor, correctly rounded; infinite where it is too large.
  @inline(__always)
  mutating func readNumber() throws(RecordingError) -> Double {
    // The longest that a `Double` is written as, and what tells that it ends.
    if end - cursor < 40, !isAtEnd { try refill(keepingFrom: cursor) }
    while true {
      var p = cursor
      let number = Self.isNumber(at: p) ? DecimalNumber.scan(&p) : nil
      // An exponent that the buffer cuts counts as none.
      guard isAtEnd || end - p > 3 else {
        try refill(keepingFrom: cursor)
        continue
      }
      guard let number else { throw fault() }
      cursor = p
      return number
    }
  }

  /// Whether what stands at `start` is JSON's way to begin a number, whole part and point: no sign but a minus, no 0 before
  /// another digit, and digits on both sides of the point.
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

  /// The string at the cursor, as far as a name may be of interest.
  @inline(__always)
  mutating func readName() throws(RecordingError) -> JSONName {
    // Names of one letter are most of the text; zeros stop this at the buffer's end.
    let letter = cursor[1]
    if cursor[0] == UInt8(ascii: "\""), cursor[2] == UInt8(ascii: "\""), UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
    {
      cursor += 3
      return JSONName(letter)
    }
    return try readString()
  }
}
