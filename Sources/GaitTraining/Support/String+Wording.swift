import Foundation
import Gait
import GaitFormats
import GaitRuns

extension Collection<String> {
  /// The texts separated by commas. If there are more than `limit`, the list ends with the number of the others.
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
  /// The end of an error's sentence about unknown names: the known names that they probably misspell, if any, and a
  /// list of at most `limit` known names.
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

  /// The path relative to a folder, with `..` for every step up.
  package func relativePath(from folder: String) -> String {
    func parts(_ path: String) -> [String] {
      URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().pathComponents
    }
    let (target, start) = (parts(self), parts(folder))
    let common = zip(target, start).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: start.count - common) + target[common...]
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }

  /// The text in lines of whole words, at most `width` characters each. A longer word has a line of its own.
  func lines(of width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  /// The text without the ending `suffix`; unchanged if it does not end so.
  package func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

// Numbers as text, independent of the locale.

extension Double {
  /// The number with a fixed number of decimals, never a negative zero.
  package func fixed(_ decimals: Int) -> String {
    var text: [UInt8] = []
    text.append(self, decimals: decimals)
    return String(decoding: text, as: UTF8.self)
  }

  /// A number with a sign of its own width: `+0.0210`, `−0.0339`.
  package func signedFixed(_ decimals: Int) -> String { (self < 0 ? "−" : "+") + magnitude.fixed(decimals) }

  /// A number with a minus sign of its own width, and without a plus sign.
  package func signed(_ decimals: Int) -> String { fixed(decimals).replacing("-", with: "−") }

  /// The number with a fixed number of decimals, by `String(format:)`: for numbers for which `scaled` is `nil`.
  fileprivate func formatted(_ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", self)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }

  /// The number × 10^decimals, rounded as `String(format:)` does. It is `nil` for a tie, for a number beyond 10¹², and
  /// for more than three decimals.
  fileprivate func scaled(_ decimals: Int) -> Int? {
    guard 0...3 ~= decimals else { return nil }
    let scaled = self * (decimals == 0 ? 1 : decimals == 1 ? 10 : decimals == 2 ? 100 : 1000)
    let whole = scaled.rounded()
    return scaled.magnitude < 1e12 && (scaled - whole).magnitude < 0.4999 ? Int(saturating: whole) : nil
  }

  /// The number with at most six significant digits, for ticks and tables.
  package var short: String { String(format: "%.6g", self) }

  /// A length in a drawing, to a hundredth of a unit, without trailing zeros.
  package var coordinate: String {
    let hundredths = Int(saturating: (self * 100).rounded())
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest.isMultiple(of: 10) { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// A ratio in percent with one decimal, `100.0 %` only for a ratio of exactly 1.
  package var percent: String { (self < 1 ? Swift.min(self * 100, 99.9) : 100).fixed(1) + " %" }

  /// The number, seconds, as `8:05` or `1:08:05`.
  package var clock: String { RunText.clock(self) }

  /// The number, seconds per kilometre, as `5:14`.
  package var pace: String { RunText.pace(self) }

  /// `percent`, padded with spaces to the width of `100.0 %`.
  package var alignedPercent: String { String(repeating: " ", count: Swift.max(0, 7 - percent.count)) + percent }
}

extension [UInt8] {
  /// Appends `number.fixed(decimals)`, after spaces up to `width` bytes.
  package mutating func append(_ number: Double, decimals: Int, width: Int = 0) {
    guard let scaled = number.scaled(decimals) else {
      let text = number.formatted(decimals)
      self += repeatElement(UInt8(ascii: " "), count: Swift.max(0, width - text.utf8.count))
      return self += text.utf8
    }
    // The digits are written from the last to the first.
    let start = count
    var rest = scaled.magnitude
    repeat {
      if decimals > 0, count - start == decimals { append(UInt8(ascii: ".")) }
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || count - start <= decimals + (decimals > 0 ? 1 : 0)
    if scaled < 0 { append(UInt8(ascii: "-")) }
    while count - start < width { append(UInt8(ascii: " ")) }
    self[start...].reverse()
  }
}

extension Int {
  /// The number with a noun, which ends in an s unless the number is 1.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

  /// The count with a comma at every thousand.
  package var grouped: String {
    let digits = Array(String(self))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digits[index])
    }
  }
}
