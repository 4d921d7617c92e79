import Gait

/// The operating characteristic of one label: recall, false-alarm rate and precision for every threshold on its
/// probability.
///
/// Agrees with scikit-learn's `roc_auc_score` and `average_precision_score` to 1e-12
/// (Tests/References/scores_reference.py).
public struct OperatingCurve: Hashable, Sendable {
  /// One threshold: windows with at least this probability are predicted as the label.
  public struct Point: Hashable, Sendable {
    /// The threshold.
    public let threshold: Float
    /// Of the windows of the label, the share predicted as the label.
    public let recall: Double
    /// Of the other windows, the share predicted as the label.
    public let falseAlarmRate: Double
    /// Of the windows predicted as the label, the share that is correct.
    public let precision: Double
  }

  /// The label.
  public let label: String
  /// A point for every probability that occurs, from the highest threshold to the lowest.
  public let points: [Point]
  /// The area under the ROC curve: the probability that a window of the label scores higher than another window.
  public let area: Double
  /// The mean of the precisions, each weighted by the recall that its threshold adds.
  public let averagePrecision: Double

  /// The curve of the label at `position` of the windows' labels; `nil` if all windows have the label or none has.
  ///
  /// - Complexity: O(n log n).
  public init?(_ windows: ScoredWindows, label position: Int) {
    let scores = (0..<windows.count).map { windows.probabilities.values[$0 * windows.labels.count + position] }
    let positives = windows.truths.count { $0 == position }
    let negatives = windows.count - positives
    guard positives > 0, negatives > 0 else { return nil }
    label = windows.labels[position]
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    var points: [Point] = []
    var (found, alarms, area, average) = (0, 0, 0.0, 0.0)
    var next = 0
    while next < order.count {
      let threshold = scores[order[next]]
      let (foundBefore, alarmsBefore) = (found, alarms)
      while next < order.count, scores[order[next]] == threshold {
        if windows.truths[order[next]] == position { found += 1 } else { alarms += 1 }
        next += 1
      }
      let precision = Double(found) / Double(found + alarms)
      area += Double((alarms - alarmsBefore) * (found + foundBefore)) / 2
      average += Double(found - foundBefore) * precision
      points.append(
        Point(
          threshold: threshold, recall: Double(found) / Double(positives),
          falseAlarmRate: Double(alarms) / Double(negatives), precision: precision))
    }
    self.points = points
    self.area = area / (Double(positives) * Double(negatives))
    averagePrecision = average / Double(positives)
  }
}
