import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// The pipeline on recordings of people: six are trained on, six others are classified.
@Suite(.requiresRealData, .requiresOptimization) struct RealDataPipelineTests {
  /// A recording each of jogging, walking, sitting and standing of every subject, shortened for debug builds.
  private static func people(_ subjects: [String]) throws -> LabeledDataset {
    let whole = try LabeledDataset(
      directory: RealData.motionSense, layout: "{label}_{trial}/sub_{subject}.csv", sampleRate: .hertz(50),
      labels: LabelMap(["jog=running", "wlk=walking", "sit,std=still"]),
      only: [
        RecordingFilter(field: "subject", values: subjects),
        RecordingFilter(field: "trial", values: ["13", "14", "15", "16"]),
      ])
    return LabeledDataset(
      whole.recordings.map { labeled in
        var labeled = labeled
        labeled.recording = labeled.recording[0..<min(labeled.recording.count, 1500)]
        return labeled
      })
  }

  private static let model = Result { try ActivityTrainer().fit(people(RealData.trainingSubjects)) }
  private static let others = Result { try people(RealData.testSubjects) }

  @Test func `Rotating the phone changes no probability by more than 1e-4`() throws {
    let model = try Self.model.get()
    var largest: (change: Float, place: String) = (0, "")
    var windowCount = 0
    for (index, labeled) in try Self.others.get().recordings.enumerated() {
      let rotation = Rotation(seed: UInt64(index))
      let turned = Recording(
        name: labeled.path, sampleRate: labeled.recording.sampleRate,
        samples: (0..<labeled.recording.count).map { rotation.apply(to: labeled.recording[$0]) })
      let (worn, other) = (try model.classify(labeled.recording), try model.classify(turned))
      #expect(worn.map(\.start) == other.map(\.start))
      windowCount += worn.count
      for (one, two) in zip(worn, other) {
        for label in one.probabilities.labels {
          let change = (one.probabilities[label] - two.probabilities[label]).magnitude
          if change > largest.change { largest = (change, "\(label) of \(labeled.path) at \(one.start.seconds) s") }
        }
      }
    }
    #expect(windowCount > 800)
    #expect(largest.change > 0, "no recording was rotated")
    #expect(largest.change <= 1e-4, "\(largest.place)")
  }

  @Test func `Rotating the phone changes no score in its first three digits`() throws {
    let (people, others) = (try Self.people(RealData.trainingSubjects), try Self.others.get())
    let all = LabeledDataset(people.recordings + others.recordings)
    let held = RecordingFilter(field: "subject", values: RealData.testSubjects)
    let validation = try ActivityTrainer().crossValidated(on: all, scheme: .holdOut([held]), measuring: [.turning])
    let turned = try #require(validation.turned)
    #expect(validation.report.windows == turned.windows)
    #expect(turned.windows > 800)
    #expect(abs(validation.report.accuracy - turned.accuracy) < 5e-4)
    #expect(abs(validation.report.macroF1 - turned.macroF1) < 5e-4)
  }

  @Test func `Streaming gives the windows of the whole recording bit for bit`() throws {
    let model = try Self.model.get()
    for labeled in try Self.others.get().recordings {
      let whole = try model.classify(labeled.recording)
      var classifier = try WindowClassifier(model: model, sampleRate: labeled.recording.sampleRate)
      let streamed = (0..<labeled.recording.count).flatMap { classifier.append(labeled.recording[$0]) }
      #expect(!whole.isEmpty)
      #expect(whole.map(\.start) == streamed.map(\.start))
      #expect(whole.map(\.end) == streamed.map(\.end))
      #expect(Self.bits(whole) == Self.bits(streamed), "\(labeled.path)")
    }
  }

  private static func bits(_ windows: [ClassifiedWindow]) -> [UInt32] {
    windows.flatMap { window in window.probabilities.labels.indices.map { window.probabilities[$0].bitPattern } }
  }
}
