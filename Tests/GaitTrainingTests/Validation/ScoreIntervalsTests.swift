import Gait
import Testing

@testable import GaitTraining

@Suite struct ScoreIntervalsTests {
  /// Windows of people who have different numbers of windows and of errors, at random.
  private static func windows(people: Int, seed: UInt64) -> ScoredWindows {
    var generator = SeededGenerator(seed: seed)
    var (truths, values, groups): ([Int], [Float], [String]) = ([], [], [])
    for person in 0..<people {
      let rate = generator.uniform(in: 0...0.4)
      for index in 0..<(20 + Int(generator.next() % 60)) {
        let truth = index % 3
        let predicted = generator.uniform(in: 0...1) < rate ? (truth + 1) % 3 : truth
        truths.append(truth)
        values += (0..<3).map { $0 == predicted ? 0.8 : 0.1 }
        groups.append("\(person)")
      }
    }
    return ScoredWindows(
      labels: ["a", "b", "c"], truths: truths, probabilities: FeatureMatrix(columnCount: 3, values: values),
      windowGroups: groups)
  }

  @Test(arguments: [6, 9, 30])
  func `The intervals are those of the reports with each person left out`(people: Int) throws {
    let windows = Self.windows(people: people, seed: UInt64(people))
    let intervals = try #require(ScoreIntervals(windows))
    #expect(intervals.groups == people)
    let left = try windows.groups.indices.map { group in
      try windows.windows(at: (0..<windows.count).filter { windows.groupIndices[$0] != group }).report()
    }
    let report = try windows.report()
    for (interval, score) in [
      (intervals.accuracy, \ClassificationReport.accuracy), (intervals.balancedAccuracy, \.balancedAccuracy),
      (intervals.macroF1, \.macroF1),
    ] {
      let expected = JackknifeInterval(of: report[keyPath: score], leavingOutEach: left.map { $0[keyPath: score] })
      #expect(abs(interval.low - expected.low) < 1e-9)
      #expect(abs(interval.high - expected.high) < 1e-9)
      #expect(interval.low < report[keyPath: score])
      #expect(interval.high > report[keyPath: score])
    }
  }

  @Test func `With fewer than six people a sentence says that they are too few`() throws {
    let windows = Self.windows(people: 5, seed: 1)
    #expect(ScoreIntervals(windows) == nil)
    #expect(
      ScoreIntervals.lines(windows, noun: "subject") == [
        "Too few subjects for 95 % intervals: 5; at least 6 are needed."
      ])
    let lines = ScoreIntervals.lines(Self.windows(people: 6, seed: 1), noun: "recording")
    try #require(lines.count == 4)
    #expect(lines[0] == "95 % intervals over 6 recordings")
  }

  @Test func `About 95 % of the intervals contain the score of the population`() {
    // A person errs in 0 to 40 % of the windows, so the accuracy of all people is 80 %.
    let trials = 400
    let covered = (0..<trials).count { trial in
      let interval = ScoreIntervals(Self.windows(people: 12, seed: UInt64(1000 + trial)))!.accuracy
      return (interval.low...interval.high).contains(0.8)
    }
    #expect(Double(covered) / Double(trials) > 0.92, "\(covered) of \(trials)")
  }
}
