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
          #expect(versions.contains { $0.contains(run) }, "kill \(kill)")
          #expect(run.summary == summary, "kill \(kill)")
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

  /// A journal on a full disk.
  @Suite struct RunJournalFullDiskTests {
    @Test func `An input that does not fit is refused, and the journal goes on where there is space again`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let path = folder.file("run.journal").path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let url = URL(filePath: path)
        func size() throws -> UInt64 { try UInt64(Data(contentsOf: url).count) }
        // Space for a part of the first line.
        try Self.limitFiles(to: 20)
        #expect(throws: RunJournalError.self) { _ = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in } }
        #expect(try size() == 0)
        try Self.limitFiles(to: 100_000)
        var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
        var second = 0.0
        for round in 0..<5 {
          // A record takes 14 bytes, so that the last one fits in part, from none of it to most.
          try Self.limitFiles(to: size() + 140 + 3 * UInt64(round))
          for _ in 0..<10 {
            try journal.append(.lap(at: .seconds(second)))
            second += 1
          }
          for _ in 0..<3 {
            do throws(RunJournalError) {
              try journal.append(.lap(at: .seconds(-1)))
              Issue.record("a record has no space")
            } catch { #expect(error.description.contains("free space")) }
          }
        }
        #expect(journal.count == 50)
      }
      var inputs: [RunInput] = []
      let journal = try RunJournal(at: URL(filePath: path), for: SimulatedInputs.tracker()) { inputs.append($0) }
      #expect(journal.droppedByteCount == 0)
      #expect(journal.count == 50)
      #expect(inputs == (0..<50).map { .lap(at: .seconds(Double($0))) })
    }

    /// The system refuses to make files longer, with an error instead of a signal.
    private static func limitFiles(to byteCount: UInt64) throws {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      #expect(getrlimit(resource, &limit) == 0)
      limit.rlim_cur = rlim_t(byteCount)
      let code = setrlimit(resource, &limit)
      #expect(code == 0)
    }
  }
#endif
