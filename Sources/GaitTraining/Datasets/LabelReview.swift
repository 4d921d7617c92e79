import Gait

/// What the recordings of each label have in common, and which of them disagree with it, so that a label that means
/// something else shows.
///
/// A set called "running" in which people take 1.8 steps a second holds walkers, and a model that learns from it will
/// call walking running. Nothing is changed: whoever knows the recordings decides.
public struct LabelReview: Hashable, Sendable {
  /// A summary of each label, in the order of the dataset's labels.
  public let summaries: [LabelSummary]

  /// The recordings that move unlike their label, in the dataset's order.
  public let suspectLabels: [SuspectLabel]

  /// Reviews a dataset. Recordings are looked at on all cores.
  public init(of dataset: LabeledDataset) {
    let movements = dataset.recordings.mappedConcurrently { Movement(of: $0.recording) }
    let members = dataset.labels.map { label in
      dataset.recordings.indices.filter { dataset.recordings[$0].label == label }
    }
    summaries = zip(dataset.labels, members).map { label, members in
      LabelSummary(
        label: label, movements: members.map { movements[$0] },
        seconds: members.reduce(0) { $0 + dataset.recordings[$1].recording.duration })
    }
    let names = Dictionary(summaries.map { ($0.kind, $0.label) }, uniquingKeysWith: { first, _ in first })
    suspectLabels = zip(summaries, members).flatMap { summary, members in
      members.compactMap { index in
        guard let expected = summary.kind, let kind = movements[index].kind, kind != expected else { return nil }
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

  /// The label that each doubted recording might have instead, as a CSV file: a proposal for a person to check.
  ///
  /// The columns are `recording`, `start` (seconds into the file), `label`, `proposal`, `stepsPerMinute` (empty where nobody
  /// steps), `energy` (g) and `reason`.
  public var relabelling: [UInt8] {
    let rows = suspectLabels.map { doubt in
      [
        doubt.path, InvariantFormat.short(doubt.start), doubt.label, doubt.proposal,
        doubt.stepFrequency.map { InvariantFormat.fixed($0 * 60, 0) } ?? "", InvariantFormat.fixed(doubt.energy, 3),
        doubt.reason,
      ]
    }
    return ([Self.proposalColumns] + rows).flatMap(CommaSeparatedRow.bytes)
  }
}

/// What the recordings of one label have in common.
public struct LabelSummary: Hashable, Sendable, Encodable {
  /// The label.
  public let label: String
  /// How many recordings have it.
  public let recordings: Int
  /// How long they last together, in seconds.
  public let seconds: Double
  /// The median of the recordings' steps a second; absent where nobody walks or runs in most of them.
  public let stepFrequency: Double?
  /// The median of the recordings' energy, in g (see `Movement`).
  public let energy: Double
  /// How the label's recordings should move: what its name says, or else what most of them do; absent where none is long
  /// enough to tell.
  public let kind: Activity?
  /// How many of the recordings move in another way.
  public let suspectLabels: Int

  init(label: String, movements: [Movement], seconds: Double) {
    self.label = label
    recordings = movements.count
    self.seconds = seconds
    // A recording without steps counts as one of no steps a second.
    let steps = movements.map { $0.stepFrequency ?? 0 }.sorted()[movements.count / 2]
    stepFrequency = steps > 0 ? steps : nil
    energy = movements.map(\.energy).sorted()[movements.count / 2]
    let kinds = movements.compactMap(\.kind)
    let commonest = Movement.activities.max { first, second in
      kinds.count { $0 == first } < kinds.count { $0 == second }
    }
    let kind = Activity(label: label) == .other ? (kinds.isEmpty ? nil : commonest) : Activity(label: label)
    self.kind = kind
    suspectLabels = kind == nil ? 0 : kinds.count { $0 != kind }
  }
}

/// A recording that moves unlike its label.
public struct SuspectLabel: Hashable, Sendable, Encodable {
  /// Where the recording came from.
  public let path: String
  /// Where in its file the recording begins, in seconds.
  public let start: Double
  /// The label that it has.
  public let label: String
  /// How recordings of the label should move.
  public let expected: Activity
  /// How this one moves.
  public let kind: Activity
  /// The label of the dataset that recordings which move so have, or the kind's own name.
  public let proposal: String
  /// The steps in a second; absent where nobody walks or runs.
  public let stepFrequency: Double?
  /// The root mean square of the acceleration without gravity, in g.
  public let energy: Double

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

  /// Why the label is doubted, such as `moves like walking: 112 steps/min at 0.46 g`.
  public var reason: String {
    let steps = stepFrequency.map { "\(InvariantFormat.fixed($0 * 60, 0)) steps/min" } ?? "no steps"
    return "moves like \(kind.rawValue): \(steps) at \(InvariantFormat.fixed(energy, 2)) g"
  }
}
