/// A part of a run of a set length.
public struct Split: Hashable, Sendable, Codable {
  /// The first is 1.
  public var number: Int
  /// When it began.
  public var start: SampleTime
  /// When its end was passed, interpolated between the two points around it.
  public var end: SampleTime
  /// Its length, metres.
  public var meters: Double
  /// Seconds of moving time in it.
  public var moving: Double
  /// Whether the distance comes from a stride model and not from location.
  public var isEstimated: Bool

  /// Seconds a kilometre: moving time ÷ distance.
  public var pace: Double { moving / meters * 1000 }
}

/// How long splits are.
public enum SplitLength: Hashable, Sendable, Codable {
  /// 1,000 m.
  case kilometer
  /// 1,609.344 m.
  case mile
  /// Some other number of metres, above 0.
  case meters(Double)

  /// The length, metres.
  public var meters: Double {
    switch self {
    case .kilometer: 1000
    case .mile: 1609.344
    case .meters(let meters): meters
    }
  }
}
