import Foundation
import Gait
import GaitLab
import GaitRuns
import GaitTraining

/// Times a store of simulated runs: `StoreTimes FOLDER COUNT`. Each run lasts 40 minutes, with GPS and a barometer; twenty different
/// ones are simulated and saved in turn, two days apart.
@main
struct StoreTimes {
  private static let differentCount = 20
  private static let clock = ContinuousClock()

  static func main() throws {
    guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]), count > 0 else {
      FileHandle.standardError.write(Data("usage: StoreTimes FOLDER COUNT\n".utf8))
      exit(64)
    }
    let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
    let store = RunStore(directory: folder)
    let runs = try (0..<min(count, differentCount)).map { number in
      var simulator = OutdoorRunSimulator(seed: 37)
      simulator.number = UInt64(number)
      simulator.programme = .varied(minutes: 40...40)
      return try simulator.run().tracked(by: .running, options: RunOptions(keepsEvidence: false))
    }
    let first = Date(timeIntervalSince1970: 1_500_000_000)
    var saving = Duration.zero
    for index in 0..<count {
      let run = StoredRun(
        runs[index % runs.count], startedAt: first.addingTimeInterval(Double(index) * 2 * 86_400),
        timeZone: TimeZone(identifier: "Europe/Berlin"), name: "Run \(index)", metadata: ["shoes": "blue"], bodyMass: 70
      )
      saving += try clock.measure { try store.save(run) }
    }
    let sizes = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
    print("\(count) runs: \(sizes.reduce(0, +) / count / 1000) kB each, at most \(sizes.max()! / 1000) kB")
    print("save one: \(milliseconds(saving / count)) ms")
    print("list without an index: \(milliseconds(clock.measure { _ = store.summaries() })) ms")
    // The files of the last moment are read again, as they could have changed since.
    _ = store.summaries()
    var summaries: [RunSummary] = []
    let listing = (0..<5).map { _ in clock.measure { summaries = store.summaries().summaries } }.sorted()[2]
    precondition(summaries.count == count)
    let calendar = Calendar(identifier: .gregorian)
    let totals = clock.measure {
      for period in RunTotals.Period.allCases { _ = RunTotals.of(summaries, by: period, in: calendar) }
    }
    print("list: \(milliseconds(listing)) ms")
    print("totals by day, week, month and year: \(milliseconds(totals)) ms")
    print("list and totals: \(milliseconds(listing + totals)) ms")
    let changed = try store.run(summaries[0].id)
    try store.save(changed)
    print("list after one more: \(milliseconds(clock.measure { _ = store.summaries() })) ms")
    let loads = try stride(from: 0, to: count, by: max(1, count / 200)).map { index in
      try clock.measure { _ = try store.run(summaries[index].id) }
    }.sorted()
    print("load one: \(milliseconds(loads[loads.count / 2])) ms, at most \(milliseconds(loads[loads.count - 1])) ms")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.1f", duration / .milliseconds(1))
  }
}
