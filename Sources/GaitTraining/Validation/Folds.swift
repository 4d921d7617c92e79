import Foundation

/// The folds of a cross-validation. Each is tested on once, by a model trained on the others.
///
/// Folds consist of whole split units (`LabeledDataset.splitGroups`). The recordings of one person, or of one file, and
/// all recordings that share rows with them are on the same side of every fold. Folds are not random: they follow from
/// the dataset.
///
/// ```swift
/// let folds = try Folds(of: dataset)      // leave one subject out, or ten folds of recordings
/// for fold in folds.folds {
///   let training = fold.training.map { dataset.recordings[$0] }
///   …
/// }
/// ```
public struct Folds: Sendable {
  /// How units are assigned to folds.
  public enum Scheme: Hashable, Sendable {
    /// Every unit is a fold.
    case leaveOneGroupOut
    /// Units are distributed over this many folds. If there are fewer units, each unit is a fold.
    case groups(folds: Int)
    /// There is one fold. Recordings that pass any of the filters are tested on. Other recordings of the same units are
    /// neither tested on nor trained on.
    case holdOut([RecordingFilter])
  }

  /// A split of the dataset into test and training recordings.
  public struct Fold: Hashable, Sendable {
    /// The fold's name: its test group if there is only one, otherwise its number, such as `3 of 10`. A hold-out has
    /// the texts of its filters.
    public let name: String
    /// The test groups, in natural order.
    public let groups: [String]
    /// The positions of the training recordings in `dataset.recordings`, ascending.
    public let training: [Int]
    /// The positions of the test recordings in `dataset.recordings`, ascending.
    public let test: [Int]
  }

  /// How units were assigned to folds.
  public let scheme: Scheme

  /// The folds. Every recording is tested on in exactly one of them, except if the scheme is `holdOut`.
  public let folds: [Fold]

  /// The maximum number of subjects for which every subject is a fold.
  public static let subjectLimit = 64

  /// The number of folds if not every unit is one. Ten is best according to Kohavi, "A Study of Cross-Validation",
  /// IJCAI 1995.
  public static let defaultCount = 10

  /// The default folds of a dataset: leave one subject out for up to 64 subjects; ten folds of whole units for more, or
  /// if subjects are unknown. If recordings are cut into blocks of time, every block is a fold.
  ///
  /// - Throws: `FoldsError`.
  public init(of dataset: LabeledDataset) throws(FoldsError) {
    try self.init(of: dataset, scheme: Self.scheme(for: dataset))
  }

  /// The maximum number of folds of a dataset, for progress bars; by default with the default scheme.
  public static func count(of dataset: LabeledDataset, scheme: Scheme? = nil) -> Int {
    switch scheme ?? Self.scheme(for: dataset) {
    case .leaveOneGroupOut: Set(dataset.splitGroups.values).count
    case .groups(let count): min(count, Set(dataset.splitGroups.values).count)
    case .holdOut: 1
    }
  }

  /// The default scheme of a dataset.
  static func scheme(for dataset: LabeledDataset) -> Scheme {
    switch dataset.grouping {
    case .subject where dataset.units.count <= subjectLimit: .leaveOneGroupOut
    case .timeBlock: .leaveOneGroupOut
    case .subject, .recording, .subjectOrRecording: .groups(folds: defaultCount)
    }
  }

  /// The folds of a scheme.
  ///
  /// `.groups` sorts the units by the label that lasts longest in them, and assigns them to the folds in turn. Every
  /// fold then has about its share of every label.
  ///
  /// - Throws: `FoldsError` if there are fewer than two units, a fold's training recordings lack a label, or no
  ///   recording passes a filter.
  /// - Precondition: the number of folds is at least 2.
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

  /// Checks that the training recordings of every fold have every label.
  private func check(_ dataset: LabeledDataset) throws(FoldsError) {
    for fold in folds {
      let trained = Set(fold.training.map { dataset.recordings[$0].label })
      if let label = dataset.labels.first(where: { !trained.contains($0) }) {
        throw .labelOnlyInTest(label, groups: fold.groups)
      }
    }
  }

  /// Recordings that stay together, and the label that lasts longest in them.
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

  /// `count` folds. If there are fewer units, each unit is a fold.
  private static func folds(of dataset: LabeledDataset, count: Int) throws(FoldsError) -> [Fold] {
    let units = units(of: dataset)
    guard units.count >= 2 else { throw .tooFewUnits(groups: dataset.groups) }
    let parts = count >= units.count ? units.map { [$0] } : distribute(units, into: count)
    return parts.indices.map { fold(of: dataset, testing: parts[$0], number: $0 + 1, count: parts.count) }
  }

  private static func distribute(_ units: [Unit], into count: Int) -> [[Unit]] {
    var parts = [[Unit]](repeating: [], count: count)
    let sorted = units.sorted { $0.label == $1.label ? $0.name.naturallyPrecedes($1.name) : $0.label < $1.label }
    for (position, unit) in sorted.enumerated() { parts[position % count].append(unit) }
    return parts
  }

  private static func fold(
    of dataset: LabeledDataset, holdingOut filters: [RecordingFilter]
  ) throws(FoldsError) -> Fold {
    if let (filter, found) = filters.lazy.compactMap({ $0.unmatched(in: dataset.recordings) }).first {
      throw .nothingHeldOut(filter, found: found)
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

/// An error in splitting a dataset into folds.
public enum FoldsError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// There are fewer than two units.
  case tooFewUnits(groups: [String])
  /// A label occurs only in these groups, which are tested on together: no training recording has it.
  case labelOnlyInTest(String, groups: [String])
  /// No recording has these values of a hold-out filter. `found` has the values that recordings have. If no recording
  /// has the filter's placeholder, `found` has the names of the placeholders that exist.
  case nothingHeldOut(RecordingFilter, found: [String])

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .tooFewUnits(let groups) where groups.count > 1:
      "the groups \(groups.listed()) share copies and form a single unit; cross-validation needs recordings of "
        + "another group."
    case .tooFewUnits(let groups):
      "there is only one group, \(groups.listed()); cross-validation needs recordings of at least two."
    case .nothingHeldOut(let filter, let found):
      "no recording passes the hold-out filter \"\(filter)\""
        + NearName.cure(
          for: [filter.field] + filter.values, among: found, what: "layout's placeholders or their values")
    case .labelOnlyInTest(let label, let groups):
      "label \"\(label)\" occurs only in \(groups.listed()), so no training data have it when these are held out;"
        + " add recordings of it from another group, or map it to another label."
    }
  }
}
