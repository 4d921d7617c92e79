import Gait
import GaitTraining

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
  /// Ranges: noise density 0.1–0.3 mg/√Hz and 0.1–0.3 mrad/s/√Hz (data sheets of phone sensors, such as the Bosch
  /// BMI160 and the InvenSense MPU-6500); the bias that Core Motion leaves, about 1 mrad/s; a tilt error of about a
  /// degree, which shows as up to 0.05 g of steady user acceleration in MotionSense's sitting and standing recordings.
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
      row(of: reading(of: readings, at: (lead + Double(index) / sampleRate.hertz) * MotionTrack.hertz))
    }
  }

  /// The reading that is delivered at a place on the grid, before rounding.
  func reading(of readings: [PhoneReading], at place: Double) -> SampledReading {
    let (rotationRate, userAcceleration) = smoothed(readings, at: place)
    let attitude = readings[min(Int(saturating: place.rounded()), readings.count - 1)].attitude
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
    let first = max(0, Int(saturating: (place - reach).rounded(.up)))
    let last = min(readings.count - 1, Int(saturating: place + reach))
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

/// Smooth random noise: a random target, redrawn at every interval, through two equal first-order low-pass filters.
///
/// The value and its slope are continuous, so motion driven by it has no jolts.
struct AR1Noise {
  private let deviation: Double
  private let interval: Int
  private let share: Double
  private var target: SIMD3<Double>
  private var middle: SIMD3<Double>
  private(set) var value: SIMD3<Double>
  private var age = 0

  /// - Parameters:
  ///   - deviation: the standard deviation of the targets; that of the value is about two thirds of it.
  ///   - seconds: the time between targets.
  ///   - start: the initial value; random if `nil`.
  init(
    deviation: Double, seconds: Double, from start: SIMD3<Double>? = nil, using generator: inout SeededGenerator
  ) {
    self.deviation = deviation
    interval = max(1, Int(saturating: seconds * MotionTrack.hertz))
    share = min(0.5, 3 / Double(interval))
    target = start ?? generator.normalVector(deviation: deviation)
    middle = target
    value = target
  }

  /// Advances by one grid step and returns the value.
  mutating func next(using generator: inout SeededGenerator) -> SIMD3<Double> {
    if age % interval == 0 { target = generator.normalVector(deviation: deviation) }
    age += 1
    middle += (target - middle) * share
    value += (middle - value) * share
    return value
  }
}
