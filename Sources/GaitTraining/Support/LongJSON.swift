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
  ///   - object: the object with the entries in a range only.
  ///   - write: called with each piece.
  package static func encode(
    _ key: String, of count: Int, _ object: (Range<Int>) -> JSONObject, write: (Data) throws -> Void
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
    // In a string, quotes and line feeds are escaped, so these texts are of the list only.
    let (opening, ending) = (Data("\n  \"\(key)\" : [".utf8), Data("\n  ]".utf8))
    for first in stride(from: 0, to: max(1, count), by: pieceCount) {
      let text = try encoder.encode(object(first..<min(count, first + pieceCount)))
      let list = text.range(of: opening).map { $0.upperBound..<text.endIndex } ?? text.startIndex..<text.endIndex
      let end =
        first + pieceCount >= count ? text.endIndex : text.range(of: ending, in: list)?.lowerBound ?? text.endIndex
      if first > 0 { try write(Data(",".utf8)) }
      try write(text[(first > 0 ? list.lowerBound : text.startIndex)..<end])
    }
  }
}
