/// Smooths the activity over time: the forward filter of a hidden Markov model.
///
/// The states are the activities of the head's labels. An activity lasts `expectedDurationSeconds` on average and then
/// changes to each of the others with equal probability. A window's calibrated probabilities *p*, raised to
/// `likelihoodExponent`, are its likelihoods. With *b* the probabilities of the states, *n* their number and the decay
/// *s* = exp(−elapsed ÷ expectedDurationSeconds · n ÷ (n − 1)):
///
///     predicted = 1 ÷ n + s (b − 1 ÷ n),   b ∝ predicted · p^likelihoodExponent
///
/// Without windows the probabilities approach 1 ÷ n, so missing data never causes a decision.
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), §III A.
package struct Smoother: Hashable, Sendable {
  private let lanes: [Int]
  private let present: SIMD4<Float>
  private let stateCount: Float
  private let expectedDurationSeconds: Float
  private let likelihoodExponent: Float
  private var state: SIMD4<Float>
  private var time: SampleTime?

  /// A filter over the activities of `labels`, initially with equal probabilities.
  ///
  /// - Precondition: `settings.expectedDurationSeconds` is positive.
  package init(labels: [String], settings: PauseSettings) {
    precondition(settings.expectedDurationSeconds > 0, "expectedDurationSeconds must be positive")
    lanes = labels.map { Activity(label: $0).lane }
    var present = SIMD4<Float>.zero
    for lane in lanes { present[lane] = 1 }
    self.present = present
    stateCount = present.sum()
    expectedDurationSeconds = Float(settings.expectedDurationSeconds)
    likelihoodExponent = settings.likelihoodExponent
    state = present / stateCount
  }

  /// Takes the probabilities of the window that ends at `time`.
  ///
  /// - Precondition: the probabilities are of the labels that the filter was made for.
  package mutating func update(_ probabilities: LabelProbabilities, at time: SampleTime) {
    precondition(probabilities.labels.count == lanes.count, "the probabilities are of other labels")
    var weights = SIMD4<Float>.zero
    for (index, lane) in lanes.enumerated() { weights[lane] += probabilities[index] }
    for lane in 0..<4 where present[lane] > 0 {
      weights[lane] = exponential(likelihoodExponent * logarithm(max(weights[lane], 1e-6)))
    }
    let product = predicted(at: time) * weights
    state = product / product.sum()
    self.time = time
  }

  /// The probability of any of `activities`, 0…1.
  package func probability(of activities: Set<Activity>) -> Float {
    var sum: Float = 0
    for activity in Activity.allCases where activities.contains(activity) { sum += state[activity.lane] }
    return min(sum, 1)
  }

  /// The most probable activity and its probability, 0…1.
  package var mostProbable: (activity: Activity, probability: Float) {
    var best = Activity.running
    for activity in Activity.allCases where state[activity.lane] > state[best.lane] { best = activity }
    return (best, state[best.lane])
  }

  /// Resets to equal probabilities.
  package mutating func reset() {
    state = present / stateCount
    time = nil
  }

  private func predicted(at time: SampleTime) -> SIMD4<Float> {
    guard let before = self.time, stateCount > 1 else { return state }
    let elapsed = Float(time.seconds(since: before))
    let left = exponential(-elapsed / expectedDurationSeconds * stateCount / (stateCount - 1))
    let even = present / stateCount
    return even + left * (state - even)
  }
}
