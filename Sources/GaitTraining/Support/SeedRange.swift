/// Seeds as text: one, or a range such as `1-5`.
package struct SeedRange: Hashable, Sendable {
  /// The seeds.
  package let range: ClosedRange<UInt64>

  /// The seeds of a range.
  package init(range: ClosedRange<UInt64>) { self.range = range }

  /// The seeds of a text such as `3` or `1-5`; `nil` for any other text, and if the first seed is above the last.
  package init?(argument: String) {
    let bounds = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last else {
      return nil
    }
    range = first...last
  }
}
