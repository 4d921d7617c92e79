// A motion recorder: at most a minute at 10 Hz, written to a file, read back and replayed. Then a model of the app's
// own, whose probabilities pause the whole run.
import Foundation
import Gait
import GaitFormats
import GaitRuns
import RecordedRun

// A phone at 20 Hz.
let phone = try RecordedRun().motion

var recorder = MotionRecorder(sourceRate: phone.sampleRate)
for index in 0..<phone.count where !recorder.append(phone[index]) { break }
print("recorded \(String(format: "%.1f", recorder.seconds)) s; full: \(recorder.isFull)")

let file = FileManager.default.temporaryDirectory.appending(path: "gait-example-\(UUID().uuidString).csv")
defer { try? FileManager.default.removeItem(at: file) }
try recorder.recording(named: "stairs").write(to: file)

let recording = try Recording(contentsOf: file)
print("read \(recording.count) samples at \(recording.sampleRate.hertz) Hz")
var labels: [String] = []
for window in try ActivityModel.running.classify(recording) where window.label != labels.last {
  labels.append(window.label)
}
print(labels.joined(separator: ", then "))

var replayed = 0
for await sample in recording.replayed(speed: 1000) where sample.userAcceleration.x.isFinite { replayed += 1 }
print("replayed \(replayed) samples")

/// A model that Gait does not know: how strongly the phone moves in a second.
func ownModel(_ window: ArraySlice<MotionSample>) -> [Activity: Float] {
  let energy = window.reduce(0) { $0 + ($1.userAcceleration * $1.userAcceleration).sum() } / Float(window.count)
  let moving = min(1, energy / 0.02)
  return [.running: moving, .still: 1 - moving]
}

var pauses = PauseDecider(policy: .whenStill, activities: [.running, .still])
let samples = Array(phone.samples)
for end in stride(from: 20, through: samples.count, by: 10) {
  let window = samples[(end - 20)..<end]
  if let decision = pauses.append(ownModel(window), from: window.first!.time, to: window.last!.time) {
    print("\(decision.isPause ? "paused" : "resumed") at \(RunText.clock(decision.onset.seconds(since: phone.start)))")
  }
}
