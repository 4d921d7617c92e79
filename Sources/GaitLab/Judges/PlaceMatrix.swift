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
    /// Running or not: the mean of the F1 of running and that of the rest; `nil` without running or without anything
    /// else.
    public let macroF1: Double?
    /// The share of windows with the correct label.
    public let accuracy: Double
    /// The person with the lowest `runOrNot`; `nil` if no person has both running and something else.
    public let worstPerson: String?
    /// The `runOrNot` of `worstPerson`, 0…1; `nil` without such a person.
    public let worstRunOrNot: Double?
    /// The expected calibration error (`ProbabilityReport`).
    public let calibrationError: Double
    /// The windows that are rejected; `nil` if the recipe rejects none, and for sets left out.
    public var rejected: Rejected?
    /// The gain and the harm of adapting the model to one person; `nil` if they are not measured.
    public var adapted: Adapted?
  }

  /// Every person tested by a model that was fitted to other people of all sets.
  public let peopleHeldOut: [Row]
  /// The people of each fold of `peopleHeldOut`; recordings without a person by their path.
  public let folds: [[String]]
  /// Every set tested by a model that was fitted to the other sets. Sets of the same people are left out together;
  /// empty if no other set has every label.
  public let setsLeftOut: [Row]
  /// Places that recipes train on as well and that the rule of `ModelRecipe` does not score: with people held out, and
  /// with sets left out.
  public var addedHeldOut: [Row] = [], addedLeftOut: [Row] = []
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
  /// The rejected windows of movements that no model is trained on, by movement, set and place.
  public var unknownMovements: [Rejected] = []
  /// Wrong labels of running and of other movements, with people held out; `nil` if other movements are not tested.
  public var otherHeldOut: OtherShares?
  /// Wrong labels of running and of other movements, with sets left out; `nil` if other movements are not tested.
  public var otherLeftOut: OtherShares?

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

  /// The steps a minute of a window by its `cadenceFeatures`; `nil` if it does not move.
  static func cadence(of features: ArraySlice<Float>) -> Double? {
    guard features.last! >= leastMovement else { return nil }
    let rate = 60 * Double(features.first!)
    return rate < 100 ? 2 * rate : rate
  }

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
    for (features, isRunning, isFound) in windows where isRunning {
      guard let rate = cadence(of: features), let range = cadences.firstIndex(where: { $0.contains(rate) }) else {
        continue
      }
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
  ///   - unknown: recordings of movements that no model is trained on, to test a recipe that rejects windows. A person
  ///     who is in both collections is held out from both together.
  ///   - adapter: the adapter of models to one person; `nil` if adaptation is not measured.
  /// - Throws: `TrainingError`.
  public func placeMatrix(
    of collected: CollectedRecordings, folds: Int = Folds.defaultCount, includingPairs: Bool = true,
    unknown: CollectedRecordings? = nil, adapter: ModelAdapter? = nil
  ) throws(TrainingError) -> PlaceMatrix {
    try placeMatrix(
      of: collected, folds: folds, includingPairs: includingPairs, unknown: unknown, adapter: adapter, unscored: nil)
  }

  /// Measures the recipe on a collection, by place, on places that it trains on as well, and on other movements, some
  /// of which it may train on.
  func placeMatrix(
    of collected: CollectedRecordings, folds: Int = Folds.defaultCount, includingPairs: Bool = true,
    unknown: CollectedRecordings? = nil, adapter: ModelAdapter? = nil, unscored: UnscoredRecordings?
  ) throws(TrainingError) -> PlaceMatrix {
    let scored = unscored.map { collected.dataset.adding($0.movements, trained: $0.trained) } ?? collected.dataset
    let dataset = scored.adding(unscored?.places ?? [])
    var wider = self
    wider.features += PlaceMatrix.cadenceFeatures(of: dataset)
    let all = try wider.trainingWindows(of: dataset)
    let tests = PlaceTests(
      dataset: dataset, windows: all.columns(Array(features.indices)), trainer: self,
      trained: unscored?.trained ?? [], addedCount: unscored?.places.count ?? 0)
    let people = try scored.folds(.groups(folds: folds))
    let heldOut = try tests.scored(tests.splits(people.folds))
    let leftOut = try tests.leavingOutSets()
    let paired = includingPairs ? try tests.pairs() : (names: [], values: [])
    var rows = tests.rows(of: heldOut.known)
    let rejected = try rejectsUnknown ? tests.rejected(people.folds, unknown: unknown?.dataset) : ([:], [])
    let adapted = try adapter.map { (adapter) throws(TrainingError) in try tests.adapted(people.folds, by: adapter) }
    for index in rows.indices {
      rows[index].rejected = rejected.0[rows[index].name]
      rows[index].adapted = adapted?[rows[index].name]
    }
    return PlaceMatrix(
      peopleHeldOut: rows, folds: people.folds.map(\.groups),
      setsLeftOut: leftOut.map { tests.rows(of: $0.known) } ?? [], addedHeldOut: tests.rows(of: heldOut.added),
      addedLeftOut: leftOut.map { tests.rows(of: $0.added) } ?? [],
      recallByCadence: tests.recallByCadence(heldOut.known, all),
      calibrationError: ProbabilityReport(heldOut.known).expectedCalibrationError, pairedPlaces: paired.names,
      pairs: paired.values, runningLabel: tests.runningLabel ?? "", unknownMovements: rejected.1,
      otherHeldOut: tests.otherShares(heldOut, all), otherLeftOut: leftOut.flatMap { tests.otherShares($0, all) })
  }
}

extension LabeledRecording {
  /// The names of the set and the place on the body, such as `dsads, left arm`.
  var setAndPlace: String { [fields["set"], fields["place"]].compactMap { $0 }.joined(separator: ", ") }
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
    for (title, rows) in [("people held out", addedHeldOut), ("one set left out", addedLeftOut)] where !rows.isEmpty {
      parts.append("Added places, \(title)\n\n" + Self.table(rows))
    }
    if let otherHeldOut, let otherLeftOut { parts.append(OtherShares.text(otherHeldOut, otherLeftOut)) }
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
