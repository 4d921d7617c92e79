/// One head of a model on a stream at the model's rate: windows, features, probabilities.
struct DecisionHead: Sendable {
  private var features: FeatureStream
  private let scorer: WindowScorer
  private var filter: RejectionFilter

  /// - Parameter stream: the head's windows, before the first sample.
  init(_ head: ActivityModel.Head, stream: FeatureStream, sampleRate: SampleRate) {
    features = stream
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
    filter = RejectionFilter(head, sampleRate: sampleRate)
  }

  /// Takes the next sample; returns whether it completes a window. If it does, call `classify` before the next sample.
  @inline(__always)
  mutating func append(_ sample: MotionSample) -> Bool { features.append(sample) }

  /// Classifies the latest window. Call it once for a window, because it scales the features in place.
  mutating func classify() -> ClassifiedWindow {
    filter.judge(features.withWindow { scorer.classify($1, start: $0) })
  }

  /// Takes a block of samples and calls `body` with each window that they complete.
  mutating func append(contentsOf block: Recording, forEachWindow body: (ClassifiedWindow) -> Void) {
    features.append(contentsOf: block) { start, features in
      body(filter.judge(scorer.classify(features, start: start)))
    }
  }
}
