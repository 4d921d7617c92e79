/// The length and hop of windows, in seconds and in samples at the model's rate.
public struct WindowShape: Hashable, Sendable {
  /// The window's length, seconds.
  public let seconds: Double
  /// The time from the start of one window to the start of the next, seconds.
  public let hopSeconds: Double

  /// Windows of `seconds` that begin `hop` seconds apart.
  ///
  /// The default window covers about two strides of a slow walker; the default hop gives a decision every 0.64 s.
  /// Shorter windows separate running from other activities less well.
  ///
  /// Models and feature streams require a window within `ModelRanges.window` and `ModelRanges.samplesPerWindow`, and a
  /// hop within `ModelRanges.hop`.
  ///
  /// - Precondition: both are positive and finite.
  public init(seconds: Double = 2.56, hopSeconds: Double = 0.64) {
    precondition(
      seconds > 0 && seconds.isFinite && hopSeconds > 0 && hopSeconds.isFinite, "a window and its hop must be positive")
    self.seconds = seconds
    self.hopSeconds = hopSeconds
  }

  /// The window's length in samples at `rate`, at least one and at most 1e15.
  public func sampleCount(at rate: SampleRate) -> Int { Self.count(seconds, at: rate) }

  /// The hop in samples at `rate`, at least one and at most 1e15.
  public func hopCount(at rate: SampleRate) -> Int { Self.count(hopSeconds, at: rate) }

  private static func count(_ seconds: Double, at rate: SampleRate) -> Int {
    Int(saturating: max(1, min(1e15, (seconds * rate.hertz).rounded())))
  }
}
