import Gait

/// Texts of recorded answers. Each is one line without a tab, so that it is one cell of a record.
public enum AnswerText {
  /// A value in printable ASCII.
  public static func plain(_ value: Any?) -> String {
    guard let value else { return "none" }
    return "\(value)".unicodeScalars.map { scalar in
      0x20..<0x7F ~= scalar.value ? String(scalar) : "\\" + String(scalar.value, radix: 16) + ";"
    }.joined()
  }

  /// What a body returns, or its error.
  public static func outcome<Value>(_ body: () throws -> Value) -> String {
    do { return plain(try body()) } catch { return plain("error: \(error)") }
  }

  /// Whole numbers, which are compared exactly: a few as they are, many by their checksum.
  public static func exact(_ values: some Collection<some BinaryInteger>) -> String {
    let text = "n" + values.map { "\($0)" }.joined(separator: "_")
    return text.utf8.count <= 120 ? text : "n:\(values.count):\(Checksum.text(Array(text.utf8)))"
  }

  /// A floating-point number, which is compared exactly.
  public static func exact(_ value: Double?) -> String {
    value.map { "b" + String($0.bitPattern, radix: 16) } ?? "none"
  }

  /// The bits of rows, by their checksum.
  public static func exact(_ rows: [SIMD16<Float>]) -> String {
    exact(rows.flatMap { row in (0..<16).map { row[$0].isNaN ? 0x7FC0_0000 : row[$0].bitPattern } })
  }

  /// Ranges of rows.
  public static func ranges(_ ranges: [Range<Int>]) -> String {
    "r" + ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: "_")
  }

  /// Numbers between spaces, which may differ by the tolerance of the record. More than 40 numbers are sums of up to 40
  /// groups of neighbours, in which every number has another weight.
  public static func text(_ values: [Double]) -> String {
    guard values.count > 40 else { return "\(values.count) " + values.map { "\($0)" }.joined(separator: " ") }
    let size = (values.count + 39) / 40
    let sums = stride(from: 0, to: values.count, by: size).map { first in
      values[first..<min(values.count, first + size)].enumerated().reduce(0) {
        $0 + $1.element * (1 + Double($1.offset % 97) / 10)
      }
    }
    return "\(values.count) " + sums.map { "\($0)" }.joined(separator: " ")
  }

  /// Numbers of which some are missing.
  public static func text(_ values: [Double?]) -> String { text(values.map { $0 ?? -777 }) }

  /// Yes and no as 1 and 0.
  public static func text(_ values: [Bool]) -> String { values.map { $0 ? "1" : "0" }.joined() + "." }

  /// Ranges of time, in seconds.
  public static func text(_ ranges: [Range<SampleTime>]) -> String {
    text(ranges.flatMap { [$0.lowerBound.seconds, $0.upperBound.seconds] })
  }

  /// All numbers of a value and of its parts, also private ones, in the order of their declaration. A value with a
  /// dictionary or a set has no fixed order. The name of a private type may be an address, as in "$55e790481a20", which
  /// is no number.
  public static func state(of value: Any) -> String {
    let words = "\(value)".split { !($0.isLetter || $0.isNumber || ".-+_$".contains($0)) }
    return text(
      words.compactMap { word in
        switch word {
        case "true": 1
        case "false": 0
        case "nil": -777
        default: Double(word)
        }
      })
  }
}

extension Sequence {
  /// The elements with spaces between them, so that recorded answers compare them one by one.
  public var spaced: String { map { "\($0)" }.joined(separator: " ") }
}
