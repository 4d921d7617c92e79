import Foundation

/// Number formats that do not depend on the locale.
enum InvariantFormat {
  /// A length in a drawing, to a hundredth of a unit, without trailing zeros.
  static func coordinate(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest.isMultiple(of: 10) { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// A number with at most six significant digits, for ticks and tables.
  static func short(_ value: Double) -> String {
    String(format: "%.6g", value)
  }

  /// A number with a fixed number of decimals, never a negative zero.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }
}
