/// Classifies the windows of a stream with a model's activity head, each window independently.
///
///     MotionSample ─▶ Resampler ─▶ Window ─▶ Features ─▶ ActivityModel ─▶ ClassifiedWindow
///
/// `RunTracker` adds the decisions about a run. A classifier is a value; copies are independent. Time comes only from
/// the samples, never from a clock.
///
///     var classifier = try WindowClassifier(model: model, sampleRate: .hertz(50))
///     for sample in samples {
///       for window in classifier.append(sample) { print(window.end.seconds, window.label) }
///     }
///
/// The same samples give the same windows to the last bit, in batches of any size and in `ActivityModel.classify(_:)`.
/// After the first window, nothing is allocated except for returned arrays that are not empty.
public struct WindowClassifier: Sendable {
  /// The model.
  public let model: ActivityModel

  private var resampler: Resampler
  private var features: FeatureStream
  private var head: DecisionHead
  /// The windows that the latest sample completed, before their `measuredShare` is set.
  private var closed: [ClassifiedWindow] = []

  /// A classifier of a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to accept a source slower than `ActivityModel.slowestSource`, whose steps alias to
  ///     lower frequencies.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies,
  ///   `ModelError.estimatedGravity` if the model does not accept estimated gravity.
  public init(
    model: ActivityModel, sampleRate: SampleRate, gravityIsEstimated: Bool = false, allowsSlowSource: Bool = false
  ) throws(ModelError) {
    try model.checkStream(
      at: sampleRate, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    self.model = model
    resampler = Resampler(from: sampleRate, to: model.sampleRate, sensors: model.neededSensors)
    resampler.shortGaps = ShortGaps()
    features = FeatureStream(model.activityWindows, sampleRate: model.sampleRate)
    head = DecisionHead(model.activityHead, sampleRate: model.sampleRate)
  }

  /// The longest delay from the end of a window to the sample that completes it, seconds, for evenly spaced samples. It
  /// is the resampler's delay.
  public var delay: Double { resampler.delay }

  /// The number of samples dropped because they arrived late or their time is outside `SampleTime.range`.
  public var droppedSampleCount: Int { resampler.droppedCount }

  /// The number of samples that were missing and were interpolated, counted at the source's rate. Steps in time of more
  /// than 0.3 s (below 13.3 Hz, four periods) are not interpolated and not counted.
  public var bridgedSampleCount: Int { resampler.bridgedCount }

  /// The finding that the times of the samples give another rate than `stated`; empty if they do not.
  package func rateFindings(stated: SampleRate) -> [SignalFinding] { resampler.findings(stated: stated) }

  /// Takes the next sample and returns the windows that it completes.
  ///
  /// A sample that is not later than the previous one is dropped and counted. Missing samples are interpolated if the
  /// step between two samples is at most 0.3 s, or four periods of a source below 13.3 Hz. A longer step is a gap, and
  /// no window spans a gap. A window with a missing value in a channel that the model needs is skipped.
  ///
  /// - Returns: the completed windows in order of time; usually none.
  public mutating func append(_ sample: MotionSample) -> [ClassifiedWindow] {
    var windows: [ClassifiedWindow] = []
    append(sample) { windows.append($0) }
    return windows
  }

  /// Takes the next sample and calls `body` with each window that it completes. Allocates nothing after the first
  /// window.
  public mutating func append(_ sample: MotionSample, forEachWindow body: (ClassifiedWindow) -> Void) {
    resampler.append(sample) { sample in
      features.append(sample) { closed.append(head.classify($0, $1)) }
    }
    guard !closed.isEmpty else { return }
    // Usually one window; moving it out copies nothing.
    if closed.count == 1 { return body(measured(closed.removeLast())) }
    for window in closed { body(measured(window)) }
    closed.removeAll(keepingCapacity: true)
  }

  /// A window with the share of its samples that were measured.
  private mutating func measured(_ window: consuming ClassifiedWindow) -> ClassifiedWindow {
    guard resampler.shortGaps?.isEmpty == false else { return window }
    window.measuredShare =
      resampler.shortGaps?.measuredShare(
        from: window.start, length: window.end.nanoseconds - window.start.nanoseconds,
        period: model.sampleRate.nanoseconds(ofSample: 1)) ?? 1
    return window
  }

  /// Takes a block of samples and calls `body` with each window that they complete. The windows are the same, to the
  /// last bit, as those of `append` for each sample. Blocks that are evenly spaced and longer than twice the
  /// resampler's filter take less time.
  package mutating func append(contentsOf block: Recording, forEachWindow body: (ClassifiedWindow) -> Void) {
    for window in windows(of: block) { body(window) }
  }

  /// Takes a block of samples, and returns the windows that they complete.
  ///
  /// - Parameter expected: an estimate of the number of windows, for which room is reserved.
  fileprivate mutating func windows(of block: Recording, expected: Int = 0) -> [ClassifiedWindow] {
    var windows: [ClassifiedWindow] = []
    windows.reserveCapacity(expected)
    resampler.append(contentsOf: block) { block in
      features.append(contentsOf: block) { windows.append(head.classify($0, $1)) }
    }
    guard resampler.shortGaps?.isEmpty == false else { return windows }
    return windows.map { measured($0) }
  }
}

extension ActivityModel {
  /// Classifies every window of a recording.
  ///
  /// The windows are the same, to the last bit, as those of a `WindowClassifier` that takes the samples one by one.
  /// Windows with missing values are skipped, so the result may be empty.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - allowsSlowSource: whether to accept a recording slower than `slowestSource`.
  /// - Throws: `ModelError` if the recording is too slow for the model, lacks a channel that it needs, or has estimated
  ///   gravity, which the model does not accept.
  /// - Complexity: O(samples).
  public func classify(
    _ recording: Recording, allowsSlowSource: Bool = false
  ) throws(ModelError) -> [ClassifiedWindow] {
    var classifier = try classifier(of: recording, allowsSlowSource: allowsSlowSource)
    // Estimate the number of windows from the samples, not from the duration: a gap may be of any length.
    let samples = Double(recording.count) * min(1, sampleRate.hertz / recording.sampleRate.hertz)
    return classifier.windows(
      of: recording, expected: 1 + Int(saturating: samples) / activityHead.window.hopCount(at: sampleRate))
  }

  /// A classifier of a recording's samples, before the first one.
  package func classifier(
    of recording: Recording, allowsSlowSource: Bool = false
  ) throws(ModelError) -> WindowClassifier {
    try requireChannels(of: recording)
    return try WindowClassifier(
      model: self, sampleRate: recording.sampleRate, gravityIsEstimated: recording.gravityIsEstimated,
      allowsSlowSource: allowsSlowSource)
  }
}

/// One window of a stream with its label probabilities.
public struct ClassifiedWindow: Hashable, Sendable {
  /// The time of the window's first sample, at the model's rate.
  public let start: SampleTime
  /// One window length after `start`.
  public let end: SampleTime
  /// The probability of each label, given that one of them applies, even if the window is rejected.
  public let probabilities: LabelProbabilities
  /// The evidence for rejecting the window.
  let evidence: RejectionEvidence
  /// Whether the window, averaged with the windows before it, is unlike all training data, and no label applies. It is
  /// `false` unless `ActivityModel.rejectsUnknown`.
  public internal(set) var isRejected = false

  /// The share of the window that the source measured, 0…1. The rest was missing for at most 0.3 s at a time and was
  /// interpolated.
  public internal(set) var measuredShare: Float = 1

  /// The least `measuredShare` of a window that has a label. With smaller shares, fewer than three quarters of a
  /// runner's windows keep the label that they have when all samples are measured.
  public static let leastMeasuredShare: Float = 0.6
  /// The label of windows with a `measuredShare` below `leastMeasuredShare`.
  package static let unknownLabel = "unknown"

  /// Whether the window has no label, because `measuredShare` is below `leastMeasuredShare`.
  public var isUnknown: Bool { measuredShare < Self.leastMeasuredShare }

  /// The most probable label, the first in the model's order on a tie; "unknown" if `isUnknown`, and otherwise "other"
  /// if `isRejected`.
  public var label: String {
    isUnknown ? Self.unknownLabel : isRejected ? Rejection.label : probabilities.mostProbable
  }
}

/// The probabilities of a model's labels for one window; they sum to 1.
///
/// The values are stored inline, so classifying a stream does not allocate.
public struct LabelProbabilities: Hashable, Sendable {
  /// The labels, in the model's order.
  public let labels: [String]
  private let values: SIMD32<Float>

  @inline(__always)
  init(labels: [String], _ fill: (UnsafeMutableBufferPointer<Float>) -> Void) {
    var values = SIMD32<Float>.zero
    withUnsafeMutablePointer(to: &values) {
      let values = UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)
      fill(UnsafeMutableBufferPointer(start: values, count: labels.count))
    }
    (self.labels, self.values) = (labels, values)
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

/// The probabilities as a collection, in the order of `labels`.
extension LabelProbabilities: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of labels.
  public var endIndex: Int { labels.count }
}
