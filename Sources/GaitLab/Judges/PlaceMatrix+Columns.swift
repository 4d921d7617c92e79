import Gait
import GaitTraining

extension PlaceMatrix {
  /// The windows of a place or of a movement that are rejected, by bounds fitted to other people.
  public struct Rejected: Hashable, Sendable, Encodable {
    /// The set and the place; for a movement that no model is trained on, the movement before them.
    public let name: String
    /// The number of windows.
    public let windows: Int
    /// The share of windows that are rejected, 0…1.
    public let share: Double
    /// The number of recordings.
    public let recordings: Int
    /// The share of recordings whose share of rejected windows is above `RejectionBounds.usualShare`, 0…1.
    public let unusual: Double

    init(_ name: String, _ tally: RejectionTally) {
      (self.name, windows, share) = (name, tally.windows, tally.rejectedShare)
      (recordings, unusual) = (tally.recordings, tally.unusualShare)
    }
  }

  /// Models of other people that are adapted to the first half of each recording of one person at one place, and tested
  /// on the second halves and on the other people of the fold.
  public struct Adapted: Hashable, Sendable, Encodable {
    /// The number of people.
    public let people: Int
    /// The mean minutes that a model is adapted to.
    public let minutes: Double
    /// The mean accuracy on the person's second halves before and after, 0…1.
    public let before, after: Double
    /// The smallest gain of a person, in accuracy.
    public let worstGain: Double
    /// The person with the smallest gain.
    public let worstPerson: String
    /// The mean and the largest loss of accuracy on other people.
    public let meanHarm, worstHarm: Double

    fileprivate init(_ people: [AdaptedPerson]) {
      func mean(_ value: (AdaptedPerson) -> Double) -> Double {
        people.reduce(0) { $0 + value($1) } / Double(people.count)
      }
      let worst = people.min { $0.gain < $1.gain }
      (self.people, minutes) = (Set(people.map(\.name)).count, mean(\.minutes))
      (before, after) = (mean(\.before), mean { $0.before + $0.gain })
      (worstGain, worstPerson) = (worst?.gain ?? 0, worst?.name ?? "–")
      (meanHarm, worstHarm) = (mean(\.harm), people.map(\.harm).max() ?? 0)
    }
  }

  /// The tables of rejected windows and of adaptation as text, if there are any.
  var columnTexts: [String] {
    let known = peopleHeldOut.compactMap(\.rejected)
    var texts = [("Rejected, people held out", known), ("Movements in no training", unknownMovements)]
      .filter { !$0.1.isEmpty }.map { title, rows in
        let lines = rows.map {
          [$0.name, "\($0.windows)", Self.percent($0.share), "\($0.recordings)", Self.percent($0.unusual)]
        }
        return "\(title)\n\n" + ReportTable(list: [["", "windows", "rejected", "recordings", "unusual"]] + lines).text
      }
    let adapted = peopleHeldOut.compactMap { row in row.adapted.map { (row.name, $0) } }
    guard !adapted.isEmpty else { return texts }
    func points(_ ratio: Double) -> String { (100 * ratio).fixed(2) }
    let header = ["set, place (people)", "minutes", "before", "after", "worst gain", "person", "harm", "worst harm"]
    let lines = adapted.map { name, row in
      [
        "\(name) (\(row.people))", row.minutes.fixed(1), points(row.before), points(row.after), points(row.worstGain),
        row.worstPerson, points(row.meanHarm), points(row.worstHarm),
      ]
    }
    texts.append(
      "Adapted to one person: accuracy in % on the person's other halves, loss on other people in points\n\n"
        + ReportTable(list: [header] + lines).text)
    return texts
  }
}

/// One person at one place, with a model adapted to the person.
private struct AdaptedPerson: Sendable {
  let place, name: String
  let minutes, before, gain, harm: Double
}

extension PlaceTests {
  /// The rejected windows of held-out people by set and place, and those of unknown movements.
  func rejected(
    _ folds: [Folds.Fold], unknown: LabeledDataset?
  ) throws(TrainingError) -> ([String: PlaceMatrix.Rejected], [PlaceMatrix.Rejected]) {
    let others = try unknown.map { (unknown) throws(TrainingError) in (unknown, try trainer.windows(of: unknown)) }
    let parts = try Array(folds.indices).mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
      let head = try trainer.head(fitting: windows, rows: windows.rows(of: folds[fold].training))
      func evidence(_ windows: LabeledWindows, _ recordings: [Int]) -> [RecordingEvidence] {
        windows.evidence(for: head, at: windows.rows(of: recordings, augmented: false)).map {
          RecordingEvidence(fold: fold, recording: $0, windows: $1)
        }
      }
      let foreign = others.map { unknown, windows in
        // People who are in no fold are tested with the first fold.
        let own = unknown.recordings.indices.filter { index in
          (folds.firstIndex { $0.groups.contains(unknown.recordings[index].group) } ?? 0) == fold
        }
        return evidence(windows, own)
      }
      return (known: evidence(windows, folds[fold].test), unknown: foreign ?? [])
    }
    let known = parts.flatMap(\.known)
    let bounds = folds.indices.map { fold in RejectionBounds(known.filter { $0.fold != fold }) }
    func tallied(_ recordings: [RecordingEvidence], by name: (Int) -> String) -> [PlaceMatrix.Rejected] {
      var (names, tallies) = ([String](), [String: RejectionTally]())
      for recording in recordings.sorted(by: { $0.recording < $1.recording }) {
        let name = name(recording.recording)
        if tallies[name] == nil { names.append(name) }
        tallies[name, default: RejectionTally()].add(recording, bounds[recording.fold])
      }
      return names.map { PlaceMatrix.Rejected($0, tallies[$0]!) }
    }
    let byPlace = tallied(known) { places[$0] }
    let byMovement = tallied(parts.flatMap(\.unknown)) { index in
      let recording = others!.0.recordings[index]
      return "\(recording.label), \(recording.setAndPlace)"
    }
    return (Dictionary(uniqueKeysWithValues: byPlace.map { ($0.name, $0) }), byMovement)
  }

  /// The gain and the harm of adaptation by set and place.
  func adapted(
    _ folds: [Folds.Fold], by adapter: ModelAdapter
  ) throws(TrainingError) -> [String: PlaceMatrix.Adapted] {
    let windows = try trainer.windows(of: dataset)
    let people = try folds.mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
      let base = try trainer.head(fitting: windows, rows: windows.rows(of: fold.training))
      let members = Dictionary(grouping: fold.test) { [places[$0], dataset.recordings[$0].group] }
      var people: [AdaptedPerson] = []
      for (key, own) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let (first, second) = halves(of: own, windows, base.window)
        guard Set(first.map { windows.labelIndices[$0] }).count > 1, !second.isEmpty else { continue }
        let others = windows.rows(of: fold.test.filter { dataset.recordings[$0].group != key[1] })
        let adapted = try adapter.head(base, to: windows, rows: first)
        let before = accuracy(base, windows, second)
        people.append(
          AdaptedPerson(
            place: key[0], name: key[1], minutes: Double(first.count) * base.window.hopSeconds / 60, before: before,
            gain: accuracy(adapted, windows, second) - before,
            harm: accuracy(base, windows, others) - accuracy(adapted, windows, others)))
      }
      return people
    }.flatMap { $0 }
    return Dictionary(grouping: people, by: \.place).mapValues { PlaceMatrix.Adapted($0) }
  }

  /// The windows of the first and of the second half of each recording, without those that span the middle.
  private func halves(
    of own: [Int], _ windows: LabeledWindows, _ shape: WindowShape
  ) -> (first: [Int], second: [Int]) {
    let spanning = Int(saturating: (shape.seconds / shape.hopSeconds).rounded(.up))
    let rows = own.map { windows.rows(of: [$0]) }
    return (
      rows.flatMap { $0.prefix(max(0, $0.count / 2 - spanning)) }, rows.flatMap { $0.suffix($0.count / 2) }
    )
  }

  private func accuracy(_ head: ActivityModel.Head, _ windows: LabeledWindows, _ rows: [Int]) -> Double {
    let scores = head.probabilities(of: windows.matrix.rows(at: rows))
    let correct = rows.indices.count { row in
      let values = scores[row]
      return values.indices.max { values[$0] < values[$1] }! - values.startIndex == windows.labelIndices[rows[row]]
    }
    return Double(correct) / Double(max(1, rows.count))
  }
}
