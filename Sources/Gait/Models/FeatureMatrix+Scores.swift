extension FeatureMatrix {
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
