import Gait
import Testing

@testable import GaitTraining

@Suite struct ModelComparisonTests {
  /// Ten windows for each group, `right` of them predicted correctly.
  private func windows(right: [Int], labels: [String] = ["a", "b"], names: [String]? = nil) -> ScoredWindows {
    var (truths, values, groups): ([Int], [Float], [String]) = ([], [], [])
    for (group, right) in right.enumerated() {
      for index in 0..<10 {
        let truth = index % 2
        let predicted = index < right ? truth : 1 - truth
        truths.append(truth)
        values += labels.indices.map { $0 == predicted ? 0.9 : 0.1 }
        groups.append(names?[group] ?? "\(group)")
      }
    }
    return ScoredWindows(
      labels: labels, truths: truths, probabilities: FeatureMatrix(columnCount: labels.count, values: values),
      windowGroups: groups)
  }

  @Test func `A model that is better in every group is clearly better`() throws {
    let (good, poor) = (windows(right: [9, 9, 10, 9, 8, 9, 10, 9]), windows(right: [7, 6, 8, 7, 6, 8, 8, 7]))
    let comparison = try ModelComparison([("poor", poor), ("good", good)], draws: 2000)
    #expect(comparison.groupCount == 8)
    #expect(comparison.entries.map(\.name) == ["poor", "good"])
    let accuracy = try #require(comparison.differences.first { $0.measure == .accuracy })
    #expect(abs(accuracy.value - 16.0 / 80) < 1e-12)
    #expect(accuracy.isClear)
    #expect(accuracy.betterGroups == 8)
    #expect(accuracy.worseGroups == 0)
    #expect(accuracy.groups == 8)
    #expect(accuracy.pValue == 2.0 / 256)
    let (low, high) = (try #require(accuracy.low), try #require(accuracy.high))
    #expect(low > 0.1)
    #expect(low < accuracy.value)
    #expect(high > accuracy.value)
    #expect(high < 0.3)
    let macroF1 = try #require(comparison.differences.last)
    let expected = try good.report().macroF1 - poor.report().macroF1
    #expect(macroF1.measure == .macroF1)
    #expect(abs(macroF1.value - expected) < 1e-12)
    #expect(macroF1.isClear)
    #expect(macroF1.pValue == 2.0 / 256)
  }

  @Test func `The interval contains Student's interval and is little longer`() throws {
    let changes = [3, -1, 2, 0, 1, -2, 4, 1]
    let first = windows(right: Array(repeating: 5, count: 8))
    let second = windows(right: changes.map { 5 + $0 })
    let difference = try ModelComparison([("x", first), ("y", second)]).differences[0]
    let mean = Double(changes.reduce(0, +)) / 8
    let variance = changes.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / 7
    let reach = 2.364624 * (variance / 8).squareRoot()
    let (low, high) = (try #require(difference.low) * 10, try #require(difference.high) * 10)
    #expect(low <= mean - reach + 1e-6)
    #expect(low > mean - 1.2 * reach)
    #expect(high >= mean + reach - 1e-6)
    #expect(high < mean + 1.2 * reach)
    // The reference: the share of sign changes whose sum is at least as large.
    let asLarge = (0..<256).count { mask in
      abs(changes.indices.reduce(0) { $0 + (mask >> $1 & 1 == 1 ? -changes[$1] : changes[$1]) }) >= 8
    }
    #expect(difference.pValue == Double(asLarge) / 256)
    #expect(!difference.isClear)
  }

  @Test func `Random swaps approximate all swaps and follow from the seed`() throws {
    let first = windows(right: [5, 6, 5, 7, 8, 5, 6, 9, 5, 5, 4, 8])
    let second = windows(right: [7, 6, 8, 7, 9, 9, 5, 9, 8, 7, 4, 9])
    let compared = { (draws: Int, seed: UInt64) in
      try ModelComparison([("x", first), ("y", second)], draws: draws, seed: seed).differences
    }
    let (all, drawn) = (try compared(2048, 1), try compared(2047, 1))
    for (exact, random) in zip(all, drawn) {
      #expect(abs(try #require(exact.pValue) - (try #require(random.pValue))) < 0.04)
      #expect(exact.low == random.low)
      #expect(exact.high == random.high)
    }
    #expect(try compared(500, 7) == compared(500, 7))
    // The reference: the groups of a set bit are swapped, the last never, and the observed difference counts as one
    // more.
    let changes = [2, 0, 3, 0, 1, 4, -1, 0, 3, 2, 0, 1]
    for seed in 1...5 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let asLarge = (0..<500).count { _ in
        abs(1 + changes.dropLast().reduce(0) { generator.next() >> 63 == 1 ? $0 - $1 : $0 + $1 }) >= 15
      }
      #expect(try compared(500, seed)[0].pValue == Double(asLarge + 1) / 501, "seed \(seed)")
    }
  }

  @Test(arguments: [2, 3, 4, 5])
  func `With fewer than six groups there is no result, even for very different models`(count: Int) throws {
    let first = windows(right: (0..<count).map { 2 + $0 % 2 })
    let second = windows(right: (0..<count).map { 9 + $0 % 2 })
    let comparison = try ModelComparison([("x", first), ("y", second)])
    for difference in comparison.differences {
      #expect(difference.low == nil)
      #expect(difference.high == nil)
      #expect(difference.pValue == nil)
      #expect(!difference.isClear)
      #expect(difference.betterGroups == count)
    }
    #expect(comparison.description.contains("which may be chance: \(count) groups, and an interval needs 6."))
  }

  @Test func `Equal models do not differ`() throws {
    let same = windows(right: [5, 9, 7, 6, 6, 8])
    let comparison = try ModelComparison([("x", same), ("y", same)])
    #expect(!comparison.description.contains("may be chance"), "six groups are enough")
    #expect(
      comparison.description.hasPrefix("With equal weight for each of 6 groups, y is as accurate as x for every group.")
    )
    #expect(!comparison.description.contains("Difference from"), "there is no row without a difference")
    for difference in comparison.differences {
      #expect(difference.value == 0)
      #expect(difference.low == 0)
      #expect(difference.high == 0)
      #expect(!difference.isClear)
      #expect(difference.pValue == 1)
    }
    let alone = try ModelComparison([("x", windows(right: [5])), ("y", windows(right: [9]))])
    #expect(alone.differences.allSatisfy { $0.low == nil && !$0.isClear })
  }

  @Test func `Groups in which only one model has windows are left out of the difference`() throws {
    let first = windows(right: [5, 9, 7, 0], names: ["1", "2", "3", "4"])
    let second = windows(right: [9, 6, 8], names: ["1", "2", "3"])
    let difference = try ModelComparison([("x", first), ("y", second)]).differences[0]
    #expect(difference.groups == 3)
    #expect(abs(difference.value - 2.0 / 30) < 1e-12)
    #expect(difference.betterGroups == 2)
    #expect(difference.worseGroups == 1)
  }

  @Test func `All groups have the same weight, for any number of windows`() throws {
    // In one group the model has two more correct windows; in the other, with twice as many windows, two fewer.
    let names = ["1", "2", "2"]
    let first = windows(right: [5, 8, 8], names: names)
    let second = windows(right: [7, 7, 7], names: names)
    let comparison = try ModelComparison([("x", first), ("y", second)])
    let difference: Double = comparison.differences[0].value
    #expect(abs(difference - 0.05) < 1e-12)
    #expect(comparison.entries[0].report.accuracy == comparison.entries[1].report.accuracy)
    #expect(comparison.differences[0].betterGroups == 1)
    #expect(comparison.differences[0].worseGroups == 1)
  }

  @Test func `A clear difference is a sentence in percentage points, and no p-value is zero`() throws {
    let comparison = try ModelComparison([
      ("x", windows(right: (0..<14).map { 4 + $0 % 2 })), ("y", windows(right: (0..<14).map { 8 + $0 % 2 })),
    ])
    let text = comparison.description.replacing("\n", with: " ")
    #expect(
      text.hasPrefix("With equal weight for each of 14 groups, y is more accurate than x (+40.00 percentage points"))
    #expect(text.contains(", p < 0.001)."), "\(text)")
    #expect(!text.contains("0.000  "), "\(text)")
  }

  @Test func `Labels are matched by name across models`() throws {
    let two = windows(right: [9, 8, 10])
    let three = windows(right: [9, 8, 10], labels: ["a", "b", "c"])
    let comparison = try ModelComparison([("two", two), ("three", three)])
    #expect(comparison.differences.allSatisfy { $0.value == 0 })
    #expect(comparison.description.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(
      comparison.description.contains(
        "three: macro-F1 and balanced accuracy leave out c (no windows)"))
  }

  @Test func `The interval excludes 0 exactly if its p-value is at most 5 %`() {
    var generator = SeededGenerator(seed: 5)
    var excluded = 0
    for trial in 0..<2000 {
      let count = 6 + trial % 20
      let shift = generator.uniform(in: -0.02...0.02)
      let people = (0..<count).map { _ in shift + 0.02 * (exponential(generator.normal()) - 1.6) }
      let sum = people.reduce(0, +)
      let interval = JackknifeInterval(
        of: sum / Double(count), leavingOutEach: people.map { (sum - $0) / Double(count - 1) })
      #expect(interval.excludesZero == (interval.pValue <= 0.05), "trial \(trial): \(interval)")
      excluded += interval.excludesZero ? 1 : 0
    }
    #expect(excluded > 200, "\(excluded)")
    #expect(excluded < 1800, "\(excluded)")
  }

  @Test func `Student's distribution agrees with published tables`() {
    // R's qt(0.975, n), to seven digits.
    let quantiles = [
      1: 12.7062047, 2: 4.3026527, 3: 3.1824463, 5: 2.5705818, 6: 2.4469119, 11: 2.2009852, 19: 2.0930241,
      100: 1.9839715,
    ]
    for (degrees, expected) in quantiles {
      let quantile = StudentDistribution.quantile(within: 0.95, degrees: degrees)
      #expect(abs(quantile - expected) < 1e-6, "\(degrees) degrees of freedom")
    }
  }
}
