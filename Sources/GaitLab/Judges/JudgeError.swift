import GaitTraining

extension String {
  /// The text as the heading of a table.
  var heading: String { "\n=== \(self)" }

  /// The text with spaces after it, or before it for a negative width.
  func padded(to width: Int) -> String { ReportTable.padded(self, to: width) }
}

extension Double {
  /// The number with its sign and one decimal, aligned right in `width` characters.
  func signed(_ width: Int = 0) -> String {
    let text = fixed(1)
    return (text.hasPrefix("-") ? text : "+" + text).padded(to: -width)
  }
}

/// The sizes of errors, in ascending order: their median, the largest, and how many are within a limit.
struct ErrorSizes {
  private let sizes: [Double]

  /// - Parameter errors: the errors, with or without sign; at least one.
  init(_ errors: [Double]) { sizes = errors.map(\.magnitude).sorted() }

  var count: Int { sizes.count }
  var largest: Double { sizes[sizes.count - 1] }
  var mean: Double { sizes.reduce(0, +) / Double(sizes.count) }
  /// The middle size; of an even number, the mean of the two in the middle.
  var median: Double { (sizes[(sizes.count - 1) / 2] + sizes[sizes.count / 2]) / 2 }

  /// The size that a share of all is at most, between the two nearest ones.
  func percentile(_ share: Double) -> Double {
    let position = share * Double(sizes.count - 1)
    let first = Int(saturating: position)
    let next = sizes[min(first + 1, sizes.count - 1)]
    return sizes[first] + (position - Double(first)) * (next - sizes[first])
  }

  /// How many are at most `limit`.
  func count(within limit: Double) -> Int { sizes.count { $0 <= limit } }
}

/// An error in the data that a judge compares, with the cure.
package struct JudgeError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
