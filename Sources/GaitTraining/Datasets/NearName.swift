import GaitFormats

/// Suggestions for misspelt names in errors.
enum NearName {
  /// The end of an error's sentence about unknown names: the nearest of the known ones, and a list of them.
  static func cure(for unknown: [String], among known: [String], what: String, limit: Int = 12) -> String {
    let near = unknown.compactMap { EditDistance.suggestion(for: $0, among: known) }
    let list = known.listed(limit: limit)
    return near.isEmpty ? "; the \(what) are \(list)." : "; did you mean \(near.quoted)? The \(what) are \(list)."
  }
}
