/// A model of a phone's accelerometer, gyroscope and attitude filter.
///
/// The signs are Core Motion's. The accelerometer reads gravity minus acceleration: (0, 0, −1) at rest on the phone's
/// back and 0 in free fall. User acceleration is the reading minus estimated gravity, so it points against the phone's
/// acceleration: v = −u·ĝ is +1 in flight, and negative while the ground pushes. MotionSense's recordings have the same
/// signs.
struct PhoneSensor {
  /// The sensors' errors, constant over a recording: biases in g and rad/s, noise per grid step.
  private let accelerationBias: SIMD3<Double>
  private let accelerationNoise: Double
  private let rotationNoise: Double
  private var rotationBias: AR1Noise
  private let steadyRotationBias: SIMD3<Double>

  /// The gain of the gravity correction, 1/s, and the initial attitude error, radians.
  private let correction: Double
  private let firstError: SIMD3<Double>

  private var generator: SeededGenerator

  /// The largest reading along an axis, g.
  static let range = 8.0

  /// Draws a phone for one recording.
  ///
  /// Ranges: noise density 0.1–0.3 mg/√Hz and 0.1–0.3 mrad/s/√Hz (data sheets of phone sensors, such as the Bosch BMI160
  /// and the InvenSense MPU-6500); the bias that Core Motion leaves, about 1 mrad/s; a tilt error of about a degree,
  /// which shows as up to 0.05 g of steady user acceleration in MotionSense's sitting and standing recordings.
  init(generator start: SeededGenerator) {
    generator = start
    let root = (MotionTrack.hertz / 2).squareRoot()
    accelerationBias = generator.normalVector(deviation: 0.005)
    accelerationNoise = generator.uniform(in: 0.0001...0.0003) * root
    rotationNoise = generator.uniform(in: 0.0001...0.0003) * root
    steadyRotationBias = generator.normalVector(deviation: 0.001)
    rotationBias = AR1Noise(deviation: 0.001, seconds: 20, using: &generator)
    correction = generator.uniform(in: 0.03...0.12)
    firstError = generator.normalVector(deviation: 0.015)
  }

  /// The readings at every grid point.
  mutating func readings(of track: MotionTrack) -> [PhoneReading] {
    guard let first = track.attitude.first else { return [] }
    var estimate = first * Rotation(turn: firstError)
    var previous = first
    return track.attitude.indices.map { index in
      let truth = track.attitude[index]
      let rate = rotationRate(from: previous, to: truth)
      let total = specificForce(truth, acceleration: track.acceleration[index])
      estimate = follow(estimate, rate: rate, total: total)
      previous = truth
      return PhoneReading(attitude: estimate, rotationRate: rate, total: total)
    }
  }

  /// The gyroscope reading, rad/s.
  private mutating func rotationRate(from previous: Rotation, to truth: Rotation) -> SIMD3<Double> {
    previous.smallTurn(to: truth) * MotionTrack.hertz + steadyRotationBias
      + rotationBias.next(using: &generator) + generator.normalVector(deviation: rotationNoise)
  }

  /// The accelerometer reading, g, clipped to its range.
  private mutating func specificForce(_ truth: Rotation, acceleration: SIMD3<Double>) -> SIMD3<Double> {
    let reading =
      truth.inverse(SIMD3(0, 0, -1) - acceleration) + accelerationBias
      + generator.normalVector(deviation: accelerationNoise)
    return reading.clamped(
      lowerBound: SIMD3(repeating: -Self.range), upperBound: SIMD3(repeating: Self.range))
  }

  /// The attitude estimate one grid step later: integrates the gyroscope and corrects slowly towards the
  /// accelerometer's gravity.
  ///
  /// Source: Mahony, Hamel and Pflimlin, "Nonlinear complementary filters on the special orthogonal group", IEEE Trans.
  /// Automatic Control 53, 2008, without its bias estimate.
  private func follow(_ estimate: Rotation, rate: SIMD3<Double>, total: SIMD3<Double>) -> Rotation {
    let corrected = rate + total.cross(estimate.gravity) * correction
    return (estimate * Rotation(turn: corrected * MotionTrack.step)).normalized
  }
}

/// One reading: estimated attitude, rotation rate in rad/s, and total acceleration (gravity plus user acceleration) in
/// g.
struct PhoneReading {
  let attitude: Rotation
  let rotationRate: SIMD3<Double>
  let total: SIMD3<Double>

  /// Total acceleration minus estimated gravity, g.
  var userAcceleration: SIMD3<Double> { total - attitude.gravity }
}
