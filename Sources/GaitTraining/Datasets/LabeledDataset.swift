import Foundation
import Gait
import GaitFormats

/// Labelled recordings in groups, for training and evaluation.
///
/// ```swift
/// let dataset = try LabeledDataset(
///   directory: folder, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
///   labels: LabelMap(["jog=running", "wlk,ups,dws=walking", "sit,std=still"]))
/// dataset.labels                          // ["running", "still", "walking"]
/// dataset.groups                          // ["1", "2", "3", …], the subjects
/// ```
///
/// A group is never on both sides of a split. It is the subject if the layout has `{subject}`; without it, the file.
/// Groups whose recordings share rows (copies or overlaps) form one unit in `splitGroups`. Splits by window are not
/// supported.
public struct LabeledDataset: Sendable {
  /// The dataset's name: the folder's name, not its path.
  public let name: String

  /// The recordings, in natural order of their paths (`sub_2` before `sub_10`).
  public let recordings: [LabeledRecording]

  /// The labels that occur, sorted.
  public let labels: [String]

  /// The groups that occur, in natural order.
  public let groups: [String]

  /// The copies and overlaps among the recordings.
  package let duplicates: Duplicates

  /// The kind of group.
  public let grouping: Grouping

  /// The split unit of every group: its own name or, for groups whose recordings share rows, the name of the first of
  /// these groups.
  public let splitGroups: [String: String]

  /// The units that no split cuts, in natural order: the groups, where groups that share recordings are merged.
  ///
  /// People are counted by units: a person who has two names in two folders counts once.
  public var units: [String] { groups.map { splitGroups[$0]! }.sortedAndUnique() }

  /// The number of files in the folder that do not match the layout, not counting hidden ones.
  public let ignoredFileCount: Int

  /// The duration of the rows without a label, seconds. They are skipped.
  public let unlabelledSeconds: Double

  /// The sets of a collection, each with its author and licence; `nil` if the collection states none.
  public package(set) var attributions: [String]?

  /// Warnings about files that were skipped.
  let readingWarnings: [String]

  /// A dataset from the recordings in a folder and its subfolders.
  ///
  /// Hidden files are skipped. Files whose path does not match the layout are skipped and counted. Files are read on
  /// all cores; the result does not depend on the number of cores.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - layout: the layout of paths relative to the folder: the positions of label, subject and other fields.
  ///   - options: how to read the files. If it names a label column, every stretch of rows with one label becomes a
  ///     recording of its own, in its file's group; rows without a label are skipped and counted.
  ///   - map: the label map.
  ///   - only: filters for recordings to keep; a recording must pass all of them.
  ///   - except: filters for recordings to leave out; a recording must pass none of them.
  ///   - intervals: the suffix of the files with label intervals (`LabelIntervals`), such as `labels.csv` for
  ///     `walk.labels.csv` beside `walk.csv`. Inside a recording that is a folder, it is the file's name. Stretches
  ///     become recordings, as with a label column. Recordings without such a file are not used.
  /// - Throws: `DatasetError`; if several recordings cannot be read, it names the first in path order.
  public init(
    directory: URL,
    layout: PathLayout,
    options: ReadingOptions,
    labels map: LabelMap = LabelMap(),
    only: [RecordingFilter] = [],
    except: [RecordingFilter] = [],
    intervals: String? = nil
  ) throws(DatasetError) {
    let labelColumn = options.labelColumn
    try Self.checkLabelSource(layout, labelColumn, intervals)
    let listing = try FolderListing(directory: directory, layout: layout)
    if layout.fieldNames.contains("label") {
      try Self.check(map, against: Set(listing.files.compactMap { $0.fields["label"] }))
    }
    let files = try listing.selecting(only: only, except: except, intervals: intervals)
    let reader = DatasetReader(options: options, labels: map, intervals: intervals)
    let sources = try reader.read(files)
    if let source = labelColumn ?? intervals {
      let found = sources.reduce(into: Set()) { $0.formUnion($1.labels) }
      guard !found.isEmpty else { throw .noLabelledRows(folder: listing.folder, source: source) }
      try Self.check(map, against: found)
    }
    self.init(
      name: directory.standardizedFileURL.lastPathComponent, recordings: sources.flatMap(\.recordings),
      duplicates: Duplicates(among: sources.filter { !$0.recordings.isEmpty }.map(\.content)),
      ignoredFileCount: listing.ignoredFileCount,
      unlabelledSeconds: sources.reduce(0) { $0 + $1.unlabelledSeconds },
      readingWarnings: listing.warnings + Self.warnings(of: sources.compactMap(\.intervals)))
  }

  private static func warnings(of intervals: [(file: String, finding: DatasetReader.IntervalsFinding)]) -> [String] {
    DatasetReader.IntervalsFinding.allCases.compactMap { finding in
      let files = intervals.filter { $0.finding == finding }.map(\.file)
      return files.isEmpty ? nil : finding.warning(files)
    }
  }

  /// A dataset from the recordings in a folder, with the layout as text.
  ///
  /// - Throws: `DatasetError.layout` if the layout is invalid; the other errors of the initializer that takes a
  ///   `PathLayout`.
  public init(
    directory: URL,
    layout: String,
    sampleRate: SampleRate? = nil,
    labels: LabelMap = LabelMap(),
    only: [RecordingFilter] = [],
    except: [RecordingFilter] = [],
    labelColumn: String? = nil,
    intervals: String? = nil
  ) throws(DatasetError) {
    let parsed: PathLayout
    do throws(PathLayoutError) {
      parsed = try PathLayout(layout)
    } catch {
      throw .layout(error)
    }
    try self.init(
      directory: directory, layout: parsed, options: ReadingOptions(sampleRate: sampleRate, labelColumn: labelColumn),
      labels: labels, only: only, except: except, intervals: intervals)
  }

  /// A dataset from recordings in memory.
  ///
  /// Recordings with the same path are stretches of one file and are not compared with each other for copies.
  ///
  /// - Parameters:
  ///   - recordings: the recordings, each with its label and its group.
  ///   - name: the dataset's name.
  public init(_ recordings: [LabeledRecording], name: String = "recordings in memory") {
    let stretches = Dictionary(grouping: recordings, by: \.path)
    let ordered = stretches.keys.sortedAndUnique().flatMap { stretches[$0]! }
    let contents = Self.contents(of: ordered)
    self.init(
      name: name, recordings: ordered, duplicates: Duplicates(among: contents), ignoredFileCount: 0,
      unlabelledSeconds: 0)
  }

  package init(
    name: String, recordings: [LabeledRecording], duplicates: Duplicates, ignoredFileCount: Int,
    unlabelledSeconds: Double, readingWarnings: [String] = [], grouping: Grouping? = nil
  ) {
    self.name = name
    self.recordings = recordings
    self.labels = Set(recordings.map(\.label)).sorted()
    self.groups = recordings.map(\.group).sortedAndUnique()
    self.duplicates = duplicates
    self.grouping = grouping ?? Grouping(of: recordings)
    self.splitGroups = duplicates.units(of: recordings.map { ($0.path, $0.group) })
    self.ignoredFileCount = ignoredFileCount
    self.unlabelledSeconds = unlabelledSeconds
    self.readingWarnings = readingWarnings
  }

  /// The dataset with only the recordings whose labels are in `known`, such as the labels of a model.
  ///
  /// Two groups that share rows stay one split unit, even if the recordings that share them are removed.
  public func keeping(labels known: some Sequence<String>) -> LabeledDataset {
    let known = Set(known)
    return with(recordings.filter { known.contains($0.label) })
  }

  /// The dataset with the recordings at some positions, ascending. Two groups that share rows stay one split unit.
  func with(positions: [Int]) -> LabeledDataset { with(positions.map { recordings[$0] }) }

  /// The dataset with other recordings. Copies and grouping stay the same if they are not given.
  package func with(
    _ recordings: [LabeledRecording], duplicates: Duplicates? = nil, grouping: Grouping? = nil
  ) -> LabeledDataset {
    var dataset = LabeledDataset(
      name: name, recordings: recordings, duplicates: duplicates ?? self.duplicates,
      ignoredFileCount: ignoredFileCount, unlabelledSeconds: unlabelledSeconds, readingWarnings: readingWarnings,
      grouping: grouping ?? self.grouping)
    dataset.attributions = attributions
    return dataset
  }

  /// Checks that the dataset has at least two labels.
  ///
  /// - Throws: `DatasetError.tooFewLabels` if there are fewer than two labels.
  public func requireTwoLabels() throws(DatasetError) {
    guard labels.count >= 2 else { throw .tooFewLabels(labels) }
  }

  /// Checks that no two recordings share rows.
  ///
  /// - Throws: `DatasetError.duplicates` with all copies and overlaps.
  public func requireNoDuplicates() throws(DatasetError) {
    guard !duplicates.isEmpty else { return }
    throw .duplicates(
      duplicates.copies.map { $0.joined(separator: " = ") } + duplicates.overlaps.map(\.description))
  }

  /// Warnings about copies, labels, repairs and skipped files; usually empty.
  public var warnings: [String] {
    var warnings = duplicates.contradictions.map { contradiction in
      "\(contradiction.paths.listed()) share rows but have the labels \(contradiction.labels.listed());"
        + " at least one label is wrong"
    }
    if !duplicates.copies.isEmpty {
      let pairs = duplicates.copies.map { $0.joined(separator: " = ") }
      let count = duplicates.redundantCount
      warnings.append(
        "\(count) recording\(count == 1 ? " is a copy" : "s are copies") of another; copies stay in one fold:"
          + " \(pairs.listed(limit: 20))")
    }
    if !duplicates.overlaps.isEmpty {
      let pairs = duplicates.overlaps.map(\.description)
      warnings.append(
        "\(pairs.count.counted("pair")) of recordings overlap; overlapping recordings stay in one fold:"
          + " \(pairs.listed(limit: 20))")
    }
    if unlabelledSeconds > 0 {
      warnings.append("skipped \(Int(saturating: unlabelledSeconds.rounded())) s without a label")
    }
    return warnings + readingWarnings + repairWarnings
  }

  private var repairWarnings: [String] {
    func files(where condition: (Recording) -> Bool) -> [LabeledRecording] {
      var paths: Set<String> = []
      return recordings.filter { condition($0.recording) && paths.insert($0.path).inserted }
    }
    var warnings: [String] = []
    let repaired = files(where: { !$0.repairs.changes.isEmpty })
    if let first = repaired.first {
      let what = first.recording.repairs.changes.map(\.description).joined(separator: ", ")
      let count = repaired.count == 1 ? "1 recording was" : "\(repaired.count) recordings were"
      warnings.append("\(count) repaired on reading, such as \(first.path): \(what)")
    }
    let estimated = files(where: \.gravityIsEstimated).count
    if estimated > 0 {
      warnings.append(
        "gravity is estimated in \(estimated.counted("recording")); a model trained on them may be less accurate on "
          + "measured gravity"
      )
    }
    return warnings
  }

  private static func checkLabelSource(
    _ layout: PathLayout, _ labelColumn: String?, _ intervals: String?
  ) throws(DatasetError) {
    let isInPath = layout.fieldNames.contains("label")
    if let intervals, isInPath || labelColumn != nil {
      throw .intervalsBesideLabels(intervals: intervals, other: labelColumn ?? layout.template)
    }
    switch (isInPath, labelColumn ?? intervals) {
    case (false, nil): throw .noLabelSource(layout: layout.template)
    case (true, let column?): throw .twoLabelSources(layout: layout.template, labelColumn: column)
    case (true, nil), (false, _?): break
    }
  }

  /// Checks that every label that the map changes occurs.
  static func check(_ map: LabelMap, against found: Set<String>) throws(DatasetError) {
    let unknown = map.sources.filter { !found.contains($0) }
    guard unknown.isEmpty else { throw .unknownLabels(unknown, found: found.sorted()) }
  }
}

/// A recording with its label, group and path.
public struct LabeledRecording: Sendable {
  /// The samples.
  public var recording: Recording

  /// The label of the whole recording, after mapping.
  public var label: String

  /// The group: recordings of one group are never split between training and test.
  public var group: String

  /// The recording's path relative to the dataset's folder.
  public var path: String

  /// The values of the layout's placeholders.
  public var fields: [String: String]

  /// A recording with its label.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - label: the label of the whole recording.
  ///   - group: the group; by default the field `subject`, or `path` if there is no such field.
  ///   - path: the recording's path; by default its name.
  ///   - fields: the values of the layout's placeholders, by name.
  public init(
    recording: Recording, label: String, group: String? = nil, path: String? = nil, fields: [String: String] = [:]
  ) {
    self.recording = recording
    self.label = label
    self.path = path ?? recording.name
    self.fields = fields
    self.group = group ?? fields["subject"] ?? self.path
  }

  /// The recorded person, if known.
  public var subject: String? { fields["subject"] }
}

/// The unit that a split must not cut: the person; if people are unknown, the file. Use blocks of time only if there is
/// one recording.
///
/// There is no grouping by window: neighbouring windows overlap, so a split by window would test on training data.
public enum Grouping: Hashable, Sendable {
  /// All recordings of one person. Measures performance on held-out people.
  case subject
  /// One file. Measures performance on held-out recordings, perhaps of people in the training data.
  case recording
  /// All recordings of one person. If the person is not known, one file.
  case subjectOrRecording
  /// One of `count` equal blocks of every recording. It measures performance on another minute of the recordings in the
  /// training data, which is nearly always better than on held-out people.
  case timeBlock(count: Int)

  /// The default grouping of recordings: by subject if subjects are known.
  package init(of recordings: [LabeledRecording]) {
    let known = recordings.count { $0.subject != nil }
    self = known == recordings.count ? .subject : known == 0 ? .recording : .subjectOrRecording
  }

  /// What one group is called, such as `subject`.
  public var noun: String {
    switch self {
    case .subject: "subject"
    case .recording: "recording"
    case .subjectOrRecording: "group"
    case .timeBlock: "time block"
    }
  }
}

extension LabeledDataset {
  /// The dataset with every file as a group of its own, even if several files are of one person.
  ///
  /// Copies still stay together in every split.
  public var groupedByRecording: LabeledDataset {
    with(
      recordings.map { labeled in
        var labeled = labeled
        labeled.group = labeled.path
        return labeled
      }, grouping: .recording)
  }

  /// The dataset with every recording cut into `count` parts of equal length. All first parts form one group, all
  /// second parts the next group, and so on.
  ///
  /// Parts are separate recordings, so no window spans two of them. The last `seconds` of a part are dropped, so that
  /// neighbouring parts are not alike; the last part of a recording is kept whole.
  ///
  /// - Parameters:
  ///   - count: the number of parts, at least 2.
  ///   - seconds: the time dropped between parts; a window's length or more.
  public func cut(intoBlocks count: Int, apart seconds: Double) -> LabeledDataset {
    precondition(count >= 2, "a recording is cut into 2 blocks or more, not \(count)")
    precondition(seconds >= 0, "the time between blocks must not be negative")
    let parts = recordings.flatMap { labeled in
      (0..<count).compactMap { block -> LabeledRecording? in
        let rows = labeled.recording.count
        let gap = block < count - 1 ? Int(saturating: (seconds * labeled.recording.sampleRate.hertz).rounded(.up)) : 0
        let (start, end) = (rows * block / count, rows * (block + 1) / count - gap)
        guard start < end else { return nil }
        return LabeledRecording(
          recording: labeled.recording[start..<end], label: labeled.label, group: "block \(block + 1)",
          path: "\(labeled.path), block \(block + 1)", fields: labeled.fields)
      }
    }
    return with(
      parts, duplicates: Duplicates(among: Self.contents(of: parts)), grouping: .timeBlock(count: count))
  }
}
