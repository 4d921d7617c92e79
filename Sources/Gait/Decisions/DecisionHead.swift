/// One head of a model on a stream at the model's rate: windows, features, probabilities.
struct DecisionHead: Sendable {
  private var features: FeatureStream
  private let scorer: WindowScorer

  /// - Parameter stream: the head's windows, before the first sample.
  init(_ head: ActivityModel.Head, stream: FeatureStream, sampleRate: SampleRate) {
    features = stream
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
  }

  /// Takes the next sample; returns whether `closeBatch` must follow.
  @inline(__always)
  mutating func fillBatch(with sample: MotionSample) -> Bool { features.fillBatch(with: sample) }

  /// Whether a window ends with the batch that `closeBatch` is to pack.
  var batchEndsWindow: Bool { features.batchEndsWindow }

  /// Calls `body` with the window that ends with the latest sample, if any.
  @inline(__always)
  mutating func closeBatch(_ body: (ClassifiedWindow) -> Void) {
    features.closeBatch { body(scorer.classify($1, start: $0)) }
  }
}
