import Gait
import GaitTraining

/// Judges the distance in simulated situations that are hard to measure, kind by kind.
package struct SituationJudge {
  let seeds: ClosedRange<UInt64>

  package init(seeds: ClosedRange<UInt64> = 1...20) { self.seeds = seeds }

  /// The errors of the runs of a kind, per cent of the true distance.
  package struct Result: Sendable {
    package var kind: Situation.Kind
    /// The median size of the errors, and their mean with sign.
    package var (median, bias): (Double, Double)
    /// The median of half of the 95 % interval.
    package var halfInterval: Double
    /// The share of runs whose true distance is in the interval, and the share of the distance that is estimated by
    /// steps or on straight lines, summed over the runs and divided by their number.
    package var (covered, estimated): (Double, Double)
  }

  /// The results of the runs of some kinds of situations.
  package func results(of kinds: [Situation.Kind] = Situation.kinds) throws -> [Result] {
    let seeds = Array(seeds)
    return try kinds.mappedConcurrently { kind in
      var (errors, halves, covered, estimated) = ([Double](), [Double](), 0.0, 0.0)
      for seed in seeds {
        var situation = kind.situation
        situation.seed = seed
        let (run, meters) = situation.run()
        guard let distance = run.distanceEstimate else { throw JudgeError("\(kind.name): the run has no distance.") }
        errors.append(100 * (distance.meters / meters - 1))
        halves.append(196 * distance.standardError / meters)
        if distance.interval ~= meters { covered += 1 }
        estimated += (distance.bySteps + distance.bridged) / max(1, distance.meters)
      }
      let count = Double(seeds.count)
      return Result(
        kind: kind, median: ErrorSizes(errors).median, bias: errors.reduce(0, +) / count,
        halfInterval: ErrorSizes(halves).median, covered: covered / count, estimated: estimated / count)
    }
  }

  /// Judges all kinds; passes each line to `print`.
  package func run(print: (String) -> Void) throws {
    print(
      "situations, each with \(seeds.count) seeds: errors in % of the way, and how many are in the 95 % interval"
        .heading)
    let rows = try results().map { result in
      [
        result.kind.name, result.median.fixed(1), result.bias.signed(), "± \(result.halfInterval.fixed(1))",
        "\((100 * result.covered).fixed(0)) %", "\((100 * result.estimated).fixed(0)) %",
        "\(plain(result.kind.limit))\(result.median <= result.kind.limit ? " ✓" : " ✗")",
      ]
    }
    print(ReportTable(rows: [["situation", "median", "mean", "interval", "in it", "estimated", "limit"]] + rows).text)
    try judgeTurns(print: print)
    try judgeStops(print: print)
  }
}
