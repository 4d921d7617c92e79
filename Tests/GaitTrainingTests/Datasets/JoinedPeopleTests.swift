import Foundation
import Gait
import GaitReports
import GaitTestSupport
import GaitTraining
import Testing

/// Counting of people across folders.
@Suite struct JoinedPeopleTests {
  private func write(_ folder: TemporaryDirectory, _ name: String, seed: Int) throws {
    for label in 0..<2 {
      for subject in 1...3 {
        let rows = SampleRecordings.rows(60, seed: UInt64(seed + 10 * label + subject))
        try folder.write(SampleRecordings.csv(rows), to: "\(name)/\(label == 0 ? "run" : "sit")/\(subject).csv")
      }
    }
  }

  private func joined(_ folder: TemporaryDirectory, _ names: [String]) throws -> LabeledDataset {
    let layout = try PathLayout("{label}/{subject}.csv")
    var folders = names.map { RecordingFolder(directory: folder.file($0), layout: layout) }
    for index in folders.indices { folders[index].options.sampleRate = .hertz(50) }
    return try LabeledDataset(folders: folders)
  }

  @Test func `People whose recordings are in two folders are counted once`() throws {
    let folder = try TemporaryDirectory()
    try write(folder, "a", seed: 0)
    try FileManager.default.copyItem(at: folder.file("a"), to: folder.file("b"))
    let dataset = try joined(folder, ["a", "b"])
    #expect(dataset.groups.count == 6)
    #expect(dataset.units == ["a/1", "a/2", "a/3"])
    #expect(Folds.count(of: dataset) == 3)
  }

  @Test func `Different people with the same name are two`() throws {
    let folder = try TemporaryDirectory()
    try write(folder, "a", seed: 0)
    try write(folder, "b", seed: 1000)
    #expect(try joined(folder, ["a", "b"]).units.count == 6)
  }

  @Test func `A folder given twice, by path or by link, is an error`() throws {
    let folder = try TemporaryDirectory()
    try write(folder, "a", seed: 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: folder.file("a").path)
    for names in [["a", "a"], ["a", "link"]] {
      let error = #expect(throws: DatasetError.self) { try joined(folder, names) }
      #expect(error?.description.contains("run/1.csv is in ") == true)
      #expect(error?.description.hasSuffix("and would count twice; give the folder once.") == true)
    }
  }

  @Test func `The model's card and the score count people whose copies are in two folders once`() throws {
    let people = MovingRecordings.dataset.recordings
    let twice = LabeledDataset(joining: [LabeledDataset(people, name: "a"), LabeledDataset(people, name: "b")])
    var trainer = ActivityTrainer()
    trainer.pauseWindow = nil
    let validation = try trainer.crossValidated(on: twice)
    let model = try trainer.fit(twice, validatedBy: validation)
    #expect(model.card?.training.groups == 3)
    #expect(validation.report.groups.map(\.name).sorted() == ["a/1", "a/2", "a/3"])
    #expect(try model.evaluated(on: twice).groups.count == 3)
    let report = TrainingReport(
      dataset: twice, review: LabelReview(of: twice), validation: validation, model: model, method: "logistic")
    #expect(report.description.contains("Hz, 3 subjects"))
  }
}
