/// One head of a model on a stream at the model's rate: windows, features, probabilities.
struct DecisionHead: Sendable {
  private var features: FeatureStream
  private let scorer: WindowScorer

  /// - Parameter stream: the head's windows, before the first sample.
  init(_ head: ActivityModel.Head, stream: FeatureStream, sampleRate: SampleRate) {
    features = stream
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
  }

  /// Takes the next sample; returns the window that it closes, if any.
  mutating func append(_ sample: MotionSample) -> ClassifiedWindow? {
    var window: ClassifiedWindow?
    features.append(sample) { window = scorer.classify($1, start: $0) }
    return window
  }
}
