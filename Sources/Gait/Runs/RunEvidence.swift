/// The samples and inputs of a run, kept so that it can be decided again with another policy or model.
///
///     let stricter = try tracker.evidence.replayed(by: model, options: RunOptions(policy: .whenNotRunning))
///
/// Gravity, rotation rate and user acceleration are kept at the model's rate, 52 bytes a sample: 14 MB for three hours
/// at 25 Hz. Attitude is not kept, as no shipped model uses it. Memory grows in blocks without copying.
/// `StoredRun.evidence` of GaitRuns keeps it with the run, so that a later version or model can decide the run again.
public struct RunEvidence: Hashable, Sendable {
  /// The rate of the samples.
  public let sampleRate: SampleRate
  /// Whether samples are kept (`RunOptions.keepsEvidence`).
  public let isKept: Bool

  /// From the time of the first input to the time of the latest; `nil` before any.
  package var span: ClosedRange<SampleTime>?
  /// The inputs that were dropped and are not kept.
  package var dropped = DroppedInputs()
  /// The full blocks, and the latest one.
  private var blocks: [[Entry]] = []
  private var latest: [Entry] = []
  /// The other inputs, each with the number of samples before it.
  private var inputs: [Other] = []
  private static let blockLength = 4096

  /// An input that is no sample, and the number of samples before it.
  private struct Other: Hashable, Sendable {
    var index: Int
    var input: RunInput
  }

  /// A sample at the model's rate.
  private struct Entry: Hashable, Sendable {
    var time: Int64
    /// The delay from `time` to the source sample that completed it, nanoseconds.
    var delay: Int64
    var gravity: (Float, Float, Float)
    var rotationRate: (Float, Float, Float)
    var userAcceleration: (Float, Float, Float)

    /// All bits, so that a missing value equals a missing value.
    private var bits: SIMD16<UInt32> {
      let (g, w, u) = (gravity, rotationRate, userAcceleration)
      let values = SIMD16<Float>(g.0, g.1, g.2, w.0, w.1, w.2, u.0, u.1, u.2, 0, 0, 0, 0, 0, 0, 0)
      var bits = unsafeBitCast(values, to: SIMD16<UInt32>.self)
      for (index, number) in [time, delay].enumerated() {
        bits[12 + 2 * index] = UInt32(truncatingIfNeeded: number)
        bits[13 + 2 * index] = UInt32(truncatingIfNeeded: number >> 32)
      }
      return bits
    }

    static func == (first: Entry, second: Entry) -> Bool { first.bits == second.bits }
    func hash(into hasher: inout Hasher) { hasher.combine(bits) }
  }

  package init(sampleRate: SampleRate, isKept: Bool) {
    self.sampleRate = sampleRate
    self.isKept = isKept
    guard isKept else { return }
    blocks.reserveCapacity(Self.initialBlockCount)
  }

  /// The blocks of three hours at 25 Hz.
  private static let initialBlockCount = 66

  /// The number of samples.
  public var count: Int { blocks.count * Self.blockLength + latest.count }

  /// Keeps a sample at the model's rate.
  mutating func append(_ sample: MotionSample, arrival: SampleTime) {
    guard isKept else { return }
    if latest.count == latest.capacity || latest.count == Self.blockLength { beginBlock() }
    let row = sample.row
    latest.append(
      Entry(
        time: sample.time.nanoseconds, delay: arrival.nanoseconds - sample.time.nanoseconds,
        gravity: (row[4], row[5], row[6]), rotationRate: (row[8], row[9], row[10]),
        userAcceleration: (row[12], row[13], row[14])))
  }

  @inline(never)
  private mutating func beginBlock() {
    if latest.count == Self.blockLength {
      blocks.append(latest)
      latest = []
    }
    latest.reserveCapacity(Self.blockLength)
  }

  /// Keeps an input. A motion sample must be at the model's rate.
  package mutating func append(_ input: RunInput, arrival: SampleTime) {
    if case .motion(let sample) = input { return append(sample, arrival: arrival) }
    if isKept { inputs.append(Other(index: count, input: input)) }
  }

  private subscript(index: Int) -> Entry {
    let block = index / Self.blockLength
    return (block < blocks.count ? blocks[block] : latest)[index % Self.blockLength]
  }

  /// Calls `body` with everything that was kept, in order of arrival.
  package func forEach(_ body: (RunInput, _ arrival: SampleTime) -> Void) {
    var next = 0
    for index in 0..<count {
      while next < inputs.count, inputs[next].index <= index {
        body(inputs[next].input, inputs[next].input.time)
        next += 1
      }
      let entry = self[index]
      let (g, w, u) = (entry.gravity, entry.rotationRate, entry.userAcceleration)
      let sample = MotionSample(
        time: SampleTime(nanoseconds: entry.time), gravity: SIMD3(g.0, g.1, g.2), rotationRate: SIMD3(w.0, w.1, w.2),
        userAcceleration: SIMD3(u.0, u.1, u.2))
      body(.motion(sample), SampleTime(nanoseconds: entry.time + entry.delay))
    }
    for other in inputs[next...] { body(other.input, other.input.time) }
  }

  /// Decides the run again, perhaps with another model or policy; the same ones give the same run to the last bit.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - options: the policy, splits and goals.
  ///   - changesPolicy: whether the changes of policy during the run are made again; otherwise the policy of `options`
  ///     applies throughout.
  /// - Throws: `ModelError.invalid` if evidence was not kept, was kept at another rate than the model's, or the model
  ///   uses the attitude, which evidence lacks, and for options that a tracker does not take.
  public func replayed(
    by model: ActivityModel, options: RunOptions = RunOptions(), changesPolicy: Bool = true
  ) throws(ModelError) -> RunTimeline {
    try options.check()
    guard isKept else { throw .invalid("the evidence of this run was not kept; set RunOptions.keepsEvidence") }
    guard model.sampleRate == sampleRate else {
      let rates = "kept at \(plain(sampleRate.hertz)) Hz, but the model needs \(plain(model.sampleRate.hertz)) Hz"
      throw .invalid("the evidence was \(rates); track the recording again")
    }
    guard model.neededChannels.isDisjoint(with: Sensor.attitude.channels) else {
      throw .invalid("the model needs the attitude, which evidence does not keep; track the recording again")
    }
    var stages = LaterStages(model: model, options: options)
    var events: [RunEvent] = []
    if let span { stages.begin(at: span.lowerBound) }
    forEach { input, arrival in
      if case .policy = input, !changesPolicy { return }
      stages.append(input, arrival: arrival, &events)
    }
    if let span { stages.advance(to: span.upperBound, &events) }
    let run = stages.finished?.counting(dropped)
    return run ?? RunTimeline(start: SampleTime(nanoseconds: 0), options: options, pauses: model.pauses)
  }

  // MARK: Editing

  /// The evidence between two moments. From it, a trimmed run is decided as if only that part had been recorded.
  /// Changes of policy before the part are kept, because they apply in it.
  ///
  /// - Precondition: `from` is not after `to`.
  public func part(from: SampleTime, to: SampleTime) -> RunEvidence {
    precondition(from <= to, "a part of a run must begin before it ends")
    var part = RunEvidence(sampleRate: sampleRate, isKept: isKept)
    guard let span, from <= span.upperBound, to >= span.lowerBound else { return part }
    let inside = max(from, span.lowerBound)...min(to, span.upperBound)
    part.span = inside
    forEach { input, arrival in
      var isEarlierPolicy = false
      if case .policy(_, let time) = input { isEarlierPolicy = time < inside.lowerBound }
      if inside ~= arrival || isEarlierPolicy { part.append(input, arrival: arrival) }
    }
    return part
  }

  /// The evidence of this run and a later one, with a pause between them.
  ///
  /// - Precondition: `later` begins after this run ends, on the same clock, at the same rate.
  public func joined(with later: RunEvidence) -> RunEvidence {
    precondition(sampleRate == later.sampleRate, "only runs of one sample rate can be joined")
    guard let span, let next = later.span else { return self.span == nil ? later : self }
    precondition(span.upperBound <= next.lowerBound, "only a later run can be joined")
    var joined = self
    joined.span = span.lowerBound...next.upperBound
    joined.dropped = dropped + later.dropped
    joined.append(.pause(autoResume: false, at: span.upperBound), arrival: span.upperBound)
    joined.append(.resume(at: next.lowerBound), arrival: next.lowerBound)
    later.forEach { joined.append($0, arrival: $1) }
    return joined
  }
}
