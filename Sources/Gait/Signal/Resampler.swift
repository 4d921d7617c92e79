/// Converts a stream of samples from one rate to another, with an anti-aliasing filter.
///
/// Outputs lie on a grid that begins at the stream's first sample. Each is a weighted mean of the samples around it.
/// The weights are a windowed sinc of the distance in time, divided by their sum: a constant signal stays constant, and
/// uneven spacing is tolerated. An output needs the samples up to `delay` after its time.
///
/// - **Start**: the first output is the first grid point at or after `delay` from the start. No output is extrapolated.
/// - **End**: the last output is the last grid point at least `delay`, less one period of the source, before the last
///   sample. There is nothing to flush.
/// - **Short gaps**: a step of more than 1.5 periods and at most `longestStep(at:)` is bridged by linear interpolation,
///   counted in `bridgedCount`. A sample without a part of its acceleration is replaced if the gap without it is short.
/// - **Gaps**: a longer step ends the stream. The next sample begins a new stream with its own grid.
/// - **Late samples**: samples that are not after the previous one, or outside `SampleTime.range`, are dropped and
///   counted in `droppedCount`. With `longestDelay`, samples that arrive at most that late are sorted.
/// - **Missing values**: a missing value that is not bridged makes every output within `delay` of it missing, in its
///   channel only.
/// - **Angles** are unwrapped before filtering and wrapped to −π…π afterwards.
/// - **Equal rates**: a sample within `tolerance` periods of the next output's time passes through unchanged, without
///   delay, and the grid follows it. Other outputs are weighted means, `delay` after their time.
/// - **Another rate**: if `RateMeter` finds a rate that differs from `source` by more than a quarter, the resampler
///   adapts to it, provided that its filter or its bridged gaps depend on the rate.
///
/// The same samples give the same bits, appended one by one or as a recording.
package struct Resampler: Sendable {
  /// The rate of the source: the nominal rate until another one is measured.
  package private(set) var source: SampleRate
  /// The rate that was measured, if it differs from the nominal one by more than a quarter.
  private(set) var measuredRate: SampleRate?
  /// The rate of the output.
  package let target: SampleRate
  /// The longest step that is bridged, seconds.
  package static let longestBridged = 0.3
  /// The longest step that is bridged, periods, if that is longer than `longestBridged` seconds.
  package static let longestStep = 4.0
  /// With equal rates, a sample this near to an output's time is passed through unchanged, periods.
  static let tolerance = 0.05

  /// The number of samples dropped because they were late or their time is outside `SampleTime.range`.
  package private(set) var droppedCount = 0
  /// The number of samples interpolated in short gaps.
  package private(set) var bridgedCount = 0

  /// The short gaps that were bridged, for `ShortGaps.measuredShare`; `nil` if that is not needed.
  package var shortGaps: ShortGaps?

  // Properties that are not private are used for whole recordings, in Resampler+Recordings.swift.

  /// The source's period, nanoseconds.
  var period: Double
  /// The longest step that needs no bridging, and the longest that is not a gap, nanoseconds.
  private var longestEvenStep, longestStep: Int64
  /// The steps that count as one period, nanoseconds.
  private var evenSteps: ClosedRange<Int64>
  /// The shortest time after an output's time at which a sample completes the output, nanoseconds.
  private var shortestWait: Int64
  /// The time of the latest sample if a next one after one period needs no repair, no measurement of the rate and no
  /// sorting, nanoseconds; otherwise `.min`. While it is set, the other times are those of an earlier sample.
  private var evenTime = Int64.min
  var kernel: ResamplingKernel
  /// Whether the rates are equal, so that evenly spaced samples pass through unchanged.
  private(set) var isPassThrough: Bool
  var rateMeter = RateMeter()
  var order: SampleOrder
  /// The acceleration lanes that the source has.
  var required = AccelerationLanes()
  /// The latest samples that lack a part of their acceleration. If the next whole sample comes within `longestStep`,
  /// they are replaced by interpolated ones; otherwise they are taken as they are.
  var broken: [MotionSample] = []
  /// The time of the latest sample, and of the latest sample with its whole acceleration.
  var latestTime, completeTime: Int64?
  var history: SampleHistory
  var weights: PolyphaseTable
  /// The sensors that are computed from evenly spaced samples of a recording; `nil` means all.
  let activeSensors: ActiveSensors?
  /// Whether attitude angles are computed.
  let hasAngles: Bool
  var uniformSteps = 0
  /// The number of samples since the latest interpolated one.
  var samplesSinceBridged = 0
  /// The times of the outputs.
  var grid: OutputGrid
  var previousTime: Int64?

  /// A resampler from a stream at `source` to one at `target`.
  package init(from source: SampleRate, to target: SampleRate, longestDelay: Double = 0) {
    self.init(from: source, to: target, sensors: Set(Sensor.allCases), longestDelay: longestDelay)
  }

  /// A resampler for some sensors.
  ///
  /// - Parameters:
  ///   - sensors: the sensors to resample; the values of others may be missing.
  ///   - longestDelay: how late a sample may arrive, seconds. Outputs are delayed by it.
  package init(from source: SampleRate, to target: SampleRate, sensors: Set<Sensor>, longestDelay: Double = 0) {
    activeSensors = ActiveSensors(sensors)
    hasAngles = sensors.contains(.attitude)
    self.source = source
    self.target = target
    period = source.periodNanoseconds
    grid = OutputGrid(rate: target)
    longestStep = Self.longestStep(at: source)
    longestEvenStep = Self.longestOutputStep(at: source)
    order = SampleOrder(longestDelay: longestDelay)
    kernel = ResamplingKernel(from: source, to: target)
    isPassThrough = (source.hertz / target.hertz - 1).magnitude < 1e-9
    weights = PolyphaseTable(kernel: kernel, period: period)
    evenSteps = Self.evenSteps(period)
    shortestWait = Self.shortestWait(kernel, period)
    history = SampleHistory(hasAngles: hasAngles)
    history.resize(tapCount: weights.tapCount, span: 2 * kernel.halfLength + 2 * period)
  }

  /// The latency: an output is available at most this long after its time if samples are evenly spaced, seconds.
  package var delay: Double { order.longestDelay + (isPassThrough ? 0 : kernel.halfLength / 1e9) }

  /// The upper edge of the pass band, where amplitudes are kept within 1 %, hertz.
  package var passband: Double { isPassThrough ? target.hertz / 2 : kernel.passband }

  /// Appends a sample and calls `body` with every output that it completes, in order of time.
  @inline(__always)
  package mutating func append(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    if isEven(time &- evenTime), time <= SampleTime.farthest, required.arePresent(in: sample.row) {
      return continueEvenly(with: sample, body)
    }
    appendUnevenly(sample, body)
    expectEvenTime()
  }

  /// Takes a sample of an evenly spaced stream. The result is that of `appendUnevenly`, but nothing needs to be
  /// repaired, measured or sorted, which is quicker.
  @inline(__always)
  private mutating func continueEvenly(with sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    evenTime = time
    samplesSinceBridged &+= 1
    uniformSteps &+= 1
    history.append(sample)
    while time &- grid.origin &- grid.offset >= shortestWait, let output = nextOutput(after: time) {
      body(self.output(at: output))
    }
  }

  /// Ends the stream: the next sample is taken as the first one of a new stream, whatever its time.
  package mutating func restart() {
    (previousTime, latestTime, completeTime) = (nil, nil, nil)
    broken.removeAll()
    order = SampleOrder(longestDelay: order.longestDelay)
    expectEvenTime()
  }

  /// Sets whether the next sample may continue an evenly spaced stream.
  mutating func expectEvenTime() {
    evenTime = .min
    guard !isPassThrough, order.longestDelay == 0, broken.isEmpty, rateMeter.isEmpty, let time = latestTime,
      time == previousTime, time == completeTime
    else { return }
    evenTime = time
  }

  /// Sets all times to that of the latest sample, before one that may not continue an evenly spaced stream.
  mutating func settleTimes() {
    if evenTime != .min { (previousTime, latestTime, completeTime) = (evenTime, evenTime, evenTime) }
    evenTime = .min
  }

  @inline(never)
  private mutating func appendUnevenly(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    settleTimes()
    guard order.longestDelay > 0 else { return appendInOrder(sample, body) }
    guard sample.time.isValid else {
      droppedCount += 1
      return
    }
    order.insert(sample)
    while let next = order.next() { appendInOrder(next, body) }
  }

  @inline(__always)
  private mutating func appendInOrder(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    guard sample.time.isValid, latestTime.map({ time > $0 }) ?? true else {
      droppedCount += 1
      return
    }
    if let latestTime { measure(time &- latestTime) }
    latestTime = time
    if broken.isEmpty, !required.areMissing(in: sample.row), previousTime.map({ time &- $0 <= longestEvenStep }) ?? true
    {
      complete(sample, body)
    } else {
      repair(sample, body)
    }
  }

  /// Takes a sample with its whole acceleration.
  @inline(__always)
  private mutating func complete(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    required = AccelerationLanes(presentIn: sample.row)
    completeTime = sample.time.nanoseconds
    samplesSinceBridged &+= 1
    take(sample, body)
  }

  /// Takes a sample after repairs: one of the source or an interpolated one.
  @inline(__always)
  private mutating func take(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    addToHistory(sample)
    if !isPassThrough {
      while let time = nextOutput(after: time) { body(output(at: time)) }
    } else if isNear(time) {
      follow(time)
      body(sample)
    } else {
      passUneven(until: time, body)
    }
  }

  /// The time of the next output if a sample at `time` completes it; advances the grid.
  @inline(__always)
  private mutating func nextOutput(after time: Int64) -> Int64? {
    while Double(grid.offset) <= reach(of: time) {
      let offset = grid.offset
      grid.advance()
      if Double(offset) >= kernel.halfLength { return grid.origin + offset }
    }
    return nil
  }

  /// The offset from the grid's origin up to which a sample at `time` completes outputs, nanoseconds.
  @inline(__always)
  func reach(of time: Int64) -> Double {
    // An output is complete as soon as the next sample, one period later, would be outside the filter.
    Double(time - grid.origin) - kernel.halfLength + period
  }

  // MARK: - Repairs

  /// Takes a sample after a short gap, or one without a part of its acceleration.
  @inline(never)
  private mutating func repair(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    let isBridged = completeTime.map { 0...longestStep ~= sample.time.nanoseconds &- $0 } ?? false
    let isBroken = required.areMissing(in: sample.row)
    if isBroken, isBridged { return broken.append(sample) }
    if !isBridged { for sample in broken { take(sample, body) } }
    broken.removeAll(keepingCapacity: true)
    guard !isBroken else { return take(sample, body) }
    if isBridged { bridge(to: sample, body) }
    complete(sample, body)
  }

  /// Interpolates the samples that are missing before `sample`.
  private mutating func bridge(to sample: MotionSample, _ body: (MotionSample) -> Void) {
    guard let last = history.samples.last else { return }
    let (start, step) = (last.time.nanoseconds, sample.time.nanoseconds &- last.time.nanoseconds)
    guard longestEvenStep + 1...max(longestEvenStep + 1, longestStep) ~= step else { return }
    var end = sample.row
    if hasAngles { end.lowHalf.lowHalf = Angle.continued(end.lowHalf.lowHalf, after: last.row.lowHalf.lowHalf) }
    shortGaps?.append(from: start, to: sample.time.nanoseconds, period: period)
    let count = Int64(saturating: (Double(step) / period).rounded())
    for index in 1..<count {
      var row = last.row + (Float(index) / Float(count)) * (end - last.row)
      if hasAngles { row.lowHalf.lowHalf = Angle.wrapped(row.lowHalf.lowHalf) }
      bridgedCount += 1
      samplesSinceBridged = 0
      take(MotionSample(time: SampleTime(nanoseconds: start + step * index / count), row: row), body)
    }
  }

  /// Measures uneven steps. Adapts to another rate than `source`, if the filter or the gaps depend on the rate.
  @inline(__always)
  private mutating func measure(_ step: Int64) {
    guard let rate = rateMeter.measure(step, period: period, longestStep: longestStep) else { return }
    measuredRate = rate
    if rate < source || min(rate, target) != min(source, target) { adapt(to: rate) }
  }

  private mutating func adapt(to rate: SampleRate) {
    source = rate
    period = rate.periodNanoseconds
    longestStep = Self.longestStep(at: rate)
    longestEvenStep = Self.longestOutputStep(at: rate)
    kernel = ResamplingKernel(from: rate, to: target)
    isPassThrough = (rate.hertz / target.hertz - 1).magnitude < 1e-9
    weights = PolyphaseTable(kernel: kernel, period: period)
    history.resize(tapCount: weights.tapCount, span: 2 * kernel.halfLength + 2 * period)
    evenSteps = Self.evenSteps(period)
    shortestWait = Self.shortestWait(kernel, period)
    uniformSteps = 0
  }

  // MARK: - Equal rates

  /// Whether the next output is due at `time`.
  @inline(__always)
  func isNear(_ time: Int64) -> Bool {
    Double(time &- grid.origin &- grid.offset).magnitude <= Self.tolerance * period
  }

  /// Moves the grid on from the sample at `time`, which is an output.
  @inline(__always)
  mutating func follow(_ time: Int64) {
    grid.begin(at: time)
    grid.advance()
  }

  /// Calls `body` with the outputs that a sample at `time` completes, when samples are not on the grid.
  @inline(never)
  private mutating func passUneven(until time: Int64, _ body: (MotionSample) -> Void) {
    while Double(time &- grid.origin &- grid.offset) >= -Self.tolerance * period {
      if var sample = history.samples.last(where: { isNear($0.time.nanoseconds) }) {
        if hasAngles { sample.row.lowHalf.lowHalf = Angle.wrapped(sample.row.lowHalf.lowHalf) }
        follow(sample.time.nanoseconds)
        body(sample)
      } else if Double(grid.offset) <= reach(of: time) {
        let next = grid.origin + grid.offset
        grid.advance()
        body(output(at: next))
      } else {
        return
      }
    }
  }

  // MARK: - History

  @inline(__always)
  private mutating func addToHistory(_ sample: MotionSample) {
    let time = sample.time.nanoseconds
    // A step that overflows is negative and is not measured.
    if let previousTime, 0...longestStep ~= time &- previousTime {
      uniformSteps = isEven(time - previousTime) ? uniformSteps + 1 : 0
    } else {
      beginStream(at: sample)
    }
    previousTime = time
    history.append(sample)
  }

  /// Whether a step, in nanoseconds, is one period.
  @inline(__always)
  func isEven(_ step: Int64) -> Bool { evenSteps ~= step }

  mutating func beginStream(at sample: MotionSample) {
    history.begin(at: sample.row)
    grid.begin(at: sample.time.nanoseconds)
    uniformSteps = 0
  }

  // MARK: - Output

  /// The signal at `time`, from the samples within half a filter length of it.
  private mutating func output(at time: Int64) -> MotionSample {
    var row =
      if uniformSteps < weights.tapCount || history.samples.count < weights.tapCount {
        unevenOutput(at: time)
      } else if let activeSensors {
        evenOutput(of: activeSensors, at: time)
      } else {
        hasAngles ? evenOutput(of: AllSensors(), at: time) : evenOutput(of: AllButAttitude(), at: time)
      }
    if hasAngles { row.lowHalf.lowHalf = Angle.wrapped(row.lowHalf.lowHalf) }
    return MotionSample(time: SampleTime(nanoseconds: time), row: row)
  }

  @inline(__always)
  private mutating func evenOutput(of sensors: some WeightedSensors, at time: Int64) -> SIMD16<Float> {
    history.withBuffer { history in
      let end = history.baseAddress! + history.count
      let (phase, stride) = ((end - 1).pointee.time.nanoseconds &- time, MemoryLayout<MotionSample>.stride)
      let rows = UnsafeRawPointer(end) + MemoryLayout<MotionSample>.offset(of: \.row)!
      return sensors.row(weights.mean(of: sensors, at: phase, inRowsBefore: rows, stride: stride, &kernel))
    }
  }

  @inline(never)
  private mutating func unevenOutput(at time: Int64) -> SIMD16<Float> {
    var (total, sum) = (Float(0), SIMD16<Float>.zero)
    forEachTap(at: time) { weight, row in
      sum += weight * row
      total += weight
    }
    return sum / total
  }

  /// Calls `body` with the weight and row of every sample within the filter, the latest first.
  @inline(__always)
  private mutating func forEachTap(at time: Int64, _ body: (_ weight: Float, _ row: SIMD16<Float>) -> Void) {
    history.withBuffer { history in
      for index in stride(from: history.count - 1, through: 0, by: -1) {
        let sample = history.baseAddress! + index
        let distance = Double(sample.pointee.time.nanoseconds - time)
        if distance <= -kernel.halfLength { return }
        let weight = kernel.weight(at: distance)
        if weight != 0 { body(weight, sample.pointee.row) }
      }
    }
  }
}
