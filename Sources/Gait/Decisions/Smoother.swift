/// What the wearer probably does, from one window after another: the forward filter of a hidden Markov model.
///
/// The states are the activities that the head's labels mean. Between windows an activity goes on for `expectedDuration` seconds
/// on average and then changes to each of the others alike; a window's calibrated probabilities, raised to
/// `likelihoodExponent`, stand for its likelihoods. With *b* the probabilities, *n* the number of states and
/// *s* = exp(−elapsed ÷ expectedDuration · n ÷ (n − 1)), which is what is left of a difference between two states:
///
///     predicted = 1 ÷ n + s (b − 1 ÷ n),   probabilities ∝ predicted · p^weight
///
/// Without windows the probabilities approach 1 ÷ n, so missing data never causes a decision.
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), §III A.
public struct Smoother: Hashable, Sendable {
  private let lanes: [Int]
  private let present: SIMD4<Float>
  private let stateCount: Float
  private let expectedDuration: Float
  private let likelihoodExponent: Float
  private var state: SIMD4<Float>
  private var time: SampleTime?

  /// A filter over the activities that `labels` mean, all of them equally probable.
  ///
  /// - Precondition: `settings.expectedDuration` is positive.
  public init(labels: [String], settings: PauseSettings) {
    precondition(settings.expectedDuration > 0, "an activity must be expected to last some time")
    lanes = labels.map { Activity(label: $0).lane }
    var present = SIMD4<Float>.zero
    for lane in lanes { present[lane] = 1 }
    self.present = present
    stateCount = present.sum()
    expectedDuration = Float(settings.expectedDuration)
    likelihoodExponent = settings.likelihoodExponent
    state = present / stateCount
  }

  /// Takes what a head says about the window that ends at `time`.
  ///
  /// - Precondition: the probabilities are of the labels that the filter was made for.
  public mutating func update(_ probabilities: LabelProbabilities, at time: SampleTime) {
    precondition(probabilities.labels.count == lanes.count, "probabilities of other labels")
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
  public func probability(of activities: Set<Activity>) -> Float {
    var sum: Float = 0
    for activity in Activity.allCases where activities.contains(activity) { sum += state[activity.lane] }
    return min(sum, 1)
  }

  /// The activity that is most probable, and how probable it is, 0…1.
  public var mostProbable: (activity: Activity, probability: Float) {
    var best = Activity.running
    for activity in Activity.allCases where state[activity.lane] > state[best.lane] { best = activity }
    return (best, state[best.lane])
  }

  /// Forgets what was believed.
  public mutating func reset() {
    state = present / stateCount
    time = nil
  }

  private func predicted(at time: SampleTime) -> SIMD4<Float> {
    guard let before = self.time, stateCount > 1 else { return state }
    let elapsed = Float(time.seconds(since: before))
    let left = exponential(-elapsed / expectedDuration * stateCount / (stateCount - 1))
    let even = present / stateCount
    return even + left * (state - even)
  }
}
