/// Cuts a stream at the model's rate into windows and computes each window's features.
///
/// The first window ends when there are as many samples as its length, and each further one a hop later. A step in time
/// of more than `Resampler.longestOutputStep` is a gap: it restarts the stream, so no window spans it. A window is
/// skipped if a lane that the features need has a missing value, or if a feature is outside `ModelRanges.feature`.
package struct FeatureStream: Sendable {
  private var batch: SampleBatch
  private var history: WindowHistory
  private var extractor: FeatureExtractor
  private var output: [Float]
  private let usesAngles: Bool
  private let hop: Int
  private let longestStep: Int64

  private var samplesUntilWindow: Int
  /// The number of samples until the batch is packed. It is packed when it is full or when a window ends.
  private var samplesUntilPacking = 0
  private var samplesSinceMissing = 0
  private var samplesSinceJump = 0
  /// The latest time of a next sample that continues the stream, nanoseconds.
  private var latestNext = Int64.min

  /// A stream of windows of `shape` over samples at `sampleRate`.
  package init(features: [Feature], shape: WindowShape, sampleRate: SampleRate) throws(ModelError) {
    let length = shape.sampleCount(at: sampleRate)
    hop = shape.hopCount(at: sampleRate)
    extractor = try FeatureExtractor(features: features, length: length, hop: hop, sampleRate: sampleRate)
    let packing = extractor.plan.packing
    batch = SampleBatch(packing: packing, sampleRate: sampleRate)
    usesAngles = !packing.angleSlots.isEmpty
    history = WindowHistory(length: length, packing: packing)
    output = Array(repeating: 0, count: features.count)
    longestStep = Resampler.longestOutputStep(at: sampleRate)
    samplesUntilWindow = length
  }

  /// Appends a sample; returns whether it completes a window that is not skipped. `withWindow` gives that window until
  /// the next sample is appended.
  @inline(__always)
  package mutating func append(_ sample: MotionSample) -> Bool {
    if sample.time.nanoseconds > latestNext { begin(before: sample) }
    latestNext = sample.time.nanoseconds + longestStep
    batch.append(sample)
    samplesUntilPacking &-= 1
    return samplesUntilPacking == 0 && packBatch()
  }

  /// Calls `body` with the time of the latest window's first sample and the window's features. `body` may overwrite the
  /// features.
  @inline(__always)
  package mutating func withWindow<Result>(
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Result
  ) -> Result {
    let start = history.start
    return output.withUnsafeMutableBufferPointer { body(start, $0) }
  }

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
    let period = recording.wholePeriod.flatMap { $0 <= longestStep ? $0 : nil }
    var index = 0
    while index < recording.count {
      append(recording[index], body)
      index += 1
      guard let period else { continue }
      let count = min(samplesUntilPacking, recording.count - index)
      batch.append(
        contentsOf: recording.rows, from: index, count: count, after: latestNext - longestStep, period: period)
      index += count
      latestNext += Int64(clamping: count) * period
      samplesUntilPacking -= count
      if samplesUntilPacking == 0, packBatch() { withWindow(body) }
    }
  }

  /// Restarts the stream before a sample.
  @inline(never)
  private mutating func begin(before sample: MotionSample) {
    extractor.restart()
    samplesUntilWindow = history.length
    samplesSinceMissing = 0
    samplesSinceJump = 0
    batch.restart(before: sample.row)
    planNextBatch()
  }

  /// Packs the batch; returns whether a window that is not skipped ends with it.
  ///
  /// It is not inlined into `append`, so most samples take only a few instructions.
  @inline(never)
  private mutating func packBatch() -> Bool {
    let count = batch.count
    if usesAngles { samplesSinceJump = batch.samplesSinceJump ?? samplesSinceJump + count }
    let complete = history.append(count) { batch.pack(into: $0) }
    samplesSinceMissing = complete == count ? samplesSinceMissing + count : complete
    samplesUntilWindow -= count
    let closes = samplesUntilWindow == 0
    if closes { samplesUntilWindow = hop }
    planNextBatch()
    guard closes else { return false }
    guard samplesSinceMissing >= history.length else {
      extractor.restart()
      return false
    }
    return extractFeatures()
  }

  private mutating func planNextBatch() {
    samplesUntilPacking = min(SampleBatch.size, samplesUntilWindow)
  }

  /// Computes the features of the window that ends with the latest batch; returns whether all are usable.
  private mutating func extractFeatures() -> Bool {
    output.withUnsafeMutableBufferPointer { output in
      // A jump between the window's first sample and the sample before it is outside the window.
      let anglesJump = usesAngles && samplesSinceJump < history.length
      history.withWindow(last: history.length) {
        extractor.extract($0, anglesJump: anglesJump, into: output)
      }
      return Self.areUsable(UnsafeBufferPointer(output))
    }
  }

  /// Whether every feature is a number within `ModelRanges.feature`. Samples of extreme size can give infinities and
  /// NaN.
  @inline(__always)
  private static func areUsable(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let largest = ModelRanges.feature.upperBound
    var unusable: Int32 = 0
    for value in features { unusable |= value.magnitude <= largest ? 0 : 1 }
    return unusable == 0
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
