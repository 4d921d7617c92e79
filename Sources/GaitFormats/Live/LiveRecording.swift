import Gait

/// A recording that arrives as lines of text: from a pipe, a terminal or a serial port.
///
///     var live = try LiveRecording(descriptor: 0, name: "standard input")
///     while let block = try live.next() {
///       for index in 0..<block.count { events += tracker.append(block[index]) }
///     }
///
/// The lines are read like those of a file in blocks: every delimited format of `RecordingFormat`, with its separators,
/// units, dates and comments, gzipped or not. A block is returned as soon as its lines arrive.
///
/// In a file, all rows together decide the following. In a live recording, the first lines do:
/// - Without a rate from the caller, the times of the first 3 s, at least 16 rows, give it (`LiveRate`).
/// - If neither names nor the caller state the unit of times or of a total acceleration, the first 120 rows show it, as
///   those of a file do.
/// - If there is no gravity, or if gravity or user acceleration is the difference of two columns, the first 5 s show
///   whether the acceleration includes gravity. This is not needed if the caller states it for a single acceleration,
///   or if the format is Gait's own.
/// - If every row lacks a value, the first 16 rows show whether each row holds only one sensor. If this is the case,
///   readings of the other sensors are interpolated at the times of the acceleration. A row of acceleration is then
///   held back until each other sensor has a later reading, but at most 1 s.
///
/// No row is lost during these decisions. Rows are not sorted: a row without a time, or not later than all earlier
/// rows, is dropped. Folders, archives and JSON cannot be read from lines.
public struct LiveRecording {
  /// The number of rows that were dropped because they are not later than the rows before, or have no time.
  public private(set) var lateRowCount = 0
  /// The repairs made; empty before the end of the lines.
  public private(set) var repairs: [Repair] = []

  private let name: String
  private let sampleRate: SampleRate?
  private var rows: RecordingRows
  /// The first rows, until the rate and the meaning of the acceleration are known.
  private var first: RecordingTable?
  private var join: LiveSensorJoin?
  private var timeline: Timeline?
  private var latest = Int64.min
  private var isFinished = false

  /// The number of first rows that show whether each row holds only one sensor.
  private static let rowsToJudge = 16

  /// Reads the header and waits for the first row, or for 120 rows if the unit of times or accelerations is not
  /// stated.
  ///
  /// - Parameters:
  ///   - descriptor: an open file, pipe or terminal, which is closed at the end.
  ///   - name: the source's name in errors.
  ///   - options: facts that the caller supplies about the lines.
  /// - Throws: `RecordingError` with line and column.
  public init(
    descriptor: CInt, name: String, options: ReadingOptions = ReadingOptions()
  ) throws(RecordingError) {
    try self.init(FileBytes(descriptor: descriptor, file: name), name: name, options: options)
  }

  init(
    _ source: any ByteSource, name: String, options: ReadingOptions = ReadingOptions()
  ) throws(RecordingError) {
    self.name = name
    rows = try RecordingReader(options: options).open(live: source, name: name)
    sampleRate = options.sampleRate ?? rows.statedRate
    guard sampleRate != nil || rows.hasTimes else { throw .timing(.noSampleRate, file: name) }
  }

  /// The samples of the next lines, at least one; `nil` at the end.
  ///
  /// - Throws: `RecordingError` with line and column.
  public mutating func next() throws(RecordingError) -> Recording? {
    while !isFinished {
      var table = try rows.next(1)
      isFinished = table.count == 0
      let reading = table.repairs + (join?.repairs ?? [])
      if timeline == nil {
        first?.append(table)
        first = first ?? table
        guard try begin(), let begun = first else { continue }
        (table, first) = (begun, nil)
      }
      dropLate(&table)
      if join != nil, let joined = join?.append(table, isLast: isFinished) { table = joined }
      let samples = timeline?.append(table, isLast: isFinished)
      try timeline?.checkGaps()
      // `finish` throws if the acceleration of all rows has an impossible magnitude. Only the repairs made on reading
      // are then listed.
      if isFinished { repairs = (try? timeline?.finish(reading).repairs) ?? reading }
      if let samples, samples.table.count > 0 { return samples.recording() }
    }
    return nil
  }

  /// Begins the timeline if the first rows suffice; returns whether they do.
  private mutating func begin() throws(RecordingError) -> Bool {
    guard let first, first.count > 0 else { throw .noRows(file: name) }
    if first.missingRows == [0..<first.count], first.count < Self.rowsToJudge, !isFinished { return false }
    let others = first.sensorsInOwnRows.filter { $0 != .userAcceleration }
    let judged = others.isEmpty ? first : first.joined(others) ?? first.acceleration
    let stated = sampleRate
    guard let rate = try stated == nil ? rate(of: judged) : stated else { return false }
    if first.hasOneAcceleration && first.statedGravity == nil || first.accelerationIsDifference
      || first.gravityIsDifference
    {
      var length = SteadyAcceleration(at: rate)
      length.append(judged.rows)
      guard length.isDecided || isFinished || judged.count >= LiveRate.mostSamples else { return false }
      if first.hasOneAcceleration { _ = try judged.otherGravity(by: length) }
    }
    if !others.isEmpty { join = LiveSensorJoin(others) }
    do throws(TimingProblem) {
      timeline = Timeline(first.withoutRows, try RowTiming(of: [], given: rate, stated: nil))
    } catch {
      throw .timing(error, file: name)
    }
    return true
  }

  /// The rate by the rows' times; `nil` if more rows are needed.
  private func rate(of table: RecordingTable) throws(RecordingError) -> SampleRate? {
    var live = LiveRate(name: name)
    for (time, row) in zip(table.times, table.rows) where time != .min {
      if let rate = try live.append(MotionSample(time: SampleTime(nanoseconds: time), row: row)) { return rate }
    }
    return isFinished || first?.count ?? 0 >= LiveRate.mostSamples ? try live.rate() : nil
  }

  private mutating func dropLate(_ table: inout RecordingTable) {
    var kept: [Int] = []
    for (row, time) in table.times.enumerated() where time > latest {
      kept.append(row)
      latest = time
    }
    guard kept.count < table.times.count else { return }
    lateRowCount += table.count - kept.count
    table.keep(kept)
  }
}

/// Estimates the sample rate of a live stream from its timestamps, and buffers the samples until it is known.
///
/// The estimate uses the first 3 s and at least 16 samples, by the same rule as for files (`RateEstimate.hertz`): the
/// number of steps ÷ the time that they cover, without gaps, or the usual rate of sensors within 1 % of that. The root
/// mean square deviation of the steps from their mean must be at most one period. Samples that are not later than an
/// earlier one do not count. The first window of the bundled model ends after 2.56 s, so the estimate delays the first
/// decision by less than half a second.
package struct LiveRate: Sendable {
  /// The samples so far, in order of arrival.
  package private(set) var samples: [MotionSample] = []
  private var times: [Int64] = []
  private let name: String

  private static let span: Int64 = 3_000_000_000
  private static let fewestTimes = 16
  /// The most samples to buffer: the number that the fastest sensor (`RowTiming.possibleHertz`) gives in twice the
  /// span.
  static let mostSamples = 12_000

  /// Creates an estimator without samples.
  ///
  /// - Parameter name: the stream's name in errors.
  package init(name: String) {
    self.name = name
  }

  /// Adds the next sample.
  ///
  /// - Returns: the sample rate; `nil` if more samples are needed.
  /// - Throws: `RecordingError.timing` if the rate cannot be estimated from the times.
  package mutating func append(_ sample: MotionSample) throws(RecordingError) -> SampleRate? {
    samples.append(sample)
    if times.last.map({ $0 < sample.time.nanoseconds }) ?? true { times.append(sample.time.nanoseconds) }
    let covered = (times.last ?? 0) - (times.first ?? 0)
    guard (covered >= Self.span && times.count >= Self.fewestTimes) || samples.count >= Self.mostSamples else {
      return nil
    }
    return try rate()
  }

  /// The sample rate of the samples so far, for a stream that has ended.
  ///
  /// - Throws: `RecordingError.noRows` without samples; `RecordingError.timing` if the rate cannot be estimated from
  ///   the times.
  package func rate() throws(RecordingError) -> SampleRate {
    guard !samples.isEmpty else { throw .noRows(file: name) }
    do throws(TimingProblem) {
      guard samples.count > 1 else { throw .noSampleRate }
      guard times.count > 1, 2 * times.count >= samples.count else {
        throw .coarseTimes(rows: samples.count, times: times.count)
      }
      let timing = try RowTiming(of: times, given: nil, stated: nil)
      let period = 1 / timing.sampleRate.hertz
      if let jitter = timing.jitter, jitter > period { throw .unevenTimes(jitter: jitter, period: period) }
      return timing.sampleRate
    } catch {
      throw .timing(error, file: name)
    }
  }
}

/// Joins rows that hold one sensor each as they arrive: interpolates the readings of the other sensors at the times of
/// the acceleration.
///
/// A row of acceleration is returned when every other sensor has a reading at its time or later, or when the latest row
/// of any sensor is at least 1 s later.
struct LiveSensorJoin {
  private let others: [Sensor]
  /// The rows that are not yet returned, and the earlier rows that are needed to interpolate them.
  private var pending: RecordingTable?
  /// The time of the last returned row.
  private var returned = Int64.min

  private static let longestWait: Int64 = 1_000_000_000

  init(_ others: [Sensor]) { self.others = others }

  var repairs: [Repair] { [.joinedChannels(Set(others.flatMap(\.channels)), droppedRows: 0)] }

  /// Adds the next rows, which are in order of time; returns the rows of acceleration that are now complete.
  mutating func append(_ next: RecordingTable, isLast: Bool) -> RecordingTable {
    var rows = next
    if var pending {
      pending.append(next)
      rows = pending
    }
    let latest = others.map { sensor in rows.rows.lastIndex { $0.has(sensor) }.map { rows.times[$0] } ?? .min }
    let last = rows.times.last ?? 0
    let ready = isLast ? last : max(latest.min() ?? last, last - Self.longestWait)
    var joined = rows.joined(others) ?? rows.acceleration
    joined.keep(joined.times.indices.filter { returned < joined.times[$0] && joined.times[$0] <= ready })
    returned = joined.times.last ?? returned
    rows.keep(rows.times.indices.filter { rows.times[$0] > ready - Self.longestWait })
    pending = rows
    return joined
  }
}
