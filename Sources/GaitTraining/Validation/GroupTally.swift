import Gait

/// A model's confusion matrix in each group, from which the scores over any set of groups follow.
struct GroupTally: Sendable {
  /// The number of labels.
  let labelCount: Int
  /// For each group, windows by true and predicted label, shape `[labels × labels]`.
  let confusions: [[Double]]

  /// The scores over windows.
  struct Scores: Sendable {
    var accuracy = 0.0
    var macroF1 = 0.0

    subscript(measure: ModelComparison.Measure) -> Double {
      switch measure {
      case .accuracy: accuracy
      case .macroF1: macroF1
      }
    }

    static func - (left: Scores, right: Scores) -> Scores {
      Scores(accuracy: left.accuracy - right.accuracy, macroF1: left.macroF1 - right.macroF1)
    }
  }

  init(labelCount: Int, confusions: [[Double]]) {
    self.labelCount = labelCount
    self.confusions = confusions
  }

  /// The tally of scored windows; `labels` and `groups` include those of the windows.
  init(_ windows: ScoredWindows, labels: [String], groups: [String]) {
    let labelPositions = windows.labels.map { labels.firstIndex(of: $0)! }
    let positions = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
    let groupPositions = windows.groups.map { positions[$0]! }
    let none = [Double](repeating: 0, count: labels.count * labels.count)
    var confusions = [[Double]](repeating: none, count: groups.count)
    for index in 0..<windows.count {
      let truth = labelPositions[windows.truths[index]]
      let predicted = labelPositions[windows.prediction(at: index)]
      confusions[groupPositions[windows.groupIndices[index]]][truth * labels.count + predicted] += 1
    }
    self.init(labelCount: labels.count, confusions: confusions)
  }

  /// The number of windows of a group.
  func windowCount(of group: Int) -> Double { confusions[group].reduce(0, +) }

  /// The share of a group's windows that are predicted correctly.
  func accuracy(of group: Int) -> Double {
    let correct = (0..<labelCount).reduce(0) { $0 + confusions[group][$1 * labelCount + $1] }
    return correct / windowCount(of: group)
  }

  /// The tally of some of the groups, each normalised to a sum of 1.
  func shares(of groups: [Int]) -> GroupTally {
    let shares = groups.map { group in
      let count = windowCount(of: group)
      return confusions[group].map { $0 / count }
    }
    return GroupTally(labelCount: labelCount, confusions: shares)
  }

  /// The sum of the groups' confusion matrices.
  var total: [Double] {
    confusions.reduce(into: [Double](repeating: 0, count: labelCount * labelCount)) { total, confusion in
      for cell in total.indices { total[cell] += confusion[cell] }
    }
  }

  /// The scores of a confusion matrix, shape `[labels × labels]`; 0 if there is no window.
  static func scores(of confusion: [Double], labelCount: Int) -> Scores {
    var (total, correct, f1, occurring) = (0.0, 0.0, 0.0, 0)
    for label in 0..<labelCount {
      let truePositives = confusion[label * labelCount + label]
      var (actual, predicted) = (0.0, 0.0)
      for other in 0..<labelCount {
        actual += confusion[label * labelCount + other]
        predicted += confusion[other * labelCount + label]
      }
      total += actual
      correct += truePositives
      // Sums of shares may differ from 0 by rounding.
      guard actual > 1e-9 else { continue }
      occurring += 1
      f1 += 2 * truePositives / (actual + predicted)
    }
    return occurring == 0 ? Scores() : Scores(accuracy: correct / total, macroF1: f1 / Double(occurring))
  }
}
