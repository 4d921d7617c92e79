import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

#if !os(iOS) && !os(watchOS) && !os(visionOS)
  /// A run is whole or absent, whenever the process that saves it is killed.
  @Suite struct RunStoreKillTests {
    /// What the process saves: each run in two versions in turn.
    private static func versions(of number: Int) throws -> [StoredRun] {
      let run = try RunStoreTests.stored(number)
      var other = run
      other.name = "another version"
      other.timeline.removePause(at: 0)
      return [run, other]
    }

    private static let runCount = 5

    @Test func `Killed at 200 random moments of saving, every run is whole or absent`() async throws {
      let folder = try TemporaryDirectory()
      let store = RunStore(directory: folder.url)
      let versions = try (0..<Self.runCount).map { try Self.versions(of: $0) }
      var random = SplitMix64(seed: 200)
      var foundCounts: Set<Int> = []
      for kill in 0..<(Optimization.isOn ? 200 : 5) {
        if kill % 10 == 0 {
          for name in try folder.contents { try FileManager.default.removeItem(at: folder.file(name)) }
        }
        let path = folder.url.path
        let microseconds = UInt32.random(in: 0..<(Optimization.isOn ? 20_000 : 400_000), using: &random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, microseconds = microseconds as UInt32] in
          try Self.saveUntilKilled(in: path, after: microseconds)
        }
        let (summaries, unreadable) = store.summaries()
        #expect(unreadable.isEmpty, "kill \(kill): \(unreadable)")
        for summary in summaries {
          let run = try store.run(summary.id)
          #expect(versions.contains { $0.contains(run) } && run.summary == summary, "kill \(kill)")
        }
        foundCounts.insert(summaries.count)
      }
      #expect(foundCounts.count > (Optimization.isOn ? 2 : 0), "\(foundCounts) runs found")
    }

    /// Saves and lists until the process is killed, which is so many microseconds after the first run is ready.
    private static func saveUntilKilled(in path: String, after microseconds: UInt32) throws {
      let store = RunStore(directory: URL(filePath: path, directoryHint: .isDirectory))
      let versions = try (0..<runCount).map { try Self.versions(of: $0) }
      Thread.detachNewThread {
        usleep(microseconds)
        kill(getpid(), SIGKILL)
      }
      for round in 0... {
        for run in versions { try store.save(run[round % 2]) }
        _ = store.summaries()
      }
    }
  }
#endif
