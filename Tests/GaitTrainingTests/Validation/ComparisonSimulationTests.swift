import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// How often `ModelComparison` calls a difference clear, over many draws of people: the lines that begin with a bar.
/// `make test-release FILTER=ComparisonSimulationTests` runs these on optimised code, with many more draws.
@Suite struct ComparisonSimulationTests {
  /// The number of random samples of people: in release builds, enough to distinguish 6 % from 7 %.
  private static var trials: Int {
    #if DEBUG
      60
    #else
      2000
    #endif
  }

  /// Far fewer swaps than in `gait evaluate`, which only makes p-values coarser.
  private static let draws = 1000

  /// The shares of trials of one measure.
  private struct Shares {
    var (clear, outside, covered, student, significant, permuted) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
  }

  /// Compares models on many samples of `count` people from a population.
  ///
  /// - Returns: for each measure the share of trials with a clear difference, with 0 outside the interval, with `truth`
  ///   in it, with a difference detected by a paired t-test of the people's accuracies, with a p-value of at most 0.05, and
  ///   with one of at most 0.05 by the permutation test alone.
  private func trials(of population: ComparedPopulation, count: Int, truth: Double = 0) -> [Shares] {
    let trials = Array(0..<Self.trials).mappedConcurrently { trial in
      var generator = SeededGenerator(seed: 14, keys: [UInt64(trial), UInt64(count)])
      let pair = population.draw(count, &generator)
      let student = Self.pairedTest(pair.accuracyChanges)
      let permuted = count < ModelComparison.fewestGroups ? nil : pair.pValues(draws: Self.draws, seed: UInt64(trial))
      return ModelComparison.differences(of: "second", pair, draws: Self.draws, seed: UInt64(trial)).map { difference in
        let (low, high) = (difference.low ?? -1, difference.high ?? 1)
        return [
          difference.isClear, low > 0 || high < 0, (low...high).contains(truth), student,
          (difference.pValue ?? 1) <= 0.05, (permuted?[difference.measure] ?? 1) <= 0.05,
        ]
      }
    }
    return ModelComparison.Measure.allCases.indices.map { measure in
      let share = { (kind: Int) in Double(trials.count { $0[measure][kind] }) / Double(trials.count) }
      return Shares(
        clear: share(0), outside: share(1), covered: share(2), student: share(3), significant: share(4),
        permuted: share(5))
    }
  }

  /// Whether Student's paired test detects a difference at 5 %.
  private static func pairedTest(_ changes: [Double]) -> Bool {
    let count = Double(changes.count)
    let mean = changes.reduce(0, +) / count
    let variance = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let reach = StudentDistribution.quantile(within: 0.95, degrees: changes.count - 1)
    return mean.magnitude > reach * (variance / count).squareRoot()
  }

  /// At most 6 %; with few trials, three standard deviations more.
  private static var limit: Double {
    trials >= 2000 ? 0.06 : 0.06 + 3 * (0.06 * 0.94 / Double(trials)).squareRoot()
  }

  private static func percent(_ share: Double) -> String { (100 * share).fixed(1) + " %" }

  @Test(.requiresOptimization, arguments: ComparedPopulation.equal)
  func `Equal models are seldom called clearly different`(population: ComparedPopulation) {
    for count in [3, 4, 6, 8, 12, 20, 24] {
      let shares = trials(of: population, count: count)
      for (measure, shares) in zip(ModelComparison.Measure.allCases, shares) {
        #expect(shares.clear <= Self.limit, "\(measure) of \(count) people")
        #expect(shares.significant <= Self.limit, "the p-value of \(measure), \(count) people")
      }
      print(row(population, count, shares))
    }
  }

  @Test func `A model that fails for one person in ten seems better if that person is not in the sample`() {
    for count in [3, 4, 6, 8, 12, 20] {
      print(row(ComparedPopulation.rareFailure, count, trials(of: ComparedPopulation.rareFailure, count: count)))
    }
  }

  @Test(arguments: [("as many windows of all", 0.0), ("more windows of some", 0.5)])
  func `A true difference is detected nearly as often as by a paired test`(windows: String, spread: Double) {
    let population = ComparedPopulation.better("better by two standard errors, \(windows)", spread: spread)
    let shares = trials(of: population, count: 12, truth: ComparedPopulation.trueDifference)
    let slack = Self.limit - 0.06
    for shares in shares { #expect(shares.clear >= (0.7 - 2 * slack) * shares.student) }
    #expect(shares[0].covered >= 0.93 - slack)
    let found = shares.map { Self.percent($0.clear) } + [Self.percent(shares[0].student)]
    print("| \(windows) | \((found + [Self.percent(shares[0].covered)]).joined(separator: " | ")) |")
  }

  private func row(_ population: ComparedPopulation, _ count: Int, _ shares: [Shares]) -> String {
    let cells = shares.flatMap { [Self.percent($0.clear), Self.percent(1 - $0.outside), Self.percent($0.permuted)] }
    return "| \(population.name) | \(count) | \(cells.joined(separator: " | ")) | \(Self.percent(shares[0].student)) |"
  }
}
