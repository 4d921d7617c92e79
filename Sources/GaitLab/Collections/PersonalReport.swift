import Gait
import GaitTraining

/// The gain and the harm of adapting a recipe's model to one person, over the people of a collection.
///
/// For every fold of people a model is fitted to the other people. It is adapted to the first half of each recording of one
/// person at one place, and tested on the second halves and on the other people of the fold.
public struct PersonalReport: Sendable, Encodable {
  /// The gain and the harm at one place.
  public struct Row: Hashable, Sendable, Encodable {
    /// The set and the place.
    public let name: String
    /// The number of people.
    public let people: Int
    /// The mean minutes that a model is adapted to.
    public let minutes: Double
    /// The mean accuracy on the person's second halves before and after, 0…1.
    public let before, after: Double
    /// The smallest gain of a person, in accuracy.
    public let worstGain: Double
    /// That person.
    public let worstPerson: String
    /// The mean and the largest loss of accuracy on other people.
    public let meanHarm, worstHarm: Double
  }

  /// The places; the last row has all of them.
  public let rows: [Row]
}

extension ActivityTrainer {
  /// Measures adaptation on a collection.
  ///
  /// - Parameters:
  ///   - collected: the recordings.
  ///   - adapter: the strength of the prior.
  ///   - folds: the number of folds of whole people.
  /// - Throws: `TrainingError`.
  public func personalReport(
    of collected: CollectedRecordings, adapter: ModelAdapter = ModelAdapter(), folds: Int = Folds.defaultCount
  ) throws(TrainingError) -> PersonalReport {
    let dataset = collected.dataset
    let windows = try windows(of: dataset)
    let people = try dataset.folds(.groups(folds: folds))
    let trials = try people.folds.mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
      let base = try head(fitting: windows, rows: windows.rows(of: fold.training))
      let trial = PersonalTrial(
        dataset: dataset, windows: windows, base: base, adapter: adapter, hop: window.hopSeconds, recordings: fold.test)
      return try trial.people()
    }.flatMap { $0 }
    let places = Dictionary(grouping: trials, by: \.place).sorted { $0.key < $1.key }
    return PersonalReport(rows: (places + [("all", trials)]).map { PersonalReport.Row($0, $1) })
  }
}

/// The people of one fold, each with a model adapted to the person.
private struct PersonalTrial: Sendable {
  let dataset: LabeledDataset
  let windows: LabeledWindows
  let base: ActivityModel.Head
  let adapter: ModelAdapter
  let hop: Double
  let recordings: [Int]

  /// One person at one place.
  struct Person: Sendable {
    let place: String
    let name: String
    let minutes, before, after, harm: Double
  }

  func people() throws(TrainingError) -> [Person] {
    let members = Dictionary(grouping: recordings) {
      [dataset.recordings[$0].setAndPlace, dataset.recordings[$0].group]
    }
    var people: [Person] = []
    for (key, own) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let (first, second) = halves(of: own)
      guard Set(first.map { windows.labelIndices[$0] }).count > 1, !second.isEmpty else { continue }
      let others = windows.rows(of: recordings.filter { dataset.recordings[$0].group != key[1] })
      let adapted = try adapter.head(base, to: windows, rows: first)
      people.append(
        Person(
          place: key[0], name: key[1], minutes: Double(first.count) * hop / 60, before: accuracy(base, second),
          after: accuracy(adapted, second), harm: accuracy(base, others) - accuracy(adapted, others)))
    }
    return people
  }

  /// The windows of the first and of the second half of each recording, without those that span the middle.
  private func halves(of own: [Int]) -> (first: [Int], second: [Int]) {
    var halves: (first: [Int], second: [Int]) = ([], [])
    let spanning = Int(saturating: (base.window.seconds / base.window.hopSeconds).rounded(.up))
    for recording in own {
      let rows = windows.rows(of: [recording])
      halves.first += rows.prefix(max(0, rows.count / 2 - spanning))
      halves.second += rows.suffix(rows.count / 2)
    }
    return halves
  }

  private func accuracy(_ head: ActivityModel.Head, _ rows: [Int]) -> Double {
    let scores = head.probabilities(of: windows.matrix.rows(at: rows))
    let correct = rows.indices.count { row in
      let values = scores[row]
      return values.indices.max { values[$0] < values[$1] }! - values.startIndex == windows.labelIndices[rows[row]]
    }
    return Double(correct) / Double(max(1, rows.count))
  }
}

extension PersonalReport.Row {
  fileprivate init(_ name: String, _ trials: [PersonalTrial.Person]) {
    func mean(_ value: (PersonalTrial.Person) -> Double) -> Double {
      trials.reduce(0) { $0 + value($1) } / Double(max(1, trials.count))
    }
    let worst = trials.min { $0.after - $0.before < $1.after - $1.before }
    self.init(
      name: name, people: Set(trials.map(\.name)).count, minutes: mean(\.minutes), before: mean(\.before),
      after: mean(\.after), worstGain: worst.map { $0.after - $0.before } ?? 0, worstPerson: worst?.name ?? "–",
      meanHarm: mean(\.harm), worstHarm: trials.map(\.harm).max() ?? 0)
  }
}

extension PersonalReport: CustomStringConvertible {
  /// The table as text for a terminal.
  public var description: String {
    let header = ["set, place (people)", "minutes", "before", "after", "worst gain", "person", "harm", "worst harm"]
    func points(_ ratio: Double) -> String { (100 * ratio).fixed(2) }
    let lines = rows.map { row in
      [
        "\(row.name) (\(row.people))", row.minutes.fixed(1), points(row.before), points(row.after),
        points(row.worstGain), row.worstPerson, points(row.meanHarm), points(row.worstHarm),
      ]
    }
    return "Adapted to one person: accuracy in % on the person's other halves, loss on other people in points\n\n"
      + ReportTable(list: [header] + lines).text
  }
}
