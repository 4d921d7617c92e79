/// A part of a run of a set distance.
public struct Split: Hashable, Sendable, Codable {
  /// The number of the split; the first is 1.
  public var number: Int
  /// When it began.
  public var start: SampleTime
  /// When its distance was reached, interpolated between the two points around it.
  public var end: SampleTime
  /// Its length, metres.
  public var meters: Double
  /// Its moving time, seconds.
  public var movingSeconds: Double
  /// Whether a part of the distance is estimated, not measured by location.
  public var isEstimated: Bool
  /// The part of `meters` that was passed in unknown time (`RunTimeline.unknownSeconds`), which is no moving time.
  public var untimedMeters: Double

  /// A split from its parts, for previews and tests.
  public init(
    number: Int, start: SampleTime, end: SampleTime, meters: Double, movingSeconds: Double, isEstimated: Bool = false,
    untimedMeters: Double = 0
  ) {
    self.number = number
    self.start = start
    self.end = end
    self.meters = meters
    self.movingSeconds = movingSeconds
    self.isEstimated = isEstimated
    self.untimedMeters = untimedMeters
  }

  /// Seconds per kilometre: moving time ÷ the distance in moving time; `nil` without such a distance.
  public var pace: Double? { Self.pace(movingSeconds, over: meters, untimed: untimedMeters) }
  /// Seconds per kilometre of a distance of which a part has no time; `nil` if at most a millionth of the distance has
  /// a time, or if the timed part is slower than `slowest`.
  static func pace(_ movingSeconds: Double, over meters: Double, untimed: Double) -> Double? {
    let timed = meters - untimed
    return timed > max(1e-6 * meters, slowest * movingSeconds) ? movingSeconds / timed * 1000 : nil
  }

  /// The least speed that has a pace, m/s. Slower, the places of a receiver wander while the runner stands.
  private static let slowest = 0.2

  /// The length of a kilometre, metres.
  public static let kilometer = 1000.0
  /// The length of a mile, metres.
  public static let mile = 1609.344
  /// The most splits reported between two points of a route. If a step passes more, as a GPS point on another continent
  /// does, only the last one is reported; this bounds the work of each step.
  public static let largestCountPerStep = 100

  /// Reads a split. Without an entry for it, `untimedMeters` is 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    start = try container.decode(SampleTime.self, forKey: .start)
    end = try container.decode(SampleTime.self, forKey: .end)
    meters = try container.decode(Double.self, forKey: .meters)
    movingSeconds = try container.decode(Double.self, forKey: .movingSeconds)
    isEstimated = try container.decode(Bool.self, forKey: .isEstimated)
    untimedMeters = try container.decodeIfPresent(Double.self, forKey: .untimedMeters) ?? 0
  }
}
