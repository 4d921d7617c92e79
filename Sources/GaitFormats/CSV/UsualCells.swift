/// The cells of a line that are what nearly all are: numbers such as `-0.1738` without anything around them, in columns
/// of lanes, and cells without quotes in columns that are passed over.
///
/// They are read here without a branch that depends on what they hold; where a cell is anything else, reading stops and
/// `RowReader` looks closer.
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
      case .time, .text: offset = Step.other
      }
      return Step(offset: offset, terminator: column == roles.count - 1 ? UInt8(ascii: "\n") : separator)
    }
  }

  /// Reads cells from `column` on, which starts at `cursor`, into `row`.
  ///
  /// - Returns: the column whose cell, at `cursor` then, is none of the usual, or the number of columns; then `cursor` is
  ///   at the next line.
  @inline(__always)
  func read(
    from column: Int, at cursor: inout UnsafePointer<UInt8>, mark: UInt8, into row: UnsafeMutableRawPointer
  ) -> Int {
    steps.withUnsafeBufferPointer { steps in
      var p = cursor
      var column = column
      while column < steps.count {
        let step = steps[column]
        var end: UnsafePointer<UInt8>
        if step.offset >= 0 {
          let number = LaneNumber(at: p, mark: mark)
          guard number.isRead else { break }
          end = number.end
          row.storeBytes(of: number.value, toByteOffset: step.offset, as: Float.self)
        } else if step.offset == Step.ignored, let passed = Self.plainCell(p, step.terminator) {
          end = passed
        } else {
          break
        }
        if end.pointee != step.terminator {
          guard end.pointee == UInt8(ascii: "\r"), end[1] == UInt8(ascii: "\n"), column == steps.count - 1 else {
            break
          }
          end += 1
        }
        p = end + 1
        column += 1
      }
      cursor = p
      return column
    }
  }

  /// The end of the cell at `start`, or `nil` if it may be quoted.
  @inline(__always)
  private static func plainCell(_ start: UnsafePointer<UInt8>, _ terminator: UInt8) -> UnsafePointer<UInt8>? {
    guard start.pointee > UInt8(ascii: "\"") else { return start.pointee == terminator ? start : nil }
    var p = start
    while p.pointee != terminator, p.pointee != UInt8(ascii: "\n") { p += 1 }
    return p
  }
}
