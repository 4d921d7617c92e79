extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which `precedes` is false; the elements for which it is true must come before all others.
  ///
  /// - Complexity: O(log `count`).
  package func partitionIndex(where precedes: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = precedes(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
