/// Parses common rows: numbers or empty cells in the columns of `ColumnRole.lane`, numbers in time columns, and any
/// cells in skipped columns. Spaces may surround a cell, and quotes may enclose it.
///
/// At any other cell the parser stops, and `RowReader` parses that cell with slower, general code (the slow path).
/// Benchmark: `read/600s`.
struct FastRowParser {
  /// How one column is parsed; eight bytes, so that indexing is a shift.
  private struct Step {
    /// The byte offset in the row of the value that the column fills, or one of the three constants below.
    let offset: Int32
    /// The byte that ends the column's cells: the separator, or a line feed for the last column.
    let terminator: UInt8

    static let ignored: Int32 = -1
    static let time: Int32 = -2
    static let other: Int32 = -3
  }

  private let steps: [Step]
  /// The unit of the time column.
  private let timeUnit: TimeUnit
  /// The space, or a byte that is no delimiter if spaces separate cells.
  private let space: UInt8

  init(roles: [ColumnRole], separator: UInt8) {
    let units = roles.compactMap { role in if case .time(let unit) = role { unit } else { nil } }
    timeUnit = units.first ?? .seconds
    space = separator == UInt8(ascii: " ") ? .max : UInt8(ascii: " ")
    steps = roles.enumerated().map { column, role in
      let offset: Int32
      switch role {
      case .lane(let lane): offset = Int32(lane * MemoryLayout<Float>.stride)
      case .ignored: offset = Step.ignored
      case .time: offset = Step.time
      case .date, .number, .coordinate, .text: offset = Step.other
      }
      return Step(offset: offset, terminator: column == roles.count - 1 ? UInt8(ascii: "\n") : separator)
    }
  }

  /// Reads the cells of a line into `row`, starting with the cell of `column` at `cursor`.
  ///
  /// Kept separate from the slow path, so that the inner loop has all registers.
  ///
  /// - Parameters:
  ///   - delimiters: the first delimiter at or after `cursor`, followed by all others up to `limit`; moved past those
  ///     used.
  ///   - mark: the decimal mark; 0 if it is not known yet.
  ///   - time: set to the value of a time cell, in nanoseconds.
  ///   - isMissing: set to `true` if the cell of a `ColumnRole.lane` column is empty. The value is then NaN.
  /// - Returns: the first column that was not read, with `cursor` at its cell, because the cell needs the slow path or
  ///   no delimiters are left. If all columns were read: their number, with `cursor` at the next line.
  @inline(never)
  func read(
    from column: Int, at cursor: inout UnsafePointer<UInt8>, delimiters: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, mark: UInt8, into row: UnsafeMutableRawPointer, time: inout Int64,
    isMissing: inout Bool
  ) -> Int {
    steps.withUnsafeBufferPointer { steps in
      var column = column
      var (start, next) = (cursor, delimiters)
      while column < steps.count, next < limit {
        let (step, end) = (steps[column], next.pointee)
        if step.offset >= 0, end.pointee == step.terminator,
          let number = FastFloatParser(from: start, to: end, mark: mark)
        {
          row.storeBytes(of: number.value, toByteOffset: Int(step.offset), as: Float.self)
          (start, next) = (end + 1, next + 1)
        } else if step.offset >= 0, end == start, let number = enclosed(start, next, to: limit, step.terminator, mark) {
          row.storeBytes(of: number.value, toByteOffset: Int(step.offset), as: Float.self)
          (start, next) = (number.end + 1, number.next + 1)
        } else {
          let isLast = column == steps.count - 1
          guard let cell = readOther(step, isLast, start, next, to: limit, mark, row, &time, &isMissing) else { break }
          (start, next) = (cell.end + 1, cell.next + 1)
        }
        column += 1
      }
      (cursor, delimiters) = (start, next)
      return column
    }
  }

  /// Reads a plain decimal after a space or within quotes. Returns also the byte that ends the cell, and the delimiter
  /// there; `nil` for any other cell.
  @inline(__always)
  private func enclosed(
    _ start: UnsafePointer<UInt8>, _ next: UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, _ terminator: UInt8, _ mark: UInt8
  ) -> (value: Float, end: UnsafePointer<UInt8>, next: UnsafePointer<UnsafePointer<UInt8>>)? {
    let isQuoted = start.pointee == UInt8(ascii: "\"")
    guard isQuoted || start.pointee == space, start.pointee != terminator, limit - next > 2 else { return nil }
    let (end, quote) = (next[1], isQuoted ? 1 : 0)
    guard end[quote] == terminator, !isQuoted || end.pointee == UInt8(ascii: "\""),
      let number = FastFloatParser(from: start + 1, to: end, mark: mark)
    else { return nil }
    return (number.value, end + quote, next + 1 + quote)
  }

  /// Reads a cell that is no plain decimal: one of another column, one with a space or a quote, an empty one, or a
  /// number in another form. Returns the byte that ends the cell, and the delimiter there; `nil` if it needs the slow
  /// path, or no delimiters are left.
  @inline(never)
  private func readOther(
    _ step: Step, _ isLast: Bool, _ start: UnsafePointer<UInt8>, _ next: UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, _ mark: UInt8, _ row: UnsafeMutableRawPointer,
    _ time: inout Int64, _ isMissing: inout Bool
  ) -> (end: UnsafePointer<UInt8>, next: UnsafePointer<UnsafePointer<UInt8>>)? {
    var (start, next) = (start, next)
    let isQuoted = next.pointee == start && start.pointee != step.terminator && skipStart(&start, &next, to: limit)
    guard next < limit else { return nil }
    var end = next.pointee
    switch step.offset {
    case Step.ignored:
      // Any other byte up to a quote, such as a tab before a quote, needs the slow path.
      guard isQuoted || start.pointee > UInt8(ascii: "\"") || start.pointee == step.terminator,
        Self.skipCell(&next, to: limit, terminator: isQuoted ? UInt8(ascii: "\"") : step.terminator)
      else { return nil }
      end = next.pointee
    case Step.time:
      if timeUnit == .seconds, let nanoseconds = DecimalTime.nanoseconds(ofSeconds: start, to: end, mark: mark) {
        time = nanoseconds
      } else {
        end = start
        guard let digits = DecimalDigits(&end, mark: mark),
          let nanoseconds = DecimalTime.nanoseconds(digits, unit: timeUnit),
          Self.skipDelimiters(&next, to: limit, before: end)
        else { return nil }
        time = nanoseconds
      }
    case 0...:
      if let number = FastFloatParser(from: start, to: end, mark: mark) {
        row.storeBytes(of: number.value, toByteOffset: Int(step.offset), as: Float.self)
      } else if end == start, end.pointee == step.terminator, !isQuoted {
        row.storeBytes(of: .nan, toByteOffset: Int(step.offset), as: Float.self)
        isMissing = true
      } else {
        end = start
        guard let value = DecimalNumber.scan(&end, mark: mark).map({ Float($0) }), value.isFinite,
          Self.skipDelimiters(&next, to: limit, before: end)
        else { return nil }
        row.storeBytes(of: value, toByteOffset: Int(step.offset), as: Float.self)
      }
    default: return nil
    }
    guard !isQuoted && end.pointee == step.terminator || skipEnd(&end, &next, to: limit, isQuoted: isQuoted) else {
      return nil
    }
    if end.pointee == step.terminator { return (end, next) }
    return isLast && end.pointee == UInt8(ascii: "\r") && end[1] == UInt8(ascii: "\n") ? (end + 1, next) : nil
  }

  /// Moves `start` and `next` past spaces and a quote at the start of a cell; returns whether there is a quote.
  private func skipStart(
    _ start: inout UnsafePointer<UInt8>, _ next: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>
  ) -> Bool {
    while next < limit, next.pointee == start, start.pointee == space { (start, next) = (start + 1, next + 1) }
    guard next < limit, next.pointee == start, start.pointee == UInt8(ascii: "\"") else { return false }
    (start, next) = (start + 1, next + 1)
    return true
  }

  /// Moves `end` and `next` past the quote and the spaces after a cell; returns `false` if the quote is missing or
  /// doubled, or if no delimiters are left.
  private func skipEnd(
    _ end: inout UnsafePointer<UInt8>, _ next: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, isQuoted: Bool
  ) -> Bool {
    if isQuoted {
      guard end.pointee == UInt8(ascii: "\""), end[1] != UInt8(ascii: "\"") else { return false }
      (end, next) = (end + 1, next + 1)
    }
    while next < limit, next.pointee == end, end.pointee == space { (end, next) = (end + 1, next + 1) }
    return next < limit
  }

  /// Moves `next` to the first delimiter from there on that equals `terminator`, or to a carriage return, of which the
  /// caller checks that it ends the line. Returns `false` if the line ends before, or if no delimiters are left.
  @inline(__always)
  private static func skipCell(
    _ next: inout UnsafePointer<UnsafePointer<UInt8>>, to limit: UnsafePointer<UnsafePointer<UInt8>>, terminator: UInt8
  ) -> Bool {
    while next < limit {
      let byte = next.pointee.pointee
      if byte == terminator { return true }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return byte != UInt8(ascii: "\n") }
      next += 1
    }
    return false
  }

  /// Moves `next` to the first delimiter at or after `end`, which is the end of a number. Returns `false` if the number
  /// contains a delimiter other than a plus sign. That can be a zero byte: while the decimal mark is unknown, `mark` is
  /// 0, and a zero byte is read as the mark.
  @inline(__always)
  private static func skipDelimiters(
    _ next: inout UnsafePointer<UnsafePointer<UInt8>>, to limit: UnsafePointer<UnsafePointer<UInt8>>,
    before end: UnsafePointer<UInt8>
  ) -> Bool {
    while next < limit, next.pointee < end {
      guard next.pointee.pointee == UInt8(ascii: "+") else { return false }
      next += 1
    }
    return true
  }
}

/// Parses a decimal cell such as `-0.17382049560546875` to `Float`: the correctly rounded `Double`, rounded to `Float`.
///
/// A number with up to eight digits after the mark, and so with up to fifteen in all, is a whole number divided by 10⁸.
/// Both are exact, so the division rounds once.
///
/// Of more digits after the mark, the first sixteen are read as one whole number, padded with zeros, so that no step
/// depends on their number:
///
///     value ≈ whole + sixteen · 10⁻¹⁶
///
/// Four roundings put this `Double` at most 3 units in the last place from the number with these digits. The omitted
/// digits add less than 10⁻¹⁶, which is 3,690 units at 2⁻¹³ and fewer above. Rounding to `Float` equals rounding the
/// exact value unless the midpoint of two floats is that close, as for 1 number in 60,000. Such numbers, numbers below
/// 2⁻¹³ with more than sixteen digits, and cells of any other form fall back to `DecimalNumber`.
///
/// Benchmark: `read/600s`.
struct FastFloatParser {
  let value: Float

  /// The bits of the smallest number that may have more than sixteen fraction digits.
  @inline(__always)
  private static var smallest: UInt64 { (0x1p-13).bitPattern }

  /// Reads the bytes from `start` to `end`: an optional minus, digits, the decimal mark, digits. `nil` if they have
  /// another form or need the slow path.
  ///
  /// 40 bytes from `start` must be readable.
  @inline(__always)
  init?(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, mark: UInt8) {
    // No branch on the sign, which is unpredictable.
    let sign: UInt64 = start.pointee == UInt8(ascii: "-") ? 1 : 0
    let first = start + Int(sign)
    var whole = UInt64(first.pointee &- UInt8(ascii: "0"))
    var fraction = first + 2
    if first[1] != mark {
      let digits = EightDigits(at: first)
      guard 1...7 ~= digits.count, first[digits.count] == mark else { return nil }
      whole = digits.number
      fraction = first + digits.count + 1
    } else if whole > 9 {
      return nil
    }
    let count = end - fraction
    guard 1...24 ~= count else { return nil }
    if count <= 8 {
      guard let decimals = EightDigits.padded(at: fraction, count: count) else { return nil }
      let number = Int64(truncatingIfNeeded: whole &* 100_000_000 &+ decimals)
      value = Float(Double(bitPattern: (Double(number) / 1e8).bitPattern | sign &<< 63))
      return
    }
    guard let digits = FractionDigits(at: fraction, count: count) else { return nil }
    let magnitude = Double(Int64(truncatingIfNeeded: whole)) + Double(digits.sixteen) * 1e-16
    let bits = magnitude.bitPattern
    // Fails if both terms are negative: the number is below 2⁻¹³ and has more than sixteen digits. No branch on the
    // count, which is unpredictable.
    guard Int64(bitPattern: bits &- Self.smallest) & Int64(16 &- count) >= 0 else { return nil }
    // Compares the 29 bits that `Float` drops with the midpoint of two floats.
    let isFarFromMidpoint = (bits &- (1 << 28 - 4096)) & (1 << 29 - 1) > 8192
    guard isFarFromMidpoint else { return nil }
    value = Float(Double(bitPattern: bits | sign &<< 63))
  }
}

/// The first sixteen of up to 24 digits as one number, padded with zeros.
///
/// Digits are combined in parallel within words: digits to pairs, pairs to fours, fours to eights. There is no branch
/// on the count, which is unpredictable.
///
/// Source: as for `EightDigits`.
struct FractionDigits {
  /// Digits 1 to 16.
  let sixteen: Int64

  private typealias Words = SIMD2<UInt64>

  /// Reads the `count` bytes at `start`, `1...24`; `nil` if one of them is not a digit, or one of the 24 bytes at
  /// `start` is not ASCII.
  ///
  /// 24 bytes must be readable.
  @inline(__always)
  init?(at start: UnsafePointer<UInt8>, count: Int) {
    let (text, masks) = (UnsafeRawPointer(start), UnsafeRawPointer(Self.masks.utf8Start) + (24 &- count))
    let values = text.loadUnaligned(as: Words.self) ^ Words(repeating: Self.zeros)
    let digits = values & masks.loadUnaligned(as: Words.self)
    let thirdValues = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ Self.zeros
    let thirdDigits = thirdValues & masks.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    // The highest bit is set in each of the `count` bytes that is above 9, and in each byte that is not ASCII.
    let others = (digits &+ Words(repeating: Self.sixBeforeHighest)) | values
    let thirdOthers = (thirdDigits &+ Self.sixBeforeHighest) | thirdValues
    guard (others[0] | others[1] | thirdOthers) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let eights = Self.numbers(digits)
    sixteen = Int64(truncatingIfNeeded: eights[0] &* 100_000_000 &+ eights[1])
  }

  /// "0" in each byte.
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  /// Added to a byte of at most 0x7F, sets the highest bit if the byte is at least 10.
  private static let sixBeforeHighest: UInt64 = 0x7676_7676_7676_7676

  /// Sixteen digits as two numbers of eight.
  @inline(__always)
  private static func numbers(_ digits: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let ones = unsafeBitCast(digits, to: SIMD8<UInt16>.self)
    let pairs = unsafeBitCast((ones &* SIMD8(repeating: 10 << 8 + 1)) &>> 8, to: SIMD4<UInt32>.self)
    // The masks let the compiler multiply 16-bit and 32-bit values.
    let fours = unsafeBitCast(
      (pairs & SIMD4(repeating: 0x7F)) &* SIMD4(repeating: 100) &+ (pairs &>> 16), to: SIMD2<UInt64>.self)
    return (fours & SIMD2(repeating: 0x3FFF)) &* SIMD2(repeating: 10_000) &+ (fours &>> 32)
  }

  /// 24 bytes of 0x7F (ASCII has no highest bit), then 24 bytes of 0.
  private static var masks: StaticString {
    """
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
    """
  }
}
