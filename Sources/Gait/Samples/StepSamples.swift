/// Samples for the step meters, which use |g + u|: in a stream without gravity they get |u| instead.
///
/// The first sample with an acceleration decides. Once gravity was known, a sample without it has a missing value. If
/// gravity begins after samples without it, one sample is missing, so that no window has both magnitudes.
struct StepSamples: Sendable {
  private var hasGravity = false
  private var hasLinear = false

  /// The sample with zero gravity, if the stream has none.
  @inline(__always)
  mutating func sample(_ sample: MotionSample) -> MotionSample {
    hasGravity ? sample : undecided(sample)
  }

  private mutating func undecided(_ sample: MotionSample) -> MotionSample {
    var sample = sample
    if sample.gravity.sum().isFinite {
      hasGravity = true
      if hasLinear { for channel in Sensor.userAcceleration.channels { sample[channel] = .nan } }
    } else {
      hasLinear = hasLinear || sample.userAcceleration.sum().isFinite
      for channel in Sensor.gravity.channels { sample[channel] = 0 }
    }
    return sample
  }
}
