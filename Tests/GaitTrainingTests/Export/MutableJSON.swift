import Foundation
import GaitTestSupport

/// A JSON tree that keeps numbers as text, the order of entries and duplicate entries, so that it can be mutated in
/// ways that no encoder writes.
indirect enum MutableJSON {
  /// A number, `true`, `false` or `null`, as text.
  case word(String)
  case text(String)
  case list([MutableJSON])
  case object([(key: String, value: MutableJSON)])

  /// Parses valid JSON.
  init(_ json: String) {
    var rest = Substring(json)
    self = Self.read(&rest)
  }

  private static func read(_ rest: inout Substring) -> MutableJSON {
    switch next(&rest) {
    case "{":
      return .object(
        entries(&rest, until: "}") { rest in
          guard case .text(let key) = read(&rest) else { preconditionFailure("a key is a text") }
          _ = next(&rest)
          return (key, read(&rest))
        })
    case "[": return .list(entries(&rest, until: "]", read))
    case "\"":
      let end = rest.indices.first { rest[$0] == "\"" && isUnescaped(rest[..<$0]) }!
      let raw = "\"" + rest[...end]
      rest = rest[rest.index(after: end)...]
      return .text((try? JSONDecoder().decode(String.self, from: Data(raw.utf8))) ?? raw)
    case let first:
      let tail = rest.prefix { !",]} \n".contains($0) }
      rest = rest[tail.endIndex...]
      return .word(String(first) + tail)
    }
  }

  private static func isUnescaped(_ before: Substring) -> Bool {
    before.reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }

  private static func next(_ rest: inout Substring) -> Character {
    rest = rest.drop { " \n\t\r".contains($0) }
    return rest.removeFirst()
  }

  private static func entries<Entry>(
    _ rest: inout Substring, until end: Character, _ read: (inout Substring) -> Entry
  ) -> [Entry] {
    var entries: [Entry] = []
    while true {
      rest = rest.drop { " \n\t\r,".contains($0) }
      guard rest.first != end else {
        rest.removeFirst()
        return entries
      }
      entries.append(read(&rest))
    }
  }

  /// The tree as JSON.
  var json: String {
    switch self {
    case .word(let word): word
    case .text(let text): Self.quoted(text)
    case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .object(let entries): "{\(entries.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20:
        "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// Replaces or adds the entry of a key.
  mutating func set(_ key: String, to value: MutableJSON) {
    guard case .object(var entries) = self else { return }
    entries.removeAll { $0.key == key }
    self = .object(entries + [(key, value)])
  }
}

// MARK: - Mutation

extension MutableJSON {
  private static let numbers = [
    "0", "-0", "-1", "1", "2", "3", "0.5", "1.5", "1e-45", "1e-38", "1e-30", "1e-18", "1e-9", "1e-3", "-1e-3", "1e3",
    "1e9",
    "-1e9", "1e12", "1e18", "1e30", "-1e30", "3e38", "-3e38", "3.4028236e38", "1e39", "-1e39", "1e308", "-1e308",
    "1e400",
    "-1e400", "1e-400", "2147483647", "-2147483648", "2147483648", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "1e999999999999999999999", "100000", "600", "0.01", "0.1", "25.0", "24.999999", "true",
    "null",
  ]
  private static let texts = [
    "", " ", "\u{0}", "\n", "a\"\n}; fatalError() //", "\"\"\"##", "\\##(exit(1))", "*/", "\u{2028}", "\u{202E}",
    "\u{1b}[2J",
    "e\u{301}", "\u{10FFFF}", "🏃🏽‍♀️", String(repeating: "x", count: 3000), "running", "logistic", "decisionTree",
    "randomForest", "boostedTrees", "vertical.rms", "vertical.percentile[1e-300]", "vertical.rms.log[1e-300]",
    "vertical.rms.log[1e300]", "total.bandRMS[0...1e300]", "total.bandRMS[1e-300...12]", "gravity.sphericalVariance",
    "vertical.autocorrelationLag[1e-300...1e300]", "vertical.autocorrelationPeak[1e299...1e300]", "vertical.energy",
    "total.bandLogRatio[1...2/2...3+1e300]", "vertical.kurtosis", "vertical.skewness.signedLog[1e-300]",
    "rotation.mean",
  ]

  /// The tree with one random mutation.
  func mutated(_ random: inout SplitMix64) -> MutableJSON {
    // Deeper rather than here, most of the time: what is interesting is near the leaves.
    let goesDown = Int.random(in: 0..<12, using: &random) > 0
    switch self {
    case .list(var values) where goesDown && !values.isEmpty:
      let index = Int.random(in: values.indices, using: &random)
      values[index] = values[index].mutated(&random)
      return .list(values)
    case .object(var entries) where goesDown && !entries.isEmpty:
      let index = Int.random(in: entries.indices, using: &random)
      entries[index].value = entries[index].value.mutated(&random)
      return .object(entries)
    default: return replaced(&random)
    }
  }

  private func replaced(_ random: inout SplitMix64) -> MutableJSON {
    if Int.random(in: 0..<12, using: &random) == 0 { return Self.other(&random) }
    switch self {
    case .word(let word): return .word(Self.changed(word, &random))
    case .text: return .text(Self.texts.randomElement(using: &random)!)
    case .list(let values): return .list(Self.changed(values, &random) { $0 })
    case .object(let entries):
      let name = Self.texts.randomElement(using: &random)!
      return .object(
        Self.changed(entries, &random) { (name, $0.value) })
    }
  }

  private static func other(_ random: inout SplitMix64) -> MutableJSON {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .word(numbers.randomElement(using: &random)!)
    case 1: .text(texts.randomElement(using: &random)!)
    case 2: .list([])
    case 3: .object([])
    default: (0..<600).reduce(.list([])) { inner, _ in .list([inner]) }
    }
  }

  private static func changed(_ word: String, _ random: inout SplitMix64) -> String {
    guard let value = Double(word), value.isFinite, Bool.random(using: &random) else {
      return numbers.randomElement(using: &random)!
    }
    let changes = [-value, value + 1, value - 1, 2 * value, value / 2, 10 * value, 1 / (value + 0.5), value.nextUp]
    let changed = changes.filter { $0.isFinite }.randomElement(using: &random)!
    return changed == changed.rounded() && changed.magnitude < 1e15 ? "\(Int(changed))" : "\(changed)"
  }

  private static func changed<Entry>(
    _ entries: [Entry], _ random: inout SplitMix64, renamed: (Entry) -> Entry
  ) -> [Entry] {
    guard let any = entries.indices.randomElement(using: &random) else { return entries }
    var entries = entries
    switch Int.random(in: 0..<7, using: &random) {
    case 0: entries.remove(at: any)
    case 1: entries.append(entries[any])
    case 2: entries.reverse()
    case 3: entries.shuffle(using: &random)
    case 4: entries = Array(repeating: entries[any], count: Int.random(in: 2...5000, using: &random))
    case 5: entries[any] = renamed(entries[any])
    default: entries.swapAt(any, Int.random(in: entries.indices, using: &random))
    }
    return entries
  }
}
