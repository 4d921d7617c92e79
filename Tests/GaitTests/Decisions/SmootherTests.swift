import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct SmootherTests {
  private static let labels = ["running", "still", "walking"]

  private static func probabilities(_ values: [Float]) -> LabelProbabilities {
    LabelProbabilities(labels: labels) { output in
      for (index, value) in values.enumerated() { output[index] = value }
    }
  }

  /// The forward filter in small steps of a ten-thousandth of the expected duration, then the likelihoods, then
  /// normalised.
  private static func naive(_ windows: [(time: Double, p: [Float])], _ settings: PauseSettings) -> [Double] {
    var probability = [1.0 / 3, 1.0 / 3, 1.0 / 3]
    var before = windows[0].time
    for window in windows {
      let steps = Int(((window.time - before) / settings.expectedDurationSeconds * 10_000).rounded())
      before = window.time
      for _ in 0..<steps { probability = probability.map { $0 * (1 - 1e-4) + (1 - $0) * 0.5e-4 } }
      for state in 0..<3 {
        probability[state] *= pow(Double(max(window.p[state], 1e-6)), Double(settings.likelihoodExponent))
      }
      let sum = probability.reduce(0, +)
      probability = probability.map { $0 / sum }
    }
    return probability
  }

  @Test func `The probabilities are those of a hidden Markov model's forward filter`() {
    var random = SplitMix64(seed: 3)
    for count in 1...20 {
      let windows = (0..<count).map { index in
        let draws = (0..<3).map { _ in Float.random(in: 0.001...1, using: &random) }
        return (time: 0.2 * Double(index * index % 7 + 8 * index), p: draws.map { $0 / draws.reduce(0, +) })
      }
      var settings = PauseSettings()
      settings.likelihoodExponent = 0.4
      var smoother = Smoother(activities: Self.labels.map(Activity.init(label:)), settings: settings)
      for window in windows { smoother.update(Self.probabilities(window.p), at: .seconds(window.time)) }
      let expected = Self.naive(windows, settings)
      #expect(abs(Double(smoother.probability(in: Activity.lanes(of: [.running]))) - expected[0]) < 1e-3)
      #expect(abs(Double(smoother.probability(in: Activity.lanes(of: [.still]))) - expected[1]) < 1e-3)
      #expect(abs(Double(smoother.probability(in: Activity.lanes(of: [.walking]))) - expected[2]) < 1e-3)
    }
  }

  @Test(arguments: [["running", "still"], ["running", "walking"]])
  func `Steps in a window of a model without standing or without walking change nothing`(labels: [String]) {
    func filtered(isQuietWalk: Bool) -> Smoother {
      var smoother = Smoother(activities: labels.map(Activity.init(label:)), settings: PauseSettings())
      let probabilities = LabelProbabilities(labels: labels) { output in (output[0], output[1]) = (0.1, 0.9) }
      for second in 0..<5 { smoother.update(probabilities, at: .seconds(Double(second)), isQuietWalk: isQuietWalk) }
      return smoother
    }
    let (walk, plain) = (filtered(isQuietWalk: true), filtered(isQuietWalk: false))
    for activity in [Activity.running, .still, .walking] {
      let lanes = Activity.lanes(of: [activity])
      #expect(walk.probability(in: lanes) == plain.probability(in: lanes), "\(activity)")
    }
  }

  @Test func `Without windows the probabilities approach equal values`() {
    var smoother = Smoother(activities: Self.labels.map(Activity.init(label:)), settings: PauseSettings())
    for index in 0..<20 { smoother.update(Self.probabilities([0.98, 0.01, 0.01]), at: .seconds(0.2 * Double(index))) }
    let sure = smoother.probability(in: Activity.lanes(of: [.still]))
    smoother.update(Self.probabilities([1 / 3, 1 / 3, 1 / 3]), at: .seconds(1e6))
    #expect(sure < 0.001)
    #expect(abs(smoother.probability(in: Activity.lanes(of: [.still])) - 1 / 3) < 1e-3)
  }

  @Test func `The probabilities of an activity's labels are summed`() {
    var smoother = Smoother(activities: [.still, .still, .running], settings: PauseSettings())
    let probabilities = LabelProbabilities(labels: ["sit", "std", "jog"]) { ($0[0], $0[1], $0[2]) = (0.45, 0.45, 0.1) }
    for index in 0..<10 { smoother.update(probabilities, at: .seconds(Double(index))) }
    #expect(smoother.mostProbable.activity == .still)
    #expect(smoother.mostProbable.probability > 0.95)
  }
}
