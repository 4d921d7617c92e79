/// Checks a signal for wrong units and for missing or constant values, by the same rules for files, memory, streams and
/// other languages.
///
///     var review = SignalReview(sampleRate: .hertz(50))
///     for sample in samples { review.append(sample) }
///     print(review.findings)
///
/// It judges about 25 rows a second, in every second of the first ten, and in one of three until `longestSeconds`;
/// later samples cost nothing. `Recording.findings` judges a recording, and `RunTracker.findings` the samples of a
/// tracker.
public struct SignalReview: Sendable {
  /// The seconds that are judged.
  public static let longestSeconds = 60.0

  private let rowCount: Int
  /// The number of rows so far, up to `rowCount`; the index of the next row to judge; and the number of judged rows.
  private var (count, next, judgedCount) = (0, 0, 0)
  private let step: Int
  private var steady: SteadyAcceleration
  private var values = SensorValues()
  private let needed: Set<Channel>
  private let judgesGravity: Bool

  /// rad/s; sensors measure up to 35, which is 2000 degrees per second.
  package static let fastestRotation: Float = 40

  /// A review of a signal at `sampleRate`.
  public init(sampleRate: SampleRate) { self.init(sampleRate: sampleRate, needed: []) }

  /// - Parameters:
  ///   - needed: channels that must have values.
  ///   - judgesGravity: whether the presence of gravity and its unit are judged; the reader of a file has judged them
  ///     before.
  package init(sampleRate: SampleRate, needed: Set<Channel> = [], judgesGravity: Bool = true) {
    (self.needed, self.judgesGravity) = (needed, judgesGravity)
    rowCount = Int(saturating: sampleRate.hertz * Self.longestSeconds)
    step = max(1, Int(saturating: sampleRate.hertz / 25))
    steady = SteadyAcceleration(
      at: SampleRate(exactly: sampleRate.hertz / Double(step)) ?? sampleRate,
      secondCount: judgesGravity ? Int(saturating: Self.longestSeconds) + 1 : 0)
  }

  /// Adds the next sample.
  @inline(__always)
  public mutating func append(_ sample: MotionSample) {
    if count < rowCount { append(sample.row) }
  }

  @inline(never)
  private mutating func append(_ row: SIMD16<Float>) {
    if count == next {
      judge(row)
      next += distanceToNext
    }
    count += 1
  }

  /// Adds the next rows, laid out as `MotionSample.row`.
  package mutating func append(_ rows: ArraySlice<SIMD16<Float>>) {
    let rows = rows.prefix(rowCount - count)
    var index = next - count
    rows.withUnsafeBufferPointer { rows in
      while index < rows.count {
        judge(rows[index])
        index += distanceToNext
      }
    }
    (next, count) = (count + index, count + rows.count)
  }

  /// The number of rows from one that is judged to the next.
  private var distanceToNext: Int {
    steady.isBetweenSeconds && judgedCount >= 10 * steady.secondLength ? (2 * steady.secondLength + 1) * step : step
  }

  @inline(__always)
  private mutating func judge(_ row: SIMD16<Float>) {
    if judgedCount & SensorValues.spacing == 0 { values.append(row) }
    judgedCount += 1
    guard judgesGravity else { return }
    let user = row.highHalf.highHalf
    let total = row.lowHalf.highHalf + user
    if total.sum().isFinite { steady.appendFinite(total) } else { steady.append(user) }
  }

  /// What is wrong, the most serious finding first; empty if nothing is.
  public var findings: [SignalFinding] {
    guard judgesGravity else { return values.accelerationFindings + values.findings(needed: needed) }
    var findings: [SignalFinding] = []
    switch steady.judgement(isTotal: values.hasGravity) {
    case .impossible(let mean) where mean > 0: findings.append(.impossibleAcceleration(mean: mean))
    case .otherUnit(_, let mean): findings.append(.impossibleAcceleration(mean: mean))
    case .gravity(isIncluded: false, let mean): findings.append(.impossibleAcceleration(mean: mean))
    case .otherScale(let rest): return [.otherScale(rest: rest)] + values.findings(needed: needed)
    case .gravity(isIncluded: true, let mean):
      let others = values.accelerationFindings
      findings += others.isEmpty ? [.gravityIncluded(mean: mean)] : others
    case .asNamed, .impossible: findings += values.accelerationFindings
    }
    return findings + values.findings(needed: needed)
  }

  /// The needed channels that have no value so far.
  package var emptyChannels: [Channel] { values.emptyChannels(of: needed) }
}

/// The range of each channel's values, how many are missing, the mean acceleration and the fastest rotation, from every
/// fourth judged row.
struct SensorValues: Sendable {
  /// A judged row is used if its index has none of these bits: every fourth row.
  static let spacing = 3
  /// The fewest rows that show a constant or a missing sensor.
  private static let fewestRows = 20
  /// The largest mean magnitude of an acceleration without gravity, in g, even at a sprinter's wrist.
  private static let strongestMovement: Float = 4
  /// An attitude in radians is at most a turn.
  private static let largestAttitude: Float = 7
  /// The largest share of missing values that is no finding. A gyroscope may be slower than the accelerometer.
  private static let largestMissing: [(sensor: Sensor, share: Double)] = [
    (.userAcceleration, 0.1), (.rotationRate, 0.5),
  ]

  private static let isUnused = SIMD16<Float>(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

  private var (least, greatest) = (SIMD16<Float>(repeating: .infinity), SIMD16<Float>(repeating: -.infinity))
  private var valueCounts = SIMD16<Int32>.zero
  private var count: Int32 = 0
  /// The magnitudes of the acceleration without gravity that are not 0, and their number.
  private var (lengths, lengthCount) = (Float.zero, Float.zero)
  /// The square of the fastest rotation.
  private var fastest: Float = 0
  /// The sums of the products of the acceleration without gravity with gravity, and of gravity with itself.
  private var (along, squares) = (Float.zero, Float.zero)

  mutating func append(_ row: SIMD16<Float>) {
    count &+= 1
    let (gravity, user) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    let (square, product) = ((user * user).sum(), (user * gravity).sum())
    if square > 0, square.isFinite {
      lengths += square.squareRoot()
      lengthCount += 1
    }
    let rotation = (row.highHalf.lowHalf * row.highHalf.lowHalf).sum()
    if rotation > fastest, rotation.isFinite { fastest = rotation }
    if product.isFinite {
      along += product
      squares += (gravity * gravity).sum()
    }
    // Comparisons with NaN are false.
    least.replace(with: row, where: row .< least)
    greatest.replace(with: row, where: row .> greatest)
    // Infinite values are missing, too.
    valueCounts.replace(with: valueCounts &+ 1, where: (row - row) .== 0)
  }

  var hasGravity: Bool { valueCounts[Channel.gravityX.lane] > 0 }

  /// The findings on the acceleration without gravity, whether or not the signal also has gravity.
  var accelerationFindings: [SignalFinding] {
    guard count >= Self.fewestRows, lengthCount > 0 else { return [] }
    let mean = lengths / lengthCount
    if mean > Self.strongestMovement { return [.strongAcceleration(mean: Double(mean))] }
    // `along` ÷ `squares` is the mean acceleration along gravity, as a share of gravity. Movement gives about 0; if it
    // is more than a half, the acceleration still includes gravity.
    return along > 0.5 * squares ? [.gravityIncluded(mean: Double(mean))] : []
  }

  /// Findings on angles in degrees, and on sensors that have many missing values or one value throughout. A sensor
  /// without any value is a finding only if it is needed or is the acceleration.
  func findings(needed: Set<Channel>) -> [SignalFinding] {
    var findings: [SignalFinding] =
      fastest > SignalReview.fastestRotation * SignalReview.fastestRotation
      ? [.suspectRotation(radiansPerSecond: Double(fastest.squareRoot()))] : []
    guard count >= Self.fewestRows else { return findings }
    // Yaw is not checked, as it may count turns.
    let attitude = max(greatest[0], -least[0], greatest[1], -least[1])
    if attitude > Self.largestAttitude, attitude.isFinite {
      findings.append(.suspectAttitude(radians: Double(attitude)))
    }
    // Return early for usual signals: no value is missing, and no channel is constant.
    if all((valueCounts .== count) .& ((greatest .> least) .| (Self.isUnused .> 0))) { return findings }
    var empty = emptyChannels(of: needed)
    let isStill = isConstant(.gravity) || !hasGravity
    for (sensor, limit) in Self.largestMissing {
      let missing = sensor.channels.map { 1 - Double(valueCounts[$0.lane]) / Double(count) }.max() ?? 0
      if missing > limit, missing < 1 || sensor == .userAcceleration {
        findings.append(.missing(sensor: sensor.rawValue, share: missing))
        empty.removeAll { $0.sensor == sensor }
      }
      if isConstant(sensor), isStill || sensor == .rotationRate { findings.append(.constant(sensor: sensor.rawValue)) }
    }
    if isConstant(.gravity), Sensor.gravity.channels.allSatisfy({ greatest[$0.lane] == 0 }) {
      findings.append(.constant(sensor: Sensor.gravity.rawValue))
    }
    return findings + empty.map { .missing(sensor: $0.rawValue, share: 1) }
  }

  func emptyChannels(of needed: Set<Channel>) -> [Channel] {
    guard count > 0, any(valueCounts .== 0) else { return [] }
    return Channel.allCases.filter { needed.contains($0) && valueCounts[$0.lane] == 0 }
  }

  private func isConstant(_ sensor: Sensor) -> Bool {
    sensor.channels.allSatisfy { valueCounts[$0.lane] > 1 && least[$0.lane] == greatest[$0.lane] }
  }
}

/// What is wrong with a signal.
public enum SignalFinding: Hashable, Sendable, CustomStringConvertible {
  /// The total acceleration has a mean over a second, in g, that neither rest nor movement has.
  case impossibleAcceleration(mean: Double)
  /// An acceleration without gravity has the mean of gravity, in g.
  case gravityIncluded(mean: Double)
  /// An acceleration without gravity has a mean magnitude, in g, above 4 g, which no movement has.
  case strongAcceleration(mean: Double)
  /// The total acceleration has this mean at rest, in g, instead of 1 g.
  case otherScale(rest: Double)
  /// The times give another sample rate, in hertz, than the stated one.
  case otherRate(stated: Double, found: Double)
  /// The rotation rate exceeds `SignalReview.fastestRotation`, more than sensors measure.
  case suspectRotation(radiansPerSecond: Double)
  /// A roll or pitch is beyond ±7 rad, more than a turn: it may be in degrees.
  case suspectAttitude(radians: Double)
  /// More than a tenth of the values of the acceleration, more than half of those of the rotation rate, or all values
  /// of a needed channel are missing.
  case missing(sensor: String, share: Double)
  /// A sensor has the same value throughout.
  case constant(sensor: String)

  /// A sentence: what is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .impossibleAcceleration(let mean):
      "the total acceleration has a mean of \(Self.rounded(mean)) g over one second, which neither rest nor movement "
        + "has, as gravity alone is 1 g; convert the numbers to g"
        + (mean < 0.7 ? ", or supply it as an acceleration without gravity" : "")
    case .gravityIncluded(let mean):
      "the acceleration without gravity has a mean of \(Self.rounded(mean)) g, as gravity is included; supply it as a "
        + "total acceleration, from which gravity is estimated"
    case .strongAcceleration(let mean):
      "the acceleration without gravity has a mean of \(Self.rounded(mean)) g, more than movement has; convert the numbers to g"
    case .otherScale(let rest):
      "the total acceleration is \(Self.rounded(rest)) g at rest, where gravity alone is 1 g; convert the numbers to "
        + "g, or state their scale"
    case .otherRate(let stated, let found):
      "the times give \(Self.rounded(found)) Hz, but \(Self.rounded(stated)) Hz is stated; state the rate of the "
        + "samples, or correct their times"
    case .suspectRotation(let rate):
      "the rotation rate reaches \(Self.rounded(rate)) rad/s, more than sensors measure; convert it from degrees"
    case .suspectAttitude(let angle):
      "the attitude reaches \(Self.rounded(angle)) rad, more than a turn; convert it from degrees"
    case .missing(let sensor, let share):
      "\(Self.rounded(100 * share)) % of the values of \(sensor) are missing; supply them, or leave the sensor out"
    case .constant(let sensor):
      "\(sensor) has the same value throughout; leave a sensor out that was not recorded"
    }
  }

  private static func rounded(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

extension Resampler {
  /// A finding if the times give another rate than `stated`.
  package func findings(stated: SampleRate) -> [SignalFinding] {
    measuredRate.map { [.otherRate(stated: stated.hertz, found: $0.hertz)] } ?? []
  }
}

extension Recording {
  /// What is wrong with the signal, by its first minute; empty if nothing is.
  public var findings: [SignalFinding] {
    var review = SignalReview(sampleRate: sampleRate)
    review.append(rows[...])
    return review.findings + rateFinding
  }

  /// A finding if the times of the first minute give another rate than the stated one. Recordings whose rate changes
  /// are not checked.
  private var rateFinding: [SignalFinding] {
    guard sampleRates.count == 1 else { return [] }
    var meter = RateMeter()
    let longest = Resampler.longestStep(at: sampleRate)
    for (before, after) in zip(times, times.dropFirst()).prefix(
      Int(saturating: sampleRate.hertz * SignalReview.longestSeconds))
    {
      let step = after.nanoseconds - before.nanoseconds
      if let rate = meter.measure(step, period: sampleRate.periodNanoseconds, longestStep: longest) {
        return [.otherRate(stated: sampleRate.hertz, found: rate.hertz)]
      }
    }
    return []
  }
}
