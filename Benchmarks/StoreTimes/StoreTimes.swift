import Foundation
import Gait
import GaitBenchmarks
import GaitLab
import GaitRuns
import GaitTraining

/// Times a store of simulated runs, and the restoring of a run from its journal: `StoreTimes [COUNT]`. The store has
/// 5000 runs by default, which take about 900 MB of temporary files. Each run lasts 40 minutes, with GPS and a
/// barometer; twenty different ones are simulated and saved in turn, two days apart.
@main
struct StoreTimes {
  private static let differentCount = 20
  private static let clock = ContinuousClock()

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count < 2, let count = Int(arguments.first ?? "5000"), count > 0 else {
      FileHandle.standardError.write(Data("usage: StoreTimes [COUNT]\n".utf8))
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "StoreTimes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try timeStore(in: folder, count: count)
    try timeRestoring()
  }

  /// Prints how long it takes to restore an hour of a run at 50 Hz from its journal, without the preparation.
  private static func timeRestoring() throws {
    guard let workload = Workload.all.first(where: { $0.name == "restore/10min" }) else {
      preconditionFailure("there is no workload that restores a run")
    }
    let restore = try workload.prepare()
    let tenMinutes = try (0..<9).map { _ in try clock.measure { _ = try restore() } }.sorted()[4]
    print("restore an hour at 50 Hz from its journal: \(milliseconds(tenMinutes * 6)) ms")
  }

  /// Prints how long the store takes to save, to list, to total and to load, and the bytes of a run.
  private static func timeStore(in folder: URL, count: Int) throws {
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
