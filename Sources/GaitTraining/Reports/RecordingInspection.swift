import Foundation
import Gait
import GaitFormats

/// What there is to say of a file that holds a recording: how it lies in time, what its channels hold, what is missing,
/// and what was done about it.
///
/// As JSON it has the keys of its properties; those that are not known are absent.
public struct RecordingInspection: Encodable, Sendable {
  /// A stretch of samples in which a value of some channel is missing.
  public struct MissingStretch: Hashable, Encodable, Sendable {
    /// The first row, counted from 1 after the repairs.
    public var firstRow: Int
    /// How many rows.
    public var rows: Int
    /// From the recording's start, seconds; `nil` where no rate is known.
    public var start: Double?
    /// From the recording's start to the end of the last row's period, seconds.
    public var end: Double?
  }

  /// A time in which nothing was recorded.
  public struct Gap: Hashable, Encodable, Sendable {
    /// The sample before it, seconds from the recording's start.
    public var start: Double
    /// The sample after it, seconds from the recording's start.
    public var end: Double
  }

  /// A part with a rate of its own.
  public struct RatedPart: Hashable, Encodable, Sendable {
    /// From the recording's start, seconds.
    public var start: Double
    /// Samples in a second.
    public var hertz: Double
  }

  /// A label or subject and how much of the recording is its.
  public struct Share: Hashable, Encodable, Sendable {
    /// The text, empty where nothing is said.
    public var name: String
    /// Rows with it.
    public var rows: Int
  }

  /// The path as it was given.
  public let file: String
  /// Which recorder's form it has.
  public let format: String
  /// Samples after the repairs.
  public let rows: Int
  /// Samples in a second, where the rate changes those of the slowest part; absent where neither the file nor an option
  /// says so.
  public private(set) var sampleRate: Double?
  /// Who says so: `given`, `format` or `times`.
  public private(set) var rateSource: String?
  /// The parts, where the rate changes; absent where it does not.
  public private(set) var rates: [RatedPart]?
  /// Samples in a second by their times, gaps left out.
  public private(set) var measuredRate: Double?
  /// How far steps in time are from even ones: root of the mean square, seconds.
  public private(set) var jitter: Double?
  /// The time of the first sample by the file's own clock, seconds; absent without times.
  public private(set) var start: Double?
  /// Seconds.
  public private(set) var duration: Double?
  /// The channels that the file has.
  public let channels: [String]
  /// What each channel holds, by name.
  public let values: [String: ChannelSummary]
  /// Whether gravity is estimated from the total acceleration.
  public let gravityIsEstimated: Bool
  /// Whether the first row belonged to an earlier recording and was dropped.
  public let staleFirstRow: Bool
  /// What was done to the rows.
  public let repairs: [String]
  /// Where nothing was recorded.
  public let gaps: [Gap]
  /// Where a value is missing.
  public let missing: [MissingStretch]
  /// The file's labels; absent where it has none.
  public let labels: [Share]?
  /// The file's subjects; absent where it has none.
  public let subjects: [Share]?
  /// Steps a second; absent where nobody walks or runs, or no rate is known.
  public private(set) var stepFrequency: Double?

  /// Reads the file at `url` and looks at it.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: what is known about it.
  /// - Throws: `RecordingError`, though not where no rate is known.
  public init(contentsOf url: URL, _ options: ReadingOptions = ReadingOptions()) throws(RecordingError) {
    let table = try RecordingTable(contentsOf: url, options)
    let isTimed = options.sampleRate != nil || !table.times.isEmpty || table.statedPeriod != nil
    // Evenly spaced rows are the same rows at any rate.
    let sampleRate = isTimed ? options.sampleRate : .canonical
    self.init(try AnnotatedRecording(table, sampleRate: sampleRate), isTimed: isTimed)
  }

  /// Looks at a recording.
  ///
  /// - Parameter isTimed: whether its rate is known.
  init(_ annotated: AnnotatedRecording, isTimed: Bool) {
    let recording = annotated.recording
    file = recording.name
    format = annotated.format.rawValue
    rows = recording.count
    channels = Channel.allCases.filter(recording.channels.contains).map(\.rawValue)
    values = ChannelSummary.summaries(of: recording)
    gravityIsEstimated = recording.gravityIsEstimated
    staleFirstRow = recording.repairs.contains(.droppedStaleFirstRow)
    repairs = recording.repairs.map(\.description)
    gaps = recording.gaps.map { Gap(start: recording.seconds($0.lowerBound), end: recording.seconds($0.upperBound)) }
    missing = annotated.missingRows.map { rows in
      MissingStretch(
        firstRow: rows.lowerBound + 1, rows: rows.count,
        start: isTimed ? recording.seconds(recording.time(at: rows.lowerBound)) : nil,
        end: isTimed
          ? recording.seconds(recording.time(at: rows.upperBound - 1)) + 1 / recording.sampleRate.hertz : nil)
    }
    labels = annotated.labels.map(Self.shares)
    subjects = annotated.subjects.map(Self.shares)
    if isTimed { describeTime(of: annotated) }
  }

  private mutating func describeTime(of annotated: AnnotatedRecording) {
    let recording = annotated.recording
    let parts = annotated.timing.parts
    sampleRate = parts.map(\.hertz).min() ?? recording.sampleRate.hertz
    if !parts.isEmpty {
      rates = parts.map { RatedPart(start: max(0, recording.seconds($0.start)), hertz: $0.hertz) }
    }
    rateSource = annotated.timing.source.rawValue
    measuredRate = annotated.timing.measuredHertz
    jitter = annotated.timing.jitter
    if measuredRate != nil { start = recording.start.seconds }
    duration = recording.duration
    stepFrequency = recording.stepFrequency()
  }

  private static func shares(_ runs: [LabelRun]) -> [Share] {
    let rows = runs.reduce(into: [:]) { $0[$1.label ?? "", default: 0] += $1.rows.count }
    return rows.keys.sorted().map { Share(name: $0, rows: rows[$0]!) }
  }
}

extension Recording {
  /// Seconds from the recording's start.
  fileprivate func seconds(_ time: SampleTime) -> Double {
    Double(time.nanoseconds - start.nanoseconds) / 1e9
  }
}
