/// The distance of a run at one moment.
struct DistancePoint: Hashable, Sendable {
  /// The moment.
  var time: SampleTime
  /// Metres since the start, without paused distance.
  var meters: Double

  /// When `meters` was passed between two points, at constant speed; `nil` if it was not.
  static func crossing(of meters: Double, from: DistancePoint, to: DistancePoint) -> SampleTime? {
    guard from.meters < meters, meters <= to.meters else { return nil }
    let share = (meters - from.meters) / (to.meters - from.meters)
    return from.time.advanced(bySeconds: share * to.time.seconds(since: from.time))
  }
}

/// A wearer's step lengths, for distance without location.
///
/// The length of a running step is a line over the step rate: `running` at `referenceCadence`, and `cadenceSlope` more
/// for each step per minute above it.
public struct StrideModel: Hashable, Sendable {
  /// Metres per step while running at `referenceCadence`.
  public var running: Double
  /// Metres per step while walking.
  public var walking: Double
  /// The change of a running step's length with the step rate, metres per step/min.
  public var cadenceSlope: Double
  /// The step rate of `running`, steps per minute.
  public var referenceCadence: Double

  /// A model of known step lengths.
  ///
  /// - Parameters:
  ///   - running: metres per running step at `referenceCadence`.
  ///   - walking: metres per walking step, at every step rate.
  ///   - cadenceSlope: how many metres longer a running step is for each step per minute above `referenceCadence`.
  ///   - referenceCadence: a step rate, steps per minute.
  /// - Precondition: all are finite, and the lengths and the step rate are not negative.
  public init(running: Double, walking: Double, cadenceSlope: Double = 0, referenceCadence: Double = 165) {
    precondition(
      running >= 0 && running.isFinite && walking >= 0 && walking.isFinite,
      "step lengths must be finite and not negative, not \(running) m and \(walking) m")
    precondition(
      cadenceSlope.isFinite && referenceCadence >= 0 && referenceCadence.isFinite,
      "a slope must be finite, at a step rate")
    self.running = running
    self.walking = walking
    self.cadenceSlope = cadenceSlope
    self.referenceCadence = referenceCadence
  }
}

extension StrideModel: Codable {
  /// Reads a model. Without an entry for it, the slope is 0 and the reference cadence 165 steps per minute.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    running = try container.decode(Double.self, forKey: .running)
    walking = try container.decode(Double.self, forKey: .walking)
    cadenceSlope = try container.decodeIfPresent(Double.self, forKey: .cadenceSlope) ?? 0
    referenceCadence = try container.decodeIfPresent(Double.self, forKey: .referenceCadence) ?? 165
    let range = 0...Double.greatestFiniteMagnitude
    guard [running, walking, cadenceSlope.magnitude, referenceCadence].allSatisfy(range.contains) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a step length is negative or not finite"))
    }
  }
}

/// Learns the length of a step from stretches with known speed, as a line over the step rate.
///
/// Runners lengthen their steps as they quicken them, so the length depends on the rate. Runs and walks have lines of
/// their own. Old observations fade over about ten minutes.
///
/// Source: P. R. Cavanagh, R. Kram, *Stride length in distance running: velocity, body dimensions, and added mass
/// effects*, Medicine and Science in Sports and Exercise 21 (1989): length and rate both rise with speed.
struct StrideLearner: Hashable, Sendable {
  /// Steps that were taken: x is their number, y its product with the relative step rate.
  struct Steps: Hashable, Sendable {
    var running = SIMD2<Double>.zero
    var walking = SIMD2<Double>.zero

    mutating func add(seconds: Double, stepsPerMinute: Double) {
      let (isRunning, rate) = StrideLearner.relativeRate(stepsPerMinute)
      let steps = seconds * stepsPerMinute / 60 * SIMD2(1, rate)
      if isRunning { running += steps } else { walking += steps }
    }

    mutating func add(_ other: Steps) {
      running += other.running
      walking += other.walking
    }
  }

  /// Step rates below this are walking, steps per minute.
  static let walkingBelow = 140.0
  /// The usual step rates, steps per minute.
  static let runningRate = 165.0
  static let walkingRate = 110.0
  /// The slope of a running step's length over the relative step rate, metres, before a slope is learned.
  static let expectedSlope = 1.5

  /// Whether a step rate is running, and the relative step rate: the rate ÷ the usual rate of running or walking, less
  /// 1.
  static func relativeRate(_ stepsPerMinute: Double) -> (isRunning: Bool, rate: Double) {
    let isRunning = stepsPerMinute >= walkingBelow
    return (isRunning, stepsPerMinute / (isRunning ? runningRate : walkingRate) - 1)
  }

  private var running: StrideLine
  private var walking: StrideLine

  /// A learner that begins with a known model, if any.
  init(_ model: StrideModel?) {
    running = StrideLine(slope: Self.expectedSlope)
    walking = StrideLine(slope: 0.6)
    guard let model else { return }
    let rate = model.referenceCadence / Self.runningRate - 1
    running = StrideLine(slope: model.cadenceSlope * Self.runningRate, length: model.running, at: rate)
    walking = StrideLine(slope: 0, length: model.walking, at: 0)
  }

  /// Takes the speed that went with a step rate.
  mutating func observe(metersPerSecond: Double, stepsPerMinute: Double) {
    guard stepsPerMinute > 0 else { return }
    let length = metersPerSecond * 60 / stepsPerMinute
    guard 0.3...2.5 ~= length else { return }
    let (isRunning, rate) = Self.relativeRate(stepsPerMinute)
    if isRunning { running.observe(length, at: rate) } else { walking.observe(length, at: rate) }
  }

  /// Whether the lengths may be applied to steps before the observations: 30 observations of running or of walking
  /// suffice.
  var isSettled: Bool { running.weight >= 30 || walking.weight >= 30 }

  /// Whether the length of some steps is known.
  var isKnown: Bool { running.isKnown || walking.isKnown }

  /// The speed at a step rate, m/s; `nil` if the length of the steps is unknown.
  func speed(at stepsPerMinute: Double) -> Double? {
    var second = Steps()
    second.add(seconds: 1, stepsPerMinute: stepsPerMinute)
    return meters(of: second)
  }

  /// The length of steps, metres; `nil` if unknown. If no walk was observed, a walking step is 0.65 of a running step;
  /// if no run was, a running step is a walking step ÷ 0.65.
  func meters(of steps: Steps) -> Double? {
    let run = steps.running.x > 0 ? meters(of: steps.running, by: running, else: walking, share: 1 / 0.65) : 0
    let walk = steps.walking.x > 0 ? meters(of: steps.walking, by: walking, else: running, share: 0.65) : 0
    guard let run, let walk else { return nil }
    return run + walk
  }

  private func meters(of steps: SIMD2<Double>, by line: StrideLine, else other: StrideLine, share: Double) -> Double? {
    if line.isKnown { return steps.x * line.length(at: steps.y / steps.x) }
    return other.isKnown ? steps.x * other.meanLength * share : nil
  }
}

/// A straight line of step length over relative step rate, by least squares with fading memory.
private struct StrideLine: Hashable, Sendable {
  private(set) var weight = 0.0
  private var rate = 0.0
  private var length = 0.0
  private var rateSquares = 0.0
  private var products = 0.0
  private let slope: Double

  /// The share of old observations that is kept at each new one, one every 1.28 s.
  private static let memory = 0.998
  /// The weight of the expected slope. The weight of the observed slope is the sum of squares of the relative step
  /// rates around their mean.
  private static let slopeWeight = 0.003
  /// The weight from which the length is known: that of three observations.
  private static let fewest = 3.0
  /// The number of observations that a known length counts as.
  private static let knownWeight = 5.0

  /// A line of unknown length and expected slope.
  init(slope: Double) {
    self.slope = slope
  }

  /// A line through a known length.
  init(slope: Double, length: Double, at rate: Double) {
    self.slope = slope
    (self.rate, self.length, weight) = (rate, length, Self.knownWeight)
  }

  var isKnown: Bool { weight >= Self.fewest }
  /// The mean length, metres.
  var meanLength: Double { length }

  mutating func observe(_ newLength: Double, at newRate: Double) {
    weight = weight * Self.memory + 1
    let (rateChange, lengthChange) = (newRate - rate, newLength - length)
    rate += rateChange / weight
    length += lengthChange / weight
    rateSquares = rateSquares * Self.memory + rateChange * (newRate - rate)
    products = products * Self.memory + rateChange * (newLength - length)
  }

  /// The length at a relative rate, within half and one and a half of the mean length.
  func length(at newRate: Double) -> Double {
    let slope = (products + Self.slopeWeight * slope) / (rateSquares + Self.slopeWeight)
    return max(0.5 * length, min(1.5 * length, length + slope * (newRate - rate)))
  }
}
