import Foundation
import Gait
import GaitTraining

/// An axis of a plot: its range, and the ticks with their texts.
struct Axis: Sendable {
  /// What the axis shows, with its unit.
  var title: String
  var scale: LinearScale
  var kind = Kind.number
  /// Whether the range's lower end is at the top or the right, such as a fast pace.
  var isReversed = false

  /// How numbers are written.
  enum Kind: String, Sendable {
    case number
    /// Seconds as `1:05` or `1:01:05`; ticks are whole minutes or seconds.
    case clock
  }

  /// The position of a number: 0 to 1 within the range.
  func position(of value: Double) -> Double {
    isReversed ? 1 - scale.position(of: value) : scale.position(of: value)
  }

  /// About `count` round numbers within the range, where the ticks are.
  func ticks(about count: Int) -> [Double] {
    let length = scale.domain.upperBound - scale.domain.lowerBound
    guard kind == .clock, length >= 4 else { return scale.ticks(about: count) }
    let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400]
    let step =
      steps.first { length / $0 <= Double(count) * 1.2 } ?? (length / Double(count) / 86_400).rounded(.up) * 86_400
    return stride(
      from: (scale.domain.lowerBound / step - 1e-9).rounded(.up) * step, through: scale.domain.upperBound, by: step
    )
    .map { $0 }
  }

  /// A number as a tick writes it.
  func text(_ value: Double) -> String {
    let length = scale.domain.upperBound - scale.domain.lowerBound
    return kind == .clock && length >= 4 ? value.clock : value.short.replacing("-", with: "−")
  }

  /// An axis of elapsed time.
  static func time(_ range: ClosedRange<Double>) -> Axis {
    Axis(title: "time, \(range.upperBound < 3600 ? "min:s" : "h:min:s")", scale: LinearScale(range), kind: .clock)
  }

  /// An axis of seconds per kilometre, fast at the top. It runs from the fastest pace without the fastest 0.5 % to the
  /// slower of the 95th percentile and 1.25 times the median, with some room. Slower paces are drawn at the lower edge,
  /// because a short walk would otherwise flatten hours of running.
  static func pace(_ paces: [Double]) -> Axis {
    let sorted = paces.filter(\.isFinite).sorted()
    guard !sorted.isEmpty else { return Axis(title: "", scale: LinearScale(240...480), kind: .clock) }
    let first = sorted[sorted.count / 200]
    let slow = min(sorted[sorted.count - 1], max(sorted[sorted.count * 95 / 100], 1.25 * sorted[sorted.count / 2]))
    return Axis(
      title: "", scale: LinearScale((first - max(8, (slow - first) * 0.05))...max(slow + 10, first + 60)), kind: .clock,
      isReversed: true)
  }

  /// An axis over numbers with some room at its ends, at least `least` long.
  static func fitting(_ values: some Sequence<Double>, least: Double) -> Axis {
    var (low, high) = (Double.infinity, -Double.infinity)
    for value in values where value.isFinite { (low, high) = (min(low, value), max(high, value)) }
    guard low <= high else { return Axis(title: "", scale: LinearScale(0...max(least, 1e-9))) }
    let room = max((high - low) * 0.04, (least - (high - low)) / 2, 1e-9)
    return Axis(title: "", scale: LinearScale((low - room)...(high + room)))
  }
}

/// A linear scale: maps numbers of a domain to positions of 0…1.
struct LinearScale: Hashable, Sendable {
  /// The numbers at the two ends.
  let domain: ClosedRange<Double>
  /// Whether the numbers are whole, as of things that are counted.
  let isWhole: Bool

  /// The largest number of a scale: the length between two of them is finite.
  private static let largest = 1e300
  /// The shortest length of a scale, as a share of its larger end: the ticks of shorter ones are not distinct.
  private static let shortestShare = 1e-12

  /// A scale over `domain`. A domain that is too short for its numbers, such as that of one large constant, is widened.
  init(_ domain: ClosedRange<Double>, isWhole: Bool = false) {
    let (low, high) = (Self.clamped(domain.lowerBound), Self.clamped(domain.upperBound))
    let missing = max(Self.shortestShare * max(abs(low), abs(high)), 1e-300) - (high - low)
    self.domain = missing > 0 ? (low - missing)...(high + missing) : low...high
    self.isWhole = isWhole
  }

  private static func clamped(_ value: Double) -> Double { max(-largest, min(largest, value)) }

  /// The position of a number: 0 to 1 within the domain.
  func position(of value: Double) -> Double {
    (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
  }

  /// About `count` round numbers within the domain, with a step of 1, 2 or 5 times a power of ten.
  func ticks(about count: Int = 5) -> [Double] {
    let rough = (domain.upperBound - domain.lowerBound) / Double(max(1, count))
    let power = pow(10, floor(log10(rough)))
    let round = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.63 } ?? 10 * power
    let ticks = multiples(of: round)
    // A single tick does not show the scale, so a smaller step is tried.
    return ticks.count > 1 ? ticks : [5, 2, 1].lazy.map { multiples(of: $0 * power) }.first { $0.count > 1 } ?? ticks
  }

  /// The multiples of a step within the domain.
  private func multiples(of length: Double) -> [Double] {
    let step = isWhole ? max(1, length) : length
    let first = Int(saturating: (domain.lowerBound / step - 1e-9).rounded(.up))
    let last = Int(saturating: (domain.upperBound / step + 1e-9).rounded(.down))
    return first > last ? [] : (first...last).map { Double($0) * step }
  }
}
