import Foundation
import Gait
import GaitTraining

/// The errors of tracked outdoor runs, figure by figure.
public struct OutdoorRunReport: Hashable, Sendable, Encodable {
  /// What is compared with the truth.
  public enum Figure: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Distance, with motion, location and barometer.
    case distance
    /// The same at the last live snapshot.
    case liveDistance
    /// Distance without Doppler speed.
    case distanceWithoutDoppler
    /// Distance with a speed that is too low and smooth positions, as phones report.
    case distanceOfUnderstatedSpeed
    /// The same at the last live snapshot.
    case liveDistanceOfUnderstatedSpeed
    /// The last live distance against the finished run's, whatever the speed.
    case liveAgainstFinalDistance
    /// The error of every distance with motion, whatever the speed, over its standard error.
    case distanceInStandardErrors
    /// Distance without motion.
    case distanceByLocationAlone
    /// Distance when location is lost after ten reports, with a stride model of the person.
    case distanceOfLostLocation
    /// The pace of every complete kilometre.
    case kilometerPace
    /// The same without tunnels.
    case kilometerPaceWithoutTunnels
    /// The pace of the whole run.
    case averagePace
    /// Moving time.
    case movingTime
    /// Moving time without motion.
    case movingTimeByLocationAlone
    /// Elapsed time against the duration of the motion.
    case elapsedTime
    /// Climb an hour on flat ground, by the altitude of locations.
    case flatClimbByLocation
    /// Climb an hour on flat ground, by a barometer.
    case flatClimbByBarometer
    /// Climb on hills of 200 m, by a barometer.
    case hillsByBarometer
    /// Climb on hills of 200 m, by the altitude of locations.
    case hillsByLocation
    /// Climb on hills of 0 to 100 m.
    case rollingClimb
    /// Metres added by standing for 20 minutes under the policy `whenStill`.
    case standingWhenStill
    /// The same under `whenNotRunning`.
    case standingWhenNotRunning
    /// The same under `never`.
    case standingNever
    /// The same without motion.
    case standingByLocationAlone
    /// The same without motion and Doppler speed.
    case standingByPlacesAlone
  }

  /// Many errors; their sizes are without sign.
  public struct Errors: Hashable, Sendable, Encodable {
    /// How many there are.
    public let count: Int
    /// Half are at most this.
    public let median: Double
    /// 95 % are at most this.
    public let p95: Double
    /// The largest.
    public let worst: Double
    /// The mean with signs.
    public let bias: Double

    init(_ errors: [Double]) {
      let sizes = errors.map(\.magnitude).sorted()
      func quantile(_ share: Double) -> Double {
        sizes.isEmpty ? 0 : sizes[min(sizes.count - 1, Int((share * Double(sizes.count)).rounded(.up)) - 1)]
      }
      count = errors.count
      median = quantile(0.5)
      p95 = quantile(0.95)
      worst = sizes.last ?? 0
      bias = errors.reduce(0, +) / Double(max(1, errors.count))
    }

    private enum CodingKeys: CodingKey { case count, median, p95, worst, bias }

    /// Writes the figures under their names; an error without bound is `null`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      for (value, key) in [(median, CodingKeys.median), (p95, .p95), (worst, .worst), (bias, .bias)] {
        if value.isFinite { try container.encode(value, forKey: key) } else { try container.encodeNil(forKey: key) }
      }
    }
  }

  /// The errors of each figure that was measured; without bound where a value was not known.
  public let errors: [Figure: Errors]

  init(_ errors: [Figure: [Double]]) {
    self.errors = errors.mapValues(Errors.init)
  }

  /// Whether the errors of every measured figure are within their limits.
  public var isWithinLimits: Bool { errors.allSatisfy { $0.key.limit.allows($0.value) } }

  /// Whether the errors of a figure are within their limits; also where it was not measured or has none.
  public func isWithinLimits(_ figure: Figure) -> Bool { errors[figure].map(figure.limit.allows) ?? true }

  /// Writes the figures under their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: errors.map { ($0.key.rawValue, $0.value) }))
  }
}

extension OutdoorRunReport.Figure {
  /// The largest errors that are accepted.
  struct Limit {
    var median = Double.infinity
    var p95 = Double.infinity
    var worst = Double.infinity

    func allows(_ errors: OutdoorRunReport.Errors) -> Bool {
      errors.median <= median && errors.p95 <= p95 && errors.worst <= worst
    }

    /// The limit as text, that of the median first; empty if there is none.
    var text: String {
      let parts = [("", median), ("95 % ", p95), ("all ", worst)].filter { $0.1.isFinite }
      return parts.map { "\($0.0)\(String(format: "%g", $0.1))" }.joined(separator: ", ")
    }
  }

  /// The largest errors that are accepted, in the unit of the title.
  var limit: Limit {
    switch self {
    case .distance: Limit(median: 0.5, p95: 1.5)
    case .distanceWithoutDoppler: Limit(median: 2, p95: 6)
    case .distanceOfUnderstatedSpeed: Limit(median: 2, p95: 5)
    case .distanceInStandardErrors: Limit(p95: 1.96)
    case .kilometerPaceWithoutTunnels: Limit(p95: 4.5)
    case .averagePace: Limit(p95: 3)
    case .movingTime: Limit(p95: 0.2)
    case .elapsedTime: Limit(worst: 1)
    case .flatClimbByLocation, .flatClimbByBarometer: Limit(p95: 10)
    case .hillsByBarometer: Limit(p95: 10)
    case .standingWhenStill, .standingWhenNotRunning, .standingNever: Limit(worst: 5)
    case .standingByLocationAlone: Limit(worst: 20)
    case .standingByPlacesAlone: Limit(p95: 20)
    default: Limit()
    }
  }

  /// The figure with its unit, as a table shows it.
  var title: String {
    switch self {
    case .distance: "distance, %"
    case .liveDistance: "distance, live, %"
    case .distanceWithoutDoppler: "distance, no Doppler, %"
    case .distanceOfUnderstatedSpeed: "distance, low speed, %"
    case .liveDistanceOfUnderstatedSpeed: "distance, low, live, %"
    case .liveAgainstFinalDistance: "live against final, %"
    case .distanceInStandardErrors: "distance, std. errors"
    case .distanceByLocationAlone: "distance, no motion, %"
    case .distanceOfLostLocation: "distance, 10 fixes, %"
    case .kilometerPace: "kilometre pace, s/km"
    case .kilometerPaceWithoutTunnels: "the same, no tunnels"
    case .averagePace: "average pace, s/km"
    case .movingTime: "moving time, %"
    case .movingTimeByLocationAlone: "moving, no motion, %"
    case .elapsedTime: "elapsed time, s"
    case .flatClimbByLocation: "flat, location, m/h"
    case .flatClimbByBarometer: "flat, barometer, m/h"
    case .hillsByBarometer: "200 m, barometer, %"
    case .hillsByLocation: "200 m, location, %"
    case .rollingClimb: "0–100 m, barometer, m"
    case .standingWhenStill: "standing, still, m"
    case .standingWhenNotRunning: "standing, notRunning, m"
    case .standingNever: "standing, never, m"
    case .standingByLocationAlone: "standing, no motion, m"
    case .standingByPlacesAlone: "standing, places only, m"
    }
  }
}

extension OutdoorRunReport: CustomStringConvertible {
  /// A table of the errors: their number, median, 95 %, largest, and mean with sign, beside the limits and whether they are
  /// kept. An error is ∞ where a value was not known.
  public var description: String {
    let rows = Figure.allCases.compactMap { figure in errors[figure].map { row(figure, $0) } }
    return ReportTable(rows: [["error", "n", "median", "95 %", "worst", "bias", "limit"]] + rows).lines
      .joined(separator: "\n")
  }

  private func row(_ figure: Figure, _ errors: Errors) -> [String] {
    let numbers = [errors.median, errors.p95, errors.worst, errors.bias].map(Self.text)
    let limit = figure.limit
    let mark = limit.text.isEmpty ? "–" : limit.text + (limit.allows(errors) ? " ✓" : " ✗")
    return [figure.title, String(errors.count)] + numbers + [mark]
  }

  private static func text(_ number: Double) -> String {
    number.isFinite ? String(format: number.magnitude < 100 ? "%.2f" : "%.0f", number) : "∞"
  }
}
