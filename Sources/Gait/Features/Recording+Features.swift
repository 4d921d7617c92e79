extension Recording {
  /// The features of every window of the recording, on the same road as a live stream: resampled to a model's rate, cut
  /// into windows, one row of features a window.
  ///
  /// A window that holds a missing value in a lane that the features need is skipped.
  ///
  /// - Parameters:
  ///   - features: what to compute, in this order.
  ///   - shape: the windows.
  ///   - sampleRate: the rate to compute at, whatever the recording's own.
  /// - Returns: the time of each window's first sample, and the features, shape `[windows × features.count]`.
  /// - Throws: `ModelError.invalid` where the windows cannot have the features.
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

  /// Hands the features of every window to `body`, which may use them during the call only.
  package func forEachWindow(
    features: [Feature], shape: WindowShape, sampleRate: SampleRate,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) throws(ModelError) {
    let stream = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    forEachWindow(of: stream, through: Resampler(from: self.sampleRate, to: sampleRate), body)
  }

  /// Hands the features of every window to `body`, from a stream and a resampler at their beginnings: planning them takes as
  /// long as many windows.
  package func forEachWindow(
    of stream: FeatureStream, through resampler: Resampler,
    _ body: (_ start: SampleTime, _ features: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var (stream, resampler) = (stream, resampler)
    stream.foldWindows()
    resampler.append(contentsOf: self) { stream.append(contentsOf: $0, body) }
    stream.finish(body)
  }
}
