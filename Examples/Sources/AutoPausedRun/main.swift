// A running app's core: it pauses by itself, survives a kill, stores the run, and decides it again later.
import Foundation
import Gait
import GaitRuns
import RecordedRun

// A phone delivers these inputs one by one; here they come from files.
let recorded = try RecordedRun()
let (inputs, start) = (recorded.inputs, recorded.motion.start)

let startedAt = Date(timeIntervalSince1970: 1_800_000_000)
func makeTracker() throws -> RunTracker { try RunTracker(sampleRate: recorded.motion.sampleRate) }

// The app, which is killed after 5,000 inputs: this program, started with the path of its journal.
if CommandLine.arguments.count > 1 {
  let url = URL(filePath: CommandLine.arguments[1])
  var journal = try RunJournal(at: url, for: makeTracker(), startedAt: startedAt) { _ in }
  for input in inputs[..<5000] { try journal.append(input) }
  kill(getpid(), SIGKILL)
}
let folder = FileManager.default.temporaryDirectory.appending(path: "gait-example-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let journalURL = folder.appending(path: "run.journal")
let app = try Process.run(URL(filePath: CommandLine.arguments[0]), arguments: [journalURL.path])
app.waitUntilExit()
print("killed by signal \(app.terminationStatus)")

// It is started again, and goes on where it was.
var tracker = try makeTracker()
var journal = try RunJournal(at: journalURL, for: tracker) { tracker.append($0) }
print("restored \(journal.count) inputs; paused: \(tracker.isPaused)")
for input in inputs[journal.count...] {
  try journal.append(input)
  for event in tracker.append(input) {
    switch event {
    case .paused(let pause): print("paused at \(RunText.clock(pause.onset.seconds(since: start)))")
    case .resumed(let resume): print("resumed at \(RunText.clock(resume.onset.seconds(since: start)))")
    case .split(let split): print("kilometre \(split.number) in \(RunText.clock(split.movingSeconds))")
    default: break
    }
  }
}

let run = tracker.finish()
let store = RunStore(directory: folder.appending(path: "runs"))
try store.save(StoredRun(run, startedAt: journal.startedAt, name: "Morning run", evidence: tracker.evidence))
try journal.remove()
for stored in store.contents().runs {
  let run = stored.timeline
  print(
    "\(stored.name): \(Int((run.distance ?? 0).rounded())) m, moving \(RunText.clock(run.movingSeconds)) of "
      + "\(RunText.clock(run.elapsedSeconds)), \(run.pauses.count) pauses")
  // Next year, by another policy.
  let again = try stored.evidence?.replayed(by: .running, options: RunOptions(policy: .whenNotRunning))
  print("decided again, paused while not running: moving \(RunText.clock(again?.movingSeconds))")
}
