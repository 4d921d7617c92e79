import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct GroupingTests {
  private let dataset = MovingRecordings.dataset

  @Test func `Recordings can be groups although subjects are known`() throws {
    let byRecording = dataset.groupedByRecording
    #expect(byRecording.grouping == .recording)
    #expect(byRecording.groups.count == 9)
    #expect(byRecording.recordings.map(\.subject) == dataset.recordings.map(\.subject))
    #expect(try Folds(of: byRecording).scheme == .groups(folds: 10))
  }

  @Test func `Time blocks cover the recordings except the gaps between them`() throws {
    let blocks = dataset.cut(intoBlocks: 4, apart: 0.5)
    #expect(blocks.grouping == .timeBlock(count: 4))
    #expect(blocks.groups == ["block 1", "block 2", "block 3", "block 4"])
    #expect(blocks.recordings.count == 36)
    for original in dataset.recordings {
      let parts = blocks.recordings.filter { $0.path.hasPrefix(original.path + ", block ") }
      #expect(parts.reduce(0) { $0 + $1.recording.count } == original.recording.count - 3 * 25)
      let ends = parts.map { $0.recording.time(at: $0.recording.count - 1).seconds }
      for (end, next) in zip(ends, parts.dropFirst()) {
        #expect(next.recording.start.seconds - end > 0.5)
      }
    }
    let folds = try Folds(of: blocks)
    #expect(folds.folds.count == 4)
    #expect(folds.folds.allSatisfy { $0.test.count == 9 && $0.training.count == 27 })
  }

  @Test func `Time blocks of an excerpt stay with those of its source`() {
    let long = SampleRecordings.rows(900, seed: 1)
    let whole = LabeledRecording(recording: SampleRecordings.recording(long, name: "whole"), label: "x")
    let part = LabeledRecording(
      recording: SampleRecordings.recording(Array(long[300..<900]), name: "part"), label: "x")
    let blocks = LabeledDataset([whole, part]).cut(intoBlocks: 3, apart: 0)
    #expect(Set(blocks.splitGroups.values) == ["block 1"])
  }

  @Test func `Holding out by subject or another placeholder makes one fold`() throws {
    let held = try Folds(of: dataset, scheme: .holdOut([RecordingFilter("subject=2,3")])).folds
    #expect(held.count == 1)
    #expect(Set(held[0].test.map { dataset.recordings[$0].subject }) == ["2", "3"])
    #expect(Set(held[0].training.map { dataset.recordings[$0].subject }) == ["1"])
    let unknown = RecordingFilter(field: "subject", values: ["9"])
    #expect(throws: FoldsError.nothingHeldOut(unknown, found: ["1", "2", "3"])) {
      try Folds(of: dataset, scheme: .holdOut([unknown]))
    }
  }

  @Test func `Recordings in the same unit as held-out ones are not trained on`() throws {
    func entry(_ label: String, _ subject: Int, trial: Int) -> LabeledRecording {
      LabeledRecording(
        recording: SampleRecordings.recording(SampleRecordings.rows(30, seed: UInt64(subject * 10 + trial))),
        label: label, path: "\(label)_\(trial)/\(subject)", fields: ["subject": "\(subject)", "trial": "\(trial)"])
    }
    let trials = LabeledDataset(
      [entry("x", 1, trial: 1), entry("x", 1, trial: 2)]
        + (2...3).flatMap { [entry("x", $0, trial: 2), entry("y", $0, trial: 2)] })
    let fold = try Folds(of: trials, scheme: .holdOut([RecordingFilter("trial=1")])).folds[0]
    #expect(fold.test.map { trials.recordings[$0].path } == ["x_1/1"])
    #expect(!fold.training.contains { trials.recordings[$0].subject == "1" })
    #expect(fold.training.count == 4)
  }

  @Test func `Windows of a time block are scored by models trained on the others`() throws {
    let blocks = dataset.cut(intoBlocks: 2, apart: 2.56)
    let validation = try ActivityTrainer().crossValidated(on: blocks)
    #expect(validation.method == "leave one of 2 time blocks out; the rest of each recording is in the training data")
    #expect(validation.report.groups.map(\.name).sorted() == ["block 1", "block 2"])
  }

  @Test func `Several folders are one dataset whose subjects are different people`() throws {
    let folder = try TemporaryDirectory()
    for subject in 1...2 {
      let rows = { (seed: Int) in SampleRecordings.csv(SampleRecordings.rows(60, seed: UInt64(seed))) }
      try folder.write(rows(subject), to: "first/run_1/sub_\(subject).csv")
      try folder.write(rows(subject + 10), to: "second/still/\(subject).csv")
    }
    try folder.write(SampleRecordings.csv(SampleRecordings.rows(60, seed: 1)), to: "second/still/copy.csv")
    func folders() throws -> [RecordingFolder] {
      [
        RecordingFolder(
          directory: folder.file("first"), layout: try PathLayout("{label}_{trial}/sub_{subject}.csv"),
          options: ReadingOptions(sampleRate: .hertz(50))),
        RecordingFolder(
          directory: folder.file("second"), layout: try PathLayout("{label}/{recording}.csv"),
          options: ReadingOptions(sampleRate: .hertz(10))),
      ]
    }
    let dataset = try LabeledDataset(
      folders: folders(), labels: LabelMap(["run=running"]), except: [RecordingFilter("subject=2")])
    #expect(dataset.name == "first + second")
    #expect(dataset.groups == ["first/1", "second/still/1.csv", "second/still/2.csv", "second/still/copy.csv"])
    #expect(dataset.labels == ["running", "still"])
    #expect(dataset.grouping == .subjectOrRecording)
    #expect(dataset.recordings.map(\.recording.sampleRate.hertz) == [50, 10, 10, 10])
    #expect(dataset.duplicates.copies == [["first/run_1/sub_1.csv", "second/still/copy.csv"]])
    #expect(throws: DatasetError.unknownLabels(["jog"], found: ["run", "still"])) {
      try LabeledDataset(folders: folders(), labels: LabelMap(["jog=running"]))
    }
    #expect(throws: DatasetError.self) {
      try LabeledDataset(folders: folders(), only: [RecordingFilter("day=1")])
    }
    let still = try LabeledDataset(folders: folders(), only: [RecordingFilter("label=still")])
    #expect(still.groups == ["second/still/1.csv", "second/still/2.csv", "second/still/copy.csv"])
    #expect(throws: DatasetError.self) {
      try LabeledDataset(folders: folders(), only: [RecordingFilter("label=sit")])
    }
  }
}
