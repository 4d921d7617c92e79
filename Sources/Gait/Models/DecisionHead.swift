/// One classification of a model (`ActivityModel.Head`): scores the features of windows, in order of time, and rejects
/// windows.
struct DecisionHead: Sendable {
  private let scorer: WindowScorer
  private var filter: RejectionFilter

  init(_ head: ActivityModel.Head, sampleRate: SampleRate) {
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
    filter = RejectionFilter(head, sampleRate: sampleRate)
  }

  /// Classifies the next window.
  ///
  /// - Parameters:
  ///   - start: the time of the window's first sample.
  ///   - features: the window's features, shape `[features]`; overwritten with the scaled features.
  @inline(__always)
  mutating func classify(_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> ClassifiedWindow {
    var window = scorer.classify(features, start: start)
    filter.judge(&window)
    return window
  }
}

/// Averages the evidence of successive windows and decides which are rejected. If the head has no `Rejection`, none
/// are.
package struct RejectionFilter: Sendable {
  private let bounds: RejectionEvidence?
  private let longestStep: Int64
  private var mean = RejectionEvidence(distance: 0, confidence: 1)
  private var previous: SampleTime?

  package init(_ head: ActivityModel.Head, sampleRate: SampleRate) {
    bounds = head.rejection?.bounds
    longestStep = sampleRate.nanoseconds(ofSample: head.window.hopCount(at: sampleRate)) * 3 / 2
  }

  /// Sets `isRejected` of a window. Call it for every window, in order of time.
  @inline(__always)
  package mutating func judge(_ window: inout ClassifiedWindow) {
    if bounds != nil { window.isRejected = rejects(window) }
  }

  /// Whether the next window is rejected.
  mutating func rejects(_ window: ClassifiedWindow) -> Bool {
    guard let bounds else { return false }
    if let previous, window.start.nanoseconds - previous.nanoseconds <= longestStep {
      mean.average(window.evidence)
    } else {
      mean = window.evidence
    }
    previous = window.start
    return mean.exceeds(bounds)
  }
}

/// Scores windows of one head, one at a time, in a fixed order of operations.
///
/// It is an immutable class. A struct would retain and release all arrays of the head for every window.
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
  @inline(__always)
  package func classify(_ features: UnsafeMutableBufferPointer<Float>, start: SampleTime) -> ClassifiedWindow {
    head.scaling?.apply(to: features)
    let scaled = UnsafePointer(features.baseAddress!)
    var evidence = RejectionEvidence(distance: 0, confidence: 1)
    let probabilities = LabelProbabilities(labels: head.labels) {
      head.classifier.probabilities(of: scaled, into: $0.baseAddress!)
      if let rejection = head.rejection {
        evidence = RejectionEvidence(distance: rejection.distance(of: scaled), confidence: $0.reduce(0, max))
      }
      head.calibration?.apply(to: $0)
    }
    return ClassifiedWindow(
      start: start, end: SampleTime(nanoseconds: start.nanoseconds + windowNanoseconds), probabilities: probabilities,
      evidence: evidence)
  }
}
