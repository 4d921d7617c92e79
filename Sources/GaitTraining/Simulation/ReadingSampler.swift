import Gait

/// Samples a phone's readings at a sample rate, as Core Motion delivers them: low-pass filtered and rounded to a
/// sensor's resolution.
struct ReadingSampler {
  let sampleRate: SampleRate

  /// The resolution of recorded values. Phones resolve about as much (±8 g in 16 bits is 0.2 mg, ±2000°/s 1 mrad/s), no
  /// phone measures its attitude to a milliradian, and short decimals keep files small.
  static let accelerationStep = 0.0001
  static let rotationStep = 0.001
  static let attitudeStep = 0.001

  /// The low-pass filter's cut-off, hertz: 0.45 of the rate, at most 60.
  private var cutoff: Double { min(0.45 * sampleRate.hertz, 60) }

  /// Evenly spaced rows, laid out as `MotionSample.row`, the first at `lead` seconds after the first reading.
  func rows(of readings: [PhoneReading], lead: Double, count: Int) -> [SIMD16<Float>] {
    (0..<count).map { index in
      row(of: readings, at: (lead + Double(index) / sampleRate.hertz) * MotionTrack.hertz)
    }
  }

  /// The row at a fractional grid position.
  private func row(of readings: [PhoneReading], at place: Double) -> SIMD16<Float> {
    row(of: reading(of: readings, at: place))
  }

  /// What is delivered at a place on the grid, before rounding.
  func reading(of readings: [PhoneReading], at place: Double) -> SampledReading {
    let (rotationRate, userAcceleration) = smoothed(readings, at: place)
    let attitude = readings[min(Int(place.rounded()), readings.count - 1)].attitude
    return SampledReading(attitude: attitude, rotationRate: rotationRate, userAcceleration: userAcceleration)
  }

  /// The row of a reading, rounded.
  func row(of reading: SampledReading) -> SIMD16<Float> {
    let sample = MotionSample(
      time: SampleTime(nanoseconds: 0),
      attitude: Self.rounded(reading.attitude.angles, 1 / Self.attitudeStep),
      gravity: Self.rounded(reading.attitude.gravity, 1 / Self.attitudeStep),
      rotationRate: Self.rounded(reading.rotationRate, 1 / Self.rotationStep),
      userAcceleration: Self.rounded(reading.userAcceleration, 1 / Self.accelerationStep))
    return sample.row
  }

  /// Rotation rate and user acceleration through a Hann-windowed sinc filter with three lobes on either side.
  private func smoothed(
    _ readings: [PhoneReading], at place: Double
  ) -> (rotationRate: SIMD3<Double>, userAcceleration: SIMD3<Double>) {
    let reach = 1.5 / cutoff * MotionTrack.hertz
    let first = max(0, Int((place - reach).rounded(.up)))
    let last = min(readings.count - 1, Int(place + reach))
    var weights = 0.0
    var rotationRate = SIMD3<Double>.zero
    var userAcceleration = SIMD3<Double>.zero
    for index in first...last {
      let weight = Self.weight(at: (Double(index) - place) / reach)
      weights += weight
      rotationRate += readings[index].rotationRate * weight
      userAcceleration += readings[index].userAcceleration * weight
    }
    return (rotationRate / weights, userAcceleration / weights)
  }

  /// The filter's weight at `x`, `-1...1` over its half-width.
  private static func weight(at x: Double) -> Double {
    let angle = 3 * Double.pi * x
    let sinc = angle == 0 ? 1 : PortableMath.sine(angle) / angle
    return sinc * (1 + PortableMath.cosine(.pi * x)) / 2
  }

  /// The value rounded to `perUnit` steps per unit.
  private static func rounded(_ value: SIMD3<Double>, _ perUnit: Double) -> SIMD3<Float> {
    // Adding zero turns −0 into 0, which is shorter as text.
    SIMD3<Float>((value * perUnit.rounded()).rounded(.toNearestOrAwayFromZero) / perUnit.rounded() + 0)
  }
}

/// A reading at a sample's time: attitude, rotation rate in rad/s and user acceleration in g.
struct SampledReading {
  var attitude: Rotation
  var rotationRate: SIMD3<Double>
  var userAcceleration: SIMD3<Double>
}
