/// Converts a stream of samples from one rate to another, with an anti-aliasing filter.
///
/// Outputs lie on a grid that begins at the stream's first sample. Each is a weighted mean of the samples around it.
/// The weights are a windowed sinc of the distance in time, divided by their sum, which keeps a constant signal
/// constant and tolerates uneven spacing. An output needs the samples up to `delay` after its time.
///
/// - **Start**: the first output is the first grid point at or after `delay` from the start. No output is extrapolated.
/// - **End**: the last output is the last grid point at least `delay`, less one period of the source, before the last
///   sample. There is nothing to flush.
/// - **Holes**: a step of more than 1.5 periods and at most `longestStep(at:)` is bridged: samples one period apart are
///   interpolated linearly and counted in `bridgedCount`. A sample that lacks a part of its acceleration counts as not
///   recorded if that leaves a hole that is bridged.
/// - **Gaps**: a longer step ends the stream; the next sample begins a new one with its own grid.
/// - **Late samples**, not after the previous one, and samples with a time outside `SampleTime.range` are dropped and
///   counted in `droppedCount`. With `longestDelay`, samples are sorted that arrive at most so long after later ones.
/// - **Missing values** otherwise make every output within `delay` of them missing, in their channel only.
/// - **Angles** are unwrapped before filtering and wrapped to −π…π afterwards.
/// - **Equal rates** pass samples through unchanged, without delay, while each is within `tolerance` periods of the
///   next output's time. The grid follows them. Other outputs are weighted means, `delay` after their time.
/// - **Another rate**: if `RateMeter` finds a rate that differs from `source` by more than a quarter, and the filter or
///   the bridged holes depend on it, the resampler adapts to it.
///
/// The same samples give the same bits, whether appended one by one or as a recording.
package struct Resampler: Sendable {
  /// The rate of the source: the nominal one, unless another was measured.
  package private(set) var source: SampleRate
  /// The rate that was measured, if it differs from the nominal one by more than a quarter.
  private(set) var measuredRate: SampleRate?
  /// The rate of the output.
  package let target: SampleRate
  /// The longest hole that is bridged, seconds.
  package static let longestHole = 0.3
  /// The longest step that is not a gap in periods, for sources with fewer samples in `longestHole`.
  package static let longestStep = 4.0
  /// The greatest deviation of a sample from an output's time at which it is passed through, periods.
  static let tolerance = 0.05

  /// The longest step that is not a gap in a stream at `rate`, in whole nanoseconds: 0.3 s, or four periods below 13.3
  /// Hz.
  package static func longestStep(at rate: SampleRate) -> Int64 {
    // Rounded up, so that a step of exactly that many periods is not a gap when times are whole nanoseconds.
    Int64(saturating: max(longestHole * 1e9, longestStep * rate.periodNanoseconds).rounded(.up))
  }

  /// The longest step between two outputs at `rate` that is not a gap, in nanoseconds: 1.5 periods.
  package static func longestOutputStep(at rate: SampleRate) -> Int64 {
    Int64(saturating: 1.5 * rate.periodNanoseconds)
  }

  /// The number of samples dropped because they were late or their time is outside `SampleTime.range`.
  package private(set) var droppedCount = 0
  /// The number of samples interpolated in holes.
  package private(set) var bridgedCount = 0

  /// The holes that were bridged, for `BridgedHoles.measuredShare`; `nil` if it is not asked for.
  package var holes: BridgedHoles?

  // What is not private is for whole recordings, in Resampler+Recordings.swift.

  /// The source's period, nanoseconds.
  var period: Double
  /// The longest step that is not a hole, and the longest that is not a gap, nanoseconds.
  private var longestEvenStep, longestStep: Int64
  /// The steps that count as one period, nanoseconds.
  private var evenSteps: ClosedRange<Int64>
  /// How long after an output's time a sample completes it, nanoseconds, at least.
  private var shortestWait: Int64
  /// The first and last time of a next sample that continues an evenly spaced stream without anything to repair, to
  /// measure or to sort, nanoseconds; the first is after the last otherwise.
  private var (firstEvenTime, lastEvenTime) = (Int64.max, Int64.min)
  var kernel: ResamplingKernel
  /// Whether the rates are equal, so that evenly spaced samples pass through unchanged.
  private(set) var isPassThrough: Bool
  var rateMeter = RateMeter()
  var order: SampleOrder
  /// The acceleration lanes that the source has.
  var required = AccelerationLanes()
  /// The latest samples, if they lack a part of their acceleration and may belong to a hole.
  var broken: [MotionSample] = []
  /// The time of the latest sample, and of the latest one with its whole acceleration.
  var latestTime, completeTime: Int64?
  var history: SampleHistory
  var weights: PolyphaseTable
  /// The sensors that are computed from evenly spaced samples of a recording; `nil` for all.
  let activeSensors: ActiveSensors?
  /// Whether attitude angles are computed.
  let hasAngles: Bool
  var uniformSteps = 0
  /// The number of samples since the latest interpolated one.
  var samplesSinceHole = 0
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
  ///   - longestDelay: how long a sample may arrive after later ones, seconds; outputs are delayed by it.
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

  /// The offset of a sample's row, bytes.
  @inline(__always)
  private static var rowOffset: Int { MemoryLayout<MotionSample>.offset(of: \.row)! }

  /// Appends a sample and calls `body` with every output that it completes, in order of time.
  @inline(__always)
  package mutating func append(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    if time >= firstEvenTime, time <= lastEvenTime, required.arePresent(in: sample.row) {
      return continueEvenly(with: sample, body)
    }
    appendUnevenly(sample, body)
    expectEvenTime()
  }

  /// Takes a sample of an evenly spaced stream: what `appendUnevenly` does where there is nothing to repair, to measure
  /// or to sort. With it live classification (the workload `classifyLive/50Hz`) takes 0.9 times the instructions.
  @inline(__always)
  private mutating func continueEvenly(with sample: MotionSample, _ body: (MotionSample) -> Void) {
    let time = sample.time.nanoseconds
    (previousTime, latestTime, completeTime) = (time, time, time)
    samplesSinceHole &+= 1
    uniformSteps &+= 1
    history.append(sample)
    expectEvenTime(after: time)
    while time &- grid.origin &- grid.offset >= shortestWait, let output = nextOutput(after: time) {
      body(self.output(at: output))
    }
  }

  /// Takes the next sample as the first one of a stream, whatever its time.
  package mutating func restart() {
    (previousTime, latestTime, completeTime) = (nil, nil, nil)
    broken.removeAll()
    order = SampleOrder(longestDelay: order.longestDelay)
    expectEvenTime()
  }

  /// Finds when the next sample is expected.
  mutating func expectEvenTime() {
    (firstEvenTime, lastEvenTime) = (.max, .min)
    guard !isPassThrough, order.longestDelay == 0, broken.isEmpty, rateMeter.isEmpty, let time = latestTime,
      time == previousTime, time == completeTime
    else { return }
    expectEvenTime(after: time)
  }

  @inline(__always)
  private mutating func expectEvenTime(after time: Int64) {
    firstEvenTime = time &+ evenSteps.lowerBound
    lastEvenTime = min(time &+ evenSteps.upperBound, SampleTime.farthest)
  }

  @inline(never)
  private mutating func appendUnevenly(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
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
    samplesSinceHole &+= 1
    take(sample, body)
  }

  /// Takes a sample of the repaired stream.
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

  /// Takes a sample after a hole, or one without a part of its acceleration.
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

  /// Interpolates the samples of the hole before `sample`.
  private mutating func bridge(to sample: MotionSample, _ body: (MotionSample) -> Void) {
    guard let last = history.samples.last else { return }
    let (start, step) = (last.time.nanoseconds, sample.time.nanoseconds &- last.time.nanoseconds)
    guard longestEvenStep + 1...max(longestEvenStep + 1, longestStep) ~= step else { return }
    var end = sample.row
    if hasAngles { end.lowHalf.lowHalf = Angle.continued(end.lowHalf.lowHalf, after: last.row.lowHalf.lowHalf) }
    holes?.append(from: start, to: sample.time.nanoseconds, period: period)
    let count = Int64(saturating: (Double(step) / period).rounded())
    for index in 1..<count {
      var row = last.row + (Float(index) / Float(count)) * (end - last.row)
      if hasAngles { row.lowHalf.lowHalf = Angle.wrapped(row.lowHalf.lowHalf) }
      bridgedCount += 1
      samplesSinceHole = 0
      take(MotionSample(time: SampleTime(nanoseconds: start + step * index / count), row: row), body)
    }
  }

  /// Measures the rate of a source with uneven steps, and adapts to it.
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

  /// The steps that count as one `period`, nanoseconds: those within 1 ns of it.
  private static func evenSteps(_ period: Double) -> ClosedRange<Int64> {
    let first = Int64(saturating: (period - 1).rounded(.up))
    return first...max(first, Int64(saturating: (period + 1).rounded(.down)))
  }

  /// A nanosecond less than the difference that `reach(of:)` makes, so that rounding does not matter.
  private static func shortestWait(_ kernel: ResamplingKernel, _ period: Double) -> Int64 {
    Int64(saturating: (kernel.halfLength - period).rounded(.down)) - 1
  }

  // MARK: - Equal rates

  /// Whether a time is that of the next output.
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

  /// Calls `body` with the outputs that a sample at `time` completes where samples are not on the grid.
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
    // A step that overflows is negative.
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
    let count = history.samples.count
    var row: SIMD16<Float>
    if uniformSteps >= weights.tapCount, count >= weights.tapCount {
      row = history.withBuffer { history in
        let (last, stride) = (history.baseAddress! + (count - 1), MemoryLayout<MotionSample>.stride)
        let (phase, end) = (last.pointee.time.nanoseconds - time, UnsafeRawPointer(last + 1) + Self.rowOffset)
        func mean(_ sensors: some WeightedSensors) -> SIMD16<Float> {
          sensors.row(weights.mean(of: sensors, at: phase, inRowsBefore: end, stride: stride, &kernel))
        }
        if let activeSensors { return mean(activeSensors) }
        return hasAngles ? mean(AllSensors()) : mean(AllButAttitude())
      }
    } else {
      row = unevenOutput(at: time)
    }
    if hasAngles { row.lowHalf.lowHalf = Angle.wrapped(row.lowHalf.lowHalf) }
    return MotionSample(time: SampleTime(nanoseconds: time), row: row)
  }

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
