/// Measures the sample rate of a source, and reports it if it differs from the nominal one by more than a quarter.
///
/// It is measured from `count` uneven steps in a row. The rates by their mean and by their median must both differ from
/// the nominal rate by more than a quarter, in the same direction: lost rows change only the mean, bursts of samples
/// only the median.
struct RateMeter: Sendable {
  private static let count = 32
  private static let validRatios = 0.75...1.25
  private var steps: [Int64] = []

  /// Whether no step is collected.
  var isEmpty: Bool { steps.isEmpty }

  /// Starts again. It is called after a step of one nominal period.
  @inline(__always)
  mutating func reset() {
    if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
  }

  /// Takes a step, in nanoseconds; returns the source's rate if the nominal `period` is wrong, otherwise `nil`. Steps
  /// of more than `longestStep` are gaps and are not measured.
  @inline(__always)
  mutating func measure(_ step: Int64, period: Double, longestStep: Int64) -> SampleRate? {
    if (Double(step) - period).magnitude <= Resampler.tolerance * period {
      reset()
      return nil
    }
    guard 0...longestStep ~= step, let measured = append(step, period: period) else { return nil }
    return SampleRate(exactly: 1e9 / measured)
  }

  private mutating func append(_ step: Int64, period: Double) -> Double? {
    steps.append(step)
    guard steps.count == Self.count else { return nil }
    defer { reset() }
    steps.sort()
    let median = Double(steps[Self.count / 2])
    let mean = Double(steps.reduce(0, +)) / Double(Self.count)
    let (byMedian, byMean) = (period / median, period / mean)
    guard median > 0, !Self.validRatios.contains(byMedian), !Self.validRatios.contains(byMean),
      (byMedian < 1) == (byMean < 1)
    else { return nil }
    // Skip the steps around lost rows.
    var (sum, number) = (0.0, 0.0)
    for step in steps where (Double(step) / median - 1).magnitude < 0.5 {
      sum += Double(step)
      number += 1
    }
    return sum / number
  }
}

/// The short gaps of a stream that were bridged, in order of time.
package struct ShortGaps: Sendable {
  /// The times that no sample measured, half a period from the samples around them.
  private var spans: [Range<Int64>] = []
  /// The largest number of gaps that are kept.
  private static let mostSpans = 8192

  package init() {}

  /// Whether no gap is kept.
  var isEmpty: Bool { spans.isEmpty }

  mutating func append(from start: Int64, to end: Int64, period: Double) {
    let half = Int64(saturating: period / 2)
    // `measuredShare` removes old gaps. If it was not called for long, remove the older half here.
    if spans.count == Self.mostSpans { spans.removeFirst(Self.mostSpans / 2) }
    spans.append(start + half..<max(start + half, end - half))
  }

  /// The share of a window that was measured, 0…1; the rest was interpolated. Call it in order of the windows.
  ///
  /// - Parameters:
  ///   - start: the time of the window's first sample.
  ///   - length: the length of the window, nanoseconds.
  ///   - period: from sample to sample of the window, nanoseconds.
  package mutating func measuredShare(from start: SampleTime, length: Int64, period: Int64) -> Float {
    guard !spans.isEmpty else { return 1 }
    spans.removeFirst(spans.prefix { $0.upperBound <= start.nanoseconds }.count)
    // A gap after the window's last sample may not be known yet.
    let end = start.nanoseconds + length - period
    let missing = spans.reduce(Int64.zero) {
      $0 + max(0, min($1.upperBound, end) - max($1.lowerBound, start.nanoseconds))
    }
    return Float(1 - Double(missing) / Double(length))
  }
}

/// Sorts samples that arrive at most `longestDelay` after later ones.
struct SampleOrder: Sendable {
  /// A sample is held until another one at least this much later has arrived, seconds.
  let longestDelay: Double
  private var samples: [MotionSample] = []

  init(longestDelay: Double) { self.longestDelay = longestDelay }

  /// Takes the sample that arrived next.
  mutating func insert(_ sample: MotionSample) {
    let place = samples.lastIndex { $0.time <= sample.time }.map { $0 + 1 } ?? 0
    samples.insert(sample, at: place)
  }

  /// Removes and returns the earliest sample, if one at least `longestDelay` later has arrived; otherwise `nil`.
  mutating func next() -> MotionSample? {
    guard let first = samples.first, let last = samples.last, last.time.seconds(since: first.time) >= longestDelay
    else { return nil }
    return samples.removeFirst()
  }
}

/// The lanes of gravity and user acceleration that a source provides.
struct AccelerationLanes: Sendable {
  private var gravity = SIMDMask<SIMD4<Int32>>(repeating: false)
  private var acceleration = SIMDMask<SIMD4<Int32>>(repeating: false)

  /// No lanes.
  init() {}

  /// The lanes that have a value in `row`.
  @inline(__always)
  init(presentIn row: SIMD16<Float>) {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    (gravity, acceleration) = (first .== first, second .== second)
  }

  /// Whether these lanes, and no other ones, have a value in `row`.
  @inline(__always)
  func arePresent(in row: SIMD16<Float>) -> Bool {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    let differences = unsafeBitCast(
      ((first .== first) .^ gravity) .| ((second .== second) .^ acceleration), to: SIMD2<UInt64>.self)
    return differences.x | differences.y == 0
  }

  /// The number of rows that `arePresent(inRowsFrom:)` checks.
  static let rowsAtOnce = 8

  /// Whether these lanes, and no other ones, have a value in each of the next rows.
  @inline(__always)
  func arePresent(inRowsFrom rows: UnsafePointer<SIMD16<Float>>) -> Bool {
    var differences = SIMDMask<SIMD4<Int32>>(repeating: false)
    for index in 0..<Self.rowsAtOnce {
      let (first, second) = (rows[index].lowHalf.highHalf, rows[index].highHalf.highHalf)
      differences = differences .| ((first .== first) .^ gravity) .| ((second .== second) .^ acceleration)
    }
    return !any(differences)
  }

  /// Whether one of the lanes has no value in `row`.
  @inline(__always)
  func areMissing(in row: SIMD16<Float>) -> Bool {
    let (first, second) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    return any(gravity .& (first .!= first) .| acceleration .& (second .!= second))
  }
}

/// The latest samples of a stream: those that the next outputs need.
struct SampleHistory: Sendable {
  /// The samples, the oldest first, with continuous angles.
  private(set) var samples: [MotionSample] = []
  /// Whether attitude angles are computed.
  private let hasAngles: Bool
  /// The number of samples at which those that no output needs are removed.
  private var limit = 0
  /// A sample this much before the latest one is still needed, nanoseconds.
  private var span: Int64 = 0
  /// The latest known angles.
  private var angles = SIMD4<Float>.zero

  /// `limit` in filter lengths.
  private static let limitFactor = 4

  init(hasAngles: Bool) {
    self.hasAngles = hasAngles
  }

  /// Sets how many samples are kept: as many as a filter of `tapCount` weights uses, within `span` nanoseconds.
  mutating func resize(tapCount: Int, span: Double) {
    limit = Self.limitFactor * tapCount
    self.span = Int64(saturating: span)
    samples.reserveCapacity(limit + 1)
  }

  /// Removes all samples before the first one of a new stream.
  mutating func begin(at row: SIMD16<Float>) {
    removeAll()
    angles = row.lowHalf.lowHalf
    for lane in 0..<3 where angles[lane].isNaN { angles[lane] = 0 }
  }

  mutating func removeAll() { samples.removeAll(keepingCapacity: true) }

  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    if samples.count >= limit { trim(before: sample.time.nanoseconds) }
    if hasAngles { continueAngles(into: sample.row) }
    samples.append(sample)
  }

  /// Removes the samples more than `span` before `time`, which no output needs.
  @inline(never)
  private mutating func trim(before time: Int64) {
    let oldest = time - span
    samples.removeFirst(samples.lastIndex { $0.time.nanoseconds < oldest }.map { $0 + 1 } ?? 0)
  }

  /// Calls `body` with the samples.
  ///
  /// The buffer is mutable, because checking that the array is unique costs less than retaining it for the call.
  @inline(__always)
  mutating func withBuffer<Result>(_ body: (UnsafeMutableBufferPointer<MotionSample>) -> Result) -> Result {
    samples.withUnsafeMutableBufferPointer { body($0) }
  }

  // MARK: - Angles

  /// Moves the angles of the samples by whole turns, so that each is within π of the next sample's. The latest sample
  /// stays as it is, so its angles do not depend on how many samples are kept.
  @inline(__always)
  private mutating func continueAngles(into row: SIMD16<Float>) {
    let next = row.lowHalf.lowHalf
    if Angle.isBeyondHalfTurn(next - angles) { turn(towards: next) }
    keepAngles(of: row)
  }

  /// Keeps the angles of a row that is not appended; a missing angle does not replace the last known one.
  @inline(__always)
  mutating func keepAngles(of row: SIMD16<Float>) {
    let next = row.lowHalf.lowHalf
    angles.replace(with: next, where: next .== next)
  }

  @inline(never)
  private mutating func turn(towards next: SIMD4<Float>) {
    for lane in 0..<3 {
      let turns = Angle.turn * ((next[lane] - angles[lane]) / Angle.turn).rounded()
      guard turns.isFinite, turns != 0 else { continue }
      for index in samples.indices { samples[index].row[lane] += turns }
    }
  }
}

/// The times of a resampler's outputs, evenly spaced from the stream's first sample on.
struct OutputGrid: Sendable {
  /// The rate of the outputs.
  let rate: SampleRate
  /// The time of the first point, nanoseconds.
  private(set) var origin: Int64 = 0
  /// The index of the next point, from 0.
  private(set) var index = 0
  /// The time of the next point minus the origin, nanoseconds.
  private(set) var offset: Int64 = 0
  /// The time between points if it is a whole number of nanoseconds. Integer arithmetic is quicker.
  private let period: Int64?

  /// A grid of points at `rate`.
  init(rate: SampleRate) {
    self.rate = rate
    period = rate.wholePeriod
  }

  /// Restarts the grid with a point at `time`, in nanoseconds.
  mutating func begin(at time: Int64) {
    (origin, index, offset) = (time, 0, 0)
  }

  /// Moves on to the next point.
  @inline(__always)
  mutating func advance() {
    index &+= 1
    if let period { offset &+= period } else { roundOffset() }
  }

  @inline(never)
  private mutating func roundOffset() { offset = rate.nanoseconds(ofSample: index) }

  /// The times of the points from index `first` on, up to the point before the next output. Empty if points are a whole
  /// number of nanoseconds apart.
  func unevenTimes(from first: Int) -> [SampleTime] {
    guard period == nil else { return [] }
    return (first..<index).map { SampleTime(nanoseconds: origin + rate.nanoseconds(ofSample: $0)) }
  }
}
