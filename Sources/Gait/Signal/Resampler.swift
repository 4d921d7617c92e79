/// Turns a stream of samples at one rate into a stream at another, without letting other frequencies fold in.
///
/// Outputs lie on a grid that begins at the stream's first sample. Each is a weighted mean of the samples around it: the
/// weights are a windowed sinc of the distance in time, divided by their sum, so a steady signal stays what it is and
/// uneven spacing does no harm. The output bears the time that it describes; it can be made only once the samples up to
/// `delay` after that time are there.
///
/// - **Start**: the first output is the first grid point with samples on both sides, at or after `delay` from the start.
///   No output is made from samples that were not recorded.
/// - **End**: the last output is the last grid point that lies at least `delay`, less one period of the source, before the
///   last sample. There is nothing to flush.
/// - **Gaps**: a step of more than `longestStep` periods ends the stream; the next sample begins a new one with a grid of
///   its own.
/// - **Late samples**, not after the one before, and samples whose time is outside `SampleTime.range` are dropped and counted
///   in `droppedCount`.
/// - **Missing values** make every output within `delay` of them missing, in their channel only.
/// - **Angles** are made continuous before they are averaged and brought back to −π…π afterwards.
/// - **Equal rates** pass samples through as they are, gaps included, with no delay.
///
/// The same samples give the same bits, however they are handed over.
package struct Resampler: Sendable {
  /// The rate that the source states.
  package let source: SampleRate
  /// The rate of the output.
  package let target: SampleRate
  /// A step longer than this many periods of the source is a gap.
  package static let longestStep = 4.0

  /// The longest step that is no gap in a stream at `rate`, in whole nanoseconds.
  package static func longestStep(at rate: SampleRate) -> Int64 {
    // Rounded up, so that whole nanoseconds make no gap of a step of just that many periods.
    Int64((longestStep * rate.periodNanoseconds).rounded(.up))
  }

  /// How many samples were dropped because they came late or their time is outside `SampleTime.range`.
  package private(set) var droppedCount = 0

  /// The source's period, nanoseconds.
  private let period: Double
  /// The longest step that is no gap, nanoseconds.
  private let longestStep: Int64
  private var kernel: ResamplingKernel
  /// Whether the rates are the same, so that samples pass as they are.
  let isPassThrough: Bool
  private var history: [MotionSample] = []
  private var weights: PolyphaseTable
  /// The sensors whose lanes are wanted, where not all are.
  private let pair: ActiveSensors?
  /// Whether angles are among the lanes that are wanted.
  private let hasAngles: Bool
  private var uniformSteps = 0
  /// Where outputs lie.
  private var grid: OutputGrid
  private var previousTime: Int64?
  private var previousAngles = SIMD4<Float>.zero

  /// A resampler from a stream at `source` to one at `target`.
  package init(from source: SampleRate, to target: SampleRate) {
    self.init(from: source, to: target, sensors: Set(Sensor.allCases))
  }

  /// A resampler of some sensors.
  ///
  /// - Parameter sensors: the sensors that anyone looks at; the values of others may come out as missing.
  package init(from source: SampleRate, to target: SampleRate, sensors: Set<Sensor>) {
    pair = ActiveSensors(sensors)
    hasAngles = sensors.contains(.attitude)
    self.source = source
    self.target = target
    period = source.periodNanoseconds
    grid = OutputGrid(rate: target)
    longestStep = Self.longestStep(at: source)
    kernel = ResamplingKernel(from: source, to: target)
    isPassThrough = (source.hertz / target.hertz - 1).magnitude < 1e-9
    weights = PolyphaseTable(kernel: kernel, period: period)
    history.reserveCapacity(Self.historyFactor * weights.tapCount + 1)
  }

  /// How long after the time it describes an output is made at the latest, seconds, where samples come evenly.
  package var delay: Double { isPassThrough ? 0 : kernel.halfLength / 1e9 }

  /// The highest frequency that comes through within 1 %, hertz.
  package var passband: Double { isPassThrough ? target.hertz / 2 : kernel.passband }

  /// Where a sample's row lies in it, bytes.
  @inline(__always)
  private static var rowOffset: Int { MemoryLayout<MotionSample>.offset(of: \.row)! }

  /// Takes the next sample and hands every output that it makes possible to `body`, in order of time.
  @inline(__always)
  package mutating func append(_ sample: MotionSample, _ body: (MotionSample) -> Void) {
    guard sample.time.isValid, previousTime.map({ sample.time.nanoseconds > $0 }) ?? true else {
      droppedCount += 1
      return
    }
    guard !isPassThrough else {
      previousTime = sample.time.nanoseconds
      return body(sample)
    }
    remember(sample)
    while let time = nextOutput(after: sample.time.nanoseconds) { body(output(at: time)) }
  }

  /// The time of the next output if a sample at `time` makes it possible; moves on along the grid.
  @inline(__always)
  private mutating func nextOutput(after time: Int64) -> Int64? {
    while Double(grid.offset) <= reach(of: time) {
      let offset = grid.offset
      grid.advance()
      if Double(offset) >= kernel.halfLength { return grid.origin + offset }
    }
    return nil
  }

  /// How long after the grid's origin the last output may lie that a sample at `time` makes possible, nanoseconds.
  @inline(__always)
  private func reach(of time: Int64) -> Double {
    // An output can be made as soon as the next sample, a period later, would lie beyond the filter's end.
    Double(time - grid.origin) - kernel.halfLength + period
  }

  // MARK: - History

  /// How many times the filter's length is kept before the oldest samples are moved out.
  private static let historyFactor = 4

  private mutating func remember(_ sample: MotionSample) {
    let time = sample.time.nanoseconds
    // A step that is too long to be counted comes out negative.
    if let previousTime, 0...longestStep ~= time &- previousTime {
      uniformSteps = isEven(time - previousTime) ? uniformSteps + 1 : 0
    } else {
      beginStream(at: sample)
    }
    previousTime = time
    makeRoom(before: time)
    history.append(hasAngles ? continued(sample) : sample)
  }

  /// Whether a step, in nanoseconds, is one period.
  @inline(__always)
  private func isEven(_ step: Int64) -> Bool { (Double(step) - period).magnitude <= 1 }

  /// The sample with its angles within half a turn of those before.
  private mutating func continued(_ sample: MotionSample) -> MotionSample {
    var sample = sample
    let angles = Angle.continued(sample.row.lowHalf.lowHalf, after: previousAngles)
    sample.row.lowHalf.lowHalf = angles
    // A missing angle leaves the last known one in its place.
    previousAngles.replace(with: angles, where: angles .== angles)
    return sample
  }

  private mutating func beginStream(at sample: MotionSample) {
    history.removeAll(keepingCapacity: true)
    grid.begin(at: sample.time.nanoseconds)
    uniformSteps = 0
    previousAngles = sample.row.lowHalf.lowHalf
    for lane in 0..<3 where previousAngles[lane].isNaN { previousAngles[lane] = 0 }
  }

  /// Moves out samples that no output can need, once the history has grown to several filter lengths; keeps the angles
  /// near 0, where a Float is exact enough, however often the wearer has turned round.
  private mutating func makeRoom(before time: Int64) {
    guard history.count >= Self.historyFactor * weights.tapCount else { return }
    let oldest = time - Int64(2 * kernel.halfLength + 2 * period)
    let kept = history.firstIndex { $0.time.nanoseconds >= oldest } ?? history.count
    history.removeSubrange(0..<kept)
    guard hasAngles else { return }
    for lane in 0..<3 {
      let turns = previousAngles[lane] - Angle.wrapped(previousAngles[lane])
      guard turns != 0 else { continue }
      previousAngles[lane] -= turns
      for index in history.indices { history[index].row[lane] -= turns }
    }
  }

  // MARK: - Output

  /// The signal at `time`, from the samples within half a filter length of it.
  private mutating func output(at time: Int64) -> MotionSample {
    let count = history.count
    var row: SIMD16<Float>
    if uniformSteps >= weights.tapCount, count >= weights.tapCount {
      // Mutable, because looking whether the samples are shared costs less than sharing them for the call.
      row = history.withUnsafeMutableBufferPointer { history in
        let (last, stride) = (history.baseAddress! + (count - 1), MemoryLayout<MotionSample>.stride)
        let (phase, end) = (last.pointee.time.nanoseconds - time, UnsafeRawPointer(last + 1) + Self.rowOffset)
        guard let pair else { return weights.mean(at: phase, ofRowsBefore: end, stride: stride, &kernel) }
        return pair.row(weights.mean(of: pair, at: phase, inRowsBefore: end, stride: stride, &kernel))
      }
    } else {
      row = unevenOutput(at: time)
    }
    if hasAngles { row.lowHalf.lowHalf = Angle.wrapped(row.lowHalf.lowHalf) }
    return MotionSample(time: SampleTime(nanoseconds: time), row: row)
  }

  private mutating func unevenOutput(at time: Int64) -> SIMD16<Float> {
    var total: Float = 0
    guard let pair else {
      var sum = SIMD16<Float>.zero
      forEachTap(at: time) { weight, row in
        sum += weight * row.load(as: SIMD16<Float>.self)
        total += weight
      }
      return sum / total
    }
    var sum = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    forEachTap(at: time) { weight, row in
      let lanes = pair.lanes(of: row)
      sum.0 += weight * lanes.0
      sum.1 += weight * lanes.1
      total += weight
    }
    return pair.row((sum.0 / total, sum.1 / total))
  }

  /// Hands the weight and the row of every sample within the filter to `body`, the latest first.
  @inline(__always)
  private mutating func forEachTap(at time: Int64, _ body: (_ weight: Float, _ row: UnsafeRawPointer) -> Void) {
    history.withUnsafeMutableBufferPointer { history in
      for index in stride(from: history.count - 1, through: 0, by: -1) {
        let sample = history.baseAddress! + index
        let distance = Double(sample.pointee.time.nanoseconds - time)
        if distance <= -kernel.halfLength { return }
        let weight = kernel.weight(at: distance)
        if weight != 0 { body(weight, UnsafeRawPointer(sample) + Self.rowOffset) }
      }
    }
  }
}

// MARK: - Whole recordings

extension Resampler {
  /// How many outputs are handed over together, or a few more.
  private static let blockCount = 512

  /// Takes the samples of a recording, as `append` takes one after another, and hands the outputs to `body`, some hundred
  /// at a time; they are the same to the last bit.
  ///
  /// - Precondition: the resampler has taken no sample.
  package mutating func append(contentsOf recording: Recording, _ body: (Recording) -> Void) {
    precondition(previousTime == nil, "only a resampler at its beginning takes a whole recording")
    guard !isPassThrough else {
      previousTime = recording.count > 0 ? recording.time(at: recording.count - 1).nanoseconds : nil
      return body(recording)
    }
    var (rows, times): ([SIMD16<Float>], [SampleTime]) = ([], [])
    var index = 0
    func handOver() {
      guard let start = times.first else { return }
      body(block(of: recording, start: start, rows: rows, times: times))
      rows.removeAll(keepingCapacity: true)
      times.removeAll(keepingCapacity: true)
    }
    while index < recording.count {
      // Where all samples that make an output are evenly spaced, it is made from where they stand.
      if let pair, !hasAngles, uniformSteps >= weights.tapCount,
        let block = evenBlock(of: pair, in: recording, from: &index)
      {
        handOver()
        body(block)
      } else {
        append(recording[index]) {
          rows.append($0.row)
          times.append($0.time)
        }
        index += 1
        if rows.count >= Self.blockCount { handOver() }
      }
    }
    handOver()
  }

  /// The outputs of the samples from `index` on, which moves behind them, as long as they are evenly spaced; `nil` where
  /// the first of them is not.
  private mutating func evenBlock(of pair: ActiveSensors, in recording: Recording, from index: inout Int) -> Recording?
  {
    guard var previous = previousTime, isEven(recording.time(at: index).nanoseconds &- previous) else { return nil }
    let first = (sample: index, output: grid.index, offset: grid.offset)
    let step = recording.wholePeriod
    let capacity = Self.blockCount + 2 + Int(target.hertz / source.hertz)
    let rows = [SIMD16<Float>](unsafeUninitializedCapacity: capacity) { rows, count in
      let rowSize = MemoryLayout<SIMD16<Float>>.stride
      var place = UnsafeMutableRawPointer(rows.baseAddress!)
      let end = place + Self.blockCount * rowSize
      recording.rows.withUnsafeBufferPointer { samples in
        while index < samples.count, place < end {
          let time = step.map { previous &+ $0 } ?? recording.time(at: index).nanoseconds
          guard step != nil || isEven(time &- previous) else { break }
          previous = time
          index += 1
          let reach = reach(of: time)
          while Double(grid.offset) <= reach {
            let lanes = weights.mean(
              of: pair, at: time &- grid.origin &- grid.offset, inRowsBefore: samples.baseAddress! + index,
              stride: rowSize, &kernel)
            pair.write(lanes, to: place)
            place += rowSize
            grid.advance()
          }
        }
      }
      count = grid.index - first.output
    }
    previousTime = previous
    uniformSteps += index - first.sample
    history.removeAll(keepingCapacity: true)
    for sample in max(0, index - 2 * weights.tapCount)..<index { history.append(recording[sample]) }
    return block(
      of: recording, start: SampleTime(nanoseconds: grid.origin + first.offset), rows: rows,
      times: grid.unevenTimes(from: first.output))
  }

  private func block(
    of recording: Recording, start: SampleTime, rows: [SIMD16<Float>], times: [SampleTime]
  ) -> Recording {
    Recording(
      name: recording.name, sampleRate: target, start: start, channels: recording.channels, rows: rows, times: times)
  }
}
