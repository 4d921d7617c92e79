/// Sitting or standing: breath, sway, a tremor, and now and then a fidget or another posture.
struct StillMotion {
  private let subject: SimulatedSubject
  // Two sources, so that a longer recording begins as a shorter one does.
  private var generator: SeededGenerator
  private var shaking: SeededGenerator
  private var fidget: Fidget?
  private var posture: Rotation

  /// - Parameter isStanding: whether the person stands; otherwise half of the people sit.
  init(subject: SimulatedSubject, isStanding: Bool = false) {
    self.subject = subject
    generator = SeededGenerator(seed: subject.seed, keys: [2, SimulatedActivity.still.key, 0])
    shaking = SeededGenerator(seed: subject.seed, keys: [2, SimulatedActivity.still.key, 1])
    let sits = generator.chance(0.5) && !isStanding
    // A thigh lies level when its owner sits; other parts only lean.
    let lean = sits && subject.position == .pocket ? Rotation.about(y: -.pi / 2) : .identity
    posture = lean * Rotation(turn: generator.normalVector(deviation: 0.15))
  }

  /// The motion of `count` grid points.
  mutating func track(count: Int) -> MotionTrack {
    let breath = breathing()
    let attitudes = bodyAttitudes(count: count)
    let places = attitudes.map { $0(subject.position.lever) }
    var shake = AR1Noise(deviation: 1.5 * subject.tremor, seconds: 0.025, using: &shaking)
    var track = MotionTrack(capacity: count)
    for index in 0..<count {
      let time = Double(index) * MotionTrack.step
      let rise = breath.depth * PortableMath.sine(2 * .pi * breath.hertz * time + breath.phase)
      track.acceleration.append(
        places.acceleration(at: index) + shake.next(using: &shaking) + SIMD3(rise * 0.5, 0, rise))
      track.attitude.append((attitudes[index] * subject.wearing).normalized)
    }
    return track
  }

  /// How the body part that carries the phone is turned.
  private mutating func bodyAttitudes(count: Int) -> [Rotation] {
    let heading = Rotation.about(z: generator.uniform(in: -.pi ... .pi))
    let restless = generator.uniform(in: 0...1)
    var sway = AR1Noise(deviation: 0.002 + 0.05 * restless * restless, seconds: 0.8, using: &generator)
    var shift = AR1Noise(deviation: 0.004, seconds: 12, using: &generator)
    return (0..<count).map { _ in
      let small = sway.next(using: &generator) + shift.next(using: &generator)
      let turn = nextFidget()  // may change the posture
      return heading * posture * Rotation(turn: turn) * Rotation(turn: small)
    }
  }

  /// Breathing at 0.2 to 0.35 Hz that moves the phone by 0.5 to 3 mg.
  private mutating func breathing() -> (hertz: Double, depth: Double, phase: Double) {
    let hertz = generator.uniform(in: 0.2...0.35)
    let depth = generator.uniform(in: 0.0005...0.003)
    return (hertz, depth, generator.uniform(in: 0...6.28))
  }

  /// The turn that a fidget adds now; half of the fidgets leave the phone in another posture.
  private mutating func nextFidget() -> SIMD3<Double> {
    if fidget == nil {
      guard generator.chance(subject.fidgetsPerSecond * MotionTrack.step) else { return .zero }
      fidget = Fidget(using: &generator)
    }
    let turn = fidget!.next(using: &generator)
    if fidget!.isOver {
      posture = (posture * Rotation(turn: turn)).normalized
      fidget = nil
      return .zero
    }
    return turn
  }
}

/// A short restlessness: a second or so of shaking, and perhaps a turn that stays.
private struct Fidget {
  private let length: Int
  private let stays: SIMD3<Double>
  private var shake: AR1Noise
  private var age = 0

  init(using generator: inout SeededGenerator) {
    let moves = generator.chance(0.5)
    length = Int(generator.uniform(in: moves ? 1.0...2.5 : 0.4...1.5) * MotionTrack.hertz)
    stays = moves ? generator.normalVector(deviation: 0.25) : .zero
    let size = generator.uniform(in: 0.02...0.12)
    shake = AR1Noise(deviation: size, seconds: generator.uniform(in: 0.15...0.4), using: &generator)
  }

  var isOver: Bool { age >= length }

  /// The turn one grid step later, radians: from none, smoothly, to what stays.
  mutating func next(using generator: inout SeededGenerator) -> SIMD3<Double> {
    age += 1
    let part = Double(age) / Double(length)
    let envelope = (1 - PortableMath.cosine(2 * .pi * part)) / 2
    let settled = part * part * part * (10 - 15 * part + 6 * part * part)
    return shake.next(using: &generator) * envelope + stays * settled
  }
}
