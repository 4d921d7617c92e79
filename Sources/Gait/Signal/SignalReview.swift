/// Judges the samples of a signal, the same for every way in which they come: files, memory, streams, other languages.
///
///     var review = SignalReview(sampleRate: .hertz(50))
///     for sample in samples { review.append(sample) }
///     print(review.findings)
///
/// It judges the first `longestSeconds`; later samples cost nothing. `Recording.findings` judges a recording, and
/// `RunTracker.findings` what a tracker got.
public struct SignalReview: Sendable {
  /// The seconds that are judged.
  public static let longestSeconds = 60.0

  private let rowCount: Int
  private var count = 0
  private var steady: SteadyAcceleration
  private var values = SensorValues()

  /// A review of a signal at `sampleRate`.
  public init(sampleRate: SampleRate) {
    rowCount = Int(saturating: sampleRate.hertz * Self.longestSeconds)
    steady = SteadyAcceleration(at: sampleRate, secondCount: Int(saturating: Self.longestSeconds) + 1)
  }

  /// Adds the next sample.
  public mutating func append(_ sample: MotionSample) {
    if count < rowCount { add(sample.row) }
  }

  /// Adds the next rows, laid out as `MotionSample.row`.
  package mutating func append(_ rows: ArraySlice<SIMD16<Float>>) {
    for row in rows.prefix(rowCount - count) { add(row) }
  }

  private mutating func add(_ row: SIMD16<Float>) {
    let (gravity, user) = (row.lowHalf.highHalf, row.highHalf.highHalf)
    steady.append(gravity.sum().isFinite ? gravity + user : user)
    if count.isMultiple(of: SensorValues.spacing) { values.append(row) }
    count += 1
  }

  /// What is wrong, the gravest first; empty if nothing is.
  public var findings: [SignalFinding] {
    var findings: [SignalFinding] = []
    switch steady.judgement(isTotal: values.hasGravity) {
    case .impossible(let mean) where mean > 0: findings.append(.impossibleAcceleration(mean: mean))
    case .otherUnit(_, let mean): findings.append(.impossibleAcceleration(mean: mean))
    case .gravity(isIncluded: false, let mean): findings.append(.impossibleAcceleration(mean: mean))
    case .gravity(isIncluded: true, let mean): findings.append(.gravityIncluded(mean: mean))
    case .asNamed, .impossible: break
    }
    return findings + values.findings
  }
}

/// The range of each channel's values, and how many are missing, by one row of eight.
package struct SensorValues: Sendable {
  /// One row in so many is judged, the first one included.
  package static let spacing = 8
  /// rad/s about an axis; sensors measure up to 35, which is 2000 degrees per second.
  private static let fastestRotation: Float = 40
  /// The number of judged rows that show a constant or a missing sensor.
  private static let fewestRows = 20

  private var (least, greatest) = (SIMD16<Float>(repeating: .infinity), SIMD16<Float>(repeating: -.infinity))
  private var valueCounts = SIMD16<Int32>.zero
  private var count: Int32 = 0

  package init() {}

  package mutating func append(_ row: SIMD16<Float>) {
    count &+= 1
    // Comparisons with NaN are false.
    least.replace(with: row, where: row .< least)
    greatest.replace(with: row, where: row .> greatest)
    valueCounts.replace(with: valueCounts &+ 1, where: row .== row)
  }

  var hasGravity: Bool { valueCounts[Channel.gravityX.lane] > 0 }

  /// A rotation faster than sensors measure, and the sensors that are mostly missing or have one value throughout. A sensor that
  /// is absent altogether is no fault, but an acceleration is.
  package var findings: [SignalFinding] {
    guard count >= Self.fewestRows else { return [] }
    let isStill = isConstant(.gravity) || !hasGravity
    let fastest = Sensor.rotationRate.channels.map { max(greatest[$0.lane], -least[$0.lane]) }.max() ?? 0
    let rotation: [SignalFinding] =
      fastest > Self.fastestRotation && fastest < .infinity
      ? [.suspectRotation(radiansPerSecond: Double(fastest))] : []
    return rotation
      + [Sensor.userAcceleration, .rotationRate].flatMap { sensor -> [SignalFinding] in
        let missing = sensor.channels.map { 1 - Double(valueCounts[$0.lane]) / Double(count) }.max() ?? 0
        let isFault = missing > 0.5 && (missing < 1 || sensor == .userAcceleration)
        return (isFault ? [.missing(sensor: sensor.rawValue, share: missing)] : [])
          + (isConstant(sensor) && (isStill || sensor == .rotationRate) ? [.constant(sensor: sensor.rawValue)] : [])
      }
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
  /// The rotation rate reaches more than sensors measure.
  case suspectRotation(radiansPerSecond: Double)
  /// Most values of a sensor are missing.
  case missing(sensor: String, share: Double)
  /// A sensor has the same value throughout.
  case constant(sensor: String)

  /// The finding and its cure.
  public var description: String {
    switch self {
    case .impossibleAcceleration(let mean):
      "the total acceleration has a mean of \(Self.rounded(mean)) g over one second, which neither rest nor movement has, as "
        + "gravity alone is 1 g; convert the numbers to g"
    case .gravityIncluded(let mean):
      "the acceleration without gravity has a mean of \(Self.rounded(mean)) g over one second, as gravity has; supply it as a "
        + "total acceleration, from which gravity is estimated"
    case .suspectRotation(let rate):
      "the rotation rate reaches \(Self.rounded(rate)) rad/s, more than sensors measure; convert it from degrees"
    case .missing(let sensor, let share):
      "\(Self.rounded(100 * share)) % of the values of \(sensor) are missing; supply them, or leave the sensor out"
    case .constant(let sensor):
      "\(sensor) has the same value throughout; leave a sensor out that was not recorded"
    }
  }

  private static func rounded(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

extension Recording {
  /// What is wrong with the signal, by its first minute; empty if nothing is.
  public var findings: [SignalFinding] {
    var review = SignalReview(sampleRate: sampleRate)
    review.append(rows[...])
    return review.findings
  }
}
