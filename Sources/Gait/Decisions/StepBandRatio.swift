/// The share of the total acceleration's variation that lies in the band of steps, window by window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone shaken by a standing person moves at higher frequencies than steps. It must not resume a run.
struct StepBandRatio: Sendable {
  private var stream: FeatureStream
  private var latest: (start: SampleTime, ratio: Float)?

  private static let band = 1.2...3.6
  private static let features = [Feature(.total, .bandRMS(band)), Feature(.total, .standardDeviation)]

  /// The ratio of windows of `shape`; `nil` if the band exceeds half of `sampleRate`.
  init?(shape: WindowShape, sampleRate: SampleRate) {
    guard let stream = try? FeatureStream(features: Self.features, shape: shape, sampleRate: sampleRate) else {
      return nil
    }
    self.stream = stream
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    var closed: (start: SampleTime, ratio: Float)?
    stream.append(sample) { start, features in
      closed = (start, features[1] > 0 ? features[0] / features[1] : 0)
    }
    if let closed { latest = closed }
  }

  /// The ratio of the window that begins at `start`; `nil` if unknown.
  func ratio(ofWindowFrom start: SampleTime) -> Float? {
    latest.flatMap { $0.start == start ? $0.ratio : nil }
  }
}
