/// The cells of a line that are what nearly all are: bare numbers, or nothing, in columns of lanes, bare numbers in columns
/// of times, and cells without quotes in columns that are passed over.
///
/// Where a cell is anything else, reading stops and `RowReader` looks closer.
struct FastRowParser {
  /// What one column holds; eight bytes, so that a column's number finds it.
  private struct Step {
    /// Where the column's lane is in the row, in bytes; or one of the three below.
    let offset: Int32
    /// What ends the column's cells: the separator, or a line feed behind the last.
    let terminator: UInt8
    /// How many columns from this one on are passed over and end with a separator.
    var passed: UInt16 = 0

    static let ignored: Int32 = -1
    static let time: Int32 = -2
    static let other: Int32 = -3
  }

  private var steps: [Step]
  /// The unit of the column of times.
  private let timeUnit: TimeUnit
  /// Whether there is such a column.
  private let hasTimes: Bool
  /// Whether no column holds anything else, so that whole rows may be usual.
  let fillRows: Bool

  init(roles: [ColumnRole], separator: UInt8) {
    let units = roles.compactMap { role in if case .time(let unit) = role { unit } else { nil } }
    timeUnit = units.first ?? .seconds
    hasTimes = !units.isEmpty
    steps = roles.enumerated().map { column, role in
      let offset: Int32
      switch role {
      case .lane(let lane): offset = Int32(lane * MemoryLayout<Float>.stride)
      case .ignored: offset = Step.ignored
      case .time: offset = Step.time
      case .date, .number, .text: offset = Step.other
      }
      return Step(offset: offset, terminator: column == roles.count - 1 ? UInt8(ascii: "\n") : separator)
    }
    fillRows = !steps.contains { $0.offset == Step.other }
    for column in roles.indices.dropLast().reversed() where roles[column] == .ignored {
      steps[column].passed = min(steps[column + 1].passed, .max - 1) + 1
    }
  }

  /// How many rows are read before others look at them.
  private static let rowCount = 32

  /// Adds the rows that follow from `cursor` on, as long as all their cells are usual: a few, and as there is room for.
  ///
  /// - Parameters:
  ///   - ends: the first byte that may end the cell at `cursor`, and those behind it up to `limit`; moves on.
  ///   - stop: where no more of these rows may begin.
  ///   - emptyRow: a row before its cells are read.
  /// - Returns: whether a cell of the last row is empty; no other's is.
  func readRows(
    at cursor: inout UnsafePointer<UInt8>, ends: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, before stop: UnsafePointer<UInt8>, mark: UInt8,
    emptyRow: SIMD16<Float>, into rows: inout [SIMD16<Float>], _ times: inout [Int64]
  ) -> Bool {
    let (first, room) = (rows.count, min(Self.rowCount, rows.capacity - rows.count))
    rows.append(contentsOf: repeatElement(emptyRow, count: room))
    var (count, isMissing) = (0, false)
    rows.withUnsafeMutableBufferPointer { rows in
      // What begins like a comment, a blank or a line's end is no row, or is to be looked at.
      while count < room, !isMissing, cursor < stop, cursor.pointee > UInt8(ascii: "#") {
        var (next, nextEnds, time) = (cursor, ends, Int64.min)
        let column = read(
          from: 0, at: &next, ends: &nextEnds, to: limit, mark: mark, into: rows.baseAddress! + first + count,
          time: &time, isMissing: &isMissing)
        guard column == steps.count else {
          isMissing = false
          break
        }
        if hasTimes { times.append(time) }
        (cursor, ends) = (next, nextEnds)
        count += 1
      }
    }
    rows.removeLast(room - count)
    return isMissing
  }

  /// Reads cells from `column` on, which starts at `cursor`, into `row`.
  ///
  /// - Parameters:
  ///   - ends: the first byte that may end the cell at `cursor`, and those behind it up to `limit`; moves on.
  ///   - time: becomes what a cell of times says, in nanoseconds.
  ///   - isMissing: becomes `true` where a lane's cell is empty.
  /// - Returns: the column whose cell, at `cursor` then, is none of the usual, or the number of columns; then `cursor` is
  ///   at the next line.
  ///
  /// Apart from everything that is done for the unusual ones, so that the registers are left to what is done for each.
  @inline(never)
  func read(
    from column: Int, at cursor: inout UnsafePointer<UInt8>, ends: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, mark: UInt8, into row: UnsafeMutableRawPointer, time: inout Int64,
    isMissing: inout Bool
  ) -> Int {
    steps.withUnsafeBufferPointer { steps in
      var column = column
      var (start, next) = (cursor, ends)
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
            guard let value = Self.otherNumber(&end, mark: mark), Self.pass(&next, to: limit, before: end) else {
              break
            }
            row.storeBytes(of: value, toByteOffset: Int(step.offset), as: Float.self)
          }
        } else if step.offset == Step.ignored {
          if step.passed > 1, let last = Self.pass(Int(step.passed), next, to: limit, separator: step.terminator) {
            start = last.pointee + 1
            next = last + 1
            column += Int(step.passed)
            continue
          }
          guard Self.pass(from: start, &next, to: limit, terminator: step.terminator) else { break }
          end = next.pointee
        } else if step.offset == Step.time {
          end = start
          guard let nanoseconds = Self.time(&end, mark: mark, unit: timeUnit), Self.pass(&next, to: limit, before: end)
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
      (cursor, ends) = (start, next)
      return column
    }
  }

  /// Passes over `count` cells that end with a separator; returns where the last of them ends, or `nil` if something else
  /// is among their ends.
  @inline(__always)
  private static func pass(
    _ count: Int, _ ends: UnsafePointer<UnsafePointer<UInt8>>, to limit: UnsafePointer<UnsafePointer<UInt8>>,
    separator: UInt8
  ) -> UnsafePointer<UnsafePointer<UInt8>>? {
    guard limit - ends >= count else { return nil }
    var others: UInt8 = 0
    for index in 0..<count { others |= ends[index].pointee ^ separator }
    return others == 0 ? ends + (count - 1) : nil
  }

  /// Moves `next` to the end of the cell at `start`, unless that may be quoted.
  @inline(__always)
  private static func pass(
    from start: UnsafePointer<UInt8>, _ next: inout UnsafePointer<UnsafePointer<UInt8>>,
    to limit: UnsafePointer<UnsafePointer<UInt8>>, terminator: UInt8
  ) -> Bool {
    // Blanks and the quote that may follow them come before everything else that begins a cell.
    guard start.pointee > UInt8(ascii: "\"") || start.pointee == terminator else { return false }
    while next < limit {
      let byte = next.pointee.pointee
      if byte == terminator { return true }
      // A carriage return is looked at by the caller.
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return byte != UInt8(ascii: "\n") }
      next += 1
    }
    return false
  }

  /// Moves `next` to the first end that is not before `end`, unless something other than a plus sign ends within the
  /// number: while its mark is not known, any byte 0 would pass for one.
  @inline(__always)
  private static func pass(
    _ next: inout UnsafePointer<UnsafePointer<UInt8>>, to limit: UnsafePointer<UnsafePointer<UInt8>>,
    before end: UnsafePointer<UInt8>
  ) -> Bool {
    while next < limit, next.pointee < end {
      guard next.pointee.pointee == UInt8(ascii: "+") else { return false }
      next += 1
    }
    return true
  }

  /// A time that is not too far from 0.
  @inline(never)
  private static func time(_ end: inout UnsafePointer<UInt8>, mark: UInt8, unit: TimeUnit) -> Int64? {
    DecimalDigits(&end, mark: mark).flatMap { DecimalTime.nanoseconds($0, unit: unit) }
  }

  /// A whole number, one with an exponent, or one that needs all its digits.
  @inline(never)
  private static func otherNumber(_ end: inout UnsafePointer<UInt8>, mark: UInt8) -> Float? {
    guard let value = DecimalNumber.scan(&end, mark: mark).map({ Float($0) }), value.isFinite else { return nil }
    return value
  }
}
