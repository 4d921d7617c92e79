import Foundation
import Gait

/// Encodes a JSON object with a long list in pieces, so that memory does not grow with the list. The text is that of
/// `JSONEncoder` for the whole object, with sorted keys.
package enum LongJSON {
  private static let pieceCount = 1 << 12

  /// Encodes an object and passes its text on, piece by piece, without a last line feed.
  ///
  /// - Parameters:
  ///   - key: the key of the list in the object.
  ///   - count: the number of its entries.
  ///   - entries: the entries in a range.
  ///   - object: the object with some entries; called once.
  ///   - write: called with each piece.
  package static func encode(
    _ key: String, of count: Int, _ entries: (Range<Int>) -> [JSONObject], in object: ([JSONObject]) -> JSONObject,
    write: (Data) throws -> Void
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
    // Quotes and line feeds in a string are escaped, so these texts occur only at the list's beginning and end.
    let (opening, ending) = (Data("\n  \"\(key)\" : [".utf8), Data("\n  ]".utf8))
    func list(in text: Data) -> Range<Int> {
      let start = text.range(of: opening)?.upperBound ?? text.startIndex
      return start..<(text.range(of: ending, in: start..<text.endIndex)?.lowerBound ?? text.endIndex)
    }
    let whole = try encoder.encode(object(entries(0..<min(count, pieceCount))))
    let end = list(in: whole).upperBound
    try write(whole[..<end])
    for first in stride(from: pieceCount, to: count, by: pieceCount) {
      let piece = try encoder.encode(JSONObject([key: entries(first..<min(count, first + pieceCount))]))
      try write(Data(",".utf8))
      try write(piece[list(in: piece)])
    }
    try write(whole[end...])
  }
}
