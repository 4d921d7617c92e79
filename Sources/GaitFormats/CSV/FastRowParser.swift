/// The fast path for common rows: unquoted numbers or empty cells in lane columns, unquoted numbers in time columns,
/// and unquoted cells in skipped columns.
///
/// At any other cell the parser stops, and `RowReader` takes the slow path. From a file of ten minutes to labels
/// (`read/600s`, then `classify/50Hz`), it is 3.3 × as fast as the slow path.
struct FastRowParser {
  /// How one column is parsed; eight bytes, so that indexing is a shift.
  private struct Step {
    /// The byte offset of the column's lane in the row, or one of the three constants below.
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

  init(roles: [ColumnRole], separator: UInt8) {
    let units = roles.compactMap { role in if case .time(let unit) = role { unit } else { nil } }
    timeUnit = units.first ?? .seconds
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

  /// Reads cells into `row`, from `column` on, whose cell starts at `cursor`.
  ///
  /// Kept separate from the slow path to leave the registers to the inner loop.
  ///
  /// - Parameters:
  ///   - delimiters: the first delimiter at or after `cursor`, and those after it up to `limit`; advanced.
  ///   - time: set to the value of a time cell, in nanoseconds.
  ///   - isMissing: set to `true` if a lane's cell is empty.
  /// - Returns: the column of the first cell that needs the slow path, with `cursor` at that cell; or the number of
  ///   columns, with `cursor` at the next line.
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
        let step = steps[column]
        var end = next.pointee
        if step.offset >= 0 {
          if let number = FastFloatParser(from: start, to: end, mark: mark) {
            row.storeBytes(of: number.value, toByteOffset: Int(step.offset), as: Float.self)
          } else if end == start, end.pointee == step.terminator {
            row.storeBytes(of: .nan, toByteOffset: Int(step.offset), as: Float.self)
            isMissing = true
          } else {
            end = start
            guard let value = Self.slowNumber(&end, mark: mark), Self.skipDelimiters(&next, to: limit, before: end)
            else {
              break
            }
            row.storeBytes(of: value, toByteOffset: Int(step.offset), as: Float.self)
          }
        } else if step.offset == Step.ignored {
          guard Self.skipCell(from: start, &next, to: limit, terminator: step.terminator) else { break }
          end = next.pointee
        } else if step.offset == Step.time {
          end = start
          guard let nanoseconds = Self.time(&end, mark: mark, unit: timeUnit),
            Self.skipDelimiters(&next, to: limit, before: end)
          else { break }
          time = nanoseconds
        } else {
          break
        }
        if end.pointee != step.terminator {
          guard end.pointee == UInt8(ascii: "\r"), end[1] == UInt8(ascii: "\n"), column == steps.count - 1 else {
            break
          }
          end += 1
        }
        start = end + 1
        next += 1
        column += 1
      }
      (cursor, delimiters) = (start, next)
      return column
    }
  }

  /// Moves `next` to the end of the cell at `start`; returns `false` if the cell may be quoted or the line ends early.
  @inline(__always)
  private static func skipCell(
    from start: UnsafePointer<UInt8>, _ next: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, terminator: UInt8
  ) -> Bool {
    // Blanks and quotes are the lowest byte values that can start a cell.
    guard start.pointee > UInt8(ascii: "\"") || start.pointee == terminator else { return false }
    while next < limit {
      let byte = next.pointee.pointee
      if byte == terminator { return true }
      // The caller checks a carriage return.
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return byte != UInt8(ascii: "\n") }
      next += 1
    }
    return false
  }

  /// Moves `next` to the first delimiter at or after `end`; returns `false` if one other than a plus sign is within the
  /// number. While the decimal mark is unknown it is 0, so a zero byte would parse as the mark.
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

  /// Reads a time; `nil` if it is out of range.
  @inline(never)
  private static func time(_ end: inout UnsafePointer<UInt8>, mark: UInt8, unit: TimeUnit) -> Int64? {
    DecimalDigits(&end, mark: mark).flatMap { DecimalTime.nanoseconds($0, unit: unit) }
  }

  /// Reads a number that `FastFloatParser` rejects: a whole number, one with an exponent, or one that needs all its
  /// digits.
  @inline(never)
  private static func slowNumber(_ end: inout UnsafePointer<UInt8>, mark: UInt8) -> Float? {
    guard let value = DecimalNumber.scan(&end, mark: mark).map({ Float($0) }), value.isFinite else { return nil }
    return value
  }
}
