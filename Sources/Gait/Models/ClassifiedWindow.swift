/// One window of a stream with its label probabilities.
public struct ClassifiedWindow: Hashable, Sendable {
  /// The time of the window's first sample, at the model's rate.
  public let start: SampleTime
  /// One window length after `start`.
  public let end: SampleTime
  /// The probability of each label, as if one of them applied.
  public let probabilities: LabelProbabilities
  /// The evidence for rejecting the window.
  let evidence: RejectionEvidence
  /// Whether the window, together with those before it, is unlike all training data, so that no label applies. Always
  /// `false` unless `ActivityModel.rejectsUnknown`.
  public internal(set) var isRejected = false

  /// The most probable label, the first in the model's order on a tie; "other" if the window is rejected.
  public var label: String { isRejected ? Rejection.label : probabilities.mostProbable }
}
