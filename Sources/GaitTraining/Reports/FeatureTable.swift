import Foundation
import Gait
import GaitFormats

/// The features of every window of some recordings, as a table of comma-separated values.
///
/// The first row names the columns: `label`, `subject`, `recording`, `start` (the time of the window's first sample in
/// seconds), then the features by their text. A number is the shortest decimal that reads back as the same value. An
/// unknown label or subject is empty. Fields with a comma, a quote or a line end are quoted according to RFC 4180.
///
/// Windows and values are the same as those of `Recording.features`, and of a model with the same features, shape and
/// rate.
public struct FeatureTable: Sendable {
  /// The columns before the features.
  public static let leadingColumns = ["label", "subject", "recording", "start"]

  /// The features, in the order of their columns.
  public let features: [Feature]
  /// The window length and hop.
  public let shape: WindowShape
  /// The sample rate at which features are computed, independent of a recording's own.
  public let sampleRate: SampleRate

  /// A recording with its label and subject.
  public struct Source: Sendable {
    /// The samples. The recording's name fills the column `recording`.
    public var recording: Recording
    /// The label, if known.
    public var label: String?
    /// The recorded person, if known.
    public var subject: String?

    /// A recording with its label and subject.
    public init(_ recording: Recording, label: String? = nil, subject: String? = nil) {
      self.recording = recording
      self.label = label
      self.subject = subject
    }
  }

  /// The rows of one recording.
  public struct Section: Sendable {
    /// The number of windows, one row each.
    public fileprivate(set) var windows = 0
    /// The rows as UTF-8, each ended by a line feed.
    public fileprivate(set) var bytes: [UInt8] = []
  }

  /// A table of some features.
  ///
  /// - Throws: `ModelError.invalid` if the features do not fit windows of `shape`.
  public init(
    features: [Feature] = Feature.orientationFree, shape: WindowShape = WindowShape(),
    sampleRate: SampleRate = .canonical
  ) throws(ModelError) {
    guard !features.isEmpty else { throw .feature(.noFeatures) }
    _ = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    self.features = features
    self.shape = shape
    self.sampleRate = sampleRate
  }

  /// The header row, ended by a line feed.
  public var header: [UInt8] {
    CommaSeparatedRow.bytes(Self.leadingColumns + features.map(\.description))
  }

  /// The rows of each recording, in order; a recording shorter than a window has none.
  ///
  /// Recordings are processed on all cores; the result does not depend on their number.
  ///
  /// - Parameters:
  ///   - sources: the recordings.
  ///   - allowsSlowSource: whether to accept recordings that are too slow for the features.
  ///   - sectionDone: called after each recording, from any thread.
  /// - Throws: `TrainingError` if a recording lacks a channel that the features need, or is too slow for them.
  public func sections(
    of sources: [Source], allowsSlowSource: Bool = false, sectionDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> [Section] {
    let needs = FeatureNeeds(of: features, allowsSlowSource: allowsSlowSource)
    for source in sources { try needs.check(source.recording, name: source.recording.name) }
    do {
      return try sources.mappedConcurrently { (source) throws(ModelError) in
        defer { sectionDone() }
        return try section(of: source)
      }
    } catch {
      throw .features(error)
    }
  }

  /// The time of each window's first sample, and the features, shape `[windows × features]`.
  ///
  /// - Throws: `TrainingError` if the recording lacks a channel that the features need, or is too slow for them.
  package func matrix(
    of recording: Recording, allowsSlowSource: Bool = false
  ) throws -> (starts: [SampleTime], values: FeatureMatrix) {
    try FeatureNeeds(of: features, allowsSlowSource: allowsSlowSource).check(recording, name: recording.name)
    return try recording.features(features, shape: shape, sampleRate: sampleRate)
  }

  /// The index of windows beside an array of their features: a row with each window's start in seconds.
  package static func index(of starts: [SampleTime]) -> [UInt8] {
    starts.reduce(into: Array("start\n".utf8)) { bytes, start in
      DecimalSeconds.append(start.nanoseconds, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  private func section(of source: Source) throws(ModelError) -> Section {
    var lead: [UInt8] = []
    for text in [source.label ?? "", source.subject ?? "", source.recording.name] {
      CSVField.append(text, to: &lead)
      lead.append(CommaSeparatedRow.comma)
    }
    var section = Section()
    try source.recording.forEachWindow(features: features, shape: shape, sampleRate: sampleRate) { start, values in
      section.windows += 1
      section.bytes += lead
      section.bytes += start.seconds.description.utf8
      for value in values {
        section.bytes.append(CommaSeparatedRow.comma)
        // A `Float`'s description is the shortest decimal that reads back the same.
        if value.isFinite { section.bytes += value.description.utf8 }
      }
      section.bytes.append(UInt8(ascii: "\n"))
    }
    return section
  }
}

extension FeatureTable.Source {
  /// A recording of a dataset, with its label and subject.
  public init(_ labeled: LabeledRecording) {
    self.init(labeled.recording, label: labeled.label, subject: labeled.subject)
  }

  /// The stretches of a recording with one label and one subject each; the whole recording if it has neither.
  public static func stretches(of annotated: AnnotatedRecording) -> [FeatureTable.Source] {
    let recording = annotated.recording
    let whole = [LabelRun(label: nil, rows: 0..<recording.count)]
    let (labels, subjects) = (annotated.labels ?? whole, annotated.subjects ?? whole)
    return labels.flatMap { label in
      subjects.compactMap { subject in
        let rows = label.rows.clamped(to: subject.rows)
        let part = rows.count == recording.count ? recording : recording[rows]
        return rows.isEmpty ? nil : FeatureTable.Source(part, label: label.label, subject: subject.label)
      }
    }
  }

  /// The recordings in a folder and its subfolders, without labels: for layouts without `{label}`.
  ///
  /// If labels are known, read the folder as a `LabeledDataset` instead.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - layout: the layout of paths relative to the folder: the positions of subject and other fields.
  ///   - options: how to read the recordings.
  ///   - only: filters for recordings to keep; a recording must pass all of them.
  ///   - except: filters for recordings to leave out; a recording must pass none of them.
  /// - Throws: `DatasetError`; if several recordings cannot be read, it names the first in path order.
  public static func unlabelled(
    in directory: URL, layout: PathLayout, options: ReadingOptions = ReadingOptions(), only: [RecordingFilter] = [],
    except: [RecordingFilter] = []
  ) throws(DatasetError) -> [FeatureTable.Source] {
    let files = try FolderListing(directory: directory, layout: layout).selecting(only: only, except: except)
    do throws(RecordingError) {
      return try files.mappedConcurrently { (file) throws(RecordingError) in
        FeatureTable.Source(
          try AnnotatedRecording(contentsOf: file.url, options).recording, subject: file.fields["subject"])
      }
    } catch {
      throw .recording(error)
    }
  }
}
