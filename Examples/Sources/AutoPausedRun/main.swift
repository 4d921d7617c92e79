// A running app's core: it pauses by itself, survives a kill, and stores the run.
import Foundation
import Gait
import GaitRuns
import GaitTraining

// A phone delivers these inputs one by one; here a simulated runner does.
var simulator = OutdoorRunSimulator(seed: 4)
simulator.programme = .varied(minutes: 10...10)
let inputs = simulator.run().inputs

let folder = FileManager.default.temporaryDirectory.appending(path: "gait-example-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let journalURL = folder.appending(path: "run.journal")

func makeTracker() throws -> RunTracker { try RunTracker(sampleRate: OutdoorRunSimulator.sampleRate) }

func clock(_ seconds: Double) -> String {
  let whole = Int(seconds.rounded())
  return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
}

// The app is killed after 20,000 inputs.
do {
  var journal = try RunJournal(at: journalURL) { _ in }
  for input in inputs[..<20_000] { try journal.append(input) }
}

// It is started again, and goes on where it was.
var tracker = try makeTracker()
var journal = try RunJournal(at: journalURL) { tracker.append($0) }
print("restored \(journal.count) inputs; paused: \(tracker.isPaused)")
for input in inputs[journal.count...] {
  try journal.append(input)
  for event in tracker.append(input) {
    switch event {
    case .paused(let pause): print("paused at \(clock(pause.onset.seconds - 1000))")
    case .resumed(let resume): print("resumed at \(clock(resume.onset.seconds - 1000))")
    case .split(let split): print("kilometre \(split.number) in \(clock(split.movingSeconds))")
    default: break
    }
  }
}

let run = tracker.finish()
let store = RunStore(directory: folder.appending(path: "runs"))
try store.save(StoredRun(run, startedAt: Date(timeIntervalSince1970: 1_800_000_000), name: "Morning run"))
try journal.remove()
for stored in store.contents().runs {
  let run = stored.timeline
  print(
    "\(stored.name): \(Int((run.distance ?? 0).rounded())) m, moving \(clock(run.movingSeconds)) of "
      + "\(clock(run.elapsedSeconds)), \(run.pauses.count) pauses")
}
