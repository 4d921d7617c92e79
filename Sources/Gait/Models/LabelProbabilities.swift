/// The probabilities of a model's labels for one window; they sum to 1.
///
/// The values are stored inline, so classifying a stream does not allocate.
public struct LabelProbabilities: Hashable, Sendable {
  /// The labels, in the model's order.
  public let labels: [String]
  private var values: SIMD32<Float> = .zero

  init(labels: [String], _ fill: (UnsafeMutableBufferPointer<Float>) -> Void) {
    self.labels = labels
    withUnsafeMutablePointer(to: &values) {
      let values = UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)
      fill(UnsafeMutableBufferPointer(start: values, count: labels.count))
    }
  }

  /// The probability of a label, 0…1; 0 for a label that the model does not have.
  public subscript(label: String) -> Float {
    labels.firstIndex(of: label).map { values[$0] } ?? 0
  }

  /// The probability of the label at `index` of `labels`, 0…1.
  ///
  /// - Precondition: `index` is within `labels.indices`.
  public subscript(index: Int) -> Float {
    precondition(labels.indices.contains(index), "there is no label \(index)")
    return values[index]
  }

  /// The index of the most probable label in `labels`; the first one on a tie.
  public var mostProbableIndex: Int {
    var best = 0
    for index in 1..<labels.count where values[index] > values[best] { best = index }
    return best
  }

  /// The most probable label; the first one on a tie.
  public var mostProbable: String { labels[mostProbableIndex] }
}
