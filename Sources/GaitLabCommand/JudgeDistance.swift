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

extension SeedRange: ExpressibleByArgument {
  /// The text in the help.
  package var defaultValueDescription: String { "\(range.lowerBound)-\(range.upperBound)" }
}
