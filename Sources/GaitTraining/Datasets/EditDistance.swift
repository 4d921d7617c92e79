/// The Damerau–Levenshtein distance.
enum EditDistance {
  /// The minimum number of insertions, deletions, replacements and transpositions of neighbours.
  ///
  /// Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964, in the restricted
  /// form that edits no substring twice.
  ///
  /// - Complexity: O(*mn*) for texts of *m* and *n* characters.
  static func between(_ first: String, _ second: String) -> Int {
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
}
