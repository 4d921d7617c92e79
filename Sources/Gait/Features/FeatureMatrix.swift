/// A table of features in Float, shape `[windows × features]`, row-major.
public struct FeatureMatrix: Hashable, Sendable {
  /// The number of features in a row.
  public let columnCount: Int

  /// The values, shape `[rowCount × columnCount]`, row after row.
  public private(set) var values: [Float]

  /// A matrix from its values, row after row.
  ///
  /// - Precondition: `columnCount` is positive and divides the number of values.
  public init(columnCount: Int, values: [Float] = []) {
    precondition(columnCount > 0, "a feature matrix needs at least one column")
    precondition(
      values.count.isMultiple(of: columnCount),
      "\(values.count) values do not fill rows of \(columnCount) columns")
    self.columnCount = columnCount
    self.values = values
  }

  /// The number of windows.
  public var rowCount: Int { values.count / columnCount }

  /// The features of window `row`, shape `[columnCount]`.
  public subscript(row: Int) -> ArraySlice<Float> {
    values[row * columnCount..<(row + 1) * columnCount]
  }

  /// Makes room for the features of `count` windows.
  mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count * columnCount) }

  /// Adds a window's features, shape `[columnCount]`.
  public mutating func append(_ row: some Sequence<Float>) {
    let before = values.count
    values.append(contentsOf: row)
    precondition(
      values.count == before + columnCount,
      "a row of \(values.count - before) values in a matrix of \(columnCount)")
  }

  /// The rows at `indices`, in that order.
  public func rows(at indices: [Int]) -> FeatureMatrix {
    var selected: [Float] = []
    selected.reserveCapacity(indices.count * columnCount)
    for index in indices { selected.append(contentsOf: self[index]) }
    return FeatureMatrix(columnCount: columnCount, values: selected)
  }

  /// A copy of the matrix, each of whose rows `change` has rewritten in place.
  @inline(__always)
  func changingRows(_ change: (UnsafeMutableBufferPointer<Float>) -> Void) -> FeatureMatrix {
    var changed = self
    changed.values.withUnsafeMutableBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: columnCount) {
        change(UnsafeMutableBufferPointer(rebasing: values[start..<start + columnCount]))
      }
    }
    return changed
  }

  /// A matrix of label probabilities for the windows of this one, shape `[windows × labels]`.
  ///
  /// - Parameters:
  ///   - featureCount: the number of features that the model was fitted to.
  ///   - labelCount: the number of labels.
  ///   - write: initialises all probabilities; not called for a matrix without rows.
  /// - Precondition: the matrix has `featureCount` columns.
  func scored(
    featureCount: Int, labelCount: Int, _ write: (UnsafeMutablePointer<Float>) -> Void
  ) -> FeatureMatrix {
    precondition(
      columnCount == featureCount, "the matrix has \(columnCount) features, but the model needs \(featureCount)")
    let size = rowCount * labelCount
    let scores = [Float](unsafeUninitializedCapacity: size) { output, count in
      count = size
      if size > 0, let output = output.baseAddress { write(output) }
    }
    return FeatureMatrix(columnCount: labelCount, values: scores)
  }
}

/// The rows as a collection, so that a matrix can be mapped and zipped with labels.
extension FeatureMatrix: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { rowCount }
}
