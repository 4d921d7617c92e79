/// Running and walking: what a phone on a stepping body goes through.
///
/// 1. A phase that counts steps, its pace wandering slowly.
/// 2. The ground force of both feet and the jolt of each strike give the trunk's acceleration.
/// 3. The body part that carries the phone swings at stride frequency; its lever adds tangential and centripetal parts.
/// 4. The phone rides on that as on a spring, and wobbles about its own axes.
struct GaitMotion {
  private let subject: SimulatedSubject
  private let style: GaitStyle
  // One source each, so that a longer recording begins as a shorter one does.
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
    drawSteps(count: Int(phases.last ?? 0) + 4)
    let limb = limbAttitudes(phases)
    let lever = subject.position.lever * (subject.legLength / 0.9)
    let places = limb.map { $0(lever) }
    let drives = places.indices.map { index in
      limb[index].heading(trunkAcceleration(at: phases[index])) + places.acceleration(at: index)
    }
    return ride(limb: limb.map(\.attitude), drives: drives)
  }

  /// Steps taken until each grid point; the pace follows an AR(1) from step to step.
  private mutating func stepPhases(count: Int) -> [Double] {
    var phase = 2 + pace.uniform(in: 0...2)
    var target = pace.normal(deviation: style.cadenceNoise)
    var deviation = target
    let stay = 0.9
    return (0..<count).map { _ in
      let before = phase
      deviation += (target - deviation) * (MotionTrack.step / 0.2)
      phase += style.stepFrequency * (1 + deviation) * MotionTrack.step
      if Int(phase) != Int(before) {
        target = stay * target + pace.normal(deviation: style.cadenceNoise * (1 - stay * stay).squareRoot())
      }
      return phase
    }
  }

  /// What differs from step to step: contact, jolt and time of strike.
  private mutating func drawSteps(count: Int) {
    var drift = 0.0
    steps = (0..<count).map { number in
      drift = 0.9 * drift + footing.normal(deviation: 0.01)
      let near = number % 2 == 0
      let shock = near ? subject.position.shock.near : subject.position.shock.far
      return Footstep(
        strike: Double(number) + (near ? 0 : style.delay) + footing.normal(deviation: 0.008),
        duty: style.duty * (1 + drift + footing.normal(deviation: 0.015)),
        impact: style.impact * shock * (1 + (near ? style.limp : -style.limp))
          * max(0.2, 1 + footing.normal(deviation: style.impactNoise)),
        side: near ? 1 : -1)
    }
  }

  /// The trunk's acceleration along (forward, left, up), g: the ground's force on the feet, less gravity.
  private func trunkAcceleration(at phase: Double) -> SIMD3<Double> {
    var sum = SIMD3(0, 0, -1.0)
    for number in max(0, Int(phase) - 1)...Int(phase) + 1 where number < steps.count {
      sum += force(of: steps[number], at: phase)
    }
    return sum
  }

  /// One foot's force, in body weights. What the jolt carries, the rest of the contact does not.
  private func force(of step: Footstep, at phase: Double) -> SIMD3<Double> {
    var force = SIMD3<Double>.zero
    let jolted = step.impact * style.impactSeconds * style.stepFrequency / 2
    let contact = (phase - step.strike) / (2 * step.duty)
    if contact > 0 && contact < 1 {
      let active = style.force(at: contact, duty: step.duty) * (1 - jolted)
      let hump = PortableMath.sine(.pi * contact)
      let pushOff = 0.3 * jolted * .pi / (4 * step.duty)  // makes up for what the jolt brakes
      force += SIMD3(
        pushOff * hump - style.braking * PortableMath.sine(2 * .pi * contact), style.sideways * step.side * hump, active
      )
    }
    let jolt = (phase - step.strike) / (style.stepFrequency * style.impactSeconds)
    if jolt > 0 && jolt < 1 {
      force += SIMD3(-0.3, 0.1 * step.side, 1) * (step.impact * (1 - PortableMath.cosine(2 * .pi * jolt)) / 2)
    }
    return force
  }

  /// How the body part that carries the phone is turned: heading, posture and swing.
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

  /// The swing at a stride phase, as a turn in radians.
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

  /// The phone on its spring: it rings after each jolt, and turns a little with it.
  private func ride(limb: [Rotation], drives: [SIMD3<Double>]) -> MotionTrack {
    var spring = SprungPhone(hertz: subject.holdHertz, damping: subject.holdDamping)
    var wobble = SprungPhone(hertz: subject.holdHertz * 0.9, damping: subject.holdDamping)
    var track = MotionTrack(capacity: drives.count)
    for (attitude, drive) in zip(limb, drives) {
      let turn = wobble.follow(subject.wobble.cross(drive)).place
      track.acceleration.append(spring.follow(drive).acceleration)
      track.attitude.append((attitude * Rotation(turn: turn) * subject.wearing).normalized)
    }
    return track
  }
}

/// One step: when the foot strikes (in steps), its part of the stride on the ground, its jolt in g, +1 left or −1 right.
private struct Footstep {
  let strike: Double
  let duty: Double
  let impact: Double
  let side: Double
}

/// Where the body faces, and how the body part that carries the phone is turned.
private struct Limb {
  let heading: Rotation
  let attitude: Rotation

  func callAsFunction(_ lever: SIMD3<Double>) -> SIMD3<Double> { attitude(lever) }
}

extension [SIMD3<Double>] {
  /// The second difference of places in metres, as acceleration in g; zero at the ends.
  func acceleration(at index: Int) -> SIMD3<Double> {
    guard index > 0 && index < count - 1 else { return .zero }
    let change = self[index - 1] - self[index] * 2 + self[index + 1]
    return change * (MotionTrack.hertz * MotionTrack.hertz / MotionTrack.standardGravity)
  }
}
