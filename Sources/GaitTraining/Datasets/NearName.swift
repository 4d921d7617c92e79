/// Suggestions for misspelt names in errors.
enum NearName {
  /// The name in `names` that `text` probably misspells; `nil` if none is near enough.
  ///
  /// Names that differ only in case match. Otherwise one edit is allowed from three characters on, and two from six on.
  /// Numbers are never matched: 12 is not a misspelling of 13.
  static func nearest(to text: String, among names: [String]) -> String? {
    let written = text.lowercased()
    let limit = written.allSatisfy(\.isNumber) || written.count < 3 ? 0 : written.count < 6 ? 1 : 2
    let candidates = names.map { (name: $0, distance: EditDistance.between(written, $0.lowercased())) }
    return candidates.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
  }

  /// The end of an error's sentence about unknown names: the nearest of the known ones, and a list of them.
  static func cure(for unknown: [String], among known: [String], what: String, limit: Int = 12) -> String {
    let near = unknown.compactMap { nearest(to: $0, among: known) }
    let list = known.listed(limit: limit)
    return near.isEmpty ? "; the \(what) are \(list)." : "; did you mean \(near.quoted)? The \(what) are \(list)."
  }
}
