/// Collapses runs of spaces in a text whose cells are separated by one or more spaces. Spaces within quotes are kept.
enum Spaces {
  /// The first byte after the spaces at `start`.
  static func end(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee == UInt8(ascii: " ") { p += 1 }
    return p
  }

  /// Removes leading and trailing spaces from the lines from `start` to `end`, and collapses runs of spaces to one.
  ///
  /// - Returns: the new end of the lines.
  static func collapse(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var (from, to, isQuoted) = (start, start, false)
    while from < end {
      let isInCell = !isQuoted && end - from > Block.scalarCount && from.pointee > UInt8(ascii: " ")
      // Most files have single spaces: blocks of sixteen bytes without a redundant space are copied whole.
      if isInCell, !hasRedundantSpace(from: from) {
        if to != from { UnsafeMutableRawPointer(to).storeBytes(of: block(at: from), as: Block.self) }
        from += Block.scalarCount
        to += Block.scalarCount
      } else {
        for _ in 0..<(isInCell ? Block.scalarCount : 1) {
          copy(from.pointee, to: &to, after: start, isQuoted: &isQuoted)
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

  /// Whether the sixteen bytes at `start` and the one after them have a redundant space, or a quote.
  private static func hasRedundantSpace(from start: UnsafeMutablePointer<UInt8>) -> Bool {
    let (bytes, next) = (block(at: start), block(at: start + 1))
    let space = Block(repeating: UInt8(ascii: " "))
    // Spaces, tabs and line ends are the bytes up to the space.
    let redundant = (bytes .== space) .& (next .<= space) .| (bytes .<= space) .& (next .== space)
    return any(redundant .| (bytes .== Block(repeating: UInt8(ascii: "\""))))
  }

  /// Appends a byte at `end`, unless it is a redundant space. Removes a space before a line's end.
  private static func copy(
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
