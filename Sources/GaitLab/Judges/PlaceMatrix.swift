import Gait
import GaitTraining

/// The accuracy of a training recipe by set and place on the body: with people held out, and with whole sets left out.
///
///     let matrix = try trainer.placeMatrix(of: collection.read())
///     print(matrix)
public struct PlaceMatrix: Sendable, Encodable {
  /// The accuracy at one place of one set.
  public struct Row: Hashable, Sendable, Encodable {
    /// The set and the place, such as `dsads, left arm`.
    public let name: String
    /// The number of people.
    public let people: Int
    /// The number of windows.
    public let windows: Int
    /// Running or not: the mean of the shares of running and of other windows that are predicted correctly; `nil`
    /// without running or without anything else.
    public let runOrNot: Double?
    /// Running or not: the mean of the F1 of running and that of the rest.
    public let macroF1: Double?
    /// The share of windows with the correct label.
    public let accuracy: Double
    /// The person with the lowest `runOrNot`.
    public let worstPerson: String?
    /// The `runOrNot` of that person, 0…1.
    public let worstRunOrNot: Double?
    /// The expected calibration error (`ProbabilityReport`).
    public let calibrationError: Double
    /// The windows that are rejected, if the recipe rejects any and people are held out.
    public var rejected: Rejected?
    /// The gain and the harm of adapting the model to one person, if they are measured.
    public var adapted: Adapted?
  }

  /// Every person tested by a model that was fitted to other people of all sets.
  public let peopleHeldOut: [Row]
  /// The people of each fold of `peopleHeldOut`; recordings without a person by their path.
  public let folds: [[String]]
  /// Every set tested by a model that was fitted to the other sets. Sets of the same people are left out together; empty
  /// if no other set has every label.
  public let setsLeftOut: [Row]
  /// The share of running that is found, by cadence, over the windows of all held-out people that move.
  public let recallByCadence: [CadenceRecall]
  /// The calibration error over all windows of held-out people.
  public let calibrationError: Double
  /// The places of `pairs`: those with windows of every label.
  public let pairedPlaces: [String]
  /// Running or not, shape `[trained on × tested on]`, in the order of `pairedPlaces`; on the diagonal with people held
  /// out.
  public let pairs: [[Double]]
  /// The label that counts as running.
  public let runningLabel: String
  /// The rejected windows of movements in no training, by movement, set and place.
  public var unknownMovements: [Rejected] = []

  /// The share of running that is found in a range of cadences.
  public struct CadenceRecall: Hashable, Sendable, Encodable {
    /// The lowest cadence, steps a minute.
    public let from: Double
    /// The cadence below which the range ends, steps a minute.
    public let to: Double
    /// The number of windows of running.
    public let windows: Int
    /// The number of these that are predicted as running.
    public let found: Int
  }

  /// The ranges of cadence, steps a minute.
  private static let cadences = [120.0..<142, 142..<150, 150..<240]
  /// The features by which cadence and movement of a window are measured: of the total acceleration, or of the user
  /// acceleration if a recording has no gravity.
  static func cadenceFeatures(of dataset: LabeledDataset) -> [Feature] {
    let hasGravity = dataset.recordings.allSatisfy { $0.recording.channels.isSuperset(of: Sensor.gravity.channels) }
    let lane = hasGravity ? Lane.total : .userAccelerationMagnitude
    return [Feature(lane, .dominantFrequency), Feature(lane, .standardDeviation)]
  }

  /// The least standard deviation of the acceleration of a window that moves, g.
  private static let leastMovement: Float = 0.1

  /// The recall of running by cadence.
  ///
  /// The step rate is the frequency of the highest peak of the acceleration's spectrum, doubled if it is a stride's:
  /// running has more than 100 steps a minute.
  ///
  /// - Parameter windows: `cadenceFeatures`, whether the window is running, and whether it is predicted as running.
  static func recall(
    of windows: some Sequence<(features: ArraySlice<Float>, isRunning: Bool, isFound: Bool)>
  ) -> [CadenceRecall] {
    var counts = [(windows: Int, found: Int)](repeating: (0, 0), count: cadences.count)
    for (features, isRunning, isFound) in windows where isRunning && features.last! >= leastMovement {
      let rate = 60 * Double(features.first!)
      guard let range = cadences.firstIndex(where: { $0.contains(rate < 100 ? 2 * rate : rate) }) else { continue }
      counts[range].windows += 1
      counts[range].found += isFound ? 1 : 0
    }
    return zip(cadences, counts).map {
      CadenceRecall(from: $0.lowerBound, to: $0.upperBound, windows: $1.windows, found: $1.found)
    }
  }
}

extension ActivityTrainer {
  /// Measures the recipe on a collection, by place.
  ///
  /// - Parameters:
  ///   - collected: the recordings; their labels must include running.
  ///   - folds: the number of folds of whole people.
  ///   - includingPairs: whether to train on each place and test on each.
  ///   - unknown: recordings of movements in no training, of which a recipe that rejects is tested. A person of both is
  ///     held out for both.
  ///   - adapter: what adapts models to one person; `nil` if that is not measured.
  /// - Throws: `TrainingError`.
  public func placeMatrix(
    of collected: CollectedRecordings, folds: Int = Folds.defaultCount, includingPairs: Bool = true,
    unknown: CollectedRecordings? = nil, adapter: ModelAdapter? = nil
  ) throws(TrainingError) -> PlaceMatrix {
    let dataset = collected.dataset
    var wider = self
    wider.features += PlaceMatrix.cadenceFeatures(of: dataset)
    let all = try wider.trainingWindows(of: dataset)
    let tests = PlaceTests(dataset: dataset, windows: all.columns(Array(features.indices)), trainer: self)
    let people = try dataset.folds(.groups(folds: folds))
    let heldOut = try tests.scored(people.folds.map { (training: $0.training, test: $0.test) })
    let leftOut = try tests.leavingOutSets()
    let paired = includingPairs ? try tests.pairs() : (names: [], values: [])
    var rows = tests.rows(of: heldOut)
    let rejected = try rejectsUnknown ? tests.rejected(people.folds, unknown: unknown?.dataset) : ([:], [])
    let adapted = try adapter.map { (adapter) throws(TrainingError) in try tests.adapted(people.folds, by: adapter) }
    for index in rows.indices {
      rows[index].rejected = rejected.0[rows[index].name]
      rows[index].adapted = adapted?[rows[index].name]
    }
    return PlaceMatrix(
      peopleHeldOut: rows, folds: people.folds.map(\.groups),
      setsLeftOut: leftOut.map(tests.rows) ?? [],
      recallByCadence: tests.recallByCadence(heldOut, all),
      calibrationError: ProbabilityReport(heldOut).expectedCalibrationError, pairedPlaces: paired.names,
      pairs: paired.values, runningLabel: tests.runningLabel ?? "", unknownMovements: rejected.1)
  }
}

extension LabeledRecording {
  /// The names of the set and the place on the body, such as `dsads, left arm`.
  var setAndPlace: String { [fields["set"], fields["place"]].compactMap { $0 }.joined(separator: ", ") }
}

/// The tests of one recipe, which share the windows of a dataset.
struct PlaceTests: Sendable {
  let dataset: LabeledDataset
  let windows: LabeledWindows
  let trainer: ActivityTrainer
  /// For every recording, its set and place.
  let places: [String]

  init(dataset: LabeledDataset, windows: LabeledWindows, trainer: ActivityTrainer) {
    self.dataset = dataset
    self.windows = windows
    self.trainer = trainer
    places = dataset.recordings.map(\.setAndPlace)
  }

  var runningLabel: String? { dataset.labels.first { Activity(label: $0) == .running } }

  /// The windows of every set, scored by a model fitted to sets of other people; `nil` if these never have every label.
  func leavingOutSets() throws(TrainingError) -> ScoredWindows? {
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
    let members = Dictionary(grouping: places.indices) { places[$0] }
    let names = places.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.filter {
      hasEveryLabel(members[$0]!)
    }
    let rows = try names.mappedConcurrently(showing: "place") { (name) throws(TrainingError) in
      let own = members[name]!
      let head = try trainer.head(fitting: windows, rows: windows.rows(of: own))
      return try names.map { (other) throws(TrainingError) in
        let scored = other == name ? try within(own) : score(head, members[other]!)
        return PlaceMatrix.Row(name: other, scored, runningLabel: runningLabel).runOrNot ?? 0
      }
    }
    return (names, rows)
  }

  /// The windows of one place, with its people held out.
  private func within(_ recordings: [Int]) throws(TrainingError) -> ScoredWindows {
    let units = recordings.map { dataset.splitGroups[dataset.recordings[$0].group]! }
    let names = Set(units).sortedAndUnique()
    let count = min(Folds.defaultCount, names.count)
    let splits = (0..<count).map { fold in
      let test = Set(names.indices.filter { $0 % count == fold }.map { names[$0] })
      return (
        training: zip(recordings, units).filter { !test.contains($1) }.map(\.0),
        test: zip(recordings, units).filter { test.contains($1) }.map(\.0)
      )
    }
    return try scored(splits.filter { hasEveryLabel($0.training) })
  }

  private func hasEveryLabel(_ recordings: [Int]) -> Bool {
    Set(recordings.map { dataset.recordings[$0].label }).count == dataset.labels.count
  }

  /// The windows of every part, scored by a model fitted to its training recordings, and calibrated by the other parts.
  func scored(_ splits: [(training: [Int], test: [Int])]) throws(TrainingError) -> ScoredWindows {
    let parts = try splits.mappedConcurrently(showing: "fold") { (split) throws(TrainingError) in
      score(try trainer.head(fitting: windows, rows: windows.rows(of: split.training)), split.test)
    }.filter { $0.count > 0 }
    guard !parts.isEmpty else { throw .noWindows(seconds: trainer.window.seconds) }
    return trainer.calibration.crossFitted(parts)
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
    // The scores of running or not; `nil` without windows of either.
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

extension PlaceMatrix: CustomStringConvertible {
  /// The tables as text for a terminal.
  public var description: String {
    var parts = [
      "People held out, by set and place\n\n" + Self.table(peopleHeldOut)
        + "\ncalibration error (ECE) over all windows  \(Self.percent(calibrationError))"
        + "\nmedian calibration error of a set and place  "
        + Self.percent(Self.median(judged(peopleHeldOut).map(\.calibrationError))),
      Self.cadenceText(recallByCadence),
    ]
    if !setsLeftOut.isEmpty {
      parts.append(
        "One set left out\n\n" + Self.table(setsLeftOut)
          + "\nmedian calibration error  \(Self.percent(Self.median(judged(setsLeftOut).map(\.calibrationError))))")
    }
    parts += columnTexts
    if !pairs.isEmpty {
      let header = ["trained on"] + pairedPlaces.indices.map { "\($0 + 1)" }
      let rows = zip(pairedPlaces.indices, pairedPlaces).map { index, name in
        ["\(index + 1) \(name)"] + pairs[index].map(Self.percent)
      }
      parts.append(
        "Trained on one place, tested at each: \(runningLabel) or not, balanced (own place: people held out)\n\n"
          + ReportTable(rows: [header] + rows).text)
    }
    return parts.joined(separator: "\n\n")
  }

  private static func cadenceText(_ ranges: [CadenceRecall]) -> String {
    let rows = ranges.map { range in
      [
        "\(plain(range.from))…\(plain(range.to))", "\(range.windows)",
        range.windows == 0 ? "–" : percent(Double(range.found) / Double(range.windows)),
      ]
    }
    return "Running found by cadence, people held out\n\n"
      + ReportTable(rows: [["steps/min", "windows", "found"]] + rows).text
  }

  private func judged(_ rows: [Row]) -> [Row] { rows.filter { $0.runOrNot != nil } }

  private static func table(_ rows: [Row]) -> String {
    let header = ["set, place (people)", "run/not", "F1", "labels", "worst", "person", "ECE"]
    let judged = rows.filter { $0.runOrNot != nil }
    let lines = rows.map { row -> [String] in
      [
        "\(row.name) (\(row.people))", row.runOrNot.map(percent) ?? "–", row.macroF1.map(percent) ?? "–",
        percent(row.accuracy), row.worstRunOrNot.map(percent) ?? "–",
        row.worstPerson.map { String($0.drop { $0 != "/" }.dropFirst()) } ?? "–", percent(row.calibrationError),
      ]
    }
    func mean(_ values: [Double]) -> String {
      values.isEmpty ? "–" : percent(values.reduce(0, +) / Double(values.count))
    }
    let means: [String] = [
      "mean of those judged", mean(judged.compactMap(\.runOrNot)), mean(judged.compactMap(\.macroF1)),
      mean(judged.map(\.accuracy)), mean(judged.compactMap(\.worstRunOrNot)), "",
      mean(judged.map(\.calibrationError)),
    ]
    return ReportTable(rows: [header] + lines + [means]).text
  }

  /// The median; 0 of no values.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  static func percent(_ ratio: Double) -> String { (100 * ratio).fixed(1) + " %" }
}
