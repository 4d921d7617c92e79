import Gait
import GaitFormats

/// The features of every window of some recordings, as a table of comma-separated values.
///
/// The first row names the columns: `label`, `subject`, `recording`, `start` (the time of the window's first sample in
/// seconds), then the features by their text. A number is the shortest decimal that reads back as the same value. A label
/// or subject that is not known is empty. Fields that hold a comma, a quote or a line end are quoted as RFC 4180 has it.
///
/// Windows are those that a model with the same features, shape and rate would see: `Recording.features` gives the same
/// values.
public struct FeatureTable: Sendable {
  /// The columns before the features.
  public static let leadingColumns = ["label", "subject", "recording", "start"]

  /// The features, in the order of their columns.
  public let features: [Feature]
  /// The windows and how far apart they begin.
  public let shape: WindowShape
  /// The rate that features are computed at, whatever a recording's own.
  public let sampleRate: SampleRate

  /// A recording and what is known about it.
  public struct Source: Sendable {
    /// The samples. Their name fills the column `recording`.
    public var recording: Recording
    /// What was done in the recording, if that is known.
    public var label: String?
    /// Whose recording it is, if that is known.
    public var subject: String?

    /// A recording and what is known about it.
    public init(_ recording: Recording, label: String? = nil, subject: String? = nil) {
      self.recording = recording
      self.label = label
      self.subject = subject
    }
  }

  /// The rows of one recording.
  public struct Section: Sendable {
    /// How many windows, one row each.
    public fileprivate(set) var windows = 0
    /// The rows as UTF-8, each ended by a line feed.
    public fileprivate(set) var bytes: [UInt8] = []
  }

  /// A table of some features.
  ///
  /// - Throws: `ModelError.invalid` where windows of `shape` cannot have the features.
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

  /// The row that names the columns, ended by a line feed.
  public var header: [UInt8] {
    CommaSeparatedRow.bytes(Self.leadingColumns + features.map(\.description))
  }

  /// The rows of each recording, in order; a recording shorter than a window has none.
  ///
  /// Recordings are computed on all cores; the result is the same on any number of them.
  ///
  /// - Parameters:
  ///   - sources: the recordings.
  ///   - allowsSlowSource: whether recordings too slow for the features are taken nevertheless.
  ///   - sectionDone: called after each recording, from any thread.
  /// - Throws: `TrainingError` where a recording lacks a channel that the features need, or is too slow for them.
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
