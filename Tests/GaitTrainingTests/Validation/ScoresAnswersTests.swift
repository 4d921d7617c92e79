import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Scores, intervals, p-values, curves, calibrations and bounds of rejection of windows with ties and empty classes,
/// compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct ScoresAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Scores, intervals, curves and calibrations are as recorded`() throws {
    let cases =
      try Self.windowCases() + Self.tallyCases() + Self.intervalCases() + Self.studentCases() + Self.comparisonCases()
      + Self.boundsCases() + Self.meansCases() + Self.calibrationCases()
    try RecordedAnswers("scores_answers.tsv", tolerance: 1e-5).expect(cases)
  }

  /// Windows whose probabilities are multiples of a tenth or quarter, so that many are equal.
  private static func windows(
    _ count: Int, labels: [String], groups: Int, seed: UInt64, rejecting: Bool = false, parts: Int = 4, bias: Int = 3
  ) -> ScoredWindows {
    var random = SplitMix64(seed: seed)
    let most = labels.count + (rejecting && !labels.contains("other") ? 1 : 0)
    let truths = (0..<count).map { _ in Int.random(in: 0..<most, using: &random) }
    let values = truths.flatMap { truth -> [Float] in
      var shares = [Int](repeating: 0, count: labels.count)
      for _ in 0..<parts {
        let isRight = Int.random(in: 0..<5, using: &random) < bias && truth < labels.count
        shares[isRight ? truth : Int.random(in: 0..<labels.count, using: &random)] += 1
      }
      return shares.map { Float($0) / Float(parts) }
    }
    let rejections = rejecting ? truths.map { _ in Int.random(in: 0..<4, using: &random) == 0 } : nil
    return ScoredWindows(
      labels: labels, truths: truths, probabilities: FeatureMatrix(columnCount: labels.count, values: values),
      windowGroups: truths.indices.map { "group \($0 * 3 % 11 % groups + 8)" }, rejections: rejections)
  }

  private static let samples: [(name: String, windows: ScoredWindows)] = [
    ("two labels", windows(60, labels: ["a", "b"], groups: 3, seed: 1)),
    ("tenths", windows(90, labels: ["a", "b", "c"], groups: 5, seed: 2, parts: 10)),
    ("rejecting", windows(80, labels: ["a", "b"], groups: 2, seed: 3, rejecting: true)),
    ("known other", windows(50, labels: ["a", "other", "z"], groups: 2, seed: 4, rejecting: true)),
    ("one window", windows(1, labels: ["a", "b"], groups: 1, seed: 5)),
    ("empty class", windows(30, labels: ["a", "b"], groups: 1, seed: 6).with(labels: ["a", "b", "c"])),
    ("always wrong", windows(20, labels: ["a", "b"], groups: 2, seed: 7, parts: 1, bias: 0)),
  ]

  private static func windowCases() throws -> [Case] {
    try samples.map { name, windows in
      var figures = RecordedAnswers.Figures()
      figures.add("predictions", (0..<windows.count).map { windows.prediction(at: $0) }.spaced)
      figures.add("most probable", (0..<windows.count).map { windows.mostProbable(at: $0) }.spaced)
      figures.add("known", "\(windows.known.count) \(windows.otherIndex ?? -1) \(windows.assignedLabels)")
      let report = try windows.report()
      try figures.add("report", json: report)
      figures.add("text", report.description.replacing("\n", with: " / "))
      let probabilities = ProbabilityReport(windows)
      try figures.add("probabilities", json: probabilities)
      figures.add("lines", probabilities.lines.joined(separator: " / "))
      figures.add("compared lines", probabilities.lines(uncalibrated: probabilities).joined(separator: " / "))
      for label in windows.labels.indices {
        guard let curve = OperatingCurve(windows, label: label) else {
          figures.add("curve \(label)", "none")
          continue
        }
        figures.add("curve \(label)", "\(curve.label) \(curve.area) \(curve.averagePrecision)")
        figures.add(
          "points \(label)",
          curve.points.flatMap { [Double($0.threshold), $0.recall, $0.falseAlarmRate, $0.precision] }.spaced)
      }
      if let shares = RejectedShares(windows) {
        try figures.add("rejected", json: shares)
        figures.add("rejected lines", shares.lines.joined(separator: " / "))
      }
      let some = windows.windows(at: Array(stride(from: 0, to: windows.count, by: 3)))
      figures.add("some", "\(some.count) \(some.truths.spaced) \(some.groups) \(some.groupIndices.spaced)")
      let joined = ScoredWindows(joining: [some, windows])
      figures.add("joined", "\(joined.count) \(joined.sources.count) \(joined.rejections?.count ?? -1)")
      figures.add("intervals", ScoreIntervals.lines(windows, noun: "subject").joined(separator: " / "))
      return ("windows of \(name)", figures)
    }
  }

  @Test func `A probability at the edge of a bin is in the bin above, and 1 in the last`() {
    let values: [Float] = [0, 1, 0.5, 0.5, 0.1, 0.9, 1, 0, 0.25, 0.75]
    let windows = ScoredWindows(
      labels: ["a", "b"], truths: [1, 1, 1, 1, 1], probabilities: FeatureMatrix(columnCount: 2, values: values),
      windowGroups: ["1", "1", "1", "1", "1"])
    let report = ProbabilityReport(windows)
    #expect(report.reliability[0].map(\.windows) == [1, 1, 1, 1, 1])
    #expect(report.reliability[0].map(\.meanProbability)[..<4] == [0, Double(Float(0.1)), 0.25, 0.5])
    #expect(report.impossibleWindows == 1)
    #expect(report.lines.last?.contains("in 1 window,") == true)
    for (probability, count) in [(Float.ulpOfOne, 0), (Float.ulpOfOne.nextDown, 1)] {
      let one = ScoredWindows(
        labels: ["a", "b"], truths: [0], probabilities: FeatureMatrix(columnCount: 2, values: [probability, 1]),
        windowGroups: ["1"])
      #expect(ProbabilityReport(one).impossibleWindows == count)
    }
  }

  // MARK: Comparisons

  private static func tallyCases() -> [Case] {
    var random = SplitMix64(seed: 9)
    return [(1, 2), (2, 2), (3, 3), (6, 2), (7, 3), (9, 2)].map { groups, labels in
      func tally() -> GroupTally {
        GroupTally(
          labelCount: labels,
          confusions: (0..<groups).map { group in
            (0..<labels * labels).map { cell in
              // Group 2 has no window, and the last label has none in group 0.
              guard group != 2, group != 0 || cell < labels * (labels - 1) else { return 0 }
              return Double(Int.random(in: 0...3, using: &random)) + (cell % (labels + 1) == 0 ? 4 : 0)
            }
          })
      }
      let (one, two) = (tally(), tally())
      var figures = RecordedAnswers.Figures()
      figures.add("windows", (0..<groups).map { one.windowCount(of: $0) }.spaced)
      figures.add("accuracies", (0..<groups).filter { $0 != 2 }.map { one.accuracy(of: $0) }.spaced)
      let total = one.total
      for group in [nil] + (0..<groups).map(Optional.init) {
        let scores = one.scores(of: total, without: group)
        figures.add("without \(group ?? -1)", "\(scores.accuracy) \(scores.balancedAccuracy) \(scores.macroF1)")
      }
      let pair = PairedTallies(two, one)
      figures.add("pair", "\(pair.groupCount) \(pair.accuracyChanges.spaced)")
      for draws in [1, 2, 16, 31, 32, 33, 64] where pair.groupCount > 0 {
        let values = pair.pValues(draws: draws, seed: 5)
        figures.add("p of \(draws)", "\(values.accuracy) \(values.macroF1)")
      }
      for draws in [10, 300] {
        for difference in ModelComparison.differences(of: "m", pair, draws: draws, seed: 2) {
          let ends = "\(difference.low ?? 9) \(difference.high ?? 9) \(difference.pValue ?? 9)"
          figures.add(
            "\(difference.measure) of \(draws)",
            "\(difference.value) \(difference.groups) \(ends) \(difference.betterGroups) \(difference.worseGroups) "
              + "\(difference.isClear) \(difference.isNone) \(difference.points) \(difference.intervalText ?? "-")")
        }
      }
      return ("tally of \(groups) groups, \(labels) labels", figures)
    }
  }

  private static func intervalCases() -> [Case] {
    let inputs: [(String, Double, [Double])] = [
      ("equal", 0.1, [0.1, 0.1, 0.1]), ("none", 0, [0, 0, 0, 0]), ("tiny", 0.1, [0.1, 0.1 + 2e-13, 0.1]),
      ("symmetric", 0.2, [0.1, 0.2, 0.3]), ("skewed", 0.05, [0.05, 0.05, 0.05, 0.05, 0.01]),
      ("negative", -0.3, [-0.3, -0.31, -0.29, -0.28, -0.2]), ("wide", 0.9, [0.2, 0.9, 1, 1]),
      ("wide negative", -0.9, [-0.2, -0.9, -1, -1]), ("many", 0.02, (0..<12).map { 0.02 + Double($0 % 4) / 400 }),
      ("clear", 0.5, [0.5, 0.501, 0.499, 0.5, 0.502, 0.497]), ("at zero", 0, [0.01, -0.01, 0.02, -0.02]),
    ]
    return inputs.map { name, value, left in
      let interval = JackknifeInterval(of: value, leavingOutEach: left)
      var figures = RecordedAnswers.Figures()
      figures.add("interval", "\(interval.low) \(interval.high) \(interval.pValue) \(interval.excludesZero)")
      return ("interval \(name)", figures)
    }
  }

  private static func studentCases() -> [Case] {
    (1...9).map { degrees in
      var figures = RecordedAnswers.Figures()
      figures.add(
        "quantiles",
        [0, 0.5, 0.9, 0.95, 0.99].map {
          StudentDistribution.quantile(within: $0, degrees: degrees)
        }.spaced)
      figures.add(
        "probabilities",
        [0, 0.5, 1, 2, 5, 40].map {
          StudentDistribution.probability(within: $0, degrees: degrees)
        }.spaced)
      return ("\(degrees) degrees", figures)
    }
  }

  private static func comparisonCases() throws -> [Case] {
    func models(_ groups: Int, _ bias: [Int]) -> [(name: String, windows: ScoredWindows)] {
      bias.enumerated().map { index, bias in
        (
          "model \(index)",
          windows(150, labels: ["a", "b", "c"], groups: groups, seed: index == 3 ? 20 : UInt64(20 + index), bias: bias)
        )
      }
    }
    return try [(7, [3, 3, 5, 3]), (5, [2, 4]), (6, [5, 1, 5]), (1, [3])].map { groups, bias in
      var comparison = try ModelComparison(models(groups, bias), draws: 200)
      comparison.noun = groups == 5 ? "subject" : "group"
      var figures = RecordedAnswers.Figures()
      figures.add("text", comparison.description.replacing("\n", with: " / "))
      figures.add("conclusion", comparison.conclusion { "<\($0)>" })
      try figures.add("differences", json: comparison.differences)
      figures.add("scores", comparison.groupScores.flatMap { [$0.accuracy, $0.balancedAccuracy, $0.macroF1] }.spaced)
      return ("comparison of \(bias.count) models in \(groups) groups", figures)
    }
  }

  // MARK: Rejection and calibration

  private static func evidence(_ counts: [Int], folds: Int, seed: UInt64) -> [RecordingEvidence] {
    var random = SplitMix64(seed: seed)
    return counts.enumerated().map { index, count in
      RecordingEvidence(
        fold: index % folds, recording: index,
        windows: (0..<count).map { _ in
          RejectionEvidence(
            distance: Float(Int.random(in: 0...40, using: &random)) / 4,
            confidence: Float(Int.random(in: 10...20, using: &random)) / 20)
        })
    }
  }

  private static func boundsCases() -> [Case] {
    let counts: [[Int]] = [
      [], [0], [1], [0, 3, 0], [83], [84], [167], [168, 0], [40, 43], (0..<49).map { $0 % 11 },
      (0..<50).map { $0 % 9 + 1 },
      (0..<51).map { $0 % 5 }, [Int](repeating: 20, count: 101),
    ]
    return counts.enumerated().map { index, counts in
      let recordings = evidence(counts, folds: 3, seed: UInt64(30 + index))
      let bounds = RejectionBounds(recordings)
      let tally = RejectionTally(recordings)
      var figures = RecordedAnswers.Figures()
      figures.add("bounds", "\(bounds.evidence.distance) \(bounds.evidence.confidence) \(bounds.usualShare)")
      figures.add("tally", "\(tally.windows) \(tally.rejected) \(tally.recordings) \(tally.unusual)")
      figures.add("shares", "\(tally.rejectedShare) \(tally.unusualShare)")
      figures.add("text", tally.description)
      figures.add("rejected", recordings.map { $0.rejectedShare(bounds.evidence) }.spaced)
      var other = RejectionTally()
      for recording in recordings { other.add(recording, bounds) }
      figures.add("own tally", "\(other.windows) \(other.rejected) \(other.recordings) \(other.unusual)")
      return ("bounds \(index)", figures)
    }
  }

  private static func meansCases() -> [Case] {
    var cases: [Case] = [(1, 1), (2, 3), (7, 8), (9, 8), (40, 8), (60, 3), (4000, 2), (4001, 2)].map { rows, count in
      let matrix = FeatureMatrix(columnCount: 2, values: AnswerInputs.ties(2 * rows, limit: 5, seed: UInt64(rows)))
      var figures = RecordedAnswers.Figures()
      let every = rows < 100 ? Array(stride(from: 0, to: rows, by: 2)) : Array(0..<rows)
      figures.add("means", ClusterMeans(of: matrix, rows: every, count: count).means.spaced)
      return ("\(count) means of \(rows) rows", figures)
    }
    for rows in [1, 2, 30, 31] {
      let matrix = FeatureMatrix(columnCount: 3, values: AnswerInputs.ties(3 * rows, limit: 3, unit: 0.5, seed: 8))
      let rejection = Rejection(meansOf: matrix, labels: (0..<rows).map { $0 * $0 % 3 })
      var figures = RecordedAnswers.Figures()
      figures.add("means", rejection.means.spaced)
      figures.add("limits", "\(rejection.distanceLimit) \(rejection.featureCount)")
      figures.add("bounds", "\(rejection.largestDistance) \(rejection.leastConfidence) \(rejection.usualShare)")
      let bounded = rejection.bounded(by: evidence([90, 20, 3], folds: 1, seed: 3))
      figures.add("bounded", "\(bounded.largestDistance) \(bounded.leastConfidence) \(bounded.usualShare)")
      cases.append(("rejection of \(rows) windows", figures))
    }
    return cases
  }

  private static func calibrationCases() -> [Case] {
    samples.map { name, windows in
      let windows = windows.known
      var figures = RecordedAnswers.Figures()
      figures.add("temperature", CalibrationMethod.temperature(windows))
      for label in windows.labels.indices {
        let curve = CalibrationMethod.curve(windows, label: label)
        figures.add("curve \(label)", "\(curve.inputs.spaced) to \(curve.outputs.spaced)")
      }
      let parts = [0, 1, 2].map { part in windows.windows(at: Array(stride(from: part, to: windows.count, by: 3))) }
        .filter { $0.count > 0 }
      for method in CalibrationMethod.allCases where parts.count != 1 {
        figures.add("\(method)", method.crossFitted(parts).probabilities.values.spaced)
        figures.add("one part \(method)", method.crossFitted([windows]).probabilities == windows.probabilities)
      }
      return ("calibration of \(name)", figures)
    }
  }
}

extension ScoredWindows {
  /// The windows with further labels, which have probability 0.
  fileprivate func with(labels: [String]) -> ScoredWindows {
    let values = (0..<count).flatMap { row in
      Array(probabilities[row]) + [Float](repeating: 0, count: labels.count - self.labels.count)
    }
    return ScoredWindows(
      labels: labels, truths: truths, probabilities: FeatureMatrix(columnCount: labels.count, values: values),
      windowGroups: groupIndices.map { groups[$0] }, rejections: rejections)
  }
}
