import Gait

/// A model's confusion matrix in each group. The scores over a set of groups follow from the sum of their matrices.
package struct GroupTally: Sendable {
  let labelCount: Int
  /// For each group, windows by true and predicted label, shape `[labels × labels]`.
  package let confusions: [[Double]]

  /// The scores over windows.
  package struct Scores: Sendable {
    package var accuracy = 0.0
    package var balancedAccuracy = 0.0
    package var macroF1 = 0.0

    subscript(measure: ModelComparison.Measure) -> Double {
      switch measure {
      case .accuracy: accuracy
      case .macroF1: macroF1
      }
    }

    static func - (left: Scores, right: Scores) -> Scores {
      Scores(
        accuracy: left.accuracy - right.accuracy, balancedAccuracy: left.balancedAccuracy - right.balancedAccuracy,
        macroF1: left.macroF1 - right.macroF1)
    }
  }

  func windowCount(of group: Int) -> Double { confusions[group].reduce(0, +) }

  /// The share of a group's windows that are predicted correctly.
  func accuracy(of group: Int) -> Double {
    let correct = (0..<labelCount).reduce(0) { $0 + confusions[group][$1 * labelCount + $1] }
    return correct / windowCount(of: group)
  }

  /// The confusion matrices of some of the groups, each divided by its number of windows.
  func shares(of groups: [Int]) -> GroupTally {
    let shares = groups.map { group in
      let count = windowCount(of: group)
      return confusions[group].map { $0 / count }
    }
    return GroupTally(labelCount: labelCount, confusions: shares)
  }

  /// The sum of the groups' confusion matrices.
  package var total: [Double] {
    confusions.reduce(into: [Double](repeating: 0, count: labelCount * labelCount)) { total, confusion in
      for cell in total.indices { total[cell] += confusion[cell] }
    }
  }

  /// The scores of `total`, the sum of all confusion matrices. With `group`, its confusion matrix is subtracted first.
  package func scores(of total: [Double], without group: Int? = nil) -> Scores {
    let rest = group.map { zip(total, confusions[$0]).map { $0 - $1 } }
    return Self.scores(of: rest ?? total, labelCount: labelCount)
  }

  /// The scores of a confusion matrix, shape `[labels × labels]`; 0 if there is no window.
  static func scores(of confusion: [Double], labelCount: Int) -> Scores {
    var (total, correct, recall, f1, occurring) = (0.0, 0.0, 0.0, 0.0, 0)
    for label in 0..<labelCount {
      let truePositives = confusion[label * labelCount + label]
      var (actual, predicted) = (0.0, 0.0)
      for other in 0..<labelCount {
        actual += confusion[label * labelCount + other]
        predicted += confusion[other * labelCount + label]
      }
      total += actual
      correct += truePositives
      // Sums of shares that should be 0 may differ from it by rounding.
      guard actual > 1e-9 else { continue }
      occurring += 1
      recall += truePositives / actual
      f1 += ClassificationReport.f1(truePositives, actual: actual, predicted: predicted)
    }
    guard occurring > 0 else { return Scores() }
    return Scores(
      accuracy: correct / total, balancedAccuracy: recall / Double(occurring), macroF1: f1 / Double(occurring))
  }
}

extension GroupTally {
  /// Counts scored windows. `labels` must include the assigned labels of the windows, and `groups` their groups.
  init(_ windows: ScoredWindows, labels: [String], groups: [String]) {
    let places = windows.assignedLabels.map { labels.firstIndex(of: $0)! }
    self.init(windows, places: places, labelCount: labels.count, groups: groups)
  }

  /// Counts scored windows, where several assigned labels may become one.
  ///
  /// - Parameter places: for each assigned label of the windows, the index of its label in the confusion matrices,
  ///   below `labelCount`.
  package init(_ windows: ScoredWindows, places: [Int], labelCount: Int, groups: [String]) {
    let positions = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
    let groupPositions = windows.groups.map { positions[$0]! }
    let none = [Double](repeating: 0, count: labelCount * labelCount)
    var confusions = [[Double]](repeating: none, count: groups.count)
    for index in 0..<windows.count {
      let cell = places[windows.truths[index]] * labelCount + places[windows.prediction(at: index)]
      confusions[groupPositions[windows.groupIndices[index]]][cell] += 1
    }
    self.init(labelCount: labelCount, confusions: confusions)
  }
}

/// The confusion matrices of two models, `model` and `first`, in the groups in which both have windows, with a
/// permutation test that swaps the models.
///
/// All groups have the same weight: each model's confusion matrix of a group is normalised to a sum of 1.
struct PairedTallies: Sendable {
  /// For every group, the accuracy of `model` minus that of `first`.
  let accuracyChanges: [Double]
  private let model: GroupTally
  private let first: GroupTally
  private let modelTotal: [Double]
  private let firstTotal: [Double]

  /// Two models' confusion matrices in the same groups. A group in which one of the models has no window is left out.
  init(_ model: GroupTally, _ first: GroupTally) {
    let shared = model.confusions.indices.filter { model.windowCount(of: $0) > 0 && first.windowCount(of: $0) > 0 }
    // The accuracies are computed from whole numbers, so that equal ones compare equal.
    accuracyChanges = shared.map { model.accuracy(of: $0) - first.accuracy(of: $0) }
    (self.model, self.first) = (model.shares(of: shared), first.shares(of: shared))
    (modelTotal, firstTotal) = (self.model.total, self.first.total)
  }

  /// The number of groups in which both models have windows.
  var groupCount: Int { model.confusions.count }

  /// The scores of `model` minus those of `first`, over all groups, or over all but `group`.
  func difference(without group: Int? = nil) -> GroupTally.Scores {
    model.scores(of: modelTotal, without: group) - first.scores(of: firstTotal, without: group)
  }

  /// The two-sided p-values of the permutation test for accuracy and macro-F1; balanced accuracy is not tested.
  ///
  /// The two models are swapped in subsets of the groups. A subset and its complement count as one, because they give
  /// differences of the same size. If there are at most `draws` subsets, all are used; if there are more, `draws`
  /// random ones.
  func pValues(draws: Int, seed: UInt64) -> GroupTally.Scores {
    let changes = zip(model.confusions, first.confusions).map { zip($1, $0).map { $0 - $1 } }
    var totals: Totals = (modelTotal, firstTotal)
    let observed = swap([], changes, &totals)
    var generator = SeededGenerator(seed: seed)
    // The last group is never swapped: a subset with it is the complement of one without it.
    let free = 0..<groupCount - 1
    let isExact = free.count < 62 && 1 << free.count <= draws
    let count = isExact ? 1 << free.count : draws
    var groups: [Int] = []
    var large = GroupTally.Scores()
    for draw in 0..<count {
      groups.removeAll(keepingCapacity: true)
      for group in free where isExact ? draw >> group & 1 == 1 : generator.next() >> 63 == 1 { groups.append(group) }
      let difference = swap(groups, changes, &totals)
      large.accuracy += Self.isAsLarge(difference.accuracy, as: observed.accuracy) ? 1 : 0
      large.macroF1 += Self.isAsLarge(difference.macroF1, as: observed.macroF1) ? 1 : 0
    }
    // With random subsets, the observed assignment is counted as one more.
    let extra = isExact ? 0.0 : 1
    return GroupTally.Scores(
      accuracy: (large.accuracy + extra) / (Double(count) + extra),
      macroF1: (large.macroF1 + extra) / (Double(count) + extra))
  }

  /// Whether the size of a difference is at least that of the observed one. Differences that should be equal may differ
  /// by rounding.
  private static func isAsLarge(_ difference: Double, as observed: Double) -> Bool {
    difference.magnitude >= observed.magnitude - 1e-9
  }

  /// Two models' summed confusion matrices.
  private typealias Totals = (model: [Double], first: [Double])

  /// The scores of `model` minus those of `first` if the two models change places in `groups`. For that, the groups'
  /// `changes` are added to the confusion matrix of `model` and subtracted from that of `first`. `totals` is scratch.
  private func swap(_ groups: [Int], _ changes: [[Double]], _ totals: inout Totals) -> GroupTally.Scores {
    for cell in modelTotal.indices {
      let change = groups.reduce(0) { $0 + changes[$1][cell] }
      totals.model[cell] = modelTotal[cell] + change
      totals.first[cell] = firstTotal[cell] - change
    }
    return GroupTally.scores(of: totals.model, labelCount: model.labelCount)
      - GroupTally.scores(of: totals.first, labelCount: model.labelCount)
  }
}
