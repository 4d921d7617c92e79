/// The number of edits that turn one text into another.
package enum EditDistance {
  /// The fewest characters to insert, delete, replace, or exchange with their neighbour.
  ///
  /// Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964, in the restricted
  /// form that edits no place twice (optimal string alignment).
  ///
  /// - Complexity: O(*mn*), the texts having *m* and *n* characters.
  package static func between(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    var rows = [Array(0...b.count)]
    for i in 1..<a.count + 1 {
      var row = [i]
      for j in 1..<b.count + 1 {
        let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var least = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, rows[i - 2][j - 2] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }

  /// The candidate that `name` probably misspells: the nearest within one edit for each three characters, two at most;
  /// `nil` if there is none.
  ///
  /// Case does not count. Of equally near candidates the first is returned. Numbers have no suggestion: 12 is not a
  /// misspelling of 13.
  package static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
    let most = name.allSatisfy(\.isNumber) ? 0 : min(2, name.count / 3)
    let near = candidates.lazy.filter { ($0.count - name.count).magnitude <= most }
      .map { (name: $0, distance: between($0.lowercased(), name.lowercased())) }
    return near.filter { $0.distance <= most }.min { $0.distance < $1.distance }?.name
  }
}
