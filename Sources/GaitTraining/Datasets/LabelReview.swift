import Gait

/// A summary of the movement in each label's recordings, and a list of suspect labels.
///
/// If people take 1.8 steps a second in recordings labelled "running", they walk. A model trained on them will classify
/// walking as running. The review changes nothing: a person who knows the recordings decides.
public struct LabelReview: Hashable, Sendable {
  /// A summary of each label, in the order of the dataset's labels.
  package let summaries: [LabelSummary]

  /// The recordings whose movement does not match their label, in the dataset's order.
  package let suspectLabels: [SuspectLabel]

  /// Reviews a dataset, on all cores.
  ///
  /// - Parameters:
  ///   - dataset: the recordings.
  ///   - meanings: the activities of labels whose names do not state them. A label without a known meaning is never
  ///     suspect.
  public init(of dataset: LabeledDataset, meanings: [String: Activity] = [:]) {
    let movements = dataset.recordings.mappedConcurrently(showing: "recording") { Movement(of: $0.recording) }
    let members = dataset.labels.map { label in
      dataset.recordings.indices.filter { dataset.recordings[$0].label == label }
    }
    summaries = zip(dataset.labels, members).map { label, members in
      LabelSummary(
        label: label, meaning: meanings[label] ?? Activity(knownLabel: label), movements: members.map { movements[$0] },
        seconds: members.reduce(0) { $0 + dataset.recordings[$1].recording.coveredDuration })
    }
    let names = Dictionary(summaries.map { ($0.kind, $0.label) }, uniquingKeysWith: { first, _ in first })
    suspectLabels = zip(summaries, members).flatMap { summary, members in
      members.compactMap { index in
        guard let expected = summary.meaning, let kind = movements[index].kind, kind != expected else { return nil }
        return SuspectLabel(
          of: dataset.recordings[index], movement: movements[index], kind: kind, expected: expected,
          proposal: names[kind] ?? kind.rawValue)
      }
    }
  }

  /// The columns of `relabelling`.
  package static let proposalColumns = [
    "recording", "start", "label", "proposal", "stepsPerMinute", "energy", "reason",
  ]

  /// A CSV file that proposes another label for each recording with a suspect label, for a person to check.
  ///
  /// The columns are `recording`, `start` (seconds into the file), `label`, `proposal`, `stepsPerMinute` (empty if
  /// there are no steps), `energy` (g) and `reason`.
  public var relabelling: [UInt8] {
    let rows = suspectLabels.map { suspect in
      [
        suspect.path, suspect.start.short, suspect.label, suspect.proposal,
        suspect.stepFrequency.map { ($0 * 60).fixed(0) } ?? "",
        suspect.energy.fixed(3), suspect.reason,
      ]
    }
    return ([Self.proposalColumns] + rows).flatMap(CommaSeparatedRow.bytes)
  }
}

/// A summary of the recordings with one label.
package struct LabelSummary: Hashable, Sendable, Encodable {
  package let label: String
  /// The number of recordings with this label.
  package let recordings: Int
  /// The total duration of these recordings without gaps, in seconds.
  package let seconds: Double
  /// The median steps per second of the recordings; absent if most of them have no steps.
  package let stepFrequency: Double?
  /// The median energy of the recordings, in g (see `Movement`).
  package let energy: Double
  /// The movement of the label's meaning; if the meaning is unknown, that of most recordings. Absent if steps can be
  /// counted in no recording (`Movement.kind`).
  package let kind: Activity?
  /// The number of recordings whose movement does not match the label's meaning; 0 if the meaning is unknown.
  package let suspectLabels: Int
  /// The known meaning of the label if it is one of `Movement.activities`; otherwise `nil`.
  fileprivate let meaning: Activity?

  private enum CodingKeys: CodingKey { case label, recordings, seconds, stepFrequency, energy, kind, suspectLabels }

  init(label: String, meaning: Activity?, movements: [Movement], seconds: Double) {
    self.label = label
    recordings = movements.count
    self.seconds = seconds
    // A recording without steps has 0 steps per second.
    let steps = movements.map { $0.stepFrequency ?? 0 }.sorted()[movements.count / 2]
    stepFrequency = steps > 0 ? steps : nil
    energy = movements.map(\.energy).sorted()[movements.count / 2]
    let kinds = movements.compactMap(\.kind)
    let commonest = Movement.activities.max { first, second in
      kinds.count { $0 == first } < kinds.count { $0 == second }
    }
    let known = meaning.flatMap { Movement.activities.contains($0) ? $0 : nil }
    self.meaning = known
    kind = known ?? (kinds.isEmpty ? nil : commonest)
    suspectLabels = known == nil ? 0 : kinds.count { $0 != known }
  }
}

/// A recording whose movement does not match its label.
package struct SuspectLabel: Hashable, Sendable, Encodable {
  /// The recording's path.
  package let path: String
  /// The start of the recording in its file, in seconds.
  package let start: Double
  package let label: String
  /// The movement expected from the label.
  package let expected: Activity
  /// The detected movement.
  package let kind: Activity
  /// The dataset's label for the detected movement, or the movement's own name if there is none.
  package let proposal: String
  /// Steps per second; absent if there are no steps.
  package let stepFrequency: Double?
  /// The root mean square of the acceleration without gravity, in g.
  package let energy: Double

  init(
    of labeled: LabeledRecording, movement: Movement, kind: Activity, expected: Activity, proposal: String
  ) {
    path = labeled.path
    start = labeled.recording.start.seconds
    label = labeled.label
    self.expected = expected
    self.kind = kind
    self.proposal = proposal
    stepFrequency = movement.stepFrequency
    energy = movement.energy
  }

  /// Why the label is suspect, such as `moves like walking: 112 steps/min at 0.46 g`.
  package var reason: String {
    let steps = stepFrequency.map { "\(($0 * 60).fixed(0)) steps/min" } ?? "no steps"
    return "moves like \(kind.rawValue): \(steps) at \(energy.fixed(2)) g"
  }
}

/// The movement in a recording, detected from its steps and energy, independent of its label.
package struct Movement: Hashable, Sendable {
  /// The activities that steps and energy distinguish.
  static let activities = [Activity.still, .walking, .running]

  /// Steps per second; `nil` if there are no steps.
  package let stepFrequency: Double?

  /// The root mean square of the length of the acceleration without gravity, in g.
  package let energy: Double

  /// The minimum steps per second of running: walkers take 1.5 to 2.2, runners 2.3 to 3.3.
  package static let slowestRun = 2.3

  /// The minimum energy of running, in g.
  ///
  /// The step rate alone is not enough: on stairs, with the phone in a pocket, up to half as many steps again may be
  /// counted, but with less energy. It is the least energy of MotionSense's and BoostRunClub's running recordings with
  /// a running step rate (`gait-lab judge steps`).
  package static let gentlestRun = 0.76

  /// Whether steps can be counted: the recording lasts at least `Recording.shortestStepCount` seconds, and its sample
  /// rate is high enough.
  private let canHaveSteps: Bool

  /// The detected activity; `nil` if steps cannot be counted, because the recording is too short or its rate too low.
  package var kind: Activity? {
    guard canHaveSteps else { return nil }
    guard let stepFrequency else { return .still }
    return stepFrequency >= Self.slowestRun && energy >= Self.gentlestRun ? .running : .walking
  }

  /// Detects the movement in a recording.
  package init(of recording: Recording) {
    stepFrequency = recording.stepFrequency()
    canHaveSteps = recording.duration >= Recording.shortestStepCount && recording.showsSteps
    var (sum, count) = (0.0, 0)
    for index in 0..<recording.count {
      let acceleration = recording[index].userAcceleration
      let square = Double((acceleration * acceleration).sum())
      guard square.isFinite else { continue }
      sum += square
      count += 1
    }
    energy = count > 0 ? (sum / Double(count)).squareRoot() : 0
  }
}
