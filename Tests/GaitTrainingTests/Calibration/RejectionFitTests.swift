import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitTraining

@Suite struct RejectionFitTests {
  private static func evidence(recordings: Int, windows: Int) -> [RecordingEvidence] {
    var random = SeededGenerator(seed: 4)
    return (0..<recordings).map { recording in
      RecordingEvidence(
        fold: recording % 3, recording: recording,
        windows: (0..<windows).map { _ in
          RejectionEvidence(distance: Float(random.uniform(in: 0...5)), confidence: Float(random.uniform(in: 0.4...1)))
        })
    }
  }

  @Test func `The bounds reject at most 1.2 % of the windows, by both measures`() {
    for (recordings, windows) in [(1, 1), (3, 7), (20, 50), (60, 100)] {
      let evidence = Self.evidence(recordings: recordings, windows: windows)
      let bounds = RejectionBounds(evidence)
      let all = evidence.flatMap(\.windows)
      let rejected = all.filter { $0.exceeds(bounds.evidence) }
      #expect(Double(rejected.count) <= 0.012 * Double(all.count), "\(recordings) recordings of \(windows) windows")
      guard all.count >= 1000 else { continue }
      #expect(Double(rejected.count) > 0.009 * Double(all.count))
      let byDistance = rejected.count { $0.distance > bounds.evidence.distance }
      #expect(byDistance * 3 > rejected.count)
      #expect(byDistance * 3 < rejected.count * 2)
      let unusual = evidence.count { $0.rejectedShare(bounds.evidence) > bounds.usualShare }
      #expect(Double(unusual) <= 0.02 * Double(recordings))
    }
    #expect(RejectionBounds([]).usualShare == 1)
  }

  /// A recording of a vertical oscillation with noise, nearly the same for every person.
  private static func labeled(_ label: String, subject: Int) -> LabeledRecording {
    let (frequency, amplitude) = ["running": (2.7, 1.2), "walking": (1.8, 0.3), "still": (1.0, 0.0)][label]!
    var random = SeededGenerator(seed: 9, keys: [UInt64(subject), UInt64(label.count)])
    let samples = (0..<500).map { index in
      let time = Double(index) / 25
      let z = amplitude * sin(2 * .pi * frequency * time) + 0.05 * random.normal()
      return MotionSample(
        time: SampleTime(seconds: time), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, Float(z)))
    }
    return LabeledRecording(
      recording: Recording(name: label, sampleRate: .hertz(25), samples: samples), label: label,
      path: "\(label)/\(subject)", fields: ["subject": "\(subject)", "set": "simulated", "place": "pocket"])
  }

  private static func dataset(_ labels: [String]) -> LabeledDataset {
    LabeledDataset((1...6).flatMap { subject in labels.map { labeled($0, subject: subject) } }, name: "six people")
  }

  @Test func `A model rejects an activity that it was not trained on`() throws {
    var trainer = ActivityTrainer()
    trainer.rejectsUnknown = true
    let known = Self.dataset(["still", "walking"])
    let model = try trainer.fit(known)
    #expect(model.rejectsUnknown)
    #expect(model.heads.count == 2)
    #expect(model.pauseHead.rejection == nil)
    #expect(try trainer.fit(known).json() == model.json())
    let running = Self.labeled("running", subject: 9).recording
    #expect(try model.classify(running).allSatisfy(\.isRejected))
    let windows = try known.recordings.flatMap { try model.classify($0.recording) }
    #expect(
      10 * windows.count { $0.isRejected } <= windows.count, "\(windows.count { $0.isRejected }) of \(windows.count)")
    #expect(try #require(model.usualRejectedShare) < 1)
    trainer.rejectsUnknown = false
    #expect(try trainer.fit(known).heads[0].classifier == model.heads[0].classifier)
  }

  @Test func `The averages of a matrix are those of the pipeline`() throws {
    var trainer = ActivityTrainer()
    trainer.rejectsUnknown = true
    let dataset = MovingRecordings.dataset
    let head = try trainer.fit(dataset).activityHead
    let windows = try trainer.windows(of: dataset)
    for (recording, evidence) in windows.evidence(for: head, at: Array(0..<windows.count)) {
      let bounds = try #require(head.rejection?.bounds)
      let model = try ActivityModel(heads: [head])
      let classified = try model.classify(dataset.recordings[recording].recording)
      #expect(evidence.map { $0.exceeds(bounds) } == classified.map(\.isRejected), "recording \(recording)")
    }
  }

  @Test func `Trees cannot reject`() throws {
    var trainer = ActivityTrainer()
    trainer.rejectsUnknown = true
    trainer.method = .decisionTree(TreeTrainer())
    #expect(throws: TrainingError.fitting(.rejectionNeedsScaling)) { try trainer.fit(MovingRecordings.dataset) }
  }
}
