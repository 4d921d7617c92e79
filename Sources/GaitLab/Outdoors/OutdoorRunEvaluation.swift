import Foundation
import Gait
import GaitTraining

/// Tracks simulated outdoor runs and compares time, distance, pace and climb with the truth.
///
/// ```swift
/// let report = try OutdoorRunEvaluation(seeds: 1...10).report(of: .running)
/// print(report)
/// ```
///
/// Seeds 1–100 are for tuning; figures in the documentation are those of seeds 101–300.
public struct OutdoorRunEvaluation: Hashable, Sendable {
  /// Runs under the same conditions.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Motion, location and barometer, 20 to 60 minutes.
    case usual
    /// Motion, location and barometer, 20 to 60 minutes, without the tunnels in which distance is measured by steps.
    case withoutTunnels
    /// Motion, location and barometer, 20 to 60 minutes, without Doppler speed.
    case withoutDoppler
    /// Motion, location and barometer, 20 to 60 minutes, with a speed that is too low and smooth positions, as phones
    /// report.
    case understatedSpeed
    /// Location alone, 20 to 60 minutes.
    case locationAlone
    /// Motion, location and barometer, 20 to 60 minutes, with location lost after ten reports.
    case lostLocation
    /// Flat ground, with and without the barometer.
    case flat
    /// 200 m of hills, with and without the barometer.
    case hills
    /// Standing for 20 minutes between two minutes of running, under every policy and without motion.
    case standing
  }

  /// The seeds of the runs.
  public var seeds: ClosedRange<UInt64>
  /// The kinds of runs; all by default.
  public var kinds = Kind.allCases

  /// An evaluation with runs of every kind for each seed.
  public init(seeds: ClosedRange<UInt64>) {
    self.seeds = seeds
  }

  /// The errors of a model's runs.
  ///
  /// - Throws: `ModelError` if the model cannot use 50 Hz.
  /// - Complexity: O(seeds), about four seconds for each in an optimised build, on all cores.
  public func report(of model: ActivityModel) throws(ModelError) -> OutdoorRunReport {
    let trials = try Array(seeds).mappedConcurrently(showing: "run") { (seed) throws(ModelError) in
      try OutdoorRunTrial(model, seed: seed, kinds: kinds).errors
    }
    return OutdoorRunReport(trials.reduce(into: [:]) { $0.merge($1) { $0 + $1 } })
  }
}

/// The errors of tracked outdoor runs, figure by figure.
public struct OutdoorRunReport: Hashable, Sendable, Encodable {
  /// What is compared with the truth.
  public enum Figure: String, CaseIterable, Hashable, Sendable, Encodable {
    /// Distance, with motion, location and barometer.
    case distance
    /// The last live distance, with motion, location and barometer.
    case liveDistance
    /// Distance without Doppler speed.
    case distanceWithoutDoppler
    /// Distance with a speed that is too low and smooth positions, as phones report.
    case distanceOfUnderstatedSpeed
    /// The last live distance with a speed that is too low and smooth positions.
    case liveDistanceOfUnderstatedSpeed
    /// The last live distance against the finished run's, with correct and with too low speeds.
    case liveAgainstFinalDistance
    /// The error of every distance with motion, whatever the speed, over its standard error.
    case distanceInStandardErrors
    /// Distance without motion.
    case distanceByLocationAlone
    /// Distance when location is lost after ten reports, with a stride model of the person.
    case distanceOfLostLocation
    /// The pace of every complete kilometre.
    case kilometerPace
    /// The pace of every complete kilometre, in runs without tunnels.
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
    /// Metres added by standing for 20 minutes under the policy `whenNotRunning`.
    case standingWhenNotRunning
    /// Metres added by standing for 20 minutes under the policy `never`.
    case standingNever
    /// Metres added by standing for 20 minutes without motion.
    case standingByLocationAlone
    /// Metres added by standing for 20 minutes without motion and Doppler speed.
    case standingByPlacesAlone
  }

  /// Many errors; their sizes are without sign.
  public struct Errors: Hashable, Sendable, Encodable {
    /// The number of errors.
    public let count: Int
    /// The median size of the errors: half are at most this.
    public let median: Double
    /// The 95th percentile of the errors' sizes: 95 % are at most this.
    public let p95: Double
    /// The largest size of an error.
    public let worst: Double
    /// The mean of the errors with their signs.
    public let bias: Double

    init(_ errors: [Double]) {
      let sizes = errors.map(\.magnitude).sorted()
      func quantile(_ share: Double) -> Double {
        sizes.isEmpty ? 0 : sizes[min(sizes.count - 1, Int(saturating: (share * Double(sizes.count)).rounded(.up)) - 1)]
      }
      count = errors.count
      median = quantile(0.5)
      p95 = quantile(0.95)
      worst = sizes.last ?? 0
      bias = errors.reduce(0, +) / Double(max(1, errors.count))
    }

    private enum CodingKeys: CodingKey { case count, median, p95, worst, bias }

    /// Writes the figures under their names; an infinite error is `null`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      for (value, key) in [(median, CodingKeys.median), (p95, .p95), (worst, .worst), (bias, .bias)] {
        if value.isFinite { try container.encode(value, forKey: key) } else { try container.encodeNil(forKey: key) }
      }
    }
  }

  /// The errors of each figure that was measured; an error is infinite if a value was not known.
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

  /// The figure with its unit, as a table shows it.
  var title: String { facts.title }

  /// The largest errors that are accepted, in the unit of the title.
  var limit: Limit { facts.limit }

  private var facts: (title: String, limit: Limit) {
    switch self {
    case .distance: ("distance, %", Limit(median: 0.5, p95: 1.5))
    case .liveDistance: ("distance, live, %", Limit())
    case .distanceWithoutDoppler: ("distance, no Doppler, %", Limit(median: 2, p95: 6))
    case .distanceOfUnderstatedSpeed: ("distance, low speed, %", Limit(median: 2, p95: 5))
    case .liveDistanceOfUnderstatedSpeed: ("distance, low, live, %", Limit())
    case .liveAgainstFinalDistance: ("live against final, %", Limit(median: 1.5, p95: 4))
    case .distanceInStandardErrors: ("distance, std. errors", Limit(p95: 1.96))
    case .distanceByLocationAlone: ("distance, no motion, %", Limit())
    case .distanceOfLostLocation: ("distance, 10 fixes, %", Limit())
    case .kilometerPace: ("kilometre pace, s/km", Limit())
    case .kilometerPaceWithoutTunnels: ("the same, no tunnels", Limit(p95: 4.5))
    case .averagePace: ("average pace, s/km", Limit(p95: 3))
    case .movingTime: ("moving time, %", Limit(p95: 0.2))
    case .movingTimeByLocationAlone: ("moving, no motion, %", Limit())
    case .elapsedTime: ("elapsed time, s", Limit(worst: 1))
    case .flatClimbByLocation: ("flat, location, m/h", Limit(p95: 10))
    case .flatClimbByBarometer: ("flat, barometer, m/h", Limit(p95: 10))
    case .hillsByBarometer: ("200 m, barometer, %", Limit(p95: 10))
    case .hillsByLocation: ("200 m, location, %", Limit())
    case .rollingClimb: ("0–100 m, barometer, m", Limit())
    case .standingWhenStill: ("standing, still, m", Limit(worst: 5))
    case .standingWhenNotRunning: ("standing, notRunning, m", Limit(worst: 5))
    case .standingNever: ("standing, never, m", Limit(worst: 5))
    case .standingByLocationAlone: ("standing, no motion, m", Limit(worst: 20))
    case .standingByPlacesAlone: ("standing, places only, m", Limit(p95: 20))
    }
  }
}

extension OutdoorRunReport: CustomStringConvertible {
  /// A table of the errors: their number, median, 95 %, largest, and mean with sign, beside the limits and whether they
  /// are kept. An error is ∞ where a value was not known.
  public var description: String {
    let rows = Figure.allCases.compactMap { figure in errors[figure].map { row(figure, $0) } }
    return ReportTable(rows: [["error", "n", "median", "95 %", "worst", "bias", "limit"]] + rows).text
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
