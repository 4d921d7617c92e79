/// The spaces in a text where any number of them separates two cells. Those between quotes belong to the cell.
enum Spaces {
  /// What comes behind the spaces that begin at `start`.
  static func end(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee == UInt8(ascii: " ") { p += 1 }
    return p
  }

  /// Takes spaces out of the lines from `start` to `end`: those at their ends, and all but one of several between others.
  ///
  /// - Returns: where the lines end then.
  static func takeOut(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var (from, to, isQuoted) = (start, start, false)
    while from < end {
      let isInCell = !isQuoted && end - from > Block.scalarCount && from.pointee > UInt8(ascii: " ")
      // Most files have one space everywhere: sixteen bytes at a time where none is to be taken out.
      if isInCell, !hasSpare(from: from) {
        if to != from { UnsafeMutableRawPointer(to).storeBytes(of: block(at: from), as: Block.self) }
        from += Block.scalarCount
        to += Block.scalarCount
      } else {
        for _ in 0..<(isInCell ? Block.scalarCount : 1) {
          take(from.pointee, to: &to, after: start, isQuoted: &isQuoted)
          from += 1
        }
      }
    }
    return to
  }

  private typealias Block = SIMD16<UInt8>

  private static func block(at start: UnsafeMutablePointer<UInt8>) -> Block {
    UnsafeRawPointer(start).loadUnaligned(as: Block.self)
  }

  /// Whether a space among the sixteen bytes from `start` and the one behind them is to be taken out, or may be quoted.
  private static func hasSpare(from start: UnsafeMutablePointer<UInt8>) -> Bool {
    let (bytes, next) = (block(at: start), block(at: start + 1))
    let space = Block(repeating: UInt8(ascii: " "))
    // Spaces, tabs and line ends are the bytes up to the space.
    let spare = (bytes .== space) .& (next .<= space) .| (bytes .<= space) .& (next .== space)
    return any(spare .| (bytes .== Block(repeating: UInt8(ascii: "\""))))
  }

  /// Adds a byte at `end`, unless it is a space that is to be taken out; takes back one that a line's end follows.
  private static func take(
    _ byte: UInt8, to end: inout UnsafeMutablePointer<UInt8>, after start: UnsafeMutablePointer<UInt8>,
    isQuoted: inout Bool
  ) {
    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    if byte == UInt8(ascii: "\n") { isQuoted = false }
    let last = end > start ? end[-1] : UInt8(ascii: "\n")
    if byte == UInt8(ascii: " "), !isQuoted {
      guard last != UInt8(ascii: " "), last != UInt8(ascii: "\n") else { return }
    } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"), last == UInt8(ascii: " ") {
      end -= 1
    }
    end.pointee = byte
    end += 1
  }
}
