/// Scores windows of one head, one at a time, in a fixed order of operations.
///
/// An immutable class: as a struct, every window would retain and release all arrays of the head.
package final class WindowScorer: Sendable {
  private let head: ActivityModel.Head
  private let windowNanoseconds: Int64

  package init(head: ActivityModel.Head, sampleRate: SampleRate) {
    self.head = head
    windowNanoseconds = sampleRate.nanoseconds(ofSample: head.window.sampleCount(at: sampleRate))
  }

  /// Classifies a window.
  ///
  /// - Parameters:
  ///   - features: the window's features, shape `[features]`; overwritten with the scaled features.
  ///   - start: the time of the window's first sample.
  package func classify(_ features: UnsafeMutableBufferPointer<Float>, start: SampleTime) -> ClassifiedWindow {
    let values = features.baseAddress!
    head.scaling?.apply(UnsafePointer(values), into: values)
    return ClassifiedWindow(
      start: start,
      end: SampleTime(nanoseconds: start.nanoseconds + windowNanoseconds),
      probabilities: LabelProbabilities(labels: head.labels) {
        head.classifier.probabilities(of: UnsafePointer(values), into: $0)
        head.calibration?.apply(to: $0, count: head.labels.count)
      })
  }
}
