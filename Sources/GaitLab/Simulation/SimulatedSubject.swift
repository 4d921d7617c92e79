import Gait
import GaitTraining

/// A simulated person: body, gait and phone, all drawn from a seed.
///
/// Everything depends on the seed and the wearing position only. The distributions are those of adults in the
/// biomechanics literature if available; otherwise they are chosen so that the recordings cover the ranges of
/// MotionSense's pocket recordings. `GaitStyle`, `WearingPosition` and `PhoneSensor` state the sources of their
/// numbers.
public struct SimulatedSubject: Sendable {
  /// The seed of the person.
  public let seed: UInt64

  /// The wearing position of the phone.
  public let position: WearingPosition

  /// Height, metres: 1.72 ± 0.09 (adults of both sexes).
  public let height: Double

  /// Leg length from hip to floor, metres: 0.53 × height (Winter, "Biomechanics and Motor Control of Human Movement"),
  /// ±2%.
  public let legLength: Double

  /// Body mass, kilograms: a body mass index of 24.5 ± 3.5.
  public let mass: Double

  /// How vigorously the person moves: 1 ± 0.15, lower for a high body mass index.
  let vigour: Double

  /// The rotation from phone axes to those of the body part that carries it (forward, left, up).
  let wearing: Rotation

  /// Spring mount of the phone (hertz, damping ratio, wobble), fidgets per second and tremor in g.
  let holdHertz: Double
  let holdDamping: Double
  let wobble: SIMD3<Double>
  let fidgetsPerSecond: Double
  let tremor: Double

  /// Creates the person of a seed.
  ///
  /// - Parameters:
  ///   - seed: the seed of all draws.
  ///   - position: where the phone is worn; if `nil`, drawn with a probability of one half for a pocket.
  public init(seed: UInt64, position: WearingPosition? = nil) {
    self.seed = seed
    var generator = SeededGenerator(seed: seed, keys: [0])
    let drawn: WearingPosition = generator.chance(0.5) ? .pocket : [.arm, .waist, .hand][Int(generator.next() % 3)]
    self.position = position ?? drawn
    height = generator.normal(mean: 1.72, deviation: 0.09, within: 1.5...2.0)
    legLength = 0.53 * height * generator.normal(mean: 1, deviation: 0.02)
    let massIndex = generator.normal(mean: 24.5, deviation: 3.5, within: 18...38)
    mass = massIndex * height * height
    vigour = generator.normal(mean: 1, deviation: 0.15, within: 0.6...1.4) * (1 - 0.008 * (massIndex - 24.5))
    wearing = Self.wearing(at: self.position, using: &generator)
    holdHertz = generator.uniform(in: self.position.carrying.hold.hertz)
    holdDamping = generator.uniform(in: self.position.carrying.hold.damping)
    wobble = generator.normalVector(deviation: self.position == .pocket ? 10 : 5)
    fidgetsPerSecond = generator.uniform(in: 0.01...0.06)
    tremor = generator.uniform(in: self.position.carrying.tremor)
  }

  /// The person's mean step frequency in hertz, around which the cadence of a recording varies; `nil` for `.still`.
  public func stepFrequency(_ activity: SimulatedActivity) -> Double? {
    activity == .still ? nil : style(activity).stepFrequency
  }

  /// The person's gait.
  func style(_ activity: SimulatedActivity) -> GaitStyle {
    var generator = SeededGenerator(seed: seed, keys: [1, activity.key])
    return GaitStyle(activity, vigour: vigour, legLength: legLength, position: position, using: &generator)
  }

  /// A random orientation of the phone at that position: any side of the limb, one of four ways up, and a tilt. Every
  /// rotation is possible.
  private static func wearing(at position: WearingPosition, using generator: inout SeededGenerator) -> Rotation {
    var pick = generator.uniform(in: 0...1)
    var quarters = 0.0
    for (chance, turn) in zip(position.carrying.uprightChances, [0.0, 2, 1, 3]) {
      quarters = turn
      if pick < chance { break }
      pick -= chance
    }
    let side = Rotation.about(z: generator.uniform(in: -.pi ... .pi))
    let upright = Rotation.about(x: .pi / 2)
    let inPlane = Rotation.about(z: quarters * .pi / 2)
    return Rotation(turn: generator.normalVector(deviation: 0.3)) * side * upright * inPlane
  }
}

/// The gait parameters of one person: constant from step to step.
struct GaitStyle {
  /// Step frequency, hertz.
  let stepFrequency: Double
  /// The duty factor: the share of a stride that one foot is on the ground. Below 0.5 there are flight phases.
  let duty: Double
  /// 0 for a single force peak per foot contact, 0.3 to 0.6 for the two peaks of walking.
  let shape: Double
  /// Peak braking and propulsion, g.
  let braking: Double
  /// Peak sideways force, g.
  let sideways: Double
  /// Peak of the impact at foot strike, g, and its duration, seconds.
  let impact: Double
  let impactSeconds: Double
  /// Asymmetry: the delay of the other foot's strike after half a stride, in steps, and its additional impact, as a
  /// fraction.
  let delay: Double
  let limp: Double
  /// Standard deviation of the cadence (slow) and of the impact (from step to step), as fractions.
  let cadenceNoise: Double
  let impactNoise: Double
  /// The swing of the body part: for harmonics 1 to 4 of the stride, amplitude about each axis (radians) and phase.
  let swing: [(amplitude: SIMD3<Double>, phase: SIMD3<Double>)]

  /// The ground force, F ÷ body weight, at `x`, the elapsed share of the foot's contact, `0...1`.
  ///
  /// Formula: A (sin πx + q sin 3πx), A = π ÷ (4 · duty · (1 + q/3)), so that both feet together carry the body weight
  /// over a stride.
  /// Source: Alexander and Jayes, "Fourier analysis of forces exerted in walking and running", J. Biomech. 13, 1980.
  func force(at x: Double, duty: Double) -> Double {
    let peak = Double.pi / (4 * duty * (1 + shape / 3))
    return peak * (PortableMath.sine(.pi * x) + shape * PortableMath.sine(3 * .pi * x))
  }
}

extension GaitStyle {
  /// Draws the gait of a person with the given vigour (about 1), leg length (metres) and wearing position.
  ///
  /// Ranges, rounded from these sources: cadence as in MotionSense's jogging and walking; duty 0.27–0.38 running
  /// (McMahon and Cheng 1990; Novacheck 1998), 0.61–0.66 walking; braking 0.2–0.35 and 0.12–0.22 body weights (Munro et
  /// al. 1987; Nilsson and Thorstensson 1989); impact and the higher harmonics of swing chosen so that MotionSense's
  /// pocket recordings and the simulated ones cover the same ranges.
  init(
    _ activity: SimulatedActivity, vigour: Double, legLength: Double, position: WearingPosition,
    using generator: inout SeededGenerator
  ) {
    let runs = activity == .running
    // Longer legs step more slowly, like a pendulum: frequency is inversely proportional to the square root of the
    // length.
    let tempo = (0.9 / legLength).squareRoot()
    stepFrequency =
      runs
      ? generator.normal(mean: 2.76 * tempo, deviation: 0.12, within: 2.5...3.1)
      : generator.normal(mean: 1.9 * tempo, deviation: 0.08, within: 1.6...2.1)
    duty = generator.uniform(in: runs ? 0.27...0.38 : 0.61...0.66)
    shape = generator.uniform(in: runs ? 0...0.05 : 0.3...0.6)
    braking = vigour * generator.uniform(in: runs ? 0.2...0.35 : 0.12...0.22)
    sideways = generator.uniform(in: runs ? 0.05...0.15 : 0.04...0.10)
    impact = vigour * generator.uniform(in: runs ? 1.5...5.5 : 0.5...2.6)
    impactSeconds = generator.uniform(in: runs ? 0.030...0.060 : 0.045...0.085)
    delay = generator.normal(deviation: 0.012)
    limp = generator.normal(deviation: 0.05)
    cadenceNoise = generator.uniform(in: 0.01...0.03)
    impactNoise = generator.uniform(in: 0.08...0.2)
    swing = Self.swing(
      (runs ? position.carrying.running : position.carrying.walking) * (vigour * generator.uniform(in: 0.75...1.2)),
      harmonics: [1, 0.3, runs ? 0.17 : 0.26, runs ? 0.1 : 0.13], using: &generator)
  }

  /// Four swing harmonics that decay like the rotation rates in MotionSense's pocket recordings.
  private static func swing(
    _ first: SIMD3<Double>, harmonics: [Double], using generator: inout SeededGenerator
  ) -> [(amplitude: SIMD3<Double>, phase: SIMD3<Double>)] {
    harmonics.map { part in
      let amplitude = SIMD3(
        generator.uniform(in: 0.7...1.3), generator.uniform(in: 0.5...1.8), generator.uniform(in: 0.5...1.8))
      let phase = SIMD3(
        generator.normal(deviation: 0.5), generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28))
      // Bending forward is a rotation about −y, so the sideways axis has the largest swing.
      return (SIMD3(amplitude.y * first.y, -amplitude.x * first.x, amplitude.z * first.z) * part, phase)
    }
  }
}

/// Where a simulated person wears the phone.
public enum WearingPosition: String, CaseIterable, Hashable, Sendable {
  /// A trouser pocket, on the thigh.
  case pocket
  /// A band around the upper arm.
  case arm
  /// A belt at the waist.
  case waist
  /// In the hand.
  case hand

  /// The effects on a phone's motion of carrying it there.
  var carrying: Carrying {
    switch self {
    case .pocket:
      Carrying(
        lever: SIMD3(0.06, 0.02, -0.15), running: SIMD3(0.38, 0.09, 0.12), walking: SIMD3(0.42, 0.12, 0.16),
        shock: (1, 0.7), hold: (8...13, 0.2...0.4), uprightChances: [0.35, 0.5, 0.075, 0.075], tremor: 0.001...0.006)
    case .arm:
      Carrying(
        lever: SIMD3(0.01, 0.05, -0.17), running: SIMD3(0.30, 0.07, 0.12), walking: SIMD3(0.22, 0.05, 0.08),
        shock: (0.4, 0.35), hold: (7...11, 0.3...0.5), uprightChances: [0.6, 0.2, 0.1, 0.1], tremor: 0.001...0.006)
    case .waist:
      Carrying(
        lever: SIMD3(0.12, 0.06, 0.02), running: SIMD3(0.05, 0.06, 0.12), walking: SIMD3(0.03, 0.05, 0.08),
        shock: (0.6, 0.5), hold: (10...15, 0.3...0.5), uprightChances: [0.2, 0.1, 0.35, 0.35], tremor: 0.001...0.006)
    case .hand:
      Carrying(
        lever: SIMD3(0.22, 0, -0.24), running: SIMD3(0.20, 0.06, 0.10), walking: SIMD3(0.24, 0.06, 0.10),
        shock: (0.3, 0.25), hold: (7...10, 0.4...0.7), uprightChances: [0.4, 0.2, 0.2, 0.2], tremor: 0.003...0.012)
    }
  }

  struct Carrying {
    /// The vector from the joint of the body part to the phone, metres (forward, left, up), for a leg of 0.9 m.
    let lever: SIMD3<Double>
    /// The swing of the body part about the sideways, forward and upright axes: radians of the first harmonic.
    ///
    /// Thigh: hip flexion of ±20 to ±25° about its mean (Novacheck, "The biomechanics of running", Gait & Posture 7,
    /// 1998). Pelvis: ±4 to ±6°. Arm and hand: assumed, less than the leg.
    let running, walking: SIMD3<Double>
    /// The share of a foot's impact that reaches the phone: (foot on the phone's side, other foot).
    let shock: (near: Double, far: Double)
    /// The stiffness of the spring mount: natural frequency in hertz and damping ratio of the phone against the body.
    let hold: (hertz: ClosedRange<Double>, damping: ClosedRange<Double>)
    /// The probabilities of the phone being upright, upside down, or on its left or right side.
    let uprightChances: [Double]
    /// The tremor of the body part at rest, g.
    let tremor: ClosedRange<Double>
  }
}
