import Foundation
import GaitRuns

// Numbers as text, independent of the locale.

extension Double {
  /// The number with a fixed number of decimals, never a negative zero.
  package func fixed(_ decimals: Int) -> String {
    var text: [UInt8] = []
    text.append(self, decimals: decimals)
    return String(decoding: text, as: UTF8.self)
  }

  /// The text where `scaled` is `nil`.
  fileprivate func formatted(_ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", self)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }

  /// The number × 10^decimals, rounded as `String(format:)` does; `nil` for a tie, a number beyond 10¹², and more than
  /// three decimals.
  fileprivate func scaled(_ decimals: Int) -> Int? {
    guard 0...3 ~= decimals else { return nil }
    let scaled = self * (decimals == 0 ? 1 : decimals == 1 ? 10 : decimals == 2 ? 100 : 1000)
    let whole = scaled.rounded()
    return scaled.magnitude < 1e12 && (scaled - whole).magnitude < 0.4999 ? Int(whole) : nil
  }

  /// The number with at most six significant digits, for ticks and tables.
  package var short: String { String(format: "%.6g", self) }

  /// A length in a drawing, to a hundredth of a unit, without trailing zeros.
  package var coordinate: String {
    let hundredths = Int((self * 100).rounded())
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest.isMultiple(of: 10) { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// A ratio in percent with one decimal, `100.0 %` only for a ratio of exactly 1.
  package var percent: String { (self < 1 ? Swift.min(self * 100, 99.9) : 100).fixed(1) + " %" }

  /// Seconds as `8:05` or `1:08:05`.
  package var clock: String { RunText.clock(self) }

  /// Seconds per kilometre as `5:14`.
  package var pace: String { RunText.pace(self) }

  /// `percent` as wide as `100.0 %`.
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
    // From the last digit to the first.
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
  /// The count with a comma at every thousand.
  package var grouped: String {
    let digits = Array(String(self))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digits[index])
    }
  }
}
