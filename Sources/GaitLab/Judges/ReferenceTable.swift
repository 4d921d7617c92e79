import Foundation

/// A table of reference values beside recordings: comma-separated cells without quotes, the first line a header.
enum ReferenceTable {
  /// The rows, each with its cells by the name of their column.
  static func rows(of file: URL) throws -> [[String: String]] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}

extension [String: String] {
  /// The number in a column of a reference table.
  func number(_ column: String) throws -> Double {
    guard let number = self[column].flatMap(Double.init) else { throw ReferenceError.noNumber(column: column) }
    return number
  }
}

/// What is wrong with reference values, or with what is compared with them.
enum ReferenceError: Error, CustomStringConvertible {
  /// The column is absent, or its cell is not a number.
  case noNumber(column: String)
  /// A recording whose way is known has no distance.
  case withoutDistance(String)

  var description: String {
    switch self {
    case .noNumber(let column): "the reference table has no number in the column \"\(column)\"; correct it."
    case .withoutDistance(let recording): "\(recording): the run has no distance; check its Location.csv."
    }
  }
}
