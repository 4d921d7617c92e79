import Gait
import GaitTraining

/// The tests of one recipe, which share the windows of a dataset.
struct PlaceTests: Sendable {
  let dataset: LabeledDataset
  let windows: LabeledWindows
  let trainer: ActivityTrainer
  /// For every recording, its set and place.
  let places: [String]
  /// For every recording, its movement; `nil` for those of known labels.
  let movements: [String?]
  /// For every recording, whether models may train on it.
  private let isTrained: [Bool]
  /// The number of recordings before those of added places.
  private let addedStart: Int

  /// - Parameters:
  ///   - trained: the other movements that models train on.
  ///   - addedCount: the number of recordings of added places, which are the last ones.
  init(
    dataset: LabeledDataset, windows: LabeledWindows, trainer: ActivityTrainer, trained: Set<String> = [],
    addedCount: Int = 0
  ) {
    self.dataset = dataset
    self.windows = windows
    self.trainer = trainer
    places = dataset.recordings.map(\.setAndPlace)
    movements = dataset.recordings.map { $0.fields["movement"] }
    isTrained = movements.map { $0.map(trained.contains) ?? true }
    addedStart = dataset.recordings.count - addedCount
  }

  /// The people who are tested in a fold.
  private static func tested(_ names: [String], in fold: Int, of count: Int) -> Set<String> {
    Set(names.indices.filter { $0 % count == fold }.map { names[$0] })
  }

  /// Scored windows of known labels, of added places, and of other movements.
  typealias Scored = (known: ScoredWindows, added: ScoredWindows, others: ScoredWindows)

  /// Whether a recording is of known labels and at a place that the rule scores.
  private func isKnown(_ recording: Int) -> Bool { recording < addedStart && movements[recording] == nil }

  /// Folds of the recordings before those of added places, with the people of added places distributed over them.
  func splits(_ folds: [Folds.Fold]) -> [(training: [Int], test: [Int])] {
    let added = Array(addedStart..<dataset.recordings.count)
    let people = added.map { dataset.recordings[$0].group }
    let names = people.sortedAndUnique()
    return folds.enumerated().map { number, fold in
      let tested = Self.tested(names, in: number, of: folds.count)
      let test = zip(added, people).filter { tested.contains($1) }.map(\.0)
      return (training: fold.training + added.filter { !test.contains($0) }, test: fold.test + test)
    }
  }

  var runningLabel: String? { dataset.labels.first { Activity(label: $0) == .running } }

  /// The windows of every set, scored by a model fitted to sets of other people; `nil` if these never have every label.
  func leavingOutSets() throws(TrainingError) -> Scored? {
    let pools = dataset.recordings.map { $0.fields["people"] ?? $0.fields["set"] ?? "" }
    let splits = Set(pools).sorted().map { pool in
      (training: pools.indices.filter { pools[$0] != pool }, test: pools.indices.filter { pools[$0] == pool })
    }.filter { hasEveryLabel($0.training) }
    return splits.isEmpty ? nil : try scored(splits)
  }

  /// The recall of running by cadence of scored windows, whose cadence features are the last columns of `all`.
  func recallByCadence(_ scored: ScoredWindows, _ all: LabeledWindows) -> [PlaceMatrix.CadenceRecall] {
    guard let running = runningLabel.flatMap({ windows.labels.firstIndex(of: $0) }) else { return [] }
    let rows = Dictionary(
      (0..<all.originalCount).map {
        (ScoredWindows.Source(recording: all.recordingIndices[$0], start: all.starts[$0]), $0)
      },
      uniquingKeysWith: { first, _ in first })
    return PlaceMatrix.recall(
      of: scored.sources.enumerated().lazy.compactMap { index, source in
        rows[source].map {
          (
            all.matrix[$0].dropFirst(windows.matrix.columnCount), scored.truths[index] == running,
            scored.prediction(at: index) == running
          )
        }
      })
  }

  /// Running or not, for a model fitted to each place and tested at each.
  func pairs() throws(TrainingError) -> (names: [String], values: [[Double]]) {
    let members = Dictionary(grouping: places.indices.filter(isKnown)) { places[$0] }
    let names = places.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.filter {
      members[$0].map(hasEveryLabel) ?? false
    }
    let rows = try names.mappedConcurrently(showing: "place") { (name) throws(TrainingError) in
      let own = members[name]!
      let head = try trainer.head(fitting: windows, rows: windows.rows(of: own))
      return try names.map { (other) throws(TrainingError) in
        let scored = other == name ? try within(own).known : score(head, members[other]!)
        return PlaceMatrix.Row(name: other, scored, runningLabel: runningLabel).runOrNot ?? 0
      }
    }
    return (names, rows)
  }

  /// The windows of one place, with its people held out.
  private func within(_ recordings: [Int]) throws(TrainingError) -> Scored {
    let units = recordings.map { dataset.splitGroups[dataset.recordings[$0].group]! }
    let names = Set(units).sortedAndUnique()
    let count = min(Folds.defaultCount, names.count)
    let splits = (0..<count).map { fold in
      let test = Self.tested(names, in: fold, of: count)
      return (
        training: zip(recordings, units).filter { !test.contains($1) }.map(\.0),
        test: zip(recordings, units).filter { test.contains($1) }.map(\.0)
      )
    }
    return try scored(splits.filter { hasEveryLabel($0.training) })
  }

  private func hasEveryLabel(_ recordings: [Int]) -> Bool {
    let labels = Set(dataset.recordings.indices.filter(isKnown).map { dataset.recordings[$0].label })
    return labels.isSubset(of: recordings.map { dataset.recordings[$0].label })
  }

  /// The windows of every part, scored by a model fitted to its training recordings, and calibrated by the other parts.
  func scored(_ splits: [(training: [Int], test: [Int])]) throws(TrainingError) -> Scored {
    let parts = try splits.mappedConcurrently(showing: "fold") { (split) throws(TrainingError) in
      let rows = windows.rows(of: split.training.filter { isTrained[$0] })
      let head = try trainer.head(fitting: windows, rows: rows)
      return (
        known: score(head, split.test.filter(isKnown)), added: score(head, split.test.filter { $0 >= addedStart }),
        others: score(head, split.test.filter { movements[$0] != nil })
      )
    }
    guard parts.contains(where: { $0.known.count > 0 }) else { throw .noWindows(seconds: trainer.window.seconds) }
    let calibrations = parts.indices.map { index in
      let fitted = parts.indices.filter { $0 != index && parts[$0].known.count > 0 }.map { parts[$0].known }
      return fitted.isEmpty ? nil : trainer.calibration.fit(ScoredWindows(joining: fitted))
    }
    func joined(_ windows: (Scored) -> ScoredWindows) -> ScoredWindows {
      ScoredWindows(
        joining: zip(parts, calibrations).map { part, calibration in
          calibration.map(windows(part).calibrated) ?? windows(part)
        })
    }
    return (joined(\.known), joined(\.added), joined(\.others))
  }

  /// The wrong labels of running and of other movements; `nil` without other movements.
  func otherShares(_ scored: Scored, _ all: LabeledWindows) -> OtherShares? {
    guard scored.others.count > 0 else { return nil }
    let errors = rows(of: scored.known).filter { $0.runOrNot != nil }.map(\.calibrationError)
    let quick = cadences(of: scored.known, all).map { $0.map { 135..<142 ~= $0 } ?? false }
    return OtherShares(
      known: scored.known, isQuick: quick, others: scored.others, movement: { movements[$0] ?? "" },
      calibrationError: errors.reduce(0, +) / Double(max(1, errors.count)))
  }

  /// The steps a minute of scored windows; `nil` for those without movement.
  private func cadences(of scored: ScoredWindows, _ all: LabeledWindows) -> [Double?] {
    let rows = Dictionary(
      (0..<all.originalCount).map {
        (ScoredWindows.Source(recording: all.recordingIndices[$0], start: all.starts[$0]), $0)
      }, uniquingKeysWith: { first, _ in first })
    return scored.sources.map { source in
      rows[source].flatMap { PlaceMatrix.cadence(of: all.matrix[$0].dropFirst(windows.matrix.columnCount)) }
    }
  }

  /// The windows of recordings, in groups of one person.
  private func score(_ head: ActivityModel.Head, _ recordings: [Int]) -> ScoredWindows {
    let rows = windows.rows(of: recordings, augmented: false)
    return ScoredWindows(
      labels: windows.labels, truths: rows.map { windows.labelIndices[$0] },
      probabilities: head.probabilities(of: windows.matrix.rows(at: rows)),
      windowGroups: rows.map { dataset.recordings[windows.recordingIndices[$0]].group },
      sources: rows.map { .init(recording: windows.recordingIndices[$0], start: windows.starts[$0]) })
  }

  /// The rows of a table, in the order of the sets.
  func rows(of scored: ScoredWindows) -> [PlaceMatrix.Row] {
    let names = places.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let members = Dictionary(grouping: 0..<scored.count) { places[scored.sources[$0].recording] }
    return names.compactMap { name in
      members[name].map { PlaceMatrix.Row(name: name, scored.windows(at: $0), runningLabel: runningLabel) }
    }
  }
}

extension PlaceMatrix.Row {
  /// The accuracy on windows of one place, whose groups are people.
  fileprivate init(name: String, _ windows: ScoredWindows, runningLabel: String?) {
    self.name = name
    people = windows.groups.count
    self.windows = windows.count
    let places = windows.assignedLabels.map { $0 == runningLabel ? 0 : 1 }
    let tally = GroupTally(windows, places: places, labelCount: 2, groups: windows.groups)
    // The scores of running or not; `nil` unless there are windows of running and windows of other labels.
    func judged(_ confusion: [Double]) -> GroupTally.Scores? {
      confusion[0] + confusion[1] > 0 && confusion[2] + confusion[3] > 0 ? tally.scores(of: confusion) : nil
    }
    let all = judged(tally.total)
    (runOrNot, macroF1) = (all?.balancedAccuracy, all?.macroF1)
    let correct = (0..<windows.count).count { windows.truths[$0] == windows.prediction(at: $0) }
    accuracy = Double(correct) / Double(max(1, windows.count))
    let worst = zip(windows.groups, tally.confusions).compactMap { group, confusion in
      judged(confusion).map { (group, $0.balancedAccuracy) }
    }.min { $0.1 < $1.1 }
    (worstPerson, worstRunOrNot) = (worst?.0, worst?.1)
    calibrationError = ProbabilityReport(windows).expectedCalibrationError
  }
}
