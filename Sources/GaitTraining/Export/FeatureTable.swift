import Foundation
import Gait
import GaitFormats

/// The features of every window of some recordings, as a table of comma-separated values.
///
/// The first row names the columns: `label`, `subject`, `recording`, `start` (the time of the window's first sample in
/// seconds), `coverage` (the share of its samples that were measured), then the features by their text. A number is the
/// shortest decimal that reads back as the same value. An unknown label or subject is empty. Fields with a comma, a
/// quote or a line end are quoted according to RFC 4180.
///
/// Windows and values are the same as those of `Recording.features`, and as those of a model with the same features,
/// shape and rate.
package struct FeatureTable: Sendable {
  /// The columns before the features.
  package static let leadingColumns = ["label", "subject", "recording", "start", "coverage"]

  /// The features, in the order of their columns.
  package let features: [Feature]
  /// The window length and hop.
  package let shape: WindowShape
  /// The sample rate at which features are computed, independent of a recording's own.
  package let sampleRate: SampleRate

  /// A recording with its label and subject.
  package struct Source: Sendable {
    /// The samples. The recording's name fills the column `recording`.
    package var recording: Recording
    /// The label, if known.
    package var label: String?
    /// The recorded person, if known.
    package var subject: String?

    package init(_ recording: Recording, label: String? = nil, subject: String? = nil) {
      self.recording = recording
      self.label = label
      self.subject = subject
    }
  }

  /// The rows of one recording.
  package struct Section: Sendable {
    /// The number of windows, one row each.
    package var windows: Int { measuredShares.count }
    /// The share of each window's samples that were measured, 0…1.
    package fileprivate(set) var measuredShares: [Float] = []
    /// The rows as UTF-8, each ended by a line feed.
    package fileprivate(set) var bytes: [UInt8] = []
  }

  /// A table of some features.
  ///
  /// - Throws: `ModelError.invalid` if the features do not fit windows of `shape`.
  package init(
    features: [Feature] = Feature.orientationFree, shape: WindowShape = WindowShape(),
    sampleRate: SampleRate = .canonical
  ) throws(ModelError) {
    guard !features.isEmpty else { throw .noFeatures }
    _ = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    self.features = features
    self.shape = shape
    self.sampleRate = sampleRate
  }

  /// The header row, ended by a line feed.
  package var header: [UInt8] {
    CommaSeparatedRow.bytes(Self.leadingColumns + features.map(\.description))
  }

  /// The rows of each recording, in order; a recording shorter than a window has none.
  ///
  /// Recordings are processed on all cores; the result does not depend on their number.
  ///
  /// - Parameters:
  ///   - sources: the recordings.
  ///   - allowsSlowSource: whether to accept recordings that are too slow for the features.
  /// - Throws: `TrainingError` if a recording lacks a channel that the features need, or is too slow for them.
  package func sections(
    of sources: [Source], allowsSlowSource: Bool = false
  ) throws(TrainingError) -> [Section] {
    let needs = FeatureNeeds(of: features, allowsSlowSource: allowsSlowSource)
    for source in sources { try needs.check(source.recording, name: source.recording.name) }
    do {
      return try sources.mappedConcurrently(showing: "recording") { (source) throws(ModelError) in
        try section(of: source)
      }
    } catch {
      throw .features(error)
    }
  }

  /// Appends a window's row of the index beside an array of features: its start in seconds, and the share of its
  /// samples that were measured.
  fileprivate static func append(_ start: SampleTime, _ measuredShare: Float, toIndex bytes: inout [UInt8]) {
    DecimalSeconds.append(start.nanoseconds, to: &bytes)
    bytes.append(CommaSeparatedRow.comma)
    bytes += measuredShare.description.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  private func section(of source: Source) throws(ModelError) -> Section {
    let lead = Self.lead(of: source)
    var (section, stream) = (Section(), try FeatureStream(features: features, shape: shape, sampleRate: sampleRate))
    var resampler = resampler(from: source.recording.sampleRate)
    forEachWindow(of: source.recording, through: &resampler, &stream) { start, share, values in
      section.measuredShares.append(share)
      Self.append(lead, start, share, values, to: &section.bytes)
    }
    return section
  }

  /// A resampler for the features. It records short gaps, from which the measured shares are computed.
  fileprivate func resampler(from rate: SampleRate) -> Resampler {
    var resampler = Resampler(
      from: rate, to: sampleRate, sensors: Set(features.flatMap(\.lane.neededChannels).map(\.sensor)))
    resampler.shortGaps = ShortGaps()
    return resampler
  }

  /// Calls `body` with the start of each window that a block closes, the share of its samples that were measured, and
  /// its features.
  fileprivate func forEachWindow(
    of block: Recording, through resampler: inout Resampler, _ stream: inout FeatureStream,
    _ body: (SampleTime, Float, ArraySlice<Float>) -> Void
  ) {
    var (starts, values): ([SampleTime], [Float]) = ([], [])
    resampler.append(contentsOf: block) {
      stream.append(contentsOf: $0) { start, features in
        starts.append(start)
        values.append(contentsOf: features)
      }
    }
    // The short gaps are known only after the resampler's call.
    let length = sampleRate.nanoseconds(ofSample: shape.sampleCount(at: sampleRate))
    let period = sampleRate.nanoseconds(ofSample: 1)
    for (window, start) in starts.enumerated() {
      let share = resampler.shortGaps?.measuredShare(from: start, length: length, period: period) ?? 1
      body(start, share, values[window * features.count..<(window + 1) * features.count])
    }
  }

  /// The least share of measured samples without a warning.
  private static let usualShare: Float = 0.9

  /// A warning if a window lacks more than a tenth of its samples; otherwise empty.
  package static func warning(ofMeasured shares: [Float], in name: String) -> [String] {
    let few = shares.count { $0 < usualShare }
    guard few > 0 else { return [] }
    return [
      "\(few) of \(shares.count.counted("window")) of \(name) lack more than a tenth of their samples, which were "
        + "interpolated; the column coverage has the share that was measured"
    ]
  }

  /// The fields of a row before the window's start.
  fileprivate static func lead(of source: Source) -> [UInt8] {
    [source.label ?? "", source.subject ?? "", source.recording.name].reduce(into: []) { lead, text in
      CSVField.append(text, to: &lead, isForSpreadsheets: true)
      lead.append(CommaSeparatedRow.comma)
    }
  }

  /// Appends the row of a window.
  fileprivate static func append(
    _ lead: [UInt8], _ start: SampleTime, _ measuredShare: Float, _ values: ArraySlice<Float>, to bytes: inout [UInt8]
  ) {
    bytes += lead
    bytes += start.seconds.description.utf8
    bytes.append(CommaSeparatedRow.comma)
    bytes += measuredShare.description.utf8
    for value in values {
      bytes.append(CommaSeparatedRow.comma)
      // The description of a `Float` is the shortest decimal that reads back as the same value.
      if value.isFinite { bytes += value.description.utf8 }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// The features of a recording that is read in blocks. They are the rows of a `FeatureTable`, or an array with an index
/// of its windows. They are the same as the features of the whole recording.
package struct FeatureWriter {
  package enum Form: Sendable {
    /// Rows. If `isLabelled`, rows have the label and subject, and no window spans a change of either.
    case rows(isLabelled: Bool)
    /// NumPy values and rows with each window's start.
    case arrays
  }

  /// The number of windows so far.
  package var windows: Int { measuredShares.count }
  /// The share of each window's samples that were measured so far, 0…1.
  package private(set) var measuredShares: [Float] = []
  /// The labelled parts without a window so far: the recording's name and the part's length in seconds.
  package var emptyParts: [(name: String, duration: Double)] {
    ended + endedPart
  }
  private var ended: [(name: String, duration: Double)] = []
  private var part: Part?
  /// The last part, if it has no window.
  private var endedPart: [(name: String, duration: Double)] { part.map { $0.isEmpty ? [$0.length] : [] } ?? [] }

  /// A part of the recording with one label and subject.
  private struct Part {
    let source: FeatureTable.Source
    var isEmpty = true
    var end: SampleTime

    var length: (name: String, duration: Double) {
      let recording = source.recording
      return (
        recording.name, Double(end.nanoseconds - recording.start.nanoseconds) / 1e9 + 1 / recording.sampleRate.hertz
      )
    }
  }

  /// The rows or values so far, and the index of the windows of an array.
  package let values = SpooledBytes()
  package let index = SpooledBytes()
  private let table: FeatureTable
  private let needs: FeatureNeeds
  private let form: Form
  private let unused: FeatureStream
  private var stream: FeatureStream
  private var resampler: Resampler?
  private var lead: [UInt8] = []

  package init(_ table: FeatureTable, _ form: Form, allowsSlowSource: Bool) throws(ModelError) {
    (self.table, self.form) = (table, form)
    needs = FeatureNeeds(of: table.features, allowsSlowSource: allowsSlowSource)
    unused = try FeatureStream(features: table.features, shape: table.shape, sampleRate: table.sampleRate)
    stream = unused
  }

  /// Begins a recording. It may be called again for the next one.
  ///
  /// - Throws: `TrainingError` if the recording lacks a channel that the features need, or is too slow for them.
  package mutating func begin(_ recording: Recording) throws {
    try needs.check(recording, name: recording.name)
    (measuredShares, part, ended) = ([], nil, [])
    values.removeAll()
    index.removeAll()
  }

  /// Appends the windows that the next samples complete.
  ///
  /// - Throws: `FileWriteError` if a temporary file cannot be written.
  package mutating func append(_ block: RecordingBlock) throws {
    guard case .rows(isLabelled: true) = form else { return try append(FeatureTable.Source(block.recording)) }
    for part in FeatureTable.Source.stretches(of: block.recording, block.labels, block.subjects) { try append(part) }
  }

  private mutating func append(_ part: FeatureTable.Source) throws {
    guard part.recording.count > 0 else { return }
    let end = part.recording.time(at: part.recording.count - 1)
    if self.part?.source.label == part.label, self.part?.source.subject == part.subject, self.part != nil {
      self.part?.end = end
    } else {
      // `ended` is changed in place: a label may change at every row, and each copy of the array would take long.
      ended += endedPart
      resampler = table.resampler(from: part.recording.sampleRate)
      stream = unused
      lead = FeatureTable.lead(of: part)
      self.part = Part(
        source: FeatureTable.Source(part.recording[0..<1], label: part.label, subject: part.subject), end: end)
    }
    guard var resampler else { return }
    let (lead, form) = (lead, form)
    self.resampler = nil
    var (bytes, starts, shares): ([UInt8], [UInt8], [Float]) = ([], [], [])
    table.forEachWindow(of: part.recording, through: &resampler, &stream) { start, share, features in
      shares.append(share)
      guard case .arrays = form else { return FeatureTable.append(lead, start, share, features, to: &bytes) }
      NumPyFile.append(features, to: &bytes)
      FeatureTable.append(start, share, toIndex: &starts)
    }
    self.resampler = resampler
    measuredShares += shares
    if !shares.isEmpty { self.part?.isEmpty = false }
    try values.append { $0 += bytes }
    try index.append { $0 += starts }
  }

  /// The contents of the files: their endings, such as `.features.csv`, and their bytes.
  package var files: [(ending: String, parts: [SpooledBytes])] {
    guard case .arrays = form else { return [(".features.csv", [SpooledBytes(table.header), values])] }
    let header = NumPyFile.header(rows: windows, columns: table.features.count)
    return [
      (".features.npy", [SpooledBytes(header), values]),
      (".windows.csv", [SpooledBytes(Array("start,coverage\n".utf8)), index]),
    ]
  }
}

extension FeatureTable.Source {
  /// A recording of a dataset, with its label and subject.
  package init(_ labeled: LabeledRecording) {
    self.init(labeled.recording, label: labeled.label, subject: labeled.subject)
  }

  /// Cuts a recording into stretches with one label and one subject each. A recording without labels and subjects is
  /// one stretch.
  package static func stretches(of annotated: AnnotatedRecording) -> [FeatureTable.Source] {
    stretches(of: annotated.recording, annotated.labels, annotated.subjects)
  }

  fileprivate static func stretches(
    of recording: Recording, _ labels: [LabelRun]?, _ subjects: [LabelRun]?
  ) -> [FeatureTable.Source] {
    let whole = [LabelRun(label: nil, rows: 0..<recording.count)]
    return (labels ?? whole).crossing(subjects ?? whole).map { run in
      let part = run.rows.count == recording.count ? recording : recording[run.rows]
      return FeatureTable.Source(part, label: run.label, subject: run.subject)
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
  package static func unlabelled(
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

/// A matrix of features as a NumPy file.
///
/// Source: NumPy, numpy.lib.format, version 1.0.
enum NumPyFile {
  /// The header of a file with little-endian float32 values of shape `[rows × columns]`.
  static func header(rows: Int, columns: Int) -> [UInt8] {
    let shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // The values begin at a multiple of 64 bytes.
    let length = (10 + shape.utf8.count + 1 + 63) / 64 * 64 - 10
    let text = shape + String(repeating: " ", count: length - shape.utf8.count - 1) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(text.utf8)
  }

  /// Appends the values of a row.
  static func append(_ row: ArraySlice<Float>, to bytes: inout [UInt8]) {
    for value in row { withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 } }
  }
}
