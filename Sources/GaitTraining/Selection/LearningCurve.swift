import Gait

/// The held-out accuracy of models that are fitted to a number of groups.
public struct LearningPoint: Hashable, Sendable {
  /// The number of groups in the training data, such as people.
  public let groups: Int
  /// The mean accuracy over the folds, 0…1.
  public let accuracy: Double
  /// The accuracy of the worst fold.
  public let lowest: Double
  /// The number of folds.
  public let folds: Int
}

extension ActivityTrainer {
  /// The most folds of a learning curve.
  private static let curveFolds = 8

  /// The accuracy by the number of training groups: 1, 2, 4, … and all that a fold has.
  ///
  /// Each fold shuffles its training groups, the same on every run, and takes them from the first. A number of groups at which
  /// a fold lacks a label is left out. Every point is the mean over the same folds.
  func learningCurve(
    of windows: LabeledWindows, _ folds: [Folds.Fold], _ dataset: LabeledDataset
  ) -> [LearningPoint] {
    let step = max(1, (folds.count + Self.curveFolds - 1) / Self.curveFolds)
    let tests = stride(from: 0, to: folds.count, by: step).map { index in
      let fold = folds[index]
      let units = fold.training.map { dataset.splitGroups[dataset.recordings[$0].group]! }.sortedAndUnique()
      var generator = SeededGenerator(seed: 0, keys: [UInt64(index)])
      let shuffled = units.map { (generator.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
      return CurveTest(fold: fold, units: shuffled)
    }
    let most = tests.map(\.units.count).min() ?? 0
    let sizes = Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < most }) + (most > 0 ? [most] : [])
    let jobs = sizes.flatMap { size in tests.map { (size, $0) } }
    let accuracies = jobs.mappedConcurrently(showing: "smaller model") {
      accuracy(of: windows, $1, groups: $0, dataset)
    }
    return sizes.indices.compactMap { index in
      let found = accuracies[index * tests.count..<(index + 1) * tests.count].compactMap(\.self)
      guard found.count == tests.count else { return nil }
      return LearningPoint(
        groups: sizes[index], accuracy: found.reduce(0, +) / Double(found.count), lowest: found.min()!,
        folds: found.count)
    }
  }

  /// A fold, and its training groups in the order in which they are added.
  private struct CurveTest: Sendable {
    var fold: Folds.Fold
    var units: [String]
  }

  /// The accuracy of a model that is fitted to a fold's first `groups` training groups; `nil` if it cannot be fitted.
  private func accuracy(
    of windows: LabeledWindows, _ test: CurveTest, groups: Int, _ dataset: LabeledDataset
  ) -> Double? {
    let units = Set(test.units.prefix(groups))
    let training = windows.rows(
      of: test.fold.training.filter { units.contains(dataset.splitGroups[dataset.recordings[$0].group]!) })
    guard Set(training.map { windows.labelIndices[$0] }).count == windows.labels.count,
      let head = try? head(fitting: windows, rows: training)
    else { return nil }
    return try? windows.scored(by: head, at: windows.rows(of: test.fold.test, augmented: false), of: dataset)
      .report().accuracy
  }
}
