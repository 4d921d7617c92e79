import Foundation
import Gait
import GaitFormats

/// Recordings with labels and groups: what a model is fitted to and judged by.
///
/// ```swift
/// let dataset = try LabeledDataset(
///   directory: folder, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
///   labels: LabelMap(["jog=running", "wlk,ups,dws=walking", "sit,std=still"]))
/// dataset.labels                          // ["running", "still", "walking"]
/// dataset.groups                          // ["1", "2", "3", …], the subjects
/// ```
///
/// A group is what must not be on both sides of a split: the subject, where the layout has `{subject}`, else the file. Groups
/// that hold copies of one recording are one unit in `splitGroups`. A split by window is deliberately missing.
public struct LabeledDataset: Sendable {
  /// What the data are called: the folder's name, not its path.
  public let name: String

  /// The recordings, in natural order of their paths (`sub_2` before `sub_10`).
  public let recordings: [LabeledRecording]

  /// The labels that occur, sorted.
  public let labels: [String]

  /// The groups that occur, in natural order.
  public let groups: [String]

  /// Recordings that are the same under several names.
  public let duplicates: Duplicates

  /// What a group is.
  public let grouping: Grouping

  /// For every group the unit that it is split with: its own name, or the first of the groups that share a copy with it.
  public let splitGroups: [String: String]

  /// The units that no split cuts, in natural order: the groups, but for those that share recordings, which are one.
  ///
  /// People are counted by units: a person in two folders under two names counts once.
  public var units: [String] { groups.map { splitGroups[$0]! }.sortedAndUnique() }

  /// How many files of the folder, hidden ones aside, are not laid out like a recording.
  public let ignoredFileCount: Int

  /// How much was left out because its label is empty, in seconds.
  public let unlabelledSeconds: Double

  /// What reading the folders left out, a sentence each.
  let readingWarnings: [String]

  /// A dataset from the recordings in a folder and those inside it.
  ///
  /// Hidden files are left out, and so are files whose path is not laid out like the template; their number is kept. Files
  /// are read on all cores, and the result is the same on any number of them.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - layout: where the label, the subject and whatever else there is stand in a path relative to the folder.
  ///   - options: what is known about every file. Where it names a column of labels, because they are not in the path, every
  ///     stretch of one label becomes a recording of its own, in its file's group; rows without a label are left out and
  ///     counted.
  ///   - map: which labels are called something else.
  ///   - only: what to keep: a recording must pass every one of these filters.
  ///   - except: what to leave out: a recording must pass none of these filters.
  ///   - intervals: the ending of the files with label intervals, such as `labels.csv` for `walk.labels.csv` beside
  ///     `walk.csv`, or their name inside recordings that are folders (`LabelIntervals`). Stretches become recordings as with
  ///     a label column.
  /// - Throws: `DatasetError`; where several recordings cannot be read, the first of them in path order is named.
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
      duplicates: Duplicates(among: sources.map(\.content)),
      ignoredFileCount: listing.ignoredFileCount,
      unlabelledSeconds: sources.reduce(0) { $0 + $1.unlabelledSeconds },
      readingWarnings: listing.warnings + Self.warnings(ofEmptyIntervals: sources.compactMap(\.emptyIntervals)))
  }

  private static func warnings(ofEmptyIntervals files: [String]) -> [String] {
    files.isEmpty
      ? [] : ["files of label intervals without an interval, whose recordings have no label: \(files.listed())"]
  }

  /// A dataset from the recordings in a folder, its layout given as a template.
  ///
  /// - Throws: `DatasetError.layout` if the template is wrong; else as the initializer that takes a `PathLayout`.
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
  /// Recordings of one path are stretches of one file: none is looked upon as a copy of another.
  ///
  /// - Parameters:
  ///   - recordings: the recordings, each with its label and its group.
  ///   - name: what the data are called.
  public init(_ recordings: [LabeledRecording], name: String = "recordings in memory") {
    let stretches = Dictionary(grouping: recordings, by: \.path)
    let ordered = stretches.keys.sortedAndUnique().flatMap { stretches[$0]! }
    let contents = Self.contents(of: ordered)
    self.init(
      name: name, recordings: ordered, duplicates: Duplicates(among: contents), ignoredFileCount: 0,
      unlabelledSeconds: 0)
  }

  init(
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
}

extension LabeledDataset {
  /// The dataset without the recordings whose label is not among `known`, such as those that a model cannot know.
  ///
  /// What is known about copies stays, also where a copy goes.
  public func keeping(labels known: some Sequence<String>) -> LabeledDataset {
    let known = Set(known)
    return LabeledDataset(
      name: name, recordings: recordings.filter { known.contains($0.label) }, duplicates: duplicates,
      ignoredFileCount: ignoredFileCount, unlabelledSeconds: unlabelledSeconds, readingWarnings: readingWarnings,
      grouping: grouping)
  }

  /// Refuses a dataset that no classifier can be trained on.
  ///
  /// - Throws: `DatasetError.tooFewLabels` if there are fewer than two labels.
  public func requireTwoLabels() throws(DatasetError) {
    guard labels.count >= 2 else { throw .tooFewLabels(labels) }
  }

  /// Refuses a dataset in which recordings share rows.
  ///
  /// - Throws: `DatasetError.duplicates`, which names the first of them.
  public func requireNoDuplicates() throws(DatasetError) {
    guard !duplicates.isEmpty else { return }
    throw .duplicates(
      duplicates.copies.map { $0.joined(separator: " = ") } + duplicates.overlaps.map(\.description))
  }

  /// What whoever trains on the dataset should know, a sentence each; usually empty.
  public var warnings: [String] {
    var warnings = duplicates.contradictions.map { contradiction in
      "\(contradiction.paths.listed()) hold the same rows under the labels \(contradiction.labels.listed()):"
        + " at least one label is wrong"
    }
    if !duplicates.copies.isEmpty {
      let pairs = duplicates.copies.map { $0.joined(separator: " = ") }
      let count = duplicates.redundantCount
      warnings.append(
        "\(count) recording\(count == 1 ? " repeats another" : "s repeat others"), and copies stay in one fold:"
          + " \(pairs.listed(limit: 20))")
    }
    if !duplicates.overlaps.isEmpty {
      let pairs = duplicates.overlaps.map(\.description)
      warnings.append(
        "\(pairs.count) pair\(pairs.count == 1 ? "" : "s") of recordings share stretches, and stay in one fold:"
          + " \(pairs.listed(limit: 20))")
    }
    if unlabelledSeconds > 0 {
      warnings.append("\(Int(unlabelledSeconds.rounded())) s without a label were left out")
    }
    return warnings + readingWarnings + repairWarnings
  }

  private var repairWarnings: [String] {
    func files(_ isMeant: (Recording) -> Bool) -> [LabeledRecording] {
      var paths: Set<String> = []
      return recordings.filter { isMeant($0.recording) && paths.insert($0.path).inserted }
    }
    var warnings: [String] = []
    let repaired = files { !$0.repairs.isEmpty }
    if let first = repaired.first {
      let what = first.recording.repairs.map(\.description).joined(separator: ", ")
      let count = repaired.count == 1 ? "1 recording was" : "\(repaired.count) recordings were"
      warnings.append("\(count) repaired on reading, such as \(first.path): \(what)")
    }
    let estimated = files(\.gravityIsEstimated).count
    if estimated > 0 {
      warnings.append(
        "gravity is estimated in \(estimated) \(estimated == 1 ? "recording" : "recordings"); a model that learns from them may know little of measured gravity"
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
    default: break
    }
  }

  private static func check(_ map: LabelMap, against found: Set<String>) throws(DatasetError) {
    let unknown = map.sources.filter { !found.contains($0) }
    guard unknown.isEmpty else { throw .unknownLabels(unknown, found: found.sorted()) }
  }
}
