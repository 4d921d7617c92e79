import Foundation
import GaitFormats

extension Collection<String> {
  /// The texts separated by commas. A list longer than `limit` is cut and ends in the number of the others.
  package func listed(limit: Int = 12) -> String {
    let shown = prefix(limit).joined(separator: ", ")
    return count > limit ? "\(shown) and \(count - limit) more" : shown
  }

  /// The texts in quotes, separated by commas.
  var quoted: String { map { "\"\($0)\"" }.listed() }
}

extension Sequence<String> {
  /// The distinct texts in natural order.
  package func sortedAndUnique() -> [String] {
    Set(self).sorted { $0.naturallyPrecedes($1) }
  }
}

extension String {
  /// Whether this text precedes `other` in natural order: `sub_2` before `sub_10`, a folder's files before its
  /// siblings.
  ///
  /// Runs of digits compare as numbers, everything else by its bytes, so the order does not depend on the locale. Texts
  /// that differ only in leading zeros are in byte order, which makes this a strict total order.
  func naturallyPrecedes(_ other: String) -> Bool {
    var (left, right) = (Array(utf8)[...], Array(other.utf8)[...])
    while let a = left.first, let b = right.first {
      if a.isDigit, b.isDigit {
        let (x, y) = (left.popNumber(), right.popNumber())
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
      } else {
        if a != b { return a == UInt8(ascii: "/") || (b != UInt8(ascii: "/") && a < b) }
        left.removeFirst()
        right.removeFirst()
      }
    }
    guard left.isEmpty, right.isEmpty else { return left.isEmpty }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
  /// Removes the leading digits and returns them without leading zeros.
  fileprivate mutating func popNumber() -> ArraySlice<UInt8> {
    let digits = prefix { $0.isDigit }
    self = self[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}

/// Suggestions for misspelt names in errors.
package enum NearName {
  /// The end of an error's sentence about unknown names: the nearest of the known ones, and a list of them.
  package static func cure(for unknown: [String], among known: [String], what: String, limit: Int = 12) -> String {
    let near = unknown.compactMap { EditDistance.suggestion(for: $0, among: known) }
    let list = known.listed(limit: limit)
    return near.isEmpty ? "; the \(what) are \(list)." : "; did you mean \(near.quoted)? The \(what) are \(list)."
  }
}

/// Rows of comma-separated values, each ended by a line feed.
enum CommaSeparatedRow {
  /// The field separator.
  static let comma = UInt8(ascii: ",")

  /// A row of fields as UTF-8, quoted where necessary.
  static func bytes(_ fields: [String]) -> [UInt8] {
    var row: [UInt8] = []
    for (position, field) in fields.enumerated() {
      if position > 0 { row.append(comma) }
      CSVField.append(field, to: &row, isForSpreadsheets: true)
    }
    return row + [UInt8(ascii: "\n")]
  }
}

extension String {
  /// The text as one word of a shell's command, in quotes if it needs them.
  package var shellWord: String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=+:@%-")
    return !isEmpty && allSatisfy(plain.contains) ? self : "'\(replacingOccurrences(of: "'", with: "'\\''"))'"
  }
}
