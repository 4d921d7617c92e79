import Gait
import GaitTraining

/// The motion of a phone on a running or walking person.
///
/// 1. A phase counts steps; its rate varies slowly.
/// 2. The ground forces of both feet and the impact of each strike accelerate the trunk.
/// 3. The body part that carries the phone swings at stride frequency, which adds tangential and centripetal
///    acceleration.
/// 4. The phone is attached to the body part by a spring and a damper, and wobbles about its own axes.
struct GaitMotion {
  private let subject: SimulatedSubject
  private let style: GaitStyle
  // Separate generators, so that a longer recording begins as a shorter one does.
  private var pace: SeededGenerator
  private var footing: SeededGenerator
  private var carriage: SeededGenerator
  private var steps: [Footstep] = []

  init(subject: SimulatedSubject, activity: SimulatedActivity) {
    self.subject = subject
    style = subject.style(activity)
    pace = SeededGenerator(seed: subject.seed, keys: [2, activity.key, 0])
    footing = SeededGenerator(seed: subject.seed, keys: [2, activity.key, 1])
    carriage = SeededGenerator(seed: subject.seed, keys: [2, activity.key, 2])
  }

  /// The motion of `count` grid points.
  mutating func track(count: Int) -> MotionTrack {
    let phases = stepPhases(count: count)
    drawSteps(count: Int(saturating: phases.last ?? 0) + 4)
    let limb = limbAttitudes(phases)
    let lever = subject.position.carrying.lever * (subject.legLength / 0.9)
    let places = limb.map { $0.attitude(lever) }
    let drives = places.indices.map { index in
      limb[index].heading(trunkAcceleration(at: phases[index])) + places.acceleration(at: index)
    }
    return applySpring(limb: limb.map(\.attitude), drives: drives)
  }

  /// The number of steps up to each grid point; the cadence follows an AR(1) process from step to step.
  private mutating func stepPhases(count: Int) -> [Double] {
    var phase = 2 + pace.uniform(in: 0...2)
    var target = pace.normal(deviation: style.cadenceNoise)
    var deviation = target
    let correlation = 0.9
    return (0..<count).map { _ in
      let before = phase
      deviation += (target - deviation) * (MotionTrack.step / 0.2)
      phase += style.stepFrequency * (1 + deviation) * MotionTrack.step
      if Int(saturating: phase) != Int(saturating: before) {
        target =
          correlation * target
          + pace.normal(deviation: style.cadenceNoise * (1 - correlation * correlation).squareRoot())
      }
      return phase
    }
  }

  /// Draws the properties that vary from step to step: contact, impact and time of strike.
  private mutating func drawSteps(count: Int) {
    var drift = 0.0
    steps = (0..<count).map { number in
      drift = 0.9 * drift + footing.normal(deviation: 0.01)
      let near = number % 2 == 0
      let shock = near ? subject.position.carrying.shock.near : subject.position.carrying.shock.far
      return Footstep(
        strike: Double(number) + (near ? 0 : style.delay) + footing.normal(deviation: 0.008),
        duty: style.duty * (1 + drift + footing.normal(deviation: 0.015)),
        impact: style.impact * shock * (1 + (near ? style.limp : -style.limp))
          * max(0.2, 1 + footing.normal(deviation: style.impactNoise)),
        side: near ? 1 : -1)
    }
  }

  /// The trunk's acceleration along (forward, left, up), g: the ground forces minus gravity.
  private func trunkAcceleration(at phase: Double) -> SIMD3<Double> {
    var sum = SIMD3(0, 0, -1.0)
    for number in max(0, Int(saturating: phase) - 1)...Int(saturating: phase) + 1 where number < steps.count {
      sum += force(of: steps[number], at: phase)
    }
    return sum
  }

  /// One foot's force, in body weights. The impact's share of the impulse is subtracted from the rest of the contact.
  private func force(of step: Footstep, at phase: Double) -> SIMD3<Double> {
    var force = SIMD3<Double>.zero
    let impulse = step.impact * style.impactSeconds * style.stepFrequency / 2
    let contact = (phase - step.strike) / (2 * step.duty)
    if contact > 0 && contact < 1 {
      let active = style.force(at: contact, duty: step.duty) * (1 - impulse)
      let hump = PortableMath.sine(.pi * contact)
      let pushOff = 0.3 * impulse * .pi / (4 * step.duty)  // compensates the braking of the impact
      force += SIMD3(
        pushOff * hump - style.braking * PortableMath.sine(2 * .pi * contact), style.sideways * step.side * hump, active
      )
    }
    let impactPhase = (phase - step.strike) / (style.stepFrequency * style.impactSeconds)
    if impactPhase > 0 && impactPhase < 1 {
      force += SIMD3(-0.3, 0.1 * step.side, 1) * (step.impact * (1 - PortableMath.cosine(2 * .pi * impactPhase)) / 2)
    }
    return force
  }

  /// The attitude of the body part that carries the phone: heading, posture and swing.
  private mutating func limbAttitudes(_ phases: [Double]) -> [Limb] {
    var direction = carriage.uniform(in: -.pi ... .pi)
    let posture = Rotation(turn: carriage.normalVector(deviation: 0.12))
    var turning = AR1Noise(deviation: 0.15, seconds: 4, using: &carriage)
    var strength = AR1Noise(deviation: 0.06, seconds: 2, using: &carriage)
    var slip = AR1Noise(deviation: 0.04, seconds: 8, using: &carriage)
    return phases.map { phase in
      direction += turning.next(using: &carriage).x * MotionTrack.step
      let swing = swing(at: phase / 2) * (1 + strength.next(using: &carriage).x)
      let heading = Rotation.about(z: direction)
      let drift = Rotation(turn: slip.next(using: &carriage))
      return Limb(heading: heading, attitude: heading * posture * Rotation(turn: swing) * drift)
    }
  }

  /// The swing at a stride phase as a rotation vector, radians.
  private func swing(at stride: Double) -> SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    for (index, harmonic) in style.swing.enumerated() {
      let angle = harmonic.phase + 2 * Double.pi * Double(index + 1) * stride
      sum +=
        harmonic.amplitude
        * SIMD3(PortableMath.cosine(angle.x), PortableMath.cosine(angle.y), PortableMath.cosine(angle.z))
    }
    return sum
  }

  /// The phone's motion on its spring: it rings after each impact and turns slightly with it.
  private func applySpring(limb: [Rotation], drives: [SIMD3<Double>]) -> MotionTrack {
    var spring = SpringMount(hertz: subject.holdHertz, damping: subject.holdDamping)
    var wobble = SpringMount(hertz: subject.holdHertz * 0.9, damping: subject.holdDamping)
    var track = MotionTrack(capacity: drives.count)
    for (attitude, drive) in zip(limb, drives) {
      let turn = wobble.follow(subject.wobble.cross(drive)).place
      track.acceleration.append(spring.follow(drive).acceleration)
      track.attitude.append((attitude * Rotation(turn: turn) * subject.wearing).normalized)
    }
    return track
  }
}

/// One step: the strike time in steps, the share of the stride on the ground, the impact in g, +1 for left or −1 for
/// right.
private struct Footstep {
  let strike: Double
  let duty: Double
  let impact: Double
  let side: Double
}

/// The body's heading, and the attitude of the body part that carries the phone.
private struct Limb {
  let heading: Rotation
  let attitude: Rotation
}

extension [SIMD3<Double>] {
  /// The second difference of positions in metres, as acceleration in g; zero at the ends.
  func acceleration(at index: Int) -> SIMD3<Double> {
    guard index > 0 && index < count - 1 else { return .zero }
    let change = self[index - 1] - self[index] * 2 + self[index + 1]
    return change * (MotionTrack.hertz * MotionTrack.hertz / MotionTrack.standardGravity)
  }
}

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
    let places = attitudes.map { $0(subject.position.carrying.lever) }
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
    length = Int(saturating: generator.uniform(in: moves ? 1.0...2.5 : 0.4...1.5) * MotionTrack.hertz)
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

/// The true motion of a phone: its attitude and acceleration on a fine time grid, without sensor errors.
struct MotionTrack {
  /// Grid points per second. Every sample rate samples the same track.
  static let hertz = 400.0

  /// The time between grid points, seconds.
  static let step = 1 / hertz

  /// Standard gravity, m/s².
  static let standardGravity = 9.80665

  /// The rotation from device axes to world axes; shape `[grid points]`.
  var attitude: [Rotation] = []

  /// Acceleration of the phone in world axes, g, positive in the direction of increasing speed; shape `[grid points]`.
  var acceleration: [SIMD3<Double>] = []

  init(capacity: Int) {
    attitude.reserveCapacity(capacity)
    acceleration.reserveCapacity(capacity)
  }
}

/// A phone attached by a spring and a damper: cloth, flesh or an elbow. Slow motion passes unchanged; impacts make it
/// ring.
///
/// Equation: r″ = −ω²r − 2ζω r′ − a, where r is the phone's position relative to a body with acceleration a; the
/// phone's acceleration is a + r″.
struct SpringMount {
  private let stiffness: Double
  private let friction: Double
  private var place = SIMD3<Double>.zero
  private var speed = SIMD3<Double>.zero

  init(hertz: Double, damping: Double) {
    let omega = 2 * Double.pi * hertz
    stiffness = omega * omega
    friction = 2 * damping * omega
  }

  /// Advances by one grid step and returns the phone's position, in the unit of `drive` × s², and its acceleration over
  /// that step.
  mutating func follow(_ drive: SIMD3<Double>) -> (place: SIMD3<Double>, acceleration: SIMD3<Double>) {
    let relative = -place * stiffness - speed * friction - drive
    speed += relative * MotionTrack.step
    place += speed * MotionTrack.step
    return (place, relative + drive)
  }
}
