/// Motion samples in memory, at a nominal rate, with the channels of their source.
///
/// Shape: `count` rows by twelve channels. A channel that the source lacks is NaN throughout and is not in `channels`.
/// Times increase strictly.
public struct Recording: Sendable {
  /// The name in messages: the file's path, or one chosen by the caller.
  public var name: String

  /// The nominal rate of the source.
  public let sampleRate: SampleRate

  /// The channels that the source has.
  public let channels: Set<Channel>

  /// Whether the source had no gravity, so that gravity and user acceleration come from a `GravityEstimator`.
  public let gravityIsEstimated: Bool

  /// The sample rates of the recording's parts, hertz. There is one, unless the rate changes.
  package let sampleRates: [Double]

  /// Notes that the reader of the file attached. GaitFormats keeps its repairs here.
  package let readerNotes: (any Sendable)?

  /// The rows, each laid out as `MotionSample.row`.
  package let rows: [SIMD16<Float>]

  /// The time of every row; empty if the samples are evenly spaced from `start`.
  let times: [SampleTime]

  /// The time of the first sample.
  public let start: SampleTime

  /// Evenly spaced samples from the columns of a table.
  ///
  /// - Parameters:
  ///   - name: the name in messages.
  ///   - sampleRate: the number of rows in a second.
  ///   - start: the time of the first row.
  ///   - columns: the values of each channel that the source has, in the channel's unit; shape `[rows]` each.
  ///   - gravityIsEstimated: whether gravity and user acceleration come from a `GravityEstimator`.
  /// - Precondition: all columns have the same length; the times lie within `SampleTime.range`.
  public init(
    name: String,
    sampleRate: SampleRate,
    start: SampleTime = SampleTime(nanoseconds: 0),
    columns: [Channel: [Float]],
    gravityIsEstimated: Bool = false
  ) {
    let count = columns.values.first?.count ?? 0
    var rows = [SIMD16<Float>](repeating: MotionSample.emptyRow, count: count)
    for (channel, values) in columns {
      precondition(values.count == count, "columns of one recording must have the same length")
      let lane = channel.lane
      for row in 0..<count { rows[row][lane] = values[row] }
    }
    precondition(
      start.isValid && start.advanced(bySeconds: Double(count) / sampleRate.hertz) < SampleTime.range.upperBound,
      "sample times must lie within SampleTime.range")
    self.init(
      name: name, sampleRate: sampleRate, start: start, channels: Set(columns.keys), rows: rows, times: [],
      gravityIsEstimated: gravityIsEstimated)
  }

  /// Samples with their own times.
  ///
  /// - Parameters:
  ///   - name: the name in messages.
  ///   - sampleRate: the nominal rate of the source.
  ///   - samples: the samples; a channel that is NaN in all of them is not among the recording's `channels`.
  ///   - gravityIsEstimated: whether gravity and user acceleration come from a `GravityEstimator`.
  /// - Precondition: the times increase strictly and lie within `SampleTime.range`.
  public init(name: String, sampleRate: SampleRate, samples: [MotionSample], gravityIsEstimated: Bool = false) {
    precondition(
      zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time }, "sample times must increase strictly")
    precondition(
      samples.first?.time.isValid ?? true && samples.last?.time.isValid ?? true,
      "sample times must lie within SampleTime.range")
    self.init(
      name: name, sampleRate: sampleRate, start: samples.first?.time ?? SampleTime(nanoseconds: 0),
      channels: Set(Channel.allCases.filter { channel in samples.contains { !$0[channel].isNaN } }),
      rows: samples.map(\.row), times: samples.map(\.time), gravityIsEstimated: gravityIsEstimated)
  }

  /// The number of samples.
  public var count: Int { rows.count }

  /// The time from the first sample to one period after the last, in seconds.
  public var duration: Double {
    guard count > 0 else { return 0 }
    return Double(time(at: count - 1).nanoseconds - start.nanoseconds) / 1e9 + 1 / sampleRate.hertz
  }

  /// The time that the samples cover, in seconds: the duration without the gaps.
  public var coveredDuration: Double {
    gaps.reduce(duration) { $0 - $1.upperBound.seconds(since: $1.lowerBound) + 1 / sampleRate.hertz }
  }

  /// The time of sample `index`, `0..<count`.
  public func time(at index: Int) -> SampleTime {
    times.isEmpty
      ? SampleTime(nanoseconds: start.nanoseconds + sampleRate.nanoseconds(ofSample: index)) : times[index]
  }

  /// The sample period in nanoseconds, if the samples are evenly spaced by a whole number; otherwise `nil`.
  var wholePeriod: Int64? { times.isEmpty ? sampleRate.wholePeriod : nil }

  /// The time of sample `index`. If `period` is the result of `wholePeriod` and not `nil`, no division is needed.
  @inline(__always)
  func time(at index: Int, period: Int64?) -> SampleTime {
    period.map { SampleTime(nanoseconds: start.nanoseconds + Int64(clamping: index) * $0) } ?? time(at: index)
  }

  /// Sample `index`, `0..<count`.
  public subscript(index: Int) -> MotionSample {
    MotionSample(time: time(at: index), row: rows[index])
  }

  /// The samples, as a collection.
  public var samples: some RandomAccessCollection<MotionSample> { (0..<count).lazy.map { self[$0] } }

  /// The values of one channel, shape `[count]`, in the channel's unit; NaN if a value is missing.
  public subscript(channel: Channel) -> [Float] {
    rows.map { $0[channel.lane] }
  }

  /// The gaps, each from the sample before it to the sample after it. A gap is a step of more than 0.3 s, or of more
  /// than four periods below 13.3 Hz.
  ///
  /// No window spans a gap, and nothing is interpolated across it. Shorter steps are bridged.
  ///
  /// - Complexity: O(`count`), or O(1) if the samples are evenly spaced.
  public var gaps: [Range<SampleTime>] {
    let longest = Resampler.longestStep(at: sampleRate)
    return zip(times, times.dropFirst()).lazy
      .filter { $1.nanoseconds - $0.nanoseconds > longest }.map { $0..<$1 }
  }

  /// The samples in `range`, as a recording that keeps its times.
  public subscript(range: Range<Int>) -> Recording {
    // Times are rounded to nanoseconds. Counted from a later start, they would be rounded differently: store them.
    let isEven = times.isEmpty && (sampleRate.wholePeriod != nil || range.lowerBound == 0)
    return Recording(
      name: name, sampleRate: sampleRate, start: range.isEmpty ? start : time(at: range.lowerBound),
      channels: channels, rows: Array(rows[range]), times: isEven ? [] : range.map(time(at:)),
      gravityIsEstimated: gravityIsEstimated, sampleRates: sampleRates, readerNotes: readerNotes)
  }

  /// A recording of rows. `times` must increase strictly; if it is empty, the rows are evenly spaced from `start`.
  package init(
    name: String, sampleRate: SampleRate, start: SampleTime = SampleTime(nanoseconds: 0), channels: Set<Channel>,
    rows: [SIMD16<Float>], times: [SampleTime] = [], gravityIsEstimated: Bool = false, sampleRates: [Double]? = nil,
    readerNotes: (any Sendable)? = nil
  ) {
    self.name = name
    self.sampleRate = sampleRate
    self.start = start
    self.channels = channels
    self.rows = rows
    self.times = times
    self.gravityIsEstimated = gravityIsEstimated
    self.sampleRates = sampleRates ?? [sampleRate.hertz]
    self.readerNotes = readerNotes
  }
}

extension Recording: Equatable {
  /// Whether both recordings have the same name, rate, channels and samples; a missing value equals a missing one.
  ///
  /// - Complexity: O(`count`).
  public static func == (first: Recording, second: Recording) -> Bool {
    (first.name, first.sampleRate, first.gravityIsEstimated) == (
      second.name, second.sampleRate, second.gravityIsEstimated
    )
      && first.channels == second.channels && first.count == second.count
      && first.samples.elementsEqual(second.samples) { first, second in
        let areMissing = (first.row .!= first.row) .& (second.row .!= second.row)
        return first.time == second.time && all((first.row .== second.row) .| areMissing)
      }
  }
}
