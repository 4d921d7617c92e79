/// Smooths the activity over time: the forward filter of a hidden Markov model.
///
/// The states are the activities of the head's labels. An activity lasts `expectedDurationSeconds` on average and then
/// changes to each of the others with equal probability. A window's calibrated probabilities *p*, raised to
/// `likelihoodExponent`, are its likelihoods. With *b* the probabilities of the states, *n* their number and the decay
/// *s* = exp(−elapsed ÷ expectedDurationSeconds · n ÷ (n − 1)):
///
///     predicted = 1 ÷ n + s (b − 1 ÷ n),   b ∝ predicted · p^likelihoodExponent
///
/// A model that rejects windows has the further state `.other`, whose likelihood is taken from the other states': 0.98
/// for a rejected window, and 0.02 for one that is not rejected. About 0.02 of the windows of known movement are
/// rejected.
///
/// Without windows the probabilities approach 1 ÷ n, so missing data never causes a decision.
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), §III A.
package struct Smoother: Hashable, Sendable {
  /// The largest probability of standing still in a window that is a quiet walk. With it, a run resumes after about 3 s
  /// of quiet steps, but 1 s of them keeps the run from being paused.
  private static let stillInQuietWalk: Float = 0.2

  private let lanes: [Int]
  private let present: SIMD4<Float>
  private let stateCount: Float
  private let expectedDurationSeconds: Float
  private let likelihoodExponent: Float
  private let rejects: Bool
  private var state: SIMD4<Float>
  private var time: SampleTime?

  /// A filter over the activities of a head's labels, initially with equal probabilities.
  ///
  /// - Parameter rejects: whether windows may be rejected, which adds the activity `.other`.
  /// - Precondition: `settings.expectedDurationSeconds` is positive.
  package init(activities: [Activity], settings: PauseSettings, rejects: Bool = false) {
    precondition(settings.expectedDurationSeconds > 0, "expectedDurationSeconds must be positive")
    lanes = activities.map(\.lane)
    var present = SIMD4<Float>.zero
    for lane in lanes { present[lane] = 1 }
    if rejects { present[Activity.other.lane] = 1 }
    self.rejects = rejects
    self.present = present
    stateCount = present.sum()
    expectedDurationSeconds = Float(settings.expectedDurationSeconds)
    likelihoodExponent = settings.likelihoodExponent
    state = present / stateCount
  }

  /// Takes the probabilities of the window that ends at `time`.
  ///
  /// - Parameters:
  ///   - probabilities: the probability of each label.
  ///   - time: the end of the window.
  ///   - isQuietWalk: whether the window is a quiet walk (`WalkRhythm`). If it is, and the labels include still and
  ///     walking, the part of the probability of still above `stillInQuietWalk` is moved to walking.
  /// - Precondition: the probabilities are of the labels that the filter was made for.
  package mutating func update(
    _ probabilities: LabelProbabilities, at time: SampleTime, isRejected: Bool = false, isQuietWalk: Bool = false
  ) {
    precondition(probabilities.labels.count == lanes.count, "the probabilities are of other labels")
    var weights = SIMD4<Float>.zero
    for (index, lane) in lanes.enumerated() { weights[lane] += probabilities[index] }
    if rejects {
      let other: Float = isRejected ? 0.98 : 0.02
      weights *= 1 - other
      weights[Activity.other.lane] += other
    }
    let (still, walking) = (Activity.still.lane, Activity.walking.lane)
    if isQuietWalk, present[still] * present[walking] > 0, weights[still] > Self.stillInQuietWalk {
      weights[walking] += weights[still] - Self.stillInQuietWalk
      weights[still] = Self.stillInQuietWalk
    }
    for lane in 0..<4 where present[lane] > 0 {
      weights[lane] = exponential(likelihoodExponent * logarithm(max(weights[lane], 1e-6)))
    }
    let product = predicted(at: time) * weights
    state = product / product.sum()
    self.time = time
  }

  /// The probability of any of some activities, 0…1.
  ///
  /// - Parameter lanes: 1 for each of these activities, 0 for the others (`Activity.lanes(of:)`).
  package func probability(in lanes: SIMD4<Float>) -> Float { min((state * lanes).sum(), 1) }

  /// The most probable activity, the first of `Activity.allCases` on a tie, and its probability, 0…1.
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

  @inline(__always)
  private func predicted(at time: SampleTime) -> SIMD4<Float> {
    guard let before = self.time, stateCount > 1 else { return state }
    let elapsed = Float(time.seconds(since: before))
    let left = exponential(-elapsed / expectedDurationSeconds * stateCount / (stateCount - 1))
    let even = present / stateCount
    return even + left * (state - even)
  }
}
