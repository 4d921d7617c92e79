import Gait
import Testing

@testable import GaitTraining

struct DuplicatesAcrossTests {
  private static let training = MovingRecordings.dataset

  /// A recording of the training data under another name, its rows cut to `rows`.
  private static func cut(_ rows: Range<Int>, named path: String) -> LabeledRecording {
    let original = training.recordings[0]
    return LabeledRecording(recording: original.recording[rows], label: original.label, path: path)
  }

  private static let test = LabeledDataset([
    cut(0..<600, named: "copy"), cut(1..<600, named: "headless"), cut(200..<400, named: "excerpt"),
    MovingRecordings.labeled(.running, subject: 9, path: "new"),
  ])

  @Test("training recordings are detected in a test set under any name")
  func folders() {
    let source = Self.training.recordings[0].path
    #expect(
      Self.test.leaks(from: Self.training)
        == ["copy", "excerpt", "headless"].map { Leak(path: $0, sources: [source]) })
    #expect(LabeledDataset([Self.test.recordings[3]]).leaks(from: Self.training).isEmpty)
  }

  @Test("a model's card matches its training recordings")
  func card() throws {
    let model = try ActivityTrainer().fit(Self.training)
    #expect(Set(Self.test.leaks(into: model).map(\.path)).isSuperset(of: ["copy", "headless"]))
    #expect(!Self.test.leaks(into: model).map(\.path).contains("new"))
    let read = try ActivityModel(json: model.json(), name: "model")
    #expect(Self.training.leaks(into: read).count == Self.training.recordings.count)
    let bare = try ActivityModel(sampleRate: model.sampleRate, heads: model.heads)
    #expect(Self.test.leaks(into: bare).isEmpty)
  }
}
