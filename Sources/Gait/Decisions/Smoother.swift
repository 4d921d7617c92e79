/// What the wearer probably does, from one window after another: the forward filter of a hidden Markov model.
///
/// The states are the activities that the head's labels mean. Between windows an activity goes on for `meanStay` seconds
/// on average and then changes to each of the others alike; a window's calibrated probabilities, raised to
/// `evidenceWeight`, stand for its likelihoods. With *b* the belief, *n* the number of states and
/// *s* = exp(−elapsed ÷ meanStay · n ÷ (n − 1)), which is what is left of a difference between two states:
///
///     predicted = 1 ÷ n + s (b − 1 ÷ n),   belief ∝ predicted · p^weight
///
/// Without windows the belief only fades towards ignorance, so silence never decides anything.
/// Source: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), §III A.
public struct Smoother: Hashable, Sendable {
  private let lanes: [Int]
  private let present: SIMD4<Float>
  private let stateCount: Float
  private let meanStay: Float
  private let evidenceWeight: Float
  private var belief: SIMD4<Float>
  private var time: SampleTime?

  /// A filter over the activities that `labels` mean, all of them equally probable.
  ///
  /// - Precondition: `settings.meanStay` is positive.
  public init(labels: [String], settings: PauseSettings) {
    precondition(settings.meanStay > 0, "an activity must be expected to last some time")
    lanes = labels.map { Activity(label: $0).lane }
    var present = SIMD4<Float>.zero
    for lane in lanes { present[lane] = 1 }
    self.present = present
    stateCount = present.sum()
    meanStay = Float(settings.meanStay)
    evidenceWeight = settings.evidenceWeight
    belief = present / stateCount
  }

  /// Takes what a head says about the window that ends at `time`.
  ///
  /// - Precondition: the probabilities are of the labels that the filter was made for.
  public mutating func update(_ probabilities: LabelProbabilities, at time: SampleTime) {
    precondition(probabilities.labels.count == lanes.count, "probabilities of other labels")
    var weights = SIMD4<Float>.zero
    for (index, lane) in lanes.enumerated() { weights[lane] += probabilities[index] }
    for lane in 0..<4 where present[lane] > 0 {
      weights[lane] = exponential(evidenceWeight * logarithm(max(weights[lane], 1e-6)))
    }
    let product = predicted(at: time) * weights
    belief = product / product.sum()
    self.time = time
  }

  /// The belief in any of `activities`, 0…1.
  public func belief(in activities: Set<Activity>) -> Float {
    var sum: Float = 0
    for activity in Activity.allCases where activities.contains(activity) { sum += belief[activity.lane] }
    return min(sum, 1)
  }

  /// The activity that is most probable, and how probable it is, 0…1.
  public var mostProbable: (activity: Activity, belief: Float) {
    var best = Activity.running
    for activity in Activity.allCases where belief[activity.lane] > belief[best.lane] { best = activity }
    return (best, belief[best.lane])
  }

  /// Forgets what was believed.
  public mutating func reset() {
    belief = present / stateCount
    time = nil
  }

  private func predicted(at time: SampleTime) -> SIMD4<Float> {
    guard let before = self.time, stateCount > 1 else { return belief }
    let elapsed = Float(time.seconds(since: before))
    let left = exponential(-elapsed / meanStay * stateCount / (stateCount - 1))
    let even = present / stateCount
    return even + left * (belief - even)
  }
}
