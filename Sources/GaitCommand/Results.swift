import ArgumentParser
import Foundation
import GaitTraining

/// The option for the form of a command's results.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Prints the results as JSON.")
  var json = false

  /// Prints the results: as JSON if that is asked for, else as text.
  func print(json value: @autoclosure () throws -> any Encodable, text: @autoclosure () throws -> String) throws {
    if json { try Terminal.print(json: value()) } else { try Terminal.print(text()) }
  }
}

/// A JSON object of results.
struct JSONObject: Encodable {
  private let values: KeyValuePairs<String, (any Encodable)?>
  private let others: [any Encodable]
  private let hasNulls: Bool

  /// An object from its keys and values.
  ///
  /// - Parameters:
  ///   - values: the keys with their values.
  ///   - others: objects whose keys are added.
  ///   - hasNulls: whether an unknown value is `null`; otherwise its key is omitted.
  init(
    _ values: KeyValuePairs<String, (any Encodable)?>, and others: [any Encodable] = [], hasNulls: Bool = false
  ) {
    self.values = values
    self.others = others
    self.hasNulls = hasNulls
  }

  func encode(to encoder: any Encoder) throws {
    for other in others { try other.encode(to: encoder) }
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values {
      if let value, !((value as? any Unknowable)?.isUnknown ?? false) {
        try container.encode(value, forKey: Key(stringValue: name))
      } else if hasNulls {
        try container.encodeNil(forKey: Key(stringValue: name))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A value that may be unknown, whatever its type.
private protocol Unknowable {
  var isUnknown: Bool { get }
}

extension Optional: Unknowable {
  fileprivate var isUnknown: Bool { self == nil }
}

extension JSONObject {
  /// A classification report with its probability report.
  static func validation(_ windows: ScoredWindows, _ report: ClassificationReport) -> JSONObject {
    JSONObject(["probabilities": ProbabilityReport(windows)], and: [report])
  }
}

extension Array<[String]> {
  /// The lines of a table of these rows, the headings first.
  var tableLines: [String] { ReportTable(list: self).lines }

  /// A table of these rows as text, the headings first.
  var table: String { tableLines.joined(separator: "\n") }
}
