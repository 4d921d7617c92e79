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
  /// - Throws: `ModelError.invalid` if windows of this shape and rate cannot have the features.
  public func features(
    _ features: [Feature], shape: WindowShape = WindowShape(), sampleRate: SampleRate = .canonical
  ) throws(ModelError) -> (starts: [SampleTime], values: FeatureMatrix) {
    guard !features.isEmpty else { throw .feature(.noFeatures) }
    var starts: [SampleTime] = []
    var values = FeatureMatrix(columnCount: features.count)
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
    forEachWindow(of: stream, through: Resampler(from: self.sampleRate, to: sampleRate), body)
  }

  /// Calls `body` with the features of every window, computed by copies of an unused stream and resampler. Reusing them
  /// saves planning, which takes as long as many windows.
  package func forEachWindow(
    of stream: FeatureStream, through resampler: Resampler,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var (stream, resampler) = (stream, resampler)
    stream.deferWindows()
    resampler.append(contentsOf: self) { stream.append(contentsOf: $0, body) }
    stream.finish(body)
  }
}
