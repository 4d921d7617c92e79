import Gait

/// 95 % intervals of a model's scores, over people.
///
/// They are the jackknife intervals of `ModelComparison`: each person is left out in turn. The scores are those of the
/// `ClassificationReport`, in which windows have the same weight, so that every interval is of a printed figure. Without a
/// single error an interval has no length, because no sample of people shows what it lacks.
package struct ScoreIntervals: Hashable, Sendable, Encodable {
  /// The number of groups.
  package let groups: Int
  /// The intervals of the scores.
  package let accuracy, balancedAccuracy, macroF1: Interval

  /// The ends of an interval, within 0…1.
  package struct Interval: Hashable, Sendable, Encodable {
    /// The lower and the upper end.
    package let low, high: Double

    /// The interval as text, in percent.
    package var description: String { "\((100 * low).fixed(1)) … \((100 * high).fixed(1)) %" }
  }

  /// The intervals of scored windows; `nil` with fewer than `ModelComparison.fewestGroups` groups.
  ///
  /// - Complexity: O(windows + groups · labels²).
  package init?(_ windows: ScoredWindows) {
    guard windows.groups.count >= ModelComparison.fewestGroups else { return nil }
    let tally = GroupTally(windows, labels: windows.assignedLabels, groups: windows.groups)
    let total = tally.total
    let all = tally.scores(of: total)
    let left = windows.groups.indices.map { tally.scores(of: total, without: $0) }
    func interval(_ score: (GroupTally.Scores) -> Double) -> Interval {
      let interval = JackknifeInterval(of: score(all), leavingOutEach: left.map(score))
      return Interval(low: max(0, interval.low), high: interval.high)
    }
    groups = windows.groups.count
    accuracy = interval(\.accuracy)
    balancedAccuracy = interval(\.balancedAccuracy)
    macroF1 = interval(\.macroF1)
  }

  /// The intervals of scored windows as lines for a terminal; one line if there are too few groups.
  ///
  /// - Parameters:
  ///   - windows: the scored windows.
  ///   - noun: what a group is, such as "subject".
  package static func lines(_ windows: ScoredWindows, noun: String) -> [String] {
    guard let intervals = ScoreIntervals(windows) else { return [tooFew(windows, noun: noun)] }
    return [
      "95 % intervals over \(intervals.groups) \(noun)s",
      "accuracy           \(intervals.accuracy.description)",
      "balanced accuracy  \(intervals.balancedAccuracy.description)",
      "macro-F1           \(intervals.macroF1.description)",
    ]
  }

  /// The sentence about too few groups.
  package static func tooFew(_ windows: ScoredWindows, noun: String) -> String {
    "Too few \(noun)s for 95 % intervals: \(windows.groups.count); at least \(ModelComparison.fewestGroups) are needed."
  }
}
