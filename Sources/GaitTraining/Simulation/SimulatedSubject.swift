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
    holdHertz = generator.uniform(in: self.position.hold.hertz)
    holdDamping = generator.uniform(in: self.position.hold.damping)
    wobble = generator.normalVector(deviation: self.position == .pocket ? 10 : 5)
    fidgetsPerSecond = generator.uniform(in: 0.01...0.06)
    tremor = generator.uniform(in: self.position.tremor)
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
    for (chance, turn) in zip(position.uprightChances, [0.0, 2, 1, 3]) {
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
