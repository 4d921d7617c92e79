/// The label probabilities of the leaves of classification trees.
enum LeafProbabilities {
  /// Throws unless `values`, shape `[leaves × labels]`, are probabilities that sum to 1 in every leaf.
  static func check(_ values: [Float], leafCount: Int, labelCount: Int) throws(ModelError) {
    guard labelCount > 1 else { throw .fault(.tooFewLabels(labelCount)) }
    try ModelFault.check(.leafProbabilities, values, rows: leafCount, columns: labelCount)
    for leaf in 0..<leafCount {
      var sum: Float = 0
      for label in 0..<labelCount {
        let value = values[leaf * labelCount + label]
        guard (0...1).contains(value) else {
          throw .fault(.probabilityOutOfRange(leaf: leaf, label: label, value: value))
        }
        sum += value
      }
      guard (sum - 1).magnitude <= 1e-4 else { throw .fault(.probabilitiesDoNotSumToOne(leaf: leaf, sum: sum)) }
    }
  }
}
