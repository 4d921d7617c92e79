extension Int64 {
  /// The number truncated toward zero; the nearest representable integer if it is out of range, 0 if it is NaN.
  @inlinable @inline(__always)
  package init(saturating number: Double) {
    if number.magnitude < 0x1p63 {
      self.init(number)
    } else {
      self = number.isNaN ? 0 : number < 0 ? .min : .max
    }
  }
}

extension FixedWidthInteger {
  /// The number truncated toward zero; the nearest representable integer in the range of `Int64` if it is out of range,
  /// 0 if it is NaN.
  ///
  /// `Int(_:)` traps on such numbers. Code that counts or indexes with a computed number uses this conversion.
  @inlinable @inline(__always)
  package init(saturating number: Double) { self.init(clamping: Int64(saturating: number)) }

  /// The number truncated toward zero; the nearest representable integer in the range of `Int64` if it is out of range,
  /// 0 if it is NaN.
  @inlinable @inline(__always)
  package init(saturating number: Float) { self.init(saturating: Double(number)) }
}

extension Array {
  /// Appends a range, or extends the last one if the two adjoin.
  package mutating func append<Bound>(adjoining range: Range<Bound>) where Element == Range<Bound> {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which `precedes` is false; the elements for which it is true must come before
  /// all others.
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
