/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends when there are as many samples as its length, and each further one a hop later. A step in time
/// of more than `Resampler.longestOutputStep` is a gap: it restarts the stream, so no window spans it. A window is
/// skipped if a lane that the features need has a missing value, or if a feature is outside `ModelRanges.feature`.
package struct FeatureStream: Sendable {
  private var batch: SampleBatch
  private var windows: FeatureWindows

  /// A stream of windows of `shape` over samples at `sampleRate`.
  package init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(ModelError) {
    self.init(try FeatureWindows(features: features, shape: shape, sampleRate: sampleRate), sampleRate: sampleRate)
  }

  /// A stream of windows that have taken no sample, over samples at `sampleRate`.
  init(_ windows: FeatureWindows, sampleRate: SampleRate) {
    self.windows = windows
    batch = SampleBatch(sampleRate: sampleRate)
  }

  /// Appends a sample; returns whether it completes a window that is not skipped. `withWindow` gives that window until
  /// the next sample is appended.
  @inline(__always)
  package mutating func append(_ sample: MotionSample) -> Bool {
    if !batch.continues(to: sample.time) { begin(before: sample) }
    return batch.append(sample) && takeBatch()
  }

  /// Calls `body` with the time of the latest window's first sample and the window's features. `body` may overwrite the
  /// features.
  @inline(__always)
  package mutating func withWindow<Result>(
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Result
  ) -> Result { windows.withWindow(body) }

  /// Appends a sample; if it completes a window, calls `body` with the window's start and features.
  @inline(__always)
  package mutating func append(
    _ sample: MotionSample, _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    if append(sample) { withWindow(body) }
  }

  /// Appends the samples of a recording at the stream's rate; the result is that of appending them one by one.
  ///
  /// Evenly spaced samples fill a batch at once, which costs less.
  package mutating func append(
    contentsOf recording: Recording,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let period = recording.wholePeriod.flatMap { batch.isGap($0) ? nil : $0 }
    var index = 0
    while index < recording.count {
      append(recording[index], body)
      index += 1
      guard let period else { continue }
      index += batch.append(contentsOf: recording.rows, from: index, period: period)
      if batch.remaining == 0, takeBatch() { withWindow(body) }
    }
  }

  /// Restarts the stream before a sample.
  @inline(never)
  private mutating func begin(before sample: MotionSample) {
    windows.restart()
    batch.restart(before: sample.row)
    batch.expect(windows.samplesUntilWindow)
  }

  /// It is not inlined into `append`, so most samples take only a few instructions.
  @inline(never)
  private mutating func takeBatch() -> Bool {
    let closes = windows.append(&batch)
    batch.empty()
    batch.expect(windows.samplesUntilWindow)
    return closes
  }
}

extension Recording {
  /// The features of every window of the recording, computed by the same pipeline as for a live stream.
  ///
  /// The recording is resampled to a model's rate and cut into windows. A window with a missing value in a lane that
  /// the features need is skipped.
  ///
  /// - Parameters:
  ///   - features: the features to compute, in this order.
  ///   - shape: the length and hop of the windows.
  ///   - sampleRate: the rate to resample the recording to.
  /// - Returns: the time of each window's first sample, and the features, shape `[windows × features.count]`.
  /// - Throws: `ModelError.invalid` if the list of features is empty or too long, if a window has a number of samples
  ///   outside `ModelRanges.samplesPerWindow`, or if a band reaches above half of `sampleRate`.
  public func features(
    _ features: [Feature], shape: WindowShape = WindowShape(), sampleRate: SampleRate = .canonical
  ) throws(ModelError) -> (starts: [SampleTime], values: FeatureMatrix) {
    guard !features.isEmpty else { throw .noFeatures }
    var starts: [SampleTime] = []
    var values = FeatureMatrix(columnCount: features.count)
    // An estimate, limited so that a long recording with a short hop does not reserve much more than it will use.
    let windowCount = Int(saturating: min(max(0, duration - shape.seconds) / shape.hopSeconds, 1e6)) + 1
    starts.reserveCapacity(windowCount)
    values.reserveCapacity(windowCount)
    try forEachWindow(features: features, shape: shape, sampleRate: sampleRate) {
      starts.append($0)
      values.append($1)
    }
    return (starts, values)
  }

  /// Calls `body` with the features of every window; the buffer is valid only during the call.
  package func forEachWindow(
    features: [Feature], shape: WindowShape, sampleRate: SampleRate,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) throws(ModelError) {
    let stream = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    let sensors = Set(features.flatMap(\.lane.neededChannels).map(\.sensor))
    forEachWindow(of: stream, through: Resampler(from: self.sampleRate, to: sampleRate, sensors: sensors), body)
  }

  /// Calls `body` with the features of every window, computed by copies of a stream and a resampler that have taken no
  /// samples yet. The copies share the plan, which takes as long to make as many windows to compute.
  package func forEachWindow(
    of stream: FeatureStream, through resampler: Resampler,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var (stream, resampler) = (stream, resampler)
    resampler.append(contentsOf: self) { stream.append(contentsOf: $0, body) }
  }
}
