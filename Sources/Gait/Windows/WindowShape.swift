/// How long a window is and how far apart windows begin, in seconds and in samples at the model's rate.
public struct WindowShape: Hashable, Sendable {
  /// The window's length, seconds.
  public let seconds: Double
  /// From the start of one window to the start of the next, seconds.
  public let hopSeconds: Double

  /// Windows of `seconds` that begin `hop` seconds apart.
  ///
  /// The defaults hold about two strides of a slow walker and decide anew every 0.64 s. On twelve people of MotionSense, each
  /// left out in turn, running is told from the rest with macro-F1 98.0 % at 1 s, 98.4 % at 2 s and 98.6 % at 2.56 s, a
  /// quarter of the window apart (`Scripts/judge-defaults`).
  ///
  /// Features need a window within `ModelRanges.window` and `ModelRanges.samplesPerWindow`, and a hop within
  /// `ModelRanges.hop`; a model or a stream of features checks that.
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
    Int(max(1, min(1e15, (seconds * rate.hertz).rounded())))
  }
}
