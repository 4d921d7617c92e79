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
    drawSteps(count: Int(phases.last ?? 0) + 4)
    let limb = limbAttitudes(phases)
    let lever = subject.position.lever * (subject.legLength / 0.9)
    let places = limb.map { $0(lever) }
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
      if Int(phase) != Int(before) {
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
      let shock = near ? subject.position.shock.near : subject.position.shock.far
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
    for number in max(0, Int(phase) - 1)...Int(phase) + 1 where number < steps.count {
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

  func callAsFunction(_ lever: SIMD3<Double>) -> SIMD3<Double> { attitude(lever) }
}

extension [SIMD3<Double>] {
  /// The second difference of positions in metres, as acceleration in g; zero at the ends.
  func acceleration(at index: Int) -> SIMD3<Double> {
    guard index > 0 && index < count - 1 else { return .zero }
    let change = self[index - 1] - self[index] * 2 + self[index + 1]
    return change * (MotionTrack.hertz * MotionTrack.hertz / MotionTrack.standardGravity)
  }
}
