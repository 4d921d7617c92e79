import Foundation
import Gait
import GaitRuns

actor RunRecorder {
  private var tracker: RunTracker
  private var journal: RunJournal

  init(journalURL: URL) throws {
    var options = RunOptions()
    options.snapshotSeconds = 1
    options.keepsEvidence = false
    var restored = try RunTracker(sampleRate: .hertz(50), options: options)
    journal = try RunJournal(at: journalURL) { restored.append($0) }
    tracker = restored
  }

  func append(_ input: RunInput) throws -> [RunEvent] {
    try journal.append(input)
    return tracker.append(input)
  }

  /// Stores the run; the journal is removed only after that.
  func finish(startedAt start: Date, in store: RunStore) throws -> StoredRun {
    let run = StoredRun(tracker.finish(), startedAt: start)
    try store.save(run)
    try journal.remove()
    return run
  }
}
