import GaitTestSupport

/// Random decimal numbers as text, of every kind that is hard to parse.
enum DecimalText: CaseIterable {
  /// A few digits, a point, and up to 18 digits.
  case decimal
  /// Up to 25 digits with an exponent from −345 to 310.
  case scientific
  /// The shortest text of a double with random bits, and of a random float.
  case shortest, float
  /// The exact midpoint of two neighbouring doubles, or slightly above it.
  case halfway
  /// Such a midpoint with a fraction of up to 70 binary digits, written in full, exactly or with its last digit
  /// changed.
  case longHalfway
  /// The midpoint of two neighbouring floats, and doubles next to it.
  case floatHalfway
  /// Subnormal and small doubles.
  case subnormal
  /// 17 to 22 digits with a point anywhere.
  case longDigits

  func text(_ generator: inout SplitMix64) -> String {
    switch self {
    case .decimal:
      let whole = Self.digits(0...4, &generator)
      return Self.sign(&generator) + whole + "." + Self.digits(1...18, &generator)
    case .scientific:
      let mantissa = Self.sign(&generator) + Self.digits(1...1, &generator) + "." + Self.digits(0...24, &generator)
      return mantissa + (Bool.random(using: &generator) ? "e" : "E")
        + "\(Int.random(in: -345...310, using: &generator))"
    case .shortest:
      let value = Double(bitPattern: generator.next())
      return value.isFinite ? value.description : "0"
    case .float:
      return Double(Float.random(in: -20...20, using: &generator)).description
    case .halfway:
      return Self.halfway(&generator)
    case .longHalfway:
      return Self.longHalfway(&generator)
    case .floatHalfway:
      return Self.floatHalfway(&generator)
    case .subnormal:
      return Double(bitPattern: generator.next() >> UInt64.random(in: 12...63, using: &generator)).description
    case .longDigits:
      let text = Self.digits(17...22, &generator)
      let point = Int.random(in: 0...text.count, using: &generator)
      return "\(text.prefix(point)).\(text.dropFirst(point))"
    }
  }

  private static func digits(_ counts: ClosedRange<Int>, _ generator: inout SplitMix64) -> String {
    let bytes = (0..<Int.random(in: counts, using: &generator)).map { _ in
      UInt8(ascii: "0") + .random(in: 0..<10, using: &generator)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func sign(_ generator: inout SplitMix64) -> String {
    ["", "-", "+"].randomElement(using: &generator)!
  }

  private static func halfway(_ generator: inout SplitMix64) -> String {
    let low = UInt64.random(in: 1 << 52..<1 << 53, using: &generator)
    // low + ½, times a power of two.
    let text = String((low << 1 | 1) << UInt64.random(in: 0...9, using: &generator))
    let point = Int.random(in: 0...3, using: &generator)
    let tail = ["", ".", ".0", ".0000000000001", ".5"].randomElement(using: &generator)!
    return point == 0 ? text + tail : "\(text.dropLast(point)).\(text.suffix(point))"
  }

  private static func longHalfway(_ generator: inout SplitMix64) -> String {
    let low = UInt64.random(in: 1 << 52..<1 << 53, using: &generator)
    // (2 · low + 1) / 2ⁿ is (2 · low + 1) · 5ⁿ / 10ⁿ.
    var digits = String(low << 1 | 1).utf8.reversed().map { Int($0 - UInt8(ascii: "0")) }
    let places = Int.random(in: 1...70, using: &generator)
    for _ in 0..<places {
      var carry = 0
      for index in digits.indices {
        carry += digits[index] * 5
        digits[index] = carry % 10
        carry /= 10
      }
      if carry > 0 { digits.append(carry) }
    }
    // The last digit is 5.
    digits[0] += Int.random(in: -1...1, using: &generator)
    digits += Array(repeating: 0, count: max(0, places - digits.count))
    let text = String(decoding: digits.reversed().map { UInt8($0) + UInt8(ascii: "0") }, as: UTF8.self)
    return "\(text.dropLast(places)).\(text.suffix(places))"
  }

  private static func floatHalfway(_ generator: inout SplitMix64) -> String {
    let float = Float.random(in: -4...4, using: &generator)
    let middle = (Double(float) + Double(float.nextUp)) / 2
    let near = [middle.nextDown, middle, middle.nextUp].randomElement(using: &generator)!
    let text = near.description
    return text.contains("e") ? text : text + digits(0...3, &generator)
  }
}
