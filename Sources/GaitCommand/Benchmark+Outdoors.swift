import ArgumentParser
import Gait
import GaitTraining

extension OutdoorRunEvaluation.Kind: ExpressibleByArgument {}

extension Benchmark {
  /// Tracks simulated outdoor runs.
  func trackOutdoors(with model: ActivityModel) throws {
    var evaluation = OutdoorRunEvaluation(seeds: seeds?.range ?? Self.defaultSeeds)
    if !kind.isEmpty { evaluation.kinds = kind }
    let report = try evaluation.report(of: model)
    if json { return try Terminal.print(json: report) }
    try Terminal.print("\(report)")
  }

  /// Checks the options of `--outdoors`.
  func checkOutdoors() throws {
    guard outdoors ? model != nil && recordings.isEmpty && !files : seeds == nil && kind.isEmpty else {
      throw ValidationError("--outdoors goes with a model and no recording; --seeds and --kind with --outdoors.")
    }
    guard let range = seeds?.range, range.upperBound - range.lowerBound >= Self.mostSeeds else { return }
    throw ValidationError("--seeds must be at most \(Self.mostSeeds) seeds.")
  }

  /// The seeds by default: a minute's work.
  private static let defaultSeeds: ClosedRange<UInt64> = 1...20
  /// The most seeds at once: each takes seconds.
  private static let mostSeeds: UInt64 = 10_000
}
