/// The cells of a line that are what nearly all are: bare numbers, or nothing, in columns of lanes, and cells without
/// quotes in columns that are passed over.
///
/// Where a cell is anything else, reading stops and `RowReader` looks closer.
struct UsualCells {
  /// What one column holds.
  private struct Step {
    /// Where the column's lane is in the row, in bytes; or one of the two below.
    let offset: Int
    /// What ends the column's cells: the separator, or a line feed behind the last.
    let terminator: UInt8

    static let ignored = -1
    static let other = -2
  }

  private let steps: [Step]

  init(roles: [ColumnRole], separator: UInt8) {
    steps = roles.enumerated().map { column, role in
      let offset: Int
      switch role {
      case .lane(let lane): offset = lane * MemoryLayout<Float>.stride
      case .ignored: offset = Step.ignored
      case .time, .date, .number, .text: offset = Step.other
      }
      return Step(offset: offset, terminator: column == roles.count - 1 ? UInt8(ascii: "\n") : separator)
    }
  }

  /// Reads cells from `column` on, which starts at `cursor`, into `row`.
  ///
  /// - Parameter isMissing: becomes `true` where a lane's cell is empty.
  /// - Returns: the column whose cell, at `cursor` then, is none of the usual, or the number of columns; then `cursor` is
  ///   at the next line.
  ///
  /// Apart from everything that is done for the unusual ones, so that the registers are left to what is done for each.
  @inline(never)
  func read(
    from column: Int, at cursor: inout UnsafePointer<UInt8>, mark: UInt8, into row: UnsafeMutableRawPointer,
    isMissing: inout Bool
  ) -> Int {
    steps.withUnsafeBufferPointer { steps in
      var column = column
      while column < steps.count {
        let step = steps[column]
        var end = cursor
        if step.offset >= 0 {
          if let value = Self.number(&end, mark: mark) {
            row.storeBytes(of: value, toByteOffset: step.offset, as: Float.self)
          } else if end.pointee == step.terminator {
            row.storeBytes(of: .nan, toByteOffset: step.offset, as: Float.self)
            isMissing = true
          } else {
            break
          }
        } else {
          guard step.offset == Step.ignored, Self.pass(&end, terminator: step.terminator) else { break }
        }
        if end.pointee != step.terminator {
          guard end.pointee == UInt8(ascii: "\r"), end[1] == UInt8(ascii: "\n"), column == steps.count - 1 else {
            break
          }
          end += 1
        }
        cursor = end + 1
        column += 1
      }
      return column
    }
  }

  /// The number at `end`, which moves behind it; `nil` where there is none.
  @inline(__always)
  private static func number(_ end: inout UnsafePointer<UInt8>, mark: UInt8) -> Float? {
    if let number = LaneNumber(at: end, mark: mark), number.end.pointee | 0x20 != UInt8(ascii: "e") {
      end = number.end
      return number.value
    }
    return otherNumber(&end, mark: mark)
  }

  /// A whole number, one with an exponent, or one that needs all its digits.
  @inline(never)
  private static func otherNumber(_ end: inout UnsafePointer<UInt8>, mark: UInt8) -> Float? {
    guard let value = DecimalNumber.scan(&end, mark: mark).map({ Float($0) }), value.isFinite else { return nil }
    return value
  }

  /// Moves `end` to the end of the cell there, unless that may be quoted.
  @inline(__always)
  private static func pass(_ end: inout UnsafePointer<UInt8>, terminator: UInt8) -> Bool {
    // Blanks and the quote that may follow them come before everything else that begins a cell.
    guard end.pointee > UInt8(ascii: "\"") || end.pointee == terminator else { return false }
    while true {
      let bytes = UnsafeRawPointer(end).loadUnaligned(as: UInt64.self).littleEndian
      let ends = zeroBytes(bytes ^ ones &* UInt64(terminator)) | zeroBytes(bytes ^ ones &* UInt64(UInt8(ascii: "\n")))
      guard ends == 0 else {
        end += ends.trailingZeroBitCount >> 3
        return true
      }
      end += 8
    }
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// A bit for the first byte that is 0, on a little-endian processor, and perhaps others behind it.
  @inline(__always)
  private static func zeroBytes(_ bytes: UInt64) -> UInt64 {
    (bytes &- ones) & ~bytes & (ones &* 0x80)
  }
}
