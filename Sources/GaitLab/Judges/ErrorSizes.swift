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

  /// How many are at most `limit`.
  func count(within limit: Double) -> Int { sizes.count { $0 <= limit } }
}
