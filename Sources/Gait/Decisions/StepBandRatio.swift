/// How much of the total acceleration's swing lies where steps are, window by window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone that is shaken in a standing hand swings faster than legs do, and must not start the clock.
struct StepBandRatio: Sendable {
  private var stream: FeatureStream
  private var latest: (start: SampleTime, share: Float)?

  private static let band = 1.2...3.6
  private static let features = [Feature(.total, .bandRMS(band)), Feature(.total, .standardDeviation)]

  /// A gate beside windows of `shape`, or `nil` where `sampleRate` cannot hold the band.
  init?(shape: WindowShape, sampleRate: SampleRate) {
    guard let stream = try? FeatureStream(features: Self.features, shape: shape, sampleRate: sampleRate) else {
      return nil
    }
    self.stream = stream
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    var closed: (start: SampleTime, share: Float)?
    stream.append(sample) { start, features in
      closed = (start, features[1] > 0 ? features[0] / features[1] : 0)
    }
    if let closed { latest = closed }
  }

  /// The share of the window that begins at `start`; `nil` where it is not known.
  func share(ofWindowFrom start: SampleTime) -> Float? {
    latest.flatMap { $0.start == start ? $0.share : nil }
  }
}
