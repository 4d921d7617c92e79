// A live tracker, as on a watch: one stream of inputs, figures every minute, the finished run as the last event and as
// GPX with heart rates, in less than 50 MB.
import Foundation
import Gait
import GaitFormats
import GaitRuns
import RecordedRun

let run = try RecordedRun()
let inputs = AsyncStream<RunInput> { continuation in
  for input in run.inputs { continuation.yield(input) }
  continuation.finish()
}

let tracker = try RunTracker(
  sampleRate: run.motion.sampleRate,
  options: RunOptions(goals: [.distance(meters: 1000)], snapshotSeconds: 60, keepsEvidence: false))
for try await event in inputs.runEvents(using: tracker) {
  switch event {
  case .snapshot(let figures):
    print(
      "\(Int(figures.elapsedSeconds)) s: \(Int(figures.distance ?? 0)) m, \(RunText.pace(figures.currentPace)) /km "
        + "now, \(RunText.pace(figures.averagePace)) /km, "
        + "\(figures.cadence.map { String(Int($0.rounded())) } ?? "–") spm"
        + (figures.isPaused ? ", paused" : ""))
  case .goal(_, let time): print("1000 m after \(Int(time.seconds(since: run.motion.start))) s")
  case .finished(let run):
    print("finished: \(Int(run.distance ?? 0)) m, \(RunText.pace(run.averagePace)) /km, \(run.pauses.count) pauses")
    for split in run.splits(everyMeters: Split.kilometer, includingRest: true) {
      let part = run.part(from: split.start, to: split.end)
      print(
        "split \(split.number), \(RunText.distance(split.meters)) km: \(RunText.pace(split.pace)) /km, climbed "
          + "\(Int((part.elevation()?.gain ?? 0).rounded())) m")
    }
    let heartRates = stride(from: 0, to: run.elapsedSeconds, by: 5).map {
      HeartRate(time: run.start.advanced(bySeconds: $0), beatsPerMinute: 140)
    }
    let url = FileManager.default.temporaryDirectory.appending(path: "gait-example-\(UUID().uuidString).gpx")
    defer { try? FileManager.default.removeItem(at: url) }
    try TrackDocument.gpx.text(of: run, heartRates: heartRates).write(to: url, atomically: true, encoding: .utf8)
    print("as GPX: \(try LocationFile(contentsOf: url).segments.count) segments")
  default: break
  }
}

#if os(Linux)
  // All of the process, the inputs and the code included.
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").compactMap {
    Int($0)
  }.first
  precondition((peak ?? .max) < 50_000, "the tracker needed \(peak ?? 0) kB")
#endif
