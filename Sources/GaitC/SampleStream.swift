import Gait
import GaitFormats
import Synchronization

/// A stream that takes blocks of samples and computes windows of features or probabilities, or a run.
///
/// Only one call at a time uses a stream; calls from other threads wait for it.
final class SampleStream: Sendable {
  private enum Engine {
    case features(Resampler, FeatureStream)
    case labels(WindowClassifier)
    case run(RunTracker, splitMeters: Double, bodyMass: Double?)
    /// The engine is taken out while a call uses it, so that it is not copied.
    case idle
  }

  private struct State {
    var engine: Engine
    /// Whether the blocks have times; `nil` before the first row.
    var isTimed: Bool?
    var count = 0
    /// The windows that were not pulled yet, from `next` on.
    var values: [Float] = []
    var starts: [Int64] = []
    var labels: [Int32] = []
    var next = 0
    /// The GPS points that the reader of their file skipped.
    var invalidPoints = 0

    /// What is wrong with the samples.
    var review: SignalReview

    init(engine: Engine, rate: SampleRate, needed: Set<Channel>) {
      (self.engine, review) = (engine, SignalReview(sampleRate: rate, needed: needed))
    }
  }

  let sampleRate: SampleRate
  let channels: [Channel]
  /// The number of values of a window: features or probabilities; 0 for a run.
  let columns: Int
  private let start: SampleTime
  private let needed: Set<Channel>
  private let gravityIsEstimated: Bool
  private let state: Mutex<State>
  /// The number of rows that are converted at a time.
  private static let blockRows = 1 << 14

  /// A stream of a plan's features or of a model's probabilities.
  init(_ held: Held, rate: SampleRate, start: Int64, mask: UInt32, _ options: inout Options) throws {
    channels = try SampleBlock.channels(mask)
    sampleRate = rate
    self.start = SampleTime(nanoseconds: start)
    try SampleBlock.check(start: self.start, count: 0, rate: rate)
    let slow = try options.flag("allowSlowSource")
    let estimated = try options.flag("gravityIsEstimated")
    gravityIsEstimated = estimated
    switch held {
    case .plan(let plan):
      (needed, columns) = (plan.channels, plan.features.count)
      if let missing = Self.missing(needed, of: channels) { throw InterfaceError(missing.reasonForFeatures) }
      if !slow, let slowest = plan.features.slowestSource, rate < slowest {
        throw InterfaceError(ModelError.sourceTooSlow(source: rate, slowest: slowest).reasonForFeatures)
      }
      let resampler = Resampler(from: rate, to: plan.sampleRate, sensors: Set(needed.map(\.sensor)))
      state = Mutex(State(engine: .features(resampler, plan.stream), rate: rate, needed: needed))
    case .model(let stated):
      let model = stated.fitting(Set(channels))
      (needed, columns) = (model.neededChannels, model.activityHead.labels.count)
      let classifier = try WindowClassifier(
        model: model, sampleRate: rate, gravityIsEstimated: estimated, allowsSlowSource: slow)
      state = Mutex(State(engine: .labels(classifier), rate: rate, needed: needed))
    default: throw InterfaceError("the handle is neither a plan nor a model")
    }
    try requireChannels(Set(channels))
  }

  /// A stream that tracks a run.
  init(tracking model: ActivityModel, rate: SampleRate, start: Int64, mask: UInt32, _ options: inout Options) throws {
    channels = try SampleBlock.channels(mask)
    sampleRate = rate
    self.start = SampleTime(nanoseconds: start)
    try SampleBlock.check(start: self.start, count: 0, rate: rate)
    let policy = try options.take("policy", "still, notRunning, never or activities joined by +") { PausePolicy($0) }
    let split = try options.number("splitMeters", within: 1...1_000_000) ?? Split.kilometer
    let strides = try options.number("stepLength", within: 0.1...5).map { StrideModel(running: $0, walking: 0.65 * $0) }
    let mass = try options.number("bodyMass", within: 1...500)
    let slow = try options.flag("allowSlowSource")
    gravityIsEstimated = try options.flag("gravityIsEstimated")
    let model = model.fitting(Set(channels))
    (needed, columns) = (model.neededChannels, 0)
    let run = RunOptions(policy: policy ?? .whenStill, splitMeters: split, strides: strides, keepsEvidence: false)
    let tracker = try RunTracker(
      model: model, sampleRate: rate, options: run, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: slow)
    state = Mutex(State(engine: .run(tracker, splitMeters: split, bodyMass: mass), rate: rate, needed: needed))
    try requireChannels(Set(channels))
  }

  private func requireChannels(_ channels: Set<Channel>) throws {
    if let missing = Self.missing(needed, of: Array(channels)) { throw missing }
  }

  /// The error that names the needed channels that `channels` lack; `nil` if none is lacking.
  private static func missing(_ needed: Set<Channel>, of channels: [Channel]) -> ModelError? {
    let missing = needed.subtracting(channels)
    return missing.isEmpty ? nil : .missingChannels(Channel.allCases.filter(missing.contains))
  }

  /// Takes a block of samples; returns the number of windows that can be pulled.
  func push(_ block: SampleBlock) throws -> Int {
    try block.checkTimes()
    return try state.withLock { state in
      guard state.isTimed == nil || state.isTimed == (block.times != nil) else {
        throw InterfaceError("a stream has times in every block or in none")
      }
      if block.times == nil {
        try SampleBlock.check(start: start, count: state.count + block.rows, rate: sampleRate)
      }
      if block.rows > 0 { state.isTimed = block.times != nil }
      for first in stride(from: 0, to: block.rows, by: Self.blockRows) {
        let range = first..<min(block.rows, first + Self.blockRows)
        let times = block.times(range, start: start, first: state.count, rate: sampleRate)
        let begin = SampleTime(nanoseconds: start.nanoseconds + sampleRate.nanoseconds(ofSample: state.count + first))
        Self.append(
          Recording(
            name: "", sampleRate: sampleRate, start: times.first ?? begin, channels: needed, rows: block.rows(range),
            times: times), &state)
      }
      state.count += block.rows
      return state.starts.count - state.next
    }
  }

  /// Takes the samples of a recording with the GPS points of a file; returns the number of points.
  func push(_ recording: Recording, _ file: LocationFile, offset: Double?) throws -> Int {
    let locations = try file.aligned(to: recording, offset: offset)
    guard state.withLock({ if case .run = $0.engine { true } else { false } }) else {
      throw InterfaceError("the stream does not track a run, which alone has GPS points")
    }
    _ = try push(recording, locations: locations)
    state.withLock { $0.invalidPoints += file.invalidPointCount }
    return locations.count
  }

  /// Takes the samples of a recording; returns the number of windows that can be pulled.
  func push(_ recording: Recording, locations: [LocationSample] = []) throws -> Int {
    try requireChannels(recording.channels)
    guard recording.sampleRate == sampleRate else {
      throw InterfaceError(
        "the stream has \(plain(sampleRate.hertz)) Hz, but \(recording.name) has \(plain(recording.sampleRate.hertz)) "
          + "Hz; create a stream of that rate")
    }
    guard gravityIsEstimated || !recording.gravityIsEstimated else {
      throw InterfaceError(
        "the gravity of \(recording.name) is estimated; create the stream with gravityIsEstimated=true")
    }
    return try state.withLock { state in
      guard state.isTimed != false else { throw InterfaceError("a stream has times in every block or in none") }
      state.isTimed = true
      Self.append(recording, locations: locations, &state)
      return state.starts.count - state.next
    }
  }

  private static func append(_ block: Recording, locations: [LocationSample] = [], _ state: inout State) {
    state.review.append(block.rows[...])
    // The arrays are taken out of the state, so that nothing is copied.
    var (values, starts, labels) = (state.values, state.starts, state.labels)
    (state.values, state.starts, state.labels) = ([], [], [])
    switch state.engine {
    case .features(var resampler, var stream):
      state.engine = .idle
      resampler.append(contentsOf: block) {
        stream.append(contentsOf: $0) { start, features in
          values.append(contentsOf: features)
          starts.append(start.nanoseconds)
        }
      }
      state.engine = .features(resampler, stream)
    case .labels(var classifier):
      state.engine = .idle
      let count = classifier.model.activityHead.labels.count
      classifier.append(contentsOf: block) { window in
        for index in 0..<count { values.append(window.probabilities[index]) }
        starts.append(window.start.nanoseconds)
        let known = window.isRejected ? -1 : Int32(window.probabilities.mostProbableIndex)
        labels.append(window.isUnknown ? -2 : known)
      }
      state.engine = .labels(classifier)
    case .run(var tracker, let splitMeters, let bodyMass):
      state.engine = .idle
      tracker.append(contentsOf: block, locations: locations)
      state.engine = .run(tracker, splitMeters: splitMeters, bodyMass: bodyMass)
    case .idle: break
    }
    (state.values, state.starts, state.labels) = (values, starts, labels)
  }

  /// Moves up to `windows` of the windows that were not pulled yet to the caller; returns their number.
  func pull(
    _ values: UnsafeMutableBufferPointer<Float>?, _ starts: UnsafeMutableBufferPointer<Int64>?,
    _ labels: UnsafeMutableBufferPointer<Int32>?, windows: Int
  ) throws -> Int {
    try state.withLock { state in
      let count = min(windows, state.starts.count - state.next)
      guard values.map({ $0.count >= count * columns }) ?? true else {
        throw InterfaceError("\(count) windows of \(columns) values do not fit into \(values?.count ?? 0) values")
      }
      // An empty buffer has no address.
      guard count > 0 else { return 0 }
      let range = state.next..<state.next + count
      _ = values?.update(fromContentsOf: state.values[range.lowerBound * columns..<range.upperBound * columns])
      _ = starts?.update(fromContentsOf: state.starts[range])
      if state.labels.isEmpty {
        labels?[..<count].update(repeating: -1)
      } else {
        _ = labels?.update(fromContentsOf: state.labels[range])
      }
      state.next += count
      guard state.next == state.starts.count else { return count }
      state.values.removeAll(keepingCapacity: true)
      state.starts.removeAll(keepingCapacity: true)
      state.labels.removeAll(keepingCapacity: true)
      state.next = 0
      return count
    }
  }

  /// The number of samples that were interpolated in short gaps; 0 for a run.
  var bridgedCount: Int {
    state.withLock { state in
      switch state.engine {
      case .features(let resampler, _): resampler.bridgedCount
      case .labels(let classifier): classifier.bridgedSampleCount
      case .run, .idle: 0
      }
    }
  }

  /// What is wrong with the samples so far.
  var findings: [SignalFinding] {
    state.withLock { state in
      let rate: [SignalFinding] =
        switch state.engine {
        case .features(let resampler, _): resampler.findings(stated: sampleRate)
        case .labels(let classifier): classifier.rateFindings(stated: sampleRate)
        case .run(let tracker, _, _): tracker.rateFindings
        case .idle: []
        }
      return state.review.findings + rate
    }
  }

  /// What is wrong with the samples so far, and the channels without a value that the stream needs.
  var review: SignalReview { state.withLock { $0.review } }

  /// The state as JSON: the run so far, or the numbers of windows to be pulled and of dropped samples.
  var description: JSONObject {
    state.withLock { state in
      let dropped, bridged: Int
      switch state.engine {
      case .run(let tracker, let splitMeters, let bodyMass):
        return RunJSON(
          run: tracker.finish(), splitMeters: splitMeters, bodyMass: bodyMass, invalidPoints: state.invalidPoints,
          findings: tracker.findings
        ).object
      case .features(let resampler, _): (dropped, bridged) = (resampler.droppedCount, resampler.bridgedCount)
      case .labels(let classifier): (dropped, bridged) = (classifier.droppedSampleCount, classifier.bridgedSampleCount)
      case .idle: (dropped, bridged) = (0, 0)
      }
      return JSONObject([
        "kind": "stream", "columns": columns, "waiting": state.starts.count - state.next, "dropped": dropped,
        "bridged": bridged,
      ])
    }
  }
}

/// Samples in the caller's memory: rows with a stride for rows and channels, or one array for each channel.
struct SampleBlock {
  /// For each channel, the index of its value in a row of the library, and its values, `rowStride` apart.
  let columns: [(lane: Int, values: UnsafeBufferPointer<Float>)]
  let rowStride: Int
  let rows: Int
  let times: UnsafeBufferPointer<Int64>?

  /// Rows of `channels`, the value of channel `c` in row `r` at `r * rowStride + c * channelStride`.
  init(
    _ channels: [Channel], _ base: UnsafePointer<Float>?, length: Int64, rows: Int64, rowStride: Int64,
    channelStride: Int64, times: UnsafePointer<Int64>?
  ) throws {
    let base = try values(base, length, "values")
    try Self.check(rows)
    guard rows <= 1 || rowStride > 0, channels.count == 1 || channelStride > 0, rowStride >= 0, channelStride >= 0
    else {
      throw InterfaceError("a stride is not positive; pass a copy of the samples")
    }
    let (last, overflow) = max(0, rows - 1).multipliedReportingOverflow(by: rowStride)
    let (lane, laneOverflow) = Int64(channels.count - 1).multipliedReportingOverflow(by: channelStride)
    let (end, sumOverflow) = last.addingReportingOverflow(lane)
    guard rows == 0 || !overflow && !laneOverflow && !sumOverflow && end < length else {
      throw InterfaceError(
        "\(rows) rows of \(channels.count) channels, \(rowStride) and \(channelStride) values apart, do not fit into "
          + "\(length) values")
    }
    columns = channels.enumerated().map { index, channel in
      (channel.lane, rows == 0 ? base : UnsafeBufferPointer(rebasing: base[(index * Int(channelStride))...]))
    }
    self.rows = Int(rows)
    self.rowStride = Int(rowStride)
    self.times = try times.map { try values($0, rows, "times") }
  }

  /// Rows from one array for each channel, `rows` values each.
  init(
    _ channels: [Channel], columns pointers: UnsafePointer<UnsafePointer<Float>?>?, rows: Int64,
    times: UnsafePointer<Int64>?
  ) throws {
    try Self.check(rows)
    let pointers = try values(pointers, Int64(channels.count), "columns")
    columns = try zip(channels, pointers).map { channel, pointer in
      (channel.lane, try values(pointer, rows, channel.rawValue))
    }
    self.rows = Int(rows)
    rowStride = 1
    self.times = try times.map { try values($0, rows, "times") }
  }

  /// Checks that a call has no more rows than are allowed: converted rows take 80 bytes each, at most 22 GB.
  private static func check(_ rows: Int64) throws {
    guard 0...Int64(1 << 28) ~= rows else { throw InterfaceError("\(rows) rows are not possible; pass at most 2^28") }
  }

  /// Checks that times increase strictly and are valid.
  func checkTimes() throws {
    guard let times else { return }
    for index in times.indices {
      let isLater = index == 0 || times[index] > times[index - 1]
      guard isLater, SampleTime(nanoseconds: times[index]).isValid else {
        throw InterfaceError(
          "the time of row \(index), \(times[index]) ns, is "
            + (isLater ? "more than 126 years from the origin" : "not after that of the row before")
            + "; pass nanoseconds in order, without repeated times")
      }
    }
  }

  /// The rows in `range`, in the library's layout.
  func rows(_ range: Range<Int>) -> [SIMD16<Float>] {
    [SIMD16<Float>](unsafeUninitializedCapacity: range.count) { rows, count in
      rows.initialize(repeating: MotionSample.emptyRow)
      count = range.count
      guard count > 0 else { return }
      // The values are written by pointers, because indexing an element of a SIMD vector costs more than reading the
      // value.
      UnsafeMutableRawBufferPointer(rows).withMemoryRebound(to: Float.self) { floats in
        for (lane, values) in columns {
          let (target, source) = (floats.baseAddress! + lane, values.baseAddress! + range.lowerBound * rowStride)
          for index in 0..<range.count { target[index &* SIMD16<Float>.scalarCount] = source[index &* rowStride] }
        }
      }
    }
  }

  /// The times of the rows in `range`; empty if they are evenly spaced by whole nanoseconds from `start` on.
  ///
  /// - Parameter first: the number of evenly spaced rows since `start` in earlier calls; the rows of this block follow
  ///   them.
  func times(_ range: Range<Int>, start: SampleTime, first: Int, rate: SampleRate) -> [SampleTime] {
    if let times { return times[range].map { SampleTime(nanoseconds: $0) } }
    guard rate.periodNanoseconds.rounded() != rate.periodNanoseconds else { return [] }
    return range.map { SampleTime(nanoseconds: start.nanoseconds + rate.nanoseconds(ofSample: first + $0)) }
  }

  /// The channels of a mask: bit 0 is the first of `Channel.allCases`.
  static func channels(_ mask: UInt32) throws -> [Channel] {
    guard mask != 0, mask < 1 << 12 else {
      throw InterfaceError("\(mask) is not a mask of channels; set one of the bits 0 to 11 for each channel")
    }
    return Channel.allCases.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
  }

  /// Checks that `count` evenly spaced rows lie within the valid times.
  static func check(start: SampleTime, count: Int, rate: SampleRate) throws {
    guard start.isValid, start.advanced(bySeconds: Double(count) / rate.hertz) < SampleTime.range.upperBound else {
      throw InterfaceError("the samples end more than 126 years from the origin; choose a nearer start")
    }
  }
}
