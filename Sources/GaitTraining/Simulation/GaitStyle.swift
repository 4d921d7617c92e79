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
  /// Ranges, rounded from these sources: cadence as in MotionSense's jogging and walking; duty 0.27–0.38 running (McMahon
  /// and Cheng 1990; Novacheck 1998), 0.61–0.66 walking; braking 0.2–0.35 and 0.12–0.22 body weights (Munro et al. 1987;
  /// Nilsson and Thorstensson 1989); impact and the higher harmonics of swing chosen so that MotionSense's pocket
  /// recordings and the simulated ones cover the same ranges.
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
      position.swing(in: activity) * (vigour * generator.uniform(in: 0.75...1.2)),
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
