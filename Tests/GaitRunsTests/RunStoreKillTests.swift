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

  /// A journal on a full disk.
  @Suite struct RunJournalFullDiskTests {
    @Test func `An input that does not fit is refused, and the file ends with the one before`() async throws {
      let folder = try TemporaryDirectory()
      let path = folder.file("run.journal").path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let url = URL(filePath: path)
        var journal = try RunJournal(at: url, for: SimulatedInputs.tracker()) { _ in }
        try Self.limitFiles(to: 3000)
        var refusals = 0
        for second in 0..<400 {
          do throws(RunJournalError) { try journal.append(.lap(at: .seconds(Double(second)))) } catch {
            guard case .cannotWrite(url.relativePath, _) = error else { throw error }
            refusals += 1
          }
        }
        #expect(refusals > 0 && journal.count == 400 - refusals)
      }
      var inputs: [RunInput] = []
      let journal = try RunJournal(at: URL(filePath: path), for: SimulatedInputs.tracker()) { inputs.append($0) }
      #expect(journal.droppedByteCount == 0 && journal.count > 10)
      #expect(inputs == (0..<journal.count).map { .lap(at: .seconds(Double($0))) })
    }

    /// The system refuses to make files longer, with an error instead of a signal.
    private static func limitFiles(to byteCount: UInt64) throws {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
      #if os(Linux)
        let code = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        let code = setrlimit(RLIMIT_FSIZE, &limit)
      #endif
      #expect(code == 0)
    }
  }
#endif
