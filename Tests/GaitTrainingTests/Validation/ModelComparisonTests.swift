import Gait
import Testing

@testable import GaitTraining

@Suite struct ModelComparisonTests {
  /// Windows of eight groups of which so many of ten are right.
  private func windows(right: [Int], labels: [String] = ["a", "b"]) -> ScoredWindows {
    var (truths, values, groups): ([Int], [Float], [String]) = ([], [], [])
    for (group, right) in right.enumerated() {
      for index in 0..<10 {
        let truth = index % 2
        let said = index < right ? truth : 1 - truth
        truths.append(truth)
        values += labels.indices.map { $0 == said ? 0.9 : 0.1 }
        groups.append("\(group)")
      }
    }
    return ScoredWindows(
      labels: labels, truths: truths, probabilities: FeatureMatrix(columnCount: labels.count, values: values),
      windowGroups: groups)
  }

  @Test func `A model that is better in every group is clearly better`() throws {
    let (good, poor) = (windows(right: [9, 9, 10, 9, 8, 9, 10, 9]), windows(right: [7, 6, 8, 7, 6, 8, 8, 7]))
    let comparison = try ModelComparison([("poor", poor), ("good", good)], draws: 2000)
    #expect(comparison.groupCount == 8 && comparison.entries.map(\.name) == ["poor", "good"])
    let accuracy = try #require(comparison.differences.first { $0.measure == .accuracy })
    #expect(abs(accuracy.value - 16.0 / 80) < 1e-12)
    #expect(accuracy.isClear && accuracy.betterGroups == 8 && accuracy.worseGroups == 0)
    let (low, high) = (try #require(accuracy.low), try #require(accuracy.high))
    #expect(low > 0.1 && low < accuracy.value && high > accuracy.value && high < 0.3)
    let macroF1 = try #require(comparison.differences.last)
    let expected = try good.report().macroF1 - poor.report().macroF1
    #expect(macroF1.measure == .macroF1 && abs(macroF1.value - expected) < 1e-12)
  }

  @Test func `The interval is that of the mean of as many groups, drawn by hand`() throws {
    let changes = [3, -1, 2, 0, 1, -2, 4, 1]
    let first = windows(right: Array(repeating: 5, count: 8))
    let second = windows(right: changes.map { 5 + $0 })
    let difference = try ModelComparison([("x", first), ("y", second)], draws: 20_000).differences[0]
    let mean = Double(changes.reduce(0, +)) / 8
    let variance = changes.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / 8
    let error = (variance / 8).squareRoot() / 10
    #expect(abs(try #require(difference.low) - (mean / 10 - 1.96 * error)) < 0.1 * error + 0.0126)
    #expect(abs(try #require(difference.high) - (mean / 10 + 1.96 * error)) < 0.1 * error + 0.0126)
    #expect(!difference.isClear)
    #expect(difference == (try ModelComparison([("x", first), ("y", second)], draws: 20_000).differences[0]))
  }

  @Test func `Equal models do not differ, and one group allows no interval`() throws {
    let same = windows(right: [5, 9, 7])
    for difference in try ModelComparison([("x", same), ("y", same)]).differences {
      #expect(difference.value == 0 && difference.low == 0 && difference.high == 0 && !difference.isClear)
    }
    let alone = try ModelComparison([("x", windows(right: [5])), ("y", windows(right: [9]))])
    #expect(alone.differences.allSatisfy { $0.low == nil && !$0.isClear })
    #expect(alone.description.contains("too few groups"))
  }

  @Test func `Labels that only one model has, and other orders of labels, are told apart by name`() throws {
    let two = windows(right: [9, 8, 10])
    let three = windows(right: [9, 8, 10], labels: ["a", "b", "c"])
    let difference = try ModelComparison([("two", two), ("three", three)]).differences
    #expect(difference.allSatisfy { $0.value == 0 })
    let lines = try ModelComparison([("two", two), ("three", three)]).description.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
