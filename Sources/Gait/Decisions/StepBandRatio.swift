/// The share of the total acceleration's variation that lies in the band of steps, window by window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone shaken by a standing person moves at higher frequencies than steps. It must not resume a run.
struct StepBandRatio: Sendable {
  private var stream: FeatureStream
  private var latest: (start: SampleTime, ratio: Float, deviation: Float)?

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
    guard stream.fillBatch(with: sample) else { return }
    var closed = latest
    stream.closeBatch { start, features in
      closed = (start, features[1] > 0 ? features[0] / features[1] : 0, features[1])
    }
    latest = closed
  }

  /// The ratio and the standard deviation, in g, of the window that begins at `start`; `nil` if unknown.
  func measure(ofWindowFrom start: SampleTime) -> (ratio: Float, deviation: Float)? {
    latest.flatMap { $0.start == start ? ($0.ratio, $0.deviation) : nil }
  }
}
