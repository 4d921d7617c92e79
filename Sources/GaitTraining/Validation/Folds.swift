/// A dataset cut into parts that each serve once as the test, the rest being the training.
///
/// Only whole split units (`LabeledDataset.splitGroups`) move: the recordings of one person, or of one file, and all copies
/// of them are on the same side of every fold. Nothing is random, so the same dataset has the same folds everywhere.
///
/// ```swift
/// let folds = try Folds(of: dataset)      // leave one subject out, or ten folds of recordings
/// for fold in folds.folds {
///   let training = fold.training.map { dataset.recordings[$0] }
///   …
/// }
/// ```
public struct Folds: Sendable {
  /// How units become folds.
  public enum Scheme: Hashable, Sendable {
    /// Every unit is a fold.
    case leaveOneGroupOut
    /// Units are dealt to this many folds, or to fewer if there are fewer units.
    case groups(folds: Int)
    /// One fold: what passes any of the filters is tested on. What shares a unit with it, and does not pass, is neither
    /// tested on nor trained on.
    case holdOut([RecordingFilter])
  }

  /// One part of the dataset as the test, and the rest as the training.
  public struct Fold: Hashable, Sendable {
    /// What to call the fold: its group if it is one, else its number.
    public let name: String
    /// The groups that are tested on, in natural order.
    public let groups: [String]
    /// The positions in `dataset.recordings` of what is trained on, ascending.
    public let training: [Int]
    /// The positions in `dataset.recordings` of what is tested on, ascending.
    public let test: [Int]
  }

  /// How the units became folds.
  public let scheme: Scheme

  /// The folds. Every recording is tested on in exactly one, but for a scheme that holds out only some.
  public let folds: [Fold]

  /// The most subjects for which every one is a fold of its own.
  public static let subjectLimit = 64

  /// The number of folds where every unit cannot be one: Kohavi, "A Study of Cross-Validation", IJCAI 1995, found ten best.
  public static let defaultCount = 10

  /// The folds that suit the dataset: leave one subject out for up to 64 subjects, else ten folds of whole units.
  ///
  /// - Throws: `FoldsError`.
  public init(of dataset: LabeledDataset) throws(FoldsError) {
    try self.init(of: dataset, scheme: Self.scheme(for: dataset))
  }

  /// How many folds a dataset has at most, for whoever shows progress.
  public static func count(of dataset: LabeledDataset, scheme: Scheme? = nil) -> Int {
    switch scheme ?? Self.scheme(for: dataset) {
    case .leaveOneGroupOut: Set(dataset.splitGroups.values).count
    case .groups(let count): min(count, Set(dataset.splitGroups.values).count)
    case .holdOut: 1
    }
  }

  /// The scheme that suits a dataset.
  static func scheme(for dataset: LabeledDataset) -> Scheme {
    switch dataset.grouping {
    case .subject where dataset.units.count <= subjectLimit: .leaveOneGroupOut
    case .timeBlock: .leaveOneGroupOut
    case .subject, .recording, .subjectOrRecording: .groups(folds: defaultCount)
    }
  }

  /// The folds of a scheme.
  ///
  /// `.groups` sorts the units by their label (the one that they hold most of) and deals them out in turn, so that every
  /// fold has its share of every label.
  ///
  /// - Throws: `FoldsError` if there are fewer than two units, a fold's training lacks a label, or nothing passes a filter.
  /// - Precondition: a number of folds is at least 2.
  public init(of dataset: LabeledDataset, scheme: Scheme) throws(FoldsError) {
    self.scheme = scheme
    switch scheme {
    case .holdOut(let filters): folds = [try Self.fold(of: dataset, holdingOut: filters)]
    case .leaveOneGroupOut: folds = try Self.folds(of: dataset, count: .max)
    case .groups(let count):
      precondition(count >= 2, "cross-validation needs at least 2 folds, not \(count)")
      folds = try Self.folds(of: dataset, count: count)
    }
    try check(dataset)
  }

  /// Refuses a fold in which a label cannot be learnt.
  private func check(_ dataset: LabeledDataset) throws(FoldsError) {
    for fold in folds {
      let trained = Set(fold.training.map { dataset.recordings[$0].label })
      if let label = dataset.labels.first(where: { !trained.contains($0) }) {
        throw .labelOnlyInTest(label, groups: fold.groups)
      }
    }
  }
}

extension Folds {
  /// Recordings that stay together.
  private struct Unit {
    let name: String
    let label: String
    let recordings: [Int]
  }

  /// The dataset's units in natural order of their names.
  private static func units(of dataset: LabeledDataset) -> [Unit] {
    let members = Dictionary(grouping: dataset.recordings.indices) {
      dataset.splitGroups[dataset.recordings[$0].group]!
    }
    return members.keys.sortedAndUnique().map { name in
      var seconds: [String: Double] = [:]
      for index in members[name]! {
        seconds[dataset.recordings[index].label, default: 0] += dataset.recordings[index].recording.duration
      }
      let label = seconds.min { ($1.value, $0.key) < ($0.value, $1.key) }!.key
      return Unit(name: name, label: label, recordings: members[name]!)
    }
  }

  /// `count` folds, or one for every unit where there are fewer.
  private static func folds(of dataset: LabeledDataset, count: Int) throws(FoldsError) -> [Fold] {
    let units = units(of: dataset)
    guard units.count >= 2 else { throw .tooFewUnits(groups: dataset.groups) }
    let parts = count >= units.count ? units.map { [$0] } : deal(units, into: count)
    return parts.indices.map { fold(of: dataset, testing: parts[$0], number: $0 + 1, count: parts.count) }
  }

  private static func deal(_ units: [Unit], into count: Int) -> [[Unit]] {
    var parts = [[Unit]](repeating: [], count: count)
    let sorted = units.sorted { $0.label == $1.label ? $0.name.naturallyPrecedes($1.name) : $0.label < $1.label }
    for (position, unit) in sorted.enumerated() { parts[position % count].append(unit) }
    return parts
  }

  private static func fold(
    of dataset: LabeledDataset, holdingOut filters: [RecordingFilter]
  ) throws(FoldsError) -> Fold {
    for filter in filters where !dataset.recordings.contains(where: { filter.passes($0.fields) }) {
      throw .nothingHeldOut(filter)
    }
    let test = dataset.recordings.indices.filter { index in
      filters.contains { $0.passes(dataset.recordings[index].fields) }
    }
    let units = Set(test.map { dataset.splitGroups[dataset.recordings[$0].group]! })
    let tested = test.map { dataset.recordings[$0].group }.sortedAndUnique()
    return Fold(
      name: filters.map(\.description).joined(separator: " "), groups: tested,
      training: dataset.recordings.indices.filter {
        !units.contains(dataset.splitGroups[dataset.recordings[$0].group]!)
      },
      test: test)
  }

  private static func fold(of dataset: LabeledDataset, testing units: [Unit], number: Int, count: Int) -> Fold {
    let test = units.flatMap(\.recordings).sorted()
    let groups = test.map { dataset.recordings[$0].group }.sortedAndUnique()
    let tested = Set(test)
    return Fold(
      name: groups.count == 1 ? groups[0] : "\(number) of \(count)", groups: groups,
      training: dataset.recordings.indices.filter { !tested.contains($0) }, test: test)
  }
}

/// Why a dataset cannot be cut into folds.
public enum FoldsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are fewer than two units to put on two sides.
  case tooFewUnits(groups: [String])
  /// A label occurs in these groups alone, which are tested on together: no other fold could learn it.
  case labelOnlyInTest(String, groups: [String])
  /// No recording passes a filter for what to hold out.
  case nothingHeldOut(RecordingFilter)

  /// One sentence that says what is wrong and how to mend it.
  public var description: String {
    switch self {
    case .tooFewUnits(let groups) where groups.count > 1:
      "the groups \(groups.listed()) share copies and cannot be kept apart; cross-validation needs recordings of another group."
    case .tooFewUnits(let groups):
      "there is only the group \(groups.listed()); cross-validation needs recordings of at least two."
    case .nothingHeldOut(let filter):
      "no recording passes \"\(filter)\", which says what to hold out; name a placeholder of the layout and a value that it has."
    case .labelOnlyInTest(let label, let groups):
      "label \"\(label)\" occurs in \(groups.listed()) alone, so that nothing is left to learn it from while they are tested:"
        + " add recordings of it from another group, or map it to another label."
    }
  }
}
