import ArgumentParser
import Foundation
import Gait
import GaitLab

struct JudgeDistance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distance",
    abstract: "Time, distance, pace and climb of simulated outdoor runs, and distance of strangers' phones.")

  @Argument(
    help: "The folder of the data sets, of which outdoors/ is used; without it, only simulated runs are judged.",
    completion: .directory)
  var data: String?

  @Option(help: "The seeds of the simulated runs: nothing was tuned on 101-300; 1-100 are for tuning.")
  var seeds = SeedRange(range: 101...300)

  func run() throws {
    show("\(try OutdoorRunEvaluation(seeds: seeds.range).report(of: .running))")
    if let data { try DistanceJudge(folder: URL(filePath: data).appending(path: "outdoors")).run(print: show) }
  }
}

/// The seeds of simulations, such as `7` or `101-300`.
struct SeedRange: ExpressibleByArgument {
  let range: ClosedRange<UInt64>

  init(range: ClosedRange<UInt64>) { self.range = range }

  init?(argument: String) {
    let bounds = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last else {
      return nil
    }
    range = first...last
  }

  var defaultValueDescription: String { "\(range.lowerBound)-\(range.upperBound)" }
}
