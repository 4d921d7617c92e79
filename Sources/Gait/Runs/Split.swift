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

extension SplitLength {
  /// The most splits that are given between two points of a route. Where a step passes more, as a GPS point on another
  /// continent does, only the last of them is given, so that no step makes work without bound.
  public static let largestCountPerStep = 100
}

/// Cuts a distance into splits while it grows.
struct SplitCutter: Hashable, Sendable {
  private let length: Double
  private var count = 0
  private var begin: SampleTime?

  /// - Precondition: the length is positive.
  init(_ length: SplitLength) {
    precondition(length.meters > 0, "a split must have a length")
    self.length = length.meters
  }

  /// Hands the splits that end between two points, one after the other, to `body`.
  mutating func advance(
    _ from: DistancePoint, _ to: DistancePoint, _ timeline: RunTimeline, isEstimated: Bool, _ body: (Split) -> Void
  ) {
    guard skip(from, to) else { return }
    while let end = DistancePoint.crossing(of: Double(count + 1) * length, from: from, to: to) {
      let start = begin ?? timeline.start
      count += 1
      begin = end
      body(
        Split(
          number: count, start: start, end: end, meters: length, moving: timeline.moving(from: start, to: end),
          isEstimated: isEstimated))
    }
  }

  /// Leaves out all but the last of too many splits; false where there are more than can be counted.
  private mutating func skip(_ from: DistancePoint, _ to: DistancePoint) -> Bool {
    let passed = (to.meters / length).rounded(.down)
    guard 0..<1e15 ~= passed else { return false }
    if Int(passed) - count > SplitLength.largestCountPerStep {
      count = Int(passed) - 1
      begin = DistancePoint.crossing(of: Double(count) * length, from: from, to: to) ?? begin
    }
    return true
  }
}
