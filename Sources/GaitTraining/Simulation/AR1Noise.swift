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
    interval = max(1, Int(seconds * MotionTrack.hertz))
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
