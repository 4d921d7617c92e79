import Foundation
import Gait
import GaitFormats

/// An inspection of a recording in a file: its timing, channels, missing values and repairs.
///
/// The JSON has the keys of the properties; unknown ones are absent.
package struct RecordingInspection: Encodable, Sendable {
  /// A stretch of samples in which a value of some channel is missing.
  package struct MissingStretch: Hashable, Encodable, Sendable {
    /// The first row, counted from 1 after the repairs.
    package var firstRow: Int
    /// The number of rows.
    package var rows: Int
    /// The start, seconds from the recording's start; `nil` if the sample rate is unknown.
    package var start: Double?
    /// The end of the last row's period, seconds from the recording's start; `nil` if the sample rate is unknown.
    package var end: Double?
  }

  /// A gap between two samples.
  package struct Gap: Hashable, Encodable, Sendable {
    /// The time of the sample before it, seconds from the recording's start.
    package var start: Double
    /// The time of the sample after it, seconds from the recording's start.
    package var end: Double
  }

  /// A part of the recording with a constant sample rate.
  package struct RatedPart: Hashable, Encodable, Sendable {
    /// The start, seconds from the recording's start.
    package var start: Double
    /// The sample rate.
    package var hertz: Double
  }

  /// The number of rows with one label or subject.
  package struct Share: Hashable, Encodable, Sendable {
    /// The label or subject; empty for rows without one.
    package var name: String
    /// The number of rows.
    package var rows: Int
  }

  /// The path as given.
  package let file: String
  /// The recorder's format.
  package let format: String
  /// The number of samples after the repairs.
  package let rows: Int
  /// The sample rate in hertz. If the rate changes, it is the rate of the slowest part. Absent if unknown.
  package private(set) var sampleRate: Double?
  /// The source of the sample rate: `given`, `format` or `times`; absent if the sample rate is unknown.
  package private(set) var rateSource: String?
  /// The parts of different sample rates; absent if the sample rate does not change.
  package private(set) var rates: [RatedPart]?
  /// The sample rate measured from timestamps, without gaps, in hertz; absent without timestamps.
  package private(set) var measuredRate: Double?
  /// The root mean square of the timestamps' deviation from even spacing, seconds; absent without timestamps.
  package private(set) var jitter: Double?
  /// The timestamp of the first sample, seconds; absent without timestamps.
  package private(set) var start: Double?
  /// The duration in seconds; absent if the sample rate is unknown.
  package private(set) var duration: Double?
  /// The channels in the file.
  package let channels: [String]
  /// A summary of each channel, by name.
  package let values: [String: ChannelSummary]
  /// Whether gravity is estimated from the total acceleration.
  package let gravityIsEstimated: Bool
  /// Whether the first row belonged to an earlier recording and was dropped.
  package let staleFirstRow: Bool
  package let repairs: [String]
  package let gaps: [Gap]
  package let missing: [MissingStretch]
  /// The file's labels; absent if it has none.
  package let labels: [Share]?
  /// The file's subjects; absent if it has none.
  package let subjects: [Share]?
  /// Steps per second; absent if there are no steps or the sample rate is unknown.
  package private(set) var stepFrequency: Double?
  /// The largest |userAcceleration| of each sixtieth of the rows, g. An element is `nil` if it is unknown for that
  /// part. The whole property is `nil` if it is unknown for all parts.
  package let accelerationPeaks: [Float?]?

  /// Reads and inspects the file at `url`.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: how to read it.
  /// - Throws: `RecordingError`, except for an unknown sample rate.
  package init(contentsOf url: URL, _ options: ReadingOptions = ReadingOptions()) throws(RecordingError) {
    let table = try RecordingTable(contentsOf: url, options)
    let isTimed = options.sampleRate != nil || !table.times.isEmpty || table.statedPeriod != nil
    // Without timestamps, the rows do not depend on the sample rate.
    let sampleRate = isTimed ? options.sampleRate : .canonical
    self.init(try AnnotatedRecording(table, sampleRate: sampleRate), isTimed: isTimed)
  }

  /// Inspects a recording.
  ///
  /// - Parameter isTimed: whether its sample rate is known.
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
    let peaks = recording.accelerationPeaks(60).map { $0.isNaN ? nil : $0 }
    accelerationPeaks = peaks.contains { $0 != nil } ? peaks : nil
    func seconds(_ time: SampleTime) -> Double { time.seconds(since: recording.start) }
    gaps = recording.gaps.map { Gap(start: seconds($0.lowerBound), end: seconds($0.upperBound)) }
    missing = annotated.missingRows.map { rows in
      MissingStretch(
        firstRow: rows.lowerBound + 1, rows: rows.count,
        start: isTimed ? seconds(recording.time(at: rows.lowerBound)) : nil,
        end: isTimed
          ? seconds(recording.time(at: rows.upperBound - 1)) + 1 / recording.sampleRate.hertz : nil)
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
      rates = parts.map { RatedPart(start: max(0, $0.start.seconds(since: recording.start)), hertz: $0.hertz) }
    }
    rateSource = annotated.timing.source.rawValue
    measuredRate = annotated.timing.measuredHertz
    jitter = annotated.timing.jitter
    if measuredRate != nil { start = recording.start.seconds }
    duration = recording.duration
    stepFrequency = recording.stepFrequency()
  }

  /// The duration without gaps, in seconds; `nil` if the sample rate is unknown.
  var coveredDuration: Double? {
    let period = sampleRate.map { 1 / $0 } ?? 0
    return duration.map { gaps.reduce($0) { $0 - ($1.end - $1.start) + period } }
  }

  private static func shares(_ runs: [LabelRun]) -> [Share] {
    let rows = runs.reduce(into: [:]) { $0[$1.label ?? "", default: 0] += $1.rows.count }
    return rows.keys.sorted().map { Share(name: $0, rows: rows[$0]!) }
  }
}

/// A summary of one channel of a recording.
package struct ChannelSummary: Hashable, Encodable, Sendable {
  package var unit: String
  /// The smallest value; absent if all are missing.
  package var minimum: Float?
  /// The largest value; absent if all are missing.
  package var maximum: Float?
  /// The number of missing values.
  package var missing: Int

  /// The summaries of a recording's channels, by the channel's name.
  static func summaries(of recording: Recording) -> [String: ChannelSummary] {
    var lowest = SIMD16<Float>(repeating: .infinity)
    var highest = -lowest
    var present = SIMD16<Int32>.zero
    for row in recording.rows {
      // A missing value is NaN: comparisons with it are false, so it changes nothing.
      lowest.replace(with: row, where: row .< lowest)
      highest.replace(with: row, where: row .> highest)
      present.replace(with: present &+ 1, where: row .== row)
    }
    return recording.channels.reduce(into: [:]) { summaries, channel in
      let lane = channel.lane
      let isEmpty = present[lane] == 0
      summaries[channel.rawValue] = ChannelSummary(
        unit: channel.unit, minimum: isEmpty ? nil : lowest[lane], maximum: isEmpty ? nil : highest[lane],
        missing: recording.count - Int(present[lane]))
    }
  }
}

extension Recording {
  /// The largest |userAcceleration| of each of `count` parts of the rows, g; NaN for a part without values.
  fileprivate func accelerationPeaks(_ count: Int) -> [Float] {
    (0..<min(count, rows.count)).map { part -> Float in
      let range = rows.count * part / count..<max(rows.count * part / count + 1, rows.count * (part + 1) / count)
      let peak = rows[range].reduce(Float(-1)) { largest, row in
        let (x, y, z) = (
          row[Channel.userAccelerationX.lane], row[Channel.userAccelerationY.lane], row[Channel.userAccelerationZ.lane]
        )
        let sum = [x, y, z].reduce(0) { $0 + Double($1) * Double($1) }
        // The length of a vector of finite values may exceed the largest `Float`.
        let size = sum.isNaN ? .nan : Float(min(sum.squareRoot(), Double(Float.greatestFiniteMagnitude)))
        return size > largest ? size : largest
      }
      return peak < 0 ? .nan : peak
    }
  }
}
