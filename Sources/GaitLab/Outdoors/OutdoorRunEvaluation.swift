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
    /// The same without tunnels, whose way is measured by steps.
    case withoutTunnels
    /// The same as the first without Doppler speed.
    case withoutDoppler
    /// The same with a speed that is too low and smooth positions, as phones report.
    case understatedSpeed
    /// The same without motion and barometer.
    case locationAlone
    /// The same with location lost after ten reports.
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
