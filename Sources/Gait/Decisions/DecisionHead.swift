/// One head of a model on a stream at the model's rate: windows, features, probabilities.
struct DecisionHead: Sendable {
  private var features: FeatureStream
  private var scorer: WindowScorer

  init(_ head: ActivityModel.Head, sampleRate: SampleRate) {
    features = FeatureStream(of: head, sampleRate: sampleRate)
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
  }

  /// Takes the next sample and returns the window that it closes, if it does.
  mutating func append(_ sample: MotionSample) -> ClassifiedWindow? {
    var window: ClassifiedWindow?
    features.append(sample) { window = scorer.classify($1, start: $0) }
    return window
  }
}
