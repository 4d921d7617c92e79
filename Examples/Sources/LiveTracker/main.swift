// A live tracker: one stream of inputs, figures every minute, and the finished run as the last event.
import Gait
import GaitRuns
import RecordedRun

let run = try RecordedRun()
let inputs = AsyncStream<RunInput> { continuation in
  for input in run.inputs { continuation.yield(input) }
  continuation.finish()
}

let tracker = try RunTracker(
  sampleRate: run.motion.sampleRate,
  options: RunOptions(goals: [.distance(meters: 1000)], snapshotSeconds: 60))
for try await event in inputs.runEvents(using: tracker) {
  switch event {
  case .snapshot(let figures):
    print(
      "\(Int(figures.elapsedSeconds)) s: \(Int(figures.distance ?? 0)) m, \(RunText.pace(figures.currentPace)) /km now, "
        + "\(RunText.pace(figures.averagePace)) /km, \(figures.cadence.map { String(Int($0.rounded())) } ?? "–") spm"
        + (figures.isPaused ? ", paused" : ""))
  case .goal(_, let time): print("1000 m after \(Int(time.seconds(since: run.motion.start))) s")
  case .finished(let run):
    print("finished: \(Int(run.distance ?? 0)) m, \(RunText.pace(run.averagePace)) /km, \(run.pauses.count) pauses")
    for split in run.splits(everyMeters: Split.kilometer) {
      let part = run.part(from: split.start, to: split.end)
      print(
        "split \(split.number): \(RunText.pace(split.pace)) /km, climbed \(Int((part.elevation()?.gain ?? 0).rounded())) m"
      )
    }
  default: break
  }
}
