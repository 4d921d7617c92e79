extension FeatureMatrix {
  /// A matrix of label probabilities for the windows of this one, shape `[windows × labels]`.
  ///
  /// - Parameters:
  ///   - featureCount: the features that the model was fitted to.
  ///   - write: fills the probabilities, all of them; not called where there is no window.
  /// - Precondition: the matrix has `featureCount` columns.
  func scored(
    featureCount: Int, labelCount: Int, _ write: (UnsafeMutablePointer<Float>) -> Void
  ) -> FeatureMatrix {
    precondition(columnCount == featureCount, "a matrix of \(columnCount) features for a model of \(featureCount)")
    let size = rowCount * labelCount
    let scores = [Float](unsafeUninitializedCapacity: size) { output, count in
      count = size
      if size > 0, let output = output.baseAddress { write(output) }
    }
    return FeatureMatrix(columnCount: labelCount, values: scores)
  }
}
