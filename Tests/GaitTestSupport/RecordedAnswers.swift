import Foundation
import Gait
import Testing

/// Figures that a command of this repository wrote once, and that tests compare with those of today.
///
/// Other tests say what is right; these find that a figure changed at all. A change that is meant is recorded with
///
///     GAIT_RECORD_ANSWERS=1 make test FILTER=AnswersTests
///
/// and `git diff Tests/References` shows which figures changed, and by how much.
public struct RecordedAnswers {
  /// The figures of one case, by name, in their order.
  public struct Figures {
    fileprivate var texts: [(name: String, text: String)] = []
    private var counts: [String: Int] = [:]

    /// No figures.
    public init() {}

    /// Adds a number, a text or a list, as it is printed. A name that is there already gets its number.
    public mutating func add(_ name: String, _ value: Any?) {
      let text = value.map { "\($0)" } ?? "none"
      let number = counts[name, default: 0] + 1
      counts[name] = number
      texts.append((number == 1 ? name : "\(name) #\(number)", text.isEmpty ? "-" : text))
    }

    /// Adds the number of bytes and their checksum.
    public mutating func add(_ name: String, bytes: some Sequence<UInt8>) {
      let bytes = Array(bytes)
      add(name, "\(bytes.count) \(Checksum.text(bytes))")
    }

    /// Adds a value's JSON form: for every path in it, or for all of it, the number of values and their sum, in which
    /// every value has another weight.
    public mutating func add(_ name: String, json value: some Encodable, wholly: Bool = false) throws {
      var sums: [String: (count: Int, sum: Double)] = [:]
      func visit(_ value: Any, _ path: String) {
        switch value {
        case let entries as [String: Any]:
          for (key, entry) in entries.sorted(by: { $0.key < $1.key }) { visit(entry, "\(path).\(key)") }
        case let list as [Any]: for entry in list { visit(entry, path) }
        case let number as NSNumber: count(number.doubleValue, path)
        case let text as String: count(Double(Array(text.utf8).withUnsafeBytes { Checksum.number($0) } & 0xFFFF), path)
        default: count(0, path)
        }
      }
      func count(_ value: Double, _ path: String) {
        let path = wholly ? name : path
        let old = sums[path] ?? (0, 0)
        sums[path] = (old.count + 1, old.sum + value * (1 + Double(old.count % 97) / 100))
      }
      let data = try JSONEncoder().encode(value)
      visit(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed), name)
      for (path, entry) in sums.sorted(by: { $0.key < $1.key }) { add(path, "\(entry.count) \(entry.sum)") }
    }
  }

  /// Whether the answers were recorded on systems such as this one. Elsewhere, the last bits of transcendental
  /// functions and of linear algebra differ, which a decision between two nearly equal values may show.
  public static let areOfThisSystem: Bool = {
    #if os(Linux) && arch(x86_64)
      true
    #else
      false
    #endif
  }()

  /// Two places of the tests that name the same record, of which one would overwrite the other's answers.
  public struct NameTwice: Error, Equatable {
    let name: String
    let places: [String]
  }

  /// The place that names each record.
  private final class Places: @unchecked Sendable {
    private let lock = NSLock()
    private var places: [String: String] = [:]

    func claim(_ name: String, _ place: String) throws {
      try lock.withLock {
        let earlier = places[name, default: place]
        guard earlier == place else { throw NameTwice(name: name, places: [earlier, place]) }
        places[name] = place
      }
    }
  }

  private static let places = Places()

  private let url: URL
  private let tolerance: Double
  private let isRecording = ProcessInfo.processInfo.environment["GAIT_RECORD_ANSWERS"] != nil

  /// The answers in a file of `Tests/References`, whose numbers may differ by `tolerance` of their size. A name that
  /// another place uses already is an error.
  public init(_ name: String, tolerance: Double = 1e-6, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try Self.places.claim(name, "\(sourceLocation.fileID):\(sourceLocation.line)")
    self.tolerance = tolerance
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    url = tests.appending(path: "References/\(name)")
  }

  /// Expects the recorded figures, and names the first that differ.
  public func expect(
    _ cases: [(name: String, figures: Figures)], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = try differences(cases)
    #expect(
      differences.isEmpty, "\(differences.count) differ: \(differences.prefix(12).joined(separator: "; "))",
      sourceLocation: sourceLocation)
  }

  /// The figures that are not as recorded, or are there only now or only in the record; none while recording.
  private func differences(_ cases: [(name: String, figures: Figures)]) throws -> [String] {
    let now = cases.flatMap { entry in entry.figures.texts.map { (key: "\(entry.name)\t\($0.name)", text: $0.text) } }
    if isRecording {
      let text = now.map { "\($0.key)\t\($0.text)\n" }.joined()
      try Data(text.utf8).write(to: url, options: .atomic)
      return []
    }
    let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { $0.split(separator: "\t") }
    var recorded = Dictionary(uniqueKeysWithValues: rows.map { ("\($0[0])\t\($0[1])", String($0[2])) })
    var differences: [String] = []
    for (key, text) in now {
      let old = recorded.removeValue(forKey: key)
      if let old, areEqual(old, text) { continue }
      differences.append("\(key.replacing("\t", with: ", ")): \(text) instead of \(old ?? "nothing")")
    }
    return differences + recorded.keys.sorted().map { "\($0.replacing("\t", with: ", ")): missing" }
  }

  /// Whether two texts have the same words, and numbers that are equal but for rounding.
  private func areEqual(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    let (left, right) = (left.split(separator: " "), right.split(separator: " "))
    return left.count == right.count
      && zip(left, right).allSatisfy { first, second in
        guard let first = Double(first), let second = Double(second) else { return first == second }
        return (first - second).magnitude <= tolerance * max(first.magnitude, second.magnitude, 1e-3)
      }
  }
}
